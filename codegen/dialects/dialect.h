// A dialect of C: how it spells what operators are made of. Data, so that another dialect is another value, and a
// mistake in one can be planted.
#pragma once
#include <functional>
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
  // Numbers of fewer bits become ints under an operator, and what comes of it has to be cut to their width.
  int promoted_below = 32;
  // The functions of floats that are not rounded correctly: of so many numbers at once, where the compiler defines the
  // macro, called `before` its name `after`. Without rows they are the C library's, lane by lane.
  struct Lanes {
    ScalarType type;
    int lanes;
    std::string_view before, after, macro;
    // The letters of the vector ABI by which g++ asks for it where it makes vectors of a loop: x86's b SSE2, c AVX, d
    // AVX2, e AVX-512.
    std::string_view letters{};
  };
  std::vector<Lanes> library{};
  // A function of numbers of the type that the program brings with it, in the place of the library's.
  struct Written {
    std::string_view function;
    ScalarType type;
    std::string_view name, text;
  };
  std::vector<Written> written{};
  // On whole vectors, of library functions that would else be called lane by lane.
  std::map<std::string, scalars::Definition (*)(ScalarType)> on_vectors{};
};

// C++ with GCC's vectors, for g++ and clang++; the functions are SLEEF's, as the interpreters call them.
const Dialect& cpp_dialect();
// The same for HIP's compiler: the functions are the device's own.
const Dialect& hip_dialect();

// A library's function that a text calls: "expf", of floats, with one argument, of so many at once where the compiler
// defines the macro.
struct LibraryFunction {
  std::string name, type;
  std::size_t arity;
  int lanes = 1;
  std::string macro{};
  std::string of{};    // what it is in C, where it is of a library that a program has to be linked with
  std::string text{};  // where the program brings it with it
  friend auto operator<=>(const LibraryFunction&, const LibraryFunction&) = default;
};

// A definition over arguments that are atoms.
struct Spelled {
  std::string text;
  bool atom = false;
  std::vector<LibraryFunction> calls{};
};
Spelled spell(const Dialect& dialect, const scalars::Definition& d, const std::vector<std::string>& arguments);
// On whole vectors, whose operators work on all lanes at once; empty where the definition has one that does not. The
// name of a library's function on such vectors is asked for, "" where there is none.
using NameOnVectors = std::function<std::string(const scalars::Definition::Library&, ScalarType)>;
std::string spell_on_vectors(const Dialect& dialect, const scalars::Definition& d,
                             const std::vector<std::string>& arguments, const NameOnVectors& name = {});

}  // namespace lockstep
