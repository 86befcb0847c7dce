// Two texts beside each other, as wide as they are; where that does not fit, one below the other.
#include "props/engine/side_by_side.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep::props {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::string line;
  for (const char c : text)
    if (c == '\n')
      out.push_back(std::exchange(line, ""));
    else
      line += c;
  if (!line.empty()) out.push_back(line);
  return out;
}

// Characters of UTF-8.
std::size_t width_of(const std::string& s) {
  return static_cast<std::size_t>(
      std::count_if(s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string side_by_side(const std::string& left, const std::string& right, std::size_t columns,
                         const std::string& left_title, const std::string& right_title) {
  std::vector<std::string> a = lines_of(left), b = lines_of(right);
  a.insert(a.begin(), left_title);
  b.insert(b.begin(), right_title);
  std::size_t wide = 0, other = 0;
  for (const std::string& l : a) wide = std::max(wide, width_of(l));
  for (const std::string& l : b) other = std::max(other, width_of(l));
  std::string out;
  if (wide + 3 + other > columns) {
    out += left_title + ":\n" + left + (left.ends_with("\n") ? "" : "\n") + "\n";
    return out + right_title + ":\n" + right + (right.ends_with("\n") ? "" : "\n");
  }
  for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k) {
    const std::string l = k < a.size() ? a[k] : "", r = k < b.size() ? b[k] : "";
    out += l + std::string(wide - width_of(l), ' ') + " |" + (r.empty() ? "" : " " + r) + "\n";
  }
  return out;
}

}  // namespace lockstep::props
