// The rows of the opcodes (opcodes.h), and what is asked of them.
#include <algorithm>

#include "semantics/core/table.h"
#include "semantics/svcode/chunked_network.h"
#include "semantics/svcode/eager_streams.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::svcode {

namespace rows {
namespace {

constexpr OperandRow own{ElementType::Own}, any{ElementType::Any}, flags{ElementType::Bool}, ints{ElementType::Int},
    characters{ElementType::Char};
constexpr OperandRow segmented{ElementType::Bool, Role::Descriptor};
constexpr OperandRow base{ElementType::Own, Role::Base}, text{ElementType::Char, Role::Base};

}  // namespace

constexpr OpcodeRow all[] = {
#define OPCODE(which, written, means, ...) \
  {.opcode = Opcode::which, .name = name_in(written), .form = written, .meaning = means, __VA_ARGS__},
#include "semantics/svcode/opcodes.h"
};

namespace {

constexpr bool whole(const OpcodeRow& r) { return !r.name.empty() && !r.meaning.empty() && r.eager && r.step; }
static_assert(std::all_of(std::begin(all), std::end(all), whole),
              "an opcode has a name, a meaning, and a step in both readings");
// Operators and monoids are said by "_op" and "_R", all else by a word each; a group of operands as f1 s1 ... fk sk.
struct ExtraForm {
  bool is_suffix = false;
  int words = 0;
};
constexpr auto extra_forms = table<Extra, ExtraForm>({{Extra::None, {}},
                                                      {Extra::Number, {false, 1}},
                                                      {Extra::Atom, {false, 1}},
                                                      {Extra::Repeated, {false, 2}},
                                                      {Extra::Operator, {true, 0}},
                                                      {Extra::Comparison, {true, 1}},
                                                      {Extra::Monoid, {true, 0}},
                                                      {Extra::Failure, {false, 2}}});
constexpr bool takes_what_it_says(const OpcodeRow& r) {
  const ExtraForm extra = extra_forms[r.extra];
  const int groups = r.operands.repeating > 0 ? r.operands.repeating + 1 : 0;  // "..." is a word
  return extra.is_suffix == (r.form.substr(0, r.form.find(' ')) != r.name) &&
         std::count(r.form.begin(), r.form.end(), ' ') == extra.words + r.operands.count + groups;
}
static_assert(std::all_of(std::begin(all), std::end(all), takes_what_it_says), "a form names all that an opcode takes");
// Children and segments are those of descriptors.
constexpr bool fitting(const OpcodeRow& r) {
  const bool described = r.children.known() || r.segments.kind != SegmentRule::Kind::Unknown;
  return (!r.trues.known() || r.gives == ElementType::Bool) && (!described || r.trues.known());
}
static_assert(std::all_of(std::begin(all), std::end(all), fitting), "what is said of segments is said of a descriptor");

constexpr auto is_svcode = [](const OpcodeRow& r) { return !r.fused; };
static_assert(std::is_partitioned(std::begin(all), std::end(all), is_svcode), "those of SVCODE come first");
constexpr std::size_t of_svcode = std::count_if(std::begin(all), std::end(all), is_svcode);

}  // namespace
}  // namespace rows

std::span<const OpcodeRow> opcode_rows() { return network_rows().first(rows::of_svcode); }
std::span<const OpcodeRow> network_rows() { return rows::all; }
bool is_fused(Opcode o) { return row_of(o).fused; }
std::optional<Prim> prim_of(ElementType t) {
  static constexpr auto prims = table<ElementType, std::optional<Prim>>({{ElementType::Unit, Prim::Unit},
                                                                         {ElementType::Bool, Prim::Bool},
                                                                         {ElementType::Int, Prim::Int},
                                                                         {ElementType::Char, Prim::Char},
                                                                         {ElementType::Own, std::nullopt},
                                                                         {ElementType::Any, std::nullopt}});
  return prims[t];
}
std::string_view name_of(Opcode o) { return row_of(o).name; }

Rows::Rows() : first_(rows::all) {}
bool is_base(Opcode o, std::size_t argument, Rows rows) { return rows[o].operands[argument].role == Role::Base; }
bool reads_segments(Opcode o, std::size_t argument, Rows rows) {
  return rows[o].operands[argument].role == Role::Descriptor;
}

bool has_effect_of_its_own(Opcode o) { return row_of(o).effect == Effect::Fails || row_of(o).effect == Effect::Files; }
bool has_effect(const Instr& i, Prim operand) {
  if (row_of(i.opcode).effect == Effect::ByOperator) return snesl::can_trap(i.op(), operand);
  return has_effect_of_its_own(i.opcode);
}
bool keeps_pace(Opcode o, Rows rows) { return rows[o].pace != Pace::Own && rows[o].effect != Effect::Files; }
bool begins_traversal(Opcode o, Rows rows) { return rows[o].pace != Pace::Kept; }

}  // namespace lockstep::svcode
