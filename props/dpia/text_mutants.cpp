#include "props/dpia/text_mutants.h"

#include "semantics/functional/syntax/walk.h"

namespace lockstep::props::texts {

using surface::Expr;

namespace {

const Expr& node_of(const Expr& e) { return e; }
const Expr& node_of(const Ref<Expr>& e) { return *e; }
Expr with_arguments(Expr e, CallArguments arguments) {
  if (arguments.empty()) return e;
  surface::Apply a = std::get<surface::Apply>(e.node);
  a.argument = std::move(arguments.back());
  arguments.pop_back();
  a.function = with_arguments(*a.function, std::move(arguments));
  return {std::move(a), e.region};
}

}  // namespace

Expr rewritten_text(const Expr& e, const InText& change) {
  Expr out = e;
  surface::each_child(out, [&](auto& c) { c = rewritten_text(node_of(c), change); });
  return change(std::move(out));
}

std::optional<CallArguments> call_of(const Expr& e, const std::string& name, std::size_t arguments) {
  CallArguments out;
  const Expr* at = &e;
  for (; out.size() < arguments; at = &*std::get<surface::Apply>(at->node).function) {
    const auto* a = std::get_if<surface::Apply>(&at->node);
    if (!a) return {};
    out.insert(out.begin(), *a->argument);
  }
  const auto* n = std::get_if<surface::Name>(&at->node);
  const auto* o = std::get_if<surface::Operator>(&at->node);
  return (n && n->name == name) || (o && o->symbol == name) ? std::optional(std::move(out)) : std::nullopt;
}
InText of_call(const std::string& name, std::size_t arguments, const std::function<void(CallArguments&)>& f) {
  return [=](Expr e) {
    auto all = call_of(e, name, arguments);
    if (!all) return e;
    f(*all);
    return with_arguments(std::move(e), std::move(*all));
  };
}
InText exchanged(const std::string& name) {
  return of_call(name, 2, [](CallArguments& x) { std::swap(x[0], x[1]); });
}
InText another_name(const std::string& name, const std::string& by) {
  return [=](Expr e) {
    if (auto* n = std::get_if<surface::Name>(&e.node); n && n->name == name) n->name = by;
    return e;
  };
}
InText another_operator(const std::string& symbol, const std::string& by) {
  return [=](Expr e) {
    if (auto* o = std::get_if<surface::Operator>(&e.node); o && o->symbol == symbol) o->symbol = by;
    return e;
  };
}
InText branches_exchanged() {
  return [](Expr e) {
    if (auto* i = std::get_if<surface::If>(&e.node)) std::swap(i->then, i->otherwise);
    return e;
  };
}
InText indices_made_to_fit() {
  return [](Expr e) {
    auto* i = std::get_if<surface::Index>(&e.node);
    if (i && !std::holds_alternative<surface::Literal>(i->index->node))
      i->index = Ref<Expr>(surface::make::binary("%", Expr(*i->index), number("2")));
    return e;
  };
}
Expr number(const char* digits) { return {surface::Literal{digits, ScalarType::I64}, {}}; }

tl::expected<InCalculus, NotLowered> lowered_with(const InText& change,
                                                  const tl::expected<LoweredProgram, NotLowered>& made,
                                                  const Calculus& calculus, const SizeSolver& solver) {
  if (!made) return tl::unexpected(made.error());
  LoweredProgram wrong = *made;
  wrong.definition.body = rewritten_text(wrong.definition.body, change);
  try {
    return with_types(std::move(wrong), calculus, solver);
  } catch (const Bug&) {
    return with_types(*made, calculus, solver);
  }
}

}  // namespace lockstep::props::texts
