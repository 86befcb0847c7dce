// A step taken apart, by its form alone (reduction.h).
#include <algorithm>
#include <functional>

#include "semantics/primitives/build.h"
#include "translate/rewriting/reduction.h"
#include "translate/rewriting/zipped.h"

namespace lockstep::rewriting {

bool is_whole(const Phrase& f, const LambdaPhrase& of) {
  const std::function<bool(const Phrase&, const Components&)> at = [&](const Phrase& p, const Components& path) {
    if (const auto c = component_of_name(p)) return c->name == of.name && c->path == path;
    const auto* pair = as<PrimPhrase>(p);
    if (!pair || !is_pair(*pair)) return false;
    for (const int k : {1, 2}) {
      const Components inner = below(path, k);
      if (!at(*pair->arguments[static_cast<std::size_t>(k - 1)], inner)) return false;
    }
    return true;
  };
  return at(f, {});
}

std::optional<Step> step_of(const PhraseRef& f) {
  const LambdaPhrase* x = as_lambda(*f);
  const LambdaPhrase* acc = x ? as_lambda(*x->body) : nullptr;
  if (!acc) return {};
  return Step{x, acc, acc->body};
}

std::optional<Sum> sum_at(const Step& step, const Phrase& p, const Components& path) {
  const auto* x = as<PrimPhrase>(p);
  const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  if (!op || !op->laws.associative || x->arguments.size() != 2) return {};
  for (const std::size_t k : {1U, 0U}) {
    const auto acc = component_of_name(*x->arguments[k]);
    if (acc && acc->name == step.acc->name && acc->path == path && !mentions_name(*x->arguments[1 - k], step.acc->name))
      return Sum{*x, p.type, *op, k};
  }
  return {};
}
PhraseRef Sum::with(const PhraseRef& made, const PhraseRef& acc_there) const {
  PrimPhrase out = sum;
  out.arguments[acc] = acc_there;
  out.arguments[1 - acc] = made;
  return Phrase{type, std::move(out), {}};
}

namespace {
// A step taken apart: what its operator does to y and acc, and what it makes of an element.
struct Apart {
  PhraseRef combined;
  PhraseRef made;
};
class TakenApart {
 public:
  TakenApart(Site& s, const Step& step)
      : s_(s),
        step_(step),
        y_(ident(s.names.fresh("x"), step.acc->parameter)),
        acc_(ident(s.names.fresh("acc"), step.acc->parameter)) {}

  std::optional<Reduction> run() {
    if (const auto apart = at(step_.body, {}))
      return Reduction{lambda(name(y_), y_->type, lambda(name(acc_), acc_->type, apart->combined)),
                       lambda(step_.x->name, step_.x->parameter, apart->made)};
    return {};
  }

 private:
  static const std::string& name(const PhraseRef& p) { return as<Ident>(*p)->name; }

  // A part of the body that makes the component at `path` of what is accumulated.
  std::optional<Apart> at(const PhraseRef& p, const Components& path) {
    if (const auto* l = as<LetPhrase>(*p)) {
      auto inner = mentions_name(*l->value, step_.acc->name) ? std::nullopt : at(l->body, path);
      if (inner) inner->made = let(l->name, l->value, inner->made);
      return inner;
    }
    const auto* x = as<PrimPhrase>(*p);
    if (x && is_pair(*x)) return both(*x, path);
    const auto sum = sum_at(step_, *p, path);
    // acc && g x: where g x is not evaluated it does not trap
    if (!sum || (sum->op.decided_by && sum->acc == 0 && !is_total(*sum->made()))) return {};
    return Apart{sum->with(component_at(s_, y_, path), component_at(s_, acc_, path)), sum->made()};
  }
  std::optional<Apart> both(const PrimPhrase& pair, const Components& path) {
    std::vector<PhraseRef> combined, made;
    for (const int k : {1, 2}) {
      const Components inner = below(path, k);
      auto part = at(pair.arguments[static_cast<std::size_t>(k - 1)], inner);
      if (!part) return {};
      combined.push_back(part->combined);
      made.push_back(part->made);
    }
    return Apart{pair_of(s_, combined[0], combined[1]), pair_of(s_, made[0], made[1])};
  }

  Site& s_;
  const Step& step_;
  PhraseRef y_, acc_;
};

// A step op (g x) acc, whatever op is: g x is what the body reads of its element.
class MadeOfElement {
 public:
  MadeOfElement(Site& s, const Step& step) : s_(s), step_(step), own_{step.x->name} {}

  std::optional<Reduction> run() {
    const PhraseRef body = below_lets(step_.body);
    std::vector<PhraseRef> parts;
    collect(body, {step_.acc->name}, parts);
    for (const PhraseRef& made : parts) {
      const auto* name = as<Ident>(*made);
      if (name && name->name == step_.x->name) return {};
      if (name || is_total(*made))
        if (auto apart = at(body, made)) return apart;
    }
    return {};
  }

 private:
  // Below the outermost `let`s: names of names gone, and of those of the element alone a list.
  PhraseRef below_lets(PhraseRef p) {
    while (const auto* l = as<LetPhrase>(*p)) {
      if (is_atomic(*l->value)) {
        p = substitute(l->body, {{l->name, l->value}});
        continue;
      }
      if (mentions_name(*l->value, step_.acc->name)) break;
      lets_.push_back(*l);
      own_.insert(l->name);
      p = l->body;
    }
    return p;
  }
  // Parts that are of the element alone, of the type of what is accumulated, the larger first.
  void collect(const PhraseRef& p, std::set<std::string> others, std::vector<PhraseRef>& into) const {
    constexpr std::size_t most = 16;
    std::set<std::string> free;
    collect_free(*p, free);
    const auto reads = [&](const std::string& n) { return free.contains(n); };
    if (into.size() == most || std::none_of(own_.begin(), own_.end(), reads)) return;
    if (p->type == step_.acc->parameter && std::none_of(others.begin(), others.end(), reads)) into.push_back(p);
    if (const auto* l = as<LambdaPhrase>(*p)) others.insert(l->name);
    if (const auto* l = as<LetPhrase>(*p)) others.insert(l->name);
    for_each_child(*p, [&](const PhraseRef& c) { collect(c, others, into); });
  }
  // The step with y wherever it has that part, where it reads nothing else of its element.
  std::optional<Reduction> at(const PhraseRef& body, const PhraseRef& made) {
    const PhraseRef y = ident(s_.names.fresh("x"), step_.acc->parameter);
    const std::function<PhraseRef(const PhraseRef&)> replaced = [&](const PhraseRef& p) -> PhraseRef {
      return alpha_equal(*p, *made) ? y : map_children(p, replaced);
    };
    const PhraseRef combined = replaced(body);
    std::set<std::string> free;
    collect_free(*combined, free);
    if (std::any_of(own_.begin(), own_.end(), [&](const std::string& n) { return free.contains(n); })) return {};
    PhraseRef g = made;
    for (auto l = lets_.rbegin(); l != lets_.rend(); ++l) g = let(l->name, l->value, g);
    const LambdaPhrase& acc = *step_.acc;
    return Reduction{lambda(as<Ident>(*y)->name, y->type, lambda(acc.name, acc.parameter, combined)),
                     lambda(step_.x->name, step_.x->parameter, g)};
  }

  Site& s_;
  const Step& step_;
  std::set<std::string> own_;  // the element, and what is made of it
  std::vector<LetPhrase> lets_;
};
}  // namespace

std::optional<Reduction> reduction_of(Site& s, const PhraseRef& f) {
  const auto step = step_of(f);
  if (!step) return {};
  auto apart = TakenApart(s, *step).run();
  const bool same_types = data_of(step->x->parameter) == data_of(step->acc->parameter);
  if (apart && !(same_types && is_whole(*as_lambda(**apart->g)->body, *as_lambda(**apart->g)))) return apart;
  if (auto made = MadeOfElement(s, *step).run()) return made;
  if (!same_types) return {};
  return Reduction{f, {}};
}

}  // namespace lockstep::rewriting
