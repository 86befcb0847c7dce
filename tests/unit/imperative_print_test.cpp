// Phrases to text and back.
#include <catch2/catch.hpp>

#include "semantics/imperative/language.h"
#include "semantics/imperative/parse.h"
#include "semantics/imperative/print.h"

namespace imperative_print_test {
using namespace lockstep;

namespace {

const Calculus& calculus() {
  static const Calculus c = standard_calculus();
  return c;
}
PhraseProgram parsed(const std::string& text) {
  auto p = parse_phrase_program(text, calculus());
  if (!p) FAIL(render(p.error().front()) << "\n" << text);
  return *p;
}
std::string complaint(const std::string& text) {
  const auto p = parse_phrase_program(text, calculus());
  return p ? "" : p.error().front().expected;
}

const std::vector<std::string> programs = {
    R"(program dot [n] (xs : [n]f32) (ys : [n]f32) : f32 -> output =
         newGlobal{}{[n]f32}(\tmp.
           parforPar{n}{f32}(tmp.1, \i o. o := idx{n}{f32}(xs, i) * idx{n}{f32}(ys, i));
           new{}{f32}(\acc. acc.1 := 0f32; for{n}{}(\j. acc.1 := idx{n}{f32}(tmp.2, j) + acc.2); output := acc.2)))",
    R"(program f [n] (k : nat) (xs : [k+n](f32, i32)) : [n]f32 where 1 <= k, n % 4 == 0 -> output =
         forAuto{n}{}(\i. idxAcc{n}{f32}(output, i) := fst{}{f32, i32}(idx{n}{(f32, i32)}(drop{k, n}{(f32, i32)}(xs), i))))",
    R"(program g (x : i64) (b : bool) : i64 -> output =
         check["/", "say \"{0}\""](x != 0i64 && (b || !=b), x); cond{}{}(x - (x - -1i64) < 2i64, output := {3}, skip{}{}()); barrier{}{}())",
    R"(program h : i64 = let x = 1i64 in x + {2} * {1 < 4})",
    R"(program l : f32 -> output = output := 1.5f32 + "-inf"f32 + bits "0x1.8p+0"f32)",
    R"(program m : f32 -> output =
         (\(f : exp[f32] -> acc[f32] -> comm) (g : acc[f32] ->p comm). f 1f32 output; g output)
           (\(x : exp[f32]) (o : acc[f32]). o := x) (\(o : acc[f32] | p). o := 2f32))",
    R"(program v [m] (xs : [4*m]f32) : [m]f32<4> -> output =
         mapIUnroll{m}{f32<4>, f32<4>}(\x o. o := x * splat{4}{f32}(2f32), asVector{4, m}{f32}(xs), output))",
    R"(program s [n] (xs : [n]f32) : f32 = reduce{n}{f32, f32}(\(x : exp[f32]) (y : exp[f32]). x + y, 0f32, xs))",
};

}  // namespace

TEST_CASE("annotated text reads back as the same program") {
  for (std::string text : programs) {
    if (const std::size_t at = text.find("(b || !=b)"); at != std::string::npos) text.replace(at, 10, "not{}{bool}(b)");
    const PhraseProgram p = parsed(text);
    const std::string printed = print(p, {.annotate = true});
    INFO(printed);
    const PhraseProgram again = parsed(printed);
    CHECK(alpha_equal(*again.body, *p.body));
    CHECK(again.name == p.name);
    CHECK(again.sizes == p.sizes);
    CHECK(again.explicit_sizes == p.explicit_sizes);
    CHECK(again.facts == p.facts);
    CHECK(again.output == p.output);
    CHECK(print(again, {.annotate = true}) == printed);
  }
}

TEST_CASE("a launch is read back from phrases and from kernels, and another launch is another program") {
  const DpiaLanguages languages = dpia_languages(std::make_shared<const Calculus>(calculus()));
  const auto with = [](const LanguageRef& language, const std::string& launch) {
    const std::string text = language->name == "imperative" ? "program f : f32 -> output" + launch + " = output := 1f32"
                                                            : "kernel f()" + launch + "\noutput f32 o;\n{\n}\n";
    const auto p = language->parse(std::make_shared<const Source>(Source{"test", text}));
    REQUIRE(p);
    return *p;
  };
  for (const LanguageRef& language : {languages.imperative, languages.kernel})
    for (const std::string launch : {"", " block 64 warp 16", " grid 7", " block 256 warp 64 grid 2147483647"}) {
      INFO(language->name << launch);
      const AnyProgram p = with(language, launch);
      const std::string head = language->write(p).substr(0, language->write(p).find('\n'));
      if (launch.empty()) CHECK(head.find(" grid ") == std::string::npos);
      CHECK(head.find(launch) != std::string::npos);
      CHECK(language->equal(p, with(language, launch)));
      for (const std::string other : {" block 32", " warp 8", " grid 6"})
        CHECK(!language->equal(p, with(language, other)));
    }
}

TEST_CASE("another size, type, level or binder's arrow is another text") {
  const std::string text = programs[0];
  const std::string printed = print(parsed(text), {.annotate = true});
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    const PhraseProgram p = parsed(other);
    return !alpha_equal(*p.body, *parsed(text).body) && print(p, {.annotate = true}) != printed;
  };
  CHECK(changed("parforPar", "parforGlobal"));
  CHECK(changed("newGlobal", "newLocal"));
  CHECK(changed("0f32", "1f32"));
  CHECK(changed("for{n}", "for{n+1}"));
}

TEST_CASE("for people phrases read as in the paper") {
  CHECK(print(parsed(programs[0])) ==
        "fun dot [n] (xs : [n]f32) (ys : [n]f32) : f32 -> output =\n"
        "  newGlobal [n]f32 (\\tmp.\n"
        "    parforPar n tmp.1 (\\i o. o := idx xs i * idx ys i);\n"
        "    new f32 (\\acc.\n"
        "      acc.1 := 0;\n"
        "      for n (\\j. acc.1 := idx tmp.2 j + acc.2);\n"
        "      output := acc.2))\n");
}

TEST_CASE("a type that holds only under the facts is written") {
  PhraseProgram p = parsed(R"(program f [n] (xs : [n]f32) : [n]f32 where n % 4 == 0 -> output =
    mapI{n}{f32, f32}(\x o. o := x, join{n/4, 4}{f32}(split{4, n/4}{f32}(xs)), output))");
  ImpPhrase x = *as<ImpPhrase>(*p.body);
  x.arguments[1] = Phrase{exp_type(array(Size::name("n"), scalar(ScalarType::F32))), x.arguments[1]->node};
  p.body = phrase_of(std::move(x));
  const std::string printed = print(p, {.annotate = true});
  CHECK(printed.find(": exp[[n]f32])") != std::string::npos);
  CHECK(alpha_equal(*parsed(printed).body, *p.body));
}

TEST_CASE("an exclusive scan has a name of its own, for people too") {
  const PhraseProgram p = parsed(R"(program f [n] (xs : [n]f32) : [n]f32 -> output =
    scanExclusiveI{n}{f32, f32}(\x y o. o := x + y, 0f32, xs, output))");
  CHECK(print(p, {.annotate = false}).find("scanExclusiveI (") != std::string::npos);
  PhraseProgram inclusive = p;
  ImpPhrase x = *as<ImpPhrase>(*p.body);
  x.constant = imp::ScanI{.exclusive = false};
  inclusive.body = phrase_of(x);
  CHECK(print(inclusive, {.annotate = false}).find("scanI (") != std::string::npos);
  CHECK_FALSE(alpha_equal(*p.body, *inclusive.body));
  x.sizes.emplace_back(1);
  CHECK_THROWS_AS(phrase_of(x), Bug);
}

TEST_CASE("text that is no phrase says what was expected") {
  CHECK(complaint("program f : f32 -> output = output := y") == "a name in scope");
  CHECK(complaint("program f : f32 -> output = output := nothing{}{}(1f32)") == "a primitive of the calculus");
  CHECK(complaint("program f : f32 -> output = output := 1") == "the literal's type");
  CHECK(complaint("program f : f32 -> output = new{}{f32}(\\t. output := t.2") == "`,` or `)`");
  CHECK(complaint("program f : f32 -> output = 1f32 := 1f32") == "an acceptor before :=");
  CHECK(complaint("program f [n] (xs : [n]f32) : [n]f32 -> output = "
                  "scanI{n, 1}{f32, f32}(\\x y o. o := x, 0f32, xs, output)") == "1 size and 2 types of scanI");
  CHECK(complaint("program f [n] (xs : [n]f32) : [n]f32 -> output = mapI{}{f32, f32}(\\x o. o := x, xs, output)") ==
        "1 size and 2 types of mapI");
  CHECK(complaint("program f [n] (is : [n]i64) (xs : [n]f32) : [n]f32 -> output = scatterI{}{f32}(is, xs, output)") ==
        "2 sizes and 1 type of scatterI");
}

TEST_CASE("a number of a phrase's text is one of its type, and a size below 2^63") {
  const auto assigned = [](const std::string& type, const std::string& number) {
    return complaint("program f : " + type + " -> output = output := " + number);
  };
  CHECK(assigned("i8", "-128i8") == "");
  CHECK(assigned("i8", "-129i8") == "a number in the range of i8");
  CHECK(assigned("i8", "127i8") == "");
  CHECK(assigned("i8", "128i8") == "a number in the range of i8");
  CHECK(assigned("u16", "65536u16") == "a number in the range of u16");
  CHECK(assigned("u16", "-1u16") == "a number in the range of u16");
  CHECK(assigned("u64", "18446744073709551615u64") == "");
  CHECK(assigned("i64", "9223372036854775808i64") == "a number in the range of i64");
  CHECK(complaint("program f (xs : [9223372036854775808]f32) : f32 -> output = output := 1f32") == "a size below 2^63");
}

}  // namespace imperative_print_test
