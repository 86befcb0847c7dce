// .l0 as a Frontend.
#include "driver/languages/l0/l0.h"

#include <nlohmann/json.hpp>

#include "driver/campaign_reports.h"
#include "driver/kernels/kernels.h"
#include "semantics/l0/scalar_functions.h"
#include "semantics/l0/words.h"

namespace lockstep::driver {
namespace {

class L0Entry : public EntryOf<L0File, l0::Function> {
 public:
  using EntryOf::EntryOf;
  std::string head() const override { return head_of(program_); }
  Said fusion(const Options& options) const override { return fusions(*loaded_, program_, options); }
  props::Report verify(const VerifyRequest& request, const props::Listener& listener) const override {
    return verified(*loaded_, program_, request, listener);
  }
};

class L0SourceFile : public FileOf<L0File, L0Entry> {
 public:
  using FileOf::FileOf;
  Said check(const std::string& function) const override { return checked(*loaded_, function); }
  Said prove(const std::string& function, const Options& options) const override {
    return proofs_of(*loaded_, entry_point(*loaded_, {source->name, function}), options);
  }
};

class L0 : public Frontend {
 public:
  std::string name() const override { return "l0"; }
  std::string unit() const override { return "node"; }
  std::vector<Runner> targets() const override { return runners("this program: the meaning of the source"); }
  std::vector<Useless> useless() const override {
    std::vector<Useless> out;
    for (const char* option : {"--block-size", "--warp-size"})
      out.push_back({"cost", option, "says nothing: it is counted on the stages of .l0", "leave it out"});
    for (const char* command : {"verify", "campaign"})
      out.push_back({command, "--limit", "counts rounds of 'while', and every loop of .l0 ends", "leave it out"});
    out.push_back({"verify", "--sizes", "is of .dpia programs: a .l0 program has no sizes", "give values: xs=[1,2,3]"});
    out.push_back({"stages", "--strategy", "is of .dpia programs: strategies rewrite none of .l0 yet", "", machine});
    out.push_back({"cost", "--target", "says nothing: it is counted on the stages of .l0", "leave it out"});
    for (const char* option : {"--chunk", "--threads"})
      out.push_back({"run", option, "is of .snesl programs", "leave it out"});
    add_strict(out);
    return out;
  }
  std::string title() const override { return "L0, .l0: a and b are any type, n int or real"; }
  std::vector<BuiltIn> built_in() const override;
  RandomPrograms random_programs() const override { return l0_programs(); }
  Said mutants(const Options& options) const override { return l0_mutants(options); }
  std::unique_ptr<File> load(const std::string& file, const AskedRun& asked) const override {
    L0File loaded = load_l0(file);
    loaded.asked = asked;
    return std::make_unique<L0SourceFile>(std::move(loaded));
  }
};

struct Note {
  std::string_view type, summary;
};
constexpr auto built_in_notes = table<l0::BuiltIn, Note>(
    {{l0::BuiltIn::Zip, {"([a1], ..., [an]) → [(a1, ..., an)]", "arrays of equal length as one of tuples"}},
     {l0::BuiltIn::AssertZip, {"([a1], ..., [an]) → bool", "true; it traps where lengths differ"}},
     {l0::BuiltIn::Unzip, {"[(a1, ..., an)] → ([a1], ..., [an])", "an array of tuples as a tuple of arrays"}},
     {l0::BuiltIn::Iota, {"int → [int]", "0, 1, ..., n - 1"}},
     {l0::BuiltIn::Size, {"[a] → int", "the outer length"}},
     {l0::BuiltIn::Transpose, {"[[a]] → [[a]]", "the first two dimensions swapped"}},
     {l0::BuiltIn::Copy, {"a → a", "an equal value that shares nothing"}},
     {l0::BuiltIn::Replicate, {"(int, a) → [a]", "so many copies"}},
     {l0::BuiltIn::Split, {"(int, [a]) → ([a], [a])", "the first so many, and the rest"}},
     {l0::BuiltIn::Concat, {"([a], [a]) → [a]", "one array after another"}}});
constexpr auto soac_notes = table<l0::Soac, Note>(
    {{l0::Soac::Map, {"(a → b, [a]) → [b]", "a function of each element"}},
     {l0::Soac::Filter, {"(a → bool, [a]) → [a]", "the elements of which it is true, in order"}},
     {l0::Soac::Reduce, {"((a, a) → a, a, [a]) → a", "fold from the left; the function is asserted to be associative"}},
     {l0::Soac::Scan, {"((a, a) → a, a, [a]) → [a]", "inclusive prefixes from the left, from a start"}},
     {l0::Soac::Map2, {"(…, [a1], ...) → ([b1], ...)", "map of several arrays, of a function that gives a tuple"}},
     {l0::Soac::Filter2, {"(…, [a1], ...) → ([a1], ...)", "filter of several arrays at once"}},
     {l0::Soac::Reduce2, {"(…, a1, ..., [a1], ...) → (a1, ...)", "reduce of several arrays at once"}},
     {l0::Soac::Scan2, {"(…, a1, ..., [a1], ...) → ([a1], ...)", "scan of several arrays at once"}},
     {l0::Soac::Redomap,
      {"((a, a) → a, (a, b) → a, a, [b]) → a", "fold by the second function; the first joins parts"}},
     {l0::Soac::Redomap2, {"(…, …, a1, ..., [b1], ...) → (a1, ...)", "redomap of several arrays at once"}}});

std::vector<BuiltIn> L0::built_in() const {
  std::vector<BuiltIn> out;
  for (std::size_t k = 0; k < l0::built_in_count; ++k) {
    const auto op = static_cast<l0::BuiltIn>(k);
    out.push_back({std::string(l0::name_of(op)), std::string(built_in_notes[op].type), "array",
                   std::string(built_in_notes[op].summary)});
  }
  for (std::size_t k = 0; k < l0::soac_count; ++k) {
    const auto op = static_cast<l0::Soac>(k);
    out.push_back({std::string(l0::name_of(op)), std::string(soac_notes[op].type),
                   l0::is_of_several(op) || op == l0::Soac::Redomap ? "core" : "combinator",
                   std::string(soac_notes[op].summary)});
  }
  for (const l0::ScalarFunction& f : l0::scalar_functions()) {
    const std::string from = f.takes.size() > 1 ? "n" : std::string(l0::name_of(f.takes.front()));
    const std::string to = f.gives ? std::string(l0::name_of(*f.gives)) : from;
    out.push_back({std::string(f.name), (f.arity == 2 ? "(" + from + ", " + from + ")" : from) + " → " + to, "scalar",
                   f.summary});
  }
  return out;
}

}  // namespace

const Frontend& l0_language() {
  static const L0 it;
  return it;
}

}  // namespace lockstep::driver
