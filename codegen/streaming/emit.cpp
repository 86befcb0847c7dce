// The text of an engine: the kernels that every program includes, its networks, and the C entry point.
#include <algorithm>

#include "codegen/streaming/emit_maps.h"
#include "codegen/streaming/emit_network.h"
#include "codegen/streaming/engine.h"
#include "codegen/streaming/kernels_text.h"

namespace lockstep::engine {
namespace {

std::string entry_text(const svcode::Program& p, const std::string& run) {
  return "extern \"C\" int32_t " + engine_entry(p) + "(const lockstep_stream* inputs, lockstep_stream* results,\n" +
         "    const lockstep_options* options, lockstep_trap* trap) {\n  return " + run +
         "(inputs, results, options, trap);\n}\n";
}

class EntryText {
 public:
  EntryText(const transducer::Program& p, const std::string& number, bool parallel)
      : p_(p), number_(number), parallel_(parallel && p.pieces) {}

  std::string run() {
    std::string r = network_text({p_.whole, p_.slack, number_});
    if (parallel_) r += parts();
    const std::string name = "lockstep_engine_run" + number_;
    r += (number_.empty() ? "\nstatic int32_t " : "\nextern \"C\" int32_t ") + name +
         "(const lockstep_stream* inputs, lockstep_stream* results,\n" +
         "    const lockstep_options* options, lockstep_trap* trap) {\n  try {\n" +
         "    const i64 chunk = options && options->chunk > 0 ? options->chunk : chosen_chunk();\n" +
         "    begin_run(options);\n";
    if (parallel_) r += parallel_entry(*p_.pieces);
    r += "    Program" + number_ + "* const p = new Program" + number_ + "(inputs, chunk);\n" + "    Owner<Program" +
         number_ + "> owner(p);\n" + takers("p->");
    r += "    run_to_end(*p);\n    p->outputs.appear();\n" + results("p->") +
         "    return 0;\n  } LOCKSTEP_CATCH(trap)\n}\n";
    return number_.empty() ? r + entry_text(*p_.whole.code, name) : r;
  }

 private:
  std::string results(const std::string& from) const {
    std::string r = "    (void)results;\n";
    for (std::size_t k = 0; k < p_.whole.results().size(); ++k)
      r += "    give(results[" + std::to_string(k) + "], " + from + "c" + std::to_string(k) + ");\n";
    return r;
  }

  std::string takers(const std::string& of) const {
    std::string r;
    for (std::size_t k = 0; k < p_.whole.results().size(); ++k)
      r += "    " + of + "c" + std::to_string(k) + ".begin(options, " + std::to_string(k) + ");\n";
    return r;
  }

  std::string parts() const {
    const transducer::Pieces& q = *p_.pieces;
    return network_text({q.head, p_.slack, number_, Part::Head, &q}) +
           network_text({q.body, p_.slack, number_, Part::Body, &q}) +
           network_text({q.tail, p_.slack, number_, Part::Tail, &q});
  }

  std::string parallel_entry(const transducer::Pieces& parts) const {
    const std::string n = number_;
    std::string r = "    const int threads = threads_of(options);\n";
    r += "    if (threads > 1) {\n      Head" + n + "* const head = new Head" + n +
         "(inputs, chunk);\n      Owner<Head" + n + "> first(head);\n      run_to_end(*head);\n      Tail" + n +
         "* const tail = new Tail" + n + "(inputs, chunk);\n      Owner<Tail" + n + "> last(tail);\n" +
         takers("tail->");
    if (parts.is_file) {
      std::string table;
      for (const bool c : parts.cut) table += c ? "1," : "0,";
      r += "      static const u8 cut[256] = {" + table +
           "};\n      FilePieces pieces;\n      pieces.instruction = " + str(parts.root) +
           ";\n      pieces.cut = cut;\n      pieces.size = piece_size(options, piece_bytes);\n" +
           "      name_of(pieces.file, head->c0, head->c1, head->c2);\n      pieces.file.start(" + str(parts.root) +
           ");\n";
    } else {
      r += "      NumberPieces pieces;\n      pieces.size = piece_size(options, piece_numbers);\n      pieces.count = "
           "head->c0.count ? head->c0.data[0] : 0;\n";
    }
    r += "      Crew<" + std::string(parts.is_file ? "FilePieces" : "NumberPieces") + ", Body" + n + ", Tail" + n +
         "> crew(pieces, *tail, inputs, chunk, trap);\n";
    const bool file = parts.is_file;
    if (file) r += "      if (pieces.begin()) {\n";
    r += "      if (const int failure = crew.run(threads)) return failure;\n      tail->finish();\n      "
         "tail->outputs.appear();\n";
    r += results("tail->") + "      return 0;\n";
    const std::string program = "Program" + n;
    if (file)
      r += "      }\n      " + program + "* const p = new " + program + "(inputs, chunk);\n      Owner<" + program +
           "> owner(p);\n" + takers("p->") + "      p->file" + str(parts.root) +
           ".go_on(pieces.file, pieces.first.data, pieces.first.length);\n      run_to_end(*p);\n      "
           "p->outputs.appear();\n" +
           results("p->") + "      return 0;\n";
    r += "    }\n";
    return r;
  }

  const transducer::Program& p_;
  std::string number_;
  bool parallel_;
};

}  // namespace

// Names that differ by primes only stay different, and none is one of C's own or a macro.
std::string engine_entry(const svcode::Program& p) {
  if (p.name.empty()) return "snesl_program";
  if (p.name.find('\'') == std::string::npos) return "snesl_" + p.name;
  std::string r = "sneslq_";
  for (const char c : p.name) r += c == '_' ? "__" : c == '\'' ? "_q" : std::string(1, c);
  return r;
}

// A program does not use all kernels, of which clang would warn.
const char* const unused =
    "#if defined(__clang__)\n#pragma clang diagnostic ignored \"-Wunused-function\"\n"
    "#pragma clang diagnostic ignored \"-Wunneeded-internal-declaration\"\n#endif\n";

std::string engine_source(const transducer::Program& p, bool parallel) {
  return unused + kernels_text() + prototypes(cpp_dialect(), library_calls(*p.whole.code)) +
         EntryText(p, "", parallel).run();
}
std::string engine_source(const std::vector<transducer::Program>& ps, bool parallel) {
  std::set<LibraryFunction> called;
  for (const transducer::Program& p : ps) called.merge(library_calls(*p.whole.code));
  std::string r = kernels_text() + prototypes(cpp_dialect(), called);
  for (std::size_t k = 0; k < ps.size(); ++k) r += EntryText(ps[k], std::to_string(k), parallel).run();
  return r;
}
std::string engine_apart(const std::string& source) {
  return "#define LOCKSTEP_APART\n" + source +
         "extern \"C\" void lockstep_engine_apart(const char* (*place)(const char*), int (*once)(const char*)) {\n"
         "  lockstep_engine::apart = {place, once};\n}\n";
}

static std::string in_a_line(const std::vector<std::string>& words) {
  std::string r;
  for (const std::string& w : words) r += " " + w;
  return r;
}

std::string engine_header(const svcode::Program& p) {
  const std::string name = engine_entry(p);
  std::string inputs;
  for (std::size_t k = 0; k < p.parameters.size(); ++k)
    inputs +=
        (k ? ", " : "") + (k < p.parameter_names.size() ? p.parameter_names[k] : "_") + " : " + show(p.parameters[k]);
  return "// " + p.name + "(" + inputs + ") : " + show(p.result_type) + R"(
//
// Inputs and results are leaves, left to right: of a Bool or Char bytes, of an Int int64_t, of a Real double; of a
// vector its elements, then starts and lengths (int64_t); of a sequence its elements, then a byte for each flag of its
// descriptor (0 for an element, 1 at the end; without data it has one segment). The data of results is the caller's to
// free().
// 0: done. 3: trapped. 4: memory, or an output that cannot be written (`error` is its errno).
// Build: g++)" +
         in_a_line(engine_flags()) + " -c, and link with" +
         in_a_line(engine_libraries(calls_library(library_calls(p)))) + R"(.
#pragma once
)" + abi_text() +
         "#ifdef __cplusplus\nextern \"C\"\n#endif\nint32_t " + name +
         "(const struct lockstep_stream* inputs, struct lockstep_stream* results,\n    const struct lockstep_options* "
         "options, struct lockstep_trap* trap);\n";
}

std::vector<std::string> engine_flags() {
  return {"-std=c++20",         "-O3",       "-march=native", "-ffp-contract=off", "-fwrapv", "-fno-math-errno",
          "-fno-trapping-math", "-Wno-psabi"};
}
std::vector<std::string> engine_libraries(bool functions) {
  std::vector<std::string> r{"-lm"};
  if (functions) r.emplace_back(link_library);
  r.emplace_back("-pthread");
  return r;
}

}  // namespace lockstep::engine
