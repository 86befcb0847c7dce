// What the C entry point needs: inputs in, results and traps out.
#pragma once
#include "codegen/streaming/kernels/abi.h"
#include "codegen/streaming/kernels/run.h"

namespace lockstep_engine {
namespace {

// What the caller said of this run.
struct How {
  bool roomy = false;
};
inline How& how() {
  static How h;
  return h;
}
inline void begin_run(const lockstep_options* options) {
  onces_read().count = 0;
  memory_taken().begin(options ? options->memory : 0);
  how().roomy = options && options->roomy;
}

KERNEL_OF(Ctrl, .call = "{out}.end = 1, {out}.done = true")
KERNEL_OF(Input, .call = "take_input({out}, inputs[{number}])")
template <class T>
inline void take_input(Stream<T>& out, const lockstep_stream& in) {
  if (how().roomy) return out.borrow((T*)in.data, in.length);
  out.open(greater(in.length, 1));
  if (in.length) memcpy(out.data, in.data, size_t(in.length) * sizeof(T));
  out.end = in.length;
  out.done = true;
}
inline void take_input(Stream<Bit>& out, const lockstep_stream& in) {
  out.open(greater(in.length, 1));
  if (in.data)
    for (i64 k = 0; k < in.length; ++k) out.push(((const u8*)in.data)[k]);
  else if (in.length)
    put_number(out, in.length - 1, true);  // one segment
  out.done = true;
}
inline void take_input(Stream<Unit>& out, const lockstep_stream& in) {
  out.end = in.length;
  out.done = true;
}
template <class T>
inline void give(lockstep_stream& to, Collected<T>& from) {
  to.data = from.data;
  to.length = from.count;
  from.data = 0;
}
inline void give(lockstep_stream& to, Collected<Unit>& from) {
  to.data = 0;
  to.length = from.count;
}
template <class T>
struct Owner {
  T* p;
  explicit Owner(T* o) : p(o) {}
  ~Owner() { delete p; }
};
inline int32_t report(const Trapped& t, lockstep_trap* trap) {
  if (trap) {
    trap->instruction = t.instruction;
    trap->error = t.error;
    memcpy(trap->values, t.values, sizeof t.values);
    memcpy(trap->name, t.name, sizeof t.name);
  }
  return 3;
}
inline int32_t report(const char* name, int error, lockstep_trap* trap, i64 bytes = 0) {
  if (trap) {
    trap->instruction = -1;
    trap->error = error;
    trap->values[0] = bytes;
    snprintf(trap->name, sizeof trap->name, "%s", name);
  }
  return 4;
}
#define LOCKSTEP_CATCH(trap)                          \
  catch (const Trapped& t) {                          \
    return report(t, trap);                           \
  }                                                   \
  catch (const WriteFailed& f) {                      \
    return report(f.name, f.error, trap);             \
  }                                                   \
  catch (const OutOfMemory& m) {                      \
    return report("", ENOMEM, trap, m.bytes);         \
  }                                                   \
  catch (const NoSuchElement&) {                      \
    return report("an index out of bounds", 0, trap); \
  }                                                   \
  catch (const Stuck&) {                              \
    return report("no step can go on", 0, trap);      \
  }

}  // namespace
}  // namespace lockstep_engine
