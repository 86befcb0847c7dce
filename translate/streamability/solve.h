// The constraints solved. In: an order of events, traversals and the uses of streams; out: by how many iterations each
// event is late, and from that the slack of each buffer; or the conflict.
#pragma once
#include <cstdint>
#include <optional>

#include <tl/expected.hpp>

#include "translate/streamability/conflict.h"

namespace lockstep::streaming {

// Events that are one.
Classes<Event> events_of(const Order& order);

// The circle that the earliest instruction closes.
std::optional<Circle> circle_in(const Order& order);

// Whether there is a way from one of the first to one of the second.
bool leads(const Order& order, const std::vector<Event>& from, const std::vector<Event>& to);

// For each event by how many iterations it is late, at least. An edge that waits for the future of its own iteration
// can never be late enough.
struct Lags {
  Numbered<Event, std::int64_t> lag;
  std::optional<Edge> impossible;
};
Lags lags_of(const Order& order);

// The slack of each of so many streams: a buffer holds what has come since the element that its latest reader is at.
tl::expected<std::vector<std::int64_t>, Conflict> solve(const Order& order, const Traversals& traversals,
                                                        const std::vector<Use>& uses, std::size_t streams);

}  // namespace lockstep::streaming
