// What is applied to what it does not fit: errors that say which other way was meant.
#pragma once
#include "semantics/functional/inference/arguments.h"

namespace lockstep::inference {

bool is_written_function(const Work& w, const Argument& a);
// reduce 0 (+) xs: an error where there is an order that would do.
void refuse_other_order(Work& w, const Applied& to, const std::vector<Argument>& arguments,
                        const std::vector<std::optional<Type>>& parameters);
[[noreturn]] void wrong_count(Work& w, const Applied& to, std::size_t wanted, const std::vector<Argument>& arguments);
[[noreturn]] void no_function(Work& w, const surface::Expr& head, const Typed& f,
                              const std::vector<Argument>& arguments, const Region& region);
[[noreturn]] void operator_on_array(Work& w, const std::string& op, const std::vector<Argument>& arguments,
                                    std::vector<Type> types);
std::optional<bool> is_array(Work& w, const surface::Expr& e);  // where it has an error, nothing
std::size_t dimensions_of(const Type& t);

}  // namespace lockstep::inference
