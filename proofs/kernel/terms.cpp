// Terms (terms.h): makers and walks.
#include "proofs/kernel/terms.h"

#include "semantics/kernel/walk.h"

#include <algorithm>

namespace lockstep::proofs::kernels {

using namespace kernel;

Term truth(bool b) { return constant(make_bool(b)); }
Term number(std::int64_t n) { return constant(n); }
Term named(const std::string& name) { return variable(name); }
Term add(Term a, Term b) { return arith(ArithOp::Add, std::move(a), std::move(b)); }
Term subtract(Term a, Term b) { return arith(ArithOp::Subtract, std::move(a), std::move(b)); }
Term multiply(Term a, Term b) { return arith(ArithOp::Multiply, std::move(a), std::move(b)); }
Term divide(Term a, Term b) { return arith(ArithOp::Divide, std::move(a), std::move(b)); }
Term less(Term a, Term b) { return arith(ArithOp::Less, std::move(a), std::move(b)); }
Term less_equal(Term a, Term b) { return arith(ArithOp::LessEqual, std::move(a), std::move(b)); }
Term equal(Term a, Term b) { return arith(ArithOp::Equal, std::move(a), std::move(b)); }
Term both(Term a, Term b) { return arith(ArithOp::And, std::move(a), std::move(b)); }

namespace {

std::optional<bool> constant_truth(const Term& a) {
  const auto* c = std::get_if<Const>(&a.node);
  if (!c || c->value.type != ScalarType::Bool) return {};
  return c->value.bits != 0;
}

Term choose(Term c, Term a, Term b) {
  const KType type = a.type;
  return {type, Choose{std::move(c), std::move(a), std::move(b)}};
}

}  // namespace

Term either(Term a, Term b) {
  if (const auto t = constant_truth(a)) return *t ? truth(true) : b;
  if (const auto t = constant_truth(b)) return *t ? truth(true) : a;
  return choose(std::move(a), truth(true), std::move(b));
}

Term negation(const Term& a) {
  if (const auto t = constant_truth(a)) return truth(!*t);
  if (const auto* c = std::get_if<Choose>(&a.node)) {
    const auto then = constant_truth(*c->then), otherwise = constant_truth(*c->otherwise);
    if (then == false && otherwise == true) return *c->condition;
    return choose(*c->condition, negation(*c->then), negation(*c->otherwise));
  }
  if (const auto* x = std::get_if<Arith>(&a.node)) {
    if (x->op == ArithOp::Less) return less_equal(*x->right, *x->left);
    if (x->op == ArithOp::LessEqual) return less(*x->right, *x->left);
    if (x->op == ArithOp::And) return either(negation(*x->left), negation(*x->right));
  }
  return choose(a, truth(false), truth(true));
}

Term all_of(const std::vector<Term>& terms) {
  Term out = truth(true);
  for (const Term& t : terms) out = both(out, t);
  return out;
}
Term any_of(const std::vector<Term>& terms) {
  Term out = truth(false);
  for (const Term& t : terms) out = either(out, t);
  return out;
}

Term as_term(const Size& s) {
  Term sum = number(0);
  for (const SizeTerm& t : s.terms()) {
    Term product = number(t.coefficient);
    for (const auto& [atom, power] : t.powers)
      for (int k = 0; k < power; ++k)
        product =
            multiply(product, atom.division ? divide(as_term(atom.division->first), as_term(atom.division->second))
                                            : named(atom.name));
    sum = add(sum, product);
  }
  return sum;
}

Term as_term(const SizeFact& f) {
  const Term a = as_term(f.left), b = as_term(f.right);
  switch (f.relation) {
    case SizeRelation::Equal:
      return equal(a, b);
    case SizeRelation::NotEqual:
      return negation(equal(a, b));
    case SizeRelation::LessEqual:
      return less_equal(a, b);
    case SizeRelation::Less:
      return less(a, b);
  }
  throw Bug("size relation");
}

std::vector<Term> conjuncts(const Term& a) {
  std::vector<Term> out;
  const auto* x = std::get_if<Arith>(&a.node);
  if (x && x->op == ArithOp::And) {
    for (const Term* side : {&*x->left, &*x->right})
      for (Term& t : conjuncts(*side)) out.push_back(std::move(t));
    return out;
  }
  // a ? b : false
  const auto* c = std::get_if<Choose>(&a.node);
  if (c && a.type.scalar == ScalarType::Bool && constant_truth(*c->otherwise) == false) {
    for (const Term* side : {&*c->condition, &*c->then})
      for (Term& t : conjuncts(*side)) out.push_back(std::move(t));
    return out;
  }
  if (constant_truth(a) != true) out.push_back(a);
  return out;
}

// ------------------------------------------------------------------------------------------------------ walks
bool is_data_name(const std::string& name) { return name.find('~') != std::string::npos; }

namespace {
// A character that a spelled name has not, or the one that stands before its number.
constexpr std::string_view marks = "\\~^#";
}  // namespace

std::string spelled(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const auto mark = marks.find(c);
    out += mark == std::string_view::npos ? std::string(1, c) : marks[0] + std::to_string(mark);
  }
  return out;
}

std::string unspelled(const std::string& name) {
  std::string out;
  for (std::size_t k = 0; k < name.size(); ++k) {
    const bool mark = name[k] == marks[0] && k + 1 < name.size();
    out += mark ? marks.at(static_cast<std::size_t>(name[++k] - '0')) : name[k];
  }
  return out;
}

std::string other_iterations(const std::string& name) { return name + "^"; }
std::string own_name(const std::string& name) { return "#" + name; }
std::string data_name(const std::string& name, int occurrence) { return name + "~" + std::to_string(occurrence); }
std::string input_state(const std::string& name) { return data_name(name, 0); }  // the others count from 1
bool is_input_state(const std::string& name) { return name.ends_with("~0"); }
std::string plain_name(const std::string& name) { return name.substr(0, name.find('~')); }

bool mentions_data(const Term& a) {
  bool found = false;
  each_expression(a, [&](const Term& t) {
    if (const auto* v = std::get_if<Var>(&t.node)) found = found || is_data_name(v->name);
    if (std::holds_alternative<Load>(t.node) || std::holds_alternative<VectorLoad>(t.node)) found = true;
    if (const auto* p = std::get_if<Apply>(&t.node)) found = found || !plain(*p);
  });
  return found;
}

std::size_t node_count(const Term& a) {
  std::size_t n = 0;
  each_expression(a, [&](const Term&) { ++n; });
  return n;
}

void each_name(const Term& a, const std::function<void(const std::string&)>& f) {
  each_expression(a, [&](const Term& t) {
    if (const auto* v = std::get_if<Var>(&t.node)) f(v->name);
    if (const auto* l = std::get_if<Load>(&t.node)) f(l->buffer);
    if (const auto* l = std::get_if<VectorLoad>(&t.node)) f(l->buffer);
  });
}

void each_load(const Term& a, const std::function<void(const Load&)>& f) {
  each_expression(a, [&](const Term& t) {
    if (const auto* l = std::get_if<Load>(&t.node)) f(*l);
  });
}

void divisions(const Term& a, std::vector<std::pair<Term, Term>>& into) {
  each_expression(a, [&](const Term& t) {
    const auto* x = std::get_if<Arith>(&t.node);
    if (!x || (x->op != ArithOp::Divide && x->op != ArithOp::Modulo)) return;
    std::pair<Term, Term> d{*x->left, *x->right};
    if (std::find(into.begin(), into.end(), d) == into.end()) into.push_back(std::move(d));
  });
}

Term rename(const Term& a, const std::function<std::string(const std::string&)>& f) {
  if (const auto* v = std::get_if<Var>(&a.node)) return {a.type, Var{f(v->name)}};
  Term out = map_children(a, [&](const Term& t) { return rename(t, f); });
  if (auto* l = std::get_if<Load>(&out.node)) l->buffer = f(l->buffer);
  if (auto* l = std::get_if<VectorLoad>(&out.node)) l->buffer = f(l->buffer);
  return out;
}

Term substitute(const Term& a, const std::map<std::string, Term>& by) {
  if (const auto* v = std::get_if<Var>(&a.node)) {
    const auto it = by.find(v->name);
    return it == by.end() ? a : it->second;
  }
  return map_children(a, [&](const Term& t) { return substitute(t, by); });
}

bool matches(const Term& pattern, const Term& a, const std::set<std::string>& holes,
             std::map<std::string, Term>& found) {
  if (const auto* v = std::get_if<Var>(&pattern.node); v && holes.contains(v->name))
    return found.emplace(v->name, a).first->second == a;
  if (pattern == a) return true;
  if (pattern.node.index() != a.node.index()) return false;
  if (const auto* x = std::get_if<Arith>(&pattern.node)) {
    const auto& y = std::get<Arith>(a.node);
    return x->op == y.op && matches(*x->left, *y.left, holes, found) && matches(*x->right, *y.right, holes, found);
  }
  if (const auto* x = std::get_if<Load>(&pattern.node)) {
    const auto& y = std::get<Load>(a.node);
    return x->buffer == y.buffer && matches(*x->index, *y.index, holes, found);
  }
  return false;
}

}  // namespace lockstep::proofs::kernels
