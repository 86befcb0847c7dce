// Counting, type by type (cost_temporaries.h).
#include "props/dpia/cost_temporaries.h"

#include "props/dpia/cost_relation.h"

namespace lockstep::props {
namespace {

using ByType = std::map<std::string, std::int64_t>;

// What a loop gives its functions may be an expression, not a name, but where its clause is known.
void add_parameters(const PrimPhrase& loop, std::set<std::string>& into) {
  if (!std::holds_alternative<Loop>(loop.primitive->kind) || gives_names(*loop.primitive)) return;
  for (PhraseRef a : loop.arguments)
    while (const auto* f = as<LambdaPhrase>(*a)) {
      into.insert(f->name);
      PhraseRef body = f->body;
      a = std::move(body);
    }
}

void count_expressions(const Phrase& p, std::set<std::string>& parameters, ByType& into) {
  const auto* t = std::get_if<ExpType>(&p.type.node);
  const auto* name = as<Ident>(p);
  if (t && is_data(t->data) && (!name || parameters.contains(name->name))) ++into[show(t->data)];
  const auto* x = as<PrimPhrase>(p);
  if (x) add_parameters(*x, parameters);
  const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  if (loop && loop->temporaries)
    for (const Type& d : loop->temporaries(*x)) {
      ++into[show(d)];
      for (const PhraseRef& a : x->arguments)  // made by a translation of the function of its own
        if (as<LambdaPhrase>(*a)) count_expressions(*a, parameters, into);
    }
  for_each_child(p, [&](const PhraseRef& c) { count_expressions(*c, parameters, into); });
}
void count_variables(const Phrase& p, ByType& into) {
  if (const auto* x = use_of<imp::New>(p)) ++into[show(x->types[0])];
  for_each_child(p, [&](const PhraseRef& c) { count_variables(*c, into); });
}

}  // namespace

std::optional<std::string> undeclared_temporary(const PhraseProgram& source, const PhraseProgram& translated) {
  ByType expressions, variables;
  std::set<std::string> parameters;
  count_expressions(*source.body, parameters, expressions);
  count_variables(*translated.body, variables);
  for (const auto& [type, n] : variables)
    if (n > expressions[type])
      return "temporaries: " + std::to_string(n) + " of type " + type + ", for " + std::to_string(expressions[type]) +
             " expressions";
  return {};
}

}  // namespace lockstep::props
