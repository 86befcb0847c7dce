// Places in the memory that a block's threads share, or a warp's lanes, by live ranges (Chaitin et al., 1981): an array
// whose first access comes after the last of another of its type takes that one's place. Memory is what limits how many
// blocks a multiprocessor holds; a barrier costs time, so that no place is shared where that needs one more. Those that
// are left and have a launch's size are laid out in one piece of memory. In: a kernel without barriers; out: the same
// with fewer arrays, and the bytes where those begin.
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

bool touches(const Stmt& s, const std::string& array) { return reads(s, array) || writes(s, array); }

// In one running of s: does every access of `first` come before each of `then`?
bool all_before(const Stmt& s, const std::string& first, const std::string& then) {
  if (!touches(s, first) || !touches(s, then)) return true;
  if (const auto* i = std::get_if<If>(&s.node))
    return !reads(i->condition, then) && all_before(*i->then, first, then) && all_before(*i->otherwise, first, then);
  const auto* b = std::get_if<Block>(&s.node);
  if (!b) return false;  // a loop comes back to the first
  bool begun = false;
  for (const Stmt& x : b->statements) {
    if (begun && touches(x, first)) return false;
    if (!all_before(x, first, then)) return false;
    begun = begun || touches(x, then);
  }
  return true;
}

std::size_t barriers_in(const Program& p) {
  std::size_t n = 0;
  each_statement(with_barriers(p).body, [&](const Stmt& s) { n += std::holds_alternative<Barrier>(s.node); });
  return n;
}

class SharedPlaces {
 public:
  explicit SharedPlaces(const Program& p) : program_(p), barriers_(barriers_in(p)) {
    for (const SizeFact& f : p.facts) facts_.assume(f);
    each_statement(p.body, [&](const Stmt& s) {
      if (const auto* a = std::get_if<Allocate>(&s.node)) ++names_[a->name];
      if (const auto* loop = std::get_if<ParallelFor>(&s.node)) {
        ++names_[loop->name];
        for (const Allocate& a : loop->scratch) ++names_[a.name];
      }
    });
  }

  Program run() {
    std::vector<std::string> loops;
    each_statement(program_.body, [&](const Stmt& s) {
      const auto* p = std::get_if<ParallelFor>(&s.node);
      if (p && (p->level == Level::Workgroup || p->level == Level::Warp) && names_.at(p->name) == 1)
        loops.push_back(p->name);
    });
    for (const std::string& loop : loops) share(loop);
    return program_;
  }

 private:
  static const ParallelFor& loop_of(const Program& p, const std::string& name) {
    const ParallelFor* found = nullptr;
    each_statement(p.body, [&](const Stmt& s) {
      const auto* x = std::get_if<ParallelFor>(&s.node);
      if (x && x->name == name) found = x;
    });
    return *found;
  }
  // What is allocated for all of an iteration, in the order of first accesses.
  std::vector<Allocate> shared_in(const ParallelFor& p) const {
    std::vector<Allocate> all = p.scratch, out;
    const auto* b = std::get_if<Block>(&p.body->node);
    if (!b) return {};
    for (const Stmt& s : b->statements)
      if (const auto* a = std::get_if<Allocate>(&s.node)) all.push_back(*a);
    std::erase_if(all, [&](const Allocate& a) { return a.space != Space::Local || names_.at(a.name) > 1; });
    const auto take = [&](const auto& accesses) {
      for (Allocate& a : all)
        if (!a.name.empty() && accesses(a.name)) out.push_back(std::exchange(a, {}));
    };
    each_node(
        *p.body, [&](const Stmt& s) { take([&](const std::string& name) { return is_write_of(s, name); }); },
        [&](const Expr& e) { take([&](const std::string& name) { return is_read_of(e, name); }); });
    return out;
  }

  void share(const std::string& loop) {
    const auto arrays = shared_in(loop_of(program_, loop));
    for (std::size_t k = 1; k < arrays.size(); ++k)
      for (std::size_t j = 0; j < k; ++j)
        if (takes_place(arrays[k].name, arrays[j].name, loop)) break;
  }

  bool takes_place(const std::string& later, const std::string& earlier, const std::string& loop) {
    const ParallelFor& p = loop_of(program_, loop);
    std::optional<Allocate> from, to;
    for (const Allocate& a : shared_in(p)) {
      if (a.name == later) from = a;
      if (a.name == earlier) to = a;
    }
    if (!from || !to || !(from->type == to->type) || !all_before(*p.body, earlier, later)) return false;
    const auto count = larger(from->count, to->count);
    if (!count) return false;
    Program with = placed(later, {to->name, to->type, *count, to->space});
    const std::size_t barriers = barriers_in(with);
    if (barriers > barriers_) return false;
    program_ = std::move(with);
    barriers_ = barriers;
    return true;
  }

  std::optional<Expr> larger(const Expr& a, const Expr& b) const {
    const auto x = as_size(a), y = as_size(b);
    if (!x || !y) return {};
    if (facts_.proves({*x, SizeRelation::LessEqual, *y})) return b;
    if (facts_.proves({*y, SizeRelation::LessEqual, *x})) return a;
    return {};
  }

  Program placed(const std::string& gone, const Allocate& place) const {
    const auto settle = [&](Allocate& a) {
      if (a.name == place.name) a = place;
      return a.name != gone;
    };
    Program out = program_;
    out.body = rename(rewritten(program_.body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
                                  Stmt x = s;
                                  if (auto* a = std::get_if<Allocate>(&x.node); a && !settle(*a)) return {};
                                  if (auto* p = std::get_if<ParallelFor>(&x.node))
                                    std::erase_if(p->scratch, [&](Allocate& a) { return !settle(a); });
                                  return {std::move(x)};
                                })),
                      gone, place.name);
    return out;
  }

  Program program_;
  std::size_t barriers_;              // that it needs
  std::map<std::string, int> names_;  // of loops and arrays, with how many have each
  SizeContext facts_;
};

// Of arrays whose names are their own.
Program with_first_bytes(const Program& p) {
  std::map<std::string, Expr> first;
  for (const BlockMemory& m : block_memories(p))
    for (const BlockArray& a : laid_out(m)) first.insert_or_assign(a.array.name, *a.array.at);
  if (first.empty()) return p;
  const auto place = [&](Allocate& a) {
    if (const auto it = first.find(a.name); it != first.end()) a.at = it->second;
  };
  Program out = p;
  out.body = rewritten(p.body, StmtChange([&](const Stmt& s) {
                         Stmt x = s;
                         if (auto* a = std::get_if<Allocate>(&x.node)) place(*a);
                         if (auto* loop = std::get_if<ParallelFor>(&x.node))
                           for (Allocate& a : loop->scratch) place(a);
                         return std::vector<Stmt>{std::move(x)};
                       }));
  return out;
}

}  // namespace

Stage places(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>("places", "Chaitin et al., 1981", kernel, kernel,
                                                    [](const kernel::Program& p, Owed* owed) {
                                                      kernel::Program out = with_first_bytes(SharedPlaces(p).run());
                                                      if (owed) owed->push_back({"places", Erased(LiveApart{p, out})});
                                                      return out;
                                                    },
                                                    {Change::Same, Change::Same, CostRelation::Space::NotMore});
}

}  // namespace lockstep
