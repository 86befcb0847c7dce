// Scalars: ints that are indices or sizes in 64 bits as long as they cannot wrap, all others as FCL has them.
#include <algorithm>

#include "semantics/fcl/builtins.h"
#include "semantics/fcl/operators.h"
#include "semantics/functional/source.h"
#include "translate/fcl/lower/lowering.h"

namespace lockstep::fcl::lowering {
namespace {

// Of sizes, and of lengths that are known only when it runs.
std::optional<Size> value_of(const Number& n) {
  return n.wide && n.wide->is_size() ? std::optional(n.wide->most) : n.conditional;
}
Text i32_of(const Wide& w) { return make::call("i32", {w.text}); }

}  // namespace

SizeContext Lowering::context() const {
  SizeContext context;
  for (const SizeFact& fact : sizes_.facts())
    if (none_wraps_ || fact.right != most_int()) context.assume(fact);
  for (const auto& [name, most] : running_)
    context.assume({Size::name(name), SizeRelation::LessEqual, sizes_.current(most)});
  for (const SizeFact& fact : here_)
    context.assume(
        {context.simplify(sizes_.current(fact.left)), fact.relation, context.simplify(sizes_.current(fact.right))});
  return context;
}
bool Lowering::proves(const SizeContext& context, const SizeFact& f) const {
  return context.proves({sizes_.current(f.left), f.relation, sizes_.current(f.right)});
}
bool Lowering::fits(const Size& n, std::size_t counts) const {
  if (const auto k = n.constant()) return *k <= 2147483647;
  // a quotient is no more than what is divided
  if (n.terms().size() == 1 && n.terms()[0].coefficient == 1 && n.terms()[0].powers.size() == 1)
    if (const auto& [atom, power] = n.terms()[0].powers[0];
        power == 1 && atom.division && fits(atom.division->first, counts))
      return true;
  if (counts == 0) return false;
  const SizeContext known = context();
  return std::any_of(counts_.begin(), counts_.begin() + static_cast<std::ptrdiff_t>(counts), [&](const Size& c) {
    return proves(known, {n, SizeRelation::LessEqual, c});
  });
}

const Low& Lowering::variable(const std::string& name) const {
  const auto at = names_.find(name);
  if (at == names_.end()) throw Bug("a name of a normal form that nothing binds: " + name);
  return at->second;
}

std::optional<Size> Lowering::size_value(const Number& n) const {
  const auto value = value_of(n);
  return value && runs(*value) ? std::nullopt : value;
}

bool Lowering::runs(const Size& s) const {
  return std::any_of(running_.begin(), running_.end(), [&](const auto& r) { return mentions(s, r.first); });
}
Size Lowering::upper(const Size& s) const {
  SizeSubstitution most;
  for (const auto& [name, value] : running_) most.emplace(name, sizes_.current(value));
  return runs(s) ? substitute(positive_part(s), most) : s;
}
Text Lowering::text_of(const Size& s) const {
  if (!runs(s)) return size_text(s);
  const auto atom = [&](const SizeAtom& a) {
    if (a.division) return make::binary("/", text_of(a.division->first), text_of(a.division->second));
    return running_.contains(a.name) ? make::name(a.name) : size_text(Size::name(a.name));
  };
  std::optional<Text> out;
  for (const bool positive : {true, false})
    for (const SizeTerm& t : s.terms()) {
      if ((t.coefficient > 0) != positive) continue;
      std::optional<Text> product;
      if (const std::int64_t n = positive ? t.coefficient : -t.coefficient; n != 1 || t.powers.empty())
        product = size_text(n);
      for (const auto& [a, power] : t.powers)
        for (int k = 0; k < power; ++k) product = product ? make::binary("*", *product, atom(a)) : atom(a);
      if (!out && !positive) out = size_text(0);
      out = out ? make::binary(positive ? "+" : "-", *out, *product) : *product;
    }
  return out.value_or(size_text(0));
}
// What is needed of sizes for it is required.
Size Lowering::as_size(const Low& l, const std::string& what, const Region& at) {
  const Number& n = number(l);
  const auto value = size_value(n);
  if (!value) refuse(at, what + " is known only when it runs");
  for (const SizeFact& f : n.needs) {
    if (f.relation != SizeRelation::LessEqual) throw Bug("a need of sizes that is no bound");
    sizes_.at_most(f.left, f.right, at);
  }
  const Size s = sizes_.natural(*value, at);
  if (!fits(s)) sizes_.at_most(s, most_int(), at);
  counts_.push_back(s);
  return sizes_.current(s);
}

// A let, of what is more than a name; of an int that is an index, as one.
Low Lowering::named(const std::string& name, Low value) {
  if (const auto* p = std::get_if<std::shared_ptr<const std::pair<Low, Low>>>(&value.node)) {
    Low first = named(name, (*p)->first);
    return low_pair(std::move(first), named(name, (*p)->second));
  }
  auto* n = std::get_if<Number>(&value.node);
  if (!n) return value;
  if (n->facts || (n->wide && n->wide->is_size())) return value;
  Text& text = n->wide ? n->wide->text : n->text;
  if (std::holds_alternative<surface::Name>(text.node) || std::holds_alternative<surface::Literal>(text.node))
    return value;
  const std::string own = fresh(name);
  lets_.emplace_back(make::bind(own), std::move(text));
  text = make::name(own);
  if (n->wide) n->text = i32_of(*n->wide);
  return value;
}

Text Lowering::tuple(const Low& l) {
  if (const auto* p = std::get_if<std::shared_ptr<const std::pair<Low, Low>>>(&l.node))
    return make::tuple({tuple((*p)->first), tuple((*p)->second)});
  return number(l).text;
}
Low Lowering::of_text(const Text& t, const Low& like) {
  if (const auto* p = std::get_if<std::shared_ptr<const std::pair<Low, Low>>>(&like.node)) {
    Low first = of_text(make::call("fst", {t}), (*p)->first);
    return low_pair(std::move(first), of_text(make::call("snd", {t}), (*p)->second));
  }
  return low(Number{number(like).type, t});
}

// ---------------------------------------------------------------------------------------------------- expressions

Low Lowering::scalar(const Expr& e) {
  return match(
      e.node,
      [&](const Literal& l) {
        Number n{l.value.type, source_of(l.value)};
        if (l.value.type == ScalarType::I32) {
          const Size s(l.value.integer());
          n.wide = Wide{source_of(make_integer(ScalarType::I64, l.value.bits)), s, s};
        }
        return low(std::move(n));
      },
      [&](const Variable& v) { return variable(v.name); }, [&](const InfixExpr& i) { return infix(i, e.region); },
      [&](const PrefixExpr& p) {
        const Number n = number(scalar(*p.operand));
        return low(Number{n.type, make::apply(make::operation(p.op == Prefix::Negate ? "neg" : "not"), {n.text})});
      },
      [&](const IfExpr& i) { return choice(i); },
      [&](const PairExpr& p) {
        Low first = scalar(*p.first);
        return low_pair(std::move(first), scalar(*p.second));
      },
      [&](const ApplyExpr&) { return applied(e, spine_of(e)); },
      [&](const LetExpr& l) {
        for (const Binding& b : l.bindings) bind(b, 0);
        return scalar(*l.body);
      },
      [&](const auto&) -> Low { throw Bug("a scalar of a normal form that is none"); });
}

Low Lowering::choice(const IfExpr& i) {
  const Number c = number(scalar(*i.condition));
  Low like{};
  const auto branch = [&](const Expr& e) {
    return within([&] {
      like = scalar(e);
      return tuple(like);
    });
  };
  Text yes = branch(*i.yes), no = branch(*i.no);
  const Text all{surface::If{c.text, std::move(yes), std::move(no)}, {}};
  const std::string own = fresh("v");
  lets_.emplace_back(make::bind(own), all);
  return of_text(make::name(own), like);
}

Low Lowering::infix(const InfixExpr& i, const Region& at) {
  const Number a = number(scalar(*i.left));
  if (i.op == Infix::And || i.op == Infix::Or) {
    Number b{};
    const Text right = within([&] {
      b = number(scalar(*i.right));
      return b.text;
    });
    Number out{ScalarType::Bool, make::binary(std::string(row_of(i.op).symbol), a.text, right)};
    if (i.op == Infix::And && a.facts && b.facts) {
      out.facts = a.facts;
      out.facts->insert(out.facts->end(), b.facts->begin(), b.facts->end());
    }
    return low(std::move(out));
  }
  return low(arithmetic(i.op, a, number(scalar(*i.right)), at));
}

// Of no more than `most`: where all up to it are a multiple of the divisor, one less than that.
Size Lowering::most_quotient(const Size& most, const Size& divisor) const {
  const Size multiple = floor_div(most + 1, divisor);
  const bool exact = proves({multiple * divisor, SizeRelation::Equal, most + 1});
  return exact ? multiple - 1 : floor_div(most, divisor);
}

std::optional<Wide> Lowering::wide_result(Infix op, const Wide& a, const Wide& b) {
  const auto natural = [&](const Size& s) { return proves({0, SizeRelation::LessEqual, s}); };
  const Text text = make::binary(std::string(row_of(op).symbol), a.text, b.text);
  std::optional<Wide> out;
  if (op == Infix::Add) out = Wide{text, a.least + b.least, a.most + b.most};
  if (op == Infix::Sub) out = Wide{text, a.least - b.most, a.most - b.least};
  if (op == Infix::Mul && natural(a.least) && natural(b.least)) out = Wide{text, a.least * b.least, a.most * b.most};
  const bool divides = b.is_size() && natural(a.least) && proves({1, SizeRelation::LessEqual, b.least});
  if (op == Infix::Div && divides) out = Wide{text, floor_div(a.least, b.least), most_quotient(a.most, b.least)};
  if (op == Infix::Mod && divides)
    out = a.is_size() ? Wide{text, modulo(a.most, b.most), modulo(a.most, b.most)} : Wide{text, 0, b.most - 1};
  if (!out || !fits(out->most) || !fits(0 - out->least)) return std::nullopt;
  if (out->is_size()) out->text = text_of(out->most);
  return out;
}

Number Lowering::arithmetic(Infix op, const Number& a, const Number& b, const Region& at) {
  const std::string symbol(row_of(op).symbol);
  const bool compares = is_comparison(op);
  Number out{compares ? ScalarType::Bool : a.type, make::binary(symbol, a.text, b.text)};
  out.text.region = at;
  const auto size_a = size_value(a), size_b = size_value(b);
  if (compares) {
    if (a.wide && b.wide) out.text = make::binary(symbol, a.wide->text, b.wide->text);
    if (const auto left = value_of(a), right = value_of(b); left && right) {
      const Size &x = *left, &y = *right;
      Facts facts = a.needs;
      facts.insert(facts.end(), b.needs.begin(), b.needs.end());
      if (op == Infix::Eq) facts.push_back({x, SizeRelation::Equal, y});
      if (op == Infix::Le) facts.push_back({x, SizeRelation::LessEqual, y});
      if (op == Infix::Lt) facts.push_back({x + 1, SizeRelation::LessEqual, y});
      if (op == Infix::Ge) facts.push_back({y, SizeRelation::LessEqual, x});
      if (op == Infix::Gt) facts.push_back({y + 1, SizeRelation::LessEqual, x});
      if (op != Infix::Ne) out.facts = std::move(facts);
    }
    return out;
  }
  if (auto wide = a.wide && b.wide ? wide_result(op, *a.wide, *b.wide) : std::nullopt) {
    out.wide = std::move(wide);
    out.text = i32_of(*out.wide);
    out.needs = a.needs;
    out.needs.insert(out.needs.end(), b.needs.begin(), b.needs.end());
    return out;
  }
  // as a size, on condition that it does not wrap: the text stays that of an int, which does
  if (!size_a || !size_b) return out;
  const Size &x = *size_a, &y = *size_b;
  std::optional<Size> s;
  Facts needs = a.needs;
  needs.insert(needs.end(), b.needs.begin(), b.needs.end());
  if (op == Infix::Add) s = x + y;
  if (op == Infix::Sub) s = x - y;
  if (op == Infix::Mul) s = x * y;
  if (op == Infix::Div || op == Infix::Mod) {
    needs.push_back({0, SizeRelation::LessEqual, x});
    needs.push_back({1, SizeRelation::LessEqual, y});
    s = op == Infix::Div ? floor_div(x, y) : modulo(x, y);
  }
  if (!s) return out;
  needs.push_back({*s, SizeRelation::LessEqual, most_int()});
  needs.push_back({0 - *s, SizeRelation::LessEqual, most_int()});
  out.conditional = *s;
  out.needs = std::move(needs);
  return out;
}

// ---------------------------------------------------------------------------------------------------- what is applied

void Lowering::natural_when_run(const Wide& n, const Region& at) {
  if (proves({0, SizeRelation::LessEqual, n.least})) return;
  check_that(make::binary("<=", size_text(0), n.text), at);
  if (n.is_size()) here_.push_back({0, SizeRelation::LessEqual, n.least});
}

// min and max of naturals.
std::optional<Number> Lowering::extreme(const Spine& s) {
  if (s.head != "min" && s.head != "max") return std::nullopt;
  const Number a = number(scalar(*s.arguments[0])), b = number(scalar(*s.arguments[1]));
  const auto natural = [&](const Number& n) { return n.wide && proves({0, SizeRelation::LessEqual, n.wide->least}); };
  if (!natural(a) || !natural(b)) return std::nullopt;
  const bool is_max = s.head == "max";
  Wide w{make::call(s.head, {a.wide->text, b.wide->text}), is_max ? a.wide->least : Size(0),
         is_max ? a.wide->most + b.wide->most : a.wide->most};
  if (!fits(a.wide->most) || !fits(b.wide->most)) return std::nullopt;
  Text narrow = i32_of(w);
  return Number{ScalarType::I32, std::move(narrow), std::move(w)};
}

// Inside a length that is known only when it runs, and is no more than its most.
Low Lowering::below_running(const Number& k, const Wide& length, const Region& at) {
  if (k.wide && proves({0, SizeRelation::LessEqual, k.wide->least}) &&
      proves({k.wide->most + 1, SizeRelation::LessEqual, length.least}))
    return low(k);
  const Text i = k.wide ? k.wide->text : make::call("i64", {k.text});
  const std::string own = fresh("k");
  lets_.emplace_back(make::bind(own), i);
  Text inside = make::binary("&&", make::binary("<=", source_of(make_integer(ScalarType::I64, 0)), make::name(own)),
                             make::binary("<", make::name(own), length.text));
  const Size most = upper(length.most);
  Text checked = make::indexed(make::call("indices", {source_of(most)}),
                               Text{surface::If{std::move(inside), make::name(own), size_text(most)}, {}});
  checked.region = at;
  Wide w{std::move(checked), 0, length.most - 1};
  Text narrow = i32_of(w);
  return low(Number{ScalarType::I32, std::move(narrow), std::move(w)});
}

Low Lowering::applied(const Expr& e, const Spine& s) {
  const auto array = [&](const Expr& x) -> const Array& {
    return *std::get<std::shared_ptr<const Array>>(scalar(x).node);
  };
  const auto is_indices = [](const Expr& x) { return spine_of(x).head == "generate"; };
  if (s.head == "fst" || s.head == "snd") {
    const Low p = scalar(*s.arguments[0]);
    const auto& parts = *std::get<std::shared_ptr<const std::pair<Low, Low>>>(p.node);
    return s.head == "fst" ? parts.first : parts.second;
  }
  if (s.head == "lengthPull") {
    const Spine inner = spine_of(*s.arguments[0]);
    if (inner.head == "generate")
      if (const Number n = number(scalar(*inner.arguments[0])); !size_value(n) && n.wide) {
        natural_when_run(*n.wide, e.region);
        return low(n);
      }
    if (inner.head != "generate" && array(*s.arguments[0]).running) {
      const Wide n = *array(*s.arguments[0]).running;
      return low(Number{ScalarType::I32, i32_of(n), n});
    }
    const Size n = inner.head == "generate" ? as_size(scalar(*inner.arguments[0]), "the length of an array", e.region)
                                            : array(*s.arguments[0]).length;
    counts_.push_back(n);
    return low(Number{ScalarType::I32, make::call("i32", {size_text(n)}), Wide{size_text(n), n, n}});
  }
  if (s.head == "index") {
    const Number k = number(scalar(*s.arguments[1]));
    Text place = k.wide ? k.wide->text : k.text;
    if (!is_indices(*s.arguments[0])) return array(*s.arguments[0]).at(place);
    const Number length = number(scalar(*spine_of(*s.arguments[0]).arguments[0]));
    if (!size_value(length) && length.wide) return below_running(k, *length.wide, e.region);
    const Size n = as_size(low(length), "the length of an array", e.region);
    const bool inside = k.wide && proves({0, SizeRelation::LessEqual, k.wide->least}) &&
                        proves({k.wide->most + 1, SizeRelation::LessEqual, n});
    if (inside) return low(k);
    if (k.wide && k.wide->least.constant() && k.wide->is_size() && n.constant())  // no literal outside: it traps
      return below_running(k, Wide{size_text(n), n, n}, e.region);
    Text checked = make::indexed(make::call("indices", {source_of(n)}), std::move(place));
    checked.region = e.region;
    Wide w{std::move(checked), 0, n - 1};
    Text narrow = i32_of(w);
    return low(Number{ScalarType::I32, std::move(narrow), std::move(w)});
  }
  if (s.head == "assert") {
    const Number c = number(scalar(*s.arguments[0]));
    const bool of_runs = c.facts && std::any_of(c.facts->begin(), c.facts->end(),
                                                [&](const SizeFact& f) { return runs(f.left) || runs(f.right); });
    if (!c.facts || of_runs) {
      check_that(c.text, e.region);
      if (of_runs) here_.insert(here_.end(), c.facts->begin(), c.facts->end());
      return low(Number{ScalarType::Bool, source_of(make_bool(true))});
    }
    for (const SizeFact& f : *c.facts) {
      if (f.relation == SizeRelation::Equal)
        sizes_.same(f.left, f.right, e.region);
      else
        sizes_.at_most(f.left, f.right, e.region);
    }
    return low(Number{ScalarType::Bool, source_of(make_bool(true))});
  }
  std::vector<Text> operands;
  ScalarType type = ScalarType::I32;
  for (const Expr* a : s.arguments) {
    const Number n = number(scalar(*a));
    type = n.type;
    operands.push_back(n.text);
  }
  for (const ScalarFunctionRow& f : scalar_functions())
    if (f.name == s.head) {
      const ScalarOp& op = *scalar_function_named(f.name);
      if (auto bounded = extreme(s)) return low(*std::move(bounded));
      Text t = make::call(std::string(f.row), std::move(operands));
      t.region = e.region;
      return low(Number{op.result(type), std::move(t)});
    }
  throw Bug("what is applied in a normal form is no operation: " + s.head);
}

}  // namespace lockstep::fcl::lowering
