// Arrays of a block, or of a warp, that share a place: which do, which must not, and what is proved of it.
#include <catch2/catch.hpp>

#include "proofs/kernel/parts.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace places_test {
using namespace lockstep;
using namespace lockstep::kernel;
using proofs::kernels::ProgramObligation;
using proofs::kernels::Prover;

namespace {

std::string in_block(const std::string& body) {
  return "kernel p(n) output i64 r[8 * n]; parallel workgroup (g < n) { " + body + " }";
}
const std::string result = "parallel local (z < 8) { store r[8 * g + z] = ";  // an expression in z

// Program -> program, without barriers before and after.
Program placed(const std::string& text) {
  return apply<Program>(places(dpia_languages(std::make_shared<const Calculus>(standard_calculus())).before_barriers),
                        dealt_out_from(text));
}
// Names and counts of the arrays that a group has in common.
std::map<std::string, std::string> arrays(const Program& p) {
  std::map<std::string, std::string> out;
  each_statement(p.body, [&](const Stmt& s) {
    if (const auto* a = std::get_if<Allocate>(&s.node); a && a->space == Space::Local) out[a->name] = print(a->count);
  });
  return out;
}
std::size_t arrays_of(const std::string& body) {
  const Program p = placed(in_block(body));
  INFO(print(p));
  CHECK(check(p).empty());
  return arrays(p).size();
}

// Four arrays one after the other, each read by other threads than wrote it; the third of a type.
std::string chain(const std::string& count = "8", const std::string& third = "i64") {
  const std::string one = third == "i64" ? "b[7 - l]" : "(b[7 - l] < 4 ? 1f32 : 2f32)";
  const std::string back = third == "i64" ? "c[7 - l]" : "(c[7 - l] <.f32 2f32 ? 1 : 2)";
  const auto step = [](const std::string& to, const std::string& value) {
    return "parallel local (l < 8) { store " + to + "[l] = " + value + "; } ";
  };
  return "alloc i64 a[8] @local; alloc i64 b[8] @local; alloc " + third + " c[" + count + "] @local; alloc i64 d[" +
         count + "] @local; " + step("a", "l") + step("b", "a[7 - l]") + step("c", one) + step("d", back) + result +
         "d[7 - z]; }";
}

// Obligations of what one program had and the other has.
std::vector<ProgramObligation> owed(const std::string& before, const std::string& after) {
  Prover prover(500);
  return proofs::kernels::places_obligations(dealt_out_from(in_block(before)), dealt_out_from(in_block(after)), prover);
}
Standing standing(const std::string& before, const std::string& after) {
  const auto all = owed(before, after);
  REQUIRE(all.size() == 1);
  INFO(all[0].name << ": " << all[0].detail);
  return all[0].standing;
}

}  // namespace

TEST_CASE("an array takes the place of one that is read no more") {
  const Program p = placed(in_block(chain()));
  CHECK(arrays(p) == std::map<std::string, std::string>{{"a", "8"}, {"b", "8"}});
  CHECK(arrays_of(chain("8", "f32")) == 3);  // of another type
}

TEST_CASE("a place is as large as the largest array that has it") {
  CHECK(arrays(placed(in_block(chain("12")))) == std::map<std::string, std::string>{{"a", "12"}, {"b", "12"}});
  CHECK(arrays(placed(in_block(chain("8 + n")))) == std::map<std::string, std::string>{{"a", "8 + n"}, {"b", "8 + n"}});
  CHECK(arrays(placed(in_block(chain("4")))) == std::map<std::string, std::string>{{"a", "8"}, {"b", "8"}});
  // Which is larger hangs on n.
  CHECK(arrays_of(chain("n")) == 4);
}

TEST_CASE("arrays that are needed together have a place each") {
  const std::string start =
      "alloc i64 a[8] @local; alloc i64 b[8] @local; parallel local (l < 8) { store a[l] = l; } parallel local (m < 8) "
      "{ store b[m] = a[7 - m]; } ";
  CHECK(arrays_of(start + result + "a[z] +.i64 b[7 - z]; }") == 2);
  // One is read again when the other has been.
  CHECK(arrays_of("alloc i64 a[8] @local; alloc i64 b[8] @local; alloc i64 c[8] @local; parallel local (l < 8) { store "
                  "a[l] = l; } parallel local (m < 8) { store b[m] = a[7 - m]; } parallel local (k < 8) { store c[k] = "
                  "b[7 - k]; } " +
                  result + "c[7 - z]; } parallel local (y < 8) { store r[8 * g + y] = a[7 - y]; }") == 3);
  // In a branch, and in a loop that comes back to the first.
  CHECK(
      arrays_of("alloc i64 a[8] @local; alloc i64 b[8] @local; for (k < 3) { parallel local (l < 8) { store a[l] = l; "
                "} parallel local (m < 8) { store b[m] = a[7 - m]; } } " +
                result + "b[7 - z]; }") == 2);
  CHECK(arrays_of("alloc i64 a[8] @local; alloc i64 b[8] @local; parallel local (l < 8) { store a[l] = l; } if (g < 3) "
                  "{ parallel local (m < 8) { store b[m] = a[7 - m]; } parallel local (l < 8) { store a[l] = b[l]; } } "
                  "else { } " +
                  result + "a[7 - z]; }") == 2);
}

TEST_CASE("no place is shared where that takes a barrier more") {
  // c could have a's place, but b is written without a barrier before c.
  const std::string body =
      "alloc i64 a[8] @local; alloc i64 b[8] @local; alloc i64 c[8] @local; "
      "parallel local (l < 8) { store a[l] = l; } parallel local (l < 8) { store b[l] = a[7 - l]; } "
      "parallel local (l < 8) { store c[l] = l + 1; } " +
      result + "b[z] +.i64 c[7 - z]; }";
  CHECK(arrays_of(body) == 3);
}

TEST_CASE("the lanes of a warp share places, too") {
  std::string lanes = chain();
  const std::string block =
      "kernel p(n) output i64 r[8 * n]; parallel workgroup (g < n) { parallel warp (w < 1) { " + lanes + " } }";
  CHECK(arrays(placed(block)).size() == 2);
}

TEST_CASE("what takes a place is proved to be used after it, and written before it is read") {
  const std::string ab = "alloc i64 a[8] @local; alloc i64 b[8] @local; ", a = "alloc i64 a[8] @local; ";
  const std::string first = "parallel local (l < 8) { store a[l] = l; } ";
  const auto second = [](const std::string& name, const std::string& value) {
    return "parallel local (m < 8) { store " + name + "[m] = " + value + "; } ";
  };
  const auto last = [](const std::string& value) { return result + value + "; }"; };
  CHECK(standing(ab + first + second("b", "m") + last("b[z]"), a + first + second("a", "m") + last("a[z]")) ==
        Standing::Proved);
  // Read later, in the same statement, in a loop that comes back.
  CHECK(standing(ab + first + second("b", "m") + last("a[z] +.i64 b[z]"),
                 a + first + second("a", "m") + last("a[z] +.i64 a[z]")) == Standing::Unknown);
  CHECK(standing(ab + first + second("b", "a[m]") + last("b[z]"), a + first + second("a", "a[m]") + last("a[z]")) ==
        Standing::Unknown);
  const auto behind = [](const std::string& name) {
    return "parallel local (y < 8) { store r[8 * g + y] = " + name + "[y]; } ";
  };
  CHECK(standing(ab + first + second("b", "m") + last("a[z]") + behind("b"),
                 "alloc i64 b[8] @local; parallel local (l < 8) { store b[l] = l; } " + second("b", "m") +
                     last("b[z]") + behind("b")) == Standing::Unknown);
  CHECK(standing(ab + "for (k < 2) { " + first + second("b", "m") + " } " + last("b[z]"),
                 a + "for (k < 2) { " + first + second("a", "m") + " } " + last("a[z]")) == Standing::Unknown);
  // What is left of the other array is not the array's own.
  CHECK(standing(ab + first + "parallel local (m < 7) { store b[m] = m; } " + last("b[z]"),
                 a + first + "parallel local (m < 7) { store a[m] = m; } " + last("a[z]")) != Standing::Proved);
  // Another program.
  CHECK(standing(ab + first + second("b", "m") + last("b[z]"), a + first + second("a", "m") + last("a[7 - z]")) ==
        Standing::Unknown);
  // Memory of another type, or that another iteration has.
  CHECK(standing("alloc i64 a[8] @local; alloc i32 b[8] @local; " + first + second("b", "1i32") + last("z"),
                 a + first + second("a", "1i32") + last("z")) == Standing::Unknown);
}

}  // namespace places_test
