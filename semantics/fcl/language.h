// FCL as a Language: a program, the definition that is run, at which types and levels, and how it is launched.
#pragma once
#include <map>

#include "semantics/fcl/evaluate.h"
#include "semantics/language/language.h"

namespace lockstep::fcl {

// Of what a definition's type leaves open, and of the levels that it takes.
struct Instance {
  std::map<std::string, Type> types{};
  std::map<std::string, Level> levels{};
  friend bool operator==(const Instance&, const Instance&) = default;
};
struct Entry {
  Inferred program;
  std::string definition;
  Instance instance{};
  Launch launch{};
  friend bool operator==(const Entry& a, const Entry& b) {
    return a.program.program == b.program.program && a.definition == b.definition && a.instance == b.instance &&
           a.launch == b.launch;
  }
};
const Definition& definition_of(const Entry& e);
const Scheme& scheme_of(const Entry& e);

struct FclLanguage : Language {
  std::function<tl::expected<Value, Trap>(const AnyProgram&, std::vector<Value> arguments, const Domain&,
                                          std::uint64_t rounds)>
      meaning{};
};
std::shared_ptr<const FclLanguage> language();

}  // namespace lockstep::fcl
