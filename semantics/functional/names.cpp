// Sizes, parameters and binders of a program.
#include "semantics/functional/names.h"

namespace lockstep {
namespace {

void reserve_binders(const Phrase& p, Names& names) {
  if (const auto* l = as<LambdaPhrase>(p)) names.reserve(l->name);
  if (const auto* l = as<LetPhrase>(p)) names.reserve(l->name);
  for_each_child(p, [&](const PhraseRef& c) { reserve_binders(*c, names); });
}

}  // namespace

Names names_of(const PhraseProgram& program) {
  Names names;
  for (const std::string& s : program.sizes) names.reserve(s);
  for (const auto& [name, type] : program.parameters) names.reserve(name);
  names.reserve(program.output);
  reserve_binders(*program.body, names);
  return names;
}

PhraseProgram with_own_names(PhraseProgram program) {
  Names names;
  for (const std::string& s : program.sizes) names.reserve(s);
  for (const auto& [name, type] : program.parameters) names.reserve(name);
  program.body = refresh(program.body, names);
  return program;
}

}  // namespace lockstep
