// Streams as the engine keeps them: a window of the elements that some reader has still to see, in a buffer that is
// used again and again. Elements and read cursors are counted from the start of the stream.
//
// Chars are bytes, Ints and Reals 8 bytes, Booleans and descriptors bits of 64-bit words (lowest first, 0 past the
// end); units and repeated constants are only counted. Windows begin at multiples of 64 elements, and the block of 64
// that holds the end may be written whole, so that loops run over whole blocks only.
#pragma once
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define KERNEL_OF(...)  // of an opcode, how it is called: for who writes the text (README), and no part of it

namespace lockstep_engine {
namespace {

typedef int64_t i64;
typedef uint64_t u64;
typedef unsigned char u8;

const i64 never = INT64_MAX;        // the cursor of a reader that reads no more
const i64 past_all = i64(1) << 50;  // no stream has as many elements
const i64 block = 64;
const i64 large = 1 << 22;  // bytes of a window that is not left behind

struct OutOfMemory {
  i64 bytes;  // that were asked for, with all that there was
};

// What buffers and results take, of what they may.
struct Memory {
  i64 used = 0, most = 0;  // 0: any
  void begin(i64 allowed) { used = 0, most = allowed; }
  void take(i64 bytes) {
    const i64 all = __atomic_add_fetch(&used, bytes, __ATOMIC_RELAXED);
    if (bytes <= 0 || most <= 0 || all <= most) return;
    __atomic_sub_fetch(&used, bytes, __ATOMIC_RELAXED);
    throw OutOfMemory{all};
  }
};
inline Memory& memory_taken() {
  static Memory m;
  return m;
}

inline i64 lesser(i64 a, i64 b) { return a < b ? a : b; }
inline i64 greater(i64 a, i64 b) { return a > b ? a : b; }
inline u64 low_bits(i64 n) { return n >= 64 ? ~u64(0) : (u64(1) << n) - 1; }
inline int count_ones(u64 w) { return __builtin_popcountll(w); }
inline int trailing(u64 w) { return w ? __builtin_ctzll(w) : 64; }

#if defined(__BMI2__)
inline u64 extract_bits(u64 v, u64 mask) { return __builtin_ia32_pext_di(v, mask); }
inline u64 deposit_bits(u64 v, u64 mask) { return __builtin_ia32_pdep_di(v, mask); }
#else
inline u64 extract_bits(u64 v, u64 mask) {
  u64 r = 0;
  for (int k = 0; mask; mask &= mask - 1, ++k) r |= u64((v & mask & -mask) != 0) << k;
  return r;
}
inline u64 deposit_bits(u64 v, u64 mask) {
  u64 r = 0;
  for (; mask; mask &= mask - 1, v >>= 1) r |= v & 1 ? mask & -mask : 0;
  return r;
}
#endif

// Where the k-th one of w stands, counted from 0; 64 where there are not as many.
inline i64 place_of_one(u64 w, i64 k) { return trailing(deposit_bits(u64(1) << k, w)); }

// Bytes that grow: what is large is the system's, which moves it and copies nothing, whoever allocates what is small.
struct Block {
  static const size_t moved_from = 1 << 20;
  char* bytes = 0;
  size_t count = 0;
  bool grow(size_t to) {  // false: there are no more
    if (to <= count) return true;
    void* p;
    if (to < moved_from) {
      p = realloc(bytes, to);
    } else if (count >= moved_from) {
      p = mremap(bytes, count, to, MREMAP_MAYMOVE);
    } else {
      p = mmap(0, to, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (p != MAP_FAILED && bytes) memcpy(p, bytes, count), free(bytes);
    }
    if (!p || p == MAP_FAILED) return false;
    bytes = (char*)p, count = to;
    return true;
  }
  ~Block() {
    if (count < moved_from)
      free(bytes);
    else
      munmap(bytes, count);
  }
};

struct Bit {};
struct Unit {};

// What a stream of T is stored in, and how many elements one of these holds.
template <class T>
struct Cell {
  typedef T type;
  typedef T element;
  static const i64 elements = 1;
};
template <>
struct Cell<Bit> {
  typedef u64 type;
  typedef bool element;
  static const i64 elements = 64;
};

template <class T>
struct Window {
  typedef typename Cell<T>::type cell;
  typedef typename Cell<T>::element element;
  Block raw;
  cell* memory = 0;      // within it
  cell* data = 0;        // at `base`
  i64 base = 0;          // a multiple of 64
  i64 low = 0, end = 0;  // the elements low to end - 1 are still to be read
  i64 limit = 0;         // how many these may be
  i64 physical = 0;      // elements that fit into `memory`
  bool done = false;

  i64 taken = 0;       // bytes
  char* returned = 0;  // what lies before is the system's
  ~Window() { memory_taken().take(-taken); }
  void take() {
    const i64 bytes = i64(cells(limit) * sizeof(cell));
    memory_taken().take(bytes - taken);
    taken = bytes;
  }
  // Room for so many elements in `memory`, which keeps what it has.
  void reserve(i64 elements) {
    // A vector of 64 bytes may reach over either end.
    const size_t bytes = (size_t(elements / Cell<T>::elements) * sizeof(cell) + 127) / 64 * 64 + 192;
    const size_t before = memory ? size_t((char*)memory - raw.bytes) : 0, old = size_t(physical / Cell<T>::elements);
    if (elements > (i64(1) << 56) || !raw.grow(bytes)) throw OutOfMemory{i64(bytes)};
    char* const p = raw.bytes;
    cell* const aligned = (cell*)(p + 128 - (size_t(p) & 63));
    if (before && size_t((char*)aligned - p) != before) memmove(aligned, p + before, (old + 1) * sizeof(cell));
    if (!before) memset(p, 0, bytes < 4096 ? bytes : 4096);
    memory = aligned;
    physical = elements;
    returned = 0;
  }
  static i64 enough(i64 n) { return (2 * n + 4 * block + 63) / 64 * 64; }
  void open(i64 n) {
    limit = n;
    take();
    reserve(enough(n));
    data = memory;
  }
  // Room for more where nothing else can go on.
  void grow() {
    const i64 offset = data - memory;
    limit *= 2;
    take();
    reserve(enough(limit));
    data = memory + offset;
  }
  static size_t cells(i64 n) { return size_t((n + Cell<T>::elements - 1) / Cell<T>::elements); }
  // Elements of someone else's, all there; `memory` stays without them.
  void borrow(cell* elements, i64 n) {
    data = elements;
    base = low = 0;
    end = n;
    done = true;
  }
  void restart() {
    data = memory;
    base = low = end = 0;
    done = false;
    if (Cell<T>::elements == 64 && memory) memory[0] = cell();
  }
  i64 room() const { return limit - (end - low); }
  bool full() const { return room() <= 0; }
  // No reader needs what is before `to`.
  void release(i64 to) {
    if (to > end) to = end;
    if (to <= low) return;
    low = to;
    const i64 from = to & -block;
    const i64 kept = end - from;
    const i64 offset = (data - memory) * Cell<T>::elements + (from - base);
    cell* const first = data + (from - base) / Cell<T>::elements;
    base = from;
    if (offset == 0) return;
    if (kept <= block || offset + limit + 3 * block > physical) {
      char* const until = (char*)(first + cells(kept));
      memmove(memory, first, cells(kept) * sizeof(cell));
      data = memory;
      give_back((char*)(memory + cells(kept) + 2 * block), until);
      returned = 0;
      if (Cell<T>::elements == 64) clear_after();
    } else {
      data = first;
      give_back();
    }
  }
  // Of a large window the pages that hold nothing, to the system: those before its elements, or those after them.
  void give_back() { give_back(returned > (char*)memory ? returned : (char*)memory, (char*)data); }
  void give_back(char* from, char* to) {
    const uintptr_t page = 4096;
    from = (char*)((uintptr_t(from) + page - 1) & -page);
    to = (char*)(uintptr_t(to) & -page);
    if (taken < large || to - from < large / 4) return;
    madvise(from, size_t(to - from), MADV_DONTNEED);
    returned = to;
  }
  void clear_after() {}
};

template <class T>
struct Stream : Window<T> {
  T* at(i64 i) { return this->data + (i - this->base); }
  T get(i64 i) const { return this->data[i - this->base]; }
  void push(T v) { this->data[this->end++ - this->base] = v; }
  T* tail() { return at(this->end); }
};

template <>
inline void Window<Bit>::clear_after() {
  // Whatever the window held before must not show past the end.
  const i64 used = end - base;
  data[used / 64] &= low_bits(used & 63);
  data[used / 64 + 1] = 0;
}

template <>
struct Stream<Bit> : Window<Bit> {
  u64* at(i64 i) { return data + ((i - base) >> 6); }  // the word that holds element i
  bool get(i64 i) const { return data[(i - base) >> 6] >> ((i - base) & 63) & 1; }
  // 64 elements from i; nothing is said of those past the end.
  u64 word(i64 i) const {
    const u64* const p = data + ((i - base) >> 6);
    const int shift = int((i - base) & 63);
    return p[0] >> shift | p[1] << 1 << (63 - shift);  // no branch, as p[1] may be read
  }
  void put(u64 bits, i64 n) {  // the lowest n of bits, the others being 0; n <= 64
    u64* const p = data + ((end - base) >> 6);
    const int shift = int((end - base) & 63);
    if (shift) {
      p[0] |= bits << shift;
      p[1] = bits >> (64 - shift);
    } else {
      p[0] = bits;
      p[1] = 0;
    }
    end += n;
  }
  void push(bool b) { put(b, 1); }
};

// Counted only.
template <>
struct Stream<Unit> {
  typedef Unit element;
  i64 low = 0, end = 0;
  bool done = false;
  void open(i64) {}
  i64 room() const { return never; }
  bool full() const { return false; }
  void release(i64) {}
  void restart() { low = end = 0, done = false; }
  Unit get(i64) const { return Unit(); }
  void push(Unit) { ++end; }
};
template <class T>
struct Repeated {
  typedef T element;
  T value;
  i64 low = 0, end = 0;
  bool done = false;
  explicit Repeated(T v) : value(v) {}
  void open(i64) {}
  i64 room() const { return never; }
  bool full() const { return false; }
  void release(i64) {}
  void restart() { low = end = 0, done = false; }
  T get(i64) const { return value; }
};

template <class S>
struct Reader {
  S* s = 0;
  i64 pos = 0;
  i64 left() const { return pos == never ? 0 : s->end - pos; }
  bool over() const { return pos == never || (s->done && pos >= s->end); }
  void close() { pos = never; }
  typename S::element here() const { return s->get(pos); }
};

// A reader and a writer of bits while one kernel runs: what they need lies in registers, and is put back at the end.
struct BitsIn {
  Reader<Stream<Bit>>& reader;
  const u64* words;  // from element 0 on
  i64 pos, end;
  explicit BitsIn(Reader<Stream<Bit>>& r)
      : reader(r), words(r.s->data - (r.s->base >> 6)), pos(r.pos), end(r.pos == never ? never : r.s->end) {}
  ~BitsIn() { reader.pos = pos; }
  i64 left() const { return end - pos; }
  u64 word() const {
    const u64* const p = words + (pos >> 6);
    const int shift = int(pos & 63);
    return p[0] >> shift | p[1] << 1 << (63 - shift);  // no branch, as p[1] may be read
  }
};
struct BitsOut {
  Stream<Bit>& stream;
  u64* p;
  u64 open;  // the word that holds the end
  i64 end;
  const i64 most;
  explicit BitsOut(Stream<Bit>& s)
      : stream(s), p(s.at(s.end)), open(s.end & 63 ? *p : 0), end(s.end), most(s.low + s.limit) {}
  ~BitsOut() {
    *p = open;
    stream.end = end;
  }
  i64 room() const { return most - end; }
  bool empty() const { return stream.low == end; }
  void put(u64 bits, i64 n) {  // as Stream's
    const int shift = int(end & 63);
    open |= bits << shift;
    *p = open;
    const bool full = shift + n >= 64;
    open = full ? (shift ? bits >> (64 - shift) : 0) : open;
    p += full;
    end += n;
  }
};

// n elements of `from`, beginning at i, to the end of `to`, which has room.
template <class T>
inline void append(Stream<T>& to, const Stream<T>& from, i64 i, i64 n) {
  T* const out = to.tail();
  const T* const in = from.data + (i - from.base);
  if (size_t(n) * sizeof(T) <= 64)
    memcpy(out, in, 64);  // what follows either window may be read and written so far
  else
    memcpy(out, in, size_t(n) * sizeof(T));
  to.end += n;
}
inline void append(Stream<Bit>& to, const Stream<Bit>& from, i64 i, i64 n) {
  for (; n > 0; n -= 64, i += 64) to.put(from.word(i) & low_bits(n), lesser(n, 64));
}
inline void append(Stream<Unit>& to, const Stream<Unit>&, i64, i64 n) { to.end += n; }
// Whole groups of 8 are written: what lies past the end of a window may hold anything for 64 elements.
template <class T>
inline void fill(Stream<T>& to, T v, i64 n) {
  T* const out = to.tail();
  for (i64 k = 0; k < n; k += 8)
    for (int j = 0; j < 8; ++j) out[k + j] = v;
  to.end += n;
}
template <>
inline void fill(Stream<u8>& to, u8 v, i64 n) {
  memset(to.tail(), v, size_t(n));
  to.end += n;
}
inline void fill(Stream<Bit>& to, bool v, i64 n) {
  if (n >= 256) {
    const i64 head = -to.end & 63;
    if (head) to.put(v ? low_bits(head) : 0, head);
    const i64 whole = (n - head) / 64;
    memset(to.at(to.end), v ? 0xff : 0, size_t(whole) * 8);
    to.end += whole * 64;
    n -= head + whole * 64;
    *to.at(to.end) = 0;
  }
  for (; n > 0; n -= 64) to.put(v ? low_bits(n) : 0, lesser(n, 64));
}
// n times F, and a T where `last`.
inline void put_number(Stream<Bit>& to, i64 n, bool last) {
  if (n < 64) return to.put(u64(last) << n, n + last);
  fill(to, false, n);
  if (last) to.put(1, 1);
}
inline void fill(Stream<Unit>& to, Unit, i64 n) { to.end += n; }
template <class T, class U>
inline void append(Stream<T>& to, const Repeated<U>& from, i64, i64 n) {
  fill(to, from.value, n);
}

}  // namespace
}  // namespace lockstep_engine
