// Small kernel programs on a target, many as one unit and in a process of their own: what each run gives, bit for bit,
// beside what the kernel language's interpreter gives.
#pragma once
#include "codegen/targets/batch.h"
#include "semantics/host/language.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/run.h"
#include "tests/unit/device_cases.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace lockstep::test {

// An input's scalar: small, of both signs, and wide where the type is.
inline Scalar given(const kernel::Buffer& b, std::int64_t k, const SizeValues& sizes) {
  const ScalarType t = b.type.scalar;
  if (b.is_one_scalar()) k = 2 + b.name.front() - 'a';  // another of each name
  if (b.below) return make_integer(t, static_cast<std::uint64_t>(k * 5 % *evaluate(*b.below, sizes)));
  if (t == ScalarType::Bool) return make_bool(k * k % 3 == 1);
  if (!is_integer(t)) return make_ieee(t, static_cast<double>(k * k % 37) / 4 - 3);
  return make_integer(t, static_cast<std::uint64_t>((k * k % 37 + 1) * (bytes_of(t) == 8   ? 0x100000003
                                                                        : bytes_of(t) == 2 ? 301
                                                                                           : 1)) -
                             (k % 5 == 3 ? 40u : 0u));
}

// What runs give, as texts of their own.
inline std::string shown(const std::vector<std::vector<Scalar>>& arrays) {
  std::string out;
  for (const auto& a : arrays) {
    for (const Scalar& s : a) out += show(s, ieee_domain()) + " ";
    out += "; ";
  }
  return out;
}
inline std::string shown(const Trap& t) { return "trap: " + t.primitive + ": " + t.message; }
inline std::string interpreted(const kernel::Program& p, const SizeValues& sizes, const kernel::Buffers& inputs) {
  kernel::RunOptions how;
  how.detect_races = true;
  how.threads_per_block = p.launch.block;
  const auto got = kernel::run(p, sizes, inputs, ieee_domain(), how);
  if (!got) {
    if (const auto* fault = std::get_if<kernel::Fault>(&got.error())) throw std::runtime_error(fault->message);
    return shown(std::get<Trap>(got.error()));
  }
  std::vector<std::vector<Scalar>> outputs;
  for (const kernel::Buffer& b : p.outputs) outputs.push_back(got->at(b.name));
  return shown(outputs);
}
inline std::string shown(const kernel::Program& p, const BatchResult& r) {
  if (r.status == entry_trapped) return shown(trap_of(p, r.trap));
  if (r.status != entry_done) return "status " + std::to_string(r.status) + " " + r.fault;
  std::vector<std::vector<Scalar>> outputs;
  for (std::size_t k = 0; k < r.outputs.size(); ++k) {
    const ScalarType t = p.outputs[k].type.scalar;
    const auto count = static_cast<std::int64_t>(r.outputs[k].size()) / bytes_of(t);
    outputs.emplace_back();
    for (std::int64_t i = 0; i < count; ++i)
      outputs.back().push_back(scalar_at({t, {count}, nullptr, r.outputs[k].data()}, i));
  }
  return shown(outputs);
}

struct DeviceRuns {
  std::vector<kernel::Program> programs;
  std::vector<BatchCall> calls;
  std::vector<std::string> expected;  // of each call
  std::optional<Batch> batch;
  std::string refused;  // why there is none

  DeviceRuns(const std::string& target, const std::vector<DeviceCase>& cases, Sanitizer sanitizer = Sanitizer::None) {
    const Target& on = *find_target(target);
    std::vector<CSource> texts;
    for (const DeviceCase& c : cases) {
      kernel::Program p = kernel::dealt_out_from(c.text);
      p.name += std::to_string(programs.size());
      for (const std::string& wrong : kernel::check(p)) throw std::runtime_error(wrong + "\n" + c.text);
      for (const std::string& why : on.unfit(p)) refused += why + "\n";
      programs.push_back(p);
      for (const auto& sizes : c.sizes) add_call(sizes);
    }
    if (!refused.empty()) return;
    std::vector<AnyProgram> compiled;
    for (const kernel::Program& p : programs) compiled.emplace_back(host::language(), hosted(p));
    for (const kernel::Program& p : programs)
      for (const std::string& wrong : host::check(hosted(p))) throw std::runtime_error(wrong);
    for (const AnyProgram& p : compiled) texts.push_back(on.cxx.source(p));
    auto made = Batch::compile(on, compiled, texts, sanitizer);
    if (made)
      batch = std::move(*made);
    else
      refused = made.error().message;
  }
  // "": each gives what is expected, and all of them in so many seconds.
  std::string differences(double seconds) const {
    if (!batch) return refused;
    const auto ran = batch->run(calls, seconds);
    if (!ran) return ran.error();
    std::string out;
    for (std::size_t k = 0; k < ran->results.size(); ++k) {
      const std::string got = shown(programs[calls[k].program], ran->results[k]);
      if (got == expected[k]) continue;
      out += programs[calls[k].program].name + " of";
      for (const std::int64_t n : calls[k].sizes) out += " " + std::to_string(n);
      out += "\n  gives " + got + "\n  not   " + expected[k] + "\n";
    }
    if (!ran->ended_well)
      out += "it did not end well" + std::string(ran->late ? ", or in time" : "") + ": " + ran->said;
    return out;
  }

 private:
  void add_call(const std::vector<std::int64_t>& of) {
    const kernel::Program& p = programs.back();
    SizeValues sizes;
    for (std::size_t k = 0; k < of.size(); ++k) sizes[p.sizes.at(k)] = of[k];
    BatchCall call{programs.size() - 1, of, {}, {}};
    kernel::Buffers inputs;
    for (const kernel::Buffer& b : p.inputs) {
      std::vector<Scalar>& all = inputs[b.name];
      for (std::int64_t k = 0; k < *evaluate(b.count, sizes); ++k) all.push_back(given(b, k, sizes));
      std::string bytes(all.size() * static_cast<std::size_t>(bytes_of(b.type.scalar)), '\0');
      for (std::size_t k = 0; k < all.size(); ++k)
        put_scalar(bytes.data(), b.type.scalar, static_cast<std::int64_t>(k), all[k]);
      call.inputs.push_back(std::move(bytes));
    }
    for (const kernel::Buffer& b : p.outputs)
      call.outputs.push_back(static_cast<std::size_t>(*evaluate(b.count, sizes) * bytes_of(b.type.scalar)));
    expected.push_back(interpreted(p, sizes, inputs));
    calls.push_back(std::move(call));
  }
};

}  // namespace lockstep::test
