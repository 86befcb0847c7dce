// Intermediate combinators to loops (DPIA §4.2), with the amendment of design.md: a step of reduce, scan, iterate and
// while writes a fresh temporary that is then copied back. mapI at a parallel level is parfor, at Seq and Unroll a for.
#include "semantics/functional/names.h"
#include "semantics/functional/shape.h"
#include "semantics/primitives/constant.h"
#include "translate/dpia/fig5.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

class Loops {
 public:
  Loops(const Calculus& calculus, Names& names, Machine machine)
      : fig5_(calculus, names), calculus_(calculus), names_(names), machine_(machine) {}

  PhraseRef command(const PhraseRef& p, Runs by) {
    const auto* x = as<ImpPhrase>(*p);
    if (!x) return map_children(p, [&](const PhraseRef& c) { return command(c, by); });
    return default_region(constant(p, *x, by), p->region);
  }

 private:
  PhraseRef constant(const PhraseRef& p, const ImpPhrase& x, Runs by) {
    return match(
        x.constant, [&](const imp::MapI& c) { return map_i(c.level, x, by); },
        [&](const imp::ReduceI&) { return reduce_i(x, by); },
        [&](const imp::ScanI& c) { return scan_i(c.exclusive, x, by); },
        [&](const imp::IterateI&) { return iterate_i(x, by); }, [&](const imp::WhileI&) { return while_i(x, by); },
        [&](const imp::ParFor& c) { return par_for_at(c.level, x, by); },
        [&](const imp::New& c) { return variable(c.space, p, x, by); },
        [&](const OneOf<imp::Skip, imp::Seq, imp::Assign, imp::For, imp::IdxAcc, imp::Cond, imp::While, imp::Check,
                        imp::Own, imp::Barrier> auto&) {
          return map_children(p, [&](const PhraseRef& c) { return command(c, by); });
        });
  }

  const PrimitiveRef& idx() const { return calculus_.primitive("idx"); }
  PhraseRef copy(const PhraseRef& a, const PhraseRef& e, Runs by) { return command(fig5_.assign(a, e), by); }

  // Auto: what the translation itself made. Over the threads that there are, unless a level stands inside; short copies
  // unrolled.
  Level resolve(Level l, const Size& n, Runs by, bool levels_inside) const {
    if (machine_ == Machine::Cpu) {  // a block is one thread there
      if (l == Level::Warp || l == Level::Local) return Level::Seq;
      if (l == Level::Global || l == Level::Workgroup) return Level::Par;
    }
    if (l == Level::Local && by == Runs::Machine) return Level::Global;  // no block around: all threads are one
    if (l != Level::Auto) return l;
    if (const auto k = n.constant(); k && *k <= 16) return Level::Unroll;
    if (levels_inside || by == Runs::Thread) return Level::Seq;
    if (by == Runs::Block || by == Runs::Warp) return Level::Local;
    return machine_ == Machine::Cpu ? Level::Par : Level::Global;
  }
  // A block is one thread on a CPU, which has its memory where it has any.
  PhraseRef variable(Space s, const PhraseRef& p, const ImpPhrase& x, Runs by) {
    const auto* binder = as<LambdaPhrase>(*x.arguments[0]);
    if (machine_ != Machine::Cpu || s != Space::Local || !binder)
      return map_children(p, [&](const PhraseRef& c) { return command(c, by); });
    return new_variable(Space::Auto, x.types[0], binder->name, [&](const PhraseRef& v) {
      return command(substitute(binder->body, {{binder->name, v}}), by);
    });
  }
  Runs inner(Level l, Runs by) const { return runs_inside(l, by, machine_); }

  // mapI = \F E A. parfor n A (\i a. F (idx E i) a)
  PhraseRef map_i(Level wanted, const ImpPhrase& x, Runs by) {
    const Size& n = x.sizes[0];
    const Level level = resolve(wanted, n, by, has_parallel_loop(*x.arguments[0]));
    const PhraseRef &f = x.arguments[0], &e = x.arguments[1], &a = x.arguments[2];
    const bool parallel = is_parallel(level);
    const auto body = [&](const PhraseRef& i, const PhraseRef& o) {
      return command(apply(apply(f, idx_of(idx(), e, i)), o), inner(level, by));
    };
    if (!parallel)  // §6.2: "we reuse the sequential for primitive"
      return for_loop(level, n, names_.fresh("i"), [&](const PhraseRef& i) { return body(i, idx_acc(a, i)); });
    const std::string i = names_.fresh("i"), o = names_.fresh("o");
    return par_for(level, a, i, o, body);
  }

  // generate makes a parfor directly; at a sequential level it is a for.
  PhraseRef par_for_at(Level wanted, const ImpPhrase& x, Runs by) {
    const Level level = resolve(wanted, x.sizes[0], by, has_parallel_loop(*x.arguments[1]));
    const PhraseRef& a = x.arguments[0];
    const auto body = [&](const PhraseRef& i, const PhraseRef& o) {
      return command(apply(apply(x.arguments[1], i), o), inner(level, by));
    };
    if (!is_parallel(level))
      return for_loop(level, x.sizes[0], names_.fresh("i"), [&](const PhraseRef& i) { return body(i, idx_acc(a, i)); });
    const std::string i = names_.fresh("i"), o = names_.fresh("o");
    return par_for(level, a, i, o, body);
  }

  // v := F .. v.2, through a temporary
  PhraseRef step(const PhraseRef& v, const Type& d, Runs by, const std::function<PhraseRef(PhraseRef)>& write,
                 Space s = Space::Auto) {
    return new_variable(s, d, names_.fresh("next"), [&](const PhraseRef& next) {
      return seq({command(write(proj(1, next)), by), copy(proj(1, v), proj(2, next), by)});
    });
  }

  // new d2 (\acc. acc.1 := I; for n (\i. new d2 (\next. F (idx E i) acc.2 next.1; acc.1 := next.2)); C acc.2)
  PhraseRef reduce_i(const ImpPhrase& x, Runs by) {
    const Type& d = x.types[1];
    return new_variable(Space::Auto, d, names_.fresh("acc"), [&](const PhraseRef& acc) {
      const PhraseRef loop = for_loop(Level::Seq, x.sizes[0], names_.fresh("i"), [&](const PhraseRef& i) {
        return step(acc, d, by, [&](const PhraseRef& o) {
          return apply(apply(apply(x.arguments[0], idx_of(idx(), x.arguments[2], i)), proj(2, acc)), o);
        });
      });
      return seq({copy(proj(1, acc), x.arguments[1], by), loop, command(apply(x.arguments[3], proj(2, acc)), by)});
    });
  }

  PhraseRef scan_i(bool exclusive, const ImpPhrase& x, Runs by) {
    const Type& d = x.types[1];
    return new_variable(Space::Auto, d, names_.fresh("acc"), [&](const PhraseRef& acc) {
      const PhraseRef loop = for_loop(Level::Seq, x.sizes[0], names_.fresh("i"), [&](const PhraseRef& i) {
        const PhraseRef next = step(acc, d, by, [&](const PhraseRef& o) {
          return apply(apply(apply(x.arguments[0], idx_of(idx(), x.arguments[2], i)), proj(2, acc)), o);
        });
        const PhraseRef out = copy(idx_acc(x.arguments[3], i), proj(2, acc), by);
        return exclusive ? seq(out, next) : seq(next, out);
      });
      return seq(copy(proj(1, acc), x.arguments[1], by), loop);
    });
  }

  // Of a block, or of a warp: in its memory, where the variable that it begins with lies there.
  static Space space_of_state(const PhraseRef& e, Runs by) {
    const auto* p = as<ProjPhrase>(*e);
    const auto* t = as<ExpType>(e->type);
    const bool together = by == Runs::Block || by == Runs::Warp;
    return together && p && as<Ident>(*p->phrase) && t && t->space == Space::Local ? Space::Local : Space::Auto;
  }

  PhraseRef iterate_i(const ImpPhrase& x, Runs by) {
    const Type& d = x.types[0];
    const Space space = space_of_state(x.arguments[1], by);
    return new_variable(space, d, names_.fresh("state"), [&](const PhraseRef& v) {
      const PhraseRef loop = for_loop(Level::Seq, x.sizes[0], names_.fresh("i"), [&](const PhraseRef&) {
        return step(
            v, d, by, [&](const PhraseRef& o) { return apply(apply(x.arguments[0], proj(2, v)), o); }, space);
      });
      return seq({copy(proj(1, v), x.arguments[1], by), loop, command(apply(x.arguments[2], proj(2, v)), by)});
    });
  }

  PhraseRef while_i(const ImpPhrase& x, Runs by) {
    const Type& d = x.types[0];
    const Space space = space_of_state(x.arguments[2], by);
    const auto refreshed = [&](const PhraseRef& p) { return refresh(p, names_); };  // the condition stands twice
    return new_variable(space, d, names_.fresh("state"), [&](const PhraseRef& v) {
      return new_variable(Space::Auto, scalar(ScalarType::Bool), names_.fresh("again"), [&](const PhraseRef& b) {
        const auto test = [&](const PhraseRef& f) { return command(apply(apply(f, proj(2, v)), proj(1, b)), by); };
        const PhraseRef body =
            seq({step(
                     v, d, by, [&](const PhraseRef& o) { return apply(apply(x.arguments[1], proj(2, v)), o); }, space),
                 test(refreshed(x.arguments[0]))});
        return seq({copy(proj(1, v), x.arguments[2], by), test(x.arguments[0]), while_loop(proj(2, b), body),
                    command(apply(x.arguments[3], proj(2, v)), by)});
      });
    });
  }

  Fig5 fig5_;
  const Calculus& calculus_;
  Names& names_;
  Machine machine_;
};

}  // namespace

Stage loops(const DpiaLanguages& l, Machine machine) {
  return stage_of<PhraseProgram, PhraseProgram>(
      "loops", "DPIA §4.2, amended", l.imperative, l.imperative,
      [c = l.calculus, machine](const PhraseProgram& p, Owed*) {
        Names names = names_of(p);
        PhraseProgram out = p;
        out.body = Loops(*c, names, machine).command(p.body, Runs::Machine);
        return out;
      },
      // A state that is an index costs nothing to read until it has a variable: hence the writes.
      {CostRelation::Change::NotMoreButWrites, CostRelation::Change::NotMoreInOrder});
}

}  // namespace lockstep
