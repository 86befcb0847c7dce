// Rewriting kernel trees.
#pragma once
#include <functional>
#include <vector>

#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

using ExprChange = std::function<Expr(const Expr&)>;
using StmtChange = std::function<std::vector<Stmt>(const Stmt&)>;  // what stands there instead
Expr rewritten(const Expr& e, const ExprChange& change);           // children first
Stmt rewritten(const Stmt& s, const ExprChange& change);           // every expression in it
Stmt rewritten(const Stmt& s, const StmtChange& change);           // inner statements first
// s with names (of variables and buffers) replaced.
Stmt rename(const Stmt& s, const std::string& from, const std::string& to);
// s with every index into a buffer moved by an offset.
Stmt shift(const Stmt& s, const std::string& buffer, const Expr& offset);

}  // namespace lockstep::kernel
