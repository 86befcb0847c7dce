// Each instruction by the lengths of its segments. Letters: f, g descriptors; b Booleans; s, t, e streams; n lengths.
#include "semantics/svcode/eager_streams.h"

#include <algorithm>
#include <utility>

#include "semantics/svcode/instruction.h"

namespace lockstep::svcode {
namespace {

using Lengths = std::vector<std::int64_t>;
using Arguments = std::vector<const Stream*>;
const Atom no = snesl::bool_atom(false);
const Atom yes = snesl::bool_atom(true);

bool truth(const Atom& a) { return a.integer != 0; }
std::int64_t total(const Lengths& n) {
  std::int64_t r = 0;
  for (const std::int64_t x : n) r += x;
  return r;
}
void fits(bool condition, const char* what) {
  if (!condition) throw Bug(std::string("eager SVCODE: ") + what);
}
void same_size(std::size_t a, std::size_t b) { fits(a == b, "two streams that are read together differ in length"); }
void append(Stream& to, std::int64_t n, const Atom& a) { to.insert(to.end(), static_cast<std::size_t>(n), a); }
void append_unary(Stream& to, std::int64_t n) {
  append(to, n, no);
  to.push_back(yes);
}
void append_slice(Stream& to, const Stream& s, std::int64_t from, std::int64_t n) {
  fits(from + n <= size_of(s), "a stream has fewer elements than its descriptor");
  to.insert(to.end(), s.begin() + from, s.begin() + from + n);
}

Stream map(const Instr& i, const Arguments& in, std::string& fault) {
  Stream r;
  fits(!in.empty(), "an operator without operands");
  std::vector<Atom> operands(in.size());
  std::size_t least = in[0]->size();
  for (const Stream* s : in) {
    if (s->size() != in[0]->size())
      fault = "s" + std::to_string(i.id) + " := " + mnemonic_of(i) + " of streams of unequal lengths";
    least = std::min(least, s->size());
  }
  for (std::size_t k = 0; k < least; ++k) {
    for (std::size_t j = 0; j < in.size(); ++j) operands[j] = (*in[j])[k];
    r.push_back(snesl::apply(i.op, operands, i.region));
  }
  return r;
}
Stream pdist(const Stream& s, const Stream& f) {
  const Lengths n = segment_lengths(f);
  same_size(s.size(), n.size());
  Stream r;
  for (std::size_t k = 0; k < n.size(); ++k) append(r, n[k], s[k]);
  return r;
}
Stream pack(const Stream& s, const Stream& b) {
  same_size(s.size(), b.size());
  Stream r;
  for (std::size_t k = 0; k < s.size(); ++k)
    if (truth(b[k])) r.push_back(s[k]);
  return r;
}
Stream upack(const Stream& f, const Stream& b) {
  const Lengths n = segment_lengths(f);
  same_size(n.size(), b.size());
  Stream r;
  for (std::size_t k = 0; k < n.size(); ++k)
    if (truth(b[k])) append_unary(r, n[k]);
  return r;
}
Stream b2u(const Stream& b) {
  Stream r;
  for (const Atom& a : b) append_unary(r, a.integer);
  return r;
}
Stream unpack(const Stream& b, const Stream& t, const Stream& e) {
  Stream r;
  std::size_t i = 0, j = 0;
  for (const Atom& a : b) {
    fits(truth(a) ? i < t.size() : j < e.size(), "unpack has too few elements");
    r.push_back(truth(a) ? t[i++] : e[j++]);
  }
  fits(i == t.size() && j == e.size(), "unpack has too many elements");
  return r;
}
Stream to_flags(const Stream& n) {
  Stream r;
  for (const Atom& a : n) {
    fits(a.integer >= 0, "a negative length");
    append_unary(r, a.integer);
  }
  return r;
}
Stream short_form(const Stream& f) {
  Stream r;
  for (const std::int64_t n : segment_lengths(f)) {
    if (n == 0) continue;
    append(r, n - 1, no);
    r.push_back(yes);
  }
  return r;
}
Stream ends(const Stream& e) {
  Stream r;
  for (const Atom& a : e) {
    r.push_back(no);
    if (truth(a)) r.push_back(yes);
  }
  return r;
}
Stream cons(const Atom& a, const Stream& s) {
  if (s.empty()) return {};
  Stream r{a};
  r.insert(r.end(), s.begin(), s.end() - 1);
  return r;
}
Stream segscan(const Instr& i, const Stream& s, const Stream& e) {
  same_size(s.size(), e.size());
  Stream r;
  snesl::PrefixScan scan(i.monoid, i.type);
  for (std::size_t k = 0; k < s.size(); ++k) {
    r.push_back(scan.value());
    scan.add(s[k]);
    if (truth(e[k])) scan = {i.monoid, i.type};
  }
  return r;
}
Stream segreduce(const Instr& i, const Stream& s, const Lengths& lengths) {
  fits(total(lengths) == size_of(s), "a stream and its descriptor differ in length");
  Stream r;
  auto at = s.begin();
  for (const std::int64_t n : lengths) {
    snesl::Reduction reduction(i.monoid, i.type);
    for (const auto end = at + n; at != end; ++at) reduction.add(*at);
    r.push_back(reduction.value());
  }
  return r;
}
Stream iotas(const Lengths& lengths) {
  Stream r;
  for (const std::int64_t n : lengths)
    for (std::int64_t k = 0; k < n; ++k) r.push_back(snesl::int_atom(k));
  return r;
}
Stream usegsum(const Stream& f, const Stream& g) {
  const Lengths outer = segment_lengths(f), inner = segment_lengths(g);
  fits(total(outer) == static_cast<std::int64_t>(inner.size()), "two descriptors do not fit");
  Stream r;
  auto at = inner.begin();
  for (const std::int64_t n : outer) {
    append_unary(r, total({at, at + n}));
    at += n;
  }
  return r;
}
Stream pmerge(const Arguments& in) {
  Stream r;
  for (const Stream* s : in) same_size(s->size(), in[0]->size());
  for (std::size_t k = 0; k < in[0]->size(); ++k)
    for (const Stream* s : in) r.push_back((*s)[k]);
  return r;
}
std::vector<Lengths> descriptors(const Arguments& in, std::size_t every) {
  std::vector<Lengths> r;
  for (std::size_t k = 0; k < in.size(); k += every) {
    r.push_back(segment_lengths(*in[k]));
    same_size(r.back().size(), r[0].size());
  }
  return r;
}
Stream umerge(const Arguments& in) {
  const std::vector<Lengths> n = descriptors(in, 1);
  Stream r;
  for (std::size_t k = 0; k < n[0].size(); ++k)
    for (const Lengths& one : n) append_unary(r, one[k]);
  return r;
}
Stream uappend(const Arguments& in) {
  const std::vector<Lengths> n = descriptors(in, 1);
  Stream r;
  for (std::size_t k = 0; k < n[0].size(); ++k) {
    std::int64_t sum = 0;
    for (const Lengths& one : n) sum += one[k];
    append_unary(r, sum);
  }
  return r;
}
Stream segmerge(const Arguments& in) {
  const std::vector<Lengths> n = descriptors(in, 2);
  Lengths from(n.size(), 0);
  Stream r;
  for (std::size_t k = 0; k < n[0].size(); ++k)
    for (std::size_t j = 0; j < n.size(); ++j) {
      append_slice(r, *in[2 * j + 1], from[j], n[j][k]);
      from[j] += n[j][k];
    }
  for (std::size_t j = 0; j < n.size(); ++j) fits(from[j] == size_of(*in[2 * j + 1]), "segmerge has too many elements");
  return r;
}
Stream usegmerge(const Arguments& in) {
  const std::vector<Lengths> n = descriptors(in, 2);
  std::vector<Lengths> inner;
  for (std::size_t j = 1; j < in.size(); j += 2) inner.push_back(segment_lengths(*in[j]));
  for (std::size_t j = 0; j < n.size(); ++j)
    fits(total(n[j]) == static_cast<std::int64_t>(inner[j].size()), "two descriptors do not fit");
  std::vector<std::size_t> from(n.size(), 0);
  Stream r;
  for (std::size_t k = 0; k < n[0].size(); ++k)
    for (std::size_t j = 0; j < n.size(); ++j)
      for (std::int64_t m = 0; m < n[j][k]; ++m) append_unary(r, inner[j][from[j]++]);
  return r;
}
Stream gather(const Stream& starts, const Stream& i, const Stream& s) {
  same_size(starts.size(), i.size());
  Stream r;
  for (std::size_t k = 0; k < i.size(); ++k) {
    const std::int64_t at = starts[k].integer + i[k].integer;
    fits(at >= 0 && at < size_of(s), "so_gather outside its base");
    r.push_back(s[static_cast<std::size_t>(at)]);
  }
  return r;
}
Stream check(const Instr& i, const Arguments& in) {
  std::vector<Atom> values;
  for (const Stream* s : in) same_size(s->size(), in[0]->size());
  for (std::size_t k = 0; k < in[0]->size(); ++k) {
    if (truth((*in[0])[k])) continue;
    for (std::size_t j = 1; j < in.size(); ++j) values.push_back((*in[j])[k]);
    throw TrapSignal{trap_of(i, values)};
  }
  return Stream(in[0]->size());
}
Stream range(const Stream& n) {
  fits(n.size() == 1 && n[0].integer >= 0, "range of no single natural number");
  return iotas({n[0].integer});
}
Stream terminated(const Stream& s) {
  Stream r;
  append_unary(r, size_of(s));
  return r;
}

template <class F>
Stream each_length(const Stream& f, F value) {
  Stream r;
  for (const std::int64_t n : segment_lengths(f)) r.push_back(value(n));
  return r;
}

}  // namespace

Lengths segment_lengths(const Stream& descriptor) {
  Lengths r;
  std::int64_t n = 0;
  for (const Atom& flag : descriptor)
    if (truth(flag))
      r.push_back(std::exchange(n, 0));
    else
      ++n;
  fits(n == 0, "a descriptor whose last segment does not end");
  return r;
}

std::vector<std::string> names_of(const Stream& starts, const Stream& lengths, const Stream& base) {
  same_size(starts.size(), lengths.size());
  std::vector<std::string> r;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const std::int64_t from = starts[k].integer, n = lengths[k].integer;
    fits(n >= 0 && (n == 0 || (from >= 0 && from <= size_of(base) - n)), "a name outside its base");
    std::string& name = r.emplace_back();
    for (std::int64_t j = from; j < from + n; ++j) name += static_cast<char>(base[static_cast<std::size_t>(j)].integer);
  }
  return r;
}

Stream general_form(const Stream& short_form) { return ends(short_form); }

Stream eager_stream(const Instr& i, const Arguments& in, std::string& fault) {
  const auto s = [&](std::size_t k) -> const Stream& { return *in.at(k); };
  switch (i.opcode) {
    case Opcode::Ctrl:
      return {snesl::unit_atom()};
    case Opcode::Rep:
      return Stream(s(0).size(), i.atom);
    case Opcode::Constant:
      return Stream(static_cast<std::size_t>(i.number), i.atom);
    case Opcode::Map:
      return map(i, in, fault);
    case Opcode::Usum:
      return Stream(static_cast<std::size_t>(total(segment_lengths(s(0)))));
    case Opcode::Pdist:
      return pdist(s(0), s(1));
    case Opcode::Pack:
      return pack(s(0), s(1));
    case Opcode::Upack:
      return upack(s(0), s(1));
    case Opcode::B2u:
      return b2u(s(0));
    case Opcode::Unpack:
      return unpack(s(0), s(1), s(2));
    case Opcode::ToFlags:
      return to_flags(s(0));
    case Opcode::Lens:
      return each_length(s(0), [](std::int64_t n) { return snesl::int_atom(n); });
    case Opcode::Short:
      return short_form(s(0));
    case Opcode::Ends:
      return ends(s(0));
    case Opcode::Cons:
      return cons(i.atom, s(0));
    case Opcode::Segscan:
      return segscan(i, s(0), s(1));
    case Opcode::Segreduce:
      return segreduce(i, s(0), segment_lengths(s(1)));
    case Opcode::Iotas:
      return iotas(segment_lengths(s(0)));
    case Opcode::Usegsum:
      return usegsum(s(0), s(1));
    case Opcode::Uempty:
      return each_length(s(0), [](std::int64_t n) { return snesl::bool_atom(n == 0); });
    case Opcode::Pmerge:
      return pmerge(in);
    case Opcode::Umerge:
      return umerge(in);
    case Opcode::Uappend:
      return uappend(in);
    case Opcode::Segmerge:
      return segmerge(in);
    case Opcode::Usegmerge:
      return usegmerge(in);
    case Opcode::Segtab:
      fits(total(segment_lengths(s(1))) == size_of(s(0)), "segtab's descriptor does not fit");
      return s(0);
    case Opcode::Gather:
      return gather(s(0), s(1), s(2));
    case Opcode::Check:
      return check(i, in);
    case Opcode::Range:
      return range(s(0));
    case Opcode::Terminated:
      return terminated(s(0));
    case Opcode::Reduce:
      return segreduce(i, s(0), {size_of(s(0))});
    case Opcode::Scan:
      return segscan(i, s(0), Stream(s(0).size(), no));
    case Opcode::Input:
    case Opcode::ReadFile:
    case Opcode::WriteFile:
    case Opcode::ReadWhole:
      break;
    case Opcode::UsegsumB2u:
    case Opcode::EndsAmong:
    case Opcode::Segcount:
    case Opcode::CountTrue:
    case Opcode::CountCompare:
    case Opcode::LastFlag:
    case Opcode::TerminatedCount:
    case Opcode::Ended:
    case Opcode::AllOf:
      return fused_stream(i, in);
  }
  throw Bug("eager SVCODE: " + std::string(name_of(i.opcode)) + " is no function of streams");
}

}  // namespace lockstep::svcode
