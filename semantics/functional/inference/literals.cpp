// Numbers as they are written: of which types they may be, and what they are of one.
#include "semantics/functional/inference/literals.h"

#include <cmath>

#include "semantics/functional/inference/advice.h"
#include "semantics/text/literal.h"

namespace lockstep::inference {

using namespace surface;

bool is_whole(const std::string& digits) {
  if (digits.empty() || !std::isdigit(static_cast<unsigned char>(digits[0]))) return false;
  return digits.starts_with("0x") || digits.starts_with("0X") || digits.find_first_of(".eE") == std::string::npos;
}

namespace {

std::optional<std::uint64_t> magnitude_of(const std::string& digits) {
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  return hex ? reading::number_value<std::uint64_t>(digits.substr(2), 16)
             : reading::number_value<std::uint64_t>(digits);
}

// An integer out of the range of t.
std::string range_advice(const Work& w, const std::string& digits, bool negative, ScalarType t, const Region& region) {
  const std::string sign = negative ? "-" : "";
  if (negative && !is_signed(t))
    return "a negative number wraps around by a conversion: " + std::string(show(t)) + " (-" + digits + "i64)";
  const auto n = magnitude_of(digits);
  for (const ScalarType wide : {ScalarType::I32, ScalarType::I64, ScalarType::U64})
    if (n && integer_of(wide, *n, negative))
      return w.operands.is_defaulted(region)
                 ? "nothing says its type, and i32 is meant then: write " + sign + digits + std::string(show(wide))
                 : std::string(show(wide)) + " holds it, where all that it meets is of this type";
  return "no integer type holds it";
}

}  // namespace

std::optional<std::int64_t> number_value(const std::string& digits) {
  const auto n = magnitude_of(digits);
  const auto value = n ? integer_of(ScalarType::I64, *n, false) : std::nullopt;
  return value ? std::optional(value->integer()) : std::nullopt;
}

std::optional<Type> literal_under(const surface::Expr& e, ScalarType target) {
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
  if (n && integer_of(ScalarType::I32, *n, negative)) return {};
  const bool fits = is_float(target) ? n || !hex : n && integer_of(target, *n, negative);
  return fits ? std::optional(scalar(target)) : std::nullopt;
}

Typed literal_of(Work& w, const surface::Literal& l, bool negative, const Region& region,
                 const std::optional<Type>& expected) {
  if (l.digits == "true" || l.digits == "false") {
    return {with_region(bool_literal(l.digits == "true"), region), scalar(ScalarType::Bool)};
  }
  const bool hex = l.digits.starts_with("0x") || l.digits.starts_with("0X");
  const bool is_float = !hex && l.digits.find_first_of(".eE") != std::string::npos;
  const Type want = expected ? w.types().shallow(*expected) : index_type(0);
  const Type t = l.suffix               ? scalar(*l.suffix)
                 : as<ScalarType>(want) ? want
                                        : w.types().fresh_type(region, "the type of this literal");
  if (Unifier::is_unknown(t)) {
    w.operands.literal(t, is_float, region);
    w.types().mark_number(t);
  }
  const PhraseRef p = Phrase{exp_type(t), LiteralPhrase{Scalar{}, (negative ? "-" : "") + l.digits}, region};
  return {p, t};
}

PhraseRef finish_literal(Work& w, const PhraseRef& p, const LiteralPhrase& l) {
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
    w.fail(p->region, "the literal " + l.digits + " stands where " + show(t) + " is wanted", show(t), mend);
  }
  if (is_float(*s)) {
    std::string decimal = l.digits;
    if (hex) {
      const auto n = magnitude_of(digits);
      if (!n)
        w.fail(p->region, "the literal " + l.digits + " does not fit 64 bits", "", "write it in decimal, with a point");
      decimal = (negative ? "-" : "") + std::to_string(*n);
    }
    const Scalar value = ieee_domain().literal(*s, decimal);
    if (!(std::abs(value.ieee()) < HUGE_VAL))
      w.fail(p->region, "the literal " + l.digits + " is out of the range of " + std::string(show(*s)));
    return Phrase{p->type, LiteralPhrase{value, decimal}, p->region};
  }
  if (is_float_literal)
    w.fail(p->region, "the literal " + l.digits + " stands where " + show(t) + " is wanted", "an integer",
           "convert: " + show(t) + " " + digits);
  const auto n = magnitude_of(digits);
  const int bits = bits_of(*s);
  const auto value = n ? integer_of(*s, *n, negative) : std::nullopt;
  if (!value)
    w.fail(p->region, "the literal " + l.digits + " is out of the range of " + std::string(show(*s)),
           is_signed(*s) ? "-2^" + std::to_string(bits - 1) + " to 2^" + std::to_string(bits - 1) + "-1"
                         : "0 to 2^" + std::to_string(bits) + "-1",
           range_advice(w, digits, negative, *s, p->region));
  return Phrase{p->type, LiteralPhrase{*value, {}}, p->region};
}

}  // namespace lockstep::inference
