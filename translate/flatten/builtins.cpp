// A clause for each primitive (builtins.h). In: trees of streams; out: a tree of streams, its instructions emitted.
#include "translate/flatten/builtins.h"

#include <array>
#include <optional>

namespace lockstep::streaming {
namespace {

using snesl::Monoid;
using snesl::core::Builtin;

const Type& element_type(const Type& t) {
  if (const Type* e = snesl::element_of(t)) return *e;
  throw Bug("a primitive of SNESL is applied to " + snesl::show(t));
}
Tree sequence(Tree elements, StreamId f) { return Tree{0, {std::move(elements), leaf(f)}, false}; }
const Tree& elements_of(const Bound& b) { return b.tree.children[0]; }
StreamId descriptor_of(const Bound& b) { return b.tree.children[1].leaf; }
StreamId starts_of(const Bound& b) { return b.tree.children[1].leaf; }
StreamId lens_of(const Bound& b) { return b.tree.children[2].leaf; }

// A primitive with its arguments.
struct Application {
  Emitter& e;
  const std::vector<Bound>& arguments;
  const Type& result;
  const Control& control;
  const Bound& first() const { return arguments[0]; }
  const Bound& second() const { return arguments[1]; }
  bool alone() const { return control.lifted == Lifted::No; }
};

StreamId int_rep(const Application& a, std::int64_t n, StreamId s) { return a.e.rep(snesl::int_atom(n), s); }

Tree mkseq(const Application& a) {
  const Type& t = element_type(a.result);
  const StreamId f = a.e.to_flags(int_rep(a, static_cast<std::int64_t>(a.arguments.size()), a.control.s));
  if (a.arguments.empty()) return sequence(a.e.nothing(t, a.e.usum(f)), f);
  std::vector<Tree> items;
  for (const Bound& b : a.arguments) items.push_back(b.tree);
  return sequence(a.e.merge(t, items, a.control.lifted), f);
}

// The first of each segment, so that the others of one that is too long go on to its end, where the check finds it.
Tree the(const Application& a) {
  const StreamId f = descriptor_of(a.first()), n = a.e.lens(f);
  a.e.check(a.e.map(scalars::row<"==">(), {n, int_rep(a, 1, n)}), {n}, "the", "the sequence has {0} elements, not one");
  if (a.e.is_conditional(f)) return elements_of(a.first());
  const StreamId i = a.e.op(Opcode::Iotas, {f});
  return a.e.pack(a.result, elements_of(a.first()), a.e.map(scalars::row<"==">(), {i, int_rep(a, 0, i)}));
}

Tree append(const Application& a) {
  const StreamId f = descriptor_of(a.first()), g = descriptor_of(a.second());
  const StreamId both = a.e.op(Opcode::Uappend, {f, g});
  return sequence(a.e.segmerge(element_type(a.result), {{elements_of(a.first()), f}, {elements_of(a.second()), g}}),
                  both);
}

// How many elements of its segment stand before each flag.
StreamId places(const Application& a, StreamId f) {
  return a.e.fold(Opcode::Segscan, Monoid::Plus, {int_rep(a, 1, f), f});
}

// Flag by flag, so that it is found where the sequences part, before their elements meet: the one ends there.
Tree zip(const Application& a) {
  if (element_type(a.result) == element_type(a.first().type)) return a.first().tree;  // one alone is no tuple
  const StreamId f = descriptor_of(a.first());
  Tree tuple;
  for (const Bound& b : a.arguments) {
    const StreamId g = descriptor_of(b);
    if (g != f) {
      const StreamId same = a.e.map(scalars::row<"==">(), {f, g});
      a.e.check(same, {places(a, f)}, "zip", "sequences of unequal lengths, {0} and more");
    }
    tuple.children.push_back(elements_of(b));
  }
  return sequence(std::move(tuple), f);
}

Tree unzip(const Application& a) {
  Tree result;
  for (const Tree& c : elements_of(a.first()).children)
    result.children.push_back(sequence(c, descriptor_of(a.first())));
  return result;
}

// The flags are the inner descriptor itself; outside, each true flag is one element.
Tree flagpart(const Application& a) {
  const StreamId f = descriptor_of(a.first()), b = elements_of(a.second()).leaf, g = descriptor_of(a.second());
  const StreamId no = a.e.not_of(b);
  const StreamId same = a.e.map(scalars::row<"==">(), {f, a.e.usegsum(g, a.e.b2u(no))});
  a.e.check(same, {places(a, f)}, "flagpart", "the elements and the false flags are not as many, {0} and more");
  const StreamId inside = a.e.not_of(a.e.short_form(g));
  const StreamId last = a.e.map(scalars::row<"||">(), {b, inside});
  a.e.check(last, {a.e.op(Opcode::Iotas, {g})}, "flagpart", "the last flag, {0}, is not true");
  return sequence(sequence(elements_of(a.first()), b), a.e.usegsum(g, a.e.b2u(a.e.starts_of_pieces(b))));
}

Tree sep(const Application& a) {
  const StreamId f = descriptor_of(a.first());
  const Tree& pair = elements_of(a.first());
  const StreamId ends = a.e.map(scalars::row<"||">(), {pair.children[1].leaf, a.e.short_form(f)});
  const StreamId inner = a.e.op(Opcode::Ends, {ends});
  return sequence(sequence(pair.children[0], inner), a.e.usegsum(f, a.e.b2u(a.e.starts_of_pieces(ends))));
}

Tree concat(const Application& a) {
  const Tree& inner = elements_of(a.first());
  return sequence(inner.children[0], a.e.usegsum(descriptor_of(a.first()), inner.children[1].leaf));
}

Tree iota(const Application& a) {
  StreamId n = a.first().tree.leaf;
  n = a.e.after(a.e.check(a.e.map(scalars::row<">=">(), {n, int_rep(a, 0, n)}), {n}, "&", "the number {0} is negative"),
                n);
  if (a.alone()) {
    const StreamId i = a.e.op(Opcode::Range, {n});
    return sequence(leaf(i), a.e.op(Opcode::Terminated, {i}));
  }
  const StreamId f = a.e.to_flags(n);
  return sequence(leaf(a.e.op(Opcode::Iotas, {f})), f);
}

Tree index(const Application& a) {
  const StreamId n = lens_of(a.first());
  StreamId i = a.second().tree.leaf;
  const StreamId inside = a.e.map(scalars::row<"&&">(), {a.e.map(scalars::row<">=">(), {i, int_rep(a, 0, i)}),
                                                         a.e.map(scalars::row<"<">(), {i, n})});
  i = a.e.after(a.e.check(inside, {i, n}, "!", "index {0} is outside [0, {1})"), i);
  return a.e.gather_elements(element_type(a.first().type), starts_of(a.first()), i, elements_of(a.first()));
}

Tree fold(const Application& a, Monoid r) {
  const StreamId s = elements_of(a.first()).leaf, f = descriptor_of(a.first());
  return leaf(a.alone() ? a.e.fold(Opcode::Reduce, r, {s}) : a.e.fold(Opcode::Segreduce, r, {s, f}));
}
// Of each segment the primitive needs an element, before anything is computed of what it gives.
Tree fold_of_some(const Application& a, Monoid r, const std::string& primitive) {
  const StreamId some = a.e.not_of(a.e.op(Opcode::Uempty, {descriptor_of(a.first())}));
  const StreamId checked = a.e.check(some, {}, primitive, "the sequence is empty");
  return leaf(a.e.after(checked, fold(a, r).leaf, *snesl::as<snesl::Prim>(a.result)));
}
Tree reduce(const Application& a, Monoid r) {
  if (r == Monoid::Max) return fold_of_some(a, r, "maximum");
  if (r == Monoid::Min) return fold_of_some(a, r, "minimum");
  return fold(a, r);
}
// segreduce is short_form, segscan and pack, beside the identities of empty segments, of which there are none.
Tree reduce1(const Application& a, Monoid r) { return fold_of_some(a, r, "reduce1-" + std::string(name_of(r))); }

Tree scan(const Application& a, Monoid r) {
  const StreamId s = elements_of(a.first()).leaf, f = descriptor_of(a.first());
  return sequence(
      leaf(a.alone() ? a.e.fold(Opcode::Scan, r, {s}) : a.e.fold(Opcode::Segscan, r, {s, a.e.short_form(f)})), f);
}

// A file's characters as Int and 256 at its end: the ends are the descriptor.
Tree read_file(const Application& a) {
  const std::vector<StreamId> name = {starts_of(a.first()), lens_of(a.first()), elements_of(a.first()).leaf};
  if (a.alone()) {
    const StreamId c = a.e.op(Opcode::ReadWhole, name);
    return sequence(leaf(c), a.e.op(Opcode::Terminated, {c}));
  }
  const StreamId c = a.e.op(Opcode::ReadFile, name);
  const StreamId f = a.e.map(scalars::row<"==">(), {c, int_rep(a, 256, c)});
  return sequence(leaf(a.e.map(scalars::row<"u8">(), {a.e.ppack(c, a.e.not_of(f))})), f);
}

Tree write_file(const Application& a) {
  a.e.op(Opcode::WriteFile, {starts_of(a.first()), lens_of(a.first()), elements_of(a.first()).leaf,
                             elements_of(a.second()).leaf, descriptor_of(a.second())});
  return unit_tree();
}

}  // namespace

Tree builtin(Emitter& e, const snesl::core::Apply& apply, const std::vector<Bound>& arguments, const Type& result,
             const Control& control) {
  const Application a{e, arguments, result, control};
  switch (apply.builtin) {
    case Builtin::Scalar: {
      std::vector<StreamId> operands;
      for (const Bound& b : arguments) operands.push_back(b.tree.leaf);
      return leaf(e.map(apply.op, operands));
    }
    case Builtin::Mkseq:
      return mkseq(a);
    case Builtin::Empty:
      return leaf(e.op(Opcode::Uempty, {descriptor_of(a.first())}));
    case Builtin::The:
      return the(a);
    case Builtin::Append:
      return append(a);
    case Builtin::Zip:
      return zip(a);
    case Builtin::Unzip:
      return unzip(a);
    case Builtin::Flagpart:
      return flagpart(a);
    case Builtin::Sep:
      return sep(a);
    case Builtin::Concat:
      return concat(a);
    case Builtin::TailFlags:
      return sequence(leaf(e.short_form(descriptor_of(a.first()))), descriptor_of(a.first()));
    case Builtin::Iota:
      return iota(a);
    case Builtin::Tab:
      return e.tab(element_type(a.first().type), {elements_of(a.first()), descriptor_of(a.first())}, control.lifted);
    case Builtin::Seq: {
      Segments s = e.seq(element_type(a.first().type), a.first().tree, control.lifted);
      return sequence(std::move(s.elements), s.f);
    }
    case Builtin::Length:
      return leaf(lens_of(a.first()));
    case Builtin::SeqLength:
      return leaf(e.lens(descriptor_of(a.first())));
    case Builtin::Index:
      return index(a);
    case Builtin::Reduce:
      return reduce(a, apply.monoid);
    case Builtin::Reduce1:
      return reduce1(a, apply.monoid);
    case Builtin::Scan:
      return scan(a, apply.monoid);
    case Builtin::ReadFile:
      return read_file(a);
    case Builtin::WriteFile:
      return write_file(a);
  }
  throw Bug("a primitive of SNESL that is none");
}

Tree text(Emitter& e, const std::string& text, const Control& control) {
  const Type character = snesl::prim(Prim::Char);
  if (text.empty()) return e.nothing(snesl::vector_of(character), control.s);
  const StreamId n = e.rep(snesl::int_atom(static_cast<std::int64_t>(text.size())), control.s);
  std::array<std::optional<Tree>, 256> characters;  // one stream for each that occurs
  std::vector<Tree> items;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (!characters[code]) characters[code] = leaf(e.rep(snesl::char_atom(code), control.s));
    items.push_back(*characters[code]);
  }
  return e.tab(character, {e.merge(character, items, control.lifted), e.to_flags(n)}, control.lifted);
}

}  // namespace lockstep::streaming
