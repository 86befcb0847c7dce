// The graph of a program's loops (Henriksen, Oancea, FHPC 2013, §3.1).
#include "translate/dpia/loop_graph.h"

#include "semantics/primitives/build.h"

namespace lockstep {

using fusion::BlockId;
using fusion::StatementId;

std::optional<std::size_t> array_taken(const PrimPhrase& x) {
  const auto* loop = std::get_if<Loop>(&x.primitive->kind);
  if (!loop || x.acceptor >= 0 || !loop->takes) return {};
  for (std::size_t k = 0; k < loop->functions; ++k)
    if (!rewriting::as_lambda(*x.arguments[k])) return {};
  return loop->takes;
}
std::size_t functions_of(const PrimPhrase& x) { return std::get<Loop>(x.primitive->kind).functions; }
bool is_map(const PrimPhrase& x) {
  return array_taken(x) && std::get<Loop>(x.primitive->kind).independent && level_of(x) == Level::Auto;
}
std::uint64_t functions_reading(const PrimPhrase& x, const rewriting::Components& path) {
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < functions_of(x); ++k) {
    const auto& f = std::get<LambdaPhrase>(x.arguments[k]->node);
    all |= std::uint64_t{rewriting::reads_component(*f.body, f.name, path)} << k;
  }
  return all;
}

StatementId LoopGraph::loop_of(const PhraseRef& p) const {
  if (const auto* i = as<Ident>(*p)) {
    const auto it = bound.find(i->name);
    return it == bound.end() ? fusion::none : it->second;
  }
  if (const auto v = viewed.find(&*p); v != viewed.end()) return loop_of(v->second.map);
  const auto it = statement.find(&*p);
  return it == statement.end() ? fusion::none : it->second;
}

StatementId LoopGraph::add(BlockId b, fusion::Statement s) {
  made.emplace_back();
  return graph.add(b, std::move(s));
}

namespace {
fusion::Statement other(const Region& at) {
  fusion::Statement s;
  s.at = at;
  return s;
}
}  // namespace

void LoopGraph::use(StatementId of, const Region& at, BlockId b) {
  fusion::Statement s = other(at);
  s.uses.push_back({of, at});
  add(b, std::move(s));
}

void LoopGraph::visit(const PhraseRef& p, BlockId b) {
  if (as<Ident>(*p)) {
    if (const StatementId from = loop_of(p); from != fusion::none) use(from, p->region, b);
    return;
  }
  if (const auto* l = as<LetPhrase>(*p)) {
    const auto* x = as<PrimPhrase>(*l->value);
    if (x && array_taken(*x))
      bound.emplace(l->name, loop(l->value, *x, b));
    else
      visit(l->value, b);
    return visit(l->body, b);
  }
  if (const auto* c = as<IfPhrase>(*p)) {
    visit(c->condition, b);
    const StatementId s = add(b, other(p->region));
    for (const PhraseRef& branch : {c->then, c->otherwise}) inside(branch, s, false);
    return;
  }
  const auto* x = as<PrimPhrase>(*p);
  if (x && array_taken(*x)) return use(loop(p, *x, b), p->region, b);
  if (as<LambdaPhrase>(*p)) {
    const StatementId s = add(b, other(p->region));
    return inside(p, s, true);
  }
  const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  const int level = x && is_parallel(level_of(*x)) ? 1 : 0;
  levels_ += level;
  bool first = true;
  for_each_child(*p, [&](const PhraseRef& c) {
    if (op && op->decided_by && !first)
      inside(c, add(b, other(p->region)), false);
    else
      visit(c, b);
    first = false;
  });
  levels_ -= level;
}

void LoopGraph::inside(const PhraseRef& p, StatementId owner, bool is_body) {
  const BlockId b = graph.block(owner, is_body);
  functions_ += is_body ? 1 : 0;
  const auto* f = as<LambdaPhrase>(*p);
  visit(f ? f->body : p, b);
  functions_ -= is_body ? 1 : 0;
}

// What the loop takes, where it is a view of a map, or of the name of one, that may be moved above it.
const ViewedMap* LoopGraph::view(const PrimPhrase& x, const rewriting::Zipped& z) {
  auto found = viewed_map(z.array, [&](const std::string& name) {
    const auto it = bound.find(name);
    return it == bound.end() ? nullptr : made[it->second].loop;
  });
  if (!found || (found->rows > 0 && levels_ > 0) || !rows_go_into_a_loop(site_, x, z.path, *found)) return nullptr;
  return &viewed.emplace(&*z.array, std::move(*found)).first->second;
}

void LoopGraph::elements(const PrimPhrase& x, const PhraseRef& xs, BlockId b, fusion::Statement& s,
                         std::vector<Input>& inputs) {
  for (const rewriting::Zipped& z : rewriting::zipped_in(xs)) {
    const ViewedMap* of = view(x, z);
    input(of ? of->map : z.array, {functions_reading(x, z.path), of}, b, s, inputs);
  }
}

// What a loop takes: what another makes, where it is that, or views of it.
void LoopGraph::input(const PhraseRef& xs, const Input& how, BlockId b, fusion::Statement& s,
                      std::vector<Input>& inputs) {
  const auto* x = as<PrimPhrase>(*xs);
  const StatementId from = x && array_taken(*x) ? loop(xs, *x, b) : loop_of(xs);
  if (from != fusion::none) {
    s.inputs.push_back({from, xs->region});
    inputs.push_back(how);
  } else if (x && std::holds_alternative<View>(x->primitive->kind)) {
    for (const PhraseRef& of : x->arguments) input(of, {how.read_by, nullptr, true}, b, s, inputs);
  } else {
    visit(xs, b);
  }
}

StatementId LoopGraph::loop(const PhraseRef& p, const PrimPhrase& x, BlockId b) {
  const std::size_t taken = *array_taken(x), functions = functions_of(x);
  fusion::Statement s = other(p->region);
  s.kind = fusion::Kind::Combinator;
  std::vector<Input> inputs;
  for (std::size_t k = functions; k < x.arguments.size(); ++k) {
    if (k == taken)
      elements(x, x.arguments[k], b, s, inputs);
    else
      visit(x.arguments[k], b);
  }
  const auto id = static_cast<StatementId>(graph.size());
  s.outputs = {id};  // a loop makes one array, which has its number
  add(b, std::move(s));
  made[id] = {&x, &*p, functions_ > 0, levels_ > 0, std::move(inputs)};
  statement.emplace(&*p, id);
  const int level = is_parallel(level_of(x)) ? 1 : 0;
  levels_ += level;
  for (std::size_t k = 0; k < functions; ++k) inside(x.arguments[k], id, true);
  levels_ -= level;
  return id;
}

}  // namespace lockstep
