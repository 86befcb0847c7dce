// Words that are no command and no option.
#include "driver/commands/misread.h"

#include <algorithm>

#include "driver/report.h"

namespace lockstep::driver {
namespace {

// One that no command has either, and that stands without a command.
std::string unknown_option(const std::vector<const CLI::App*>& commands, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const auto known = [&](const CLI::App* app) {
      return app->get_option_no_throw(word.substr(0, word.find('='))) != nullptr;
    };
    if (std::none_of(commands.begin(), commands.end(), known)) return word;
  }
  return "";
}

// To a word that looks like an option and is none of the command's.
std::string nearest_option(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options())
    for (const std::string& n : o->get_lnames()) names.push_back(n);
  for (const std::string& word : app.remaining())
    if (word.starts_with("--"))
      if (const std::string near = nearest_name(word.substr(2, word.find('=') - 2), names); !near.empty())
        return "--" + near;
  return "";
}

}  // namespace

std::string misread(const CLI::ParseError& e, const CLI::App& all, const std::vector<const CLI::App*>& commands,
                    const std::vector<std::string>& words) {
  std::string name, known, near;
  std::vector<std::string> names;
  for (const CLI::App* app : commands) {
    names.push_back(app->get_name());
    known += (known.empty() ? "" : " ") + names.back();
    if (!app->parsed()) continue;
    name = " " + names.back();
    near = nearest_option(*app);
  }
  std::string text = e.what();
  if (const auto at = text.find(": At Most 1 required"); at != std::string::npos)
    text = text.substr(0, at) + " is given twice";
  if (name.empty()) {
    const auto word = std::find_if(words.begin(), words.end(), [](const auto& w) { return !w.starts_with('-'); });
    const std::string option = word == words.end() ? unknown_option(commands, words) : "";
    text = word != words.end() ? "there is no command '" + *word + "'"
           : option.empty()    ? "a command is missing"
                               : "there is no option " + option;
    if (word != words.end()) near = nearest_name(*word, names);
    if (!option.empty()) near = nearest_option(all);
    text += "\n  the commands are: " + known;
  }
  if (!near.empty()) return text + "\n  help: did you mean " + near + "?";
  return text + "\n  help: 'lockstep" + name + " --help' says what there is";
}

}  // namespace lockstep::driver
