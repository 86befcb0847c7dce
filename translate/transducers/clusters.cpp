// Elementwise instructions of one clock with nothing but such instructions between them run in one loop. Constants are
// literals in it.
#include <algorithm>
#include <tuple>

#include "translate/transducers/stages.h"
#include "translate/transducers/steps.h"

namespace lockstep::transducer {
namespace {

class Clusters {
 public:
  explicit Clusters(const Network& n) : r_(n) {
    for (std::size_t k = 0; k < r_.steps.size(); ++k) step_[r_.steps[k].id()] = k;
  }

  Network run() {
    find_levels();
    gather();
    for (auto& [key, c] : clusters_) steps_.push_back(finished(std::move(c)));
    drop_unread(r_, steps_);
    sort(steps_);
    r_.steps = std::move(steps_);
    return std::move(r_);
  }

 private:
  Step& made(StreamId s) { return r_.steps[step_.at(first_of(r_, s))]; }
  static bool is_elementwise(const Step& s) {
    return s.kernel == Kernel::Plain && s.instructions[0]->opcode == Opcode::Map;
  }
  bool is_counted(StreamId s) const { return r_.repeated.count(s) != 0; }
  StreamId clock(StreamId s) {
    for (auto it = clock_.find(s); it != clock_.end() && it->second != s; it = clock_.find(s)) s = it->second;
    return s;
  }

  // A constant beside other operands of a map is a literal in its text, and nothing is waited for.
  bool only_a_constant(const Step& map, StreamId operand) const {
    return is_elementwise(map) && is_counted(operand) &&
           std::any_of(map.operands.begin(), map.operands.end(),
                       [&](const Operand& o) { return !is_counted(o.stream); });
  }

  // Maps of one clock with only maps between them have one level, so that they form one step; whatever else lies
  // between two instructions sets them apart.
  void find_levels() {
    for (const Step& s : r_.steps)
      if (is_elementwise(s))
        for (const Operand& o : s.operands)
          if (!is_counted(o.stream)) clock_[clock(o.stream)] = clock(s.id());
    for (Step& s : r_.steps) {
      int level = 0;
      for (const Operand& o : s.operands) {
        if (only_a_constant(s, o.stream)) continue;
        const Step& from = made(o.stream);
        const bool together = is_elementwise(s) && is_elementwise(from) && clock(s.id()) == clock(from.id());
        level = std::max(level, from.level + (together ? 0 : 1));
      }
      s.level = level;
    }
  }

  void gather() {
    for (Step& s : r_.steps) {
      if (!is_elementwise(s)) {
        steps_.push_back(s);
        continue;
      }
      Step& c = clusters_[{s.level, clock(s.id())}];
      c.kernel = Kernel::Cluster;
      c.level = s.level;
      c.instructions.push_back(s.instructions[0]);
    }
    const std::vector<StreamId> results = r_.results();
    read_outside_.insert(results.begin(), results.end());
    for (const Step& step : steps_)
      for (const Operand& o : step.operands) read_outside_.insert(o.stream);
    for (const auto& [key, c] : clusters_)
      for (const Instr* i : c.instructions)
        for (const Operand& o : made(i->id).operands)
          if (!in(c, o.stream)) read_outside_.insert(o.stream);
  }

  Step finished(Step c) {
    std::set<StreamId> outside, counted;
    for (const Instr* i : c.instructions) {
      if (read_outside_.count(i->id)) c.produces.push_back(i->id);
      for (const Operand& o : made(i->id).operands)
        if (!in(c, o.stream) && !only_a_constant(made(i->id), o.stream))
          (is_counted(o.stream) ? counted : outside).insert(o.stream);
    }
    if (outside.empty()) outside = counted;
    for (const StreamId s : outside) c.operands.push_back({s, false});
    return c;
  }

  Network r_;
  std::map<StreamId, std::size_t> step_;
  std::map<StreamId, StreamId> clock_;
  std::map<std::tuple<int, StreamId>, Step> clusters_;
  std::vector<Step> steps_;
  std::set<StreamId> read_outside_;
};

}  // namespace

Network with_clusters(const Network& n) { return Clusters(n).run(); }

}  // namespace lockstep::transducer
