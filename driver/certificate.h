// What a verification found, as a file: each claim with what is known of it, in the words proved, tested and assumed,
// and all that repeats it: the source's text and hash, the seeds, the sizes, the targets, the versions.
#pragma once
#include "driver/program.h"
#include "proofs/kernel/obligations.h"
#include "props/dpia/verify.h"

namespace lockstep::driver {

// What was asked for.
struct VerifyRequest {
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  SizeValues sizes{};
  std::uint64_t limit = props::default_round_limit;
  std::vector<std::string> targets{"openmp"};
};

// proved: for all sizes and inputs. tested: on the inputs listed. assumed: stated by the user, or of the machine.
// A claim that was found wrong is not among the claims but among the failures.
Json certificate_of(const PhraseProgram& program, const Source& source, const std::vector<Obligation>& obligations,
                    const VerifyRequest& request, const props::VerifyReport& report,
                    const std::vector<proofs::kernels::MachineObligations>& kernels, double seconds);
// SHA-256 of all of it but the digest itself.
std::string digest_of(Json certificate);

// What a certificate says is to be repeated.
struct Recorded {
  VerifyRequest request;
  std::string file;  // the program's, where the certificate says or beside it
  std::string entry;
};
// A Failure with status 2 where the file cannot be read or is no certificate.
Json read_certificate(const std::string& path, Recorded& recorded);
// Each thing that `again` says otherwise, "claims, the target openmp ...: inputs was 12, is 3"; times do not count.
std::vector<std::string> differences(const Json& recorded, const Json& again);

}  // namespace lockstep::driver
