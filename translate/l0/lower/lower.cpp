// Arguments, and the whole.
#include "translate/l0/lower/lower.h"

#include <algorithm>

#include "semantics/functional/syntax/parse.h"
#include "semantics/primitives/calculus.h"
#include "translate/l0/lower/lowering.h"

namespace lockstep::l0 {
namespace lowering {
namespace {

surface::Definition power_of_ints() {
  static const surface::Program parsed = *parse_program(std::make_shared<const Source>(
      Source{"a power of ints",
             std::string("fun ") + power +
                 " (x n : i64) : i64 =\n"
                 "  let none = [0i64] ! (if n < 0 then n else 0) in\n"
                 "  let (product, _, _) =\n"
                 "    while (\\(_, _, rest) -> rest > none)\n"
                 "      (\\(p, square, rest) -> (if rest % 2 == 1 then p * square else p, square * square, rest / 2))\n"
                 "      (1, x, n) in\n"
                 "  product\n"}));
  return parsed.definitions[0];
}

}  // namespace

Lowering::Lowering(const Entry& entry, Sizes& sizes, const Candidates& candidates)
    : entry_(entry), sizes_(sizes), candidates_(candidates) {
  for (const std::string& w : lockstep::lowering::taken_words()) names_.take(w);
  for (const std::string& own : sizes.parts()) names_.take(own);
  names_.take(power);
}

// A leaf of an argument: each of its lengths, or itself where it is an int, may be a size.
void Lowering::declare(const std::string& l0_name, const l0::Type& type) {
  const LeafType leaf = leaves_of(type)[0];
  LoweredLeaf p{fresh(l0_name), l0_name, leaf.scalar, {}, {}};
  for (std::size_t k = 0; k < leaf.rank; ++k) {
    const std::string n = fresh(std::string(1, "nmkl"[std::min<std::size_t>(k, 3)]));
    sizes_.add(n);
    p.lengths.push_back(sizes_.current(Size::name(n)));
  }
  if (candidates_.contains(l0_name)) {
    sizes_.add(p.name);
    p.number = sizes_.current(Size::name(p.name));
  }
  Variable v{p.name, {p.scalar, p.lengths, p.number}};
  if (p.number) v.stands_for = call("i64", {source_of(*p.number)});
  variables_.insert_or_assign(l0_name, std::move(v));
  parameters_.push_back(std::move(p));
}

Reading Lowering::run() {
  const Function& f = entry_.entry();
  for (const Parameter& p : f.parameters) declare(p.name, p.type);
  Term body = term(*f.body);
  LoweredProgram out;
  surface::Definition& d = out.definition;
  d.name = fresh(f.name);
  d.name_region = f.region;
  for (const Shape& s : body.leaves) {
    LoweredLeaf& leaf = out.results.emplace_back(LoweredLeaf{"", "", s.scalar, s.lengths, {}});
    for (Size& n : leaf.lengths) n = sizes_.current(n);
  }
  if (out.results.empty()) refuse(f.region, f.name + " gives nothing");
  lockstep::Type result = lockstep::lowering::type_of(out.results.back(), used_);
  for (std::size_t k = out.results.size() - 1; k-- > 0;)
    result = lockstep::pair(lockstep::lowering::type_of(out.results[k], used_), std::move(result));
  d.result = {std::move(result), {}, {}};
  d.body = std::move(body.expr);
  for (const SizeFact& fact : sizes_.facts()) {
    collect_names(fact.left, used_), collect_names(fact.right, used_);
    d.facts.push_back({fact, {}, {}});
  }
  lockstep::lowering::name_sizes(d, parameters_, sizes_, used_);
  out.arguments = std::move(parameters_);
  if (takes_powers_) out.called.push_back(power_of_ints());
  return {std::move(out), std::move(used_)};
}

}  // namespace lowering

tl::expected<LoweredProgram, NotLowered> lowered(const Entry& entry) {
  using namespace lowering;
  Candidates candidates;
  for (const Parameter& p : entry.entry().parameters)
    if (is(p.type, ScalarType::I64)) candidates.insert(p.name);
  return lockstep::lowering::read_until_settled(
      std::move(candidates), [&](Sizes& sizes, const Candidates& now) { return Lowering(entry, sizes, now).run(); });
}

tl::expected<InCalculus, NotLowered> in_calculus(const Entry& entry, const Calculus& calculus,
                                                 const SizeSolver& solver) {
  auto made = lowered(entry);
  if (!made) return tl::unexpected(made.error());
  return with_types(std::move(*made), calculus, solver);
}

}  // namespace lockstep::l0
