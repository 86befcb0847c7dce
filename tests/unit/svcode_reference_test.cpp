// The README's table of SVCODE's instructions is what their rows say.
#include <fstream>

#include "svcode_program.h"
#include "svcode_reference.h"

namespace svcode_reference_test {
using namespace lockstep;
using namespace lockstep::svcode;
using namespace lockstep::svcode::test;

namespace {

const std::string readme_file = LOCKSTEP_SOURCE_DIR "/semantics/svcode/README.md";
const std::string begins = "<!-- instructions -->\n", ends = "<!-- /instructions -->\n";

std::string content_of(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string table_of(bool fused) {
  std::string r =
      "| instruction | operands | gives | how many | what they are | besides |\n|---|---|---|---|---|---|\n";
  for (const OpcodeRow& row : network_rows())
    if (row.fused == fused) r += line_of(row);
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

}  // namespace svcode_reference_test
