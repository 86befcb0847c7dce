// What a language gives the commands, which know none: how its files are read, and what can be done with an entry
// point. A language is a Frontend; a command line is over a list of them (driver/commands/command_line.h), and that of
// `lockstep` is driver/languages/list.cpp.
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "codegen/runtime/npy.h"
#include "driver/options.h"
#include "driver/report.h"
#include "driver/source.h"
#include "props/engine/report.h"

namespace lockstep::driver {

// What a program of a language can be run on.
struct Runner {
  std::string name;
  std::string runs_on;  // what it needs
  // Why it cannot run here, "" where it can: asked when it is wanted, as a driver that is asked has to start. Null: it
  // always can.
  std::function<std::string()> unavailable{};
  bool compiled = false;  // by a compiler, to the machine's code
  bool verified = false;  // a target of `verify`, beside the interpreters of the stages
  bool by_name = false;   // verified where it is asked for alone: a check of what another target's text says
  bool optional = false;  // ... so it is where it cannot run here: a machine without a GPU misses none
  std::string why_not() const { return unavailable ? unavailable() : ""; }
};

// What a command has to say, in words and as JSON.
struct Said {
  std::string text;
  Json json;
  bool ok = true;
};
struct StageText {
  std::string name, cite, body;
  std::optional<std::size_t> nodes{};
};
struct EmittedText {
  std::string target;
  std::vector<std::pair<std::string, std::string>> files;  // name, contents
  Json more = Json::object();                              // for the report as JSON
};
struct VerifyRequest {
  std::uint64_t seed = 1;
  std::size_t inputs = 12;
  std::vector<std::string> arguments{};  // name=value: sizes and arguments
  std::vector<std::int64_t> sizes{};     // what the other sizes are drawn from; where there is nothing, from many
  std::uint64_t limit = props::default_round_limit;
  std::vector<std::string> targets{};
  AskedRun asked{};      // that the file was loaded with
  std::string fusion{};  // --fusion
};

// An entry point on concrete arguments and a target.
class Execution {
 public:
  virtual ~Execution() = default;
  // Once; what is to be compiled is compiled before. A trap is a result; a Failure with status 4 where the machine
  // fails.
  virtual std::optional<Trap> run() = 0;
  // Once, and how long a device was at its kernels, in seconds; nothing where there is none. After run has run.
  virtual std::optional<double> run_measured() { return {}; }
  // In place of run, where the result can be printed as it comes; false where it cannot.
  virtual bool prints() const { return false; }
  virtual std::optional<Trap> run_printing() { return run(); }
  // Of the last run, beside what the interpreters give.
  struct Comparison {
    bool agrees = true;
    std::string text;    // how
    std::string also{};  // said after it where they agree
  };
  virtual Comparison compare() = 0;
  virtual void finish() {}                            // what the program wrote goes to its places
  virtual std::string literal() const = 0;            // of the last run's result
  virtual std::vector<NpyOutput> arrays() const = 0;  // its leaves, without paths; they live as long as this
  virtual bool silent() const { return false; }       // the result is not printed after what the program wrote itself
  virtual std::string bytes_text() const = 0;         // "24.0 MB in and out"
  virtual std::uint64_t bytes() const = 0;            // that a run reads and writes
  virtual std::optional<double> work() const { return {}; }  // of the source, as `cost` counts it, where it is known
  struct FloatOperations {
    double f32 = 0, f64 = 0;
  };
  // Of a run of what is compiled, a product that is rounded with its sum as two; nothing where data decide how many.
  virtual std::optional<FloatOperations> float_operations() const { return {}; }
  virtual std::string at() const { return ""; }          // what was drawn, "n = 1000"
  virtual Json where() const { return Json::object(); }  // sizes, chunks: for the report as JSON
};

class Entry {
 public:
  virtual ~Entry() = default;
  virtual std::string name() const = 0;
  virtual std::string head() const = 0;                            // "dot [n] (xs : [n]f32) (ys : [n]f32) : f32"
  virtual std::vector<std::string> assumed() const { return {}; }  // of its inputs, by the user
  // In any number of steps; rows are told of as they are known.
  virtual props::Report verify(const VerifyRequest& request, const props::Listener& listener) const = 0;
  // Words in the options; `bench`: what is not given is random and large. `compare`: compare() will be asked.
  virtual std::unique_ptr<Execution> bind(const std::string& target, const Options& options, bool bench) const = 0;
  virtual std::vector<StageText> stages(const Options& options) const = 0;
  virtual Said cost(const Options& options) const = 0;
  virtual EmittedText emit(const Options& options) const;  // a Failure: no text
  virtual Said fusion(const Options& options) const;       // a Failure: nothing is fused in this language
};

class File {
 public:
  virtual ~File() = default;
  explicit File(SourceRef source_) : source(std::move(source_)) {}
  const SourceRef source;
  // By name, or the last; a Failure with status 2 where there is none.
  virtual std::unique_ptr<Entry> entry(const std::string& function) const = 0;
  // Of all of it, told of one function where one is named; a Failure with status 2 where there is none.
  virtual Said check(const std::string& function) const = 0;
  virtual Said prove(const std::string& function, const Options& options) const;  // a Failure: nothing yet
};

// A primitive or built-in, for people.
struct BuiltIn {
  std::string name, type, kind, summary;
};
using BuiltInDetails = std::vector<std::pair<std::string, std::string>>;  // what, and the text
inline constexpr const char* to_be_proved = "to be proved";               // of a detail: an obligation

// An option that says nothing to a language, and why.
struct Useless {
  std::string command, option;
  std::string why;  // "is of .snesl programs"
  std::string help{};
  int status = invalid;
};

// Of a language that no strategy rewrites, and whose reductions always stay in the order that is written.
void add_strict(std::vector<Useless>& to);

struct RandomPrograms;  // driver/campaign_reports.h

class Frontend {
 public:
  virtual ~Frontend() = default;
  virtual std::string name() const = 0;  // "snesl", of files .snesl
  virtual std::string unit() const = 0;  // what programs are counted in: "node"
  virtual std::vector<Runner> targets() const = 0;
  virtual std::vector<Useless> useless() const { return {}; }
  // What is built in: a title, a table, and the file that describes the language.
  virtual std::string title() const { return extension(); }
  virtual std::string reference() const { return "semantics/" + name() + "/README.md"; }
  virtual std::vector<BuiltIn> built_in() const { return {}; }
  virtual BuiltInDetails details(const std::string& name) const {
    (void)name;
    return {};
  }
  // A Failure with status 2 where anything is wrong with the file.
  virtual std::unique_ptr<File> load(const std::string& file, const AskedRun& asked) const = 0;
  // What a language may not have yet: a Failure with status 4 says so.
  virtual RandomPrograms random_programs() const;
  virtual Said mutants(const Options& options) const;
  virtual int derive(const Options& options) const;
  virtual int tune(const Options& options) const;
  virtual std::optional<Said> prove(const Options& options) const;  // its calculus; nothing where it has none
  std::string extension() const { return "." + name(); }
};

// "openmp, hip-cpu or hip", of the last word " or ".
std::string joined(const std::vector<std::string>& words, const std::string& last);
const Frontend& frontend_of_file(const Languages& all, const std::string& file);  // by its extension, or the first
const Frontend& frontend_named(const Languages& all, const std::string& name);    // a Failure where there is none

// The target of that name: a Failure where there is none (2; it says whose it is), or it cannot run here (4).
Runner target_named(const Languages& all, const Frontend& f, const std::string& name);
// What is fastest of those that are here.
Runner default_target(const Frontend& f);

}  // namespace lockstep::driver
