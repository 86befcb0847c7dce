// Files that a program writes.
#pragma once
#include <sys/file.h>

#include "codegen/streaming/kernels/files_read.h"

namespace lockstep_engine {
namespace {

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
KERNEL_OF(WriteFile, .call = "write_file<{short 4}>({out}{readers}, file{id}, outputs, {groups})", .file = "FileWriter")
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

}  // namespace
}  // namespace lockstep_engine
