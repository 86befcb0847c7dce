// The text of a network: a struct that holds its streams, read cursors and states, with a function for each step.
//
// Names in the text: s7 is stream 7, r7_0 the cursor of step 7's first operand, done7 whether step 7 is done, g7 the
// groups that step 7 reads, q0 the cursor of the first result.
#include "codegen/streaming/emit_network.h"

#include <algorithm>

#include "codegen/streaming/emit_growth.h"
#include "codegen/streaming/emit_maps.h"
#include "codegen/streaming/emit_step.h"
#include "codegen/streaming/slices.h"

namespace lockstep::engine {
namespace {

class Text {
 public:
  explicit Text(const NetworkText& t)
      : network_(t.network), slack_(t.slack), number_(t.number), part_(t.part), pieces_(t.pieces) {}

  std::string run() {
    line("");
    line("namespace {");
    line("using namespace lockstep_engine;");
    line("");
    line("struct " + type() + " {");
    // One, what the streams may be behind, and one that a kernel may keep.
    line("  static const i64 least = " + std::to_string(2 + slack_) + ";  // elements of a window");
    declare();
    line("");
    constructor();
    for (const Step& step : network_.steps) fire(step);
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
    return part_ == Part::Tail && step.instructions[0]->opcode == Opcode::Input && step.instructions[0]->number() < 0;
  }
  bool is_root(const Step& step) const { return part_ == Part::Body && step.id() == pieces_->root; }
  const Instr& at(StreamId s) const { return network_.at(s); }
  bool is_repeated(StreamId s) const { return network_.repeated.count(s) != 0; }
  std::string stream_type(StreamId s) const {
    return std::string(is_repeated(s) ? "Repeated<" : "Stream<") + cell_type(at(s).type) + ">";
  }
  // For a repeated stream of Booleans the elements are bool.
  std::string declared_type(StreamId s) const {
    if (is_repeated(s) && at(s).type == Prim::Bool) return "Repeated<bool>";
    return stream_type(s);
  }
  Place place(const Step& step) const { return {is_given(step), is_root(step), pieces_ && pieces_->is_file}; }

  void declare() {
    for (const Step& step : network_.steps)
      for (const StreamId s : step.produces)
        line("  " + declared_type(s) + " s" + str(s) + (is_repeated(s) ? "{" + literal(at(s).atom()) + "}" : "") + ";");
    for (const Step& step : network_.steps) {
      line("  bool done" + str(step.id()) + " = false;");
      for (std::size_t k = 0; k < step.operands.size(); ++k) {
        line("  Reader<" + declared_type(step.operands[k].stream) + "> " + reader(step, k) + ";");
        readers_[step.operands[k].stream].push_back(reader(step, k));
      }
      if (is_given(step)) line("  Reader<" + declared_type(step.id()) + "> k" + str(step.id()) + ";");
      if (step.kernel == Kernel::Distribute)
        for (const Instr* i : step.instructions)
          if (i->opcode == Opcode::Iotas) line("  i64 a" + str(i->id) + " = 0;");
      const std::string state = state_declaration(network_, step), file = file_type(step);
      if (!state.empty()) line("  " + state + ";");
      for (const Instr* i : step.instructions)
        if (network_.groups.count(i->id)) line("  Groups g" + str(i->id) + ";");
      if (!file.empty()) line("  " + file + " file" + str(step.id()) + ";");
    }
    line("  Outputs outputs;");
    line("  const lockstep_stream* inputs;");
    if (part_ == Part::Body) line("  const Piece* piece = 0;");
    if (part_ == Part::Tail) line("  bool finished = false;");
    if (part_ == Part::Body) return;
    for (std::size_t k = 0; k < results_.size(); ++k) {
      const StreamId s = results_[k];
      const std::string q = "q" + std::to_string(k);
      line("  Reader<" + declared_type(s) + "> " + q + ";");
      readers_[s].push_back(q);
      const Prim type = at(s).type;
      line("  Collected<" + (type == Prim::Bool ? "u8" : cell_type(type)) + "> c" + std::to_string(k) + ";");
    }
  }

  void constructor() {
    line("  " + type() + "(const lockstep_stream* given, i64 chunk) : inputs(given) {");
    for (const Step& step : network_.steps) {
      for (const StreamId s : step.produces)
        if (at(s).opcode != Opcode::Input || is_given(step) || is_root(step))
          line("    s" + str(s) + ".open(" + window_size(s) + ");");
      for (std::size_t k = 0; k < step.operands.size(); ++k)
        line("    " + reader(step, k) + ".s = &s" + str(step.operands[k].stream) + ";");
    }
    for (std::size_t k = 0; k < results_.size() && part_ != Part::Body; ++k)
      line("    q" + std::to_string(k) + ".s = &s" + str(results_[k]) + ";");
    line("  }");
  }

  std::string window_size(StreamId s) const {
    if (is_kept(s)) return "greater(chunk, piece_numbers)";
    return network_.narrow.count(s) ? "greater(lesser(chunk, narrow), least)" : "greater(chunk, least)";
  }
  // What a body gives stays until the next piece.
  bool is_kept(StreamId s) const {
    return part_ == Part::Body && std::find(results_.begin(), results_.end(), s) != results_.end();
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
    if (!is_given(given) || std::count(results_.begin(), results_.end(), given.id())) return false;
    std::size_t readers = 0;
    bool reduced = false;
    for (const Step& step : network_.steps)
      for (const Operand& o : step.operands)
        if (o.stream == given.id()) ++readers, reduced = has_call_in_place(step);
    return readers == 1 && reduced;
  }
  bool reduces_in_place(const Step& step) const {
    if (part_ != Part::Tail || !has_call_in_place(step)) return false;
    return std::any_of(network_.steps.begin(), network_.steps.end(), [&](const Step& from) {
      return from.id() == step.operands[0].stream && is_reduced_in_place(from);
    });
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
    } else if (reduces_in_place(step)) {
      line("    " + call_in_place(network_, step) + ";");
      line("    done" + id + " = s" + id + ".done;");
    } else if (step.kernel == Kernel::Cluster)
      text_ += cluster_body(network_, step);
    else if (step.kernel == Kernel::Slices)
      text_ += slices_body(network_, step);
    else {
      line("    " + call(network_, step, place(step)) + ";");
      if (!step.produces.empty()) line("    done" + id + " = s" + id + ".done;");
    }
    for (const Instr* i : step.instructions)
      if (const auto found = network_.ahead.find(i->id); found != network_.ahead.end())
        line("    let_go(" + reader(step, network_.base_operand(step, i->id)) + ", " + ahead(i->id, found->second) +
             ");");
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
    if (i.opcode == Opcode::Map) r += "_" + snesl::name_of(i.op());
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
    for (std::size_t k = 0; k < network_.steps.size(); ++k) {
      line("    " + firing(network_.steps[k]));
      for (const std::vector<std::size_t>& loop : network_.loops) {
        if (loop.back() != k) continue;
        line("    for (u64 before = 0;;) {");
        line("      u64 now = 1;");
        for (const std::size_t m : loop) line("      now += " + progress_of(network_.steps[m]) + ";");
        line("      if (now == before) break;");
        line("      before = now;");
        for (const std::size_t m : loop) line("      " + firing(network_.steps[m]));
        line("    }");
      }
    }
    std::string done = "true";
    for (std::size_t k = 0; k < results_.size() && part_ != Part::Body; ++k) {
      const std::string n = std::to_string(k);
      line("    collect(c" + n + ", q" + n + ");");
    }
    for (const Step& step : network_.steps) done += " && done" + str(step.id());
    line("    return " + done + ";");
    line("  }");
    line("  u64 progress() const {");
    line("    u64 h = 0;");
    for (const Step& step : network_.steps) line("    h += " + progress_of(step) + ";");
    for (std::size_t k = 0; k < results_.size() && part_ != Part::Body; ++k)
      line("    h += u64(q" + std::to_string(k) + ".pos);");
    line("    return h;");
    line("  }");
    text_ += grow_function(network_, windows());
  }
  Windows windows() const {
    Windows r;
    for (const Step& step : network_.steps) {
      if (is_given(step)) r.given.insert(step.id());
      if (step.instructions[0]->opcode == Opcode::Input && !is_given(step) && (!is_root(step) || pieces_->is_file))
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
    for (const Step& step : network_.steps) {
      const std::string id = str(step.id());
      for (std::size_t k = 0; k < step.operands.size(); ++k) line("    " + reader(step, k) + ".pos = 0;");
      const Opcode o = step.instructions[0]->opcode;
      if (o == Opcode::Ctrl || (o == Opcode::Input && !is_root(step))) continue;
      line("    done" + id + " = false;");
      for (const StreamId s : step.produces) line("    s" + str(s) + ".restart();");
      if (!state_declaration(network_, step).empty()) line("    a" + id + " = decltype(a" + id + ")();");
      if (step.kernel == Kernel::Distribute)
        for (const Instr* i : step.instructions)
          if (i->opcode == Opcode::Iotas) line("    a" + str(i->id) + " = 0;");
      for (const Instr* i : step.instructions)
        if (network_.groups.count(i->id)) line("    g" + str(i->id) + ".restart();");
    }
    line("  }");
  }

  // The tail on what a body gives.
  void take() {
    std::string fed = "true";
    line("  template <class B>");
    line("  void take(B& body) {");
    for (const Step& step : network_.steps) {
      if (!is_given(step)) continue;
      const std::string k = "k" + str(step.id());
      line("    " + k + ".s = &body.s" + str(given_as(step.id())) + ", " + k + ".pos = 0;");
      fed += " && " + k + ".left() == 0";
    }
    line("    (void)body;");
    line("    take_all(*this);");
    line("  }");
    line("  bool fed() const { return " + fed + "; }");
    line("  void finish() {");
    line("    finished = true;");
    for (const Step& step : network_.steps)
      if (is_given(step)) line("    k" + str(step.id()) + ".s = 0;");
    line("    run_to_end(*this);");
    line("  }");
  }

 private:
  // What the body keeps a given stream as.
  StreamId given_as(StreamId given) const {
    const std::vector<StreamId> all = pieces_->body.results();
    for (std::size_t k = 0; k < pieces_->given.size(); ++k)
      if (pieces_->given[k] == given) return all[k];
    throw Bug("a tail is given what no body gives");
  }

  const Network& network_;
  const std::vector<StreamId> results_ = network_.results();
  const std::int64_t slack_;
  const std::string number_;  // of several programs in one text
  const Part part_;
  const transducer::Pieces* const pieces_;
  std::map<StreamId, std::vector<std::string>> readers_;
  std::string text_;
};

}  // namespace

std::string network_text(const NetworkText& t) { return Text(t).run(); }

}  // namespace lockstep::engine
