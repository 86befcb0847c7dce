// A .fcl file as the commands need it: read, parsed, its types inferred.
#pragma once
#include "driver/options.h"
#include "driver/report.h"
#include "driver/source.h"
#include "semantics/fcl/infer.h"

namespace lockstep::driver {

struct FclFile {
  SourceRef source;
  fcl::Inferred program;
  double seconds = 0;  // parsing and types
  AskedRun asked{};
};
// A Failure with status 2 where anything is wrong with the file.
FclFile load_fcl(const std::string& file);

// A definition that can be run: what it takes, by names, and what it gives.
struct FclEntryPoint {
  std::string name;
  const fcl::Definition* definition;
  const fcl::Scheme* scheme;
  struct Parameter {
    std::string name;
    std::optional<fcl::Type> type;  // nothing: a level
  };
  std::vector<Parameter> parameters;  // levels that the scheme leaves open last
  fcl::Type result;
  Launch launch;  // the definition's own, and what was asked for
};
// By name, or the last of the file; a Failure with status 2 where there is none, or it cannot be run.
FclEntryPoint entry_point(const FclFile& file, const ProgramName& name);
// Why it cannot be run; "" where it can.
std::string no_entry_point(const fcl::Definition& d, const fcl::Scheme& s);

}  // namespace lockstep::driver
