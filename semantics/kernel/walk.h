// Walking kernel trees.
#pragma once
#include <functional>

#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

// Every expression of s, outermost first, subexpressions included.
void each_expression(const Stmt& s, const std::function<void(const Expr&)>& f);
void each_expression(const Expr& e, const std::function<void(const Expr&)>& f);
// Every statement of s, s itself first.
void each_statement(const Stmt& s, const std::function<void(const Stmt&)>& f);
// The expressions that s itself holds, not those of statements in it, and whole.
void own_expressions(const Stmt& s, const std::function<void(const Expr&)>& f);
// Statements and expressions.
std::size_t node_count(const Program& p);

// The node itself, nothing below it: a read or a write of the variable or buffer.
bool is_read_of(const Expr& e, const std::string& name);
bool is_write_of(const Stmt& s, const std::string& name);
bool reads(const Stmt& s, const std::string& name);  // a variable or buffer
bool reads(const Expr& e, const std::string& name);
bool writes(const Stmt& s, const std::string& name);

}  // namespace lockstep::kernel
