// Kernel expressions as C++ text, shared by the targets that print C++: names made legal and unique, literals, short
// vectors as GCC's vector types, and the small functions that the text needs. What is used is remembered, so that a
// source file declares no more.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/dialects/dialect.h"
#include "semantics/kernel/syntax.h"

namespace lockstep {

// What a program's own name becomes: its letters and digits, words of them joined by one underscore, and an underscore
// at the end: class -> class_, x' -> x_p_, _A -> v_A_. No keyword, macro, builtin or function of a library starts with
// a letter and ends so, nor does anything that the generated text names itself; so no list says which names are taken.
std::string c_identifier(const std::string& name);
// Text in quotes, escaped.
std::string c_string(const std::string& text);
// Of a scalar in a variable, and in memory, where a bool is a byte.
std::string_view c_type(ScalarType t);
std::string_view c_memory_type(ScalarType t);

// Whether a store goes past the caches: of a short vector whose lanes fill the memory that it lies in. Three lanes are
// held in four, and the fourth would overwrite the neighbour.
bool is_nontemporal(const kernel::Store& s);

class CText {
 public:
  explicit CText(const Dialect& dialect = cpp_dialect()) : dialect_(dialect) {}
  // ---- names. A name is unique among those in scope; variables and buffers are two kinds of names.
  std::size_t mark() const { return scope_.size(); }
  void release(std::size_t mark);
  std::string declare_variable(const std::string& name);
  std::string declare_buffer(const std::string& name);
  std::string declare_value(const std::string& name);  // of a buffer of one scalar, that is held in a variable
  std::string fresh(const std::string& base);          // a name that no phrase has, until released
  void bind_variable(const std::string& name, const std::string& text);  // printed as `text`, an atom
  std::string variable(const std::string& name) const;
  std::string buffer(const std::string& name) const;

  // ---- text
  std::string type(kernel::KType t);
  std::string expression(const kernel::Expr& e);  // as a whole: no parentheses around it
  std::string operand(const kernel::Expr& e);     // as an atom
  std::string store(const kernel::Store& s);      // a statement
  // Of a check's value: an int64_t, a float's bits as those of a double.
  std::string trap_value(const kernel::Expr& e);

  // Declarations of what the text above uses; `qualifiers` stand before each function ("static inline").
  std::string declarations(const std::string& qualifiers) const;
  void declare_what(const CText& other);  // as well
  bool streams() const { return streams_; }
  const Dialect& dialect() const { return dialect_; }
  const std::set<LibraryFunction>& calls() const { return calls_; }  // of the library, by the text above

 private:
  enum class Kind { Variable, Buffer, Value };
  struct Name {
    Kind kind;
    std::string name, text;
  };
  struct Printed {
    std::string text;
    int precedence;
  };
  std::string declare(Kind kind, const std::string& name, const std::string& wish);
  const Name& look_up(bool buffer, const std::string& name) const;
  Printed print(const kernel::Expr& e);
  Printed application(const kernel::Apply& a, kernel::KType result);
  std::string lane_text(const kernel::Expr& e);
  Spelled spelled(const scalars::Definition& d, const std::vector<std::string>& arguments);
  std::string spelled_on_vectors(const scalars::Definition& d, const std::vector<std::string>& arguments, int width);
  // A call of a function that has the operator's text, lane by lane where it is of vectors and has to be.
  std::string function_of(const kernel::Apply& a, kernel::KType result, const scalars::Definition& d,
                          const std::vector<std::string>& arguments);
  std::string at(const kernel::Expr& e, int least);
  std::string address(const std::string& buffer, const kernel::Expr& index);
  std::string vector_name(ScalarType t, int width);
  std::string memory_function(const std::string& verb, ScalarType t, int width);

  std::vector<Name> scope_;
  std::map<std::string, std::string> types_;              // by name: the typedefs
  std::map<std::string, std::string> functions_;          // by name: after the qualifiers
  std::map<std::string, std::string> library_functions_;  // the same of a library's functions on vectors
  const Dialect& dialect_;
  std::set<LibraryFunction> calls_;
  bool streams_ = false;
};

}  // namespace lockstep
