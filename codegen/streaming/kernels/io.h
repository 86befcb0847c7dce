// What a program has beside its streams: groups in memory and gathers from them, checks, files in pieces.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codegen/streaming/kernels/abi.h"
#include "codegen/streaming/kernels/lanes.h"
#include "codegen/streaming/kernels/segments.h"

namespace lockstep_engine {
namespace {

// The program's own run-time error: which instruction, and the operands that its message shows.
struct Trapped {
  int instruction;
  int error;  // of a file: errno, or one of those below
  i64 values[4];
  char name[4097];
};
const int shrank = -1, read_twice = -2, zero_in_name = -3;
struct WriteFailed {
  int error;
  char name[4097];
};

[[noreturn]] inline void trap(int instruction, i64 a = 0, i64 b = 0, i64 c = 0, i64 d = 0) {
  Trapped t;
  t.instruction = instruction;
  t.error = 0;
  t.values[0] = a, t.values[1] = b, t.values[2] = c, t.values[3] = d;
  t.name[0] = 0;
  throw t;
}
inline i64 bits_of(i64 v) { return v; }
inline i64 bits_of(bool v) { return v; }
inline i64 bits_of(u8 v) { return v; }
inline i64 bits_of(Unit) { return 0; }
inline i64 bits_of(double v) {
  i64 r;
  memcpy(&r, &v, 8);
  return r;
}

template <class... S>
inline void check(Stream<Unit>& out, int instruction, BitReader& b, Reader<S>&... s) {
  i64 n = b.left();
  ((n = lesser(n, s.left())), ...);
  if (n <= 0) {
    out.done = b.over();
    return;
  }
  for (i64 k = 0; k < n; k += 64) {
    const u64 wrong = ~b.s->word(b.pos + k) & low_bits(n - k);
    if (!wrong) continue;
    const i64 at = k + trailing(wrong);
    i64 values[sizeof...(s) + 4] = {bits_of(s.s->get(s.pos + at))...};
    trap(instruction, values[0], values[1], values[2], values[3]);
  }
  out.end += n;
  b.pos += n;
  ((s.pos += n), ...);
  out.done = b.over();
}

// Where the groups of a stream begin.
struct Groups {
  i64* starts = 0;
  i64 count = 0, capacity = 0;
  Groups() { begin_at(0); }
  void restart() {
    count = 0;
    begin_at(0);
  }
  ~Groups() { free(starts); }
  void begin_at(i64 position) {
    if (count == capacity) {
      capacity = capacity ? 2 * capacity : 64;
      i64* const larger = (i64*)realloc(starts, size_t(capacity) * sizeof(i64));
      if (!larger) throw OutOfMemory{capacity * 8};
      starts = larger;
    }
    starts[count++] = position;
  }
  // The beginning of the group that holds a slice which begins at `start`; earlier groups are forgotten.
  i64 group_of(i64 start) {
    if (count < 2 || starts[1] > start) return count && starts[0] <= start ? starts[0] : 0;
    i64 k = 0;
    while (k + 1 < count && starts[k + 1] <= start) ++k;
    if (k > 0) {
      memmove(starts, starts + k, size_t(count - k) * sizeof(i64));
      count -= k;
    }
    return count && starts[0] <= start ? starts[0] : 0;
  }
};
// Groups that are small are taken together: no more is kept for it than these elements.
const i64 least_group = 1024;

// One list for each reader of the groups, for each forgets them at its own pace.
template <bool Short>
inline void segtab(i64& elements, BitReader& f, bool& done, Groups* const* g, int readers) {
  for (i64 n; (n = lesser(64, f.left())) > 0; f.pos += n) {
    const u64 flags = f.s->word(f.pos) & low_bits(n);
    if (flags) {
      const i64 through = 64 - __builtin_clzll(flags);  // the flags up to and with the last end
      const i64 begin = elements + elements_of<Short>(flags, through);
      for (int k = 0; k < readers; ++k)
        if (begin - g[k]->starts[g[k]->count - 1] >= least_group) g[k]->begin_at(begin);
    }
    elements += elements_of<Short>(flags, n);
  }
  done = f.over();
}

// Of the starts still to come, the least that is known: the next there is to read, or what is said of those after it.
template <class S>
inline i64 ahead(const Reader<S>& r, i64 after) {
  return r.left() > 0 ? r.here() : after;
}
// What is before is asked for no more.
template <class S>
inline void let_go(Reader<S>& base, i64 before) {
  if (base.pos != never) base.pos = greater(base.pos, lesser(before, base.s->end));
}

struct NoSuchElement {};  // a bug of the program's translation: an element that has been released

template <class T>
inline void reversed(T* to, const T* from, i64 n) {
  for (i64 k = 0; k < n; ++k) to[k] = from[n - 1 - k];
}
#if !defined(__clang__)
inline void reversed(u8* to, const u8* from, i64 n) {
  const Bytes mirror = {63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42,
                        41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20,
                        19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0};
  Bytes v;
  for (i64 k = 0; k < n; k += 64) {
    memcpy(&v, from + n - 64 - k, 64);
    v = __builtin_shuffle(v, mirror);
    memcpy(to + k, &v, 64);
  }
}
#endif
template <class T>
inline void copied(T* to, const T* from, i64 n) {
  memcpy(to, from, size_t(n) * sizeof(T));
}
inline void copied(u8* to, const u8* from, i64 n) {
  for (i64 k = 0; k < n; k += 64) memcpy(to + k, from + k, 64);
}

// Elements at[0] to at[n-1], n at most 64.
template <class T>
inline void gather_runs(T* to, const T* from, const i64* a, const i64* b, const i64* at, i64 n) {
  alignas(64) u8 ups[64], downs[64];
  for (int k = 0; k < 64; k += 8) {  // what lies past the end of a window may be read
    Ints x, y, z;
    memcpy(&x, a + k + 1, sizeof x);
    memcpy(&y, b + k + 1, sizeof y);
    memcpy(&z, at + k, sizeof z);
    z = x + y - z;
    const EightBytes up = __builtin_convertvector(z == 1, EightBytes),
                     down = __builtin_convertvector(z == -1, EightBytes);
    memcpy(ups + k, &up, 8);
    memcpy(downs + k, &down, 8);
  }
  // Bit k: element k+1 does not follow element k so.
  const u64 no_up = ~pack_bytes(ups) | u64(1) << (n - 1), no_down = ~pack_bytes(downs) | u64(1) << (n - 1);
  if (count_ones(no_up & no_down & low_bits(n)) >= 12) {  // runs that are too short to be worth a copy
    for (i64 k = 0; k < n; ++k) to[k] = from[at[k]];
    return;
  }
  for (i64 k = 0; k < n;) {
    if (no_up & no_down & u64(1) << k) {
      to[k] = from[at[k]];
      ++k;
    } else if (no_up >> k & 1) {
      const i64 run = trailing(no_down >> k) + 1;
      reversed(to + k, from + at[k + run - 1], run);
      k += run;
    } else {
      const i64 run = trailing(no_up >> k) + 1;
      copied(to + k, from + at[k], run);
      k += run;
    }
  }
}

// The elements of `s` at starts + i. Runs that lie side by side, forwards or backwards, are copied. An index outside of
// the whole stream gives anything, for a check traps.
template <class T>
inline void gather(Stream<T>& out, Reader<Stream<i64>>& starts, Reader<Stream<i64>>& i, Reader<Stream<T>>& s,
                   Groups* g) {
  i64 n = lesser(lesser(starts.left(), i.left()), out.room());
  const Stream<T>& from = *s.s;
  i64 start = -1;
  while (n > 0) {
    const i64 now = lesser(n, 64);
    const i64* const a = starts.s->at(starts.pos);
    const i64* const b = i.s->at(i.pos);
    alignas(64) i64 at[64];
    i64 least = never, most = -1;
    if (now == 64) {
      Ints low = {never, never, never, never, never, never, never, never}, high = {-1, -1, -1, -1, -1, -1, -1, -1};
      for (i64 k = 0; k < 64; k += 8) {
        Ints x, y;
        memcpy(&x, a + k, sizeof x);
        memcpy(&y, b + k, sizeof y);
        x += y;  // wraps, as the flags of the compiler say
        memcpy(at + k, &x, sizeof x);
        low = x < low ? x : low;
        high = x > high ? x : high;
      }
      for (int k = 0; k < 8; ++k) least = lesser(least, low[k]), most = greater(most, high[k]);
    } else {
      for (i64 k = 0; k < now; ++k) {
        at[k] = i64(u64(a[k]) + u64(b[k]));
        least = lesser(least, at[k]);
        most = greater(most, at[k]);
      }
    }
    i64 known = now;
    T* const to = out.tail();
    if (most >= from.end || least < from.base) {
      for (known = 0; known < now; ++known) {
        const i64 k = at[known];
        if (k >= from.end && !from.done) break;
        if (k >= 0 && k < from.base) throw NoSuchElement();
        to[known] = k >= 0 && k < from.end ? from.get(k) : T();
      }
      if (known == 0) break;
    } else {
      gather_runs(to, from.data - from.base, a, b, at, now);
    }
    start = a[known - 1];
    out.end += known;
    starts.pos += known;
    i.pos += known;
    n -= known;
  }
  if (starts.over() || i.over()) out.done = true;
  if (g && start >= 0 && s.pos != never) s.pos = greater(s.pos, lesser(g->group_of(start), from.end));
}
inline void gather(Stream<Bit>& out, Reader<Stream<i64>>& starts, Reader<Stream<i64>>& i, BitReader& s, Groups* g) {
  i64 n = lesser(lesser(starts.left(), i.left()), out.room()), start = -1;
  for (; n > 0; --n) {
    const i64 at = i64(u64(starts.here()) + u64(i.here()));
    if (at >= s.s->end && !s.s->done) break;
    if (at >= 0 && at < s.s->base) throw NoSuchElement();
    start = starts.here();
    out.push(at >= 0 && at < s.s->end && s.s->get(at));
    ++starts.pos, ++i.pos;
  }
  if (starts.over() || i.over()) out.done = true;
  if (g && start >= 0 && s.pos != never) s.pos = greater(s.pos, lesser(g->group_of(start), s.s->end));
}
inline void gather(Stream<Unit>& out, Reader<Stream<i64>>& starts, Reader<Stream<i64>>& i, Reader<Stream<Unit>>& s,
                   Groups*) {
  const i64 n = greater(lesser(starts.left(), i.left()), 0);
  out.end += n, starts.pos += n, i.pos += n;
  if (starts.over() || i.over()) out.done = true;
  (void)s;
}

// A file's name: a slice of a stream of characters. False while it is not there yet.
inline bool name_at(char* name, Reader<Stream<i64>>& starts, Reader<Stream<i64>>& lens, Reader<Stream<u8>>& s,
                    bool& has_zero) {
  if (starts.left() <= 0 || lens.left() <= 0) return false;
  const i64 start = starts.here(), length = lens.here();
  if (start + length > s.s->end) return false;
  if (start < s.s->base) throw NoSuchElement();
  const i64 kept = lesser(length, 4096);  // a longer one does not exist
  memcpy(name, s.s->data + (start - s.s->base), size_t(kept));
  name[kept] = 0;
  has_zero = memchr(name, 0, size_t(kept)) != 0;
  return true;
}

// Where a file is that the program names. A program that is run beside others, to be compared with them, has files of
// its own: `place` says where they are, and `once` which of them stands for one that can be read only once, or -1.
#if defined(LOCKSTEP_APART)
struct Apart {
  const char* (*place)(const char*);
  int (*once)(const char*);
};
Apart apart = {0, 0};
inline const char* place_of(const char* name) { return apart.place ? apart.place(name) : name; }
#else
inline const char* place_of(const char* name) { return name; }
#endif

// What is gone once it is read: standard input, a pipe, a socket, a terminal. Those that this run has begun to read.
struct OnceRead {
  dev_t device;
  ino_t file;
};
struct OncesRead {
  OnceRead* begun = 0;
  int count = 0;
  char busy = 0;
  ~OncesRead() { free(begun); }
  bool is_first(OnceRead r) {
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {
    }
    bool first = true;
    for (int k = 0; k < count; ++k) first = first && (begun[k].device != r.device || begun[k].file != r.file);
    OnceRead* const more = first ? (OnceRead*)realloc(begun, size_t(count + 1) * sizeof r) : 0;
    if (more) begun = more, begun[count++] = r;
    __atomic_clear(&busy, __ATOMIC_RELEASE);
    if (first && !more) throw OutOfMemory{i64(sizeof r) * (count + 1)};
    return first;
  }
};
inline OncesRead& onces_read() {
  static OncesRead read;
  return read;
}
inline bool is_read_once(const char* name, OnceRead& which) {
  which.device = 0, which.file = 0;
#if defined(LOCKSTEP_APART)
  if (apart.once) {
    const int k = apart.once(name);
    which.file = ino_t(k);
    return k >= 0;
  }
#endif
  const bool standard = strcmp(name, "-") == 0;
  struct stat s, in;
  if (standard ? fstat(0, &s) : stat(name, &s)) return standard;
  const bool terminal = S_ISCHR(s.st_mode) && isatty(0) && fstat(0, &in) == 0 && in.st_rdev == s.st_rdev;
  if (!S_ISFIFO(s.st_mode) && !S_ISSOCK(s.st_mode) && !terminal) return standard;
  which.device = s.st_dev, which.file = s.st_ino;
  return true;
}

// A file read in pieces. What it has at its opening must be there to the end.
struct FileReader {
  int fd = -1;
  i64 size = 0, got = 0;
  char name[4097];
  bool open = false, has_zero = false;
  u8* piece = 0;
  i64 at = 0, filled = 0;
  bool ended = false;
  ~FileReader() {
    close_file();
    free(piece);
  }
  void close_file() {
    if (fd > 0) ::close(fd);
    fd = -1;
    open = false;
  }
  [[noreturn]] void fail(int instruction, int error) {
    Trapped t;
    t.instruction = instruction;
    t.error = error;
    memset(t.values, 0, sizeof t.values);
    memcpy(t.name, name, sizeof name);
    throw t;
  }
  void start(int instruction) {
    struct stat s;
    got = size = 0;
    ended = false;
    if (has_zero) fail(instruction, zero_in_name);
    OnceRead which;
    if (is_read_once(name, which) && !onces_read().is_first(which)) fail(instruction, read_twice);
    const char* const place = place_of(name);
    if (place == name && strcmp(name, "-") == 0) {
      fd = 0;
    } else {
      fd = ::open(place, O_RDONLY | O_CLOEXEC);
      if (fd < 0) fail(instruction, errno);
    }
    if (fstat(fd, &s)) fail(instruction, errno);
    if (S_ISDIR(s.st_mode)) fail(instruction, EISDIR);
    if (S_ISREG(s.st_mode) && fd != 0) {
      size = s.st_size;
      posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    open = true;
  }
  // What another has read already, to be given first.
  const u8* ahead = 0;
  i64 ahead_left = 0;
  void go_on(FileReader& from, const u8* read, i64 n) {
    fd = from.fd, size = from.size, got = from.got, open = true;
    memcpy(name, from.name, sizeof name);
    ahead = read, ahead_left = n;
    from.fd = -1;
  }
  i64 read(int instruction, u8* to, i64 room) {  // 0 at the end
    if (ahead_left > 0) {
      const i64 n = lesser(ahead_left, room);
      memcpy(to, ahead, size_t(n));
      ahead += n;
      ahead_left -= n;
      return n;
    }
    for (;;) {
      const ssize_t n = ::read(fd, to, size_t(lesser(room, 1 << 30)));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail(instruction, errno);
      if (n == 0 && got < size) fail(instruction, shrank);
      got += n;
      return n;
    }
  }
};
// A whole name, from what has been collected of its three streams.
template <class Ints, class Chars>
inline void name_of(FileReader& file, const Ints& starts, const Ints& lens, const Chars& s) {
  const i64 length = lens.count ? lens.data[0] : 0, kept = lesser(length, 4096);
  memcpy(file.name, s.data + (starts.count ? starts.data[0] : 0), size_t(kept));
  file.name[kept] = 0;
  file.has_zero = memchr(file.name, 0, size_t(kept)) != 0;
}
inline void read_whole(Stream<u8>& out, int instruction, Reader<Stream<i64>>& starts, Reader<Stream<i64>>& lens,
                       Reader<Stream<u8>>& s, FileReader& file) {
  if (!file.open) {
    if (starts.over()) out.done = true;
    if (!name_at(file.name, starts, lens, s, file.has_zero)) return;
    file.start(instruction);
  }
  while (out.room() > 0) {
    const i64 n = file.read(instruction, out.tail(), out.room());
    out.end += n;
    if (n > 0) continue;
    file.close_file();
    out.done = true;
    return;
  }
}
inline void read_file(Stream<i64>& out, int instruction, Reader<Stream<i64>>& starts, Reader<Stream<i64>>& lens,
                      Reader<Stream<u8>>& s, FileReader& file, Groups* g) {
  const i64 capacity = 1 << 16;
  while (out.room() > 0) {
    if (!file.open) {
      if (!name_at(file.name, starts, lens, s, file.has_zero)) break;
      if (g) s.pos = greater(s.pos, lesser(g->group_of(starts.here()), s.s->end));
      ++starts.pos, ++lens.pos;
      file.start(instruction);
      file.at = file.filled = 0;
      if (!file.piece) file.piece = (u8*)malloc(size_t(capacity));
      if (!file.piece) throw OutOfMemory{capacity};
    }
    if (file.at == file.filled) {
      file.at = 0;
      file.filled = file.read(instruction, file.piece, capacity);
    }
    if (file.filled == 0) {
      out.push(256);
      file.close_file();
      continue;
    }
    const i64 n = lesser(out.room(), file.filled - file.at);
    i64* const to = out.tail();
    for (i64 k = 0; k < n; ++k) to[k] = file.piece[file.at + k];
    out.end += n;
    file.at += n;
  }
  out.done = !file.open && (starts.over() || lens.over());
}

// Files that appear whole when the program is done, or not at all; pipes, devices and standard output as they come.
// Until then a file has no name, so that nothing is left of a program that is killed. Where a file system has no such
// files, or very many are written, it is a hidden one beside its place, which its writer has locked: one that nobody
// has locked was left by a program that was killed, and is removed by the next that writes there.
struct Output {
  Output* next;
  int fd;             // of the file, until it is in its place
  char name[4097];    // its place, links followed
  char beside[4200];  // its name until then; "" where it has none
};
struct Outputs {
  static const int most_open = 200;
  Output* first = 0;
  Output** last = &first;
  int open_files = 0;
  ~Outputs() {
    while (Output* o = first) {
      first = o->next;
      if (o->beside[0]) unlink(o->beside);
      if (o->fd >= 0) ::close(o->fd);
      delete o;
    }
  }
  [[noreturn]] static void fail(const char* name, int error) {
    WriteFailed f;
    f.error = error;
    snprintf(f.name, sizeof f.name, "%s", name);
    throw f;
  }
  // The descriptor to write to; `o` is null where that is no file of ours.
  int create(const char* name, Output*& o) {
    o = 0;
    if (!name[0]) fail(name, EINVAL);
    const char* const place = place_of(name);
    if (place == name && strcmp(name, "-") == 0) return 1;
    struct stat s;
    const bool there = stat(place, &s) == 0;
    if (there && S_ISDIR(s.st_mode)) fail(name, EISDIR);
    if (there && !S_ISREG(s.st_mode)) {
      const int fd = open(place, O_WRONLY | O_CLOEXEC);
      if (fd < 0) fail(name, errno);
      return fd;
    }
    if (there && access(place, W_OK)) fail(name, errno);
    if (place != name && is_stream(name) && (o = earlier(place))) return o->fd;
    o = new Output;
    o->next = 0, o->fd = -1, o->beside[0] = 0;
    *last = o;
    last = &o->next;
    if (!there || !realpath(place, o->name)) snprintf(o->name, sizeof o->name, "%s", place);
    open_file(*o, name);
    if (there) fchmod(o->fd, s.st_mode & 07777);
    ++open_files;
    return o->fd;
  }
  // All of it has been written. A file that has a name need not be open.
  void finish(Output& o) {
    if (open_files <= most_open) return;
    if (!o.beside[0] && !give_name(o)) fail(o.name, errno);
    if (close(o)) fail(o.name, errno);
  }
  void appear() {
    for (Output* o = first; o; o = o->next) {
      if (!o->beside[0] && !give_name(*o)) fail(o->name, errno);
      const int copy = o->fd >= 0 ? dup(o->fd) : -1;  // what closing a file finds wrong, before it is in its place
      if (copy >= 0 && ::close(copy)) fail(o->name, errno);
    }
    for (Output* o = first; o; o = o->next) {
      if (::rename(o->beside, o->name)) fail(o->name, errno);
      o->beside[0] = 0;
      close(*o);
    }
  }

 private:
  static bool is_stream(const char* name) {
    struct stat s;
    return strcmp(name, "-") == 0 || (stat(name, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode));
  }
  // What stands for a stream takes all that goes there.
  Output* earlier(const char* place) {
    for (Output* o = first; o; o = o->next) {
      if (strcmp(o->name, place) != 0) continue;
      if (o->fd < 0 && (o->fd = open(o->beside, O_WRONLY | O_APPEND | O_CLOEXEC)) < 0) fail(place, errno);
      return o;
    }
    return 0;
  }
  int close(Output& o) {
    const int fd = o.fd;
    o.fd = -1;
    --open_files;
    return fd >= 0 ? ::close(fd) : 0;
  }
  // "folder/.name.lockstep-k", of a long name its beginning.
  static void name_beside(Output& o, int k) {
    const char* const slash = strrchr(o.name, '/');
    const char* const base = slash ? slash + 1 : o.name;
    snprintf(o.beside, sizeof o.beside, "%.*s.%.200s.lockstep-%d", int(base - o.name), o.name, base, k);
  }
  static void remove_abandoned(const char* path) {
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) unlink(path);
    ::close(fd);
  }
  // Tries names until one is free; false, with errno, where it is not for want of a free one.
  template <class Attempt>
  static bool with_name(Output& o, Attempt attempt) {
    for (int k = 0; k < 10000; ++k) {
      name_beside(o, k);
      if (attempt()) return true;
      if (errno != EEXIST) break;
      remove_abandoned(o.beside);
      if (attempt()) return true;
      if (errno != EEXIST) break;
    }
    o.beside[0] = 0;
    return false;
  }
  bool give_name(Output& o) {
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", o.fd);
    flock(o.fd, LOCK_EX | LOCK_NB);
    return with_name(o, [&] { return linkat(AT_FDCWD, self, AT_FDCWD, o.beside, AT_SYMLINK_FOLLOW) == 0; });
  }
  static bool create_locked(Output& o) {
    o.fd = open(o.beside, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    if (o.fd < 0) return false;
    struct stat s;
    if (flock(o.fd, LOCK_EX | LOCK_NB) == 0 && fstat(o.fd, &s) == 0 && s.st_nlink > 0) return true;
    ::close(o.fd);  // another took it for abandoned before it was locked
    o.fd = -1;
    errno = EEXIST;
    return false;
  }
  static void open_file(Output& o, const char* name) {
    char folder[4200];
    const char* const slash = strrchr(o.name, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? int(slash - o.name) + 1 : 1, slash ? o.name : ".");
#if defined(O_TMPFILE)
    if (access("/proc/self/fd", X_OK) == 0) o.fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
#endif
    if (o.fd < 0 && !with_name(o, [&] { return create_locked(o); })) fail(name, errno);
  }
};
struct FileWriter {
  int fd = -1;
  Output* output = 0;  // where the file is one of ours
  i64 filled = 0;
  u8* piece = 0;
  char name[4097];
  ~FileWriter() {
    if (fd > 1 && !output) ::close(fd);
    free(piece);
  }
  void put(const u8* from, i64 n) {
    while (n > 0) {
      const ssize_t written = ::write(fd, from, size_t(lesser(n, 1 << 30)));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) Outputs::fail(name, errno);
      from += written;
      n -= written;
    }
  }
  static const i64 capacity = 1 << 18;
  void add(const u8* from, i64 n) {
    if (!piece && !(piece = (u8*)malloc(size_t(capacity)))) throw OutOfMemory{capacity};
    if (filled + n > capacity) flush();
    if (n >= 1 << 15) {
      flush();
      return put(from, n);
    }
    memcpy(piece + filled, from, size_t(n));
    filled += n;
  }
  void flush() {
    put(piece, filled);
    filled = 0;
  }
  void finish(Outputs& outputs) {
    flush();
    if (output)
      outputs.finish(*output);
    else if (fd > 1 && ::close(fd))
      Outputs::fail(name, errno);
    fd = -1, output = 0;
  }
};
template <bool Short>
inline void write_file(Stream<Unit>& out, Reader<Stream<i64>>& starts, Reader<Stream<i64>>& lens, Reader<Stream<u8>>& s,
                       Reader<Stream<u8>>& c, BitReader& f, FileWriter& w, Outputs& outputs, Groups* g) {
  for (;;) {
    if (w.fd < 0) {
      bool has_zero;
      if (!name_at(w.name, starts, lens, s, has_zero)) break;
      if (has_zero) Outputs::fail(w.name, EINVAL);
      w.fd = outputs.create(w.name, w.output);
    }
    i64 n;
    bool last;
    if (!take_run<Short>(f, greater(c.left(), 0), n, last)) break;
    if (n > 0) w.add(c.s->at(c.pos), n);
    c.pos += n;
    if (!last) continue;
    w.finish(outputs);
    if (g) s.pos = greater(s.pos, lesser(g->group_of(starts.here()), s.s->end));
    ++starts.pos, ++lens.pos;
    out.push(Unit());
  }
  out.done = w.fd < 0 && (starts.over() || lens.over());
}

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
