#include "props/snesl/distribution.h"

#include <algorithm>
#include <functional>
#include <set>

#include "props/snesl/inputs.h"
#include "props/snesl/tree.h"

namespace lockstep::props::stream {
namespace {

namespace core = snesl::core;
using snesl::Value;

// What stands in a program, comprehensions and conditions (both become a `with` of SVCODE) by what is around them.
struct Shape {
  std::set<std::string> names{};
  bool writes_files = false, indexed = false;
  bool condition = false, in_comprehension = false, in_condition = false, comprehension_in_condition = false;
  int comprehensions = 0;  // around each other, at most
};
struct Around {
  int comprehensions = 0, conditions = 0;
};

void look(const core::Expr& e, const Around& around, Shape& into) {
  const auto named = [&](const std::string& x) { into.names.insert(x); };
  match(
      e.node, [&](const core::Var& x) { named(x.name); }, [](const core::Literal&) {}, [](const core::Text&) {},
      [&](const core::Tuple& x) { std::for_each(x.items.begin(), x.items.end(), named); },
      [&](const core::Project& x) { named(x.tuple); },
      [&](const core::Let& x) { look(*x.value, around, into), look(*x.body, around, into); },
      [&](const core::Apply& x) {
        std::for_each(x.arguments.begin(), x.arguments.end(), named);
        into.writes_files = into.writes_files || x.builtin == core::Builtin::WriteFile;
        into.indexed = into.indexed || x.builtin == core::Builtin::Index;
      },
      [&](const core::Comprehension& x) {
        named(x.sequence);
        const Around inside{around.comprehensions + 1, around.conditions};
        into.comprehensions = std::max(into.comprehensions, inside.comprehensions);
        into.comprehension_in_condition = into.comprehension_in_condition || around.conditions > 0;
        look(*x.body, inside, into);
      },
      [&](const core::Guarded& x) {
        named(x.condition);
        into.condition = true;
        into.in_comprehension = into.in_comprehension || around.comprehensions > 0;
        into.in_condition = into.in_condition || around.conditions > 0;
        look(*x.body, {around.comprehensions, around.conditions + 1}, into);
      });
}
Shape shape_of(const core::Program& p) {
  Shape out;
  look(*p.body, {}, out);
  return out;
}

void see(const Value& v, Specials& into) {
  if (v.kind == Value::Kind::Atom && v.atom.type == snesl::Prim::Real) into.see(v.atom.ieee(), false);
  for (std::size_t k = 0; k < v.size(); ++k) see(v[k], into);
}

bool has_atom(const Value& v, const std::function<bool(const snesl::Atom&)>& wanted) {
  if (v.kind == Value::Kind::Atom) return wanted(v.atom);
  for (std::size_t k = 0; k < v.size(); ++k)
    if (has_atom(v[k], wanted)) return true;
  return false;
}
// Of inputs with Ints those that 32 bits do not hold, of inputs with Chars those that are no ASCII.
void count_atoms(const StreamInput& in, Statistics& into) {
  const auto any = [&](const std::function<bool(const snesl::Atom&)>& wanted) {
    return std::any_of(in.values.begin(), in.values.end(), [&](const Value& v) { return has_atom(v, wanted); });
  };
  const auto count = [&](snesl::Prim p, const char* of, const char* what, const auto& wanted) {
    if (!any([&](const snesl::Atom& a) { return a.type == p; })) return;
    into.count(of, what, any([&](const snesl::Atom& a) { return a.type == p && wanted(a.integer); }));
  };
  count(snesl::Prim::Int, "input with Ints", "one of more than 32 bits",
        [](std::int64_t n) { return n < INT32_MIN || n > INT32_MAX; });
  count(snesl::Prim::Char, "input with Chars", "one beyond ASCII", [](std::int64_t c) { return c > 127; });
}

std::int64_t longest(const Value& v) {
  const bool several = v.kind == Value::Kind::Vector || v.kind == Value::Kind::Sequence;
  std::int64_t out = several ? static_cast<std::int64_t>(v.size()) : 0;
  for (std::size_t k = 0; k < v.size(); ++k) out = std::max(out, longest(v[k]));
  return out;
}

bool has_reals(const snesl::Type& t) {
  if (const auto* tuple = snesl::as<snesl::TupleType>(t))
    return std::any_of(tuple->items.begin(), tuple->items.end(), has_reals);
  const snesl::Type* element = snesl::element_of(t);
  return element ? has_reals(*element) : t == snesl::prim(snesl::Prim::Real);
}

}  // namespace

void count_program(const core::Program& program, Statistics& into) {
  const Shape shape = shape_of(program);
  const auto counted = [&](const char* what, bool occurred) { into.count("program", what, occurred); };
  counted("reads a file", reads_files(*program.body));
  counted("writes a file", shape.writes_files);
  counted("an element of a vector", shape.indexed);
  counted("a condition", shape.condition);
  counted("a condition in a comprehension", shape.in_comprehension);
  counted("a condition in a condition", shape.in_condition);
  counted("a comprehension in a condition", shape.comprehension_in_condition);
  counted("a comprehension", shape.comprehensions > 0);
  counted("comprehensions two deep", shape.comprehensions > 1);
  counted("comprehensions three deep", shape.comprehensions > 2);
}

void count_inputs(const core::Program& program, const std::vector<StreamInput>& inputs, Statistics& into) {
  const Shape shape = shape_of(program);
  Drawn drawn;
  drawn.reads = reads_files(*program.body) || std::any_of(program.parameters.begin(), program.parameters.end(),
                                                          [&](const auto& p) { return shape.names.contains(p.name); });
  drawn.varies = std::any_of(inputs.begin(), inputs.end(), [&](const StreamInput& in) {
    return !same_outcome(in.expected, inputs.front().expected);
  });
  for (const StreamInput& in : inputs) {
    for (const Value& v : in.values) drawn.length = std::max(drawn.length, longest(v));
    for (const auto& [name, text] : in.files.all_read())
      drawn.length = std::max(drawn.length, static_cast<std::int64_t>(text.size()));
  }
  count(drawn, into);
  const bool given_reals = std::any_of(program.parameters.begin(), program.parameters.end(),
                                       [](const auto& p) { return has_reals(p.type); });
  for (const StreamInput& in : inputs) {
    into.count("input", "traps", !in.expected.value);
    count_atoms(in, into);
    if (given_reals) {
      Specials given;
      for (const Value& v : in.values) see(v, given);
      given.count("input with floats", into);
    }
    if (!in.expected.value || !has_reals(program.body->type)) continue;
    Specials result;
    see(*in.expected.value, result);
    result.count("result with floats", into);
  }
}

namespace {

tl::expected<snesl::Evaluation, Trap> value_of(const core::Program& core, const StreamInput& in,
                                               const Toolchain& tools) {
  KeptFiles files = in.files;
  return tools.core.evaluate(core, in.values, files, ieee_domain());
}

// `||` and `&&` as `|` and `&`, which evaluate both sides; false where there are none.
bool evaluate_both_sides(snesl::surface::Program& p) {
  using namespace snesl::surface;
  bool any = false;
  for (Function& f : p.functions)
    for (std::size_t k = 0, all = props::node_count(*f.body); k < all; ++k) {
      const Expr& e = subtree(*f.body, k);
      const auto* infix = std::get_if<InfixExpr>(&e.node);
      if (!infix || (infix->op != Infix::OpOr && infix->op != Infix::OpAnd)) continue;
      InfixExpr both = *infix;
      both.op = infix->op == Infix::OpOr ? Infix::BitOr : Infix::BitAnd;
      f.body = ExprRef(replaced(*f.body, k, Expr{both, e.region}));
      any = true;
    }
  return any;
}

}  // namespace

void count_right_sides(const GeneratedProgram& program, const std::vector<StreamInput>& inputs, const Toolchain& tools,
                       Statistics& into) {
  snesl::surface::Program both = program.program;
  const bool any = evaluate_both_sides(both);
  into.count("program", "|| or &&", any);
  bool traps = false;
  if (const auto core = any ? tools.elaborate(both, program.types) : tl::unexpected(Diagnostics{}))
    for (const StreamInput& in : inputs) traps = traps || (in.expected.value && !value_of(*core, in, tools));
  into.count("program", "a right side of || or && that would trap", traps);
}

void count_seldom(const GeneratedProgram& program, const std::vector<StreamInput>& inputs, const Toolchain& tools,
                  Statistics& into) {
  into.count("program", "vectors that are seldom asked", program.seldom.has_value());
  if (!program.seldom) return;
  snesl::surface::Program counting = program.program;
  counting.functions.back().body =
      snesl::surface::Expr{snesl::surface::TupleExpr{{program.seldom->groups, program.seldom->times}}, {}};
  const auto core = tools.elaborate(counting, program.types);
  if (!core) return;  // made smaller
  bool many = false, once = false;
  for (const StreamInput& in : inputs)
    if (const auto r = value_of(*core, in, tools)) {
      const std::int64_t groups = r->value[0].atom.integer, times = r->value[1].atom.integer;
      many = many || groups >= 1000;
      once = once || (times > 0 && groups >= 300 * times);
    }
  into.count("vectors seldom asked", "1000 or more", many);
  into.count("vectors seldom asked", "asked once in 300 times or less", once);
}

}  // namespace lockstep::props::stream
