// Available memory from /proc/meminfo and the control groups, and allocation that checks against it first.
#include "codegen/runtime/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>

namespace lockstep {
namespace {

constexpr std::uint64_t unlimited = std::uint64_t{1} << 62;  // more than any machine has, and rounding it up is safe
constexpr std::size_t alignment = 64;                        // a cache line, and the widest vector
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t unchecked = std::size_t{16} << 20;  // reading /proc costs more than so little is worth

// The number after `key` in a file of "key number" lines; with an empty key, the number the file starts with.
std::optional<std::uint64_t> number_in(const std::string& path, const std::string& key = "") {
  std::ifstream in(path);
  std::string word;
  std::uint64_t number = 0;
  if (key.empty()) return in >> number ? std::optional(number) : std::nullopt;
  while (in >> word)
    if (word == key && in >> number) return number;
  return std::nullopt;
}

// What one group leaves; file cache that the kernel can drop counts as free.
std::uint64_t left_in_group(const std::string& limit, const std::string& usage, const std::string& stat,
                            const std::string& cache_key) {
  const auto most = number_in(limit);  // "max" is no number
  if (!most) return unlimited;
  const std::uint64_t used = number_in(usage).value_or(0);
  const std::uint64_t cache = std::min(used, number_in(stat, cache_key).value_or(0));
  return *most - std::min(*most, used - cache);
}

std::uint64_t left_v1(const std::string& at) {
  return left_in_group(at + "/memory.limit_in_bytes", at + "/memory.usage_in_bytes", at + "/memory.stat",
                       "total_inactive_file");
}
std::uint64_t left_v2(const std::string& at) {
  return left_in_group(at + "/memory.max", at + "/memory.current", at + "/memory.stat", "inactive_file");
}

// The least over a group and all above it. In a container the path may be the host's: then the walk still ends at the
// mount's own root, which is the container's group.
std::uint64_t least_upwards(const std::string& mount, std::string group, std::uint64_t (*left)(const std::string&)) {
  std::uint64_t least = unlimited;
  while (!group.empty() && group.back() == '/') group.pop_back();
  for (;;) {
    least = std::min(least, left(mount + group));
    if (group.empty()) return least;
    const auto slash = group.find_last_of('/');
    group.resize(slash == std::string::npos ? 0 : slash);
  }
}

std::uint64_t left_in_groups(const std::string& root) {
  std::uint64_t least = unlimited;
  std::ifstream in(root + "/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {  // number:controllers:path
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers = line.substr(first, second - first + 1);
    std::replace(controllers.begin(), controllers.end(), ',', ':');  // :memory:hugetlb:
    const std::string group = line.substr(second + 1);
    if (controllers.find(":memory:") != std::string::npos)
      least = std::min(least, least_upwards(root + "/sys/fs/cgroup/memory", group, left_v1));
    else if (controllers == "::")
      least = std::min(least, least_upwards(root + "/sys/fs/cgroup", group, left_v2));
  }
  return least;
}

std::string too_much(std::uint64_t bytes, std::string_view what, std::uint64_t there) {
  return "not enough memory for " + std::string(what) + ": " + show_bytes(bytes) + " needed, " + show_bytes(there) +
         " available; use smaller inputs or a machine with more memory";
}

}  // namespace

std::uint64_t available_memory(const std::string& root) {
  const auto kib = number_in(root + "/proc/meminfo", "MemAvailable:");
  const std::uint64_t machine = kib ? *kib * 1024 : unlimited;
  return std::min(machine, left_in_groups(root));
}

std::string show_bytes(std::uint64_t bytes) {
  static constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  double amount = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f %s", amount, units[unit]);
  return text.data();
}

tl::expected<void, std::string> check_memory(std::uint64_t bytes, std::string_view what) {
  if (bytes < unchecked) return {};
  const std::uint64_t there = available_memory();
  if (bytes > there) return tl::unexpected(too_much(bytes, what, there));
  return {};
}

MemoryBlock::~MemoryBlock() {
  if (mapped_ != 0)
    ::munmap(data_, mapped_);
  else
    std::free(data_);
}

tl::expected<MemoryBlock, std::string> allocate(std::size_t bytes, std::string_view what) {
  if (auto fits = check_memory(bytes, what); !fits) return tl::unexpected(fits.error());
  MemoryBlock buffer;
  if (bytes < huge_page) {
    const std::size_t rounded = std::max(alignment, (bytes + alignment - 1) / alignment * alignment);
    buffer.data_ = std::aligned_alloc(alignment, rounded);
    if (!buffer.data_) return tl::unexpected(too_much(bytes, what, available_memory()));
  } else {
    // check_memory has seen to it that this sum does not overflow.
    const std::size_t rounded = (bytes + huge_page - 1) / huge_page * huge_page;
    void* at = ::mmap(nullptr, rounded + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return tl::unexpected(too_much(bytes, what, available_memory()));
    // Cut down to the part that starts on a huge page.
    const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(at) % huge_page) % huge_page;
    char* start = static_cast<char*>(at) + before;
    if (before != 0) ::munmap(at, before);
    if (before != huge_page) ::munmap(start + rounded, huge_page - before);
    ::madvise(start, rounded, MADV_HUGEPAGE);  // a wish: the kernel may have none
    buffer.data_ = start;
    buffer.mapped_ = rounded;
  }
  buffer.size_ = bytes;
  return buffer;
}

std::uint64_t sum_of_bytes(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }
std::uint64_t times_bytes(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

}  // namespace lockstep
