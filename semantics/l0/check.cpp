// Types of functions and patterns; names in scope, and how what is wrong is told.
#include "semantics/l0/check.h"

#include <algorithm>

#include "semantics/l0/checker.h"
#include "semantics/text/reader.h"

namespace lockstep::l0 {
namespace checking {

bool fits(const Type& a, const Type& b) {
  if (is_unknown(a) || is_unknown(b)) return true;
  if (a.node.index() != b.node.index()) return false;
  return match(
      a.node,
      [&](const TupleType& x) {
        const auto& y = std::get<TupleType>(b.node);
        return std::equal(x.items.begin(), x.items.end(), y.items.begin(), y.items.end(), fits);
      },
      [&](ScalarType x) { return x == std::get<ScalarType>(b.node); },
      [&](const ArrayType& x) { return fits(*x.element, *std::get<ArrayType>(b.node).element); });
}

std::string shown(const std::vector<Type>& types) {
  std::string out;
  for (std::size_t k = 0; k < types.size(); ++k)
    out += (k == 0 ? "" : k + 1 == types.size() ? " and " : ", ") + show(types[k]);
  return out;
}

std::string count_of(std::size_t n, const std::string& what) {
  return (n == 0 ? "no" : std::to_string(n)) + " " + what + (n == 1 ? "" : "s");
}

Checker::Checker(const Program& program) : program_(program) {}

void Checker::report(const Region& at, std::string message, std::string expected, std::string mend) {
  if (diagnostics_.size() < reading::error_limit)
    diagnostics_.push_back({at, std::move(message), std::move(expected), std::move(mend)});
}

void Checker::mismatch(const Region& at, const std::string& what, const Type& found, const std::string& expected,
                       std::string mend) {
  report(at, what + " has type " + show(found), expected, std::move(mend));
}

void Checker::expect(const Expr& e, const Type& wanted, const std::string& what) {
  if (fits(e.type.value, wanted)) return;
  const bool reals = is(wanted, ScalarType::F64) && is(e.type.value, ScalarType::I64);
  const bool ints = is(wanted, ScalarType::I64) && is(e.type.value, ScalarType::F64);
  mismatch(e.region, what, e.type.value, show(wanted),
           reals  ? (as<Literal>(e) ? "a real is written with a point: 1.0" : "`toReal(n)` converts")
           : ints ? "`trunc(x)` converts"
                  : "");
}

Type Checker::variable(const std::string& name, const Region& at) {
  if (const Type* t = scope_.find(name)) return *t;
  const bool function = function_named(program_, name) || scalar_function_named(name);
  report(at, function ? "`" + name + "` is a function" : "there is no variable `" + name + "`", "a variable",
         function ? "a function is called, `" + name + "(…)`, or stands in the place of one: `map(" + name + ", a)`"
                  : did_you_mean(name, scope_.names()));
  return unknown;
}

void Checker::bind(const std::string& name, const Type& type) {
  if (name != "_") scope_.bind(name, type);
}

Pattern Checker::bind(const Pattern& p, const Type& type) {
  return match(
      p.node,
      [&](const NamePattern& n) -> Pattern {
        bind(n.name, type);
        return {n, p.region, {type}};
      },
      [&](const TuplePattern& t) -> Pattern {
        const auto* found = as<TupleType>(type);
        const bool known = !is_unknown(type);
        if (known && (!found || found->items.size() != t.items.size()))
          report(p.region,
                 "this pattern has " + count_of(t.items.size(), "part") + ", its value the type " + show(type),
                 found ? "a pattern of " + count_of(found->items.size(), "part") : "a name",
                 as<ArrayType>(type) ? "of an array of tuples `unzip(a)` is a tuple of arrays" : "");
        TuplePattern parts;
        for (std::size_t k = 0; k < t.items.size(); ++k)
          parts.items.push_back(bind(t.items[k], found && k < found->items.size() ? found->items[k] : unknown));
        return {std::move(parts), p.region, {type}};
      });
}

Function Checker::function(const Function& f) {
  const Inside inside(scope_);
  for (const Parameter& p : f.parameters) bind(p.name, without_stars(p.type));
  Expr body = expression(*f.body);
  expect(body, without_stars(f.result), "what `" + f.name + "` gives");
  return {f.name, f.region, f.result, f.parameters, std::move(body)};
}

}  // namespace checking

Checked<Program> typed(const Program& program) {
  Program out{program.source, {}};
  checking::Checker checker(program);
  for (const Function& f : program.functions) out.functions.push_back(checker.function(f));
  if (!checker.diagnostics().empty()) return tl::make_unexpected(std::move(checker.diagnostics()));
  return out;
}

const Type& result_of(const Fn& f) { return f.calls.value.result; }

}  // namespace lockstep::l0
