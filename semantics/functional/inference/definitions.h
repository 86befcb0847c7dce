// Definitions that have been checked, for the calls after them.
#pragma once
#include <deque>

#include "semantics/primitives/build.h"

namespace lockstep::inference {

struct Defined {
  std::string name;
  std::vector<std::string> implicit_sizes;
  struct Parameter {
    std::string name;
    std::optional<Type> type;  // nothing: an explicit size
  };
  std::vector<Parameter> parameters;
  Type result;
  std::vector<std::string> type_variables;
  std::vector<SizeFact> facts;
  PhraseRef body;  // without calls, or with some that are still to be expanded
  // What a call that is still to be expanded is a phrase of; its sizes are the implicit ones, then the explicit ones.
  PrimitiveRef call{};
  std::size_t nodes = 0;           // of the body as it stands
  std::size_t expanded_nodes = 0;  // at least, once every call is expanded; as many where there is none
  bool has_calls = false;
  Launch launch{};  // where it is an entry point
};

// All of them, the last one of a name standing for it.
class Definitions {
 public:
  void add(Defined d);
  const Defined* find(const std::string& name) const;
  const Defined* called_by(const Phrase& p) const;  // nothing where p is no call
  const std::deque<Defined>& list() const { return list_; }

 private:
  std::deque<Defined> list_;  // they stay where they are
  std::map<std::string, std::size_t> last_;
  std::map<const Primitive*, std::size_t> of_call_;
};

std::size_t arity_of(const Type& t);  // how many arguments a function takes
std::string type_of(const Defined& d);
std::vector<std::string> sizes_of(const Defined& d);  // implicit, then explicit
// The body with parameters replaced: by atoms, and by functions.
PhraseRef instance_of(const Defined& d, const SizeSubstitution& sizes, const TypeSubstitution& types,
                      const std::vector<PhraseRef>& arguments, Names& names);

}  // namespace lockstep::inference
