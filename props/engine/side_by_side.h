// Two texts in a report.
#pragma once
#include <string>

namespace lockstep::props {

// Two programs beside each other under their titles, or one below the other where `columns` are too few for both.
std::string side_by_side(const std::string& left, const std::string& right, std::size_t columns,
                         const std::string& left_title = "before", const std::string& right_title = "after");

}  // namespace lockstep::props
