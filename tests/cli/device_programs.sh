# Programs of blocks and warps whose texts for devices tests run; sourced in the folder where they are to lie.
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
