// A C++ source in parts, so that those of several programs can be one text.
#pragma once
#include <set>
#include <string>
#include <vector>

namespace lockstep {

// In this order.
struct CSource {
  std::string head;                   // comments
  std::vector<std::string> includes;  // <stdint.h>
  std::string body;
  std::string text() const;
};

// Of a text: the lines that include are empty in the body.
CSource in_parts(const std::string& text);
// Sources of several programs in one text: each in a namespace, what they include before all of them. What a compiler
// or a sanitizer says of a line names it as NAME:12, a line of head and body.
std::string in_namespace(const std::string& name, const CSource& source, std::set<std::string>& includes);
// `text`, which such make, behind its includes.
std::string behind_includes(const std::set<std::string>& includes, const std::string& text);
// From 1 on; "" where there is none.
std::string line_of(const CSource& source, std::size_t line);

}  // namespace lockstep
