// Names in the text: v7 is stream 7 at the position x of a segment, an Int with its slope; x goes up to `end`, where
// some Bool changes.
#include "codegen/streaming/slices.h"

#include <algorithm>
#include <optional>
#include <set>

#include "codegen/streaming/emit_maps.h"
#include "codegen/streaming/emit_step.h"
#include "semantics/core/table.h"

namespace lockstep::engine {
namespace {

// Functions of lines (semantics/transducer/lines.h) as kernels/slices.h has them.
std::string_view text_of(transducer::LineFunction f) {
  using enum transducer::LineFunction;
  static constexpr auto rows = table<transducer::LineFunction>({{Sum, "sum(#0, #1)"},
                                                                {Difference, "difference(#0, #1)"},
                                                                {Product, "product(#0, #1)"},
                                                                {Negated, "difference({0, 0}, #0)"},
                                                                {Equal, "equal(#0, #1, x, end)"},
                                                                {Less, "less(#0, #1, x, end)"},
                                                                {Both, "#0 && #1"},
                                                                {Either, "#0 || #1"},
                                                                {Not, "!#0"},
                                                                {Number, "Line{#0, 0}"},
                                                                {Chosen, "#0 ? #1 : #2"}});
  return rows[f];
}

class SlicesText {
 public:
  SlicesText(const Network& network, const Step& step)
      : network_(network), step_(step), slices_(network.slices.at(step.id())) {}

  std::string run() {
    const std::size_t parameters = slices_.parameters.size();
    const std::string f = reader(0), open = "a" + str(step_.id());
    line("for (;;) {", 2);
    std::string ready;
    for (std::size_t k = 0; k < parameters; ++k) ready += (k ? " || " : "") + reader(1 + k) + ".left() <= 0";
    if (parameters) line("if (" + ready + ") break;", 3);
    line("i64 n, room = never / 2;", 3);
    for (const Instr* g : slices_.gathers) line("room = lesser(room, s" + str(g->id) + ".room());", 3);
    line("bool last;", 3);
    line("const i64 before = " + f + ".pos;", 3);
    const std::string is_short = step_.operands[0].is_short ? "true" : "false";
    line("if (!take_run<" + is_short + ">(" + f + ", room, n, last)) break;", 3);
    for (std::size_t k = 0; k < parameters; ++k) {
      const Instr& p = *slices_.parameters[k];
      const std::string here = reader(1 + k) + ".here()";
      line(p.type == Prim::Bool ? "const bool v" + str(p.id) + " = " + here + ";"
                                : "const Line v" + str(p.id) + " = {" + here + ", 0};",
           3);
    }
    line("i64 x = " + open + ";", 3);
    line("const i64 to = x + n;", 3);
    line("bool waits = false;", 3);
    line("while (x < to && !waits) {", 3);
    line("i64 end = to;", 4);
    for (const Instr* i : slices_.body) evaluate(*i);
    line("i64 m = end - x;", 4);
    for (std::size_t k = 0; k < slices_.gathers.size(); ++k) {
      const Instr& g = *slices_.gathers[k];
      line("const Line p" + str(g.id) + " = sum(" + value(g.arguments[0]) + ", " + value(g.arguments[1]) + ");", 4);
      line("m = slice_there(*" + base(k) + ".s, p" + str(g.id) + ", m);", 4);
    }
    for (std::size_t k = 0; k < slices_.gathers.size(); ++k) {
      const Instr& g = *slices_.gathers[k];
      const std::string groups = network_.groups.count(g.id) ? "&g" + str(g.id) : "(Groups*)0";
      line("take_slice(s" + str(g.id) + ", " + base(k) + ", p" + str(g.id) + ", m, " + value(g.arguments[0]) + ".at, " +
               groups + ");",
           4);
    }
    line("x += m;", 4);
    line("waits = x < end;", 4);
    line("}", 3);
    line("if (waits) {", 3);
    line(f + ".pos = before + (x - " + open + ");", 4);
    line(open + " = x;", 4);
    line("break;", 4);
    line("}", 3);
    line(open + " = last ? 0 : x;", 3);
    for (std::size_t k = 0; k < parameters; ++k) line(reader(1 + k) + ".pos += last;", 3);
    line("}", 2);
    line("done" + str(step_.id()) + " = " + f + ".over();", 2);
    for (const StreamId s : step_.produces) line("s" + str(s) + ".done = done" + str(step_.id()) + ";", 2);
    return text_;
  }

 private:
  void line(const std::string& s, int depth) {
    text_ += std::string(static_cast<std::size_t>(2 * depth), ' ') + s + "\n";
  }
  const Instr& at(StreamId s) const { return network_.at(network_.stored(s)); }
  std::string reader(std::size_t k) const { return engine::reader(step_, k); }
  std::string base(std::size_t gather) const { return reader(1 + slices_.parameters.size() + gather); }
  std::string value(StreamId s) const { return "v" + str(at(s).id); }

  void evaluate(const Instr& i) {
    const std::string name = "v" + str(i.id);
    const auto arg = [&](std::size_t k) { return value(i.arguments[k]); };
    if (i.opcode == Opcode::Check) {
      std::string values;
      for (std::size_t k = 1; k < i.arguments.size() && k <= 4; ++k) values += ", value_at(" + arg(k) + ")";
      line("if (!" + arg(0) + ") trap(" + str(i.id) + values + ");", 4);
      return;
    }
    if (i.opcode == Opcode::Iotas) return line("const Line " + name + " = {x, 1};", 4);
    const bool is_int = i.type == Prim::Int;
    if (i.opcode == Opcode::Rep)
      return line(is_int ? "const Line " + name + " = {" + literal(i.atom()) + ", 0};"
                         : "const bool " + name + " = " + literal(i.atom()) + ";",
                  4);
    line((is_int ? "const Line " : "const bool ") + name + " = " + expression(i) + ";", 4);
  }
  std::string expression(const Instr& i) const {
    const transducer::OnLines& how = slices_.lines.at(i.id);
    std::vector<std::string> operands;
    for (const StreamId s : i.arguments) operands.push_back(value(s));
    if (how.exchanged) std::swap(operands.at(0), operands.at(1));
    return (how.denied ? "!" : "") + filled(text_of(how.function), operands);
  }

  const Network& network_;
  const Step& step_;
  const Slices& slices_;
  std::string text_;
};

}  // namespace

std::string slices_body(const Network& network, const Step& step) { return SlicesText(network, step).run(); }

}  // namespace lockstep::engine
