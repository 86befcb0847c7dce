// Barriers, as a stage of the kernel language. Between two of them no thread of a block may read what another one
// writes (semantics/kernel/README.md, "Meaning"): code between local loops is read by every thread, its stores are the
// first thread's, and a local or warp loop is every thread's; and so for the lanes of a warp, in the body of a warp
// loop. In: a kernel without barriers; out: one barrier, of the block or of the warp, before each statement that meets
// what was accessed since the last one.
#include <algorithm>
#include <array>
#include <utility>

#include "semantics/kernel/two_rounds.h"
#include "semantics/kernel/units.h"
#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"
#include "translate/dpia/ranges.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

constexpr std::array everyone{Who::First, Who::All, Who::Threads};

// What was accessed since the last barrier, by whom.
struct Since {
  std::array<Accesses, everyone.size()> by;
  Accesses& of(Who who) { return by[static_cast<std::size_t>(who)]; }
  const Accesses& of(Who who) const { return by[static_cast<std::size_t>(who)]; }

  void add(Who who, const Accesses& a) {
    for (const auto& [name, places] : a.read) of(who).read[name].add(places);
    for (const auto& [name, places] : a.written) of(who).written[name].add(places);
    for (const auto& [op, accessed] : a.updated)
      for (const auto& [name, places] : accessed) of(who).updated[op][name].add(places);
  }
  void add(const Since& s) {
    for (const Who who : everyone) add(who, s.of(who));
  }
  friend bool operator==(const Since&, const Since&) = default;
};

// Of the blocks or, inside those, of the warps.
class Barriers {
 public:
  Barriers(const Program& p, Level scope) : program_(p), scope_(scope) {
    for (const SizeFact& f : p.facts) facts_.assume(f);
  }

  Program run() {
    Program out = program_;
    out.body = rewritten(program_.body, StmtChange([&](const Stmt& s) { return std::vector<Stmt>{of_blocks(s)}; }));
    return out;
  }

 private:
  Stmt of_blocks(const Stmt& s) {
    Stmt out = s;
    auto* p = std::get_if<ParallelFor>(&out.node);
    if (!p || p->level != scope_) return out;
    private_.clear(), inside_.clear();
    ranges_.emplace(program_, *p->body, facts_);
    each_allocation(*p, [&](const Allocate& a) { (a.space == Space::Private ? private_ : inside_).insert(a.name); });
    each_statement(*p->body, [&](const Stmt& x) {  // each thread or warp has its own of what is allocated in its loop
      if (const auto* part = std::get_if<ParallelFor>(&x.node))
        each_allocation(*part, [&](const Allocate& a) { private_.insert(a.name); });
    });
    Since since;
    p->body = has_rounds(*p) ? in_rounds(*p->body, p->name) : StmtRef(statement(*p->body, since));
    return out;
  }
  static void each_allocation(const ParallelFor& p, const std::function<void(const Allocate&)>& f) {
    for (const Allocate& a : p.scratch) f(a);
    each_statement(*p.body, [&](const Stmt& x) {
      if (const auto* a = std::get_if<Allocate>(&x.node)) f(*a);
    });
  }

  // A block's next iteration, or a warp's, meets what this one leaves in the memory that both use. What is declared
  // outside the loop they do not meet in: that would be a race of blocks.
  StmtRef in_rounds(const Stmt& body, const std::string& iteration) {
    Since since;
    return repeated(body, {}, since, [this, iteration](Since s) {
      for (Accesses& a : s.by) {
        std::vector<Accessed*> kinds{&a.read, &a.written};
        for (auto& [op, accessed] : a.updated) kinds.push_back(&accessed);
        for (Accessed* all : kinds) {
          std::erase_if(*all, [&](const auto& x) { return !inside_.contains(x.first); });
          for (auto& [name, places] : *all)
            if (std::any_of(places.ranges.begin(), places.ranges.end(), [&](const Range& r) {
                  return (r.whole && mentions(*r.whole, iteration)) || (r.part && mentions(r.part->first, iteration));
                }))
              places.add(std::optional<Range>());  // the next iteration's are others
        }
        std::erase_if(a.updated, [](const auto& x) { return x.second.empty(); });
      }
      return s;
    });
  }

  // ---- what is accessed: shared buffers only, a private one has a copy for each thread
  using Loops = std::vector<std::string>;  // those around an access that deal it out, outermost first
  void reads(const Expr& e, const Loops& dealt, Accesses& a) const {
    each_expression(e, [&](const Expr& x) {
      if (const auto* l = std::get_if<Load>(&x.node)) shared(l->buffer, *l->index, 1, dealt, a.read);
      if (const auto* l = std::get_if<VectorLoad>(&x.node)) shared(l->buffer, *l->index, l->width, dealt, a.read);
    });
  }
  void writes(const Store& s, const Loops& dealt, Accesses& a) const {
    shared(s.buffer, s.index, s.value.type.width, dealt, a.written);
  }
  void shared(const std::string& buffer, const Expr& index, int width, const Loops& dealt, Accessed& into) const {
    if (!private_.contains(buffer)) into[buffer].add(ranges_->range_of(index, width, dealt));
  }

  // Whether two different threads can meet, one writing.
  bool conflict(const Since& before, Who who, const Accesses& now) const {
    return std::any_of(everyone.begin(), everyone.end(), [&](Who w) {
      const Accesses& old = before.of(w);
      const auto both_meet = [&](const Accessed& a, const Accessed& b) { return ranges_->meet(a, w, b, who); };
      const auto meets_updates = [&](const auto& updated, const auto& meet_with) {
        return std::any_of(updated.begin(), updated.end(), meet_with);
      };
      return both_meet(old.written, now.read) || both_meet(old.written, now.written) ||
             both_meet(old.read, now.written) ||
             meets_updates(now.updated,
                           [&](const auto& x) {
                             return both_meet(old.read, x.second) || both_meet(old.written, x.second) ||
                                    meets_updates(old.updated, [&](const auto& y) {
                                      return y.first != x.first && both_meet(y.second, x.second);
                                    });
                           }) ||
             meets_updates(old.updated, [&](const auto& y) {
               return both_meet(y.second, now.read) || both_meet(y.second, now.written);
             });
    });
  }

  Accesses reads(std::initializer_list<const Expr*> all) const {
    Accesses a;
    for (const Expr* e : all) reads(*e, {}, a);
    return a;
  }
  void of_statement(const Stmt& s, const Loops& dealt, Accesses& a) const {
    own_expressions(s, [&](const Expr& e) { reads(e, dealt, a); });
    if (const auto* t = std::get_if<Store>(&s.node)) writes(*t, dealt, a);
    if (const auto* u = std::get_if<Atomic>(&s.node))
      shared(u->buffer, u->index, 1, dealt, a.updated[u->primitive->name]);
  }
  // A lane makes what stands in the loops over lanes; the rest of a warp's loop is every lane's, or the first one's.
  Accesses of_loop(const Stmt& s) const {
    const auto& loop = std::get<ParallelFor>(s.node);
    Accesses a;
    std::set<const Stmt*> of_lanes;
    if (loop.level == Level::Warp)
      each_statement(*loop.body, [&](const Stmt& x) {
        if (const auto* lanes = std::get_if<ParallelFor>(&x.node))
          each_statement(*lanes->body, [&](const Stmt& y) {
            if (of_lanes.insert(&y).second) of_statement(y, {loop.name, lanes->name}, a);
          });
      });
    const Loops dealt = loop.level == Level::Warp ? Loops{} : Loops{loop.name};
    each_statement(*loop.body, [&](const Stmt& x) {
      if (!of_lanes.contains(&x)) of_statement(x, dealt, a);
    });
    return a;
  }

  // Of code without local loops: what every thread reads, and what the first one stores with what it reads for that.
  struct Group {
    Accesses all, first;
  };
  Group of_code(const Stmt& s) const {
    Group g;
    each_statement(s, [&](const Stmt& x) {
      const auto* t = std::get_if<Store>(&x.node);
      Accesses& a = t && !private_.contains(t->buffer) ? g.first : g.all;
      if (t) writes(*t, {}, a);
      own_expressions(x, [&](const Expr& e) { reads(e, {}, a); });
    });
    return g;
  }
  // ---- code of the block
  // Notes the accesses of the next statement; true where a barrier has to stand before it.
  bool meets(Who who, const Accesses& now, Since& since) {
    const bool needed = conflict(since, who, now);
    if (needed) since = {};
    since.add(who, now);
    return needed;
  }
  Stmt after(bool barrier, Stmt s) const {
    if (!barrier) return s;
    const Region before = s.region;
    return Stmt{Block{{Stmt{Barrier{scope_}, before}, std::move(s)}}};
  }

  // Loops and branches without local loops are one piece, if the first thread stores nothing that the others read in
  // it.
  std::optional<Stmt> in_one_piece(const Stmt& s, Since& since) {
    const bool nested = std::holds_alternative<For>(s.node) || std::holds_alternative<While>(s.node) ||
                        std::holds_alternative<If>(s.node);
    if (!nested || has<ParallelFor, Barrier>(s)) return {};
    const Group g = of_code(s);
    if (ranges_->meet(g.first.written, Who::First, g.all.read, Who::All)) return {};
    const bool needed = conflict(since, Who::All, g.all) || conflict(since, Who::First, g.first);
    if (needed) since = {};
    since.add(Who::All, g.all);
    since.add(Who::First, g.first);
    return after(needed, s);
  }

  Stmt statement(const Stmt& s, Since& since) {
    if (auto piece = in_one_piece(s, since)) return std::move(*piece);
    return match(
        s.node, [&](const Block& x) { return block(x, since); },
        [&](const Declare& x) { return after(x.init && meets(Who::All, reads({&*x.init}), since), s); },
        [&](const Assign& x) { return after(meets(Who::All, reads({&x.value}), since), s); },
        [&](const Store& x) {
          Accesses a = reads({&x.index, &x.value});
          writes(x, {}, a);
          return after(meets(private_.contains(x.buffer) ? Who::All : Who::First, a, since), s);
        },
        [&](const Atomic&) -> Stmt { throw Bug("an atomic update between local loops"); },
        [&](const For& x) {
          const bool needed = meets(Who::All, reads({&x.extent}), since);
          return after(needed, Stmt{For{x.name, x.extent, iterated(x, since), x.unroll}, s.region});
        },
        [&](const Allocate& x) { return after(meets(Who::All, reads({&x.count}), since), s); },
        [&](const ParallelFor& x) {
          const bool needed = meets(Who::All, reads({&x.extent}), since);
          const bool one = x.level == Level::Local && constant_of(x.extent) == 1;
          return after(meets(one ? Who::First : Who::Threads, of_loop(s), since) || needed, s);
        },
        [&](const If& x) {
          const bool needed = meets(Who::All, reads({&x.condition}), since);
          Since other = since;
          Stmt then = statement(*x.then, since), otherwise = statement(*x.otherwise, other);
          (&x == through_ ? left_ : since).add(other);
          return after(needed, Stmt{If{x.condition, std::move(then), std::move(otherwise)}, s.region});
        },
        [&](const While& x) {
          const Accesses condition = reads({&x.condition});
          const bool needed = meets(Who::All, condition, since);
          const Since before = since;
          const StmtRef body = rounds(x, condition, since);
          since.add(before);
          return after(needed, Stmt{While{x.condition, body}, s.region});
        },
        [&](const Check& x) {
          Accesses a = reads({&x.ok});
          for (const Expr& v : x.values) reads(v, {}, a);
          return after(meets(Who::All, a, since), s);
        },
        [&](const Barrier&) {
          since = {};
          return s;
        },
        [&](const Comment&) { return s; },
        [&](const Shuffle& x) {
          return after(meets(Who::All, reads({&x.value, &x.lane}), since), s);
        });
  }

  Stmt block(const Block& b, Since& since) {
    Block out;
    for (const Stmt& s : b.statements) {
      Stmt x = statement(s, since);
      auto* both = std::get_if<Block>(&x.node);
      const bool opened = both && !std::holds_alternative<Block>(s.node);  // {barrier; s}: a declaration stays in scope
      if (!opened)
        out.statements.push_back(std::move(x));
      else
        for (Stmt& y : both->statements) out.statements.push_back(std::move(y));
    }
    return Stmt{std::move(out)};
  }

  // What ends a loop of two rounds, no round of it meets.
  StmtRef rounds(const While& x, const Accesses& condition, Since& since) {
    const auto two = two_rounds(x);
    const If* around = std::exchange(through_, two ? two->branch : nullptr);
    Since left = std::exchange(left_, Since());
    StmtRef body = repeated(*x.body, condition, since);
    since.add(std::exchange(left_, std::move(left)));
    through_ = around;
    return body;
  }

  // After a loop that has an iteration stands what its last one leaves; where it may have none, also what came before.
  StmtRef iterated(const For& x, Since& since) {
    const Since before = since;
    StmtRef body = ranges_->at_most_once(x.extent) ? StmtRef(statement(*x.body, since)) : repeated(*x.body, {}, since);
    if (!ranges_->once_or_more(x.extent)) since.add(before);
    return body;
  }

  // A loop's body, before which stands what came before the loop or an earlier iteration with `between` after it. Where
  // what an iteration leaves meets `between` itself, or the loop's start never settles, the body ends in a barrier.
  // `left`: what of an iteration's accesses the next one can meet. In `since` is what an iteration leaves.
  StmtRef repeated(
      const Stmt& body, const Accesses& between, Since& since,
      const std::function<Since(Since)>& left = [](Since s) { return s; }) {
    Since entry = since;
    constexpr int rounds = 8;
    for (int k = 0; k < rounds; ++k) {
      Since end = entry;
      Stmt out = statement(body, end);
      if (conflict(end, Who::All, between)) break;
      end.add(Who::All, between);
      Since next = entry;
      next.add(left(end));
      if (next == entry) {
        since = std::move(end);
        return StmtRef(std::move(out));
      }
      entry = std::move(next);
    }
    since.add(Who::All, between);
    Stmt out{Block{{statement(body, since), Stmt{Barrier{scope_}}}}};
    since = {};
    since.add(Who::All, between);
    return StmtRef(std::move(out));
  }

  const Program& program_;
  const Level scope_;
  SizeContext facts_;
  std::set<std::string> private_, inside_;  // of what the block or warp allocates: each thread's own, and the others
  std::optional<Ranges> ranges_;            // of the indices in its code
  const If* through_ = nullptr;             // of the loop of two rounds around: what stands between them
  Since left_;                              // by what ends that loop
};

}  // namespace

kernel::Program with_barriers(const kernel::Program& p) {
  return Barriers(Barriers(p, Level::Warp).run(), Level::Workgroup).run();
}

Stage barriers(const DpiaLanguages& l) {
  return stage_of<kernel::Program, kernel::Program>("barriers", "DPIA §6.2, amended", l.before_barriers, l.kernel,
                                                    [](const kernel::Program& p, Owed*) { return with_barriers(p); });
}

}  // namespace lockstep
