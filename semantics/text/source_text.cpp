// UTF-8 text without control characters, by PEGTL.
#include "semantics/text/source_text.h"

#include <algorithm>
#include <tao/pegtl.hpp>

namespace lockstep {
namespace {
namespace text {
namespace peg = tao::pegtl;

struct Character : peg::sor<peg::one<'\t', '\n', '\r', '\f'>, peg::utf8::not_range<0, 0x1f>> {};
struct Whole : peg::star<Character> {};
struct AnyCharacter : peg::utf8::any {};

// How many bytes `Rule` takes from the front.
template <class Rule>
std::size_t taken(std::string_view from) {
  peg::memory_input<peg::tracking_mode::lazy, peg::eol::lf_crlf, const char*> input(from.data(),
                                                                                    from.data() + from.size(), "");
  return peg::parse<Rule>(input) ? static_cast<std::size_t>(input.current() - from.data()) : 0;
}
}  // namespace text
}  // namespace

Diagnostics refuse_non_text(const SourceRef& source, const std::string& what) {
  const std::string& all = source->text;
  if (all.size() > source_limit)
    return {Diagnostic{{source, 0, 0},
                       "the source has more than " + std::to_string(source_limit) + " bytes",
                       "at most 16 MiB (" + std::to_string(source_limit) + " bytes)",
                       "give large data as an argument, a .npy file, instead of writing it in the program"}};
  const std::size_t good = text::taken<text::Whole>(all);
  if (good == all.size()) return {};
  const auto refusal = [&](std::string message, std::string mend) {
    const auto at = static_cast<std::uint32_t>(good), end = static_cast<std::uint32_t>(std::min(good + 1, all.size()));
    return Diagnostics{Diagnostic{{source, at, end}, std::move(message), what + " in UTF-8", std::move(mend)}};
  };
  if (all[good] == '\0')
    return refusal("the file holds a NUL byte, so it is not text", "check that this is the right file");
  if (text::taken<text::AnyCharacter>(std::string_view(all).substr(good)) > 0)
    return refusal("the file holds a control character, so it is not text",
                   "check that this is the right file, or delete the character");
  return refusal("the file is not valid UTF-8 from this byte on",
                 "save the file as UTF-8, or check that this is the right file");
}

}  // namespace lockstep
