// The end of a definition's inference: operands and literals get their types, unknowns are replaced, indexing is
// decided, and what must hold of sizes is collected.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "semantics/functional/advice.h"
#include "semantics/functional/elaborate.h"

namespace lockstep::inference {

// -------------------------------------------------------------------------------------------------- operands
// idx(n) becomes i64 under an operator; until an argument's type is known it could be either.
void Elaborator::operand(const Type& operand, const Type& argument, const Region& region, const std::string& what) {
  unsettled_.insert(operands_.size());
  operands_.push_back({operand, argument, region, what});
}

// False where it is still open; then it waits for its types to change.
bool Elaborator::settle_operand(std::size_t k, bool last) {
  const OperandUse& use = operands_[k];
  const Type argument = unifier_.shallow(use.argument), operand = unifier_.shallow(use.operand);
  const bool may_be_index = Unifier::is_unknown(argument) &&
                            (Unifier::is_unknown(operand) || operand == scalar(ScalarType::I64)) &&
                            !unifier_.is_number(argument);
  if (may_be_index && !last) {
    waiting_[as<TypeVariable>(argument)->name].push_back(k);
    if (const auto* unknown = as<TypeVariable>(operand)) waiting_[unknown->name].push_back(k);
    return false;
  }
  unsettled_.erase(k);
  unify(operand, as<IndexType>(argument) ? scalar(ScalarType::I64) : argument, use.region, use.what);
  return true;
}

// In the order of the source, again and again while something comes of it; only what changed is looked at again.
void Elaborator::settle_operands(bool last) {
  std::set<std::size_t> round, next;
  std::size_t at = 0;  // in this round
  const auto wake = [&](std::size_t k) {
    if (unsettled_.contains(k)) (k > at ? round : next).insert(k);
  };
  const auto wake_changed = [&] {
    for (const std::string& name : unifier_.take_changed())
      if (const auto those = waiting_.extract(name))
        for (const std::size_t k : those.mapped()) wake(k);
  };
  for (; looked_at_ < operands_.size(); ++looked_at_) next.insert(looked_at_);
  wake_changed();
  if (last) next = unsettled_;
  next.merge(round);
  while (!next.empty()) {
    round = std::exchange(next, {});
    while (!round.empty()) {
      at = *round.begin();
      round.erase(round.begin());
      if (settle_operand(at, last)) wake_changed();
    }
  }
}

// The parameter of a local function to which only indices are given takes an index, otherwise a number.
void Elaborator::settle_indices() {
  for (const IndexUse& use : std::exchange(indices_, {})) {
    const bool literal = is_literal(use.parameter);
    if (literal) unify(use.parameter, scalar(ScalarType::I64), use.region, use.what);
    if (literal || unifier_.shallow(use.parameter) == scalar(ScalarType::I64)) continue;
    unify(use.parameter, use.argument, use.region, use.what);
  }
}

void Elaborator::default_literals() {
  std::set<std::string> floats;
  for (const std::string& u : float_unknowns_)
    if (const Type t = unifier_.shallow(type_variable(u)); Unifier::is_unknown(t))
      floats.insert(as<TypeVariable>(t)->name);
  for (const bool is_float : {true, false})  // a float literal decides for the integer literals beside it
    for (const LiteralUse& l : literals_) {
      const Type t = unifier_.shallow(l.type);
      if (!Unifier::is_unknown(t)) continue;
      const bool wants_float = floats.contains(as<TypeVariable>(t)->name);
      if (is_float != (l.is_float || wants_float)) continue;
      defaulted_.insert(l.region.begin);
      unify(t, scalar(is_float ? ScalarType::F32 : ScalarType::I32), l.region, "this literal");
    }
}

// -------------------------------------------------------------------------------------------------- the definition
static bool overlap(const Region& a, const Region& b) { return a.begin < b.end && b.begin < a.end; }

// What is open in a function that nothing uses is open for that reason. Otherwise one error for each place: what stands
// around and in it is open for the same reason.
void Elaborator::refuse_unknowns() {
  const std::vector<Unifier::Open> types = unifier_.open_types(), sizes = unifier_.open_sizes();
  std::vector<Region> told;
  const auto tell = [&](const Region& region, const std::string& message, const char* expected, const char* mend) {
    if (std::any_of(told.begin(), told.end(), [&](const Region& r) { return overlap(r, region); })) return;
    told.push_back(region);
    report(region, message, expected, mend);
  };
  for (const auto& open : {types, sizes})
    for (const Unifier::Open& o : open)
      for (const Binding& f : unused_)
        if (f.local_function.begin <= o.region.begin && o.region.end <= f.local_function.end)
          tell(f.local_function, "nothing uses the local function " + f.name + ", so nothing determines its type",
               "a use of it", "leave it out");
  if (!told.empty()) throw Failure{};
  for (const Unifier::Open& o : types)
    tell(o.region, "nothing determines " + o.what, "",
         "give a literal a suffix, or use the value where its type is known");
  for (const Unifier::Open& o : sizes)
    tell(o.region, "nothing determines " + o.what, "",
         "make it an explicit size argument, (k : nat), or give the array a known length");
  if (!told.empty()) throw Failure{};
}

PhraseRef Elaborator::definition(const surface::Expr& body, const Type& result) {
  const Typed t = expression(body, result);
  unifier_.solve();
  settle_operands(false);
  settle_indices();
  settle_operands(false);
  for (int round = 0; round < 8 && !unsettled_.empty(); ++round) settle_operands(true), unifier_.solve();
  default_literals();
  settle_operands(true);
  unifier_.solve();
  refuse_unknowns();
  for (const ClassUse& c : classes_) {
    Type operand = unifier_.deep(c.type);
    const bool vector = as<VectorType>(operand) != nullptr;
    if (vector) operand = Type(*as<VectorType>(operand)->element);
    const auto* s = as<ScalarType>(operand);
    const bool index = as<IndexType>(operand) != nullptr;
    static constexpr std::string_view wanted[] = {"a number", "a float, f32 or f64", "an integer", "a bool",
                                                  "a scalar", "u32 or u64"};
    const bool fits = s ? c.op.takes(*s) : index && c.op.operands == Operands::Any;
    const bool lifts =
        c.op.operands != Operands::Bool && c.op.operands != Operands::Any && !c.op.gives_bool && !c.op.gives_bits;
    if (!fits || (vector && !lifts))
      report(c.region, c.what + " has operands of the type " + show(unifier_.deep(c.type)),
             std::string(wanted[static_cast<int>(c.op.operands)]),
             vector ? "compare or convert lane by lane: lanes v gives an array" : "");
  }
  natural_solutions();
  for (const SizeEquation& e : unifier_.equations()) {
    const SizeFact fact{unifier_.size(e.left), SizeRelation::Equal, unifier_.size(e.right)};
    if (fact.left == fact.right) continue;
    if (e.unification) equality_of_.emplace(obligations.size(), e.unification - 1);
    require(fact, e.region, e.origin);
  }
  const SizeSubstitution solution = unifier_.size_solution();
  for (SizeObligation& o : obligations) o.goal = lockstep::substitute(o.goal, solution);
  return finish(substitute_sizes(t.phrase, solution, unifier_.type_solution()));
}

void Elaborator::require(SizeFact fact, const Region& region, std::string origin) {
  obligations.push_back({std::move(fact), {}, region, std::move(origin), {}, Verdict::Unknown, {}, 0});
}

// Of a size that is a number below 0, what it needs: from 5 + m == 3 that 5 <= 3.
SizeFact Elaborator::needed_of_negative(const std::string& name, const Size& value) const {
  if (const SizeEquation* from = unifier_.solved_from(name))
    for (const auto& [side, other] : {std::pair{from->left, from->right}, std::pair{from->right, from->left}}) {
      if (!mentions(side, name) || mentions(other, name)) continue;
      const Size at_zero = unifier_.size(lockstep::substitute(side, {{name, Size(0)}})), goal = unifier_.size(other);
      if (goal - at_zero == value && at_zero.constant() && goal.constant())
        return {at_zero, SizeRelation::LessEqual, goal};
    }
  return {0, SizeRelation::LessEqual, value};
}

// A size is a natural number: k <= n where an unknown was solved as n - k.
void Elaborator::natural_solutions() {
  std::size_t k = 0;
  const SizeSubstitution solution = unifier_.size_solution();
  for (const auto& [name, value] : solution) {
    ++k;
    Size positive = 0, negative = 0;
    for (const SizeTerm& t : value.terms()) {
      Size product = t.coefficient < 0 ? -t.coefficient : t.coefficient;
      for (const auto& [atom, power] : t.powers)
        for (int p = 0; p < power; ++p)
          product = product *
                    (atom.division ? floor_div(atom.division->first, atom.division->second) : Size::name(atom.name));
      (t.coefficient < 0 ? negative : positive) = (t.coefficient < 0 ? negative : positive) + product;
    }
    // A floor division of something negative would be negative without a minus in front.
    for (const SizeTerm& t : value.terms())
      for (const auto& [atom, power] : t.powers)
        if (atom.division) {
          bool minus = false;
          for (const SizeTerm& inner : atom.division->first.terms()) minus = minus || inner.coefficient < 0;
          if (minus)
            require({0, SizeRelation::LessEqual, atom.division->first}, unifier_.region_of(name),
                    unifier_.what_of(name));
        }
    if (value.constant().value_or(0) < 0)
      require(needed_of_negative(name, value), unifier_.region_of(name), unifier_.what_of(name));
    else if (!(negative == Size(0)))
      require({negative, SizeRelation::LessEqual, positive}, unifier_.region_of(name), unifier_.what_of(name));
  }
}

// -------------------------------------------------------------------------------------------------- finishing
PhraseRef Elaborator::finish(const PhraseRef& p) {
  if (const auto* l = as<LiteralPhrase>(*p)) return finish_literal(p, *l);
  const PhraseRef q = map_children(p, [&](const PhraseRef& c) { return finish(c); });
  const auto* x = as<PrimPhrase>(*q);
  if (!x) return q;
  if (is_element(*x) && !is_unchecked_element(*x)) return finish_index(q, *x);
  if (const auto* op = std::get_if<ScalarOp>(&x->primitive->kind)) return finish_operator(q, *x, *op);
  finish_view(q, *x);
  return q;
}

PhraseRef Elaborator::finish_literal(const PhraseRef& p, const LiteralPhrase& l) {
  if (l.digits.empty()) return p;  // done already
  const Type& t = data_of(*p);
  const auto* s = as<ScalarType>(t);
  const bool negative = l.digits.front() == '-';
  const std::string digits = l.digits.substr(negative ? 1 : 0);
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  const bool is_float_literal = !hex && digits.find_first_of(".eE") != std::string::npos;
  if (!s || *s == ScalarType::Bool) {
    std::string mend;
    if (const auto* v = as<VectorType>(t)) mend = "put it into every lane: splat " + show(v->width) + " " + digits;
    if (as<IndexType>(t)) mend = no_number_is_an_index;
    fail(p->region, "the literal " + l.digits + " stands where " + show(t) + " is wanted", show(t), mend);
  }
  if (is_float(*s)) {
    std::string decimal = l.digits;
    if (hex) {
      unsigned long long n = 0;
      if (std::from_chars(digits.data() + 2, digits.data() + digits.size(), n, 16).ec != std::errc())
        fail(p->region, "the literal " + l.digits + " does not fit 64 bits", "", "write it in decimal, with a point");
      decimal = (negative ? "-" : "") + std::to_string(n);
    }
    const Scalar value = ieee_domain().literal(*s, decimal);
    if (!(std::abs(value.ieee()) < HUGE_VAL))
      fail(p->region, "the literal " + l.digits + " is out of the range of " + std::string(show(*s)));
    return Phrase{p->type, LiteralPhrase{value, decimal}, p->region};
  }
  if (is_float_literal)
    fail(p->region, "the literal " + l.digits + " stands where " + show(t) + " is wanted", "an integer",
         "convert: " + show(t) + " " + digits);
  unsigned long long magnitude = 0;
  const char* begin = digits.data() + (hex ? 2 : 0);
  const auto parsed = std::from_chars(begin, digits.data() + digits.size(), magnitude, hex ? 16 : 10);
  const int bits = bits_of(*s);
  const unsigned long long top = bits == 64 && !is_signed(*s) ? ~0ULL
                                 : is_signed(*s)              ? (1ULL << (bits - 1)) - 1 + (negative ? 1 : 0)
                                                              : (1ULL << bits) - 1;
  if (parsed.ec != std::errc() || magnitude > (negative && !is_signed(*s) ? 0 : top))
    fail(p->region, "the literal " + l.digits + " is out of the range of " + std::string(show(*s)),
         is_signed(*s) ? "-2^" + std::to_string(bits - 1) + " to 2^" + std::to_string(bits - 1) + "-1"
                       : "0 to 2^" + std::to_string(bits) + "-1",
         range_advice(digits, negative, *s, p->region));
  return Phrase{p->type, LiteralPhrase{make_integer(*s, negative ? 0 - magnitude : magnitude), {}}, p->region};
}

static std::optional<unsigned long long> magnitude_of(const std::string& digits) {
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  unsigned long long n = 0;
  const char* begin = digits.data() + (hex ? 2 : 0);
  if (std::from_chars(begin, digits.data() + digits.size(), n, hex ? 16 : 10).ec != std::errc()) return {};
  return n;
}

static bool holds(ScalarType t, unsigned long long magnitude, bool negative) {
  if (!is_signed(t)) return (!negative || magnitude == 0) && (bits_of(t) == 64 || magnitude >> bits_of(t) == 0);
  return magnitude <= (1ULL << (bits_of(t) - 1)) - (negative ? 0 : 1);
}

// An integer out of the range of t.
std::string Elaborator::range_advice(const std::string& digits, bool negative, ScalarType t,
                                     const Region& region) const {
  const std::string sign = negative ? "-" : "";
  if (negative && !is_signed(t))
    return "a negative number wraps around by a conversion: " + std::string(show(t)) + " (-" + digits + "i64)";
  const auto n = magnitude_of(digits);
  for (const ScalarType wide : {ScalarType::I32, ScalarType::I64, ScalarType::U64})
    if (n && holds(wide, *n, negative))
      return defaulted_.contains(region.begin)
                 ? "nothing says its type, and i32 is meant then: write " + sign + digits + std::string(show(wide))
                 : std::string(show(wide)) + " holds it, where all that it meets is of this type";
  return "no integer type holds it";
}

// The type of a literal that stands directly under a conversion, where that type holds what is written and the type
// that a literal has by itself, i32 or f32, may not.
std::optional<Type> Elaborator::literal_under(const surface::Expr& e, ScalarType target) {
  const surface::Expr* at = &e;
  bool negative = false;
  if (const auto* minus = std::get_if<surface::Apply>(&at->node))
    if (const auto* op = std::get_if<surface::Operator>(&minus->function->node); op && op->symbol == "neg")
      negative = true, at = &*minus->argument;
  const auto* l = std::get_if<surface::Literal>(&at->node);
  if (!l || l->suffix || l->digits == "true" || l->digits == "false" || target == ScalarType::Bool) return {};
  const bool hex = l->digits.starts_with("0x") || l->digits.starts_with("0X");
  if (!hex && l->digits.find_first_of(".eE") != std::string::npos)
    return is_float(target) ? std::optional(scalar(target)) : std::nullopt;
  const auto n = magnitude_of(l->digits);
  if (n && holds(ScalarType::I32, *n, negative)) return {};
  const bool fits = is_float(target) ? n || !hex : n && holds(target, *n, negative);
  return fits ? std::optional(scalar(target)) : std::nullopt;
}

PhraseRef Elaborator::as_number(const PhraseRef& e, ScalarType t) {
  if (data_of(*e) == scalar(t)) return e;
  return prim(calculus_.primitive(show(t)), {}, {data_of(*e)}, {e}, scalar(t), e->region);
}

static bool is_negative(const LiteralPhrase& l) {
  return is_integer(l.value.type) && is_signed(l.value.type) && l.value.integer() < 0;
}

// xs ! i: no check where i is inside for all sizes, an error where it is outside for all.
PhraseRef Elaborator::finish_index(const PhraseRef& p, const PrimPhrase& x) {
  const Size& n = x.sizes[0];
  const PhraseRef& i = x.arguments[1];
  const Type element = x.types[0];
  const auto unchecked = [&](const PhraseRef& index) {
    return with_region(idx_of(calculus_.primitive("idx"), x.arguments[0], index), p->region);
  };
  if (const auto k = size_of_index(*i); k && inside(*k, n, p->region))
    return unchecked(with_region(index_at(*k, n), i->region));
  if (const auto* k = as<NatPhrase>(*i)) {
    if (context_.proves({n, SizeRelation::LessEqual, k->size}) || context_.proves({k->size, SizeRelation::Less, 0}))
      fail(i->region, "the index " + show(k->size) + " is outside an array of " + show(n) + " elements",
           "0 <= index < " + show(n));
  } else if (const auto* l = as<LiteralPhrase>(*i); l && is_negative(*l)) {
    fail(i->region,
         "the index " + std::to_string(l->value.integer()) + " is outside an array of " + show(n) + " elements",
         "0 <= index < " + show(n));
  } else if (const auto* t = as<IndexType>(data_of(*i))) {
    if (context_.simplify(t->bound - n) == Size(0)) return unchecked(i);
  } else if (const auto* s = as<ScalarType>(data_of(*i)); !s || !is_integer(*s)) {
    fail(i->region, "an index of the type " + show(data_of(*i)), "an integer or idx(" + show(n) + ")",
         s && is_float(*s) ? "convert: i64 (...)" : "");
  }
  return prim(x.primitive, {n}, {element}, {x.arguments[0], as_number(i, ScalarType::I64)}, element, p->region);
}

PhraseRef Elaborator::finish_operator(const PhraseRef& p, const PrimPhrase& x, const ScalarOp& op) {
  // A conversion takes an index as it is; one that stands where an index is wanted is none.
  if (op.gives) return as<IndexType>(data_of(*p)) ? x.arguments[0] : p;
  const auto* t = as<ScalarType>(x.types[0]);
  if (!t || *t != ScalarType::I64) return p;
  PrimPhrase y = x;
  for (PhraseRef& a : y.arguments)
    if (as<IndexType>(data_of(*a))) a = as_number(a, ScalarType::I64);
  return Phrase{p->type, std::move(y), p->region};
}

// What a primitive asks of its sizes and types beyond its type: numbers, scalars.
void Elaborator::finish_view(const PhraseRef& p, const PrimPhrase& x) {
  const auto legal_width = [](const Size& w) {
    const auto k = w.constant();
    return k && (*k == 2 || *k == 3 || *k == 4 || *k == 8 || *k == 16);
  };
  const auto check_vector = [&](const Type& t) {
    const auto* v = as<VectorType>(t);
    if (!v) return;
    if (!as<ScalarType>(*v->element))
      report(p->region, "short vectors of " + show(*v->element), "lanes of a scalar type");
    if (!legal_width(v->width))
      report(p->region, "a short vector of " + show(v->width) + " lanes", "2, 3, 4, 8 or 16 lanes, as a number");
  };
  const auto of_vectors = [](const Phrase& e) {
    const auto* a = as<ArrayType>(data_of(e));
    return a ? *a->element : data_of(e);
  };
  if (const auto* v = std::get_if<View>(&x.primitive->kind); v && v->vectors != ShortVectors::None)
    check_vector(of_vectors(v->vectors == ShortVectors::Made ? *p : *x.arguments[0]));
  const auto* loop = std::get_if<Loop>(&x.primitive->kind);
  if (!loop || loop->level != Level::Unroll) return;
  const std::string& name = x.primitive->name;
  const auto copies = x.sizes[0].constant();
  if (!copies)
    report(p->region, name + " over " + show(x.sizes[0]) + " elements",
           "a number of elements: the body is copied for each");
  else if (*copies > 1024)
    report(p->region, name + " would copy its body " + show(x.sizes[0]) + " times", "at most 1024 copies",
           "use " + calculus_.at_level(*loop, Level::Seq)->name);
}

}  // namespace lockstep::inference
