// Narrow indices that do not fit: by a size that is not asked about, or by one that may be too large.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

// Of 5 bits, of which no index of these comes to more at the smallest sizes.
const char* const in_rows =
    "fun main [m n] (xss : [m][n]i32) : [m][n]i32 block 2 warp 2 grid 1 index 5 =\n"
    "  xss |> mapGlobal (mapSeq (\\x -> x + 1))\n";
const char* const in_blocks =
    "fun main [n] (xs : [2*n]i32) : [2*n]i32 block 2 warp 2 grid 2 index 4 =\n"
    "  xs |> split 2 |> mapWorkgroup (mapLocal (\\x -> x + 1)) |> join\n";
const char* const dealt_out_to_many =
    "fun main [n] (xs : [n]i32) : [n]i32 block 4 warp 2 grid 1 index 4 = xs |> mapGlobal (\\x -> x + 1)\n";

using Fitting = std::vector<Size>;
KernelTransform on_fitting(const std::function<Fitting(const Program&, Fitting)>& change) {
  return [change](const Program& p) {
    Program out = p;
    if (out.narrow) out.narrow = change(p, *out.narrow);
    return out;
  };
}
Fitting where_narrowed(const Program& seen, const Fitting& otherwise) {
  return narrowed(seen).narrow.value_or(otherwise);
}

}  // namespace

void width_mutants(std::vector<Mutant>& all) {
  const auto add = [plant = planting<&Mutant::tools>(all, "width")](
                       const char* name, const char* description,
                       const std::function<Fitting(const Program&, Fitting)>& change) {
    plant(name, description, tools_with("narrow", on_fitting(change)),
          {{in_rows, Machine::Gpu}, {in_blocks, Machine::Gpu}, {dealt_out_to_many, Machine::Gpu}});
  };
  add("width-of-sizes", "indices are narrow where the sizes fit, whatever is made of them",
      [](const Program&, const Fitting&) { return Fitting{}; });
  add("width-a-bit-less", "indices are narrow where half of each fits", [](const Program&, Fitting all) {
    for (Size& s : all) s = floor_div(s, 2);
    return all;
  });
  add("width-of-the-first", "of what has to fit the last is not asked about", [](const Program&, Fitting all) {
    if (!all.empty()) all.pop_back();
    return all;
  });
  add("width-without-the-next", "a loop's variable fits, what ends the loop need not",
      [](const Program& p, const Fitting& all) {
        return where_narrowed(on_dealt_loops([](ParallelFor& loop) { loop.units.reset(); })(p), all);
      });
  add("width-of-one-iteration", "a loop's variable is taken for 0", [](const Program& p, const Fitting& all) {
    return where_narrowed(on_statements([](const Stmt& s) {
                            Stmt out = s;
                            if (auto* loop = std::get_if<ParallelFor>(&out.node)) loop->extent = constant(1);
                            if (auto* loop = std::get_if<kernel::For>(&out.node)) loop->extent = constant(1);
                            return std::vector<Stmt>{std::move(out)};
                          })(p),
                          all);
  });
  add("width-of-sums", "products are taken for sums", [](const Program& p, const Fitting& all) {
    return where_narrowed(on_expressions([](const Expr& e) {
                            Expr out = e;
                            if (auto* a = std::get_if<Arith>(&out.node); a && a->op == ArithOp::Multiply)
                              a->op = ArithOp::Add;
                            return out;
                          })(p),
                          all);
  });
}

}  // namespace lockstep::props
