// lockstep prove without FILE: the obligations of the calculus itself, and the wrong statements that must be refuted.
#include <nlohmann/json.hpp>

#include "driver/commands.h"
#include "proofs/calculus_proofs.h"

namespace lockstep::driver {
namespace {

struct Found {
  proofs::Obligation obligation;
  proofs::Outcome outcome;
  double seconds = 0;
  bool good() const { return proofs::as_it_must_be(obligation, outcome); }
};

bool asked_for(const proofs::Obligation& o, const std::string& pattern) {
  return (o.group + " " + o.subject + " " + o.claim).find(pattern) != std::string::npos;
}

std::vector<Found> found_of(const std::string& pattern) {
  std::vector<proofs::Obligation> all =
      proofs::calculus_obligations(std::make_shared<const Calculus>(standard_calculus()));
  for (proofs::Obligation& o : proofs::wrong_statements()) all.push_back(std::move(o));
  std::erase_if(all, [&](const proofs::Obligation& o) { return !asked_for(o, pattern); });
  if (all.empty())
    fail(invalid, "no obligation's group, subject or claim holds '" + pattern + "'", "'lockstep prove' lists all");
  Progress progress;
  const auto decided =
      proofs::decide_obligations(all, [&](std::size_t done) { progress.step("proving", done, all.size()); });
  std::vector<Found> out;
  for (std::size_t k = 0; k < all.size(); ++k) out.push_back({all[k], decided[k].outcome, decided[k].seconds});
  return out;
}

std::string totals_of(const std::vector<Found>& found, double seconds) {
  std::map<proofs::Standing, std::size_t> counts;
  std::size_t rights = 0, wrongs = 0, refuted = 0;
  for (const Found& f : found) {
    if (f.obligation.wrong)
      ++wrongs, refuted += f.good();
    else
      ++rights, ++counts[f.outcome.standing];
  }
  std::string text = show_count(rights, "obligation");
  for (const auto& [standing, n] : counts)
    text += (standing == counts.begin()->first ? ": " : ", ") + std::to_string(n) + " " + std::string(show(standing));
  if (wrongs > 0)
    text += "; " + show_count(wrongs, "wrong statement") +
            (refuted == wrongs ? ", all refuted" : ", only " + std::to_string(refuted) + " refuted");
  return text + "; " + show_seconds(seconds) + "\n";
}

const char* title_of(const std::string& group) {
  if (group == "views") return "views: for all sizes and indices";
  if (group == "translation") return "translation: DPIA §5.3, for all sizes, functions and stores";
  if (group == "strategies") return "strategies: laws of programs";
  return "operators: claimed laws, at each type";
}

std::string table_of(const std::vector<Found>& found) {
  std::string text;
  for (const std::string group : {"views", "translation", "strategies", "operators"}) {
    Table table({"of", "obligation", "verdict", "method", "detail", ">time"});
    std::size_t rows = 0;
    for (const Found& f : found) {
      if (f.obligation.wrong || f.obligation.group != group) continue;
      table.row({f.obligation.subject,
                 shortened(f.obligation.claim, 84),
                 {std::string(show(f.outcome.standing)), f.good() ? Tone::Good : Tone::Bad},
                 f.outcome.method,
                 f.outcome.detail,
                 show_seconds(f.seconds)});
      ++rows;
    }
    if (rows > 0) text += tone(title_of(group), Tone::Head, on_terminal(1)) + "\n" + table.text(on_terminal(1)) + "\n";
  }
  Table table({"of", "wrong statement", "verdict", "counterexample", ">time"});
  std::size_t rows = 0;
  for (const Found& f : found) {
    if (!f.obligation.wrong) continue;
    table.row({f.obligation.subject,
               shortened(f.obligation.claim, 84),
               {std::string(show(f.outcome.standing)), f.good() ? Tone::Good : Tone::Bad},
               shortened(f.outcome.detail, 60),
               show_seconds(f.seconds)});
    ++rows;
  }
  if (rows > 0)
    text += tone("refuted, as they must be", Tone::Head, on_terminal(1)) + "\n" + table.text(on_terminal(1)) + "\n";
  return text;
}

Json json_of(const Found& f) {
  Json j{{"group", f.obligation.group},
         {"subject", f.obligation.subject},
         {"claim", f.obligation.claim},
         {"verdict", std::string(show(f.outcome.standing))}};
  if (!f.outcome.method.empty()) j["method"] = f.outcome.method;
  if (!f.outcome.detail.empty())
    j[f.outcome.standing == proofs::Standing::Refuted ? "counterexample" : "reason"] = f.outcome.detail;
  j["seconds"] = f.seconds;
  return j;
}

}  // namespace

int prove_calculus(const Options& options) {
  const Stopwatch watch;
  const std::vector<Found> found = found_of(options.only);
  const bool good = std::all_of(found.begin(), found.end(), [](const Found& f) { return f.good(); });
  if (options.json) {
    Json rights = Json::array(), wrongs = Json::array();
    for (const Found& f : found) (f.obligation.wrong ? wrongs : rights).push_back(json_of(f));
    print(Json{{"ok", good},
               {"obligations", std::move(rights)},
               {"wrong_statements", std::move(wrongs)},
               {"seconds", watch.seconds()}});
  } else {
    print(table_of(found) + totals_of(found, watch.seconds()));
  }
  return good ? done : disagrees;
}

}  // namespace lockstep::driver
