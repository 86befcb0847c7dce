// Circles, ways and lags in the graph of an Order, and slack from lags (solve.h).
#include "translate/streamability/solve.h"

#include <algorithm>

namespace lockstep::streaming {
namespace {

// The edges that leave each event, by number, between representatives.
using Adjacency = Numbered<Event, std::vector<std::size_t>>;

Adjacency leaving(const std::vector<Edge>& edges, const Classes<Event>& classes) {
  Adjacency out(classes.size(), {});
  for (std::size_t e = 0; e < edges.size(); ++e) out[classes.find(edges[e].from)].push_back(e);
  return out;
}

struct Components {
  Numbered<Event, int> of;  // of each representative; a component comes after those that it leads to
  int count = 0;
};

// Tarjan's strongly connected components, without recursion: programs are long.
Components components(const Adjacency& out, const std::vector<Edge>& edges, const Classes<Event>& classes) {
  Components c{{out.size(), -1}};
  Numbered<Event, int> number(out.size(), -1), low(out.size(), 0);
  std::vector<Event> path;
  struct Visit {
    Event event;
    std::size_t next = 0;
  };
  std::vector<Visit> visits;
  int next_number = 0;
  const auto enter = [&](Event v) {
    number[v] = low[v] = next_number++;
    path.push_back(v);
    visits.push_back({v});
  };
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (number[Event(k)] >= 0) continue;
    enter(Event(k));
    while (!visits.empty()) {
      Visit& visit = visits.back();
      const Event v = visit.event;
      if (visit.next < out[v].size()) {
        const Event w = classes.find(edges[out[v][visit.next++]].to);
        if (number[w] < 0)
          enter(w);
        else if (c.of[w] < 0)
          low[v] = std::min(low[v], number[w]);
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) low[visits.back().event] = std::min(low[visits.back().event], low[v]);
      if (low[v] != number[v]) continue;
      for (bool last = false; !last; path.pop_back()) {
        c.of[path.back()] = c.count;
        last = path.back() == v;
      }
      ++c.count;
    }
  }
  return c;
}

// The edges on a shortest way; none where there is no way.
std::vector<Edge> way(const std::vector<Edge>& edges, const Classes<Event>& events, Event u, Event v) {
  const Adjacency out = leaving(edges, events);
  Numbered<Event, std::optional<std::size_t>> by(out.size(), {});  // the edge by which an event was reached
  std::vector<Event> queue = {events.find(u)};
  const Event goal = events.find(v);
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (const std::size_t e : out[queue[k]]) {
      const Event w = events.find(edges[e].to);
      if (by[w]) continue;
      by[w] = e;
      queue.push_back(w);
      if (w != goal) continue;
      std::vector<Edge> way;
      Event x = goal;
      do {
        way.push_back(edges[*by[x]]);
        x = events.find(way.back().from);
      } while (x != queue[0]);
      std::reverse(way.begin(), way.end());
      return way;
    }
  return {};
}

Classes<Event> identified(const Order& order, Classes<Event> classes, InstrIndex until) {
  for (const Edge& e : order.identities())
    if (e.instr <= until) classes.join(e.from, e.to);
  return classes;
}
Classes<Event> each_of_its_own(const Order& order) {
  Classes<Event> events;
  for (std::size_t k = 0; k < order.blocks().size(); ++k) events.add();
  return events;
}
InstrIndex last_instruction(const Order& order) {
  InstrIndex last;
  for (const Edge& e : order.edges()) last = std::max(last, e.instr);
  for (const Edge& e : order.identities()) last = std::max(last, e.instr);
  return last;
}

// A circle of what the instructions until this one have made, if there is one.
std::vector<Edge> circle_until(const Order& order, InstrIndex until) {
  const Classes<Event> events = identified(order, each_of_its_own(order), until);
  std::vector<Edge> edges;
  for (const Edge& e : order.edges())
    if (e.instr <= until) edges.push_back(e);
  const Components c = components(leaving(edges, events), edges, events);
  // Its last edge is that of the last instruction.
  const Edge* last = nullptr;
  for (const Edge& e : edges)
    if (c.of[events.find(e.from)] == c.of[events.find(e.to)] && (!last || e.instr >= last->instr)) last = &e;
  if (!last) return {};
  if (events.same(last->from, last->to)) return {*last};
  std::vector<Edge> circle = way(edges, events, last->to, last->from);
  circle.push_back(*last);
  return circle;
}

}  // namespace

Classes<Event> events_of(const Order& order) {
  return identified(order, each_of_its_own(order), last_instruction(order));
}

std::optional<Circle> circle_in(const Order& order) {
  std::size_t without = 0, with = last_instruction(order).number() + 1;  // how many instructions
  if (circle_until(order, InstrIndex(with - 1)).empty()) return std::nullopt;
  while (with - without > 1) {
    const std::size_t middle = without + (with - without) / 2;
    (circle_until(order, InstrIndex(middle - 1)).empty() ? without : with) = middle;
  }
  return Circle{circle_until(order, InstrIndex(with - 1)), InstrIndex(with - 1)};
}

bool leads(const Order& order, const std::vector<Event>& from, const std::vector<Event>& to) {
  const Classes<Event> events = events_of(order);
  const std::vector<Edge>& edges = order.edges();
  const Adjacency out = leaving(edges, events);
  Numbered<Event, char> reached(out.size(), false);
  std::vector<Event> queue;
  const auto reach = [&](Event v) {
    const Event e = events.find(v);
    if (reached[e]) return;
    reached[e] = true;
    queue.push_back(e);
  };
  for (const Event v : from)
    for (const std::size_t e : out[events.find(v)]) reach(edges[e].to);
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (const std::size_t e : out[queue[k]]) reach(edges[e].to);
  return std::any_of(to.begin(), to.end(), [&](Event v) { return reached[events.find(v)]; });
}

// All events of a component of blocks are equally late: as late as the latest way into it.
Lags lags_of(const Order& order) {
  const Classes<Event> blocks = identified(order, order.blocks(), last_instruction(order));
  std::vector<Edge> edges;
  for (const Edge& e : order.edges())
    if (e.weight != other_loop) edges.push_back(e);
  const Adjacency out = leaving(edges, blocks);
  const Components c = components(out, edges, blocks);
  std::vector<std::vector<Event>> members(static_cast<std::size_t>(c.count));
  const auto component = [&](Event v) { return static_cast<std::size_t>(c.of[blocks.find(v)]); };
  for (std::size_t k = 0; k < blocks.size(); ++k)
    if (blocks.find(Event(k)) == Event(k)) members[component(Event(k))].push_back(Event(k));
  Lags result;
  std::vector<std::int64_t> lag(members.size(), 0);
  for (std::size_t k = members.size(); k-- > 0;)  // before those that it leads to
    for (const Event v : members[k])
      for (const std::size_t e : out[v]) {
        const Edge& edge = edges[e];
        const std::size_t to = component(edge.to);
        if (to != k)
          lag[to] = std::max(lag[to], lag[k] + edge.weight);
        else if (edge.weight > 0 && !result.impossible)
          result.impossible = edge;
      }
  for (std::size_t k = 0; k < blocks.size(); ++k) result.lag.add(lag[component(Event(k))]);
  return result;
}

namespace {

// Pieces that would have to be later than what they cut up.
std::optional<TooLate> late_piece(const Order& order, const Traversals& traversals, const Lags& lags) {
  for (const TraversalId t : traversals.pieces()) {
    const Traversal& piece = traversals[t];
    if (lags.lag[piece.ready] == 0) continue;
    InstrIndex late;
    for (const Edge& e : order.edges())
      if (e.weight > 0 && lags.lag[e.to] <= lags.lag[piece.ready]) late = e.instr;
    InstrIndex meeting = late;
    for (const Edge& e : order.edges())
      if (e.to == piece.ready && lags.lag[e.from] > 0 && e.from != piece.start) meeting = e.instr;
    return TooLate{late, meeting};
  }
  return std::nullopt;
}

}  // namespace

tl::expected<std::vector<std::int64_t>, Conflict> solve(const Order& order, const Traversals& traversals,
                                                        const std::vector<Use>& uses, std::size_t streams) {
  if (auto circle = circle_in(order)) return tl::unexpected(Conflict(std::move(*circle)));
  for (const Forbidden& f : traversals.forbidden())
    if (leads(order, f.from, f.to)) return tl::unexpected(Conflict(PartsWait{f.instr}));
  const Lags lags = lags_of(order);
  if (lags.impossible) return tl::unexpected(Conflict(TooLate{lags.impossible->instr, lags.impossible->instr}));
  if (const auto late = late_piece(order, traversals, lags)) return tl::unexpected(Conflict(*late));
  std::vector<std::int64_t> slack(streams, 0);
  for (const Use& u : uses) {
    std::int64_t& s = slack[u.stream.number()];
    s = std::max(s, lags.lag[u.until] - (u.since ? lags.lag[*u.since] : 0));
  }
  return slack;
}

}  // namespace lockstep::streaming
