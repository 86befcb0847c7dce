// lockstep verify: the table of all checks, a row a stage, and the certificate; and a certificate repeated.
#include <fmt/format.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "codegen/runtime/files.h"
#include "codegen/runtime/sha256.h"
#include "driver/commands/certificate.h"
#include "props/engine/side_by_side.h"

namespace lockstep::driver {
namespace {

using props::Report;
using props::Row;
using props::Tried;

Cell program_cell(const Row& r) {
  if (!r.ill_formed.empty()) return {"✗ wrong", Tone::Bad};
  if (r.well_formed.empty()) return {r.checked_as, Tone::Faint};
  return {r.checked_as.empty() ? "✓" : "✓ " + r.checked_as, Tone::Good};
}

std::string rounded_as(const Row& r) { return r.contracts ? " contracted" : " reassociated"; }

Cell meaning_cell(const Row& r, const Tried& inputs) {
  if (!r.unavailable.empty()) return {"not run: " + shortened(r.unavailable, 70), Tone::Faint};
  if (r.disagreement) return {"✗ differs", Tone::Bad};
  if (r.same.empty()) return "";
  if (!r.ill_formed.empty()) return {"not tested", Tone::Bad};
  // On too few inputs with values nothing is tested.
  if (r.values < inputs.needed && r.ran())
    return {r.values == 0 ? "not tested" : "not tested: " + show_count(r.values, "value"), Tone::Bad};
  const std::string values = show_count(r.values, "value");
  if (r.reference) return {values, Tone::Faint};
  if (r.groundless()) return {"not tested: the bound is wide", Tone::Bad};
  std::string out = "✓ " + values;
  if (!r.is_target || r.runs > r.tested) out += ", " + show_count(r.runs, "run");
  if (r.same_bits > 0 && r.same_bits == r.tested) out += ", bit for bit";
  if (!r.own_functions.empty()) out += ", by the bound: its own " + shortened(r.own_functions, 30);
  if (r.reassociated > 0) out += ", " + std::to_string(r.reassociated) + rounded_as(r);
  if (r.not_run > 0) out += "; not run on " + std::to_string(r.not_run);
  return {out, Tone::Good};
}

std::string error_text(const Row& r) {
  if (r.values == 0 || (r.same_bits == 0 && r.own_functions.empty())) return "";
  if (!r.floats) return "exact";
  const std::string wide =
      r.wide > 0 ? fmt::format("no comparison of {} of {} floats: bound wider than they are", r.wide, r.compared) : "";
  if (r.rounding.bound == 0) return wide.empty() ? "no rounding" : wide;
  return fmt::format("max error {:.2g}, bound {:.2g} ({:.2g}%)", r.rounding.error, r.rounding.bound,
                     100 * r.rounding.share()) +
         (wide.empty() ? "" : "; " + wide);
}

std::string head_text(const Entry& entry) {
  std::string text = tone(entry.head(), Tone::Head, on_terminal(1)) + "\n";
  for (const std::string& fact : entry.assumed())
    text += "  assumed of the sizes, and checked when it is run: " + fact + "\n";
  return text + "\n";
}

// The head, and below it the table of the stages, each row printed as soon as it is known, and that of the targets.
// Where standard output is JSON, nothing is.
class Rows {
 public:
  Rows(const Entry& entry, bool silent, Progress& progress)
      : head_(head_text(entry)), silent_(silent), progress_(progress) {}

  // Room for every row that will come.
  void planned(const Report& report) {
    titles_ = report.titles, inputs_ = report.inputs;
    std::vector<std::string> columns{"stage", "paper", ">" + titles_.nodes, titles_.program, "meaning"};
    columns.insert(columns.end(), titles_.costs.begin(), titles_.costs.end());
    columns.push_back(">time");
    stages_.emplace(columns);
    for (const Row& r : report.stages) {
      std::vector<Cell> cells = cells_of(r);
      if (!r.same.empty())
        cells[4] = r.reference ? show_count(inputs_.values, "value")
                               : "✓ " + show_count(inputs_.values, "value") + ", 1000 runs" +
                                     (r.may_reassociate ? ", 10" + rounded_as(r) : "");
      cells.back() = "999 ms";
      stages_->make_room(cells);
      before_ = r;
      if (!first_) first_ = r;
    }
    before_.reset(), first_.reset();
    print_line(head_ + stages_->titles(colour_));
  }
  void row(const Row& r) {
    if (r.is_target) {
      targets_.push_back(r);
      return;
    }
    if (before_ && r.heading != before_->heading) {
      if (!r.heading.empty()) print_line(tone(r.heading, Tone::Faint, colour_) + "\n");
      before_ = first_;
    }
    print_line(stages_->line(cells_of(r), colour_));
    if (!first_) first_ = r;
    before_ = r;
  }
  // Columns in which nothing stands are left out.
  void targets() {
    if (targets_.empty()) return;
    std::vector<std::string> titles{"target", "paper", "meaning", "error", "compiled"};
    titles.insert(titles.end(), titles_.costs.begin(), titles_.costs.end());
    titles.push_back(">time");
    std::vector<std::vector<Cell>> rows;
    for (const Row& r : targets_) {
      std::vector<Cell> cells{r.name, {r.cite, Tone::Faint}, meaning_cell(r, inputs_), error_text(r)};
      const bool compiled = r.compile_seconds && r.unavailable.empty();
      cells.push_back(!compiled ? "" : r.cached ? "before" : show_seconds(*r.compile_seconds));
      for (std::size_t k = 0; k < titles_.costs.size(); ++k) cells.push_back(cost_cell(r, nullptr, k));
      cells.push_back(r.unavailable.empty() ? show_seconds(r.seconds) : "");
      rows.push_back(std::move(cells));
    }
    for (std::size_t k = titles.size(); k-- > 0;) {
      if (std::any_of(rows.begin(), rows.end(), [&](const auto& cells) { return !cells[k].text.empty(); })) continue;
      titles.erase(titles.begin() + static_cast<std::ptrdiff_t>(k));
      for (auto& cells : rows) cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(k));
    }
    Table table(titles);
    for (auto& cells : rows) table.row(std::move(cells));
    print_line("\n" + table.text(colour_));
    for (const Row& r : targets_)
      if (!r.device.empty()) print_line(r.name + " ran on " + r.device + "\n");
  }

 private:
  Cell cost_cell(const Row& r, const Row* before, std::size_t k) const {
    if (const props::Related* wrong = r.cost_wrong(); wrong && k == 0)
      return {"✗ " + shortened(wrong->wrong->found, 40), Tone::Bad};
    if (k >= r.costs.size()) return "";
    if (titles_.costs_by_change && before && k < before->costs.size() && before->costs[k] == r.costs[k])
      return {"=", Tone::Faint};
    return titles_.costs_by_change ? shortened(r.costs[k], 26) : r.costs[k];
  }
  std::vector<Cell> cells_of(const Row& r) const {
    std::vector<Cell> cells{r.name,
                            {r.cite, Tone::Faint},
                            r.nodes ? std::to_string(*r.nodes) : "",
                            program_cell(r),
                            meaning_cell(r, inputs_)};
    const Row* before = before_ && r.heading != before_->heading ? (first_ ? &*first_ : nullptr)
                        : before_                                ? &*before_
                                                                 : nullptr;
    for (std::size_t k = 0; k < titles_.costs.size(); ++k) cells.push_back(cost_cell(r, before, k));
    cells.push_back(r.seconds > 0 ? show_seconds(r.seconds) : "");
    return cells;
  }
  void print_line(const std::string& text) {
    if (silent_) return;
    progress_.clear();
    print(text);
    std::fflush(stdout);
  }

  std::string head_;
  bool silent_;
  Progress& progress_;
  const bool colour_ = on_terminal(1);
  props::Titles titles_;
  std::optional<Table> stages_;
  std::optional<Row> first_, before_;
  std::vector<Row> targets_;
  Tried inputs_;
};

std::string inputs_text(const Report& r, const VerifyRequest& request) {
  const Tried& in = r.inputs;
  if (in.seeds.empty())
    return in.endless > 0 ? "No input was found on which the program ends within " + std::to_string(in.limit) +
                                " rounds of `while`, so nothing was run.\n"
                          : "No sizes were found that satisfy the program's facts, so nothing was run.\n";
  std::vector<std::string> sizes;
  for (const SizeValues& s : in.sizes)
    if (const std::string text = show(s); !text.empty() && std::find(sizes.begin(), sizes.end(), text) == sizes.end())
      sizes.push_back(text);
  std::string out = show_count(in.seeds.size(), "input"), words;
  for (const std::string& w : request.arguments) words += (words.empty() ? "" : " ") + shortened(w, 60);
  if (in.given)
    out += in.seeds.size() == 1 ? ", all of whose values are given:" : ", one for each of the sizes, all values given:";
  else
    out += " (seed " + std::to_string(request.seed) + ")" + (words.empty() ? "" : " with");
  if (!words.empty()) out += " " + words;
  if (!words.empty() && !sizes.empty()) out += ",";
  if (!sizes.empty())
    out += sizes.size() == 1 ? " at " + sizes.front() : " from " + sizes.front() + " to " + sizes.back();
  if (in.huge)
    out += "; the last are large, because the program accepts none smaller but empty ones, and run in one order";
  if (in.trapped > 0)
    out += "; " + std::to_string(in.trapped) + (in.trapped == 1 ? " traps" : " trap") + ", as every stage must there";
  if (in.undecided > 0)
    out += "; " + std::to_string(in.undecided) + " left undecided by rounding, compared bit for bit";
  if (in.again.all() > 0) {
    const auto part = [](std::size_t n, const std::string& what) {
      return n > 0 ? " " + std::to_string(n) + " " + what + "," : "";
    };
    std::string why = part(in.again.trapped, "trapped") + part(in.again.undecided, "undecided") +
                      part(in.again.endless, "after too many rounds");
    out += "; drawn again:" + why.substr(0, why.size() - 1);
  }
  if (in.endless > 0)
    out += "\n" + show_count(in.endless, "more input") + (in.endless == 1 ? " does" : " do") + " not end within " +
           std::to_string(in.limit) + " rounds of `while`; the first: " + in.first_endless;
  if (in.not_drawn > 0)
    out += "\n" + std::to_string(in.not_drawn) + " more would have taken long and " +
           (in.not_drawn == 1 ? "was" : "were") + " not drawn";
  return out + "\n";
}

// The first claim that is refuted, with what shows it.
std::string failure_text(const Report& r) {
  const std::vector<Claim> claims = r.all_claims();
  const Claim* c = first_refuted(claims);
  if (!c) throw Bug("a verification that fails for no reason");
  std::string out = c->refuted_as.empty() ? c->text() + " is refuted" : c->refuted_as;
  if (c->shown_by) {
    const bool compared = !c->shown_by->input.empty();
    if (compared) out += "\n  on        " + c->shown_by->input;
    if (!c->shown_by->expected.empty()) out += "\n  expected  " + c->shown_by->expected;
    out += (compared ? "\n  found     " : "\n  ") + c->shown_by->found;
  }
  if (!c->after.empty()) out += "\n\n" + props::side_by_side(c->before, c->after, terminal_columns());
  return out;
}

// Said of what ran: a target that did not is no evidence.
std::string last_line(const std::vector<Row>& targets, bool colour) {
  std::string missing;
  std::size_t ran = 0;
  for (const Row& t : targets) {
    ran += t.ran();
    const std::string sep = missing.empty() ? "" : "; ";
    if (!t.unavailable.empty())
      missing += sep + t.name + ": " + shortened(t.unavailable, 100);
    else if (t.not_run > 0)
      missing += sep + t.name + " on " + show_count(t.not_run, "input");
  }
  return agreement(ran, targets.size(), missing, colour);
}

struct Verified {
  Report report;
  Json certificate;  // where it is wanted
};
Verified verified(const Loaded& loaded, const VerifyRequest& request, bool silent, bool certified) {
  const Stopwatch watch;
  Progress progress;
  Rows rows(*loaded.entry, silent, progress);
  props::Listener listener;
  listener.progress = [&](const std::string& what, std::size_t done, std::size_t all) {
    progress.step(what, done, all);
  };
  listener.planned = [&](const Report& planned) { rows.planned(planned); };
  listener.row = [&](const Row& r) { rows.row(r); };
  Verified out{loaded.entry->verify(request, listener), {}};
  rows.targets();
  if (certified) out.certificate = certificate_of(loaded, request, out.report, watch.seconds());
  return out;
}

// The first line that two texts do not share.
std::string first_difference(const std::string& a, const std::string& b) {
  const auto at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  return "line " + std::to_string(1 + std::count(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// What ran then runs again, or the certificate cannot be repeated here.
void refuse_targets_that_cannot_run(const Frontend& f, const Json& then, const Recorded& recorded,
                                    const std::string& certificate) {
  const std::vector<Runner> all = f.targets();
  for (const std::string& name : recorded.request.targets) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const Runner& r) { return r.name == name; });
    if (it == all.end()) throw Failure{disagrees, certificate + " is of the target " + name + ", which there is not"};
    bool ran = false;
    for (const Json& t : then.value("targets", Json::array()))
      ran = ran || (t.value("target", "").starts_with(name) && t.value("available", false));
    if (!ran) continue;
    if (const std::string why = it->why_not(); !why.empty())
      fail(machine, certificate + " is of the target " + name + ", which cannot run here: " + why);
  }
}

// The program that a certificate is of, as it was then.
Loaded load_recorded(const Json& then, const Recorded& recorded, const Options& options) {
  const std::string file = options.program.empty() ? recorded.file : options.program;
  Loaded out;
  out.language = &frontend_named(options.languages, recorded.language);
  refuse_useless(*out.language, options, "verify");
  try {
    out.file = out.language->load(file, recorded.request.asked);
  } catch (const Failure& f) {
    if (f.diagnostics.empty())
      throw Failure{f.status, f.message + "\n  help: 'lockstep verify --replay " + options.replay +
                                  " FILE' says where the certificate's program is now"};
    throw;
  }
  const std::string& text = out.file->source->text;
  if (then.value("source_sha256", "") != sha256(text))
    throw Failure{disagrees, file + " is not the program that " + options.replay + " is of: it differs at " +
                                 first_difference(then.value("source", ""), text) +
                                 "\n  the certificate's source has SHA-256 " + then.value("source_sha256", "none") +
                                 ", this one " + sha256(text)};
  try {
    out.entry = out.file->entry(recorded.entry);
  } catch (const Failure& f) {
    throw Failure{disagrees, options.replay + " is of " + recorded.entry + ", which its program does not define"};
  }
  return out;
}

int replay_command(const Options& options) {
  const Stopwatch watch;
  Recorded recorded;
  const Json then = read_certificate(options.replay, recorded);
  if (!options.arguments.empty())
    fail(invalid, "--replay takes the sizes and arguments from the certificate, not " + options.arguments.front());
  const Loaded loaded = load_recorded(then, recorded, options);
  refuse_targets_that_cannot_run(*loaded.language, then, recorded, options.replay);
  const Verified now = verified(loaded, recorded.request, true, true);
  const auto [found, elsewhere] = compared(then, now.certificate);
  if (options.json)
    print(Json{{"ok", found.empty() && now.report.ok()},
               {"certificate", options.replay},
               {"program", loaded.file->source->name},
               {"differences", found},
               {"elsewhere", elsewhere},
               {"seconds", watch.seconds()}});
  std::string others;
  for (const std::string& e : elsewhere) others += "\n  not as it was: " + e;
  if (!found.empty()) {
    std::string text = options.replay + " says otherwise than what comes out now:";
    for (std::size_t k = 0; k < found.size() && k < 10; ++k) text += "\n  " + found[k];
    if (found.size() > 10) text += "\n  and " + std::to_string(found.size() - 10) + " more";
    throw Failure{disagrees, text + others, {}, true};
  }
  if (!now.report.ok())
    throw Failure{disagrees, "as the certificate says, " + failure_text(now.report) + others, {}, true};
  if (!options.json)
    print(tone("all " + show_count(now.certificate["claims"].size(), "claim") + " of " + options.replay +
                   " came out as before",
               Tone::Good, on_terminal(1)) +
          "; " + show_seconds(watch.seconds()) + others + "\n");
  return done;
}

// Those asked for; of the interpreters of the stages there is no more to ask for.
std::vector<std::string> targets_of(const Languages& all, const Frontend& f, const std::string& asked) {
  std::vector<std::string> out;
  if (!asked.empty()) {
    if (const Runner r = target_named(all, f, asked); r.verified) out.push_back(r.name);
    return out;
  }
  for (const Runner& r : f.targets())
    if (r.verified && !r.by_name && !(r.optional && !r.why_not().empty())) out.push_back(r.name);
  return out;
}

}  // namespace

int verify_command(const Options& options) {
  // Compiled programs run on inputs of a few elements, often in thousands of parallel regions: threads that wait for
  // work awake would take the processor from one another.
  setenv("OMP_WAIT_POLICY", "passive", 0);
  if (!options.replay.empty()) return replay_command(options);
  if (options.program.empty()) fail(invalid, "FILE[:FUN] is required", "'lockstep verify --help' says what there is");
  const Loaded loaded = load(options, "verify");
  const Stopwatch watch;
  check_inputs(options);
  const VerifyRequest request{options.seed,      options.inputs,
                              options.arguments, sizes_among(options.sizes),
                              options.limit,     targets_of(options.languages, *loaded.language, options.target),
                              options.asked,     options.fusion};
  const std::string& path = options.certificate;
  const auto [report, certificate] = verified(loaded, request, options.json, options.json || !path.empty());
  if (options.json) {
    print(certificate);
  } else {
    std::string text = "\n" + inputs_text(report, request);
    for (const std::string& note : report.notes) text += note + "\n";
    print(text + trusted_text());
  }
  if (!path.empty()) {
    const auto written =
        write_files_atomically({{path, certificate.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"}});
    if (!written) fail(machine, "the certificate was not written: " + written.error());
  }
  if (!report.ok()) throw Failure{disagrees, failure_text(report), {}, true};
  if (!options.json)
    print(last_line(report.targets, on_terminal(1)) + "; " + show_seconds(watch.seconds()) +
          (path.empty() ? "" : "; certificate: " + path) + "\n");
  return done;
}

}  // namespace lockstep::driver
