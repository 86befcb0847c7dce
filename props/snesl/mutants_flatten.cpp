// The translation to SVCODE made wrong (Fig. 4.2, §4.3): its output is rewritten in one systematic way.
#include "props/snesl/mutant_parts.h"

namespace lockstep::props::stream {
namespace {

using lockstep::streaming::Rewritten;

Mutant wrong(const std::string& name, const std::string& description, Change change,
             std::vector<std::string> directed = {}) {
  return mutant(
      "flatten", name, description,
      [&](Toolchain& t) { t.alter("flatten", [change](const svcode::Program& p) { return changed(p, change); }); },
      std::move(directed));
}
// Without the checks of one primitive. What came after a check comes without one.
Mutant unchecked(const std::string& primitive, const std::string& directed) {
  return wrong("no check of " + primitive, "the check of " + primitive + " is left out",
               where(Opcode::Check,
                     [primitive](const Instr& i, const Code&) -> Rewritten {
                       if (i.failure().primitive != primitive) return i;
                       return repeated(i, snesl::unit_atom(), i.arguments[0]);
                     }),
               {directed});
}
Rewritten argument(const Instr& i, std::size_t k) { return i.arguments[k]; }
// What traps rightly, and says what is not so.
Mutant saying(const std::string& name, const std::string& description, void (*change)(Instr&, svcode::Failure&),
              const std::string& directed) {
  return wrong(name, description,
               where(Opcode::Check,
                     [change](const Instr& i, const Code&) -> Rewritten {
                       Instr r = i;
                       change(r, std::get<svcode::Failure>(r.payload));
                       return r;
                     }),
               {directed});
}

std::vector<Mutant> traps_that_say_another() {
  return {saying(
              "the trap of another", "a trap of ! says gather",
              [](Instr&, svcode::Failure& f) {
                if (f.primitive == "!") f.primitive = "gather";
              },
              "fun main() = [1, 2] ! 2"),
          saying(
              "a trap's values exchanged", "the length stands for the index, the index for the length",
              [](Instr& i, svcode::Failure&) {
                if (i.arguments.size() > 2) std::swap(i.arguments[1], i.arguments[2]);
              },
              "fun main() = [1, 2] ! 5"),
          saying(
              "a trap elsewhere", "a trap stands at the program's first character",
              [](Instr& i, svcode::Failure&) { i.region.begin = 0, i.region.end = 1; }, "fun main() = [1, 2] ! 2")};
}

std::vector<Mutant> wrong_flattenings() {
  return {
      unchecked("!", "fun main() = [1, 2] ! 2"),
      unchecked("flagpart", "fun main() = flagpart(&2, {false, true, false, true, false, true})"),
      unchecked("zip", "fun main() = zip(&2, &3)"),
      unchecked("the", "fun main() = the(&2)"),
      unchecked("&", "fun main() = {&x : x in {-1, 2}}"),
      unchecked("maximum", "fun main() = maximum({1 | false})"),
      unchecked("reduce1-plus", "fun main() = reduce1-plus({1 | false})"),
      wrong("usegsum exchanged", "concat appends by the inner descriptor", exchanged(Opcode::Usegsum, 0, 1)),
      wrong("uappend exchanged, segmerge exchanged", "++ has the right side first",
            [](const Instr& i, const Code&) -> Rewritten {
              Instr r = i;
              if (i.opcode == Opcode::Uappend) std::swap(r.arguments[0], r.arguments[1]);
              if (i.opcode == Opcode::Segmerge && i.arguments.size() >= 4) {
                std::swap(r.arguments[0], r.arguments[2]);
                std::swap(r.arguments[1], r.arguments[3]);
              }
              return r;
            }),
      wrong("umerge exchanged", "the first two of a sequence have each other's segments",
            exchanged(Opcode::Umerge, 0, 1)),
      wrong("pmerge exchanged", "the first two of a sequence change places", exchanged(Opcode::Pmerge, 0, 1)),
      wrong("not forgotten", "both branches of a conditional are taken where the condition is true",
            where(Opcode::Map,
                  [](const Instr& i, const Code&) -> Rewritten {
                    return i.op() == scalars::row<"not">() ? argument(i, 0) : Rewritten(i);
                  })),
      wrong("b2u of true", "a guarded body is there whatever the guard",
            where(Opcode::B2u,
                  [](const Instr& i, const Code&) -> Rewritten { return instead(i, Opcode::Ends, {i.arguments[0]}); })),
      wrong(
          "lifted sum as unlifted", "all segments are summed into one",
          where(Opcode::Segreduce,
                [](const Instr& i, const Code&) -> Rewritten { return instead(i, Opcode::Reduce, {i.arguments[0]}); })),
      wrong("unlifted iota lifted twice", "a range begins again",
            where(Opcode::Iotas,
                  [](const Instr& i, const Code&) -> Rewritten {
                    return repeated(i, snesl::int_atom(0), i.arguments[0]);
                  })),
      wrong("lifted scan as unlifted", "a scan goes on across segments",
            where(Opcode::Segscan,
                  [](const Instr& i, const Code&) -> Rewritten { return instead(i, Opcode::Scan, {i.arguments[0]}); }),
            {"fun main() = {scan-plus(&x) : x in &4}"}),
      wrong("short forgotten", "a general descriptor stands for a short one",
            where(Opcode::Short, [](const Instr& i, const Code&) -> Rewritten { return argument(i, 0); })),
      wrong("sep without an end", "the elements after the last true flag are no piece",
            where(Opcode::Ends,
                  [](const Instr& i, const Code& code) -> Rewritten {
                    const Instr& or_ = code[i.arguments[0]];
                    if (or_.opcode != Opcode::Map || or_.op() != scalars::row<"||">()) return i;
                    return instead(i, Opcode::Ends, {or_.arguments[0]});
                  }),
            {"fun main() = sep({(x, x == 1) : x in &4})"}),
      wrong("gather from the beginning", "an index into a vector forgets where the vector starts",
            where(Opcode::Gather,
                  [](const Instr& i, const Code& code) -> Rewritten {
                    Instr r = i;
                    for (StreamId k = 0; k < code.size(); ++k)  // any stream of zeroes of that length
                      if (code[k].opcode == Opcode::Iotas || code[k].opcode == Opcode::Range)
                        if (k == i.arguments[1]) r.arguments[0] = k;
                    return r;
                  })),
      wrong("gather by the index twice", "an index stands for the start of its vector",
            where(Opcode::Gather,
                  [](const Instr& i, const Code&) -> Rewritten {
                    return instead(i, Opcode::Gather, {i.arguments[1], i.arguments[1], i.arguments[2]});
                  })),
      wrong("vectors start at their lengths", "the starts of vectors are not added up",
            where(Opcode::Scan,
                  [](const Instr& i, const Code& code) -> Rewritten {
                    return code[i.arguments[0]].opcode == Opcode::Lens ? argument(i, 0) : Rewritten(i);
                  })),
      wrong("segtab forgotten", "a vector is not kept in memory",
            where(Opcode::Segtab, [](const Instr& i, const Code&) -> Rewritten { return argument(i, 0); })),
      wrong("usegmerge exchanged", "merged segments of segments have each other's lengths",
            exchanged(Opcode::Usegmerge, 1, 3)),
      wrong("empty is some", "empty is true of what is not",
            where(Opcode::Uempty,
                  [](const Instr& i, const Code&) -> Rewritten {
                    return repeated(i, snesl::bool_atom(true), i.arguments[0]);
                  })),
      wrong("pack of all", "what a branch uses is not packed",
            where(Opcode::Pack, [](const Instr& i, const Code&) -> Rewritten { return argument(i, 0); })),
      wrong("pack of the others", "segments of sequences are packed by the wrong side",
            where(Opcode::Upack, [](const Instr& i, const Code&) -> Rewritten { return argument(i, 0); })),
      wrong("pdist forgotten", "a variable used in a comprehension is there once for each segment",
            where(Opcode::Pdist, [](const Instr& i, const Code&) -> Rewritten { return argument(i, 0); })),
      wrong("maximum is minimum", "the monoid is its dual",
            [](const Instr& i, const Code&) -> Rewritten {
              Instr r = i;
              if (i.payload == svcode::Payload(snesl::Monoid::Max)) r.payload = snesl::Monoid::Min;
              return r;
            }),
  };
}

}  // namespace

std::vector<Mutant> flatten_mutants() {
  std::vector<Mutant> all = traps_that_say_another();
  for (Mutant& m : wrong_flattenings()) all.push_back(std::move(m));
  return all;
}

}  // namespace lockstep::props::stream
