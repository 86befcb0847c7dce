// Nodes are counted as the text stands, times the extents around them.
#include "codegen/targets/openmp_work.h"

#include <set>

#include "semantics/kernel/walk.h"

namespace lockstep {
namespace {

using namespace kernel;

class Nodes {
 public:
  Nodes(const ParallelFor& loop, const std::function<std::string(const Expr&)>& shown) : shown_(shown) {
    made_.insert(loop.name);
    each_statement(*loop.body, [&](const Stmt& s) {
      if (const auto* d = std::get_if<Declare>(&s.node)) made_.insert(d->name);
      if (const auto* f = std::get_if<For>(&s.node)) made_.insert(f->name);
      if (const auto* f = std::get_if<ParallelFor>(&s.node)) made_.insert(f->name);
    });
  }

  // Of one time; nothing: not known.
  std::optional<std::string> of(const Stmt& s) {
    if (const auto* b = std::get_if<Block>(&s.node)) return of_all(b->statements);
    if (const auto* i = std::get_if<If>(&s.node)) return sum({std::to_string(own(s)), of(*i->then), of(*i->otherwise)});
    if (const auto* f = std::get_if<For>(&s.node)) return times(f->extent, of(*f->body));
    if (const auto* f = std::get_if<ParallelFor>(&s.node)) return times(f->extent, of(*f->body));
    if (std::holds_alternative<While>(s.node)) return {};
    return std::to_string(1 + own(s));
  }
  std::optional<std::string> times(const Expr& extent, const std::optional<std::string>& each) const {
    bool known = each.has_value();
    each_expression(extent, [&](const Expr& e) {
      const auto* v = std::get_if<Var>(&e.node);
      known = known && !std::holds_alternative<Load>(e.node) && !(v && made_.contains(v->name));
    });
    if (!known) return {};
    return "double(" + shown_(extent) + ") * " + *each;
  }

 private:
  std::optional<std::string> of_all(const std::vector<Stmt>& statements) {
    std::vector<std::optional<std::string>> all;
    for (const Stmt& s : statements) all.push_back(of(s));
    return sum(all);
  }
  static std::optional<std::string> sum(const std::vector<std::optional<std::string>>& of) {
    std::size_t number = 0;
    std::string out;
    for (const auto& one : of) {
      if (!one) return {};
      if (one->find_first_not_of("0123456789") == std::string::npos)
        number += std::stoul(*one);
      else
        out += *one + " + ";
    }
    return out.empty() ? std::to_string(number) : "(" + out + std::to_string(number) + ")";
  }
  static std::size_t own(const Stmt& s) {
    std::size_t n = 0;
    own_expressions(s, [&](const Expr& e) { each_expression(e, [&](const Expr&) { ++n; }); });
    return n;
  }

  const std::function<std::string(const Expr&)>& shown_;
  std::set<std::string> made_;  // in the loop
};

}  // namespace

std::string text_of_least_work() {
  return "#ifndef " + std::string(least_work) + "\n#define " + least_work + " 32768\n#endif\n\n";
}

std::optional<std::string> worth_threads(const ParallelFor& loop,
                                         const std::function<std::string(const Expr&)>& shown) {
  Nodes nodes(loop, shown);
  const auto all = nodes.times(loop.extent, nodes.of(*loop.body));
  if (!all) return {};
  return *all + " >= " + least_work;
}

}  // namespace lockstep
