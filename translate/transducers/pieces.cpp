// A network in pieces for threads: which streams of a piece of the root are the piece's part of the whole stream.
// What a stream is, seen from a piece of the root that ends where a segment of the outermost descriptor ends:
//   Local   the stream of the whole program is those of the pieces, one after another
//   Offset  an Int counted from the beginning of the piece: the starts of slices of a base that is local
//   Whole   a descriptor of one segment, whose T a piece has at its own end
//   Last    true at the very last element only; a piece may take its own last one for it where it is or'ed with a flag
//           that is true there anyway
//   Single  one element that does not depend on the root
// Everything else belongs to the tail. `closed`: Booleans that are true at the end of every piece, so that the segments
// that they end do not reach over pieces.
#include <algorithm>
#include <map>

#include "semantics/core/table.h"
#include "semantics/svcode/instruction.h"
#include "translate/transducers/rules.h"
#include "translate/transducers/stages.h"

namespace lockstep::transducer {
namespace {

using svcode::PieceRule;

enum class Class : unsigned char { Tail, Local, Offset, Whole, Last, Single };
struct Kind {
  Class c = Class::Tail;
  bool closed = false;
};

// What of a tail's inputs the bodies give.
std::vector<StreamId> given_to(const Network& tail) {
  std::vector<StreamId> r;
  for (const Instr& i : tail.code->instructions)
    if (i.opcode == Opcode::Input && i.number() < 0) r.push_back(i.id);
  return r;
}

class Splitter {
 public:
  Splitter(const svcode::Program& p, svcode::Rows rows) : p_(p), rows_(rows) {
    for (const Instr& i : p.instructions) all_[i.id] = &i;
  }

  std::optional<Pieces> run() {
    const Instr* root = find_root();
    if (!root) return std::nullopt;
    root_ = root->id;
    is_file_ = root->opcode == Opcode::ReadWhole;
    for (const Instr& i : p_.instructions) kinds_[i.id] = i.id == root_ ? Kind{Class::Local, false} : kind(i);
    // Offsets mean nothing outside of their piece.
    for (bool more = true; more;) {
      more = false;
      for (const StreamId s : leaves_of(p_.result)) more |= demote(s);
      for (const Instr& i : p_.instructions)
        for (const StreamId a : i.arguments) {
          if (of(i.id).c == Class::Tail) more |= demote(a) || (all_.at(a)->opcode == Opcode::Segtab && to_tail(a));
          if (of(i.id).c != Class::Tail && of(a).c == Class::Tail && i.id != root_) more |= to_tail(i.id);
        }
    }
    return build();
  }

 private:
  const Instr* find_root() const {
    const Instr* found = nullptr;
    for (const Instr& i : p_.instructions) {
      if (i.opcode == Opcode::ReadFile) return nullptr;
      if (i.opcode != Opcode::ReadWhole && i.opcode != Opcode::Range) continue;
      if (i.opcode == Opcode::ReadWhole) {
        if (found && found->opcode == Opcode::ReadWhole) return nullptr;
        found = &i;
      } else if (!found) {
        found = &i;
      }
    }
    return found;
  }
  Kind of(StreamId s) const {
    const auto found = kinds_.find(s);
    return found == kinds_.end() ? Kind{} : found->second;
  }
  bool is(StreamId s, Class c) const { return of(s).c == c; }
  bool closed(StreamId s) const { return is(s, Class::Local) && of(s).closed; }
  bool demote(StreamId s) { return is(s, Class::Offset) && to_tail(s); }
  bool to_tail(StreamId s) {
    if (is(s, Class::Tail)) return false;
    kinds_[s] = {};
    return true;
  }

  // Local, or an offset where one of these is.
  Kind local(const std::vector<StreamId>& values, bool closed = false) const {
    bool offset = false;
    for (const StreamId s : values) {
      if (!is(s, Class::Local) && !is(s, Class::Offset)) return {};
      offset |= is(s, Class::Offset);
    }
    return {offset ? Class::Offset : Class::Local, closed && !offset};
  }

  Kind kind(const Instr& i) {
    static constexpr auto rules =
        table<PieceRule, Kind (Splitter::*)(const Instr&)>({{PieceRule::Tail, &Splitter::tail},
                                                            {PieceRule::ByOperands, &Splitter::by_operands},
                                                            {PieceRule::Single, &Splitter::single},
                                                            {PieceRule::Input, &Splitter::input},
                                                            {PieceRule::Rep, &Splitter::rep},
                                                            {PieceRule::Map, &Splitter::map},
                                                            {PieceRule::Usum, &Splitter::usum},
                                                            {PieceRule::Pdist, &Splitter::pdist},
                                                            {PieceRule::Pmerge, &Splitter::pmerge},
                                                            {PieceRule::Cons, &Splitter::cons},
                                                            {PieceRule::Short, &Splitter::short_form},
                                                            {PieceRule::Ends, &Splitter::ends},
                                                            {PieceRule::Segscan, &Splitter::segscan},
                                                            {PieceRule::Usegsum, &Splitter::usegsum},
                                                            {PieceRule::Gather, &Splitter::gather},
                                                            {PieceRule::Scan, &Splitter::scan},
                                                            {PieceRule::Terminated, &Splitter::terminated}});
    return (this->*rules[rows_[i.opcode].pieces])(i);
  }

  static Kind when(bool is_local, bool closed = false) { return is_local ? Kind{Class::Local, closed} : Kind{}; }
  Kind tail(const Instr&) { return {}; }
  Kind single(const Instr&) { return {Class::Single, false}; }
  Kind input(const Instr& i) { return is_scalar_input(i) ? Kind{Class::Single, false} : Kind{}; }
  // Local, where what is read by segments has none that reaches over pieces; a descriptor then ends with each piece.
  Kind by_operands(const Instr& i) {
    const svcode::OpcodeRow& row = rows_[i.opcode];
    std::vector<StreamId> elements;
    for (std::size_t k = 0; k < i.arguments.size(); ++k) {
      const StreamId s = i.arguments[k];
      if (row.elements.contains(k))
        elements.push_back(s);
      else if (row.operands[k].role == svcode::Role::Descriptor ? !closed(s) : !is(s, Class::Local))
        return {};
    }
    return local(elements, row.trues.known());
  }
  Kind rep(const Instr& i) {
    return is(i.arguments[0], Class::Single) ? Kind{Class::Single, false} : local(i.arguments);
  }
  Kind usum(const Instr& i) { return when(closed(i.arguments[0]) || is(i.arguments[0], Class::Whole)); }
  Kind pdist(const Instr& i) {
    if (is(i.arguments[1], Class::Whole)) return when(is(i.arguments[0], Class::Single));
    return by_operands(i);
  }
  Kind pmerge(const Instr& i) {
    return local(i.arguments,
                 std::all_of(i.arguments.begin(), i.arguments.end(), [&](StreamId s) { return closed(s); }));
  }
  // True at the beginning of each piece, as after the end of the one before.
  Kind cons(const Instr& i) { return when(i.type == Prim::Bool && i.atom().integer && closed(i.arguments[0])); }
  Kind short_form(const Instr& i) {
    if (is(i.arguments[0], Class::Whole)) return {Class::Last, false};
    return when(closed(i.arguments[0]), true);
  }
  Kind ends(const Instr& i) { return when(closed(i.arguments[0]), true); }
  Kind segscan(const Instr& i) { return when(closed(i.arguments[1]) && is(i.arguments[0], Class::Local)); }
  Kind usegsum(const Instr& i) {
    if (is(i.arguments[0], Class::Whole) && closed(i.arguments[1])) return {Class::Whole, false};
    return by_operands(i);
  }
  Kind gather(const Instr& i) {
    const bool here = is(i.arguments[0], Class::Offset) && is(i.arguments[1], Class::Local);
    return here ? local({i.arguments[2]}) : Kind{};
  }
  Kind scan(const Instr& i) {
    const bool sums = i.monoid() == svcode::Monoid::Plus && i.type == Prim::Int;
    return sums && is(i.arguments[0], Class::Local) ? Kind{Class::Offset, false} : Kind{};
  }
  Kind terminated(const Instr& i) { return is(i.arguments[0], Class::Local) ? Kind{Class::Whole, false} : Kind{}; }

  Kind map(const Instr& i) {
    const std::vector<StreamId>& a = i.arguments;
    if (std::all_of(a.begin(), a.end(), [&](StreamId s) { return is(s, Class::Single); }))
      return {Class::Single, false};
    const bool either = is_either(i);
    if (either && (is(a[0], Class::Last) || is(a[1], Class::Last))) {
      const StreamId other = is(a[0], Class::Last) ? a[1] : a[0];
      if (is(other, Class::Local) && !of(other).closed && !has_cut_) choose_cut(other);
      return closed(other) ? Kind{Class::Local, true} : Kind{};
    }
    bool offset = false;
    for (const StreamId s : a) {
      if (!is(s, Class::Local) && !is(s, Class::Offset)) return {};
      offset |= is(s, Class::Offset);
    }
    if (offset) {
      const bool shifts = i.op() == scalars::row<"+">() && is(a[0], Class::Offset) != is(a[1], Class::Offset);
      return shifts ? Kind{Class::Offset, false} : Kind{};
    }
    const bool still =
        either ? closed(a[0]) || closed(a[1]) : i.op() == scalars::row<"&&">() && closed(a[0]) && closed(a[1]);
    return {Class::Local, still};
  }

  // Cuts after the characters for which `flag` holds, if it is a function of the root's character alone.
  void choose_cut(StreamId flag) {
    if (!is_file_) return;
    bool any = false;
    for (int c = 0; c < 256; ++c) {
      const std::optional<svcode::Atom> v = value_at(flag, static_cast<unsigned char>(c));
      if (!v) return;
      cut_[static_cast<std::size_t>(c)] = v->integer != 0;
      any |= v->integer != 0;
    }
    if (!any) return;
    has_cut_ = true;
    kinds_[flag].closed = true;
  }
  std::optional<svcode::Atom> value_at(StreamId s, unsigned char c) const {
    if (s == root_) return snesl::char_atom(c);
    const Instr& i = *all_.at(s);
    if (i.opcode == Opcode::Rep) return i.atom();
    if (i.opcode != Opcode::Map) return std::nullopt;
    std::vector<svcode::Atom> operands;
    for (const StreamId a : i.arguments) {
      const std::optional<svcode::Atom> v = value_at(a, c);
      if (!v) return std::nullopt;
      operands.push_back(*v);
    }
    if (can_trap(i.op(), operands.back().type)) return std::nullopt;
    return snesl::apply(i.op(), operands, i.region);
  }

  bool is_scalar_input(const Instr& i) const {
    std::int64_t leaf = 0;
    for (const snesl::Type& t : p_.parameters) {
      if (snesl::as<Prim>(t) && leaf == i.number()) return true;
      leaf += static_cast<std::int64_t>(svcode::input_leaves(t).size());
    }
    return false;
  }
  // What is as cheap to make again in the tail as to be given, and what kernels of the plan look for.
  bool made_again(const Instr& i) const {
    const auto operand = [&](std::size_t k) -> const Instr& { return *all_.at(i.arguments[k]); };
    if (i.opcode == Opcode::ToFlags) return is_constant(operand(0));
    if (i.opcode == Opcode::Uappend)
      return i.arguments.size() == 2 && operand(1).opcode == Opcode::ToFlags && made_again(operand(1));
    if (i.opcode == Opcode::Map) return i.op() == scalars::row<"i64">() && i.type == Prim::Int;
    return i.opcode == Opcode::Rep || i.opcode == Opcode::Usum || i.opcode == Opcode::Ends || i.opcode == Opcode::B2u;
  }

  std::optional<Pieces> build() {
    if (std::none_of(p_.instructions.begin(), p_.instructions.end(), [&](const Instr& i) {
          return is(i.id, Class::Local) && i.id != root_ && i.opcode == Opcode::Map;
        }))
      return std::nullopt;
    if (is_file_ && !has_cut_) cut_.fill(true);
    svcode::Program body = p_, tail = p_;
    body.instructions.clear();
    tail.instructions.clear();
    for (const Instr& i : p_.instructions) {
      const Class c = of(i.id).c;
      if (c != Class::Tail) body.instructions.push_back(i.id == root_ ? given_input(i) : i);
      const bool give = (c == Class::Local && !(made_again(i) && is_made_of_bits(i))) || c == Class::Offset;
      tail.instructions.push_back(give ? given_input(i) : i);
    }
    Network after = without_unused(Network(std::move(tail), {}));
    std::vector<StreamId> given = given_to(after);
    give(body, given);
    return Pieces{root_, is_file_, cut_, head(), without_unused(Network(std::move(body), {})), std::move(after), given};
  }
  static Instr given_input(Instr i) {
    i.opcode = Opcode::Input;
    i.arguments.clear();
    i.payload = svcode::Number{-1};
    return i;
  }
  // What the root's operands need.
  Network head() const {
    svcode::Program head = p_;
    head.instructions.clear();
    std::set<StreamId> needed(all_.at(root_)->arguments.begin(), all_.at(root_)->arguments.end());
    for (auto i = p_.instructions.rbegin(); i != p_.instructions.rend(); ++i) {
      if (!needed.count(i->id)) continue;
      needed.insert(i->arguments.begin(), i->arguments.end());
      head.instructions.insert(head.instructions.begin(), *i);
    }
    give(head, all_.at(root_)->arguments);
    return Network(std::move(head), {});
  }
  bool is_made_of_bits(const Instr& i) const {
    return i.opcode != Opcode::Map || all_.at(i.arguments[0])->type == Prim::Bool;
  }

  const svcode::Program& p_;
  const svcode::Rows rows_;
  StreamId root_{};
  bool is_file_ = false;
  std::array<bool, 256> cut_{};
  std::map<StreamId, const Instr*> all_;
  std::map<StreamId, Kind> kinds_;
  bool has_cut_ = false;
};

}  // namespace

Program in_pieces(const svcode::Program& p, std::int64_t slack, svcode::Rows rows) {
  return {without_unused(Network(p, {})), Splitter(p, rows).run(), slack};
}

}  // namespace lockstep::transducer
