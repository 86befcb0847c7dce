// .dpia as a Frontend.
#include "driver/languages/dpia/dpia.h"

#include <nlohmann/json.hpp>

#include "driver/campaign_reports.h"
#include "driver/kernels/block_memory_text.h"
#include "driver/kernels/fusions.h"
#include "driver/kernels/kernels.h"
#include "driver/kernels/proofs.h"
#include "driver/kernels/size_obligations.h"
#include "driver/languages/dpia/arguments.h"
#include "driver/languages/dpia/laws.h"
#include "proofs/laws/compiling.h"
#include "props/dpia/verify.h"

namespace lockstep::driver {
namespace {

ProvedProgram proved(const LoadedProgram& loaded, const PhraseProgram& program) {
  return {"dpia", loaded.source->name, program.name, program, loaded.calculus, loaded.elaboration.obligations};
}

constexpr CaseRows dpia_rows =
    case_rows
        .with(fusion::Case::Combination,
              {"2", "a loop in order leaves a map that takes long, or stands with it in the function of a loop",
               "nothing is to be mended: where it stands the map has threads or lanes"})
        .with(fusion::Case::SamePath,
              {"4", "two loops on one path would both compute it", "make them one loop, whose result is a tuple"})
        .with(fusion::Case::OtherUse, {"5", "it is used here otherwise than by going over it",
                                       "let no index, update, view or result want the array"})
        .with(fusion::Case::Siblings, {"6", "one loop would take it twice", "make one map of both"})
        .with(fusion::Case::LostCheck,
              {"(6)", "it may trap, and would stand in a branch that may not be taken", "let the branch hold no loop"})
        .with(fusion::Case::Viewed,
              {"view",
               "a view between them has elements several times, others beside them, or rows that no one loop takes",
               "let the map stand behind it, or one loop take the rows, whole and once"})
        .with(fusion::Case::NoRule, {"no rule", "only a map without a level goes into another loop",
                                     "leave the level to the compiler, and a fold or scan where it is"});

class DpiaEntry : public EntryOf<LoadedProgram, PhraseProgram> {
 public:
  using EntryOf::EntryOf;
  std::string head() const override { return head_of(program_); }
  std::vector<std::string> assumed() const override {
    std::vector<std::string> out;
    for (const SizeFact& f : program_.facts) out.push_back(lockstep::show(f));
    return out;
  }

  Said fusion(const Options&) const override {
    std::vector<lockstep::fusion::Decision> all;
    fused(program_, loaded_->calculus, {}, &all, proofs::compiling_laws());
    return fusions_said("dpia", program_.name, all, dpia_rows);
  }

  props::Report verify(const VerifyRequest& request, const props::Listener& listener) const override {
    props::VerifyOptions how;
    how.seed = request.seed;
    how.inputs = request.inputs;
    how.asked = bind_asked(program_, request.arguments);
    how.asked.among = request.sizes;
    if (!request.sizes.empty() && how.asked.given.size() == program_.sizes.size())
      fail(invalid,
           program_.name + (program_.sizes.empty() ? " has no sizes" : ": every size is given") +
               ", so that --sizes says nothing",
           "leave it out");
    how.limit = request.limit;
    how.targets.clear();
    for (const std::string& name : request.targets) {
      how.targets.push_back(find_target(name));
      if (!how.targets.back()) throw Bug("there is no target " + name);
    }
    how.languages = proofs::lawful_languages;
    how.implied = implied_by(loaded_->sizes);
    how.listener = listener;
    // What is proved is what was tested.
    how.prove = [&](const std::vector<DpiaTrace>& traces, props::Report& report) {
      if (listener.progress) listener.progress("proving", 0, 0);
      add_claims(proved(*loaded_, program_), traces, report);
      const std::vector<Claim> laws = claims_of_laws(traces.front(), loaded_->calculus);
      if (!laws.empty()) report.notes.push_back(text_of_laws(laws));
      report.claims.insert(report.claims.end(), laws.begin(), laws.end());
    };
    return props::verify(program_, loaded_->calculus, how);
  }
};

class DpiaFile : public FileOf<LoadedProgram, DpiaEntry> {
 public:
  using FileOf::FileOf;
  Said prove(const std::string& function, const Options& options) const override {
    const PhraseProgram program = entry_point(*loaded_, {source->name, function});
    Said out = proofs_of(proved(*loaded_, program), options);
    const DpiaTrace trace = proofs::lawful_trace(program, loaded_->calculus, Machine::Cpu, true);
    const std::vector<Claim> laws = claims_of_laws(trace, loaded_->calculus);
    if (laws.empty()) return out;
    out.text = text_of_laws(laws) + "\n\n" + out.text;
    out.json["laws"] = Json::array();
    for (const Claim& c : laws) {
      out.json["laws"].push_back(
          {{"law", c.text()}, {"standing", std::string(name_of(c.standing))}, {"method", c.method}});
      out.ok = out.ok && c.standing != Standing::Refuted;
    }
    return out;
  }
  // The types, and what is known of the sizes, and how: of all definitions, or of any one.
  Said check(const std::string& function) const override {
    Json entries = Json::array(), list = Json::array();
    std::string heads;
    const auto told = [&](const std::string& head) {
      entries.push_back(head);
      heads += head + "\n";
    };
    if (function.empty())
      for (const PhraseProgram& e : loaded_->elaboration.entries) told(head_of(e));
    else
      told(head_of(definition(function)));
    std::vector<SizeObligation> obligations;
    for (const SizeObligation& o : loaded_->elaboration.obligations)
      if (function.empty() || o.definition == function) obligations.push_back(o);
    for (const SizeObligation& o : obligations) list.push_back(driver::json_of(o));
    const std::size_t definitions = function.empty() ? loaded_->surface.definitions.size() : 1;
    Said out{"", Json{{"ok", true},
                      {"language", "dpia"},
                      {"file", source->name},
                      {"definitions", definitions},
                      {function.empty() ? "entry_points" : "definition", function.empty() ? entries : entries.at(0)},
                      {"obligations", std::move(list)},
                      {"seconds", loaded_->seconds}}};
    if (!heads.empty()) out.text += heads + "\n";
    BlockNeeds memory;
    for (const PhraseProgram& e : loaded_->elaboration.entries) {
      if (!function.empty() && e.name != function) continue;
      if (loaded_->source->text.find("mapWorkgroup") == std::string::npos) break;
      memory.add(block_needs(e.name, entry_point(*loaded_, {source->name, e.name}), loaded_->calculus));
    }
    if (!memory.text.empty()) out.text += memory.text + "\n", out.json["block_memory"] = std::move(memory.json);
    if (!obligations.empty()) out.text += table_of(obligations, false).text(on_terminal(1)) + "\n";
    out.text += source->name + (function.empty() ? "" : ":" + function) + ": " + show_count(definitions, "definition") +
                ", " + summary_of(obligations) + "; " + show_seconds(loaded_->seconds) + "\n";
    return out;
  }

 private:
  const inference::Defined& definition(const std::string& function) const {
    const inference::Defined* found = loaded_->elaboration.definitions->find(function);
    if (found) return *found;
    std::vector<std::string> names;
    for (const surface::Definition& d : loaded_->surface.definitions) names.push_back(d.name);
    fail(invalid, source->name + " defines no function " + function,
         did_you_mean(function, names, names.empty() ? "" : "its functions are " + comma_list(names)));
  }
};

class Dpia : public Frontend {
 public:
  explicit Dpia(Calculus calculus) : calculus_(std::make_shared<const Calculus>(std::move(calculus))) {}
  std::string name() const override { return "dpia"; }
  std::string unit() const override { return "node"; }

  std::vector<Runner> targets() const override { return runners("this program"); }
  std::vector<Useless> useless() const override {
    std::vector<Useless> out;
    for (const char* command : {"run", "bench"})
      for (const char* option : {"--chunk", "--threads"}) out.push_back({command, option, "is of .snesl programs"});
    out.push_back({"cost", "--chunk", "is of .snesl programs"});
    for (const char* command : {"run", "verify", "stages", "cost", "emit", "bench", "fusion"})
      out.push_back({command, "--fusion", "is of .l0 programs", "leave it out"});
    return out;
  }

  std::string title() const override { return "the calculus, .dpia: 'a and 'b are any data, 's and 't a scalar type"; }
  std::string reference() const override { return "semantics/functional/README.md"; }
  std::vector<BuiltIn> built_in() const override { return primitives_of(*calculus_); }
  BuiltInDetails details(const std::string& name) const override { return details_of_primitive(calculus_, name); }
  std::unique_ptr<File> load(const std::string& file, const AskedRun& asked) const override {
    LoadedProgram loaded = load_program(file, *calculus_);
    loaded.asked = asked;
    return std::make_unique<DpiaFile>(std::move(loaded));
  }
  RandomPrograms random_programs() const override { return dpia_programs(*calculus_); }
  Said mutants(const Options& options) const override { return dpia_mutants(options); }
  int derive(const Options& options) const override { return driver::derive(options, *calculus_); }
  int tune(const Options& options) const override { return driver::tune(options, *calculus_); }
  std::optional<Said> prove(const Options& options) const override { return proofs_of_calculus(calculus_, options); }

 private:
  CalculusRef calculus_;
};

}  // namespace

const Frontend& dpia_language() {
  static const Dpia it(standard_calculus());
  return it;
}

std::unique_ptr<const Frontend> dpia_over(Calculus calculus) { return std::make_unique<Dpia>(std::move(calculus)); }

}  // namespace lockstep::driver
