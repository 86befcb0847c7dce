// A target of one page: the text of openmp on one thread.
#include "codegen/targets/openmp.h"

namespace lockstep {

Target toy_target() {
  const auto load = [](const AnyProgram& any, const Type& result) -> tl::expected<Executable, CompileFailure> {
    const auto& program = any.as<kernel::Program>();
    std::vector<std::string> flags = openmp_flags();
    std::erase(flags, "-fopenmp");
    auto library = compile_cached({openmp_source(program), flags, entry_name(program), true});
    if (!library) return tl::unexpected(library.error());
    return Executable(program, result, std::move(*library));
  };
  return {"toy",        "one CPU thread, by a C++ compiler",
          Machine::Cpu, [] { return std::string(); },
          always_fits,  "C++",
          openmp_files, load};
}

}  // namespace lockstep
