// What the languages of phrases give (language.h).
#include "semantics/imperative/language.h"

#include "semantics/functional/cost.h"
#include "semantics/imperative/check.h"
#include "semantics/imperative/cost.h"
#include "semantics/imperative/parse.h"
#include "semantics/imperative/print.h"
#include "semantics/imperative/run.h"

namespace lockstep {
namespace {

std::shared_ptr<ArrayLanguage> phrases(const std::shared_ptr<const Calculus>& calculus, bool chosen_spaces) {
  auto out = std::make_shared<ArrayLanguage>();
  const std::weak_ptr<const ArrayLanguage> self = out;
  out->print = [](const AnyProgram& p) { return print(p.as<PhraseProgram>()); };
  out->write = [](const AnyProgram& p) { return print(p.as<PhraseProgram>(), {.annotate = true}); };
  out->parse = [calculus, self](const SourceRef& source) {
    return as_program(self, parse_phrase_program(source->text, *calculus));
  };
  out->equal = [](const AnyProgram& a, const AnyProgram& b) {
    const auto &p = a.as<PhraseProgram>(), &q = b.as<PhraseProgram>();
    return p.output == q.output && p.launch == q.launch && (*p.body == *q.body || alpha_equal(*p.body, *q.body));
  };
  out->check = [chosen_spaces](const AnyProgram& p, const SizeImplication& implied) {
    std::vector<std::string> wrong;
    // Hoisting makes bodies that write their own element of an outer array.
    if (const auto checked = check_program(p.as<PhraseProgram>(), {{}, true, chosen_spaces, implied}); !checked)
      for (const Diagnostic& d : checked.error()) wrong.push_back(d.message);
    return wrong;
  };
  out->nodes = [](const AnyProgram& p) { return node_count(*p.as<PhraseProgram>().body); };
  out->meaning = [](const AnyProgram& any, const ArrayInput& in, const Domain& domain, const ArrayRun& how) -> Attempt {
    const auto& p = any.as<PhraseProgram>();
    RunOptions options;
    options.order = static_cast<Order>(how.order);
    options.seed = how.seed;
    options.iteration_limit = static_cast<std::int64_t>(how.rounds);
    const auto value = run(p, in.sizes, in.values(), domain, options);
    if (value) return Outcome(flatten(*value, p.result, in.sizes));
    if (const auto* trap = std::get_if<Trap>(&value.error())) return Outcome(tl::unexpected(*trap));
    return tl::unexpected(render(value.error()));
  };
  return out;
}

}  // namespace

LanguageRef functional_language(std::shared_ptr<const Calculus> calculus) {
  const auto out = phrases(calculus, false);
  out->name = "functional";
  out->cost = [](const AnyProgram& p) { return cost(p.as<PhraseProgram>()); };
  return out;
}

LanguageRef imperative_language(std::shared_ptr<const Calculus> calculus, bool chosen) {
  const auto out = phrases(calculus, chosen);
  out->name = "imperative";
  out->orders = 5;
  out->in_turns = 3;
  out->cost = [](const AnyProgram& p) { return imperative::cost(p.as<PhraseProgram>()); };
  return out;
}

DpiaLanguages dpia_languages(std::shared_ptr<const Calculus> c) {
  return {c,
          functional_language(c),
          imperative_language(c),
          imperative_language(c, true),
          kernel::language(c, false),
          kernel::language(c, true),
          host::language()};
}

}  // namespace lockstep
