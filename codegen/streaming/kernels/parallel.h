// A program on several threads: each runs the body on a piece of the root, and then, in the order of the pieces, the
// tail on what its body gave. The pieces of a file end after characters at which no segment is open.
#pragma once
#include <pthread.h>
#include <sched.h>

#include "codegen/streaming/kernels/entry.h"

namespace lockstep_engine {
namespace {

// The piece that a body runs on: characters, or numbers from `from` to `to`.
struct Piece {
  u8* data = 0;
  i64 capacity = 0, length = 0;
  i64 from = 0, to = 0;
  ~Piece() { free(data); }
  void swap(Piece& other) {
    const Piece mine = *this;
    *this = other;
    other = mine;
    // The copy owns nothing.
    const_cast<Piece&>(mine).data = 0;
  }
  void reserve(i64 n) {
    if (n <= capacity) return;
    u8* const larger = (u8*)aligned_alloc(64, size_t(n + 127 + 64) / 64 * 64);
    if (!larger) throw OutOfMemory{n};
    if (length) memcpy(larger, data, size_t(length));
    free(data);
    data = larger;
    capacity = n;
  }
};

const i64 piece_bytes = 1 << 18, piece_numbers = 1 << 15;
// As the chunk, where one is asked for.
inline i64 piece_size(const lockstep_options* options, i64 otherwise) {
  return options && options->chunk > 0 ? lesser(options->chunk, otherwise) : otherwise;
}

struct FilePieces {
  FileReader file;
  int instruction;
  i64 size = piece_bytes;
  const u8* cut;  // whether the file may be cut after a character
  u8* rest = 0;   // what was read after the last cut
  i64 rest_length = 0, rest_capacity = 0;
  bool ended = false;
  Piece first;
  bool begun = false;
  ~FilePieces() { free(rest); }
  // Reads the first piece. False where it is so long that all of the file had better be read by one thread, whose
  // memory does not grow with it; `first` is then what has been read.
  bool begin() {
    begun = next(first, 1 << 22);
    return ended || first.length < 1 << 22;
  }
  bool next(Piece& p) {
    if (!begun) return next(p, never);
    begun = false;
    p.swap(first);
    return true;
  }
  // The next piece; false where there is none. A piece is as long as it has to be.
  bool next(Piece& p, i64 limit) {
    p.length = 0;
    if (rest_length) {
      p.reserve(rest_length + size);
      memcpy(p.data, rest, size_t(rest_length));
      p.length = rest_length;
      rest_length = 0;
    }
    i64 searched = 0;
    while (!ended && p.length < limit) {
      const i64 wanted = greater(size - p.length, (size + 1) / 2);
      if (p.capacity - p.length < wanted) p.reserve(2 * p.capacity + wanted);
      const i64 n = file.read(instruction, p.data + p.length, wanted);
      p.length += n;
      ended = n == 0;
      if (ended) continue;
      i64 at = p.length;
      while (at > searched && !cut[p.data[at - 1]]) --at;
      if (at == searched) {
        searched = p.length;
        continue;
      }
      keep(p.data + at, p.length - at);
      p.length = at;
      return true;
    }
    return p.length > 0;
  }
  void keep(const u8* from, i64 n) {
    if (n > rest_capacity) {
      free(rest);
      rest = (u8*)malloc(size_t(n));
      if (!rest) throw OutOfMemory{n};
      rest_capacity = n;
    }
    if (n) memcpy(rest, from, size_t(n));
    rest_length = n;
  }
};
struct NumberPieces {
  i64 at = 0, count = 0, size = piece_numbers;
  bool next(Piece& p) {
    if (at >= count) return false;
    p.from = at;
    p.to = at = lesser(count, at + size);
    return true;
  }
};

inline void count_up(Stream<i64>& out, const Piece& p) {
  const i64 now = lesser(p.to - p.from - out.end, out.room());
  i64* const to = out.tail();
  const i64 from = p.from + out.end;
  for (i64 k = 0; k < now; k += 8)
    for (int j = 0; j < 8; ++j) to[k + j] = from + k + j;
  if (now > 0) out.end += now;
  out.done = out.end >= p.to - p.from;
}

// What a body gave, into the stream of the tail.
template <class T>
inline void feed(Stream<T>& out, Reader<Stream<T>>& given, bool finished) {
  if (given.s) {
    const i64 n = lesser(given.left(), out.room());
    if (n > 0) {
      append(out, *given.s, given.pos, n);
      given.pos += n;
    }
  }
  out.done = finished && (!given.s || given.left() == 0);
}

// reduce, of what a body gave where it lies.
template <class R, class T>
inline void reduce_given(Stream<T>& out, Reader<Stream<T>>& given, bool finished, Lanes<R, T>& acc) {
  const i64 n = given.s ? given.left() : 0;
  if (n > 0) {
    acc.add(given.s->at(given.pos), n);
    given.pos += n;
  }
  if (finished && out.room() > 0) {
    out.push(acc.value());
    out.done = true;
  }
}

template <class Pieces, class Body, class Tail>
struct Crew {
  Pieces& pieces;
  Tail& tail;
  const lockstep_stream* inputs;
  i64 chunk;
  pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER, waiting = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
  i64 taken = 0;
  i64 turn = 0;  // the piece whose tail may run
  bool stop = false;
  // The first failure in the order of the pieces.
  int failure = 0;
  lockstep_trap* trap;

  Crew(Pieces& p, Tail& t, const lockstep_stream* i, i64 c, lockstep_trap* where)
      : pieces(p), tail(t), inputs(i), chunk(c), trap(where) {}

  void wait_for(i64 ticket) {
    for (int k = 0; k < 4000; ++k) {
      if (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) == ticket) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    pthread_mutex_lock(&waiting);
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != ticket) pthread_cond_wait(&turned, &waiting);
    pthread_mutex_unlock(&waiting);
  }
  void next_turn() {
    pthread_mutex_lock(&waiting);
    __atomic_store_n(&turn, turn + 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&turned);
    pthread_mutex_unlock(&waiting);
  }

  int attempt(Body& body, Piece& piece, i64 ticket) {
    int status = 0;
    lockstep_trap* const mine = (lockstep_trap*)malloc(sizeof(lockstep_trap));
    status = protect([&] { body.restart(piece), run_to_end(body); }, mine);
    wait_for(ticket);
    if (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
      if (status == 0) status = protect([&] { tail.take(body); }, mine);
      if (status) {
        failure = status;
        if (trap && mine) *trap = *mine;
        __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
      }
    }
    free(mine);
    next_turn();
    return status;
  }
  template <class F>
  static int protect(F f, lockstep_trap* trap) {
    try {
      f();
      return 0;
    }
    LOCKSTEP_CATCH(trap)
  }
  void work() {
    Body* body = 0;
    Piece* piece = 0;
    lockstep_trap* const mine = (lockstep_trap*)malloc(sizeof(lockstep_trap));
    int status = protect([&] { body = new Body(inputs, chunk), piece = new Piece; }, mine);
    for (;;) {
      bool more = false;
      pthread_mutex_lock(&reading);
      if (status == 0 && !__atomic_load_n(&stop, __ATOMIC_ACQUIRE))
        status = protect([&] { more = pieces.next(*piece); }, mine);
      const i64 ticket = taken;
      if (more || status) ++taken;
      pthread_mutex_unlock(&reading);
      if (status) {
        wait_for(ticket);
        if (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
          failure = status;
          if (trap && mine) *trap = *mine;
          __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
        }
        next_turn();
        break;
      }
      if (!more || attempt(*body, *piece, ticket)) break;
    }
    free(mine);
    delete piece;
    delete body;
  }
  static void* start(void* crew) {
    ((Crew*)crew)->work();
    return 0;
  }
  int run(int threads) {
    pthread_t other[63];
    int started = 0;
    while (started < threads - 1 && started < 63 && pthread_create(&other[started], 0, start, this) == 0) ++started;
    work();
    for (int k = 0; k < started; ++k) pthread_join(other[k], 0);
    return failure;
  }
};

// Steps of the tail until all that a body gave is in the tail's own windows.
template <class Tail>
inline void take_all(Tail& t) {
  u64 before = ~u64(0);
  int stalls = 0;
  while (!t.pass() && !t.fed()) {
    const u64 now = t.progress();
    if (now != before) {
      before = now;
      stalls = 0;
      continue;
    }
    if (++stalls > 40 || !t.grow()) throw Stuck();
  }
}

inline int threads_of(const lockstep_options* options) {
  if (options && options->threads > 0) return options->threads;
#if defined(CPU_COUNT)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 ? int(n) : 1;
}

}  // namespace
}  // namespace lockstep_engine
