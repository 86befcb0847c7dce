// What comes before what in one iteration of a loop, and how many iterations later: the graph in which the
// streamability analysis writes down its findings, and the two questions asked of it.
//
// A node is a stream (its element of this iteration), or the start S, the readiness R or the end E of an inner
// traversal. An edge u -> v says that v waits for u; with weight w, for the u that is w iterations ahead; or, where u
// and v belong to different loops, for the u of its iteration, and the lags of one say nothing of the other's.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::streaming {

// Sets that only ever merge.
class Classes {
 public:
  int add();
  int find(int x) const;
  void join(int x, int y) { parent_[static_cast<std::size_t>(find(y))] = find(x); }  // x's representative stays
  bool same(int x, int y) const { return find(x) == find(y); }
  int size() const { return static_cast<int>(parent_.size()); }

 private:
  mutable std::vector<int> parent_;
};

using Node = int;
constexpr int other_loop = -1;  // the weight between different loops
struct Edge {
  Node from, to;
  int weight;
  int instr;  // which instruction makes `to` wait
};

class Order {
 public:
  Node add();
  void before(Node u, Node v, int instr, int weight = 0) { edges_.push_back({u, v, weight, instr}); }
  // One event from now on.
  void identify(Node u, Node v, int instr) { identities_.push_back({u, v, 0, instr}); }
  // Events that lie in one iteration: whatever delays one by an iteration delays the other.
  void together(Node u, Node v) { blocks_.join(u, v); }

  // A circle of edges, in which every event waits for itself, and the instruction that closed it.
  struct Circle {
    std::vector<Edge> edges;
    int closed_by;
  };
  std::optional<Circle> circle() const;
  // Whether there is a way from one of the first to one of the second.
  bool leads(const std::vector<Node>& from, const std::vector<Node>& to) const;
  // For each node by how many iterations it is late, at least. An edge that waits for the future of its own iteration
  // can never be late enough.
  struct Lags {
    std::vector<std::int64_t> lag;
    std::optional<Edge> impossible;
  };
  Lags lags() const;
  const std::vector<Edge>& edges() const { return edges_; }

 private:
  Classes events_until(int instr) const;
  std::vector<Edge> circle_until(int instr) const;

  Classes blocks_;
  std::vector<Edge> edges_, identities_;
};

}  // namespace lockstep::streaming
