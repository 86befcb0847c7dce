// Networks of transducers: what they have beside SVCODE against functions of lists, what a network must be, the rules
// that make one, and that a mistake is named by the stage that has it.
#include "tests/unit/svcode_program.h"

#include <random>

#include "codegen/streaming/engine.h"
#include "semantics/svcode/instruction.h"
#include "semantics/transducer/language.h"
#include "semantics/transducer/text.h"
#include "snesl_streams.h"
#include "translate/simplify/simplify.h"
#include "translate/transducers/stages.h"

namespace transducer_test {
using namespace lockstep;
using namespace lockstep::transducer;
using svcode::Stream;
using svcode::test::bools;
using svcode::test::ints;
using transducer::RunOptions;

namespace {

constexpr Prim Bool = Prim::Bool, Int = Prim::Int;

// An instruction over inputs, of which the first may be read in short form.
struct Case {
  Opcode opcode;
  std::vector<std::pair<Prim, Stream>> inputs;
  Prim type;
  Stream expected;
  svcode::Payload payload = {};
  bool first_is_short = false;
  svcode::Forms forms() const {
    svcode::Forms r;
    if (first_is_short) r.short_operands.insert({static_cast<StreamId>(inputs.size()), 0});
    return r;
  }
};

svcode::Program code_of(const Case& c) {
  svcode::Program p;
  p.name = "test";
  Instr i;
  for (std::size_t k = 0; k < c.inputs.size(); ++k) {
    Instr input;
    input.id = static_cast<StreamId>(k);
    input.opcode = Opcode::Input;
    input.type = c.inputs[k].first;
    input.payload = svcode::Number{static_cast<std::int64_t>(k)};
    p.instructions.push_back(input);
    p.parameters.push_back(snesl::prim(input.type));
    p.parameter_names.push_back("p" + std::to_string(k));
    i.arguments.push_back(input.id);
  }
  i.id = static_cast<StreamId>(c.inputs.size());
  i.opcode = c.opcode;
  i.type = c.type;
  i.payload = c.payload;
  p.instructions.push_back(i);
  p.result.leaf = i.id;
  p.result_type = snesl::prim(c.type);
  return p;
}

void holds(const Case& c) {
  const svcode::Program p = code_of(c);
  INFO(svcode::print_network(p, c.forms()));
  CHECK(svcode::check_network(p, c.forms()) == "");
  for (std::size_t k = 0; k <= c.inputs.size(); ++k) {     // of another type an input or the result
    if (c.opcode == Opcode::LastFlag && k == 0) continue;  // takes any
    svcode::Program other = p;
    other.instructions[k].type = Prim::Char;
    if (k < c.inputs.size()) other.parameters[k] = snesl::prim(Prim::Char);
    if (k == c.inputs.size()) other.result_type = snesl::prim(Prim::Char);
    CHECK(svcode::check_network(other, c.forms()) != "");
  }
  CHECK(svcode::check(p) == "s" + std::to_string(c.inputs.size()) +
                                " := " + svcode::mnemonic_of(p.instructions.back()) +
                                ": SVCODE has no such instruction, networks of transducers have");
  std::vector<Stream> inputs;
  for (const auto& [type, s] : c.inputs) {
    UNSCOPED_INFO(svcode::test::show(s));
    inputs.push_back(s);
  }
  svcode::test::MemoryFiles files;
  const auto eager = svcode::run_eager(p, inputs, files, c.forms());
  REQUIRE(eager);
  CHECK(svcode::test::show(eager->result.at(0)) == svcode::test::show(c.expected));
  for (const std::int64_t chunk : {1, 2, 5, 100}) {
    svcode::ChunkOptions how;
    how.chunk = chunk;
    how.forms = c.forms();
    const auto chunked = svcode::run_chunked(p, inputs, files, how);
    REQUIRE(chunked);
    REQUIRE(!chunked->deadlock);
    CHECK(svcode::test::show(chunked->run.result.at(0)) == svcode::test::show(c.expected));
  }
}

// Segments of flags, with the flags of their elements.
struct Segments {
  std::vector<std::string> flags;
  std::string general() const {
    std::string r;
    for (const std::string& s : flags) r += std::string(s.size(), 'F') + "T";
    return r;
  }
  std::string ends() const {  // in short form
    std::string r;
    for (const std::string& s : flags)
      if (!s.empty()) r += std::string(s.size() - 1, 'F') + "T";
    return r;
  }
  std::string all() const {
    std::string r;
    for (const std::string& s : flags) r += s;
    return r;
  }
};
std::int64_t trues(const std::string& s) { return std::count(s.begin(), s.end(), 'T'); }
std::string unary(std::int64_t n) { return std::string(static_cast<std::size_t>(n), 'F') + "T"; }

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return random_() % n; }
  // `at_least`: elements of a segment; `closed`: each ends with a true one.
  Segments segments(std::size_t at_least, bool closed = false) {
    Segments r;
    for (std::size_t n = below(6); n-- > 0;) {
      std::string s;
      for (std::size_t k = at_least + below(5); k-- > 0;) s += below(2) ? 'T' : 'F';
      if (closed) s.back() = 'T';
      r.flags.push_back(s);
    }
    return r;
  }

 private:
  std::mt19937 random_;
};

Case usegsum_b2u(Draw& d) {
  const Segments s = d.segments(0);
  std::string out;
  for (const std::string& f : s.flags) out += unary(trues(f));
  return {Opcode::UsegsumB2u, {{Bool, bools(s.general())}, {Bool, bools(s.all())}}, Bool, bools(out)};
}
Case usegsum_b2u_short(Draw& d) {
  const Segments s = d.segments(1);
  std::string out;
  for (const std::string& f : s.flags) out += unary(trues(f));
  return {Opcode::UsegsumB2u, {{Bool, bools(s.ends())}, {Bool, bools(s.all())}}, Bool, bools(out), {}, true};
}
Case ends_among(Draw& d) {
  const Segments s = d.segments(1, true);
  std::string out;
  for (const std::string& f : s.flags) out += std::string(static_cast<std::size_t>(trues(f) - 1), 'F') + "T";
  return {Opcode::EndsAmong, {{Bool, bools(s.ends())}, {Bool, bools(s.all())}}, Bool, bools(out), {}, true};
}
Case segcount(Draw& d) {
  const Segments s = d.segments(0);
  std::vector<std::int64_t> out;
  for (const std::string& f : s.flags) out.push_back(trues(f));
  return {Opcode::Segcount, {{Bool, bools(s.all())}, {Bool, bools(s.general())}}, Int, ints(out)};
}
Case count_true(Draw& d) {
  const Segments s = d.segments(0);
  return {Opcode::CountTrue, {{Bool, bools(s.all())}}, Int, ints({trues(s.all())})};
}
Case last_flag(Draw& d) {
  const std::string s = d.segments(0).all();
  std::string out(s.size(), 'F');
  if (!out.empty()) out.back() = 'T';
  return {Opcode::LastFlag, {{Bool, bools(s)}}, Bool, bools(out)};
}
Case terminated_count(Draw& d) {
  const std::string s = d.segments(0).all();
  return {Opcode::TerminatedCount, {{Bool, bools(s)}}, Bool, bools(unary(trues(s)))};
}
Case all_of(Draw& d) {
  const Segments s = d.segments(0);
  return {Opcode::AllOf, {{Bool, bools(s.general())}}, Bool, bools(unary(static_cast<std::int64_t>(s.all().size())))};
}
Case ended(Draw& d) {
  const Segments s = d.segments(0);
  std::vector<std::int64_t> in, out;
  for (const std::string& f : s.flags) {
    for (const char c : f) in.push_back(c == 'T'), out.push_back(c == 'T');
    out.push_back(7);
  }
  return {Opcode::Ended, {{Bool, bools(s.general())}, {Int, ints(in)}}, Int, ints(out), snesl::int_atom(7)};
}
Case count_compare(Draw& d) {
  const Segments s = d.segments(1);
  const bool number_first = d.below(2) == 1;
  std::vector<std::int64_t> numbers;
  std::string out;
  for (const std::string& f : s.flags) {
    numbers.push_back(static_cast<std::int64_t>(d.below(4)));
    for (std::size_t k = 0; k < f.size(); ++k) {
      const std::int64_t before = trues(f.substr(0, k));
      out += (number_first ? numbers.back() < before : before < numbers.back()) ? 'T' : 'F';
    }
  }
  return {Opcode::CountCompare,
          {{Bool, bools(s.all())}, {Bool, bools(s.ends())}, {Int, ints(numbers)}},
          Bool,
          bools(out),
          svcode::Comparison{scalars::row<"<">(), number_first}};
}

Program network_of(const std::string& text, std::int64_t slack = 2) {
  return transducers(streaming::simplify(streaming::test::prepare({text, {}}).streams), slack);
}

}  // namespace

TEST_CASE("Each instruction of networks is what it says of lists, whole and in chunks, and none of SVCODE") {
  for (const auto one : {usegsum_b2u, usegsum_b2u_short, ends_among, segcount, count_true, last_flag, terminated_count,
                         all_of, ended, count_compare})
    for (unsigned seed = 0; seed < 40; ++seed) {
      Draw draw(seed);
      holds(one(draw));
    }
}

TEST_CASE("Pieces that something is brought down to are told of when they begin: a piece may be longer than a chunk") {
  for (const char* const text : {
           "fun main() = let ws = sep({(x, x % 500 == 499) : x in &1000}) in {sum({c + k : c in w}) : w in ws; k in "
           "scan-plus({1 : _ in ws})}",
           "fun main() = {sum({sum({x + k : x in p}) : p in sep({(y, y % 300 == 7) : y in v}); k in scan-plus({1 : _ "
           "in "
           "sep({(y, y % 300 == 7) : y in v})})}) : v in sep({(x, x % 500 == 499) : x in &1000})}",
       }) {
    INFO(text);
    const auto prepared = streaming::test::prepare({text, {}});
    const Program p = transducers(streaming::simplify(prepared.streams), 8);
    svcode::test::MemoryFiles files;
    const auto expected = svcode::run_eager(prepared.streams, {}, files);
    const auto engine = engine::Engine::load(p, {false, false});
    REQUIRE(engine);
    const auto found = engine->run(std::vector<Stream>{}, {16, 1});
    REQUIRE(found);
    CHECK(svcode::test::show(found->result().at(0)) == svcode::test::show(expected->result.at(0)));
  }
}

TEST_CASE("One element after each segment is one: flags in short form that say two are not taken for it") {
  const auto prepared = streaming::test::prepare({"fun main() = &3 ++ ({7} ++ {7})", {}});
  const Program p = transducers(streaming::simplify(prepared.streams), 2);
  svcode::test::MemoryFiles files;
  const auto expected = svcode::run_eager(prepared.streams, {}, files);
  for (const RunOptions how : {RunOptions{}, RunOptions{1, 0}, RunOptions{3, 0}}) {
    const auto found = run(p, {}, files, how);
    REQUIRE(found);
    CHECK(svcode::test::show(found->result.at(0)) == svcode::test::show(expected->result.at(0)));
  }
}

TEST_CASE("A network is refused whose steps read what is not there, or lose what they must give") {
  const Program right =
      network_of("fun main() = {let v = tab({x * y : y in &x}) in {v ! (i % 2) : i in &x} : x in &9}");
  REQUIRE(check(right) == "");
  const auto wrong = [&](const std::function<void(Network&)>& change) {
    Program p = right;
    change(p.whole);
    return check(p);
  };
  CHECK(wrong([](Network& n) { std::reverse(n.steps.begin(), n.steps.end()); }).find("which no step before it gives") !=
        std::string::npos);
  CHECK(wrong([](Network& n) { n.steps.pop_back(); }).find("no step gives the result") != std::string::npos);
  CHECK(wrong([](Network& n) { n.forms.unbounded.clear(); }).find("reads groups in a window that does not grow") !=
        std::string::npos);
  CHECK(wrong([](Network& n) { n.ahead.clear(), n.groups.clear(); }).find("never lets go of a group") !=
        std::string::npos);
  CHECK(wrong([](Network& n) { n.repeated.insert(n.results().front()); }).find("is only counted, and is no constant") !=
        std::string::npos);
  CHECK(wrong([](Network& n) { n.narrow.insert(n.results().front()); }).find("narrow") != std::string::npos);
  CHECK(wrong([](Network& n) { n.steps.push_back(n.steps.back()); }).find("is given twice") != std::string::npos);
  // What is said of streams is said of some that are there.
  CHECK(wrong([](Network& n) { n.forms.unbounded.insert(9999); }).find("s9999, which may grow, is not defined") !=
        std::string::npos);
  CHECK(wrong([](Network& n) {
          n.forms.short_operands.insert({n.results().front(), 9});
        }).find("has no argument 10 to read in short form") != std::string::npos);
}

TEST_CASE("A network is refused whose indices are made by what makes none") {
  Program p = network_of("fun main() = {let v = tab({x * y : y in &x}) in {v ! (x - 1 - i) : i in &x} : x in &9}");
  REQUIRE(!p.whole.slices.empty());
  REQUIRE(check(p) == "");
  Slices& s = p.whole.slices.begin()->second;
  const std::vector<const Instr*> body = s.body;
  s.body.push_back(&p.whole.at(s.gathers.front()->id));
  CHECK(check(p).find(" makes no index") != std::string::npos);
  s.body = body;
  std::reverse(s.body.begin(), s.body.end());
  CHECK(check(p).find(", of which it has no line") != std::string::npos);
}

TEST_CASE("What an operator makes of lines is what it makes of each of their elements") {
  const std::int64_t numbers[] = {0, 1, -1, 2, 5, -7, 40, INT64_MAX, INT64_MIN, INT64_MAX - 9};
  std::size_t operators = 0, products = 0;
  std::mt19937 random(1);
  for (const snesl::OperatorRef op : snesl::scalar_operators())
    for (const Prim operand : {Bool, Int}) {
      std::vector<Prim> types(static_cast<std::size_t>(static_cast<int>(op->arity)), operand);
      if (op->chooses) types[0] = Bool;
      CHECK(!on_lines(op, Prim::Real));
      CHECK(!on_lines(op, Prim::Char));
      const auto how = on_lines(op, operand);
      const auto type = snesl::result_type(op, types);
      if (!how || (type != Bool && type != Int)) continue;
      ++operators;
      INFO(op->name << " of " << (operand == Bool ? "Bools" : "Ints"));
      for (int round = 0; round < 200; ++round) {
        std::vector<LineValue> in;
        for (const Prim p : types) {
          const Line line{numbers[random() % std::size(numbers)], static_cast<std::int64_t>(random() % 5) - 2};
          in.push_back(p == Bool ? LineValue(random() % 2 == 0) : LineValue(line));
        }
        if (how->function == LineFunction::Product) std::get<Line>(in[products++ % 2]).slope = 0;
        std::int64_t end = 3 + 9;
        const LineValue out = apply(*how, in, 3, end);
        REQUIRE(end > 3);
        REQUIRE(end <= 3 + 9);
        for (std::int64_t k = 0; k < end - 3; ++k) {
          const auto later = [&](const LineValue& v) {
            return std::holds_alternative<Line>(v) ? LineValue(Line{std::get<Line>(v).after(k), 0}) : v;
          };
          std::vector<svcode::Atom> elements;
          for (const LineValue& v : in) elements.push_back(at_position(later(v)));
          CHECK(at_position(later(out)) == snesl::apply(op, elements, {}));
        }
      }
    }
  CHECK(operators > 15);
  CHECK(products > 0);
}

TEST_CASE("Networks that run differently have different texts: lines of operators, and what is let go of") {
  const Program right =
      network_of("fun main() = {let v = tab({x * y : y in &x}) in {v ! (x - 1 - i) : i in &x} : x in &9}");
  const auto altered = [&](const std::function<void(Network&)>& change) {
    Program p = right;
    change(p.whole);
    return print(p);
  };
  CHECK(altered([](Network& n) { n.slices.begin()->second.lines.begin()->second.exchanged ^= true; }) != print(right));
  CHECK(altered([](Network& n) { n.ahead.begin()->second.readers.clear(); }) != print(right));
  CHECK(altered([](Network& n) { n.ahead.begin()->second.in_groups ^= true; }) != print(right));
}

TEST_CASE("The text of a network has its instructions, its steps and what they keep") {
  const std::string text = print(network_of("fun main() = {sum({x * y : y in &x | y % 2 == 0}) : x in &9}"));
  for (const char* const part : {"network\n", "\nsteps\n", "  cluster ", "  distribute ", " gives s"})
    CHECK(text.find(part) != std::string::npos);
}

TEST_CASE("a sum of what a range gives is gone through in one loop, in narrow streams") {
  const std::string text = print(network_of("fun main() = sum({x * x : x in &9})"));
  INFO(text);
  const std::size_t loop = text.find("\n  again ");
  REQUIRE(loop != std::string::npos);
  CHECK(text.find("\nnarrow ", loop) != std::string::npos);
}

}  // namespace transducer_test
