// A stage is a value (design.md): it takes a program of one language to one of another, says where it comes from, what
// it owes for this program, and what it may do to costs.
#pragma once
#include "semantics/language/obligation.h"

namespace lockstep {

// How the costs of a stage's output stand to those of its input.
struct CostRelation {
  enum class Change {
    Unrelated,
    NotMore,
    NotMoreButWrites,  // one for each scalar that the source's translation declares to be written
    NotMoreInOrder,    // such writes, and what it is at most where loops without a level run one after another
    Same,
    Theorem  // of the language that is left: its cost bounds what is counted (SNESL ch. 5)
  };
  enum class Space {
    Unrelated,
    NotMore,
    Declared,  // not more, and temporaries are those that the clauses of Fig. 5 declare
    Hoisted,   // in each space, Global, Local and Private, what §6.4 allocates
    Theorem
  };
  Change work = Change::Unrelated, depth = Change::Unrelated;
  Space space = Space::Unrelated;
};

using Owed = std::vector<Obligation>;

// How a stage's output rounds floats. On the reals it computes what its input does; what comes behind a stage that
// rounds otherwise is held to its output.
enum class Rounding {
  AsBefore,
  Reordered,  // by laws that hold on the reals
  Contracted  // a product and a sum together, by `fma`: with two roundings in each `fma` both have the same bits
};

struct Stage {
  std::string name;
  std::string cite;  // paper, section, figure
  LanguageRef from, to;
  // Obligations are of what was looked at on the way: they are handed out while it runs, to who asks.
  std::function<AnyProgram(const AnyProgram&, Owed*)> run;
  CostRelation cost{};
  Rounding rounding = Rounding::AsBefore;
};

// A stage between these types of programs.
template <class From, class To>
Stage stage_of(std::string name, std::string cite, LanguageRef from, LanguageRef to,
               std::function<To(const From&, Owed*)> run, CostRelation cost = {},
               Rounding rounding = Rounding::AsBefore) {
  return {
      std::move(name),
      std::move(cite),
      std::move(from),
      to,
      [run = std::move(run), to](const AnyProgram& p, Owed* owed) { return AnyProgram(to, run(p.as<From>(), owed)); },
      cost,
      rounding};
}
// What a stage makes of a program, on its own.
template <class To, class From>
To apply(const Stage& stage, const From& program) {
  return stage.run(AnyProgram(stage.from, program), nullptr).template as<To>();
}
// A stage whose output is altered, by who sees its input, too.
template <class From, class To>
Stage altered(Stage stage, std::function<To(const To& after, const From& before)> change) {
  stage.run = [run = stage.run, change = std::move(change)](const AnyProgram& before, Owed* owed) {
    const AnyProgram after = run(before, owed);
    return AnyProgram(after.language_ref(), change(after.as<To>(), before.as<From>()));
  };
  return stage;
}
template <class To>
Stage altered(Stage stage, std::function<To(const To&)> change) {
  stage.run = [run = stage.run, change = std::move(change)](const AnyProgram& before, Owed* owed) {
    const AnyProgram after = run(before, owed);
    return AnyProgram(after.language_ref(), change(after.as<To>()));
  };
  return stage;
}

}  // namespace lockstep
