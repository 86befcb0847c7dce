// Terms that obligations are stated in: kernel expressions without effects. A name is a size, a loop variable, or data;
// a load's buffer is one state of a buffer (between two writes), so that equal terms have equal values. Propositions
// are terms of type bool; "or" is a ? true : b.
//
// Names. A kernel's may have any character, in backquotes: spelled() makes them names without the marks ~ ^ #. Each
// name that is made here has a mark, and no two ways of making one give the same:
//   t~3   data: what the variable t holds, or a state of the buffer t
//   i^    what i is in another iteration; of data too
//   #d4   what the kernel has no name for; #value5~6 where it is data
#pragma once
#include <functional>

#include "semantics/kernel/syntax.h"

namespace lockstep::proofs::kernels {

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

std::string spelled(const std::string& name);    // injective, and without marks
std::string unspelled(const std::string& name);  // the way back
std::string other_iterations(const std::string& name);
std::string own_name(const std::string& name);                   // of the prover
std::string data_name(const std::string& name, int occurrence);  // of a name without ~
std::string plain_name(const std::string& name);                 // of data: what it was made from
std::string show_name(const std::string& name);                  // for people
bool is_data_name(const std::string& name);
std::string input_state(const std::string& name);  // of a buffer that nothing writes
bool is_input_state(const std::string& name);
bool mentions_data(const Term& a);  // its value is not decided by sizes and loop variables
std::size_t node_count(const Term& a);
// Every variable and every loaded buffer.
void each_name(const Term& a, const std::function<void(const std::string& name)>& f);
void each_load(const Term& a, const std::function<void(const kernel::Load&)>& f);
// Dividends and divisors, each pair once, added to those in `into`.
void divisions(const Term& a, std::vector<std::pair<Term, Term>>& into);
Term rename(const Term& a, const std::function<std::string(const std::string&)>& f);
Term substitute(const Term& a, const std::map<std::string, Term>& by);
// What the names of `pattern` in `holes` stand for where it is `a`; false where it is not.
bool matches(const Term& pattern, const Term& a, const std::set<std::string>& holes,
             std::map<std::string, Term>& found);

// A comparison or connective of the language, on integers and booleans, in the shape of less, less_equal, equal, both,
// either and negation; nothing of another operator.
std::optional<Term> plain(const kernel::Apply& a);

// The number (or 0, 1 for a bool) at values of the names; nothing for data, overflow, and a division that is none. What
// an input holds is data but where `inputs` is what all elements of all inputs are, floats left out.
std::optional<std::int64_t> evaluate(const Term& a, const SizeValues& values, std::optional<std::int64_t> inputs = {});

// For people: the marks of data and states left out.
std::string show_term(const Term& a);

}  // namespace lockstep::proofs::kernels
