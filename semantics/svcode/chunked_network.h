// The network of transducers that the chunked interpreter runs (§2.3.3, the sequential semantics of §5.3.1): a bounded
// buffer for each stream with a cursor for each argument that reads it, and a transducer for each instruction.
#pragma once

#include "semantics/snesl/evaluate.h"
#include "semantics/svcode/program.h"
#include "semantics/svcode/rows.h"

namespace lockstep::svcode {

// Elements in buffers and in local states, now and at most.
struct Space {
  std::int64_t now = 0;
  std::int64_t peak = 0;
  void add(std::int64_t n) {
    now += n;
    if (now > peak) peak = now;
  }
};

// What comes at one end and goes at the other, in one piece of memory: a run has many of these, and they hold little.
template <class T>
class Window {
 public:
  bool empty() const { return first_ == all_.size(); }
  std::size_t size() const { return all_.size() - first_; }
  const T& operator[](std::size_t k) const { return all_[first_ + k]; }
  auto begin() const { return all_.begin() + static_cast<std::ptrdiff_t>(first_); }
  auto end() const { return all_.end(); }
  void push_back(const T& x) { all_.push_back(x); }
  void pop_front() {
    if (2 * ++first_ < all_.size()) return;
    all_.erase(all_.begin(), begin());
    first_ = 0;
  }

 private:
  std::vector<T> all_;
  std::size_t first_ = 0;
};

struct Transducer;
// A moving window on a stream. Positions count from the stream's beginning. An element leaves once every cursor is past
// it; where nobody reads, at once.
class Buffer {
 public:
  Buffer(Space& space, std::int64_t capacity) : space_(&space), capacity_(capacity) {}
  void made_by(const Transducer& t) { maker_ = &t; }
  const Transducer& maker() const { return *maker_; }

  // The writer's side.
  bool has_room() const { return cursors_.empty() || size() < capacity_; }
  void push(const Atom& a);
  void begin_group();
  void grow() { ++capacity_; }
  void end_group() { open_ = false; }
  bool group_is_open() const { return open_; }
  void close() { closed_ = true; }
  void collect() { collected_.emplace(); }                        // a result: kept outside the buffer
  void hold(const Stream* all) { given_ = all, closed_ = true; }  // the base of vectors: whole in memory, free

  // A reader's side.
  std::size_t add_cursor();
  std::int64_t cursor(std::size_t c) const { return cursors_[c]; }
  void move(std::size_t c, std::int64_t to);  // forward
  void detach(std::size_t c);
  std::int64_t begin() const { return given_ ? 0 : begin_; }
  std::int64_t end() const { return given_ ? static_cast<std::int64_t>(given_->size()) : begin_ + size(); }
  const Atom& at(std::int64_t p) const {
    return given_ ? (*given_)[static_cast<std::size_t>(p)] : items_[static_cast<std::size_t>(p - begin_)];
  }
  bool closed() const { return closed_; }
  // What must stay for one who reads at p and later anywhere in the group of p or after it.
  std::int64_t group_of(std::int64_t p) const;

  std::int64_t size() const { return static_cast<std::int64_t>(items_.size()); }
  std::int64_t capacity() const { return capacity_; }
  const Stream& collected() const { return *collected_; }

 private:
  void drop();

  Space* space_;
  std::int64_t capacity_;
  Window<Atom> items_;
  std::int64_t begin_ = 0;
  std::vector<std::int64_t> cursors_;
  Window<std::int64_t> groups_;  // where those begin that are not all gone
  bool open_ = false;
  bool closed_ = false;
  std::optional<Stream> collected_;
  const Stream* given_ = nullptr;
  const Transducer* maker_ = nullptr;
};

struct Write {
  std::size_t instruction;
  std::string name;
  std::string content;
};
// What all transducers share.
struct Surroundings {
  Space space;
  snesl::Files& files;
  std::vector<Write> writes;  // done when the run has succeeded
  // A check may come after the use that it guards, so a wrong length or index is passed over; where no check traps in
  // the end, it is a bug.
  std::string fault;
  Rows rows = {};
  // When all have finished: the bug, or the files that are written.
  void finish(const Program& p);
};

enum class Step : unsigned char { Fired, Waits, Finished };

struct Port {
  Buffer* buffer;
  std::size_t cursor;
  std::int64_t read = 0;     // elements
  bool is_short = false;     // a descriptor's short form is read as the general one:
  bool end_is_next = false;  // of the element that is there the F has been taken
  bool is_kept = false;      // a base that others let go of, a network's steps
};

// Of where slices begin: what all that is still to be emitted is at least. What passes without an element says it too:
// a sum that has come so far, a false flag. `in_groups`: or lies in the same group.
struct Ahead {
  std::int64_t start = 0;
  bool in_groups = false;
};

// One instruction with its local state: at most one element, an accumulator, counters, a file's text.
struct Transducer {
  Transducer(const Instr& instr, std::size_t index, Buffer& out, Surroundings& around)
      : instr(instr), index(index), out(&out), around(around) {
    out.made_by(*this);
  }

  // Consumes and emits a few elements (emits at most one), or says that it cannot yet or never again.
  Step step();
  void finish();  // closes the output and lets the inputs go on without it
  std::optional<Ahead> ahead() const;

  const Instr& instr;
  std::size_t index;
  Buffer* out;
  Surroundings& around;
  std::vector<Port> in;
  const Stream* input = nullptr;  // of Input
  bool done = false;
  bool may_begin_group = false;          // of what makes groups: once, without room
  std::optional<std::size_t> waits_for;  // the argument; none: for room
  std::int64_t produced = 0;

  // What steps are made of.
  std::optional<Step> lacks(std::size_t k);  // none where argument k has an element
  std::optional<Step> lacks_any();
  std::optional<Step> full();  // none where there is room
  bool ended(std::size_t k) const;
  Atom front(std::size_t k) const;
  bool flag(std::size_t k) const { return front(k).integer != 0; }
  Atom take(std::size_t k);
  Step emit(const Atom& a);
  Step emit_flag(bool b) { return emit(snesl::bool_atom(b)); }
  Step took(std::size_t k) { return take(k), Step::Fired; }
  Step wait_for(std::size_t k) { return waits_for = k, Step::Waits; }
  void keep(const Atom& a);
  Atom release();
  Step counted(std::int64_t n, const Atom& a);        // the same until there are n
  std::optional<Ahead> ahead(std::size_t k) const;    // of what argument k has still to give
  bool let_go(std::size_t starts, std::size_t base);  // groups that nobody will ask for; whether there were any
  void ask(std::size_t base, std::int64_t p);         // of its group, and what comes after it
  std::string title() const;                          // "s3 := pack"
  void fault(std::string_view what);
  // The characters at [from, from + n) of the base at argument k; none where they are not there yet.
  std::optional<std::string> slice(std::size_t k, std::int64_t from, std::int64_t n);
  std::optional<Step> lacks_name();  // puts it into `name`

  bool holding = false;  // an element in `held`, or the rest of a segment
  Atom held;
  bool inside = false;  // a segment
  std::int64_t count = 0;
  std::size_t turn = 0;
  std::optional<snesl::Reduction> reduction;
  std::optional<snesl::PrefixScan> scan;
  std::optional<std::string> name;
  std::string text;
};

// A step of each instruction.
namespace chunked {
Step ctrl(Transducer& t);
Step input(Transducer& t);
Step rep(Transducer& t);
Step constant(Transducer& t);
Step map(Transducer& t);
Step usum(Transducer& t);
Step pdist(Transducer& t);
Step pack(Transducer& t);
Step upack(Transducer& t);
Step b2u(Transducer& t);
Step unpack(Transducer& t);
Step to_flags(Transducer& t);
Step lens(Transducer& t);
Step short_form(Transducer& t);
Step ends(Transducer& t);
Step cons(Transducer& t);
Step segscan(Transducer& t);
Step segreduce(Transducer& t);
Step iotas(Transducer& t);
Step usegsum(Transducer& t);
Step uempty(Transducer& t);
Step pmerge(Transducer& t);
Step umerge(Transducer& t);
Step uappend(Transducer& t);
Step segmerge(Transducer& t);
Step usegmerge(Transducer& t);
Step segtab(Transducer& t);
Step gather(Transducer& t);
Step check(Transducer& t);
Step read_file(Transducer& t);
Step write_file(Transducer& t);
Step range(Transducer& t);
Step terminated(Transducer& t);
Step reduce(Transducer& t);
Step scan(Transducer& t);
Step read_whole(Transducer& t);
Step usegsum_b2u(Transducer& t);
Step ends_among(Transducer& t);
Step segcount(Transducer& t);
Step count_true(Transducer& t);
Step count_compare(Transducer& t);
Step last_flag(Transducer& t);
Step terminated_count(Transducer& t);
Step ended(Transducer& t);
Step all_of(Transducer& t);
std::optional<Ahead> ahead_of_scan(const Transducer& t);
std::optional<Ahead> ahead_of_pdist(const Transducer& t);
std::optional<Ahead> ahead_of_first(const Transducer& t);
std::optional<Ahead> ahead_of_gather(const Transducer& t);
}  // namespace chunked

}  // namespace lockstep::svcode
