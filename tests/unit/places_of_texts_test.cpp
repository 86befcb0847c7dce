// Lines of texts for devices and what of the source they are of.
#include <catch2/catch.hpp>

#include "codegen/targets/hip.h"
#include "codegen/targets/opencl.h"
#include "tests/unit/device_program.h"
#include "tests/unit/dpia_program.h"
#include "translate/dpia/stage.h"

namespace places_of_texts_test {
using namespace lockstep;

namespace {

const char* const program =
    "fun main [n] (xs : [8*n]i32) : ([8*n]i32, [8*n]i32) block 8 warp 4 grid 3 =\n"
    "  let ys = xs |> split 8\n"
    "    |> mapWorkgroup (\\b -> mapLocal (\\x -> x * 3) (toLocal (mapLocal (\\x -> x + 7)) b)) |> join in\n"
    "  (ys, mapGlobal (\\y -> y * 5) ys)\n";

std::string line_of(const std::string& text, std::size_t line) {
  std::size_t at = 0;
  while (--line > 0) at = text.find('\n', at) + 1;
  return text.substr(at, text.find('\n', at) - at);
}
host::Program hosted_program() {
  return hosted(dpia_trace(test::entry(program), test::calculus(), Machine::Gpu).kernel());
}

// Each line that is said to write an array does, and each array of the result is written by one.
void held_to_its_text(const std::string& text, const std::vector<TextPlace>& places, const host::Program& p) {
  CHECK(places.size() > 5);
  std::size_t stores = 0;
  for (const TextPlace& x : places) {
    INFO(x.line << ": " << line_of(text, x.line));
    REQUIRE(x.source.source);
    CHECK_THAT(x.kernel, Catch::Matchers::StartsWith("kernel_"));
    if (x.stores.empty()) continue;
    ++stores;
    CHECK_THAT(line_of(text, x.line), Catch::Matchers::Contains(x.stores + "_") && Catch::Matchers::Contains("] = "));
  }
  CHECK(stores >= 3);
  for (const kernel::Buffer& b : p.of.outputs)
    CHECK_THAT(writer_of(places, b.name), Catch::Matchers::Contains("of the text, of test.dpia:"));
}

}  // namespace

TEST_CASE("each line of a kernel is known with the source that it is of, in HIP and in OpenCL") {
  const host::Program p = hosted_program();
  const HipText hip = hip_text(p);
  held_to_its_text(hip.kernel, hip.places, p);
  const OpenClText opencl = opencl_text(p);
  held_to_its_text(opencl.host, opencl.places, p);
}

TEST_CASE("the line that writes a result is of the map that makes it") {
  const host::Program p = hosted_program();
  const HipText t = hip_text(p);
  const std::string by = writer_of(t.places, p.of.outputs.back().name);
  INFO(by);
  const std::size_t line = std::stoul(by.substr(by.find("line ") + 5));
  CHECK_THAT(line_of(t.kernel, line), Catch::Matchers::Contains("(uint32_t)5"));
  CHECK_THAT(by, Catch::Matchers::StartsWith("kernel_") && Catch::Matchers::Contains("test.dpia:4:"));
  CHECK(writer_of(t.places, "another") == "");
}

TEST_CASE("what is said of lines is followed by their source, each once; of other files and lines nothing is") {
  const auto source = std::make_shared<const Source>(Source{"a.dpia", "one\ntwo\n"});
  const std::vector<TextPlace> places{{10, "kernel_1", {source, 0, 3}, ""}, {12, "kernel_2", {source, 4, 7}, "r"}};
  CHECK(with_sources("a.hip:12: wrong\na.hip:11: wrong\na.hip:12: again\n", places, "a.hip:") ==
        "a.hip:12: wrong\na.hip:11: wrong\na.hip:12: again\nline 11 of the text is kernel_1's, of a.dpia:1:1\n"
        "line 12 of the text is kernel_2's, of a.dpia:2:1");
  CHECK(with_sources("a.hip(12): error: wrong", places, "a.hip:") ==
        "a.hip(12): error: wrong\nline 12 of the text is kernel_2's, of a.dpia:2:1");
  CHECK(with_sources("a.hip:9: wrong", places, "a.hip:") == "a.hip:9: wrong");
  CHECK(with_sources("b.hip:12: wrong", places, "a.hip:") == "b.hip:12: wrong");
  CHECK(with_sources("line 12", places, "") == "line 12");
  CHECK(writer_of(places, "r") == "kernel_2, line 12 of the text, of a.dpia:2:1");
}

}  // namespace places_of_texts_test
