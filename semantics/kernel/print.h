// Kernel programs as readable text, C-like; parse.h reads it back to an equal tree (up to regions). The grammar is in
// the folder's README.
#pragma once
#include <string>

#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

std::string print(const Program& program);
std::string print(const Stmt& statement, int indent = 0);
std::string head_of(const Stmt& statement);  // its first line, in backquotes: of what holds others the head
std::string print(const Expr& expression);
std::string print(const KType& type);  // f32, f32<4>

// Names that stand for something else in the text; a variable of such a name is printed in backquotes.
bool is_reserved(const std::string& name);
std::string_view symbol_of(ArithOp op);
std::string_view word_of(Level level);
std::string_view word_of(Space space);

}  // namespace lockstep::kernel
