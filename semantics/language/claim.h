// What is said of a program, and what is known of it. A claim stands as one of five words, never one for another, and
// no higher than what it rests on (design.md). Reports, certificates and last lines are views of claims.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep {

// From the lowest to the highest. Proved: for all sizes and inputs. Tested: on the inputs listed. Assumed: stated by
// the user, or of the machine.
enum class Standing { Refuted, Unknown, Assumed, Tested, Proved };
std::string_view name_of(Standing s);  // "proved"

// Where two programs part, or a program is not what is said of it.
struct Disagreement {
  std::string input;     // sizes, and the values where they are few
  std::string expected;  // by the source; "" where nothing is compared
  std::string found;
};

struct Claim {
  std::string subject;    // "the program after loops (DPIA §4.2, amended)"
  std::string statement;  // "computes what the source does, bit for bit"
  Standing standing = Standing::Unknown;
  std::string method{};  // how it is known
  // What there was to find it on: numbers, words and lists by name, as a certificate has them.
  using Evidence = std::variant<std::uint64_t, double, std::string, std::vector<std::string>>;
  std::vector<std::pair<std::string, Evidence>> evidence{};
  std::vector<std::string> rests_on{};  // statements of other claims
  // Of one that is refuted: the sentence that says so, and what shows it.
  std::string refuted_as{};
  std::optional<Disagreement> shown_by{};
  std::string before{}, after{};  // the programs around the stage, where there are such

  std::string text() const { return subject + ": " + statement; }
};

// What everything that is said rests on, named once: what is run is what is stated, and the machine does what it is
// told.
const std::vector<Claim>& trusted_base();

// No claim stands higher than what it rests on: lowers those that do. A statement that no claim has is unknown.
void settle(std::vector<Claim>& claims);

// The first that is refuted; nothing where none is.
const Claim* first_refuted(const std::vector<Claim>& claims);

}  // namespace lockstep
