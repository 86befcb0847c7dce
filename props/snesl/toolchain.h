// The stages of a SNESL program, as values: what a mutant has one of made wrong.
#pragma once
#include <map>

#include "semantics/snesl/evaluate.h"
#include "semantics/snesl/syntax.h"
#include "semantics/svcode/run.h"
#include "translate/simplify/simplify.h"

namespace lockstep::props::stream {

struct Toolchain {
  std::function<Checked<snesl::core::Program>(const snesl::surface::Program&,
                                              const std::map<std::string, snesl::Type>&)>
      elaborate;
  std::function<tl::expected<snesl::Evaluation, Trap>(const snesl::core::Program&, const snesl::Values&, snesl::Files&)>
      evaluate;
  std::function<svcode::Program(const snesl::core::Program&)> flatten;
  std::function<std::vector<lockstep::streaming::Stage>(const lockstep::streaming::Streamable&)> simplifications;
  std::function<Checked<svcode::Slack>(const svcode::Program&)> analyse;
  std::function<tl::expected<svcode::Run, Trap>(const svcode::Program&, const std::vector<svcode::Stream>&,
                                                snesl::Files&)>
      eager;
  std::function<tl::expected<svcode::ChunkedRun, Trap>(const svcode::Program&, const std::vector<svcode::Stream>&,
                                                       snesl::Files&, const svcode::ChunkOptions&)>
      chunked;
  std::function<std::string(std::string)> engine_text{};  // a change of it; none in a right one
  static Toolchain standard();
};

}  // namespace lockstep::props::stream
