// Rules and conditions made wrong (Fig. 14; l0.md §2, conditions 5 to 7, and what is ours).
#include "props/l0/mutants.h"

namespace lockstep::props::l0 {
namespace {

using fusion::Algebra, fusion::Case, fusion::Graph, fusion::Kind, fusion::Name, fusion::Obstacle, fusion::StatementId;

// One that asks another.
class Other : public Algebra {
 public:
  Other(Algebra& right, const Graph& graph) : right_(right), graph_(graph) {}
  Rule rule(StatementId p, StatementId k) override { return right_.rule(p, k); }
  std::optional<Obstacle> obstacle(StatementId p, StatementId k) override { return right_.obstacle(p, k); }
  bool keeps_length(StatementId p) override { return right_.keeps_length(p); }
  std::size_t inputs_from(StatementId p, StatementId k) override { return right_.inputs_from(p, k); }
  void begin(StatementId k) override { right_.begin(k); }
  void merge(StatementId p, const std::vector<StatementId>& kernels, Name instead) override {
    right_.merge(p, kernels, instead);
  }
  void merge_copies(StatementId c, StatementId k) override { right_.merge_copies(c, k); }
  void remove_copies(StatementId c) override { right_.remove_copies(c); }

 protected:
  Algebra& right_;
  const Graph& graph_;
};

template <class Wrong, class... More>
Mutant mutant(std::string name, std::string description, std::vector<std::string> directed, More... more) {
  language::FusionParts parts{nullptr, [=](Algebra& right, const Graph& graph) -> std::unique_ptr<Algebra> {
                                return std::make_unique<Wrong>(right, graph, more...);
                              }};
  return {std::move(name),
          "algebra",
          std::move(description),
          {[parts](const language::Entry& e, language::FusionMode mode) { return language::trace_of(e, mode, parts); }},
          std::move(directed)};
}

class WithoutCase : public Other {
 public:
  WithoutCase(Algebra& right, const Graph& graph, Case why) : Other(right, graph), why_(why) {}
  std::optional<Obstacle> obstacle(StatementId p, StatementId k) override {
    auto found = right_.obstacle(p, k);
    return found && found->why == why_ ? std::nullopt : found;
  }

 private:
  const Case why_;
};
class FilterKeepsLength : public Other {
 public:
  using Other::Other;
  bool keeps_length(StatementId) override { return true; }
};
class AnyPair : public Other {  // what has no rule is taken for what has this one
 public:
  AnyPair(Algebra& right, const Graph& graph, Kind producer) : Other(right, graph), producer_(producer) {}
  Rule rule(StatementId p, StatementId k) override {
    const Rule found = right_.rule(p, k);
    if (!found.name.empty() || graph_.statement(p).kind != producer_) return found;
    return {"map∘map"};
  }

 private:
  const Kind producer_;
};
class LengthOfNothing : public Other {
 public:
  using Other::Other;
  void merge(StatementId p, const std::vector<StatementId>& kernels, Name) override {
    right_.merge(p, kernels, fusion::none);
  }
};
class FirstKernelOnly : public Other {
 public:
  using Other::Other;
  void merge(StatementId p, const std::vector<StatementId>& kernels, Name instead) override {
    right_.merge(p, {kernels.front()}, instead);
  }
};
class CopiesAreGone : public Other {  // whatever else uses them
 public:
  using Other::Other;
  void merge_copies(StatementId c, StatementId k) override {
    right_.merge_copies(c, k);
    right_.remove_copies(c);
  }
};
class NoCopies : public Other {  // replicate is removed, and put nowhere
 public:
  using Other::Other;
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
