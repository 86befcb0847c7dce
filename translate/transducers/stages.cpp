// The list of stages, in the order in which they run (stages.h).
#include "translate/transducers/stages.h"

namespace lockstep::transducer {
namespace {

using Change = Network (*)(const Network&);
struct Row {
  const char* name;
  const char* cite;
  Change change;
  CostRelation::Change work = CostRelation::Change::NotMore;
};
constexpr Row rows[] = {
    {"same-streams", "after SNESL §4.3", same_streams},
    {"fuse", "after SNESL §4.4", fused},
    {"short-forms", "SNESL §4.3", in_short_form},
    {"fuse-by-form", "after SNESL §4.4", fused_by_form},
    {"slices", "translate/transducers", with_slices, CostRelation::Change::Unrelated},  // each computes its own indices
    {"bases", "after SNESL §4.4", with_bases},
    {"counted", "after SNESL §4.4", [](const Network& n) { return with_counted(n); }},
    {"clusters", "after SNESL §4.4", with_clusters},
    {"distributions", "translate/transducers", with_distributions},
    {"loops", "translate/transducers", with_loops},
};

// A body is left as it is until the last of them is known: it gives what its tail asks for, which they change.
Program of_parts(const Program& p, Change change) {
  Program r{change(p.whole), p.pieces, p.slack};
  if (!r.pieces) return r;
  r.pieces->head = change(p.pieces->head);
  r.pieces->tail = change(p.pieces->tail);
  return r;
}

Program with_body(const Program& p) {
  Program r = p;
  if (!r.pieces) return r;
  r.pieces->given.clear();
  for (const Step& step : r.pieces->tail.steps)
    if (const Instr& i = *step.instructions[0]; i.opcode == Opcode::Input && i.number() < 0)
      r.pieces->given.push_back(i.id);
  svcode::Program body = *p.pieces->body.code;
  give(body, r.pieces->given);
  Network n = without_unused(Network(std::move(body), {}));
  for (const Row& row : rows) n = row.change(n);
  r.pieces->body = std::move(n);
  return r;
}

Stage stage(std::string name, std::string cite, std::function<Program(const Program&)> run,
            CostRelation::Change work = CostRelation::Change::NotMore) {
  const LanguageRef& language = transducer_language();
  return stage_of<Program, Program>(std::move(name), std::move(cite), language, language,
                                    [run = std::move(run)](const Program& p, Owed*) { return run(p); }, {.work = work});
}

}  // namespace

std::vector<Stage> transducer_stages(std::int64_t slack) {
  std::vector<Stage> r{stage_of<svcode::Program, Program>(
      "pieces", "translate/transducers", svcode::languages().svcode, transducer_language(),
      [slack](const svcode::Program& p, Owed*) { return in_pieces(p, slack); },
      {.work = CostRelation::Change::NotMore})};
  for (const Row& row : rows)
    r.push_back(stage(
        row.name, row.cite, [&row](const Program& p) { return of_parts(p, row.change); }, row.work));
  r.push_back(stage("bodies", "translate/transducers", with_body));
  return r;
}

Program transducers(const svcode::Program& p, std::int64_t slack) {
  AnyProgram r(svcode::languages().svcode, p);
  for (const Stage& s : transducer_stages(slack)) r = s.run(r, nullptr);
  return r.as<Program>();
}

}  // namespace lockstep::transducer
