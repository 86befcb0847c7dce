// Words of a command line, each of which may be given once.
#pragma once
#include <string>

#include "driver/commands/command_line.h"

namespace lockstep::driver {

inline CLI::Option* flag(CLI::App* app, const std::string& name, bool& value, const std::string& what) {
  return app->add_flag(name, value, what)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}
template <class T>
CLI::Option* option(CLI::App* app, const std::string& name, T& value, const std::string& type,
                    const std::string& what) {
  auto* o = app->add_option(name, value, what)->multi_option_policy(CLI::MultiOptionPolicy::Throw)->type_name(type);
  if constexpr (std::is_arithmetic_v<T>)  // an unsigned number would take a minus and wrap
    o->check([](const std::string& text) {
      return text.find('-') != std::string::npos ? text + " is negative"
             : text.size() > 18                  ? text + " is too large"
                                                 : std::string();
    });
  if constexpr (std::is_same_v<T, std::string>)
    o->check([](const std::string& text) { return text.empty() ? std::string("it is empty") : std::string(); });
  return o;
}
// Of nothing there is no report.
inline void refuse_zero(CLI::Option* o, const std::string& what) {
  o->check([what](const std::string& text) { return text.find_first_not_of("0.") == std::string::npos ? what : ""; });
}

}  // namespace lockstep::driver
