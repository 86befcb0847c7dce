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
};
struct lockstep_trap {
  int32_t instruction;  // of the SVCODE program
  int32_t error;        // of a file: errno, or -1 where it shrank
  int64_t values[4];    // operands, a Real as its bits
  char name[4097];      // of a file
};
#endif
