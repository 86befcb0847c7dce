// A normal form of FCL as a program of the calculus, its levels as strategies (design.md, "levels→strategies"):
//   push <grid>, <block>, <warp>, <thread>    mapGlobal, mapLocal, mapLocal in a warp, mapSeq, over `indices n`; a
//                                             level below its place on the first unit of that level
//   interleave at grid, block, warp           mapWorkgroup, mapWarp, mapLocal over chunks, joined; by digits in another
//                                             order split, transposed and joined
//   force at host, block, warp, thread        let, toLocal, toLocal, toPrivate
//   while                                     while over the array, or over its length and an array of the first length
// Ints that lengths are made of are sizes; those that are indices and cannot wrap are of 64 bits, the others i32.
#pragma once
#include "semantics/fcl/language.h"
#include "translate/lowered/in_calculus.h"

namespace lockstep::fcl {

tl::expected<LoweredProgram, NotLowered> lowered(const Entry& fused);
tl::expected<InCalculus, NotLowered> in_calculus(const Entry& fused, const Calculus& calculus,
                                                 const SizeSolver& solver);

}  // namespace lockstep::fcl
