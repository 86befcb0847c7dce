// What a network must be (text.h).
#include <algorithm>

#include "semantics/svcode/instruction.h"
#include "semantics/svcode/text.h"
#include "semantics/transducer/text.h"

namespace lockstep::transducer {
namespace {

using svcode::name_of;

struct Wrong {
  std::string what;
};
void must(bool condition, const std::string& what) {
  if (!condition) throw Wrong{what};
}

class Checker {
 public:
  explicit Checker(const Network& n) : n_(n) {}

  void run() {
    const std::string wrong = svcode::check_network(*n_.code, n_.forms);
    must(wrong.empty(), wrong);
    if (n_.steps.empty()) return;
    for (const Step& s : n_.steps) step(s);
    for (const StreamId s : n_.results()) must(given_.count(s), "no step gives the result " + name_of(s));
    for (const auto& [reader, segtab] : n_.groups)
      must(n_.bases.count(segtab), "the groups of " + name_of(reader) + " are those of no segtab");
    for (const StreamId s : n_.repeated) counted(s);
    loops();
  }

 private:
  void step(const Step& s) {
    const std::string name = "step " + name_of(s.id());
    for (const Operand& o : s.operands) {
      must(given_.count(o.stream), name + " reads " + name_of(o.stream) + ", which no step before it gives");
      must(!o.is_short || n_.at(o.stream).type == Prim::Bool, name + " reads a short form of no flags");
    }
    for (const Instr* i : s.instructions) {
      const bool is_alone = s.kernel == Kernel::Plain;
      must(!is_alone || s.instructions.size() == 1, name + " is of several instructions");
      must(s.kernel != Kernel::Cluster || i->opcode == Opcode::Map, name + " has what is not elementwise");
      must(s.kernel != Kernel::Distribute || i->opcode == Opcode::Pdist || i->opcode == Opcode::Iotas,
           name + " has what is no distribution");
      must(s.kernel != Kernel::Slices || i->opcode == Opcode::Gather, name + " has what gathers nothing");
      if (svcode::is_base(i->opcode, 2)) base(*i);
    }
    must(s.kernel != Kernel::Slices || n_.slices.count(s.id()), name + " has no indices");
    if (s.kernel == Kernel::Slices) indices(n_.slices.at(s.id()));
    for (const StreamId p : s.produces) {
      const bool own =
          std::any_of(s.instructions.begin(), s.instructions.end(), [&](const Instr* i) { return i->id == p; });
      must(own, name + " gives " + name_of(p) + ", which it does not make");
      must(given_.insert(p).second, name_of(p) + " is given twice");
    }
  }

  void indices(const Slices& s) const {
    std::set<StreamId> known;
    for (const Instr* i : s.parameters) known.insert(i->id);
    for (const Instr* i : s.body) {
      const Opcode o = i->opcode;
      must(o == Opcode::Map || o == Opcode::Check || o == Opcode::Iotas || o == Opcode::Rep || o == Opcode::Constant,
           name_of(i->id) + " makes no index");
      must(o != Opcode::Map || s.lines.count(i->id), name_of(i->id) + " makes no line of an index");
      for (const StreamId a : i->arguments)
        must((o != Opcode::Map && o != Opcode::Check) || known.count(n_.stored(a)),
             name_of(i->id) + " reads " + name_of(a) + ", of which it has no line");
      known.insert(i->id);
    }
  }

  // Where bases are read in place, what has been asked for is let go of.
  void base(const Instr& i) const {
    const auto grouped = n_.bases.find(i.arguments[2]);
    if (grouped == n_.bases.end()) return;
    const std::string name = name_of(i.id);
    must(n_.forms.unbounded.count(n_.stored(i.arguments[2])), name + " reads groups in a window that does not grow");
    if (i.opcode == Opcode::ReadWhole) return;
    const auto ahead = n_.ahead.find(i.id);
    must(ahead != n_.ahead.end() || n_.groups.count(i.id), name + " never lets go of a group");
    must(ahead == n_.ahead.end() || !ahead->second.in_groups || n_.groups.count(i.id),
         name + " lets go of groups, and does not know them");
  }

  void counted(StreamId s) const {
    const Opcode o = n_.at(s).opcode;
    must(o == Opcode::Rep || o == Opcode::Constant, name_of(s) + " is only counted, and is no constant");
  }

  void loops() const {
    std::set<StreamId> narrow = n_.narrow;
    for (const std::vector<std::size_t>& loop : n_.loops)
      for (std::size_t k = 0; k < n_.steps.size(); ++k) {
        const bool inside = std::find(loop.begin(), loop.end(), k) != loop.end();
        for (const StreamId s : n_.steps[k].produces)
          if (inside && narrow.erase(s)) inside_only(s, loop);
      }
    must(narrow.empty(), "a narrow stream that no loop makes");
  }
  void inside_only(StreamId s, const std::vector<std::size_t>& loop) const {
    for (std::size_t k = 0; k < n_.steps.size(); ++k)
      for (const Operand& o : n_.steps[k].operands)
        must(o.stream != s || std::find(loop.begin(), loop.end(), k) != loop.end(),
             name_of(s) + " is narrow, and is read outside of its loop");
    const std::vector<StreamId> results = n_.results();
    must(std::find(results.begin(), results.end(), s) == results.end(), name_of(s) + " is narrow, and a result");
  }

  const Network& n_;
  std::set<StreamId> given_;
};

std::string wrong_in(const std::string& part, const Network& n) {
  try {
    Checker(n).run();
  } catch (const Wrong& w) {
    return part + ": " + w.what;
  }
  return "";
}

}  // namespace

std::string check(const Program& p) {
  std::string wrong = wrong_in("the network", p.whole);
  if (!p.pieces) return wrong;
  const Pieces& q = *p.pieces;
  for (const auto& [name, n] :
       {std::pair<const char*, const Network*>{"the head", &q.head}, {"the body", &q.body}, {"the tail", &q.tail}})
    if (wrong.empty()) wrong = wrong_in(name, *n);
  if (wrong.empty() && q.body.results().size() != q.given.size())
    wrong = "the bodies do not give what the tail is given";
  return wrong;
}

}  // namespace lockstep::transducer
