// Distributions and iotas over one descriptor run in one loop over its segments, where none waits for another.
#include "translate/transducers/distributions.h"

#include <algorithm>

#include "translate/transducers/stages.h"
#include "translate/transducers/steps.h"

namespace lockstep::transducer {
namespace {

const Operand& segments_of(const Step& s) {
  return s.operands[s.kernel == Kernel::Plain && s.instructions[0]->opcode == Opcode::Pdist ? 1 : 0];
}

Step joined(const Step& a, const Step& b) {
  Step r{Kernel::Distribute, {}, {segments_of(a)}, {}, std::max(a.level, b.level)};
  for (const Step* s : {&a, &b}) {
    r.instructions.insert(r.instructions.end(), s->instructions.begin(), s->instructions.end());
    r.produces.insert(r.produces.end(), s->produces.begin(), s->produces.end());
    if (s->kernel == Kernel::Distribute)
      r.operands.insert(r.operands.end(), s->operands.begin() + 1, s->operands.end());
    else if (s->instructions[0]->opcode == Opcode::Pdist)
      r.operands.push_back(s->operands[0]);
  }
  return r;
}

// Whether `late` reads, directly or not, what `early` produces.
bool waits(const std::vector<Step>& steps, const Step& late, const Step& early) {
  std::set<const Step*> seen;
  std::vector<const Step*> open = {&late};
  while (!open.empty()) {
    const Step* s = open.back();
    open.pop_back();
    if (reads(*s, early)) return true;
    for (const Step& other : steps)
      if (&other != s && reads(*s, other) && seen.insert(&other).second) open.push_back(&other);
  }
  return false;
}

// What reads a distribution that has moved back comes after it still.
void raise_readers(std::vector<Step>& steps) {
  for (bool more = true; more;) {
    more = false;
    for (Step& step : steps)
      for (const Step& other : steps)
        if (&other != &step && step.level <= other.level && reads(step, other))
          step.level = other.level + 1, more = true;
  }
}

// Of a distribution that has become part of another.
Ahead::Place moved(const Network& n, const Ahead::Place& p) {
  for (const Step& step : n.steps) {
    if (step.kernel != Kernel::Distribute || !in(step, p.step)) continue;
    std::size_t part = 1;
    for (const Instr* i : step.instructions) {
      if (i->id == p.step) return {step.id(), part};
      part += i->opcode == Opcode::Pdist;
    }
  }
  return p;
}

}  // namespace

bool distributes(const Step& s) {
  if (s.kernel == Kernel::Distribute) return true;
  const Opcode o = s.instructions[0]->opcode;
  return s.kernel == Kernel::Plain && (o == Opcode::Pdist || o == Opcode::Iotas);
}

Network with_distributions(const Network& n) {
  Network r = n;
  std::vector<Step>& steps = r.steps;
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.id() < b.id(); });
  for (std::size_t a = 0; a < steps.size(); ++a)
    for (std::size_t b = a + 1; b < steps.size();) {
      const bool join = distributes(steps[a]) && distributes(steps[b]) &&
                        segments_of(steps[a]) == segments_of(steps[b]) && !waits(steps, steps[b], steps[a]) &&
                        !waits(steps, steps[a], steps[b]);
      if (!join) {
        ++b;
        continue;
      }
      steps[a] = joined(steps[a], steps[b]);
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(b));
    }
  raise_readers(steps);
  sort(steps);
  for (auto& [id, ahead] : r.ahead)
    for (Ahead::Place& p : ahead.readers) p = moved(r, p);
  return r;
}

}  // namespace lockstep::transducer
