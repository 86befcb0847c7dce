// Expansion of the resolved tree at solved types, node by node.
#include "semantics/snesl/elaborate_expand.h"

namespace lockstep::snesl::elaboration {

namespace {
constexpr int deepest_expansion = 3000;  // of expressions in calls in expressions
}  // namespace

Checked<core::Program> expand(const std::vector<Inferred>& functions, int entry, const Assignment& types) {
  try {
    return Expansion(functions).run(entry, types);
  } catch (const Expansion::Refused& r) {
    return tl::unexpected(Diagnostics{r.diagnostic});
  }
}

core::Program Expansion::run(int entry, const Assignment& types) {
  const Inferred& f = functions_[static_cast<std::size_t>(entry)];
  entry_ = f.name;
  outermost_ = f.region;
  call_ = {&f, &types, std::vector<VariableId>(f.slots.size(), -1)};
  std::vector<core::Parameter> parameters;
  for (const Slot s : f.parameters) {  // under their own names: values are given by them
    const std::string& written = f.slots[static_cast<std::size_t>(s)].name;
    const Type type = type_of(f.slots[static_cast<std::size_t>(s)].type);
    variables_.push_back({written, type, 0});
    taken_.insert(written);
    slot(s) = static_cast<VariableId>(variables_.size()) - 1;
    parameters.push_back({written, type});
  }
  return {f.name, std::move(parameters), emit(f.body).expression};
}

// Chains of operators lean to the left, and are as long as a line: from the innermost on, not by a recursion.
Expansion::Emitted Expansion::emit(NodeId id) {
  if (emitted_ && emitted_->first == id) return std::exchange(emitted_, std::nullopt)->second;
  std::vector<NodeId> chain{id};
  for (;;) {
    const auto& last = (*call_.function)[chain.back()].node;
    if (const auto* x = std::get_if<OperatorNode>(&last); x && x->operands.size() == 2)
      chain.push_back(x->operands[0]);
    else if (const auto* y = std::get_if<LogicNode>(&last))
      chain.push_back(y->left);
    else if (const auto* z = std::get_if<BuiltinNode>(&last); z && z->builtin == Builtin::Append)
      chain.push_back(z->arguments[0]);
    else
      break;
  }
  for (; chain.size() > 1; chain.pop_back()) {
    Emitted left = emit_one(chain.back());
    emitted_ = {chain.back(), std::move(left)};
  }
  return emit_one(id);
}

Expansion::Emitted Expansion::emit_one(NodeId id) {
  if (depth_ >= deepest_expansion)
    refuse("the calls of " + entry_ + " expand to expressions nested more than " + std::to_string(deepest_expansion) +
               " deep",
           "name parts with let");
  ++depth_;
  const Node& n = (*call_.function)[id];
  Emitted out = match(
      n.node, [&](const LocalNode& x) { return emit(x, n); },
      [&](const LiteralNode& x) {
        return counted({core::Expr{core::Literal{x.atom}, type_of(n), n.region}});
      },
      [&](const TextNode& x) {
        return counted({core::Expr{core::Text{x.text}, type_of(n), n.region}, false});
      },
      [&](const TupleNode& x) { return emit(x, n); }, [&](const ProjectNode& x) { return emit(x, n); },
      [&](const LetNode& x) { return emit(x, n); }, [&](const OperatorNode& x) { return emit(x, n); },
      [&](const LogicNode& x) { return emit(x, n); }, [&](const IfNode& x) { return emit(x, n); },
      [&](const BuiltinNode& x) { return emit(x, n); }, [&](const ComprehensionNode& x) { return emit(x, n); },
      [&](const GuardedNode& x) { return emit(x, n); }, [&](const CallNode& x) { return emit(x, n); });
  --depth_;
  return out;
}

Expansion::Emitted Expansion::emit(const LocalNode& x, const Node& n) {
  const VariableId v = slot(x.slot);
  return {core::Expr{core::Var{use(v)}, info(v).type, n.region}, true, 1, v};
}

Expansion::Emitted Expansion::emit(const TupleNode& x, const Node& n) {
  Lets lets;
  std::vector<VariableId> items;
  for (const NodeId i : x.items) items.push_back(bind(i, lets));
  core::Tuple t;
  for (const VariableId v : items) t.items.push_back(use(v));
  return wrap(std::move(lets), counted({core::Expr{std::move(t), type_of(n), n.region}}));
}

Expansion::Emitted Expansion::emit(const ProjectNode& x, const Node& n) {
  Lets lets;
  const VariableId t = bind(x.tuple, lets);
  return wrap(std::move(lets), counted({core::Expr{core::Project{use(t), x.index}, type_of(n), n.region}}));
}

// A let of the user's stays one, of a variable too; our own for patterns is no more than another name.
void Expansion::bind_slots(const std::vector<SlotBinding>& bindings, Lets& lets) {
  for (const SlotBinding& b : bindings) {
    const std::string& name = call_.function->slots[static_cast<std::size_t>(b.slot)].name;
    Emitted value = emit(b.value);
    if (!name.empty()) value.variable.reset();
    const VariableId v = bind(std::move(value), lets, name);
    slot(b.slot) = v;
  }
}

Expansion::Emitted Expansion::emit(const LetNode& x, const Node&) {
  Lets lets;
  bind_slots(x.bindings, lets);
  Emitted body = emit(x.body);
  return wrap(std::move(lets), std::move(body));
}

Expansion::Emitted Expansion::emit(const OperatorNode& x, const Node& n) {
  Lets lets;
  std::vector<VariableId> operands;
  for (const NodeId o : x.operands) operands.push_back(bind(o, lets));
  const auto prim_at = [&](std::size_t k) { return *as<Prim>(info(operands[k]).type); };
  const ScalarOp& op = *x.op;
  // Arithmetic is never on Chars, and comparisons and choices only where all are.
  const bool as_they_are = op.compares || op.chooses;
  const bool widens = !op.gives && (!as_they_are || prim_at(op.chooses ? 1 : 0) != prim_at(op.chooses ? 2 : 1));
  if (widens)
    for (std::size_t k = 0; k < operands.size(); ++k)
      operands[k] = widened(operands[k], lets, (*call_.function)[x.operands[k]].region);
  Emitted result = scalar(x.op, operands, type_of(n), n.region);
  return wrap(std::move(lets), std::move(result));
}

// && and || evaluate their right side where it is needed; where it cannot trap, whether it is makes no difference.
Expansion::Emitted Expansion::emit(const LogicNode& x, const Node& n) {
  Lets lets;
  const VariableId left = bind(x.left, lets);
  std::pair<Emitted, Listed> right = inside([&] { return emit(x.right); });
  Emitted result;
  if (right.first.total) {
    const VariableId r = bind(std::move(right.first), lets);
    result = scalar(x.is_and ? scalars::row<"&&">() : scalars::row<"||">(), {left, r}, prim(Prim::Bool), n.region);
  } else {
    std::pair<Emitted, Listed> known = inside([&] { return truth(!x.is_and, (*call_.function)[x.left].region); });
    result = x.is_and ? choose(left, std::move(right), std::move(known), prim(Prim::Bool), n.region)
                      : choose(left, std::move(known), std::move(right), prim(Prim::Bool), n.region);
  }
  return wrap(std::move(lets), std::move(result));
}

Expansion::Emitted Expansion::emit(const IfNode& x, const Node& n) {
  Lets lets;
  const VariableId condition = bind(x.condition, lets);
  std::pair<Emitted, Listed> yes = inside([&] { return emit(x.yes); }), no = inside([&] { return emit(x.no); });
  Emitted result = choose(condition, std::move(yes), std::move(no), type_of(n), n.region);
  return wrap(std::move(lets), std::move(result));
}

Expansion::Emitted Expansion::emit(const BuiltinNode& x, const Node& n) {
  Lets lets;
  std::vector<VariableId> arguments;
  for (const NodeId a : x.arguments) arguments.push_back(bind(a, lets));
  const Type type = type_of(n);
  Builtin b = x.builtin;
  if (b == Builtin::SeqLength && as<VectorType>(info(arguments[0]).type)) b = Builtin::Length;
  if (b == Builtin::Unzip && !as<TupleType>(type)) {  // (σ) is σ
    const VariableId v = arguments[0];
    return wrap(std::move(lets), {core::Expr{core::Var{use(v)}, type, n.region}, false, 1, v});
  }
  core::Apply a{b, {}, x.monoid, {}};
  for (const VariableId v : arguments) a.arguments.push_back(use(v));
  Emitted result = apply(std::move(a), type, n.region, false);
  return wrap(std::move(lets), std::move(result));
}

// {e : p in s | c} is concat({{e | c} : p in s}).
Expansion::Emitted Expansion::emit(const ComprehensionNode& x, const Node& n) {
  Lets lets;
  const VariableId sequence = bind(x.sequence, lets);
  VariableId element = -1;
  std::pair<Emitted, Listed> body = inside([&] {
    const SlotInfo& s = call_.function->slots[static_cast<std::size_t>(x.element)];
    element = declare(s.name, type_of(s.type));
    slot(x.element) = element;
    Lets parts;
    bind_slots(x.bindings, parts);
    if (!x.condition) {
      Emitted one = emit(x.body);
      return wrap(std::move(parts), std::move(one));
    }
    const VariableId condition = bind(*x.condition, parts);
    Emitted one = guarded(condition, inside([&] { return emit(x.body); }), (*call_.function)[x.body].region);
    return wrap(std::move(parts), std::move(one));
  });
  Type type = sequence_of(body.first.expression.type);
  const int height = body.first.height + 1;
  core::Comprehension c{std::move(body.first.expression), info(element).name, use(sequence), listed(body.second)};
  Emitted all = counted({core::Expr{std::move(c), std::move(type), n.region}, false, height});
  all = wrap(std::move(lets), std::move(all));
  if (!x.condition) return all;
  Lets pieces;
  const VariableId p = bind(std::move(all), pieces);
  Emitted joined = apply(Builtin::Concat, {p}, type_of(n), n.region);
  return wrap(std::move(pieces), std::move(joined));
}

Expansion::Emitted Expansion::emit(const GuardedNode& x, const Node& n) {
  Lets lets;
  const VariableId condition = bind(x.condition, lets);
  Emitted one = guarded(condition, inside([&] { return emit(x.body); }), n.region);
  return wrap(std::move(lets), std::move(one));
}

Expansion::Emitted Expansion::emit(const CallNode& x, const Node& n) {
  const Inferred& f = functions_[static_cast<std::size_t>(x.function)];
  if (calls_ == 0) outermost_ = n.region;
  Lets lets;
  std::vector<VariableId> arguments;
  for (std::size_t k = 0; k < x.arguments.size(); ++k)
    arguments.push_back(bind(x.arguments[k], lets, f.slots[static_cast<std::size_t>(f.parameters[k])].name));
  Assignment types;
  for (const auto& [theirs, ours] : x.unknowns) types.emplace(theirs, type_of(ours));
  Call caller = std::move(call_);
  call_ = {&f, &types, std::vector<VariableId>(f.slots.size(), -1)};
  for (std::size_t k = 0; k < arguments.size(); ++k) slot(f.parameters[k]) = arguments[k];
  ++calls_;
  Emitted body = emit(f.body);
  --calls_;
  call_ = std::move(caller);
  return wrap(std::move(lets), std::move(body));
}

}  // namespace lockstep::snesl::elaboration
