// The stage: A[E](output) for the whole program (DPIA §4.1).
#include "translate/fig5.h"
#include "translate/stage.h"

namespace lockstep {
namespace {

void reserve_names(const Phrase& p, Names& names) {
  if (const auto* l = as<LambdaPhrase>(p)) names.reserve(l->name);
  if (const auto* l = as<LetPhrase>(p)) names.reserve(l->name);
  for_each_child(p, [&](const PhraseRef& c) { reserve_names(*c, names); });
}

}  // namespace

PhraseStage functional_to_imperative() {
  return {"translate", "DPIA §4.1, Fig. 5", [](const PhraseProgram& p, const Calculus& calculus, Machine) {
            Names names;
            for (const std::string& s : p.sizes) names.reserve(s);
            for (const auto& [name, type] : p.parameters) names.reserve(name);
            reserve_names(*p.body, names);
            PhraseProgram out = p;
            out.output = names.fresh("output");
            Fig5 fig5(calculus, names);
            out.body = fig5.acceptor(p.body, ident(out.output, acc_type(p.result)));
            return out;
          }};
}

}  // namespace lockstep
