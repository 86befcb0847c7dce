// The planted mistakes. A primitive is copied from the standard calculus, one of its lowering facets is altered, and it
// is put back; a stage's mistake is a pipeline with one step more.
#include "props/mutants.h"

#include "semantics/primitives/build.h"
#include "semantics/primitives/paths.h"
#include "translate/kernel_walk.h"

namespace lockstep::props {
namespace {

// The standard calculus with one facet of a view or loop altered.
template <class Kind>
std::function<Calculus()> altered(const std::string& name, const std::function<void(Kind&)>& alter) {
  return [name, alter] {
    Calculus calculus = standard_calculus();
    Primitive p = *calculus.primitive(name);
    alter(std::get<Kind>(p.kind));
    calculus.add(std::make_shared<const Primitive>(std::move(p)));
    return calculus;
  };
}
std::function<Calculus()> with_read(const std::string& name,
                                    std::function<kernel::Expr(PathReader&, const Instance&, Path)> read) {
  return altered<View>(name, [read](View& v) { v.read = read; });
}
std::function<Calculus()> with_path(const std::string& name, std::size_t k,
                                    std::function<Path(const Instance&, Path)> path) {
  return altered<View>(name, [k, path](View& v) { v.acceptors.at(k).path = path; });
}
// Both translations of a loop see another phrase than the one that is there.
std::function<Calculus()> with_phrase(const std::string& name,
                                      std::function<PrimPhrase(Translation&, const PrimPhrase&)> change) {
  return altered<Loop>(name, [change](Loop& l) {
    l.acceptor = [old = l.acceptor, change](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
      return old(t, change(t, e), a);
    };
    if (l.continuation)
      l.continuation = [old = l.continuation, change](Translation& t, const PrimPhrase& e, const auto& c) {
        return old(t, change(t, e), c);
      };
  });
}

kernel::Expr index_read(PathReader& r, const Path& p, std::size_t steps, const Size& index) {
  return r.read(0, replace_front(p, steps, {PathIndex{index}}));
}

// \x y. F y x, where the types allow it
PrimPhrase swapped_operands(Translation& t, const PrimPhrase& e) {
  if (!(e.types[0] == e.types[1])) return e;
  const std::string x = t.fresh("x"), y = t.fresh("y");
  const PhraseType d = exp_type(e.types[0]);
  PrimPhrase out = e;
  out.arguments[0] = lambda(x, d, lambda(y, d, apply(apply(e.arguments[0], ident(y, d)), ident(x, d))));
  return out;
}
PrimPhrase once_more(Translation&, const PrimPhrase& e) {
  PrimPhrase out = e;
  out.sizes[0] = e.sizes[0] + Size(1);
  return out;
}
PrimPhrase other_branch(Translation&, const PrimPhrase& e) {
  PrimPhrase out = e;
  std::swap(out.arguments[1], out.arguments[2]);
  return out;
}

Calculus scan_as_exclusive() {
  Calculus calculus = standard_calculus();
  Primitive p = *calculus.primitive("scan");
  std::get<Loop>(p.kind).acceptor = std::get<Loop>(calculus.primitive("scanExclusive")->kind).acceptor;
  calculus.add(std::make_shared<const Primitive>(std::move(p)));
  return calculus;
}

kernel::Expr pad_strictly(PathReader& r, const Instance& at, Path p) {
  const Size i = index_of(p.at(0)), l = at.size(0), n = at.size(2);
  const auto test =
      kernel::arith(kernel::ArithOp::And, r.test({l, SizeRelation::Less, i}), r.test({i, SizeRelation::Less, l + n}));
  return r.choose(
      test, [&] { return r.read(1, replace_front(p, 1, {PathIndex{i - l}})); },
      [&] { return r.read(0, replace_front(p, 1, {})); });
}

kernel::Expr lanes_backwards(PathReader& r, const Instance& at, Path p) {
  const Size i = index_of(p.at(0)), w = at.size(0);
  const auto scalar_at = [&](const Size& lane) { return r.read(0, path_of({PathIndex{i * w + w - Size(1) - lane}})); };
  if (p.size() == 2) return scalar_at(std::get<PathLane>(p[1]).lane);
  return r.lanes(static_cast<int>(*w.constant()), scalar_at);
}

// ------------------------------------------------------------------------------------------------------- stages
using StatementChange = std::function<std::optional<kernel::Stmt>(const kernel::Stmt&)>;  // nothing: left out

kernel::Stmt changed(const kernel::Stmt& s, const StatementChange& change) {
  using namespace kernel;
  const auto go = [&](const StmtRef& r) {
    const auto y = change(*r);
    return StmtRef(changed(y ? *y : Stmt{Block{}}, change));
  };
  Stmt out = s;
  if (auto* b = std::get_if<Block>(&out.node)) {
    std::vector<Stmt> kept;
    for (const Stmt& x : b->statements)
      if (auto y = change(x)) kept.push_back(changed(*y, change));
    b->statements = std::move(kept);
  }
  if (auto* f = std::get_if<For>(&out.node)) f->body = go(f->body);
  if (auto* f = std::get_if<ParallelFor>(&out.node)) f->body = go(f->body);
  if (auto* f = std::get_if<While>(&out.node)) f->body = go(f->body);
  if (auto* f = std::get_if<If>(&out.node)) {
    f->then = go(f->then);
    f->otherwise = go(f->otherwise);
  }
  return out;
}

PipelineMaker with_last_step(const std::string& name, const StatementChange& change) {
  return [name, change](const PhraseProgram& source, const Calculus& calculus, Machine machine) {
    Pipeline out = run_pipeline(source, calculus, machine);
    kernel::Program last = out.kernels.back().program;
    last.body = changed(last.body, change);
    out.kernels.push_back({name, "a mutant", std::move(last), 0});
    return out;
  };
}

std::optional<kernel::Stmt> without_duplicate_check(const kernel::Stmt& s) {
  const auto* c = std::get_if<kernel::Check>(&s.node);
  if (c && c->primitive == "scatter" && c->message.find("twice") != std::string::npos) return {};
  return s;
}

// A temporary that is copied back is taken for what it is copied to: the paper's reduceI, wrong for compound state.
std::optional<kernel::Stmt> written_in_place(const kernel::Stmt& s) {
  const auto* b = std::get_if<kernel::Block>(&s.node);
  if (!b) return s;
  std::vector<kernel::Stmt> kept = b->statements;
  for (const kernel::Stmt& x : b->statements) {
    const auto* copy = std::get_if<kernel::Assign>(&x.node);
    const auto* from = copy ? std::get_if<kernel::Var>(&copy->value.node) : nullptr;
    if (!from || !from->name.starts_with("next")) continue;
    std::vector<kernel::Stmt> rest;
    for (const kernel::Stmt& y : kept) {
      const auto* d = std::get_if<kernel::Declare>(&y.node);
      if (y == x || (d && d->name == from->name)) continue;
      rest.push_back(kernel::rename(y, from->name, copy->name));
    }
    kept = std::move(rest);
  }
  return kernel::Stmt{kernel::Block{std::move(kept)}};
}

PipelineMaker in_place_too_early() {
  return [](const PhraseProgram& source, const Calculus& calculus, Machine machine) {
    Pipeline out = run_pipeline(source, calculus, machine);
    kernel::Program paths = out.kernels.front().program;
    const kernel::Stmt top{kernel::Block{{paths.body}}};
    paths.body = changed(top, written_in_place);
    out.kernels.push_back({"in place", "a mutant", std::move(paths), 0});
    return out;
  };
}

}  // namespace

std::vector<Mutant> mutants() {
  const auto second = [](const Path& p) { return index_of(p.at(1)); };
  const auto first = [](const Path& p) { return index_of(p.at(0)); };
  std::vector<Mutant> all;
  const auto calculus = [&](const char* name, const char* family, const char* description,
                            std::function<Calculus()> make) {
    all.push_back({name, family, description, std::move(make), run_pipeline});
  };
  const auto stage = [&](const char* name, const char* description, PipelineMaker make) {
    all.push_back({name, "stage", description, standard_calculus, std::move(make)});
  };

  calculus("zip-acceptors", "acceptor", "zipAcc1 writes the second component",
           with_path("zip", 0, [](const Instance&, Path p) {
             const PathStep i = p.at(0);
             return replace_front(p, 1, {i, PathProjection{2}});
           }));
  calculus("split-acceptor", "acceptor",
           "splitAcc divides by the wrong one of its two sizes, as in the paper's Fig. 6b",
           with_path("split", 0, [first](const Instance& at, Path p) {
             return replace_front(
                 p, 1, {PathIndex{floor_div(first(p), at.size(1))}, PathIndex{modulo(first(p), at.size(1))}});
           }));
  calculus("join-acceptor", "acceptor", "joinAcc takes the row for the column",
           with_path("join", 0, [first, second](const Instance& at, Path p) {
             return replace_front(p, 2, {PathIndex{second(p) * at.size(0) + first(p)}});
           }));
  calculus("concat-acceptor", "acceptor", "concatAcc2 forgets how long the first array is",
           with_path("concat", 1, [](const Instance&, Path p) { return p; }));
  calculus("reverse-acceptor", "acceptor", "reverseAcc is off by one",
           with_path("reverse", 0, [first](const Instance& at, Path p) {
             return replace_front(p, 1, {PathIndex{at.size(0) - first(p)}});
           }));

  calculus("split-read", "read path", "split reads one element too far",
           with_read("split", [first, second](PathReader& r, const Instance& at, Path p) {
             return index_read(r, p, 2, first(p) * at.size(0) + second(p) + Size(1));
           }));
  calculus("transpose-read", "read path", "transpose reads rows as rows",
           with_read("transpose", [](PathReader& r, const Instance&, Path p) { return r.read(0, std::move(p)); }));
  calculus("slide-read", "read path", "slide ignores its stride",
           with_read("slide", [first, second](PathReader& r, const Instance&, Path p) {
             return index_read(r, p, 2, first(p) + second(p));
           }));
  calculus("pad-read", "read path", "pad takes its first element for padding", with_read("pad", pad_strictly));
  calculus("drop-read", "read path", "drop reads from the start",
           with_read("drop", [](PathReader& r, const Instance&, Path p) { return r.read(0, std::move(p)); }));
  calculus("lanes-read", "read path", "asVector takes its lanes backwards", with_read("asVector", lanes_backwards));

  calculus("reduce-operands", "loop", "reduce hands accumulator and element over in the wrong order",
           with_phrase("reduce", swapped_operands));
  calculus("scan-exclusive", "loop", "scan leaves the last element out, as scanExclusive does", scan_as_exclusive);
  calculus("iterate-once-more", "loop", "iterate goes round once too often", with_phrase("iterate", once_more));
  calculus("if-branches", "loop", "if takes the other branch", with_phrase("if", other_branch));
  calculus("gather-unchecked", "loop", "gather does not check its indices",
           altered<View>("gather", [](View& v) { v.check = nullptr; }));

  stage("scatter-duplicates", "scatter does not notice an index that occurs twice",
        with_last_step("scatter unchecked", without_duplicate_check));
  stage("in-place-too-early", "a step's result is written over its state while the state is still read",
        in_place_too_early());
  return all;
}

std::optional<Caught> caught(const Mutant& mutant, std::uint64_t seed, std::size_t programs) {
  const Calculus right = standard_calculus(), wrong = mutant.calculus();
  CampaignOptions standard, mutated;
  mutated.pipeline = mutant.pipeline;
  CampaignReport unused;
  for (std::size_t k = 0; k < programs; ++k) {
    const std::uint64_t program_seed = seed_of(seed, k);
    const surface::Program p = generate_program(program_seed, mutated.nodes);
    const ProgramCheck check = check_program_at_stages(p, program_seed, mutated, wrong, unused);
    if (check.finding && !check_program_at_stages(p, program_seed, standard, right, unused).finding)
      return Caught{k, *check.finding};
  }
  return {};
}

}  // namespace lockstep::props
