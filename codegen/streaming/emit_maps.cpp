// Names in the text: w7 is the block of stream 7 as a word of bits, t7 as an array (or a place in a stream), v7 an
// element of it inside a loop, m7 bytes that become w7; j counts the elements of a block.
#include "codegen/streaming/emit_maps.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "codegen/streaming/emit_step.h"
#include "semantics/core/table.h"

namespace lockstep::engine {
namespace {

using svcode::Atom;
using svcode::ScalarOp;

// A loop vectorises well only where its elements are of one width, and a call or a check stands alone.
enum class Shape : unsigned char { Word, Bytes, Wide, Alone };

class Cluster {
 public:
  Cluster(const Plan& plan, const Step& step) : plan_(plan), step_(step) {
    for (const Instr* i : step.instructions) inside_.insert(i->id);
    for (const StreamId s : step.produces) produced_.insert(s);
    for (const Instr* i : step.instructions) waiting_.push_back(i);
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
  const Instr& at(StreamId s) const { return *plan_.instructions.at(s); }
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
      if (plan_.repeated.count(s)) continue;
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
      const StreamId s = plan_.stored(a);
      return !inside_.count(s) || emitted_.count(s);
    });
  }
  Prim operand(const Instr& i, std::size_t k) const { return at(plan_.stored(i.arguments[k])).type; }

  Shape shape(const Instr& i) const {
    switch (i.op) {
      case ScalarOp::Log:
      case ScalarOp::Exp:
      case ScalarOp::Sin:
      case ScalarOp::Cos:
      case ScalarOp::Pow:
      case ScalarOp::Mod:
        return Shape::Alone;
      default:
        break;
    }
    if (can_trap(i.op, operand(i, i.arguments.size() - 1))) return Shape::Alone;
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
        if (plan_.stored(a) == i.id) return true;
    return false;
  }

  std::string word(StreamId a) const {
    const StreamId s = plan_.stored(a);
    if (plan_.repeated.count(s)) return at(s).atom.integer ? "~u64(0)" : "u64(0)";
    return "w" + str(s);
  }
  // An element inside a loop.
  std::string lane(StreamId a, bool bytes) const {
    const StreamId s = plan_.stored(a);
    if (plan_.repeated.count(s)) return literal(at(s).atom);
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
    const std::string a = word(i.arguments[0]), b = word(i.arguments.back());
    switch (i.op) {
      case ScalarOp::And:
      case ScalarOp::BitAnd:
        return a + " & " + b;
      case ScalarOp::Or:
      case ScalarOp::BitOr:
        return a + " | " + b;
      case ScalarOp::Not:
        return "~" + a;
      case ScalarOp::BitXor:
      case ScalarOp::Ne:
        return a + " ^ " + b;
      case ScalarOp::Eq:
        return "~(" + a + " ^ " + b + ")";
      case ScalarOp::Lt:
        return "~" + a + " & " + b;
      case ScalarOp::Le:
        return "~" + a + " | " + b;
      case ScalarOp::Gt:
        return a + " & ~" + b;
      case ScalarOp::Ge:
        return a + " | ~" + b;
      case ScalarOp::Select:
        return "(" + a + " & " + word(i.arguments[1]) + ") | (~" + a + " & " + b + ")";
      default:
        throw Bug("an operator on Booleans that the engine lacks");
    }
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
          const StreamId s = plan_.stored(a);
          if (at(s).type != Prim::Bool || plan_.repeated.count(s) || in_loop_.count(s) || !expanded.insert(s).second)
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
        if (plan_.stored(a) == i.id) return true;
    return false;
  }

  bool emit_alone() {
    for (const Instr* p : waiting_) {
      if (shape(*p) != Shape::Alone || !ready(*p)) continue;
      const Instr i = *p;
      in_loop_.clear();
      const std::string out = "t" + str(i.id);
      const std::string a = lane(i.arguments[0], false), b = lane(i.arguments.back(), false);
      if (can_trap(i.op, operand(i, i.arguments.size() - 1))) {
        const bool real = operand(i, 0) == Prim::Real;
        line("alignas(64) u8 m" + str(i.id) + "[64];", 3);
        const std::string fits = i.op == ScalarOp::ToChar ? "is_char(" : "is_int(";
        line(
            "for (int j = 0; j < 64; ++j) m" + str(i.id) + "[j] = " + (real ? "!" + fits + a + ")" : b + " == 0") + ";",
            3);
        line("if (const u64 wrong = pack_bytes(m" + str(i.id) + ") & now) {", 3);
        line("const int j = trailing(wrong);", 4);
        line("trap(" + str(i.id) + ", bits_of(" + a + "), bits_of(" + b + "));", 4);
        line("}", 3);
      }
      if (i.op == ScalarOp::Log || i.op == ScalarOp::Exp || i.op == ScalarOp::Sin || i.op == ScalarOp::Cos ||
          i.op == ScalarOp::Pow) {
        std::string operands;
        for (std::size_t k = 0; k < i.arguments.size(); ++k) operands += ", " + array(i, k);
        line(std::string(name_of(i.op)) + "_lanes(" + out + operands + ");", 3);
      } else {
        line("for (int j = 0; j < 64; ++j) " + out + "[j] = " + lane_expression(i, false) + ";", 3);
      }
      finish(*p);
      return true;
    }
    return false;
  }

  // An operand that is Reals as an array.
  std::string array(const Instr& i, std::size_t k) {
    const StreamId s = plan_.stored(i.arguments[k]);
    if (!plan_.repeated.count(s)) return "t" + str(s);
    const std::string name = "c" + str(i.id) + "_" + std::to_string(k);
    line("alignas(64) double " + name + "[64];", 3);
    line("for (int j = 0; j < 64; ++j) " + name + "[j] = " + literal(at(s).atom) + ";", 3);
    return name;
  }

  std::string lane_expression(const Instr& i, bool bytes) const {
    const std::string a = lane(i.arguments[0], bytes), b = lane(i.arguments.back(), bytes);
    const Prim of = operand(i, 0);
    const auto infix = [&](const char* op) { return a + " " + op + " " + b; };
    const auto wrapping = [&](const char* op) {
      return of == Prim::Int ? "i64(u64(" + a + ") " + op + " u64(" + b + "))" : infix(op);
    };
    switch (i.op) {
      case ScalarOp::Add:
        return wrapping("+");
      case ScalarOp::Sub:
        return wrapping("-");
      case ScalarOp::Mul:
        return wrapping("*");
      case ScalarOp::Div:
        return of == Prim::Int ? "quotient(" + a + ", " + b + ")" : infix("/");
      case ScalarOp::Mod:
        return of == Prim::Int ? "remainder(" + a + ", " + b + ")" : "__builtin_fmod(" + a + ", " + b + ")";
      case ScalarOp::Neg:
        return of == Prim::Int ? "i64(-u64(" + a + "))" : "-" + a;
      case ScalarOp::Eq:
        return infix("==");
      case ScalarOp::Ne:
        return infix("!=");
      case ScalarOp::Lt:
        return infix("<");
      case ScalarOp::Le:
        return infix("<=");
      case ScalarOp::Gt:
        return infix(">");
      case ScalarOp::Ge:
        return infix(">=");
      case ScalarOp::BitAnd:
        return infix("&");
      case ScalarOp::BitOr:
        return infix("|");
      case ScalarOp::BitXor:
        return infix("^");
      case ScalarOp::Shl:
        return "i64(u64(" + a + ") << (" + b + " & 63))";
      case ScalarOp::Shr:
        return a + " >> (" + b + " & 63)";
      case ScalarOp::Select:
        return a + " ? " + lane(i.arguments[1], bytes) + " : " + b;
      case ScalarOp::ToReal:
        return "double(" + a + ")";
      case ScalarOp::ToInt:
        return of == Prim::Real ? "to_int(" + a + ")" : "i64(" + a + ")";
      case ScalarOp::ToChar:
        return of == Prim::Real ? "u8(to_int(" + a + "))" : "u8(" + a + ")";
      case ScalarOp::Sqrt:
        return "__builtin_sqrt(" + a + ")";
      case ScalarOp::Floor:
        return "__builtin_floor(" + a + ")";
      case ScalarOp::Abs:
        return of == Prim::Int ? "(" + a + " < 0 ? i64(-u64(" + a + ")) : " + a + ")" : "__builtin_fabs(" + a + ")";
      case ScalarOp::Min:
        return "Min::of(" + a + ", " + b + ")";
      case ScalarOp::Max:
        return "Max::of(" + a + ", " + b + ")";
      default:
        throw Bug("an operator that the engine lacks: " + std::string(name_of(i.op)));
    }
  }

  void finish(const Instr& i) {
    emitted_.insert(i.id);
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), &i));
  }

  const Plan& plan_;
  const Step& step_;
  std::set<StreamId> inside_, produced_, emitted_, in_loop_;
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
      if (std::isnan(a.real)) return "__builtin_nan(\"\")";
      if (std::isinf(a.real)) return a.real > 0 ? "__builtin_inf()" : "(-__builtin_inf())";
      char text[64];
      std::snprintf(text, sizeof text, "(%a)", a.real);
      return text;
    }
  }
  throw Bug("an element type that the engine lacks");
}

std::string cluster_body(const Plan& plan, const Step& step) { return Cluster(plan, step).run(); }

}  // namespace lockstep::engine
