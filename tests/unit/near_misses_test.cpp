// What is almost what a rule matches: programs on which rules fire, with an operand, an opcode, an operator or a
// constant exchanged for another. The optimisations and the stages of networks, whichever of their rules still match,
// keep what it gives.
#include <set>

#include "semantics/svcode/instruction.h"
#include "semantics/transducer/run.h"
#include "streaming_cases.h"
#include "translate/simplify/rewrite.h"
#include "translate/simplify/simplify.h"
#include "translate/transducers/stages.h"

namespace near_misses_test {
using namespace lockstep;
using namespace lockstep::streaming;
using namespace lockstep::streaming::test;
using streaming::test::Outcome;
using svcode::Instr;
using svcode::Program;
using svcode::StreamId;

namespace {

// What a run gives, or nothing where it cannot be: it traps, before which lengths that do not fit may go unseen, or
// they do not fit.
using Runs = std::function<tl::expected<svcode::Run, Trap>(MemoryFiles&)>;
std::optional<Outcome> outcome(const Prepared& p, const Runs& run) {
  MemoryFiles files;
  try {
    const auto r = run(files);
    if (!r) return std::nullopt;
    return Outcome{snesl::show(svcode::value_of(r->result, p.streams.result_type)), files.written};
  } catch (const Bug&) {
    return std::nullopt;
  }
}
std::optional<Outcome> eagerly(const Program& s, const Prepared& p) {
  return outcome(p, [&](MemoryFiles& files) { return svcode::run_eager(s, p.inputs, files); });
}
std::optional<Outcome> in_one_chunk(const Program& s, const Prepared& p) {
  return outcome(p, [&](MemoryFiles& files) -> tl::expected<svcode::Run, Trap> {
    const auto r = svcode::run_chunked(s, p.inputs, files, {1000, {}, svcode::ChunkOptions::Order::Loop, 0});
    if (!r) return tl::unexpected(r.error());
    if (r->deadlock) throw Bug("a deadlock");
    return r->run;
  });
}
std::optional<Outcome> as_network(const Program& s, const Prepared& p) {
  return outcome(p,
                 [&](MemoryFiles& files) { return transducer::run(transducer::transducers(s), p.inputs, files, {}); });
}

// What the instruction may have instead of what it has beside its streams.
std::vector<svcode::Payload> other_payloads(const Instr& i, const std::vector<svcode::OperatorRef>& operators) {
  std::vector<svcode::Payload> r;
  if (const auto* atom = std::get_if<svcode::Atom>(&i.payload)) {
    if (atom->type == snesl::Prim::Int)
      for (const std::int64_t n : {0, 1, 2}) r.emplace_back(snesl::int_atom(n));
    if (atom->type == snesl::Prim::Bool) r.emplace_back(snesl::bool_atom(atom->integer == 0));
    if (atom->type == snesl::Prim::Real)
      for (const double x : {0.0, -0.0, 1.0}) r.emplace_back(snesl::real_atom(x));
  }
  if (std::holds_alternative<svcode::Monoid>(i.payload))
    for (const auto m : {svcode::Monoid::Plus, svcode::Monoid::Max, svcode::Monoid::Min, svcode::Monoid::Or})
      r.emplace_back(m);
  if (std::holds_alternative<svcode::OperatorRef>(i.payload)) r.insert(r.end(), operators.begin(), operators.end());
  return r;
}

// The programs that differ from this one in one thing.
std::vector<Program> near_misses(const Program& p, const std::vector<svcode::OperatorRef>& operators) {
  std::vector<Program> all;
  const auto with = [&](std::size_t k, const std::function<void(Instr&)>& change) {
    Program q = p;
    change(q.instructions[k]);
    if (svcode::check(q).empty()) all.push_back(std::move(q));
  };
  for (std::size_t k = 0; k < p.instructions.size(); ++k) {
    const Instr& i = p.instructions[k];
    for (std::size_t j = 0; j < i.arguments.size(); ++j)
      for (StreamId other = 0; other < i.id; ++other)
        if (other != i.arguments[j]) with(k, [&](Instr& x) { x.arguments[j] = other; });
    for (const svcode::OpcodeRow& row : svcode::opcode_rows())
      if (row.opcode != i.opcode && row.extra == svcode::row_of(i.opcode).extra)
        with(k, [&](Instr& x) { x.opcode = row.opcode; });
    for (const svcode::Payload& other : other_payloads(i, operators))
      if (!(other == i.payload)) with(k, [&](Instr& x) { x.payload = other; });
  }
  return all;
}

// The first stage that makes another program of it, or of what the stages before it made; "" where all keep it.
std::string changed_by(const std::vector<Stage>& stages, const Program& given, const Outcome& expected,
                       const Prepared& p) {
  Program now = given;
  for (const Stage& stage : stages) {
    Program next = apply(stage, now);
    if (!svcode::check(next).empty() || eagerly(next, p) != expected)
      return stage.name + " makes of\n" + svcode::print(now) + "this:\n" + svcode::print(next);
    now = std::move(next);
  }
  return as_network(now, p) == expected ? "" : "the stages of networks change\n" + svcode::print(now);
}

std::vector<Prepared> all_cases() {
  std::vector<Prepared> r;
  for (const Case& c : cases) r.push_back(prepare(c));
  return r;
}
std::vector<svcode::OperatorRef> operators_of(const std::vector<Prepared>& programs) {
  std::set<svcode::OperatorRef> r;
  for (const Prepared& p : programs)
    for (const Instr& i : p.streams.instructions)
      if (const auto* op = std::get_if<svcode::OperatorRef>(&i.payload)) r.insert(*op);
  return {r.begin(), r.end()};
}
// Of those that give a value, with what they give.
void each_near_miss(const std::vector<Prepared>& programs,
                    const std::function<void(const Program&, const Outcome&, const Prepared&)>& f) {
  const auto operators = operators_of(programs);
  for (const Prepared& p : programs)
    for (const Program& from : {p.streams, simplify(p.streams)})
      for (const Program& q : near_misses(from, operators)) {
        const auto expected = eagerly(q, p);
        if (expected && in_one_chunk(q, p) == expected) f(q, *expected, p);
      }
}

// The number of elements of each segment, for what any reduction of ones gives.
Stage counts_whatever_is_reduced() {
  return svcode_stage("lens", "", [](const Program& p) {
    return rewrite(p, [](const Instr& i, const std::vector<Instr>& before) -> Rewritten {
      if (i.opcode != svcode::Opcode::Segreduce || i.type != snesl::Prim::Int) return i;
      const Instr& ones = before[i.arguments[0]];
      if (ones.opcode != svcode::Opcode::Rep || std::get<svcode::Atom>(ones.payload).integer != 1) return i;
      Instr lens = i;
      lens.opcode = svcode::Opcode::Lens;
      lens.arguments = {i.arguments[1]};
      lens.payload = {};
      return lens;
    });
  });
}

}  // namespace

TEST_CASE("what is almost what a rule matches keeps its meaning through the optimisations and as a network") {
  int tried = 0;
  each_near_miss(all_cases(),
                 [&, stages = simplifications()](const Program& q, const Outcome& expected, const Prepared& p) {
                   ++tried;
                   const std::string what = changed_by(stages, q, expected, p);
                   INFO(what);
                   REQUIRE(what.empty());
                 });
  CHECK(tried > 10000);
}

TEST_CASE("a rule that matches more than it should is found by what is almost what it matches, and by nothing else") {
  const Stage wrong = counts_whatever_is_reduced();
  auto programs = all_cases();
  for (const Prepared& p : programs)
    if (const auto expected = eagerly(p.streams, p)) CHECK(eagerly(apply(wrong, p.streams), p) == expected);
  std::erase_if(programs, [](const Prepared& p) { return count(p.streams, svcode::Opcode::Segreduce) == 0; });
  int found = 0;
  each_near_miss(programs, [&](const Program& q, const Outcome& expected, const Prepared& p) {
    found += eagerly(apply(wrong, q), p) != expected;
  });
  CHECK(found > 0);
}

}  // namespace near_misses_test
