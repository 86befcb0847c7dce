// clang makes no lanes of such a loop, and warns; older compilers do not know the word. The least and the greatest of
// floats are the same in every grouping, but -0 and 0 are equal, of which the one that stands there first may be it,
// and NaNs are no numbers: lanes, which take elements in another order, find them, and the sum is made again in order.
#include "codegen/targets/openmp_scanned.h"

#include <algorithm>
#include <map>

#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

using namespace kernel;

namespace {

// An operator whose order is free: of integers what OpenMP calls it, and what leaves others as they are.
struct Reduction {
  std::string op, neutral;
};
std::optional<Reduction> reduction_of(const Apply& a) {
  const auto* op = std::get_if<ScalarOp>(&a.primitive->kind);
  const ScalarType t = a.operand.scalar;
  if (!op || a.arguments.size() != 2 || a.operand.width != 1) return {};
  using enum scalars::Operation;
  static const std::map<scalars::Operation, Reduction> any_order{
      {Add, {"+", "0"}}, {Multiply, {"*", "1"}}, {And, {"&", "-1"}}, {Or, {"|", "0"}}, {Xor, {"^", "0"}}};
  const scalars::Definition d = op->definition(t);
  const auto* apply = std::get_if<scalars::Definition::Apply>(&d.node);
  const bool of_arguments =
      apply && std::all_of(apply->operands.begin(), apply->operands.end(), [](const scalars::Definition& x) {
        return std::holds_alternative<scalars::Definition::Argument>(x.node);
      });
  const auto found = is_integer(t) && of_arguments ? any_order.find(apply->op) : any_order.end();
  if (found != any_order.end()) return found->second;
  return op->laws.associative && op->laws.idempotent ? std::optional(Reduction{}) : std::nullopt;
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
  // Of equal floats the second is taken: where that is the newer, a group that begins with acc would bring it back.
  if (op->op.empty() && at == 0 && is_float(sum->operand.scalar)) return {};
  const Expr& value = *sum->arguments[1 - at];
  if (!is_acc(*sum->arguments[at]) || reads(value, step->name) || reads(store->index, step->name)) return {};
  if (reads(value, store->buffer) || reads(store->value, store->buffer)) return {};
  return ScannedLoop{step->name, op->op, op->neutral, first != nullptr, step, at};
}

void print_scan_pragma(CStatements& s, const ScannedLoop& scan) {
  if (scan.op.empty()) return;
  print_pragma(s, "simd reduction(inscan, " + scan.op + " : " + s.text.variable(scan.variable) + ")");
}

void print_scanned(CStatements& s, const ScannedLoop& scan, const Stmt& body) {
  const auto& statements = std::get<Block>(body.node).statements;
  s.statement(statements[0]);
  if (!scan.op.empty())
    print_pragma(s, std::string("scan ") + (scan.inclusive ? "inclusive(" : "exclusive(") +
                        s.text.variable(scan.variable) + ")");
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

void ScanInGroups::open_rounds(const std::string& variable) {
  s_.open("for (int64_t " + variable + " = " + parts_ + ".from(" + part_from() + "); " + variable + " < " + parts_ +
          ".from(" + part_to() + "); ++" + variable + ")");
}

std::string ScanInGroups::both(const std::string& before, const std::string& behind) const {
  const std::size_t names = s_.text.mark();
  kernel::Apply sum = std::get<kernel::Apply>(scan_.step->value.node);
  const KType type = scan_.step->value.type;
  for (std::size_t k : {0U, 1U}) {
    const std::string name = k == scan_.place ? "sum before" : "sum behind";  // no name of a program
    s_.text.bind_variable(name, k == scan_.place ? before : behind);
    sum.arguments[k] = Expr{type, Var{name}};
  }
  std::string out = s_.text.expression(Expr{type, std::move(sum)});
  s_.text.release(names);
  return out;
}

void ScanInGroups::sum_of_group(const std::function<void()>& pragma, const std::string& start) {
  s_.line(acc_ + " = " + start + ";");
  const std::size_t names = s_.text.mark();
  const std::string i = s_.text.declare_variable(number_);
  pragma();
  open_rounds(i);
  s_.line(acc_ + " = " + s_.text.expression(scan_.step->value) + ";");
  s_.close();
  s_.text.release(names);
}

// Of all groups but the last.
void ScanInGroups::sums() {
  s_.line("#pragma omp parallel for schedule(static)");
  over_groups(groups_ + " - 1");
  s_.line(type_ + " " + acc_ + ";");
  if (!scan_.op.empty()) {
    const auto lanes = [&] { s_.line("#pragma omp simd reduction(" + scan_.op + " : " + acc_ + ")"); };
    sum_of_group(lanes, "(" + type_ + ")" + scan_.neutral);
  } else {
    const std::string lanes = s_.text.fresh("lanes");
    print_pragma(s_, "declare reduction(" + lanes + " : " + type_ + " : omp_out = " + both("omp_out", "omp_in") +
                         ") initializer(omp_priv = omp_orig)");
    sum_of_group([&] { print_pragma(s_, "simd reduction(" + lanes + " : " + acc_ + ")"); }, last_);
    if (is_float(scan_.step->value.type.scalar)) {
      s_.open("if (!(" + acc_ + " < 0) && !(" + acc_ + " > 0))");
      sum_of_group([] {}, last_);
      s_.close();
    }
  }
  s_.line(sums_ + "[" + group_ + "] = " + acc_ + ";");
  s_.close();
}

void ScanInGroups::open() {
  s_.line("const int64_t " + groups_ + " = scan_groups();");
  s_.line(type_ + " " + sums_ + "[scan_groups_of_threads], " + last_ + " = " + acc_ + ";");
  sums();
  over_groups(groups_);
  s_.line("const " + type_ + " before = " + acc_ + ";");
  s_.line("if (" + group_ + " + 1 < " + groups_ + ") " + acc_ + " = " + both(acc_, sums_ + "[" + group_ + "]") + ";");
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

std::string has_groups(const std::string& count) { return count + " >= LOCKSTEP_LEAST_SCANNED && scan_groups() > 1"; }

std::string ScanInGroups::text() {
  return R"(#ifndef LOCKSTEP_LEAST_SCANNED
#define LOCKSTEP_LEAST_SCANNED 65536
#endif
#ifdef _OPENMP
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
