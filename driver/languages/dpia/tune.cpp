// lockstep tune: strategies that keep every bit, each compiled and timed beside the default on this machine. The
// fastest is kept as a file, with the record of how it was found.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "codegen/runtime/compiler_flags.h"
#include "codegen/runtime/files.h"
#include "driver/languages/dpia/derivation.h"
#include "driver/languages/dpia/dpia.h"
#include "proofs/laws/oracle.h"
#include "proofs/sizes/solver.h"
#include "semantics/functional/names.h"
#include "translate/dpia/tiles.h"
#include "translate/rewriting/rules.h"

namespace lockstep::driver {
namespace {

constexpr const char* tuned_by = "-- Tuned by lockstep ";

struct Candidate {
  std::string what, strategy;  // as text
};

// What a stage does by itself, in other sizes; maps are fused first, as they are there.
std::vector<Candidate> candidates() {
  const std::string fused = "def fused { repeat (topDown (mapFusion <+ reduceMap)) }\n";
  const auto everywhere = [&](const TileSizes& tiles, const std::string& name, std::int64_t vectors = 1,
                              std::int64_t block = 96) {
    return tile_definitions(tiles, vectors, block) + fused + "fused ; topDown " + name + " ; repeat (topDown " + name +
           ")\n";
  };
  std::vector<Candidate> out;
  for (const int rows : {4, 6, 8, 12})
    for (const int lanes : {4, 8, 16})
      for (const int vectors : {1, 2}) {
        const std::string tile = fmt::format("products in tiles of {} x {}", rows, lanes * vectors) +
                                 (vectors > 1 ? fmt::format(", in vectors of {}", lanes) : "");
        out.push_back({tile, everywhere({rows, lanes, 1}, "product", vectors)});
        for (const int block : {48, 192})
          if (lanes >= 8 && rows >= 6)
            out.push_back({tile + fmt::format(", packed for {} rows", block),
                           everywhere({rows, lanes, 1}, "packed", vectors, block)});
      }
  for (const int columns : {64, 128, 256, 512, 1024, 4096}) {
    const TileSizes tiles{1, 1, columns};
    out.push_back({fmt::format("sums of {} columns at a time", columns), everywhere(tiles, "sums")});
    out.push_back({fmt::format("sums of rows, {} columns at a time", columns), everywhere(tiles, "sumsOfRows")});
  }
  return out;
}

std::size_t bytes_of(const NpyOutput& leaf) {
  std::size_t n = lockstep::bytes_of(leaf.type);
  for (const std::int64_t extent : leaf.shape) n *= static_cast<std::size_t>(extent);
  return n;
}
bool same_bits(const std::vector<NpyOutput>& a, const std::vector<NpyOutput>& b) {
  return std::ranges::equal(a, b, [](const NpyOutput& x, const NpyOutput& y) {
    return bytes_of(x) == bytes_of(y) && (bytes_of(x) == 0 || std::memcmp(x.data, y.data, bytes_of(x)) == 0);
  });
}

struct Times {
  double ours, base;
};
// By turns, so many rounds, or for a second and seven rounds at least; of each the least.
Times timed(Execution& ours, Execution& base, std::size_t rounds) {
  Times out{1e30, 1e30};
  const Stopwatch whole;
  for (std::size_t round = 0; rounds > 0 ? round < rounds : round < 7 || (whole.seconds() < 1 && round < 1000); ++round)
    for (auto [execution, best] : {std::pair{&ours, &out.ours}, std::pair{&base, &out.base}}) {
      const Stopwatch watch;
      if (const auto trap = execution->run()) fail(*trap);
      *best = std::min(*best, watch.seconds());
    }
  return out;
}

struct Tried {
  Candidate candidate;
  Times times{};
  std::string not_used{};  // why
  double gain() const { return times.base / times.ours; }
};

std::string conditions() {
  const char* const asked = std::getenv("OMP_NUM_THREADS");
  const std::string threads = asked ? asked : std::to_string(std::thread::hardware_concurrency());
  return processor_name() + ", " + threads + (threads == "1" ? " thread" : " threads");
}

class Search {
 public:
  Search(const LoadedProgram& loaded, const PhraseProgram& program, const Target& target, const Options& options)
      : loaded_(loaded), program_(program), target_(target), options_(options), base_(execution(program)) {
    if (const auto trap = base_->run()) fail(*trap);
  }

  std::string at() const { return base_->at(); }
  Json where() const { return base_->where(); }
  // Those that apply, and of programs that are the same the first.
  std::vector<Tried> run() {
    std::vector<Tried> out = all();
    // Of many the fastest may have been lucky: it is timed again, as is who is fastest then.
    for (std::size_t again = 0; again < out.size(); ++again) {
      Tried* const best = fastest(out);
      if (!best || confirmed_.contains(best->candidate.what)) break;
      confirmed_.insert(best->candidate.what);
      const auto other = execution(*derived(best->candidate));
      if (const auto trap = other->run()) fail(*trap);
      best->times = timed(*other, *base_, options_.runs);
    }
    return out;
  }
  // Faster than the default, if one is.
  static Tried* fastest(std::vector<Tried>& all) {
    Tried* best = nullptr;
    for (Tried& t : all)
      if (t.not_used.empty() && t.gain() >= 1.03 && (!best || t.gain() > best->gain())) best = &t;
    return best;
  }
  std::size_t tried() const { return tried_; }

 private:
  std::vector<Tried> all() {
    std::vector<Tried> out;
    const std::vector<Candidate> all = candidates();
    Progress progress;
    for (std::size_t k = 0; k < all.size(); ++k) {
      progress.step("trying " + all[k].what, k, all.size());
      ++tried_;
      const auto program = derived(all[k]);
      if (!program || is_known(*program)) continue;
      Tried t{all[k]};
      const auto other = execution(*program);
      if (const auto trap = other->run()) fail(*trap);
      if (same_bits(other->arrays(), base_->arrays()))
        t.times = timed(*other, *base_, options_.runs);
      else
        t.not_used = "it has other bits";
      out.push_back(std::move(t));
    }
    return out;
  }
  std::unique_ptr<Execution> execution(const PhraseProgram& program) const {
    return execution_on(loaded_, program, &target_, options_, true);
  }
  std::optional<PhraseProgram> derived(const Candidate& c) const {
    const auto strategy = rewriting::parse_strategy(std::make_shared<const Source>(Source{c.what, c.strategy}), rules_);
    const auto steps = rewriting::derive(program_, **strategy, {loaded_.calculus, rules_, sizes_, laws_});
    if (!steps || steps->empty()) return {};
    return with_own_names(steps->back().program);
  }
  bool is_known(const PhraseProgram& made) {
    for (const PhraseRef& other : made_)
      if (alpha_equal(*other, *made.body)) return true;
    made_.push_back(made.body);
    return false;
  }

  const LoadedProgram& loaded_;
  const PhraseProgram& program_;
  const Target& target_;
  const Options& options_;
  const rewriting::RuleList rules_ = rewriting::all_rules();
  const SizeSolver sizes_ = remembering(proofs::z3_size_solver());
  const rewriting::LawOracle laws_ = proofs::law_oracle();
  const std::unique_ptr<Execution> base_;
  std::vector<PhraseRef> made_;
  std::set<std::string> confirmed_;
  std::size_t tried_ = 0;
};

std::string file_for(const Options& options, const ProgramName& name) {
  if (!options.output.empty()) {
    if (!options.output.ends_with(".strat"))
      fail(invalid, "--output " + options.output + " does not end in .strat", "what is written is a strategy");
    return options.output;
  }
  std::filesystem::path path(name.file);
  path.replace_extension();
  return path.string() + (name.function.empty() ? "" : "." + name.function) + ".strat";
}
// What somebody wrote is not written over.
void refuse_foreign(const std::string& file) {
  if (std::filesystem::exists(file) && !read_source(file).starts_with(tuned_by))
    fail(invalid, file + " is there, and 'tune' has not written it", "--output OTHER.strat leaves it as it is");
}

std::string record_of(const Tried& best, const std::vector<Tried>& all, const Options& options,
                      const std::string& title) {
  std::string out = tuned_by + std::string(version) + " for " + title + " on " + conditions() + ": " +
                    show_seconds(best.times.ours) + ", the default " + show_seconds(best.times.base) +
                    ".\n-- lockstep tune " + options.program;
  for (const std::string& a : options.arguments) out += " " + a;
  if (options.asked.strict) out += " --strict";
  out += "\n-- Times of the default over those of what was tried:\n";
  for (const Tried& t : all)
    out +=
        "--   " + t.candidate.what + ": " + (t.not_used.empty() ? fmt::format("{:.2f}", t.gain()) : t.not_used) + "\n";
  return out + best.candidate.strategy;
}

// As 'derive' tests it; a Failure, and no file, where a step is wrong.
void test_steps(const std::string& file, const LoadedProgram& loaded, const PhraseProgram& program) {
  try {
    refuse_wrong(derive_by(file, loaded, program, {}));
  } catch (const Failure&) {
    std::filesystem::remove(file);
    throw;
  }
}

Json json_of(const std::vector<Tried>& all) {
  Json out = Json::array();
  for (const Tried& t : all) {
    Json row{{"strategy", t.candidate.what}};
    if (t.not_used.empty())
      row.update({{"seconds", t.times.ours}, {"default_seconds", t.times.base}, {"gain", t.gain()}});
    else
      row["not_used"] = t.not_used;
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

int tune(const Options& options, const Calculus& calculus) {
  const ProgramName name = program_name(options.program);
  LoadedProgram loaded = load_program(name.file, calculus);
  loaded.asked = options.asked;
  const PhraseProgram program = entry_point(loaded, name);
  const std::string file = file_for(options, {name.file, program.name});
  refuse_foreign(file);
  const Target& target = *find_target("openmp");
  if (const std::string why = target.unavailable(); !why.empty()) fail(machine, "openmp: " + why);
  Search search(loaded, program, target, options);
  std::vector<Tried> all = search.run();
  const Tried* const best = Search::fastest(all);
  const std::string at = search.at(), title = program.name + (at.empty() ? "" : " at " + at);
  if (best) {
    const std::string text = record_of(*best, all, options, title);
    if (const auto written = write_files_atomically({{file, text}}); !written) fail(machine, written.error());
    test_steps(file, loaded, program);
  }
  if (options.json) {
    Json json{{"function", program.name}, {"tried", search.tried()}, {"applied", json_of(all)}};
    json.update(search.where());
    if (best) json.update({{"best", best->candidate.what}, {"output", file}});
    print(json);
    return done;
  }
  std::string text = title + " on " + conditions() + "\n\n";
  if (!all.empty()) {
    Table table({"strategy", ">time", ">default", ">default / it", "note"});
    for (const Tried& t : all)
      table.row(t.not_used.empty()
                    ? std::vector<Cell>{t.candidate.what, show_seconds(t.times.ours), show_seconds(t.times.base),
                                        fmt::format("{:.2f}", t.gain()), &t == best ? "kept" : ""}
                    : std::vector<Cell>{t.candidate.what, "", "", "", t.not_used});
    text += table.text(on_terminal(1)) + "\n";
  }
  text += std::to_string(search.tried()) + " strategies tried, of which " + std::to_string(all.size()) +
          " apply and differ; " +
          (best ? file + " has the fastest, with this record: 'lockstep run " + options.program + " --strategy " +
                      file + "' uses it\n"
                : "none is faster than the default by 3%, and no file was written\n");
  print(text);
  return done;
}

}  // namespace lockstep::driver
