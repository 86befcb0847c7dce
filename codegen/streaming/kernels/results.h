// What a program gives its caller.
#pragma once
#include "codegen/streaming/kernels/files_written.h"

namespace lockstep_engine {
namespace {

// What the caller gets: all elements of a stream, or each of them as they come.
struct Taker {
  int32_t (*take)(void* to, int32_t leaf, const void* elements, int64_t count) = 0;
  void* to = 0;
  int32_t leaf = 0;
  void begin(const lockstep_options* options, int32_t k) {
    if (options) take = options->take, to = options->to;
    leaf = k;
  }
  void give(const void* elements, i64 n) const {
    if (const int32_t error = take(to, leaf, elements, n)) Outputs::fail("-", error);
  }
};
template <class T>
struct Collected : Taker {
  T* data = 0;
  i64 count = 0, capacity = 0;
  ~Collected() { free(data); }
  T* more(i64 n) {
    if (count + n > capacity) {
      const i64 larger_by = capacity < 1 << 20 ? capacity : capacity / 4, before = capacity;
      capacity = greater(capacity + larger_by, count + n);
      memory_taken().take((capacity - before) * i64(sizeof(T)));
      T* const larger = (T*)realloc(data, size_t(capacity) * sizeof(T));
      if (!larger) throw OutOfMemory{capacity * i64(sizeof(T))};
      data = larger;
    }
    count += n;
    return data + count - n;
  }
};
template <>
struct Collected<Unit> : Taker {
  i64 count = 0;
};
template <class T, class S>
inline void collect(Collected<T>& to, Reader<S>& s) {
  const i64 n = s.left();
  if (n <= 0) return;
  if (to.take) {
    T part[1024];
    for (i64 done = 0; done < n;) {
      const i64 now = lesser(n - done, 1024);
      for (i64 k = 0; k < now; ++k) part[k] = T(s.s->get(s.pos + done + k));
      to.give(part, now);
      done += now;
    }
  } else {
    T* const out = to.more(n);
    for (i64 k = 0; k < n; ++k) out[k] = T(s.s->get(s.pos + k));
  }
  s.pos += n;
}
template <class S>
inline void collect(Collected<Unit>& to, Reader<S>& s) {
  const i64 n = s.left();
  if (n <= 0) return;
  if (to.take)
    to.give(0, n);
  else
    to.count += n;
  s.pos = s.s->end;
}

}  // namespace
}  // namespace lockstep_engine
