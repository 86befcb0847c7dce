// The table of targets.
#include "codegen/targets/target.h"

#include <algorithm>
#include <set>

#include "semantics/host/language.h"
#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {
// One line each, NAME for `Target NAME_target()`; the first that can run is the default.
#define LOCKSTEP_TARGETS(TARGET) \
  TARGET(openmp)                 \
  TARGET(hip_cpu)                \
  TARGET(opencl)                 \
  TARGET(hip)

#define LOCKSTEP_DECLARE(name) Target name##_target();
LOCKSTEP_TARGETS(LOCKSTEP_DECLARE)

const std::vector<Target>& kernel_targets() {
#define LOCKSTEP_LIST(name) name##_target(),
  static const std::vector<Target> targets = {LOCKSTEP_TARGETS(LOCKSTEP_LIST)};
  return targets;
}

std::vector<std::string> always_fits(const kernel::Program&) { return {}; }

const Target* find_target(const std::string& name) {
  const auto& all = kernel_targets();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Target& t) { return t.name == name; });
  return it == all.end() ? nullptr : &*it;
}

namespace {

void note_functions(const scalars::Definition& d, std::set<std::string>& into) {
  if (const auto* l = std::get_if<scalars::Definition::Library>(&d.node); l && !l->correctly_rounded)
    into.insert(l->name);
  for (const scalars::Definition& x : scalars::operands_of(d)) note_functions(x, into);
}

}  // namespace

std::string functions_in(const kernel::Program& program) {
  std::set<std::string> names;
  kernel::each_expression(program.body, [&](const kernel::Expr& e) {
    if (const auto* a = std::get_if<kernel::Apply>(&e.node))
      note_functions(std::get<ScalarOp>(a->primitive->kind).definition(a->operand.scalar), names);
  });
  std::string out;
  std::size_t left = names.size();
  for (const std::string& name : names) out += (out.empty() ? "" : --left == 1 ? " and " : ", ") + name;
  return out;
}

std::string own_functions_in(const kernel::Program& program, const Target& target) {
  return target.own_functions ? functions_in(program) : "";
}

tl::expected<Executable, MachineFailure> load_on(const Target& target, const AnyProgram& program, const Type& result) {
  if (const std::string why = target.unavailable(); !why.empty()) return tl::unexpected(MachineFailure{why});
  if (const auto why = target.unfit(host::called_as(program)); !why.empty())
    return tl::unexpected(MachineFailure{"it does not fit " + target.name + ": " + why.front()});
  if (!target.load) throw Bug("the target " + target.name + " says that it runs programs, and loads none");
  auto made = target.load(program, result);
  if (made) return std::move(*made);
  return tl::unexpected(MachineFailure{machine_message(made.error(), "the generated code does not compile")});
}

}  // namespace lockstep
