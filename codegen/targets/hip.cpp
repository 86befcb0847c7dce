// Kernel to HIP (hip.h). Device kernels take by value the sizes and host loop variables that they use, and pointers to
// the buffers; a variable that lives across kernels is an array of one on the device.
#include "codegen/targets/hip.h"

#include "codegen/c/statement.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

namespace {

constexpr int threads_of_block = 256;

// Launches a kernel, or allocates what a kernel cannot.
bool needs_host(const Stmt& s) {
  bool found = false;
  each_statement(s, [&](const Stmt& x) {
    const auto* a = std::get_if<Allocate>(&x.node);
    found = found || std::holds_alternative<ParallelFor>(x.node) || (a && !CStatements::on_stack(*a));
  });
  return found;
}

bool has_checks(const Stmt& s) {
  bool found = false;
  each_statement(s, [&](const Stmt& x) { found = found || std::holds_alternative<Check>(x.node); });
  return found;
}

// A name that lives on the host while kernels run: a number that they take by value, or memory of the device.
struct HostName {
  std::string name, type;     // type of the kernel's parameter
  std::string host;           // its text on the host
  bool buffer, cell = false;  // cell: a variable in device memory
  KType scalar{};             // of a cell
};

class Hip {
 public:
  explicit Hip(const Program& p) : program_(p), preconditions_(preconditions(p)), host_(p.body, hip_dialect()) {}

  HipText text() {
    EntryParameters parameters = declare_parameters(host_.text, program_, "");
    for (const std::string& s : program_.sizes) names_.push_back({s, "int64_t", host_.text.variable(s), false});
    host_.open("extern \"C\" " + own_entry() + "int32_t " + entry_name(program_) + "(" +
               comma_list(parameters.declarations) + ")");
    host_.line("(void)trap;");
    for (const Precondition& p : preconditions_)
      for (const std::string& line : p.check) host_.line(line);
    host_.line("DeviceArray<DeviceTrap> status(1);");
    host_.line("if (!status.clear()) return 4;");
    for (const Buffer& b : program_.inputs) parameter(b, true);
    for (const Buffer& b : program_.outputs) parameter(b, false);
    statements(program_.body);
    for (const Buffer& b : program_.outputs)
      host_.line("if (!" + device_of(b.name) + ".to_host(" + host_.text.buffer(b.name) + ")) return 4;");
    host_.line("return 0;");
    host_.close();
    std::string host = host_.take();
    std::string header = c_header(program_, "   Compile its source with hipcc -O3 -ffp-contract=off -fwrapv.");
    const std::string shared = declared_.declarations("static __device__ inline");
    return {device_prologue() + (shared.empty() ? "" : "namespace {\n" + shared + "}\n") + kernels_,
            host_prologue() + host + "\n" + loader_text(program_, parameters) + "\n" + trap_table(program_), header};
  }

 private:
  std::string device_of(const std::string& name) const {
    for (auto n = names_.rbegin(); n != names_.rend(); ++n)
      if (n->buffer && n->name == name) return n->host;
    throw Bug("HIP text is made of the undeclared buffer '" + name + "'");
  }

  // ---- device memory
  void array(const std::string& name, ScalarType t, const std::string& count, bool variable) {
    std::string owner = host_.text.fresh(name + "_device"), type(c_memory_type(t));
    host_.line("DeviceArray<" + type + "> " + owner + "(" + count + ");");
    host_.line("if (!" + owner + ".data) return 4;");
    names_.push_back({name, type + "*", owner, !variable, variable});
  }
  void parameter(const Buffer& b, bool input) {
    std::string host = host_.text.buffer(b.name);
    array(b.name, b.type.scalar, host_.text.expression(size_expr(b.count)), false);
    const bool value = input && b.dims.empty() && b.type.width == 1;
    if (input) host_.line("if (!" + names_.back().host + ".from_host(" + (value ? "&" : "") + host + ")) return 4;");
  }

  // ---- the host's part
  void statements(const Stmt& s) {
    std::size_t names = names_.size(), texts = host_.text.mark();
    const Block* b = std::get_if<Block>(&s.node);
    const std::vector<Stmt> all = b ? b->statements : std::vector<Stmt>{s};
    std::vector<Stmt> group;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!on_host(all, k)) {
        group.push_back(all[k]);
        continue;
      }
      single(group);
      statement(all[k]);
    }
    single(group);
    names_.resize(names);
    host_.text.release(texts);
  }

  // What allocates or launches a kernel, and a variable that is used after such a statement.
  static bool on_host(const std::vector<Stmt>& all, std::size_t k) {
    auto breaks = [](const Stmt& s) { return std::holds_alternative<Allocate>(s.node) || needs_host(s); };
    const Declare* d = std::get_if<Declare>(&all[k].node);
    if (!d) return breaks(all[k]);
    auto later = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(k), all.end(), breaks);
    return std::any_of(later, all.end(), [&](const Stmt& s) { return used_by(s).variables.count(d->name) > 0; });
  }

  void statement(const Stmt& s) {
    if (const Allocate* a = std::get_if<Allocate>(&s.node))
      return array(a->name, a->type.scalar, host_value(a->count), false);
    if (const Declare* d = std::get_if<Declare>(&s.node)) return variable(*d);
    if (const ParallelFor* p = std::get_if<ParallelFor>(&s.node)) return launch(*p);
    if (const For* f = std::get_if<For>(&s.node)) return loop(*f);
    if (const If* i = std::get_if<If>(&s.node)) return branch(*i);
    if (const While* w = std::get_if<While>(&s.node)) return while_loop(*w);
    host_.open("");
    statements(s);
    host_.close();
  }

  void variable(const Declare& d) {
    std::size_t outer = names_.size();
    array(d.name, d.type.scalar, std::to_string(d.type.width), true);
    names_.back().scalar = d.type;
    if (!d.init) return;
    HostName own = names_.back();
    names_.resize(outer);  // the start is evaluated outside its scope
    Stmt result{Store{" result", constant(0), *d.init}};
    names_.push_back({" result", own.type, own.host, true});
    single_kernel({result});
    names_.pop_back();
    names_.push_back(own);
  }

  // A number that the host needs: computed there where it is made of sizes, on the device where it is data.
  std::string host_value(const Expr& e) {
    auto s = as_size(e);
    std::set<std::string> mentioned;
    if (s) collect_names(*s, mentioned);
    for (const std::string& n : mentioned)
      if (is_cell(n)) s = std::nullopt;
    if (s) return host_.text.operand(e);
    std::string type(c_memory_type(e.type.scalar)), name = host_.text.fresh("value"),
                                                    device = host_.text.fresh("value_device");
    host_.line("DeviceArray<" + type + "> " + device + "(1);");
    host_.line("if (!" + device + ".data) return 4;");
    names_.push_back({" result", type + "*", device, true});
    single_kernel({Stmt{Store{" result", constant(0), e}}});
    names_.pop_back();
    host_.line(type + " " + name + " = 0;");
    host_.line("if (!" + device + ".to_host(&" + name + ")) return 4;");
    return name;
  }
  bool is_cell(const std::string& name) const {
    for (auto n = names_.rbegin(); n != names_.rend(); ++n)
      if (!n->buffer && n->name == name) return n->cell;
    return false;
  }

  void loop(const For& f) {
    std::size_t names = names_.size(), texts = host_.text.mark();
    host_.open("");
    std::string count = host_value(f.extent), i = host_.text.declare_variable(f.name);
    names_.push_back({f.name, "int64_t", i, false});
    host_.open("for (int64_t " + i + " = 0; " + i + " < " + count + "; ++" + i + ")");
    statements(*f.body);
    host_.close();
    host_.close();
    names_.resize(names);
    host_.text.release(texts);
  }
  void branch(const If& i) {
    host_.open("");
    std::size_t texts = host_.text.mark();
    host_.open("if (" + host_value(i.condition) + ")");
    statements(*i.then);
    host_.close();
    host_.open("else");
    statements(*i.otherwise);
    host_.close();
    host_.close();
    host_.text.release(texts);
  }
  void while_loop(const While& w) {
    std::size_t texts = host_.text.mark();
    host_.open("while (true)");
    host_.line("if (!" + host_value(w.condition) + ") break;");
    statements(*w.body);
    host_.close();
    host_.text.release(texts);
  }

  // ---- kernels
  struct Used {
    std::set<std::string> variables, buffers;
  };
  static Used used_by(const Stmt& s) {
    Used u;
    auto buffer = [&](const Stmt& x) {
      if (const Store* t = std::get_if<Store>(&x.node)) u.buffers.insert(t->buffer);
      if (const Assign* a = std::get_if<Assign>(&x.node)) u.variables.insert(a->name);
    };
    each_node(s, buffer, [&](const Expr& e) {
      if (const Var* v = std::get_if<Var>(&e.node)) u.variables.insert(v->name);
      if (const Load* l = std::get_if<Load>(&e.node)) u.buffers.insert(l->buffer);
      if (const VectorLoad* l = std::get_if<VectorLoad>(&e.node)) u.buffers.insert(l->buffer);
    });
    return u;
  }

  // Declares the kernel's parameters in `k` and says what the host passes for them.
  std::pair<std::vector<std::string>, std::vector<std::string>> interface(CStatements& k, const Stmt& s) {
    std::vector<std::string> parameters, passed;
    Used used = used_by(s);
    std::set<std::pair<bool, std::string>> seen;
    for (auto n = names_.rbegin(); n != names_.rend(); ++n) {
      bool wanted = (n->buffer ? used.buffers : used.variables).count(n->name) > 0;
      if (!wanted || !seen.insert({n->buffer, n->name}).second) continue;
      std::string name = n->buffer ? k.text.declare_buffer(n->name)
                         : n->cell ? k.text.fresh(n->name)
                                   : k.text.declare_variable(n->name);
      const bool vector = n->scalar.width > 1;  // hipMalloc aligns it
      if (n->cell)
        k.text.bind_variable(n->name, vector ? "(*(" + k.text.type(n->scalar) + "*)" + name + ")" : "(*" + name + ")");
      parameters.insert(parameters.begin(), n->type + (n->buffer ? " __restrict__ " : " ") + name);
      passed.insert(passed.begin(), n->buffer || n->cell ? n->host + ".data" : n->host);
    }
    if (has_checks(s)) {
      parameters.push_back("DeviceTrap* trap");
      passed.push_back("status.data");
    }
    return {parameters, passed};
  }

  void single(std::vector<Stmt>& group) {
    bool comments_only =
        std::all_of(group.begin(), group.end(), [](const Stmt& s) { return std::holds_alternative<Comment>(s.node); });
    if (!group.empty() && !comments_only) single_kernel(group);
    group.clear();
  }

  void single_kernel(const std::vector<Stmt>& group) {
    Stmt all{Block{group}};
    bool checks = has_checks(all);
    finish_kernel(all, "1, 1", [&](CStatements& k) {
      if (checks) k.open("");
      k.body(all);
      if (checks) k.close();
    });
  }

  void launch(const ParallelFor& p) {
    std::string count = host_value(p.extent);
    bool blocks = p.level == Level::Workgroup;
    std::string grid =
        blocks ? "grid_of(" + count + ", 1), " : "grid_of(" + count + ", " + std::to_string(threads_of_block) + "), ";
    finish_kernel(Stmt{p}, grid + std::to_string(threads_of_block), [&](CStatements& k) {
      std::string first = blocks ? "blockIdx.x" : "blockIdx.x * (int64_t)blockDim.x + threadIdx.x";
      iterations(k, p, first, blocks ? "gridDim.x" : "(int64_t)gridDim.x * blockDim.x",
                 blocks ? Level::Workgroup : Level::Global);
    });
  }

  template <class Body>
  void finish_kernel(const Stmt& s, const std::string& shape, Body body) {
    CStatements k(program_.body, hip_dialect());
    auto [parameters, passed] = interface(k, s);
    std::string name = "kernel_" + std::to_string(++count_);
    fill_in(k);
    k.open("static __global__ void " + name + "(" + comma_list(parameters) + ")");
    end_ = k.text.fresh("done");
    end_used_ = false;
    level_ = Level::Seq;
    body(k);
    if (end_used_) k.line(end_ + ":;");
    k.close();
    declared_.declare_what(k.text);
    kernels_ += k.take() + "\n";
    host_.line(name + "<<<" + shape + ">>>(" + comma_list(passed) + ");");
    bool stops = has_checks(s);
    host_.line(stops ? "if (int32_t stopped = finish(status, trap)) return stopped;"
                     : "if (hipGetLastError() != hipSuccess) return 4;");
  }

  void fill_in(CStatements& k) {
    k.parallel = [this, &k](const ParallelFor& p) {
      if (p.level == Level::Local) return local(k, p);
      iterations(k, p, "0", "1", level_);
    };
    k.check = [this, &k](const Check& c) { check(k, c); };
    k.allocate = [this, &k](const Allocate& a) { allocate(k, a); };
    k.barrier = [&k] { k.line("__syncthreads();"); };
    k.store = [this, &k](const Store& s) { store(k, s); };
  }

  void iterations(CStatements& k, const ParallelFor& p, const std::string& first, const std::string& step,
                  Level level) {
    std::size_t names = k.text.mark();
    std::string extent = k.text.fresh(p.name + "_count");
    k.line("const int64_t " + extent + " = " + k.text.expression(p.extent) + ";");
    std::string i = k.text.declare_variable(p.name);
    k.open("for (int64_t " + i + " = " + first + "; " + i + " < " + extent + "; " + i + " += " + step + ")");
    Level outer = std::exchange(level_, level);
    bool checks = has_checks(*p.body);
    std::string outer_end = end_;
    bool outer_used = end_used_;
    end_ = k.text.fresh("next_" + i);
    end_used_ = false;
    if (checks && level != Level::Workgroup) k.line("if (is_stopped(trap)) continue;");
    if (checks) k.open("");  // a jump must not enter a name's scope
    for (const Allocate& a : p.scratch) allocate(k, a);
    k.body(*p.body);
    if (checks) k.close();
    if (end_used_) k.line(end_ + ":;");
    // The block's next iteration uses the same shared memory.
    if (level == Level::Workgroup) k.line("__syncthreads();");
    k.close();
    end_ = outer_end;
    end_used_ = outer_used;
    level_ = outer;
    k.text.release(names);
  }

  void local(CStatements& k, const ParallelFor& p) {
    k.open("");
    iterations(k, p, "threadIdx.x", "blockDim.x", Level::Local);
    k.close();
    if (!has_checks(*p.body)) return;
    k.line("if (__syncthreads_or(is_stopped(trap))) goto " + end_ + ";");
    end_used_ = true;
  }

  void check(CStatements& k, const Check& c) {
    auto all = checks_of(program_);
    // A kernel's statements are copies of the program's: the check is found by what it says and where.
    std::string arguments = "trap, " + std::to_string(number_of(all, c));
    for (const Expr& v : c.values) arguments += ", " + k.text.trap_value(v);
    k.open("if (!" + k.text.operand(c.ok) + ")");
    k.line("report_trap(" + arguments + ");");
    k.line("goto " + end_ + ";");
    end_used_ = true;
    k.close();
  }
  static std::size_t number_of(const std::vector<const Check*>& all, const Check& c) {
    for (std::size_t n = 0; n < all.size(); ++n) {
      const Check& x = *all[n];
      bool same = x.ok == c.ok && x.message == c.message && x.primitive == c.primitive && x.values == c.values;
      if (same && x.region.begin == c.region.begin) return n;
    }
    throw Bug("HIP text has a check that is not the program's");
  }

  void allocate(CStatements& k, const Allocate& a) {
    auto n = constant_of(a.count);
    if (!n) throw Bug("HIP: '" + a.name + "' is allocated inside a kernel with a count that is no constant");
    bool shared = level_ == Level::Workgroup && a.space != Space::Private;
    if (!shared) private_.insert(a.name);
    k.declare_on_stack(a, shared ? "__shared__ " : "");
  }

  // Code between local loops is run by every thread of the block; what they share is stored by the first alone.
  void store(CStatements& k, const Store& s) {
    const bool first = level_ == Level::Workgroup && !private_.contains(s.buffer);
    k.line((first ? "if (threadIdx.x == 0) " : "") + k.text.store(s));
  }

  // ---- what stands before
  std::string device_prologue() const {
    return "// " + program_.name +
           ", generated by lockstep.\n#include <hip/hip_runtime.h>\n#include <stdint.h>\n\n"
           "namespace {\n\n"
           "struct DeviceTrap {\n  int32_t status;\n  int32_t check;\n  int64_t values[4];\n};\n\n"
           "// The first thread to trap says why.\n"
           "[[maybe_unused]] __device__ inline void report_trap(DeviceTrap* trap, int32_t check, int64_t a = 0, "
           "int64_t b = 0,\n"
           "                                                    int64_t c = 0, int64_t d = 0) {\n"
           "  if (atomicCAS(&trap->status, 0, 3) != 0) return;\n"
           "  trap->check = check;\n"
           "  trap->values[0] = a;\n  trap->values[1] = b;\n  trap->values[2] = c;\n  trap->values[3] = d;\n}\n"
           "[[maybe_unused]] __device__ inline bool is_stopped(const DeviceTrap* trap) {\n"
           "  return ((const volatile DeviceTrap*)trap)->status != 0;\n}\n\n"
           "}  // namespace\n\n";
  }

  std::string host_prologue() const {
    const std::string finish =
        "[[maybe_unused]] int32_t finish(DeviceArray<DeviceTrap>& status, " + trap_name(program_) +
        "* trap) {\n"
        "  DeviceTrap t = {};\n"
        "  if (hipGetLastError() != hipSuccess || !status.to_host(&t)) return 4;\n"
        "  if (t.status != 0 && trap) *trap = {t.check, 0, {t.values[0], t.values[1], t.values[2], t.values[3]}};\n"
        "  return t.status;\n}\n";
    return "extern \"C\" {\n" + trap_struct(program_) +
           "}\n\n"
           "namespace {\n\n" +
           refusal_text(preconditions_, trap_name(program_)) +
           "// Memory of the device, freed at the end of its scope; data is null where there is none to be had.\n"
           "template <class T>\n"
           "struct DeviceArray {\n"
           "  T* data = nullptr;\n"
           "  uint64_t bytes = 0;\n"
           "  explicit DeviceArray(int64_t count) {\n"
           "    if (count < 0 || __builtin_mul_overflow((uint64_t)count, sizeof(T), &bytes)) return;\n"
           "    if (hipMalloc((void**)&data, bytes > 0 ? bytes : 1) != hipSuccess) data = nullptr;\n"
           "  }\n"
           "  DeviceArray(const DeviceArray&) = delete;\n"
           "  ~DeviceArray() { (void)hipFree(data); }\n"
           "  bool clear() { return data && hipMemset(data, 0, bytes) == hipSuccess; }\n"
           "  bool from_host(const T* p) { return data && hipMemcpy(data, p, bytes, hipMemcpyHostToDevice) == "
           "hipSuccess; }\n"
           "  bool to_host(T* p) const { return hipMemcpy(p, data, bytes, hipMemcpyDeviceToHost) == hipSuccess; }\n"
           "};\n\n"
           "[[maybe_unused]] unsigned grid_of(int64_t count, int64_t threads) {\n"
           "  int64_t blocks = count / threads + (count % threads != 0);\n"
           "  return blocks < 1 ? 1 : blocks > 65535 ? 65535 : (unsigned)blocks;\n}\n"
           "// Waits; 3 with *trap filled after a trap, 4 where the device failed.\n" +
           finish + "\n}  // namespace\n\n";
  }

  const Program& program_;
  std::vector<Precondition> preconditions_;
  CStatements host_;
  std::vector<HostName> names_;
  std::string kernels_;
  CText declared_{hip_dialect()};  // what the kernels use of types and functions
  std::set<std::string> private_;  // buffers of which each thread has its own
  int count_ = 0;
  Level level_ = Level::Seq;  // of the loop that is printed
  std::string end_;           // label at the end of the iteration
  bool end_used_ = false;
};

}  // namespace

std::vector<std::string> hip_unfit(const Program& program) {
  constexpr std::int64_t block_bytes = 48 * 1024;
  std::vector<std::string> out;
  const auto local_bytes = [&](const ParallelFor& p) {
    std::int64_t bytes = 0;
    const auto add = [&](const Allocate& a) {
      const auto n = constant_of(a.count);
      if (!n)
        out.push_back("'" + a.name + "' needs " + print(a.count) + " scalars of a " +
                      (a.space == Space::Local ? "block's" : "thread's") +
                      " memory, which takes a number known beforehand");
      else if (a.space == Space::Local)
        bytes += *n * bytes_of(a.type.scalar);
    };
    for (const Allocate& a : p.scratch) add(a);
    each_statement(*p.body, [&](const Stmt& s) {
      if (const auto* a = std::get_if<Allocate>(&s.node)) add(*a);
      if (const auto* inner = std::get_if<ParallelFor>(&s.node))
        for (const Allocate& a : inner->scratch) add(a);
    });
    return bytes;
  };
  const std::function<void(const Stmt&)> outermost = [&](const Stmt& s) {
    if (const auto* p = std::get_if<ParallelFor>(&s.node)) {
      if (const std::int64_t bytes = local_bytes(*p); bytes > block_bytes)
        out.push_back("a block would need " + std::to_string(bytes) + " bytes of local memory, which has " +
                      std::to_string(block_bytes));
      return;
    }
    if (const auto* b = std::get_if<Block>(&s.node))
      for (const Stmt& x : b->statements) outermost(x);
    if (const auto* f = std::get_if<For>(&s.node)) outermost(*f->body);
    if (const auto* w = std::get_if<While>(&s.node)) outermost(*w->body);
    if (const auto* i = std::get_if<If>(&s.node)) outermost(*i->then), outermost(*i->otherwise);
  };
  outermost(program.body);
  return out;
}

HipText hip_text(const Program& program) { return Hip(program).text(); }

std::vector<TextFile> hip_files(const Program& program) {
  const HipText text = hip_text(program);
  return {{file_stem(program) + ".hip", text.kernel + text.host}, {file_stem(program) + ".hip.h", text.header}};
}

Target hip_target() {
  const auto unavailable = [] {
    return std::string("it runs with a later version; 'lockstep emit --target hip' writes its text");
  };
  return {"hip", "an AMD or NVIDIA GPU", Machine::Gpu, unavailable, hip_unfit, "HIP", hip_files, nullptr};
}

}  // namespace lockstep
