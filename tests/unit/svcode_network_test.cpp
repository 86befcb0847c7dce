// Whole SVCODE programs in both interpreters: traps, files, vectors, lookahead, deadlocks, space.
#include "tests/unit/svcode_program.h"

#include <algorithm>
#include <random>

namespace svcode_network_test {
using namespace lockstep;
using namespace lockstep::svcode;
using namespace lockstep::svcode::test;

namespace {

using Files = std::map<std::string, std::string>;

std::string show(const std::vector<Stream>& streams) {
  std::string r;
  for (const Stream& s : streams) r += svcode::test::show(s) + " ";
  return r;
}

// One result on every interpreter; returns what was written.
std::vector<std::pair<std::string, std::string>> gives(const Program& p, const std::vector<Stream>& inputs,
                                                       const std::string& expected, const Files& files = {}) {
  INFO(print(p));
  CHECK(check(p) == "");
  MemoryFiles eagerly(files);
  const auto eager = run_eager(p, inputs, eagerly);
  REQUIRE(eager);
  CHECK(show(eager->result) == expected + " ");
  for (const ChunkOptions& options : every_chunking()) {
    INFO("chunk " << options.chunk << ", order " << static_cast<int>(options.order));
    MemoryFiles chunkwise(files);
    const auto chunked = run_chunked(p, inputs, chunkwise, options);
    REQUIRE(chunked);
    if (chunked->deadlock) UNSCOPED_INFO(chunked->deadlock->report);
    REQUIRE(!chunked->deadlock);
    CHECK(show(chunked->run.result) == expected + " ");
    CHECK(chunkwise.written == eagerly.written);
    CHECK(chunked->run.counts.work == eager->counts.work);
  }
  return eagerly.written;
}

void traps(const Program& p, const std::vector<Stream>& inputs, const std::string& primitive,
           const std::string& message) {
  INFO(print(p));
  MemoryFiles files;
  const auto is_it = [&](const auto& run) {
    REQUIRE(!run);
    CHECK(run.error().primitive == primitive);
    CHECK(run.error().message == message);
    CHECK(files.written.empty());
  };
  is_it(run_eager(p, inputs, files));
  for (const ChunkOptions& options : every_chunking()) is_it(run_chunked(p, inputs, files, options));
}

ChunkedRun chunked(const Program& p, const std::vector<Stream>& inputs, const ChunkOptions& options) {
  MemoryFiles files;
  auto r = run_chunked(p, inputs, files, options);
  REQUIRE(r);
  return std::move(*r);
}

std::string repeated(const std::string& s, int n) {
  std::string r;
  for (int k = 0; k < n; ++k) r += s;
  return r;
}

// {rev(tab(l)) : l in lines}: what stands after it uses the lengths s2 of the vectors.
const std::string reversed_lines =
    "svcode rev (cs : Char, f : Bool) : {Char}\n"
    "s0 : Char := input 0\n"
    "s1 : Bool := input 1\n"
    "s2 : Int := lens s1\n"
    "s3 : Int := scan_plus s2\n"
    "s4 : Char := segtab s0 s1\n"
    "s5 : Bool := to_flags s2\n"
    "s6 : Int := iotas s5\n"
    "s7 : Int := pdist s3 s5\n"
    "s8 : Int := pdist s2 s5\n"
    "s9 : Int := rep 1 s6\n"
    "s10 : Int := map_sub s8 s9\n"
    "s11 : Int := map_sub s10 s6\n"
    "s12 : Char := so_gather s7 s11 s4\n"
    "s13 : Bool := terminated s12\n"
    "result (s12, s13)\n";

}  // namespace

TEST_CASE("The thesis' so_gather, semi-ordered over two groups (§4.2)") {
  gives(program("svcode g (v : [Char], f : Bool, starts : Int, i : Int) : Char\n"
                "s0 : Char := input 0\ns1 : Bool := input 3\ns2 : Char := segtab s0 s1\n"
                "s3 : Int := input 4\ns4 : Int := input 5\ns5 : Char := so_gather s3 s4 s2\nresult s5\n"),
        {chars("abcde"), {}, {}, bools("FFFTFFT"), ints({0, 0, 0, 3, 3, 3}), ints({2, 1, 0, 1, 1, 1})},
        "<'c' 'b' 'a' 'e' 'e' 'e'>");
}

TEST_CASE("The thesis' {3 + 4 : _ in &100} (§4.3.1) sums to 700") {
  gives(program("svcode p () : Int\ns0 : Unit := ctrl\ns1 : Int := rep 100 s0\ns2 : Bool := to_flags s1\n"
                "s3 : Unit := usum s2\ns4 : Int := rep 3 s3\ns5 : Int := rep 4 s3\ns6 : Int := map_add s4 s5\n"
                "s7 : Int := segreduce_plus s6 s2\nresult s7\n"),
        {}, "<700>");
}

TEST_CASE("The inputs that are the base of vectors may be gathered from anywhere, any number of times") {
  gives(program("svcode g (v : [Int], at : {Int}) : Int\ns0 : Int := input 0\ns1 : Int := input 3\n"
                "s2 : Int := rep 0 s1\ns3 : Int := so_gather s2 s1 s0\ns4 : Int := reduce_plus s3\nresult s4\n"),
        {ints({10, 20, 30}), ints({0}), ints({3}), ints({2, 0, 2, 1}), bools("FFFFT")}, "<90>");
}

TEST_CASE("Vectors of any length, empty ones included, are reversed at chunks of one element") {
  const Program p = program(reversed_lines);
  gives(p, {chars("abcdefgh"), bools("FFFT T T FT FFFFT T")}, "<'c' 'b' 'a' 'd' 'h' 'g' 'f' 'e'> <F F F F F F F F T>");
  gives(p, {{}, bools("TT")}, "<> <T>");
}

TEST_CASE("Requests go to the left and to the right within a group; groups may be passed over, the rest is drained") {
  const Program p = program(
      "svcode g (v : Int, f : Bool, starts : Int, i : Int) : (Int, Int)\ns0 : Int := input 0\n"
      "s1 : Bool := input 1\ns2 : Int := segtab s0 s1\ns3 : Int := input 2\ns4 : Int := input 3\n"
      "s5 : Int := so_gather s3 s4 s2\ns6 : Int := reduce_plus s5\ns7 : Int := reduce_max s2\n"
      "result (s6, s7)\n");
  std::mt19937 random(3);
  const auto below = [&](std::size_t n) { return static_cast<std::int64_t>(random() % n); };
  for (int round = 0; round < 30; ++round) {
    std::vector<std::int64_t> v, starts, is;
    std::string f;
    std::int64_t sum = 0, largest = std::numeric_limits<std::int64_t>::min();
    for (std::int64_t groups = below(6); groups > 0; --groups) {
      const std::int64_t n = below(3) == 0 ? 0 : below(9), from = static_cast<std::int64_t>(v.size());
      for (std::int64_t k = 0; k < n; ++k) v.push_back(below(100));
      f += std::string(static_cast<std::size_t>(n), 'F') + "T";
      for (std::int64_t k = n == 0 || below(3) == 0 ? 0 : below(5); k > 0; --k) {
        const std::int64_t at = below(static_cast<std::size_t>(n));
        starts.push_back(from + below(static_cast<std::size_t>(at) + 1));  // of some vector of the group
        is.push_back(from + at - starts.back());
        sum += v[static_cast<std::size_t>(from + at)];
      }
    }
    for (const std::int64_t x : v) largest = std::max(largest, x);
    gives(p, {ints(v), bools(f), ints(starts), ints(is)},
          "<" + std::to_string(sum) + "> <" + std::to_string(largest) + ">");
  }
}

TEST_CASE("Vectors that a filter leaves out are passed over at chunks of one element") {
  // The sums of every second vector only.
  std::string text =
      "svcode g (cs : Int, f : Bool, chosen : Bool) : {Int}\ns0 : Int := input 0\ns1 : Bool := input 1\n"
      "s20 : Bool := input 2\ns21 : Int := lens s1\ns22 : Int := scan_plus s21\ns23 : Int := segtab s0 s1\n"
      "s24 : Int := pack s21 s20\ns25 : Int := pack s22 s20\ns26 : Bool := to_flags s24\n"
      "s27 : Int := iotas s26\ns28 : Int := pdist s25 s26\ns29 : Int := so_gather s28 s27 s23\n"
      "s30 : Int := segreduce_plus s29 s26\ns31 : Bool := terminated s30\nresult (s30, s31)\n";
  gives(program(text), {ints({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), bools("FFT FFFT FT FFT T FFT"), bools("TFFFTT")},
        "<3 0 19> <F F F T>");
}

TEST_CASE("A check traps with the values in its message, also where nobody reads it, and leaves no file") {
  const Program p = program(
      "svcode w (x : Int, v : [Char]) : {Int}\ns0 : Int := input 0\ns1 : Char := input 1\n"
      "s2 : Int := input 2\ns3 : Int := input 3\ns4 : Bool := terminated s1\n"
      "s5 : Unit := write_file s2 s3 s1 s1 s4\ns6 : Int := rep 0 s0\ns7 : Bool := map_ge s0 s6\n"
      "s8 : Unit := check s7 s0 s6 \"&\" \"of the negative number {0}, less than {1} {2} {x}\"\n"
      "s9 : Bool := terminated s0\nresult (s0, s9)\n");
  const auto written = gives(p, {ints({3, 0}), chars("out"), ints({0}), ints({3})}, "<3 0> <F F T>");
  CHECK(written == std::vector<std::pair<std::string, std::string>>{{"out", "out"}});
  traps(p, {ints({3, 4, 5, 6, 7, -2}), chars("out"), ints({0}), ints({3})}, "&",
        "of the negative number -2, less than 0 {2} {x}");
}

TEST_CASE("An operator traps where it is, also in a stream that nobody reads") {
  traps(program("svcode d (x : Int) : Int\ns0 : Int := input 0\ns1 : Int := map_div s0 s0\ns2 : Int := reduce_plus s0\n"
                "result s2\n"),
        {ints({3, 4, 0})}, "/", "division by zero: 0 / 0");
}

TEST_CASE("Sequences of unequal lengths trap where their descriptors part; without a check they are a bug of ours") {
  const std::string streams =
      "svcode z (x : Int, f : Bool, y : Int, g : Bool) : Int\ns0 : Int := input 0\n"
      "s1 : Bool := input 1\ns2 : Int := input 2\ns3 : Bool := input 3\n";
  const std::string rest = "s6 : Int := map_mul s0 s2\ns7 : Int := reduce_plus s6\nresult s7\n";
  const std::string checked = "s4 : Bool := map_eq s1 s3\ns5 : Unit := check s4 \"zip\" \"of unequal lengths\"\n";
  const std::vector<Stream> equal{ints({1, 2}), bools("FFT"), ints({3, 4}), bools("FFT")};
  const std::vector<Stream> longer{ints({1, 2}), bools("FFT"), ints({3, 4, 5, 6, 7}), bools("FFFFFT")};
  const std::vector<Stream> shorter{ints({1, 2, 3, 4, 5}), bools("FFFFFT"), ints({3}), bools("FT")};
  gives(program(streams + checked + rest), equal, "<11>");
  for (const auto& inputs : {longer, shorter}) {
    traps(program(streams + checked + rest), inputs, "zip", "of unequal lengths");
    MemoryFiles files;
    CHECK_THROWS_AS(run_eager(program(streams + rest), inputs, files), Bug);
    for (const ChunkOptions& options : every_chunking())
      CHECK_THROWS_AS(run_chunked(program(streams + rest), inputs, files, options), Bug);
  }
}

TEST_CASE("What a later check forbids does no harm before it: negative lengths, and indices outside the base") {
  for (const std::string use : {"s5 : Bool := to_flags s0\n", "s5 : Int := so_gather s4 s0 s1\n"}) {
    const std::string head = "svcode n (x : Int, v : [Int]) : Int\ns0 : Int := input 0\ns1 : Int := input 1\n";
    const std::string guard = "s11 : Bool := map_ge s0 s4\ns12 : Unit := check s11 s0 \"!\" \"{0}\"\n";
    const Program p =
        program(head + "s4 : Int := rep 0 s0\n" + use + guard + "s13 : Int := reduce_plus s0\nresult s13\n");
    MemoryFiles files;
    const std::vector<Stream> inputs{ints({1, 2, -7}), ints({5, 6, 7}), ints({0}), ints({3})};
    for (const ChunkOptions& options : every_chunking()) {
      const auto r = run_chunked(p, inputs, files, options);
      REQUIRE(!r);
      CHECK(r.error().message == "-7");
    }
    const Program unguarded =
        program(head + "s4 : Int := rep 0 s0\n" + use + "s13 : Int := reduce_plus s0\nresult s13\n");
    for (const ChunkOptions& options : every_chunking())
      CHECK_THROWS_AS(run_chunked(unguarded, inputs, files, options), Bug);
    CHECK_THROWS_AS(run_eager(unguarded, inputs, files), Bug);
  }
}

TEST_CASE("Files are read as characters and 256 at the end of each, and written a segment each") {
  const Files files{{"a", "xy"}, {"bc", ""}, {"", "unnamed"}};
  const std::string names =
      "svcode r (v : [Char], starts : Int, lens : Int) : {Int}\ns0 : Char := input 0\n"
      "s1 : Int := input 3\ns2 : Int := input 4\n";
  gives(program(names + "s3 : Int := read_file s1 s2 s0\ns4 : Bool := terminated s3\nresult (s3, s4)\n"),
        {chars("abc"), {}, {}, ints({0, 1, 99}), ints({1, 2, 0})},
        "<120 121 256 256 117 110 110 97 109 101 100 256> <F F F F F F F F F F F F T>", files);
  gives(program("svcode r (v : [Char]) : {Char}\ns0 : Char := input 0\ns1 : Int := input 1\ns2 : Int := input 2\n"
                "s3 : Char := read_whole s1 s2 s0\ns4 : Bool := terminated s3\nresult (s3, s4)\n"),
        {chars("a"), ints({0}), ints({1})}, "<'x' 'y'> <F F T>", files);
  const auto written = gives(
      program("svcode w (v : [Char], starts : Int, lens : Int, c : Char, f : Bool) : Int\ns0 : Char := input 0\n"
              "s1 : Int := input 3\ns2 : Int := input 4\ns3 : Char := input 5\ns4 : Bool := input 6\n"
              "s5 : Unit := write_file s1 s2 s0 s3 s4\ns6 : Int := rep 1 s5\ns7 : Int := reduce_plus s6\nresult s7\n"),
      {chars("abc"), {}, {}, ints({1, 0}), ints({2, 1}), chars("12345"), bools("FFFT FFT")}, "<2>");
  CHECK(written == std::vector<std::pair<std::string, std::string>>{{"bc", "123"}, {"a", "45"}});
  traps(program(names + "s3 : Int := read_file s1 s2 s0\ns4 : Bool := terminated s3\nresult (s3, s4)\n"),
        {chars("abc"), {}, {}, ints({0}), ints({3})}, "read_file", "there is no abc");
}

TEST_CASE("A second traversal deadlocks where a chunk does not hold the stream, and says which stream waits for what") {
  // {x - sum(s) : x in s}, refused by the analysis.
  const Program p = program(
      "svcode m (s : {Int}) : {Int}\ns0 : Int := input 0\ns1 : Bool := input 1\n"
      "s2 : Int := segreduce_plus s0 s1\ns3 : Int := pdist s2 s1\ns4 : Int := map_sub s0 s3\n"
      "result (s4, s1)\n");
  CHECK(check(p) == "");
  const std::vector<Stream> inputs{ints({1, 2, 3, 4}), bools("FFFFT")};
  for (const ChunkOptions& options : every_chunking({5, 1000}))
    CHECK(show(chunked(p, inputs, options).run.result) == "<-9 -8 -7 -6> <F F F F T> ");
  for (const ChunkOptions& options : every_chunking({1, 2, 3})) {
    const ChunkedRun r = chunked(p, inputs, options);
    REQUIRE(r.deadlock);
    CHECK(show(r.run.result) == "<> <F F F F T> ");
    CHECK_THAT(r.deadlock->report, Catch::StartsWith("no transducer can fire:\n"));
    CHECK_THAT(r.deadlock->report, Catch::Contains("s3 := pdist waits for s2\n"));
    CHECK_THAT(r.deadlock->report, Catch::Contains("s4 := map_sub waits for s3\n"));
    const std::string n = std::to_string(options.chunk);
    CHECK_THAT(r.deadlock->report, Catch::Contains("s0 := input has no room: " + n + " of " + n +
                                                   " elements are still to be read by s4\n"));
  }
}

TEST_CASE("Slack makes room for elements that meet at a constant distance") {
  // s_(i+3) - s_i: two packs of one stream.
  const Program p = program(
      "svcode m (s : Int, late : Bool, early : Bool) : Int\ns0 : Int := input 0\ns1 : Bool := input 1\n"
      "s2 : Bool := input 2\ns3 : Int := pack s0 s1\ns4 : Int := pack s0 s2\ns5 : Int := map_sub s3 s4\n"
      "s6 : Int := reduce_plus s5\nresult s6\n");
  const std::vector<Stream> inputs{ints({1, 2, 4, 8, 16, 32}), bools("FFFTTT"), bools("TTTFFF")};
  for (ChunkOptions options : every_chunking({1})) {
    CHECK(chunked(p, inputs, options).deadlock);
    options.slack = {2, 0, 0, 0, 0, 0, 0};
    const ChunkedRun r = chunked(p, inputs, options);
    REQUIRE(!r.deadlock);
    CHECK(show(r.run.result) == "<49> ");
  }
}

TEST_CASE("At chunks of one element the space of a streaming program does not depend on the length, eager space does") {
  const Program p = program(
      "svcode logsum (n : Int) : Real\ns0 : Int := input 0\ns1 : Int := range s0\ns2 : Real := map_real s1\n"
      "s3 : Real := map_exp s2\ns4 : Real := reduce_plus s3\nresult s4\n");
  const auto space = [&](std::int64_t n, const ChunkOptions& options) {
    return chunked(p, {ints({n})}, options).run.counts.space;
  };
  for (const ChunkOptions& options : every_chunking({1, 4})) {
    CHECK(space(100, options) <= 5 * options.chunk + 1);
    CHECK(space(1000, options) <= 5 * options.chunk + 1);
  }
  MemoryFiles files;
  CHECK(run_eager(p, {ints({1000})}, files)->counts.space == 2000);  // two streams at a time
}

TEST_CASE("At chunks of one element the space of vectors is that of the longest, twice, however many there are") {
  const Program p = program(reversed_lines);
  for (const ChunkOptions& options : every_chunking({1})) {
    const auto space = [&](int lines, std::size_t length) {
      const Stream cs = chars(repeated(std::string(length, 'x'), lines));
      return chunked(p, {cs, bools(repeated(std::string(length, 'F') + "T", lines))}, options).run.counts.space;
    };
    CHECK(space(100, 20) == space(10, 20));
    CHECK(space(10, 40) <= 2 * 40 + 20);
    CHECK(space(10, 40) >= 40);
  }
}

TEST_CASE("A vector that nobody asks for goes when its control element has passed, at chunks of one element") {
  // {let v = tab(l) in if #v > 100 then v ! 5 else 0 : l in lines}: s6 is false but for long lines.
  const Program p = program(
      "svcode rare (cs : {Char}, f : {Int}) : {Char}\ns0 : Char := input 0\ns1 : Bool := input 1\n"
      "s2 : Int := lens s1\ns3 : Int := scan_plus s2\ns4 : Char := segtab s0 s1\ns5 : Int := rep 100 s2\n"
      "s6 : Bool := map_gt s2 s5\ns7 : Int := pack s3 s6\ns8 : Int := rep 5 s7\ns9 : Char := so_gather s7 s8 s4\n"
      "result s9\n");
  const auto space = [&](const std::vector<std::size_t>& lengths, const ChunkOptions& options) {
    std::string cs, f;
    for (const std::size_t n : lengths) cs += std::string(n, 'x'), f += std::string(n, 'F') + "T";
    return chunked(p, {chars(cs), bools(f)}, options).run.counts.space;
  };
  for (const ChunkOptions& options : every_chunking({1})) {
    CHECK(space(std::vector<std::size_t>(1000, 10), options) <= 3 * 10 + 20);
    std::vector<std::size_t> one_is_long(1000, 10);
    one_is_long[700] = 101;
    CHECK(space(one_is_long, options) <= 2 * 101 + 3 * 10 + 20);
  }
}

TEST_CASE("Eager work, depth and space of a small program, by hand") {
  // Inputs take no space. s2: reads 3 and 3, gives 2; s3: reads 2, gives 1; s4: reads nothing, gives nothing.
  const Program p = program(
      "svcode c (x : Int, b : Bool) : Int\ns0 : Int := input 0\ns1 : Bool := input 1\n"
      "s2 : Int := pack s0 s1\ns3 : Int := reduce_plus s2\ns4 : Int := constant 1 0\nresult s3\n");
  MemoryFiles files;
  const auto r = run_eager(p, {ints({1, 2, 3}), bools("TFT")}, files);
  REQUIRE(r);
  CHECK(r->counts.work == (1 + 3) + (1 + 3) + (1 + 6 + 2) + (1 + 2 + 1) + 1);
  CHECK(r->counts.depth == 4);
  CHECK(r->counts.space == 3);
  CHECK(chunked(p, {ints({1, 2, 3}), bools("TFT")}, {}).run.counts.work == r->counts.work);
}

}  // namespace svcode_network_test
