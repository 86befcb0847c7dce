// Elements that move in another order: `after` is `before` but for nests of two loops over x < X and y < Y whose body
// moves one element, out[p(x, y)] = in[q(x, y)], and which in `after` are strips of as many x as a vector has lanes L,
// and in each of these blocks of B y, what is left of y, and the strip that is not whole. Followed lane by lane, each
// of a block's L*B elements is moved once, from where and to where the nest moves it, and so is what is left; and no
// two (x, y) have one place. Strips, blocks and what they leave are all x < X and y < Y, each once, whatever L and B.
// Or for loops over y < Y that move one element, and which in `after` are, where B divides Y, blocks of B y that move
// the same ones in the same order. Stated on the two programs, with nothing of the stage's code.
#include <algorithm>

#include "proofs/kernel/same_but.h"
#include "semantics/kernel/walk.h"
#include "semantics/scalars/operator.h"

namespace lockstep::proofs::kernels {
namespace {

using namespace kernel;

struct Move {
  std::string to, from;
  Size out = 0, in = 0;
  friend bool operator==(const Move&, const Move&) = default;
};
using Moves = std::vector<Move>;
using OneMove = std::optional<Move>;

// Straight code that does nothing but move elements, run on names: what it moves, in order.
class Mover {
 public:
  std::optional<Moves> run(const Stmt& s) {
    if (!statement(s)) return {};
    return moves_;
  }

  // Index arithmetic, and arithmetic of i64 as of remainders by 2^64: sums and products of these are the same.
  std::optional<Size> index(const Expr& e) const {
    if (!(e.type == KType{})) return {};
    if (const auto* c = std::get_if<Const>(&e.node)) return Size(c->value.integer());
    if (const auto* v = std::get_if<Var>(&e.node)) {
      const auto it = numbers_.find(v->name);
      return it != numbers_.end() ? it->second : declared_.contains(v->name) ? std::nullopt : name(v->name);
    }
    if (const auto* a = std::get_if<Arith>(&e.node)) {
      static constexpr std::string_view symbols = "+-*/%";
      if (a->op > ArithOp::Modulo || (a->op >= ArithOp::Divide && has_operators(e))) return {};
      return of(symbols[static_cast<std::size_t>(a->op)], *a->left, *a->right);
    }
    const auto* a = std::get_if<Apply>(&e.node);
    const auto* op = a && a->primitive ? std::get_if<ScalarOp>(&a->primitive->kind) : nullptr;
    if (!op || a->arguments.size() != 2 || std::string_view("+-*").find(op->on_sizes) == std::string_view::npos)
      return {};
    return of(op->on_sizes, *a->arguments[0], *a->arguments[1]);
  }

 private:
  struct Lanes {  // element by element: where in `from` it stands
    std::string from;
    std::vector<Size> at;
  };

  static std::optional<Size> name(const std::string& n) { return Size::name(n); }
  static bool has_operators(const Expr& e) {
    bool out = false;
    each_expression(e, [&](const Expr& x) { out = out || std::holds_alternative<Apply>(x.node); });
    return out;
  }
  std::optional<Size> of(char symbol, const Expr& a, const Expr& b) const {
    const auto x = index(a), y = index(b);
    return x && y ? combined(symbol, *x, *y) : std::nullopt;
  }

  std::optional<Lanes> lanes(const Expr& e) const {
    const auto read = [&](const std::string& from, const Expr& first, int width) -> std::optional<Lanes> {
      const auto at = index(first);
      if (!at) return {};
      Lanes out{from, {}};
      for (int k = 0; k < width; ++k) out.at.push_back(*at + Size(k));
      return out;
    };
    if (const auto* l = std::get_if<Load>(&e.node)) return read(l->buffer, *l->index, 1);
    if (const auto* l = std::get_if<VectorLoad>(&e.node)) return read(l->buffer, *l->index, l->width);
    if (const auto* v = std::get_if<Var>(&e.node)) {
      const auto it = vectors_.find(v->name);
      return it == vectors_.end() ? std::nullopt : std::optional(it->second);
    }
    if (const auto* l = std::get_if<Lane>(&e.node)) {
      const auto vector = lanes(*l->vector);
      const auto k = constant_of(*l->lane);
      if (!vector || !k || *k < 0 || *k >= static_cast<std::int64_t>(vector->at.size())) return {};
      return Lanes{vector->from, {vector->at[static_cast<std::size_t>(*k)]}};
    }
    const auto* b = std::get_if<Build>(&e.node);
    if (!b) return {};
    Lanes out;
    for (const ExprRef& x : b->lanes) {
      const auto one = lanes(*x);
      if (!one || one->at.size() != 1 || (!out.at.empty() && one->from != out.from)) return {};
      out.from = one->from;
      out.at.push_back(one->at[0]);
    }
    return out;
  }

  bool let(const std::string& name, const KType& type, const Expr& value) {
    if (type == KType{} && !std::holds_alternative<Load>(value.node)) {
      const auto n = index(value);
      return n && numbers_.emplace(name, *n).second;
    }
    const auto v = lanes(value);
    return v && vectors_.emplace(name, *v).second;
  }
  bool statement(const Stmt& s) {
    if (const auto* b = std::get_if<kernel::Block>(&s.node))
      return std::all_of(b->statements.begin(), b->statements.end(), [&](const Stmt& x) { return statement(x); });
    if (const auto* d = std::get_if<Declare>(&s.node)) {
      types_.insert_or_assign(d->name, d->type);
      return declared_.insert(d->name).second && (!d->init || let(d->name, d->type, *d->init));
    }
    if (const auto* a = std::get_if<kernel::Assign>(&s.node))
      return declared_.contains(a->name) && let(a->name, types_.at(a->name), a->value);
    const auto* st = std::get_if<Store>(&s.node);
    const auto at = st ? index(st->index) : std::nullopt;
    const auto value = st ? lanes(st->value) : std::nullopt;
    if (!at || !value || value->from == st->buffer) return false;
    for (std::size_t k = 0; k < value->at.size(); ++k)
      moves_.push_back({st->buffer, value->from, *at + Size(static_cast<std::int64_t>(k)), value->at[k]});
    return true;
  }

  Moves moves_;
  std::set<std::string> declared_;
  std::map<std::string, KType> types_;
  std::map<std::string, Size> numbers_;
  std::map<std::string, Lanes> vectors_;
};

std::optional<Size> index_of(const Expr& e) { return Mover().index(e); }
OneMove move_of(const Stmt& s) {
  const auto all = Mover().run(s);
  return all && all->size() == 1 ? OneMove(all->front()) : OneMove();
}

bool is_comparison(const Expr& e) {
  const auto* a = std::get_if<Arith>(&e.node);
  return a && a->op >= ArithOp::Less && a->op <= ArithOp::Equal && index_of(*a->left) && index_of(*a->right);
}
// Names that are not known mean nothing else where a loop has them.
bool are_new(const std::vector<std::string>& names, const std::vector<Size>& known_in,
             const std::set<std::string>& own) {
  std::set<std::string> known, seen;
  for (const Size& s : known_in) collect_names(s, known);
  return std::all_of(names.begin(), names.end(), [&](const std::string& n) {
    return seen.insert(n).second && (own.contains(n) || !known.contains(n));
  });
}

// The nest, and what it moves at (x, y).
struct Nest {
  std::string x, y;
  Size columns = 0, rows = 0;  // X, Y
  Move one;

  Move at(const Size& ofx, const Size& ofy) const {
    const SizeSubstitution by{{x, ofx}, {y, ofy}};
    return {one.to, one.from, substitute(one.out, by), substitute(one.in, by)};
  }
};

std::optional<Nest> nest_of(const For& outer) {
  const auto* inner = std::get_if<For>(&outer.body->node);
  const auto columns = index_of(outer.extent), rows = inner ? index_of(inner->extent) : std::nullopt;
  const auto one = rows ? move_of(*inner->body) : std::nullopt;
  std::set<std::string> names;
  if (rows) collect_names(*rows, names);
  if (!columns || !one || names.contains(outer.name) || outer.name == inner->name) return {};
  return Nest{outer.name, inner->name, *columns, *rows, *one};
}

// The other order, held against the nest.
class InBlocks {
 public:
  explicit InBlocks(const Nest& nest) : nest_(nest) {}

  bool is(const For& strips) {
    const auto* branch = std::get_if<If>(&strips.body->node);
    const auto* whole = branch ? std::get_if<kernel::Block>(&branch->then->node) : nullptr;
    const auto* fits = branch ? std::get_if<Arith>(&branch->condition.node) : nullptr;
    if (!whole || whole->statements.size() != 2 || !fits || fits->op != ArithOp::LessEqual) return false;
    const auto* left = std::get_if<For>(&whole->statements[1].node);
    const auto* left_x = left ? std::get_if<For>(&left->body->node) : nullptr;
    const auto lanes = left_x ? constant_of(left_x->extent) : std::nullopt;
    const auto one_block = moved_by(whole->statements[0]);
    if (!lanes || *lanes < 1 || !one_block || *one_block < *lanes || *one_block % *lanes != 0) return false;
    lanes_ = *lanes, block_ = *one_block / *lanes;
    first_ = Size(lanes_) * Size::name(strips.name);
    const Size rest_of_y = modulo(nest_.rows, Size(block_));
    const Size x = Size::name(left_x->name), y = Size::name(left->name);
    return is_new({strips.name, left->name, left_x->name}) &&
           index_of(strips.extent) == floor_div(nest_.columns + Size(lanes_ - 1), Size(lanes_)) &&
           index_of(*fits->left) == first_ + Size(lanes_) && index_of(*fits->right) == nest_.columns &&
           is_blocks(whole->statements[0]) && index_of(left->extent) == rest_of_y &&
           move_of(*left_x->body) == nest_.at(first_ + x, nest_.rows - rest_of_y + y) && is_part(*branch->otherwise);
  }

 private:
  bool is_new(const std::vector<std::string>& names) const {
    return are_new(names, {nest_.columns, nest_.rows, nest_.one.out, nest_.one.in}, {nest_.x, nest_.y});
  }
  bool is_part(const Stmt& s) const {
    const auto* x = std::get_if<For>(&s.node);
    const auto* y = x ? std::get_if<For>(&x->body->node) : nullptr;
    return y && is_new({x->name, y->name}) && index_of(x->extent) == nest_.columns - first_ &&
           index_of(y->extent) == nest_.rows &&
           move_of(*y->body) == nest_.at(first_ + Size::name(x->name), Size::name(y->name));
  }
  // How many elements an iteration of the loop moves.
  static std::optional<std::int64_t> moved_by(const Stmt& s) {
    if (const auto* either = std::get_if<If>(&s.node)) return moved_by(*either->then);
    const auto* loop = std::get_if<For>(&s.node);
    const auto moves = loop ? Mover().run(*loop->body) : std::nullopt;
    return moves ? std::optional(static_cast<std::int64_t>(moves->size())) : std::nullopt;
  }
  // Of one form, or of two, of which the program takes one.
  bool is_blocks(const Stmt& s) const {
    if (const auto* either = std::get_if<If>(&s.node))
      return is_comparison(either->condition) && is_blocks(*either->then) && is_blocks(*either->otherwise);
    const auto* loop = std::get_if<For>(&s.node);
    if (!loop || !is_new({loop->name}) || index_of(loop->extent) != floor_div(nest_.rows, Size(block_))) return false;
    const auto moves = Mover().run(*loop->body);
    if (!moves || static_cast<std::int64_t>(moves->size()) != lanes_ * block_) return false;
    std::vector<std::string> all, expected;
    const auto key = [](const Move& m) { return m.to + "[" + show(m.out) + "] = " + m.from + "[" + show(m.in) + "]"; };
    for (const Move& m : *moves) all.push_back(key(m));
    for (std::int64_t k = 0; k < lanes_; ++k)
      for (std::int64_t l = 0; l < block_; ++l)
        expected.push_back(key(nest_.at(first_ + Size(k), Size(block_) * Size::name(loop->name) + Size(l))));
    std::sort(all.begin(), all.end());
    std::sort(expected.begin(), expected.end());
    return all == expected;
  }

  const Nest& nest_;
  std::int64_t lanes_ = 0, block_ = 0;
  Size first_ = 0;
};

// What a loop moves, by blocks where they are whole; nothing where it is no such loop, or not that.
OneMove by_blocks(const For& row, const Stmt& as_it_is, const If& either) {
  const auto one = move_of(*row.body);
  const auto length = index_of(row.extent);
  const auto* blocks = std::get_if<For>(&either.then->node);
  if (!one || !length || !blocks || !(*either.otherwise == as_it_is)) return {};
  std::int64_t block = 0;
  const auto is_condition = [&](const auto& self, const Expr& e) -> bool {
    const auto* a = std::get_if<Arith>(&e.node);
    if (a && a->op == ArithOp::And) return self(self, *a->left) && self(self, *a->right);
    if (!is_comparison(e)) return false;
    const auto* rest = a->op == ArithOp::Equal ? std::get_if<Arith>(&a->left->node) : nullptr;
    const auto by = rest && rest->op == ArithOp::Modulo ? constant_of(*rest->right) : std::nullopt;
    if (by && *by > 0 && index_of(*rest->left) == *length && constant_of(*a->right) == 0) block = *by;
    return true;
  };
  if (!is_condition(is_condition, either.condition) || block == 0) return {};
  const auto moved = Mover().run(*blocks->body);
  Moves expected;
  for (std::int64_t k = 0; k < block; ++k) {
    const SizeSubstitution at{{row.name, Size(block) * Size::name(blocks->name) + Size(k)}};
    expected.push_back({one->to, one->from, substitute(one->out, at), substitute(one->in, at)});
  }
  const bool is_same = moved && *moved == expected && index_of(blocks->extent) == floor_div(*length, Size(block)) &&
                       are_new({blocks->name}, {*length, one->out, one->in}, {row.name});
  return is_same ? one : OneMove();
}

class OtherOrder final : public SameBut {
 public:
  std::vector<Nest> nests;
  std::vector<Move> rows;

 private:
  bool other(const Stmt& before, const Stmt& after) override {
    const auto* row = std::get_if<For>(&before.node);
    const auto* either = std::get_if<If>(&after.node);
    if (row && either) {
      const auto one = by_blocks(*row, before, *either);
      if (one) rows.push_back(*one);
      return one.has_value();
    }
    const auto* outer = std::get_if<For>(&before.node);
    const auto* strips = std::get_if<For>(&after.node);
    const auto nest = outer && strips ? nest_of(*outer) : std::nullopt;
    if (!nest || !InBlocks(*nest).is(*strips)) return false;
    nests.push_back(*nest);
    return true;
  }
};

// That no two (x, y) write one place.
ProgramObligation apart(const Accesses& a, const Nest& nest, Prover& prover) {
  const Clock clock;
  ProgramObligation o{
      ObligationKind::Moves,   nest.one.to + " is " + nest.one.from + " in blocks", "", Standing::Unknown, {}, 0,
      "the nest was not found"};
  for (const Access& w : a.accesses) {
    const auto& loops = w.where.loops;
    const auto symbol = [&](std::size_t from_end) {
      return loops.size() < from_end ? "" : a.loops[static_cast<std::size_t>(loops[loops.size() - from_end])].symbol;
    };
    if (!w.write || symbol(1) != spelled(nest.y) || symbol(2) != spelled(nest.x)) continue;
    o.where = show_loops(a, w.where), o.at = {w.from}, o.detail = "";
    o.standing = Standing::Proved, o.method = {Method::Structure};
    for (const std::size_t k : {loops.size() - 2, loops.size() - 1})
      add_to(o, meeting_verdict(a, {&w, &w, k, Meeting::Order::Different}, prover));
  }
  o.seconds = clock.seconds();
  return o;
}

}  // namespace

Obligations moves_obligations(const Program& before, const Program& after, Prover& prover) {
  OtherOrder walk;
  if (!walk.run(before, after))
    return {{ObligationKind::Moves,
             "elements move to the same places",
             "",
             Standing::Unknown,
             {},
             0,
             "the programs differ in more than the order in which elements move"}};
  Obligations out;
  for (const Move& m : walk.rows)
    out.push_back({ObligationKind::Moves,
                   m.to + " is " + m.from + " by lines",
                   "",
                   Standing::Proved,
                   {Method::Structure},
                   0,
                   ""});
  if (walk.nests.empty()) return out;
  const Accesses a = accesses_of(before);
  for (const Nest& nest : walk.nests) out.push_back(apart(a, nest, prover));
  return out;
}

}  // namespace lockstep::proofs::kernels
