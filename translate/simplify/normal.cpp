// Normal descriptors (SNESL §4.3, seq): where the segments that `seq` reads are those that were tabulated, in order and
// without gaps, nothing has to be gathered. The two traversals become one, which a program may not survive that needs
// the vector twice: it is asked, for each `seq`, whether the program stays streamable.
#include <algorithm>
#include <set>

#include "translate/simplify/facts.h"
#include "translate/simplify/rewrite.h"
#include "translate/simplify/simplify.h"

namespace lockstep::streaming {
namespace {

using snesl::Monoid;
using svcode::Instr;
using svcode::Opcode;
using svcode::StreamId;

// A descriptor that `seq` made of lengths, and what takes its place and that of the elements gathered along it.
struct Candidate {
  StreamId f{};
  std::optional<StreamId> descriptor;     // the one that was tabulated; none: of a parameter
  std::map<StreamId, StreamId> elements;  // gather -> what was tabulated
};

// The numbers of the inputs of vectors that are parameters on their own: of each the first and the last, its lengths.
std::vector<std::pair<std::int64_t, std::int64_t>> vector_parameters(const svcode::Program& p) {
  std::vector<std::pair<std::int64_t, std::int64_t>> result;
  std::int64_t next = 0;
  const std::function<void(const snesl::Type&, bool)> visit = [&](const snesl::Type& t, bool alone) {
    const std::int64_t first = next;
    match(
        t.node, [&](snesl::Prim) { ++next; },
        [&](const snesl::TupleType& tuple) {
          for (const snesl::Type& item : tuple.items) visit(item, alone);
        },
        [&](const snesl::VectorType& v) {
          visit(*v.element, false);
          next += 2;
          if (alone) result.emplace_back(first, next - 1);
        },
        [&](const snesl::SequenceType& s) {
          visit(*s.element, false);
          ++next;
        });
  };
  for (const snesl::Type& t : p.parameters) visit(t, true);
  return result;
}

class Search {
 public:
  explicit Search(const svcode::Program& p) : p_(p), facts_(p.parameters), vectors_(vector_parameters(p)) {
    for (const Instr& i : p.instructions) facts_.add(i);
  }

  std::vector<Candidate> candidates() const {
    std::map<StreamId, Candidate> found;
    for (const Instr& i : p_.instructions)
      if (i.opcode == Opcode::Gather) consider(i, found);
    std::vector<Candidate> result;
    for (auto& [f, c] : found) result.push_back(std::move(c));
    return result;
  }

 private:
  const Instr& definition(StreamId s) const { return p_.instructions[s]; }

  void consider(const Instr& gather, std::map<StreamId, Candidate>& found) const {
    const Instr &at = definition(gather.arguments[0]), &i = definition(gather.arguments[1]),
                &base = definition(gather.arguments[2]);
    if (at.opcode != Opcode::Pdist) return;
    const StreamId f = at.arguments[1];
    const bool along =
        (i.opcode == Opcode::Iotas && i.arguments[0] == f) ||
        (i.opcode == Opcode::Range && definition(f).opcode == Opcode::Terminated && definition(f).arguments[0] == i.id);
    if (!along || base.id > f) return;
    if (base.opcode == Opcode::Segtab) {
      const StreamId f0 = base.arguments[1];
      if (facts_.of(f).content != facts_.of(f0).content || !from_start(at.arguments[0], f0)) return;
      Candidate& c = found.try_emplace(f, Candidate{f, f0, {}}).first->second;
      if (c.descriptor == f0) c.elements.emplace(gather.id, base.arguments[0]);
    } else if (base.opcode == Opcode::Input && i.opcode == Opcode::Range &&
               definition(i.arguments[0]).opcode == Opcode::Input) {
      const std::int64_t k = base.number(), n = definition(i.arguments[0]).number();
      const bool whole = std::any_of(vectors_.begin(), vectors_.end(),
                                     [&](const auto& v) { return v.first <= k && k < n - 1 && n == v.second; });
      // Of a vector of vectors, the starts and lengths of the inner ones are as many as the vector has elements.
      if (!whole || !counted(k, n)) return;
      Candidate& c = found.try_emplace(f, Candidate{f, {}, {}}).first->second;
      if (!c.descriptor) c.elements.emplace(gather.id, base.id);
    }
  }

  // Input k belongs to the elements of the vector with the lengths n directly, not to those of an inner vector.
  bool counted(std::int64_t k, std::int64_t n) const {
    std::int64_t next = 0;
    std::set<std::int64_t> direct;
    const std::function<void(const snesl::Type&, int)> visit = [&](const snesl::Type& t, int depth) {
      match(
          t.node,
          [&](snesl::Prim) {
            if (depth == 1) direct.insert(next);
            ++next;
          },
          [&](const snesl::TupleType& tuple) {
            for (const snesl::Type& item : tuple.items) visit(item, depth);
          },
          [&](const snesl::VectorType& v) {
            visit(*v.element, depth + 1);
            if (depth == 1) direct.insert({next, next + 1});
            next += 2;
          },
          [&](const snesl::SequenceType& s) {
            visit(*s.element, depth);
            ++next;
          });
    };
    for (const snesl::Type& t : p_.parameters) visit(t, 0);
    return direct.contains(k) && n > k;
  }

  // The starts are the sums of the lengths before, or there is one segment and it starts at 0.
  bool from_start(StreamId starts, StreamId f0) const {
    if (facts_.is(starts, snesl::int_atom(0)) && facts_.number(facts_.of(f0).trues) == 1) return true;
    const Instr& scan = definition(starts);
    if (scan.opcode != Opcode::Scan || scan.monoid() != Monoid::Plus) return false;
    const Instr& n = definition(scan.arguments[0]);
    if (n.opcode == Opcode::Lens) return facts_.of(n.arguments[0]).content == facts_.of(f0).content;
    const Instr& f = definition(f0);
    return f.opcode == Opcode::ToFlags && facts_.of(f.arguments[0]).content == facts_.of(n.id).content;
  }

  const svcode::Program& p_;
  Facts facts_;
  std::vector<std::pair<std::int64_t, std::int64_t>> vectors_;
};

svcode::Program apply(const svcode::Program& p, const Candidate& c) {
  std::map<StreamId, StreamId> to;
  return rewrite(p, [&](const Instr& i, const std::vector<Instr>& so_far) -> Rewritten {
    // The arguments are renamed, the instruction's own number and the candidate's are old ones.
    const auto track = [&](Rewritten r) {
      to[i.id] = std::holds_alternative<Instr>(r) ? static_cast<StreamId>(so_far.size()) : std::get<StreamId>(r);
      return r;
    };
    if (i.id == c.f) {
      if (c.descriptor) return track(to.at(*c.descriptor));
      Instr terminated = i;
      terminated.opcode = Opcode::Terminated;
      terminated.arguments = {to.at(c.elements.begin()->second)};
      return track(terminated);
    }
    if (const auto e = c.elements.find(i.id); e != c.elements.end()) return track(to.at(e->second));
    return track(i);
  });
}

}  // namespace

Stage normal_descriptors(const Streamable& streamable) {
  return svcode_stage("normal-descriptors", "SNESL §4.3", [streamable](const svcode::Program& given) {
    svcode::Program p = rewrite(given, [](const Instr& i, const auto&) -> Rewritten { return i; });
    if (!streamable || !streamable(p)) return p;
    std::size_t refused = 0;  // the candidates before this one would make a program that waits for itself
    for (;;) {
      const std::vector<Candidate> candidates = Search(p).candidates();
      if (refused >= candidates.size()) return p;
      svcode::Program next = without_dead_code(apply(p, candidates[refused]));
      if (streamable(next)) {
        p = std::move(next);
      } else {
        ++refused;
      }
    }
  });
}

}  // namespace lockstep::streaming
