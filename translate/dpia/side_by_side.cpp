// Horizontal fusion (Henriksen and Oancea, 2013, §3, have it of maps): what stands in a branch, or in a function, is
// joined with what stands in it too.
#include "translate/dpia/side_by_side.h"

#include <utility>

#include "semantics/functional/shape.h"
#include "semantics/primitives/build.h"
#include "translate/dpia/reduce_in_blocks.h"
#include "translate/rewriting/terms.h"
#include "translate/rewriting/zipped.h"

namespace lockstep {
namespace {

const PrimPhrase* reduction(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  return x && goes_by_law(*x) && rewriting::is_cheap_view(*x->arguments[2]) ? x : nullptr;
}

// Which of the children of a phrase are evaluated whenever it is.
bool is_evaluated(const Phrase& p, std::size_t child) {
  if (rewriting::is_branch(p)) return child == 0;
  if (as<LetPhrase>(p)) return true;
  const auto* x = as<PrimPhrase>(p);
  const auto* view = x ? std::get_if<View>(&x->primitive->kind) : nullptr;
  return x && (child == 0 || !(view && view->chooses)) && !as<LambdaPhrase>(*x->arguments[child]);
}

class Joining {
 public:
  Joining(rewriting::Site& s, std::vector<fusion::Decision>* decisions) : s_(s), decisions_(decisions) {}

  bool joined() const { return joined_; }
  // A phrase before which others may be evaluated.
  PhraseRef scope(PhraseRef p) {
    for (bool again = true; again;) {
      std::vector<PhraseRef> found;
      collect(p, {}, found);
      again = false;
      for (std::size_t k = 0; k < found.size() && !again; ++k)
        for (std::size_t l = k + 1; l < found.size() && !again; ++l)
          if (auto joined = join(p, found[k], found[l])) p = *joined, again = true;
    }
    return below(p);
  }

 private:
  PhraseRef below(const PhraseRef& p) {
    std::size_t child = 0;
    const bool branches = as<IfPhrase>(*p) != nullptr;
    return map_children(p, [&](const PhraseRef& c) {
      const std::size_t k = child++;
      if (const auto* l = as<LambdaPhrase>(*c)) return function(c, *l);
      return (as<LetPhrase>(*p) && k == 1) || (branches && k > 0) ? scope(c) : below(c);
    });
  }
  PhraseRef function(const PhraseRef& p, const LambdaPhrase& l) {
    const auto* inner = as<LambdaPhrase>(*l.body);
    const bool around = std::exchange(in_function_, true);
    const PhraseRef body = inner ? function(l.body, *inner) : scope(l.body);
    in_function_ = around;
    return with_region(lambda(l.name, l.parameter, body), p->region);
  }

  // Reductions that stand in p whenever it is evaluated, and read nothing that is bound in it.
  static void collect(const PhraseRef& p, std::set<std::string> bound, std::vector<PhraseRef>& out) {
    if (reduction(*p)) {
      std::set<std::string> free;
      collect_free(*p, free);
      if (std::none_of(free.begin(), free.end(), [&](const std::string& n) { return bound.contains(n); }))
        out.push_back(p);
    }
    std::size_t child = 0;
    for_each_child(*p, [&](const PhraseRef& c) {
      const std::size_t k = child++;
      if (!is_evaluated(*p, k)) return;
      std::set<std::string> inside = bound;
      if (const auto* l = as<LetPhrase>(*p); l && k == 1) inside.insert(l->name);
      collect(c, inside, out);
    });
  }

  std::optional<PhraseRef> join(const PhraseRef& around, const PhraseRef& a, const PhraseRef& b) {
    const PrimPhrase &x = *reduction(*a), &y = *reduction(*b);
    if (x.primitive != y.primitive || !alpha_equal(*x.arguments[2], *y.arguments[2])) return {};
    if (within(*a, *b) || within(*b, *a)) return {};
    const bool by_law = split_by_law(s_, x).has_value();
    if (by_law != split_by_law(s_, y).has_value()) return {};
    if (!by_law && !in_function_ && (goes_in_order(x) || goes_in_order(y))) return {};
    if (!reads_elements(x) || !reads_elements(y)) return {};  // nothing is read twice
    if (!is_in_place(*x.arguments[1]) || !is_in_place(*y.arguments[1])) return {};
    const PhraseRef start = rewriting::pair_of(s_, x.arguments[1], y.arguments[1]);
    const Type& element = element_type(*x.arguments[2]);
    const PhraseRef step = rewriting::function_of(s_, "x", element, [&](const PhraseRef& e) {
      return rewriting::function_of(s_, "acc", data_of(*start), [&](const PhraseRef& acc) {
        const PhraseRef first = step_of(x, e, rewriting::component_at(s_, acc, {1}));
        return rewriting::pair_of(s_, first, step_of(y, e, rewriting::component_at(s_, acc, {2})));
      });
    });
    const PhraseRef both = rewriting::reduce_of(s_, x.primitive->name, step, start, x.arguments[2]);
    const std::string name = s_.names.fresh("both");
    const PhraseRef whole = ident(name, both->type);
    const std::function<PhraseRef(const PhraseRef&)> replaced = [&](const PhraseRef& p) -> PhraseRef {
      if (&*p == &*a) return rewriting::component_at(s_, whole, {1});
      if (&*p == &*b) return rewriting::component_at(s_, whole, {2});
      return map_children(p, replaced);
    };
    if (decisions_)
      decisions_->push_back({x.primitive->name,
                             y.primitive->name,
                             a->region,
                             b->region,
                             x.primitive->name + " beside " + y.primitive->name,
                             {},
                             false});
    joined_ = true;
    return let(name, with_region(both, a->region), replaced(around));
  }
  // Whether a pair of it and others costs no more than it does: of what is computed, a pair has a name (Fig. 5), and
  // the accumulator that is written has none.
  static bool is_in_place(const Phrase& start) {
    if (is_scalar_data(data_of(start))) return rewriting::is_atomic(start);
    const PrimPhrase* pair = rewriting::as_call(start, "pair");
    return !pair || std::ranges::all_of(pair->arguments, [](const PhraseRef& a) { return is_in_place(*a); });
  }
  static bool reads_elements(const PrimPhrase& reduce) {
    const auto step = rewriting::step_of(reduce.arguments[0]);
    return !step || rewriting::mentions_name(*step->body, step->x->name);
  }
  // Whether its blocks are put together in their order, as those of both would not be.
  bool goes_in_order(const PrimPhrase& reduce) const {
    return split_in_order(s_, reduce, reduce.arguments[1]).has_value();
  }
  static bool within(const Phrase& inner, const Phrase& p) {
    bool found = &inner == &p;
    for_each_child(p, [&](const PhraseRef& c) { found = found || within(inner, *c); });
    return found;
  }
  PhraseRef step_of(const PrimPhrase& reduce, const PhraseRef& e, const PhraseRef& acc) const {
    const PhraseRef f = refresh(reduce.arguments[0], s_.names);
    const auto step = rewriting::step_of(f);
    if (!step) throw Bug("a reduction by what is no function of two arguments");
    const PhraseRef of_element = rewriting::with_components(s_, step->body, step->x->name, {{{}, e}});
    return rewriting::with_components(s_, of_element, step->acc->name, {{{}, acc}});
  }

  rewriting::Site& s_;
  std::vector<fusion::Decision>* decisions_;
  bool joined_ = false, in_function_ = false;
};

}  // namespace

bool join_reductions(rewriting::Site& site, PhraseRef& body, std::vector<fusion::Decision>* decisions) {
  Joining joining(site, decisions);
  body = joining.scope(body);
  return joining.joined();
}

}  // namespace lockstep
