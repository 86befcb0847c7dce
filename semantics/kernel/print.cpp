// Kernel trees to text (print.h). A scalar operator carries its operand type: x +.f32 y, sqrt.f32<4>(v); index
// arithmetic has bare operators. In: trees; out: text.
#include "semantics/kernel/print.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "semantics/core/table.h"
#include "semantics/kernel/words.h"
#include "semantics/primitives/primitive.h"
#include "semantics/text/literal.h"
#include "semantics/text/operators.h"

namespace lockstep::kernel {

std::string_view symbol_of(ArithOp op) {
  static constexpr auto rows = table<ArithOp>({{ArithOp::Add, "+"},
                                               {ArithOp::Subtract, "-"},
                                               {ArithOp::Multiply, "*"},
                                               {ArithOp::Divide, "/"},
                                               {ArithOp::Modulo, "%"},
                                               {ArithOp::Less, "<"},
                                               {ArithOp::LessEqual, "<="},
                                               {ArithOp::Equal, "=="},
                                               {ArithOp::And, "&&"}});
  return rows[op];
}

std::string_view word_of(Level level) {
  static constexpr auto rows = table<Level>({{Level::Auto, "auto"},
                                             {Level::Seq, "seq"},
                                             {Level::Par, "par"},
                                             {Level::Global, "global"},
                                             {Level::Workgroup, "workgroup"},
                                             {Level::Warp, "warp"},
                                             {Level::Local, "local"},
                                             {Level::Unroll, "unroll"}});
  return rows[level];
}

std::string_view word_of(Space space) {
  static constexpr auto rows = table<Space>({{Space::Auto, "auto"},
                                             {Space::Global, "global"},
                                             {Space::Local, "local"},
                                             {Space::Private, "private"},
                                             {Space::Stream, "stream"}});
  return rows[space];
}

bool is_reserved(const std::string& name) { return reading::is_listed(name, keywords) || scalar_named(name); }

namespace {

int level_of(std::string_view symbol) { return reading::level_of(reading::shared_operators, symbol); }

bool is_plain(const std::string& name) {
  auto start = [](unsigned char c) { return std::isalpha(c) || c == '_' || c == '$'; };
  auto inside = [&](unsigned char c) { return start(c) || std::isdigit(c) || c == '\''; };
  return !name.empty() && start(static_cast<unsigned char>(name[0])) && std::all_of(name.begin(), name.end(), inside);
}

std::string print_name(const std::string& name) {
  return is_plain(name) && !is_reserved(name) ? name : "`" + name + "`";
}

std::string print_primitive(const std::string& name) {
  return level_of(name) > 0 || is_plain(name) ? name : "`" + name + "`";
}

// Digits that the text can hold as they are, before the type's name: 12, 1.5, 1e-3.
bool is_number(const std::string& d) {
  return !d.empty() && reading::is_digit(d[0]) && reading::number_length(d) == d.size();
}

std::string print_constant(const Const& c) {
  std::string type(show(c.value.type));
  if (c.value.type == ScalarType::Bool) return c.value.bits ? "true" : "false";
  if (is_float(c.value.type)) {
    if (is_number(c.digits)) return c.digits + type;
    if (!c.digits.empty()) return type + reading::quoted(c.digits);
    char text[64];
    double v = c.value.ieee();
    if (std::isfinite(v))
      std::snprintf(text, sizeof text, "%.17g", v);
    else
      std::snprintf(text, sizeof text, "bits %llu", static_cast<unsigned long long>(c.value.bits));
    return type + "(" + text + ")";
  }
  std::string digits = is_signed(c.value.type) ? std::to_string(c.value.integer()) : std::to_string(c.value.bits);
  return c.value.type == ScalarType::I64 ? digits : digits + type;
}

std::string print_at(const Expr& e, int least);

std::string print_list(const std::vector<ExprRef>& es) {
  std::string r = "(";
  for (std::size_t k = 0; k < es.size(); ++k) r += (k ? ", " : "") + print_at(*es[k], 0);
  return r + ")";
}

std::string parenthesised(const std::string& text, bool yes) { return yes ? "(" + text + ")" : text; }

// As an operand of at least this level.
std::string print_at(const Expr& e, int least) {
  return match(
      e.node, [&](const Const& c) { return print_constant(c); }, [&](const Var& v) { return print_name(v.name); },
      [&](const Arith& a) {
        int p = level_of(symbol_of(a.op));
        std::string text = print_at(*a.left, p == reading::comparison_level ? p + 1 : p) + " " +
                           std::string(symbol_of(a.op)) + " " + print_at(*a.right, p + 1);
        return parenthesised(text, p < least);
      },
      [&](const Load& l) { return print_name(l.buffer) + "[" + print_at(*l.index, 0) + "]"; },
      [&](const VectorLoad& l) {
        return print_name(l.buffer) + "[" + print_at(*l.index, 0) + " : " + std::to_string(l.width) + "]";
      },
      [&](const Apply& a) {
        std::string op = print_primitive(a.primitive->name) + "." + print(a.operand);
        if (a.arguments.size() != 2 || level_of(a.primitive->name) == 0) return op + print_list(a.arguments);
        return parenthesised(print_at(*a.arguments[0], reading::above_operators) + " " + op + " " +
                                 print_at(*a.arguments[1], reading::above_operators),
                             least > 0);
      },
      [&](const Choose& c) {
        return "(" + print_at(*c.condition, 0) + " ? " + print_at(*c.then, 0) + " : " + print_at(*c.otherwise, 0) + ")";
      },
      [&](const Lane& l) { return "lane(" + print_at(*l.vector, 0) + ", " + print_at(*l.lane, 0) + ")"; },
      [&](const Build& b) { return "build" + print_list(b.lanes); },
      [&](const Splat& s) { return "splat<" + std::to_string(s.width) + ">(" + print_at(*s.scalar, 0) + ")"; });
}

std::string print_allocation(const Allocate& a) {
  return print(a.type) + " " + print_name(a.name) + "[" + print(a.count) + "] @" + std::string(word_of(a.space)) +
         (a.at ? " offset " + print(*a.at) : "");
}

bool is_empty_block(const Stmt& s) {
  const Block* b = std::get_if<Block>(&s.node);
  return b && b->statements.empty();
}

// A body: a block opens on the same line, anything else stands on the next.
std::string print_body(const Stmt& s, int indent) {
  if (std::holds_alternative<Block>(s.node)) return " " + print(s, indent).substr(static_cast<std::size_t>(indent));
  return "\n" + print(s, indent + 2);
}

std::string print_scratch(const std::vector<Allocate>& scratch) {
  if (scratch.empty()) return "";
  std::string r = " with (";
  for (std::size_t k = 0; k < scratch.size(); ++k) r += (k ? ", " : "") + print_allocation(scratch[k]);
  return r + ")";
}

std::string print_block(const Block& b, int indent) {
  if (b.statements.empty()) return "{}\n";
  std::string r = "{\n";
  for (const Stmt& s : b.statements) r += print(s, indent + 2);
  return r + std::string(static_cast<std::size_t>(indent), ' ') + "}\n";
}

// Only a block can go without its `else`: what else stands before one might take it.
std::string print_if(const If& s, int indent) {
  std::string r = "if (" + print(s.condition) + ")" + print_body(*s.then, indent);
  if (std::holds_alternative<Block>(s.then->node) && is_empty_block(*s.otherwise)) return r;
  return r + std::string(static_cast<std::size_t>(indent), ' ') + "else" + print_body(*s.otherwise, indent);
}

std::string print_check(const Check& c) {
  std::string r =
      "check (" + print(c.ok) + ") " + reading::quoted(c.primitive) + " " + reading::quoted(c.message) + " (";
  for (std::size_t k = 0; k < c.values.size(); ++k) r += (k ? ", " : "") + print(c.values[k]);
  return r + ");\n";
}

std::string print_buffer(const Buffer& b) {
  std::string r = print(b.type) + " " + print_name(b.name);
  Size all = b.type.width;
  for (const Size& d : b.dims) {
    r += "[" + print(size_expr(d)) + "]";
    all = all * d;
  }
  if (!(all == b.count)) r += " of " + print(size_expr(b.count));
  if (b.below) r += " < " + print(size_expr(*b.below));
  return r + ";\n";
}

std::string print_fact(const SizeFact& f) {
  std::string_view relation = f.relation == SizeRelation::Equal       ? " == "
                              : f.relation == SizeRelation::NotEqual  ? " != "
                              : f.relation == SizeRelation::LessEqual ? " <= "
                                                                      : " < ";
  return print_at(size_expr(f.left), above_comparisons) + std::string(relation) +
         print_at(size_expr(f.right), above_comparisons);
}

}  // namespace

std::string print(const KType& type) {
  return std::string(show(type.scalar)) + (type.width == 1 ? "" : "<" + std::to_string(type.width) + ">");
}

std::string print(const Expr& expression) { return print_at(expression, 0); }

std::string print(const Stmt& statement, int indent) {
  std::string text = match(
      statement.node, [&](const Block& b) { return print_block(b, indent); },
      [&](const Declare& d) {
        return "var " + print(d.type) + " " + print_name(d.name) + (d.init ? " = " + print(*d.init) : "") + ";\n";
      },
      [&](const Assign& a) { return print_name(a.name) + " = " + print(a.value) + ";\n"; },
      [&](const Store& s) {
        return (s.nontemporal ? "stream " : "store ") + print_name(s.buffer) + "[" + print(s.index) +
               "] = " + print(s.value) + ";\n";
      },
      [&](const Atomic& a) {
        return "atomic " + print_name(a.buffer) + "[" + print(a.index) + "] " + print_primitive(a.primitive->name) +
               " = " + print(a.value) + ";\n";
      },
      [&](const For& f) {
        return (f.unroll ? "unroll for (" : "for (") + print_name(f.name) + " < " +
               print_at(f.extent, above_comparisons) + ")" + print_body(*f.body, indent);
      },
      [&](const Allocate& a) { return "alloc " + print_allocation(a) + ";\n"; },
      [&](const ParallelFor& p) {
        return "parallel " + std::string(word_of(p.level)) + " (" + print_name(p.name) + " < " +
               print_at(p.extent, above_comparisons) + (p.units ? " by " + print_at(*p.units, above_comparisons) : "") +
               ")" + print_scratch(p.scratch) + print_body(*p.body, indent);
      },
      [&](const If& s) { return print_if(s, indent); },
      [&](const While& w) { return "while (" + print(w.condition) + ")" + print_body(*w.body, indent); },
      [&](const Check& c) { return print_check(c); },
      [&](const Barrier& b) { return std::string(b.scope == Level::Warp ? "barrier warp;\n" : "barrier;\n"); },
      [&](const Comment& c) {
        if (c.text.find('\n') != std::string::npos) return "comment " + reading::quoted(c.text) + ";\n";
        return "// " + c.text + "\n";
      },
      [&](const Shuffle& x) {
        return "var " + print(x.type) + " " + print_name(x.name) + " = shuffle(" + print(x.value) + ", " +
               print(x.lane) + ", " + std::to_string(x.width) + ");\n";
      });
  return std::string(static_cast<std::size_t>(indent), ' ') + text;
}

std::string head_of(const Stmt& statement) {
  const std::string text = print(statement);
  return "`" + text.substr(0, text.find('\n')) + "`";
}

std::string print(const Program& program) {
  std::string r = "kernel " + print_name(program.name) + "(";
  for (std::size_t k = 0; k < program.sizes.size(); ++k) r += (k ? ", " : "") + print_name(program.sizes[k]);
  r += ")";
  for (std::size_t k = 0; k < program.facts.size(); ++k) r += (k ? ", " : " where ") + print_fact(program.facts[k]);
  r += show(program.launch);
  if (program.narrow) {
    r += " narrow (";
    for (std::size_t k = 0; k < program.narrow->size(); ++k)
      r += (k ? ", " : "") + print(size_expr((*program.narrow)[k]));
    r += ")";
  }
  r += "\n";
  for (const Buffer& b : program.inputs) r += "input " + print_buffer(b);
  for (const Buffer& b : program.outputs) r += "output " + print_buffer(b);
  return r + print(program.body);
}

}  // namespace lockstep::kernel
