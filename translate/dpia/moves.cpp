// Which loops only move elements (moves.h).
#include "translate/dpia/moves.h"

#include "translate/dpia/known_walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

// What the inner loop's body copies, its variables replaced by what they are; nothing where it does anything else.
class Copied {
 public:
  std::optional<Moved> in(const kernel::For& inner) {
    if (!body(*inner.body) || !found_) return {};
    found_->y = inner.name;
    return found_;
  }

 private:
  bool body(const Stmt& s) {
    if (found_) return false;  // the store is the last
    if (const auto* b = std::get_if<Block>(&s.node)) {
      for (const Stmt& x : b->statements)
        if (!body(x)) return false;
      return true;
    }
    if (const auto* d = std::get_if<Declare>(&s.node)) {
      declared_.insert(d->name);
      if (d->init) values_.emplace(d->name, known(*d->init));
      return true;
    }
    if (const auto* a = std::get_if<kernel::Assign>(&s.node))
      return declared_.contains(a->name) && values_.emplace(a->name, known(a->value)).second;
    const auto* store = std::get_if<Store>(&s.node);
    const auto* load = store ? std::get_if<Load>(&store->value.node) : nullptr;
    if (!load || load->buffer == store->buffer || store->value.type.scalar == ScalarType::Bool) return false;
    found_ = Moved{store->buffer, load->buffer, {}, store->value.type.scalar, known(store->index), known(*load->index)};
    return !has_load(found_->out) && !has_load(found_->in);
  }
  static bool has_load(const Expr& e) {
    bool out = false;
    each_expression(e, [&](const Expr& x) { out = out || std::holds_alternative<Load>(x.node); });
    return out;
  }
  Expr known(const Expr& e) const {
    return rewritten(e, ExprChange([&](const Expr& x) {
                       const auto* v = std::get_if<Var>(&x.node);
                       const auto it = v ? values_.find(v->name) : values_.end();
                       return it == values_.end() ? x : it->second;
                     }));
  }

  std::set<std::string> declared_;
  std::map<std::string, Expr> values_;
  std::optional<Moved> found_;
};

class Find final : public KnownWalk {
 public:
  explicit Find(const Program& p) : KnownWalk(p) { (void)statement(p.body); }
  MovingLoops found;

 private:
  std::optional<Stmt> check(const Check&, const Stmt& s) override { return s; }
  void enter(const kernel::For& loop, const std::set<std::string>&) override {
    const std::optional<std::string> x = around_;
    around_ = loop.name;
    if (!names_.insert(loop.name).second) {  // two loops of one name
      for (auto* all : {&found.transposed, &found.ahead, &found.back}) all->erase(loop.name);
      return;
    }
    auto moved = Copied().in(loop);
    if (!moved || step(moved->out, loop.name) != Size(1)) return;
    const auto on = step(moved->in, loop.name);
    if (on == Size(1) || on == Size(-1))
      (on == Size(1) ? found.ahead : found.back).emplace(loop.name, std::move(*moved));
    else if (x && step(moved->in, *x) == Size(1) && is_apart(moved->out, *x, loop))
      found.transposed.emplace(loop.name, std::move(*moved));
  }
  // What another x writes is elsewhere.
  bool is_apart(const Expr& out, const std::string& x, const kernel::For& inner) {
    const auto row = step(out, x), columns = as_size(inner.extent);
    if (!row || !columns) return false;
    std::set<std::string> names;
    collect_names(*row, names), collect_names(*columns, names);
    return !names.contains(x) && !names.contains(inner.name) && values.at_most(*columns, *row);
  }
  // What the index goes on by where the variable does by one.
  std::optional<Size> step(const Expr& index, const std::string& variable) {
    const auto at = values.value(index);
    const auto named = at ? IndexValues::over(values.variables(), *at) : std::nullopt;
    if (!named) return {};
    return substitute(*named, {{variable, Size::name(variable) + 1}}) - *named;
  }

  std::optional<std::string> around_;  // the variable of the innermost loop
  std::set<std::string> names_;
};

}  // namespace

MovingLoops moving_loops(const Program& p) { return Find(p).found; }

std::optional<Expr> is_past_caches(const Program& p, const Moved& m) {
  const std::int64_t many = bytes_past_caches / bytes_of(m.type);
  for (const Buffer& b : p.outputs)
    if (b.name == m.to && (!b.count.constant() || *b.count.constant() >= many))
      return arith(ArithOp::LessEqual, constant(many), size_expr(b.count));
  return {};
}

Program with_moves_in_lanes(const Program& p) {
  const MovingLoops loops = moving_loops(p);
  return with_rows_past_caches(with_transposes_in_lanes(p, loops), loops);
}

Stage moves(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>(
      "moves", "ours", kernel, kernel,
      [](const kernel::Program& p, Owed* owed) {
        const kernel::Program out = with_moves_in_lanes(p);
        if (owed) owed->push_back({"moves", Erased(MovesTheSame{p, out})});
        return out;
      },
      {Change::Unrelated, Change::Unrelated, CostRelation::Space::NotMore});
}

}  // namespace lockstep
