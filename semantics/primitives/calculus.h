// A calculus: the set of primitives that a program may use, handed to whoever needs it. Nothing is global, so a mutant
// is a Calculus with one primitive made wrong, and an extension is one with a primitive more.
#pragma once
#include <map>

#include "semantics/functional/syntax/parse.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

class Calculus {
 public:
  struct Entry {
    PrimitiveRef primitive;
    // Of views and loops: explicit sizes first, then implicit ones and type variables in order of first occurrence.
    TypeScheme scheme;
    std::vector<std::string> sizes;
    std::vector<std::string> types;
    std::vector<SizeFact> needs;  // "where 1 <= k"
  };
  // Adds, or replaces the one of the same name. A type that does not parse is a Bug.
  void add(PrimitiveRef primitive);
  const Entry* find(std::string_view name) const;
  const PrimitiveRef& primitive(std::string_view name) const;  // a Bug where there is none
  const Entry* callable(std::string_view name) const;          // nothing, too, where programs do not write the name
  // The loop of this one's family with that level: mapSeq of map. A Bug where there is none.
  const PrimitiveRef& at_level(const Loop& loop, Level level) const;
  const std::vector<std::string>& names() const { return names_; }  // in the order added

 private:
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> names_;
};

using CalculusRef = std::shared_ptr<const Calculus>;

// Every primitive of languages.md §1.
Calculus standard_calculus();

}  // namespace lockstep
