// Answers that are kept: each of its whole question and of no other, whole or not at all, and not without end.
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "codegen/runtime/build_id.h"
#include "proofs/smt/answers.h"
#include "proofs/smt/both.h"

namespace answers_test {
using namespace lockstep;
using namespace lockstep::proofs::smt;
using proofs::smt::Verdict;
namespace fs = std::filesystem;

namespace {

struct Folder {
  std::string path = (fs::temp_directory_path() / "lockstep-answers-XXXXXX").string();
  Folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }
  std::string answers() const { return path + "/answers"; }
};

// Z3, and how often it was asked.
class Counted : public Solver {
 public:
  explicit Counted(std::string version = "1", std::string called = "Z3")
      : version_(std::move(version)), name_(std::move(called)) {}
  std::string name() const override { return name_; }
  std::string version() const override { return version_; }
  Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const override {
    ++asked;
    return z3().answer(assertions, budget);
  }
  mutable std::atomic<std::size_t> asked = 0;

 private:
  std::string version_, name_;
};

const Term n = name("n"), m = name("m");
const Question proved{{less(n, m)}, at_most(n, m), {"n", "m"}};
const Budget budget{1000};

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("that a question is not decided is kept, too; and a build has an identity") {
  const Folder folder;
  {
    Answers answers(folder.answers());
    answers.keep("a", {Verdict::Unknown});
  }
  const auto found = Answers(folder.answers()).find("a");
  REQUIRE(found);
  CHECK(found->kind == Verdict::Unknown);
  CHECK(build_id().size() >= 16);
}

TEST_CASE("a question is asked once, in this run and in the next") {
  const Folder folder;
  const Counted solver;
  const Question refuted{{at_most(number(-7), name("a b\n%|"))}, less(name("a b\n%|"), number(-5))};
  std::map<std::string, std::string> model;
  {
    Answers answers(folder.answers());
    const Kept kept(solver, answers);
    for (int k = 0; k < 3; ++k) {
      CHECK(kept.ask(proved, budget).kind == Verdict::Proved);
      const Verdict found = kept.ask(refuted, budget);
      CHECK(found.kind == Verdict::Refuted);
      CHECK(found.by == std::vector<std::string>{"Z3"});
      model = found.model;
    }
    CHECK(solver.asked == 2);
    CHECK(answers.found() == 0);
  }
  Answers answers(folder.answers());
  const Kept kept(solver, answers);
  CHECK(kept.ask(proved, budget).kind == Verdict::Proved);
  CHECK(kept.ask(refuted, budget).model == model);
  CHECK(model.contains("a b\n%|"));
  CHECK(solver.asked == 2);
  CHECK(answers.found() == 2);
}

TEST_CASE("soundness A1d: another question, however little other, is not answered by what is kept") {
  const Folder folder;
  Answers answers(folder.answers());
  const Counted solver;
  const auto asked = [&](const Solver& who, const Question& q, const Budget& limits) {
    const std::size_t before = dynamic_cast<const Counted&>(who).asked;
    Kept(who, answers).ask(q, limits);
    return dynamic_cast<const Counted&>(who).asked - before;
  };
  CHECK(asked(solver, proved, budget) == 1);
  CHECK(asked(solver, proved, budget) == 0);
  const auto other = [&](const std::function<void(Question&)>& change) {
    Question q = proved;
    change(q);
    return asked(solver, q, budget);
  };
  CHECK(other([](Question& q) { q.hypotheses.clear(); }) == 1);
  CHECK(other([](Question& q) { q.hypotheses = {at_most(n, m)}; }) == 1);
  CHECK(other([](Question& q) { q.hypotheses.push_back(less(n, number(5))); }) == 1);
  CHECK(other([](Question& q) { q.naturals = {"n"}; }) == 1);
  CHECK(other([](Question& q) { q.goal = less(n, m); }) == 1);
  CHECK(other([](Question& q) { q.goal = at_most(m, n); }) == 1);
  // One name for another, of another sort, bound or not; another divisor; another number of lanes.
  CHECK(other([](Question& q) { q.goal = at_most(n, name("m2")); }) == 1);
  CHECK(other([](Question& q) { q.goal = at_most(n, call("m", integer, {})); }) == 1);
  CHECK(other([](Question& q) { q.goal = at_most(quotient(n, quotient(m, number(2))), m); }) == 1);
  CHECK(other([](Question& q) { q.goal = at_most(quotient(quotient(n, m), number(2)), m); }) == 1);
  // What a loop's check covers: the same condition for fewer iterations.
  const auto checked = [](const Term& extent) {
    const Term k = name("k");
    return Question{{for_all({k}, implies(within(k, extent), less(call("is", integer, {k}), m)))},
                    implies(within(n, extent), less(call("is", integer, {n}), m))};
  };
  CHECK(asked(solver, checked(m), budget) == 1);
  CHECK(asked(solver, checked(m - number(1)), budget) == 1);
  // Other limits, another version, another solver.
  CHECK(asked(solver, proved, {999}) == 1);
  CHECK(asked(solver, proved, {1000, 7}) == 1);
  CHECK(asked(Counted("2"), proved, budget) == 1);
  CHECK(asked(Counted("1", "cvc5"), proved, budget) == 1);
  CHECK(asked(solver, proved, budget) == 0);
}

TEST_CASE("what went wrong is not kept, and what ran out of its budget is, with the budget") {
  Answers answers("");
  class Broken : public Solver {
   public:
    std::string name() const override { return "broken"; }
    Verdict answer(const std::vector<Term>&, const Budget& b) const override {
      ++asked;
      return {Verdict::Unknown, {}, b.milliseconds > 5 ? "it cannot be run" : ""};
    }
    mutable std::size_t asked = 0;
  };
  const Broken solver;
  const Kept kept(solver, answers);
  for (int k = 0; k < 2; ++k) CHECK(kept.ask(proved, {10}).reason == "it cannot be run");
  CHECK(solver.asked == 2);
  for (int k = 0; k < 2; ++k) CHECK(kept.ask(proved, {5}).kind == Verdict::Unknown);
  CHECK(solver.asked == 3);
  CHECK(answers.size() == 1);
  class ByChance : public Broken {
   public:
    std::string name() const override { return "out of memory"; }
    Verdict answer(const std::vector<Term>&, const Budget&) const override {
      return ++asked, Verdict{.by_chance = true};
    }
  };
  const ByChance out_of_memory;
  const Kept again(out_of_memory, answers);
  for (int k = 0; k < 2; ++k) CHECK(again.ask(proved, {5}).kind == Verdict::Unknown);
  CHECK(out_of_memory.asked == 2);
  CHECK(answers.size() == 1);
}

TEST_CASE("a line that is not whole, or was changed, is no answer") {
  const Folder folder;
  {
    Answers answers(folder.answers());
    const Counted solver;
    Kept(solver, answers).ask(proved, budget);
  }
  const std::string line = bytes_of(folder.answers());
  REQUIRE(line.ends_with("\n"));
  REQUIRE(Answers(folder.answers()).size() == 1);
  const auto size_of = [&](const std::string& bytes) {
    std::ofstream(folder.answers(), std::ios::binary) << bytes;
    return Answers(folder.answers()).size();
  };
  for (std::size_t k = 0; k + 1 < line.size(); k += 3) {
    std::string changed = line;
    changed[k] = changed[k] == '1' ? '0' : '1';
    CHECK(size_of(changed) == 0);
    CHECK(size_of(line.substr(0, k)) == 0);
  }
  CHECK(size_of("half a li" + line + line) == 1);
  CHECK(size_of("\n \nanswer1\n" + line) == 1);
}

TEST_CASE("the file does not grow without end: the older half goes") {
  const Folder folder;
  std::size_t lines = 0;
  {
    Answers answers(folder.answers());
    Verdict large{Verdict::Refuted};
    large.model["n"] = std::string(100000, '7');
    for (; lines * 100000 < Answers::most_bytes + 200000; ++lines) answers.keep("key" + std::to_string(lines), large);
    CHECK(fs::file_size(folder.answers()) > Answers::most_bytes);
  }
  const Answers again(folder.answers());
  CHECK(fs::file_size(folder.answers()) <= Answers::most_bytes / 2);
  CHECK(again.size() > lines / 3);
  CHECK(again.size() < 2 * lines / 3);
  CHECK(again.find("key" + std::to_string(lines - 1)).has_value());
  CHECK_FALSE(again.find("key0").has_value());
}

TEST_CASE("several at once keep what each finds, and a file that cannot be written costs nothing but time") {
  const Folder folder;
  {
    Answers one(folder.answers()), other(folder.answers());
    const auto work = [](Answers& answers, const std::string& whose) {
      for (int k = 0; k < 300; ++k) answers.keep(whose + std::to_string(k), {Verdict::Proved});
    };
    const std::jthread a([&] { work(one, "a"); }), b([&] { work(other, "b"); }), c([&] { work(one, "c"); });
  }
  CHECK(Answers(folder.answers()).size() == 900);
  Answers nowhere(folder.path + "/none/answers");
  nowhere.keep("key", {Verdict::Proved});
  CHECK(nowhere.find("key").has_value());
}

TEST_CASE("the second is asked what the first leaves, and no more; each within its time") {
  const Counted first, second("1", "cvc5");
  const InTurn in_turn(first, second);
  CHECK(in_turn.ask(proved, budget).by == std::vector<std::string>{"Z3"});
  CHECK(second.asked == 0);
  class Leaves : public Solver {
   public:
    std::string name() const override { return "one that leaves everything"; }
    Verdict answer(const std::vector<Term>&, const Budget& b) const override { return most = b, Verdict{}; }
    mutable Budget most;
  };
  const Leaves leaves;
  CHECK(InTurn(leaves, second).ask(proved, budget).by == std::vector<std::string>{"cvc5"});
  CHECK(second.asked == 1);
  const Within within(leaves, 200);
  within.ask(proved, {1000});
  CHECK(leaves.most.milliseconds == 200);
  CHECK(leaves.most.steps == Budget{200}.steps);
  within.ask(proved, {100, 17});
  CHECK(leaves.most.milliseconds == 100);
  CHECK(leaves.most.steps == 17);
}

TEST_CASE("who settles what is counted, and said") {
  Settled s;
  CHECK(show(s, "questions") == "nothing was left to ask of them");
  for (int k = 0; k < 7; ++k) s.add(std::vector<std::string>{"Z3", "cvc5"});
  s.add(std::vector<std::string>{"Z3"});
  s.add(std::vector<std::string>{});
  CHECK(show(s, "questions") == "both settle 7 of 9 questions (77%), Z3 alone 1, neither 1");
  Settled twice = s;
  twice.add(s);
  CHECK(twice.asked == 18);
  CHECK(twice.share() == s.share());
  CHECK(twice.by_one == std::map<std::string, std::size_t>{{"Z3", 2}});
}

}  // namespace answers_test
