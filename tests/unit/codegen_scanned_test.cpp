// Loops that sum integers up to each place, as text in lanes: which loops, and that they compute what the interpreter
// does.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/unit/openmp_runs.h"

namespace codegen_scanned_test {
using namespace lockstep;
using namespace lockstep::kernel;

namespace {

std::string program(const std::string& type, const std::string& start, const std::string& body) {
  return "kernel p(n) input " + type + " xs[n]; output " + type + " r[n]; output " + type + " last[1]; { var " + type +
         " acc = " + start + "; for (i < n) { " + body + " } store last[0] = acc; }";
}
std::size_t lanes_of(const std::string& text) {
  const std::string source = openmp_source(program_from(text)), pragma = "reduction(inscan";
  std::size_t n = 0;
  for (std::size_t at = 0; (at = source.find(pragma, at)) != std::string::npos; at += pragma.size()) ++n;
  return n;
}
const std::vector<std::string> by_groups{"-DLOCKSTEP_LEAST_SCANNED=0", "-DLOCKSTEP_STREAMED_PART=16"};
bool is_by_groups(const std::string& text) {
  return openmp_source(program_from(text)).find("scan_groups()") != std::string::npos;
}
bool is_in_lanes(const std::string& text) { return lanes_of(text) > 0; }

}  // namespace

TEST_CASE("sums in lanes are what the interpreter computes, at every type and length", "[codegen]") {
  for (const std::string& type : std::vector<std::string>{"i8", "u32", "i64"}) {
    std::string outputs, loops;
    for (const std::string& op : std::vector<std::string>{"+", "*", "&", "|", "^"})
      for (const bool inclusive : {true, false}) {
        if (inclusive && (op == "|" || op == "^")) continue;
        const std::string r = "r" + std::to_string(std::count(loops.begin(), loops.end(), '<')), acc = "acc_" + r;
        const std::string step = acc + " = xs[i] " + op + "." + type + " " + acc + "; ";
        const std::string store = "store " + r + "[i] = " + acc + "; ";
        outputs += "output " + type + " " + r + "[n]; output " + type + " last_" + r + "[1]; ";
        loops += "var " + type + " " + acc + " = 3" + (type == "i64" ? "" : type) + "; for (i < n) { " +
                 (inclusive ? step + store : store + step) + "} store last_" + r + "[0] = " + acc + "; ";
      }
    const std::string text = "kernel p(n) input " + type + " xs[n]; " + outputs + "{ " + loops + "}";
    INFO(text);
    CHECK(lanes_of(text) == 24);  // three of each loop: in parts, by groups, and as it stands
    for (const std::int64_t n : {0, 1, 7, 100}) agree(text, n);
    agree(text, 100, all_in_parts);
    agree(text, 100, by_groups);
  }
  // what is stored is made of the sum, the step of other arrays and the loop's number
  const std::string more = program("i64", "0", "acc = (xs[i] *.i64 i) +.i64 acc; store r[i] = (acc < 50 ? acc : i);");
  CHECK(is_in_lanes(more));
  agree(more, 100);
}

TEST_CASE("the least and the greatest are what the interpreter computes, of zeros and NaNs too", "[codegen]") {
  const auto all = [](const std::string& type, const std::string& value, const std::string& start) {
    std::string outputs, loops;
    int k = 0;
    for (const std::string& op : std::vector<std::string>{"min", "max", "maximum"})
      for (const bool newer_first : {true, false})
        for (const bool inclusive : {true, false}) {
          if (!newer_first && (type == "f32" || inclusive)) continue;
          const std::string r = "r" + std::to_string(k++), acc = "acc_" + r;
          const std::string step =
              acc + " = " + op + "." + type + "(" + (newer_first ? value + ", " + acc : acc + ", " + value) + "); ";
          const std::string value_of = "(" + acc + " ==." + type + " " + acc + " ? " + acc + " : 5" + type + "); ";
          const std::string store = "store " + r + "[i] = " + value_of;  // NaNs have several bits
          outputs += "output " + type + " " + r + "[n]; output " + type + " last_" + r + "[1]; ";
          loops += "var " + type + " " + acc + " = " + start + "; for (i < n) { " +
                   (inclusive ? step + store : store + step) + "} store last_" + r + "[0] = " + value_of;
        }
    const std::string text = "kernel p(n) input " + type + " xs[n]; " + outputs + "{ " + loops + "}";
    INFO(text);
    CHECK(lanes_of(text) == 0);
    CHECK(is_by_groups(text));
    for (const std::int64_t n : {0, 1, 100, 3000}) agree(text, n, by_groups);
  };
  const std::string nan = "0f32 /.f32 0f32", zeros = "(xs[i] <.f32 7f32 ? xs[i] : 0f32 -.f32 xs[i]) *.f32 0f32";
  all("i32", "xs[i]", "50i32");
  all("f32", "xs[i]", "7f32");
  all("f32", zeros, "1f32");
  all("f32", zeros, "0f32 -.f32 1f32");
  all("f32", zeros, "0f32");
  agree(program("f32", "0f32", "acc = max.f32(" + zeros + ", acc); store r[i] = acc;"), 100, all_in_parts);
  all("f32", "(i % 5 == 0 ? " + nan + " : " + zeros + ")", "0f32");
  all("f32", "(i % 50 < 40 ? " + nan + " : xs[i])", nan);
}

TEST_CASE("a loop stays in order whose operator is not free of order, or that needs what another round made",
          "[codegen]") {
  const auto i64 = [](const std::string& body) { return is_in_lanes(program("i64", "0", body)); };
  CHECK(i64("acc = xs[i] +.i64 acc; store r[i] = acc;"));
  for (const char* body : {
           "acc = xs[i] -.i64 acc; store r[i] = acc;",
           "acc = max.i64(xs[i], acc); store r[i] = acc;",
           "acc = max.i64(acc, xs[i]); store r[i] = acc;",
           "acc = max.i64(acc, acc); store r[i] = acc;",
           "acc = acc +.i64 acc; store r[i] = acc;",
           "acc = (acc *.i64 xs[i]) +.i64 acc; store r[i] = acc;",
           "acc = xs[i] +.i64 acc; store r[acc] = 1;",
           "acc = r[n - 1 - i] +.i64 acc; store r[i] = acc;",
           "acc = xs[i] +.i64 acc; store r[i] = acc +.i64 r[0];",
           "acc = xs[i] +.i64 xs[0]; store r[i] = acc;",
           "acc = xs[i] +.i64 acc; acc = xs[0] +.i64 acc; store r[i] = acc;",
           "acc = xs[i] +.i64 acc; store r[i] = acc; store last[0] = acc;",
           "acc = xs[i]; store r[i] = acc;",
       }) {
    INFO(body);
    CHECK_FALSE(i64(body));
    CHECK(is_by_groups(program("i64", "0", body)) ==
          (std::string(body).find("max.i64(xs[i], acc)") < 9 || std::string(body).find("max.i64(acc, xs[i])") < 9));
  }
  CHECK_FALSE(is_in_lanes(program("f32", "0f32", "acc = xs[i] +.f32 acc; store r[i] = acc;")));
  CHECK_FALSE(is_by_groups(program("f32", "0f32", "acc = xs[i] +.f32 acc; store r[i] = acc;")));
  CHECK_FALSE(is_by_groups(program("f32", "0f32", "acc = max.f32(acc, xs[i]); store r[i] = acc;")));
}

}  // namespace codegen_scanned_test
