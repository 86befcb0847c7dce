// Aggressive inlining, along the call graph.
#include "translate/l0/inline.h"

#include "semantics/l0/calls.h"
#include "semantics/l0/check.h"
#include "semantics/l0/walk.h"
#include "translate/l0/rename.h"

namespace lockstep::l0 {
namespace {

class Inlining {
 public:
  explicit Inlining(const Program& p) : program_(p), fresh_(p) {}

  Program all() {
    Program out{program_.source, {}};
    for (const Function& f : program_.functions) out.functions.push_back(done(f));
    return out;
  }

 private:
  bool is_recursive(const std::string& name) const { return reached_from(program_, name).contains(name); }

  // With its calls inlined; of one that calls itself those of others.
  const Function& done(const Function& f) {
    if (const auto at = done_.find(f.name); at != done_.end()) return at->second;
    Function out = f;
    for (const std::string& name : callees_of(*f.body)) {
      const Function* g = function_named(program_, name);
      if (g && !is_recursive(name)) done(*g);
    }
    size_ = nodes(*f.body);
    out.body = whole(*f.body);
    return done_.emplace(f.name, std::move(out)).first->second;
  }

  Expr whole(const Expr& e) {
    const auto* b = as<BlockExpr>(e);
    if (!b) return e;
    std::vector<Binding> bindings;
    for (const Binding& x : b->bindings) binding(x, bindings);
    return block(std::move(bindings), *b->result);
  }

  void binding(const Binding& b, std::vector<Binding>& into) {
    match(
        b.node, [&](const LetBinding& l) { define(l, b.region, into); },
        [&](const UpdateBinding&) { into.push_back(b); },
        [&](const LoopBinding& l) {
          LoopBinding out = l;
          out.step = whole(*l.step);
          into.push_back({std::move(out), b.region});
        });
  }

  void define(const LetBinding& l, const Region& at, std::vector<Binding>& into) {
    const Expr& value = *l.value;
    if (const auto* i = as<IfExpr>(value)) {
      into.push_back(
          {LetBinding{l.pattern, Expr{IfExpr{i->condition, whole(*i->yes), whole(*i->no)}, value.region}}, at});
      return;
    }
    if (const auto* s = as<SoacExpr>(value)) {
      SoacExpr out = *s;
      for (Fn& f : out.functions) f = written_out(f);
      into.push_back({LetBinding{l.pattern, Expr{std::move(out), value.region}}, at});
      return;
    }
    const auto* c = as<CallExpr>(value);
    const Function* f = c ? inlinable(c->function) : nullptr;
    if (!f) {
      into.push_back({l, at});
      return;
    }
    Expr body = body_of(*f, c->arguments);
    if (auto* b = std::get_if<BlockExpr>(&body.node)) {
      into.insert(into.end(), b->bindings.begin(), b->bindings.end());
      body = Expr(*b->result);
    }
    const auto* several = as<TupleExpr>(body);
    if (!several) {
      into.push_back({LetBinding{l.pattern, std::move(body)}, at});
      return;
    }
    const auto& parts = std::get<TuplePattern>(l.pattern.node).items;
    for (std::size_t k = 0; k < parts.size(); ++k) into.push_back({LetBinding{parts[k], several->items[k]}, at});
  }

  // Its body can stand in the place of a call here; what it adds is counted.
  const Function* inlinable(const std::string& name) {
    const auto at = done_.find(name);
    if (at == done_.end() || is_recursive(name)) return nullptr;
    const std::size_t more = nodes(*at->second.body);
    if (size_ + more > most_inlined) return nullptr;
    size_ += more;
    return &at->second;
  }

  Expr body_of(const Function& f, const std::vector<ExprRef>& arguments) {
    Renaming copy(fresh_);
    for (std::size_t k = 0; k < arguments.size(); ++k) copy.give(f.parameters[k].name, *arguments[k]);
    return copy.expression(*f.body);
  }

  Fn written_out(const Fn& f) {
    const Calls& calls = f.calls.value;
    std::vector<Parameter> parameters;
    std::vector<ExprRef> arguments;
    const auto add = [&](const Type& type, const std::string& wanted) {
      parameters.push_back({type, fresh_.name(wanted), f.region});
      arguments.emplace_back(variable(parameters.back().name, f.region));
    };
    const auto made = [&](const Type& result, Expr body) {
      return Fn{Lambda{result, std::move(parameters), std::move(body)}, f.region};
    };
    const auto called = [&](Expr call, const Type& result) {
      const auto* tuple = as<TupleType>(result);
      std::vector<std::string> names;
      for (std::size_t k = 0; k < (tuple ? tuple->items.size() : 1); ++k) names.push_back(fresh_.name("t"));
      std::vector<Expr> items;
      for (const std::string& name : names) items.push_back(variable(name, f.region));
      std::vector<Binding> bindings;
      bindings.push_back(let(pattern_of(names, f.region), std::move(call)));
      return whole(block(std::move(bindings), tuple_of(std::move(items), f.region)));
    };
    return match(
        f.node,
        [&](const Lambda& l) {
          Lambda out = l;
          out.body = whole(*l.body);
          return Fn{std::move(out), f.region};
        },
        [&](const NamedFunction& n) {
          const Function* g = function_named(program_, n.name);
          if (g)
            for (std::size_t k = n.arguments.size(); k < g->parameters.size(); ++k)
              add(g->parameters[k].type, g->parameters[k].name);
          else
            for (const Type& t : calls.arguments) add(t, "x");
          arguments.insert(arguments.begin(), n.arguments.begin(), n.arguments.end());
          const Type& result = g ? g->result : calls.result;
          return made(result, called({CallExpr{n.name, std::move(arguments)}, f.region}, result));
        },
        [&](const OperatorFunction& o) {
          for (const Type& t : calls.arguments) add(t, "x");
          if (o.first) arguments.insert(arguments.begin(), *o.first);
          return made(calls.result, {InfixExpr{o.op, arguments[0], arguments[1]}, f.region});
        },
        [&](const PrefixFunction& p) {
          add(calls.arguments[0], "x");
          return made(calls.result, {PrefixExpr{p.op, arguments[0]}, f.region});
        });
  }

  const Program& program_;
  Fresh fresh_;
  std::map<std::string, Function> done_;
  std::size_t size_ = 0;
};

}  // namespace

Program inlined(const Program& p) { return retyped(Inlining(p).all(), "inline"); }

std::vector<std::string> calls_left(const Program& p) {
  std::vector<std::string> out;
  for (const Function& f : p.functions)
    for (const std::string& name : callees_of(*f.body))
      if (function_named(p, name)) out.push_back(f.name + " calls " + name);
  return out;
}

}  // namespace lockstep::l0
