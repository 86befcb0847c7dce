// What was made against the composition of its path (paths.h), node by node.
// n: the naive term, g: the generated one.
#include "proofs/kernel/indices.h"

#include <algorithm>

#include "proofs/kernel/digits.h"
#include "proofs/kernel/parts.h"
#include "proofs/kernel/paths.h"

namespace lockstep::proofs::kernels {
namespace {

using namespace kernel;

class Comparison {
 public:
  Comparison(const PathRecord& record, const Naive& naive, Prover& prover, ProgramObligation& o)
      : record_(record), naive_(naive), prover_(prover), o_(o) {
    for (const SizeFact& f : record.paths.context().facts()) known_.facts.push_back(as_term(f));
    if (record.lane) known_.facts.push_back(equal(named("$lane"), number(*record.lane)));
  }

  void same(const Term& n, const Term& g) {
    if (o_.standing == Standing::Refuted || n == g) return;
    if (const auto* v = std::get_if<VectorLoad>(&g.node))
      if (const auto* b = std::get_if<Build>(&n.node); b && b->lanes.size() == static_cast<std::size_t>(v->width)) {
        for (std::size_t l = 0; l < b->lanes.size(); ++l)
          same(*b->lanes[l],
               {{g.type.scalar, 1}, Load{v->buffer, add(*v->index, number(static_cast<std::int64_t>(l)))}});
        return;
      }
    if (const auto* c = std::get_if<Choose>(&n.node)) return choice(*c, n, g);
    if (n.node.index() == g.node.index() && same_nodes(n, g)) return;
    if (n.type == g.type && n.type.width == 1 && !std::holds_alternative<Lane>(n.node)) return prove_equal(n, g);
    differ(n, g, "");
  }

 private:
  // The same kind of node over parts that are compared in turn; false where it has to be decided as a whole.
  bool same_nodes(const Term& n, const Term& g) {
    const auto each = [&](const std::vector<ExprRef>& xs, const std::vector<ExprRef>& ys) {
      if (xs.size() != ys.size()) return false;
      for (std::size_t k = 0; k < xs.size(); ++k) same(*xs[k], *ys[k]);
      return true;
    };
    return match(
        n.node, [](const Const&) { return false; }, [](const Var&) { return false; },
        [](const Arith&) { return false; },
        [&](const Load& x) {
          const auto& y = std::get<Load>(g.node);
          return x.buffer == y.buffer && (prove_equal(*x.index, *y.index), true);
        },
        [&](const VectorLoad& x) {
          const auto& y = std::get<VectorLoad>(g.node);
          return x.buffer == y.buffer && x.width == y.width && (prove_equal(*x.index, *y.index), true);
        },
        [&](const Apply& x) {
          const auto& y = std::get<Apply>(g.node);
          return x.primitive->name == y.primitive->name && x.operand == y.operand && each(x.arguments, y.arguments);
        },
        [](const Choose&) { return false; },
        [&](const Lane& x) {
          const auto& y = std::get<Lane>(g.node);
          const auto number = evaluate(naive_.expanded(*x.lane), {});
          const bool never = number && (*number < 0 || *number >= x.vector->type.width);  // its check has trapped
          same(*x.vector, *y.vector);
          if (!never) prove_equal(*x.lane, *y.lane);
          return true;
        },
        [&](const Build& x) { return each(x.lanes, std::get<Build>(g.node).lanes); },
        [&](const Splat& x) { return same(*x.scalar, *std::get<Splat>(g.node).scalar), true; });
  }

  void choice(const Choose& c, const Term& n, const Term& g) {
    const auto under = [&](const Term& condition, const Term& x, const Term& y) {
      known_.facts.push_back(condition);
      same(x, y);
      known_.facts.pop_back();
    };
    if (const auto* d = std::get_if<Choose>(&g.node)) {
      if (*c.condition == *d->condition || holds(equal(*c.condition, *d->condition))) {
        under(*c.condition, *c.then, *d->then);
        under(negation(*c.condition), *c.otherwise, *d->otherwise);
        return;
      }
    }
    // What was decided when it was translated.
    if (holds(*c.condition)) return under(*c.condition, *c.then, g);
    if (holds(negation(*c.condition))) return under(negation(*c.condition), *c.otherwise, g);
    if (n.type.width == 1 && g.type.width == 1) return prove_equal(n, g);
    differ(n, g, "a condition is not decided: " + show_term(naive_.expanded(*c.condition)));
  }

  // With the definitions and the ranges of the names that are spoken of.
  Known ranged(const Term& goal) const {
    Known k = known_;
    std::set<std::string> names;
    std::vector<std::string> todo;
    const auto note = [&](const Term& t) {
      each_name(t, [&](const std::string& s) {
        if (names.insert(s).second) todo.push_back(s);
      });
    };
    note(goal);
    for (const Term& f : known_.facts) note(f);
    const auto& ranges = record_.paths.context().ranges();
    for (std::size_t at = 0; at < todo.size(); ++at) {
      const std::string name = todo[at];
      if (const Term* meaning = naive_.definition(name)) {
        k.facts.push_back(equal(named(name), *meaning));
        note(*meaning);
      }
      if (const auto it = ranges.find(name); it != ranges.end()) {
        k.ranges.emplace_back(name, as_term(it->second));
        note(k.ranges.back().second);
      }
    }
    if (names.contains("$lane") && !record_.lane) k.ranges.emplace_back("$lane", number(record_.made.type.width));
    return k;
  }
  // Definitions are put in where what comes out is not large: Z3 sees most equalities of sums at once then.
  Answer ask(const Term& goal) {
    const Term whole = naive_.expanded(goal);
    if (node_count(whole) > 400) return prover_.by_solver(ranged(goal), goal);
    Known k = ranged(whole);
    for (Term& f : k.facts)
      if (Term t = naive_.expanded(f); node_count(t) <= 400) f = std::move(t);
    const auto proves = [&](const Known& known, const Term& t) { return prover_.by_solver(known, t).proved(); };
    if (const auto digits = in_digits(k, {whole}, proves)) {
      Answer answer = prover_.by_solver(digits->known, with_quotients(digits->known, digits->terms[0], prover_));
      if (answer.proved()) return answer;
    }
    return prover_.by_solver(k, whole);
  }
  bool holds(const Term& goal) { return ask(goal).proved(); }

  void prove_equal(const Term& n, const Term& g) {
    if (n == g) return;
    const Term goal = equal(n, g);
    const Answer answer = ask(goal);
    if (answer.proved()) {
      o_.method = both(o_.method, answer.method);
      return;
    }
    if (const auto found = counterexample(n, g)) {
      o_.standing = Standing::Refuted;
      o_.detail = *found;
      return;
    }
    differ(n, g, "not decided");
  }
  void differ(const Term& n, const Term& g, const std::string& why) {
    add_to(o_, {Standing::Unknown,
                {},
                (why.empty() ? "" : why + ": ") + show_term(naive_.expanded(n)) + " and " + show_term(g)});
  }

  // Numbers at which the two differ.
  std::optional<std::string> counterexample(const Term& n, const Term& g) const {
    const Term goal = naive_.expanded(equal(n, g));
    Accesses a;
    Situation s;
    const Known k = ranged(goal);
    std::set<std::string> looped, named_ones;
    for (const auto& [name, extent] : k.ranges) looped.insert(name);
    // What an extent speaks of stands further out.
    std::vector<std::pair<std::string, Term>> order = k.ranges;
    std::reverse(order.begin(), order.end());
    for (const auto& [name, extent] : order) {
      s.loops.push_back(static_cast<int>(a.loops.size()));
      a.loops.push_back({static_cast<int>(a.loops.size()), LoopFrame::Kind::Sequential, Level::Seq, name, extent, ""});
      each_name(extent, [&](const std::string& m) { named_ones.insert(m); });
    }
    a.size_facts = record_.paths.context().facts();
    for (const SizeFact& f : a.size_facts) a.facts.push_back(as_term(f));
    for (const Term& f : k.facts) {
      const Term t = naive_.expanded(f);
      s.guards.push_back({t, false, -1});
      each_name(t, [&](const std::string& m) { named_ones.insert(m); });
    }
    each_name(goal, [&](const std::string& m) { named_ones.insert(m); });
    for (const std::string& m : named_ones)
      if (!looped.contains(m) && !is_data_name(m)) a.sizes.push_back(m);
    std::size_t budget = search_budget;
    std::string found;
    for (const SizeValues& sizes : small_sizes_of(a)) {
      each_instance(a, s, sizes, false, budget, [&](const SizeValues& v) {
        if (evaluate(goal, v) != 0) return false;
        const auto x = evaluate(naive_.expanded(n), v), y = evaluate(g, v);
        found = show_values(v) + ": the path leads to " + std::to_string(*x) + ", the kernel to " + std::to_string(*y);
        return true;
      });
      if (!found.empty() || budget == 0) break;
    }
    return found.empty() ? std::nullopt : std::optional(found);
  }

  const PathRecord& record_;
  const Naive& naive_;
  Prover& prover_;
  ProgramObligation& o_;
  Known known_;
};

}  // namespace

ProgramObligation index_obligation(const PathRecord& record, Prover& prover) {
  const Clock clock;
  ProgramObligation o{ObligationKind::Indices,
                      (record.write ? "write " : "") + show_term(record.made),
                      "",
                      Standing::Proved,
                      {},
                      0,
                      ""};
  for (const auto& [name, value] : record.paths.indices())
    if (spelled(name) != name) {
      o.standing = Standing::Unknown;
      o.detail = "the index " + name + " is called as the prover's own names are";
      return o;
    }
  Naive naive(record.paths, record.lane);
  Term n = record.write ? naive.acceptor(record.phrase, record.path) : naive.expression(record.phrase, record.path);
  const auto is_variable = [&](const std::string& name) {
    return std::any_of(record.paths.places().begin(), record.paths.places().end(), [&](const auto& p) {
      return std::any_of(p.second.begin(), p.second.end(), [&](const Site& s) { return s.variable && s.name == name; });
    });
  };
  Term g = rename(record.made, [&](const std::string& s) { return is_variable(s) ? variable_data(s) : s; });
  if (record.write) {
    // Lanes in a row: $lane steps through them.
    const auto* v = std::get_if<VectorLoad>(&g.node);
    if (v && std::holds_alternative<Load>(n.node))
      g = {{g.type.scalar, 1}, Load{v->buffer, add(*v->index, named("$lane"))}};
  }
  Comparison(record, naive, prover, o).same(n, g);
  if (o.standing == Standing::Proved && o.method.way == Method::None) o.method = {Method::Structure};
  o.seconds = clock.seconds();
  return o;
}

}  // namespace lockstep::proofs::kernels
