// Ranges of accesses (ranges.h), from indices that are linear in the variables of loops.
#include "translate/dpia/ranges.h"

#include <algorithm>

#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

void Places::add(const std::optional<Range>& r) {
  all = all || !r;
  if (all) ranges.clear();
  if (!all && std::find(ranges.begin(), ranges.end(), *r) == ranges.end()) ranges.push_back(*r);
}
void Places::add(const Places& p) {
  if (p.all) add(std::optional<Range>());
  for (const Range& r : p.ranges) add(std::optional(r));
}

Ranges::Ranges(const Program& p, const Stmt& code, const SizeContext& facts) : facts_(facts) {
  each_statement(p.body, [&](const Stmt& x) {
    if (const auto* d = std::get_if<Declare>(&x.node)) extents_[d->name];
    if (const auto* d = std::get_if<Shuffle>(&x.node)) extents_[d->name];
  });
  const auto note = [&](const std::string& name, const Expr& extent) {
    const auto size = as_size(extent);
    if (const auto [it, is_new] = extents_.emplace(name, size); !is_new && it->second != size) it->second.reset();
  };
  each_statement(code, [&](const Stmt& x) {
    if (const auto* f = std::get_if<For>(&x.node)) note(f->name, f->extent);
    if (const auto* l = std::get_if<ParallelFor>(&x.node)) note(l->name, l->extent);
  });
  for (const auto& [name, extent] : extents_)
    if (extent && natural(*extent) && at_most(*extent, 1)) once_.emplace(name, Size(0));
}

bool Ranges::at_most_once(const Expr& extent) const {
  const auto n = as_size(extent);
  return n && natural(*n) && at_most(*n, 1);
}
bool Ranges::once_or_more(const Expr& extent) const {
  const auto n = as_size(extent);
  return n && natural(*n) && at_most(1, *n);
}

std::optional<Range> Ranges::range_of(const Expr& index, int width, const std::vector<std::string>& dealt) const {
  const auto i = as_size(index);
  if (!i) return {};
  const Range out{over({*i, *i + width}), part_of(*i, width, dealt)};
  return out.whole || out.part ? std::optional(out) : std::nullopt;
}

std::optional<Interval> Ranges::over(Interval out) const {
  std::set<std::string> names;
  constexpr int most = 8;  // extents may speak of other loops
  for (int k = 0; k < most; ++k) {
    names.clear();
    collect_names(out.first, names), collect_names(out.end, names);
    std::erase_if(names, [&](const std::string& n) { return !extents_.contains(n); });
    if (names.empty()) return out;
    const std::string& name = *names.begin();
    const auto& extent = extents_.at(name);
    if (!extent) return {};
    for (Size* end : {&out.first, &out.end}) {
      const Size next = substitute(*end, {{name, Size::name(name) + 1}});
      const bool up = at_most(*end, next);
      if (!up && !at_most(next, *end)) return {};
      const bool at_start = up == (end == &out.first);
      *end = substitute(*end, {{name, at_start ? Size(0) : *extent - 1}});
    }
  }
  return {};
}

namespace {
// Over names that are 1 or more: of two strides, which is the greater where there is anything to do.
Size from_one(const Size& s) {
  std::set<std::string> names;
  collect_names(s, names);
  SizeSubstitution next;
  for (const std::string& n : names) next.emplace(n, Size::name(n) + 1);
  return substitute(s, next);
}
}  // namespace

std::optional<OwnPart> Ranges::part_of(const Size& index, int width, const std::vector<std::string>& dealt) const {
  if (dealt.empty()) return {};
  OwnPart out;
  Size rest = index;
  // Takes name * stride out of the rest; nothing where the index is not linear in it, or its stride changes.
  const auto stride_of = [&](const std::string& name) -> std::optional<Size> {
    const Size start = substitute(rest, {{name, Size(0)}});
    const Size stride = substitute(rest, {{name, Size(1)}}) - start;
    if (!stays(stride) || !(rest == start + stride * Size::name(name))) return {};
    rest = start;
    return stride;
  };
  for (const std::string& name : dealt) {
    const auto& extent = extents_.at(name);
    if (!extent || !stays(*extent)) return {};
    const auto stride = stride_of(name);
    if (!stride) return {};
    out.strides.push_back(*stride), out.extents.push_back(*extent);
  }
  rest = substitute(rest, once_);
  SizeContext at_work = facts_;  // where each loop has an iteration
  for (const Size& extent : out.extents) at_work.assume({1, SizeRelation::LessEqual, extent});
  const auto no_less = [&](const Size& least, const Size& stride) {
    return at_most(from_one(least), from_one(stride)) || at_work.proves({least, SizeRelation::LessEqual, stride});
  };
  std::set<std::string> names;
  collect_names(rest, names);
  for (const std::string& name : names) {
    if (!extents_.contains(name)) continue;
    const Size before = rest;
    const auto stride = stride_of(name);
    if (stride && no_less(out.rounds.empty() ? out.strides[0] : out.rounds.back(), *stride))
      out.rounds.push_back(*stride);
    else
      rest = before;
  }
  const auto first = over({rest, rest + width});
  if (!first) return {};
  out.first = *first;
  return out;
}

bool Ranges::stays(const Size& s) const {
  std::set<std::string> names;
  collect_names(s, names);
  return std::none_of(names.begin(), names.end(), [&](const std::string& n) { return extents_.contains(n); });
}

bool Ranges::natural(const Size& s) const {
  std::set<std::string> names;
  collect_names(s, names);
  return std::none_of(names.begin(), names.end(), [&](const std::string& n) {
    const auto found = extents_.find(n);
    return found != extents_.end() && !found->second;
  });
}

bool Ranges::apart(const Interval& x, const Interval& y) const {
  return at_most(x.end, y.first) || at_most(y.end, x.first);
}

// Of two different threads, the innermost loop first: what an iteration of it has of both is no longer than its stride,
// and so on, outwards: then places are equal where all iterations are. (Accesses that happen have a scalar or more
// each, so that a stride with room for both is at least 1.)
bool Ranges::apart(const OwnPart& x, const OwnPart& y) const {
  if (x.strides != y.strides || x.rounds != y.rounds) return false;
  Interval a = x.first, b = y.first;
  const auto fit = [&](const Size& stride) {
    return at_most(a.end - b.first, stride) && at_most(b.end - a.first, stride);
  };
  for (std::size_t k = x.strides.size(); k-- > 0;) {
    if (at_most(x.extents[k], 1) && at_most(y.extents[k], 1)) continue;
    const bool down = !at_most(0, x.strides[k]);
    if (!fit(down ? 0 - x.strides[k] : x.strides[k])) return false;
    for (const auto& [i, extent] : {std::pair{&a, &x.extents[k]}, std::pair{&b, &y.extents[k]}}) {
      Size& moved = down ? i->first : i->end;
      moved = moved + (*extent - 1) * x.strides[k];
    }
  }
  // Of the rounds only the first may be as long as all threads are; its own extent is not known.
  return x.rounds.empty() || (x.rounds.size() == 1 && fit(x.rounds[0]));
}

// Thread 0, and every thread but that one.
bool Ranges::apart_from_first(const Interval& first, const OwnPart& y) const {
  return y.rounds.empty() && std::all_of(y.strides.begin(), y.strides.end(), [&](const Size& stride) {
           return at_most(0, stride) && at_most(first.end, y.first.first + stride);
         });
}

bool Ranges::apart(const Range& x, Who by, const Range& y, Who by_too) const {
  if (x.whole && y.whole && apart(*x.whole, *y.whole)) return true;
  if (by == Who::Threads && by_too == Who::Threads) return x.part && y.part && apart(*x.part, *y.part);
  if (by == Who::First && by_too == Who::Threads) return x.whole && y.part && apart_from_first(*x.whole, *y.part);
  if (by == Who::Threads && by_too == Who::First) return apart(y, by_too, x, by);
  return false;
}

bool Ranges::meet(const Accessed& a, Who by, const Accessed& b, Who by_too) const {
  if (by == Who::First && by_too == Who::First) return false;
  return std::any_of(a.begin(), a.end(), [&](const auto& x) {
    const auto found = b.find(x.first);
    if (found == b.end()) return false;
    const Places &mine = x.second, &other = found->second;
    return mine.all || other.all || std::any_of(mine.ranges.begin(), mine.ranges.end(), [&](const Range& r) {
             return std::any_of(other.ranges.begin(), other.ranges.end(),
                                [&](const Range& q) { return !apart(r, by, q, by_too); });
           });
  });
}

}  // namespace lockstep
