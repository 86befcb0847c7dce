// Ranges of accesses (ranges.h), from indices that are linear in the variables of loops.
#include "translate/dpia/ranges.h"

#include <algorithm>

#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

Extents extents_in(const Stmt& s) {
  Extents out;
  const auto note = [&](const std::string& name, const Expr& extent) {
    if (const auto [it, is_new] = out.emplace(name, as_size(extent)); !is_new) it->second.reset();
  };
  each_statement(s, [&](const Stmt& x) {
    if (const auto* f = std::get_if<For>(&x.node)) note(f->name, f->extent);
    if (const auto* p = std::get_if<ParallelFor>(&x.node)) note(p->name, p->extent);
  });
  return out;
}

void Places::add(const std::optional<Range>& r) {
  all = all || !r;
  if (all) ranges.clear();
  if (!all && std::find(ranges.begin(), ranges.end(), *r) == ranges.end()) ranges.push_back(*r);
}
void Places::add(const Places& p) {
  if (p.all) add(std::optional<Range>());
  for (const Range& r : p.ranges) add(std::optional(r));
}

Ranges::Ranges(const Stmt& code, const SizeContext& facts) : facts_(facts), extents_(extents_in(code)) {
  for (const auto& [name, extent] : extents_) changing_.insert(name);
  each_statement(code, [&](const Stmt& x) {
    if (const auto* d = std::get_if<Declare>(&x.node)) changing_.insert(d->name);
  });
}

std::optional<Range> Ranges::range_of(const Expr& index, int width, const Extents& loops,
                                      const std::vector<std::string>& dealt) const {
  const auto i = as_size(index);
  if (!i) return {};
  const auto whole = over({*i, *i + width}, loops);
  if (!whole) return {};
  return Range{*whole, part_of(*i, width, loops, dealt)};
}

std::optional<Interval> Ranges::over(Interval out, const Extents& loops) const {
  std::set<std::string> names;
  constexpr int most = 8;  // extents may speak of other loops
  for (int k = 0; k < most; ++k) {
    names.clear();
    collect_names(out.first, names), collect_names(out.end, names);
    std::erase_if(names, [&](const std::string& n) { return !changing_.contains(n) && !loops.contains(n); });
    if (names.empty()) return out;
    const auto loop = loops.find(*names.begin());
    if (loop == loops.end() || !loop->second) return {};
    const auto& [name, extent] = *loop;
    if (!extents_.at(name)) return {};
    for (Size* end : {&out.first, &out.end}) {
      const Size next = substitute(*end, {{name, Size::name(name) + 1}});
      const auto step = (next - *end).constant();
      if (!step) return {};
      const bool at_start = (*step >= 0) == (end == &out.first);
      *end = substitute(*end, {{name, at_start ? Size(0) : *extent - 1}});
    }
  }
  return {};
}

std::optional<OwnPart> Ranges::part_of(const Size& index, int width, const Extents& loops,
                                       const std::vector<std::string>& dealt) const {
  OwnPart out;
  Size rest = index;
  for (const std::string& name : dealt) {
    const auto extent = loops.find(name);
    if (extent == loops.end() || !extent->second || !extents_.at(name)) return {};
    const Size start = substitute(rest, {{name, Size(0)}});
    const Size stride = substitute(rest, {{name, Size(1)}}) - start;
    if (!(rest == start + stride * Size::name(name))) return {};
    for (const Size& fixed : {stride, *extent->second}) {
      std::set<std::string> names;
      collect_names(fixed, names);
      if (std::any_of(names.begin(), names.end(), [&](const std::string& n) { return changing_.contains(n); }))
        return {};
    }
    out.strides.push_back(stride), out.extents.push_back(*extent->second);
    rest = start;
  }
  if (dealt.empty()) return {};
  const auto first = over({rest, rest + width}, loops);
  if (!first) return {};
  out.first = *first;
  return out;
}

bool Ranges::apart(const Interval& x, const Interval& y) const {
  return at_most(x.end, y.first) || at_most(y.end, x.first);
}

// Of two different threads, the innermost loop first: what an iteration of it has of both is no longer than its stride.
bool Ranges::apart(const OwnPart& x, const OwnPart& y) const {
  if (x.strides != y.strides) return false;
  Interval a = x.first, b = y.first;
  for (std::size_t k = x.strides.size(); k-- > 0;) {
    const bool down = !at_most(0, x.strides[k]);
    const Size stride = down ? 0 - x.strides[k] : x.strides[k];
    if (!at_most(1, stride) || !at_most(a.end - b.first, stride) || !at_most(b.end - a.first, stride)) return false;
    for (const auto& [i, extent] : {std::pair{&a, &x.extents[k]}, std::pair{&b, &y.extents[k]}}) {
      Size& moved = down ? i->first : i->end;
      moved = moved + (*extent - 1) * x.strides[k];
    }
  }
  return true;
}

bool Ranges::meet(const Places& x, const Places& y, bool dealt) const {
  const auto apart_as = [&](const Range& r, const Range& q) {
    return apart(static_cast<const Interval&>(r), q) || (dealt && r.part && q.part && apart(*r.part, *q.part));
  };
  return x.all || y.all || std::any_of(x.ranges.begin(), x.ranges.end(), [&](const Range& r) {
           return std::any_of(y.ranges.begin(), y.ranges.end(), [&](const Range& q) { return !apart_as(r, q); });
         });
}

bool Ranges::meet(const Accessed& a, const Accessed& b, bool dealt) const {
  return std::any_of(a.begin(), a.end(), [&](const auto& x) {
    const auto other = b.find(x.first);
    return other != b.end() && meet(x.second, other->second, dealt);
  });
}

}  // namespace lockstep
