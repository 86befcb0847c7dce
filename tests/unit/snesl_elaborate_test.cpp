// Types, expansion and desugaring of SNESL: what is accepted at which types, what is refused and how, and what the core
// programs compute.
#include <catch2/catch.hpp>

#include "semantics/snesl/elaborate.h"
#include "semantics/snesl/evaluate.h"
#include "semantics/snesl/parse.h"

using namespace lockstep;
using namespace lockstep::snesl;

namespace {

surface::Program parsed(const std::string& text) {
  auto p = parse_program(std::make_shared<const Source>(Source{"test.snesl", text}));
  if (!p) FAIL(render(p.error()[0]));
  return *p;
}

// "f(a, b) : r" for each function, a line each.
std::string types_of(const std::string& text) {
  const auto entries = check(parsed(text));
  if (!entries) return render(entries.error()[0]);
  std::string out;
  for (const EntryPoint& e : *entries) {
    out += (out.empty() ? "" : "\n") + e.name + "(";
    for (std::size_t k = 0; k < e.types.size(); ++k) out += (k > 0 ? ", " : "") + e.types[k];
    out += ") : " + e.result;
  }
  return out;
}

// All messages, "line:column message | expected | mend", a line each.
std::string said(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) {
    const Position p = d.region.source ? position_of(*d.region.source, d.region.begin) : Position{0, 0};
    out += (out.empty() ? "" : "\n") + std::to_string(p.line) + ":" + std::to_string(p.column) + " " + d.message;
    if (!d.expected.empty()) out += " | " + d.expected;
    if (!d.mend.empty()) out += " | " + d.mend;
  }
  return out;
}
std::string errors_of(const std::string& text) {
  const auto entries = check(parsed(text));
  return entries ? "accepted" : said(entries.error());
}

using Given = std::map<std::string, Type>;
core::Program core_of(const std::string& text, const Given& given = {}, const std::string& function = "") {
  auto p = elaborate(parsed(text), function, given);
  if (!p) FAIL(said(p.error()));
  return *p;
}
std::string refusal_of(const std::string& text, const Given& given = {}, const std::string& function = "") {
  const auto p = elaborate(parsed(text), function, given);
  return p ? "accepted" : said(p.error());
}
const Type integer = prim(Prim::Int), real = prim(Prim::Real), character = prim(Prim::Char), boolean = prim(Prim::Bool);

class NoFiles : public Files {
  std::string read(const std::string&, const Region&) override { throw Bug("no file is read"); }
  void write(const std::string&, std::string, const Region&) override { throw Bug("no file is written"); }
};
std::string value_of(const std::string& text, const Given& given = {}, const Values& arguments = {}) {
  NoFiles files;
  const auto e = evaluate(core_of(text, given), arguments, files);
  return e ? show(e->value) : e.error().primitive + ": " + e.error().message;
}
std::string value_of_expression(const std::string& e) { return value_of("fun main() = " + e); }

}  // namespace

TEST_CASE("scratch") {
  std::cout << types_of(R"(
fun logsum(N) = sum({log(real(i+1)) : i in &N})
fun ws(c) = c == ' ' || c >= '\t' && c <= '\r'
fun pc(c) = c <= '~' && c > ' '
fun pw(w) = reduce-or({pc(c): c in w})
fun wc(file) = let cs = read_file(file) in sum({ int(pw(w)) : w in sep({(c, ws(c)): c in cs})})
fun add(x, y) = x + y
fun rev_line(w) = let v = tab(w); n = #v-1 in {v!(i == n ? i : n-1-i) : i in &n}
)") << "\n" << print(core_of("fun ws(c) = c == ' ' || c >= '\\t' && c <= '\\r'  fun f(s, k) = {if x > 0 then 10 / x + k else k : x in s | x != 3 && 10 / x > 1}"));
}
