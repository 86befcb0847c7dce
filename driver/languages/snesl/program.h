// A .snesl file as the commands need it: read, parsed, its types inferred, and which of its functions stream.
#pragma once
#include "driver/languages/snesl/types.h"
#include "driver/report.h"
#include "driver/source.h"
#include "semantics/snesl/elaborate.h"
#include "translate/snesl/pipeline.h"

namespace lockstep::driver {

// A function at some types, as far as whether it streams asks for it.
struct Judged {
  snesl::core::Program core;
  svcode::Program flat;
};
// Of one function on its own.
struct StreamingVerdict {
  bool judged = true;   // false: others call it, and with its calls it is too large to be judged beside them
  bool called = false;  // by another function
  bool typed = true;    // false: no type was found for what is open
  Diagnostics refused;  // empty: it streams
  std::size_t instructions = 0;
  std::int64_t slack = 0;                 // elements beside the chunks, of all its buffers
  std::shared_ptr<const Judged> program;  // what was judged: what is open in its types is as its examples
};

struct StreamingFile {
  SourceRef source;
  snesl::surface::Program program;
  snesl::TypedProgram typed;
  std::vector<snesl::EntryPoint> functions;
  std::vector<std::optional<StreamingVerdict>> verdicts;  // of functions that no other one calls
  streaming::Streamability streamability{};               // of all programs that are made of the file
  double seconds = 0;                                     // parsing, inference and these verdicts
};
// A Failure with status 2 where anything is wrong with the file, streamability included: that is asked of every
// function that no other one calls, and of the others as they are called there.
StreamingFile load_streaming(const std::string& file);
const snesl::EntryPoint& entry_point(const StreamingFile& file, const ProgramName& name);
std::string head_of(const snesl::EntryPoint& e);  // "wc (file : [Char]) : Int"

// What is open is as `open` says, or as in the entry point's examples.
snesl::core::Program instance_of(const StreamingFile& file, const snesl::EntryPoint& e, const OpenTypes& open = {});
// Its pipeline; a Failure with status 2 where it does not stream at these types.
streaming::SneslTrace trace_of(const StreamingFile& file, const snesl::EntryPoint& e, const snesl::core::Program& core);

// Of all functions, in their order. Those that others call are judged with them; on their own too, and `asked` for
// certain, as far as that costs no more than in proportion to the file: each is expanded anew.
std::vector<StreamingVerdict> streaming_verdicts(const StreamingFile& file, const std::string& asked = "");

}  // namespace lockstep::driver
