// Host programs: what the stage makes of kernels computes what they do, with memory and transfers of its own; what is
// planted in one is refused by its checks, and found by its interpreter where those are left out.
#include <catch2/catch.hpp>

#include "semantics/host/run.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/cost.h"
#include "semantics/kernel/run.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace host_test {
using namespace lockstep;
using Catch::Matchers::Contains;
using kernel::Buffers;
using kernel::dealt_out_from;

namespace {

std::vector<Scalar> i32s(std::size_t n, std::int64_t first = 1) {
  std::vector<Scalar> out;
  for (std::size_t k = 0; k < n; ++k)
    out.push_back(make_integer(ScalarType::I32, static_cast<std::uint64_t>(first + static_cast<std::int64_t>(k))));
  return out;
}
std::string text(const tl::expected<Buffers, kernel::Stop>& got) {
  if (const auto* trap = got ? nullptr : std::get_if<Trap>(&got.error())) return "trap: " + trap->message;
  if (const auto* fault = got ? nullptr : std::get_if<kernel::Fault>(&got.error()))
    return std::string(show(fault->kind)) + ": " + fault->message;
  if (!got) return "undecided";
  std::string out;
  for (const auto& [name, scalars] : *got) {
    out += name + ":";
    for (const Scalar& s : scalars) out += " " + show(s, ieee_domain());
    out += "\n";
  }
  return out;
}
std::string run_host(const host::Program& p, const SizeValues& sizes, const Buffers& inputs,
                     host::Usage* usage = nullptr, std::uint64_t limit = 0) {
  kernel::RunOptions options;
  options.while_limit = limit;
  return text(host::run(p, sizes, inputs, ieee_domain(), options, usage));
}

// The first statement that the function changes.
using Change = std::function<bool(host::Stmt&)>;
bool change_first(host::Stmt& s, const Change& change) {
  if (change(s)) return true;
  const auto inner = [&](host::StmtRef& r) {
    host::Stmt x = *r;
    if (!change_first(x, change)) return false;
    r = x;
    return true;
  };
  if (auto* b = std::get_if<host::Block>(&s.node))
    for (host::Stmt& x : b->statements)
      if (change_first(x, change)) return true;
  if (auto* f = std::get_if<host::For>(&s.node)) return inner(f->body);
  if (auto* i = std::get_if<host::If>(&s.node)) return inner(i->then) || inner(i->otherwise);
  if (auto* w = std::get_if<host::While>(&s.node)) return inner(w->before) || inner(w->body);
  return false;
}
host::Program changed(host::Program p, const Change& change) {
  REQUIRE(change_first(p.body, change));
  return p;
}
// The first launch that threads share.
host::Program with_launch(const host::Program& p, const std::function<void(host::Launch&)>& change) {
  return changed(p, [&](host::Stmt& s) {
    auto* l = std::get_if<host::Launch>(&s.node);
    if (!l || !host::loop_of(*l)) return false;
    change(*l);
    return true;
  });
}
template <class Node>
host::Program without(const host::Program& p) {
  return changed(p, [](host::Stmt& s) {
    if (!std::holds_alternative<Node>(s.node)) return false;
    s.node = host::Block{};
    return true;
  });
}

// Blocks that share memory of a launch's size, a check, a number that is data, a loop and a variable of the host.
const std::string steps =
    "kernel p(n, m) block 4 warp 2 grid 3 input i32 xs[n]; output i32 r[n]; {\n"
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
    "    }\n"
    "  }\n"
    "  for (i < n) most = most +.i32 t[i];\n"
    "  if (most <.i32 100i32) { parallel global (i < n) store r[i] = t[i] *.i32 most; }\n"
    "  else { alloc i32 u[n] @global;\n"
    "    parallel global (i < n) store u[i] = most; parallel global (i < n) store r[i] = u[i]; }\n"
    "}";
const SizeValues small{{"n", 10}, {"m", 2}};

}  // namespace

TEST_CASE("a host program computes what its kernel program does") {
  struct Case {
    std::string program;
    std::vector<SizeValues> sizes;
  };
  const std::vector<Case> cases = {
      {steps, {{{"n", 0}, {"m", 0}}, {{"n", 1}, {"m", 1}}, small, {{"n", 30}, {"m", 3}}, {{"n", 5}, {"m", 4}}}},
      // A while loop over data; a vector that lives across kernels; an extent that is data; names that come again.
      {"kernel p(n) block 4 warp 2 grid 2 input i32 xs[n]; output i32 r[n]; {\n"
       "  var i32<2> v = build(3i32, 5i32);\n  var i64 left = 3;\n"
       "  parallel global (i < n) store r[i] = xs[i];\n"
       "  while (0 < left) {\n"
       "    alloc i32 t[n] @global;\n"
       "    parallel global (i < n) { var i64 left = i; store t[i] = r[i] +.i32 lane(v, left % 2); }\n"
       "    parallel global (i < n) store r[i] = t[i];\n"
       "    left = left - 1;\n  }\n"
       "  { alloc i64 t[1] @global; store t[0] = n / 2; parallel global (j < t[0]) store r[j] = 0i32; }\n"
       "}",
       {{{"n", 0}}, {{"n", 1}}, {{"n", 9}}, {{"n", 40}}}},
      // An array whose last use may trap.
      {"kernel p(n) input i32 xs[n]; output i32 r[n]; {\n"
       "  parallel global (i < n) check (xs[i] <.i32 99i32) \"!\" \"\" (); parallel global (i < n) store r[i] = 1i32; "
       "}",
       {{{"n", 3}}}},
      // A kernel that ends at a variable of the device, and the variable before it that the next one uses.
      {"kernel p(n) input i32 xs[n]; output i32 r[n]; output i32 q[1]; {\n"
       "  var i32 a = 5i32; var i32 b = 2i32; store q[0] = a; parallel global (i < n) store r[i] = b; }",
       {{{"n", 3}}}},
      {"kernel p(n) input i32 xs[n]; input i32 unused[n]; output i32 r[n]; output i32 q[1]; {\n"
       "  parallel workgroup (g < n) store r[g] = xs[g]; store q[0] = 7i32; }",
       {{{"n", 0}}, {{"n", 3}}}},
  };
  for (const Case& c : cases) {
    const kernel::Program k = dealt_out_from(c.program);
    REQUIRE(kernel::check(k) == std::vector<std::string>{});
    const host::Program h = hosted(k);
    INFO(host::print(h));
    CHECK(host::check(h) == std::vector<std::string>{});
    for (const SizeValues& sizes : c.sizes) {
      Buffers inputs;
      for (const kernel::Buffer& b : k.inputs)
        inputs[b.name] = i32s(static_cast<std::size_t>(*evaluate(b.count, sizes)));
      CHECK(run_host(h, sizes, inputs) == text(kernel::run(k, sizes, inputs, ieee_domain())));
    }
  }
}

TEST_CASE("a host program as text") {
  const host::Program h = hosted(dealt_out_from(
      "kernel p(n) where 1 <= n block 4 warp 2 grid 3 input i32 xs[n]; output i32 r[1]; { var i32 sum = 0i32; "
      "parallel global (i < n) check (xs[i] <.i32 9i32) \"!\" \"\" (); for (i < n) sum = sum +.i32 xs[i]; "
      "while (sum <.i32 5i32) { sum = sum +.i32 1i32; parallel global (i < n) {} } store r[0] = sum; }"));
  CHECK(host::print(h) ==
        "host p(n) where 1 <= n block 4 warp 2 grid 3\n"
        "input i32 xs[n];\n"
        "output i32 r[1];\n"
        "{\n"
        "  acquire i32 sum_1[1];\n"
        "  launch (; sum_1) once\n"
        "    store sum_1[0] = 0i32;\n"
        "  acquire i32 xs[n];\n"
        "  send xs;\n"
        "  launch (n; xs) for n, 4 to a block, at most 3 blocks of 4\n"
        "    parallel global (i < n by 12)\n"
        "      check (xs[i] <.i32 9i32) \"!\" \"\" ();\n"
        "  finish;\n"
        "  launch (n; sum_1, xs) once\n"
        "    for (i < n)\n"
        "      store sum_1[0] = sum_1[0] +.i32 xs[i];\n"
        "  release xs;\n"
        "  loop {\n"
        "    acquire bool value[1];\n"
        "    launch (; sum_1, value) once\n"
        "      store value[0] = sum_1[0] <.i32 5i32;\n"
        "    read bool known = value[0];\n"
        "    release value;\n"
        "  }\n"
        "  while (known) {\n"
        "    launch (; sum_1) once\n"
        "      store sum_1[0] = sum_1[0] +.i32 1i32;\n"
        "    launch (n; ) for n, 4 to a block, at most 3 blocks of 4\n"
        "      parallel global (i < n by 12) {}\n"
        "  }\n"
        "  acquire i32 r[1];\n"
        "  launch (; r, sum_1) once\n"
        "    store r[0] = sum_1[0];\n"
        "  release sum_1;\n"
        "  fetch r;\n"
        "  release r;\n"
        "}\n");
}

TEST_CASE("what is planted in a host program is refused, and found by a run") {
  const host::Program right = hosted(dealt_out_from(steps));
  const Buffers inputs{{"xs", i32s(10)}};
  const std::string expected = run_host(right, small, inputs);
  REQUIRE_THAT(expected, Contains("r: 340 425 510"));  // 4, 5, 6 ... of which the sum is 85
  struct Planted {
    host::Program program;
    std::string refused, found;
  };
  const auto late = [](const std::string& array) {
    return [array](host::Stmt& s) {
      auto* b = std::get_if<host::Block>(&s.node);
      if (!b) return false;
      for (std::size_t k = 1; k < b->statements.size(); ++k) {
        const auto* r = std::get_if<host::Release>(&b->statements[k].node);
        if (!r || r->array != array) continue;
        std::swap(b->statements[k - 1], b->statements[k]);
        return true;
      }
      return false;
    };
  };
  const std::vector<Planted> all = {
      {changed(right, late("xs")), "'xs' is used where it is not acquired", "released: 'xs' is used after its release"},
      {without<host::Release>(right), "is not released", "released: "},
      {without<host::Acquire>(right), "is not acquired", "released: "},
      {without<host::Send>(right), "", "uninitialised: xs[0] is read"},
      {without<host::Fetch>(right), "the output 'r' is not fetched", "uninitialised: output r is never fetched"},
      {without<host::Finish>(right), "not followed by 'finish'", "r: "},
      {with_launch(right, [](host::Launch& l) { l.grid.most = 1; }), "at most 1 blocks", "uninitialised: t[6] is read"},
      {with_launch(right, [](host::Launch& l) { l.grid.most = 9, l.grid.to_a_block = 1; }), "at most 9 blocks",
       "wrong launch: 36 units"},
      {with_launch(right, [](host::Launch& l) { l.grid.count = kernel::constant(5); }), "is launched for 5",
       "uninitialised: t[9] is read"},
      {with_launch(right, [](host::Launch& l) { l.grid.threads = 2; }), "blocks of 2 threads",
       "wrong launch: blocks of 2"},
      {changed(right,
               [](host::Stmt& s) {
                 auto* a = std::get_if<host::Acquire>(&s.node);
                 if (!a || a->array != "xs") return false;
                 a->count = kernel::arith(kernel::ArithOp::Add, a->count, kernel::constant(1));
                 return true;
               }),
       "has n + 1 scalars on the device", "out of bounds: 'xs' has n scalars, and 11 on the device"},
      {changed(right,
               [](host::Stmt& s) {
                 auto* l = std::get_if<host::Launch>(&s.node);
                 if (!l || !host::loop_of(*l) || kernel::constant_of(l->grid.bytes) == 0) return false;
                 l->grid.bytes = kernel::constant(4);
                 return true;
               }),
       "is launched with 4 bytes", "wrong launch: a block of the loop over 'g' needs 8 bytes"},
  };
  for (const Planted& p : all) {
    INFO(host::print(p.program));
    std::string refused;
    for (const std::string& why : host::check(p.program)) refused += why + "\n";
    CHECK_THAT(refused, Contains(p.refused));
    CHECK(refused.empty() == p.refused.empty());
    const std::string found = run_host(p.program, small, inputs);
    CHECK_THAT(found, Contains(p.found));
  }
  // A trap that nothing waits for.
  CHECK_THAT(run_host(without<host::Finish>(right), {{"n", 2}, {"m", 4}}, {{"xs", i32s(2)}}),
             Contains("wrong launch: a kernel trapped, and nothing waited for it"));
  CHECK_THAT(run_host(right, {{"n", 2}, {"m", 4}}, {{"xs", i32s(2)}}), Contains("trap: k is 3"));
  // ... before a kernel that reads what the trap left unwritten.
  const host::Program two =
      hosted(dealt_out_from("kernel p(n) input i32 xs[n]; output i32 r[n]; { alloc i32 t[n] @global;\n"
                            "parallel global (i < n) { check (i < 1) \"!\" \"i is {0}\" (i); store t[i] = xs[i]; }\n"
                            "parallel global (i < n) store r[i] = t[i]; }"));
  CHECK_THAT(run_host(two, {{"n", 2}}, {{"xs", i32s(2)}}), Contains("trap: i is 1"));
  CHECK_THAT(run_host(without<host::Finish>(two), {{"n", 2}}, {{"xs", i32s(2)}}),
             Contains("wrong launch: a kernel trapped, and nothing waited for it"));
}

TEST_CASE("inputs of one scalar are neither acquired nor sent: kernels take them by value") {
  const host::Program p =
      hosted(dealt_out_from("kernel p(n) input i32 x; input i32 xs[1]; output i32 r[n]; output i32 s[1]; {\n"
                            "parallel global (i < n) store r[i] = x[0] +.i32 xs[0]; store s[0] = x[0]; }"));
  REQUIRE(host::check(p).empty());
  CHECK_THAT(host::print(p), Contains("launch (n, x; r, xs) for n") && Contains("launch (x; s) once") &&
                                 Contains("send xs;") && !Contains("send x;") && !Contains("acquire i32 x["));
  host::Usage usage;
  CHECK(run_host(p, {{"n", 2}}, {{"x", i32s(1, 5)}, {"xs", i32s(1, 20)}}, &usage) == "r: 25 25\ns: 5\n");
  CHECK(usage.bytes_sent == 4);
  const auto with = [&](const host::Stmt& first) {
    host::Program out = p;
    auto& all = std::get<host::Block>(out.body.node).statements;
    all.insert(all.begin(), first);
    std::string why;
    for (const std::string& w : host::check(out)) why += w + "\n";
    return why;
  };
  CHECK_THAT(with({host::Acquire{"x", {ScalarType::I32, 1}, kernel::constant(1)}}), Contains("'x' is not released"));
  CHECK_THAT(with({host::Send{"x"}}), Contains("'x' is used where it is not acquired"));
  // Where an array of the device hides it.
  const host::Program hidden =
      hosted(dealt_out_from("kernel p(n) input i32 x; output i32 r[n]; { parallel global (i < n) store r[i] = x[0];\n"
                            "alloc i32 x[n] @global; parallel global (i < n) store x[i] = 2i32;\n"
                            "parallel global (i < n) store r[i] = r[i] +.i32 x[i]; }"));
  REQUIRE(host::check(hidden).empty());
  CHECK_THAT(host::print(hidden), Contains("send x;"));
  CHECK(run_host(hidden, {{"n", 2}}, {{"x", i32s(1, 5)}}) == "r: 7 7\n");
}

TEST_CASE("what is right at some sizes only is refused on a host") {
  using host::Block, host::For, host::If, host::While;
  const host::Program right =
      hosted(dealt_out_from("kernel p(n) block 4 warp 2 grid 3 input i32 xs[n]; output i32 r[n]; {\n"
                            "parallel global (i < n) { check (i < 9) \"!\" \"{0}\" (i); store r[i] = xs[i]; } }"));
  REQUIRE(host::check(right).empty());
  const auto of = [&](
                      const std::vector<host::Stmt>& inserted,
                      const std::function<void(std::vector<host::Stmt>&)>& more = [](auto&) {}) {
    host::Program out = right;
    auto& all = std::get<Block>(out.body.node).statements;
    const auto fetch = std::find_if(all.begin(), all.end(),
                                    [](const host::Stmt& s) { return std::holds_alternative<host::Fetch>(s.node); });
    all.insert(fetch, inserted.begin(), inserted.end());
    more(all);
    std::string why;
    for (const std::string& w : host::check(out)) why += w + "\n";
    return why;
  };
  const auto block = [](std::vector<host::Stmt> all) { return host::Stmt{Block{std::move(all)}}; };
  const auto acquire = [](const std::string& name, std::int64_t n = 1) {
    return host::Stmt{host::Acquire{name, {ScalarType::I64, 1}, kernel::constant(n)}};
  };
  const auto release = [](const std::string& name) { return host::Stmt{host::Release{name}}; };
  const kernel::Expr some = kernel::arith(kernel::ArithOp::Less, kernel::variable("n"), kernel::constant(3));
  CHECK(of({acquire("t"), release("t")}) == "");
  CHECK_THAT(of({acquire("t"), {For{"k", kernel::variable("n"), block({release("t")})}}}),
             Contains("'t' is released in another block"));
  CHECK_THAT(of({acquire("t"), {If{some, block({release("t")}), block({})}}}), Contains("in another block"));
  CHECK_THAT(of({acquire("t"), block({release("t"), acquire("u")})}),
             Contains("'u' is not released") && Contains("in another block"));
  CHECK_THAT(of({acquire("t"), block({acquire("t"), release("t"), release("t")})}), Contains("in another block"));
  CHECK_THAT(
      of({acquire("t"), block({acquire("t"), release("t"), {host::Read{"x", ScalarType::I64, "t"}}}), release("t")}),
      Contains("'t' is used where it is not acquired, or released"));
  CHECK_THAT(of({{While{block({acquire("t")}), some, block({release("t")})}}}), Contains("'t' is not released"));
  CHECK_THAT(of({acquire("t", 3), {host::Read{"x", ScalarType::I64, "t"}}, release("t")}),
             Contains("'x' is read of 't', which is not one i64 or one bool"));
  CHECK_THAT(of({acquire("t"), {host::Read{"x", ScalarType::F64, "t"}}, release("t")}), Contains("'x' is read of 't'"));
  const auto launch = std::find_if(std::get<Block>(right.body.node).statements.begin(),
                                   std::get<Block>(right.body.node).statements.end(),
                                   [](const host::Stmt& s) { return std::holds_alternative<host::Launch>(s.node); });
  CHECK_THAT(of({{For{"k", kernel::variable("n"), block({*launch})}}, {host::Finish{}}}), Contains("ends a round"));
  CHECK_THAT(of({{If{some, block({*launch}), block({{host::Finish{}}})}}}),
             Contains("a kernel that may trap is not followed by 'finish'"));
  CHECK_THAT(of({{If{some, block({*launch}), block({})}}, {host::Finish{}}}), !Contains("trap"));
  CHECK_THAT(of({},
                [&](auto& all) {
                  const auto fetch = std::find_if(all.begin(), all.end(), [](const host::Stmt& s) {
                    return std::holds_alternative<host::Fetch>(s.node);
                  });
                  *fetch = {If{some, block({*fetch}), block({})}};
                }),
             Contains("is fetched in a loop, a branch or a block within"));
}

TEST_CASE("what a host may not do is refused") {
  const host::Program right =
      hosted(dealt_out_from("kernel p(n) block 4 warp 2 grid 3 input i32 xs[n]; output i32 r[n]; { parallel global (i "
                            "< n) store r[i] = xs[i];\n"
                            "for (k < n) store r[k] = 1i32; }"));
  REQUIRE(host::check(right).empty());
  const auto refused = [&](const Change& change) {
    std::string out;
    for (const std::string& why : host::check(changed(right, change))) out += why + "\n";
    return out;
  };
  const auto in_block = [](const std::function<void(std::vector<host::Stmt>&)>& change) -> Change {
    return [change](host::Stmt& s) {
      auto* b = std::get_if<host::Block>(&s.node);
      if (b) change(b->statements);
      return b != nullptr;
    };
  };
  const auto launch = [](bool once, const std::function<void(host::Launch&)>& change) -> Change {
    return [once, change](host::Stmt& s) {
      auto* l = std::get_if<host::Launch>(&s.node);
      if (!l || (host::loop_of(*l) == nullptr) != once) return false;
      change(*l);
      return true;
    };
  };
  CHECK_THAT(refused(in_block([](auto& all) { all.insert(all.end() - 1, {host::Fetch{"r"}}); })),
             Contains("the output 'r' is fetched twice"));
  CHECK_THAT(refused(in_block([](auto& all) { all.insert(all.end() - 1, {host::Send{"r"}}); })),
             Contains("'r' is sent, and is no input"));
  CHECK_THAT(refused(in_block([](auto& all) { all.insert(all.begin() + 2, {host::Fetch{"xs"}}); })),
             Contains("'xs' is fetched, and is no output"));
  CHECK_THAT(refused(in_block([](auto& all) { all.push_back({host::Release{"r"}}); })), Contains("'r' is used where"));
  CHECK_THAT(refused(launch(true, [](host::Launch& l) { l.grid.threads = 4; })), Contains("is launched with several"));
  CHECK_THAT(
      refused(launch(false, [](host::Launch& l) { l.body = kernel::Stmt{kernel::Block{{l.body}}}, l.grid = {}; })),
      Contains("a kernel of one thread has a parallel loop"));
  CHECK_THAT(refused(launch(false,
                            [](host::Launch& l) {
                              kernel::ParallelFor p = *host::loop_of(l);
                              p.units = kernel::constant(5);
                              l.body.node = p;
                            })),
             Contains("is not dealt out to the units that the program is launched with"));
  CHECK_THAT(
      refused(launch(false,
                     [](host::Launch& l) { l.grid.count = kernel::load("r", ScalarType::I64, kernel::constant(0)); })),
      Contains("the host does not compute r[0]"));
  CHECK_THAT(refused(launch(true,
                            [](host::Launch& l) {
                              l.body = kernel::Stmt{kernel::Store{"r", kernel::constant(0), kernel::constant(1)}};
                            })),
             Contains("what is stored to 'r' is of i64"));
}

TEST_CASE("a host's while loop that does not end is stopped") {
  const host::Program h = hosted(dealt_out_from(
      "kernel p(n) input bool b[1]; output i32 r[n]; while (b[0]) parallel global (i < n) store r[i] = 1i32;"));
  const Buffers forever{{"b", {make_integer(ScalarType::Bool, 1)}}};
  CHECK_THAT(run_host(h, {{"n", 1}}, forever, nullptr, 50), Contains("endless: while loops take more than 50"));
}

TEST_CASE("memory of the device is taken again where it was given back") {
  CHECK(host::class_of(0) == 256);
  CHECK(host::class_of(256) == 256);
  CHECK(host::class_of(257) == 512);
  CHECK(host::class_of(4095) == 4096);
  CHECK(host::class_of(4097) == 4608);
  for (std::int64_t n = 1; n < 100'000; n += 7) {
    CHECK(host::class_of(n) >= n);
    CHECK(host::class_of(n) <= std::max<std::int64_t>(n + 255, n + n / 8 + 1));
    CHECK(host::class_of(host::class_of(n)) == host::class_of(n));
  }
  // A temporary for each round, and the output where the input was.
  const host::Program h =
      hosted(dealt_out_from("kernel p(n, m) input i32 xs[n]; output i32 r[n]; { alloc i32 s[n] @global;\n"
                            "parallel global (i < n) store s[i] = xs[i];\n"
                            "for (k < m) { alloc i32 t[n] @global; parallel global (i < n) store t[i] = s[i];\n"
                            "  parallel global (i < n) store s[i] = t[i]; }\n"
                            "parallel global (i < n) store r[i] = s[i]; }"));
  host::Usage usage;
  CHECK_THAT(run_host(h, {{"n", 100}, {"m", 7}}, {{"xs", i32s(100)}}, &usage), Contains("r: 1 2 3"));
  CHECK(usage.taken == 10);
  CHECK(usage.taken_anew == 2);
  CHECK(usage.memory == 2 * 512);
  CHECK(usage.launches == 16);
  CHECK(usage.bytes_sent == 400);
  CHECK(usage.bytes_fetched == 400);
  CHECK(usage.reads == 0);
  // Each array is acquired where it is first used: two are enough for a chain of five.
  const host::Program chain = hosted(dealt_out_from(
      "kernel p(n) input i32 xs[n]; output i32 r[n]; { alloc i32 a[n] @global; alloc i32 b[n] @global; alloc i32 c[n] "
      "@global;\nparallel global (i < n) store a[i] = xs[i]; parallel global (i < n) store b[i] = a[i];\n"
      "parallel global (i < n) store c[i] = b[i]; parallel global (i < n) store r[i] = c[i]; }"));
  CHECK_THAT(run_host(chain, {{"n", 100}}, {{"xs", i32s(100)}}, &usage), Contains("r: 1 2 3"));
  CHECK(usage.taken == 5);
  CHECK(usage.taken_anew == 2);
}

TEST_CASE("an input that no kernel reads stays on the host") {
  const host::Program h =
      hosted(dealt_out_from("kernel p(n) input i32 xs[n]; input i32 unused[n]; output i32 r[n]; parallel global (i < "
                            "n) store r[i] = xs[i];"));
  host::Usage usage;
  CHECK_THAT(run_host(h, {{"n", 10}}, {{"xs", i32s(10)}, {"unused", i32s(10)}}, &usage), Contains("r: 1 2 3"));
  CHECK(usage.bytes_sent == 40);
  CHECK(usage.taken == 2);
}

TEST_CASE("what a host program costs is at least what a run counts") {
  for (const std::string& program : {steps}) {
    const host::Program h = hosted(dealt_out_from(program));
    const Cost said = host::language()->cost(AnyProgram(host::language(), h));
    for (const SizeValues& sizes : {small, SizeValues{{"n", 7}, {"m", 3}}}) {
      Counted counted;
      kernel::RunOptions options;
      options.counted = &counted;
      const auto inputs = Buffers{{"xs", i32s(static_cast<std::size_t>(sizes.at("n")))}};
      REQUIRE(host::run(h, sizes, inputs, ieee_domain(), options));
      SizeValues all = sizes;
      all["#threads"] = 1;
      CHECK(counted.work <= *evaluate(said.work, all));
      CHECK(counted.depth <= *evaluate(said.depth, all));
      CHECK(counted.space <= *evaluate(said.space, all));
      CHECK(counted.work > 0);
    }
  }
}

}  // namespace host_test
