// Entries of a calculus: the type of each view and loop parsed once.
#include "semantics/primitives/calculus.h"

#include <algorithm>

#include "semantics/primitives/list.h"

namespace lockstep {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}
void sizes_in_order(const Size& s, std::vector<std::string>& out) {
  std::set<std::string> names;
  collect_names(s, names);
  for (const std::string& n : names) add_once(out, n);
}
void names_in_order(const Type& t, std::vector<std::string>& sizes, std::vector<std::string>& types) {
  const auto go = [&](const Ref<Type>& r) { names_in_order(*r, sizes, types); };
  match(
      t.node, [](ScalarType) {}, [&](const IndexType& x) { sizes_in_order(x.bound, sizes); },
      [&](const ArrayType& x) { sizes_in_order(x.length, sizes), go(x.element); },
      [&](const PairType& x) { go(x.first), go(x.second); },
      [&](const VectorType& x) { go(x.element), sizes_in_order(x.width, sizes); },
      [&](const FunctionType& x) { go(x.from), go(x.to); }, [&](const TypeVariable& x) { add_once(types, x.name); });
}

// "... where k, l": each named size is at least one.
std::vector<SizeFact> positive_sizes(std::string_view list) {
  std::vector<SizeFact> out;
  std::string word;
  for (const char c : std::string(list) + ",") {
    if (c == ',')
      out.push_back({1, SizeRelation::LessEqual, Size::name(std::exchange(word, ""))});
    else if (c != ' ')
      word += c;
  }
  return out;
}

}  // namespace

void Calculus::add(PrimitiveRef primitive) {
  Entry entry{primitive, {}, {}, {}, {}};
  std::string type = match(
      primitive->kind, [](const ScalarOp&) { return std::string(); },
      [](const View& v) -> std::string { return v.type; }, [](const Loop& l) -> std::string { return l.type; });
  if (const std::size_t where = type.find(" where "); where != std::string::npos) {
    entry.needs = positive_sizes(std::string_view(type).substr(where + 7));
    type.resize(where);
  }
  if (!type.empty()) {
    auto scheme = parse_scheme(type);
    if (!scheme)
      throw Bug("the type of the primitive " + primitive->name + " does not parse: " + render(scheme.error().front()));
    entry.scheme = std::move(*scheme);
    entry.sizes = entry.scheme.nats;
    names_in_order(entry.scheme.type, entry.sizes, entry.types);
  }
  const std::string name = primitive->name;
  if (!entries_.contains(name)) names_.push_back(name);
  entries_.insert_or_assign(name, std::move(entry));
}

const Calculus::Entry* Calculus::find(std::string_view name) const {
  const auto it = entries_.find(name);
  return it == entries_.end() ? nullptr : &it->second;
}
const PrimitiveRef& Calculus::primitive(std::string_view name) const {
  const Entry* e = find(name);
  if (!e) throw Bug("the calculus has no primitive " + std::string(name));
  return e->primitive;
}

const Calculus::Entry* Calculus::callable(std::string_view name) const {
  const Entry* e = find(name);
  return e && e->primitive->notation == Notation::Name ? e : nullptr;
}
const PrimitiveRef& Calculus::at_level(const Loop& loop, Level level) const {
  for (const auto& [name, entry] : entries_)
    if (const auto* l = std::get_if<Loop>(&entry.primitive->kind); l && l->family == loop.family && l->level == level)
      return entry.primitive;
  throw Bug("the calculus has no " + loop.family + std::string(show(level)));
}

Calculus standard_calculus() {
  Calculus calculus;
  for (const PrimitiveRef& p : standard_primitives()) calculus.add(p);
  return calculus;
}

}  // namespace lockstep
