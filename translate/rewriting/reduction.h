// A reduction's function as an operator on what is reduced: f x acc = op (g x) acc; and what is known of op.
#pragma once
#include "translate/rewriting/terms.h"

namespace lockstep::rewriting {

struct Step {  // \x acc -> body
  const LambdaPhrase* x;
  const LambdaPhrase* acc;
  const PhraseRef& body;
};
std::optional<Step> step_of(const PhraseRef& f);
// Whether a phrase is what a lambda is given, or its components put together again.
bool is_whole(const Phrase& p, const LambdaPhrase& of);

// The component of a step's result at a path as g x + acc, by a scalar operator that claims to be associative: which
// argument is what is accumulated there, the other being of the element alone. Nothing where it is of no such form.
struct Sum {
  const PrimPhrase& sum;
  const PhraseType& type;
  const ScalarOp& op;
  std::size_t acc;
  const PhraseRef& made() const { return sum.arguments[1 - acc]; }
  PhraseRef with(const PhraseRef& made, const PhraseRef& acc_there) const;  // other operands
};
std::optional<Sum> sum_at(const Step& step, const Phrase& p, const std::vector<int>& path);

struct Reduction {
  PhraseRef op;                  // \x acc -> ..., b -> b -> b
  std::optional<PhraseRef> g{};  // nothing: f is op
};
// A scalar operator with a claim in front, g x + acc, is taken apart, and so are pairs of such, and what stands below
// `let`s of the element alone; so is a step that reads of its element only what it makes of it, of what is accumulated
// the type; otherwise f itself where its two arguments have one type; nothing where they differ. What `acc && g x` may
// not evaluate must not trap.
std::optional<Reduction> reduction_of(Site& s, const PhraseRef& f);

// The condition that a law holds, or why the rule is refused: with the counterexample.
struct LawFound {
  Condition condition;
  bool rounding;
};
tl::expected<LawFound, Refused> require_law(const Site& s, Law law, const PhraseRef& op,
                                            const std::optional<PhraseRef>& element = {},
                                            const std::optional<PhraseRef>& start = {},
                                            const std::optional<PhraseRef>& made = {});
// Several of them.
struct LawsFound {
  std::vector<Condition> conditions{};
  bool rounding = false;
  void add(const LawFound& found);
};
tl::expected<LawsFound, Refused> require_laws(const Site& s, std::initializer_list<Law> laws, const PhraseRef& op);

PhraseRef number(ScalarType t, std::int64_t n);  // 0 is false

// A neutral element of op: z itself, or one of a few numbers of its type.
struct Neutral {
  PhraseRef element;
  LawFound found;
};
tl::expected<Neutral, Refused> neutral_element(Site& s, const PhraseRef& op, const PhraseRef& z);

// A value of the type, to fill an array with: of numbers 0; nothing where the type has more than numbers, pairs and
// arrays.
std::optional<PhraseRef> filler_of(const Site& s, const Type& t);

// A phrase of an array's elements, for who looks for a neutral one among them: of copies theirs, of integers 0.
std::optional<PhraseRef> an_element_of(const PhraseRef& xs);

// Elements that leave what is accumulated as it is, f e acc = acc: e, and what is known.
tl::expected<Neutral, Refused> neutral_item(Site& s, const PrimPhrase& reduce);

// What splitting reduce f z xs into several reductions takes: op, a start for each of them, and what is known.
struct Splitting {
  PhraseRef op;
  PhraseRef start;
  std::vector<Condition> conditions;
  bool rounding = false;
};
tl::expected<Splitting, Refused> splitting_of(Site& s, const PrimPhrase& reduce, bool commutes);
// The same of an operator that commutes, where each reduction starts with what z has, which is a name or its component:
// of max z itself, of a pair of + and max that of 0 and z's second.
tl::expected<Splitting, Refused> splitting_from_start(Site& s, const PrimPhrase& reduce);
// The same of an operator that need not commute, where parts are put together in their order: each starts with z, where
// that is absorbed beside itself, or with a neutral element. `z`: the start where it is a constant, whatever name the
// reduction has for it.
tl::expected<Splitting, Refused> splitting_in_order(Site& s, const PrimPhrase& reduce, const PhraseRef& z);
// Of a choice between what is made of an element and what is accumulated, by a strict order: op, which puts the fold of
// a part, from z, to that of the parts before it.
tl::expected<PhraseRef, Refused> selection_of(Site& s, const PrimPhrase& reduce);

}  // namespace lockstep::rewriting
