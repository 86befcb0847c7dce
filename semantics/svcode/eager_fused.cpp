// The instructions of networks (program.h) as functions of whole streams. Each says what it is on its own, not by those
// that it is fused of: the rules that fuse are held against these.
#include "semantics/svcode/eager_streams.h"

namespace lockstep::svcode::eager {
namespace {

Atom flag(bool b) { return snesl::bool_atom(b); }
bool holds(const Atom& a) { return a.integer != 0; }
void must_fit(bool condition, const char* what) {
  if (!condition) throw Bug(std::string("eager networks: ") + what);
}

// How many of b hold in each segment of f.
std::vector<std::int64_t> counts(const Stream& b, const Stream& f) {
  std::vector<std::int64_t> r;
  std::int64_t count = 0;
  std::size_t at = 0;
  for (const Atom& end : f)
    if (holds(end)) {
      r.push_back(count);
      count = 0;
    } else {
      must_fit(at < b.size(), "a descriptor has more elements than its stream");
      count += holds(b[at++]);
    }
  must_fit(at == b.size() && count == 0, "a stream goes on after its descriptor");
  return r;
}

Stream unary(const std::vector<std::int64_t>& lengths) {
  Stream r;
  for (const std::int64_t n : lengths) {
    r.insert(r.end(), static_cast<std::size_t>(n), flag(false));
    r.push_back(flag(true));
  }
  return r;
}

Stream flags_of_ends(const Stream& f, const Stream& b) {
  Stream r;
  std::size_t at = 0;
  for (std::size_t k = 0; k < f.size(); ++k) {
    if (holds(f[k])) continue;
    must_fit(k + 1 < f.size() && at < b.size(), "a descriptor has more elements than its stream");
    const bool last = holds(f[k + 1]);
    must_fit(!last || holds(b[at]), "a segment's end that is none of its pieces'");
    if (holds(b[at++])) r.push_back(flag(last));
  }
  must_fit(at == b.size(), "a stream goes on after its descriptor");
  return r;
}

Stream compared(const Instr& i, const Stream& b, const Stream& e, const Stream& n) {
  Stream r;
  std::int64_t count = 0;
  std::size_t segment = 0;
  must_fit(b.size() == e.size(), "flags of another stream");
  for (std::size_t k = 0; k < b.size(); ++k) {
    must_fit(segment < n.size(), "a segment without a number");
    const Atom counted = snesl::int_atom(count);
    const Atom operands[] = {i.number() == 1 ? n[segment] : counted, i.number() == 1 ? counted : n[segment]};
    r.push_back(snesl::apply(i.op(), operands, i.region));
    count = holds(e[k]) ? 0 : count + holds(b[k]);
    segment += holds(e[k]);
  }
  must_fit(segment == n.size(), "a number without a segment");
  return r;
}

Stream with_ends(const Atom& a, const Stream& f, const Stream& s) {
  Stream r;
  std::size_t at = 0;
  for (const Atom& end : f) {
    must_fit(holds(end) || at < s.size(), "a descriptor has more elements than its stream");
    r.push_back(holds(end) ? a : s[at++]);
  }
  must_fit(at == s.size(), "a stream goes on after its descriptor");
  return r;
}

std::int64_t how_many(const Stream& b, bool of) {
  std::int64_t n = 0;
  for (const Atom& a : b) n += holds(a) == of;
  return n;
}

}  // namespace

Stream usegsum_b2u(const Eager& e) { return unary(counts(e[1], e[0])); }
Stream ends_among(const Eager& e) { return flags_of_ends(e[0], e[1]); }
Stream segcount(const Eager& e) {
  Stream r;
  for (const std::int64_t n : counts(e[0], e[1])) r.push_back(snesl::int_atom(n));
  return r;
}
Stream count_true(const Eager& e) { return {snesl::int_atom(how_many(e[0], true))}; }
Stream count_compare(const Eager& e) { return compared(e.i, e[0], e[1], e[2]); }
Stream last_flag(const Eager& e) {
  Stream r(e[0].size(), flag(false));
  if (!r.empty()) r.back() = flag(true);
  return r;
}
Stream terminated_count(const Eager& e) { return unary({how_many(e[0], true)}); }
Stream ended(const Eager& e) { return with_ends(e.i.atom(), e[0], e[1]); }
Stream all_of(const Eager& e) { return unary({how_many(e[0], false)}); }

}  // namespace lockstep::svcode::eager
