// The text of an engine: the kernels that every program includes, a struct that holds the program's streams, read
// cursors and states, with a function for each step; and the C entry point.
//
// Names in the text: s7 is stream 7, r7_0 the cursor of step 7's first operand, done7 whether step 7 is done, g7 the
// groups that step 7 reads, q0 the cursor of the first result.
#include <algorithm>

#include "codegen/streaming/emit_growth.h"
#include "codegen/streaming/emit_maps.h"
#include "codegen/streaming/emit_step.h"
#include "codegen/streaming/engine.h"
#include "codegen/streaming/kernels_text.h"
#include "codegen/streaming/plan.h"
#include "codegen/streaming/slices.h"
#include "codegen/streaming/split.h"

namespace lockstep::engine {
namespace {

class Text {
 public:
  // Part of a split program, or all of one.
  enum class Part : unsigned char { Whole, Head, Body, Tail };

  Text(const svcode::Program& p, std::int64_t slack, const std::string& number, Part part = Part::Whole,
       const Split* split = nullptr)
      : plan_(plan(p, slack)), number_(number), part_(part), split_(split) {}

  const Plan& made() const { return plan_; }

  std::string run() {
    line("");
    line("namespace {");
    line("using namespace lockstep_engine;");
    line("");
    line("struct " + type() + " {");
    // One, what the streams may be behind, and one that a kernel may keep.
    line("  static const i64 least = " + std::to_string(2 + plan_.slack) + ";  // elements of a window");
    declare();
    line("");
    constructor();
    for (const Step& step : plan_.steps) fire(step);
    pass();
    if (part_ == Part::Body) restart();
    if (part_ == Part::Tail) take();
    line("};");
    line("}  // namespace");
    return std::move(text_);
  }

 private:
  void line(const std::string& s) { text_ += s + "\n"; }
  std::string type() const {
    constexpr const char* names[] = {"Program", "Head", "Body", "Tail"};
    return names[static_cast<std::size_t>(part_)] + number_;
  }
  bool is_given(const Step& step) const {
    return part_ == Part::Tail && step.instructions[0]->opcode == Opcode::Input && step.instructions[0]->number < 0;
  }
  bool is_root(const Step& step) const { return part_ == Part::Body && step.id() == split_->root; }
  const Instr& at(StreamId s) const { return *plan_.instructions.at(s); }
  bool is_repeated(StreamId s) const { return plan_.repeated.count(s) != 0; }
  std::string stream_type(StreamId s) const {
    return std::string(is_repeated(s) ? "Repeated<" : "Stream<") + cell_type(at(s).type) + ">";
  }
  // For a repeated stream of Booleans the elements are bool.
  std::string declared_type(StreamId s) const {
    if (is_repeated(s) && at(s).type == Prim::Bool) return "Repeated<bool>";
    return stream_type(s);
  }
  Place place(const Step& step) const { return {is_given(step), is_root(step), split_ && split_->is_file}; }

  void declare() {
    for (const Step& step : plan_.steps)
      for (const StreamId s : step.produces)
        line("  " + declared_type(s) + " s" + str(s) + (is_repeated(s) ? "{" + literal(at(s).atom) + "}" : "") + ";");
    for (const Step& step : plan_.steps) {
      line("  bool done" + str(step.id()) + " = false;");
      for (std::size_t k = 0; k < step.operands.size(); ++k) {
        line("  Reader<" + declared_type(step.operands[k].stream) + "> " + reader(step, k) + ";");
        readers_[step.operands[k].stream].push_back(reader(step, k));
      }
      if (is_given(step)) line("  Reader<" + declared_type(step.id()) + "> k" + str(step.id()) + ";");
      if (step.kernel == Kernel::Distribute)
        for (const Instr* i : step.instructions)
          if (i->opcode == Opcode::Iotas) line("  i64 a" + str(i->id) + " = 0;");
      const std::string state = state_type(step);
      if (!state.empty()) line("  " + state + " a" + str(step.id()) + (state.back() == '>' ? ";" : " = {};"));
      for (const Instr* i : step.instructions)
        if (plan_.groups.count(i->id)) line("  Groups g" + str(i->id) + ";");
      if (step.instructions[0]->opcode == Opcode::ReadFile || step.instructions[0]->opcode == Opcode::ReadWhole)
        line("  FileReader file" + str(step.id()) + ";");
      if (step.instructions[0]->opcode == Opcode::WriteFile) line("  FileWriter file" + str(step.id()) + ";");
    }
    line("  Outputs outputs;");
    line("  const lockstep_stream* inputs;");
    if (part_ == Part::Body) line("  const Piece* piece = 0;");
    if (part_ == Part::Tail) line("  bool finished = false;");
    if (part_ == Part::Body) return;
    for (std::size_t k = 0; k < plan_.results.size(); ++k) {
      const StreamId s = plan_.results[k];
      const std::string q = "q" + std::to_string(k);
      line("  Reader<" + declared_type(s) + "> " + q + ";");
      readers_[s].push_back(q);
      const Prim type = at(s).type;
      line("  Collected<" + (type == Prim::Bool ? "u8" : cell_type(type)) + "> c" + std::to_string(k) + ";");
    }
  }

  void constructor() {
    line("  " + type() + "(const lockstep_stream* given, i64 chunk) : inputs(given) {");
    for (const Step& step : plan_.steps) {
      for (const StreamId s : step.produces)
        if (at(s).opcode != Opcode::Input || is_given(step) || is_root(step))
          line("    s" + str(s) + ".open(" + window_size(s) + ");");
      for (std::size_t k = 0; k < step.operands.size(); ++k)
        line("    " + reader(step, k) + ".s = &s" + str(step.operands[k].stream) + ";");
    }
    for (std::size_t k = 0; k < plan_.results.size() && part_ != Part::Body; ++k)
      line("    q" + std::to_string(k) + ".s = &s" + str(plan_.results[k]) + ";");
    line("  }");
  }

  std::string window_size(StreamId s) const {
    if (is_kept(s)) return "greater(chunk, piece_numbers)";
    return plan_.narrow.count(s) ? "greater(lesser(chunk, narrow), least)" : "greater(chunk, least)";
  }
  // What a body gives stays until the next piece.
  bool is_kept(StreamId s) const {
    return part_ == Part::Body && std::find(plan_.results.begin(), plan_.results.end(), s) != plan_.results.end();
  }
  std::string release(StreamId s) const {
    if (is_kept(s)) return "";
    const auto found = readers_.find(s);
    const std::string own = "s" + str(s);
    if (at(s).type == Prim::Unit || is_repeated(s)) return "";
    std::string low = own + ".end";
    if (found != readers_.end())
      for (const std::string& r : found->second) low = "lesser(" + low + ", " + r + ".pos)";
    return own + ".release(" + low + ");";
  }

  // What a body gives to a reduction alone is not copied into the tail's own window.
  bool is_reduced_in_place(const Step& given) const {
    if (!is_given(given) || std::count(plan_.results.begin(), plan_.results.end(), given.id())) return false;
    std::size_t readers = 0;
    bool reduced = false;
    for (const Step& step : plan_.steps)
      for (const Operand& o : step.operands)
        if (o.stream == given.id()) ++readers, reduced = reduces_numbers(step);
    return readers == 1 && reduced;
  }
  static bool reduces_numbers(const Step& step) {
    const Instr& i = *step.instructions[0];
    return step.kernel == Kernel::Plain && i.opcode == Opcode::Reduce && i.type != Prim::Bool;
  }
  const Step* reduced_in_place(const Step& step) const {
    if (part_ != Part::Tail || !reduces_numbers(step)) return nullptr;
    for (const Step& from : plan_.steps)
      if (from.id() == step.operands[0].stream && is_reduced_in_place(from)) return &from;
    return nullptr;
  }

  void fire(const Step& step) {
    const std::string id = str(step.id());
    line("");
    std::string comment = "  //";
    for (const Instr* i : step.instructions) comment += " s" + str(i->id) + " := " + describe(*i) + ";";
    line(comment);
    line("  void fire" + id + "() {");
    if (is_reduced_in_place(step)) {
      line("    done" + id + " = s" + id + ".done = finished;");
    } else if (const Step* from = reduced_in_place(step)) {
      line("    reduce_given(s" + id + ", k" + str(from->id()) + ", finished, a" + id + ");");
      line("    done" + id + " = s" + id + ".done;");
    } else if (step.kernel == Kernel::Cluster)
      text_ += cluster_body(plan_, step);
    else if (step.kernel == Kernel::Slices)
      text_ += slices_body(plan_, step);
    else {
      line("    " + call(plan_, step, place(step)) + ";");
      if (!step.produces.empty()) line("    done" + id + " = s" + id + ".done;");
    }
    for (const Instr* i : step.instructions)
      if (const auto found = plan_.ahead.find(i->id); found != plan_.ahead.end())
        line("    let_go(" + reader(step, plan_.base_operand(step, i->id)) + ", " + ahead(i->id, found->second) + ");");
    if (!step.operands.empty()) {
      std::string close;
      for (std::size_t k = 0; k < step.operands.size(); ++k) close += " " + reader(step, k) + ".close();";
      line("    if (done" + id + ") {" + close + " }");
    }
    line("  }");
  }

  std::string ahead(StreamId reads, const Ahead& a) const {
    std::string r = "a" + str(a.scan) + ".carry";
    for (auto p = a.readers.rbegin(); p != a.readers.rend(); ++p)
      r = "ahead(r" + str(p->step) + "_" + std::to_string(p->operand) + ", " + r + ")";
    // An empty vector, the last of its group, begins where the group ends.
    return a.in_groups ? "g" + str(reads) + ".group_of(" + r + " - 1)" : r;
  }

  std::string describe(const Instr& i) const {
    std::string r(name_of(i.opcode));
    if (i.opcode == Opcode::Map) r += "_" + snesl::name_of(i.op);
    for (const StreamId a : i.arguments) r += " s" + str(a);
    return r;
  }

  std::string firing(const Step& step) const {
    std::string prepare;
    for (const StreamId s : step.produces) prepare += release(s) + " ";
    return "if (!done" + str(step.id()) + ") { " + prepare + "fire" + str(step.id()) + "(); }";
  }
  // A number that grows when the step does anything.
  std::string progress_of(const Step& step) const {
    std::string r = "u64(done" + str(step.id()) + ")";
    for (const StreamId s : step.produces) r += " + u64(s" + str(s) + ".end)";
    for (std::size_t k = 0; k < step.operands.size(); ++k) {
      const std::string own = reader(step, k);
      r += " + u64(lesser(" + own + ".pos, past_all))";
    }
    return r;
  }

  void pass() {
    line("");
    line("  bool pass() {");
    for (std::size_t k = 0; k < plan_.steps.size(); ++k) {
      line("    " + firing(plan_.steps[k]));
      for (const std::vector<std::size_t>& loop : plan_.loops) {
        if (loop.back() != k) continue;
        line("    for (u64 before = 0;;) {");
        line("      u64 now = 1;");
        for (const std::size_t m : loop) line("      now += " + progress_of(plan_.steps[m]) + ";");
        line("      if (now == before) break;");
        line("      before = now;");
        for (const std::size_t m : loop) line("      " + firing(plan_.steps[m]));
        line("    }");
      }
    }
    std::string done = "true";
    for (std::size_t k = 0; k < plan_.results.size() && part_ != Part::Body; ++k) {
      const std::string n = std::to_string(k);
      line("    collect(c" + n + ", q" + n + ");");
    }
    for (const Step& step : plan_.steps) done += " && done" + str(step.id());
    line("    return " + done + ";");
    line("  }");
    line("  u64 progress() const {");
    line("    u64 h = 0;");
    for (const Step& step : plan_.steps) line("    h += " + progress_of(step) + ";");
    for (std::size_t k = 0; k < plan_.results.size() && part_ != Part::Body; ++k)
      line("    h += u64(q" + std::to_string(k) + ".pos);");
    line("    return h;");
    line("  }");
    text_ += grow_function(plan_, windows());
  }
  Windows windows() const {
    Windows r;
    for (const Step& step : plan_.steps) {
      if (is_given(step)) r.given.insert(step.id());
      if (step.instructions[0]->opcode == Opcode::Input && !is_given(step) && (!is_root(step) || split_->is_file))
        r.whole.insert(step.id());
      for (const StreamId s : step.produces)
        if (is_kept(s)) r.kept.insert(s);
    }
    return r;
  }

  // A body on its next piece.
  void restart() {
    line("  void restart(const Piece& p) {");
    line("    piece = &p;");
    for (const Step& step : plan_.steps) {
      const std::string id = str(step.id());
      for (std::size_t k = 0; k < step.operands.size(); ++k) line("    " + reader(step, k) + ".pos = 0;");
      const Opcode o = step.instructions[0]->opcode;
      if (o == Opcode::Ctrl || (o == Opcode::Input && !is_root(step))) continue;
      line("    done" + id + " = false;");
      for (const StreamId s : step.produces) line("    s" + str(s) + ".restart();");
      if (!state_type(step).empty()) line("    a" + id + " = decltype(a" + id + ")();");
      if (step.kernel == Kernel::Distribute)
        for (const Instr* i : step.instructions)
          if (i->opcode == Opcode::Iotas) line("    a" + str(i->id) + " = 0;");
      for (const Instr* i : step.instructions)
        if (plan_.groups.count(i->id)) line("    g" + str(i->id) + ".restart();");
    }
    line("  }");
  }

  // The tail on what a body gives.
  void take() {
    std::string fed = "true";
    line("  template <class B>");
    line("  void take(B& body) {");
    for (const Step& step : plan_.steps) {
      if (!is_given(step)) continue;
      const std::string k = "k" + str(step.id());
      line("    " + k + ".s = &body.s" + str(given_as_.at(step.id())) + ", " + k + ".pos = 0;");
      fed += " && " + k + ".left() == 0";
    }
    line("    (void)body;");
    line("    take_all(*this);");
    line("  }");
    line("  bool fed() const { return " + fed + "; }");
    line("  void finish() {");
    line("    finished = true;");
    for (const Step& step : plan_.steps)
      if (is_given(step)) line("    k" + str(step.id()) + ".s = 0;");
    line("    run_to_end(*this);");
    line("  }");
  }

 public:
  std::vector<StreamId> given() const {
    std::vector<StreamId> r;
    for (const Step& step : plan_.steps)
      if (is_given(step)) r.push_back(step.id());
    return r;
  }
  void given_as(std::map<StreamId, StreamId> streams) { given_as_ = std::move(streams); }

 private:
  Plan plan_;
  std::string number_;  // of several programs in one text
  Part part_;
  const Split* split_;
  std::map<StreamId, StreamId> given_as_;  // what the body keeps a given stream as
  std::map<StreamId, std::vector<std::string>> readers_;
  std::string text_;
};

}  // namespace

namespace {

std::string entry_text(const svcode::Program& p, const std::string& run) {
  return "extern \"C\" int32_t " + engine_entry(p) + "(const lockstep_stream* inputs, lockstep_stream* results,\n" +
         "    const lockstep_options* options, lockstep_trap* trap) {\n  return " + run +
         "(inputs, results, options, trap);\n}\n";
}

class EntryText {
 public:
  EntryText(const svcode::Program& p, std::int64_t slack, const std::string& number, bool parallel)
      : p_(p), slack_(slack), number_(number), parallel_(parallel) {}

  std::string run() {
    Text whole(p_, slack_, number_);
    std::string r = whole.run();
    std::optional<Split> parts = parallel_ ? split(p_) : std::nullopt;
    if (parts) r += parts_of(*parts);
    const std::string name = "lockstep_engine_run" + number_;
    r += (number_.empty() ? "\nstatic int32_t " : "\nextern \"C\" int32_t ") + name +
         "(const lockstep_stream* inputs, lockstep_stream* results,\n" +
         "    const lockstep_options* options, lockstep_trap* trap) {\n  try {\n" +
         "    const i64 chunk = options && options->chunk > 0 ? options->chunk : chosen_chunk();\n" +
         "    begin_run(options);\n";
    if (parts) r += parallel_entry(*parts);
    r += "    Program" + number_ + "* const p = new Program" + number_ + "(inputs, chunk);\n" + "    Owner<Program" +
         number_ + "> owner(p);\n" + takers("p->");
    r += "    run_to_end(*p);\n    p->outputs.appear();\n" + results("p->") +
         "    return 0;\n  } LOCKSTEP_CATCH(trap)\n}\n";
    return number_.empty() ? r + entry_text(p_, name) : r;
  }

 private:
  std::string results(const std::string& from) const {
    std::string r = "    (void)results;\n";
    for (std::size_t k = 0; k < leaves_of(p_.result).size(); ++k)
      r += "    give(results[" + std::to_string(k) + "], " + from + "c" + std::to_string(k) + ");\n";
    return r;
  }

  std::string takers(const std::string& of) const {
    std::string r;
    for (std::size_t k = 0; k < leaves_of(p_.result).size(); ++k)
      r += "    " + of + "c" + std::to_string(k) + ".begin(options, " + std::to_string(k) + ");\n";
    return r;
  }

  std::string parts_of(Split& parts) const {
    Text tail(parts.tail, slack_, number_, Text::Part::Tail, &parts);
    for (const StreamId s : tail.given()) parts.body.result.children.push_back({s, {}, false});
    if (parts.body.result.children.empty()) parts.body.result.unit = true;
    Text body(parts.body, slack_, number_, Text::Part::Body, &parts);
    Text head(parts.head, slack_, number_, Text::Part::Head, &parts);
    std::map<StreamId, StreamId> streams;
    for (const StreamId s : tail.given()) streams[s] = body.made().stored(s);
    tail.given_as(streams);
    return head.run() + body.run() + tail.run();
  }

  std::string parallel_entry(const Split& parts) const {
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

  const svcode::Program& p_;
  std::int64_t slack_;
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

std::string engine_source(const svcode::Program& p, bool parallel, std::int64_t slack) {
  return unused + kernels_text() + prototypes(cpp_dialect(), library_calls(p)) +
         EntryText(p, slack, "", parallel).run();
}
std::string engine_source(const std::vector<svcode::Program>& ps, bool parallel,
                          const std::vector<std::int64_t>& slack) {
  std::set<LibraryFunction> called;
  for (const svcode::Program& p : ps) called.merge(library_calls(p));
  std::string r = kernels_text() + prototypes(cpp_dialect(), called);
  for (std::size_t k = 0; k < ps.size(); ++k)
    r += EntryText(ps[k], slack.empty() ? 0 : slack.at(k), std::to_string(k), parallel).run();
  return r;
}
std::string engine_apart(const std::string& source) {
  return "#define LOCKSTEP_APART\n" + source +
         "extern \"C\" void lockstep_engine_apart(const char* (*place)(const char*), int (*once)(const char*)) {\n"
         "  lockstep_engine::apart = {place, once};\n}\n";
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
// Build: g++ -std=c++20 -O3 -march=native -ffp-contract=off -fwrapv -fno-math-errno -c, and link -lm)" +
         (calls_library(library_calls(p)) ? " " + std::string(link_library) : "") + R"(.
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

}  // namespace lockstep::engine
