// Memory of the device that was given back, in classes: what is in one is taken again by what needs as much. Where
// LOCKSTEP_NO_POOL is defined, each array is allocated of its own bytes, and freed.
struct Pool {
  struct Idle {
    Idle* next;
    DeviceMemory memory;
    uint64_t bytes;
  };
  Idle* all = nullptr;
  int busy = 0;
  // Of 256 bytes or more, an eighth larger than what is asked for at most.
  static uint64_t class_of(uint64_t bytes) {
    uint64_t step = 256;
    while (step * 16 <= bytes) step *= 2;
    return bytes < 1 ? step : (bytes + step - 1) / step * step;
  }
  void lock() {
    while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE)) {
    }
  }
  void unlock() { __atomic_store_n(&busy, 0, __ATOMIC_RELEASE); }
  Idle* remove(uint64_t bytes) {  // the first of its class; of any, where that is 0
    lock();
    Idle** at = &all;
    while (*at && bytes && (*at)->bytes != bytes) at = &(*at)->next;
    Idle* found = *at;
    if (found) *at = found->next;
    unlock();
    return found;
  }
  bool empty() {  // false where there was nothing
    bool some = false;
    for (Idle* idle = remove(0); idle; idle = remove(0)) {
      some = true;
      device_free(idle->memory);
      delete idle;
    }
    return some;
  }
  DeviceMemory take(uint64_t bytes) {  // null where the device has no more
    DeviceMemory memory = nullptr;
#ifndef LOCKSTEP_NO_POOL
    bytes = class_of(bytes);
    if (Idle* idle = remove(bytes)) {
      memory = idle->memory;
      delete idle;
      return memory;
    }
#endif
    for (;;) {
      if (device_allocate(&memory, bytes > 0 ? bytes : 1)) return memory;
      if (!empty()) return nullptr;
    }
  }
  void give(DeviceMemory memory, uint64_t bytes) {
#ifdef LOCKSTEP_NO_POOL
    (void)bytes;
    return device_free(memory);
#endif
    Idle* idle = new Idle{nullptr, memory, class_of(bytes)};
    lock();
    idle->next = all;
    all = idle;
    unlock();
  }
} pool;

// So many T on the device, given back at the end of its scope or before; data is null where there are none to be had.
template <class T>
struct DeviceArray {
  typename DeviceData<T>::type data = nullptr;
  uint64_t bytes = 0;
  bool held = false;
  explicit DeviceArray(int64_t count) {
    if (count < 0 || __builtin_mul_overflow((uint64_t)count, sizeof(T), &bytes) || bytes >> 59) return;
    data = (typename DeviceData<T>::type)pool.take(bytes);
    held = data != nullptr;
    if (held) LOCKSTEP_TAKEN(data, bytes);
  }
  DeviceArray(const DeviceArray&) = delete;
  ~DeviceArray() { release(); }
  void release() {
    if (!held) return;
    LOCKSTEP_GIVEN_BACK(data);
    pool.give(data, bytes);
    held = false;
  }
  bool clear() { return data && device_clear(data, bytes); }
  bool from_host(const T* p) { return device_send(data, p, bytes); }
  bool to_host(T* p) const { return device_fetch(p, data, bytes); }
};

[[maybe_unused]] unsigned grid_of(int64_t count, int64_t each, int64_t most) {
  int64_t blocks = count / each + (count % each != 0);
  return blocks < 1 ? 1 : (unsigned)(blocks > most ? most : blocks);
}
