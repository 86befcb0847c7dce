// Elementwise instructions of one clock as one function that goes over its streams in blocks of 64.
#pragma once
#include <string>

#include "codegen/dialects/library.h"
#include "codegen/streaming/network.h"

namespace lockstep::engine {

inline std::string str(StreamId s) { return std::to_string(s); }
std::string cell_type(Prim p);               // what Stream<...> is of: Unit, Bit, i64, double, u8
std::string literal(const svcode::Atom& a);  // C++
std::set<LibraryFunction> library_calls(const svcode::Program& p);
std::string cluster_body(const Network& network, const Step& step);

}  // namespace lockstep::engine
