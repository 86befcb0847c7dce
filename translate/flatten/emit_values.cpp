// What is defined on types (SNESL §2.3.2, §4.3): each function is one case for each alternative of Type.
#include "translate/flatten/emit.h"

namespace lockstep::streaming {
namespace {

using snesl::SequenceType;
using snesl::TupleType;
using snesl::VectorType;

template <class F>
Tree each(const TupleType& t, F f) {
  if (t.items.empty()) return unit_tree();
  Tree result;
  for (std::size_t i = 0; i < t.items.size(); ++i) result.children.push_back(f(t.items[i], i));
  return result;
}

Tree vector_tree(Tree elements, StreamId starts, StreamId lens) {
  return Tree{0, {std::move(elements), leaf(starts), leaf(lens)}, false};
}
Tree sequence_tree(Segments s) { return Tree{0, {std::move(s.elements), leaf(s.f)}, false}; }
Segments segments_of(const Tree& v) { return {v.children[0], v.children[1].leaf}; }

std::vector<Tree> children(const std::vector<Tree>& vs, std::size_t i) {
  std::vector<Tree> result;
  for (const Tree& v : vs) result.push_back(v.children[i]);
  return result;
}
std::vector<Segments> children(const std::vector<Segments>& vs, std::size_t i) {
  std::vector<Segments> result;
  for (const Segments& v : vs) result.push_back({v.elements.children[i], v.f});
  return result;
}

// Whether its values have any stream: a tuple of empty tuples has none.
bool has_streams(const Tree& t) {
  if (t.unit) return false;
  if (t.children.empty()) return true;
  for (const Tree& c : t.children)
    if (has_streams(c)) return true;
  return false;
}

// A value each time, of the type's least kind; there is no stream of it that has an element.
svcode::Atom any_atom(Prim p) {
  if (p == Prim::Real) return snesl::real_atom(0);
  svcode::Atom a;
  a.type = p;
  return a;
}

[[noreturn]] void no_sequence() { throw Bug("a sequence stands where core SNESL wants a concrete type"); }

}  // namespace

Tree Emitter::dist(const Type& t, const Tree& v, StreamId f) {
  return match(
      t.node, [&](Prim) { return leaf(pdist(v.leaf, f)); },
      [&](const TupleType& tuple) {
        return each(tuple, [&](const Type& item, std::size_t i) { return dist(item, v.children[i], f); });
      },
      [&](const VectorType&) {
        const StreamId starts = pdist(v.children[1].leaf, f);
        return vector_tree(v.children[0], starts, pdist(v.children[2].leaf, f));
      },
      [&](const SequenceType&) -> Tree { no_sequence(); });
}

Tree Emitter::pack(const Type& t, const Tree& v, StreamId b) {
  return match(
      t.node, [&](Prim) { return leaf(ppack(v.leaf, b)); },
      [&](const TupleType& tuple) {
        return each(tuple, [&](const Type& item, std::size_t i) { return pack(item, v.children[i], b); });
      },
      [&](const VectorType&) {
        const StreamId starts = ppack(v.children[1].leaf, b);
        return vector_tree(v.children[0], starts, ppack(v.children[2].leaf, b));
      },
      [&](const SequenceType& s) {
        const auto [elements, f] = segments_of(v);
        const Tree packed = has_streams(elements) ? pack(*s.element, elements, pdist(b, f)) : elements;
        return sequence_tree({packed, op(Opcode::Upack, {f, b})});
      });
}

Tree Emitter::nothing(const Type& t, StreamId s) {
  return match(
      t.node, [&](Prim p) { return leaf(rep(any_atom(p), s)); },
      [&](const TupleType& tuple) {
        return each(tuple, [&](const Type& item, std::size_t) { return nothing(item, s); });
      },
      [&](const VectorType& v) {
        const StreamId zeros = rep(snesl::int_atom(0), s), f = to_flags(zeros);
        return vector_tree(group(*v.element, nothing(*v.element, usum(f)), f), zeros, zeros);
      },
      [&](const SequenceType& q) {
        const StreamId f = to_flags(rep(snesl::int_atom(0), s));
        return sequence_tree({nothing(*q.element, usum(f)), f});
      });
}

// Vectors have one base for all: those of several are read as sequences, merged, and tabulated anew.
Tree Emitter::merge(const Type& t, const std::vector<Tree>& vs, Lifted lifted) {
  if (vs.size() == 1) return vs[0];
  return match(
      t.node,
      [&](Prim) {
        std::vector<StreamId> leaves;
        for (const Tree& v : vs) leaves.push_back(v.leaf);
        return leaf(op(Opcode::Pmerge, leaves));
      },
      [&](const TupleType& tuple) {
        return each(tuple, [&](const Type& item, std::size_t i) { return merge(item, children(vs, i), lifted); });
      },
      [&](const VectorType& vector) {
        std::vector<Tree> sequences;
        for (const Tree& v : vs) sequences.push_back(sequence_tree(seq(*vector.element, v, lifted)));
        const Tree merged = merge(snesl::sequence_of(*vector.element), sequences, lifted);
        return tab(*vector.element, segments_of(merged), Lifted::Yes);
      },
      [&](const SequenceType& s) {
        std::vector<Segments> segments;
        std::vector<StreamId> fs;
        for (const Tree& v : vs) {
          segments.push_back(segments_of(v));
          fs.push_back(segments.back().f);
        }
        const StreamId f = op(Opcode::Umerge, fs);
        return sequence_tree({segmerge(*s.element, segments), f});
      });
}

Tree Emitter::segmerge(const Type& t, const std::vector<Segments>& vs) {
  if (vs.size() == 1) return vs[0].elements;
  return match(
      t.node,
      [&](Prim) {
        std::vector<StreamId> arguments;
        for (const Segments& v : vs) arguments.insert(arguments.end(), {v.f, v.elements.leaf});
        return leaf(op(Opcode::Segmerge, arguments));
      },
      [&](const TupleType& tuple) {
        return each(tuple, [&](const Type& item, std::size_t i) { return segmerge(item, children(vs, i)); });
      },
      [&](const VectorType& vector) {
        std::vector<Segments> sequences;
        for (const Segments& v : vs)
          sequences.push_back({sequence_tree(seq(*vector.element, v.elements, Lifted::Yes)), v.f});
        const Tree merged = segmerge(snesl::sequence_of(*vector.element), sequences);
        return tab(*vector.element, segments_of(merged), Lifted::Yes);
      },
      [&](const SequenceType& s) {
        std::vector<StreamId> arguments;
        std::vector<Segments> inner;  // a segment of v, with the elements of all its sequences
        for (const Segments& v : vs) {
          const auto [elements, g] = segments_of(v.elements);
          arguments.insert(arguments.end(), {v.f, g});
          inner.push_back({elements, has_streams(elements) ? usegsum(v.f, g) : v.f});
        }
        const StreamId g = op(Opcode::Usegmerge, arguments);
        return sequence_tree({segmerge(*s.element, inner), g});
      });
}

// segtab_τ, where the thesis leaves the base of inner vectors as it is: grouped by the inner vectors it would be
// released before the outer one is. It is brought into the order of the inner vectors, which may share or skip parts of
// it, and grouped by the outer ones. Where each outer vector holds one inner one, and these are as `tab` made them, the
// base is in that order and so grouped.
Tree Emitter::group(const Type& t, const Tree& v, StreamId f) {
  return match(
      t.node, [&](Prim) { return leaf(segtab(v.leaf, f)); },
      [&](const TupleType& tuple) {
        return each(tuple, [&](const Type& item, std::size_t i) { return group(item, v.children[i], f); });
      },
      [&](const VectorType& vector) {
        if (is_alone(f) && is_as_tabulated(v)) {
          const StreamId starts = segtab(v.children[1].leaf, f);
          return vector_tree(v.children[0], starts, segtab(v.children[2].leaf, f));
        }
        const auto [elements, g] = seq(*vector.element, v, Lifted::Yes);
        const StreamId n = v.children[2].leaf;
        const StreamId starts = segtab(fold(Opcode::Scan, snesl::Monoid::Plus, {n}), f);
        const StreamId lens = segtab(n, f);
        return vector_tree(has_streams(elements) ? group(*vector.element, elements, usegsum(f, g)) : elements, starts,
                           lens);
      },
      [&](const SequenceType&) -> Tree { no_sequence(); });
}

bool Emitter::is_alone(StreamId f) const {
  const svcode::Instr& flags = instructions_[f];
  if (flags.opcode != Opcode::ToFlags) return false;
  const svcode::Instr& n = instructions_[flags.arguments[0]];
  return n.opcode == Opcode::Rep && n.atom().type == Prim::Int && n.atom().integer == 1;
}

bool Emitter::is_as_tabulated(const Tree& v) const {
  const svcode::Instr &starts = instructions_[v.children[1].leaf], &n = instructions_[v.children[2].leaf];
  if (n.opcode != Opcode::Lens) return false;
  const bool begins = starts.opcode == Opcode::Scan && starts.monoid() == snesl::Monoid::Plus;
  const bool one = starts.opcode == Opcode::Rep && starts.atom().type == Prim::Int && starts.atom().integer == 0;
  return (begins || one) && starts.arguments[0] == n.id;
}

Tree Emitter::tab(const Type& t, const Segments& v, Lifted lifted) {
  const StreamId n = lens(v.f);
  // Absolute in the base, so not a segmented scan; one vector alone begins at 0.
  const StreamId starts =
      lifted == Lifted::Yes ? fold(Opcode::Scan, snesl::Monoid::Plus, {n}) : rep(snesl::int_atom(0), n);
  return vector_tree(group(t, v.elements, v.f), starts, n);
}

Segments Emitter::seq(const Type& t, const Tree& v, Lifted lifted) {
  const StreamId starts = v.children[1].leaf, n = v.children[2].leaf;
  if (lifted == Lifted::No) {
    const StreamId i = op(Opcode::Range, {n}), f = op(Opcode::Terminated, {i});
    const Tree& base = v.children[0];
    return {has_streams(base) ? gather_elements(t, pdist(starts, f), i, base) : base, f};
  }
  const StreamId f = to_flags(n);
  const Tree& base = v.children[0];
  if (!has_streams(base)) return {base, f};
  const StreamId at = pdist(starts, f);
  return {gather_elements(t, at, op(Opcode::Iotas, {f}), base), f};
}

Tree Emitter::gather_elements(const Type& t, StreamId starts, StreamId i, const Tree& v) {
  return match(
      t.node, [&](Prim) { return leaf(gather(starts, i, v.leaf)); },
      [&](const TupleType& tuple) {
        return each(tuple,
                    [&](const Type& item, std::size_t k) { return gather_elements(item, starts, i, v.children[k]); });
      },
      [&](const VectorType&) {
        const StreamId inner = gather(starts, i, v.children[1].leaf);
        return vector_tree(v.children[0], inner, gather(starts, i, v.children[2].leaf));
      },
      [&](const SequenceType&) -> Tree { no_sequence(); });
}

}  // namespace lockstep::streaming
