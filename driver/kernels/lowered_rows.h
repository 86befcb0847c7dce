// verify of a program that was taken to the calculus from another language.
#pragma once
#include "driver/kernels/lowered.h"
#include "props/dpia/lowered.h"

namespace lockstep::driver {

class LoweredRows {
 public:
  // Adds the calculus' rows and the targets' behind those of its own language, where it was taken there. What was made
  // outlives this.
  LoweredRows(props::Case& c, props::LoweredSource source, const MadeInCalculus& made, const VerifyRequest& request);
  // Why there are none, or on which inputs; and what is proved of the kernels. The program: its language, file and
  // name.
  void conclude(props::Report& report, const props::Listener& listener, const std::string& language,
                const std::string& file, const std::string& program) const;

 private:
  const MadeInCalculus& made_;
  const std::size_t inputs_;
  std::optional<props::Lowered> lowered_;
};

}  // namespace lockstep::driver
