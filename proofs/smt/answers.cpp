// The file of answers. In: a question's digest; out: what was answered, whole or not at all.
#include "proofs/smt/answers.h"

#include <fcntl.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/runtime/build_id.h"
#include "codegen/runtime/library_cache.h"
#include "codegen/runtime/sha256.h"
#include "proofs/smt/smtlib.h"
#include "semantics/core/files.h"

namespace lockstep::proofs::smt {
namespace {

constexpr std::string_view first_word = "answer1";

// A word without blanks or line ends, never empty.
std::string as_word(const std::string& text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out = "=";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c > ' ' && c <= '~' && c != '%')
      out += c;
    else
      out += {'%', digits[byte / 16], digits[byte % 16]};
  }
  return out;
}
std::string of_word(const std::string& word) {
  std::string out;
  for (std::size_t k = 1; k < word.size(); ++k) {
    unsigned byte = 0;
    if (word[k] == '%' && k + 2 < word.size() &&
        std::from_chars(&word[k + 1], &word[k + 3], byte, 16).ptr == &word[k + 3]) {
      out += static_cast<char>(byte);
      k += 2;
    } else {
      out += word[k];
    }
  }
  return out;
}

std::string line_of(const std::string& key, const Verdict& v) {
  std::string line = std::string(first_word) + " " + key + " " + std::to_string(v.kind);
  for (const auto& [name, value] : v.model) line += " " + as_word(name) + " " + as_word(value);
  return line + " " + sha256(line) + "\n";
}

std::optional<std::pair<std::string, Verdict>> read_line(const std::string& line) {
  const std::size_t end = line.rfind(' ');
  if (end == std::string::npos || sha256(line.substr(0, end)) != line.substr(end + 1)) return {};
  std::istringstream words(line.substr(0, end));
  std::string first, key, name, value;
  int kind = -1;
  if (!(words >> first >> key >> kind) || first != first_word || kind < 0 || kind > Verdict::Unknown) return {};
  Verdict v{static_cast<Verdict::Kind>(kind)};
  while (words >> name >> value) v.model.emplace(of_word(name), of_word(value));
  return std::pair(key, std::move(v));
}

}  // namespace

Answers::Answers(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  std::ifstream in(path_, std::ios::binary);
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  for (std::string line; std::getline(in, line); lines.push_back(std::move(line))) bytes += line.size() + 1;
  std::size_t from = 0;
  if (bytes > most_bytes)
    for (; bytes > most_bytes / 2; ++from) bytes -= lines[from].size() + 1;
  std::string kept;
  for (std::size_t k = from; k < lines.size(); ++k) {
    auto read = read_line(lines[k]);
    if (from > 0 && read) kept += lines[k] + "\n";
    if (read) known_.insert_or_assign(std::move(read->first), Known{std::move(read->second), true});
  }
  if (from > 0) (void)write_files_atomically({{path_, kept}});  // what another process adds meanwhile is asked again
}

std::optional<Verdict> Answers::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto it = known_.find(key);
  if (it == known_.end()) return {};
  found_ += it->second.from_before;
  return it->second.verdict;
}

void Answers::keep(const std::string& key, const Verdict& verdict) {
  const std::lock_guard lock(mutex_);
  if (!known_.emplace(key, Known{verdict}).second || path_.empty()) return;
  const Descriptor file(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  const std::string line = line_of(key, verdict);
  if (file) (void)write_all(file.get(), std::as_bytes(std::span(line)));
}

std::size_t Answers::found() const {
  const std::lock_guard lock(mutex_);
  return found_;
}

std::size_t Answers::size() const {
  const std::lock_guard lock(mutex_);
  return known_.size();
}

Answers& kept_answers() {
  static Answers answers([] {
    const auto folder = cache_folder();
    return folder ? *folder + "/answers" : std::string();
  }());
  return answers;
}

std::string key_of(const std::vector<Term>& assertions, const Solver& solver, const Budget& budget) {
  return sha256(build_id() + "\n" + solver.name() + " " + solver.version() + "\n" +
                std::to_string(budget.milliseconds) + " " + std::to_string(budget.steps) + "\n" +
                script_of(assertions));
}

Verdict Kept::answer(const std::vector<Term>& assertions, const Budget& budget) const {
  const std::string key = key_of(assertions, solver_, budget);
  if (auto known = answers_.find(key)) return *std::move(known);
  Verdict found = solver_.answer(assertions, budget);
  if (found.reason.empty() && !found.by_chance) answers_.keep(key, found);
  return found;
}

}  // namespace lockstep::proofs::smt
