// Rules and conditions made wrong (Fig. 14; l0.md §2, conditions 5 to 7, and what is ours).
#include "props/l0/mutants.h"

namespace lockstep::props::l0 {
namespace {

using fusion::Algebra, fusion::Case, fusion::Graph, fusion::Kind, fusion::Name, fusion::Obstacle, fusion::StatementId;

template <class Wrong, class... More>
Mutant mutant(std::string name, std::string description, std::vector<std::string> directed, More... more) {
  fusion::Parts parts{nullptr, [=](Algebra& right, const Graph& graph) -> std::unique_ptr<Algebra> {
                        return std::make_unique<Wrong>(right, graph, more...);
                      }};
  return {std::move(name),
          "algebra",
          std::move(description),
          {[parts](const language::Entry& e, language::FusionMode mode) { return language::trace_of(e, mode, parts); }},
          std::move(directed)};
}

using fusion::WithoutCase;
class FilterKeepsLength : public fusion::SameAlgebra {
 public:
  using SameAlgebra::SameAlgebra;
  bool keeps_length(StatementId) override { return true; }
};
class AnyPair : public fusion::SameAlgebra {  // what has no rule is taken for what has this one
 public:
  AnyPair(Algebra& right, const Graph& graph, Kind producer) : SameAlgebra(right, graph), producer_(producer) {}
  Rule rule(StatementId p, StatementId k) override {
    const Rule found = right_.rule(p, k);
    if (!found.name.empty() || graph_.statement(p).kind != producer_) return found;
    return {"map∘map"};
  }

 private:
  const Kind producer_;
};
class LengthOfNothing : public fusion::SameAlgebra {
 public:
  using SameAlgebra::SameAlgebra;
  void merge(StatementId p, const std::vector<StatementId>& kernels, Name) override {
    right_.merge(p, kernels, fusion::none);
  }
};
class FirstKernelOnly : public fusion::SameAlgebra {
 public:
  using SameAlgebra::SameAlgebra;
  void merge(StatementId p, const std::vector<StatementId>& kernels, Name instead) override {
    right_.merge(p, {kernels.front()}, instead);
  }
};
class CopiesAreGone : public fusion::SameAlgebra {  // whatever else uses them
 public:
  using SameAlgebra::SameAlgebra;
  void merge_copies(StatementId c, StatementId k) override {
    right_.merge_copies(c, k);
    right_.remove_copies(c);
  }
};
class NoCopies : public fusion::SameAlgebra {  // replicate is removed, and put nowhere
 public:
  using SameAlgebra::SameAlgebra;
  void merge_copies(StatementId c, StatementId k) override {
    if (std::exchange(first_, false)) right_.merge_copies(c, k);
  }

 private:
  bool first_ = true;
};

}  // namespace

std::vector<Mutant> algebra_mutants() {
  return {
      mutant<WithoutCase>(
          "rows may be consumed", "a row that is others' is consumed (condition 5, E4)",
          {"fun [[int]] main() = let v = iota(2) in let x = replicate(2, v) in map(fn *[int] (*[int] q) => "
           "let q[0] = 9 in q, x)"},
          Case::RowConsumed),
      mutant<WithoutCase>(
          "checks may be lost", "rows that differ in shape, and traps of a branch not taken (condition 6, E15, E16)",
          {"fun [int] main() = map(fn int ([int] r) => reduce(op +, 0, r), map(fn [int] (int k) => iota(k), "
           "{1, 2}))",
           "fun [int] main() = let a = iota(2) in let x = map(fn int (int p) => p / p, a) in if size(a) > 5 "
           "then map(fn int (int p) => p + 1, x) else a"},
          Case::LostCheck),
      mutant<FilterKeepsLength>("filters keep lengths", "size(x) of what a filter leaves (condition 7, E5)",
                                {"fun int main() = let x = filter(op < (1), iota(4)) in reduce(op +, 0, x) + size(x)"}),
      mutant<AnyPair>("any two operations fuse",
                      "filters into maps, maps into filters, filters with more inputs (Case 2)", {}, Kind::Combinator),
      mutant<AnyPair>("replicate goes into filters", "what a filter gives is what it goes over", {}, Kind::Copies),
      mutant<LengthOfNothing>("lengths are asked of what is gone", "hindrances are not rewritten (§4.1)", {}),
      mutant<FirstKernelOnly>(
          "one branch is enough", "a producer is fused into the first of two branches",
          {"fun int g(int p) = p + 1\nfun int h(int p) = p * 2\nfun [int] main() = let x = map(fn int "
           "(int p) => p + 5, iota(3)) in if size(x) > 5 then map(g, x) else map(h, x)"}),
      mutant<CopiesAreGone>("copies are gone", "a replicate that has other uses is removed", {}),
      mutant<NoCopies>("copies are put nowhere", "a replicate goes into the first kernel alone", {}),
  };
}

}  // namespace lockstep::props::l0
