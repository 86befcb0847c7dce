// Taking a path apart, and the shapes that most views need: a view over one array that only moves indices.
#pragma once
#include "semantics/primitives/primitive.h"

namespace lockstep {

inline Size index_of(const PathStep& s) {
  if (const auto* i = std::get_if<PathIndex>(&s)) return i->index;
  throw Bug("a path with a projection where an index was expected");
}
inline int component_of(const PathStep& s) {
  if (const auto* p = std::get_if<PathProjection>(&s)) return p->component;
  throw Bug("a path with an index where a projection was expected");
}
// The path without its first `count` steps, with `front` before it.
inline Path replace_front(const Path& path, std::size_t count, Path front) {
  if (path.size() < count) throw Bug("a path that is too short");
  front.insert(front.end(), path.begin() + static_cast<std::ptrdiff_t>(count), path.end());
  return front;
}
inline Path path_of(std::initializer_list<PathStep> steps) { return Path(steps); }

}  // namespace lockstep
