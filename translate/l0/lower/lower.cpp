// Which ints are sizes and which sizes are equal is found out by reading the body again and again; then what has no
// name of its own is no parameter.
#include "translate/l0/lower/lower.h"

#include <algorithm>

#include "semantics/functional/syntax/parse.h"
#include "semantics/functional/syntax/print.h"
#include "semantics/primitives/calculus.h"
#include "translate/l0/lower/lowering.h"

namespace lockstep::l0 {
namespace lowering {
namespace {

// What a name of a program may not be: it would hide a primitive that is used, or is a word.
const std::set<std::string>& taken_words() {
  static const std::set<std::string> all = [] {
    std::set<std::string> out{"fun",   "where", "let", "in",   "if",  "then", "else", "true",
                              "false", "nat",   "idx", "bool", "i8",  "u8",   "i16",  "u16",
                              "i32",   "u32",   "i64", "u64",  "f32", "f64",  power};
    const Calculus calculus = standard_calculus();
    for (const std::string& n : calculus.names()) out.insert(n);
    return out;
  }();
  return all;
}

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

Lowering::Lowering(const Entry& entry, Sizes& sizes, const std::set<std::string>& candidates)
    : entry_(entry), sizes_(sizes), candidates_(candidates) {
  for (const std::string& w : taken_words()) names_.take(w);
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

lockstep::Type Lowering::type_of(const LoweredLeaf& leaf) {
  lockstep::Type t = lockstep::scalar(leaf.scalar);
  for (std::size_t k = leaf.lengths.size(); k-- > 0;) {
    collect_names(leaf.lengths[k], used_);
    t = lockstep::array(leaf.lengths[k], std::move(t));
  }
  return t;
}

Lowered Lowering::run() {
  const Function& f = entry_.entry();
  for (const Parameter& p : f.parameters) declare(p.name, p.type);
  Term body = term(*f.body);
  Lowered out;
  surface::Definition& d = out.definition;
  d.name = fresh(f.name);
  d.name_region = f.region;
  for (const Shape& s : body.leaves) {
    LoweredLeaf& leaf = out.results.emplace_back(LoweredLeaf{"", "", s.scalar, s.lengths, {}});
    for (Size& n : leaf.lengths) n = sizes_.current(n);
  }
  if (out.results.empty()) refuse(f.region, f.name + " gives nothing");
  lockstep::Type result = type_of(out.results.back());
  for (std::size_t k = out.results.size() - 1; k-- > 0;)
    result = lockstep::pair(type_of(out.results[k]), std::move(result));
  d.result = {std::move(result), {}, {}};
  d.body = std::move(body.expr);
  for (const SizeFact& fact : sizes_.facts()) {
    collect_names(fact.left, used_), collect_names(fact.right, used_);
    d.facts.push_back({fact, {}, {}});
  }
  name_sizes(d);
  out.arguments = parameters_;
  out.takes_powers = takes_powers_;
  return out;
}

// Sizes that no int gives are found from arrays; an int that follows from other sizes is no parameter.
void Lowering::name_sizes(surface::Definition& d) {
  std::set<std::string> given, found;
  for (LoweredLeaf& p : parameters_) {
    for (Size& n : p.lengths) n = sizes_.current(n);
    if (p.number) p.number = sizes_.current(*p.number);
    if (p.number && p.number->as_name() == p.name) given.insert(p.name);
  }
  for (LoweredLeaf& p : parameters_) {
    std::optional<surface::SourceType> type{{type_of(p), {}, {}}};
    for (const Size& n : p.lengths)
      if (const auto own = n.as_name(); own && !given.contains(*own) && found.insert(*own).second)
        d.sizes.emplace_back(*own, Region{});
    if (p.number) type.reset();
    if (p.number && !given.contains(p.name))
      p.name = "";
    else
      d.parameters.push_back({p.name, {}, std::move(type)});
  }
}

}  // namespace lowering

tl::expected<Lowered, NotLowered> lowered(const Entry& entry) {
  using namespace lowering;
  std::set<std::string> candidates;
  for (const Parameter& p : entry.entry().parameters)
    if (is(p.type, ScalarType::I64)) candidates.insert(p.name);
  try {
    for (;;) {
      Sizes sizes;
      Lowered out;
      std::set<std::string> used;
      do {
        Lowering one(entry, sizes, candidates);
        out = one.run();
        used = one.used();
      } while (sizes.changed());
      std::set<std::string> needed;
      std::size_t k = 0;
      for (const Parameter& p : entry.entry().parameters) {
        const LoweredLeaf& leaf = out.arguments[k++];
        const bool gave_way = leaf.number && leaf.name.empty();
        if (candidates.contains(p.name) && (gave_way || used.contains(leaf.name))) needed.insert(p.name);
      }
      if (needed == candidates) return out;
      candidates = std::move(needed);
    }
  } catch (NotLowered& why) {
    return tl::unexpected(std::move(why));
  }
}

surface::Program program_of(const Lowered& l) {
  surface::Program out;
  if (l.takes_powers) out.definitions.push_back(lowering::power_of_ints());
  out.definitions.push_back(l.definition);
  return out;
}

tl::expected<InCalculus, NotLowered> with_types(Lowered lowered, const Calculus& calculus, const SizeSolver& solver) {
  const surface::Program program = program_of(lowered);
  auto inferred = infer(program, calculus, solver);
  // Conditions may contradict each other, or leave sizes at which it traps for certain.
  if (!inferred && !lowered.definition.facts.empty())
    return tl::unexpected(NotLowered{inferred.error().front().region,
                                     "on the sizes at which it runs, " + inferred.error().front().message});
  if (!inferred)
    throw Bug("the lowered program is none of .dpia: " + render(inferred.error().front()) + "\n" + print(program));
  return InCalculus{std::move(lowered), std::move(inferred->entries.back()), std::move(inferred->obligations)};
}

tl::expected<InCalculus, NotLowered> in_calculus(const Entry& entry, const Calculus& calculus,
                                                 const SizeSolver& solver) {
  auto made = lowered(entry);
  if (!made) return tl::unexpected(made.error());
  return with_types(std::move(*made), calculus, solver);
}

}  // namespace lockstep::l0
