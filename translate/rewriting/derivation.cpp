// Strategies at work. Each rule gets the phrase at the focus; the whole program is put together again and its binders
// made unique. A strategy that fails leaves the program and the steps as they were.
#include "translate/rewriting/derivation.h"

#include "semantics/functional/names.h"

namespace lockstep::rewriting {
namespace {

class Engine {
 public:
  Engine(const PhraseProgram& program, const Tools& tools) : program_(program), tools_(tools) {}

  std::vector<Derived> steps;
  std::optional<NotApplied> nearest;  // of what failed since the last success

  bool run(const Strategy& s, const Place& at) {
    return match(
        s.node, [&](const RuleCall& x) { return rule(x, at, s.region); },
        [&](const Sequence& x) { return sequence(x, at); }, [&](const Choice& x) { return choice(x, at); },
        [&](const Combined& x) { return combined(x, at, s.region); },
        [&](const At& x) { return below(x, at, s.region); }, [](const Identity&) { return true; },
        [&](const Fail&) {
          return failed({"fail", "it is what 'fail' does", at, head(at), false, s.region});
        });
  }

 private:
  std::string head(const Place& at) const { return head_of(**phrase_at(program_.body, at)); }

  bool failed(NotApplied n) {
    if (!nearest || (n.matched && !nearest->matched)) nearest = std::move(n);
    return false;
  }

  bool rule(const RuleCall& x, const Place& at, const Region& region) {
    if (steps.size() >= step_limit)
      return failed(
          {x.rule, "the derivation has " + std::to_string(step_limit) + " steps already", at, head(at), true, region});
    auto step = apply_rule(program_, x, at, tools_);
    if (!step) {
      step.error().region = region;
      return failed(step.error());
    }
    program_ = step->program;
    steps.push_back(std::move(*step));
    return true;
  }

  // Runs it, and takes everything back where it fails.
  bool attempt(const Strategy& s, const Place& at) {
    const PhraseProgram before = program_;
    const std::size_t count = steps.size();
    if (run(s, at)) return true;
    program_ = before;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(count), steps.end());
    return false;
  }

  bool sequence(const Sequence& x, const Place& at) {
    for (const StrategyRef& part : x.parts) {
      if (!run(*part, at)) return false;
      nearest.reset();
    }
    return true;
  }
  bool choice(const Choice& x, const Place& at) {
    for (const StrategyRef& part : x.parts)
      if (attempt(*part, at)) return true;
    return false;
  }

  std::size_t arity(const Place& at) const { return children_of(**phrase_at(program_.body, at)).size(); }
  static Place child(const Place& at, std::size_t k) {
    Place out = at;
    out.push_back(k);
    return out;
  }
  template <class F>
  bool one(const Place& at, const F& f) {
    for (std::size_t k = 0; k < arity(at); ++k)
      if (f(child(at, k))) return true;
    return false;
  }
  bool top_down(const Strategy& s, const Place& at) {
    return attempt(s, at) || one(at, [&](const Place& c) { return top_down(s, c); });
  }
  bool bottom_up(const Strategy& s, const Place& at) {
    return one(at, [&](const Place& c) { return bottom_up(s, c); }) || attempt(s, at);
  }

  bool combined(const Combined& x, const Place& at, const Region& region) {
    const Strategy& s = *x.inside;
    switch (x.combinator) {
      case Combinator::Try:
        return attempt(s, at), true;
      case Combinator::Repeat: {
        for (std::size_t before = steps.size(); attempt(s, at); before = steps.size()) {
          if (steps.size() >= step_limit)
            return failed({"repeat", "it does not come to an end within " + std::to_string(step_limit) + " steps", at,
                           head(at), true, region});
          if (steps.size() == before) break;  // it applies without changing anything
        }
        return true;
      }
      case Combinator::TopDown:
        return top_down(s, at) || failed_anywhere(at, region);
      case Combinator::BottomUp:
        return bottom_up(s, at) || failed_anywhere(at, region);
      case Combinator::All:
        for (std::size_t k = 0; k < arity(at); ++k)
          if (!run(s, child(at, k))) return false;
        return true;
      case Combinator::One:
        return one(at, [&](const Place& c) { return attempt(s, c); }) || failed_anywhere(at, region);
    }
    throw Bug("combinator");
  }
  bool failed_anywhere(const Place& at, const Region& region) {
    if (!nearest) nearest = NotApplied{"", "there is nothing to apply it to", at, head(at), false, region};
    return false;
  }

  bool below(const At& x, const Place& at, const Region& region) {
    if (!x.name.empty()) {
      const auto place = first_named(*phrase_at(program_.body, at), x.name);
      if (!place) return failed({"at " + x.name, "there is no " + x.name + " there", at, head(at), true, region});
      Place whole = at;
      whole.insert(whole.end(), place->begin(), place->end());
      return run(*x.inside, whole);
    }
    Place path = at;
    path.insert(path.end(), x.path.begin(), x.path.end());
    if (!phrase_at(program_.body, path))
      return failed({"at " + show(x.path), "there is no such place there", at, head(at), true, region});
    return run(*x.inside, path);
  }

  PhraseProgram program_;
  const Tools& tools_;
};

}  // namespace

std::string show(const NotApplied& n) {
  return (n.rule.empty() ? "the strategy" : n.rule) + " does not apply at " + show(n.path) + " (" + n.at +
         "): " + n.why;
}

tl::expected<Derived, NotApplied> apply_rule(const PhraseProgram& program, const RuleCall& call, const Place& path,
                                             const Tools& tools) {
  const auto focus = phrase_at(program.body, path);
  if (!focus) return tl::unexpected(NotApplied{call.rule, "there is no such place", path, "nothing", true, {}});
  const auto refuse = [&](const Refused& r) {
    return tl::unexpected(NotApplied{call.rule, r.why, path, head_of(**focus), r.matched, {}});
  };
  const Rule* rule = nullptr;
  for (const Rule& r : tools.rules)
    if (r.name == call.rule) rule = &r;
  if (!rule || rule->parameters.size() != call.arguments.size())
    return refuse({"there is no such rule with " + std::to_string(call.arguments.size()) + " arguments", true});
  const SizeContext context = context_of(program);
  Names names = names_of(program);
  Site site{tools.calculus,
            program.facts,
            program.sizes,
            context,
            tools.solver,
            tools.laws,
            levels_around(program.body, path),
            names};
  auto out = rule->apply(*focus, call.arguments, site);
  if (!out) return refuse(out.error());
  Derived step{call.rule, call.arguments, path, head_of(**focus), std::move(out->conditions), out->rounding, program};
  if (out->fact) step.program.facts.push_back(*out->fact);
  if (out->block) step.program.launch.block = *out->block;
  step.program.body = with_phrase_at(program.body, path, out->phrase);
  step.program = with_own_names(std::move(step.program));
  return step;
}

tl::expected<std::vector<Derived>, NotApplied> derive(const PhraseProgram& program, const Strategy& strategy,
                                                      const Tools& tools) {
  Engine engine(with_own_names(program), tools);
  if (engine.run(strategy, {})) return std::move(engine.steps);
  if (!engine.nearest) throw Bug("a strategy that fails without a reason");
  return tl::unexpected(*engine.nearest);
}

}  // namespace lockstep::rewriting
