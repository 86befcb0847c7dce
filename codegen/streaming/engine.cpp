// Loading, running and reading back compiled SVCODE (engine.h). In: a program, streams; out: streams, or a trap.
#include "codegen/streaming/engine.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "codegen/runtime/compile.h"
#include "codegen/runtime/files.h"
#include "codegen/streaming/kernels/abi.h"
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

std::size_t width(Prim p) { return p == Prim::Bool || p == Prim::Char ? 1 : 8; }

// The bytes of a leaf as the engine takes it.
std::vector<char> bytes_of(const Stream& s, Prim type) {
  std::vector<char> r(s.size() * width(type));
  for (std::size_t i = 0; i < s.size(); ++i)
    if (width(type) == 1)
      r[i] = static_cast<char>(s[i].integer);
    else
      std::memcpy(r.data() + 8 * i, &s[i].integer, 8);  // of a Real its bits
  return r;
}

Stream stream_of(const lockstep_stream& s, Prim type) {
  Stream r(static_cast<std::size_t>(s.length), Atom{type, {0}});
  if (type == Prim::Unit) return r;
  const auto* data = static_cast<const unsigned char*>(s.data);
  for (std::size_t i = 0; i < r.size(); ++i)
    if (width(type) == 1)
      r[i].integer = data[i];
    else
      std::memcpy(&r[i].integer, data + 8 * i, 8);
  return r;
}

// Results as the entry gives them, freed at the end.
struct Results {
  std::vector<lockstep_stream> leaves;
  explicit Results(std::size_t n) : leaves(n + 1) {}
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;
  ~Results() {
    for (lockstep_stream& s : leaves) std::free(s.data);
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
      Atom a{instruction(i->arguments[k])->type, {t.values[k - check]}};
      if (a.type == Prim::Real) std::memcpy(&a.real, &t.values[k - check], 8);
      values.push_back(a);
    }
    if (!check) {
      try {
        snesl::apply(i->op, values, i->region);
      } catch (const TrapSignal& s) {
        return s.trap;
      }
      throw Bug("the engine trapped where " + std::string(name_of(i->op)) + " does not");
    }
    return svcode::trap_of(*i, values);
  }
};

namespace {

tl::expected<CompiledLibrary, EngineFailure> compile(std::string source, const std::string& name, bool optimise) {
  CompileRequest request{std::move(source), engine_flags(), "engine_" + name};
  if (!optimise)
    for (std::string& f : request.flags)
      if (f == "-O3") f = "-O0";
  for (const char* f : {"-lm", "-pthread"}) request.flags.emplace_back(f);
  tl::expected<CompiledLibrary, CompileFailure> library = compile_cached(request);
  if (library) return std::move(*library);
  return tl::unexpected(EngineFailure{machine_message(library.error(), "the engine's program")});
}

}  // namespace

tl::expected<Engine, EngineFailure> Engine::load(const svcode::Program& p, Effort effort) {
  const std::string text = engine_source(p, effort.parallel, effort.slack);
  tl::expected<CompiledLibrary, EngineFailure> library =
      compile(effort.apart ? engine_apart(text) : text, p.name, effort.optimise);
  if (!library) return tl::unexpected(library.error());
  return of(p, *library, engine_entry(p));
}
tl::expected<std::vector<Engine>, EngineFailure> Engine::load_all(const std::vector<svcode::Program>& ps, Effort effort,
                                                                  const std::function<std::string(std::string)>& change,
                                                                  const std::vector<std::int64_t>& slack) {
  std::string text = engine_source(ps, effort.parallel, slack);
  if (change) text = change(std::move(text));
  tl::expected<CompiledLibrary, EngineFailure> library = compile(std::move(text), "many", effort.optimise);
  if (!library) return tl::unexpected(library.error());
  std::vector<Engine> r;
  for (std::size_t k = 0; k < ps.size(); ++k)
    r.push_back(of(ps[k], *library, "lockstep_engine_run" + std::to_string(k)));
  return r;
}
Engine Engine::of(const svcode::Program& p, const CompiledLibrary& library, const std::string& entry) {
  auto loaded = std::make_shared<Loaded>();
  loaded->program = p;
  loaded->library = library;
  loaded->entry = reinterpret_cast<Entry>(library.symbol(entry.c_str()));
  loaded->set_apart = reinterpret_cast<SetApart>(library.symbol("lockstep_engine_apart"));
  if (!loaded->entry) throw Bug("the engine's program has no entry");
  Engine e;
  e.loaded_ = std::move(loaded);
  return e;
}

tl::expected<EngineRun, EngineError> Engine::run(const std::vector<svcode::Stream>& inputs,
                                                 const EngineOptions& options) const {
  const svcode::Program& p = loaded_->program;
  std::vector<std::vector<char>> bytes(inputs.size());
  std::vector<lockstep_stream> given(inputs.size() + 1);
  for (const Instr& i : p.instructions) {
    if (i.opcode != svcode::Opcode::Input) continue;
    const auto k = static_cast<std::size_t>(i.number);
    if (k >= inputs.size()) throw Bug("the engine was given too few inputs");
    bytes[k] = bytes_of(inputs[k], i.type);
    given[k] = {bytes[k].data(), static_cast<std::int64_t>(inputs[k].size())};
  }
  const std::vector<StreamId> leaves = leaves_of(p.result);
  Results results(leaves.size());
  const lockstep_options how{options.chunk, options.threads};
  auto trap = std::make_unique<lockstep_trap>();
  if (loaded_->set_apart) {
    if (!options.apart) throw Bug("the engine was loaded for files of its own, and is given none");
    files_apart = options.apart;
    loaded_->set_apart(place_apart, once_apart);
  }
  const std::int32_t status = loaded_->entry(given.data(), results.leaves.data(), &how, trap.get());
  if (status == 3) return tl::unexpected(EngineError(loaded_->trap_of(*trap)));
  if (status == 4) {
    if (trap->error == 0) throw Bug("the engine: " + std::string(trap->name));
    if (trap->error == EINVAL) return tl::unexpected(EngineError(EngineFailure{"an output file has no usable name"}));
    const std::string name = trap->name;
    return tl::unexpected(EngineError(EngineFailure{name.empty()  ? "the engine: " + system_message(trap->error)
                                                    : name == "-" ? standard_output_not_written(trap->error)
                                                                  : not_written(name, trap->error)}));
  }
  if (status != 0) throw Bug("the engine's entry gave " + std::to_string(status));
  EngineRun r;
  for (std::size_t k = 0; k < leaves.size(); ++k)
    r.result.push_back(stream_of(results.leaves[k], loaded_->instruction(leaves[k])->type));
  r.compile_seconds = loaded_->library.seconds;
  r.cached = loaded_->library.cached;
  r.note = loaded_->library.note;
  return r;
}

}  // namespace lockstep::engine
