// Kernel to HIP (hip.h). Device kernels take by value the sizes and host loop variables that they use, and pointers to
// the buffers; a variable that lives across kernels is an array of one on the device.
#include "codegen/targets/hip.h"

#include "codegen/targets/hip_kernel.h"
#include "codegen/targets/hip_prologue.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

namespace {

// Launches a kernel, or allocates what a kernel cannot.
bool needs_host(const Stmt& s) {
  bool found = false;
  each_statement(s, [&](const Stmt& x) {
    const auto* a = std::get_if<Allocate>(&x.node);
    found = found || std::holds_alternative<ParallelFor>(x.node) || (a && !CStatements::on_stack(*a));
  });
  return found;
}

class Hip {
 public:
  explicit Hip(const Program& p) : program_(p), preconditions_(preconditions(p)), host_(p.body, hip_dialect()) {
    if (p.narrow) preconditions_.push_back(narrow_condition(p));
  }

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
    std::string header = c_header(program_, "   lockstep has not run this text: " + std::string(hip_untried) +
                                                ".\n   Compile its source with hipcc -O3 -ffp-contract=off -fwrapv.");
    const std::string shared = declared_.declarations("static __device__ inline");
    return {hip_device_prologue(program_) + (shared.empty() ? "" : "namespace {\n" + shared + "}\n") + kernels_,
            hip_host_prologue(program_, preconditions_) + host + "\n" + loader_text(program_, parameters) + "\n" +
                trap_table(program_),
            header};
  }

 private:
  std::string device_of(const std::string& name) const {
    for (auto n = names_.rbegin(); n != names_.rend(); ++n)
      if (n->buffer && n->name == name) return n->host;
    throw Bug("HIP text is made of the undeclared buffer '" + name + "'");
  }

  // ---- device memory
  void array(const std::string& name, ScalarType t, const std::string& count, bool variable) {
    std::string owner = host_.text.fresh(name + "_device"), type = host_.text.memory_type(t);
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
    const std::vector<bool> hosted = on_host(all);
    std::vector<Stmt> group;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!hosted[k]) {
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

  // What allocates or launches a kernel, and a variable that is used from the next such statement on: in another
  // kernel.
  static std::vector<bool> on_host(const std::vector<Stmt>& all) {
    std::vector<bool> out(all.size());
    auto rest = all.end();
    for (std::size_t k = all.size(); k-- > 0;) {
      const Declare* d = std::get_if<Declare>(&all[k].node);
      out[k] = d ? std::any_of(rest, all.end(), [&](const Stmt& s) { return used_by(s).variables.count(d->name) > 0; })
                 : std::holds_alternative<Allocate>(all[k].node) || needs_host(all[k]);
      if (out[k]) rest = all.begin() + static_cast<std::ptrdiff_t>(k);
    }
    return out;
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
    const int lanes = d.type.width == 3 ? 4 : d.type.width;  // three are held in four
    array(d.name, d.type.scalar, std::to_string(lanes), true);
    names_.back().scalar = d.type;
    if (!d.init) return;
    HostName own = names_.back();
    names_.resize(outer);  // the start is evaluated outside its scope
    evaluate(*d.init, own);
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
    std::string type = host_.text.memory_type(e.type.scalar), name = host_.text.fresh("value"),
                device = host_.text.fresh("value_device");
    host_.line("DeviceArray<" + type + "> " + device + "(1);");
    host_.line("if (!" + device + ".data) return 4;");
    evaluate(e, {name, type + "*", device, true});
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
  void single(std::vector<Stmt>& group) {
    bool comments_only =
        std::all_of(group.begin(), group.end(), [](const Stmt& s) { return std::holds_alternative<Comment>(s.node); });
    if (!group.empty() && !comments_only) single_kernel(group);
    group.clear();
  }

  void single_kernel(const std::vector<Stmt>& group) {
    const Stmt all{Block{group}};
    HipKernel k = kernel(all, false);
    k.run_once(all);
    finish(k, "1, 1, 0", has<Check>(all), false);
  }

  void evaluate(const Expr& e, const HostName& result) {
    ++count_;
    HipKernel k(program_, kernel_name(), e, result, names_);
    finish(k, "1, 1, 0", false, false);
  }

  void launch(const ParallelFor& p) {
    const std::string count = host_value(p.extent);
    const std::string block = std::to_string(program_.launch.block);
    const std::string grid = "grid_of(" + count + ", " + (p.level == Level::Workgroup ? "1" : block) + ", " +
                             std::to_string(program_.launch.grid) + "), ";
    const Size bytes = block_memory(p, program_.launch).bytes_at_launch().value_or(0);
    const std::string asked = ", " + (bytes == Size(0) ? "0" : host_.text.expression(size_expr(bytes)));
    const bool narrow = program_.narrow.has_value();
    HipKernel k = kernel(Stmt{p}, narrow);
    k.run_loop(p);
    finish(k, grid + block + asked, has<Check>(Stmt{p}), narrow);
  }

  std::string kernel_name() const { return "kernel_" + std::to_string(count_); }
  HipKernel kernel(const Stmt& s, bool narrow) {
    ++count_;
    return HipKernel(program_, kernel_name(), s, names_, narrow);
  }
  void finish(HipKernel& k, const std::string& shape, bool stops, bool narrow) {
    declared_.declare_what(k.declared());
    kernels_ += k.take() + "\n";
    const auto start = [&](const std::string& of) {
      return "launch(" + kernel_name() + of + ", " + shape + ", " + comma_list(k.passed()) + ")";
    };
    if (narrow) {
      host_.line("if (!(narrow ? " + start("<int32_t>"));
      host_.line("             : " + start("<int64_t>") + ")) return 4;");
    } else {
      host_.line("if (!" + start("") + ") return 4;");
    }
    if (stops) host_.line("if (int32_t stopped = finish(status, trap)) return stopped;");
  }

  const Program& program_;
  std::vector<Precondition> preconditions_;  // and whether indices are narrow
  CStatements host_;
  std::vector<HostName> names_;
  std::string kernels_;
  CText declared_{hip_dialect()};  // what the kernels use of types and functions
  int count_ = 0;
};

}  // namespace

HipText hip_text(const Program& program) { return Hip(program).text(); }

std::vector<TextFile> hip_files(const Program& program) {
  const HipText text = hip_text(program);
  return {{file_stem(program) + ".hip", text.kernel + text.host}, {file_stem(program) + ".hip.h", text.header}};
}

Target hip_target() {
  const auto unavailable = [] {
    return std::string("it runs with a later version; 'lockstep emit --target hip' writes its text");
  };
  return {"hip", "an AMD or NVIDIA GPU",  Machine::Gpu, unavailable, hip_unfit, "HIP", hip_files, nullptr, true,
          false, std::string(hip_untried)};
}

}  // namespace lockstep
