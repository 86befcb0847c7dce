// A batch's text, and its calls and results as files of 64-bit words.
#include "codegen/targets/batch.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "codegen/runtime/compiler.h"
#include "codegen/runtime/files.h"
#include "codegen/runtime/library_cache.h"
#include "codegen/targets/openmp_streamed.h"
#include "codegen/targets/openmp_work.h"
#include "semantics/host/language.h"

namespace lockstep {
namespace {

// Of each program, before all: a target without one has none.
std::string batch_fault(const kernel::Program& p) {
  return "extern \"C\" const char* " + fault_name(p) + "() __attribute__((weak));\n";
}

// Behind the programs, and behind the tables of their entry points and faults, `batch_entries`, `batch_faults`.
// Arguments: the file of calls, that of results, each of which is written as soon as it is there. Arrays have no byte
// more than they need.
constexpr const char* batch_main = R"(
#line 1 "batch"
namespace {
struct Words {
  FILE* file;
  bool read(void* to, size_t bytes) {
    char rest[8];
    return fread(to, 1, bytes, file) == bytes && fread(rest, 1, (8 - bytes % 8) % 8, file) == (8 - bytes % 8) % 8;
  }
  int64_t number() {
    int64_t n = -1;
    return read(&n, sizeof n) ? n : -1;
  }
  void write(const void* from, size_t bytes) {
    fwrite(from, 1, bytes, file);
    fwrite("\0\0\0\0\0\0\0", 1, (8 - bytes % 8) % 8, file);
  }
  void write_number(int64_t n) { write(&n, sizeof n); }
};
struct Arrays {
  int64_t count;
  void** at;
  int64_t* bytes;
  explicit Arrays(int64_t n) : count(n), at(new void*[n + 1]), bytes(new int64_t[n + 1]) {}
  void add(int64_t k, int64_t size) { at[k] = malloc(size > 0 ? size : 1), bytes[k] = size; }
  ~Arrays() {
    for (int64_t k = 0; k < count; ++k) free(at[k]);
    delete[] at;
    delete[] bytes;
  }
};
}  // namespace
extern "C" {
const char* __tsan_default_options() { return "halt_on_error=1"; }
const char* __asan_default_options() { return "halt_on_error=1"; }
}
int main(int, char** argv) {
  Words calls = {fopen(argv[1], "rb")}, results = {fopen(argv[2], "wb")};
  if (!calls.file || !results.file) return 70;
  bool goes_on = true;
  for (int64_t program; goes_on && (program = calls.number()) >= 0;) {
    int64_t sizes[64];
    const int64_t count = calls.number();
    if (count < 0 || count > 64 || !calls.read(sizes, 8 * count)) return 70;
    Arrays inputs(calls.number());
    for (int64_t k = 0; k < inputs.count; ++k) {
      inputs.add(k, calls.number());
      if (!calls.read(inputs.at[k], inputs.bytes[k])) return 70;
    }
    Arrays outputs(calls.number());
    for (int64_t k = 0; k < outputs.count; ++k) outputs.add(k, calls.number());
    int64_t trap[5] = {};
    const int32_t status = batch_entries[program](sizes, inputs.at, outputs.at, trap);
    const char* fault = status == 4 && batch_faults[program] ? batch_faults[program]() : "";
    goes_on = !*fault;
    results.write_number(status);
    results.write(trap, sizeof trap);
    results.write_number(strlen(fault));
    results.write(fault, strlen(fault));
    for (int64_t k = 0; k < outputs.count; ++k) results.write(outputs.at[k], outputs.bytes[k]);
    fflush(results.file);
  }
  fclose(calls.file);
  return fclose(results.file) == 0 ? 0 : 70;
}
)";

static_assert(sizeof(EntryTrap) == 5 * sizeof(std::int64_t));

class Words {
 public:
  void add(std::string_view bytes) {
    text_ += bytes;
    text_.append((8 - bytes.size() % 8) % 8, '\0');
  }
  void add_number(std::size_t n) { add_words(&n, sizeof n); }
  void add_words(const void* words, std::size_t bytes) { add({static_cast<const char*>(words), bytes}); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};
std::string text_of_calls(const std::vector<BatchCall>& calls) {
  Words out;
  for (const BatchCall& c : calls) {
    out.add_number(c.program);
    out.add_number(c.sizes.size());
    out.add_words(c.sizes.data(), c.sizes.size() * sizeof(std::int64_t));
    out.add_number(c.inputs.size());
    for (const std::string& bytes : c.inputs) out.add_number(bytes.size()), out.add(bytes);
    out.add_number(c.outputs.size());
    for (const std::size_t bytes : c.outputs) out.add_number(bytes);
  }
  return out.text();
}

// What is not whole is nothing.
class Reader {
 public:
  explicit Reader(std::istream& in) : in_(in) {}
  std::optional<BatchResult> result(const BatchCall& call) {
    BatchResult out;
    std::int64_t status = 0, fault = 0;
    if (!read(&status, sizeof status) || !read(&out.trap, sizeof out.trap) || !read(&fault, sizeof fault)) return {};
    out.status = static_cast<std::int32_t>(status);
    out.fault.resize(static_cast<std::size_t>(fault));
    if (!read(out.fault.data(), out.fault.size())) return {};
    for (const std::size_t bytes : call.outputs) {
      out.outputs.emplace_back(bytes, '\0');
      if (!read(out.outputs.back().data(), bytes)) return {};
    }
    return out;
  }

 private:
  bool read(void* to, std::size_t bytes) {
    char rest[8];
    in_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
    in_.read(rest, static_cast<std::streamsize>((8 - bytes % 8) % 8));
    return static_cast<bool>(in_);
  }
  std::istream& in_;
};

std::vector<std::string> with_sanitizer(std::vector<std::string> flags, Sanitizer s) {
  if (s == Sanitizer::Oclgrind)
    flags.emplace_back("-DLOCKSTEP_NO_POOL");  // each array has its own bounds
  else if (s != Sanitizer::None)
    flags.insert(flags.end(), {"-g1", "-DLOCKSTEP_NO_POOL", "-fsanitize=" + show(s)});
  return flags;
}

// It does not know all that clang makes where it optimises. Nor does it heed -w; but without carets clang does not
// count its warnings on standard error, where nothing is said of a text that is right.
std::vector<std::string> run_by(Sanitizer s) {
  if (s != Sanitizer::Oclgrind) return {};
  return {on_path("oclgrind").value_or("oclgrind"),
          "--build-options",
          "-cl-opt-disable -fno-caret-diagnostics",
          "--data-races",
          "--uniform-writes",
          "--uninitialized",
          "--max-errors",
          "20",
          "--local-mem-size",  // 48 KiB, as a block has elsewhere
          "49152"};
}

}  // namespace

std::string show(Sanitizer s) {
  switch (s) {
    case Sanitizer::None:
      break;
    case Sanitizer::Thread:
      return "thread";
    case Sanitizer::Address:
      return "address";
    case Sanitizer::Oclgrind:
      return "oclgrind";
  }
  return "";
}

std::optional<Sanitizer> sanitizer_named(const std::string& name) {
  for (const Sanitizer s : {Sanitizer::Thread, Sanitizer::Address, Sanitizer::Oclgrind})
    if (show(s) == name) return s;
  return {};
}

std::string unavailable(Sanitizer s) {
  if (s == Sanitizer::Oclgrind)
    return on_path("oclgrind") ? "" : "there is no oclgrind: Debian has it in the package of that name";
  const auto program = compile_program({"int main() { return 0; }\n", with_sanitizer({}, s), "sanitizer"});
  if (!program) return program.error().message;
  const auto run = run_child({program->path}, program->folder->path());
  if (!run) return run.error();
  return run->signal == 0 && run->exit_status == 0
             ? ""
             : "a program under the " + show(s) + " sanitizer does not run here: " + run->output;
}

tl::expected<Batch, CompileFailure> Batch::compile(const Target& target, const std::vector<AnyProgram>& programs,
                                                   const std::vector<CSource>& sources, Sanitizer sanitizer) {
  std::set<std::string> includes;
  std::string text, table, faults, before;
  for (std::size_t k = 0; k < programs.size(); ++k) {
    const kernel::Program& called = host::called_as(programs[k]);
    text += in_namespace(name_of(k), sources.at(k), includes);
    before += batch_fault(called);
    faults += "    " + fault_name(called) + ",\n";
    table += "    (BatchEntry*)" + name_of(k) + "::" + loader_name(called) + ",\n";
  }
  text = before + behind_includes(includes, text) +
         behind_includes({"<stdint.h>", "<stdio.h>", "<stdlib.h>", "<string.h>"}, "");
  text += "typedef int32_t BatchEntry(const int64_t*, void* const*, void* const*, void*);\n";
  text += "BatchEntry* const batch_entries[] = {\n" + table + "};\n";
  text += "typedef const char* BatchFault();\nBatchFault* const batch_faults[] = {\n" + faults + "};\n";
  text += batch_main;
  CompileRequest request{std::move(text), with_sanitizer(target.cxx.flags, sanitizer), "campaign", false,
                         target.cxx.headers};
  // What is small goes by threads, too, and in parts, of several of which there is one.
  for (const auto& [macro, value] : {std::pair(least_work, 0), {least_streamed, 32}, {streamed_part, 16}})
    request.flags.push_back("-D" + std::string(macro) + "=" + std::to_string(value));
  if (target.cxx.made) {
    auto header = target.cxx.made(programs);
    if (!header) return tl::unexpected(header.error());
    request.headers.push_back(std::move(*header));
  }
  auto made = compile_program(request);
  if (!made) return tl::unexpected(made.error());
  return Batch(std::move(*made), sanitizer);
}

tl::expected<BatchRun, std::string> Batch::run(const std::vector<BatchCall>& calls, double seconds) const {
  const std::string folder = program_.folder->path(), given = folder + "/calls", made = folder + "/results";
  std::ofstream out(given, std::ios::binary);
  if (!(out << text_of_calls(calls) << std::flush)) return tl::unexpected("cannot write '" + given + "'");
  std::remove(made.c_str());
  std::vector<std::string> words = run_by(sanitizer_);
  words.insert(words.end(), {program_.path, given, made});
  auto ran = run_child(words, folder, seconds);
  if (!ran) return tl::unexpected(ran.error());
  BatchRun run;
  std::ifstream in(made, std::ios::binary);
  Reader reader(in);
  while (run.results.size() < calls.size()) {
    auto result = reader.result(calls[run.results.size()]);
    if (!result) break;
    run.results.push_back(std::move(*result));
  }
  run.late = ran->late, run.signal = ran->signal, run.said = std::move(ran->output);
  run.ended_well = !ran->late && ran->signal == 0 && ran->exit_status == 0 && run.results.size() == calls.size();
  if (sanitizer_ == Sanitizer::Oclgrind && !run.said.empty()) run.ended_well = false;  // it lets the program go on
  return run;
}

}  // namespace lockstep
