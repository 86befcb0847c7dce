// Reading strategies and saved derivations; printing what came of them.
#include "driver/languages/dpia/derivation.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/kernels/size_obligations.h"
#include "driver/languages/dpia/dpia.h"
#include "proofs/laws/oracle.h"
#include "proofs/sizes/solver.h"
#include "semantics/functional/names.h"
#include "semantics/functional/source.h"
#include "semantics/functional/syntax/print.h"
#include "translate/rewriting/rules.h"

namespace lockstep::driver {
namespace {

using props::StepVerdict;
using rewriting::Condition;
using rewriting::Derived;

// What the rules ask, kept for as long as they are at work.
struct Asked {
  rewriting::RuleList rules = rewriting::all_rules();
  SizeSolver sizes = remembering(proofs::z3_size_solver());
  rewriting::LawOracle laws = proofs::law_oracle();
  rewriting::Tools tools(const Calculus& calculus) const { return {calculus, rules, sizes, laws}; }
};

CheckedDerivation checked(const PhraseProgram& program, std::vector<Derived> steps, const LoadedProgram& loaded,
                          const SizeSolver& solver, const props::DeriveOptions& options) {
  props::DerivationReport report = props::check_derivation(program, steps, loaded.calculus, solver, options);
  return {program, {options.seed, options.inputs, options.limit}, std::move(steps), std::move(report)};
}

std::string meaning_of(const StepVerdict& v, const props::DerivationReport& r) {
  if (v.disagreement) return "✗ differs";
  if (r.inputs.sizes.empty())
    return r.inputs.endless > 0 ? "not tested: no input was found that ends within " + std::to_string(r.inputs.limit) +
                                      " rounds of `while`"
                                : "not tested: no sizes were found that satisfy the facts";
  if (r.inputs.values == 0)
    return "not tested: none of " + show_count(r.inputs.sizes.size(), "input") + " gave values, but traps";
  std::string out = "tested, " + show_count(v.tested, "input") +
                    (r.inputs.too_large ? " of empty arrays only, others being too large to run" : "") + ": ";
  if (!v.rounding) return out + "the same bits as before";
  out += "reassociated, the same on the reals";
  if (v.compared == 0 || v.wide < v.compared) out += ", within its bound";
  if (v.error.bound > 0) out += fmt::format(" (max error {:.2g}, bound {:.2g})", v.error.error, v.error.bound);
  if (v.wide > 0)
    out += fmt::format("; no comparison of {} of {} floats, whose bound is wider than they are", v.wide, v.compared);
  if (v.undecided > 0) out += "; " + std::to_string(v.undecided) + " undecided";
  return out;
}

// What changes of it.
std::string cost_of(const Cost& now, const Cost& before) {
  std::string out;
  const auto part = [&](const char* what, const Size& a, const Size& b) {
    if (!(a == b))
      out +=
          (out.empty() ? "" : ", ") + std::string(what) + " " + lockstep::show(a) + " (was " + lockstep::show(b) + ")";
  };
  part("work", now.work, before.work);
  part("depth", now.depth, before.depth);
  part("space", now.space, before.space);
  return out;
}

std::string indented(const std::string& text, const std::string& by) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += by + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

Json json_of(const Derived& step, const std::string& text) {
  Json conditions = Json::array();
  for (const Condition& c : step.conditions)
    conditions.push_back(
        {{"condition", c.what}, {"status", std::string(rewriting::show(c.knowledge))}, {"how", c.how}});
  return {{"rule", step.rule}, {"arguments", step.arguments},         {"at", rewriting::show(step.path)},
          {"on", step.at},     {"conditions", std::move(conditions)}, {"reassociates", step.rounding},
          {"program", text}};
}

std::string source_text(const PhraseProgram& p, const Calculus& calculus) {
  const auto back = props::read_back(p, calculus, proofs::z3_size_solver());
  return back ? back->text : lockstep::print(source_of(p, calculus, Suffixes::Always)) + "\n";
}

rewriting::Place path_of(const std::string& text) {
  rewriting::Place out;
  if (text == ".") return out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t dot = std::min(text.find('.', at), text.size());
    const std::string digits = text.substr(at, dot - at);
    if (digits.empty() || digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string::npos)
      fail(invalid, "'" + text + "' is no place in a program");
    out.push_back(std::stoul(digits));
    at = dot + 1;
  }
  return out;
}

rewriting::StrategyRef strategy_in(const std::string& file, const rewriting::RuleList& rules) {
  const auto strategy =
      rewriting::parse_strategy(std::make_shared<const Source>(Source{file, read_source(file)}), rules);
  if (!strategy) throw Failure{invalid, "", strategy.error()};
  return *strategy;
}

// What was saved, where the command line does not say otherwise. A derivation of an earlier version says nothing.
void take_saved(const Json& saved, const std::set<std::string>& given, props::DeriveOptions& options) {
  const auto natural = [&](const char* option, const char* key, std::uint64_t least, std::uint64_t most,
                           std::uint64_t now) {
    if (given.contains(option) || !saved.contains(key)) return now;
    const Json& n = saved.at(key);
    if (!n.is_number_unsigned() || n < least || n > most)
      fail(invalid, std::string("a saved derivation cannot have the ") + key + " " + n.dump());
    return n.get<std::uint64_t>();
  };
  options.seed = natural("--seed", "seed", 0, UINT64_MAX, options.seed);
  options.inputs = natural("--inputs", "inputs_asked", 1, most_inputs, options.inputs);
  options.limit = natural("--limit", "round_limit", 1, UINT64_MAX, options.limit);
}

}  // namespace

std::string title_of(const Derived& step) {
  std::string out = step.rule;
  for (const std::string& a : step.arguments) out += " " + a;
  return step.rule == "assume" ? out : out + " at " + rewriting::show(step.path) + " (" + step.at + ")";
}

CheckedDerivation derive_by(const std::string& file, const LoadedProgram& loaded, const PhraseProgram& program,
                            const props::DeriveOptions& options) {
  const Asked asked;
  auto steps = rewriting::derive(program, *strategy_in(file, asked.rules), asked.tools(loaded.calculus));
  if (!steps) {
    const rewriting::NotApplied& n = steps.error();
    throw Failure{
        invalid,
        "",
        {{n.region, rewriting::show(n), "",
          "'lockstep derive --rules' says what each rule matches; '" + std::string("try") + "' goes on without it"}}};
  }
  return checked(program, std::move(*steps), loaded, asked.sizes, options);
}

PhraseProgram by_strategy(const std::string& file, const PhraseProgram& program, const Calculus& calculus) {
  const Asked asked;
  const auto steps = rewriting::derive(program, *strategy_in(file, asked.rules), asked.tools(calculus));
  if (steps && steps->empty()) return program;
  if (steps) return with_own_names(steps->back().program);
  const rewriting::NotApplied& n = steps.error();
  std::fputs(("lockstep: " + file + " does not fit " + program.name +
              ", which is taken without it: " + show_position(n.region) + ": " + rewriting::show(n) + "\n")
                 .c_str(),
             stderr);
  return program;
}

CheckedDerivation replay(const std::string& file, const LoadedProgram& loaded, const PhraseProgram& program,
                         props::DeriveOptions options, const std::set<std::string>& given) {
  const Asked asked;
  const Json saved = Json::parse(read_source(file), nullptr, false);
  std::vector<Derived> steps;
  try {
    if (saved.is_discarded()) fail(invalid, file + " is no JSON");
    const std::string source = saved.at("source");
    take_saved(saved, given, options);
    if (source != source_text(program, loaded.calculus))
      fail(disagrees, file + " derives from another program:\n" + indented(source, "  "));
    PhraseProgram at = program;
    {  // as derive begins: with every binder unique
      Names names;
      for (const std::string& s : at.sizes) names.reserve(s);
      for (const auto& [name, type] : at.parameters) names.reserve(name);
      at.body = refresh(at.body, names);
    }
    for (const Json& want : saved.at("steps")) {
      const rewriting::RuleCall call{want.at("rule"), want.at("arguments").get<std::vector<std::string>>()};
      auto step = rewriting::apply_rule(at, call, path_of(want.at("at")), asked.tools(loaded.calculus));
      const std::string which = "step " + std::to_string(steps.size() + 1) + ", " + call.rule + " at " +
                                want.at("at").get<std::string>() + ", ";
      if (!step) fail(disagrees, which + "does not apply any more: " + rewriting::show(step.error()));
      const Json found = json_of(*step, source_text(step->program, loaded.calculus));
      for (const auto& [key, value] : want.items())
        if (found.at(key) != value)
          fail(disagrees,
               which + "differs in its " + key + "\n  saved\n" +
                   indented(value.is_string() ? value.get<std::string>() : value.dump(2), "    ") + "  now\n" +
                   indented(found.at(key).is_string() ? found.at(key).get<std::string>() : found.at(key).dump(2),
                            "    "));
      at = step->program;
      steps.push_back(std::move(*step));
    }
  } catch (const Json::exception& e) {
    fail(invalid, file + " is no saved derivation: " + e.what(),
         "'lockstep derive FILE --strategy S -o OUT.json' writes one");
  }
  return checked(program, std::move(steps), loaded, asked.sizes, options);
}

std::string text_of(const CheckedDerivation& d, const Calculus& calculus, bool colour) {
  std::string out = tone("-- source", Tone::Head, colour) + "\n" + source_text(d.source, calculus);
  const Cost* before = &d.report.cost;
  for (std::size_t k = 0; k < d.report.steps.size(); ++k) {
    const StepVerdict& v = d.report.steps[k];
    out += "\n" + tone("-- " + std::to_string(k + 1) + "  " + title_of(d.steps[k]), Tone::Head, colour) + "\n";
    for (const Condition& c : d.steps[k].conditions)
      out += "--    " + std::string(rewriting::show(c.knowledge)) + ": " + c.what + ", " + c.how + "\n";
    if (v.type_errors.empty()) {
      out += "--    types: inferred from the text and by Fig. 3, " + summary_of(v.program.obligations) + "\n";
      out += "--    meaning: " + meaning_of(v, d.report) + "\n";
      if (const std::string cost = cost_of(v.cost, *before); !cost.empty()) out += "--    cost: " + cost + "\n";
      before = &v.cost;
    }
    out += v.program.text;
  }
  return out;
}

Json json_of(const CheckedDerivation& d, const Calculus& calculus) {
  Json steps = Json::array(), checks = Json::array();
  for (std::size_t k = 0; k < d.report.steps.size(); ++k) {
    const StepVerdict& v = d.report.steps[k];
    steps.push_back(json_of(d.steps[k], v.program.text));
    checks.push_back(
        {{"types", v.type_errors.empty() ? "inferred" : "wrong"},
         {"obligations", v.program.obligations.size()},
         {"status", "tested"},
         {"inputs", v.tested},
         {"floats", v.compared},
         {"floats_of_wide_bound", v.wide},
         {"compared", v.rounding ? "on the reals, and within the bound" : "bit for bit, with the step before"},
         {"cost",
          {{"work", lockstep::show(v.cost.work)},
           {"depth", lockstep::show(v.cost.depth)},
           {"space", lockstep::show(v.cost.space)}}},
         {"agrees", !v.disagreement && v.type_errors.empty()}});
  }
  return {{"ok", d.report.agrees()},   {"function", d.source.name},      {"source", source_text(d.source, calculus)},
          {"seed", d.tests.seed},      {"inputs_asked", d.tests.inputs}, {"round_limit", d.tests.limit},
          {"steps", std::move(steps)}, {"checks", std::move(checks)}};
}

void refuse_wrong(const CheckedDerivation& d) {
  for (std::size_t k = 0; k < d.report.steps.size(); ++k) {
    const StepVerdict& v = d.report.steps[k];
    const std::string which = "step " + std::to_string(k + 1) + ", " + title_of(d.steps[k]) + ", ";
    if (!v.type_errors.empty())
      throw Failure{
          disagrees,
          which + "gives a wrongly typed program\n  " + v.type_errors.front() + "\n" + indented(v.program.text, "  "),
          {},
          true};
    if (v.disagreement)
      throw Failure{disagrees,
                    which + "changes the program's meaning\n  on        " + v.disagreement->input + "\n  expected  " +
                        v.disagreement->expected + "\n  found     " + v.disagreement->found,
                    {},
                    true};
  }
}

}  // namespace lockstep::driver
