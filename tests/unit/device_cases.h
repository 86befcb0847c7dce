// Small kernel programs, each aimed at a few decisions of those who print texts for devices (codegen/c/host,
// device_kernel, device_rounds; the targets' own). device_runs.h runs them.
#pragma once
#include <cstdint>
#include <vector>

namespace lockstep::test {

struct DeviceCase {
  const char* text;
  std::vector<std::vector<std::int64_t>> sizes;  // of each run, in the program's order
};

// ---- the host's part: loops, branches, what kernels are given, memory, transfers
inline const std::vector<DeviceCase> of_the_host = {
    // Inputs of one scalar of each size, which kernels take by value: in a loop, once, and beside an array of one.
    {"kernel p(n) block 4 warp 2 grid 2 input i8 a; input u16 b; input i32 l; input u64 d; input f32 e; input f64 p;\n"
     "input bool g; input u32 h[1]; output f64 r[n]; output u64 s[1]; {\n"
     "  parallel global (i < n)\n"
     "    store r[i] = (f64.f32(e[0]) *.f64 p[0]) +.f64 f64.i64(i64.i32(l[0]) +.i64 i64.i8(a[0]));\n"
     "  store s[0] = d[0] +.u64 u64.u16(b[0]) +.u64 u64.u32(h[0]);\n"
     "  parallel global (i < n) if (g[0]) store r[i] = r[i] +.f64 f64.u32(h[0]); }",
     {{0}, {1}, {30}}},
    // An array of the device that hides an input of one scalar.
    {"kernel p(n) block 4 warp 2 grid 2 input i32 l; output i32 r[n]; { parallel global (i < n) store r[i] = l[0];\n"
     "  alloc i32 l[n] @global; parallel global (i < n) store l[i] = r[i] *.i32 r[i];\n"
     "  parallel global (i < n) store r[i] = r[i] +.i32 l[i]; }",
     {{0}, {1}, {30}}},
    // A kernel that takes nothing; one of 32-bit indices that takes a scalar of 64 bits.
    {"kernel p(n) block 4 warp 2 grid 2 narrow (n) input i64 c; output i64 r[n]; {\n"
     "  parallel global (i < 4) for (j < 3) { var i64 x = i + j; }\n"
     "  parallel global (i < n) store r[i] = c[0] +.i64 i; }",
     {{0}, {1}, {30}}},
    // A loop and a branch; a number that is passed by value; more blocks than are launched.
    {"kernel p(n, m) block 4 warp 2 grid 2 input i32 xs[n]; input i32 x; output i32 r[n]; {\n"
     "  parallel global (i < n) store r[i] = xs[i] +.i32 x[0];\n"
     "  for (k < m) parallel global (i < n) store r[i] = (r[i] *.i32 3i32) +.i32 i32.i64(k);\n"
     "  if (n < m) parallel global (i < n) store r[i] = r[i] +.i32 1i32;\n"
     "  else parallel global (i < n) store r[i] = r[i] -.i32 1i32; }",
     {{0, 0}, {5, 1}, {5, 7}, {203, 3}}},
    // A loop that data ends, what one thread leaves the next kernel, and a count that is data.
    {"kernel p(n) block 4 warp 2 grid 2 input i32 xs[n]; output i32 r[n]; {\n"
     "  var i32<2> v = build(3i32, 5i32);\n  var i64 left = 3;\n"
     "  parallel global (i < n) store r[i] = xs[i];\n"
     "  while (0 < left) {\n"
     "    alloc i32 t[n] @global;\n"
     "    parallel global (i < n) { var i64 left = i; store t[i] = r[i] +.i32 lane(v, left % 2); }\n"
     "    parallel global (i < n) store r[i] = t[i];\n"
     "    left = left - 1;\n  }\n"
     "  { alloc i64 t[1] @global; store t[0] = n / 2; parallel global (j < t[0]) store r[j] = 0i32; } }",
     {{0}, {9}, {40}}},
    // One name in two scopes, the outer one used again behind the inner.
    {"kernel p(n, m) block 4 warp 2 grid 3 input i64 xs[n]; input i32 unused[n]; output i64 r[n]; {\n"
     "  alloc i64 t[n] @global; parallel global (i < n) store t[i] = xs[i];\n"
     "  { alloc i64 t[n] @global; parallel global (i < n) store t[i] = 7; parallel global (i < n) store r[i] = t[i]; "
     "}\n"
     "  parallel workgroup (g < n) store r[g] = r[g] + t[g]; }",
     {{3, 1}, {100, 1}}},
    // Indices that need 64 bits where m is large, and fit 32 elsewhere.
    {"kernel p(n, m) block 4 warp 2 grid 2 narrow (m * n) input i32 xs[n]; output i32 r[n];\n"
     "  parallel global (i < n) store r[i * m / m] = xs[(n - 1 - i) * m / m];",
     {{5, 3}, {5, 3000000000}}},
};

// ---- traps: each kernel's have their number and values, and nothing comes after them
inline const std::vector<DeviceCase> of_traps = {
    {"kernel p(n) block 4 warp 2 grid 3 output i64 r[n]; {\n"
     "  parallel global (i < n) { check (i < 10) \"first\" \"{0} of {1}\" (i, n); store r[i] = i; }\n"
     "  for (k < n) parallel global (i < 1) {\n"
     "    check (k < 7) \"second\" \"{0} {1} {2} {3}\" (k, i + 1, n, k * n); check (n < 9) \"third\" \"{0}\" (n); } }",
     {{0}, {6}, {11}, {8}, {9}, {6}}},
    // Blocks of memory that a launch asks for, between kernels of one thread, under a branch that data takes.
    {"kernel p(n, m) block 4 warp 2 grid 3 input i32 xs[n]; output i32 r[n]; {\n"
     "  var i32 most = 0i32;\n"
     "  alloc i32 t[n] @global;\n"
     "  parallel global (i < n) store t[i] = xs[i] +.i32 1i32;\n"
     "  for (k < m) {\n"
     "    parallel workgroup (g < n) {\n"
     "      alloc i32 s[m] @local offset 0;\n"
     "      parallel local (l < m) store s[l] = t[g] +.i32 1i32;\n"
     "      barrier;\n"
     "      check (k < 3) \"!\" \"k is {0}\" (k);\n"
     "      store t[g] = s[0];\n"
     "      barrier;\n"
     "    }\n"
     "  }\n"
     "  for (i < n) most = most +.i32 t[i];\n"
     "  if (most <.i32 100i32) { parallel global (i < n) store r[i] = t[i] *.i32 most; }\n"
     "  else { alloc i32 u[n] @global;\n"
     "    parallel global (i < n) store u[i] = most; parallel global (i < n) store r[i] = u[i]; } }",
     {{0, 0}, {10, 2}, {30, 3}, {1, 4}, {3, 1}}},
};

// ---- traps among threads that share memory: all of them leave, so that none reads where nobody has written an index
inline const std::vector<DeviceCase> of_traps_of_threads = {
    {"kernel p(n, m, k) block 8 warp 4 grid 2 output i64 r[8 * n]; {\n"
     "  check (n < 9) \"once\" \"{0} {1}\" (n + 1, m);\n"
     "  parallel workgroup (g < n) { alloc i64 s[8] @local;\n"
     "    check (g + k < 20) \"block\" \"{0}\" (g); store r[g * 8 + (g + k) / 20 * 1000000000] = g;\n"
     "    parallel local (l < 8) { check (l + m < 12) \"thread\" \"{0} of {1}\" (l, m); store s[l] = 7 - l; } "
     "barrier;\n"
     "    parallel local (l < 8) store r[g * 8 + s[7 - l]] = l;\n"
     "    barrier; } }",
     {{3, 4, 0}, {3, 5, 0}, {2, 4, 19}, {9, 4, 0}, {3, 4, 1}}},
    {"kernel p(n, m) block 8 warp 4 grid 2 output i64 r[8 * n]; parallel workgroup (g < n) {\n"
     "  parallel warp (w < 2) parallel local (l < 4) {\n"
     "    check (g * 8 + w * 4 + l < m) \"!\" \"{0} of {1}\" (g * 8 + w * 4 + l, m); store r[g * 8 + w * 4 + l] = l; } "
     "}",
     {{2, 16}, {2, 15}}},
};

// ---- blocks: what threads share and what is their own, what the first of them stores, barriers, updates, types
inline const std::vector<DeviceCase> of_blocks = {
    // A name that is a thread's own array, and then one that the block shares.
    {"kernel p(n) block 8 warp 4 grid 3 output i32 r[8 * n]; parallel workgroup (g < n) {\n"
     "  { alloc i32 q[1] @private; store q[0] = 1i32; }\n"
     "  alloc i32 q[1] @local; store q[0] = 1i32; barrier; store q[0] = q[0] +.i32 1i32; barrier;\n"
     "  parallel local (l < 8) store r[g * 8 + l] = q[0]; barrier; }",
     {{0}, {1}, {7}}},
    // Between local loops the first thread stores, step by step; a private array is each thread's; rounds of both
    // loops.
    {"kernel p(n) block 8 warp 4 grid 3 input i32 xs[12 * n]; output i32 r[12 * n]; parallel workgroup (g < n) {\n"
     "  alloc i32 s[12] @local; alloc i32 t[1] @local; alloc i32 q[2] @private;\n"
     "  parallel local (l < 12) store s[l] = xs[g * 12 + l]; barrier;\n"
     "  store q[0] = s[3]; store q[1] = q[0] +.i32 1i32;\n"
     "  store t[0] = s[0] +.i32 s[11]; barrier; store t[0] = t[0] *.i32 3i32; store t[0] = t[0] +.i32 q[1]; barrier;\n"
     "  parallel local (l < 12) store r[g * 12 + l] = (s[11 - l] +.i32 t[0]) *.i32 q[1];\n"
     "  barrier; }",
     {{0}, {1}, {7}}},
    // Two arrays of a size that a launch knows, one array of the machine that a block's threads share, fewer threads.
    {"kernel p(n, m) block 8 warp 4 grid 2 input i64 xs[m * n]; output i64 r[m * n]; {\n"
     "  alloc i64 u[m * n] @global;\n"
     "  parallel workgroup (g < n) {\n"
     "    alloc i64 s[m] @local offset 0; alloc i32 t[m] @local offset 8 * m;\n"
     "    parallel local (l < m) { store s[l] = xs[g * m + l]; store t[l] = i32.i64(l * l); store u[g * m + l] = l; }\n"
     "    barrier;\n"
     "    parallel local (l < m) store r[g * m + l] = s[m - 1 - l] +.i64 (i64.i32(t[m - 1 - l]) +.i64 u[g * m + m - 1 "
     "- l]);\n"
     "    barrier; } }",
     {{0, 3}, {1, 1}, {5, 20}, {4, 3}}},
    // A loop inside what a thread runs; and a local loop of one iteration, which the first thread has.
    {"kernel p(n) block 4 warp 2 grid 2 input u8 xs[6 * n]; output u8 r[6 * n]; output i8 q[6 * n]; {\n"
     "  parallel par (i < n) parallel par (j < 6) store r[i * 6 + j] = xs[i * 6 + 5 - j] *.u8 37u8;\n"
     "  parallel workgroup (g < n) { alloc u8 s[6] @local;\n"
     "    parallel local (l < 6) store s[l] = r[g * 6 + l]; barrier;\n"
     "    parallel local (l < 1) for (j < 6) store q[g * 6 + j] = i8.u8(s[5 - j]); barrier; } }",
     {{1}, {5}}},
    // Short vectors between kernels and in a block; bools; floats.
    {"kernel p(n) block 4 warp 2 grid 2 input i16<3> xs[n]; input bool bs[n]; input f32<4> fs[n];\n"
     "output i16<3> r[n]; output bool q[n]; output f32 z[n]; output f64<2> w[n]; {\n"
     "  alloc i16<3> t[3 * n] @global; alloc bool c[n] @global;\n"
     "  parallel global (i < n) { store t[i * 3] = xs[i * 3 : 3] +.i16<3> splat<3>(100i16); store c[i] = bs[n - 1 - "
     "i]; }\n"
     "  parallel global (i < n) {\n"
     "    store r[i * 3] = t[(n - 1 - i) * 3 : 3]; store q[i] = (c[i] ? false : true);\n"
     "    var f32<4> v = fs[i * 4 : 4]; store z[i] = lane(v, 0) *.f32 lane(v, i % 4);\n"
     "    store w[i * 2] = build(f64.f32(lane(v, 3)), 0.1f64); } }",
     {{1}, {9}}},
};

// ---- updates that no other access comes between, of 32 and of 64 bits, in a block's memory and in the device's
inline const std::vector<DeviceCase> of_updates = {
    {"kernel p(n) block 8 warp 4 grid 3 input i32 xs[n]; input u64 ys[n]; output i32 r[12]; output u64 q[8]; {\n"
     "  for (k < 12) store r[k] = 5i32; for (k < 8) store q[k] = 5u64;\n"
     "  parallel global (i < n) {\n"
     "    atomic r[i % 2] + = xs[i]; atomic r[2 + i % 2] min = xs[i]; atomic r[4 + i % 2] max = xs[i];\n"
     "    atomic r[6 + i % 2] & = xs[i]; atomic r[8 + i % 2] | = xs[i]; atomic r[10 + i % 2] ^ = xs[i];\n"
     "    atomic q[i % 2] + = ys[i]; atomic q[2 + i % 2] & = ys[i]; atomic q[4 + i % 2] | = ys[i];\n"
     "    atomic q[6 + i % 2] ^ = ys[i]; } }",
     {{0}, {1}, {100}}},
    {"kernel p(n) block 8 warp 4 grid 3 input i64 xs[n]; input u32 ys[n]; input u64 zs[n]; output i64 r[9]; {\n"
     "  for (k < 9) store r[k] = 5;\n"
     "  parallel workgroup (g < 3) { alloc i64 s[1] @local; alloc u32 t[2] @local; alloc u64 u[2] @local;\n"
     "    parallel local (l < 1) store s[0] = 1; \n"
     "    parallel local (l < 2) { store t[l] = 9u32; store u[l] = 9u64; } barrier;\n"
     "    parallel local (l < n) { atomic s[0] + = xs[l] + g; atomic t[0] min = ys[l]; atomic t[1] max = ys[l];\n"
     "      atomic u[0] min = zs[l]; atomic u[1] max = zs[l]; } barrier;\n"
     "    parallel local (l < 1) { store r[g] = s[0]; store r[3 + g] = i64.u32(t[0]) +.i64 (i64.u64(u[0]) *.i64 3);\n"
     "      store r[6 + g] = i64.u32(t[1]) +.i64 (i64.u64(u[1]) *.i64 3); } barrier; } }",
     {{0}, {1}, {20}}},
};

// ---- warps that share their memory
inline const std::vector<DeviceCase> of_warps = {
    // Memory of each warp; what the first lane stores; more work than warps, and again for the next iteration.
    {"kernel p(n, m) block 8 warp 4 grid 2 input i32 xs[12 * n]; output i32 r[12 * n]; output i32 q[3 * n];\n"
     "parallel workgroup (g < n) { alloc i32 a[12] @local; parallel local (l < 12) store a[l] = 0i32;\n"
     "  parallel local (l < 3) if (m < 3) store q[g * 3 + l] = 9i32; barrier;\n"
     "  parallel warp (w < m) with (i32 s[4] @local, i32 t[1] @local) {\n"
     "    barrier warp; parallel local (l < 4) store s[l] = xs[g * 12 + w * 4 + l]; barrier warp;\n"
     "    store t[0] = s[0] +.i32 s[3]; barrier warp; store t[0] = t[0] *.i32 3i32; barrier warp;\n"
     "    parallel local (l < 4) store a[w * 4 + l] = s[3 - l] +.i32 t[0];\n"
     "    store q[g * 3 + w] = t[0]; }\n"
     "  barrier;\n"
     "  parallel local (l < 12) store r[g * 12 + l] = a[11 - l]; barrier; }",
     {{0, 3}, {1, 3}, {5, 3}, {3, 2}, {2, 0}}},
    // Memory of warps that a launch asks for.
    {"kernel p(n, m) block 8 warp 4 grid 2 input i64 xs[2 * n * m]; output i64 r[2 * n * m]; parallel workgroup (g < "
     "n)\n"
     "  parallel warp (w < 2) { alloc i64 s[m] @local offset 0; alloc i32 t[m] @local offset 16 * m;\n"
     "    barrier warp; parallel local (l < m) { store s[l] = xs[(g * 2 + w) * m + l]; store t[l] = i32.i64(l); }\n"
     "    barrier warp; parallel local (l < m) store r[(g * 2 + w) * m + l] = s[m - 1 - l] +.i64 i64.i32(t[m - 1 - "
     "l]); }",
     {{1, 1}, {5, 6}}},
    // What a warp allocates is new each time that it comes to the loop: no barrier stands between its second
    // use and the first. Branches and loops that all warps of a block take. What each lane has beside its warp's
    // memory.
    {"kernel p(n, m) block 8 warp 4 grid 2 input i32 xs[8 * n]; output i32 r[16 * n]; output i32 q[16 * n];\n"
     "parallel workgroup (g < n) { for (k < 2)\n"
     "  parallel warp (w < 2) with (i32 s[4] @local, i32 o[1] @private) {\n"
     "    store o[0] = xs[g * 8 + w]; parallel local (l < 4) store s[l] = xs[g * 8 + w * 4 + l] *.i32 i32.i64(k + 1);\n"
     "    if (g < m) { barrier warp; parallel local (l < 4) store r[(k * n + g) * 8 + w * 4 + l] = s[3 - l] +.i32 "
     "o[0]; }\n"
     "    else { barrier warp; parallel local (l < 4) store r[(k * n + g) * 8 + w * 4 + l] = s[l / 2] -.i32 o[0]; } }\n"
     "  for (k < 2) parallel warp (w < 2) { alloc i32 s[m] @local offset 0;\n"
     "    parallel local (l < m) store s[l] = i32.i64(w * m + l * k); barrier warp;\n"
     "    for (j < g) { barrier warp; parallel local (l < m) if (l < 1) store s[0] = s[0] +.i32 i32.i64(j + l); }\n"
     "    barrier warp; parallel local (l < 4) store q[(k * n + g) * 8 + w * 4 + l] = s[(l * l + 1) % m]; } }",
     {{1, 2}, {5, 3}, {4, 1}}},
};

// What PoCL 3.1 computes wrongly where it optimises: a sum that is begun before a barrier, in a block without rounds.
inline const std::vector<DeviceCase> of_an_optimiser = {
    {"kernel p(a) block 256 input i32 x; input u64 y[4 * a]; output f64 r[8]; {\n"
     "  alloc u64 t[a * 8] @global;\n"
     "  parallel workgroup (i < 4) { alloc f32 s[2] @local; alloc i32 u[2] @local;\n"
     "    parallel local (j < 2) store u[j] = x[0]; barrier;\n"
     "    parallel local (j < 2) store s[j] = f32.i32(u[1 - j]);\n"
     "    parallel local (j < 2) for (k < a) store t[a * i * 2 + a * j + k] = y[a * i + k];\n"
     "    var f64 sum; sum = 1e-3f64; barrier;\n"
     "    for (j < 2) sum = f64.f32(s[j]) -.f64 sum;\n"
     "    unroll for (j < 2) store r[i * 2 + j] = sum; } }",
     {{0}, {3}}},
};

// ---- more warps' work than warps: traps in a round, and lanes that give each other what they have
inline const std::vector<DeviceCase> of_rounds = {
    // Nobody has written an index where the warps did not come to it.
    {"kernel p(n, m, k) block 8 warp 4 grid 2 output i64 r[12 * n]; parallel workgroup (g < n) { alloc i64 a[12] "
     "@local;\n"
     "  parallel local (l < 12) if (m * 4 < l + 1) store a[l] = l; barrier;\n"
     "  parallel warp (w < m) with (i64 s[4] @local, i64 t[1] @local) {\n"
     "    barrier warp;\n"
     "    parallel local (l < 4) { check (w * 4 + l + k < 12) \"lane\" \"{0}\" (w * 4 + l); store s[l] = 3 - l; }\n"
     "    barrier warp;\n"
     "    parallel local (l < 4) store a[w * 4 + s[3 - l]] = w * 4 + l;\n"
     "    check ((w + k) % 5 < 3) \"warp\" \"{0} {1}\" (w, k); store t[0] = w; barrier warp;\n"
     "    parallel local (l < 4) store a[t[0] * 4 + l] = a[t[0] * 4 + l] + 0;\n"
     "  } barrier;\n"
     "  parallel local (l < 12) store r[g * 12 + a[11 - l]] = l; barrier; }",
     {{3, 3, 0}, {3, 2, 1}, {2, 2, 2}, {3, 3, 1}, {3, 2, 5}, {3, 2, 0}}},
    // Segments of two lanes and of the warp, fewer lanes than the warp's, of each size of scalars, behind a check; one
    // that is come to again.
    {"kernel p(n, m, c) block 8 warp 4 grid 2 input i8 a[4 * c * n]; input i16 b[4 * c * n]; input i32 x[4 * c * n];\n"
     "input u64 d[4 * c * n]; input f64 e[4 * c * n]; output i8 r[4 * c * n]; output i16 s[4 * c * n];\n"
     "output i32 t[4 * c * n]; output u64 u[4 * c * n]; output f64 v[4 * c * n]; output bool z[4 * c * n];\n"
     "parallel workgroup (g < n) parallel warp (w < c) {\n"
     "    parallel local (l < 4) check (g + w + m < 9) \"!\" \"{0} {1}\" (g, m);\n"
     "    parallel local (l < 4) {\n"
     "      var i64 i = (g * c + w) * 4 + l;\n"
     "      var i8 y = shuffle(a[i], 1 - l % 2, 2); store r[i] = y;\n"
     "      var i16 h = shuffle(b[i], (l + 1) % 4, 4); store s[i] = h;\n"
     "      var i32 sum = x[i];\n"
     "      for (j < 3) { var i32 k = shuffle(sum, 3 - l, 4); sum = (sum *.i32 3i32) +.i32 k; } store t[i] = sum;\n"
     "      var u64 o = shuffle(d[i], l / 2, 2); store u[i] = o; var f64 f = shuffle(e[i], 0, 2); store v[i] = f;\n"
     "      var bool q = shuffle(a[i] <.i8 a[g * c * 4], 3 - l, 4); store z[i] = q; }\n"
     "    parallel local (l < 3) { var i64 i = (g * c + w) * 4 + l;\n"
     "      var i32 k = shuffle(t[i], 2 - l, 4); store t[i] = k; } }",
     {{1, 1, 2}, {4, 2, 3}, {3, 2, 1}, {1, 8, 1}}},
};

}  // namespace lockstep::test
