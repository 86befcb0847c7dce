// Reads "split k xs ! i ! j = xs ! (i*k + j)". The left side is the view applied to names, and steps into its result;
// the right side is evaluated with the steps that it does not name still to be taken, outermost first.
#include "proofs/calculus/views/equations.h"

#include "semantics/functional/syntax/parse.h"

namespace lockstep::proofs {
namespace {

using surface::Expr;
using Clause = ViewEquation::Clause;

// ------------------------------------------------------------------------------------------------- reading
Expr parsed(const std::string& text) {
  auto e = parse_expression(std::make_shared<const Source>(Source{"equation", text}));
  if (!e) throw NotUnderstood{"'" + text + "', which does not parse"};
  return std::move(*e);
}

std::vector<std::string> split_at(const std::string& text, const std::string& separator) {
  std::vector<std::string> out;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find(separator, from)) != std::string::npos; from = at + separator.size())
    out.push_back(text.substr(from, at - from));
  out.push_back(text.substr(from));
  return out;
}

const std::string& name_in(const Expr& e) {
  if (const auto* n = std::get_if<surface::Name>(&e.node)) return n->name;
  throw NotUnderstood{"a left side with something else where a name was expected"};
}

// fst, snd: 1, 2; nothing for any other function.
std::optional<int> component_of(const Expr& function) {
  const auto* n = std::get_if<surface::Name>(&function.node);
  return !n ? std::nullopt : n->name == "fst" ? std::optional(1) : n->name == "snd" ? std::optional(2) : std::nullopt;
}

// The view applied to names: "split k xs", or "xs ! x" of the view that is written so.
bool is_application(const Expr& e, const std::string& view, std::vector<std::string>& parameters) {
  const auto* index = std::get_if<surface::Index>(&e.node);
  if (index && view == "!" && std::holds_alternative<surface::Name>(index->array->node)) {
    parameters = {name_in(*index->array), name_in(*index->index)};
    return true;
  }
  const Expr* head = &e;
  std::vector<std::string> names;
  for (; const auto* a = std::get_if<surface::Apply>(&head->node); head = &*a->function) {
    if (!std::holds_alternative<surface::Name>(a->argument->node)) return false;
    names.insert(names.begin(), name_in(*a->argument));
  }
  const auto* n = std::get_if<surface::Name>(&head->node);
  if (!n || n->name != view) return false;
  parameters = std::move(names);
  return true;
}

Clause clause_of(const std::string& text, const std::string& view) {
  const std::vector<std::string> sides = split_at(text, " = ");
  if (sides.size() != 2) throw NotUnderstood{"'" + text + "', which has not two sides"};
  Clause out{{}, {}, parsed(sides[1])};
  Expr left = parsed(sides[0]);
  while (!is_application(left, view, out.parameters)) {
    const auto* index = std::get_if<surface::Index>(&left.node);
    const auto* call = std::get_if<surface::Apply>(&left.node);
    const auto component = call ? component_of(*call->function) : std::nullopt;
    if (!index && !component) throw NotUnderstood{"a left side that is not " + view + " of names, and steps into it"};
    out.steps.insert(out.steps.begin(), index ? ViewEquation::Step(name_in(*index->index)) : *component);
    Expr inner = index ? *index->array : *call->argument;
    left = std::move(inner);
  }
  return out;
}

// ------------------------------------------------------------------------------------------------- as terms
using PlaceStep = std::variant<Term, int>;  // an index or lane, a projection
using PlaceSteps = std::vector<PlaceStep>;

// From the outside of the result to the place, the rest of a path into 'a being the last.
PlaceSteps steps_to(const ElementAt& at) {
  PlaceSteps out;
  std::size_t index = 0, projection = 0;
  const auto next_index = [&] { out.emplace_back(at.place.indices.at(index++)); };
  for (Type t = at.view.result;;) {
    if (const auto* a = as<ArrayType>(t)) {
      next_index();
      t = Type(*a->element);
    } else if (const auto* p = as<PairType>(t)) {
      out.emplace_back(at.place.projections.at(projection++));
      t = std::get<int>(out.back()) == 1 ? Type(*p->first) : Type(*p->second);
    } else if (const auto* v = as<VectorType>(t)) {
      if (at.place.lanes > 0)
        out.emplace_back(number(at.lane));
      else
        next_index();
      t = Type(*v->element);
    } else {
      break;
    }
  }
  while (index < at.place.indices.size()) next_index();
  return out;
}

class Evaluation {
 public:
  Evaluation(const ElementAt& at, const Clause& c) : view_(at.view) {
    const Calculus::Entry& entry = *view_.entry;
    for (std::size_t k = 0; k < entry.sizes.size(); ++k)
      terms_.insert_or_assign(entry.sizes[k], term_of(view_.instance.sizes.at(k)));
    const std::size_t explicit_sizes = entry.scheme.nats.size();
    if (c.parameters.size() != explicit_sizes + view_.arguments.size())
      throw WrongEquation{"its equation gives the view another number of arguments"};
    for (std::size_t k = 0; k < c.parameters.size(); ++k)
      if (k < explicit_sizes)
        terms_.insert_or_assign(c.parameters[k], term_of(view_.instance.sizes.at(k)));
      else
        arguments_.insert_or_assign(c.parameters[k], k - explicit_sizes);
  }
  void name_index(const std::string& name, const Term& index) { terms_.insert_or_assign(name, index); }

  Term value(const Expr& e, PlaceSteps steps) const {
    return match(
        e.node, [&](const surface::Name& n) { return named(n.name, std::move(steps)); },
        [&](const surface::Literal& l) { return whole(l, steps); },
        [&](const surface::Apply& a) { return applied(a, std::move(steps)); },
        [&](const surface::Index& x) {
          steps.insert(steps.begin(), value(*x.index, {}));
          return value(*x.array, std::move(steps));
        },
        [&](const surface::If& x) {
          return choose(value(*x.condition, {}), value(*x.then, steps), value(*x.otherwise, steps));
        },
        [&](const surface::Tuple& t) { return component(t, std::move(steps)); },
        [](const auto&) -> Term { throw WrongEquation{"its equation has no functions, lets or literal arrays"}; });
  }

 private:
  Term named(const std::string& n, PlaceSteps steps) const {
    if (const auto it = arguments_.find(n); it != arguments_.end()) return argument(it->second, steps);
    const auto it = terms_.find(n);
    if (it == terms_.end()) throw WrongEquation{"its equation speaks of " + n + ", which is nothing of its view"};
    if (!steps.empty()) throw WrongEquation{"its equation takes an element of the number " + n};
    return it->second;
  }
  static Term whole(const surface::Literal& l, const PlaceSteps& steps) {
    const bool digits = std::all_of(l.digits.begin(), l.digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!steps.empty() || !digits || l.digits.size() > 9)
      throw WrongEquation{"its equation's literals are small numbers"};
    return number(std::stoll(l.digits));
  }
  // (a, b, c) is (a, (b, c))
  Term component(const surface::Tuple& t, PlaceSteps steps) const {
    for (std::size_t k = 0;; ++k) {
      if (k + 1 == t.parts.size()) return value(t.parts[k], std::move(steps));
      if (steps.empty() || !std::holds_alternative<int>(steps.front()))
        throw WrongEquation{"its equation gives a pair there"};
      const bool first = std::get<int>(steps.front()) == 1;
      steps.erase(steps.begin());
      if (first) return value(t.parts[k], std::move(steps));
    }
  }
  // The element of an argument.
  Term argument(std::size_t k, const PlaceSteps& steps) const {
    Place p{{}, {}, {}, {}, view_.arguments.at(k), 0};
    for (const PlaceStep& s : steps) {
      const auto* index = std::get_if<Term>(&s);
      const auto* a = as<ArrayType>(p.leaf);
      const auto* v = as<VectorType>(p.leaf);
      const auto* b = as<PairType>(p.leaf);
      if (index)
        p.indices.push_back(*index);
      else
        p.projections.push_back(std::get<int>(s));
      const auto* unknown = as<TypeVariable>(p.leaf);
      const bool rest = index && &s == &steps.back() && unknown && !view_.scalars.contains(unknown->name);
      if (rest) break;
      if (index ? !a && !v : !b) throw WrongEquation{"its equation takes an element of what has none"};
      const Ref<Type>& inside = a ? a->element : v ? v->element : p.projections.back() == 1 ? b->first : b->second;
      Type next = *inside;
      p.leaf = std::move(next);
    }
    if (as<ArrayType>(p.leaf) || as<VectorType>(p.leaf) || as<PairType>(p.leaf))
      throw WrongEquation{"its equation gives the whole of something that has elements"};
    return element(view_, k, p);
  }

  Term applied(const surface::Apply& a, PlaceSteps steps) const {
    if (const auto k = component_of(*a.function)) {
      steps.insert(steps.begin(), *k);
      return value(*a.argument, std::move(steps));
    }
    const auto* inner = std::get_if<surface::Apply>(&a.function->node);
    const auto* op = inner ? std::get_if<surface::Operator>(&inner->function->node) : nullptr;
    if (!op || !steps.empty()) throw WrongEquation{"its equation applies what is no operator of numbers"};
    const Term x = value(*inner->argument, {}), y = value(*a.argument, {});
    const std::string& s = op->symbol;
    if (s == "+") return x + y;
    if (s == "-") return x - y;
    if (s == "*") return x * y;
    if (s == "/") return quotient(x, y);
    if (s == "%") return remainder(x, y);
    if (s == "<") return less(x, y);
    if (s == "<=") return at_most(x, y);
    if (s == "==") return equal(x, y);
    if (s == "&&") return all_of({x, y});
    if (s == "||") return any_of({x, y});
    throw WrongEquation{"its equation has no operator " + s};
  }

  const SymbolicView& view_;
  std::map<std::string, Term> terms_;  // sizes and indices
  std::map<std::string, std::size_t> arguments_;
};

// The steps that the left side leaves; nothing where the clause is of the other component.
std::optional<PlaceSteps> left_over(const Clause& c, PlaceSteps steps, Evaluation& evaluation) {
  if (c.steps.size() > steps.size()) throw WrongEquation{"its equation's left side has more indices than its result"};
  for (std::size_t k = 0; k < c.steps.size(); ++k) {
    const auto* projection = std::get_if<int>(&c.steps[k]);
    if ((projection != nullptr) != std::holds_alternative<int>(steps[k]))
      throw WrongEquation{"its equation's left side does not fit the type of its result"};
    if (projection && *projection != std::get<int>(steps[k])) return {};
    if (!projection) evaluation.name_index(std::get<std::string>(c.steps[k]), std::get<Term>(steps[k]));
  }
  steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(c.steps.size()));
  return steps;
}

}  // namespace

tl::expected<ViewEquation, std::string> ViewEquation::read(const Calculus::Entry& view) {
  return understood([&] {
    ViewEquation out;
    out.text_ = std::get<View>(view.primitive->kind).equation;
    for (const std::string& text : split_at(out.text_, "; "))
      out.clauses_.push_back(clause_of(text, view.primitive->name));
    return out;
  });
}

Term ViewEquation::element(const ElementAt& at) const {
  const PlaceSteps steps = steps_to(at);
  for (const Clause& c : clauses_) {
    Evaluation evaluation(at, c);
    if (const auto left = left_over(c, steps, evaluation)) return evaluation.value(c.right, *left);
  }
  throw WrongEquation{"its equation says nothing of one component"};
}

}  // namespace lockstep::proofs
