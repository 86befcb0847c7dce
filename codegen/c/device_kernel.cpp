// Device kernels as text (device_kernel.h).
#include "codegen/c/device_kernel.h"

#include <algorithm>
#include <utility>

#include "codegen/c/entry.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/units.h"
#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

using namespace kernel;

static std::size_t number_in(const Stmt& body, const Check& c) {
  std::size_t n = 0;
  std::optional<std::size_t> found;
  each_statement(body, [&](const Stmt& s) {
    const auto* x = std::get_if<Check>(&s.node);
    if (x == &c) found = n;
    n += x != nullptr;
  });
  if (!found) throw Bug("the text has a check that is not the kernel's");
  return *found;
}

DeviceKernel::DeviceKernel(const DeviceWords& words, const Program& program, const HostLaunch& launch, bool narrow)
    : words_(words), program_(program), launch_(launch), narrow_(narrow), k_(program.body, *words.dialect) {
  if (narrow) k_.text.narrow_indices("Index");
  fill_in();
}

std::string DeviceKernel::text() {
  const Stmt& body = launch_.launch.body;
  std::vector<std::string> declared = parameters();
  if (has<Check>(body)) {
    declared.push_back(std::string(words_.device) + "DeviceTrap* trap");
    passed_.push_back("status.data");
  }
  const ParallelFor* loop = host::loop_of(launch_.launch);
  const Size bytes = loop ? block_memory(*loop, program_.launch).bytes_at_launch().value_or(0) : Size(0);
  if (!(bytes == Size(0))) {
    block_ = k_.text.fresh("of_block");
    if (words_.shared_at_launch.empty()) {
      declared.push_back(filled(words_.local_parameter, {block_}));
      passed_.push_back(filled(words_.local_argument, {launch_.bytes}));
    }
  }
  k_.open("");  // the head is put before what it takes to know it
  end_ = k_.text.fresh("done");
  if (!block_.empty() && !words_.shared_at_launch.empty()) k_.line(filled(words_.shared_at_launch, {block_}));
  if (loop)
    run_loop(*loop);
  else
    run_once(body);
  if (end_used_) k_.line(end_ + ":;");
  k_.close();
  std::string out = narrow_ && !words_.of_index.empty() ? std::string(words_.of_index) + "\n" : "";
  out += std::string(words_.head) + " " + launch_.kernel + "(" + comma_list(declared) + ") {\n";
  if (asks_any_ && !words_.any_needs.empty()) at_head_.emplace_back(words_.any_needs);
  for (const std::string& line : at_head_) out += "  " + line + "\n";
  places_ = moved_to(k_.places(), static_cast<std::size_t>(std::count(out.begin(), out.end(), '\n')) - 1);
  for (TextPlace& p : places_) p.kernel = launch_.kernel;
  return out + k_.take().substr(std::string("{\n").size());
}

void DeviceKernel::atomic(const Atomic& a) {
  const std::string place = "&" + k_.text.buffer(a.buffer) + "[" + k_.text.expression(a.index) + "]";
  const auto update = words_.atomic(*a.primitive, a.value.type.scalar, place, k_.text.operand(a.value));
  if (!update) throw Bug("an atomic update by '" + a.primitive->name + "' that the device has not");
  k_.line(*update + ";");
}

void DeviceKernel::run_once(const Stmt& s) {
  const bool checks = has<Check>(s);
  if (checks) k_.open("");
  k_.body(s);
  if (checks) k_.close();
}

void DeviceKernel::run_loop(const ParallelFor& p) {
  const bool blocks = p.level == Level::Workgroup;
  iterations(p, blocks ? std::string(words_.group) : filled(words_.all, {k_.text.index_type()}));
}

std::vector<std::string> DeviceKernel::parameters() {
  using Kind = HostName::Kind;
  std::set<std::string> scalars;
  for (const HostName& n : launch_.names)
    if (n.kind == Kind::Scalar) scalars.insert(n.name);
  host::Taken taken = host::taken_by(launch_.launch.body, scalars);
  std::vector<std::string> out;
  const auto add = [&](const std::string& type, const std::string& name, const std::string& from_host) {
    out.insert(out.begin(), type + " " + name);
    passed_.insert(passed_.begin(), from_host);
  };
  for (auto n = launch_.names.rbegin(); n != launch_.names.rend(); ++n) {
    auto& wanted = n->kind == Kind::Memory ? taken.arrays : n->kind == Kind::Scalar ? taken.scalars : taken.numbers;
    if (wanted.erase(n->name) == 0) continue;
    const std::string type = k_.text.memory_type(n->type);
    if (n->kind == Kind::Number) add(k_.text.index_type(), k_.text.declare_variable(n->name), n->host);
    if (n->kind == Kind::Scalar) add(type, k_.text.declare_value(n->name), filled(words_.scalar_argument, {n->host}));
    if (n->kind != Kind::Memory) continue;
    const std::string constant = writes(launch_.launch.body, n->name) ? "" : "const ";
    add(std::string(words_.device) + constant + type + "* " + std::string(words_.restricted),
        k_.text.declare_buffer(n->name), n->host + ".data");
  }
  return out;
}

void DeviceKernel::fill_in() {
  k_.parallel = [this](const ParallelFor& p) {
    if (p.level == Level::Local) return local(p);
    if (p.level == Level::Warp) return warps(p);
    iterations(p, "0");  // inside one that threads run
  };
  k_.check = [this](const Check& c) { check(c); };
  k_.allocate = [this](const Allocate& a) { allocate(a); };
  k_.barrier = [this](const Barrier& b) {
    k_.line(b.scope == Level::Warp ? "warp_barrier();" : std::string(words_.barrier));
  };
  k_.store = [this](const Store& s) { store(s); };
  k_.shuffle = [this](const Shuffle& x) { shuffle(x); };
  k_.atomic = [this](const Atomic& a) { atomic(a); };
}

// Those of one of the units that the loop is dealt out to.
void DeviceKernel::iterations(const ParallelFor& p, const std::string& unit) {
  if (p.units != units_of(program_.launch, p.level, around_))
    throw Bug("the loop over '" + p.name + "' is not dealt out as the program is launched");
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

void DeviceKernel::local(const ParallelFor& p) {
  const std::string size = std::to_string(program_.launch.warp);
  const bool of_warp = level_ == Level::Warp;
  k_.open("");
  iterations(p, of_warp ? thread() + " % " + size : thread());
  k_.close();
  if (of_warp && !words_.warps) return;  // warps that go together leave together
  leave_where_stopped(p, of_warp ? "any_of_warp(#0)" : words_.any_of_block);
}

void DeviceKernel::warps(const ParallelFor& p) {
  if (!words_.warps && goes_together(p)) return warps_together(p);
  k_.open("");
  warp_allocates_ = false;
  iterations(p, thread() + " / " + std::to_string(program_.launch.warp));
  k_.close();
  leave_where_stopped(p, words_.any_of_block);
}

// After a loop that the threads of a block or warp share: all of them go on, or none.
void DeviceKernel::leave_where_stopped(const ParallelFor& p, std::string_view any) {
  if (!has<Check>(*p.body)) return;
  asks_any_ = asks_any_ || any == words_.any_of_block;
  k_.line("if (" + filled(any, {"is_stopped(trap)"}) + ") goto " + end_ + ";");
  end_used_ = true;
}

// The width is said: the hardware's warp may be wider than the program's.
void DeviceKernel::shuffle(const Shuffle& x) {
  if (!words_.warps || !around_ || level_ != Level::Local)
    throw Bug("the shuffle that makes '" + x.name + "' is of no lanes");
  const std::string value = k_.text.expression(x.value), lane = k_.text.expression(x.lane);
  const std::string type = k_.text.type(x.type), name = k_.text.declare_variable(x.name);
  k_.line("const " + type + " " + name + " = (" + type + ")shuffled<" + std::to_string(*constant_of(around_->extent)) +
          ", " + std::to_string(x.width) + ">(" + value + ", " + lane + ");");
}

void DeviceKernel::check(const Check& c) {
  std::string arguments = "trap, " + std::to_string(launch_.first_check + number_in(launch_.launch.body, c));
  for (std::size_t k = 0; k < 4; ++k) arguments += k < c.values.size() ? ", " + k_.text.trap_value(c.values[k]) : ", 0";
  k_.open("if (!" + k_.text.operand(c.ok) + ")");
  k_.line("report_trap(" + arguments + ");");
  k_.line("goto " + end_ + ";");
  end_used_ = true;
  k_.close();
}
void DeviceKernel::shared(const std::string& type, const std::string& name, const std::string& count) {
  const std::string text = filled(words_.shared, {type, name, count});
  words_.shared_at_head ? at_head_.push_back(text) : k_.line(text);
}

void DeviceKernel::allocate(const Allocate& a) {
  const bool of_block = (level_ == Level::Workgroup || level_ == Level::Warp) && a.space != Space::Private;
  declare_array(a, of_block);
  // A name that is free again may have been the other kind's.
  const std::string name = k_.text.buffer(a.name);
  if (of_block)
    private_.erase(name);
  else
    private_.insert(name);
}

void DeviceKernel::declare_array(const Allocate& a, bool of_block) {
  const auto n = constant_of(a.count);
  if (of_block && a.at) return allocate_at_launch(a);
  if (!n) throw Bug("'" + a.name + "' is allocated inside a kernel with a count that is no constant");
  if (!of_block) return k_.declare_on_stack(a, "");
  const std::string count = std::to_string(std::max<std::int64_t>(*n, 1)), type = k_.text.memory_type(a.type.scalar);
  const bool of_warp = level_ == Level::Warp;
  std::string all = of_warp ? k_.text.fresh(a.name + "_of_warps") : k_.text.declare_buffer(a.name);
  if (words_.shared_at_head) {  // where all have one scope
    all += std::to_string(at_head_.size());
    if (!of_warp) k_.text.bind_buffer(a.name, all);
  }
  shared(type, all, of_warp ? std::to_string(warps_of(program_.launch)) + " * " + count : count);
  if (!of_warp) return;
  warp_allocates_ = true;
  const std::string own = k_.text.declare_buffer(a.name);
  k_.line(std::string(words_.block) + type + "* const " + own + " = " + all + " + " + thread() + " / " +
          std::to_string(program_.launch.warp) + " * " + count + ";");
}

// In the memory that the launch asks for, from the byte that the program says on; of a warp its own part.
void DeviceKernel::allocate_at_launch(const Allocate& a) {
  const std::string type = std::string(words_.block) + k_.text.memory_type(a.type.scalar);
  const std::string first = k_.text.operand(*a.at);
  const std::string own_part = level_ == Level::Warp ? " + " + thread() + " / " + std::to_string(program_.launch.warp) +
                                                           " * " + k_.text.operand(a.count)
                                                     : "";
  warp_allocates_ = warp_allocates_ || level_ == Level::Warp;
  const std::string own = k_.text.declare_buffer(a.name);
  k_.line(type + "* const " + own + " = (" + type + "*)(" + block_ + " + " + first + ")" + own_part + ";");
}

// Code between local loops is run by every thread of the block, or of the warp; what they share is stored by the first
// alone.
void DeviceKernel::store(const Store& s) {
  const bool shared = !private_.contains(k_.text.buffer(s.buffer));
  const std::string who = !shared                      ? ""
                          : level_ == Level::Workgroup ? "if (" + thread() + " == 0) "
                          : level_ == Level::Warp
                              ? "if (" + thread() + " % " + std::to_string(program_.launch.warp) + " == 0) "
                              : "";
  k_.line(who + k_.text.store(s));
}

DeviceText device_text(const DeviceWords& words, const Dialect& of_host, const host::Program& program,
                       const DeviceCall& call, const std::string& functions) {
  DeviceText out;
  CText declared(*words.dialect);  // what the kernels use of types and functions
  HostEntry entry(program, of_host);
  entry.launch = [&](const HostLaunch& l) {
    const bool narrow = entry.narrow() && host::loop_of(l.launch);
    DeviceKernel k(words, program.of, l, narrow);
    std::string text = k.text() + "\n";
    out.kernels.push_back({l.kernel, std::move(text), narrow, k.places()});
    declared.declare_what(k.declared());
    const auto with = [&](const std::string& index) { return call(l, index, entry.narrow(), k.passed()); };
    return narrow ? LaunchCall{with("int64_t"), with("int32_t")} : LaunchCall{with(""), ""};
  };
  out.entry = entry.text();
  out.declarations = declared.declarations(functions);
  out.asked = entry.asked();
  return out;
}

}  // namespace lockstep
