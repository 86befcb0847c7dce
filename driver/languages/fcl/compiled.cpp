#include "driver/languages/fcl/compiled.h"

#include "proofs/sizes/solver.h"

namespace lockstep::driver {

MadeInCalculus in_calculus(const fcl::Traced& stages) {
  if (stages.misplaced) throw Failure{invalid, "", {*stages.misplaced}};
  if (stages.stopped) return tl::unexpected(NotLowered{stages.stopped->region, stages.stopped->why});
  return fcl::in_calculus(stages.trace.last().as<fcl::Entry>(), *lowered_calculus(), proofs::z3_size_solver());
}

SourceRun source_run(const fcl::Entry& entry, const props::fcl::Signature& signature) {
  return {[source = AnyProgram(fcl::language(), entry), signature](const std::vector<Leaves>& arguments) {
            return props::fcl::outcome(source, signature, arguments, 0);
          },
          [signature](const Leaves& result) {
            return show(props::fcl::value_of(signature.result, result), ieee_domain());
          }};
}

ToDraw to_draw(const FclEntryPoint& entry, const FclArguments& arguments) {
  ToDraw out{entry.name, {}, arguments.lengths, {}};
  std::size_t before = 0;
  for (std::size_t k = 0; k < arguments.given.size(); ++k) {
    const auto& p = arguments.signature.parameters[k];
    const std::size_t leaves = props::fcl::leaf_types(p.type).size();
    out.parameters.push_back(
        {p.name, fcl::show(p.type), leaves, arguments.given[k], arguments.random[k].value_or(props::RandomAsked{})});
    props::fcl::each_equal_length(p.type, [&](std::size_t leaf, std::size_t other, std::size_t d) {
      out.ties.push_back({before + leaf, before + other, d});
    });
    before += leaves;
  }
  return out;
}

}  // namespace lockstep::driver
