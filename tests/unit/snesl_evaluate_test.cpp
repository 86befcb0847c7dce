// Fig. 2.3 and Fig. 1.4 rule by rule: core programs built here, their costs computed by hand.
#include <catch2/catch.hpp>
#include <map>

#include "semantics/snesl/evaluate.h"

namespace snesl_evaluate_test {
using namespace lockstep;
using namespace lockstep::snesl;
using core::Builtin;
using core::ExprRef;
using snesl::Cost;
using snesl::Type;
using snesl::Value;

namespace {

using Names = std::vector<std::string>;

const Type Int_ = prim(Prim::Int);
const Type Real_ = prim(Prim::Real);
const Type Bool_ = prim(Prim::Bool);
const Type ints = sequence_of(Int_);

template <class Node>
ExprRef make(Node node, Type type = Int_) {
  return core::Expr{{std::move(node)}, std::move(type), {nullptr, 3, 5}};
}
ExprRef var(const std::string& x) { return make(core::Var{x}); }
ExprRef lit(Atom a) { return make(core::Literal{a}, prim(a.type)); }
ExprRef lit(std::int64_t n) { return lit(int_atom(n)); }
ExprRef let(const std::string& x, ExprRef e, ExprRef body) { return make(core::Let{x, std::move(e), std::move(body)}); }
ExprRef app(Builtin b, Names x, Type type = Int_) {
  return make(core::Apply{b, {}, {}, std::move(x)}, std::move(type));
}
ExprRef op(OperatorRef o, Names x) { return make(core::Apply{Builtin::Scalar, o, {}, std::move(x)}); }
ExprRef reduction(Monoid r, const std::string& s, Type type = Int_) {
  return make(core::Apply{Builtin::Reduce, {}, r, {s}}, std::move(type));
}
ExprRef reduction1(Monoid r, const std::string& s, Type type = Int_) {
  return make(core::Apply{Builtin::Reduce1, {}, r, {s}}, std::move(type));
}
ExprRef scan(Monoid r, const std::string& s, Type type = ints) {
  return make(core::Apply{Builtin::Scan, {}, r, {s}}, std::move(type));
}
ExprRef each(const std::string& x, const std::string& s, std::vector<core::Using> u, ExprRef body) {
  return make(core::Comprehension{std::move(body), x, s, std::move(u)}, ints);
}
ExprRef when(const std::string& c, std::vector<core::Using> u, ExprRef body) {
  return make(core::Guarded{std::move(body), c, std::move(u)}, ints);
}

Value num(std::int64_t n) { return atom_value(int_atom(n)); }
Value boolean(bool b) { return atom_value(bool_atom(b)); }
template <class... V>
Value seq(V... v) {
  return sequence_value({std::move(v)...});
}
template <class... V>
Value vec(V... v) {
  return vector_value({std::move(v)...});
}
template <class... V>
Value tup(V... v) {
  return tuple_value({std::move(v)...});
}
Value numbers(std::vector<std::int64_t> ns) {
  Values items;
  for (const auto n : ns) items.push_back(num(n));
  return sequence_value(std::move(items));
}
Value bools(const std::string& text) {
  Values items;
  for (const char c : text) items.push_back(boolean(c == 'T'));
  return sequence_value(std::move(items));
}

class Memory final : public Files {
 public:
  std::map<std::string, std::string> files;
  std::string read(const std::string& name, const Region& region) override {
    if (!files.contains(name)) throw TrapSignal{{"read_file", "no " + name, region}};
    return files[name];
  }
  void write(const std::string& name, std::string content, const Region&) override { files[name] = std::move(content); }
};

using Arguments = std::vector<std::pair<std::string, Value>>;

core::Program program(ExprRef body, const Arguments& x) {
  core::Program p{"f", {}, std::move(body)};
  for (const auto& [name, value] : x) p.parameters.push_back({name, Int_});
  return p;
}
Values values_of(const Arguments& x) {
  Values values;
  for (const auto& [name, value] : x) values.push_back(value);
  return values;
}

// "value $ (W, D; M, N; L) $ (W, D)", the last of μNESL; or the trap.
std::string meaning(ExprRef body, const Arguments& x = {}, Memory files = {}) {
  const core::Program p = program(std::move(body), x);
  const auto e = evaluate(p, values_of(x), files);
  if (!e) return "trap " + e.error().primitive + ": " + e.error().message;
  const auto nesl = nesl_cost(p, values_of(x), files);
  const auto n = [](std::int64_t i) { return std::to_string(i); };
  const Cost& c = e->cost;
  return show(e->value) + " $ (" + n(c.work) + ", " + n(c.depth) + "; " + n(c.scalable) + ", " + n(c.vectorial) + "; " +
         n(c.parallel) + ") $ " + (*nesl ? "(" + n((*nesl)->work) + ", " + n((*nesl)->depth) + ")" : "none");
}

}  // namespace

TEST_CASE("sizes P and S of values", "[snesl][evaluate]") {
  const auto sizes = [](const Value& v) {
    const auto [m, n] = sequential_size(v);
    return std::vector<std::int64_t>{parallel_size(v), m, n, atom_count(v)};
  };
  using Sizes = std::vector<std::int64_t>;
  CHECK(sizes(num(7)) == Sizes{1, 1, 0, 1});
  CHECK(sizes(tup()) == Sizes{0, 0, 0, 0});
  CHECK(sizes(tup(num(1), tup(num(2), num(3)))) == Sizes{3, 3, 0, 3});
  CHECK(sizes(vec()) == Sizes{1, 1, 0, 0});
  CHECK(sizes(vec(num(1), num(2))) == Sizes{3, 2, 2, 2});
  CHECK(sizes(vec(vec(num(1), num(2)), vec())) == Sizes{5, 3, 4, 2});  // P: 1 + 3 + 1
  CHECK(sizes(seq()) == Sizes{1, 1, 0, 0});
  CHECK(sizes(seq(vec(num(1), num(2)), vec(num(3)))) ==
        Sizes{8, 3, 2, 3});  // P: 1 + (1 + 3) + (1 + 2); N: the greatest
  CHECK(sizes(tup(vec(num(1)), seq(num(1)))) == Sizes{5, 4, 1, 2});
}

TEST_CASE("values print as they are read back", "[snesl][evaluate]") {
  CHECK(show(tup(num(1), atom_value(real_atom(2.5)))) == "(1, 2.5)");
  CHECK(show(seq(vec(num(1)), vec())) == "{[1], []}");
  CHECK(show(text_value("a\"b\n\xff'")) == "\"a\\\"b\\n\\xff'\"");
  CHECK(show(text_value("")) == "[]");
  CHECK(show(seq(atom_value(char_atom('c')))) == "{'c'}");
  CHECK(show(tup()) == "()");
  CHECK(text_value("ab") == text_value("ab"));
  CHECK_FALSE(vec(num(1)) == seq(num(1)));
  CHECK_FALSE(vec(num(1)) == vec(num(2)));
}

TEST_CASE("variables, tuples and projections are free; a literal is one", "[snesl][evaluate]") {
  const Arguments x{{"x", num(5)}, {"t", tup(num(1), vec(num(2), num(3)))}};
  CHECK(meaning(var("x"), x) == "5 $ (0, 0; 0, 0; 0) $ (1, 1)");
  CHECK(meaning(make(core::Tuple{{"x", "x"}}), x) == "(5, 5) $ (0, 0; 0, 0; 0) $ (2, 2)");
  CHECK(meaning(make(core::Project{"t", 1}), x) == "[2, 3] $ (0, 0; 0, 0; 0) $ (1, 1)");
  CHECK(meaning(lit(4)) == "4 $ (1, 1; 1, 0; 1) $ (1, 1)");
  CHECK(meaning(make(core::Text{"ab"})) == "\"ab\" $ (3, 1; 2, 2; 3) $ (2, 1)");
  CHECK(meaning(make(core::Text{""})) == "[] $ (1, 1; 1, 0; 1) $ (1, 1)");
}

TEST_CASE("let adds work, depth and sequential space, and keeps its value beside the space of its body",
          "[snesl][evaluate]") {
  CHECK(meaning(let("x", lit(1), let("y", lit(2), op(scalars::row<"+">(), {"x", "y"})))) ==
        "3 $ (3, 3; 3, 0; 3) $ (5, 5)");
  // What a let inside a value takes is given back: n, t and # are 1 + 11 + 1, then x, m and &3 only 1 + 1 + 7 ...
  const auto nested = let("x", let("n", lit(5), let("t", app(Builtin::Iota, {"n"}), app(Builtin::SeqLength, {"t"}))),
                          let("m", lit(3), app(Builtin::Iota, {"m"})));
  CHECK(meaning(nested) == "{0, 1, 2} $ (26, 5; 7, 0; 13) $ (14, 8)");
  // ... but one in its body is not: n, t, x, m and &3 are 1 + 11 + 1 + 1 + 7.
  const auto flat = let("n", lit(5),
                        let("t", app(Builtin::Iota, {"n"}),
                            let("x", app(Builtin::SeqLength, {"t"}), let("m", lit(3), app(Builtin::Iota, {"m"})))));
  CHECK(meaning(flat) == "{0, 1, 2} $ (26, 5; 7, 0; 21) $ (14, 8)");
}

TEST_CASE("built-ins: their value, the work of F, depth 1, and the sizes of the result", "[snesl][evaluate]") {
  const Value v12 = vec(num(1), num(2));
  const auto with = [](Builtin b, std::vector<Value> values, Type type = Int_) {
    Arguments x;
    Names names;
    for (Value& v : values) {
      names.push_back("x" + std::to_string(x.size()));
      x.push_back({names.back(), v});
    }
    return meaning(app(b, names, type), x);
  };
  CHECK(with(Builtin::Iota, {num(3)}) == "{0, 1, 2} $ (7, 1; 2, 0; 7) $ (4, 2)");
  CHECK(with(Builtin::Mkseq, {num(1), num(2)}) == "{1, 2} $ (5, 1; 2, 0; 5) $ (4, 3)");
  CHECK(with(Builtin::Mkseq, {}) == "{} $ (1, 1; 1, 0; 1) $ (0, 1)");
  CHECK(with(Builtin::Empty, {numbers({1})}) == "false $ (1, 1; 1, 0; 1) $ (2, 2)");
  CHECK(with(Builtin::The, {seq(v12)}) == "[1, 2] $ (0, 1; 2, 2; 3) $ (4, 3)");
  CHECK(with(Builtin::Append, {numbers({0, 1}), numbers({5})}) == "{0, 1, 5} $ (7, 1; 2, 0; 7) $ (8, 4)");
  CHECK(with(Builtin::Append, {numbers({}), numbers({5})}) == "{5} $ (3, 1; 2, 0; 3) $ (4, 4)");
  const Type pairs = sequence_of(tuple({Int_, Int_}));
  CHECK(with(Builtin::Zip, {numbers({0, 1}), numbers({2, 3})}, pairs) == "{(0, 2), (1, 3)} $ (0, 1; 3, 0; 7) $ (6, 3)");
  CHECK(with(Builtin::Zip, {numbers({0, 1})}, ints) == "{0, 1} $ (0, 1; 2, 0; 5) $ (3, 2)");
  CHECK(with(Builtin::Zip, {numbers({0})}, sequence_of(tuple({Int_}))) == "{(0)} $ (0, 1; 2, 0; 3) $ (2, 2)");
  const Value two = seq(tup(num(0), num(2)), tup(num(1), num(3)));
  CHECK(with(Builtin::Unzip, {two}, tuple({ints, ints})) == "({0, 1}, {2, 3}) $ (0, 1; 4, 0; 10) $ (5, 2)");
  CHECK(with(Builtin::Unzip, {seq()}, tuple({ints, ints})) == "({}, {}) $ (0, 1; 2, 0; 2) $ (1, 2)");
  CHECK(with(Builtin::Flagpart, {numbers({1, 2}), bools("FFTT")}) == "{{1, 2}, {}} $ (9, 1; 3, 0; 9) $ (8, 3)");
  CHECK(with(Builtin::Flagpart, {numbers({}), bools("")}) == "{} $ (1, 1; 1, 0; 1) $ (2, 3)");
  const auto flagged = [](std::int64_t n, bool b) { return tup(num(n), boolean(b)); };
  CHECK(with(Builtin::Sep, {seq(flagged(1, false), flagged(2, true), flagged(3, false))}) ==
        "{{1, 2}, {3}} $ (11, 1; 3, 0; 11) $ (7, 2)");
  CHECK(with(Builtin::Sep, {seq(flagged(1, true), flagged(2, true))}).starts_with("{{1}, {2}} $"));
  CHECK(with(Builtin::Sep, {seq()}).starts_with("{} $"));
  CHECK(with(Builtin::Concat, {seq(numbers({1, 2}), numbers({}))}) == "{1, 2} $ (5, 1; 2, 0; 5) $ (3, 2)");
  CHECK(with(Builtin::Concat, {seq(numbers({}), numbers({}))}) == "{} $ (3, 1; 1, 0; 1) $ (1, 2)");
  CHECK(with(Builtin::TailFlags, {numbers({1, 2, 3})}) == "{false, false, true} $ (7, 1; 2, 0; 7) $ (4, 2)");
  CHECK(with(Builtin::Tab, {numbers({0, 1, 2})}) == "[0, 1, 2] $ (4, 1; 2, 3; 4) $ (1, 1)");
  CHECK(with(Builtin::Seq, {v12}) == "{1, 2} $ (5, 1; 2, 0; 5) $ (1, 1)");
  CHECK(with(Builtin::Length, {v12}) == "2 $ (1, 1; 1, 0; 1) $ (2, 2)");
  CHECK(with(Builtin::SeqLength, {numbers({1, 2, 3})}) == "3 $ (4, 1; 1, 0; 1) $ (2, 2)");
  CHECK(with(Builtin::Index, {vec(v12, vec(num(3))), num(0)}) == "[1, 2] $ (1, 1; 2, 2; 3) $ (4, 3)");
}

TEST_CASE("reductions and scans: the length and its end, and the size of the result", "[snesl][evaluate]") {
  const Arguments x{{"s", numbers({3, 5, 4, 2})}, {"none", numbers({})}, {"b", bools("FFT")}};
  CHECK(meaning(reduction(Monoid::Plus, "s"), x) == "14 $ (5, 1; 1, 0; 1) $ (5, 2)");
  CHECK(meaning(reduction(Monoid::Times, "none"), x) == "1 $ (1, 1; 1, 0; 1) $ (1, 2)");
  CHECK(meaning(scan(Monoid::Plus, "s"), x) == "{0, 3, 8, 12} $ (9, 1; 2, 0; 9) $ (5, 2)");
  CHECK(meaning(scan(Monoid::Max, "s"), x).starts_with("{-9223372036854775808, 3, 5, 5} $"));
  CHECK(meaning(reduction(Monoid::Or, "b", Bool_), x).starts_with("true $"));
  CHECK(meaning(scan(Monoid::And, "b", sequence_of(Bool_)), x).starts_with("{true, false, false} $"));
  CHECK(meaning(reduction(Monoid::Max, "none"), x) == "trap maximum: the sequence is empty");
  CHECK(meaning(reduction(Monoid::Min, "none"), x) == "trap minimum: the sequence is empty");
  for (const Monoid r : {Monoid::Plus, Monoid::Times, Monoid::Max, Monoid::Min}) {
    CHECK(meaning(reduction1(r, "s"), x) == meaning(reduction(r, "s"), x));  // at the same cost
    CHECK(meaning(reduction1(r, "none"), x) == "trap reduce1-" + std::string(name_of(r)) + ": the sequence is empty");
  }
  CHECK(meaning(reduction1(Monoid::Or, "b", Bool_), x) == meaning(reduction(Monoid::Or, "b", Bool_), x));
}

TEST_CASE("a sum of Reals is in the documented order", "[snesl][evaluate]") {
  // 1e100 and -1e100 meet in lane 0; from the left, 1 + ... would be lost.
  Values items(9, atom_value(real_atom(1)));
  items[0] = atom_value(real_atom(1e100));
  items[8] = atom_value(real_atom(-1e100));
  const Arguments x{{"s", sequence_value(items)}};
  CHECK(meaning(reduction(Monoid::Plus, "s", Real_), x).starts_with("7.0 $"));
  CHECK(meaning(scan(Monoid::Plus, "s", sequence_of(Real_)), x).starts_with("{0.0, 1e+100, 1e+100,"));
}

TEST_CASE("a comprehension distributes, adds the work and parallel space, and takes the greatest depth",
          "[snesl][evaluate]") {
  const Arguments x{{"s", numbers({10, 20, 30})}, {"y", num(1)}, {"none", numbers({})}};
  const auto plus = each("x", "s", {{"y", Int_}}, op(scalars::row<"+">(), {"x", "y"}));
  CHECK(meaning(plus, x) == "{11, 21, 31} $ (7, 2; 3, 0; 9) $ (10, 4)");
  const auto none = each("x", "none", {{"y", Int_}}, op(scalars::row<"/">(), {"x", "none"}));
  CHECK(meaning(none, x) == "{} $ (1, 1; 2, 0; 0) $ (1, 1)");
  const auto uneven = each("x", "s", {}, let("i", app(Builtin::Iota, {"x"}), app(Builtin::Tab, {"i"})));
  CHECK(meaning(uneven, {{"s", numbers({1, 3})}}) == "{[0], [0, 1, 2]} $ (16, 2; 5, 3; 18) $ (9, 4)");
  const Type pair = tuple({vector_of(prim(Prim::Char)), Int_});  // |pair| = 2
  CHECK(meaning(each("x", "s", {{"y", pair}}, var("x")), x) == "{10, 20, 30} $ (8, 2; 3, 0; 9) $ (4, 2)");
}

TEST_CASE("a guarded expression packs, and is evaluated only where its condition holds", "[snesl][evaluate]") {
  const auto guarded = when("c", {{"s", ints}}, var("s"));  // |{Int}| = 2
  CHECK(meaning(guarded, {{"c", boolean(true)}, {"s", numbers({4})}}) == "{{4}} $ (2, 2; 3, 0; 3) $ (4, 4)");
  CHECK(meaning(guarded, {{"c", boolean(false)}, {"s", numbers({4})}}) == "{} $ (2, 2; 1, 0; 1) $ (2, 3)");
  const auto division = when("c", {{"z", Int_}}, op(scalars::row<"/">(), {"z", "z"}));
  CHECK(meaning(division, {{"c", boolean(false)}, {"z", num(0)}}).starts_with("{} $"));
  CHECK(meaning(division, {{"c", boolean(true)}, {"z", num(0)}}) == "trap /: division by zero: 0 / 0");
}

TEST_CASE("traps name the primitive and the values, at the expression", "[snesl][evaluate]") {
  const Arguments x{{"s", numbers({1, 2, 3})}, {"t", numbers({1})}, {"v", vec(num(1))},  {"n", num(-3)},
                    {"one", num(1)},           {"f", bools("FTF")}, {"g", bools("FFT")}, {"u", bools("FFF")}};
  CHECK(meaning(app(Builtin::Index, {"v", "one"}), x) == "trap !: index 1 is outside [0, 1)");
  CHECK(meaning(app(Builtin::Index, {"v", "n"}), x) == "trap !: index -3 is outside [0, 1)");
  CHECK(meaning(app(Builtin::Zip, {"s", "t"}), x) == "trap zip: sequences of unequal lengths, 1 and more");
  CHECK(meaning(app(Builtin::The, {"s"}), x) == "trap the: the sequence has 3 elements, not one");
  CHECK(meaning(app(Builtin::Iota, {"n"}), x) == "trap &: the number -3 is negative");
  CHECK(meaning(app(Builtin::Flagpart, {"s", "g"}), x) ==
        "trap flagpart: the elements and the false flags are not as many, 2 and more");
  CHECK(meaning(app(Builtin::Flagpart, {"s", "u"}), x) == "trap flagpart: the last flag, 2, is not true");
  CHECK(meaning(app(Builtin::Flagpart, {"t", "f"}), x) ==
        "trap flagpart: the elements and the false flags are not as many, 1 and more");
  Memory files;
  const core::Program p = program(app(Builtin::Iota, {"n"}), x);
  const auto e = evaluate(p, values_of(x), files);
  REQUIRE(!e);
  CHECK(e.error().region.begin == 3);
  CHECK(e.error().region.end == 5);
  CHECK(!nesl_cost(p, values_of(x), files));
}

TEST_CASE("files are read as sequences and written; μNESL has none", "[snesl][evaluate]") {
  Memory files;
  files.files["in"] = "abc";
  const Arguments x{{"in", text_value("in")}, {"out", text_value("out")}};
  CHECK(meaning(app(Builtin::ReadFile, {"in"}), x, files) == "{'a', 'b', 'c'} $ (7, 1; 2, 0; 7) $ none");
  CHECK(meaning(app(Builtin::ReadFile, {"out"}), x, files) == "trap read_file: no out");
  const core::Program copy =
      program(let("s", app(Builtin::ReadFile, {"in"}), app(Builtin::WriteFile, {"out", "s"})), x);
  const auto e = evaluate(copy, values_of(x), files);
  REQUIRE(e);
  CHECK(show(e->value) == "()");
  CHECK(e->cost.work == 7 + 4);
  CHECK(e->cost.parallel == 7);
  CHECK(files.files["out"] == "abc");
}

TEST_CASE("a chain of lets is as long as it likes, and names may shadow", "[snesl][evaluate]") {
  ExprRef body = var("x0");
  constexpr int n = 100'000;
  for (int i = 0; i < n; ++i) body = let("x0", op(scalars::row<"+">(), {"x0", "x0"}), std::move(body));
  // Kept for good: unoptimised, the destructors of so long a chain take more than the stack.
  static const auto* p = new core::Program(program(std::move(body), {{"x0", num(0)}}));
  Memory files;
  const auto e = evaluate(*p, {num(0)}, files);
  REQUIRE(e);
  CHECK(e->cost.work == n);
  CHECK(e->cost.parallel == n);
}

TEST_CASE("a name that nothing binds, and arguments that are not the program's, are bugs", "[snesl][evaluate]") {
  Memory files;
  CHECK_THROWS_AS(evaluate(program(var("y"), {}), {}, files), Bug);
  const auto escaped = let("t", each("x", "s", {}, var("x")), var("x"));
  CHECK_THROWS_AS(evaluate(program(escaped, {{"s", seq()}}), {seq()}, files), Bug);
  CHECK_THROWS_AS(evaluate(program(lit(1), {}), {num(1)}, files), Bug);
}

}  // namespace snesl_evaluate_test
