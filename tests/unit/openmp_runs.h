// Kernel programs as OpenMP text, compiled and run on inputs that are made for them.
#pragma once
#include <catch2/catch.hpp>

#include <cstring>
#include <regex>

#include "codegen/runtime/compile.h"
#include "codegen/targets/openmp.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/run.h"
#include "tests/unit/kernel_program.h"

namespace lockstep::kernel {

// For texts whose loops all go in parts, of several of which there is one at small sizes.
inline const std::vector<std::string> all_in_parts{"-DLOCKSTEP_LEAST_STREAMED=0", "-DLOCKSTEP_STREAMED_PART=16"};

inline void put(std::vector<std::byte>& memory, std::size_t i, const Scalar& s) {
  auto at = memory.data() + i * static_cast<std::size_t>(bytes_of(s.type));
  double d = s.ieee();
  auto f = static_cast<float>(d);
  if (s.type == ScalarType::F32)
    std::memcpy(at, &f, 4);
  else if (s.type == ScalarType::F64)
    std::memcpy(at, &d, 8);
  else
    std::memcpy(at, &s.bits, static_cast<std::size_t>(bytes_of(s.type)));  // little-endian
}

inline std::size_t count_of(const std::regex& what, const std::string& text) {
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), what), std::sregex_iterator()));
}

inline std::vector<std::byte> packed(const std::vector<Scalar>& scalars, ScalarType t) {
  std::vector<std::byte> r(scalars.size() * static_cast<std::size_t>(bytes_of(t)) + 1);
  for (std::size_t i = 0; i < scalars.size(); ++i) put(r, i, scalars[i]);
  return r;
}

struct RunResult {
  std::int32_t status = 0;
  EntryTrap trap;
  std::vector<std::vector<std::byte>> outputs;
};

inline RunResult compiled(const Program& p, std::int64_t n, const Buffers& inputs,
                          const Dialect& dialect = cpp_dialect(), const std::vector<std::string>& machine = {}) {
  CompileRequest request{openmp_source(p, dialect), openmp_flags(), entry_name(p), false};
  request.flags.insert(request.flags.end(), machine.begin(), machine.end());
  INFO(request.source);
  auto library = compile_cached(request);
  if (!library) FAIL(library.error().message);
  using Entry = std::int32_t (*)(const std::int64_t*, const void* const*, void* const*, EntryTrap*);
  auto entry = reinterpret_cast<Entry>(library->symbol(loader_name(p).c_str()));
  REQUIRE(entry);
  std::vector<std::vector<std::byte>> in;
  std::vector<const void*> from;
  std::vector<void*> to;
  RunResult r;
  for (const Buffer& b : p.inputs) in.push_back(packed(inputs.at(b.name), b.type.scalar));
  for (const Buffer& b : p.outputs) {
    auto count = static_cast<std::size_t>(*evaluate(b.count, {{"n", n}}));
    r.outputs.emplace_back(count * static_cast<std::size_t>(bytes_of(b.type.scalar)) + 1);
  }
  for (auto& m : in) from.push_back(m.data());
  for (auto& m : r.outputs) to.push_back(m.data());
  r.status = entry(&n, from.data(), to.data(), &r.trap);
  return r;
}

inline Buffers inputs_of(const Program& p, std::int64_t n) {
  Buffers r;
  for (const Buffer& b : p.inputs) {
    std::int64_t count = *evaluate(b.count, {{"n", n}});
    r[b.name];  // of no element too
    for (std::int64_t i = 0; i < count; ++i) {
      ScalarType t = b.type.scalar;
      bool real = is_float(t);
      r[b.name].push_back(real ? make_ieee(t, 0.25 + static_cast<double>((i * 37) % 101) / 7)
                               : make_integer(t, static_cast<std::uint64_t>((i * 37) % 101)));
    }
  }
  return r;
}

// Compiled for such a machine, it gives what the interpreter gives.
inline void agree(const std::string& text, std::int64_t n, const std::vector<std::string>& machine = {}) {
  Program p = program_from(text);
  REQUIRE(check(p) == std::vector<std::string>{});
  Buffers inputs = inputs_of(p, n);
  RunOptions options;
  options.detect_races = true;
  auto expected = kernel::run(p, {{"n", n}}, inputs, ieee_domain(), options);
  if (!expected) {
    if (const Fault* f = std::get_if<Fault>(&expected.error())) FAIL(f->message);
    FAIL("trapped");
  }
  RunResult r = compiled(p, n, inputs, cpp_dialect(), machine);
  REQUIRE(r.status == entry_done);
  for (std::size_t k = 0; k < p.outputs.size(); ++k) {
    INFO(p.outputs[k].name);
    CHECK(r.outputs[k] == packed(expected->at(p.outputs[k].name), p.outputs[k].type.scalar));
  }
}

}  // namespace lockstep::kernel
