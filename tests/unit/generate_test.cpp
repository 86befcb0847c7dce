// The generator of random programs: a function of its seed, accepted by inference, and over the whole language.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "props/dpia/generate.h"
#include "semantics/functional/denote.h"
#include "semantics/functional/inference/infer.h"
#include "semantics/functional/syntax/print.h"

namespace generate_test {
using namespace lockstep;
using namespace lockstep::props;

namespace {

SolverAnswer no_solver(const std::vector<SizeFact>&, const SizeFact&) { return {Verdict::Unknown}; }

const Calculus& calculus() {
  static const Calculus c = standard_calculus();
  return c;
}

Checked<Elaboration> elaborated(const surface::Program& p) {
  const auto parsed = parse_program(std::make_shared<Source>(Source{"random.dpia", print(p)}));
  if (!parsed) return tl::unexpected(parsed.error());
  return infer(*parsed, calculus(), no_solver);
}

}  // namespace

TEST_CASE("a program is a function of its seed, and another seed gives another") {
  for (std::uint64_t k = 0; k < 50; ++k) {
    CHECK(generate_program(seed_of(7, k)) == generate_program(seed_of(7, k)));
    CHECK_FALSE(print(generate_program(seed_of(7, k))) == print(generate_program(seed_of(8, k))));
  }
}

TEST_CASE("every random program, printed, is read back as itself and accepted by inference") {
  const bool holds = rc::check("parse(print(p)) == p, and infer accepts p", [](std::uint64_t seed) {
    const surface::Program p = generate_program(seed);
    const auto parsed = parse_program(std::make_shared<Source>(Source{"random.dpia", print(p)}));
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(*parsed == p);
    const auto e = infer(*parsed, calculus(), no_solver);
    if (!e) RC_LOG() << render(e.error().front()) << print(p);
    RC_ASSERT(e.has_value());
    RC_ASSERT(!e->entries.empty());
  });
  CHECK(holds);
}

TEST_CASE("two thousand programs use every primitive, form and type former") {
  Coverage coverage;
  std::size_t nodes = 0;
  const TypedPrimitives by_type = made_by_type(calculus());
  for (std::uint64_t k = 0; k < 2000; ++k) {
    const surface::Program p = generate_program(seed_of(1, k), 30, by_type);
    nodes += node_count(p);
    coverage.count(p);
    if (const auto e = elaborated(p)) coverage.count(e->entries.back());
  }
  CHECK(coverage.missing(calculus()) == std::vector<std::string>{});
  CHECK(nodes / 2000 >= 20);
  CHECK(nodes / 2000 <= 62);
}

TEST_CASE("what is added to the standard calculus is in many programs") {
  Calculus more = standard_calculus();
  Primitive turned = *more.primitive("reverse");
  turned.name = "turned";
  more.add(std::make_shared<const Primitive>(std::move(turned)));
  const TypedPrimitives by_type = made_by_type(more);
  std::size_t programs = 0;
  for (std::uint64_t k = 0; k < 400; ++k)
    programs += print(generate_program(seed_of(1, k), 30, by_type)).find("turned ") != std::string::npos;
  CHECK(programs >= 20);  // 33; 5 where it is drawn like the others
}

TEST_CASE("coverage names what did not occur") {
  Coverage few;
  few.count(generate_program(1));
  CHECK(few.missing(calculus()).size() > 20);
}

TEST_CASE("inputs satisfy the facts, and their leaves give them back") {
  std::size_t with_facts = 0;
  for (std::uint64_t k = 0; k < 300; ++k) {
    const auto e = elaborated(generate_program(seed_of(3, k)));
    if (!e) continue;
    const PhraseProgram& p = e->entries.back();
    Random random(k);
    const auto all = small_sizes(p, 3, random);
    REQUIRE_FALSE(all.empty());
    with_facts += p.facts.empty() ? 0 : 1;
    for (const SizeValues& sizes : all) {
      for (const SizeFact& f : p.facts) CHECK(evaluate(f, sizes) == true);
      const std::vector<Value> arguments = random_arguments(p, sizes, random);
      for (std::size_t a = 0; a < arguments.size(); ++a) {
        const Type& t = p.parameters[a].second;
        const Value back = unflatten(flatten(arguments[a], t, sizes), t, sizes);
        CHECK(show(back, ieee_domain()) == show(arguments[a], ieee_domain()));
      }
    }
  }
  CHECK(with_facts > 10);
}

TEST_CASE("a call of any view or loop follows from its type, and inference accepts it") {
  // No type says where a level is legal, that a length must be a number, nor which laws a function must have.
  const std::set<std::string> others = {"mapLocal", "mapUnroll", "permuteGlobal", "permuteLocal"};
  for (const std::string& name : calculus().names()) {
    const auto p = made_by_type(calculus(), name);
    if (!p || others.contains(name)) continue;
    std::size_t programs = 0;
    for (std::uint64_t k = 0; k < 300 || (k < 6000 && programs == 0); ++k) {  // some stand in few places
      const surface::Program program = generate_program(seed_of(9, k), 30, {*p});
      Coverage coverage;
      const auto e = elaborated(program);
      INFO(name << "\n" << print(program) << (e ? "" : render(e.error().front())));
      REQUIRE(e);
      coverage.count(e->entries.back());
      programs += coverage.primitives.contains(name);
    }
    INFO(name);
    CHECK(programs >= 1);
  }
}

}  // namespace generate_test
