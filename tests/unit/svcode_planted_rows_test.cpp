// Every row of an opcode with something else said to those who are handed rows: clocks to the analysis of
// streamability, counted constants to what keeps them. What rows say of streams is planted in svcode_row_mutants_test.
// Of the clocks that are not found some say the same (one in step with its operands is a map), the others nobody has
// judged.
#include <iostream>

#include "codegen/streaming/engine.h"
#include "props/snesl/mutants.h"
#include "semantics/svcode/chunked_network.h"
#include "semantics/transducer/run.h"
#include "semantics/transducer/text.h"
#include "streamable_programs.h"
#include "svcode_altered_rows.h"
#include "svcode_laws.h"
#include "translate/simplify/simplify.h"
#include "translate/streamability/streamable.h"
#include "translate/transducers/stages.h"

namespace svcode_planted_rows_test {
using namespace lockstep;
using namespace lockstep::svcode;
using namespace lockstep::svcode::test;

namespace {

using Order = ChunkOptions::Order;

// A program with what is known of it, by the right rows.
struct Subject {
  std::string name;
  Program p;
  bool streams = true;
  std::map<std::string, std::string> files{};
  std::vector<std::vector<Stream>> inputs;
  std::vector<std::string> expected;  // on each of them
  Slack slack{};
  // Where it streams: simplified, and as a network.
  Program simplified{};
  transducer::Program before_counted{transducer::Network(Program(), Forms()), {}, 0};
  std::size_t counted = 0;  // constants
};

std::string seen(const std::vector<Stream>& streams, const std::vector<std::pair<std::string, std::string>>& written) {
  std::string r;
  for (const Stream& s : streams) r += show(s) + " ";
  for (const auto& [name, content] : written) r += name + "=" + content + " ";
  return r;
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
  MemoryFiles files(s.files);
  const auto r = run(files);
  if (!r) return "a trap";
  if constexpr (requires { r->deadlock; })
    if (r->deadlock) return "a deadlock";
  return seen(run_of(*r).result, files.written);
}
std::string eagerly(const Subject& s, const Program& p, std::size_t k, Rows rows) {
  return given(s, [&](snesl::Files& files) {
    auto r = run_eager(p, s.inputs[k], files, Forms{}, rows);
    return r;
  });
}
std::string in_chunks(const Subject& s, const Program& p, std::size_t k, const ChunkOptions& options) {
  return given(s, [&](snesl::Files& files) {
    auto r = run_chunked(p, s.inputs[k], files, options);
    return r;
  });
}
std::string as_network(const Subject& s, const transducer::Program& p, std::size_t k,
                       const transducer::RunOptions& options) {
  return given(s, [&](snesl::Files& files) { return transducer::run(p, s.inputs[k], files, options); });
}

// Each says what is wrong of what it makes by these rows, "" where nothing is.
using Battery = std::string (*)(const Subject& s, Rows rows);

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

std::string wrong_counted(const Subject& s, Rows rows) {
  if (!s.streams) return "";
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

// The subjects.

void know(Subject& s) {
  for (std::size_t k = 0; k < s.inputs.size(); ++k) s.expected.push_back(eagerly(s, s.p, k, {}));
  if (!s.streams) return;
  s.slack = *streaming::analyse(s.p);
  s.simplified = streaming::simplify(s.p, [](const Program& q) { return streaming::analyse(q).has_value(); });
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
    {"fun main() = let s = &9 in zip({x : x in s; l in tail_flags(s) | l}, {x + 1 : x in s; l in tail_flags(s) | l})"},
    {"fun main() = {let s = &k in zip({x : x in s; c in scan-plus(s) | c > 2}, {x + 1 : x in s; c in scan-plus(s) | c "
     "> 2}) : k in &6}"},
    {"fun main() = let s = &9 in zip({x : x in s; c in scan-plus(s) | c > 2}, {x + 1 : x in s; c in scan-plus(s) | c > "
     "2})"},
    {"fun main() = {let s = &k in zip({x : x in s | x % k > 1}, {x + 1 : x in s | x % k > 1}) : k in &6}"},
    {"fun main() = let v = tab({x * x % 7 : x in &9}); s = &9 in zip({x : x in s | v ! x > 2}, {x + 1 : x in s | v ! x "
     "> 2})"},
    {"fun main() = let ts = {&x : x in &6} in zip({#t : t in ts | empty(t)}, {#t + 1 : t in ts | empty(t)})"},
    {"fun main() = let s = &9 in zip({x : x in {if x > 3 then x else x + 5 : x in s} | x > 6}, {x + 1 : x in {if x > 3 "
     "then x else x + 5 : x in s} | x > 6})"},
};

bool has(const Program& p, Opcode o) {
  return std::any_of(p.instructions.begin(), p.instructions.end(), [&](const Instr& i) { return i.opcode == o; });
}
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
std::size_t tried_operands(const OpcodeRow& row) {
  const std::size_t of_operator = row.extra == Extra::Operator ? 2 : 0;
  const auto& o = row.operands;
  return std::max({least_operands(row), o.count + 2 * std::size_t{o.repeating}, of_operator});
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
      {"clock", other_clocks, {wrong_verdict}, 608, 584},
      {"counted", fewer_counted, {wrong_counted, wrong_constants}, 19, 19},
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
      if (const std::string what = outcome(battery, *s, rows); !what.empty()) return what + ", on " + s->name;
  return "";
}

}  // namespace

TEST_CASE("A row that says something else to those who are handed rows is found: of constants each, of clocks most") {
  const std::vector<Subject> all = subjects();
  const auto of = by_opcode(all);
  for (const Subject& s : all)
    for (const Family& f : families())
      for (const Battery b : f.batteries) {
        INFO(s.name << " " << f.name << "\n" << print(s.p));
        CHECK(outcome(b, s, {}) == "");
      }
  const bool tells = std::getenv("LOCKSTEP_TELL") != nullptr;  // who finds what, to look at
  for (const Family& f : families()) {
    int planted = 0, found = 0;
    for (const OpcodeRow& row : opcode_rows())
      for (const Altered& a : f.alterations(row)) {
        ++planted;
        const auto on = of.find(row.opcode);
        const std::string what = on == of.end() ? "" : found_by(f, a.row, on->second);
        const std::string name = f.name + " " + std::string(row.name) + ": " + a.what;
        if (!what.empty()) ++found;
        if (tells) std::cout << name << ": " << what.substr(0, what.find('\n')) << std::endl;
      }
    INFO(f.name << ": " << found << " of " << planted);
    CHECK(planted >= f.planted);
    CHECK(found >= f.found);
  }
}

TEST_CASE("Of the mistakes in what makes networks of programs at least forty are planted in rows") {
  std::map<std::string, std::size_t> places;
  for (const props::stream::Mutant& m : props::stream::mutants())
    if (m.in_row) ++places[m.family + ", " + m.stage];
  for (const OpcodeRow& row : opcode_rows()) places["rows of opcodes, counted"] += fewer_counted(row).size();
  CHECK(places["rules, same-streams"] == 11);
  CHECK(places["rules, fuse"] == 10);
  CHECK(places["rules, fuse-by-form"] == 4);
  CHECK(places["steps, slices"] == 4);
  CHECK(places["rows of opcodes, counted"] == 19);
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

}  // namespace svcode_planted_rows_test
