// F_φ past traps: what a built-in gives where what it is given is lost in part (`Kind::Lost`, `Kind::LostPart`), and
// where it traps itself. What is known of the rest stays: whoever runs the program in another order may come to it.
#include <algorithm>
#include <optional>

#include "semantics/snesl/evaluate_plan.h"

namespace lockstep::snesl::plan {
namespace {

bool is_part(const Value& v) { return v.kind == Value::Kind::LostPart; }

// How many items there are before the first that is lost, in the one way or in either.
std::size_t before_part(const Value& s) {
  std::size_t k = 0;
  while (k < s.size() && !is_part(s[k])) ++k;
  return k;
}
std::size_t before_lost(const Value& s) {
  std::size_t k = 0;
  while (k < s.size() && !is_lost(s[k])) ++k;
  return k;
}
bool is_whole(const Value& s) { return before_part(s) == s.size(); }
bool is_known(const Value& s) { return before_lost(s) == s.size(); }
Values first_of(const Value& s, std::size_t n) {
  Values out;
  for (std::size_t k = 0; k < n; ++k) out.push_back(s[k]);
  return out;
}

// One built-in on what it is given.
class Past {
 public:
  Past(const core::Expr& e, Arguments x, Files& files, const Domain& domain, MayTrap& may)
      : e_(e), x_(x), files_(files), domain_(domain), may_(may) {}

  Value value() const {
    const bool lost = std::any_of(x_.begin(), x_.end(), [](const Value* v) { return is_lost(*v); });
    const core::Builtin b = std::get<core::Apply>(e_.node).builtin;
    if (lost && b == core::Builtin::Append) return appended();
    if (lost && b == core::Builtin::Concat)
      return sequence_value({lost_part()});  // of empty ones nothing, however many
    if (lost && (b == core::Builtin::Zip || b == core::Builtin::Flagpart)) return beside_lost(b);
    if (lost && b != core::Builtin::Mkseq) return lost_value();
    if (b != core::Builtin::Mkseq && b != core::Builtin::WriteFile) if_nothing_more_comes();
    switch (b) {
      case core::Builtin::Scalar:
      case core::Builtin::Mkseq:
      case core::Builtin::Append:
      case core::Builtin::Iota:
      case core::Builtin::Tab:
      case core::Builtin::Seq:
        return right();
      case core::Builtin::Empty:
        return s().size() == 0 || !is_part(s()[0]) ? right() : lost_value();
      case core::Builtin::The:
      case core::Builtin::Length:
      case core::Builtin::SeqLength:
        return is_whole(s()) ? right() : lost_value();
      case core::Builtin::Zip:
        return zip();
      case core::Builtin::Unzip:
        return unzip();
      case core::Builtin::Flagpart:
        return flagpart();
      case core::Builtin::Sep:
        return sep();
      case core::Builtin::Concat:
        return concat();
      case core::Builtin::TailFlags:
        return tail_flags();
      case core::Builtin::Index:
        return index();
      case core::Builtin::Reduce:
      case core::Builtin::Reduce1:
      case core::Builtin::ReadFile:
        return is_known(s()) ? right() : lost_value();
      case core::Builtin::Scan:
        return scan();
      case core::Builtin::WriteFile:
        return tuple_value({});
    }
    throw Bug("evaluate: no such built-in");
  }

 private:
  const Value& s() const { return *x_[0]; }
  Value right() const { return or_trap(x_).value_or(lost_value()); }
  Value right(const Value& instead) const {
    const Value* only[] = {&instead};
    return value_of(e_, only, files_, domain_);
  }
  void add(const Trap& t) const {
    may_.traps.push_back(t);
    const core::Builtin b = std::get<core::Apply>(e_.node).builtin;
    may_.lengths |= b == core::Builtin::Zip || b == core::Builtin::Flagpart || b == core::Builtin::The ||
                    (b == core::Builtin::Index && !as<Prim>(e_.type));
  }
  // Nothing where it traps, which is told of.
  std::optional<Value> or_trap(Arguments x) const {
    try {
      return value_of(e_, x, files_, domain_);
    } catch (const TrapSignal& signal) {
      add(signal.trap);
      return {};
    }
  }
  // A part that is lost may be none: whoever checks lengths where they are needed goes on with what there is.
  void if_nothing_more_comes() const {
    Values known;
    bool parts = false;
    for (const Value* v : x_) {
      Values items;
      for (std::size_t k = 0; k < v->size(); ++k) {
        if ((*v)[k].kind == Value::Kind::Lost) return;
        if (!is_part((*v)[k])) items.push_back((*v)[k]);
      }
      parts = parts || items.size() < v->size();
      known.push_back(*v);
      if (items.size() < v->size()) known.back() = sequence_value(std::move(items));
    }
    std::vector<const Value*> arguments;
    for (const Value& v : known) arguments.push_back(&v);
    if (parts) (void)or_trap(arguments);
  }

  Value appended() const {
    Values items;
    for (const Value* v : x_) {
      if (is_lost(*v)) items.push_back(lost_part());
      for (std::size_t k = 0; k < v->size(); ++k) items.push_back((*v)[k]);
    }
    return sequence_value(std::move(items));
  }
  // What is lost may have any number of items; the other says how many the result has.
  Value beside_lost(core::Builtin b) const {
    const Value any = sequence_value({lost_part()});
    std::vector<const Value*> x(x_.begin(), x_.end());
    for (const Value*& v : x)
      if (is_lost(*v)) v = &any;
    const Past past(e_, x, files_, domain_, may_);
    return b == core::Builtin::Zip ? past.zip() : past.flagpart();
  }
  // As long as one that is whole, where there is one.
  Value zip() const {
    const auto whole = [](const Value* v) { return is_whole(*v); };
    // Those that are whole may not fit, whatever the others are.
    if (const auto one = std::find_if(x_.begin(), x_.end(), whole); one != x_.end()) {
      std::vector<const Value*> fitting(x_.begin(), x_.end());
      for (const Value*& v : fitting)
        if (!whole(v)) v = *one;
      auto all = or_trap(fitting);
      if (all && std::all_of(x_.begin(), x_.end(), whole)) return *std::move(all);
    }
    std::size_t length = before_part(s());
    for (const Value* v : x_) length = std::min(length, before_part(*v));
    for (const Value* v : x_)
      if (whole(v)) length = std::max(length, v->size());
    Values rows;
    for (std::size_t k = 0; k < length; ++k) {
      Values row;
      for (const Value* v : x_) row.push_back(k < before_part(*v) ? (*v)[k] : lost_value());
      rows.push_back(tuple_value(std::move(row)));
    }
    if (std::none_of(x_.begin(), x_.end(), whole)) rows.push_back(lost_part());
    return sequence_value(std::move(rows));
  }
  Value unzip() const {
    const auto* result = as<TupleType>(e_.type);
    if (!result) return s();
    Values columns;
    for (std::size_t c = 0; c < result->items.size(); ++c) {
      Values column;
      for (std::size_t k = 0; k < s().size(); ++k) column.push_back(is_lost(s()[k]) ? s()[k] : s()[k][c]);
      columns.push_back(sequence_value(std::move(column)));
    }
    return tuple_value(std::move(columns));
  }
  Value flagpart() const {
    const Value &s = *x_[0], &flags = *x_[1];
    if (is_known(flags)) {
      // Flags that do not end may be the trap, whatever the elements are.
      Values fitting;
      for (std::size_t i = 0; i < flags.size(); ++i)
        if (!flags[i].atom.integer) fitting.push_back(lost_value());
      const Value as_many = sequence_value(std::move(fitting));
      const Value* x[] = {is_whole(s) ? &s : &as_many, &flags};
      if (auto all = or_trap(x); all && is_whole(s)) return *std::move(all);
    }
    Values pieces, piece;
    std::size_t next = 0, k = 0;
    for (; k < flags.size() && !is_lost(flags[k]); ++k) {
      if (flags[k].atom.integer) {
        pieces.push_back(sequence_value(std::move(piece)));
        piece = {};
      } else if (next < s.size() && !is_part(s[next])) {
        piece.push_back(s[next++]);
      } else if (piece.empty() || !is_part(piece.back())) {
        piece.push_back(lost_part());
      }
    }
    if (k < flags.size()) pieces.push_back(lost_part());
    return sequence_value(std::move(pieces));
  }
  Value sep() const {
    Values pieces, piece;
    for (std::size_t k = 0; k < s().size(); ++k) {
      const Value& at = s()[k];
      if (is_lost(at) || is_lost(at[1])) {
        pieces.push_back(lost_part());
        piece = {};
        continue;
      }
      piece.push_back(at[0]);
      if (!at[1].atom.integer && k + 1 < s().size()) continue;
      pieces.push_back(sequence_value(std::move(piece)));
      piece = {};
    }
    return sequence_value(std::move(pieces));
  }
  Value concat() const {
    Values items;
    for (std::size_t k = 0; k < s().size(); ++k) {
      if (is_lost(s()[k])) items.push_back(lost_part());
      for (std::size_t i = 0; i < s()[k].size(); ++i) items.push_back(s()[k][i]);
    }
    return sequence_value(std::move(items));
  }
  Value tail_flags() const {
    if (is_whole(s())) return right();
    Values flags;
    for (std::size_t k = 0; k < s().size(); ++k) {
      const bool last = k + 1 == s().size();
      flags.push_back(is_part(s()[k]) ? lost_part() : atom_value(bool_atom(last)));
    }
    return sequence_value(std::move(flags));
  }
  Value index() const {
    const std::int64_t i = x_[1]->atom.integer;
    const bool known = i < 0 || static_cast<std::size_t>(i) < before_part(s()) || is_whole(s());
    return known ? right() : lost_value();
  }
  // Exclusive: before the first that is lost, and there too, it is known.
  Value scan() const {
    const std::size_t known = before_lost(s());
    if (known == s().size()) return right();
    Values items = first_of(s(), known);
    const auto* sequence = as<SequenceType>(e_.type);
    const Prim* prim = sequence ? as<Prim>(*sequence->element) : nullptr;
    if (!prim) throw Bug("evaluate: a scan that is no sequence");
    if (!is_part(s()[known])) items.push_back(atom_value(Atom{*prim, 0}));
    const Value prefix = right(sequence_value(std::move(items)));
    items = first_of(prefix, prefix.size());
    for (std::size_t k = items.size(); k < s().size(); ++k)
      items.push_back(is_part(s()[k]) ? lost_part() : lost_value());
    return sequence_value(std::move(items));
  }

  const core::Expr& e_;
  const Arguments x_;
  Files& files_;
  const Domain& domain_;
  MayTrap& may_;
};

}  // namespace

Value value_past_traps(const core::Expr& e, Arguments x, Files& files, const Domain& domain, MayTrap& may) {
  return Past(e, x, files, domain, may).value();
}

}  // namespace lockstep::snesl::plan
