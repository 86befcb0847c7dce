#include "driver/languages/l0/laws.h"

#include "driver/languages/l0/compiled.h"
#include "proofs/laws/oracle.h"
#include "proofs/sizes/solver.h"
#include "semantics/l0/words.h"
#include "translate/l0/pipeline.h"
#include "translate/l0/reductions.h"

namespace lockstep::driver {
namespace {

using rewriting::Law;
using rewriting::LawQuestion;

constexpr std::size_t law_runs = 2000;

// The outermost \\x acc -> ... of one type that something is folded with, and what it starts from.
struct Folded {
  PhraseRef operation, start;
};
std::optional<Folded> folded_in(const PhraseRef& p) {
  if (const auto* x = as<PrimPhrase>(*p); x && x->arguments.size() > 1)
    if (const auto* f = as<LambdaPhrase>(*x->arguments[0]); f && as<LambdaPhrase>(*f->body))
      return Folded{x->arguments[0], x->arguments[1]};
  std::optional<Folded> out;
  for_each_child(*p, [&](const PhraseRef& c) {
    if (!out) out = folded_in(c);
  });
  return out;
}

struct Found {
  Standing standing = Standing::Unknown;
  std::string how;
  bool in_numbers = true;  // where it is refuted: by numbers that neither wrap nor are rounded
};
Found asked(const LawQuestion& q) {
  const proofs::LawSides sides = proofs::sides_of(q).front();
  const proofs::LawProof proof = proofs::prove_law(sides, proofs::LawOptions().timeout_ms);
  if (proof.verdict == proofs::smt::Verdict::Proved)
    return {Standing::Proved, proof.reals ? "proved on the reals" : "proved for all values"};
  if (proofs::is_exact_on_small(sides))
    if (const auto values = proofs::refute_law(sides, law_runs, 1, proofs::LawValues::Small))
      return {Standing::Refuted, *values};
  if (const auto values = proofs::refute_law(sides, law_runs, 1)) return {Standing::Refuted, *values, false};
  return {Standing::Tested, "tested, " + std::to_string(law_runs) + " runs"};
}

// Of a start that is written out: "; its start is neutral, proved for all values".
std::string about_start(const Folded& f) {
  std::set<std::string> free;
  collect_free(*f.start, free);
  if (!free.empty()) return "";
  const Found found = asked({Law::Neutral, f.operation, f.start});
  if (found.standing == Standing::Refuted) return "; its start is not neutral, and is used once";
  return "; its start is neutral, " + found.how;
}

}  // namespace

void add_laws(const L0File& file, const l0::Function& entry, props::Report& report) {
  const Trace trace = l0::trace_of({file.program, entry.name}, l0::FusionMode::Off);
  std::string text;
  for (const l0::Reduction& r : l0::reductions_of(trace.last().as<l0::Entry>())) {
    const bool scans = r.op == l0::Soac::Scan || r.op == l0::Soac::Scan2;
    const std::string what = (scans ? "the scan" : "the reduction") + in_parentheses(r.at);
    const auto made = l0::in_calculus(r.entry, *lowered_calculus(), proofs::z3_size_solver());
    const auto folded = made ? folded_in(made->program.body) : std::nullopt;
    if (!folded) {
      text += "\n  " + what + ": nothing is known of its function" + (made ? "" : ": " + made.error().why);
      continue;
    }
    const Found found = asked({Law::Associative, folded->operation});
    const std::string statement = "its function is associative";
    if (found.standing != Standing::Refuted) {
      report.claims.push_back({what, statement, found.standing, found.how});
      text += "\n  " + what + ": associative, " + found.how + about_start(*folded);
    } else if (found.in_numbers) {
      Claim c{what, statement, Standing::Refuted, "random values"};
      c.refuted_as = "the function of " + what + " is not associative: " + found.how;
      c.shown_by = Disagreement{"", "", found.how};
      report.claims.push_back(std::move(c));
      text += "\n  " + what + ": not associative " + found.how;
    } else {
      text += "\n  " + what +
              ": it runs in order, as its function is associative but where numbers wrap or are rounded: " +
              shortened(found.how, 200);
    }
  }
  if (!text.empty()) report.notes.push_back("what reductions assert of their functions:" + text);
}

}  // namespace lockstep::driver
