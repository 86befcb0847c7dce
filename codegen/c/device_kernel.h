// One kernel of a device as text: statements that run in one thread, or the iterations of a parallel loop. What differs
// between the languages that devices read is a table.
#pragma once
#include "codegen/c/host.h"

namespace lockstep {

struct DeviceWords {
  std::string_view name;  // "HIP"
  const Dialect* dialect;
  std::string_view head;           // before a kernel's name: "static __global__ void"
  std::string_view of_index;       // a line before that of a kernel with indices of a type Index
  std::string_view device, block;  // before the type of what lies there: "__global "
  std::string_view restricted;     // of a pointer that no other leads to
  std::string_view thread, group;  // the number of a thread in its block, and of the block
  std::string_view all;            // of the thread among all; #0 the type of indices
  std::string_view barrier;        // of a block; one of a warp is warp_barrier()
  std::string_view any_of_block;   // whether it holds in a thread of the block: (#0)
  std::string_view shared;         // declares #2 of the type #0 as #1, in a block's memory
  bool shared_at_head = false;     // such declarations stand at the head of the kernel
  // Declares the memory that the launch asks for, as #0; it is a parameter where this is empty.
  std::string_view shared_at_launch;
  std::string_view local_parameter{};  // that parameter; and what is passed for so many bytes
  std::string_view local_argument{};
  std::string_view scalar_argument = "#0";  // what is passed for a scalar that a kernel takes by value
  std::string_view any_needs{};             // declared at the head of a kernel that asks whether it holds in any thread
  // An update of the scalar at an address by a value; nothing where there is none of that operator and type.
  std::optional<std::string> (*atomic)(const Primitive& op, ScalarType t, const std::string& place,
                                       const std::string& value);
  std::string_view atomics;  // which there are, in words
  bool warps = false;        // there are warp_barrier(), any_of_warp() and shuffled<lanes, width>(value, lane)
};

// Why a device cannot run the program, in the user's words; empty where it can: what a block cannot hold, atomic
// updates and barriers that there are not. A block has 48 KiB of memory: what is known to need more is refused here,
// what a launch's sizes decide by the entry point.
std::vector<std::string> device_unfit(const DeviceWords& words, const kernel::Program& program);

// Whether the loop's warps have to wait for each other where there is no barrier of a warp; and why a program's cannot.
bool goes_together(const kernel::ParallelFor& warps);
std::optional<std::string> warps_part(const kernel::Program& program);

class DeviceKernel {
 public:
  // `narrow`: for a type of indices that the launch chooses, Index.
  DeviceKernel(const DeviceWords& words, const kernel::Program& program, const HostLaunch& launch, bool narrow);

  DeviceKernel(const DeviceKernel&) = delete;  // its statements know where it is

  std::string text();
  const std::vector<TextPlace>& places() const { return places_; }  // of that text

  const std::vector<std::string>& passed() const { return passed_; }  // what the host gives it
  const CText& declared() const { return k_.text; }                   // what it uses of types and functions

 private:
  std::vector<std::string> parameters();  // `passed_` becomes what the host gives for each
  void fill_in();
  void run_once(const kernel::Stmt& s);
  void run_loop(const kernel::ParallelFor& p);
  void iterations(const kernel::ParallelFor& p, const std::string& unit);
  void local(const kernel::ParallelFor& p);
  void warps(const kernel::ParallelFor& p);
  void leave_where_stopped(const kernel::ParallelFor& p, std::string_view any);
  void shuffle(const kernel::Shuffle& x);
  void check(const kernel::Check& c);
  void allocate(const kernel::Allocate& a);
  void declare_array(const kernel::Allocate& a, bool of_block);
  void allocate_at_launch(const kernel::Allocate& a);
  void store(const kernel::Store& s);
  void atomic(const kernel::Atomic& a);
  // Where there are no barriers of a warp (device_rounds.cpp).
  void warps_together(const kernel::ParallelFor& p);
  void lanes_together(const kernel::ParallelFor& p);
  void together(const kernel::Stmt& s);
  void guarded(const kernel::Stmt& s);
  void stop_where_any();
  std::string of_those_that_run() const;
  void through_memory(const kernel::Shuffle& x);
  std::string thread() const { return std::string(words_.thread); }
  void shared(const std::string& type, const std::string& name, const std::string& count);

  const DeviceWords& words_;
  const kernel::Program& program_;
  const HostLaunch& launch_;
  const bool narrow_;
  CStatements k_;
  std::vector<std::string> passed_;
  std::vector<TextPlace> places_;
  std::set<std::string> private_;                // arrays of which each thread has its own, as C names
  Level level_ = Level::Seq;                     // of the loop that is printed
  const kernel::ParallelFor* around_ = nullptr;  // the parallel loop that is printed
  bool warp_allocates_ = false;                  // memory that the lanes of the warp share, in that loop
  std::string block_;                            // the block's memory of which the launch says the size
  std::vector<std::string> at_head_;             // declarations
  bool asks_any_ = false;
  int labels_ = 0;  // behind what is guarded, so far
  // Where warps go together: whether this thread has an iteration, and whether all go on with theirs; "": they do.
  std::string guard_, goes_on_;
  std::string end_;  // label at the end of the iteration
  bool end_used_ = false;
};

// A program's kernels, what they need declared, and its entry point.
struct DeviceText {
  struct Kernel {
    std::string name, text;
    bool narrow;  // with indices of 32 bits, too
    std::vector<TextPlace> places;
  };
  std::vector<Kernel> kernels;
  std::string declarations, entry;
  std::vector<Precondition> asked;
};
// How a kernel is launched: with indices of a type, "" where it has one form; `narrow`: the entry point knows whether
// 32 bits are enough.
using DeviceCall = std::function<std::string(const HostLaunch& launch, const std::string& index, bool narrow,
                                             const std::vector<std::string>& passed)>;
// `functions`: what stands before the functions that kernels use.
DeviceText device_text(const DeviceWords& words, const Dialect& of_host, const host::Program& program,
                       const DeviceCall& call, const std::string& functions);

}  // namespace lockstep
