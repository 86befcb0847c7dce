// Walking and rewriting kernel trees: the one place that says what stands in each form.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

using OnExpr = std::function<void(const Expr&)>;
using OnStmt = std::function<void(const Stmt&)>;

// Every expression of e or s, outermost first, subexpressions included; every statement of s, s itself first; both.
void each_expression(const Expr& e, const OnExpr& f);
void each_expression(const Stmt& s, const OnExpr& f);
void each_statement(const Stmt& s, const OnStmt& f);
void each_node(const Stmt& s, const OnStmt& on_statement, const OnExpr& on_expression);
// The expressions that s itself holds, not those of statements in it, and whole.
void own_expressions(const Stmt& s, const OnExpr& f);
// Whether s is, or holds, a statement of one of these kinds.
template <class... Node>
bool has(const Stmt& s) {
  bool found = false;
  each_statement(s, [&](const Stmt& x) { found = found || (std::holds_alternative<Node>(x.node) || ...); });
  return found;
}
// Statements and expressions.
std::size_t node_count(const Program& p);

// The node itself, nothing below it: a read or a write of the variable or buffer.
bool is_read_of(const Expr& e, const std::string& name);
bool is_write_of(const Stmt& s, const std::string& name);  // an atomic update is one; it reads, too
bool reads(const Stmt& s, const std::string& name);        // a variable or buffer
bool reads(const Expr& e, const std::string& name);
bool writes(const Stmt& s, const std::string& name);

// Whether index arithmetic over the size divides by what is no number: by 0, where that is 0.
bool divides_by_sizes(const Size& s);

using ExprChange = std::function<Expr(const Expr&)>;
using StmtChange = std::function<std::vector<Stmt>(const Stmt&)>;  // what stands there instead
Expr map_children(const Expr& e, const ExprChange& change);        // those directly in it
Expr rewritten(const Expr& e, const ExprChange& change);           // children first
Stmt map_own(const Stmt& s, const ExprChange& change);             // the expressions that s itself holds, whole
Stmt rewritten(const Stmt& s, const ExprChange& change);           // every expression in it
Stmt rewritten(const Stmt& s, const StmtChange& change);           // inner statements first
// s with names (of variables and buffers) replaced.
Stmt rename(const Stmt& s, const std::string& from, const std::string& to);
// With a value in the place of every read of a variable.
Expr with_value(const Expr& e, const std::string& name, const Expr& value);
Stmt with_value(const Stmt& s, const std::string& name, const Expr& value);
// s with every index into a buffer moved by an offset.
Stmt shift(const Stmt& s, const std::string& buffer, const Expr& offset);

}  // namespace lockstep::kernel
