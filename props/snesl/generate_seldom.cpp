// Vectors that are seldom asked: some hundreds, and once in a thousand times a condition under which `!` or `seq` reads
// one. What space costs does not let them stay.
#include "props/snesl/generate_state.h"

namespace lockstep::props::stream {

using namespace snesl::surface;
using snesl::prim;

namespace {

Expr sum_over(Expr body, const std::string& x, Expr source) {
  return make::call("sum", {make::comprehension(std::move(body), make::bind(x), std::move(source))});
}
Expr count_to(int n) { return make::prefix(Prefix::Iota, make::number(n)); }

}  // namespace

// An Int of a vector of so many elements: Ints, Chars, or vectors of Ints with as many.
Expr Generator::asked(const std::string& v, Vectors of, int length) {
  const Expr whole = make::name(v);
  const std::string y = "e" + std::to_string(count_++);
  const auto as_int = [&](Expr e) -> Expr {
    switch (of) {
      case Vectors::OfInts:
        return e;
      case Vectors::OfChars:
        return make::call("int", {std::move(e)});
      case Vectors::OfVectors:
        if (random_.percent(50)) return make::index(std::move(e), make::number(random_.below(length)));
        return make::call("sum", {make::call("seq", {std::move(e)})});
    }
    throw Bug("vectors of no elements");
  };
  return random_.one_of(
      Way{1, [&] { return as_int(make::index(whole, make::number(random_.below(length)))); }},
      Way{1, [&] { return sum_over(as_int(make::name(y)), y, make::call("seq", {whole})); }},
      Way{1, [&] { return sum_over(as_int(make::index(whole, make::name(y))), y, count_to(length)); }});
}

Expr Generator::seldom_asked() {
  const std::string x = "i" + std::to_string(count_++), y = "j" + std::to_string(count_++),
                    v = "w" + std::to_string(count_++);
  const int many = 80 + random_.below(80), length = 1 + random_.below(4);
  static const std::vector<Vectors> all{Vectors::OfInts, Vectors::OfInts, Vectors::OfChars, Vectors::OfVectors};
  const Vectors of = random_.among(all);
  Expr element = make::infix(Infix::Mul, make::name(x), make::name(y));
  if (of == Vectors::OfChars) element = make::call("char", {make::infix(Infix::BitAnd, element, make::number(127))});
  if (of == Vectors::OfVectors)
    element = make::call("tab", {make::comprehension(make::name(x), make::bind("_"), count_to(length))});
  Expr vector = make::call("tab", {make::comprehension(std::move(element), make::bind(y), count_to(length))});
  Expr seldom = make::infix(Infix::Eq, make::infix(Infix::Mod, make::name(x), make::number(1000)),
                            make::number(random_.below(many + many / 4)));
  Expr once = asked(v, of, length);
  if (random_.percent(25))  // of vectors that a comprehension has made
    return make::call(
        "sum",
        {Expr{ComprehensionExpr{std::move(once),
                                {{make::bind(v), make::comprehension(std::move(vector), make::bind(x), count_to(many))},
                                 {make::bind(x), count_to(many)}},
                                std::move(seldom)},
              {}}});
  once = random_.one_of(
      Way{1, [&] { return make::choice(seldom, once, make::number(0)); }},
      Way{1, [&] { return make::call("sum", {make::guarded(once, seldom)}); }},
      Way{1, [&] { return sum_over(once, "_", make::prefix(Prefix::Iota, make::call("int", {seldom}))); }});
  return sum_over(make::let(make::bind(v), std::move(vector), std::move(once)), x, count_to(many));
}

}  // namespace lockstep::props::stream
