// A copy of the tree in which mistakes stand.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "tests/mutate/schemata.h"

namespace lockstep::mutate {

std::string contents_of(const std::string& file);

class Mistakes {
 public:
  // Whether there is a place for it beside those that there are.
  bool add(const std::string& file, const Mistake& mistake);
  // Makes `tree` hold the files, relative to the folder that the program runs in, each with its mistakes; writes only
  // what differs, and removes what is of none, but for the folder tree/build.
  void write(const std::string& tree, const std::vector<std::string>& files) const;
  // A line each: NUMBER FILE FIRST-LINE LAST-LINE WHAT, tabs between them.
  std::string table() const;
  // The numbers of those to which a compiler's log points: where errors are, else where they come from.
  static std::vector<std::string> blamed(const std::string& table, const std::string& tree, const std::string& log);

 private:
  struct InFile {
    Source source;
    std::vector<Mistake> mistakes;
    std::vector<Region> regions;
  };
  std::map<std::string, InFile> files_;
};

}  // namespace lockstep::mutate
