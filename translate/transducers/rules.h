// Rules on networks, as tables: one instruction becomes another, or a stream that is there already. Streams keep their
// numbers, so that traps and what is known of a stream go on to mean it.
#pragma once
#include <functional>
#include <span>
#include <variant>

#include "semantics/transducer/program.h"

namespace lockstep::transducer {

// A network that is rewritten, and what has become of its streams.
class Rewriting {
 public:
  explicit Rewriting(const Network& n);
  const Instr& at(StreamId s) const { return network_.at(same(s)); }  // as it was
  StreamId same(StreamId s) const;                                    // what stands for it now
  void becomes(StreamId s, StreamId other) { same_[s] = other; }
  const Network& network() const { return network_; }
  const std::vector<const Instr*>& readers(StreamId s) const;  // as they were
  Operand operand_of(const Instr& i, std::size_t k) const { return {i.arguments[k], network_.forms.is_short(i, k)}; }

 private:
  const Network& network_;
  std::map<StreamId, StreamId> same_;
  std::map<StreamId, std::vector<const Instr*>> readers_;
};

using Replacement = std::variant<Instr, StreamId>;
struct Rule {
  const char* name;  // what it matches and gives
  std::optional<Replacement> (*apply)(const Instr& i, const Rewriting& r);
  // The stream that takes the place comes as soon as it is made, where the other came when all of its group was there.
  bool comes_early = false;
};
// Each instruction, in order, as the first of the rules that matches makes it; what then is of no use is dropped.
Network rewritten(const Network& n, std::span<const Rule> rules);
// With these instructions in these forms, their results under these names, and nothing that is of no use.
Network with_code(const Network& n, std::vector<Instr> instructions, svcode::Forms forms,
                  const std::function<StreamId(StreamId)>& same);

// Its results become these streams, side by side.
void give(svcode::Program& p, const std::vector<StreamId>& streams);
Network without_unused(const Network& n);

std::span<const Rule> same_stream_rules();
std::span<const Rule> fusion_rules();
std::span<const Rule> fusion_by_form_rules();

// The instruction with another opcode and other arguments, for the same stream.
Instr instead(const Instr& i, Opcode o, std::vector<StreamId> arguments);

// What rules ask of a program.
bool is_constant(const Instr& i);                  // rep, constant
bool is_either(const Instr& i);                    // of two Booleans, whether one holds
bool is_one_each(const Rewriting& r, StreamId f);  // to_flags of ones
// Each segment of a descriptor gets one element more: the flags that it had are the short form.
bool ends_each(const Rewriting& r, const Instr& f);
// Whether b is true at the end of each segment of f: b is e or (e or ...), e the short form of f.
bool holds_at_ends(const Rewriting& r, StreamId b, StreamId f);
// Of usegsum f (b2u b) the Booleans b; or those that end the pieces where b begins them.
std::optional<StreamId> pieces_of(const Instr& i, const Rewriting& r);
// Whether it does no harm that the descriptor of pieces that `e` ends tells of each when it ends: nowhere does what
// counts pieces meet their elements, which would have to be kept until then.
bool may_tell_at_ends(const Instr& pieces, StreamId e, const Rewriting& r);
// A descriptor as it is read by segments: in short form where that is there.
Operand segments(const Rewriting& r, StreamId f);

}  // namespace lockstep::transducer
