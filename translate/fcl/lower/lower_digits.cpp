// `interleave` by an index function of one's own whose value is a number in a mixed radix: its digits are quotients and
// remainders of the two indices, each once (fcl.md §3, `spread`), up or down; or the sum of both modulo the length of a
// chunk, which swizzles. Transposes bring them into their order.
// Where that is not known of it, it is `spread`, and a run finds whether two elements meet.
#include <algorithm>

#include "semantics/functional/source.h"
#include "translate/fcl/lower/lowering.h"

namespace lockstep::fcl::lowering {
namespace {

using make::call;

Size with_only(const Size& polynomial, const std::vector<std::string>& names, const std::string& one) {
  SizeSubstitution by;
  for (const std::string& n : names) by.emplace(n, Size(n == one ? 1 : 0));
  return substitute(polynomial, by);
}

}  // namespace

// The value of the function as a polynomial of the indices and their quotients; nothing where it is none.
class Lowering::Polynomial {
 public:
  // An index as itself and, where it is divided, as its quotient: names.
  struct Index {
    std::string itself, quotient;
    std::optional<Size> divisor{};
  };
  Polynomial(const Lowering& lowering, const std::string& pair, const Size& n)
      : lowering_(lowering), pair_(pair), n_(n) {}
  Index chunk{"%chunk", "%chunk/"}, element{"%element", "%element/"};
  // (i + j) % n, which in each chunk is another order of j. The sum is less than m * n, and does not wrap.
  const std::string turned = "%turned";

  std::optional<Size> of(const Expr& e) {
    if (const auto* l = as<LetExpr>(e)) {
      for (const Binding& b : l->bindings) {
        const auto value = of(*b.value);
        if (!value) return std::nullopt;
        bound_.insert_or_assign(b.name, *value);
      }
      return of(*l->body);
    }
    if (const auto* v = as<Variable>(e)) {
      if (const auto own = bound_.find(v->name); own != bound_.end()) return own->second;
      const auto* n = std::get_if<Number>(&lowering_.variable(v->name).node);
      return n ? lowering_.size_value(*n) : std::nullopt;
    }
    if (const auto* l = as<Literal>(e)) return Size(l->value.integer());
    if (const Spine s = spine_of(e); s.head == "fst" || s.head == "snd") {
      const auto* p = as<Variable>(*s.arguments[0]);
      if (!p || p->name != pair_) return std::nullopt;
      return Size::name(s.head == "fst" ? chunk.itself : element.itself);
    }
    const auto* i = as<InfixExpr>(e);
    if (!i) return std::nullopt;
    const auto a = of(*i->left), b = of(*i->right);
    if (!a || !b) return std::nullopt;
    if (i->op == Infix::Add) return *a + *b;
    if (i->op == Infix::Sub) return *a - *b;
    if (i->op == Infix::Mul) return *a * *b;
    if (i->op == Infix::Div) return divided(*a, *b);
    if (i->op != Infix::Mod) return std::nullopt;
    if (*a == Size::name(chunk.itself) + Size::name(element.itself) &&
        lowering_.proves({*b, SizeRelation::Equal, lowering_.sizes_.current(n_)}))
      return Size::name(turned);
    const auto q = divided(*a, *b);
    return q ? std::optional(*a - *b * *q) : std::nullopt;
  }

 private:
  // Of an index, always by the same; or of sizes.
  std::optional<Size> divided(const Size& a, const Size& b) {
    std::set<std::string> names;
    collect_names(a, names), collect_names(b, names);
    if (std::none_of(names.begin(), names.end(), [](const std::string& n) { return n.starts_with('%'); }))
      return floor_div(a, b);
    for (Index* x : {&chunk, &element}) {
      if (a != Size::name(x->itself) || (x->divisor && *x->divisor != b)) continue;
      x->divisor = b;
      return Size::name(x->quotient);
    }
    return std::nullopt;
  }

  const Lowering& lowering_;
  const std::string pair_;
  const Size n_;
  std::map<std::string, Size> bound_;
};

std::optional<Lowering::Digits> Lowering::digits_of(const Expr& f, const Size& m, const Size& n, const Region& at) {
  const Sizes before = sizes_;
  std::optional<Digits> found;
  try {
    found = known_digits(f, m, n, at);
  } catch (const NotLowered&) {
  }
  if (!found) sizes_ = before;
  return found;
}

std::optional<Lowering::Digits> Lowering::known_digits(const Expr& f, const Size& m, const Size& n, const Region& at) {
  const auto& fn = std::get<FnExpr>(f.node);
  Polynomial polynomial(*this, fn.parameters[0].name, n);
  const auto place = polynomial.of(*fn.body);
  if (!place) return {};
  const std::vector<std::string> names = {polynomial.chunk.itself, polynomial.chunk.quotient, polynomial.element.itself,
                                          polynomial.element.quotient, polynomial.turned};
  const Size start = with_only(*place, names, "");
  const auto coefficient = [&](const std::string& x) { return with_only(*place, names, x) - start; };
  Size linear = start;
  for (const std::string& x : names) linear = linear + coefficient(x) * Size::name(x);
  if (linear != *place) return {};
  const bool turned = coefficient(polynomial.turned) != Size(0);
  if (turned && (coefficient(polynomial.element.itself) != Size(0) || polynomial.element.divisor)) return {};
  if (turned) polynomial.element.itself = polynomial.turned;
  const auto digits = [&](const Polynomial::Index& x, const Size& length) -> std::vector<Digit> {
    const Size stride = coefficient(x.itself);
    if (!x.divisor) return {{length, stride}};
    // x is quotient * divisor + remainder
    const Size radix = *x.divisor, high = floor_div(length, radix);
    sizes_.at_most(1, radix, at);
    sizes_.same(high * radix, length, at);
    return {{high, stride * radix + coefficient(x.quotient)}, {radix, stride}};
  };
  Digits out{digits(polynomial.chunk, m), digits(polynomial.element, n), turned};
  Size first = 0;  // the place of 0, where digits that count down are at their greatest
  for (std::vector<Digit>* of : {&out.of_chunk, &out.of_element})
    for (Digit& d : *of) {
      d = {sizes_.current(d.radix), sizes_.current(d.stride)};  // a length may have given way
      d.down = !proves({0, SizeRelation::LessEqual, d.stride});
      if (d.down) d.stride = Size(0) - d.stride, first = first + (d.radix - 1) * d.stride;
    }
  if (!proves({first, SizeRelation::Equal, sizes_.current(start)})) return {};
  std::vector<Digit> all = out.of_chunk;
  all.insert(all.end(), out.of_element.begin(), out.of_element.end());
  std::vector<bool> taken(all.size());
  Size below = 1;
  for (std::size_t done = 0; done < all.size(); ++done) {
    std::size_t next = 0;
    while (next < all.size() && (taken[next] || !proves({all[next].stride, SizeRelation::Equal, below}))) ++next;
    if (next == all.size()) return {};
    taken[next] = true;
    out.order.insert(out.order.begin(), next);
    below = below * all[next].radix;
  }
  return out;
}

Text Lowering::in_order(Text x, const Digits& digits) {
  std::vector<Size> radices;
  std::vector<std::size_t> down;
  for (const std::vector<Digit>* of : {&digits.of_chunk, &digits.of_element})
    for (const Digit& d : *of) {
      if (d.down) down.push_back(radices.size());
      radices.push_back(d.radix);
    }
  if (digits.turned) x = call("swizzle", {std::move(x)});
  if (digits.of_chunk.size() > 1) x = call("split", {source_of(digits.of_chunk[1].radix), std::move(x)});
  std::vector<std::size_t> now(radices.size());
  for (std::size_t k = 0; k < now.size(); ++k) now[k] = k;
  // neighbours change places until the digit stands there
  const auto bring = [&](std::size_t digit, std::size_t to) {
    auto from = static_cast<std::size_t>(std::find(now.begin(), now.end(), digit) - now.begin());
    for (; from > to; --from) {
      const std::size_t first = from - 1;
      for (std::size_t k = 1; k < first; ++k) x = call("join", {std::move(x)});
      x = call(first == 0 ? "transpose" : "mapTranspose", {std::move(x)});
      std::swap(now[first], now[from]);
      for (std::size_t k = first; k-- > 1;) x = call("split", {source_of(radices[now[k]]), std::move(x)});
    }
  };
  for (const std::size_t digit : down) {
    bring(digit, 0);
    x = call("reverse", {std::move(x)});
  }
  for (std::size_t to = 0; to < now.size(); ++to) bring(digits.order[to], to);
  for (std::size_t k = 1; k < now.size(); ++k) x = call("join", {std::move(x)});
  return x;
}

Text Lowering::at_places(const Expr& f, Text chunks, const Size& m, const Size& n, int level, const Region& at) {
  const auto& fn = std::get<FnExpr>(f.node);
  const std::string own = fresh(fn.parameters[0].name);
  const auto part = [&](const char* which, const Size& most) {
    const Text t = call(which, {make::name(own)});
    return low(Number{ScalarType::I32, call("i32", {t}), Wide{t, 0, most}});
  };
  names_.insert_or_assign(fn.parameters[0].name, low_pair(part("fst", m - 1), part("snd", n - 1)));
  Text place = entered(m * n, [&] {
    return within([&] {
      const Number p = number(named("to", scalar(*fn.body)));
      return p.wide ? p.wide->text : call("i64", {p.text});
    });
  });
  Text out =
      call(level < most_above ? "spreadLocal" : "spreadGlobal",
           {source_of(n), make::lambda({make::bind(own)}, std::move(place)), in_memory(std::move(chunks), level)});
  out.region = at;
  return out;
}

}  // namespace lockstep::fcl::lowering
