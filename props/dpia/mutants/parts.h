// What mutants are made from: a calculus with one facet altered, a stage with its output altered, a language, and
// walks that rewrite phrases and kernels. Each family is a file, mutants_*.cpp.
#pragma once
#include "props/dpia/mutants/mutants.h"
#include "semantics/kernel/walk.h"

namespace lockstep::props {

// A function that adds a mutant to a family: its name, a description, and the part of it that is made wrong.
template <auto part>
auto planting(std::vector<Mutant>& all, const char* family) {
  using Part = std::remove_reference_t<decltype(std::declval<Mutant&>().*part)>;
  return
      [&all, family](const char* name, const char* description, Part made, std::vector<DirectedProgram> directed = {}) {
        Mutant m{name, family, description};
        m.*part = std::move(made);
        m.directed = std::move(directed);
        all.push_back(std::move(m));
      };
}

// ---------------------------------------------------------------------------------------------- calculi
using MakeCalculus = std::function<Calculus()>;
// The standard calculus with one facet of a primitive altered: a View, a Loop, or a ScalarOp.
template <class Kind>
MakeCalculus altered(const std::string& name, const std::function<void(Kind&)>& alter) {
  return [name, alter] {
    Calculus calculus = standard_calculus();
    Primitive p = *calculus.primitive(name);
    alter(std::get<Kind>(p.kind));
    calculus.add(std::make_shared<const Primitive>(std::move(p)));
    return calculus;
  };
}
MakeCalculus with_read(const std::string& name, std::function<kernel::Expr(PathReader&, const Instance&, Path)> read);
MakeCalculus with_path(const std::string& name, std::size_t k, std::function<Path(const Instance&, Path)> path);
MakeCalculus without_acceptor(const std::string& name, std::size_t k);
// Both translations of a loop see another phrase than the one that is there.
using PhraseChange = std::function<PrimPhrase(Translation&, const PrimPhrase&)>;
MakeCalculus with_phrase(const std::string& name, const PhraseChange& change);

Size first_index(const Path& p);
Size second_index(const Path& p);
// Argument 0 at another index in the place of the first `steps` of the path.
kernel::Expr index_read(PathReader& r, const Path& p, std::size_t steps, const Size& index);

// ---------------------------------------------------------------------------------------------- stages
// One of the stages with its output altered before the next one sees it; `before` is what the stage was given. A stage
// that the machine's list lacks is left alone.
using PhraseTransform = std::function<PhraseProgram(const PhraseProgram&, const PhraseProgram& before, Machine)>;
using KernelTransform = std::function<kernel::Program(const kernel::Program&)>;
Toolchain tools_with(const std::function<void(std::vector<Stage>&, Machine)>& change);
Toolchain tools_with(const std::string& stage, const PhraseTransform& transform);
Toolchain tools_with(const std::string& stage, const KernelTransform& transform);
using KernelChange = std::function<kernel::Program(const kernel::Program& after, const kernel::Program& before)>;
Toolchain tools_with(const std::string& stage, const KernelChange& change);
// The last kernel altered, whatever stage made it.
Toolchain tools_with_last(const KernelTransform& transform);

// ---------------------------------------------------------------------------------------------- languages
using LanguageChange = std::function<void(Language&)>;
Toolchain with_kernels(const LanguageChange& change);
Toolchain with_functional(const LanguageChange& change);
Toolchain with_imperative(const LanguageChange& change);

// ---------------------------------------------------------------------------------------------- phrases
// Every node below and p itself, children first.
PhraseRef rewritten(const PhraseRef& p, const std::function<PhraseRef(const PhraseRef&)>& change);
PhraseTransform on_phrases(const std::function<PhraseRef(const PhraseRef&)>& change);
// The same of programs that the stage itself changed.
PhraseTransform where_changed(const std::function<PhraseRef(const PhraseRef&)>& change);

// ---------------------------------------------------------------------------------------------- kernels
using kernel::ExprChange;
using kernel::rewritten;
using kernel::StmtChange;
KernelTransform on_expressions(const ExprChange& change);
KernelTransform on_statements(const StmtChange& change);
using LoopChange = std::function<void(kernel::ParallelFor&)>;
KernelTransform on_dealt_loops(const LoopChange& change);  // to the launch's units
// Only at the first place where the change changes something.
KernelTransform on_first_statement(const StmtChange& change);
kernel::Expr unwrapped(const kernel::Expr& e);  // of a sum or product of i64: in which nothing wraps

// ---------------------------------------------------------------------------------------------- families
void fusion_mutants(std::vector<Mutant>& all);
void blocks_mutants(std::vector<Mutant>& all);
void scan_mutants(std::vector<Mutant>& all);
void tiles_mutants(std::vector<Mutant>& all);
void contraction_mutants(std::vector<Mutant>& all);
void acceptor_mutants(std::vector<Mutant>& all);
void read_mutants(std::vector<Mutant>& all);
void loop_mutants(std::vector<Mutant>& all);
void state_mutants(std::vector<Mutant>& all);
void trap_mutants(std::vector<Mutant>& all);
void name_mutants(std::vector<Mutant>& all);
void hoist_mutants(std::vector<Mutant>& all);
void barrier_mutants(std::vector<Mutant>& all);
void warp_mutants(std::vector<Mutant>& all);
void shuffle_mutants(std::vector<Mutant>& all);
void atomic_mutants(std::vector<Mutant>& all);
void unit_mutants(std::vector<Mutant>& all);
void place_mutants(std::vector<Mutant>& all);
void check_mutants(std::vector<Mutant>& all);
void digit_mutants(std::vector<Mutant>& all);
void index_set_mutants(std::vector<Mutant>& all);
void transpose_mutants(std::vector<Mutant>& all);
void swap_mutants(std::vector<Mutant>& all);
void width_mutants(std::vector<Mutant>& all);
void host_mutants(std::vector<Mutant>& all);
void index_mutants(std::vector<Mutant>& all);
void operator_mutants(std::vector<Mutant>& all);
void text_mutants(std::vector<Mutant>& all);
void cost_mutants(std::vector<Mutant>& all);
void said_cost_mutants(std::vector<Mutant>& all);

}  // namespace lockstep::props
