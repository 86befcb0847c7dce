// Fusion over and over: a pass, and another in the functions of what it fused.
#include "translate/l0/fuse.h"

#include "semantics/text/patterns.h"
#include "translate/l0/hindrances.h"
#include "translate/l0/kernels.h"
#include "translate/l0/simplify.h"

namespace lockstep::l0 {
namespace {

std::string names_bound(const Binding& b) {
  std::vector<std::string> names;
  if (const auto* l = std::get_if<LetBinding>(&b.node))
    reading::each_name(l->pattern, [&](const std::string& n, const Pattern&) { names.push_back(n); });
  return comma_list(names);
}

struct Pass {
  Function function;
  std::vector<fusion::Decision> decisions;
};

// Where kernels stand of which something is to be looked at: the bodies of their functions. All, where none is named.
std::vector<fusion::BlockId> blocks_of(const Dependencies& d, const std::set<std::string>& kernels) {
  if (kernels.empty()) return {0};
  std::vector<fusion::BlockId> out;
  std::vector<bool> inside(d.graph.size());
  for (fusion::StatementId s = 0; s < d.graph.size(); ++s) {
    const fusion::Statement& x = d.graph.statement(s);
    const fusion::StatementId owner = d.graph[x.block].owner;
    const bool named = kernels.contains(names_bound(*d.bindings[s]));
    inside[s] = owner != fusion::none && inside[owner];
    if (named && !inside[s]) out.insert(out.end(), x.bodies.begin(), x.bodies.end());
    inside[s] = inside[s] || named;
  }
  return out;
}

Pass pass(const Function& f, const Consumed& consumed, Fresh& fresh, const std::set<std::string>& kernels,
          fusion::Paths paths, const fusion::Parts& parts) {
  Dependencies d = dependencies_of(f, consumed);
  if (parts.graph) d.graph = parts.graph(d.graph);
  Kernels algebra(f, d, fresh);
  const std::unique_ptr<fusion::Algebra> other = parts.algebra ? parts.algebra(algebra, d.graph) : nullptr;
  Pass out{f, {}};
  for (const fusion::Verdict& v : fusion::reduce(d.graph, other ? *other : algebra, blocks_of(d, kernels), paths)) {
    const Binding &producer = *d.bindings[v.producer], &consumer = *d.bindings[v.consumer];
    out.decisions.push_back({names_bound(producer), names_bound(consumer), producer.region, consumer.region,
                             std::string(v.rule), v.obstacle, v.interesting});
  }
  out.function = algebra.function();
  return out;
}

}  // namespace

Program fused(const Program& p, const std::string& function, FusionMode mode, std::vector<fusion::Decision>* decisions,
              const fusion::Parts& parts) {
  if (mode == FusionMode::Off) return p;
  Program out = with_hindrances_moved(p);
  std::vector<fusion::Decision> none, &all = decisions ? *decisions : none;
  std::map<std::string, std::set<std::string>> kernels;  // of each function, that were fused in the last pass
  for (bool again = true; again;) {
    again = false;
    Fresh fresh(out);
    const Consumed consumed = consumed_by(out);
    Program next = out;
    for (Function& f : next.functions) {
      const auto before = kernels.find(f.name);
      if (before != kernels.end() && before->second.empty()) continue;
      Pass made = pass(*function_named(out, f.name), consumed, fresh,
                       before == kernels.end() || mode == FusionMode::Full ? std::set<std::string>{} : before->second,
                       mode == FusionMode::Full ? fusion::Paths::Alternatives : fusion::Paths::Printed, parts);
      f = std::move(made.function);
      std::set<std::string>& these = kernels[f.name];
      these.clear();
      fusion::note(all, made.decisions);
      for (const fusion::Decision& d : made.decisions)
        if (!d.obstacle) these.insert(d.consumer);
      again = again || !these.empty();
    }
    out = simplified(retyped(std::move(next), "fuse"), function);
  }
  return out;
}

}  // namespace lockstep::l0
