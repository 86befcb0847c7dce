// The equation of a view, a facet of it (semantics/primitives/primitive.h), read as terms: which element of which
// argument an element of the result is. Proofs hold read paths against it, tests hold it against the meaning.
#pragma once
#include "proofs/calculus/views/symbolic_view.h"
#include "semantics/functional/syntax/syntax.h"

namespace lockstep::proofs {

// An element of the result that an equation speaks of.
struct ElementAt {
  const SymbolicView& view;
  const Place& place;  // in the result
  int lane = 0;        // where the place is a whole short vector
};

struct WrongEquation {  // does not fit the view's type
  std::string what;
};

class ViewEquation {
 public:
  // What is wrong with the text is the error.
  static tl::expected<ViewEquation, std::string> read(const Calculus::Entry& view);
  const std::string& text() const { return text_; }
  // The element; throws WrongEquation.
  Term element(const ElementAt& at) const;

  // A step into an array, a short vector or a pair, on the left a name or a projection, on the right an index.
  using Step = std::variant<std::string, int>;
  struct Clause {
    std::vector<std::string> parameters;
    std::vector<Step> steps;  // outermost first
    surface::Expr right;
  };

 private:
  std::string text_;
  std::vector<Clause> clauses_;
};

}  // namespace lockstep::proofs
