// The combinator as a program, the stage run on it, and its kernel executed. An element is one scalar here.
#include "proofs/calculus/scattered/terms.h"

#include "semantics/primitives/build.h"
#include "semantics/primitives/calculus.h"
#include "semantics/primitives/constant.h"

namespace lockstep::proofs {
namespace {

using kernel::Expr;
using kernel::Stmt;

const Type d = scalar(ScalarType::F32);

PhraseProgram combinator(const std::string& loop, const Calculus& calculus) {
  const ConstantRef& own = std::get<Loop>(calculus.primitive(loop)->kind).constant;
  const Size m = Size::name("m"), n = Size::name("n");
  const Type indices = array(n, scalar(ScalarType::I64)), values = array(n, d), all = array(m, d);
  const PhraseRef is = ident("is", exp_type(indices)), xs = ident("xs", exp_type(values));
  PhraseProgram p{"scattered", {"m", "n"}, 0, {{"is", indices}, {"xs", values}}, all, {}, skip(), "A"};
  if (own->takes.sizes == 1) {  // of one index and one value
    const Type index = scalar(ScalarType::I64);
    p.parameters = {{"is", index}, {"xs", d}};
    const PhraseRef o = ident("o", acc_type(d));
    p.body = command(own, {m}, {d},
                     {ident("is", exp_type(index)), lambda("o", acc_type(d), assign(o, ident("xs", exp_type(d)))),
                      ident("A", acc_type(all))});
    return p;
  }
  if (own->arguments({m, n}, {d}).size() == 3) {
    p.body = command(own, {m, n}, {d}, {is, xs, ident("A", acc_type(all))});
    return p;
  }
  // An operator stands for the function: what it is, is not looked at.
  const PhraseRef x = ident("x", exp_type(d)), y = ident("y", exp_type(d)), o = ident("o", acc_type(d));
  const PhraseRef step = assign(o, prim(calculus.primitive("-"), {}, {d}, {x, y}, d));
  const PhraseRef f = lambda("x", exp_type(d), lambda("y", exp_type(d), lambda("o", acc_type(d), step)));
  p.output = "unused";
  p.body = new_variable(Space::Global, all, "A", [&](const PhraseRef& v) {
    return command(own, {m, n}, {d}, {f, is, xs, v});
  });
  return p;
}

struct State {
  std::map<std::string, Term> buffers, variables;
  Term traps = truth(false);
};

class Execution {
 public:
  explicit Execution(const ScatteredParts& parts) : parts_(parts) {}

  ScatteredTerms program(const kernel::Program& p, bool loops) {
    State state = fresh();
    for (const char* size : {"m", "n"}) state.variables.insert_or_assign(size, name(size));
    statement(p.body, state);
    if (iterations_.empty() && !loops) {
      const Term& marks = state.buffers.at("marks");
      return {marks, state.buffers.at("A"), marks, state.traps};
    }
    if (iterations_.empty() || iterations_.size() > 2) throw NotUnderstood{"other loops than it should"};
    const State& last = iterations_.back();
    return {iterations_.front().buffers.at("marks"), last.buffers.at("A"), last.buffers.at("marks"), last.traps};
  }

 private:
  State fresh() const {
    State s;
    s.buffers = {{"is", name("is", integer_store)},
                 {"xs", name("xs", parts_.store)},
                 {"A", name("A", parts_.store)},
                 {"marks", name("marks", integer_store)}};
    return s;
  }
  static std::string buffer(const std::string& b) { return b.starts_with("written") ? "marks" : b; }

  void statement(const Stmt& s, State& now) {
    match(
        s.node,
        [&](const kernel::Block& x) {
          for (const Stmt& c : x.statements) statement(c, now);
        },
        [&](const kernel::Declare& x) {
          if (x.init) now.variables.insert_or_assign(x.name, value(*x.init, now));
        },
        [&](const kernel::Assign& x) { now.variables.insert_or_assign(x.name, value(x.value, now)); },
        [&](const kernel::Store& x) {
          const Term v = value(x.value, now);
          Term& b = buffer_of(x.buffer, now);
          b = store(b, value(x.index, now), is_bool(x.value) ? choose(v, number(1), number(0)) : v);
        },
        [&](const kernel::Atomic& x) {
          Term& b = buffer_of(x.buffer, now);
          const Term i = value(x.index, now);
          b = store(b, i, parts_.function(value(x.value, now), select(b, i)));
        },
        [&](const kernel::For& x) { iteration(x.name, *x.body, now); }, [](const kernel::Allocate&) {},
        [&](const kernel::ParallelFor& x) { iteration(x.name, *x.body, now); },
        [&](const kernel::If& x) {
          const Term c = value(x.condition, now);
          State otherwise = now;
          statement(*x.then, now);
          statement(*x.otherwise, otherwise);
          for (auto& [b, after] : now.buffers) after = choose(c, after, otherwise.buffers.at(b));
          now.traps = choose(c, now.traps, otherwise.traps);
        },
        [](const kernel::While&) { throw NotUnderstood{"a while loop"}; },
        [&](const kernel::Check& x) {
          now.traps = any_of({now.traps, negation(value(x.ok, now))});
        },
        [](const kernel::Barrier&) { throw NotUnderstood{"a barrier"}; }, [](const kernel::Comment&) {},
        [](const kernel::Shuffle&) { throw NotUnderstood{"a shuffle"}; });
  }
  void iteration(const std::string& variable, const Stmt& body, const State& around) {
    State begun = fresh();
    begun.variables = around.variables;
    begun.variables.insert_or_assign(variable, name("k"));
    statement(body, begun);
    iterations_.push_back(std::move(begun));
  }
  static bool is_bool(const Expr& e) { return e.type.scalar == ScalarType::Bool; }
  static Term& buffer_of(const std::string& b, State& now) {
    const auto it = now.buffers.find(buffer(b));
    if (it == now.buffers.end()) throw NotUnderstood{"the buffer " + b};
    return it->second;
  }

  Term value(const Expr& e, State& now) {
    return match(
        e.node,
        [&](const kernel::Const& x) { return is_bool(e) ? truth(x.value.bits != 0) : number(x.value.integer()); },
        [&](const kernel::Var& x) {
          const auto it = now.variables.find(x.name);
          if (it == now.variables.end()) throw NotUnderstood{"the variable " + x.name};
          return it->second;
        },
        [&](const kernel::Arith& x) { return arithmetic(x.op, value(*x.left, now), value(*x.right, now)); },
        [&](const kernel::Load& x) {
          const Term v = select(buffer_of(x.buffer, now), value(*x.index, now));
          return is_bool(e) ? equal(v, number(1)) : v;
        },
        [](const kernel::VectorLoad&) -> Term { throw NotUnderstood{"a vector"}; },
        [&](const kernel::Apply& x) {
          if (x.arguments.size() != 2) throw NotUnderstood{"an operator of another arity"};
          return parts_.function(value(*x.arguments[0], now), value(*x.arguments[1], now));
        },
        [&](const kernel::Choose& x) {
          return choose(value(*x.condition, now), value(*x.then, now), value(*x.otherwise, now));
        },
        [](const kernel::Lane&) -> Term { throw NotUnderstood{"a lane"}; },
        [](const kernel::Build&) -> Term { throw NotUnderstood{"a vector"}; },
        [](const kernel::Splat&) -> Term { throw NotUnderstood{"a vector"}; });
  }
  const ScatteredParts& parts_;
  std::vector<State> iterations_;
};

}  // namespace

tl::expected<ScatteredTerms, std::string> scattered_terms(const std::string& loop, const ScatteredParts& parts,
                                                          const Stage& paths) {
  const Calculus calculus = standard_calculus();
  const bool loops = std::get<Loop>(calculus.primitive(loop)->kind).constant->takes.sizes > 1;
  return understood(
      [&] { return Execution(parts).program(apply<kernel::Program>(paths, combinator(loop, calculus)), loops); });
}

}  // namespace lockstep::proofs
