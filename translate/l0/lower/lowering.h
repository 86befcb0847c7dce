// The lowering of one entry point, one member a construct. Private to lower*.cpp.
#pragma once
#include <map>

#include "semantics/functional/source.h"
#include "semantics/functional/syntax/make.h"
#include "translate/l0/fresh.h"
#include "translate/l0/lower/lower.h"
#include "translate/lowered/parameters.h"

namespace lockstep::l0::lowering {

using lockstep::lowering::Candidates, lockstep::lowering::Reading, lockstep::lowering::refuse,
    lockstep::lowering::Sizes;

using surface::Expr;
using surface::make::apply, surface::make::binary, surface::make::call, surface::make::indexed, surface::make::lambda,
    surface::make::let, surface::make::name, surface::make::operation, surface::make::pattern, surface::make::tuple;

struct Shape {  // of a leaf
  ScalarType scalar = ScalarType::I64;
  std::vector<Size> lengths{};   // outermost first
  std::optional<Size> number{};  // of an int that is a size
};
using Shapes = std::vector<Shape>;
Shapes without_numbers(Shapes all);
// An expression of .dpia, a tuple of these leaves.
struct Term {
  Expr expr;
  Shapes leaves;
};

// One reading of the body under what is known of sizes: more may be known after it.
class Lowering {
 public:
  // `candidates`: the ints among the parameters that may become sizes.
  Lowering(const Entry& entry, Sizes& sizes, const Candidates& candidates);
  Reading run();

 private:
  void declare(const std::string& name, const l0::Type& type);
  std::string introduce(const std::string& l0_name, Shape shape);  // its name in the text
  std::string fresh(const std::string& base) { return names_.name(base); }

  Term term(const l0::Expr& e);
  Term made(const l0::Expr& e);
  std::vector<Term> terms(const std::vector<ExprRef>& all);
  Term literal(const Literal& l);
  Term text(const TextLiteral& t);
  Term variable(const std::string& l0_name) const;
  Term elements(const std::vector<ExprRef>& items);
  Term prefix(const PrefixExpr& p);
  Term infix_term(const InfixExpr& i);
  Term called(const CallExpr& c, const Region& at);
  Term choice(const IfExpr& i, const Region& at);
  Term block(const BlockExpr& b);
  using Bound = std::vector<std::pair<surface::Pattern, Expr>>;
  void bind(const Binding& x, Bound& bound);
  static Expr behind(Bound bound, Expr result);

  // Of a function that calls itself last: one call, what the rounds go over, and what is read where.
  struct Last {
    const Function& function;
    bool rounds = true;  // its calls give the next round's values; else what is given where none is left
    Shapes state{};
  };
  Term recursion(const Function& f, const CallExpr& c, const Region& at);
  std::vector<std::string> introduce_parameters(const Last& of);
  Term last(const l0::Expr& e, Last& of);
  Term last_of_block(const BlockExpr& b, Last& of);
  Term last_of_branches(const IfExpr& i, Last& of, const Region& at);

  Term array(const ArrayExpr& a, const Region& at);
  Term indexed_term(const IndexExpr& i);
  void refuse_outside(const Term& index, const Size& length, const Region& at) const;
  Term updated(const UpdateBinding& u);
  Term built_in(const BuiltInExpr& b, const Region& at);
  Term split(std::vector<Term> x, const Region& at);
  Term shifted(Term array, std::int64_t dimension, std::int64_t places);
  Term flattened(Term array, std::int64_t dimensions);
  Term soac(const SoacExpr& s, const Region& at);
  Term map(const Lambda& f, std::vector<Term> arrays, const Region& at);
  Term fold(const Lambda& f, const SoacExpr& s, std::vector<Term> x, const Region& at);
  Term loop(const LoopBinding& l, const Region& at);

  // Arrays as one of tuples, and the shapes of its elements.
  struct Zipped {
    Expr expr;
    Size length;
    Shapes elements;
  };
  Zipped zipped(std::vector<Term> arrays, const Region& at);
  surface::Pattern parameters(const std::vector<Parameter>& all, std::size_t first, const Shapes& shapes);
  Expr unzipped(Expr array, std::size_t leaves);
  // What both have to be, leaf by leaf: lengths that have to be equal are made so.
  Shapes same(const Shapes& a, const Shapes& b, const Region& at);
  Shapes steady(const Shapes& state, const Shapes& step, const Region& at);  // the same from round to round
  Expr size(const Size& s, const Region& at);                                // as an argument that is one
  Size length_of(const Term& number, const std::string& what, const Region& at);

  struct Variable {
    std::string name;
    Shape shape;
    std::optional<Expr> stands_for{};
  };
  const Entry& entry_;
  Sizes& sizes_;
  const Candidates& candidates_;
  std::set<std::string> used_{};
  bool takes_powers_ = false;
  std::set<std::string> called_{};  // those around, which call themselves
  Fresh names_{};
  std::map<std::string, Variable> variables_{};
  std::vector<LoweredLeaf> parameters_{};
};
inline Expr integer(std::int64_t n) { return source_of(make_integer(ScalarType::I64, static_cast<std::uint64_t>(n))); }
// The names that a pattern binds, in order.
std::vector<std::string> names_in(const Pattern& p);

// A power of ints; it traps where the exponent is negative.
inline constexpr const char* power = "integer_power";

}  // namespace lockstep::l0::lowering
