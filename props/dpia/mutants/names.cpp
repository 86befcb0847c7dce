// Names: capture in substitution, binders and sizes taken for each other.
#include "props/dpia/mutants/parts.h"
#include "semantics/kernel/walk.h"

namespace lockstep::props {
namespace {

using kernel::Stmt;

// In p, the first binder inside whose parameter has the type given is renamed to `name`: what it captures is lost.
std::optional<PhraseRef> captured(const PhraseRef& p, const std::string& name, const PhraseType& type) {
  if (const auto* l = as<LambdaPhrase>(*p); l && l->parameter == type)
    return lambda(name, type, substitute(l->body, {{l->name, ident(name, type)}}));
  std::optional<PhraseRef> inside;
  PhraseRef out = map_children(p, [&](const PhraseRef& c) {
    if (inside) return c;
    inside = captured(c, name, type);
    return inside ? *inside : c;
  });
  if (inside) return out;
  return {};
}

bool is_new(const Phrase& p) { return use_of<imp::New>(p) != nullptr; }

// A function inside a function takes the outer one's name for its parameter.
PhraseRef lambdas_captured(const PhraseRef& p) {
  const auto* l = as<LambdaPhrase>(*p);
  const auto body = l ? captured(l->body, l->name, l->parameter) : std::nullopt;
  return body ? lambda(l->name, l->parameter, *body) : p;
}
PhraseRef variables_captured(const PhraseRef& p) {
  if (!is_new(*p)) return p;
  const auto* x = as<ImpPhrase>(*p);
  ImpPhrase out = *x;
  out.arguments[0] = lambdas_captured(x->arguments[0]);
  return phrase_of(std::move(out), p->region);
}
PhraseRef lets_captured(const PhraseRef& p) {
  const auto* outer = as<LetPhrase>(*p);
  const auto* inner = outer ? as<LetPhrase>(*outer->body) : nullptr;
  if (!inner || !(inner->value->type == outer->value->type)) return p;
  const PhraseRef x = ident(outer->name, outer->value->type);
  return let(outer->name, outer->value, let(outer->name, inner->value, substitute(inner->body, {{inner->name, x}})));
}

// The inner loop's variable has the outer one's name.
std::vector<Stmt> loops_captured(const Stmt& s) {
  const auto inside = [](const std::string& name, const Stmt& body) {
    return kernel::Stmt(
        rewritten(body, StmtChange([&](const Stmt& x) -> std::vector<Stmt> {
                    const auto* f = std::get_if<kernel::For>(&x.node);
                    if (!f) return {x};
                    return {Stmt{kernel::For{name, f->extent, kernel::rename(*f->body, f->name, name), f->unroll}}};
                  })));
  };
  if (const auto* f = std::get_if<kernel::For>(&s.node))
    return {Stmt{kernel::For{f->name, f->extent, inside(f->name, *f->body), f->unroll}}};
  if (const auto* p = std::get_if<kernel::ParallelFor>(&s.node))
    return {Stmt{kernel::ParallelFor{p->level, p->name, p->extent, p->scratch, inside(p->name, *p->body), p->units}}};
  return {s};
}

// Every mention of the first size is of the second, and the other way round.
kernel::Program sizes_exchanged(const kernel::Program& p) {
  if (p.sizes.size() < 2) return p;
  kernel::Program out = p;
  out.body = rewritten(p.body, ExprChange([&](const kernel::Expr& e) {
                         const auto* v = std::get_if<kernel::Var>(&e.node);
                         if (v && v->name == p.sizes[0]) return kernel::variable(p.sizes[1]);
                         if (v && v->name == p.sizes[1]) return kernel::variable(p.sizes[0]);
                         return e;
                       }));
  return out;
}

}  // namespace

void name_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "names");
  add("capture-by-lambda", "an inner function's parameter captures the outer one's",
      tools_with("strategies", on_phrases(lambdas_captured)),
      {{"fun main [n] (xs : [n]i32) : [n][n]i32 = map (\\x -> map (\\y -> x - y) xs) xs\n"}});
  add("capture-by-let", "an inner let captures the outer one's name",
      tools_with("strategies", on_phrases(lets_captured)),
      {{"fun main (a : i32) : i32 = let x = a * 3 in let y = a + 1 in x - y\n"}});
  add("capture-by-variable", "an inner variable has the outer one's name",
      tools_with("loops", on_phrases(variables_captured)));
  add("capture-by-loop", "an inner loop's variable has the outer one's name",
      tools_with("paths", on_statements(loops_captured)));
  add("sizes-exchanged", "two sizes are taken for each other", tools_with("paths", KernelTransform(sizes_exchanged)));
}

}  // namespace lockstep::props
