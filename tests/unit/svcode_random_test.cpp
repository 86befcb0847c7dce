// Random programs of SVCODE, drawn from the rows of its opcodes: both interpreters, the text and the simplifier agree
// on them, and what is wrong of any opcode is found.
#include <set>

#include "props/snesl/generate_svcode.h"
#include "semantics/svcode/instruction.h"
#include "svcode_program.h"
#include "tests/unit/long_run.h"
#include "translate/simplify/simplify.h"
#include "translate/streamability/streamable.h"

namespace svcode_random_test {
using namespace lockstep;
using namespace lockstep::svcode;
using namespace lockstep::svcode::test;
using props::stream::FilesByName;
using props::stream::generate_svcode;
using props::stream::GeneratedSvcode;
using props::stream::SvcodeOptions;

namespace {

bool streams(const Program& p) { return streaming::analyse(p).has_value(); }

// What a run gives, as text: results and files, or a trap.
struct Given {
  std::vector<Stream> streams;
  std::vector<std::pair<std::string, std::string>> files;
  bool traps = false, deadlock = false;
  std::string seen() const {
    if (traps) return "a trap";
    std::string r;
    for (const Stream& s : streams) r += show(s) + " ";
    for (const auto& [name, content] : files) r += name + "=" + content + " ";
    return r;
  }
};
Given eagerly(const Program& p, const std::vector<Stream>& inputs) {
  FilesByName files;
  const auto run = run_eager(p, inputs, files);
  return run ? Given{run->result, files.written} : Given{{}, files.written, true};
}
Given in_chunks(const Program& p, const std::vector<Stream>& inputs, const ChunkOptions& options) {
  FilesByName files;
  const auto run = run_chunked(p, inputs, files, options);
  if (!run) return {{}, files.written, true};
  return {run->run.result, files.written, false, run->deadlock.has_value()};
}

// A program with what is expected of it on each of its inputs.
struct Drawn {
  GeneratedSvcode g;
  std::vector<std::string> expected;
  bool streams = false;  // it was drawn so that it does
};
Drawn drawn(std::uint64_t seed, SvcodeOptions options) {
  options.instructions = 4 + static_cast<int>(seed % 16);
  const bool keeps = seed % 2 == 0 && options.rows.size() == opcode_rows().size();
  if (keeps) options.keep = streams;
  return {generate_svcode(seed, options), {}, keeps};
}

constexpr const char* deadlock = "a deadlock";
std::string differs(const std::string& how, const std::string& found, const std::string& expected, const Program& p) {
  return found == expected ? "" : how + " gives " + found + "and not " + expected + "\n" + print(p);
}
// At every chunk size and order, where nothing deadlocks: that may be where the chunk is small.
std::string wrong_in_chunks(const Program& p, const Drawn& d) {
  const auto slack = d.streams ? streaming::analyse(p) : Checked<Slack>(Slack{});
  for (std::size_t k = 0; k < d.g.runs.size(); ++k)
    for (ChunkOptions o : every_chunking({1, 2, 3, 7, 1000})) {
      o.slack = *slack;
      const Given found = in_chunks(p, d.g.runs[k].inputs, o);
      if (found.deadlock && (d.streams || o.chunk == 1000)) return deadlock;
      if (found.deadlock) continue;
      const std::string what = differs("chunk " + std::to_string(o.chunk), found.seen(), d.expected[k], p);
      if (!what.empty()) return what;
    }
  return "";
}
std::string wrong_eagerly(const Program& p, const Drawn& d, const std::string& how) {
  for (std::size_t k = 0; k < d.g.runs.size(); ++k) {
    const std::string what = differs(how, eagerly(p, d.g.runs[k].inputs).seen(), d.expected[k], p);
    if (!what.empty()) return what;
  }
  return "";
}
std::string wrong_text(const Program& p) {
  const auto again = parse(std::make_shared<const Source>(Source{"drawn.svcode", print(p)}));
  if (!again) return "it is not read back\n" + print(p);
  return print(*again) == print(p) ? "" : "it is read back as\n" + print(*again);
}
std::string wrong_simplified(const Drawn& d) {
  Program q = d.g.program;
  for (const Stage& s : streaming::simplifications(d.streams ? streaming::Streamable(streams) : nullptr)) {
    q = streaming::apply(s, q);
    if (const std::string what = check(q); !what.empty()) return s.name + ": " + what;
    if (d.streams && !streams(q)) return s.name + ": it streams no more\n" + print(q);
    if (const std::string what = wrong_eagerly(q, d, s.name); !what.empty()) return what;
  }
  return wrong_in_chunks(q, d);
}
// What is wrong of a program; "" where nothing is.
std::string wrong(Drawn d) {
  const Program& p = d.g.program;
  const bool fused =
      std::any_of(p.instructions.begin(), p.instructions.end(), [](const Instr& i) { return is_fused(i.opcode); });
  if (const std::string what = fused ? check_network(p, {}) : check(p); !what.empty()) return what;
  for (const GeneratedSvcode::Run& run : d.g.runs) {
    Given given = eagerly(p, run.inputs);
    if (given.traps != run.traps) return "the eager interpreter traps elsewhere";
    if (!run.traps) given.streams.clear();
    for (const StreamId s : leaves_of(p.result))
      if (!run.traps) given.streams.push_back(run.streams[s]);
    d.expected.push_back(given.seen());
  }
  if (const std::string what = wrong_eagerly(p, d, "eager"); !what.empty()) return what;
  if (const std::string what = wrong_in_chunks(p, d); !what.empty()) return what;
  if (fused) return "";
  if (const std::string what = wrong_text(p); !what.empty()) return what;
  return wrong_simplified(d);
}
// ... a bug of ours included.
std::string found_in(const Drawn& d) {
  try {
    return wrong(d);
  } catch (const Bug& b) {
    return b.what();
  }
}

// An opcode whose last element is left out, or another, or there once more: what the row's step should not give.
enum class Wrong { Shorter, Other, Longer };
Stream made_wrong(Stream s, Wrong how) {
  if (s.empty()) return s;
  if (how == Wrong::Longer) s.push_back(s.back());
  if (how == Wrong::Shorter) s.pop_back();
  if (how == Wrong::Other && s.back().type == Prim::Real) s.back() = snesl::real_atom(s.back().ieee() == 1 ? 2 : 1);
  if (how == Wrong::Other && s.back().type != Prim::Real) s.back().integer ^= 1;
  return s;
}
SvcodeOptions with_mistake(Opcode o, Wrong how) {
  SvcodeOptions options{network_rows()};
  options.often = o;
  options.step = [o, how](const Eager& e) {
    const Stream right = row_of(e.i.opcode).eager(e);
    return e.i.opcode == o ? made_wrong(right, how) : right;
  };
  return options;
}

}  // namespace

TEST_CASE(
    "Random programs drawn from the rows give the same in both readings, read back, and after every optimisation") {
  std::map<Opcode, int> times;
  int traps = 0, streaming = 0, deadlocks = 0;
  const bool all = lockstep::test::long_run();
  const std::uint64_t programs = all ? 10000 : 1600;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    const Drawn d = drawn(seed, {opcode_rows()});
    const std::string what = found_in(d);
    INFO("seed " << seed);
    if (what != deadlock) REQUIRE(what == "");
    deadlocks += what == deadlock;
    streaming += d.streams && d.g.program.instructions.size() > 10;
    for (const GeneratedSvcode::Run& run : d.g.runs) {
      traps += run.traps;
      for (std::size_t k = 0; k < run.streams.size(); ++k)
        times[d.g.program.instructions[k].opcode] += !run.streams[k].empty();
    }
  }
  for (const OpcodeRow& row : opcode_rows()) {
    INFO(row.name);
    CHECK(times[row.opcode] >= 4);
  }
  CHECK(traps > 100);
  CHECK(streaming > 300);
  // The streamability analysis takes some for granted that no translation gives: translate/streamability/README.md.
  CHECK(deadlocks * 400 <= static_cast<int>(programs));
}

TEST_CASE("Random programs with what networks have beside SVCODE give the same in both readings") {
  std::map<Opcode, int> times;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Drawn d = drawn(seed, {network_rows()});
    INFO("seed " << seed);
    REQUIRE(found_in(d) == "");
    for (const Instr& i : d.g.program.instructions) ++times[i.opcode];
  }
  for (const OpcodeRow& row : network_rows()) {
    if (!row.fused) continue;
    INFO(row.name);
    CHECK(times[row.opcode] >= 4);
  }
}

TEST_CASE("A mistake in the step of any opcode is found") {
  for (const OpcodeRow& row : network_rows())
    for (const Wrong how : {Wrong::Shorter, Wrong::Other, Wrong::Longer}) {
      if (how == Wrong::Other && row.gives == ElementType::Unit) continue;
      INFO(row.name << " " << static_cast<int>(how));
      bool found = false;
      for (std::uint64_t seed = 1; seed < 1000 && !found; ++seed)
        found = !found_in(drawn(seed, with_mistake(row.opcode, how))).empty();
      CHECK(found);
    }
}

}  // namespace svcode_random_test
