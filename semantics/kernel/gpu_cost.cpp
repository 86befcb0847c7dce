// A kernel's cost on a GPU (gpu_cost.h), clause by clause over the tree, in the order of evaluation.
#include "semantics/kernel/gpu_cost.h"

#include <algorithm>
#include <numeric>

#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/lane_forms.h"
#include "semantics/kernel/two_rounds.h"
#include "semantics/kernel/units.h"

namespace lockstep::kernel {
namespace {

Times operator*(const Times& a, const Times& b) {
  if ((a.exact && a.n == Size(0)) || (b.exact && b.n == Size(0))) return {0, true};
  return {a.n * b.n, a.exact && b.exact};
}
Times operator+(const Times& a, const Times& b) { return {a.n + b.n, a.exact && b.exact}; }
Size rounded_up(const Size& n, std::int64_t by) { return floor_div(n + Size(by - 1), Size(by)); }

class WarpCounter {
 public:
  WarpCounter(const Program& p, const GpuModel& m, const SizeValues& sizes)
      : launch_(p.launch), model_(m), forms_(p, sizes), whole_(std::min(launch_.block, launch_.warp)) {
    for (const auto* buffers : {&p.inputs, &p.outputs})
      for (const Buffer& b : *buffers) hold(b.name, b.type, forms_.at_sizes(b.count), Place::Global);
    statement(p.body);
  }
  GpuCost result() { return std::move(out_); }

 private:
  // Who runs the code together: one thread; all threads of a block; those of a warp; the lanes that have an iteration.
  enum class Team { Host, Block, Warp, Lanes };
  struct At {
    Team team = Team::Host;
    Times total{};                       // how often, by all of these teams
    Times of_block{};                    // by those of one block
    std::vector<std::int64_t> lanes{0};  // that can take part
    bool all_take_part = true;           // each time
    bool parted = false;                 // by a condition that is known of no lane
  };
  struct Held {
    Place place;
    std::int64_t bytes;
    std::set<std::string> positive;
  };

  // ---- what is found
  std::optional<std::size_t> kernel() const {
    return at_.team == Team::Host ? std::nullopt : std::optional(out_.kernels.size() - 1);
  }
  bool alone() const { return at_.team == Team::Host || once_; }
  Times issues() const {
    return at_.team == Team::Block && !once_ ? at_.total * Times{Size(warps_of(launch_)), true} : at_.total;
  }
  void access(const std::string& buffer, const Region& region, const Expr& index, int elements, bool write) {
    const Held& b = buffers_.at(buffer);
    GpuAccess a{kernel(), buffer, region.source ? region : region_, write, b.place, b.bytes, elements};
    if (!alone()) a.lanes = at_.lanes;
    a.issues = issues();
    const WarpIndex w{forms_.form(index), LaneForms::lane, a.lanes, a.bytes, a.elements, b.positive};
    if (b.place == Place::Thread)
      a.cost = {0, true};
    else
      a.cost = b.place == Place::Global ? sectors(w, forms_.known(), model_) : turns(w, forms_.known(), model_);
    if (at_.parted && a.lanes.size() > 1) a.cost.exact = false;
    out_.accesses.push_back(std::move(a));
  }
  // Runs both sides, each as often, and in those lanes, as the condition says.
  template <class Then, class Otherwise>
  void branch(const Expr& condition, const Region& region, Then then, Otherwise otherwise) {
    out_.branches.push_back({kernel(), region.source ? region : region_, issues(), false});
    bool& may_part = out_.branches.back().may_part;
    if (const std::optional<bool> holds = forms_.decided(condition)) {
      in_part([&] { repeat({*holds ? 1 : 0, true}); }, then);
      in_part([&] { repeat({*holds ? 0 : 1, true}); }, otherwise);
    } else if (!varies(condition)) {
      in_part([&] { repeat({1, false}); }, then);
      in_part([&] { repeat({1, false}); }, otherwise);
    } else if (const auto sides = lanes_by(condition)) {
      may_part = !sides->first.empty() && !sides->second.empty();
      in_part([&] { only_in(sides->first); }, then);
      in_part([&] { only_in(sides->second); }, otherwise);
    } else {
      may_part = true;
      in_part([&] { part(); }, then);
      in_part([&] { part(); }, otherwise);
    }
  }
  template <class Before, class Part>
  void in_part(Before before, Part part) {
    const At around = at_;
    before();
    part();
    at_ = around;
  }
  void part() {
    repeat({1, false});
    at_.parted = true;
  }
  // The lanes in which it holds, and the others.
  using Lanes = std::vector<std::int64_t>;
  std::optional<std::pair<Lanes, Lanes>> lanes_by(const Expr& condition) const {
    std::pair<Lanes, Lanes> out;
    for (const std::int64_t l : at_.lanes) {
      const auto holds = forms_.decided(condition, l);
      if (!holds) return {};
      (*holds ? out.first : out.second).push_back(l);
    }
    return out;
  }
  // The first lane is in every issue of those that begin with it.
  void only_in(const Lanes& lanes) {
    if (lanes.empty()) return repeat({0, true});
    if (!at_.all_take_part && lanes.front() != at_.lanes.front()) repeat({1, false});
    at_.lanes = lanes;
  }
  void repeat(const Times& n) {
    at_.total = at_.total * n;
    at_.of_block = at_.of_block * n;
  }

  // ---- whether lanes of one warp may see different values
  bool varies(const Expr& e) const {
    if (alone()) return false;
    const auto any = [&](const std::vector<ExprRef>& es) {
      return std::any_of(es.begin(), es.end(), [&](const ExprRef& x) { return varies(*x); });
    };
    return match(
        e.node, [](const Const&) { return false; }, [&](const Var& v) { return forms_.varies(v.name); },
        [&](const Arith& a) { return varies(*a.left) || varies(*a.right); },
        [&](const Load& l) { return buffers_.at(l.buffer).place == Place::Thread || varies(*l.index); },
        [&](const VectorLoad& l) { return buffers_.at(l.buffer).place == Place::Thread || varies(*l.index); },
        [&](const Apply& a) { return any(a.arguments); },
        [&](const Choose& c) { return varies(*c.condition) || varies(*c.then) || varies(*c.otherwise); },
        [&](const Lane& l) { return varies(*l.vector) || varies(*l.lane); },
        [&](const Build& b) { return any(b.lanes); }, [&](const Splat& s) { return varies(*s.scalar); });
  }

  // ---- expressions
  void expressions(const std::vector<ExprRef>& es) {
    for (const ExprRef& e : es) expression(*e);
  }
  void expression(const Expr& e) {
    match(
        e.node, [](const Const&) {}, [](const Var&) {},
        [&](const Arith& a) { expression(*a.left), expression(*a.right); },
        [&](const Load& l) { expression(*l.index), access(l.buffer, e.region, *l.index, 1, false); },
        [&](const VectorLoad& l) { expression(*l.index), access(l.buffer, e.region, *l.index, l.width, false); },
        [&](const Apply& a) { expressions(a.arguments); },
        [&](const Choose& c) {
          expression(*c.condition);
          branch(
              *c.condition, e.region, [&] { expression(*c.then); }, [&] { expression(*c.otherwise); });
        },
        [&](const Lane& l) { expression(*l.vector), expression(*l.lane); },
        [&](const Build& b) { expressions(b.lanes); }, [&](const Splat& s) { expression(*s.scalar); });
  }

  // ---- statements
  void statement(const Stmt& s) {
    const Region around = region_;
    if (s.region.source) region_ = s.region;
    match(
        s.node,
        [&](const Block& b) {
          scoped([&] {
            for (const Stmt& x : b.statements) statement(x);
          });
        },
        [&](const Declare& d) {
          if (d.init) expression(*d.init);
          forms_.declare(d);
        },
        [&](const Assign& a) { expression(a.value); }, [&](const Store& t) { store(t); },
        [&](const Atomic& a) { update(a); },
        [&](const For& f) {
          expression(f.extent);
          in_turn(f.name, f.extent, *f.body);
        },
        [&](const Allocate& a) { allocate(a); }, [&](const ParallelFor& p) { parallel(p); },
        [&](const If& i) {
          expression(i.condition);
          branch(
              i.condition, s.region, [&] { inner(*i.then); }, [&] { inner(*i.otherwise); });
        },
        [&](const While& w) { loop(w, s.region); }, [&](const Check& c) { check(c, s.region); },
        [&](const Barrier& b) { barrier(b); }, [](const Comment&) {},
        [&](const Shuffle& x) {
          expression(x.value);
          expression(x.lane);
          Times& n = out_.kernels.back().shuffles;
          n = n + at_.of_block;
          forms_.declare({x.name, x.type, {}});
        });
    region_ = around;
  }
  template <class F>
  void scoped(F f) {
    auto names = forms_.scope();
    auto buffers = buffers_;
    const At around = at_;
    f();
    at_ = around;
    buffers_ = std::move(buffers);
    forms_.leave(std::move(names));
  }
  void inner(const Stmt& s) {
    scoped([&] { statement(s); });
  }

  // Between local loops the first thread stores to what the threads share, with what it reads for it.
  void store(const Store& t) {
    const bool between = at_.team == Team::Block || at_.team == Team::Warp;
    once_ = between && buffers_.at(t.buffer).place != Place::Thread;
    expression(t.index);
    expression(t.value);
    access(t.buffer, {}, t.index, t.value.type.width, true);
    once_ = false;
  }

  void update(const Atomic& a) {
    expression(a.index);
    expression(a.value);
    access(a.buffer, {}, a.index, 1, true);
    GpuAccess& made = out_.accesses.back();
    made.atomic = true;
    if (made.place == Place::Block)
      made.cost = turns({{}, LaneForms::lane, made.lanes, made.bytes, made.elements, {}}, forms_.known(), model_);
  }

  void in_turn(const std::string& name, const Expr& extent, const Stmt& body) {
    const Times n = forms_.natural(extent);
    scoped([&] {
      repeat(n);
      at_.parted = at_.parted || varies(extent);
      forms_.same_for_all(name, extent, n);
      statement(body);
    });
  }

  // The condition once more than the body.
  void loop(const While& w, const Region& region) {
    const Size rounds = forms_.fresh("#iterations");
    const bool parts = varies(w.condition);
    const auto times = [&](const Size& n) {
      repeat({n, false});
      at_.parted = at_.parted || parts;
    };
    const auto test = [&] {
      expression(w.condition);
      out_.branches.push_back({kernel(), region.source ? region : region_, issues(), parts});
    };
    scoped([&] { times(rounds + 1), test(); });
    const auto two = two_rounds(w);
    const Size second = two ? floor_div(rounds, Size(2)) : Size(0);
    scoped([&] {
      const At around = at_;
      times(rounds - second);
      if (!two) return statement(*w.body);
      for (auto s = two->body->begin(); s + 1 != two->body->end(); ++s) statement(*s);
      test();
      at_ = around;
      times(second);
      inner(*two->branch->then);
      at_ = around;
      times(1);
      inner(*two->branch->otherwise);
    });
  }

  void check(const Check& c, const Region& region) {
    expression(c.ok);
    out_.branches.push_back({kernel(), region.source ? region : region_, issues(), false});
    scoped([&] {
      repeat({0, true});  // where it fails the program has no cost
      for (const Expr& v : c.values) expression(v);
    });
  }

  void barrier(const Barrier& b) {
    GpuKernel& k = out_.kernels.back();
    Times& n = b.scope == Level::Warp ? k.warp_barriers : k.barriers;
    n = n + at_.of_block;
  }

  // ---- memory
  void hold(const std::string& name, const KType& t, const std::optional<Size>& count, Place place) {
    buffers_.insert_or_assign(name, Held{place, bytes_of(t.scalar), forms_.positive_in(count)});
  }
  void allocate(const Allocate& a) {
    expression(a.count);
    const bool between = at_.team == Team::Block || at_.team == Team::Warp;
    const Place place = at_.team == Team::Host                 ? Place::Global
                        : between && a.space != Space::Private ? Place::Block
                                                               : Place::Thread;
    hold(a.name, a.type, forms_.form(a.count), place);
    if (place != Place::Thread) return;
    Times& bytes = out_.kernels.back().thread_bytes;
    bytes = bytes + forms_.natural(a.count) * Times{Size(bytes_of(a.type.scalar)), true};
  }

  // ---- parallel loops
  void parallel(const ParallelFor& p) {
    expression(p.extent);
    if (p.units) expression(*p.units);
    const Times n = forms_.natural(p.extent);
    const ParallelFor* around = std::exchange(around_, &p);
    scoped([&] {
      const Team outer = at_.team;
      if (outer == Team::Host) begin_kernel(p, n);
      if (outer == Team::Lanes) {  // a thread runs them one after the other
        repeat(n);
        forms_.same_for_all(p.name, p.extent, n);
      } else if (p.level == Level::Workgroup || p.level == Level::Warp) {
        at_.team = p.level == Level::Warp ? Team::Warp : Team::Block;
        at_.lanes = first_lanes(whole_);
        at_.all_take_part = launch_.block % whole_ == 0;
        at_.total = at_.total * n;
        at_.of_block = p.level == Level::Warp ? at_.of_block * n : Times{};
        forms_.same_for_all(p.name, p.extent, n);
      } else {
        deal_to_lanes(p, n, around);
      }
      for (const Allocate& a : p.scratch) allocate(a);
      statement(*p.body);
    });
    around_ = around;
  }

  void begin_kernel(const ParallelFor& p, const Times& n) {
    const bool of_blocks = p.level == Level::Workgroup;
    GpuKernel k;
    k.region = p.body->region.source ? p.body->region : region_;
    k.launches = at_.total;
    k.blocks = of_blocks ? n : Times{rounded_up(n.n, launch_.block), n.exact};
    k.threads = launch_.block;
    const auto bytes = block_memory(p, launch_).bytes();
    k.block_bytes = bytes ? Times{forms_.at_sizes(*bytes), true} : Times{forms_.fresh("#bytes"), false};
    out_.kernels.push_back(std::move(k));
  }

  // Of a global loop, or a local one of the block or the warp.
  void deal_to_lanes(const ParallelFor& p, const Times& n, const ParallelFor* around) {
    const bool of_warp = at_.team == Team::Warp;
    const bool as_launched = !p.units || *p.units == units_of(launch_, p.level, around);
    const std::int64_t multiple = as_launched ? multiple_of_base() : 1;
    const Times issues = !as_launched ? Times{n.n, false} : of_warp ? issues_of_warp(n) : issues_of_block(n);
    at_.team = Team::Lanes;
    at_.total = at_.total * issues;
    at_.of_block = at_.of_block * issues;
    const auto few = n.exact ? n.n.constant() : std::nullopt;
    at_.lanes = first_lanes(few ? std::clamp<std::int64_t>(*few, 1, whole_) : whole_);
    at_.all_take_part = as_launched && n.exact && launch_.block % whole_ == 0 &&
                        (at_.lanes.size() < static_cast<std::size_t>(whole_) || modulo(n.n, whole_) == Size(0));
    forms_.dealt_to_lanes(p.name, p.extent, n, multiple, whole_);
  }
  static Lanes first_lanes(std::int64_t n) {
    Lanes out(static_cast<std::size_t>(n));
    std::iota(out.begin(), out.end(), 0);
    return out;
  }
  // Of the first iteration of a warp: rounds of a block begin at multiples of it, warps in it at multiples of the warp.
  std::int64_t multiple_of_base() const {
    return warps_of(launch_) == 1 ? whole_ : std::gcd(launch_.block, launch_.warp);
  }
  // Warps that iterations 0, 1, ... n - 1 meet, thread by thread, block by block.
  Times issues_of_block(const Times& n) const {
    const std::int64_t block = launch_.block, warp = launch_.warp;
    if (block % warp == 0) return {rounded_up(n.n, warp), n.exact};
    return {floor_div(n.n, block) * Size(warps_of(launch_)) + rounded_up(modulo(n.n, block), warp), n.exact};
  }
  // Rounds of its lanes; the last warp of a block may have fewer.
  Times issues_of_warp(const Times& n) const {
    if (warps_of(launch_) == 1) return {rounded_up(n.n, whole_), n.exact};
    const std::int64_t rest = launch_.block % launch_.warp;
    return {rounded_up(n.n, rest == 0 ? whole_ : rest), n.exact && rest == 0};
  }

  const Launch launch_;
  const GpuModel model_;
  LaneForms forms_;
  const std::int64_t whole_;  // lanes of a warp that has all
  std::map<std::string, Held> buffers_;
  GpuCost out_;
  At at_;
  bool once_ = false;
  Region region_{};  // of the statement
  const ParallelFor* around_ = nullptr;
};

}  // namespace

GpuCost gpu_cost(const Program& program, const GpuModel& model, const SizeValues& sizes) {
  return WarpCounter(program, model, sizes).result();
}

}  // namespace lockstep::kernel
