// Definitions of the prelude, what fusion leaves, and rules of the machine, made wrong.
#include "props/fcl/mutants.h"
#include "semantics/fcl/walk.h"
#include "translate/fcl/spine.h"

namespace lockstep::props::fcl {
namespace {

using language::as;
using language::Expr;
using language::Infix;

// One infix operator, wherever it stands, or where its right side is that number.
InTerm another(Infix op, Infix by) {
  return [=](Expr e) {
    if (auto* i = std::get_if<language::InfixExpr>(&e.node); i && i->op == op) i->op = by;
    return e;
  };
}
InTerm exchanged(Infix op) {
  return [=](Expr e) {
    if (auto* i = std::get_if<language::InfixExpr>(&e.node); i && i->op == op) std::swap(i->left, i->right);
    return e;
  };
}
// The other operand in the place of both.
InTerm operand_left_out(Infix op, bool left) {
  return [=](Expr e) {
    const auto* i = as<language::InfixExpr>(e);
    return i && i->op == op ? Expr(left ? *i->right : *i->left) : e;
  };
}
InTerm renamed(const std::string& name, const std::string& by) {
  return [=](Expr e) {
    if (auto* v = std::get_if<language::Variable>(&e.node); v && v->name == name) v->name = by;
    return e;
  };
}
InTerm fst_and_snd_exchanged() {
  return [](Expr e) {
    if (auto* v = std::get_if<language::Variable>(&e.node); v && (v->name == "fst" || v->name == "snd"))
      v->name = v->name == "fst" ? "snd" : "fst";
    return e;
  };
}
InTerm another_number(std::int64_t n, std::int64_t by) {
  return [=](Expr e) {
    if (auto* l = std::get_if<language::Literal>(&e.node);
        l && l->value.type == ScalarType::I32 && l->value.integer() == n)
      l->value = make_integer(ScalarType::I32, static_cast<std::uint64_t>(by));
    return e;
  };
}
// assert c x is x
Expr without_assert(Expr e) {
  const language::Spine s = language::spine_of(e);
  return as<language::ApplyExpr>(e) && s.head == "assert" && s.arguments.size() == 2 ? Expr(*s.arguments[1]) : e;
}
Expr branches_exchanged(Expr e) {
  if (auto* i = std::get_if<language::IfExpr>(&e.node)) std::swap(i->yes, i->no);
  return e;
}

// After a stage, in the bodies of definitions, those of one name or all; what comes after it runs again.
Toolchain changed_after(const std::string& stage, const std::string& definition, const InTerm& change) {
  Toolchain out;
  out.trace = [=](const language::Entry& e) {
    language::Traced all = language::trace_of(e);
    for (std::size_t k = 0; k < all.trace.steps.size(); ++k) {
      Step& step = all.trace.steps[k];
      if (step.name != stage) continue;
      language::Entry wrong = step.program.as<language::Entry>();
      for (language::Definition& d : wrong.program.program.definitions)
        if (definition.empty() || d.name == definition || d.name.starts_with(definition + "_"))
          d.body = rewritten(*d.body, change);
      step.program = AnyProgram(language::language(), std::move(wrong));
      if (stage != "instantiate") break;
      Trace until = all.trace;
      until.steps.resize(k + 1, until.steps.front());
      return language::traced_from(std::move(until));
    }
    return all;
  };
  return out;
}

auto adding(std::vector<Mutant>& all) {
  return [&all](const std::string& definition, const std::string& what, const std::string& description,
                const InTerm& change, std::vector<std::string> directed = {}) {
    all.push_back({definition + ": " + what, "library", description, changed_after("instantiate", definition, change),
                   std::move(directed)});
  };
}
void of_chunks(std::vector<Mutant>& all) {
  const auto add = adding(all);
  add("concat", "the chunk's offset is dropped", "fn p => snd p", operand_left_out(Infix::Add, true));
  add("concat", "fst and snd are exchanged", "fn p => snd p * n + fst p", fst_and_snd_exchanged());
  add("concat", "chunks lie one apart", "fn p => fst p + n + snd p", another(Infix::Mul, Infix::Add));
  add("reverse", "it is off by one", "index xs (n - i)", [](Expr e) {
    const auto* i = as<language::InfixExpr>(e);
    const auto* one = i ? as<language::Literal>(*i->right) : nullptr;
    return one && i->op == Infix::Sub && one->value.integer() == 1 ? Expr(*i->left) : e;
  });
  add("reverse", "it leaves the order", "index xs i", [](Expr e) {
    const language::Spine s = language::spine_of(e);
    if (!as<language::ApplyExpr>(e) || s.head != "index" || s.arguments.size() != 2) return e;
    Expr out = e;
    std::get<language::ApplyExpr>(out.node).argument = Expr{language::Variable{"i"}};
    return out;
  });
  add("splitAt", "the rest begins at the front", "index xs (i - k)", another(Infix::Add, Infix::Sub));
  add("splitAt", "the parts are exchanged", "(rest, first)", [](Expr e) {
    if (auto* p = std::get_if<language::PairExpr>(&e.node)) std::swap(p->first, p->second);
    return e;
  });
  add("halve", "it is off by one", "length xs / 3", another_number(2, 3));
  add("evenOdds", "the odd ones are the even ones", "2 * i + 0", another_number(1, 0));
  add("evenOdds", "an odd last element is lost", "n / 2 for n - n / 2", operand_left_out(Infix::Sub, true));
  add("splitUp", "chunks overlap", "index xs (i + n + j)", another(Infix::Mul, Infix::Add));
  add("splitUp", "the rest is dropped in silence", "no assertion", without_assert);
  add("zipWith", "the shorter one's length is not looked at", "no assertion", without_assert,
      {"fun main xs ys = push <grid> (zipWith (fn a b => a) xs ys)"});
  add("zipWith", "its arrays are exchanged", "f (index ys i) (index xs i)", [](Expr e) {
    if (auto* v = std::get_if<language::Variable>(&e.node); v && (v->name == "xs" || v->name == "ys"))
      v->name = v->name == "xs" ? "ys" : "xs";
    return e;
  });
  add("pad", "it is padded one too late", "if i <= n", another(Infix::Lt, Infix::Le));
  add("pad", "the length is rounded down", "n / k * k", operand_left_out(Infix::Add, false));
  add("append", "the second begins where the first does", "index ys i", [](Expr e) {
    const auto* i = as<language::InfixExpr>(e);
    return i && i->op == Infix::Sub ? Expr(*i->left) : e;
  });
  add("take", "one more is taken", "generate (k + 1)", [](Expr e) {
    const language::Spine s = language::spine_of(e);
    if (!as<language::ApplyExpr>(e) || s.head != "generate" || s.arguments.size() != 2) return e;
    Expr more{language::InfixExpr{Infix::Add, Expr(*s.arguments[0]),
                                  Expr{language::Literal{make_integer(ScalarType::I32, 1)}}}};
    return Expr{language::ApplyExpr{Expr{language::ApplyExpr{Expr{language::Variable{"generate"}}, std::move(more)}},
                                    Expr(*s.arguments[1])}};
  });
  add("drop", "the first are kept", "index xs i", operand_left_out(Infix::Add, false));
  add("coalesce", "chunks lie one behind the other", "i * q + j", [](Expr e) {
    const auto* v = as<language::Variable>(e);
    return v && (v->name == "i" || v->name == "j") ? Expr{language::Variable{v->name == "i" ? "j" : "i"}} : e;
  });
}
void of_matrices_and_folds(std::vector<Mutant>& all) {
  const auto add = adding(all);
  add("transpose", "as §3.2 prints it", "k % rows * rows + k / rows",
      [](Expr e) {
        auto* i = std::get_if<language::InfixExpr>(&e.node);
        const auto* cols = i ? as<language::Variable>(*i->right) : nullptr;
        const auto* remainder = i ? as<language::InfixExpr>(*i->left) : nullptr;
        if (i && i->op == Infix::Mul && cols && cols->name == "cols" && remainder && remainder->op == Infix::Mod)
          i->right = Expr{language::Variable{"rows"}};
        return e;
      },
      {"fun main xs = let n = length xs in push <grid> (transpose n 1 (transpose 1 n xs))",
       "fun main xs = push <grid> (transpose 3 2 (pad 6 0 (append xs [1,2,3,4,5,6])))"});
  const std::vector<std::string> tiled = {
      "fun main xs = let ys = map (fn i => i * i) (iota 24) in split2DGrid 2 6 3 2 ys |> map (push <block>) |> "
      "concat2DGrid 2 3 6"};
  add("split2DGrid", "tiles' rows lie in rows", "(g / n * t + k / t) + cols ...", another(Infix::Mul, Infix::Add),
      tiled);
  add("concat2DGrid", "tiles are exchanged with their elements", "fst and snd", fst_and_snd_exchanged(), tiled);
  add("concat2DGrid", "the tile's column is left out", "... + snd p % t", operand_left_out(Infix::Add, true), tiled);
  add("foldl", "it takes the accumulator second", "f (index xs i) (snd x)",
      [](Expr e) {
        const language::Spine s = language::spine_of(e);
        if (!as<language::ApplyExpr>(e) || s.head != "f" || s.arguments.size() != 2) return e;
        return Expr{language::ApplyExpr{Expr{language::ApplyExpr{Expr{language::Variable{"f"}}, Expr(*s.arguments[1])}},
                                        Expr(*s.arguments[0])}};
      },
      {"fun main xs = foldl (fn a b => a - 2 * b) 7 xs"});
  add("foldl", "the last element is left out", "fst (index s 0) < n - 1", [](Expr e) {
    auto* i = std::get_if<language::InfixExpr>(&e.node);
    if (i && i->op == Infix::Lt)
      i->right =
          Expr{language::InfixExpr{Infix::Sub, i->right, Expr{language::Literal{make_integer(ScalarType::I32, 1)}}}};
    return e;
  });
  add("scanl", "it begins one too early", "if j == i", [](Expr e) {
    auto* i = std::get_if<language::InfixExpr>(&e.node);
    if (i && i->op == Infix::Eq) i->right = Expr{language::Variable{"i"}};
    return e;
  });
  add("reduce", "neighbours are exchanged", "f (index ys (2 * i + 1)) (index ys (2 * i))", [](Expr e) {
    const language::Spine s = language::spine_of(e);
    if (!as<language::ApplyExpr>(e) || s.head != "f" || s.arguments.size() != 2) return e;
    return Expr{language::ApplyExpr{Expr{language::ApplyExpr{Expr{language::Variable{"f"}}, Expr(*s.arguments[1])}},
                                    Expr(*s.arguments[0])}};
  });
  add("reduce", "an odd last element is lost", "if 2 * i + 2 < n", another_number(1, 2));
}

bool mentions(const Expr& e, const std::string& name) {
  const auto* v = as<language::Variable>(e);
  bool found = v && v->name == name;
  each_child(e, [&](const language::ExprRef& c) { found = found || mentions(*c, name); });
  return found;
}
// interleave n f (generate m (fn i => let … y = force a in …)): the first of these before it, where a is of no chunk
Expr forced_before_chunks(Expr e) {
  if (auto* l = std::get_if<language::LetExpr>(&e.node); l && as<language::LetExpr>(*l->body))
    return language::let(l->bindings, *l->body);
  const language::Spine s = language::spine_of(e);
  if (!as<language::ApplyExpr>(e) || s.head != "interleave" || s.arguments.size() != 3) return e;
  const auto& generated = std::get<language::ApplyExpr>(s.arguments[2]->node);
  language::FnExpr chunk = std::get<language::FnExpr>(generated.argument->node);
  const auto* inside = as<language::LetExpr>(*chunk.body);
  if (!inside) return e;
  std::vector<std::string> of_chunk = {chunk.parameters[0].name};
  for (std::size_t k = 0; k < inside->bindings.size(); ++k) {
    const language::Binding b = inside->bindings[k];
    const bool stays = std::any_of(of_chunk.begin(), of_chunk.end(),
                                   [&](const std::string& name) { return mentions(*b.value, name); });
    of_chunk.push_back(b.name);
    if (stays || language::spine_of(*b.value).head != "force") continue;
    std::vector<language::Binding> rest = inside->bindings;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    chunk.body = language::let(std::move(rest), *inside->body);
    language::ApplyExpr out = std::get<language::ApplyExpr>(e.node);
    out.argument = Expr{language::ApplyExpr{generated.function, Expr{std::move(chunk)}}};
    return language::let({b}, Expr{std::move(out)});
  }
  return e;
}

}  // namespace

std::vector<Mutant> library_mutants() {
  std::vector<Mutant> all;
  of_chunks(all), of_matrices_and_folds(all);
  return all;
}

std::vector<Mutant> fusion_mutants() {
  std::vector<Mutant> all;
  const auto add = [&](std::string name, std::string description, const InTerm& change,
                       std::vector<std::string> directed = {}) {
    all.push_back(
        {std::move(name), "fusion", std::move(description), changed_after("fuse", "", change), std::move(directed)});
  };
  add("indices are not checked", "k for index (generate n (fn i => i)) k",
      [](Expr e) {
        const language::Spine s = language::spine_of(e);
        const bool check = as<language::ApplyExpr>(e) && s.head == "index" && s.arguments.size() == 2 &&
                           language::spine_of(*s.arguments[0]).head == "generate";
        return check ? Expr(*s.arguments[1]) : e;
      },
      {"fun main k xs = push <grid> (map (fn x => if x == k then 0 else length (take 0 xs) * index [1, 2] k) xs)"});
  add("assertions are dropped", "true for assert c true", without_assert);
  add("lengths are one less", "lengthPull a - 1", [](Expr e) {
    const language::Spine s = language::spine_of(e);
    if (!as<language::ApplyExpr>(e) || s.head != "lengthPull" || language::spine_of(*s.arguments[0]).head == "generate")
      return e;
    return Expr{language::InfixExpr{Infix::Sub, e, Expr{language::Literal{make_integer(ScalarType::I32, 1)}}}};
  });
  add("differences are exchanged", "b - a", exchanged(Infix::Sub));
  add("quotients are remainders", "a % b for a / b", another(Infix::Div, Infix::Mod));
  add("remainders are quotients", "a / b for a % b", another(Infix::Mod, Infix::Div));
  add("products are sums", "a + b for a * b", another(Infix::Mul, Infix::Add));
  add("less is at most", "a <= b for a < b", another(Infix::Lt, Infix::Le));
  add("branches are exchanged", "if c then e else t", branches_exchanged);
  add("pairs are exchanged", "fst for snd", fst_and_snd_exchanged());
  add("maxima are minima", "min for max", renamed("max", "min"));
  add("forces are made twice", "let a = force x a' = force x", [](Expr e) {
    auto* l = std::get_if<language::LetExpr>(&e.node);
    if (!l) return e;
    std::vector<language::Binding> all;
    for (const language::Binding& b : l->bindings) {
      if (language::spine_of(*b.value).head == "force") all.push_back({b.name + "_twice", b.value});
      all.push_back(b);
    }
    l->bindings = std::move(all);
    return e;
  });
  add("a force leaves its chunk", "let y = force a in interleave n f xs, where a is of no chunk", forced_before_chunks,
      {"fun main xs = concat 1 (map (fn x => push <block> (force (push <block> [index xs (length xs)]))) (take 0 "
       "xs))"});
  add("a loop ends a round early", "the condition of the next array", [](Expr e) {
    const language::Spine s = language::spine_of(e);
    if (!as<language::ApplyExpr>(e) || s.head != "while" || s.arguments.size() != 3) return e;
    Expr never{language::FnExpr{{{"unused"}}, Expr{language::Literal{make_bool(false)}}}};
    Expr out{language::Variable{"while"}};
    out = Expr{language::ApplyExpr{std::move(out), std::move(never)}};
    out = Expr{language::ApplyExpr{std::move(out), Expr(*s.arguments[1])}};
    return Expr{language::ApplyExpr{std::move(out), Expr(*s.arguments[2])}};
  });
  return all;
}

std::vector<Mutant> machine_mutants() {
  const auto printed = [](language::PrintedRules rules) {
    Toolchain out;
    out.printed = rules;
    return out;
  };
  return {{"(41) as printed",
           "machine",
           "as many elements as places, and each steps",
           printed({.elements = true}),
           {"fun main k = push <warp> [k, k + 1]"}},
          {"(42) as printed",
           "machine",
           "the lengths of chunks are not looked at, and stand one behind the other",
           printed({.chunks = true}),
           {"fun main k = concat 1 [push <thread> [7, 8], push <thread> [9]]"}}};
}

}  // namespace lockstep::props::fcl
