// The lowering of one normal form. Private to lower*.cpp.
#pragma once
#include <functional>
#include <map>
#include <set>

#include "semantics/functional/syntax/make.h"
#include "translate/fcl/lower/lower.h"
#include "translate/fcl/normal_form.h"
#include "translate/lowered/parameters.h"

namespace lockstep::fcl::lowering {

namespace make = surface::make;
using lockstep::lowering::Candidates, lockstep::lowering::Reading, lockstep::lowering::refuse,
    lockstep::lowering::Sizes;
using Text = surface::Expr;  // of the calculus

// An int as an i64 or an index: it is no less than `least` and no more than `most`.
struct Wide {
  Text text;
  Size least, most;
  bool is_size() const { return least == most; }
};
struct Low;
struct Array {
  Size length;  // its memory's, where its own is known only when it runs
  std::function<Low(const Text& index)> at;
  std::optional<Wide> running{};  // then what its own is: at most that
};
// What holds where a bool is true, where that is of sizes.
using Facts = std::vector<SizeFact>;
struct Number {  // a scalar
  ScalarType type;
  Text text;  // of that type
  std::optional<Wide> wide{};
  Facts needs{};                      // of sizes, where it is used as one
  std::optional<Size> conditional{};  // which it is where these hold, and it is not wide
  std::optional<Facts> facts{};
};
struct Low {
  std::variant<Number, std::shared_ptr<const std::pair<Low, Low>>, std::shared_ptr<const Array>> node;
};
inline Size most_int() { return Size(2147483647); }

// A part of a program in the calculus: what is computed before it, and it.
using Lets = std::vector<std::pair<surface::Pattern, Text>>;

class Lowering {
 public:
  Lowering(const Entry& entry, Sizes& sizes, const Candidates& candidates);
  Reading run();

 private:
  // lower.cpp: arguments, the whole
  void declare(const std::string& name, const std::string& source, const Type& type, std::vector<Size> outer);
  Low given(const std::vector<LoweredLeaf>& leaves, std::size_t& next, const Type& type, std::vector<Text> places);
  std::string fresh(const std::string& base);

  // lower_scalars.cpp
  Low scalar(const Expr& e);
  Low named(const std::string& name, Low value);  // a let, where it is more than a name
  Low infix(const InfixExpr& i, const Region& at);
  Low applied(const Expr& e, const Spine& s);
  void natural_when_run(const Wide& n, const Region& at);  // a check, where nothing shows it
  Low below_running(const Number& k, const Wide& length, const Region& at);
  std::optional<Number> extreme(const Spine& s);
  Low choice(const IfExpr& i);
  Number arithmetic(Infix op, const Number& a, const Number& b, const Region& at);
  std::optional<Wide> wide_result(Infix op, const Wide& a, const Wide& b);
  Size most_quotient(const Size& most, const Size& divisor) const;
  std::optional<Size> size_value(const Number& n) const;
  // Of lengths that are known only when it runs: sizes by the names of their variables, of which this is known.
  bool runs(const Size& s) const;     // whether it is made of such
  Size upper(const Size& s) const;    // no less, and made of none
  Text text_of(const Size& s) const;  // as an i64
  // No more than an int holds; by so many of the counts alone, of no condition.
  bool fits(const Size& n) const { return fits(n, counts_.size()) || proves({n, SizeRelation::LessEqual, most_int()}); }
  bool fits(const Size& n, std::size_t counts) const;
  SizeContext context() const;  // what is known of sizes
  bool proves(const SizeContext& context, const SizeFact& f) const;
  bool proves(const SizeFact& f) const { return proves(context(), f); }
  Size as_size(const Low& n, const std::string& what, const Region& at);
  const Number& number(const Low& l) const { return std::get<Number>(l.node); }
  const Low& variable(const std::string& name) const;
  Text tuple(const Low& l);
  Low of_text(const Text& t, const Low& like);  // taken apart as that is

  // lower_arrays.cpp
  struct Made {
    Text text;
    Size length;
    Low element;  // for its type
  };
  // What a `while` goes on from where its length changes: (length, array), in memory of a length that stays.
  struct State {
    std::optional<Size> capacity{};  // nothing: what is made says it
    std::optional<Text> before{};    // the length that is to become another, where it has to
  };
  Made body(const Expr& e, int place, State* state = nullptr);  // lets, and a scheme
  Made scheme(const Expr& e, int place, State* state = nullptr);
  Made pushed(const Spine& s, int place, const Region& at, State* state);
  Made interleaved(const Spine& s, int place, const Region& at, State* state);
  Wide running(const Expr& length, const Region& at);  // of a state
  Text with_length(const Wide& n, Text array, State& state, const Region& at);
  Text nothing(const Low& element);  // in the places behind the length
  static bool is_joined(const Expr& place, const Expr& length);

  // lower_digits.cpp: a place that is a number whose digits are those of the chunk's number and of the element's
  struct Digit {
    Size radix, stride;
    bool down = false;  // it counts down from radix - 1
  };
  struct Digits {
    std::vector<Digit> of_chunk, of_element;  // the highest first
    bool turned = false;                      // the element's digit is (i + j) % n, of element j of chunk i
    std::vector<std::size_t> order{};         // of the place, the highest first: by number among all of them
  };
  // Of `interleave n f` of m chunks: a bijection, as each stride is the product of the radices below it. Nothing where
  // this is not known.
  class Polynomial;
  std::optional<Digits> digits_of(const Expr& f, const Size& m, const Size& n, const Region& at);
  std::optional<Digits> known_digits(const Expr& f, const Size& m, const Size& n, const Region& at);
  // Of m chunks of n, each element at f of its numbers; by the units of a level.
  Text at_places(const Expr& f, Text chunks, const Size& m, const Size& n, int level, const Region& at);
  static Text in_order(Text chunks, const Digits& digits);  // [m][n], the chunks split where they have two digits
  void bind(const Binding& b, int place);
  Low looped(const Spine& s, int place, const std::string& name);
  std::optional<Made> steady(const Spine& s, int place);
  Low changing(const Spine& s, int place, const std::string& name);
  Text in_memory(Text made, int place);
  void check_that(Text condition, const Region& at);
  Low array_named(const std::string& own, const Size& length, const Low& element, std::optional<Wide> running = {});
  Text element(const Expr& function, const Size& length, Low& made, const std::optional<Wide>& below = {});
  // What f gives where one of so many is under way: there is one, so that no factor of their number is 0.
  template <class F>
  auto entered(const Size& length, const F& f) {
    const Facts before = here_;
    const auto is_some = [&](const Size& n) { here_.push_back({1, SizeRelation::LessEqual, n}); };
    is_some(length);
    if (length.terms().size() == 1)
      for (const auto& [atom, power] : length.terms()[0].powers)
        is_some(atom.division ? floor_div(atom.division->first, atom.division->second) : Size::name(atom.name));
    auto made = f();
    here_ = before;
    return made;
  }
  Text on_first(int level, int place, Text text);  // by a unit of that level
  // An element for each index below n, by the threads of a level.
  Text over(int level, const std::string& index, Text element, const Size& n);
  Text behind(Lets lets, Text result);
  template <class F>
  Text within(const F& f) {
    Lets outside = std::exchange(lets_, {});
    const Facts before = here_;
    Text result = f();
    here_ = before;
    result = behind(std::move(lets_), std::move(result));
    lets_ = std::move(outside);
    return result;
  }

  const Entry& entry_;
  Sizes& sizes_;
  const Candidates& candidates_;
  std::set<std::string> used_, taken_;
  std::map<std::string, Low> names_;
  std::vector<LoweredLeaf> parameters_;
  std::map<std::string, Size> running_;  // variables that are lengths, and what they are at most
  Facts here_;                           // what holds here, of sizes and of those
  std::vector<Size> counts_;             // that an int holds: of what is given, and then of lengths
  std::size_t given_ = 0;                // so many of them are of what is given
  bool none_wraps_ = true;               // conditions that ints hold sizes are known
  Lets lets_;
  std::vector<Region> by_digits_;  // each `interleave`
};

inline Low low(Number n) { return {std::move(n)}; }
inline Low low_pair(Low a, Low b) { return {std::make_shared<const std::pair<Low, Low>>(std::move(a), std::move(b))}; }
inline Low low_array(Size n, std::function<Low(const Text&)> at, std::optional<Wide> running = {}) {
  return {std::make_shared<const Array>(Array{std::move(n), std::move(at), std::move(running)})};
}
Text size_text(const Size& s);                          // a size as an i64
bool mentions(const Text& e, const std::string& name);  // no name here is bound twice
bool is_total(const Text& e);                           // it cannot trap

}  // namespace lockstep::fcl::lowering
