// Obligations of random kernels: none is refuted where the translation made them; and where a kernel was broken and the
// interpreter faults, not all are proved. The interpreter (semantics/kernel/run.h) shares nothing with the proofs.
#include <catch2/catch.hpp>

#include <algorithm>

#include "proofs/program_obligations.h"
#include "proofs/program_solver.h"
#include "props/generate.h"
#include "semantics/functional/infer.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "translate/kernel_rewrite.h"
#include "translate/kernel_walk.h"

using namespace lockstep;
using namespace lockstep::program_proofs;

namespace {

SolverAnswer no_solver(const std::vector<SizeFact>&, const SizeFact&) { return {Verdict::Unknown}; }

const Calculus& calculus() {
  static const Calculus c = standard_calculus();
  return c;
}

PhraseProgram random_program(std::uint64_t seed) {
  return infer(props::generate_program(seed), calculus(), no_solver)->entries.back();
}

// ---- a broken kernel: the k-th place where something can be made wrong, made wrong
class Breaker {
 public:
  Breaker(std::size_t at, std::uint64_t how) : at_(at), how_(how) {}

  kernel::Program operator()(const kernel::Program& p) {
    kernel::Program out = p;
    out.body = statement(p.body);
    return out;
  }
  std::size_t places() const { return seen_; }

 private:
  bool here() { return seen_++ == at_; }
  static kernel::Expr plus(const kernel::Expr& e, std::int64_t n) {
    return kernel::arith(kernel::ArithOp::Add, e, kernel::constant(n));
  }
  kernel::Expr off(const kernel::Expr& e) {
    if (how_ % 3 == 0) return plus(e, 1);
    if (how_ % 3 == 1) return plus(e, -1);
    return kernel::arith(kernel::ArithOp::Multiply, e, kernel::constant(2));
  }

  kernel::Expr expression(const kernel::Expr& e) {
    using namespace kernel;
    const auto go = [&](const ExprRef& r) { return ExprRef(expression(*r)); };
    const auto each = [&](const std::vector<ExprRef>& rs) {
      std::vector<ExprRef> out;
      for (const ExprRef& r : rs) out.push_back(go(r));
      return out;
    };
    return std::visit(
        Cases{[&](const Const&) { return e; }, [&](const Var&) { return e; },
              [&](const Arith& x) {
                return Expr{e.type, Arith{x.op, go(x.left), go(x.right)}};
              },
              [&](const Load& x) {
                return Expr{e.type, Load{x.buffer, here() ? ExprRef(off(*x.index)) : go(x.index)}};
              },
              [&](const VectorLoad& x) {
                return Expr{e.type, VectorLoad{x.buffer, x.width, here() ? ExprRef(off(*x.index)) : go(x.index)}};
              },
              [&](const Apply& x) {
                return Expr{e.type, Apply{x.primitive, x.operand, each(x.arguments)}};
              },
              [&](const Choose& x) {
                if (here()) return expression(how_ % 2 ? *x.then : *x.otherwise);
                return Expr{e.type, Choose{go(x.condition), go(x.then), go(x.otherwise)}};
              },
              [&](const Lane& x) {
                return Expr{e.type, Lane{go(x.vector), here() ? ExprRef(plus(*x.lane, 1)) : go(x.lane)}};
              },
              [&](const Build& x) {
                return Expr{e.type, Build{each(x.lanes)}};
              },
              [&](const Splat& x) {
                return Expr{e.type, Splat{x.width, go(x.scalar)}};
              }},
        e.node);
  }

  kernel::Stmt statement(const kernel::Stmt& s) {
    using namespace kernel;
    const auto go = [&](const StmtRef& r) { return StmtRef(statement(*r)); };
    return std::visit(
        Cases{[&](const Block& x) {
                Block out;
                for (const Stmt& c : x.statements) {
                  const bool leaf =
                      std::holds_alternative<Store>(c.node) || std::holds_alternative<kernel::Assign>(c.node) ||
                      std::holds_alternative<Barrier>(c.node) || std::holds_alternative<For>(c.node) ||
                      std::holds_alternative<ParallelFor>(c.node) || std::holds_alternative<Check>(c.node);
                  if (leaf && here()) {  // left out, or before the statement in front of it
                    const bool declares =
                        !out.statements.empty() && (std::holds_alternative<Declare>(out.statements.back().node) ||
                                                    std::holds_alternative<Allocate>(out.statements.back().node));
                    if (how_ % 2 == 0 && !out.statements.empty() && !declares) {
                      Stmt last = out.statements.back();
                      out.statements.back() = c;
                      out.statements.push_back(last);
                    }
                    continue;
                  }
                  out.statements.push_back(statement(c));
                }
                return Stmt{std::move(out)};
              },
              [&](const Declare& x) {
                std::optional<Expr> init;
                if (x.init && !here()) init = expression(*x.init);
                return Stmt{Declare{x.name, x.type, std::move(init)}};
              },
              [&](const kernel::Assign& x) {
                return Stmt{kernel::Assign{x.name, expression(x.value)}};
              },
              [&](const Store& x) {
                return Stmt{
                    Store{x.buffer, here() ? off(x.index) : expression(x.index), expression(x.value), x.streaming}};
              },
              [&](const For& x) {
                if (here()) return Stmt{For{x.name, plus(x.extent, how_ % 2 ? 1 : -1), x.body, x.unroll}};
                if (here()) return Stmt{ParallelFor{Level::Par, x.name, x.extent, {}, x.body}};
                return Stmt{For{x.name, expression(x.extent), go(x.body), x.unroll}};
              },
              [&](const Allocate& x) {
                return Stmt{Allocate{x.name, x.type, here() ? plus(x.count, -1) : x.count, x.space}};
              },
              [&](const ParallelFor& x) {
                if (here())
                  return Stmt{ParallelFor{x.level, x.name, plus(x.extent, how_ % 2 ? 1 : -1), x.scratch, x.body}};
                return Stmt{ParallelFor{x.level, x.name, expression(x.extent), x.scratch, go(x.body)}};
              },
              [&](const If& x) {
                if (here()) return how_ % 2 ? *x.then : *x.otherwise;
                return Stmt{If{expression(x.condition), go(x.then), go(x.otherwise)}};
              },
              [&](const While& x) {
                return Stmt{While{expression(x.condition), go(x.body)}};
              },
              [&](const Check& x) {
                return Stmt{Check{expression(x.ok), x.primitive, x.message, x.values, x.region}};
              },
              [&](const Barrier&) { return s; }, [&](const Comment&) { return s; }},
        s.node);
  }

  std::size_t at_, seen_ = 0;
  std::uint64_t how_;
};

std::vector<Scalar> random_scalars(kernel::KType t, std::int64_t n, props::Random& random) {
  std::vector<Scalar> out;
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t v = random.below(7) - 2;
    out.push_back(is_float(t.scalar)             ? make_ieee(t.scalar, static_cast<double>(v))
                  : t.scalar == ScalarType::Bool ? make_bool(v > 1)
                                                 : make_integer(t.scalar, static_cast<std::uint64_t>(v)));
  }
  return out;
}

std::optional<kernel::Fault> fault_of(const kernel::Program& p, const SizeValues& sizes, props::Random& random) {
  kernel::Buffers inputs;
  for (const kernel::Buffer& b : p.inputs) {
    const auto n = evaluate(b.count, sizes);
    if (!n || *n < 0 || *n > 10000) return {};
    inputs[b.name] = random_scalars(b.type, *n, random);
  }
  kernel::RunOptions options;
  options.detect_races = true;
  options.while_limit = 10000;
  const auto r = kernel::run(p, sizes, inputs, ieee_domain(), options);
  if (r) return {};
  const auto* f = std::get_if<kernel::Fault>(&r.error());
  // Overflow is assumed away; endless loops and operators that lost their check are no obligation.
  if (!f || f->kind == kernel::FaultKind::Overflow || f->kind == kernel::FaultKind::Endless ||
      f->kind == kernel::FaultKind::Unguarded)
    return {};
  return *f;
}

// The obligation that a fault says does not hold.
ObligationKind kind_of(const kernel::Fault& f) {
  switch (f.kind) {
    case kernel::FaultKind::OutOfBounds:
      return ObligationKind::Bounds;
    case kernel::FaultKind::Uninitialised:
      return ObligationKind::Initialisation;
    case kernel::FaultKind::Race:
      return ObligationKind::Races;
    case kernel::FaultKind::BarrierDivergence:
      return ObligationKind::Barriers;
    case kernel::FaultKind::BadDivision:
      return ObligationKind::Divisions;
    case kernel::FaultKind::Overflow:
    case kernel::FaultKind::Unguarded:
    case kernel::FaultKind::Endless:
      break;
  }
  throw Bug("a fault that is assumed away");
}

}  // namespace

TEST_CASE("nothing is refuted of two hundred random programs, and nearly all is proved", "[proofs]") {
  std::map<ObligationKind, Tally> sums;
  std::string rest;
  for (std::uint64_t k = 0; k < 200; ++k) {
    const PhraseProgram source = random_program(props::seed_of(21, k));
    for (const MachineObligations& m : program_obligations(source, calculus(), 200)) {
      const kernel::Program last = run_pipeline(source, calculus(), m.machine).kernels.back().program;
      if (!kernel::check(last).empty()) continue;  // block memory that threads would share: refused before it is run
      for (const ProgramObligation& o : m.obligations) {
        Tally& t = sums[o.kind];
        t.proved += o.standing == Standing::Proved, t.excepted += o.standing == Standing::Excepted;
        t.unknown += o.standing == Standing::Unknown, t.violated += o.standing == Standing::Violated;
        INFO("program " << k << ": " << o.name << " | " << o.where << " | " << o.detail << "\n" << kernel::print(last));
        CHECK(o.standing != Standing::Violated);
        if (o.standing != Standing::Proved)
          rest += "\n  " + std::to_string(k) + " " + std::string(show(o.kind)) + ": " + o.name + ", " + o.where + ": " +
                  o.detail;
      }
    }
  }
  std::string text;
  for (const auto& [kind, t] : sums) {
    text += std::string(show(kind)) + " " + std::to_string(t.proved) + "/" + std::to_string(t.all()) + " ";
    CHECK(t.proved * 100 >= t.all() * 98);
  }
  WARN(text + rest);
}

TEST_CASE("what a fault of a broken kernel says does not hold is not proved", "[proofs]") {
  std::size_t broken = 0, faulty = 0, refuted = 0;
  for (std::uint64_t k = 0; k < 150; ++k) {
    props::Random random(props::seed_of(22, k));
    const PhraseProgram source = random_program(props::seed_of(23, k));
    const auto machine = random.percent(50) ? Machine::Cpu : Machine::Gpu;
    const kernel::Program right = run_pipeline(source, calculus(), machine).kernels.back().program;
    Breaker count(static_cast<std::size_t>(-1), 0);
    count(right);
    for (int m = 0; m < 6 && count.places() > 0; ++m) {
      const kernel::Program wrong =
          Breaker(static_cast<std::size_t>(random.below(static_cast<int>(count.places()))), random.next() >> 8)(right);
      ++broken;
      std::optional<kernel::Fault> fault;
      for (const SizeValues& sizes : props::small_sizes(source, 8, random))
        if (!fault) fault = fault_of(wrong, sizes, random);
      if (!fault) continue;
      ++faulty;
      Prover prover(200);
      const auto all = kernel_obligations(wrong, prover);
      const bool proved = std::all_of(all.begin(), all.end(), [&](const ProgramObligation& o) {
        return o.kind != kind_of(*fault) || o.standing == Standing::Proved;
      });
      refuted += std::any_of(all.begin(), all.end(),
                             [](const ProgramObligation& o) { return o.standing == Standing::Violated; });
      INFO("program " << k << ": " << show(fault->kind) << ": " << fault->message << "\n" << kernel::print(wrong));
      CHECK_FALSE(proved);
    }
  }
  WARN(broken << " broken kernels, " << faulty << " fault, of which " << refuted
              << " are refuted with a counterexample");
  CHECK(faulty > 100);
  CHECK(refuted * 2 > faulty);
}

// ------------------------------------------------------------------------------------------------------ in place
namespace {

// The copy that a statement is: (state, next).
std::optional<std::pair<std::string, std::string>> copy_of(const kernel::Stmt& s) {
  using namespace kernel;
  if (const auto* a = std::get_if<kernel::Assign>(&s.node)) {
    const auto* v = std::get_if<Var>(&a->value.node);
    return v ? std::optional(std::pair{a->name, v->name}) : std::nullopt;
  }
  if (const auto* st = std::get_if<Store>(&s.node)) {
    const auto* l = std::get_if<Load>(&st->value.node);
    return l && *l->index == st->index ? std::optional(std::pair{st->buffer, l->buffer}) : std::nullopt;
  }
  if (const auto* b = std::get_if<Block>(&s.node))
    return b->statements.size() == 1 ? copy_of(b->statements[0]) : std::nullopt;
  if (const auto* f = std::get_if<For>(&s.node)) return copy_of(*f->body);
  if (const auto* p = std::get_if<ParallelFor>(&s.node)) return copy_of(*p->body);
  return {};
}

// Without `gone` and without the declaration of `name`.
kernel::Stmt without(const kernel::Stmt& s, const kernel::Stmt* gone, const std::string& name) {
  using namespace kernel;
  const auto go = [&](const StmtRef& r) { return StmtRef(without(*r, gone, name)); };
  if (const auto* b = std::get_if<Block>(&s.node)) {
    Block out;
    for (const Stmt& c : b->statements) {
      const auto* d = std::get_if<Declare>(&c.node);
      const auto* a = std::get_if<Allocate>(&c.node);
      if (&c != gone && !(d && d->name == name) && !(a && a->name == name))
        out.statements.push_back(without(c, gone, name));
    }
    return Stmt{std::move(out)};
  }
  if (const auto* f = std::get_if<For>(&s.node)) return Stmt{For{f->name, f->extent, go(f->body), f->unroll}};
  if (const auto* i = std::get_if<If>(&s.node)) return Stmt{If{i->condition, go(i->then), go(i->otherwise)}};
  if (const auto* w = std::get_if<While>(&s.node)) return Stmt{While{w->condition, go(w->body)}};
  if (const auto* p = std::get_if<ParallelFor>(&s.node)) {
    ParallelFor out{p->level, p->name, p->extent, {}, go(p->body)};
    for (const Allocate& a : p->scratch)
      if (a.name != name) out.scratch.push_back(a);
    return Stmt{std::move(out)};
  }
  return s;
}

// Every program in which one temporary is merged into a state, rightly or not.
std::vector<kernel::Program> merged(const kernel::Program& p) {
  std::map<std::string, std::pair<const kernel::Stmt*, std::string>> copies;
  std::map<std::string, int> count;
  kernel::each_statement(p.body, [&](const kernel::Stmt& s) {
    const auto* b = std::get_if<kernel::Block>(&s.node);
    if (!b) return;
    for (const kernel::Stmt& c : b->statements)
      if (const auto copy = copy_of(c)) copies[copy->second] = {&c, copy->first}, ++count[copy->second];
  });
  std::vector<kernel::Program> out;
  for (const auto& [next, copy] : copies) {
    if (count[next] > 1) continue;
    kernel::Program q = p;
    q.body = kernel::rename(without(p.body, copy.first, next), next, copy.second);
    if (kernel::check(q).empty()) out.push_back(std::move(q));
  }
  return out;
}

std::optional<std::string> outcome(const kernel::Program& p, const SizeValues& sizes, std::uint64_t seed) {
  props::Random random(seed);
  kernel::Buffers inputs;
  for (const kernel::Buffer& b : p.inputs) inputs[b.name] = random_scalars(b.type, *evaluate(b.count, sizes), random);
  kernel::RunOptions options;
  options.while_limit = 10000;
  const auto r = kernel::run(p, sizes, inputs, ieee_domain(), options);
  if (!r) return std::holds_alternative<Trap>(r.error()) ? "trap" : "fault";
  std::string out;
  for (const auto& [name, scalars] : *r)
    for (const Scalar& s : scalars) out += std::to_string(s.bits) + " ";
  return out;
}

}  // namespace

TEST_CASE("a temporary merged into a state so that results change is not proved to be in place", "[proofs]") {
  std::size_t all = 0, wrong = 0, proved = 0;
  for (std::uint64_t k = 0; k < 400; ++k) {
    props::Random random(props::seed_of(24, k));
    const PhraseProgram source = random_program(props::seed_of(25, k));
    const kernel::Program before = run_pipeline(source, calculus(), Machine::Cpu).kernels[0].program;
    for (const kernel::Program& after : merged(before)) {
      ++all;
      bool differs = false;
      for (const SizeValues& sizes : props::small_sizes(source, 6, random))
        differs = differs || outcome(before, sizes, k) != outcome(after, sizes, k);
      Prover prover(200);
      const auto found = in_place_obligations(before, after, prover);
      const bool good = !found.empty() && std::all_of(found.begin(), found.end(), [](const ProgramObligation& o) {
        return o.standing == Standing::Proved;
      });
      wrong += differs, proved += good;
      INFO("program " << k << "\n" << kernel::print(before) << "\n" << kernel::print(after));
      if (differs) CHECK_FALSE(good);
    }
  }
  WARN(all << " temporaries merged, " << proved << " proved in place, " << wrong << " change the results");
  CHECK(wrong > 5);
  CHECK(proved > 50);
}
