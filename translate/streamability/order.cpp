// Sets that merge, and the two questions asked of the graph (order.h).
#include "translate/streamability/order.h"

#include <algorithm>
#include <limits>

namespace lockstep::streaming {
namespace {

std::size_t at(int x) { return static_cast<std::size_t>(x); }

// The edges that leave each node, by number, between representatives.
using Adjacency = std::vector<std::vector<int>>;

struct Components {
  std::vector<int> of;  // of each representative; a component comes after those that it leads to
  int count = 0;
};

// Tarjan's strongly connected components, without recursion: programs are long.
template <class Target>
Components components(const Adjacency& out, Target target) {
  const auto n = out.size();
  Components c;
  c.of.assign(n, -1);
  std::vector<int> number(n, -1), low(n, 0), path;
  struct Visit {
    int node;
    std::size_t next = 0;
  };
  std::vector<Visit> visits;
  int next_number = 0;
  const auto enter = [&](int v) {
    number[at(v)] = low[at(v)] = next_number++;
    path.push_back(v);
    visits.push_back({v});
  };
  for (int root = 0; root < static_cast<int>(n); ++root) {
    if (number[at(root)] >= 0) continue;
    enter(root);
    while (!visits.empty()) {
      Visit& visit = visits.back();
      const int v = visit.node;
      if (visit.next < out[at(v)].size()) {
        const int w = target(out[at(v)][visit.next++]);
        if (number[at(w)] < 0)
          enter(w);
        else if (c.of[at(w)] < 0)
          low[at(v)] = std::min(low[at(v)], number[at(w)]);
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) low[at(visits.back().node)] = std::min(low[at(visits.back().node)], low[at(v)]);
      if (low[at(v)] != number[at(v)]) continue;
      for (int w = -1; w != v; path.pop_back()) c.of[at(w = path.back())] = c.count;
      ++c.count;
    }
  }
  return c;
}

Adjacency leaving(const std::vector<Edge>& edges, const Classes& classes) {
  Adjacency out(at(classes.size()));
  for (std::size_t e = 0; e < edges.size(); ++e) out[at(classes.find(edges[e].from))].push_back(static_cast<int>(e));
  return out;
}

// The edges on a shortest way; none where there is no way.
std::vector<Edge> way(const std::vector<Edge>& edges, const Classes& events, Node u, Node v) {
  const Adjacency out = leaving(edges, events);
  std::vector<int> by(out.size(), -1);  // the edge by which a node was reached
  std::vector<int> queue = {events.find(u)};
  const int goal = events.find(v);
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (const int e : out[at(queue[k])]) {
      const int w = events.find(edges[at(e)].to);
      if (by[at(w)] >= 0) continue;
      by[at(w)] = e;
      queue.push_back(w);
      if (w != goal) continue;
      std::vector<Edge> way;
      int x = goal;
      do {
        way.push_back(edges[at(by[at(x)])]);
        x = events.find(way.back().from);
      } while (x != events.find(u));
      std::reverse(way.begin(), way.end());
      return way;
    }
  return {};
}

}  // namespace

int Classes::add() {
  parent_.push_back(size());
  return size() - 1;
}

int Classes::find(int x) const {
  while (parent_[at(x)] != x) x = parent_[at(x)] = parent_[at(parent_[at(x)])];
  return x;
}

Node Order::add() { return blocks_.add(); }

Classes Order::events_until(int instr) const {
  Classes events;
  for (int v = 0; v < blocks_.size(); ++v) events.add();
  for (const Edge& e : identities_)
    if (e.instr <= instr) events.join(e.from, e.to);
  return events;
}

bool Order::leads(const std::vector<Node>& from, const std::vector<Node>& to) const {
  const Classes events = events_until(std::numeric_limits<int>::max());
  const Adjacency out = leaving(edges_, events);
  std::vector<bool> reached(out.size(), false);
  std::vector<int> queue;
  const auto reach = [&](Node v) {
    const int e = events.find(v);
    if (reached[at(e)]) return;
    reached[at(e)] = true;
    queue.push_back(e);
  };
  for (const Node v : from)
    for (const int e : out[at(events.find(v))]) reach(edges_[at(e)].to);
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (const int e : out[at(queue[k])]) reach(edges_[at(e)].to);
  return std::any_of(to.begin(), to.end(), [&](Node v) { return reached[at(events.find(v))]; });
}

std::vector<Edge> Order::circle_until(int instr) const {
  const Classes events = events_until(instr);
  std::vector<Edge> edges;
  for (const Edge& e : edges_)
    if (e.instr <= instr) edges.push_back(e);
  const Components c = components(leaving(edges, events), [&](int e) { return events.find(edges[at(e)].to); });
  // Its last edge is that of the last instruction.
  const Edge* last = nullptr;
  for (const Edge& e : edges)
    if (c.of[at(events.find(e.from))] == c.of[at(events.find(e.to))] && (!last || e.instr >= last->instr)) last = &e;
  if (!last) return {};
  if (events.same(last->from, last->to)) return {*last};
  std::vector<Edge> circle = way(edges, events, last->to, last->from);
  circle.push_back(*last);
  return circle;
}

std::optional<Order::Circle> Order::circle() const {
  int low = -1, high = 0;  // no circle until low
  for (const Edge& e : edges_) high = std::max(high, e.instr);
  for (const Edge& e : identities_) high = std::max(high, e.instr);
  if (circle_until(high).empty()) return std::nullopt;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (circle_until(middle).empty() ? low : high) = middle;
  }
  return Circle{circle_until(high), high};
}

Order::Lags Order::lags() const {
  Classes blocks = blocks_;
  for (const Edge& e : identities_) blocks.join(e.from, e.to);
  std::vector<Edge> edges;
  for (const Edge& e : edges_)
    if (e.weight != other_loop) edges.push_back(e);
  const Adjacency out = leaving(edges, blocks);
  const Components c = components(out, [&](int e) { return blocks.find(edges[at(e)].to); });
  Lags result;
  std::vector<std::vector<int>> members(at(c.count));
  for (int v = 0; v < blocks.size(); ++v)
    if (blocks.find(v) == v) members[at(c.of[at(v)])].push_back(v);
  std::vector<std::int64_t> lag(at(c.count), 0);
  for (int k = c.count - 1; k >= 0; --k)  // before those that it leads to
    for (const int v : members[at(k)])
      for (const int e : out[at(v)]) {
        const Edge& edge = edges[at(e)];
        const int to = c.of[at(blocks.find(edge.to))];
        if (to != k)
          lag[at(to)] = std::max(lag[at(to)], lag[at(k)] + edge.weight);
        else if (edge.weight > 0 && !result.impossible)
          result.impossible = edge;
      }
  for (int v = 0; v < blocks.size(); ++v) result.lag.push_back(lag[at(c.of[at(blocks.find(v))])]);
  return result;
}

}  // namespace lockstep::streaming
