// The engine's programs compute what is said of them: single instructions against examples by hand (many of them the
// thesis', §4.2), SNESL programs against the big-step semantics, Reals against the blocked orders bit for bit, at every
// chunk size and on one thread and two.
#include <bit>
#include <cmath>
#include <map>
#include <random>

#include "codegen/streaming/engine.h"
#include "semantics/core/logarithm.h"
#include "snesl_streams.h"
#include "tests/unit/networks.h"
#include "tests/unit/svcode_program.h"
#include "translate/simplify/simplify.h"

namespace engine_test {
using namespace lockstep;
using engine::Engine;
using engine::EngineError;
using engine::EngineFailure;
using svcode::Prim;
using svcode::Program;
using svcode::Stream;
using svcode::test::bools;
using svcode::test::chars;
using svcode::test::ints;
using svcode::test::reals;
using transducer::transducers;
using transducer::test::networks;

namespace {

constexpr std::int64_t chunks[] = {1, 2, 3, 7, 63, 64, 65, 1000, 0};

// `definition` over the inputs s0, s1, ... in their order.
struct Example {
  std::string definition;
  std::vector<std::pair<Prim, Stream>> inputs;
  Prim type;
  Stream expected;
};

Program program_of(const Example& e) {
  std::string header, inputs, arguments;
  for (std::size_t k = 0; k < e.inputs.size(); ++k) {
    const std::string type(snesl::show(e.inputs[k].first)), n = std::to_string(k);
    header += (k ? ", p" : "p") + n + " : " + type;
    inputs += "s" + n + " : " + type + " := input " + n + "\n";
    arguments += " s" + n;
  }
  const std::string s = "s" + std::to_string(e.inputs.size()), type(snesl::show(e.type));
  const bool unit = e.type == Prim::Unit;
  std::string definition = e.definition;
  definition.insert(std::min(definition.find('"'), definition.size()), arguments + " ");
  return svcode::test::program("svcode test (" + header + ") : " + (unit ? "Int" : type) + "\n" + inputs + s + " : " +
                               type + " := " + definition + "\n" +
                               (unit ? "s99 : Int := rep 7 " + s + "\nresult s99\n" : "result " + s + "\n"));
}

std::string shown(const tl::expected<engine::EngineRun, EngineError>& r) {
  if (r) {
    std::string s;
    for (const Stream& leaf : r->result()) s += svcode::test::show(leaf);
    return s;
  }
  if (const auto* t = std::get_if<Trap>(&r.error())) return "trap " + t->primitive + " " + t->message;
  return "failed: " + std::get<EngineFailure>(r.error()).message;
}

template <class T>
T loaded(tl::expected<T, EngineFailure> e) {
  if (!e) UNSCOPED_INFO(e.error().message);
  REQUIRE(e);
  return std::move(*e);
}

// The first difference, or "".
std::string differing(const std::vector<Example>& examples) {
  std::vector<Program> programs;
  for (const Example& e : examples) programs.push_back(program_of(e));
  const std::vector<Engine> engines = loaded(Engine::load_all(networks(programs), {false, false}));
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const Example& e = examples[k];
    std::vector<Stream> inputs;
    for (const auto& [type, s] : e.inputs) inputs.push_back(s);
    const Stream expected = e.type == Prim::Unit ? Stream(e.expected.size(), snesl::int_atom(7)) : e.expected;
    for (const std::int64_t chunk : chunks) {
      const std::string now = shown(engines[k].run(inputs, {chunk, 1}));
      if (now != svcode::test::show(expected))
        return e.definition + " at chunk " + std::to_string(chunk) + ": " + now + ", not " +
               svcode::test::show(expected);
    }
  }
  return "";
}

std::pair<Prim, Stream> I(const std::vector<std::int64_t>& ns) { return {Prim::Int, ints(ns)}; }
std::pair<Prim, Stream> B(const std::string& flags) { return {Prim::Bool, bools(flags)}; }
std::pair<Prim, Stream> C(const std::string& s) { return {Prim::Char, chars(s)}; }
Stream units(std::size_t n) { return Stream(n, snesl::unit_atom()); }

// Translated, and simplified too, at every chunk size, on one thread and two: what the big-step semantics says. What
// stands several times, with other arguments, is compiled once.
void agrees(const std::vector<streaming::test::Case>& cases) {
  std::vector<streaming::test::Prepared> prepared;
  std::vector<Program> programs;
  std::map<std::string, std::size_t> compiled;
  std::vector<std::size_t> firsts;  // of each case's two programs
  for (const streaming::test::Case& c : cases) {
    prepared.push_back(streaming::test::prepare(c));
    const Program& streams = prepared.back().streams;
    const auto [at, is_new] = compiled.emplace(svcode::print(streams), programs.size());
    firsts.push_back(at->second);
    if (!is_new) continue;
    programs.push_back(streams);
    programs.push_back(streaming::simplify(streams));
  }
  const std::vector<Engine> engines = loaded(Engine::load_all(networks(programs), {false, true}));
  for (std::size_t c = 0; c < cases.size(); ++c) {
    INFO(shown(cases[c]));
    const std::string expected = meaning(prepared[c]).shown;
    for (const std::size_t k : {firsts[c], firsts[c] + 1})
      for (const std::int64_t chunk : chunks)
        for (const int threads : {1, 2}) {
          INFO("chunk " << chunk << ", threads " << threads);
          const auto run = engines[k].run(prepared[c].inputs, {chunk, threads});
          if (run)
            REQUIRE(snesl::show(svcode::value_of(run->result(), programs[k].result_type)) == expected);
          else
            REQUIRE("trap " + std::get<Trap>(run.error()).primitive == expected);
        }
  }
}
// The kernels of a program's own steps, as its text calls them.
bool calls(const streaming::test::Case& c, const std::string& kernel) {
  const std::string text =
      engine::engine_source(transducers(streaming::simplify(streaming::test::prepare(c).streams)), false);
  return text.find(kernel, text.find("struct Program")) != std::string::npos;
}

}  // namespace

TEST_CASE("Each instruction gives what the thesis' examples and those by hand say") {
  CHECK(differing({
            {"rep 5", {C("abc")}, Prim::Int, ints({5, 5, 5})},
            {"usum", {B("TFFTFT")}, Prim::Unit, units(3)},
            {"pdist", {I({7, 8, 9}), B("FFTTFT")}, Prim::Int, ints({7, 7, 9})},
            {"pdist", {B("TFT"), B("FFTTFT")}, Prim::Bool, bools("TTT")},
            {"pack", {C("abcde"), B("TFFTT")}, Prim::Char, chars("ade")},
            {"pack", {B("TTFFT"), B("TFFTT")}, Prim::Bool, bools("TFT")},
            {"upack", {B("FFTTFT"), B("TFT")}, Prim::Bool, bools("FFTFT")},
            {"b2u", {B("TFT")}, Prim::Bool, bools("FTTFT")},
            {"unpack", {B("TFFT"), I({1, 2}), I({3, 4})}, Prim::Int, ints({1, 3, 4, 2})},
            {"to_flags", {I({3, 4, 0, 1})}, Prim::Bool, bools("FFFTFFFFTTFT")},
            {"lens", {B("FFFTTFTFFT")}, Prim::Int, ints({3, 0, 1, 2})},
            {"short", {B("FFFTTFTFFT")}, Prim::Bool, bools("FFTTFT")},
            {"ends", {B("FFTTFT")}, Prim::Bool, bools("FFFTFTFFT")},
            {"cons 1", {I({2, 3, 4})}, Prim::Int, ints({1, 2, 3})},
            {"cons true", {B("TFFTFT")}, Prim::Bool, bools("TTFFTF")},
            {"cons 1", {I({})}, Prim::Int, ints({})},
            {"segscan_plus", {I({1, 2, 3, 4, 5}), B("FFTFT")}, Prim::Int, ints({0, 1, 3, 0, 4})},
            {"segscan_or", {B("FTFFT"), B("FFTFT")}, Prim::Bool, bools("FFTFF")},
            {"segreduce_plus", {I({3, 1, 4, 1, 5, 9}), B("FFFTTFTFFT")}, Prim::Int, ints({8, 0, 1, 14})},
            {"segreduce_max", {I({3, 1, 4}), B("FFTTFT")}, Prim::Int, ints({3, INT64_MIN, 4})},
            {"segreduce_or", {B("FTFFFT"), B("FFFTTFTFFT")}, Prim::Bool, bools("TFFT")},
            {"segreduce_and", {B("TTTTFT"), B("FFFTTFTFFT")}, Prim::Bool, bools("TTTF")},
            {"iotas", {B("FFFTTFTFFT")}, Prim::Int, ints({0, 1, 2, 0, 0, 1})},
            {"usegsum", {B("TFFTFT"), B("FFTFFTFFT")}, Prim::Bool, bools("TFFFFTFFT")},
            {"uempty", {B("FFTTFTT")}, Prim::Bool, bools("FTFT")},
            {"pmerge", {I({1, 2}), I({3, 4}), I({5, 6})}, Prim::Int, ints({1, 3, 5, 2, 4, 6})},
            {"umerge", {B("FTT"), B("TFFT")}, Prim::Bool, bools("FTTTFFT")},
            {"uappend", {B("FTT"), B("FFTFT")}, Prim::Bool, bools("FFFTFT")},
            {"segmerge", {B("FFTTFFFT"), C("aaaaa"), B("FTFTFT"), C("bbb")}, Prim::Char, chars("aabbaaab")},
            {"usegmerge", {B("FFTT"), B("FTT"), B("FTFT"), B("TFFT")}, Prim::Bool, bools("FTTTFFT")},
            {"segtab", {C("abcde"), B("FFTFFFT")}, Prim::Char, chars("abcde")},
            {"check \"the\" \"of nothing\"", {B("TTT")}, Prim::Unit, units(3)},
            {"range", {I({5})}, Prim::Int, ints({0, 1, 2, 3, 4})},
            {"terminated", {C("ab")}, Prim::Bool, bools("FFT")},
            {"terminated", {C("")}, Prim::Bool, bools("T")},
            {"reduce_times", {I({2, 3, 4})}, Prim::Int, ints({24})},
            {"reduce_min", {I({})}, Prim::Int, ints({INT64_MAX})},
            {"reduce_and", {B("TTF")}, Prim::Bool, bools("F")},
            {"scan_max", {I({2, 1, 4})}, Prim::Int, ints({INT64_MIN, 2, 2})},
            {"scan_and", {B("TFT")}, Prim::Bool, bools("TTF")},
            {"map_select", {B("TF"), C("ab"), C("cd")}, Prim::Char, chars("ad")},
            {"map_shr", {I({-8, 1}), I({65, 64})}, Prim::Int, ints({-4, 1})},
            {"map_div", {I({-7, INT64_MIN}), I({2, -1})}, Prim::Int, ints({-3, INT64_MIN})},
        }) == "");
}

TEST_CASE("A wrong expectation is found, and so is one in the last chunk only") {
  CHECK(differing({{"segreduce_or", {B("FTFF"), B("FFTFFT")}, Prim::Bool, bools("TT")}}) != "");
  std::vector<std::int64_t> n(500, 1), wrong(500, 0);
  for (std::size_t k = 0; k < n.size(); ++k) wrong[k] = static_cast<std::int64_t>(k);
  CHECK(differing({{"scan_plus", {I(n)}, Prim::Int, ints(wrong)}}) == "");
  ++wrong.back();
  CHECK(differing({{"scan_plus", {I(n)}, Prim::Int, ints(wrong)}}) != "");
}

TEST_CASE("Reductions and scans of Reals are those of the blocked orders, bit for bit") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> digits(-1, 1);
  std::vector<Example> examples;
  for (const auto& [length, pace] : std::vector<std::pair<std::size_t, unsigned>>{
           {0, 1}, {1, 1}, {7, 13}, {8, 13}, {9, 13}, {64, 13}, {300, 1}, {500, 2}, {500, 5}, {1000, 13}, {1000, 90}}) {
    Stream x, flags, ends;
    for (std::size_t k = 0; k < length; ++k) {
      x.push_back(snesl::real_atom(digits(random) * std::pow(10, static_cast<double>(random() % 20))));
      ends.push_back(snesl::bool_atom(k + 1 == length || random() % pace == 0));
    }
    if (length) x[length / 2] = snesl::real_atom(-0.0);
    for (const char* r : {"plus", "times", "max"}) {
      const snesl::Monoid m = *snesl::monoid_named(r);
      snesl::Reduction all(m, Prim::Real), segment(m, Prim::Real);
      snesl::PrefixScan prefix(m, Prim::Real), within(m, Prim::Real);
      Stream prefixes, withins, segments;
      flags.clear();
      for (std::size_t k = 0; k < length; ++k) {
        prefixes.push_back(prefix.value());
        withins.push_back(within.value());
        for (auto* reduction : {&all, &segment}) reduction->add(x[k]);
        for (auto* scan : {&prefix, &within}) scan->add(x[k]);
        flags.push_back(snesl::bool_atom(false));
        if (!ends[k].integer) continue;
        flags.push_back(snesl::bool_atom(true));
        segments.push_back(segment.value());
        segment = snesl::Reduction(m, Prim::Real);
        within = snesl::PrefixScan(m, Prim::Real);
      }
      const std::string name = std::string("_") + r;
      examples.push_back({"reduce" + name, {{Prim::Real, x}}, Prim::Real, {all.value()}});
      examples.push_back({"scan" + name, {{Prim::Real, x}}, Prim::Real, prefixes});
      examples.push_back({"segreduce" + name, {{Prim::Real, x}, {Prim::Bool, flags}}, Prim::Real, segments});
      examples.push_back({"segscan" + name, {{Prim::Real, x}, {Prim::Bool, ends}}, Prim::Real, withins});
    }
  }
  CHECK(differing(examples) == "");
}

TEST_CASE("Logarithms of whole blocks are the core's, bit for bit, whichever of their numbers need care") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponents(-700, 700);
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> xs;
  for (int k = 0; k < 256; ++k) xs.push_back(std::exp(exponents(random)));  // blocks of 64 that need none
  // One number in each block that does, wherever it stands, and the normal ones that are next to those.
  for (const double x : {0.0, -0.0, -1.0, 0x1p-1074, 0x1.fffffffffffffp-1023, 0x1p-1022, 0x1.fffffffffffffp1023,
                         infinity, -infinity, std::nan("")})
    for (const std::size_t lane : {0, 1, 31, 63})
      for (std::size_t k = 0; k < 64; ++k) xs.push_back(k == lane ? x : std::exp(exponents(random)));
  std::vector<double> logarithms;
  for (const double x : xs) logarithms.push_back(natural_log(x));
  const std::vector<Engine> engines = loaded(Engine::load_all(
      networks({program_of({"map_log", {{Prim::Real, reals(xs)}}, Prim::Real, reals(logarithms)})}), {false, false}));
  for (const std::int64_t chunk : {1, 63, 64, 1000}) {
    const auto run = engines[0].run({reals(xs)}, {chunk, 1});
    REQUIRE(run);
    const Stream now = run->result().at(0);
    REQUIRE(now.size() == logarithms.size());
    std::vector<std::size_t> others;
    for (std::size_t k = 0; k < now.size(); ++k)
      if (std::bit_cast<std::uint64_t>(now[k].ieee()) != std::bit_cast<std::uint64_t>(logarithms[k]))
        others.push_back(k);
    CHECK(others == std::vector<std::size_t>{});
  }
}

TEST_CASE("SNESL programs give what the big-step semantics says, translated and simplified, on one thread and two") {
  agrees({
      {"fun f(n) = sum({real(i) / 3.0 : i in &n})", {"1000"}},
      {"fun f(n) = {scan-plus(&x) : x in &n}", {"12"}},
      {"fun f(n) = {{tab(&y) ! (y - 1) | y > 0} : y in &n}", {"9"}},
      {"fun f(n) = sep({(x, x % 7 == 3) : x in &n})", {"300"}},
      {"fun f(n) = {#w : w in sep({(x, x % 3 == 0) : x in &n})}", {"200"}},
      {"fun f(n) = {if x % 3 == 0 then {x} else &(x % 5) : x in &n}", {"70"}},
      {"fun f(n) = let v = tab({tab(&(x + 1)) : x in &(n + 1)}) in tab({tab({v ! (n - x), v ! x}) : x in &(n + 1)})",
       {"6"}},
      {"fun f(n) = (maximum({x * (n - x) : x in &n}), reduce-or({x == 3 : x in &n}), tail_flags(&n))", {"130"}},
      {"fun f(n) = (reduce1-plus({real(i) / 3.0 : i in &n}), {reduce1-max(&(x + 1)) : x in &n})", {"130"}},
      {"fun f(n) = reduce1-and({x == 3 : x in &n | x > n})", {"130"}},
      {"fun f(n) = {reduce1-times(&x) : x in &n}", {"70"}},
      {"fun f(n) = concat({{&x, {x}} : x in &n}) ++ {{n}}", {"9"}},
      {"fun f(n) = {10 / (x - 90) : x in &n}", {"100"}},
      {"fun f(n) = the({x : x in &n | x > 3})", {"9"}},
      {"fun f(n) = zip(&n, &(n + 1))", {"70"}},
      {"fun f(v, i) = v ! i", {"[1, 2, 3]", "3"}},
  });
}

TEST_CASE("Booleans are counted by segment wherever segments end in a word of flags, few or many of them") {
  std::vector<streaming::test::Case> cases;
  for (const char* pace : {"1", "2", "7", "23", "29", "41", "90", "400"})
    cases.push_back(
        {"fun f(n, p) = {sum({int(x * x % 7 < 4) : x in w}) : w in sep({(x, x * (x + 1) % p == 0) : x in "
         "&n})} ++ {sum({int(x * x % 7 < 4) : x in &n})}",
         {"1000", pace}});
  for (const streaming::test::Case& c : cases) CHECK(calls(c, "segcount"));
  agrees(cases);
}

TEST_CASE("Gathers at straight lines are slices: either way, by strides, in pieces, with the traps of single ones") {
  const auto over = [](const std::string& index, const std::string& count = "&x") {
    return streaming::test::Case{"fun f(n) = {let v = tab({10 * i : i in &x}); h = x / 2; k = x / 7 in {v ! (" + index +
                                     ") : i in " + count + "} : x in &n}",
                                 {"70"}};
  };
  const std::vector<streaming::test::Case> slices = {
      over("x - 1 - i"),
      over("i < h ? x - 1 - i : i"),
      over("2 * i", "&h"),
      over("i * k", "&7"),
      over("x - 1 - 3 * i", "&(x / 3)"),
      over("3 * i >= x ? 0 : 3 * i"),
      over("i == 2 ? 0 : i"),
      over("i != x - 1 ? i : 0"),
      over("2 * i != 6 ? i : 0"),
      over("2 * i == 7 ? 0 : i"),
      over("i <= 3 || i > x - 3 && (i == x - 1 ? false : true) ? i : x - 1 - i"),
      over("h + h == x ? i : x - 1 - i"),
      over("(i < 3) | (i > x - 3) ? i : x - 1 - i"),
      over("x * int(i < 5) - int(i < 5)"),
      over("-(-i)"),
      over("i + 1"),
      over("i - 1"),
      over("i < 60 ? i : i + 100"),
      over("i * 4611686018427387904 * 4"),
      over("i * 4611686018427387904 < 0 ? 0 : i"),
      over("i * 4611686018427387904 == i ? i : 0"),
      over("i * 4611686018427387904"),
      {"fun f(n) = {let v = tab({(i, real(i), '0' < '1') : i in &x}) in {v ! (x - 1 - i) : i in &x} : x in &n}",
       {"40"}},
      {"fun f(n) = let a = tab(&(n * n)); b = tab({real(i) : i in &(n * n)}) in "
       "{{sum({real(a ! (i * n + k)) * b ! (k * n + j) : k in &n}) : j in &n} : i in &n}",
       {"9"}},
  };
  for (const streaming::test::Case& c : slices) {
    INFO(c.program);
    CHECK(calls(c, "take_slice"));
  }
  agrees(slices);
  CHECK(!calls(over("i * i % (x + 1)"), "take_slice"));
  CHECK(!calls(over("i / 2"), "take_slice"));
}

TEST_CASE(
    "Counts before an element compared with its segment's number, and an element more at each end, take bits only") {
  const auto counted = [](const std::string& parameters, const std::string& w, const std::string& sides) {
    return "fun f(n" + parameters + ") = {let s = sum({i : i in l}); w = " + w +
           "; is = seq(tab(l)) in {i : i in is; c in scan-plus({int(i % 5 == 1) : i in is}) | " + sides +
           "} : l in sep({(i, i % 13 == 5 || i % 97 == 0) : i in &n})}";
  };
  std::vector<streaming::test::Case> counts;
  for (const std::string op : {"==", "!=", "<", "<=", ">", ">="})
    for (const std::string& sides : {"c " + op + " w", "w " + op + " c"})
      for (const auto& [m, more] :
           {std::pair{"4", "0"}, {"3", "-1"}, {"1", "9223372036854775807"}, {"1", "-9223372036854775808"}})
        counts.push_back({counted(", m, more", "s % m + more", sides), {"300", m, more}});
  for (const std::string w : {"s % 4", "s % 3 - 1", "s - s + 9223372036854775807", "s - s - 9223372036854775807 - 1"})
    counts.push_back({counted("", w, "c < w"), {"300"}});
  for (const streaming::test::Case& c : counts) {
    INFO(c.program);
    CHECK(calls(c, "count_compare"));
  }
  agrees(counts);
  const std::vector<streaming::test::Case> ended = {
      {"fun f(n) = concat({{i : i in &x | i % 3 != 0} ++ {7} : x in &n})", {"80"}},
      {"fun f(n) = {{real(i) : i in &x | i % 3 != 0} ++ {7.5} : x in &n}", {"80"}},
      {"fun f(n) = {scan-plus({i : i in &x | i % 3 != 0} ++ {7}) : x in &n}", {"80"}},
  };
  for (const streaming::test::Case& c : ended) {
    INFO(c.program);
    CHECK(calls(c, "ended("));
  }
  agrees(ended);
}

TEST_CASE("What works on a file's lines runs on several threads: in order only what is written or summed up") {
  const std::string lines = "fun lines(cs) = sep({(c, c == '\\n') : c in cs})\n";
  const std::vector<streaming::test::Case> cases = {
      {lines + "fun f(file) = sum({1 : l in lines(read_file(file))})", {"\"x\""}},
      {lines + "fun f(file) = maximum({0} ++ {sum({int(c > ' ') : c in l}) : l in lines(read_file(file))})", {"\"x\""}},
      {lines +
           "fun f(file, out) = write_file(out, concat({let v = tab(l); n = #v in {v ! (n - 1 - i) : i in &n} : l in "
           "lines(read_file(file))}))",
       {"\"x\"", "\"y\""}},
      {lines + "fun f(file, out) = write_file(out, concat({{c : c in l | c != ' '} ++ {'\\n'} : l in "
               "lines(read_file(file))}))",
       {"\"x\"", "\"y\""}},
  };
  for (const streaming::test::Case& c : cases) {
    INFO(c.program);
    const std::string text =
        engine::engine_source(transducers(streaming::simplify(streaming::test::prepare(c).streams)), true);
    const std::size_t body = text.find("struct Body"), tail = text.find("struct Tail");
    REQUIRE(tail != std::string::npos);
    const std::string in_order = text.substr(tail);
    CHECK(text.find("at += block", body) < tail);  // a loop over elements
    CHECK(in_order.find("at += block") == std::string::npos);
    CHECK(in_order.find("gather(") == std::string::npos);
    CHECK(in_order.find("pack(") == std::string::npos);
  }
  const std::string summed = engine::engine_source(transducers(streaming::simplify(
      streaming::test::prepare(
          {"fun f(file) = sum({x * x : x in scan-plus({int(c) : c in read_file(file)})})", {"\"x\""}})
          .streams)));
  CHECK(summed.substr(summed.find("struct Tail")).find("at += block") != std::string::npos);
}

TEST_CASE("A trap has the values and the place that the interpreter's has") {
  const auto p = streaming::test::prepare({"fun f(n) =\n  {10 / (x - 90) : x in &n}", {"100"}});
  const auto run = loaded(Engine::load(transducers(p.streams), {false, false})).run(p.inputs, {0, 1});
  REQUIRE(!run);
  streaming::test::MemoryFiles files;
  const auto expected = svcode::run_eager(p.streams, p.inputs, files);
  CHECK(render(std::get<Trap>(run.error())) == render(expected.error()));
  CHECK(render(expected.error()).find("10 / 0") != std::string::npos);
}

TEST_CASE(
    "A vector takes itself, and one that nobody asks for nothing: what is more than it may take is refused with the "
    "amount") {
  const auto within = [](const std::string& program, const std::string& n, std::int64_t bytes) {
    const auto p = streaming::test::prepare({program, {n}});
    engine::EngineOptions options{64, 1};
    options.memory = bytes;
    return loaded(Engine::load(transducers(streaming::simplify(p.streams)), {false, false})).run(p.inputs, options);
  };
  const std::string back = "fun f(n) = let v = tab({i * i % 1013 : i in &n}) in sum({v ! (n - 1 - i / 1) : i in &n})";
  CHECK(within(back, "100000", 1'200'000));  // 2^17 Ints, and windows of 64
  const auto refused = within(back, "100000", 900'000);
  REQUIRE_FALSE(refused);
  const auto* failure = std::get_if<EngineFailure>(&refused.error());
  REQUIRE(failure);
  CHECK(failure->bytes > 900'000);
  CHECK(failure->message.find("asked for 1.") != std::string::npos);
  for (const std::string& asked : std::vector<std::string>{"v ! 5", "sum(seq(v))", "sum({v ! j : j in &#v})"})
    for (const std::string& seldom : std::vector<std::string>{"if i % 3000 == 2999 then " + asked + " else 0",
                                                              "sum({" + asked + " | i % 3000 == 2999})"})
      CHECK(
          within("fun f(n) = sum({let v = tab({x * i % 7 : x in &10}) in " + seldom + " : i in &n})", "6000", 60'000));
}

}  // namespace engine_test
