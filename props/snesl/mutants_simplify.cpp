// Optimisations made wrong (§4.3, §4.3.1): a stage more, at the end, that does what the stages must not.
#include "props/snesl/mutant_parts.h"

namespace lockstep::props::stream {
namespace {

using lockstep::streaming::Rewritten;
using lockstep::streaming::Streamable;

Mutant with_stage(const std::string& name, const std::string& description,
                  const std::function<svcode::Program(const svcode::Program&)>& run,
                  std::vector<std::string> directed = {}) {
  return mutant(
      "simplify", name, description,
      [&](Toolchain& t) {
        t.stages = [right = t.stages, run, name](const Streamable& s) {
          std::vector<Stage> all = right(s);
          all.insert(all.begin() + 1, lockstep::streaming::svcode_stage(name, "", run));  // before what could hide it
          return all;
        };
      },
      std::move(directed));
}
Mutant wrong_program(const std::string& name, const std::string& description, Change change,
                     std::vector<std::string> directed = {}) {
  return with_stage(
      name, description, [change](const svcode::Program& p) { return changed(p, change); }, std::move(directed));
}

// Common subexpressions where two instructions need only be `alike`.
Mutant common(const std::string& name, const std::string& description,
              const std::function<bool(const Instr&, const Instr&)>& alike, std::vector<std::string> directed = {}) {
  return wrong_program(
      name, description,
      [alike](const Instr& i, const Code& code) -> Rewritten {
        for (StreamId k = 0; k < code.size(); ++k)
          if (code[k].opcode == i.opcode && code[k].type == i.type && alike(code[k], i)) return k;
        return i;
      },
      std::move(directed));
}
bool same_arguments(const Instr& a, const Instr& b) { return a.arguments == b.arguments; }

// An unused instruction of one kind is dropped, with the descriptor that is made of it alone.
svcode::Program without_unused(const svcode::Program& p, const std::function<bool(const Instr&)>& kind) {
  std::vector<int> uses = lockstep::streaming::uses_of(p);
  svcode::Program out = p;
  out.instructions.clear();
  for (std::size_t k = p.instructions.size(); k-- > 0;) {
    const Instr& i = p.instructions[k];
    if (uses[k] > 0 || !(kind(i) || i.opcode == Opcode::Terminated)) {
      out.instructions.insert(out.instructions.begin(), i);
      continue;
    }
    for (const StreamId s : i.arguments) --uses[s];
  }
  return changed(out, [](const Instr& i, const Code&) -> Rewritten { return i; });
}
Mutant dead(const std::string& name, const std::string& description, const std::function<bool(const Instr&)>& kind,
            std::vector<std::string> directed = {}) {
  return with_stage(
      name, description, [kind](const svcode::Program& p) { return without_unused(p, kind); }, std::move(directed));
}

// Of the lengths of a descriptor's segments: what each segment was distributed over.
std::optional<StreamId> segments_of(const Instr& flags, const Code& code) {
  StreamId s = flags.arguments[0];
  while (code[s].opcode == Opcode::Map) s = code[s].arguments[0];
  return code[s].opcode == Opcode::Pdist ? std::optional(code[s].arguments[1]) : std::nullopt;
}
Rewritten of_as_many_segments(const Instr& i, const Code& code) {
  const auto f = segments_of(i, code);
  for (StreamId k = 0; f && k < code.size(); ++k)
    if (code[k].opcode == Opcode::ToFlags && segments_of(code[k], code) == f) return k;
  return i;
}
// A check that the numbers of a traversal are in bounds.
Rewritten without_bounds(const Instr& i, const Code& code) {
  const Instr& both = code[i.arguments[0]];
  if (both.opcode != Opcode::Map || both.op() != scalars::row<"&&">()) return i;
  const Instr& less = code[both.arguments[1]];
  const Opcode index = code[less.arguments[0]].opcode;
  return index == Opcode::Range || index == Opcode::Iotas ? Rewritten(i.arguments[0]) : i;
}

}  // namespace

std::vector<Mutant> simplify_mutants() {
  return {
      common("inputs are common", "inputs of one type are taken for one",
             [](const Instr& a, const Instr&) { return a.opcode == Opcode::Input; }),
      common("constants are common", "rep is compared without its atom",
             [](const Instr& a, const Instr& b) { return a.opcode == Opcode::Rep && same_arguments(a, b); }),
      common("operators are common", "maps are compared without their operator",
             [](const Instr& a, const Instr& b) { return a.opcode == Opcode::Map && same_arguments(a, b); },
             {"fun main() = {(x + y, x * y) : x in &3; y in {4, 5, 6}}"}),
      common("monoids are common", "reductions and scans are compared without their monoid",
             [](const Instr& a, const Instr& b) {
               return (a.opcode == Opcode::Reduce || a.opcode == Opcode::Scan || a.opcode == Opcode::Segreduce ||
                       a.opcode == Opcode::Segscan) &&
                      same_arguments(a, b);
             },
             {"fun main() = let s = {2, 3} in (sum(s), product(s))"}),
      common("everything commutes", "operands are compared in any order",
             [](const Instr& a, const Instr& b) {
               return a.opcode == Opcode::Map && a.op() == b.op() && a.arguments.size() == 2 &&
                      a.arguments[0] == b.arguments[1] && a.arguments[1] == b.arguments[0];
             },
             {"fun main() = {(x - y, y - x) : x in &3; y in {4, 5, 6}}"}),
      common("traversals are common", "a traversal is taken for another of the same length, whatever is between them",
             [](const Instr& a, const Instr& b) { return a.opcode == Opcode::Range && same_arguments(a, b); },
             {"fun main() = let v = tab(&30); m = sum(seq(v)) in {x - m : x in seq(v)}"}),
      wrong_program("segments are uniform", "descriptors of as many segments are taken for one",
                    where(Opcode::ToFlags, of_as_many_segments),
                    {"fun main() = let m = sum({1, 1}); n = sum({1, 2}) in {(sum(&m), sum(&n)) : i in &3}"}),
      wrong_program("traversals are in bounds", "an index that numbers a traversal is not checked",
                    where(Opcode::Check, without_bounds), {"fun main() = let v = [1, 2] in {v ! i : i in &3}"}),
      wrong_program(
          "scans run on", "a scan of segments is one of the whole",
          where(Opcode::Segscan,
                [](const Instr& i, const Code&) -> Rewritten { return instead(i, Opcode::Scan, {i.arguments[0]}); }),
          {"fun main() = {scan-plus(&x) : x in &4}"}),
      dead("dead checks", "a check that nobody waits for is dropped",
           [](const Instr& i) { return i.opcode == Opcode::Check; }),
      dead("dead divisions", "a division that nobody uses is dropped",
           [](const Instr& i) {
             return i.opcode == Opcode::Map && (i.op() == scalars::row<"/">() || i.op() == scalars::row<"%">());
           },
           {"fun main() = let _ = 1 / 0 in 2"}),
      dead("dead conversions", "a conversion that nobody uses is dropped",
           [](const Instr& i) { return i.opcode == Opcode::Map && i.op() == scalars::row<"i64">(); },
           {"fun main() = let _ = int(1.0 / 0.0) in 2"}),
      dead("dead writes", "a file is not written since nobody uses the unit",
           [](const Instr& i) { return i.opcode == Opcode::WriteFile; }),
      dead("dead reads", "a file whose characters nobody uses is not opened",
           [](const Instr& i) { return i.opcode == Opcode::ReadWhole || i.opcode == Opcode::ReadFile; },
           {"fun main() = let _ = read_file(\"missing\") in 2"}),
      wrong_program("one element each", "what is distributed over segments of any length stays as it is",
                    where(Opcode::Pdist, [](const Instr& i, const Code&) -> Rewritten { return i.arguments[0]; })),
      wrong_program("lengths of the parts", "the lengths of appended segments are those of their parts",
                    where(Opcode::Lens,
                          [](const Instr& i, const Code& code) -> Rewritten {
                            const Instr& f = code[i.arguments[0]];
                            return f.opcode == Opcode::Usegsum ? instead(i, Opcode::Lens, {f.arguments[0]}) : i;
                          })),
      wrong_program("short of any", "what is in general form is taken for short",
                    where(Opcode::Short, [](const Instr& i, const Code&) -> Rewritten { return i.arguments[0]; })),
      wrong_program("one control", "every control stream is the program's",
                    where(Opcode::Usum, [](const Instr&, const Code&) -> Rewritten { return StreamId{0}; })),
      wrong_program(
          "segments are one", "a reduction of segments is one of the whole",
          where(Opcode::Segreduce,
                [](const Instr& i, const Code&) -> Rewritten { return instead(i, Opcode::Reduce, {i.arguments[0]}); })),
      with_stage("work doubled", "every map is computed once more",
                 [](const svcode::Program& p) {
                   svcode::Program out = p;
                   StreamId next = p.instructions.empty() ? 0 : p.instructions.back().id + 1;
                   for (const Instr& i : p.instructions)
                     if (i.opcode == Opcode::Map) {
                       out.instructions.push_back(i);
                       out.instructions.back().id = next++;
                     }
                   return out;
                 }),
      mutant("simplify", "streamability not asked", "stages may make a streamable program one that is not",
             [](Toolchain& t) { t.stages = [right = t.stages](const Streamable&) { return right({}); }; }),
      wrong_program("folded backwards", "a difference is folded with its operands exchanged",
                    where(Opcode::Map,
                          [](const Instr& i, const Code&) -> Rewritten {
                            Instr r = i;
                            if (i.op() == scalars::row<"-">() || i.op() == scalars::row<"<<">() ||
                                i.op() == scalars::row<"<">())
                              std::swap(r.arguments[0], r.arguments[1]);
                            return r;
                          })),
  };
}

}  // namespace lockstep::props::stream
