// The instructions of SVCODE as functions of whole streams (the parallel semantics of §5.3.1).
#pragma once
#include "semantics/snesl/evaluate.h"
#include "semantics/svcode/opcode_row.h"
#include "semantics/svcode/rows.h"

namespace lockstep::svcode {

using Arguments = std::vector<const Stream*>;

// What a program meets beside its streams.
struct Environment {
  const std::vector<Stream>& inputs;
  snesl::Files& files;
  struct Write {
    const Instr* instr;
    std::string name;
    std::string content;
  };
  std::vector<Write> writes;  // done at the end: a trap leaves no file
  std::string fault;
  Rows rows = {};
};
// An instruction with its arguments. TrapSignal where the program's own check or operator fails; Bug where lengths and
// flags do not fit. An operator on streams of unequal lengths stops at the shortest, and is a `fault`, a bug unless a
// check traps on what it has given: so zip and flagpart find where two descriptors part.
struct Eager {
  const Instr& i;
  const Arguments& in;
  Environment& around;
  const Stream& operator[](std::size_t k) const { return *in.at(k); }
};

inline std::int64_t size_of(const Stream& s) { return static_cast<std::int64_t>(s.size()); }
std::vector<std::int64_t> segment_lengths(const Stream& descriptor);
// The general form of a descriptor without empty segments.
Stream general_form(const Stream& short_form);
std::vector<std::string> names_of(const Stream& starts, const Stream& lengths, const Stream& base);
// Elements that an instruction reads: of the base of vectors what is read, since another instruction made it.
std::int64_t consumed(const Instr& i, const Arguments& in, Rows rows = {});
// What is to be done when a program is through: its files, which a trap leaves out. A Bug where there is a fault.
void finish(Environment& around);
// What a law says of these arguments.
std::int64_t number_of(const Law& law, const Instr& i, const Arguments& in);

namespace eager {
Stream ctrl(const Eager& e);
Stream input(const Eager& e);
Stream rep(const Eager& e);
Stream constant(const Eager& e);
Stream map(const Eager& e);
Stream usum(const Eager& e);
Stream pdist(const Eager& e);
Stream pack(const Eager& e);
Stream upack(const Eager& e);
Stream b2u(const Eager& e);
Stream unpack(const Eager& e);
Stream to_flags(const Eager& e);
Stream lens(const Eager& e);
Stream short_form(const Eager& e);
Stream ends(const Eager& e);
Stream cons(const Eager& e);
Stream segscan(const Eager& e);
Stream segreduce(const Eager& e);
Stream iotas(const Eager& e);
Stream usegsum(const Eager& e);
Stream uempty(const Eager& e);
Stream pmerge(const Eager& e);
Stream umerge(const Eager& e);
Stream uappend(const Eager& e);
Stream segmerge(const Eager& e);
Stream usegmerge(const Eager& e);
Stream segtab(const Eager& e);
Stream gather(const Eager& e);
Stream check(const Eager& e);
Stream read_file(const Eager& e);
Stream write_file(const Eager& e);
Stream range(const Eager& e);
Stream terminated(const Eager& e);
Stream reduce(const Eager& e);
Stream scan(const Eager& e);
Stream read_whole(const Eager& e);
Stream usegsum_b2u(const Eager& e);
Stream ends_among(const Eager& e);
Stream segcount(const Eager& e);
Stream count_true(const Eager& e);
Stream count_compare(const Eager& e);
Stream last_flag(const Eager& e);
Stream terminated_count(const Eager& e);
Stream ended(const Eager& e);
Stream all_of(const Eager& e);
}  // namespace eager

}  // namespace lockstep::svcode
