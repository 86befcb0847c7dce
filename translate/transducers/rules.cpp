// How rules go over a network, and what they ask of it (rules.h).
#include "translate/transducers/rules.h"

#include <algorithm>

#include "semantics/svcode/instruction.h"

namespace lockstep::transducer {
namespace {

// All that a result or an effect needs.
std::vector<Instr> used(const std::vector<Instr>& all, const svcode::Tree& result) {
  std::map<StreamId, Prim> types;
  for (const Instr& i : all) types[i.id] = i.type;
  const std::vector<StreamId> leaves = leaves_of(result);
  std::set<StreamId> needed(leaves.begin(), leaves.end());
  std::vector<Instr> r;
  for (auto i = all.rbegin(); i != all.rend(); ++i) {
    if (!needed.count(i->id) && !has_effect(*i, i->arguments.empty() ? i->type : types.at(i->arguments.back())))
      continue;
    needed.insert(i->arguments.begin(), i->arguments.end());
    r.push_back(*i);
  }
  std::reverse(r.begin(), r.end());
  return r;
}

// A stream that stands for one that comes only when a whole group is in memory, and what is made of it: it waits for
// the others that come so late.
class Waiting {
 public:
  explicit Waiting(const Rewriting& r) : r_(r) {}

  // `becomes`: what it is replaced by, and whether that comes early.
  void see(const Instr& old, std::optional<StreamId> becomes, bool early) {
    if (in(old, waits_) || in(old, late_)) waits_.insert(old.id);
    if (becomes && (early || in(old, late_) || late_.count(*becomes))) late_.insert(old.id);
    if (late_.count(old.id)) {
      const StreamId s = r_.same(old.id);
      unbounded_.insert({s, segments(r_, s).stream});
    }
    if (waits_.count(old.id)) unbounded_.insert(r_.same(old.id));
  }
  const std::set<StreamId>& unbounded() const { return unbounded_; }

 private:
  static bool in(const Instr& i, const std::set<StreamId>& all) {
    return std::any_of(i.arguments.begin(), i.arguments.end(), [&](StreamId a) { return all.count(a); });
  }
  const Rewriting& r_;
  std::set<StreamId> late_, waits_, unbounded_;  // stands for a late one; made of such
};

}  // namespace

Rewriting::Rewriting(const Network& n) : network_(n) {
  for (const Instr& i : n.code->instructions)
    for (const StreamId s : i.arguments) readers_[s].push_back(&i);
}

const std::vector<const Instr*>& Rewriting::readers(StreamId s) const {
  static const std::vector<const Instr*> none;
  const auto found = readers_.find(s);
  return found == readers_.end() ? none : found->second;
}

StreamId Rewriting::same(StreamId s) const {
  for (auto it = same_.find(s); it != same_.end(); it = same_.find(s)) s = it->second;
  return s;
}

Network with_code(const Network& n, std::vector<Instr> instructions, svcode::Forms forms,
                  const std::function<StreamId(StreamId)>& same) {
  svcode::Program p = *n.code;
  p.result = renamed(p.result, same);
  for (Instr& i : instructions)
    for (StreamId& s : i.arguments) s = same(s);
  p.instructions = used(instructions, p.result);
  std::set<StreamId> there;
  for (const Instr& i : p.instructions) there.insert(i.id);
  std::erase_if(forms.unbounded, [&](StreamId s) { return !there.count(s); });
  std::erase_if(forms.short_operands, [&](const auto& at) { return !there.count(at.first); });
  return Network(std::move(p), std::move(forms));
}

void give(svcode::Program& p, const std::vector<StreamId>& streams) {
  p.result = {};
  p.result.unit = streams.empty();
  std::vector<snesl::Type> types;
  for (const StreamId s : streams) {
    p.result.children.push_back({s, {}, false});
    for (const Instr& i : p.instructions)
      if (i.id == s) types.push_back(snesl::prim(i.type));
  }
  p.result_type = snesl::tuple(std::move(types));
}

Network without_unused(const Network& n) {
  return with_code(n, n.code->instructions, n.forms, [](StreamId s) { return s; });
}

Network rewritten(const Network& n, std::span<const Rule> rules) {
  Rewriting r(n);
  Waiting waiting(r);
  svcode::Forms forms = n.forms;
  std::vector<Instr> out;
  for (const Instr& i : n.code->instructions) {
    std::optional<StreamId> becomes;
    bool early = false;
    Instr now = i;
    for (const Rule& rule : rules) {
      const std::optional<Replacement> found = rule.apply(i, r);
      if (!found) continue;
      if (const auto* s = std::get_if<StreamId>(&*found)) {
        becomes = *s, early = rule.comes_early;
        r.becomes(i.id, *s);
      } else {
        now = std::get<Instr>(*found);
        for (std::size_t k = 0; k < i.arguments.size(); ++k) forms.short_operands.erase({i.id, k});
      }
      break;
    }
    waiting.see(i, becomes, early);
    if (!becomes) out.push_back(std::move(now));
  }
  forms.unbounded.insert(waiting.unbounded().begin(), waiting.unbounded().end());
  return with_code(n, std::move(out), std::move(forms), [&](StreamId s) { return r.same(s); });
}

Instr instead(const Instr& i, Opcode o, std::vector<StreamId> arguments) {
  Instr r;
  r.id = i.id;
  r.opcode = o;
  r.type = i.type;
  r.region = i.region;
  r.arguments = std::move(arguments);
  return r;
}

bool is_constant(const Instr& i) { return i.opcode == Opcode::Rep || i.opcode == Opcode::Constant; }

bool is_either(const Instr& i) {
  return i.opcode == Opcode::Map && (i.op() == scalars::row<"||">() || i.op() == scalars::row<"|">());
}

bool is_one_each(const Rewriting& r, StreamId f) {
  const Instr& i = r.at(f);
  return i.opcode == Opcode::ToFlags && is_constant(r.at(i.arguments[0])) && r.at(i.arguments[0]).atom().integer == 1;
}

bool ends_each(const Rewriting& r, const Instr& f) {
  if (f.opcode != Opcode::Uappend || f.arguments.size() != 2 || !is_one_each(r, f.arguments[1])) return false;
  const Operand before = segments(r, f.arguments[0]);
  return before.stream == r.same(f.arguments[0]) && !before.is_short;
}

Operand segments(const Rewriting& r, StreamId f) {
  const Instr& i = r.at(f);
  if (i.opcode == Opcode::Ends || ends_each(r, i)) return {r.same(i.arguments[0]), true};
  return {i.id, false};
}

bool holds_at_ends(const Rewriting& r, StreamId b, StreamId f) {
  const Instr &i = r.at(b), &d = r.at(f);
  if (d.opcode == Opcode::Ends && r.same(d.arguments[0]) == i.id) return true;
  if (i.opcode == Opcode::Short && r.same(i.arguments[0]) == d.id) return true;
  if (!is_either(i)) return false;
  return holds_at_ends(r, i.arguments[0], f) || holds_at_ends(r, i.arguments[1], f);
}

}  // namespace lockstep::transducer
