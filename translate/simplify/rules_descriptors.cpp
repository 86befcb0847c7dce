// Rules on descriptors and on what runs along them (SNESL §4.3.1). f, g: descriptors; b: S Bool; n: S Int.
#include "translate/simplify/rules.h"

namespace lockstep::streaming {
namespace {

using snesl::Monoid;
using svcode::Instr;
using svcode::Opcode;
using svcode::Prim;
using svcode::StreamId;
using Result = std::optional<Rewritten>;

bool ones(const RuleContext& s, StreamId x) { return s.facts.is(x, snesl::int_atom(1)); }
bool truths(const RuleContext& s, StreamId x) { return s.facts.is(x, snesl::bool_atom(true)); }
bool single(const RuleContext& s, StreamId f) { return s.facts.of(f).segment == 1; }

// Every second argument is a descriptor whose segments have one element.
bool all_single(const Instr& i, const RuleContext& s) {
  for (std::size_t k = 0; k < i.arguments.size(); k += 2)
    if (!single(s, i.arguments[k])) return false;
  return true;
}
std::vector<StreamId> data_of(const Instr& i) {
  std::vector<StreamId> data;
  for (std::size_t k = 1; k < i.arguments.size(); k += 2) data.push_back(i.arguments[k]);
  return data;
}

// The branches of a conditional (§2.2.1) meet again element by element.
Result conditional(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Segmerge || i.arguments.size() != 4) return {};
  const Instr &f = s.definition(i.arguments[0]), &g = s.definition(i.arguments[2]);
  if (f.opcode != Opcode::B2u || g.opcode != Opcode::B2u || !s.facts.complementary(f.arguments[0], g.arguments[0]))
    return {};
  return instead(i, Opcode::Unpack, {f.arguments[0], i.arguments[1], i.arguments[3]});
}
Result merge_of_singles(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Segmerge || !all_single(i, s)) return {};
  return instead(i, Opcode::Pmerge, data_of(i));
}
Result unary_merge_of_singles(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Usegmerge || !all_single(i, s)) return {};
  return instead(i, Opcode::Umerge, data_of(i));
}
Result distribute_along_condition(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Pdist) return {};
  const Instr& f = s.definition(i.arguments[1]);
  if (f.opcode != Opcode::B2u) return {};
  return instead(i, Opcode::Pack, {i.arguments[0], f.arguments[0]});
}
Result distribute_to_singles(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Pdist || !single(s, i.arguments[1])) return {};
  return i.arguments[0];
}
Result distribute_constant(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Pdist) return {};
  const Fact& value = s.facts.of(i.arguments[0]);
  const auto control = s.controls.find(i.arguments[1]);
  if (!value.value || control == s.controls.end()) return {};
  Rewritten r = instead(i, Opcode::Rep, {control->second});
  std::get<Instr>(r).payload = *value.value;
  return r;
}
Result pack_all(const Instr& i, const RuleContext& s) {
  if ((i.opcode != Opcode::Pack && i.opcode != Opcode::Upack) || !truths(s, i.arguments[1])) return {};
  return i.arguments[0];
}
Result unpack_one_side(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Unpack) return {};
  if (truths(s, i.arguments[0])) return i.arguments[1];
  if (s.facts.is(i.arguments[0], snesl::bool_atom(false))) return i.arguments[2];
  return {};
}
// Not for a sum of Reals: 0 + -0 is 0.
Result reduce_singles(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Segreduce || !single(s, i.arguments[1])) return {};
  if (i.monoid() == Monoid::Plus && i.type == Prim::Real) return {};
  return i.arguments[0];
}
Result count_by_sum(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Segreduce || i.monoid() != Monoid::Plus || !ones(s, i.arguments[0])) return {};
  return instead(i, Opcode::Lens, {i.arguments[1]});
}
// One segment is the whole stream (§4.3, the unlifted special cases).
bool whole(const RuleContext& s, StreamId f) { return s.facts.number(s.facts.of(f).trues) == 1; }
Result reduce_whole(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Segreduce || !whole(s, i.arguments[1])) return {};
  Rewritten r = instead(i, Opcode::Reduce, {i.arguments[0]});
  std::get<Instr>(r).payload = i.monoid();
  return r;
}
Result scan_whole(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Segscan) return {};
  const Instr& e = s.definition(i.arguments[1]);
  if (e.opcode != Opcode::Short || !whole(s, e.arguments[0])) return {};
  Rewritten r = instead(i, Opcode::Scan, {i.arguments[0]});
  std::get<Instr>(r).payload = i.monoid();
  return r;
}
// Where nothing else needs the short form, which would be longer than the general one is.
Result number_by_scan(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Segscan || i.monoid() != Monoid::Plus || !ones(s, i.arguments[0])) return {};
  const Instr& e = s.definition(i.arguments[1]);
  if (e.opcode != Opcode::Short || s.uses[i.arguments[1]] != 1) return {};
  return instead(i, Opcode::Iotas, {e.arguments[0]});
}
Result iota_of_range(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Iotas) return {};
  const Instr& f = s.definition(i.arguments[0]);
  if (f.opcode != Opcode::Terminated || s.definition(f.arguments[0]).opcode != Opcode::Range) return {};
  return f.arguments[0];
}
Result short_of_ends(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Short || s.definition(i.arguments[0]).opcode != Opcode::Ends) return {};
  return s.definition(i.arguments[0]).arguments[0];
}
Result lens_of_flags(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Lens || s.definition(i.arguments[0]).opcode != Opcode::ToFlags) return {};
  return s.definition(i.arguments[0]).arguments[0];
}
Result lens_of_condition(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Lens || s.definition(i.arguments[0]).opcode != Opcode::B2u) return {};
  Rewritten r = instead(i, Opcode::Map, s.definition(i.arguments[0]).arguments);
  std::get<Instr>(r).payload = scalars::row<"i64">();
  return r;
}
Result empty_of_condition(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Uempty || s.definition(i.arguments[0]).opcode != Opcode::B2u) return {};
  Rewritten r = instead(i, Opcode::Map, s.definition(i.arguments[0]).arguments);
  std::get<Instr>(r).payload = scalars::row<"not">();
  return r;
}
Result lens_of_range(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Lens) return {};
  const Instr& f = s.definition(i.arguments[0]);
  if (f.opcode != Opcode::Terminated || s.definition(f.arguments[0]).opcode != Opcode::Range) return {};
  return s.definition(f.arguments[0]).arguments[0];
}
// What is appended is one descriptor each time, or one element.
Result append_singles(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Usegsum) return {};
  if (single(s, i.arguments[0])) return i.arguments[1];
  if (single(s, i.arguments[1])) return i.arguments[0];
  return {};
}
// A control stream gives nothing but its length and its pace: the first of a chain of elementwise definitions does.
Result control_of_chain(const Instr& i, const RuleContext& s) {
  if (i.opcode != Opcode::Rep) return {};
  StreamId c = i.arguments[0];
  for (;;) {
    const Instr& d = s.definition(c);
    if (d.opcode == Opcode::Rep || d.opcode == Opcode::Map || d.opcode == Opcode::Segscan || d.opcode == Opcode::Scan) {
      c = d.arguments[0];
    } else if (d.opcode == Opcode::Usum && single(s, d.arguments[0]) && s.facts.parent_of(d.arguments[0])) {
      c = *s.facts.parent_of(d.arguments[0]);
    } else {
      break;
    }
  }
  if (c == i.arguments[0]) return {};
  Instr r = i;
  r.arguments = {c};
  return r;
}

constexpr Rule on_descriptors[] = {
    {"segmerge (b2u b) t (b2u (not b)) e = unpack b t e", conditional},
    {"segmerge f1 s1 .. fk sk = pmerge s1 .. sk, segments of one", merge_of_singles},
    {"usegmerge f1 g1 .. fk gk = umerge g1 .. gk, segments of one", unary_merge_of_singles},
    {"pdist s (b2u b) = pack s b", distribute_along_condition},
    {"pdist s f = s, segments of one", distribute_to_singles},
    {"pdist (rep a s) f = rep a (usum f)", distribute_constant},
    {"pack s true = s; upack f true = f", pack_all},
    {"unpack true t e = t; unpack false t e = e", unpack_one_side},
    {"segreduce s f = s, segments of one", reduce_singles},
    {"segreduce_plus 1 f = lens f", count_by_sum},
    {"segscan_plus 1 (short f) = iotas f", number_by_scan},
    {"segreduce s f = reduce s, one segment", reduce_whole},
    {"segscan s (short f) = scan s, one segment", scan_whole},
    {"iotas (terminated (range n)) = range n", iota_of_range},
    {"short (ends e) = e", short_of_ends},
    {"lens (to_flags n) = n", lens_of_flags},
    {"lens (terminated (range n)) = n", lens_of_range},
    {"lens (b2u b) = map_int b", lens_of_condition},
    {"uempty (b2u b) = map_not b", empty_of_condition},
    {"usegsum f g = g, or f, segments of one", append_singles},
    {"rep a (map_op s ..) = rep a s", control_of_chain},
};

}  // namespace

std::span<const Rule> descriptor_rules() { return on_descriptors; }

}  // namespace lockstep::streaming
