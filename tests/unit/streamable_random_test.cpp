// Random programs over sequences that are used several times: what is accepted never deadlocks, with chunks of one and
// the slack that was found, translated and simplified; what is refused mostly does.
#include <random>

#include "snesl_streams.h"
#include "translate/simplify/simplify.h"
#include "translate/streamability/streamable.h"

namespace streamable_random_test {
using namespace lockstep;
using namespace lockstep::streaming;
using namespace lockstep::streaming::test;
using streaming::test::Outcome;

namespace {

// Text of the types Int, {Int} and {{Int}}, over n and what `let` has bound.
class Programs {
 public:
  explicit Programs(unsigned seed) : random_(seed) {}

  std::string program() {
    names_ = 0;
    ints_ = {"n"}, sequences_.clear(), nested_.clear();
    std::string lets;
    for (int k = 1 + below(4); k > 0; --k) {
      const int kind = below(5);
      const std::string name = fresh("v");
      const std::string value = kind < 3 ? sequence(3) : kind == 3 ? nested(3) : integer(3);
      (kind < 3 ? sequences_ : kind == 3 ? nested_ : ints_).push_back(name);
      lets += (lets.empty() ? "let " : "; ") + name + " = " + value;
    }
    return "fun f(n) = " + lets + " in (" + sequence(2) + ", " + (below(2) ? nested(2) : integer(2)) + ")\n";
  }
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

 private:
  using Names = std::vector<std::string>;
  std::string fresh(const std::string& name) { return name + std::to_string(names_++); }
  const std::string& one_of(const Names& names) {
    return names[static_cast<std::size_t>(below(static_cast<int>(names.size())))];
  }

  std::string scalar(const Names& elements) {
    Names all = ints_;
    all.insert(all.end(), elements.begin(), elements.end());
    all.push_back(std::to_string(below(4)));
    return "(" + one_of(all) + (below(2) ? " + " : " * ") + one_of(all) + ")";
  }
  std::string condition(const std::string& x) {
    return scalar({x}) + " % " + std::to_string(2 + below(3)) + (below(2) ? " == 1" : " != 1");
  }
  std::string flag(int depth) {
    return below(3) ? integer(depth) + " > " + std::to_string(below(9))
                    : (below(2) ? "empty(" : "!empty(") + sequence(depth) + ")";
  }
  std::string integer(int depth) {
    if (depth <= 0 || below(3) == 0) return one_of(ints_);
    switch (below(3)) {
      case 0:
        return "sum(" + sequence(depth - 1) + ")";
      case 1:
        return "#" + sequence(depth - 1);
      default:
        return "(if " + flag(depth - 1) + " then " + integer(depth - 1) + " else " + integer(depth - 1) + ")";
    }
  }
  // In step with s: as long, and known with it or one element later.
  std::string beside(const std::string& s) {
    const std::string x = fresh("x");
    switch (below(3)) {
      case 0:
        return "{int(" + x + ") : " + x + " in tail_flags(" + s + ")}";
      case 1:
        return "scan-plus(" + s + ")";
      default:
        return "{" + scalar({x}) + " : " + x + " in " + s + "}";
    }
  }
  std::string sequence(int depth) {
    if (!sequences_.empty() && below(3) == 0) return one_of(sequences_);
    if (depth <= 0) return "&(abs(" + one_of(ints_) + ") % 19)";
    const std::string x = fresh("x"), y = fresh("y"), s = fresh("s");
    switch (below(14)) {
      case 0:
        return "&(abs(" + integer(depth - 1) + ") % 23)";
      case 1:
        return "{" + scalar({x}) + " : " + x + " in " + sequence(depth - 1) + "}";
      case 2:
      case 3:
        return "{" + x + " : " + x + " in " + sequence(depth - 1) + " | " + condition(x) + "}";
      case 4:
        return "(" + sequence(depth - 1) + " ++ " + sequence(depth - 1) + ")";
      case 5:
        return "(" + sequence(depth - 1) + " ++ {" + integer(depth - 1) + "})";
      case 6:
        return "scan-plus(" + sequence(depth - 1) + ")";
      case 7:
        return "(if " + flag(depth - 1) + " then " + sequence(depth - 1) + " else " + sequence(depth - 1) + ")";
      case 8:
        return "concat(" + nested(depth - 1) + ")";
      case 9:
        return "{sum(" + x + ") : " + x + " in " + nested(depth - 1) + "}";
      case 10:
        return "seq(tab(" + sequence(depth - 1) + "))";
      case 11:
        return "(let " + s + " = " + sequence(depth - 1) + " in {" + scalar({x, y}) + " : " + x + " in " + s + "; " +
               y + " in " + beside(s) + "})";
      case 12:
        return "{if " + condition(x) + " then " + scalar({x}) + " else " + x + " : " + x + " in " +
               sequence(depth - 1) + "}";
      default:
        return "{" + scalar({x, y}) + " : " + x + " in " + sequence(depth - 1) + "; " + y + " in " +
               sequence(depth - 1) + "}";
    }
  }
  std::string nested(int depth) {
    if (!nested_.empty() && below(3) == 0) return one_of(nested_);
    const std::string x = fresh("x"), q = fresh("q"), s = fresh("s"), k = fresh("k");
    if (depth <= 0) return "{&(abs(" + x + ") % 4) : " + x + " in " + sequence(0) + "}";
    switch (below(8)) {
      case 0:
      case 1:
        return "sep({(" + x + ", " + condition(x) + ") : " + x + " in " + sequence(depth - 1) + "})";
      case 2:
        return "{&(abs(" + scalar({x}) + ") % 5) : " + x + " in " + sequence(depth - 1) + "}";
      case 3:
        return "{" + sequence(depth - 1) + ", " + sequence(depth - 1) + "}";
      case 4:
        return "(" + nested(depth - 1) + " ++ " + nested(depth - 1) + ")";
      case 5:
        return "(if " + flag(depth - 1) + " then " + nested(depth - 1) + " else " + nested(depth - 1) + ")";
      case 6:
        return "{{" + scalar({x}) + " : " + x + " in " + q + " | " + condition(x) + "} : " + q + " in " +
               nested(depth - 1) + "}";
      default: {
        const std::string numbers =
            below(2) ? "scan-plus({1 : _ in " + s + "})" : "{sum(" + x + ") : " + x + " in " + s + "}";
        return "(let " + s + " = " + nested(depth - 1) + " in {{" + x + " + " + k + " : " + x + " in " + q +
               "} : " + q + " in " + s + "; " + k + " in " + numbers + "})";
      }
    }
  }

  std::mt19937 random_;
  int names_ = 0;
  Names ints_, sequences_, nested_;
};

struct Tally {
  int accepted = 0, refused = 0, deadlocked = 0;
};

void runs(const Prepared& p, const svcode::Program& s, const std::vector<std::int64_t>& slack,
          const Outcome& expected) {
  using Order = svcode::ChunkOptions::Order;
  for (const std::int64_t chunk : {1, 3})
    for (const Order order : {Order::Loop, Order::Random}) CHECK(chunked(s, p, {chunk, slack, order, 5}) == expected);
}

void try_one(const Case& c, Tally& tally) {
  INFO(c.program);
  INFO(c.arguments[0]);
  const Prepared p = prepare(c);
  const Outcome expected = meaning(p);
  const auto verdict = analyse(p.streams);
  if (!verdict) {
    ++tally.refused;
    const std::vector<std::int64_t> little(p.streams.instructions.size(), 1);
    tally.deadlocked +=
        chunked(p.streams, p, {1, little, svcode::ChunkOptions::Order::Loop, 0}).shown.starts_with("deadlock");
    return;
  }
  ++tally.accepted;
  runs(p, p.streams, *verdict, expected);
  const auto streams = [](const svcode::Program& s) { return analyse(s).has_value(); };
  const svcode::Program simple = simplify(p.streams, streams);
  runs(p, simple, got(analyse(simple)), expected);
}

}  // namespace

TEST_CASE("no program that is accepted deadlocks, at the top and lifted; most that are refused do") {
  Programs programs(4);
  Tally tally;
  for (int k = 0; k < 250; ++k) {
    const std::string f = programs.program();
    try_one({f, {std::to_string(3 + programs.below(40))}}, tally);
    try_one({f + "fun g(ns) = {f(n) : n in ns}\n", {programs.below(2) ? "{3, 0, 17, 8}" : "{1, 1, 25}"}}, tally);
  }
  INFO(tally.accepted << " accepted, " << tally.refused << " refused, of which " << tally.deadlocked << " deadlock");
  CHECK(tally.accepted > 2 * tally.refused);
  CHECK(tally.refused > 50);
  CHECK(tally.deadlocked > tally.refused / 2);
}

}  // namespace streamable_random_test
