// Kernel expressions as text in a dialect of C, shared by the targets that print one: short vectors as the dialect has
// them, and the small functions that the text needs. What is used is remembered, so that a source file declares no
// more.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/c/names.h"
#include "codegen/dialects/dialect.h"
#include "semantics/kernel/syntax.h"

namespace lockstep {

// Whether a store goes past the caches: of a short vector whose lanes fill the memory that it lies in. Three lanes are
// held in four, and the fourth would overwrite the neighbour.
bool is_nontemporal(const kernel::Store& s);

class CText : public CNames {
 public:
  explicit CText(const Dialect& dialect = cpp_dialect()) : dialect_(dialect) {}

  // Of loops' variables and sizes, where it is not the dialect's for i64; what is data stays that.
  void narrow_indices(std::string type) { narrow_ = std::move(type); }
  std::string index_type() const { return narrow_.empty() ? std::string(dialect_.types[ScalarType::I64]) : narrow_; }

  std::string type(kernel::KType t);
  std::string memory_type(ScalarType t) const { return std::string(lockstep::memory_type(dialect_, t)); }
  std::string expression(const kernel::Expr& e);  // as a whole: no parentheses around it
  std::string operand(const kernel::Expr& e);     // as an atom
  std::string store(const kernel::Store& s);      // a statement
  // The same of a value into an array that the text itself has a name for.
  std::string store_into(const std::string& array, const kernel::Expr& index, const kernel::Expr& value,
                         bool nontemporal);
  // Of a check's value: an int64_t, a float's bits as those of a double.
  std::string trap_value(const kernel::Expr& e);

  // Whether a choice of floats by one of two conditions, as the greater, is written without branches, as is best where
  // a loop goes on from what it chose and nobody can tell what that is. False: vectors have none, and a maximum so far
  // seldom changes. Gives what it was.
  bool name_choices(bool named) { return std::exchange(names_choices_, named); }

  // Declarations of what the text above uses; `qualifiers` stand before each function ("static inline").
  std::string declarations(const std::string& qualifiers) const;
  void declare_what(const CText& other);  // as well
  bool streams() const { return streams_; }
  void use_streams() { streams_ = true; }  // that their functions are declared
  const Dialect& dialect() const { return dialect_; }
  const std::set<LibraryFunction>& calls() const { return calls_; }  // of the library, by the text above

 private:
  struct Printed {
    std::string text;
    int precedence;
  };
  Printed print(const kernel::Expr& e);
  Printed application(const kernel::Apply& a, kernel::KType result);
  std::string lane_text(const kernel::Expr& e);
  std::string shuffled(const kernel::Build& b, kernel::KType type);
  Spelled spelled(const scalars::Definition& d, const std::vector<std::string>& arguments);
  std::string spelled_on_vectors(const scalars::Definition& d, const std::vector<std::string>& arguments, int width);
  // A call of a function that has the operator's text, lane by lane where it is of vectors and has to be.
  std::string function_of(const kernel::Apply& a, kernel::KType result, const scalars::Definition& d,
                          const std::vector<std::string>& arguments);
  std::string at(const kernel::Expr& e, int least);
  std::string address(const std::string& buffer, const kernel::Expr& index);
  std::string vector_name(ScalarType t, int width);
  // A text of the dialect's vectors, of so many lanes of a scalar, with the function that it calls, where it has one.
  std::string on_vectors(std::string_view text, std::string_view called, ScalarType t, int width,
                         const std::vector<std::string>& operands);
  std::string lane_of(const kernel::Lane& l);
  std::string argument(const kernel::Expr& e);
  std::string lane_by_lane(const scalars::Definition& d, const std::vector<std::string>& vectors, kernel::KType result,
                           int width);
  std::string cast(std::string_view to, const std::string& x) const;

  std::map<std::string, std::string> types_;              // by name: the typedefs
  std::map<std::string, std::string> functions_;          // by name: after the qualifiers
  std::map<std::string, std::string> library_functions_;  // the same of a library's functions on vectors
  const Dialect& dialect_;
  std::set<LibraryFunction> calls_;
  bool streams_ = false, names_choices_ = false;
  std::string narrow_;
};

}  // namespace lockstep
