// Trees of streams, the leaves of parameters, mnemonics, and the trap that `check` makes.
#include "semantics/svcode/program.h"

#include "semantics/svcode/instruction.h"

namespace lockstep::svcode {
namespace {

void add_leaves(const snesl::Type& t, bool base, std::vector<InputLeaf>& into) {
  match(
      t.node,
      [&](Prim p) {
        into.push_back({p, base});
      },
      [&](const snesl::TupleType& tuple) {
        for (const snesl::Type& item : tuple.items) add_leaves(item, base, into);
      },
      [&](const snesl::VectorType& v) {
        add_leaves(*v.element, true, into);
        into.insert(into.end(), 2, {Prim::Int, base});
      },
      [&](const snesl::SequenceType& s) {
        add_leaves(*s.element, base, into);
        into.push_back({Prim::Bool, base});
      });
}

// {k} in a message.
std::optional<std::size_t> placeholder(std::string_view text, std::size_t at) {
  if (at + 2 >= text.size() || text[at] != '{' || text[at + 2] != '}') return std::nullopt;
  return text[at + 1] >= '0' && text[at + 1] <= '9' ? std::optional<std::size_t>(text[at + 1] - '0') : std::nullopt;
}

}  // namespace

Trees::Trees(std::initializer_list<Tree> parts) {
  if (parts.size() > 0) parts_ = std::make_shared<std::vector<Tree>>(parts);
}
std::size_t Trees::size() const { return parts_ ? parts_->size() : 0; }
const Tree& Trees::operator[](std::size_t k) const { return (*parts_)[k]; }
const Tree& Trees::at(std::size_t k) const {
  if (k >= size()) throw Bug("a part that a tree of streams lacks");
  return (*parts_)[k];
}
const Tree* Trees::begin() const { return parts_ ? parts_->data() : nullptr; }
const Tree* Trees::end() const { return begin() + size(); }
void Trees::push_back(Tree part) {
  if (!parts_)
    parts_ = std::make_shared<std::vector<Tree>>();
  else if (parts_.use_count() > 1)
    parts_ = std::make_shared<std::vector<Tree>>(*parts_);
  parts_->push_back(std::move(part));
}

Tree renamed(const Tree& t, const std::function<StreamId(StreamId)>& to) {
  Tree result{t.leaf, {}, t.unit};
  if (!t.unit && t.children.empty()) result.leaf = to(t.leaf);
  for (const Tree& c : t.children) result.children.push_back(renamed(c, to));
  return result;
}

std::string mnemonic_of(const Instr& i) {
  std::string r(name_of(i.opcode));
  if (const OperatorRef op = i.op()) r.append("_").append(snesl::name_of(op));
  if (const auto* monoid = std::get_if<Monoid>(&i.payload)) r.append("_").append(snesl::name_of(*monoid));
  return r;
}

void Instr::lacks() const { throw Bug(std::string(svcode::name_of(opcode)) + " has no such thing beside its streams"); }
OperatorRef Instr::op() const {
  if (const auto* compared = std::get_if<Comparison>(&payload)) return compared->op;
  const auto* own = std::get_if<OperatorRef>(&payload);
  return own ? *own : nullptr;
}
Monoid Instr::monoid() const { return part<Monoid>(); }
const Atom& Instr::atom() const {
  const auto* repeated = std::get_if<Repeated>(&payload);
  return repeated ? repeated->atom : part<Atom>();
}
Atom& Instr::atom() { return const_cast<Atom&>(std::as_const(*this).atom()); }
std::int64_t Instr::number() const {
  if (const auto* repeated = std::get_if<Repeated>(&payload)) return repeated->number;
  if (const auto* compared = std::get_if<Comparison>(&payload)) return compared->number;
  return part<Number>().number;
}

std::vector<std::int64_t> key_of(const Instr& i) {
  std::vector<std::int64_t> r{static_cast<std::int64_t>(i.opcode), static_cast<std::int64_t>(i.type)};
  const auto add = [&](auto... numbers) { (r.push_back(static_cast<std::int64_t>(numbers)), ...); };
  const auto add_text = [&](const std::string& text) {
    add(text.size());
    r.insert(r.end(), text.begin(), text.end());
  };
  match(
      i.payload, [](std::monostate) {}, [&](const Number& n) { add(n.number); },
      [&](const Atom& a) { add(a.type, a.integer); },
      [&](const Repeated& a) { add(a.atom.type, a.atom.integer, a.number); },
      [&](OperatorRef op) { add(snesl::key_of(op)); }, [&](const Comparison& c) { add(snesl::key_of(c.op), c.number); },
      [&](Monoid m) { add(m); }, [&](const Failure& f) { add_text(f.primitive), add_text(f.text); });
  return r;
}

std::vector<InputLeaf> input_leaves(const snesl::Type& t) {
  std::vector<InputLeaf> r;
  add_leaves(t, false, r);
  return r;
}
std::vector<InputLeaf> input_leaves(const Program& p) {
  std::vector<InputLeaf> r;
  for (const snesl::Type& t : p.parameters) add_leaves(t, false, r);
  return r;
}

Trap trap_of(const Instr& check, std::span<const Atom> values) {
  std::string message;
  const std::string& text = check.failure().text;
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<std::size_t> k = placeholder(text, at);
    if (k && *k < values.size()) {
      message += show(values[*k]);
      at += 3;
    } else {
      message += text[at++];
    }
  }
  return {check.failure().primitive, message, check.region};
}

}  // namespace lockstep::svcode
