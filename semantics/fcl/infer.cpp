// Whole programs: each definition behind those before it.
#include "semantics/fcl/inference.h"
#include "semantics/fcl/walk.h"

namespace lockstep::fcl {
namespace inference {
namespace {

std::pair<Definition, Scheme> of_definition(const Definition& d, const Known& known, const PrintedTypes& printed) {
  try {
    return Inference(known, printed, false).definition(d);
  } catch (const Failed&) {
    return Inference(known, printed, true).definition(d);
  }
}

// Every node once, so that each has a type of its own.
Expr unshared(const Expr& e) {
  Expr out = e;
  each_child(out, [](ExprRef& c) { c = unshared(*c); });
  return out;
}

}  // namespace
}  // namespace inference

std::string show(const Scheme& s) {
  std::string out = show(s.type), kinds;
  for (const Scheme::Open& o : s.types)
    if (o.kind != Kind::Any) kinds += (kinds.empty() ? "" : ", ") + o.name + " : " + std::string(show(o.kind));
  return kinds.empty() ? out : out + " where " + kinds;
}

Launch launch_of(const Definition& d) {
  Launch out;
  for (const Configuration& c : d.configurations) (c.setting == Setting::BlockSize ? out.block : out.warp) = c.value;
  return out;
}

namespace {

void check_configurations(const Definition& d, Diagnostics& wrong) {
  for (std::size_t k = 0; k < d.configurations.size(); ++k) {
    const Configuration& c = d.configurations[k];
    Definition alone = d;
    alone.configurations = {c};
    if (const auto why = wrong_launch(launch_of(alone))) wrong.push_back({c.region, *why, "", ""});
    for (std::size_t j = 0; j < k; ++j)
      if (d.configurations[j].setting == c.setting)
        wrong.push_back(
            {c.region, std::string(name_of(c.setting)) + " is set twice", "each option once", "delete one"});
  }
}

}  // namespace

Checked<Inferred> infer(const Program& program, const std::vector<const Inferred*>& before,
                        const PrintedTypes& printed) {
  inference::Known known;
  for (const Inferred* p : before)
    for (std::size_t k = 0; k < p->schemes.size(); ++k) known[p->program.definitions[k].name] = &p->schemes[k];
  Inferred out{{program.source, {}}, {}};
  out.schemes.reserve(program.definitions.size());  // they are pointed to
  Diagnostics wrong;
  for (const Definition& d : program.definitions) {
    Definition own = d;
    own.body = inference::unshared(*d.body);
    check_configurations(d, wrong);
    try {
      auto [noted, scheme] = inference::of_definition(own, known, printed);
      out.program.definitions.push_back(std::move(noted));
      out.schemes.push_back(std::move(scheme));
      known[d.name] = &out.schemes.back();
    } catch (const inference::Failed& f) {
      wrong.push_back(f.diagnostic);
      out.program.definitions.push_back(d);
      out.schemes.push_back({});
      known[d.name] = nullptr;
    }
  }
  // one that uses another with an error has none of its own
  std::erase_if(wrong, [](const Diagnostic& d) { return d.message.ends_with("has an error of its own"); });
  if (!wrong.empty()) return tl::make_unexpected(std::move(wrong));
  return out;
}

}  // namespace lockstep::fcl
