// What Facts knows of a program for all inputs, held against every stream of a run of it: streams with one number are
// as long, have as many segments, the same elements; values, signs and limits are so.
#include "props/snesl/generate.h"
#include "snesl_streams.h"
#include "translate/simplify/facts.h"
#include "translate/simplify/simplify.h"

namespace simplify_facts_test {
using namespace lockstep;
using namespace lockstep::streaming;
using namespace lockstep::streaming::test;
using svcode::Instr;
using svcode::Prim;
using svcode::Stream;

namespace {

// A program whose streams are all results.
svcode::Program with_all_streams(svcode::Program p) {
  p.result = {};
  for (const Instr& i : p.instructions) p.result.children.push_back({i.id, {}, false});
  return p;
}

// Numbers as they turned out in one run.
class Run {
 public:
  Run(const svcode::Program& p, const std::vector<Stream>& streams) : facts_(p.parameters) {
    for (const Instr& i : p.instructions) facts_.add(i);
    for (const Instr& i : p.instructions) {
      const Fact& f = facts_.of(i.id);
      const Stream& s = streams[i.id];
      counts(f, i, s);
      elements(f, i, s);
      for (std::string& w : wrong_here_) wrong.push_back("s" + std::to_string(i.id) + ": " + w);
      wrong_here_.clear();
    }
    for (const Instr& i : p.instructions)
      if (const auto n = facts_.of(i.id).below)
        for (const svcode::Atom& a : streams[i.id])
          if (const auto found = numbers_.find(*n); found != numbers_.end() && a.integer >= found->second)
            wrong.push_back("s" + std::to_string(i.id) + ": below");
  }
  std::vector<std::string> wrong;
  int known = 0;

 private:
  void expect(bool holds, const char* what) {
    ++known;
    if (!holds) wrong_here_.emplace_back(what);
  }
  void is_number(int n, std::int64_t found, const char* what) {
    expect(numbers_.try_emplace(n, found).first->second == found, what);
    if (const auto constant = facts_.number(n)) expect(*constant == found, what);
  }

  void counts(const Fact& f, const Instr& i, const Stream& s) {
    const auto length = static_cast<std::int64_t>(s.size());
    is_number(f.length, length, "length");
    if (i.type != Prim::Bool) return;
    const auto trues = std::count_if(s.begin(), s.end(), [](const svcode::Atom& a) { return a.integer != 0; });
    is_number(f.trues, trues, "trues");
    is_number(f.children, length - trues, "children");
    std::int64_t n = 0;
    for (const svcode::Atom& a : s)
      if (a.integer == 0) {
        ++n;
      } else {
        if (f.uniform) is_number(*f.uniform, n, "uniform");
        if (f.segment) expect(*f.segment == n, "segment");
        n = 0;
      }
  }
  void elements(const Fact& f, const Instr& i, const Stream& s) {
    const auto same = contents_.try_emplace({f.content, i.type}, s).first;
    expect(same->second == s, "content");
    for (const svcode::Atom& a : s) {
      if (f.value) expect(a == *f.value, "value");
      if (f.natural) expect(a.integer >= 0, "natural");
      if (!f.each) continue;
      expect(values_.try_emplace({*f.each, i.type}, a).first->second == a, "each");
      if (f.exact == Exact::Yes || (f.exact == Exact::IfNatural && a.integer >= 0))
        is_number(*f.each, a.integer, "exact");
    }
  }

  Facts facts_;
  std::vector<std::string> wrong_here_;
  std::map<int, std::int64_t> numbers_;
  std::map<std::pair<int, Prim>, Stream> contents_;
  std::map<std::pair<int, Prim>, svcode::Atom> values_;
};

struct Drawn {
  svcode::Program streams;
  std::vector<Stream> inputs;
};
std::optional<Drawn> draw(std::uint64_t seed) {
  const props::stream::GeneratedProgram g = props::stream::generate_program(seed);
  const auto core = snesl::elaborate(g.program, "", g.types);
  if (!core) return std::nullopt;
  Drawn r{flatten(*core), {}};
  props::Random random(seed);
  for (const auto& parameter : core->parameters)
    for (Stream& s : svcode::represent({props::stream::random_value(parameter.type, random)}, parameter.type))
      r.inputs.push_back(std::move(s));
  return r;
}
std::optional<std::vector<Stream>> all_streams(const svcode::Program& p, const std::vector<Stream>& inputs) {
  MemoryFiles files(props::stream::campaign_files());
  auto run = svcode::run_eager(with_all_streams(p), inputs, files);
  return run ? std::optional(std::move(run->result)) : std::nullopt;
}

}  // namespace

TEST_CASE("what is known of streams for all inputs holds in runs of random programs, after every optimisation") {
  int known = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto drawn = draw(seed);
    if (!drawn) continue;
    svcode::Program p = drawn->streams;
    std::vector<svcode::Program> programs{p};
    for (const Stage& s : simplifications()) programs.push_back(p = apply(s, p));
    for (const svcode::Program& q : programs) {
      const auto streams = all_streams(q, drawn->inputs);
      if (!streams) continue;
      const Run run(q, *streams);
      INFO("seed " << seed << "\n" << svcode::print(q));
      CHECK(run.wrong == std::vector<std::string>{});
      known += run.known;
    }
  }
  CHECK(known > 100000);
}

TEST_CASE("a fact that is not so is found: of an instruction that the run has not") {
  int planted = 0, found = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto drawn = draw(seed);
    const auto streams = drawn ? all_streams(drawn->streams, drawn->inputs) : std::nullopt;
    if (!streams) continue;
    for (const Instr& i : drawn->streams.instructions) {
      if (i.opcode != svcode::Opcode::Rep || (*streams)[i.id].empty() || i.type != Prim::Int) continue;
      svcode::Program other = drawn->streams;
      ++other.instructions[i.id].atom().integer;
      ++planted;
      found += !Run(other, *streams).wrong.empty();
      break;
    }
  }
  CHECK(planted > 20);
  CHECK(found == planted);
}

}  // namespace simplify_facts_test
