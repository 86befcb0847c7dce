// SVCODE in tests: programs from text, streams from numbers, files in memory, and a run on every interpreter.
#pragma once
#include <catch2/catch.hpp>

#include <map>

#include "semantics/svcode/run.h"
#include "semantics/svcode/text.h"

namespace lockstep::svcode::test {

inline Program program(const std::string& text) {
  const auto p = parse(std::make_shared<Source>(Source{"test.svcode", text}));
  if (!p)
    for (const Diagnostic& d : p.error()) UNSCOPED_INFO(render(d));
  REQUIRE(p);
  return *p;
}

inline Stream ints(const std::vector<std::int64_t>& ns) {
  Stream r;
  for (const std::int64_t n : ns) r.push_back(snesl::int_atom(n));
  return r;
}
inline Stream reals(const std::vector<double>& xs) {
  Stream r;
  for (const double x : xs) r.push_back(snesl::real_atom(x));
  return r;
}
inline Stream chars(const std::string& s) {
  Stream r;
  for (const char c : s) r.push_back(snesl::char_atom(static_cast<unsigned char>(c)));
  return r;
}
inline Stream bools(const std::string& flags) {  // "FFT"
  Stream r;
  for (const char c : flags)
    if (c != ' ') r.push_back(snesl::bool_atom(c == 'T'));
  return r;
}
inline std::string show(const Stream& s) {
  std::string r = "<";
  for (const Atom& a : s) {
    if (r.size() > 1) r += " ";
    r += a.type == Prim::Bool ? (a.integer ? "T" : "F") : snesl::show(a);
  }
  return r + ">";
}

class MemoryFiles final : public snesl::Files {
 public:
  explicit MemoryFiles(std::map<std::string, std::string> files = {}) : files(std::move(files)) {}
  std::string read(const std::string& name, const Region& region) override {
    const auto found = files.find(name);
    if (found == files.end()) throw TrapSignal{{"read_file", "there is no " + name, region}};
    return found->second;
  }
  void write(const std::string& name, std::string content, const Region&) override {
    written.emplace_back(name, std::move(content));
  }
  std::map<std::string, std::string> files;
  std::vector<std::pair<std::string, std::string>> written;
};

// Every chunk size and order that a property is tried at.
inline std::vector<ChunkOptions> every_chunking(const std::vector<std::int64_t>& chunks = {1, 2, 3, 7, 1000}) {
  std::vector<ChunkOptions> r;
  for (const std::int64_t chunk : chunks)
    for (const auto order : {ChunkOptions::Order::Loop, ChunkOptions::Order::Reverse, ChunkOptions::Order::Random})
      r.push_back({chunk, {}, order, static_cast<std::uint64_t>(chunk) * 7 + 1});
  return r;
}

}  // namespace lockstep::svcode::test
