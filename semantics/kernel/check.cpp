// The kernel language's typing and nesting rules (check.h). In: a program; out: what is wrong with it.
//   expressions   operands of index arithmetic are i64, of And bool; Apply's arguments have its operand type
//   levels        Warp directly inside Workgroup (sequential loops between), Local inside either, Par inside Par; no
//                 other nesting
//   barriers      of a block directly inside Workgroup, of a warp directly inside Warp: then all of its threads meet it
//   shuffles      in a local loop directly inside Warp, with an iteration for each lane at most: in every warp
//   atomic        by an operator whose updates may come in any order, on integers; by one thread: not between local
//                 loops
//   parallel      a variable declared outside a parallel iteration is not assigned inside it, and a Private buffer of a
//                 block is not stored to by its threads, each of which has its own copy
//   spaces        a Local buffer stands in a block; a Private one is used by no other blocks or threads than those that
//                 run what is around it; arrays that say where they begin lie apart
#include "semantics/kernel/check.h"

#include <array>
#include <set>

#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/units.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::kernel {
namespace {

constexpr KType index_ktype{ScalarType::I64, 1};
constexpr KType bool_ktype{ScalarType::Bool, 1};

struct Entity {
  std::string name;
  KType type;
  bool buffer = false;
  bool writable = true;
  Space space = Space::Global;
  std::size_t parallel_depth = 0;  // how many parallel loops enclose its declaration
};

class Checker {
 public:
  explicit Checker(const Program& p) : program_(p) {}

  std::vector<std::string> run() {
    if (const auto why = wrong_launch(program_.launch)) wrong(*why);
    for (const std::string& s : program_.sizes) {
      outermost(s);
      scope_.push_back({s, index_ktype, false, false});
    }
    for (const Buffer& b : program_.inputs) parameter(b, false);
    for (const Buffer& b : program_.outputs) parameter(b, true);
    std::set<std::string> fitting;
    for (const Size& s : program_.narrow.value_or(std::vector<Size>{})) collect_names(s, fitting);
    are_sizes(fitting, "what has to fit");
    statement(program_.body);
    SizeContext known;
    for (const SizeFact& f : program_.facts) known.assume(f);
    for (const BlockMemory& m : block_memories(program_))
      for (const std::string& why : wrong_layout(m, known)) wrong(why);
    return std::move(wrong_);
  }

 private:
  void wrong(const std::string& what) { wrong_.push_back(what); }
  void outermost(const std::string& name) {
    if (!parameters_.insert(name).second) wrong("'" + name + "' is declared twice among the parameters");
  }
  void parameter(const Buffer& b, bool writable) {
    outermost(b.name);
    width(b.type, "buffer '" + b.name + "'");
    std::set<std::string> names;
    collect_names(b.count, names);
    for (const Size& d : b.dims) collect_names(d, names);
    if (b.below) collect_names(*b.below, names);
    if (b.below && (writable || b.type != index_ktype)) wrong("'" + b.name + "' holds no indices that are given");
    are_sizes(names, "the shape of '" + b.name + "'");
    scope_.push_back({b.name, b.type, true, writable});
  }
  void are_sizes(const std::set<std::string>& names, const std::string& what) {
    for (const std::string& n : names)
      if (!find(n, false)) wrong(what + " mentions '" + n + "', which is no size");
  }
  void width(KType t, const std::string& where) {
    static constexpr std::array legal{1, 2, 3, 4, 8, 16};
    for (int w : legal)
      if (w == t.width) return;
    wrong(where + " has " + std::to_string(t.width) + " lanes; 1, 2, 3, 4, 8 and 16 are legal");
  }

  // ---- scopes
  const Entity* find(const std::string& name, bool buffer) const {
    for (auto e = scope_.rbegin(); e != scope_.rend(); ++e)
      if (e->name == name && e->buffer == buffer) return &*e;
    return nullptr;
  }
  const Entity* buffer(const std::string& name) {
    const Entity* e = find(name, true);
    if (!e) wrong("buffer '" + name + "' is not declared");
    if (e) reached(*e);
    return e;
  }
  // The registers of the thread outside are no other's. CPU threads have one memory.
  void reached(const Entity& e) {
    if (e.space != Space::Private || e.parallel_depth > 0 || levels_.empty()) return;
    if (levels_.front() == Level::Par) return;
    wrong("'" + e.name + "' is private to the thread that runs what is outside " + loop(0) +
          ", whose threads use it: @global could stand");
  }
  std::string loop(std::size_t k) const {
    return "the " + std::string(word_of(levels_[k])) + " loop over '" + loops_[k]->name + "'";
  }
  template <class F>
  void scoped(F f) {
    std::size_t n = scope_.size();
    f();
    scope_.resize(n);
  }
  void declare(const std::string& name, KType t, bool is_buffer, bool writable, Space s = Space::Private) {
    width(t, "'" + name + "'");
    scope_.push_back({name, t, is_buffer, writable, s, levels_.size()});
  }

  // ---- expressions
  void expect(const Expr& e, KType t, const std::string& what) {
    if (e.type != t) wrong(what + " has type " + print(e.type) + ", expected " + print(t) + ": " + print(e));
    expression(e);
  }
  void has_type(const Expr& e, KType t) {
    if (e.type != t) wrong("the type noted is " + print(e.type) + ", but it is " + print(t) + ": " + print(e));
  }

  void expression(const Expr& e) {
    match(
        e.node,
        [&](const Const& c) {
          has_type(e, {c.value.type, 1});
        },
        [&](const Var& v) {
          const Entity* d = find(v.name, false);
          if (!d)
            wrong("'" + v.name + "' is not declared");
          else
            has_type(e, d->type);
        },
        [&](const Arith& a) { arithmetic(e, a); },
        [&](const Load& l) {
          const Entity* b = buffer(l.buffer);
          if (b) has_type(e, {b->type.scalar, 1});
          expect(*l.index, index_ktype, "an index");
        },
        [&](const VectorLoad& l) {
          const Entity* b = buffer(l.buffer);
          if (b) has_type(e, {b->type.scalar, l.width});
          width(e.type, "a vector load");
          expect(*l.index, index_ktype, "an index");
        },
        [&](const Apply& a) { application(e, a); },
        [&](const Choose& c) {
          expect(*c.condition, bool_ktype, "a condition");
          expect(*c.then, e.type, "a choice");
          expect(*c.otherwise, e.type, "a choice");
        },
        [&](const Lane& l) {
          has_type(e, {l.vector->type.scalar, 1});
          if (l.vector->type.width < 2) wrong("a lane of what is no short vector: " + print(e));
          expression(*l.vector);
          expect(*l.lane, index_ktype, "a lane's number");
          constant_lane(l);
        },
        [&](const Build& b) {
          has_type(e, {e.type.scalar, static_cast<int>(b.lanes.size())});
          width(e.type, "a short vector");
          for (const ExprRef& l : b.lanes) expect(*l, {e.type.scalar, 1}, "a lane");
        },
        [&](const Splat& s) {
          has_type(e, {e.type.scalar, s.width});
          width(e.type, "a short vector");
          expect(*s.scalar, {e.type.scalar, 1}, "a lane");
        });
  }

  void constant_lane(const Lane& l) {
    const auto k = constant_of(*l.lane);
    if (k && (*k < 0 || *k >= l.vector->type.width))
      wrong("lane " + std::to_string(*k) + " of " + print(l.vector->type));
  }

  void arithmetic(const Expr& e, const Arith& a) {
    bool number = a.op < ArithOp::Less;
    has_type(e, number ? index_ktype : bool_ktype);
    KType operand = a.op == ArithOp::And ? bool_ktype : index_ktype;
    expect(*a.left, operand, "an operand of " + std::string(symbol_of(a.op)));
    expect(*a.right, operand, "an operand of " + std::string(symbol_of(a.op)));
  }

  void application(const Expr& e, const Apply& a) {
    const ScalarOp* op = a.primitive ? std::get_if<ScalarOp>(&a.primitive->kind) : nullptr;
    if (!op) return wrong("what is applied is no scalar operator");
    const std::string& name = a.primitive->name;
    const int& arity = op->arity;
    if (static_cast<int>(a.arguments.size()) != arity)
      wrong("'" + name + "' takes " + std::to_string(arity) + " arguments");
    has_type(e, {op->result(a.operand.scalar), a.operand.width});
    for (const ExprRef& x : a.arguments) expect(*x, a.operand, "an argument of '" + name + "'");
  }

  // ---- statements
  void statement(const Stmt& s) {
    match(
        s.node,
        [&](const Block& b) {
          scoped([&] {
            for (const Stmt& x : b.statements) statement(x);
          });
        },
        [&](const Declare& d) {
          if (d.init) expect(*d.init, d.type, "the start of '" + d.name + "'");
          declare(d.name, d.type, false, true);
        },
        [&](const Assign& a) { assignment(a); }, [&](const Store& t) { store(t); }, [&](const Atomic& a) { atomic(a); },
        [&](const For& f) {
          expect(f.extent, index_ktype, "the extent of '" + f.name + "'");
          scoped([&] {
            declare(f.name, index_ktype, false, false);
            statement(*f.body);
          });
        },
        [&](const Allocate& a) { allocate(a); }, [&](const ParallelFor& p) { parallel(p); },
        [&](const If& i) {
          expect(i.condition, bool_ktype, "a condition");
          scoped([&] { statement(*i.then); });
          scoped([&] { statement(*i.otherwise); });
        },
        [&](const While& w) {
          expect(w.condition, bool_ktype, "a condition");
          scoped([&] { statement(*w.body); });
        },
        [&](const Check& c) {
          expect(c.ok, bool_ktype, "a check");
          if (c.values.size() > 4) wrong("a check shows at most 4 values");
          for (const Expr& v : c.values) {
            if (v.type.width != 1) wrong("a check shows scalars, not " + print(v.type));
            expression(v);
          }
        },
        [&](const Barrier& b) {
          if (b.scope != Level::Workgroup && b.scope != Level::Warp)
            wrong("a barrier is of a block's threads or of a warp's");
          else if (levels_.empty() || levels_.back() != b.scope)
            wrong(b.scope == Level::Warp
                      ? "a barrier of a warp stands directly in a warp loop, outside its local loops"
                      : "a barrier stands directly in a workgroup loop, outside its local and warp loops");
        },
        [&](const Comment&) {}, [&](const Shuffle& x) { shuffle(x); });
  }

  void shuffle(const Shuffle& x) {
    const std::string what = "the shuffle that makes '" + x.name + "' ";
    const std::int64_t warp = program_.launch.warp;
    if (x.width < 1 || x.width > warp || (x.width & (x.width - 1)) != 0)
      wrong(what + "cuts the warp into segments of " + std::to_string(x.width) + " lanes; 1, 2, 4, ... up to the " +
            std::to_string(warp) + " lanes of the warp are legal");
    if (x.type.width != 1) wrong(what + "moves a " + print(x.type) + "; each lane gives one scalar");
    const bool of_warp = loops_.size() >= 2 && levels_.back() == Level::Local && loops_.end()[-2]->level == Level::Warp;
    if (!of_warp) {
      wrong(what + (loops_.empty() ? "stands outside parallel loops" : "stands in " + named(*loops_.back())) +
            "; it can stand in a local loop directly in a warp loop, whose lanes it is for");
    } else {
      const auto n = constant_of(loops_.back()->extent);
      const std::int64_t lanes = fewest_units(program_.launch, Level::Local, Level::Warp);
      if (!n || *n > lanes)
        wrong(what + "stands in " + named(*loops_.back()) + " with " + print(loops_.back()->extent) +
              " iterations; a number of at most " + std::to_string(lanes) +
              ", the lanes of the smallest warp, has each on a lane of its own");
    }
    expect(x.value, x.type, "what is shuffled to '" + x.name + "'");
    expect(x.lane, index_ktype, "a lane's number");
    declare(x.name, x.type, false, true);
  }
  static std::string named(const ParallelFor& p) {
    return "the " + std::string(word_of(p.level)) + " loop over '" + p.name + "'";
  }

  void assignment(const Assign& a) {
    const Entity* v = find(a.name, false);
    if (!v) return wrong("'" + a.name + "' is not declared");
    if (!v->writable) wrong("'" + a.name + "' is a size or a loop's variable; it is not assigned");
    if (v->parallel_depth < levels_.size())
      wrong("'" + a.name + "' is declared outside the parallel iteration that assigns it");
    expect(a.value, v->type, "what is assigned to '" + a.name + "'");
  }

  void store(const Store& t) {
    expect(t.index, index_ktype, "an index");
    expression(t.value);
    if (const Entity* b = buffer(t.buffer)) stored_to(t.buffer, *b, t.value);
  }
  void atomic(const Atomic& a) {
    expect(a.index, index_ktype, "an index");
    expression(a.value);
    const ScalarOp* op = a.primitive ? std::get_if<ScalarOp>(&a.primitive->kind) : nullptr;
    const Entity* b = buffer(a.buffer);
    if (b) stored_to(a.buffer, *b, a.value);
    if (a.value.type.width != 1) wrong("an atomic update of '" + a.buffer + "' by " + print(a.value.type));
    if (!op) return wrong("an atomic update by what is no scalar operator");
    if (const auto why = scalars::why_ordered(*op, a.value.type.scalar)) wrong("an atomic update, but " + *why);
    if (levels_.empty() || (levels_.back() != Level::Workgroup && levels_.back() != Level::Warp)) return;
    wrong("an atomic update of '" + a.buffer + "' stands between local loops, where every thread would make it");
  }
  void stored_to(const std::string& buffer, const Entity& to, const Expr& value) {
    const Entity* b = &to;
    if (!b->writable) wrong("'" + buffer + "' is an input; it is not stored to");
    if (value.type.scalar != b->type.scalar)
      wrong("what is stored to '" + buffer + "' is of " + print(value.type) + ", the buffer of " + print(b->type));
    const bool outside = b->space == Space::Private && b->parallel_depth > 0 && b->parallel_depth < levels_.size();
    const Level around = outside ? levels_[b->parallel_depth - 1] : Level::Seq;
    if (around == Level::Workgroup || around == Level::Warp)
      wrong("'" + buffer + "' is private and declared outside the " + std::string(word_of(levels_[b->parallel_depth])) +
            " loop that stores to it");
  }

  void array(const Allocate& a) {
    expect(a.count, index_ktype, "the count of '" + a.name + "'");
    if (a.at) expect(*a.at, index_ktype, "where '" + a.name + "' begins");
    if (a.at && a.space != Space::Local) wrong("'" + a.name + "' says where it begins, but is no block's");
  }
  void allocate(const Allocate& a) {
    array(a);
    local(a);
    declare(a.name, a.type, true, true, a.space);
  }
  // What is outside every block outlives each: no block's memory holds it.
  void local(const Allocate& a) {
    if (a.space != Space::Local) return;
    for (const Level l : levels_)
      if (l == Level::Workgroup) return;
    wrong("'" + a.name + "' is local, in the memory of a block, but stands " +
          (levels_.empty() ? "outside every parallel loop" : "in " + loop(levels_.size() - 1) + ", in no block") +
          ": @global could stand, or a workgroup loop around it");
  }

  void parallel(const ParallelFor& p) {
    expect(p.extent, index_ktype, "the extent of '" + p.name + "'");
    level(p);
    units(p);
    for (const Allocate& a : p.scratch) array(a);
    levels_.push_back(p.level);
    loops_.push_back(&p);
    scoped([&] {
      for (const Allocate& a : p.scratch) {
        local(a);
        declare(a.name, a.type, true, true, a.space);
      }
      declare(p.name, index_ktype, false, false);
      statement(*p.body);
    });
    levels_.pop_back();
    loops_.pop_back();
  }

  void level(const ParallelFor& p) {
    const std::string loop = named(p) + " ";
    if (!is_parallel(p.level)) return wrong(loop + "has a level that is no parallel one");
    const bool of_block = p.level == Level::Warp || p.level == Level::Local;
    if (levels_.empty() ? !of_block : nests(levels_.back(), p.level)) return;
    if (!of_block) return wrong(loop + "stands inside a " + std::string(word_of(levels_.back())) + " loop");
    wrong(loop + "does not stand in a workgroup " + (p.level == Level::Local ? "or warp loop" : "loop"));
  }

  void units(const ParallelFor& p) {
    if (!p.units) return;
    const std::string loop = named(p) + " ";
    expect(*p.units, index_ktype, "what " + loop + "is dealt out to");
    if (!is_parallel(p.level)) return;
    const auto n = constant_of(*p.units);
    const std::int64_t most = most_units(program_.launch, p.level, levels_.empty() ? Level::Seq : levels_.back());
    if (n && (*n < 1 || *n > most))
      wrong(loop + "is dealt out to " + std::to_string(*n) + " units, the launch has " + std::to_string(most));
  }

  const Program& program_;
  std::vector<std::string> wrong_;
  std::vector<Entity> scope_;
  std::set<std::string> parameters_;
  std::vector<Level> levels_;  // of the enclosing parallel loops
  std::vector<const ParallelFor*> loops_;
};

}  // namespace

std::vector<std::string> check(const Program& program) { return Checker(program).run(); }

}  // namespace lockstep::kernel
