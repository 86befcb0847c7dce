// Fig. 6b and 6c, with index expressions simplified by the sizes' facts and the ranges of the loop variables.
#include "translate/dpia/paths.h"

#include "semantics/core/diagnostic.h"

namespace lockstep {

using kernel::Expr;
using kernel::KType;

void Paths::bind(const std::string& identifier, Sites places) {
  places_.insert_or_assign(identifier, std::move(places));
}
void Paths::bind_index(const std::string& identifier, const Size& bound) {
  context_.range(identifier, bound);
  indices_.insert_or_assign(identifier, Size::name(identifier));
}
void Paths::bind_index_as(const std::string& identifier, const Size& value) {
  indices_.insert_or_assign(identifier, value);
}

// ------------------------------------------------------------------------------------------------------- indices
namespace {

Expr with_opaque(const Expr& e, const std::map<std::string, Expr>& opaque) {
  const auto go = [&](const kernel::ExprRef& r) { return kernel::ExprRef(with_opaque(*r, opaque)); };
  if (const auto* v = std::get_if<kernel::Var>(&e.node)) {
    const auto it = opaque.find(v->name);
    return it == opaque.end() ? e : it->second;
  }
  if (const auto* a = std::get_if<kernel::Arith>(&e.node))
    return {e.type, kernel::Arith{a->op, go(a->left), go(a->right)}};
  return e;  // size_expr makes constants, variables and arithmetic only
}

}  // namespace

Expr Paths::expr_of(const Size& s) const { return with_opaque(kernel::size_expr(context_.simplify(s)), opaque_); }

Size Paths::size_of_index(const Expr& e) {
  if (const auto* c = std::get_if<kernel::Const>(&e.node)) return c->value.integer();
  if (const auto* v = std::get_if<kernel::Var>(&e.node); v && e.type == KType{}) {
    if (indices_.contains(v->name) || context_.ranges().contains(v->name)) return Size::name(v->name);
    for (const auto& [name, value] : opaque_)
      if (value == e) return Size::name(name);
  }
  if (const auto* a = std::get_if<kernel::Arith>(&e.node)) {
    const auto by = [&](auto combine) {
      const Size left = size_of_index(*a->left);  // before the right: what is opaque is numbered
      return combine(left, size_of_index(*a->right));
    };
    switch (a->op) {
      case kernel::ArithOp::Add:
        return by([](const Size& x, const Size& y) { return x + y; });
      case kernel::ArithOp::Subtract:
        return by([](const Size& x, const Size& y) { return x - y; });
      case kernel::ArithOp::Multiply:
        return by([](const Size& x, const Size& y) { return x * y; });
      case kernel::ArithOp::Divide:
        return by([](const Size& x, const Size& y) { return floor_div(x, y); });
      case kernel::ArithOp::Modulo:
        return by([](const Size& x, const Size& y) { return modulo(x, y); });
      case kernel::ArithOp::Less:
      case kernel::ArithOp::LessEqual:
      case kernel::ArithOp::Equal:
      case kernel::ArithOp::And:
        break;
    }
  }
  for (const auto& [name, value] : opaque_)
    if (value == e) return Size::name(name);
  std::string name = "@" + std::to_string(opaque_count_++);
  opaque_.insert_or_assign(name, e);
  return Size::name(std::move(name));
}

Size Paths::opaque(Expr i) { return size_of_index(i); }

Size Paths::index_size(const Phrase& e) {
  if (const auto* x = as<Ident>(e)) {
    const auto it = indices_.find(x->name);
    if (it != indices_.end()) return it->second;
  }
  if (const auto* n = as<NatPhrase>(e)) return n->size;
  return opaque(expression(e, {}));
}

std::optional<bool> Paths::decide(const SizeFact& f) {
  if (context_.proves(f)) return true;
  // not (a < b) is b <= a, not (a <= b) is b < a
  if (f.relation == SizeRelation::Less && context_.proves({f.right, SizeRelation::LessEqual, f.left})) return false;
  if (f.relation == SizeRelation::LessEqual && context_.proves({f.right, SizeRelation::Less, f.left})) return false;
  return {};
}

Expr Paths::test(const SizeFact& f) {
  switch (f.relation) {
    case SizeRelation::Less:
      return kernel::arith(kernel::ArithOp::Less, expr_of(f.left), expr_of(f.right));
    case SizeRelation::LessEqual:
      return kernel::arith(kernel::ArithOp::LessEqual, expr_of(f.left), expr_of(f.right));
    case SizeRelation::Equal:
      return kernel::arith(kernel::ArithOp::Equal, expr_of(f.left), expr_of(f.right));
    case SizeRelation::NotEqual:
      break;
  }
  throw Bug("a test of !=");
}

Expr Paths::choose(Expr condition, const std::function<Expr()>& then, const std::function<Expr()>& otherwise) {
  Expr t = then(), e = otherwise();
  const KType type = t.type;
  return {type, kernel::Choose{std::move(condition), std::move(t), std::move(e)}};
}

// ------------------------------------------------------------------------------------------------------- places
// The leaf that the projections of ps choose, with ps's indices in order.
Paths::Target Paths::resolve(const std::string& identifier, const Path& ps) const {
  const auto it = places_.find(identifier);
  if (it == places_.end()) throw Bug("the identifier " + identifier + " has no place");
  Target target{{}, {}, {}, false};
  std::vector<int> projections;
  for (const PathStep& s : ps)
    match(
        s, [&](const PathIndex& i) { target.indices.push_back(i.index); },
        [&](const PathProjection& p) { projections.push_back(p.component); },
        [&](const PathLane& l) { target.lane = l.lane; });
  for (const Site& p : it->second)
    if (p.leaf.projections == projections) {
      target.place = p;
      if (p.leaf.dims.size() != target.indices.size())
        throw Bug("a path with " + std::to_string(target.indices.size()) + " indices into " + p.name);
      return target;
    }
  throw Bug("a path that ends at no leaf of " + identifier);
}

// Row-major.
Size Paths::offset(const Target& t) const {
  Size at = 0;
  for (std::size_t k = 0; k < t.indices.size(); ++k) at = at * t.place.leaf.dims[k] + t.indices[k];
  at = at * Size(t.place.leaf.width);
  return t.lane ? at + *t.lane : at;
}

Expr Paths::place_read(const std::string& identifier, const Path& ps) {
  const Target t = resolve(identifier, ps);
  const Leaf& leaf = t.place.leaf;
  const KType whole{leaf.scalar, leaf.width};
  if (t.place.variable) {
    Expr v = kernel::variable(t.place.name, whole);
    if (!t.lane) return v;
    // A number outside the lanes is only read after a check that has trapped.
    const auto number = context_.simplify(*t.lane).constant();
    const bool outside = number && (*number < 0 || *number >= leaf.width);
    return {{leaf.scalar, 1}, kernel::Lane{v, outside ? kernel::constant(0) : expr_of(*t.lane)}};
  }
  Expr index = expr_of(offset(t));
  Expr out = leaf.width == 1 || t.lane ? kernel::load(t.place.name, leaf.scalar, std::move(index))
                                       : Expr{whole, kernel::VectorLoad{t.place.name, leaf.width, std::move(index)}};
  out.region = where_;
  return out;
}

// ------------------------------------------------------------------------------------------------------- Fig. 6c
Expr Paths::expression(const Phrase& e, Path ps) {
  const Within within(*this, e.region);
  return match(
      e.node,
      [&](const Ident& x) {
        const auto it = indices_.find(x.name);
        return it == indices_.end() ? place_read(x.name, ps) : expr_of(it->second);
      },
      [&](const LiteralPhrase& x) { return kernel::constant(x.value, x.digits); },
      [&](const NatPhrase& x) { return expr_of(x.size); },
      [](const LambdaPhrase&) -> Expr { throw Bug("a function as data"); },
      [](const ApplyPhrase&) -> Expr { throw Bug("an application that is not in normal form"); },
      [](const LetPhrase&) -> Expr { throw Bug("let after the translation"); },
      [&](const IfPhrase& x) {
        return choose(
            expression(*x.condition, {}), [&] { return expression(*x.then, ps); },
            [&] { return expression(*x.otherwise, ps); });
      },
      [](const PairPhrase&) -> Expr { throw Bug("a phrase pair as data"); },
      [&](const ProjPhrase& x) {
        const auto* v = as<Ident>(*x.phrase);
        if (!v || x.index != 2) throw Bug("a projection that is no variable's expression");
        return place_read(v->name, ps);
      },
      [&](const PrimPhrase& x) { return primitive_read(x, e, std::move(ps)); },
      [](const ImpPhrase&) -> Expr { throw Bug("a command as data"); });
}

Expr Paths::primitive_read(const PrimPhrase& p, const Phrase&, Path ps) {
  return match(
      p.primitive->kind, [&](const ScalarOp&) { return operator_read(p, ps); },
      [&](const View& v) {
        reading_.push_back(&p);
        Expr out = v.read(static_cast<PathReader&>(*this), Instance{p}, std::move(ps));
        reading_.pop_back();
        return out;
      },
      [&](const Loop&) -> Expr { throw Bug("the loop " + p.primitive->name + " after the translation"); });
}

Expr Paths::read(std::size_t argument, Path path) {
  const PrimPhrase* p = reading_.back();
  // A facet may read several times; what it reads is read in the context of its argument, not its own.
  return expression(*p->arguments.at(argument), std::move(path));
}

Expr Paths::operator_read(const PrimPhrase& p, const Path& ps) {
  const auto& op = std::get<ScalarOp>(p.primitive->kind);
  std::vector<kernel::ExprRef> arguments;
  for (const PhraseRef& a : p.arguments)
    arguments.push_back(expression(*a, ps));  // a lane of the result is one of lanes
  const KType operand = arguments.front()->type;
  const ScalarType result = op.result(operand.scalar);
  return {{result, operand.width}, kernel::Apply{p.primitive, operand, std::move(arguments)}};
}

// Lane l at scalar index base + l of one buffer, for all l: one vector load.
Expr Paths::lanes(int width, const std::function<Expr(Size lane)>& at) {
  std::vector<kernel::ExprRef> each;
  const Expr first = at(0);
  const auto* load = std::get_if<kernel::Load>(&first.node);
  bool contiguous = load != nullptr;
  const Size base = load ? size_of_index(*load->index) : Size(0);
  each.push_back(first);
  for (int l = 1; l < width; ++l) {
    Expr x = at(l);
    const auto* next = std::get_if<kernel::Load>(&x.node);
    contiguous = contiguous && next && next->buffer == load->buffer &&
                 context_.simplify(size_of_index(*next->index) - base) == Size(l);
    each.push_back(std::move(x));
  }
  const KType type{first.type.scalar, width};
  if (contiguous) return {type, kernel::VectorLoad{load->buffer, width, load->index}, first.region};
  return {type, kernel::Build{std::move(each)}};
}

// ------------------------------------------------------------------------------------------------------- Fig. 6b
Paths::Target Paths::acceptor(const Phrase& a, Path ps) {
  if (const auto* x = as<Ident>(a)) return resolve(x->name, ps);
  if (const auto* x = as<ProjPhrase>(a)) {
    const auto* v = as<Ident>(*x->phrase);
    if (!v || x->index != 1) throw Bug("a projection that is no variable's acceptor");
    return resolve(v->name, ps);
  }
  if (const auto* x = use_of<imp::IdxAcc>(a))
    return acceptor(*x->arguments[0], replace_front(ps, 0, {PathIndex{index_size(*x->arguments[1])}}));
  if (const auto* x = as<PrimPhrase>(a); x && x->acceptor >= 0) {
    const AcceptorFacet& facet = std::get<View>(x->primitive->kind).acceptors.at(static_cast<std::size_t>(x->acceptor));
    Target t = acceptor(*x->arguments[0], facet.path(Instance{*x}, std::move(ps)));
    t.nontemporal = t.nontemporal || facet.nontemporal;
    return t;
  }
  throw Bug("a phrase that is no acceptor");
}

}  // namespace lockstep
