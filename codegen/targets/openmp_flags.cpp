// What texts of this target are compiled with.
#include "codegen/targets/openmp_flags.h"

#include <algorithm>

#include "codegen/dialects/library.h"
#include "codegen/runtime/compiler_flags.h"
#include "codegen/targets/openmp.h"

namespace lockstep {
namespace {

// g++'s alone, where a text is run: clang warns of them. A choice between two numbers is no branch where nobody can
// tell which, as the places of a radix pass; and of a loop with two conditions that stay, as of a stencil's border,
// there are not four, each in vectors: `index-sets` has taken apart what runs often.
constexpr std::string_view for_gcc[] = {"--param=max-rtl-if-conversion-unpredictable-cost=40",
                                        "--param=max-unswitch-insns=25"};

}  // namespace

std::vector<std::string> openmp_flags() {
  std::vector<std::string> out{"-std=c++20",      "-O3",
                               "-march=native",   "-ffp-contract=off",
                               "-fno-math-errno", "-fno-trapping-math",
                               "-fwrapv",         "-fno-finite-loops",
                               "-fno-exceptions", "-fno-asynchronous-unwind-tables",
                               "-fopenmp",        std::string(link_library)};
  out.insert(out.end(), std::begin(for_gcc), std::end(for_gcc));
  return out;
}

std::string flags_in_text() {
  std::string out;
  for (const std::string& f : with_architecture(openmp_flags()))
    if (f != link_library && std::ranges::count(for_gcc, f) == 0) out += " " + f;
  return out;
}

}  // namespace lockstep
