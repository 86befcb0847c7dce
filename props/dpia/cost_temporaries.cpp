// Counting, type by type (cost_temporaries.h).
#include "props/dpia/cost_temporaries.h"

namespace lockstep::props {
namespace {

using ByType = std::map<std::string, std::int64_t>;

void count_expressions(const Phrase& p, ByType& into) {
  const auto* t = std::get_if<ExpType>(&p.type.node);
  if (t && is_data(t->data) && !as<Ident>(p)) ++into[show(t->data)];
  for_each_child(p, [&](const PhraseRef& c) { count_expressions(*c, into); });
}
void count_variables(const Phrase& p, ByType& into) {
  const auto* x = as<ImpPhrase>(p);
  if (x && x->op == Imp::New) ++into[show(x->types[0])];
  for_each_child(p, [&](const PhraseRef& c) { count_variables(*c, into); });
}

}  // namespace

std::optional<std::string> undeclared_temporary(const PhraseProgram& source, const PhraseProgram& translated) {
  ByType expressions, variables;
  count_expressions(*source.body, expressions);
  count_variables(*translated.body, variables);
  for (const auto& [type, n] : variables)
    if (n > expressions[type])
      return "temporaries: " + std::to_string(n) + " of type " + type + ", for " + std::to_string(expressions[type]) +
             " expressions";
  return {};
}

}  // namespace lockstep::props
