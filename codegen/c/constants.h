// Numbers in C text.
#pragma once
#include <optional>
#include <string>

#include "codegen/dialects/dialect.h"
#include "semantics/kernel/syntax.h"

namespace lockstep {

// Of its type. A negative number has its sign, and no parentheses around it.
std::string constant_text(const Dialect& dialect, const kernel::Const& c);
bool is_signed_text(const kernel::Const& c);  // whether it begins with its sign
// Of index arithmetic, whose other operand is an int64_t already; nothing of what is no small constant.
std::optional<std::string> index_text(const kernel::Expr& e);

}  // namespace lockstep
