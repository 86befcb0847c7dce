// Random programs of SVCODE, drawn from the rows of its opcodes: of an opcode no more is known here than its row says,
// so one more is drawn without an edit. (Made by hand are Ctrl and Input; of what reads in order from a place on, the
// first two operands are that place and how many.) What does not fit its operands, as they are on some inputs, is not
// taken.
#pragma once
#include <span>

#include "props/engine/random.h"
#include "semantics/svcode/eager_streams.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::props::stream {

// A name of up to three characters is a file, of these characters twice; every other name is missing.
class FilesByName final : public snesl::Files {
 public:
  std::string read(const std::string& name, const Region& region) override;
  void write(const std::string& name, std::string content, const Region&) override {
    written.emplace_back(name, std::move(content));
  }
  std::vector<std::pair<std::string, std::string>> written;
};

struct GeneratedSvcode {
  // Leaves of the parameters, and what each instruction gives; without the last where that traps.
  struct Run {
    std::vector<svcode::Stream> inputs, streams;
    bool traps = false;
  };
  svcode::Program program;  // its result is a tuple of streams
  std::vector<Run> runs;    // on all of which it fits
};
struct SvcodeOptions {
  std::span<const svcode::OpcodeRow> rows;
  int instructions = 12;  // beside those of the inputs
  int runs = 3;
  std::optional<svcode::Opcode> often{};  // by default one that is drawn
  // Whether a program may be longer by its last instruction; none: all may. Where it is asked, descriptors are read by
  // their segments only, as translated programs read them and the streamability analysis takes for granted.
  std::function<bool(const svcode::Program&)> keep{};
  // By which steps streams are computed.
  std::function<svcode::Stream(const svcode::Eager&)> step = [](const svcode::Eager& e) {
    return svcode::row_of(e.i.opcode).eager(e);
  };
};
GeneratedSvcode generate_svcode(std::uint64_t seed, const SvcodeOptions& options);

}  // namespace lockstep::props::stream
