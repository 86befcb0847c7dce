// Every operator in OpenCL C, at every type and width: as clang reads it, where it is there.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/c/text.h"
#include "semantics/primitives/operators.h"

namespace opencl_dialect_test {
using namespace lockstep;
using namespace lockstep::kernel;

namespace {

const std::vector<int> widths{1, 2, 3, 4, 8, 16};
const ScalarOp& op(std::string_view name) { return std::get<ScalarOp>(scalar_operator(name)->kind); }
Expr typed(KType t, const std::string& name) { return {t, Var{name}}; }

struct Text {
  std::string all;
  std::size_t operators = 0;
};

// A function each.
class Functions {
 public:
  explicit Functions(const Dialect& dialect) : text_(dialect) {}

  Text all() {
    for (const PrimitiveRef& p : scalar_operators())
      for (const ScalarType t : std::get<ScalarOp>(p->kind).types())
        for (const int width : widths) applied(p, {t, width});
    const std::size_t operators = count_;
    for (const ScalarType t : scalar_types) {
      constants(t);
      for (const int width : widths)
        if (width > 1) vectors({t, width});
    }
    return {text_.declarations("static inline") + functions_, operators};
  }

 private:
  void function(KType result, const std::vector<std::pair<std::string, KType>>& parameters, const Expr& body) {
    const std::size_t names = text_.mark();
    std::string list;
    for (const auto& [name, t] : parameters) {
      text_.bind_variable(name, name);
      list += (list.empty() ? "" : ", ") + text_.type(t) + " " + name;
    }
    functions_ += text_.type(result) + " f" + std::to_string(count_++) + "(" + list + ") { return " +
                  text_.expression(body) + "; }\n";
    text_.release(names);
  }
  void applied(const PrimitiveRef& p, KType operand) {
    const auto& o = std::get<ScalarOp>(p->kind);
    std::vector<std::pair<std::string, KType>> parameters;
    std::vector<ExprRef> arguments;
    for (int k = 0; k < static_cast<const int&>(o.arity); ++k) {
      parameters.emplace_back(std::string(1, static_cast<char>('a' + k)), operand);
      arguments.push_back(typed(operand, parameters.back().first));
    }
    const KType result{o.result(operand.scalar), operand.width};
    function(result, parameters, {result, Apply{p, operand, arguments}});
    // Of what is no name, and long.
    const auto sum = [&](const ExprRef& x) {
      const auto& add = std::get<ScalarOp>(scalar_operator("+")->kind);
      const auto types = add.types();
      if (std::find(types.begin(), types.end(), operand.scalar) == types.end()) return x;
      return ExprRef(Expr{operand, Apply{scalar_operator("+"), operand, {x, x}}});
    };
    for (ExprRef& x : arguments) x = sum(x);
    function(result, parameters, {result, Apply{p, operand, arguments}});
  }
  void constants(ScalarType t) {
    std::vector<Scalar> all;
    if (t == ScalarType::Bool)
      all = {make_bool(true)};
    else if (is_float(t))
      for (const double x : {0.0, -1.5, 0.1, HUGE_VAL, -HUGE_VAL, std::nan("")}) all.push_back(make_ieee(t, x));
    else
      for (const std::uint64_t x : {std::uint64_t(0), ~std::uint64_t(0), std::uint64_t(1) << (bits_of(t) - 1)})
        all.push_back(make_integer(t, x));
    for (const Scalar& x : all) function({t}, {}, {{t}, Const{x, ""}});
  }
  void vectors(KType t) {
    const KType one{t.scalar};
    const Expr v = typed(t, "v"), x = typed(one, "x"), i = typed({}, "i");
    std::vector<ExprRef> lanes;
    for (int l = 0; l < t.width; ++l) lanes.emplace_back(x);
    function(t, {{"x", one}}, {t, Splat{t.width, x}});
    function(t, {{"x", one}}, {t, Build{lanes}});
    function(one, {{"v", t}}, {one, Lane{v, constant(t.width - 1)}});
    function(one, {{"v", t}, {"i", {}}}, {one, Lane{v, i}});
    const std::size_t names = text_.mark();
    const std::string p = text_.declare_buffer("p");
    text_.bind_variable("i", "i");
    for (const bool past : {false, true})
      functions_ += "void f" + std::to_string(count_++) + "(__global " + text_.memory_type(t.scalar) + "* " + p +
                    ", long i) { " +
                    text_.store({"p", typed({}, "i"), Expr{t, VectorLoad{"p", t.width, constant(3)}}, past}) + " }\n";
    text_.release(names);
  }

  CText text_;
  std::string functions_;
  std::size_t count_ = 0;
};

// What clang says of it; "" where it takes it.
std::string clang_says(const std::string& text) {
  const auto stem = std::filesystem::temp_directory_path() / ("opencl_dialect_test." + std::to_string(::getpid()));
  const std::string source = stem.string() + ".cl", errors = stem.string() + ".err";
  std::ofstream(source) << text;
  const int status = std::system(("clang -x cl -cl-std=CL1.2 -fsyntax-only -Wall -Wextra -Werror -Wno-unused-function "
                                  "-Wno-unused-parameter -ferror-limit=20 " +
                                  source + " 2> " + errors)
                                     .c_str());
  std::stringstream said;
  said << std::ifstream(errors).rdbuf();
  std::filesystem::remove(source), std::filesystem::remove(errors);
  return status == 0 ? "" : "clang refuses it:\n" + said.str();
}
bool has_clang() { return std::system("clang --version >/dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("OpenCL C spells every operator at every type and width") {
  const Text text = Functions(opencl_dialect()).all();
  CHECK(text.operators > 2 * 300 * widths.size());
  for (const char* of_cpp : {"__builtin", "int64_t", "uint8_t", "vector_size", "{}", "Sleef", "template"})
    CHECK(text.all.find(of_cpp) == std::string::npos);
  if (!has_clang()) {
    WARN("skipped: no clang that would read it; 'apt-get install clang' gets one");
    return;
  }
  CHECK(clang_says(text.all) == "");
}

TEST_CASE("clang refuses a dialect of OpenCL C with a wrong row") {
  if (!has_clang()) {
    WARN("skipped: no clang that would read it; 'apt-get install clang' gets one");
    return;
  }
  const auto refused = [](const std::function<void(Dialect&)>& change) {
    Dialect wrong = opencl_dialect();
    change(wrong);
    return !clang_says(Functions(wrong).all().all).empty();
  };
  using enum scalars::Operation;
  CHECK(refused([](Dialect& d) { d.operators = d.operators.with(PopCount, {"std::popcount(#0)", 13}); }));
  CHECK(refused([](Dialect& d) { d.operators = d.operators.with(Bits, {"as_#o(#0)", 13, 0, 0, true}); }));
  CHECK(refused([](Dialect& d) { d.operators = d.operators.with(Convert, {"(#t)#0", 12, 13, 0, true}); }));
  CHECK(refused([](Dialect& d) { d.types = d.types.with(ScalarType::U16, "uint16_t"); }));
  CHECK(refused([](Dialect& d) { d.lane_number = "(int)(#0)"; }));
  CHECK(refused([](Dialect& d) { d.whole_floats_as_ints = true, d.lane_number = "#0"; }));
  CHECK(refused([](Dialect& d) { d.vectors.made = cpp_dialect().vectors.made; }));
  CHECK(refused([](Dialect& d) { d.vectors.any_lane = "#0.s#1"; }));
}

TEST_CASE("OpenCL C counts bits in the operand's width, wraps on words and calls its own functions, vectors too") {
  const auto text = [](std::string_view name, ScalarType t, const std::vector<std::string>& x) {
    return spell(opencl_dialect(), op(name).definition(t), x).text;
  };
  CHECK(text("+", ScalarType::I32, {"a", "b"}) == "(int)((uint)a + (uint)b)");
  CHECK(text("*", ScalarType::U16, {"a", "b"}) == "(ushort)((uint)a * (uint)b)");
  CHECK(text("+", ScalarType::U32, {"a", "b"}) == "a + b");
  CHECK(text("neg", ScalarType::I64, {"a"}) == "(long)(0 - (ulong)a)");
  CHECK(text("fromBits", ScalarType::U32, {"x"}) == "as_float((uint)x)");
  CHECK(text("popcount", ScalarType::U8, {"a"}) == "popcount((uchar)a)");
  CHECK_THAT(text("clz", ScalarType::U16, {"a"}), Catch::Matchers::Contains("clz((ushort)a)"));
  CHECK(text("exp", ScalarType::F32, {"a"}) == "exp(a)");
  CHECK(text("u8", ScalarType::F32, {"a"}) == "(uchar)a");
  const auto whole = [](std::string_view name, ScalarType t) {
    const std::vector<std::string> names{"a", "b", "c"};
    return spell_on_vectors(opencl_dialect(), op(name).definition(t),
                            {names.begin(), names.begin() + static_cast<const int&>(op(name).arity)}, 4,
                            [](const auto& l, ScalarType) { return l.name; });
  };
  CHECK(whole("+", ScalarType::I32) == "as_int4(as_uint4(a) + as_uint4(b))");
  CHECK(whole("max", ScalarType::I32) == "a > b ? a : b");
  CHECK(whole("popcount", ScalarType::U8) == "popcount((uchar4)a)");
  CHECK(whole("sqrt", ScalarType::F64) == "sqrt(a)");
  CHECK(whole("<", ScalarType::F32).empty());  // no vectors of bools
}

}  // namespace opencl_dialect_test
