// Elaboration of one definition: expressions to typed phrases with unknowns, which `finish` then replaces. Private to
// inference. e: surface expression, t: type.
#pragma once
#include <deque>
#include <span>

#include "semantics/functional/infer.h"
#include "semantics/functional/unify.h"
#include "semantics/primitives/build.h"

namespace lockstep::inference {

// A definition that has been checked, for the calls after it.
struct Defined {
  std::string name;
  std::vector<std::string> implicit_sizes;
  struct Parameter {
    std::string name;
    std::optional<Type> type;  // nothing: an explicit size
  };
  std::vector<Parameter> parameters;
  Type result;
  std::vector<std::string> type_variables;
  std::vector<SizeFact> facts;
  PhraseRef body;  // without calls, or with some that are still to be expanded
  // What a call that is still to be expanded is a phrase of; its sizes are the implicit ones, then the explicit ones.
  PrimitiveRef call{};
  std::size_t nodes = 0;           // of the body as it stands
  std::size_t expanded_nodes = 0;  // at least, once every call is expanded; as many where there is none
  bool has_calls = false;
};

// All of them, the last one of a name standing for it.
class Definitions {
 public:
  void add(Defined d);
  const Defined* find(const std::string& name) const;
  const Defined* called_by(const Phrase& p) const;  // nothing where p is no call
  const std::deque<Defined>& list() const { return list_; }

 private:
  std::deque<Defined> list_;  // they stay where they are
  std::map<std::string, std::size_t> last_;
  std::map<const Primitive*, std::size_t> of_call_;
};

std::size_t arity_of(const Type& t);  // how many arguments a function takes

struct TooManyNodes {  // of expanded calls, the last one here
  Region region;
};
struct Failure {};  // thrown after a diagnostic was recorded, caught at the next place that can go on

struct Typed {
  PhraseRef phrase;
  Type type;
};

// What a name in scope stands for.
struct Binding {
  std::string name;
  std::variant<Typed, Size> meaning;  // a phrase, or a size
  Region local_function{};            // where it is written, if it is one
  int uses = 0;
};

// Two types that must be equal and have sizes of their own.
struct Mismatch {
  Type expected, found;
  std::string local_function;  // whose argument it is, from its second use on
};

class Elaborator {
 public:
  std::string defining;  // the name of the definition, for what recursion is told
  // Every definition of the file, those further down too.
  const std::map<std::string, const surface::Definition*>* file = nullptr;
  std::vector<Region> accumulating;  // functions that are an argument of a primitive that accumulates
  std::optional<Region> reversed;    // this one of them is read with its first two parameters exchanged,
  std::string reversed_text;         // which is written so
  // A call whose k-th argument has an error, and of the others those that could be meant in its place.
  struct MisfitCall {
    Region call, argument;
    std::size_t k;
    bool is_function;
    std::vector<std::size_t> others;
    std::string name, type;
  };
  std::vector<MisfitCall> misfits;  // the innermost first
  struct Exchange {
    Region call;
    std::size_t first, second;
  };
  std::optional<Exchange> exchange;  // this call is read with these two arguments exchanged,
  std::string exchange_text;         // which is written so
  // Calls are expanded at once while `nodes_left` lasts, and left to `expanded` then.
  Elaborator(const Calculus& calculus, const Definitions& defined, Names& names, Diagnostics& diagnostics,
             const SizeImplication& implied, std::size_t& nodes_left)
      : calculus_(calculus),
        defined_(defined),
        names_(names),
        diagnostics_(diagnostics),
        implied_(implied),
        nodes_left_(nodes_left) {}

  void declare(const std::string& name, std::variant<Typed, Size> meaning) {
    scope_.push_back({name, std::move(meaning)});
  }
  void assume(const SizeFact& fact) { context_.assume(fact); }
  // The body at the type given, every unknown replaced.
  PhraseRef definition(const surface::Expr& body, const Type& result);
  // A finished body, every call in it expanded and what stands there finished; TooManyNodes is thrown beyond so many.
  PhraseRef expanded(const PhraseRef& body, std::size_t nodes);

  std::vector<SizeObligation> obligations;
  // Of the k-th, where it is part of an equality of types: which one (one error is enough of each), and its sides.
  std::optional<std::size_t> equality_of(std::size_t k) const;
  Mismatch mismatch_of(std::size_t k) const;

 private:
  // elaborate_expressions.cpp
  Typed expression(const surface::Expr& e, const std::optional<Type>& expected,
                   const std::string& what = "this expression");
  Typed lambda_let(const surface::Expr& e, const surface::Lambda& f, const std::vector<const surface::Expr*>& arguments,
                   const std::optional<Type>& expected);
  Typed literal(const surface::Literal& l, bool negative, const Region& region, const std::optional<Type>& expected);
  std::vector<Type> parameters_of(const surface::Expr& e);
  Typed let_in(const surface::Let& l, const std::optional<Type>& expected);
  Typed conditional(const surface::If& i, const Region& region, const std::optional<Type>& expected);
  Typed index(const surface::Index& i, const Region& region);
  Typed tuple(const surface::Tuple& t, const Region& region, const std::optional<Type>& expected);
  Typed array_literal(const surface::ArrayLiteral& a, const Region& region, const std::optional<Type>& expected);
  bool is_index(const Type& t) const { return as<IndexType>(unifier_.shallow(t)) != nullptr; }
  bool is_literal(const Type& t) const;
  [[noreturn]] void unknown_name(const std::string& n, const Region& region);
  Typed name(const std::string& n, const Region& region);
  std::string nearest_known(const std::string& name) const;
  Size size_argument(const surface::Expr& e);

  // elaborate_calls.cpp
  struct Argument {  // as written, or made by eta-expansion
    const surface::Expr* expression;
    std::optional<Typed> made;
    const surface::Expr* applied = nullptr;  // what stands before it: f a of f a b
  };
  using Lets = std::vector<std::pair<std::string, PhraseRef>>;
  Typed call(const surface::Expr& e, const std::optional<Type>& expected);
  bool is_written_function(const Argument& a);
  bool is_written_size(const surface::Expr& e) const;
  std::size_t arguments_missing(const surface::Expr& e) const;
  Typed call_head(const surface::Expr& head, const std::vector<Argument>& arguments, const Region& region,
                  const std::optional<Type>& expected);
  Typed call_primitive(const Calculus::Entry& entry, const std::vector<Argument>& arguments, const Region& region,
                       const std::optional<Type>& expected);
  Typed call_defined(const Defined& d, const std::vector<Argument>& arguments, const Region& region,
                     const std::optional<Type>& expected);
  PhraseRef instance_of(const Defined& d, const SizeSubstitution& sizes, const TypeSubstitution& types,
                        const std::vector<PhraseRef>& arguments);
  Typed call_function_value(const surface::Expr& head, const Typed& f, const std::vector<Argument>& arguments,
                            const Region& region);
  static std::optional<Type> literal_under(const surface::Expr& e, ScalarType target);
  void refuse_other_order(const std::string& name, const std::vector<Argument>& arguments,
                          const std::vector<std::optional<Type>>& parameters, const Region& region,
                          const std::string& type);
  [[noreturn]] void wrong_count(const std::string& name, std::size_t wanted, const std::vector<Argument>& arguments,
                                const Region& region, const std::string& type);
  [[noreturn]] void no_function(const surface::Expr& head, const Typed& f, const std::vector<Argument>& arguments,
                                const Region& region);
  [[noreturn]] void operator_on_array(const std::string& op, const std::vector<Argument>& arguments,
                                      std::vector<Type> types);
  std::string hidden_by(const std::string& name) const;
  std::string indexed_inside(const std::string& name, std::size_t wanted, const std::vector<Argument>& arguments,
                             const std::vector<const surface::Expr*>& indices);
  Typed condition(const surface::If& i);
  std::optional<bool> is_array(const surface::Expr& e);
  std::size_t function_parameters_first(const std::string& name) const;
  void refuse_tuple(const surface::Lambda& f, const surface::TuplePattern& parts, const Region& region,
                    const Type& here, const Type& expected);
  [[noreturn]] void not_a_function(const surface::Expr& e, const Type& expected);
  Typed scalar_operator(const PrimitiveRef& op, const std::vector<Argument>& arguments, const Region& region,
                        const std::optional<Type>& expected);
  Typed function_argument(const surface::Expr& e, const Type& expected, Lets& lets);
  Typed eta(const surface::Expr& head, std::vector<Argument> arguments, const Type& expected, const Region& region,
            Lets& lets);
  std::vector<PhraseRef> arguments_of(const std::vector<Argument>& arguments, std::size_t from,
                                      const std::vector<Type>& types, const std::string& what, Lets& lets,
                                      bool local_function = false);
  std::vector<PhraseRef> arguments_in_order(const std::vector<Argument>& arguments,
                                            const std::vector<std::optional<Type>>& parameters,
                                            const std::vector<Type>& types, const std::string& name,
                                            const std::string& type, const Region& region, Lets& lets);
  std::vector<Argument> exchanged_arguments(const std::vector<Argument>& arguments, const surface::Expr& head);
  void explain_select(const std::vector<Argument>& arguments, const Region& at);
  Size size_of_argument(const Argument& a, const std::string& name, const Region& region);
  Typed atom(Typed t, const std::string& base, Lets& lets);
  static PhraseRef wrap(const Lets& lets, PhraseRef body);

  // Patterns bind components of a phrase that may be read twice.
  Type pattern_type(const surface::Pattern& p);
  void bind_pattern(const surface::Pattern& p, const PhraseRef& value, const Type& t);
  PhraseRef component(int k, const PhraseRef& e, const Type& t);
  std::string pattern_name(const surface::Pattern& p);
  void refuse_names_twice(std::span<const surface::Pattern> bound_together);

  // elaborate_finish.cpp
  void operand(const Type& operand, const Type& argument, const Region& region, const std::string& what);
  void settle_operands(bool last);
  void settle_indices();
  std::string range_advice(const std::string& digits, bool negative, ScalarType t, const Region& region) const;
  bool settle_operand(std::size_t use, bool last);
  void default_literals();
  void refuse_unknowns();
  PhraseRef finish(const PhraseRef& p);
  PhraseRef finish_literal(const PhraseRef& p, const LiteralPhrase& l);
  PhraseRef finish_index(const PhraseRef& p, const PrimPhrase& x);
  // elaborate_indices.cpp
  std::optional<Size> size_of_index(const Phrase& i) const;
  bool inside(const Size& k, const Size& n, const Region& region);
  bool settled(const SizeFact& goal) const;
  bool may_join(const Type& type) const;
  Type joined(const Type& left, const Type& right) const;
  bool has_index_for_number(const Type& found, const Type& wanted) const;
  Typed with_numbers(Typed t, const Type& wanted);
  void push_wanted(const Type& wanted, const Type& result, const Region& region, const std::string& what);
  std::optional<Type> shape_of(const Type& type, const Region& region);
  // elaborate_finish.cpp
  PhraseRef finish_operator(const PhraseRef& p, const PrimPhrase& x, const ScalarOp& op);
  void finish_view(const PhraseRef& p, const PrimPhrase& x);
  PhraseRef as_number(const PhraseRef& e, ScalarType t);
  void natural_solutions();
  SizeFact needed_of_negative(const std::string& name, const Size& value) const;
  void require(SizeFact fact, const Region& region, std::string origin);

  [[noreturn]] void fail(const Region& region, std::string message, std::string expected = {}, std::string mend = {});
  void report(const Region& region, std::string message, std::string expected = {}, std::string mend = {});
  void unify(const Type& expected, const Type& found, const Region& region, const std::string& what);
  std::size_t depth() const { return scope_.size(); }
  void leave(std::size_t to);
  static PhraseType phrase_type(const Type& t);

  const Calculus& calculus_;
  const Definitions& defined_;
  Names& names_;
  Diagnostics& diagnostics_;
  const SizeImplication& implied_;
  std::size_t& nodes_left_;
  Unifier unifier_;
  SizeContext context_;
  std::vector<Binding> scope_;
  std::vector<Binding> unused_;  // local functions
  struct Equality {
    Type expected, found;
    Region region;
  };
  std::vector<Equality> equalities_;                // of types, that leave sizes to compare
  std::map<std::size_t, std::size_t> equality_of_;  // by obligation
  struct LocalArgument {
    Region region;
    std::string function;
  };
  std::vector<LocalArgument> local_arguments_;  // of local functions that were used before
  struct IndexUse {  // an index where a local function's parameter has no type yet: a number, if another use says so
    Type parameter, argument;
    Region region;
    std::string what;
  };
  std::vector<IndexUse> indices_;
  struct Infix {
    Region left;
    std::string symbol;
    const surface::Expr* right;
  };
  std::optional<Infix> infix_;         // the operator whose operands are being looked at
  std::set<std::uint32_t> defaulted_;  // literals whose use did not say their type, by where they begin

  struct LiteralUse {
    Type type;
    bool is_float;
    Region region;
  };
  std::vector<LiteralUse> literals_;
  struct OperandUse {  // `argument` is used where `operand` is wanted; idx(n) becomes i64
    Type operand, argument;
    Region region;
    std::string what;
  };
  std::vector<OperandUse> operands_;
  std::set<std::size_t> unsettled_;                          // of these; those that are not waited for by name are new
  std::size_t looked_at_ = 0;                                // how many of them have been looked at
  std::map<std::string, std::vector<std::size_t>> waiting_;  // for the unknown type of this name to change
  std::set<std::string> float_unknowns_;                     // operands of operators on floats
  struct ClassUse {
    Type type;
    const ScalarOp& op;
    std::string what;
    Region region;
  };
  std::vector<ClassUse> classes_;
};

std::string readable(const Type& t);
// Where a function of fewer arguments is wanted, the last of them a tuple of this type: \(x, y) -> ...
std::string advice_on_count(const surface::Lambda& f, std::size_t wanted, const Type& last);
std::size_t dimensions_of(const Type& t);
// A literal without fraction and exponent.
bool is_whole(const std::string& digits);
inline constexpr std::string_view element_of_array = "this element of an array";  // where its type comes from
// Names of primitives that a program cannot write.

}  // namespace lockstep::inference
