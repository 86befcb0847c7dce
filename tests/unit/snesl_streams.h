// SNESL in tests of the translation: a source program with its arguments, run by the big-step semantics (the oracle)
// and, translated, by the interpreters of SVCODE.
#pragma once
#include <catch2/catch.hpp>

#include "semantics/snesl/elaborate.h"
#include "semantics/snesl/parse.h"
#include "semantics/svcode/run.h"
#include "semantics/svcode/text.h"
#include "tests/unit/svcode_program.h"
#include "translate/flatten/flatten.h"

namespace lockstep::streaming::test {

using svcode::test::MemoryFiles;

inline SourceRef source(const std::string& text) { return std::make_shared<const Source>(Source{"test.snesl", text}); }
template <class T>
T got(Checked<T> x) {
  if (!x)
    for (const Diagnostic& d : x.error()) UNSCOPED_INFO(render(d));
  REQUIRE(x);
  return std::move(*x);
}

// A program with arguments, written as the command line gives them.
struct Case {
  std::string program;
  std::vector<std::string> arguments = {};
};
// For a section: of two with one name the second is not run.
inline std::string shown(const Case& c) {
  std::string r = c.program;
  for (const std::string& a : c.arguments) r += " " + a;
  return r;
}

struct Prepared {
  snesl::core::Program core;
  snesl::Values arguments;
  std::vector<svcode::Stream> inputs;
  svcode::Program streams;
};
inline Prepared prepare(const Case& c) {
  const auto parsed = got(snesl::parse_program(source(c.program)));
  const auto& last = parsed.functions.back();
  REQUIRE(last.parameters.size() == c.arguments.size());
  std::map<std::string, snesl::Type> given;
  const auto entries = got(snesl::check(parsed));
  for (std::size_t k = 0; k < c.arguments.size(); ++k)
    if (const auto t = snesl::type_of_value(source(c.arguments[k]))) given.emplace(last.parameters[k].name, *t);
  auto core = snesl::elaborate(parsed, "", {});
  if (!core) core = snesl::elaborate(parsed, "", given);
  Prepared r{got(std::move(core)), {}, {}, {}};
  for (std::size_t k = 0; k < c.arguments.size(); ++k) {
    const snesl::Type& t = r.core.parameters[k].type;
    r.arguments.push_back(got(snesl::parse_value(source(c.arguments[k]), t)));
    for (auto& s : svcode::represent({r.arguments.back()}, t)) r.inputs.push_back(std::move(s));
  }
  r.streams = flatten(r.core);
  return r;
}

// A value as it prints, or "trap PRIMITIVE"; then the files written.
struct Outcome {
  std::string shown;
  std::vector<std::pair<std::string, std::string>> written;
};
inline bool operator==(const Outcome& a, const Outcome& b) { return a.shown == b.shown && a.written == b.written; }
inline std::ostream& operator<<(std::ostream& out, const Outcome& o) {
  out << o.shown;
  for (const auto& [name, content] : o.written) out << " " << name << ": " << content;
  return out;
}

using Contents = std::map<std::string, std::string>;
inline Outcome meaning(const Prepared& p, const Contents& contents = {}) {
  MemoryFiles files(contents);
  const auto v = snesl::evaluate(p.core, p.arguments, files);
  return v ? Outcome{snesl::show(v->value), files.written} : Outcome{"trap " + v.error().primitive, {}};
}
inline Outcome eager(const svcode::Program& s, const Prepared& p, const Contents& contents = {},
                     svcode::Counts* counts = nullptr) {
  MemoryFiles files(contents);
  const auto run = svcode::run_eager(s, p.inputs, files);
  if (!run) return {"trap " + run.error().primitive, {}};
  if (counts) *counts = run->counts;
  return {snesl::show(svcode::value_of(run->result, s.result_type)), files.written};
}
inline Outcome chunked(const svcode::Program& s, const Prepared& p, const svcode::ChunkOptions& options,
                       const Contents& contents = {}) {
  MemoryFiles files(contents);
  const auto run = svcode::run_chunked(s, p.inputs, files, options);
  if (!run) return {"trap " + run.error().primitive, {}};
  if (run->deadlock) return {"deadlock: " + run->deadlock->report, {}};
  return {snesl::show(svcode::value_of(run->run.result, s.result_type)), files.written};
}
// Small chunks and orders; each buffer has `slack` more.
inline std::vector<svcode::ChunkOptions> chunkings(const svcode::Program& s, std::int64_t slack) {
  using Order = svcode::ChunkOptions::Order;
  std::vector<svcode::ChunkOptions> r;
  for (const std::int64_t chunk : {1, 2, 3, 50})
    for (const Order order : {Order::Loop, Order::Reverse, Order::Random})
      r.push_back({chunk, std::vector<std::int64_t>(s.instructions.size(), slack), order, 17});
  return r;
}

inline int count(const svcode::Program& p, svcode::Opcode o) {
  int n = 0;
  for (const auto& i : p.instructions) n += i.opcode == o;
  return n;
}

}  // namespace lockstep::streaming::test
