// When the elements of pieces would have to be kept until what counts the pieces knows of them (rules.h).
#include "semantics/svcode/instruction.h"
#include "translate/transducers/rules.h"

namespace lockstep::transducer {
namespace {

class Meetings {
 public:
  Meetings(const Instr& pieces, StreamId e, const Rewriting& r) : pieces_(pieces), e_(r.same(e)), r_(r) {}

  bool none() {
    find_elements();
    std::set<StreamId> counted{pieces_.id};
    std::vector<StreamId> open{pieces_.id};
    while (!open.empty()) {
      const StreamId s = open.back();
      open.pop_back();
      for (const Instr* reader : r_.readers(s)) {
        for (const StreamId a : reader->arguments)
          if (elements_.count(a)) return false;
        if (counted.insert(reader->id).second) open.push_back(reader->id);
      }
    }
    return true;
  }

 private:
  // Elements of pieces, what goes by their clock, and what is made of such; up to what there is one of for each piece.
  void find_elements() {
    std::vector<StreamId> open;
    for (const StreamId s : of_one_clock()) open.push_back(s), elements_.insert(s);
    while (!open.empty()) {
      const StreamId s = open.back();
      open.pop_back();
      for (const Instr* reader : r_.readers(s))
        if (reader->id != pieces_.id && !sums_up(*reader) && goes_by(*reader, s) && elements_.insert(reader->id).second)
          open.push_back(reader->id);
    }
  }
  std::set<StreamId> of_one_clock() const {
    std::set<StreamId> all{e_};
    std::vector<StreamId> open{e_};
    while (!open.empty()) {
      const StreamId s = open.back();
      open.pop_back();
      std::vector<const Instr*> around = r_.readers(s);
      around.push_back(&r_.at(s));
      for (const Instr* i : around) {
        if (!keeps_clock(i->opcode)) continue;
        if (all.insert(i->id).second) open.push_back(i->id);
        for (const StreamId a : i->arguments)
          if (all.insert(a).second) open.push_back(a);
      }
    }
    return all;
  }
  static bool keeps_clock(Opcode o) {
    const svcode::ClockRule clock = svcode::row_of(o).clock;
    return clock == svcode::ClockRule::Elementwise || clock == svcode::ClockRule::Map;
  }
  // Pieces of a segment come as their flags do.
  bool goes_by(const Instr& i, StreamId s) const {
    if (i.opcode == Opcode::UsegsumB2u || i.opcode == Opcode::EndsAmong)
      return i.arguments[1] == s && !holds_at_ends_only(s, e_);
    return i.opcode != Opcode::Usegsum || i.arguments[1] == s;
  }
  bool sums_up(const Instr& i) const {
    const svcode::OpcodeRow& row = svcode::row_of(i.opcode);
    if (i.opcode == Opcode::B2u || i.opcode == Opcode::TerminatedCount || i.opcode == Opcode::Pack)
      return holds_at_ends_only(i.arguments.back(), e_);
    const bool one_each = row.operands[i.arguments.size() - 1].role == svcode::Role::Descriptor && !row.trues.known() &&
                          row.length.count == 1 && row.length.terms[0].count == svcode::Count::Trues;
    return row.in_memory || (one_each && counts_pieces(i.arguments.back()));
  }
  // Whether b, or what it is shifted from, is true nowhere but where a piece ends.
  bool holds_at_ends_only(StreamId b, StreamId e) const {
    const Instr &i = r_.at(b), &ends = r_.at(e);
    if (i.id == ends.id) return true;
    if (i.opcode == Opcode::Cons) return holds_at_ends_only(i.arguments[0], e);
    if (!is_either(ends)) return false;
    return holds_at_ends_only(b, ends.arguments[0]) || holds_at_ends_only(b, ends.arguments[1]);
  }
  // Whether the descriptor has no more segments than there are pieces.
  bool counts_pieces(StreamId f) const {
    const Instr& i = r_.at(f);
    if (i.opcode == Opcode::Ends) return holds_at_ends_only(i.arguments[0], e_);
    const bool of_first = i.opcode == Opcode::Usegsum || i.opcode == Opcode::UsegsumB2u ||
                          i.opcode == Opcode::EndsAmong || i.opcode == Opcode::Uappend;
    return of_first && counts_pieces(i.arguments[0]);
  }

  const Instr& pieces_;
  const StreamId e_;
  const Rewriting& r_;
  std::set<StreamId> elements_;
};

}  // namespace

bool may_tell_at_ends(const Instr& pieces, StreamId e, const Rewriting& r) { return Meetings(pieces, e, r).none(); }

}  // namespace lockstep::transducer
