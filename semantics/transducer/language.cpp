// What networks give as a language (language.h).
#include "semantics/transducer/language.h"

#include "semantics/transducer/text.h"

namespace lockstep::transducer {

const std::shared_ptr<const TransducerLanguage>& transducer_language() {
  static const std::shared_ptr<const TransducerLanguage> language = [] {
    const auto out = std::make_shared<TransducerLanguage>();
    out->name = "transducers";
    out->print = [](const AnyProgram& p) { return print(p.as<Program>()); };
    out->check = [](const AnyProgram& p, const SizeImplication&) {
      std::string wrong = check(p.as<Program>());
      return wrong.empty() ? std::vector<std::string>{} : std::vector<std::string>{std::move(wrong)};
    };
    // What runs together counts once.
    out->nodes = [](const AnyProgram& p) {
      const Network& n = p.as<Program>().whole;
      return n.steps.empty() ? n.code->instructions.size() : n.steps.size();
    };
    return out;
  }();
  return language;
}

}  // namespace lockstep::transducer
