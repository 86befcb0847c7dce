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

// What an operation makes of lines: an Int with its slope, or a Bool up to where it changes. Nowhere: not a line.
struct Straight {
  enum Where : unsigned char { Nowhere, Ints, OneLevel, Bools } on = Nowhere;  // OneLevel: Ints, of which one is level
  std::string_view text{};
};
Straight straight(snesl::OperatorRef op, Prim operand) {
  using enum scalars::Operation;
  static constexpr auto rows =
      table<scalars::Operation, Straight>({{Add, {Straight::Ints, "sum(#0, #1)"}},
                                           {Subtract, {Straight::Ints, "difference(#0, #1)"}},
                                           {Multiply, {Straight::OneLevel, "product(#0, #1)"}},
                                           {Divide, {}},
                                           {Remainder, {}},
                                           {And, {Straight::Bools, "#0 && #1"}},
                                           {Or, {Straight::Bools, "#0 || #1"}},
                                           {Xor, {}},
                                           {ShiftLeft, {}},
                                           {ShiftRight, {}},
                                           {Equal, {Straight::Ints, "equal(#0, #1, x, end)"}},
                                           {NotEqual, {Straight::Ints, "!equal(#0, #1, x, end)"}},
                                           {Less, {Straight::Ints, "less(#0, #1, x, end)"}},
                                           {LessEqual, {Straight::Ints, "!less(#1, #0, x, end)"}},
                                           {Greater, {Straight::Ints, "less(#1, #0, x, end)"}},
                                           {GreaterEqual, {Straight::Ints, "!less(#0, #1, x, end)"}},
                                           {Both, {Straight::Bools, "#0 && #1"}},
                                           {Either, {Straight::Bools, "#0 || #1"}},
                                           {Not, {Straight::Bools, "!#0"}},
                                           {Negate, {Straight::Ints, "difference({0, 0}, #0)"}},
                                           {PopCount, {}},
                                           {LeadingZeros, {}},
                                           {Bits, {}},
                                           {Convert, {Straight::Bools, "Line{#0, 0}"}}});
  const auto operation = snesl::operation_of(op, operand);
  return operation ? rows[*operation] : Straight{};
}

class SlicesFinder {
 public:
  explicit SlicesFinder(const SlicesQuery& q) : q_(q) {}

  std::vector<Slices> run() {
    for (const Instr& i : q_.program.instructions)
      if (i.opcode == Opcode::Gather && q_.plan.stored(i.id) == i.id) consider(i);
    join_by_checks();
    std::vector<Slices> r;
    for (const Found& f : found_)
      if (keeps_checks(f) && !waits_for_itself(f)) r.push_back(made(f));
    return r;
  }

 private:
  struct Found {
    std::set<StreamId> body, parameters, gathers;
    std::optional<Operand> f;
    bool any_position = false;
  };
  const Instr& at(StreamId s) const { return *q_.plan.instructions.at(q_.plan.stored(s)); }

  void consider(const Instr& gather) {
    if (gather.type != Prim::Int && gather.type != Prim::Real && gather.type != Prim::Char) return;
    Found f;
    if (!visit(gather.arguments[0], f) || f.any_position || !visit(gather.arguments[1], f) || !f.any_position) return;
    f.gathers.insert(gather.id);
    found_.push_back(std::move(f));
  }

  bool over(StreamId descriptor, Found& f) const {
    const Operand o = q_.segments(descriptor);
    if (!f.f) f.f = o;
    return f.f->stream == o.stream && f.f->is_short == o.is_short;
  }

  bool visit(StreamId s, Found& f) const {
    const Instr& i = at(s);
    if (i.type != Prim::Int && i.type != Prim::Bool) return false;
    if (f.body.count(i.id) || f.parameters.count(i.id)) return true;
    switch (i.opcode) {
      case Opcode::Rep: {
        const Instr& of = at(i.arguments[0]);
        if (of.opcode == Opcode::Check && !visit_check(of, f)) return false;
        f.body.insert(i.id);
        return true;
      }
      case Opcode::Iotas:
        f.any_position = true;
        f.body.insert(i.id);
        return over(i.arguments[0], f);
      case Opcode::Pdist:
        f.parameters.insert(i.id);
        return over(i.arguments[1], f);
      case Opcode::Map:
        if (!stays_straight(i)) return false;
        for (const StreamId a : i.arguments)
          if (!visit(a, f)) return false;
        f.body.insert(i.id);
        return true;
      default:
        return false;
    }
  }
  bool visit_check(const Instr& check, Found& f) const {
    if (f.body.count(check.id)) return true;
    for (const StreamId a : check.arguments)
      if (!visit(a, f)) return false;
    f.body.insert(check.id);
    return true;
  }

  bool varies(StreamId s) const {
    const Instr& i = at(s);
    if (i.opcode == Opcode::Iotas) return true;
    return i.opcode == Opcode::Map && i.type == Prim::Int &&
           std::any_of(i.arguments.begin(), i.arguments.end(), [&](StreamId a) { return varies(a); });
  }
  bool stays_straight(const Instr& i) const {
    const Prim operand = at(i.arguments.back()).type;
    const Straight how = straight(i.op, operand);
    if (how.on == Straight::OneLevel && varies(i.arguments[0]) && varies(i.arguments[1])) return false;
    return i.op->chooses || (how.on != Straight::Nowhere && (how.on == Straight::Bools) == (operand == Prim::Bool));
  }

  void join_by_checks() {
    for (std::size_t a = 0; a < found_.size(); ++a)
      for (std::size_t b = a + 1; b < found_.size();) {
        const bool shared = std::any_of(found_[b].body.begin(), found_[b].body.end(), [&](StreamId s) {
          return at(s).opcode == Opcode::Check && found_[a].body.count(s);
        });
        if (!shared) {
          ++b;
          continue;
        }
        found_[a].body.merge(found_[b].body);
        found_[a].parameters.merge(found_[b].parameters);
        found_[a].gathers.merge(found_[b].gathers);
        found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(b));
        b = a + 1;
      }
  }

  // A check is made here and nowhere else: who waits for it stands here too.
  bool keeps_checks(const Found& f) const {
    std::set<StreamId> waiting;  // checks, and what repeats a number for these
    for (const StreamId s : f.body) {
      const Instr& i = at(s);
      if (i.opcode == Opcode::Check || (i.opcode == Opcode::Rep && at(i.arguments[0]).opcode == Opcode::Check))
        waiting.insert(s);
    }
    for (const Instr& i : q_.program.instructions)
      for (const StreamId a : i.arguments)
        if (waiting.count(q_.plan.stored(a)) && !f.body.count(i.id) && !f.gathers.count(i.id)) return false;
    const std::vector<StreamId>& results = q_.plan.results;
    return std::none_of(results.begin(), results.end(), [&](StreamId s) { return waiting.count(s); });
  }

  bool waits_for_itself(const Found& f) const {
    std::vector<StreamId> open = {f.f->stream};
    for (const StreamId p : f.parameters) open.push_back(at(p).arguments[0]);
    for (const StreamId g : f.gathers) open.push_back(at(g).arguments[2]);
    std::set<StreamId> seen;
    while (!open.empty()) {
      const StreamId s = q_.plan.stored(open.back());
      open.pop_back();
      if (!seen.insert(s).second) continue;
      if (f.gathers.count(s) || (f.body.count(s) && at(s).opcode == Opcode::Check)) return true;
      open.insert(open.end(), at(s).arguments.begin(), at(s).arguments.end());
    }
    return false;
  }

  Slices made(const Found& f) const {
    Slices r;
    for (const auto& [from, to] :
         {std::pair{&f.body, &r.body}, {&f.parameters, &r.parameters}, {&f.gathers, &r.gathers}})
      for (const StreamId s : *from) to->push_back(&at(s));
    return r;
  }

  const SlicesQuery& q_;
  std::vector<Found> found_;
};

class SlicesText {
 public:
  SlicesText(const Plan& plan, const Step& step) : plan_(plan), step_(step), slices_(plan.slices.at(step.id())) {}

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
      const std::string groups = plan_.groups.count(g.id) ? "&g" + str(g.id) : "(Groups*)0";
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
  const Instr& at(StreamId s) const { return *plan_.instructions.at(plan_.stored(s)); }
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
      return line(is_int ? "const Line " + name + " = {" + literal(i.atom) + ", 0};"
                         : "const bool " + name + " = " + literal(i.atom) + ";",
                  4);
    line((is_int ? "const Line " : "const bool ") + name + " = " + expression(i) + ";", 4);
  }
  std::string expression(const Instr& i) const {
    std::vector<std::string> operands;
    for (const StreamId s : i.arguments) operands.push_back(value(s));
    return filled(i.op->chooses ? "#0 ? #1 : #2" : straight(i.op, at(i.arguments.back()).type).text, operands);
  }

  const Plan& plan_;
  const Step& step_;
  const Slices& slices_;
  std::string text_;
};

}  // namespace

std::vector<Slices> find_slices(const SlicesQuery& q) { return SlicesFinder(q).run(); }
std::string slices_body(const Plan& plan, const Step& step) { return SlicesText(plan, step).run(); }

}  // namespace lockstep::engine
