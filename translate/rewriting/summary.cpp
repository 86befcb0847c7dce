// A fold that begins again: s is a pair, whether a part has such an element, and what it accumulates from numbers that
// are neutral. Where it has one, that is what the fold comes to; else it is put to what was there: with x of c x both
// sides are h x, without it they are g x + (v + acc) and (g x + v) + acc.
#include "translate/rewriting/summary.h"

#include "semantics/primitives/build.h"
#include "translate/rewriting/zipped.h"

namespace lockstep::rewriting {
namespace {

class BeginsAgain {
 public:
  BeginsAgain(Site& s, const Step& step, const PhraseRef& f, const PhraseRef& z) : s_(s), step_(step), f_(f), z_(z) {}

  std::optional<Summary> run() {
    const auto start = start_of(step_.body, {}, {});
    if (!start || !again_) return {};
    const Type state = pair(scalar(ScalarType::Bool), step_type());
    const PhraseRef again = lambda(step_.x->name, step_.x->parameter, *again_);
    const PhraseRef from = function_of(s_, "x", data_of(step_.x->parameter), [&](const PhraseRef& x) {
      return function_of(s_, "s", state, [&](const PhraseRef& s) {
        const PhraseRef begins = apply(refresh(again, s_.names), x);
        const PhraseRef made = apply(apply(refresh(f_, s_.names), x), component_at(s_, s, {2}));
        return pair_of(s_, apply_operator(s_.calculus.primitive("||"), {begins, component_at(s_, s, {1})}), made);
      });
    });
    const PhraseRef onto = function_of(s_, "s", state, [&](const PhraseRef& s) {
      return function_of(s_, "acc", step_type(), [&](const PhraseRef& acc) { return put(step_.body, s, acc, {}); });
    });
    return Summary{from, pair_of(s_, bool_literal(false), *start), onto, false};
  }

 private:
  const Type& step_type() const { return data_of(step_.acc->parameter); }
  bool hangs_on_acc(const Phrase& p) const { return mentions_name(p, step_.acc->name); }

  // With a neutral number.
  std::optional<Sum> sum_of(const Phrase& p, const Components& path) const {
    auto sum = sum_at(step_, p, path);
    return sum && sum->op.laws.identity && !sum->op.decided_by ? sum : std::nullopt;
  }

  // What the component at a path begins with; nothing where it is of no such form.
  std::optional<PhraseRef> start_of(const PhraseRef& p, const Components& path, std::vector<const LetPhrase*> lets) {
    if (!hangs_on_acc(*p)) return component_at(s_, z_, path);
    if (const auto* l = as<LetPhrase>(*p)) {
      if (hangs_on_acc(*l->value)) return {};
      lets.push_back(l);
      return start_of(l->body, path, std::move(lets));
    }
    if (const auto* choice = as<IfPhrase>(*p)) {
      if (hangs_on_acc(*choice->condition) || hangs_on_acc(*choice->then) || !is_again(choice->condition, lets))
        return {};
      return neutral_of(choice->otherwise, path);
    }
    const auto* both = as<PrimPhrase>(*p);
    if (!both || !is_pair(*both)) return neutral_of(p, path);
    std::vector<PhraseRef> out;
    for (const int k : {1, 2}) {
      const Components inner = below(path, k);
      const auto one = start_of(both->arguments[static_cast<std::size_t>(k - 1)], inner, lets);
      if (!one) return {};
      out.push_back(*one);
    }
    return pair_of(s_, out[0], out[1]);
  }
  // Whether all components begin again at the same elements, as this one does.
  bool is_again(const PhraseRef& condition, const std::vector<const LetPhrase*>& lets) {
    PhraseRef all = condition;
    for (auto l = lets.rbegin(); l != lets.rend(); ++l) all = let((*l)->name, (*l)->value, all);
    if (!again_) again_ = all;
    return alpha_equal(**again_, *all);
  }
  std::optional<PhraseRef> neutral_of(const PhraseRef& p, const Components& path) {
    const auto sum = sum_of(*p, path);
    const auto* t = sum ? as<ScalarType>(data_of(*p)) : nullptr;
    if (!t) return {};
    const PhraseRef e = number(*t, *sum->op.laws.identity);
    const PhraseRef op = function_of(s_, "x", data_of(*p), [&](const PhraseRef& x) {
      return function_of(s_, "acc", data_of(*p), [&](const PhraseRef& acc) { return sum->with(x, acc); });
    });
    const bool holds = require_law(s_, Law::Associative, op) && require_law(s_, Law::Neutral, op, e);
    return holds ? std::optional(e) : std::nullopt;
  }

  // What a part comes to, put to what was there.
  PhraseRef put(const PhraseRef& p, const PhraseRef& s, const PhraseRef& acc, const Components& path) {
    Components of_part{2};
    of_part.insert(of_part.end(), path.begin(), path.end());
    const PhraseRef made = component_at(s_, s, of_part);
    if (!hangs_on_acc(*p)) return made;
    if (const auto* l = as<LetPhrase>(*p)) return put(l->body, s, acc, path);
    if (const auto* choice = as<IfPhrase>(*p))
      return if_else(component_at(s_, s, {1}), made, put(choice->otherwise, s, acc, path));
    const auto* both = as<PrimPhrase>(*p);
    if (!is_pair(*both)) return sum_of(*p, path)->with(made, component_at(s_, acc, path));
    std::vector<PhraseRef> out;
    for (const int k : {1, 2}) {
      const Components inner = below(path, k);
      out.push_back(put(both->arguments[static_cast<std::size_t>(k - 1)], s, acc, inner));
    }
    return pair_of(s_, out[0], out[1]);
  }

  Site& s_;
  const Step step_;
  const PhraseRef &f_, &z_;
  std::optional<PhraseRef> again_;  // of the element
};

}  // namespace

tl::expected<Summary, Refused> summary_of(Site& s, const PrimPhrase& fold, const PhraseRef& start) {
  const PhraseRef &f = fold.arguments[0], &z = fold.arguments[1];
  auto split = splitting_of(s, fold, true);
  if (!split) split = splitting_from_start(s, fold);
  if (split) return Summary{f, split->start, split->op, true};
  if (auto op = selection_of(s, fold)) return Summary{f, z, *op, false};
  if (const auto step = step_of(f))
    if (auto again = BeginsAgain(s, *step, f, z).run()) return std::move(*again);
  auto own = splitting_in_order(s, fold, start);
  if (own) return Summary{f, own->start, own->op, false};
  own.error().why += "; nor does it begin again at some elements";
  return tl::unexpected(std::move(own.error()));
}

}  // namespace lockstep::rewriting
