#include "semantics/fcl/step.h"

#include <algorithm>
#include <random>

#include "semantics/fcl/operators.h"
#include "semantics/fcl/prelude.h"
#include "semantics/fcl/step_places.h"
#include "semantics/fcl/step_terms.h"

namespace lockstep::fcl {

namespace {

using namespace stepping;

// No rule is for what stands there: the term has no type, or stands too low.
struct NoRule {};

[[noreturn]] void raise(const std::string& primitive, std::string message, const Region& at) {
  throw TrapSignal{{primitive, std::move(message), at}};
}

}  // namespace

class Stepping::Impl {
 public:
  Impl(const Inferred& program, const Launch& launch, const Machine& machine, const Schedule& schedule,
       const PrintedRules& printed)
      : program_(program),
        launch_(launch),
        machine_(machine_of(machine)),
        schedule_(schedule),
        printed_(printed),
        random_(schedule.seed) {}

  std::optional<Expr> step() {
    try {
      return at(term, machine_);
    } catch (const NoRule&) {
    } catch (const std::bad_variant_access&) {  // a part of another form
    }
    return std::nullopt;
  }
  Expr term{Literal{make_bool(false)}};

 private:
  // ------------------------------------------------------------------------------------------------ at a location

  // The part that is next, stepped; nothing where the term is a value.
  std::optional<Expr> at(const Expr& e, const Location& loc) {
    if (is_value_term(e)) return std::nullopt;
    if (const auto* v = as<Variable>(e)) {
      if (!v->name.starts_with("@")) return std::nullopt;
      auto known = definitions_.find(v->name);
      if (known == definitions_.end()) {
        const bool of_prelude = v->name.starts_with("@p");
        known = definitions_
                    .emplace(v->name, definition_term(of_prelude ? prelude() : program_,
                                                      std::stoul(v->name.substr(of_prelude ? 2 : 1))))
                    .first;
      }
      return known->second;
    }
    if (const auto* s = as<SettingExpr>(e))
      return int_term(s->setting == Setting::BlockSize ? launch_.block : launch_.warp);
    if (const auto* l = as<LetExpr>(e)) return let(*l, loc);
    if (const auto* i = as<IfExpr>(e)) {
      if (!is_value_term(*i->condition)) return with(e, &IfExpr::condition, loc);
      return std::get<Literal>(i->condition->node).value.bits != 0 ? *i->yes : *i->no;
    }
    if (const auto* p = as<PairExpr>(e))
      return is_value_term(*p->first) ? with(e, &PairExpr::second, loc) : with(e, &PairExpr::first, loc);
    if (const auto* c = as<ComposeExpr>(e))
      return is_value_term(*c->outer) ? with(e, &ComposeExpr::inner, loc) : with(e, &ComposeExpr::outer, loc);
    if (const auto* p = as<PipeExpr>(e)) return Expr{ApplyExpr{p->function, p->value}, e.region};
    if (const auto* i = as<InfixExpr>(e)) return infix(e, *i, loc);
    if (const auto* p = as<PrefixExpr>(e)) {
      if (!is_value_term(*p->operand)) return with(e, &PrefixExpr::operand, loc);
      return scalar(operator_of(p->op), p->op == Prefix::Negate ? "-" : "!", {p->operand}, e.region);
    }
    return application(e, loc);
  }
  template <class Node>
  std::optional<Expr> with(const Expr& e, ExprRef Node::*part, const Location& loc) {
    auto next = at(*(std::get<Node>(e.node).*part), loc);
    if (!next) return std::nullopt;
    Expr out = e;
    std::get<Node>(out.node).*part = *std::move(next);
    return out;
  }
  std::optional<Expr> let(const LetExpr& l, const Location& loc) {
    const Binding& b = l.bindings[0];
    LetExpr rest = l;
    if (!is_value_term(*b.value)) {
      auto next = at(*b.value, loc);
      if (!next) return std::nullopt;
      rest.bindings[0].value = *std::move(next);
      return Expr{std::move(rest)};
    }
    rest.bindings.erase(rest.bindings.begin());
    const ExprRef body = rest.bindings.empty() ? rest.body : ExprRef(Expr{std::move(rest)});
    return *substituted(body, b.name, b.value);
  }
  std::optional<Expr> infix(const Expr& e, const InfixExpr& i, const Location& loc) {
    if (!is_value_term(*i.left)) return with(e, &InfixExpr::left, loc);
    if (i.op == Infix::And || i.op == Infix::Or) {
      const bool left = std::get<Literal>(i.left->node).value.bits != 0;
      return left == (i.op == Infix::Or) ? *i.left : *i.right;
    }
    if (!is_value_term(*i.right)) return with(e, &InfixExpr::right, loc);
    return scalar(operator_of(i.op), row_of(i.op).symbol, {i.left, i.right}, e.region);
  }
  static Expr scalar(const ScalarOp& op, std::string_view name, const Terms& x, const Region& at) {
    std::vector<Scalar> all;
    for (const ExprRef& a : x) {
      all.push_back(std::get<Literal>(a->node).value);
      if (!op.takes(all.back().type) || all.back().type != all[0].type) throw NoRule{};
    }
    return {Literal{apply(op, name, all, at, ieee_domain())}, at};
  }

  std::optional<Expr> application(const Expr& e, const Location& loc) {
    if (const auto* l = as<LevelApplyExpr>(e)) {
      const auto* f = as<FnExpr>(*l->function);
      if (!f) return with(e, &LevelApplyExpr::function, loc);
      if (!f->parameters[0].is_level) return std::nullopt;
      return rest_of(*f, at_level(f->body, f->parameters[0].name, l->level));
    }
    const auto* a = as<ApplyExpr>(e);
    if (!a) return std::nullopt;
    if (!is_value_term(*a->function)) return with(e, &ApplyExpr::function, loc);
    if (!is_value_term(*a->argument)) {
      if (const Applied asserts = applied(*a->function); asserts.arguments.size() == 1)  // before the other argument
        if (const BuiltInRow* b = built_in(*asserts.head); b && b->op == BuiltIn::Assert)
          return operation(b->op, applied(e), e.region, loc);
      return with(e, &ApplyExpr::argument, loc);
    }
    if (const auto* f = as<FnExpr>(*a->function)) {
      if (f->parameters[0].is_level) return std::nullopt;
      return rest_of(*f, substituted_in(*f, a->argument));
    }
    if (const auto* c = as<ComposeExpr>(*a->function))
      return Expr{ApplyExpr{c->outer, Expr{ApplyExpr{c->inner, a->argument}}}, e.region};
    const Applied all = applied(e);
    if (const auto* o = as<OperatorExpr>(*all.head))
      return scalar(operator_of(o->op), row_of(o->op).symbol, all.arguments, e.region);
    if (const ScalarFunctionRow* f = scalar_function(*all.head))
      return scalar(*scalar_function_named(f->name), f->name, all.arguments, e.region);
    if (const BuiltInRow* b = built_in(*all.head)) return operation(b->op, all, e.region, loc);
    return std::nullopt;
  }
  // fn x y => body with x known: fn y => body
  static ExprRef substituted_in(const FnExpr& f, const ExprRef& x) {
    for (std::size_t k = 1; k < f.parameters.size(); ++k)
      if (!f.parameters[k].is_level && f.parameters[k].name == f.parameters[0].name) return f.body;
    return substituted(f.body, f.parameters[0].name, x);
  }
  static Expr rest_of(const FnExpr& f, ExprRef body) {
    if (f.parameters.size() == 1) return *body;
    return {FnExpr{{f.parameters.begin() + 1, f.parameters.end()}, std::move(body)}};
  }

  // ------------------------------------------------------------------------------------------------ array operations

  static const Terms& items_of(const Expr& array) { return std::get<ArrayExpr>(array.node).items; }
  // Or an `interleave`.
  static bool is_push(const Applied& a) {
    const BuiltInRow* b = built_in(*a.head);
    const bool push = b && b->op == BuiltIn::Push && a.levels.size() == 1;
    if ((!push && (!b || b->op != BuiltIn::Interleave)) || a.arguments.size() != b->arity) throw NoRule{};
    return push;
  }
  static std::int64_t int_of(const Expr& e) { return std::get<Literal>(e.node).value.integer(); }
  static Expr index_pair(std::size_t i, std::size_t j) {
    return {PairExpr{int_term(static_cast<std::int64_t>(i)), int_term(static_cast<std::int64_t>(j))}};
  }

  std::optional<Expr> operation(BuiltIn op, const Applied& a, const Region& at, const Location& loc) {
    const Terms& x = a.arguments;
    switch (op) {
      case BuiltIn::Generate: {
        const std::int64_t n = int_of(*x[0]);
        if (n < 0) raise("generate", "the length is negative: " + std::to_string(n), at);
        ArrayExpr out;
        for (std::int64_t i = 0; i < n; ++i) out.items.emplace_back(Expr{ApplyExpr{x[1], int_term(i)}});
        return Expr{std::move(out)};
      }
      case BuiltIn::Index: {
        const Terms& items = items_of(*x[0]);
        const std::int64_t i = int_of(*x[1]), n = static_cast<std::int64_t>(items.size());
        if (i < 0 || i >= n)
          raise("index", "index " + std::to_string(i) + " is outside [0, " + std::to_string(n) + ")", at);
        return *items[static_cast<std::size_t>(i)];
      }
      case BuiltIn::LengthPull:
      case BuiltIn::LengthPush:
      case BuiltIn::Length:
        return int_term(length_of(*x[0]));
      case BuiltIn::MapPull:
      case BuiltIn::MapPush:
      case BuiltIn::Map:
        return mapped(x[0], *x[1], op);
      case BuiltIn::Force:
        return forced(*x[0], at, loc);
      case BuiltIn::While:
        return round_of(x);
      case BuiltIn::Fst:
        return *std::get<PairExpr>(x[0]->node).first;
      case BuiltIn::Snd:
        return *std::get<PairExpr>(x[0]->node).second;
      case BuiltIn::Assert:
        if (std::get<Literal>(x[0]->node).value.bits == 0) raise("assert", "the condition does not hold", at);
        return *x[1];
      case BuiltIn::Push:
      case BuiltIn::Interleave:
        return std::nullopt;  // values
    }
    throw Bug("a built-in of FCL that is none");
  }
  // Each round is one of no more elements than the first: the step says so from then on.
  static Expr round_of(const Terms& x) {
    const auto* known = as<FnExpr>(*x[1]);
    const ExprRef first = call("force", {x[2]}), name = Expr{Variable{"%x"}}, made = Expr{Variable{"%made"}};
    const ExprRef fits = Expr{InfixExpr{Infix::Le, call("lengthPush", {made}), call("lengthPull", {name})}};
    const Expr made_of_state{ApplyExpr{x[1], Expr{Variable{"%state"}}}};
    const Expr bounded{FnExpr{{{"%state"}}, Expr{LetExpr{{{"%made", made_of_state}}, call("assert", {fits, made})}}}};
    const bool is_bounded = known && known->parameters[0].name == "%state";
    const ExprRef step = is_bounded ? x[1] : ExprRef(bounded);
    const ExprRef again = call("while", {x[0], step, Expr{ApplyExpr{step, name}}});
    return {LetExpr{{{"%x", first}}, Expr{IfExpr{Expr{ApplyExpr{x[0], name}}, again, name}}}};
  }
  std::int64_t length_of(const Expr& array) {
    if (as<ArrayExpr>(array)) return static_cast<std::int64_t>(items_of(array).size());
    const Applied a = applied(array);
    const bool push = is_push(a);
    const auto own = static_cast<std::int64_t>(items_of(*a.arguments.back()).size());
    return push ? own : int_of(*a.arguments[0]) * own;
  }
  // (36), (37), and of a delayed interleave the same of each chunk.
  Expr mapped(const ExprRef& f, const Expr& array, BuiltIn op) {
    const auto each = [&](const Terms& items, const auto& make) {
      ArrayExpr out;
      for (const ExprRef& i : items) out.items.emplace_back(make(i));
      return Expr{std::move(out)};
    };
    const auto apply_f = [&](const ExprRef& i) { return Expr{ApplyExpr{f, i}}; };
    if (as<ArrayExpr>(array)) return each(items_of(array), apply_f);
    const Applied a = applied(array);
    Expr out = array;
    auto& last = std::get<ApplyExpr>(out.node).argument;
    if (is_push(a))
      last = each(items_of(*a.arguments.back()), apply_f);
    else
      last = each(items_of(*a.arguments.back()), [&](const ExprRef& chunk) {
        return call(op == BuiltIn::MapPush ? "mapPush" : "map", {f, chunk});
      });
    return out;
  }

  // (39): written, when there is nothing left to compute; before, what is forced goes on.
  std::optional<Expr> forced(const Expr& array, const Region& region, const Location& loc) {
    if (is_done(array)) return Expr{ArrayExpr{written(array, region)}};
    auto next = advanced(array, loc);
    if (!next) return std::nullopt;
    Expr force = call("force", {*std::move(next)});
    force.region = region;
    return force;
  }
  static bool is_done(const Expr& array) {
    if (!is_value_term(array)) return false;
    const Applied a = applied(array);
    const bool push = is_push(a);
    const Terms& items = items_of(*a.arguments.back());
    return std::all_of(items.begin(), items.end(), [&](const ExprRef& i) { return push ? is_base(*i) : is_done(*i); });
  }
  // (40), (41′): elements go on at threads. (42′): chunks at the places right below.
  std::optional<Expr> advanced(const Expr& array, const Location& loc) {
    if (!is_value_term(array)) return at(array, loc);
    const Applied a = applied(array);
    const bool push = is_push(a);
    const Terms& items = items_of(*a.arguments.back());
    if ((push ? a.levels[0].above : 1) > depth_of(loc)) throw NoRule{};  // loc ▷ γ: (31), (32)
    if (push) {
      const Location& units = first_of_depth(loc, a.levels[0].above);
      const bool some_done = std::any_of(items.begin(), items.end(), [](const ExprRef& i) { return is_base(*i); });
      if (printed_.elements && (some_done || items.size() != units.inside.size())) return std::nullopt;
      return dealt(
          array, items, threads_of(units), [](const Expr& e) { return is_base(e); },
          [&](const Expr& e, std::size_t) { return at(e, first_of_depth(units, 0)); });
    }
    return dealt(array, items, loc.inside.size(), is_done,
                 [&](const Expr& e, std::size_t u) { return advanced(e, loc.inside[u]); });
  }
  // Element i is unit i mod U's; each with something left goes on with its first, as the schedule says.
  template <class Done, class Go>
  std::optional<Expr> dealt(const Expr& array, const Terms& items, std::size_t units, const Done& done, const Go& go) {
    std::vector<std::size_t> next(units, items.size());
    for (std::size_t i = items.size(); i-- > 0;)
      if (!done(*items[i])) next[i % units] = i;
    std::vector<std::size_t> able;
    for (std::size_t u = 0; u < units; ++u)
      if (next[u] < items.size()) able.push_back(u);
    if (schedule_.order == Order::FirstAhead) able = {able.front()};
    if (schedule_.order == Order::Reverse) able = {able.back()};
    if (schedule_.order == Order::Drawn) able = {able[random_() % able.size()]};
    ArrayExpr out{items};
    for (const std::size_t u : able) {
      auto gone_on = go(*items[next[u]], u);
      if (!gone_on) return std::nullopt;
      out.items[next[u]] = *std::move(gone_on);
    }
    Expr made = array;
    std::get<ApplyExpr>(made.node).argument = Expr{std::move(out)};
    return made;
  }
  // Where f puts each is what it evaluates to, by a thread.
  Terms written(const Expr& array, const Region& region) {
    const Applied a = applied(array);
    const bool push = is_push(a);
    const Terms& chunks = items_of(*a.arguments.back());
    if (push) return chunks;
    if (printed_.chunks) {
      Terms all;
      for (const ExprRef& c : chunks)
        for (const ExprRef& i : written(*c, region)) all.push_back(i);
      return all;
    }
    const std::int64_t n = int_of(*a.arguments[0]), total = n * static_cast<std::int64_t>(chunks.size());
    std::vector<std::optional<ExprRef>> out(static_cast<std::size_t>(std::max<std::int64_t>(total, 0)));
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const Terms items = written(*chunks[i], region);
      if (static_cast<std::int64_t>(items.size()) != n)
        raise("interleave",
              "chunk " + std::to_string(i) + " has " + std::to_string(items.size()) + " elements, not " +
                  std::to_string(n),
              region);
      for (std::size_t j = 0; j < items.size(); ++j) {
        Expr place{ApplyExpr{a.arguments[1], index_pair(i, j)}};
        while (auto next = at(place, first_of_depth(machine_, 0))) place = *std::move(next);
        const std::int64_t to = int_of(place);
        if (to < 0 || to >= total || out[static_cast<std::size_t>(to)])
          raise("interleave", "an element goes to " + std::to_string(to) + ", which is outside or another's", region);
        out[static_cast<std::size_t>(to)] = items[j];
      }
    }
    Terms all;
    for (auto& e : out) all.push_back(*std::move(e));
    return all;
  }

  const Inferred& program_;
  std::map<std::string, Expr> definitions_;  // as terms, by their names there
  const Launch launch_;
  const Location machine_;
  const Schedule schedule_;
  const PrintedRules printed_;
  std::mt19937_64 random_;
};

Stepping::Stepping(const Inferred& program, std::string_view definition, const std::vector<Expr>& arguments,
                   const std::map<std::string, Level>& levels, const Launch& launch, const Machine& machine,
                   const Schedule& schedule, const PrintedRules& printed)
    : impl_(std::make_unique<Impl>(program, launch, machine, schedule, printed)) {
  const Definition* d = definition_named(program.program, definition);
  if (!d) throw Bug("there is no definition " + std::string(definition));
  const auto k = static_cast<std::size_t>(d - program.program.definitions.data());
  Expr e = definition_term(program, k);
  std::size_t next = 0;
  for (const Parameter& p : d->parameters)
    e = p.is_level ? Expr{LevelApplyExpr{std::move(e), levels.at(p.name)}}
                   : Expr{ApplyExpr{std::move(e), arguments.at(next++)}};
  while (next < arguments.size()) e = Expr{ApplyExpr{std::move(e), arguments[next++]}};
  impl_->term = Expr{ApplyExpr{Expr{Variable{"#force"}}, std::move(e)}};
}
Stepping::~Stepping() = default;
const Expr& Stepping::term() const { return impl_->term; }
bool Stepping::is_value() const { return is_value_term(impl_->term); }
bool Stepping::step() {
  auto next = impl_->step();
  if (next) impl_->term = *std::move(next);
  return next.has_value();
}

tl::expected<Expr, std::variant<Trap, Stuck>> stepped(Stepping& machine, std::size_t most_steps) {
  using Why = std::variant<Trap, Stuck>;
  try {
    for (std::size_t k = 0; k < most_steps && !machine.is_value(); ++k)
      if (!machine.step()) return tl::make_unexpected(Why(Stuck{machine.term()}));
  } catch (const TrapSignal& s) {
    return tl::make_unexpected(Why(s.trap));
  }
  if (!machine.is_value()) return tl::make_unexpected(Why(Stuck{machine.term()}));
  return machine.term();
}

}  // namespace lockstep::fcl
