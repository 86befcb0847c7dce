// A program that was accepted waits for ever in one way only: for a group that its window does not hold. The text says
// who waits for whom (`Waiting`, kernels/run.h), and which windows a group may fill.
#include "codegen/streaming/emit_growth.h"

#include <algorithm>

#include "codegen/streaming/emit_maps.h"
#include "codegen/streaming/emit_step.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::engine {
namespace {

class Growth {
 public:
  Growth(const Network& network, const Windows& windows) : network_(network), windows_(windows) {
    for (std::size_t n = 0; n < network.steps.size(); ++n)
      for (const StreamId s : network.steps[n].produces) maker_[s] = n;
  }

  std::string run() {
    const auto none = [&](const Step& s) { return growing(s).empty(); };
    if (std::all_of(network_.steps.begin(), network_.steps.end(), none)) return "  bool grow() { return false; }\n";
    std::string waits;
    for (std::size_t n = 0; n < network_.steps.size(); ++n)
      if (const std::string w = waits_of(n); !w.empty())
        waits += "    if (!done" + str(network_.steps[n].id()) + ") {" + w + " }\n";
    const std::string nodes = std::to_string(network_.steps.size() + 1);
    std::string r = "  bool grow() {\n    Waiting::Edge edges[" + std::to_string(edges_ + 1) + "];\n    bool seen[" +
                    nodes + "];\n    Waiting w = {edges, seen, " + nodes + "};\n" + waits + "    Growing g = {w};\n";
    for (const Step& step : network_.steps)
      for (const StreamId s : growing(step)) r += "    if (!s" + str(s) + ".done) {" + considered(s) + " }\n";
    for (const Step& step : network_.steps)
      for (const StreamId s : growing(step)) r += "    if (g.which == " + str(s) + ") s" + str(s) + ".grow();\n";
    return r + "    return g.which >= 0;\n  }\n";
  }

 private:
  bool has_window(StreamId s) const {
    return network_.at(s).type != Prim::Unit && !network_.repeated.count(s) && !windows_.whole.count(s);
  }
  bool is_kept(StreamId s) const { return windows_.kept.count(s) != 0; }
  std::vector<StreamId> growing(const Step& step) const {
    std::vector<StreamId> r;
    for (const StreamId s : step.produces)
      if ((is_kept(s) || network_.forms.unbounded.count(s)) && has_window(s)) r.push_back(s);
    return r;
  }

  // Who reads s, as "maker, its step, its reader".
  std::vector<std::string> uses(StreamId s) const {
    std::vector<std::string> r;
    for (std::size_t n = 0; n < network_.steps.size(); ++n)
      for (std::size_t k = 0; k < network_.steps[n].operands.size(); ++k)
        if (network_.steps[n].operands[k].stream == s)
          r.push_back(std::to_string(maker_.at(s)) + ", " + std::to_string(n) + ", " + reader(network_.steps[n], k));
    return r;
  }

  // The first of a step's operands that it reads at places; those before say which.
  std::size_t first_base(const Step& step) const {
    if (step.kernel == Kernel::Slices) return 1 + network_.slices.at(step.id()).parameters.size();
    if (step.kernel != Kernel::Plain || !svcode::is_base(step.instructions[0]->opcode, 2)) return step.operands.size();
    return 2;
  }
  bool is_base(const Step& step, std::size_t operand) const {
    return step.kernel == Kernel::Slices ? operand >= first_base(step) : operand == 2 && first_base(step) == 2;
  }

  std::string waits_of(std::size_t n) {
    const Step& step = network_.steps[n];
    std::string r;
    for (std::size_t k = 0; k < step.operands.size(); ++k, ++edges_) {
      const std::string who =
          std::to_string(n) + ", " + std::to_string(maker_.at(step.operands[k].stream)) + ", " + reader(step, k);
      std::string asks;
      for (std::size_t p = 0; p < first_base(step); ++p) asks += (p ? " && " : ", ") + reader(step, p) + ".left() > 0";
      r += is_base(step, k) ? " w.for_place(" + who + asks + ");" : " w.for_element(" + who + ");";
    }
    for (const StreamId s : step.produces) {
      if (!has_window(s) || is_kept(s)) continue;
      for (const std::string& use : uses(s)) r += " w.for_room(" + use + ");", ++edges_;
    }
    // The next piece comes when all of this one has been taken.
    if (windows_.given.count(step.id()))
      r += " w.for_piece(" + std::to_string(n) + ", k" + str(step.id()) + ", finished);", ++edges_;
    return r;
  }

  std::string considered(StreamId s) const {
    if (is_kept(s)) return " g.keep(" + str(s) + ", s" + str(s) + ");";
    std::string r;
    for (const std::string& use : uses(s)) r += " g.consider(" + str(s) + ", " + use + ");";
    return r;
  }

  const Network& network_;
  const Windows& windows_;
  std::map<StreamId, std::size_t> maker_;  // the step
  std::size_t edges_ = 0;                  // at most
};

}  // namespace

std::string grow_function(const Network& network, const Windows& windows) { return Growth(network, windows).run(); }

}  // namespace lockstep::engine
