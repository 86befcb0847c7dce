// Host programs as C++ (host.h).
#include "codegen/c/host.h"

#include "codegen/c/entry.h"
#include "semantics/kernel/walk.h"

namespace lockstep {

using Kind = HostName::Kind;

HostEntry::HostEntry(const host::Program& program, const Dialect& dialect)
    : program_(program), preconditions_(preconditions(program.of)), out_(program.of.body, dialect) {
  if (narrow()) preconditions_.push_back(narrow_condition(program.of));
}

bool HostEntry::narrow() const {
  bool loops = false;
  host::each_statement(program_.body, [&](const host::Stmt& s) {
    const auto* l = std::get_if<host::Launch>(&s.node);
    loops = loops || (l && host::loop_of(*l));
  });
  return program_.of.narrow && loops;
}

std::string device_exports(const kernel::Program& p) {
  return "extern \"C\" void " + release_name(p) + "() {\n  pool.empty();\n  device_release();\n}\n" +
         "extern \"C\" const char* " + fault_name(p) + "() { return device_fault(); }\nextern \"C\" void " +
         time_limit_name(p) + "(double seconds) { time_limit.seconds = seconds; }\nextern \"C\" double " +
         kernel_seconds_name(p) +
         "(int32_t measure) {\n  const double seconds = kernel_time.seconds;\n  kernel_time.asked = measure != 0;\n"
         "  kernel_time.seconds = 0;\n  return seconds;\n}\n";
}

std::string HostEntry::text() {
  const kernel::Program& p = program_.of;
  const EntryParameters parameters = declare_parameters(out_.text, p, "");
  for (const std::string& s : p.sizes) names_.push_back({Kind::Number, s, ScalarType::I64, out_.text.variable(s)});
  const std::set<std::string> by_value = host::by_value(program_);
  for (const kernel::Buffer& b : p.inputs)
    if (by_value.contains(b.name)) names_.push_back({Kind::Scalar, b.name, b.type.scalar, out_.text.buffer(b.name)});
  out_.open("extern \"C\" " + own_entry() + "int32_t " + entry_name(p) + "(" + comma_list(parameters.declarations) +
            ")");
  out_.line("(void)trap;");
  for (const Precondition& c : preconditions_)
    for (const std::string& line : c.check) out_.line(line);
  bool traps = false;
  host::each_statement(program_.body,
                       [&](const host::Stmt& s) { traps = traps || std::holds_alternative<host::Finish>(s.node); });
  if (traps) {
    out_.line("DeviceArray<DeviceTrap> status(1);");
    out_.line("if (!status.clear()) return 4;");
  }
  statements(program_.body);
  if (checks_ != checks_of(p).size()) throw Bug("the kernels of '" + p.name + "' have other checks than the program");
  out_.line("return 0;");
  out_.close();
  return out_.take() + "\n" + device_exports(p) + "\n" + loader_text(p, parameters) + "\n" + trap_table(p);
}

template <class F>
void HostEntry::scoped(F f) {
  const std::size_t names = names_.size(), texts = out_.text.mark();
  f();
  names_.resize(names);
  out_.text.release(texts);
}

void HostEntry::statements(const host::Stmt& s) {
  const auto* b = std::get_if<host::Block>(&s.node);
  if (!b) return statement(s);
  for (const host::Stmt& x : b->statements) statement(x);
}

void HostEntry::in_braces(const std::string& head, const host::Stmt& s) {
  out_.open(head);
  scoped([&] { statements(s); });
  out_.close();
}

void HostEntry::statement(const host::Stmt& s) {
  const auto moved = [&](const std::string& array, const std::string& call) {
    out_.line("if (!" + device(array) + call + ") return 4;");
  };
  match(
      s.node, [&](const host::Block&) { in_braces("", s); }, [&](const host::Acquire& a) { acquire(a); },
      [&](const host::Release& r) { out_.line(device(r.array) + ".release();"); },
      [&](const host::Send& x) {
        const kernel::Buffer* b = host::parameter(program_.of.inputs, x.array);
        if (!b) throw Bug("host text is made of the unknown input '" + x.array + "'");
        moved(x.array, ".from_host(" + std::string(b->is_one_scalar() ? "&" : "") + out_.text.buffer(x.array) + ")");
      },
      [&](const host::Fetch& x) { moved(x.array, ".to_host(" + out_.text.buffer(x.array) + ")"); },
      [&](const host::Read& r) { read(r); }, [&](const host::Launch& l) { launched(l); },
      [&](const host::Finish&) { out_.line("if (int32_t stopped = finish(status, trap)) return stopped;"); },
      [&](const host::For& f) { loop(f); },
      [&](const host::If& i) {
        in_braces("if (" + out_.text.expression(i.condition) + ")", *i.then);
        in_braces("else", *i.otherwise);
      },
      [&](const host::While& w) { while_loop(w); });
}

const std::string& HostEntry::device(const std::string& array) const {
  for (auto n = names_.rbegin(); n != names_.rend(); ++n)
    if (n->kind == Kind::Memory && n->name == array) return n->host;
  throw Bug("host text is made of the undeclared array '" + array + "'");
}

void HostEntry::acquire(const host::Acquire& a) {
  const std::string owner = out_.text.fresh(a.array + "_device"), type = out_.text.memory_type(a.type.scalar);
  out_.line("DeviceArray<" + type + "> " + owner + "(" + out_.text.expression(a.count) + ");");
  out_.line("if (!" + owner + ".data) return 4;");
  names_.push_back({Kind::Memory, a.array, a.type.scalar, owner});
}

void HostEntry::read(const host::Read& r) {
  const std::string type = out_.text.memory_type(r.type), from = device(r.array);
  const std::string name = out_.text.declare_variable(r.name);
  out_.line(type + " " + name + " = 0;");
  out_.line("if (!" + from + ".to_host(&" + name + ")) return 4;");
  names_.push_back({Kind::Number, r.name, r.type, name});
}

void HostEntry::launched(const host::Launch& l) {
  const std::string bytes = kernel::constant_of(l.grid.bytes) == 0 ? "0" : out_.text.expression(l.grid.bytes);
  const std::string blocks = host::loop_of(l)
                                 ? "grid_of(" + out_.text.expression(l.grid.count) + ", " +
                                       std::to_string(l.grid.to_a_block) + ", " + std::to_string(l.grid.most) + ")"
                                 : "1";
  const LaunchCall call = launch({l, "kernel_" + std::to_string(++kernels_),
                                  blocks + ", " + std::to_string(l.grid.threads), bytes, checks_, names_});
  kernel::each_statement(l.body,
                         [&](const kernel::Stmt& s) { checks_ += std::holds_alternative<kernel::Check>(s.node); });
  if (call.narrow.empty()) return out_.line("if (!" + call.wide + ") return 4;");
  out_.line("if (!(narrow ? " + call.narrow);
  out_.line("             : " + call.wide + ")) return 4;");
}

void HostEntry::loop(const host::For& f) {
  scoped([&] {
    const std::string count = out_.text.operand(f.extent), i = out_.text.declare_variable(f.name);
    names_.push_back({Kind::Number, f.name, ScalarType::I64, i});
    in_braces("for (int64_t " + i + " = 0; " + i + " < " + count + "; ++" + i + ")", *f.body);
  });
}

void HostEntry::while_loop(const host::While& w) {
  out_.open("while (true)");
  scoped([&] {
    statements(*w.before);
    out_.line("if (!" + out_.text.operand(w.condition) + ") break;");
    in_braces("", *w.body);
  });
  out_.close();
}

}  // namespace lockstep
