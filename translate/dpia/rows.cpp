// Rows past the caches (ours): a loop in order that does nothing but copy what lies in a row, or lies in one backwards,
// into an output that no cache holds and nothing reads writes whole lines of it, without reading them first. In: a
// kernel; out: the same, the same elements moved in the same order.
#include <algorithm>

#include "semantics/kernel/walk.h"
#include "translate/dpia/bound_names.h"
#include "translate/dpia/moves.h"

namespace lockstep {
namespace {

using namespace kernel;

class Rows {
 public:
  Rows(const Program& p, const MovingLoops& loops) : program_(p), names_(names_of(p)), loops_(loops) {
    each_expression(p.body, [&](const Expr& e) {
      if (const auto* l = std::get_if<Load>(&e.node)) read_.insert(l->buffer);
      if (const auto* l = std::get_if<VectorLoad>(&e.node)) read_.insert(l->buffer);
    });
  }

  Stmt run() {
    return rewritten(program_.body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
                       const auto* loop = std::get_if<kernel::For>(&s.node);
                       if (!loop) return {s};
                       for (const bool back : {false, true}) {
                         const auto& all = back ? loops_.back : loops_.ahead;
                         if (const auto it = all.find(loop->name); it != all.end())
                           return {by_lines(*loop, it->second, back, s)};
                       }
                       return {s};
                     }));
  }

 private:
  // Where rows are of whole lines: what is left of one would be written by other stores, to a line of which these write
  // the rest.
  Stmt by_lines(const kernel::For& loop, const Moved& m, bool back, const Stmt& as_it_is) {
    const int lanes = std::min(16, bytes_of_vector / bytes_of(m.type)), line = bytes_of_line / bytes_of(m.type);
    const auto large = read_.contains(m.to) ? std::nullopt : is_past_caches(program_, m);
    if (const auto n = constant_of(loop.extent); !large || (n && (*n < line || *n % line != 0))) return as_it_is;
    const std::string block = names_.fresh(loop.name);
    const KType vector{m.type, lanes};
    std::vector<Stmt> body;
    const auto at = [&](const Expr& index, int k) {
      const Expr first = arith(ArithOp::Multiply, variable(block), constant(line));
      return with_value(index, m.y, arith(ArithOp::Add, first, constant(k)));
    };
    for (int k = 0; k < line; k += lanes) {
      const std::string name = names_.fresh("lanes");
      const Expr read{vector, VectorLoad{m.from, lanes, at(m.in, back ? k + lanes - 1 : k)}};
      body.push_back({Declare{name, vector, read}, as_it_is.region});
      const Expr lie = variable(name, vector);
      body.push_back({Store{m.to, at(m.out, k), back ? turned_round(lie) : lie, true}, as_it_is.region});
    }
    const Expr whole = arith(ArithOp::Equal, arith(ArithOp::Modulo, loop.extent, constant(line)), constant(0));
    Stmt lines{kernel::For{block, arith(ArithOp::Divide, loop.extent, constant(line)), Stmt{Block{std::move(body)}}},
               as_it_is.region};
    return {kernel::If{arith(ArithOp::And, *large, whole), std::move(lines), as_it_is}, as_it_is.region};
  }
  static Expr turned_round(const Expr& vector) {
    Build b;
    for (int k = vector.type.width; k-- > 0;) b.lanes.push_back(Expr{{vector.type.scalar}, Lane{vector, constant(k)}});
    return {vector.type, std::move(b)};
  }

  const Program& program_;
  Names names_;
  const MovingLoops& loops_;
  std::set<std::string> read_;
};

}  // namespace

Program with_rows_past_caches(const Program& p, const MovingLoops& loops) {
  Program out = p;
  out.body = Rows(p, loops).run();
  return out;
}

}  // namespace lockstep
