// The kernel language: small, C-like, with memory spaces, blocks, threads and barriers. What the translation's last
// stage (Fig. 6) makes and the targets print. Tuples are gone: a buffer holds the scalars of one leaf, row-major.
// e: expression, s: statement. Index arithmetic is on i64, or narrower where that is said; division and remainder there
// have natural operands.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "semantics/core/diagnostic.h"
#include "semantics/core/launch.h"
#include "semantics/core/number.h"
#include "semantics/core/phrase.h"
#include "semantics/core/ref.h"

namespace lockstep::kernel {

struct KType {
  ScalarType scalar = ScalarType::I64;
  int width = 1;  // lanes
  friend bool operator==(const KType&, const KType&) = default;
};

struct Expr;
using ExprRef = Ref<Expr>;
struct Const {
  Scalar value;        // IEEE
  std::string digits;  // of a float literal, so that every number domain reads its own; empty otherwise
  friend bool operator==(const Const& a, const Const& b) {
    return a.value.type == b.value.type && a.value.bits == b.value.bits && a.digits == b.digits;
  }
};
struct Var {  // a declared variable, a loop variable, or a size
  std::string name;
  friend bool operator==(const Var&, const Var&) = default;
};
enum class ArithOp { Add, Subtract, Multiply, Divide, Modulo, Less, LessEqual, Equal, And };
struct Arith {  // on i64; the last four give bool (And on bools, both evaluated)
  ArithOp op;
  ExprRef left;
  ExprRef right;
  friend bool operator==(const Arith&, const Arith&) = default;
};
struct Load {  // one scalar; index counts scalars, also in buffers of short vectors
  std::string buffer;
  ExprRef index;
  friend bool operator==(const Load&, const Load&) = default;
};
struct VectorLoad {  // `width` consecutive scalars from index on
  std::string buffer;
  int width;
  ExprRef index;
  friend bool operator==(const VectorLoad&, const VectorLoad&) = default;
};
struct Apply {  // a scalar operator (semantics/primitives), element by element on vectors
  std::shared_ptr<const Primitive> primitive;
  KType operand;  // type of the arguments
  std::vector<ExprRef> arguments;
  friend bool operator==(const Apply& a, const Apply& b);  // the primitives by their names
};
struct Choose {  // condition ? then : otherwise; only what is needed is evaluated. The condition is a bool
  ExprRef condition;
  ExprRef then;
  ExprRef otherwise;
  friend bool operator==(const Choose&, const Choose&) = default;
};
struct Lane {
  ExprRef vector;
  ExprRef lane;
  friend bool operator==(const Lane&, const Lane&) = default;
};
struct Build {  // a short vector from its lanes
  std::vector<ExprRef> lanes;
  friend bool operator==(const Build&, const Build&) = default;
};
struct Splat {
  int width;
  ExprRef scalar;
  friend bool operator==(const Splat&, const Splat&) = default;
};
struct Expr {
  KType type;
  std::variant<Const, Var, Arith, Load, VectorLoad, Apply, Choose, Lane, Build, Splat> node;
  Region region{};  // of a load: the source expression that reads it; in text that is parsed, of index arithmetic too
  friend bool operator==(const Expr&, const Expr&) = default;
};

struct Stmt;
using StmtRef = Ref<Stmt>;
struct Block {  // a scope
  std::vector<Stmt> statements;
  friend bool operator==(const Block&, const Block&) = default;
};
struct Declare {  // a local variable, to the end of its block; uninitialised without init
  std::string name;
  KType type;
  std::optional<Expr> init;
  friend bool operator==(const Declare&, const Declare&) = default;
};
struct Assign {
  std::string name;
  Expr value;
  friend bool operator==(const Assign&, const Assign&) = default;
};
struct Store {  // value may be a short vector: then its lanes go to index, index+1, ...
  std::string buffer;
  Expr index;
  Expr value;
  bool nontemporal = false;  // past the caches where the target can
  friend bool operator==(const Store&, const Store&) = default;
};
// buffer[index] becomes the operator's value on `value` and what was there, in one step: no other access comes between.
// The operator is one whose updates may come in any order, exactly (scalars::why_ordered).
struct Atomic {
  std::string buffer;
  Expr index;
  std::shared_ptr<const Primitive> primitive;
  Expr value;
  friend bool operator==(const Atomic& a, const Atomic& b);  // the primitives by their names
};
struct For {  // name from 0 below extent
  std::string name;
  Expr extent;
  StmtRef body;
  bool unroll = false;
  friend bool operator==(const For&, const For&) = default;
};
struct Allocate {  // an uninitialised buffer, to the end of its block
  std::string name;
  KType type;  // of an element; a buffer of short vectors has width > 1
  Expr count;  // in scalars
  Space space = Space::Global;
  // Of a block's array whose count is known at launch: the byte of the block's memory where it begins, over the
  // program's sizes. Nothing: where the target puts it.
  std::optional<Expr> at{};
  friend bool operator==(const Allocate&, const Allocate&) = default;
};
// Level Par, Global, Workgroup, Warp or Local. Each worker has its own copy of the scratch buffers, uninitialised at
// the start of each iteration. A Warp loop inside a Workgroup loop is over the block's warps; a Local loop is over the
// lanes of the warp where it stands in a Warp loop, and over the block's threads where it does not.
// With `units`: unit u of as many runs the iterations u, u + units, ... one after the other, with one copy of the
// scratch buffers for all of them, uninitialised before the first.
struct ParallelFor {
  Level level;
  std::string name;
  Expr extent;
  std::vector<Allocate> scratch;
  StmtRef body;
  std::optional<Expr> units{};  // evaluated where the loop begins; 1 or more
  friend bool operator==(const ParallelFor&, const ParallelFor&) = default;
};
struct If {
  Expr condition;
  StmtRef then;
  StmtRef otherwise;
  friend bool operator==(const If&, const If&) = default;
};
struct While {
  Expr condition;
  StmtRef body;
  friend bool operator==(const While&, const While&) = default;
};
struct Check {  // traps where ok is false; nothing after it in the iteration or the program runs then
  Expr ok;
  std::string primitive;
  std::string message;  // {0}, {1} stand for the values
  std::vector<Expr> values;
  Region region;
  friend bool operator==(const Check&, const Check&) = default;
};
struct Barrier {
  Level scope = Level::Workgroup;  // the block's threads, or Warp: the lanes of the warp
  friend bool operator==(const Barrier&, const Barrier&) = default;
};
struct Comment {
  std::string text;
  friend bool operator==(const Comment&, const Comment&) = default;
};
// name is declared, as what `value` is in a lane that is `lane` from the first of this one's segment: a warp is cut
// into segments of so many lanes as `width`, 1, 2, 4, ... and at most the warp. All of a segment's lanes that run the
// local loop come to it together, and none goes on before the others have come; what they wrote to memory is not seen
// by each other for that.
struct Shuffle {
  std::string name;
  KType type;  // of one lane
  Expr value;
  Expr lane;
  int width = 1;
  friend bool operator==(const Shuffle&, const Shuffle&) = default;
};
struct Stmt {
  std::variant<Block, Declare, Assign, Store, Atomic, For, Allocate, ParallelFor, If, While, Check, Barrier, Comment,
               Shuffle>
      node;
  Region region{};  // the source expression whose result it makes
  friend bool operator==(const Stmt&, const Stmt&) = default;
};

// A parameter array: one leaf of a parameter or of the result.
struct Buffer {
  std::string name;
  KType type;
  std::vector<Size> dims;       // over the program's sizes; lanes not counted
  Size count;                   // in scalars
  std::optional<Size> below{};  // of an input of type idx(n): its elements are naturals below it
  bool is_one_scalar() const { return dims.empty() && type.width == 1; }
  friend bool operator==(const Buffer&, const Buffer&) = default;
};
struct Program {
  std::string name;
  std::vector<std::string> sizes;  // i64 parameters
  std::vector<Buffer> inputs;      // read only
  std::vector<Buffer> outputs;     // written only, before they are read if they are
  std::vector<SizeFact> facts;
  Stmt body;
  Launch launch{};  // of its Global, Workgroup, Warp and Local loops on a GPU
  // Where it is said: at sizes that fit the launch's index bits, these with them, index arithmetic is of so many bits
  // (index_width.h). Elsewhere it is of 64.
  std::optional<std::vector<Size>> narrow{};
  friend bool operator==(const Program&, const Program&) = default;
};

// Makers, with folding of constants.
Expr constant(std::int64_t n);
Expr constant(const Scalar& s, std::string digits = {});
Expr variable(std::string name, KType type = {});
Expr arith(ArithOp op, Expr a, Expr b);
Expr load(std::string buffer, ScalarType t, Expr index);
Expr size_expr(const Size& s);               // names become variables; printed with % where Size shows it
std::optional<Size> as_size(const Expr& e);  // the way back, where e is index arithmetic over names
std::optional<std::int64_t> constant_of(const Expr& e);

}  // namespace lockstep::kernel
