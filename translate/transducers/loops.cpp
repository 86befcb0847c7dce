// Steps that run again and again on what is in the first cache: a distribution, slices or a range, and what works on
// its elements.
#include <algorithm>

#include "translate/transducers/distributions.h"
#include "translate/transducers/stages.h"
#include "translate/transducers/steps.h"

namespace lockstep::transducer {
namespace {

bool begins_loop(const Step& s) {
  return distributes(s) || s.kernel == Kernel::Slices ||
         (s.kernel == Kernel::Plain && s.instructions[0]->opcode == Opcode::Range);
}
bool continues_loop(const Step& s) {
  if (s.kernel == Kernel::Cluster) return true;
  if (s.kernel != Kernel::Plain) return false;
  const Opcode o = s.instructions[0]->opcode;
  return o == Opcode::Check || o == Opcode::Gather || o == Opcode::Reduce || o == Opcode::Segreduce;
}

// What is made and read inside of a loop only.
std::set<StreamId> between(const Network& n, const std::vector<std::size_t>& members) {
  const std::vector<StreamId> results = n.results();
  std::set<StreamId> r;
  for (const std::size_t k : members)
    for (const StreamId s : n.steps[k].produces) {
      bool inside = std::find(results.begin(), results.end(), s) == results.end(), read = false;
      for (std::size_t j = 0; j < n.steps.size(); ++j)
        for (const Operand& o : n.steps[j].operands)
          if (o.stream == s) inside &= std::find(members.begin(), members.end(), j) != members.end(), read = true;
      if (inside && read) r.insert(s);
    }
  return r;
}

}  // namespace

Network with_loops(const Network& n) {
  Network r = n;
  const std::vector<Step>& steps = r.steps;
  std::vector<std::size_t> loop(steps.size(), steps.size());  // the first step of its loop
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (begins_loop(steps[k])) loop[k] = k;
    for (std::size_t j = 0; j < k; ++j) {
      if (loop[j] == steps.size() || !continues_loop(steps[k]) || !reads(steps[k], steps[j])) continue;
      const std::size_t from = loop[k], to = loop[j];
      loop[k] = to;
      if (from != steps.size()) std::replace(loop.begin(), loop.end(), from, to);
    }
  }
  std::map<std::size_t, std::vector<std::size_t>> loops;
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (loop[k] != steps.size()) loops[loop[k]].push_back(k);
  for (auto& [first, members] : loops) {
    const std::set<StreamId> inside = between(r, members);
    if (inside.empty()) continue;
    r.narrow.insert(inside.begin(), inside.end());
    r.loops.push_back(std::move(members));
  }
  return r;
}

}  // namespace lockstep::transducer
