// The text by the table of operations. In: terms; out: text; and back from a solver's values.
#include "proofs/smt/smtlib.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

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
  switch (s.kind) {
    case Sort::Bool:
      return "Bool";
    case Sort::Int:
      return "Int";
    case Sort::Real:
      return "Real";
    case Sort::Element:
      return "Element";
    case Sort::ElementStore:
      return "(Array Int Element)";
    case Sort::IntStore:
      return "(Array Int Int)";
    case Sort::Bits:
      return numbered("BitVec", {s.width});
    case Sort::Float:
      return s.width == 32 ? "Float32" : "Float64";
  }
  throw Bug("sort");
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

// ------------------------------------------------------------------------------------------------- values
// An atom or a list, and what comes after it.
std::string_view next_of(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n\t"), text.size()));
  std::size_t end = 0;
  for (int depth = 0; end < text.size(); ++end) {
    const char c = text[end];
    if (c == '|') end = std::min(text.find('|', end + 1), text.size() - 1);
    if (c == ')' && depth == 0) break;
    depth += (c == '(') - (c == ')');
    if (depth == 0 && (c == ')' || end + 1 == text.size() || std::string_view(" \n\t)").find(text[end + 1]) < 4)) {
      ++end;
      break;
    }
  }
  const std::string_view out = text.substr(0, end);
  text.remove_prefix(end);
  return out;
}

std::optional<std::uint64_t> bits_in(std::string_view v) {
  if (!v.starts_with("#b") && !v.starts_with("#x")) return {};
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(v.begin() + 2, v.end(), n, v[1] == 'b' ? 2 : 16);
  return error == std::errc() && end == v.end() ? std::optional(n) : std::nullopt;
}

// (fp #b0 #b... #b...), (_ NaN 8 24), (_ +oo 8 24), (_ -zero 8 24)
std::optional<std::string> float_text(Sort s, std::string_view v) {
  if (v.size() < 2 || v.front() != '(') return {};
  v = v.substr(1, v.size() - 2);
  if (next_of(v) == "_") {
    const std::string_view what = next_of(v);
    if (what == "NaN") return "nan";
    if (what == "+oo" || what == "-oo") return what == "+oo" ? "inf" : "-inf";
    if (what == "+zero" || what == "-zero") return what == "+zero" ? "0" : "-0";
    return {};
  }
  std::uint64_t bits = 0;
  for (int k = 0; k < 3; ++k) {
    const std::string_view part = next_of(v);
    const auto n = bits_in(part);
    if (!n) return {};
    bits = bits << (part[1] == 'b' ? part.size() - 2 : 4 * (part.size() - 2)) | *n;
  }
  return shown_bits(s, bits);
}

std::optional<std::string> value_text(Sort s, std::string_view v) {
  if (s.kind == Sort::Float) return float_text(s, v);
  if (s.kind == Sort::Bits) {
    const auto n = bits_in(v);
    return n ? std::optional(std::to_string(*n)) : std::nullopt;
  }
  if (v.starts_with("(- ")) return "-" + std::string(v.substr(3, v.size() - 4));
  return std::string(v);
}

}  // namespace

std::string smtlib_of(const Term& t) { return Writer().text(t); }

std::string script_of(const std::vector<Term>& assertions) {
  std::string out = "(set-option :produce-models true)\n(set-logic ALL)\n(declare-sort Element 0)\n", asked;
  for (const auto& [name, n] : names_in(assertions)) {
    out += "(declare-const " + smtlib_of(n) + " " + sort_text(n.sort) + ")\n";
    if (has_value(n.sort)) asked += (asked.empty() ? "" : " ") + smtlib_of(n);
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
  return out + "(check-sat)\n" + (asked.empty() ? "" : "(get-value (" + asked + "))\n");
}

std::map<std::string, std::string> values_in(const std::string& answer, const std::vector<Term>& assertions) {
  std::map<std::string, std::string> out;
  std::map<std::string, std::string, std::less<>> given;  // by the name between bars
  std::string_view all = answer;
  std::string_view list = next_of(all);
  if (list.size() < 2 || list.front() != '(') return out;
  for (list = list.substr(1, list.size() - 2); !list.empty();) {
    std::string_view pair = next_of(list);
    if (pair.size() < 2 || pair.front() != '(') break;
    pair = pair.substr(1, pair.size() - 2);
    const std::string_view name = next_of(pair);
    given.emplace(name, next_of(pair));
  }
  for (const auto& [name, n] : names_in(assertions))
    if (const auto it = given.find(smtlib_of(n)); it != given.end())
      if (const auto text = value_text(n.sort, it->second)) out.emplace(name, *text);
  return out;
}

std::string shown_bits(Sort s, std::uint64_t bits) {
  char text[64];
  const auto end = s.width == 32
                       ? std::to_chars(text, text + sizeof text, std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                       : std::to_chars(text, text + sizeof text, std::bit_cast<double>(bits));
  return {text, end.ptr};
}

}  // namespace lockstep::proofs::smt
