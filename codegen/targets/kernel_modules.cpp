// Kernels compiled for a device, each in a process of its own (hip_device.h).
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <thread>

#include "codegen/runtime/compiler.h"
#include "codegen/runtime/library_cache.h"
#include "codegen/targets/hip_device.h"
#include "codegen/targets/texts.h"
#include "semantics/core/files.h"

namespace lockstep {
namespace {

using Kind = CompileFailure::Kind;
using By = KernelCompiler::By;
template <class T>
using KernelAttempt = tl::expected<T, CompileFailure>;

struct Module {
  std::string image;
  std::vector<std::string> names;  // in the image, as they are asked for
};

bool write(const std::string& path, std::string_view text) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  std::ofstream out(path, std::ios::binary);
  return static_cast<bool>(out << text << std::flush);
}

std::vector<std::string> flags_of(const KernelCompiler& c, const std::string& folder) {
  switch (c.by) {
    case By::Nvrtc:
      return {"--gpu-architecture=" + c.arch, "--std=c++17", "--fmad=false", "-I" + folder};
    case By::Hiprtc:
      return {"--offload-arch=" + c.arch, "-std=c++17", "-O3", "-ffp-contract=off", "-I" + folder};
    case By::Clang:
      return {"-x",
              "cuda",
              "--cuda-device-only",
              "--cuda-gpu-arch=" + c.arch,
              "--cuda-path=" + folder,
              "-nocudainc",
              "-nocudalib",
              "-Xclang",
              "-target-feature",
              "-Xclang",
              "+ptx63",
              "-std=c++17",
              "-O3",
              "-ffp-contract=off",
              "-S",
              "-I" + folder};
  }
  return {};
}

// The files that a text includes: of HIP, which hiprtc knows without one, and of the system, of which NVRTC and hiprtc
// have none. NVRTC knows the names of integers already, hiprtc some of them.
std::string_view header_of_hip(const KernelCompiler& c) { return c.by == By::Hiprtc ? "" : nvidia_header; }
std::string header_of_integers(const KernelCompiler& c) {
  if (c.by != By::Hiprtc) return "";
  std::string out = "typedef __UINTPTR_TYPE__ uintptr_t;\ntypedef __INTPTR_TYPE__ intptr_t;\n";
  for (const char* bits : {"8", "16", "32", "64"})
    for (const auto& [word, name] : {std::pair{"__INT", "int"}, {"__UINT", "uint"}})
      out += std::string("typedef ") + word + bits + "_TYPE__ " + name + bits + "_t;\n";
  return out;
}
// As a demangler writes it, by which hiprtc up to 5 looks for it: "kernel_1<int>".
std::string as_demangled(const std::string& form) {
  const std::size_t bracket = form.find('<');
  if (bracket == std::string::npos) return form;
  return form.substr(0, bracket) + (form.find("int32_t") != std::string::npos ? "<int>" : "<long>");
}

// Of "kernel_1<int32_t>" what stands in its symbol: "8kernel_1IiE".
std::string mangled_part(const std::string& form) {
  const std::size_t bracket = form.find('<');
  const std::size_t space = form.rfind("::", bracket), from = space == std::string::npos ? 0 : space + 2;
  const std::string name = form.substr(from, bracket - from), length = std::to_string(name.size());
  if (bracket == std::string::npos) return length + name;
  return length + name + (form.find("int32_t") != std::string::npos ? "IiE" : "IlE");
}

// Of a text in PTX, whose entries' names a C++ compiler made; "" where there is none that a driver finds.
std::string entry_of(const std::string& ptx, const std::string& form) {
  const std::string part = mangled_part(form);
  for (const std::string word : {".visible .entry ", ".weak .entry "})
    for (std::size_t at = ptx.find(word); at != std::string::npos; at = ptx.find(word, at + 1)) {
      const std::size_t from = at + word.size();
      const std::string name = ptx.substr(from, ptx.find('(', from) - from);
      if (name.find(part) != std::string::npos) return name;
    }
  return "";
}

// The text as a module of its own: a driver looks for names that are known outside, which those of kernels are not in
// the text, so that it can be a part of any program.
std::string as_module(std::string text) {
  for (const auto& [own, outer] : {std::pair<std::string, std::string>{"static __global__", "__global__"},
                                   {"namespace {", "inline namespace lockstep_device {"}})
    for (std::size_t at = text.find(own); at != std::string::npos; at = text.find(own, at + outer.size()))
      text.replace(at, own.size(), outer);
  return text;
}

// What it calls and has not: functions of CUDA.
std::string missing_function(const std::string& ptx) {
  const std::size_t at = ptx.find(".extern .func");
  if (at == std::string::npos) return "";
  const std::size_t bracket = ptx.find(')', at), line = ptx.find('\n', at);
  const std::size_t from = ptx.find_first_not_of(' ', bracket < line ? bracket + 1 : at + 13);
  return ptx.substr(from, ptx.find_first_of(" \n(", from) - from);
}

class KernelsCompiler {
 public:
  KernelsCompiler(const KernelCompiler& by, std::string folder) : by_(by), folder_(std::move(folder)) {}

  // The headers, and the program that calls a compiler which is a library.
  std::optional<CompileFailure> prepare() {
    const std::string headers = folder_ + "/include";
    if (!write(headers + "/hip/hip_runtime.h", header_of_hip(by_)) ||
        (by_.by != By::Clang && !write(headers + "/stdint.h", header_of_integers(by_))))
      return CompileFailure{Kind::CacheUnwritable, "cannot write to '" + headers + "'"};
    if (by_.by == By::Clang) return {};
    auto made = compile_program({std::string(compile_kernels_text), {"-std=c++17", "-O0", "-ldl"}, "compile_kernels"});
    if (!made) return made.error();
    program_ = std::move(*made);
    return {};
  }

  KernelAttempt<Module> compile(const KernelModule& m, std::size_t number) const {
    const std::string at = folder_ + "/" + std::to_string(number), source = at + ".hip", image = at + ".image";
    if (!write(source, as_module(m.text) + forms_of(m)))
      return not_compiled(Kind::CacheUnwritable, "cannot write '" + source + "'");
    const auto run = run_child(words(m, source, image, at + ".names"), folder_, most_seconds);
    if (!run) return not_compiled(Kind::NoCompiler, run.error());
    if (run->late)
      return not_compiled(Kind::Killed, by_.name + " has not compiled a kernel in " +
                                            std::to_string(static_cast<int>(most_seconds)) + " seconds, and was ended");
    if (run->signal != 0)
      return not_compiled(Kind::Killed, by_.name + " ends by signal " + std::to_string(run->signal) +
                                            " where it compiles for " + by_.arch + ", which it may not know\n" +
                                            run->output);
    if (run->exit_status != 0)
      return not_compiled(Kind::NoCompiler, by_.name + " does not take the kernel " + m.names.front() + " for " +
                                                by_.arch + ":\n" + run->output);
    return finished(m, contents_of(image).value_or(""), contents_of(at + ".names").value_or(""));
  }

 private:
  static constexpr double most_seconds = 120;

  // Where the compiler makes of a template what is used alone: a use of each.
  std::string forms_of(const KernelModule& m) const {
    if (by_.by != By::Clang) return "";
    std::string all;
    for (const std::string& name : m.names) all += (all.empty() ? "" : ", ") + ("(const void*)" + name);
    return "[[maybe_unused]] const void* const forms[] = {" + all + "};\n";
  }

  std::vector<std::string> words(const KernelModule& m, const std::string& source, const std::string& image,
                                 const std::string& names) const {
    std::vector<std::string> flags = flags_of(by_, folder_ + "/include");
    flags.insert(flags.end(), by_.flags.begin(), by_.flags.end());
    std::vector<std::string> out;
    if (by_.by == By::Clang) {
      out = {by_.path};
      out.insert(out.end(), flags.begin(), flags.end());
      out.insert(out.end(), {"-o", image, source});
      return out;
    }
    out = {program_.path, by_.path, by_.by == By::Nvrtc ? "nvrtc" : "hiprtc", source, image, names};
    out.insert(out.end(), flags.begin(), flags.end());
    out.emplace_back("--");
    for (const std::string& name : m.names) out.push_back(by_.by == By::Hiprtc ? as_demangled(name) : name);
    return out;
  }

  KernelAttempt<Module> finished(const KernelModule& m, std::string image, const std::string& lines) const {
    Module out{std::move(image), {}};
    std::istringstream in(lines);
    for (const std::string& form : m.names) {
      std::string name;
      if (by_.by == By::Clang)
        name = entry_of(out.image, form);
      else
        std::getline(in, name);
      if (name.empty()) return not_compiled(Kind::Failed, by_.name + " has made nothing of " + form);
      out.names.push_back(name);
    }
    if (by_.by == By::Clang)
      if (const std::string missing = missing_function(out.image); !missing.empty())
        return not_compiled(Kind::NoCompiler, "its kernels call " + missing +
                                                  ", which CUDA has and clang++ has not: install NVRTC (libnvrtc.so)");
    return out;
  }

  const KernelCompiler& by_;
  const std::string folder_;
  CompiledProgram program_;
};

std::string array_text(const std::string& name, const std::string& bytes) {
  std::string out = "alignas(16) constexpr unsigned char " + name + "[] = {";
  for (std::size_t k = 0; k < bytes.size(); ++k)
    out += (k % 32 ? "" : "\n") + std::to_string(static_cast<unsigned char>(bytes[k])) + ",";
  return out + "0};\n";
}

std::string kernels_text(const HipDevice& device, const std::vector<KernelModule>& modules,
                         const std::vector<Module>& made) {
  std::string out = "constexpr bool is_cuda = " + std::string(device.cuda ? "true" : "false") +
                    ";\nconstexpr int number = " + std::to_string(device.number) + ";\n";
  std::string table;
  for (std::size_t k = 0; k < modules.size(); ++k) {
    const std::string module = "module_" + std::to_string(k);
    out += array_text(module, made[k].image);
    for (std::size_t j = 0; j < modules[k].names.size(); ++j)
      table += "    {\"" + modules[k].program + "\", \"" + modules[k].names[j] + "\", \"" + made[k].names[j] + "\", " +
               module + "},\n";
  }
  return out + "constexpr Kernel kernels[] = {\n" + table + "};\n";
}

}  // namespace

CompileRequest::Header how_made(const HipDevice& device, const KernelCompiler& compiler) {
  std::string all = made_by(device, compiler) + ", device " + std::to_string(device.number) + "\n";
  for (const auto& flags : {flags_of(compiler, ""), compiler.flags})
    for (const std::string& flag : flags) all += flag + " ";
  return {"how_made", all + "\n" + std::string(header_of_hip(compiler)) + header_of_integers(compiler) +
                          std::string(compile_kernels_text)};
}

tl::expected<CompileRequest::Header, CompileFailure> compile_kernels(const HipDevice& device,
                                                                     const KernelCompiler& compiler,
                                                                     const std::vector<KernelModule>& modules) {
  auto folder = WorkFolder::create(temporary_folder());
  if (!folder) return not_compiled(Kind::CacheUnwritable, "cannot make a folder in '" + temporary_folder() + "'");
  KernelsCompiler compile(compiler, folder->path());
  if (auto failed = compile.prepare()) return tl::unexpected(*failed);
  std::vector<KernelAttempt<Module>> made(modules.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t k = next++; k < modules.size(); k = next++) made[k] = compile.compile(modules[k], k);
  };
  std::vector<std::thread> others;
  for (std::size_t k = 1; k < std::min<std::size_t>(modules.size(), std::thread::hardware_concurrency()); ++k)
    others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
  std::vector<Module> all;
  for (auto& m : made) {
    if (!m) return tl::unexpected(m.error());
    all.push_back(std::move(*m));
  }
  return CompileRequest::Header{"kernels.inc", kernels_text(device, modules, all)};
}

}  // namespace lockstep
