// The words of the command line to a command's options, and what it throws to an exit status.
#include "driver/commands/command_line.h"

#include <array>
#include <cstdio>
#include <functional>
#include <iostream>

#include "driver/commands/commands.h"
#include "driver/commands/help.h"
#include "driver/commands/memory.h"
#include "driver/commands/misread.h"
#include "driver/commands/words.h"
#include "driver/workers.h"
#include "semantics/core/size_limit.h"

namespace lockstep::driver {
namespace {

using Command = int (*)(const Options&);

class CommandLine {
 public:
  explicit CommandLine(const Languages& languages) : app_(help::about, "lockstep") {
    options_.languages = languages;
    app_.require_subcommand(1);
    app_.footer(help::notes);
    app_.set_version_flag("--version", std::string("lockstep ") + version);
    check();
    run();
    verify();
    stages();
    fusion();
    cost();
    prove();
    emit();
    bench();
    campaign();
    derive();
    tune();
    primitives();
    add("targets", "what can run here, and why the others cannot", targets_command);
  }

  int parse_and_run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp& e) {
      return app_.exit(e, std::cout, std::cerr), done;
    } catch (const CLI::CallForVersion& e) {
      return app_.exit(e, std::cout, std::cerr), done;
    } catch (const CLI::ParseError& e) {
      return report({invalid, misread(e, app_, apps(), {argv + 1, argv + std::max(argc, 1)})}, options_.json);
    }
    for (const Entry& e : commands_) {
      if (!e.app->parsed()) continue;
      for (const CLI::Option* o : e.app->get_options())
        if (o->count() > 0 && !o->get_lnames().empty()) options_.given.insert("--" + o->get_lnames().front());
      return e.command(options_);
    }
    throw Bug("a command line without a command");
  }

  bool json() const { return options_.json; }

 private:
  std::vector<const CLI::App*> apps() const {
    std::vector<const CLI::App*> out;
    for (const Entry& e : commands_) out.push_back(e.app);
    return out;
  }

  CLI::App* add(const std::string& name, const std::string& what, Command command) {
    CLI::App* app = app_.add_subcommand(name, what);
    app->footer(help::notes);
    commands_.push_back({app, command});
    flag(app, "--json", options_.json, "the report as JSON");
    return app;
  }
  CLI::Option* program(CLI::App* app, const std::string& what = "FILE[:FUN]") {
    return option(app, what, options_.program, "", "the program")->required();
  }
  void arguments(CLI::App* app, const std::string& what) {
    app->add_option("name=value", options_.arguments, what)->type_name("");
  }
  void target(CLI::App* app, const std::string& what) { option(app, "--target", options_.target, "TARGET", what); }

  std::array<CLI::Option*, 4> launch(CLI::App* app) {
    const auto add = [&](const char* name, int& into, int usual, int least, int most, const std::string& what) {
      const std::string within = ", " + std::to_string(least) + " to " + std::to_string(most);
      return option(app, name, into, "N",
                    "not of .snesl: " + what + within + " (default " + std::to_string(usual) + ")")
          ->check(CLI::Range(least, most));
    };
    AskedRun& asked = options_.asked;
    return {
        add("--block-size", asked.block, Launch{}.block, 1, most_block, "threads of a GPU's block"),
        add("--warp-size", asked.warp, Launch{}.warp, 1, most_warp, "threads of a GPU's warp, a power of two"),
        add("--grid-size", asked.grid, Launch{}.grid, 1, most_grid, "blocks of a GPU's launch at most"),
        add("--index-bits", asked.index, Launch{}.index, least_index, most_index, "bits of a GPU's narrow indices")};
  }

  CLI::Option* strict(CLI::App* app) {
    return flag(app, "--strict", options_.asked.strict,
                "of .dpia: what 'reduce' adds up stays in the order that is written, on one thread, and no product is "
                "rounded with its sum");
  }

  void strategy(CLI::App* app) {
    option(app, "--strategy", options_.asked.strategy, "FILE.strat",
           "of .dpia: rewritten by it first; where it does not apply, a word on the standard error says so");
  }

  void chunk(CLI::App* app) {
    option(app, "--chunk", options_.chunk, "N",
           "of .snesl on chunked and engine: elements of a chunk (default: the target's choice)")
        ->check([](const std::string& text) {
          return text.find_first_not_of('0') == std::string::npos ? std::string("a chunk has at least one element")
                                                                  : std::string();
        });
  }

  CLI::Option* limit(CLI::App* app) {
    return option(app, "--limit", options_.limit, "N",
                  "of .dpia: rounds that a 'while' of an input may take, those of loops inside it included (default " +
                      std::to_string(props::default_round_limit) +
                      "); an input that takes more is drawn again, at most 20 times")
        ->check([](const std::string& text) {
          return text.find_first_not_of('0') == std::string::npos ? std::string("no loop could begin") : std::string();
        });
  }

  void fusion_mode(CLI::App* app) {
    option(app, "--fusion", options_.fusion, "MODE",
           "of .l0: off, paper (as published, once) or full (default: until nothing changes)")
        ->check(CLI::IsMember({"off", "paper", "full"}));
  }

  void threads(CLI::App* app) {
    option(app, "--threads", options_.threads, "N",
           "of .snesl on the engine (default: as many as the machine runs at once)")
        ->check(CLI::Range(1, 64));
  }

  void check() {
    auto* app = add("check",
                    "parse and type-check; list every size obligation and how it was discharged, and what blocks need "
                    "of a GPU's memory; of "
                    ".snesl, whether it streams",
                    check_command);
    program(app);
  }
  void run() {
    auto* app = add("run", "run an entry point", run_command);
    program(app);
    fusion_mode(app);
    arguments(app, "the arguments, each by its name");
    target(app,
           "interpreter, openmp, hip-cpu, opencl or hip, for .snesl interpreter, eager, chunked or engine; default: "
           "the fastest that is present");
    launch(app);
    strict(app);
    strategy(app);
    chunk(app);
    threads(app);
    flag(app, "--compare", options_.compare,
         "run the interpreters too, of the program and of the kernel that is compiled, and compare: bit for bit with\n"
         "the kernel's, with the program's bit for bit or within the error bound");
    option(app, "--output", options_.output, "OUT.npy",
           "write NumPy files instead of printing; tuples become OUT.0.npy, OUT.1.npy, ...");
  }
  void verify() {
    auto* app =
        add("verify", "take the program through every stage to every target present, with every check", verify_command);
    target(app, "only this one of the targets (4 where it cannot run here); interpreter: the stages only");
    program(app)->required(false);
    fusion_mode(app);
    arguments(app, "sizes, values, and kinds of random ones; the sizes and values that are not given are drawn");
    auto* sizes = option(app, "--sizes", options_.sizes, "N,N...",
                         "draw the sizes that are not given from these, 4,8, instead of from many");
    auto* seed = option(app, "--seed", options_.seed, "S", "of the random inputs (default 1)");
    auto* inputs = option(app, "--inputs", options_.inputs, "K", "how many inputs (default 12)");
    auto* path = option(app, "--certificate", options_.certificate, "PATH",
                        "write what was found to a file that --replay repeats");
    auto* rounds = limit(app);
    auto* replay =
        option(app, "--replay", options_.replay, "CERTIFICATE",
               "make it anew: what differs is a failure, but for another compiler, processor, build or place of the\n"
               "program, which are named. FILE: where its program is now");
    for (CLI::Option* other : {sizes, seed, inputs, rounds, path, strict(app)}) replay->excludes(other);
    for (CLI::Option* other : launch(app)) replay->excludes(other);
  }
  void stages() {
    auto* app = add("stages", "print the program after each stage", stages_command);
    program(app);
    fusion_mode(app);
    option(app, "--stage", options_.stage, "NAME", "only this one");
    option(app, "--strategy", options_.strategy, "FILE.strat", "rewritten by this strategy first, as 'derive' does");
    target(app, "openmp (default), opencl or hip");
    launch(app);
    strict(app);
  }
  void fusion() {
    auto* app = add("fusion",
                    "of .dpia and .l0: for every array operation and what goes over its arrays, by which rule they "
                    "are fused, or why not",
                    fusion_command);
    program(app);
    fusion_mode(app);
  }
  void cost() {
    auto* app = add("cost", "work, depth and space of the source and every stage; each access on a GPU", cost_command);
    program(app);
    fusion_mode(app);
    arguments(app, "sizes, n=1000: the costs there; of .snesl and .fcl, the arguments");
    target(app, "openmp (default), opencl or hip");
    launch(app);
    strict(app);
    strategy(app);
    chunk(app);
  }
  void prove() {
    auto* app = add("prove", "every proof obligation: verdict, method, time; without FILE those of the calculus",
                    prove_command);
    program(app)->required(false);
    flag(app, "--all", options_.all, "of a program, what is proved too, one by one");
    option(app, "--only", options_.only, "PATTERN",
           "of the calculus's obligations those whose group, subject or claim holds PATTERN");
    option(app, "--solver", options_.solver, "NAME",
           "z3, cvc5, or both, who are asked what normal forms prove, too. Default: both, where cvc5 is installed,\n"
           "of what normal forms leave. What one proves and another refutes is unknown, and says so");
    launch(app);
    strict(app);
    app->footer(std::string(help::of_prove) + help::notes);
  }
  void emit() {
    auto* app = add("emit", "write the generated source, with a C header; no build", emit_command);
    program(app);
    fusion_mode(app);
    target(app, "openmp (default), opencl or hip; for .snesl engine");
    launch(app);
    strict(app);
    strategy(app);
    option(app, "--output", options_.output, "DIR", "the folder (default: this one)");
  }
  void bench() {
    auto* app = add("bench", "time it, with the share of what this machine can do, and the source's work a second",
                    bench_command);
    program(app);
    fusion_mode(app);
    arguments(
        app,
        "arguments, kinds of random ones, and of .dpia sizes; what is not given is random, of sizes that grow\n"
        "together until a run would take a second, and printed. Work is what 'cost' knows without a run: of .snesl\n"
        "on the interpreter only");
    option(app, "--sizes", options_.sizes, "N", "all sizes that are not given, instead of growing ones");
    target(app, "interpreter, openmp, hip-cpu, opencl or hip; for .snesl interpreter, eager, chunked or engine");
    launch(app);
    strict(app);
    strategy(app);
    chunk(app);
    threads(app);
    refuse_zero(option(app, "--runs", options_.runs, "N", "how often (default: for a second)"),
                "0 runs time nothing: leave it out, or at least 1");
    app->add_flag("--roofline", options_.roofline, "its place under the machine's roofline");
    option(app, "--plot", options_.plot, "FILE.svg", "the same as a picture");
    app->add_option("--peer", options_.peers, "beside it, what something else takes; may be given again")
        ->type_name("NAME=SECONDS")
        ->allow_extra_args(false);
  }
  void campaign() {
    auto* app = add("campaign", "random programs through every stage", campaign_command);
    refuse_zero(option(app, "--programs", options_.programs, "N",
                       "how many (default 1000; of mutants: random ones for each, 4000)"),
                "0 programs check nothing: at least 1");
    option(app, "--compiled", options_.compiled_programs, "N",
           "the first so many of them also on what their language is compiled for (default 0, with --target all)");
    option(app, "--seed", options_.seed, "S", "where they start (default 1)");
    option(app, "--language", options_.language, "L",
           "dpia (default) or snesl; all: each has its part of the programs, one language after another");
    option(app, "--threads", options_.threads, "N",
           "programs at a time, whose times are added (default 1; with --nightly as many as the machine runs at once)")
        ->check(CLI::Range(1, 1024));
    flag(app, "--nightly", options_.nightly,
         "what two processors do in a night: --language all --programs 6000000 --compiled 200000, from a seed that is\n"
         "the day, as 20261123; each of these may be given otherwise");
    refuse_zero(option(app, "--minutes", options_.minutes, "M", "stop after so long"),
                "in no time nothing is checked: leave it out, or more than 0");
    option(app, "--shard", options_.shard, "i/k",
           "every k-th program, from the i-th on; with --mutants, every k-th mutant");
    app->add_option("--merge", options_.merge,
                    "join what --json printed of all the shards of one campaign: statistics are added, worst ratios\n"
                    "kept with their programs, failures listed (status 1)")
        ->type_name("FILE")
        ->expected(1, -1);
    CLI::Option* mutants = option(app, "--mutants", options_.mutants, "[NAME]",
                                  "plant mistakes instead, and see each caught: all of them, or those whose name or "
                                  "family is NAME (* stands for anything)")
                               ->expected(0, 1);
    app->callback([this, mutants] {
      if (mutants->count() > 0 && options_.mutants.empty()) options_.mutants = "*";
    });
    limit(app);
    flag(app, "--show", options_.show, "of each mutant the smallest program that tells it from what is right");
    flag(app, "--statistics", options_.statistics,
         "what the programs, their inputs and what was made of them were like, in shares");
    target(app,
           "interpreter (default: every stage), or what the programs are compiled for too: openmp; hip-cpu, opencl or "
           "hip,\n"
           "with programs for a GPU in blocks of at most 64 threads; for --language snesl engine");
    option(app, "--sanitizer", options_.sanitizer, "NAME",
           "under which the compiled programs run: thread or address of --target hip-cpu, oclgrind of --target opencl")
        ->check(CLI::IsMember({"thread", "address", "oclgrind"}));
  }

  void derive() {
    auto* app =
        add("derive", "rewrite it by a strategy, each step checked; print or save the derivation", derive_command);
    program(app)->required(false);
    option(app, "--strategy", options_.strategy, "FILE.strat",
           "the strategy: rules and combinators, translate/README.md");
    option(app, "--replay", options_.replay, "DERIVATION.json",
           "repeat a saved derivation; any difference is a failure");
    option(app, "--output,-o", options_.output, "PATH",
           "OUT.dpia: the program at the end; OUT.json: the derivation, for --replay");
    flag(app, "--verify", options_.verify, "take the result through every stage and target, as 'verify' does");
    flag(app, "--explain", options_.explain,
         "of each reduce, scan, permute and scatter: by which laws it runs in parallel by itself, or why not, with a "
         "counterexample");
    flag(app, "--rules", options_.rules, "list the rules: what each matches and gives, its conditions and laws");
    option(app, "--seed", options_.seed, "S", "of the random inputs (default 1)");
    option(app, "--inputs", options_.inputs, "K", "how many inputs (default 12)");
    limit(app);
  }

  void tune() {
    auto* app = add("tune", "search strategies that keep every bit, time them on this machine, and keep the fastest",
                    tune_command);
    program(app);
    arguments(app, "as of bench: sizes and arguments to be fast on");
    option(app, "--sizes", options_.sizes, "N", "all sizes that are not given, instead of growing ones");
    option(app, "--output,-o", options_.output, "OUT.strat", "the strategy (default: FILE.FUN.strat, beside FILE)");
    option(app, "--runs", options_.runs, "N", "how often each (default: for a second)");
    strict(app);
  }

  void primitives() {
    auto* app =
        add("primitives", "every primitive of .dpia and built-in of .snesl: type and meaning; of one also the rest",
            primitives_command);
    option(app, "NAME", options_.name, "", "only this one, with its cost, traps, laws, and what is to be proved of it");
  }

  CLI::App app_;
  Options options_;
  struct Entry {
    CLI::App* app;
    Command command;
  };
  std::vector<Entry> commands_;
};

int guarded(int argc, char** argv, const Languages& languages) {
  bool json = false;
  try {
    CommandLine line(languages);
    try {
      const int status = line.parse_and_run(argc, argv);
      std::cout.flush();
      if (std::fflush(stdout) != 0 || std::ferror(stdout) || !std::cout)
        return report({machine, "standard output cannot be written"}, false);
      return status;
    } catch (...) {
      json = line.json();
      throw;
    }
  } catch (const Failure& failure) {
    return report(failure, json);
  } catch (const TrapSignal& signal) {
    return report({trapped, trimmed(render(signal.trap)), {}, false, signal.trap}, json);
  } catch (const SizeTooLarge& e) {
    return report({invalid, e.what()}, json);
  } catch (const NotEnoughMemory& e) {
    return report({machine, message_of(e)}, json);
  } catch (const std::bad_alloc&) {
    return report({machine, "there is not enough memory"}, json);
  } catch (const std::exception& e) {
    return report({machine, e.what()}, json);
  }
}

}  // namespace

int run_command_line(int argc, char** argv, const Languages& languages) {
  int status = machine;
  on_workers(1, [&](std::size_t) { status = guarded(argc, argv, languages); });  // trees may be deep
  return status;
}

}  // namespace lockstep::driver
