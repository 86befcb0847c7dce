// One device kernel of a HIP program: statements that run in one thread, or the iterations of a parallel loop.
#pragma once
#include "codegen/c/statement.h"

namespace lockstep {

// A name that lives on the host while kernels run: a number that they take by value, or memory of the device.
struct HostName {
  std::string name, type;     // type of the kernel's parameter
  std::string host;           // its text on the host
  bool buffer, cell = false;  // cell: a variable in device memory
  kernel::KType scalar{};     // of a cell
};

struct UsedNames {
  std::set<std::string> variables, buffers;
};
UsedNames used_by(const kernel::Stmt& s);
UsedNames used_by(const kernel::Expr& e);

// HIP's function that updates a scalar atomically; nothing where it has none.
std::optional<std::string> hip_atomic(const Primitive& op, ScalarType t);

class HipKernel {
 public:
  // `names`: those that live on the host, the innermost last; of them those that s uses become parameters. `narrow`: a
  // template over the type of indices.
  HipKernel(const kernel::Program& program, const std::string& name, const kernel::Stmt& s,
            const std::vector<HostName>& names, bool narrow);
  // Of one thread, that stores a value for the host; `result`: where.
  HipKernel(const kernel::Program& program, const std::string& name, const kernel::Expr& value, const HostName& result,
            const std::vector<HostName>& names);

  HipKernel(const HipKernel&) = delete;  // its statements know where it is

  void run_once(const kernel::Stmt& s);
  void run_loop(const kernel::ParallelFor& p);
  std::string take();  // the kernel's text, at its end

  const std::vector<std::string>& passed() const { return passed_; }  // what the host gives it
  const CText& declared() const { return k_.text; }                   // what it uses of types and functions

 private:
  std::vector<std::string> declare_parameters(const UsedNames& used, const std::vector<HostName>& names);
  void fill_in();
  void iterations(const kernel::ParallelFor& p, const std::string& unit);
  void local(const kernel::ParallelFor& p);
  void warps(const kernel::ParallelFor& p);
  void leave_where_stopped(const kernel::ParallelFor& p, const char* any);
  void shuffle(const kernel::Shuffle& x);
  void check(const kernel::Check& c);
  void allocate(const kernel::Allocate& a);
  void allocate_at_launch(const kernel::Allocate& a);
  void store(const kernel::Store& s);
  void atomic(const kernel::Atomic& a);

  const kernel::Program& program_;
  CStatements k_;
  std::vector<std::string> passed_;
  std::set<std::string> private_;                // buffers of which each thread has its own
  Level level_ = Level::Seq;                     // of the loop that is printed
  const kernel::ParallelFor* around_ = nullptr;  // the parallel loop that is printed
  bool warp_allocates_ = false;                  // memory that the lanes of the warp share, in that loop
  std::string block_;                            // the block's memory of which the launch says the size
  std::string end_;                              // label at the end of the iteration
  bool end_used_ = false;
};

}  // namespace lockstep
