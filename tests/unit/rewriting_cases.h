// Rewrite rules, each where it applies, with what it gives, and where it must not, with what it says.
#pragma once
#include "tests/unit/derivation.h"

namespace rewriting_test {

struct Applies {
  const char *strategy, *before, *after;
};
// Headers that several have.
#define XS "fun f [n] (xs : [n]f32) : [n]f32 = "
#define XS2 "fun f [m n] (xs : [m]f32) (ys : [n]f32) : [m+n]f32 = "
#define MATRIX "fun f [m n] (as : [m]i32) (bs : [n]i32) (cs : [n]i32) (xs : [m][n]i32) : "
#define SUM "fun f [n] (xs : [n]f32) : f32 = "
#define INTS "fun f [n] (xs : [n]i32) : i32 = "
#define BLOCKS "fun f [m] (xs : [m][7]i32) : [m]i32 = mapWorkgroup (\\b -> "
#define WARPS "fun f [m] (xs : [m][2][7]i32) : [m][2]i32 = mapWorkgroup (\\b -> mapWarp (\\w -> "
// Products of 2 by 2 matrices: associative, and not commutative.
#define PRODUCT "(\\(a, b, c, d) (e, f, g, h) -> (a*e + b*g, a*f + b*h, c*e + d*g, c*f + d*h)) (1, 2, 3, 4) "
#define PLACES "fun f [n] (is : [n]i64) (xs : [n]i32) : "
#define MATRICES "fun f (xs : [3][11](i32, i32, i32, i32)) : "
const std::vector<Applies> applying = {
    {"mapFusion", XS "map (\\x -> x + 1) (map (\\x -> x * 2) xs)", XS "map (\\x -> x * 2 + 1) xs"},
    {"mapFusion", XS "mapPar (\\x -> x + 1) (map (\\x -> x * 2) xs)", XS "mapPar (\\x -> x * 2 + 1) xs"},
    {"mapFusion", XS "map (\\y -> y * y) (map (\\x -> x + 1) xs)", XS "map (\\x -> let y = x + 1 in y * y) xs"},
    {"mapFusion", "fun f [n] (xs : [n]i32) : [n]i32 = map (\\y -> 1) (map (\\x -> 10 / x) xs)",
     "fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> let y = 10 / x in 1) xs"},
    {"mapId", XS "map (\\x -> x) xs", XS "xs"},
    {"assume n % 4 == 0 ; splitJoin 4", XS "map (\\x -> x + 1) xs",
     "fun f [n] (xs : [n]f32) : [n]f32 where n % 4 == 0 = join (map (\\b -> map (\\x -> x + 1) b) (split 4 xs))"},
    {"splitJoinRest 4", XS "map (\\x -> x + 1) xs",
     XS "concat (join (map (\\b -> map (\\x -> x + 1) b) (split 4 (take (n/4*4) xs)))) (map (\\x -> x + 1) (drop "
        "(n/4*4) xs))"},
    {"splitJoinRest 4", XS "map (\\x -> x + 1) (map (\\x -> x * 3) xs)",
     XS "let ys = map (\\x -> x * 3) xs in concat (join (map (\\b -> map (\\x -> x + 1) b) (split 4 (take (n/4*4) "
        "ys)))) (map (\\x -> x + 1) "
        "(drop (n/4*4) ys))"},
    {"topDown splitMap", "fun f (xs : [12]f32) : [12]f32 = join (split 4 (map (\\x -> x + 1) xs))",
     "fun f (xs : [12]f32) : [12]f32 = join (map (\\b -> map (\\x -> x + 1) b) (split 4 xs))"},
    {"splitSplit", "fun f (xs : [24]f32) : [3][2][4]f32 = split 2 (split 4 xs)",
     "fun f (xs : [24]f32) : [3][2][4]f32 = map (\\b -> split 4 b) (split 8 xs)"},
    {"mapJoin", "fun f [m k] (xs : [m][k]f32) : [m*k]f32 = map (\\x -> x + 1) (join xs)",
     "fun f [m k] (xs : [m][k]f32) : [m*k]f32 = join (map (\\b -> map (\\x -> x + 1) b) xs)"},
    {"reduceMap", SUM "reduce (+) 0 (map (\\x -> x * x) xs)", SUM "reduce (\\x acc -> x * x + acc) 0 xs"},
    {"reduceMap", SUM "reduceSeq (\\y acc -> y * y + acc) 0 (mapSeq (\\x -> x + 1) xs)",
     SUM "reduceSeq (\\x acc -> let y = x + 1 in y * y + acc) 0 xs"},
    {"reduceUnmap", SUM "reduce (\\x acc -> abs x + acc) 0 xs", SUM "reduce (+) 0 (map (\\x -> abs x) xs)"},
    {"assume n % 4 == 0 ; reduceBlocks 4", SUM "reduce (\\x acc -> acc + abs x) 0 xs",
     "fun f [n] (xs : [n]f32) : f32 where n % 4 == 0 = reduce (\\x acc -> acc + x) 0 (map (\\b -> reduce (\\x acc -> "
     "acc + abs x) 0 b) (split 4 xs))"},
    {"assume n % 4 == 0 ; reduceBlocks 4", INTS "reduce max 7 xs",  // 7 is not neutral: a block starts from the least
     "fun f [n] (xs : [n]i32) : i32 where n % 4 == 0 = reduce max 7 (map (\\b -> reduce max (-2147483648) b) (split 4 "
     "xs))"},
    {"reduceBlocksRest 4", INTS "reduce (+) 5 xs",
     INTS "reduce (+) (reduce (+) 5 (map (\\b -> reduce (+) 0 b) (split 4 (take (n/4*4) xs)))) (drop (n/4*4) xs)"},
    {"reduceColumns 4", "fun f (xs : [12]i32) : i32 = reduce (*) 2 xs",
     "fun f (xs : [12]i32) : i32 = reduce (*) 2 (map (\\c -> reduce (*) 1 c) (transpose (split 4 xs)))"},
    {"reduceColumnsRest 4", INTS "reduce (+) 5 xs",
     INTS "reduce (+) (reduce (+) 5 (map (\\c -> reduce (+) 0 c) (transpose (split 4 (take (n/4*4) xs))))) (drop "
          "(n/4*4) xs)"},
    {"at 0.0 reduceBlock", BLOCKS "reduce (+) 5 b) xs", BLOCKS "reduceBlock (+) 5 b) xs"},
    {"at 0.0 reduceBlock", BLOCKS "reduce (\\x acc -> x + acc + 1) 5 b) xs",
     BLOCKS "reduceBlock (\\x acc -> x + acc + 1) 5 b) xs"},
    {"at 0.0 reduceBlock", MATRICES "[3](i32, i32, i32, i32) = mapWorkgroup (\\b -> reduce " PRODUCT "b) xs",
     MATRICES "[3](i32, i32, i32, i32) = mapWorkgroup (\\b -> reduceBlock " PRODUCT "b) xs"},
    {"at 0.0 reduceBlock", "fun f [m] (xs : [m][6]f32) : [m]f32 = mapWorkgroup (\\b -> reduce (+) 0 b) xs",
     "fun f [m] (xs : [m][6]f32) : [m]f32 = mapWorkgroup (\\b -> reduceBlock (+) 0 b) xs"},
    {"at 0.0.0.0 reduceWarp", WARPS "reduce max 5 w) b) xs", WARPS "reduceWarp max 5 w) b) xs"},
    {"at 0.0 scanBlock", "fun f [m] (xs : [m][7]i32) : [m][7]i32 = mapWorkgroup (\\b -> scan (+) 5 b) xs",
     "fun f [m] (xs : [m][7]i32) : [m][7]i32 = mapWorkgroup (\\b -> scanBlock (+) 5 b) xs"},
    {"at 0.0 scanBlock", MATRICES "[3][11](i32, i32, i32, i32) = mapWorkgroup (\\b -> scan " PRODUCT "b) xs",
     MATRICES "[3][11](i32, i32, i32, i32) = mapWorkgroup (\\b -> scanBlock " PRODUCT "b) xs"},
    {"at 0.0.0.0 scanWarp",
     "fun f [m] (xs : [m][2][7]i32) : [m][2][7]i32 = mapWorkgroup (\\b -> mapWarp (\\w -> scan (+) 5 w) b) xs",
     "fun f [m] (xs : [m][2][7]i32) : [m][2][7]i32 = mapWorkgroup (\\b -> mapWarp (\\w -> scanWarp (+) 5 w) b) xs"},
    {"reduceScalars", "fun f [m] (xs : [m]i32<4>) : i32 = reduce (+) 3 (lanes (reduce (+) (splat 4 0) xs))",
     "fun f [m] (xs : [m]i32<4>) : i32 = reduce (+) 3 (asScalar xs)"},
    {"reduceBlocks 2", "fun f (xs : [6]f32<4>) : f32<4> = reduce (\\x acc -> x * x + acc) (splat 4 1) xs",
     "fun f (xs : [6]f32<4>) : f32<4> = reduce (+) (splat 4 1) (map (\\b -> reduce (\\x acc -> x * x + acc) (splat 4 "
     "0) "
     "b) (split 2 xs))"},
    {"reducePad 4", INTS "reduce (\\x acc -> x * x + acc) 5 xs",
     INTS "reduce (\\x acc -> x * x + acc) 5 (pad 0 ((n+3)/4*4-n) 0 xs)"},
    {"reducePad 4", "fun f [n] (xs : [n]i32) (ys : [n]i32) : i32 = reduce (\\(x, y) acc -> x * y + acc) 5 (zip xs ys)",
     "fun f [n] (xs : [n]i32) (ys : [n]i32) : i32 = reduce (\\(x, y) acc -> x * y + acc) 5 (pad 0 ((n+3)/4*4-n) (0, 0) "
     "(zip xs ys))"},
    {"mapInterchange", "fun f [m n] (xs : [m]i32) (ys : [n]i32) : [m][n]i32 = map (\\x -> map (\\y -> x - y) ys) xs",
     "fun f [m n] (xs : [m]i32) (ys : [n]i32) : [m][n]i32 = transpose (map (\\y -> map (\\x -> x - y) xs) ys)"},
    {"mapInterchange", MATRIX "[m][n]i32 = map (\\row -> map (\\x -> x + 1) row) xs",
     MATRIX "[m][n]i32 = transpose (map (\\column -> map (\\x -> x + 1) column) (transpose xs))"},
    {"mapInterchange",  // an element of as, a row of xs, an element of bs
     MATRIX "[m][n]i32 = map (\\(a, row) -> map (\\(x, b) -> a * x - b) (zip row bs)) (zip as xs)",
     MATRIX "[m][n]i32 = transpose (map (\\(column, b) -> map (\\(a, x) -> a * x - b) (zip as column)) (zip (transpose "
            "xs) bs))"},
    {"mapInterchange",  // what is read for each column is computed once
     MATRIX "[m][n]i32 = map (\\a -> map (\\b -> a - b) bs) (map (\\a -> a * a) as)",
     MATRIX "[m][n]i32 = let ys = map (\\a -> a * a) as in transpose (map (\\b -> map (\\a -> a - b) ys) bs)"},
    {"mapReduce", MATRIX "[m]i32 = map (\\row -> reduce (\\x acc -> x - acc) 7 row) xs",
     MATRIX
     "[m]i32 = reduce (\\column accs -> map (\\(x, acc) -> x - acc) (zip column accs)) (replicate m 7) (transpose "
     "xs)"},
    {"mapReduce",  // with a start for each row, and arrays that rows share
     MATRIX "[m]i32 = map (\\(row, a) -> reduceSeq (\\(x, b) acc -> x * b - acc) a (zip row bs)) (zip xs as)",
     MATRIX "[m]i32 = reduceSeq (\\(column, b) accs -> map (\\(x, acc) -> x * b - acc) (zip column accs)) as (zip "
            "(transpose xs) bs)"},
    {"mapReduce",  // a factor for each row
     MATRIX "[m]i32 = map (\\(row, a) -> reduce (\\x acc -> a * x - acc) 7 row) (zip xs as)",
     MATRIX
     "[m]i32 = reduce (\\column accs -> map (\\(x, a, acc) -> a * x - acc) (zip column (zip as accs))) (replicate "
     "m 7) (transpose xs)"},
    {"reduceMaps", MATRIX "[n]i32 = reduce (\\row accs -> map (\\(x, acc) -> x - acc) (zip row accs)) bs xs",
     MATRIX "[n]i32 = map (\\(column, b) -> reduce (\\x acc -> x - acc) b column) (zip (transpose xs) bs)"},
    {"reduceMaps",
     MATRIX
     "[n]i32 = reduce (\\(row, a) accs -> map (\\(acc, x, c) -> a * x - acc * c) (zip accs (zip row cs))) bs (zip "
     "xs as)",
     MATRIX
     "[n]i32 = map (\\(b, column, c) -> reduce (\\(x, a) acc -> a * x - acc * c) b (zip column as)) (zip bs (zip "
     "(transpose xs) cs))"},
    {"slideTiles 4", "fun f (xs : [10]i32) : [8][3]i32 = slide 3 1 xs",
     "fun f (xs : [10]i32) : [8][3]i32 = join (map (\\t -> slide 3 1 t) (slide 6 4 xs))"},
    {"padWindows",
     "fun f (xs : [6][5]i32) : [4][7]i32 = map (\\x -> map (\\c -> c ! 1) (pad 1 1 (replicate 3 9) (transpose x))) "
     "(slide 3 1 xs)",
     "fun f (xs : [6][5]i32) : [4][7]i32 = map (\\x -> map (\\c -> c ! 1) (transpose x)) (slide 3 1 (transpose (pad 1 "
     "1 "
     "(replicate 6 9) (transpose xs))))"},
    {"slideInterchange",
     "fun f (xs : [6][5]i32) : [4][2]i32 = map (\\x -> map (\\c -> c ! 1 ! 2) (slide 3 2 (transpose x))) (slide 3 1 "
     "xs)",
     "fun f (xs : [6][5]i32) : [4][2]i32 = transpose (map (\\y -> map (\\x -> transpose x ! 1 ! 2) (slide 3 1 "
     "(transpose "
     "y))) (slide 3 2 (transpose xs)))"},
    {"joinColumns", "fun f [m] (xs : [m][6]i32) : [m][6]i32 = map (\\x -> join (reverse (split 2 x))) xs",
     "fun f [m] (xs : [m][6]i32) : [m][6]i32 = transpose (join (map (\\y -> transpose y) (transpose (map (\\x -> "
     "reverse "
     "(split 2 x)) xs))))"},
    {"inRows 4", "fun f (xs : [12]i32) : [12]i32 = xs", "fun f (xs : [12]i32) : [12]i32 = join (split 4 xs)"},
    {"inTwo 4", XS "xs", XS "concat (take (n/4*4) xs) (drop (n/4*4) xs)"},
    {"asColumns", MATRIX "[m][n]i32 = xs", MATRIX "[m][n]i32 = transpose (transpose xs)"},
    {"copy", XS "xs", XS "map (\\x -> x) xs"},
    {"longer 2", MATRIX "[m][n]i32 = xs", MATRIX "[m][n]i32 = take m (pad 0 2 (replicate n 0) xs)"},
    {"zipReplicate", XS "map (\\(x, y) -> x - y) (zip xs (replicate n 3))", XS "map (\\x -> x - 3) xs"},
    {"zipReplicate",
     "fun f [n] (c : i32) (xs : [n]i32) : [n]i32 = mapSeq (\\(y, x) -> x * y - y) (zip (replicate n (1 / c)) xs)",
     "fun f [n] (c : i32) (xs : [n]i32) : [n]i32 = let y = 1 / c in mapSeq (\\x -> x * y - y) xs"},
    {"splitZip", "fun f (xs : [12]i32) (ys : [12]f32) : [3][4](i32, f32) = split 4 (zip xs ys)",
     "fun f (xs : [12]i32) (ys : [12]f32) : [3][4](i32, f32) = map (\\(a, b) -> zip a b) (zip (split 4 xs) (split 4 "
     "ys))"},
    {"mapConcat", XS2 "map (\\x -> x + 1) (concat xs ys)",
     XS2 "concat (map (\\x -> x + 1) xs) (map (\\x -> x + 1) ys)"},
    {"reverseConcat", XS2 "reverse (concat xs ys)", XS2 "concat (reverse ys) (reverse xs)"},
    {"reverseJoin", "fun f [m k] (xs : [m][k]f32) : [m*k]f32 = reverse (join xs)",
     "fun f [m k] (xs : [m][k]f32) : [m*k]f32 = join (map (\\b -> reverse b) (reverse xs))"},
    {"alone", SUM "reduce (+) 0 xs", SUM "map (\\ys -> reduce (+) 0 ys) (replicate 1 xs) ! 0"},
    {"bind sqrt", "fun f (x : f32) : f32 = sqrt x + 2 * sqrt x", "fun f (x : f32) : f32 = let y = sqrt x in y + 2 * y"},
    {"bind (0.0.1)", "fun f [n] (x : f32) (xs : [n]f32) : [n]f32 = map (\\y -> y * exp x) xs",
     "fun f [n] (x : f32) (xs : [n]f32) : [n]f32 = let z = exp x in map (\\y -> y * z) xs"},
    {"blockOf 64", XS "xs", "fun f [n] (xs : [n]f32) : [n]f32 block 64 = xs"},
    {"permuteGlobal", PLACES "[3]i32 = permute (+) (replicate 3 7) is xs",
     PLACES "[3]i32 = permuteGlobal (+) (replicate 3 7) is xs"},
    {"at 0.0 permuteLocal",
     "fun f [m] (xs : [m][7]i64) : [m][3]i64 = mapWorkgroup (\\b -> permute max (replicate 3 7) b b) xs",
     "fun f [m] (xs : [m][7]i64) : [m][3]i64 = mapWorkgroup (\\b -> permuteLocal max (replicate 3 7) b b) xs"},
    {"assume n % 4 == 0 ; permuteCopies 4", PLACES "[3]i32 = permute (+) (replicate 3 7) is xs",
     "fun f [n] (is : [n]i64) (xs : [n]i32) : [3]i32 where n % 4 == 0 = map (\\p -> reduce (+) (fst p) (snd p)) (zip "
     "(replicate 3 7) (transpose (map (\\r -> permute (+) (replicate 3 0) (fst r) (snd r)) (zip (split 4 is) (split 4 "
     "xs)))))"},
    {"assume n % 4 == 0 ; permuteCopies 4",  // an associative function that is no operator, and sums of floats
     "fun f [n] (is : [n]i64) (xs : [n]f32) : [3]f32 = permute (\\x y -> y + x) (replicate 3 7) is xs",
     "fun f [n] (is : [n]i64) (xs : [n]f32) : [3]f32 where n % 4 == 0 = map (\\p -> reduce (\\x y -> y + x) (fst p) "
     "(snd "
     "p)) (zip (replicate 3 7) (transpose (map (\\r -> permute (\\x y -> y + x) (replicate 3 0) (fst r) (snd r)) (zip "
     "(split 4 is) (split 4 xs)))))"},
    {"reduceJoin", "fun f [m k] (xs : [m][k]f32) : f32 = reduce (\\x acc -> x - acc) 0 (join xs)",
     "fun f [m k] (xs : [m][k]f32) : f32 = reduce (\\b acc -> reduce (\\x a -> x - a) acc b) 0 xs"},
    {"joinSplit", "fun f (xs : [12]f32) : [12]f32 = join (split 4 xs)", "fun f (xs : [12]f32) : [12]f32 = xs"},
    {"splitOfJoin", "fun f [m] (xs : [m][4]f32) : [m][4]f32 = split 4 (join xs)",
     "fun f [m] (xs : [m][4]f32) : [m][4]f32 = xs"},
    {"transposeTwice", "fun f [m k] (xs : [m][k]f32) : [m][k]f32 = transpose (transpose xs)",
     "fun f [m k] (xs : [m][k]f32) : [m][k]f32 = xs"},
    {"reverseTwice", XS "reverse (reverse xs)", XS "xs"},
    {"scalarOfVector", "fun f (xs : [12]f32) : [12]f32 = asScalar (asVector 4 xs)",
     "fun f (xs : [12]f32) : [12]f32 = xs"},
    {"vectorOfScalar", "fun f [m] (xs : [m]f32<4>) : [m]f32<4> = asVector 4 (asScalar xs)",
     "fun f [m] (xs : [m]f32<4>) : [m]f32<4> = xs"},
    {"project", "fun f (x : f32) (y : f32) : f32 = snd (x + 1, y + 1)", "fun f (x : f32) (y : f32) : f32 = y + 1"},
    {"beta", "fun f (x : (f32, f32)) : f32 = let y = fst x in y + y", "fun f (x : (f32, f32)) : f32 = fst x + fst x"},
    {"inlineLet", "fun f (x : f32) : f32 = let y = x + 1 in y * 2", "fun f (x : f32) : f32 = (x + 1) * 2"},
    {"dropLet", "fun f (x : f32) : f32 = let y = x + 1 in x", "fun f (x : f32) : f32 = x"},
    {"mapLevel par", XS "map (\\x -> x + 1) xs", XS "mapPar (\\x -> x + 1) xs"},
    {"at 0.0 mapLevel local",
     "fun f [m k] (xs : [m][k]f32) : [m][k]f32 = mapWorkgroup (\\b -> map (\\x -> x + 1) b) xs",
     "fun f [m k] (xs : [m][k]f32) : [m][k]f32 = mapWorkgroup (\\b -> mapLocal (\\x -> x + 1) b) xs"},
    {"at 0.0 mapLevel warp", "fun f [m k] (xs : [m][k]f32) : [m][k]f32 = mapWorkgroup (\\b -> map (\\x -> x + 1) b) xs",
     "fun f [m k] (xs : [m][k]f32) : [m][k]f32 = mapWorkgroup (\\b -> mapWarp (\\x -> x + 1) b) xs"},
    {"at 0.0.0.0 mapLevel local",
     "fun f [m k] (xs : [m][k][k]f32) : [m][k][k]f32 = mapWorkgroup (\\b -> mapWarp (\\w -> map (\\x -> x + 1) w) b) "
     "xs",
     "fun f [m k] (xs : [m][k][k]f32) : [m][k][k]f32 = mapWorkgroup (\\b -> mapWarp (\\w -> mapLocal (\\x -> x + 1) w) "
     "b) "
     "xs"},
    {"mapLevel unroll", "fun f (xs : [4]f32) : [4]f32 = map (\\x -> x + 1) xs",
     "fun f (xs : [4]f32) : [4]f32 = mapUnroll (\\x -> x + 1) xs"},
    {"reduceSeq", SUM "reduce (+) 0 xs", SUM "reduceSeq (+) 0 xs"},
    {"toGlobal", XS "mapSeq (\\x -> x + 1) xs", XS "toGlobal (\\ys -> mapSeq (\\x -> x + 1) ys) xs"},
    {"at 0.0 toLocal", "fun f [m k] (xs : [m][k]f32) : [m][k]f32 = mapWorkgroup (\\b -> mapSeq (\\x -> x + 1) b) xs",
     "fun f [m k] (xs : [m][k]f32) : [m][k]f32 = mapWorkgroup (\\b -> toLocal (\\ys -> mapSeq (\\x -> x + 1) ys) b) "
     "xs"},
    {"toPrivate", XS "mapSeq (\\x -> x + 1) xs", XS "toPrivate (\\ys -> mapSeq (\\x -> x + 1) ys) xs"},
    {"toStream", XS "mapSeq (\\x -> x + 1) xs", XS "toStream (\\ys -> mapSeq (\\x -> x + 1) ys) xs"},
    {"vectorise 4", "fun f (a : f32) (xs : [12]f32) : [12]f32 = mapSeq (\\x -> a * x + sqrt x) xs",
     "fun f (a : f32) (xs : [12]f32) : [12]f32 = asScalar (mapSeq (\\x -> splat 4 a * x + sqrt x) (asVector 4 xs))"},
    {"vectorise 4",
     "fun f (xs : [12]f32) (ys : [12]f32) : [12]f32 = map (\\p -> let y = fst p + 1 in y * snd p) (zip xs ys)",
     "fun f (xs : [12]f32) (ys : [12]f32) : [12]f32 = asScalar (map (\\p -> let y = fst p + splat 4 1 in y * snd p) "
     "(zip (asVector 4 xs) (asVector 4 ys)))"},
    {"reduceVector 4", "fun f (xs : [12]i32) : i32 = reduce (\\x acc -> x * x + acc) 3 xs",
     "fun f (xs : [12]i32) : i32 = reduce (+) 3 (lanes (reduce (\\x acc -> x * x + acc) (splat 4 0) (asVector 4 xs)))"},
    {"splitJoin 4", "fun f [n] (xs : [n]f32) : [n]f32 where n*n == 16 = map (\\x -> x + 1) xs",  // by Z3 only
     "fun f [n] (xs : [n]f32) : [n]f32 where n*n == 16 = join (map (\\b -> map (\\x -> x + 1) b) (split 4 xs))"},
    {"assume n > 3", XS "xs", "fun f [n] (xs : [n]f32) : [n]f32 where n > 3 = xs"},
};

struct MustNot {
  const char *strategy, *program, *why;
};
const std::vector<MustNot> refusing = {
    {"mapFusion", XS "mapSeq (\\x -> x + 1) (mapPar (\\x -> x * 2) xs)", "a mapPar, which a mapSeq would not keep"},
    {"mapFusion", XS "map (\\x -> x + 1) xs", "no map of a map"},
    {"mapId", "fun f [n] (y : f32) (xs : [n]f32) : [n]f32 = map (\\x -> y) xs", "does not give its argument"},
    {"splitJoin 4", XS "map (\\x -> x + 1) xs", "it needs n % 4 == 0 for all sizes"},
    {"splitJoin 0", XS "map (\\x -> x + 1) xs", "1 <= 0, which is wrong"},
    {"splitJoin m", XS "map (\\x -> x + 1) xs", "there is no size m"},
    {"splitJoinRest n", XS "map (\\x -> x + 1) xs", "1 <= n for all sizes"},
    {"splitJoinRest 4", XS "mapPar (\\x -> x + 1) xs", "no map without a level"},
    {"splitMap", "fun f (xs : [12]f32) : [3][4]f32 = split 4 (mapPar (\\x -> x + 1) xs)",
     "no split of a map without a level"},
    {"splitSplit", "fun f (xs : [12]f32) : [3][4]f32 = split 4 xs", "no split of a split"},
    {"mapJoin", XS "map (\\x -> x + 1) xs", "of a join"},
    {"reduceMap", SUM "reduce (+) 0 (mapPar (\\x -> x * x) xs)", "would become sequential"},
    {"reduceUnmap", SUM "reduce (\\x acc -> x - acc) 0 xs", "not of the form g x + acc"},
    {"reduceBlocks 4", SUM "reduceSeq (+) 0 xs", "one order, by definition"},
    {"reduceBlocks 4", SUM "reduce (+) 0 xs", "n % 4 == 0"},
    {"reduceBlocks 4", "fun f (xs : [12]i32) : i32 = reduce (\\x acc -> x - acc) 0 xs", "f x (f y z) = "},
    {"reduceBlocks 4", "fun f (xs : [12]f32) : f32 = reduce (\\x acc -> x * 2 - acc) 0 xs",
     "is associative, which does not hold: for x = "},
    {"reduceBlocks 4", "fun f (xs : [12]i32) : i32 = reduce (\\x acc -> x) 0 xs", "a neutral element"},
    {"reduceBlocks 4", "fun f (xs : [12]i32) : i64 = reduce (\\x acc -> if x == 0 then acc else i64 x) 0 xs",
     "cannot be taken apart"},
    {"reduceBlocksRest 4", INTS "reduce (\\x acc -> x - acc) 0 xs", "f x (f y z) = "},
    {"reduceColumns 2",  // products of 2 by 2 matrices: associative, with a neutral one, and not commutative
     "fun f (xs : [4](i32, i32, i32, i32)) : (i32, i32, i32, i32) = reduce (\\(a, b, c, d) (e, f, g, h) -> "
     "(a*e + b*g, a*f + b*h, c*e + d*g, c*f + d*h)) (1, 0, 0, 1) xs",
     "f x y = "},
    {"reduceColumnsRest 4", "fun f [n] (xs : [n]i32) : i32 = reduce (\\x acc -> x) 0 xs",
     "is commutative, which does not hold"},
    {"reduceColumnsRest 4", "fun f [n] (xs : [n]f32) : f32 = reduce max 0 xs", "it needs a neutral element of max"},
    {"reduceBlock", INTS "reduce (+) 0 xs", "directly in mapWorkgroup, and here is no parallel loop around it"},
    {"at 0.0.0.0 reduceBlock", WARPS "reduce (+) 0 w) b) xs", "and here is mapWarp around it"},
    {"at 0.0 reduceWarp", BLOCKS "reduce (+) 0 b) xs",
     "directly in mapWarp, and here is mapWorkgroup around it; 'mapLevel"},
    {"at 0.0 reduceBlock", "fun f [m n] (xs : [m][n]i32) : [m]i32 = mapWorkgroup (\\b -> reduce (+) 0 b) xs",
     "of a number of elements, not of n: split them"},
    {"at 0.0 reduceBlock", BLOCKS "reduce (\\x acc -> x - acc) 0 b) xs", "f x (f y z) = "},
    {"at 0.0 reduceBlock", BLOCKS "reduce (\\x acc -> x * x + acc) 0 b) xs",
     "let a map apply g first, as reduceUnmap does"},
    {"at 0.0 reduceBlock",
     "fun f [m] (xs : [m][7]i32) : [m]i64 = mapWorkgroup (\\b -> reduce (\\x acc -> i64 x + acc) 0 b) xs",
     "two arguments have different types, i32 and i64; it is g x + acc"},
    {"at 0.0 reduceBlock", BLOCKS "reduceSeq (+) 0 b) xs", "one order, by definition"},
    {"at 0.0 reduceBlock",
     "fun f [m] (xs : [m][7][4]i32) : [m][4]i32 = mapWorkgroup (\\b -> reduce (\\x acc -> mapLocal (\\p -> fst p + snd "
     "p) "
     "(zip x acc)) (replicate 4 0) b) xs",
     "runs on one thread each, and it has a mapLocal"},
    {"at 0.0 scanBlock", "fun f [m] (xs : [m][7]i32) : [m][7]i32 = mapWorkgroup (\\b -> scanExclusive (+) 5 b) xs",
     "it is no scan"},
    {"at 0.0 scanBlock",
     "fun f [m] (xs : [m][7]i32) : [m][7]i32 = mapWorkgroup (\\b -> scan (\\x acc -> x - acc) 5 b) xs",
     "f x (f y z) = "},
    {"at 0.0 scanWarp", "fun f [m] (xs : [m][7]i32) : [m][7]i32 = mapWorkgroup (\\b -> scan (+) 5 b) xs",
     "scanWarp stands directly in mapWarp"},
    {"reduceScalars", "fun f [m] (xs : [m]i32<4>) : i32 = reduce (+) 3 (lanes (reduce (+) (splat 4 1) xs))",
     "1 is neutral for (+), which does not hold"},
    {"reduceScalars", "fun f [m] (xs : [m]i32<4>) : i32 = reduce (+) 3 (lanes (reduce (*) (splat 4 0) xs))",
     "by another function than their sums"},
    {"reduceScalars", "fun f [m] (xs : [m]i32<4>) : i32 = reduce (-) 3 (lanes (reduce (-) (splat 4 0) xs))",
     "f x (f y z) = "},
    {"reducePad 4", INTS "reduce (\\x acc -> x * x + 1 + acc) 5 xs", "has accumulated as it is"},
    {"reducePad 4", "fun f [n] (y : i32) (xs : [n]i32) : i32 = reduce (\\x acc -> x * y + acc) 5 xs",
     "depends on y too"},
    {"reducePad 0", INTS "reduce (+) 5 xs", "1 <= 0, which is wrong"},
    {"mapInterchange", MATRIX "[m][n]i32 = map (\\row -> map (\\x -> x + 1) (reverse row)) xs",
     "is made of an element of the outer one's"},
    {"mapInterchange", MATRIX "[m][n]i32 = map (\\row -> map (\\x -> x + reduce (+) 0 row) row) xs",
     "reads a whole row"},
    {"mapInterchange",
     "fun f [m n] (is : [n]i64) (xs : [m]i32) : [m][n]i32 = map (\\x -> map (\\y -> x - y) (gather is "
     "xs)) xs",
     "may trap"},
    {"mapInterchange", MATRIX "[m][n]i32 = mapPar (\\row -> map (\\x -> x + 1) row) xs", "no map without a level"},
    {"mapReduce", MATRIX "[m]i32 = map (\\row -> reduce (\\x acc -> x - acc) (row ! 0) row) xs",
     "start is made of the element that is mapped"},
    {"mapReduce", MATRIX "[m]i32 = mapSeq (\\row -> reduce (\\x acc -> x - acc) 7 row) xs", "no map without a level"},
    {"reduceMaps", MATRIX "[n]i32 = reduce (\\row accs -> map (\\(x, acc) -> x - acc) (zip row (reverse accs))) bs xs",
     "is not all of them"},
    {"reduceMaps",
     MATRIX "[n]i32 = reduce (\\row accs -> map (\\(x, acc) -> x - reduce (+) 0 accs) (zip row accs)) bs xs",
     "reads other sums than its own"},
    {"reduceMaps", MATRIX "[n]i32 = reduce (\\row accs -> map (\\(a, acc) -> a - acc) (zip accs accs)) bs xs",
     "each once"},
    {"slideTiles 3", "fun f (xs : [10]i32) : [8][3]i32 = slide 3 1 xs", "8 % 3 == 0"},
    {"padWindows", "fun f (xs : [6][5]i32) : [4][5]i32 = map (\\x -> map (\\c -> c ! 1) (transpose x)) (slide 3 1 xs)",
     "reads a window otherwise"},
    {"slideInterchange",
     "fun f (xs : [6][5]i32) : [4][2]i32 = map (\\x -> map (\\c -> c ! 1 ! 2 + x ! 0 ! 0) (slide 3 2 (transpose x))) "
     "(slide 3 1 xs)",
     "reads the window of rows too"},
    {"joinColumns", XS "map (\\x -> x) xs", "whose function is a join"},
    {"inRows 5", "fun f (xs : [12]i32) : [12]i32 = xs", "12 % 5 == 0"},
    {"inTwo 0", XS "xs", "1 <= 0, which is wrong"},
    {"asColumns", XS "xs", "no array of arrays"},
    {"copy", "fun f (x : i32) : i32 = x", "no array"},
    {"longer (0-1)", XS "xs", "0 <= 0 - 1, which is wrong"},
    {"splitZip", "fun f (xs : [12]i32) : [3][4]i32 = split 4 xs", "no split of a zip"},
    {"zipReplicate", XS "map (\\(x, y) -> x - y) (zip xs xs)", "is a replicate"},
    {"zipReplicate", XS "map (\\x -> x - 1) xs", "no map of a zip"},
    {"mapConcat", XS2 "mapPar (\\x -> x + 1) (concat xs ys)", "no map without a level of a concat"},
    {"reverseConcat", XS "reverse xs", "no reverse of a concat"},
    {"reverseJoin", XS "reverse xs", "no reverse of a join"},
    {"alone", XS "reverse xs", "no loop"},
    {"bind sqrt", "fun f (x : f32) : f32 = x + 2", "there is no sqrt here"},
    {"bind (0.9)", "fun f (x : f32) : f32 = x + 2", "no place (0.9) here"},
    {"bind (0.0)", "fun f [n] (xs : [n]f32) : [n]f32 = map (\\y -> y + 1) xs", "bound on the way"},
    {"bind (1)", "fun f (x : i32) (b : bool) : i32 = if b then 1 / x else 0", "may trap"},
    {"bind mapLocal",
     "fun f [m n] (b : [n]f32) (xs : [m][n]f32) : [m][n]f32 = mapWorkgroup (\\x -> mapLocal (\\y -> y + 1) b) xs",
     "would leave the loop"},
    {"blockOf 2000", XS "xs", "1 to 1024 threads, not 2000"},
    {"blockOf n", XS "xs", "1 to 1024 threads, not n"},
    {"permuteGlobal", PLACES "[3]i32 = permute (-) (replicate 3 7) is xs", "f x (f y z) = "},
    {"permuteGlobal", PLACES "[3]i32 = permute (\\x y -> x + y + 1) (replicate 3 7) is xs", "by a function of more"},
    {"permuteGlobal", "fun f [n] (is : [n]i64) (xs : [n]f32) : [3]f32 = permute (+) (replicate 3 7) is xs",
     "'+' on f32 rounds"},
    {"permuteGlobal", PLACES "[3]i32 = scatter (replicate 3 7) is xs", "it is no permute"},
    {"at 0.0 permuteGlobal",
     "fun f [m] (xs : [m][7]i64) : [m][3]i64 = mapWorkgroup (\\b -> permute max (replicate 3 7) b b) xs",
     "a parallel loop around it"},
    {"permuteLocal", PLACES "[3]i32 = permute (+) (replicate 3 7) is xs",
     "directly in mapWorkgroup or mapWarp, and here is no parallel loop"},
    {"permuteCopies 4", PLACES "[3]i32 = permute (+) (replicate 3 7) is xs", "n % 4 == 0"},
    {"assume n % 4 == 0 ; permuteCopies 4", PLACES "[3]i32 = permute (-) (replicate 3 7) is xs", "f x (f y z) = "},
    {"assume n % 4 == 0 ; permuteCopies 4", PLACES "[3]i32 = permute (\\x y -> x) (replicate 3 7) is xs",
     "a neutral element"},
    {"reduceJoin", SUM "reduce (+) 0 xs", "no reduce of a join"},
    {"joinSplit", "fun f [m k] (xs : [m][k]f32) : [m*k]f32 = join xs", "no join of a split"},
    {"splitOfJoin", "fun f (xs : [6][4]f32) : [3][8]f32 = split 8 (join xs)", "8 == 4, which is wrong"},
    {"transposeTwice", "fun f [m k] (xs : [m][k]f32) : [k][m]f32 = transpose xs", "no transpose of a transpose"},
    {"reverseTwice", XS "reverse xs", "no reverse of a reverse"},
    {"scalarOfVector", "fun f [m] (xs : [m]f32<4>) : [4*m]f32 = asScalar xs", "no asScalar of a asVector"},
    {"vectorOfScalar", "fun f (xs : [8]f32<4>) : [16]f32<2> = asVector 2 (asScalar xs)", "2 == 4, which is wrong"},
    {"project", "fun f (x : i32) (y : i32) : i32 = snd (x / y, y)", "may trap"},
    {"beta", "fun f (x : f32) : f32 = let y = x + 1 in y * 2", "no name, number"},
    {"inlineLet", "fun f (x : f32) : f32 = let y = x + 1 in y * y", "y is read 2 times"},
    {"inlineLet", "fun f (x : i32) (b : bool) : i32 = let y = 1 / x in if b then y else x", "in a branch"},
    {"inlineLet", "fun f [n] (x : f32) (xs : [n]f32) : [n]f32 = let y = exp x in map (\\z -> y + z) xs",
     "under a function"},
    {"dropLet", "fun f (x : i32) : i32 = let y = 1 / x in x", "may trap"},
    {"mapLevel par", XS "mapSeq (\\x -> x + 1) xs", "it is mapSeq already"},
    {"mapLevel unroll", XS "map (\\x -> x + 1) xs", "must be a number"},
    {"mapLevel block", XS "map (\\x -> x + 1) xs", "there is no level block"},
    {"at 0.0 mapLevel workgroup",
     "fun f [m k] (xs : [m][k]f32) : [m][k]f32 = mapLocal (\\b -> map (\\x -> x + 1) b) xs",
     "mapWorkgroup cannot stand in mapLocal"},
    {"mapLevel warp", XS "map (\\x -> x + 1) xs", "mapWarp stands in mapWorkgroup"},
    {"at 0.0 mapLevel warp", "fun f [m k] (xs : [m][k]f32) : [m][k]f32 = mapLocal (\\b -> map (\\x -> x + 1) b) xs",
     "mapWarp cannot stand in mapLocal"},
    {"mapLevel local", "fun f [m k] (xs : [m][k]f32) : [m][k]f32 = map (\\b -> mapWorkgroup (\\x -> x + 1) b) xs",
     "mapLocal cannot hold mapWorkgroup"},
    {"reduceSeq", SUM "reduceSeq (+) 0 xs", "no reduce"},
    {"toGlobal", "fun f (x : f32) : f32 = x + 1", "no loop"},
    {"toGlobal", XS "toGlobal (\\ys -> mapSeq (\\x -> x + 1) ys) xs", "has a place already"},
    {"toLocal", XS "mapSeq (\\x -> x + 1) xs", "toLocal stands in mapWorkgroup"},
    {"toPrivate", XS "reverse xs", "no loop"},
    {"toPrivate", "fun f (b : bool) (xs : [2]i64) : [2]i64 = if b then xs else gather xs xs", "only where it is taken"},
    {"toStream", "fun f (x : f32) : f32 = iterate 3 (\\y -> y + 1) x", "no array"},
    {"vectorise 4", "fun f (xs : [12]f32) : [12]f32 = map (\\x -> if x < 0 then 0 else x) xs",
     "if has no form on short vectors"},
    {"vectorise 4", "fun f (xs : [12]f32) : [12]i32 = map (\\x -> i32 x) xs", "i32 has no form on short vectors"},
    {"vectorise 4", "fun f (xs : [10]f32) : [10]f32 = map (\\x -> x + 1) xs", "10 % 4 == 0"},
    {"vectorise 5", "fun f (xs : [10]f32) : [10]f32 = map (\\x -> x + 1) xs", "2, 3, 4, 8 or 16 lanes"},
    {"vectorise 4", "fun f (xs : [12][3]f32) : [12]f32 = map (\\r -> reduceSeq (+) 0 r) xs", "no array of scalars"},
    {"reduceVector 4", "fun f (xs : [12]i32) : i32 = reduce (\\x acc -> x - acc) 0 xs", "f x (f y z) = "},
    {"reduceVector 4", "fun f (xs : [12]i32) : i32 = reduceSeq (+) 0 xs", "one order, by definition"},
    {"assume m == 3", XS "xs", "there is no size m"},
    {"assume n", XS "xs", "is no fact"},
    {"assume 1 == 2", XS "xs", "no sizes satisfy 1 == 2"},
    {"assume n > 3 ; assume n < 2", XS "xs", "and the facts before it"},

};

}  // namespace rewriting_test
