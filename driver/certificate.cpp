// The certificate's claims, from a report.
#include "driver/certificate.h"

#include <nlohmann/json.hpp>

#include "codegen/runtime/compiler.h"
#include "codegen/runtime/sha256.h"
#include "driver/commands.h"
#include "driver/prove_file.h"
#include "proofs/smt/solver.h"

namespace lockstep::driver {
namespace {

Json failure(const std::string& claim, const props::Disagreement& d) {
  return Json{{"claim", claim}, {"input", d.input}, {"expected", d.expected}, {"found", d.found}};
}

void stage_claims(const props::StageVerdict& s, bool source, bool enough, Json& claims, Json& failures) {
  const std::string after =
      "the program after " + s.name + " (" + s.cite + (s.machine == Machine::Gpu ? ", for the GPU)" : ")");
  if (s.types == props::StageVerdict::Types::Checked)
    claims.push_back({{"claim", after + " is well typed"},
                      {"status", "proved"},
                      {"method", "type checker"},
                      {"seconds", s.type_seconds}});
  for (const std::string& e : s.type_errors) failures.push_back({{"claim", after + " is well typed"}, {"found", e}});
  const std::string same =
      after + " computes what the source does, bit for bit" +
      (s.reassociated > 0 ? " or, where permute combines floats in another order, within the error bound" : "");
  if (s.disagreement)
    failures.push_back(failure(same, *s.disagreement));
  else if (!source && s.tested > 0 && enough)
    claims.push_back({{"claim", same},
                      {"status", "tested"},
                      {"inputs", s.tested},
                      {"inputs_with_values", s.values},
                      {"runs", s.runs},
                      {"runs_interleaved", s.interleaved},
                      {"inputs_in_every_order", s.explored},
                      {"runs_reassociated", s.reassociated},
                      {"worst_error", s.error},
                      {"bound_there", s.bound},
                      {"seeds", "of the inputs"}});
}

void cost_claims(const props::StageVerdict& s, Json& claims, Json& failures) {
  const std::string claim = "the program after " + s.name + " (" + s.cite +
                            (s.machine == Machine::Gpu ? ", for the GPU)" : ")") +
                            ": what is counted stands to its costs as the stage's relation says";
  if (s.cost_wrong)
    failures.push_back(failure(claim, *s.cost_wrong));
  else if (s.related > 0)
    claims.push_back({{"claim", claim}, {"status", "tested"}, {"inputs", s.related}});
}

void target_claims(const props::TargetVerdict& t, bool enough, Json& claims, Json& failures) {
  const bool bits = t.same_bits == t.tested;
  const std::string same = "the target " + t.name + " computes what the source does" +
                           (t.floats && t.wide < t.compared ? ", within the error bound" : "") +
                           (bits ? ", and what the interpreter of its kernel does, bit for bit" : "");
  if (t.disagreement) return failures.push_back(failure(same, *t.disagreement));
  if (t.tested == 0 || !enough || t.groundless()) return;
  Json claim{{"claim", same},
             {"status", "tested"},
             {"inputs", t.tested},
             {"inputs_with_values", t.values},
             {"inputs_bit_for_bit", t.same_bits},
             {"seeds", "of the inputs"}};
  if (t.floats)
    claim["worst_error"] = t.error, claim["bound_there"] = t.bound,
    claim["share_of_bound"] = t.bound > 0 ? t.error / t.bound : 0.0, claim["floats"] = t.compared,
    claim["floats_of_wide_bound"] = t.wide;
  if (t.undecided > 0) claim["undecided_inputs"] = t.undecided;
  claims.push_back(std::move(claim));
}

Json stage_json(const props::StageVerdict& s) {
  return Json{{"stage", s.name},
              {"cite", s.cite},
              {"machine", s.machine == Machine::Gpu ? "gpu" : "cpu"},
              {"nodes", s.nodes},
              {"well_typed", s.types == props::StageVerdict::Types::NotApplicable
                                 ? Json(nullptr)
                                 : Json(s.types == props::StageVerdict::Types::Checked)},
              {"inputs", s.tested},
              {"inputs_with_values", s.values},
              {"runs", s.runs},
              {"runs_interleaved", s.interleaved},
              {"inputs_in_every_order", s.explored},
              {"agrees", !s.disagreement},
              {"inputs_costed", s.related},
              {"costs_related", !s.cost_wrong},
              {"work", show(s.cost.work)},
              {"depth", show(s.cost.depth)},
              {"space", show(s.cost.space)},
              {"seconds", s.seconds + s.test_seconds}};
}

Json target_json(const props::TargetVerdict& t) {
  if (!t.unavailable.empty()) return Json{{"target", t.name}, {"available", false}, {"why_not", t.unavailable}};
  return Json{{"target", t.name},
              {"available", true},
              {"inputs", t.tested},
              {"inputs_with_values", t.values},
              {"inputs_bit_for_bit", t.same_bits},
              {"agrees", !t.disagreement},
              {"worst_error", t.error},
              {"bound_there", t.bound},
              {"share_of_bound", t.bound > 0 ? t.error / t.bound : 0.0},
              {"floats", t.compared},
              {"floats_of_wide_bound", t.wide},
              {"undecided_inputs", t.undecided},
              {"cached", t.cached},
              {"compile_seconds", t.compile_seconds},
              {"seconds", t.seconds}};
}

std::string method_of(Verdict v) {
  switch (v) {
    case Verdict::Normalised:
      return "normalisation";
    case Verdict::Solved:
      return "Z3 " + proofs::smt::z3_version();
    case Verdict::Assumed:
      return "stated by the program; checked whenever it is run";
    case Verdict::Refuted:
    case Verdict::Unknown:
      break;
  }
  throw Bug("a program was accepted whose sizes are not proved");
}

// The place without the file's name: a certificate is of a text, wherever it lies.
Json claim_of(const Obligation& o) {
  const Position at = o.region.source ? position_of(*o.region.source, o.region.begin) : Position{};
  return Json{{"claim", show(o.goal) + " (" + o.origin + ", at " + std::to_string(at.line) + ":" +
                            std::to_string(at.column) + ")"},
              {"status", o.verdict == Verdict::Assumed ? "assumed" : "proved"},
              {"method", method_of(o.verdict)},
              {"seconds", o.seconds}};
}

}  // namespace

std::string digest_of(Json certificate) {
  certificate.erase("digest");
  return sha256(certificate.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json certificate_of(const PhraseProgram& program, const Source& source, const std::vector<Obligation>& obligations,
                    const VerifyRequest& request, const props::VerifyReport& report,
                    const std::vector<proofs::kernels::MachineObligations>& kernels, double seconds) {
  Json claims = Json::array(), failures = Json::array(), inputs = Json::array(), stages = Json::array(),
       targets = Json::array();
  bool solved = any_by_z3(kernels);
  for (const Obligation& o : obligations) {
    claims.push_back(claim_of(o));
    solved = solved || o.verdict == Verdict::Solved;
  }
  bool first = true;
  const bool enough = !report.inputs.not_tested();
  for (const props::StageVerdict& s : report.stages) {
    stage_claims(s, first, enough, claims, failures);
    cost_claims(s, claims, failures);
    stages.push_back(stage_json(s));
    first = false;
  }
  for (const props::TargetVerdict& t : report.targets) {
    target_claims(t, enough, claims, failures);
    targets.push_back(target_json(t));
  }
  add_claims(kernels, hypotheses_of(program), report.inputs.sizes.size(), claims, failures);
  const std::string nest = "the nest of loops that was written, by level and extent, is in the kernels for CPU and GPU";
  if (report.lost_loops.empty())
    claims.push_back({{"claim", nest}, {"status", "proved"}, {"method", "matching of the programs' loops"}});
  for (const std::string& l : report.lost_loops)
    failures.push_back({{"claim", nest}, {"found", l + " has not come out"}});
  if (const auto why = report.insufficient())
    failures.push_back({{"claim", "enough inputs give values, and what is computed can be compared"}, {"found", *why}});
  claims.push_back(
      {{"claim", "the C++ compiler and this machine compute what the generated text says"}, {"status", "assumed"}});
  for (std::size_t k = 0; k < report.inputs.sizes.size(); ++k)
    inputs.push_back({{"sizes", json_of(report.inputs.sizes[k])},
                      {"seed", report.inputs.seeds[k]},
                      {"result_sha256", report.inputs.results[k]}});
  const auto compiler = find_compiler();
  Json out{{"ok", report.ok() && !any_violated(kernels)},
           {"certificate", 1},
           {"lockstep", version},
           {"program", source.name},
           {"entry", program.name},
           {"function", head_of(program)},
           {"source_sha256", sha256(source.text)},
           {"compiler", compiler ? Json(version_of(*compiler)) : Json(nullptr)},
           {"z3", solved ? Json(proofs::smt::z3_version()) : Json(nullptr)},
           {"seed", request.seed},
           {"inputs_asked", request.inputs},
           {"sizes_given", json_of(request.sizes)},
           {"targets_asked", request.targets},
           {"targets_ran", std::count_if(report.targets.begin(), report.targets.end(),
                                         [](const props::TargetVerdict& t) { return t.unavailable.empty(); })},
           {"inputs", std::move(inputs)},
           {"round_limit", request.limit},
           {"inputs_with_values", report.inputs.values},
           {"inputs_with_values_needed", report.inputs.needed},
           {"inputs_that_trap", report.inputs.trapped},
           {"inputs_undecided", report.inputs.undecided},
           {"inputs_endless", report.inputs.endless},
           {"inputs_not_drawn", report.inputs.not_drawn},
           {"drawn_again",
            {{"trapped", report.inputs.again.trapped},
             {"undecided", report.inputs.again.undecided},
             {"endless", report.inputs.again.endless}}},
           {"claims", std::move(claims)},
           {"failures", std::move(failures)},
           {"stages", std::move(stages)},
           {"targets", std::move(targets)},
           {"source", source.text},
           {"seconds", seconds}};
  out["digest"] = digest_of(out);
  return out;
}

}  // namespace lockstep::driver
