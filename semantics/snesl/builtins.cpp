// The table of built-ins: name, type, what they do, and which φ of the core they are (Fig. 2.2, grown as the reference
// says).
#include "semantics/snesl/builtins.h"

#include <set>

#include "semantics/snesl/elaborate_infer.h"

namespace lockstep::snesl::elaboration {

namespace {

using Text = std::string_view;

constexpr bool logical(Monoid r) { return r == Monoid::Or || r == Monoid::And; }

constexpr Signature reduction(Text name, Monoid r, Text summary) {
  return {name, logical(r) ? "{Bool} -> Bool" : "{n} -> n", summary, Builtin::Reduce, {}, r};
}
constexpr Signature of_some(Text name, Monoid r, Text summary) {
  return {name, logical(r) ? "{Bool} -> Bool" : "{n} -> n", summary, Builtin::Reduce1, {}, r};
}
constexpr Signature scan(Text name, Monoid r, Text summary) {
  return {name, logical(r) ? "{Bool} -> {Bool}" : "{n} -> {n}", summary, Builtin::Scan, {}, r};
}
Signature scalar(Text name, Text type, OperatorRef op, Text summary) {
  return {name, type, summary, Builtin::Scalar, op};
}
constexpr Signature other(Text name, Text type, Builtin b, Text summary) { return {name, type, summary, b}; }

std::vector<Signature> others() {
  return {
      reduction("sum", Monoid::Plus, "the sum; of nothing 0"),
      reduction("product", Monoid::Times, "the product; of nothing 1"),
      reduction("maximum", Monoid::Max, "the greatest, NaN where one is; of nothing a trap"),
      reduction("minimum", Monoid::Min, "the least, NaN where one is; of nothing a trap"),
      reduction("reduce-or", Monoid::Or, "whether any is true; of nothing false"),
      reduction("reduce-and", Monoid::And, "whether all are true; of nothing true"),
      of_some("reduce1-plus", Monoid::Plus, "the sum; of nothing a trap"),
      of_some("reduce1-times", Monoid::Times, "the product; of nothing a trap"),
      of_some("reduce1-max", Monoid::Max, "as maximum"),
      of_some("reduce1-min", Monoid::Min, "as minimum"),
      of_some("reduce1-or", Monoid::Or, "whether any is true; of nothing a trap"),
      of_some("reduce1-and", Monoid::And, "whether all are true; of nothing a trap"),
      scan("scan-plus", Monoid::Plus, "for each element the sum of those before it; the first is 0"),
      scan("scan-times", Monoid::Times, "for each element the product of those before it; the first is 1"),
      scan("scan-max", Monoid::Max, "for each element the greatest before it; the first is the least Int, or -inf"),
      scan("scan-min", Monoid::Min, "for each element the least before it; the first is the greatest Int, or inf"),
      scan("scan-or", Monoid::Or, "for each element whether one before it is true; the first is false"),
      scan("scan-and", Monoid::And, "for each element whether all before it are true; the first is true"),
      other("concat", "{{a}} -> {a}", Builtin::Concat, "the sequences of a sequence, one after another"),
      other("flagpart", "({a}, {Bool}) -> {{a}}", Builtin::Flagpart,
            "pieces by flags: false for an element, true for the end of a piece; a trap where they do not fit"),
      other("sep", "{(a, Bool)} -> {{a}}", Builtin::Sep,
            "pieces, cut after each true flag; what follows the last is a piece, never an empty one"),
      other("tail_flags", "{a} -> {Bool}", Builtin::TailFlags, "for each element whether it is the last"),
      other("empty", "{a} -> Bool", Builtin::Empty, "whether there is no element; known with the first"),
      other("the", "{a} -> a", Builtin::The, "the only element; a trap unless there is exactly one"),
      other("length", "[t] -> Int", Builtin::Length, "the length of a vector, as # gives it"),
      other("tab", "{t} -> [t]", Builtin::Tab, "the sequence as a vector, kept in memory"),
      other("seq", "[t] -> {t}", Builtin::Seq, "the elements of a vector, a traversal of their own"),
      scalar("real", "p -> Real", scalars::row<"f64">(), "as a Real; true is 1.0"),
      scalar("int", "p -> Int", scalars::row<"i64">(),
             "as an Int: a Real truncated, a trap where it does not fit; true is 1"),
      scalar("char", "p -> Char", scalars::row<"u8">(),
             "as a Char: the lowest byte of an Int; a Real truncated, a trap outside 0 to 255"),
      scalar("abs", "n -> n", scalars::row<"abs">(), "the magnitude; of the least Int, itself"),
      other("read_file", "[Char] -> {Char}", Builtin::ReadFile,
            "the bytes of a file, - being standard input; a trap where it cannot be read"),
      other("write_file", "([Char], {Char}) -> ()", Builtin::WriteFile,
            "writes a file, - being standard output; it appears once the program is through"),
  };
}

// The name is an identifier, and .snesl has none of its own.
std::optional<ScalarFunction> function_of(const ScalarOp& op) {
  if ((op.operands != Operands::Float && op.operands != Operands::Integer) || !op.word.empty()) return std::nullopt;
  const Prim operand = op.operands == Operands::Float ? Prim::Real : Prim::Int;
  std::vector<Prim> operands(static_cast<std::size_t>(op.arity), operand);
  const std::optional<Prim> result = result_type(&op, operands);
  if (!result) return std::nullopt;
  return ScalarFunction{op.name, std::move(operands), *result};
}
// Types as the table writes them, which lives as long as the program.
Text type_of(const ScalarFunction& f) {
  static std::set<std::string> all;
  std::string text;
  for (const Prim p : f.operands) text += (text.empty() ? "" : ", ") + std::string(show(p));
  if (f.operands.size() > 1) text = "(" + text + ")";
  return *all.insert(text + " -> " + std::string(show(f.result))).first;
}
const std::vector<Signature>& signatures() {
  static const std::vector<Signature> all = [] {
    std::vector<Signature> made = others();
    for (const ScalarFunction& f : scalar_functions()) {
      const OperatorRef op = operator_named(f.name);
      made.push_back(scalar(f.name, type_of(f), op, op->summary));
    }
    return made;
  }();
  return all;
}

// Their types depend on how many arguments there are, or on what a Char widens to: inference knows them by name.
constexpr BuiltinNote named[] = {
    {"zip", "({a}, {b}, ...) -> {(a, b, ...)}", "the elements side by side; a trap where the lengths differ"},
    {"unzip", "{(a, b, ...)} -> ({a}, {b}, ...)", "a sequence of tuples as a tuple of sequences"},
    {"min", "(n, n) -> n", "the smaller, NaN where one is"},
    {"max", "(n, n) -> n", "the greater, NaN where one is"},
};
constexpr BuiltinNote operators[] = {
    {"&", "Int -> {Int}", "&n is 0, 1, ..., n - 1; of a negative number a trap"},
    {"#", "[t] or {a} -> Int", "the length; of a sequence it takes a traversal"},
    {"-", "n -> n", "the negative"},
    {"!", "Bool -> Bool", "the other truth value"},
    {"!", "([t], Int) -> t", "v ! i is the element at i, from 0; outside a trap"},
    {"++", "({a}, {a}) -> {a}", "one sequence after another"},
    {"+", "(n, n) -> n", "the sum"},
    {"-", "(n, n) -> n", "the difference"},
    {"*", "(n, n) -> n", "the product"},
    {"/", "(n, n) -> n", "the quotient, of Ints truncated toward 0; by the Int 0 a trap"},
    {"%", "(n, n) -> n", "the remainder, of the dividend's sign; by the Int 0 a trap"},
    {"==", "(p, p) -> Bool", "equal"},
    {"!=", "(p, p) -> Bool", "not equal"},
    {"<", "(p, p) -> Bool", "less; false is less than true"},
    {"<=", "(p, p) -> Bool", "less or equal"},
    {">", "(p, p) -> Bool", "greater"},
    {">=", "(p, p) -> Bool", "greater or equal"},
    {"&&", "(Bool, Bool) -> Bool", "and; the right side is evaluated where the left is true"},
    {"||", "(Bool, Bool) -> Bool", "or; the right side is evaluated where the left is false"},
    {"&", "(i, i) -> i", "bitwise and; of Bools, both evaluated"},
    {"|", "(i, i) -> i", "bitwise or; of Bools, both evaluated"},
    {"^", "(i, i) -> i", "bitwise exclusive or; of Bools, both evaluated"},
    {"<<", "(Int, Int) -> Int", "the bits moved up, by the right side modulo 64"},
    {">>", "(Int, Int) -> Int", "the bits moved down, by the right side modulo 64, keeping the sign"},
    {"? :", "(Bool, p, p) -> p", "c ? a : b is a where c holds, else b; both are evaluated"},
};

}  // namespace

const std::vector<ScalarFunction>& scalar_functions() {
  static const std::vector<ScalarFunction> all = [] {
    std::vector<ScalarFunction> made;
    for (const ScalarOp& op : scalars::operators())
      if (const auto f = function_of(op)) made.push_back(*f);
    return made;
  }();
  return all;
}

const Signature* signature_named(std::string_view name) {
  for (const Signature& s : signatures())
    if (s.name == name) return &s;
  return nullptr;
}
std::vector<std::string> builtin_names() {
  std::vector<std::string> out;
  for (const BuiltinNote& b : named) out.emplace_back(b.name);
  for (const Signature& s : signatures()) out.emplace_back(s.name);
  return out;
}
std::vector<BuiltinNote> builtin_notes() {
  std::vector<BuiltinNote> out;
  for (const Signature& s : signatures()) out.push_back({s.name, s.type, s.summary});
  out.insert(out.end(), std::begin(named), std::end(named));
  out.insert(out.end(), std::begin(operators), std::end(operators));
  return out;
}

}  // namespace lockstep::snesl::elaboration
