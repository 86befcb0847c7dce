// The kernel interpreter: the tree is compiled once to closures over a Machine, names resolved to slots, then run.
// In: a program with sizes and inputs; out: its outputs, or why it stopped. Its expressions are run_expressions.
#include "semantics/kernel/run.h"

#include <array>
#include <list>

#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/run_expressions.h"
#include "semantics/kernel/run_loops.h"
#include "semantics/kernel/run_together.h"
#include "semantics/kernel/walk.h"

namespace lockstep::kernel {
namespace {

std::string filled_in(const std::string& message, const std::vector<std::string>& values) {
  std::string r = message;
  for (std::size_t k = 0; k < values.size(); ++k) {
    std::string hole = "{" + std::to_string(k) + "}";
    for (std::size_t at = 0; (at = r.find(hole, at)) != std::string::npos; at += values[k].size())
      r.replace(at, hole.size(), values[k]);
  }
  return r;
}

// ------------------------------------------------------------------------------------------------- compilation
class Compiler {
 public:
  explicit Compiler(Machine& m) : m_(m) {}

  std::size_t variable(const std::string& name, KType t, bool index = false) {
    std::size_t at = m_.values.size();
    for (int l = 0; l < t.width; ++l) {
      m_.values.push_back(Scalar{t.scalar, 0, {}});
      m_.defined.push_back(index);
      m_.variables.push_back({name, 0});
    }
    slots_.variables.push_back({name, at, index});
    return at;
  }
  std::size_t memory(const std::string& name, Space space = Space::Global) {
    Memory memory;
    memory.name = name;
    memory.replicated = groups_.first && space == Space::Private;
    m_.memories.push_back(std::move(memory));
    slots_.memories.push_back({name, m_.memories.size() - 1});
    return m_.memories.size() - 1;
  }

  Step statement(const Stmt& s) {
    const Region* around = std::exchange(from_, s.region.source ? &s.region : from_);
    Step step = statement_here(s);
    from_ = around;
    return step;
  }

 private:
  Step statement_here(const Stmt& s) {
    return match(
        s.node, [&](const Block& b) { return block(b); }, [&](const Declare& d) { return declare(d); },
        [&](const Assign& a) { return set_to(slots_.variable(a.name).at, a.value); },
        [&](const Store& t) { return store(t); }, [&](const Atomic& a) { return atomic(a); },
        [&](const For& f) { return loop(f); }, [&](const Allocate& a) { return allocate(a); },
        [&](const ParallelFor& p) { return parallel(p); }, [&](const If& i) { return conditional(i); },
        [&](const While& w) { return while_loop(w); }, [&](const Check& c) { return check(c); },
        [&](const Barrier& b) { return Step([scope = b.scope](Machine& m) { m.barrier(scope); }); },
        [&](const Comment&) { return Step([](Machine&) {}); },
        [&](const Shuffle&) -> Step { ill_formed("a shuffle outside a loop over lanes"); });
  }
  template <class F>
  auto scoped(F f) {
    const std::size_t variables = slots_.variables.size(), memories = slots_.memories.size();
    auto r = f();
    slots_.variables.resize(variables);
    slots_.memories.resize(memories);
    return r;
  }

  // ---- expressions
  ExpressionCompiler expressions() const { return {m_.domain, slots_, from_}; }
  Word word(const Expr& e) const { return expressions().word(e); }
  Number number(const Expr& e) const { return expressions().number(e); }
  LanesOf lanes(const Expr& e) const { return expressions().lanes(e); }

  // ---- statements
  Step block(const Block& b) {
    return scoped([&]() -> Step {
      std::vector<Step> steps;
      for (const Stmt& s : b.statements)
        if (!std::holds_alternative<Comment>(s.node)) steps.push_back(statement(s));
      if (steps.size() == 1) return steps[0];
      return [steps](Machine& m) {
        const std::int64_t live = m.live;
        for (const Step& s : steps) s(m);
        m.live = live;
      };
    });
  }
  Step body(const Stmt& s) {
    return scoped([&] { return statement(s); });
  }

  Step declare(const Declare& d) {
    auto width = static_cast<std::size_t>(d.type.width);
    LanesOf init = d.init ? lanes(*d.init) : LanesOf{};
    std::size_t at = variable(d.name, d.type);
    return [at, width, init, from = from_](Machine& m) {
      std::array<Scalar, most_lanes> start;
      if (init) init(m, start.data());
      for (std::size_t k = 0; k < width; ++k) {
        m.declare(at + k);
        if (init) m.define(at + k, start[k], *from);
      }
    };
  }

  Step set_to(std::size_t at, const Expr& value) {
    if (value.type.width == 1) return [at, n = number(value), from = from_](Machine& m) { m.set(at, n(m), *from); };
    return [at, v = lanes(value), width = static_cast<std::size_t>(value.type.width), from = from_](Machine& m) {
      std::array<Scalar, most_lanes> all;
      v(m, all.data());
      for (std::size_t k = 0; k < width; ++k) m.set(at + k, all[k], *from);
    };
  }

  Step store(const Store& s) {
    std::size_t b = slots_.memory(s.buffer).at;
    if (s.value.type.width == 1)
      return [b, i = word(s.index), n = number(s.value), from = from_](Machine& m) {
        const StoringThread thread(m, b);
        std::int64_t at = signed_of(i(m));
        m.write(b, at, n(m), *from);
      };
    return [b, i = word(s.index), v = lanes(s.value), width = s.value.type.width, from = from_](Machine& m) {
      const StoringThread thread(m, b);
      std::array<Scalar, most_lanes> all;
      std::int64_t at = signed_of(i(m));
      v(m, all.data());
      for (int k = 0; k < width; ++k) m.write(b, at + k, all[static_cast<std::size_t>(k)], *from);
    };
  }
  Step atomic(const Atomic& a) {
    return [b = slots_.memory(a.buffer).at, i = word(a.index), n = number(a.value), by = a.primitive,
            from = from_](Machine& m) {
      const std::int64_t at = signed_of(i(m));
      m.update(b, at, *by, n(m), *from);
    };
  }
  // In code between local loops a store to shared memory, with what it reads, is the first thread's alone, or the
  // warp's first lane's.
  class StoringThread {
   public:
    StoringThread(Machine& m, std::size_t memory)
        : m_(m),
          alone_(m.options.detect_races && (m.inside == Level::Workgroup || m.inside == Level::Warp) &&
                 !m.memories[memory].replicated) {
      if (alone_ && m.inside == Level::Workgroup) m.as_thread(0);
      if (alone_ && m.inside == Level::Warp) m.as_lane(0);
    }
    StoringThread(const StoringThread&) = delete;
    ~StoringThread() {
      if (alone_) m_.as_all();
    }

   private:
    Machine& m_;
    const bool alone_;
  };

  Step loop(const For& f) {
    return scoped([&, extent = word(f.extent)]() -> Step {
      std::size_t at = variable(f.name, {}, true);
      return [at, extent, run = statement(*f.body)](Machine& m) {
        std::int64_t n = signed_of(extent(m));
        m.require_index(false, n);
        m.running.push_back(at);
        for (std::int64_t i = 0; i < n; ++i) {
          m.set_index(at, i);
          run(m);
        }
        m.running.pop_back();
      };
    });
  }

  Step allocate(const Allocate& a) {
    const Word count = word(a.count), first = a.at ? word(*a.at) : Word{};
    const std::int64_t scalar = bytes_of(a.type.scalar), each = scalar * (groups_.second ? m_.warps : 1);
    return [=, b = memory(a.name, a.space), from = from_](Machine& m) {
      const std::int64_t n = signed_of(count(m));
      m.allocate(b, n, *from);
      if (first) m.place(b, signed_of(first(m)), n * each, scalar, *from);
    };
  }

  Step parallel(const ParallelFor& p) {
    Word extent = word(p.extent), units = p.units ? word(*p.units) : Word{};
    std::vector<Word> counts;
    for (const Allocate& a : p.scratch) counts.push_back(word(a.count));
    const auto around = groups_;
    groups_ = {around.first || p.level == Level::Workgroup, p.level == Level::Warp};
    Step out = scoped([&]() -> Step {
      std::vector<std::pair<std::size_t, Word>> scratch;
      for (std::size_t k = 0; k < counts.size(); ++k)
        scratch.emplace_back(memory(p.scratch[k].name, p.scratch[k].space), counts[k]);
      const std::size_t first_memory = m_.memories.size() - scratch.size();
      const Dealt dealt{variable(p.name, {}, true), extent, units, from_, &p.body->region};
      if (p.level == Level::Local && has<Shuffle>(*p.body)) {
        const TogetherStep run = together().statement(*p.body);
        return together_loop(dealt, scratch, {dealt.at, m_.values.size(), first_memory, m_.memories.size()}, run);
      }
      Unit unit = [scratch, at = dealt.at, run = statement(*p.body), from = from_](Machine& m, const Rounds& rounds) {
        const std::int64_t live = m.live;
        for (const auto& [b, count] : scratch) m.allocate(b, signed_of(count(m)), *from);
        for (std::int64_t i = rounds.first; i < rounds.end; i += rounds.step) {
          m.set_index(at, i);
          run(m);
        }
        m.live = live;
      };
      if (p.level == Level::Workgroup) return parallel_loop(dealt, of_block(unit, dealt.body));
      if (p.level == Level::Warp) return parallel_loop(dealt, of_warp(unit, dealt.body));
      if (p.level == Level::Local) return local_loop(dealt, unit);
      return parallel_loop(dealt, unit);
    });
    groups_ = around;
    return out;
  }

  Step conditional(const If& i) {
    return
        [c = word(i.condition), a = body(*i.then), b = body(*i.otherwise)](Machine& m) { return c(m) ? a(m) : b(m); };
  }

  Step while_loop(const While& w) {
    return [c = word(w.condition), run = body(*w.body)](Machine& m) {
      while (c(m)) {
        if (++m.while_steps > m.options.while_limit && m.options.while_limit > 0)
          m.fault(FaultKind::Endless,
                  "while loops take more than " + std::to_string(m.options.while_limit) + " iterations");
        run(m);
      }
    };
  }

  Step check(const Check& c) {
    std::vector<Number> values;
    for (const Expr& v : c.values) values.push_back(number(v));
    return [ok = word(c.ok), values, &c](Machine& m) {
      if (ok(m)) return;
      std::vector<std::string> shown;
      for (const Number& n : values) shown.push_back(show(n(m), m.domain));
      throw TrapSignal{{c.primitive, filled_in(c.message, shown), c.region}};
    };
  }

  // Lanes that go on together, from shuffle to shuffle.
  TogetherCompiler together() {
    return TogetherCompiler({[this](const Stmt& s) { return statement(s); }, [this](const Expr& e) { return word(e); },
                             [this](const Expr& e) { return number(e); },
                             [this](const std::string& name, KType t, bool index) { return variable(name, t, index); },
                             [this] { return slots_; }, [this](const Slots& around) { slots_ = around; },
                             [this](const Region* at) { return std::exchange(from_, at); }});
  }

  Machine& m_;
  static inline const Region nowhere{};
  const Region* from_ = &nowhere;   // the statement that is compiled
  std::pair<bool, bool> groups_{};  // in a block; directly in a warp, so that what is allocated is each warp's
  Slots slots_;
};

// ------------------------------------------------------------------------------------------------- the program
std::int64_t count_of(const Buffer& b, const SizeValues& sizes) {
  auto n = evaluate(b.count, sizes);
  if (!n || *n < 0) ill_formed("sizes that give '" + b.name + "' no length");
  return *n;
}

void set_sizes(Machine& m, Compiler& c, const Program& p, const SizeValues& sizes) {
  for (const std::string& s : p.sizes) {
    auto value = sizes.find(s);
    if (value == sizes.end()) ill_formed("no value of the size '" + s + "'");
    m.set_index(c.variable(s, {}, true), value->second);
  }
}

void bind_inputs(Machine& m, Compiler& c, const Program& p, const SizeValues& sizes, const Buffers& inputs) {
  for (const Buffer& b : p.inputs) {
    auto given = inputs.find(b.name);
    std::int64_t n = count_of(b, sizes);
    if (given == inputs.end() || static_cast<std::int64_t>(given->second.size()) != n)
      ill_formed("no input '" + b.name + "' of " + std::to_string(n) + " scalars");
    Memory& memory = m.memories[c.memory(b.name)];
    memory.input = given->second.data();
    memory.count = n;
  }
}

Buffers collect(Machine& m, const Program& p, const std::vector<std::size_t>& slots) {
  Buffers r;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    Memory& memory = m.memories[slots[k]];
    for (std::size_t i = 0; i < static_cast<std::size_t>(memory.count); ++i)
      if (memory.written[i] != memory.epoch)
        m.fault(FaultKind::Uninitialised, "output " + memory.name + "[" + std::to_string(i) + "] is never written");
    memory.cells.resize(static_cast<std::size_t>(memory.count));
    r[p.outputs[k].name] = std::move(memory.cells);
  }
  return r;
}

// What the function gives, or why it stopped.
template <class F>
auto stopped(F f) -> tl::expected<decltype(f()), Stop> {
  try {
    return f();
  } catch (const TrapSignal& t) {
    return tl::unexpected(Stop{t.trap});
  } catch (const FaultSignal& f) {
    return tl::unexpected(Stop{f.fault});
  } catch (const UndecidedSignal& u) {
    return tl::unexpected(Stop{u});
  }
}

// An array of a device as a memory of the machine, and back again whatever happens.
class Borrowed {
 public:
  Borrowed(Machine& m, std::size_t at, DeviceArray& array) : m_(m), at_(at), array_(array) {
    Memory& memory = m_.memories[at_];
    memory.count = static_cast<std::int64_t>(array.cells.size());
    memory.epoch = 1;
    memory.cells = std::move(array.cells), memory.written = std::move(array.written);
  }
  Borrowed(const Borrowed&) = delete;
  ~Borrowed() {
    Memory& memory = m_.memories[at_];
    array_.cells = std::move(memory.cells);
    array_.written = std::move(memory.written);
  }

 private:
  Machine& m_;
  const std::size_t at_;
  DeviceArray& array_;
};

}  // namespace

tl::expected<Buffers, Stop> run(const Program& program, const SizeValues& sizes, const Buffers& inputs,
                                const Domain& domain, const RunOptions& options) {
  if (options.block_bytes > 0)
    if (auto why = too_large(program, sizes, {.block_bytes = options.block_bytes}))
      return tl::unexpected(Stop{Fault{FaultKind::TooLarge, std::move(*why)}});
  Machine m(domain, options, program.launch, index_range(program, sizes));
  Compiler c(m);
  set_sizes(m, c, program, sizes);
  bind_inputs(m, c, program, sizes, inputs);
  std::vector<std::size_t> outputs;
  for (const Buffer& b : program.outputs) outputs.push_back(c.memory(b.name));
  return stopped([&] {
    for (std::size_t k = 0; k < outputs.size(); ++k)
      m.allocate(outputs[k], count_of(program.outputs[k], sizes), Region{});
    m.live = m.counted.space = 0;  // parameters are not counted
    c.statement(program.body)(m);
    if (options.counted) *options.counted = m.counted;
    return collect(m, program, outputs);
  });
}

tl::expected<DeviceRun, Stop> run_on_device(const Program& program, const Stmt& kernel, const SizeValues& sizes,
                                            const std::map<std::string, std::int64_t>& numbers,
                                            const std::map<std::string, DeviceArray*>& arrays, const Domain& domain,
                                            const RunOptions& options) {
  Machine m(domain, options, program.launch, index_range(program, sizes));
  Compiler c(m);
  for (const auto& [name, value] : numbers) m.set_index(c.variable(name, {}, true), value);
  std::list<Borrowed> borrowed;
  for (const auto& [name, array] : arrays) borrowed.emplace_back(m, c.memory(name), *array);
  return stopped([&] {
    c.statement(kernel)(m);
    return DeviceRun{m.counted, m.while_steps};
  });
}

}  // namespace lockstep::kernel
