// Programs as people write them, without a strategy (defaults/programs.dpia), beside the obvious C
// (defaults/loops.cpp): all on the same arrays, taking turns in one run. What a program gives in the order that is
// written is compared with the C that adds so: the same bits, or, of exp and log of two libraries, to the last places;
// and what it gives by blocks, to a few digits, with the C that adds by lanes.
#include <omp.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "proofs/sizes/solver.h"
#include "semantics/functional/syntax/parse.h"
#include "tests/bench/bench.h"
#include "tests/bench/default_loops.h"
#include "tests/bench/executable.h"

namespace lockstep::bench {
namespace {

using I64 = std::int64_t;
using Fill = std::function<double(I64)>;  // of element k of a leaf

// Leaves of all parameters, and of the result, in order.
struct In {
  std::vector<const void*> leaves;
  template <class T>
  const T* at(std::size_t k) const {
    return static_cast<const T*>(leaves[k]);
  }
};
struct Out {
  std::vector<void*> leaves;
  template <class T>
  T* at(std::size_t k) const {
    return static_cast<T*>(leaves[k]);
  }
};

constexpr double bar = 0.9;  // the C's time over ours
// Of sums of 2^24 floats in two orders, by lanes and blocks both, where each has an error of some 2^12 roundings.
constexpr double of_orders = 2e-3;
struct Row {
  const char* what;
  const char* program;
  bool bars;       // one of those that have to meet it
  bool reordered;  // the C that it is held against may take sums of floats apart, and contract
  SizeValues sizes;
  std::vector<Fill> fills;  // one a leaf
  std::function<void(const Loops&, const In&, const Out&)> loop;
  double within = 0;  // of the C's result and 1 together; 0: the same bits
};

// The same numbers in every run.
double uniform(I64 k) {
  auto x = static_cast<std::uint64_t>(k) * 0x9E3779B97F4A7C15U + 0x632BE59BD9B4E019U;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27) * 0x94D049BB133111EBU;
  return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53;
}
Fill between(double least, double most) {
  return [=](I64 k) { return least + (most - least) * uniform(k); };
}
Fill below(I64 n) {
  return [n](I64 k) { return std::floor(static_cast<double>(n) * uniform(k)); };
}
Fill always(double x) {
  return [x](I64) { return x; };
}

template <class T>
void fill_as(void* data, I64 n, const Fill& f) {
  for (I64 k = 0; k < n; ++k) static_cast<T*>(data)[k] = static_cast<T>(f(k));
}
void fill(const LeafArray& leaf, void* data, const Fill& f) {
  const I64 n = count_of(leaf);
  switch (leaf.type) {
    case ScalarType::Bool:
      return fill_as<bool>(data, n, f);
    case ScalarType::U8:
      return fill_as<std::uint8_t>(data, n, f);
    case ScalarType::I32:
      return fill_as<std::int32_t>(data, n, f);
    case ScalarType::U32:
      return fill_as<std::uint32_t>(data, n, f);
    case ScalarType::I64:
      return fill_as<I64>(data, n, f);
    case ScalarType::F32:
      return fill_as<float>(data, n, f);
    case ScalarType::F64:
      return fill_as<double>(data, n, f);
    case ScalarType::I8:
    case ScalarType::I16:
    case ScalarType::U16:
    case ScalarType::U64:
      throw std::runtime_error("a benchmark has no numbers of this type");
  }
}

template <class T>
double difference(const void* a, const void* b, I64 n) {
  double most = 0;
  for (I64 k = 0; k < n; ++k) {
    const double x = static_cast<const T*>(a)[k], y = static_cast<const T*>(b)[k];
    most = std::max(most, std::fabs(x - y) / (std::fabs(y) + 1));
  }
  return most;
}
// How many of the elements differ.
I64 differing(const LeafArray& leaf, const void* other) {
  const auto bytes = static_cast<I64>(bytes_of(leaf.type));
  I64 out = 0;
  for (I64 k = 0; k < count_of(leaf); ++k)
    out += std::memcmp(static_cast<const char*>(leaf.data) + k * bytes, static_cast<const char*>(other) + k * bytes,
                       static_cast<std::size_t>(bytes)) != 0;
  return out;
}
// What is whole and made of floats that are rounded otherwise may differ in one element of a thousand.
bool same(const LeafArray& leaf, const void* other, double within) {
  const I64 n = count_of(leaf);
  if (within > 0 && !is_float(leaf.type)) return differing(leaf, other) * 1000 <= n;
  if (within == 0) return std::memcmp(leaf.data, other, static_cast<std::size_t>(n * bytes_of(leaf.type))) == 0;
  return (leaf.type == ScalarType::F32 ? difference<float>(leaf.data, other, n)
                                       : difference<double>(leaf.data, other, n)) <= within;
}

// A row's program and its C on the same arrays, results too: what a cache holds of them is the same for all.
class Measured {
 public:
  Measured(const Row& row, const PhraseProgram& program, const Calculus& calculus) : row_(row) {
    Arguments arguments{row.sizes, {}};
    for (const auto& [name, type] : program.parameters) {
      arguments.values.push_back(allocate_leaves(type, row.sizes, name).value());
      const std::vector<void*> data = writable(arguments.values.back());
      for (std::size_t k = 0; k < data.size(); ++k) {
        fill(arguments.values.back()[k], data[k], row.fills.at(in_.leaves.size()));
        in_.leaves.push_back(data[k]);
      }
    }
    if (in_.leaves.size() != row.fills.size()) throw std::runtime_error(std::string(row.what) + ": too many fills");
    results_ = allocate_leaves(program.result, row.sizes, "the results").value();
    out_.leaves = writable(results_);
    if (row.reordered) {
      PhraseProgram strict = program;
      strict.in_order = true;
      in_order_.emplace(strict, calculus, arguments, out_.leaves);
    }
    ours_.emplace(program, calculus, std::move(arguments), out_.leaves);
  }
  void check() const {
    agrees(strict_loops(), in_order_ ? *in_order_ : *ours_, row_.within);
    if (in_order_) agrees(reordered_loops(), *ours_, std::max(row_.within, of_orders));
  }
  // The C's time over ours.
  double measure() const {
    const auto by = [&](const Loops& loops) { return [&] { row_.loop(loops, in_, out_); }; };
    const std::vector<Times> t =
        taking_turns({by(row_.reordered ? reordered_loops() : strict_loops()), by(fast_loops()), *ours_}, 9);
    const double ratio = t[0].median / t[2].median;
    std::printf("  %-34s %9.2f %9.2f %9.2f %9.2f %9.2f %6.2f  %s\n", row_.what, t[0].least * 1e3, t[0].median * 1e3,
                t[1].median * 1e3, t[2].least * 1e3, t[2].median * 1e3, ratio,
                !row_.bars     ? ""
                : ratio >= bar ? "met"
                               : "NOT MET");
    std::fflush(stdout);
    return ratio;
  }

 private:
  void agrees(const Loops& c, const OnCpu& program, double within) const {
    row_.loop(c, in_, out_);
    std::vector<std::string> wanted;
    for (const LeafArray& leaf : results_)
      wanted.emplace_back(static_cast<const char*>(leaf.data),
                          static_cast<std::size_t>(count_of(leaf) * bytes_of(leaf.type)));
    program();
    for (std::size_t k = 0; k < results_.size(); ++k)
      if (!same(results_[k], wanted[k].data(), within))
        throw std::runtime_error(std::string(row_.what) + ": the results differ");
  }

  const Row& row_;
  In in_;
  Out out_;
  Leaves results_;
  std::optional<OnCpu> ours_, in_order_;
};

constexpr I64 n = I64{1} << 24;
constexpr bool must = true, may = false, reordered = true, as_written = false;

std::vector<Row> rows() {
  const Fill x = between(-1, 1);
  std::vector<Row> out;
  out.push_back({"sum", "sum", must, reordered, {{"n", n}}, {x}, [](const Loops& c, const In& in, const Out& o) {
                   *o.at<float>(0) = c.sum(in.at<float>(0), n);
                 }});
  out.push_back({"dot", "dot", must, reordered, {{"n", n}}, {x, x}, [](const Loops& c, const In& in, const Out& o) {
                   *o.at<float>(0) = c.dot(in.at<float>(0), in.at<float>(1), n);
                 }});
  out.push_back({"asum", "asum", must, reordered, {{"n", n}}, {x}, [](const Loops& c, const In& in, const Out& o) {
                   *o.at<float>(0) = c.asum(in.at<float>(0), n);
                 }});
  out.push_back(
      {"scal", "scal", must, as_written, {{"n", n}}, {always(1.5), x}, [](const Loops& c, const In& in, const Out& o) {
         c.scal(*in.at<float>(0), in.at<float>(1), o.at<float>(0), n);
       }});
  out.push_back({"saxpy",
                 "saxpy",
                 must,
                 reordered,
                 {{"n", n}},
                 {always(1.5), x, x},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.saxpy(*in.at<float>(0), in.at<float>(1), in.at<float>(2), o.at<float>(0), n);
                 }});
  out.push_back({"mean and variance, f64",
                 "mean_and_variance",
                 must,
                 reordered,
                 {{"n", n}},
                 {x},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.mean_and_variance(in.at<double>(0), o.at<double>(0), o.at<double>(1), n);
                 }});
  out.push_back(
      {"standard deviation",
       "standard_deviation",
       may,
       reordered,
       {{"n", n}},
       {between(0, 1)},
       [](const Loops& c, const In& in, const Out& o) { *o.at<float>(0) = c.standard_deviation(in.at<float>(0), n); }});
  out.push_back({"argmax", "argmax", must, as_written, {{"n", n}}, {x}, [](const Loops& c, const In& in, const Out& o) {
                   *o.at<I64>(0) = c.argmax(in.at<float>(0), n);
                 }});
  out.push_back(
      {"maximum segment sum",
       "max_segment_sum",
       may,
       reordered,
       {{"n", n}},
       {x},
       [](const Loops& c, const In& in, const Out& o) { *o.at<float>(0) = c.max_segment_sum(in.at<float>(0), n); }});
  out.push_back({"Horner, f64",
                 "horner",
                 must,
                 reordered,
                 {{"n", n}},
                 {always(0.75), x},
                 [](const Loops& c, const In& in, const Out& o) {
                   *o.at<double>(0) = c.horner(*in.at<double>(0), in.at<double>(1), n);
                 }});
  out.push_back({"chain of four maps",
                 "chain",
                 must,
                 as_written,
                 {{"n", n}},
                 {x},
                 [](const Loops& c, const In& in, const Out& o) { c.chain(in.at<float>(0), o.at<float>(0), n); }});

  out.push_back(
      {"histogram of bytes",
       "histogram",
       must,
       as_written,
       {{"n", n}},
       {below(256)},
       [](const Loops& c, const In& in, const Out& o) { c.histogram(in.at<std::uint8_t>(0), o.at<I64>(0), n); }});
  out.push_back({"scan of ints",
                 "prefix_sums",
                 must,
                 as_written,
                 {{"n", n}},
                 {below(1000)},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.prefix_sums(in.at<std::int32_t>(0), o.at<std::int32_t>(0), n);
                 }});
  out.push_back({"exclusive scan of ints",
                 "sums_before",
                 must,
                 as_written,
                 {{"n", n}},
                 {below(1000)},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.sums_before(in.at<std::int32_t>(0), o.at<std::int32_t>(0), n);
                 }});
  out.push_back(
      {"prefix maximum",
       "prefix_maximum",
       may,
       as_written,
       {{"n", n}},
       {x},
       [](const Loops& c, const In& in, const Out& o) { c.prefix_maximum(in.at<float>(0), o.at<float>(0), n); }});
  out.push_back({"radix pass",
                 "radix_pass",
                 must,
                 as_written,
                 {{"n", n}},
                 {always(3), below(I64{1} << 32)},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.radix_pass(*in.at<std::uint32_t>(0), in.at<std::uint32_t>(1), o.at<std::uint32_t>(0), n);
                 }});
  out.push_back({"compaction",
                 "compact",
                 must,
                 as_written,
                 {{"n", n}},
                 {between(-1000, 1000)},
                 [](const Loops& c, const In& in, const Out& o) {
                   *o.at<I64>(0) = c.compact(in.at<std::int32_t>(0), o.at<std::int32_t>(1), n);
                 }});
  out.push_back({"segmented sum",
                 "segmented_sum",
                 must,
                 reordered,
                 {{"n", n}, {"k", n / 64}},
                 {[](I64 k) { return static_cast<double>(k / 64); }, x},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.segmented_sum(in.at<I64>(0), in.at<float>(1), o.at<float>(0), n, n / 64);
                 }});
  out.push_back({"segmented scan",
                 "segmented_scan",
                 may,
                 reordered,
                 {{"n", n}},
                 {[](I64 k) { return uniform(k) < 0.01 ? 1 : 0; }, x},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.segmented_scan(in.at<bool>(0), in.at<float>(1), o.at<float>(0), n);
                 }});

  out.push_back(
      {"row sums, 64 x 262,144",
       "row_sums",
       must,
       reordered,
       {{"m", 64}, {"n", n / 64}},
       {x},
       [](const Loops& c, const In& in, const Out& o) { c.row_sums(in.at<float>(0), o.at<float>(0), 64, n / 64); }});
  constexpr I64 side = 4096;
  const SizeValues square{{"m", side}, {"n", side}};
  out.push_back({"gemv, 4096", "gemv", must, reordered, square, {x, x}, [](const Loops& c, const In& in, const Out& o) {
                   c.gemv(in.at<float>(0), in.at<float>(1), o.at<float>(0), side, side);
                 }});
  const auto transposed_gemv = [](const Loops& c, const In& in, const Out& o) {
    c.gemv_transposed(in.at<float>(0), in.at<float>(1), o.at<float>(0), side, side);
  };
  out.push_back({"gemv transposed, by columns", "gemv_transposed", may, reordered, square, {x, x}, transposed_gemv});
  out.push_back({"gemv transposed, by rows", "gemv_by_rows", may, reordered, square, {x, x}, transposed_gemv});
  out.push_back({"matrix product, 512",
                 "matmul",
                 may,
                 reordered,
                 {{"m", 512}, {"k", 512}, {"n", 512}},
                 {x, x},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.matmul(in.at<float>(0), in.at<float>(1), o.at<float>(0), 512, 512, 512);
                 }});
  out.push_back(
      {"transpose, 4096", "transposed", may, as_written, square, {x}, [](const Loops& c, const In& in, const Out& o) {
         c.transposed(in.at<float>(0), o.at<float>(0), side, side);
       }});
  constexpr I64 many = I64{1} << 20;
  out.push_back({"spmv, 8 a row, f64",
                 "spmv",
                 must,
                 reordered,
                 {{"m", many}, {"k", 8 * many}, {"n", many}},
                 {[](I64 k) { return static_cast<double>(8 * k); }, below(many), x, x},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.spmv(in.at<I64>(0), in.at<I64>(1), in.at<double>(2), in.at<double>(3), o.at<double>(0), many);
                 }});
  out.push_back(
      {"Floyd-Warshall, 512",
       "floyd_warshall",
       must,
       as_written,
       {{"n", 512}},
       {between(0, 100)},
       [](const Loops& c, const In& in, const Out& o) { c.floyd_warshall(in.at<float>(0), o.at<float>(0), 512); }});
  constexpr I64 rows = 4096, columns = 1024;
  const SizeValues rectangle{{"m", rows}, {"n", columns}};
  out.push_back(
      {"softmax, 4096 x 1024",
       "softmax",
       may,
       reordered,
       rectangle,
       {x},
       [](const Loops& c, const In& in, const Out& o) { c.softmax(in.at<float>(0), o.at<float>(0), rows, columns); },
       1e-6});
  out.push_back({"layer norm, 4096 x 1024",
                 "layer_norm",
                 may,
                 reordered,
                 rectangle,
                 {x},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.layer_norm(in.at<float>(0), o.at<float>(0), rows, columns);
                 }});

  const auto sweeps = [](I64 steps, I64 h) {
    const auto spare = std::make_shared<std::vector<float>>(static_cast<std::size_t>(h * h));
    return [=](const Loops& c, const In& in, const Out& o) {
      c.jacobi(in.at<float>(0), o.at<float>(0), spare->data(), steps, h, h);
    };
  };
  out.push_back(
      {"Jacobi, a step, 4096", "jacobi_step", may, as_written, {{"h", side}, {"w", side}}, {x}, sweeps(1, side)});
  out.push_back({"Jacobi, 50 steps, 1024",
                 "jacobi",
                 must,
                 as_written,
                 {{"h", 1024}, {"w", 1024}, {"steps", 50}},
                 {x},
                 sweeps(50, 1024)});
  out.push_back({"convolution 3 x 3, 4096",
                 "convolution",
                 may,
                 reordered,
                 {{"h", side}, {"w", side}},
                 {x, x},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.convolution(in.at<float>(0), in.at<float>(1), o.at<float>(0), side, side);
                 }});
  out.push_back({"life on a torus, 2048",
                 "life",
                 may,
                 as_written,
                 {{"h", 2048}, {"w", 2048}},
                 {below(2)},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.life(in.at<std::uint8_t>(0), o.at<std::uint8_t>(0), 2048, 2048);
                 }});

  out.push_back({"n-body, 8192",
                 "nbody",
                 may,
                 reordered,
                 {{"n", 8192}},
                 {between(1, 2), x, x, x},
                 [](const Loops& c, const In& in, const Out& o) {
                   const float* positions[] = {in.at<float>(1), in.at<float>(2), in.at<float>(3)};
                   float* forces[] = {o.at<float>(0), o.at<float>(1), o.at<float>(2)};
                   c.nbody(in.at<float>(0), positions, forces, 8192);
                 }});
  out.push_back({"k-means, 16 of 2^20, f64",
                 "kmeans",
                 may,
                 reordered,
                 {{"n", many}, {"k", 16}},
                 {x, x, x, x},
                 [](const Loops& c, const In& in, const Out& o) {
                   const double* points[] = {in.at<double>(0), in.at<double>(1)};
                   const double* centroids[] = {in.at<double>(2), in.at<double>(3)};
                   double* means[] = {o.at<double>(0), o.at<double>(1)};
                   c.kmeans(points, centroids, means, many, 16);
                 }});
  out.push_back({"Black-Scholes, 2^20, f64",
                 "black_scholes",
                 may,
                 reordered,
                 {{"n", many}},
                 {always(0.02), always(0.3), between(5, 30), between(1, 100), between(0.25, 10)},
                 [](const Loops& c, const In& in, const Out& o) {
                   const double* options[] = {in.at<double>(2), in.at<double>(3), in.at<double>(4)};
                   double* prices[] = {o.at<double>(0), o.at<double>(1)};
                   c.black_scholes(*in.at<double>(0), *in.at<double>(1), options, prices, many);
                 },
                 1e-12});
  out.push_back({"Mandelbrot, 512, 256 steps",
                 "mandelbrot",
                 may,
                 reordered,
                 {{"width", 512}, {"height", 512}},
                 {always(256)},
                 [](const Loops& c, const In& in, const Out& o) {
                   c.mandelbrot(o.at<std::int32_t>(0), 512, 512, *in.at<std::int32_t>(0));
                 }});
  return out;
}

std::vector<PhraseProgram> programs(const Calculus& calculus) {
  const std::string path = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/bench/defaults/programs.dpia";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto parsed = parse_program(std::make_shared<const Source>(Source{path, text.str()}));
  return infer(parsed.value(), calculus, proofs::z3_size_solver()).value().entries;
}

}  // namespace

void defaults() {
  const Calculus calculus = standard_calculus();
  const std::vector<PhraseProgram> all = programs(calculus);
  const std::vector<Row> table = rows();
  const int most = omp_get_max_threads();
  for (int threads = 1; threads <= most; threads *= 2) {
    omp_set_num_threads(threads);
    std::printf("defaults: programs without a strategy beside the obvious C, threads: %d; milliseconds\n", threads);
    std::printf("  %-34s %9s %9s %9s %9s %9s %6s  %s\n", "", "C, least", "median", "fast-math", "ours", "median",
                "ratio", "bar 0.90");
    double logs = 0;
    int barred = 0, missed = 0;
    for (const Row& r : table) {
      const auto program =
          std::find_if(all.begin(), all.end(), [&](const PhraseProgram& p) { return p.name == r.program; });
      if (program == all.end()) throw std::runtime_error(std::string("no program ") + r.program);
      const Measured measured(r, *program, calculus);
      measured.check();
      const double ratio = measured.measure();
      if (!r.bars) continue;
      ++barred, logs += std::log(ratio), missed += ratio < bar ? 1 : 0;
    }
    row("rows below 0.9 of those that have a bar", missed, "", 3);
    row("their geometric mean", std::exp(logs / barred), "", 1, true);
  }
  omp_set_num_threads(most);
}

}  // namespace lockstep::bench
