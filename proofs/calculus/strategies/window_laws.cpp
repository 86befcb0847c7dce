// Windows in tiles, and of rows and columns in either order, for all lengths, element by element. Element [i][j][..] of
// windows: i the window of rows, j that of columns, v and u the row and the column within them.
#include "proofs/calculus/strategies/folds.h"

namespace lockstep::proofs {
namespace {

using namespace folds;

const Term of_rows = name("i"), other = name("j"), row_in = name("v"), column_in = name("u"), window_width = name("w"),
           stride = name("s"), wide = name("x"), further = name("y"), tile = name("b"), in_tile = name("a"),
           tiles = name("m"), tile_size = name("k"), before = name("l"), behind = name("r"), across = name("n"),
           down = name("d"), single = number(1);
const ArrayTerm grid = array_named("xs");

// windows of w elements, s apart; m + 1 of them
ArrayTerm windows(const Term& w, const Term& s, const Term& m, const ArrayTerm& a) {
  return through("slide", {{"w", w}, {"s", s}, {"m", m}}, {a});
}
ArrayTerm flipped(const Term& n, const Term& m, const ArrayTerm& a) {
  return through("transpose", {{"n", n}, {"m", m}}, {a});
}
ArrayTerm at_first(const ArrayTerm& a, const Term& i) {
  return [a, i](const std::vector<Term>& at) {
    std::vector<Term> all{i};
    all.insert(all.end(), at.begin(), at.end());
    return a(all);
  };
}
ArrayTerm joined_rows(const Term& m, const Term& k, const ArrayTerm& a) {
  return through("join", {{"m", m}, {"k", k}}, {a});
}

// Tile b as `step` apart, its window a.
ArrayTerm in_tiles(const Term& step) {
  const ArrayTerm all = windows(window_width + stride * (tile_size - single), step, tiles - single, grid);
  return [all](const std::vector<Term>& at) {
    return windows(window_width, stride, tile_size - single, at_first(all, at.at(0)))({at.at(1), at.at(2)});
  };
}

const std::vector<Term> in_a_tile = {at_most(single, window_width), at_most(single, stride),
                                     at_most(single, tile_size),    within(tile, tiles),
                                     within(in_tile, tile_size),    within(row_in, window_width)};

// Columns l more before and r more behind.
ArrayTerm padded_columns(const Term& rows, const ArrayTerm& a, const Term& l = before, const Term& r = behind) {
  const ArrayTerm filled = [](const std::vector<Term>&) { return name("e", element_sort); };
  return through("pad", {{"l", l}, {"r", r}, {"n", across}}, {filled, flipped(rows, across, a)});
}

Obligation element_law(const std::string& subject, const std::string& claim, std::vector<Term> hypotheses,
                       const Term& left, const Term& right, std::vector<std::string> sizes, bool wrong = false) {
  const Case only{{std::move(hypotheses), equal(left, right), std::move(sizes)}};
  return {"strategies", subject, claim, [=](const Solver& solver) { return decide_all({only}, 10000, solver); }, wrong};
}

const std::vector<std::string> tile_sizes{"k", "m", "s", "w"};
const std::vector<Term> positive = {at_most(single, window_width), at_most(single, stride), at_most(single, wide),
                                    at_most(single, further)};

// The windows of columns of the window of rows i, and the windows of rows of that of columns j.
Term columns_of_rows() {
  const ArrayTerm rows = at_first(windows(window_width, stride, tiles, grid), of_rows);
  return windows(wide, further, tile_size, flipped(window_width, across, rows))({other, column_in, row_in});
}
Term rows_of_columns(const ArrayTerm& columns) {
  const ArrayTerm of = at_first(windows(wide, further, tile_size, columns), other);
  return windows(window_width, stride, tiles, flipped(wide, down, of))({of_rows, row_in, column_in});
}

// Rows i of m arrays of k elements each, joined, at b * k + a.
Term row_joined() { return joined_rows(tiles, tile_size, at_first(grid, of_rows))({tile * tile_size + in_tile}); }
ArrayTerm columns_turned(const ArrayTerm& a) {
  return [a](const std::vector<Term>& at) {
    return flipped(down, tile_size, at_first(a, at.at(0)))({at.at(1), at.at(2)});
  };
}

}  // namespace

std::vector<Obligation> window_laws() {
  const Term here = tile * tile_size + in_tile;
  const ArrayTerm padded = flipped(across, down, padded_columns(down, grid));
  const ArrayTerm rows = at_first(windows(window_width, stride, tiles, grid), of_rows);
  return {
      element_law("windows in tiles", "slide w s xs is join (map (slide w s) (slide (w+s*(k-1)) (s*k) xs))", in_a_tile,
                  windows(window_width, stride, tiles * tile_size - single, grid)({here, row_in}),
                  joined_rows(tiles, tile_size, in_tiles(stride * tile_size))({here, row_in}), tile_sizes),
      element_law("windows of padded columns",
                  "pad l r (replicate w e) (transpose x) of a window x is one of the padded array's", positive,
                  padded_columns(window_width, rows)({column_in, row_in}),
                  flipped(window_width, across,
                          at_first(windows(window_width, stride, tiles, padded), of_rows))({column_in, row_in}),
                  {"l", "n", "r", "s", "w"}),
      element_law("windows of rows and columns",
                  "windows of columns of windows of rows are windows of rows of windows of columns", positive,
                  columns_of_rows(), rows_of_columns(flipped(down, across, grid)), tile_sizes),
      element_law("join", "map join xsss is transpose (join (map transpose (transpose xsss)))",
                  {at_most(single, tile_size), within(tile, tiles), within(in_tile, tile_size), within(of_rows, down)},
                  row_joined(),
                  flipped(tiles * tile_size, down,
                          joined_rows(tiles, tile_size, columns_turned(flipped(down, tiles, grid))))({of_rows, here}),
                  {"d", "k", "m"}),
  };
}

std::vector<Obligation> wrong_window_laws() {
  const Term here = tile * tile_size + in_tile;
  return {
      element_law("windows in tiles", "with tiles that are as far apart as they are wide", in_a_tile,
                  windows(window_width, stride, tiles * tile_size - single, grid)({here, row_in}),
                  joined_rows(tiles, tile_size, in_tiles(window_width + stride * (tile_size - single)))({here, row_in}),
                  tile_sizes, true),
      element_law("windows of padded columns", "with r columns before and l behind, of the array", positive,
                  padded_columns(window_width,
                                 at_first(windows(window_width, stride, tiles, grid), of_rows))({column_in, row_in}),
                  flipped(window_width, across,
                          at_first(windows(window_width, stride, tiles,
                                           flipped(across, down, padded_columns(down, grid, behind, before))),
                                   of_rows))({column_in, row_in}),
                  {"l", "n", "r", "s", "w"}, true),
      element_law("windows of rows and columns", "of the array for its transpose", positive, columns_of_rows(),
                  rows_of_columns(grid), tile_sizes, true),
      element_law(
          "join", "map join xsss is transpose (join (transpose xsss)), of as many rows as columns",
          {at_most(single, tile_size), within(tile, tiles), within(in_tile, tile_size), within(of_rows, tile_size)},
          row_joined(),
          flipped(tiles * tile_size, tile_size,
                  joined_rows(tiles, tile_size, flipped(tile_size, tiles, grid)))({of_rows, here}),
          {"k", "m"}, true),
  };
}

}  // namespace lockstep::proofs
