// Random values.
#include "driver/languages/snesl/random.h"

namespace lockstep::driver {

using snesl::Prim;
using snesl::Value;

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

snesl::Values RandomValues::elements(const snesl::Type& type) {
  snesl::Values out;
  for (std::int64_t n = below(longest_ + 1); n > 0; --n) out.push_back(value(type));
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
      [&](const snesl::VectorType& t) { return snesl::vector_value(elements(*t.element)); },
      [&](const snesl::SequenceType& t) { return snesl::sequence_value(elements(*t.element)); });
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

props::stream::KeptFiles made_up_files(std::uint64_t seed) {
  return props::stream::KeptFiles([seed](const std::string& name, const Region&) {
    std::uint64_t h = seed;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
    RandomValues random(h);
    return random.file();
  });
}

}  // namespace lockstep::driver
