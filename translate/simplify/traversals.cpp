// Traversals that are known to be one (SNESL §4.3.1, where uniform segments are future work): descriptors of as many
// segments of the same lengths, and what numbers or measures them. Unlike a common subexpression they are made in
// different ways, by `&n` twice, or as the rows of two arrays of one shape. Two loops become one, which a program may
// not survive that needs the first to end before the second begins: instructions for which it does not stay as they
// are.
#include <algorithm>
#include <set>

#include "semantics/svcode/instruction.h"
#include "translate/simplify/facts.h"
#include "translate/simplify/rewrite.h"
#include "translate/simplify/simplify.h"

namespace lockstep::streaming {
namespace {

using svcode::Instr;
using svcode::Opcode;
using svcode::StreamId;

// Where a traversal begins, or is measured; what runs along it follows as a common subexpression. So does what is
// appended or merged of the same parts: of other parts it may be as long and yet keep another pace.
bool may_become(const Instr& i, const Instr& before) {
  if (i.opcode == Opcode::ToFlags || i.opcode == Opcode::Range) return before.opcode == i.opcode;
  return i.opcode == Opcode::Lens && before.type == i.type;
}

class Merging {
 public:
  explicit Merging(const svcode::Program& p) : facts_(p.parameters) {}

  std::optional<StreamId> equal_before(const Instr& i) {
    facts_.add(i);
    if (facts_.of(i.id).value || of_literal(i)) return {};
    for (const StreamId s : by_content_[facts_.of(i.id).content])
      if (may_become(i, facts_.definition(s)) && facts_.waits_for(facts_.of(i.id).gates, s)) return s;
    return {};
  }
  void forget() { facts_.forget(); }
  void keep(const Instr& i) { by_content_[facts_.of(i.id).content].push_back(i.id); }

 private:
  // The descriptors of literals keep any pace, and lie around one another.
  bool of_literal(const Instr& i) const {
    return (i.opcode == Opcode::ToFlags || i.opcode == Opcode::Range) && facts_.of(i.arguments[0]).value;
  }

  Facts facts_;
  std::map<int, std::vector<StreamId>> by_content_;
};

// Whether what runs along the traversal reads a vector that is made of it: it would wait for the traversal's end.
bool feeds_itself(const svcode::Program& p, StreamId traversal, svcode::Rows rows) {
  struct Relation {
    bool along, depends, from_memory;
  };
  std::vector<Relation> of(p.instructions.size());
  of[traversal] = {true, true, false};
  for (StreamId k = traversal + 1; k < p.instructions.size(); ++k) {
    const Instr& i = p.instructions[k];
    for (std::size_t a = 0; a < i.arguments.size(); ++a) {
      const Relation& x = of[i.arguments[a]];
      const bool base = svcode::is_base(i.opcode, a, rows);
      of[k].along |= x.along && !base;
      of[k].depends |= x.depends;
      of[k].from_memory |= x.from_memory || (base && x.depends);
    }
    if (of[k].along && of[k].from_memory) return true;
  }
  return false;
}

// The program with each traversal as the first that is equal to it; `into`: which became it.
svcode::Program merged(const svcode::Program& p, const std::function<bool(StreamId)>& allowed,
                       std::map<StreamId, std::vector<StreamId>>& into) {
  Merging merging(p);
  return rewrite(p, [&](const Instr& old, const std::vector<Instr>& so_far) -> Rewritten {
    Instr i = old;
    i.id = static_cast<StreamId>(so_far.size());
    const auto before = merging.equal_before(i);
    if (before && allowed(old.id)) {
      into[*before].push_back(old.id);
      merging.forget();
      return *before;
    }
    merging.keep(i);
    return i;
  });
}

}  // namespace

Stage common_traversals(const Streamable& streamable, svcode::Rows rows) {
  const auto stage = [rows](const svcode::Program& p, const MayChange& allowed) {
    std::set<StreamId> refused;
    for (;;) {
      std::map<StreamId, std::vector<StreamId>> into;
      const svcode::Program result = merged(
          p, [&](StreamId s) { return allowed(s) && !refused.contains(s); }, into);
      const std::size_t before = refused.size();
      for (const auto& [traversal, gone] : into)
        if (feeds_itself(result, traversal, rows)) refused.insert(gone.begin(), gone.end());
      if (refused.size() == before) return result;
    }
  };
  return svcode_stage("common-traversals", "SNESL §4.3.1, uniform segments", [=](const svcode::Program& p) {
    return streamable && streamable(p) ? run_keeping(p, streamable, stage) : p;
  });
}

}  // namespace lockstep::streaming
