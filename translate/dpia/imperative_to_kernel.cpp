// Commands to kernel statements (DPIA Fig. 6a), with the constants of loops' own expanded on the way.
#include "semantics/functional/names.h"
#include "semantics/functional/shape.h"
#include "semantics/primitives/constant.h"
#include "translate/dpia/index_variables.h"
#include "translate/dpia/paths.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using kernel::Expr;
using kernel::KType;
using kernel::Stmt;

class ToKernel final : public Expansion {
 public:
  ToKernel(const Calculus& calculus, Names& names, SizeContext context, const PathRecorder& recorder)
      : calculus_(calculus), names_(names), recorder_(recorder), paths_(std::move(context)) {}

  Paths& paths() { return paths_; }

  // One place for each leaf of d.
  Sites places(const std::string& name, const Type& d) {
    const std::vector<Leaf> leaves = leaves_of(d);
    Sites out;
    for (const Leaf& leaf : leaves)
      out.push_back(
          {leaves.size() == 1 ? name : names_.fresh(name + "_" + std::to_string(out.size())), leaf, leaf.dims.empty()});
    return out;
  }

  Stmt block(const Phrase& p) {
    kernel::Block b;
    command(p, b);
    return Stmt{std::move(b)};
  }

  void command(const Phrase& p, kernel::Block& out) {
    const auto* x = as<ImpPhrase>(p);
    if (!x) throw Bug("a phrase of type " + show(p.type) + " as a command");
    const Paths::Within within(paths_, p.region);
    match(
        x->constant, [](const imp::Skip&) {},
        [&](const imp::Seq&) { command(*x->arguments[0], out), command(*x->arguments[1], out); },
        [&](const imp::New& c) { allocate(c.space, *x, out); }, [&](const imp::Assign&) { assign(*x, out); },
        [&](const imp::For& c) { for_loop(c.level, *x, out); },
        [&](const imp::ParFor& c) { par_for(c.level, *x, out); },
        [&](const imp::Cond&) {
          emit(out, kernel::If{value(*x->arguments[0]), block(*x->arguments[1]), block(*x->arguments[2])});
        },
        [&](const imp::While&) {
          emit(out, kernel::While{value(*x->arguments[0]), block(*x->arguments[1])});
        },
        [&](const imp::Check& c) { check(c, *x, p.region, out); },
        [&](const imp::Own& c) { c.constant->facets->expand(*this, *x, p.region, out); },
        [&](const imp::Barrier&) {
          emit(out, kernel::Barrier{level_ == Level::Warp ? Level::Warp : Level::Workgroup});
        },
        [](const OneOf<imp::IdxAcc, imp::MapI, imp::ReduceI, imp::ScanI, imp::IterateI, imp::WhileI> auto& c) {
          throw Bug(std::string(c.name) + " after the loops stage");
        });
  }

 private:
  Expr value(const Phrase& e, const Path& ps = {}) {
    Expr made = paths_.expression(e, ps);
    if (recorder_) recorder_({e, ps, paths_, false, {}, made});
    return made;
  }

  static const LambdaPhrase& binder(const Phrase& p) {
    const auto* l = as<LambdaPhrase>(p);
    if (!l) throw Bug("a block that is no abstraction");
    return *l;
  }

  // { CodeGen(d) v; P }
  void allocate(Space space, const ImpPhrase& x, kernel::Block& out) {
    const LambdaPhrase& v = binder(*x.arguments[0]);
    declare(v.name, x.types[0], space, out);
    command(*v.body, out);
  }

  // Scalars become variables, arrays buffers in the space given.
  void declare(const std::string& name, const Type& d, Space space, kernel::Block& out) {
    const Sites sites = places(name, d);
    paths_.bind(name, sites);
    for (const Site& p : sites) {
      const KType type{p.leaf.scalar, p.leaf.width};
      if (p.variable)
        emit(out, kernel::Declare{p.name, type, std::nullopt});
      else
        emit(out, kernel::Allocate{p.name, type, paths_.extent(element_count(p.leaf)), space});
    }
  }

  void assign(const ImpPhrase& x, kernel::Block& out) {
    const Type& d = x.types[0];
    const auto* v = as<VectorType>(d);
    if (!v) return store(*x.arguments[0], {}, value(*x.arguments[1]), out);
    vector_store(*x.arguments[0], {}, static_cast<int>(*v->width.constant()), value(*x.arguments[1]), out);
  }

  void store(const Phrase& a, const Path& ps, Expr e, kernel::Block& out) {
    store(a, ps, {}, paths_.acceptor(a, ps), std::move(e), out);
  }

  void store_at(const Phrase& a, const Path& ps, std::optional<int> lane, const Paths::Target& t, Expr index, Expr e,
                kernel::Block& out) {
    if (recorder_) {
      const KType type = e.type;
      Expr place = type.width == 1 ? kernel::load(t.place.name, type.scalar, index)
                                   : Expr{type, kernel::VectorLoad{t.place.name, type.width, index}};
      recorder_({a, ps, paths_, true, lane, std::move(place)});
    }
    emit(out, kernel::Store{t.place.name, std::move(index), std::move(e), t.nontemporal});
  }

  void store(const Phrase& a, const Path& ps, std::optional<int> lane, const Paths::Target& t, Expr e,
             kernel::Block& out) {
    if (t.place.variable && !t.lane) return emit(out, kernel::Assign{t.place.name, std::move(e)});
    if (t.place.variable) {  // one lane of a vector variable: the vector rebuilt
      const KType type{t.place.leaf.scalar, t.place.leaf.width};
      const auto k = paths_.context().simplify(*t.lane).constant();
      std::vector<kernel::ExprRef> lanes;
      for (int l = 0; l < type.width; ++l) {
        const Expr old{{type.scalar, 1}, kernel::Lane{kernel::variable(t.place.name, type), kernel::constant(l)}};
        if (k)
          lanes.push_back(*k == l ? e : old);
        else
          lanes.push_back(
              Expr{{type.scalar, 1},
                   kernel::Choose{kernel::arith(kernel::ArithOp::Equal, paths_.expr_of(*t.lane), kernel::constant(l)),
                                  e, old}});
      }
      return emit(out, kernel::Assign{t.place.name, Expr{type, kernel::Build{std::move(lanes)}}});
    }
    store_at(a, ps, lane, t, paths_.expr_of(paths_.offset(t)), std::move(e), out);
  }

  // Through asScalarAcc the lanes may land apart: $lane in the path stands for each.
  void vector_store(const Phrase& a, const Path& ps, int width, const Expr& e, kernel::Block& out) {
    const Paths::Target t = paths_.acceptor(a, ps);
    const auto lane_at = [&](const Paths::Target& target, int l) {
      Paths::Target one = target;
      for (Size& i : one.indices) i = substitute(i, {{"$lane", Size(l)}});
      if (one.lane) one.lane = substitute(*one.lane, {{"$lane", Size(l)}});
      return one;
    };
    bool by_lane = t.lane && mentions(*t.lane, "$lane");
    for (const Size& i : t.indices) by_lane = by_lane || mentions(i, "$lane");
    if (!by_lane) return store(a, ps, {}, t, e, out);
    const Size base = paths_.offset(lane_at(t, 0));
    bool contiguous = !t.place.variable;
    for (int l = 1; l < width; ++l)
      contiguous = contiguous && paths_.context().simplify(paths_.offset(lane_at(t, l)) - base) == Size(l);
    if (contiguous) return store_at(a, ps, {}, t, paths_.expr_of(base), e, out);
    const std::string v = names_.fresh("v");
    emit(out, kernel::Declare{v, e.type, e});
    for (int l = 0; l < width; ++l)
      store(a, ps, l, lane_at(t, l),
            Expr{{e.type.scalar, 1}, kernel::Lane{kernel::variable(v, e.type), kernel::constant(l)}}, out);
  }

  void for_loop(Level level, const ImpPhrase& x, kernel::Block& out) {
    const LambdaPhrase& i = binder(*x.arguments[0]);
    if (paths_.context().simplify(x.sizes[0]) == Size(0)) return;  // no iteration
    paths_.bind_index(i.name, x.sizes[0]);
    Stmt body = block(*i.body);
    emit(out, kernel::For{i.name, paths_.extent(x.sizes[0]), std::move(body), level == Level::Unroll});
  }

  // The body with idxAcc A i for o; arrays allocated at its top are the scratch of each worker.
  void par_for(Level level, const ImpPhrase& x, kernel::Block& out) {
    const LambdaPhrase& i = binder(*x.arguments[1]);
    const LambdaPhrase& o = binder(*i.body);
    paths_.bind_index(i.name, x.sizes[0]);
    PhraseRef body = substitute(o.body, {{o.name, idx_acc(x.arguments[0], ident(i.name, i.parameter))}});
    kernel::Block inner;
    const Level around = std::exchange(level_, level);
    command(*body, inner);
    level_ = around;
    kernel::ParallelFor loop{level, i.name, paths_.extent(x.sizes[0]), {}, Stmt{kernel::Block{}}};
    kernel::Block rest;
    for (Stmt& s : inner.statements) {
      auto* a = std::get_if<kernel::Allocate>(&s.node);
      if (a && a->space == Space::Global && level != Level::Local)
        loop.scratch.push_back(std::move(*a));
      else
        rest.statements.push_back(std::move(s));
    }
    loop.body = Stmt{std::move(rest)};
    emit(out, std::move(loop));
  }

  void check(const imp::Check& told, const ImpPhrase& x, const Region& region, kernel::Block& out) {
    std::vector<Expr> values;
    for (std::size_t k = 1; k < x.arguments.size(); ++k) values.push_back(value(*x.arguments[k]));
    emit(out, kernel::Check{value(*x.arguments[0]), told.primitive, told.message, std::move(values), region});
  }

  // A :=_d e at the leaves of an element: the same loops as generalised assignment, sequential.
  void copy(const Phrase& a, const Phrase& e, Path ps, const Type& d, kernel::Block& out) {
    if (const auto* t = as<PairType>(d)) {
      for (int k = 1; k <= 2; ++k) {
        Path deeper = ps;
        deeper.push_back(PathProjection{k});
        copy(a, e, std::move(deeper), k == 1 ? *t->first : *t->second, out);
      }
      return;
    }
    if (const auto* t = as<ArrayType>(d)) {
      const std::string k = names_.fresh("k");
      paths_.bind_index(k, t->length);
      Path deeper = ps;
      deeper.push_back(PathIndex{Size::name(k)});
      kernel::Block body;
      copy(a, e, std::move(deeper), *t->element, body);
      emit(out, kernel::For{k, paths_.extent(t->length), Stmt{std::move(body)}, false});
      return;
    }
    if (const auto* v = as<VectorType>(d))
      return vector_store(a, ps, static_cast<int>(*v->width.constant()), value(e, ps), out);
    store(a, ps, value(e, ps), out);
  }

  // Expansion: what a constant of a loop's own may ask for (primitives/constant.h)
  std::string fresh(const std::string& base) override { return names_.fresh(base); }
  Expr extent(const Size& n) override { return paths_.extent(n); }
  Expr value(const PhraseRef& e, const Path& path) override { return value(*e, path); }
  PhraseRef index(const std::string& name, const Size& bound) override {
    paths_.bind_index(name, bound);
    return ident(name, exp_type(index_type(bound)));
  }
  void emit(kernel::Block& out, decltype(Stmt::node) node) override {
    IndexVariables variables(names_);
    const auto once = [&](Expr& e) { e = variables.in(e, out); };
    if (auto* s = std::get_if<kernel::Store>(&node)) s->index = variables.in_address(s->index, out), once(s->value);
    if (auto* s = std::get_if<kernel::Atomic>(&node)) s->index = variables.in_address(s->index, out), once(s->value);
    if (auto* s = std::get_if<kernel::Assign>(&node)) once(s->value);
    if (auto* s = std::get_if<kernel::Declare>(&node); s && s->init) once(*s->init);
    if (auto* s = std::get_if<kernel::If>(&node)) once(s->condition);
    if (auto* s = std::get_if<kernel::Check>(&node)) once(s->ok);
    out.statements.push_back({std::move(node), paths_.where()});
  }
  void command(const PhraseRef& c, kernel::Block& out) override { command(*c, out); }
  PhraseRef declare(const std::string& name, const Type& d, kernel::Block& out) override {
    declare(name, d, Space::Global, out);
    return ident(name, var_type(d));
  }
  void copy(const PhraseRef& a, const PhraseRef& e, const Type& d, kernel::Block& out) override {
    copy(*a, *e, {}, d, out);
  }
  void store(const PhraseRef& a, Expr e, kernel::Block& out) override { store(*a, {}, std::move(e), out); }
  void update(const PhraseRef& a, const PrimitiveRef& op, Expr e, kernel::Block& out) override {
    const Paths::Target t = paths_.acceptor(*a, {});
    if (t.place.variable || t.lane) throw Bug("an atomic update of what is no scalar of an array");
    Expr index = paths_.expr_of(paths_.offset(t));
    if (recorder_) recorder_({*a, {}, paths_, true, {}, kernel::load(t.place.name, e.type.scalar, index)});
    emit(out, kernel::Atomic{t.place.name, std::move(index), op, std::move(e)});
  }
  Level around() const override { return level_; }
  const PrimitiveRef& primitive(std::string_view name) override { return calculus_.primitive(name); }

  const Calculus& calculus_;
  Names& names_;
  const PathRecorder& recorder_;
  Paths paths_;
  Level level_ = Level::Seq;  // of the parallel loop around
};

// Of a leaf whose type is idx(n): n.
std::optional<Size> bound_of(const Leaf& leaf, const Type& d) {
  const Type* t = &d;
  for (std::size_t step = 0;;) {
    if (const auto* a = as<ArrayType>(*t))
      t = &*a->element;
    else if (const auto* p = as<PairType>(*t))
      t = leaf.projections.at(step++) == 1 ? &*p->first : &*p->second;
    else
      break;
  }
  const auto* index = as<IndexType>(*t);
  return index ? std::optional(index->bound) : std::nullopt;
}

}  // namespace

namespace {
kernel::Program imperative_to_kernel(const PhraseProgram& program, const Calculus& calculus,
                                     const PathRecorder& recorder) {
  Names names = names_of(program);
  ToKernel to(calculus, names, context_of(program), recorder);
  kernel::Program out{program.name, program.sizes, {}, {}, program.facts, Stmt{kernel::Block{}}, program.launch};
  const auto buffers = [&](const std::string& name, const Type& d, std::vector<kernel::Buffer>& into) {
    Sites places = to.places(name, d);
    for (Site& p : places) {
      p.variable = false;
      into.push_back({p.name, {p.leaf.scalar, p.leaf.width}, p.leaf.dims, element_count(p.leaf), bound_of(p.leaf, d)});
    }
    to.paths().bind(name, std::move(places));
  };
  for (const auto& [name, type] : program.parameters) buffers(name, type, out.inputs);
  buffers(program.output, program.result, out.outputs);
  for (kernel::Buffer& b : out.outputs) b.below.reset();  // nobody relies on it
  for (const std::string& s : program.sizes) to.paths().bind_index_as(s, Size::name(s));
  out.body = to.block(*program.body);
  return out;
}
}  // namespace

Stage paths(const DpiaLanguages& l, Machine machine) {
  return stage_of<PhraseProgram, kernel::Program>(
      "paths", "DPIA §4.3, Fig. 6", l.hoisted, machine == Machine::Cpu ? l.kernel : l.before_barriers,
      [c = l.calculus](const PhraseProgram& p, Owed* owed) {
        PathRecorder recorder;
        if (owed) recorder = [&](PathRecord r) { owed->push_back({"path", Erased(std::move(r))}); };
        return imperative_to_kernel(p, *c, recorder);
      },
      {CostRelation::Change::NotMore, CostRelation::Change::NotMore});
}

}  // namespace lockstep
