// Files, standard input and pipes, read in pieces.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codegen/streaming/kernels/gathers.h"

namespace lockstep_engine {
namespace {

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
KERNEL_OF(ReadWhole, .call = "read_whole({out}, {id}{readers}, file{id})", .file = "FileReader")
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
KERNEL_OF(ReadFile, .call = "read_file({out}, {id}{readers}, file{id}, {groups})", .file = "FileReader")
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

}  // namespace
}  // namespace lockstep_engine
