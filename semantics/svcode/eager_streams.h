// The instructions of SVCODE as functions of whole streams (the parallel semantics of §5.3.1), without files.
#pragma once
#include "semantics/svcode/program.h"

namespace lockstep::svcode {

// TrapSignal where the program's own check or operator fails; Bug where lengths and flags do not fit. An operator on
// streams of unequal lengths stops at the shortest, and is a `fault`, a bug unless a check traps on what it has given:
// so zip and flagpart find where two descriptors part.
Stream eager_stream(const Instr& i, const std::vector<const Stream*>& arguments, std::string& fault);

inline std::int64_t size_of(const Stream& s) { return static_cast<std::int64_t>(s.size()); }
std::vector<std::int64_t> segment_lengths(const Stream& descriptor);
std::vector<std::string> names_of(const Stream& starts, const Stream& lengths, const Stream& base);

}  // namespace lockstep::svcode
