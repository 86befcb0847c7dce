// One step as a call of its kernel, with the state that it keeps: a row for each, in text.
#include "codegen/streaming/emit_step.h"

#include "codegen/streaming/emit_maps.h"
#include "semantics/core/table.h"

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

// What a kernel keeps from one call to the next, and its call, in which $ is what it makes, @ what it keeps, #k the
// reader of operand k and ?k whether that is in short form, | all readers, each after a comma, ! the instruction's
// atom, ^ its monoid's class, + the groups of slices that it takes, and ~ its number. No call: it is made in `call`.
struct KernelText {
  std::string_view state, call;
};
const KernelText& text_of(Kernel kernel) {
  static constexpr auto rows = table<Kernel, KernelText>(
      {{Kernel::Plain, {}}, {Kernel::Cluster, {}}, {Kernel::Distribute, {}}, {Kernel::Slices, {"i64", ""}}});
  return rows[kernel];
}
const KernelText& text_of(Opcode opcode) {
  static constexpr auto rows =
      table<Opcode, KernelText>({{Opcode::Ctrl, {"", "$.end = 1, $.done = true"}},
                                 {Opcode::Input, {}},
                                 {Opcode::Rep, {"", "rep($, #0, !)"}},
                                 {Opcode::Constant, {}},
                                 {Opcode::Map, {}},
                                 {Opcode::Usum, {"", "usum<?0>($, #0)"}},
                                 {Opcode::Pdist, {"", "pdist<?1>($, #0, #1)"}},
                                 {Opcode::Pack, {"", "pack($, #0, #1)"}},
                                 {Opcode::Upack, {"", "upack<?0>($, #0, #1)"}},
                                 {Opcode::B2u, {"", "b2u($, #0)"}},
                                 {Opcode::Unpack, {"", "unpack($, #0, #1, #2)"}},
                                 {Opcode::ToFlags, {"Copying", "to_flags($, #0, @)"}},
                                 {Opcode::Lens, {"i64", "lens<?0>($, #0, @)"}},
                                 {Opcode::Short, {"", "short_form($, #0)"}},
                                 {Opcode::Ends, {"", "ends($, #0)"}},
                                 {Opcode::Cons, {"bool", "cons($, #0, !, @)"}},
                                 {Opcode::Segscan, {"Prefix", "segscan($, #0, #1, @)"}},
                                 {Opcode::Segreduce, {"Lanes", "segreduce<^, ?1>($, #0, #1, @)"}},
                                 {Opcode::Iotas, {"i64", "iotas<?0>($, #0, @)"}},
                                 {Opcode::Usegsum, {"Copying", "usegsum<?0, ?1>($, #0, #1, @)"}},
                                 {Opcode::Uempty, {"Copying", "uempty<?0>($, #0, @)"}},
                                 {Opcode::Pmerge, {"int", "pmerge($, @|)"}},
                                 {Opcode::Umerge, {"Copying", ""}},
                                 {Opcode::Uappend, {"Copying", ""}},
                                 {Opcode::Segmerge, {"Copying", ""}},
                                 {Opcode::Usegmerge, {"Copying", ""}},
                                 {Opcode::Segtab, {"i64", ""}},
                                 {Opcode::Gather, {"", "gather($, #0, #1, #2, +)"}},
                                 {Opcode::Check, {"", "check($, ~|)"}},
                                 {Opcode::ReadFile, {"", "read_file($, ~|, file~, +)"}},
                                 {Opcode::WriteFile, {"", "write_file<?4>($|, file~, outputs, +)"}},
                                 {Opcode::Range, {"", "range($, #0)"}},
                                 {Opcode::Terminated, {"", "terminated($, #0)"}},
                                 {Opcode::Reduce, {"Lanes", "reduce($, #0, @)"}},
                                 {Opcode::Scan, {"Prefix", "scan($, #0, @)"}},
                                 {Opcode::ReadWhole, {"", "read_whole($, ~|, file~)"}},
                                 {Opcode::UsegsumB2u, {"", "usegsum_b2u<?0>($, #0, #1)"}},
                                 {Opcode::EndsAmong, {"", "ends_among($, #0, #1)"}},
                                 {Opcode::Segcount, {"i64", "segcount<?1>($, #0, #1, @)"}},
                                 {Opcode::CountTrue, {"i64", "count_true($, #0, @)"}},
                                 {Opcode::CountCompare, {"i64", ""}},
                                 {Opcode::LastFlag, {"", "last_flag($, #0)"}},
                                 {Opcode::TerminatedCount, {"", "terminated_count($, #0)"}},
                                 {Opcode::Ended, {"", "ended($, #0, #1, !)"}},
                                 {Opcode::AllOf, {"", "all_of<?0>($, #0)"}}});
  return rows[opcode];
}
// Of Bools, which are bits.
std::string_view text_of_bits(Opcode opcode) {
  if (opcode == Opcode::Segscan) return "segscan<^>($, #0, &#1, @)";
  if (opcode == Opcode::Reduce) return "reduce<^>($, #0, @)";
  if (opcode == Opcode::Ended) throw Bug("an element after each segment of Bools");
  if (opcode == Opcode::Scan) return "segscan<^>($, #0, (BitReader*)0, @)";
  return text_of(opcode).call;
}

class Call {
 public:
  Call(const Network& network, const Step& step)
      : network_(network), step_(step), i_(*step.instructions[0]), id_(str(i_.id)) {}

  std::string filled(std::string_view text) const {
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) switch (text[k]) {
        case '$':
          out += "s" + id_;
          break;
        case '@':
          out += "a" + id_;
          break;
        case '#':
          out += reader(step_, operand(text[++k]));
          break;
        case '?':
          out += step_.operands[operand(text[++k])].is_short ? "true" : "false";
          break;
        case '|':
          out += readers(0, 1);
          break;
        case '!':
          out += literal(i_.atom());
          break;
        case '^':
          out += class_of(i_.monoid());
          break;
        case '+':
          out += network_.groups.count(i_.id) ? "&g" + id_ : "(Groups*)0";
          break;
        case '~':
          out += id_;
          break;
        default:
          out += text[k];
      }
    return out;
  }

  std::string made(const Place& place) const {
    if (step_.kernel == Kernel::Distribute) return distribute();
    if (i_.opcode == Opcode::CountCompare) return filled("count_compare<" + relation(i_) + ">($, #0, #1, #2, @)");
    if (i_.opcode == Opcode::Input) return input(place);
    if (i_.opcode == Opcode::Constant) return filled("constant($, !, ") + std::to_string(i_.number()) + ")";
    if (i_.opcode == Opcode::Umerge) return filled(descriptors(1) + "umerge($, f, " + count(1) + ", @)");
    if (i_.opcode == Opcode::Uappend) return filled(descriptors(1) + "uappend($, f, " + count(1) + ", @)");
    if (i_.opcode == Opcode::Segmerge) return filled(descriptors(2) + "segmerge($, f, @" + readers(1, 2) + ")");
    if (i_.opcode == Opcode::Usegmerge) return filled(descriptors(1) + "usegmerge($, f, " + count(2) + ", @)");
    if (i_.opcode == Opcode::Segtab) return segtab();
    throw Bug("an instruction that the engine lacks: " + std::string(name_of(i_.opcode)));
  }

 private:
  static std::size_t operand(char digit) { return static_cast<std::size_t>(digit - '0'); }
  std::string readers(std::size_t from, std::size_t by) const {
    std::string s;
    for (std::size_t k = from; k < step_.operands.size(); k += by) s += ", " + reader(step_, k);
    return s;
  }
  std::string descriptors(std::size_t by) const {
    std::string s = "const AnyDescriptor f[] = {";
    for (std::size_t k = 0; k < step_.operands.size(); k += by)
      s += "{&" + reader(step_, k) + ", " + (step_.operands[k].is_short ? "true" : "false") + "}, ";
    return s + "};\n    ";
  }
  std::string count(std::size_t by) const { return std::to_string(step_.operands.size() / by); }

  std::string distribute() const {
    std::string parts;
    std::size_t k = 1;
    for (const Instr* p : step_.instructions) {
      const std::string own = "s" + str(p->id);
      parts += p->opcode == Opcode::Iotas ? ", Counted{" + own + ", a" + str(p->id) + ", 0, 0}"
                                          : ", distributed(" + own + ", " + reader(step_, k++) + ")";
    }
    return filled("distribute<?0>(#0") + parts + ")";
  }
  std::string input(const Place& place) const {
    if (place.is_given) return filled("feed($, k~, finished)");
    if (place.is_root) return filled(place.is_file ? "$.borrow(piece->data, piece->length)" : "count_up($, *piece)");
    return filled("take_input($, inputs[") + std::to_string(i_.number()) + "])";
  }
  std::string segtab() const {
    std::string readers;
    int n = 0;
    for (const auto& [user, segtab] : network_.groups)
      if (segtab == i_.id) readers += (n++ ? ", &g" : "&g") + str(user);
    if (n == 0) return filled("segtab<?0>(@, #0, done~, (Groups* const*)0, 0)");
    return "Groups* const g[] = {" + readers + "};\n    " + filled("segtab<?0>(@, #0, done~, g, ") + std::to_string(n) +
           ")";
  }

  const Network& network_;
  const Step& step_;
  const Instr& i_;
  const std::string id_;
};

}  // namespace

std::string state_type(const Step& step) {
  const Instr& i = *step.instructions[0];
  const std::string state(step.kernel == Kernel::Plain ? text_of(i.opcode).state : text_of(step.kernel).state);
  if (state != "Lanes" && state != "Prefix") return state;
  return i.type == Prim::Bool ? "bool" : state + "<" + class_of(i.monoid()) + ", " + cell_type(i.type) + ">";
}

std::string call(const Network& network, const Step& step, const Place& place) {
  const Instr& i = *step.instructions[0];
  std::string_view text = step.kernel != Kernel::Plain ? text_of(step.kernel).call
                          : i.type == Prim::Bool       ? text_of_bits(i.opcode)
                                                       : text_of(i.opcode).call;
  // Flags in short form are the short form.
  if (i.opcode == Opcode::Short && step.operands[0].is_short) text = "copy_flags($, #0)";
  const Call made(network, step);
  return text.empty() ? made.made(place) : made.filled(text);
}

}  // namespace lockstep::engine
