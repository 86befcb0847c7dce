// Networks as text (text.h).
#include "semantics/svcode/text.h"
#include "semantics/transducer/text.h"

namespace lockstep::transducer {
namespace {

using svcode::name_of;

std::string names(const std::vector<StreamId>& streams) {
  std::string r;
  for (const StreamId s : streams) r += " " + name_of(s);
  return r;
}
std::string_view name_of_kernel(Kernel k) {
  switch (k) {
    case Kernel::Plain:
      return "one";
    case Kernel::Cluster:
      return "cluster";
    case Kernel::Distribute:
      return "distribute";
    case Kernel::Slices:
      return "slices";
  }
  throw Bug("a kernel without a name");
}

// What an index is computed by, of each operator how it acts on lines.
std::string indices(const Slices& s) {
  std::string r = ", at";
  for (const Instr* i : s.parameters) r += " " + name_of(i->id);
  for (const Instr* i : s.body) {
    r += " " + name_of(i->id);
    if (const auto l = s.lines.find(i->id); l != s.lines.end()) r += " (" + show(l->second) + ")";
  }
  return r;
}
std::string let_go(const Ahead& a) {
  std::string r = ", lets go of what is behind";
  for (const Ahead::Place& p : a.readers) r += " " + name_of(p.step) + "." + std::to_string(p.operand);
  return r + " " + name_of(a.scan) + (a.in_groups ? ", by groups" : "");
}

std::string line(const Network& n, const Step& s) {
  std::string r = "  " + std::string(name_of_kernel(s.kernel));
  for (const Instr* i : s.instructions) r += " " + name_of(i->id);
  if (!s.operands.empty()) r += " of";
  for (const Operand& o : s.operands) r += " " + name_of(o.stream) + (o.is_short ? "'" : "");
  if (!s.produces.empty()) r += " gives" + names(s.produces);
  if (n.repeated.count(s.id())) r += ", counted";
  for (const Instr* i : s.instructions) {
    if (const auto g = n.groups.find(i->id); g != n.groups.end()) r += ", in groups of " + name_of(g->second);
    if (const auto a = n.ahead.find(i->id); a != n.ahead.end()) r += let_go(a->second);
  }
  if (s.kernel == Kernel::Slices) r += indices(n.slices.at(s.id()));
  return r + "\n";
}

std::string print(const std::string& title, const Network& n) {
  std::string r = title + "\n" + svcode::print_network(*n.code, n.forms);
  if (n.steps.empty()) return r;
  r += "steps\n";
  for (std::size_t k = 0; k < n.steps.size(); ++k) {
    r += line(n, n.steps[k]);
    for (const std::vector<std::size_t>& loop : n.loops) {
      if (loop.back() != k) continue;
      r += "  again";
      for (const std::size_t member : loop) r += " " + name_of(n.steps[member].id());
      r += "\n";
    }
  }
  if (!n.narrow.empty()) r += "narrow" + names({n.narrow.begin(), n.narrow.end()}) + "\n";
  return r;
}

std::string cut_of(const Pieces& p) {
  std::string r;
  std::size_t n = 0;
  for (std::size_t c = 0; c < p.cut.size(); ++c)
    if (p.cut[c]) ++n, r += " " + std::to_string(c);
  return n == p.cut.size() ? " any" : r;
}

}  // namespace

std::string print(const Program& p) {
  std::string r = print("network", p.whole);
  if (!p.pieces) return r;
  const Pieces& q = *p.pieces;
  r += "pieces of " + name_of(q.root) + (q.is_file ? ", cut after" + cut_of(q) : "") + "\n";
  r += print("head", q.head) + print("body", q.body) + "gives" + names(q.given) + "\n" + print("tail", q.tail);
  return r;
}

}  // namespace lockstep::transducer
