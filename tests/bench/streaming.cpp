// The engine beside the text tools, a C loop and scalar scans: ./dev bench streaming. The text, half a gigabyte or
// LOCKSTEP_BENCH_BYTES, lies in memory-backed storage; what is written is compared with what the tools write.
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

#include "codegen/streaming/engine.h"
#include "codegen/streaming/kernels/values.h"
#include "semantics/snesl/elaborate.h"
#include "semantics/snesl/parse.h"
#include "tests/bench/bench.h"
#include "translate/streaming/flatten.h"
#include "translate/streaming/simplify.h"

namespace lockstep::bench {
namespace {

using streaming::Engine;

const std::string lines = "fun lines(cs) = sep({(c, c == '\\n') : c in cs})\n";
const std::string word_count =
    "fun ws(c) = c == ' ' || c >= '\\t' && c <= '\\r'\nfun pc(c) = c <= '~' && c > ' '\n"
    "fun pw(w) = reduce-or({pc(c) : c in w})\n"
    "fun wc(file) = sum({int(pw(w)) : w in sep({(c, ws(c)) : c in read_file(file)})})";
const std::string longest_line =
    lines +
    "fun line_len(l) = let ws = sep({(c, c == '\\t') : c in l}) in\n"
    "  sum({let n = #w - 1 in (is_last ? n : (n | 7) + 1) : w in ws; is_last in tail_flags(ws)})\n"
    "fun max_ll(file) = maximum({line_len(l) : l in lines(read_file(file))})";
const std::string rev =
    lines +
    "fun rev_line(w) = let v = tab(w); m = #v; n = v!(m - 1) == '\\n' ? m - 1 : m in {v!(i == n ? i : n - 1 - i) : i in &m}\n"
    "fun rev(from, to) = write_file(to, concat({rev_line(l) : l in lines(read_file(from))}))";
const std::string cut =
    lines +
    "fun row(l) = tab({tab(f) : f in sep({(x, x == ' ') : x in l})})\n"
    "fun field(r, ix) = let n = #r; i = n == 1 ? 0 : ix in if i < n then r ! i else [' ']\n"
    "fun cut(from, to) = write_file(to, concat({let f = field(row(l), 1) in {(c == ' ' ? '\\n' : c) : c in seq(f)}\n"
    "  : l in lines(read_file(from))}))";
const std::string logsum = "fun logsum(n) = sum({log(real(i + 1)) : i in &n})";

Engine load(const std::string& text) {
  const auto parsed = snesl::parse_program(std::make_shared<const Source>(Source{"bench", text}));
  const auto core = snesl::elaborate(parsed.value(), "", {});
  return Engine::load(streaming::simplify(streaming::flatten(core.value()))).value();
}
std::vector<svcode::Stream> texts(const std::vector<std::string>& values) {
  std::vector<svcode::Stream> r;
  for (const std::string& v : values)
    for (auto& s : svcode::represent({snesl::text_value(v)}, snesl::vector_of(snesl::prim(svcode::Prim::Char))))
      r.push_back(std::move(s));
  return r;
}

void write_text(const std::string& path, std::int64_t bytes) {
  std::mt19937 random(1);
  std::string megabyte;
  while (megabyte.size() < 1 << 20) {
    const int words = static_cast<int>(random() % 14);
    if (random() % 10 == 0) megabyte += '\t';
    for (int w = 0; w < words; ++w) {
      if (w) megabyte += ' ';
      for (int k = 1 + static_cast<int>(random() % 9); k > 0; --k) megabyte += static_cast<char>('a' + random() % 26);
    }
    megabyte += '\n';
  }
  std::ofstream out(path, std::ios::binary);
  for (std::int64_t n = 0; n < bytes; n += static_cast<std::int64_t>(megabyte.size())) out << megabyte;
}

void row(const char* what, double ours, double theirs, double bar) {
  std::printf("  %-44s %8.3f s  %8.3f s  %6.2f times, bar %.1f%s\n", what, ours, theirs, theirs / ours, bar,
              theirs / ours >= bar ? "" : "  BELOW");
}

double scalar_logsum(std::int64_t n) {
  double s = 0;
  for (std::int64_t i = 0; i < n; ++i) s += std::log(static_cast<double>(i + 1));
  return s;
}

// Fig. 4.10: lengths of 4 and 100, regular and not.
void scans() {
  using namespace lockstep_engine;
  constexpr i64 n = 1 << 12, repeats = 200;
  Stream<double> x, y;
  x.open(n), y.open(n);
  for (i64 k = 0; k < n; ++k) x.push(static_cast<double>(k % 7) * 0.1);
  const auto scalar = [&] {
    for (i64 r = 0; r < repeats; ++r) {
      double a = 0;
      for (i64 k = 0; k < n; ++k) y.data[k] = a, a += x.data[k];
      asm volatile("" : : "r"(y.data) : "memory");
    }
  };
  const auto blocked = [&] {
    for (i64 r = 0; r < repeats; ++r) {
      Prefix<Plus, double> p;
      p.scan(y.data, x.data, n);
      asm volatile("" : : "r"(y.data) : "memory");
    }
  };
  const Pair whole = side_by_side(blocked, scalar);
  row("scan of Reals over the scalar loop", whole.first, whole.second, 3);
  for (const auto& [length, irregular] : {std::pair{4, false}, {4, true}, {100, false}, {100, true}}) {
    Stream<Bit> ends;
    ends.open(n);
    std::mt19937 random(1);
    int left = length;
    for (i64 k = 0; k < n; ++k) {
      const bool last = --left == 0 || k == n - 1;
      ends.push(last);
      if (last) left = irregular ? 1 + static_cast<int>(random() % static_cast<unsigned>(2 * length - 1)) : length;
    }
    std::vector<unsigned char> flags;
    for (i64 k = 0; k < n; ++k) flags.push_back(ends.get(k));
    const auto loop = [&] {
      for (i64 r = 0; r < repeats; ++r) {
        double a = 0;
        for (i64 k = 0; k < n; ++k) y.data[k] = a, a = flags[static_cast<std::size_t>(k)] ? 0 : a + x.data[k];
        asm volatile("" : : "r"(y.data) : "memory");
      }
    };
    const auto ours = [&] {
      for (i64 r = 0; r < repeats; ++r) {
        Prefix<Plus, double> p;
        Reader<Stream<double>> s;
        BitReader e;
        s.s = &x, e.s = &ends, y.end = 0;
        segscan(y, s, e, p);
        asm volatile("" : : "r"(y.data) : "memory");
      }
    };
    const Pair t = side_by_side(ours, loop);
    const std::string name = std::string("segmented, ") + std::to_string(length) + (irregular ? " irregular" : " regular");
    row(name.c_str(), t.first, t.second, 1);
  }
}

}  // namespace

void streaming() {
  const char* const asked = std::getenv("LOCKSTEP_BENCH_BYTES");
  const std::int64_t bytes = asked ? std::atoll(asked) : std::int64_t{1} << 29;
  const std::string folder = "/dev/shm/lockstep-bench-" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  const std::string in = folder + "/in", out = folder + "/out", theirs = folder + "/theirs";
  write_text(in, bytes);
  setenv("LC_ALL", "C", 1);
  const auto shell = [](const std::string& command) {
    if (std::system(command.c_str()) != 0) std::printf("  %s failed\n", command.c_str());
  };
  std::printf("the engine, and what it is compared with, %lld bytes\n", static_cast<long long>(bytes));
  struct Tool {
    const char* name;
    std::string program, command;
    bool writes;
    std::array<double, 2> bars;  // on one thread, on two
  };
  const Tool tools[] = {{"wc -w", word_count, "wc -w", false, {6, 11}},
                        {"wc -L", longest_line, "wc -L", false, {6, 11}},
                        {"rev", rev, "rev", true, {6, 11}},
                        {"cut -d\" \" -f2", cut, "cut -d' ' -f2", true, {1.5, 2.7}}};
  for (const Tool& tool : tools) {
    const Engine engine = load(tool.program);
    for (const int threads : {1, 2}) {
      const auto ours = [&] {
        const auto r = engine.run(tool.writes ? texts({in, out}) : texts({in}), {0, threads});
        if (!r) std::printf("  %s failed\n", tool.name);
        if (r && !tool.writes) std::ofstream(out) << snesl::show(r->result[0][0]) << "\n";
      };
      const Pair t = side_by_side(
          ours, [&] { shell(tool.command + " < " + in + " > " + theirs); }, tool.writes ? 3 : 5);
      row((std::string(tool.name) + ", threads " + std::to_string(threads)).c_str(), t.first, t.second,
          tool.bars[static_cast<std::size_t>(threads - 1)]);
      shell("cmp " + out + " " + theirs);
    }
  }
  const Engine engine = load(logsum);
  double one = 0;
  for (const int threads : {1, 2}) {
    volatile double sink = 0;
    const Pair t = side_by_side([&] { (void)engine.run({{snesl::int_atom(100'000'000)}}, {0, threads}); },
                                [&] { sink = scalar_logsum(100'000'000); }, 5);
    row((std::string("logsum of 10^8 over C, threads ") + std::to_string(threads)).c_str(), t.first, t.second,
        threads == 1 ? 3 : 3 * 1.9);
    if (threads == 2) row("logsum, two threads over one", t.first, one, 1.9);
    one = t.first;
  }
  scans();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("  %-44s %8.1f MiB resident at most, bar 32\n", "all of it", static_cast<double>(usage.ru_maxrss) / 1024);
  std::filesystem::remove_all(folder);
}

}  // namespace lockstep::bench
