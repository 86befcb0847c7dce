// What the rows of opcodes.h say, held against what the eager interpreter gives of random small streams. Operands that
// do not fit one another are drawn again.
#pragma once
#include <numeric>
#include <random>

#include "semantics/svcode/eager_streams.h"
#include "semantics/svcode/instruction.h"
#include "svcode_program.h"

namespace lockstep::svcode::test {

using Lengths = std::vector<std::int64_t>;

// An instruction with operands.
struct Drawn {
  Instr i;
  std::vector<Stream> operands;
  Arguments in() const {
    Arguments r;
    for (const Stream& s : operands) r.push_back(&s);
    return r;
  }
};

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  Drawn instruction(const OpcodeRow& row) {
    Drawn d;
    d.i.opcode = row.opcode;
    d.i.type = prim_of(row.gives).value_or(element());
    if (row.extra == Extra::Monoid) {
      d.i.payload = static_cast<Monoid>(below(static_cast<int>(Monoid::And) + 1));
      d.i.type = d.i.monoid() == Monoid::Or || d.i.monoid() == Monoid::And ? Prim::Bool : Prim::Int;
    }
    const svcode::Operands& o = row.operands;
    const int groups = o.repeating == 0 ? 0 : o.least + below(3);
    for (int k = 0; k < o.count - o.repeating + groups * o.repeating; ++k) add(d, o[static_cast<std::size_t>(k)]);
    if (row.extra == Extra::Number) d.i.payload = Number{0}, d.i.type = Prim::Int;
    if (row.extra == Extra::Operator) choose_operator(d);
    if (row.extra == Extra::Comparison) d.i.payload = svcode::Comparison{scalars::row<"<">(), below(2)};
    if (row.extra == Extra::Atom) d.i.payload = atom(d.i.type);
    if (row.extra == Extra::Repeated) d.i.payload = Repeated{atom(d.i.type), below(4)};
    if (row.extra == Extra::Failure) d.i.payload = Failure{"p", "{0}"};
    d.i.id = static_cast<StreamId>(d.operands.size());
    for (StreamId k = 0; k < d.operands.size(); ++k) d.i.arguments.push_back(k);
    return d;
  }
  Stream given() { return elements(Prim::Int); }  // an input

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Prim element() { return std::array{Prim::Bool, Prim::Int, Prim::Char}[static_cast<std::size_t>(below(3))]; }
  Atom atom(Prim p) {
    if (p == Prim::Bool) return snesl::bool_atom(below(2));
    if (p == Prim::Int) return snesl::int_atom(below(4));
    return p == Prim::Char ? snesl::char_atom(static_cast<unsigned char>('a' + below(2))) : snesl::unit_atom();
  }
  Stream elements(Prim p) {
    Stream s;
    for (int n = below(below(4) == 0 ? 6 : 4); n > 0; --n) s.push_back(atom(p));
    return s;
  }
  void add(Drawn& d, const OperandRow& o) {
    const Prim p = o.type == ElementType::Own ? d.i.type : prim_of(o.type).value_or(element());
    d.operands.push_back(elements(p));
    if (o.role != Role::Descriptor) return;
    if (Stream& f = d.operands.back(); !f.empty()) f.back() = snesl::bool_atom(true);
  }
  void choose_operator(Drawn& d) {
    d.i.payload =
        snesl::scalar_operators()[static_cast<std::size_t>(below(static_cast<int>(snesl::scalar_operators().size())))];
    const Prim p = element();
    const std::size_t n = d.operands.size(), length = static_cast<std::size_t>(below(4));
    std::vector<Prim> types(n, p);
    if (d.i.op()->chooses) types[0] = Prim::Bool;
    d.i.type = snesl::result_type(d.i.op(), types).value_or(Prim::Unit);  // of a unit: it does not fit
    for (std::size_t k = 0; k < n; ++k) {
      d.operands[k].clear();
      while (d.operands[k].size() < length) d.operands[k].push_back(atom(types[k]));
    }
  }

  std::mt19937_64 random_;
};

// What comes out, and whether it was a trap; none where the operands do not fit.
struct Given {
  Stream stream;
  bool trapped = false, wrote = false;
};
inline std::optional<Given> eagerly(const OpcodeRow& row, const Drawn& d, const std::vector<Stream>& inputs) {
  MemoryFiles files({{"", "xy"}, {"a", ""}, {"ab", "z"}});
  Environment around{inputs, files, {}, {}};
  if (row.extra == Extra::Operator && d.i.type == Prim::Unit) return std::nullopt;
  const Arguments in = d.in();
  try {
    Given r{row.eager({d.i, in, around})};
    r.wrote = !around.writes.empty();
    return around.fault.empty() ? std::optional(r) : std::nullopt;
  } catch (const TrapSignal&) {
    return Given{{}, true, false};
  } catch (const Bug&) {
    return std::nullopt;
  }
}

inline Program alone(const Drawn& d) {
  Program p;
  for (StreamId k = 0; k < d.operands.size(); ++k) {
    Instr i;
    i.id = k, i.opcode = Opcode::Input, i.payload = Number{k};
    p.instructions.push_back(i);
  }
  p.instructions.push_back(d.i);
  p.result = Tree{d.i.id, {}, false};
  return p;
}

inline std::int64_t trues(const Stream& s) {
  return std::count_if(s.begin(), s.end(), [](const Atom& a) { return a.integer != 0; });
}
inline bool is_in(const Stream& s, const Atom& a) { return std::find(s.begin(), s.end(), a) != s.end(); }

// Of which segments f is made, as SegmentRule says.
inline bool has_segments(const SegmentRule& rule, const Drawn& d, const Stream& f) {
  if (rule.kind == SegmentRule::Kind::Unknown) return true;
  const auto lengths_of = [&](std::size_t k) { return segment_lengths(d.operands[k]); };
  if (rule.kind == SegmentRule::Kind::Parted) {
    Lengths wanted;
    std::int64_t n = 0;
    for (const Atom& a : d.operands[0])
      if (++n; a.integer != 0) wanted.push_back(std::exchange(n, 0));
    if (n > 0) return true;  // no segment, as `ends` gives it
    return segment_lengths(f) == wanted;
  }
  bool whole = true;  // it speaks of segments that end
  if (rule.kind != SegmentRule::Kind::Numbered)
    rule.of.visit(d.operands.size(),
                  [&](std::size_t k) { whole &= d.operands[k].empty() || d.operands[k].back().integer != 0; });
  if (!whole) return false;
  const Lengths found = segment_lengths(f);
  Lengths wanted;
  if (rule.kind == SegmentRule::Kind::Numbered)
    for (const Atom& a : d.operands[0]) wanted.push_back(a.integer);
  if (rule.kind == SegmentRule::Kind::Kept) {
    rule.of.visit(d.operands.size(), [&](std::size_t k) {
      for (const std::int64_t n : lengths_of(k)) wanted.push_back(n);
    });
    return std::all_of(found.begin(), found.end(),
                       [&](std::int64_t n) { return std::count(wanted.begin(), wanted.end(), n) > 0; });
  }
  if (rule.kind == SegmentRule::Kind::Appended) {
    const Lengths outer = lengths_of(0), inner = lengths_of(1);
    if (std::accumulate(outer.begin(), outer.end(), std::int64_t{0}) != static_cast<std::int64_t>(inner.size()))
      return false;
    auto at = inner.begin();
    for (const std::int64_t n : outer) {
      wanted.push_back(std::accumulate(at, at + n, std::int64_t{0}));
      at += n;
    }
  }
  if (rule.kind == SegmentRule::Kind::SideBySide) {
    wanted = Lengths(found.size());
    for (std::size_t k = 0; k < d.operands.size(); ++k) {
      if (lengths_of(k).size() != found.size()) return false;
      for (std::size_t j = 0; j < found.size(); ++j) wanted[j] += lengths_of(k)[j];
    }
  }
  return found == wanted;
}

// What the elements are, as ElementRule says; none where it leaves that open.
inline std::optional<Stream> by_rule(const OpcodeRow& row, const Drawn& d) {
  const auto s = [&](std::size_t k) -> const Stream& { return d.operands[k]; };
  const auto fold = [&](const Stream& x, std::size_t from, std::size_t n) {
    Atom a = snesl::identity_of(d.i.monoid(), d.i.type);
    for (std::size_t k = from; k < from + n; ++k) a = snesl::combine(d.i.monoid(), a, x[k]);
    return a;
  };
  Stream r;
  switch (row.rule) {
    case ElementRule::Taken:
    case ElementRule::Unary:
      return std::nullopt;
    case ElementRule::Prefixes:
      for (std::size_t k = 0, from = 0; k < s(0).size(); ++k) {
        r.push_back(fold(s(0), from, k - from));
        if (d.operands.size() > 1 && s(1)[k].integer != 0) from = k + 1;
      }
      return r;
    case ElementRule::Computed:
      for (std::size_t k = 0; k < s(0).size(); ++k) {
        std::vector<Atom> operands;
        for (const Stream& x : d.operands) operands.push_back(x[k]);
        r.push_back(snesl::apply(d.i.op(), operands, d.i.region));
      }
      return r;
    case ElementRule::Gathered:
      for (std::size_t k = 0; k < s(0).size(); ++k)
        r.push_back(s(2)[static_cast<std::size_t>(s(0)[k].integer + s(1)[k].integer)]);
      return r;
    case ElementRule::Fold:
      return Stream{fold(s(0), 0, s(0).size())};
    case ElementRule::Numbers:
      for (std::int64_t k = 0; !s(0).empty() && k < s(0)[0].integer; ++k) r.push_back(snesl::int_atom(k));
      return r;
    case ElementRule::Lengths:
    case ElementRule::Emptiness:
    case ElementRule::LastFlags:
    case ElementRule::Positions:
    case ElementRule::Folds:
      break;
  }
  std::size_t from = 0;
  for (const std::int64_t n : segment_lengths(s(row.rule == ElementRule::Folds ? 1 : 0))) {
    const auto length = static_cast<std::size_t>(n);
    if (row.rule == ElementRule::Lengths) r.push_back(snesl::int_atom(n));
    if (row.rule == ElementRule::Emptiness) r.push_back(snesl::bool_atom(n == 0));
    if (row.rule == ElementRule::Folds) r.push_back(fold(s(0), from, length));
    for (std::int64_t k = 0; k < n; ++k) {
      if (row.rule == ElementRule::LastFlags) r.push_back(snesl::bool_atom(k + 1 == n));
      if (row.rule == ElementRule::Positions) r.push_back(snesl::int_atom(k));
    }
    from += length;
  }
  return r;
}

// What a row says that is not so; "" where all is.
inline std::string broken(const OpcodeRow& row, const Drawn& d, const Given& given, const std::vector<Stream>& inputs) {
  const bool may_trap = row.effect == Effect::Fails || row.effect == Effect::Files ||
                        (row.effect == Effect::ByOperator &&
                         snesl::can_trap(d.i.op(), d.operands.back().empty() ? Prim::Unit : d.operands.back()[0].type));
  if (given.trapped) return may_trap ? "" : "effect";
  if (given.wrote && row.effect != Effect::Files) return "effect";
  const Stream& r = given.stream;
  const Arguments in = d.in();
  for (const Atom& a : r)
    if (a.type != d.i.type) return "type";
  if (row.length.known() && number_of(row.length, d.i, in) != size_of(r)) return "length";
  if (row.trues.known() && number_of(row.trues, d.i, in) != trues(r)) return "trues";
  if (row.children.known() && number_of(row.children, d.i, in) != size_of(r) - trues(r)) return "children";
  if (row.rule == ElementRule::Unary && !r.empty() && r.back().integer == 0) return "unary";
  if (!has_segments(row.segments, d, r)) return "segments";
  const bool has_atom = row.extra == Extra::Atom || row.extra == Extra::Repeated;
  if (!row.elements.none() || (row.rule == ElementRule::Taken && has_atom))
    for (const Atom& a : r) {
      bool found = has_atom && a == d.i.atom();
      row.elements.visit(d.operands.size(), [&](std::size_t k) { found |= is_in(d.operands[k], a); });
      if (!found) return "elements";
    }
  if (const auto wanted = by_rule(row, d); wanted && *wanted != r) return "rule";
  if (row.content == Content::Same && r != d.operands[0]) return "content";
  if (row.content == Content::OfLength) {
    Drawn units = d;
    units.operands[0] = Stream(d.operands[0].size());
    if (eagerly(row, units, inputs)->stream != r) return "content";
  }
  if (row.undoes && !r.empty()) {
    Drawn back = d;
    back.operands[0] = r;
    const auto again = eagerly(row_of(*row.undoes), back, inputs);
    if (!again || again->stream != d.operands[0]) return "undoes";
  }
  return "";
}

// The first thing that is broken; how many operands fitted.
struct Found {
  std::string what;
  int fitting = 0;
};
inline Found search(const OpcodeRow& row) {
  Found r;
  Draw draw(7);
  for (int k = 0; k < 10000 && r.what.empty(); ++k) {
    const Drawn d = draw.instruction(row);
    const std::vector<Stream> inputs{draw.given()};
    const auto given = eagerly(row, d, inputs);
    if (!given) continue;
    r.fitting += !given->trapped;
    r.what = broken(row, d, *given, inputs);
  }
  return r;
}

}  // namespace lockstep::svcode::test
