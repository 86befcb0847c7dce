// The machine's hierarchy as a typing rule (DPIA §6.2 leaves it open): over all threads, or over blocks and then over
// the threads of each, or over its warps and then over the lanes of each; CPU threads within CPU threads. In: an
// elaborated body; out: the loops that stand where the machine has nothing to run them on. Sequential loops and
// functions between levels do not matter.
#include "semantics/functional/inference/hierarchy.h"

#include "semantics/primitives/build.h"

namespace lockstep {
namespace {

std::string runs_over(Level l) {
  switch (l) {
    case Level::Par:
      return "CPU threads";
    case Level::Global:
      return "all threads of the GPU";
    case Level::Workgroup:
      return "blocks of threads";
    case Level::Warp:
      return "the warps of one block";
    case Level::Local:
      return "the threads of one block, or of one warp";
    case Level::Auto:
    case Level::Seq:
    case Level::Unroll:
      break;
  }
  throw Bug("a level that is not parallel");
}

std::string could_stand_in(Level outer) {
  std::string out;
  for (const auto& [level, name] :
       {std::pair{Level::Par, "mapPar, "}, {Level::Warp, "mapWarp, "}, {Level::Local, "mapLocal, "}})
    if (nests(outer, level)) out += name;
  return out.empty() ? "a sequential loop" : out + "or a sequential loop";
}

std::string threads_of(Level group) { return group == Level::Warp ? "the lanes of a warp" : "the threads of a block"; }
// The loop whose body they run together.
std::string map_over(Level group) { return group == Level::Warp ? "mapWarp" : "mapWorkgroup"; }

// Of a loop whose threads update scalars atomically: its function is an operator whose updates may come in any order.
// A function that is a parameter is looked at where it is known.
std::optional<Diagnostic> no_atomic(const Phrase& p, const PrimPhrase& x) {
  const auto* function = as<LambdaPhrase>(*x.arguments[0]);
  const auto* t = as<ScalarType>(x.types[0]);
  if (!function || as<TypeVariable>(x.types[0])) return {};
  const PrimitiveRef op = operator_of(*x.arguments[0]);
  const auto why = !t    ? std::optional("its elements are of type " + show(x.types[0]) + ", not integers")
                   : !op ? std::optional<std::string>("its function is no operator on both of its arguments")
                         : scalars::why_ordered(std::get<ScalarOp>(op->kind), *t);
  if (!why) return {};
  return Diagnostic{p.region, x.primitive->name + " updates atomically, but " + *why,
                    "an operator as (+), (max) or (&)",
                    "write permute here; or combine private copies, as the rule permuteCopies does"};
}

void look(const Phrase& p, const PrimPhrase* outer, Diagnostics& out) {
  const auto* x = as<PrimPhrase>(p);
  const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  if (loop && loop->atomic && loop->any_order)
    if (auto wrong = no_atomic(p, *x)) out.push_back(std::move(*wrong));
  const bool level = loop && is_parallel(loop->level);
  if (level && outer) {
    const Level around = std::get<Loop>(outer->primitive->kind).level;
    const Level group = loop->together;
    if (group != Level::Auto && around != group)
      out.push_back({p.region,
                     x->primitive->name + " is for " + threads_of(group) + " together, but it stands inside " +
                         outer->primitive->name + ", which runs over " + runs_over(around),
                     map_over(group) + " directly around it",
                     around == Level::Workgroup || around == Level::Warp
                         ? "or write what is for " + threads_of(around) + " here"
                         : "write mapSeq for what is between, or reduceSeq or scan here"});
    else if (!nests(around, loop->level))
      out.push_back({p.region,
                     x->primitive->name + " runs over " + runs_over(loop->level) + ", but it stands inside " +
                         outer->primitive->name + ", which runs over " + runs_over(around),
                     could_stand_in(around),
                     "write map or mapSeq here; or mapWorkgroup outside, mapWarp or not, and mapLocal inside"});
  }
  for_each_child(p, [&](const PhraseRef& c) {
    // Only a function argument runs inside the loop.
    look(*c, level && as<LambdaPhrase>(*c) ? x : outer, out);
  });
}

}  // namespace

Diagnostics hierarchy_errors(const PhraseRef& body) {
  Diagnostics out;
  look(*body, nullptr, out);
  return out;
}

std::optional<Diagnostic> outside_blocks(const PhraseRef& body) {
  std::optional<Diagnostic> found;
  const PrimPhrase* around = nullptr;  // the parallel loop that is directly around
  const auto note = [&](const PhraseRef& p, const std::string& name, const std::string& does,
                        const std::string& instead) {
    if (found) return;
    const std::string where = !around ? ""
                                      : ": it is inside " + around->primitive->name + ", which runs over " +
                                            runs_over(std::get<Loop>(around->primitive->kind).level);
    found = {p->region, name + " " + does + ", but it stands in no block" + where, "mapWorkgroup around it",
             "write mapWorkgroup outside and " + name + " inside" + instead};
  };
  const std::function<void(const PhraseRef&, bool)> search = [&](const PhraseRef& p, bool in_block) {
    const auto* x = as<PrimPhrase>(*p);
    const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
    const Level level = loop ? loop->level : Level::Auto;
    if (loop && loop->together != Level::Auto) {
      const std::string& name = x->primitive->name;
      if (!in_block) note(p, name, "is for " + threads_of(loop->together) + " together", "");
      if (!found && !x->sizes[0].constant())
        found = {p->region, name + " is of " + show(x->sizes[0]) + " elements", "a number of them",
                 "split into rows of as many as a block or a warp has threads, as split 256"};
    }
    if (!in_block && level == Level::Warp) note(p, x->primitive->name, "runs over " + runs_over(level), "");
    if (!in_block && loop && loop->space == Space::Local)
      note(p, x->primitive->name, "puts its result into the memory of a block", "; or toGlobal here");
    for_each_child(*p, [&](const PhraseRef& c) {
      const bool body = is_parallel(level) && as<LambdaPhrase>(*c);
      const PrimPhrase* const outer = std::exchange(around, body ? x : around);
      search(c, in_block || (level == Level::Workgroup && body));
      around = outer;
    });
  };
  search(body, false);
  return found;
}

}  // namespace lockstep
