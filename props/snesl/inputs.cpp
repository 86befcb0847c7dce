#include "props/snesl/inputs.h"

#include "props/snesl/generate.h"
#include "props/snesl/results.h"

namespace lockstep::props::stream {
namespace {

namespace core = snesl::core;

RandomInput drawn(const core::Program& p, Random& random, int longest) {
  RandomInput out{{}, longest > 0 ? random_files(random, longest) : campaign_files(), longest > 0};
  for (const core::Parameter& x : p.parameters) out.values.push_back(random_value(x.type, random, longest));
  return out;
}

std::int64_t work_of(const core::Program& p, const RandomInput& in, const Toolchain& tools) {
  KeptFiles files = files_of(in);
  snesl::Cost cost;
  evaluated(tools, p, in.values, files, &cost);
  return cost.work;
}

// What costs little for a hundred elements is no worse than linear.
std::optional<RandomInput> large(const core::Program& p, Random& random, const Toolchain& tools, bool seldom) {
  constexpr std::int64_t most = 20'000;
  const std::int64_t little = seldom ? 4'000 : 1'500;
  // What is much for these few is never tried for more.
  constexpr int few = 16;
  constexpr std::int64_t much = 2'000;
  if (work_of(p, drawn(p, random, few), tools) > much) return {};
  std::optional<RandomInput> out = drawn(p, random, 65 + random.below(70));
  const std::int64_t work = work_of(p, *out, tools);
  if (work > most) return {};
  if (work > little || !(random.percent(50) || seldom)) return out;
  RandomInput longer = drawn(p, random, random.percent(50) ? 1025 + random.below(1000) : 4097 + random.below(900));
  if (work_of(p, longer, tools) <= (seldom ? 8 : 4) * most) out = std::move(longer);
  return out;
}

}  // namespace

bool reads_files(const core::Expr& e) {
  return match(
      e.node, [](const core::Var&) { return false; }, [](const core::Literal&) { return false; },
      [](const core::Text&) { return false; }, [](const core::Tuple&) { return false; },
      [](const core::Project&) { return false; },
      [](const core::Let& x) { return reads_files(*x.value) || reads_files(*x.body); },
      [](const core::Apply& x) { return x.builtin == core::Builtin::ReadFile; },
      [](const core::Comprehension& x) { return reads_files(*x.body); },
      [](const core::Guarded& x) { return reads_files(*x.body); });
}

namespace {

std::vector<RandomInput> small_inputs(const core::Program& program, std::size_t count, Random& random) {
  const bool files = reads_files(*program.body);
  std::vector<RandomInput> out;
  for (std::size_t k = 0; k < (program.parameters.empty() && !files ? 1 : count); ++k) {
    out.push_back(drawn(program, random, 0));
    if (k > 0) out.back().files = random_files(random);
  }
  return out;
}

}  // namespace

std::vector<RandomInput> random_inputs(const core::Program& program, std::uint64_t seed, std::size_t count,
                                       const Toolchain& tools, bool seldom) {
  Random random(seed_of(seed, 77));
  std::vector<RandomInput> out = small_inputs(program, count, random);
  if (out.size() > 1 && (seldom || (seed >> 7) % 20 == 0))
    if (auto last = large(program, random, tools, seldom)) out.back() = std::move(*last);
  return out;
}

bool varies(const core::Program& program, std::uint64_t seed, std::size_t count, const Toolchain& tools) {
  Random random(seed_of(seed, 77));
  std::optional<StreamingResult> first;
  for (const RandomInput& in : small_inputs(program, count, random)) {
    KeptFiles files = files_of(in);
    StreamingResult r = evaluated(tools, program, in.values, files);
    if (first && !same_outcome(r, *first)) return true;
    if (!first) first = std::move(r);
  }
  return false;
}

KeptFiles files_of(const RandomInput& in) {
  return KeptFiles([files = in.files](const std::string& name, const Region& region) {
    const auto found = files.find(name);
    if (found == files.end()) throw TrapSignal{{"read_file", "there is no " + name, region}};
    return found->second;
  });
}

}  // namespace lockstep::props::stream
