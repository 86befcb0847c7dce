// Loops that are translated wrongly: operands, initial values, counts, branches (Fig. 5).
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/build.h"
#include "semantics/primitives/constant.h"

namespace lockstep::props {
namespace {

// \x y. F y x, where the types allow it
PrimPhrase swapped_operands(Translation& t, const PrimPhrase& e) {
  if (!(e.types[0] == e.types[1])) return e;
  const std::string x = t.fresh("x"), y = t.fresh("y");
  const PhraseType d = exp_type(e.types[0]);
  PrimPhrase out = e;
  out.arguments[0] = lambda(x, d, lambda(y, d, apply(apply(e.arguments[0], ident(y, d)), ident(x, d))));
  return out;
}
PrimPhrase once_more(Translation&, const PrimPhrase& e) {
  PrimPhrase out = e;
  out.sizes[0] = e.sizes[0] + Size(1);
  return out;
}
PhraseRef other_branch(const PhraseRef& p) {
  const auto* x = use_of<imp::Cond>(*p);
  return x ? cond(x->arguments[0], x->arguments[2], x->arguments[1]) : p;
}
// The first argument is its value applied once, before any test.
PrimPhrase body_first(Translation&, const PrimPhrase& e) {
  PrimPhrase out = e;
  out.arguments[2] = apply(e.arguments[1], e.arguments[2]);
  return out;
}
// f new old is new
PrimPhrase newest(Translation& t, const PrimPhrase& e) {
  const std::string x = t.fresh("x"), y = t.fresh("y");
  const PhraseType d = exp_type(e.types[0]);
  PrimPhrase out = e;
  out.arguments[0] = lambda(x, d, lambda(y, d, ident(x, d)));
  return out;
}

// Of a collective, whose elements and result are of one type.
PrimPhrase operands_of_one_type(Translation& t, const PrimPhrase& e) {
  PrimPhrase both = e;
  both.types = {e.types[0], e.types[0]};
  PrimPhrase out = e;
  out.arguments[0] = swapped_operands(t, both).arguments[0];
  return out;
}
PrimPhrase from_the_right(Translation& t, const PrimPhrase& e) {
  PrimPhrase out = e;
  out.arguments[2] =
      prim(t.primitive("reverse"), {e.sizes[0]}, {e.types[0]}, {e.arguments[2]}, array(e.sizes[0], e.types[0]));
  return out;
}
// Of an odd number of elements the last has no neighbour.
PrimPhrase without_the_last(Translation& t, const PrimPhrase& e) {
  const std::int64_t n = *e.sizes[0].constant();
  if (n % 2 == 0) return e;
  PrimPhrase out = e;
  out.sizes[0] = n - 1;
  out.arguments[2] = prim(t.primitive("take"), {n - 1, 1}, {e.types[0]}, {e.arguments[2]}, array(n - 1, e.types[0]));
  return out;
}
PrimPhrase from_the_first(Translation& t, const PrimPhrase& e) {
  PrimPhrase out = e;
  if (!(e.sizes[0] == Size(0))) out.arguments[1] = idx_of(t.primitive("idx"), e.arguments[2], index_at(0, e.sizes[0]));
  return out;
}

std::optional<PhraseRef> zero(const Type& d) {
  const auto* t = as<ScalarType>(d);
  if (!t) return {};
  if (*t == ScalarType::Bool) return bool_literal(false);
  return is_float(*t) ? literal(make_ieee(*t, 0), "0.0") : literal(make_integer(*t, 0));
}
PrimPhrase from_zero(Translation&, const PrimPhrase& e) {
  PrimPhrase out = e;
  if (const auto z = zero(e.types[1])) out.arguments[1] = *z;
  return out;
}

MakeCalculus translated_as(const char* name, const char* other) {
  return [name, other] {
    Calculus calculus = standard_calculus();
    Primitive p = *calculus.primitive(name);
    std::get<Loop>(p.kind).acceptor = std::get<Loop>(calculus.primitive(other)->kind).acceptor;
    calculus.add(std::make_shared<const Primitive>(std::move(p)));
    return calculus;
  };
}

// Element k of a literal array goes to place(k, n).
MakeCalculus array_at(std::function<std::int64_t(std::int64_t k, std::int64_t n)> place) {
  return altered<Loop>("array", [place](Loop& l) {
    l.acceptor = [place](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
      PhraseRef out = skip();
      const auto n = static_cast<std::int64_t>(e.arguments.size());
      for (std::int64_t k = 0; k < n; ++k)
        out = seq(out, t.acceptor(e.arguments[static_cast<std::size_t>(k)],
                                  idx_acc(a, index_at(Size(place(k, n)), e.sizes[0]))));
      return out;
    };
  });
}

// The element alone.
PhraseRef updated_only(Translation& t, const PrimPhrase& e, const PhraseRef& a, const PhraseRef& index) {
  return t.named(index, [&](const PhraseRef& i) {
    const std::string o = t.fresh("o");
    const PhraseRef place = ident(o, acc_type(e.types[0]));
    return command(std::get<Loop>(e.primitive->kind).constant, e.sizes, {e.types[0]},
                   {i, lambda(o, acc_type(e.types[0]), t.acceptor(e.arguments[2], place)), a});
  });
}

// f (j, i) for f (i, j)
PrimPhrase turned_indices(Translation& t, const PrimPhrase& e) {
  const Type i64 = scalar(ScalarType::I64);
  const std::string p = t.fresh("p");
  const PhraseRef both = ident(p, exp_type(pair(i64, i64)));
  const PhraseRef turned = prim(t.primitive("pair"), {}, {i64, i64},
                                {snd_of(t.primitive("snd"), both), fst_of(t.primitive("fst"), both)}, pair(i64, i64));
  PrimPhrase out = e;
  out.arguments[0] = lambda(p, both->type, apply(e.arguments[0], turned));
  return out;
}

}  // namespace

void loop_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::calculus>(all, "loop");
  add("reduce-operands", "reduce hands accumulator and element over in the wrong order",
      with_phrase("reduce", swapped_operands));
  add("reduce-seq-operands", "reduceSeq hands accumulator and element over in the wrong order",
      with_phrase("reduceSeq", swapped_operands));
  add("scan-operands", "scan hands accumulator and element over in the wrong order",
      with_phrase("scan", swapped_operands));
  add("reduce-initial", "reduce starts from zero", with_phrase("reduce", from_zero));
  add("scan-initial", "scan starts from zero", with_phrase("scan", from_zero));
  add("scan-exclusive", "scan leaves the last element out, as scanExclusive does",
      translated_as("scan", "scanExclusive"));
  add("scan-exclusive-inclusive", "scanExclusive takes each element in, as scan does",
      translated_as("scanExclusive", "scan"));
  for (const char* collective : {"reduceBlock", "scanBlock"}) {
    const std::string name = collective;
    const auto one = [&](const char* what, const char* description, const PhraseChange& change) {
      Mutant m{name + "-" + what, "loop", name + " " + description, with_phrase(name, change)};
      m.directed = {
          {"fun main [n] (xs : [5*n]i32) : [n]i32 =\n  xs |> split 5 |> mapWorkgroup (\\b -> reduceBlock (\\x a -> "
           "x + 3 * a) 7 b)\n",
           Machine::Gpu},
          {"fun main [n] (xs : [5*n]i32) : [n][5]i32 =\n  xs |> split 5 |> mapWorkgroup (\\b -> scanBlock (\\x a "
           "-> x + 3 * a) 7 b)\n",
           Machine::Gpu}};
      all.push_back(std::move(m));
    };
    one("operands", "hands the earlier element over first", operands_of_one_type);
    one("from-right", "begins with the last element", from_the_right);
    one("from-first", "starts from its first element", from_the_first);
    if (name == "reduceBlock") one("last-lost", "forgets an element that has no neighbour", without_the_last);
  }
  add("iterate-once-more", "iterate goes round once too often", with_phrase("iterate", once_more));
  add("while-tests-late", "while runs its body before the first test", with_phrase("while", body_first));
  all.push_back({"if-branches", "loop", "if takes the other branch", standard_calculus,
                 tools_with("translate", on_phrases(other_branch))});
  add("permute-overwrites", "permute forgets what was there", with_phrase("permute", newest));
  add("array-backwards", "a literal array is written backwards",
      array_at([](std::int64_t k, std::int64_t n) { return n - 1 - k; }));
  add("array-first", "every element of a literal array goes to the first place",
      array_at([](std::int64_t, std::int64_t) { return 0; }));
  const auto update_at = [](const std::function<PhraseRef(Translation&, const PrimPhrase&, const PhraseRef&)>& change) {
    return altered<Loop>("update", [change](Loop& l) { l.acceptor = change; });
  };
  add("update-default", "update leaves the rest unwritten",
      update_at([](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
        return updated_only(t, e, a, e.arguments[1]);
      }));
  add("update-lost", "update writes the array over the element",
      update_at([](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
        return seq(updated_only(t, e, a, e.arguments[1]), t.acceptor(e.arguments[0], a));
      }));
  add("update-first", "update writes the first element",
      update_at([](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
        return seq(t.acceptor(e.arguments[0], a), updated_only(t, e, a, nat(0)));
      }));
  add("spread-turned", "spread hands the column over as the row", with_phrase("spread", turned_indices),
      {{"fun main [m n] (xs : [m][n]i32) : [m*n]i32 = spread n (\\p -> fst p * i64 n + snd p) xs\n"}});
  add("scatter-default", "scatter leaves what no index names unwritten", altered<Loop>("scatter", [](Loop& l) {
        l.acceptor = [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
          return t.continuation(e.arguments[1], [&](const PhraseRef& is) {
            return t.continuation(e.arguments[2], [&](const PhraseRef& xs) {
              return command(std::get<Loop>(e.primitive->kind).constant, e.sizes, {e.types[0]}, {is, xs, a});
            });
          });
        };
      }));
}

}  // namespace lockstep::props
