#!/usr/bin/env python3
"""Makes the examples' inputs, byte for byte the same on every machine: for each example a folder with its .npy files
and `args`, the arguments of `lockstep run examples/NAME.dpia` from the top of the repository.

Only random(), whole numbers and square roots are used: these are exact everywhere, sin and exp are not. Vectors that
are summed have elements of magnitude 1/2 to 1, so that an element that is lost shows beyond the rounding errors.
"""
import math
import os
import random

import npy

HERE = os.path.dirname(os.path.abspath(__file__))


def example(name, *args, **arrays):
    """A folder: in args @ stands for its path; arrays as file=(descr, data)."""
    folder = os.path.join(HERE, name)
    os.makedirs(folder, exist_ok=True)
    for file, (descr, data) in arrays.items():
        npy.write(os.path.join(folder, file + ".npy"), descr, data)
    with open(os.path.join(folder, "args"), "w") as file:
        file.write(" ".join(args).replace("@", "examples/" + name + "/") + "\n")


def signed(rng, n):
    return [npy.to_f32((0.5 + rng.random() / 2) * (1 if rng.random() < 0.5 else -1)) for _ in range(n)]


def below(rng, n):
    return int(rng.random() * n)


def table(rng, rows, columns):
    return [signed(rng, columns) for _ in range(rows)]


def uniform(rng, low, high, n):
    return [low + (high - low) * rng.random() for _ in range(n)]


def vectors():
    rng = random.Random(1)
    xs, ys = signed(rng, 1003), signed(rng, 1003)
    for name in ("scal", "asum", "dot", "saxpy"):
        args = (["alpha=0.7"] if name in ("scal", "saxpy") else []) + ["xs=@xs.npy"]
        if name in ("dot", "saxpy"):
            example(name, *args, "ys=@ys.npy", xs=("<f4", xs), ys=("<f4", ys))
        else:
            example(name, *args, xs=("<f4", xs))
    # Two blocks of 4096 and a rest, itself neither whole vectors nor whole groups of them.
    long_x, long_y = signed(rng, 9001), signed(rng, 9001)
    example("dot_fast", "xs=@xs.npy", "ys=@ys.npy", xs=("<f4", long_x), ys=("<f4", long_y))
    example("scal_fast", "alpha=0.7", "xs=examples/dot_fast/xs.npy")
    example("scal_gpu", "alpha=0.7", "xs=examples/scal/xs.npy")
    for name in ("reverse", "reverse_gpu"):
        example(name, "xs=examples/scal/xs.npy")
    for name in ("asum_fast", "reduction", "reduction_gpu", "max_segment_sum"):
        example(name, "xs=examples/dot_fast/xs.npy")
    # No files: these are the shortest lengths that they take; the test compares with the interpreter.
    example("dot_gpu", "n=262144", "xs=random:1", "ys=random:2")
    example("dot_vectors_gpu", "n=65536", "xs=random:1", "ys=random:2")
    example("asum_gpu", "n=8192", "xs=random:1")


def matrices():
    rng = random.Random(2)
    example("gemv", "a=@a.npy", "x=@x.npy", a=("<f4", table(rng, 37, 203)), x=("<f4", signed(rng, 203)))
    example("transpose", "a=@a.npy", a=("<f4", table(random.Random(5), 64, 96)))
    example("transpose_gpu", "a=examples/transpose/a.npy")
    example("transpose_tile", "t=16", "a=examples/transpose/a.npy")
    for name in ("gemv_fast", "gemv_gpu"):
        example(name, "a=examples/gemv/a.npy", "x=examples/gemv/x.npy")
    example("matmul", "a=@a.npy", "b=@b.npy", a=("<f4", table(rng, 19, 23)), b=("<f4", table(rng, 23, 17)))
    example("matmul_tiled", "a=@a.npy", "b=@b.npy", a=("<f4", table(rng, 20, 33)), b=("<f4", table(rng, 33, 48)))
    example("matmul_gpu", "a=examples/transpose/a.npy", "b=@b.npy", b=("<f4", table(random.Random(7), 96, 32)))
    example("transpose_padded", "a=examples/matmul_gpu/b.npy")
    example("transpose_swizzled_gpu", "a=examples/matmul_gpu/b.npy")


def bodies(name, rng, n):
    arrays = {file: ("<f4", signed(rng, n)) for file in ("x", "y", "z", "vx", "vy", "vz")}
    arrays["mass"] = ("<f4", [abs(m) for m in signed(rng, n)])
    example(name, "dt=0.01", "masses=@mass.npy",
            *(f"positions.{i}=@{file}.npy" for i, file in enumerate(("x", "y", "z"))),
            *(f"velocities.{i}=@{file}.npy" for i, file in enumerate(("vx", "vy", "vz"))), **arrays)


def simulations():
    rng = random.Random(3)
    n = 103
    example("blackscholes", "rate=0.02", "volatility=0.3",
            "options.0=@spot.npy", "options.1=@strike.npy", "options.2=@years.npy",
            spot=("<f8", uniform(rng, 5, 60, n)), strike=("<f8", uniform(rng, 5, 60, n)),
            years=("<f8", uniform(rng, 0.25, 5, n)))
    example("blackscholes_gpu", "rate=0.02", "volatility=0.3",
            *(f"options.{i}=examples/blackscholes/{file}.npy" for i, file in enumerate(("spot", "strike", "years"))))
    for name in ("mandelbrot", "mandelbrot_gpu"):
        example(name, "width=61", "height=37", "limit=100")
    bodies("nbody", rng, 67)
    bodies("nbody_gpu", random.Random(8), 96)
    example("jacobi", "steps=5", "u=@u.npy", u=("<f4", table(rng, 29, 41)))
    example("jacobi_gpu", "steps=5", "u=@u.npy", u=("<f4", table(random.Random(9), 16, 64)))
    example("life", "cells=@cells.npy",
            cells=("|u1", [[int(rng.random() < 0.4) for _ in range(47)] for _ in range(33)]))


def irregular():
    rng = random.Random(4)
    example("histogram", "xs=@xs.npy", xs=("|u1", [below(rng, 64) + below(rng, 150) for _ in range(1003)]))
    example("histogram_gpu", "threads=100", "xs=examples/histogram/xs.npy")
    example("histogram_atomic_gpu", "xs=examples/histogram/xs.npy")
    example("histogram_copies_gpu", "xs=examples/histogram/xs.npy")
    rows, width = 43, 57
    starts, columns = [0], []
    for row in range(rows):  # every seventh row is empty, the others have up to 12 elements
        count = 0 if row % 7 == 3 else 1 + below(rng, 12)
        columns += sorted(sorted(range(width), key=lambda _: rng.random())[:count])
        starts.append(len(columns))
    example("spmv", "starts=@starts.npy", "columns=@columns.npy", "values=@values.npy", "x=@x.npy",
            starts=("<i8", starts), columns=("<i8", columns),
            values=("<f8", uniform(rng, 0.5, 1, len(columns))), x=("<f8", uniform(rng, 0.5, 1, width)))
    example("spmv_gpu", *(f"{file}=examples/spmv/{file}.npy" for file in ("starts", "columns", "values", "x")))
    example("scan", "xs=@xs.npy", xs=("<i8", [below(rng, 2 * 10**15) - 10**15 for _ in range(1003)]))
    blocks = random.Random(6)
    example("scan_gpu", "xs=@xs.npy", xs=("<i8", [below(blocks, 2 * 10**15) - 10**15 for _ in range(768)]))
    example("compact", "xs=@xs.npy", xs=("<i4", [below(rng, 1000) - 500 for _ in range(1003)]))
    n, k = 211, 6  # clouds around points of a circle, and a last centroid that no point is near
    centres = [(0, 4), (4, 1), (2, -3), (-2, -3), (-4, 1)]
    points = [(centres[i % 5][0] + rng.random() * 3, centres[i % 5][1] + rng.random() * 3) for i in range(n)]
    start = [(x + rng.random(), y + rng.random()) for x, y in centres] + [(100.0, 100.0)]
    assert len(start) == k
    example("kmeans", "points.0=@x.npy", "points.1=@y.npy", "centroids.0=@cx.npy", "centroids.1=@cy.npy",
            x=("<f8", [p[0] for p in points]), y=("<f8", [p[1] for p in points]),
            cx=("<f8", [p[0] for p in start]), cy=("<f8", [p[1] for p in start]))
    example("kmeans_gpu", *(f"{leaf}=examples/kmeans/{file}.npy" for leaf, file in
                            (("points.0", "x"), ("points.1", "y"), ("centroids.0", "cx"), ("centroids.1", "cy"))))


def pixel(row, column, rng):
    """A ball, lit from the upper left, before a wall and on a chequered floor; grain on all of it."""
    x, y = (column - 52) / 24, (row - 30) / 24
    inside = 1 - x * x - y * y
    if inside > 0:
        light = -0.5 * x - 0.6 * y + 0.62 * math.sqrt(inside)
        shade = 30 + 190 * max(light, 0) + (35 if light > 0.93 else 0)
    elif row > 44:
        depth = 400 // (row - 40)
        light_tile = ((column - 48) * depth // 160 + depth // 8) % 2 == 0
        shade = (160 if light_tile else 70) - 2 * max(0, 20 - abs(column - 62))
    else:
        shade = 200 - 2 * row - column // 3 + (-60 if column % 16 == 0 or row % 11 == 0 else 0)
    return min(255, max(0, int(shade) + below(rng, 13) - 6))


def picture():
    rng = random.Random(5)
    image = [[pixel(row, column, rng) for column in range(96)] for row in range(64)]
    example("blur", "image=@image.npy", image=("|u1", image))
    with open(os.path.join(HERE, "blur", "image.pgm"), "wb") as file:  # the same, to look at
        file.write(b"P5\n96 64\n255\n" + bytes(npy.flat(image)))


if __name__ == "__main__":
    vectors()
    matrices()
    simulations()
    irregular()
    picture()
