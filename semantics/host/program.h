// The language of host programs: what a machine with a GPU does to run a kernel program, step by step. Memory of the
// device is taken from a pool and given back, inputs are sent there, kernels launched, numbers read back that the host
// decides by, outputs fetched. All of it is in the order of one stream. The kernels are statements of the kernel
// language, whose names stand for what lives on the host: sizes, variables of its loops, what it has read and inputs of
// one scalar, all by value, and arrays of the device.
#pragma once
#include "semantics/kernel/syntax.h"

namespace lockstep::host {

struct Stmt;
using StmtRef = Ref<Stmt>;

struct Block {  // a scope
  std::vector<Stmt> statements;
  friend bool operator==(const Block&, const Block&) = default;
};
// An array of the device, from the pool: what it holds at first is whatever was there. To its Release, in this block.
struct Acquire {
  std::string array;
  kernel::KType type;  // of an element
  kernel::Expr count;  // in scalars
  friend bool operator==(const Acquire&, const Acquire&) = default;
};
struct Release {
  std::string array;
  friend bool operator==(const Release&, const Release&) = default;
};
struct Send {  // the whole input of that name, into the array of that name
  std::string array;
  friend bool operator==(const Send&, const Send&) = default;
};
struct Fetch {  // the whole array, into the output of that name; all of it has been written
  std::string array;
  friend bool operator==(const Fetch&, const Fetch&) = default;
};
struct Read {  // declares a variable of the host, to the end of its block: the array's first scalar
  std::string name;
  ScalarType type;
  std::string array;
  friend bool operator==(const Read&, const Read&) = default;
};
// As many blocks as `count` needs where each takes `to_a_block`, 1 or more, and `most` at most.
struct Grid {
  kernel::Expr count = kernel::constant(1);
  std::int64_t to_a_block = 1, most = 1;
  std::int64_t threads = 1;                  // of a block
  kernel::Expr bytes = kernel::constant(0);  // of a block's memory, for arrays of which only a launch knows the size
  friend bool operator==(const Grid&, const Grid&) = default;
};
std::int64_t blocks_of(const Grid& grid, std::int64_t count);
// One thread runs the body once; or, where it is a parallel loop, the launch's threads run its iterations, as they are
// dealt out to them.
struct Launch {
  kernel::Stmt body;
  Grid grid{};
  friend bool operator==(const Launch&, const Launch&) = default;
};
struct Finish {  // waits; ends the program where a check of the kernels before has failed
  friend bool operator==(const Finish&, const Finish&) = default;
};
struct For {  // name from 0 below extent
  std::string name;
  kernel::Expr extent;
  StmtRef body;
  friend bool operator==(const For&, const For&) = default;
};
struct If {
  kernel::Expr condition;
  StmtRef then, otherwise;
  friend bool operator==(const If&, const If&) = default;
};
struct While {  // before; ends where the condition, over what `before` reads, is false; body; and again
  StmtRef before;
  kernel::Expr condition;
  StmtRef body;
  friend bool operator==(const While&, const While&) = default;
};
struct Stmt {
  std::variant<Block, Acquire, Release, Send, Fetch, Read, Launch, Finish, For, If, While> node;
  friend bool operator==(const Stmt&, const Stmt&) = default;
};

// Expressions of the host are index arithmetic, comparisons of it and `&&`, over its variables and sizes, in 64 bits.
struct Program {
  kernel::Program of;  // whose name, parameters, facts and launch it has, and by whose checks kernels trap
  Stmt body;
  friend bool operator==(const Program&, const Program&) = default;
};
bool on_host(const kernel::Expr& e);  // no part of it reads memory or applies a scalar operator

// Every statement of s, s itself first.
void each_statement(const Stmt& s, const std::function<void(const Stmt&)>& f);
std::size_t node_count(const Program& p);  // with those of its kernels

// The parameter of that name; null where there is none.
const kernel::Buffer* parameter(const std::vector<kernel::Buffer>& all, const std::string& name);
// The loop that a launch's threads share; null where one thread runs the body.
const kernel::ParallelFor* loop_of(const Launch& launch);
// Inputs of one scalar that are given to kernels as they are: those whose name no array of the device has.
std::set<std::string> by_value(const Program& p);
// What a kernel takes: numbers and arrays that are free in it, and inputs of one scalar, by value.
struct Taken {
  std::set<std::string> numbers, arrays, scalars;
};
Taken taken_by(const kernel::Stmt& body, const std::set<std::string>& by_value);

// The same in one memory, as a kernel program: what it is typed and costed by. An array is allocated, what is sent
// copied, a kernel stands where it is launched. A `while` loop has what is before it twice.
kernel::Program in_one_memory(const Program& p);

std::string print(const Program& program);

// What is wrong, a line each. Beside the rules of in_one_memory(p): every array is released once, at the end of what
// uses it, in the block that acquires it; a launch is as its loop is dealt out, and has the bytes that its arrays need;
// Finish follows a kernel that may trap; each output is fetched.
std::vector<std::string> check(const Program& program);

}  // namespace lockstep::host
