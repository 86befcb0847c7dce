// Types of FCL: Hindley-Milner over types and levels (Dybdal et al., §5.1, rules (1) to (30) as fcl.md amends them).
#pragma once
#include <map>

#include "semantics/core/launch.h"
#include "semantics/fcl/syntax.h"

namespace lockstep::fcl {

// ∀ types and levels. type: what a definition has for all of them.
struct Scheme {
  struct Open {
    std::string name;
    Kind kind = Kind::Any;
  };
  std::vector<Open> types;
  std::vector<std::string> levels;
  Type type;
};
std::string show(const Scheme& s);  // the type, and behind it the kinds of what has not every type

struct Inferred {
  Program program;              // with types noted; levels that a `sig` alone names stand among the parameters
  std::vector<Scheme> schemes;  // of its definitions
};
// Rules as the paper prints them, for the terms that refute them.
struct PrintedTypes {
  bool formation = false;    // (8): in an array stands anything
  bool heights = false;      // (11): the level of an array is not looked at
  bool instances = false;    // (14): a variable is of any kind
  bool environment = false;  // (25): what is open around is generalised too
  bool one_type = false;     // (25): what is bound has the type of the body
  bool one_level = false;    // (27), (29): the only level that is applied is that of the judgement
  bool any_result = false;   // (30): what a level is given to has any type
  std::map<std::string, std::string, std::less<>> built_ins{};  // Fig. 3: types in the place of their own, by name
};
// Of a program behind others, whose definitions it sees. `#name` in a term is the built-in (step.h).
Checked<Inferred> infer(const Program& program, const std::vector<const Inferred*>& before,
                        const PrintedTypes& printed = {});

// #BlockSize and #WarpSize as the definition has them.
Launch launch_of(const Definition& d);

}  // namespace lockstep::fcl
