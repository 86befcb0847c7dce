#include "semantics/snesl/advice.h"

namespace lockstep::snesl {

std::span<const Habit> function_habits() {
  static constexpr Habit rows[] = {
      {" map fmap foreach apply ", "a comprehension: {f(x) : x in s}"},
      {" filter select where ", "a comprehension with a condition: {x : x in s | x > 0}"},
      {" fold foldl foldr reduce aggregate accumulate ",
       "reductions are sum, product, maximum, minimum, reduce-and, reduce-or"},
      {" reduce-plus plus-reduce plus_reduce total ", "a sum is sum(s)"},
      {" reduce-times times-reduce prod ", "a product is product(s)"},
      {" reduce-max max-reduce ", "the greatest is maximum(s)"},
      {" reduce-min min-reduce ", "the least is minimum(s)"},
      {" any some or-reduce ", "reduce-or(s)"},
      {" all every and-reduce ", "reduce-and(s)"},
      {" plus add ", "x + y; a sum is sum(s), the sums before each element are scan-plus(s)"},
      {" scan scanl cumsum prefix_sum plus-scan plus_scan ", "the sums before each element are scan-plus(s)"},
      {" not ", "logical not is `!`: !b"},
      {" and ", "a && b; of a sequence reduce-and(s)"},
      {" or ", "a || b; of a sequence reduce-or(s)"},
      {" mod rem fmod ", "a remainder is x % y"},
      {" div quot ", "a quotient of Ints is x / y"},
      {" neg negate ", "-x"},
      {" len size count ", "#s counts the elements of a sequence, #v those of a vector"},
      {" range iota arange upto index ", "&n is 0, 1, ..., n - 1; from 1 it is {i + 1 : i in &n}"},
      {" append concatenate cat join ", "s ++ t; concat(s) joins the sequences in a sequence"},
      {" flatten ", "concat(s) joins the sequences in a sequence"},
      {" split lines words partition group groupby ",
       "sep cuts after each element whose flag is true: sep({(c, c == '\\n') : c in s})"},
      {" head first ", "the first element is v ! 0, of a vector; the(s) is the one of a sequence that has just one"},
      {" last ", "the last element is v ! (#v - 1), of a vector"},
      {" take ", "{x : x in s; i in scan-plus({1 : _ in s}) | i < k}"},
      {" drop ", "{x : x in s; i in scan-plus({1 : _ in s}) | i >= k}"},
      {" reverse ", "of a vector: {v ! (#v - 1 - i) : i in &#v}"},
      {" sort sorted ", "there is none: quicksort is unfolded a function for each level, as examples/streaming does"},
      {" print show println putStr write ", "what a function gives is printed; write_file(out, s) writes a file"},
      {" read input getLine open ", "read_file(file) is a sequence of Char, read_file(\"-\") standard input"},
      {" string str to_string ", "digits are made of a number: semantics/snesl/README.md shows how"},
      {" parse atoi toInt ", sum_up_digits},
      {" float double toFloat ", "real(n) converts"},
      {" vector array list toList ", "tab(s) makes a vector of a sequence, seq(v) a sequence of a vector"},
      {" if cond case match switch ", "if ... then ... else ..., or c ? a : b between scalars"},
  };
  return rows;
}

std::span<const Habit> operator_habits() {
  static constexpr Habit rows[] = {{" and ", "logical and is `&&`"},
                                   {" or ", "logical or is `||`"},
                                   {" mod rem ", "a remainder is `x % y`"},
                                   {" div quot ", "a quotient of Ints is `x / y`"},
                                   {" xor ", "`x ^ y`"},
                                   {" is eq ", "equal is `==`"}};
  return rows;
}

}  // namespace lockstep::snesl
