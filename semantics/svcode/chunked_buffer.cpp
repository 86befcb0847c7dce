// Buffers of the chunked interpreter: windows on streams, and the groups of unbounded ones.
#include "semantics/svcode/chunked_network.h"

#include <algorithm>
#include <limits>

namespace lockstep::svcode {
namespace {

constexpr std::int64_t past_all = std::numeric_limits<std::int64_t>::max();

}  // namespace

void Buffer::push(const Atom& a) {
  if (collected_) collected_->push_back(a);
  items_.push_back(a);
  space_->add(1);
  drop();
}

void Buffer::begin_group() {
  open_ = true;
  groups_.push_back(end());
}

std::size_t Buffer::add_cursor() {
  cursors_.push_back(0);
  return cursors_.size() - 1;
}

void Buffer::move(std::size_t c, std::int64_t to) {
  if (to <= cursors_[c]) return;
  cursors_[c] = to;
  drop();
}

void Buffer::detach(std::size_t c) {
  cursors_[c] = past_all;
  drop();
}

std::int64_t Buffer::group_of(std::int64_t p) const {
  if (p >= end() && !open_) return end();  // in a group that has not begun
  const auto after = std::upper_bound(groups_.begin(), groups_.end(), p);
  return after == groups_.begin() ? begin_ : *(after - 1);
}

void Buffer::drop() {
  std::int64_t needed = past_all;
  for (const std::int64_t c : cursors_) needed = std::min(needed, c);
  for (; !items_.empty() && begin_ < needed; ++begin_, space_->add(-1)) items_.pop_front();
  while (groups_.size() > 1 && groups_[1] <= begin_) groups_.pop_front();
}

}  // namespace lockstep::svcode
