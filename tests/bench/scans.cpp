// Scans against the scalar loops of thesis Fig. 4.5 and 4.9: the circuits of Fig. 4.4 and 4.10, and the engine's own
// kernels, on arrays that stay in the second cache.
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include "codegen/streaming/kernels/scans.h"
#include "tests/bench/bench.h"
#include "tests/bench/circuits.h"
#include "tests/bench/loops.h"

namespace lockstep::bench {
namespace {

constexpr std::int64_t count = 8192;

// Nanoseconds an element; f scans `count` of them in each of many rounds.
template <class F>
double pace(F f) {
  const int rounds = 192;
  const auto many = [&] {
    for (int k = 0; k < rounds; ++k) {
      f(k);
      asm volatile("" ::: "memory");
    }
  };
  many();
  return median_of(many, 7) / rounds / static_cast<double>(count) * 1e9;
}

// Whole numbers, so that every order of the additions gives the same.
template <class T>
std::vector<T> numbers() {
  std::mt19937 random(3);
  std::vector<T> v(count);
  for (T& x : v) x = static_cast<T>(static_cast<int>(random() % 17) - 8);
  return v;
}

void line(const char* what, double own, double loop, bool same) {
  std::printf("  %-58s %10.3f ns/element, %5.2f times the loop%s\n", what, own, loop / own, same ? "" : ": WRONG SUMS");
  std::fflush(stdout);
}

template <class T>
struct Scans {
  std::vector<T> xs = numbers<T>(), expected = std::vector<T>(count), ys = std::vector<T>(count);
  double loop;
  Scans(const char* type) {
    loop = pace([&](int) { scan_loop(xs.data(), expected.data(), count); });
    std::printf("scan of %s: the loop takes %.3f ns/element\n", type, loop);
  }
  void circuit(const char* name, void (*f)(const T*, T*, std::int64_t)) {
    ys.assign(count, 0);
    const double own = pace([&](int) { f(xs.data(), ys.data(), count); });
    line(name, own, loop, ys == expected);
  }
  template <class D>
  void circuits() {
    const std::string by = "x" + std::to_string(lanes_of<D>);
    circuit(("Blelloch 1" + by).c_str(), scan_with<Blelloch, D, 1>);
    circuit(("Blelloch 2" + by).c_str(), scan_with<Blelloch, D, 2>);
    circuit(("Blelloch 4" + by).c_str(), scan_with<Blelloch, D, 4>);
    circuit(("Kogge-Stone 1" + by).c_str(), scan_with<KoggeStone, D, 1>);
    circuit(("Kogge-Stone 2" + by).c_str(), scan_with<KoggeStone, D, 2>);
    circuit(("Kogge-Stone 4" + by).c_str(), scan_with<KoggeStone, D, 4>);
    circuit(("Sklansky 2" + by).c_str(), scan_with<Sklansky, D, 2>);
  }
};

template <class T>
struct Source {
  lockstep_engine::Stream<T> stream;
  explicit Source(const std::vector<T>& xs) {
    stream.open(count);
    for (const T x : xs) stream.push(x);
    stream.done = true;
  }
};

// The engine's are exclusive; this makes them the loop's.
template <class T>
bool agrees(lockstep_engine::Stream<T>& out, const std::vector<T>& xs, const std::vector<T>& expected) {
  if (out.end != count) return false;
  for (std::int64_t i = 0; i < count; ++i)
    if (out.get(i) + xs[static_cast<std::size_t>(i)] != expected[static_cast<std::size_t>(i)]) return false;
  return true;
}

template <class T>
void engine_scan(Scans<T>& s, const char* what, double bar) {
  using namespace lockstep_engine;
  Source<T> source(s.xs);
  Stream<T> out;
  out.open(count);
  const double own = pace([&](int) {
    out.restart();
    Reader<Stream<T>> reader;
    reader.s = &source.stream;
    Prefix<Plus, T> prefix;
    lockstep_engine::scan<Plus>(out, reader, prefix);
  });
  line(what, own, s.loop, agrees(out, s.xs, s.expected));
  if (bar > 0) row(what, s.loop / own, "times", bar, true);
}

// Segments of `length` elements, or where irregular of that many on the average, anew in each round: no predictor of
// branches learns them by heart.
struct Segments {
  static constexpr int sets = 32;
  std::unique_ptr<bool[]> begin[sets];                                        // true at the first element of a segment
  std::unique_ptr<lockstep_engine::Stream<lockstep_engine::Bit>> ends[sets];  // true at the last
  Segments(int length, bool irregular) {
    std::mt19937 random(4);
    for (int k = 0; k < sets; ++k) {
      begin[k] = std::make_unique<bool[]>(count + 1);
      begin[k][count] = true;
      for (std::int64_t i = 0; i < count;
           i += irregular ? 1 + static_cast<int>(random() % static_cast<unsigned>(2 * length - 1)) : length)
        begin[k][static_cast<std::size_t>(i)] = true;
      ends[k] = std::make_unique<lockstep_engine::Stream<lockstep_engine::Bit>>();
      ends[k]->open(count);
      for (std::int64_t i = 0; i < count; ++i) ends[k]->push(begin[k][static_cast<std::size_t>(i + 1)]);
      ends[k]->done = true;
    }
  }
  const bool* flags(int round) const { return begin[round % sets].get(); }
};

void segmented(int length, bool irregular) {
  using namespace lockstep_engine;
  const std::string what = std::string("segments of ") + std::to_string(length) + (irregular ? ", irregular" : "");
  const Segments segments(length, irregular);
  const std::vector<double> xs = numbers<double>();
  std::vector<double> ys(count), zs(count);
  const double branching = pace([&](int k) { segscan_branching(segments.flags(k), xs.data(), ys.data(), count); });
  const double branchless = pace([&](int k) { segscan_branchless(segments.flags(k), xs.data(), zs.data(), count); });
  std::printf("segmented scan, %s: doubles, the branching loop takes %.3f ns/element\n", what.c_str(), branching);
  line("the branchless loop", branchless, branching, ys == zs);
  Source<double> source(xs);
  Stream<double> out;
  out.open(count);
  const double own = pace([&](int k) {
    out.restart();
    Reader<Stream<double>> reader;
    reader.s = &source.stream;
    BitReader flags;
    flags.s = segments.ends[k % Segments::sets].get();
    Prefix<Plus, double> prefix;
    lockstep_engine::segscan<Plus>(out, reader, flags, prefix);
  });
  line("the engine's kernel", own, branching, agrees(out, xs, ys));
  row("engine, " + what + ", over the branching loop", branching / own, "times", 1, true);
  row("engine, " + what + ", over the branchless loop", branchless / own, "times", 1, true);

  const std::vector<float> small = numbers<float>();
  std::vector<float> a(count), b(count);
  const double loop = pace([&](int k) { segscan_branching(segments.flags(k), small.data(), a.data(), count); });
  std::printf("  floats, the branching loop takes %.3f ns/element\n", loop);
  const auto beside = [&](const char* name, auto f) {
    const double t = pace([&](int k) { f(segments.flags(k), small.data(), b.data(), count); });
    line(name, t, loop, a == b);
  };
  beside("the branchless loop", [](auto... x) { segscan_branchless(x...); });
  beside("Kogge-Stone 2x4", segmented_kogge_stone<2>);
  beside("Kogge-Stone 4x4", segmented_kogge_stone<4>);
}

}  // namespace

void scans() {
  Scans<float> floats("floats");
  floats.circuits<hn::FixedTag<float, 4>>();
  Scans<double> doubles("doubles");
  doubles.circuits<hn::CappedTag<double, 8>>();
  engine_scan(doubles, "the engine's scan of Reals", 3);
  Scans<std::int64_t> ints("whole numbers");
  engine_scan(ints, "the engine's scan of Ints", 0);
  for (const int length : {4, 100})
    for (const bool irregular : {false, true}) segmented(length, irregular);
}

}  // namespace lockstep::bench
