// The files of a program that is run several times: each name is read once, and what is written is kept. What a run may
// read only once traps in each run.
#pragma once
#include <functional>
#include <map>
#include <set>

#include "semantics/snesl/evaluate.h"

namespace lockstep::driver {

class KeptFiles : public snesl::Files {
 public:
  using Source = std::function<std::string(const std::string& name, const Region& region)>;
  using Once = std::function<std::optional<std::string>(const std::string& name)>;
  explicit KeptFiles(Source source, Once once = {}) : source_(std::move(source)), once_(std::move(once)) {}

  std::string read(const std::string& name, const Region& region) override;
  void write(const std::string& name, std::string content, const Region&) override {
    written_.write(name, std::move(content));
  }

  // At the end of a run, whatever became of it.
  std::map<std::string, std::string> take_written() {
    begun_.clear();
    return written_.take();
  }
  // As snesl::read_once; without a function for it only standard input is so.
  std::optional<std::string> once(const std::string& name) const {
    if (once_) return once_(name);
    return name == "-" ? std::optional(name) : std::nullopt;
  }
  const std::map<std::string, std::string>& all_read() const { return read_; }
  std::size_t bytes_read() const;

 private:
  Source source_;
  Once once_;
  std::map<std::string, std::string> read_;
  snesl::WrittenFiles written_;
  std::set<std::string> begun_;  // in this run, of what is read once
};

// Files of the machine, as they are; what is written is not.
KeptFiles kept_machine_files();
// Every name is of a file made up from it and the seed: empty, text with and without an end to its last line, or bytes.
KeptFiles made_up_files(std::uint64_t seed);

}  // namespace lockstep::driver
