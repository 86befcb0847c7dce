// Stores past the caches pay from about 32 MiB on, on the machines where that was measured: below it what reads the
// array next finds it in a cache. A part is small, so that it and what it is made of stay in the first cache; parts
// begin where lines of memory do.
#include "codegen/targets/openmp_streamed.h"

#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

namespace {

constexpr std::int64_t default_least = 33554432;
constexpr std::size_t most_nodes = 100;

// Whether an index is the loop's number and what stays while the loop runs.
bool follows(const Expr& index, const std::string& number, const std::set<std::string>& made) {
  const auto s = as_size(index);
  if (!s) return false;
  const Size from = *s - Size::name(number);
  std::set<std::string> names;
  collect_names(from, names);
  return !mentions(from, number) &&
         std::none_of(names.begin(), names.end(), [&](const std::string& n) { return made.count(n) > 0; });
}

// Whether an array is read at a stride: such reads, and not the stores, are what the loop waits for.
bool is_strided(const Load& l, const std::string& number) {
  const auto s = as_size(*l.index);
  const Size i = Size::name(number);
  return s && mentions(*s, number) && mentions(*s - i, number) && mentions(*s + i, number);
}

// A loop of few iterations, as at the border of a grid.
bool is_short(const Expr& extent) {
  constexpr std::int64_t fewest = 4;
  const auto n = constant_of(extent);
  return n && *n < fewest;
}

// Statements of a body that every iteration runs.
void each_always(const Stmt& s, const OnStmt& f) {
  if (const auto* b = std::get_if<Block>(&s.node))
    for (const Stmt& x : b->statements) each_always(x, f);
  else
    f(s);
}

}  // namespace

std::map<std::string, const Store*> streamed_stores(const std::string& name, const Expr& extent, const Stmt& body) {
  if (is_short(extent)) return {};
  if (has<For, While, ParallelFor, Allocate, Check, Barrier, Shuffle, Atomic>(body)) return {};
  std::size_t nodes = 0;
  bool strided = false;
  std::set<std::string> made;
  std::map<std::string, int> uses;  // of each buffer: stores, and reads
  each_node(
      body,
      [&](const Stmt& s) {
        ++nodes;
        if (const auto* d = std::get_if<Declare>(&s.node)) made.insert(d->name);
        if (const auto* a = std::get_if<Assign>(&s.node)) made.insert(a->name);
        if (const auto* t = std::get_if<Store>(&s.node)) ++uses[t->buffer];
      },
      [&](const Expr& e) {
        ++nodes;
        if (const auto* l = std::get_if<Load>(&e.node)) ++uses[l->buffer], strided = strided || is_strided(*l, name);
        if (const auto* l = std::get_if<VectorLoad>(&e.node)) ++uses[l->buffer];
      });
  if (nodes > most_nodes || strided || made.count(name) > 0) return {};
  std::map<std::string, const Store*> out;
  each_always(body, [&](const Stmt& s) {
    const auto* t = std::get_if<Store>(&s.node);
    if (t && t->value.type.width == 1 && uses[t->buffer] == 1 && follows(t->index, name, made)) out[t->buffer] = t;
  });
  return out;
}

void StreamedLoops::in_memory(const std::string& array, KType type, const Expr& count, const std::string& bytes) {
  if (s_.text.dialect().vectors.streams.empty()) return;  // it has no such stores
  const auto n = constant_of(count);
  if (!n || *n >= default_least / bytes_of(type.scalar)) bytes_.insert_or_assign(array, bytes);
}

bool StreamedLoops::is_streamed(const Store& t) const {
  const bool named = bytes_.count(s_.text.buffer(t.buffer)) > 0;
  const auto elsewhere = [&](const std::string& round) { return reads(t.index, round); };
  return named && std::all_of(s_.rounds().begin(), s_.rounds().end(), elsewhere);
}

bool StreamedLoops::itself(const ParallelFor& loop, const std::vector<std::string>& rounds) const {
  const auto stores = streamed_stores(loop.name, loop.extent, *loop.body);
  return std::any_of(stores.begin(), stores.end(), [&](const auto& s) {
    return is_streamed(*s.second) &&
           std::all_of(rounds.begin(), rounds.end(), [&](const std::string& r) { return reads(s.second->index, r); });
  });
}

bool StreamedLoops::in(const ParallelFor& loop) const {
  bool found = false;
  std::set<std::string> own;
  for (const Allocate& a : loop.scratch) own.insert(a.name);
  const auto body = [&](const std::string& name, const Expr& extent, const Stmt& of) {
    for (const auto& [buffer, t] : streamed_stores(name, extent, of))
      found = found || (own.count(buffer) == 0 && is_streamed(*t));
  };
  each_statement(*loop.body, [&](const Stmt& x) {  // outermost first
    if (const auto* a = std::get_if<Allocate>(&x.node)) own.insert(a->name);
    if (const auto* f = std::get_if<For>(&x.node)) body(f->name, f->extent, *f->body);
    const auto* f = std::get_if<ParallelFor>(&x.node);
    if (!f) return;
    for (const Allocate& a : f->scratch) own.insert(a.name);
    body(f->name, f->extent, *f->body);
  });
  return found;
}

bool StreamedLoops::store(const Store& t) {
  const auto part = parts_.find(s_.text.buffer(t.buffer));
  if (part == parts_.end()) return false;
  s_.line(part->second.own + "[" + part->second.place + "] = " + s_.text.expression(t.value) + ";");
  return true;
}

// Of the array's element that is stored where the loop's number is `at`.
std::string StreamedLoops::address(const Store& t, const std::string& name, const std::string& at) {
  const std::size_t names = s_.text.mark();
  s_.text.bind_variable(name, at);
  const std::string out = "&" + s_.text.buffer(t.buffer) + "[" + s_.text.expression(t.index) + "]";
  s_.text.release(names);
  return out;
}

void StreamedLoops::loop(const Loop& x) {
  const std::string& name = x.name;
  std::map<std::string, const Store*> stores;
  for (const auto& [buffer, t] : streamed_stores(name, x.extent, x.body))
    if (is_streamed(*t)) stores.emplace(buffer, t);
  if (stores.empty()) return x.plain();
  used_ = true;
  s_.text.use_streams();
  const std::size_t names = s_.text.mark();
  const Store& first = *stores.begin()->second;
  const std::string array = s_.text.buffer(first.buffer), count = s_.count(name, x.extent);
  s_.open("if (" + bytes_.at(array) + " >= " + least_streamed + " && double(" + count + ") * sizeof *" + array +
          " >= " + least_streamed + " / 32768)");
  const std::string parts = s_.text.fresh("parts"), k = s_.text.fresh("part");
  s_.line("const StreamedParts " + parts + "(" + address(first, name, "0") + ", " + count + ");");
  if (x.threads == Threads::Own) {
    s_.line("#pragma omp parallel");
    s_.open("");
    s_.line("#pragma omp for schedule(static) nowait");
  }
  const bool by_groups = x.scan && x.threads == Threads::None;
  std::optional<ScanInGroups> groups;
  if (by_groups) groups.emplace(s_, *x.scan, parts, name).open(), scans_ = true;
  s_.open("for (int64_t " + k + " = " + (groups ? groups->part_from() : "0") + "; " + k + " < " +
          (groups ? groups->part_to() : parts + ".number") + "; ++" + k + ")");
  const std::string from = s_.text.fresh("from"), to = s_.text.fresh("to");
  s_.line("const int64_t " + from + " = " + parts + ".from(" + k + "), " + to + " = " + parts + ".from(" + k +
          " + 1);");
  const std::string i = s_.text.declare_variable(name);
  for (const auto& [buffer, t] : stores) {
    const std::string own = s_.text.fresh(buffer + "_part");
    s_.line("alignas(64) " + s_.text.memory_type(t->value.type.scalar) + " " + own + "[" + streamed_part + "];");
    parts_.emplace(s_.text.buffer(buffer), Part{own, i + " - " + from});
  }
  x.pragma();
  s_.open("for (int64_t " + i + " = " + from + "; " + i + " < " + to + "; ++" + i + ")");
  x.inside();
  s_.close();
  for (const auto& [buffer, t] : stores)
    s_.line("stream_all(" + address(*t, name, from) + ", " + parts_.at(s_.text.buffer(buffer)).own + ", " + to + " - " +
            from + ");");
  parts_.clear();
  s_.close();
  if (groups) groups->close();
  if (!groups && x.threads != Threads::Around) s_.line("stream_fence();");
  if (x.threads == Threads::Own) s_.close();
  s_.text.release(names);
  if (by_groups) {
    s_.otherwise(has_groups(count));
    s_.line("const StreamedParts " + parts + "(" + address(first, name, "0") + ", " + count + ");");
    ScanInGroups whole(s_, *x.scan, parts, name);
    whole.open();
    const std::string j = s_.text.declare_variable(name);
    x.pragma();
    whole.open_rounds(j);
    x.inside();
    s_.close();
    whole.close();
    s_.text.release(names);
  }
  s_.otherwise();
  x.plain();
  s_.close();
}

std::string StreamedLoops::text() {
  const std::string least = least_streamed, part = streamed_part;
  return "#ifndef " + least + "\n#define " + least + " " + std::to_string(default_least) + "\n#endif\n#ifndef " + part +
         "\n#define " + part + " 256\n#endif\n" +
         R"(// Rounds of a loop that fills an array from `to` on: all but the first begin where a line of memory does.
struct StreamedParts {
  int64_t rounds, lead, number;
  template <class T>
  StreamedParts(const T* to, int64_t n)
      : rounds(n < 0 ? 0 : n),
        lead(int64_t((uintptr_t)to % 64 / sizeof(T)) % )" +
         part + R"(),
        number((rounds + lead + )" +
         part + " - 1) / " + part + R"() {}
  int64_t from(int64_t part) const {
    const int64_t at = part * )" +
         part + R"( - lead;
    return at < 0 ? 0 : at < rounds ? at : rounds;
  }
};
// Lines of memory past the caches, what is left before and behind them as other stores.
#if defined(__AVX512F__)
typedef uint8_t Streamed __attribute__((vector_size(64)));
#elif defined(__AVX__)
typedef uint8_t Streamed __attribute__((vector_size(32)));
#else
typedef uint8_t Streamed __attribute__((vector_size(16)));
#endif
__attribute__((noinline)) void stream_bytes(char* to, const char* from, int64_t bytes) {
  const int64_t lead = int64_t(-(uintptr_t)to % 64), before = lead < bytes ? lead : bytes;
  __builtin_memcpy(to, from, (uint64_t)before);
  const int64_t lines = before + (bytes - before) / 64 * 64;
  for (int64_t k = before; k < lines; k += int64_t(sizeof(Streamed))) {
    Streamed v;
    __builtin_memcpy(&v, from + k, sizeof v);
    stream_aligned(to + k, v);
  }
  __builtin_memcpy(to + lines, from + lines, (uint64_t)(bytes - lines));
}
template <class T>
void stream_all(T* to, const T* from, int64_t count) {
  if (count > 0) stream_bytes((char*)to, (const char*)from, count * int64_t(sizeof(T)));
}

)";
}

}  // namespace lockstep
