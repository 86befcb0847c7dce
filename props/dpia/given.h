// What a person gives of a program's inputs: values, or kinds of random ones; and which types a kind is of.
#pragma once
#include "codegen/runtime/arrays.h"
#include "props/engine/kinds.h"
#include "semantics/core/phrase.h"

namespace lockstep::props {

// Of one parameter.
struct Given {
  std::optional<Leaves> values{};
  RandomAsked random{};  // of what there are no values
};
// In the order of the parameters; of those beyond its end nothing is given.
using GivenInputs = std::vector<Given>;
inline bool is_drawn(const Given& g) { return !g.values && !g.random.seed; }  // for each input anew
Given given_of(const GivenInputs& given, std::size_t parameter);

// Why a type has no values of a kind: what it would have to be. Nothing where it has.
std::optional<std::string> refused(RandomKind kind, const Type& type);
// Why there are none at these sizes: 300 integers of a byte are not distinct.
std::optional<std::string> refused_at(RandomKind kind, const Type& type, const SizeValues& sizes);
// Kinds of random values that its parameters have: "a=random:spd", the most special ones first, each for the first
// parameter that has it.
std::vector<std::string> kinds_for(const PhraseProgram& program);

// That the dimensions of what is given are those of its parameters.
std::vector<SizeFact> facts_of(const PhraseProgram& program, const GivenInputs& given);

}  // namespace lockstep::props
