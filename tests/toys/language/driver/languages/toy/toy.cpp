// .toy as a Frontend: an interpreter of the source, and the fused program as a target.
#include <nlohmann/json.hpp>
#include <sstream>

#include "driver/campaign_reports.h"
#include "driver/frontend.h"
#include "props/engine/verify.h"
#include "semantics/toy/toy.h"

namespace lockstep::driver {
namespace {

using toy::Numbers;
using toy::Program;

std::string show(const Numbers& xs) {
  std::string out;
  for (const std::int64_t x : xs) out += (out.empty() ? "" : ",") + std::to_string(x);
  return "[" + out + "]";
}
Numbers drawn(std::uint64_t seed) {
  props::Random random(seed);
  Numbers out(static_cast<std::size_t>(random.below(8)));
  for (std::int64_t& x : out) x = random.below(200) - 100;
  return out;
}
Numbers bound(const std::vector<std::string>& words) {
  Numbers out;
  if (words.size() != 1 || !words[0].starts_with("xs=[")) fail(invalid, "the argument is xs=[1,2,3]");
  std::istringstream in(words[0].substr(4));
  for (std::int64_t x; in >> x; in.get()) out.push_back(x);
  return out;
}

// The source, what fusion makes of it, or the target that runs the latter.
class Ran : public props::Subject {
 public:
  Ran(props::Row row, Program source, Program program, std::vector<Numbers> inputs)
      : Subject(std::move(row)), source_(std::move(source)), program_(std::move(program)), inputs_(std::move(inputs)) {}
  void test(props::Row& row, std::size_t k) override {
    std::size_t said = 0, counted = 0;
    const Numbers expected = toy::run(source_, inputs_[k], &said), found = toy::run(program_, inputs_[k], &counted);
    ++row.runs;
    if (found != expected) row.disagreement = Disagreement{"xs=" + show(inputs_[k]), show(expected), show(found)};
    if (row.related.empty()) row.related.push_back({"work is no more than the source's", 0, {}, {}});
    ++row.related[0].inputs;
    if (counted > said) row.related[0].wrong = Disagreement{"xs=" + show(inputs_[k]), "", std::to_string(counted)};
  }
  std::string text() const override { return toy::print(program_); }

 private:
  const Program source_, program_;
  const std::vector<Numbers> inputs_;
};

props::Row row_of(const std::string& name, const Program& p) {
  props::Row row{name, "tests/toys", "the program after " + name, "toy"};
  row.nodes = p.steps.size(), row.costs = {std::to_string(p.steps.size()) + "*n"};
  return row;
}
props::Case case_of(const Program& p, std::size_t inputs, std::uint64_t seed, bool target) {
  props::Case c;
  c.report.titles = {"steps", "program", {"work"}, true};
  std::vector<Numbers> all;
  for (std::size_t k = 0; k < inputs; ++k) {
    c.report.inputs.seeds.push_back(props::seed_of(seed, k));
    all.push_back(drawn(c.report.inputs.seeds.back()));
    c.report.inputs.results.push_back(show(toy::run(p, all.back())));
    c.gives_values.push_back(true);
  }
  c.inputs = c.report.inputs.values = inputs;
  const Program fused = toy::fuse(p);
  props::Row source = row_of("source", p), last = row_of("fused", fused);
  source.reference = last.is_target = true;
  c.stages.push_back(std::make_unique<Ran>(source, p, p, all));
  c.stages.push_back(std::make_unique<Ran>(row_of("fuse", fused), p, fused, all));
  if (target) c.targets.push_back(std::make_unique<Ran>(last, p, fused, all));
  return c;
}

class ToyExecution : public Execution {
 public:
  ToyExecution(Program source, Program program, Numbers xs)
      : source_(std::move(source)), program_(std::move(program)), xs_(std::move(xs)) {}
  std::optional<Trap> run() override { return result_ = toy::run(program_, xs_), std::nullopt; }
  Comparison compare() override { return {result_ == toy::run(source_, xs_), "number by number", ""}; }
  std::string literal() const override { return show(result_); }
  std::vector<NpyOutput> arrays() const override {
    return {{"", ScalarType::I64, {static_cast<std::int64_t>(result_.size())}, result_.data()}};
  }
  std::uint64_t bytes() const override { return 8 * (xs_.size() + result_.size()); }
  std::string bytes_text() const override { return std::to_string(bytes()) + " bytes"; }

 private:
  const Program source_, program_;
  const Numbers xs_;
  Numbers result_;
};

class ToyEntry : public Entry {
 public:
  explicit ToyEntry(Program p) : p_(std::move(p)) {}
  std::string name() const override { return p_.name; }
  std::string head() const override { return p_.name + " (xs : [Int])"; }
  props::Report verify(const VerifyRequest& r, const props::Listener& listener) const override {
    props::Case c = case_of(p_, r.inputs, r.seed, !r.targets.empty());
    return props::verify(c, listener);
  }
  std::unique_ptr<Execution> bind(const std::string& target, const Options& o, bool) const override {
    return std::make_unique<ToyExecution>(p_, target == "fused" ? toy::fuse(p_) : p_, bound(o.arguments));
  }
  std::vector<StageText> stages(const Options&) const override {
    return {{"source", "tests/toys", toy::print(p_), p_.steps.size()},
            {"fuse", "tests/toys", toy::print(toy::fuse(p_)), toy::fuse(p_).steps.size()}};
  }
  Said cost(const Options&) const override {
    Table table({"stage", "work"});
    table.row({"source", std::to_string(p_.steps.size()) + "*n"});
    table.row({"fuse", std::to_string(toy::fuse(p_).steps.size()) + "*n"});
    return {table.text(false), Json{{"work", p_.steps.size()}}};
  }

 private:
  const Program p_;
};

class ToyFile : public File {
 public:
  ToyFile(SourceRef source, std::vector<Program> all) : File(std::move(source)), all_(std::move(all)) {}
  std::unique_ptr<Entry> entry(const std::string& function) const override {
    for (const Program& p : all_)
      if (p.name == function || (function.empty() && &p == &all_.back())) return std::make_unique<ToyEntry>(p);
    fail(invalid, source->name + " defines no function " + function);
  }
  Said check(const std::string&) const override {
    return {show_count(all_.size(), "function") + "\n", Json{{"ok", true}}};
  }

 private:
  const std::vector<Program> all_;
};

class Toy : public Frontend {
 public:
  std::string name() const override { return "toy"; }
  std::string unit() const override { return "step"; }
  std::vector<Runner> targets() const override {
    return {{"interpreter", "this program"}, {"fused", "this program, fused", {}, false, true}};
  }
  std::unique_ptr<File> load(const std::string& file, const AskedRun&) const override {
    const auto source = std::make_shared<const Source>(Source{file, read_source(file)});
    auto parsed = toy::parse(source);
    if (!parsed) throw Failure{invalid, "", parsed.error()};
    return std::make_unique<ToyFile>(source, std::move(*parsed));
  }
  RandomPrograms random_programs() const override {
    props::Trials<Program> trials;
    trials.extension = extension(), trials.options = "--language toy";
    trials.generate = [](std::uint64_t seed, int nodes) {
      props::Random random(seed);
      Program p{"main", {}};
      for (int k = 1 + random.below(nodes); k > 0; --k)
        p.steps.push_back(random.percent(20) ? toy::Step{1, 0, true}
                                             : toy::Step{random.below(5) - 2, random.below(9) - 4, false});
      return p;
    };
    trials.nodes = trials.measure = [](const Program& p) { return p.steps.size(); };
    trials.text = toy::print;
    trials.smaller = [](const Program& p) {
      std::vector<Program> out(p.steps.size() > 1 ? p.steps.size() : 0, p);
      for (std::size_t k = 0; k < out.size(); ++k) out[k].steps.erase(out[k].steps.begin() + std::ptrdiff_t(k));
      return out;
    };
    trials.check = [](const Program& p, std::uint64_t seed, bool) -> std::optional<props::Finding> {
      props::Case c = case_of(p, 3, seed, false);
      const props::Report r = props::verify(c, {});
      if (r.agrees()) return {};
      const std::vector<Claim> claims = r.all_claims();
      const Claim* wrong = first_refuted(claims);
      return props::Finding{"meaning", "fuse", wrong->shown_by->input, wrong->shown_by->found};
    };
    RandomPrograms out{.language = name()};
    out.run = [trials](const props::CampaignPart& part, const Options&) {
      CampaignRan ran;
      props::Campaign<Program>({part}, trials, ran.totals).run();
      return ran;
    };
    out.text = [](const Json& r) { return r.at("programs").dump() + " programs\n"; };
    return out;
  }
};

}  // namespace

const Frontend& toy_language() {
  static const Toy it;
  return it;
}

}  // namespace lockstep::driver
