// The streaming engine beside the text tools and a C loop: what runs as a process is timed as a process, its start
// included, on text in memory-backed storage. Bars are those that the project has set itself.
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "tests/bench/bench.h"
#include "tests/bench/loops.h"
#include "tests/bench/process.h"

namespace lockstep::bench {
namespace {

constexpr std::size_t block = 1 << 24;
constexpr int blocks = 30;  // half a gigabyte

// Words of 1 to 12 letters, parted by blanks, sometimes two, sometimes a tab; lines of 0 to 20 words.
const std::string& text_block() {
  static const std::string text = [] {
    std::mt19937 random(20);
    std::string t;
    t.reserve(block + 512);
    while (t.size() < block) {
      for (unsigned words = random() % 21; words > 0; --words) {
        const std::uint32_t r = random();
        for (unsigned k = 0; k < 1 + r % 12; ++k) t += static_cast<char>('a' + (r >> 8) * (k + 3) % 26);
        const unsigned gap = random() % 100;
        t += gap < 2 ? "\t" : gap < 5 ? "  " : " ";
      }
      t += '\n';
    }
    t.resize(block - 1);
    return t += '\n';
  }();
  return text;
}

std::string program(const char* name) {
  return std::string(LOCKSTEP_SOURCE_DIR) + "/examples/streaming/" + name + ".snesl";
}

// A folder in memory, gone at the end.
struct Scratch {
  std::filesystem::path path;
  Scratch() : path("/dev/shm/lockstep-bench-" + std::to_string(getpid())) {
    struct statvfs room;
    if (statvfs("/dev/shm", &room) != 0 || room.f_bavail * room.f_frsize < 4ull * blocks * block) {
      std::fprintf(stderr, "bench: /dev/shm has no room for 2 GB\n");
      std::exit(4);
    }
    std::filesystem::create_directories(path);
  }
  ~Scratch() {
    std::error_code error;
    std::filesystem::remove_all(path, error);
  }
  std::string operator/(const char* name) const { return path / name; }
};

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

struct TextProgram {
  const char* name;
  std::vector<std::string> tool;  // reads standard input
  int rounds;                     // of the tool, which is slow
  double bars[2];                 // on one thread and on two
  bool writes;
};
const TextProgram text_programs[] = {{"wc", {"wc", "-w"}, 2, {6, 11}, false},
                                     {"longest_line", {"wc", "-L"}, 2, {6, 11}, false},
                                     {"rev", {"rev"}, 1, {6, 11}, true},
                                     {"cut", {"cut", "-d", " ", "-f2"}, 2, {1.5, 2.7}, true}};

std::vector<std::string> command(const char* name, std::vector<std::string> arguments) {
  std::vector<std::string> all = {LOCKSTEP_BINARY, "run", program(name), "--target", "engine"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}
std::vector<std::string> text_command(const TextProgram& p, const std::string& file, const std::string& out,
                                      std::vector<std::string> options = {}) {
  options.push_back("file=" + file);
  if (p.writes) options.push_back("out=" + out);
  return command(p.name, options);
}

double timed(const std::vector<std::string>& arguments, const Ends& ends = {}) {
  const Process p = run(arguments, ends);
  if (p.status != 0) {
    std::fprintf(stderr, "bench: failed:");
    for (const std::string& a : arguments) std::fprintf(stderr, " %s", a.c_str());
    std::fprintf(stderr, "\n");
    std::exit(1);
  }
  return p.seconds;
}

bool same_output(const TextProgram& p, const Scratch& scratch, const std::string& text) {
  const std::string theirs = scratch / "theirs", ours = scratch / "ours", shown = scratch / "shown";
  timed(text_command(p, text, ours), {"/dev/null", shown});
  timed(p.tool, {text, theirs});
  const auto number = [](const std::string& path) {
    long long n = -1;
    std::ifstream(path) >> n;
    return n;
  };
  return p.writes ? same_content(ours, theirs) : number(shown) == number(theirs);
}

// What is written goes nowhere, so that only the programs are measured; it is compared on a part of the text.
void beside_tool(const TextProgram& p, const Scratch& scratch) {
  const std::string text = scratch / "text";
  std::vector<double> tool, own[2];
  for (int round = 0; round < 3; ++round) {
    for (const int threads : {1, 2})
      own[threads - 1].push_back(timed(text_command(p, text, "/dev/null", {"--threads", std::to_string(threads)})));
    if (round < p.rounds) tool.push_back(timed(p.tool, {text, "/dev/null"}));
  }
  std::string what;
  for (const std::string& a : p.tool) what += (what.empty() ? "" : " ") + (a == " " ? "\" \"" : a);
  const double megabytes = static_cast<double>(blocks) * block / 1e6;
  std::printf("%s: tool %.0f MB/s; one thread %.0f, two %.0f; %s\n", what.c_str(), megabytes / median(tool),
              megabytes / median(own[0]), megabytes / median(own[1]),
              same_output(p, scratch, scratch / "piece") ? "same output" : "DIFFERENT OUTPUTS");
  row(what + ", one thread over the tool", median(tool) / median(own[0]), "times", p.bars[0], true);
  row(what + ", two threads over the tool", median(tool) / median(own[1]), "times", p.bars[1], true);
}

void logsum_beside_loop() {
  const std::int64_t n = 100'000'000;
  const auto own = [&](int threads) {
    return timed(command("logsum", {"n=" + std::to_string(n), "--threads", std::to_string(threads)}));
  };
  std::vector<double> c, one, two;
  double sum = 0;
  for (int round = 0; round < 5; ++round) {
    if (round < 3) c.push_back(median_of([&] { sum = logsum_loop(n); }, 1));
    one.push_back(own(1));
    two.push_back(own(2));
  }
  const double shown = std::atof(output_of(command("logsum", {"n=" + std::to_string(n)})).c_str());
  // What two threads could gain now: two programs of one thread at a time.
  const double both = median([&] {
    std::vector<double> t;
    for (int k = 0; k < 3; ++k) {
      const auto now = std::chrono::steady_clock::now();
      std::thread other([&] { own(1); });
      own(1);
      other.join();
      t.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - now).count());
    }
    return t;
  }());
  const double start = median([] {
    std::vector<double> t;
    for (int k = 0; k < 5; ++k) t.push_back(timed(command("logsum", {"n=1"})));
    return t;
  }());
  std::printf("logsum of 1e8: C %.3f s; one thread %.3f s, two %.3f s, of which %.3f s is the process's start; %s\n",
              median(c), median(one), median(two), start,
              std::abs(shown / sum - 1) < 1e-12 ? "same sum" : "DIFFERENT SUMS");
  std::printf("two processes of one thread, at once: %.2f times the pace of one; two threads cannot do better\n",
              2 * median(one) / both);
  row("logsum, one thread over C -O3 -march=native", median(c) / median(one), "times", 3, true);
  row("logsum, two threads over one", median(one) / median(two), "times", 1.9, true);
  row("logsum, two threads over one, without the process's start", (median(one) - start) / (median(two) - start),
      "times", 1.9, true);
}

void memory(const std::string& text, bool large) {
  const auto mib = [](const Process& p) { return p.status == 0 ? static_cast<double>(p.peak_kib) / 1024 : HUGE_VAL; };
  const std::string size = large ? "4 GB through a pipe" : "0.5 GB";
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  for (const TextProgram& p : text_programs) {
    const Process m = large ? run_piped({self, "--text", "4000000000"}, text_command(p, "-", "/dev/null"))
                            : run_watched(text_command(p, text, "/dev/null"));
    row(std::string(p.name) + ", resident at " + size, mib(m), "MiB", 32);
  }
  row(std::string("logsum, resident at ") + (large ? "4 GB of numbers" : "0.5 GB of numbers"),
      mib(run_watched(command("logsum", {large ? "n=500000000" : "n=62500000"}))), "MiB", 32);
}

// Vectors that are seldom asked take a line; vectors, arguments and results their data, and 64 MiB.
void memory_of_data(const Scratch& scratch, const std::string& text) {
  const std::string file = scratch / "kept.snesl", array = scratch / "array.npy";
  std::ofstream(file) << "fun lines(cs) = sep({(c, c == '\\n') : c in cs})\n"
                         "fun rare(file) = sum({let v = tab(l) in if #v > 1000 then int(v ! 5) else 0 : l in "
                         "lines(read_file(file))})\n"
                         "fun sums(file) = sum({let v = tab(l) in if #v > 1000 then sum({int(c) : c in seq(v)}) else 0 "
                         ": l in lines(read_file(file))})\n"
                         "fun back(n) = let v = tab({i * i % 1013 : i in &n}) in sum({v ! (n - 1 - i) : i in &n})\n"
                         "fun total(v) = sum({x + 0 : x in seq(v)})\n"
                         "fun count(n) = &n\n";
  const auto entry = [&](const std::string& name, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {LOCKSTEP_BINARY, "run", file + ":" + name});
    return arguments;
  };
  const auto resident = [&](const std::string& what, const std::vector<std::string>& large, double bar,
                            const std::vector<std::string>& small) {
    run(small);  // compiled, and kept
    const Process p = run_watched(large);
    row(what, p.status == 0 ? static_cast<double>(p.peak_kib) / 1024 : HUGE_VAL, "MiB", bar);
  };
  const auto with_data = [](double bytes) { return bytes / (1 << 20) + 64; };
  const std::string small = scratch / "small";
  resident("lines asked for when they are long, resident at 0.5 GB", entry("rare", {"file=" + text}), 32,
           entry("rare", {"file=" + small}));
  resident("lines summed up when they are long, resident at 0.5 GB", entry("sums", {"file=" + text}), 32,
           entry("sums", {"file=" + small}));
  resident("grep_count, resident at 0.5 GB", command("grep_count", {"file=" + text, "text=ERROR"}), 32,
           command("grep_count", {"file=" + small, "text=ERROR"}));
  resident("a vector of 128 MB read backwards, resident", entry("back", {"n=16000000"}), with_data(128e6),
           entry("back", {"n=1"}));
  resident("80 MB printed, resident", entry("count", {"n=10000000"}), with_data(80e6), entry("count", {"n=1"}));
  resident("100 MB with --output, resident", entry("count", {"n=12500000", "--output", array}), with_data(100e6),
           entry("count", {"n=1"}));
  resident("100 MB as an argument, resident", entry("total", {"v=" + array}), with_data(100e6),
           entry("total", {"v=[1]"}));
}

// The default against the best of fixed sizes, all taking turns.
void chunk_sizes(const Scratch& scratch) {
  const std::string text = scratch / "part";
  std::vector<std::pair<std::string, std::vector<std::string>>> programs;
  for (const TextProgram& p : text_programs) programs.emplace_back(p.name, text_command(p, text, "/dev/null"));
  programs.emplace_back("logsum", command("logsum", {"n=60000000"}));
  programs.emplace_back("logsumsum", command("logsumsum", {"m=3000000"}));
  const std::vector<std::string> sizes = {"", "4096", "16384", "65536", "262144", "1048576"};
  std::printf("chunk sizes, milliseconds: default");
  for (std::size_t k = 1; k < sizes.size(); ++k) std::printf(" %8s", sizes[k].c_str());
  std::printf("\n");
  for (const auto& [name, base] : programs) {
    std::vector<std::vector<double>> t(sizes.size());
    for (int round = 0; round < (round > 0 && t[0][0] > 0.25 ? 3 : 5); ++round)
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        std::vector<std::string> arguments = base;
        if (k > 0) arguments.insert(arguments.end(), {"--chunk", sizes[k]});
        t[k].push_back(timed(arguments));
      }
    std::printf("%-24s %9.0f", name.c_str(), median(t[0]) * 1e3);
    double best = HUGE_VAL;
    for (std::size_t k = 1; k < sizes.size(); ++k) {
      best = std::min(best, median(t[k]));
      std::printf(" %8.0f", median(t[k]) * 1e3);
    }
    std::printf("\n");
    row(name + ", chunk of its own choice over the best", median(t[0]) / best, "times", 1.1);
  }
}

}  // namespace

void write_text(long long bytes) {
  const std::string& text = text_block();
  for (; bytes > 0; bytes -= static_cast<long long>(text.size()))
    if (std::fwrite(text.data(), 1, std::min(text.size(), static_cast<std::size_t>(bytes)), stdout) == 0) return;
}

void streaming() {
  setenv("LC_ALL", "C", 1);
  const Scratch scratch;
  const std::string text = scratch / "text", small = scratch / "small",
                    self = std::filesystem::read_symlink("/proc/self/exe");
  // Another process makes it: what this one holds would count as its children's.
  for (const auto& [name, length] : {std::pair{"text", blocks}, std::pair{"part", 8}, std::pair{"piece", 2}})
    timed({self, "--text", std::to_string(static_cast<std::size_t>(length) * block)}, {"/dev/null", scratch / name});
  timed({self, "--text", "100"}, {"/dev/null", small});
  // Compiled, and kept.
  for (const TextProgram& p : text_programs) timed(text_command(p, small, scratch / "ours"));
  timed(command("logsum", {"n=1"}));
  timed(command("logsumsum", {"m=1"}));

  double load = 0;
  getloadavg(&load, 1);
  std::printf("streaming: the engine beside the tools, %.0f MB in /dev/shm; the machine's load before: %.1f\n",
              static_cast<double>(blocks) * block / 1e6, load);
  memory(text, false);
  memory(text, true);
  memory_of_data(scratch, text);
  for (const TextProgram& p : text_programs) beside_tool(p, scratch);
  logsum_beside_loop();
  chunk_sizes(scratch);
}

}  // namespace lockstep::bench
