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

std::string show(const Instr& i) {
  const Extra extra = row_of(i.opcode).extra;
  std::string r = name_of(i.id) + " : " + std::string(snesl::show(i.type)) + " := " + mnemonic_of(i);
  if (extra == Extra::Atom || extra == Extra::AtomNumber) r += " " + snesl::show(i.atom);
  if (extra == Extra::Number || extra == Extra::AtomNumber || extra == Extra::OperatorNumber)
    r += " " + std::to_string(i.number);
  for (std::size_t k = 0; k < i.arguments.size(); ++k)
    r += " " + name_of(i.arguments[k]) + (k < i.short_arguments.size() && i.short_arguments[k] ? "'" : "");
  if (extra == Extra::Trap) r += " " + reading::quoted(i.primitive) + " " + reading::quoted(i.text);
  return i.unbounded ? r + "  -- unbounded" : r;
}

}  // namespace

std::string print(const Program& p) {
  std::string r = "svcode " + p.name + " (";
  for (std::size_t k = 0; k < p.parameters.size(); ++k)
    r += (k == 0 ? "" : ", ") + p.parameter_names[k] + " : " + snesl::show(p.parameters[k]);
  r += ") : " + snesl::show(p.result_type) + "\n";
  for (const Instr& i : p.instructions) r += show(i) + "\n";
  return r + "result " + show(p.result) + "\n";
}

}  // namespace lockstep::svcode
