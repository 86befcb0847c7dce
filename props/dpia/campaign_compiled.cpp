// The OpenMP target in the campaign: many programs as one source, each in a namespace of its own, compiled and loaded
// once and held bit for bit against what the sources gave. Nothing reorders a float yet, and nothing is contracted.
// Where the text calls functions of its own, its results are held to the error bound.
#include "codegen/targets/openmp.h"
#include "codegen/targets/target.h"
#include "props/dpia/campaign.h"
#include "props/dpia/verify.h"
#include "semantics/functional/denote.h"

namespace lockstep::props {
namespace {

// At least one byte, so that no pointer is null.
using Bytes = std::vector<std::max_align_t>;
Bytes bytes_for(std::size_t scalars) { return Bytes(scalars * 8 / sizeof(std::max_align_t) + 2); }

class Caller {
 public:
  Caller(const BatchProgram& program, const kernel::Program& kernel, void* entry)
      : source_(program.source), kernel_(kernel), entry_(reinterpret_cast<Entry>(entry)) {}

  // What it gives, or why it gives nothing.
  tl::expected<Outcome, std::string> run(const Expected& e) const {
    std::vector<std::int64_t> sizes;
    for (const std::string& n : kernel_.sizes) sizes.push_back(e.sizes.at(n));
    std::vector<Bytes> memory;
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
    for (std::size_t k = 0; k < source_.parameters.size(); ++k)
      for (const auto& leaf : flatten(e.arguments[k], source_.parameters[k].second, e.sizes)) {
        memory.push_back(bytes_for(leaf.size()));
        for (std::size_t i = 0; i < leaf.size(); ++i)
          put_scalar(memory.back().data(), leaf[i].type, static_cast<std::int64_t>(i), leaf[i]);
        inputs.push_back(memory.back().data());
      }
    std::vector<std::int64_t> counts;
    for (const kernel::Buffer& b : kernel_.outputs) {
      const auto n = evaluate(b.count, e.sizes);
      if (!n || *n < 0) throw Bug("an output of no size");
      counts.push_back(*n);
      memory.push_back(bytes_for(static_cast<std::size_t>(*n)));
      outputs.push_back(memory.back().data());
    }
    EntryTrap trap;
    const std::int32_t status = entry_(sizes.data(), inputs.data(), outputs.data(), &trap);
    if (status == entry_trapped) return Outcome(tl::unexpected(trap_of(kernel_, trap)));
    if (status == entry_refused)
      return tl::unexpected("the compiled program refuses its arguments: " + refusal_of(kernel_, trap));
    if (status != entry_done)
      return tl::unexpected("the compiled program failed, with status " + std::to_string(status));
    Scalars found;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const LeafArray leaf{kernel_.outputs[k].type.scalar, {counts[k]}, nullptr, outputs[k]};
      found.emplace_back();
      for (std::int64_t i = 0; i < counts[k]; ++i) found.back().push_back(scalar_at(leaf, i));
    }
    return Outcome(std::move(found));
  }

 private:
  using Entry = std::int32_t (*)(const std::int64_t*, const void* const*, void* const*, EntryTrap*);
  const PhraseProgram& source_;
  const kernel::Program& kernel_;
  Entry entry_;
};

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

// Bits first: what is beyond the bound with the right ones is the source's own fault. Functions of its own have other
// bits.
std::optional<Finding> compared(const BatchProgram& program, const Expected& e, const Outcome& found, bool bits,
                                CampaignReport& report) {
  const auto differs = difference(e, found);
  if (differs && bits) return Finding{"meaning", "openmp", e.show(program.source), *differs};
  if (!found && !differs) return {};
  const auto beyond = within_bound(program, e, found, report);
  if (!beyond) return {};
  if (differs) return Finding{"meaning", "openmp", e.show(program.source), *beyond};
  return Finding{"error bound", "source", e.show(program.source), *beyond};
}

}  // namespace

std::vector<std::optional<Finding>> check_compiled(const std::vector<BatchProgram>& batch,
                                                   const CampaignOptions& options, const Calculus& calculus,
                                                   CampaignReport& report) {
  std::vector<std::optional<Finding>> out(batch.size());
  std::vector<kernel::Program> kernels;
  std::set<std::string> includes;
  std::string text;
  const DpiaLanguages languages = options.tools.languages(std::make_shared<const Calculus>(calculus));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    kernels.push_back(dpia_trace(batch[i].source, languages, Machine::Cpu, false, options.tools.stages).kernel());
    kernels.back().name = "campaign_" + std::to_string(i);
    text += in_namespace("program_" + std::to_string(i), options.tools.compiled(kernels.back()), includes);
  }
  std::string head;
  for (const std::string& line : includes) head += "#include " + line + "\n";
  CompileRequest request{head + text, openmp_flags(), "campaign", false};
  request.flags.insert(request.flags.begin(), {"-O2", "-fopenmp"});
  const auto library = compile_cached(request);
  if (!library) {
    const Finding rejected{"compiles", "openmp", "", library.error().message.substr(0, 2000)};
    if (batch.size() == 1) return {rejected};
    // One of them is at fault: each on its own says which.
    for (std::size_t i = 0; i < batch.size(); ++i)
      out[i] = check_compiled({batch[i]}, options, calculus, report).front();
    return out;
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    void* entry = library->symbol(loader_name(kernels[i]).c_str());
    if (!entry) throw Bug("the library lacks " + loader_name(kernels[i]));
    const Caller caller(batch[i], kernels[i], entry);
    const bool bits = !options.tools.own_functions || functions_in(kernels[i]).empty();
    for (const Expected& e : expected_results(batch[i].source, batch[i].seed, options).results) {
      const auto found = caller.run(e);
      auto finding = found ? compared(batch[i], e, *found, bits, report)
                           : Finding{"meaning", "openmp", e.show(batch[i].source), found.error()};
      if (finding && !out[i]) out[i] = std::move(finding);
    }
  }
  return out;
}

}  // namespace lockstep::props
