// Every row of an opcode with something else said in one place of it: of lengths, segments, elements, contents, types,
// effects. Each is found by what the eager interpreter gives, or is so as well, for a reason that is named here.
#include <set>

#include "semantics/core/table.h"
#include "svcode_altered_rows.h"
#include "svcode_laws.h"

namespace svcode_row_mutants_test {
using namespace lockstep;
using namespace lockstep::svcode;
using namespace lockstep::svcode::test;

namespace {

constexpr auto kinds_shown = table<SegmentRule::Kind>({{SegmentRule::Kind::Unknown, ""},
                                                       {SegmentRule::Kind::Numbered, "numbered"},
                                                       {SegmentRule::Kind::Kept, "kept"},
                                                       {SegmentRule::Kind::Appended, "appended"},
                                                       {SegmentRule::Kind::SideBySide, "side by side"},
                                                       {SegmentRule::Kind::Parted, "parted"}});
// Whether what a rule says follows from the other.
bool says_as_much(const SegmentRule& right, const SegmentRule& s, std::size_t count) {
  return s.kind == right.kind && (s.kind != SegmentRule::Kind::Kept || is_within(right.of, s.of, count));
}

void alter_segments(std::vector<Altered>& out, const OpcodeRow& row) {
  if (!row.trues.known()) return;
  std::vector<SegmentRule> all;
  const ElementType first = row.operands[0].type;
  if (first == ElementType::Int || first == ElementType::Bool) all.push_back(rows::numbered);
  if (first == ElementType::Bool) {
    all.insert(all.end(), {rows::parted, rows::side_by_side});
    for (const OperandSet& s : sets_of(row.operands)) all.push_back(rows::kept(s));
    if (row.operands.count > 1 && row.operands[1].type == ElementType::Bool) all.push_back(rows::appended);
  }
  for (const SegmentRule& s : all)
    if (!says_as_much(row.segments, s, row.operands.count))
      alter(out, row, "segments " + std::string(kinds_shown[s.kind]) + " of " + shown(s.of),
            [&](OpcodeRow& r) { r.segments = s; });
}

constexpr auto rules_shown = table<ElementRule>({{ElementRule::Taken, ""},
                                                 {ElementRule::Computed, ""},
                                                 {ElementRule::Gathered, ""},
                                                 {ElementRule::Lengths, "lengths"},
                                                 {ElementRule::Emptiness, "emptiness"},
                                                 {ElementRule::LastFlags, "last flags"},
                                                 {ElementRule::Positions, "positions"},
                                                 {ElementRule::Numbers, "numbers"},
                                                 {ElementRule::Folds, "folds"},
                                                 {ElementRule::Fold, "a fold"},
                                                 {ElementRule::Prefixes, "prefixes"},
                                                 {ElementRule::Unary, "unary"}});
// What the rule speaks of is there.
bool speaks_of(ElementRule e, const OpcodeRow& row) {
  const std::size_t n = row.operands.count;
  const bool first_is_bool = n > 0 && row.operands[0].type == ElementType::Bool;
  static constexpr auto of_segments = table<ElementRule, bool>({{ElementRule::Taken, false},
                                                                {ElementRule::Computed, false},
                                                                {ElementRule::Gathered, false},
                                                                {ElementRule::Lengths, true},
                                                                {ElementRule::Emptiness, true},
                                                                {ElementRule::LastFlags, true},
                                                                {ElementRule::Positions, true},
                                                                {ElementRule::Numbers, false},
                                                                {ElementRule::Folds, false},
                                                                {ElementRule::Fold, false},
                                                                {ElementRule::Prefixes, false},
                                                                {ElementRule::Unary, false}});
  if (of_segments[e]) return first_is_bool;
  if (e == ElementRule::Numbers) return n > 0 && row.operands[0].type == ElementType::Int;
  if (e == ElementRule::Fold || e == ElementRule::Prefixes) return row.extra == Extra::Monoid;
  if (e == ElementRule::Folds) return row.extra == Extra::Monoid && n > 1 && row.operands[1].role == Role::Descriptor;
  if (e == ElementRule::Unary) return row.gives == ElementType::Bool;
  return false;  // another operator, another base
}
constexpr std::array element_rules{ElementRule::Lengths,   ElementRule::Emptiness, ElementRule::LastFlags,
                                   ElementRule::Positions, ElementRule::Numbers,   ElementRule::Folds,
                                   ElementRule::Fold,      ElementRule::Prefixes,  ElementRule::Unary};

void alter_elements(std::vector<Altered>& out, const OpcodeRow& row) {
  for (const OperandSet& s : sets_of(row.operands)) {
    const bool follows = !row.elements.none() && is_within(row.elements, s, row.operands.count);
    if (!follows && row.operands[static_cast<std::size_t>(s.first)].type == ElementType::Own)
      alter(out, row, "elements of " + shown(s), [&](OpcodeRow& r) { r.elements = s; });
  }
  for (const ElementRule e : element_rules)
    if (e != row.rule && speaks_of(e, row))
      alter(out, row, "elements are " + std::string(rules_shown[e]), [&](OpcodeRow& r) { r.rule = e; });
  for (const Content c : {Content::Same, Content::OfLength})
    if (c != row.content && row.operands.count > 0 && !row.operands.repeating)
      alter(out, row, c == Content::Same ? "content of the first" : "content of the length",
            [&](OpcodeRow& r) { r.content = c; });
  for (const OpcodeRow& back : network_rows())
    if (row.undoes && back.operands.count == 1 && back.operands.repeating == 0 && back.extra == Extra::None &&
        row.undoes != back.opcode && back.operands[0].type == row.gives)
      alter(out, row, "undoes by " + std::string(back.name), [&](OpcodeRow& r) { r.undoes = back.opcode; });
}

std::vector<Altered> alterations(const OpcodeRow& row) {
  std::vector<Altered> out;
  alter_law(out, row, "length", &OpcodeRow::length);
  alter_law(out, row, "trues", &OpcodeRow::trues);
  alter_law(out, row, "children", &OpcodeRow::children);
  alter_segments(out, row);
  alter_elements(out, row);
  if (row.effect != Effect::None) alter(out, row, "no effect", [](OpcodeRow& r) { r.effect = Effect::None; });
  for (const auto& [t, name] : {std::pair(ElementType::Unit, "Unit"), std::pair(ElementType::Bool, "Bool"),
                                std::pair(ElementType::Int, "Int"), std::pair(ElementType::Char, "Char")})
    if (row.gives != t && row.gives != ElementType::Own)  // that may be any
      alter(out, row, std::string("gives ") + name, [type = t](OpcodeRow& r) { r.gives = type; });
  return out;
}

bool is_found(const OpcodeRow& row) {
  try {
    return !search(row).what.empty();
  } catch (const Bug&) {
    return true;
  }
}

}  // namespace

TEST_CASE("A row that says something else in any place is found, or it is so as well") {
  using Name = std::pair<std::string, std::string>;
  const std::string as_long = "the operands are as long as one another",
                    segments = "they are the segments of what is read",
                    last = "the last flag is true, whatever is read of it", units = "only how many there are is read";
  const std::map<Name, std::string> so_as_well{
      {{"check", "length, term 0 is T of 0"}, "else it traps"},
      {{"count_compare", "length, term 0 is # of 1"}, as_long},
      {{"ends_among", "elements are unary"}, last},
      {{"last_flag", "content of the length"}, units},
      {{"last_flag", "elements are unary"}, last},
      {{"rep", "content of the length"}, units},
      {{"segmerge", "length, term 0 is F of 0+2"}, segments},
      {{"segscan", "length, term 0 is # of 1"}, as_long},
      {{"segtab", "length, term 0 is F of 1"}, segments},
      {{"short", "elements are unary"}, last},
      {{"so_gather", "length, term 0 is # of 0"}, as_long},
      {{"unpack", "length, term 0 is # of 1+1"}, "what it takes its elements from is used up"},
      {{"usegmerge", "length, term 0 is F of 0+1"}, segments},
      {{"usegmerge", "trues, term 0 is F of 0+2"}, segments},
      {{"write_file", "content of the length"}, "it gives units"},
      {{"write_file", "length, term 0 is # of 1"}, as_long},
      {{"write_file", "length, term 0 is T of 4"}, segments},
  };
  std::set<Name> not_found;
  int planted = 0;
  for (const OpcodeRow& row : network_rows())
    for (const Altered& a : alterations(row)) {
      ++planted;
      if (!is_found(a.row)) not_found.emplace(row.name, a.what);
    }
  INFO(planted);
  CHECK(planted > 600);
  for (const Name& n : not_found) {
    INFO(n.first << ": " << n.second);
    CHECK(so_as_well.contains(n));
  }
  for (const auto& [n, reason] : so_as_well) {
    INFO(n.first << ": " << n.second << ", " << reason);
    CHECK(not_found.contains(n));
  }
}

}  // namespace svcode_row_mutants_test
