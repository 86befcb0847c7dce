// Costs of functional phrases (cost.h). As in Fig. 5 an expression has commands, run before it is used (`before`), and
// what is left of it is read, each time that it is used (`read`); or it is written into an acceptor (`into`). d: a
// type, e: an expression, f: a function, x: a name.
#include "semantics/functional/cost.h"

#include "semantics/functional/shape.h"
#include "semantics/primitives/build.h"
#include "semantics/primitives/loop_costs.h"
#include "semantics/primitives/operators.h"

namespace lockstep {
namespace {

const Cost nothing{0, 0, 0};

bool is_loop(const Phrase& e) {
  const auto* p = as<PrimPhrase>(e);
  return p && std::holds_alternative<Loop>(p->primitive->kind);
}
// An if that stays an expression.
bool is_choice(const Phrase& e, const IfPhrase& x) {
  return is_scalar_data(data_of(e)) && is_simple(*x.then) && is_simple(*x.otherwise);
}
// && and || whose right side runs only where it is needed.
bool is_lazy(const PrimPhrase& p) {
  const auto* op = std::get_if<ScalarOp>(&p.primitive->kind);
  return op && op->decided_by && !is_simple(*p.arguments[1]);
}

class Costs final : public SourceCosts {
 public:
  explicit Costs(SizeContext facts) : facts_(std::move(facts)) {}

  Cost before(const PhraseRef& e) override {
    if (const auto* x = as<LetPhrase>(*e)) {
      const Cost value = bound(*x);  // before the body: it says what the name stands for
      return value + before(x->body);
    }
    if (const auto* x = as<IfPhrase>(*e)) {
      if (!is_choice(*e, *x)) return temporary(*e, branch(*x));
      const Cost condition = before(x->condition), then = before(x->then);
      return condition + then + before(x->otherwise);
    }
    const auto* p = as<PrimPhrase>(*e);
    if (!p) return nothing;
    return match(
        p->primitive->kind, [&](const ScalarOp& op) { return before_operator(*e, *p, op); },
        [&](const View& v) {
          const Cost arguments = all_named(*p);
          return v.check ? arguments + v.check_cost(*this, *p) : arguments;
        },
        [&](const Loop& l) {
          return l.continuation ? l.cost(*this, *p, false) : temporary(*e, l.cost(*this, *p, true));
        });
  }

  Cost named(const PhraseRef& e) override {
    const Cost commands = before(e);
    if (!is_scalar_data(data_of(*e)) || is_name(*e)) return commands;
    return commands + temporary(*e, assigned(e));
  }

  Cost into(const PhraseRef& e) override {
    if (const auto* x = as<LetPhrase>(*e)) {
      const Cost value = bound(*x);
      return value + into(x->body);
    }
    const bool single = is_scalar_data(data_of(*e));
    if (const auto* x = as<IfPhrase>(*e); x && !(single && is_simple(*e))) return branch(*x);
    const auto* p = as<PrimPhrase>(*e);
    if (p && is_loop(*e)) return std::get<Loop>(p->primitive->kind).cost(*this, *p, true);
    const auto* v = p ? std::get_if<View>(&p->primitive->kind) : nullptr;
    if (!v || v->acceptors.empty() || single) {
      const Cost commands = before(e);
      return commands + assigned(e);
    }
    Cost all = nothing;
    for (const AcceptorFacet& a : v->acceptors) all = all + into(p->arguments.at(a.argument));
    return all;
  }

  Cost read(const PhraseRef& e) override { return operand(*e, {}); }
  Cost assigned(const PhraseRef& e) override { return assigned(data_of(*e), *e, {}); }
  Cost moved(const Type& d, const PhraseRef& e) override {
    return moved_by_leaves(facts_, d, [&](const Projections& path) { return reading(*e, path); });
  }

  Cost call(const PhraseRef& f, const std::vector<PhraseRef>& with) override {
    PhraseRef body = f;
    for (std::size_t k = 0; as<LambdaPhrase>(*body); ++k) {
      const auto* l = as<LambdaPhrase>(*body);
      const auto* d = k < with.size() ? as<ExpType>(l->parameter) : nullptr;
      if (d) (d->data == data_of(*with[k]) ? by_name_ : elements_of_).insert_or_assign(l->name, with[k]);
      PhraseRef inner = l->body;
      body = std::move(inner);
    }
    return into(body);
  }
  void bind(const PhraseRef& f, const PhraseRef& e) override {
    if (const auto* l = as<LambdaPhrase>(*f)) stands_for_.insert_or_assign(l->name, e);
  }
  Size iterations() override { return Size::name("#iterations_" + std::to_string(++whiles_)); }

 private:
  // ------------------------------------------------------------------------------------------ commands
  static Cost temporary(const Phrase& e, const Cost& written) { return with_space(scalars_in(data_of(e)), written); }

  // let: as named, and a view whose reads cost something is stored.
  Cost bound(const LetPhrase& x) {
    const Cost value = named(x.value);
    if (is_scalar_data(data_of(*x.value)) || is_variable(*x.value) || free_to_read(*x.value)) {
      stands_for_.insert_or_assign(x.name, x.value);
      return value;
    }
    return value + temporary(*x.value, stored(x.value));
  }
  // A view by its acceptors, of parts that are names.
  Cost stored(const PhraseRef& e) {
    if (const auto* x = as<LetPhrase>(*e)) return stored(x->body);
    if (is_scalar_data(data_of(*e))) return of_lanes(data_of(*e)) + operand(*e, {});
    if (const auto* x = as<Ident>(*e))
      if (const auto it = stands_for_.find(x->name); it != stands_for_.end()) return stored(it->second);
    const auto* p = as<PrimPhrase>(*e);
    const auto* v = p ? std::get_if<View>(&p->primitive->kind) : nullptr;
    if (!v || v->acceptors.empty()) return assigned(e);
    Cost all = nothing;
    for (const AcceptorFacet& a : v->acceptors) all = all + stored(p->arguments.at(a.argument));
    return all;
  }

  // What either side stores has its place outside of loops, and so beside the other's.
  Cost either(const Cost& a, const Cost& b) const {
    return {upper_maximum(facts_, a.work, b.work), upper_maximum(facts_, a.depth, b.depth), a.space + b.space};
  }
  Cost branch(const IfPhrase& x) {
    const Cost condition = before(x.condition);
    const Cost test = condition + reading(*x.condition, {}), then = into(x.then);  // loops are numbered in this order
    return test + either(then, into(x.otherwise));
  }

  Cost all_named(const PrimPhrase& p) {
    Cost all = nothing;
    for (const PhraseRef& a : p.arguments) all = all + named(a);
    return all;
  }

  Cost before_operator(const Phrase& e, const PrimPhrase& p, const ScalarOp& op) {
    if (is_lazy(p)) {  // an if into a temporary, with a literal for the other branch
      const Cost left = before(p.arguments[0]);
      const Cost test = left + reading(*p.arguments[0], {});
      return temporary(e, test + either(into(p.arguments[1]), Cost{1, 1, 0}));
    }
    if (!can_trap(op, p.types.at(0))) {
      Cost all = nothing;
      for (const PhraseRef& a : p.arguments) all = all + before(a);
      return all;
    }
    const Cost operands = all_named(p);
    return operands + repeated(widest_leaf(p.types.at(0)), guard(p, op));
  }

  // Of one lane: the guard's definition over operands that are names.
  Cost guard(const PrimPhrase& p, const ScalarOp& op) {
    const ScalarType t = operand_scalar(p.types.at(0));
    const PhraseRef temporary = ident("", exp_type(p.types.at(0)));
    std::vector<PhraseRef> names;
    for (std::size_t k = 0; k < p.arguments.size(); ++k) {  // a read of a lane reads its vector
      const PhraseRef& a = p.arguments[k];
      const std::string lane = "lane " + std::to_string(k);
      elements_of_.insert_or_assign(lane, is_name(*a) ? a : temporary);
      names.push_back(ident(lane, exp_type(scalar(t))));
    }
    return reading(*phrase_of(op.guard(t)->ok, names), {});
  }

  // ------------------------------------------------------------------------------------------ what is left to read
  Cost reading(const Phrase& e, Projections path) {
    return match(
        e.node,
        [&](const Ident& x) {
          if (const auto it = stands_for_.find(x.name); it != stands_for_.end()) return operand(*it->second, path);
          for (const auto* given : {&by_name_, &elements_of_})
            if (const auto it = given->find(x.name); it != given->end()) return reading(*it->second, path);
          return as<IndexType>(data_of(e)) ? nothing : variable(e, path);
        },
        [](const LiteralPhrase&) { return nothing; }, [](const NatPhrase&) { return nothing; },
        [](const LambdaPhrase&) -> Cost { throw Bug("the cost of reading a function"); },
        [](const ApplyPhrase&) -> Cost { throw Bug("the cost of an application that is not in normal form"); },
        [&](const LetPhrase& x) { return reading(*x.body, path); },
        [&](const IfPhrase& x) {
          if (!is_choice(e, x)) return variable(e, path);
          return reading(*x.condition, {}) + Cost{1, 1, 0} +
                 either(reading(*x.then, path), reading(*x.otherwise, path));
        },
        [](const PairPhrase&) -> Cost { throw Bug("the cost of a pair of phrases"); },
        [&](const ProjPhrase&) { return variable(e, path); },
        [&](const PrimPhrase& x) { return reading_primitive(e, x, std::move(path)); },
        [](const ImpPhrase&) -> Cost { throw Bug("the functional cost of a command"); });
  }

  Cost reading_primitive(const Phrase& e, const PrimPhrase& p, Projections path) {
    const auto& args = p.arguments;
    return match(
        p.primitive->kind,
        [&](const ScalarOp& op) {
          if (is_lazy(p)) return variable(e, path);
          const bool names = can_trap(op, p.types.at(0));
          Cost all = of_lanes(p.types.at(0));
          for (const PhraseRef& a : args) all = all + (names ? operand(*a, {}) : reading(*a, {}));
          return all;
        },
        [&](const View& v) {
          if (v.component) {
            path.insert(path.begin(), v.component);
            return reading(*args[0], std::move(path));
          }
          if (v.made_of != MadeOf::Other && !path.empty()) {
            const auto k = static_cast<std::size_t>(path.front() - 1);
            path.erase(path.begin());
            return operand(*args[k], std::move(path));
          }
          Cost all{v.read_cost, v.read_cost, 0};
          for (std::size_t k = 0; k < args.size(); ++k)
            all = all + repeated(times_read(e, v, k, path), operand(*args[k], path));
          return made_of_scalars(e, v) ? repeated(widest_leaf(data_of(e)), all) : all;
        },
        [&](const Loop&) { return variable(e, path); });
  }

  // Of what C was given as a name.
  Cost operand(const Phrase& e, const Projections& path) {
    return is_scalar_data(data_of(e)) && !is_name(e) ? variable(e, path) : reading(e, path);
  }
  static Cost variable(const Phrase& e, const Projections& path) {
    const Size lanes = widest_leaf(data_of(e), path);
    return {lanes, lanes, 0};
  }

  // A :=_d e, of the part of e that the projections choose (§4.1): by induction on d.
  Cost assigned(const Type& d, const Phrase& e, const Projections& path) {
    const auto part = [&](const Type& t, int k) {
      Projections inner = path;
      inner.push_back(k);
      return assigned(t, e, inner);
    };
    if (const auto* t = as<ArrayType>(d)) return side_by_side(t->length, assigned(*t->element, e, path));
    if (const auto* t = as<PairType>(d)) return part(*t->first, 1) + part(*t->second, 2);
    return of_lanes(d) + reading(e, path);
  }

  // ------------------------------------------------------------------------------------------ what is left, its shape
  // The pair whose components fst and snd of e take; null where that is known from a run only.
  const PrimPhrase* pair_of(const Phrase& e) const {
    if (const auto* x = as<LetPhrase>(e)) return pair_of(*x->body);
    if (const auto* x = as<Ident>(e)) {
      const auto it = stands_for_.find(x->name);
      return it == stands_for_.end() ? nullptr : pair_of(*it->second);
    }
    const auto* p = as<PrimPhrase>(e);
    if (!p) return nullptr;
    if (is_pair(*p)) return p;
    const int k = component_taken(*p);
    const PrimPhrase* pair = k ? pair_of(*p->arguments[0]) : nullptr;
    return pair ? pair_of(*pair->arguments.at(static_cast<std::size_t>(k - 1))) : nullptr;
  }
  // A name, a literal, or a component of one: what needs no temporary to be a name.
  bool is_name(const Phrase& e) const {
    return match(
        e.node,
        [&](const Ident& x) {
          if (const auto it = by_name_.find(x.name); it != by_name_.end()) return is_name(*it->second);
          const auto it = stands_for_.find(x.name);
          return it == stands_for_.end() || is_scalar_data(data_of(e)) || is_name(*it->second);
        },
        [](const LiteralPhrase&) { return true; }, [](const NatPhrase&) { return true; },
        [](const LambdaPhrase&) { return false; }, [](const ApplyPhrase&) { return false; },
        [&](const LetPhrase& x) { return is_name(*x.body); }, [&](const IfPhrase& x) { return !is_choice(e, x); },
        [](const PairPhrase&) { return false; }, [](const ProjPhrase&) { return true; },
        [&](const PrimPhrase& p) {
          if (is_loop(e) || is_lazy(p)) return true;
          const int k = component_taken(p);
          if (!k) return false;
          if (const PrimPhrase* pair = pair_of(*p.arguments[0])) {
            const Phrase& part = *pair->arguments.at(static_cast<std::size_t>(k - 1));
            return is_scalar_data(data_of(part)) || is_name(part);
          }
          return is_name(*p.arguments[0]);
        },
        [](const ImpPhrase&) { return false; });
  }
  // What C is given is a variable already.
  bool is_variable(const Phrase& e) const {
    if (const auto* x = as<LetPhrase>(e)) return is_variable(*x->body);
    return is_loop(e) || as<IfPhrase>(e);
  }
  bool free_to_read(const Phrase& e) const {
    if (is_scalar_data(data_of(e))) return true;  // a name
    if (const auto* x = as<LetPhrase>(e)) return free_to_read(*x->body);
    if (const auto* x = as<Ident>(e)) {
      const auto it = stands_for_.find(x->name);
      return it == stands_for_.end() || free_to_read(*it->second);
    }
    const auto* p = as<PrimPhrase>(e);
    const auto* v = p ? std::get_if<View>(&p->primitive->kind) : nullptr;
    if (!v) return true;
    bool free = v->read_cost == Size(0);
    for (const PhraseRef& a : p->arguments) free = free && free_to_read(*a);
    return free;
  }

  const SizeContext facts_;
  std::map<std::string, PhraseRef> stands_for_;   // names that are replaced by what they stand for
  std::map<std::string, PhraseRef> elements_of_;  // parameters, and what loops give elements of to them
  std::map<std::string, PhraseRef> by_name_;      // parameters, and the expressions that loops give to them
  int whiles_ = 0;
};

}  // namespace

Cost cost(const PhraseProgram& program) {
  const SizeContext facts = context_of(program);
  const Cost c = Costs(facts).into(program.body);
  return {facts.simplify(c.work), facts.simplify(c.depth), facts.simplify(c.space)};
}

}  // namespace lockstep
