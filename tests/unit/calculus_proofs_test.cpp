// The proofs of the calculus itself: all hold, and each kind can fail.
#include <catch2/catch.hpp>

#include "proofs/calculus/list.h"
#include "proofs/calculus/operators/laws.h"
#include "props/dpia/mutants/mutants.h"
#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"
#include "semantics/primitives/paths.h"

namespace calculus_proofs_test {
using namespace lockstep;
using namespace lockstep::proofs;

namespace {

CalculusRef shared(Calculus calculus) { return std::make_shared<const Calculus>(std::move(calculus)); }

std::set<std::string> standard_views() {
  const Calculus calculus = standard_calculus();
  std::set<std::string> out;
  for (const std::string& name : calculus.names())
    if (std::holds_alternative<View>(calculus.primitive(name)->kind)) out.insert(name);
  return out;
}

// The standard calculus with another read path of a view.
CalculusRef with_read(const std::string& view, std::function<kernel::Expr(PathReader&, const Instance&, Path)> read) {
  Calculus calculus = standard_calculus();
  Primitive p = *calculus.primitive(view);
  std::get<View>(p.kind).read = std::move(read);
  calculus.add(std::make_shared<const Primitive>(std::move(p)));
  return shared(std::move(calculus));
}

// How many of the view's obligations stand so.
std::size_t count(const CalculusRef& calculus, const std::string& view, Standing standing) {
  const auto decided = decide_obligations(view_obligations(calculus, view));
  return static_cast<std::size_t>(
      std::count_if(decided.begin(), decided.end(), [&](const Decided& d) { return d.outcome.standing == standing; }));
}

// A view that the standard calculus has not: element k first.
PrimitiveRef rotate_primitive(const std::string& equation) {
  return std::make_shared<const Primitive>(Primitive{
      "rotate", "the array from element k on, then the first k",
      View{
          .type = "(k : nat) -> [n]'a -> [n]'a",
          .equation = equation,
          .meaning =
              [](const auto& sizes, std::span<const Value> args) {
                return delayed_array(sizes[1], [k = sizes[0], n = sizes[1], xs = args[0]](std::int64_t i) {
                  return element_of(xs, (i + k) % n);
                });
              },
          .read =
              [](PathReader& r, const Instance& at, Path p) {
                return r.read(0, replace_front(p, 1, {PathIndex{modulo(index_of(p.at(0)) + at.size(0), at.size(1))}}));
              },
      }});
}

}  // namespace

TEST_CASE("every obligation of the standard calculus is proved, but those that are tested or assumed by their nature") {
  const auto all = calculus_obligations(shared(standard_calculus()));
  const auto decided = decide_obligations(all);
  std::size_t proved = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const proofs::Outcome& found = decided[k].outcome;
    INFO(all[k].group << " " << all[k].subject << ": " << all[k].claim << ": " << found.detail);
    const bool at_numbers = all[k].claim == "its read path at numbers is its meaning" ||
                            all[k].claim == "its acceptors at numbers write its meaning" ||
                            all[k].claim == "its translation gives its meaning";
    const bool by_test = at_numbers || all[k].claim == "its equation is its meaning" ||
                         all[k].claim.starts_with("its term is its meaning") ||
                         all[k].claim.starts_with("of a function that is associative its meaning is that of ");
    CHECK((all[k].largest > 0) == at_numbers);
    if (at_numbers) CHECK(found.method.ends_with("sizes up to " + std::to_string(all[k].largest)));
    const bool rounded = all[k].claim == "associative on f32 f64" && (all[k].subject == "+" || all[k].subject == "*");
    CHECK(found.standing == (by_test ? Standing::Tested : rounded ? Standing::Assumed : Standing::Proved));
    proved += found.standing == Standing::Proved;
  }
  CHECK(proved >= 190);
}

TEST_CASE("an obligation of the translation is of what has a name, and claims something of it") {
  std::size_t of_translation = 0;
  for (const proofs::Obligation& o : calculus_obligations(shared(standard_calculus()))) {
    if (o.group != "translation") continue;
    INFO(o.subject << ": " << o.claim);
    CHECK(std::isalpha(static_cast<unsigned char>(o.subject[0])));
    ++of_translation;
  }
  CHECK(of_translation > 0);
}

TEST_CASE("every wrong statement is refuted, with what refutes it") {
  const auto all = wrong_statements();
  const auto decided = decide_obligations(all);
  std::set<std::string> groups;
  for (std::size_t k = 0; k < all.size(); ++k) {
    INFO(all[k].subject << ": " << all[k].claim);
    CHECK(decided[k].outcome.standing == Standing::Refuted);
    CHECK_FALSE(decided[k].outcome.detail.empty());
    CHECK(as_it_must_be(all[k], decided[k].outcome));
    CHECK_FALSE(as_it_must_be(all[k], {Standing::Proved, "", ""}));
    CHECK_FALSE(as_it_must_be(all[k], {Standing::Unknown, "", ""}));
    groups.insert(all[k].group);
  }
  CHECK(groups == std::set<std::string>{"views", "translation", "strategies", "fusion", "operators"});
}

TEST_CASE("the rules of fusion are proved for all lengths and functions, and what the paper prints is refuted") {
  for (const proofs::Obligation& o : fusion_laws()) {
    INFO(o.subject << ": " << o.claim);
    const proofs::Outcome found = o.decide();
    INFO(found.detail);
    CHECK(found.standing == Standing::Proved);
  }
  for (const proofs::Obligation& o : wrong_fusion_laws()) {
    INFO(o.subject << ": " << o.claim);
    CHECK(o.decide().standing == Standing::Refuted);
  }
}

TEST_CASE("what a block or a warp does together is a left fold for every length, and of associative functions alone") {
  std::map<std::string, Standing> laws;
  for (const proofs::Obligation& o : collective_laws()) laws[o.subject] = o.decide().standing;
  CHECK(laws == std::map<std::string, Standing>{{"reduce as a tree", Standing::Proved},
                                                {"scan in steps", Standing::Proved},
                                                {"reduceBlock", Standing::Tested},
                                                {"reduceWarp", Standing::Tested},
                                                {"scanBlock", Standing::Tested},
                                                {"scanWarp", Standing::Tested}});
  for (const proofs::Obligation& o : wrong_collective_laws())
    if (o.subject.find(' ') == std::string::npos)  // of a primitive's meaning
      CHECK_THAT(o.decide().detail, Catch::Matchers::StartsWith("2 elements: "));
}

TEST_CASE("permute by private copies, and by updates in any order, is permute, of functions that allow it alone") {
  for (const proofs::Obligation& o : permute_laws()) {
    INFO(o.subject);
    CHECK(o.decide().standing == Standing::Proved);
  }
  CHECK(wrong_permute_laws().size() == 3);
}

TEST_CASE("places that go on, count what is kept or split in two are distinct; others are not") {
  for (const proofs::Obligation& o : place_laws()) {
    INFO(o.claim);
    CHECK(o.decide().standing == Standing::Proved);
  }
  for (const proofs::Obligation& o : wrong_place_laws()) {
    INFO(o.claim);
    CHECK(o.decide().standing == Standing::Refuted);
  }
}

TEST_CASE("the paper's in-place step of reduceI and its splitAcc are refuted at the smallest case") {
  std::map<std::string, std::string> details;
  for (const proofs::Obligation& o : wrong_statements())
    if (o.subject == "reduceI" || o.claim.find("Fig. 6b") != std::string::npos) details[o.subject] = o.decide().detail;
  CHECK(details["reduceI"] == "a = 0, b = 1");
  CHECK(details["split"].starts_with("k = 1, m = 2; "));
}

TEST_CASE("what is proved of a view follows from its facets, and nothing of one whose equation is wrong or none") {
  using Found = std::map<std::string, Standing>;
  const auto found = [](const std::string& equation) {
    Calculus calculus = standard_calculus();
    calculus.add(rotate_primitive(equation));
    Found out;
    for (const proofs::Obligation& o : view_obligations(shared(std::move(calculus)), "rotate"))
      out[o.claim.starts_with("reads ") && o.claim.find("rotate") != std::string::npos ? "reads" : o.claim] =
          o.decide().standing;
    return out;
  };
  const auto expected = [](Standing reads, Standing is_meaning) {
    return Found{{"reads", reads},
                 {"reads inside its arguments", Standing::Proved},
                 {"its equation is its meaning", is_meaning},
                 {"its read path at numbers is its meaning", Standing::Tested}};
  };
  const Standing proved = Standing::Proved, refuted = Standing::Refuted;
  CHECK(found("rotate k xs ! i = xs ! ((i + k) % n)") == expected(proved, Standing::Tested));
  CHECK(found("rotate k xs ! i = xs ! ((i + k + 1) % n)") == expected(refuted, refuted));
  CHECK(found("rotate k xs = xs") == expected(refuted, refuted));
  // What does not fit the type, or speaks of something else.
  for (const char* wrong : {"rotate k xs ! i ! j ! l = xs ! i", "rotate xs ! i = xs ! i", "rotate k xs ! i = ys ! i",
                            "rotate k xs ! i = fst (xs ! i)", "rotate k xs ! i = (xs ! i, xs ! i)",
                            "fst (rotate k xs) ! i = xs ! i", "rotate k xs ! i = i ! 1", "rotate k xs ! i = gcd i k"}) {
    INFO(wrong);
    CHECK(found(wrong) == expected(refuted, refuted));
  }
  for (const char* unread : {"", "rotate k xs ! i", "rotate k xs ! i = xs ! (", "turn k xs ! i = xs ! i",
                             "rotate 1 xs ! i = xs ! i", "rotate k xs ! (i + 1) = xs ! i"}) {
    const Found none = found(unread);
    CHECK(none.at("reads what its equation says") == Standing::Unknown);
    CHECK(none.at("its equation is its meaning") == Standing::Unknown);
  }
}

TEST_CASE("a facet that goes another way where a size is a number is found there") {
  Calculus calculus = standard_calculus();
  Primitive p = *calculus.primitive("reverse");
  auto& view = std::get<View>(p.kind);
  const std::function<kernel::Expr(PathReader&, const Instance&, Path)> right = view.read;
  view.read = [right](PathReader& r, const Instance& i, Path path) {
    return i.size(0).constant() == 2 ? r.read(0, std::move(path)) : right(r, i, std::move(path));
  };
  calculus.add(std::make_shared<const Primitive>(std::move(p)));
  std::map<std::string, Standing> found;
  for (const proofs::Obligation& o : view_obligations(shared(std::move(calculus)), "reverse"))
    found[o.claim] = o.decide().standing;
  CHECK(found.at("its read path at numbers is its meaning") == Standing::Refuted);
  CHECK(found.at("its equation is its meaning") == Standing::Tested);
  CHECK(found.at("reads inside its arguments") == Standing::Proved);
}

TEST_CASE("an acceptor that goes another way where a size is a number is found there") {
  const auto found = [](const std::string& name, const std::function<Path(const Instance&, Path)>& at_two) {
    Calculus calculus = standard_calculus();
    Primitive p = *calculus.primitive(name);
    auto& acceptor = std::get<View>(p.kind).acceptors.at(0);
    const auto right = acceptor.path;
    acceptor.path = [right, at_two](const Instance& i, Path path) {
      return i.size(0).constant() == 2 ? at_two(i, right(i, std::move(path))) : right(i, std::move(path));
    };
    calculus.add(std::make_shared<const Primitive>(std::move(p)));
    std::map<std::string, Standing> out;
    for (const proofs::Obligation& o : view_obligations(shared(std::move(calculus)), name))
      out[o.claim] = o.decide().standing;
    return out;
  };
  const auto moved = [](std::int64_t by) {
    return [by](const Instance&, Path p) {
      p.at(0) = PathIndex{index_of(p.at(0)) + Size(by)};
      return p;
    };
  };
  const auto to_the_first = [](const Instance&, Path p) {
    p.at(0) = PathIndex{Size(0)};
    return p;
  };
  const auto turned = [](const Instance& i, Path p) {
    p.at(0) = PathIndex{i.size(0) - index_of(p.at(0)) - Size(1)};
    return p;
  };
  const std::string claim = "its acceptors at numbers write its meaning";
  CHECK(found("reverse", [](const Instance&, Path p) { return p; }).at(claim) == Standing::Tested);
  for (const auto& wrong : std::vector<std::function<Path(const Instance&, Path)>>{moved(1), to_the_first, turned}) {
    const auto standings = found("reverse", wrong);
    CHECK(standings.at(claim) == Standing::Refuted);
    CHECK(std::count_if(standings.begin(), standings.end(),
                        [](const auto& s) { return s.second == Standing::Refuted; }) == 1);
  }
}

TEST_CASE("an acceptor whose place is a remainder of what may be negative is refuted, though the place is the same") {
  Calculus calculus = standard_calculus();
  Primitive p = *calculus.primitive("reverse");
  auto& acceptor = std::get<View>(p.kind).acceptors.at(0);
  acceptor.path = [right = acceptor.path](const Instance& i, Path path) {
    Path r = right(i, std::move(path));
    r.at(0) = PathIndex{modulo(index_of(r.at(0)) - i.size(0), i.size(0))};
    return r;
  };
  calculus.add(std::make_shared<const Primitive>(std::move(p)));
  std::set<std::string> refuted;
  for (const proofs::Obligation& o : view_obligations(shared(std::move(calculus)), "reverse"))
    if (o.decide().standing == Standing::Refuted) refuted.insert(o.claim);
  CHECK(refuted == std::set<std::string>{"reverseAcc writes inside"});
}

TEST_CASE("a loop whose meaning or translation is wrong is refuted, also where only the continuation is") {
  const auto standing = [](const std::string& name, const std::function<void(Loop&)>& alter) {
    Calculus calculus = standard_calculus();
    Primitive p = *calculus.primitive(name);
    alter(std::get<Loop>(p.kind));
    calculus.add(std::make_shared<const Primitive>(std::move(p)));
    const auto all = loop_obligations(shared(std::move(calculus)), name);
    REQUIRE(all.size() == 1);
    return all[0].decide().standing;
  };
  for (const char* loop : {"map", "mapUnroll", "reduce", "iterate", "scatter", "permute", "while", "toLocal"})
    CHECK(standing(loop, [](Loop&) {}) == Standing::Tested);
  CHECK(standing("mapPar", [](Loop&) {}) == Standing::Tested);
  const Standing refuted = Standing::Refuted;
  CHECK(standing("map", [](Loop& l) {
          l.meaning = [](const auto&, std::span<const Value> args) { return args[1]; };
        }) == refuted);
  CHECK(standing("iterate", [](Loop& l) {
          l.acceptor = [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
            return t.acceptor(e.arguments[1], a);
          };
        }) == refuted);
  CHECK(standing("iterate", [](Loop& l) {
          l.continuation = [](Translation& t, const PrimPhrase& e, const std::function<PhraseRef(PhraseRef)>& c) {
            return t.named(e.arguments[1], c);
          };
        }) == refuted);
  // At the number 2 only: with a name for the size the facet is right.
  CHECK(standing("mapPar", [](Loop& l) {
          l.acceptor = [right = l.acceptor](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
            PrimPhrase other = e;
            if (e.sizes[0].constant() == 2) other.sizes[0] = 1;
            return right(t, other, a);
          };
        }) == refuted);
  CHECK(standing("map", [](Loop& l) { l.type = "(('a -> 'b) -> 'b) -> [n]'a -> [n]'b"; }) == Standing::Unknown);
}

TEST_CASE("the proofs refute every mutant of a view that the campaign knows") {
  // Named after their view, but for these; "" alters no view.
  const std::map<std::string, std::string> others = {
      {"as-vector-acceptor", "asVector"}, {"as-scalar-acceptor", "asScalar"}, {"as-scalar-read", "asScalar"},
      {"lanes-read", "asVector"},         {"lanes-read-first", "asVector"},   {"index-read", "!"},
      {"index-unchecked", "!"},           {"index-check-edge", "!"},          {"pair-acceptor-dropped", ""}};
  const std::set<std::string> views = standard_views(),
                              checks = {"gather-unchecked", "index-unchecked", "index-check-edge"};
  std::size_t tried = 0;
  for (const auto& m : props::mutants()) {
    if (m.family != "acceptor" && m.family != "read path" && !checks.contains(m.name)) continue;
    const auto it = others.find(m.name);
    const std::string view = it == others.end() ? m.name.substr(0, m.name.find('-')) : it->second;
    if (view.empty()) continue;
    INFO(m.name << ": " << m.description);
    REQUIRE(views.contains(view));
    CHECK(count(shared(m.calculus()), view, Standing::Refuted) >= 1);
    ++tried;
  }
  CHECK(tried >= 40);
}

TEST_CASE("a read path that is wrong only where the sizes are known is refuted") {
  // Right where nothing is known of i and n; the other array where i < n is known.
  const auto read = [](PathReader& r, const Instance& at, Path p) {
    const Size i = index_of(p.at(0)), n = at.size(0);
    const SizeFact first{i, SizeRelation::Less, n};
    const auto one = [&] { return r.read(0, p); };
    const auto other = [&] { return r.read(1, replace_front(p, 1, {PathIndex{i - n}})); };
    if (r.decide(first)) return other();
    return r.choose(r.test(first), one, other);
  };
  CHECK(count(with_read("concat", read), "concat", Standing::Refuted) >= 1);
}

TEST_CASE("a read path that divides what may be negative is refuted") {
  const auto read = [](PathReader& r, const Instance& at, Path p) {
    const Size i = index_of(p.at(0)), n = at.size(0);
    return r.read(0, replace_front(p, 1, {PathIndex{i + floor_div(i - n, n + Size(1)) + Size(1)}}));  // i, by way of -1
  };
  CHECK(count(with_read("take", read), "take", Standing::Refuted) >= 1);
}

TEST_CASE("where a meaning differs from what is read, its element is said") {
  const auto read = [](PathReader& r, const Instance&, Path p) {
    const Size i = index_of(p.at(0));
    return r.read(0, replace_front(p, 1, {PathIndex{i - floor_div(i, Size(2))}}));  // element 1 for 2
  };
  std::string said;
  for (const Decided& d : decide_obligations(view_obligations(with_read("take", read), "take")))
    said += d.outcome.detail + "\n";
  CHECK_THAT(said, Catch::Contains("the meaning's element ! 2 is another"));
}

TEST_CASE("a read path through two gathers is proved inside only under the checks that it needs") {
  // xs ! (is ! (js ! i)): inside, if js is inside is and is is inside xs.
  const auto gather_twice = [](bool with_both) {
    const auto inside_loop = [](Translation& t, const PhraseRef& indices, const Size& n, const Size& bound) {
      return for_loop(Level::Seq, n, t.fresh("i"), [&](const PhraseRef& i) {
        const PhraseRef k = idx_of(t.primitive("idx"), indices, i);
        return check(inside(t, k, bound), "gather2", "outside", {k}, {});
      });
    };
    return std::make_shared<const Primitive>(
        Primitive{"gather2", "",
                  View{.type = "[n]i64 -> [m]i64 -> [l]'a -> [n]'a",
                       .equation = "gather2 is js xs ! i = xs ! (js ! (is ! i))",
                       .meaning = [](const auto&, std::span<const Value> args) { return args[2]; },
                       .read =
                           [](PathReader& r, const Instance&, Path p) {
                             const Size i = r.opaque(r.read(0, {p.at(0)}));
                             const Size j = r.opaque(r.read(1, {PathIndex{i}}));
                             return r.read(2, replace_front(p, 1, {PathIndex{j}}));
                           },
                       .check =
                           [=](Translation& t, const Instance& at, const std::vector<PhraseRef>& args) {
                             const PhraseRef outer = inside_loop(t, args[0], at.size(0), at.size(1));
                             return with_both ? seq(outer, inside_loop(t, args[1], at.size(1), at.size(2))) : outer;
                           }}});
  };
  for (const bool with_both : {true, false}) {
    Calculus calculus = standard_calculus();
    calculus.add(gather_twice(with_both));
    const auto all = view_obligations(shared(std::move(calculus)), "gather2");
    REQUIRE(all.size() == 4);
    CHECK(all[0].decide().standing == Standing::Proved);  // its equation
    CHECK(all[1].decide().standing == (with_both ? Standing::Proved : Standing::Refuted));
    CHECK(all[1].claim == "reads inside its arguments");
  }
}

TEST_CASE("a read path that is not understood is unknown") {
  const auto read = [](PathReader&, const Instance&, Path) {
    return kernel::load("buffer", ScalarType::F32, kernel::constant(0));
  };
  CHECK(count(with_read("take", read), "take", Standing::Unknown) == 3);
}

TEST_CASE("the equations of the translation are not proved of a stage that is wrong") {
  const DpiaLanguages languages = dpia_languages(std::make_shared<const Calculus>(standard_calculus()));
  const Stage right = loops(languages, Machine::Cpu);
  const auto stage = [&](const std::function<PhraseProgram(const PhraseProgram&)>& run) {
    return stage_of<PhraseProgram, PhraseProgram>("wrong", "", languages.imperative, languages.imperative,
                                                  [run](const PhraseProgram& p, Owed*) { return run(p); });
  };
  // Each changes the combinator before the right stage sees it.
  const auto with = [&](const std::function<void(ImpPhrase&)>& change) {
    return stage([=](const PhraseProgram& p) {
      PhraseProgram out = p;
      ImpPhrase x = *as<ImpPhrase>(*p.body);
      change(x);
      out.body = phrase_of(x);
      return apply<PhraseProgram>(right, out);
    });
  };
  const auto unproved = [](const Stage& wrong, const std::string& subject) {
    std::vector<proofs::Obligation> about;
    for (proofs::Obligation& o : translation_obligations(wrong))
      if (o.subject == subject) about.push_back(std::move(o));
    const auto decided = decide_obligations(about);
    return std::count_if(decided.begin(), decided.end(),
                         [](const Decided& d) { return d.outcome.standing != Standing::Proved; });
  };
  CHECK(unproved(right, "scanI") == 0);
  const auto exclusive = with([](ImpPhrase& x) {
    if (as<imp::ScanI>(x)) x.constant = imp::ScanI{.exclusive = true};
  });
  CHECK(unproved(exclusive, "scanI") >= 1);
  // DPIA §4.2 as printed: new (\acc. acc.1 := I; for n (\i. F (idx E i) acc.2 acc.1); C acc.2)
  const Stage printed = stage([&](const PhraseProgram& p) {
    const ImpPhrase& x = *as<ImpPhrase>(*p.body);
    PhraseProgram out = p;
    out.body = new_variable(Space::Auto, x.types[1], "acc", [&](const PhraseRef& acc) {
      const PhraseRef loop = for_loop(Level::Seq, x.sizes[0], "i", [&](const PhraseRef& i) {
        const PhraseRef element = idx_of(languages.calculus->primitive("idx"), x.arguments[2], i);
        return apply(apply(apply(x.arguments[0], element), proj(2, acc)), proj(1, acc));
      });
      return seq({assign(proj(1, acc), x.arguments[1]), loop, apply(x.arguments[3], proj(2, acc))});
    });
    return out;
  });
  CHECK(unproved(right, "reduceI") == 0);
  CHECK(unproved(printed, "reduceI") == 1);  // the step
}

TEST_CASE("hypotheses that contradict each other prove nothing") {
  const Term x = name("x");
  const proofs::Outcome found = decide_all({{{{less(x, x)}, equal(x, number(1)), {}}}});
  CHECK(found.standing == Standing::Unknown);
  const Case sound{{{less(x, number(1))}, less(x, number(2)), {}}},
      contradictory{{{less(x, x)}, equal(x, number(1)), {}}};
  CHECK(decide_all({sound}).standing == Standing::Proved);
  CHECK(decide_all({sound, contradictory}).standing == Standing::Unknown);
  CHECK(decide_all({}).standing == Standing::Unknown);
}

TEST_CASE("what Z3 does not decide in its time is unknown") {
  const Term x = name("x", floating(64)), y = name("y", floating(64));
  const auto sum = [](const Term& a, const Term& b) { return make(TermOp::FloatAdd, floating(64), {a, b}); };
  CHECK(decide(z3(), {{}, equal(sum(x, y), sum(y, x))}, 50).kind == smt::Verdict::Unknown);
  const Term i = name("i"), j = name("j"), k = name("k"), zero = number(0);
  const auto cube = [](const Term& a) { return a * a * a; };
  const Question fermat{{less(zero, i), less(zero, j), less(zero, k)}, unequal(cube(i) + cube(j), cube(k))};
  for (const unsigned timeout_ms : {10U, 50U, 200U})
    CHECK(decide(z3(), fermat, timeout_ms).kind == smt::Verdict::Unknown);
}

TEST_CASE("the floor division of terms is the same evaluated and for Z3") {
  for (const std::int64_t a : {-7, -6, -1, 0, 1, 7})
    for (const std::int64_t b : {1, 2, 3, 7}) {
      const auto value = [](const Term& t) { return evaluate(t, {}, [](const auto&, const auto&) { return 0; }); };
      const Term q = quotient(number(a), number(b)), r = remainder(number(a), number(b));
      CHECK(decide(z3(), {{}, all_of({equal(q, number(value(q))), equal(r, number(value(r)))})}).kind ==
            smt::Verdict::Proved);
      CHECK(value(q) * b + value(r) == a);
    }
}

TEST_CASE("an operator that is not its term is found, at its type and values") {
  ScalarOp subtraction = std::get<ScalarOp>(scalar_operator("-")->kind);
  subtraction.meaning = std::get<ScalarOp>(scalar_operator("+")->kind).meaning;
  const proofs::Outcome found = meanings_agree(subtraction);
  CHECK(found.standing == Standing::Refuted);
  CHECK(found.detail.starts_with("i8: "));
}

}  // namespace calculus_proofs_test
