// Sizes of a program in the calculus: what is asked of them, what they are read as, and the lengths that are known only
// when it runs.
#include "props/fcl/mutants.h"

namespace lockstep::props::fcl {
namespace {

using Text = surface::Expr;

// Where types would show it, as it was.
using InProgram = std::function<void(LoweredProgram&)>;
Toolchain with_program(const InProgram& change, const SizeSolver& solver) {
  Toolchain tools;
  tools.solver = solver;
  tools.lower = [change](const language::Entry& e, const Calculus& calculus,
                         const SizeSolver& asked) -> tl::expected<InCalculus, NotLowered> {
    const auto made = language::lowered(e);
    if (!made) return tl::unexpected(made.error());
    LoweredProgram wrong = *made;
    change(wrong);
    try {
      return with_types(std::move(wrong), calculus, asked);
    } catch (const Bug&) {
      return with_types(*made, calculus, asked);
    }
  };
  return tools;
}
// The condition of a check, [true] ! (if c then 0 else 1), or of an index that is checked.
texts::InText condition(const std::function<bool(const surface::If&)>& which,
                        const std::function<Text(const Text&)>& change) {
  return [=](Text e) {
    auto* i = std::get_if<surface::Index>(&e.node);
    const auto* c = i ? std::get_if<surface::If>(&i->index->node) : nullptr;
    if (!c || !which(*c)) return e;
    surface::If out = *c;
    out.condition = change(*c->condition);
    i->index = Text{std::move(out), i->index->region};
    return e;
  };
}
// 0 <= n, or n <= m of any other n
bool is_at_most(const surface::If& c, bool of_zero) {
  const auto call = texts::call_of(*c.condition, "<=", 2);
  return call && of_zero == std::holds_alternative<surface::Literal>((*call)[0].node);
}
Text holds(const Text&) { return {surface::Literal{"true", {}}, {}}; }
// A size as an i64: by these names of sizes in the place of one another.
texts::InText sizes_exchanged(const std::string& one, const std::string& other) {
  return [=](Text e) {
    if (!texts::call_of(e, "i64", 1)) return e;
    return texts::rewritten_text(e, [&](Text x) {
      if (auto* n = std::get_if<surface::Name>(&x.node); n && (n->name == one || n->name == other))
        n->name = n->name == one ? other : one;
      return x;
    });
  };
}
bool is_wrap(const SizeFact& f) { return f.right == Size(2147483647); }

}  // namespace

std::vector<Mutant> length_mutants(const SizeSolver& solver) {
  namespace make = surface::make;
  std::vector<Mutant> all;
  const auto add = [&](std::string name, std::string description, Toolchain tools,
                       std::vector<std::string> directed = {}) {
    all.push_back({std::move(name), "lengths", std::move(description), std::move(tools), std::move(directed)});
  };
  const auto without_facts = [&](bool wraps) {
    return with_program(
        [wraps](LoweredProgram& l) {
          std::erase_if(l.definition.facts, [&](const surface::Fact& f) { return is_wrap(f.fact) == wraps; });
        },
        solver);
  };
  const std::string taken = "fun main k xs ys = push <grid> [length (take k xs)]";
  add("lengths never wrap", "without conditions n <= 2147483647", without_facts(true),
      {"fun main xs = push <grid> [length (generate (length xs * 65536 * 65536) (fn i => i)) / 2]",
       "fun main xs ys = push <grid> [length (generate ((length xs + length ys + 1) * 65536 * 65536) (fn i => i)) / 2]",
       "fun main xs = push <grid> [length (generate ((2 * length xs + 1) * 65536 * 65536) (fn i => i)) / 2]"});
  add("what is asserted of lengths is not asked", "without the other conditions", without_facts(false), {taken});
  std::vector<std::string> taken_of_few;
  for (int n = 1; n <= 6; ++n)
    taken_of_few.push_back("fun main xs = push <grid> [length (take " + std::to_string(n) + " xs)]");
  add("conditions are one too lax", "n <= m + 1",
      with_program(
          [](LoweredProgram& l) {
            for (surface::Fact& f : l.definition.facts)
              if (!is_wrap(f.fact) && f.fact.relation == SizeRelation::LessEqual) f.fact.right = f.fact.right + 1;
          },
          solver),
      taken_of_few);
  add("an int is one more as a size", "k + 1",
      with_program(
          [](LoweredProgram& l) {
            for (LoweredLeaf& a : l.arguments)
              if (a.number) a.number = *a.number + 1;
          },
          solver),
      {"fun main k = push <grid> (generate k (fn i => i))"});
  add("lengths are one less as numbers", "n - 1 for n",
      lowered_by(
          [](Text e) { return texts::call_of(e, "i64", 1) ? make::binary("-", std::move(e), texts::number("1")) : e; },
          solver));
  add("a length is taken for another", "that of ys for that of xs", lowered_by(sizes_exchanged("n", "n_1"), solver),
      {"fun main xs ys = push <grid> [length xs, length ys]"});
  const auto any = [](const surface::If&) { return true; };
  add("a loop may outgrow its memory", "no check n <= m",
      lowered_by(condition([](const surface::If& c) { return is_at_most(c, false); }, holds), solver),
      {"fun main k = let a = while (fn a => length a < 5) (fn a => push <grid> (append a a)) (push <grid> [k]) in push "
       "<grid> [index a 0]"});
  add("a length may be negative", "no check 0 <= n",
      lowered_by(condition([](const surface::If& c) { return is_at_most(c, true); }, holds), solver),
      {"fun main k xs = let a = while (fn a => length a > 3) (fn a => push <grid> (take (length a / 2) a)) (push "
       "<grid> xs) in push <grid> [length (generate (length a - 4) (fn i => i))]"});
  add("indices are inside the memory", "0 <= k for 0 <= k && k < n",
      lowered_by(condition(any,
                           [](const Text& c) {
                             const auto both = texts::call_of(c, "&&", 2);
                             return both ? (*both)[0] : c;
                           }),
                 solver),
      {"fun main xs = let a = while (fn a => length a > 1) (fn a => push <grid> (take (length a / 2) a)) (push <grid> "
       "(append xs [1, 2])) in push <grid> [index a 1]"});
  add("what is behind a length is computed", "f i for if i < n then f i else 0",
      lowered_by(
          [](Text e) {
            const auto* i = std::get_if<surface::If>(&e.node);
            const auto* rest = i ? std::get_if<surface::Literal>(&i->otherwise->node) : nullptr;
            return rest && texts::call_of(*i->condition, "<", 2) ? Text(*i->then) : e;
          },
          solver),
      {"fun main xs = let a = while (fn a => length a > 1) (fn a => push <grid> (generate (length a / 2) (fn i => "
       "index a (2 * i + 1)))) (push <grid> (append xs [1, 2])) in push <grid> [index a 0]"});
  return all;
}

}  // namespace lockstep::props::fcl
