// Reading, running and fusing toy programs (toy.h).
#include "semantics/toy/toy.h"

#include <sstream>

namespace lockstep::toy {
namespace {

// In unsigned arithmetic, which wraps.
std::int64_t affine(std::int64_t x, std::int64_t scale, std::int64_t add) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(scale) +
                                   static_cast<std::uint64_t>(add));
}

}  // namespace

Checked<std::vector<Program>> parse(const SourceRef& source) {
  std::vector<Program> out;
  std::istringstream lines(source->text);
  std::uint32_t begin = 0;
  for (std::string line; std::getline(lines, line); begin += static_cast<std::uint32_t>(line.size()) + 1) {
    std::istringstream words(line);
    Program p;
    std::string word, separator;
    if (!(words >> p.name)) continue;
    bool good = bool(words >> separator) && separator == "=";
    while (good && words >> word) {
      Step s;
      s.sum = word == "sum";
      if (word == "scale") good = bool(words >> s.scale);
      if (word == "add") good = bool(words >> s.add);
      good = good && (s.sum || word == "scale" || word == "add");
      p.steps.push_back(s);
      if (words >> separator) good = good && separator == "|";
    }
    const auto end = static_cast<std::uint32_t>(begin + line.size());
    if (!good || p.steps.empty())
      return tl::unexpected(Diagnostics{{{source, begin, end}, "no definition", "NAME = STEP | STEP ...", ""}});
    out.push_back(std::move(p));
  }
  if (out.empty()) return tl::unexpected(Diagnostics{{{source, 0, 0}, "no definition", "NAME = STEP ...", ""}});
  return out;
}

std::string print(const Program& p) {
  std::string out = p.name + " =";
  const char* before = " ";
  for (const Step& s : p.steps) {
    if (s.sum)
      out += before + std::string("sum");
    else if (s.scale != 1 || s.add == 0)
      out += before + ("scale " + std::to_string(s.scale)) + (s.add ? " | add " + std::to_string(s.add) : "");
    else
      out += before + ("add " + std::to_string(s.add));
    before = " | ";
  }
  return out + "\n";
}

Numbers run(const Program& p, Numbers xs, std::size_t* work) {
  for (const Step& s : p.steps) {
    if (work) *work += xs.size();
    std::int64_t total = 0;
    for (std::int64_t& x : xs) total = affine(x = affine(x, s.scale, s.add), 1, total);
    if (s.sum) xs = {total};
  }
  return xs;
}

Program fuse(const Program& p) {
  Program out{p.name, {}};
  for (const Step& s : p.steps) {
    if (out.steps.empty() || s.sum || out.steps.back().sum) {
      out.steps.push_back(s);
      continue;
    }
    Step& last = out.steps.back();
    last = {affine(last.scale, s.scale, 0), affine(last.add, s.scale, s.add), false};
  }
  return out;
}

}  // namespace lockstep::toy
