// Nothing that a user can call a function or a variable changes what the engine's programs do: thousands of names,
// those that mean something to C, C++, their libraries and compilers, and to the engine's own text, through the parser,
// the stages, the printed SVCODE and the compiled text, many programs of as many names in one unit with their headers.
// All of them with ./dev test --long, otherwise every so many.
#include <cctype>
#include <cstdio>
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
#include "translate/simplify/simplify.h"

using namespace lockstep;

namespace {

constexpr std::size_t in_a_unit = 250, in_a_shard = 60;
// The words of SNESL, and the pattern that binds nothing.
const std::set<std::string> words{"fun", "let", "in", "if", "then", "else", "true", "false", "_"};

void add_identifiers(const std::string& text, std::set<std::string>& into) {
  std::string word;
  for (const char c : text + "\n") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
      continue;
    }
    if (!word.empty() && !std::isdigit(static_cast<unsigned char>(word[0]))) into.insert(word);
    word.clear();
  }
}

void add_output(const std::string& command, std::set<std::string>& into) {
  FILE* const out = ::popen(("{ " + command + "; } 2>/dev/null").c_str(), "r");
  REQUIRE(out);
  std::string text(1 << 16, '\0');
  std::size_t n = 0;
  std::string all;
  while ((n = std::fread(text.data(), 1, text.size(), out)) > 0) all.append(text, 0, n);
  ::pclose(out);
  add_identifiers(all, into);
}

// What this machine has names for. Where one of its tools is missing, fewer.
std::vector<std::string> names() {
  std::set<std::string> out = words;
  for (const char* const library : {"libc.so.6", "libm.so.6", "libgomp.so.1"})
    add_output("nm -D --defined-only $(g++ -print-file-name=" + std::string(library) +
                   ") | awk '{ print $NF }' | "
                   "sed 's/@.*//'",
               out);
  add_output(
      "for h in complex ctype dirent dlfcn elf errno fcntl fenv float inttypes langinfo limits locale math mqueue "
      "net/if "
      "netdb netinet/in netinet/tcp omp poll pthread pwd regex sched search semaphore setjmp signal spawn stdarg "
      "stddef "
      "stdint stdio stdlib string strings sys/ioctl sys/ipc sys/mman sys/resource sys/select sys/shm sys/socket "
      "sys/stat "
      "sys/statvfs sys/syscall sys/sysinfo sys/time sys/types sys/uio sys/un sys/wait syslog tar termios tgmath time "
      "unistd utime wchar wctype; do printf '#if __has_include(<%s.h>)\\n#include <%s.h>\\n#endif\\n' $h $h; done | "
      "g++ -dM -E -x c++ - | awk '{ print $2 }' | sed 's/(.*//'",
      out);
  add_output("g++ -fopenmp -O3 -march=native -dM -E -x c++ /dev/null | awk '{ print $2 }'", out);
  add_output("strings -n 4 $(g++ -print-prog-name=cc1plus) | grep -E '^__(builtin|sync|atomic)_[a-z0-9_]+$'", out);
  add_identifiers(
      "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class "
      "compl "
      "concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default "
      "delete do double dynamic_cast else enum explicit export extern float for friend goto if inline int long mutable "
      "namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast "
      "requires return short signed sizeof static static_assert static_cast struct switch template this thread_local "
      "throw try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq _Alignas "
      "_Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local restrict typeof main linux "
      "unix defined include pragma snesl snesl_f lockstep svcode result input ctrl",
      out);
  const svcode::Program p = svcode::test::program("svcode f (x : Int) : Int\ns0 : Int := input 0\nresult s0\n");
  add_identifiers(engine::engine_source(transducer::transducers(p)), out);
  for (const std::string& b : snesl::elaboration::builtin_names())
    if (b.find('-') == std::string::npos) out.insert(b);
  for (const char* const f : {"f'", "f''", "f_q", "f_", "f_'", "f'_", "_'", "q_f_q", "sneslq_f_q"}) out.insert(f);
  return {out.begin(), out.end()};
}

struct Named {
  std::string name;
  svcode::Program program;
  std::int64_t expected;  // of 7, the first element
};

// The function and its parameter bear the name, and a variable one like it.
Named named(const std::string& name, std::int64_t k) {
  const std::string text = "fun " + name + "(" + name + ") = let " + name + "' = " + name + " * 3 + " +
                           std::to_string(k) + " in {" + name + "' + " + name + " : i' in &2}\n";
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

// The texts of all as `emit` writes them, in one unit: the kernels once, each program in a namespace.
std::string unit_of(const std::vector<Named>& all) {
  const std::string kernels = engine::kernels_text();
  std::string headers, programs;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string header = engine::engine_header(all[k].program), once = "#pragma once\n";
    const std::string source = engine::engine_source(transducer::transducers(all[k].program), false);
    REQUIRE(header.find(once) != std::string::npos);
    REQUIRE(source.find(kernels) != std::string::npos);
    headers += header.substr(0, header.find(once)) + header.substr(header.find(once) + once.size());
    programs +=
        "namespace unit" + std::to_string(k) + " {\n" + source.substr(source.find(kernels) + kernels.size()) + "}\n";
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

}  // namespace

TEST_CASE("users-snesl E4: no name of a function or variable changes what compiled code does") {
  const bool all = test::long_run();
  std::vector<Named> unit;
  std::size_t tried = 0, refused = 0;
  const std::vector<std::string> known = names();
  if (all) REQUIRE(known.size() >= 5000);
  for (std::size_t k = 0; k < known.size(); ++k) {
    const std::string& name = known[k];
    if (words.contains(name)) {
      CHECK_FALSE(snesl::parse_program(streaming::test::source("fun " + name + "(x) = x\n")));
      ++refused;
      continue;
    }
    if (!all && k % (known.size() / in_a_shard) != 0 && name.find('\'') == std::string::npos) continue;
    unit.push_back(named(name, static_cast<std::int64_t>(k)));
    ++tried;
    if (unit.size() == in_a_unit) compile_and_call(unit), unit.clear();
  }
  if (!unit.empty()) compile_and_call(unit);
  CHECK(refused == words.size());
  CHECK(tried >= (all ? 5000 : in_a_shard));
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
