// Kernel trees to flat code: a case for each statement and each expression, in the order of syntax.h.
#include "semantics/kernel/flat.h"

#include <algorithm>

#include "semantics/kernel/walk.h"

namespace lockstep::kernel::flat {
namespace {

[[noreturn]] void ill_formed(const std::string& what) { throw Bug("flat code is made of " + what); }

// The outermost loops over threads or warps in a block's body.
void dealt_loops(const Stmt& s, std::vector<const ParallelFor*>& out) {
  match(
      s.node,
      [&](const Block& b) {
        for (const Stmt& x : b.statements) dealt_loops(x, out);
      },
      [](const Declare&) {}, [](const Assign&) {}, [](const Store&) {}, [](const Atomic&) {},
      [&](const For& f) { dealt_loops(*f.body, out); }, [](const Allocate&) {},
      [&](const ParallelFor& p) { out.push_back(&p); },
      [&](const If& i) {
        dealt_loops(*i.then, out);
        dealt_loops(*i.otherwise, out);
      },
      [&](const While& w) { dealt_loops(*w.body, out); }, [](const Check&) {}, [](const Barrier&) {},
      [](const Comment&) {}, [](const Shuffle&) {});
}

class Flattener {
 public:
  Flattener(const SizeValues& sizes, const Domain& domain, std::int64_t threads, const Launch& launch)
      : sizes_(sizes), domain_(domain), threads_(threads), launch_(launch) {}

  Code program(const Program& p) {
    for (const std::string& s : p.sizes) variable(s, 1);
    for (const kernel::Buffer& b : p.inputs) buffer(b.name, false);
    for (const kernel::Buffer& b : p.outputs) buffer(b.name, false);
    statement(p.body);
    emit(End{});
    return std::move(code_);
  }

 private:
  enum class Place { Host, Iteration, Block, Warp, Local };  // what runs the code
  struct Name {
    std::string name;
    std::size_t slot;
    bool own;  // of a buffer: each thread has a copy
  };

  std::size_t emit(decltype(Instruction::node) node) {
    code_.instructions.push_back({std::move(node), from_, region_});
    return code_.instructions.size() - 1;
  }
  void emit_at(const Expr& e, decltype(Instruction::node) node) {
    const Region* around = std::exchange(region_, e.region.source ? &e.region : region_);
    emit(std::move(node));
    region_ = around;
  }
  std::size_t here() const { return code_.instructions.size(); }
  template <class Op>
  Op& at(std::size_t k) {
    return std::get<Op>(code_.instructions[k].node);
  }

  // ---- names
  std::size_t variable(const std::string& name, std::size_t width) {
    variables_.push_back({name, code_.variables, false});
    code_.variables += width;
    return variables_.back().slot;
  }
  std::size_t buffer(const std::string& name, bool own) {
    buffers_.push_back({name, code_.buffers++, own});
    return buffers_.back().slot;
  }
  static const Name& find(const std::vector<Name>& names, const std::string& name) {
    for (auto n = names.rbegin(); n != names.rend(); ++n)
      if (n->name == name) return *n;
    ill_formed("the undeclared name '" + name + "'");
  }
  template <class F>
  void scoped(F f) {
    const std::size_t v = variables_.size(), b = buffers_.size();
    f();
    variables_.resize(v);
    buffers_.resize(b);
  }

  // ---- expressions
  static std::size_t width_of(const Expr& e) { return static_cast<std::size_t>(e.type.width); }

  Scalar constant_of(const Const& c) const {
    if (!is_float(c.value.type)) return c.value;
    return c.digits.empty() ? domain_.from_ieee(c.value.type, c.value.ieee()) : domain_.literal(c.value.type, c.digits);
  }

  void expression(const Expr& e) {
    match(
        e.node, [&](const Const& c) { emit(Push{constant_of(c)}); },
        [&](const Var& v) {
          emit(PushVariable{find(variables_, v.name).slot, width_of(e)});
        },
        [&](const Arith& a) {
          expression(*a.left);
          expression(*a.right);
          emit_at(e, Compute{a.op});
        },
        [&](const Load& l) { load(e, l.buffer, *l.index, 1); },
        [&](const VectorLoad& l) { load(e, l.buffer, *l.index, static_cast<std::size_t>(l.width)); },
        [&](const Apply& a) {
          for (const ExprRef& x : a.arguments) expression(*x);
          emit(Operate{a.primitive.get(), a.operand.scalar, a.arguments.size(), width_of(e)});
        },
        [&](const Choose& c) {
          branch(
              *c.condition, [&] { expression(*c.then); }, [&] { expression(*c.otherwise); });
        },
        [&](const Lane& l) {
          expression(*l.vector);
          expression(*l.lane);
          emit_at(e, Pick{width_of(*l.vector)});
        },
        [&](const Build& b) {
          for (const ExprRef& l : b.lanes) expression(*l);
        },
        [&](const Splat& s) {
          expression(*s.scalar);
          emit(Repeat{width_of(e)});
        });
  }

  void load(const Expr& e, const std::string& name, const Expr& index, std::size_t width) {
    expression(index);
    const Region* around = std::exchange(region_, e.region.source ? &e.region : region_);
    for (std::size_t l = 0; l < width; ++l) emit(Read{find(buffers_, name).slot, l});
    region_ = around;
    emit(DropUnder{width});
  }

  template <class Then, class Otherwise>
  void branch(const Expr& condition, Then then, Otherwise otherwise) {
    expression(condition);
    const std::size_t test = emit(JumpUnless{0});
    then();
    const std::size_t over = emit(Jump{0});
    at<JumpUnless>(test).to = here();
    otherwise();
    at<Jump>(over).to = here();
  }

  // ---- statements
  void statement(const Stmt& s) {
    const Stmt* around = std::exchange(from_, &s);
    const Region* region_around = std::exchange(region_, s.region.source ? &s.region : region_);
    match(
        s.node,
        [&](const Block& b) {
          scoped([&] {
            for (const Stmt& x : b.statements) statement(x);
          });
        },
        [&](const Declare& d) {
          const auto width = static_cast<std::size_t>(d.type.width);
          if (d.init) expression(*d.init);
          const std::size_t slot = variable(d.name, width);
          if (d.init)
            emit(Set{slot, width});
          else
            emit(Undefine{slot, width});
        },
        [&](const Assign& a) {
          expression(a.value);
          emit(Set{find(variables_, a.name).slot, width_of(a.value)});
        },
        [&](const Store& t) { store(t); },
        [&](const Atomic& a) {
          expression(a.index);
          expression(a.value);
          emit(Update{find(buffers_, a.buffer).slot, a.primitive.get()});
          emit(Drop{2});
        },
        [&](const For& f) {
          expression(f.extent);
          loop(f.name, Dealt::No, [&](std::size_t i) {
            rounds_.push_back(i);
            part_of(s, [&] { statement(*f.body); });
            rounds_.pop_back();
          });
        },
        [&](const Allocate& a) { allocate(a); }, [&](const ParallelFor& p) { parallel(p); },
        [&](const If& i) {
          branch(
              i.condition, [&] { part_of(s, [&] { inner(*i.then); }); },
              [&] { part_of(s, [&] { inner(*i.otherwise); }); });
        },
        [&](const While& w) {
          const std::size_t back = here();
          expression(w.condition);
          const std::size_t test = emit(JumpUnless{0});
          emit(CountWhile{});
          part_of(s, [&] { inner(*w.body); });
          emit(Jump{back});
          at<JumpUnless>(test).to = here();
        },
        [&](const Check& c) {
          expression(c.ok);
          const std::size_t bad = emit(JumpUnless{0});
          const std::size_t good = emit(Jump{0});
          at<JumpUnless>(bad).to = here();
          for (const Expr& v : c.values) expression(v);
          emit(Fail{&c});
          at<Jump>(good).to = here();
        },
        [&](const Barrier& b) { emit(Wait{b.scope == Level::Warp}); }, [](const Comment&) {},
        [&](const Shuffle& x) {
          expression(x.value);
          expression(x.lane);
          const auto lanes = kernel::constant_of(lanes_->extent);
          emit(Exchange{&x, *lanes, rounds_, branch_});
          emit(Set{variable(x.name, 1), 1});
        });
    from_ = around;
    region_ = region_around;
  }
  void inner(const Stmt& s) {
    scoped([&] { statement(s); });
  }
  // What a condition or a loop around decides about.
  template <class Body>
  void part_of(const Stmt& s, Body body) {
    const Stmt* around = std::exchange(branch_, &s);
    body();
    branch_ = around;
  }

  void store(const Store& t) {
    const Name& b = find(buffers_, t.buffer);
    const std::size_t width = width_of(t.value);
    const bool once = (place_ == Place::Block || place_ == Place::Warp) && !b.own;
    const std::size_t guard = once ? emit(OnlyFirst{0, place_ == Place::Warp}) : 0;
    expression(t.index);
    expression(t.value);
    for (std::size_t l = 0; l < width; ++l) emit(Write{b.slot, l, width});
    emit(Drop{width + 1});
    if (once) at<OnlyFirst>(guard).to = here();
  }

  // Its extent is on the stack.
  template <class Body>
  void loop(const std::string& name, Dealt dealt, Body body) {
    scoped([&] {
      const std::size_t v = variable(name, 1), end = variable("", 1);
      emit(LoopStart{v, end, dealt});
      const std::size_t test = emit(LoopTest{v, end, 0});
      body(v);
      emit(LoopNext{v, test, dealt});
      at<LoopTest>(test).exit = here();
    });
  }

  void allocate(const Allocate& a) {
    expression(a.count);
    const bool between = place_ == Place::Block || place_ == Place::Warp, own = a.space == Space::Private;
    const New::Of of = !between || own ? New::Of::Thread : place_ == Place::Warp ? New::Of::Warp : New::Of::Block;
    emit(New{buffer(a.name, between && own), &a, of});
  }

  void parallel(const ParallelFor& p) {
    const Place outer = place_;
    scoped([&] {
      const auto rounds = units(p);
      const std::string unit = rounds ? "" : p.name;
      const auto run = [&](std::size_t u) { iterations(p, u, rounds); };
      if (p.level == Level::Local) {
        const Dealt dealt = outer == Place::Warp ? Dealt::Lanes : Dealt::Threads;
        place_ = Place::Local;  // a thread runs its share of the iterations, with scratch of its own
        const ParallelFor* around = std::exchange(lanes_, &p);
        const Stmt* branch = std::exchange(branch_, nullptr);
        std::vector<std::size_t> rounds = std::exchange(rounds_, {});
        loop(unit, dealt, run);
        lanes_ = around;
        branch_ = branch;
        rounds_ = std::move(rounds);
      } else if (p.level == Level::Warp) {
        place_ = Place::Warp;
        loop(unit, Dealt::Warps, run);
      } else {
        place_ = p.level == Level::Workgroup ? Place::Block : Place::Iteration;
        fork(p, unit, run);
      }
    });
    place_ = outer;
  }

  // Of a loop that is dealt out to units: where its extent is, and how far on a unit's next iteration.
  struct Rounds {
    std::size_t end, step;
  };
  // Leaves the number of units that have iterations on the stack; without units each iteration is one.
  std::optional<Rounds> units(const ParallelFor& p) {
    expression(p.extent);
    if (!p.units) return {};
    const Rounds out{variable("", 1), variable("", 1)};
    emit(Set{out.end, 1});
    expression(*p.units);
    emit(Set{out.step, 1});
    emit(PushVariable{out.end, 1});
    emit(PushVariable{out.step, 1});
    emit(OfUnits{});
    return out;
  }

  template <class Body>
  void fork(const ParallelFor& p, const std::string& unit, Body body) {
    const std::size_t v = variable(unit, 1);
    const std::size_t start = emit(Fork{&p, v, 0, p.level == Level::Workgroup ? threads_of(p) : 0});
    body(v);
    emit(End{});
    at<Fork>(start).after = here();
  }

  void iterations(const ParallelFor& p, std::size_t unit, const std::optional<Rounds>& rounds) {
    for (const Allocate& a : p.scratch) allocate(a);
    if (!rounds) return statement(*p.body);
    const std::size_t i = variable(p.name, 1);
    emit(PushVariable{unit, 1});
    emit(Set{i, 1});
    const std::size_t test = emit(LoopTest{i, rounds->end, 0});
    statement(*p.body);
    emit(PushVariable{i, 1});
    emit(PushVariable{rounds->step, 1});
    emit(Compute{ArithOp::Add});
    emit(Set{i, 1});
    emit(Jump{test});
    at<LoopTest>(test).exit = here();
  }

  // Lanes that shuffles read are there: those of a warp as the launch has it, of the threads that are asked for.
  std::int64_t with_their_warps() const {
    const std::int64_t whole = (threads_ - 1) / launch_.warp * launch_.warp + launch_.warp, block = launch_.block;
    return threads_ > block ? whole : std::min(whole, block);
  }
  std::int64_t threads_of(const ParallelFor& block) const {
    if (threads_ > 0) return has<Shuffle>(*block.body) ? with_their_warps() : threads_;
    std::vector<const ParallelFor*> loops;
    dealt_loops(*block.body, loops);
    std::int64_t n = 1;
    for (const ParallelFor* p : loops) {
      const auto size = as_size(p->extent);
      const auto value = size ? evaluate(*size, sizes_) : std::nullopt;
      const std::int64_t most = launch_.block;
      n = std::max(n, std::min(value.value_or(most), most) * (p->level == Level::Warp ? launch_.warp : 1));
    }
    return std::min<std::int64_t>(n, launch_.block);
  }

  const SizeValues& sizes_;
  const Domain& domain_;
  const std::int64_t threads_;
  const Launch launch_;
  Code code_;
  std::vector<Name> variables_, buffers_;
  const Stmt* from_ = nullptr;
  const Region* region_ = nullptr;
  const ParallelFor* lanes_ = nullptr;  // the local loop around, with what parts its iterations
  const Stmt* branch_ = nullptr;
  std::vector<std::size_t> rounds_;
  Place place_ = Place::Host;
};

}  // namespace

Code flatten(const Program& program, const SizeValues& sizes, const Domain& domain, std::int64_t threads_per_block) {
  return Flattener(sizes, domain, threads_per_block, program.launch).program(program);
}

}  // namespace lockstep::kernel::flat
