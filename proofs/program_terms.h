// Terms that obligations are stated in: kernel expressions without effects. A name is a size, a loop variable, or data
// ("t~3": what a variable holds, unknown); a load's buffer is one state of a buffer ("tmp~4": between two writes), so
// that equal terms have equal values. Propositions are terms of type bool; "or" is a ? true : b.
#pragma once
#include <functional>

#include "semantics/kernel/syntax.h"

namespace lockstep::program_proofs {

using Term = kernel::Expr;

Term truth(bool b);
Term number(std::int64_t n);
Term named(const std::string& name);
Term add(Term a, Term b);
Term subtract(Term a, Term b);
Term multiply(Term a, Term b);
Term divide(Term a, Term b);
Term less(Term a, Term b);
Term less_equal(Term a, Term b);
Term equal(Term a, Term b);
Term both(Term a, Term b);
Term either(Term a, Term b);
Term negation(const Term& a);
Term all_of(const std::vector<Term>& terms);
Term any_of(const std::vector<Term>& terms);
Term as_term(const Size& s);  // without size_expr's rewriting
Term as_term(const SizeFact& f);
std::vector<Term> conjuncts(const Term& a);

bool is_data_name(const std::string& name);
bool mentions_data(const Term& a);  // its value is not decided by sizes and loop variables
std::size_t node_count(const Term& a);
// Every variable and every loaded buffer.
void each_name(const Term& a, const std::function<void(const std::string& name)>& f);
void each_load(const Term& a, const std::function<void(const kernel::Load&)>& f);
Term rename(const Term& a, const std::function<std::string(const std::string&)>& f);
Term substitute(const Term& a, const std::map<std::string, Term>& by);
// What the names of `pattern` in `holes` stand for where it is `a`; false where it is not.
bool matches(const Term& pattern, const Term& a, const std::set<std::string>& holes,
             std::map<std::string, Term>& found);

// Comparison and connective operators of the language, on integers and booleans.
enum class Relation { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, And, Or, Not, None };
Relation relation_of(const kernel::Apply& a);
// A comparison or connective in the shape of less, less_equal, equal, both, either and negation.
Term plain(const kernel::Apply& a);

// The number (or 0, 1 for a bool) at values of the names; nothing for data, overflow, and a division that is none.
std::optional<std::int64_t> evaluate(const Term& a, const SizeValues& values);

// For people: the marks of data and states left out.
std::string show_term(const Term& a);

}  // namespace lockstep::program_proofs
