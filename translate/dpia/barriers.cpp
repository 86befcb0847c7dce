// Barriers, as a stage of the kernel language. Between two of them no thread of a block may read what another one
// writes (semantics/kernel/README.md, "Meaning"): code between local loops is read by every thread, its stores are the
// first thread's, and a local or warp loop is every thread's; and so for the lanes of a warp, in the body of a warp
// loop. In: a kernel without barriers; out: one barrier, of the block or of the warp, before each statement that meets
// what was accessed since the last one.
#include <algorithm>
#include <array>

#include "semantics/kernel/units.h"
#include "semantics/kernel/walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

enum Who : std::size_t { First, All, Threads };  // the first thread; every thread alike; each its own iterations

// Of a buffer's scalars those from `first` to before `end`, over names that stay while the block is at its code; or
// all.
struct Range {
  Size first, end;
  friend bool operator==(const Range&, const Range&) = default;
};
struct Places {
  bool all = false;
  std::vector<Range> ranges;
  friend bool operator==(const Places&, const Places&) = default;

  void add(const std::optional<Range>& r) {
    all = all || !r;
    if (all) ranges.clear();
    if (!all && std::find(ranges.begin(), ranges.end(), *r) == ranges.end()) ranges.push_back(*r);
  }
  void add(const Places& p) {
    if (p.all) add(std::optional<Range>());
    for (const Range& r : p.ranges) add(std::optional(r));
  }
};
using Accessed = std::map<std::string, Places>;  // by buffer
struct Accesses {
  Accessed read, written;
  friend bool operator==(const Accesses&, const Accesses&) = default;
};

// What was accessed since the last barrier, by whom.
struct Since {
  std::array<Accesses, 3> by;

  void add(Who who, const Accesses& a) {
    for (const auto& [name, places] : a.read) by[who].read[name].add(places);
    for (const auto& [name, places] : a.written) by[who].written[name].add(places);
  }
  void add(const Since& s) {
    for (Who w : {First, All, Threads}) add(w, s.by[w]);
  }
  friend bool operator==(const Since&, const Since&) = default;
};

// Extents of loops, by their variables; nothing where it is no size, or where two loops have the name.
using Extents = std::map<std::string, std::optional<Size>>;

Extents extents_in(const Stmt& s) {
  Extents out;
  const auto note = [&](const std::string& name, const Expr& extent) {
    if (const auto [it, is_new] = out.emplace(name, as_size(extent)); !is_new) it->second.reset();
  };
  each_statement(s, [&](const Stmt& x) {
    if (const auto* f = std::get_if<For>(&x.node)) note(f->name, f->extent);
    if (const auto* p = std::get_if<ParallelFor>(&x.node)) note(p->name, p->extent);
  });
  return out;
}

// Of the blocks or, inside those, of the warps.
class Barriers {
 public:
  explicit Barriers(Level scope) : scope_(scope) {}

  Program run(const Program& p) {
    Program out = p;
    for (const SizeFact& f : p.facts) facts_.assume(f);
    out.body = rewritten(p.body, StmtChange([&](const Stmt& s) { return std::vector<Stmt>{of_blocks(s)}; }));
    return out;
  }

 private:
  Stmt of_blocks(const Stmt& s) {
    Stmt out = s;
    auto* p = std::get_if<ParallelFor>(&out.node);
    if (!p || p->level != scope_) return out;
    private_.clear(), inside_.clear(), changing_.clear();
    extents_ = extents_in(*p->body);
    for (const auto& [name, extent] : extents_) changing_.insert(name);
    each_statement(*p->body, [&](const Stmt& x) {
      if (const auto* d = std::get_if<Declare>(&x.node)) changing_.insert(d->name);
    });
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
      for (Accesses& a : s.by)
        for (Accessed* all : {&a.read, &a.written}) {
          std::erase_if(*all, [&](const auto& x) { return !inside_.contains(x.first); });
          for (auto& [name, places] : *all)
            if (std::any_of(places.ranges.begin(), places.ranges.end(),
                            [&](const Range& r) { return mentions(r.first, iteration) || mentions(r.end, iteration); }))
              places.add(std::optional<Range>());  // the next iteration's are others
        }
      return s;
    });
  }

  // ---- what is accessed: shared buffers only, a private one has a copy for each thread
  // `loops`: in the piece of code that they are accesses of.
  void reads(const Expr& e, const Extents& loops, Accesses& a) const {
    each_expression(e, [&](const Expr& x) {
      if (const auto* l = std::get_if<Load>(&x.node)) shared(l->buffer, *l->index, 1, loops, a.read);
      if (const auto* l = std::get_if<VectorLoad>(&x.node)) shared(l->buffer, *l->index, l->width, loops, a.read);
    });
  }
  void writes(const Store& s, const Extents& loops, Accesses& a) const {
    shared(s.buffer, s.index, s.value.type.width, loops, a.written);
  }
  void shared(const std::string& buffer, const Expr& index, int width, const Extents& loops, Accessed& into) const {
    if (!private_.contains(buffer)) into[buffer].add(range_of(index, width, loops));
  }
  // What the index goes through while the loops run; nothing where it is not linear in their variables.
  std::optional<Range> range_of(const Expr& index, int width, const Extents& loops) const {
    const auto i = as_size(index);
    if (!i) return {};
    Range out{*i, *i};
    std::set<std::string> names;
    constexpr int most = 8;  // extents may speak of other loops
    for (int k = 0; k < most; ++k) {
      names.clear();
      collect_names(out.first, names), collect_names(out.end, names);
      std::erase_if(names, [&](const std::string& n) { return !changing_.contains(n) && !loops.contains(n); });
      if (names.empty()) break;
      const auto loop = loops.find(*names.begin());
      if (loop == loops.end() || !loop->second) return {};
      const auto& [name, extent] = *loop;
      if (!extents_.at(name)) return {};
      for (Size* end : {&out.first, &out.end}) {
        const Size next = substitute(*end, {{name, Size::name(name) + 1}});
        const auto step = (next - *end).constant();
        if (!step) return {};
        const bool at_start = (*step >= 0) == (end == &out.first);
        *end = substitute(*end, {{name, at_start ? Size(0) : *extent - 1}});
      }
    }
    if (!names.empty()) return {};
    out.end = out.end + width;
    return out;
  }

  bool apart(const Range& x, const Range& y) const {
    return facts_.proves({x.end, SizeRelation::LessEqual, y.first}) ||
           facts_.proves({y.end, SizeRelation::LessEqual, x.first});
  }
  bool meet(const Places& x, const Places& y) const {
    return x.all || y.all || std::any_of(x.ranges.begin(), x.ranges.end(), [&](const Range& r) {
             return std::any_of(y.ranges.begin(), y.ranges.end(), [&](const Range& q) { return !apart(r, q); });
           });
  }
  bool meet(const Accessed& a, const Accessed& b) const {
    return std::any_of(a.begin(), a.end(), [&](const auto& x) {
      const auto other = b.find(x.first);
      return other != b.end() && meet(x.second, other->second);
    });
  }
  // Whether two different threads can meet, one writing.
  bool conflict(const Since& before, Who who, const Accesses& now) const {
    for (Who w : {First, All, Threads}) {
      if (who == First && w == First) continue;
      const Accesses& old = before.by[w];
      if (meet(old.written, now.read) || meet(old.written, now.written) || meet(old.read, now.written)) return true;
    }
    return false;
  }

  Accesses reads(std::initializer_list<const Expr*> all) const {
    Accesses a;
    for (const Expr* e : all) reads(*e, {}, a);
    return a;
  }
  Accesses of_loop(const Stmt& s) const {
    const Extents loops = extents_in(s);
    Accesses a;
    each_statement(*std::get<ParallelFor>(s.node).body, [&](const Stmt& x) {
      own_expressions(x, [&](const Expr& e) { reads(e, loops, a); });
      if (const auto* t = std::get_if<Store>(&x.node)) writes(*t, loops, a);
    });
    return a;
  }

  // Of code without local loops: what every thread reads, and what the first one stores with what it reads for that.
  struct Group {
    Accesses all, first;
  };
  Group of_code(const Stmt& s) const {
    const Extents loops = extents_in(s);
    Group g;
    each_statement(s, [&](const Stmt& x) {
      const auto* t = std::get_if<Store>(&x.node);
      Accesses& a = t && !private_.contains(t->buffer) ? g.first : g.all;
      if (t) writes(*t, loops, a);
      own_expressions(x, [&](const Expr& e) { reads(e, loops, a); });
    });
    return g;
  }
  static bool has_local_loop(const Stmt& s) {
    bool found = false;
    each_statement(s, [&](const Stmt& x) {
      found = found || std::holds_alternative<ParallelFor>(x.node) || std::holds_alternative<Barrier>(x.node);
    });
    return found;
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
    return barrier ? Stmt{Block{{Stmt{Barrier{scope_}}, std::move(s)}}} : std::move(s);
  }

  // Loops and branches without local loops are one piece, if the first thread stores nothing that the others read in
  // it.
  std::optional<Stmt> in_one_piece(const Stmt& s, Since& since) {
    const bool nested = std::holds_alternative<For>(s.node) || std::holds_alternative<While>(s.node) ||
                        std::holds_alternative<If>(s.node);
    if (!nested || has_local_loop(s)) return {};
    const Group g = of_code(s);
    if (meet(g.first.written, g.all.read)) return {};
    const bool needed = conflict(since, All, g.all) || conflict(since, First, g.first);
    if (needed) since = {};
    since.add(All, g.all);
    since.add(First, g.first);
    return after(needed, s);
  }

  Stmt statement(const Stmt& s, Since& since) {
    if (auto piece = in_one_piece(s, since)) return std::move(*piece);
    return match(
        s.node, [&](const Block& x) { return block(x, since); },
        [&](const Declare& x) { return after(x.init && meets(All, reads({&*x.init}), since), s); },
        [&](const Assign& x) { return after(meets(All, reads({&x.value}), since), s); },
        [&](const Store& x) {
          Accesses a = reads({&x.index, &x.value});
          writes(x, {}, a);
          return after(meets(private_.contains(x.buffer) ? All : First, a, since), s);
        },
        [&](const For& x) {
          const bool needed = meets(All, reads({&x.extent}), since);
          return after(needed, Stmt{For{x.name, x.extent, repeated(*x.body, {}, since), x.unroll}, s.region});
        },
        [&](const Allocate& x) { return after(meets(All, reads({&x.count}), since), s); },
        [&](const ParallelFor& x) {
          const bool needed = meets(All, reads({&x.extent}), since);
          return after(meets(Threads, of_loop(s), since) || needed, s);
        },
        [&](const If& x) {
          const bool needed = meets(All, reads({&x.condition}), since);
          Since other = since;
          Stmt then = statement(*x.then, since), otherwise = statement(*x.otherwise, other);
          since.add(other);
          return after(needed, Stmt{If{x.condition, std::move(then), std::move(otherwise)}, s.region});
        },
        [&](const While& x) {
          const Accesses condition = reads({&x.condition});
          const bool needed = meets(All, condition, since);
          return after(needed, Stmt{While{x.condition, repeated(*x.body, condition, since)}, s.region});
        },
        [&](const Check& x) {
          Accesses a = reads({&x.ok});
          for (const Expr& v : x.values) reads(v, {}, a);
          return after(meets(All, a, since), s);
        },
        [&](const Barrier&) {
          since = {};
          return s;
        },
        [&](const Comment&) { return s; });
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

  // A loop's body, before which stands what came before the loop or an earlier iteration with `between` after it. Where
  // what an iteration leaves meets `between` itself, or the loop's start never settles, the body ends in a barrier.
  // `left`: what of an iteration's accesses the next one can meet.
  StmtRef repeated(
      const Stmt& body, const Accesses& between, Since& since,
      const std::function<Since(Since)>& left = [](Since s) { return s; }) {
    Since entry = since;
    constexpr int rounds = 8;
    for (int k = 0; k < rounds; ++k) {
      Since end = entry;
      Stmt out = statement(body, end);
      if (conflict(end, All, between)) break;
      end.add(All, between);
      Since next = entry;
      next.add(left(std::move(end)));
      if (next == entry) {
        since = entry;
        return StmtRef(std::move(out));
      }
      entry = std::move(next);
    }
    since.add(All, between);
    Since end = since;
    Stmt out{Block{{statement(body, end), Stmt{Barrier{scope_}}}}};
    return StmtRef(std::move(out));
  }

  const Level scope_;
  SizeContext facts_;
  std::set<std::string> private_, inside_;  // of what the block or warp allocates: each thread's own, and the others
  Extents extents_;                         // of its loops
  std::set<std::string> changing_;          // variables of its code: an index over others is the same all along
};

}  // namespace

kernel::Program with_barriers(const kernel::Program& p) {
  return Barriers(Level::Workgroup).run(Barriers(Level::Warp).run(p));
}

Stage barriers(const DpiaLanguages& l) {
  return stage_of<kernel::Program, kernel::Program>("barriers", "DPIA §6.2, amended", l.before_barriers, l.kernel,
                                                    [](const kernel::Program& p, Owed*) { return with_barriers(p); });
}

}  // namespace lockstep
