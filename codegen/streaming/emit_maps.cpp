// Names in the text: w7 is the block of stream 7 as a word of bits, t7 as an array (or a place in a stream), v7 an
// element of it inside a loop, m7 bytes that become w7; j counts the elements of a block.
#include "codegen/streaming/emit_maps.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "codegen/dialects/library.h"
#include "codegen/streaming/emit_step.h"
#include "semantics/core/table.h"

namespace lockstep::engine {
namespace {

using scalars::Definition;
using svcode::Atom;

std::vector<LibraryFunction> called(const Definition& d) { return spell(cpp_dialect(), d, {"a", "b", "c"}).calls; }
// Of what is an instruction the compiler makes vectors with the rest of a loop.
bool calls(const Definition& d) {
  const auto* l = std::get_if<Definition::Library>(&d.node);
  const std::vector<Definition>& operands = scalars::operands_of(d);
  return (l && !l->instruction) || std::any_of(operands.begin(), operands.end(), calls);
}

// A definition on Bools, on 64 of them as the bits of words.
using WordOf = std::function<std::string(std::size_t argument)>;
std::string word_of(const Definition& d, const WordOf& argument) {
  using enum scalars::Operation;
  // #0 and #1: the operands. None: of no Bools, or not to Bools.
  static constexpr auto rows = table<scalars::Operation>({{Add, ""},
                                                          {Subtract, ""},
                                                          {Multiply, ""},
                                                          {Divide, ""},
                                                          {Remainder, ""},
                                                          {And, "#0 & #1"},
                                                          {Or, "#0 | #1"},
                                                          {Xor, "#0 ^ #1"},
                                                          {ShiftLeft, ""},
                                                          {ShiftRight, ""},
                                                          {Equal, "~(#0 ^ #1)"},
                                                          {NotEqual, "#0 ^ #1"},
                                                          {Less, "~#0 & #1"},
                                                          {LessEqual, "~#0 | #1"},
                                                          {Greater, "#0 & ~#1"},
                                                          {GreaterEqual, "#0 | ~#1"},
                                                          {Both, "#0 & #1"},
                                                          {Either, "#0 | #1"},
                                                          {Not, "~#0"},
                                                          {Negate, ""},
                                                          {PopCount, ""},
                                                          {LeadingZeros, ""},
                                                          {Bits, ""},
                                                          {Convert, ""}});
  const auto operand = [&](const Definition& x) {
    const std::string text = word_of(x, argument);
    return std::holds_alternative<Definition::Argument>(x.node) ? text : "(" + text + ")";
  };
  return match(
      d.node, [&](const Definition::Argument& a) { return argument(a.k); },
      [&](const Definition::Constant& c) { return std::string(c.value.bits ? "~u64(0)" : "u64(0)"); },
      [&](const Definition::Apply& a) {
        std::vector<std::string> operands;
        for (const Definition& x : a.operands) operands.push_back(operand(x));
        const std::string text = filled(rows[a.op], operands);
        if (text.empty()) throw Bug("an operator on Bools that is not of Bools");
        return text;
      },
      [&](const Definition::Choice& c) {
        const std::string when = operand(c.operands[0]);
        return "(" + when + " & " + operand(c.operands[1]) + ") | (~" + when + " & " + operand(c.operands[2]) + ")";
      },
      [&](const Definition::Library&) -> std::string { throw Bug("a function of floats on Bools"); });
}

// A loop vectorises well only where its elements are of one width, and a call or a check stands alone.
enum class Shape : unsigned char { Word, Bytes, Wide, Alone };

class Cluster {
 public:
  Cluster(const Network& network, const Step& step) : network_(network), step_(step) {
    for (const StreamId s : step.produces) produced_.insert(s);
    for (const Instr* i : step.instructions) {
      shapes_.emplace(i->id, shape_of(*i));
      waiting_.push_back(i);
    }
  }

  std::string run() {
    open();
    while (!waiting_.empty()) {
      if (emit_words() || emit_loop(Shape::Bytes) || emit_loop(Shape::Wide) || emit_alone()) continue;
      throw Bug("a cluster of elementwise instructions that no order suits");
    }
    close();
    return text_;
  }

 private:
  void line(const std::string& s, int depth = 2) {
    text_ += std::string(static_cast<std::size_t>(2 * depth), ' ') + s + "\n";
  }
  const Instr& at(StreamId s) const { return network_.at(s); }
  std::string reader(std::size_t k) const { return engine::reader(step_, k); }

  void open() {
    std::string n = "never";
    for (std::size_t k = 0; k < step_.operands.size(); ++k) n = "lesser(" + n + ", " + reader(k) + ".left())";
    for (const StreamId s : step_.produces) n = "lesser(" + n + ", s" + str(s) + ".room())";
    line("const i64 n = " + n + ";", 1);
    line("if (n > 0) {", 1);
    line("const i64 pos = " + reader(0) + ".pos;");
    line("for (i64 at = pos & -block; at < pos + n; at += block) {");
    // The elements of the block that are new.
    line("const u64 now = (at < pos ? ~low_bits(pos - at) : ~u64(0)) & low_bits(pos + n - at);", 3);
    line("(void)now;", 3);
    for (std::size_t k = 0; k < step_.operands.size(); ++k) {
      const StreamId s = step_.operands[k].stream;
      if (network_.repeated.count(s)) continue;
      if (at(s).type == Prim::Bool)
        line("const u64 w" + str(s) + " = *" + reader(k) + ".s->at(at);", 3);
      else
        line("const " + cell_type(at(s).type) + "* const __restrict t" + str(s) + " = " + reader(k) + ".s->at(at);", 3);
    }
    for (const Instr* i : step_.instructions)
      if (i->type != Prim::Bool) {
        if (produced_.count(i->id))
          line(cell_type(i->type) + "* const __restrict t" + str(i->id) + " = s" + str(i->id) + ".at(at);", 3);
        else if (wants_array(*i))
          line("alignas(64) " + cell_type(i->type) + " t" + str(i->id) + "[64];", 3);
      }
  }

  void close() {
    for (const Instr* i : step_.instructions)
      if (i->type == Prim::Bool && produced_.count(i->id))
        line("*s" + str(i->id) + ".at(at) = w" + str(i->id) + " & low_bits(pos + n - at);", 3);
    line("}");
    for (std::size_t k = 0; k < step_.operands.size(); ++k) line(reader(k) + ".pos += n;");
    for (const StreamId s : step_.produces) line("s" + str(s) + ".end += n;");
    line("}", 1);
    std::string over = reader(0) + ".over()";
    for (std::size_t k = 1; k < step_.operands.size(); ++k) over += " || " + reader(k) + ".over()";
    line("done" + str(step_.id()) + " = " + over + ";", 1);
    for (const StreamId s : step_.produces) line("s" + str(s) + ".done = done" + str(step_.id()) + ";", 1);
  }

  bool ready(const Instr& i) const {
    return std::all_of(i.arguments.begin(), i.arguments.end(), [&](StreamId a) {
      const StreamId s = network_.stored(a);
      return !shapes_.count(s) || emitted_.count(s);
    });
  }
  Prim operand(const Instr& i, std::size_t k) const { return at(network_.stored(i.arguments[k])).type; }
  Prim last(const Instr& i) const { return operand(i, i.arguments.size() - 1); }
  Definition definition(const Instr& i) const { return i.op()->definition(*snesl::scalar_type(last(i))); }

  Shape shape(const Instr& i) const { return shapes_.at(i.id); }
  Shape shape_of(const Instr& i) const {
    if (calls(definition(i)) || can_trap(i.op(), last(i))) return Shape::Alone;
    bool words = i.type == Prim::Bool, bytes = true;
    for (std::size_t k = 0; k < i.arguments.size(); ++k) {
      words &= operand(i, k) == Prim::Bool;
      bytes &= operand(i, k) == Prim::Bool || operand(i, k) == Prim::Char;
    }
    bytes &= i.type == Prim::Bool || i.type == Prim::Char;
    return words ? Shape::Word : bytes ? Shape::Bytes : Shape::Wide;
  }

  // Whether elements are read outside the loop that makes them. Simplest: whether a reader is of another shape.
  bool wants_array(const Instr& i) const {
    if (shape(i) == Shape::Alone) return true;
    for (const Instr* user : step_.instructions)
      for (const StreamId a : user->arguments)
        if (network_.stored(a) == i.id) return true;
    return false;
  }

  std::string word(StreamId a) const {
    const StreamId s = network_.stored(a);
    if (network_.repeated.count(s)) return at(s).atom().integer ? "~u64(0)" : "u64(0)";
    return "w" + str(s);
  }
  // An element inside a loop.
  std::string lane(StreamId a, bool bytes) const {
    const StreamId s = network_.stored(a);
    if (network_.repeated.count(s)) return literal(at(s).atom());
    if (in_loop_.count(s)) return "v" + str(s);
    if (at(s).type != Prim::Bool) return "t" + str(s) + "[j]";
    return bytes ? "b" + str(s) + "[j]" : "bool(w" + str(s) + " >> j & 1)";
  }

  bool emit_words() {
    bool any = false;
    for (bool more = true; more;) {
      more = false;
      for (const Instr* i : std::vector<const Instr*>(waiting_)) {
        if (shape(*i) != Shape::Word || !ready(*i)) continue;
        line("const u64 w" + str(i->id) + " = " + word_expression(*i) + ";", 3);
        finish(*i);
        any = more = true;
      }
    }
    return any;
  }
  std::string word_expression(const Instr& i) const {
    return word_of(definition(i), [&](std::size_t k) { return word(i.arguments[k]); });
  }

  bool emit_loop(Shape kind) {
    std::vector<const Instr*> body;
    in_loop_.clear();
    for (bool more = true; more;) {
      more = false;
      for (const Instr* i : std::vector<const Instr*>(waiting_)) {
        if (shape(*i) != kind || !ready(*i)) continue;
        body.push_back(i);
        in_loop_.insert(i->id);
        finish(*i);
        more = true;
      }
    }
    if (body.empty()) return false;
    const bool bytes = kind == Shape::Bytes;
    std::set<StreamId> expanded;
    for (const Instr* i : body) {
      if (bytes)
        for (const StreamId a : i->arguments) {
          const StreamId s = network_.stored(a);
          if (at(s).type != Prim::Bool || network_.repeated.count(s) || in_loop_.count(s) || !expanded.insert(s).second)
            continue;
          line("alignas(64) u8 b" + str(s) + "[64];", 3);
          line("unpack_bytes(b" + str(s) + ", w" + str(s) + ");", 3);
        }
      if (i->type == Prim::Bool) line("alignas(64) u8 m" + str(i->id) + "[64];", 3);
    }
    line("for (int j = 0; j < 64; ++j) {", 3);
    for (const Instr* i : body) {
      const std::string type = i->type == Prim::Bool ? "bool" : cell_type(i->type);
      line("const " + type + " v" + str(i->id) + " = " + lane_expression(*i, bytes) + ";", 4);
      if (i->type == Prim::Bool)
        line("m" + str(i->id) + "[j] = v" + str(i->id) + ";", 4);
      else if (produced_.count(i->id) || read_later(*i))
        line("t" + str(i->id) + "[j] = v" + str(i->id) + ";", 4);
    }
    line("}", 3);
    in_loop_.clear();
    for (const Instr* i : body)
      if (i->type == Prim::Bool) line("const u64 w" + str(i->id) + " = pack_bytes(m" + str(i->id) + ");", 3);
    return true;
  }
  bool read_later(const Instr& i) const {
    for (const Instr* user : waiting_)
      for (const StreamId a : user->arguments)
        if (network_.stored(a) == i.id) return true;
    return false;
  }

  bool emit_alone() {
    for (const Instr* p : waiting_) {
      if (shape(*p) != Shape::Alone || !ready(*p)) continue;
      const Instr i = *p;
      in_loop_.clear();
      const std::string out = "t" + str(i.id);
      std::string value = lane_expression(i, false);
      if (can_trap(i.op(), last(i))) {
        const std::string ok = spelled(i, i.op()->guard(*snesl::scalar_type(last(i)))->ok, false);
        line("alignas(64) u8 m" + str(i.id) + "[64];", 3);
        line("for (int j = 0; j < 64; ++j) m" + str(i.id) + "[j] = !(" + ok + ");", 3);
        line("if (const u64 wrong = pack_bytes(m" + str(i.id) + ") & now) {", 3);
        line("const int j = trailing(wrong);", 4);
        std::string values;
        for (const StreamId x : i.arguments) values += ", bits_of(" + lane(x, false) + ")";
        line("trap(" + str(i.id) + values + ");", 4);
        line("}", 3);
        value = "(" + ok + ") ? (" + value + ") : 0";
      }
      const std::string each = "for (int j = 0; j < 64; ++j) ", result = out + "[j] = ";
      if (const auto [careless, beyond] = careless_expression(i); !careless.empty()) {
        line("i64 beyond" + str(i.id) + " = 0;", 3);
        line(each + "{", 3);
        line("beyond" + str(i.id) + " |= " + beyond + ";", 4);
        line(result + careless + ";", 4);
        line("}", 3);
        line("if (beyond" + str(i.id) + " < 0)", 3);
        line(each + result + value + ";", 4);
      } else {
        line(each + result + value + ";", 3);
      }
      finish(*p);
      return true;
    }
    return false;
  }

  // Of a function that is written for numbers that need no care, too: that, and whether a number does.
  std::pair<std::string, std::string> careless_expression(const Instr& i) const {
    const Definition d = definition(i);
    const auto* l = std::get_if<Definition::Library>(&d.node);
    if (!l || l->operands.size() != 1 || !std::holds_alternative<Definition::Argument>(l->operands[0].node)) return {};
    const Dialect::Written* w = written_function(cpp_dialect(), *l, *snesl::scalar_type(last(i)));
    if (!w || w->careless.empty()) return {};
    const std::string operand = "(" + lane(i.arguments[0], false) + ")";
    return {std::string(w->careless) + operand, std::string(w->beyond) + operand};
  }

  std::string lane_expression(const Instr& i, bool bytes) const { return spelled(i, definition(i), bytes); }
  // A definition over the operands of i.
  std::string spelled(const Instr& i, const Definition& d, bool bytes) const {
    std::vector<std::string> operands;
    for (const StreamId s : i.arguments) operands.push_back(lane(s, bytes));
    return spell(cpp_dialect(), d, operands).text;
  }

  void finish(const Instr& i) {
    emitted_.insert(i.id);
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), &i));
  }

  const Network& network_;
  const Step& step_;
  std::map<StreamId, Shape> shapes_;  // of what the step computes
  std::set<StreamId> produced_, emitted_, in_loop_;
  std::vector<const Instr*> waiting_;
  std::string text_;
};

}  // namespace

std::string cell_type(Prim p) {
  static constexpr auto rows = table<Prim>(
      {{Prim::Unit, "Unit"}, {Prim::Bool, "Bit"}, {Prim::Int, "i64"}, {Prim::Real, "double"}, {Prim::Char, "u8"}});
  return std::string(rows[p]);
}

std::string literal(const Atom& a) {
  switch (a.type) {
    case Prim::Unit:
      return "Unit()";
    case Prim::Bool:
      return a.integer ? "true" : "false";
    case Prim::Char:
      return "u8(" + std::to_string(a.integer) + ")";
    case Prim::Int:
      return a.integer == INT64_MIN ? "i64(INT64_MIN)" : "i64(" + std::to_string(a.integer) + ")";
    case Prim::Real: {
      if (std::isnan(a.ieee())) return "__builtin_nan(\"\")";
      if (std::isinf(a.ieee())) return a.ieee() > 0 ? "__builtin_inf()" : "(-__builtin_inf())";
      char text[64];
      std::snprintf(text, sizeof text, "(%a)", a.ieee());
      return text;
    }
  }
  throw Bug("an element type that the engine lacks");
}

std::set<LibraryFunction> library_calls(const svcode::Program& p) {
  std::map<StreamId, Prim> types;
  std::set<LibraryFunction> all;
  for (const Instr& i : p.instructions) {
    types[i.id] = i.type;
    if (i.opcode != svcode::Opcode::Map) continue;
    const auto functions = called(i.op()->definition(*snesl::scalar_type(types.at(i.arguments.back()))));
    all.insert(functions.begin(), functions.end());
  }
  return all;
}

std::string cluster_body(const Network& network, const Step& step) { return Cluster(network, step).run(); }

}  // namespace lockstep::engine
