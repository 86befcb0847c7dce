// The functions F and T of l0.md §2 (Fig. 12 and 13): F over blocks from the back to the front, T on a combinator. What
// is known behind a point is by producer: an array and its siblings have one.
#include "translate/fusion/reduction.h"

#include <algorithm>

namespace lockstep::fusion {
namespace {

struct Consumer {
  StatementId kernel;
  Name array;
  Region at;
};
struct Length {
  StatementId asks;
  Region at;
};
// Of two kernels on one path each is in the way of the other: what is in the way of `kernel` stands at `of_kernel`.
struct Reason {
  Obstacle why;
  StatementId kernel = none;
  Region of_kernel{};

  Obstacle to(StatementId k) const { return {why.why, k == kernel ? of_kernel : why.at}; }
};
// Of the producer of an array that is used behind: Fig. 10, FusionRes.
struct Uses {
  std::vector<Consumer> in{};      // kernels that go over what it makes, none of them within a body further in
  std::vector<Consumer> beyond{};  // operations that do, and into which nothing is merged
  std::vector<Length> lengths{};
  std::optional<Reason> unfusible{};
  // Of Copies: why it stays where it is, and whether it was merged into any kernel.
  std::optional<Obstacle> stays{};
  bool merged = false;
};
using Flow = std::unordered_map<StatementId, Uses>;

bool among(const std::vector<Name>& all, Name n) { return std::find(all.begin(), all.end(), n) != all.end(); }

class Reduction {
 public:
  Reduction(const Graph& graph, Algebra& algebra, Paths paths) : graph_(graph), algebra_(algebra), paths_(paths) {}
  std::vector<Verdict> verdicts;

  Flow block(BlockId b) {
    Flow r;
    for (const Use& u : graph_[b].results) use(r, u, Case::OtherUse);
    const auto& statements = graph_[b].statements;
    for (auto s = statements.rbegin(); s != statements.rend(); ++s) statement(*s, r);
    return r;
  }

 private:
  bool copies(StatementId p) const { return graph_.statement(p).kind == Kind::Copies; }

  void use(Flow& r, const Use& u, Case why) {
    const StatementId p = graph_.producer(u.name);
    if (p != none) forbid(r[p], {{why, u.at}});
  }
  static void forbid(Uses& of, Reason why) {
    if (!of.unfusible) of.unfusible = std::move(why);
  }
  // Two kernels on one path: what they share, or siblings of it, are made by what would be run twice.
  void forbid_both(StatementId p, Uses& of, Name array, const Region& at, const Consumer& other) {
    if (!copies(p)) forbid(of, {{other.array == array ? Case::SamePath : Case::Siblings, other.at}, other.kernel, at});
  }

  void statement(StatementId id, Flow& r) {
    const Statement& s = graph_.statement(id);
    Flow inside;
    for (const BlockId b : s.branches) either(inside, block(b));
    for (const BlockId b : s.bodies) repeated(inside, block(b));
    sequence(r, std::move(inside));
    for (const Use& u : s.uses) use(r, u, Case::OtherUse);
    for (const Use& u : s.lengths)
      if (const StatementId p = graph_.producer(u.name); p != none) r[p].lengths.push_back({id, u.at});
    switch (s.kind) {
      case Kind::Combinator:
        return combinator(id, r);
      case Kind::Copies:
        return made_copies(id, r);
      case Kind::Other:
        // what goes over arrays, and has no rules
        for (const Use& u : s.inputs) {
          use(r, u, Case::NoRule);
          if (const StatementId p = graph_.producer(u.name); p != none) r[p].beyond.push_back({id, u.name, u.at});
        }
        if (!s.inputs.empty()) stays(id, r[id]);
        r.erase(id);
        return;
    }
  }
  // An operation without rules, to those that go over what it makes.
  void stays(StatementId id, const Uses& of) {
    std::vector<StatementId> told;
    for (const auto* all : {&of.in, &of.beyond})
      for (const Consumer& c : *all)
        if (std::find(told.begin(), told.end(), c.kernel) == told.end()) {
          told.push_back(c.kernel);
          verdicts.push_back({id, c.kernel, {}, Obstacle{Case::NoRule, c.at}});
        }
  }

  // ------------------------------------------------------------------------------------------------ what is behind

  static void append(Uses& to, Uses from) {
    to.in.insert(to.in.end(), from.in.begin(), from.in.end());
    to.beyond.insert(to.beyond.end(), from.beyond.begin(), from.beyond.end());
    to.lengths.insert(to.lengths.end(), from.lengths.begin(), from.lengths.end());
    if (from.unfusible) forbid(to, *from.unfusible);
    if (!to.stays) to.stays = from.stays;
    to.merged = to.merged || from.merged;
  }
  // r | s: one of the two is run.
  static void either(Flow& r, Flow s) {
    for (auto& [p, of] : s) append(r[p], std::move(of));
  }
  // r ; s: both are, s before r.
  void sequence(Flow& r, Flow s) {
    for (auto& [p, of] : s) {
      Uses& to = r[p];
      if (!to.in.empty() && !of.in.empty()) forbid_both(p, to, of.in.front().array, of.in.front().at, to.in.front());
      append(to, std::move(of));
    }
  }
  // s ; s: what is used in it is used more than once. Copies are made there as well as outside.
  void repeated(Flow& r, Flow s) {
    for (auto& [p, of] : s) {
      for (const Consumer& c : of.in) {
        if (copies(p))
          copy_into(p, c, of);
        else
          forbid(of, {{Case::Repeated, c.at}}), of.beyond.push_back(c);
      }
      of.in.clear();
      append(r[p], std::move(of));
    }
  }

  // ------------------------------------------------------------------------------------------------ a producer

  // What the producer reads is the same where the kernel stands (condition 4). Of what a kernel consumes itself, the
  // producer may go over the same rows.
  std::optional<Obstacle> consumed_before(StatementId producer, StatementId kernel) const {
    const Statement &p = graph_.statement(producer), &k = graph_.statement(kernel);
    const auto consumer_of = [&](Name n, bool as_input) {
      const StatementId between = graph_.consumed_between(n, producer, kernel);
      return between == none && among(k.consumed, n) && !(as_input && among(k.consumes, n)) ? kernel : between;
    };
    StatementId found = none;
    for (const Name n : p.reads)
      if (found == none) found = consumer_of(n, false);
    for (const auto* all : {&p.inputs, &p.lengths})
      for (const Use& u : *all)
        if (found == none) found = consumer_of(u.name, true);
    return found == none ? std::nullopt : std::optional(Obstacle{Case::Consumed, graph_.statement(found).at});
  }
  std::optional<Obstacle> wrong_with(StatementId producer, const Consumer& c) {
    const Algebra::Rule rule = algebra_.rule(producer, c.kernel);
    if (rule.name.empty()) return Obstacle{rule.none, c.at};
    if (auto why = consumed_before(producer, c.kernel)) return why;
    return algebra_.obstacle(producer, c.kernel);
  }
  void fused(StatementId producer, StatementId kernel) {
    const std::size_t uses = algebra_.inputs_from(producer, kernel);
    verdicts.push_back({producer, kernel, algebra_.rule(producer, kernel).name, std::nullopt,
                        uses > graph_.statement(producer).outputs.size()});
  }

  void made_copies(StatementId id, Flow& r) {
    Uses of = std::move(r[id]);
    r.erase(id);
    std::vector<StatementId> kernels;
    for (const Consumer& c : of.in) {
      if (std::find(kernels.begin(), kernels.end(), c.kernel) != kernels.end()) continue;
      kernels.push_back(c.kernel);
      copy_into(id, c, of);
    }
    for (const Consumer& c : of.beyond) verdicts.push_back({id, c.kernel, {}, of.unfusible->to(c.kernel)});
    if (of.merged && !of.unfusible && !of.stays) algebra_.remove_copies(id);
  }
  void copy_into(StatementId copies, const Consumer& c, Uses& of) {
    if (const auto why = wrong_with(copies, c)) {
      of.stays = why;
      verdicts.push_back({copies, c.kernel, {}, why});
      return;
    }
    fused(copies, c.kernel);
    of.merged = true;
    algebra_.merge_copies(copies, c.kernel);
  }

  // T (Fig. 13).
  void combinator(StatementId id, Flow& r) {
    algebra_.begin(id);
    Uses of = std::move(r[id]);
    r.erase(id);
    std::vector<Consumer> kernels;  // each once
    for (const Consumer& c : of.in)
      if (std::none_of(kernels.begin(), kernels.end(), [&](const Consumer& k) { return k.kernel == c.kernel; }))
        kernels.push_back(c);
    Name instead = none;
    std::vector<std::optional<Obstacle>> own;
    std::optional<Obstacle> why = of.unfusible ? std::optional(of.unfusible->why) : std::nullopt;
    for (const Consumer& c : kernels) {
      own.push_back(wrong_with(id, c));
      if (!why) why = own.back();
    }
    const auto in_the_way_of = [&](StatementId kernel) { return of.unfusible ? of.unfusible->to(kernel) : why; };
    if (!why && !kernels.empty()) why = without_lengths(id, of, kernels, instead);
    const bool merged = !why && !kernels.empty();
    std::vector<StatementId> into;
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      if (merged) {
        fused(id, kernels[k].kernel);
        into.push_back(kernels[k].kernel);
      } else {
        verdicts.push_back({id, kernels[k].kernel, {}, own[k] ? own[k] : in_the_way_of(kernels[k].kernel)});
      }
    }
    for (const Consumer& c : of.beyond) verdicts.push_back({id, c.kernel, {}, in_the_way_of(c.kernel)});
    if (merged)
      algebra_.merge(id, into, instead), merged_[id] = into;
    else
      into = {id};
    enter_inputs(id, merged, into, r);
    if (instead != none)
      if (const StatementId p = graph_.producer(instead); p != none)
        r[p].lengths.insert(r[p].lengths.end(), of.lengths.begin(), of.lengths.end());
  }

  // What it goes over is gone over by these kernels; by another on the path, too, and its producer stays.
  void enter_inputs(StatementId id, bool merged, const std::vector<StatementId>& kernels, Flow& r) {
    for (const Use& u : graph_.statement(id).inputs) {
      const StatementId p = graph_.producer(u.name);
      if (p == none) continue;
      Uses& of = r[p];
      const auto is_one = [&](const Consumer& c) {
        if (!merged) return false;
        if (std::find(kernels.begin(), kernels.end(), c.kernel) != kernels.end()) return true;
        return paths_ == Paths::Alternatives && std::all_of(kernels.begin(), kernels.end(), [&](StatementId k) {
                 return graph_.are_alternatives(k, c.kernel);
               });
      };
      for (const Consumer& c : of.in)
        if (!is_one(c) && c.kernel != id) {
          forbid_both(p, of, u.name, u.at, c);
          break;
        }
      for (const StatementId k : kernels)
        if (std::none_of(of.in.begin(), of.in.end(),
                         [&](const Consumer& c) { return c.kernel == k && c.array == u.name; }))
          of.in.push_back({k, u.name, u.at});
    }
  }

  // Where it stands by now: in the kernels that it, or what it stands in, was merged into.
  std::vector<StatementId> where(StatementId s) const {
    for (StatementId at = s; at != none; at = graph_[graph_.statement(at).block].owner) {
      const auto kernels = merged_.find(at);
      if (kernels == merged_.end()) continue;
      std::vector<StatementId> out;
      for (const StatementId k : kernels->second) {
        const std::vector<StatementId> further = where(k);
        out.insert(out.end(), further.begin(), further.end());
      }
      return out;
    }
    return {s};
  }

  // An input that is as long wherever a length is asked for, where one is. What the producer consumes is there until
  // the first kernel is.
  std::optional<Obstacle> without_lengths(StatementId id, const Uses& of, const std::vector<Consumer>& kernels,
                                          Name& instead) {
    if (of.lengths.empty()) return std::nullopt;
    if (!algebra_.keeps_length(id)) return Obstacle{Case::LengthAsked, of.lengths.front().at};
    const Statement& p = graph_.statement(id);
    StatementId first = kernels.front().kernel;
    for (const Consumer& c : kernels) first = std::min(first, c.kernel);
    const Length* in_the_way = nullptr;
    for (const Use& u : p.inputs) {
      const bool consumes = among(p.consumed, u.name);
      const auto bad = std::find_if(of.lengths.begin(), of.lengths.end(), [&](const Length& l) {
        const std::vector<StatementId> places = where(l.asks);
        return std::any_of(places.begin(), places.end(), [&](StatementId at) {
          return (consumes && at >= first) || graph_.consumed_between(u.name, id, at) != none ||
                 among(graph_.statement(at).consumed, u.name);
        });
      });
      if (bad == of.lengths.end()) {
        instead = u.name;
        return std::nullopt;
      }
      in_the_way = &*bad;
    }
    return Obstacle{Case::Consumed, in_the_way ? in_the_way->at : p.at};
  }

  const Graph& graph_;
  Algebra& algebra_;
  const Paths paths_;
  std::unordered_map<StatementId, std::vector<StatementId>> merged_;  // by what was merged: the kernels then
};

}  // namespace

std::vector<Verdict> reduce(const Graph& graph, Algebra& algebra, const std::vector<BlockId>& blocks, Paths paths) {
  Reduction reduction(graph, algebra, paths);
  for (const BlockId b : blocks) reduction.block(b);
  return std::move(reduction.verdicts);
}

}  // namespace lockstep::fusion
