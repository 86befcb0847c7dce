// Types (Fig. 2.1, 2.2), expansion of functions, and desugaring of surface programs into the core (§2.2.1).
#pragma once
#include <map>
#include <memory>
#include <unordered_map>

#include "semantics/snesl/core.h"
#include "semantics/snesl/syntax.h"

namespace lockstep::snesl {
namespace elaboration {
struct Inferred;
}

// The type of a function of the program where it can be an entry point: each parameter's type where only one fits,
// otherwise what is known of it.
//
// A type that nothing determines: where it may be any type at all, no value has it (it is that of the elements of what
// is always empty, as in #{}), and it is taken for Int. Where it is one of several prims, as in sum({}), the choice
// would show in the result and is an error. What a parameter leaves open is given with its value; in a value given, an
// Int fits a Real.
struct EntryPoint {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<std::string> types;  // as shown to a user: "[Char]", "Int", "{a}" with a, b, ... for what is open
  std::string result;
  bool closed = false;  // nothing is open
  // What nothing is given for may be taken for, by the letters of `types`: Int where it fits, a tuple where components
  // are asked for, a vector where elements are counted.
  std::map<std::string, Type> examples{};
  // Operations: as written, and its calls expanded (at most a thousand million).
  std::int64_t written = 0, expanded = 0;
};

// A program whose functions all have types, of which any number of entry points can be taken.
class TypedProgram {
 public:
  // Checks every function: each on its own, for all its uses, and each call of it anew. Recursion, unknown names, wrong
  // types are all reported together.
  static Checked<TypedProgram> of(const surface::Program& p);

  std::vector<EntryPoint> entry_points() const;
  // The entry point `function` (none: the last) with the parameter types given by name for those that are open; an open
  // type that is not given, or one that does not fit, is a diagnostic.
  Checked<core::Program> elaborate(const std::string& function, const std::map<std::string, Type>& given) const;
  // Whether the types given fit, and leave nothing open: what elaborate may refuse then is the size of the expansion.
  bool fits(const std::string& function, const std::map<std::string, Type>& given) const;

 private:
  struct Instance {
    int function;
    std::unordered_map<int, Type> types;
  };
  Checked<Instance> instance(const std::string& function, const std::map<std::string, Type>& given) const;
  SourceRef source_;
  std::shared_ptr<const std::vector<elaboration::Inferred>> functions_;
  std::unordered_map<std::string, int> index_;
};

// Of one entry point alone.
Checked<std::vector<EntryPoint>> check(const surface::Program& p);
Checked<core::Program> elaborate(const surface::Program& p, const std::string& function,
                                 const std::map<std::string, Type>& given);

}  // namespace lockstep::snesl
