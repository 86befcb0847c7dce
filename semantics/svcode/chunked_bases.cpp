// Steps of the transducers that make and use the bases of vectors: segtab, so_gather, and files (names are slices).
#include <limits>
#include <utility>

#include "semantics/svcode/chunked_network.h"

namespace lockstep::svcode {

std::optional<Ahead> Transducer::ahead(std::size_t k) const {
  const Port& p = in[k];
  std::optional<Ahead> r = p.buffer->maker().ahead();
  const std::int64_t at = p.buffer->cursor(p.cursor);
  if (r && at < p.buffer->end()) r->start = p.buffer->at(at).integer;
  return r;
}

bool Transducer::let_go(std::size_t starts, std::size_t base) {
  Port& p = in[base];
  const std::optional<Ahead> next = p.is_kept ? std::nullopt : ahead(starts);
  if (!next) return false;
  const std::int64_t before = p.buffer->cursor(p.cursor);
  // An empty vector, the last of its group, begins where the group ends.
  const std::int64_t from = next->in_groups && next->start > 0 ? p.buffer->group_of(next->start - 1) : next->start;
  p.buffer->move(p.cursor, std::min(from, p.buffer->end()));
  return p.buffer->cursor(p.cursor) > before;
}

void Transducer::ask(std::size_t base, std::int64_t p) {
  Port& b = in[base];
  if (!b.is_kept) b.buffer->move(b.cursor, b.buffer->group_of(p));
}

// A name. What is outside the base is left out, and is a fault.
std::optional<std::string> Transducer::slice(std::size_t k, std::int64_t from, std::int64_t n) {
  Port& base = in[k];
  std::string r;
  if (n == 0) return r;  // the start of an empty vector may lie anywhere
  const bool natural = from >= 0 && n > 0 && from <= std::numeric_limits<std::int64_t>::max() - n;
  if (!natural) return fault("a name outside its base"), r;
  ask(k, from);
  if (from + n > base.buffer->end() && !base.buffer->closed()) return std::nullopt;
  const std::int64_t begin = std::max(from, base.buffer->begin()), end = std::min(from + n, base.buffer->end());
  if (begin != from || end != from + n) fault("a name outside its base");
  for (std::int64_t p = begin; p < end; ++p) r += static_cast<char>(base.buffer->at(p).integer);
  base.read += n;
  return r;
}

std::optional<Step> Transducer::lacks_name() {
  if (name) return std::nullopt;
  for (const std::size_t k : {0, 1})
    if (const auto no = lacks(k)) return no == Step::Waits && let_go(0, 2) ? Step::Fired : no;
  name = slice(2, front(0).integer, front(1).integer);
  if (!name) return wait_for(2);
  take(0), take(1);
  return std::nullopt;
}

namespace chunked {

// A group that has begun goes on beyond the chunk; a new one needs room.
Step segtab(Transducer& t) {
  if (const auto no = t.lacks(1)) return *no;
  if (t.flag(1)) return t.out->end_group(), t.took(1);
  if (const auto no = t.lacks(0)) return *no;
  if (!t.out->group_is_open()) {
    if (!t.out->has_room() && !std::exchange(t.may_begin_group, false)) return t.waits_for.reset(), Step::Waits;
    t.out->begin_group();
  }
  t.take(1);
  return t.emit(t.take(0));
}

// Starts are sums of lengths, of which some are left out and some repeated; those of inner vectors are gathered from
// such, in any order within a group.
std::optional<Ahead> ahead_of_scan(const Transducer& t) {
  if (t.instr.type != Prim::Int || t.instr.monoid() != Monoid::Plus) return std::nullopt;
  return Ahead{t.scan ? t.scan->value().integer : 0};
}
std::optional<Ahead> ahead_of_pdist(const Transducer& t) {
  std::optional<Ahead> r = t.ahead(0);
  if (r && t.holding) r->start = t.held.integer;
  return r;
}
std::optional<Ahead> ahead_of_first(const Transducer& t) { return t.ahead(0); }
std::optional<Ahead> ahead_of_gather(const Transducer& t) {
  std::optional<Ahead> r = t.ahead(2);
  if (r) r->in_groups = true;
  return r;
}

Step gather(Transducer& t) {
  for (const std::size_t k : {0, 1})
    if (const auto no = t.lacks(k)) return no == Step::Waits && t.let_go(0, 2) ? Step::Fired : *no;
  Port& base = t.in[2];
  const std::int64_t start = t.front(0).integer, i = t.front(1).integer;
  const bool natural = start >= 0 && i >= 0 && i <= std::numeric_limits<std::int64_t>::max() - start;
  const std::int64_t at = natural ? start + i : -1;
  if (natural) t.ask(2, at);
  if (at >= base.buffer->end() && !base.buffer->closed()) return t.wait_for(2);
  if (const auto no = t.full()) return *no;
  const bool there = at >= base.buffer->begin() && at < base.buffer->end();
  if (!there) t.fault("element " + std::to_string(at) + " is not in memory");
  ++base.read;
  t.take(0), t.take(1);
  return t.emit(there ? base.buffer->at(at) : Atom{t.instr.type, 0});
}

// The whole text is here, and handed out as there is room.
static Step read(Transducer& t, bool many) {
  if (!t.inside) {
    if (!many && t.turn > 0) return Step::Finished;
    if (const auto no = t.lacks_name()) return *no;
    t.text = t.around.files.read(*std::exchange(t.name, std::nullopt), t.instr.region);
    t.inside = true;
    t.count = 0;
    ++t.turn;
    return Step::Fired;
  }
  const bool at_end = t.count == static_cast<std::int64_t>(t.text.size());
  if (at_end && !many) return t.inside = false, Step::Fired;
  if (const auto no = t.full()) return *no;
  t.inside = !at_end;
  if (at_end) return t.emit(snesl::int_atom(256));
  const auto byte = static_cast<unsigned char>(t.text[static_cast<std::size_t>(t.count++)]);
  return t.emit(many ? snesl::int_atom(byte) : snesl::char_atom(byte));
}

Step read_file(Transducer& t) { return read(t, true); }
Step read_whole(Transducer& t) { return read(t, false); }

Step write_file(Transducer& t) {
  const bool named = t.name.has_value();
  const auto no_name = t.lacks_name();  // early, so that the base of the names can go on
  if ((!named && t.name) || no_name == Step::Fired) return Step::Fired;
  if (const auto no = t.lacks(4)) return *no;
  if (!t.flag(4)) {
    if (const auto no = t.lacks(3)) return *no;
    t.text += static_cast<char>(t.take(3).integer);
    return t.took(4);
  }
  if (no_name) return *no_name;
  if (const auto no = t.full()) return *no;
  t.take(4);
  t.around.writes.push_back({t.index, *std::exchange(t.name, std::nullopt), std::exchange(t.text, {})});
  return t.emit(snesl::unit_atom());
}

}  // namespace chunked

}  // namespace lockstep::svcode
