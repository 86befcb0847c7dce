// What errors of inference advise: the user's own text put as it should stand, and what a name of another language is
// called here. A text is "" where there is no source, or where it is too long for one line.
#pragma once
#include "semantics/functional/syntax/syntax.h"

namespace lockstep::inference {

std::string plural(std::size_t n, const std::string& word);  // "2 arguments"
// As it stands in the source.
std::string written(const surface::Expr& e);
// As an argument: in parentheses, unless it is one word or in brackets already.
std::string as_argument(const surface::Expr& e);
// "g x (y + 1)"
std::string call_text(const std::string& function, const std::vector<const surface::Expr*>& arguments);
// "xs ! i ! j" for xs[i][j], xs[i, j], xs (i, j) and xs i j; at most `dimensions` of them.
std::string index_text(const surface::Expr& array, const std::vector<const surface::Expr*>& arguments,
                       std::size_t dimensions);
// An operator over the elements of arrays: "map (\x -> x + 1) xs". Of each operand, how many dimensions it has.
std::string over_elements(const std::string& op, const std::vector<const surface::Expr*>& operands,
                          const std::vector<std::size_t>& dimensions);
// map f xs ys, its arguments: "map (\(x, y) -> f x y) (zip xs ys)".
std::string zipped_map(const std::vector<const surface::Expr*>& arguments);
// if or select of an array of conditions, over the elements: "map (\(x, y, z) -> if x then y else z) (zip cs ...)".
// Nothing is known of a branch that has an error.
std::string choice_over_elements(const std::string& form, const std::vector<const surface::Expr*>& parts,
                                 std::optional<bool> yes_is_array, std::optional<bool> no_is_array);
// A function of two arguments with them exchanged, and how it is written: "\x acc -> ...", "\x acc -> g acc x".
struct Exchanged {
  surface::Lambda function;
  std::string text;
};
std::optional<Exchanged> exchanged(const surface::Expr& f);

inline constexpr std::string_view no_number_is_an_index =
    "no number becomes an index: where any i64 may come the type is i64, and xs ! i is checked";
// fold, sum, length, ...
std::span<const Habit> habits();
// Whether the name stands in it, bound or not.
bool mentions(const surface::Expr& e, const std::string& name);

}  // namespace lockstep::inference
