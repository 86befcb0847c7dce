// The parts of the streamability analysis, each by itself: the graph of what waits for what, solved; traversals;
// clocks.
#include <catch2/catch.hpp>

#include "translate/streamability/clocks.h"
#include "translate/streamability/constraints.h"
#include "translate/streamability/solve.h"

namespace streamable_parts_test {
using namespace lockstep::streaming;

namespace {

InstrIndex instr(std::size_t k) { return InstrIndex(k); }
Clock source() {
  Clock c;
  c.kind = Clock::Kind::Source;
  c.parent = root_clock;
  return c;
}
Clock sequence(const std::vector<Clock::Traversed>& parts) {
  Clock c;
  c.kind = Clock::Kind::Sequence;
  c.parent = root_clock;
  c.parts = parts;
  return c;
}
const Predicate even{ValueId(7)};

}  // namespace

TEST_CASE("a circle is the one that the earliest instruction closes, and its edges lead round") {
  Order order;
  const Event u = order.add(), v = order.add(), w = order.add();
  order.at(instr(1));
  order.before(u, v);
  order.at(instr(2));
  order.before(v, w);
  CHECK_FALSE(circle_in(order));
  order.at(instr(4));
  order.before(w, u);
  order.at(instr(9));
  order.before(v, u);
  const auto circle = circle_in(order);
  REQUIRE(circle);
  CHECK(circle->closed_by == instr(4));
  REQUIRE(circle->edges.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) CHECK(circle->edges[k].to == circle->edges[(k + 1) % 3].from);
}

TEST_CASE("events that are one close a circle as edges do") {
  Order order;
  const Event u = order.add(), v = order.add();
  order.before(u, v);
  order.at(instr(3));
  order.identify(u, v);
  const auto circle = circle_in(order);
  REQUIRE(circle);
  CHECK(circle->closed_by == instr(3));
  CHECK(leads(order, {u}, {u}));
}

TEST_CASE("an event is as late as the latest way to it, and with it what lies in its iteration") {
  Order order;
  const Event u = order.add(), ahead = order.add(), late = order.add(), beside = order.add(), outer = order.add();
  order.before(u, ahead, 1);
  order.before(ahead, late, 1);
  order.before(u, late);
  order.before(late, outer, other_loop);
  order.together(late, beside);
  const Lags lags = lags_of(order);
  CHECK_FALSE(lags.impossible);
  CHECK(lags.lag[u] == 0);
  CHECK(lags.lag[ahead] == 1);
  CHECK(lags.lag[late] == 2);
  CHECK(lags.lag[beside] == 2);
  CHECK(lags.lag[outer] == 0);
}

TEST_CASE("what waits for the future of its own iteration is never late enough") {
  Order order;
  const Event u = order.add(), v = order.add();
  order.together(u, v);
  CHECK_FALSE(lags_of(order).impossible);
  order.at(instr(5));
  order.before(u, v, 1);
  REQUIRE(lags_of(order).impossible);
  CHECK(lags_of(order).impossible->instr == instr(5));
}

TEST_CASE("slack is what a reader is later than the stream; a circle and a late piece are conflicts") {
  Order order;
  Traversals traversals(order);
  const Event x = order.add(), reader = order.add();
  order.before(x, reader, 2);
  const auto slack = solve(order, traversals, {{instr(1), x, reader}, {instr(0), x, x}}, 3);
  REQUIRE(slack);
  CHECK(*slack == std::vector<std::int64_t>{0, 2, 0});

  const TraversalId pieces = traversals.add();
  order.at(instr(6));
  order.before(reader, traversals[pieces].ready);
  CHECK(solve(order, traversals, {}, 3));
  traversals.cut_up(pieces);
  const auto late = solve(order, traversals, {}, 3);
  REQUIRE_FALSE(late);
  CHECK(std::get<TooLate>(late.error()).meeting == instr(6));

  order.before(reader, x);
  const auto circle = solve(order, traversals, {}, 3);
  REQUIRE_FALSE(circle);
  CHECK(std::holds_alternative<Circle>(circle.error()));
}

TEST_CASE("two traversals that are one have one start and end; parts of one may not wait for parts of the other") {
  Order order;
  Traversals traversals(order);
  const TraversalId a = traversals.add(), b = traversals.add(), s = traversals.add(), t = traversals.add(),
                    u = traversals.add(), v = traversals.add();
  for (const auto& [whole, first, second] : {std::tuple{a, s, t}, std::tuple{b, u, v}}) {
    traversals.contain(whole, first);
    traversals.contain(whole, second);
    traversals.follow(whole, first, second);
  }
  CHECK_FALSE(traversals.merged(a, b));
  order.at(instr(8));
  traversals.merge(a, b);
  CHECK(traversals.merged(a, b));
  CHECK(traversals[a].end == traversals[b].end);
  CHECK(traversals.together(s, v));
  CHECK(solve(order, traversals, {}, 0));
  order.before(traversals[s].end, traversals[v].start);
  const auto waits = solve(order, traversals, {}, 0);
  REQUIRE_FALSE(waits);
  CHECK(std::get<PartsWait>(waits.error()).meeting == instr(8));
}

TEST_CASE("a part by an equal condition is the same clock; what a constant always picks is the whole") {
  Predicates predicates;
  Clocks clocks(predicates);
  const ClockId c = clocks.add(source());
  CHECK(clocks.part(c, even) == clocks.part(c, even));
  CHECK_FALSE(clocks.same(clocks.part(c, even), clocks.part(c, !even)));
  CHECK_FALSE(clocks.same(clocks.part(c, even), c));
  const Predicate yes{ValueId(8)};
  predicates.set_constant(yes, true);
  CHECK(clocks.part(c, yes) == c);
  CHECK(clocks.part(c, !yes) != c);
  CHECK(predicates.constant(!yes) == false);
  CHECK(clocks.picked_from(clocks.part(c, even)) == std::vector<ClockId>{clocks.part(c, even), c});
}

TEST_CASE("sequences of the same parts are one clock; sources are one only when they are united") {
  Predicates predicates;
  Clocks clocks(predicates);
  const ClockId c = clocks.add(source()), d = clocks.add(source());
  const TraversalId t{};
  const ClockId cd = clocks.add(sequence({{c, t}, {d, t}})), again = clocks.add(sequence({{c, t}, {d, t}})),
                dc = clocks.add(sequence({{d, t}, {c, t}}));
  CHECK(clocks.same(cd, again));
  CHECK_FALSE(clocks.same(cd, dc));
  CHECK_FALSE(clocks.same(c, d));
  clocks.unite(c, d);
  CHECK(clocks.same(c, d));
  CHECK(clocks.same(cd, dc));
}

TEST_CASE("a clock of one element for each of another is single within it, and within what that is single in") {
  Predicates predicates;
  Clocks clocks(predicates);
  const ClockId outer = clocks.add(source()), middle = clocks.add(source()), inner = clocks.add(source());
  const TraversalId s(1), t(2);
  CHECK_FALSE(clocks.single_within(inner, outer));
  clocks[inner].single_in = Clock::Around{middle, t};
  CHECK_FALSE(clocks.single_within(inner, outer));
  clocks[middle].single_in = Clock::Around{outer, s};
  CHECK(clocks.single_within(inner, outer).holds);
  CHECK(clocks.single_within(inner, outer).traversals == std::vector<TraversalId>{t, s});
  CHECK_FALSE(clocks.single_within(outer, inner));
  CHECK(clocks.alike(outer, inner));
}

}  // namespace streamable_parts_test
