// The types of SVCODE (Fig. 4.1, grown by what the built-ins need): a row of argument types for each instruction.
#include <map>

#include "semantics/svcode/instruction.h"
#include "semantics/svcode/text.h"

namespace lockstep::svcode {
namespace {

using snesl::Type;

// What is wrong; thrown inside this file only.
struct Wrong {
  std::string what;
};
[[noreturn]] void wrong(const std::string& what) { throw Wrong{what}; }
std::string shown(Prim p) { return std::string(snesl::show(p)); }

class Checker {
 public:
  Checker(const Program& p, bool is_network) : p_(p), is_network_(is_network), inputs_(input_leaves(p)) {}

  void program() {
    if (p_.parameters.size() != p_.parameter_names.size()) wrong("there are not as many parameters as names of them");
    for (const Instr& i : p_.instructions) {
      try {
        instruction(i);
      } catch (const Wrong& w) {
        wrong(name_of(i.id) + " := " + mnemonic_of(i) + ": " + w.what);
      }
      defined_[i.id] = &i;
    }
    try {
      result(p_.result, p_.result_type);
    } catch (const Wrong& w) {
      wrong("the result: " + w.what);
    }
  }

 private:
  Prim type_of(StreamId s) const {
    const auto found = defined_.find(s);
    if (found == defined_.end()) wrong(name_of(s) + " is not defined before");
    return found->second->type;
  }
  void gives(const Instr& i, Prim p) const {
    if (i.type != p) wrong("its elements are " + shown(p) + ", not " + shown(i.type));
  }
  void takes(const Instr& i, std::initializer_list<Prim> types) const {
    if (i.arguments.size() != types.size())
      wrong("it takes " + std::to_string(types.size()) + " streams, not " + std::to_string(i.arguments.size()));
    std::size_t k = 0;
    for (const Prim p : types) argument(i, k++, p);
  }
  void argument(const Instr& i, std::size_t k, Prim p) const {
    const Prim found = type_of(i.arguments[k]);
    if (found != p)
      wrong("argument " + std::to_string(k + 1) + ", " + name_of(i.arguments[k]) + ", is of " + shown(found) +
            ", not " + shown(p));
  }
  // f1 s1 ... fk sk, or s1 ... sk: each group of `types`, at least one group.
  void repeats(const Instr& i, std::initializer_list<Prim> types) const {
    if (i.arguments.empty() || i.arguments.size() % types.size() != 0)
      wrong("it takes groups of " + std::to_string(types.size()) + ", at least one, not " +
            std::to_string(i.arguments.size()) + " streams");
    for (std::size_t k = 0; k < i.arguments.size(); ++k) argument(i, k, types.begin()[k % types.size()]);
  }
  void constant(const Instr& i) const {
    if (i.atom.type != i.type) wrong("its constant is of " + shown(i.atom.type) + ", not " + shown(i.type));
  }
  void monoid(const Instr& i) const {
    const bool boolean = i.monoid == Monoid::Or || i.monoid == Monoid::And;
    if (boolean ? i.type != Prim::Bool : i.type != Prim::Int && i.type != Prim::Real)
      wrong("there is no such reduction of " + shown(i.type));
  }
  void map(const Instr& i) const {
    std::vector<Prim> operands;
    for (const StreamId s : i.arguments) operands.push_back(type_of(s));
    const std::optional<Prim> type = snesl::result_type(i.op, operands);
    if (!type) wrong("the operator does not take these types");
    gives(i, *type);
  }
  void input(const Instr& i) const {
    takes(i, {});
    if (is_network_ && i.number == -1) return;  // what another part gives
    if (i.number < 0 || static_cast<std::size_t>(i.number) >= inputs_.size())
      wrong("the parameters have " + std::to_string(inputs_.size()) + " leaves");
    gives(i, inputs_[static_cast<std::size_t>(i.number)].type);
  }
  // The base of a vector: segtab, or an input that is one.
  void grouped(const Instr& i) const {
    const Instr& base = *defined_.at(i.arguments[2]);
    const bool is_base = base.opcode == Opcode::Segtab ||
                         (base.opcode == Opcode::Input && inputs_[static_cast<std::size_t>(base.number)].base);
    if (!is_base) wrong(name_of(base.id) + " is not grouped: neither segtab nor the base of a vector among the inputs");
  }
  void check(const Instr& i) const {
    if (i.arguments.empty()) wrong("it takes a condition");
    argument(i, 0, Prim::Bool);
    for (const StreamId s : i.arguments) type_of(s);
    gives(i, Prim::Unit);
    if (i.primitive.empty()) wrong("it names no primitive");
  }
  void any(const Instr& i) const {  // one stream of any type
    if (i.arguments.size() != 1) wrong("it takes 1 stream, not " + std::to_string(i.arguments.size()));
    type_of(i.arguments[0]);
  }

  // What networks only have.
  void forms(const Instr& i) const {
    if (!is_network_ && (is_fused(i.opcode) || !i.short_arguments.empty() || i.unbounded))
      wrong("SVCODE has no such instruction, networks of transducers have");
    for (std::size_t k = 0; k < i.short_arguments.size(); ++k)
      if (i.short_arguments[k] && !reads_segments(i.opcode, k))
        wrong("argument " + std::to_string(k + 1) + " is read in short form, and is no descriptor here");
  }
  void comparison(const Instr& i) const {
    takes(i, {Prim::Bool, Prim::Bool, Prim::Int}), gives(i, Prim::Bool);
    if (!snesl::is_comparison(i.op)) wrong("the operator compares nothing");
    if (i.number != 0 && i.number != 1) wrong("a comparison has two operands");
  }

  void instruction(const Instr& i) const {
    if (!defined_.empty() && i.id <= defined_.rbegin()->first) wrong("streams are not numbered upwards");
    forms(i);
    constexpr Prim Unit = Prim::Unit, Bool = Prim::Bool, Int = Prim::Int, Char = Prim::Char;
    const Prim t = i.type;
    switch (i.opcode) {
      case Opcode::Ctrl:
        return takes(i, {}), gives(i, Unit);
      case Opcode::Input:
        return input(i);
      case Opcode::Rep:
        return any(i), constant(i);
      case Opcode::Constant:
        takes(i, {}), constant(i);
        if (i.number < 0) wrong("a stream has no negative length");
        return;
      case Opcode::Map:
        return map(i);
      case Opcode::Usum:
        return takes(i, {Bool}), gives(i, Unit);
      case Opcode::Pdist:
        return takes(i, {t, Bool});
      case Opcode::Pack:
        return takes(i, {t, Bool});
      case Opcode::Upack:
        return takes(i, {Bool, Bool}), gives(i, Bool);
      case Opcode::B2u:
        return takes(i, {Bool}), gives(i, Bool);
      case Opcode::Unpack:
        return takes(i, {Bool, t, t});
      case Opcode::ToFlags:
        return takes(i, {Int}), gives(i, Bool);
      case Opcode::Lens:
        return takes(i, {Bool}), gives(i, Int);
      case Opcode::Short:
        return takes(i, {Bool}), gives(i, Bool);
      case Opcode::Ends:
        return takes(i, {Bool}), gives(i, Bool);
      case Opcode::Cons:
        return takes(i, {t}), constant(i);
      case Opcode::Segscan:
        return takes(i, {t, Bool}), monoid(i);
      case Opcode::Segreduce:
        return takes(i, {t, Bool}), monoid(i);
      case Opcode::Iotas:
        return takes(i, {Bool}), gives(i, Int);
      case Opcode::Usegsum:
        return takes(i, {Bool, Bool}), gives(i, Bool);
      case Opcode::Uempty:
        return takes(i, {Bool}), gives(i, Bool);
      case Opcode::Pmerge:
        return repeats(i, {t});
      case Opcode::Umerge:
        return repeats(i, {Bool}), gives(i, Bool);
      case Opcode::Uappend:
        return repeats(i, {Bool}), gives(i, Bool);
      case Opcode::Segmerge:
        return repeats(i, {Bool, t});
      case Opcode::Usegmerge:
        return repeats(i, {Bool, Bool}), gives(i, Bool);
      case Opcode::Segtab:
        return takes(i, {t, Bool});
      case Opcode::Gather:
        return takes(i, {Int, Int, t}), grouped(i);
      case Opcode::Check:
        return check(i);
      case Opcode::ReadFile:
        return takes(i, {Int, Int, Char}), grouped(i), gives(i, Int);
      case Opcode::WriteFile:
        return takes(i, {Int, Int, Char, Char, Bool}), grouped(i), gives(i, Unit);
      case Opcode::Range:
        return takes(i, {Int}), gives(i, Int);
      case Opcode::Terminated:
        return any(i), gives(i, Bool);
      case Opcode::Reduce:
        return takes(i, {t}), monoid(i);
      case Opcode::Scan:
        return takes(i, {t}), monoid(i);
      case Opcode::ReadWhole:
        return takes(i, {Int, Int, Char}), grouped(i), gives(i, Char);
      case Opcode::UsegsumB2u:
      case Opcode::EndsAmong:
        return takes(i, {Bool, Bool}), gives(i, Bool);
      case Opcode::Segcount:
        return takes(i, {Bool, Bool}), gives(i, Int);
      case Opcode::CountTrue:
        return takes(i, {Bool}), gives(i, Int);
      case Opcode::CountCompare:
        return comparison(i);
      case Opcode::LastFlag:
        return any(i), gives(i, Bool);
      case Opcode::TerminatedCount:
      case Opcode::AllOf:
        return takes(i, {Bool}), gives(i, Bool);
      case Opcode::Ended:
        return takes(i, {Bool, t}), constant(i);
    }
    throw Bug("an opcode that SVCODE lacks");
  }

  // ⟦σ⟧ of §2.3.1.
  void result(const Tree& t, const Type& type) const {
    match(
        type.node,
        [&](Prim p) {
          if (t.unit || !t.children.empty()) wrong("a tree where " + shown(p) + " is one stream");
          const Prim found = type_of(t.leaf);
          if (found != p) wrong(name_of(t.leaf) + " is of " + shown(found) + ", not " + shown(p));
        },
        [&](const snesl::TupleType& tuple) {
          if (t.unit != tuple.items.empty()) wrong("a tuple of another size than " + show(type));
          children(t, tuple.items);
        },
        [&](const snesl::VectorType& v) {
          children(t, {*v.element, snesl::prim(Prim::Int), snesl::prim(Prim::Int)});
        },
        [&](const snesl::SequenceType& s) {
          children(t, {*s.element, snesl::prim(Prim::Bool)});
        });
  }
  void children(const Tree& t, const std::vector<Type>& types) const {
    if (t.children.size() != types.size())
      wrong("a tree of " + std::to_string(t.children.size()) + " where there are " + std::to_string(types.size()));
    for (std::size_t k = 0; k < types.size(); ++k) result(t.children[k], types[k]);
  }

  const Program& p_;
  const bool is_network_;
  std::vector<InputLeaf> inputs_;
  std::map<StreamId, const Instr*> defined_;
};

}  // namespace

static std::string checked(const Program& p, bool is_network) {
  try {
    Checker(p, is_network).program();
  } catch (const Wrong& w) {
    return w.what;
  }
  return "";
}
std::string check(const Program& p) { return checked(p, false); }
std::string check_network(const Program& p) { return checked(p, true); }

}  // namespace lockstep::svcode
