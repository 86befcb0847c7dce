// What a user waits for: check, stages and run as processes, the interpreters on a million elements, the campaign's
// pace, and the memory of a run. Bars are those that the project has set itself.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "proofs/sizes/solver.h"
#include "semantics/functional/denote.h"
#include "semantics/functional/inference/infer.h"
#include "semantics/kernel/interleave.h"
#include "tests/bench/bench.h"
#include "tests/bench/process.h"
#include "translate/dpia/stage.h"

namespace lockstep::bench {
namespace {

// An array of many small expressions: `nodes` nodes of the surface. (A chain of lets nests as deep as it is long, and
// what `stages` prints of it is mostly indentation.)
std::string wide_program(int nodes) {
  std::ostringstream out;
  const int parts = nodes / 6;
  out << "fun wide (x : f32) : [" << parts << "]f32 = [";
  for (int k = 0; k < parts; ++k) out << (k ? ", " : "") << "x * " << k % 7 << " + " << k;
  out << "]\n";
  return out.str();
}

// Programs that are large in one way: a table, a line of operators, many functions, calls that double, many errors.
std::string repeated(int n, const std::string& between, const std::function<std::string(int)>& part) {
  std::string out;
  for (int k = 0; k < n; ++k) out += (k ? between : "") + part(k);
  return out;
}
std::string table_program(int n) {
  return "fun f (k : i64) : i32 = [" + repeated(n, ", ", [](int k) { return std::to_string(k * 7 % 1000); }) +
         "] ! k\n";
}
std::string sum_program(int n) {
  return "fun f (x : i32) : i32 = " + repeated(n, " + ", [](int k) { return "x * " + std::to_string(k); }) + "\n";
}
std::string functions_program(int n) {
  return repeated(n, "", [](int k) {
    return "fun f" + std::to_string(k) + " (x : i32) : i32 = x * " + std::to_string(k) + " + 1\n";
  });
}
std::string doubling_program(int n) {
  return "fun f0 (x : i32) : i32 = x\n" + repeated(n, "", [](int k) {
           const std::string f = "f" + std::to_string(k);
           return "fun f" + std::to_string(k + 1) + " (x : i32) : i32 = " + f + " (x + 1) + " + f + " (x * 3)\n";
         });
}
std::string errors_program(int n) {
  return repeated(n, "", [](int k) { return "fun f" + std::to_string(k) + " (x : i32) : i32 = x * y\n"; });
}

// At n, and how much longer at 2 n. The command fails on a program of errors, as it should.
void growth_rows(const std::vector<std::string>& command, const std::string& what, int n, double bar,
                 const std::function<std::string(int)>& program, const std::filesystem::path& scratch) {
  double seconds[2] = {};
  for (const int k : {0, 1}) {
    const std::string path = scratch / ("large" + std::to_string(k) + ".dpia");
    std::ofstream(path) << program(n << k);
    std::vector<std::string> words = command;
    words.insert(words.begin() + 2, path);
    seconds[k] = median_seconds(words, 3);
  }
  row(command[1] + ", " + what, seconds[0], "s", bar);
  row(command[1] + ", twice as much", seconds[1] / seconds[0], "times", 2.5);
}

// Blocks of 1,024 threads, each of which adds up 2,048 elements as a tree, by both interpreters of kernels: the nested
// one, and that of threads which change places, with its race detector.
void tree_rows(const Calculus& calculus) {
  const std::string text =
      "fun sums [n] (xs : [n][2048]i32) : [n]i32 = mapWorkgroup (\\row -> reduceBlock (+) 0 row) xs\n";
  PhraseProgram source = infer(parse_program(std::make_shared<const Source>(Source{"sums.dpia", text})).value(),
                               calculus, proofs::z3_size_solver())
                             ->entries.back();
  source.launch = {.block = 1024};
  const kernel::Program p = dpia_trace(source, calculus, Machine::Gpu).kernel();
  const std::int64_t n = 64;
  kernel::Buffers inputs;
  std::vector<std::int64_t> expected(n);
  for (std::int64_t k = 0; k < n * 2048; ++k) {
    inputs["xs"].push_back(make_integer(ScalarType::I32, k * 7919 % 10007));
    expected[k / 2048] += k * 7919 % 10007;
  }
  const auto timed = [&](const std::string& what, const auto& run) {
    const double t = median_of(
        [&] {
          const auto out = run();
          for (std::int64_t k = 0; k < n; ++k)
            if (!out || out->begin()->second[k].integer() != expected[k]) {
              std::printf("  the sums are wrong: their time means nothing\n");
              break;
            }
        },
        3);
    row("64 trees by blocks of 1,024 threads, " + what, t, "s", 2);
  };
  timed("kernel interpreter", [&] { return kernel::run(p, {{"n", n}}, inputs, ieee_domain()); });
  timed("... with races found", [&] {
    return kernel::run(p, {{"n", n}}, inputs, ieee_domain(), {.detect_races = true});
  });
  timed("threads in turn, with races found", [&] {
    return kernel::run_interleaved(p, {{"n", n}}, inputs, ieee_domain(), {.live = 1024});
  });
}

double process_start() { return median_seconds({"/bin/true"}, 15); }

}  // namespace

void tool() {
  const std::string lockstep = LOCKSTEP_BINARY, root = LOCKSTEP_SOURCE_DIR;
  const std::filesystem::path scratch =
      std::filesystem::temp_directory_path() / ("lockstep-bench-" + std::to_string(getpid()));
  std::filesystem::create_directories(scratch);
  std::printf("what a user waits for\n");
  // First: a child's peak counts what its parent held when it was started.
  const std::int64_t m = 4096, n = 8192;
  const Process gemv =
      run({lockstep, "run", root + "/examples/gemv.dpia", "m=" + std::to_string(m), "n=" + std::to_string(n),
           "a=random:1", "x=random:2", "--output", (scratch / "y.npy").string()});
  const double mib = static_cast<double>(gemv.peak_kib) / 1024,
               data = static_cast<double>(m * n + n + m) * 4 / (1 << 20);
  row("memory of run, gemv 4096 x 8192, beyond inputs and outputs", mib - data, "MiB", 64);
  double worst_check = 0, worst_stages = 0;
  for (const auto& e : std::filesystem::directory_iterator(root + "/examples")) {
    if (e.path().extension() != ".dpia") continue;
    worst_check = std::max(worst_check, median_seconds({lockstep, "check", e.path()}, 3));
    worst_stages = std::max(worst_stages, median_seconds({lockstep, "stages", e.path()}, 3));
  }
  double worst_verify = 0;
  std::string slowest;
  for (const char* folder : {"/examples", "/examples/streaming"})
    for (const auto& e : std::filesystem::directory_iterator(root + folder)) {
      if (e.path().extension() != ".dpia" && e.path().extension() != ".snesl") continue;
      const double s = median_seconds({lockstep, "verify", e.path()}, 1);
      if (s > worst_verify) worst_verify = s, slowest = e.path().filename();
    }
  row("verify, the slowest example (" + slowest + ")", worst_verify, "s", 15);
  row("check, the slowest example", worst_check * 1e3, "ms", 50);
  row("stages, the slowest example", worst_stages * 1e3, "ms", 50);
  double seconds[2] = {};
  for (const int k : {0, 1}) {
    const std::string path = scratch / ("wide" + std::to_string(k) + ".dpia");
    std::ofstream(path) << wide_program(5000 << k);
    seconds[k] = median_seconds({lockstep, "stages", path}, 3);
  }
  row("stages, 5,000 nodes", seconds[0], "s", 1);
  row("stages, 10,000 nodes over 5,000", seconds[1] / seconds[0], "times", 2.5);
  const std::vector<std::string> check{lockstep, "check"}, verify{lockstep, "verify"};
  growth_rows(check, "an array of 8,000 literals", 8000, 1, table_program, scratch);
  growth_rows(check, "16 levels of calls that double", 16, 1, doubling_program, scratch);
  growth_rows(check, "2,000 operators in a row", 2000, 1, sum_program, scratch);
  growth_rows(check, "2,000 functions", 2000, 1, functions_program, scratch);
  growth_rows(check, "20,000 errors", 20000, 1, errors_program, scratch);
  growth_rows(verify, "400 operators in a row", 400, 2, sum_program, scratch);
  const std::vector<std::string> dot = {lockstep, "run", root + "/examples/dot.dpia", "xs=[1,2,3]", "ys=[4,5,6]"};
  run(dot);
  row("run, everything cached, over a process's own start", (median_seconds(dot, 15) - process_start()) * 1e3, "ms",
      30);

  std::ifstream file(root + "/examples/dot.dpia");
  std::stringstream text;
  text << file.rdbuf();
  const Calculus calculus = standard_calculus();
  const auto program = infer(parse_program(std::make_shared<const Source>(Source{"dot.dpia", text.str()})).value(),
                             calculus, proofs::z3_size_solver());
  std::mt19937 random(1);
  std::vector<Value> elements[2];
  for (auto& v : elements)
    for (int k = 0; k < 1'000'000; ++k)
      v.push_back(scalar_value(make_ieee(ScalarType::F32, static_cast<double>(random() % 20001) / 10000 - 1)));
  const std::vector<Value> arguments = {array_value(elements[0]), array_value(elements[1])};
  for (const auto& [domain, bar] :
       {std::pair{&ieee_domain(), 1.0}, std::pair{&exact_domain(), 10.0}, std::pair{&bounded_domain(), 10.0}}) {
    const double t = median_of(
        [&, d = domain] {
          (void)denote(program->entries.back(), {{"n", 1'000'000}}, arguments, *d);
        },
        3);
    row("interpreter, dot product of a million, " + std::string(domain->name()), t, "s", bar);
  }
  tree_rows(calculus);
  const Process campaign = run({lockstep, "campaign", "--programs", "1000", "--seed", "1"});
  if (campaign.status != 0) std::printf("  the campaign failed: its pace means nothing\n");
  row("campaign, all stages interpreted, one core", 1000 / campaign.seconds, "programs/s", 300, true);

  std::filesystem::remove_all(scratch);
}

}  // namespace lockstep::bench
