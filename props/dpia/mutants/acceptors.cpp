// Acceptor clauses swapped, dropped, or one off (Fig. 5a, 6b).
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/paths.h"

namespace lockstep::props {
namespace {

PhraseRef without_first_component(const PhraseRef& p) {
  const auto* x = use_of<imp::Assign>(*p);
  const auto* a = x ? as<PrimPhrase>(*x->arguments[0]) : nullptr;
  return a && a->primitive->name == "pair" && a->acceptor == 0 ? skip() : p;
}

// As a row's element is read through swizzle.
Path turned_back(const Instance& at, Path p) {
  const Size i = first_index(p), j = second_index(p), n = at.size(1);
  return replace_front(p, 2, {PathIndex{i}, PathIndex{modulo(j + n - modulo(i, n), n)}});
}

void turned_acceptors(std::vector<Mutant>& all) {
  const std::vector<DirectedProgram> written_turned{
      {"fun main [m n] (xs : [m][n]i32) : [m][n]i32 = swizzle (map (map (\\x -> x + 1)) xs)\n"}};
  const auto add_directed = planting<&Mutant::calculus>(all, "acceptor");
  add_directed("swizzle-acceptor", "swizzleAcc turns rows back: it is no inverse", with_path("swizzle", 0, turned_back),
               written_turned);
  add_directed("swizzle-acceptor-by-one", "swizzleAcc turns rows by one more than their number",
               with_path("swizzle", 0,
                         [](const Instance& at, Path p) {
                           const Size i = first_index(p), j = second_index(p), n = at.size(1);
                           return replace_front(p, 2, {PathIndex{i}, PathIndex{modulo(i + j + Size(1), n)}});
                         }),
               written_turned);
  const std::vector<DirectedProgram> matrices{
      {"fun main [l m n] (xs : [l][m][n]i32) : [l][n][m]i32 = mapTranspose (map (map (map (\\x -> x + 1))) xs)\n"}};
  add_directed("mapTranspose-acceptor", "mapTransposeAcc writes rows as rows",
               with_path("mapTranspose", 0, [](const Instance&, Path p) { return p; }), matrices);
  add_directed("mapTranspose-acceptor-outer", "mapTransposeAcc transposes the matrices' numbers and rows too",
               with_path("mapTranspose", 0,
                         [](const Instance&, Path p) {
                           return replace_front(p, 3, {p.at(2), p.at(0), p.at(1)});
                         }),
               matrices);
}

}  // namespace

void acceptor_mutants(std::vector<Mutant>& all) {
  const auto add = [&](const char* name, const char* description, MakeCalculus make) {
    all.push_back({name, "acceptor", description, std::move(make)});
  };
  const auto swapped_paths = [](View& v) { std::swap(v.acceptors[0].path, v.acceptors[1].path); };
  const auto swapped_arguments = [](View& v) { std::swap(v.acceptors[0].argument, v.acceptors[1].argument); };

  add("zip-acceptors", "zipAcc1 writes the second component", with_path("zip", 0, [](const Instance&, Path p) {
        const PathStep i = p.at(0);
        return replace_front(p, 1, {i, PathProjection{2}});
      }));
  add("zip-acceptors-swapped", "zip's two acceptors are given to each other's argument",
      altered<View>("zip", swapped_arguments));
  add("zip-acceptor-dropped", "zip's second array is not written", without_acceptor("zip", 1));
  add("pair-acceptors-swapped", "each of pair's acceptors writes the other component",
      altered<View>("pair", swapped_paths));
  all.push_back({"pair-acceptor-dropped", "acceptor", "a pair's first component is not written", standard_calculus,
                 tools_with("translate", on_phrases(without_first_component))});
  add("unzip-acceptor", "unzipAcc exchanges the components", with_path("unzip", 0, [](const Instance&, Path p) {
        const PathStep i = p.at(0);
        return replace_front(p, 2, {PathProjection{3 - component_of(p.at(1))}, i});
      }));
  add("split-acceptor", "splitAcc divides by the wrong one of its two sizes, as in the paper's Fig. 6b",
      with_path("split", 0, [](const Instance& at, Path p) {
        const Size i = first_index(p);
        return replace_front(p, 1, {PathIndex{floor_div(i, at.size(1))}, PathIndex{modulo(i, at.size(1))}});
      }));
  add("split-acceptor-rounds-up", "splitAcc's division rounds up",
      with_path("split", 0, [](const Instance& at, Path p) {
        const Size i = first_index(p), k = at.size(0);
        return replace_front(p, 1, {PathIndex{floor_div(i + k - Size(1), k)}, PathIndex{modulo(i, k)}});
      }));
  add("join-acceptor", "joinAcc takes the row for the column", with_path("join", 0, [](const Instance& at, Path p) {
        return replace_front(p, 2, {PathIndex{second_index(p) * at.size(0) + first_index(p)}});
      }));
  add("join-acceptor-stride", "joinAcc's rows lie as far apart as there are rows",
      with_path("join", 0, [](const Instance& at, Path p) {
        return replace_front(p, 2, {PathIndex{first_index(p) * at.size(0) + second_index(p)}});
      }));
  add("transpose-acceptor", "transposeAcc writes rows as rows",
      with_path("transpose", 0, [](const Instance&, Path p) { return p; }));
  add("concat-acceptor", "concatAcc2 forgets how long the first array is",
      with_path("concat", 1, [](const Instance&, Path p) { return p; }));
  add("concat-acceptor-length", "concatAcc2 starts after as many elements as the second array has",
      with_path("concat", 1, [](const Instance& at, Path p) {
        return replace_front(p, 1, {PathIndex{at.size(1) + first_index(p)}});
      }));
  add("concat-acceptor-dropped", "concat's first array is not written", without_acceptor("concat", 0));
  turned_acceptors(all);
  add("reverse-acceptor", "reverseAcc is off by one", with_path("reverse", 0, [](const Instance& at, Path p) {
        return replace_front(p, 1, {PathIndex{at.size(0) - first_index(p)}});
      }));
  add("reverse-acceptor-forwards", "reverseAcc writes from the front",
      with_path("reverse", 0, [](const Instance&, Path p) { return p; }));
  add("as-vector-acceptor", "asVectorAcc fills the lanes backwards",
      with_path("asVector", 0, [](const Instance& at, Path p) {
        const Size i = first_index(p), w = at.size(0);
        return replace_front(p, 1, {PathIndex{floor_div(i, w)}, PathLane{w - Size(1) - modulo(i, w)}});
      }));
  add("as-scalar-acceptor", "asScalarAcc lays whole vectors one element apart",
      with_path("asScalar", 0, [](const Instance&, Path p) {
        const Size lane = p.size() == 2 ? std::get<PathLane>(p[1]).lane : Size::name("$lane");
        return path_of({PathIndex{first_index(p) + lane}});
      }));
}

}  // namespace lockstep::props
