// SVCODE as a language (semantics/language), and core SNESL, whose programs are translated to it.
#pragma once
#include "semantics/language/language.h"
#include "semantics/svcode/run.h"

namespace lockstep::svcode {

struct CoreLanguage : Language {
  std::function<tl::expected<snesl::Evaluation, Trap>(const snesl::core::Program&, const snesl::Values&, snesl::Files&,
                                                      const Domain&)>
      evaluate = snesl::evaluate;
};
struct SvcodeLanguage : Language {
  std::function<tl::expected<Run, Trap>(const Program&, const std::vector<Stream>&, snesl::Files&)> eager =
      [](const Program& p, const std::vector<Stream>& in, snesl::Files& files) { return run_eager(p, in, files); };
  std::function<tl::expected<ChunkedRun, Trap>(const Program&, const std::vector<Stream>&, snesl::Files&,
                                               const ChunkOptions&)>
      chunked = run_chunked;
};
struct Languages {
  std::shared_ptr<const CoreLanguage> core;
  std::shared_ptr<const SvcodeLanguage> svcode;
};
const Languages& languages();

}  // namespace lockstep::svcode
