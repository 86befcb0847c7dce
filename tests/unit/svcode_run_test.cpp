// Each SVCODE instruction in both interpreters against functions of nested lists, and the thesis' examples (§4.2).
#include "tests/unit/svcode_program.h"

#include <numeric>
#include <random>
#include <set>

#include "semantics/svcode/instruction.h"

namespace svcode_run_test {
using namespace lockstep;
using namespace lockstep::svcode;
using namespace lockstep::svcode::test;

namespace {

using List = std::vector<std::int64_t>;
using Lists = std::vector<List>;

// `definition` with the inputs as its streams, in their order: s0 s1 ...
struct Case {
  std::string definition;
  std::vector<std::pair<Prim, Stream>> inputs;
  Prim type;
  Stream expected;
};

Program program_of(const Case& c) {
  std::string header, inputs, arguments;
  for (std::size_t k = 0; k < c.inputs.size(); ++k) {
    const std::string type(snesl::show(c.inputs[k].first)), n = std::to_string(k);
    header += (k ? ", p" : "p") + n + " : " + type;
    inputs += "s" + n + " : " + type + " := input " + n + "\n";
    arguments += " s" + n;
  }
  const std::string s = "s" + std::to_string(c.inputs.size()), type(snesl::show(c.type));
  const bool unit = c.type == Prim::Unit;  // no type of the source
  const std::string shown = unit ? "s99 : Int := rep 7 " + s + "\nresult s99\n" : "result " + s + "\n";
  std::string definition = c.definition;
  definition.insert(std::min(definition.find('"'), definition.size()), arguments + " ");
  return program("svcode test (" + header + ") : " + (unit ? "Int" : type) + "\n" + inputs + s + " : " + type +
                 " := " + definition + "\n" + shown);
}

void holds(const Case& c, const std::vector<ChunkOptions>& chunkings = every_chunking()) {
  const Program p = program_of(c);
  INFO(print(p));
  std::vector<Stream> inputs;
  for (const auto& [type, s] : c.inputs) {
    UNSCOPED_INFO(show(s));
    inputs.push_back(s);
  }
  CHECK(check(p) == "");
  const Stream expected = c.type == Prim::Unit ? Stream(c.expected.size(), snesl::int_atom(7)) : c.expected;
  MemoryFiles files;
  const auto eager = run_eager(p, inputs, files);
  REQUIRE(eager);
  CHECK(show(eager->result.at(0)) == show(expected));
  for (const ChunkOptions& options : chunkings) {
    INFO("chunk " << options.chunk << ", order " << static_cast<int>(options.order));
    const auto chunked = run_chunked(p, inputs, files, options);
    REQUIRE(chunked);
    if (chunked->deadlock) UNSCOPED_INFO(chunked->deadlock->report);
    REQUIRE(!chunked->deadlock);
    CHECK(show(chunked->run.result.at(0)) == show(expected));
    CHECK(chunked->run.counts.work == eager->counts.work);
  }
}

Stream flat(const Lists& lists) {
  Stream r;
  for (const List& l : lists)
    for (const std::int64_t n : l) r.push_back(snesl::int_atom(n));
  return r;
}
Stream descriptor(const Lists& lists) {
  std::string r;
  for (const List& l : lists) r += std::string(l.size(), 'F') + "T";
  return bools(r);
}
Stream short_descriptor(const Lists& lists) {
  std::string r;
  for (const List& l : lists)
    if (!l.empty()) r += std::string(l.size() - 1, 'F') + "T";
  return bools(r);
}
Stream unary(const List& ns) {
  std::string r;
  for (const std::int64_t n : ns) r += std::string(static_cast<std::size_t>(n), 'F') + "T";
  return bools(r);
}

constexpr Prim Unit = Prim::Unit, Bool = Prim::Bool, Int = Prim::Int, Char = Prim::Char;

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
  List list(std::int64_t n) {
    List r;
    while (static_cast<std::int64_t>(r.size()) < n) r.push_back(below(6));
    return r;
  }
  List list() { return list(below(12)); }
  Lists lists(std::int64_t n) {
    Lists r;
    while (static_cast<std::int64_t>(r.size()) < n) r.push_back(list(below(3) == 0 ? 0 : below(6)));
    return r;
  }
  Lists lists() { return lists(below(6)); }
  std::string flags(std::size_t n) {
    std::string r;
    while (r.size() < n) r += below(2) ? 'T' : 'F';
    return r;
  }

 private:
  std::mt19937 random_;
};

// ---- an oracle for each instruction, on nested lists

Case rep(Random& r) {
  const List l = r.list();
  return {"rep 'x'", {{Int, ints(l)}}, Char, chars(std::string(l.size(), 'x'))};
}
Case constant(Random& r) {
  const auto n = r.below(5);
  return {"constant 2.5 " + std::to_string(n),
          {},
          Prim::Real,
          reals(std::vector<double>(static_cast<std::size_t>(n), 2.5))};
}
Case map(Random& r) {
  const List a = r.list(), b = r.list(static_cast<std::int64_t>(a.size()));
  List sum;
  for (std::size_t k = 0; k < a.size(); ++k) sum.push_back(a[k] + b[k]);
  return {"map_add", {{Int, ints(a)}, {Int, ints(b)}}, Int, ints(sum)};
}
Case usum(Random& r) {
  const Lists l = r.lists();
  return {"usum", {{Bool, descriptor(l)}}, Unit, flat(l)};
}
Case pdist(Random& r) {
  const Lists l = r.lists();
  const List s = r.list(static_cast<std::int64_t>(l.size()));
  List out;
  for (std::size_t k = 0; k < l.size(); ++k) out.insert(out.end(), l[k].size(), s[k]);
  return {"pdist", {{Int, ints(s)}, {Bool, descriptor(l)}}, Int, ints(out)};
}
Case pack(Random& r) {
  const List l = r.list();
  const std::string b = r.flags(l.size());
  List out;
  for (std::size_t k = 0; k < l.size(); ++k)
    if (b[k] == 'T') out.push_back(l[k]);
  return {"pack", {{Int, ints(l)}, {Bool, bools(b)}}, Int, ints(out)};
}
Case upack(Random& r) {
  const Lists l = r.lists();
  const std::string b = r.flags(l.size());
  Lists out;
  for (std::size_t k = 0; k < l.size(); ++k)
    if (b[k] == 'T') out.push_back(l[k]);
  return {"upack", {{Bool, descriptor(l)}, {Bool, bools(b)}}, Bool, descriptor(out)};
}
Case b2u(Random& r) {
  const std::string b = r.flags(static_cast<std::size_t>(r.below(9)));
  std::string out;
  for (const char c : b) out += c == 'T' ? "FT" : "T";
  return {"b2u", {{Bool, bools(b)}}, Bool, bools(out)};
}
Case unpack(Random& r) {
  const std::string b = r.flags(static_cast<std::size_t>(r.below(12)));
  List whole, t, e;
  for (const char c : b) {
    whole.push_back(r.below(100));
    (c == 'T' ? t : e).push_back(whole.back());
  }
  return {"unpack", {{Bool, bools(b)}, {Int, ints(t)}, {Int, ints(e)}}, Int, ints(whole)};
}
Case to_flags(Random& r) {
  const List l = r.list();
  return {"to_flags", {{Int, ints(l)}}, Bool, unary(l)};
}
Case lens(Random& r) {
  const List l = r.list();
  return {"lens", {{Bool, unary(l)}}, Int, ints(l)};
}
Case short_form(Random& r) {
  const Lists l = r.lists();
  return {"short", {{Bool, descriptor(l)}}, Bool, short_descriptor(l)};
}
Case ends(Random& r) {
  Lists l = r.lists();
  std::erase_if(l, [](const List& x) { return x.empty(); });  // which a short form does not show
  return {"ends", {{Bool, short_descriptor(l)}}, Bool, descriptor(l)};
}
Case cons(Random& r) {
  const List l = r.list();
  List out = l;
  out.insert(out.begin(), 9);
  out.pop_back();
  return {"cons 9", {{Int, ints(l)}}, Int, ints(out)};
}
std::int64_t least() { return std::numeric_limits<std::int64_t>::min(); }
Case segscan(Random& r) {
  const Lists l = r.lists();
  Lists out = l;
  const bool plus = r.below(2) == 0;
  for (std::size_t k = 0; k < l.size(); ++k)
    for (std::size_t j = 0; j < l[k].size(); ++j) {
      const auto from = l[k].begin(), to = from + static_cast<std::ptrdiff_t>(j);
      out[k][j] = plus ? std::accumulate(from, to, std::int64_t{0}) : j == 0 ? least() : *std::max_element(from, to);
    }
  return {plus ? "segscan_plus" : "segscan_max", {{Int, flat(l)}, {Bool, short_descriptor(l)}}, Int, flat(out)};
}
Case segreduce(Random& r) {
  const Lists l = r.lists();
  List out;
  const bool times = r.below(2) == 0;
  for (const List& x : l)
    out.push_back(times ? std::accumulate(x.begin(), x.end(), std::int64_t{1}, std::multiplies<>())
                        : std::accumulate(x.begin(), x.end(), std::int64_t{0}));
  return {times ? "segreduce_times" : "segreduce_plus", {{Int, flat(l)}, {Bool, descriptor(l)}}, Int, ints(out)};
}
Case iotas(Random& r) {
  Lists l = r.lists();
  const Stream f = descriptor(l);
  for (List& x : l) std::iota(x.begin(), x.end(), 0);
  return {"iotas", {{Bool, f}}, Int, flat(l)};
}
Case usegsum(Random& r) {
  const Lists l = r.lists();  // of lengths
  List g, out;
  for (const List& x : l) {
    g.insert(g.end(), x.begin(), x.end());
    out.push_back(std::accumulate(x.begin(), x.end(), std::int64_t{0}));
  }
  return {"usegsum", {{Bool, descriptor(l)}, {Bool, unary(g)}}, Bool, unary(out)};
}
Case uempty(Random& r) {
  const Lists l = r.lists();
  std::string out;
  for (const List& x : l) out += x.empty() ? 'T' : 'F';
  return {"uempty", {{Bool, descriptor(l)}}, Bool, bools(out)};
}
Case pmerge(Random& r) {
  const std::int64_t n = r.below(5);
  const List a = r.list(n), b = r.list(n), c = r.list(n);
  List out;
  for (std::size_t k = 0; k < a.size(); ++k) out.insert(out.end(), {a[k], b[k], c[k]});
  return {"pmerge", {{Int, ints(a)}, {Int, ints(b)}, {Int, ints(c)}}, Int, ints(out)};
}
Case umerge(Random& r) {
  const std::int64_t n = r.below(5);
  const List a = r.list(n), b = r.list(n);
  List out;
  for (std::size_t k = 0; k < a.size(); ++k) out.insert(out.end(), {a[k], b[k]});
  return {"umerge", {{Bool, unary(a)}, {Bool, unary(b)}}, Bool, unary(out)};
}
Case uappend(Random& r) {
  const std::int64_t n = r.below(5);
  const List a = r.list(n), b = r.list(n), c = r.list(n);
  List out;
  for (std::size_t k = 0; k < a.size(); ++k) out.push_back(a[k] + b[k] + c[k]);
  return {"uappend", {{Bool, unary(a)}, {Bool, unary(b)}, {Bool, unary(c)}}, Bool, unary(out)};
}
Case segmerge(Random& r) {
  const std::int64_t n = r.below(5);
  const Lists a = r.lists(n), b = r.lists(n);
  Lists out;
  for (std::size_t k = 0; k < a.size(); ++k) out.insert(out.end(), {a[k], b[k]});
  return {"segmerge", {{Bool, descriptor(a)}, {Int, flat(a)}, {Bool, descriptor(b)}, {Int, flat(b)}}, Int, flat(out)};
}
Case usegmerge(Random& r) {
  const std::int64_t n = r.below(5);
  const Lists a = r.lists(n), b = r.lists(n);
  List out, as, bs;
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (const auto& [list, all] : {std::pair{&a[k], &as}, std::pair{&b[k], &bs}}) {
      out.insert(out.end(), list->begin(), list->end());
      all->insert(all->end(), list->begin(), list->end());
    }
  }
  return {"usegmerge",
          {{Bool, descriptor(a)}, {Bool, unary(as)}, {Bool, descriptor(b)}, {Bool, unary(bs)}},
          Bool,
          unary(out)};
}
Case segtab(Random& r) {
  const Lists l = r.lists();
  return {"segtab", {{Int, flat(l)}, {Bool, descriptor(l)}}, Int, flat(l)};
}
Case check_all_true(Random& r) {
  const std::string b(static_cast<std::size_t>(r.below(9)), 'T');
  return {"check \"!\" \"false\"", {{Bool, bools(b)}, {Int, ints(List(b.size(), 3))}}, Unit, bools(b)};
}
Case range(Random& r) {
  const std::int64_t n = r.below(12);
  List out(static_cast<std::size_t>(n));
  std::iota(out.begin(), out.end(), 0);
  return {"range", {{Int, ints({n})}}, Int, ints(out)};
}
Case terminated(Random& r) {
  const List l = r.list();
  return {"terminated", {{Int, ints(l)}}, Bool, descriptor({l})};
}
Case reduce(Random& r) {
  const List l = r.list();
  return {"reduce_max", {{Int, ints(l)}}, Int, ints({l.empty() ? least() : *std::max_element(l.begin(), l.end())})};
}
Case scan(Random& r) {
  const List l = r.list();
  List out(l.size());
  std::exclusive_scan(l.begin(), l.end(), out.begin(), std::int64_t{0});
  return {"scan_plus", {{Int, ints(l)}}, Int, ints(out)};
}

constexpr Case (*cases[])(Random&) = {rep,    constant,       map,    usum,       pdist,  pack,    upack,    b2u,
                                      unpack, to_flags,       lens,   short_form, ends,   cons,    segscan,  segreduce,
                                      iotas,  usegsum,        uempty, pmerge,     umerge, uappend, segmerge, usegmerge,
                                      segtab, check_all_true, range,  terminated, reduce, scan};

}  // namespace

TEST_CASE("Every instruction is its function of nested lists, eager and at every chunk size and order") {
  std::set<Opcode> seen{Opcode::Ctrl,      Opcode::Input,    Opcode::Gather, Opcode::ReadFile,
                        Opcode::WriteFile, Opcode::ReadWhole};  // in the tests below and in svcode_network_test.cpp
  for (unsigned seed = 0; seed < 40; ++seed)
    for (const auto& one : cases) {
      Random random(seed);
      const Case c = one(random);
      holds(c);
      seen.insert(program_of(c).instructions[c.inputs.size()].opcode);
    }
  CHECK(seen.size() == opcode_rows().size());
}

TEST_CASE("The thesis' examples of instructions (§2.3, §4.2, §4.3.1)") {
  holds({"ctrl", {}, Unit, {snesl::unit_atom()}});
  holds({"to_flags", {{Int, ints({3, 4, 0, 1})}}, Bool, bools("FFFT FFFFT T FT")});
  holds({"segtab", {{Char, chars("abcde")}, {Bool, bools("FFT FFFT")}}, Char, chars("abcde")});
  holds({"usum", {{Bool, bools("TFFTFT")}}, Unit, Stream(3)});
  holds({"usegsum", {{Bool, bools("T FFT FT")}, {Bool, bools("FFT FFT FFT")}}, Bool, bools("T FFFFT FFT")});
  holds({"cons 1", {{Int, ints({2, 3, 4})}}, Int, ints({1, 2, 3})});
  holds({"cons true", {{Bool, bools("TFFTFT")}}, Bool, bools("TTFFTF")});
  holds({"segmerge",
         {{Bool, bools("FFT T FFFT")}, {Char, chars("aaaaa")}, {Bool, bools("FT FT FT")}, {Char, chars("bbb")}},
         Char,
         chars("aabbaaab")});
  holds({"constant true 5", {}, Bool, bools("TTTTT")});
  holds({"short", {{Bool, bools("FFFT T FT FFT")}}, Bool, bools("FFT T FT")});
  holds({"b2u", {{Bool, bools("FT")}}, Bool, bools("TFT")});
}

TEST_CASE("The thesis' iotas and segreduce as printed (§4.3) do not fit their descriptors: README, errata") {
  const auto fails = [](const std::string& text, const Stream& f, const Stream& data) {
    MemoryFiles files;
    CHECK_THROWS_AS(
        run_eager(program("svcode e (f : Bool, x : Int) : Int\ns0 : Bool := input 0\ns1 : Int := input 1\n" + text),
                  {f, data}, files),
        Bug);
  };
  fails("s2 : Int := rep 1 s0\ns3 : Bool := short s0\ns4 : Int := segscan_plus s2 s3\nresult s4\n", bools("T"), {});
  fails(
      "s2 : Int := rep 0 s0\ns3 : Bool := map_not s0\ns4 : Int := unpack s3 s1 s2\ns5 : Int := segscan_plus s4 s0\n"
      "s6 : Int := pack s5 s0\nresult s6\n",
      bools("FT"), ints({3}));
}

TEST_CASE("Sums and scans of Reals in segments are those of Reduction and PrefixScan, at every chunk size") {
  std::mt19937 random(1);
  std::vector<double> xs;
  for (int k = 0; k < 60; ++k)
    xs.push_back(std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 40) - 20));
  const std::string f = std::string(19, 'F') + "T" + std::string(41, 'F') + "TT";
  const std::string e = std::string(18, 'F') + "T" + std::string(40, 'F') + "T";
  snesl::Reduction a(Monoid::Plus, Prim::Real), b(Monoid::Plus, Prim::Real), none(Monoid::Plus, Prim::Real);
  snesl::PrefixScan first(Monoid::Times, Prim::Real), second(Monoid::Times, Prim::Real);
  Stream sums, scans;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    (k < 19 ? a : b).add(snesl::real_atom(xs[k]));
    scans.push_back((k < 19 ? first : second).value());
    (k < 19 ? first : second).add(snesl::real_atom(xs[k]));
  }
  sums = {a.value(), b.value(), none.value()};
  holds({"segreduce_plus", {{Prim::Real, reals(xs)}, {Bool, bools(f)}}, Prim::Real, sums});
  holds({"segscan_times", {{Prim::Real, reals(xs)}, {Bool, bools(e)}}, Prim::Real, scans});
}

}  // namespace svcode_run_test
