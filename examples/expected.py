#!/usr/bin/env python3
"""Makes the examples' expected outputs from their inputs by other means than the programs: plain loops in Python's
double precision and whole numbers, with correctly rounded sums (fsum). Beside each result stands `bound`: every element
b must be met within bound * max(1, |b|). It is computed here from the data, as README.md says; 0 where the result is
exact. gamma(k) is the relative error of k roundings in a row.
"""
import bisect
import collections
import itertools
import math
import os

import npy

HERE = os.path.dirname(os.path.abspath(__file__))
SINGLE, DOUBLE = 2.0**-24, 2.0**-53


def gamma(k, unit=SINGLE):
    return k * unit / (1 - k * unit)


def arguments(name):
    """The numbers and arrays of an example's `args`."""
    with open(os.path.join(HERE, name, "args")) as file:
        pairs = [word.split("=", 1) for word in file.read().split()]
    return {key: npy.read(os.path.join(HERE, "..", value)) if value.endswith(".npy") else float(value)
            for key, value in pairs}


def expect(name, *leaves, errors=None):
    """Leaves are (descr, data); errors has for each leaf a bound on the absolute error of each element."""
    worst = max((error / max(1.0, abs(b))
                 for (_, data), bounds in zip(leaves, errors or [])
                 for b, error in zip(npy.flat(data), npy.flat(bounds))), default=0.0)
    for i, (descr, data) in enumerate(leaves):
        file = "expected.npy" if len(leaves) == 1 else f"expected.{i}.npy"
        npy.write(os.path.join(HERE, name, file), descr, data)
    with open(os.path.join(HERE, name, "bound"), "w") as file:
        file.write(f"{worst * 1.01:.2e}\n" if worst else "0\n")


def sum_of(terms, longest_chain):
    """A sum of terms, and the bound on the error of adding them with at most that many roundings over each."""
    return math.fsum(terms), gamma(longest_chain) * math.fsum(abs(t) for t in terms)


def sums():
    for name in ("scal", "scal_fast", "scal_gpu"):
        given = arguments(name)
        alpha = npy.to_f32(given["alpha"])
        out = [alpha * x for x in given["xs"]]
        expect(name, ("<f8", out), errors=[[gamma(1) * abs(y) for y in out]])
    for name in ("reverse", "reverse_gpu"):
        expect(name, ("<f4", arguments(name)["xs"][::-1]))
    given = arguments("saxpy")
    alpha = npy.to_f32(given["alpha"])
    pairs = list(zip(given["xs"], given["ys"]))
    expect("saxpy", ("<f8", [alpha * x + y for x, y in pairs]),
           errors=[[gamma(2) * (abs(alpha * x) + abs(y)) for x, y in pairs]])
    # The longest chain of roundings: all n and the product; in the fast ones, a block's 4096/64 groups, 4 vectors, up
    # to 3 more, 16 lanes, up to 15 elements, and the 3 sums of blocks and rest.
    fast = 4096 // 64 + 4 + 3 + 16 + 15 + 3 + 1
    for name, chain in (("asum", 1003), ("asum_fast", fast)):
        total, error = sum_of([abs(x) for x in arguments(name)["xs"]], chain)
        expect(name, ("<f8", total), errors=[[error]])
    # 8 elements of a lane, trees of 32, 8 and 256, the sums of blocks that a thread has, and a start for each level.
    for name, chain in (("reduction", 9001), ("reduction_gpu", 8 + 5 + 3 + 8 + 1 + 5)):
        total, error = sum_of(arguments(name)["xs"], chain)
        expect(name, ("<f8", total), errors=[[error]])
    xs = arguments("max_segment_sum")["xs"]
    sums = [math.fsum(xs[:k]) for k in range(len(xs) + 1)]
    most = max(last - least for last, least in zip(sums, itertools.accumulate(sums, min)))
    # Whatever is chosen is a sum of some of them.
    expect("max_segment_sum", ("<f8", most), errors=[[sum_of(xs, len(xs))[1]]])
    for name, chain in (("dot", 1003 + 1), ("dot_fast", fast)):
        given = arguments(name)
        total, error = sum_of([x * y for x, y in zip(given["xs"], given["ys"])], chain)
        expect(name, ("<f8", total), errors=[[error]])


def products():
    for name in ("gemv", "gemv_fast", "gemv_gpu"):
        given = arguments(name)
        rows = [sum_of([p * q for p, q in zip(row, given["x"])], len(row) + 1) for row in given["a"]]
        expect(name, ("<f8", [r[0] for r in rows]), errors=[[r[1] for r in rows]])
    for name in ("transpose", "transpose_gpu", "transpose_tile", "transpose_padded", "transpose_swizzled_gpu"):
        expect(name, ("<f4", [list(column) for column in zip(*arguments(name)["a"])]))
    for name in ("matmul", "matmul_tiled", "matmul_gpu"):
        given = arguments(name)
        cells = [[sum_of([row[i] * given["b"][i][j] for i in range(len(row))], len(row) + 1)
                  for j in range(len(given["b"][0]))] for row in given["a"]]
        expect(name, ("<f8", [[c[0] for c in row] for row in cells]), errors=[[[c[1] for c in row] for row in cells]])


def blackscholes(name):
    given = arguments(name)
    rate, volatility = given["rate"], given["volatility"]
    calls, puts, errors = [], [], []
    for spot, strike, years in zip(*(given[f"options.{i}"] for i in range(3))):
        spread = volatility * math.sqrt(years)
        d1 = (math.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
        below = [math.erfc(-d / math.sqrt(2)) / 2 for d in (d1, d1 - spread)]
        present = strike * math.exp(-rate * years)
        calls.append(spot * below[0] - present * below[1])
        puts.append(calls[-1] - spot + present)  # the parity of call and put
        errors.append(7.5e-8 * (spot + present))  # the polynomial's error; roundings vanish beside it
    expect(name, ("<f8", calls), ("<f8", puts), errors=[errors, errors])


def mandelbrot(name):
    given = arguments(name)
    width, height, limit = (int(given[k]) for k in ("width", "height", "limit"))

    def steps(c):
        z = 0j
        for i in range(limit):
            if z.real * z.real + z.imag * z.imag > 4:
                return i
            z = z * z + c
        return limit
    expect(name, ("<i4", [[steps(complex(x * 3 / width - 2, y * 2 / height - 1)) for x in range(width)]
                          for y in range(height)]))


def nbody(name):
    given = arguments(name)
    dt = npy.to_f32(given["dt"])
    softening = npy.to_f32(0.01)
    places, speeds = ([list(p) for p in zip(*(given[f"{kind}.{i}"] for i in range(3)))]
                      for kind in ("positions", "velocities"))
    n = len(places)
    pulls = [[[], [], []] for _ in range(n)]
    for i, j in itertools.combinations(range(n), 2):  # each pair once, action and reaction
        r = [q - p for p, q in zip(places[i], places[j])]
        cube = (math.fsum(d * d for d in r) + softening)**1.5
        for axis in range(3):
            pulls[i][axis].append(given["masses"][j] * r[axis] / cube)
            pulls[j][axis].append(-given["masses"][i] * r[axis] / cube)
    new_speeds = [[v + dt * math.fsum(f) for v, f in zip(speeds[i], pulls[i])] for i in range(n)]
    new_places = [[x + dt * v for x, v in zip(places[i], new_speeds[i])] for i in range(n)]
    # n terms, each of 14 roundings (6 in the distance, half more in the root, ...), and 4 more to the new place.
    speed_error = [[gamma(n + 18) * (abs(v) + dt * math.fsum(abs(t) for t in f)) for v, f in zip(speeds[i], pulls[i])]
                   for i in range(n)]
    place_error = [[gamma(2) * (abs(x) + dt * abs(v)) + dt * e
                    for x, v, e in zip(places[i], new_speeds[i], speed_error[i])] for i in range(n)]
    columns = [[row[axis] for row in rows] for rows in (new_places, new_speeds) for axis in range(3)]
    expect(name, *(("<f8", c) for c in columns),
           errors=[[row[axis] for row in rows] for rows in (place_error, speed_error) for axis in range(3)])


def jacobi(name):
    given = arguments(name)
    grid = {(i, j): x for i, row in enumerate(given["u"]) for j, x in enumerate(row)}
    steps = int(given["steps"])

    def step(g):
        return {(i, j): math.fsum(g.get(p, 0.0) for p in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))) / 4
                for i, j in g}
    sizes = {at: abs(x) for at, x in grid.items()}
    for _ in range(steps):
        grid, sizes = step(grid), step(sizes)
    h, w = len(given["u"]), len(given["u"][0])
    expect(name, ("<f8", [[grid[i, j] for j in range(w)] for i in range(h)]),
           errors=[[[gamma(3 * steps) * sizes[i, j] for j in range(w)] for i in range(h)]])


def life():
    cells = arguments("life")["cells"]
    h, w = len(cells), len(cells[0])
    around = collections.Counter(((i + di) % h, (j + dj) % w)  # the living tell their neighbours
                                 for i in range(h) for j in range(w) if cells[i][j]
                                 for di in (-1, 0, 1) for dj in (-1, 0, 1) if (di, dj) != (0, 0))
    expect("life", ("|u1", [[int(around[i, j] == 3 or (around[i, j] == 2 and cells[i][j])) for j in range(w)]
                            for i in range(h)]))


def irregular():
    for name in ("histogram", "histogram_gpu", "histogram_atomic_gpu", "histogram_copies_gpu"):
        counts = collections.Counter(arguments(name)["xs"])
        expect(name, ("<i8", [counts[i] for i in range(256)]))
    for name in ("spmv", "spmv_gpu"):
        given = arguments(name)
        rows = [[] for _ in given["starts"][1:]]
        for at, (column, value) in enumerate(zip(given["columns"], given["values"])):  # each element finds its row
            rows[bisect.bisect_right(given["starts"], at) - 1].append(value * given["x"][column])
        expect(name, ("<f8", [math.fsum(row) for row in rows]),
               errors=[[gamma(2 * len(row) + 1, DOUBLE) * math.fsum(row) for row in rows]])
    for name in ("scan", "scan_gpu"):
        expect(name, ("<i8", list(itertools.accumulate(arguments(name)["xs"]))))
    xs = arguments("compact")["xs"]
    kept = [x for x in xs if x > 0]
    expect("compact", ("<i8", len(kept)), ("<i4", kept + [0] * (len(xs) - len(kept))))


def kmeans(name):
    given = arguments(name)
    points = [complex(*p) for p in zip(given["points.0"], given["points.1"])]
    centroids = [complex(*c) for c in zip(given["centroids.0"], given["centroids.1"])]
    groups = [[] for _ in centroids]
    for p in points:
        order = sorted(range(len(centroids)), key=lambda j: abs(p - centroids[j]))
        assert abs(p - centroids[order[1]]) - abs(p - centroids[order[0]]) > 1e-9  # no tie that rounding could turn
        groups[order[0]].append(p)
    assert [] in groups
    means, errors = [], []
    for old, group in zip(centroids, groups):
        axes = ([p.real for p in group], [p.imag for p in group])
        means.append([math.fsum(a) / len(a) for a in axes] if group else [old.real, old.imag])
        errors.append([gamma(2 * len(a) + 2, DOUBLE) * math.fsum(map(abs, a)) / max(1, len(a)) for a in axes])
    expect(name, *(("<f8", [m[i] for m in means]) for i in (0, 1)), errors=[[e[i] for e in errors] for i in (0, 1)])


def blur():
    image = arguments("blur")["image"]
    h, w = len(image), len(image[0])
    weight = [[math.comb(4, i) * math.comb(4, j) for j in range(5)] for i in range(5)]

    def pixel(row, column):
        total = sum(weight[i][j] * image[min(max(row + i - 2, 0), h - 1)][min(max(column + j - 2, 0), w - 1)]
                    for i in range(5) for j in range(5))
        return (total + 128) // 256
    expect("blur", ("|u1", [[pixel(i, j) for j in range(w)] for i in range(h)]))


if __name__ == "__main__":
    for make in (sums, products, life, irregular, blur):
        make()
    for make in (blackscholes, mandelbrot, nbody, jacobi, kmeans):
        make(make.__name__)
        make(make.__name__ + "_gpu")
