// The C interface of a generated program, the same for every target: entry point, header, and what a trap says.
#pragma once
#include <cstdint>
#include <span>

#include "codegen/c/precondition.h"
#include "codegen/c/text.h"
#include "semantics/core/diagnostic.h"

namespace lockstep {

// A file's name without its extension, another for each name: dot, f_q_quoted of f', f_q_quoted_ of f_q_quoted.
std::string file_stem(const kernel::Program& p);

// What the text exports is named lockstep_dot and lockstep_dot_..., which no library, keyword, macro or builtin is, and
// differently for different names, so that programs link together. A name that ends as one of those is followed by an
// underscore more; of f', which C cannot spell, the name is lockstep_f_q_quoted.
//
// int32_t lockstep_dot(const int64_t* sizes, const void* const* inputs, void* const* outputs,
//     struct lockstep_dot_trap* trap), arrays in the program's order: for a caller that knows the program only when it
// runs.
std::string loader_name(const kernel::Program& p);
// int32_t lockstep_dot_call(int64_t n, const float* xs, const float* ys, float* output,
//     struct lockstep_dot_trap* trap)
std::string entry_name(const kernel::Program& p);
// Of a text for a device: gives back what it keeps of it between calls. The next call takes it anew.
std::string release_name(const kernel::Program& p);
// void lockstep_dot_time_limit(double seconds): of a text for a device, how long a kernel may take; 0: as long as it
// takes.
std::string time_limit_name(const kernel::Program& p);
// double lockstep_dot_kernel_seconds(int32_t measure): of a text for a device, its time for kernels since the last call
// of this, of those that were measured; whether those from then on are.
std::string kernel_seconds_name(const kernel::Program& p);
// const char* lockstep_dot_device(): of a text for OpenCL, what device it has taken.
std::string device_name(const kernel::Program& p);
// lockstep_dot_trap
std::string trap_name(const kernel::Program& p);
// Calls of the entry point from its own text stay there, whatever else has its name in the process.
std::string own_entry();

// Refused: before anything was written, as a precondition is not met.
enum EntryStatus : std::int32_t { entry_done = 0, entry_trapped = 3, entry_failed = 4, entry_refused = 5 };

// Where the status is entry_failed a text for a device says why, by `const char* lockstep_dot_fault()`: what the device
// has said, or what is at fault in the text; "" where the machine has too little memory.
std::string fault_name(const kernel::Program& p);

// The layout of struct lockstep_dot_trap; filled where the status is entry_trapped or entry_refused.
struct EntryTrap {
  std::int32_t check = 0;  // from 0 on a check of the program; -1, -2, ... its preconditions
  std::int32_t unused = 0;
  std::int64_t values[4] = {};
};

// The program's checks; EntryTrap::check counts them.
std::vector<const kernel::Check*> checks_of(const kernel::Program& p);
Trap trap_of(const kernel::Program& p, const EntryTrap& t);
// Of entry_refused: "n % 4 == 0 does not hold where n is 3".
std::string refusal_of(const kernel::Program& p, const EntryTrap& t);

// The parameters of the entry point in its order, sizes, inputs, outputs, trap, and the texts of their parts. An input
// of one scalar is passed by value, everything else as an address.
struct EntryParameters {
  std::vector<std::string> names;         // xs_
  std::vector<std::string> declarations;  // const float* __restrict xs_
  std::vector<std::string> for_header;    // const float* /* xs */: a name there might be a macro where it is included
  std::vector<std::string> from_loader;   // (const float*)inputs[0]
};
// Declares the names in `text`.
EntryParameters declare_parameters(CText& text, const kernel::Program& p, const std::string& restrict_word);

std::string c_header(const kernel::Program& p, const std::string& how_to_build, bool of_device = false);
// struct lockstep_dot_trap { ... };
std::string trap_struct(const kernel::Program& p);
// extern "C" const char* lockstep_dot_trap_text(int32_t check): primitive, message, file, line and column, between
// tabs.
std::string trap_table(const kernel::Program& p);
std::string loader_text(const kernel::Program& p, const EntryParameters& parameters);

}  // namespace lockstep
