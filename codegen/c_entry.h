// The C interface of a generated program, the same for every target: entry point, header, and what a trap says.
#pragma once
#include <cstdint>
#include <span>

#include "codegen/c_text.h"
#include "semantics/core/diagnostic.h"

namespace lockstep {

// int32_t dot(int64_t n, const float* xs, const float* ys, float* result, struct dot_trap* trap)
std::string entry_name(const kernel::Program& p);
// Calls of the entry point from its own text stay there, whatever else has its name in the process.
std::string own_entry();
// int32_t lockstep_dot(const int64_t* sizes, const void* const* inputs, void* const* outputs, struct dot_trap* trap),
// arrays in the program's order: for a caller that knows the program only when it runs.
std::string loader_name(const kernel::Program& p);

enum EntryStatus : std::int32_t { entry_done = 0, entry_trapped = 3, entry_failed = 4 };

// The layout of struct <name>_trap; filled where the status is entry_trapped.
struct EntryTrap {
  std::int32_t check = 0;
  std::int32_t unused = 0;
  std::int64_t values[4] = {};
};

// The program's checks; EntryTrap::check counts them.
std::vector<const kernel::Check*> checks_of(const kernel::Program& p);
Trap trap_of(const kernel::Program& p, const EntryTrap& t);

// A parameter list and the texts of its parts, in the order of the entry point: sizes, inputs, outputs, trap.
struct EntryParameters {
  std::vector<std::string> declarations;  // const float* __restrict xs
  std::vector<std::string> from_loader;   // (const float*)inputs[0]
};
// Declares the names in `text`.
EntryParameters declare_parameters(CText& text, const kernel::Program& p, const std::string& restrict_word);
std::string joined(const std::vector<std::string>& parts);

std::string c_header(const kernel::Program& p, const std::string& how_to_build);
// struct <name>_trap { ... };
std::string trap_struct(const kernel::Program& p);
// extern "C" const char* <name>_trap_text(int32_t check): primitive, message, file, line and column, between tabs.
std::string trap_table(const kernel::Program& p);
std::string loader_text(const kernel::Program& p, const EntryParameters& parameters);

}  // namespace lockstep
