// SNESL Fig. 4.2, a case each. ζ is `env`, s the control stream.
#include "translate/flatten/flatten.h"

#include <unordered_map>

#include "translate/flatten/builtins.h"

namespace lockstep::streaming {
namespace {

namespace core = snesl::core;
using Environment = std::unordered_map<std::string, Bound>;

const Bound& lookup(const Environment& env, const std::string& name) {
  const auto found = env.find(name);
  if (found == env.end()) throw Bug("core SNESL uses " + name + ", which is not bound there");
  return found->second;
}

class Flattening {
 public:
  explicit Flattening(Emitter& e) : e_(e) {}

  // Names are bound once in the whole program, so that what an inner `let` adds to the environment may stay there.
  Tree translate(const core::Expr& expression, Environment& env, const Control& control) {
    const core::Expr* at = &expression;
    while (const auto* let = std::get_if<core::Let>(&at->node)) {  // a chain of lets is as long as the program
      Tree value = translate(*let->value, env, control);
      env.insert_or_assign(let->name, Bound{let->value->type, std::move(value)});
      at = let->body.get();
    }
    e_.region = at->region;
    return match(
        at->node, [&](const core::Var& x) { return lookup(env, x.name).tree; },
        [&](const core::Literal& a) { return leaf(e_.rep(a.atom, control.s)); },
        [&](const core::Text& t) { return text(e_, t.text, control); },
        [&](const core::Tuple& t) {
          if (t.items.empty()) return unit_tree();
          Tree result;
          for (const std::string& x : t.items) result.children.push_back(lookup(env, x).tree);
          return result;
        },
        [&](const core::Project& p) { return lookup(env, p.tuple).tree.children.at(p.index); },
        [&](const core::Let&) -> Tree { throw Bug("a let is left of a chain of lets"); },
        [&](const core::Apply& a) {
          std::vector<Bound> arguments;
          for (const std::string& x : a.arguments) arguments.push_back(lookup(env, x));
          return builtin(e_, a, arguments, at->type, control);
        },
        [&](const core::Comprehension& c) { return comprehension(c, env); },
        [&](const core::Guarded& g) { return guarded(g, env); });
  }

 private:
  Tree comprehension(const core::Comprehension& c, const Environment& env) {
    const Bound& sequence = lookup(env, c.sequence);
    const auto* type = snesl::as<snesl::SequenceType>(sequence.type);
    if (!type) throw Bug("a comprehension goes through " + c.sequence + ", which is no sequence");
    const StreamId f = sequence.tree.children[1].leaf;
    Environment inner;
    inner.insert_or_assign(c.element, Bound{*type->element, sequence.tree.children[0]});
    const StreamId s = e_.usum(f);
    for (const core::Using& x : c.variables)
      inner.insert_or_assign(x.name, Bound{x.type, e_.dist(x.type, lookup(env, x.name).tree, f)});
    return Tree{0, {translate(*c.body, inner, {s, Lifted::Yes}), leaf(f)}, false};
  }

  Tree guarded(const core::Guarded& g, const Environment& env) {
    const StreamId b = lookup(env, g.condition).tree.leaf;
    const StreamId f = e_.b2u(b), s = e_.usum(f);
    Environment inner;
    for (const core::Using& x : g.variables)
      inner.insert_or_assign(x.name, Bound{x.type, e_.pack(x.type, lookup(env, x.name).tree, b)});
    return Tree{0, {translate(*g.body, inner, {s, Lifted::Yes}), leaf(f)}, false};
  }

  Emitter& e_;
};

// A parameter's streams, which the run is given.
Tree input(Emitter& e, const Type& t, std::int64_t& next) {
  const auto one = [&](Prim p) {
    svcode::Instr i;
    i.opcode = Opcode::Input;
    i.type = p;
    i.payload = svcode::Number{next++};
    return leaf(e.emit(std::move(i)));
  };
  return match(
      t.node, [&](Prim p) { return one(p); },
      [&](const snesl::TupleType& tuple) {
        if (tuple.items.empty()) return unit_tree();
        Tree result;
        for (const Type& item : tuple.items) result.children.push_back(input(e, item, next));
        return result;
      },
      [&](const snesl::VectorType& v) {
        Tree result{0, {input(e, *v.element, next)}, false};
        result.children.push_back(one(Prim::Int));
        result.children.push_back(one(Prim::Int));
        return result;
      },
      [&](const snesl::SequenceType& s) {
        Tree result{0, {input(e, *s.element, next)}, false};
        result.children.push_back(one(Prim::Bool));
        return result;
      });
}

}  // namespace

svcode::Program flatten(const core::Program& p) {
  svcode::Program result;
  result.name = p.name;
  result.result_type = p.body->type;
  Emitter e;
  e.region = p.body->region;
  const Control control{e.op(Opcode::Ctrl, {}), Lifted::No};
  Environment env;
  std::int64_t next = 0;
  for (const core::Parameter& x : p.parameters) {
    result.parameters.push_back(x.type);
    result.parameter_names.push_back(x.name);
    env.insert_or_assign(x.name, Bound{x.type, input(e, x.type, next)});
  }
  result.result = Flattening(e).translate(*p.body, env, control);
  result.instructions = e.take();
  return result;
}

}  // namespace lockstep::streaming
