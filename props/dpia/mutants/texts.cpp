// Printers that leave something out: .dpia and kernel text must be read back as what was printed, C is compiled. What a
// missing parenthesis makes of a program is the tree that its text is read as, so that tree is what these print.
#include <regex>
#include <sstream>

#include "codegen/targets/openmp.h"
#include "props/dpia/mutants/parts.h"
#include "props/engine/places.h"
#include "semantics/functional/syntax/print.h"
#include "semantics/functional/syntax/walk.h"
#include "semantics/kernel/print.h"

namespace lockstep::props {
namespace {

// ------------------------------------------------------------------------------------------------- .dpia
using surface::Apply;
using surface::Expr;
using Change = std::function<std::optional<Expr>(const Expr&)>;

// At the first place of each definition where there is a change.
std::function<std::string(const surface::Program&)> printing(const Change& change) {
  return [change](const surface::Program& p) {
    surface::Program out = p;
    for (surface::Definition& d : out.definitions)
      for (std::size_t k = 0, all = node_count(d.body); k < all; ++k)
        if (const auto now = change(subtree(d.body, k))) {
          d.body = replaced(d.body, k, *now);
          break;
        }
    return print(out);
  };
}

struct Infix {
  std::string symbol;
  Expr left, right;
};
std::optional<Infix> as_infix(const Expr& e) {
  const auto* outer = std::get_if<Apply>(&e.node);
  const auto* inner = outer ? std::get_if<Apply>(&outer->function->node) : nullptr;
  const auto* head = inner ? std::get_if<surface::Operator>(&inner->function->node) : nullptr;
  if (!head) return {};
  return Infix{head->symbol, *inner->argument, *outer->argument};
}
Expr applied(Expr f, Expr x) { return {Apply{std::move(f), std::move(x)}, {}}; }
Expr infix(const std::string& symbol, Expr a, Expr b) {
  return applied(applied({surface::Operator{symbol}, {}}, std::move(a)), std::move(b));
}
bool is_sum(const std::string& s) { return s == "+" || s == "-"; }
bool is_product(const std::string& s) { return s == "*" || s == "/" || s == "%"; }

// a - (b - c) as a - b - c
std::optional<Expr> bare_right_operand(const Expr& e) {
  const auto i = as_infix(e);
  const auto j = i ? as_infix(i->right) : std::nullopt;
  if (!j || !((is_sum(i->symbol) && is_sum(j->symbol)) || (is_product(i->symbol) && is_product(j->symbol)))) return {};
  return infix(j->symbol, infix(i->symbol, i->left, j->left), j->right);
}
// (a + b) * c as a + b * c
std::optional<Expr> bare_sum(const Expr& e) {
  const auto i = as_infix(e);
  const auto j = i ? as_infix(i->left) : std::nullopt;
  if (!j || !is_product(i->symbol) || !is_sum(j->symbol)) return {};
  return infix(j->symbol, j->left, infix(i->symbol, j->right, i->right));
}
// f (-x) as f -x
std::optional<Expr> bare_negative_argument(const Expr& e) {
  const auto* a = std::get_if<Apply>(&e.node);
  if (!a || std::holds_alternative<surface::Operator>(a->function->node) || as_infix(e)) return {};
  const auto* minus = std::get_if<Apply>(&a->argument->node);
  const auto* sign = minus ? std::get_if<surface::Operator>(&minus->function->node) : nullptr;
  if (!sign || sign->symbol != "neg") return {};
  return infix("-", *a->function, *minus->argument);
}
// f (\x -> b) y as f \x -> b y
std::optional<Expr> bare_lambda(const Expr& e) {
  const auto* a = std::get_if<Apply>(&e.node);
  const auto* f = a ? std::get_if<Apply>(&a->function->node) : nullptr;
  const auto* l = f ? std::get_if<surface::Lambda>(&f->argument->node) : nullptr;
  if (!l || as_infix(e)) return {};
  return applied(*f->function, {surface::Lambda{l->patterns, applied(*l->body, *a->argument)}, {}});
}
std::optional<Expr> flat_tuple(const Expr& e) {
  const auto* t = std::get_if<surface::Tuple>(&e.node);
  const auto* first = t ? std::get_if<surface::Tuple>(&t->parts[0].node) : nullptr;
  if (!first) return {};
  surface::Tuple out = *first;
  out.parts.insert(out.parts.end(), t->parts.begin() + 1, t->parts.end());
  return Expr{std::move(out), {}};
}
std::optional<Expr> without_suffix(const Expr& e) {
  const auto* l = std::get_if<surface::Literal>(&e.node);
  if (!l || !l->suffix) return {};
  return Expr{surface::Literal{l->digits, {}}, {}};
}

// ------------------------------------------------------------------------------------------------- kernels, and C
namespace k = lockstep::kernel;

bool is_multiplication(k::ArithOp op) {
  return op == k::ArithOp::Multiply || op == k::ArithOp::Divide || op == k::ArithOp::Modulo;
}
// (a + b) * c as a + b * c, of indices
k::Expr bare_index_sum(const k::Expr& e) {
  const auto* a = std::get_if<k::Arith>(&e.node);
  const auto* b = a && is_multiplication(a->op) ? std::get_if<k::Arith>(&a->left->node) : nullptr;
  if (!b || (b->op != k::ArithOp::Add && b->op != k::ArithOp::Subtract)) return e;
  return {e.type, k::Arith{b->op, b->left, k::Expr{e.type, k::Arith{a->op, b->right, a->right}}}};
}
// a - (b + c) as a - b + c, of indices
k::Expr bare_index_operand(const k::Expr& e) {
  const auto* a = std::get_if<k::Arith>(&e.node);
  const auto* b = a ? std::get_if<k::Arith>(&a->right->node) : nullptr;
  const auto additive = [](k::ArithOp op) { return op == k::ArithOp::Add || op == k::ArithOp::Subtract; };
  if (!b || !((additive(a->op) && additive(b->op)) || (is_multiplication(a->op) && is_multiplication(b->op)))) return e;
  return {e.type, k::Arith{b->op, k::Expr{b->left->type, k::Arith{a->op, a->left, b->left}}, b->right}};
}
// a - (b - c) as a - b - c, of scalar operators
k::Expr bare_operand(const k::Expr& e) {
  const auto* a = std::get_if<k::Apply>(&e.node);
  const auto* b = a && a->arguments.size() == 2 ? std::get_if<k::Apply>(&a->arguments[1]->node) : nullptr;
  if (!b || a->primitive->name != "-" || b->primitive->name != "-") return e;
  const k::Expr left{e.type, k::Apply{a->primitive, a->operand, {a->arguments[0], b->arguments[0]}}};
  return {e.type, k::Apply{b->primitive, b->operand, {left, b->arguments[1]}}};
}
k::Expr without_type(const k::Expr& e) {
  const auto* c = std::get_if<k::Const>(&e.node);
  if (!c || !is_integer(c->value.type) || e.type.scalar == ScalarType::I64) return e;
  return k::constant(static_cast<std::int64_t>(c->value.bits));
}

// f32 literals without their f: computed in double.
std::string without_f(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool number = i > 1 && std::isdigit(static_cast<unsigned char>(text[i - 1])) &&
                        (i + 1 == text.size() || !std::isalnum(static_cast<unsigned char>(text[i + 1])));
    std::size_t from = i;
    while (from > 0 && (std::isdigit(static_cast<unsigned char>(text[from - 1])) || text[from - 1] == '.')) --from;
    const bool literal = text.substr(from, i - from).find('.') != std::string::npos;
    if (!(text[i] == 'f' && number && literal)) out += text[i];
  }
  return out;
}

// Sizes are cut to 32 bits wherever something is computed of them, but for what refuses and traps.
std::string with_short_sizes(const std::string& text, const std::vector<std::string>& sizes) {
  std::istringstream in(text);
  std::string out;
  for (std::string line; std::getline(in, line); out += line + "\n") {
    const auto holds = [&](const char* part) { return line.find(part) != std::string::npos; };
    if (holds("refused") || holds("trapped") || holds("if (!") || holds("int64_t ")) continue;
    for (const std::string& n : sizes)
      line = std::regex_replace(line, std::regex("\\b" + n + "_\\b"), "(int32_t)" + n + "_");
  }
  return out;
}

MakeCalculus with_definition(const char* name, const std::function<scalars::Definition(ScalarType)>& f) {
  return altered<ScalarOp>(name, [f](ScalarOp& op) { op.definition = f; });
}
// The remainder whose sign is the divisor's.
scalars::Definition floored_rest(ScalarType t) {
  using enum scalars::Operation;
  const scalars::Definition x = scalars::argument(0, t), y = scalars::argument(1, t);
  return apply(Remainder, apply(Add, apply(Remainder, x, y), y), y);
}

void compiled_mutants(std::vector<Mutant>& all) {
  const auto add = [&](const char* name, const char* description, const char* program) {
    Mutant m{name, "text", description};
    m.directed = {{program}};
    m.compiled = true;
    all.push_back(std::move(m));
    return &all.back();
  };
  const auto printed = [](const KernelTransform& change) {
    return [change](const AnyProgram& p) { return openmp_text(change(p.as<k::Program>())).source; };
  };
  add("c-right-operand", "C: a right operand has no parentheses",
      "fun main [n] (xs : [n]i32) : [n]i32 = map (\\x -> x - (3 - x)) xs\n")
      ->tools.compiled = printed(on_expressions(bare_operand));
  add("c-loop-bound", "C: a loop stops one iteration early",
      "fun main [n] (xs : [n]i32) : [n]i32 = map (\\x -> x + 1) xs\n")
      ->tools.compiled = printed(on_statements([](const k::Stmt& s) -> std::vector<k::Stmt> {
    const auto* f = std::get_if<k::ParallelFor>(&s.node);
    if (!f) return {s};
    k::ParallelFor loop = *f;
    loop.extent = k::arith(k::ArithOp::Subtract, f->extent, k::constant(1));
    return {k::Stmt{std::move(loop)}};
  }));
  add("c-float-literal", "C: a literal of f32 lacks its suffix and is a double",
      "fun main [n] (xs : [n+6]f32) : [n+6]f32 = map (\\x -> (x + 0.3) * (x - 1.7)) xs\n")
      ->tools.compiled = [](const AnyProgram& any) {
    const auto& p = any.as<k::Program>();
    CSource source = openmp_text(p).source;
    source.body = without_f(source.body);
    return source;
  };
  add("c-byte-not-cut", "C: a sum of bytes is not cut to a byte",
      "fun main [n] (xs : [n]u8) : [n]i32 = map (\\x -> i32 ((x | 128u8) + 200u8)) xs\n")
      ->tools.compiled = [](const AnyProgram& any) {
    const auto& p = any.as<k::Program>();
    Dialect dialect = cpp_dialect();
    dialect.promoted_below = 0;
    return openmp_text(p, dialect).source;
  };
  add("c-index-in-32-bits", "C: sizes are cut to 32 bits where indices are made of them",
      "fun main [n] (i : i64) : i64 = join (transpose (split 4 (iota (4 * n + 4)))) ! (i64 n + (i & 1))\n")
      ->tools.compiled = [](const AnyProgram& any) {
    const auto& p = any.as<k::Program>();
    CSource source = openmp_text(p).source;
    source.body = with_short_sizes(source.body, p.sizes);
    return source;
  };
  add("c-remainder-sign", "C: a remainder has the divisor's sign",
      "fun main [n] (xs : [n]i32) : [n]i32 = map (\\x -> (x | -8) % 3) xs\n")
      ->calculus = with_definition("%", floored_rest);
  add("c-quotient-rounds", "C: a quotient rounds down",
      "fun main [n] (xs : [n]i32) : [n]i32 = map (\\x -> (x | -8) / 3) xs\n")
      ->calculus = with_definition("/", [](ScalarType t) {
    using enum scalars::Operation;
    return apply(Divide, apply(Subtract, scalars::argument(0, t), floored_rest(t)), scalars::argument(1, t));
  });
}

}  // namespace

void text_mutants(std::vector<Mutant>& all) {
  const auto dpia = [&](const char* name, const char* description, const Change& change,
                        std::vector<DirectedProgram> directed = {}) {
    Mutant m{name, "text", description};
    m.tools.printed = printing(change);
    m.directed = std::move(directed);
    all.push_back(std::move(m));
  };
  dpia("dpia-right-operand", ".dpia: a right operand has no parentheses", bare_right_operand);
  dpia("dpia-sum", ".dpia: a sum in a product has no parentheses", bare_sum);
  dpia("dpia-negative-argument", ".dpia: a negative argument has no parentheses", bare_negative_argument);
  dpia("dpia-lambda", ".dpia: a function as an argument has no parentheses", bare_lambda);
  dpia("dpia-tuple", ".dpia: a tuple in a tuple has no parentheses", flat_tuple);
  dpia("dpia-suffix", ".dpia: a literal has lost its type", without_suffix);

  const auto kernel = [&](const char* name, const char* description, const KernelTransform& change,
                          std::vector<DirectedProgram> directed = {}) {
    Mutant m{name, "text", description};
    m.tools = with_kernels([change](Language& l) {
      l.write = [change](const AnyProgram& p) { return k::print(change(p.as<k::Program>())); };
    });
    m.directed = std::move(directed);
    all.push_back(std::move(m));
  };
  kernel("kernel-sum", "kernel text: a sum in a product of indices has no parentheses", on_expressions(bare_index_sum),
         {{"fun main [m n] (a : [m+1][n+1]i32) : [(m+1)*(n+1)-1]i32 =\n"
           "  map (\\x -> x + 1) (drop 1 (join (transpose a)))\n"}});
  kernel("kernel-operand", "kernel text: a right operand in an index has no parentheses",
         on_expressions(bare_index_operand));
  kernel("kernel-literal", "kernel text: a literal has lost its type", on_expressions(without_type));
  kernel("kernel-else", "kernel text: else is left out", on_statements([](const k::Stmt& s) -> std::vector<k::Stmt> {
           const auto* i = std::get_if<k::If>(&s.node);
           if (!i) return {s};
           return {k::Stmt{k::If{i->condition, i->then, k::Stmt{k::Block{}}}}};
         }));
  kernel("kernel-unroll", "kernel text: an unrolled loop is a loop",
         on_statements([](const k::Stmt& s) -> std::vector<k::Stmt> {
           const auto* f = std::get_if<k::For>(&s.node);
           if (!f) return {s};
           return {k::Stmt{k::For{f->name, f->extent, f->body, false}}};
         }));
  compiled_mutants(all);
}

}  // namespace lockstep::props
