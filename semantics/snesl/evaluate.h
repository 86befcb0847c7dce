// The big-step semantics of core SNESL with its five-part cost (Fig. 2.3), and μNESL's work and depth (Fig. 1.4).
#pragma once
#include "semantics/snesl/core.h"
#include "semantics/snesl/value.h"

namespace lockstep::snesl {

// ω = (W, D; M, N; L).
struct Cost {
  std::int64_t work = 0;                 // W
  std::int64_t depth = 0;                // D
  std::int64_t scalable = 0;             // M
  std::int64_t vectorial = 0;            // N
  std::int64_t parallel = 0;             // L
};
struct Evaluation {
  Value value;
  Cost cost;
};
// Files as read_file and write_file see them. A missing file is a TrapSignal of read; write collects.
class Files {
 public:
  virtual ~Files() = default;
  virtual std::string read(const std::string& name, const Region& region) = 0;          // whole
  virtual void write(const std::string& name, std::string content, const Region& region) = 0;
};
// Files of the machine; "-" is standard input and output. A written file appears whole or not at all.
std::unique_ptr<Files> machine_files();

tl::expected<Evaluation, Trap> evaluate(const core::Program& p, const Values& arguments, Files& files);

// μNESL's (W, D) where the program is one of vectors only after reading {τ} as [τ]: none where it is not (Fig. 1.4).
struct NeslCost {
  std::int64_t work = 0;
  std::int64_t depth = 0;
};
tl::expected<std::optional<NeslCost>, Trap> nesl_cost(const core::Program& p, const Values& arguments, Files& files);

}  // namespace lockstep::snesl
