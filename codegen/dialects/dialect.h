// A dialect of C: how it spells what operators are made of. Data, so that another dialect is another value, and a
// mistake in one can be planted.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/core/table.h"
#include "semantics/scalars/definition.h"

namespace lockstep {

struct Dialect {
  struct Operator {
    std::string_view symbol;  // of precedence 13: a function's name
    int precedence;           // C's: 1 ?: 2 || 3 && 4 | 5 ^ 6 & 7 == 8 < 9 << 10 + 11 * 12 prefixes 13 an atom
  };
  Table<ScalarType, std::string_view, scalar_types.size()> types;
  Table<scalars::Operation, Operator, 24> operators;
  std::string_view float_suffix;  // of a library's function where it is on f32
  std::string (*library_name)(const std::string& name, ScalarType t) = nullptr;  // instead, where there is one
  // Numbers of fewer bits become ints under an operator, and what comes of it has to be cut to their width.
  int promoted_below = 32;
  // On whole vectors, of library functions that would else be called lane by lane.
  std::map<std::string, scalars::Definition (*)(ScalarType)> on_vectors{};
};

// C++ with GCC's vectors: g++, clang++, and HIP's compiler.
const Dialect& cpp_dialect();

// A library's function that a text calls: "expf", of floats, with one argument.
struct LibraryFunction {
  std::string name, type;
  std::size_t arity;
  std::string of{};  // the C library's name for doubles
  friend auto operator<=>(const LibraryFunction&, const LibraryFunction&) = default;
};

// A definition over arguments that are atoms.
struct Spelled {
  std::string text;
  bool atom = false;
  std::vector<LibraryFunction> calls{};
};
Spelled spell(const Dialect& dialect, const scalars::Definition& d, const std::vector<std::string>& arguments);
// On whole vectors, whose operators work on all lanes at once; empty where the definition has one that does not.
std::string spell_on_vectors(const Dialect& dialect, const scalars::Definition& d,
                             const std::vector<std::string>& arguments);

}  // namespace lockstep
