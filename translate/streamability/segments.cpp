// The rules of the streamability analysis for descriptors: what they distribute, pick, cut, append and merge.
#include <algorithm>

#include "translate/streamability/analysis.h"

namespace lockstep::streaming {

// Flags become a descriptor where they are used as one: false for an element, true for the end of a piece. It cuts up
// the traversal of the flags themselves.
Descriptor Analysis::descriptor(StreamId s) {
  if (stream(s).descriptor) return *stream(s).descriptor;
  const Predicate p = stream(s).predicate;
  const auto found = flags_.find(p);
  if (found != flags_.end()) return found->second;
  const int c = stream(s).clock;
  if (constants_.contains(p.key)) {  // all segments are empty
    const int child = new_source(c);
    return flags_.emplace(p, Descriptor{child, c, span_between(child, c), {}}).first->second;
  }
  const Descriptor d{part(c, !p), part(c, p), add_span(), {}, false, true};
  cut(d, p);
  flags_.emplace(p, d);
  return d;
}

void Analysis::cut(const Descriptor& d, Predicate ends) {
  traverse(d.child, d.parent, d.span);
  pinned_.push_back(d.span);
  cuts_[ends].push_back(d.span);
  for (const Node v : picked_[ends]) order_.before(span(d.span).end, v, now_);
}

// The stream is a descriptor: its elements are ticks, of which the true ones count the parent's.
void Analysis::define(const Descriptor& d) {
  Clock flags;
  flags.kind = Clock::Kind::Flags;
  flags.base = d.child;
  flags.parent = d.parent;
  now().clock = add_clock(std::move(flags));
  now().descriptor = d;
  parts_.try_emplace(now().predicate, d.parent);
  parts_.try_emplace(!now().predicate, d.child);
}

// A value for a whole segment waits in front of it; one that is known with the segment's first flag, in it.
void Analysis::before_traversal(StreamId x, const Descriptor& d) {
  agree(x, d.parent, span(d.span).ready);
  before_segment(x, d);
}

void Analysis::before_segment(StreamId x, const Descriptor& d) {
  const bool counts_pieces = stream(x).descriptor && stream(x).descriptor->counts_pieces;
  uses(x, span(d.span).ready);
  order_.before(stream(x).node, span(d.span).ready, now_, counts_pieces ? other_loop : 0);
  for (const StreamId g : stream(x).awaits_first_of) {
    const Descriptor e = descriptor(g);
    const std::vector<int> around = picked_from(d.child);
    const bool inside = std::any_of(around.begin(), around.end(), [&](int c) { return same(c, e.child); });
    if (inside && locksteps_.same(d.span, e.span))
      order_.before(stream(g).node, now().node, now_);
    else
      order_.before(span(e.span).end, span(d.span).ready, now_);
  }
}

Predicate Analysis::spread(StreamId b, StreamId f) {
  const Predicate p = stream(b).predicate;
  const int key = intern({static_cast<std::int64_t>(Opcode::Pdist), p.key, stream(f).value});
  if (const auto constant = constants_.find(p.key); constant != constants_.end()) constants_[key] = constant->second;
  return {key, p.positive};
}

// pdist s f. Where f is of pieces, s may be as late as what counts the pieces.
void Analysis::pdist(const Instr& i) {
  const StreamId s = i.arguments[0], f = i.arguments[1];
  const Descriptor d = descriptor(f);
  before_traversal(s, d);
  reads(f, now().node);
  if (d.pieces)
    for (const int c : picked_from(d.parent))
      for (const Node v : counting_[clock(c)]) {
        order_.before(v, now().node, now_);
        uses(s, now().node, v);
      }
  now().clock = d.child;
  now().predicate = spread(s, f);
}

// upack f b: whole segments.
void Analysis::upack(const Instr& i) {
  const StreamId f = i.arguments[0], b = i.arguments[1];
  Descriptor d = descriptor(f);
  before_traversal(b, d);
  reads(f, now().node);
  d.child = part(d.child, spread(b, f));
  d.parent = picked(stream(b).clock, b);
  if (const Clock& c = of(d.parent); c.for_parent) within_[d.span] = c.single_in->span;
  d.guard.reset();
  traverse(d.child, d.parent, d.span);
  define(d);
}

// b2u b: one element where b, none elsewhere. Where b ends pieces, its element comes with the end of the piece; where b
// is `cons T ends`, with the beginning: the same clock.
void Analysis::b2u(const Instr& i) {
  const StreamId b = i.arguments[0];
  const Instr& definition = instr(b);
  const bool heads = definition.opcode == Opcode::Cons && definition.atom == snesl::bool_atom(true);
  const Predicate p = stream(heads ? definition.arguments[0] : b).predicate;
  const int parent = stream(b).clock;
  Descriptor d{part(parent, p), parent, add_span(), p, true, false, heads};
  if (heads) d.guard.reset();
  uses(b, now().node);
  carries(b, now().node);
  order_.before(stream(b).node, span(d.span).start, now_);
  if (!heads) {
    picked_[p].push_back(now().node);
    for (const int s : cuts_[p]) order_.before(span(s).end, now().node, now_);
  }
  counting_[clock(d.child)].push_back(now().node);
  traverse(d.child, d.parent, d.span);
  define(d);
}

// ends e: pieces of the traversal of e.
void Analysis::ends(const Instr& i) {
  const StreamId e = i.arguments[0];
  const Predicate p = stream(e).predicate;
  const auto constant = constants_.find(p.key);
  const bool each = constant != constants_.end() && constant->second == p.positive;  // is a piece
  const Descriptor d{stream(e).clock, part(stream(e).clock, p), add_span(), {}, each, true};
  reads(e, now().node);
  cut(d, p);
  define(d);
}

// Segments of one element or none, picked from the parent's elements: what they have inside is there with those.
bool Analysis::at_most_one(const Descriptor& f) {
  if (f.counts_pieces) return false;
  const std::vector<int> from = picked_from(f.child);
  return f.picks || std::any_of(from.begin(), from.end(), [&](int c) { return same(c, f.parent); });
}

// The segments of g as those of f, which each has some of. Where f has one at most, both belong to one loop.
Descriptor Analysis::flat(const Descriptor& f, const Descriptor& g) {
  Descriptor d{g.child, f.parent, f.span, f.guard, f.picks && g.picks, false, g.counts_pieces};
  if (at_most_one(f)) {
    d.span = add_span();
    contain(d.span, g.span);
    contain(d.span, f.span);
  } else if (!same(g.parent, f.child) && same(g.parent, f.parent)) {
    d.span = g.span;
  }
  return d;
}

// usegsum f g: an element of f, then its segment of g.
void Analysis::usegsum(const Instr& i) {
  const StreamId f = i.arguments[0], g = i.arguments[1];
  const Descriptor df = descriptor(f), dg = descriptor(g), d = flat(df, dg);
  parents_agree(dg.parent, df.child, span(dg.span).ready);
  before_segment(f, dg);
  reads(g, now().node);
  order_.before(stream(g).node, now().node, now_);
  if (dg.picks) {
    waits(f, now().node);
    counting_[clock(d.child)].push_back(now().node);
    of(d.child).instr = now_;  // reports name the whole comprehension
  }
  traverse(d.child, d.parent, d.span);
  define(d);
}

// uempty f: with the first flag of each segment.
void Analysis::uempty(const Instr& i) {
  const StreamId f = i.arguments[0];
  const Descriptor d = descriptor(f);
  consumed({f});
  order_.before(span(d.span).start, now().node, now_);
  now().clock = d.parent;
  now().awaits_first_of = {f};
}

// umerge f1 ... fk: the segments of all in turn, k for each element of the parent.
void Analysis::umerge(const Instr& i) {
  std::vector<Descriptor> ds;
  std::vector<int> values;
  for (const StreamId f : i.arguments) {
    ds.push_back(descriptor(f));
    values.push_back(stream(f).value);
    parents_agree(ds.back().parent, ds[0].parent, span(ds.back().span).start);
    reads(f, now().node);
  }
  const Clock::Piece all = in_turn(ds, values);
  const int parent = new_source(ds[0].parent);
  contain(span_between(parent, ds[0].parent), all.span);
  const int s = add_span();
  order_.together(span(s).start, span(all.span).start);
  together_.join(all.span, s);
  traverse(all.clock, parent, s);
  define(Descriptor{all.clock, parent, s, {}});
}

// uappend f1 ... fk; segmerge f1 s1 ... fk sk.
void Analysis::merge_segments(const Instr& i) {
  const bool elements = i.opcode == Opcode::Segmerge;
  std::vector<Descriptor> ds;
  std::vector<int> values;
  std::vector<Part> parts;
  for (std::size_t k = 0; k < i.arguments.size(); k += elements ? 2 : 1) {
    const StreamId f = i.arguments[k];
    ds.push_back(descriptor(f));
    values.push_back(stream(f).value);
    parents_agree(ds.back().parent, ds[0].parent, span(ds.back().span).start, ds.back().span);
    uses(f, now().node);
    carries(f, now().node);
    if (!elements) {
      order_.before(stream(f).node, now().node, now_);
      continue;
    }
    agree(i.arguments[k + 1], ds.back().child, now().node);
    reads(i.arguments[k + 1], now().node);
    parts.push_back({stream(i.arguments[k + 1]).predicate, ds.back().child});
    if (ds.back().picks || at_most_one(ds.back())) waits(i.arguments[k + 1], span(ds.back().span).end);
  }
  const Clock::Piece all = in_turn(ds, values);
  now().clock = all.clock;
  if (elements) {
    sequences_.emplace(now().predicate.key, std::move(parts));
    return;
  }
  Descriptor d{all.clock, ds[0].parent, all.span, {}};
  for (const Descriptor& part : ds) d.counts_pieces |= part.counts_pieces;
  if (d.counts_pieces) counting_[clock(d.child)].push_back(now().node);
  define(d);
}

// usegmerge f1 g1 ... fk gk: as segmerge, and the elements are the segments of g.
void Analysis::usegmerge(const Instr& i) {
  std::vector<Descriptor> outer, inner, all;
  std::vector<int> outer_values, all_values;
  for (std::size_t k = 0; k < i.arguments.size(); k += 2) {
    const StreamId f = i.arguments[k], g = i.arguments[k + 1];
    outer.push_back(descriptor(f));
    inner.push_back(descriptor(g));
    all.push_back(flat(outer.back(), inner.back()));
    outer_values.push_back(stream(f).value);
    Instr flattened;
    flattened.opcode = Opcode::Usegsum;
    flattened.arguments = {f, g};
    all_values.push_back(value_of(flattened));
    parents_agree(outer.back().parent, outer[0].parent, span(outer.back().span).start);
    parents_agree(inner.back().parent, outer.back().child, span(inner.back().span).ready);
    before_segment(f, inner.back());
    reads(g, now().node);
  }
  const Clock::Piece parents = in_turn(outer, outer_values), children = in_turn(all, all_values);
  // What is gone through with the only element of a segment is gone through in it.
  for (std::size_t k = 0; k < inner.size(); ++k)
    if (std::vector<int> spans; at_most_one(outer[k]) || one_way(outer[k].child, inner[k].parent, &spans))
      contain(parents.span, inner[k].span);
  const bool one = same(parents.clock, outer[0].parent);
  int s = one ? children.span : inner[0].span;
  for (const Descriptor& d : inner)
    if (!one && !locksteps_.same(d.span, inner[0].span)) s = -1;
  if (s < 0) {
    s = add_span();
    for (const Descriptor& d : inner) contain(s, d.span);
  }
  traverse(children.clock, parents.clock, s);
  Descriptor d{children.clock, parents.clock, s, {}};
  for (const Descriptor& part : inner) d.pieces |= part.pieces;
  for (const Descriptor& part : all) d.counts_pieces |= part.counts_pieces;
  if (d.counts_pieces) counting_[clock(d.child)].push_back(now().node);
  define(d);
}

}  // namespace lockstep::streaming
