// Random SNESL programs, all built-ins at any nesting, with traps: translated, and after each optimisation, they
// compute what the big-step semantics says.
#include <random>

#include "snesl_streams.h"
#include "translate/simplify/simplify.h"
#include "translate/streamability/streamable.h"

namespace flatten_random_test {
using namespace lockstep;
using namespace lockstep::streaming;
using namespace lockstep::streaming::test;
using snesl::Prim;
using snesl::Type;
using streaming::test::Outcome;

namespace {

const Type integer = snesl::prim(Prim::Int), boolean = snesl::prim(Prim::Bool), real = snesl::prim(Prim::Real),
           character = snesl::prim(Prim::Char);

struct Variable {
  std::string name;
  Type type;
};
using Scope = std::vector<Variable>;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}
  std::string program() {
    const Type result = type(3);
    return "fun f(n, v, w) = " +
           expression(
               result,
               {{"n", integer}, {"v", snesl::vector_of(integer)}, {"w", snesl::vector_of(snesl::vector_of(integer))}},
               4 + pick(2));
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }
  std::string fresh() { return "x" + std::to_string(next_++); }

  Type concrete(int depth) {
    if (depth > 0 && chance(25)) return snesl::vector_of(concrete(depth - 1));
    if (depth > 0 && chance(15)) return snesl::tuple({concrete(depth - 1), concrete(depth - 1)});
    const Type atoms[] = {integer, integer, integer, boolean, real, character};
    return atoms[pick(6)];
  }
  Type type(int depth) {
    if (depth > 0 && chance(45)) return snesl::sequence_of(type(depth - 1));
    if (depth > 0 && chance(15)) return snesl::tuple({type(depth - 1), type(depth - 1)});
    return concrete(depth);
  }

  // Concrete variables alone pass into a general comprehension.
  static Scope inside(const Scope& scope) {
    Scope r;
    for (const Variable& x : scope)
      if (snesl::is_concrete(x.type)) r.push_back(x);
    return r;
  }
  static Scope with(Scope scope, const std::string& name, const Type& t) {
    scope.push_back({name, t});
    return scope;
  }

  std::string expression(const Type& t, const Scope& scope, int depth) {
    std::vector<std::string> names;
    for (const Variable& x : scope)
      if (x.type == t) names.push_back(x.name);
    if (!names.empty() && chance(depth <= 0 ? 80 : 25))
      return names[static_cast<std::size_t>(pick(static_cast<int>(names.size())))];
    if (depth > 0 && chance(10)) {
      const std::string x = fresh();
      const Type bound = type(2);
      return "(let " + x + " = " + expression(bound, scope, depth - 1) + " in " +
             expression(t, with(scope, x, bound), depth - 1) + ")";
    }
    if (depth > 0 && chance(8))
      return "(if " + expression(boolean, scope, depth - 2) + " then " + expression(t, scope, depth - 1) + " else " +
             expression(t, scope, depth - 1) + ")";
    if (depth > 0 && snesl::is_concrete(t) && chance(5))
      return "(" + expression(snesl::vector_of(t), scope, depth - 1) + " ! (" + small(scope, depth - 2) + "))";
    if (depth > 0 && chance(3)) return "the({" + expression(t, scope, depth - 1) + "})";
    if (depth > 0 && chance(3)) return "(" + expression(snesl::tuple({integer, t}), scope, depth - 1) + ").2";
    return std::visit(Cases{[&](Prim p) { return atom(p, scope, depth); },
                            [&](const snesl::TupleType& tuple) {
                              return "(" + expression(tuple.items[0], scope, depth - 1) + ", " +
                                     expression(tuple.items[1], scope, depth - 1) + ")";
                            },
                            [&](const snesl::VectorType& v) {
                              return "tab(" + expression(snesl::sequence_of(*v.element), scope, depth - 1) + ")";
                            },
                            [&](const snesl::SequenceType& s) { return sequence(*s.element, scope, depth); }},
                      t.node);
  }

  std::string small(const Scope& scope, int depth) {  // 0 to 3, seldom less
    return chance(95) ? "abs(" + expression(integer, scope, depth) + " % 4)" : expression(integer, scope, depth);
  }

  std::string atom(Prim p, const Scope& scope, int depth) {
    const auto e = [&](const Type& t) { return expression(t, scope, depth - 1); };
    const Type numbers = snesl::sequence_of(snesl::prim(p));
    switch (p) {
      case Prim::Int:
        if (depth <= 0) return std::to_string(pick(5));
        switch (pick(10)) {
          case 0:
            return "(" + e(integer) + " + " + e(integer) + ")";
          case 1:
            return "(" + e(integer) + " * " + e(integer) + " - " + e(integer) + ")";
          case 2:
            return "(" + e(integer) + (chance(80) ? " / 3)" : " / " + e(integer) + ")");
          case 3:
            return "sum(" + e(numbers) + ")";
          case 4:
            return (chance(50) ? "maximum({1} ++ " : "reduce1-plus({1} ++ ") + e(numbers) + ")";
          case 5:
            return "#(" + e(snesl::sequence_of(type(1))) + ")";
          case 6:
            return "#(" + e(snesl::vector_of(concrete(1))) + ")";
          case 7:
            return "int(" + e(boolean) + ")";
          case 8:
            return "(" + e(boolean) + " ? " + e(integer) + " : " + e(integer) + ")";
          default:
            return std::to_string(pick(5));
        }
      case Prim::Bool:
        if (depth <= 0) return chance(50) ? "true" : "false";
        switch (pick(6)) {
          case 0:
            return "(" + e(integer) + " < " + e(integer) + ")";
          case 1:
            return "(" + e(integer) + " == " + e(integer) + ")";
          case 2:
            return "(" + e(boolean) + " && " + e(boolean) + ")";
          case 3:
            return "!(" + e(boolean) + ")";
          case 4:
            return "empty(" + e(snesl::sequence_of(type(1))) + ")";
          default:
            return "reduce-or(" + e(numbers) + ")";
        }
      case Prim::Real:
        if (depth <= 0) return std::to_string(pick(4)) + ".25";
        switch (pick(4)) {
          case 0:
            return "real(" + e(integer) + ")";
          case 1:
            return "(" + e(real) + " / " + e(real) + ")";
          case 2:
            return "sum(" + e(numbers) + ")";
          default:
            return "(" + e(real) + " - " + e(real) + ")";
        }
      case Prim::Unit:
      case Prim::Char:
        return depth > 1 ? "char(97 + " + small(scope, depth - 1) + ")"
                         : "'" + std::string(1, static_cast<char>('a' + pick(4))) + "'";
    }
    throw Bug("an atom of no type");
  }

  std::string sequence(const Type& t, const Scope& scope, int depth) {
    const Type whole = snesl::sequence_of(t);
    const auto e = [&](const Type& type) { return expression(type, scope, depth - 1); };
    if (depth <= 0) return "{" + expression(t, scope, depth - 1) + "}";
    switch (pick(16)) {
      case 0:
        return "{" + e(t) + ", " + e(t) + "}";
      case 1:
        return "{" + e(t) + " | " + e(boolean) + "}";
      case 2:
        return "(" + e(whole) + " ++ " + e(whole) + ")";
      case 3:
        return "concat(" + e(snesl::sequence_of(whole)) + ")";
      case 4:
        if (snesl::is_concrete(t)) return "seq(" + e(snesl::vector_of(t)) + ")";
        break;
      case 5:
        if (t == integer) return "&" + small(scope, depth - 1);
        break;
      case 6:
        if (t == integer) return "scan-plus(" + e(whole) + ")";
        if (t == boolean) return "tail_flags(" + e(snesl::sequence_of(type(1))) + ")";
        break;
      case 7:
        if (t == integer) return "scan-max(" + e(whole) + ")";
        if (t == boolean) return "scan-or(" + e(whole) + ")";
        break;
      case 8:
        if (const auto* tuple = snesl::as<snesl::TupleType>(t)) {
          if (chance(20))
            return "zip(" + e(snesl::sequence_of(tuple->items[0])) + ", " + e(snesl::sequence_of(tuple->items[1])) +
                   ")";
          return "zip(unzip(" + e(whole) + ").1, unzip(" + e(whole) + ").2)";
        }
        if (const auto* inner = snesl::as<snesl::SequenceType>(t))
          return "sep(" + e(snesl::sequence_of(snesl::tuple({*inner->element, boolean}))) + ")";
        break;
      case 9:
        if (const auto* inner = snesl::as<snesl::SequenceType>(t)) {
          const std::string flags =
              chance(70) ? "concat({{false, true} : x in s})" : "{x == 1 : x in scan-plus({1 : _ in s})}";
          return "(let s = " + e(snesl::sequence_of(*inner->element)) + " in flagpart(s, " + flags + "))";
        }
        break;
      default:
        break;
    }
    const std::string x = fresh();
    const Type element = chance(60) ? integer : type(1);
    const std::string from = expression(snesl::sequence_of(element), scope, depth - 1);
    const Scope body = with(inside(scope), x, element);
    const std::string filter =
        chance(30) && snesl::is_concrete(element) ? " | " + expression(boolean, body, depth - 2) : "";
    return "{" + expression(t, body, depth - 1) + " : " + x + " in " + from + filter + "}";
  }

  std::mt19937_64 random_;
  int next_ = 0;
};

}  // namespace

TEST_CASE("random programs compute what they mean, translated and after every optimisation") {
  const int programs = 120;
  int trapped = 0, ran = 0, chunks = 0, waiting = 0, gathers = 0, accepted = 0;
  for (int seed = 0; seed < programs; ++seed) {
    const Case c{Generator(static_cast<std::uint64_t>(seed)).program(),
                 {seed % 2 ? "3" : "1", "[3, 0, 2]", "[[1, 2], [], [0, 2, 4]]"}};
    INFO("seed " << seed << ": " << c.program);
    const Prepared p = prepare(c);
    REQUIRE(svcode::check(p.streams).empty());
    const Outcome expected = meaning(p);
    (expected.shown.starts_with("trap") ? trapped : ran) += 1;
    const auto compare = [&](const std::string& stage, const svcode::Program& s) {
      INFO(stage << "\n" << svcode::print(s));
      const Outcome now = eager(s, p);
      // Which of several traps comes first is free.
      if (expected.shown.starts_with("trap"))
        REQUIRE(now.shown.starts_with("trap"));
      else
        REQUIRE(now == expected);
    };
    const auto compare_chunked = [&](const svcode::Program& s) {
      for (const auto& [chunk, slack] : {std::pair{1, 0}, {1, 8}, {3, 0}}) {
        svcode::ChunkOptions options{chunk, std::vector<std::int64_t>(s.instructions.size(), slack)};
        options.order = svcode::ChunkOptions::Order::Random;
        options.seed = static_cast<std::uint64_t>(seed);
        INFO("chunk " << chunk << ", slack " << slack << "\n" << svcode::print(s));
        const Outcome now = chunked(s, p, options);
        ++chunks;
        if (now.shown.starts_with("deadlock")) {
          ++waiting;  // not every program is streamable
        } else if (expected.shown.starts_with("trap")) {
          REQUIRE(now.shown.starts_with("trap"));
        } else {
          REQUIRE(now == expected);
        }
      }
    };
    compare("flatten", p.streams);
    compare_chunked(p.streams);
    gathers += count(p.streams, svcode::Opcode::Gather);
    const auto streams = [](const svcode::Program& s) { return analyse(s).has_value(); };
    const bool streamable = streams(p.streams);
    accepted += streamable;
    svcode::Program now = p.streams;
    svcode::Counts before, after;
    for (const Stage& stage : simplifications(streams)) {
      compare(stage.name + " alone", apply(stage, p.streams));
      const svcode::Program next = apply(stage, now);
      REQUIRE(svcode::check(next).empty());
      compare(stage.name, next);
      before = after = {};
      eager(now, p, {}, &before);
      eager(next, p, {}, &after);
      REQUIRE(after.work <= before.work);
      if (streamable) {
        INFO(stage.name << "\n" << svcode::print(now) << "becomes\n" << svcode::print(next));
        const auto slack = analyse(next);
        REQUIRE(slack);
        REQUIRE_FALSE(chunked(next, p, {1, *slack}).shown.starts_with("deadlock"));
      }
      now = next;
    }
    compare_chunked(now);
    // Without the question whether it streams, for a program that is run eagerly.
    compare("all unasked", simplify(p.streams));
  }
  CHECK(ran > programs / 2);
  CHECK(trapped > programs / 50);
  CHECK(waiting > 0);
  CHECK(waiting < chunks / 4);
  CHECK(accepted > programs / 2);
  CHECK(gathers > programs / 4);
}

}  // namespace flatten_random_test
