// What Language asks of FCL. Before a program is written, as comments, which definition is run and how.
#include "semantics/fcl/language.h"

#include <sstream>

#include "semantics/fcl/parse.h"
#include "semantics/fcl/prelude.h"

namespace lockstep::fcl {
namespace {

std::string written(const Entry& e) {
  std::string out = "-- entry " + e.definition + "\n";
  for (const auto& [name, type] : e.instance.types) out += "-- type " + name + " " + show(type) + "\n";
  for (const auto& [name, level] : e.instance.levels) out += "-- level " + name + " " + show(level) + "\n";
  out += "-- launch " + std::to_string(e.launch.block) + " " + std::to_string(e.launch.warp) + "\n";
  return out + print(e.program.program);
}

SourceRef text_of(const std::string& text) { return std::make_shared<const Source>(Source{"instance", text}); }

Checked<Entry> read(const SourceRef& source) {
  const Checked<Program> parsed = parse_program(source);
  if (!parsed) return tl::make_unexpected(parsed.error());
  Checked<Inferred> program = typed(*parsed);
  if (!program) return tl::make_unexpected(program.error());
  Entry out{std::move(*program), parsed->definitions.back().name};
  std::istringstream lines(source->text);
  for (std::string line; std::getline(lines, line) && line.starts_with("-- ");) {
    std::istringstream words(line.substr(3));
    std::string what, name, rest;
    words >> what;
    if (what == "launch") {
      words >> out.launch.block >> out.launch.warp;
      continue;
    }
    words >> name;
    std::getline(words >> std::ws, rest);
    if (what == "entry") out.definition = name;
    if (what == "type") {
      Checked<Type> t = parse_type(text_of(rest));
      if (!t) return tl::make_unexpected(t.error());
      out.instance.types.emplace(name, std::move(*t));
    }
    for (const Level& l : {thread_level, warp_level, block_level, grid_level})
      if (what == "level" && rest == show(l)) out.instance.levels.emplace(name, l);
  }
  return out;
}

std::vector<std::string> wrong(const Entry& e) {
  std::vector<std::string> out;
  if (const Checked<Inferred> again = typed(e.program.program); !again)
    for (const Diagnostic& d : again.error()) out.push_back(d.message);
  if (!definition_named(e.program.program, e.definition)) out.push_back("there is no definition " + e.definition);
  return out;
}

}  // namespace

const Definition& definition_of(const Entry& e) {
  if (const Definition* d = definition_named(e.program.program, e.definition)) return *d;
  throw Bug("a program without its definition " + e.definition);
}
const Scheme& scheme_of(const Entry& e) {
  return e.program.schemes[static_cast<std::size_t>(&definition_of(e) - e.program.program.definitions.data())];
}

std::shared_ptr<const FclLanguage> language() {
  static const std::shared_ptr<const FclLanguage> it = [] {
    auto made = std::make_shared<FclLanguage>();
    const std::weak_ptr<const Language> self = made;
    made->name = "fcl";
    made->print = [](const AnyProgram& p) { return print(p.as<Entry>().program.program); };
    made->write = [](const AnyProgram& p) { return written(p.as<Entry>()); };
    made->parse = [self](SourceRef source) { return as_program(self, read(source)); };
    made->equal = [](const AnyProgram& a, const AnyProgram& b) { return a.as<Entry>() == b.as<Entry>(); };
    made->check = [](const AnyProgram& p, const SizeImplication&) { return wrong(p.as<Entry>()); };
    made->nodes = [](const AnyProgram& p) { return nodes(p.as<Entry>().program.program); };
    made->meaning = [](const AnyProgram& p, std::vector<Value> arguments, const Domain& domain, std::uint64_t rounds) {
      const Entry& e = p.as<Entry>();
      return evaluate(e.program, e.definition, std::move(arguments), {domain, e.launch, rounds});
    };
    return made;
  }();
  return it;
}

}  // namespace lockstep::fcl
