// Programs of blocks and warps for the tests of texts for devices, what they compute, and mistakes planted in a text.
#pragma once
#include "codegen/targets/executable.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace lockstep::test {

// Blocks that share memory: what each thread makes another reads.
inline const char* const turned =
    "fun main [n] (xs : [8*n]i32) : [8*n]i32 block 8 warp 4 grid 3 =\n"
    "  xs |> split 8 |> mapWorkgroup (\\b -> mapLocal (\\x -> x * 2) (reverse (toLocal (mapLocal (\\x -> x + 1)) b)))\n"
    "  |> join\n";
// Warps that shuffle, that meet at a barrier, and that trap.
inline const char* const in_warps =
    "fun main [n] (xs : [8*n]i32) : [8*n]i32 block 8 warp 4 grid 3 =\n"
    "  xs |> split 8 |> mapWorkgroup (\\b -> b |> split 4 |> mapWarp (\\w ->\n"
    "    w |> toLocal (mapLocal (\\x -> 1000 / x)) |> reverse |> mapLocal (\\x -> x * 3) |> scanWarp (+) 0) |> join)\n"
    "  |> join\n";

struct Compiled {
  PhraseProgram source;
  host::Program host;
};
inline Compiled compiled(const char* text) {
  const PhraseProgram source = entry(text);
  return {source, dpia_trace(source, calculus(), Machine::Gpu).last().as<host::Program>()};
}
inline std::vector<std::int32_t> numbers(std::size_t n) {
  std::vector<std::int32_t> xs;
  for (std::size_t k = 0; k < n; ++k) xs.push_back(static_cast<std::int32_t>(k * k % 37) + 1);
  return xs;
}
// Its result on these numbers, or why there is none.
inline std::string run(const Executable& e, const std::vector<std::int32_t>& xs) {
  std::vector<std::int32_t> given = xs, out(xs.size(), -1);
  Arguments arguments;
  arguments.sizes = {{"n", static_cast<std::int64_t>(xs.size() / 8)}};
  Leaves leaves;
  leaves.push_back({ScalarType::I32, {static_cast<std::int64_t>(xs.size())}, nullptr, given.data()});
  arguments.values.push_back(std::move(leaves));
  if (const auto done = e.run_into(arguments, {out.data()}); !done) return show(done.error());
  std::string text;
  for (const std::int32_t x : out) text += std::to_string(x) + " ";
  return text;
}
inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("the text has no '" + what + "'");
  return text.replace(at, what.size(), by);
}
inline std::string expected_turned(std::size_t n) {
  const auto xs = numbers(n);
  std::string out;
  for (std::size_t k = 0; k < n; ++k) out += std::to_string((xs[k / 8 * 8 + 7 - k % 8] + 1) * 2) + " ";
  return out;
}
inline std::string expected_in_warps(std::size_t n) {
  const auto xs = numbers(n);
  std::string out;
  for (std::size_t k = 0; k < n; ++k) {
    std::int32_t sum = 0;
    for (std::size_t j = 0; j <= k % 4; ++j) sum += 1000 / xs[k / 4 * 4 + 3 - j] * 3;
    out += std::to_string(sum) + " ";
  }
  return out;
}

}  // namespace lockstep::test
