// What a verification found, as a file: each claim with what is known of it, in the words proved, tested and assumed.
#pragma once
#include "driver/program.h"
#include "props/verify.h"

namespace lockstep::driver {

// proved: for all sizes and inputs. tested: on the inputs listed. assumed: stated by the user, or of the machine.
// A claim that was found wrong is not among the claims but among the failures.
Json certificate_of(const PhraseProgram& program, const Source& source, const std::vector<Obligation>& obligations,
                    const props::VerifyReport& report, std::uint64_t seed, double seconds);

}  // namespace lockstep::driver
