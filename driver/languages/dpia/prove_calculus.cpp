// lockstep prove without FILE: the obligations of the calculus itself, and the wrong statements that must be refuted.
#include <nlohmann/json.hpp>

#include "driver/kernels/provers.h"
#include "driver/languages/dpia/dpia.h"
#include "proofs/calculus/list.h"

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

// `all`: those of the calculus.
std::vector<Found> found_of(std::vector<proofs::Obligation> all, const std::string& pattern,
                            const proofs::smt::Solver& solver) {
  for (proofs::Obligation& o : proofs::wrong_statements()) all.push_back(std::move(o));
  std::erase_if(all, [&](const proofs::Obligation& o) { return !asked_for(o, pattern); });
  if (all.empty())
    fail(invalid, "no obligation's group, subject or claim holds '" + pattern + "'", "'lockstep prove' lists all");
  Progress progress;
  const auto decided = proofs::decide_obligations(
      all, [&](std::size_t done) { progress.step("proving", done, all.size()); }, solver);
  std::vector<Found> out;
  for (std::size_t k = 0; k < all.size(); ++k) out.push_back({all[k], decided[k].outcome, decided[k].seconds});
  return out;
}

// Up to which numbers for sizes facets are run, where what is shown holds for names: by group.
std::map<std::string, std::int64_t> largest_of(const std::vector<proofs::Obligation>& all,
                                               const std::vector<Found>& found) {
  std::map<std::string, std::int64_t> out;
  for (const proofs::Obligation& o : all)
    if (o.largest > 0 && std::any_of(found.begin(), found.end(), [&](const Found& f) {
          return !f.obligation.wrong && f.obligation.group == o.group;
        }))
      out[o.group] = std::max(out[o.group], o.largest);
  return out;
}
std::string largest_text(const std::map<std::string, std::int64_t>& largest) {
  std::vector<std::string> of;
  for (const auto& [group, n] : largest) of.push_back("up to " + std::to_string(n) + " for " + group);
  return of.empty() ? ""
                    : "facets ran on names for sizes; what one does otherwise where sizes are numbers was tested at "
                      "numbers " +
                          comma_list(of) + ", and at none beyond\n";
}

std::string totals_of(const std::vector<Found>& found, double seconds) {
  std::map<Standing, std::size_t, std::greater<>> counts;
  std::size_t rights = 0, wrongs = 0, refuted = 0;
  for (const Found& f : found) {
    if (f.obligation.wrong)
      ++wrongs, refuted += f.good();
    else
      ++rights, ++counts[f.outcome.standing];
  }
  std::string text = show_count(rights, "obligation");
  for (const auto& [standing, n] : counts)
    text +=
        (standing == counts.begin()->first ? ": " : ", ") + std::to_string(n) + " " + std::string(name_of(standing));
  if (wrongs > 0)
    text += "; " + show_count(wrongs, "wrong statement") +
            (refuted == wrongs ? (wrongs == 1 ? ", refuted" : ", all refuted")
                               : ", only " + std::to_string(refuted) + " refuted");
  return text + "; " + show_seconds(seconds) + "\n";
}

// The rows for which `listed` holds, under a title; "" where there is none. A column without text is left out.
std::string table_of(const std::string& title, const std::string& what, const std::vector<Found>& found,
                     const std::function<bool(const Found&)>& listed) {
  std::vector<const Found*> rows;
  for (const Found& f : found)
    if (listed(f)) rows.push_back(&f);
  if (rows.empty()) return "";
  const bool details = std::any_of(rows.begin(), rows.end(), [](const Found* f) { return !f->outcome.detail.empty(); });
  Table table({"of", what, "verdict", "method", details ? "counterexample or reason" : "", ">time"});
  for (const Found* f : rows)
    table.row({f->obligation.subject,
               shortened(f->obligation.claim, 84),
               {std::string(name_of(f->outcome.standing)), f->good() ? Tone::Good : Tone::Bad},
               f->outcome.method,
               shortened(f->outcome.detail, 60),
               show_seconds(f->seconds)});
  return tone(title, Tone::Head, on_terminal(1)) + "\n" + table.text(on_terminal(1)) + "\n";
}

std::string tables_of(const std::vector<Found>& found) {
  const auto group = [&](const std::string& name, const std::string& title) {
    return table_of(title, "obligation", found,
                    [&](const Found& f) { return !f.obligation.wrong && f.obligation.group == name; });
  };
  return group("views", "views: for all sizes and indices") +
         group("translation", "translation: DPIA §5.3, for all sizes, functions and stores") +
         group("strategies", "strategies: laws of programs, for all sizes and functions") +
         group("fusion", "fusion: rules that make array operations one, for all lengths and functions") +
         group("operators", "operators: the laws that they claim, for all values") +
         table_of("refuted, as they must be", "wrong statement", found,
                  [](const Found& f) { return f.obligation.wrong; });
}

Json json_of(const Found& f) {
  Json j{{"group", f.obligation.group},
         {"subject", f.obligation.subject},
         {"claim", f.obligation.claim},
         {"verdict", std::string(name_of(f.outcome.standing))}};
  if (!f.outcome.method.empty()) j["method"] = f.outcome.method;
  if (!f.outcome.detail.empty())
    j[f.outcome.standing == Standing::Refuted ? "counterexample" : "reason"] = f.outcome.detail;
  j["seconds"] = f.seconds;
  return j;
}

}  // namespace

Said proofs_of_calculus(const CalculusRef& calculus, const Options& options) {
  const Stopwatch watch;
  const Provers provers(options);
  const std::vector<proofs::Obligation> all = proofs::calculus_obligations(calculus);
  const std::vector<Found> found = found_of(all, options.only, provers.solver());
  const auto largest = largest_of(all, found);
  proofs::smt::Settled settled;
  for (const Found& f : found)
    if (f.outcome.asked) settled.add(f.outcome.by);
  const bool good = std::all_of(found.begin(), found.end(), [](const Found& f) { return f.good(); });
  Json rights = Json::array(), wrongs = Json::array();
  for (const Found& f : found) (f.obligation.wrong ? wrongs : rights).push_back(json_of(f));
  return {tables_of(found) + provers.said_of(settled, "obligations") + largest_text(largest) +
              totals_of(found, watch.seconds()),
          Json{{"ok", good},
               {"obligations", std::move(rights)},
               {"wrong_statements", std::move(wrongs)},
               {"provers", provers.json_of(settled)},
               {"largest_numbers_for_sizes", largest},
               {"seconds", watch.seconds()}},
          good};
}

}  // namespace lockstep::driver
