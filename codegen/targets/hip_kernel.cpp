// Device kernels as text (hip_kernel.h).
#include "codegen/targets/hip_kernel.h"

#include <utility>

#include "codegen/c/entry.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/units.h"
#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

using namespace kernel;

std::optional<std::string> hip_atomic(const Primitive& op, ScalarType t) {
  const bool wide = bytes_of(t) == 8;
  if (!is_integer(t) || (!wide && bytes_of(t) != 4)) return {};
  for (const auto& [name, function] :
       {std::pair{"+", "atomicAdd"}, {"&", "atomicAnd"}, {"|", "atomicOr"}, {"^", "atomicXor"}})
    if (op.name == name) return function;
  if (t == ScalarType::I64) return {};  // HIP 5.2 has the rest on unsigned long long only
  for (const auto& [name, function] : {std::pair{"min", "atomicMin"}, {"max", "atomicMax"}})
    if (op.name == name) return function;
  return {};
}

static void note_used(const Expr& e, UsedNames& u) {
  if (const Var* v = std::get_if<Var>(&e.node)) u.variables.insert(v->name);
  if (const Load* l = std::get_if<Load>(&e.node)) u.buffers.insert(l->buffer);
  if (const VectorLoad* l = std::get_if<VectorLoad>(&e.node)) u.buffers.insert(l->buffer);
}

UsedNames used_by(const Expr& e) {
  UsedNames u;
  each_expression(e, [&](const Expr& x) { note_used(x, u); });
  return u;
}

UsedNames used_by(const Stmt& s) {
  UsedNames u;
  auto buffer = [&](const Stmt& x) {
    if (const Store* t = std::get_if<Store>(&x.node)) u.buffers.insert(t->buffer);
    if (const Atomic* a = std::get_if<Atomic>(&x.node)) u.buffers.insert(a->buffer);
    if (const Assign* a = std::get_if<Assign>(&x.node)) u.variables.insert(a->name);
  };
  each_node(s, buffer, [&](const Expr& e) { note_used(e, u); });
  return u;
}

namespace {

// A kernel's statements are copies of the program's: the check is found by what it says and where.
std::size_t number_of(const std::vector<const Check*>& all, const Check& c) {
  for (std::size_t n = 0; n < all.size(); ++n) {
    const Check& x = *all[n];
    bool same = x.ok == c.ok && x.message == c.message && x.primitive == c.primitive && x.values == c.values;
    if (same && x.region.begin == c.region.begin) return n;
  }
  throw Bug("HIP text has a check that is not the program's");
}

}  // namespace

HipKernel::HipKernel(const Program& program, const std::string& name, const Stmt& s, const std::vector<HostName>& names,
                     bool narrow)
    : program_(program), k_(program.body, hip_dialect()) {
  if (narrow) k_.text.narrow_indices("Index");
  std::vector<std::string> parameters = declare_parameters(used_by(s), names);
  if (has<Check>(s)) {
    parameters.push_back("DeviceTrap* trap");
    passed_.push_back("status.data");
  }
  fill_in();
  if (narrow) k_.line("template <class Index>");
  k_.open("static __global__ void " + name + "(" + comma_list(parameters) + ")");
  end_ = k_.text.fresh("done");
}

HipKernel::HipKernel(const Program& program, const std::string& name, const Expr& value, const HostName& result,
                     const std::vector<HostName>& names)
    : program_(program), k_(program.body, hip_dialect()) {
  const std::string own = k_.text.fresh("v_result");
  std::vector<std::string> parameters = declare_parameters(used_by(value), names);
  parameters.push_back(result.type + " __restrict__ " + own);
  passed_.push_back(result.host + ".data");
  fill_in();
  k_.open("static __global__ void " + name + "(" + comma_list(parameters) + ")");
  end_ = k_.text.fresh("done");
  k_.line(k_.text.store_into(own, constant(0), value, false));
}

// The function's arguments are of 32 or 64 bits, the latter unsigned long long: addition and bits do not ask for a
// sign.
void HipKernel::atomic(const Atomic& a) {
  const auto function = hip_atomic(*a.primitive, a.value.type.scalar);
  if (!function) throw Bug("HIP: an atomic update by '" + a.primitive->name + "' that hip_unfit has let pass");
  const std::string place = "&" + k_.text.buffer(a.buffer) + "[" + k_.text.expression(a.index) + "]";
  const bool wide = bytes_of(a.value.type.scalar) == 8;
  const std::string cast = wide ? "(unsigned long long*)" : "", of_value = wide ? "(unsigned long long)" : "";
  k_.line(*function + "(" + cast + place + ", " +
          (wide ? of_value + k_.text.operand(a.value) : k_.text.expression(a.value)) + ");");
}

std::string HipKernel::take() {
  if (end_used_) k_.line(end_ + ":;");
  k_.close();
  return k_.take();
}

void HipKernel::run_once(const Stmt& s) {
  const bool checks = has<Check>(s);
  if (checks) k_.open("");
  k_.body(s);
  if (checks) k_.close();
}

void HipKernel::run_loop(const ParallelFor& p) {
  const bool blocks = p.level == Level::Workgroup;
  const Size at_launch = block_memory(p, program_.launch).bytes_at_launch().value_or(0);
  if (!(at_launch == Size(0))) {
    block_ = k_.text.fresh("of_block");
    k_.line("LOCKSTEP_SHARED_AT_LAUNCH(" + block_ + ");");
  }
  iterations(p, blocks ? "blockIdx.x" : "blockIdx.x * (" + k_.text.index_type() + ")blockDim.x + threadIdx.x");
}

// `passed_` becomes what the host gives for each.
std::vector<std::string> HipKernel::declare_parameters(const UsedNames& used, const std::vector<HostName>& names) {
  std::vector<std::string> parameters;
  std::set<std::pair<bool, std::string>> seen;
  for (auto n = names.rbegin(); n != names.rend(); ++n) {
    bool wanted = (n->buffer ? used.buffers : used.variables).count(n->name) > 0;
    if (!wanted || !seen.insert({n->buffer, n->name}).second) continue;
    std::string name = n->buffer ? k_.text.declare_buffer(n->name)
                       : n->cell ? k_.text.fresh(n->name)
                                 : k_.text.declare_variable(n->name);
    const bool vector = n->scalar.width > 1;  // hipMalloc aligns it
    if (n->cell)
      k_.text.bind_variable(n->name, vector ? "(*(" + k_.text.type(n->scalar) + "*)" + name + ")" : "(*" + name + ")");
    const std::string type = n->buffer || n->cell ? n->type : k_.text.index_type();
    parameters.insert(parameters.begin(), type + (n->buffer ? " __restrict__ " : " ") + name);
    passed_.insert(passed_.begin(), n->buffer || n->cell ? n->host + ".data" : n->host);
  }
  return parameters;
}

void HipKernel::fill_in() {
  k_.parallel = [this](const ParallelFor& p) {
    if (p.level == Level::Local) return local(p);
    if (p.level == Level::Warp) return warps(p);
    iterations(p, "0");  // inside one that threads run
  };
  k_.check = [this](const Check& c) { check(c); };
  k_.allocate = [this](const Allocate& a) { allocate(a); };
  k_.barrier = [this](const Barrier& b) { k_.line(b.scope == Level::Warp ? "warp_barrier();" : "__syncthreads();"); };
  k_.store = [this](const Store& s) { store(s); };
  k_.shuffle = [this](const Shuffle& x) { shuffle(x); };
  k_.atomic = [this](const Atomic& a) { atomic(a); };
}

// Those of one of the units that the loop is dealt out to.
void HipKernel::iterations(const ParallelFor& p, const std::string& unit) {
  if (p.units != units_of(program_.launch, p.level, around_))
    throw Bug("HIP: the loop over '" + p.name + "' is not dealt out as the program is launched");
  std::size_t names = k_.text.mark();
  std::string extent = k_.text.fresh(p.name + "_count");
  const std::string index = k_.text.index_type();
  k_.line("const " + index + " " + extent + " = " + k_.text.expression(p.extent) + ";");
  const std::string step = k_.text.expression(*p.units);
  const Level level = p.level, outer = std::exchange(level_, level);
  const ParallelFor* const around = std::exchange(around_, &p);
  for (const Allocate& a : p.scratch) allocate(a);
  std::string i = k_.text.declare_variable(p.name);
  k_.open("for (" + index + " " + i + " = " + unit + "; " + i + " < " + extent + "; " + i + " += " + step + ")");
  bool checks = has<Check>(*p.body);
  std::string outer_end = end_;
  bool outer_used = end_used_;
  end_ = k_.text.fresh("next_" + i);
  end_used_ = false;
  if (checks && level != Level::Workgroup)
    k_.line(level == Level::Warp ? "if (any_of_warp(is_stopped(trap))) continue;" : "if (is_stopped(trap)) continue;");
  if (checks) k_.open("");  // a jump must not enter a name's scope
  k_.body(*p.body);
  if (checks) k_.close();
  if (end_used_) k_.line(end_ + ":;");
  k_.close();
  // What a warp allocates is new each time that it comes to the loop.
  if (level == Level::Warp && warp_allocates_) k_.line("warp_barrier();");
  end_ = outer_end;
  end_used_ = outer_used;
  level_ = outer;
  around_ = around;
  k_.text.release(names);
}

void HipKernel::local(const ParallelFor& p) {
  const std::string size = std::to_string(program_.launch.warp);
  const bool of_warp = level_ == Level::Warp;
  k_.open("");
  iterations(p, of_warp ? "threadIdx.x % " + size : "threadIdx.x");
  k_.close();
  leave_where_stopped(p, of_warp ? "any_of_warp" : "__syncthreads_or");
}

void HipKernel::warps(const ParallelFor& p) {
  k_.open("");
  warp_allocates_ = false;
  iterations(p, "threadIdx.x / " + std::to_string(program_.launch.warp));
  k_.close();
  leave_where_stopped(p, "__syncthreads_or");
}

// After a loop that the threads of a block or warp share: all of them go on, or none.
void HipKernel::leave_where_stopped(const ParallelFor& p, const char* any) {
  if (!has<Check>(*p.body)) return;
  k_.line("if (" + std::string(any) + "(is_stopped(trap))) goto " + end_ + ";");
  end_used_ = true;
}

// The width is said: the hardware's warp may be wider than the program's.
void HipKernel::shuffle(const Shuffle& x) {
  if (!around_ || level_ != Level::Local) throw Bug("HIP: the shuffle that makes '" + x.name + "' is of no lanes");
  const std::string value = k_.text.expression(x.value), lane = k_.text.expression(x.lane);
  const std::string type = k_.text.type(x.type), name = k_.text.declare_variable(x.name);
  k_.line("const " + type + " " + name + " = (" + type + ")shuffled<" + std::to_string(*constant_of(around_->extent)) +
          ", " + std::to_string(x.width) + ">(" + value + ", " + lane + ");");
}

void HipKernel::check(const Check& c) {
  auto all = checks_of(program_);
  std::string arguments = "trap, " + std::to_string(number_of(all, c));
  for (const Expr& v : c.values) arguments += ", " + k_.text.trap_value(v);
  k_.open("if (!" + k_.text.operand(c.ok) + ")");
  k_.line("report_trap(" + arguments + ");");
  k_.line("goto " + end_ + ";");
  end_used_ = true;
  k_.close();
}
void HipKernel::allocate(const Allocate& a) {
  auto n = constant_of(a.count);
  const bool shared = (level_ == Level::Workgroup || level_ == Level::Warp) && a.space != Space::Private;
  if (shared && a.at) return allocate_at_launch(a);
  if (!n) throw Bug("HIP: '" + a.name + "' is allocated inside a kernel with a count that is no constant");
  if (!shared) private_.insert(a.name);
  if (!shared) return k_.declare_on_stack(a, "");
  const std::string count = std::to_string(std::max<std::int64_t>(*n, 1)), type = k_.text.memory_type(a.type.scalar);
  const auto declare = [&](const std::string& name, const std::string& all) {
    k_.line("LOCKSTEP_SHARED(" + type + ", " + name + ", " + all + ");");
  };
  if (level_ == Level::Workgroup) return declare(k_.text.declare_buffer(a.name), count);
  warp_allocates_ = true;
  const std::string all = k_.text.fresh(a.name + "_of_warps"), own = k_.text.declare_buffer(a.name);
  declare(all, std::to_string(warps_of(program_.launch)) + " * " + count);
  k_.line(type + "* const " + own + " = " + all + " + threadIdx.x / " + std::to_string(program_.launch.warp) + " * " +
          count + ";");
}

// In the memory that the launch asks for, from the byte that the program says on; of a warp its own part.
void HipKernel::allocate_at_launch(const Allocate& a) {
  const std::string type = k_.text.memory_type(a.type.scalar), first = k_.text.operand(*a.at);
  const std::string own_part = level_ == Level::Warp ? " + threadIdx.x / " + std::to_string(program_.launch.warp) +
                                                           " * " + k_.text.operand(a.count)
                                                     : "";
  warp_allocates_ = warp_allocates_ || level_ == Level::Warp;
  const std::string own = k_.text.declare_buffer(a.name);
  k_.line(type + "* const " + own + " = (" + type + "*)(" + block_ + " + " + first + ")" + own_part + ";");
}

// Code between local loops is run by every thread of the block, or of the warp; what they share is stored by the first
// alone.
void HipKernel::store(const Store& s) {
  const bool shared = !private_.contains(s.buffer);
  const std::string who = !shared                      ? ""
                          : level_ == Level::Workgroup ? "if (threadIdx.x == 0) "
                          : level_ == Level::Warp
                              ? "if (threadIdx.x % " + std::to_string(program_.launch.warp) + " == 0) "
                              : "";
  k_.line(who + k_.text.store(s));
}

}  // namespace lockstep
