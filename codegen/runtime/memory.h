// Memory for arrays: how much there is, and buffers that are refused, with the amounts, rather than overcommitted.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace lockstep {

// Bytes that can be allocated and touched now without swapping: the least of what the machine has available and what
// the memory limits of the process's control groups (v1 and v2) leave. `root` is put before /proc and /sys.
std::uint64_t available_memory(const std::string& root = "");

// Counts of bytes, at most the greatest number where they overflow.
std::uint64_t sum_of_bytes(std::uint64_t a, std::uint64_t b);
std::uint64_t times_bytes(std::uint64_t a, std::uint64_t b);

// "1.5 GiB"
std::string show_bytes(std::uint64_t bytes);

// An error if `bytes`, needed for `what` ("the output", "all buffers of dot"), are more than available. Pages are only
// taken when touched, so a caller of several allocations asks once for their sum.
tl::expected<void, std::string> check_memory(std::uint64_t bytes, std::string_view what);

// A block of memory with one owner.
class MemoryBlock {
 public:
  MemoryBlock() = default;
  MemoryBlock(MemoryBlock&& other) noexcept { swap(other); }
  MemoryBlock& operator=(MemoryBlock&& other) noexcept {
    swap(other);
    return *this;
  }
  ~MemoryBlock();
  void* data() const { return data_; }  // 64-byte aligned; not null once allocated, for 0 bytes neither
  std::size_t size() const { return size_; }

 private:
  friend tl::expected<MemoryBlock, std::string> allocate(std::size_t bytes, std::string_view what);
  void swap(MemoryBlock& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(mapped_, other.mapped_);
  }
  void* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;  // bytes of the mapping at data_, 0 for a block of the heap
};

// An uninitialised block, on huge pages from 2 MiB on. The error says how much was asked for and how much there is.
tl::expected<MemoryBlock, std::string> allocate(std::size_t bytes, std::string_view what = "a buffer");

}  // namespace lockstep
