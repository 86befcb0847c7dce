// The dialect of HIP's kernels (dialect.h): what hipcc, hiprtc, NVRTC, nvcc and clang read alike. NVIDIA's compilers
// have no flag that lets signed numbers wrap, so they wrap on words, and no vectors of GCC's: a short vector is its
// lanes, and what lies where a vector of its size may lie goes to memory as one.
#include "codegen/dialects/dialect.h"

namespace lockstep {

using namespace scalars;

// Three lanes lie as three, and are held in four.
static std::string function_of_lanes(std::string_view called, std::string_view vector, std::string_view element,
                                     int lanes) {
  const std::string v(vector), e(element), name = std::string(called) + std::to_string(lanes);
  std::string loaded, stored, same;
  for (int l = 0; l < lanes; ++l) {
    const std::string k = std::to_string(l);
    loaded += (l ? ", p[" : "p[") + k + "]";
    stored += " p[" + k + "] = v.lanes[" + k + "];";
    same += l ? ", x" : "x";
  }
  const bool whole = lanes != 3;
  const std::string fits = "(uintptr_t)p % sizeof(" + v + ") == 0";
  if (called == "load")
    return v + " " + name + "(const " + e + "* p) {\n" +
           (whole ? "  if (" + fits + ") return *(const " + v + "*)p;\n" : "") + "  return " + v + "{{" + loaded +
           "}};\n}\n";
  if (called == "store" || called == "stream")
    return "void " + name + "(" + e + "* p, const " + v + "& v) {\n" +
           (whole ? "  if (" + fits + ") {\n    *(" + v + "*)p = v;\n    return;\n  }\n" : "") + " " + stored + "\n}\n";
  if (called == "splat") return v + " " + name + "(" + e + " x) { return " + v + "{{" + same + "}}; }\n";
  return "";
}

static Dialect of_devices() {
  using enum Operation;
  Dialect d = cpp_dialect();
  d.library.clear();  // functions are the device's own
  d.written.clear();
  d.on_vectors.clear();
  for (const Operation op : {Add, Subtract, Multiply, Divide, Remainder, And, Or, Xor, ShiftLeft, ShiftRight, Equal,
                             NotEqual, Less, LessEqual, Greater, GreaterEqual, Negate}) {
    Dialect::Operator one = d.operators[op];
    one.on_vectors = false;
    d.operators = d.operators.with(op, one);
  }
  d.wrapping = {{Add, {"(#t)((#w)#0 + (#w)#1)", 12, 13, 13}, {}},
                {Subtract, {"(#t)((#w)#0 - (#w)#1)", 12, 13, 13}, {}},
                {Multiply, {"(#t)((#w)#0 * (#w)#1)", 12, 13, 13}, {}},
                {ShiftLeft, {"(#t)((#w)#0 << #1)", 12, 13, 13}, {}},
                {Negate, {"(#t)(0 - (#w)#0)", 12, 13}, {}}};
  d.unroll = "##pragma unroll #0";
  d.vectors.declared = "struct alignas(#b) #v {\n  #e lanes[#b / sizeof(#e)];\n};\n";
  d.vectors.made = "#v{{#0}}";
  d.vectors.shuffled = "";
  d.vectors.lane = d.vectors.any_lane = "#0.lanes[#1]";
  d.vectors.streams = "";
  d.vectors.function = function_of_lanes;
  d.vectors.bools = "r";
  return d;
}

const Dialect& hip_dialect() {
  static const Dialect dialect = of_devices();
  return dialect;
}

}  // namespace lockstep
