// Altered calculi, stages and languages, and the rewriting of phrases.
#include "props/dpia/mutants/parts.h"

#include <algorithm>

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

Toolchain tools_with(const std::function<void(std::vector<Stage>&, Machine)>& change) {
  Toolchain out;
  out.stages = [change](const DpiaLanguages& languages, Machine machine) {
    std::vector<Stage> stages = dpia_stages(languages, machine);
    change(stages, machine);
    return stages;
  };
  return out;
}
Toolchain tools_with(const std::string& stage, const PhraseTransform& transform) {
  return tools_with([stage, transform](std::vector<Stage>& stages, Machine machine) {
    for (Stage& s : stages)
      if (s.name == stage)
        s = altered<PhraseProgram, PhraseProgram>(s, [transform, machine](const auto& after, const auto& before) {
          return transform(after, before, machine);
        });
  });
}
Toolchain tools_with(const std::string& stage, const KernelTransform& transform) {
  return tools_with([stage, transform](std::vector<Stage>& stages, Machine) {
    for (Stage& s : stages)
      if (s.name == stage) s = altered<kernel::Program>(s, transform);
  });
}
Toolchain tools_with(const std::string& stage, const KernelChange& change) {
  return tools_with([stage, change](std::vector<Stage>& stages, Machine) {
    for (Stage& s : stages)
      if (s.name == stage) s = altered<kernel::Program, kernel::Program>(s, change);
  });
}
Toolchain tools_with_last(const KernelTransform& transform) {
  return tools_with([transform](std::vector<Stage>& stages, Machine) {
    const auto last =
        std::find_if(stages.rbegin(), stages.rend(), [](const Stage& s) { return s.to->name == "kernel"; });
    *last = altered<kernel::Program>(*last, transform);
  });
}
namespace {
template <class L>
LanguageRef changed(const LanguageRef& language, const LanguageChange& change) {
  const auto out = std::make_shared<L>(dynamic_cast<const L&>(*language));
  change(*out);
  return out;
}
}  // namespace
Toolchain with_kernels(const LanguageChange& change) {
  Toolchain out;
  out.languages = [change](std::shared_ptr<const Calculus> calculus) {
    DpiaLanguages l = dpia_languages(std::move(calculus));
    for (LanguageRef* k : {&l.kernel, &l.before_barriers}) *k = changed<kernel::Language>(*k, change);
    return l;
  };
  return out;
}
namespace {
Toolchain with_array_languages(const std::vector<LanguageRef DpiaLanguages::*>& which, const LanguageChange& change) {
  Toolchain out;
  out.languages = [which, change](std::shared_ptr<const Calculus> calculus) {
    DpiaLanguages l = dpia_languages(std::move(calculus));
    for (const auto language : which) l.*language = changed<ArrayLanguage>(l.*language, change);
    return l;
  };
  return out;
}
}  // namespace
Toolchain with_functional(const LanguageChange& change) {
  return with_array_languages({&DpiaLanguages::functional}, change);
}
Toolchain with_imperative(const LanguageChange& change) {
  return with_array_languages({&DpiaLanguages::imperative, &DpiaLanguages::hoisted}, change);
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

PhraseTransform where_changed(const std::function<PhraseRef(const PhraseRef&)>& change) {
  return [all = on_phrases(change)](const PhraseProgram& after, const PhraseProgram& before, Machine machine) {
    return *after.body == *before.body ? after : all(after, before, machine);
  };
}

std::vector<Mutant> mutants() {
  std::vector<Mutant> all;
  for (const auto family :
       {fusion_mutants,  tiles_mutants, blocks_mutants,    scan_mutants,      contraction_mutants, acceptor_mutants,
        read_mutants,    loop_mutants,  state_mutants,     trap_mutants,      name_mutants,        hoist_mutants,
        barrier_mutants, warp_mutants,  shuffle_mutants,   atomic_mutants,    unit_mutants,        place_mutants,
        check_mutants,   digit_mutants, index_set_mutants, transpose_mutants, swap_mutants,        width_mutants,
        host_mutants,    index_mutants, operator_mutants,  text_mutants,      cost_mutants,        said_cost_mutants})
    family(all);
  return all;
}
const std::vector<std::string>& mutant_families() {
  static const std::vector<std::string> all{"fusion", "blocks", "laws",     "contraction", "acceptor", "read path",
                                            "loop",   "state",  "trap",     "names",       "hoist",    "barrier",
                                            "warp",   "atomic", "units",    "places",      "check",    "width",
                                            "host",   "index",  "operator", "text",        "cost",     "tiles"};
  return all;
}

}  // namespace lockstep::props
