// Costs of phrases: expressions by what reading them costs, commands by the constants of Fig. 4.
#include "semantics/imperative/cost.h"

#include "semantics/core/cost.h"
#include "semantics/functional/cost.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep::imperative {
namespace {

Cost reading(const Size& lanes) { return {lanes, lanes, 0}; }

class Costs {
 public:
  Costs(SizeContext facts, bool in_order) : facts_(std::move(facts)), in_order_(in_order) {}

  // Evaluating a scalar or short vector.
  Cost expression(const Phrase& e, Projections path = {}) {
    return match(
        e.node, [&](const Ident& x) { return identifier(x, e, std::move(path)); },
        [](const LiteralPhrase&) {
          return Cost{0, 0, 0};
        },
        [](const NatPhrase&) {
          return Cost{0, 0, 0};
        },
        [&](const LambdaPhrase& x) { return expression(*x.body); },
        [&](const ApplyPhrase& x) { return then(expression(*x.function), expression(*x.argument)); },
        [&](const LetPhrase& x) { return then(expression(*x.value), expression(*x.body, path)); },
        [&](const IfPhrase& x) {
          return then(then(expression(*x.condition), {1, 1, 0}),
                      either(facts_, expression(*x.then, path), expression(*x.otherwise, path)));
        },
        [](const PairPhrase&) -> Cost { throw Bug("the cost of a pair of phrases"); },
        [&](const ProjPhrase&) { return read(e, path); },
        [&](const PrimPhrase& x) { return primitive(e, x, std::move(path)); },
        [](const ImpPhrase&) -> Cost { throw Bug("the cost of a command as an expression"); });
  }

  Cost command(const Phrase& p) {
    if (const auto* x = as<ImpPhrase>(p)) return constant(*x);
    if (const auto* x = as<ApplyPhrase>(p))
      return then(command(*x->function), as<ExpType>(x->argument->type) ? expression(*x->argument) : Cost{0, 0, 0});
    return {0, 0, 0};  // an identifier: what it stands for is not known
  }

 private:
  // Of an array, of one element.
  static Cost read(const Phrase& e, const Projections& path) {
    const auto* t = as<ExpType>(e.type);
    return reading(t ? widest_leaf(t->data, path) : Size(1));
  }

  // By name: reading x costs what reading the expression costs that it stands for.
  Cost identifier(const Ident& x, const Phrase& e, Projections path) {
    const auto it = stands_for_.find(x.name);
    if (it != stands_for_.end()) return expression(*it->second, std::move(path));
    const auto* t = as<ExpType>(e.type);
    return t && as<IndexType>(t->data) ? Cost{0, 0, 0} : read(e, path);
  }

  Cost primitive(const Phrase& e, const PrimPhrase& x, Projections path) {
    const auto& args = x.arguments;
    if (x.acceptor >= 0) return acceptor(*args[0]);
    // Views that choose a component: only that is read.
    const auto* view = std::get_if<View>(&x.primitive->kind);
    if (view && view->component) {
      path.insert(path.begin(), view->component);
      return expression(*args[0], std::move(path));
    }
    if (view && view->made_of != MadeOf::Other && !path.empty()) {
      const auto k = static_cast<std::size_t>(path.front() - 1);
      path.erase(path.begin());
      return expression(*args[k], std::move(path));
    }
    return match(
        x.primitive->kind,
        [&](const ScalarOp&) {
          Cost operands{0, 0, 0};
          for (const PhraseRef& a : args) operands = then(operands, expression(*a));
          return then(of_lanes(x.types.at(0)), operands);
        },
        [&](const View& v) {
          Cost operands{0, 0, 0};
          for (std::size_t k = 0; k < args.size(); ++k)
            operands = then(operands, repeated(times_read(e, v, k, path), expression(*args[k], path)));
          const Cost one = then({v.read_cost, v.read_cost, 0}, operands);
          return made_of_scalars(e, v) ? repeated(widest_leaf(data_of(e)), one) : one;
        },
        [](const Loop&) -> Cost { throw Bug("the cost of a loop that is not translated"); });
  }

  // Finding the place: the indices on the way.
  Cost acceptor(const Phrase& a) {
    if (const auto* x = use_of<imp::IdxAcc>(a)) return then(acceptor(*x->arguments[0]), expression(*x->arguments[1]));
    if (const auto* x = as<PrimPhrase>(a)) return acceptor(*x->arguments[0]);
    return {0, 0, 0};
  }

  // A function's body; its k-th parameter stands for (an element of) given[k].
  Cost body_of(const Phrase& f, const std::vector<const Phrase*>& given) {
    const Phrase* body = &f;
    for (std::size_t k = 0; as<LambdaPhrase>(*body); ++k) {
      const auto* l = as<LambdaPhrase>(*body);
      if (k < given.size()) stands_for_.insert_or_assign(l->name, given[k]);
      body = l->body.get();
    }
    return as<ExpType>(body->type) ? expression(*body) : command(*body);
  }

  // What is copied, one scalar or short vector after another or the elements of its arrays side by side: whichever is
  // more, in any order of those.
  static Size depth_in_order(const Type& d, const Size& one) {
    if (const auto* t = as<ArrayType>(d)) return any_order(t->length, depth_in_order(*t->element, one));
    if (const auto* t = as<PairType>(d)) return depth_in_order(*t->first, one) + depth_in_order(*t->second, one);
    return one;
  }
  static Size any_order(const Size& n, const Size& depth) { return n * depth + depth + Size(1); }
  Cost copy(const Type& d) const {
    const Size one = widest_leaf(d) * Size(2);
    return {scalars_in(d) * Size(2), in_order_ ? depth_in_order(d, one) : one, 0};
  }
  static bool sequential(Level l) { return l == Level::Seq || l == Level::Unroll; }

  Cost constant(const ImpPhrase& x) {
    const auto& args = x.arguments;
    return match(
        x.constant,
        [](const OneOf<imp::Skip, imp::Barrier> auto&) {
          return Cost{0, 0, 0};
        },
        [&](const imp::Seq&) {
          const Cost first = command(*args[0]);  // before the second: loops are numbered
          return then(first, command(*args[1]));
        },
        [&](const imp::New&) { return with_space(scalars_in(x.types[0]), body_of(*args[0], {})); },
        [&](const imp::Assign&) { return then(of_lanes(x.types[0]), then(acceptor(*args[0]), expression(*args[1]))); },
        [&](const imp::For&) { return repeated(x.sizes[0], body_of(*args[0], {})); },
        [&](const imp::ParFor& c) { return then(acceptor(*args[0]), loop(c.level, x, body_of(*args[1], {}))); },
        [](const imp::IdxAcc&) -> Cost { throw Bug("the cost of an acceptor as a command"); },
        [&](const imp::Cond&) {
          const Cost yes = command(*args[1]);
          return then(expression(*args[0]), either(facts_, yes, command(*args[2])));
        },
        [&](const imp::While&) {
          const Size times = iterations();
          const Cost test = expression(*args[0]);
          return then(test, repeated(times, then(command(*args[1]), test)));
        },
        [&](const imp::Check&) { return expression(*args[0]); },
        [&](const imp::MapI& c) {
          return then(acceptor(*args[2]), loop(c.level, x, body_of(*args[0], {args[1].get()})));
        },
        [&](const imp::ReduceI&) { return fold(x, [&] { return body_of(*args[3], {}); }); },
        [&](const imp::ScanI&) {
          return fold(x, [&] { return then(acceptor(*args[3]), repeated(x.sizes[0], copy(x.types[1]))); });
        },
        [&](const imp::IterateI&) {
          const Cost once = step(x.types[0], body_of(*args[0], {}));
          return state(x.types[0], *args[1], repeated(x.sizes[0], once), body_of(*args[2], {}));
        },
        [&](const imp::WhileI&) {
          const auto test = [&] { return then(body_of(*args[0], {}), reading(1)); };  // which stands twice
          const Cost first = test();
          const Size times = iterations();
          const Cost one = step(x.types[0], body_of(*args[1], {}));
          const Cost rounds = then(first, repeated(times, then(one, test())));
          const Cost all = state(x.types[0], *args[2], rounds, body_of(*args[3], {}));
          return with_space(1, all);  // what the test writes
        },
        [&](const imp::Own& c) {
          Own costs(*this, x);
          return c.constant->facets->cost(costs, x);
        });
  }

  class Own final : public ConstantCosts {
   public:
    Own(Costs& costs, const ImpPhrase& x) : costs_(costs), x_(x) {}
    Cost expression(std::size_t k) override { return costs_.expression(*x_.arguments.at(k)); }
    Cost acceptor(std::size_t k) override { return costs_.acceptor(*x_.arguments.at(k)); }
    Cost moved(const Type& d, std::size_t k) override { return one_by_one(costs_.moved(d, *x_.arguments.at(k))); }
    Cost step(const Type& d, std::size_t function, const std::vector<std::size_t>& with) override {
      return stepped_in_order(d, call(function, with));
    }
    Cost call(std::size_t function, const std::vector<std::size_t>& with) override {
      std::vector<const Phrase*> given;
      for (const std::size_t k : with) given.push_back(x_.arguments.at(k).get());
      return costs_.body_of(*x_.arguments.at(function), given);
    }

   private:
    Costs& costs_;
    const ImpPhrase& x_;
  };

  Cost loop(Level level, const ImpPhrase& x, const Cost& body) const {
    const Size& n = x.sizes[0];
    if (sequential(level)) return repeated(n, body);
    const bool chosen =
        level == Level::Auto || level == Level::Warp || level == Level::Local;  // by the stage that makes loops
    return in_order_ && chosen ? Cost{n * body.work, any_order(n, body.depth), n * body.space} : side_by_side(n, body);
  }
  Size iterations() { return Size::name("#iterations_" + std::to_string(++whiles_)); }

  // A value of type d written from e: each scalar read and written.
  Cost moved(const Type& d, const Phrase& e) {
    Cost all = moved_by_leaves(facts_, d, [&](const Projections& path) { return expression(e, path); });
    if (in_order_) all.depth = depth_in_order(d, all.depth);
    return all;
  }
  // Into a fresh variable, copied back.
  Cost step(const Type& d, const Cost& body) const { return with_space(scalars_in(d), then(body, copy(d))); }
  Cost state(const Type& d, const Phrase& start, const Cost& loop, const Cost& rest) {
    return with_space(scalars_in(d), then(moved(d, start), then(loop, rest)));
  }
  template <class Rest>
  Cost fold(const ImpPhrase& x, const Rest& rest) {
    const Cost once = step(x.types[1], body_of(*x.arguments[0], {x.arguments[2].get()}));
    return state(x.types[1], *x.arguments[1], repeated(x.sizes[0], once), rest());
  }

  const SizeContext facts_;
  const bool in_order_;
  std::map<std::string, const Phrase*> stands_for_;
  int whiles_ = 0;
};

}  // namespace

Cost cost(const PhraseProgram& program, bool in_order) {
  if (program.output.empty()) return lockstep::cost(program);
  const SizeContext facts = context_of(program);
  const Cost c = Costs(facts, in_order).command(*program.body);
  return {facts.simplify(c.work), facts.simplify(c.depth), facts.simplify(c.space)};
}

}  // namespace lockstep::imperative
