// What Language asks of L0. A program is written with the name of its entry point before it, as a comment.
#include "semantics/l0/language.h"

#include "semantics/l0/check.h"
#include "semantics/l0/parse.h"
#include "semantics/l0/uniqueness.h"

namespace lockstep::l0 {
namespace {

constexpr std::string_view entry_mark = "// entry ";

std::string written(const Entry& e) { return std::string(entry_mark) + e.function + "\n" + print(e.program); }

Checked<Entry> read(const SourceRef& source) {
  Checked<Program> parsed = parse_program(source);
  if (!parsed) return tl::make_unexpected(parsed.error());
  Checked<Program> program = typed(*parsed);
  if (!program) return tl::make_unexpected(program.error());
  std::string name = program->functions.back().name;
  if (source->text.starts_with(entry_mark))
    name = source->text.substr(entry_mark.size(), source->text.find('\n') - entry_mark.size());
  return Entry{std::move(*program), std::move(name)};
}

std::vector<std::string> wrong(const Entry& e) {
  std::vector<std::string> out;
  const Checked<Program> again = typed(e.program);
  for (const Diagnostic& d : again ? wrong_uses(*again) : again.error()) out.push_back(d.message);
  if (!function_named(e.program, e.function)) out.push_back("there is no function " + e.function);
  return out;
}

tl::expected<Values, Trap> run_on_leaves(const Entry& e, const Values& leaves, const Evaluation& how) {
  const Function& f = e.entry();
  Values arguments;
  std::size_t next = 0;
  for (const Parameter& p : f.parameters) arguments.push_back(value_of_leaves(p.type, leaves, next));
  auto result = evaluate(e.program, f, std::move(arguments), how);
  if (!result) return tl::make_unexpected(result.error());
  Values out;
  for (const Value* leaf : leaves_of(*result)) out.push_back(*leaf);
  return out;
}

}  // namespace

const Function& Entry::entry() const {
  if (const Function* f = function_named(program, function)) return *f;
  throw Bug("a program without its entry point " + function);
}

std::shared_ptr<const ValueLanguage> language() {
  static const std::shared_ptr<const ValueLanguage> it = [] {
    auto made = std::make_shared<ValueLanguage>();
    const std::weak_ptr<const Language> self = made;
    made->name = "l0";
    made->print = [](const AnyProgram& p) { return print(p.as<Entry>().program); };
    made->write = [](const AnyProgram& p) { return written(p.as<Entry>()); };
    made->parse = [self](SourceRef source) { return as_program(self, read(source)); };
    made->equal = [](const AnyProgram& a, const AnyProgram& b) { return a.as<Entry>() == b.as<Entry>(); };
    made->check = [](const AnyProgram& p, const SizeImplication&) { return wrong(p.as<Entry>()); };
    made->nodes = [](const AnyProgram& p) { return nodes(p.as<Entry>().program); };
    made->meaning = [](const AnyProgram& p, const Values& leaves, const Evaluation& how) {
      return run_on_leaves(p.as<Entry>(), leaves, how);
    };
    return made;
  }();
  return it;
}

}  // namespace lockstep::l0
