// lockstep primitives: what is built in to each language, or all that is known of one.
#include <nlohmann/json.hpp>

#include "driver/commands/commands.h"

namespace lockstep::driver {
namespace {

Json json_of(const Frontend& f, const BuiltIn& b, bool with_details) {
  Json j{{"language", f.extension()}, {"name", b.name}, {"kind", b.kind}, {"type", b.type}, {"summary", b.summary}};
  Json proofs = Json::array();
  if (with_details)
    for (const auto& [what, text] : f.details(b.name)) {
      if (what == to_be_proved)
        proofs.push_back(text);
      else
        j[what] = text;
    }
  if (!proofs.empty()) j["obligations"] = std::move(proofs);
  return j;
}

std::string explained(const Frontend& f, const BuiltIn& b) {
  Table table({"", ""});
  table.row({"meaning", b.summary});
  table.row({"what", b.kind + " of " + f.extension()});
  std::string before;
  bool proofs = false;
  for (const auto& [what, text] : f.details(b.name)) {
    table.row({what == before ? "" : what, text});
    before = what;
    proofs = proofs || what == to_be_proved;
  }
  const std::string rows = table.text(on_terminal(1));
  return tone(b.name + " : " + b.type, Tone::Head, on_terminal(1)) + rows.substr(rows.find('\n')) +
         (proofs ? "\n'lockstep prove --only " + b.name + "' proves this, and what else names it\n" : "");
}

Said list(const Languages& languages) {
  Json all = Json::array();
  std::string text, references;
  for (const Frontend* f : languages) {
    Table table({"name", "type", "kind", "meaning"});
    for (const BuiltIn& b : f->built_in()) {
      table.row({b.name, b.type, b.kind, b.summary});
      all.push_back(json_of(*f, b, false));
    }
    text += tone(f->title(), Tone::Head, on_terminal(1)) + "\n" + table.text(on_terminal(1)) + "\n";
    references += (references.empty() ? "" : ",\n") + f->reference() + " (" + f->extension() + ")";
  }
  return {text + "'lockstep primitives NAME' says all of one; the references: " + references + "\n",
          Json{{"primitives", std::move(all)}}};
}

Said of(const Languages& languages, const std::string& name) {
  Json json = Json::array();
  std::string text;
  std::vector<std::string> names;
  for (const Frontend* f : languages)
    for (const BuiltIn& b : f->built_in()) {
      names.push_back(b.name);
      if (b.name != name) continue;
      json.push_back(json_of(*f, b, true));
      text += (text.empty() ? "" : "\n") + explained(*f, b);
    }
  if (!json.empty()) return {std::move(text), Json{{"primitives", std::move(json)}}};
  fail(invalid, "there is no primitive or built-in " + name,
       did_you_mean(name, names, "'lockstep primitives' lists them"));
}

}  // namespace

int primitives_command(const Options& options) {
  const Said said = options.name.empty() ? list(options.languages) : of(options.languages, options.name);
  if (options.json)
    print(said.json);
  else
    print(said.text);
  return done;
}

}  // namespace lockstep::driver
