// The campaign of .dpia: its programs, and what is asked of them.
#include "props/dpia/campaign.h"

#include "props/dpia/altered.h"
#include "props/dpia/shrink.h"
#include "props/dpia/verify.h"
#include "semantics/functional/inference/infer.h"
#include "semantics/functional/syntax/parse.h"
#include "semantics/functional/syntax/print.h"

namespace lockstep::props {

std::size_t node_count(const Sample& s) { return node_count(s.program); }

bool CampaignReport::too_much_by_bound() const {
  constexpr std::size_t least = 50;
  return with_text >= least && by_bound * 5 > with_text;
}

bool CampaignReport::too_undecided() const { return too_many_undecided(undecided, bounded); }

Trials<Sample> trials_of(const CampaignOptions& options, const Calculus& calculus, CampaignReport& report) {
  Trials<Sample> out;
  out.extension = ".dpia";
  out.target = options.target->name;
  if (options.sanitizer != Sanitizer::None) out.target += " --sanitizer " + show(options.sanitizer);
  out.drawn_for_target = options.for_gpu();
  out.generate = [by_type = made_by_type(calculus), solver = options.solver != nullptr, gpu = options.for_gpu()](
                     std::uint64_t seed, int nodes) {
    Sample out{generate_program(seed, nodes, by_type, solver, gpu)};
    if ((seed >> 9) % 10 != 0) return out;
    // As it is read: a change may leave what no text says, as a prefix operator without its operand.
    const std::string text = print(altered(out.program, seed));
    if (auto read = parse_program(std::make_shared<Source>(Source{"program.dpia", text})))
      out = Sample{std::move(*read), {}, true};
    return out;
  };
  out.nodes = [](const Sample& s) { return node_count(s); };
  out.text = [](const Sample& s) { return print(s.program); };
  out.smaller = [&calculus](const Sample& s) {
    std::vector<Sample> all;
    for (surface::Program& p : smaller_programs(s.program, calculus))
      all.push_back({std::move(p), s.machine, s.altered});
    return all;
  };
  out.measure = [](const Sample& s) { return measure(s.program); };
  out.count = [&report](const Sample& s) { report.coverage.count(s.program); };
  out.check = [options, &calculus, &report](const Sample& s, std::uint64_t seed, bool counted) {
    CampaignReport unused;
    return check_program_at_stages(s, seed, options, calculus, counted ? report : unused).finding;
  };
  out.compiled = [options, &calculus, &report](const Trials<Sample>::Batch& batch, bool counted) {
    CampaignReport unused;
    std::vector<BatchProgram> sources;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < batch.size(); ++k)
      if (auto source = source_of(batch[k].program, calculus, options)) {
        sources.push_back({std::move(*source), batch[k].seed, batch[k].number});
        places.push_back(k);
      }
    std::vector<std::optional<Finding>> out(batch.size());
    if (sources.empty()) return out;
    auto found = check_compiled(sources, options, calculus, counted ? report : unused);
    for (std::size_t k = 0; k < places.size(); ++k) out[places[k]] = std::move(found[k]);
    return out;
  };
  return out;
}

std::optional<PhraseProgram> source_of(const Sample& sample, const Calculus& calculus, const CampaignOptions& options) {
  const auto parsed =
      parse_program(std::make_shared<Source>(Source{"program.dpia", options.tools.printed(sample.program)}));
  auto elaborated = parsed ? infer(*parsed, calculus, options.solver) : tl::unexpected(parsed.error());
  if (!elaborated && sample.altered) return {};
  if (!elaborated) throw Bug("a program that was checked is refused: " + render(elaborated.error().front()));
  return std::move(elaborated->entries.back());
}

CampaignReport run_campaign(const CampaignOptions& options) {
  const Calculus standard = options.calculus ? Calculus{} : standard_calculus();
  CampaignReport report;
  const Trials<Sample> trials = trials_of(options, options.calculus ? *options.calculus : standard, report);
  Campaign<Sample>(options, trials, report).run();
  return report;
}

}  // namespace lockstep::props
