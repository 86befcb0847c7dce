// Steps of one instruction each, and what is done to lists of steps (steps.h).
#include "translate/transducers/steps.h"

#include <algorithm>
#include <tuple>

#include "semantics/svcode/instruction.h"

namespace lockstep::transducer {
namespace {

bool has_effect(const Network& n, const Instr& i) {
  return svcode::has_effect(i, i.arguments.empty() ? i.type : n.at(i.arguments.back()).type);
}

std::vector<Operand> operands_of(const Network& n, const Instr& i) {
  if (const auto found = n.slices.find(i.id); found != n.slices.end()) {
    const Slices& slices = found->second;
    std::vector<Operand> r;
    for (const Instr* p : slices.body)
      if (p->opcode == Opcode::Iotas && r.empty()) r.push_back(n.operand_of(*p, 0));
    if (r.empty()) throw Bug("slices without positions");
    for (const Instr* p : slices.parameters) r.push_back(n.operand_of(*p, 0));
    for (const Instr* g : slices.gathers) r.push_back(n.operand_of(*g, 2));
    return r;
  }
  std::vector<Operand> r;
  for (std::size_t k = 0; k < i.arguments.size(); ++k) r.push_back(n.operand_of(i, k));
  if (n.bases.count(i.id)) r.erase(r.begin());  // it stores nothing, and follows the descriptor only
  return r;
}

Step single_step(const Network& n, const Instr& i) {
  Step step{Kernel::Plain, {&i}, operands_of(n, i), {i.id}, 0};
  if (n.bases.count(i.id)) step.produces.clear();
  if (const auto found = n.slices.find(i.id); found != n.slices.end()) {
    step.kernel = Kernel::Slices;
    step.instructions = found->second.gathers;
    step.produces.clear();
    for (const Instr* g : step.instructions) step.produces.push_back(g->id);
  }
  return step;
}

}  // namespace

StreamId first_of(const Network& n, StreamId gather) {
  for (const auto& [first, slices] : n.slices)
    for (const Instr* g : slices.gathers)
      if (g->id == gather) return first;
  return gather;
}

std::vector<Step> single_steps(const Network& n) {
  std::set<StreamId> sliced;
  std::vector<StreamId> open;
  for (const StreamId s : n.results()) open.push_back(first_of(n, s));
  for (const auto& [first, slices] : n.slices) {
    open.push_back(first);
    for (const Instr* i : slices.body) sliced.insert(i->id);
  }
  for (const Instr& i : n.code->instructions)
    if (has_effect(n, i) && !sliced.count(i.id)) open.push_back(i.id);
  for (const auto& [reader, segtab] : n.groups) open.push_back(segtab);
  std::map<StreamId, Step> steps;
  while (!open.empty()) {
    const StreamId s = open.back();
    open.pop_back();
    if (steps.count(s)) continue;
    const Step& step = steps[s] = single_step(n, n.at(s));
    for (const Operand& o : step.operands) open.push_back(first_of(n, o.stream));
  }
  std::vector<Step> r;
  for (auto& [s, step] : steps) r.push_back(std::move(step));
  return r;
}

bool reads(const Step& s, const Step& from) {
  return std::any_of(s.operands.begin(), s.operands.end(), [&](const Operand& o) {
    return std::find(from.produces.begin(), from.produces.end(), o.stream) != from.produces.end();
  });
}

bool in(const Step& cluster, StreamId s) {
  return std::any_of(cluster.instructions.begin(), cluster.instructions.end(),
                     [&](const Instr* i) { return i->id == s; });
}

void sort(std::vector<Step>& steps) {
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return std::tuple(a.level, a.id()) < std::tuple(b.level, b.id());
  });
}

void drop_unread(const Network& n, std::vector<Step>& steps) {
  const std::vector<StreamId> results = n.results();
  for (bool more = true; more;) {
    std::set<StreamId> read(results.begin(), results.end());
    for (const Step& step : steps)
      for (const Operand& o : step.operands) read.insert(o.stream);
    more = std::erase_if(steps, [&](const Step& s) {
             for (const Instr* i : s.instructions)
               if (has_effect(n, *i) || i->opcode == Opcode::Segtab) return false;
             return std::none_of(s.produces.begin(), s.produces.end(), [&](StreamId p) { return read.count(p); });
           }) > 0;
  }
}

}  // namespace lockstep::transducer
