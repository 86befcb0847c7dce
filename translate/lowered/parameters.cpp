#include "translate/lowered/parameters.h"

#include "semantics/primitives/calculus.h"

namespace lockstep::lowering {

const std::set<std::string>& taken_words() {
  static const std::set<std::string> all = [] {
    std::set<std::string> out{"fun", "where", "let",  "in",  "if",    "then", "else", "true", "false",
                              "nat", "idx",   "bool", "i8",  "u8",    "i16",  "u16",  "i32",  "u32",
                              "i64", "u64",   "f32",  "f64", "block", "warp", "grid", "index"};
    const Calculus calculus = standard_calculus();
    for (const std::string& n : calculus.names()) out.insert(n);
    return out;
  }();
  return all;
}

lockstep::Type type_of(const LoweredLeaf& leaf, std::set<std::string>& used) {
  lockstep::Type t = lockstep::scalar(leaf.scalar);
  for (std::size_t k = leaf.lengths.size(); k-- > 0;) {
    collect_names(leaf.lengths[k], used);
    t = lockstep::array(leaf.lengths[k], std::move(t));
  }
  return t;
}

void name_sizes(surface::Definition& d, std::vector<LoweredLeaf>& parameters, const Sizes& sizes,
                std::set<std::string>& used) {
  std::set<std::string> given, found;
  for (LoweredLeaf& p : parameters) {
    for (Size& n : p.lengths) n = sizes.current(n);
    if (p.number) p.number = sizes.current(*p.number);
    if (p.number && p.number->as_name() == p.name) given.insert(p.name);
  }
  const auto declare = [&](const Size& n) {
    std::set<std::string> names;
    collect_names(n, names);
    for (const std::string& own : names)
      if (!given.contains(own) && found.insert(own).second) d.sizes.emplace_back(own, Region{});
  };
  for (const LoweredLeaf& p : parameters)
    for (const Size& n : p.lengths) declare(n);
  for (const LoweredLeaf& p : parameters)
    if (p.number) declare(*p.number);
  for (LoweredLeaf& p : parameters) {
    std::optional<surface::SourceType> type{{type_of(p, used), {}, {}}};
    if (p.number) type.reset();
    if (p.number && !given.contains(p.name))
      p.name = "";
    else
      d.parameters.push_back({p.name, {}, std::move(type)});
  }
}

tl::expected<LoweredProgram, NotLowered> read_until_settled(
    Candidates candidates, const std::function<Reading(Sizes&, const Candidates&)>& read) {
  try {
    for (;;) {
      Sizes sizes;
      Reading made;
      std::size_t known;
      do {  // what has to hold is known from the beginning
        known = sizes.facts().size();
        made = read(sizes, candidates);
      } while (sizes.changed() || sizes.facts().size() > known);
      Candidates needed;
      for (const LoweredLeaf& leaf : made.program.arguments)
        if (candidates.contains(leaf.source) && leaf.number && (leaf.name.empty() || made.used.contains(leaf.name)))
          needed.insert(leaf.source);
      if (needed == candidates) return std::move(made.program);
      candidates = std::move(needed);
    }
  } catch (NotLowered& why) {
    return tl::unexpected(std::move(why));
  }
}

}  // namespace lockstep::lowering
