#include "semantics/fcl/prelude.h"

#include "semantics/fcl/parse.h"

namespace lockstep::fcl {
namespace {

constexpr const char* definitions = R"(-- its argument
sig id : a -> a
fun id x = x

-- 0, 1, and so on: so many
sig iota : int -> [int]
fun iota n = generate n (fn i => i)

-- the first so many
sig take : int -> [a] -> [a]
fun take k xs = assert (0 <= k && k <= length xs) (generate k (fn i => index xs i))

-- what is behind the first so many
sig drop : int -> [a] -> [a]
fun drop k xs = assert (0 <= k && k <= length xs) (generate (length xs - k) (fn i => index xs (i + k)))

-- the first so many, and the rest
sig splitAt : int -> [a] -> ([a], [a])
fun splitAt k xs =
  assert (0 <= k && k <= length xs)
    (generate k (fn i => index xs i), generate (length xs - k) (fn i => index xs (i + k)))

-- the first half, and the rest
sig halve : [a] -> ([a], [a])
fun halve xs = splitAt (length xs / 2) xs

-- the elements at even places, and those at odd ones
sig evenOdds : [a] -> ([a], [a])
fun evenOdds xs =
  let n = length xs in
  (generate (n - n / 2) (fn i => index xs (2 * i)), generate (n / 2) (fn i => index xs (2 * i + 1)))

-- chunks of so many elements, which divide it
sig splitUp : int -> [a] -> [[a]]
fun splitUp n xs =
  let q = length xs / n in
  assert (q * n == length xs) (generate q (fn i => generate n (fn j => index xs (i * n + j))))

-- the function of each two elements at one place of two arrays, equally long
sig zipWith : (a -> b -> c) -> [a] -> [b] -> [c]
fun zipWith f xs ys =
  assert (length xs == length ys) (generate (length xs) (fn i => f (index xs i) (index ys i)))

-- the elements from the last to the first
sig reverse : [a] -> [a]
fun reverse xs =
  let n = length xs in
  generate n (fn i => index xs (n - i - 1))

-- of a matrix of so many columns and rows, row by row
sig transpose : int -> int -> [a] -> [a]
fun transpose cols rows xs = generate (cols * rows) (fn k => index xs (k % rows * cols + k / rows))

-- the tiles, t by t, of a matrix that has m * t rows of cols = n * t elements
sig split2DGrid : int -> int -> int -> int -> [a] -> [[a]]
fun split2DGrid t cols n m xs =
  assert (cols == n * t)
    (assert (length xs == m * t * cols)
      (generate (n * m) (fn g =>
        generate (t * t) (fn k => index xs ((g / n * t + k / t) * cols + g % n * t + k % t)))))

-- chunks of so many elements, one behind the other
sig concat : int -> [[a]<lvl>] -> [a]<1 + lvl>
fun concat n xs = interleave n (fn p => fst p * n + snd p) xs

-- a matrix of so many columns of its tiles, t by t
sig concat2DGrid : int -> int -> int -> [[a]<lvl>] -> [a]<1 + lvl>
fun concat2DGrid t n width xs =
  let m = width / t in
  assert (m * t == width)
    (interleave (t * t)
      (fn p => (fst p / m * t + snd p / t) * width + fst p % m * t + snd p % t) xs)

-- with so many z behind it that k divides its length
sig pad : int -> a -> [a] -> [a]
fun pad k z xs =
  let n = length xs in
  generate ((n + k - 1) / k * k) (fn i => if i < n then index xs i else z)

-- one array behind the other
sig append : [a] -> [a] -> [a]
fun append xs ys =
  let n = length xs in
  generate (n + length ys) (fn i => if i < n then index xs i else index ys (i - n))

-- chunks of n elements that lie apart, so that neighbours go over neighbours
sig coalesce : int -> [a] -> [[a]]
fun coalesce n xs =
  let q = length xs / n in
  assert (q * n == length xs) (generate q (fn i => generate n (fn j => index xs (i + j * q))))

-- concat of the function of each element
sig concatMap : int -> (a -> [b]<lvl>) -> [a] -> [b]<1 + lvl>
fun concatMap n f xs = concat n (map f xs)

-- element k is element j of array i, where f k is (i, j)
sig backpermute : int -> (int -> (int, int)) -> [[a]] -> [a]
fun backpermute n f xss =
  generate n (fn k =>
    let p = f k in
    index (index xss (fst p)) (snd p))

-- the function of what it has come to and each element, from the left: one element
sig foldl : (a -> b -> a) -> a -> [b] -> [a]<thread>
-- beside what it has come to, the number of elements that are done
fun foldl f z xs =
  let n = length xs in
  while (fn s => fst (index s 0) < n)
    (fn s => push <thread> (map (fn x => (fst x + 1, f (snd x) (index xs (fst x)))) s))
    (push <thread> [(0, z)])
  |> map (fn x => snd x)
  |> push <thread>

-- what foldl has come to before each element, and at the end
sig scanl : (a -> b -> a) -> a -> [b] -> [a]<thread>
fun scanl f z xs =
  let n = length xs in
  while (fn s => fst (index s 0) < n)
    (fn s =>
      let i = fst (index s 0) in
      push <thread> (generate (n + 1) (fn j =>
        (i + 1, if j == i + 1 then f (snd (index s i)) (index xs i) else snd (index s j)))))
    (push <thread> (generate (n + 1) (fn j => (0, z))))
  |> map (fn x => snd x)
  |> push <thread>

-- neighbours first, an odd last element carried: of any length; z of nothing alone
sig reduce : <lvl> -> (a -> a -> a) -> a -> [a] -> [a]<lvl>
fun reduce f z xs =
  let pairs = fn ys =>
        let n = length ys in
        generate (n - n / 2) (fn i =>
          if 2 * i + 1 < n then f (index ys (2 * i)) (index ys (2 * i + 1)) else index ys (2 * i))
      step = fn ys => push <lvl> (pairs ys)
      first = pairs xs
  in
  while (fn ys => 1 < length ys) step
    (push <lvl> (generate (max 1 (length first)) (fn i => if length xs == 0 then z else index first i)))
  |> (fn ys => push <lvl> (generate 1 (fn i => index ys 0)))
)";

}  // namespace

const Inferred& prelude() {
  static const Inferred it = [] {
    const auto source = std::make_shared<Source>(Source{std::string(prelude_name), definitions});
    const Checked<Program> parsed = parse_program(source);
    Checked<Inferred> made = parsed ? infer(*parsed, {}) : tl::make_unexpected(parsed.error());
    if (!made) throw Bug("the prelude of FCL is wrong: " + render(made.error().front()));
    return *std::move(made);
  }();
  return it;
}

std::string prelude_summary(std::string_view name) {
  const std::string all = "\n" + std::string(definitions), head = "\nsig " + std::string(name) + " :";
  const std::size_t at = all.find(head), begin = at == std::string::npos ? at : all.rfind('\n', at - 1);
  if (begin == std::string::npos || all.compare(begin, 4, "\n-- ") != 0)
    throw Bug("the prelude does not say what " + std::string(name) + " is");
  return all.substr(begin + 4, at - begin - 4);
}

std::string name_in_prelude(const Definition& d) {
  if (d.region.source != prelude().program.source) return "";
  return d.region.source->text.substr(d.region.begin, d.region.end - d.region.begin);
}

Checked<Inferred> typed(const Program& program, const PrintedTypes& printed) {
  return infer(program, {&prelude()}, printed);
}

}  // namespace lockstep::fcl
