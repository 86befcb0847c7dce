// The types of SVCODE (Fig. 4.1, grown by what the built-ins need), as the rows of opcodes.h have them.
#include <map>

#include "semantics/core/table.h"
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
  Checker(const Program& p, const Forms* network, Rows rows)
      : p_(p), network_(network), rows_(rows), inputs_(input_leaves(p)) {}

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
    if (network_) named();
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
  static std::optional<Prim> given(ElementType t, const Instr& i) {
    return t == ElementType::Own ? i.type : prim_of(t);
  }
  void gives(const Instr& i, Prim p) const {
    if (i.type != p) wrong("its elements are " + shown(p) + ", not " + shown(i.type));
  }
  void count(const Operands& o, std::size_t found) const {
    const std::size_t fixed = o.count - o.repeating;
    if (o.repeating == 0 && found != fixed) wrong("it takes " + streams(fixed) + ", not " + std::to_string(found));
    if (o.repeating == 0) return;
    if (found < fixed + o.least * o.repeating)
      wrong("it takes at least " + streams(fixed + o.least * o.repeating) + ", not " + std::to_string(found));
    if ((found - fixed) % o.repeating != 0)
      wrong("it takes groups of " + streams(o.repeating) + ", not " + std::to_string(found));
  }
  static std::string streams(std::size_t n) { return std::to_string(n) + (n == 1 ? " stream" : " streams"); }
  void arguments(const Instr& i) const {
    const Operands& o = rows_[i.opcode].operands;
    count(o, i.arguments.size());
    for (std::size_t k = 0; k < i.arguments.size(); ++k) {
      const Prim found = type_of(i.arguments[k]);
      if (const std::optional<Prim> p = given(o[k].type, i); p && found != *p)
        wrong("argument " + std::to_string(k + 1) + ", " + name_of(i.arguments[k]) + ", is of " + shown(found) +
              ", not " + shown(*p));
    }
    for (std::size_t k = 0; k < i.arguments.size(); ++k)
      if (o[k].role == Role::Base) in_memory(*defined_.at(i.arguments[k]));
  }
  // The base of a vector: segtab, or an input that is one.
  void in_memory(const Instr& base) const {
    const bool is_input =
        base.opcode == Opcode::Input && base.number() >= 0 && inputs_[static_cast<std::size_t>(base.number())].base;
    if (!is_input && !rows_[base.opcode].in_memory)
      wrong(name_of(base.id) + " is not grouped: neither segtab nor the base of a vector among the inputs");
  }

  void nothing(const Instr&) const {}
  void constant(const Instr& i) const {
    if (i.atom().type != i.type) wrong("its constant is of " + shown(i.atom().type) + ", not " + shown(i.type));
  }
  void repeated(const Instr& i) const {
    constant(i);
    if (i.number() < 0) wrong("a stream has no negative length");
  }
  void monoid(const Instr& i) const {
    const bool boolean = i.monoid() == Monoid::Or || i.monoid() == Monoid::And;
    if (boolean ? i.type != Prim::Bool : i.type != Prim::Int && i.type != Prim::Real)
      wrong("there is no such reduction of " + shown(i.type));
  }
  void computed(const Instr& i) const {
    std::vector<Prim> operands;
    for (const StreamId s : i.arguments) operands.push_back(type_of(s));
    const std::optional<Prim> type = snesl::result_type(i.op(), operands);
    if (!type) wrong("the operator does not take these types");
    gives(i, *type);
  }
  void compared(const Instr& i) const {
    if (!snesl::is_comparison(i.op())) wrong("the operator compares nothing");
    if (i.number() != 0 && i.number() != 1) wrong("a comparison has two operands");
  }
  void input(const Instr& i) const {
    if (network_ && i.number() == -1) return;  // what another part gives
    if (i.number() < 0 || static_cast<std::size_t>(i.number()) >= inputs_.size())
      wrong("the parameters have " + std::to_string(inputs_.size()) + " leaves");
    gives(i, inputs_[static_cast<std::size_t>(i.number())].type);
  }
  void trap(const Instr& i) const {
    if (i.failure().primitive.empty()) wrong("it names no primitive");
  }

  // What networks only have.
  void forms(const Instr& i) const {
    if (!network_ && rows_[i.opcode].fused) wrong("SVCODE has no such instruction, networks of transducers have");
    for (std::size_t k = 0; network_ && k < i.arguments.size(); ++k)
      if (network_->is_short(i, k) && !reads_segments(i.opcode, k, rows_))
        wrong("argument " + std::to_string(k + 1) + " is read in short form, and is no descriptor here");
  }
  // `short_operands` and `unbounded` name what is there.
  void named() const {
    for (const auto& [id, k] : network_->short_operands) {
      const auto i = defined_.find(id);
      if (i == defined_.end() || k >= i->second->arguments.size())
        throw Wrong{name_of(id) + " has no argument " + std::to_string(k + 1) + " to read in short form"};
    }
    for (const StreamId s : network_->unbounded)
      if (!defined_.count(s)) throw Wrong{name_of(s) + ", which may grow, is not defined"};
  }
  void instruction(const Instr& i) const {
    if (!defined_.empty() && i.id <= defined_.rbegin()->first) wrong("streams are not numbered upwards");
    static constexpr auto extras =
        table<Extra, void (Checker::*)(const Instr&) const>({{Extra::None, &Checker::nothing},
                                                             {Extra::Number, &Checker::input},
                                                             {Extra::Atom, &Checker::constant},
                                                             {Extra::Repeated, &Checker::repeated},
                                                             {Extra::Operator, &Checker::computed},
                                                             {Extra::Comparison, &Checker::compared},
                                                             {Extra::Monoid, &Checker::monoid},
                                                             {Extra::Failure, &Checker::trap}});
    if (i.payload.index() != static_cast<std::size_t>(rows_[i.opcode].extra))
      wrong("what it has beside its streams is not what its opcode has");
    forms(i);
    arguments(i);
    (this->*extras[rows_[i.opcode].extra])(i);
    if (const std::optional<Prim> p = given(rows_[i.opcode].gives, i)) gives(i, *p);
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
  const Forms* network_;  // null: SVCODE
  const Rows rows_;
  std::vector<InputLeaf> inputs_;
  std::map<StreamId, const Instr*> defined_;
};

}  // namespace

static std::string checked(const Program& p, const Forms* network, Rows rows) {
  try {
    Checker(p, network, rows).program();
  } catch (const Wrong& w) {
    return w.what;
  }
  return "";
}
std::string check(const Program& p, Rows rows) { return checked(p, nullptr, rows); }
std::string check_network(const Program& p, const Forms& forms, Rows rows) { return checked(p, &forms, rows); }

}  // namespace lockstep::svcode
