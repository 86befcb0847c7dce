// Kernel expressions to a dialect of C (text.h). Precedences: 1 ?:, 3 &&, 7 == !=, 8 < <=, 10 + -, 11 * / %, 13 an
// atom; 0 is what an operator's own text may be.
#include "codegen/c/text.h"

#include <algorithm>
#include <array>

#include "codegen/c/constants.h"
#include "codegen/dialects/library.h"
#include "semantics/core/table.h"
#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

using namespace kernel;

// ------------------------------------------------------------------------------------------------- short vectors
namespace {

constexpr int stored_lanes(int width) { return width == 3 ? 4 : width; }  // three lanes are held in four
ScalarType lane_type(ScalarType t) { return t == ScalarType::Bool ? ScalarType::U8 : t; }

}  // namespace

std::string CText::vector_name(ScalarType scalar, int width) {
  const ScalarType t = lane_type(scalar);
  const std::string name = vector_type(dialect_, t, width);
  const int bytes = bytes_of(t);
  if (!dialect_.vectors.declared.empty())
    types_[name] = filled(dialect_.vectors.declared, {},
                          {{'v', name},
                           {'e', memory_type(t)},
                           {'b', std::to_string(bytes * stored_lanes(width))},
                           {'a', std::to_string(bytes)}});
  return name;
}

std::string CText::type(KType t) {
  return t.width == 1 ? std::string(dialect_.types[t.scalar]) : vector_name(t.scalar, t.width);
}

std::string CText::on_vectors(std::string_view text, std::string_view called, ScalarType scalar, int width,
                              const std::vector<std::string>& operands) {
  const std::string v = vector_name(scalar, width), element = memory_type(lane_type(scalar));
  if (const std::string function = dialect_.vectors.function(called, v, element, width); !function.empty())
    functions_[std::string(called) + std::to_string(width) + " " + v] = function;
  return filled(text, operands, {{'v', v}, {'e', element}, {'n', std::to_string(width)}});
}

// ------------------------------------------------------------------------------------------------- expressions
namespace {

std::pair<const char*, int> c_operator(ArithOp op) {
  using enum ArithOp;
  static constexpr auto rows = table<ArithOp, std::pair<const char*, int>>({{Add, {" + ", 10}},
                                                                            {Subtract, {" - ", 10}},
                                                                            {Multiply, {" * ", 11}},
                                                                            {Divide, {" / ", 11}},
                                                                            {Modulo, {" % ", 11}},
                                                                            {Less, {" < ", 8}},
                                                                            {LessEqual, {" <= ", 8}},
                                                                            {Equal, {" == ", 7}},
                                                                            {And, {" && ", 3}}});
  return rows[op];
}

}  // namespace

std::string CText::at(const Expr& e, int least) {
  if (auto n = index_text(e)) return *n;
  Printed p = print(e);
  return p.precedence < least ? "(" + p.text + ")" : p.text;
}

std::string CText::operand(const Expr& e) {
  Printed p = print(e);
  return p.precedence < 13 ? "(" + p.text + ")" : p.text;
}

std::string CText::expression(const Expr& e) {
  if (auto n = index_text(e)) return *n;
  return print(e).text;
}

std::string CText::address(const std::string& b, const Expr& index) {
  std::string i = at(index, 11);
  return i == "0" ? b : b + " + " + i;
}

CText::Printed CText::print(const Expr& e) {
  return match(
      e.node,
      [&](const Const& c) -> Printed {
        return {constant_text(dialect_, c), is_signed_text(c) ? 0 : 13};
      },
      [&](const Var& v) -> Printed {
        return {variable(v.name), 13};
      },
      [&](const Arith& a) -> Printed {
        auto [symbol, p] = c_operator(a.op);
        // Two small constants are ints: their product might not be one.
        bool constants = index_text(*a.left) && index_text(*a.right);
        std::string left = constants ? operand(*a.left) : at(*a.left, p);
        return {left + symbol + at(*a.right, p + 1), p};
      },
      [&](const Load& l) -> Printed {
        const Name& from = look_up(true, l.buffer);
        std::string text = from.kind == Kind::Value ? from.text : from.text + "[" + expression(*l.index) + "]";
        return e.type.scalar == ScalarType::Bool ? Printed{text + " != 0", 7} : Printed{text, 13};
      },
      [&](const VectorLoad& l) -> Printed {
        return {
            on_vectors(dialect_.vectors.load, "load", e.type.scalar, l.width, {address(buffer(l.buffer), *l.index)}),
            13};
      },
      [&](const Apply& a) { return application(a, e.type); },
      [&](const Choose& c) -> Printed {
        // Two small constants would be ints, and so would what is made of them.
        std::string then = index_text(*c.then) ? operand(*c.then) : at(*c.then, 2);
        return {at(*c.condition, 2) + " ? " + then + " : " + at(*c.otherwise, 1), 1};
      },
      [&](const Lane& l) -> Printed {
        const std::string text = lane_of(l);
        return e.type.scalar == ScalarType::Bool ? Printed{text + " != 0", 7} : Printed{text, 13};
      },
      [&](const Build& b) -> Printed {
        if (std::string text = shuffled(b, e.type); !text.empty()) return {std::move(text), 13};
        std::string lanes;
        for (std::size_t k = 0; k < b.lanes.size(); ++k) lanes += (k ? ", " : "") + lane_text(*b.lanes[k]);
        return {on_vectors(dialect_.vectors.made, "", e.type.scalar, e.type.width, {lanes}), 13};
      },
      [&](const Splat& s) -> Printed {
        // The overload is chosen by the argument's type, and 0 is an int.
        std::string x = expression(*s.scalar);
        if (!is_float(e.type.scalar)) x = cast(dialect_.types[e.type.scalar], x);
        return {on_vectors(dialect_.vectors.splat, "splat", e.type.scalar, s.width, {x}), 13};
      });
}

// Lanes of one vector or of two, by number; "" where the dialect has no text for it.
std::string CText::shuffled(const Build& b, KType type) {
  if (dialect_.vectors.shuffled.empty() || type.scalar == ScalarType::Bool || type.width == 3) return "";
  std::vector<std::string> vectors;
  std::string numbers;
  for (const ExprRef& x : b.lanes) {
    const auto* l = std::get_if<Lane>(&x->node);
    const auto* from = l ? std::get_if<Var>(&l->vector->node) : nullptr;
    const auto lane = from && l->vector->type == type ? constant_of(*l->lane) : std::nullopt;
    if (!lane) return "";
    auto it = std::find(vectors.begin(), vectors.end(), from->name);
    if (it == vectors.end()) it = vectors.insert(it, from->name);
    numbers += ", " + std::to_string((it - vectors.begin()) * type.width + *lane);
  }
  if (vectors.size() > 2) return "";
  return filled(dialect_.vectors.shuffled, {variable(vectors.front()), variable(vectors.back()), numbers.substr(2)});
}

// In braces an int must not narrow.
std::string CText::lane_text(const Expr& e) {
  std::string s = expression(e);
  return bytes_of(e.type.scalar) < 4 ? cast(memory_type(e.type.scalar), s) : s;
}

std::string CText::cast(std::string_view to, const std::string& x) const {
  return filled(dialect_.cast, {x}, {{'t', std::string(to)}});
}

std::string CText::lane_of(const Lane& l) {
  static constexpr std::string_view digits = "0123456789abcdef";
  const KType t = l.vector->type;
  const std::string vector = operand(*l.vector), lane = expression(*l.lane);
  const Const* k = std::get_if<Const>(&l.lane->node);
  if (!k || k->value.bits >= digits.size())
    return on_vectors(dialect_.vectors.any_lane, "lane", t.scalar, t.width, {vector, lane});
  return filled(dialect_.vectors.lane, {vector, lane}, {{'l', std::string(1, digits[k->value.bits])}});
}

// Whether an operator has an argument more than once that is long: nested, such texts would double at each level.
static bool repeats_much(const scalars::Definition& d, const Apply& a) {
  constexpr std::size_t short_nodes = 3;
  for (std::size_t k = 0; k < a.arguments.size(); ++k) {
    std::size_t nodes = 0;
    each_expression(*a.arguments[k], [&](const Expr&) { ++nodes; });
    if (nodes > short_nodes && scalars::uses(d, k) > 1) return true;
  }
  return false;
}

// A choice of floats by one of two conditions, as of the greater by an order or where one is a NaN, as two choices, the
// first by a name of its own: compilers make instructions of both, and else branches, which of floats nobody can tell.
static const std::vector<scalars::Definition>* two_conditions(const scalars::Definition& d) {
  const auto* choice = is_float(d.type) ? std::get_if<scalars::Definition::Choice>(&d.node) : nullptr;
  const auto* by = choice ? std::get_if<scalars::Definition::Apply>(&choice->operands[0].node) : nullptr;
  return by && by->op == scalars::Operation::Or ? &by->operands : nullptr;
}

Spelled CText::spelled(const scalars::Definition& d, const std::vector<std::string>& arguments) {
  Spelled out = spell(dialect_, d, arguments);
  calls_.insert(out.calls.begin(), out.calls.end());
  return out;
}

namespace {

struct FunctionText {
  std::string parameters, call;    // "float a, float b" and "(x, y)"
  std::vector<std::string> names;  // a, b
};

FunctionText function_text(const std::string& type, const std::vector<std::string>& arguments) {
  static constexpr std::array letters{"a", "b", "c", "d"};
  FunctionText f;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    f.names.emplace_back(letters.at(k));
    f.parameters += (k ? ", " : "") + type + " " + f.names.back();
    f.call += (k ? ", " : "") + arguments[k];
  }
  f.call = "(" + f.call + ")";
  return f;
}

}  // namespace

std::string CText::spelled_on_vectors(const scalars::Definition& d, const std::vector<std::string>& arguments,
                                      int width) {
  return spell_on_vectors(dialect_, d, arguments, width, [&](const scalars::Definition::Library& l, ScalarType t) {
    if (dialect_.functions_are_built_in) return library_function(dialect_, l, t).name;
    const std::string vector = vector_name(t, width), name = "all_" + l.name + "_" + vector;
    const FunctionText f = function_text(vector, std::vector<std::string>(l.operands.size()));
    const std::string body = body_on_vectors(dialect_, l, t, width, vector, f.names, calls_);
    if (body.empty()) return body;
    library_functions_[name] = vector + " " + name + "(" + f.parameters + ") {" + body + "}\n";
    return name;
  });
}

// An operator on i64 computes in 64 bits, of narrow indices too.
std::string CText::argument(const Expr& e) {
  const bool index = std::holds_alternative<Var>(e.node) || std::holds_alternative<Arith>(e.node) ||
                     std::holds_alternative<Choose>(e.node);
  return index && e.type == KType{} && !narrow_.empty() ? cast(dialect_.types[ScalarType::I64], expression(e))
                                                        : operand(e);
}

CText::Printed CText::application(const Apply& a, KType result) {
  const scalars::Definition d = std::get<ScalarOp>(a.primitive->kind).definition(a.operand.scalar);
  std::vector<std::string> arguments;
  for (const ExprRef& x : a.arguments) arguments.push_back(argument(*x));
  const bool named = names_choices_ && a.operand.width == 1 && two_conditions(d);
  if (named || repeats_much(d, a)) return {function_of(a, result, d, arguments), 13};
  if (a.operand.width > 1) {
    const std::string whole = spelled_on_vectors(d, arguments, a.operand.width);
    return whole.empty() ? Printed{function_of(a, result, d, arguments), 13} : Printed{whole, 0};
  }
  const Spelled s = spelled(d, arguments);
  return {s.text, s.atom ? 13 : 0};
}

std::string CText::function_of(const Apply& a, KType result, const scalars::Definition& d,
                               const std::vector<std::string>& arguments) {
  const auto& op = std::get<ScalarOp>(a.primitive->kind);
  const bool one = a.operand.width == 1;
  const std::string from = type(a.operand), to = type(result);
  FunctionText f = function_text(from, arguments);
  const auto* conditions = one && names_choices_ ? two_conditions(d) : nullptr;
  const std::string name = (conditions ? "either_"
                            : one      ? "one_"
                                       : "each_") +
                           op.identifier() + "_" + std::string(show(a.operand.scalar)) +
                           (one ? "" : "x" + std::to_string(a.operand.width));
  std::string& text = functions_[name];
  text = to + " " + name + "(" + f.parameters + ") {";
  if (conditions) {
    const auto& choice = std::get<scalars::Definition::Choice>(d.node).operands;
    const auto first = scalars::choose(conditions->at(0), choice[1], choice[2]);
    text += " const " + to + " r = " + spelled(first, f.names).text + ";";
    f.names.emplace_back("r");
    const auto whole = scalars::choose(conditions->at(1), choice[1], scalars::argument(f.names.size() - 1, d.type));
    text += " return " + spelled(whole, f.names).text + "; }\n";
    return name + f.call;
  }
  if (const std::string whole = one ? spelled(d, f.names).text : spelled_on_vectors(d, f.names, a.operand.width);
      !whole.empty()) {
    text += " return " + whole + "; }\n";
    return name + f.call;
  }
  text += "\n" + lane_by_lane(d, f.names, result, a.operand.width) + "}\n";
  return name + f.call;
}

std::string CText::lane_by_lane(const scalars::Definition& d, const std::vector<std::string>& vectors, KType result,
                                int width) {
  static constexpr std::string_view digits = "0123456789abcdef";
  const Dialect::Vectors& how = dialect_.vectors;
  const auto of = [&](const std::string& vector, int lane) {
    return filled(how.lane, {vector, how.in_a_loop ? "l" : std::to_string(lane)},
                  {{'l', std::string(1, digits[static_cast<std::size_t>(lane)])}});
  };
  const auto one = [&](int lane) {
    std::vector<std::string> lanes;
    for (const std::string& v : vectors) lanes.push_back(of(v, lane));
    return of("r", lane) + " = " + spelled(d, lanes).text + ";\n";
  };
  std::string out = "  " + type(result) + " r" + (how.in_a_loop ? " = {}" : "") + ";\n";
  if (how.in_a_loop)
    out += "  for (int l = 0; l < " + std::to_string(width) + "; ++l) " + one(0);
  else
    for (int lane = 0; lane < width; ++lane) out += "  " + one(lane);
  return out + "  return " + std::string(result.scalar == ScalarType::Bool ? how.bools : "r") + ";\n";
}

bool is_nontemporal(const Store& s) { return s.nontemporal && s.value.type.width != 1 && s.value.type.width != 3; }

std::string CText::store(const Store& s) { return store_into(buffer(s.buffer), s.index, s.value, is_nontemporal(s)); }

std::string CText::store_into(const std::string& array, const Expr& index, const Expr& value, bool nontemporal) {
  const int width = value.type.width;
  if (width == 1) return array + "[" + expression(index) + "] = " + expression(value) + ";";
  streams_ = streams_ || nontemporal;
  return on_vectors(nontemporal ? dialect_.vectors.stream : dialect_.vectors.store, nontemporal ? "stream" : "store",
                    value.type.scalar, width, {address(array, index), expression(value)}) +
         ";";
}

std::string CText::trap_value(const Expr& e) {
  if (is_float(e.type.scalar)) return filled(dialect_.double_bits, {expression(e)});
  return e.type == KType{} ? expression(e) : cast(dialect_.types[ScalarType::I64], expression(e));
}

// ------------------------------------------------------------------------------------------------- declarations
void CText::declare_what(const CText& other) {
  types_.insert(other.types_.begin(), other.types_.end());
  library_functions_.insert(other.library_functions_.begin(), other.library_functions_.end());
  functions_.insert(other.functions_.begin(), other.functions_.end());
  calls_.insert(other.calls_.begin(), other.calls_.end());
  streams_ = streams_ || other.streams_;
}

std::string CText::declarations(const std::string& qualifiers) const {
  std::string r;
  for (const auto& [name, text] : types_) r += text;
  if (streams_) r += filled(dialect_.vectors.streams, {}, {{'q', qualifiers}});
  for (const auto& [name, text] : library_functions_) r += qualifiers + " " + text;
  for (const auto& [name, text] : functions_) r += qualifiers + " " + text;
  return r;
}

}  // namespace lockstep
