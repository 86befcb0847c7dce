// A program that a target compiled and loaded, on concrete arguments; and the same arguments on the interpreter.
#pragma once
#include <variant>

#include "codegen/c/places.h"
#include "codegen/runtime/arrays.h"
#include "codegen/runtime/compile.h"
#include "semantics/kernel/syntax.h"

namespace lockstep {

// The machine lacks something: memory, a compiler.
struct MachineFailure {
  std::string message;
};
using Stop = std::variant<Trap, MachineFailure>;
std::string show(const Stop& stop);

// By the denotation, in the IEEE domain.
tl::expected<Leaves, Stop> interpret(const PhraseProgram& program, const Arguments& arguments);

// Of a device's text and of what runs it.
struct DeviceFacts {
  std::vector<TextPlace> places{};
  std::string before_line{};  // what stands before the number of a line in what a compiler or the device says of it
  std::string device{};       // "NVIDIA H200 (sm_90), driver for CUDA 12.8, kernels by NVRTC 12.8 for sm_90"
};

class Executable {
 public:
  // A library with the entry point of codegen/c/entry.h for this program.
  Executable(kernel::Program program, Type result, CompiledLibrary library, DeviceFacts facts = {});

  // Checks memory, allocates the results and runs.
  tl::expected<Leaves, Stop> run(const Arguments& arguments) const;
  // The same into results that are there, as often as one likes.
  tl::expected<void, Stop> run_into(const Arguments& arguments, const std::vector<void*>& results) const;
  tl::expected<Leaves, Stop> allocate_results(const SizeValues& sizes) const;
  const CompiledLibrary& library() const { return library_; }
  const kernel::Program& program() const { return program_; }
  const std::string& device() const { return facts_.device; }  // "" where it is this machine's processor
  // Runs, and says how long the device was at its kernels, in seconds; nothing where there is no device.
  std::optional<tl::expected<double, Stop>> measured(const Arguments& arguments,
                                                     const std::vector<void*>& results) const;
  // What wrote that array of the results last, where it is known: "kernel_2, line 57 of the text, of dot.dpia:9:14".
  std::string writer_of(std::size_t output) const;

 private:
  std::string why_failed() const;

  kernel::Program program_;
  Type result_;
  CompiledLibrary library_;
  DeviceFacts facts_;
  std::shared_ptr<void> kept_{};  // what a device keeps for it, given back with the last copy
};

// Bytes that the program allocates at most at one time, results not counted; 0 for what depends on data.
std::uint64_t temporary_bytes(const kernel::Program& program, const SizeValues& sizes);

}  // namespace lockstep
