// .fcl as a Frontend.
#include "driver/languages/fcl/fcl.h"

#include <nlohmann/json.hpp>

#include "driver/campaign_reports.h"
#include "driver/kernels/block_memory_text.h"
#include "driver/kernels/kernels.h"
#include "driver/kernels/proofs.h"
#include "driver/languages/fcl/compiled.h"
#include "driver/languages/fcl/instances.h"
#include "semantics/fcl/builtins.h"
#include "semantics/fcl/prelude.h"
#include "semantics/functional/syntax/print.h"

namespace lockstep::driver {
namespace {

class FclEntry : public EntryOf<FclFile, FclEntryPoint> {
 public:
  using EntryOf::EntryOf;
  std::string head() const override { return program_.name + " : " + fcl::show(*program_.scheme); }
  props::Report verify(const VerifyRequest& request, const props::Listener& listener) const override {
    return verified(*loaded_, program_, request, listener);
  }
};

class FclSourceFile : public FileOf<FclFile, FclEntry> {
 public:
  using FileOf::FileOf;
  Said check(const std::string& definition) const override { return checked(*loaded_, definition); }
  Said prove(const std::string& definition, const Options& options) const override {
    return proofs_of(*loaded_, entry_point(*loaded_, {source->name, definition}), options);
  }
};

class Fcl : public Frontend {
 public:
  std::string name() const override { return "fcl"; }
  std::string unit() const override { return "node"; }
  std::vector<Runner> targets() const override { return runners("this program: the meaning of the source"); }
  std::vector<Useless> useless() const override {
    std::vector<Useless> out;
    out.push_back(
        {"verify", "--sizes", "is of .dpia programs: a .fcl program has no sizes", "give values: xs=[1,2,3]"});
    for (const char* option : {"--chunk", "--threads"})
      out.push_back({"run", option, "is of .snesl programs", "leave it out"});
    add_strict(out);
    return out;
  }
  std::string title() const override { return "FCL, .fcl: a and b are any type that the place takes, l a level"; }
  std::vector<BuiltIn> built_in() const override;
  RandomPrograms random_programs() const override { return fcl_programs(); }
  Said mutants(const Options& options) const override { return fcl_mutants(options); }
  std::unique_ptr<File> load(const std::string& file, const AskedRun& asked) const override {
    FclFile loaded = load_fcl(file);
    loaded.asked = asked;
    return std::make_unique<FclSourceFile>(std::move(loaded));
  }
};

std::string type_of(const ScalarOp& op) {
  std::vector<std::string> takes;
  for (const ScalarType t : {ScalarType::I32, ScalarType::F64, ScalarType::Bool})
    if (op.takes(t)) takes.push_back(fcl::show(fcl::Type{t}));
  const std::string operand = joined(takes, " or ");
  const std::string result = op.gives ? fcl::show(fcl::Type{*op.gives}) : op.gives_bool ? "bool" : operand;
  std::string out;
  for (int k = 0; k < op.arity; ++k) out += operand + " -> ";
  return out + result;
}

std::vector<BuiltIn> Fcl::built_in() const {
  std::vector<BuiltIn> out;
  for (const fcl::BuiltInRow& r : fcl::built_ins())
    out.push_back({std::string(r.name), std::string(r.type), "array", std::string(r.summary)});
  const fcl::Inferred& prelude = fcl::prelude();
  for (std::size_t k = 0; k < prelude.schemes.size(); ++k)
    out.push_back({prelude.program.definitions[k].name, fcl::show(prelude.schemes[k].type), "prelude",
                   fcl::prelude_summary(prelude.program.definitions[k].name)});
  for (const fcl::ScalarFunctionRow& f : fcl::scalar_functions()) {
    const ScalarOp& op = *fcl::scalar_function_named(f.name);
    out.push_back({std::string(f.name), type_of(op), "scalar", op.summary});
  }
  return out;
}

}  // namespace

const Frontend& fcl_language() {
  static const Fcl it;
  return it;
}

namespace {
// "sum (a = int)": what the entry's type leaves open is ints.
std::string at_ints(const FclEntryPoint& entry) {
  std::string open;
  for (const fcl::Scheme::Open& o : entry.scheme->types) open += (open.empty() ? "" : ", ") + o.name + " = int";
  return entry.name + (open.empty() ? "" : " (" + open + ")");
}
}  // namespace

Said checked(const FclFile& file, const std::string& definition) {
  const auto& all = file.program.program.definitions;
  if (!definition.empty() && !fcl::definition_named(file.program.program, definition))
    entry_point(file, {file.source->name, definition});  // says that there is none
  Json definitions = Json::array();
  Table table({"definition", "type", "can be run"});
  BlockNeeds memory;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!definition.empty() && all[k].name != definition) continue;
    const fcl::Scheme& s = file.program.schemes[k];
    const std::string why = no_entry_point(all[k], s);
    if (why.empty()) {
      const FclEntryPoint entry = entry_point(file, {file.source->name, all[k].name});
      if (const auto made = in_calculus(standing_instance(file, entry).stages))
        memory.add(block_needs(at_ints(entry), made->program, *lowered_calculus()));
    }
    table.row({all[k].name, fcl::show(s), why.empty() ? Cell("yes", Tone::Good) : Cell("no: " + why, Tone::Faint)});
    definitions.push_back({{"definition", all[k].name}, {"type", fcl::show(s)}, {"runs", why.empty()}, {"why", why}});
  }
  Said out{table.text(on_terminal(1)) + "\n" + (memory.text.empty() ? "" : memory.text + "\n") + file.source->name +
               ": " + show_count(all.size(), "definition") + ", types, kinds, levels and places hold; " +
               show_seconds(file.seconds) + "\n",
           Json{{"ok", true},
                {"language", "fcl"},
                {"file", file.source->name},
                {"definitions", std::move(definitions)},
                {"seconds", file.seconds}}};
  if (!memory.text.empty()) out.json["block_memory"] = std::move(memory.json);
  return out;
}

std::vector<StageText> stages_of(const FclFile& file, const FclEntryPoint& entry, const Options& options) {
  const FclInstance at = standing_instance(file, entry);
  std::vector<StageText> out = texts_of_steps(at.stages.trace);
  if (at.stages.stopped)
    out.push_back({"fuse",
                   "FCL §2.1",
                   "-- none: " + at.stages.stopped->why + in_parentheses(at.stages.stopped->region) + "\n",
                   {}});
  else if (!at.stages.misplaced && !has_stage(out, options.stage))
    add_lowered(out, entry.name, "--", in_calculus(at.stages), options);
  return out;
}
Said proofs_of(const FclFile& file, const FclEntryPoint& entry, const Options& options) {
  const MadeInCalculus made = in_calculus(standing_instance(file, entry).stages);
  const InCalculus& program = lowered_or_fail(
      entry.name, made, "'lockstep verify " + file.source->name + ":" + entry.name + "' tests every stage of it");
  return proofs_of({"fcl", file.source->name, entry.name, program.program, *lowered_calculus(), program.sizes},
                   options);
}
EmittedText emitted(const FclFile& file, const FclEntryPoint& entry, const Options& options) {
  const Target& target = target_with_text(options.target);
  const FclInstance at = standing_instance(file, entry);
  const auto made = in_calculus(at.stages);
  return text_files(target, lowered_or_fail(entry.name, made, ""), entry.name);
}

}  // namespace lockstep::driver
