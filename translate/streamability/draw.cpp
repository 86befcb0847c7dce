// Clocks, constraints and their solution in ASCII (draw.h).
#include "translate/streamability/draw.h"

#include <algorithm>
#include <set>

#include "semantics/svcode/text.h"
#include "translate/streamability/explain.h"
#include "translate/streamability/schedule.h"
#include "translate/streamability/solve.h"

namespace lockstep::streaming {
namespace {

using Row = std::vector<std::string>;
struct Solved {
  Lags lags;
  std::vector<std::int64_t> slack;
};

// Columns as wide as their widest, two blanks apart.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  std::string out = "\n";
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) line += row[k] + std::string(widths[k] - row[k].size() + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

template <class Words>
std::string joined(const Words& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
  return out;
}

std::vector<std::string> instructions_of(const svcode::Program& p) {
  std::vector<std::string> out;
  for (const svcode::Instr& i : p.instructions) out.push_back(svcode::computed_by(i));
  return out;
}

// An event's name, and whose start, readiness or end it is.
struct Named {
  std::string text;
  std::optional<TraversalId> of{};
};

class Drawing {
 public:
  explicit Drawing(const Analysis& a);

  std::string clocks() const;
  std::string streams(const Solved* solved, std::optional<InstrIndex> undecided = {}) const;
  std::string traversals() const;
  std::string order(const Lags& lags) const;
  std::string circle(const Circle& c) const;

 private:
  std::string stream(InstrIndex i) const { return svcode::name_of(a_.program.instructions[i.number()].id); }
  std::string clock(ClockId c) const { return clocks_.at(a_.clocks.find(c)); }
  std::string traversal(TraversalId t) const { return traversals_.at(a_.traversals.find(t)); }
  const Named& named(Event e) const { return events_.at(classes_.find(e)); }
  const std::string& event(Event e) const { return named(e).text; }
  bool of_one_traversal(Event a, Event b) const { return named(a).of && named(a).of == named(b).of; }
  std::string picked_by(Predicate p) const;
  std::string described(ClockId c) const;
  std::string waits_for(Event v) const;

  const Analysis& a_;
  const std::vector<std::string> instructions_;
  const Classes<Event> classes_;
  std::map<ClockId, std::string> clocks_;  // those that are one, by one name
  std::map<TraversalId, std::string> traversals_;
  std::map<Event, Named> events_;
};

Drawing::Drawing(const Analysis& a) : a_(a), instructions_(instructions_of(a.program)), classes_(events_of(a.order)) {
  for (std::size_t c = 0; c < a.clocks.size(); ++c)
    if (a.clocks.find(ClockId(c)) == ClockId(c))
      clocks_[ClockId(c)] = c == 0 ? "root" : "C" + std::to_string(clocks_.size());
  // What an instruction has read before it gives something, where it is an event of its own.
  std::set<Event> awaited;
  for (const Edge& e : a.order.edges()) awaited.insert(classes_.find(e.from));
  for (const Edge& e : a.order.edges())
    if (awaited.contains(classes_.find(e.to))) events_[classes_.find(e.to)] = {stream(e.instr) + "'"};
  for (std::size_t t = 0; t < a.traversals.all().size(); ++t) {
    if (a.traversals.find(TraversalId(t)) != TraversalId(t)) continue;
    const std::string& name = traversals_[TraversalId(t)] = "T" + std::to_string(traversals_.size() + 1);
    const Traversal& of = a.traversals[TraversalId(t)];
    events_[classes_.find(of.start)] = {name + ".start", TraversalId(t)};
    events_[classes_.find(of.ready)] = {name + ".ready", TraversalId(t)};
    events_[classes_.find(of.end)] = {name + ".end", TraversalId(t)};
  }
  for (const Stream& s : a.streams.all()) events_[classes_.find(s.event)] = {stream(s.instr)};
}

std::string Drawing::picked_by(Predicate p) const {
  for (const Stream& s : a_.streams.all())
    if (s.predicate.key == p.key) return (s.predicate == p ? "" : "not ") + stream(s.instr);
  return "a condition";
}

std::string Drawing::described(ClockId c) const {
  const Clock& clock = a_.clocks[c];
  switch (clock.kind) {
    case Clock::Kind::Root:
      return "the one element of the program";
    case Clock::Kind::Source:
      return "a source over " + this->clock(*clock.parent);
    case Clock::Kind::Part:
      return "a part of " + this->clock(*clock.base) + " by " + picked_by(clock.predicate);
    case Clock::Kind::Flags:
      return "the flags of " + this->clock(*clock.base) + " over " + this->clock(*clock.parent);
    case Clock::Kind::Sequence: {
      std::vector<std::string> parts;
      for (const Clock::Traversed& p : clock.parts) parts.push_back(this->clock(p.clock));
      return "a sequence of " + joined(parts) + " over " + this->clock(*clock.parent);
    }
  }
  __builtin_unreachable();
}

// That a traversal starts before it is ready, and is ready before it ends, goes without saying.
std::string Drawing::waits_for(Event v) const {
  std::vector<std::string> names;
  for (const Edge& e : a_.order.edges()) {
    if (!classes_.same(e.to, v) || classes_.same(e.from, v) || of_one_traversal(e.from, v)) continue;
    const std::string name = (e.weight > 0 ? "the next " : e.weight == other_loop ? "outer " : "") + event(e.from);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return joined(names);
}

std::string Drawing::clocks() const {
  std::vector<Row> rows = {{"clock", ""}};
  for (const auto& [c, name] : clocks_) rows.push_back({name, described(c)});
  return aligned(rows);
}

std::string Drawing::streams(const Solved* solved, std::optional<InstrIndex> undecided) const {
  std::vector<Row> rows = {{"stream", "", "clock", "waits for"}};
  if (solved) rows[0].insert(rows[0].end(), {"lag", "slack"});
  for (const Stream& s : a_.streams.all()) {
    const std::string clock = s.instr == undecided ? "?" : this->clock(s.clock);
    rows.push_back({stream(s.instr), instructions_[s.instr.number()], clock, waits_for(s.event)});
    if (!solved) continue;
    rows.back().push_back(std::to_string(solved->lags.lag[s.event]));
    rows.back().push_back(std::to_string(solved->slack[s.instr.number()]));
  }
  return aligned(rows);
}

std::string Drawing::traversals() const {
  std::vector<Row> rows = {{"traversal", "of", "in each of", "start waits for", "ready waits for", "end waits for"}};
  for (const auto& [t, name] : traversals_) {
    std::set<std::string> of, parents;
    for (const auto& [c, child] : clocks_)
      for (const Clock::Around& x : a_.clocks[c].traversed)
        if (a_.traversals.merged(x.traversal, t)) of.insert(child), parents.insert(clock(x.parent));
    const Traversal& x = a_.traversals[t];
    rows.push_back({name, joined(of), joined(parents), waits_for(x.start), waits_for(x.ready), waits_for(x.end)});
  }
  return rows.size() > 1 ? aligned(rows) : "";
}

std::string Drawing::order(const Lags& lags) const {
  std::vector<Row> rows = {{"order", ""}};
  for (const auto& [t, name] : traversals_) rows[0].push_back(name);
  std::set<TraversalId> open;
  for (const Moment& m : schedule(a_)) {
    const bool of_traversal = !m.stream && m.inside;  // it is ready
    if (!events_.contains(m.event) || (of_traversal && waits_for(m.event).empty())) continue;
    rows.push_back({event(m.event), m.stream ? instructions_[m.stream->number()] : ""});
    if (lags.lag[m.event] > 0) rows.back()[1] += ", " + std::to_string(lags.lag[m.event]) + " late";
    if (m.starts) open.insert(*m.starts);
    for (const auto& [t, name] : traversals_) {
      const std::string line = m.starts == t || m.ends == t ? "+" : open.contains(t) ? "|" : "";
      rows.back().push_back(m.stream && m.inside == t ? "*" : line);
    }
    if (m.ends) open.erase(*m.ends);
  }
  return aligned(rows);
}

std::string Drawing::circle(const Circle& c) const {
  std::string line = event(c.edges.front().from);
  for (const Edge& e : c.edges) {
    line += of_one_traversal(e.from, e.to) ? " ----" : " --" + stream(e.instr) + "--";
    if (&e != &c.edges.back()) line += "> " + event(e.to);
  }
  return "\ncircle, closed by " + stream(c.closed_by) + " := " + instructions_[c.closed_by.number()] + "\n\n  +--> " +
         line + "+\n  +" + std::string(line.size() + 4, '-') + "+\n";
}

}  // namespace

std::string drawn(const svcode::Program& p) {
  Analysis a(p);
  auto slack = slack_of(a);
  const Drawing d(a);
  if (!slack) {
    const auto* circle = std::get_if<Circle>(&slack.error());
    const auto* met = std::get_if<DifferentPaces>(&slack.error());
    return d.clocks() + d.streams(nullptr, met ? std::optional(met->meeting) : std::nullopt) + d.traversals() +
           (circle ? d.circle(*circle) : "") + "\n" + explain(p, a.traversals, slack.error()).message + "\n";
  }
  const Solved solved{lags_of(a.order), std::move(*slack)};
  return d.clocks() + d.streams(&solved) + d.traversals() + d.order(solved.lags);
}

}  // namespace lockstep::streaming
