// Programs to their results, and what stops them.
#include "semantics/imperative/run.h"

#include "semantics/functional/denote.h"
#include "semantics/imperative/machine.h"

namespace lockstep {
namespace {

std::string cell_named(const std::string& variable, std::int64_t cell) {
  return "`" + variable + "` (cell " + std::to_string(cell) + ")";
}

Interference interference(const InterferenceSignal& s, const Region& region) {
  const std::string both =
      "iterations " + std::to_string(s.first) + " and " + std::to_string(s.second) + " of one parallel loop ";
  const std::string where = cell_named(s.variable, s.cell);
  const std::string before = show_position(s.first_at);
  return {(s.both_write ? both + "both write " + where : both + "touch " + where + ", and one of them writes it") +
              (before.empty() ? "" : "; iteration " + std::to_string(s.first) + " at " + before),
          region, s.first_at};
}

}  // namespace

std::string render(const RunError& error) {
  const auto at = [](const Region& r, const std::string& message) {
    const std::string position = show_position(r);
    return position.empty() ? message : position + ": " + message;
  };
  return match(
      error, [](const Trap& t) { return lockstep::render(t); },
      [&](const Interference& i) { return at(i.region, "interference: " + i.message); },
      [&](const Unwritten& u) { return at(u.region, u.message); },
      [](const Stuck& s) { return "stuck: " + s.message; });
}

tl::expected<Value, RunError> run(const PhraseProgram& program, const SizeValues& sizes,
                                  const std::vector<Value>& arguments, const Domain& domain,
                                  const RunOptions& options) {
  if (program.output.empty()) {
    auto result = denote(program, sizes, arguments, domain);
    if (!result) return tl::unexpected(RunError(result.error()));
    return *result;
  }
  imperative::Compiler compiler(sizes, domain, options);
  try {
    for (const auto& [name, type] : program.parameters) compiler.slot(name);
    const std::size_t output = compiler.slot(program.output);
    const auto body = compiler.command(*program.body);
    imperative::Frame frame(compiler.slots());
    for (std::size_t k = 0; k < arguments.size(); ++k) frame.at(k) = {arguments[k]};
    const Layout& layout = compiler.layout(program.result);
    const std::int64_t cell = compiler.store().allocate(layout, program.output);
    frame.at(output) = {Acceptor{Cells{&layout, cell, {}}}};
    body(frame);
    return stored(value_at(compiler.store(), layout, cell));
  } catch (const TrapSignal& s) {
    return tl::unexpected(RunError(s.trap));
  } catch (const InterferenceSignal& s) {
    return tl::unexpected(RunError(interference(s, compiler.store().where())));
  } catch (const UnwrittenSignal& s) {
    return tl::unexpected(RunError(
        Unwritten{cell_named(s.variable, s.cell) + " is read before it is written", compiler.store().where()}));
  } catch (const Bug& bug) {
    return tl::unexpected(RunError(Stuck{bug.what()}));
  }
}

}  // namespace lockstep
