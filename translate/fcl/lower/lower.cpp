// Arguments, and the whole.
#include "translate/fcl/lower/lower.h"

#include <algorithm>

#include "semantics/functional/source.h"
#include "semantics/primitives/calculus.h"
#include "translate/fcl/lower/lowering.h"

namespace lockstep::fcl {
namespace lowering {
Text size_text(const Size& s) {
  if (const auto n = s.constant()) return source_of(make_integer(ScalarType::I64, static_cast<std::uint64_t>(*n)));
  return make::call("i64", {source_of(s)});
}

Lowering::Lowering(const Entry& entry, Sizes& sizes, const Candidates& candidates)
    : entry_(entry), sizes_(sizes), candidates_(candidates), taken_(lockstep::lowering::taken_words()) {
  taken_.insert(sizes.parts().begin(), sizes.parts().end());
}

std::string Lowering::fresh(const std::string& base) {
  std::string name = base;
  for (int n = 1; !taken_.insert(name).second; ++n) name = base + "_" + std::to_string(n);
  return name;
}

// Arrays of pairs are pairs of arrays: a parameter a leaf.
void Lowering::declare(const std::string& name, const std::string& source, const Type& type, std::vector<Size> outer) {
  if (const auto* p = as<PairOf>(type)) {
    declare(name, source, *p->first, outer);
    return declare(name, source, *p->second, std::move(outer));
  }
  if (const auto* a = as<PullType>(type)) {
    const std::string n = fresh(outer.empty() ? "n" : "m");
    sizes_.add(n);
    outer.push_back(sizes_.current(Size::name(n)));
    return declare(name, source, *a->element, std::move(outer));
  }
  LoweredLeaf leaf{fresh(name), source, std::get<ScalarType>(type.node), std::move(outer), {}};
  Size count = 1;
  for (const Size& n : leaf.lengths) count = count * n;
  if (!leaf.lengths.empty()) counts_.push_back(count);
  if (leaf.lengths.empty() && leaf.scalar == ScalarType::I32 && candidates_.contains(source)) {
    sizes_.add(leaf.name);
    leaf.number = sizes_.current(Size::name(leaf.name));
    counts_.push_back(*leaf.number);
  }
  parameters_.push_back(std::move(leaf));
}

// A value of these leaves, at these places within their arrays.
Low Lowering::given(const std::vector<LoweredLeaf>& leaves, std::size_t& next, const Type& type,
                    std::vector<Text> places) {
  if (const auto* p = as<PairOf>(type)) {
    Low first = given(leaves, next, *p->first, places);
    return low_pair(std::move(first), given(leaves, next, *p->second, std::move(places)));
  }
  if (const auto* a = as<PullType>(type)) {
    const std::size_t from = next;
    std::size_t behind = from;
    const Size n = leaves[from].lengths[places.size()];
    given(leaves, behind, *a->element, [&] {
      std::vector<Text> inside = places;
      inside.push_back(make::name("_"));
      return inside;
    }());
    next = behind;
    return low_array(n, [this, &leaves, from, element = Type(*a->element), places](const Text& k) {
      std::vector<Text> inside = places;
      inside.push_back(k);
      std::size_t at = from;
      return given(leaves, at, element, std::move(inside));
    });
  }
  const LoweredLeaf& leaf = leaves[next++];
  Text t = make::name(leaf.name);
  for (const Text& k : places) t = make::indexed(std::move(t), k);
  Number n{leaf.scalar, std::move(t)};
  if (leaf.number) {
    n.text = make::call("i32", {size_text(*leaf.number)});
    n.wide = Wide{size_text(*leaf.number), *leaf.number, *leaf.number};
  }
  return low(std::move(n));
}

namespace {

void add_results(const Low& l, const Size& n, std::vector<LoweredLeaf>& out) {
  if (const auto* p = std::get_if<std::shared_ptr<const std::pair<Low, Low>>>(&l.node))
    return add_results((*p)->first, n, out), add_results((*p)->second, n, out);
  out.push_back({"", "", std::get<Number>(l.node).type, {n}, {}});
}
lockstep::Type element_type(const Low& l) {
  if (const auto* p = std::get_if<std::shared_ptr<const std::pair<Low, Low>>>(&l.node))
    return lockstep::pair(element_type((*p)->first), element_type((*p)->second));
  return lockstep::scalar(std::get<Number>(l.node).type);
}

}  // namespace

Reading Lowering::run() {
  const Definition& d = definition_of(entry_);
  Type t = *d.signature;
  for (const Parameter& p : d.parameters) {
    const Type from = *as<Arrow>(t)->from;
    declare(p.name, p.name, from, {});
    t = Type(*as<Arrow>(t)->to);
  }
  given_ = counts_.size();
  std::size_t next = 0;
  t = *d.signature;
  for (const Parameter& p : d.parameters) {
    names_.insert_or_assign(p.name, given(parameters_, next, *as<Arrow>(t)->from, {}));
    t = Type(*as<Arrow>(t)->to);
  }
  Made made = body(*d.body, most_above);
  LoweredProgram out;
  out.definition.name = fresh(d.name);
  out.definition.name_region = d.region;
  out.definition.launch = entry_.launch;
  const Size length = sizes_.current(made.length);
  add_results(made.element, length, out.results);
  collect_names(length, used_);
  out.definition.result = {lockstep::array(length, element_type(made.element)), {}, {}};
  out.definition.body = std::move(made.text);
  none_wraps_ = false;  // such a condition does not follow from itself
  for (const SizeFact& fact : sizes_.facts()) {
    // an int counts what is given
    if (fact.right == most_int() && fits(fact.left, given_)) continue;
    collect_names(fact.left, used_), collect_names(fact.right, used_);
    out.definition.facts.push_back({fact, {}, {}});
  }
  lockstep::lowering::name_sizes(out.definition, parameters_, sizes_, used_);
  out.arguments = std::move(parameters_);
  out.bijections = std::move(by_digits_);
  return {std::move(out), std::move(used_)};
}

}  // namespace lowering

tl::expected<LoweredProgram, NotLowered> lowered(const Entry& fused) {
  using namespace lowering;
  Candidates candidates;
  const Definition& d = definition_of(fused);
  for (const Parameter& p : d.parameters) candidates.insert(p.name);
  return lockstep::lowering::read_until_settled(
      std::move(candidates), [&](Sizes& sizes, const Candidates& now) { return Lowering(fused, sizes, now).run(); });
}

tl::expected<InCalculus, NotLowered> in_calculus(const Entry& fused, const Calculus& calculus,
                                                 const SizeSolver& solver) {
  auto made = lowered(fused);
  if (!made) return tl::unexpected(made.error());
  return with_types(std::move(*made), calculus, solver);
}

}  // namespace lockstep::fcl
