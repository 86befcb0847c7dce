// A report as a certificate.
#include "driver/commands/certificate.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "codegen/runtime/build_id.h"
#include "codegen/runtime/compiler.h"
#include "codegen/runtime/compiler_flags.h"
#include "codegen/runtime/sha256.h"
#include "semantics/core/files.h"

namespace lockstep::driver {
namespace {

Json json_of(const Claim& c) {
  Json j{{"subject", c.subject}, {"statement", c.statement}, {"standing", std::string(name_of(c.standing))}};
  if (!c.method.empty()) j["method"] = c.method;
  for (const auto& e : c.evidence) std::visit([&](const auto& v) { j[e.first] = v; }, e.second);
  if (!c.rests_on.empty()) j["rests_on"] = c.rests_on;
  if (!c.refuted_as.empty()) j["refuted_as"] = c.refuted_as;
  if (c.shown_by) {
    if (!c.shown_by->input.empty()) j["input"] = c.shown_by->input;
    if (!c.shown_by->expected.empty()) j["expected"] = c.shown_by->expected;
    j["found"] = c.shown_by->found;
  }
  return j;
}
Json json_of(const std::vector<Claim>& claims) {
  Json out = Json::array();
  for (const Claim& c : claims) out.push_back(json_of(c));
  return out;
}

Json stage_json(const props::Row& r, const props::Titles& titles) {
  Json j{{"stage", r.name}, {"cite", r.cite}, {"language", r.language}};
  if (!r.heading.empty()) j["under"] = r.heading;
  if (r.nodes) j[titles.nodes] = *r.nodes;
  j["well_formed"] = r.well_formed.empty() ? Json(nullptr) : Json(r.ill_formed.empty());
  j["inputs"] = r.tested;
  j["inputs_with_values"] = r.values;
  j["runs"] = r.runs;
  j["runs_interleaved"] = r.interleaved;
  j["inputs_in_every_order"] = r.explored;
  j["agrees"] = !r.disagreement;
  j["costs_hold"] = !r.cost_wrong();
  for (std::size_t k = 0; k < titles.costs.size() && k < r.costs.size(); ++k) j[titles.costs[k]] = r.costs[k];
  if (!r.text.empty()) j["text_sha256"] = sha256(r.text);
  j["seconds"] = r.seconds;
  return j;
}

Json target_json(const props::Row& r, const props::Titles& titles) {
  if (!r.unavailable.empty()) return Json{{"target", r.name}, {"available", false}, {"why_not", r.unavailable}};
  Json j{{"target", r.name},
         {"available", true},
         {"inputs", r.tested},
         {"inputs_with_values", r.values},
         {"inputs_not_run", r.not_run},
         {"runs", r.runs},
         {"inputs_bit_for_bit", r.same_bits},
         {"agrees", !r.disagreement},
         {"costs_hold", !r.cost_wrong()},
         {"worst_error", r.rounding.error},
         {"bound_there", r.rounding.bound},
         {"share_of_bound", r.rounding.share()},
         {"floats", r.compared},
         {"floats_of_wide_bound", r.wide},
         {"undecided_inputs", r.undecided}};
  for (std::size_t k = 0; k < titles.costs.size() && k < r.costs.size(); ++k) j[titles.costs[k]] = r.costs[k];
  if (!r.device.empty()) j["device"] = r.device;
  if (!r.own_functions.empty()) j["own_functions"] = r.own_functions;
  if (!r.text.empty()) j["text_sha256"] = sha256(r.text);
  j["cached"] = r.cached;
  j["compile_seconds"] = r.compile_seconds.value_or(0);
  j["seconds"] = r.seconds;
  return j;
}

// The hash of each file that an argument is read from, or is the name of.
Json files_in(const std::vector<std::string>& arguments) {
  Json out = Json::array();
  for (const std::string& word : arguments) {
    const std::string path = word.substr(std::min(word.size(), word.find('=') + 1));
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) continue;
    out.push_back({{"argument", word}, {"sha256", sha256(contents_of(path).value_or(""))}});
  }
  return out;
}

}  // namespace

std::string digest_of(Json certificate) {
  certificate.erase("digest");
  return sha256(certificate.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json certificate_of(const Loaded& loaded, const VerifyRequest& request, const props::Report& report, double seconds) {
  Json inputs = Json::array(), stages = Json::array(), targets = Json::array();
  const props::Tried& tried = report.inputs;
  for (std::size_t k = 0; k < tried.seeds.size(); ++k) {
    Json input = Json::object();
    if (k < tried.sizes.size()) input["sizes"] = sizes_json(tried.sizes[k]);
    input["seed"] = tried.seeds[k];
    input["result_sha256"] = tried.results[k];
    inputs.push_back(std::move(input));
  }
  for (const props::Row& r : report.stages) stages.push_back(stage_json(r, report.titles));
  for (const props::Row& r : report.targets) targets.push_back(target_json(r, report.titles));
  const auto compiler = find_compiler();
  const Source& source = *loaded.file->source;
  const AskedRun& asked = request.asked;
  Json out{
      {"ok", report.ok()},
      {"certificate", certificate_version},
      {"language", loaded.language->name()},
      {"lockstep", version},
      {"program", source.name},
      {"entry", loaded.entry->name()},
      {"function", loaded.entry->head()},
      {"source_sha256", sha256(source.text)},
      {"compiler", compiler ? Json(version_of(*compiler)) : Json(nullptr)},
      {"processor", processor_name() + ", its features " + sha256(processor()).substr(0, 16)},
      {"build", build_id()},
      {"tools", report.tools},
      {"seed", request.seed},
      {"inputs_asked", request.inputs},
      {"arguments_given", request.arguments},
      {"files_given", files_in(request.arguments)},
      {"sizes_asked", request.sizes},
      {"all_values_given", tried.given},
      {"targets_asked", request.targets},
      {"strict", asked.strict},
      {"launch_asked", {{"block", asked.block}, {"warp", asked.warp}, {"grid", asked.grid}, {"index", asked.index}}},
      {"targets_ran",
       std::count_if(report.targets.begin(), report.targets.end(), [](const props::Row& r) { return r.ran(); })},
      {"inputs", std::move(inputs)},
      {"round_limit", request.limit},
      {"inputs_with_values", tried.values},
      {"inputs_with_values_needed", tried.needed},
      {"inputs_that_trap", tried.trapped},
      {"inputs_undecided", tried.undecided},
      {"inputs_endless", tried.endless},
      {"inputs_not_drawn", tried.not_drawn},
      {"drawn_again",
       {{"trapped", tried.again.trapped}, {"undecided", tried.again.undecided}, {"endless", tried.again.endless}}},
      {"claims", json_of(report.all_claims())},
      {"trusted_base", json_of(trusted_base())},
      {"stages", std::move(stages)},
      {"targets", std::move(targets)},
      {"source", source.text},
      {"seconds", seconds}};
  out["digest"] = digest_of(out);
  return out;
}

}  // namespace lockstep::driver
