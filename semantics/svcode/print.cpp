// SVCODE as text; the format is in text.h and README.md. Regions are not printed.
#include "semantics/svcode/instruction.h"
#include "semantics/svcode/text.h"
#include "semantics/text/literal.h"

namespace lockstep::svcode {
namespace {

std::string show(const Tree& t) {
  if (t.unit) return "()";
  if (t.children.empty()) return name_of(t.leaf);
  std::string r;
  for (const Tree& child : t.children) r += (r.empty() ? "(" : ", ") + show(child);
  return r + ")";
}

// What stands before its streams, and after them.
std::string before(const Payload& payload) {
  return match(
      payload, [](std::monostate) { return std::string(); },
      [](const Number& n) { return " " + std::to_string(n.number); },
      [](const Atom& a) { return " " + snesl::show(a); },
      [](const Repeated& r) { return " " + snesl::show(r.atom) + " " + std::to_string(r.number); },
      [](OperatorRef) { return std::string(); }, [](const Comparison& c) { return " " + std::to_string(c.number); },
      [](Monoid) { return std::string(); }, [](const Failure&) { return std::string(); });
}
std::string after(const Payload& payload) {
  const auto* f = std::get_if<Failure>(&payload);
  return f ? " " + reading::quoted(f->primitive) + " " + reading::quoted(f->text) : "";
}

std::string computed(const Instr& i, const Forms& forms) {
  std::string r = mnemonic_of(i) + before(i.payload);
  for (std::size_t k = 0; k < i.arguments.size(); ++k)
    r += " " + name_of(i.arguments[k]) + (forms.is_short(i, k) ? "'" : "");
  return r + after(i.payload);
}

std::string show(const Instr& i, const Forms& forms) {
  const std::string r = name_of(i.id) + " : " + std::string(snesl::show(i.type)) + " := " + computed(i, forms);
  return forms.unbounded.count(i.id) ? r + "  -- unbounded" : r;
}

}  // namespace

std::string print_network(const Program& p, const Forms& forms) {
  std::string r = "svcode " + p.name + " (";
  for (std::size_t k = 0; k < p.parameters.size(); ++k)
    r += (k == 0 ? "" : ", ") + p.parameter_names[k] + " : " + snesl::show(p.parameters[k]);
  r += ") : " + snesl::show(p.result_type) + "\n";
  for (const Instr& i : p.instructions) r += show(i, forms) + "\n";
  return r + "result " + show(p.result) + "\n";
}
std::string print(const Program& p) { return print_network(p, {}); }
std::string computed_by(const Instr& i) { return computed(i, {}); }

}  // namespace lockstep::svcode
