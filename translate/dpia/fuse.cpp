// Fusion (ours; on the graph of Henriksen and Oancea, FHPC 2013, §3): a map whose elements one loop takes, each once,
// is part of that loop's function, so that no array is made of them. In and out: functional programs; what is kept
// apart by what else uses it, by a function or loop around its consumer, or by a branch that may not be taken, stays
// (translate/fusion). Elements are computed as they were, from the same operands; only where it stands differs.
#include <algorithm>
#include <bit>
#include <map>

#include "semantics/functional/names.h"
#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"
#include "translate/dpia/general_loops.h"
#include "translate/dpia/loop_graph.h"
#include "translate/dpia/reduce_in_blocks.h"
#include "translate/dpia/side_by_side.h"
#include "translate/dpia/stage.h"
#include "translate/fusion/reduction.h"
#include "translate/rewriting/claims.h"
#include "translate/rewriting/zipped.h"

namespace lockstep {
namespace {

using fusion::Name;
using fusion::StatementId;
using rewriting::has_loop;

bool calls_library(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  bool found = false;
  if (const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr) {
    const scalars::Definition definition = op->definition(operand_scalar(x->types.at(0)));
    const auto* l = std::get_if<scalars::Definition::Library>(&definition.node);
    found = l && !l->instruction;
  }
  for_each_child(p, [&](const PhraseRef& c) { found = found || calls_library(*c); });
  return found;
}
// What it does to an element takes no longer than to store the result and to load it again from memory. So nothing is
// lost where a loop in order does it, which has neither threads nor lanes for it, as its map has.
bool is_short(const Phrase& f) {
  constexpr std::size_t most = 24;  // nodes
  return !has_loop(f) && !calls_library(f) && node_count(f) <= most;
}

class Loops : public fusion::Algebra {
 public:
  Loops(const LoopGraph& g, rewriting::Site& site) : g_(g), site_(site) {}
  std::set<StatementId> merged;

  Rule rule(StatementId producer, StatementId kernel) override {
    const LoopGraph::Made &p = g_.made[producer], &k = g_.made[kernel];
    if (!p.loop || !k.loop || !is_map(*p.loop)) return {"", fusion::Case::NoRule};
    const PhraseRef* f = &p.loop->arguments[0];
    for (const Input& i : inputs_[kernel]) {
      if (i.made != producer) continue;
      if (i.apart) return {"", fusion::Case::Viewed};
      if (i.view) f = &i.view->core;
    }
    if (!std::get<Loop>(k.loop->primitive->kind).independent && !takes_in_order(*f, k))
      return {"", fusion::Case::Combination};
    return {k.loop->primitive->name};
  }
  std::optional<fusion::Obstacle> obstacle(StatementId producer, StatementId kernel) override {
    const std::uint64_t by = read_by(producer, kernel);
    if (inputs_from(producer, kernel) > 1 || std::popcount(by) > 1)  // it would be made for each
      return fusion::Obstacle{fusion::Case::Siblings, g_.made[kernel].phrase->region};
    // Nobody reads it, and it stands there for its traps: a place that is a component would have to be stored.
    const PrimPhrase* loop = g_.made[kernel].loop;
    const bool unread = by == 0 && loop && functions_of(*loop) > 1;
    const bool left_out =
        std::ranges::any_of(inputs_[kernel], [&](const Input& i) { return i.made == producer && i.some; });
    const bool sometimes = g_.graph.is_in_branch(producer, kernel) || by > 1 || unread || left_out;
    if (sometimes && !rewriting::is_total(*g_.made[producer].phrase))
      return fusion::Obstacle{fusion::Case::LostCheck, g_.made[producer].phrase->region};
    return std::nullopt;
  }
  bool keeps_length(StatementId) override { return true; }
  std::size_t inputs_from(StatementId producer, StatementId kernel) override {
    const auto& all = inputs_[kernel];
    return static_cast<std::size_t>(std::ranges::count(all, producer, &Input::made));
  }
  void begin(StatementId kernel) override {
    const std::vector<fusion::Use>& all = g_.graph.statement(kernel).inputs;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const LoopGraph::Input& i = g_.made[kernel].inputs.at(k);
      inputs_[kernel].push_back({all[k].name, i.read_by, i.view, i.view && i.view->some, i.apart});
    }
  }
  void merge(StatementId producer, const std::vector<StatementId>& kernels, Name) override {
    merged.insert(producer);
    for (const StatementId k : kernels) {
      const std::uint64_t by = read_by(producer, k);
      const Input through = *std::ranges::find(inputs_[k], producer, &Input::made);
      const bool of_rows = through.view && through.view->peeled;
      for (const Input& i : std::vector(inputs_[producer]))
        inputs_[k].push_back({i.made, by, i.view, i.some || through.some, i.apart || of_rows});
    }
  }
  void merge_copies(StatementId, StatementId) override { throw Bug("copies in a program of the calculus"); }
  void remove_copies(StatementId) override { throw Bug("copies in a program of the calculus"); }

 private:
  // Whether a fold or a scan makes on the way what it takes: where it stands in another loop's function it has neither
  // threads nor, in order, lanes, and what a map makes there is near.
  bool takes_in_order(const PhraseRef& f, const LoopGraph::Made& fold) {
    if (fold.inside && functions_of(*fold.loop) == 1)
      return !has_loop(*f) && !fold.levelled && split_by_law(site_, *fold.loop).has_value();
    return is_short(*f);
  }

  const LoopGraph& g_;
  rewriting::Site& site_;
  // Which functions of the kernel read what the producer makes.
  std::uint64_t read_by(StatementId producer, StatementId kernel) {
    std::uint64_t all = 0;
    for (const Input& i : inputs_[kernel]) all |= i.made == producer ? i.by : 0;
    return all;
  }

  struct Input {
    Name made;
    std::uint64_t by;                 // functions that read it
    const ViewedMap* view = nullptr;  // as which they do
    // Of a view that leaves elements out; of one that no rule moves, or that takes elements of rows that it makes: also
    // by way of a map that was merged.
    bool some = false, apart = false;
  };
  std::map<StatementId, std::vector<Input>> inputs_;  // of a kernel, those of what was merged into it too
};

// The program with its merged maps in the functions of the loops that take them.
class Merging {
 public:
  Merging(const LoopGraph& g, const std::set<StatementId>& merged, rewriting::Site& site)
      : g_(g), merged_(merged), site_(site) {}

  PhraseRef run(const PhraseRef& p) {
    if (const auto* l = as<LetPhrase>(*p); l && is_merged(g_.loop_of(l->value))) {
      producers_.emplace(l->name, run(l->value));
      return run(l->body);
    }
    const auto* x = as<PrimPhrase>(*p);
    const auto at = x && g_.statement.contains(&*p) ? array_taken(*x) : std::nullopt;
    if (at)
      for (const rewriting::Zipped& z : rewriting::zipped_in(x->arguments[*at]))
        if (is_merged(g_.loop_of(z.array))) return merged(p, *x, *at);
    return map_children(p, [&](const PhraseRef& c) { return run(c); });
  }

 private:
  bool is_merged(StatementId s) const { return s != fusion::none && merged_.contains(s); }

  // An array that the loop takes an element of, and what makes that of an element of it.
  struct Taken {
    PhraseRef array;
    std::optional<PhraseRef> function{};  // none: the element itself
  };
  using Functions = std::vector<std::pair<rewriting::Components, std::optional<PhraseRef>>>;  // by component

  Taken taken(const PhraseRef& array) {
    if (!is_merged(g_.loop_of(array))) return {run(array)};
    const auto viewed = g_.viewed.find(&*array);
    const PhraseRef& made = viewed == g_.viewed.end() ? array : viewed->second.map;
    const auto* i = as<Ident>(*made);
    PhraseRef map = i ? producers_.at(i->name) : run(made);
    if (i && !used_.insert(i->name).second) map = refresh(map, site_.names);  // into two loops
    const auto& m = std::get<PrimPhrase>(map->node);
    if (viewed == g_.viewed.end()) return {m.arguments[*array_taken(m)], m.arguments[0]};
    MovedMap moved = moved_above(site_, viewed->second, m);
    return {std::move(moved.array), std::move(moved.function)};
  }

  // The loop over what its merged maps go over.
  PhraseRef merged(const PhraseRef& p, const PrimPhrase& x, std::size_t at) {
    PrimPhrase out = x;
    for (std::size_t k = 0; k < x.arguments.size(); ++k)
      if (k != at) out.arguments[k] = run(x.arguments[k]);
    const PrimPhrase before = out;
    Functions functions;
    out.arguments[at] = rewriting::zipped_again(site_, x.arguments[at], [&](const rewriting::Zipped& z) {
      Taken t = taken(z.array);
      functions.emplace_back(z.path, t.function);
      return t.array;
    });
    out.types[0] = element_type(*out.arguments[at]);
    for (std::size_t k = 0; k < functions_of(x); ++k) {
      Functions own;  // a function has what it reads, and the first what none does
      for (const auto& [path, f] : functions)
        if (const std::uint64_t by = functions_reading(before, path); by >> k & 1 || (k == 0 && by == 0))
          own.emplace_back(path, f);
      out.arguments[k] = composed(std::get<LambdaPhrase>(before.arguments[k]->node), out.types[0], own);
    }
    return Phrase{p->type, std::move(out), p->region};
  }

  // \x ... -> body, behind the functions of components of its new x.
  PhraseRef composed(const LambdaPhrase& f, const Type& element, const Functions& functions) {
    const std::string x = site_.names.fresh(f.name);
    const PhraseRef whole = ident(x, exp_type(element));
    // the step, below its other parameters
    std::vector<const LambdaPhrase*> others;
    PhraseRef body = f.body;
    while (const auto* l = as<LambdaPhrase>(*body)) others.push_back(l), body = l->body;
    std::vector<rewriting::Moved> moved;
    std::vector<std::pair<std::string, PhraseRef>> values;
    for (const auto& [path, g] : functions) {
      const PhraseRef part = rewriting::component_at(site_, whole, path);
      if (!g) {
        moved.push_back({path, part});
        continue;
      }
      const PhraseRef value = rewriting::call_function(site_, *g, part);
      const std::string y = site_.names.fresh("y");
      moved.push_back({path, ident(y, value->type)});
      values.emplace_back(y, value);
    }
    body = rewriting::with_components(site_, body, f.name, moved);
    for (auto v = values.rbegin(); v != values.rend(); ++v) {
      // loops that were written come out, though nothing takes what they make
      if (has_loop(*v->second) && !rewriting::mentions_name(*body, v->first))
        body = let(v->first, v->second, body);
      else
        body = rewriting::call_function(site_, lambda(v->first, v->second->type, body), v->second);
    }
    for (auto l = others.rbegin(); l != others.rend(); ++l) body = lambda((*l)->name, (*l)->parameter, body);
    return lambda(x, exp_type(element), body);
  }

  const LoopGraph& g_;
  const std::set<StatementId>& merged_;
  rewriting::Site& site_;
  std::map<std::string, PhraseRef> producers_;  // merged, by the name that `let` gave them
  std::set<std::string> used_;
};

// Of pairs of loops.
std::vector<fusion::Decision> decided(const LoopGraph& g, const std::vector<fusion::Verdict>& all) {
  std::vector<fusion::Decision> out;
  for (const fusion::Verdict& v : all) {
    const LoopGraph::Made &producer = g.made[v.producer], &consumer = g.made[v.consumer];
    if (!producer.loop || !consumer.loop) continue;
    const std::string &a = producer.loop->primitive->name, &b = consumer.loop->primitive->name;
    out.push_back({a, b, producer.phrase->region, consumer.phrase->region, v.obstacle ? "" : b + "∘" + a, v.obstacle,
                   v.interesting});
  }
  return out;
}

}  // namespace

PhraseProgram fused(const PhraseProgram& p, const Calculus& calculus, const fusion::Parts& parts,
                    std::vector<fusion::Decision>* decisions, const rewriting::LawOracle& asked) {
  PhraseProgram out = p;
  if (p.fused) return out;
  Names names = names_of(p);
  const SizeContext context;
  const SizeSolver solver;
  const rewriting::LawOracle laws = p.in_order ? rewriting::LawOracle() : asked ? asked : rewriting::claimed_laws();
  rewriting::Site site{calculus, out.facts, out.sizes, context, solver, laws, {}, names};
  // What reductions took together one takes now.
  for (bool joined = true; joined; joined = join_reductions(site, out.body, decisions)) {
    out.body = with_views_where_read(site, in_general_form(site, out.body));
    for (bool again = true; again;) {
      LoopGraph g(out, site);
      if (parts.graph) g.graph = parts.graph(g.graph);
      Loops algebra(g, site);
      const std::unique_ptr<fusion::Algebra> other = parts.algebra ? parts.algebra(algebra, g.graph) : nullptr;
      const auto found = fusion::reduce(g.graph, other ? *other : algebra, {0}, fusion::Paths::Alternatives);
      if (decisions) fusion::note(*decisions, decided(g, found));
      again = !algebra.merged.empty();
      if (again) out.body = Merging(g, algebra.merged, site).run(out.body);
    }
    out.body = in_special_form(site, out.body);
  }
  return out;
}

Stage fuse_loops(const DpiaLanguages& l) {
  return stage_of<PhraseProgram, PhraseProgram>(
      "fuse-loops", "Henriksen, Oancea, 2013, §3, amended", l.functional, l.functional,
      [c = l.calculus, laws = l.laws](const PhraseProgram& p, Owed*) { return fused(p, *c, {}, nullptr, laws); },
      {.work = CostRelation::Change::NotMore});
}

}  // namespace lockstep
