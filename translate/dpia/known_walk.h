// A walk over a kernel with what is known of its integers at every statement (index_values.h): what stages that ask for
// it stand on.
#pragma once
#include "semantics/kernel/walk.h"
#include "translate/dpia/index_values.h"

namespace lockstep {

std::set<std::string> assigned_in(const kernel::Stmt& s);  // variables
bool is_empty(const kernel::Stmt& s);

class KnownWalk {
 public:
  explicit KnownWalk(const kernel::Program& p) : values(p) {}
  virtual ~KnownWalk() = default;

  // What stands there instead; nothing where nothing is left that had something to do.
  std::optional<kernel::Stmt> statement(const kernel::Stmt& s);

 protected:
  // The statement itself, otherwise said; what stands in it comes later.
  virtual kernel::Stmt said(const kernel::Stmt& s) { return s; }
  // What is known is what it says before the statement.
  virtual std::optional<kernel::Stmt> check(const kernel::Check& x, const kernel::Stmt& s) = 0;
  // Of a loop in order, whose body was walked; `gone`: nothing is left of it.
  virtual std::optional<kernel::Stmt> loop(kernel::For x, const kernel::Stmt& s, bool gone);
  virtual void enter(const kernel::For&, const std::set<std::string>&) {}  // its iteration, as what it assigns is known
  // Whether what stands inside is run whenever its loop's iteration is.
  virtual void enter_branch() {}
  virtual void leave_branch() {}
  virtual void after_while() {}  // which may go on for ever

  IndexValues values;

 private:
  std::optional<kernel::Stmt> known(const kernel::Stmt& s);
  kernel::Block block(const kernel::Block& b);
  kernel::StmtRef inside(const kernel::StmtRef& s);
  kernel::StmtRef iteration(const std::string& variable, const kernel::Expr& extent,
                            const std::vector<kernel::Allocate>& scratch, const kernel::StmtRef& body,
                            const kernel::For* in_order);
};

}  // namespace lockstep
