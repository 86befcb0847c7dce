// Places that arrays of a block share: while both are needed, too small, without a barrier between.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

// Two arrays that are needed at once.
const char* const together =
    "fun main [n] (xs : [4*n]i32) : [4*n]i32 =\n"
    "  xs |> split 4 |> mapWorkgroup (\\b ->\n"
    "    let s = toLocal (mapLocal (\\x -> x + 1)) b in\n"
    "    let t = toLocal (mapLocal (\\x -> x * 3)) (reverse s) in\n"
    "    zip s (reverse t) |> mapLocal (\\(x, y) -> x - y)) |> join\n";
// The second is of another type.
const char* const of_two_types =
    "fun main [n] (xs : [4*n]i32) : [4*n]i64 =\n"
    "  xs |> split 4 |> mapWorkgroup (\\b ->\n"
    "    let s = toLocal (mapLocal (\\x -> x + 1)) b in\n"
    "    let t = toLocal (mapLocal (\\x -> i64 x * 3)) (reverse s) in\n"
    "    mapLocal (\\x -> x - 1) (reverse t)) |> join\n";
// The third array could have the first one's place, if threads waited for each other before it is written.
const char* const unparted =
    "fun main [n] (xs : [4*n]i32) : [4*n]i32 =\n"
    "  xs |> split 4 |> mapWorkgroup (\\b ->\n"
    "    let s = toLocal (mapLocal (\\x -> x + 1)) b in\n"
    "    let t = toLocal (mapLocal (\\x -> x * 3)) (reverse s) in\n"
    "    let u = toLocal (mapLocal (\\x -> x - 1)) b in\n"
    "    zip t (reverse u) |> mapLocal (\\(x, y) -> x - y)) |> join\n";
// The first array is read before the third is written, and again when that has been.
const char* const read_again =
    "fun main [n] (xs : [4*n]i32) : [4*n]i32 =\n"
    "  xs |> split 4 |> mapWorkgroup (\\b ->\n"
    "    let s = toLocal (mapLocal (\\x -> x + 1)) b in\n"
    "    let t = toLocal (mapLocal (\\x -> x * 3)) (reverse s) in\n"
    "    let u = toLocal (mapLocal (\\x -> x - 1)) (reverse t) in\n"
    "    zip s (reverse u) |> mapLocal (\\(x, y) -> x - y)) |> join\n";
// Two of different lengths, the longer one after the shorter.
const char* const in_turn =
    "fun main [n] (xs : [8*n]i32) : [8*n]i32 =\n"
    "  xs |> split 8 |> mapWorkgroup (\\b ->\n"
    "    let s = toLocal (mapLocal (\\x -> x + 1)) (take 3 b) in\n"
    "    let t = toLocal (mapLocal (\\x -> x * 3)) (reverse s) in\n"
    "    let u = toLocal (mapLocal (\\x -> x - 1)) (concat (reverse t) (drop 3 b)) in\n"
    "    let v = toLocal (mapLocal (\\x -> x + 2)) (reverse u) in\n"
    "    mapLocal (\\x -> x * 5) (reverse v)) |> join\n";

// Of a block or warp, in the order of the text.
std::vector<Allocate> shared_arrays(const Program& p) {
  std::vector<Allocate> out;
  each_statement(p.body, [&](const Stmt& s) {
    if (const auto* a = std::get_if<Allocate>(&s.node); a && a->space == Space::Local) out.push_back(*a);
  });
  return out;
}

// The last array has the first one's place.
Program in_one_place(const Program& p) {
  const auto arrays = shared_arrays(p);
  if (arrays.size() < 2) return p;
  const Allocate &first = arrays.front(), &last = arrays.back();
  if (!(first.count == last.count)) return p;
  Program out = p;
  out.body = rename(rewritten(p.body, StmtChange([&](const Stmt& s) {
                                const auto* a = std::get_if<Allocate>(&s.node);
                                return a && a->name == last.name ? std::vector<Stmt>{} : std::vector<Stmt>{s};
                              })),
                    last.name, first.name);
  return out;
}

// The last array begins at the first one's last scalar.
Program overlapping(const Program& p) {
  const auto arrays = shared_arrays(p);
  if (arrays.size() < 2) return p;
  Program out = p;
  out.body = shift(out.body, arrays.back().name, arith(ArithOp::Subtract, arrays.front().count, constant(1)));
  out.body = rewritten(out.body, StmtChange([&](const Stmt& s) {
                         Stmt x = s;
                         if (auto* a = std::get_if<Allocate>(&x.node); a && a->space == Space::Local)
                           a->count = arith(ArithOp::Add, arrays.front().count, arrays.back().count);
                         return std::vector<Stmt>{std::move(x)};
                       }));
  return in_one_place(out);
}

// Every array that took another's place leaves it the size that this one had.
Program too_small(const Program& p, const Program& before) {
  std::map<std::string, Expr> counts;
  for (const Allocate& a : shared_arrays(before)) counts.emplace(a.name, a.count);
  return on_statements([&](const Stmt& s) {
    Stmt out = s;
    if (auto* a = std::get_if<Allocate>(&out.node); a && counts.contains(a->name)) a->count = counts.at(a->name);
    return std::vector<Stmt>{std::move(out)};
  })(p);
}

// Of two arrays whose sizes a launch knows.
const char* const of_launch =
    "fun main [n] (t : nat) (xs : [n][t]i32) (ys : [n][t]i64) : [n][t]i64 =\n"
    "  zip xs ys |> mapWorkgroup (\\(b, c) ->\n"
    "    let s = toLocal (mapLocal (\\x -> x + 1)) b in\n"
    "    let u = toLocal (mapLocal (\\x -> x * 3)) c in\n"
    "    zip (reverse s) (reverse u) |> mapLocal (\\(x, y) -> i64 x - y))\n";

// Where an array begins that does not begin first.
Program beginning(const Program& p, const std::function<Expr(const Allocate&)>& at) {
  return on_statements([&](const Stmt& s) {
    Stmt out = s;
    if (auto* a = std::get_if<Allocate>(&out.node); a && a->at && !(*a->at == constant(0))) a->at = at(*a);
    return std::vector<Stmt>{std::move(out)};
  })(p);
}

}  // namespace

void place_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "places");
  add("places-together", "two arrays have one place while both are needed", tools_with("places", in_one_place),
      {{together, Machine::Gpu}});
  add("places-cut", "an array's place is taken when it has been read once, before it is read for the last time",
      tools_with("places", in_one_place), {{read_again, Machine::Gpu}});
  add("places-overlap", "two arrays that are needed at once have a scalar in common", tools_with("places", overlapping),
      {{together, Machine::Gpu}});
  add("places-of-another-type", "an array has the place of one whose elements are of another type",
      tools_with("places", in_one_place), {{of_two_types, Machine::Gpu}});
  add("places-too-small", "a place is as large as the first array that has it", tools_with("places", too_small),
      {{in_turn, Machine::Gpu}});
  add("places-offset-halved", "an array begins in the middle of the one before it",
      tools_with("places",
                 [](const Program& p) {
                   return beginning(p, [](const Allocate& a) {
                     return size_expr(floor_div(*as_size(*a.at), 2 * bytes_of(a.type.scalar)) *
                                      Size(bytes_of(a.type.scalar)));
                   });
                 }),
      {{of_launch, Machine::Gpu}});
  add("places-offset-between", "an array begins between two of its scalars",
      tools_with("places",
                 [](const Program& p) {
                   return beginning(p, [](const Allocate& a) { return arith(ArithOp::Add, *a.at, constant(2)); });
                 }),
      {{of_launch, Machine::Gpu}});
  add("places-after-barriers", "an array takes a place when barriers stand already", tools_with_last(in_one_place),
      {{unparted, Machine::Gpu}});
}

}  // namespace lockstep::props
