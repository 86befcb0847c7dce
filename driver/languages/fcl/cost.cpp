// cost of .fcl: of the source on arguments, as it says itself, and of its program in the calculus.
#include "semantics/fcl/cost.h"

#include <nlohmann/json.hpp>

#include "driver/kernels/costs.h"
#include "driver/languages/fcl/compiled.h"
#include "driver/units.h"
#include "semantics/fcl/prelude.h"

namespace lockstep::driver {
namespace {

constexpr std::int64_t most_work = 100'000'000;
constexpr std::int64_t most_costed = 4'000'000;  // of arguments
constexpr std::uint64_t most_rounds = 10'000'000;

// Given, or drawn where what is given says how long all is; nothing where it does not.
std::optional<std::vector<Leaves>> arguments_to_cost(const FclEntryPoint& entry, const FclArguments& bound,
                                                     const MadeInCalculus& program) {
  if (bound.complete()) return bound.all_given();
  if (!program) return {};
  const ToDraw draw = to_draw(entry, bound);
  const auto is_given = [](const auto& x) { return x.has_value(); };
  const bool asked = std::any_of(bound.random.begin(), bound.random.end(), is_given);
  const bool some = asked || !bound.lengths.empty() || std::any_of(bound.given.begin(), bound.given.end(), is_given);
  if (!asked && !(some && says_all_sizes(draw, *program))) return {};
  return drawn_arguments(draw, *program);
}

// Of the source, or why it has none.
using SourceCost = tl::expected<fcl::Costs, std::string>;

// A trap is told as a run tells it.
SourceCost costs_on(const FclInstance& at, const fcl::Entry& program, const props::fcl::Signature& signature,
                    const std::vector<Leaves>& arguments) {
  std::vector<Value> values;
  for (std::size_t k = 0; k < arguments.size(); ++k)
    values.push_back(props::fcl::value_of(signature.parameters[k].type, arguments[k]));
  auto made = fcl::costs(program.program, program.definition, std::move(values),
                         {program.launch, program.instance.levels, most_rounds, most_work});
  if (made) return *std::move(made);
  const std::string& why = made.error().message;
  if (why == fcl::work_limit_message) return tl::unexpected("it is more work than " + std::to_string(most_work));
  if (why == fcl::round_limit_message)
    return tl::unexpected("it takes more rounds than " + std::to_string(most_rounds));
  const auto said = source_run(at.entry, signature).meaning(arguments);
  fail(said ? made.error() : said.error());
}

SourceCost source_cost(const FclEntryPoint& entry, const FclArguments& bound, const FclInstance& at,
                       const MadeInCalculus& program) {
  if (at.stages.stopped) return tl::unexpected<std::string>("where it computes is known after fusion");
  const auto arguments = arguments_to_cost(entry, bound, program);
  if (!arguments)
    return tl::unexpected<std::string>("give arguments, or what says how long random ones are, for its own cost");
  std::int64_t elements = 0;
  for (const Leaves& leaves : *arguments)
    for (const LeafArray& leaf : leaves) elements += count_of(leaf);
  if (elements > most_costed)
    return tl::unexpected("its arguments have more elements than " + std::to_string(most_costed));
  const fcl::Entry& instantiated = at.stages.trace.after("instantiate")->as<fcl::Entry>();
  return costs_on(at, instantiated, bound.signature, *arguments);
}

std::string array_of(const fcl::ArrayAccesses& a) {
  const bool of_prelude = a.region.source && a.region.source->name == fcl::prelude_name;
  return a.array + (a.leaf > 0 ? "." + std::to_string(a.leaf) : "") +
         (a.region.source ? " " + position(a.region) + (of_prelude ? " of the prelude" : "") : "");
}
std::string range_text(const fcl::ArrayAccesses& a) {
  return a.least == a.most ? std::to_string(a.most) : std::to_string(a.least) + " to " + std::to_string(a.most);
}

std::vector<Unit> units_of(const fcl::Costs& c) {
  std::vector<Unit> out{
      {"work", "operations on scalars, loads and stores, one for each scalar"},
      {"of units", "operations of the host, of a block or warp, such as on lengths: once for all its threads"},
      {"recomputed", "of the work, for elements of pull arrays that had been computed before"},
      {"depth", "the same one after another, of a thread's elements the sum, of others the greatest"},
      {"dealt", "... where elements and chunks are dealt to the units of the machine, round by round"},
      {"rounds", "of elements dealt to units, one after another"},
      {"bytes", "at once, beside the arguments: of all global arrays, of a block, of a thread"}};
  if (c.parted > 0) out.push_back({"parted", "branches at which threads of a warp go different ways"});
  if (!c.accesses.empty())
    out.push_back({"transactions", "of a warp, aligned segments of 128 bytes that it touches in global memory"});
  if (c.conflicts() > 0)
    out.push_back({"conflicts", "of a warp, words of one of the 32 banks of shared memory, but one"});
  return out;
}

using Measure = std::pair<std::string, std::int64_t>;
std::vector<Measure> measures(const fcl::Costs& c) {
  return {{"work", c.work()},          {"operations", c.operations}, {"recomputed", c.recomputed},
          {"depth", c.depth},          {"dealt", c.dealt_depth},     {"rounds", c.rounds},
          {"launches", c.launches},    {"barriers", c.barriers},     {"warp barriers", c.warp_barriers},
          {"branches", c.branches},    {"parted", c.parted},         {"transactions", c.transactions()},
          {"conflicts", c.conflicts()}};
}
using PlacedMeasure = std::pair<std::string, fcl::ByMemory>;
std::vector<PlacedMeasure> placed_measures(const fcl::Costs& c) {
  return {{"loads", c.loads}, {"stores", c.stores}, {"bytes", c.bytes}};
}

std::string source_text(const fcl::Costs& c, const Launch& launch) {
  Table numbers({"", ">all"}), places({"", ">global", ">shared", ">private"}),
      accesses({"a warp's", "of", ">times", ">takes", "each"});
  for (const auto& [name, n] : measures(c)) numbers.row({name, std::to_string(n)});
  for (const auto& [name, n] : placed_measures(c))
    places.row({name, std::to_string(n[0]), std::to_string(n[1]), std::to_string(n[2])});
  for (const fcl::ArrayAccesses& a : c.accesses) {
    const bool global = a.memory == fcl::Memory::Global;
    accesses.row({a.is_store ? "store" : "load", array_of(a), std::to_string(a.issues), std::to_string(a.total),
                  range_text(a) + (global        ? a.most == 1 ? " transaction" : " transactions"
                                   : a.most == 1 ? " conflict"
                                                 : " conflicts")});
  }
  const bool colour = on_terminal(1);
  return "the source, in blocks of " + std::to_string(launch.block) + " threads and warps of " +
         std::to_string(launch.warp) + "\n" + numbers.text(colour) + "\n" + places.text(colour) +
         (c.accesses.empty() ? "" : "\n" + accesses.text(colour)) + driver::text_of(units_of(c));
}

Json source_json(const fcl::Costs& c) {
  Json out = Json::object(), accesses = Json::array();
  for (const auto& [name, n] : measures(c)) out[name == "warp barriers" ? "warp_barriers" : name] = n;
  for (const auto& [name, n] : placed_measures(c))
    out[name] = Json{{"global", n[0]}, {"shared", n[1]}, {"private", n[2]}};
  for (const fcl::ArrayAccesses& a : c.accesses)
    accesses.push_back(Json{{"array", array_of(a)},
                            {"access", a.is_store ? "store" : "load"},
                            {"memory", fcl::name_of(a.memory)},
                            {"times", a.issues},
                            {a.memory == fcl::Memory::Global ? "transactions" : "conflicts",
                             Json{{"total", a.total}, {"least", a.least}, {"most", a.most}}}});
  out["accesses"] = std::move(accesses);
  out["units"] = driver::json_of(units_of(c));
  return out;
}

}  // namespace

Said cost_of(const FclFile& file, const FclEntryPoint& entry, const Options& options) {
  const FclArguments bound = bind_arguments(entry, options.arguments, false);
  const FclInstance at = standing_instance(file, entry, bound);
  const MadeInCalculus made = in_calculus(at.stages);
  const SourceCost source = source_cost(entry, bound, at, made);
  if (!source) lowered_or_fail(entry.name, made, "");
  if (!made) refuse_lengths(entry, bound);
  Said out =
      made ? costs_of({"fcl", made->program, *lowered_calculus()}, known_sizes(to_draw(entry, bound), *made), options)
           : Said{"", Json{{"language", "fcl"}, {"function", entry.name}}};
  out.text = (source ? source_text(*source, entry.launch) : "the source: " + source.error() + "\n") + "\n" + out.text +
             (made ? "of the program in the calculus: " + conditions_of(made->lowered)
                   : why_not_lowered(entry.name, made.error())) +
             "\n";
  out.json["source"] = source ? source_json(*source) : Json{{"refused", source.error()}};
  return out;
}

}  // namespace lockstep::driver
