// Makers that drop what is trivially true, substitution, and evaluation. In: terms; out: terms, numbers.
#include "proofs/smt/term.h"

#include <algorithm>
#include <tuple>

#include "semantics/core/diagnostic.h"

namespace lockstep::proofs::smt {

Term make(TermOp op, Sort sort, std::vector<Term> arguments) {
  return {op, sort, {}, 0, std::make_shared<const std::vector<Term>>(std::move(arguments))};
}
Term name(std::string n, Sort sort) { return {TermOp::Name, sort, std::move(n)}; }
Term number(std::int64_t n) { return {TermOp::Number, integer, {}, static_cast<std::uint64_t>(n)}; }
Term number(Sort sort, std::uint64_t value) { return {TermOp::Number, sort, {}, value}; }
Term truth(bool b) { return {TermOp::Truth, boolean, {}, b}; }
Term call(std::string function, Sort sort, std::vector<Term> arguments) {
  Term t = make(TermOp::Call, sort, std::move(arguments));
  t.name = std::move(function);
  return t;
}
Term operator+(const Term& a, const Term& b) { return make(TermOp::Add, a.sort, {a, b}); }
Term operator-(const Term& a, const Term& b) { return make(TermOp::Subtract, a.sort, {a, b}); }
Term operator*(const Term& a, const Term& b) { return make(TermOp::Multiply, a.sort, {a, b}); }
Term quotient(const Term& a, const Term& b) { return make(TermOp::Divide, integer, {a, b}); }
Term remainder(const Term& a, const Term& b) { return make(TermOp::Modulo, integer, {a, b}); }
Term less(const Term& a, const Term& b) { return make(TermOp::Less, boolean, {a, b}); }
Term at_most(const Term& a, const Term& b) { return make(TermOp::LessEqual, boolean, {a, b}); }
Term within(const Term& i, const Term& n) { return all_of({at_most(number(0), i), less(i, n)}); }
Term equal(const Term& a, const Term& b) {
  if (!(a.sort == b.sort)) throw Bug("an equation between terms of different sorts");
  return make(TermOp::Equal, boolean, {a, b});
}
Term unequal(const Term& a, const Term& b) { return negation(equal(a, b)); }
Term negation(const Term& a) {
  if (a.op == TermOp::Truth) return truth(a.number == 0);
  return make(TermOp::Not, boolean, {a});
}

namespace {
// And, Or: `unit` is left out, its opposite is the whole.
Term joined(TermOp op, bool unit, std::vector<Term> terms) {
  std::vector<Term> kept;
  for (Term& t : terms) {
    if (is_truth(t, !unit)) return truth(!unit);
    if (!is_truth(t, unit)) kept.push_back(std::move(t));
  }
  if (kept.empty()) return truth(unit);
  if (kept.size() == 1) return kept.front();
  return make(op, boolean, std::move(kept));
}
}  // namespace

Term all_of(std::vector<Term> terms) { return joined(TermOp::And, true, std::move(terms)); }
Term any_of(std::vector<Term> terms) { return joined(TermOp::Or, false, std::move(terms)); }
Term implies(const Term& a, const Term& b) {
  if (is_truth(a, true)) return b;
  if (is_truth(a, false) || is_truth(b, true)) return truth(true);
  return make(TermOp::Implies, boolean, {a, b});
}
Term choose(const Term& condition, const Term& a, const Term& b) {
  if (!(a.sort == b.sort)) throw Bug("a choice between terms of different sorts");
  if (condition.op == TermOp::Truth) return condition.number ? a : b;
  return make(TermOp::If, a.sort, {condition, a, b});
}
Term select(const Term& s, const Term& place) {
  return make(TermOp::Select, s.sort.kind == Sort::IntStore ? integer : element_sort, {s, place});
}
Term store(const Term& s, const Term& place, const Term& value) {
  return make(TermOp::Store, s.sort, {s, place, value});
}
Term for_all(std::vector<Term> names, Term body) {
  names.push_back(std::move(body));
  return make(TermOp::ForAll, boolean, std::move(names));
}

bool is_truth(const Term& t, bool b) { return t.op == TermOp::Truth && (t.number != 0) == b; }

std::weak_ordering operator<=>(const Term& a, const Term& b) {
  if (const auto c = std::tie(a.op, a.sort, a.name, a.number) <=> std::tie(b.op, b.sort, b.name, b.number); c != 0)
    return c;
  if (a.arguments == b.arguments) return std::weak_ordering::equivalent;
  return std::lexicographical_compare_three_way(a.arguments->begin(), a.arguments->end(), b.arguments->begin(),
                                                b.arguments->end(),
                                                [](const Term& x, const Term& y) { return x <=> y; });
}

static void each_free(const Term& t, const std::function<void(const Term&)>& f) {
  if (t.op == TermOp::Name) return f(t);
  if (!t.arguments) return;
  if (t.op != TermOp::ForAll) {
    for (const Term& a : *t.arguments) each_free(a, f);
    return;
  }
  each_free(t.arguments->back(), [&](const Term& n) {
    const auto bound = [&](const Term& b) { return b.name == n.name; };
    if (std::none_of(t.arguments->begin(), t.arguments->end() - 1, bound)) f(n);
  });
}

std::map<std::string, Term> names_in(const std::vector<Term>& terms) {
  std::map<std::string, Term> out;
  for (const Term& t : terms)
    each_free(t, [&](const Term& n) {
      if (out.emplace(n.name, n).first->second.sort != n.sort) throw Bug("the name " + n.name + " is of two sorts");
    });
  return out;
}

Term substitute(const Term& t, const std::map<std::string, Term>& by) {
  if (t.op == TermOp::Name) {
    const auto it = by.find(t.name);
    return it == by.end() ? t : it->second;
  }
  if (!t.arguments) return t;
  if (t.op == TermOp::ForAll)
    for (std::size_t k = 0; k + 1 < t.arguments->size(); ++k)
      for (const auto& [from, to] : by)
        if (from == t.at(k).name || names_in({to}).contains(t.at(k).name))
          throw Bug("a bound name is substituted or captured");
  Term out = t;
  std::vector<Term> arguments;
  for (const Term& a : *t.arguments) arguments.push_back(substitute(a, by));
  out.arguments = std::make_shared<const std::vector<Term>>(std::move(arguments));
  return out;
}

// ------------------------------------------------------------------------------------------------- evaluation
namespace {

class Evaluation {
 public:
  Evaluation(const std::map<std::string, std::int64_t>& names, const CallValue& function)
      : names_(names), function_(function) {}

  std::int64_t value(const Term& t) const {
    const auto at = [&](std::size_t k) { return value(t.at(k)); };
    switch (t.op) {
      case TermOp::Name:
        return value_of(t.name);
      case TermOp::Number:
      case TermOp::Truth:
        return static_cast<std::int64_t>(t.number);
      case TermOp::Add:
        return at(0) + at(1);
      case TermOp::Subtract:
        return at(0) - at(1);
      case TermOp::Multiply:
        return at(0) * at(1);
      case TermOp::Divide:
        return floored(at(0), at(1));
      case TermOp::Modulo:
        return at(0) - at(1) * floored(at(0), at(1));
      case TermOp::Less:
        return at(0) < at(1);
      case TermOp::LessEqual:
        return at(0) <= at(1);
      case TermOp::Equal:
        return at(0) == at(1);
      case TermOp::If:
        return at(0) ? at(1) : at(2);
      case TermOp::Not:
        return !at(0);
      case TermOp::And:
        return count(t, true) == t.arguments->size();
      case TermOp::Or:
        return count(t, true) > 0;
      case TermOp::Implies:
        return !at(0) || at(1);
      case TermOp::Call:
        return called(t);
      case TermOp::ForAll:
      case TermOp::Select:
      case TermOp::Store:
      case TermOp::BitAdd:
      case TermOp::BitSubtract:
      case TermOp::BitMultiply:
      case TermOp::DivideUnsigned:
      case TermOp::DivideSigned:
      case TermOp::ModuloUnsigned:
      case TermOp::ModuloSigned:
      case TermOp::BitNegate:
      case TermOp::BitAnd:
      case TermOp::BitOr:
      case TermOp::BitXor:
      case TermOp::ShiftLeft:
      case TermOp::ShiftRightLogical:
      case TermOp::ShiftRightArithmetic:
      case TermOp::LessUnsigned:
      case TermOp::LessSigned:
      case TermOp::ZeroExtend:
      case TermOp::SignExtend:
      case TermOp::Truncate:
      case TermOp::FloatAdd:
      case TermOp::FloatSubtract:
      case TermOp::FloatMultiply:
      case TermOp::FloatDivide:
      case TermOp::FloatNegate:
      case TermOp::FloatAbs:
      case TermOp::FloatSqrt:
      case TermOp::FloatFma:
      case TermOp::FloatFloor:
      case TermOp::FloatCeil:
      case TermOp::FloatEqual:
      case TermOp::FloatLess:
      case TermOp::FloatLessEqual:
      case TermOp::FloatIsNan:
      case TermOp::FloatOfSigned:
      case TermOp::FloatOfUnsigned:
      case TermOp::FloatOfFloat:
        break;
    }
    throw Bug("a term that has no value without a solver");
  }

 private:
  std::int64_t value_of(const std::string& name) const {
    const auto it = names_.find(name);
    if (it == names_.end()) throw Bug("the name " + name + " has no value");
    return it->second;
  }
  std::int64_t called(const Term& t) const {
    std::vector<std::int64_t> arguments;
    for (const Term& a : *t.arguments) arguments.push_back(value(a));
    return function_(t.name, arguments);
  }
  static std::int64_t floored(std::int64_t a, std::int64_t b) {
    if (b < 1) throw Bug("a division by less than one");
    return a / b - (a % b < 0);
  }
  std::size_t count(const Term& t, bool wanted) const {
    std::size_t n = 0;
    for (const Term& a : *t.arguments) n += (value(a) != 0) == wanted;
    return n;
  }

  const std::map<std::string, std::int64_t>& names_;
  const CallValue& function_;
};

}  // namespace

std::int64_t evaluate(const Term& t, const std::map<std::string, std::int64_t>& names, const CallValue& function) {
  return Evaluation(names, function).value(t);
}

}  // namespace lockstep::proofs::smt
