// What a verification found, as a file: its claims, and all that repeats it: the source's text and hash, the seeds, the
// inputs, the targets, the versions.
#pragma once
#include "driver/commands/commands.h"

namespace lockstep::driver {

inline constexpr int certificate_version = 6;
Json certificate_of(const Loaded& loaded, const VerifyRequest& request, const props::Report& report, double seconds);
// SHA-256 of all of it but the digest itself.
std::string digest_of(Json certificate);

// What a certificate says is to be repeated.
struct Recorded {
  VerifyRequest request;
  std::string file;  // the program's, where the certificate says or beside it
  std::string entry, language;
};
// A Failure with status 2 where the file cannot be read or is no certificate.
Json read_certificate(const std::string& path, Recorded& recorded);
struct Compared {
  // "claims, the target openmp: ...: the certificate says 12, now it is 3". Times do not count, nor whether text was
  // compiled before.
  std::vector<std::string> differences;
  // The same of the compiler, the processor, the build and the program's file: another of these may say the same.
  std::vector<std::string> elsewhere;
};
Compared compared(const Json& recorded, const Json& again);

}  // namespace lockstep::driver
