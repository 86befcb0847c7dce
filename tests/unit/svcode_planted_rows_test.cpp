// Every row of an opcode with something else said to those who are handed rows: clocks and paces to the analysis of
// streamability and to what makes traversals one, pieces to what splits programs, counted constants to what keeps them,
// operands and bases to the check and to both interpreters. Of clocks, counted constants and operands each is found on
// programs, or is so as well, for a reason that svcode_so_as_well.txt names; of the others most are. What rows say of
// streams alone is planted in svcode_row_mutants_test.
#include <fstream>
#include <iostream>
#include <set>

#include "codegen/streaming/engine.h"
#include "props/snesl/generate_svcode.h"
#include "props/snesl/inputs.h"
#include "props/snesl/mutants.h"
#include "semantics/svcode/chunked_network.h"
#include "semantics/transducer/run.h"
#include "semantics/transducer/text.h"
#include "streamable_programs.h"
#include "svcode_altered_rows.h"
#include "svcode_laws.h"
#include "svcode_reference.h"
#include "translate/simplify/simplify.h"
#include "translate/streamability/streamable.h"
#include "translate/transducers/stages.h"

using namespace lockstep;
using namespace lockstep::svcode;
using namespace lockstep::svcode::test;
using props::stream::FilesByName;

namespace {

using Order = ChunkOptions::Order;

// A program with what is known of it, by the right rows.
struct Subject {
  std::string name;
  Program p;
  bool streams = true;
  enum class Kind : unsigned char { Written, Generated, Drawn } kind = Kind::Written;
  std::map<std::string, std::string> files{};  // of what is not drawn
  std::vector<std::vector<Stream>> inputs;
  std::vector<std::string> expected;  // on each of them
  Slack slack{};
  std::int64_t space = 0;  // on the last of them, at a chunk of one element
  // Where it streams: simplified, as networks, in pieces.
  Program simplified{};
  transducer::Program before_counted{transducer::Network(Program(), Forms()), {}, 0};
  std::size_t counted = 0, in_body = 0;
  bool is_in_pieces = false;
};

using Kind = Subject::Kind;

std::string seen(const std::vector<Stream>& streams, const std::vector<std::pair<std::string, std::string>>& written) {
  std::string r;
  for (const Stream& s : streams) r += show(s) + " ";
  for (const auto& [name, content] : written) r += name + "=" + content + " ";
  return r;
}
// With the files that the subject reads.
template <class F>
std::string with_files(const Subject& s, F run) {
  if (s.kind == Kind::Drawn) {
    FilesByName files;
    return run(files);
  }
  MemoryFiles files(s.files);
  return run(files);
}
template <class R>
const Run& run_of(const R& r) {
  if constexpr (requires { r.run; })
    return r.run;
  else
    return r;
}
template <class F>
std::string given(const Subject& s, F run) {
  return with_files(s, [&](auto& files) -> std::string {
    const auto r = run(files);
    if (!r) return "a trap";
    if constexpr (requires { r->deadlock; })
      if (r->deadlock) return "a deadlock";
    return seen(run_of(*r).result, files.written);
  });
}
std::string eagerly(const Subject& s, const Program& p, std::size_t k, Rows rows, Counts* counts = nullptr) {
  return given(s, [&](snesl::Files& files) {
    auto r = run_eager(p, s.inputs[k], files, Forms{}, rows);
    if (r && counts) *counts = r->counts;
    return r;
  });
}
std::string in_chunks(const Subject& s, const Program& p, std::size_t k, const ChunkOptions& options,
                      Counts* counts = nullptr) {
  return given(s, [&](snesl::Files& files) {
    auto r = run_chunked(p, s.inputs[k], files, options);
    if (r && counts) *counts = r->run.counts;
    return r;
  });
}
std::string as_network(const Subject& s, const transducer::Program& p, std::size_t k,
                       const transducer::RunOptions& options) {
  return given(s, [&](snesl::Files& files) { return transducer::run(p, s.inputs[k], files, options); });
}

// Each says what is wrong of what it makes by these rows, "" where nothing is.
using Battery = std::string (*)(const Subject& s, Rows rows);

std::string wrong_types(const Subject& s, Rows rows) { return check(s.p, rows); }

// Elements read, which are the same in both readings.
std::string wrong_work(const Subject& s, Rows rows) {
  for (std::size_t k = 0; k < s.inputs.size(); ++k) {
    Counts eager, chunked;
    const std::string found = eagerly(s, s.p, k, rows, &eager);
    if (found != s.expected[k]) return "another result";
    ChunkOptions options{100000, {}};
    options.rows = rows;
    if (in_chunks(s, s.p, k, options, &chunked) != found) return "another result in chunks";
    if (found != "a trap" && eager.work != chunked.work) return "another work";
  }
  return "";
}

std::string wrong_in_chunks(const Subject& s, const Program& p, const Slack& slack) {
  for (std::size_t k = 0; k < s.inputs.size(); ++k)
    for (const Order order : {Order::Loop, Order::Reverse, Order::Random})
      if (const std::string found = in_chunks(s, p, k, {1, slack, order, 23}); found != s.expected[k])
        return "in chunks of one: " + found;
  return "";
}
std::int64_t all_of(const Slack& slack) { return std::accumulate(slack.begin(), slack.end(), std::int64_t{0}); }
// What streams is accepted, and runs with the slack that is found, which is no more than is needed.
std::string wrong_verdict(const Subject& s, Rows rows) {
  const auto slack = streaming::analyse(s.p, rows);
  if (slack.has_value() != s.streams) return slack ? "accepted" : "refused";
  if (!slack) return "";
  if (all_of(*slack) > all_of(s.slack)) return "more slack than is needed";
  return wrong_in_chunks(s, s.p, *slack);
}

std::string wrong_simplified(const Subject& s, Rows rows) {
  if (!s.streams) return "";
  const auto streams = [&](const Program& q) { return streaming::analyse(q, rows).has_value(); };
  Program q = s.p;
  for (const Stage& stage : streaming::simplifications(streams, rows)) q = streaming::apply(stage, q);
  for (std::size_t k = 0; k < s.inputs.size(); ++k)
    if (eagerly(s, q, k, {}) != s.expected[k]) return "another result";
  const auto slack = streaming::analyse(q);
  if (!slack) return "it streams no more";
  if (q.instructions.size() > s.simplified.instructions.size()) return "what is one stays two";
  return wrong_in_chunks(s, q, *slack);
}

std::string wrong_in_pieces(const Subject& s, Rows rows) {
  if (!s.streams || s.kind == Kind::Drawn) return "";
  const transducer::Program p = transducer::in_pieces(s.simplified, all_of(s.slack), rows);
  if (s.is_in_pieces && !p.pieces) return "it is not in pieces";
  if (!p.pieces) return "";
  if (const std::string wrong = transducer::check(p); !wrong.empty()) return wrong;
  if (s.is_in_pieces && p.pieces->body.code->instructions.size() < s.in_body) return "less is done in pieces";
  for (std::size_t k = 0; k < s.inputs.size(); ++k)
    for (const std::int64_t piece : {1, 2, 3, 5, 8})
      if (const std::string found = as_network(s, p, k, {0, piece}); found != s.expected[k])
        return "in pieces of " + std::to_string(piece) + ": " + found;
  return "";
}

std::string wrong_counted(const Subject& s, Rows rows) {
  if (!s.streams || s.kind == Kind::Drawn) return "";
  transducer::Network n = transducer::with_counted(s.before_counted.whole, rows);
  if (n.repeated.size() < s.counted) return "a constant is stored";
  for (auto change : {transducer::with_clusters, transducer::with_distributions, transducer::with_loops}) n = change(n);
  const transducer::Program p{std::move(n), {}, s.before_counted.slack};
  if (const std::string wrong = transducer::check(p); !wrong.empty()) return wrong;
  for (std::size_t k = 0; k < s.inputs.size(); ++k)
    for (const std::int64_t chunk : {0, 1, 3})
      if (as_network(s, p, k, {chunk, 0}) != s.expected[k]) return "another result";
  return "";
}

// Groups are let go of as soon as before, and not sooner.
std::string wrong_groups(const Subject& s, Rows rows) {
  if (!s.streams) return "";
  Counts counts;
  for (std::size_t k = 0; k < s.inputs.size(); ++k) {
    ChunkOptions options{1, s.slack};
    options.rows = rows;
    if (in_chunks(s, s.p, k, options, &counts) != s.expected[k]) return "another result";
  }
  return counts.space > s.space ? "more space" : "";
}

// A base that is not grouped is refused: it would not stay in memory.
std::string wrong_bases(const Subject& s, Rows rows) {
  for (std::size_t k = 0; k < s.p.instructions.size(); ++k)
    for (std::size_t a = 0; a < s.p.instructions[k].arguments.size(); ++a) {
      if (!is_base(s.p.instructions[k].opcode, a)) continue;
      const StreamId base = s.p.instructions[k].arguments[a];
      for (const Instr& other : s.p.instructions) {
        if (other.id == s.p.instructions[k].id) break;
        if (other.opcode == Opcode::Input || row_of(other.opcode).in_memory) continue;
        Program q = s.p;
        q.instructions[k].arguments[a] = other.id;
        for (const Instr& i : s.p.instructions)
          if (i.id == base && i.type != other.type) q.instructions[k].arguments[a] = base;
        if (q.instructions[k].arguments[a] != base && check(q, rows).empty()) return "a base that is not grouped";
      }
    }
  return "";
}

std::string content_of(const std::string& file) {
  std::ifstream in(std::string(LOCKSTEP_SOURCE_DIR) + "/" + file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}
const std::string& reference() {
  static const std::string text = content_of("semantics/svcode/README.md");
  return text;
}
// What is so as well, with the reason: a line for each reason, and indented below it "FAMILY OPCODE: WHAT".
std::map<std::string, std::string> so_as_well() {
  std::istringstream lines(content_of("tests/unit/svcode_so_as_well.txt"));
  std::map<std::string, std::string> r;
  std::string reason;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("  "))
      reason = line;
    else
      r[line.substr(2)] = reason;
  return r;
}

// The subjects.

void know(Subject& s) {
  for (std::size_t k = 0; k < s.inputs.size(); ++k) s.expected.push_back(eagerly(s, s.p, k, {}));
  if (!s.streams) return;
  s.slack = *streaming::analyse(s.p);
  Counts counts;
  for (std::size_t k = 0; k < s.inputs.size(); ++k) in_chunks(s, s.p, k, {1, s.slack}, &counts);
  s.space = counts.space;
  s.simplified = streaming::simplify(s.p, [](const Program& q) { return streaming::analyse(q).has_value(); });
  if (s.kind == Kind::Drawn) return;
  const transducer::Program p = transducer::in_pieces(s.simplified, all_of(s.slack));
  s.is_in_pieces = p.pieces.has_value();
  if (p.pieces) s.in_body = p.pieces->body.code->instructions.size();
  AnyProgram n(languages().svcode, s.simplified);
  for (const Stage& stage : transducer::transducer_stages(all_of(*streaming::analyse(s.simplified)))) {
    if (stage.name == "counted") break;
    n = stage.run(n, nullptr);
  }
  s.before_counted = n.as<transducer::Program>();
  s.counted = transducer::with_counted(s.before_counted.whole).repeated.size();
}
Subject written(const streaming::test::Case& c, bool streams) {
  const streaming::test::Prepared prepared = streaming::test::prepare(c);
  Subject s;
  s.name = c.program.substr(c.program.rfind("fun "));
  s.p = prepared.streams;
  s.streams = streams;
  s.files = streaming::test::files;
  s.inputs = {prepared.inputs};
  know(s);
  return s;
}

// Programs in pieces, and such as meet what they compute twice.
const std::vector<streaming::test::Case> more{
    {"fun main() = {sum({int(c) : c in l}) : l in sep({(c, c == '\\n' || c == ' ') : c in read_file(\"a\")})}"},
    {"fun main() = sum({int(c) * 3 % 7 : c in read_file(\"a\")})"},
    {"fun main() = {if x % 3 == 0 then sum(&x) else x * x : x in &12}"},
    {"fun main() = {let v = tab({y * x : y in &x}) in sum({v ! (x - 1 - i) : i in &x}) : x in &9}"},
    {"fun main() = {sum({x, x + 1} ++ &(x % 4)) + #({&x} ++ {&2, &x}) : x in &12}"},
    {"fun main() = {{scan-plus({y % 3 : y in &x}), {y : y in &x | y % 2 == 1}} : x in &11}"},
    {"fun main() = {(empty({y : y in &x | y > 5}), maximum({0} ++ &x), #concat({&y : y in &(x % 4)})) : x in &12}"},
    {"fun main() = {{(y, l) : y in &x; l in tail_flags(&x)} : x in &9}"},
    {"fun main() = {sum({#w : w in sep({(y, y % 3 == 2) : y in &x})}) : x in &13}"},
    {"fun main() = let s = {y : y in &19 | y > 2} in zip({x : x in {y : y in s | y > 4} | x % 3 > 0}, {x + 1 : x in {y "
     ": y in s | y > 4} | x % 3 > 0})"},
    {"fun main() = let ws = sep({(x, x % 4 == 3) : x in &19}) in zip({#w : w in ws | #w > 3}, {sum(w) : w in ws | #w > "
     "3})"},
    {"fun main() = let s = &9 in zip({x : x in s; l in tail_flags(s) | l}, {x + 1 : x in s; l in tail_flags(s) | l})"},
    {"fun main() = {let s = &k in zip({x : x in s; c in scan-plus(s) | c > 2}, {x + 1 : x in s; c in scan-plus(s) | c "
     "> 2}) : k in &6}"},
    {"fun main() = let s = &9 in zip({x : x in s; c in scan-plus(s) | c > 2}, {x + 1 : x in s; c in scan-plus(s) | c > "
     "2})"},
    {"fun main() = let ts = {&x : x in &6} in zip({#t : t in ts | sum(t) > 2}, {sum(t) : t in ts | sum(t) > 2})"},
    {"fun main() = {let s = &k in zip({x : x in s | x % k > 1}, {x + 1 : x in s | x % k > 1}) : k in &6}"},
    {"fun main() = let v = tab({x * x % 7 : x in &9}); s = &9 in zip({x : x in s | v ! x > 2}, {x + 1 : x in s | v ! x "
     "> 2})"},
    {"fun main() = let ts = {&x : x in &6} in zip({#t : t in ts | empty(t)}, {#t + 1 : t in ts | empty(t)})"},
    {"fun main() = let s = &9 in zip({x : x in s ++ {1} | x > 2}, {x + 1 : x in s ++ {1} | x > 2})"},
    {"fun main() = let s = &9 in zip({x : x in {if x > 3 then x else x + 5 : x in s} | x > 6}, {x + 1 : x in {if x > 3 "
     "then x else x + 5 : x in s} | x > 6})"},
};

// As campaigns do; those that stream, and run in pieces.
std::vector<Subject> generated(std::uint64_t programs) {
  using namespace props::stream;
  const Toolchain tools = Toolchain::standard();
  std::vector<Subject> r;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    const GeneratedProgram g = generate_program(seed);
    const auto core = tools.elaborate(g.program, g.types);
    if (!core) continue;
    Subject s;
    s.name = "generated " + std::to_string(seed);
    s.kind = Kind::Generated;
    s.p = streaming::flatten(*core);
    if (!streaming::analyse(s.p) || !transducer::in_pieces(s.p, 0).pieces) continue;
    const RandomInput in = random_inputs(*core, seed, 1, tools).front();
    s.files = in.files;
    s.inputs.emplace_back();
    std::size_t most = 0;
    for (std::size_t k = 0; k < in.values.size(); ++k)
      for (Stream& leaf : represent({in.values[k]}, core->parameters[k].type)) {
        most = std::max(most, leaf.size());
        s.inputs.back().push_back(std::move(leaf));
      }
    if (most > 64) continue;
    know(s);
    if (s.is_in_pieces) r.push_back(std::move(s));
  }
  return r;
}

bool has(const Program& p, Opcode o) {
  return std::any_of(p.instructions.begin(), p.instructions.end(), [&](const Instr& i) { return i.opcode == o; });
}
std::string wrong_verdict_of(const Subject& s) { return wrong_verdict(s, {}); }

std::vector<Subject> subjects() {
  std::vector<Subject> r;
  for (const auto& c : streaming::test::accepted) r.push_back(written(c, true));
  for (const auto& c : more) r.push_back(written(c, true));
  // What only optimisations make.
  for (const auto& c : streaming::test::accepted)
    if (Subject s = written(c, true); has(s.simplified, Opcode::Unpack)) {
      s.p = s.simplified;
      s.expected.clear();
      s.name += ", simplified";
      know(s);
      r.push_back(std::move(s));
    }
  for (const auto& c : streaming::test::refused) r.push_back(written(c.program, false));
  for (Subject& s : generated(1500)) r.push_back(std::move(s));
  int halting = 0;
  for (const OpcodeRow& row : opcode_rows())
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
      props::stream::SvcodeOptions options{opcode_rows()};
      options.often = row.opcode;
      options.instructions = 6 + static_cast<int>(seed);
      options.keep = [](const Program& q) { return streaming::analyse(q).has_value(); };
      auto drawn = props::stream::generate_svcode(seed, options);
      Subject s;
      s.name = "drawn";
      s.p = std::move(drawn.program);
      s.kind = Kind::Drawn;
      for (auto& run : drawn.runs) s.inputs.push_back(std::move(run.inputs));
      know(s);
      // Fewer than one in 400 is accepted and comes to a halt (translate/streamability/README.md).
      if (!wrong_verdict_of(s).empty())
        ++halting;
      else
        r.push_back(std::move(s));
    }
  CHECK(halting <= 2);
  return r;
}
std::map<Opcode, std::vector<const Subject*>> by_opcode(const std::vector<Subject>& all) {
  std::map<Opcode, std::vector<const Subject*>> r;
  for (const OpcodeRow& row : network_rows())
    for (const Subject& s : all) {
      const auto& code = s.before_counted.whole.code;
      if (has(s.p, row.opcode) || has(s.simplified, row.opcode) || (code && has(*code, row.opcode)))
        r[row.opcode].push_back(&s);
    }
  return r;
}

std::string outcome(Battery battery, const Subject& s, Rows rows) {
  try {
    return battery(s, rows);
  } catch (const std::exception& e) {
    return e.what();
  } catch (const TrapSignal&) {
    return "a trap";
  }
}

// A family of mistakes, and who finds them, the cheapest first.
struct Family {
  std::string name;
  std::vector<Altered> (*alterations)(const OpcodeRow& row);
  std::vector<Battery> batteries;
  int planted = 0, found = 0;  // at least
  bool on_generated = false;   // programs, too
  bool judged = false;         // whatever is not found is so as well, for a reason
};

// The name of a value of an enum, as the compiler writes it.
template <auto value>
constexpr std::string_view name_of_value() {
  const std::string_view function = __PRETTY_FUNCTION__;
  const std::size_t from = function.find("value = ");
  const std::string_view name = function.substr(from, function.find_first_of(";]", from) - from);
  return name.substr(name.rfind(':') + 1);
}
template <class E, std::size_t... k>
std::string_view name_in(E value, std::index_sequence<k...>) {
  constexpr std::string_view names[] = {name_of_value<static_cast<E>(k)>()...};
  return names[static_cast<std::size_t>(value)];
}
template <class E>
std::string shown_as(const std::string& what, E value) {
  return what + " " + std::string(name_in(value, std::make_index_sequence<32>()));
}

// Which rules of the analysis speak of so many operands.
std::size_t operands_of_rule(ClockRule c) {
  static constexpr auto rows = table<ClockRule, std::size_t>(
      {{ClockRule::Root, 0},      {ClockRule::Input, 0},      {ClockRule::Constant, 0}, {ClockRule::Elementwise, 1},
       {ClockRule::Map, 1},       {ClockRule::OfChildren, 1}, {ClockRule::Pdist, 2},    {ClockRule::Pack, 2},
       {ClockRule::Upack, 2},     {ClockRule::B2u, 1},        {ClockRule::Unpack, 3},   {ClockRule::Source, 1},
       {ClockRule::AfterEnd, 2},  {ClockRule::Lookahead, 1},  {ClockRule::Ends, 1},     {ClockRule::Usegsum, 2},
       {ClockRule::Uempty, 1},    {ClockRule::Pmerge, 1},     {ClockRule::Umerge, 1},   {ClockRule::MergeSegments, 2},
       {ClockRule::Usegmerge, 2}, {ClockRule::Segtab, 2},     {ClockRule::Gather, 3},   {ClockRule::Whole, 1},
       {ClockRule::OfNetworks, 0}});
  return rows[c];
}
std::size_t operands_of_rule(PieceRule c) {
  static constexpr auto rows = table<PieceRule, std::size_t>({{PieceRule::Tail, 0},
                                                              {PieceRule::ByOperands, 0},
                                                              {PieceRule::Single, 0},
                                                              {PieceRule::Input, 0},
                                                              {PieceRule::Rep, 1},
                                                              {PieceRule::Map, 1},
                                                              {PieceRule::Usum, 1},
                                                              {PieceRule::Pdist, 2},
                                                              {PieceRule::Pmerge, 1},
                                                              {PieceRule::Cons, 1},
                                                              {PieceRule::Short, 1},
                                                              {PieceRule::Ends, 1},
                                                              {PieceRule::Segscan, 2},
                                                              {PieceRule::Usegsum, 2},
                                                              {PieceRule::Gather, 3},
                                                              {PieceRule::Scan, 1},
                                                              {PieceRule::Terminated, 1}});
  return rows[c];
}
std::size_t least_operands(const OpcodeRow& row) {
  return row.operands.count - row.operands.repeating + row.operands.least * row.operands.repeating;
}
// The values of an enum up to this one.
template <class E>
std::vector<E> all_up_to(E last) {
  std::vector<E> r;
  for (int k = 0; k <= static_cast<int>(last); ++k) r.push_back(static_cast<E>(k));
  return r;
}

std::vector<Altered> other_clocks(const OpcodeRow& row) {
  std::vector<Altered> r;
  for (const ClockRule c : all_up_to(ClockRule::OfNetworks)) {
    const bool in_pairs = c != ClockRule::Usegmerge || (row.operands.count % 2 == 0 && row.operands.repeating % 2 == 0);
    if (c != row.clock && in_pairs && least_operands(row) >= operands_of_rule(c))
      alter(r, row, shown_as("clock", c), [&](OpcodeRow& o) { o.clock = c; });
  }
  return r;
}
std::vector<Altered> other_paces(const OpcodeRow& row) {
  std::vector<Altered> r;
  for (const Pace p : all_up_to(Pace::Own))
    if (p != row.pace) alter(r, row, shown_as("pace", p), [&](OpcodeRow& o) { o.pace = p; });
  return r;
}
std::vector<Altered> other_pieces(const OpcodeRow& row) {
  std::vector<Altered> r;
  for (const PieceRule p : all_up_to(PieceRule::Terminated))
    if (p != row.pieces && least_operands(row) >= operands_of_rule(p))
      alter(r, row, shown_as("pieces", p), [&](OpcodeRow& o) { o.pieces = p; });
  return r;
}
std::vector<Altered> fewer_counted(const OpcodeRow& row) {
  std::vector<Altered> r;
  if (row.counted.none()) return r;
  alter(r, row, "counted none", [](OpcodeRow& o) { o.counted = {}; });
  for (const OperandSet& s : sets_of(row.operands)) {
    const std::size_t many = row.operands.count + row.operands.repeating;
    if (is_within(s, row.counted, many) && !is_within(row.counted, s, many))
      alter(r, row, "counted " + shown(s), [&](OpcodeRow& o) { o.counted = s; });
  }
  return r;
}
std::vector<Altered> other_groups(const OpcodeRow& row) {
  std::vector<Altered> r;
  using Said = std::optional<Ahead> (*)(const Transducer&);
  struct Named {
    const char* name;
    Said said;
    std::size_t operands;
  };
  static const std::vector<Named> all{{"nothing", nullptr, 0},
                                      {"scan", chunked::ahead_of_scan, 1},
                                      {"pdist", chunked::ahead_of_pdist, 1},
                                      {"first", chunked::ahead_of_first, 1},
                                      {"gather", chunked::ahead_of_gather, 3}};
  const bool gives_starts = row.gives == ElementType::Own || row.gives == ElementType::Int;
  for (const Named& n : all)
    if (n.said != row.ahead && gives_starts && least_operands(row) >= n.operands)
      alter(r, row, std::string("ahead ") + n.name, [&](OpcodeRow& o) { o.ahead = n.said; });
  return r;
}
std::vector<Altered> other_bases(const OpcodeRow& row) {
  std::vector<Altered> r;
  alter(r, row, row.in_memory ? "not in memory" : "in memory", [](OpcodeRow& o) { o.in_memory = !o.in_memory; });
  alter_law(r, row, "from base", &OpcodeRow::from_base);
  if (!row.from_base.known() && row.operands.count > 0)
    alter(r, row, "from base, # of 0", [](OpcodeRow& o) { o.from_base = rows::length_of(0); });
  return r;
}
std::vector<Altered> other_operands(const OpcodeRow& row) {
  std::vector<Altered> r;
  for (std::size_t k = 0; k < row.operands.count; ++k) {
    const std::string operand = "operand " + std::to_string(k);
    for (const ElementType t : all_up_to(ElementType::Any))
      if (t != row.operands.rows[k].type)
        alter(r, row, shown_as(operand + " of type", t), [&](OpcodeRow& o) { o.operands.rows[k].type = t; });
    for (const Role role : all_up_to(Role::Base))
      if (role != row.operands.rows[k].role)
        alter(r, row, shown_as(operand + " in role", role), [&](OpcodeRow& o) { o.operands.rows[k].role = role; });
  }
  return r;
}

std::size_t tried_operands(const OpcodeRow& row) {
  const std::size_t of_operator = row.extra == Extra::Operator ? 2 : 0;
  return std::max({least_operands(row), std::size_t{row.operands.count}, of_operator});
}
// An instruction of which one operand is a constant, and the others are inputs.
Program on_a_constant(const OpcodeRow& row, std::size_t constant) {
  const auto prim = [](ElementType t) { return prim_of(t).value_or(Prim::Int); };
  Program p;
  p.name = "constant";
  Instr i;
  i.opcode = row.opcode;
  i.type = prim(row.gives);
  for (std::size_t k = 0; k < tried_operands(row); ++k) {
    Instr operand;
    operand.id = static_cast<StreamId>(k);
    operand.type = prim(row.operands[k].type);
    const auto leaf = static_cast<std::int64_t>(p.parameters.size());
    const Atom a{operand.type, 1};
    operand.opcode = k == constant ? Opcode::Constant : Opcode::Input;
    operand.payload = k == constant ? Payload(Repeated{a, 3}) : Payload(Number{leaf});
    if (k != constant) p.parameters.push_back(snesl::prim(operand.type));
    if (k != constant) p.parameter_names.push_back("p" + std::to_string(k));
    i.arguments.push_back(operand.id);
    p.instructions.push_back(std::move(operand));
  }
  static constexpr auto payloads = table<Extra, Payload (*)(Prim)>(
      {{Extra::None, [](Prim) { return Payload(); }},
       {Extra::Number, [](Prim) { return Payload(Number{0}); }},
       {Extra::Atom,
        [](Prim t) {
          return Payload(Atom{t, 1});
        }},
       {Extra::Repeated,
        [](Prim t) {
          return Payload(Repeated{Atom{t, 1}, 3});
        }},
       {Extra::Operator, [](Prim) { return Payload(OperatorRef(scalars::row<"+">())); }},
       {Extra::Comparison,
        [](Prim) {
          return Payload(svcode::Comparison{scalars::row<"<">(), 0});
        }},
       {Extra::Monoid, [](Prim) { return Payload(Monoid::Plus); }},
       {Extra::Failure, [](Prim) {
          return Payload(Failure{"p", "wrong"});
        }}});
  i.payload = payloads[row.extra](i.type);
  i.id = static_cast<StreamId>(i.arguments.size());
  p.result.leaf = i.id;
  p.result_type = snesl::prim(i.type);
  p.instructions.push_back(std::move(i));
  return p;
}
// As the engine runs it; whether the constant is counted by these rows.
std::pair<transducer::Program, bool> as_the_engine_runs(const Program& p, std::size_t constant, Rows rows) {
  transducer::Network n(p, {});
  n = transducer::with_counted(transducer::with_bases(transducer::with_slices(n)), rows);
  const bool counted = n.repeated.count(static_cast<StreamId>(constant)) > 0;
  for (auto change : {transducer::with_clusters, transducer::with_distributions, transducer::with_loops}) n = change(n);
  return {transducer::Program{std::move(n), {}, 0}, counted};
}
// Of each operand that its row has counted, in a program of this instruction alone.
std::string wrong_constants(const Subject& s, Rows rows) {
  for (const OpcodeRow& row : network_rows())
    for (std::size_t k = 0; has(s.p, row.opcode) && k < tried_operands(row); ++k)
      if (row.counted.contains(k) && row.operands[k].type != ElementType::Bool &&
          !as_the_engine_runs(on_a_constant(row, k), k, rows).second)
        return "its constant is stored";
  return "";
}

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"clock", other_clocks, {wrong_verdict}, 600, 590, true, true},
      {"pace", other_paces, {wrong_verdict, wrong_simplified}, 70, 60},
      {"pieces", other_pieces, {wrong_in_pieces}, 450, 300, true},
      {"counted", fewer_counted, {wrong_counted, wrong_constants}, 18, 18, true, true},
      {"ahead", other_groups, {wrong_groups}, 50, 35},
      {"bases", other_bases, {wrong_types, wrong_work, wrong_bases}, 110, 90},
      {"operands", other_operands, {wrong_types, wrong_work, wrong_simplified}, 380, 375, false, true},
  };
  return all;
}

// Operands of which no constant is counted, and might be: Bools are read as words everywhere but in a map.
std::vector<std::size_t> never_counted(const OpcodeRow& row) {
  std::vector<std::size_t> r;
  for (std::size_t k = 0; k < tried_operands(row); ++k)
    if (const OperandRow& o = row.operands[k];
        row.counted.none() && o.role == Role::Element && o.type != ElementType::Bool)
      r.push_back(k);
  return r;
}
constexpr engine::Engine::Effort quick{false, false, false, false};

// Who finds it, and on which program; "" where none does.
std::string found_by(const Family& f, const OpcodeRow& row, const std::vector<const Subject*>& on) {
  std::vector<OpcodeRow> all(network_rows().begin(), network_rows().end());
  all[static_cast<std::size_t>(row.opcode)] = row;
  const Rows rows(all.data());
  for (const Battery battery : f.batteries)
    for (const Subject* s : on)
      if (s->kind == Kind::Generated && !f.on_generated)
        continue;
      else if (const std::string what = outcome(battery, *s, rows); !what.empty())
        return what + ", on " + s->name;
  if (f.name == "operands" && reference().find(line_of(row)) == std::string::npos)
    return "it is not what the reference says";
  return "";
}

}  // namespace

TEST_CASE("A row that says something else to those who are handed rows is found, or it is so as well") {
  const std::vector<Subject> all = subjects();
  const auto of = by_opcode(all);
  for (const Subject& s : all)
    for (const Family& f : families())
      for (const Battery b : f.batteries) {
        if (s.kind == Kind::Generated && !f.on_generated) continue;
        INFO(s.name << " " << f.name << "\n" << print(s.p));
        CHECK(outcome(b, s, {}) == "");
      }
  const std::map<std::string, std::string> excused = so_as_well();
  const bool tells = std::getenv("LOCKSTEP_TELL") != nullptr;  // who finds what, to look at
  std::set<std::string> not_found;
  for (const Family& f : families()) {
    int planted = 0, found = 0;
    for (const OpcodeRow& row : opcode_rows())
      for (const Altered& a : f.alterations(row)) {
        ++planted;
        const auto on = of.find(row.opcode);
        const std::string what = on == of.end() ? "" : found_by(f, a.row, on->second);
        const std::string name = f.name + " " + std::string(row.name) + ": " + a.what;
        if (!what.empty()) ++found;
        if (what.empty() && f.judged) not_found.insert(name);
        if (tells) std::cout << name << ": " << what.substr(0, what.find('\n')) << std::endl;
      }
    INFO(f.name << ": " << found << " of " << planted);
    CHECK(planted >= f.planted);
    CHECK(found >= f.found);
  }
  for (const std::string& name : not_found) {
    INFO(name);
    CHECK(excused.contains(name));
  }
  for (const auto& [name, reason] : excused) {
    INFO(name << ", " << reason);
    CHECK(not_found.contains(name));
  }
}

TEST_CASE("Of the mistakes in what makes networks of programs at least forty are planted in rows") {
  std::map<std::string, std::size_t> places;
  for (const props::stream::Mutant& m : props::stream::mutants())
    if (m.in_row) ++places[m.family + ", " + m.stage];
  const std::map<std::string, std::string> excused = so_as_well();
  for (const OpcodeRow& row : opcode_rows()) {
    const auto found = [&](const std::string& family, const std::vector<Altered>& all) {
      for (const Altered& a : all)
        if (!excused.contains(family + " " + std::string(row.name) + ": " + a.what))
          ++places["rows of opcodes, " + family];
    };
    found("counted", fewer_counted(row));
  }
  CHECK(places["rules, same-streams"] == 11);
  CHECK(places["rules, fuse"] == 10);
  CHECK(places["rules, fuse-by-form"] == 4);
  CHECK(places["steps, slices"] == 4);
  CHECK(places["rows of opcodes, counted"] >= 18);
  std::size_t in_rows = 0;
  for (const auto& [place, n] : places) in_rows += n;
  CHECK(in_rows >= 40);
}

TEST_CASE("What a row calls counted its kernel takes so, and what it does not the compiler refuses, or it might be") {
  using Name = std::pair<std::string, std::size_t>;
  const std::map<Name, std::string> so_as_well{
      {{"segtab", 0}, "what it groups is read in place, by others"},
      {{"last_flag", 0}, "how many there are is all that is read"},
  };
  std::vector<transducer::Program> counted;
  for (const OpcodeRow& row : network_rows())
    for (std::size_t k = 0; k < tried_operands(row); ++k)
      if (row.counted.contains(k) && row.operands[k].type != ElementType::Bool) {
        INFO(row.name << ", operand " << k);
        auto [program, is_counted] = as_the_engine_runs(on_a_constant(row, k), k, {});
        CHECK(is_counted);
        counted.push_back(std::move(program));
      }
  CHECK(counted.size() >= 12);
  const auto all_loaded = engine::Engine::load_all(counted, quick);
  CHECK(all_loaded);

  std::set<Name> not_found;
  int planted = 0;
  for (const OpcodeRow& row : network_rows())
    for (const std::size_t k : never_counted(row)) {
      ++planted;
      INFO(row.name << ", operand " << k);
      std::vector<OpcodeRow> all(network_rows().begin(), network_rows().end());
      all[static_cast<std::size_t>(row.opcode)].counted = static_cast<int>(k);
      const auto [program, is_counted] = as_the_engine_runs(on_a_constant(row, k), k, Rows(all.data()));
      CHECK((is_counted || so_as_well.contains({std::string(row.name), k})));
      bool refused = false;
      try {
        const auto loaded = engine::Engine::load(program, quick);
        CHECK(loaded);
      } catch (const Bug& b) {
        refused = std::string(b.what()).find("Repeated") != std::string::npos;
        CHECK(refused);
      }
      if (!refused) not_found.emplace(row.name, k);
    }
  CHECK(planted >= 14);
  for (const Name& n : not_found) {
    INFO(n.first << ", operand " << n.second);
    CHECK(so_as_well.contains(n));
  }
  for (const auto& [n, reason] : so_as_well) {
    INFO(n.first << ", operand " << n.second << ": " << reason);
    CHECK(not_found.contains(n));
  }
}
