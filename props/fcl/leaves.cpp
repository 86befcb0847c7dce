#include "props/fcl/leaves.h"

#include "semantics/core/memory_limit.h"

namespace lockstep::props::fcl {
namespace {

// f(scalar, rank) on each leaf, and each equal length.
class LeafWalk {
 public:
  using Equal = std::function<void(std::size_t, std::size_t, std::size_t)>;
  explicit LeafWalk(Equal equal = {}) : equal_(std::move(equal)) {}
  std::vector<LeafType> leaves;

  void walk(const language::Type& t, std::size_t rank) {
    match(
        t.node,
        [&](ScalarType s) {
          leaves.push_back({s, rank});
        },
        [&](const language::PairOf& p) {
          const std::size_t first = leaves.size();
          walk(*p.first, rank), walk(*p.second, rank);
          for (std::size_t k = first + 1; equal_ && k < leaves.size(); ++k)
            for (std::size_t d = 0; d < rank; ++d) equal_(first, k, d);
        },
        [&](const OneOf<language::PullType, language::PushType> auto& a) { walk(*a.element, rank + 1); },
        [&](const auto&) { throw Bug("a type of FCL that is no data: " + language::show(t)); });
  }

 private:
  const Equal equal_;
};

lockstep::Type shaped_by(const language::Type& t, const Leaves& leaves, std::size_t depth, std::size_t& next) {
  return match(
      t.node, [&](ScalarType s) { return ++next, lockstep::scalar(s); },
      [&](const language::PairOf& p) {
        lockstep::Type a = shaped_by(*p.first, leaves, depth, next);
        return lockstep::pair(std::move(a), shaped_by(*p.second, leaves, depth, next));
      },
      [&](const OneOf<language::PullType, language::PushType> auto& a) {
        const std::int64_t n = leaves.at(next).shape.at(depth);
        return lockstep::array(Size(n), shaped_by(*a.element, leaves, depth + 1, next));
      },
      [&](const auto&) -> lockstep::Type { throw Bug("a type of FCL that is no data: " + language::show(t)); });
}

}  // namespace

std::vector<LeafType> leaf_types(const language::Type& data) {
  LeafWalk out;
  out.walk(data, 0);
  return out.leaves;
}

void each_equal_length(const language::Type& data,
                       const std::function<void(std::size_t leaf, std::size_t other, std::size_t dimension)>& f) {
  LeafWalk(f).walk(data, 0);
}

Leaves leaves_of(const language::Type& type, const Value& v) {
  const lockstep::Type as = language::shaped(type, v);
  auto made = leaves_from(v, as, {}, ieee_domain());
  if (!made) throw NotEnoughMemory(bytes_of(as, {}));
  return std::move(*made);
}

lockstep::Type shaped(const language::Type& type, const Leaves& leaves) {
  std::size_t next = 0;
  return shaped_by(type, leaves, 0, next);
}

Value value_of(const language::Type& type, const Leaves& leaves) {
  return lockstep::value_of(shaped(type, leaves), {}, leaves);
}

}  // namespace lockstep::props::fcl
