// Altered calculi and pipelines, and the rewriting of phrases.
#include "props/dpia/mutants/parts.h"

#include "semantics/primitives/paths.h"

namespace lockstep::props {

MakeCalculus with_read(const std::string& name, std::function<kernel::Expr(PathReader&, const Instance&, Path)> read) {
  return altered<View>(name, [read](View& v) { v.read = read; });
}
MakeCalculus with_path(const std::string& name, std::size_t k, std::function<Path(const Instance&, Path)> path) {
  return altered<View>(name, [k, path](View& v) { v.acceptors.at(k).path = path; });
}
MakeCalculus without_acceptor(const std::string& name, std::size_t k) {
  return altered<View>(name, [k](View& v) { v.acceptors.erase(v.acceptors.begin() + static_cast<std::ptrdiff_t>(k)); });
}
MakeCalculus with_phrase(const std::string& name, const PhraseChange& change) {
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

Size first_index(const Path& p) { return index_of(p.at(0)); }
Size second_index(const Path& p) { return index_of(p.at(1)); }
kernel::Expr index_read(PathReader& r, const Path& p, std::size_t steps, const Size& index) {
  return r.read(0, replace_front(p, steps, {PathIndex{index}}));
}

PipelineMaker pipeline_with(const std::string& stage, const PhraseTransform& transform) {
  return [stage, transform](const PhraseProgram& source, const Calculus& calculus, Machine machine) {
    return run_watched_pipeline(source, calculus, machine, [&](Pipeline& so_far) {
      if (!so_far.kernels.empty() || so_far.phrases.back().name != stage) return;
      const PhraseProgram& before = so_far.phrases.at(so_far.phrases.size() - 2).program;
      so_far.phrases.back().program = transform(so_far.phrases.back().program, before, machine);
    });
  };
}
PipelineMaker pipeline_with(const std::string& stage, const KernelTransform& transform) {
  return [stage, transform](const PhraseProgram& source, const Calculus& calculus, Machine machine) {
    return run_watched_pipeline(source, calculus, machine, [&](Pipeline& so_far) {
      if (so_far.kernels.empty() || so_far.kernels.back().name != stage) return;
      so_far.kernels.back().program = transform(so_far.kernels.back().program);
    });
  };
}
PipelineMaker pipeline_with_last(const KernelTransform& transform) {
  return [transform](const PhraseProgram& source, const Calculus& calculus, Machine machine) {
    Pipeline out = run_pipeline(source, calculus, machine);
    out.kernels.back().program = transform(out.kernels.back().program);
    return out;
  };
}

PhraseRef rewritten(const PhraseRef& p, const std::function<PhraseRef(const PhraseRef&)>& change) {
  return change(map_children(p, [&](const PhraseRef& c) { return rewritten(c, change); }));
}
PhraseTransform on_phrases(const std::function<PhraseRef(const PhraseRef&)>& change) {
  return [change](const PhraseProgram& p, const PhraseProgram&, Machine) {
    PhraseProgram out = p;
    out.body = rewritten(p.body, change);
    return out;
  };
}

std::vector<Mutant> mutants() {
  std::vector<Mutant> all;
  for (const auto family :
       {acceptor_mutants, read_mutants, loop_mutants, state_mutants, trap_mutants, name_mutants, hoist_mutants,
        barrier_mutants, index_mutants, operator_mutants, text_mutants, cost_mutants})
    family(all);
  return all;
}
const std::vector<std::string>& mutant_families() {
  static const std::vector<std::string> all{"acceptor", "read path", "loop",  "state",    "trap", "names",
                                            "hoist",    "barrier",   "index", "operator", "text", "cost"};
  return all;
}

}  // namespace lockstep::props
