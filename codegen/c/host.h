// The entry point of a program that runs on a device, from its host program: the same text for every target whose head
// declares
//   DeviceArray<T>   so many T of the device's memory, from a pool: (count), .data, .from_host(p), .to_host(p),
//   .clear(),
//                    .release(); false, or no data, where the device has failed
//   DeviceTrap, finish(status, trap)   what a kernel's checks say; waits
//   grid_of(count, each, most)         blocks
//   pool.empty(), device_release()     to give back what is kept from call to call
//   device_fault()                     what the device has said of its failure
// Kernels, and how one is launched, are the target's.
#pragma once
#include "codegen/c/precondition.h"
#include "codegen/c/statement.h"
#include "semantics/host/program.h"

namespace lockstep {

// A name that lives on the host while kernels run: a number or a scalar that they take by value, or memory of the
// device.
struct HostName {
  enum class Kind { Number, Scalar, Memory };
  Kind kind;
  std::string name;
  ScalarType type;   // of memory, its scalars'
  std::string host;  // its text on the host
};

struct HostLaunch {
  const host::Launch& launch;
  std::string kernel;                  // its name
  std::string shape;                   // "grid, threads of a block"
  std::string bytes;                   // of a block's memory
  std::size_t first_check;             // of the program's checks, the number of the kernel's first
  const std::vector<HostName>& names;  // in scope, the innermost last
};
// The functions of a device's text beside its entry points, which header and Executable know.
std::string device_exports(const kernel::Program& p);
// Expressions that are false where the device does not take it. `narrow`: with indices of 32 bits; "" where there is
// one form only.
struct LaunchCall {
  std::string wide, narrow;
};

class HostEntry {
 public:
  HostEntry(const host::Program& program, const Dialect& dialect);
  std::function<LaunchCall(const HostLaunch&)> launch;

  std::string text();  // the entry point and what calls it with arrays of arguments
  const std::vector<Precondition>& asked() const { return preconditions_; }
  bool narrow() const;  // the text has a variable of that name, which says whether indices of 32 bits are enough

 private:
  void statement(const host::Stmt& s);
  void statements(const host::Stmt& s);  // without braces
  void in_braces(const std::string& head, const host::Stmt& s);
  void acquire(const host::Acquire& a);
  void read(const host::Read& r);
  void launched(const host::Launch& l);
  void loop(const host::For& f);
  void while_loop(const host::While& w);
  const std::string& device(const std::string& array) const;
  template <class F>
  void scoped(F f);

  const host::Program& program_;
  std::vector<Precondition> preconditions_;  // and whether indices are narrow
  CStatements out_;
  std::vector<HostName> names_;
  int kernels_ = 0;
  std::size_t checks_ = 0;  // of the kernels so far: they come in the order of the program's
};

}  // namespace lockstep
