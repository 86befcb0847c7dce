// Read paths of views: one off, swapped, or at the wrong edge (Fig. 6c).
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/paths.h"

namespace lockstep::props {
namespace {

// The padding's edges, each inclusive or not, and whether the start is taken off the index.
struct PadEdges {
  bool strictly_after = false, up_to_the_end = false, shifted = true;
};
MakeCalculus pad_with(const PadEdges& edges) {
  return with_read("pad", [edges](PathReader& r, const Instance& at, Path p) {
    const Size i = first_index(p), l = at.size(0), n = at.size(2);
    const SizeFact after{l, edges.strictly_after ? SizeRelation::Less : SizeRelation::LessEqual, i};
    const SizeFact before{i, edges.up_to_the_end ? SizeRelation::LessEqual : SizeRelation::Less, l + n};
    const kernel::Expr is_after = r.test(after), is_before = r.test(before);
    return r.choose(
        kernel::arith(kernel::ArithOp::And, is_after, is_before),
        [&] { return r.read(1, replace_front(p, 1, {PathIndex{edges.shifted ? i - l : i}})); },
        [&] { return r.read(0, replace_front(p, 1, {})); });
  });
}

MakeCalculus concat_with(SizeRelation first, bool shifted) {
  return with_read("concat", [first, shifted](PathReader& r, const Instance& at, Path p) {
    const Size i = first_index(p), n = at.size(0);
    return r.choose(
        r.test({i, first, n}), [&] { return r.read(0, p); },
        [&] { return r.read(1, replace_front(p, 1, {PathIndex{shifted ? i - n : i}})); });
  });
}

// The scalars of a short vector: of lane l, scalar place(l).
MakeCalculus lanes_at(std::function<Size(const Size& w, const Size& lane)> place) {
  return with_read("asVector", [place](PathReader& r, const Instance& at, Path p) {
    const Size i = first_index(p), w = at.size(0);
    const auto scalar_at = [&](const Size& lane) { return r.read(0, path_of({PathIndex{i * w + place(w, lane)}})); };
    if (p.size() == 2) return scalar_at(std::get<PathLane>(p[1]).lane);
    return r.lanes(static_cast<int>(*w.constant()), scalar_at);
  });
}

// Argument 0 at an index made from the path's first.
MakeCalculus moved(const char* name, std::function<Size(const Instance&, const Size&)> index) {
  return with_read(name, [index](PathReader& r, const Instance& at, Path p) {
    return index_read(r, p, 1, index(at, first_index(p)));
  });
}

void moving_reads(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::calculus>(all, "read path");
  const std::vector<DirectedProgram> rows{
      {"fun main [n] (xs : [3*n]i32) : [n]i32 = map (reduce (\\x a -> x - a) 0) (split 3 xs)\n"}};
  const auto folded = [](const std::string& view) {
    return "fun main [m n] (xs : [m][n]i32) : [m]i32 = map (reduce (\\x a -> x - 2 * a) 0) (" + view + " xs)\n";
  };
  const std::vector<DirectedProgram> turned{{folded("swizzle")}, {folded("unswizzle")}};
  const std::vector<DirectedProgram> cubes{
      {"fun main [l m n] (xs : [l][m][n]i32) : [l][n]i32 = map (map (reduce (\\x a -> x - 2 * a) 0)) (mapTranspose "
       "xs)\n"}};
  const std::vector<DirectedProgram> windows{
      {"fun main [n] (xs : [3+2*n]i32) : [n+1]i32 = map (reduce (\\x a -> x - a) 0) (slide 3 2 xs)\n"}};
  add("split-read", "split reads one element too far",
      with_read("split", [](PathReader& r, const Instance& at, Path p) {
        return index_read(r, p, 2, first_index(p) * at.size(0) + second_index(p) + Size(1));
      }));
  add("split-read-columns", "split takes every m-th element for a row",
      with_read("split", [](PathReader& r, const Instance& at,
                            Path p) { return index_read(r, p, 2, second_index(p) * at.size(1) + first_index(p)); }),
      rows);
  add("join-read", "join takes quotient and remainder for each other",
      with_read("join", [](PathReader& r, const Instance& at, Path p) {
        const Size i = first_index(p), k = at.size(1);
        return r.read(0, replace_front(p, 1, {PathIndex{modulo(i, k)}, PathIndex{floor_div(i, k)}}));
      }));
  add("join-read-rounds-up", "join's division rounds up",
      with_read("join", [](PathReader& r, const Instance& at, Path p) {
        const Size i = first_index(p), k = at.size(1);
        return r.read(0, replace_front(p, 1, {PathIndex{floor_div(i + k - Size(1), k)}, PathIndex{modulo(i, k)}}));
      }));
  add("transpose-read", "transpose reads rows as rows",
      with_read("transpose", [](PathReader& r, const Instance&, Path p) { return r.read(0, std::move(p)); }));
  add("mapTranspose-read", "mapTranspose reads rows as rows",
      with_read("mapTranspose", [](PathReader& r, const Instance&, Path p) { return r.read(0, std::move(p)); }), cubes);
  add("swizzle-read", "swizzle reads as unswizzle does",
      with_read("swizzle",
                [](PathReader& r, const Instance& at, Path p) {
                  const Size i = first_index(p), j = second_index(p);
                  return r.read(0, replace_front(p, 2, {PathIndex{i}, PathIndex{modulo(i + j, at.size(1))}}));
                }),
      turned);
  add("unswizzle-read", "unswizzle does not turn",
      with_read("unswizzle", [](PathReader& r, const Instance&, Path p) { return r.read(0, std::move(p)); }), turned);
  add("slide-read", "slide ignores its stride",
      with_read("slide", [](PathReader& r, const Instance&,
                            Path p) { return index_read(r, p, 2, first_index(p) + second_index(p)); }),
      windows);
  add("slide-read-width", "slide's windows lie their width apart",
      with_read("slide", [](PathReader& r, const Instance& at,
                            Path p) { return index_read(r, p, 2, first_index(p) * at.size(0) + second_index(p)); }),
      windows);
  add("drop-read", "drop reads from the start", moved("drop", [](const Instance&, const Size& i) { return i; }));
  add("drop-read-early", "drop starts one element too early",
      moved("drop", [](const Instance& at, const Size& i) { return at.size(0) + i - Size(1); }));
  add("take-read", "take reads what drop does",
      moved("take", [](const Instance& at, const Size& i) { return at.size(0) + i; }));
  add("reverse-read", "reverse starts behind the last element",
      moved("reverse", [](const Instance& at, const Size& i) { return at.size(0) - i; }));
  add("iota-read", "iota starts at one",
      with_read("iota", [](PathReader& r, const Instance&, Path p) { return r.number(first_index(p) + Size(1)); }));
  add("lanes-read", "asVector takes its lanes backwards",
      lanes_at([](const Size& w, const Size& lane) { return w - Size(1) - lane; }));
  add("lanes-read-first", "asVector fills every lane with the first",
      lanes_at([](const Size&, const Size&) { return Size(0); }));
  add("as-scalar-read", "asScalar takes quotient and remainder for each other",
      with_read("asScalar", [](PathReader& r, const Instance& at, Path p) {
        const Size i = first_index(p), m = at.size(0);
        return r.read(0, path_of({PathIndex{modulo(i, m)}, PathLane{floor_div(i, m)}}));
      }));
}

}  // namespace

void read_mutants(std::vector<Mutant>& all) {
  moving_reads(all);
  const auto add = [&](const char* name, const char* description, MakeCalculus make) {
    all.push_back({name, "read path", description, std::move(make)});
  };
  add("pad-read", "pad takes its first element for padding", pad_with({.strictly_after = true}));
  add("pad-read-end", "pad reads one element behind the array", pad_with({.up_to_the_end = true}));
  add("pad-read-shift", "pad reads as if nothing stood before the array", pad_with({.shifted = false}));
  add("concat-read-edge", "concat reads one element behind the first array",
      concat_with(SizeRelation::LessEqual, true));
  add("concat-read-shift", "concat reads the second array from the wrong start",
      concat_with(SizeRelation::Less, false));
  add("gather-read", "gather reads at the position, not at the index found there",
      with_read("gather", [](PathReader& r, const Instance&, Path p) { return r.read(1, std::move(p)); }));
  add("select-read", "select takes the other argument", with_read("select", [](PathReader& r, const Instance&, Path p) {
        return r.choose(
            r.read(0, {}), [&] { return r.read(2, p); }, [&] { return r.read(1, p); });
      }));
  add("zip-read", "zip's components are read from each other's array",
      with_read("zip", [](PathReader& r, const Instance&, Path p) {
        const PathStep i = p.at(0);
        return r.read(static_cast<std::size_t>(2 - component_of(p.at(1))), replace_front(p, 2, {i}));
      }));
  add("fst-read", "fst reads the second component", with_read("fst", [](PathReader& r, const Instance&, Path p) {
        return r.read(0, replace_front(p, 0, {PathProjection{2}}));
      }));
  add("unzip-read", "unzip exchanges the components", with_read("unzip", [](PathReader& r, const Instance&, Path p) {
        const PathStep i = p.at(1);
        return r.read(0, replace_front(p, 2, {i, PathProjection{3 - component_of(p.at(0))}}));
      }));
  add("index-read", "an array is read at its first element whatever the index",
      with_read("!",
                [](PathReader& r, const Instance&, Path p) { return r.read(0, replace_front(p, 0, {PathIndex{0}})); }));
}

}  // namespace lockstep::props
