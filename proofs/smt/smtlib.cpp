// The text by the table of operations. In: terms; out: text; and back from a solver's values.
#include "proofs/smt/smtlib.h"

#include <set>
#include <sstream>

#include "proofs/smt/operations.h"
#include "semantics/core/diagnostic.h"

namespace lockstep::proofs::smt {
namespace {

std::string numbered(std::string_view index, std::initializer_list<int> numbers) {
  std::string out = "(_ " + std::string(index);
  for (const int n : numbers) out += " " + std::to_string(n);
  return out + ")";
}
std::string to_float(std::string_view name, Sort s) {
  return numbered(name, {s.width == 32 ? 8 : 11, s.width == 32 ? 24 : 53});
}

std::string sort_text(Sort s) {
  constexpr std::string_view plain[] = {"Bool", "Int", "Real", "Element", "(Array Int Element)", "(Array Int Int)"};
  static_assert(std::size(plain) == Sort::Bits);
  if (s.kind == Sort::Bits) return numbered("BitVec", {s.width});
  return s.kind == Sort::Float ? "Float" + std::to_string(s.width) : std::string(plain[s.kind]);
}

std::string symbol(NameKind kind, const std::string& name) { return "|" + spelled(kind, name) + "|"; }

std::string numeral(const Term& t) {
  const auto n = static_cast<std::int64_t>(t.number);
  const std::string magnitude = std::to_string(n < 0 ? -t.number : t.number) + (t.sort.kind == Sort::Real ? ".0" : "");
  if (t.sort.kind == Sort::Int || t.sort.kind == Sort::Real) return n < 0 ? "(- " + magnitude + ")" : magnitude;
  const std::string bits = "(_ bv" + std::to_string(t.number) + " " + std::to_string(t.sort.width) + ")";
  return t.sort.kind == Sort::Bits ? bits : "(" + to_float("to_fp", t.sort) + " " + bits + ")";
}

class Writer {
 public:
  std::string text(const Term& t) {
    if (t.op == TermOp::Name) return symbol(bound_.contains(t.name) ? NameKind::Bound : NameKind::Free, t.name);
    if (t.op == TermOp::Number) return numeral(t);
    if (t.op == TermOp::Truth) return t.number ? "true" : "false";
    if (t.op == TermOp::ForAll) return quantified(t);
    if (t.op == TermOp::Call && t.arguments->empty()) return symbol(NameKind::Function, t.name);
    std::string out = "(" + head(t);
    for (const Term& a : *t.arguments) out += " " + text(a);
    return out + ")";
  }

 private:
  static std::string head(const Term& t) {
    if (t.op == TermOp::Call) return symbol(NameKind::Function, t.name);
    if (t.op == TermOp::Divide || t.op == TermOp::Modulo)
      throw Bug("a division is given to the solver by its definition");
    const Operation& row = operation_of(t.op);
    std::string out(row.name);
    if (std::holds_alternative<ToWidth>(row.z3)) out = numbered(row.name, {t.sort.width - t.at(0).sort.width});
    if (std::holds_alternative<ToSort>(row.z3)) out = to_float(row.name, t.sort);
    if (t.op == TermOp::Truncate) out = numbered(row.name, {t.sort.width - 1, 0});
    return row.rounding.empty() ? out : out + " " + std::string(row.rounding);
  }
  std::string quantified(const Term& t) {
    const auto outer = bound_;
    std::string names;
    for (std::size_t k = 0; k + 1 < t.arguments->size(); ++k) {
      const Term& n = t.at(k);
      names += (k ? " (" : "(") + symbol(NameKind::Bound, n.name) + " " + sort_text(n.sort) + ")";
      bound_.insert(n.name);
    }
    const std::string body = text(t.arguments->back());
    bound_ = outer;
    return "(forall (" + names + ") " + body + ")";
  }
  std::set<std::string> bound_;
};

void each_call(const Term& t, const std::function<void(const Term&)>& f) {
  if (t.op == TermOp::Call) f(t);
  if (t.arguments)
    for (const Term& a : *t.arguments) each_call(a, f);
}

bool has_value(Sort s) {
  return s.kind == Sort::Bool || s.kind == Sort::Int || s.kind == Sort::Bits || s.kind == Sort::Float;
}

std::string smtlib_of(const Term& t) { return Writer().text(t); }

}  // namespace

std::string script_of(const std::vector<Term>& assertions) {
  std::string out = "(set-option :produce-models true)\n(set-logic ALL)\n(declare-sort Element 0)\n", asked;
  for (const auto& [name, n] : names_in(assertions)) {
    out += "(declare-const " + smtlib_of(n) + " " + sort_text(n.sort) + ")\n";
    if (has_value(n.sort)) asked += "(get-value (" + smtlib_of(n) + "))\n";
  }
  std::set<std::string> declared;
  for (const Term& t : assertions)
    each_call(t, [&](const Term& c) {
      std::string sorts;
      for (const Term& a : *c.arguments) sorts += (sorts.empty() ? "" : " ") + sort_text(a.sort);
      if (declared.insert(c.name).second)
        out += "(declare-fun " + symbol(NameKind::Function, c.name) + " (" + sorts + ") " + sort_text(c.sort) + ")\n";
    });
  for (const Term& t : assertions) out += "(assert " + smtlib_of(t) + ")\n";
  return out + "(check-sat)\n" + asked;
}

std::map<std::string, std::string> values_in(const std::string& answer, const std::vector<Term>& assertions) {
  std::map<std::string, std::string> out;
  std::istringstream lines(answer);
  for (const auto& [name, n] : names_in(assertions)) {
    const std::string before = "((" + smtlib_of(n) + " ";
    std::string line;
    if (!has_value(n.sort)) continue;
    if (!std::getline(lines, line) || !line.starts_with(before)) break;  // by a limit
    const std::string value = line.substr(before.size(), line.size() - before.size() - 2);
    out.emplace(name, value.starts_with("(- ") ? "-" + value.substr(3, value.size() - 4) : value);
  }
  return out;
}

}  // namespace lockstep::proofs::smt
