// Paths (DPIA Fig. 6): acceptors and expressions to buffers and indices. A variable's leaves (tuples are structures of
// arrays) are buffers, or local variables where there is no array around them.
// ps: path, i: index, e: expression phrase, a: acceptor phrase.
#pragma once
#include "semantics/primitives/calculus.h"
#include "semantics/primitives/paths.h"

namespace lockstep {

// Where a phrase identifier lives: one place for each leaf of its type.
struct Site {
  std::string name;  // of the buffer or variable
  Leaf leaf;
  bool variable;  // a local variable, dims empty
};
using Sites = std::vector<Site>;

class Paths : private PathReader {
 public:
  explicit Paths(SizeContext context) : context_(std::move(context)) {}

  // The innermost phrase around that stands in the source: where the loads that are made come from.
  const Region& where() const { return where_; }
  class Within {
   public:
    Within(Paths& paths, const Region& now) : paths_(paths), around_(paths.where_) {
      if (now.source) paths.where_ = now;
    }
    Within(const Within&) = delete;
    ~Within() { paths_.where_ = std::move(around_); }

   private:
    Paths& paths_;
    Region around_;
  };

  void bind(const std::string& identifier, Sites places);
  void bind_index(const std::string& identifier, const Size& bound);     // a loop variable, in [0, bound)
  void bind_index_as(const std::string& identifier, const Size& value);  // an index given by a size expression
  const SizeContext& context() const { return context_; }
  const std::map<std::string, Sites>& places() const { return places_; }
  const std::map<std::string, Size>& indices() const { return indices_; }

  kernel::Expr expression(const Phrase& e, Path ps);  // Fig. 6c, simplified
  kernel::Expr extent(const Size& n) { return expr_of(n); }
  // The size form of an index-valued phrase; what is not one is opaque.
  Size index_size(const Phrase& e);
  Size opaque(kernel::Expr i) override;

  struct Target {
    Site place;
    std::vector<Size> indices;
    std::optional<Size> lane;  // one lane of a short vector
    bool nontemporal = false;
  };
  Target acceptor(const Phrase& a, Path ps);  // Fig. 6b
  Size offset(const Target& t) const;         // in scalars
  kernel::Expr expr_of(const Size& s) const;  // simplified, opaque names put back

 private:
  kernel::Expr read(std::size_t argument, Path path) override;
  kernel::Expr number(const Size& s) override { return expr_of(s); }
  std::optional<bool> decide(const SizeFact& f) override;
  kernel::Expr test(const SizeFact& f) override;
  kernel::Expr choose(kernel::Expr condition, const std::function<kernel::Expr()>& then,
                      const std::function<kernel::Expr()>& otherwise) override;
  kernel::Expr lanes(int width, const std::function<kernel::Expr(Size lane)>& at) override;

  kernel::Expr place_read(const std::string& identifier, const Path& ps);
  kernel::Expr primitive_read(const PrimPhrase& p, const Phrase& e, Path ps);
  kernel::Expr operator_read(const PrimPhrase& p, const Path& ps);
  Target resolve(const std::string& identifier, const Path& ps) const;
  Size size_of_index(const kernel::Expr& e);

  SizeContext context_;
  std::map<std::string, Sites> places_;
  std::map<std::string, Size> indices_;
  std::map<std::string, kernel::Expr> opaque_;
  std::vector<const PrimPhrase*> reading_;  // the primitives whose read facet is running
  int opaque_count_ = 0;
  Region where_;
};

// What an expression or an acceptor became, for who wants to check it.
struct PathRecord {
  Phrase phrase;
  Path path;
  Paths paths;                // what was known there
  bool write = false;         // made is then a load of the place stored to, a vector load for lanes in a row
  std::optional<int> lane{};  // of the stored vector, where $lane in the path stands for it
  kernel::Expr made;
};
using PathRecorder = std::function<void(PathRecord)>;

}  // namespace lockstep
