// The README's table of SVCODE's instructions is what their rows say.
#include <fstream>
#include <iterator>
#include <sstream>

#include "semantics/core/table.h"
#include "semantics/svcode/instruction.h"
#include "svcode_program.h"

using namespace lockstep;
using namespace lockstep::svcode;

namespace {

const std::string readme_file = LOCKSTEP_SOURCE_DIR "/semantics/svcode/README.md";
const std::string begins = "<!-- instructions -->\n", ends = "<!-- /instructions -->\n";

std::string content_of(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string shown(const OperandRow& o) {
  static constexpr auto types = table<ElementType>({{ElementType::Unit, "Unit"},
                                                    {ElementType::Bool, "Bool"},
                                                    {ElementType::Int, "Int"},
                                                    {ElementType::Char, "Char"},
                                                    {ElementType::Own, "τ"},
                                                    {ElementType::Any, "any"}});
  if (o.role == Role::Descriptor) return "descriptor";
  return std::string(types[o.type]) + (o.role == Role::Base ? " in memory" : "");
}

// The names of operands in the form: of a group that repeats the first and the last.
struct Names {
  std::vector<std::string> first, last;
};
Names names_of(const OpcodeRow& row) {
  Names r;
  std::istringstream form{std::string(row.form)};
  std::vector<std::string> words{std::istream_iterator<std::string>(form), {}};
  const std::size_t count = row.operands.count, groups = row.operands.repeating;
  const std::size_t extras = words.size() - 1 - count - (groups > 0 ? groups + 1 : 0);
  const auto at = words.begin() + 1 + (row.extra == Extra::Failure ? 0 : static_cast<std::ptrdiff_t>(extras));
  r.first.assign(at, at + row.operands.count);
  if (groups > 0) r.last.assign(at + row.operands.count + 1, at + row.operands.count + 1 + row.operands.repeating);
  return r;
}

std::string operands_of(const OpcodeRow& row) {
  std::string r;
  const svcode::Operands& o = row.operands;
  for (std::size_t k = 0; k < o.count; ++k) r += (k == 0 ? "" : ", ") + shown(o[k]);
  return o.repeating > 0 ? r + ", ..." : r;
}
std::string counted(const Term& t, const OpcodeRow& row) {
  static constexpr auto signs = table<Count>(
      {{Count::Length, "#"}, {Count::Trues, "T "}, {Count::Children, "F "}, {Count::Sum, "Σ "}, {Count::Only, ""}});
  const std::string sign(signs[t.count]), of_only = t.count == Count::Only ? "_0" : "";
  const Names names = names_of(row);
  const auto first = static_cast<std::size_t>(t.of.first);
  if (t.of.step == 0) return sign + names.first[first] + of_only;
  return sign + names.first[first] + " + ... + " + sign + names.last[first - (names.first.size() - names.last.size())];
}
std::string length_of(const OpcodeRow& row) {
  std::string r;
  const auto add = [&](const std::string& term) { r += (r.empty() ? "" : " + ") + term; };
  for (std::size_t k = 0; k < row.length.count; ++k) add(counted(row.length.terms[k], row));
  if (row.length.more > 0) add(std::to_string(row.length.more));
  if (row.length.given) add("n");
  return r;
}

std::string table_of(bool fused) {
  static constexpr auto effects = table<Effect>(
      {{Effect::None, ""}, {Effect::ByOperator, "may trap"}, {Effect::Fails, "may trap"}, {Effect::Files, "files"}});
  std::string r =
      "| instruction | operands | gives | how many | what they are | besides |\n|---|---|---|---|---|---|\n";
  for (const OpcodeRow& row : network_rows())
    if (row.fused == fused)
      r += "| `" + std::string(row.form) + "` | " + operands_of(row) + " | " + shown({row.gives}) + " | " +
           length_of(row) + " | " + std::string(row.meaning) + " | " + std::string(effects[row.effect]) + " |\n";
  return r;
}
std::string reference() {
  return table_of(false) + "\nSeveral in one, of networks only ([`transducer`](../transducer)):\n\n" + table_of(true);
}
std::string with_reference(const std::string& readme) {
  const std::size_t from = readme.find(begins) + begins.size(), to = readme.find(ends);
  return readme.substr(0, from) + reference() + readme.substr(to);
}

}  // namespace

TEST_CASE("the README's table of instructions is what their rows say; update-golden writes it anew") {
  const std::string readme = content_of(readme_file);
  REQUIRE(readme.find(begins) < readme.find(ends));
  REQUIRE(readme.find(ends) != std::string::npos);
  if (const char* update = std::getenv("UPDATE_GOLDEN"); update && std::string(update) == "1")
    std::ofstream(readme_file) << with_reference(readme);
  else
    CHECK(readme == with_reference(readme));
}

TEST_CASE("a table that says anything else of an instruction is found, and so is one that is left out") {
  const std::string readme = content_of(readme_file);
  for (const OpcodeRow& row : network_rows()) {
    INFO(row.form);
    const std::size_t at = readme.find("| `" + std::string(row.form) + "` |"), next = readme.find('\n', at) + 1;
    REQUIRE(at != std::string::npos);
    std::string without = readme, wrong = readme;
    without.erase(at, next - at);
    wrong.insert(next - 1, " another");
    CHECK(with_reference(without) != without);
    CHECK(with_reference(wrong) != wrong);
  }
}
