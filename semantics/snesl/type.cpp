// Types of SNESL: equality, how they are shown, and |σ|.
#include "semantics/snesl/type.h"

#include <algorithm>

namespace lockstep::snesl {
namespace {

void show_into(std::string& out, const Type& t) {
  match(
      t.node, [&](Prim p) { out += show(p); },
      [&](const TupleType& tuple) {
        out += '(';
        const char* before = "";
        for (const Type& item : tuple.items) {
          out += before;
          show_into(out, item);
          before = ", ";
        }
        out += ')';
      },
      [&](const VectorType& v) {
        out += '[';
        show_into(out, *v.element);
        out += ']';
      },
      [&](const SequenceType& s) {
        out += '{';
        show_into(out, *s.element);
        out += '}';
      });
}

}  // namespace

Type tuple(std::vector<Type> items) { return {TupleType{std::move(items)}}; }
Type vector_of(Type element) { return {VectorType{std::move(element)}}; }
Type sequence_of(Type element) { return {SequenceType{std::move(element)}}; }

std::string show(const Type& t) {
  std::string out;
  show_into(out, t);
  return out;
}

bool is_concrete(const Type& t) {
  return match(
      t.node, [](Prim) { return true; },
      [](const TupleType& tuple) { return std::all_of(tuple.items.begin(), tuple.items.end(), is_concrete); },
      [](const VectorType& v) { return is_concrete(*v.element); }, [](const SequenceType&) { return false; });
}

const Type* element_of(const Type& t) {
  if (const auto* v = as<VectorType>(t)) return &*v->element;
  if (const auto* s = as<SequenceType>(t)) return &*s->element;
  return nullptr;
}

bool well_formed(const Type& t) {
  return match(
      t.node, [](Prim) { return true; },
      [](const TupleType& tuple) { return std::all_of(tuple.items.begin(), tuple.items.end(), well_formed); },
      [](const VectorType& v) { return is_concrete(*v.element); },
      [](const SequenceType& s) { return well_formed(*s.element); });
}

std::int64_t element_size(const Type& t) {
  return match(
      t.node, [](Prim) -> std::int64_t { return 1; },
      [](const TupleType& tuple) {
        std::int64_t sum = 0;
        for (const Type& item : tuple.items) sum += element_size(item);
        return sum;
      },
      [](const VectorType&) -> std::int64_t { return 1; },
      [](const SequenceType& s) { return 1 + element_size(*s.element); });
}

}  // namespace lockstep::snesl
