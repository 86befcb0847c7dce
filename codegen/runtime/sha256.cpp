// SHA-256 by Nettle, which has the instructions that processors have for it: a text of the engine's, 120 KB, would take
// a fifth of a command's start without.
#include "codegen/runtime/sha256.h"

#include <nettle/sha2.h>

#include <array>
#include <cstdint>

namespace lockstep {

std::string sha256(std::string_view bytes) {
  sha256_ctx state;
  nettle_sha256_init(&state);
  nettle_sha256_update(&state, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest;
  nettle_sha256_digest(&state, digest.size(), digest.data());
  std::string text;
  for (const std::uint8_t byte : digest)
    for (const int shift : {4, 0}) text += "0123456789abcdef"[byte >> shift & 15];
  return text;
}

}  // namespace lockstep
