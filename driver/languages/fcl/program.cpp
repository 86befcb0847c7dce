// Reading a .fcl file; refusing what is none, and what cannot be run.
#include "driver/languages/fcl/program.h"

#include "driver/kernels/kernels.h"
#include "semantics/fcl/parse.h"
#include "semantics/fcl/prelude.h"

namespace lockstep::driver {
namespace {

bool is_data(const fcl::Type& t) {
  return match(
      t.node, [](const OneOf<ScalarType, fcl::NamedType> auto&) { return true; },
      [](const fcl::PairOf& p) { return is_data(*p.first) && is_data(*p.second); },
      [](const fcl::PullType& a) { return is_data(*a.element); }, [](const auto&) { return false; });
}

// What a type takes one after another, by the names of the definition's parameters as far as it has any.
fcl::Type taken_apart(const fcl::Definition& d, const fcl::Scheme& s, std::vector<FclEntryPoint::Parameter>& out) {
  fcl::Type t = s.type;
  std::size_t unnamed = 0;
  for (;;) {
    const std::size_t k = out.size();
    const bool has_name = k < d.parameters.size() && d.parameters[k].name != "_";
    if (const auto* a = fcl::as<fcl::Arrow>(t)) {
      out.push_back({has_name ? d.parameters[k].name : "x" + std::to_string(++unnamed), *a->from});
      t = fcl::Type(*a->to);
    } else if (const auto* l = fcl::as<fcl::LevelArrow>(t)) {
      out.push_back({has_name ? d.parameters[k].name : l->variable, std::nullopt});
      t = fcl::Type(*l->to);
    } else {
      for (const std::string& l : s.levels) out.push_back({l, std::nullopt});
      return t;
    }
  }
}

}  // namespace

FclFile load_fcl(const std::string& name) {
  const Stopwatch watch;
  FclFile out{std::make_shared<const Source>(Source{name, read_source(name)}), {}, 0};
  out.program = valid(fcl::typed(valid(fcl::parse_program(out.source))));
  out.seconds = watch.seconds();
  return out;
}

std::string no_entry_point(const fcl::Definition& d, const fcl::Scheme& s) {
  std::vector<FclEntryPoint::Parameter> parameters;
  const fcl::Type result = taken_apart(d, s, parameters);
  for (const auto& p : parameters)
    if (p.type && !is_data(*p.type))
      return "its parameter " + p.name + " is `" + fcl::show(*p.type) +
             "`, and only scalars, pairs and pull arrays can be given";
  if (!fcl::as<fcl::PushType>(result))
    return "it gives `" + fcl::show(result) + "`, and only push arrays can be evaluated in full (§5.2)";
  return "";
}

FclEntryPoint entry_point(const FclFile& file, const ProgramName& name) {
  const auto& all = file.program.program.definitions;
  const fcl::Definition* d =
      name.function.empty() ? &all.back() : fcl::definition_named(file.program.program, name.function);
  if (!d) {
    std::vector<std::string> names;
    for (const fcl::Definition& each : all) names.push_back(each.name);
    fail(invalid, name.file + " defines no " + name.function,
         did_you_mean(name.function, names, "its definitions are " + comma_list(names)));
  }
  const fcl::Scheme& s = file.program.schemes[static_cast<std::size_t>(d - all.data())];
  if (const std::string why = no_entry_point(*d, s); !why.empty())
    fail(
        invalid, d->name + " cannot be run: " + why,
        why.find("push arrays can") != std::string::npos ? "write a definition that gives one: `push <grid> (…)`" : "");
  FclEntryPoint out{d->name, d, &s, {}, fcl::int_type, fcl::launch_of(*d)};
  out.result = taken_apart(*d, s, out.parameters);
  set_launch(out.launch, file.asked);
  return out;
}

}  // namespace lockstep::driver
