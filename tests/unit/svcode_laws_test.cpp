// What the rows of opcodes.h say holds of what the eager interpreter gives; both interpreters give the same of each;
// and rows that say something else are found.
#include "svcode_laws.h"

namespace svcode_laws_test {
using namespace lockstep;
using namespace lockstep::svcode;
using namespace lockstep::svcode::test;

TEST_CASE("What every row says of lengths, segments and elements holds of what the eager interpreter gives") {
  for (const OpcodeRow& row : network_rows()) {
    INFO(row.name);
    const Found f = search(row);
    CHECK(f.what == "");
    CHECK(f.fitting >= 40);
  }
}

TEST_CASE("Both interpreters give the same of every instruction at chunks of one element and two") {
  for (const OpcodeRow& row : network_rows()) {
    if (row.opcode == Opcode::Input) continue;
    INFO(row.name);
    Draw draw(11);
    for (int k = 0; k < 2000; ++k) {
      const Drawn d = draw.instruction(row);
      const auto given = eagerly(row, d, {});
      if (!given) continue;
      for (const std::int64_t chunk : {1, 2}) {
        MemoryFiles files({{"", "xy"}, {"a", ""}, {"ab", "z"}});
        const Program p = alone(d);
        const auto run = run_chunked(p, d.operands, files, {chunk, {}, ChunkOptions::Order::Loop, 1});
        REQUIRE(run.has_value() == !given->trapped);
        if (!run) continue;
        INFO(print(p) << show(given->stream));
        REQUIRE(!run->deadlock);
        REQUIRE(run->run.result[0] == given->stream);
      }
    }
  }
}

TEST_CASE("A row that says something else is found") {
  const auto finds = [](OpcodeRow row, const std::string& what, auto change) {
    change(row);
    INFO(row.name << " " << what);
    CHECK(search(row).what == what);
  };
  for (const OpcodeRow& row : network_rows()) {
    if (row.length.known()) finds(row, "length", [](OpcodeRow& r) { ++r.length.more; });
    if (row.trues.known()) finds(row, "trues", [](OpcodeRow& r) { ++r.trues.more; });
    if (row.children.known()) finds(row, "children", [](OpcodeRow& r) { ++r.children.more; });
    if (row.undoes) finds(row, "undoes", [](OpcodeRow& r) { r.undoes = r.opcode; });
    if (row.elements.step > 0)
      finds(row, row.rule == ElementRule::Taken ? "elements" : "rule", [](OpcodeRow& r) { r.elements.step = 0; });
  }
  using enum Opcode;
  const auto rule = [](ElementRule e) { return [e](OpcodeRow& r) { r.rule = e; }; };
  const auto segments = [](SegmentRule s) { return [s](OpcodeRow& r) { r.segments = s; }; };
  finds(row_of(Cons), "elements", [](OpcodeRow& r) { r.elements = {}; });
  finds(row_of(Segscan), "elements", [](OpcodeRow& r) { r.elements = 0; });
  finds(row_of(Lens), "rule", rule(ElementRule::Emptiness));
  finds(row_of(Uempty), "rule", rule(ElementRule::Lengths));
  finds(row_of(Short), "rule", rule(ElementRule::Positions));
  finds(row_of(Ends), "unary", rule(ElementRule::Unary));
  finds(row_of(Uappend), "segments", segments(rows::kept(0)));
  finds(row_of(Usegsum), "segments", segments(rows::side_by_side));
  finds(row_of(Umerge), "segments", segments(rows::kept(0)));
  finds(row_of(Upack), "segments", segments(rows::numbered));
  finds(row_of(Ends), "segments", segments(rows::kept(0)));
  finds(row_of(Pack), "length", [](OpcodeRow& r) { r.length = rows::length_of(0); });
  finds(row_of(Pdist), "content", [](OpcodeRow& r) { r.content = Content::Same; });
  finds(row_of(Pack), "content", [](OpcodeRow& r) { r.content = Content::OfLength; });
  finds(row_of(Map), "effect", [](OpcodeRow& r) { r.effect = Effect::None; });
  finds(row_of(Check), "effect", [](OpcodeRow& r) { r.effect = Effect::None; });
}

}  // namespace svcode_laws_test
