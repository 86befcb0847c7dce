// Kernel expressions to C++ (text.h). Precedences: 1 ?:, 3 &&, 7 == !=, 8 < <=, 10 + -, 11 * / %, 13 an atom;
// 0 is what an operator's own text may be.
#include "codegen/c/text.h"

#include <array>

#include "codegen/c/constants.h"
#include "codegen/dialects/library.h"
#include "semantics/core/table.h"
#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

using namespace kernel;

std::string_view c_type(ScalarType t) { return cpp_dialect().types[t]; }
std::string_view c_memory_type(ScalarType t) { return c_type(t == ScalarType::Bool ? ScalarType::U8 : t); }

// ------------------------------------------------------------------------------------------------- short vectors
namespace {

constexpr int stored_lanes(int width) { return width == 3 ? 4 : width; }  // three lanes are held in four
ScalarType lane_type(ScalarType t) { return t == ScalarType::Bool ? ScalarType::U8 : t; }

std::string with_number(const std::string& base, int n) { return base + std::to_string(n); }

}  // namespace

std::string CText::vector_name(ScalarType scalar, int width) {
  ScalarType t = lane_type(scalar);
  std::string name = std::string(show(t)) + "x" + std::to_string(width), element(c_memory_type(t));
  int bytes = bytes_of(t);
  std::string vector = "vector_size(" + std::to_string(bytes * stored_lanes(width)) + ")";
  types_[name] = "typedef " + element + " " + name + " __attribute__((" + vector + "));\n" + "typedef " + element +
                 " " + name + "_memory __attribute__((" + vector + ", aligned(" + std::to_string(bytes) +
                 "), may_alias));\n";
  return name;
}

std::string CText::type(KType t) {
  return t.width == 1 ? std::string(c_type(t.scalar)) : vector_name(t.scalar, t.width);
}

// load4, store4, stream4, splat4: overloaded over element types.
std::string CText::memory_function(const std::string& verb, ScalarType scalar, int width) {
  std::string v = vector_name(scalar, width), element(c_memory_type(lane_type(scalar))),
              name = with_number(verb, width);
  std::string each_load, each_store, each_splat;
  for (int l = 0; l < width; ++l) {
    std::string k = std::to_string(l);
    each_load += (l ? ", p[" : "p[") + k + "]";
    each_store += (l ? " p[" : "p[") + k + "] = v[" + k + "];";
    each_splat += l ? ", x" : "x";
  }
  std::string text;
  if (verb == "load")
    text = v + " " + name + "(const " + element + "* p) { return " +
           (width == 3 ? v + "{" + each_load + "}" : "*(const " + v + "_memory*)p") + "; }\n";
  else if (verb == "store")
    text = "void " + name + "(" + element + "* p, " + v + " v) { " +
           (width == 3 ? each_store : "*(" + v + "_memory*)p = v;") + " }\n";
  else if (verb == "splat")
    text = v + " " + name + "(" + element + " x) { return " + v + "{" + each_splat + "}; }\n";
  else
    text = "void " + name + "(" + element + "* p, " + v +
           " v) {\n  if ((uintptr_t)p % sizeof(v) == 0) stream_aligned(p, v);\n" + "  else *(" + v +
           "_memory*)p = v;\n}\n";
  functions_[name + " " + v] = text;
  return name;
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
        return {constant_text(c), is_signed_text(c) ? 0 : 13};
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
        return {memory_function("load", e.type.scalar, l.width) + "(" + address(buffer(l.buffer), *l.index) + ")", 13};
      },
      [&](const Apply& a) { return application(a, e.type); },
      [&](const Choose& c) -> Printed {
        // Two small constants would be ints, and so would what is made of them.
        std::string then = index_text(*c.then) ? operand(*c.then) : at(*c.then, 2);
        return {at(*c.condition, 2) + " ? " + then + " : " + at(*c.otherwise, 1), 1};
      },
      [&](const Lane& l) -> Printed {
        std::string text = operand(*l.vector) + "[" + expression(*l.lane) + "]";
        return e.type.scalar == ScalarType::Bool ? Printed{text + " != 0", 7} : Printed{text, 13};
      },
      [&](const Build& b) -> Printed {
        std::string text = vector_name(e.type.scalar, e.type.width) + "{";
        for (std::size_t k = 0; k < b.lanes.size(); ++k) text += (k ? ", " : "") + lane_text(*b.lanes[k]);
        return {text + "}", 13};
      },
      [&](const Splat& s) -> Printed {
        // The overload is chosen by the argument's type, and 0 is an int.
        std::string x = expression(*s.scalar);
        if (!is_float(e.type.scalar)) x = std::string(c_type(e.type.scalar)) + "(" + x + ")";
        return {memory_function("splat", e.type.scalar, s.width) + "(" + x + ")", 13};
      });
}

// In braces an int must not narrow.
std::string CText::lane_text(const Expr& e) {
  std::string s = expression(e);
  return bytes_of(e.type.scalar) < 4 ? std::string(c_memory_type(e.type.scalar)) + "(" + s + ")" : s;
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
  return spell_on_vectors(dialect_, d, arguments, [&](const scalars::Definition::Library& l, ScalarType t) {
    const std::string vector = vector_name(t, width), name = "all_" + l.name + "_" + vector;
    const FunctionText f = function_text(vector, std::vector<std::string>(l.operands.size()));
    const std::string body = body_on_vectors(dialect_, l, t, width, vector, f.names, calls_);
    if (body.empty()) return body;
    library_functions_[name] = vector + " " + name + "(" + f.parameters + ") {" + body + "}\n";
    return name;
  });
}

CText::Printed CText::application(const Apply& a, KType result) {
  const scalars::Definition d = std::get<ScalarOp>(a.primitive->kind).definition(a.operand.scalar);
  std::vector<std::string> arguments;
  for (const ExprRef& x : a.arguments) arguments.push_back(operand(*x));
  if (repeats_much(d, a)) return {function_of(a, result, d, arguments), 13};
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
  const std::string name = (one ? "one_" : "each_") + op.identifier() + "_" + std::string(show(a.operand.scalar)) +
                           (one ? "" : "x" + std::to_string(a.operand.width));
  std::string& text = functions_[name];
  text = to + " " + name + "(" + f.parameters + ") {";
  if (const std::string whole = one ? spelled(d, f.names).text : spelled_on_vectors(d, f.names, a.operand.width);
      !whole.empty()) {
    text += " return " + whole + "; }\n";
    return name + f.call;
  }
  for (std::string& lane : f.names) lane += "[l]";
  // g++ 12 at -O3 makes lanes of 255 of comparisons of bytes: a lane of bool is its last bit.
  text += "\n  " + to + " r = {};\n  for (int l = 0; l < " + std::to_string(a.operand.width) +
          "; ++l) r[l] = " + spelled(d, f.names).text + ";\n  return r" +
          (result.scalar == ScalarType::Bool ? " & 1" : "") + ";\n}\n";
  return name + f.call;
}

bool is_nontemporal(const Store& s) { return s.nontemporal && s.value.type.width != 1 && s.value.type.width != 3; }

std::string CText::store(const Store& s) { return store_into(buffer(s.buffer), s.index, s.value, is_nontemporal(s)); }

std::string CText::store_into(const std::string& array, const Expr& index, const Expr& value, bool nontemporal) {
  const int width = value.type.width;
  if (width == 1) return array + "[" + expression(index) + "] = " + expression(value) + ";";
  streams_ = streams_ || nontemporal;
  return memory_function(nontemporal ? "stream" : "store", value.type.scalar, width) + "(" + address(array, index) +
         ", " + expression(value) + ");";
}

std::string CText::trap_value(const Expr& e) {
  if (is_float(e.type.scalar)) return "__builtin_bit_cast(int64_t, double(" + expression(e) + "))";
  return e.type == KType{} ? expression(e) : "int64_t(" + expression(e) + ")";
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
  if (streams_) {
    r += "\n// Stores past the caches; other stores where the processor has none of this width.\n"
         "template <class V, class T>\n" +
         qualifiers +
         " void stream_aligned(T* p, V v) {\n"
         "#if defined(__clang__)\n"
         "  __builtin_nontemporal_store(v, (V*)p);\n"
         "#else\n"
         "#if defined(__AVX512F__)\n"
         "  typedef float v16 __attribute__((vector_size(64)));\n"
         "  if constexpr (sizeof(V) == 64) return __builtin_ia32_movntps512((float*)p, (v16)v);\n"
         "#endif\n"
         "#if defined(__AVX__)\n"
         "  typedef float v8 __attribute__((vector_size(32)));\n"
         "  if constexpr (sizeof(V) == 32) return __builtin_ia32_movntps256((float*)p, (v8)v);\n"
         "#endif\n"
         "#if defined(__SSE__)\n"
         "  typedef float v4 __attribute__((vector_size(16)));\n"
         "  if constexpr (sizeof(V) == 16) return __builtin_ia32_movntps((float*)p, (v4)v);\n"
         "#endif\n"
         "  typedef V memory __attribute__((may_alias));\n"
         "  *(memory*)p = v;\n"
         "#endif\n"
         "}\n" +
         qualifiers +
         " void stream_fence() {\n"
         "#if defined(__SSE__)\n"
         "  __builtin_ia32_sfence();\n"
         "#else\n"
         "  __atomic_thread_fence(__ATOMIC_SEQ_CST);\n"
         "#endif\n"
         "}\n";
  }
  for (const auto& [name, text] : library_functions_) r += qualifiers + " " + text;
  for (const auto& [name, text] : functions_) r += qualifiers + " " + text;
  return r;
}

}  // namespace lockstep
