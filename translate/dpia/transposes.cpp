// Transposes (ours): a nest of two loops that copies along the rows of one array what lies along the columns of another
// moves blocks of it. Each is read as short vectors, turned by exchanging lanes, and written as short vectors that fill
// lines of the caches. In: a kernel; out: the same, no element moved twice.
#include <algorithm>
#include <utility>

#include "translate/dpia/bound_names.h"
#include "translate/dpia/moves.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

class Transposes {
 public:
  Transposes(const Program& p, const MovingLoops& loops) : program_(p), names_(names_of(p)), found_(loops.transposed) {}

  Stmt run() {
    return rewritten(program_.body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
                       const auto* outer = std::get_if<kernel::For>(&s.node);
                       const auto* inner = outer ? std::get_if<kernel::For>(&outer->body->node) : nullptr;
                       const auto it = inner ? found_.find(inner->name) : found_.end();
                       if (it == found_.end()) return {s};
                       const int lanes = std::min(8, bytes_of_vector / bytes_of(it->second.type));
                       if (is_short(outer->extent, lanes) || is_short(inner->extent, 2 * lanes)) return {s};
                       return {in_blocks(*outer, *inner, it->second, lanes, s.region)};
                     }));
  }

 private:
  static bool is_short(const Expr& extent, int length) {
    const auto n = constant_of(extent);
    return n && *n < length;
  }
  static Expr plus(Expr a, Expr b) { return arith(ArithOp::Add, std::move(a), std::move(b)); }
  static Expr times(Expr a, std::int64_t n) { return arith(ArithOp::Multiply, std::move(a), constant(n)); }
  static Expr minus(Expr a, Expr b) { return arith(ArithOp::Subtract, std::move(a), std::move(b)); }
  static Expr over(Expr a, std::int64_t n) { return arith(ArithOp::Divide, std::move(a), constant(n)); }

  // Strips of as many x as lanes; in each, blocks of twice as many y, then what is left of y. The last strip, if it is
  // not whole, is as before.
  Stmt in_blocks(const kernel::For& outer, const kernel::For& inner, const Moved& t, int lanes, const Region& at) {
    const std::string strip = names_.fresh(outer.name), x = names_.fresh(outer.name), y = names_.fresh(inner.name);
    const Expr first = times(variable(strip), lanes), width = constant(2 * lanes);
    const auto loop = [&](const std::string& name, Expr extent, Stmt body) {
      return Stmt{kernel::For{name, std::move(extent), std::move(body)}, at};
    };
    const Stmt one = with_value(*inner.body, outer.name, plus(first, variable(x)));
    const Expr rest = arith(ArithOp::Modulo, inner.extent, width);
    const Stmt left = loop(
        y, rest, loop(x, constant(lanes), with_value(one, inner.name, plus(minus(inner.extent, rest), variable(y)))));
    Stmt whole{Block{{blocks(inner, t, first, outer.name, lanes, at), left}}, at};
    Stmt part = loop(x, minus(outer.extent, first), loop(inner.name, inner.extent, one));
    const Expr is_whole = arith(ArithOp::LessEqual, plus(first, constant(lanes)), outer.extent);
    return loop(strip, over(plus(outer.extent, constant(lanes - 1)), lanes),
                {kernel::If{is_whole, std::move(whole), std::move(part)}, at});
  }

  // Of an array that is in no cache when it is read, past the caches.
  Stmt blocks(const kernel::For& inner, const Moved& t, const Expr& first, const std::string& x, int lanes,
              const Region& at) {
    const auto all = [&](bool nontemporal) {
      const std::string block = names_.fresh(inner.name);
      return Stmt{
          kernel::For{block, over(inner.extent, 2 * lanes),
                      Stmt{Block{turned(t, first, x, times(variable(block), 2 * lanes), lanes, nontemporal, at)}, at}},
          at};
    };
    if (const auto large = is_past_caches(program_, t)) return {kernel::If{*large, all(true), all(false)}, at};
    return all(false);
  }

  std::vector<Stmt> turned(const Moved& t, const Expr& first, const std::string& x, const Expr& low, int lanes,
                           bool nontemporal, const Region& at) {
    const auto n = static_cast<std::size_t>(lanes);
    const KType vector{t.type, lanes};
    std::vector<Stmt> out;
    const auto declared = [&](Expr value) {
      const std::string name = names_.fresh("lanes");
      out.push_back({Declare{name, vector, Expr{vector, std::move(value.node)}}, at});
      return variable(name, vector);
    };
    std::vector<Expr> half[2];
    for (int h = 0; h < 2; ++h) {
      for (int k = 0; k < lanes; ++k) {
        const Expr y = plus(low, constant(h * lanes + k));
        half[h].push_back(
            declared({vector, VectorLoad{t.from, lanes, with_value(with_value(t.in, x, first), t.y, y)}}));
      }
      for (std::size_t width = 1; width < n; width *= 2) half[h] = exchanged(half[h], declared);
    }
    for (int k = 0; k < lanes; ++k)
      for (int h = 0; h < 2; ++h) {
        const Expr to = with_value(with_value(t.out, x, plus(first, constant(k))), t.y, plus(low, constant(h * lanes)));
        out.push_back({Store{t.to, to, half[h][static_cast<std::size_t>(k)], nontemporal}, at});
      }
    return out;
  }
  // A perfect shuffle of the rows' lanes: as often as 2 goes into the lanes, it turns the square.
  static std::vector<Expr> exchanged(const std::vector<Expr>& rows, const std::function<Expr(Expr)>& declared) {
    const std::size_t n = rows.size();
    std::vector<Expr> out;
    for (std::size_t k = 0; k < n; ++k) {
      Build b;
      for (std::size_t lane = 0; lane < n / 2; ++lane)
        for (const std::size_t row : {k / 2, k / 2 + n / 2})
          b.lanes.push_back(Expr{{rows[row].type.scalar},
                                 Lane{rows[row], constant(static_cast<std::int64_t>(k % 2 * (n / 2) + lane))}});
      out.push_back(declared({rows[0].type, std::move(b)}));
    }
    return out;
  }

  const Program& program_;
  Names names_;
  const std::map<std::string, Moved>& found_;
};

}  // namespace

kernel::Program with_transposes_in_lanes(const kernel::Program& p, const MovingLoops& loops) {
  Program out = p;
  out.body = Transposes(p, loops).run();
  return out;
}

}  // namespace lockstep
