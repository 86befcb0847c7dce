// Loading, running and reading back compiled SVCODE (engine.h). In: a program, streams; out: streams, or a trap.
#include "codegen/streaming/engine.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "codegen/dialects/library.h"
#include "codegen/runtime/compile.h"
#include "codegen/runtime/files.h"
#include "codegen/runtime/memory.h"
#include "codegen/streaming/kernels/abi.h"
#include "semantics/core/memory_limit.h"
#include "semantics/snesl/evaluate.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::engine {
namespace {

using svcode::Atom;
using svcode::Instr;
using svcode::Prim;
using svcode::Stream;
using svcode::StreamId;

using Entry = std::int32_t (*)(const lockstep_stream*, lockstep_stream*, const lockstep_options*, lockstep_trap*);

using PlaceApart = const char* (*)(const char*);
using OnceApart = int (*)(const char*);
using SetApart = void (*)(PlaceApart, OnceApart);

// Whose files the running program has; the text that asks has no room for more than a name. Set while it runs.
const EngineFiles* files_apart = nullptr;
const char* place_apart(const char* name) { return files_apart->place(name); }
int once_apart(const char* name) { return files_apart->once(name); }

// What a leaf of the program holds, as the engine takes it.
EngineLeaf leaf_of(const Stream& s, Prim type) {
  const std::size_t width = engine_width(type);
  const std::shared_ptr<unsigned char> data = engine_room(s.size() * width);
  for (std::size_t i = 0; i < s.size(); ++i)
    if (width == 1)
      data.get()[i] = static_cast<unsigned char>(s[i].integer);
    else if (width == 8)
      std::memcpy(data.get() + 8 * i, &s[i].integer, 8);  // of a Real its bits
  return {static_cast<std::int64_t>(s.size()), data};
}

Stream stream_of(const EngineLeaf& leaf, Prim type) {
  Stream r(static_cast<std::size_t>(leaf.length), Atom{type, 0});
  const unsigned char* const data = leaf.data.get();
  for (std::size_t i = 0; i < r.size(); ++i)
    if (engine_width(type) == 1)
      r[i].integer = data[i];
    else if (engine_width(type) == 8)
      std::memcpy(&r[i].integer, data + 8 * i, 8);
  return r;
}

// Results as the entry gives them, freed at the end but for those that are taken.
struct Results {
  std::vector<lockstep_stream> leaves;
  explicit Results(std::size_t n) : leaves(n + 1) {}
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;
  ~Results() {
    for (lockstep_stream& s : leaves) std::free(s.data);
  }
  EngineLeaf taken(std::size_t k) {
    EngineLeaf r{leaves[k].length, {static_cast<unsigned char*>(leaves[k].data), std::free}};
    leaves[k].data = nullptr;
    return r;
  }
};

// Exceptions of a taker do not go through the program, which frees what it has when the run ends.
struct Taking {
  EngineTaker* taker = nullptr;
  std::exception_ptr thrown;
  static std::int32_t take(void* to, std::int32_t leaf, const void* elements, std::int64_t count) {
    auto& self = *static_cast<Taking*>(to);
    try {
      return self.taker->take(static_cast<std::size_t>(leaf), elements, count);
    } catch (...) {
      self.thrown = std::current_exception();
      return ECANCELED;
    }
  }
};

std::string quoted(const char* name) { return "'" + std::string(name) + "'"; }

}  // namespace

struct Engine::Loaded {
  svcode::Program program;
  CompiledLibrary library;
  Entry entry = nullptr;
  SetApart set_apart = nullptr;

  const Instr* instruction(StreamId id) const {
    for (const Instr& i : program.instructions)
      if (i.id == id) return &i;
    return nullptr;
  }

  Trap trap_of(const lockstep_trap& t) const {
    const Instr* i = instruction(static_cast<StreamId>(t.instruction));
    if (!i) throw Bug("the engine trapped at an instruction that the program lacks");
    if (i->opcode == svcode::Opcode::ReadFile || i->opcode == svcode::Opcode::ReadWhole) {
      const std::string why = t.error == -1   ? "it shrank while it was read"
                              : t.error == -2 ? snesl::read_twice(t.name)
                              : t.error == -3 ? "a zero byte ends its name"
                                              : system_message(t.error);
      return {"read_file", "cannot read " + quoted(t.name) + ": " + why, i->region};
    }
    std::vector<Atom> values;
    const bool check = i->opcode == svcode::Opcode::Check;
    for (std::size_t k = check; k < i->arguments.size(); ++k) {
      values.push_back({instruction(i->arguments[k])->type, t.values[k - check]});  // of a Real its bits
    }
    if (!check) {
      try {
        snesl::apply(i->op(), values, i->region);
      } catch (const TrapSignal& s) {
        return s.trap;
      }
      throw Bug("the engine trapped where " + snesl::name_of(i->op()) + " does not");
    }
    return svcode::trap_of(*i, values);
  }
};

namespace {

tl::expected<CompiledLibrary, EngineFailure> compile(std::string source, const std::string& name,
                                                     Engine::Effort effort) {
  CompileRequest request{std::move(source), engine_flags(), "engine_" + name, effort.keep};
  if (!effort.optimise)
    for (std::string& f : request.flags)
      if (f == "-O3") f = "-O0";
  for (const std::string& f : engine_libraries(true)) request.flags.push_back(f);
  tl::expected<CompiledLibrary, CompileFailure> library = compile_cached(request);
  if (library) return std::move(*library);
  return tl::unexpected(EngineFailure{machine_message(library.error(), "the engine's program")});
}

std::int64_t memory_left() {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(available_memory(), std::uint64_t{1} << 62));
}

EngineFailure failure_of(const lockstep_trap& trap) {
  if (trap.error == 0) throw Bug("the engine: " + std::string(trap.name));
  if (trap.error == EINVAL) return {"an output file has no usable name"};
  if (trap.error == ENOMEM && !trap.name[0])
    return {"the engine: not enough memory: the program has asked for " +
                show_bytes(static_cast<std::uint64_t>(trap.values[0])) + ", and " + show_bytes(available_memory()) +
                " are available",
            trap.values[0]};
  const std::string name = trap.name;
  return {name.empty()  ? "the engine: " + system_message(trap.error)
          : name == "-" ? standard_output_not_written(trap.error)
                        : not_written(name, trap.error)};
}

}  // namespace

tl::expected<Engine, EngineFailure> Engine::load(const transducer::Program& p, Effort effort) {
  const std::string text = engine_source(p, effort.parallel);
  tl::expected<CompiledLibrary, EngineFailure> library =
      compile(effort.apart ? engine_apart(text) : text, p.whole.code->name, effort);
  if (!library) return tl::unexpected(library.error());
  return of(p, *library, engine_entry(*p.whole.code));
}
tl::expected<std::vector<Engine>, EngineFailure> Engine::load_all(
    const std::vector<transducer::Program>& ps, Effort effort, const std::function<std::string(std::string)>& change) {
  std::string text = engine_source(ps, effort.parallel);
  if (change) text = change(std::move(text));
  tl::expected<CompiledLibrary, EngineFailure> library = compile(std::move(text), "many", effort);
  if (!library) return tl::unexpected(library.error());
  std::vector<Engine> r;
  for (std::size_t k = 0; k < ps.size(); ++k)
    r.push_back(of(ps[k], *library, "lockstep_engine_run" + std::to_string(k)));
  return r;
}
Engine Engine::of(const transducer::Program& p, const CompiledLibrary& library, const std::string& entry) {
  auto loaded = std::make_shared<Loaded>();
  loaded->program = *p.whole.code;
  loaded->library = library;
  loaded->entry = reinterpret_cast<Entry>(library.symbol(entry.c_str()));
  loaded->set_apart = reinterpret_cast<SetApart>(library.symbol("lockstep_engine_apart"));
  if (!loaded->entry) throw Bug("the engine's program has no entry");
  Engine e;
  e.loaded_ = std::move(loaded);
  return e;
}

std::size_t engine_width(Prim p) { return p == Prim::Unit ? 0 : p == Prim::Bool || p == Prim::Char ? 1 : 8; }

std::shared_ptr<unsigned char> engine_room(std::size_t bytes) {
  constexpr std::size_t beyond = 128;
  auto* const all = static_cast<unsigned char*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64 + 2 * beyond));
  if (!all) throw NotEnoughMemory(bytes);
  std::memset(all, 0, beyond);
  std::memset(all + beyond + bytes, 0, beyond);
  const std::shared_ptr<unsigned char> owner(all, std::free);
  return {owner, all + beyond};
}

std::vector<EngineLeaf> engine_leaves(const snesl::Values& values, const snesl::Type& type) {
  std::vector<EngineLeaf> r;
  const std::vector<svcode::InputLeaf> types = svcode::input_leaves(type);
  for (const Stream& s : svcode::represent(values, type)) r.push_back(leaf_of(s, types.at(r.size()).type));
  return r;
}

std::vector<Stream> EngineRun::result() const {
  std::vector<Stream> r;
  for (std::size_t k = 0; k < leaves.size(); ++k) r.push_back(stream_of(leaves[k], types[k]));
  return r;
}

tl::expected<EngineRun, EngineError> Engine::run(const std::vector<svcode::Stream>& inputs,
                                                 const EngineOptions& options) const {
  std::vector<EngineLeaf> leaves(inputs.size());
  for (const Instr& i : loaded_->program.instructions) {
    if (i.opcode != svcode::Opcode::Input) continue;
    const auto k = static_cast<std::size_t>(i.number());
    if (k >= inputs.size()) throw Bug("the engine was given too few inputs");
    leaves[k] = leaf_of(inputs[k], i.type);
  }
  return run(leaves, options);
}

tl::expected<EngineRun, EngineError> Engine::run(const std::vector<EngineLeaf>& inputs,
                                                 const EngineOptions& options) const {
  const svcode::Program& p = loaded_->program;
  std::vector<lockstep_stream> given(inputs.size() + 1);
  for (std::size_t k = 0; k < inputs.size(); ++k)
    given[k] = {const_cast<unsigned char*>(inputs[k].data.get()), inputs[k].length};
  const std::vector<StreamId> leaves = leaves_of(p.result);
  Results results(leaves.size());
  Taking taking{options.taker, {}};
  const lockstep_options how{options.chunk,
                             options.threads,
                             1,
                             options.memory > 0 ? options.memory : memory_left(),
                             options.taker ? Taking::take : nullptr,
                             &taking};
  auto trap = std::make_unique<lockstep_trap>();
  if (loaded_->set_apart) {
    if (!options.apart) throw Bug("the engine was loaded for files of its own, and is given none");
    files_apart = options.apart;
    loaded_->set_apart(place_apart, once_apart);
  }
  const std::int32_t status = loaded_->entry(given.data(), results.leaves.data(), &how, trap.get());
  if (taking.thrown) std::rethrow_exception(taking.thrown);
  if (status == 3) return tl::unexpected(EngineError(loaded_->trap_of(*trap)));
  if (status == 4) return tl::unexpected(EngineError(failure_of(*trap)));
  if (status != 0) throw Bug("the engine's entry gave " + std::to_string(status));
  EngineRun r;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    r.leaves.push_back(results.taken(k));
    r.types.push_back(loaded_->instruction(leaves[k])->type);
  }
  r.compile_seconds = loaded_->library.seconds;
  r.cached = loaded_->library.cached;
  r.note = loaded_->library.note;
  return r;
}

}  // namespace lockstep::engine
