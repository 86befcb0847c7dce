// The instructions of SVCODE as functions of whole streams (the parallel semantics of §5.3.1), without files.
#pragma once
#include "semantics/snesl/evaluate.h"
#include "semantics/svcode/program.h"

namespace lockstep::svcode {

// TrapSignal where the program's own check or operator fails; Bug where lengths and flags do not fit. An operator on
// streams of unequal lengths stops at the shortest, and is a `fault`, a bug unless a check traps on what it has given:
// so zip and flagpart find where two descriptors part.
Stream eager_stream(const Instr& i, const std::vector<const Stream*>& arguments, std::string& fault);

Stream fused_stream(const Instr& i, const std::vector<const Stream*>& arguments);  // of networks only
// The general form of a descriptor without empty segments.
Stream general_form(const Stream& short_form);

// Instructions with what they do beside giving a stream.
class EagerEffects {
 public:
  explicit EagerEffects(snesl::Files& files) : files_(&files) {}
  // Of any instruction but an input.
  Stream value(const Instr& i, const std::vector<const Stream*>& arguments);
  void finish();  // writes the files: a trap leaves none; a Bug where operands have differed in length

 private:
  Stream read(const Instr& i, const std::vector<const Stream*>& in);
  Stream write(const Instr& i, const std::vector<const Stream*>& in);
  struct Write {
    const Instr* instr;
    std::string name;
    std::string content;
  };
  snesl::Files* files_;
  std::string fault_;
  std::vector<Write> writes_;
};
// Elements that an instruction reads: of the base of vectors what is read, since another instruction made it.
std::int64_t consumed(const Instr& i, const std::vector<const Stream*>& arguments);

inline std::int64_t size_of(const Stream& s) { return static_cast<std::int64_t>(s.size()); }
std::vector<std::int64_t> segment_lengths(const Stream& descriptor);
std::vector<std::string> names_of(const Stream& starts, const Stream& lengths, const Stream& base);

}  // namespace lockstep::svcode
