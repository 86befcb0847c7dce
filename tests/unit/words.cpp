// Words of this machine and of texts (words.h). Where one of its tools is missing, fewer.
#include "tests/unit/words.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <numeric>
#include <sstream>

namespace lockstep::test {
namespace {

const char* const keywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl "
    "concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default "
    "delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long "
    "mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register "
    "reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch "
    "template this thread_local throw true try typedef typeid typename typeof union unsigned using virtual void "
    "volatile wchar_t while xor xor_eq final override import module _Alignas _Alignof _Atomic _Bool _Complex _Generic "
    "_Imaginary _Noreturn _Static_assert _Thread_local _Float16 _Float32 _Float64 _Float128 __int128 __float128 "
    "__asm__ __attribute__ __restrict __restrict__ __typeof__ __extension__ __func__ __FUNCTION__ __PRETTY_FUNCTION__ "
    "__FILE__ __LINE__ __VA_ARGS__ __VA_OPT__ defined __has_include pragma omp simd std posix size_t int64_t uint8_t "
    "float_t INT64_MAX linux unix include main";

const char* const headers =
    "assert complex ctype dirent dlfcn elf errno fcntl fenv float inttypes langinfo limits locale math mqueue net/if "
    "netdb netinet/in netinet/tcp omp poll pthread pwd regex sched search semaphore setjmp signal spawn stdarg stddef "
    "stdint stdio stdlib string strings sys/ioctl sys/ipc sys/mman sys/resource sys/select sys/shm sys/socket sys/stat "
    "sys/statvfs sys/syscall sys/sysinfo sys/time sys/types sys/uio sys/un sys/wait syslog tar termios tgmath time "
    "unistd utime wchar wctype";

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// Where the word that starts here ends, a number with what parts its digits.
std::size_t end_of_word(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() &&
         (in_word(text[end]) || (is_digit(text[at]) && text[end] == '\'' && in_word(text.c_str()[end + 1]))))
    ++end;
  return end;
}

// Where the comment or the text in quotes that starts here ends; here where none does.
std::size_t end_of_aside(const std::string& text, std::size_t at) {
  const auto after = [&](const std::string& closing, std::size_t from) {
    const std::size_t end = text.find(closing, from);
    return end == std::string::npos ? text.size() : end + closing.size();
  };
  if (text.compare(at, 2, "//") == 0) return after("\n", at);
  if (text.compare(at, 2, "/*") == 0) return after("*/", at + 2);
  if (text[at] != '"' && text[at] != '\'') return at;
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

}  // namespace

bool is_identifier(const std::string& s) {
  return !s.empty() && s.size() < 120 && std::all_of(s.begin(), s.end(), in_word) && !is_digit(s[0]);
}

void add_words(const std::string& text, Words& into) {
  std::istringstream in(text);
  for (std::string w; in >> w;)
    if (is_identifier(w)) into.insert(w);
}

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(("{ " + command + "; } 2>/dev/null").c_str(), "r");
  if (!pipe) return out;
  char block[4096];
  for (std::size_t got; (got = std::fread(block, 1, sizeof block, pipe)) > 0;) out.append(block, got);
  ::pclose(pipe);
  return out;
}

const Words& words_of_this_machine() {
  static const Words all = [] {
    Words out;
    add_words(keywords, out);
    for (const char* library : {"libc.so.6", "libm.so.6", "libgomp.so.1", "libstdc++.so.6", "libgcc_s.so.1"})
      add_words(output_of("nm -D --defined-only \"$(g++ -print-file-name=" + std::string(library) +
                          ")\" | sed -e 's/@.*//' -e 's/.* //' | grep -v '^_Z'"),
                out);
    // Builtins: __builtin_cpow, and cpow. Those of the processor, thousands, have no such second name.
    add_words(output_of("strings -n 4 \"$(g++ -print-prog-name=cc1plus)\" | grep -E "
                        "'^__(builtin|sync|atomic)_[a-z0-9_]+$' | grep -v ia32 | sed -e p -e 's/^__builtin_//'"),
              out);
    const std::string included = "for h in " + std::string(headers) +
                                 "; do printf '#if __has_include(<%s.h>)\\n#include <%s.h>\\n#endif\\n' $h $h; done";
    add_words(output_of("{ g++ -fopenmp -O3 -march=native -x c++ -dM -E /dev/null; gcc -std=gnu17 -x c -dM -E "
                        "/dev/null; " +
                        included + " | gcc -std=gnu17 -x c -dM -E -; " + included +
                        " | g++ -x c++ -dM -E -; } | sed -E 's/^#define ([A-Za-z0-9_]+).*/\\1/'"),
              out);
    return out;
  }();
  return all;
}

std::vector<std::string> in_order(const Words& first, const Words& others) {
  std::vector<std::string> out(first.begin(), first.end()), rest;
  Words all = words_of_this_machine();
  all.insert(others.begin(), others.end());
  for (const std::string& n : all)
    if (!first.contains(n)) rest.push_back(n);
  std::size_t stride = 37;  // meets every name once
  while (std::gcd(stride, rest.size()) != 1) ++stride;
  for (std::size_t k = 0, at = 0; k < rest.size(); ++k, at = (at + stride) % rest.size()) out.push_back(rest[at]);
  return out;
}

std::vector<std::string> tokens(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end) {
    end = end_of_aside(text, at);
    if (end != at) continue;
    end = std::max(end_of_word(text, at), at + 1);
    out.push_back(text.substr(at, end - at));
  }
  return out;
}

Words words_made(const std::string& text, const std::string& other) {
  const auto a = tokens(text), b = tokens(other);
  Words out;
  if (a.size() != b.size()) out.insert("another number of words");
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    if (a[k] != b[k]) out.insert(a[k]);
  return out;
}

}  // namespace lockstep::test
