// A file that is read and its entry points, of what a language's own functions over them do: entry_point, execution_of,
// stages_of, cost_of and emitted.
#pragma once
#include "driver/frontend.h"

namespace lockstep::driver {

template <class Loaded, class Program>
class EntryOf : public Entry {
 public:
  EntryOf(std::shared_ptr<const Loaded> loaded, Program program)
      : loaded_(std::move(loaded)), program_(std::move(program)) {}

  std::string name() const override { return program_.name; }
  std::unique_ptr<Execution> bind(const std::string& target, const Options& options, bool bench) const override {
    return execution_of(*loaded_, program_, target, options, bench);
  }
  std::vector<StageText> stages(const Options& options) const override {
    return stages_of(*loaded_, program_, options);
  }
  Said cost(const Options& options) const override { return cost_of(*loaded_, program_, options); }
  EmittedText emit(const Options& options) const override { return emitted(*loaded_, program_, options); }

 protected:
  const std::shared_ptr<const Loaded> loaded_;
  const Program program_;
};

template <class Loaded, class EntryOfIt>
class FileOf : public File {
 public:
  explicit FileOf(Loaded loaded) : File(loaded.source), loaded_(std::make_shared<const Loaded>(std::move(loaded))) {}
  std::unique_ptr<Entry> entry(const std::string& function) const override {
    return std::make_unique<EntryOfIt>(loaded_, entry_point(*loaded_, {source->name, function}));
  }

 protected:
  const std::shared_ptr<const Loaded> loaded_;
};

}  // namespace lockstep::driver
