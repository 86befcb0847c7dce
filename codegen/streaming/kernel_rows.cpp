// The table of kernels (kernel_rows.h): CMake takes its rows from beside the kernels.
#include "codegen/streaming/kernel_rows.h"

#include <algorithm>
#include <span>

namespace lockstep::engine {
namespace {

constexpr KernelRow beside_kernels[] = {
#define KERNEL_OF(which, ...) {.opcode = Opcode::which, __VA_ARGS__},
#include "kernel_rows.inc"
};

constexpr std::size_t opcodes = 0
#define OPCODE(...) +1
#include "semantics/svcode/opcodes.h"
    ;
// Where the row of each opcode stands; past the end where it has none.
using Places = std::array<std::size_t, opcodes>;
constexpr Places places_in(std::span<const KernelRow> rows) {
  Places r{};
  r.fill(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) r[static_cast<std::size_t>(rows[k].opcode)] = k;
  return r;
}
constexpr bool one_each(std::span<const KernelRow> rows) {
  const Places places = places_in(rows);
  return rows.size() == opcodes && std::find(places.begin(), places.end(), rows.size()) == places.end();
}
static_assert(one_each(beside_kernels), "each opcode has one kernel, with one KERNEL_OF beside it");
static_assert(!one_each(std::span(beside_kernels).first(opcodes - 1)), "an opcode without a kernel is found");

constexpr bool is_called(const KernelRow& r) { return r.call.empty() == r.only_in.has_value(); }
static_assert(std::all_of(std::begin(beside_kernels), std::end(beside_kernels), is_called),
              "a kernel has a call, or it is said in which steps it is made");
static_assert(!is_called({}), "a kernel without a call is found");
constexpr bool is_written(const KernelRow& r) {
  for (const std::string_view text : {r.call, r.keeps, r.call_of_bits, r.keeps_of_bits, r.of_short, r.in_place, r.file})
    if (!is_well_written(text)) return false;
  return true;
}
static_assert(std::all_of(std::begin(beside_kernels), std::end(beside_kernels), is_written),
              "what stands in braces is one of the words");
static_assert(!is_well_written("rep({out}, {atomm})") && !is_well_written("rep({out}, {short})") &&
                  !is_well_written("rep({out 0})") && !is_well_written("rep({out") &&
                  is_well_written("i64 {state} = {}"),
              "a word that there is not is found");

constexpr Places places = places_in(beside_kernels);

}  // namespace

const KernelRow& kernel_of(Opcode o) { return beside_kernels[places[static_cast<std::size_t>(o)]]; }

}  // namespace lockstep::engine
