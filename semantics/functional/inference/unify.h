// Unknowns of inference and their solution. A type unknown is a TypeVariable "?k", a size unknown a name "?k".
#pragma once
#include <utility>

#include "semantics/core/diagnostic.h"
#include "semantics/core/type.h"

namespace lockstep {

struct SizeEquation {  // what must still hold once everything is solved
  Size left, right;
  Region region;
  std::string origin;
  std::size_t unification = 0;  // what it is part of
};

class Unifier {
 public:
  Type fresh_type(const Region& region, std::string what);
  Size fresh_size(const Region& region, std::string what);

  Type shallow(const Type& t) const;  // no solved unknown at the top
  // An unknown that is a literal's type: a number, whatever else it is.
  void mark_number(const Type& unknown);
  bool is_number(const Type& unknown) const;
  // The unknown types that got another answer to `shallow` or `is_number` since this was asked last.
  std::vector<std::string> take_changed() { return std::exchange(changed_, {}); }
  Type deep(const Type& t) const;
  Size size(const Size& s) const;
  static bool is_unknown(const Type& t);
  static bool has_unknown(const Size& s);

  // False where the shapes differ; sizes become equations, solved at once where one unknown is linear.
  bool unify(const Type& a, const Type& b, const Region& region, const std::string& origin);
  void equate(const Size& a, const Size& b, const Region& region, const std::string& origin);
  // Tries the equations that are left; true where one was solved.
  bool solve();

  const std::vector<SizeEquation>& equations() const { return equations_; }
  std::size_t unification = 0;  // of the equations that come next
  std::size_t pending() const { return equations_.size() + waiting_.size(); }
  // Unknowns still open: name, where they arose, what they are.
  struct Open {
    Region region;
    std::string what;
  };
  std::vector<Open> open_types() const;
  std::vector<Open> open_sizes() const;

  // What a size unknown was solved from, or nothing.
  const SizeEquation* solved_from(const std::string& size_unknown) const;
  const Region& region_of(const std::string& size_unknown) const;
  const std::string& what_of(const std::string& size_unknown) const;

  SizeSubstitution size_solution() const;
  TypeSubstitution type_solution() const;

 private:
  bool solve_one(SizeEquation& e);
  bool bind(const Type& unknown, const Type& value);
  std::size_t root(std::size_t k) const;

  struct Unknown {
    std::string name;
    Region region;
    std::string what;
  };
  struct UnknownType : Unknown {
    std::optional<Type> is{};         // its solution, which is no unknown
    mutable std::size_t same_as = 0;  // an older unknown that it equals, or itself
    bool number = false;
  };
  std::vector<UnknownType> types_;
  std::vector<Unknown> sizes_;
  std::vector<std::string> changed_;
  SizeSubstitution size_of_;
  std::map<std::string, SizeEquation> solved_from_;
  std::vector<SizeEquation> equations_;
  std::vector<SizeEquation> waiting_;
};

}  // namespace lockstep
