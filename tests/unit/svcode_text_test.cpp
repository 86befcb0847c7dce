// SVCODE's text: print and parse, what is refused where, and the check of types.
#include "tests/unit/svcode_program.h"

#include <random>

#include "semantics/core/table.h"
#include "semantics/svcode/instruction.h"

namespace svcode_text_test {
using namespace lockstep;
using namespace lockstep::svcode;
using namespace lockstep::svcode::test;

namespace {

constexpr Prim prims[] = {Prim::Unit, Prim::Bool, Prim::Int, Prim::Real, Prim::Char};

// Any program that text can say: types are not its business.
class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}

  Program program() {
    Program p;
    p.name = below(2) ? "main" : "max-ll'";
    for (std::uint64_t k = below(3); k > 0; --k) {
      p.parameters.push_back(type(3));
      p.parameter_names.push_back("x" + std::to_string(k));
    }
    StreamId id = 0;
    for (std::uint64_t k = below(30); k > 0; --k) {
      p.instructions.push_back(instruction(id));
      known_.push_back(id);
      id += 1 + static_cast<StreamId>(below(3));
    }
    p.result_type = type(3);
    p.result = tree(3);
    return p;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  StreamId known() { return known_[below(known_.size())]; }

  snesl::Type type(int depth) {
    switch (depth == 0 ? 0 : below(4)) {
      case 0:
        return snesl::prim(prims[1 + below(4)]);
      case 1:
        return snesl::vector_of(type(depth - 1));
      case 2:
        return snesl::sequence_of(type(depth - 1));
      default: {
        std::vector<snesl::Type> items;
        for (std::uint64_t k = below(4); k > 0; --k) items.push_back(type(depth - 1));
        return snesl::tuple(std::move(items));
      }
    }
  }
  Tree tree(int depth) {
    Tree t;
    if (known_.empty() || below(5) == 0) {
      t.unit = true;
    } else if (depth == 0 || below(2)) {
      t.leaf = known();
    } else {
      for (std::uint64_t k = 1 + below(3); k > 0; --k) t.children.push_back(tree(depth - 1));
    }
    return t;
  }
  Atom atom(Prim p) {
    switch (p) {
      case Prim::Unit:
        return snesl::unit_atom();
      case Prim::Bool:
        return snesl::bool_atom(below(2));
      case Prim::Int:
        return snesl::int_atom(static_cast<std::int64_t>(random_()) >> below(64));
      case Prim::Char:
        return snesl::char_atom(static_cast<unsigned char>(below(256)));
      case Prim::Real:
        break;
    }
    constexpr double inf = std::numeric_limits<double>::infinity();
    const double special[] = {0.0, -0.0, inf, -inf, 1e300, 5e-324, 0.1, std::numeric_limits<double>::quiet_NaN()};
    return snesl::real_atom(below(2) ? special[below(8)] : static_cast<double>(random_()) / 1024);
  }
  std::string text() {
    std::string r;
    for (std::uint64_t k = below(12); k > 0; --k)
      r += below(3) ? static_cast<char>(1 + below(255)) : "\"\\ -"[below(4)];
    return r;
  }
  Instr instruction(StreamId id) {
    Instr i;
    i.id = id;
    i.opcode = opcode_rows()[below(opcode_rows().size())].opcode;
    i.type = prims[below(5)];
    const Extra extra = row_of(i.opcode).extra;
    if (extra == Extra::Operator) i.payload = snesl::scalar_operators()[below(snesl::scalar_operators().size())];
    if (extra == Extra::Monoid) i.payload = static_cast<Monoid>(below(static_cast<std::uint64_t>(Monoid::And) + 1));
    const auto number = [&] { return static_cast<std::int64_t>(below(1000)) - 5; };
    if (extra == Extra::Atom) i.payload = atom(i.type);
    if (extra == Extra::Number) i.payload = Number{number()};
    if (extra == Extra::Repeated) i.payload = Repeated{atom(i.type), number()};
    if (extra == Extra::Failure) i.payload = Failure{text(), text()};
    for (std::uint64_t k = known_.empty() ? 0 : below(5); k > 0; --k) i.arguments.push_back(known());
    return i;
  }

  std::mt19937_64 random_;
  std::vector<StreamId> known_;
};

bool same(const Tree& a, const Tree& b) {
  return a.unit == b.unit && (a.unit || !a.children.empty() || a.leaf == b.leaf) &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), same);
}
bool same(const Instr& a, const Instr& b) {
  return a.id == b.id && a.opcode == b.opcode && a.type == b.type && a.arguments == b.arguments &&
         a.payload == b.payload;
}

std::vector<std::string> errors(const std::string& text) {
  const auto p = parse(std::make_shared<Source>(Source{"t", text}));
  std::vector<std::string> r;
  if (!p)
    for (const Diagnostic& d : p.error()) r.push_back(show_position(d.region) + ": " + d.message);
  return r;
}

// With the streams s0 : Unit, s1 : Bool, s2 : Int, s3 : Real, s4 : Char, s5 : Int grouped, s6 : Char grouped.
std::string checked(const std::string& instruction, const std::string& result = "s2", const std::string& type = "Int") {
  return check(program("svcode c (b : Bool, n : Int, r : Real, c : Char, v : [{Int}]) : " + type +
                       "\ns0 : Unit := ctrl\ns1 : Bool := input 0\ns2 : Int := input 1\ns3 : Real := input 2\n"
                       "s4 : Char := input 3\ns5 : Int := segtab s2 s1\ns6 : Char := segtab s4 s1\n" +
                       instruction + "\nresult " + result + "\n"));
}

// An instruction as its row has it, of the streams above, at Int where it is of no type of its own.
struct Written {
  Prim type;
  std::string name;  // with what stands before the operands
  std::vector<std::string> operands;
  std::string after;
};
Written right_by(const OpcodeRow& row) {
  static constexpr auto suffixes = table<Extra>({{Extra::None, ""},
                                                 {Extra::Number, " 1"},
                                                 {Extra::Atom, " 1"},
                                                 {Extra::Repeated, " 1 4"},
                                                 {Extra::Operator, "_add"},
                                                 {Extra::Comparison, "_lt 1"},
                                                 {Extra::Monoid, "_plus"},
                                                 {Extra::Failure, ""}});
  Written r{prim_of(row.gives).value_or(Prim::Int), std::string(row.name) + std::string(suffixes[row.extra]), {}, ""};
  if (row.extra == Extra::Failure) r.after = " \"!\" \"{0}\"";
  const svcode::Operands& o = row.operands;
  for (int k = 0; k < o.count - o.repeating + 2 * o.repeating; ++k) {
    const OperandRow& operand = o[static_cast<std::size_t>(k)];
    const Prim p = prim_of(operand.type).value_or(r.type);
    if (operand.role == Role::Base)
      r.operands.push_back(p == Prim::Char ? "s6" : "s5");
    else
      r.operands.push_back(p == Prim::Unit ? "s0" : p == Prim::Bool ? "s1" : p == Prim::Int ? "s2" : "s4");
  }
  return r;
}
std::string refused(const Written& w) {
  std::string text = "s9 : " + std::string(snesl::show(w.type)) + " := " + w.name;
  for (const std::string& s : w.operands) text += " " + s;
  UNSCOPED_INFO(text);
  return checked(text + w.after);
}

}  // namespace

TEST_CASE("Random programs print to what parses to the same program") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Program p = Random(seed).program();
    const std::string text = print(p);
    INFO(text);
    const Program q = program(text);
    CHECK(print(q) == text);
    CHECK(q.name == p.name);
    CHECK(q.parameter_names == p.parameter_names);
    CHECK(q.parameters == p.parameters);
    CHECK(q.result_type == p.result_type);
    CHECK(same(q.result, p.result));
    CHECK(std::equal(p.instructions.begin(), p.instructions.end(), q.instructions.begin(), q.instructions.end(),
                     [](const Instr& a, const Instr& b) { return same(a, b); }));
  }
}

TEST_CASE("The text is that of text.h; blank lines and comments are left out") {
  const std::string text =
      "svcode wc (file : [Char], n : Int) : ({(Int)}, ())\n"
      "s0 : Unit := ctrl\n"
      "s1 : Char := input 0\n"
      "s3 : Bool := map_eq s1 s1\n"
      "s9 : Int := rep 100 s0\n"
      "s10 : Real := constant 4.0 100\n"
      "s11 : Char := cons '\\n' s1\n"
      "s12 : Unit := check s3 s9 \"&\" \"of the \\\"negative\\\" number {0} -- \\\\\"\n"
      "s13 : Int := segscan_plus s9 s3\n"
      "result (((s13), s3), ())\n";
  CHECK(print(program(text)) == text);
  CHECK(print(program("-- all of it\n\n" + text + "\n  -- the end")) == text);
}

TEST_CASE("Every wrong line is reported where it is wrong") {
  using Errors = std::vector<std::string>;
  const std::string head = "svcode p () : Int\ns0 : Unit := ctrl\n", end = "result s0\n";
  CHECK(errors(head + end).empty());
  CHECK(errors(head + "s1 : Int := rep x s0\ns2 : Int := rep 1 s7\nresult (s1, s9\n") ==
        Errors{"t:3:17: found 'x'", "t:4:19: s7 is not defined before", "t:5:15: the line ends here"});
  CHECK(errors("") == Errors{"t:1:1: the program ends too early"});
  CHECK(errors(head) == Errors{"t:3:1: the program ends too early"});
  CHECK(errors(head + end + "s1 : Unit := ctrl\n") == Errors{"t:4:1: found 's1'"});
  CHECK(errors(head + "s0 : Unit := ctrl\n" + end) == Errors{"t:3:1: streams are numbered upwards"});
  CHECK(errors(head + "s1 : Int := iotas s1\n" + end) == Errors{"t:3:19: s1 is not defined before"});
  CHECK(errors(head + "s1 : Int := iota s0\n" + end) == Errors{"t:3:13: 'iota' is no instruction"});
  CHECK(errors(head + "s1 : Int := map_plus s0\n" + end) == Errors{"t:3:13: 'map_plus' is no instruction"});
  CHECK(errors(head + "s1 : Nat := iotas s0\n" + end) == Errors{"t:3:6: 'Nat' is no type of elements"});
  CHECK(errors(head + "s1 : Char := rep 'ab' s0\n" + end) == Errors{"t:3:18: a Char is one byte"});
  CHECK(errors(head + "s1 : Char := rep '\\xZZ' s0\n" + end) == Errors{"t:3:21: found 'ZZ''"});
  CHECK(errors(head + "s1 : Int := rep 99999999999999999999 s0\n" + end) ==
        Errors{"t:3:17: found '99999999999999999999'"});
  CHECK(errors(head + "s1 : Unit := check s0 \"open\n" + end) == Errors{"t:3:23: a text does not end"});
  CHECK(errors(head + "s1 : Int := lens s0 s99999999999\n" + end) == Errors{"t:3:22: found '99999999999'"});
  CHECK(errors(head + "result s4\n") == Errors{"t:3:8: s4 is not defined"});
  CHECK(errors("svcode p (x Int) : Int\n" + end) == Errors{"t:1:13: found 'Int)'", "t:2:8: s0 is not defined"});
  CHECK(errors("svcode p () : " + std::string(2000, '[') + "\n" + end).at(0) == "t:1:1015: this is nested too deeply");
  CHECK(errors(head + "result " + std::string(2000, '(') + "\n") == Errors{"t:3:1008: this is nested too deeply"});
}

TEST_CASE("The check takes every instruction at its types and refuses it at others") {
  for (const OpcodeRow& row : opcode_rows()) {
    const Written right = right_by(row);
    CHECK(refused(right) == "");
    for (std::size_t k = 0; k < right.operands.size(); ++k) {
      const OperandRow& o = row.operands[k];
      Written wrong = right;
      wrong.operands[k] = "s3";
      if (o.type != ElementType::Any) CHECK_THAT(refused(wrong), Catch::StartsWith("s9 := "));
      wrong.operands[k] = o.type == ElementType::Char ? "s4" : "s2";
      if (o.role == Role::Base) CHECK_THAT(refused(wrong), Catch::Contains("is not grouped"));
    }
    Written none = right, more = right, other = right;
    none.operands.clear();
    if (row.operands.count > 0) CHECK_THAT(refused(none), Catch::StartsWith("s9 := "));
    more.operands.push_back("s1");
    if (row.operands.repeating != 1) CHECK_THAT(refused(more), Catch::StartsWith("s9 := "));
    other.type = Prim::Real;
    const bool reads_atom = row.extra == Extra::Atom || row.extra == Extra::Repeated;  // at its type
    if (!reads_atom) CHECK_THAT(refused(other), Catch::StartsWith("s9 := "));
  }
}

TEST_CASE("The check refuses what no operand is wrong of: operators, monoids, numbers, names") {
  for (const std::string wrong :
       {"Bool := map_eq s2 s3", "Int := map_eq s2 s2", "Bool := segreduce_max s1 s1", "Int := reduce_or s2",
        "Char := reduce_max s4", "Bool := scan_times s1", "Int := constant 1 -1", "Int := input 99",
        "Unit := check s1 \"\" \"wrong\"", "Int := pmerge s2", "Bool := umerge s1", "Int := segmerge s1 s2"}) {
    INFO(wrong);
    CHECK_THAT(checked("s9 : " + wrong), Catch::StartsWith("s9 := "));
  }
}

TEST_CASE("The check says what is wrong: streams out of order, bases that are not grouped, results of another shape") {
  CHECK(checked("s9 : Bool := map_eq s2 s3") == "s9 := map_eq: the operator does not take these types");
  CHECK(checked("s9 : Bool := b2u s2") == "s9 := b2u: argument 1, s2, is of Int, not Bool");
  CHECK(checked("s9 : Int := so_gather s2 s2 s2") ==
        "s9 := so_gather: s2 is not grouped: neither segtab nor the base of a vector among the inputs");
  CHECK(checked("s8 : Int := input 4\ns9 : Int := so_gather s2 s2 s8") == "");  // the base of v
  Program p = program("svcode p () : Unit\ns0 : Unit := ctrl\ns1 : Int := rep 0 s0\nresult s0\n");
  std::swap(p.instructions[0], p.instructions[1]);
  CHECK(check(p) == "s1 := rep: s0 is not defined before");
  p.instructions.erase(p.instructions.begin());
  p.result.leaf = 7;
  CHECK(check(p) == "the result: s7 is not defined before");
  CHECK(checked("", "(s2, s1)", "{Int}") == "");
  CHECK(checked("", "((s3, s2), s2, s2)", "[(Real, Int)]") == "");
  CHECK(checked("", "(s2, s2)", "{Int}") == "the result: s2 is of Int, not Bool");
  CHECK(checked("", "s2", "(Int)") == "the result: a tree of 0 where there are 1");
  CHECK(checked("", "(s2)", "Int") == "the result: a tree where Int is one stream");
  CHECK(checked("", "()", "Int") == "the result: a tree where Int is one stream");
  CHECK(checked("", "s2", "()") == "the result: a tuple of another size than ()");
  CHECK(checked("", "()", "()") == "");
}

}  // namespace svcode_text_test
