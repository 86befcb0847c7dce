// Reading a .snesl file; refusing what is none, or does not stream.
#include "driver/languages/snesl/program.h"

#include "semantics/snesl/parse.h"
#include "semantics/snesl/walk.h"
#include "translate/flatten/flatten.h"

namespace lockstep::driver {
namespace {

using namespace snesl::surface;

// The functions that an expression calls, built-ins included.
void calls_of(const Expr& e, std::set<std::string>& into) {
  if (const auto* call = std::get_if<CallExpr>(&e.node)) into.insert(call->function);
  each_child(e, [&](const ExprRef& r) { calls_of(*r, into); });
}

std::set<std::string> called_functions(const snesl::surface::Program& p) {
  std::set<std::string> out;
  for (const Function& f : p.functions) calls_of(*f.body, out);
  return out;
}

std::map<std::string, snesl::Type> types_of(const snesl::EntryPoint& e, const OpenTypes& open) {
  std::map<std::string, snesl::Type> out;
  OpenTypes all = open;
  all.insert(e.examples.begin(), e.examples.end());
  for (std::size_t k = 0; k < e.parameters.size(); ++k) out.emplace(e.parameters[k], closed_type(e.types[k], all));
  return out;
}

StreamingVerdict judged(const StreamingFile& file, const snesl::EntryPoint& e, bool called) {
  StreamingVerdict v;
  v.called = called;
  const auto types = types_of(e, {});
  v.typed = e.closed || file.typed.fits(e.name, types);
  if (!v.typed) return v;
  const auto core = file.typed.elaborate(e.name, types);
  if (!core) {
    v.refused = core.error();
    return v;
  }
  v.program = std::make_shared<const Judged>(Judged{*core, streaming::flatten(*core)});
  v.instructions = v.program->flat.instructions.size();
  if (const auto& slack = file.streamability.of(v.program->flat))
    for (const std::int64_t s : *slack) v.slack += s;
  else
    v.refused = slack.error();
  return v;
}

// Those of functions that nothing calls, each place once.
Diagnostics refusals(const StreamingFile& file) {
  Diagnostics out;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::string>> seen;
  for (const std::optional<StreamingVerdict>& v : file.verdicts)
    if (v)
      for (const Diagnostic& d : v->refused)
        if (seen.emplace(d.region.begin, d.region.end, d.message).second) out.push_back(d);
  return out;
}

const Judged* judged_program(const StreamingFile& file, const snesl::EntryPoint& e) {
  for (std::size_t k = 0; k < file.functions.size(); ++k)
    if (file.functions[k].name == e.name && file.verdicts[k]) return file.verdicts[k]->program.get();
  return nullptr;
}

}  // namespace

StreamingFile load_streaming(const std::string& name) {
  const Stopwatch watch;
  StreamingFile out{std::make_shared<const Source>(Source{name, read_source(name)}), {}, {}, {}, {}, {}, 0};
  out.program = valid(snesl::parse_program(out.source));
  out.typed = valid(snesl::TypedProgram::of(out.program));
  out.functions = out.typed.entry_points();
  const std::set<std::string> called = called_functions(out.program);
  for (const snesl::EntryPoint& e : out.functions)
    out.verdicts.push_back(called.contains(e.name) ? std::nullopt : std::optional(judged(out, e, false)));
  if (Diagnostics d = refusals(out); !d.empty()) throw Failure{invalid, "", std::move(d)};
  out.seconds = watch.seconds();
  return out;
}

const snesl::EntryPoint& entry_point(const StreamingFile& file, const ProgramName& name) {
  if (name.function.empty()) return file.functions.back();
  std::vector<std::string> names;
  for (const snesl::EntryPoint& e : file.functions) {
    if (e.name == name.function) return e;
    names.push_back(e.name);
  }
  fail(invalid, name.file + " defines no function " + name.function,
       did_you_mean(name.function, names, "its functions are " + comma_list(names)));
}

std::string head_of(const snesl::EntryPoint& e) {
  std::string out = e.name + " (";
  for (std::size_t k = 0; k < e.parameters.size(); ++k) out += (k ? ", " : "") + e.parameters[k] + " : " + e.types[k];
  return out + ") : " + e.result;
}

snesl::core::Program instance_of(const StreamingFile& file, const snesl::EntryPoint& e, const OpenTypes& open) {
  // Whether it streams was asked of the same, where nothing is open.
  if (const Judged* known = e.closed ? judged_program(file, e) : nullptr) return known->core;
  return valid(file.typed.elaborate(e.name, types_of(e, open)));
}

std::vector<StreamingVerdict> streaming_verdicts(const StreamingFile& file, const std::string& asked) {
  std::int64_t left = 20'000;  // operations
  for (const snesl::EntryPoint& e : file.functions) left += 4 * e.written;
  std::vector<StreamingVerdict> out;
  for (std::size_t k = 0; k < file.functions.size(); ++k) {
    const snesl::EntryPoint& e = file.functions[k];
    if (file.verdicts[k]) {
      out.push_back(*file.verdicts[k]);
    } else if (e.name == asked || e.expanded <= left) {
      if (e.name != asked) left -= e.expanded;
      out.push_back(judged(file, e, true));
    } else {
      StreamingVerdict v;
      v.called = true;
      v.judged = false;
      out.push_back(std::move(v));
    }
  }
  return out;
}

streaming::SneslTrace trace_of(const StreamingFile& file, const snesl::EntryPoint& e,
                               const snesl::core::Program& core) {
  std::optional<svcode::Program> flat;
  if (const Judged* known = judged_program(file, e); known && &*known->core.body == &*core.body) flat = known->flat;
  streaming::SneslTrace out = streaming::snesl_trace(core, file.streamability, std::move(flat));
  if (const auto& slack = out.slack_of(out.steps[1].program.as<svcode::Program>()); !slack)
    throw Failure{invalid, "", slack.error()};
  return out;
}

}  // namespace lockstep::driver
