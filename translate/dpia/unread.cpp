// What nobody reads (ours): variables and, on a CPU, buffers of the program that only serve to make themselves, as the
// flags of a segmented scan whose sums alone are wanted, go, with what is written to them and branches around nothing
// else. Loops stay: they may be written, and nobody runs what is empty. In: a kernel; out: the same without.
#include <map>
#include <set>

#include "semantics/kernel/walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

// What a statement gives a value to, where it does nothing else.
const std::string* written_by(const Stmt& s) {
  if (const auto* d = std::get_if<Declare>(&s.node)) return &d->name;
  if (const auto* a = std::get_if<Assign>(&s.node)) return &a->name;
  if (const auto* t = std::get_if<Store>(&s.node)) return &t->buffer;
  if (const auto* u = std::get_if<Atomic>(&s.node)) return &u->buffer;
  if (const auto* a = std::get_if<Allocate>(&s.node)) return &a->name;
  return nullptr;
}

class Wanted {
 public:
  Wanted(const Program& p, Unread what) {
    for (const Buffer& b : p.outputs) want(b.name);
    if (what == Unread::Variables) want_memory(p);
    each_statement(p.body, [&](const Stmt& s) {
      const std::string* to = written_by(s);
      if (const auto* loop = std::get_if<ParallelFor>(&s.node))
        for (const Allocate& a : loop->scratch) read(a.count, &a.name);
      own_expressions(s, [&](const Expr& e) { read(e, to); });
    });
  }
  bool operator()(const std::string& name) const { return wanted_.contains(name); }

 private:
  // Buffers, and what is read from one.
  void want_memory(const Program& p) {
    each_statement(p.body, [&](const Stmt& s) {
      if (const auto* a = std::get_if<Allocate>(&s.node)) want(a->name);
      if (const auto* loop = std::get_if<ParallelFor>(&s.node))
        for (const Allocate& a : loop->scratch) want(a.name);
      const std::string* to = written_by(s);
      own_expressions(s, [&](const Expr& e) {
        each_expression(e, [&](const Expr& x) {
          if (to && (std::holds_alternative<Load>(x.node) || std::holds_alternative<VectorLoad>(x.node))) want(*to);
        });
      });
    });
  }
  // Where `to` is wanted; nothing: in any case.
  void read(const Expr& e, const std::string* to) {
    each_expression(e, [&](const Expr& x) {
      std::string name;
      if (const auto* v = std::get_if<Var>(&x.node)) name = v->name;
      if (const auto* l = std::get_if<Load>(&x.node)) name = l->buffer;
      if (const auto* l = std::get_if<VectorLoad>(&x.node)) name = l->buffer;
      if (name.empty()) return;
      if (!to || wanted_.contains(*to))
        want(name);
      else
        made_of_[*to].insert(name);
    });
  }
  void want(const std::string& name) {
    if (!wanted_.insert(name).second) return;
    for (const std::string& n : made_of_[name]) want(n);
  }

  std::set<std::string> wanted_;
  std::map<std::string, std::set<std::string>> made_of_;
};

bool is_empty(const Stmt& s) {
  const auto* b = std::get_if<Block>(&s.node);
  return b && std::all_of(b->statements.begin(), b->statements.end(), is_empty);
}

}  // namespace

kernel::Program without_unread(const kernel::Program& p, Unread what) {
  const Wanted wanted(p, what);
  kernel::Program out = p;
  bool gone = false;
  out.body = rewritten(p.body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
                         const std::string* to = written_by(s);
                         if (to && !wanted(*to)) {
                           gone = true;
                           return {};
                         }
                         const auto* i = gone ? std::get_if<If>(&s.node) : nullptr;
                         if (i && is_empty(*i->then) && is_empty(*i->otherwise)) return {};
                         Stmt kept = s;
                         if (auto* loop = std::get_if<ParallelFor>(&kept.node))
                           std::erase_if(loop->scratch, [&](const Allocate& a) { return !wanted(a.name); });
                         return {std::move(kept)};
                       }));
  return out;
}

Stage unread(const LanguageRef& kernel, Unread what) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>(
      "unread", "ours", kernel, kernel, [what](const kernel::Program& p, Owed*) { return without_unread(p, what); },
      {Change::NotMore, Change::NotMore, CostRelation::Space::NotMore});
}

}  // namespace lockstep
