// In-place steps. The loops stage writes a step's result to a fresh temporary and copies it back (design.md: the
// paper's reduceI in place is wrong for compound state). Here a temporary is dropped, leaf by leaf, where no location
// of the state is read after the location of the temporary that would replace it has been written. What copies the
// whole state to the temporary first, as an update does (l0.md §2, 11), writes what is there: it goes too. A result
// that only takes what a state is in the end is the state's place.
#include <algorithm>

#include "translate/dpia/copies.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

// next[I] = state[I] for all I, before anything else is written there: once they are one, nothing.
bool is_nothing(const Stmt& s, const Copy& c) {
  const auto back = copy_of(s);
  return back && back->state == c.next && back->next == c.state && (back->covered == c.covered);
}

// In s, executed once: is every read of `state` before the write to the same place of `next`?
bool reads_precede_writes(const Stmt& s, const Copy& c);

bool block_in_order(const std::vector<Stmt>& statements, std::size_t end, const Copy& c) {
  bool written = false;
  for (std::size_t k = 0; k < end; ++k) {
    const Stmt& s = statements[k];
    if (writes(s, c.state)) return false;
    if (written && reads(s, c.state)) return false;
    if (!writes(s, c.next) || is_nothing(s, c)) continue;
    if (!reads_precede_writes(s, c)) return false;
    written = true;
  }
  return true;
}

// A loop: each iteration reads the state only at the place that it writes, in that very store.
bool only_at_the_store(const Stmt& body, const Copy& c) {
  std::size_t stores = 0, state_loads = 0, matching = 0;
  each_statement(body, [&](const Stmt& s) {
    const auto* st = std::get_if<Store>(&s.node);
    if (!st || st->buffer != c.next) return;
    ++stores;
    each_expression(st->value, [&](const Expr& e) {
      if (const auto* l = std::get_if<Load>(&e.node); l && l->buffer == c.state && *l->index == st->index) ++matching;
      if (const auto* l = std::get_if<VectorLoad>(&e.node); l && l->buffer == c.state && *l->index == st->index)
        ++matching;
    });
  });
  each_expression(body, [&](const Expr& e) {
    if (is_read_of(e, c.state)) ++state_loads;
  });
  return state_loads == 0 || (stores == 1 && matching == state_loads);
}

// Whether the one store to next is at a place of its own in every iteration of the loops around it: its index must
// mention each of their variables.
bool mentions_all_loops(const Stmt& s, const Copy& c, std::vector<std::string>& around) {
  const auto under = [&](const std::string& name, const Stmt& body) {
    around.push_back(name);
    const bool ok = mentions_all_loops(body, c, around);
    around.pop_back();
    return ok;
  };
  if (!writes(s, c.next)) return true;
  if (const auto* f = std::get_if<For>(&s.node)) return under(f->name, *f->body);
  if (const auto* p = std::get_if<ParallelFor>(&s.node)) return under(p->name, *p->body);
  if (const auto* b = std::get_if<Block>(&s.node)) {
    for (const Stmt& x : b->statements)
      if (!mentions_all_loops(x, c, around)) return false;
    return true;
  }
  if (const auto* st = std::get_if<Store>(&s.node)) {
    for (const std::string& name : around)
      if (!reads(st->index, name)) return false;
    return true;
  }
  return false;
}

// What one iteration touches of state and temporary: one index at each of them, but for the loops within the iteration,
// which stand by their depth.
class OnePart {
 public:
  explicit OnePart(const Copy& c) : c_(c) {}

  bool of(const Stmt& iteration) {
    visit(iteration, {}, {});
    return one_;
  }

 private:
  void visit(const Stmt& s, const SizeSubstitution& by_depth, const std::vector<Size>& extents) {
    if (!reads(s, c_.state) && !writes(s, c_.next)) return;
    own_expressions(s, [&](const Expr& own) {
      each_expression(own, [&](const Expr& e) {
        if (const auto* l = std::get_if<Load>(&e.node); l && l->buffer == c_.state)
          touches(*l->index, by_depth, extents);
        else if (is_read_of(e, c_.state))
          one_ = false;
      });
    });
    const auto under = [&](const std::string& name, const Expr& extent, const Stmt& body) {
      const auto n = as_size(extent);
      if (!n) return void(one_ = false);
      SizeSubstitution inner = by_depth;
      inner.insert_or_assign(name, Size::name("#" + std::to_string(extents.size())));
      std::vector<Size> all = extents;
      all.push_back(*n);
      visit(body, inner, all);
    };
    match(
        s.node,
        [&](const Block& x) {
          for (const Stmt& inner : x.statements) visit(inner, by_depth, extents);
        },
        [](const Declare&) {}, [](const kernel::Assign&) {},
        [&](const Store& x) {
          if (x.buffer == c_.next) touches(x.index, by_depth, extents);
        },
        [&](const For& x) { under(x.name, x.extent, *x.body); }, [](const Allocate&) {},
        [&](const ParallelFor& x) { under(x.name, x.extent, *x.body); },
        [&](const If& x) { visit(*x.then, by_depth, extents), visit(*x.otherwise, by_depth, extents); },
        [&](const While&) { one_ = false; }, [](const Check&) {}, [](const Barrier&) {}, [](const Comment&) {},
        [](const Shuffle&) {}, [&](const Atomic& x) { one_ = one_ && x.buffer != c_.next && x.buffer != c_.state; });
  }
  void touches(const Expr& index, const SizeSubstitution& by_depth, const std::vector<Size>& extents) {
    const auto at = as_size(index);
    if (!at) return void(one_ = false);
    const std::pair here{substitute(*at, by_depth), extents};
    one_ = one_ && (!part_ || *part_ == here);
    part_ = here;
  }

  const Copy& c_;
  std::optional<std::pair<Size, std::vector<Size>>> part_;
  bool one_ = true;
};

// A loop whose iterations have a part of the state each, which they read before they write that of the temporary.
bool part_by_part(const Stmt& s, const Copy& c) {
  if (const auto* f = std::get_if<For>(&s.node)) return part_by_part(*f->body, c);
  if (const auto* p = std::get_if<ParallelFor>(&s.node)) return part_by_part(*p->body, c);
  const auto* b = std::get_if<Block>(&s.node);
  if (!b) return false;
  std::vector<const Stmt*> touching;
  for (const Stmt& x : b->statements)
    if (reads(x, c.state) || writes(x, c.next)) touching.push_back(&x);
  if (touching.size() == 1) return part_by_part(*touching[0], c);
  return block_in_order(b->statements, b->statements.size(), c) && OnePart(c).of(s);
}

bool reads_precede_writes(const Stmt& s, const Copy& c) {
  const auto loop = [&] {
    std::vector<std::string> around;
    return !reads(s, c.state) || ((only_at_the_store(s, c) || part_by_part(s, c)) && mentions_all_loops(s, c, around));
  };
  return match(
      s.node, [&](const Block& x) { return block_in_order(x.statements, x.statements.size(), c); },
      [](const Declare&) { return true; },
      [](const kernel::Assign&) { return true; },  // the value is read before the variable is written
      [](const Store&) { return true; },           // so is it of a place
      [&](const Atomic&) { return !reads(s, c.state) && !reads(s, c.next); }, [&](const For&) { return loop(); },
      [](const Allocate&) { return true; }, [&](const ParallelFor&) { return loop(); },
      [&](const If& x) { return reads_precede_writes(*x.then, c) && reads_precede_writes(*x.otherwise, c); },
      [&](const While&) { return !reads(s, c.state); }, [](const Check&) { return true; },
      [](const Barrier&) { return true; }, [](const Comment&) { return true; },
      [&](const Shuffle&) { return !reads(s, c.state); });
}

class InPlace {
 public:
  explicit InPlace(const Program& p) : program_(p) {
    for (const Buffer& b : p.inputs) fixed_.insert(b.name);
    for (const Buffer& b : p.outputs) fixed_.insert(b.name), outputs_.emplace(b.name, &b);
    for (const std::string& s : p.sizes) fixed_.insert(s);
    each_statement(p.body, [&](const Stmt& s) {
      if (const auto* a = std::get_if<Allocate>(&s.node)) allocations_.emplace(a->name, a);
      if (const auto* f = std::get_if<For>(&s.node)) fixed_.insert(f->name);
      if (const auto* f = std::get_if<ParallelFor>(&s.node)) {
        fixed_.insert(f->name);
        for (const Allocate& a : f->scratch) allocations_.emplace(a.name, &a);
      }
      if (const auto* a = std::get_if<kernel::Assign>(&s.node)) ++uses_[a->name];
      if (const auto* t = std::get_if<Store>(&s.node)) ++uses_[t->buffer];
      if (const auto* t = std::get_if<Atomic>(&s.node)) ++uses_[t->buffer];
    });
    each_expression(p.body, [&](const Expr& e) {
      if (const auto* v = std::get_if<Var>(&e.node)) ++uses_[v->name];
      if (const auto* l = std::get_if<Load>(&e.node)) ++uses_[l->buffer];
      if (const auto* l = std::get_if<VectorLoad>(&e.node)) ++uses_[l->buffer];
    });
  }

  Program run() {
    Program out = program_;
    out.body = statement(program_.body);
    out.body = without_declarations(out.body);
    return out;
  }

 private:
  // How often `name` is mentioned; a temporary must not be used outside the block that copies it.
  static std::size_t uses(const Stmt& s, const std::string& name) {
    std::size_t n = 0;
    each_statement(s, [&](const Stmt& c) { n += is_write_of(c, name); });
    each_expression(s, [&](const Expr& e) { n += is_read_of(e, name); });
    return n;
  }

  Stmt block(Block b) {
    for (std::size_t k = 0; k < b.statements.size(); ++k) {
      const auto one = copy_of(b.statements[k]);
      for (const Copy& c : one ? std::vector{*one} : copies_of(b.statements[k])) drop(b, k, c);
      // What has been dropped copies itself now: it is no use of its state.
      if (copies_itself(b.statements[k]) || is_copy_to_itself(b.statements[k]))
        b.statements.erase(b.statements.begin() + static_cast<std::ptrdiff_t>(k--));
      else
        b.statements[k] = without_copies_to_themselves(b.statements[k]);
    }
    std::erase_if(b.statements, is_copy_to_itself);
    for (Stmt& s : b.statements) s = statement(s);
    return Stmt{std::move(b)};
  }

  static Stmt without_copies_to_themselves(const Stmt& s) {
    return rewritten(s, StmtChange([](const Stmt& c) -> std::vector<Stmt> {
                       if (copies_itself(c)) return {};
                       return {c};
                     }));
  }

  // The temporary of a copy at the end of these statements, where it can go: its state has its place.
  void drop(Block& b, std::size_t k, const Copy& c) {
    if (fixed_.contains(c.next) || (fixed_.contains(c.state) && !outputs_.contains(c.state))) return;
    std::size_t before = 0;
    for (std::size_t j = 0; j <= k; ++j) before += uses(b.statements[j], c.next);
    if (before != uses_[c.next] || before < 2) return;  // used elsewhere, or never written here
    // Another leaf's copy beside it may have to see the state as it was.
    if (uses(b.statements[k], c.state) > 1 || uses(b.statements[k], c.next) > 1) return;
    if (!same_storage(c) || initialised(b, k, c) || !block_in_order(b.statements, k, c)) return;
    declare_first(b, k, c);
    for (std::size_t j = 0; j <= k; ++j) b.statements[j] = rename_uses(b.statements[j], c);
    dropped_.insert(c.next);
    uses_[c.state] += uses_[c.next] - 2;  // without the copy
    uses_[c.next] = 0;
  }

  // Two variables, or two buffers of one type, length and space: what is copied is then the whole of both.
  bool same_storage(const Copy& c) const {
    const Allocate *state = allocation(c.state), *next = allocation(c.next);
    if (const auto output = outputs_.find(c.state); output != outputs_.end())
      return next && next->space == Space::Global && next->type == output->second->type &&
             as_size(next->count) == output->second->count && c.covered == output->second->count;
    if (!state || !next) return !state && !next;
    // As many as there are: with an index that mentions every loop, and in bounds, that is all of them.
    return state->type == next->type && state->space == next->space && state->count == next->count &&
           as_size(state->count) == c.covered;
  }
  const Allocate* allocation(const std::string& name) const {
    const auto a = allocations_.find(name);
    return a == allocations_.end() ? nullptr : a->second;
  }

  static bool initialised(const Block& b, std::size_t end, const Copy& c) {
    for (std::size_t j = 0; j < end; ++j)
      if (const auto* d = std::get_if<Declare>(&b.statements[j].node);
          d && (d->name == c.next || d->name == c.state) && d->init)
        return true;
    return false;
  }

  static bool declares(const Stmt& s, const std::string& name) {
    const auto* d = std::get_if<Declare>(&s.node);
    const auto* a = std::get_if<Allocate>(&s.node);
    return (d && d->name == name) || (a && a->name == name);
  }

  // The state may be declared after the temporary that becomes it.
  static void declare_first(Block& b, std::size_t end, const Copy& c) {
    for (std::size_t j = 0; j < end; ++j) {
      if (!declares(b.statements[j], c.state)) continue;
      std::size_t first = 0;
      while (first < j && !declares(b.statements[first], c.next) && uses(b.statements[first], c.next) == 0) ++first;
      std::rotate(b.statements.begin() + static_cast<std::ptrdiff_t>(first),
                  b.statements.begin() + static_cast<std::ptrdiff_t>(j),
                  b.statements.begin() + static_cast<std::ptrdiff_t>(j) + 1);
      return;
    }
  }

  static Stmt rename_uses(const Stmt& s, const Copy& c) {
    if (const auto* d = std::get_if<Declare>(&s.node); d && d->name == c.next) return s;  // dropped with the others
    if (const auto* a = std::get_if<Allocate>(&s.node); a && a->name == c.next) return s;
    return rename(s, c.next, c.state);
  }

  Stmt statement(const Stmt& s) {
    return match(
        s.node, [&](const Block& x) { return block(x); }, [&](const Declare&) { return s; },
        [&](const kernel::Assign&) { return s; }, [&](const Store&) { return s; }, [&](const Atomic&) { return s; },
        [&](const For& x) {
          return Stmt{For{x.name, x.extent, statement(*x.body), x.unroll}, s.region};
        },
        [&](const Allocate&) { return s; },
        [&](const ParallelFor& x) {
          return Stmt{ParallelFor{x.level, x.name, x.extent, x.scratch, statement(*x.body), x.units}, s.region};
        },
        [&](const If& x) {
          return Stmt{If{x.condition, statement(*x.then), statement(*x.otherwise)}, s.region};
        },
        [&](const While& x) {
          return Stmt{While{x.condition, statement(*x.body)}, s.region};
        },
        [&](const Check&) { return s; }, [&](const Barrier&) { return s; }, [&](const Comment&) { return s; },
        [&](const Shuffle&) { return s; });
  }

  Stmt without_declarations(const Stmt& s) const {
    return rewritten(s, StmtChange([&](const Stmt& c) -> std::vector<Stmt> {
                       if (const auto* d = std::get_if<Declare>(&c.node); d && dropped_.contains(d->name)) return {};
                       if (const auto* a = std::get_if<Allocate>(&c.node); a && dropped_.contains(a->name)) return {};
                       if (copies_itself(c)) return {};  // of two states that became one
                       Stmt out = c;
                       if (auto* p = std::get_if<ParallelFor>(&out.node))
                         std::erase_if(p->scratch, [&](const Allocate& a) { return dropped_.contains(a.name); });
                       return {std::move(out)};
                     }));
  }

  const Program& program_;
  std::set<std::string> fixed_;  // not the program's own to choose: parameters, sizes, loop variables
  std::map<std::string, const Buffer*> outputs_;
  std::map<std::string, const Allocate*> allocations_;
  std::map<std::string, std::size_t> uses_;  // reads and writes, as the program is by now
  std::set<std::string> dropped_;
};

}  // namespace

Stage in_place(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>(
      "in-place", "design.md, after DPIA §4.2", kernel, kernel,
      [](const kernel::Program& p, Owed* owed) {
        kernel::Program out = InPlace(p).run();
        if (owed) owed->push_back({"in-place", Erased(ReadsPrecedeWrites{p, out})});
        return out;
      },
      {Change::NotMore, Change::NotMore, CostRelation::Space::NotMore});
}

}  // namespace lockstep
