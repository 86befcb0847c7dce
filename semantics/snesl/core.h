// Core SNESL (§2.2.1, Fig. 2.1 and 2.2): let-inserted, fully typed, functions expanded, sugar gone. What the big-step
// semantics (Fig. 2.3) runs and the translation to SVCODE (Fig. 4.2) reads.
//
//   e ::= x | a | (x1, ..., xk) | x.i | let x = e0 in e1 | φ(x1, ..., xk)
//       | {e0 : x in x0 using x1, ..., xk} | {e0 | x0 using x1, ..., xk}
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "semantics/snesl/type.h"

namespace lockstep::snesl::core {

// φ of Fig. 2.2, grown by the contract's built-ins (languages.md §2). σ is the element type of the (first) argument.
enum class Builtin : unsigned char {
  Scalar,     // ⊕ on atoms: `op`
  Mkseq,      // σ^k -> {σ}; k = 0 takes its element type from the expression's own type
  Empty,      // {σ} -> Bool
  The,        // {σ} -> σ, trap unless one element
  Append,     // ({σ}, {σ}) -> {σ}
  Zip,        // ({σ1}, ..., {σk}) -> {(σ1, ..., σk)}, trap on unequal lengths
  Unzip,      // {(σ1, ..., σk)} -> ({σ1}, ..., {σk})
  Flagpart,   // ({σ}, {Bool}) -> {{σ}}, trap on flags that do not fit
  Sep,        // {(σ, Bool)} -> {{σ}}
  Concat,     // {{σ}} -> {σ}
  TailFlags,  // {σ} -> {Bool}
  Iota,       // Int -> {Int}, trap on a negative number
  Tab,        // {τ} -> [τ]
  Seq,        // [τ] -> {τ}
  Length,     // [τ] -> Int
  SeqLength,  // {σ} -> Int: # of a sequence, one traversal
  Index,      // ([τ], Int) -> τ, trap
  Reduce,     // {π} -> π: `monoid`; Max and Min trap on nothing
  Reduce1,    // {π} -> π: `monoid`, trap on nothing
  Scan,       // {π} -> {π}, exclusive: `monoid`
  ReadFile,   // [Char] -> {Char}, trap
  WriteFile,  // ([Char], {Char}) -> ()
};
std::string_view name_of(Builtin b);  // as in source: "flagpart", "&", "#", "!", "++", ...

struct Expr;
using ExprRef = Ref<Expr>;
struct Var {
  std::string name;
};
struct Literal {
  Atom atom;
};
struct Text {  // "text": a vector of Char
  std::string text;
};
struct Tuple {
  std::vector<std::string> items;
};
struct Project {
  std::string tuple;
  int index;  // from 0
};
struct Let {
  std::string name;
  ExprRef value;
  ExprRef body;
};
struct Apply {
  Builtin builtin;
  OperatorRef op = nullptr;  // of Scalar
  Monoid monoid{};           // of Reduce, Reduce1, Scan
  std::vector<std::string> arguments;
};
struct Using {
  std::string name;
  Type type;
};
struct Comprehension {  // {body : element in sequence using ...}
  ExprRef body;
  std::string element;
  std::string sequence;
  std::vector<Using> variables;  // concrete, each free in body
};
struct Guarded {  // {body | condition using ...}
  ExprRef body;
  std::string condition;
  std::vector<Using> variables;
};
struct Expr {
  std::variant<Var, Literal, Text, Tuple, Project, Let, Apply, Comprehension, Guarded> node;
  Type type;
  Region region;  // where it comes from, for traps and for streamability
};

struct Parameter {
  std::string name;
  Type type;
};
// One entry point, ready to run. Every bound name is bound once in the whole body; bound names that are the user's own
// keep their name before the first "'", fresh ones begin with '_'.
struct Program {
  std::string name;
  std::vector<Parameter> parameters;
  ExprRef body;
};

// Fig. 2.1, read as it stands: what is wrong with a core program, empty where it is well typed. A check of our own
// stages, not of the user's input.
std::string check(const Program& p);
std::string print(const Program& p);

}  // namespace lockstep::snesl::core
