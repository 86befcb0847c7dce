// Obligations of random kernels: none is refuted where the translation made them; and where a temporary was merged into
// a state so that results change, not all are proved. broken_kernels_test has kernels that fault. The interpreter
// (semantics/kernel/run.h) shares nothing with the proofs.
#include <catch2/catch.hpp>

#include <algorithm>

#include "proofs/kernel/obligations.h"
#include "proofs/kernel/prover.h"
#include "props/dpia/generate.h"
#include "semantics/functional/inference/infer.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"

namespace program_proofs_random_test {
using namespace lockstep;
using namespace lockstep::proofs::kernels;
using kernel::Store;

namespace {

SolverAnswer no_solver(const std::vector<SizeFact>&, const SizeFact&) { return {Verdict::Unknown}; }

const Calculus& calculus() {
  static const Calculus c = standard_calculus();
  return c;
}

PhraseProgram random_program(std::uint64_t seed) {
  return infer(props::generate_program(seed), calculus(), no_solver)->entries.back();
}

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

}  // namespace

TEST_CASE("nothing is refuted of two hundred random programs, and nearly all is proved", "[proofs]") {
  std::map<ObligationKind, Tally> sums;
  std::string rest;
  for (std::uint64_t k = 0; k < 200; ++k) {
    const PhraseProgram source = random_program(props::seed_of(21, k));
    for (const MachineObligations& m : program_obligations(traces_of(source, calculus()), 200)) {
      const kernel::Program last = dpia_trace(source, calculus(), m.machine).kernel();
      if (!kernel::check(last).empty()) continue;  // block memory that threads would share: refused before it is run
      for (const ProgramObligation& o : m.obligations) {
        Tally& t = sums[o.kind];
        t.proved += o.standing == Standing::Proved, t.excepted += o.standing == Standing::Tested;
        t.unknown += o.standing == Standing::Unknown, t.violated += o.standing == Standing::Refuted;
        INFO("program " << k << ": " << o.name << " | " << o.where << " | " << o.detail << "\n" << kernel::print(last));
        CHECK(o.standing != Standing::Refuted);
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
    const kernel::Program before = dpia_trace(source, calculus(), Machine::Cpu).after("paths")->as<kernel::Program>();
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

}  // namespace program_proofs_random_test
