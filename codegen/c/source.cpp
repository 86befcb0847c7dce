// Parts of sources, and several as one.
#include "codegen/c/source.h"

#include <sstream>

namespace lockstep {

std::string CSource::text() const { return head + behind_includes({includes.begin(), includes.end()}, body); }

CSource in_parts(const std::string& text) {
  static const std::string include = "#include ";
  CSource out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool includes = line.starts_with(include);
    if (includes) out.includes.push_back(line.substr(include.size()));
    out.body += (includes ? "" : line) + "\n";
  }
  return out;
}

std::string in_namespace(const std::string& name, const CSource& source, std::set<std::string>& includes) {
  includes.insert(source.includes.begin(), source.includes.end());
  return "namespace " + name + " {\n#line 1 \"" + name + "\"\n" + source.head + source.body + "}\n";
}

std::string behind_includes(const std::set<std::string>& includes, const std::string& text) {
  std::string out;
  for (const std::string& i : includes) out += "#include " + i + "\n";
  return out + text;
}

std::string line_of(const CSource& source, std::size_t line) {
  std::istringstream lines(source.head + source.body);
  std::string out;
  for (std::size_t k = 0; k < line; ++k)
    if (!std::getline(lines, out)) return "";
  return out;
}

}  // namespace lockstep
