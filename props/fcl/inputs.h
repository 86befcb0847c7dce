// Arguments on which programs of FCL are tested.
#pragma once
#include "props/dpia/lowered.h"
#include "props/fcl/leaves.h"
#include "semantics/fcl/language.h"

namespace lockstep::props::fcl {

// What a definition takes and gives at an instance: no level, nothing open.
struct Signature {
  struct Parameter {
    std::string name;
    language::Type type;
  };
  std::vector<Parameter> parameters;
  language::Type result;
};
using Arguments = std::vector<Leaves>;  // of each parameter
struct Input {
  Arguments arguments;
  std::string text{};
  LeafOutcome expected{};  // of the source
  std::uint64_t seed = 0;
};

// What a program of that signature gives; `rounds` of `while` at most, 0 for no limit.
LeafOutcome outcome(const AnyProgram& p, const Signature& s, const Arguments& arguments, std::uint64_t rounds);
bool is_endless(const LeafOutcome& o);  // it took more rounds than that
std::string shown(const LeafOutcome& o, const Signature& s);
std::string shown_arguments(const Signature& s, const Arguments& arguments);  // "n=2 xs=[1, 2]"

// Arrays are short or a few blocks long, but no longer than that, most of them as long as each other; ints are often a
// length, or what divides it. `given` stay.
Arguments random_arguments(const Signature& s, const std::vector<std::optional<Leaves>>& given, const Launch& launch,
                           std::int64_t longest, std::uint64_t seed);

struct InputsAsked {
  std::vector<std::optional<Leaves>> given;  // of each parameter
  std::size_t inputs = 12;
  std::uint64_t seed = 1;
  std::uint64_t rounds = 0;  // limit
};
// Most of them such as `lowered` is made for, where the program was taken to the calculus. What they are is told in
// `tried`.
std::vector<Input> drawn_inputs(const AnyProgram& source, const Signature& s, const InCalculus* lowered,
                                const InputsAsked& asked, Tried& tried);

}  // namespace lockstep::props::fcl
