// Laws as questions: the two sides as terms, integers as bits and floats as reals or as IEEE numbers.
#include <algorithm>

#include "proofs/calculus/operators/terms.h"
#include "proofs/laws/oracle.h"
#include "proofs/smt/solver.h"
#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"

namespace lockstep::proofs {
namespace {

struct NoTerm {};  // not decided here

enum class Floats { Reals, Ieee };

bool has_float(const Type& t) {
  if (const auto* s = as<ScalarType>(t)) return is_float(*s);
  const auto* both = as<PairType>(t);
  return both && (has_float(*both->first) || has_float(*both->second));
}

// Of sums, differences and products.
bool is_polynomial(const scalars::Definition& d) {
  using D = scalars::Definition;
  using enum scalars::Operation;
  const auto* a = std::get_if<D::Apply>(&d.node);
  if (!a) return std::holds_alternative<D::Argument>(d.node);
  const bool ring = a->op == Add || a->op == Subtract || a->op == Multiply || a->op == Negate;
  return ring && std::all_of(a->operands.begin(), a->operands.end(), is_polynomial);
}
// On floats of that type: such, or what rounds nothing.
bool is_rational(const ScalarOp& op, ScalarType t) {
  return op.on_reals == OnReals::Exact || is_polynomial(op.definition(t));
}

// Whether there are floats, and they go through +, - and *, or what is exact, alone; or through what is exact alone.
struct FloatUse {
  bool any = false, exact = true, rational = true;

  void note(const Phrase& p) {
    any = any || (as<ExpType>(p.type) && has_float(data_of(p)));
    const auto* x = as<PrimPhrase>(p);
    const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
    if (op && !x->types.empty() && has_float(x->types[0])) {
      exact = exact && op->on_reals == OnReals::Exact;
      rational = rational && is_rational(*op, operand_scalar(x->types[0]));
    }
    for_each_child(p, [&](const PhraseRef& c) { note(*c); });
  }
};

// A value is its scalars, left to right.
using Scalars = std::vector<Term>;

std::size_t scalars_in(const Type& t) {
  if (const auto* both = as<PairType>(t)) return scalars_in(*both->first) + scalars_in(*both->second);
  if (!as<ScalarType>(t)) throw NoTerm{};
  return 1;
}

class Reader {
 public:
  explicit Reader(Floats floats) : floats_(floats) {}

  void bind_unknown(const std::string& x, const Type& t) {
    Scalars names;
    unknown(x, t, names);
    bound_.insert_or_assign(x, std::move(names));
  }

  Scalars scalars(const Phrase& p) {
    return match(
        p.node,
        [&](const Ident& x) -> Scalars {
          const auto it = bound_.find(x.name);
          if (it == bound_.end()) throw NoTerm{};
          return it->second;
        },
        [&](const LiteralPhrase& x) -> Scalars { return {literal(x.value)}; },
        [&](const NatPhrase& x) -> Scalars {
          if (!as<ScalarType>(data_of(p))) throw NoTerm{};
          if (const auto k = x.size.constant()) return {number(bits(64), static_cast<std::uint64_t>(*k))};
          return {name("size " + show(x.size), bits(64))};
        },
        [](const LambdaPhrase&) -> Scalars { throw NoTerm{}; }, [](const ApplyPhrase&) -> Scalars { throw NoTerm{}; },
        [&](const LetPhrase& x) -> Scalars {
          Scalars value = scalars(*x.value);
          const auto around = bound_;
          bound_.insert_or_assign(x.name, std::move(value));
          Scalars body = scalars(*x.body);
          bound_ = around;
          return body;
        },
        [&](const IfPhrase& x) { return chosen(scalars(*x.condition), scalars(*x.then), scalars(*x.otherwise)); },
        [](const PairPhrase&) -> Scalars { throw NoTerm{}; }, [](const ProjPhrase&) -> Scalars { throw NoTerm{}; },
        [&](const PrimPhrase& x) { return primitive(x); }, [](const ImpPhrase&) -> Scalars { throw NoTerm{}; });
  }

 private:
  // A parameter's names differ from each other's, from a size's and from those of another's parts.
  void unknown(const std::string& x, const Type& t, Scalars& into) {
    if (const auto* both = as<PairType>(t)) {
      unknown(x + ".1", *both->first, into);
      unknown(x + ".2", *both->second, into);
    } else if (const auto* s = as<ScalarType>(t)) {
      into.push_back(name(std::to_string(count_++) + " " + x, sort(*s)));
    } else {
      throw NoTerm{};
    }
  }
  Sort sort(ScalarType t) const { return is_float(t) && floats_ == Floats::Reals ? real : sort_of(t); }

  Term literal(const Scalar& v) const {
    if (!is_float(v.type) || floats_ == Floats::Ieee) return value_term(v);
    const auto whole = static_cast<std::int64_t>(v.ieee());
    if (static_cast<double>(whole) != v.ieee()) throw NoTerm{};  // its digits are not the number that is computed with
    return number(real, static_cast<std::uint64_t>(whole));
  }

  static Scalars chosen(const Scalars& condition, Scalars then, const Scalars& otherwise) {
    for (std::size_t k = 0; k < then.size(); ++k) then[k] = choose(condition.at(0), then[k], otherwise.at(k));
    return then;
  }

  Scalars primitive(const PrimPhrase& x) {
    std::vector<Scalars> a;
    for (const PhraseRef& p : x.arguments) a.push_back(scalars(*p));
    if (is_pair(x)) {
      a[0].insert(a[0].end(), a[1].begin(), a[1].end());
      return a[0];
    }
    if (const int k = component_taken(x)) {
      const auto first = static_cast<std::ptrdiff_t>(scalars_in(*as<PairType>(data_of(*x.arguments[0]))->first));
      return k == 1 ? Scalars(a[0].begin(), a[0].begin() + first) : Scalars(a[0].begin() + first, a[0].end());
    }
    const auto* view = std::get_if<View>(&x.primitive->kind);
    if (view && view->chooses) return chosen(a[0], a[1], a[2]);
    const auto* t = x.types.empty() ? nullptr : as<ScalarType>(x.types[0]);
    const auto* op = std::get_if<ScalarOp>(&x.primitive->kind);
    if (!t || !op) throw NoTerm{};
    // What can trap has no term whose equality is the equality of results.
    if (op->can_trap(*t)) throw NoTerm{};
    Scalars arguments;
    for (const Scalars& s : a) arguments.push_back(s.size() == 1 ? s[0] : throw NoTerm{});
    return {operation(*op, *t, arguments)};
  }

  Term operation(const ScalarOp& op, ScalarType t, const Scalars& x) const {
    if (floats_ == Floats::Reals) {
      if (is_float(t)) return on_reals(op.definition(t), x);
      if (is_float(op.result(t))) throw NoTerm{};
    }
    const auto term = operator_term(op, t, x);
    return term ? *term : throw NoTerm{};
  }

  // What its definition says, with numbers that are never NaN.
  static Term on_reals(const scalars::Definition& d, const std::vector<Term>& x) {
    using D = scalars::Definition;
    const auto operand = [&](std::size_t k) { return on_reals(scalars::operands_of(d)[k], x); };
    if (const auto* a = std::get_if<D::Argument>(&d.node)) return x[a->k];
    if (std::get_if<D::Choice>(&d.node)) return choose(operand(0), operand(1), operand(2));
    const auto* a = std::get_if<D::Apply>(&d.node);
    if (!a) throw NoTerm{};
    using enum scalars::Operation;
    if (a->op == Add) return operand(0) + operand(1);
    if (a->op == Subtract) return operand(0) - operand(1);
    if (a->op == Multiply) return operand(0) * operand(1);
    if (a->op == Negate) return number(real, 0) - operand(0);
    if (a->op == Equal) return equal(operand(0), operand(1));
    if (a->op == NotEqual) return unequal(operand(0), operand(1));
    if (a->op == Less) return less(operand(0), operand(1));
    if (a->op == LessEqual) return at_most(operand(0), operand(1));
    if (a->op == Greater) return less(operand(1), operand(0));
    if (a->op == GreaterEqual) return at_most(operand(1), operand(0));
    if (a->op == Or && d.type == ScalarType::Bool) return any_of({operand(0), operand(1)});
    if (a->op == And && d.type == ScalarType::Bool) return all_of({operand(0), operand(1)});
    throw NoTerm{};
  }

  Floats floats_;
  std::size_t count_ = 0;
  std::map<std::string, Scalars> bound_;
};

Question question_of(const LawSides& sides, Floats floats) {
  Reader reader(floats);
  for (const auto& [name, type] : sides.left.parameters) reader.bind_unknown(name, type);
  const Scalars left = reader.scalars(*sides.left.body), right = reader.scalars(*sides.right.body);
  std::vector<Term> same;
  for (std::size_t k = 0; k < left.size(); ++k) same.push_back(equal(left[k], right.at(k)));
  return {{}, all_of(std::move(same))};
}

// Floats go through sums, differences, products and what is exact, alone.
bool keeps_whole_numbers(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  bool out = !op || x->types.empty() || !has_float(x->types[0]) || is_rational(*op, operand_scalar(x->types[0]));
  for_each_child(p, [&](const PhraseRef& c) { out = out && keeps_whole_numbers(*c); });
  return out;
}

FloatUse use_of_floats(const LawSides& sides) {
  FloatUse out;
  out.note(*sides.left.body);
  out.note(*sides.right.body);
  return out;
}

}  // namespace

bool is_exact_on_small(const LawSides& sides) {
  return keeps_whole_numbers(*sides.left.body) && keeps_whole_numbers(*sides.right.body);
}

bool has_floats(const LawSides& sides) { return use_of_floats(sides).any; }

LawProof prove_law(const LawSides& sides, unsigned timeout_ms, const Solver& solver, LawFloats as) {
  const FloatUse floats = use_of_floats(sides);
  if (floats.any ? !floats.rational : as == LawFloats::Reals) return {};
  const bool reals = floats.any && (!floats.exact || as == LawFloats::Reals);
  try {
    const Question question = question_of(sides, reals ? Floats::Reals : Floats::Ieee);
    return {solver.ask(question, {timeout_ms}).kind, reals};
  } catch (const NoTerm&) {
    return {Verdict::Unknown, reals};
  }
}

}  // namespace lockstep::proofs
