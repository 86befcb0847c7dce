// Values as streams: the thesis's examples of §2.3.1, random round trips, and leaves that do not fit.
#include <catch2/catch.hpp>
#include <random>

#include "semantics/svcode/program.h"

namespace snesl_represent_test {
using namespace lockstep;
using namespace lockstep::snesl;
using snesl::SequenceType;
using snesl::TupleType;
using snesl::Type;
using snesl::Value;
using snesl::VectorType;
using svcode::Stream;

namespace {

Value num(std::int64_t n) { return atom_value(int_atom(n)); }
Value nums(const std::vector<std::int64_t>& ns, Value (*make)(Values)) {
  Values items;
  for (const auto n : ns) items.push_back(num(n));
  return make(std::move(items));
}
Stream ints(const std::vector<std::int64_t>& ns) {
  Stream s;
  for (const auto n : ns) s.push_back(int_atom(n));
  return s;
}
Stream flags(const std::string& text) {
  Stream s;
  for (const char c : text) s.push_back(bool_atom(c == 'T'));
  return s;
}

struct Random {
  std::mt19937 bits;
  std::size_t below(std::size_t n) { return bits() % n; }

  Type type(int depth, bool concrete) {
    const std::size_t kind = depth == 0 ? 0 : below(concrete ? 3 : 4);
    if (kind == 0) return prim(static_cast<Prim>(1 + below(4)));
    if (kind == 2) return vector_of(type(depth - 1, true));
    if (kind == 3) return sequence_of(type(depth - 1, false));
    std::vector<Type> items;
    for (std::size_t n = below(4); n > 0; --n) items.push_back(type(depth - 1, concrete));
    return tuple(std::move(items));
  }

  Value value(const Type& t) {
    if (const Prim* p = as<Prim>(t)) {
      if (*p == Prim::Real) return atom_value(real_atom(static_cast<double>(bits()) / 7));
      return atom_value(Atom{*p, static_cast<std::int64_t>(*p == Prim::Bool ? below(2) : below(256))});
    }
    Values items;
    if (const auto* tup = as<TupleType>(t)) {
      for (const Type& item : tup->items) items.push_back(value(item));
      return tuple_value(std::move(items));
    }
    const auto* vector = as<VectorType>(t);
    const Type& element = vector ? *vector->element : *as<SequenceType>(t)->element;
    for (std::size_t n = below(4); n > 0; --n) items.push_back(value(element));
    return vector ? vector_value(std::move(items)) : sequence_value(std::move(items));
  }
};

// For each leaf of a type whether its length follows from the others: not so under a vector, whose base may have more.
void fixed_lengths(const Type& t, bool under_vector, std::vector<bool>& fixed) {
  if (as<Prim>(t)) fixed.push_back(!under_vector);
  if (const auto* tup = as<TupleType>(t))
    for (const Type& item : tup->items) fixed_lengths(item, under_vector, fixed);
  if (const auto* v = as<VectorType>(t)) {
    fixed_lengths(*v->element, true, fixed);
    fixed.insert(fixed.end(), 2, !under_vector);
  }
  if (const auto* s = as<SequenceType>(t)) {
    fixed_lengths(*s->element, false, fixed);
    fixed.push_back(true);
  }
}

const Type ints_vector = vector_of(prim(Prim::Int));

}  // namespace

TEST_CASE("a nested vector is its base, starts and lengths", "[snesl][represent]") {
  const Value v = vector_value(
      {nums({3, 1, 4}, vector_value), nums({}, vector_value), nums({1}, vector_value), nums({5, 9}, vector_value)});
  const auto leaves = svcode::represent({v}, vector_of(ints_vector));
  const std::vector<Stream> expected{ints({3, 1, 4, 1, 5, 9}), ints({0, 3, 3, 4}), ints({3, 0, 1, 2}), ints({0}),
                                     ints({4})};
  CHECK(leaves == expected);
}

TEST_CASE("a nested sequence is its elements and a descriptor for each level", "[snesl][represent]") {
  const Value s = sequence_value({nums({3, 1, 4}, sequence_value), nums({}, sequence_value), nums({1}, sequence_value),
                                  nums({5, 9}, sequence_value)});
  const auto leaves = svcode::represent({s}, sequence_of(sequence_of(prim(Prim::Int))));
  CHECK(leaves == std::vector<Stream>{ints({3, 1, 4, 1, 5, 9}), flags("FFFTTFTFFT"), flags("FFFFT")});
}

TEST_CASE("several values share the streams of one type, and of () there is none", "[snesl][represent]") {
  const Type pairs = sequence_of(tuple({prim(Prim::Int), tuple({})}));
  const auto pair = [](std::int64_t n) { return tuple_value({num(n), tuple_value({})}); };
  const auto leaves = svcode::represent({sequence_value({pair(1), pair(2)}), sequence_value({})}, pairs);
  CHECK(leaves == std::vector<Stream>{ints({1, 2}), flags("FFTT")});
  CHECK(svcode::value_of({ints({1, 2}), flags("FFT")}, pairs) == sequence_value({pair(1), pair(2)}));
  CHECK(svcode::value_of({flags("FFT")}, sequence_of(tuple({}))) == sequence_value({tuple_value({}), tuple_value({})}));
  CHECK(svcode::value_of({}, tuple({})) == tuple_value({}));
}

TEST_CASE("a vector that is not canonical: permuted, shared, with elements that nothing reads", "[snesl][represent]") {
  const Value expected = vector_value(
      {nums({3, 1, 4}, vector_value), nums({}, vector_value), nums({1}, vector_value), nums({5, 9}, vector_value)});
  CHECK(svcode::value_of({ints({7, 5, 9, 3, 1, 4}), ints({3, 0, 4, 1}), ints({3, 0, 1, 2}), ints({0}), ints({4})},
                         vector_of(ints_vector)) == expected);
  // Of a million overlapping slices one is asked for: what nothing reads is not made.
  const std::int64_t n = 1'000'000;
  const Stream base(static_cast<std::size_t>(n), int_atom(1));
  Stream lengths = ints({});
  for (std::int64_t i = 0; i < n; ++i) lengths.push_back(int_atom(i));
  const Value one =
      svcode::value_of({base, Stream(base.size(), int_atom(0)), lengths, ints({3}), ints({1})}, vector_of(ints_vector));
  CHECK(show(one) == "[[1, 1, 1]]");
}

TEST_CASE("random values survive the way to streams and back", "[snesl][represent]") {
  Random random{std::mt19937(11)};
  for (int i = 0; i < 2000; ++i) {
    const Type t = random.type(4, false);
    const Value v = random.value(t);
    INFO(show(t) << " " << show(v));
    const auto leaves = svcode::represent({v}, t);
    CHECK(svcode::value_of(leaves, t) == v);
    std::vector<bool> fixed;
    fixed_lengths(t, false, fixed);
    REQUIRE(fixed.size() == leaves.size());
    for (std::size_t k = 0; k < leaves.size(); ++k) {  // one element too many
      auto damaged = leaves;
      damaged[k].push_back(damaged[k].empty() ? Atom{} : damaged[k].front());
      if (fixed[k])
        CHECK_THROWS_AS(svcode::value_of(damaged, t), Bug);
      else
        CHECK(svcode::value_of(damaged, t) == v);
    }
  }
}

TEST_CASE("streams that represent nothing are a bug", "[snesl][represent]") {
  const Type sequence = sequence_of(prim(Prim::Int));
  const auto bad = [](const std::vector<Stream>& leaves, const Type& t) {
    CHECK_THROWS_AS(svcode::value_of(leaves, t), Bug);
  };
  bad({ints({1})}, sequence);                                   // a leaf is missing
  bad({ints({1}), flags("FF")}, sequence);                      // no end
  bad({ints({1}), flags("TF")}, sequence);                      // an element after the end
  bad({ints({1}), flags("TFT")}, sequence);                     // two values
  bad({ints({1, 2}), flags("FT")}, sequence);                   // more elements than flags
  bad({ints({1}), flags("FFT")}, sequence);                     // fewer
  bad({ints({1}), ints({0})}, sequence);                        // no flags
  bad({flags("F"), flags("FT")}, sequence);                     // elements of another type
  bad({ints({1, 2})}, prim(Prim::Int));                         // two atoms
  bad({ints({}), ints({0}), ints({1})}, ints_vector);           // a slice past the base
  bad({ints({1}), ints({-1}), ints({1})}, ints_vector);         // before it
  bad({ints({1}), ints({1}), ints({INT64_MAX})}, ints_vector);  // far past it
  bad({ints({1}), ints({0, 0}), ints({1})}, ints_vector);       // starts and lengths differ
  CHECK_THROWS_AS(svcode::represent({num(1)}, prim(Prim::Real)), Bug);
  CHECK_THROWS_AS(svcode::represent({num(1)}, ints_vector), Bug);
  CHECK_THROWS_AS(svcode::represent({nums({1}, vector_value)}, sequence), Bug);
  CHECK_THROWS_AS(svcode::represent({tuple_value({num(1)})}, tuple({prim(Prim::Int), prim(Prim::Int)})), Bug);
}

TEST_CASE("the leaves of a tree are read left to right, and a unit has none", "[snesl][represent]") {
  svcode::Tree t;
  svcode::Tree unit;
  unit.unit = true;
  svcode::Tree inner;
  inner.children = {svcode::Tree{3, {}, false}, unit, svcode::Tree{1, {}, false}};
  t.children = {svcode::Tree{2, {}, false}, inner};
  CHECK(svcode::leaves_of(t) == std::vector<svcode::StreamId>{2, 3, 1});
  CHECK(svcode::leaves_of(unit).empty());
}

}  // namespace snesl_represent_test
