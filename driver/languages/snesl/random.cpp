// Random values.
#include "driver/languages/snesl/random.h"

#include <algorithm>

#include "driver/languages/snesl/leaves.h"

namespace lockstep::driver {

using props::RandomKind;
using snesl::Prim;
using snesl::Type;
using snesl::Value;

namespace {

bool is_number(const Type& t) { return t == snesl::prim(Prim::Int) || t == snesl::prim(Prim::Real); }

bool of_numbers(const Type& t) {
  if (const Type* element = element_of(t)) return of_numbers(*element);
  const auto* tuple = snesl::as<snesl::TupleType>(t);
  return tuple ? !tuple->items.empty() && std::all_of(tuple->items.begin(), tuple->items.end(), of_numbers)
               : is_number(t);
}

Value collected(const Type& type, snesl::Values elements) {
  return snesl::as<snesl::VectorType>(type) ? snesl::vector_value(std::move(elements))
                                            : snesl::sequence_value(std::move(elements));
}

}  // namespace

std::optional<std::string> refused(RandomKind kind, const Type& type) {
  const bool rows = of_numbers(type) && rank_of(type).value_or(0) >= 1;
  switch (kind) {
    case RandomKind::Any:
      return {};
    case RandomKind::Positive:
      if (of_numbers(type)) return {};
      return "Ints or Reals, such as Int, [Real] or {(Int, Real)}";
    case RandomKind::Sorted:
    case RandomKind::Distinct:
      if (rows) return {};
      return "a vector or sequence of numbers, such as [Int] or {Real}";
    case RandomKind::Permutation:
      if (rows && scalar_in(type) == Prim::Int) return {};
      return "a vector or sequence of Ints, such as [Int]";
    case RandomKind::Spd:
      if (rows && rank_of(type) == 2 && scalar_in(type) == Prim::Real) return {};
      return "a matrix of Reals, such as [[Real]]";
  }
  throw Bug("a kind of random values that no type is asked of");
}

unsigned char RandomValues::character() {
  static constexpr std::string_view common = "ab ab1, \n\t-";
  return below(16) == 0 ? static_cast<unsigned char>(below(256))
                        : static_cast<unsigned char>(common[static_cast<std::size_t>(below(std::ssize(common)))]);
}

snesl::Atom RandomValues::atom(Prim p) {
  switch (p) {
    case Prim::Unit:
      return snesl::unit_atom();
    case Prim::Bool:
      return snesl::bool_atom(below(2) == 1);
    case Prim::Int:
      return snesl::int_atom(below(12) == 0 ? -1 - below(4) : below(8));
    case Prim::Real:
      return snesl::real_atom(static_cast<double>(below(64) - 16) / 4);
    case Prim::Char:
      return snesl::char_atom(character());
  }
  throw Bug("a random value of no type");
}

RandomValues::RandomValues(std::uint64_t seed, int longest)
    : engine_(seed), length_([this, longest](const Type&, std::size_t) { return below(longest + 1); }) {}

snesl::Values RandomValues::elements(const Type& type, RandomKind kind) {
  const std::int64_t n = length_(type, depth_++);
  snesl::Values out;
  out.reserve(static_cast<std::size_t>(n));
  while (std::ssize(out) < n) out.push_back(value(*element_of(type), kind));
  --depth_;
  return out;
}

Value RandomValues::value(const snesl::Type& type) {
  return match(
      type.node, [&](Prim p) { return snesl::atom_value(atom(p)); },
      [&](const snesl::TupleType& t) {
        snesl::Values items;
        for (const snesl::Type& item : t.items) items.push_back(value(item));
        return snesl::tuple_value(std::move(items));
      },
      [&](const snesl::VectorType&) { return snesl::vector_value(elements(type, RandomKind::Any)); },
      [&](const snesl::SequenceType&) { return snesl::sequence_value(elements(type, RandomKind::Any)); });
}

snesl::Values RandomValues::row(const Type& type, RandomKind kind) {
  const Prim p = std::get<Prim>(element_of(type)->node);
  const std::int64_t n = length_(type, depth_);
  props::Random random(engine_());
  snesl::Values out;
  const auto add = [&](const auto& numbers) {
    for (const auto x : numbers)
      out.push_back(snesl::atom_value(p == Prim::Int ? snesl::int_atom(static_cast<std::int64_t>(x))
                                                     : snesl::real_atom(static_cast<double>(x))));
  };
  if (kind == RandomKind::Permutation) {
    add(props::permutation(n, random));
  } else if (kind == RandomKind::Distinct) {
    p == Prim::Int ? add(props::distinct_integers(n, INT64_MIN, INT64_MAX, random))
                   : add(props::distinct_floats(n, 53, random));
  } else {
    std::vector<double> numbers;
    for (std::int64_t k = 0; k < n; ++k)
      numbers.push_back(p == Prim::Int ? static_cast<double>(below(16) - 4) : static_cast<double>(below(64) - 16) / 4);
    std::sort(numbers.begin(), numbers.end());
    add(numbers);
  }
  return out;
}

Value RandomValues::matrix(const Type& type, const Type& row) {
  const auto n = static_cast<std::size_t>(length_(type, depth_));
  props::Random random(engine_());
  std::vector<double> numbers(n * n);
  props::positive_definite(static_cast<std::int64_t>(n), 53, random, [&](std::int64_t i, std::int64_t j, double x) {
    numbers[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)] = x;
  });
  snesl::Values rows;
  for (std::size_t i = 0; i < n; ++i) {
    snesl::Values elements;
    for (std::size_t j = 0; j < n; ++j) elements.push_back(snesl::atom_value(snesl::real_atom(numbers[i * n + j])));
    rows.push_back(collected(row, std::move(elements)));
  }
  return collected(type, std::move(rows));
}

Value RandomValues::value(const Type& type, RandomKind kind) {
  if (kind == RandomKind::Any) return value(type);
  if (type == snesl::prim(Prim::Int)) return snesl::atom_value(snesl::int_atom(1 + below(8)));
  if (type == snesl::prim(Prim::Real))
    return snesl::atom_value(snesl::real_atom(static_cast<double>(1 + below(32)) / 4));
  if (const auto* t = snesl::as<snesl::TupleType>(type)) {
    snesl::Values items;
    for (const Type& item : t->items) items.push_back(value(item, kind));
    return snesl::tuple_value(std::move(items));
  }
  const Type* element = element_of(type);
  if (!element) throw Bug("a value of a kind that its type has not");
  if (kind == RandomKind::Spd) return matrix(type, *element);
  if (kind != RandomKind::Positive && is_number(*element)) return collected(type, row(type, kind));
  return collected(type, elements(type, kind));
}

std::string RandomValues::file() {
  std::string out;
  const std::int64_t kind = below(6), size = below(2) == 0 ? below(12) : below(90);
  if (kind == 0) return out;
  for (std::int64_t k = 0; k < size; ++k)
    out += static_cast<char>(kind == 1 ? static_cast<unsigned char>(below(256)) : character());
  if (kind > 3) out += '\n';
  return out;
}

std::string RandomValues::text(std::int64_t length) {
  std::string out(static_cast<std::size_t>(length), '\n');
  for (std::size_t k = 0; k + 1 < out.size(); ++k) out[k] = static_cast<char>(character());
  return out;
}

props::stream::KeptFiles made_up_files(std::uint64_t seed) {
  return props::stream::KeptFiles([seed](const std::string& name, const Region&) {
    std::uint64_t h = seed;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
    RandomValues random(h);
    return random.file();
  });
}

}  // namespace lockstep::driver
