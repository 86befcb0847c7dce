// Live ranges by positions in the text (live_memory.h).
#include "props/dpia/live_memory.h"

#include <algorithm>
#include <map>
#include <set>

#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/walk.h"

namespace lockstep::props {
namespace {

using namespace kernel;

// A loop's body, or one branch of an `if`, with its first and last positions.
struct Part {
  bool loop = false;
  std::size_t first = 0, last = 0;
  std::optional<std::size_t> other_branch{};  // the part that is the other one, of a second branch
};
using Inside = std::vector<std::size_t>;  // parts, outermost first

struct Point {
  std::size_t at = 0;
  Inside inside{};
  std::optional<std::size_t> warps{};  // the loop over warps, of those in `inside`
  bool of_first_thread = false;        // of the block
};
struct LiveArray {
  std::string name;
  Size bytes;
  Inside allocated{};
  std::vector<Point> accesses{};
  std::size_t first = 0, last = 0;
};

bool has_part(const Inside& inside, std::size_t part) {
  return std::find(inside.begin(), inside.end(), part) != inside.end();
}

class LiveRanges {
 public:
  LiveRanges(const ParallelFor& launch, const Launch& how) : warps_(warps_of(how)) {
    Where here;
    if (launch.level == Level::Workgroup)
      for (const Allocate& a : launch.scratch) allocate(a, here);
    go(*launch.body, here);
    std::erase_if(arrays_, [](const LiveArray& a) { return a.accesses.empty(); });
    for (LiveArray& a : arrays_) settle_range(a);
    std::stable_sort(arrays_.begin(), arrays_.end(),
                     [](const LiveArray& a, const LiveArray& b) { return a.first < b.first; });
  }

  std::vector<LiveSet> sets(bool between_barriers) const {
    std::vector<LiveSet> out;
    for (const LiveArray& a : arrays_) {
      LiveSet set;
      for (const LiveArray& b : arrays_) {
        if (b.first > a.first || (&a != &b && over_before(b, a, between_barriers))) continue;
        set.arrays.push_back(b.name);
        set.bytes = set.bytes + b.bytes;
      }
      out.push_back(std::move(set));
    }
    return out;
  }

 private:
  struct Where {
    Inside inside{};
    std::map<std::string, std::size_t> arrays{};  // those in scope, by their numbers
    std::set<std::string> own{};                  // of which each thread has a copy
    std::optional<std::size_t> warps{};
    bool in_threads = false, one_thread = false;
  };

  void allocate(const Allocate& a, Where& here) {
    here.arrays.erase(a.name), here.own.erase(a.name);
    if (a.space != Space::Local) {
      if (a.space == Space::Private) here.own.insert(a.name);
      return;
    }
    const auto count = as_size(a.count);
    if (!count) return;
    const std::int64_t copies = here.warps ? warps_ : 1;
    here.arrays[a.name] = arrays_.size();
    arrays_.push_back({a.name, *count * Size(copies * bytes_of(a.type.scalar)), here.inside});
  }
  void access(const std::string& name, const Where& here, bool first_thread) {
    const auto it = here.arrays.find(name);
    if (it == here.arrays.end()) return;
    arrays_[it->second].accesses.push_back({at_, here.inside, here.warps, first_thread && !here.warps});
  }
  void read(const Expr& e, const Where& here, bool first_thread) {
    each_expression(e, [&](const Expr& x) {
      if (const auto* l = std::get_if<Load>(&x.node)) access(l->buffer, here, first_thread);
      if (const auto* l = std::get_if<VectorLoad>(&x.node)) access(l->buffer, here, first_thread);
    });
  }
  void part(const Stmt& s, Where here, Part p, const Expr* again = nullptr) {
    const std::size_t number = parts_.size();
    p.first = ++at_;
    parts_.push_back(p);
    here.inside.push_back(number);
    if (again) read(*again, here, here.one_thread);
    go(s, here);
    parts_[number].last = ++at_;
  }

  // Code between the loops over threads is run by all of them, but for stores, which are the first one's.
  void go(const Stmt& s, Where& here) {
    ++at_;
    const auto* store = std::get_if<Store>(&s.node);
    const bool first = here.in_threads ? here.one_thread : store && !here.own.contains(store->buffer);
    if (!std::holds_alternative<While>(s.node)) own_expressions(s, [&](const Expr& e) { read(e, here, first); });
    match(
        s.node,
        [&](const Block& b) {
          Where inner = here;
          for (const Stmt& x : b.statements) go(x, inner);
        },
        [](const Declare&) {}, [](const Assign&) {}, [&](const Store& x) { access(x.buffer, here, first); },
        [&](const Atomic& x) { access(x.buffer, here, first); }, [&](const For& f) { part(*f.body, here, {true}); },
        [&](const Allocate& a) { allocate(a, here); }, [&](const ParallelFor& p) { in_parallel(p, here); },
        [&](const If& i) {
          const std::size_t then = parts_.size();
          part(*i.then, here, {});
          part(*i.otherwise, here, {.other_branch = then});
        },
        [&](const While& w) { part(*w.body, here, {true}, &w.condition); }, [](const Check&) {},
        [&](const Barrier& b) {
          barriers_.push_back({{at_, here.inside, here.warps}, b.scope});
        },
        [](const Comment&) {}, [](const Shuffle&) {});
  }
  void in_parallel(const ParallelFor& p, Where here) {
    if (p.level == Level::Warp) here.warps = parts_.size();
    here.in_threads = here.in_threads || p.level == Level::Local;
    here.one_thread = here.one_thread || (p.level == Level::Local && constant_of(p.extent) == 1);
    Where inner = here;
    const std::size_t number = parts_.size();
    inner.inside.push_back(number);  // what a warp's iteration allocates is its own
    for (const Allocate& a : p.scratch) allocate(a, inner);
    inner.inside.pop_back();
    part(*p.body, inner, {true});
  }

  void settle_range(LiveArray& a) const {
    a.first = a.accesses.front().at, a.last = a.first;
    for (const Point& x : a.accesses) {
      std::size_t first = x.at, last = x.at;
      for (const std::size_t p : x.inside)
        if (parts_[p].loop && !has_part(a.allocated, p))
          first = std::min(first, parts_[p].first), last = std::max(last, parts_[p].last);
      a.first = std::min(a.first, first), a.last = std::max(a.last, last);
    }
  }

  // Of `then` nothing is needed before `a` is over.
  bool over_before(const LiveArray& a, const LiveArray& then, bool between_barriers) const {
    if (a.last >= then.first) return false;
    if (!between_barriers) return true;
    for (const Point& x : a.accesses)
      for (const Point& y : then.accesses)
        if (!parted(x, y) && !(x.of_first_thread && y.of_first_thread)) return false;
    return true;
  }
  // x stands before y, and whoever comes from the one to the other has come to a barrier.
  bool parted(const Point& x, const Point& y) const {
    for (const std::size_t p : y.inside)
      if (parts_[p].other_branch && has_part(x.inside, *parts_[p].other_branch)) return true;  // nobody does
    return std::any_of(barriers_.begin(), barriers_.end(), [&](const auto& barrier) {
      const auto& [at, scope] = barrier;
      if (at.at < x.at || at.at > y.at) return false;
      if (scope == Level::Warp && (x.warps != at.warps || y.warps != at.warps)) return false;
      return std::all_of(at.inside.begin(), at.inside.end(),
                         [&](std::size_t p) { return has_part(x.inside, p) || has_part(y.inside, p); });
    });
  }

  const std::int64_t warps_;
  std::size_t at_ = 0;
  std::vector<Part> parts_;
  std::vector<LiveArray> arrays_;
  std::vector<std::pair<Point, Level>> barriers_;
};

}  // namespace

std::vector<LiveMemory> live_memories(const Program& program) {
  std::vector<LiveMemory> out;
  each_launch(program.body, [&](const ParallelFor& p) {
    const LiveRanges ranges(p, program.launch);
    out.push_back({ranges.sets(false), ranges.sets(true)});
  });
  return out;
}

std::vector<LiveMemory> live_memories(const DpiaTrace& trace) {
  const Program& before = before_places(trace);
  std::vector<LiveMemory> out = live_memories(before);
  return has_shared(out) ? live_memories(with_barriers(before)) : out;
}

bool has_shared(const std::vector<LiveMemory>& memories) {
  return std::any_of(memories.begin(), memories.end(), [](const LiveMemory& m) { return !m.in_order.empty(); });
}

std::int64_t greatest_live(const std::vector<LiveSet>& sets, const SizeValues& sizes) {
  std::int64_t most = 0;
  for (const LiveSet& s : sets) most = std::max(most, evaluate(s.bytes, sizes).value_or(0));
  return most;
}

std::vector<Size> greatest_for_all(const std::vector<LiveSet>& sets, const std::vector<SizeFact>& known) {
  SizeContext facts;
  for (const SizeFact& f : known) facts.assume(f);
  std::vector<Size> out;
  for (const LiveSet& s : sets) {
    const auto within = [&](const Size& a, const Size& b) { return facts.proves({a, SizeRelation::LessEqual, b}); };
    if (std::any_of(out.begin(), out.end(), [&](const Size& n) { return within(s.bytes, n); })) continue;
    std::erase_if(out, [&](const Size& n) { return within(n, s.bytes); });
    out.push_back(s.bytes);
  }
  return out;
}

const Program& before_places(const DpiaTrace& trace) {
  for (std::size_t k = 1; k < trace.steps.size(); ++k)
    if (trace.steps[k].name == "places") return trace.steps[k - 1].program.as<Program>();
  throw Bug("a trace without places");
}

std::optional<std::string> overlaid(const std::vector<LiveMemory>& before, const Program& after,
                                    const SizeValues& sizes) {
  const std::vector<BlockMemory> memories = block_memories(after);
  for (std::size_t k = 0; k < std::min(before.size(), memories.size()); ++k) {
    const auto total = memories[k].bytes();
    const auto has = total ? evaluate(*total, sizes) : std::nullopt;
    const std::int64_t needs = greatest_live(before[k].in_order, sizes);
    if (has && *has < needs)
      return "kernel " + std::to_string(k + 1) + ": a block has " + std::to_string(*has) + " bytes, and arrays of " +
             std::to_string(needs) + " are live together";
  }
  return {};
}

}  // namespace lockstep::props
