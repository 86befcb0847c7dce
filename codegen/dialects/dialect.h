// A dialect of C: how it spells what operators are made of, and short vectors. Data, so that another dialect is another
// value, and a mistake in one can be planted.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/dialects/filled.h"
#include "semantics/core/table.h"
#include "semantics/scalars/definition.h"

namespace lockstep {

// In its texts #0, #1 ... are operands, and letters stand for
//   t  the type that comes out          o  the type of the first operand
//   w  the word of so many bits as t    e  the type of an element in memory      k  the same as .dpia has it: f32
//   v  the vector                       n  its lanes                            l  a lane as a hexadecimal digit
//   b  bytes that hold the vector       a  bytes of an element                   q  what stands before functions
struct Dialect {
  struct Operator {
    std::string_view text;
    int precedence;           // C's: 1 ?: 2 || 3 && 4 | 5 ^ 6 & 7 == 8 < 9 << 10 + 11 * 12 prefixes 13 an atom
    int left = 0, right = 0;  // from which on #0 and #1 stand without parentheses
    bool on_vectors = false;  // on all lanes of vectors too
    int bits = 0;             // it counts in words of so many bits, whatever its operand is of; 0: of the operand's own
  };
  Table<ScalarType, std::string_view, scalar_types.size()> types;
  Table<scalars::Operation, Operator, 24> operators;
  // Of whole numbers that may leave their type, where the dialect leaves open what comes then; else as `operators`.
  struct Wrapping {
    scalars::Operation op;
    Operator on_numbers, on_vectors;
  };
  std::vector<Wrapping> wrapping{};
  // Numbers of fewer bits become ints under an operator, and what comes of it has to be cut to their width.
  int promoted_below = 32;

  std::string_view cast = "#t(#0)";        // of an expression, as an atom
  std::string_view large = "#t(#0u)";      // a number without a sign that is no int
  std::string_view lane_number = "#0";     // a whole number beside vectors of t
  bool whole_floats_as_ints = true;        // 1 for 1.0f beside floats, which C converts
  std::string_view number_suffix = "f";    // of an f32
  std::string_view function_suffix = "f";  // of a library's function where it is on f32
  std::string_view nan_narrow, nan_wide, infinity_narrow, infinity_wide;
  std::string_view double_bits;         // of a number as a double, an int64_t
  std::string_view unroll;              // before a loop of #0 rounds
  std::string_view effect{};            // in a loop that may be taken to end where it has none
  bool functions_are_built_in = false;  // on whole vectors too; they need no declaration

  // Short vectors. A function that a text here calls has its own text.
  struct Vectors {
    std::string_view type, declared;                    // its name; what stands before the text
    std::string_view load, store, stream, splat, made;  // #0 the address, #1 what is stored; #0 a lane; #0 all lanes
    std::string_view shuffled{};                        // of #0's lanes and then #1's those with the numbers #2
    std::string_view lane, any_lane;                    // of the vector #0, by a number and by #1
    std::string_view streams;                           // what a text with `stream` declares
    // The text of the function that is called so, and is one a type of vector; "" where there is none.
    std::string (*function)(std::string_view called, std::string_view vector, std::string_view element, int lanes);
    // r[l] = ... in a loop, the whole then behind `bools` where its lanes are: "r & 1". Else r.s0 = ... one by one.
    bool in_a_loop = true;
    std::string_view bools = "r";
  };
  Vectors vectors{};

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
    // Also in the text, for many numbers at once: the function of numbers that need no care, and an int64_t that is
    // negative where a number needs it.
    std::string_view careless{}, beyond{};
  };
  std::vector<Written> written{};
  // On whole vectors, of library functions that would else be called lane by lane.
  std::map<std::string, scalars::Definition (*)(ScalarType)> on_vectors{};
};

// C++ with GCC's vectors, for g++ and clang++; the functions are SLEEF's, as the interpreters call them.
const Dialect& cpp_dialect();
// The same for HIP's compiler: the functions are the device's own.
const Dialect& hip_dialect();
// OpenCL C 1.2: the functions, on vectors too, are the device's own.
const Dialect& opencl_dialect();

// In memory, where a bool is a byte.
std::string_view memory_type(const Dialect& dialect, ScalarType t);
std::string vector_type(const Dialect& dialect, ScalarType t, int lanes);  // of bools, bytes
ScalarType word_type(ScalarType t);                                        // without a sign, of as many bits

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
                             const std::vector<std::string>& arguments, int lanes, const NameOnVectors& name = {});

}  // namespace lockstep
