// Each instruction by the lengths of its segments, but files (eager_files). Letters: f, g descriptors; b Booleans; s,
// t, e streams; n lengths.
#include "semantics/svcode/eager_streams.h"
#include "semantics/core/memory_limit.h"

#include <algorithm>
#include <utility>

#include "semantics/svcode/instruction.h"

namespace lockstep::svcode {
namespace {

using Lengths = std::vector<std::int64_t>;
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
// At once, so that what cannot be had is refused before any of it is made.
void make_room(Stream& to, std::int64_t n) {
  const auto more = static_cast<std::uint64_t>(n);
  if (more > to.max_size() - to.size()) throw not_enough_memory(more, sizeof(Atom));
  if (to.size() + more > 2 * to.capacity()) to.reserve(to.size() + more);
}
void append(Stream& to, std::int64_t n, const Atom& a) {
  make_room(to, n);
  to.insert(to.end(), static_cast<std::size_t>(n), a);
}
void append_unary(Stream& to, std::int64_t n) {
  append(to, n, no);
  to.push_back(yes);
}
void append_slice(Stream& to, const Stream& s, std::int64_t from, std::int64_t n) {
  fits(from + n <= size_of(s), "a stream has fewer elements than its descriptor");
  to.insert(to.end(), s.begin() + from, s.begin() + from + n);
}

Stream prefixes(const Instr& i, const Stream& s, const Stream& e) {
  same_size(s.size(), e.size());
  Stream r;
  snesl::PrefixScan scan(i.monoid(), i.type);
  for (std::size_t k = 0; k < s.size(); ++k) {
    r.push_back(scan.value());
    scan.add(s[k]);
    if (truth(e[k])) scan = {i.monoid(), i.type};
  }
  return r;
}
Stream folds(const Instr& i, const Stream& s, const Lengths& lengths) {
  fits(total(lengths) == size_of(s), "a stream and its descriptor differ in length");
  Stream r;
  auto at = s.begin();
  for (const std::int64_t n : lengths) {
    snesl::Reduction reduction(i.monoid(), i.type);
    for (const auto end = at + n; at != end; ++at) reduction.add(*at);
    r.push_back(reduction.value());
  }
  return r;
}
Stream positions(const Lengths& lengths) {
  Stream r;
  make_room(r, total(lengths));
  for (const std::int64_t n : lengths)
    for (std::int64_t k = 0; k < n; ++k) r.push_back(snesl::int_atom(k));
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

Stream general_form(const Stream& short_form) {
  Stream r;
  for (const Atom& a : short_form) {
    r.push_back(no);
    if (truth(a)) r.push_back(yes);
  }
  return r;
}

std::int64_t consumed(const Instr& i, const Arguments& in, Rows rows) {
  std::int64_t r = number_of(rows[i.opcode].from_base, i, in);
  for (std::size_t k = 0; k < in.size(); ++k)
    if (!is_base(i.opcode, k, rows)) r += size_of(*in[k]);
  return r;
}

std::int64_t number_of(const Law& law, const Instr& i, const Arguments& in) {
  const auto sum = [](const Stream& s) {
    std::int64_t r = 0;
    for (const Atom& a : s) r += a.integer;
    return r;
  };
  const auto counted = [&](Count c, const Stream& s) {
    switch (c) {
      case Count::Length:
        return size_of(s);
      case Count::Trues:
      case Count::Sum:
      case Count::Only:
        return sum(s);
      case Count::Children:
        return size_of(s) - sum(s);
    }
    throw Bug("a count of SVCODE that is none");
  };
  std::int64_t n = law.more + (law.given ? i.number() : 0);
  for (std::size_t k = 0; k < law.count; ++k)
    law.terms[k].of.visit(in.size(), [&](std::size_t a) { n += counted(law.terms[k].count, *in.at(a)); });
  return n;
}

namespace eager {

Stream ctrl(const Eager&) { return {snesl::unit_atom()}; }
Stream input(const Eager& e) { return e.around.inputs.at(static_cast<std::size_t>(e.i.number())); }
Stream rep(const Eager& e) { return Stream(e[0].size(), e.i.atom()); }
Stream constant(const Eager& e) { return Stream(static_cast<std::size_t>(e.i.number()), e.i.atom()); }
Stream usum(const Eager& e) {
  Stream r;
  append(r, total(segment_lengths(e[0])), Atom{});
  return r;
}
Stream lens(const Eager& e) {
  return each_length(e[0], [](std::int64_t n) { return snesl::int_atom(n); });
}
Stream segscan(const Eager& e) { return prefixes(e.i, e[0], e[1]); }
Stream segreduce(const Eager& e) { return folds(e.i, e[0], segment_lengths(e[1])); }
Stream iotas(const Eager& e) { return positions(segment_lengths(e[0])); }
Stream uempty(const Eager& e) {
  return each_length(e[0], [](std::int64_t n) { return snesl::bool_atom(n == 0); });
}
Stream segtab(const Eager& e) {
  fits(total(segment_lengths(e[1])) == size_of(e[0]), "segtab's descriptor does not fit");
  return e[0];
}
Stream reduce(const Eager& e) { return folds(e.i, e[0], {size_of(e[0])}); }
Stream scan(const Eager& e) { return prefixes(e.i, e[0], Stream(e[0].size(), no)); }

Stream map(const Eager& e) {
  const Instr& i = e.i;
  const Arguments& in = e.in;
  Stream r;
  fits(!in.empty(), "an operator without operands");
  std::vector<Atom> operands(in.size());
  std::size_t least = in[0]->size();
  for (const Stream* s : in) {
    if (s->size() != in[0]->size())
      e.around.fault = "s" + std::to_string(i.id) + " := " + mnemonic_of(i) + " of streams of unequal lengths";
    least = std::min(least, s->size());
  }
  for (std::size_t k = 0; k < least; ++k) {
    for (std::size_t j = 0; j < in.size(); ++j) operands[j] = (*in[j])[k];
    r.push_back(snesl::apply(i.op(), operands, i.region));
  }
  return r;
}
Stream pdist(const Eager& e) {
  const Stream &s = e[0], &f = e[1];
  const Lengths n = segment_lengths(f);
  same_size(s.size(), n.size());
  Stream r;
  for (std::size_t k = 0; k < n.size(); ++k) append(r, n[k], s[k]);
  return r;
}
Stream pack(const Eager& e) {
  const Stream &s = e[0], &b = e[1];
  same_size(s.size(), b.size());
  Stream r;
  for (std::size_t k = 0; k < s.size(); ++k)
    if (truth(b[k])) r.push_back(s[k]);
  return r;
}
Stream upack(const Eager& e) {
  const Stream &f = e[0], &b = e[1];
  const Lengths n = segment_lengths(f);
  same_size(n.size(), b.size());
  Stream r;
  for (std::size_t k = 0; k < n.size(); ++k)
    if (truth(b[k])) append_unary(r, n[k]);
  return r;
}
Stream b2u(const Eager& e) {
  Stream r;
  for (const Atom& a : e[0]) append_unary(r, a.integer);
  return r;
}
Stream unpack(const Eager& x) {
  const Stream &b = x[0], &t = x[1], &e = x[2];
  Stream r;
  std::size_t i = 0, j = 0;
  for (const Atom& a : b) {
    fits(truth(a) ? i < t.size() : j < e.size(), "unpack has too few elements");
    r.push_back(truth(a) ? t[i++] : e[j++]);
  }
  fits(i == t.size() && j == e.size(), "unpack has too many elements");
  return r;
}
Stream to_flags(const Eager& e) {
  Stream r;
  for (const Atom& a : e[0]) {
    fits(a.integer >= 0, "a negative length");
    append_unary(r, a.integer);
  }
  return r;
}
Stream short_form(const Eager& e) {
  Stream r;
  for (const std::int64_t n : segment_lengths(e[0])) {
    if (n == 0) continue;
    append(r, n - 1, no);
    r.push_back(yes);
  }
  return r;
}
Stream ends(const Eager& e) {
  Stream r;
  for (const Atom& a : e[0]) {
    r.push_back(no);
    if (truth(a)) r.push_back(yes);
  }
  return r;
}
Stream cons(const Eager& e) {
  const Stream& s = e[0];
  if (s.empty()) return {};
  Stream r{e.i.atom()};
  r.insert(r.end(), s.begin(), s.end() - 1);
  return r;
}
Stream usegsum(const Eager& e) {
  const Lengths outer = segment_lengths(e[0]), inner = segment_lengths(e[1]);
  fits(total(outer) == static_cast<std::int64_t>(inner.size()), "two descriptors do not fit");
  Stream r;
  auto at = inner.begin();
  for (const std::int64_t n : outer) {
    append_unary(r, total({at, at + n}));
    at += n;
  }
  return r;
}
Stream pmerge(const Eager& e) {
  const Arguments& in = e.in;
  Stream r;
  for (const Stream* s : in) same_size(s->size(), in[0]->size());
  for (std::size_t k = 0; k < in[0]->size(); ++k)
    for (const Stream* s : in) r.push_back((*s)[k]);
  return r;
}
Stream umerge(const Eager& e) {
  const std::vector<Lengths> n = descriptors(e.in, 1);
  Stream r;
  for (std::size_t k = 0; k < n[0].size(); ++k)
    for (const Lengths& one : n) append_unary(r, one[k]);
  return r;
}
Stream uappend(const Eager& e) {
  const std::vector<Lengths> n = descriptors(e.in, 1);
  Stream r;
  for (std::size_t k = 0; k < n[0].size(); ++k) {
    std::int64_t sum = 0;
    for (const Lengths& one : n) sum += one[k];
    append_unary(r, sum);
  }
  return r;
}
Stream segmerge(const Eager& e) {
  const Arguments& in = e.in;
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
Stream usegmerge(const Eager& e) {
  const Arguments& in = e.in;
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
Stream gather(const Eager& e) {
  const Stream &starts = e[0], &i = e[1], &s = e[2];
  same_size(starts.size(), i.size());
  Stream r;
  for (std::size_t k = 0; k < i.size(); ++k) {
    // A number of any size, where the check that guards it comes after.
    const auto at = static_cast<std::int64_t>(static_cast<std::uint64_t>(starts[k].integer) +
                                              static_cast<std::uint64_t>(i[k].integer));
    fits(at >= 0 && at < size_of(s), "so_gather outside its base");
    r.push_back(s[static_cast<std::size_t>(at)]);
  }
  return r;
}
Stream check(const Eager& e) {
  const Arguments& in = e.in;
  std::vector<Atom> values;
  std::size_t least = in[0]->size();
  for (const Stream* s : in) {
    // Of a `fault` the rest is missing: this check may be what finds why.
    if (e.around.fault.empty()) same_size(s->size(), in[0]->size());
    least = std::min(least, s->size());
  }
  for (std::size_t k = 0; k < least; ++k) {
    if (truth((*in[0])[k])) continue;
    for (std::size_t j = 1; j < in.size(); ++j) values.push_back((*in[j])[k]);
    throw TrapSignal{trap_of(e.i, values)};
  }
  return Stream(in[0]->size());
}
Stream range(const Eager& e) {
  const Stream& n = e[0];
  fits(n.size() == 1 && n[0].integer >= 0, "range of no single natural number");
  return positions({n[0].integer});
}
Stream terminated(const Eager& e) {
  Stream r;
  append_unary(r, size_of(e[0]));
  return r;
}

}  // namespace eager

}  // namespace lockstep::svcode
