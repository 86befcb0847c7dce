// What the streamability analysis finds, drawn: the README's pictures are what is computed, and the order in which they
// show events keeps every constraint. And its kinds of numbers do not mix.
#include <fstream>
#include <sstream>

#include "streamable_programs.h"
#include "translate/streamability/draw.h"
#include "translate/streamability/schedule.h"
#include "translate/streamability/solve.h"

namespace streamable_picture_test {
using namespace lockstep;
using namespace lockstep::streaming;
using namespace lockstep::streaming::test;

namespace {

const std::string readme_file = LOCKSTEP_SOURCE_DIR "/translate/streamability/README.md";

std::string content_of(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// The text with what is computed of each program in the block after it.
struct Pictures {
  std::string text;
  int count = 0;
};
Pictures with_pictures(const std::string& text) {
  const std::string program_begins = "```snesl\n", block_begins = "\n```\n", block_ends = "```\n";
  Pictures out;
  std::size_t at = 0;
  for (std::size_t begin; (begin = text.find(program_begins, at)) != std::string::npos; ++out.count) {
    begin += program_begins.size();
    const std::size_t end = text.find(block_ends, begin);
    const std::size_t picture = text.find(block_begins, end + block_ends.size()) + block_begins.size();
    const std::string program = text.substr(begin, end - begin);
    out.text += text.substr(at, picture - at);
    out.text += drawn(prepare({program.substr(0, program.size() - 1), {"{1,4,2}"}}).streams).substr(1);
    at = text.find(block_ends, picture);
  }
  out.text += text.substr(at);
  return out;
}

// Constraints that the order of the events breaks, and events that it lacks.
int broken(const Analysis& a, const std::vector<Moment>& order) {
  const Classes<Event> events = events_of(a.order);
  std::map<Event, std::size_t> place;
  for (std::size_t k = 0; k < order.size(); ++k) place[events.find(order[k].event)] = k;
  int n = 0;
  for (const Edge& e : a.order.edges()) {
    const auto u = place.find(events.find(e.from)), v = place.find(events.find(e.to));
    n += u == place.end() || v == place.end() || u->second >= v->second;
  }
  return n;
}

template <class A, class B>
concept Mixed = std::is_convertible_v<A, B> || std::is_constructible_v<B, A> || std::is_assignable_v<B&, A> ||
    requires(A a, B b) {
  a == b;
};
template <class I, class... Others>
constexpr bool mixes = (Mixed<I, Others> || ...) || (Mixed<Others, I> || ...);

}  // namespace

TEST_CASE("the README's pictures are what is computed; update-golden writes them anew") {
  const std::string readme = content_of(readme_file);
  const Pictures p = with_pictures(readme);
  CHECK(p.count == 3);
  if (const char* update = std::getenv("UPDATE_GOLDEN"); update && std::string(update) == "1")
    std::ofstream(readme_file) << p.text;
  else
    CHECK(readme == p.text);
}

TEST_CASE("a picture that says anything else is found") {
  const std::string readme = content_of(readme_file);
  for (const std::string what : {"T1.end --s3--> s3", "C2     the flags of C1", "1    0"}) {
    INFO(what);
    std::string wrong = readme;
    const std::size_t at = readme.find(what);
    REQUIRE(at != std::string::npos);
    wrong.replace(at, 2, "C9");
    CHECK(with_pictures(wrong).text == readme);
    CHECK(with_pictures(wrong).text != wrong);
  }
}

TEST_CASE("what streams has an order that keeps every constraint; what has a circle has none") {
  int compared = 0;
  for (const Case& c : accepted) {
    INFO(c.program);
    const Prepared p = prepare(c);
    Analysis a(p.streams);
    constrain(a);
    const std::vector<Moment> order = schedule(a);
    CHECK(broken(a, order) == 0);
    CHECK(broken(a, {order.rbegin(), order.rend()}) == static_cast<int>(a.order.edges().size()));
    ++compared;
  }
  CHECK(compared > 20);
  const Prepared p = prepare({"fun f(s) = let m = sum(s) in {x - m : x in s}", {"{1}"}});
  Analysis a(p.streams);
  constrain(a);
  CHECK(circle_in(a.order));
  CHECK(broken(a, schedule(a)) > 0);
}

TEST_CASE("a clock that is not known yet is not drawn as one") {
  const std::string picture = drawn(prepare({"fun f(s) = zip(s, {x : x in s | x > 0})", {"{1}"}}).streams);
  CHECK(picture.find("s10     map_eq s2 s9   ?") != std::string::npos);
  CHECK(picture.find("meet element by element") != std::string::npos);
}

TEST_CASE("clocks, traversals, events, values and instructions are numbered by types that do not mix") {
  STATIC_REQUIRE(Mixed<int, long>);
  STATIC_REQUIRE(Mixed<ClockId, ClockId>);
  STATIC_REQUIRE_FALSE(mixes<ClockId, TraversalId, Event, ValueId, InstrIndex>);
  STATIC_REQUIRE_FALSE(mixes<TraversalId, Event, ValueId, InstrIndex>);
  STATIC_REQUIRE_FALSE(mixes<Event, ValueId, InstrIndex>);
  STATIC_REQUIRE_FALSE(mixes<ValueId, InstrIndex>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<ClockId, int> || std::is_convertible_v<int, ClockId>);
}

}  // namespace streamable_picture_test
