// Claims from rows; and when what was run says enough.
#include "props/engine/report.h"

#include <algorithm>

namespace lockstep::props {
namespace {

std::string number(std::size_t n) { return std::to_string(n); }

Claim refuted(const Row& r, std::string statement, std::string as, const Disagreement& d) {
  Claim c{r.subject, std::move(statement), Standing::Refuted};
  c.refuted_as = std::move(as);
  c.shown_by = d;
  c.before = r.before, c.after = r.after;
  return c;
}

void claims_of_program(const Row& r, std::vector<Claim>& out) {
  if (r.well_formed.empty()) return;
  if (r.ill_formed.empty()) {
    out.push_back({r.subject, r.well_formed, Standing::Proved, "a check of this program"});
    out.back().evidence.emplace_back("seconds", r.check_seconds);
    return;
  }
  std::string found;
  for (std::size_t k = 0; k < r.ill_formed.size() && k < 3; ++k) found += (k ? "\n  " : "") + r.ill_formed[k];
  out.push_back(refuted(r, r.well_formed, r.subject + " is wrongly formed", {"", "", found}));
}

std::string same_of(const Row& r) {
  std::string out = r.same;
  if (!r.own_functions.empty()) out += ", with its own " + r.own_functions;
  if (r.reassociated > 0)
    out += " or, where floats are " +
           std::string(r.contracts ? "rounded with their products" : "combined in another order") +
           ", within the error bound";
  if (r.is_target && r.floats && r.wide < r.compared) out += ", within the error bound";
  if (r.is_target && r.same_bits > 0 && r.same_bits == r.tested)
    out += ", and what the interpreter of its program does, bit for bit";
  return out;
}

// Of the reference, which is held against itself on the reals.
constexpr const char* on_reals = "computes what it does on the reals, within the error of any order of its operations";

void claims_of_meaning(const Row& r, std::vector<Claim>& out) {
  const std::string statement = r.reference ? on_reals : same_of(r);
  if (r.disagreement)
    return out.push_back(
        refuted(r, statement, r.subject + (r.reference ? " is wrong" : " differs from the source"), *r.disagreement));
  if (r.tested == 0 || (r.reference ? r.compared == 0 : r.groundless().has_value())) return;
  Claim c{r.subject, statement, Standing::Tested,
          r.reference ? "the bounded domain's results on the inputs" : "runs beside the source on the inputs"};
  const auto says = [&](const char* what, Claim::Evidence value) { c.evidence.emplace_back(what, std::move(value)); };
  says("inputs", r.tested);
  says("inputs_with_values", r.values);
  says("runs", r.runs);
  if (r.interleaved > 0) says("runs_interleaved", r.interleaved);
  if (r.explored > 0) says("inputs_in_every_order", r.explored);
  if (r.reassociated > 0) says(r.contracts ? "runs_contracted" : "runs_reassociated", r.reassociated);
  if (r.is_target && r.same_bits > 0) says("inputs_bit_for_bit", r.same_bits);
  if (r.reassociated > 0 || r.compared > 0) {
    says("worst_error", r.rounding.error);
    says("bound_there", r.rounding.bound);
    says("share_of_bound", r.rounding.share());
  }
  if (r.compared > 0) says("floats", r.compared), says("floats_of_wide_bound", r.wide);
  if (r.undecided > 0) says("undecided_inputs", r.undecided);
  out.push_back(std::move(c));
}

void claims_of_costs(const Row& r, std::vector<Claim>& out) {
  for (const Related& c : r.related) {
    if (c.wrong) {
      out.push_back(refuted(r, c.statement, r.subject + " does not cost what it may: " + c.statement, *c.wrong));
    } else if (c.inputs > 0) {
      out.push_back({r.subject, c.statement, Standing::Tested, "counted while it ran"});
      out.back().evidence.emplace_back("inputs", c.inputs);
      if (c.greatest) out.back().evidence.emplace_back("greatest", *c.greatest);
    }
  }
}

}  // namespace

const Related* Row::cost_wrong() const {
  for (const Related& c : related)
    if (c.wrong) return &c;
  return nullptr;
}

bool too_many_undecided(std::size_t undecided, std::size_t all) {
  // One is no share.
  return undecided > 1 && static_cast<double>(undecided) > undecided_at_most * static_cast<double>(all);
}

std::size_t values_needed(std::size_t inputs, std::size_t asked, bool takes_data) {
  const std::size_t least = takes_data ? std::min<std::size_t>(6, asked) : 1;
  return std::max(least, (inputs + 1) / 2);
}

std::optional<std::string> Row::groundless() const {
  if (disagreement || same_bits == tested || !too_many_undecided(wide, compared)) return {};
  return "on " + subject + " the error bound is wider than the result for " + number(wide) + " of " + number(compared) +
         " floats, more than 5%, and there are no bits to compare; the first input: " + first_wide;
}

std::optional<std::string> Tried::not_tested() const {
  if (values >= needed) return {};
  if (all() == 0) return "not tested: " + none;
  std::string out =
      "not tested: " + number(values) + " of " + number(all()) + " inputs gave values, " + number(needed) + " have to";
  if (const std::size_t n = trapped - also_trapped; n > 0)
    out += "\n  " + number(n) + (n == 1 ? " traps" : " trap") + "; the first: " + first_trap;
  if (endless > 0)
    out += "\n  " + number(endless) + (endless == 1 ? " does" : " do") + " not end within " + number(limit) +
           " rounds of `while`; the first: " + first_endless;
  if (not_drawn > 0)
    out += "\n  " + number(not_drawn) + " more would have taken long and " + (not_drawn == 1 ? "was" : "were") +
           " not drawn";
  if (const std::size_t ended = values + trapped; seeds.size() > ended)
    out +=
        "\n  " + number(seeds.size() - ended) + (seeds.size() - ended == 1 ? " gives" : " give") + " an empty result";
  if (endless == 0) return out + help;
  return out + (help.empty() ? "\n  help: --limit N allows more rounds" : help + ";\n    --limit N allows more rounds");
}

bool Report::agrees() const {
  const auto wrong = [](const Row& r) { return r.wrong(); };
  return std::none_of(stages.begin(), stages.end(), wrong) && std::none_of(targets.begin(), targets.end(), wrong) &&
         !first_refuted(claims);
}

std::optional<std::string> Report::too_undecided() const {
  if (too_many_undecided(inputs.undecided, inputs.all()))
    return number(inputs.undecided) + " of " + number(inputs.all()) +
           " inputs are left undecided by rounding, more than 5%; the first: " + inputs.first_undecided + inputs.help;
  for (const Row& t : targets)
    if (!t.disagreement && t.same_bits < t.tested && too_many_undecided(t.undecided, t.tested))
      return number(t.undecided) + " of " + number(t.tested) + " inputs are left undecided by rounding on " +
             t.subject + ", more than 5%";
  return {};
}

std::optional<std::string> Report::insufficient() const {
  if (auto few = inputs.not_tested()) return few;
  if (auto undecided = too_undecided()) return undecided;
  for (const Row& t : targets)
    if (auto why = t.groundless()) return why;
  return {};
}

std::vector<Claim> Report::all_claims() const {
  std::vector<Claim> out;
  const bool enough = !inputs.not_tested();
  for (const auto* rows : {&stages, &targets})
    for (const Row& r : *rows) {
      claims_of_program(r, out);
      if (enough || r.disagreement) claims_of_meaning(r, out);
      claims_of_costs(r, out);
    }
  out.insert(out.end(), claims.begin(), claims.end());
  if (const auto why = insufficient()) {
    out.push_back({"the inputs", "enough give values, and what is computed can be compared", Standing::Refuted});
    out.back().refuted_as = *why;
  }
  settle(out);
  return out;
}

}  // namespace lockstep::props
