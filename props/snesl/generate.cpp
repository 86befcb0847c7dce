// Functions, types and names of random SNESL programs.
#include <algorithm>

#include "props/snesl/generate_state.h"
#include "props/snesl/inputs.h"
#include "props/snesl/tree.h"
#include "semantics/snesl/elaborate.h"

namespace lockstep::props::stream {

using namespace snesl::surface;
using snesl::prim;

namespace make {

Expr name(std::string n) { return {Variable{std::move(n)}}; }
Expr number(std::int64_t n) { return {Literal{snesl::int_atom(n)}}; }
Expr boolean(bool b) { return {Literal{snesl::bool_atom(b)}}; }
Expr text(std::string t) { return {TextLiteral{std::move(t)}}; }
static std::vector<ExprRef> refs(std::vector<Expr> items) { return {items.begin(), items.end()}; }
Expr call(std::string f, std::vector<Expr> arguments) { return {CallExpr{std::move(f), refs(std::move(arguments))}}; }
Expr infix(Infix op, Expr a, Expr b) { return {InfixExpr{op, std::move(a), std::move(b)}}; }
Expr prefix(Prefix op, Expr a) { return {PrefixExpr{op, std::move(a)}}; }
Expr append(Expr a, Expr b) { return {AppendExpr{std::move(a), std::move(b)}}; }
Expr index(Expr v, Expr i) { return {IndexExpr{std::move(v), std::move(i)}}; }
Expr project(Expr t, int one_based) { return {ProjectExpr{std::move(t), one_based}}; }
Expr tuple(std::vector<Expr> items) { return {TupleExpr{refs(std::move(items))}}; }
Expr sequence(std::vector<Expr> items) { return {SequenceExpr{refs(std::move(items))}}; }
Expr vector(std::vector<Expr> items) { return {VectorExpr{refs(std::move(items))}}; }
Expr let(Pattern p, Expr value, Expr body) { return {LetExpr{{{std::move(p), std::move(value)}}, std::move(body)}}; }
Expr choice(Expr c, Expr yes, Expr no) { return {IfExpr{std::move(c), std::move(yes), std::move(no)}}; }
Expr select(Expr c, Expr yes, Expr no) { return {SelectExpr{std::move(c), std::move(yes), std::move(no)}}; }
Expr comprehension(Expr body, Pattern p, Expr source) {
  return {ComprehensionExpr{std::move(body), {{std::move(p), std::move(source)}}, std::nullopt}};
}
Expr guarded(Expr body, Expr condition) { return {GuardedExpr{std::move(body), std::move(condition)}}; }
Pattern bind(std::string n) { return {NamePattern{std::move(n)}}; }

}  // namespace make

snesl::Prim Generator::random_prim() {
  static const std::vector<Prim> all{Prim::Int, Prim::Int, Prim::Int, Prim::Real, Prim::Real, Prim::Bool, Prim::Char};
  return random_.among(all);
}

snesl::Type Generator::random_type(int depth, bool concrete) {
  const int k = depth <= 0 ? 0 : random_.below(20);
  if (k < 7) return prim(random_prim());
  if (k < 10) {
    std::vector<Type> items;
    for (int n = random_.percent(6) ? 0 : 2 + random_.below(2); n > 0; --n)
      items.push_back(random_type(depth - 1, concrete));
    return snesl::tuple(std::move(items));
  }
  if (k < 12 || concrete) return snesl::vector_of(random_type(depth - 1, true));
  return snesl::sequence_of(random_type(depth - 1, false));
}

// Names are used again now and then, and hide what they meant.
std::string Generator::fresh() {
  if (!scope_.empty() && random_.percent(8) && !distinct_) return random_.among(scope_).name;
  static const std::vector<std::string> bases{"x", "y", "s", "v", "n", "x'"};
  const std::string& base = random_.among(bases);
  return base + std::to_string(count_++);
}

void Generator::bind(Variable v) {
  std::erase_if(scope_, [&](const Variable& x) { return x.name == v.name; });
  unread_.erase(v.name);
  summed_.erase(v.name);
  scope_.push_back(std::move(v));
}

bool Generator::is_given(const Expr& e) const {
  if (const auto* x = std::get_if<snesl::surface::Variable>(&e.node))
    return std::any_of(scope_.begin(), scope_.end(), [&](const Variable& v) { return v.given && v.name == x->name; });
  if (const auto* x = std::get_if<CallExpr>(&e.node); x && x->function == "read_file") return true;
  const auto all = children(e);
  return std::any_of(all.begin(), all.end(), [&](const Expr* c) { return is_given(*c); });
}

// Names for the parts of a value, or for all of it.
snesl::surface::Pattern Generator::pattern_for(const Variable& like) {
  const auto* tuple = snesl::as<snesl::TupleType>(like.type);
  if (tuple && !tuple->items.empty() && random_.percent(60)) {
    TuplePattern p;
    std::vector<std::string> taken;
    for (const Type& item : tuple->items) {
      if (random_.percent(10)) {
        p.items.push_back(make::bind("_"));
        continue;
      }
      const std::string n = "x" + std::to_string(count_++);  // distinct in one pattern
      bind({n, item, false, like.given});
      p.items.push_back(make::bind(n));
    }
    return {std::move(p), {}};
  }
  if (random_.percent(5)) return make::bind("_");
  const std::string n = fresh();
  bind({n, like.type, like.small, like.given});
  return make::bind(n);
}

Function Generator::function(const std::string& name, const std::vector<Type>& parameters, const Type& result,
                             int budget) {
  scope_.clear();
  unread_.clear();
  summed_.clear();
  Function f{name, {}, {}, make::boolean(false)};
  for (const Type& t : parameters) {
    const std::string x = "p" + std::to_string(count_++);
    f.parameters.push_back({x, {}});
    scope_.push_back({x, t, false, true});
    unread_.insert(x);
  }
  f.body = expression(result, budget);
  return f;
}

GeneratedProgram Generator::program() {
  GeneratedProgram r;
  int left = nodes_ / 2 + random_.below(nodes_);
  for (int k = random_.below(5) - 2; k > 0; --k) {
    Helper h{"f" + std::to_string(k), {}, random_type(2, false)};
    for (int n = random_.below(3); n > 0; --n) h.parameters.push_back(random_type(2, false));
    const int b = 2 + random_.below(std::max(1, left / 3));
    left -= b;
    r.program.functions.push_back(function(h.name, h.parameters, h.result, b));
    helpers_.push_back(std::move(h));
  }
  entry_ = true;
  std::vector<Type> parameters;
  for (int n = random_.percent(4) ? 0 : 1 + random_.below(3); n > 0; --n) parameters.push_back(random_type(3, false));
  Type result = random_type(3, false);
  if (snesl::as<Prim>(result)) result = random_type(3, false);  // what varies seldom shows in one scalar
  if (seldom_) given_ = Variable{"q" + std::to_string(count_++), snesl::sequence_of(prim(random_prim()))};
  r.program.functions.push_back(function("main", parameters, result, std::max(left, 4)));
  Function& main = r.program.functions.back();
  if (seldom_) {
    if (!asked_) main.body = make::tuple({seldom_asked(), *main.body});  // no Int was needed
    main.parameters.push_back({given_->name, {}});
    parameters.push_back(given_->type);
    r.seldom = asked_;
  }
  for (std::size_t k = 0; k < parameters.size(); ++k) r.types.emplace(main.parameters[k].name, parameters[k]);
  return r;
}

bool asks_seldom(std::uint64_t seed) { return Random(seed_of(seed, 4)).percent(3); }

// One that gives the same on all its inputs is most often drawn again.
GeneratedProgram generate_program(std::uint64_t seed, int nodes) {
  static const Toolchain tools = Toolchain::standard();
  constexpr std::size_t inputs = 3;
  const auto good = [&](const GeneratedProgram& p) {
    const auto core = snesl::elaborate(p.program, "", p.types);
    return !core || varies(*core, seed, inputs, tools);  // to be found by who checks it
  };
  const bool seldom = asks_seldom(seed);
  GeneratedProgram p = Generator(seed, nodes, seldom).program();
  for (std::uint64_t k = 1; k < 5 && Random(seed_of(seed, 10 + k)).percent(70) && !good(p); ++k)
    p = Generator(seed_of(seed, 20 + k), nodes, seldom).program();
  return p;
}

}  // namespace lockstep::props::stream
