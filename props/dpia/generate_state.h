// The state of a random program in the making. Private to the generator.
// t: the type asked for, budget: expressions still to be spent, known: whether the place fixes the type, so that a
// literal may stand without a suffix.
#pragma once
#include <optional>

#include "props/dpia/generate.h"
#include "semantics/functional/syntax/make.h"

namespace lockstep::props {

namespace make {  // surface trees
using surface::Expr;
using namespace surface::make;
Expr number(std::int64_t n);
surface::Pattern wild();
Expr tuple(Expr a, Expr b);
Expr size(const Size& s);  // as an explicit size argument
}  // namespace make

bool is_natural(const Size& s);                              // without negative terms
std::optional<Size> divided(const Size& s, std::int64_t a);  // s/a, where a divides every term

// The operators that are called by their names, and give what they take.
std::vector<std::string> named_operators(Operands of, int arity);

// What stands around a place; decides which levels of map are legal there (DPIA §6.2).
enum class Around { Top, Par, Workgroup, Warp, Inner, Private };

struct Variable {
  std::string name;
  Type type;  // a function type for a helper's parameter
};
// whole = head + rest, by the facts or by the shape of head.
struct Cut {
  Size whole, head, rest;
};
struct Helper {
  std::string name;
  std::vector<std::string> sizes;
  std::vector<std::pair<std::string, std::optional<Type>>> parameters;  // nothing: an explicit size
  Type result;
};

class Generator {
 public:
  using Expr = surface::Expr;
  Generator(std::uint64_t seed, int nodes, const TypedPrimitives& by_type, bool solver, bool for_gpu)
      : random_(seed),
        nodes_(nodes),
        by_type_(by_type),
        for_gpu_(for_gpu),
        solver_(solver),
        names_of_sizes_(seed % 3 == 0 ? std::vector<std::string>{"a", "b"} : std::vector<std::string>{"n", "m"}) {}
  surface::Program program();
  std::set<ViewOfView> views_that_fit();

 private:
  // generate.cpp: definitions and types
  surface::Definition entry();
  void entry_body(surface::Definition& d, bool hard);
  static void beside(surface::Definition& d, Expr e, ScalarType s);
  surface::Definition helper(int k);
  void choose_facts(surface::Definition& d);
  void choose_hard_facts(surface::Definition& d);
  void cut_at(const Size& whole, const Size& head);
  int budget_of(int nodes);
  Type parameter_type();
  Type result_type();
  Type declared(const Type& t) const;
  ScalarType random_scalar_type(bool numeric = false);
  Type random_type(int depth);
  int random_width();  // of a short vector
  Size random_size();
  std::string fresh(const std::string& base) {
    std::string name = base + std::to_string(count_++);
    return scalar_named(name) ? fresh(base) : name;  // i8 is a type
  }

  // generate_expressions.cpp: what every type can be made by
  Expr expression(const Type& t, int budget, bool known);
  Expr leaf(const Type& t, bool known);
  Expr scalar_leaf(ScalarType s, bool known);
  Expr array_leaf(const ArrayType& a, bool known);
  Expr literal_leaf(const ArrayType& a, bool known);
  std::optional<Expr> read_from_scope(ScalarType s);
  Expr literal(ScalarType t, bool known);
  std::optional<Expr> reach(const Variable& v, const Type& t);
  std::optional<Expr> general(const Type& t, int budget, bool known);
  Expr let_in(const Type& t, int budget, bool known);
  Expr component(const Type& t, int budget);
  Expr element(const Type& t, int budget);
  Expr iterated(const Type& t, int budget, bool known);
  Expr reduction(const Type& t, int budget, bool known);
  Expr in_memory(const Type& t, int budget, bool known);
  std::optional<Expr> function_call(const Type& t, int budget, bool known);
  std::optional<Expr> helper_call(const Helper& h, const Type& t, int budget);
  Expr function(const std::vector<Type>& from, const Type& to, int budget, bool known);
  // generate_blocks.cpp
  Expr together(const Type& t, const std::optional<std::int64_t>& n, int budget);

  Expr function_or_operator(const std::vector<Type>& from, const Type& to, int budget, bool known);

  // generate_rounds.cpp: `while` in its shapes
  Expr while_loop(const Type& t, int budget, bool known);
  Expr by_counter(const Type& t, int budget, bool known);
  Expr by_flag(const Type& t, int budget, bool known);
  Expr by_counter_in_array(const Type& t, int budget, bool known);
  Expr as_often_as_given(const Type& t, int budget, bool known);
  std::optional<Expr> until_small(const Type& t, int budget, bool known);
  std::optional<Expr> greatest_divisor(const Type& t, int budget, bool known);
  Expr state_of(Expr e, ScalarType t);  // a number of rounds

  // generate_views.cpp: views of views
  struct Seen {  // an expression with its type
    Expr e;
    Type type;
  };
  std::optional<Seen> view_of(const std::string& name, const Seen& x);
  std::optional<Seen> view_of_array(const std::string& name, const Seen& x);
  static std::optional<Seen> viewed(const std::string& name, const Seen& x, std::vector<Expr> before, Type t);
  std::optional<Seen> view_of_view(const ViewOfView& pair, const Seen& x);
  void views(surface::Definition& d);
  Type source_of_views();

  // generate_far.cpp: reads of arrays that nobody stores, as long as a size that may be large
  void name_large(surface::Definition& d);
  bool has_large() const;
  Seen far_array();
  std::optional<Seen> view_of_far(const Seen& x);
  Expr far_index(const Size& n);
  Seen far_scalar(Seen x);
  Expr far_read(ScalarType s);
  void beside_far_read(surface::Definition& d);

  // generate_scalars.cpp
  Expr any_operator(ScalarType t, int budget, bool known);
  std::optional<Expr> scalar_expression(ScalarType t, int budget, bool known);
  Expr boolean(int budget);
  std::optional<Expr> decided_before_a_trap(int budget);
  Expr arithmetic(const Type& t, ScalarType s, int budget, bool known);
  Expr conversion(ScalarType t, int budget);
  Expr converted(Expr e, ScalarType from, ScalarType to, bool kept_from_trapping = true) const;
  std::optional<Expr> of_size_or_index();
  std::optional<Expr> vector_expression(const VectorType& v, const Type& t, int budget, bool known);

  // generate_arrays.cpp
  std::optional<Expr> pair_expression(const PairType& p, const Type& t, int budget, bool known);
  std::optional<Expr> array_expression(const ArrayType& a, const Type& t, int budget, bool known);
  Expr map(const ArrayType& a, int budget, bool known);
  Expr scan(const ArrayType& a, int budget, bool known);
  Expr gathered(const ArrayType& a, int budget, bool known);
  Expr scattered(const ArrayType& a, int budget, bool known);
  std::optional<Expr> permuted(const ArrayType& a, int budget, bool known, bool by_threads = false);
  std::optional<Expr> combined(const Type& t, Expr a, Expr b);
  Expr component_function(const char* component);
  std::optional<Expr> cut(const ArrayType& a, int budget, bool known);
  std::optional<Expr> concatenated(const ArrayType& a, int budget, bool known);
  std::pair<Size, Size> factors_of(const Size& length);
  std::optional<Expr> joined(const ArrayType& a, int budget, bool known);
  std::optional<Expr> spread(const ArrayType& a, int budget, bool known, bool by_threads = false);
  std::optional<Expr> padded(const ArrayType& a, int budget, bool known);
  std::optional<Expr> windows(const ArrayType& a, int budget, bool known);
  std::optional<Expr> rows(const ArrayType& a, int budget, bool known);
  std::optional<Expr> product(const ArrayType& a, int budget, bool known);
  Expr indices(const Size& n, const Size& bound, int budget);
  Expr distinct_indices(const Size& n);
  Expr places_of_kept(const Size& n);
  Type source_element(const Size& n);  // an element type of an array in scope, preferring those of length n
  std::optional<ArrayType> array_in_scope();

  // generate_blocks.cpp: nests for the blocks and threads of a GPU
  void blocks(surface::Definition& d);
  Expr block(const Type& t, int temporaries, int budget);
  std::optional<Expr> warps(const ArrayType& a, const Type& element, const Expr& xs, int budget);
  Expr threads(const ArrayType& a, int budget);
  Expr of_other_threads(const Size& n, Type& element, int budget);

  // generate_by_type.cpp
  struct Call;
  std::optional<Expr> call_by_type(const TypedPrimitive& p, const Type& t, int budget);
  void complete(Call& call);
  std::optional<Expr> argument_by_type(const Call& call, std::size_t k, const Type& wanted, int budget,
                                       double iterations);

  // Elements made so far by the loops around; a loop that would make too many is not drawn.
  double nominal(const Size& s) const;
  bool affordable(const Size& n) const { return loops_ * nominal(n) <= 300; }
  struct Inside {  // of n iterations of a loop
    Inside(Generator& g, const Size& n) : generator(g), before(g.loops_) { g.loops_ *= std::max(1.0, g.nominal(n)); }
    ~Inside() { generator.loops_ = before; }
    Generator& generator;
    double before;
  };
  struct Place {  // what stands around, for a scope
    Place(Generator& g, Around a) : generator(g), before(g.around_) { g.around_ = a; }
    ~Place() { generator.around_ = before; }
    Generator& generator;
    Around before;
  };
  struct Scope {
    explicit Scope(Generator& g) : generator(g), before(g.scope_.size()) {}
    ~Scope() {
      generator.scope_.erase(generator.scope_.begin() + static_cast<std::ptrdiff_t>(before), generator.scope_.end());
    }
    Generator& generator;
    std::size_t before;
  };
  surface::Pattern bind(const Type& t);  // a pattern for t, its names in scope

  Random random_;
  int nodes_;
  const TypedPrimitives& by_type_;
  const bool for_gpu_;
  const bool solver_;
  int count_ = 0;
  std::vector<Variable> scope_;
  std::vector<Size> sizes_;
  std::vector<std::string> size_names_;
  std::vector<Cut> cuts_;
  std::vector<Size> remainders_;  // of parameters only: their products are beyond what normal forms decide
  SizeSubstitution shown_;        // canonical size of a name: n is 4*(n/4) where n % 4 == 0
  std::vector<Helper> helpers_;
  std::vector<std::string> names_of_sizes_;  // before and after the names of loops: normal forms sort by them
  Around around_ = Around::Top;
  bool by_threads() const { return around_ == Around::Workgroup || around_ == Around::Warp; }
  double loops_ = 1;
  bool reads_far_ = false, reads_by_loops_ = true;
};

}  // namespace lockstep::props
