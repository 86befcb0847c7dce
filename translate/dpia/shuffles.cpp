// Arrays of a warp's memory become registers of its lanes, and reads of another lane's element become shuffles. In: a
// kernel whose collectives are rounds through the warp's memory; out: the same, where a run of local loops with what
// the first lane stores between them touches arrays of the warp that nothing else does: one loop over the lanes,
// without a barrier. Each element is computed by the lane that owns it, from the same operands in the same order, so
// that all bits are the same. What is larger than the warp, traps or is read by code between the loops stays in memory.
#include <algorithm>

#include "semantics/kernel/units.h"
#include "semantics/kernel/walk.h"
#include "translate/dpia/bound_names.h"
#include "translate/dpia/stage.h"
#include "translate/dpia/warp_turns.h"

namespace lockstep {
namespace {

using namespace kernel;

Expr zero_of(ScalarType t) {
  if (is_float(t)) return constant(make_ieee(t, 0), "0");
  return constant(t == ScalarType::Bool ? make_bool(false) : make_integer(t, 0));
}

// One loop over the lanes, of turns.
class LaneLoop {
 public:
  LaneLoop(const Registers& r, const WarpArrays& arrays, int warp, Names& names)
      : r_(r), arrays_(arrays), warp_(warp), names_(names), lane_(names.fresh("l")) {
    for (const auto& [a, stride] : r.strides) lanes_ = std::max(lanes_, stride * (arrays.at(a).count - 1) + 1);
    for (std::size_t k = 0; k < r.turns.size(); ++k) lanes_ = std::max(lanes_, last_lane(k) + 1);
  }

  Stmt made() {
    Block body;
    for (const auto& [a, stride] : r_.strides)
      body.statements.push_back(Stmt{Declare{a, arrays_.at(a).type, zero_of(arrays_.at(a).type.scalar)}, region()});
    for (std::size_t k = 0; k < r_.turns.size(); ++k) turn(k, body);
    return Stmt{ParallelFor{Level::Local, lane_, constant(lanes_), {}, StmtRef(Stmt{std::move(body), region()})},
                region()};
  }

 private:
  Region region() const { return r_.turns.front().statement->region; }
  Size lane() const { return Size::name(lane_); }
  std::int64_t last_lane(std::size_t k) const {
    return r_.places[k].stride * (r_.turns[k].extent - 1 + r_.places[k].offset);
  }

  void turn(std::size_t k, Block& out) {
    const Turn& t = r_.turns[k];
    const Size i = floor_div(lane(), r_.places[k].stride) - r_.places[k].offset;
    Given given;
    const auto change = [&](const Expr& e) {
      const auto* v = std::get_if<Var>(&e.node);
      if (v && !t.name.empty() && v->name == t.name) return size_expr(i);
      Expr read = e;
      if (auto* l = std::get_if<Load>(&read.node)) l->index = ExprRef(normal(*l->index));
      if (auto* l = std::get_if<VectorLoad>(&read.node)) l->index = ExprRef(normal(*l->index));
      const auto* l = std::get_if<Load>(&read.node);
      if (!l || !r_.strides.contains(l->buffer)) return read;
      const std::pair element(l->buffer, *as_size(*l->index));
      auto known = given.find(element);
      if (known == given.end()) known = given.emplace(element, read_of(element, k, e.region, out)).first;
      return variable(known->second, e.type);
    };
    const auto in_register = [&](const Stmt& s) -> std::vector<Stmt> {
      const auto* store = std::get_if<Store>(&s.node);
      if (!store) return {s};
      if (r_.strides.contains(store->buffer)) return {Stmt{kernel::Assign{store->buffer, store->value}, s.region}};
      return {Stmt{Store{store->buffer, normal(store->index), store->value, store->nontemporal}, s.region}};
    };
    Stmt body = rewritten(rewritten(*t.body, ExprChange(change)), StmtChange(in_register));
    if (auto own = condition(k))
      body = Stmt{If{*own, StmtRef(std::move(body)), StmtRef(Stmt{Block{}})}, t.statement->region};
    out.statements.push_back(std::move(body));
  }
  static Expr normal(const Expr& index) {
    const auto s = as_size(index);
    return s ? size_expr(*s) : index;
  }

  struct Elements {
    bool operator()(const std::pair<std::string, Size>& a, const std::pair<std::string, Size>& b) const {
      return a.first != b.first ? a.first < b.first : compare(a.second, b.second) < 0;
    }
  };
  using Given = std::map<std::pair<std::string, Size>, std::string, Elements>;  // by array and element

  // The lanes that have an iteration; nothing where all have.
  std::optional<Expr> condition(std::size_t k) const {
    const Placement& at = r_.places[k];
    const std::int64_t first = at.stride * at.offset, last = last_lane(k);
    const Expr l = variable(lane_);
    std::optional<Expr> all;
    const auto also = [&](Expr e) { all = all ? arith(ArithOp::And, *all, std::move(e)) : std::move(e); };
    if (at.stride > 1 && last > first)
      also(arith(ArithOp::Equal, arith(ArithOp::Modulo, l, constant(at.stride)), constant(0)));
    if (first > 0) also(arith(ArithOp::LessEqual, constant(first), l));
    if (last + 1 < lanes_) also(arith(ArithOp::Less, l, constant(last + 1)));
    return all;
  }

  // The name of what the iteration reads: the lane's own register, or what is shuffled to it. A lane that has nothing
  // to read there reads any that there is.
  std::string read_of(const std::pair<std::string, Size>& element, std::size_t k, const Region& region, Block& out) {
    const auto& [array, index] = element;
    const Placement& at = r_.places[k];
    const Size from = simplified(r_.strides.at(array) * index, at);
    bool own = true;
    for (std::int64_t i = 0; i < r_.turns[k].extent; ++i) {
      const std::int64_t l = at.stride * (i + at.offset);
      own = own && evaluate(from, {{lane_, l}}) == l;
    }
    if (own) return array;
    std::int64_t least = 0, most = 0;
    for (std::int64_t l = 0; l < lanes_; ++l) {
      const std::int64_t x = *evaluate(from, {{lane_, l}});
      least = std::min(least, x), most = std::max(most, x);
    }
    Expr lane = size_expr(from);
    if (least < 0 || most >= lanes_) {
      std::optional<Expr> inside;
      if (least < 0) inside = arith(ArithOp::LessEqual, constant(0), lane);
      if (most >= lanes_) {
        Expr below = arith(ArithOp::Less, lane, constant(lanes_));
        inside = inside ? arith(ArithOp::And, *inside, std::move(below)) : std::move(below);
      }
      lane = Expr{{ScalarType::I64, 1}, Choose{ExprRef(*inside), ExprRef(lane), ExprRef(variable(lane_))}};
    }
    const KType type = arrays_.at(array).type;
    const std::string name = names_.fresh(array);
    out.statements.push_back(Stmt{Shuffle{name, type, variable(array, type), lane, warp_}, region});
    return name;
  }
  // On a lane that has an iteration its number is a multiple of the stride.
  Size simplified(const Size& from, const Placement& at) const {
    const std::string q = "$q";
    const Size of_quotient = substitute(from, {{lane_, Size::name(q) * Size(at.stride)}});
    const Size first = substitute(of_quotient, {{q, Size(0)}}), second = substitute(of_quotient, {{q, Size(1)}});
    const auto factor = (second - first).constant();
    if (!factor || *factor % at.stride != 0 || !(of_quotient == Size::name(q) * Size(*factor) + first)) return from;
    return lane() * Size(*factor / at.stride) + first;
  }

  const Registers& r_;
  const WarpArrays& arrays_;
  const int warp_;
  Names& names_;
  const std::string lane_;
  std::int64_t lanes_ = 1;
};

class Shuffles {
 public:
  explicit Shuffles(const Program& p) : program_(p), lanes_(fewest_units(p.launch, Level::Local, Level::Warp)) {
    const auto known = [&](const std::string& name) {
      names_.reserve(name);
      ++declared_[name];
    };
    for (const std::string& n : parameters_of(p)) known(n);
    each_statement(p.body, [&](const Stmt& s) {
      for (const std::string& n : bound_by(s)) known(n);
    });
  }

  Program run() {
    Program out = program_;
    if (lanes_ == 1) return out;  // each warp is one lane
    out.body = rewritten(program_.body, StmtChange([&](const Stmt& s) {
                           const auto* p = std::get_if<ParallelFor>(&s.node);
                           return std::vector<Stmt>{p && p->level == Level::Warp ? warp(*p, s.region) : s};
                         }));
    return out;
  }

 private:
  Stmt warp(const ParallelFor& p, const Region& region) {
    arrays_.clear(), touched_.clear(), private_.clear(), gone_.clear();
    const auto note = [&](const Allocate& a) {
      if (a.space == Space::Private) private_.insert(a.name);
      const auto n = constant_of(a.count);
      if (a.space == Space::Local && a.type.width == 1 && n && *n >= 1 && *n <= lanes_ && declared_.at(a.name) == 1)
        arrays_.emplace(a.name, WarpArray{a.type, *n});
    };
    for (const Allocate& a : p.scratch) note(a);
    each_between(*p.body, [&](const Stmt& s) {
      if (const auto* a = std::get_if<Allocate>(&s.node)) note(*a);
    });
    for (const auto& [name, array] : arrays_) touched_[name] = accesses(*p.body, name);
    ParallelFor out = p;
    out.body = StmtRef(between(*p.body));
    std::erase_if(out.scratch, [&](const Allocate& a) { return gone_.contains(a.name); });
    out.body = StmtRef(rewritten(*out.body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
      const auto* a = std::get_if<Allocate>(&s.node);
      if (a && gone_.contains(a->name)) return {};
      return {s};
    })));
    return Stmt{std::move(out), region};
  }

  static void each_between(const Stmt& s, const OnStmt& f) {
    f(s);
    if (const auto* b = std::get_if<Block>(&s.node))
      for (const Stmt& x : b->statements) each_between(x, f);
    if (const auto* x = std::get_if<For>(&s.node)) each_between(*x->body, f);
    if (const auto* x = std::get_if<While>(&s.node)) each_between(*x->body, f);
    if (const auto* x = std::get_if<If>(&s.node)) each_between(*x->then, f), each_between(*x->otherwise, f);
  }

  // Code between local loops, with the runs of turns in its blocks replaced.
  Stmt between(const Stmt& s) {
    Stmt out = s;
    const auto go = [&](StmtRef& r) { r = StmtRef(between(*r)); };
    if (auto* b = std::get_if<Block>(&out.node)) {
      for (Stmt& x : b->statements)
        if (!std::holds_alternative<ParallelFor>(x.node) && has<ParallelFor>(x)) x = between(x);
      b->statements = in_turns(b->statements);
    }
    if (auto* x = std::get_if<For>(&out.node)) go(x->body);
    if (auto* x = std::get_if<While>(&out.node)) go(x->body);
    if (auto* x = std::get_if<If>(&out.node)) go(x->then), go(x->otherwise);
    return out;
  }

  bool is_turn(const Stmt& s) const {
    bool to_private = false;
    if (!std::holds_alternative<ParallelFor>(s.node))
      for (const std::string& name : private_) to_private = to_private || writes(s, name);
    return !to_private && turn_of(s, arrays_, lanes_, true).has_value();
  }
  // Says nothing of values: may stand before the lanes' loop as well.
  static bool is_passed(const Stmt& s) {
    const auto* d = std::get_if<Declare>(&s.node);
    return std::holds_alternative<Allocate>(s.node) || std::holds_alternative<Comment>(s.node) || (d && !d->init);
  }

  std::vector<Stmt> in_turns(const std::vector<Stmt>& statements) {
    std::vector<Stmt> out;
    std::vector<const Stmt*> run;
    const auto end_run = [&] {
      made_of(run, out);
      run.clear();
    };
    for (const Stmt& s : statements) {
      if (is_turn(s)) {
        run.push_back(&s);
      } else {
        if (!is_passed(s)) end_run();
        out.push_back(s);
      }
    }
    end_run();
    return out;
  }

  void made_of(const std::vector<const Stmt*>& run, std::vector<Stmt>& out) {
    if (run.empty()) return;
    const auto registers = registers_of(run, arrays_, touched_, lanes_);
    if (!registers) {
      for (const Stmt* s : run) out.push_back(*s);
      return;
    }
    if (const auto at = first_conflict(*registers)) {
      const auto middle = run.begin() + static_cast<std::ptrdiff_t>(*at);
      made_of({run.begin(), middle}, out);
      return made_of({middle, run.end()}, out);
    }
    for (const auto& [name, stride] : registers->strides) gone_.insert(name);
    out.push_back(LaneLoop(*registers, arrays_, program_.launch.warp, names_).made());
  }

  const Program& program_;
  const std::int64_t lanes_;  // of the smallest warp
  Names names_;
  std::map<std::string, int> declared_;
  WarpArrays arrays_;  // of the warp loop at hand
  std::map<std::string, std::size_t> touched_;
  std::set<std::string> private_, gone_;
};

}  // namespace

kernel::Program with_shuffles(const kernel::Program& p) { return Shuffles(p).run(); }

Stage shuffles(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>(
      "shuffles", "Hillis and Steele, 1986", kernel, kernel,
      [](const kernel::Program& p, Owed*) { return with_shuffles(p); },
      {Change::Unrelated, Change::Unrelated, CostRelation::Space::NotMore});
}

}  // namespace lockstep
