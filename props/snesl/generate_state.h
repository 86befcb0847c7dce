// The state of a random SNESL program in the making. Private to the generator.
// t: the type asked for, b: expressions still to be spent.
#pragma once
#include <functional>
#include <set>

#include "props/snesl/generate.h"

namespace lockstep::props::stream {

namespace make {  // surface trees
using namespace snesl::surface;
Expr name(std::string n);
Expr number(std::int64_t n);
Expr boolean(bool b);
Expr text(std::string t);
Expr call(std::string f, std::vector<Expr> arguments);
Expr infix(Infix op, Expr a, Expr b);
Expr prefix(Prefix op, Expr a);
Expr append(Expr a, Expr b);
Expr index(Expr v, Expr i);
Expr project(Expr t, int one_based);
Expr tuple(std::vector<Expr> items);
Expr sequence(std::vector<Expr> items);
Expr vector(std::vector<Expr> items);
Expr let(Pattern p, Expr value, Expr body);
Expr choice(Expr c, Expr yes, Expr no);  // if
Expr select(Expr c, Expr yes, Expr no);
Expr comprehension(Expr body, Pattern p, Expr source);
Expr guarded(Expr body, Expr condition);
Pattern bind(std::string n);
}  // namespace make

class Generator {
 public:
  using Expr = snesl::surface::Expr;
  using Pattern = snesl::surface::Pattern;
  using Type = snesl::Type;
  using Prim = snesl::Prim;
  Generator(std::uint64_t seed, int nodes, bool seldom) : random_(seed), nodes_(nodes), seldom_(seldom) {}
  GeneratedProgram program();

 private:
  struct Variable {
    std::string name;
    Type type;
    bool small = false;  // an Int that & may count to
    bool given = false;  // a parameter, or made of one
  };
  struct Helper {
    std::string name;
    std::vector<Type> parameters;
    Type result;
  };
  using Makers = std::vector<std::function<Expr()>>;

  // generate.cpp: functions, types, names
  snesl::surface::Function function(const std::string& name, const std::vector<Type>& parameters, const Type& result,
                                    int budget);
  Type random_type(int depth, bool concrete);
  Prim random_prim();
  std::string fresh();
  void bind(Variable v);
  Pattern pattern_for(const Variable& like);
  bool is_given(const Expr& e) const;
  int part(int b) { return b <= 1 ? 0 : 1 + random_.below(b - 1); }
  int few() { return random_.percent(65) ? 1 : 2 + random_.below(2); }
  bool deep() const { return depth_ >= 3; }

  // generate_expressions.cpp: what every type can be made by
  Expr expression(const Type& t, int b);
  Expr leaf(const Type& t);
  Expr literal(Prim p);
  std::optional<Expr> variable(const Type& t);
  void general(const Type& t, int b, Makers& out);
  Expr let_in(const Type& t, int b);
  Expr component(const Type& t, int b);
  Expr element(const Type& t, int b);

  // generate_reads.cpp
  struct Read {
    Expr scalar;
    Prim type;
  };
  std::optional<Expr> read_from_scope(Prim p);
  void collect_reads(const Expr& e, const Type& t, Prim p, std::vector<Read>& into);
  Expr converted(Expr e, Prim from, Prim to);

  // generate_scalars.cpp
  void of_prim(Prim p, int b, Makers& out);
  void of_bool(int b, Makers& out);
  void of_int(int b, Makers& out);
  void of_real(int b, Makers& out);
  void of_char(int b, Makers& out);
  Expr small(int b);
  Expr divisor(int b);
  Expr reduction(Prim p, int b);
  Expr reduced(Prim p, Expr s);
  Expr used_twice(Prim p, int b);
  Expr function_to(Prim result, int b);
  Expr unused(int b);
  Expr guarded_by_left(int b);

  // generate_seldom.cpp
  enum class Vectors : unsigned char { OfInts, OfChars, OfVectors };
  // Groups, named x, each with a vector v of at least so many elements where `seldom` holds.
  struct Groups {
    std::vector<snesl::surface::Binding> first;
    Expr source, vector, seldom;
    Vectors of;
    int least;
    Expr length;
  };
  Expr seldom_asked();
  Expr asked(const std::string& v, Vectors of, int least, const Expr& length);
  Expr vector_for(const std::string& x, Vectors of, int length);
  Groups numbered(const std::string& x, Expr source, std::vector<snesl::surface::Binding> first, int modulus);
  Groups groups(const std::string& x, const std::string& v);

  // generate_sequences.cpp
  void of_tuple(const snesl::TupleType& t, int b, Makers& out);
  void of_vector(const Type& t, int b, Makers& out);
  void of_sequence(const Type& t, int b, Makers& out);
  void of_sequence_of_prim(Prim p, int b, Makers& out);
  void of_segments(const Type& inner, int b, Makers& out);
  Expr comprehension(const Type& t, int b);
  Expr zipped(const snesl::TupleType& t, int b);
  Expr partition(const Type& t, int b);
  std::pair<Expr, Type> some_sequence(int b);
  // Runs `body` where only what a comprehension may use is seen, and one level deeper.
  template <class F>
  auto within(const F& body);

  Random random_;
  int nodes_;
  int count_ = 0, files_ = 0;
  int depth_ = 0;                  // comprehensions around
  const bool seldom_;              // has vectors that are asked once in a thousand times
  std::optional<Variable> given_;  // a parameter of its own for what is seldom asked
  std::optional<Asked> asked_;
  bool entry_ = false;
  bool distinct_ = false;  // several patterns bind beside each other
  std::vector<Variable> scope_;
  std::vector<Helper> helpers_;
  std::set<std::string> unread_;  // parameters of the function in the making
  std::set<std::string> summed_;  // sequences of which a leaf has what is known at their end
};

}  // namespace lockstep::props::stream
