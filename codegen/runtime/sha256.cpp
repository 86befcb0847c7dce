// SHA-256 as FIPS 180-4, sections 4 to 6, states it. Letters are the standard's: a..h working variables, K and H
// constants, W the message schedule.
#include "codegen/runtime/sha256.h"

#include <array>
#include <bit>
#include <cstdint>

namespace lockstep {
namespace {

using Word = std::uint32_t;
__extension__ typedef unsigned __int128 Wide;

// The first 32 bits of the fractional part of the root of p: floor(root(p) * 2^32) without its whole part.
constexpr Word root_fraction(unsigned p, int degree) {
  const Wide target = static_cast<Wide>(p) << (32 * degree);
  Wide root = 0;
  for (Wide bit = Wide{1} << 36; bit != 0; bit >>= 1) {
    const Wide next = root | bit;
    const Wide power = degree == 2 ? next * next : next * next * next;
    if (power <= target) root = next;
  }
  return static_cast<Word>(root);
}

template <std::size_t count>
constexpr std::array<Word, count> prime_roots(int degree) {
  std::array<Word, count> roots{};
  std::size_t found = 0;
  for (unsigned n = 2; found < count; ++n) {
    bool prime = true;
    for (unsigned d = 2; d * d <= n; ++d) prime &= n % d != 0;
    if (prime) roots[found++] = root_fraction(n, degree);
  }
  return roots;
}

constexpr auto K = prime_roots<64>(3);
constexpr auto H = prime_roots<8>(2);
static_assert(K[0] == 0x428a2f98 && H[0] == 0x6a09e667);

void add_block(std::array<Word, 8>& hash, const unsigned char* block) {
  std::array<Word, 64> W{};
  for (std::size_t t = 0; t < 16; ++t)
    for (std::size_t k = 0; k < 4; ++k) W[t] = W[t] << 8 | block[4 * t + k];
  for (std::size_t t = 16; t < 64; ++t) {
    const Word s0 = std::rotr(W[t - 15], 7) ^ std::rotr(W[t - 15], 18) ^ W[t - 15] >> 3;
    const Word s1 = std::rotr(W[t - 2], 17) ^ std::rotr(W[t - 2], 19) ^ W[t - 2] >> 10;
    W[t] = W[t - 16] + s0 + W[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t t = 0; t < 64; ++t) {
    const Word S1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const Word S0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const Word T1 = h + S1 + ((e & f) ^ (~e & g)) + K[t] + W[t];
    const Word T2 = S0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
  }
  const std::array<Word, 8> step{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) hash[i] += step[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  std::array<Word, 8> hash = H;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / 64 * 64;
  for (std::size_t at = 0; at < whole; at += 64) add_block(hash, data + at);
  // The rest, a one bit, zeros, and the length in bits as 64 bits.
  std::string rest(bytes.substr(whole));
  rest += '\x80';
  while (rest.size() % 64 != 56) rest += '\0';
  const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  for (int shift = 56; shift >= 0; shift -= 8) rest += static_cast<char>(bits >> shift);
  for (std::size_t at = 0; at < rest.size(); at += 64)
    add_block(hash, reinterpret_cast<const unsigned char*>(rest.data()) + at);
  std::string text;
  for (const Word word : hash)
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
  return text;
}

}  // namespace lockstep
