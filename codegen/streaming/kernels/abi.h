#ifndef LOCKSTEP_ENGINE_ABI
#define LOCKSTEP_ENGINE_ABI
#include <stdint.h>
struct lockstep_stream {
  void* data;
  int64_t length;
};
struct lockstep_options {
  int64_t chunk;    // elements of a buffer; 0: from the machine's caches
  int32_t threads;  // 0: as many as the machine runs at once
  int32_t roomy;    // inputs may be read 128 bytes beyond either end: then they are not copied
  int64_t memory;   // bytes for buffers and results; 0: no bound
  // Takes results as they come, in place of `results`: of a leaf the elements after those that it has been given. An
  // errno ends the run with it. Null: none.
  int32_t (*take)(void* to, int32_t leaf, const void* elements, int64_t count);
  void* to;
};
struct lockstep_trap {
  int32_t instruction;  // of the SVCODE program
  int32_t error;        // of a file: errno, or -1 where it shrank
  int64_t values[4];    // operands, a Real as its bits
  char name[4097];      // of a file
};
#endif
