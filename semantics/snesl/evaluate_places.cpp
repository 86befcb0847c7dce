// Where a program can trap, and by what: each operation that has a trap, by the name that the trap bears.
#include "semantics/snesl/evaluate_plan.h"

namespace lockstep::snesl::plan {
namespace {

// Nothing for what never traps.
std::string name_in_trap(const core::Apply& a, const Type& type) {
  switch (a.builtin) {
    case core::Builtin::Scalar:
      if (a.op->gives) return name_of(a.op);
      return as<Prim>(type) && can_trap(a.op, *as<Prim>(type)) ? a.op->name : "";
    case core::Builtin::The:
    case core::Builtin::Zip:
    case core::Builtin::Flagpart:
    case core::Builtin::Iota:
    case core::Builtin::Index:
    case core::Builtin::ReadFile:
      return std::string(name_of(a.builtin));
    case core::Builtin::Reduce:
      return a.monoid == Monoid::Max ? "maximum" : a.monoid == Monoid::Min ? "minimum" : "";
    case core::Builtin::Reduce1:
      return "reduce1-" + std::string(name_of(a.monoid));
    case core::Builtin::Mkseq:
    case core::Builtin::Empty:
    case core::Builtin::Append:
    case core::Builtin::Unzip:
    case core::Builtin::Sep:
    case core::Builtin::Concat:
    case core::Builtin::TailFlags:
    case core::Builtin::Tab:
    case core::Builtin::Seq:
    case core::Builtin::Length:
    case core::Builtin::SeqLength:
    case core::Builtin::Scan:
    case core::Builtin::WriteFile:
      return "";
  }
  throw Bug("no such built-in");
}

void collect(const core::Expr& e, std::vector<Trap>& into) {
  match(
      e.node, [](const core::Var&) {}, [](const core::Literal&) {}, [](const core::Text&) {}, [](const core::Tuple&) {},
      [](const core::Project&) {}, [&](const core::Let& x) { collect(*x.value, into), collect(*x.body, into); },
      [&](const core::Apply& x) {
        if (std::string name = name_in_trap(x, e.type); !name.empty()) into.push_back({std::move(name), "", e.region});
      },
      [&](const core::Comprehension& x) { collect(*x.body, into); },
      [&](const core::Guarded& x) { collect(*x.body, into); });
}

}  // namespace

std::vector<Trap> trapping_operations(const core::Program& p) {
  std::vector<Trap> out;
  collect(*p.body, out);
  return each_once(std::move(out));
}

}  // namespace lockstep::snesl::plan
