// Expressions: the value, the reads noted.
#include "proofs/kernel/accesses_values.h"

#include <algorithm>

#include "semantics/kernel/print.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::proofs::kernels {

using namespace kernel;

std::string Values::fresh(const std::string& name) { return data(spelled(name)); }

std::string Values::data(const std::string& spelled_name) {
  const std::string s = data_name(spelled_name, ++count_);
  out_.symbols[s] = loops_;
  return s;
}

Term Values::unknown(const std::string& name, KType t) { return variable(fresh(name), t); }

// A value that is not followed further: what it was made from is kept.
Term Values::value_from(const std::vector<Term>& parts, KType t) {
  const std::string name = own_name("value" + std::to_string(++count_));
  for (const Term& p : parts) comes_from(name, p);
  return variable(data(name), t);
}

void Values::comes_from(const std::string& name, const Term& t) {
  each_name(t, [&](const std::string& n) { out_.sources[name].insert(plain_name(n)); });
}

std::string Values::symbol(const std::string& name) {
  std::string s = spelled(name);
  for (int k = 1; !taken_.insert(s).second; ++k) s = spelled(name) + "'" + std::to_string(k);
  return s;
}

int Values::place(Place p) {
  p.loops = loops_;
  out_.places.push_back(std::move(p));
  return static_cast<int>(out_.places.size()) - 1;
}

Situation Values::situation() { return {position_++, loops_, branches_, guards_, universals_, first_thread_}; }

void Values::access(int place, bool write, Term index, int width, const Region& from) {
  out_.accesses.push_back({situation(), place, write, std::move(index), width, from.source ? from : from_});
}

void Values::demand(Demand::Kind kind, Term goal, std::string text, const Region& from) {
  out_.demands.push_back({situation(), kind, std::move(goal), std::move(text), from.source ? from : from_});
}

Term Values::kept(Term t) {
  const bool plain_type = t.type.width == 1 && !is_float(t.type.scalar);
  return plain_type && node_count(t) <= how_.nodes ? t : value_from({t}, t.type);
}

Term Values::value(const Expr& e) {
  return match(
      e.node, [&](const Const&) { return e; }, [&](const Var& v) { return read_variable(v.name); },
      [&](const Arith& a) { return arithmetic(e, a); },
      [&](const Load& l) {
        const Term i = value(*l.index);
        const Buffered& b = buffers_.at(l.buffer);
        access(b.place, false, i, 1, e.region);
        return kept({e.type, Load{b.state, i}});
      },
      [&](const VectorLoad& l) {
        const Term i = value(*l.index);
        access(buffers_.at(l.buffer).place, false, i, l.width, e.region);
        return value_from({i, named(spelled(l.buffer))}, e.type);
      },
      [&](const Apply& a) {
        std::vector<ExprRef> arguments;
        for (const ExprRef& x : a.arguments) arguments.push_back(value(*x));
        Apply out{a.primitive, a.operand, std::move(arguments)};
        if (const auto number = exact(out)) return kept(*number);
        const auto relation = plain(out);
        return kept(relation ? *relation : Term{e.type, std::move(out)});
      },
      [&](const Choose& c) { return choice(e, c); },
      [&](const Lane& l) {
        const int width = l.vector->type.width;
        const Term v = value(*l.vector);
        const Term k = value(*l.lane);
        demand(Demand::Kind::Lane, both(less_equal(number(0), k), less(k, number(width))),
               "lane " + show_term(k) + " of " + std::to_string(width), e.region);
        return value_from({v, k}, e.type);
      },
      [&](const Build& b) {
        std::vector<Term> lanes;
        for (const ExprRef& x : b.lanes) lanes.push_back(value(*x));
        return value_from(lanes, e.type);
      },
      [&](const Splat& s) { return value_from({value(*s.scalar)}, e.type); });
}

Term Values::read_variable(const std::string& name) {
  const Variable& v = variables_.at(name);
  if (v.place >= 0) access(v.place, false, number(0), 1);
  return v.value;
}

Term Values::arithmetic(const Expr& e, const Arith& a) {
  const Term x = value(*a.left), y = value(*a.right);
  if (a.op == ArithOp::Divide || a.op == ArithOp::Modulo)
    demand(Demand::Kind::Division, both(less_equal(number(0), x), less_equal(number(1), y)),
           show_term(x) + (a.op == ArithOp::Divide ? " / " : " % ") + show_term(y), e.region);
  const Term out = arith(a.op, x, y);
  if (out.type == KType{}) demand_width(out, e.region);
  return kept(out);
}

void Values::narrow(const Program& p, const SizeSubstitution& spelling) {
  if (!p.narrow) return;
  range_ = IndexRange{p.launch.index};
  const auto fits = [&](const Size& s) {
    fitting_.push_back({less_equal(as_term(lockstep::substitute(s, spelling)), number(range_->most())), false, -1});
  };
  for (const std::string& s : p.sizes) fits(Size::name(s));
  for (const Size& s : *p.narrow) fits(s);
}

// At sizes for which indices are narrow. Names are in range: a size as they are, a loop's variable as its extent is.
void Values::demand_width(const Term& index, const Region& from) {
  const auto n = constant_of(index);
  const bool known = std::holds_alternative<Var>(index.node) || (n && range_ && range_->holds(*n));
  if (!range_ || known || std::find(narrowed_.begin(), narrowed_.end(), index) != narrowed_.end()) return;
  narrowed_.push_back(index);
  Situation where = situation();
  for (const Guard& g : fitting_) where.guards.push_back(g);
  out_.demands.push_back({std::move(where), Demand::Kind::Width,
                          both(less_equal(number(range_->least()), index), less_equal(index, number(range_->most()))),
                          show_term(index) + " in " + std::to_string(range_->bits) + " bits",
                          from.source ? from : from_});
}

Term Values::choice(const Expr& e, const Choose& c) {
  const Term condition = value(*c.condition);
  guards_.push_back({condition, false, -1});
  const Term then = value(*c.then);
  guards_.pop_back();
  guards_.push_back({negation(condition), false, -1});
  const Term otherwise = value(*c.otherwise);
  guards_.pop_back();
  return kept({e.type, Choose{condition, then, otherwise}});
}

}  // namespace lockstep::proofs::kernels
