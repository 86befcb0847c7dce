// Values to arrays and back.
#include "driver/languages/snesl/leaves.h"

#include "driver/npy_arguments.h"

namespace lockstep::driver {
namespace {

using snesl::Atom;
using snesl::Prim;
using snesl::Type;
using snesl::Value;

void put(std::vector<unsigned char>& bytes, const void* data, std::size_t size) {
  const auto* p = static_cast<const unsigned char*>(data);
  bytes.insert(bytes.end(), p, p + size);
}

void put(std::vector<unsigned char>& bytes, const Atom& a) {
  if (a.type == Prim::Real || a.type == Prim::Int)
    put(bytes, &a.integer, sizeof a.integer);
  else
    bytes.push_back(static_cast<unsigned char>(a.integer));
}

using Pointers = std::vector<const Value*>;

// The leaves of values of one type that stand in an array of this shape.
void leaves(const Pointers& values, const Type& type, std::vector<std::int64_t> shape, std::vector<ValueLeaf>& out) {
  if (const auto* p = snesl::as<Prim>(type)) {
    ValueLeaf leaf{scalar_of(*p), std::move(shape), {}};
    for (const Value* v : values) put(leaf.bytes, v->atom);
    out.push_back(std::move(leaf));
    return;
  }
  if (const auto* tuple = snesl::as<snesl::TupleType>(type)) {
    for (std::size_t k = 0; k < tuple->items.size(); ++k) {
      Pointers parts;
      for (const Value* v : values) parts.push_back(&(*v)[k]);
      leaves(parts, tuple->items[k], shape, out);
    }
    return;
  }
  Pointers parts;
  bool equal = true;
  for (const Value* v : values) {
    equal = equal && v->size() == values.front()->size();
    for (std::size_t k = 0; k < v->size(); ++k) parts.push_back(&(*v)[k]);
  }
  if (equal) {
    shape.push_back(values.empty() ? 0 : static_cast<std::int64_t>(values.front()->size()));
    return leaves(parts, *element_of(type), std::move(shape), out);
  }
  leaves(parts, *element_of(type), {static_cast<std::int64_t>(parts.size())}, out);
  ValueLeaf lengths{ScalarType::I64, std::move(shape), {}};
  for (const Value* v : values) put(lengths.bytes, snesl::int_atom(static_cast<std::int64_t>(v->size())));
  out.push_back(std::move(lengths));
}

Atom atom_at(const NpyArray& array, std::size_t i, Prim p) {
  Atom a{p, 0};
  if (p == Prim::Int || p == Prim::Real) {
    copy_elements(array, i, 1, scalar_of(p), reinterpret_cast<unsigned char*>(&a.integer));  // of a Real its bits
    return a;
  }
  unsigned char c;
  copy_elements(array, i, 1, scalar_of(p), &c);
  a.integer = c;
  return a;
}

Value collection(const Type& type, snesl::Values items) {
  return snesl::as<snesl::VectorType>(type) ? snesl::vector_value(std::move(items))
                                            : snesl::sequence_value(std::move(items));
}

Value regular(const NpyArray& array, const Type& type, std::size_t depth, std::size_t& at) {
  if (const auto* p = snesl::as<Prim>(type)) return snesl::atom_value(atom_at(array, at++, *p));
  snesl::Values items;
  for (std::int64_t k = 0; k < array.shape[depth]; ++k)
    items.push_back(regular(array, *element_of(type), depth + 1, at));
  return collection(type, std::move(items));
}

void leaves_within(const Type& type, bool inside, std::vector<LeafType>& out) {
  if (const auto* p = snesl::as<Prim>(type)) return out.push_back({*p});
  if (const auto* tuple = snesl::as<snesl::TupleType>(type)) {
    for (const Type& item : tuple->items) leaves_within(item, inside, out);
    return;
  }
  leaves_within(*element_of(type), true, out);
  if (inside) out.push_back({Prim::Int, true});
}

// Reads values from the leaves, from the next one on.
class LeafReader {
 public:
  explicit LeafReader(const std::vector<NpyArray>& arrays) : arrays_(arrays) {}
  struct Stop {
    std::string message;
  };

  Value whole(const Type& type) {
    if (const auto* tuple = snesl::as<snesl::TupleType>(type)) {
      snesl::Values items;
      for (const Type& item : tuple->items) items.push_back(whole(item));
      return snesl::tuple_value(std::move(items));
    }
    const Type* element = element_of(type);
    if (!element) return many(type, 1).front();
    return collection(type, many(*element, length_at(*element)));
  }

 private:
  // Of the elements: what the first leaf of one that is not nested says, or the last of it, its lengths.
  std::int64_t length_at(const Type& element) const {
    std::vector<LeafType> types;
    leaves_within(element, true, types);
    if (types.empty()) return 0;
    std::size_t leaf = next_;
    const Type* t = &element;
    while (const auto* tuple = snesl::as<snesl::TupleType>(*t)) t = &tuple->items.front();
    if (element_of(*t)) {
      std::vector<LeafType> first;
      leaves_within(*t, true, first);
      leaf += first.size() - 1;
    }
    return count_of(leaf);
  }

  snesl::Values many(const Type& type, std::int64_t n) {
    snesl::Values out;
    if (const auto* p = snesl::as<Prim>(type)) {
      const NpyArray& a = taken(n);
      for (std::int64_t k = 0; k < n; ++k)
        out.push_back(snesl::atom_value(atom_at(a, static_cast<std::size_t>(k), *p)));
      return out;
    }
    if (const auto* tuple = snesl::as<snesl::TupleType>(type)) {
      std::vector<snesl::Values> columns;
      for (const Type& item : tuple->items) columns.push_back(many(item, n));
      for (std::int64_t k = 0; k < n; ++k) {
        snesl::Values items;
        for (const snesl::Values& column : columns) items.push_back(column[static_cast<std::size_t>(k)]);
        out.push_back(snesl::tuple_value(std::move(items)));
      }
      return out;
    }
    return segments(type, n);
  }

  snesl::Values segments(const Type& type, std::int64_t n) {
    const Type& element = *element_of(type);
    std::vector<LeafType> types;
    leaves_within(element, true, types);
    const NpyArray& lengths = arrays_[next_ + types.size()];
    std::int64_t total = 0;
    if (count_of(next_ + types.size()) != n) throw Stop{wrong(next_ + types.size(), n)};
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t l = atom_at(lengths, static_cast<std::size_t>(k), Prim::Int).integer;
      if (l < 0)
        throw Stop{"leaf " + std::to_string(next_ + types.size()) + " holds lengths, and one is " + std::to_string(l)};
      total += l;
    }
    snesl::Values all = many(element, total), out;
    ++next_;
    auto at = all.begin();
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t l = atom_at(lengths, static_cast<std::size_t>(k), Prim::Int).integer;
      out.push_back(collection(type, snesl::Values(at, at + l)));
      at += l;
    }
    return out;
  }

  const NpyArray& taken(std::int64_t n) {
    const NpyArray& a = arrays_[next_];
    if (count_of(next_) != n) throw Stop{wrong(next_, n)};
    ++next_;
    return a;
  }
  std::int64_t count_of(std::size_t leaf) const { return arrays_[leaf].shape.empty() ? 1 : arrays_[leaf].shape[0]; }
  std::string wrong(std::size_t leaf, std::int64_t n) const {
    return "leaf " + std::to_string(leaf) + " has " + std::to_string(count_of(leaf)) +
           " elements, where the others make it " + std::to_string(n);
  }

  const std::vector<NpyArray>& arrays_;
  std::size_t next_ = 0;
};

}  // namespace

ScalarType scalar_of(Prim p) {
  switch (p) {
    case Prim::Bool:
      return ScalarType::Bool;
    case Prim::Int:
      return ScalarType::I64;
    case Prim::Real:
      return ScalarType::F64;
    case Prim::Char:
      return ScalarType::U8;
    case Prim::Unit:
      break;
  }
  throw Bug("an array of units");
}

std::optional<Prim> prim_of(ScalarType t) {
  for (const Prim p : {Prim::Bool, Prim::Int, Prim::Real, Prim::Char})
    if (scalar_of(p) == t) return p;
  return {};
}

std::vector<ValueLeaf> leaves_of(const Value& value, const Type& type) {
  std::vector<ValueLeaf> out;
  leaves({&value}, type, {}, out);
  return out;
}

std::optional<std::size_t> rank_of(const Type& type) {
  std::size_t n = 0;
  const Type* t = &type;
  for (; const Type* e = element_of(*t); t = e) ++n;
  if (!snesl::as<Prim>(*t)) return {};
  return n;
}

Prim scalar_in(const Type& type) {
  const Type* t = &type;
  while (const Type* e = element_of(*t)) t = e;
  return std::get<Prim>(t->node);
}

Value value_of(const NpyArray& array, const Type& type) {
  std::size_t at = 0;
  return regular(array, type, 0, at);
}

std::vector<LeafType> leaf_types(const Type& type) {
  std::vector<LeafType> out;
  if (const auto* tuple = snesl::as<snesl::TupleType>(type)) {
    for (const Type& item : tuple->items)
      for (const LeafType& l : leaf_types(item)) out.push_back(l);
    return out;
  }
  if (const Type* e = element_of(type))
    leaves_within(*e, true, out);
  else
    leaves_within(type, false, out);
  return out;
}

tl::expected<Value, std::string> value_of_leaves(const std::vector<NpyArray>& arrays, const Type& type) {
  LeafReader reader(arrays);
  try {
    return reader.whole(type);
  } catch (const LeafReader::Stop& stop) {
    return tl::unexpected(stop.message);
  }
}

}  // namespace lockstep::driver
