// Nodes are counted as the text stands, times the extents around them.
#include "codegen/targets/openmp_work.h"

#include <set>

#include "codegen/c/text.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/walk.h"

namespace lockstep {
namespace {

using namespace kernel;

// A number and products, as C has them.
struct Sum {
  std::size_t number = 0;
  std::vector<std::string> products{};
  std::string text() const {
    if (products.empty()) return std::to_string(number);
    if (products.size() == 1 && number == 0) return products[0];
    std::string out = "(";
    for (const std::string& p : products) out += p + " + ";
    return out + std::to_string(number) + ")";
  }
};

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
  std::optional<Sum> of(const Stmt& s) {
    if (const auto* b = std::get_if<Block>(&s.node)) return of_all(b->statements, 0);
    if (const auto* i = std::get_if<If>(&s.node)) return of_all({*i->then, *i->otherwise}, own(s));
    if (const auto* f = std::get_if<For>(&s.node)) return times(f->extent, of(*f->body));
    if (const auto* f = std::get_if<ParallelFor>(&s.node)) return times(f->extent, of(*f->body));
    if (std::holds_alternative<While>(s.node)) return {};
    return Sum{1 + own(s)};
  }
  std::optional<Sum> times(const Expr& extent, const std::optional<Sum>& each) const {
    bool known = each.has_value();
    each_expression(extent, [&](const Expr& e) {
      const auto* v = std::get_if<Var>(&e.node);
      known = known && !std::holds_alternative<Load>(e.node) && !(v && made_.contains(v->name));
    });
    if (!known) return {};
    const auto n = constant_of(extent);
    if (n && each->products.empty()) return Sum{static_cast<std::size_t>(std::max<std::int64_t>(*n, 0)) * each->number};
    return Sum{0, {(n ? std::to_string(*n) : "double(" + shown_(extent) + ")") + " * " + each->text()}};
  }

 private:
  std::optional<Sum> of_all(const std::vector<Stmt>& statements, std::size_t number) {
    Sum out{number};
    for (const Stmt& s : statements) {
      const auto one = of(s);
      if (!one) return {};
      out.number += one->number;
      out.products.insert(out.products.end(), one->products.begin(), one->products.end());
    }
    return out;
  }
  static std::size_t own(const Stmt& s) {
    std::size_t n = 0;
    own_expressions(s, [&](const Expr& e) { each_expression(e, [&](const Expr&) { ++n; }); });
    return n;
  }

  const std::function<std::string(const Expr&)>& shown_;
  std::set<std::string> made_;  // in the loop
};

// Of all iterations.
std::optional<Sum> nodes_of(const ParallelFor& loop, const std::function<std::string(const Expr&)>& shown) {
  Nodes nodes(loop, shown);
  return nodes.times(loop.extent, nodes.of(*loop.body));
}

}  // namespace

std::string text_of_least_work() {
  return "#ifndef " + std::string(least_work) + "\n#define " + least_work + " 32768\n#endif\n\n";
}

std::optional<std::string> worth_threads(const ParallelFor& loop,
                                         const std::function<std::string(const Expr&)>& shown) {
  const auto all = nodes_of(loop, shown);
  if (!all) return {};
  return all->text() + " >= " + least_work;
}

bool is_soon_done(const ParallelFor& loop) {
  constexpr std::size_t few = 256;
  const auto all = nodes_of(loop, [](const Expr&) { return ""; });
  return all && all->products.empty() && all->number < few;
}

bool goes_on(const kernel::For& f) {
  constexpr std::int64_t lanes = 8;
  const auto n = constant_of(f.extent);
  bool out = has<Assign>(*f.body);
  each_statement(*f.body, [&](const Stmt& s) {
    const auto* t = std::get_if<Store>(&s.node);
    out = out || (t && reads(*f.body, t->buffer));
  });
  return out && (!n || *n < lanes);
}

Content content_of(const Stmt& s) {
  Content c;
  auto statement = [&](const Stmt& x) {
    c.checks = c.checks || std::holds_alternative<Check>(x.node);
    c.loops = c.loops || std::holds_alternative<For>(x.node) || std::holds_alternative<While>(x.node);
    auto buffer = [&](const Allocate& a) {
      c.arrays = true;
      c.allocates = c.allocates || !fits_thread(a);
    };
    if (const Allocate* a = std::get_if<Allocate>(&x.node)) buffer(*a);
    if (const ParallelFor* p = std::get_if<ParallelFor>(&x.node)) {
      c.loops = true;
      for (const Allocate& a : p->scratch) buffer(a);
    }
    if (const Store* t = std::get_if<Store>(&x.node)) c.streams = c.streams || is_nontemporal(*t);
  };
  each_node(s, statement, [&](const Expr& e) { c.vectors = c.vectors || e.type.width > 1; });
  return c;
}
bool may_interleave(const Content& c) { return !c.checks && !c.arrays && !c.streams && !c.loops && !c.vectors; }

}  // namespace lockstep
