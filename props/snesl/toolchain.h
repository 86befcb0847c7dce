// The languages and stages of a SNESL program, as values: what a mutant has one of made wrong.
#pragma once
#include <map>

#include "semantics/snesl/syntax.h"
#include "semantics/svcode/language.h"
#include "translate/simplify/simplify.h"
#include "translate/transducers/stages.h"

namespace lockstep::props::stream {

struct Toolchain {
  std::function<Checked<snesl::core::Program>(const snesl::surface::Program&,
                                              const std::map<std::string, snesl::Type>&)>
      elaborate;
  svcode::CoreLanguage core;
  svcode::SvcodeLanguage svcode;
  std::function<std::vector<Stage>(const lockstep::streaming::Streamable&)> stages;
  std::function<Checked<svcode::Slack>(const svcode::Program&)> analyse;
  std::function<std::vector<Stage>(std::int64_t slack)> networks;  // from the last program to what the engine runs
  std::function<std::string(std::string)> engine_text{};           // a change of it; none in a right one
  static Toolchain standard();
  // The output of every stage of that name.
  void alter(const std::string& stage, const std::function<svcode::Program(const svcode::Program&)>& change);
  void alter_network(const std::string& stage,
                     const std::function<transducer::Program(const transducer::Program& after,
                                                             const transducer::Program& before)>& change);
};

}  // namespace lockstep::props::stream
