// A block's memory added up, laid out and compared with what there is (block_memory.h).
#include "semantics/kernel/block_memory.h"

#include <algorithm>

#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"

namespace lockstep::kernel {
namespace {

using Arrays = std::vector<BlockArray>;

void collect(const Stmt& s, const Launch& launch, Level around, Arrays& out) {
  const auto add = [&](const Allocate& a, Level level) {
    if (a.space == Space::Private || (level != Level::Workgroup && level != Level::Warp)) return;
    out.push_back({a, level == Level::Warp ? warps_of(launch) : 1});
  };
  const auto inner = [&](const StmtRef& r) { collect(*r, launch, around, out); };
  match(
      s.node,
      [&](const Block& b) {
        for (const Stmt& x : b.statements) collect(x, launch, around, out);
      },
      [](const Declare&) {}, [](const Assign&) {}, [](const Store&) {}, [](const Atomic&) {},
      [&](const For& f) { inner(f.body); }, [&](const Allocate& a) { add(a, around); },
      [&](const ParallelFor& p) {
        for (const Allocate& a : p.scratch) add(a, p.level);
        collect(*p.body, launch, p.level, out);
      },
      [&](const If& i) { inner(i.then), inner(i.otherwise); }, [&](const While& w) { inner(w.body); },
      [](const Check&) {}, [](const Barrier&) {}, [](const Comment&) {}, [](const Shuffle&) {});
}

template <class Which>
std::optional<Size> sum_of(const Arrays& arrays, Which which) {
  Size n = 0;
  for (const BlockArray& a : arrays) {
    if (!which(a)) continue;
    const auto bytes = a.bytes();
    if (!bytes) return {};
    n = n + *bytes;
  }
  return n;
}

// "it fits where 'a' has 12 scalars at most, not 16": the largest array, beside the others.
std::string fits_where(const Arrays& numbers, std::int64_t bytes, std::int64_t limit) {
  const auto size = [](const BlockArray& a) { return constant_of(a.array.count).value_or(0) * a.bytes_of_scalar(); };
  const auto largest = std::max_element(numbers.begin(), numbers.end(),
                                        [&](const BlockArray& a, const BlockArray& b) { return size(a) < size(b); });
  const std::int64_t most = (limit - (bytes - size(*largest))) / largest->bytes_of_scalar();
  if (most <= 0) return "";
  return ": it fits where '" + largest->array.name + "' has " + std::to_string(most) + " scalars at most, not " +
         std::to_string(*constant_of(largest->array.count));
}

}  // namespace

bool fits_thread(const Allocate& a) {
  constexpr std::int64_t most_bytes = 64 * 1024;
  const auto n = constant_of(a.count);
  const bool lasting = a.space == Space::Global || a.space == Space::Stream;
  return !lasting && n && *n >= 0 && *n <= most_bytes / bytes_of(a.type.scalar);
}

std::optional<Size> BlockArray::bytes() const {
  const auto n = as_size(array.count);
  return n ? std::optional(*n * Size(bytes_of_scalar())) : std::nullopt;
}

std::optional<Size> BlockMemory::bytes() const {
  return sum_of(arrays, [](const BlockArray&) { return true; });
}
std::optional<Size> BlockMemory::bytes_at_launch() const {
  return sum_of(arrays, [](const BlockArray& a) { return a.at_launch(); });
}

void each_launch(const Stmt& s, const std::function<void(const ParallelFor&)>& f) {
  if (const auto* p = std::get_if<ParallelFor>(&s.node)) return f(*p);
  if (const auto* b = std::get_if<Block>(&s.node))
    for (const Stmt& x : b->statements) each_launch(x, f);
  if (const auto* l = std::get_if<For>(&s.node)) each_launch(*l->body, f);
  if (const auto* w = std::get_if<While>(&s.node)) each_launch(*w->body, f);
  if (const auto* i = std::get_if<If>(&s.node)) each_launch(*i->then, f), each_launch(*i->otherwise, f);
}

BlockMemory block_memory(const ParallelFor& outermost, const Launch& launch) {
  BlockMemory out;
  collect(Stmt{outermost}, launch, Level::Seq, out.arrays);
  return out;
}

std::vector<BlockMemory> block_memories(const Program& program) {
  std::vector<BlockMemory> out;
  each_launch(program.body, [&](const ParallelFor& p) { out.push_back(block_memory(p, program.launch)); });
  return out;
}

// ------------------------------------------------------------------------------------------------- where arrays lie
std::vector<BlockArray> laid_out(const BlockMemory& memory) {
  std::vector<BlockArray> out;
  std::copy_if(memory.arrays.begin(), memory.arrays.end(), std::back_inserter(out),
               [](const BlockArray& a) { return a.at_launch() && a.bytes(); });
  std::stable_sort(out.begin(), out.end(), [](const BlockArray& a, const BlockArray& b) {
    return bytes_of(a.array.type.scalar) > bytes_of(b.array.type.scalar);
  });
  Size next = 0;
  for (BlockArray& a : out) {
    a.array.at = size_expr(next);
    next = next + *a.bytes();
  }
  return out;
}

std::vector<std::string> wrong_layout(const BlockMemory& memory, const SizeContext& sizes) {
  struct Lies {
    std::string name;
    Size first, end;
  };
  SizeContext known = sizes;  // and that no array has fewer than 0 scalars, of so many bytes
  for (const BlockArray& a : memory.arrays)
    if (const auto n = as_size(a.array.count); n && has_negative(*n))
      for (const std::int64_t bytes : {1, 2, 4, 8}) known.assume({0, SizeRelation::LessEqual, *n * Size(bytes)});
  std::vector<std::string> out;
  std::vector<Lies> placed;
  for (const BlockArray& a : memory.arrays) {
    if (!a.array.at) continue;
    const auto first = as_size(*a.array.at), bytes = a.bytes();
    const std::string name = "'" + a.array.name + "'";
    if (!first || !bytes) {
      out.push_back(name + " begins at " + print(*a.array.at) + ", which is no size");
      continue;
    }
    if (!known.proves({0, SizeRelation::LessEqual, *first}))
      out.push_back(name + " begins at " + show(*first) + ", before the memory");
    if (!(known.simplify(modulo(*first, bytes_of(a.array.type.scalar))) == Size(0)))
      out.push_back(name + " begins at " + show(*first) + ", which is no multiple of its scalars' " +
                    std::to_string(bytes_of(a.array.type.scalar)) + " bytes");
    const Lies lies{name, *first, *first + *bytes};
    for (const Lies& other : placed)
      if (!known.proves({other.end, SizeRelation::LessEqual, lies.first}) &&
          !known.proves({lies.end, SizeRelation::LessEqual, other.first}))
        out.push_back(other.name + " and " + name + " may overlap in the block's memory: one has the bytes from " +
                      show(other.first) + " to " + show(other.end) + ", the other from " + show(lies.first) + " to " +
                      show(lies.end));
    placed.push_back(lies);
  }
  return out;
}

// ------------------------------------------------------------------------------------------------- what there is
std::string beyond_memory(const std::string& bytes, std::int64_t limit, const BlockMemory& memory) {
  constexpr std::size_t most_told = 4;
  std::string arrays;
  for (std::size_t k = 0; k < std::min(memory.arrays.size(), most_told); ++k) {
    const auto n = memory.arrays[k].bytes();
    arrays += (k > 0 ? ", '" : "'") + memory.arrays[k].array.name + "' (" + (n ? show(*n) : "?") + ")";
  }
  if (memory.arrays.size() > most_told) arrays += " and " + std::to_string(memory.arrays.size() - most_told) + " more";
  return "a block would need " + bytes + " bytes of local memory, which has " + std::to_string(limit) + ", for " +
         arrays;
}

std::optional<std::int64_t> greatest_that_fits(const Size& bytes, const std::string& name, const SizeValues& sizes,
                                               std::int64_t limit) {
  const auto fits = [&](std::int64_t n) {
    SizeValues at = sizes;
    at[name] = n;
    const auto b = evaluate(bytes, at);
    return b && *b <= limit;
  };
  constexpr std::int64_t no_end = std::int64_t{1} << 40;
  const auto given = sizes.find(name);
  std::int64_t low = 0, beyond = given == sizes.end() ? no_end : given->second + 1;
  if (!fits(low) || (given == sizes.end() && fits(no_end))) return {};
  while (beyond - low > 1) {
    const std::int64_t half = low + (beyond - low) / 2;
    (fits(half) ? low : beyond) = half;
  }
  return low;
}

std::optional<std::string> too_large(const BlockMemory& memory, const SizeValues& sizes, const GpuModel& model) {
  const std::int64_t limit = model.block_bytes;
  Arrays numbers;
  std::copy_if(memory.arrays.begin(), memory.arrays.end(), std::back_inserter(numbers),
               [](const BlockArray& a) { return !a.at_launch(); });
  const std::int64_t least = evaluate(*sum_of(numbers, [](const BlockArray&) { return true; }), {}).value_or(limit + 1);
  const bool all = numbers.size() == memory.arrays.size();
  if (least > limit)
    return beyond_memory((all ? "" : "at least ") + std::to_string(least), limit, memory) +
           fits_where(numbers, least, limit);
  const auto bytes = memory.bytes();
  std::set<std::string> names;
  if (bytes) collect_names(*bytes, names);
  const bool given = std::all_of(names.begin(), names.end(), [&](const std::string& n) { return sizes.contains(n); });
  if (all || !bytes || !given) return {};
  const auto needed = evaluate(*bytes, sizes);
  if (needed && *needed <= limit) return {};
  const std::string much = beyond_memory(needed ? std::to_string(*needed) : "more than 2^63", limit, memory);
  for (const std::string& name : names)
    if (const auto most = greatest_that_fits(*bytes, name, sizes, limit))
      return much + ": it fits where " + name + " is " + std::to_string(*most) + " at most, not " +
             std::to_string(sizes.at(name));
  return much;
}

std::optional<std::string> too_large(const Program& program, const SizeValues& sizes, const GpuModel& model) {
  for (const BlockMemory& m : block_memories(program))
    if (auto why = too_large(m, sizes, model)) return why;
  return {};
}

}  // namespace lockstep::kernel
