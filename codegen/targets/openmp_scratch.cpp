// As text.
#include "codegen/targets/openmp_scratch.h"

namespace lockstep {

namespace {

const char* const kept_memory = R"(struct Memory {
  void* data;
  uint64_t bytes;
};
#ifdef LOCKSTEP_NO_POOL
const uint64_t least_kept = UINT64_MAX;
#else
const uint64_t least_kept = 1 << 20;
#endif
// What arrays have given back, for the next that are as large: the system maps memory page by page.
Memory kept[8];
// How many, of which a compiler is not told: to write each out would take it longer than all else.
Memory* end_of_kept() {
  int32_t n = 8;
  __asm__("" : "+r"(n));
  return kept + n;
}
int32_t kept_locked = 0;
void lock_kept() {
  while (__atomic_exchange_n(&kept_locked, 1, __ATOMIC_ACQUIRE)) {
  }
}
void unlock_kept() { __atomic_store_n(&kept_locked, 0, __ATOMIC_RELEASE); }
__attribute__((destructor)) void free_kept() {
  lock_kept();
  for (Memory *m = kept, *end = end_of_kept(); m != end; ++m) {
    free(m->data);
    *m = Memory{nullptr, 0};
  }
  unlock_kept();
}
__attribute__((noinline)) Memory taken(uint64_t bytes) {
  Memory out = {nullptr, bytes}, *best = nullptr;
  if (bytes >= least_kept) {
    lock_kept();
    for (Memory *m = kept, *end = end_of_kept(); m != end; ++m)
      if (m->bytes >= bytes && m->bytes / 2 <= bytes && (!best || m->bytes < best->bytes)) best = m;
    if (best) {
      out = *best;
      *best = Memory{nullptr, 0};
    }
    unlock_kept();
  }
  if (!out.data) out.data = aligned_alloc(64, bytes);
  if (!out.data) {
    free_kept();
    out.data = aligned_alloc(64, bytes);
  }
  return out;
}
// Of what there is no room for the smallest is freed.
__attribute__((noinline)) void give_back(Memory given) {
  if (given.data && given.bytes >= least_kept) {
    lock_kept();
    Memory* least = kept;
    for (Memory *m = kept, *end = end_of_kept(); m != end; ++m)
      if (m->bytes < least->bytes) least = m;
    if (least->bytes < given.bytes) {
      const Memory rest = *least;
      *least = given;
      given = rest;
    }
    unlock_kept();
  }
  free(given.data);
}
)";
const char* const scratch = R"(// Uninitialised, to the end of its scope; data is null where there is none to be had.
template <class T>
struct Scratch {
  Memory memory = {nullptr, 0};
  T* data = nullptr;
  explicit Scratch(int64_t count) {
    uint64_t bytes = 0;
    if (count < 0 || __builtin_mul_overflow((uint64_t)count, sizeof(T), &bytes) || bytes > INT64_MAX - 64) return;
    memory = taken((bytes / 64 + 1) * 64);
    data = (T*)memory.data;
  }
  Scratch(const Scratch&) = delete;
  ~Scratch() { give_back(memory); }
};

)";

}  // namespace

std::string scratch_text() { return std::string(kept_memory) + scratch; }

}  // namespace lockstep
