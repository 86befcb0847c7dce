// Vectors that are seldom asked: one for each of many groups, and a condition under which `!` or `seq` reads one. The
// condition holds for one in a hundred where the groups are counted, for about one in a thousand where they are lines
// of a file or elements of one or of a parameter, of which large inputs have thousands. What space costs does not let
// the vectors stay.
#include "props/snesl/generate_state.h"

namespace lockstep::props::stream {

using namespace snesl::surface;
using snesl::prim;

namespace {

Expr sum_over(Expr body, const std::string& x, Expr source) {
  return make::call("sum", {make::comprehension(std::move(body), make::bind(x), std::move(source))});
}
Expr count_to(int n) { return make::prefix(Prefix::Iota, make::number(n)); }
Expr length_of(const std::string& v) { return make::prefix(Prefix::Length, make::name(v)); }

Expr around(const std::vector<Binding>& bindings, Expr body) {
  return bindings.empty() ? body : Expr{LetExpr{bindings, std::move(body)}, {}};
}

}  // namespace

// An Int of a vector: Ints, Chars, or vectors of `least` Ints. Whoever asks knows that it has `least` elements.
Expr Generator::asked(const std::string& v, Vectors of, int least, const Expr& length) {
  const Expr whole = make::name(v);
  const std::string y = "e" + std::to_string(count_++);
  const auto as_int = [&](Expr e) -> Expr {
    switch (of) {
      case Vectors::OfInts:
        return e;
      case Vectors::OfChars:
        return make::call("int", {std::move(e)});
      case Vectors::OfVectors:
        if (random_.percent(50)) return make::index(std::move(e), make::number(random_.below(least)));
        return make::call("sum", {make::call("seq", {std::move(e)})});
    }
    throw Bug("vectors of no elements");
  };
  return random_.one_of(
      Way{1, [&] { return as_int(make::index(whole, make::number(random_.below(least)))); }},
      Way{1, [&] { return sum_over(as_int(make::name(y)), y, make::call("seq", {whole})); }},
      Way{1,
          [&] { return sum_over(as_int(make::index(whole, make::name(y))), y, make::prefix(Prefix::Iota, length)); }});
}

// A vector of a few elements for each number x.
Expr Generator::vector_for(const std::string& x, Vectors of, int length) {
  const std::string y = "j" + std::to_string(count_++);
  Expr element = make::infix(Infix::Mul, make::name(x), make::name(y));
  if (of == Vectors::OfChars) element = make::call("char", {make::infix(Infix::BitAnd, element, make::number(127))});
  if (of == Vectors::OfVectors)
    element = make::call("tab", {make::comprehension(make::name(x), make::bind("_"), count_to(length))});
  return make::call("tab", {make::comprehension(std::move(element), make::bind(y), count_to(length))});
}

Generator::Groups Generator::numbered(const std::string& x, Expr source, std::vector<Binding> first, int modulus) {
  static const std::vector<Vectors> all{Vectors::OfInts, Vectors::OfInts, Vectors::OfChars, Vectors::OfVectors};
  const Vectors of = random_.among(all);
  const int length = 1 + random_.below(4);
  Expr seldom = make::infix(Infix::Eq, make::infix(Infix::Mod, make::name(x), make::number(modulus)),
                            make::number(random_.below(80)));
  return {std::move(first), std::move(source),   vector_for(x, of, length), std::move(seldom), of,
          length,           make::number(length)};
}

Generator::Groups Generator::groups(const std::string& x, const std::string& v) {
  const std::string s = "g" + std::to_string(count_++), i = "k" + std::to_string(count_++);
  static const std::vector<std::string> names{"lines", "words", "text"};
  const Expr file = make::call("read_file", {make::text(random_.among(names))});
  const auto elements_of = [&](Expr of) {
    Expr ones = make::comprehension(make::number(1), make::bind("_"), make::name(s));
    return numbered(x, make::name(i),
                    {{make::bind(s), std::move(of)}, {make::bind(i), make::call("scan-plus", {std::move(ones)})}},
                    1000);
  };
  const auto lines = [&] {
    const Expr flagged =
        make::tuple({make::name(i), make::infix(Infix::Eq, make::name(i), Expr{Literal{snesl::char_atom('\n')}, {}})});
    const int longer = 15 + random_.below(10);
    return Groups{{{make::bind(s), make::call("sep", {make::comprehension(flagged, make::bind(i), file)})}},
                  make::name(s),
                  make::call("tab", {make::name(x)}),
                  make::infix(Infix::Gt, length_of(v), make::number(longer)),
                  Vectors::OfChars,
                  longer,
                  length_of(v)};
  };
  const auto counted = [&] {
    const int many = 80 + random_.below(80);
    return numbered(x, count_to(many), {}, many);
  };
  return random_.one_of(Way{2, counted}, Way{3, lines}, Way{1, [&] { return elements_of(file); }},
                        Way{3, [&] { return elements_of(make::name(given_->name)); }});
}

Expr Generator::seldom_asked() {
  const std::string x = "i" + std::to_string(count_++), v = "w" + std::to_string(count_++);
  const Groups g = groups(x, v);
  const auto with_vector = [&](Expr body) { return make::let(make::bind(v), g.vector, std::move(body)); };
  asked_ = Asked{around(g.first, make::prefix(Prefix::Length, g.source)),
                 around(g.first, sum_over(with_vector(make::call("int", {g.seldom})), x, g.source))};
  Expr once = asked(v, g.of, g.least, g.length);
  if (random_.percent(25))  // of vectors that a comprehension has made
    return around(
        g.first,
        make::call("sum",
                   {Expr{ComprehensionExpr{std::move(once),
                                           {{make::bind(v), make::comprehension(g.vector, make::bind(x), g.source)},
                                            {make::bind(x), g.source}},
                                           g.seldom},
                         {}}}));
  once = random_.one_of(
      Way{1, [&] { return make::choice(g.seldom, once, make::number(0)); }},
      Way{1, [&] { return make::call("sum", {make::guarded(once, g.seldom)}); }},
      Way{1, [&] { return sum_over(once, "_", make::prefix(Prefix::Iota, make::call("int", {g.seldom}))); }});
  return around(g.first, sum_over(with_vector(std::move(once)), x, g.source));
}

}  // namespace lockstep::props::stream
