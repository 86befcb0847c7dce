// Kernel to C++ with OpenMP (openmp.h). A trap inside a parallel loop is recorded by the first thread that meets one;
// its iteration jumps to its end, later iterations are skipped, and the function returns after the loop.
#include "codegen/targets/openmp.h"

#include "codegen/runtime/compiler.h"

#include "codegen/c/statement.h"
#include "codegen/dialects/library.h"
#include "codegen/runtime/compiler_flags.h"
#include "codegen/targets/openmp_flags.h"
#include "codegen/targets/openmp_regions.h"
#include "codegen/targets/openmp_scanned.h"
#include "codegen/targets/openmp_scattered.h"
#include "codegen/targets/openmp_scratch.h"
#include "codegen/targets/openmp_stops.h"
#include "codegen/targets/openmp_streamed.h"
#include "codegen/targets/openmp_twins.h"
#include "codegen/targets/openmp_work.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

namespace {

// Behind the command, of a text that calls these.
std::string library_needed(const std::set<LibraryFunction>& called) {
  return calls_library(called)
             ? "Link with " + std::string(link_library) + ": it calls functions of SLEEF, Debian's libsleef-dev."
             : "";
}

class OpenMp {
 public:
  OpenMp(const Program& p, const Dialect& dialect)
      : program_(p), preconditions_(preconditions(p, true)), s_(p.body, dialect), streamed_(s_) {
    s_.parallel = [this](const ParallelFor& f) {
      if (f.units) throw Bug("C++ text: the loop over '" + f.name + "' is dealt out to units of a GPU");
      if (const auto twin = twins_.loops.find(&f); twin != twins_.loops.end()) return call(f, twin->second);
      const auto plain = [&] { inside_ || is_soon_done(f) ? inner(f) : outermost(f); };
      if (!f.scratch.empty()) return plain();
      const auto threads = inside_ ? StreamedLoops::Threads::Around : StreamedLoops::Threads::Own;
      const auto pragma = [&] {
        if (may_interleave(content_of(*f.body))) s_.line("#pragma omp simd");
      };
      streamed_.loop({f.name, f.extent, *f.body, threads, pragma, [&] { s_.body(*f.body); }, plain, nullptr});
    };
    s_.loop = [this](const For& f) {
      if (f.unroll) return s_.in_order(f);
      if (const auto x = scattered_loop(f, counts_)) {
        scattered_ = true;
        return print_scattered(s_, *x, counts_, [this](const Check& c, const std::string& fails) { check(c, fails); });
      }
      const auto threads = inside_ ? StreamedLoops::Threads::Around : StreamedLoops::Threads::None;
      const auto scan = scanned_loop(f);
      const auto pragma = [&] {
        if (scan) print_scan_pragma(s_, *scan);
      };
      const auto inside = [&] {
        if (scan) return print_scanned(s_, *scan, *f.body);
        const bool around = s_.text.name_choices(goes_on(f));
        s_.body(*f.body);
        s_.text.name_choices(around);
      };
      streamed_.loop({f.name, f.extent, *f.body, threads, pragma, inside, [&] { s_.in_order(f, pragma, inside); },
                      scan ? &*scan : nullptr});
    };
    s_.together = [this](const Block& b, std::size_t from) { return region(b, from); };
    s_.check = [this](const Check& c) { check(c, "!" + s_.text.operand(c.ok)); };
    s_.allocate = [this](const Allocate& a) { allocate(a); };
    s_.barrier = [](const Barrier&) {};
    s_.shuffle = [](const Shuffle& x) {
      throw Bug("C++ text: the shuffle that makes '" + x.name + "' is of a GPU's lanes");
    };
    s_.store = [this](const Store& t) {
      if (streamed_.store(t)) return;
      sequential_stream_ = sequential_stream_ || (!inside_ && is_nontemporal(t));
      s_.line(s_.text.store(t));
    };
  }

  OpenMpText text() {
    const std::string twins = twins_text();
    EntryParameters parameters = declare_parameters(s_.text, program_, "__restrict ");
    for (const Buffer& b : program_.outputs) {
      const std::string array = s_.text.buffer(b.name);
      const Expr n = size_expr(b.count);
      streamed_.in_memory(array, b.type, n, "double(" + s_.text.expression(n) + ") * sizeof *" + array);
    }
    const std::size_t names = s_.text.mark();
    s_.open("extern \"C\" " + own_entry() + "int32_t " + entry_name(program_) + "(" +
            comma_list(parameters.declarations) + ")");
    const std::string head = s_.take();
    for (const Precondition& p : preconditions_)
      for (const std::string& line : p.check) s_.line(line);
    s_.body(program_.body);
    if (sequential_stream_) s_.line("stream_fence();");
    s_.line("return 0;");
    s_.close();
    s_.text.release(names);
    const std::string rest = s_.take();
    std::string unused;
    for (const std::string& name : parameters.names)
      if (!is_read(name)) unused += "  (void)" + name + ";\n";
    const std::string body = head + unused + rest;
    const std::set<LibraryFunction>& called = s_.text.calls();
    CSource source = prologue(called, twins);
    source.body += body + "\n" + loader_text(program_, parameters) + "\n" + trap_table(program_);
    return {std::move(source), c_header(program_, "   Compile its source with" + flags_in_text() + "." +
                                                      (calls_library(called) ? "\n   " + library_needed(called) : ""))};
  }

 private:
  // ---- stopping
  void stop(const std::string& sequential, const std::string& parallel) {
    if (!inside_) return s_.line("return " + sequential + ";");
    s_.line(parallel + ";");
    s_.line("goto " + end_label_ + ";");
    end_used_ = true;
  }

  void check(const Check& c, const std::string& fails) {
    std::string arguments = "trap, " + std::to_string(check_number(c));
    for (const Expr& v : c.values) arguments += ", " + s_.text.trap_value(v);
    s_.open("if (" + fails + ")");
    (inside_ ? stops_ : traps_) = true;
    stop("trapped(" + arguments + ")", "stop(&stopped, " + arguments + ")");
    s_.close();
  }
  std::size_t check_number(const Check& c) const {
    auto all = checks_of(program_);
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), &c) - all.begin());
  }

  // ---- memory
  void allocate(const Allocate& a) {
    if (fits_thread(a)) return s_.declare_on_stack(a, "alignas(64) ");
    allocate_heap(a);
  }
  void allocate_heap(const Allocate& a) {
    std::string pointer = declare_heap(a);
    s_.open("if (!" + pointer + ")");
    fails_ = fails_ || inside_;
    stop("4", "fail(&stopped)");
    s_.close();
  }
  std::string declare_heap(const Allocate& a) {
    heap_ = true;
    std::string count = s_.text.expression(a.count), type = s_.text.memory_type(a.type.scalar);
    std::string name = s_.text.declare_buffer(a.name), owner = s_.text.fresh(name + "memory");
    s_.line("Scratch<" + type + "> " + owner + "(" + count + ");");
    s_.line(type + "* __restrict " + name + " = " + owner + ".data;");
    streamed_.in_memory(name, a.type, a.count, owner + ".memory.bytes");
    return name;
  }

  // ---- loops
  void inner(const ParallelFor& f) {
    std::size_t names = s_.text.mark();
    std::vector<Allocate> stacked;
    bool scoped = false;
    for (const Allocate& a : f.scratch) {
      if (fits_thread(a)) {
        stacked.push_back(a);
        continue;
      }
      if (!scoped) s_.open("");
      scoped = true;
      allocate_heap(a);
    }
    Content c = content_of(*f.body);
    std::string head = s_.bound(f.name, f.extent);
    auto n = constant_of(f.extent);
    if (may_interleave(c) && f.scratch.empty() && !(n && *n < 4)) s_.line("#pragma omp simd");
    s_.open(head);
    for (const Allocate& a : stacked) s_.declare_on_stack(a, "alignas(64) ");
    s_.body(*f.body);
    s_.close();
    if (scoped) s_.close();
    s_.text.release(names);
  }

  std::string only_if(const std::string& condition) {
    weighs_ = weighs_ || !condition.empty();
    return condition.empty() ? "" : " if (parallel : " + condition + ")";
  }
  std::string only_if_worth(const ParallelFor& f) {
    return only_if(worth_threads(f, [this](const Expr& e) { return s_.text.expression(e); }).value_or(""));
  }

  // Of a block's statements those from one on that are one region.
  std::size_t region(const Block& b, std::size_t from) {
    if (inside_ || in_region_) return 0;
    const auto may_join = [this](const ParallelFor& f, const std::vector<std::string>& rounds) {
      const bool on_heap = !std::all_of(f.scratch.begin(), f.scratch.end(), fits_thread);
      const Content c = content_of(*f.body);
      return !f.units && !on_heap && !c.checks && !c.allocates && !is_soon_done(f) &&
             !(f.scratch.empty() && streamed_.itself(f, rounds));
    };
    const auto found = region_at(b, from, may_join, [this](const Expr& e) { return s_.text.expression(e); });
    if (!found) return 0;
    s_.line("#pragma omp parallel" + only_if(found->condition));
    s_.open("");
    in_region_ = true;
    for (std::size_t k = 0; k < found->statements; ++k) s_.statement(b.statements[from + k]);
    in_region_ = false;
    s_.close();
    return found->statements;
  }

  // #pragma omp parallel for, or, where each thread has memory to allocate or stores to fence, a region around the
  // loop.
  void outermost(const ParallelFor& f) {
    std::size_t names = s_.text.mark();
    inside_ = true;
    Content c = content_of(*f.body);
    if (streamed_.in(f)) c.streams = true, s_.text.use_streams();
    std::vector<Allocate> stacked, heap;
    for (const Allocate& a : f.scratch) (fits_thread(a) ? stacked : heap).push_back(a);
    bool may_stop = c.checks || c.allocates || !heap.empty(), region = !in_region_ && (c.streams || !heap.empty());
    if (may_stop) {
      s_.open("");
      s_.line("int32_t stopped = 0;");
    }
    std::string simd = may_interleave(c) && f.scratch.empty() ? " simd" : "";
    const std::string only = in_region_ ? "" : only_if_worth(f);
    if (region) {
      s_.line("#pragma omp parallel" + only);
      s_.open("");
      for (const Allocate& a : heap) s_.line("if (!" + declare_heap(a) + ") fail(&stopped);");
      fails_ = fails_ || !heap.empty();
    }
    // The extent may need a line of its own, which must not come between the pragma and the loop.
    std::string head = s_.bound(f.name, f.extent);
    s_.line(region || in_region_ ? "#pragma omp for" + (region ? "" : simd) + " schedule(static)" +
                                       std::string(c.streams ? " nowait" : "")
                                 : "#pragma omp parallel for" + simd + only + " schedule(static)");
    s_.open(head);
    iteration(f, stacked, may_stop);
    s_.close();
    if (c.streams) s_.line("stream_fence();");
    if (c.streams && in_region_) s_.line("#pragma omp barrier");
    if (region) s_.close();
    inside_ = false;
    if (may_stop) {
      s_.line("if (stopped) return stopped;");
      s_.close();
    }
    s_.text.release(names);
  }

  // A function for each kind of loops that differ in their arrays alone.
  std::string twins_text() {
    for (std::size_t k = 0; k < twins_.all.size(); ++k) {
      const TwinLoops& t = twins_.all[k];
      const std::size_t names = s_.text.mark();
      std::vector<std::string> parameters;
      for (const std::string& size : t.sizes) parameters.push_back("int64_t " + s_.text.declare_variable(size));
      for (const TwinLoops::Array& a : t.arrays)
        parameters.push_back((a.written ? "" : "const ") + s_.text.memory_type(a.type.scalar) + "* __restrict " +
                             s_.text.declare_buffer(a.name));
      s_.open("__attribute__((noinline)) void " + twin_name(k) + "(" + comma_list(parameters) + ")");
      in_region_ = true;
      outermost(*t.first);
      in_region_ = false;
      s_.close();
      s_.text.release(names);
    }
    return s_.take();
  }
  static std::string twin_name(std::size_t k) { return "loop" + std::to_string(k); }
  void call(const ParallelFor& f, const TwinLoop& loop) {
    if (!in_region_) s_.line("#pragma omp parallel" + only_if_worth(f));
    std::vector<std::string> arguments;
    for (const std::string& size : twins_.all[loop.twins].sizes) arguments.push_back(s_.text.variable(size));
    for (const std::string& a : loop.arrays) arguments.push_back(s_.text.buffer(a));
    s_.line(twin_name(loop.twins) + "(" + comma_list(arguments) + ");");
  }

  void iteration(const ParallelFor& f, const std::vector<Allocate>& stacked, bool may_stop) {
    if (!may_stop) {
      for (const Allocate& a : stacked) s_.declare_on_stack(a, "alignas(64) ");
      return s_.body(*f.body);
    }
    end_label_ = s_.text.fresh("next_" + s_.text.variable(f.name));
    end_used_ = false;
    s_.line("if (__atomic_load_n(&stopped, __ATOMIC_RELAXED)) continue;");
    s_.open("");
    for (const Allocate& a : stacked) s_.declare_on_stack(a, "alignas(64) ");
    s_.body(*f.body);
    s_.close();
    if (end_used_) s_.line(end_label_ + ":;");
  }

  // ---- what stands before the function
  CSource prologue(const std::set<LibraryFunction>& called, const std::string& twins) {
    CSource out{
        "// " + program_.name + ", generated by lockstep. Compile with" + flags_in_text() + ".\n", {"<stdint.h>"}, ""};
    if (calls_library(called)) out.head += "// " + library_needed(called) + "\n";
    if (heap_) out.includes.emplace_back("<stdlib.h>");
    std::string& r = out.body;
    r += "#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n#else\n#pragma GCC diagnostic ignored "
         "\"-Wpsabi\"\n#endif\n\n";
    if (weighs_) r += text_of_least_work();
    r += prototypes(s_.text.dialect(), called);
    r += "extern \"C\" {\n" + trap_struct(program_) + "}\n\n";
    r += "namespace {\n\n";
    const std::size_t empty = r.size();
    r += refusal_text(preconditions_, trap_name(program_));
    if (heap_) r += scratch_text();
    if (traps_ || stops_) r += trapped_text(trap_name(program_));
    if (stops_) r += stop_text(trap_name(program_));
    if (fails_) r += fail_text();
    std::string declarations = s_.text.declarations("static inline");
    if (!declarations.empty()) r += declarations + "\n";
    if (streamed_.used()) r += StreamedLoops::text();
    if (streamed_.scans()) r += ScanInGroups::text();
    if (scattered_) r += scattered_text();
    if (!twins.empty()) r += "// Loops that differ in their arrays alone.\n" + twins + "\n";
    if (r.size() == empty)
      r.resize(empty - std::string("namespace {\n\n").size());
    else
      r += "}  // namespace\n\n";
    return out;
  }

  // Whether the text reads a parameter.
  bool is_read(const std::string& name) const {
    if (name == "trap") return traps_ || stops_ || !preconditions_.empty();
    return s_.text.is_mentioned(name) || std::any_of(preconditions_.begin(), preconditions_.end(),
                                                     [&](const Precondition& p) { return p.reads.contains(name); });
  }

  const Program& program_;
  std::vector<Precondition> preconditions_;
  CStatements s_;
  StreamedLoops streamed_;
  const std::map<std::string, Size> counts_ = array_counts(program_);
  const Twins twins_ = twin_loops(program_);
  bool scattered_ = false;
  bool inside_ = false;     // an outermost parallel loop
  bool in_region_ = false;  // whose threads are there
  std::string end_label_;
  bool end_used_ = false;
  bool heap_ = false, traps_ = false, stops_ = false, fails_ = false, sequential_stream_ = false, weighs_ = false;
};

}  // namespace

OpenMpText openmp_text(const Program& program, const Dialect& dialect) { return OpenMp(program, dialect).text(); }
std::string openmp_source(const Program& program, const Dialect& dialect) {
  return openmp_text(program, dialect).source.text();
}

std::vector<TextFile> openmp_files(const AnyProgram& any) {
  const auto& program = any.as<kernel::Program>();
  const OpenMpText text = openmp_text(program);
  return {{file_stem(program) + ".cpp", text.source.text()}, {file_stem(program) + ".h", text.header}};
}

tl::expected<Executable, CompileFailure> load_openmp(const AnyProgram& any, const Type& result) {
  const auto& program = any.as<kernel::Program>();
  auto library = compile_cached({openmp_source(program), openmp_flags(), entry_name(program), true});
  if (!library) return tl::unexpected(library.error());
  return Executable(program, result, std::move(*library));
}

Target openmp_target() {
  const auto unavailable = [] {
    const auto compiler = find_compiler();
    return compiler ? std::string() : compiler.error();
  };
  return {"openmp",
          "CPU threads, by a C++ compiler",
          Machine::Cpu,
          unavailable,
          always_fits,
          "C++ with OpenMP",
          openmp_files,
          load_openmp,
          false,
          false,
          {[](const AnyProgram& p) { return openmp_text(p.as<kernel::Program>()).source; }, openmp_flags()}};
}

}  // namespace lockstep
