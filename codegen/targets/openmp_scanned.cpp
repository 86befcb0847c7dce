// clang makes no lanes of such a loop, and warns; older compilers do not know the word.
#include "codegen/targets/openmp_scanned.h"

#include <map>

#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

using namespace kernel;

namespace {

// An operator on integers whose order is free: what OpenMP calls it, and what leaves others as they are.
struct Reduction {
  std::string op, neutral;
};
std::optional<Reduction> reduction_of(const Apply& a) {
  const auto* op = std::get_if<ScalarOp>(&a.primitive->kind);
  const ScalarType t = a.operand.scalar;
  if (!op || a.arguments.size() != 2 || a.operand.width != 1 || !is_integer(t)) return {};
  const scalars::Definition d = op->definition(t);
  const auto* apply = std::get_if<scalars::Definition::Apply>(&d.node);
  if (!apply) return {};
  for (const scalars::Definition& x : apply->operands)
    if (!std::holds_alternative<scalars::Definition::Argument>(x.node)) return {};
  using enum scalars::Operation;
  static const std::map<scalars::Operation, Reduction> any_order{
      {Add, {"+", "0"}}, {Multiply, {"*", "1"}}, {And, {"&", "-1"}}, {Or, {"|", "0"}}, {Xor, {"^", "0"}}};
  const auto found = any_order.find(apply->op);
  return found == any_order.end() ? std::nullopt : std::optional(found->second);
}

void print_pragma(CStatements& s, const std::string& pragma) {
  s.line("#if !defined(__clang__) && __GNUC__ >= 10");
  s.line("#pragma omp " + pragma);
  s.line("#endif");
}

}  // namespace

std::optional<ScannedLoop> scanned_loop(const For& loop) {
  const auto* body = std::get_if<Block>(&loop.body->node);
  if (!body || body->statements.size() != 2) return {};
  const auto* first = std::get_if<Assign>(&body->statements[0].node);
  const auto* step = first ? first : std::get_if<Assign>(&body->statements[1].node);
  const auto* store = std::get_if<Store>(&body->statements[first ? 1 : 0].node);
  const auto* sum = step && store ? std::get_if<Apply>(&step->value.node) : nullptr;
  const auto op = sum ? reduction_of(*sum) : std::nullopt;
  if (!op || store->value.type.width != 1) return {};
  const auto is_acc = [&](const Expr& e) {
    const auto* v = std::get_if<Var>(&e.node);
    return v && v->name == step->name;
  };
  const std::size_t at = is_acc(*sum->arguments[0]) ? 0 : 1;
  const Expr& value = *sum->arguments[1 - at];
  if (!is_acc(*sum->arguments[at]) || reads(value, step->name) || reads(store->index, step->name)) return {};
  if (reads(value, store->buffer) || reads(store->value, store->buffer)) return {};
  return ScannedLoop{step->name, op->op, op->neutral, first != nullptr, step};
}

void print_scan_pragma(CStatements& s, const ScannedLoop& scan) {
  print_pragma(s, "simd reduction(inscan, " + scan.op + " : " + s.text.variable(scan.variable) + ")");
}

void print_scanned(CStatements& s, const ScannedLoop& scan, const Stmt& body) {
  const auto& statements = std::get<Block>(body.node).statements;
  s.statement(statements[0]);
  print_pragma(
      s, std::string("scan ") + (scan.inclusive ? "inclusive(" : "exclusive(") + s.text.variable(scan.variable) + ")");
  s.statement(statements[1]);
}

ScanInGroups::ScanInGroups(CStatements& s, const ScannedLoop& scan, std::string parts, const std::string& number)
    : s_(s),
      scan_(scan),
      parts_(std::move(parts)),
      number_(number),
      acc_(s.text.variable(scan.variable)),
      type_(s.text.type(scan.step->value.type)),
      groups_(s.text.fresh("groups")),
      group_(s.text.fresh("group")),
      sums_(s.text.fresh("sums")),
      last_(s.text.fresh("last")) {}

std::string ScanInGroups::part(const std::string& group) const {
  return parts_ + ".number * " + group + " / " + groups_;
}

void ScanInGroups::over_groups(const std::string& end) {
  s_.open("for (int64_t " + group_ + " = 0; " + group_ + " < " + end + "; ++" + group_ + ")");
}

// Of all groups but the last.
void ScanInGroups::sums() {
  const std::size_t names = s_.text.mark();
  s_.line("#pragma omp parallel for schedule(static)");
  over_groups(groups_ + " - 1");
  s_.line(type_ + " " + acc_ + " = (" + type_ + ")" + scan_.neutral + ";");
  const std::string i = s_.text.declare_variable(number_);
  s_.line("#pragma omp simd reduction(" + scan_.op + " : " + acc_ + ")");
  s_.open("for (int64_t " + i + " = " + parts_ + ".from(" + part_from() + "); " + i + " < " + parts_ + ".from(" +
          part_to() + "); ++" + i + ")");
  s_.line(acc_ + " = " + s_.text.expression(scan_.step->value) + ";");
  s_.close();
  s_.line(sums_ + "[" + group_ + "] = " + acc_ + ";");
  s_.close();
  s_.text.release(names);
}

void ScanInGroups::open() {
  s_.line("const int64_t " + groups_ + " = scan_groups();");
  s_.line(type_ + " " + sums_ + "[scan_groups_of_threads], " + last_ + " = " + acc_ + ";");
  sums();
  over_groups(groups_);
  s_.line("const " + type_ + " before = " + acc_ + ";");
  s_.line("if (" + group_ + " + 1 < " + groups_ + ") " + acc_ + " = (" + type_ + ")(" + acc_ + " " + scan_.op + " " +
          sums_ + "[" + group_ + "]);");
  s_.line(sums_ + "[" + group_ + "] = before;");
  s_.close();
  s_.line("#pragma omp parallel");
  s_.open("");
  s_.line("#pragma omp for schedule(static) nowait");
  over_groups(groups_);
  s_.line(type_ + " " + acc_ + " = " + sums_ + "[" + group_ + "];");
}

void ScanInGroups::close() {
  s_.line("if (" + group_ + " == " + groups_ + " - 1) " + last_ + " = " + acc_ + ";");
  s_.close();
  s_.line("stream_fence();");
  s_.close();
  s_.line(acc_ + " = " + last_ + ";");
}

std::string ScanInGroups::text() {
  return R"(#ifdef _OPENMP
extern "C" int omp_get_max_threads(void);
#endif
const int64_t scan_groups_of_threads = 64;
// One thread needs no sums of groups, for which all is read twice.
inline int64_t scan_groups() {
#ifdef _OPENMP
  if (omp_get_max_threads() > 1) return scan_groups_of_threads;
#endif
  return 1;
}

)";
}

}  // namespace lockstep
