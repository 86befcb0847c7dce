// What core SNESL and SVCODE give (language.h).
#include "semantics/svcode/language.h"

#include "semantics/svcode/text.h"

namespace lockstep::svcode {
namespace {

std::vector<std::string> as_list(std::string wrong) {
  return wrong.empty() ? std::vector<std::string>{} : std::vector<std::string>{std::move(wrong)};
}

std::shared_ptr<const CoreLanguage> core_language() {
  const auto out = std::make_shared<CoreLanguage>();
  out->name = "core";
  out->print = [](const AnyProgram& p) { return snesl::core::print(p.as<snesl::core::Program>()); };
  out->check = [](const AnyProgram& p, const SizeImplication&) {
    return as_list(snesl::core::check(p.as<snesl::core::Program>()));
  };
  return out;
}

std::shared_ptr<const SvcodeLanguage> svcode_language() {
  const auto out = std::make_shared<SvcodeLanguage>();
  const std::weak_ptr<const SvcodeLanguage> self = out;
  out->name = "SVCODE";
  out->print = out->write = [](const AnyProgram& p) { return print(p.as<Program>()); };
  out->parse = [self](const SourceRef& source) { return as_program(self, parse(source)); };
  out->equal = [](const AnyProgram& a, const AnyProgram& b) {
    return print(a.as<Program>()) == print(b.as<Program>());
  };
  out->check = [](const AnyProgram& p, const SizeImplication&) { return as_list(check(p.as<Program>())); };
  out->nodes = [](const AnyProgram& p) { return p.as<Program>().instructions.size(); };
  return out;
}

}  // namespace

const Languages& languages() {
  static const Languages all{core_language(), svcode_language()};
  return all;
}

}  // namespace lockstep::svcode
