// In: files and mistakes; out: a copy of the tree (copy.h).
#include "tests/mutate/copy.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace lockstep::mutate {
namespace {

std::string shortened(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      out += c;
    else if (!out.ends_with(' '))
      out += ' ';
  return out.size() > 120 ? out.substr(0, 117) + "..." : out;
}

void write_if_other(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && contents_of(path) == text) return;
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

std::string contents_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

bool Mistakes::add(const std::string& file, const Mistake& mistake) {
  auto found = files_.find(file);
  if (found == files_.end()) found = files_.emplace(file, InFile{Source(contents_of(file)), {}, {}}).first;
  InFile& in = found->second;
  const auto region = region_of(in.source, mistake.edit);
  if (!region || !fits(in.regions, *region)) return false;
  in.mistakes.push_back(mistake);
  in.regions.push_back(*region);
  return true;
}

void Mistakes::write(const std::string& tree, const std::vector<std::string>& files) const {
  if (fs::exists(fs::path(tree) / ".git") || (fs::exists(tree) && fs::equivalent(tree, fs::current_path())))
    throw std::runtime_error(tree + " has the sources themselves: a copy would be written over them");
  const fs::path header = fs::absolute(tree) / "tests/mutate/planted.h";
  for (const std::string& file : files) {
    const fs::path to = fs::path(tree) / file;
    const auto found = files_.find(file);
    if (found == files_.end()) {
      write_if_other(to, contents_of(file));
      fs::permissions(to, fs::status(file).permissions());
    } else {
      write_if_other(to, "#include \"" + header.string() + "\"\n#line 1\n" +
                             with_mistakes(found->second.source, found->second.mistakes));
    }
  }
  const std::set<std::string> known(files.begin(), files.end());
  for (auto it = fs::recursive_directory_iterator(tree); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().lexically_relative(tree).string();
    if (name == "build")
      it.disable_recursion_pending();
    else if (it->is_regular_file() && !known.contains(name))
      fs::remove(it->path());
  }
}

std::string Mistakes::table() const {
  std::map<std::size_t, std::string> lines;
  for (const auto& [file, in] : files_)
    for (std::size_t k = 0; k < in.mistakes.size(); ++k) {
      const auto& [number, edit] = in.mistakes[k];
      const std::string& all = in.source.all();
      const auto line_of = [&](std::size_t at) {
        return 1 + std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      };
      std::ostringstream out;
      out << number << '\t' << file << '\t' << line_of(in.regions[k].begin) << '\t' << line_of(in.regions[k].end)
          << '\t' << file << ':' << line_of(edit.begin) << ' ' << name_of(edit.kind) << ": "
          << shortened(in.source.between(edit.begin, edit.end)) << " -> " << shortened(edit.text) << '\n';
      lines[number] = out.str();
    }
  std::string all;
  for (const auto& [number, line] : lines) all += line;
  return all;
}

std::vector<std::string> Mistakes::blamed(const std::string& table, const std::string& tree, const std::string& log) {
  std::set<std::pair<std::string, std::size_t>> errors, mentions;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    for (std::size_t at = line.find(tree + "/"); at != std::string::npos; at = line.find(tree + "/", at + 1)) {
      const std::size_t begin = at + tree.size() + 1, colon = line.find(':', begin);
      if (colon == std::string::npos || !std::isdigit(static_cast<unsigned char>(line[colon + 1]))) continue;
      std::string file = line.substr(begin, colon - begin);
      // A header, as a room's folder of includes shows it: build/rooms/ROOM/FILE.
      if (file.starts_with("build/rooms/")) file.erase(0, file.find('/', 12) + 1);
      const std::pair place(std::move(file), std::stoull(line.substr(colon + 1)));
      mentions.insert(place);
      if (line.find("error:") != std::string::npos) errors.insert(place);
    }
  const auto at_places = [&](const auto& places) {
    std::vector<std::string> found;
    std::istringstream rows(table);
    std::string number, file;
    for (std::size_t first, last; rows >> number >> file >> first >> last; rows.ignore(1 << 20, '\n'))
      if (std::any_of(places.begin(), places.end(),
                      [&](const auto& p) { return p.first == file && first <= p.second && p.second <= last; }))
        found.push_back(number);
    return found;
  };
  const auto found = at_places(errors);
  return found.empty() ? at_places(mentions) : found;
}

}  // namespace lockstep::mutate
