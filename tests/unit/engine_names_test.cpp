// Nothing that a user can call a function or a variable changes what the engine's programs do: thousands of names,
// those that mean something to C, C++, their libraries and compilers (words.h), and to the engine's own text, through
// the parser, the stages and the printed SVCODE to the text, in which a name makes one word, which is none of
// another's; and many programs of as many names in one unit with their headers, compiled and called.
//
// All texts and 1,000 compiled with ./dev test --long, otherwise some.
#include <cstdlib>

#include "codegen/runtime/compile.h"
#include "codegen/streaming/engine.h"
#include "codegen/streaming/kernels/abi.h"
#include "codegen/streaming/kernels_text.h"
#include "semantics/snesl/elaborate_infer.h"
#include "semantics/snesl/evaluate.h"
#include "semantics/svcode/text.h"
#include "snesl_streams.h"
#include "tests/unit/long_run.h"
#include "tests/unit/networks.h"
#include "tests/unit/words.h"
#include "translate/simplify/simplify.h"

namespace engine_names_test {
using namespace lockstep;
using test::Words;
using test::words_made;

namespace {

constexpr std::size_t in_a_unit = 250, in_a_shard = 60;
// The words of SNESL, and the pattern that binds nothing.
const Words words{"fun", "let", "in", "if", "then", "else", "true", "false", "_"};

// What a user may think of first; then all others.
const Words primed{"f'", "f''", "f_q", "f_", "f_'", "f'_", "_'", "q_f_q", "sneslq_f_q"};

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = [] {
    Words listed{"snesl", "snesl_f", "lockstep", "svcode", "result", "input", "ctrl"};
    listed.insert(words.begin(), words.end());
    const svcode::Program p = svcode::test::program("svcode f (x : Int) : Int\ns0 : Int := input 0\nresult s0\n");
    for (const std::string& word : test::tokens(engine::engine_source(transducer::transducers(p))))
      if (test::is_identifier(word)) listed.insert(word);
    for (const std::string& b : snesl::elaboration::builtin_names())
      if (test::is_identifier(b)) listed.insert(b);
    return test::in_order(primed, listed);
  }();
  return all;
}

struct Named {
  std::string name;
  svcode::Program program;
  std::int64_t expected;  // of 7, the first element
};

// The function and its parameter bear the name, and a variable one like it; no name is like the other variable's.
Named named(const std::string& name, std::int64_t k) {
  const std::string text = "fun " + name + "(" + name + ") = let " + name + "' = " + name + " * 3 + " +
                           std::to_string(k) + " in {" + name + "' + " + name + " : each'' in &2}\n";
  const auto parsed = snesl::parse_program(streaming::test::source(text));
  if (!parsed) UNSCOPED_INFO(render(parsed.error()[0]));
  REQUIRE(parsed);
  REQUIRE(snesl::parse_program(streaming::test::source(snesl::print(*parsed))) == *parsed);
  const auto core = snesl::elaborate(*parsed, name, {{name, snesl::prim(snesl::Prim::Int)}});
  if (!core) UNSCOPED_INFO(render(core.error()[0]));
  REQUIRE(core);
  const auto files = snesl::machine_files();
  const auto value = snesl::evaluate(*core, {snesl::atom_value(snesl::int_atom(7))}, *files);
  REQUIRE(value);
  Named out{name, streaming::simplify(streaming::flatten(*core)), value->value[0].atom.integer};
  const std::string shown = svcode::print(out.program);
  const auto again = svcode::parse(streaming::test::source(shown));
  if (!again) UNSCOPED_INFO(render(again.error()[0]));
  REQUIRE(again);
  REQUIRE(svcode::print(*again) == shown);
  return out;
}

std::string header_of(const std::string& program) {
  const std::string header = engine::engine_header(streaming::test::prepare({program}).streams);
  return header.substr(0, header.find("#pragma once"));
}
bool says(const std::string& header, const std::string& word) {
  return header.find(" " + word + " ") != std::string::npos || header.find(" " + word + ".\n") != std::string::npos;
}

// What stands after the kernels, which are the same for all.
std::string after_kernels(const svcode::Program& p, bool parallel) {
  static const std::string kernels = engine::kernels_text();
  const std::string source = engine::engine_source(transducer::transducers(p), parallel);
  const std::size_t at = source.find(kernels);
  REQUIRE(at != std::string::npos);
  return source.substr(at + kernels.size());
}

// The texts of all as `emit` writes them, in one unit: the kernels once, each program in a namespace.
std::string unit_of(const std::vector<Named>& all) {
  const std::string kernels = engine::kernels_text();
  std::string headers, programs;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string header = engine::engine_header(all[k].program), once = "#pragma once\n";
    REQUIRE(header.find(once) != std::string::npos);
    headers += header.substr(0, header.find(once)) + header.substr(header.find(once) + once.size());
    programs += "namespace unit" + std::to_string(k) + " {\n" + after_kernels(all[k].program, false) + "}\n";
  }
  return headers + kernels + programs;
}

std::int64_t called(void* entry) {
  using Entry = std::int32_t (*)(const lockstep_stream*, lockstep_stream*, const lockstep_options*, lockstep_trap*);
  std::int64_t x = 7;
  const lockstep_stream in{&x, 1};
  lockstep_stream out[2] = {};
  REQUIRE(reinterpret_cast<Entry>(entry)(&in, out, nullptr, nullptr) == 0);
  REQUIRE(out[0].length == 2);
  const std::int64_t first = *static_cast<const std::int64_t*>(out[0].data);
  for (lockstep_stream& s : out) std::free(s.data);
  return first;
}

void compile_and_call(const std::vector<Named>& all) {
  CompileRequest request{unit_of(all), engine::engine_flags(), "names"};
  for (std::string& f : request.flags)
    if (f == "-O3") f = "-O0";
  request.flags.insert(request.flags.end(), {"-lm", "-pthread"});
  request.keep = false;
  const auto library = compile_cached(request);
  if (!library) UNSCOPED_INFO(library.error().message);
  REQUIRE(library);
  for (const Named& n : all) {
    INFO(n.name);
    void* const entry = library->symbol(engine::engine_entry(n.program).c_str());
    REQUIRE(entry);
    REQUIRE(called(entry) == n.expected);
  }
}

std::string text_of(const Named& n) { return engine::engine_header(n.program) + after_kernels(n.program, true); }
// No word of this machine or of the engine's text starts so.
bool is_kept_apart(const std::string& word) { return word.starts_with("snesl_") || word.starts_with("sneslq_"); }

}  // namespace

TEST_CASE("users-snesl E4: no name of a function or variable changes what compiled code does") {
  const bool all = test::long_run();
  REQUIRE(names().size() >= 5000);
  std::vector<Named> unit;
  std::size_t tried = 0;
  for (std::size_t k = 0; k < names().size() && tried < (all ? 4 * in_a_unit : in_a_shard); ++k) {
    if (words.contains(names()[k])) continue;
    unit.push_back(named(names()[k], static_cast<std::int64_t>(k)));
    ++tried;
    if (unit.size() == in_a_unit) compile_and_call(unit), unit.clear();
  }
  if (!unit.empty()) compile_and_call(unit);
}

TEST_CASE("users-snesl E4: a word of SNESL is no name") {
  for (const std::string& word : words)
    CHECK_FALSE(snesl::parse_program(streaming::test::source("fun " + word + "(x) = x\n")));
}

TEST_CASE("users-snesl E4: a name makes one word of the text and the header, which is kept apart") {
  const std::string other = text_of(named("harmless", 1));
  const std::size_t some = test::long_run() ? names().size() : 500;
  std::string wrong;
  for (std::size_t k = 0; k < some; ++k) {
    const std::string& name = names()[k];
    if (words.contains(name)) continue;
    const Named n = named(name, 1);
    const Words made = words_made(text_of(n), other);
    if (made != Words{engine::engine_entry(n.program)}) wrong += " " + name;
    for (const std::string& word : made)
      if (!is_kept_apart(word)) wrong += " " + word + " (of " + name + ")";
  }
  CHECK(wrong == "");
}

TEST_CASE("users-snesl E4: what a name makes is no word of this machine nor of the engine's own text") {
  for (const std::string& word : test::words_of_this_machine()) CHECK_FALSE(is_kept_apart(word));
  const Named q = named("q", 1);
  Words kept_apart;
  for (const std::string& word : test::tokens(engine::engine_source(transducer::transducers(q.program))))
    if (is_kept_apart(word)) kept_apart.insert(word);
  CHECK(kept_apart == Words{engine::engine_entry(q.program)});
}

TEST_CASE("users-snesl E4: a name that stands bare in the text or the header is seen") {
  const std::string entry = "snesl_cpow", text = text_of(named("cpow", 1)), other = text_of(named("harmless", 1));
  REQUIRE(words_made(text, other) == Words{entry});
  std::size_t places = 0;
  for (std::size_t at = 0; (at = text.find(entry, at)) != std::string::npos; ++at, ++places) {
    const std::string bare = text.substr(0, at) + "cpow" + text.substr(at + entry.size());
    CHECK(words_made(bare, other) == Words{"cpow", entry});
  }
  CHECK(places == 2);
  CHECK_FALSE(is_kept_apart("cpow"));
  CHECK(words_made(text + "static int cpow;", other).contains("another number of words"));
}

TEST_CASE("users-snesl E4: functions that differ in their primes alone have entries of their own") {
  std::set<std::string> entries;
  for (const std::string name : {"f", "f'", "f_", "f__", "f_q", "f''", "f_'", "f'_", "q", "_q"}) {
    svcode::Program p;
    p.name = name;
    entries.insert(engine::engine_entry(p));
  }
  CHECK(entries.size() == 10);
}

TEST_CASE(
    "The header says every flag that a program is compiled with, and what it is linked with, -lsleef where it calls "
    "exp") {
  const std::string plain = header_of("fun main() = sum({x * x : x in &9})"),
                    exponential = header_of("fun main() = sum({exp(real(x)) : x in &9})");
  for (const std::string& header : {plain, exponential}) {
    INFO(header);
    for (const std::string& flag : engine::engine_flags()) CHECK(says(header, flag));
    for (const std::string& library : engine::engine_libraries(false)) CHECK(says(header, library));
    CHECK_FALSE(says(header, "-pthrea"));
    CHECK_FALSE(says(header, "-fno-trapping"));
  }
  CHECK(says(exponential, "-lsleef"));
  CHECK_FALSE(says(plain, "-lsleef"));
}

}  // namespace engine_names_test
