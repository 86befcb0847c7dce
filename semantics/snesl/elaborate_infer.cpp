// Inference of names, patterns and the forms that bind them; of a whole function.
#include "semantics/snesl/elaborate_infer.h"

#include <utility>

namespace lockstep::snesl::elaboration {

using namespace surface;

namespace {
// The parser refuses text that is nested deeper; this guards trees that were made without it.
constexpr int deepest_tree = 3000;
constexpr std::int64_t most_counted = 1'000'000'000;

// Calls that double grow beyond any number.
void count_operations(Inferred& f, const std::vector<Inferred>& functions) {
  for (const Node& n : f.nodes)
    if (const auto* call = std::get_if<CallNode>(&n.node))
      f.expanded = std::min(f.expanded + functions[static_cast<std::size_t>(call->function)].expanded, most_counted);
    else if (!std::holds_alternative<LocalNode>(n.node))
      ++f.written;
  f.expanded = std::min(f.expanded + f.written, most_counted);
}
}  // namespace

std::vector<Inferred> infer(const Program& p, Diagnostics& diagnostics) {
  const Order order = order_of(p, diagnostics);
  std::vector<Inferred> out(p.functions.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k].name = p.functions[k].name;
  for (const int f : order.functions)
    out[static_cast<std::size_t>(f)] = Inference(p, order.index, out, diagnostics).run(f);
  return out;
}

Inferred Inference::run(int function) {
  const Function& f = program_.functions[static_cast<std::size_t>(function)];
  out_.name = f.name;
  out_.region = f.region;
  for (const Parameter& p : f.parameters) {
    out_.parameters.push_back(declare(p.name, types().unknown(p.region)));
    slot(out_.parameters.back()).name = p.name;
    out_.parameter_regions.push_back(p.region);
  }
  out_.body = expression(*f.body);
  out_.result = type(out_.body);
  settle();
  settle_unknowns();
  count_operations(out_, functions_);
  out_.broken = failed_;
  return std::move(out_);
}

Slot Inference::declare(const std::string& name, TypeId type) {
  const Slot s = static_cast<Slot>(out_.slots.size());
  out_.slots.push_back({name == "_" ? "" : name, type, level_});
  if (!name.empty() && name != "_") {
    scope_.bind(name, s);
    declared_.push_back(name);
  }
  return s;
}
void Inference::leave(Mark m) {
  while (declared_.size() > m.declared) {
    scope_.unbind(declared_.back());
    declared_.pop_back();
  }
}

// Chains of operators lean to the left, and are as long as a line: from the innermost on, not by a recursion.
NodeId Inference::expression(const Expr& e) {
  if (inferred_ && inferred_->first == &e) return std::exchange(inferred_, std::nullopt)->second;
  std::vector<const Expr*> chain{&e};
  for (;;) {
    const Expr& last = *chain.back();
    if (const auto* infix = std::get_if<InfixExpr>(&last.node))
      chain.push_back(&*infix->left);
    else if (const auto* append = std::get_if<AppendExpr>(&last.node))
      chain.push_back(&*append->left);
    else
      break;
  }
  for (; chain.size() > 1; chain.pop_back()) {
    const NodeId left = one_expression(*chain.back());
    inferred_ = {chain.back(), left};
  }
  return one_expression(e);
}

NodeId Inference::one_expression(const Expr& e) {
  if (depth_ >= deepest_tree) {
    report(e.region, "this is nested more than " + std::to_string(deepest_tree) + " deep", "",
           "name its parts with let");
    return wrong(e.region);
  }
  ++depth_;
  const Region& r = e.region;
  const NodeId n = match(
      e.node, [&](const Variable& x) { return variable(x, r); },
      [&](const Literal& x) { return add(LiteralNode{x.atom}, types().prim(x.atom.type), r); },
      [&](const TextLiteral& x) { return add(TextNode{x.text}, types().vector_of(types().prim(Prim::Char)), r); },
      [&](const LetExpr& x) { return let_in(x, r); }, [&](const IfExpr& x) { return conditional(x, r); },
      [&](const SelectExpr& x) { return select(x, r); },
      [&](const ComprehensionExpr& x) { return comprehension(x, r); },
      [&](const GuardedExpr& x) {
        const NodeId condition = expression(*x.condition);
        expect(condition, boolean(), "the condition");
        const NodeId body = expression(*x.body);
        return add(GuardedNode{body, condition}, types().sequence_of(type(body)), r);
      },
      [&](const SequenceExpr& x) { return sequence(x.items, r, false); },
      [&](const VectorExpr& x) { return sequence(x.items, r, true); },
      [&](const TupleExpr& x) {
        if (x.items.size() == 1) return expression(*x.items[0]);
        TupleNode t;
        std::vector<TypeId> items;
        for (const ExprRef& i : x.items) {
          t.items.push_back(expression(*i));
          items.push_back(type(t.items.back()));
        }
        return add(std::move(t), types().tuple(std::move(items)), r);
      },
      [&](const ProjectExpr& x) { return project(x, r); }, [&](const PrefixExpr& x) { return prefix(x, r); },
      [&](const InfixExpr& x) { return infix(x, r); }, [&](const IndexExpr& x) { return index(x, r); },
      [&](const AppendExpr& x) { return append(x, r); }, [&](const CallExpr& x) { return call(x, r); });
  --depth_;
  if (types().too_deep() && !failed_) report(r, "the type of this is nested too deeply", "at most 1,000 levels", "");
  return n;
}

NodeId Inference::variable(const Variable& v, const Region& region) {
  const Slot* bound = scope_.find(v.name);
  if (!bound) {
    if (index_.contains(v.name) || signature_named(v.name)) {
      report(region, v.name + " is a function", "a variable", "call it: " + v.name + "(...)");
    } else {
      report(region, "there is no variable " + v.name, "a name that is bound here",
             mend_of_name(v.name, declared_, {}, function_habits()));
    }
    return wrong(region);
  }
  const Slot s = *bound;
  const TypeId t = slot(s).type;
  // Fig. 2.1: what a comprehension uses from outside is concrete.
  if (slot(s).level < level_)
    concrete(t,
             {region, v.name + ", which is used inside a comprehension,",
              "a variable without sequences: the body is evaluated for every element, and a sequence is traversed once",
              "compute what it needs of " + v.name + " before the comprehension, or keep " + v.name + ": let v = tab(" +
                  v.name + ") before it, and seq(v) in it"});
  return local(s, region);
}

NodeId Inference::conditional(const IfExpr& i, const Region& region) {
  const NodeId condition = expression(*i.condition);
  expect(condition, boolean(), "the condition");
  const NodeId yes = expression(*i.yes), no = expression(*i.no);
  expect(no, type(yes), "this branch");
  return add(IfNode{condition, yes, no}, type(yes), region);
}

NodeId Inference::let_in(const LetExpr& l, const Region& region) {
  const Mark outer = enter();
  LetNode out{{}, -1};
  for (const Binding& b : l.bindings) {
    const NodeId value = expression(*b.value);
    bind_pattern(b.pattern, value, out.bindings);
  }
  out.body = expression(*l.body);
  leave(outer);
  const TypeId t = type(out.body);
  return add(std::move(out), t, region);
}

// {e : x1 in e1; ... | c}: several generators are one over their zip (§2.2.1).
NodeId Inference::comprehension(const ComprehensionExpr& c, const Region& region) {
  std::vector<NodeId> sequences;
  std::vector<const Pattern*> patterns;
  for (const Binding& g : c.generators) {
    const NodeId s = expression(*g.value);
    const bool is_sequence =
        expect(s, types().sequence_of(types().unknown(g.value->region)), "what a comprehension goes over");
    sequences.push_back(is_sequence ? s : wrong(g.value->region));
    patterns.push_back(&g.pattern);
  }
  ++level_;
  const Mark outer = enter();
  const auto element_type = [&](NodeId s) {
    return types().form(type(s)) == TypeGraph::Form::Sequence ? types().items(type(s))[0] : types().wrong();
  };
  ComprehensionNode out{-1, -1, {}, std::nullopt, -1};
  if (sequences.size() == 1) {
    const Pattern& p = c.generators[0].pattern;
    const auto* name = std::get_if<NamePattern>(&p.node);
    out.element = declare(name ? name->name : "", element_type(sequences[0]));
    if (!name) bind_parts(p, out.element, out.bindings);
    out.sequence = sequences[0];
  } else {
    const NodeId zipped = zip(sequences, region);
    out.sequence = zipped;
    out.element = declare("", element_type(zipped));
    for (std::size_t k = 0; k < sequences.size(); ++k) {
      const NodeId whole = local(out.element, patterns[k]->region);
      const NodeId part = add(ProjectNode{whole, static_cast<int>(k)}, element_type(sequences[k]), patterns[k]->region);
      bind_pattern(*patterns[k], part, out.bindings);
    }
  }
  if (c.condition) {
    out.condition = expression(**c.condition);
    expect(*out.condition, boolean(), "the condition");
  }
  out.body = expression(*c.body);
  leave(outer);
  --level_;
  const TypeId t = types().sequence_of(type(out.body));
  return add(std::move(out), t, region);
}

// ------------------------------------------------------------------------------------------------ patterns
void Inference::bind_pattern(const Pattern& p, NodeId value, std::vector<SlotBinding>& out) {
  const auto* tuple = std::get_if<TuplePattern>(&p.node);
  if (tuple && tuple->items.size() == 1) return bind_pattern(tuple->items[0], value, out);  // (p) is p
  const auto* name = std::get_if<NamePattern>(&p.node);
  const Slot s = declare(name ? name->name : "", type(value));
  out.push_back({s, value});
  if (!name) bind_parts(p, s, out);
}

void Inference::bind_parts(const Pattern& p, Slot slot, std::vector<SlotBinding>& out) {
  const TypeId found = this->slot(slot).type, wanted = pattern_type(p);
  const std::string before = shown(found);
  if (const auto m = types().unify(found, wanted)) {
    report(*m, p.region, "this pattern stands for a value of the type " + before, shown(wanted), "");
    this->slot(slot).type = types().wrong();
  }
  std::vector<std::pair<const Pattern*, Slot>> todo{{&p, slot}};
  while (!todo.empty()) {
    const auto [pattern, whole] = todo.back();
    todo.pop_back();
    const auto& items = std::get<TuplePattern>(pattern->node).items;
    if (items.size() == 1) {
      const auto* name = std::get_if<NamePattern>(&items[0].node);
      if (name)
        out.push_back({declare(name->name, this->slot(whole).type), local(whole, pattern->region)});
      else
        todo.emplace_back(&items[0], whole);
      continue;
    }
    const TypeId t = this->slot(whole).type;
    for (std::size_t k = 0; k < items.size(); ++k) {
      const auto* name = std::get_if<NamePattern>(&items[k].node);
      const TypeId part = types().form(t) == TypeGraph::Form::Tuple ? types().items(t)[k] : types().wrong();
      if (name && name->name == "_") continue;
      const NodeId value = add(ProjectNode{local(whole, items[k].region), static_cast<int>(k)}, part, items[k].region);
      const Slot s = declare(name ? name->name : "", part);
      out.push_back({s, value});
      if (!name) todo.emplace_back(&items[k], s);
    }
  }
}

TypeId Inference::pattern_type(const Pattern& p) {
  const auto* t = std::get_if<TuplePattern>(&p.node);
  if (!t) return types().unknown(p.region);
  if (t->items.size() == 1) return pattern_type(t->items[0]);
  std::vector<TypeId> items;
  for (const Pattern& i : t->items) items.push_back(pattern_type(i));
  return types().tuple(std::move(items));
}

}  // namespace lockstep::snesl::elaboration
