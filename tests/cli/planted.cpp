// planted MISTAKE WORD ...: the lockstep command on .snesl, `verify` and `campaign` with one thing made wrong. What the
// programs of a stage do when they run is of that stage's row, be it nothing at all; a mistake elsewhere is not.
//   right    nothing is wrong
//   waits    from the stage same-streams on, no window grows: the network waits for itself
//   lengths  the stage clusters gives an operand of another length to elementwise instructions
//   eager    an interpreter of SVCODE gives up after the translation
//   stage    the stage loops itself gives up
#include <cstdio>

#include "driver/campaign_reports.h"
#include "driver/commands/command_line.h"
#include "driver/languages/snesl/snesl.h"
#include "driver/languages/snesl/verification.h"

namespace lockstep::driver {
namespace {

using props::stream::Toolchain;
using transducer::Kernel;

Toolchain planted(const std::string& mistake) {
  Toolchain t = Toolchain::standard();
  if (mistake == "right") return t;
  if (mistake == "waits")
    t.alter_network("same-streams", [](transducer::Program p, const transducer::Program&) {
      p.whole.forms.unbounded.clear();
      return p;
    });
  else if (mistake == "lengths")
    t.alter_network("clusters", [](transducer::Program p, const transducer::Program&) {
      for (transducer::Step& s : p.whole.steps)
        if (s.kernel == Kernel::Cluster) s.operands.back() = {p.whole.steps.front().id()};
      return p;
    });
  else if (mistake == "eager")
    t.svcode.eager = [right = t.svcode.eager](const auto& p, const auto& inputs, snesl::Files& files) {
      static int runs = 0;
      if (++runs > 1) throw Bug("an interpreter gives up");
      return right(p, inputs, files);
    };
  else if (mistake == "stage")
    t.alter_network("loops", [](const transducer::Program&, const transducer::Program&) -> transducer::Program {
      throw Bug("a stage gives up");
    });
  else
    fail(invalid, "there is no mistake " + mistake + " to plant");
  return t;
}

class PlantedEntry : public EntryOf<StreamingFile, snesl::EntryPoint> {
 public:
  using EntryOf::EntryOf;
  static inline Toolchain tools = Toolchain::standard();
  std::string head() const override { return head_of(program_); }
  props::Report verify(const VerifyRequest& request, const props::Listener& listener) const override {
    return verify_streaming(*loaded_, program_, request, listener, tools);
  }
};
class PlantedFile : public FileOf<StreamingFile, PlantedEntry> {
 public:
  using FileOf::FileOf;
  Said check(const std::string& function) const override { return checked(*loaded_, function); }
};
class Planted : public Frontend {
 public:
  std::string name() const override { return "snesl"; }
  std::string unit() const override { return snesl_language().unit(); }
  std::vector<Runner> targets() const override { return snesl_language().targets(); }
  std::unique_ptr<File> load(const std::string& file, const AskedRun&) const override {
    return std::make_unique<PlantedFile>(load_streaming(file));
  }
  RandomPrograms random_programs() const override { return streaming_programs(PlantedEntry::tools); }
};

}  // namespace
}  // namespace lockstep::driver

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: planted MISTAKE WORD ...\n", stderr), 2;
  lockstep::driver::PlantedEntry::tools = lockstep::driver::planted(argv[1]);
  argv[1] = argv[0];
  static const lockstep::driver::Planted language;
  return lockstep::driver::run_command_line(argc - 1, argv + 1, {&language});
}
