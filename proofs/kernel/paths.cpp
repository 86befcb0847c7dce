// Paths composed one view at a time (paths.h).
#include "proofs/kernel/paths.h"

namespace lockstep::proofs::kernels {

using namespace kernel;

namespace {

Term raw(ArithOp op, Term a, Term b) {
  return {{ScalarType::I64, 1}, Arith{op, ExprRef(std::move(a)), ExprRef(std::move(b))}};
}

}  // namespace

std::string variable_data(const std::string& name) { return data_name(spelled(name), 0); }

Term Naive::expression(const Phrase& e, const Path& ps) {
  if (const auto* x = as<Ident>(e)) {
    const auto it = paths_.indices().find(x->name);
    return it == paths_.indices().end() ? place(x->name, ps) : as_term(it->second);
  }
  if (const auto* x = as<LiteralPhrase>(e)) return constant(x->value, x->digits);
  if (const auto* x = as<NatPhrase>(e)) return as_term(x->size);
  if (const auto* x = as<ProjPhrase>(e)) return place(as<Ident>(*x->phrase)->name, ps);
  if (const auto* x = as<IfPhrase>(e))
    return choose(
        expression(*x->condition, {}), [&] { return expression(*x->then, ps); },
        [&] { return expression(*x->otherwise, ps); });
  const auto* p = as<PrimPhrase>(e);
  if (!p) throw Bug("a phrase that is no data");
  if (const auto* op = std::get_if<ScalarOp>(&p->primitive->kind)) return application(*p, *op, ps);
  const auto* view = std::get_if<View>(&p->primitive->kind);
  if (!view) throw Bug("the loop " + p->primitive->name + " as data");
  reading_.push_back(p);
  Term out = view->read(static_cast<PathReader&>(*this), Instance{*p}, named_indices(ps));
  reading_.pop_back();
  return out;
}

Term Naive::acceptor(const Phrase& a, const Path& ps) {
  if (const auto* x = as<Ident>(a)) return place(x->name, ps);
  if (const auto* x = as<ProjPhrase>(a)) return place(as<Ident>(*x->phrase)->name, ps);
  if (const auto* x = use_of<imp::IdxAcc>(a)) {
    Path deeper{PathIndex{index(*x->arguments[1])}};
    deeper.insert(deeper.end(), ps.begin(), ps.end());
    return acceptor(*x->arguments[0], deeper);
  }
  const auto* x = as<PrimPhrase>(a);
  if (!x || x->acceptor < 0) throw Bug("a phrase that is no acceptor");
  const AcceptorFacet& facet = std::get<View>(x->primitive->kind).acceptors.at(static_cast<std::size_t>(x->acceptor));
  return acceptor(*x->arguments[0], facet.path(Instance{*x}, named_indices(ps)));
}

const Term* Naive::definition(const std::string& name) const {
  const auto it = definitions_.find(name);
  return it == definitions_.end() ? nullptr : &it->second;
}

Size Naive::fresh(const Term& meaning) {
  const std::string name = data_name(own_name(""), static_cast<int>(definitions_.size()));
  definitions_.emplace(name, meaning);
  meanings_.emplace(name, expanded(meaning));
  return Size::name(name);
}

Path Naive::named_indices(const Path& ps) {
  const auto name = [&](const Size& s) { return s.constant() || s.as_name() ? s : fresh(as_term(s)); };
  Path out;
  for (const PathStep& s : ps)
    match(
        s, [&](const PathIndex& i) { out.push_back(PathIndex{name(i.index)}); },
        [&](const PathProjection& p) { out.push_back(p); },
        [&](const PathLane& l) { out.push_back(PathLane{name(l.lane)}); });
  return out;
}

Size Naive::index(const Phrase& e) {
  if (const auto* x = as<Ident>(e))
    if (const auto it = paths_.indices().find(x->name); it != paths_.indices().end()) return it->second;
  if (const auto* n = as<NatPhrase>(e)) return n->size;
  return fresh(expression(e, {}));
}

Term Naive::place(const std::string& identifier, const Path& ps) {
  std::vector<int> projections;
  std::vector<Term> indices;
  std::optional<Term> lane;
  for (const PathStep& s : ps)
    match(
        s, [&](const PathIndex& i) { indices.push_back(as_term(i.index)); },
        [&](const PathProjection& p) { projections.push_back(p.component); },
        [&](const PathLane& l) { lane = as_term(l.lane); });
  for (const Site& site : paths_.places().at(identifier)) {
    if (site.leaf.projections != projections) continue;
    const Leaf& leaf = site.leaf;
    const KType whole{leaf.scalar, leaf.width}, one{leaf.scalar, 1};
    if (site.variable) {
      const Term v = variable(variable_data(site.name), whole);
      return lane ? Term{one, Lane{v, *lane}} : v;
    }
    Term at = number(Size(0));
    for (std::size_t k = 0; k < indices.size(); ++k)
      at = raw(ArithOp::Add, raw(ArithOp::Multiply, at, as_term(leaf.dims.at(k))), indices[k]);
    if (leaf.width > 1) at = raw(ArithOp::Multiply, at, kernels::number(leaf.width));
    if (lane) at = raw(ArithOp::Add, at, *lane);
    if (leaf.width == 1 || lane) return {one, Load{site.name, at}};
    return {whole, VectorLoad{site.name, leaf.width, at}};
  }
  throw Bug("a path to no leaf of " + identifier);
}

Term Naive::application(const PrimPhrase& p, const ScalarOp& op, const Path& ps) {
  std::vector<ExprRef> arguments;
  for (const PhraseRef& a : p.arguments) arguments.push_back(expression(*a, ps));
  const KType operand = arguments.front()->type;
  const ScalarType result = op.result(operand.scalar);
  return {{result, operand.width}, Apply{p.primitive, operand, std::move(arguments)}};
}

Term Naive::read(std::size_t argument, Path path) {
  const PrimPhrase* p = reading_.back();
  return expression(*p->arguments.at(argument), path);
}

Term Naive::choose(Term condition, const std::function<Term()>& then, const std::function<Term()>& otherwise) {
  Term a = then(), b = otherwise();
  const KType type = a.type;
  return {type, Choose{std::move(condition), std::move(a), std::move(b)}};
}

Term Naive::lanes(int width, const std::function<Term(Size)>& at) {
  std::vector<ExprRef> each;
  for (int l = 0; l < width; ++l) each.push_back(at(l));
  return {{each.front()->type.scalar, width}, Build{std::move(each)}};
}

}  // namespace lockstep::proofs::kernels
