// SHA-256 (FIPS 180-4), the cache's names and checksums.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace lockstep
