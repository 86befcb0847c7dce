// Normal form: an expression becomes what has to be bound before it, and scalar operations on names and constants.
#include "translate/l0/normalise.h"

#include <algorithm>

#include "semantics/l0/parse.h"
#include "semantics/l0/walk.h"
#include "translate/l0/fresh.h"

namespace lockstep::l0 {
namespace {

class Normalising {
 public:
  explicit Normalising(const Program& p) : fresh_(p) {}

  Function function(const Function& f) {
    Function out = f;
    out.body = whole(*f.body);
    return out;
  }

 private:
  using Before = std::vector<Binding>;

  // As a result: its bindings, and names, constants and operations on them; several are a tuple.
  Expr whole(const Expr& e) {
    Before before;
    Expr result = tail(e, before);
    return block(std::move(before), std::move(result));
  }
  Expr tail(const Expr& e, Before& before) {
    if (const auto* b = as<BlockExpr>(e)) {
      for (const Binding& x : b->bindings) match(x.node, [&](const auto& node) { define(node, x.region, before); });
      return tail(*b->result, before);
    }
    if (const auto* t = as<TupleExpr>(e)) return {TupleExpr{refs(simples(t->items, before))}, e.region};
    return simple(e, before);
  }

  Expr bound(Expr e, Before& before, const std::string& wanted) {
    const std::string name = fresh_.name(wanted);
    const Region at = e.region;
    before.push_back(let(name, std::move(e)));
    return variable(name, at);
  }
  Expr atom(const Expr& e, Before& before) {
    Expr s = simple(e, before);
    return is_atom(s) ? std::move(s) : bound(std::move(s), before, "s");
  }

  // Several one after another: where a later one has something to be bound before it, those before are bound, too.
  std::vector<Expr> simples(const std::vector<ExprRef>& items, Before& before) {
    std::vector<Expr> out;
    for (const ExprRef& item : items) {
      Before mine;
      Expr next = simple(*item, mine);
      if (!mine.empty())
        for (Expr& earlier : out)
          if (!is_atom(earlier)) earlier = bound(std::move(earlier), before, "s");
      for (Binding& b : mine) before.push_back(std::move(b));
      out.push_back(std::move(next));
    }
    return out;
  }
  std::vector<Expr> atoms(const std::vector<ExprRef>& items, Before& before) {
    std::vector<Expr> out;
    for (const ExprRef& item : items) out.push_back(atom(*item, before));
    return out;
  }

  // Names, constants, and operations and indices on them.
  Expr simple(const Expr& e, Before& before) {
    return match(
        e.node, [&](const OneOf<Literal, Variable> auto&) { return e; },
        [&](const PrefixExpr& p) -> Expr {
          return {PrefixExpr{p.op, simple(*p.operand, before)}, e.region};
        },
        [&](const InfixExpr& i) { return infix(i, e, before); },
        [&](const IndexExpr& i) -> Expr {
          return {IndexExpr{i.array, i.array_region, refs(simples(i.indices, before))}, e.region};
        },
        [&](const BlockExpr&) { return tail(e, before); },
        [&](const TupleExpr&) -> Expr { throw Bug("a tuple that is no result"); },
        [&](const OneOf<TextLiteral, ArrayExpr, IfExpr, CallExpr, BuiltInExpr, ShiftExpr, FlattenExpr,
                        SoacExpr> auto&) {
          Expr side = right_side(e, before);
          return bound(std::move(side), before, "t");
        });
  }

  // && and || evaluate their right side where it is needed: where it binds something, in a branch.
  Expr infix(const InfixExpr& i, const Expr& e, Before& before) {
    if (i.op != Infix::And && i.op != Infix::Or) {
      std::vector<Expr> x = simples({i.left, i.right}, before);
      return {InfixExpr{i.op, std::move(x[0]), std::move(x[1])}, e.region};
    }
    Expr left = simple(*i.left, before);
    Before mine;
    Expr right = simple(*i.right, mine);
    if (mine.empty()) return {InfixExpr{i.op, std::move(left), std::move(right)}, e.region};
    Expr decided{Literal{make_bool(i.op == Infix::Or)}, e.region};
    Expr other = block(std::move(mine), std::move(right));
    IfExpr choice = i.op == Infix::And ? IfExpr{std::move(left), std::move(other), std::move(decided)}
                                       : IfExpr{std::move(left), std::move(decided), std::move(other)};
    return bound({std::move(choice), e.region}, before, "c");
  }

  // What may stand on the right of a `let`, alone.
  Expr right_side(const Expr& e, Before& before) {
    return match(
        e.node,
        [&](const OneOf<Literal, Variable, PrefixExpr, InfixExpr, IndexExpr> auto&) { return simple(e, before); },
        [&](const OneOf<BlockExpr, TupleExpr> auto&) { return tail(e, before); }, [&](const TextLiteral&) { return e; },
        [&](const ArrayExpr& a) -> Expr {
          return {ArrayExpr{refs(atoms(a.items, before))}, e.region};
        },
        [&](const IfExpr& i) -> Expr {
          Expr condition = simple(*i.condition, before);
          return {IfExpr{std::move(condition), whole(*i.yes), whole(*i.no)}, e.region};
        },
        [&](const CallExpr& c) -> Expr {
          return {CallExpr{c.function, refs(atoms(c.arguments, before))}, e.region};
        },
        [&](const BuiltInExpr& b) -> Expr {
          return {BuiltInExpr{b.op, refs(atoms(b.arguments, before))}, e.region};
        },
        [&](const ShiftExpr& s) -> Expr {
          return {ShiftExpr{s.dimension, s.places, atom(*s.array, before)}, e.region};
        },
        [&](const FlattenExpr& f) -> Expr {
          return {FlattenExpr{f.dimensions, atom(*f.array, before)}, e.region};
        },
        [&](const SoacExpr& s) -> Expr {
          SoacExpr out{s.op, {}, {}};
          for (const Fn& f : s.functions) out.functions.push_back(function_place(f, before));
          out.arguments = refs(atoms(s.arguments, before));
          return {std::move(out), e.region};
        });
  }

  Fn function_place(const Fn& f, Before& before) {
    Fn out{f.node, f.region};
    match(
        out.node, [&](Lambda& l) { l.body = whole(*l.body); },
        [&](NamedFunction& n) { n.arguments = refs(atoms(n.arguments, before)); },
        [&](OperatorFunction& o) {
          if (o.first) o.first = atom(**o.first, before);
        },
        [](PrefixFunction&) {});
    return out;
  }

  void define(const LetBinding& b, const Region& at, Before& before) {
    Expr value = right_side(*b.value, before);
    if (const auto* t = as<TupleExpr>(value)) {  // of a block that gave several
      const auto& parts = std::get<TuplePattern>(b.pattern.node).items;
      for (std::size_t k = 0; k < parts.size(); ++k) before.push_back({LetBinding{parts[k], t->items[k]}, at});
      return;
    }
    before.push_back({LetBinding{b.pattern, std::move(value)}, at});
  }
  void define(const UpdateBinding& b, const Region& at, Before& before) {
    std::vector<ExprRef> items = b.indices;
    items.push_back(b.value);
    std::vector<Expr> x = simples(items, before);
    Expr value = std::move(x.back());
    x.pop_back();
    before.push_back(
        {UpdateBinding{b.name, b.source, b.name_region, b.source_region, refs(std::move(x)), std::move(value)}, at});
  }
  void define(const LoopBinding& b, const Region& at, Before& before) {
    Expr init = tail(*b.init, before);
    if (auto* t = std::get_if<TupleExpr>(&init.node)) {
      std::vector<Expr> named;
      for (const ExprRef& item : t->items) named.push_back(is_atom(*item) ? *item : bound(*item, before, "s"));
      init.node = TupleExpr{refs(std::move(named))};
    } else if (!is_atom(init)) {
      init = bound(std::move(init), before, "s");
    }
    Expr rounds = atom(*b.bound, before);
    before.push_back(
        {LoopBinding{b.merge, std::move(init), b.index, b.index_region, std::move(rounds), whole(*b.step)}, at});
  }

  Fresh fresh_;
};

// ------------------------------------------------------------------------------------------------- the check

bool is_simple(const Expr& e) {
  bool all = true;
  if (!as<Variable>(e) && !as<Literal>(e) && !as<PrefixExpr>(e) && !as<InfixExpr>(e) && !as<IndexExpr>(e)) return false;
  each_child(e, [&](const ExprRef& c) { all = all && is_simple(*c); });
  return all;
}

class Judge {
 public:
  std::string wrong;
  void result(const Expr& e) {
    if (const auto* b = as<BlockExpr>(e)) {
      for (const Binding& x : b->bindings) binding(x);
      return result(*b->result);
    }
    if (const auto* t = as<TupleExpr>(e)) {
      for (const ExprRef& item : t->items) need(is_simple(*item), *item, "a part of a result is no operation on names");
      return;
    }
    need(is_simple(e), e, "a result is no operation on names");
  }

 private:
  void need(bool holds, const Expr& e, const std::string& what) {
    if (!holds && wrong.empty()) wrong = what + ": " + print(e);
  }
  void atoms(const std::vector<ExprRef>& items) {
    for (const ExprRef& item : items) need(is_atom(*item), *item, "an argument is no name or constant");
  }
  void binding(const Binding& b) {
    match(
        b.node, [&](const LetBinding& l) { right_side(*l.value); },
        [&](const UpdateBinding& u) {
          for (const ExprRef& i : u.indices) need(is_simple(*i), *i, "an index is no operation on names");
          need(is_simple(*u.value), *u.value, "a new value is no operation on names");
        },
        [&](const LoopBinding& l) {
          const auto* several = as<TupleExpr>(*l.init);
          atoms(several ? several->items : std::vector<ExprRef>{l.init});
          atoms({l.bound});
          result(*l.step);
        });
  }
  void right_side(const Expr& e) {
    match(
        e.node,
        [&](const OneOf<Literal, Variable, PrefixExpr, InfixExpr, IndexExpr> auto&) {
          need(is_simple(e), e, "an operand is no operation on names");
        },
        [&](const TextLiteral&) {},
        [&](const OneOf<BlockExpr, TupleExpr> auto&) { need(false, e, "a right side is a block or a tuple"); },
        [&](const ArrayExpr& a) { atoms(a.items); },
        [&](const IfExpr& i) {
          need(is_simple(*i.condition), *i.condition, "a condition is no operation on names");
          result(*i.yes), result(*i.no);
        },
        [&](const CallExpr& c) { atoms(c.arguments); }, [&](const BuiltInExpr& x) { atoms(x.arguments); },
        [&](const ShiftExpr& s) { atoms({s.array}); }, [&](const FlattenExpr& f) { atoms({f.array}); },
        [&](const SoacExpr& s) {
          for (const Fn& f : s.functions) {
            if (const auto* l = std::get_if<Lambda>(&f.node)) {
              result(*l->body);
              continue;
            }
            each_child_of_function(f, [&](const ExprRef& c) { atoms({c}); });
          }
          atoms(s.arguments);
        });
  }
};

}  // namespace

Program normalised(const Program& p) {
  Program out{p.source, {}};
  Normalising normalising(p);
  for (const Function& f : p.functions) out.functions.push_back(normalising.function(f));
  return retyped(std::move(out), "normalise");
}

std::string why_not_normal(const Program& p) {
  Judge judge;
  for (const Function& f : p.functions) judge.result(*f.body);
  return judge.wrong;
}

}  // namespace lockstep::l0
