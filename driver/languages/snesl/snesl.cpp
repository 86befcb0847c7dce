// .snesl as a Frontend.
#include "driver/languages/snesl/snesl.h"

#include <nlohmann/json.hpp>

#include "codegen/runtime/compiler.h"
#include "driver/campaign_reports.h"
#include "driver/languages/snesl/verification.h"
#include "semantics/snesl/builtins.h"

namespace lockstep::driver {
namespace {

class StreamingEntry : public EntryOf<StreamingFile, snesl::EntryPoint> {
 public:
  using EntryOf::EntryOf;
  std::string head() const override { return head_of(program_); }
  props::Report verify(const VerifyRequest& request, const props::Listener& listener) const override {
    return verify_streaming(*loaded_, program_, request, listener);
  }
};

class SourceFile : public FileOf<StreamingFile, StreamingEntry> {
 public:
  using FileOf::FileOf;
  Said check(const std::string& function) const override { return checked(*loaded_, function); }
  Said prove(const std::string& function, const Options& options) const override {
    if (!function.empty()) entry_point(*loaded_, {source->name, function});
    return proofs_of(*loaded_, function, options);
  }
};

class Snesl : public Frontend {
 public:
  std::string name() const override { return "snesl"; }
  std::string unit() const override { return "instruction"; }

  std::vector<Runner> targets() const override {
    const auto compiler = find_compiler();
    return {{"interpreter", "this program: the big-step semantics"},
            {"eager", "this program: SVCODE, one instruction after another"},
            {"chunked", "this program: SVCODE, buffers of --chunk elements", {}, false, true},
            {"engine", compiler ? "CPU threads, compiled by " + compiler->path : "CPU threads, by a C++ compiler",
             [why = compiler ? "" : compiler.error()] { return why; }, true, true}};
  }
  std::vector<Useless> useless() const override {
    std::vector<Useless> out;
    for (const char* command : {"verify", "campaign"})
      out.push_back(
          {command, "--limit", "counts rounds of 'while', and .snesl has no loop that may not end", "leave it out"});
    out.push_back(
        {"verify", "--sizes", "is of .dpia programs: a .snesl program has no sizes", "give values: xs=[1,2,3]"});
    for (const char* command : {"run", "verify", "stages", "cost", "prove", "emit", "bench"})
      for (const char* option : {"--block-size", "--warp-size"})
        out.push_back({command, option, "is not of .snesl programs: no GPU runs them", "leave it out"});
    out.push_back({"stages", "--strategy", "is of .dpia programs: strategies rewrite none of .snesl yet", "", machine});
    out.push_back({"stages", "--target", "says nothing: the stages of .snesl are the same for every target",
                   "leave --target out"});
    out.push_back({"cost", "--target", "says nothing: cost counts the source and every stage", "leave --target out"});
    out.push_back({"prove", "--all", "is of .dpia programs: of .snesl everything is listed", "leave it out"});
    for (const char* command : {"run", "verify", "stages", "cost", "emit", "bench"})
      out.push_back({command, "--fusion", "is of .l0 programs", "leave it out"});
    out.push_back({"prove", "--solver", "is of .dpia programs: no solver is asked of .snesl", "leave it out"});
    add_strict(out);
    return out;
  }

  std::string title() const override {
    return "Streaming NESL, .snesl: a and b are any type, t one without sequences, n Int or Real, i Int or Bool, p any "
           "scalar";
  }
  std::vector<BuiltIn> built_in() const override {
    std::vector<BuiltIn> out;
    for (const snesl::elaboration::BuiltinNote& b : snesl::elaboration::builtin_notes())
      out.push_back({std::string(b.name), std::string(b.type), "built-in", std::string(b.summary)});
    return out;
  }
  std::unique_ptr<File> load(const std::string& file, const AskedRun&) const override {
    return std::make_unique<SourceFile>(load_streaming(file));
  }
  RandomPrograms random_programs() const override { return streaming_programs(props::stream::Toolchain::standard()); }
  Said mutants(const Options& options) const override { return streaming_mutants(options); }
};

}  // namespace

const Frontend& snesl_language() {
  static const Snesl it;
  return it;
}

Runner streaming_runner(const std::string& name) {
  for (Runner& r : snesl_language().targets())
    if (r.name == name) return std::move(r);
  throw Bug("there is no target " + name);
}

}  // namespace lockstep::driver
