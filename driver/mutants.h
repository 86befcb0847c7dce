// Mutants on the command line, whatever the language.
#pragma once
#include "driver/frontend.h"
#include "props/engine/campaign.h"

namespace lockstep::driver {

// A planted mistake, and what came of it.
struct MutantRow {
  std::string name, family, description;
  std::optional<props::Finding> caught{};  // nothing: it survives
  bool directed = false;                   // by a program that was written for it
  std::size_t programs = 0;                // tried
  std::size_t written = 0;                 // programs that were written for it
  double seconds = 0;
  std::string text{};  // of the smallest program, where that was asked for
};
// Those that --mutants names and that are of the shard, by place; a Failure with status 2 where there is none.
std::vector<std::size_t> chosen_mutants(const std::vector<MutantRow>& all, const std::vector<std::string>& families,
                                        const Options& options);
// One after another from a list that as many workers share as there are processors.
void try_all(std::vector<MutantRow>& rows, const std::function<void(MutantRow& row, std::size_t k)>& try_one);
inline bool wants_programs(const Options& options) { return options.show || options.json; }
inline constexpr double shrink_seconds = 5;
// Those of all that are asked for, each tried on random programs (`many` where the options do not say how many) and on
// those that were written for it; what catches one is made smaller where its program is to be shown. The rows say what
// came of it. Of a language's Mutant: try_mutant, shrunk and, here, the text of a program.
template <class Mutant, class Text>
std::vector<Mutant> tried_mutants(const std::vector<Mutant>& all, const std::vector<std::string>& families,
                                  const Options& options, std::size_t many, std::vector<MutantRow>& rows,
                                  const Text& text) {
  std::vector<MutantRow> known;
  std::vector<Mutant> mine;
  for (const Mutant& m : all) known.push_back({m.name, m.family, m.description});
  for (const std::size_t k : chosen_mutants(known, families, options)) {
    mine.push_back(all[k]);
    rows.push_back(known[k]);
    rows.back().written = all[k].directed.size();
  }
  try_all(rows, [&](MutantRow& row, std::size_t k) {
    auto run = try_mutant(mine[k], options.seed, many);
    row.programs = run.programs, row.seconds = run.seconds;
    if (!run.caught) return;
    if (wants_programs(options)) run.caught = shrunk(mine[k], *run.caught, shrink_seconds);
    row.caught = run.caught->finding, row.directed = run.caught->directed;
    row.text = text(run.caught->program);
  });
  return mine;
}
// The same of mutants whose directed programs are texts, with what is found without a mistake on those and on so many
// random ones, 200 at most.
template <class Mutant, class Text, class Alarm>
Said said_of_mutants(const std::vector<Mutant>& all, const std::vector<std::string>& families, const Options& options,
                     std::size_t default_programs, const Text& text, const Alarm& false_alarm);

// The most random programs that one needed: so many are then checked without a mistake.
std::size_t most_random(const std::vector<MutantRow>& rows);
// `alarm`: what is found without a mistake, on so many programs.
Said said_of(const std::vector<MutantRow>& rows, const std::optional<props::Finding>& alarm, std::size_t without,
             double seconds, const Options& options);

template <class Mutant, class Text, class Alarm>
Said said_of_mutants(const std::vector<Mutant>& all, const std::vector<std::string>& families, const Options& options,
                     std::size_t default_programs, const Text& text, const Alarm& false_alarm) {
  constexpr std::size_t most_without = 200;
  const Stopwatch watch;
  const std::size_t programs = options.programs > 0 ? options.programs : default_programs;
  std::vector<MutantRow> rows;
  std::vector<std::string> directed;
  for (const Mutant& m : tried_mutants(all, families, options, programs, rows, text))
    directed.insert(directed.end(), m.directed.begin(), m.directed.end());
  const std::size_t without = std::min(programs, most_without);
  return said_of(rows, false_alarm(directed, options.seed, without), directed.size() + without, watch.seconds(),
                 options);
}

}  // namespace lockstep::driver
