#include "codegen/targets/openmp_stops.h"

namespace lockstep {

std::string trapped_text(const std::string& type) {
  return "static int32_t trapped(" + type +
         "* trap, int32_t check, int64_t a = 0, int64_t b = 0, int64_t c = 0, int64_t d = 0) {\n  if (trap) *trap "
         "= " +
         type + "{check, 0, {a, b, c, d}};\n  return 3;\n}\n\n";
}
std::string stop_text(const std::string& type) {
  return "// The first thread to trap says why.\nstatic void stop(int32_t* stopped, " + type +
         "* trap, int32_t check, int64_t a = 0, int64_t b = 0, int64_t c = 0,\n                 int64_t d = 0) "
         "{\n"
         "  int32_t none = 0;\n"
         "  if (__atomic_compare_exchange_n(stopped, &none, 3, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))\n"
         "    trapped(trap, check, a, b, c, d);\n}\n\n";
}
std::string fail_text() {
  return "static void fail(int32_t* stopped) {\n"
         "  int32_t none = 0;\n"
         "  __atomic_compare_exchange_n(stopped, &none, 4, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);\n}\n\n";
}

}  // namespace lockstep
