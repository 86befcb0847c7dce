// Host programs, statement by statement (run.h); kernels are run by the kernel interpreter on the device's memory.
#include "semantics/host/run.h"

#include <algorithm>
#include <bit>

#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/machine.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/units.h"

namespace lockstep::host {

using kernel::Fault, kernel::FaultKind, kernel::FaultSignal;

std::int64_t class_of(std::int64_t bytes) {
  const auto n = static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 1));
  const std::uint64_t step = std::max<std::uint64_t>(256, std::bit_floor(n) / 8);
  return static_cast<std::int64_t>((n + step - 1) / step * step);
}

namespace {

struct StopSignal {
  kernel::Stop stop;
};

[[noreturn]] void fault(FaultKind kind, const std::string& message) { throw FaultSignal{{kind, message}}; }

class Run {
 public:
  Run(const Program& p, const SizeValues& sizes, const kernel::Buffers& inputs, const Domain& domain,
      const kernel::RunOptions& options)
      : program_(p), by_value_(by_value(p)), sizes_(sizes), inputs_(inputs), domain_(domain), options_(options) {
    for (const std::string& s : p.of.sizes) numbers_.emplace_back(s, sizes.at(s));
    for (const std::string& name : by_value_) {
      const auto given = inputs.find(name);
      if (given == inputs.end() || given->second.size() != 1) throw Bug("no input '" + name + "' of one scalar");
      scalars_[name] = {given->second, {1}};
    }
  }

  kernel::Buffers all() {
    statement(program_.body);
    finished();
    for (const kernel::Buffer& b : program_.of.outputs)
      if (!outputs_.contains(b.name)) fault(FaultKind::Uninitialised, "output " + b.name + " is never fetched");
    if (options_.counted) *options_.counted = counted_;
    return std::move(outputs_);
  }
  Usage usage;

 private:
  // ---- numbers of the host
  std::int64_t value(const kernel::Expr& e) const {
    if (const auto* c = std::get_if<kernel::Const>(&e.node)) return c->value.integer();
    if (const auto* v = std::get_if<kernel::Var>(&e.node)) return number(v->name);
    const auto* a = std::get_if<kernel::Arith>(&e.node);
    if (!a) fault(FaultKind::WrongLaunch, "the host does not compute " + kernel::print(e));
    return computed(a->op, value(*a->left), value(*a->right));
  }
  std::int64_t number(const std::string& name) const {
    const auto it = std::find_if(numbers_.rbegin(), numbers_.rend(), [&](const auto& n) { return n.first == name; });
    if (it == numbers_.rend()) fault(FaultKind::Uninitialised, "the host has no '" + name + "'");
    return it->second;
  }
  static std::int64_t computed(kernel::ArithOp op, std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    bool beyond = false;
    switch (op) {
      case kernel::ArithOp::Add:
        beyond = __builtin_add_overflow(a, b, &r);
        break;
      case kernel::ArithOp::Subtract:
        beyond = __builtin_sub_overflow(a, b, &r);
        break;
      case kernel::ArithOp::Multiply:
        beyond = __builtin_mul_overflow(a, b, &r);
        break;
      case kernel::ArithOp::Divide:
      case kernel::ArithOp::Modulo:
        if (a < 0 || b < 1)
          fault(FaultKind::BadDivision, "the host divides " + std::to_string(a) + " by " + std::to_string(b));
        r = op == kernel::ArithOp::Divide ? a / b : a % b;
        break;
      case kernel::ArithOp::Less:
        r = a < b;
        break;
      case kernel::ArithOp::LessEqual:
        r = a <= b;
        break;
      case kernel::ArithOp::Equal:
        r = a == b;
        break;
      case kernel::ArithOp::And:
        r = a && b;
        break;
    }
    if (beyond) fault(FaultKind::Overflow, "the host's " + beyond_64());
    return r;
  }
  static std::string beyond_64() { return kernel::beyond(kernel::IndexRange{}); }

  // ---- memory of the device
  struct Array {
    std::string name;
    kernel::KType type;
    std::int64_t bytes;  // of its block in the pool
    kernel::DeviceArray memory{};
    bool released = false;
  };
  Array& array(const std::string& name) {
    const auto it = std::find_if(arrays_.rbegin(), arrays_.rend(), [&](const Array& a) { return a.name == name; });
    if (it == arrays_.rend()) fault(FaultKind::Released, "'" + name + "' is used, and was never acquired");
    if (it->released) fault(FaultKind::Released, "'" + name + "' is used after its release");
    return *it;
  }
  // The last of that name that is still there.
  Array& held(const std::string& name) {
    const auto it =
        std::find_if(arrays_.rbegin(), arrays_.rend(), [&](const Array& a) { return a.name == name && !a.released; });
    return it == arrays_.rend() ? array(name) : *it;
  }
  void acquire(const Acquire& a) {
    const std::int64_t n = value(a.count);
    constexpr std::int64_t most = std::int64_t{1} << 30;
    if (n < 0 || n > most)
      fault(FaultKind::OutOfBounds, "'" + a.array + "' is acquired with " + std::to_string(n) + " scalars");
    const std::int64_t bytes = class_of(n * bytes_of(a.type.scalar));
    ++usage.taken;
    if (const auto it = idle_.find(bytes); it != idle_.end() && it->second > 0)
      --it->second;
    else
      ++usage.taken_anew, usage.memory += bytes;
    const auto count = static_cast<std::size_t>(n);
    arrays_.push_back({a.array, a.type, bytes, {std::vector<Scalar>(count), std::vector<std::uint32_t>(count, 0)}});
    live_ += n;
    counted_.space = std::max(counted_.space, live_);
  }
  void release(Array& a) {
    live_ -= static_cast<std::int64_t>(a.memory.cells.size());
    a.released = true;
    a.memory = {};
    ++idle_[a.bytes];
  }

  // ---- transfers
  static const kernel::Buffer& among(const std::vector<kernel::Buffer>& all, const std::string& name) {
    if (const kernel::Buffer* b = parameter(all, name)) return *b;
    fault(FaultKind::OutOfBounds, "'" + name + "' is moved, and is no parameter");
  }
  // Scalars that are moved: as many as the host's array has, which the device's has to hold.
  std::size_t moved(const kernel::Buffer& b, const Array& a) {
    const auto n = evaluate(b.count, sizes_);
    const auto here = static_cast<std::int64_t>(a.memory.cells.size());
    if (!n || *n != here)
      fault(FaultKind::OutOfBounds,
            "'" + b.name + "' has " + show(b.count) + " scalars, and " + std::to_string(here) + " on the device");
    counted_.work += 2 * *n, counted_.depth += 2 * *n, counted_.writes += *n;
    return static_cast<std::size_t>(*n);
  }
  void send(const std::string& name) {
    const kernel::Buffer& b = among(program_.of.inputs, name);
    Array& a = array(name);
    const std::size_t n = moved(b, a);
    const std::vector<Scalar>& given = inputs_.at(name);
    if (given.size() != n) throw Bug("no input '" + name + "' of " + std::to_string(n) + " scalars");
    a.memory = {given, std::vector<std::uint32_t>(n, 1)};
    usage.bytes_sent += static_cast<std::int64_t>(n) * bytes_of(b.type.scalar);
  }
  void fetch(const std::string& name) {
    const kernel::Buffer& b = among(program_.of.outputs, name);
    Array& a = array(name);
    const std::size_t n = moved(b, a);
    for (std::size_t i = 0; i < n; ++i)
      if (!a.memory.written[i])
        fault(FaultKind::Uninitialised, "output " + name + "[" + std::to_string(i) + "] is never written");
    outputs_[name] = a.memory.cells;
    usage.bytes_fetched += static_cast<std::int64_t>(n) * bytes_of(b.type.scalar);
  }
  void read(const Read& r) {
    const Array& a = array(r.array);
    if (a.memory.cells.empty() || !a.memory.written[0])
      fault(FaultKind::Uninitialised, r.array + "[0] is read before it is written");
    ++usage.reads, ++counted_.work, ++counted_.depth;
    numbers_.emplace_back(r.name, a.memory.cells[0].integer());
  }

  // ---- kernels
  // The iterations of the units that were launched: what other units would have run is left out.
  kernel::Stmt launched(const Launch& l, const kernel::ParallelFor& p) {
    const lockstep::Launch& how = program_.of.launch;
    if (l.grid.threads != how.block)
      fault(FaultKind::WrongLaunch, "blocks of " + std::to_string(l.grid.threads) + " threads, the program's have " +
                                        std::to_string(how.block));
    const std::int64_t count = value(l.grid.count), each = p.level == Level::Workgroup ? 1 : l.grid.threads;
    const std::int64_t there = blocks_of(l.grid, count) * each;
    const std::int64_t units = p.units ? value(*p.units) : 0;
    if (!p.units) fault(FaultKind::WrongLaunch, "the loop over '" + p.name + "' is not dealt out");
    if (there > units)
      fault(FaultKind::WrongLaunch, std::to_string(there) + " units of the loop over '" + p.name +
                                        "' are launched, it is dealt out to " + std::to_string(units));
    const auto needed = kernel::block_memory(p, how).bytes_at_launch();
    const auto bytes = needed ? evaluate(*needed, sizes_) : std::nullopt;
    if (bytes && value(l.grid.bytes) < *bytes)
      fault(FaultKind::WrongLaunch, "a block of the loop over '" + p.name + "' needs " + std::to_string(*bytes) +
                                        " bytes, and is launched with " + std::to_string(value(l.grid.bytes)));
    if (there >= std::min(units, value(p.extent))) return l.body;
    using kernel::ArithOp;
    const kernel::Expr unit = kernel::arith(ArithOp::Modulo, kernel::variable(p.name), *p.units);
    kernel::ParallelFor out = p;
    out.body = kernel::Stmt{
        kernel::If{kernel::arith(ArithOp::Less, unit, kernel::constant(there)), p.body, kernel::Stmt{kernel::Block{}}}};
    return {std::move(out)};
  }
  void launch(const Launch& l) {
    const auto* p = loop_of(l);
    const kernel::Stmt body = p ? launched(l, *p) : l.body;
    const Taken taken = taken_by(l.body, by_value_);
    std::map<std::string, std::int64_t> numbers;
    for (const std::string& n : taken.numbers) numbers[n] = number(n);
    std::map<std::string, kernel::DeviceArray*> arrays;
    for (const std::string& n : taken.arrays) arrays[n] = &array(n).memory;
    for (const std::string& n : taken.scalars) arrays[n] = &scalars_.at(n);
    kernel::RunOptions options = options_;
    options.counted = nullptr;
    options.while_limit = left();
    ++usage.launches;
    const auto done = kernel::run_on_device(program_.of, body, sizes_, numbers, arrays, domain_, options);
    if (!done) {
      const auto* trap = std::get_if<Trap>(&done.error());
      if (!trap) throw StopSignal{done.error()};
      trap_ = *trap;
      return;
    }
    rounds_ += done->while_steps;
    counted_.work += done->counted.work, counted_.depth += done->counted.depth;
    counted_.writes += done->counted.writes;
    counted_.space = std::max(counted_.space, live_ + done->counted.space);
  }
  std::uint64_t left() const {
    if (options_.while_limit == 0) return 0;
    return rounds_ < options_.while_limit ? options_.while_limit - rounds_ : 1;
  }
  void finished() const {
    if (trap_) fault(FaultKind::WrongLaunch, "a kernel trapped, and nothing waited for it");
  }

  // ---- statements
  template <class F>
  void scoped(F f) {
    const std::size_t numbers = numbers_.size(), arrays = arrays_.size();
    f();
    numbers_.resize(numbers);
    for (std::size_t k = arrays; k < arrays_.size(); ++k)
      if (!arrays_[k].released) fault(FaultKind::Released, "'" + arrays_[k].name + "' is not released");
    arrays_.erase(arrays_.begin() + static_cast<std::ptrdiff_t>(arrays), arrays_.end());
  }
  void inside(const Stmt& s) {
    scoped([&] { statement(s); });
  }
  // Of a scope that another has opened.
  void statements(const Stmt& s) {
    const auto* b = std::get_if<Block>(&s.node);
    if (!b) return statement(s);
    for (const Stmt& x : b->statements) statement(x);
  }
  void statement(const Stmt& s) {
    if (!std::holds_alternative<Finish>(s.node)) finished();
    match(
        s.node, [&](const Block&) { scoped([&] { statements(s); }); }, [&](const Acquire& a) { acquire(a); },
        [&](const Release& r) { release(held(r.array)); }, [&](const Send& x) { send(x.array); },
        [&](const Fetch& x) { fetch(x.array); }, [&](const Read& r) { read(r); }, [&](const Launch& l) { launch(l); },
        [&](const Finish&) {
          if (trap_) throw StopSignal{*trap_};
        },
        [&](const For& f) {
          for (std::int64_t i = 0, n = value(f.extent); i < n; ++i)
            scoped([&] {
              numbers_.emplace_back(f.name, i);
              statement(*f.body);
            });
        },
        [&](const If& i) { inside(value(i.condition) ? *i.then : *i.otherwise); },
        [&](const While& w) {
          for (bool goes_on = true; goes_on;)
            scoped([&] {
              statements(*w.before);
              goes_on = value(w.condition);
              if (!goes_on) return;
              if (options_.while_limit > 0 && ++rounds_ > options_.while_limit)
                fault(FaultKind::Endless,
                      "while loops take more than " + std::to_string(options_.while_limit) + " iterations");
              inside(*w.body);
            });
        });
  }

  const Program& program_;
  const std::set<std::string> by_value_;
  const SizeValues& sizes_;
  const kernel::Buffers& inputs_;
  const Domain& domain_;
  const kernel::RunOptions& options_;
  std::vector<std::pair<std::string, std::int64_t>> numbers_;  // in scope, the innermost last
  std::map<std::string, kernel::DeviceArray> scalars_;         // inputs of one scalar
  std::vector<Array> arrays_;                                  // acquired in the scopes around, the innermost last
  std::map<std::int64_t, std::int64_t> idle_;                  // blocks of the pool, by their bytes
  std::optional<Trap> trap_;                                   // of a kernel, that nothing has waited for
  kernel::Buffers outputs_;
  Counted counted_;
  std::int64_t live_ = 0;
  std::uint64_t rounds_ = 0;
};

}  // namespace

tl::expected<kernel::Buffers, kernel::Stop> run(const Program& program, const SizeValues& sizes,
                                                const kernel::Buffers& inputs, const Domain& domain,
                                                const kernel::RunOptions& options, Usage* usage) {
  Run run(program, sizes, inputs, domain, options);
  try {
    kernel::Buffers out = run.all();
    if (usage) *usage = run.usage;
    return out;
  } catch (const StopSignal& s) {
    return tl::unexpected(s.stop);
  } catch (const FaultSignal& f) {
    return tl::unexpected(kernel::Stop{f.fault});
  }
}

}  // namespace lockstep::host
