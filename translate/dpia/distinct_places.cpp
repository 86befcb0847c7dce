// Places that are distinct whatever the data are (ours; the laws are in proofs/calculus/strategies/place_laws.cpp): a
// `scatter` onto them need not look. Places that go on by a number, those of a compaction, where what is kept is
// counted (Blelloch, 1990, §1.4), and those of a split in two, where what is not kept is counted behind it or before
// it.
#include "translate/dpia/stage.h"

#include "semantics/functional/names.h"
#include "semantics/primitives/build.h"
#include "translate/dpia/elements_at.h"
#include "translate/dpia/general_loops.h"

namespace lockstep {
namespace {

struct Chosen {  // a place, where this is known
  Known known;
  PhraseRef place;
};

// Nothing where there are too many.
bool collect(const PhraseRef& place, const Known& known, std::vector<Chosen>& out) {
  constexpr std::size_t most = 4;
  if (const auto* choice = as<IfPhrase>(*place)) {
    const auto truth = known.truth(*choice->condition);
    for (const bool t : {true, false}) {
      Known there = known;
      there.learn(choice->condition, t);
      if (truth != !t && !collect(t ? choice->then : choice->otherwise, there, out)) return false;
    }
    return true;
  }
  const auto range = known.range(*place);
  if (!range || range->high >= 0) out.push_back({known, place});  // else it is none
  return out.size() <= most;
}

// What an element adds to the sum: of any, and where the place is chosen.
std::optional<Between> added(const Form& f, const Known& known) { return known.range(**f.summed); }

// Of elements that all have this place. Numbers wrap: places that differ by less than 2^64 are two.
bool are_distinct(const Form& f, const Known& known) {
  constexpr std::int64_t most = 255;  // times 2^56 elements is below 2^64
  if (f.sum == 0) return f.index != 0 && -most <= f.index && f.index <= most;
  const auto all = added(f, {}), own = added(f, known);
  if (!all || !own || (f.sum != 1 && f.sum != -1)) return false;
  if (f.index == 0) return all->within(0, most) && own->low >= 1;
  return f.index == -f.sum && all->within(0, 1) && own->within(0, 0);
}

// Those that count come in front of the others, or behind them.
bool are_split(const Form& counted, const Form& others, const Size& n) {
  if (counted.sum != 1 || counted.index != 0 || others.sum != -1 || others.index != 1) return false;
  if (!alpha_equal(**counted.summed, **others.summed)) return false;
  return counted.rest - others.rest == n - counted.total || others.rest - counted.rest == counted.total;
}

class Distinct {
 public:
  Distinct(rewriting::Site& s, const PhraseRef& program, std::vector<LoopDecision>* decisions)
      : s_(s), definitions_(definitions_in(program)), decisions_(decisions) {}

  PhraseRef run(const PhraseRef& p) {
    const PhraseRef q = map_children(p, [&](const PhraseRef& c) { return run(c); });
    const PhraseRef by = general_loop(s_, q);
    const PrimPhrase* x = rewriting::as_call(*by, "scatterBy");
    const bool known = x && as<LambdaPhrase>(*x->arguments[0]) && is_known(*x);
    if (x && decisions_)
      decisions_->push_back({std::get<PrimPhrase>(q->node).primitive->name, q->region,
                             known ? LoopDecision::Unmarked : LoopDecision::Marked});
    if (!known) return q;
    return with_region(rewriting::call(s_, "scatterDistinct", x->sizes, x->types, x->arguments), q->region);
  }

 private:
  bool is_known(const PrimPhrase& scatter) const {
    const Size& n = scatter.sizes[1];
    ElementsAt at(s_, definitions_, n);
    const PhraseRef place = at.normal(apply(scatter.arguments[0], at.element(scatter.arguments[3])));
    std::vector<Chosen> chosen;
    if (!collect(place, {}, chosen) || chosen.size() > 2) return false;
    std::vector<Form> forms;
    for (const Chosen& c : chosen) {
      const auto form = at.form(c.place, c.known);
      if (!form || !are_distinct(*form, c.known)) return false;
      forms.push_back(*form);
    }
    if (forms.size() < 2) return true;
    return are_split(forms[0], forms[1], n) || are_split(forms[1], forms[0], n);
  }

  rewriting::Site& s_;
  const Definitions definitions_;
  std::vector<LoopDecision>* decisions_;
};

}  // namespace

PhraseProgram with_distinct_places(const PhraseProgram& p, const Calculus& calculus,
                                   std::vector<LoopDecision>* decisions) {
  PhraseProgram out = p;
  Names names = names_of(p);
  const SizeContext context = context_of(p);
  const SizeSolver solver;
  const rewriting::LawOracle laws;
  rewriting::Site site{calculus, out.facts, out.sizes, context, solver, laws, {}, names};
  out.body = Distinct(site, p.body, decisions).run(p.body);
  return out;
}

Stage distinct_places(const DpiaLanguages& l) {
  return stage_of<PhraseProgram, PhraseProgram>(
      "distinct-places", "Blelloch, 1990, §1.4, ours", l.functional, l.functional,
      [c = l.calculus](const PhraseProgram& p, Owed*) { return with_distinct_places(p, *c); },
      {.work = CostRelation::Change::NotMore});
}

}  // namespace lockstep
