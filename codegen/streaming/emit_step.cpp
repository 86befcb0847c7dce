// One step as a call of its kernel, with the state that it keeps: the texts of the kernel's row, filled.
#include "codegen/streaming/emit_step.h"

#include "codegen/streaming/emit_maps.h"
#include "codegen/streaming/kernel_rows.h"
#include "semantics/core/table.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::engine {
namespace {

std::string class_of(svcode::Monoid m) {
  static constexpr auto rows = table<svcode::Monoid>({{svcode::Monoid::Plus, "Plus"},
                                                      {svcode::Monoid::Times, "Times"},
                                                      {svcode::Monoid::Max, "Max"},
                                                      {svcode::Monoid::Min, "Min"},
                                                      {svcode::Monoid::Or, "Or"},
                                                      {svcode::Monoid::And, "And"}});
  return std::string(rows[m]);
}

// How a count that is an operand of i must stand to the number.
std::string relation(const Instr& i) {
  const bool first = i.number() == 0;
  const Compares how = *i.op()->compares;
  const bool less = first != how.swapped;  // the count than the number
  switch (how.relation) {
    case Comparison::Equal:
      return "Equal";
    case Comparison::NotEqual:
      return "NotEqual";
    case Comparison::Less:
      return less ? "Less" : "Greater";
    case Comparison::LessEqual:
      return less ? "NotGreater" : "NotLess";
  }
  throw Bug("not a comparison");
}

}  // namespace

std::string reader(const Step& step, std::size_t k) { return "r" + str(step.id()) + "_" + std::to_string(k); }

namespace {

class Call {
 public:
  Call(const Network& network, const Step& step)
      : network_(network), step_(step), i_(*step.instructions[0]), id_(str(i_.id)) {}

  std::string filled(std::string_view text) const {
    std::string out;
    while (true) {
      const Spoken s = first_of(text);
      out += s.letters;
      if (!s.word) return out;
      out += (this->*words[*s.word])(s.operand);
      text = s.rest;
    }
  }

  // pdist and iotas of one descriptor, each with its part.
  std::string distribute() const {
    std::string parts;
    std::size_t k = 1;
    for (const Instr* p : step_.instructions) {
      const std::string own = "s" + str(p->id);
      parts += p->opcode == Opcode::Iotas ? ", Counted{" + own + ", a" + str(p->id) + ", 0, 0}"
                                          : ", distributed(" + own + ", " + reader(step_, k++) + ")";
    }
    return filled("distribute<{short 0}>({0}") + parts + ")";
  }

 private:
  std::string out(std::size_t) const { return "s" + id_; }
  std::string state(std::size_t) const { return "a" + id_; }
  std::string id(std::size_t) const { return id_; }
  std::string operand(std::size_t k) const { return reader(step_, k); }
  std::string short_form(std::size_t k) const { return step_.operands[k].is_short ? "true" : "false"; }
  bool is_descriptor(std::size_t k) const { return svcode::reads_segments(i_.opcode, k); }
  std::string readers(std::size_t) const {
    std::string s;
    for (std::size_t k = 0; k < step_.operands.size(); ++k) s += ", " + operand(k);
    return s;
  }
  std::string elements(std::size_t) const {
    std::string s;
    for (std::size_t k = 0; k < step_.operands.size(); ++k) s += is_descriptor(k) ? "" : ", " + operand(k);
    return s;
  }
  std::string descriptors(std::size_t) const {
    std::string s = "const AnyDescriptor f[] = {";
    for (std::size_t k = 0; k < step_.operands.size(); ++k)
      if (is_descriptor(k)) s += "{&" + operand(k) + ", " + short_form(k) + "}, ";
    return s + "};\n    ";
  }
  std::string count(std::size_t) const {
    return std::to_string(step_.operands.size() / svcode::row_of(i_.opcode).operands.repeating);
  }
  std::string atom(std::size_t) const { return literal(i_.atom()); }
  std::string number(std::size_t) const { return std::to_string(i_.number()); }
  std::string monoid(std::size_t) const { return class_of(i_.monoid()); }
  std::string relation_to_number(std::size_t) const { return relation(i_); }
  std::string cell(std::size_t) const { return cell_type(i_.type); }
  std::string groups(std::size_t) const { return network_.groups.count(i_.id) ? "&g" + id_ : "(Groups*)0"; }
  // Who reads at places of what a segtab groups.
  std::vector<StreamId> users() const {
    std::vector<StreamId> r;
    for (const auto& [user, segtab] : network_.groups)
      if (segtab == i_.id) r.push_back(user);
    return r;
  }
  std::string grouped(std::size_t) const {
    std::string s;
    for (const StreamId user : users()) s += (s.empty() ? "&g" : ", &g") + str(user);
    return s.empty() ? "" : "Groups* const g[] = {" + s + "};\n    ";
  }
  std::string all_groups(std::size_t) const {
    const std::size_t n = users().size();
    return n == 0 ? "(Groups* const*)0, 0" : "g, " + std::to_string(n);
  }
  std::string given(std::size_t) const { return "k" + str(step_.operands[0].stream); }

  using Put = std::string (Call::*)(std::size_t operand) const;
  static const Table<Word, Put, spelled.size()> words;

  const Network& network_;
  const Step& step_;
  const Instr& i_;
  const std::string id_;
};

constexpr Table<Word, Call::Put, spelled.size()> Call::words =
    table<Word, Call::Put>({{Word::Out, &Call::out},
                            {Word::State, &Call::state},
                            {Word::Id, &Call::id},
                            {Word::Reader, &Call::operand},
                            {Word::Short, &Call::short_form},
                            {Word::Readers, &Call::readers},
                            {Word::Elements, &Call::elements},
                            {Word::Descriptors, &Call::descriptors},
                            {Word::Count, &Call::count},
                            {Word::Atom, &Call::atom},
                            {Word::Number, &Call::number},
                            {Word::Monoid, &Call::monoid},
                            {Word::Relation, &Call::relation_to_number},
                            {Word::Cell, &Call::cell},
                            {Word::Groups, &Call::groups},
                            {Word::Grouped, &Call::grouped},
                            {Word::AllGroups, &Call::all_groups},
                            {Word::Given, &Call::given}});

// What a step's text is made of: of one instruction its kernel's row, of several what their kind has.
const KernelRow& row_of(const Step& step) {
  static constexpr KernelRow kinds_without{}, slices{.keeps = "i64 {state} = {}"};
  static constexpr auto kinds = table<Kernel, const KernelRow*>({{Kernel::Plain, nullptr},
                                                                 {Kernel::Cluster, &kinds_without},
                                                                 {Kernel::Distribute, &kinds_without},
                                                                 {Kernel::Slices, &slices}});
  const KernelRow* const of_kind = kinds[step.kernel];
  return of_kind ? *of_kind : kernel_of(step.instructions[0]->opcode);
}
bool is_of_bits(const Step& step) { return step.instructions[0]->type == Prim::Bool; }
std::string_view first_said(std::string_view special, std::string_view usual) {
  return special.empty() ? usual : special;
}

// The call of a step of one instruction that another part of the program gives, or that it is split along.
std::string_view call_in_parts(const Place& place) {
  if (place.is_given) return "feed({out}, k{id}, finished)";
  if (!place.is_root) return "";
  return place.is_file ? "{out}.borrow(piece->data, piece->length)" : "count_up({out}, *piece)";
}

std::string_view call_text(const Step& step, const Place& place) {
  const KernelRow& row = row_of(step);
  if (row.only_in) throw Bug("a step of its own of " + std::string(name_of(row.opcode)));
  if (is_of_bits(step) && row.never_of_bits) throw Bug("of Bools " + std::string(name_of(row.opcode)));
  const bool is_short = !step.operands.empty() && step.operands[0].is_short;
  const std::string_view usual = first_said(is_of_bits(step) ? row.call_of_bits : "", row.call);
  return first_said(call_in_parts(place), first_said(is_short ? row.of_short : "", usual));
}

}  // namespace

std::string state_declaration(const Network& network, const Step& step) {
  const KernelRow& row = row_of(step);
  return Call(network, step).filled(first_said(is_of_bits(step) ? row.keeps_of_bits : "", row.keeps));
}
std::string file_type(const Step& step) { return std::string(row_of(step).file); }

std::string call(const Network& network, const Step& step, const Place& place) {
  const Call made(network, step);
  if (step.kernel == Kernel::Distribute) return made.distribute();
  return made.filled(call_text(step, place));
}

bool has_call_in_place(const Step& step) { return !is_of_bits(step) && !row_of(step).in_place.empty(); }
std::string call_in_place(const Network& network, const Step& step) {
  return Call(network, step).filled(row_of(step).in_place);
}

}  // namespace lockstep::engine
