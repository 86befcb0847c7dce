// As text.
#include "codegen/targets/openmp_scratch.h"

namespace lockstep {

namespace {

const char* const kept_memory = R"(struct Memory {
  void* data;
  uint64_t bytes;
};
#ifndef LOCKSTEP_NO_POOL
// What arrays have given back, for the next that are as large: the system maps memory page by page.
Memory kept[8];
int32_t kept_locked = 0;
void lock_kept() {
  while (__atomic_exchange_n(&kept_locked, 1, __ATOMIC_ACQUIRE)) {
  }
}
void unlock_kept() { __atomic_store_n(&kept_locked, 0, __ATOMIC_RELEASE); }
bool is_kept(uint64_t bytes) { return bytes >= 1 << 20; }
Memory taken(uint64_t bytes) {
  Memory out = {nullptr, bytes}, *best = nullptr;
  lock_kept();
  for (Memory& m : kept)
    if (m.bytes >= bytes && m.bytes / 2 <= bytes && (!best || m.bytes < best->bytes)) best = &m;
  if (best) {
    out = *best;
    *best = Memory{nullptr, 0};
  }
  unlock_kept();
  return out;
}
// What there is no room for: the smallest.
Memory put_away(Memory given) {
  lock_kept();
  Memory* least = kept;
  for (Memory& m : kept)
    if (m.bytes < least->bytes) least = &m;
  if (least->bytes < given.bytes) {
    const Memory rest = *least;
    *least = given;
    given = rest;
  }
  unlock_kept();
  return given;
}
__attribute__((destructor)) void free_kept() {
  lock_kept();
  for (Memory& m : kept) {
    free(m.data);
    m = Memory{nullptr, 0};
  }
  unlock_kept();
}
#endif
)";
const char* const scratch = R"(// Uninitialised, to the end of its scope; data is null where there is none to be had.
template <class T>
struct Scratch {
  Memory memory = {nullptr, 0};
  T* data = nullptr;
  explicit Scratch(int64_t count) {
    uint64_t bytes = 0;
    if (count < 0 || __builtin_mul_overflow((uint64_t)count, sizeof(T), &bytes) || bytes > INT64_MAX - 64) return;
    memory.bytes = (bytes / 64 + 1) * 64;
#ifndef LOCKSTEP_NO_POOL
    if (is_kept(memory.bytes)) memory = taken(memory.bytes);
#endif
    if (!memory.data) memory.data = aligned_alloc(64, memory.bytes);
#ifndef LOCKSTEP_NO_POOL
    if (!memory.data) {
      free_kept();
      memory.data = aligned_alloc(64, memory.bytes);
    }
#endif
    data = (T*)memory.data;
  }
  Scratch(const Scratch&) = delete;
  ~Scratch() {
#ifndef LOCKSTEP_NO_POOL
    if (memory.data && is_kept(memory.bytes)) memory = put_away(memory);
#endif
    free(memory.data);
  }
};

)";

}  // namespace

std::string scratch_text() { return std::string(kept_memory) + scratch; }

}  // namespace lockstep
