// Values: makers, printing, and the sizes of §2.2.2, which are computed once when a value is made.
#include "semantics/snesl/value.h"

#include <algorithm>

#include "semantics/text/literal.h"

namespace lockstep::snesl {

// P and S of §2.2.2; in the thesis's S of a vector the sum over N runs to k, which is l. And |v| of §1.3.
Items::Items(Value::Kind kind, Values values)
    : Values(std::move(values)), parallel(0), scalable(0), vectorial(0), atoms(0) {
  std::int64_t greatest_m = 0;
  std::int64_t greatest_n = 0;
  for (const Value& v : *this) {
    const auto [m, n] = sequential_size(v);
    parallel += parallel_size(v);
    atoms += atom_count(v);
    scalable += m;
    vectorial += n;
    greatest_m = std::max(greatest_m, m);
    greatest_n = std::max(greatest_n, n);
  }
  if (kind == Value::Kind::Tuple) return;
  scalable = 1 + greatest_m;
  vectorial = kind == Value::Kind::Vector ? parallel : greatest_n;
  parallel += kind == Value::Kind::Vector ? 1 : 1 + static_cast<std::int64_t>(size());
}

namespace {

Value made_of(Value::Kind kind, Values items) {
  Value v;
  v.kind = kind;
  if (!items.empty()) v.items = std::make_shared<const Items>(kind, std::move(items));
  return v;
}

bool is_text(const Value& v) {
  return v.kind == Value::Kind::Vector && v.size() > 0 && v[0].kind == Value::Kind::Atom &&
         v[0].atom.type == Prim::Char;
}

const Type* element_type(const Type& t, std::size_t i) {
  const auto* tuple = as<TupleType>(t);
  return tuple ? &tuple->items[i] : element_of(t);
}
bool is_text_type(const Type& t) {
  const auto* vector = as<VectorType>(t);
  const Prim* element = vector ? as<Prim>(*vector->element) : nullptr;
  return element && *element == Prim::Char;
}

// The depth of recursion is the nesting of the value's type, which the parser limits. `type` may be null.
void print(std::string& out, const Value& v, const Type* type) {
  if (v.kind == Value::Kind::Atom) {
    out += show(v.atom);
    return;
  }
  if (is_text(v) || (type && is_text_type(*type))) {
    out += '"';
    for (std::size_t i = 0; i < v.size(); ++i)
      out += reading::escaped(static_cast<unsigned char>(v[i].atom.integer), '"');
    out += '"';
    return;
  }
  const char* brackets = v.kind == Value::Kind::Tuple ? "()" : v.kind == Value::Kind::Vector ? "[]" : "{}";
  out += brackets[0];
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (i > 0) out += ", ";
    print(out, v[i], type ? element_type(*type, i) : nullptr);
  }
  out += brackets[1];
}

Value of_kind(Value::Kind kind) {
  Value v;
  v.kind = kind;
  return v;
}

// Of no items.
std::int64_t empty_size(const Value& v) { return v.kind == Value::Kind::Tuple ? 0 : 1; }

}  // namespace

Value lost_value() { return of_kind(Value::Kind::Lost); }
Value lost_part() { return of_kind(Value::Kind::LostPart); }
Value atom_value(Atom a) {
  Value v;
  v.kind = Value::Kind::Atom;
  v.atom = a;
  return v;
}
Value tuple_value(Values items) { return made_of(Value::Kind::Tuple, std::move(items)); }
Value vector_value(Values items) { return made_of(Value::Kind::Vector, std::move(items)); }
Value sequence_value(Values items) { return made_of(Value::Kind::Sequence, std::move(items)); }
Value text_value(std::string_view text) {
  Values items;
  items.reserve(text.size());
  for (const char c : text) items.push_back(atom_value(char_atom(static_cast<unsigned char>(c))));
  return vector_value(std::move(items));
}

bool operator==(const Value& a, const Value& b) {
  if (a.kind != b.kind || a.size() != b.size()) return false;
  if (a.kind == Value::Kind::Atom) return a.atom == b.atom;
  if (a.items == b.items) return true;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(a[i] == b[i])) return false;
  return true;
}

std::string show(const Value& v, const Type& type) {
  std::string out;
  print(out, v, &type);
  return out;
}

std::string show(const Value& v) {
  std::string out;
  print(out, v, nullptr);
  return out;
}

std::int64_t parallel_size(const Value& v) {
  if (v.kind == Value::Kind::Atom) return 1;
  return v.items ? v.items->parallel : empty_size(v);
}
SequentialSize sequential_size(const Value& v) {
  if (v.kind == Value::Kind::Atom) return {1, 0};
  return v.items ? SequentialSize{v.items->scalable, v.items->vectorial} : SequentialSize{empty_size(v), 0};
}
std::int64_t atom_count(const Value& v) {
  if (v.kind == Value::Kind::Atom) return 1;
  return v.items ? v.items->atoms : 0;
}

}  // namespace lockstep::snesl
