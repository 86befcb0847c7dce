// A target in the campaign: many programs as one source, compiled once, called in a process of their own, and held bit
// for bit against what the sources gave, or the programs of the stage that rounds floats otherwise. Where the text
// calls functions of its own, its results are held to the error bound. What ends the process, under a sanitizer too, is
// a finding of the program that does it alone.
#include <algorithm>
#include <regex>

#include "codegen/targets/batch.h"
#include "props/dpia/campaign.h"
#include "props/dpia/process_findings.h"
#include "props/dpia/verify.h"
#include "semantics/functional/denote.h"

namespace lockstep::props {
namespace {

// A program of the batch that has a text, with its place there and what its source gave.
struct Compiled {
  std::size_t place;
  const BatchProgram& program;
  AnyProgram compiled;
  const kernel::Program& kernel;  // as it is called
  CSource text;
  std::vector<Expected> expected{};
};

BatchCall call_of(const Compiled& c, std::size_t k, const Expected& e) {
  BatchCall out;
  out.program = k;
  for (const std::string& n : c.kernel.sizes) out.sizes.push_back(e.sizes.at(n));
  for (const auto& leaf : leaves_of_arguments(c.program.source, e.arguments, e.sizes)) {
    const std::size_t each = leaf.empty() ? 0 : static_cast<std::size_t>(bytes_of(leaf.front().type));
    std::string bytes(leaf.size() * each, '\0');
    for (std::size_t i = 0; i < leaf.size(); ++i)
      put_scalar(bytes.data(), leaf[i].type, static_cast<std::int64_t>(i), leaf[i]);
    out.inputs.push_back(std::move(bytes));
  }
  for (const kernel::Buffer& b : c.kernel.outputs) {
    const auto n = evaluate(b.count, e.sizes);
    if (!n || *n < 0) throw Bug("an output of no size");
    out.outputs.push_back(static_cast<std::size_t>(*n * bytes_of(b.type.scalar)));
  }
  return out;
}

// What it gives, or why it gives nothing.
tl::expected<Outcome, std::string> outcome_of(const Compiled& c, const BatchResult& r) {
  if (r.status == entry_trapped) return Outcome(tl::unexpected(trap_of(c.kernel, r.trap)));
  if (r.status == entry_refused)
    return tl::unexpected("the compiled program refuses its arguments: " + refusal_of(c.kernel, r.trap));
  if (r.status != entry_done)
    return tl::unexpected("the compiled program failed, with status " + std::to_string(r.status));
  Scalars found;
  for (std::size_t k = 0; k < r.outputs.size(); ++k) {
    const ScalarType t = c.kernel.outputs[k].type.scalar;
    const auto count = static_cast<std::int64_t>(r.outputs[k].size()) / bytes_of(t);
    const LeafArray leaf{t, {count}, nullptr, r.outputs[k].data()};
    found.emplace_back();
    for (std::int64_t i = 0; i < count; ++i) found.back().push_back(scalar_at(leaf, i));
  }
  return Outcome(std::move(found));
}

// How far the floats of a result are from the exact ones, against the bound. The text: they are beyond it.
std::optional<std::string> within_bound(const BatchProgram& program, const Expected& e, const Outcome& found,
                                        CampaignReport& report) {
  const std::string name = "program " + std::to_string(program.number);
  ++report.bounded;
  try {
    const auto exact = denote(program.source, e.sizes, e.arguments, bounded_domain());
    if (!found) return difference(e, found);
    if (!exact) return "exact arithmetic traps: " + render(exact.error());
    const auto c =
        compare_within_bound(flatten(*exact, program.source.result, e.sizes), *found, program.source.result, e.sizes);
    if (!c.agrees) return "expected " + c.expected + ", found " + c.found;
    if (report.rounding.add(c.rounding)) report.worst = name;
  } catch (const UndecidedSignal& u) {
    if (report.undecided++ == 0) report.first_undecided = name + ", " + u.what + ", on " + e.show(program.source);
  }
  return {};
}

// Why there is no text, without names and numbers.
std::string kind_of(const std::string& why) {
  static const std::regex name("'[^' ]+'"), number("\\b[0-9]+\\b");
  return std::regex_replace(std::regex_replace(why, name, "'...'"), number, "N");
}

// Programs of one compilation.
class CompiledBatch {
 public:
  CompiledBatch(const std::vector<Compiled>& all, const CampaignOptions& options, CampaignReport& report)
      : all_(all), options_(options), report_(report), findings_(all.size()) {}

  std::vector<std::optional<Finding>> findings() {
    std::vector<AnyProgram> programs;
    std::vector<CSource> sources;
    for (const Compiled& c : all_) programs.push_back(c.compiled), sources.push_back(c.text);
    const auto batch = Batch::compile(*options_.target, programs, sources, options_.sanitizer);
    if (!batch) return rejected(batch.error().message);
    std::vector<std::size_t> every(all_.size());
    for (std::size_t k = 0; k < every.size(); ++k) every[k] = k;
    const auto [calls, ran] = run(*batch, every);
    if (ran.ended_well && !has_fault(ran)) {
      compare(calls, ran);
      return std::move(findings_);
    }
    for (const std::size_t k : every) {
      const auto [own_calls, alone] = run(*batch, {k});
      compare(own_calls, alone);
      // Oclgrind lets a program go on, and a result may be wrong for what it has said.
      if (!findings_[k] || options_.sanitizer == Sanitizer::Oclgrind)
        if (auto ended = of_process(own_calls, alone)) findings_[k] = std::move(ended);
    }
    // None does it alone: it is of the one that ran.
    const bool some = std::any_of(findings_.begin(), findings_.end(), [](const auto& f) { return f.has_value(); });
    if (!some) findings_[calls.empty() ? 0 : calls[at(calls, ran)].program] = of_process(calls, ran);
    return std::move(findings_);
  }

 private:
  struct Ran {
    std::vector<BatchCall> calls;
    BatchRun run;
  };
  Ran run(const Batch& batch, const std::vector<std::size_t>& programs) const {
    Ran out;
    for (const std::size_t k : programs)
      for (const Expected& e : all_[k].expected) out.calls.push_back(call_of(all_[k], k, e));
    auto ran = batch.run(out.calls, options_.seconds);
    if (!ran) throw std::runtime_error("compiled programs cannot be run: " + ran.error());
    out.run = std::move(*ran);
    return out;
  }
  std::vector<std::optional<Finding>> rejected(const std::string& message) const {
    if (all_.size() == 1) return {Finding{"compiles", options_.target->name, "", message.substr(0, 2000)}};
    // One of them is at fault: each on its own says which.
    std::vector<std::optional<Finding>> out;
    for (const Compiled& c : all_) out.push_back(CompiledBatch({c}, options_, report_).findings().front());
    return out;
  }

  static bool has_fault(const BatchRun& r) { return !r.results.empty() && !r.results.back().fault.empty(); }
  // The call that did not come back, or the last.
  static std::size_t at(const std::vector<BatchCall>& calls, const BatchRun& r) {
    return std::min(has_fault(r) ? r.results.size() - 1 : r.results.size(), calls.size() - 1);
  }
  const Expected& expected_of(const std::vector<BatchCall>& calls, std::size_t call) const {
    std::size_t first = call;
    while (first > 0 && calls[first - 1].program == calls[call].program) --first;
    return all_[calls[call].program].expected[call - first];
  }
  std::optional<Finding> of_process(const std::vector<BatchCall>& calls, const BatchRun& ran) const {
    if (calls.empty() || (ran.ended_well && !has_fault(ran))) return {};
    const std::size_t call = at(calls, ran), k = calls[call].program;
    Finding f = finding_of(ran, options_.sanitizer, options_.seconds, all_[k].text, Batch::name_of(k));
    f.stage = options_.target->name;
    f.input = expected_of(calls, call).show(all_[k].program.source);
    return f;
  }

  void compare(const std::vector<BatchCall>& calls, const BatchRun& ran) {
    for (std::size_t i = 0; i < ran.results.size(); ++i) {
      if (!ran.results[i].fault.empty()) continue;
      const std::size_t k = calls[i].program;
      const Compiled& c = all_[k];
      const Expected& e = expected_of(calls, i);
      const auto found = outcome_of(c, ran.results[i]);
      auto finding = found ? compared(c, e, *found) : meaning(c, e, found.error());
      if (finding && !findings_[k]) findings_[k] = std::move(finding);
    }
  }
  Finding meaning(const Compiled& c, const Expected& e, std::string what) const {
    return {"meaning", options_.target->name, e.show(c.program.source), std::move(what)};
  }
  // Bits first: what is beyond the bound with the right ones is the source's own fault. Functions of its own have
  // other bits.
  std::optional<Finding> compared(const Compiled& c, const Expected& e, const Outcome& found) {
    const bool bits = own_functions_in(c.kernel, *options_.target).empty();
    const auto differs = difference(e, found);
    if (differs && bits) return meaning(c, e, *differs);
    if (!found && !differs) return {};
    const auto beyond = within_bound(c.program, e, found, report_);
    if (!beyond) return {};
    if (differs) return meaning(c, e, *beyond);
    return Finding{"error bound", "source", e.show(c.program.source), *beyond};
  }

  const std::vector<Compiled> all_;
  const CampaignOptions& options_;
  CampaignReport& report_;
  std::vector<std::optional<Finding>> findings_;
};

}  // namespace

std::vector<std::optional<Finding>> check_compiled(const std::vector<BatchProgram>& batch,
                                                   const CampaignOptions& options, const Calculus& calculus,
                                                   CampaignReport& report) {
  const Target& target = *options.target;
  const auto text_of = options.tools.compiled ? options.tools.compiled : target.cxx.source;
  const DpiaLanguages languages = options.tools.languages(std::make_shared<const Calculus>(calculus));
  std::vector<Compiled> all;
  std::vector<std::optional<Finding>> out(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    PhraseProgram launched = batch[i].source;
    if (options.for_gpu()) draw_launch(launched, batch[i].seed, options);
    draw_order(launched, batch[i].seed);
    try {
      const DpiaTrace trace = dpia_trace(launched, languages, target.machine, false, options.tools.stages);
      const AnyProgram program = host::renamed(trace.last(), "campaign_" + std::to_string(i));
      const kernel::Program& kernel = host::called_as(program);
      if (const auto why = target.unfit(kernel); !why.empty()) {
        ++report.refused[kind_of(why.front())];
        continue;
      }
      CSource text = text_of(program);
      ++report.with_text;
      report.by_bound += !own_functions_in(kernel, target).empty();
      all.push_back(
          {i, batch[i], program, kernel, std::move(text),
           expected_results(trace.steps[trace.held_to()].program.as<PhraseProgram>(), batch[i].seed, options).results});
    } catch (const Bug& bug) {
      out[i] = Finding{"no bug", target.name, "", bug.what()};
      out[i]->rule = without_names(bug.what());
    }
  }
  if (all.empty()) return out;
  auto found = CompiledBatch(all, options, report).findings();
  for (std::size_t k = 0; k < all.size(); ++k) out[all[k].place] = std::move(found[k]);
  return out;
}

}  // namespace lockstep::props
