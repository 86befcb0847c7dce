// The dialect of OpenCL C 1.2 (dialect.h). Numbers as in C: an int may not overflow, and no function is overloaded but
// its own, which choose by the type of their argument, so that a number beside them has to be of it. That no
// product is contracted into a sum, and that / and sqrt of floats are rounded as IEEE has it, is for a target to ask.
#include "codegen/dialects/dialect.h"

namespace lockstep {

using namespace scalars;

static std::string lane_function(std::string_view called, std::string_view vector, std::string_view element, int) {
  if (called != "lane") return "";
  const std::string v(vector);
  // Memory has an order of lanes; a vector has names.
  return std::string(element) + " lane_" + v + "(" + v + " v, long l) { return ((const " + std::string(element) +
         "*)&v)[l]; }\n";
}

const Dialect& opencl_dialect() {
  using enum Operation;
  static const Dialect dialect{
      .types = table<ScalarType>({{ScalarType::Bool, "bool"},
                                  {ScalarType::I8, "char"},
                                  {ScalarType::U8, "uchar"},
                                  {ScalarType::I16, "short"},
                                  {ScalarType::U16, "ushort"},
                                  {ScalarType::I32, "int"},
                                  {ScalarType::U32, "uint"},
                                  {ScalarType::I64, "long"},
                                  {ScalarType::U64, "ulong"},
                                  {ScalarType::F32, "float"},
                                  {ScalarType::F64, "double"}}),
      .operators = cpp_dialect()
                       .operators.with(PopCount, {"popcount((#t)#0)", 13, 13, 0, true})
                       .with(LeadingZeros, {"clz((#t)#0)", 13, 13, 0, true})
                       .with(Bits, {"as_#t((#o)#0)", 13, 13, 0, true}),
      .wrapping = {{Add, {"(#t)((#w)#0 + (#w)#1)", 12, 13, 13}, {"as_#t(as_#w(#0) + as_#w(#1))", 13}},
                   {Subtract, {"(#t)((#w)#0 - (#w)#1)", 12, 13, 13}, {"as_#t(as_#w(#0) - as_#w(#1))", 13}},
                   {Multiply, {"(#t)((#w)#0 * (#w)#1)", 12, 13, 13}, {"as_#t(as_#w(#0) * as_#w(#1))", 13}},
                   {ShiftLeft, {"(#t)((#w)#0 << #1)", 12, 13, 13}, {"as_#t(as_#w(#0) << as_#w(#1))", 13}},
                   {Negate, {"(#t)(0 - (#w)#0)", 12, 13}, {"as_#t(-as_#w(#0))", 13}}},
      .cast = "((#t)(#0))",
      .large = "((#t)#0u)",
      .lane_number = "(#t)(#0)",
      .whole_floats_as_ints = false,
      .function_suffix = "",
      .nan_narrow = "nan(0u)",
      .nan_wide = "nan(0ul)",
      .infinity_narrow = "INFINITY",
      .infinity_wide = "((double)INFINITY)",
      .double_bits = "as_long((double)(#0))",
      .unroll = "##pragma unroll #0",
      .functions_are_built_in = true,
      .vectors = {.type = "#e#n",
                  .declared = "",
                  .load = "vload#n(0, #0)",
                  .store = "vstore#n(#1, 0, #0)",
                  .stream = "vstore#n(#1, 0, #0)",
                  .splat = "((#v)(#0))",
                  .made = "((#v)(#0))",
                  .lane = "#0.s#l",
                  .any_lane = "lane_#v(#0, #1)",
                  .streams = "",
                  .function = lane_function,
                  .in_a_loop = false}};
  return dialect;
}

}  // namespace lockstep
