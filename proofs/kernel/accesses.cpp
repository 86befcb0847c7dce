// The walk that collects accesses (accesses.h). Variables are followed symbolically: what an assignment gives
// is known until the next one; a loop forgets what its body assigns, at its start and at its end.
#include <algorithm>
#include <utility>

#include "proofs/kernel/accesses_values.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/two_rounds.h"
#include "semantics/kernel/walk.h"
#include "semantics/kernel/words.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::proofs::kernels {
namespace {

using namespace kernel;

class Walk : Values {
 public:
  explicit Walk(const Followed& how) : Values(how) {}
  Accesses run(const Program& p) {
    out_.warp = p.launch.warp;
    for (const std::string& s : p.sizes) {
      const std::string& name = out_.sizes.emplace_back(spelled(s));
      taken_.insert(name);
      variables_[s] = {-1, named(name)};
      if (name != s) spelling_.emplace(s, Size::name(name));
    }
    for (const SizeFact& f : p.facts) out_.size_facts.push_back(lockstep::substitute(f, spelling_));
    for (const SizeFact& f : out_.size_facts) out_.facts.push_back(as_term(f));
    narrow(p, spelling_);
    for (const Buffer& b : p.inputs) parameter(b, true);
    for (const Buffer& b : p.outputs) parameter(b, false);
    statement(p.body);
    out_.end = situation();
    out_.of_place.resize(out_.places.size());
    for (std::size_t k = 0; k < out_.accesses.size(); ++k)
      out_.of_place[static_cast<std::size_t>(out_.accesses[k].place)].push_back(k);
    return std::move(out_);
  }

 private:
  struct PendingCheck {  // unconditional in the body of the loop
    int loop;
    std::size_t branches;
    Universal what;
    bool of_threads = false;  // by the threads of a block, each for iterations of its own
  };

  // ---- places
  void parameter(const Buffer& b, bool input) {
    const auto term = [this](const Size& s) { return as_term(lockstep::substitute(s, spelling_)); };
    Place p{b.name, b.type, term(b.count), Space::Global, false, input, !input, {}};
    if (b.below) p.below = term(*b.below);
    const std::string state = input ? input_state(spelled(b.name)) : fresh(b.name);
    if (input && b.below) universals_.push_back(given_below(b, state, p.count, *p.below));
    const int k = place(std::move(p));
    buffers_[b.name] = {k, state};
  }
  // The precondition of an input of indices: nothing stores to it, so that it holds of every load that is inside. Of
  // one that is not, nothing is known.
  static Universal given_below(const Buffer& b, const std::string& state, const Term& count, const Term& below) {
    const std::string k = own_name("element");
    const Term element{b.type, Load{state, named(k)}};
    return {{{k, count}}, both(less_equal(number(0), element), less(element, below))};
  }

  // ---- statements
  void statement(const Stmt& s) {
    const Region around = std::exchange(from_, s.region.source ? s.region : from_);
    match(
        s.node,
        [&](const Block& x) {
          scope([&] {
            for (const Stmt& c : x.statements) statement(c);
          });
        },
        [&](const Declare& x) { declare(x); }, [&](const kernel::Assign& x) { assign(x.name, value(x.value)); },
        [&](const Store& x) {
          first_thread_ = by_first_thread(buffers_.at(x.buffer).place);
          const Term i = value(x.index);
          note_source(x.buffer, value(x.value));
          Buffered& b = buffers_.at(x.buffer);
          access(b.place, true, i, x.value.type.width);
          out_.accesses.back().copied = copied(x);
          b.state = fresh(x.buffer);
          first_thread_ = false;
        },
        [&](const Atomic& x) { atomic(x); }, [&](const For& x) { for_loop(x); },
        [&](const Allocate& x) { allocate(x); }, [&](const ParallelFor& x) { parallel(x); },
        [&](const If& x) { conditional(x); }, [&](const While& x) { while_loop(x); }, [&](const Check& x) { check(x); },
        [&](const Barrier& x) { barrier(x.scope); }, [](const Comment&) {}, [&](const Shuffle& x) { shuffle(x); });
    from_ = around;
  }

  std::optional<int> copied(const Store& x) const {
    const auto* l = std::get_if<Load>(&x.value.node);
    const auto* v = std::get_if<VectorLoad>(&x.value.node);
    if (l && *l->index == x.index) return buffers_.at(l->buffer).place;
    if (v && *v->index == x.index) return buffers_.at(v->buffer).place;
    return {};
  }

  void atomic(const Atomic& x) {
    const Term i = value(x.index);
    note_source(x.buffer, value(x.value));
    Buffered& b = buffers_.at(x.buffer);
    for (const bool write : {false, true}) {
      access(b.place, write, i, 1);
      out_.accesses.back().by = x.primitive->name;
    }
    b.state = fresh(x.buffer);
  }

  // Names declared and facts learnt inside end with it; what it assigns to names outside stays.
  template <class F>
  void scope(F body) {
    const auto variables = variables_;
    const auto buffers = buffers_;
    const Guards guards = guards_;
    const std::size_t universals = universals_.size(), waiting = after_barrier_.size(), narrowed = narrowed_.size();
    body();
    guards_ = guards;
    universals_.resize(universals);
    after_barrier_.resize(waiting);
    narrowed_.erase(narrowed_.begin() + static_cast<std::ptrdiff_t>(narrowed), narrowed_.end());
    const auto restore = [this](auto& now, const auto& before) {
      auto out = before;
      for (auto& [name, v] : out)
        if (const auto it = now.find(name); it != now.end() && v.place >= 0)
          it->second.place == v.place ? void(v = it->second) : this->forget(name, v);
      now = std::move(out);
    };
    restore(variables_, variables);
    restore(buffers_, buffers);
  }
  // What an inner declaration shadowed may have been assigned before it was.
  void forget(const std::string& name, Variable& v) { v.value = unknown(name, v.value.type); }
  void forget(const std::string& name, Buffered& b) {
    if (!out_.places[static_cast<std::size_t>(b.place)].input) b.state = fresh(name);
  }

  // semantics/kernel/README.md: a store between local loops, but to the block's private buffers, of which each thread
  // has its own.
  bool by_first_thread(int place) const {
    const auto has_level = [&](const std::vector<int>& loops, Level level) {
      return std::any_of(loops.begin(), loops.end(),
                         [&](int l) { return out_.loops[static_cast<std::size_t>(l)].level == level; });
    };
    const Place& p = out_.places[static_cast<std::size_t>(place)];
    const bool own_copies = p.space == Space::Private && has_level(p.loops, Level::Workgroup);
    return has_level(loops_, Level::Workgroup) && !has_level(loops_, Level::Local) && !own_copies;
  }

  // After a warp's barrier its lanes know what each other have checked, not what other warps have.
  void barrier(Level scope) {
    out_.barriers.push_back({situation(), scope, from_});
    for (std::size_t k = scope == Level::Warp ? before_warp_ : 0; k < after_barrier_.size(); ++k)
      if (const Universal& u = after_barrier_[k];
          std::find(universals_.begin(), universals_.end(), u) == universals_.end())
        universals_.push_back(u);
  }
  // What it makes is some lane's value: made from the value here, of which the other lanes have their own.
  void shuffle(const Shuffle& x) {
    const Term v = value(x.value), lane = value(x.lane);
    const auto lanes = std::find_if(loops_.rbegin(), loops_.rend(), [&](int l) {
      return out_.loops[static_cast<std::size_t>(l)].level == Level::Local;
    });
    const int loop = lanes == loops_.rend() ? -1 : *lanes;
    out_.shuffles.push_back({situation(), loop, x.width, x.name, from_});
    if (loop >= 0) {
      const LoopFrame& f = out_.loops[static_cast<std::size_t>(loop)];
      const Term width = number(x.width), end = add(multiply(divide(named(f.symbol), width), width), lane);
      const auto n = constant_of(f.extent);
      const Term inside = n && *n <= x.width ? less(lane, f.extent) : both(less(lane, width), less(end, f.extent));
      demand(Demand::Kind::Lane, both(less_equal(number(0), lane), inside),
             "lane " + show_term(lane) + " of the shuffle that makes " + x.name);
    }
    declare(Declare{x.name, x.type, {}});
    note_source(x.name, v);
    access(variables_.at(x.name).place, true, number(0), 1);
  }
  void declare(const Declare& d) {
    std::optional<Term> start;
    if (d.init) start = value(*d.init);
    const int k = place({d.name, d.type, number(1), Space::Private, true, false, false, {}});
    variables_.insert_or_assign(d.name, Variable{k, unknown(d.name, d.type)});
    if (start) assign(d.name, *start);
  }
  void assign(const std::string& name, const Term& v) {
    Variable& x = variables_.at(name);
    access(x.place, true, number(0), 1);
    note_source(name, v);
    const bool plain_type = v.type.width == 1 && !is_float(v.type.scalar);
    x.value = plain_type ? v : unknown(name, v.type);
  }
  void note_source(const std::string& name, const Term& v) {
    comes_from(spelled(name), v);
    guards_.any_of([&](const Guard& g) {
      if (!g.checked) comes_from(spelled(name), *g.condition);
      return false;
    });
  }
  void allocate(const Allocate& a) {
    const Term n = value(a.count);
    demand(Demand::Kind::Count, less_equal(number(0), n), a.name + "[" + show_term(n) + "]");
    if (a.at) value(*a.at);
    const int k = place({a.name, a.type, n, a.space, false, false, false, {}});
    buffers_[a.name] = {k, fresh(a.name)};
  }

  void forget_what(const Stmt& body) {
    for (auto& [name, v] : variables_)
      if (v.place >= 0 && writes(body, name)) v.value = unknown(name, v.value.type);
    for (auto& [name, b] : buffers_)
      if (!out_.places[static_cast<std::size_t>(b.place)].input && writes(body, name)) b.state = fresh(name);
  }

  void enter(LoopFrame f) {
    f.id = static_cast<int>(out_.loops.size());
    loops_.push_back(f.id);
    out_.symbols[f.symbol] = loops_;
    out_.loops.push_back(std::move(f));
  }
  template <class F>
  void inside(LoopFrame f, const Stmt& body, F run) {
    f.body = body.region;
    scope([&] {
      enter(std::move(f));
      forget_what(body);
      run();
    });
    const int id = loops_.back();
    loops_.pop_back();
    forget_what(body);
    promote(id);
  }

  void for_loop(const For& x) {
    const Term n = value(x.extent);
    demand_width(n);
    const std::string i = symbol(x.name);
    inside({0, LoopFrame::Kind::Sequential, Level::Seq, i, n, "for " + show_name(i) + " < " + show_term(n)}, *x.body,
           [&] {
             variables_.insert_or_assign(x.name, Variable{-1, named(i)});
             statement(*x.body);
           });
  }
  void parallel(const ParallelFor& x) {
    const Term n = value(x.extent);
    demand_width(n);
    const std::string i = symbol(x.name), level(word_of(x.level));
    std::string text = level + " " + show_name(i) + " < " + show_term(n);
    std::optional<Term> units;
    if (x.units) {
      units = value(*x.units);
      text += " by " + show_term(*units);
      demand_width(add(n, *units));
      if (!constant_of(*x.units)) demand(Demand::Kind::Units, less_equal(number(1), *units), text);
    }
    inside({0, LoopFrame::Kind::Parallel, x.level, i, n, text, {}, units}, *x.body, [&] {
      if (x.level == Level::Warp) before_warp_ = after_barrier_.size();
      for (const Allocate& a : x.scratch) allocate(a);
      variables_.insert_or_assign(x.name, Variable{-1, named(i)});
      statement(*x.body);
    });
  }
  void while_loop(const While& x) {
    const std::string i = symbol("while");
    const auto two = two_rounds(x);
    const If* around = std::exchange(through_, two ? two->branch : nullptr);
    inside({0, LoopFrame::Kind::While, Level::Seq, i, number(0), "while"}, *x.body, [&] {
      guards_.push_back({value(x.condition), false, -1});
      statement(*x.body);
    });
    through_ = around;
  }

  void conditional(const If& x) {
    const Term condition = value(x.condition);
    const int id = branch_count_++;
    if (&x == through_) out_.loops[static_cast<std::size_t>(loops_.back())].through = 2 * id + 1;
    const auto variables = variables_;
    const auto buffers = buffers_;
    branch(2 * id, condition, *x.then);
    variables_ = variables;
    buffers_ = buffers;
    branch(2 * id + 1, negation(condition), *x.otherwise);
    variables_ = variables;
    buffers_ = buffers;
    forget_what(*x.then);
    forget_what(*x.otherwise);
  }
  void branch(int id, Term condition, const Stmt& body) {
    scope([&] {
      branches_.push_back(id);
      guards_.push_back({std::move(condition), false, id});
      statement(body);
      branches_.pop_back();
    });
  }

  // The values are only read where it fails.
  void check(const Check& c) {
    const Term ok = value(c.ok);
    guards_.push_back({negation(ok), false, -1});
    for (const Expr& v : c.values) value(v);
    guards_.pop_back();
    out_.checks.push_back({situation(), ok, c.region.source ? c.region : from_});
    guards_.push_back({ok, true, -1});
    if (!loops_.empty()) pending_.push_back({loops_.back(), branches_.size(), {{}, ok}, false});
  }

  // A loop that has run its checks unconditionally has checked for all its iterations.
  void promote(int loop) {
    const LoopFrame& f = out_.loops[static_cast<std::size_t>(loop)];
    std::vector<PendingCheck> rest;
    for (PendingCheck& p : pending_) {
      if (p.loop != loop) {
        rest.push_back(std::move(p));
        continue;
      }
      if (p.branches != branches_.size() || f.kind == LoopFrame::Kind::While) continue;
      Universal u = std::move(p.what);
      u.variables.emplace_back(f.symbol, f.extent);
      // The variable just added is bound in all the others' extents; its own is from outside.
      const auto made_inside = [&](const Term& t) { return depends_on_iteration(t, loop, u); };
      if (made_inside(u.condition) ||
          std::any_of(u.variables.begin(), u.variables.end(), [&](const auto& v) { return made_inside(v.second); }))
        continue;
      // Each thread has run its own iterations of a local or warp loop; the others' have been run after a barrier.
      const bool dealt = f.level == Level::Warp || f.level == Level::Local;
      const bool of_threads = dealt || (p.of_threads && f.level != Level::Workgroup);
      (of_threads ? after_barrier_ : universals_).push_back(u);
      if (!loops_.empty()) rest.push_back({loops_.back(), branches_.size(), u, of_threads});
    }
    pending_ = std::move(rest);
  }
  bool depends_on_iteration(const Term& t, int loop, const Universal& u) const {
    bool found = false;
    each_name(t, [&](const std::string& n) {
      for (const auto& [name, extent] : u.variables)
        if (n == name) return;
      const auto it = out_.symbols.find(n);
      if (it != out_.symbols.end() && std::count(it->second.begin(), it->second.end(), loop) > 0) found = true;
    });
    return found;
  }

  SizeSubstitution spelling_;  // of sizes
  std::vector<Universal> after_barrier_;
  std::size_t before_warp_ = 0;  // how many of them when the warp's iteration began
  std::vector<PendingCheck> pending_;
  int branch_count_ = 0;
  const If* through_ = nullptr;  // of the loop of two rounds around: what stands between them
};

}  // namespace

Accesses accesses_of(const Program& p, const Followed& how) { return Walk(how).run(p); }

std::string show_loops(const Accesses& a, const Situation& s) {
  std::string out;
  for (int l : s.loops) out += (out.empty() ? "" : ", ") + a.loops[static_cast<std::size_t>(l)].text;
  return out.empty() ? "at the top" : out;
}

std::string show_access(const Accesses& a, const Access& x) {
  const Place& p = a.places[static_cast<std::size_t>(x.place)];
  if (p.variable) return p.name;
  return p.name + "[" + show_term(x.index) + (x.width > 1 ? " : " + std::to_string(x.width) : "") + "]";
}

}  // namespace lockstep::proofs::kernels
