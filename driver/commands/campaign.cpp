// lockstep campaign: random programs of languages through every stage, on several threads; the reports of shards
// joined; or mistakes planted and each caught.
#include <algorithm>
#include <ctime>
#include <mutex>
#include <numeric>

#include "driver/campaign_document.h"
#include "driver/commands/commands.h"
#include "driver/workers.h"

namespace lockstep::driver {
namespace {

// A night's, on two processors: some 1.6 ms a program of .dpia, 7 of .snesl, and 33 more where it is compiled.
constexpr std::size_t usual_programs = 1000, nightly_programs = 6'000'000, nightly_compiled = 200'000;

// 20261123: other programs every day.
std::uint64_t day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return static_cast<std::uint64_t>(((local.tm_year + 1900) * 100 + local.tm_mon + 1) * 100 + local.tm_mday);
}

std::vector<const Frontend*> languages_of(const Options& options) {
  const bool all = options.language == "all" || (options.nightly && !options.given.contains("--language"));
  std::vector<const Frontend*> out;
  if (all)
    out.assign(options.languages.begin(), options.languages.end());
  else
    out = {&frontend_named(options.languages, options.language)};
  for (const Frontend* f : out) refuse_useless(*f, options, "campaign");
  return out;
}

bool is_among(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// How many of so many programs are compiled too.
std::size_t compiled_of(const Options& options, const std::vector<const Frontend*>& languages, std::size_t programs) {
  std::size_t compiled = options.nightly ? std::min(nightly_compiled, programs) : 0;
  if (options.given.contains("--compiled")) compiled = options.compiled_programs;
  if (compiled > programs)
    fail(invalid, "--compiled " + std::to_string(compiled) + " is more than there are programs",
         "--programs says how many, here " + std::to_string(programs));
  if (!options.target.empty()) {
    if (languages.size() > 1)
      fail(invalid, "--target is of one language, and a campaign of several was asked for",
           "--compiled N: so many programs run on what each language is compiled for");
    const RandomPrograms of = languages.front()->random_programs();
    const bool compiles = is_among(of.targets, options.target);
    if (!compiles && options.target != "interpreter")
      fail(invalid, "--target: a campaign in " + of.language + " runs on every interpreter; " +
                        joined(of.targets, " or ") + " compiles its programs too, found " + options.target);
    if (!compiles) compiled = 0;
    if (compiles && !options.given.contains("--compiled")) compiled = programs;
  }
  if (compiled > 0)
    for (const Frontend* f : languages)
      if (const auto targets = f->random_programs().targets; !targets.empty())
        target_named(options.languages, *f, options.target.empty() ? targets.front() : options.target);  // must be here
  return compiled;
}

void check_sanitizer(const Options& options, const std::vector<const Frontend*>& languages) {
  if (options.sanitizer.empty()) return;
  std::vector<std::string> targets;  // that have it
  for (const Frontend* f : languages)
    for (const auto& [target, sanitizers] : f->random_programs().sanitizers)
      if (is_among(sanitizers, options.sanitizer)) targets.push_back(target);
  if (is_among(targets, options.target)) return;
  fail(invalid, targets.empty() ? "--sanitizer says nothing to these programs: none runs under it"
                                : "--sanitizer " + options.sanitizer + " is of --target " + joined(targets, " or "));
}

CampaignAsked asked_of(const Options& options) {
  CampaignAsked out;
  out.languages = languages_of(options);
  out.programs = options.programs > 0 ? options.programs : options.nightly ? nightly_programs : usual_programs;
  out.compiled = compiled_of(options, out.languages, out.programs);
  check_sanitizer(options, out.languages);
  out.target = options.target, out.sanitizer = options.sanitizer;
  out.seed = options.nightly && !options.given.contains("--seed") ? day() : options.seed;
  out.limit = options.limit;
  if (options.minutes > 0) out.minutes = options.minutes;
  return out;
}

// How far several workers are.
class Together {
 public:
  Together(std::string what, std::size_t workers) : what_(std::move(what)), of_(workers) {}
  void step(std::size_t worker, std::size_t done, std::size_t all, std::size_t failures) {
    const std::lock_guard lock(mutex_);
    of_[worker] = {done, all, failures};
    Counts sum;
    for (const Counts& c : of_) sum.done += c.done, sum.all += std::max(c.all, all), sum.failures += c.failures;
    progress_.step(what_ + ", " + show_count(sum.failures, "failure"), sum.done, sum.all);
  }

 private:
  struct Counts {
    std::size_t done = 0, all = 0, failures = 0;
  };
  const std::string what_;
  std::mutex mutex_;
  std::vector<Counts> of_;
  Progress progress_;
};

// Each worker has a shard of the part, and their reports are joined as those of other machines are.
Json report_of_part(const RandomPrograms& of, const props::CampaignPart& part, std::size_t workers,
                    const Options& options, Together& together) {
  std::vector<Json> reports(workers);
  on_workers(workers, [&](std::size_t k) {
    props::CampaignPart mine = part;
    mine.shard = part.shard + k * part.shards, mine.shards = part.shards * workers;
    mine.progress = [&together, k](std::size_t done, std::size_t all, std::size_t failures) {
      together.step(k, done, all, failures);
    };
    reports[k] = report_of(of, of.run(mine, options));
  });
  for (std::size_t k = 1; k < workers; ++k) join(reports.front(), reports[k], of);
  return std::move(reports.front());
}

Json campaign_of(const Options& options) {
  const CampaignAsked asked = asked_of(options);
  const std::size_t one = options.nightly ? processors() : 1;
  const std::size_t workers = options.threads > 0 ? static_cast<std::size_t>(options.threads) : one;
  const auto [shard, shards] =
      options.shard.empty() ? std::pair<std::size_t, std::size_t>{1, 1} : shard_of(options.shard);
  std::vector<Json> reports;
  for (std::size_t k = 0; k < asked.languages.size(); ++k) {
    const RandomPrograms of = asked.languages[k]->random_programs();
    props::CampaignPart part = asked.part(k);
    part.shard = shard, part.shards = shards;
    Together together(asked.languages.size() > 1 ? "random programs of ." + of.language : "random programs", workers);
    reports.push_back(report_of_part(of, part, workers, options, together));
  }
  return document_of(asked, shard, shards, std::move(reports));
}

void check_options(const Options& options) {
  if (!options.merge.empty()) {
    for (const std::string& name : options.given)
      if (name != "--merge" && name != "--json" && name != "--statistics")
        fail(invalid, name + " says nothing to --merge", "what is joined has been run: give the files alone");
    return;
  }
  if (options.mutants.empty())
    return refuse_given(options, {"--show"}, "is of --mutants: what a campaign finds is always shown");
  refuse_given(
      options,
      {"--limit", "--minutes", "--target", "--sanitizer", "--compiled", "--nightly", "--threads", "--statistics"},
      "says nothing to --mutants",
      "each mistake is tried on --programs N random programs, through the stages or compiled, as it needs");
}

}  // namespace

int campaign_command(const Options& options) {
  check_options(options);
  if (!options.mutants.empty()) {
    const Frontend& f = frontend_named(options.languages, options.language);
    refuse_useless(f, options, "campaign");
    const Said said = f.mutants(options);
    options.json ? print(said.json) : print(said.text);
    return said.ok ? done : disagrees;
  }
  const Json document =
      options.merge.empty() ? campaign_of(options) : joined_documents(options.merge, options.languages);
  options.json ? print(document) : print(text_of(document, options.languages, options.statistics));
  return well(document) ? done : disagrees;
}

}  // namespace lockstep::driver
