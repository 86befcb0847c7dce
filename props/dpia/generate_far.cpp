// Random reads of arrays that nobody stores: views of views of `iota` and `replicate`, as long as `large`, which may be
// near 2^31 and beyond. What of them is read, at one place or at a few, is a scalar.
#include <algorithm>

#include "props/dpia/generate_state.h"

namespace lockstep::props {
namespace {

const char* large = "large";

bool is_far(const Size& s) {
  std::set<std::string> names;
  collect_names(s, names);
  return names.contains(large);
}
bool is_far(const Type& t) {
  if (const auto* p = as<PairType>(t)) return is_far(*p->first) || is_far(*p->second);
  const auto* a = as<ArrayType>(t);
  return a && (is_far(a->length) || is_far(*a->element));
}

surface::Expr i64_literal(std::string digits) { return {surface::Literal{std::move(digits), ScalarType::I64}, {}}; }

}  // namespace

// A number that no array has, and that may be large.
void Generator::name_large(surface::Definition& d) {
  d.sizes.push_back({large, {}});
  size_names_.push_back(large);
}
bool Generator::has_large() const {
  return std::find(size_names_.begin(), size_names_.end(), large) != size_names_.end();
}

// Never empty: one more than a size, so that most indices are inside.
Generator::Seen Generator::far_array() {
  const Size more = Size::name(large) + Size(1);
  static const std::vector<std::int64_t> factors = {1, 2, 4, 4, 12, 16};
  const Size whole = Size(random_.among(factors)) * more;
  const Size n = whole + Size(random_.percent(10) ? 1 + random_.below(3) : 0);
  const auto counted = [&](const Size& s) {
    return Seen{make::call("iota", {make::size(s)}), array(s, scalar(ScalarType::I64))};
  };
  const auto alike = [&](const Size& s, const Type& t) {
    Expr x = leaf(t, false);
    return Seen{make::call("replicate", {make::size(s), std::move(x)}), array(s, t)};
  };
  const auto joined = [&](const Seen& a, const Seen& b) {
    const Size s = as<ArrayType>(a.type)->length + as<ArrayType>(b.type)->length;
    return Seen{make::call("concat", {a.e, b.e}), array(s, *as<ArrayType>(a.type)->element)};
  };
  const auto beside = [&](const Seen& a, const Seen& b) {
    return Seen{make::call("zip", {a.e, b.e}),
                array(n, pair(*as<ArrayType>(a.type)->element, *as<ArrayType>(b.type)->element))};
  };
  const Type t = scalar(random_scalar_type());
  return random_.one_of(Way{6, [&] { return counted(n); }}, Way{1, [&] { return alike(n, array(2, t)); }},
                        Way{2,
                            [&] {
                              const Seen first = alike(more, t);
                              return joined(first, alike(n, t));
                            }},
                        Way{2, [&] { return joined(counted(n), counted(more)); }},
                        Way{1, [&] { return beside(counted(n), alike(n, t)); }});
}

// Nothing where x has no fitting type, or what the view takes beside it would be stored.
std::optional<Generator::Seen> Generator::view_of_far(const Seen& x) {
  using Found = std::optional<Seen>;
  const auto* a = as<ArrayType>(x.type);
  if (!a) return {};
  const auto seen_as = [&](const std::vector<std::string>& names) -> Found {
    Found out = view_of(random_.among(names), x);
    const auto* made = out ? as<ArrayType>(out->type) : nullptr;
    return made && made->length.constant() == 0 ? Found() : out;
  };
  const auto longer = [&] { return is_far(*a->element) ? Found() : seen_as({"concat", "pad"}); };
  const auto numbered = [&] {
    return Found({make::call("zip", {x.e, make::call("iota", {make::size(a->length)})}),
                  array(a->length, pair(*a->element, scalar(ScalarType::I64)))});
  };
  const auto component = [&] {
    Found out = view_of("unzip", x);
    if (!out) return out;
    const bool first = random_.percent(50);
    const auto& both = *as<PairType>(out->type);
    return Found({make::call(first ? "fst" : "snd", {std::move(out->e)}), first ? *both.first : *both.second});
  };
  return random_.one_of(
      Way{3, [&] { return seen_as({"split"}); }}, Way{2, [&] { return seen_as({"join"}); }},
      Way{8,
          [&] {
            return seen_as({"transpose", "take", "drop", "reverse", "slide", "asVector", "asScalar", "replicate"});
          }},
      Way{2, longer}, Way{1, numbered}, Way{1, component});
}

// Inside an array of n elements where there are any: near its ends and its middle, or anywhere.
surface::Expr Generator::far_index(const Size& n) {
  if (const auto c = n.constant()) return make::number(random_.below(static_cast<int>(std::max<std::int64_t>(1, *c))));
  const auto number = [](const Size& s) { return make::call("i64", {make::size(s)}); };
  const auto anywhere = [&] {
    static const std::vector<std::string> factors = {"1000000007", "2147483647", "2147483649", "4294967291"};
    Expr x = leaf(scalar(ScalarType::I64), false);
    Expr large = make::binary("*", std::move(x), i64_literal(random_.among(factors)));
    Expr natural = make::binary("&", std::move(large), i64_literal("0x7ffffffffff"));
    return make::binary("%", std::move(natural), number(n));
  };
  return random_.one_of(
      Way{3, anywhere}, Way{2, [&] { return make::binary("-", number(n), make::number(1 + random_.below(2))); }},
      Way{1, [&] { return number(floor_div(n, 2)); }}, Way{1, [&] { return make::number(random_.below(2)); }});
}

// The scalar where it is `at` in each array, by a component of each pair.
Generator::Seen Generator::far_scalar(Seen x) {
  while (!as<ScalarType>(x.type)) {
    const auto* p = as<PairType>(x.type);
    const auto* v = as<VectorType>(x.type);
    if (p) {
      const bool first = random_.percent(50);
      x = Seen{make::call(first ? "fst" : "snd", {std::move(x.e)}), first ? *p->first : *p->second};
      continue;
    }
    Expr from = v ? make::call("lanes", {std::move(x.e)}) : std::move(x.e);
    Expr at = far_index(v ? v->width : as<ArrayType>(x.type)->length);
    x = Seen{Expr{surface::Index{std::move(from), std::move(at)}, {}},
             v ? *v->element : *as<ArrayType>(x.type)->element};
  }
  return x;
}

surface::Expr Generator::far_read(ScalarType s) {
  Seen x = far_array();
  for (int more = 1 + random_.below(3); more > 0; --more)  // one in two fits
    if (auto e = view_of_far(x)) x = std::move(*e);
  const auto* a = as<ArrayType>(x.type);
  if (!a || !as<ScalarType>(*a->element) || random_.percent(70)) {
    Seen one = far_scalar(std::move(x));
    return converted(std::move(one.e), *as<ScalarType>(one.type), s);
  }
  surface::ArrayLiteral indices;
  for (int k = 0; k < 2; ++k) indices.parts.push_back(far_index(a->length));
  const std::string y = fresh("x"), sum = fresh("x");
  Expr body = make::binary(s == ScalarType::Bool ? "!=" : "+",
                           converted(make::name(y), *as<ScalarType>(*a->element), s), make::name(sum));
  Expr start = literal(s, false);
  return make::call("reduce", {make::lambda({make::bind(y), make::bind(sum)}, std::move(body)), std::move(start),
                               make::call("gather", {Expr{std::move(indices), {}}, std::move(x.e)})});
}

void Generator::beside_far_read(surface::Definition& d) {
  const ScalarType s = random_.percent(60) ? ScalarType::I64 : random_scalar_type();
  reads_far_ = true;
  Expr read = far_read(s);
  reads_far_ = false;
  beside(d, std::move(read), s);
}

}  // namespace lockstep::props
