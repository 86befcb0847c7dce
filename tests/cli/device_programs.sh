# Programs of blocks and warps, their texts for the target $1, and NAME.main.cpp, which runs what stands in the file `text`;
# sourced by tests of such texts, behind claims.sh.
cat >turned.dpia <<'END'
fun turned [n] (xs : [8*n]i32) : [8*n]i32 block 8 warp 4 grid 3 =
  xs |> split 8 |> mapWorkgroup (\b -> mapLocal (\x -> x * 2) (reverse (toLocal (mapLocal (\x -> x + 1)) b))) |> join
END
cat >warps.dpia <<'END'
fun warps [n] (xs : [8*n]i32) : [8*n]i32 block 8 warp 4 grid 3 =
  xs |> split 8 |> mapWorkgroup (\b -> b |> split 4 |> mapWarp (\w ->
    w |> toLocal (mapLocal (\x -> 1000 / x)) |> reverse |> mapLocal (\x -> x * 3) |> scanWarp (+) 0) |> join)
  |> join
END
expected_turned=$(awk 'BEGIN { for (k = 0; k < 64; ++k) { j = int(k / 8) * 8 + 7 - k % 8; printf "%d ", (j * j % 37 + 2) * 2 } }')
for program in turned warps; do
  call emit $program.dpia --target "$1"; claim "emit $program" is 0
  cat >$program.main.cpp <<END
#include "text"
int main() {
  int32_t x[64], y[64];
  for (int k = 0; k < 64; ++k) x[k] = k * k % 37 + 1;
  lockstep_${program}_trap trap;
  const int status = lockstep_${program}_call(8, x, y, &trap);
  for (int k = 0; k < 64; ++k) printf("%d ", y[k]);
  if (status) fprintf(stderr, "%s\n", lockstep_${program}_fault());
  return printf("\n") < 0 ? 1 : status;
}
END
done
