// Memory that is asked for and is not there: the amount goes with the exception.
#pragma once
#include <cstdint>
#include <limits>
#include <new>

namespace lockstep {

class NotEnoughMemory : public std::bad_alloc {
 public:
  explicit NotEnoughMemory(std::uint64_t bytes) : bytes(bytes) {}
  std::uint64_t bytes;  // the least that was asked for
};
// For so many of this size.
inline NotEnoughMemory not_enough_memory(std::uint64_t count, std::uint64_t size) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return NotEnoughMemory(size != 0 && count > most / size ? most : count * size);
}

}  // namespace lockstep
