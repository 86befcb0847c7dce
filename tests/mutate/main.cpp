// mutate count FILE ...                     how many places there are, of each kind
// mutate sample TREE SEED FROM TO WITHOUT   a copy with the mistakes of these numbers but those in the file WITHOUT
// mutate rows TREE DECISIONS                a copy with the mistakes of a table, numbered from 1
// mutate tests DECISIONS                    NUMBER, tab, the test that finds it
// mutate blamed TREE TABLE LOG              the numbers at which the compiler's errors point
//
// The copies are of the files that standard input names, relative to the folder it runs in; a table of the mistakes
// goes to standard output. The mistakes of a seed are numbered: the kinds take turns, and of each kind none comes
// twice.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <random>
#include <set>
#include <sstream>

#include "tests/mutate/copy.h"
#include "tests/mutate/rows.h"

using namespace lockstep::mutate;

namespace {

struct Placed {
  std::string file;
  Edit edit;
};

std::vector<std::string> files_named() {
  std::vector<std::string> files;
  for (std::string line; std::getline(std::cin, line);) files.push_back(line);
  return files;
}

// The engine's kernels are text of other programs.
bool may_be_wrong(const std::string& file) {
  return (file.ends_with(".cpp") || file.ends_with(".h")) && !file.starts_with("codegen/streaming/kernels/") &&
         (file.starts_with("semantics/") || file.starts_with("translate/") || file.starts_with("proofs/") ||
          file.starts_with("codegen/"));
}

std::map<Kind, std::vector<Placed>> places_in(const std::vector<std::string>& files) {
  std::map<Kind, std::vector<Placed>> all;
  for (const std::string& f : files)
    for (Edit& e : edits_of(contents_of(f))) all[e.kind].push_back({f, std::move(e)});
  return all;
}

// The same order wherever the standard library is another: the engine's numbers are fixed, those of a distribution are
// not.
void shuffle(std::vector<Placed>& all, std::mt19937_64& random) {
  for (std::size_t k = all.size(); k > 1; --k) std::swap(all[k - 1], all[random() % k]);
}

int plant_sample(const std::string& tree, const std::string& seed, std::size_t from, std::size_t to,
                 const std::string& without) {
  const auto files = files_named();
  std::vector<std::string> changed;
  std::copy_if(files.begin(), files.end(), std::back_inserter(changed), may_be_wrong);
  auto all = places_in(changed);
  std::seed_seq sequence(seed.begin(), seed.end());
  std::mt19937_64 random(sequence);
  std::vector<Kind> left;
  for (const Kind k : drawn)
    if (!all[k].empty()) left.push_back(k), shuffle(all[k], random);
  if (left.empty()) throw std::runtime_error("there is nothing to change in these files");
  std::set<std::size_t> refused;
  std::istringstream numbers(contents_of(without));
  for (std::size_t k; numbers >> k;) refused.insert(k);
  Mistakes mistakes;
  for (std::size_t number = from; number < to; ++number) {
    const std::vector<Placed>& chosen = all[left[number % left.size()]];
    if (number / left.size() >= chosen.size()) throw std::runtime_error("there are not so many places");
    const Placed& p = chosen[number / left.size()];
    if (refused.contains(number)) continue;
    if (!mistakes.add(p.file, {number, p.edit}))
      std::fprintf(stderr, "mutate: %zu, in %s: no run decides it\n", number, p.file.c_str());
  }
  mistakes.write(tree, files);
  std::fputs(mistakes.table().c_str(), stdout);
  return 0;
}

int plant_rows(const std::string& tree, const std::string& table) {
  Mistakes mistakes;
  std::string wrong;
  for (const Row& row : rows_of(contents_of(table))) try {
      if (!mistakes.add(row.file, {row.number, edit_of(row, Source(contents_of(row.file)))}))
        throw std::runtime_error("decisions:" + std::to_string(row.line) +
                                 ": no run decides it, or it crosses another");
    } catch (const std::runtime_error& e) {
      wrong += std::string(wrong.empty() ? "" : "\n") + e.what();
    }
  if (!wrong.empty()) throw std::runtime_error(wrong);
  mistakes.write(tree, files_named());
  std::fputs(mistakes.table().c_str(), stdout);
  return 0;
}

int tests(const std::string& table) {
  for (const Row& row : rows_of(contents_of(table))) std::printf("%zu\t%s\n", row.number, row.test.c_str());
  return 0;
}

int blamed(const std::string& tree, const std::string& table, const std::string& log) {
  for (const std::string& number : Mistakes::blamed(contents_of(table), tree, contents_of(log)))
    std::puts(number.c_str());
  return 0;
}

int count(const std::vector<std::string>& files) {
  for (const auto& [kind, all] : places_in(files))
    std::printf("%s %zu\n", std::string(name_of(kind)).c_str(), all.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string word = words.empty() ? "" : words[0];
  if (word == "count" && words.size() > 1) return count({words.begin() + 1, words.end()});
  if (word == "sample" && words.size() == 6)
    return plant_sample(words[1], words[2], std::stoull(words[3]), std::stoull(words[4]), words[5]);
  if (word == "rows" && words.size() == 3) return plant_rows(words[1], words[2]);
  if (word == "tests" && words.size() == 2) return tests(words[1]);
  if (word == "blamed" && words.size() == 4) return blamed(words[1], words[2], words[3]);
  std::fprintf(
      stderr,
      "mutate count FILE ... | sample TREE SEED FROM TO WITHOUT | rows TREE DECISIONS | tests DECISIONS | blamed TREE "
      "TABLE LOG\n");
  return 2;
} catch (const std::exception& e) {
  std::fprintf(stderr, "mutate: %s\n", e.what());
  return 2;
}
