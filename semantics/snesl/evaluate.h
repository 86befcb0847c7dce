// The big-step semantics of core SNESL with its five-part cost (Fig. 2.3), and μNESL's work and depth (Fig. 1.4).
#pragma once
#include <map>
#include <stdexcept>

#include "semantics/snesl/core.h"
#include "semantics/snesl/value.h"

namespace lockstep::snesl {

// ω = (W, D; M, N; L).
struct Cost {
  std::int64_t work = 0;       // W
  std::int64_t depth = 0;      // D
  std::int64_t scalable = 0;   // M
  std::int64_t vectorial = 0;  // N
  std::int64_t parallel = 0;   // L
};
struct Evaluation {
  Value value;
  Cost cost;
};
// Files as read_file and write_file see them. A missing file is a TrapSignal of read; write collects.
class Files {
 public:
  virtual ~Files() = default;
  virtual std::string read(const std::string& name, const Region& region) = 0;  // whole
  virtual void write(const std::string& name, std::string content, const Region& region) = 0;
  // After a run that did not trap, by whoever gave the files: what was written appears.
  virtual void finish() {}
};
// The machine's fault, not the program's: a file that cannot be written (exit status 4).
class FileFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// What can be read only once in a run, for what it gives is gone then: standard input, pipes, sockets, the terminal.
// The same text for the same one, nothing for a file.
std::optional<std::string> read_once(const std::string& name);
// What is wrong where it is read again: "standard input is read twice".
std::string read_twice(const std::string& name);
// Standard output, "-", or a pipe or device, which takes bytes as they come.
bool is_stream(const std::string& name);
// What a run has written: of a file the last, whatever it was called; of standard output, a pipe or a device ("-",
// /dev/stderr) one after another.
class WrittenFiles {
 public:
  void write(const std::string& name, std::string content);
  std::map<std::string, std::string> take();  // by name, a file's last
 private:
  std::map<std::string, std::string> contents_, names_;  // names_: by place
};
// The same for all names of one file, there or not: out, ./out, a link to it.
std::string place_of_file(const std::string& name);

// Files of the machine; "-" is standard input and standard output. Written files appear in `finish`, all of
// them whole or none, a later one instead of an earlier of the same file; what goes to pipes and devices comes after.
// `finish` throws FileFailure.
std::unique_ptr<Files> machine_files();

// Of the arguments' Reals as they are. Beside the IEEE domain: the exact value of every Real, and with the bounded
// domain how far any order of the same operations, each rounded, can be from it; an UndecidedSignal where rounding
// decides which way the program goes.
tl::expected<Evaluation, Trap> evaluate(const core::Program& p, const Values& arguments, Files& files,
                                        const Domain& domain = ieee_domain());

// Every trap that a run may report, whatever order it takes: those of the operations that are reached where one that
// traps gives nothing, and what needs its value gives nothing either. None where the program gives a result.
struct MayTrap {
  std::vector<Trap> traps;
  // Where lengths do not fit (`zip`, `flagpart`, `the`, an element that is no atom of what has none): what comes after
  // may go on with what there is until the end is known, and trap by that.
  bool lengths = false;
  // Then: the program's operations that can trap, primitive and place, without a message.
  std::vector<Trap> places{};
};
MayTrap traps_of(const core::Program& p, const Values& arguments, Files& files);

// μNESL's (W, D), all sequences read as vectors (Fig. 1.4): none where the program uses files.
struct NeslCost {
  std::int64_t work = 0;
  std::int64_t depth = 0;
};
tl::expected<std::optional<NeslCost>, Trap> nesl_cost(const core::Program& p, const Values& arguments, Files& files);

}  // namespace lockstep::snesl
