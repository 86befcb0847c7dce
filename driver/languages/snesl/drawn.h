// Arguments that bench draws: of sizes that grow together, and texts for the files that are not named.
#pragma once
#include <nlohmann/json.hpp>

#include "driver/growing.h"
#include "driver/languages/snesl/arguments.h"
#include "driver/report.h"
#include "driver/temporary_folder.h"

namespace lockstep::driver {

// What of the arguments is random is drawn. A sequence or vector has n elements, and where it has others inside those
// have n together: of lengths from 0 on, 16 in the middle, or, where the program wants that, all of one length. A file
// has n characters. An Int is n where nothing else grows, and small beside what does.
class DrawnArguments {
 public:
  // A Failure with status 2 where a file is read that can be read only once.
  DrawnArguments(const BoundArguments& bound, const svcode::Program& program);

  using Attempt = std::function<TriedSize(const snesl::Values& values)>;
  // As large as `attempt` lets it be, or of size `n`. What traps however it is drawn is left so.
  snesl::Values choose(const std::optional<std::int64_t>& n, const Attempt& attempt);
  // Of what choose gave: "xs : {Int} of 1048576, k = 5".
  const std::string& text() const { return text_; }
  const Json& json() const { return json_; }

 private:
  struct Form {
    bool equal_lengths = false, positive = false;
  };
  // What a parameter is.
  enum class Role : unsigned char { Given, Elements, Scalar, Size, Read, Written, Word };
  bool drawn(std::size_t k) const { return bound_.random[k].has_value(); }
  const snesl::Type& type(std::size_t k) const { return bound_.program.parameters[k].type; }
  const std::string& name(std::size_t k) const { return bound_.program.parameters[k].name; }
  std::set<std::string> names_read() const;
  void find_roles(bool reads, bool writes);
  Role role_of(std::size_t k, const std::set<std::string>& read, bool writes, bool grows) const;
  bool has(Role role) const { return std::find(roles_.begin(), roles_.end(), role) != roles_.end(); }
  std::int64_t most() const;
  std::vector<Form> forms() const;
  snesl::Value value(std::size_t k, std::int64_t n, const Form& form) const;
  snesl::Values values(std::int64_t n, const Form& form) const;
  void describe(const snesl::Values& values);

  const BoundArguments bound_;
  std::vector<Role> roles_;
  std::optional<TemporaryFolder> folder_;
  std::string text_;
  Json json_ = Json::object();
};

}  // namespace lockstep::driver
