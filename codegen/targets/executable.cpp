// Running on compiled programs and on the interpreter.
#include "codegen/targets/executable.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "codegen/c/entry.h"
#include "semantics/functional/denote.h"

namespace lockstep {
namespace {

std::uint64_t bytes_of_allocation(const kernel::Allocate& a, const SizeValues& sizes) {
  const auto size = kernel::as_size(a.count);
  const auto count = size ? evaluate(*size, sizes) : std::nullopt;
  return count && *count > 0 ? times_bytes(static_cast<std::uint64_t>(*count),
                                           static_cast<std::uint64_t>(lockstep::bytes_of(a.type.scalar)))
                             : 0;
}

// Most that is live at one time; an allocation lives to the end of its block. Threads have their own copies in the
// outermost parallel loop; a loop inside runs in its thread.
std::uint64_t peak(const kernel::Stmt& s, const SizeValues& sizes, bool inside = false) {
  return match(
      s.node,
      [&](const kernel::Block& b) {
        std::uint64_t live = 0, greatest = 0;
        for (const kernel::Stmt& inner : b.statements) {
          if (const auto* a = std::get_if<kernel::Allocate>(&inner.node))
            live = sum_of_bytes(live, bytes_of_allocation(*a, sizes));
          greatest = std::max(greatest, sum_of_bytes(live, peak(inner, sizes, inside)));
        }
        return greatest;
      },
      [](const kernel::Declare&) { return std::uint64_t{0}; }, [](const kernel::Assign&) { return std::uint64_t{0}; },
      [](const kernel::Store&) { return std::uint64_t{0}; }, [](const kernel::Atomic&) { return std::uint64_t{0}; },
      [&](const kernel::For& x) { return peak(*x.body, sizes, inside); },
      [](const kernel::Allocate&) { return std::uint64_t{0}; },
      [&](const kernel::ParallelFor& x) {
        std::uint64_t each = peak(*x.body, sizes, true);
        for (const kernel::Allocate& a : x.scratch) each = sum_of_bytes(each, bytes_of_allocation(a, sizes));
        return inside ? each : times_bytes(each, std::max(1u, std::thread::hardware_concurrency()));
      },
      [&](const kernel::If& x) { return std::max(peak(*x.then, sizes, inside), peak(*x.otherwise, sizes, inside)); },
      [&](const kernel::While& x) { return peak(*x.body, sizes, inside); },
      [](const kernel::Check&) { return std::uint64_t{0}; }, [](const kernel::Barrier&) { return std::uint64_t{0}; },
      [](const kernel::Comment&) { return std::uint64_t{0}; }, [](const kernel::Shuffle&) { return std::uint64_t{0}; });
}

// LOCKSTEP_KERNEL_SECONDS, 0 for as long as they take; 50 where it says nothing that is a number.
double seconds_for_kernels() {
  constexpr double otherwise = 50;
  const char* asked = std::getenv("LOCKSTEP_KERNEL_SECONDS");
  double seconds = otherwise;
  if (asked) std::from_chars(asked, asked + std::strlen(asked), seconds);
  return seconds;
}

}  // namespace

std::string show(const Stop& stop) {
  if (const auto* trap = std::get_if<Trap>(&stop)) return "trap: " + trap->primitive + ": " + trap->message;
  return std::get<MachineFailure>(stop).message;
}

tl::expected<Leaves, Stop> interpret(const PhraseProgram& program, const Arguments& arguments) {
  if (auto enough = check_memory(bytes_of(program.result, arguments.sizes), "the result"); !enough)
    return tl::unexpected(Stop{MachineFailure{enough.error()}});
  const auto value = denote(program, arguments.sizes, values_of(program, arguments), ieee_domain());
  if (!value) return tl::unexpected(Stop{value.error()});
  auto leaves = leaves_from(*value, program.result, arguments.sizes, ieee_domain());
  if (!leaves) return tl::unexpected(Stop{MachineFailure{leaves.error()}});
  return std::move(*leaves);
}

Executable::Executable(kernel::Program program, Type result, CompiledLibrary library, DeviceFacts facts)
    : program_(std::move(program)), result_(std::move(result)), library_(std::move(library)), facts_(std::move(facts)) {
  if (!library_.symbol(loader_name(program_).c_str()))
    throw Bug("the generated library of '" + program_.name + "' has no entry point");
  using Limit = void (*)(double);
  if (const auto limit = reinterpret_cast<Limit>(library_.symbol(time_limit_name(program_).c_str())))
    limit(seconds_for_kernels());
  using Release = void (*)();
  if (const auto release = reinterpret_cast<Release>(library_.symbol(release_name(program_).c_str())))
    kept_ = std::shared_ptr<void>(nullptr, [release, handle = library_.handle](void*) { release(); });
}

tl::expected<Leaves, Stop> Executable::allocate_results(const SizeValues& sizes) const {
  const std::uint64_t temporary = temporary_bytes(program_, sizes);
  const std::string what =
      "the result" + std::string(temporary > 0 ? " and the temporaries" : "") + " of " + program_.name;
  auto out = allocate_leaves(result_, sizes, what, temporary);
  if (!out) return tl::unexpected(Stop{MachineFailure{out.error()}});
  return std::move(*out);
}

tl::expected<void, Stop> Executable::run_into(const Arguments& arguments, const std::vector<void*>& results) const {
  using Entry = std::int32_t (*)(const std::int64_t*, const void* const*, void* const*, EntryTrap*);
  const auto entry = reinterpret_cast<Entry>(library_.symbol(loader_name(program_).c_str()));
  std::vector<std::int64_t> sizes;
  for (const std::string& n : program_.sizes) sizes.push_back(arguments.sizes.at(n));
  std::vector<const void*> inputs;
  for (const Leaves& leaves : arguments.values)
    for (const LeafArray& a : leaves) inputs.push_back(a.data);
  if (inputs.size() != program_.inputs.size() || results.size() != program_.outputs.size())
    throw Bug("'" + program_.name + "' is called with another number of arrays than it has");
  EntryTrap trap;
  switch (entry(sizes.data(), inputs.data(), results.data(), &trap)) {
    case entry_done:
      return {};
    case entry_trapped:
      return tl::unexpected(Stop{trap_of(program_, trap)});
    case entry_failed:
      return tl::unexpected(Stop{MachineFailure{program_.name + ": " + why_failed()}});
    case entry_refused:
      return tl::unexpected(Stop{MachineFailure{program_.name + ": " + refusal_of(program_, trap)}});
  }
  throw Bug("the generated code of '" + program_.name + "' gave an unknown status");
}

std::string Executable::why_failed() const {
  using Fault = const char* (*)();
  const auto fault = reinterpret_cast<Fault>(library_.symbol(fault_name(program_).c_str()));
  if (fault && *fault()) return with_sources(fault(), facts_.places, facts_.before_line);
  return "there is not enough memory for its temporaries";
}

std::optional<tl::expected<double, Stop>> Executable::measured(const Arguments& arguments,
                                                               const std::vector<void*>& results) const {
  using Seconds = double (*)(std::int32_t);
  const auto seconds = reinterpret_cast<Seconds>(library_.symbol(kernel_seconds_name(program_).c_str()));
  if (!seconds) return {};
  seconds(1);
  const auto ran = run_into(arguments, results);
  const double taken = seconds(0);
  if (!ran) return tl::expected<double, Stop>(tl::unexpected(ran.error()));
  return tl::expected<double, Stop>(taken);
}

std::string Executable::writer_of(std::size_t output) const {
  return lockstep::writer_of(facts_.places, program_.outputs.at(output).name);
}

tl::expected<Leaves, Stop> Executable::run(const Arguments& arguments) const {
  auto results = allocate_results(arguments.sizes);
  if (!results) return results;
  if (auto done = run_into(arguments, writable(*results)); !done) return tl::unexpected(done.error());
  return results;
}

std::uint64_t temporary_bytes(const kernel::Program& program, const SizeValues& sizes) {
  return peak(program.body, sizes);
}

}  // namespace lockstep
