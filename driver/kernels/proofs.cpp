// The obligations of both machines' last kernels, grouped by kind. In: obligations; out: text, JSON, claims.
#include "driver/kernels/proofs.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "driver/kernels/provers.h"
#include "driver/kernels/size_obligations.h"
#include "proofs/sizes/solver.h"
#include "props/dpia/inputs.h"

namespace lockstep::driver {
namespace {

using proofs::kernels::ObligationKind;
using proofs::kernels::ProgramObligation;

std::string_view name_of(Machine m) { return m == Machine::Cpu ? "CPU" : "GPU"; }

Tone tone_of(Standing s) {
  return s == Standing::Proved ? Tone::Good : s == Standing::Refuted ? Tone::Bad : Tone::Plain;
}

std::string methods_of(const std::vector<ProgramObligation>& all, ObligationKind kind) {
  std::map<std::string, std::size_t> counts;
  for (const ProgramObligation& o : all)
    if (o.kind == kind && o.standing == Standing::Proved) ++counts[o.method.text()];
  std::string out;
  for (const auto& [method, n] : counts) out += (out.empty() ? "" : ", ") + std::to_string(n) + " by " + method;
  return out;
}

void tally_rows(Table& table, const proofs::kernels::MachineObligations& m) {
  for (ObligationKind k : proofs::kernels::obligation_kinds) {
    const proofs::kernels::Tally t = tally_of(m.obligations, k);
    if (t.all() == 0) continue;
    double seconds = 0;
    for (const ProgramObligation& o : m.obligations) seconds += o.kind == k ? o.seconds : 0;
    std::string rest;
    if (t.violated > 0) rest += std::to_string(t.violated) + " violated";
    if (t.excepted > 0) rest += (rest.empty() ? "" : ", ") + std::to_string(t.excepted) + " data-dependent";
    if (t.unknown > 0) rest += (rest.empty() ? "" : ", ") + std::to_string(t.unknown) + " unknown";
    table.row({std::string(name_of(m.machine)),
               std::string(show(k)),
               {std::to_string(t.proved) + "/" + std::to_string(t.all()), t.proved == t.all() ? Tone::Good
                                                                          : t.violated        ? Tone::Bad
                                                                                              : Tone::Plain},
               methods_of(m.obligations, k),
               {rest, t.violated ? Tone::Bad : Tone::Plain},
               show_seconds(seconds)});
  }
}

// Each obligation by name, or those that are not proved, the first `most` of them.
Table details_of(const std::vector<proofs::kernels::MachineObligations>& found, bool all,
                 std::size_t most = std::string::npos) {
  Table table({"for", "kind", "obligation", "where", "verdict", all ? "by" : "why not", ">time"});
  std::size_t rows = 0;
  for (const proofs::kernels::MachineObligations& m : found)
    for (const ProgramObligation& o : m.obligations)
      if ((all || o.standing != Standing::Proved) && rows++ < most)
        table.row({std::string(name_of(m.machine)),
                   std::string(show(o.kind)),
                   shortened(o.name, 90),
                   shortened(o.where, 60),
                   {std::string(verdict_of(o)), tone_of(o.standing)},
                   o.standing == Standing::Proved ? o.method.text() : shortened(o.detail, 200),
                   show_seconds(o.seconds)});
  return table;
}

Json json_of(const ProgramObligation& o) {
  Json j{{"kind", std::string(show(o.kind))},
         {"obligation", o.name},
         {"where", o.where},
         {"verdict", std::string(verdict_of(o))},
         {"seconds", o.seconds}};
  if (o.standing == Standing::Proved) j["method"] = o.method.text();
  if (!o.detail.empty()) j["detail"] = o.detail;
  return j;
}

bool any(const std::vector<proofs::kernels::MachineObligations>& found,
         const std::function<bool(const ProgramObligation&)>& f) {
  return std::any_of(found.begin(), found.end(),
                     [&](const auto& m) { return std::any_of(m.obligations.begin(), m.obligations.end(), f); });
}

std::string complaints_of(const std::vector<proofs::kernels::MachineObligations>& found) {
  std::set<std::string> all;
  for (const proofs::kernels::MachineObligations& m : found) all.insert(m.complaints.begin(), m.complaints.end());
  std::string out;
  for (const std::string& c : all) out += (out.empty() ? "" : "; ") + c;
  return out;
}

// What the program's proofs rest on beside the solvers: facts that it states, inputs that keep to their types.
std::vector<std::string> assumed_of(const PhraseProgram& program) {
  std::vector<std::string> all;
  for (const SizeFact& f : program.facts) all.push_back(lockstep::show(f));
  std::set<std::string> bounds;
  for (const auto& [name, type] : program.parameters)
    for (const auto& bound : props::index_bounds(type))
      if (bound && bounds.insert(lockstep::show(*bound)).second)
        all.push_back("inputs of idx(" + lockstep::show(*bound) + ") below " + lockstep::show(*bound));
  return all;
}
std::string hypotheses_of(const PhraseProgram& program) {
  const std::vector<std::string> all = assumed_of(program);
  return comma_list(all) + (all.empty() ? "" : " and ") + "64-bit indices";
}
constexpr const char* small_indices = "index arithmetic stays within 64 bits";

// Of indices whose places are marked when it runs, whether each is marked once.
std::string marked_text(const std::vector<proofs::kernels::MachineObligations>& found) {
  std::string out;
  for (const auto& m : found)
    for (const proofs::kernels::MarkedOnce& one : m.marked) {
      const std::string where = "each element" + in_parentheses(one.at) + " has a place of its own: ";
      out += (out.empty() ? "" : "\n") + where;
      if (one.standing == Standing::Proved)
        out += "proved for all sizes by " + one.method.text();
      else
        out += std::string("checked when it runs, as ") +
               (one.standing == Standing::Refuted ? "it may not: " : "it is not proved: ") + one.detail;
    }
  return out;
}

// What neither normal forms nor solvers settle, by name and with the time that was given to it.
std::string unsettled_text(const std::vector<proofs::kernels::MachineObligations>& found, const std::string& program,
                           bool colour) {
  constexpr std::size_t most = 20;
  std::size_t all = 0;
  double seconds = 0;
  for (const auto& m : found)
    for (const ProgramObligation& o : m.obligations)
      if (o.standing != Standing::Proved) ++all, seconds += o.seconds;
  if (all == 0) return "";
  const auto second = proofs::smt::cvc5_version();
  return "not proved, in " + show_seconds(seconds) + ", by normal forms" + (second ? ", " : " or ") + "Z3 " +
         proofs::smt::z3_version() + (second ? " or cvc5 " + *second : "") + ": " + show_count(all, "obligation") +
         "\n" + details_of(found, false, most).text(colour) +
         (all > most ? "and " + std::to_string(all - most) + " more, which 'lockstep prove " + program + "' lists\n"
                     : "");
}

std::string report_of(const std::vector<proofs::kernels::MachineObligations>& found, bool all,
                      const PhraseProgram& program, bool colour) {
  Table table({"kernel for", "obligations", ">proved for all sizes", "how", "otherwise", ">time"});
  for (const proofs::kernels::MachineObligations& m : found) tally_rows(table, m);
  std::string out = table.text(colour);
  for (const proofs::kernels::MachineObligations& m : found)
    if (!m.refused.empty()) out += "no kernel for " + std::string(name_of(m.machine)) + ": " + m.refused + "\n";
  if (all || any(found, [](const ProgramObligation& o) { return o.standing != Standing::Proved; }))
    out += "\n" + details_of(found, all).text(colour);
  if (const std::string marked = marked_text(found); !marked.empty()) out += marked + "\n";
  if (!complaints_of(found).empty()) out += "the solver fails: " + complaints_of(found) + "\n";
  for (const std::string& a : assumed_of(program)) out += "assumed: " + a + "\n";
  return out + "assumed: " + small_indices + "\n";
}

Json json_of(const std::vector<proofs::kernels::MachineObligations>& found) {
  Json out = Json::array();
  for (const proofs::kernels::MachineObligations& m : found) {
    Json list = Json::array(), sums = Json::object();
    for (const ProgramObligation& o : m.obligations) list.push_back(json_of(o));
    for (ObligationKind k : proofs::kernels::obligation_kinds)
      if (const proofs::kernels::Tally t = tally_of(m.obligations, k); t.all() > 0)
        sums[std::string(show(k))] = {
            {"proved", t.proved}, {"violated", t.violated}, {"data_dependent", t.excepted}, {"unknown", t.unknown}};
    out.push_back(
        {{"kernel_for", std::string(name_of(m.machine))}, {"sums", std::move(sums)}, {"obligations", std::move(list)}});
    if (!m.refused.empty()) out.back()["refused"] = m.refused;
    for (const proofs::kernels::MarkedOnce& one : m.marked) {
      Json j{{"where", show_position(one.at)}, {"verdict", std::string(name_of(one.standing))}};
      if (one.standing == Standing::Proved) j["method"] = one.method.text();
      if (!one.detail.empty()) j["detail"] = one.detail;
      out.back()["places_of_their_own"].push_back(std::move(j));
    }
  }
  return out;
}

// The place without the file's name: a certificate is of a text, wherever it lies.
Claim claim_of(const SizeObligation& o) {
  std::string where = "the sizes";
  if (o.region.source) {
    const Position at = position_of(*o.region.source, o.region.begin);
    where += ", at " + std::to_string(at.line) + ":" + std::to_string(at.column);
  }
  const bool assumed = o.verdict == Verdict::Assumed;
  Claim c{where, lockstep::show(o.goal) + " (" + o.origin + ")", assumed ? Standing::Assumed : Standing::Proved,
          assumed                            ? "stated by the program; checked whenever it is run"
          : o.verdict == Verdict::Normalised ? "normalisation"
                                             : "Z3 " + proofs::smt::z3_version()};
  std::vector<std::string> facts;
  for (const SizeFact& f : o.facts) facts.push_back(lockstep::show(f));
  if (!assumed && !facts.empty()) c.evidence.emplace_back("given", comma_list(facts));
  c.evidence.emplace_back("seconds", o.seconds);
  return c;
}

void kernel_claims(const proofs::kernels::MachineObligations& m, const std::string& hypotheses, std::size_t inputs,
                   std::vector<Claim>& out) {
  const std::string kernel = "the kernel for the " + std::string(name_of(m.machine));
  for (ObligationKind k : proofs::kernels::obligation_kinds) {
    const proofs::kernels::Tally t = tally_of(m.obligations, k);
    if (t.proved == 0) continue;
    double seconds = 0;
    std::vector<std::string> proved;
    for (const ProgramObligation& o : m.obligations) {
      if (o.kind != k) continue;
      seconds += o.seconds;
      if (o.standing == Standing::Proved) proved.push_back(o.name + " (" + o.where + "): " + o.method.text());
    }
    out.push_back({kernel,
                   "for all sizes, given " + hypotheses + ", " + std::to_string(t.proved) + " obligations of " +
                       std::string(show(k)),
                   Standing::Proved, methods_of(m.obligations, k)});
    out.back().evidence.emplace_back("given", hypotheses);
    out.back().evidence.emplace_back("obligations", std::move(proved));
    out.back().evidence.emplace_back("seconds", seconds);
  }
  for (const ProgramObligation& o : m.obligations) {
    if (o.standing == Standing::Proved) continue;
    Claim c{kernel, std::string(show(o.kind)) + ": " + o.name + " (" + o.where + ")"};
    if (o.standing == Standing::Refuted) {
      c.standing = Standing::Refuted;
      c.refuted_as = kernel + " is wrong at some sizes: " + o.name + " (" + o.where + ")";
      c.shown_by = Disagreement{"", "", o.detail};
    } else if (inputs > 0) {
      c.standing = Standing::Tested;
      c.evidence.emplace_back("inputs", inputs);
      c.evidence.emplace_back("not_proved_because", std::string(verdict_of(o)));
    }
    c.evidence.emplace_back("seconds", o.seconds);
    out.push_back(std::move(c));
  }
}

}  // namespace

void add_claims(const ProvedProgram& of, const std::vector<DpiaTrace>& traces, props::Report& report) {
  const auto kernels = proofs::kernels::program_obligations(traces, 1000, provers_in_turn());
  const auto by = [&](const std::string& solver) {
    return any(kernels, [&](const ProgramObligation& o) { return o.method.some.contains(solver); });
  };
  bool solved = by("Z3");
  for (const SizeObligation& o : of.sizes) {
    report.claims.push_back(claim_of(o));
    solved = solved || o.verdict == Verdict::Solved;
  }
  report.notes.push_back(summary_of(of.sizes));
  const std::string hypotheses = hypotheses_of(of.program);
  for (const proofs::kernels::MachineObligations& m : kernels) {
    kernel_claims(m, hypotheses, report.inputs.seeds.size(), report.claims);
    report.notes.push_back(m.refused.empty()
                               ? "proved for all sizes, given " + hypotheses + ", of the kernel for the " +
                                     std::string(name_of(m.machine)) + ": " + show_tallies(m.obligations)
                               : "no kernel for the " + std::string(name_of(m.machine)) + ": " + m.refused);
  }
  if (std::string marked = marked_text(kernels); !marked.empty()) report.notes.push_back(std::move(marked));
  if (const std::string rest = unsettled_text(kernels, of.file + ":" + of.function, on_terminal(1)); !rest.empty())
    report.notes.push_back(trimmed(rest));
  if (solved) report.tools["z3"] = proofs::smt::z3_version();
  if (by("cvc5")) report.tools["cvc5"] = proofs::smt::cvc5_version().value_or("");
}

namespace {

// What the sizes owe, asked again; of what is proved and refuted, a complaint.
std::set<std::string> asked_again(const std::vector<SizeObligation>& sizes, const proofs::smt::Solver& solver,
                                  proofs::smt::Settled& settled) {
  std::set<std::string> complaints;
  for (const SizeObligation& o : sizes) {
    if (o.verdict == Verdict::Assumed) continue;
    const proofs::smt::Verdict found = solver.ask(proofs::size_question(o.facts, o.goal), {2000});
    settled.add(found);
    if (!found.reason.empty()) complaints.insert(found.reason);
    if (found.kind == proofs::smt::Verdict::Refuted)
      complaints.insert(lockstep::show(o.goal) + " is " + std::string(lockstep::show(o.verdict)) + ", and " +
                        proofs::smt::names_of(found.by) + " refutes it");
  }
  return complaints;
}

}  // namespace

Said proofs_of(const ProvedProgram& of, const Options& options) {
  const Stopwatch watch;
  const Provers provers(options);
  auto found = proofs::kernels::program_obligations(proofs::kernels::traces_of(of.program, of.calculus), 1000,
                                                    provers.solver(), provers.asks());
  proofs::smt::Settled settled;
  for (const auto& m : found) settled.add(m.settled);
  if (provers.asks() == proofs::kernels::Asks::Everything && !found.empty())
    found.front().complaints.merge(asked_again(of.sizes, provers.solver(), settled));
  const bool ok = complaints_of(found).empty() &&
                  !any(found, [](const ProgramObligation& o) { return o.standing == Standing::Refuted; });
  Json list = Json::array();
  for (const SizeObligation& o : of.sizes) list.push_back(json_of(o));
  Json assumed = assumed_of(of.program);
  assumed.push_back(small_indices);
  Json json{{"ok", ok},
            {"language", of.language},
            {"file", of.file},
            {"function", of.function},
            {"obligations", std::move(list)},
            {"kernels", json_of(found)},
            {"assumed", std::move(assumed)},
            {"provers", provers.json_of(settled)},
            {"seconds", watch.seconds()}};
  if (const std::string complaints = complaints_of(found); !complaints.empty()) json["solver_fails"] = complaints;
  const bool colour = on_terminal(1);
  std::string text = of.sizes.empty() ? "" : table_of(of.sizes, true).text(colour) + "\n";
  text += report_of(found, options.all, of.program, colour) + provers.said_of(settled, "questions");
  text += of.function + ": " + summary_of(of.sizes) + "; kernels in " + show_seconds(watch.seconds()) + "\n";
  return {std::move(text), std::move(json), ok};
}

}  // namespace lockstep::driver
