// Steps of the transducers that make and use the bases of vectors: segtab, so_gather, and files (names are slices).
#include <limits>
#include <utility>

#include "semantics/svcode/chunked_network.h"

namespace lockstep::svcode {

// A group that has begun goes on beyond the chunk; a new one needs room.
Step Transducer::segtab() {
  if (const auto no = lacks(1)) return *no;
  if (flag(1)) return out->end_group(), took(1);
  if (const auto no = lacks(0)) return *no;
  if (!out->group_is_open()) {
    if (!out->has_room() && !std::exchange(may_begin_group, false)) return waits_for.reset(), Step::Waits;
    out->begin_group();
  }
  take(1);
  return emit(take(0));
}

std::optional<Transducer::Ahead> Transducer::ahead(std::size_t k) const {
  const Port& p = in[k];
  std::optional<Ahead> r = p.buffer->maker().ahead();
  const std::int64_t at = p.buffer->cursor(p.cursor);
  if (r && at < p.buffer->end()) r->start = p.buffer->at(at).integer;
  return r;
}

// Starts are sums of lengths, of which some are left out and some repeated; those of inner vectors are gathered from
// such, in any order within a group.
std::optional<Transducer::Ahead> Transducer::ahead() const {
  switch (instr.opcode) {
    case Opcode::Scan:
      if (instr.type != Prim::Int || instr.monoid != Monoid::Plus) return std::nullopt;
      return Ahead{scan_ ? scan_->value().integer : 0};
    case Opcode::Pdist: {
      std::optional<Ahead> r = ahead(0);
      if (r && holding_) r->start = held_.integer;
      return r;
    }
    case Opcode::Pack:
    case Opcode::Segtab:
      return ahead(0);
    case Opcode::Gather: {
      std::optional<Ahead> r = ahead(2);
      if (r) r->in_groups = true;
      return r;
    }
    default:
      return std::nullopt;
  }
}

bool Transducer::let_go(std::size_t starts, std::size_t base) {
  Port& p = in[base];
  const std::optional<Ahead> next = ahead(starts);
  if (!next) return false;
  const std::int64_t before = p.buffer->cursor(p.cursor);
  // An empty vector, the last of its group, begins where the group ends.
  const std::int64_t from = next->in_groups && next->start > 0 ? p.buffer->group_of(next->start - 1) : next->start;
  p.buffer->move(p.cursor, std::min(from, p.buffer->end()));
  return p.buffer->cursor(p.cursor) > before;
}

Step Transducer::gather() {
  for (const std::size_t k : {0, 1})
    if (const auto no = lacks(k)) return no == Step::Waits && let_go(0, 2) ? Step::Fired : *no;
  Port& base = in[2];
  const std::int64_t start = front(0).integer, i = front(1).integer;
  const bool natural = start >= 0 && i >= 0 && i <= std::numeric_limits<std::int64_t>::max() - start;
  const std::int64_t at = natural ? start + i : -1;
  if (natural) base.buffer->move(base.cursor, base.buffer->group_of(at));
  if (at >= base.buffer->end() && !base.buffer->closed()) return wait_for(2);
  if (const auto no = full()) return *no;
  const bool there = at >= base.buffer->begin() && at < base.buffer->end();
  if (!there) fault("element " + std::to_string(at) + " is not in memory");
  ++base.read;
  take(0), take(1);
  return emit(there ? base.buffer->at(at) : Atom{instr.type, {0}});
}

// A name. What is outside the base is left out, and is a fault.
std::optional<std::string> Transducer::slice(std::size_t k, std::int64_t from, std::int64_t n) {
  Port& base = in[k];
  std::string r;
  if (n == 0) return r;  // the start of an empty vector may lie anywhere
  const bool natural = from >= 0 && n > 0 && from <= std::numeric_limits<std::int64_t>::max() - n;
  if (!natural) return fault("a name outside its base"), r;
  base.buffer->move(base.cursor, base.buffer->group_of(from));
  if (from + n > base.buffer->end() && !base.buffer->closed()) return std::nullopt;
  const std::int64_t begin = std::max(from, base.buffer->begin()), end = std::min(from + n, base.buffer->end());
  if (begin != from || end != from + n) fault("a name outside its base");
  for (std::int64_t p = begin; p < end; ++p) r += static_cast<char>(base.buffer->at(p).integer);
  base.read += n;
  return r;
}

std::optional<Step> Transducer::lacks_name() {
  if (name_) return std::nullopt;
  for (const std::size_t k : {0, 1})
    if (const auto no = lacks(k)) return no == Step::Waits && let_go(0, 2) ? Step::Fired : no;
  name_ = slice(2, front(0).integer, front(1).integer);
  if (!name_) return wait_for(2);
  take(0), take(1);
  return std::nullopt;
}

// The whole text is here, and handed out as there is room.
Step Transducer::read_file(bool many) {
  if (!inside_) {
    if (!many && turn_ > 0) return Step::Finished;
    if (const auto no = lacks_name()) return *no;
    text_ = around.files.read(*std::exchange(name_, std::nullopt), instr.region);
    inside_ = true;
    count_ = 0;
    ++turn_;
    return Step::Fired;
  }
  const bool at_end = count_ == static_cast<std::int64_t>(text_.size());
  if (at_end && !many) return inside_ = false, Step::Fired;
  if (const auto no = full()) return *no;
  inside_ = !at_end;
  if (at_end) return emit(snesl::int_atom(256));
  const auto byte = static_cast<unsigned char>(text_[static_cast<std::size_t>(count_++)]);
  return emit(many ? snesl::int_atom(byte) : snesl::char_atom(byte));
}

Step Transducer::write_file() {
  const bool named = name_.has_value();
  const auto no_name = lacks_name();  // early, so that the base of the names can go on
  if ((!named && name_) || no_name == Step::Fired) return Step::Fired;
  if (const auto no = lacks(4)) return *no;
  if (!flag(4)) {
    if (const auto no = lacks(3)) return *no;
    text_ += static_cast<char>(take(3).integer);
    return took(4);
  }
  if (no_name) return *no_name;
  if (const auto no = full()) return *no;
  take(4);
  around.writes.push_back({index, *std::exchange(name_, std::nullopt), std::exchange(text_, {})});
  return emit(snesl::unit_atom());
}

}  // namespace lockstep::svcode
