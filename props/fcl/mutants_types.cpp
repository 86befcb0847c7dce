// Rules of inference as the paper prints them, types of Fig. 3 made wrong, and the place rule with a condition left
// out. The programs that were written for them have no type, or stand too low: what refutes them is Proposition 1 or 2.
#include "props/fcl/mutants.h"
#include "translate/fcl/places.h"
#include "translate/fcl/spine.h"

namespace lockstep::props::fcl {
namespace {

using language::as;
using language::Expr;

using Directed = std::vector<std::string>;

void of_rules(std::vector<Mutant>& all) {
  const auto add = [&](std::string name, std::string description, const language::PrintedTypes& printed,
                       Directed directed = {}) {
    Toolchain tools;
    tools.printed_types = printed;
    all.push_back({std::move(name), "types", std::move(description), std::move(tools), std::move(directed)});
  };
  add("(8) as printed", "in an array stands anything", {.formation = true},
      {"fun main k = let fs = force (push <grid> [fn x => x + k]) in push <grid> [(index fs 0) 1]"});
  add("(11) as printed", "the level of an array is not looked at", {.heights = true},
      {"fun main k = let xs = concat 1 [push <grid> [k]] in push <grid> [length xs]"});
  add("(14) as printed", "a variable is of any kind", {.instances = true},
      {"fun main k = let f = fn x => index (force (push <grid> [x])) 0 in let g = f (fn y => y + k) in push <grid> [g "
       "1]"});
  add("(25) as printed, of the environment", "what is open around is generalised", {.environment = true},
      {"fun main k = let g = fn x => let y = x in (y + 1, !y) in push <grid> [fst (g k)]"});
  add("(25) as printed, of types", "what is bound has the type of the body", {.one_type = true});
  add("(27) and (29) as printed", "the only level that is applied is that of the judgement", {.one_level = true});
  add("(30) as printed", "what a level is given to has any type", {.any_result = true},
      {"fun main k = push <grid> [k + (push <thread>) [1]]"});
}

void of_built_ins(std::vector<Mutant>& all) {
  const auto add = [&](const std::string& name, const std::string& type, Directed directed) {
    Toolchain tools;
    tools.printed_types.built_ins.emplace(name, type);
    all.push_back({name + " : " + type, "types", "its type, in the place of that of Fig. 3", std::move(tools),
                   std::move(directed)});
  };
  add("push", "<l> -> [a] -> [a]<m>", {"fun main k = concat 1 [push <thread> [k], push <block> [k]]"});
  add("force", "[a]<l> -> [b]", {"fun main k = push <grid> [if index (force (push <thread> [k])) 0 then 1 else 2]"});
  add("mapPush", "(a -> b) -> [a]<l> -> [b]<m>",
      {"fun main k = concat 1 [mapPush (fn x => x + 1) (push <thread> [k]), push <block> [k]]"});
  add("mapPush", "(a -> b) -> [a]<l> -> [a]<l>",
      {"fun main k = push <grid> (force (mapPush (fn x => x > 1) (push <grid> [k])))"});
  add("mapPull", "(a -> b) -> [a] -> [a]", {"fun main k = push <grid> (mapPull (fn x => x > 1) [k])"});
  add("interleave", "int -> ((int, int) -> int) -> [[a]<l>] -> [a]<l>",
      {"fun main k = concat 1 (map (fn x => push <block> (force (push <block> [x]))) [k])"});
  add("generate", "int -> (a -> b) -> [b]", {"fun main k = push <grid> (generate 2 (fn i => if i then k else 1))"});
  add("index", "[a] -> int -> b", {"fun main k = push <grid> [if index [k] 0 then 1 else 2]"});
  add("fst", "(a, b) -> b", {"fun main k = push <grid> [if fst (k, true) then 1 else 2]"});
  add("while", "([a] -> bool) -> ([b] -> [a]<l>) -> [a]<l> -> [a]",
      {"fun main k = push <grid> (while (fn a => index a 0 < 3) (fn a => push <grid> (map (fn x => if x then 5 else 4) "
       "a)) (push <grid> [1]))"});
}

// Levels in a part of the normal form that the place rule does not see are those of a thread.
Expr of_threads(const Expr& e) {
  return rewritten(e, [](Expr x) {
    if (auto* l = std::get_if<language::LevelApplyExpr>(&x.node)) l->level = language::thread_level;
    return x;
  });
}
// The last arguments of an application, changed.
Expr with_argument(Expr e, std::size_t from_last, const std::function<Expr(const Expr&)>& change) {
  language::ApplyExpr a = std::get<language::ApplyExpr>(e.node);
  if (from_last == 0)
    a.argument = change(*a.argument);
  else
    a.function = with_argument(*a.function, from_last - 1, change);
  return {std::move(a), e.region};
}
bool is_call(const Expr& e, const std::string& name, std::size_t arguments) {
  const language::Spine s = language::spine_of(e);
  return as<language::ApplyExpr>(e) && s.head == name && s.arguments.size() == arguments;
}
InTerm of_argument(const std::string& name, std::size_t arguments, std::size_t from_last,
                   const std::function<Expr(const Expr&)>& change) {
  return [=](Expr e) { return is_call(e, name, arguments) ? with_argument(std::move(e), from_last, change) : e; };
}
// What a chunk forces.
Expr forced_by_threads(const Expr& chunks) { return rewritten(chunks, of_argument("force", 1, 0, of_threads)); }
// interleave n f (generate m (fn i => chunk)) as a chunk.
Expr one_chunk(Expr e) {
  if (!is_call(e, "interleave", 3)) return e;
  const auto* f = as<language::FnExpr>(*language::spine_of(*language::spine_of(e).arguments[2]).arguments[1]);
  return f ? Expr(*f->body) : e;
}

}  // namespace

std::vector<Mutant> type_mutants() {
  std::vector<Mutant> all;
  of_rules(all), of_built_ins(all);
  return all;
}

std::vector<Mutant> place_mutants() {
  std::vector<Mutant> all;
  const auto add = [&](std::string name, std::string description, const InTerm& hidden, Directed directed) {
    Toolchain tools;
    tools.trace = [hidden](const language::Entry& e) {
      language::Traced out = language::trace_of(e);
      if (!out.misplaced) return out;
      language::Entry seen = out.trace.last().as<language::Entry>();
      for (language::Definition& d : seen.program.program.definitions) d.body = rewritten(*d.body, hidden);
      out.misplaced = language::misplaced(seen);
      return out;
    };
    all.push_back({std::move(name), "places", std::move(description), std::move(tools), std::move(directed)});
  };
  const std::string
      in_element = "fun main k = push <warp> [index (force (push <warp> [k + 1])) 0]",
      in_chunk = "fun main k = concat 1 (map (fn x => push <block> (force (push <grid> [x]))) [k])",
      in_function =
          "fun main k = let g = fn a => force (push <grid> a) in concat 1 (map (fn x => push <block> (g [x])) [k])";
  add("there is no place rule", "γ ≤ P of nothing", of_threads, {in_element, in_chunk, in_function});
  add("γ does not go through variables", "what a chunk forces is at the host",
      of_argument("interleave", 3, 0, forced_by_threads), {in_function, in_chunk});
  add("a chunk is a level too high", "1 + γ for γ, of what it forces",
      of_argument("interleave", 3, 0,
                  [](const Expr& chunks) {
                    return rewritten(chunks, of_argument("force", 1, 0, [](const Expr& array) {
                                       return rewritten(array, [](Expr x) {
                                         auto* l = std::get_if<language::LevelApplyExpr>(&x.node);
                                         if (l && l->level.above > 0) --l->level.above;
                                         return x;
                                       });
                                     }));
                  }),
      {in_chunk});
  add("elements are where the array is", "γ for thread", of_argument("push", 1, 0, of_threads), {in_element});
  add("an interleave is at its chunks' level", "γ for 1 + γ", one_chunk,
      {"fun main k = push <grid> [index (force (concat 1 (map (fn x => push <thread> [x + 1]) [k]))) 0]"});
  add("places of an interleave are anywhere", "what f forces is not looked at",
      of_argument("interleave", 3, 1, of_threads),
      {"fun main k = interleave 1 (fn p => index (force (push <warp> [fst p])) 0 + snd p) (map (fn x => push <thread> "
       "[x]) [k])"});
  add("a loop is anywhere", "what `while` writes is not looked at",
      [](Expr e) {
        return is_call(e, "while", 3) ? with_argument(with_argument(std::move(e), 0, of_threads), 1, of_threads) : e;
      },
      {"fun main k = concat 1 (map (fn x => push <block> (while (fn a => index a 0 < 3) (fn a => push <grid> (map (fn "
       "y => y + 1) a)) (push <grid> [x mod 3]))) [k])"});
  add("a loop's condition is anywhere", "what the condition of `while` forces is not looked at",
      of_argument("while", 3, 2, of_threads),
      {"fun main k = concat 1 (map (fn x => push <block> (while (fn a => index (force (push <grid> a)) 0 < 3) (fn a => "
       "push <block> (map (fn y => y + 1) a)) (push <block> [x mod 3]))) [k])"});
  return all;
}

}  // namespace lockstep::props::fcl
