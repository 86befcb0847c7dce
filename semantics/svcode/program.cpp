// The names of SVCODE's instructions, and the trap that `check` makes.
#include "semantics/svcode/program.h"

#include "semantics/svcode/instruction.h"

namespace lockstep::svcode {
namespace {

constexpr OpcodeRow rows[] = {
    {Opcode::Ctrl, "ctrl"},
    {Opcode::Input, "input", Extra::Number},
    {Opcode::Rep, "rep", Extra::Atom},
    {Opcode::Constant, "constant", Extra::AtomNumber},
    {Opcode::Map, "map", Extra::Operator},
    {Opcode::Usum, "usum"},
    {Opcode::Pdist, "pdist"},
    {Opcode::Pack, "pack"},
    {Opcode::Upack, "upack"},
    {Opcode::B2u, "b2u"},
    {Opcode::Unpack, "unpack"},
    {Opcode::ToFlags, "to_flags"},
    {Opcode::Lens, "lens"},
    {Opcode::Short, "short"},
    {Opcode::Ends, "ends"},
    {Opcode::Cons, "cons", Extra::Atom},
    {Opcode::Segscan, "segscan", Extra::Monoid},
    {Opcode::Segreduce, "segreduce", Extra::Monoid},
    {Opcode::Iotas, "iotas"},
    {Opcode::Usegsum, "usegsum"},
    {Opcode::Uempty, "uempty"},
    {Opcode::Pmerge, "pmerge"},
    {Opcode::Umerge, "umerge"},
    {Opcode::Uappend, "uappend"},
    {Opcode::Segmerge, "segmerge"},
    {Opcode::Usegmerge, "usegmerge"},
    {Opcode::Segtab, "segtab"},
    {Opcode::Gather, "so_gather"},
    {Opcode::Check, "check", Extra::Trap},
    {Opcode::ReadFile, "read_file"},
    {Opcode::WriteFile, "write_file"},
    {Opcode::Range, "range"},
    {Opcode::Terminated, "terminated"},
    {Opcode::Reduce, "reduce", Extra::Monoid},
    {Opcode::Scan, "scan", Extra::Monoid},
    {Opcode::ReadWhole, "read_whole"},
    {Opcode::UsegsumB2u, "usegsum_b2u"},
    {Opcode::EndsAmong, "ends_among"},
    {Opcode::Segcount, "segcount"},
    {Opcode::CountTrue, "count_true"},
    {Opcode::CountCompare, "count_compare", Extra::OperatorNumber},
    {Opcode::LastFlag, "last_flag"},
    {Opcode::TerminatedCount, "terminated_count"},
    {Opcode::Ended, "ended", Extra::Atom},
    {Opcode::AllOf, "all_of"},
};
constexpr bool rows_in_order() {
  for (std::size_t i = 0; i < std::size(rows); ++i)
    if (static_cast<std::size_t>(rows[i].opcode) != i) return false;
  return std::size(rows) == static_cast<std::size_t>(Opcode::AllOf) + 1;
}
static_assert(rows_in_order(), "a row for each Opcode, in its order");

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

std::span<const OpcodeRow> opcode_rows() {
  return std::span<const OpcodeRow>(rows).first(static_cast<std::size_t>(Opcode::ReadWhole) + 1);
}
const OpcodeRow& row_of(Opcode o) { return rows[static_cast<std::size_t>(o)]; }
bool is_fused(Opcode o) { return o > Opcode::ReadWhole; }
std::string_view name_of(Opcode o) { return row_of(o).name; }

std::string mnemonic_of(const Instr& i) {
  std::string r(name_of(i.opcode));
  const Extra extra = row_of(i.opcode).extra;
  if (extra == Extra::Operator || extra == Extra::OperatorNumber) r.append("_").append(snesl::name_of(i.op));
  if (extra == Extra::Monoid) r.append("_").append(snesl::name_of(i.monoid));
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

bool is_base(Opcode o, std::size_t argument) {
  return argument == 2 &&
         (o == Opcode::Gather || o == Opcode::ReadFile || o == Opcode::WriteFile || o == Opcode::ReadWhole);
}

bool reads_segments(Opcode o, std::size_t argument) {
  switch (o) {
    case Opcode::Usum:
    case Opcode::Upack:
    case Opcode::Lens:
    case Opcode::Short:
    case Opcode::Iotas:
    case Opcode::Uempty:
    case Opcode::UsegsumB2u:
    case Opcode::EndsAmong:
    case Opcode::Ended:
    case Opcode::AllOf:
      return argument == 0;
    case Opcode::Pdist:
    case Opcode::Segreduce:
    case Opcode::Segtab:
    case Opcode::Segcount:
      return argument == 1;
    case Opcode::Usegsum:
    case Opcode::Umerge:
    case Opcode::Uappend:
    case Opcode::Usegmerge:
      return true;
    case Opcode::Segmerge:
      return argument % 2 == 0;
    case Opcode::WriteFile:
      return argument == 4;
    default:
      return false;
  }
}

bool has_effect(const Instr& i, const std::function<Prim(StreamId)>& type_of) {
  switch (i.opcode) {
    case Opcode::Check:
    case Opcode::ReadFile:
    case Opcode::WriteFile:
    case Opcode::ReadWhole:
      return true;
    case Opcode::Map:
      return snesl::can_trap(i.op, type_of(i.arguments.back()));
    default:
      return false;
  }
}

Trap trap_of(const Instr& check, std::span<const Atom> values) {
  std::string message;
  for (std::size_t at = 0; at < check.text.size();) {
    const std::optional<std::size_t> k = placeholder(check.text, at);
    if (k && *k < values.size()) {
      message += show(values[*k]);
      at += 3;
    } else {
      message += check.text[at++];
    }
  }
  return {check.primitive, message, check.region};
}

}  // namespace lockstep::svcode
