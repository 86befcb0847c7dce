// Leaves from arrays, arrays and texts from leaves.
#include "driver/languages/snesl/engine_leaves.h"

#include <sys/mman.h>
#include <unistd.h>

#include <charconv>
#include <cstring>

#include "driver/languages/snesl/leaves.h"
#include "driver/npy_arguments.h"
#include "driver/report.h"
#include "semantics/svcode/instruction.h"
#include "semantics/text/literal.h"

namespace lockstep::driver {
namespace {

using engine::EngineLeaf, engine::engine_room, engine::engine_width;
using snesl::Prim;
using snesl::Type;

// The file's pages go as they are copied, so that its data is in memory once.
EngineLeaf elements_of(const NpyArray& array, std::int64_t count, Prim type) {
  const std::size_t all = static_cast<std::size_t>(count), width = engine_width(type), piece = std::size_t{1} << 17;
  const auto data = engine_room(all * width);
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto from = reinterpret_cast<std::uintptr_t>(array.data);
  const std::size_t in_file = static_cast<std::size_t>(lockstep::bytes_of(array.type));
  for (std::size_t at = 0; at < all; at += piece) {
    const std::size_t next = std::min(at + piece, all);
    copy_elements(array, at, next - at, scalar_of(type), data.get() + at * width);
    const std::uintptr_t begin = (from + at * in_file + page - 1) / page * page,
                         end = (from + next * in_file) / page * page;
    if (!array.copied && end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  }
  return {count, data};
}

template <class F>
EngineLeaf ints(std::int64_t count, const F& value) {
  const auto data = engine_room(static_cast<std::size_t>(count) * 8);
  for (std::int64_t k = 0; k < count; ++k) {
    const std::int64_t v = value(k);
    std::memcpy(data.get() + 8 * k, &v, 8);
  }
  return {count, data};
}

// Of `count` values at this depth.
void leaves(const NpyArray& array, const Type& type, std::size_t depth, std::int64_t count,
            std::vector<EngineLeaf>& out) {
  if (const auto* p = snesl::as<Prim>(type)) return out.push_back(elements_of(array, count, *p));
  const std::int64_t n = array.shape.at(depth);
  leaves(array, *element_of(type), depth + 1, count * n, out);
  if (snesl::as<snesl::VectorType>(type)) {
    out.push_back(ints(count, [&](std::int64_t k) { return k * n; }));
    out.push_back(ints(count, [&](std::int64_t) { return n; }));
    return;
  }
  if (count == 1) return out.push_back({n + 1, nullptr});
  const auto flags = engine_room(static_cast<std::size_t>(count * (n + 1)));
  std::memset(flags.get(), 0, static_cast<std::size_t>(count * (n + 1)));
  for (std::int64_t k = 0; k < count; ++k) flags.get()[k * (n + 1) + n] = 1;
  out.push_back({count * (n + 1), flags});
}

// Scalars, and tuples of such.
bool is_flat(const Type& t) {
  if (const auto* tuple = snesl::as<snesl::TupleType>(t))
    return std::all_of(tuple->items.begin(), tuple->items.end(), is_flat);
  return snesl::as<Prim>(t) != nullptr;
}

// A run's leaves as arrays, in the order of the result's tree.
class Arrays {
 public:
  Arrays(const engine::EngineRun& run, std::vector<std::vector<std::int64_t>>& made) : run_(run), made_(made) {}
  std::vector<NpyOutput> out;

  // Of all values of one type, `count`, that stand in an array of this shape; false for what has no such leaves.
  bool add(const Type& type, std::vector<std::int64_t> shape, std::int64_t count) {
    if (const auto* p = snesl::as<Prim>(type)) {
      out.push_back({"", scalar_of(*p), std::move(shape), data(next_++)});
      return true;
    }
    if (const auto* tuple = snesl::as<snesl::TupleType>(type)) {
      for (const Type& item : tuple->items)
        if (!add(item, shape, count)) return false;
      return true;
    }
    const Type& element = *element_of(type);
    if (snesl::as<snesl::VectorType>(type)) {
      if (count != 1 || !shape.empty() || !is_flat(element)) return false;
      const std::size_t lens = next_ + svcode::input_leaves(element).size() + 1;
      shape.push_back(integer(lens, 0));
      const bool added = integer(lens - 1, 0) == 0 && add(element, std::move(shape), integer(lens, 0));
      next_ = lens + 1;
      return added;
    }
    const std::size_t flags = next_ + svcode::input_leaves(element).size();
    std::vector<std::int64_t> lengths = lengths_of(flags);
    const bool equal = std::all_of(lengths.begin(), lengths.end(), [&](std::int64_t n) { return n == lengths[0]; });
    std::int64_t all = 0;
    for (const std::int64_t n : lengths) all += n;
    std::vector<std::int64_t> inner = {all};
    if (equal) inner = shape, inner.push_back(lengths.empty() ? 0 : lengths[0]);
    if (!add(element, std::move(inner), all)) return false;
    next_ = flags + 1;
    if (equal) return true;
    made_.push_back(std::move(lengths));
    out.push_back({"", ScalarType::I64, std::move(shape), made_.back().data()});
    return true;
  }

 private:
  const void* data(std::size_t k) const { return run_.leaves.at(k).data.get(); }
  std::int64_t integer(std::size_t leaf, std::int64_t k) const {
    std::int64_t v;
    std::memcpy(&v, run_.leaves.at(leaf).data.get() + 8 * k, 8);
    return v;
  }
  std::vector<std::int64_t> lengths_of(std::size_t flags) const {
    const EngineLeaf& f = run_.leaves.at(flags);
    std::vector<std::int64_t> r;
    for (std::int64_t k = 0, begin = 0; k < f.length; ++k)
      if (f.data.get()[k]) r.push_back(k - begin), begin = k + 1;
    return r;
  }

  const engine::EngineRun& run_;
  std::vector<std::vector<std::int64_t>>& made_;
  std::size_t next_ = 0;
};

constexpr std::size_t held_back = std::size_t{1} << 20;  // characters

}  // namespace

std::vector<EngineLeaf> leaves_of_array(const NpyArray& array, const Type& type) {
  std::vector<EngineLeaf> out;
  leaves(array, type, 0, 1, out);
  return out;
}

std::optional<std::vector<EngineLeaf>> leaves_of_arrays(const std::vector<NpyArray>& arrays, const Type& type) {
  const Type* element = element_of(type);
  if (!element || !is_flat(*element) || arrays.empty()) return std::nullopt;
  for (const NpyArray& a : arrays)
    if (a.shape.size() != 1 || a.shape != arrays.front().shape) return std::nullopt;
  const std::int64_t n = arrays.front().shape[0];
  std::vector<EngineLeaf> out;
  const std::vector<LeafType> types = leaf_types(type);
  for (std::size_t k = 0; k < arrays.size(); ++k) out.push_back(elements_of(arrays[k], n, types.at(k).prim));
  if (!snesl::as<snesl::VectorType>(type)) return out.push_back({n + 1, nullptr}), out;
  for (const std::int64_t k : {std::int64_t{0}, n}) out.push_back(ints(1, [&](std::int64_t) { return k; }));
  return out;
}

std::optional<std::vector<NpyOutput>> arrays_of(const svcode::Program& program, const engine::EngineRun& run,
                                                std::vector<std::vector<std::int64_t>>& made) {
  Arrays arrays(run, made);
  if (!arrays.add(program.result_type, {}, 1)) return std::nullopt;
  return std::move(arrays.out);
}

void ResultPrinter::Queue::add(const void* elements, std::int64_t count) {
  const std::size_t width = engine_width(type);
  const auto* from = static_cast<const unsigned char*>(elements);
  while (count > 0 && width > 0) {
    const std::int64_t in_block = (end - first) % block;
    if (in_block == 0) blocks.emplace_back(new unsigned char[static_cast<std::size_t>(block) * width]);
    const std::int64_t now = std::min(count, block - in_block);
    std::memcpy(blocks.back().get() + static_cast<std::size_t>(in_block) * width, from,
                static_cast<std::size_t>(now) * width);
    from += static_cast<std::size_t>(now) * width;
    end += now;
    count -= now;
  }
  end += count;
  // What has been read goes.
  for (; !base && next - first >= block && !blocks.empty(); first += block) blocks.pop_front();
}
const unsigned char* ResultPrinter::Queue::at(std::int64_t k) const {
  const std::int64_t n = k - first;
  return blocks[static_cast<std::size_t>(n / block)].get() + static_cast<std::size_t>(n % block) * engine_width(type);
}
std::int64_t ResultPrinter::Queue::integer(std::int64_t k) const {
  if (engine_width(type) == 1) return *at(k);
  std::int64_t v = 0;
  if (engine_width(type) == 8) std::memcpy(&v, at(k), 8);
  return v;
}

ResultPrinter::ResultPrinter(const svcode::Program& program) {
  const auto type_of = [&](svcode::StreamId s) {
    for (const svcode::Instr& i : program.instructions)
      if (i.id == s) return i.type;
    throw Bug("a result that is not defined");
  };
  for (const svcode::StreamId s : leaves_of(program.result)) queues_.emplace_back().type = type_of(s);
  for (std::size_t c = 0; c < characters_.size(); ++c)
    characters_[c] = snesl::show(snesl::char_atom(static_cast<unsigned char>(c)));
  std::size_t next = 0;
  root_ = node_of(program.result_type, false, next);
  stack_.push_back({root_.get()});
}

ResultPrinter::NodeRef ResultPrinter::node_of(const Type& type, bool base, std::size_t& next) {
  Node n;
  if (snesl::as<Prim>(type)) {
    n.kind = Node::Kind::Scalar;
    n.leaf = next++;
    queues_.at(n.leaf).base = base;
  } else if (const auto* tuple = snesl::as<snesl::TupleType>(type)) {
    n.kind = Node::Kind::Tuple;
    for (const Type& item : tuple->items) n.parts.push_back(node_of(item, base, next));
  } else {
    const bool vector = snesl::as<snesl::VectorType>(type) != nullptr;
    n.kind = vector ? Node::Kind::Vector : Node::Kind::Sequence;
    n.parts = {node_of(*element_of(type), base || vector, next)};
    n.text = vector && *element_of(type) == snesl::prim(Prim::Char);
    n.leaf = next;
    next += vector ? 2 : 1;
    for (std::size_t k = n.leaf; k < next; ++k) queues_.at(k).base = base;
  }
  return std::make_shared<const Node>(std::move(n));
}

int ResultPrinter::take(std::size_t leaf, const void* elements, std::int64_t count) {
  queues_.at(leaf).add(elements, count);
  go_on();
  if (text_.size() >= held_back) write();
  return 0;
}

void ResultPrinter::finish() {
  if (!go_on()) throw Bug("a result that does not fit its type");
  text_ += '\n';
  write();
}

void ResultPrinter::write() {
  print(text_);
  text_.clear();
}

void ResultPrinter::scalar(const Queue& q, std::int64_t k) {
  const snesl::Atom a{q.type, q.integer(k)};  // of a Real its bits
  if (q.type == Prim::Int) {
    char digits[24];
    const auto r = std::to_chars(digits, digits + sizeof digits, a.integer);
    text_.append(digits, r.ptr);
    return;
  }
  if (q.type == Prim::Char) {
    text_ += characters_[*q.at(k)];
    return;
  }
  text_ += snesl::show(a);
}

// Whether these elements of a base are there.
bool ResultPrinter::has(const Node& node, std::int64_t from, std::int64_t to) const {
  switch (node.kind) {
    case Node::Kind::Scalar:
      return queues_[node.leaf].end >= to;
    case Node::Kind::Tuple:
      return std::all_of(node.parts.begin(), node.parts.end(), [&](const NodeRef& p) { return has(*p, from, to); });
    case Node::Kind::Vector:
      if (queues_[node.leaf].end < to || queues_[node.leaf + 1].end < to) return false;
      for (std::int64_t k = from; k < to; ++k) {
        const std::int64_t start = queues_[node.leaf].integer(k), length = queues_[node.leaf + 1].integer(k);
        if (length > 0 && !has(*node.parts[0], start, start + length)) return false;
      }
      return true;
    case Node::Kind::Sequence:
      break;
  }
  throw Bug("a sequence within a vector");
}

void ResultPrinter::print_at(const Node& node, std::int64_t k) {
  if (node.kind == Node::Kind::Scalar) return scalar(queues_[node.leaf], k);
  if (node.kind == Node::Kind::Vector)
    return print_slice(node, queues_[node.leaf].integer(k), queues_[node.leaf + 1].integer(k));
  text_ += '(';
  for (std::size_t p = 0; p < node.parts.size(); ++p) {
    if (p > 0) text_ += ", ";
    print_at(*node.parts[p], k);
  }
  text_ += ')';
}
void ResultPrinter::print_slice(const Node& vector, std::int64_t start, std::int64_t length) {
  const Node& element = *vector.parts[0];
  text_ += vector.text ? '"' : '[';
  for (std::int64_t k = start; k < start + length; ++k) {
    if (text_.size() >= held_back) write();
    if (vector.text) {
      text_ += reading::escaped(*queues_[element.leaf].at(k), '"');
      continue;
    }
    if (k > start) text_ += ", ";
    print_at(element, k);
  }
  text_ += vector.text ? '"' : ']';
}

bool ResultPrinter::go_on() {
  while (!stack_.empty()) {
    Frame& f = stack_.back();
    const Node& n = *f.node;
    Queue* const q = n.kind == Node::Kind::Tuple ? nullptr : &queues_[n.leaf];
    if (q && q->next >= q->end) return false;
    switch (n.kind) {
      case Node::Kind::Scalar:
        scalar(*q, q->next++);
        stack_.pop_back();
        break;
      case Node::Kind::Tuple:
        if (f.at == n.parts.size()) {
          text_ += n.parts.empty() ? "()" : ")";
          stack_.pop_back();
          break;
        }
        text_ += f.at == 0 ? "(" : ", ";
        stack_.push_back({n.parts[f.at++].get()});
        break;
      case Node::Kind::Vector: {
        Queue& lens = queues_[n.leaf + 1];
        if (lens.next >= lens.end) return false;
        const std::int64_t start = q->integer(q->next), length = lens.integer(lens.next);
        if (length > 0 && !has(*n.parts[0], start, start + length)) return false;
        ++q->next, ++lens.next;
        print_slice(n, start, length);
        stack_.pop_back();
        break;
      }
      case Node::Kind::Sequence: {
        const bool begun = std::exchange(f.begun, true);
        if (!begun) text_ += '{';
        if (q->integer(q->next++) != 0) {
          text_ += '}';
          stack_.pop_back();
          break;
        }
        if (std::exchange(f.at, std::size_t{1}) != 0) text_ += ", ";
        stack_.push_back({n.parts[0].get()});
        break;
      }
    }
    if (text_.size() >= held_back) write();
  }
  return true;
}

}  // namespace lockstep::driver
