// The files of a program that is run several times: each name is read once, and what is written is kept.
#pragma once
#include <functional>
#include <map>

#include "semantics/snesl/evaluate.h"

namespace lockstep::driver {

class KeptFiles : public snesl::Files {
 public:
  using Source = std::function<std::string(const std::string& name, const Region& region)>;
  explicit KeptFiles(Source source) : source_(std::move(source)) {}

  std::string read(const std::string& name, const Region& region) override;
  void write(const std::string& name, std::string content, const Region&) override {
    written_[name] = std::move(content);
  }

  std::map<std::string, std::string> take_written() { return std::exchange(written_, {}); }
  const std::map<std::string, std::string>& all_read() const { return read_; }
  std::size_t bytes_read() const;

 private:
  Source source_;
  std::map<std::string, std::string> read_, written_;
};

// Files of the machine, as they are; what is written is not.
KeptFiles kept_machine_files();
// Every name is of a file made up from it and the seed: empty, text with and without an end to its last line, or bytes.
KeptFiles made_up_files(std::uint64_t seed);

}  // namespace lockstep::driver
