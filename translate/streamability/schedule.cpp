// Events in a topological order (schedule.h).
#include "translate/streamability/schedule.h"

#include <set>

#include "translate/streamability/solve.h"

namespace lockstep::streaming {
namespace {

// The traversal of which a clock counts elements: its own, or that of what it is made of.
std::optional<TraversalId> traversal_of(const Analysis& a, ClockId clock) {
  std::set<ClockId> seen;
  for (std::optional<ClockId> c = clock; c && seen.insert(a.clocks.find(*c)).second;) {
    const Clock& at = a.clocks[*c];
    if (!at.traversed.empty()) return a.traversals.find(at.traversed[0].traversal);
    c = at.base ? at.base : at.parent;
  }
  return std::nullopt;
}
std::optional<TraversalId> traversal_of(const Analysis& a, const Stream& s) {
  return s.descriptor ? a.traversals.find(s.descriptor->traversal) : traversal_of(a, s.clock);
}

// What a traversal counts lies between the point where it is ready and its end; a traversal, in that around it.
Order with_places(const Analysis& a) {
  Order order = a.order;
  for (const Stream& s : a.streams.all())
    if (const auto t = traversal_of(a, s)) {
      order.before(a.traversals[*t].ready, s.event);
      order.before(s.event, a.traversals[*t].end);
    }
  for (std::size_t c = 0; c < a.clocks.size(); ++c)
    for (const Clock::Around& x : a.clocks[ClockId(c)].traversed)
      if (const auto outer = traversal_of(a, x.parent); outer && !a.traversals.merged(*outer, x.traversal)) {
        order.before(a.traversals[*outer].ready, a.traversals[x.traversal].start);
        order.before(a.traversals[x.traversal].end, a.traversals[*outer].end);
      }
  return circle_in(order) ? a.order : order;
}

}  // namespace

std::vector<Moment> schedule(const Analysis& a) {
  const Order order = with_places(a);
  const Classes<Event> events = events_of(order);
  Numbered<Event, Moment> moments(events.size(), {});
  for (std::size_t k = 0; k < events.size(); ++k) moments[Event(k)].event = Event(k);
  for (std::size_t k = 0; k < a.traversals.all().size(); ++k) {
    const TraversalId t = a.traversals.find(TraversalId(k));
    moments[events.find(a.traversals[t].start)].starts = t;
    moments[events.find(a.traversals[t].ready)].inside = t;
    moments[events.find(a.traversals[t].end)].ends = t;
  }
  for (const Stream& s : a.streams.all()) {
    moments[events.find(s.event)].stream = s.instr;
    moments[events.find(s.event)].inside = traversal_of(a, s);
  }
  Numbered<Event, std::size_t> waiting(events.size(), 0);
  Numbered<Event, std::vector<Event>> after(events.size(), {});
  for (const Edge& e : order.edges()) {
    ++waiting[events.find(e.to)];
    after[events.find(e.from)].push_back(events.find(e.to));
  }
  std::set<std::pair<bool, Event>> open;  // first what is in no traversal
  const auto enter = [&](Event e) { open.emplace(!moments[e].stream || moments[e].inside, e); };
  for (std::size_t k = 0; k < events.size(); ++k)
    if (events.find(Event(k)) == Event(k) && waiting[Event(k)] == 0) enter(Event(k));
  std::vector<Moment> result;
  while (!open.empty()) {
    const Event e = open.extract(open.begin()).value().second;
    result.push_back(moments[e]);
    for (const Event next : after[e])
      if (--waiting[next] == 0) enter(next);
  }
  return result;
}

}  // namespace lockstep::streaming
