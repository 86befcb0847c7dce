// How the kernel of each opcode is called: a row for each, which stands beside its kernel (KERNEL_OF in kernels/).
//
// In the texts of a row {WORD} stands for what a step puts there, {0} for the reader of its first operand, {short 0}
// for whether that is read in short form, and {} for itself.
#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "codegen/streaming/network.h"

namespace lockstep::engine {

struct KernelRow {
  Opcode opcode{};
  std::string_view call{};
  std::string_view keeps{};                          // from one call to the next: a declaration, of {state}
  std::string_view call_of_bits{}, keeps_of_bits{};  // where it gives Bools, which are bits; none: as of others
  bool never_of_bits = false;
  std::string_view of_short{};      // the call where its first operand is in short form; none: as of others
  std::string_view in_place{};      // the call where the tail's part of it reads what the body gives where it lies
  std::string_view file{};          // the type of file{id}
  std::optional<Kernel> only_in{};  // it is never a step alone, and has no call
};
const KernelRow& kernel_of(Opcode o);

enum class Word : unsigned char {
  Out,          // the stream that it makes
  State,        // what it keeps
  Id,           // its number
  Reader,       // of an operand
  Short,        // whether an operand is in short form: true, false
  Readers,      // of all operands, each after a comma
  Elements,     // of those that are no descriptors, each after a comma
  Descriptors,  // a declaration of f, all operands that are descriptors
  Count,        // of groups of operands, where any number may be given
  Atom,         // the instruction's
  Number,       // the instruction's
  Monoid,       // the instruction's, a class
  Relation,     // of a count to the number that it is compared with, a class
  Cell,         // what the stream that it makes is of
  Groups,       // that it reads at places
  Grouped,      // a declaration of g, all groups that are read of what it groups
  AllGroups,    // g and how many there are
  Given,        // the reader of what the body gives as its first operand
};
// A word as it is written; that of an operand is followed by the operand's number.
inline constexpr std::array<std::pair<Word, std::string_view>, 18> spelled{{{Word::Out, "out"},
                                                                            {Word::State, "state"},
                                                                            {Word::Id, "id"},
                                                                            {Word::Reader, ""},
                                                                            {Word::Short, "short"},
                                                                            {Word::Readers, "readers"},
                                                                            {Word::Elements, "elements"},
                                                                            {Word::Descriptors, "descriptors"},
                                                                            {Word::Count, "count"},
                                                                            {Word::Atom, "atom"},
                                                                            {Word::Number, "number"},
                                                                            {Word::Monoid, "monoid"},
                                                                            {Word::Relation, "relation"},
                                                                            {Word::Cell, "cell"},
                                                                            {Word::Groups, "groups"},
                                                                            {Word::Grouped, "grouped"},
                                                                            {Word::AllGroups, "all groups"},
                                                                            {Word::Given, "given"}}};

// A piece of a text: letters, and then a word, or nothing at the end.
struct Spoken {
  std::string_view letters;
  std::optional<Word> word{};
  std::size_t operand = 0;  // of Reader and Short
  std::string_view rest{};
  bool is_wrong = false;  // braces around what is no word
};
constexpr Spoken first_of(std::string_view text) {
  std::size_t open = text.find('{');
  while (open != text.npos && text.substr(open).starts_with("{}")) open = text.find('{', open + 2);
  if (open == text.npos) return {text};
  const std::size_t close = text.find('}', open);
  if (close == text.npos) return {text, {}, 0, {}, true};
  Spoken r{text.substr(0, open), {}, 0, text.substr(close + 1)};
  std::string_view name = text.substr(open + 1, close - open - 1);
  const bool of_operand = name.back() >= '0' && name.back() <= '9';
  if (of_operand) {
    r.operand = static_cast<std::size_t>(name.back() - '0');
    name.remove_suffix(1);
    if (name.ends_with(' ')) name.remove_suffix(1);
  }
  for (const auto& [word, name_of_word] : spelled)
    if (name == name_of_word && of_operand == (word == Word::Reader || word == Word::Short)) r.word = word;
  r.is_wrong = !r.word;
  return r;
}
// Whether its words are ones that there are.
constexpr bool is_well_written(std::string_view text) {
  while (true) {
    const Spoken s = first_of(text);
    if (!s.word) return !s.is_wrong;
    text = s.rest;
  }
}

}  // namespace lockstep::engine
