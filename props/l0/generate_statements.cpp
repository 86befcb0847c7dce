// What binds something.
#include "props/l0/generate_state.h"

namespace lockstep::props::l0 {

std::string Generator::bind(const std::string& stem, const Named& what, const std::string& value) {
  Named n = what;
  n.name = fresh(stem);
  n.used = 0;
  scope_.push_back(n);
  return "let " + n.name + " = " + value + " in\n";
}

std::string Generator::statement(int depth) {
  std::string out;
  for (int k = 0; k < 6 && out.empty(); ++k)
    out = random_.one_of(Way{12, [&] { return map(depth); }}, Way{6, [&] { return map_of_tuples(depth); }},
                         Way{5, [&] { return filter(depth); }}, Way{7, [&] { return fold(depth); }},
                         Way{2, [&] { return scan(depth); }}, Way{5, [&] { return copies(depth); }},
                         Way{3, [&] { return length(); }}, Way{4, [&] { return branch(depth); }},
                         Way{2, [&] { return loop(depth); }}, Way{4, [&] { return update(depth); }},
                         Way{5, [&] { return rearranged(); }}, Way{3, [&] { return consuming_map(depth); }},
                         Way{3, [&] { return called(); }}, Way{2, [&] {
                                                                 const Kind k = kind();
                                                                 return bind("s", {"", {k, 0}}, scalar(k, 2));
                                                               }});
  return out;
}

namespace {

std::string list(const std::vector<Named*>& arrays) {
  std::string out;
  for (const Named* a : arrays) out += (out.empty() ? "" : ", ") + a->name;
  return out;
}

}  // namespace

std::string Generator::map(int depth) {
  const std::vector<Named*> arrays = arrays_together(3);
  if (arrays.empty()) return "";
  std::vector<Named> elements;
  for (const Named* a : arrays) elements.push_back(element(*a));
  const bool rows = depth > 0 && random_.percent(25);
  const Shaped result{kind(), rows ? 1 : 0};
  const int length = arrays[0]->length;
  const int row = rows ? (elements[0].type.rank == 1 ? elements[0].length : new_length()) : 0;
  const std::string names = list(arrays);
  const bool core = arrays.size() == 1 || random_.percent(60);
  const std::string f = lambda(elements, result, depth);
  return bind("x", {"", {result.kind, result.rank + 1}, length, row, true},
              core ? "map2(" + f + ", " + names + ")" : "map(" + f + ", zip(" + names + "))");
}

// Several arrays at once.
std::string Generator::map_of_tuples(int depth) {
  const std::vector<Named*> arrays = arrays_together(2);
  if (arrays.empty()) return "";
  const int length = arrays[0]->length;
  const std::string names = list(arrays);
  const std::size_t before = scope_.size();
  std::string parameters;
  std::vector<Named> elements;
  for (const Named* a : arrays) elements.push_back(element(*a));
  for (const Named& e : elements) {
    parameters += (parameters.empty() ? "" : ", ") + text_of(e.type) + " " + e.name;
    scope_.push_back(e);
  }
  std::string types, values, pattern;
  std::vector<Named> made;
  for (int k = 2 + random_.below(2); k > 0; --k) {
    const Kind of = kind();
    types += (types.empty() ? "" : ", ") + text_of({of, 0});
    values += (values.empty() ? "" : ", ") + scalar(of, depth);
    made.push_back({fresh("y"), {of, 1}, length, 0, true});
    pattern += (pattern.empty() ? "" : ", ") + made.back().name;
  }
  scope_.resize(before);
  scope_.insert(scope_.end(), made.begin(), made.end());
  const bool core = arrays.size() == 1 || random_.percent(50);
  const std::string f = "fn (" + types + ") (" + parameters + ") => (" + values + ")";
  return "let (" + pattern +
         ") = " + (core ? "map2(" + f + ", " + names + ")" : "unzip(map(" + f + ", zip(" + names + ")))") + " in\n";
}

std::string Generator::filter(int depth) {
  const std::vector<Named*> arrays = arrays_together(2);
  if (arrays.empty()) return "";
  std::vector<Named> elements, made;
  const int length = new_length();
  std::string pattern;
  for (const Named* a : arrays) {
    elements.push_back(element(*a));
    made.push_back({fresh("z"), a->type, length, a->row, true});
    pattern += (pattern.empty() ? "" : ", ") + made.back().name;
  }
  const std::string names = list(arrays);
  const std::string f = lambda(elements, {Kind::Bool, 0}, std::min(depth, 1));
  scope_.insert(scope_.end(), made.begin(), made.end());
  return "let " + (made.size() > 1 ? "(" + pattern + ")" : pattern) + " = filter2(" + f + ", " + names + ") in\n";
}

std::string Generator::fold(int depth) {
  const std::vector<Named*> arrays = arrays_together(2);
  if (arrays.empty()) return "";
  const Shaped& first = arrays[0]->type;
  if (first.rank == 1 && random_.percent(65)) {
    const std::string name = arrays[0]->name;
    return bind("s", {"", {first.kind, 0}},
                "reduce(" + operator_of(first.kind) + ", " + literal(first.kind) + ", " + name + ")");
  }
  const Kind of = kind();
  std::vector<Named> elements{{fresh("c"), {of, 0}}};
  for (const Named* a : arrays) elements.push_back(element(*a));
  const std::string names = list(arrays), c = elements[0].name, d = fresh("d");
  const std::string join = "fn " + text_of({of, 0}) + " (" + text_of({of, 0}) + " " + c + "l, " + text_of({of, 0}) +
                           " " + d + ") => " + c + "l";
  const std::string start = literal(of);
  return bind(
      "s", {"", {of, 0}},
      "redomap2(" + join + ", " + lambda(elements, {of, 0}, std::max(depth, 1)) + ", " + start + ", " + names + ")");
}

std::string Generator::scan(int) {
  Named* a = array(1);
  if (!a) return "";
  const Named what{"", a->type, a->length, 0, true};
  return bind("w", what, "scan(" + operator_of(what.type.kind) + ", " + literal(what.type.kind) + ", " + a->name + ")");
}

std::string Generator::copies(int depth) {
  Named* row = random_.percent(40) ? array(1) : nullptr;
  std::vector<Named*> numbers;
  for (Named& n : scope_)
    if (n.type == Shaped{Kind::Int, 0} && n.length != 0) numbers.push_back(&n);
  const bool counted = random_.percent(80) && !numbers.empty();
  Named* n = counted ? random_.among(numbers) : nullptr;
  const std::string many = n                     ? n->name
                           : random_.percent(70) ? std::to_string(random_.below(4))
                                                 : "(" + scalar(Kind::Int, 1) + ") % 4";
  const int length = n ? n->length : new_length();
  if (n) ++n->used;
  if (random_.percent(20)) return bind("i", {"", {Kind::Int, 1}, length, 0, true}, "iota(" + many + ")");
  if (row) {
    const Named what{"", {row->type.kind, 2}, length, row->length, true};
    return bind("r", what, "replicate(" + many + ", " + row->name + ")");
  }
  const Kind of = kind();
  return bind("r", {"", {of, 1}, length, 0, true}, "replicate(" + many + ", " + scalar(of, std::min(depth, 1)) + ")");
}

std::string Generator::length() {
  Named* a = array(random_.percent(30) ? 2 : 1);
  if (!a) return "";
  --a->used;
  if (random_.percent(70)) return bind("n", {"", {Kind::Int, 0}, a->length}, "size(" + a->name + ")");
  Named* b = array_as_long(*a, 1);
  if (!b) return "";
  --b->used;
  return bind("t", {"", {Kind::Bool, 0}}, "assertZip(" + a->name + ", " + b->name + ")");
}

std::string Generator::branch(int depth) {
  if (depth == 0) return "";
  const Shaped wanted{kind(), random_.percent(70) ? 1 : 0};
  const std::string condition = scalar(Kind::Bool, 1);
  const std::size_t border = border_;
  border_ = scope_.size();  // what is consumed in one branch is not there behind it: seldom wanted
  if (random_.percent(25)) border_ = border;
  const std::string yes = block(1 + random_.below(2), depth, &wanted);
  const std::string no = block(random_.below(3), depth, &wanted);
  border_ = border;
  return bind("b", {"", wanted, new_length()}, "(if " + condition + " then " + yes + " else " + no + ")");
}

// A number, or an array that rounds update.
std::string Generator::loop(int depth) {
  if (depth == 0) return "";
  const std::string i = fresh("i"), rounds = random_.percent(70) ? std::to_string(random_.below(4)) : "n";
  const std::size_t before = scope_.size(), border = border_;
  border_ = before;
  std::string out;
  Named made;
  if (Named* a = random_.percent(50) ? array(1) : nullptr; a && a->owned) {
    made = *a;
    made.name = fresh("l");
    const std::string start = a->name;
    scope_.push_back(made);
    scope_.push_back({i, {Kind::Int, 0}});
    const std::string inside = statement(depth - 1);
    out = "loop (" + made.name + " = " + start + ") = for " + i + " < " + rounds + " do\n" + inside + "let " +
          made.name + "[" + (random_.percent(80) ? i + " % max(1, size(" + made.name + "))" : i) +
          "] = " + scalar(made.type.kind, 1) + " in " + made.name + " in\n";
  } else {
    made = {fresh("l"), {kind(), 0}};
    const std::string start = scalar(made.type.kind, 1);
    scope_.push_back(made);
    scope_.push_back({i, {Kind::Int, 0}});
    const std::string step = block(1, depth - 1, &made.type);
    out = "loop (" + made.name + " = " + start + ") = for " + i + " < " + rounds + " do\n" + step + " in\n";
  }
  scope_.resize(before);
  border_ = border;
  made.used = 0;
  made.owned = made.type.rank > 0;
  scope_.push_back(made);
  return out;
}

// It is consumed: what may share data with it is used again seldom, as the one name is new.
std::string Generator::update(int) {
  std::vector<std::size_t> fits;
  for (std::size_t k = border_; k < scope_.size(); ++k)
    if (scope_[k].owned && scope_[k].type.rank == 1) fits.push_back(k);
  if (fits.empty()) return "";
  const std::size_t k = random_.among(fits);
  Named old = scope_[k];
  const std::string value = scalar(old.type.kind, 1);
  const std::string at = random_.percent(85) ? "0" : random_.percent(50) ? "n - 1" : "1";
  Named n = old;
  n.name = fresh("u");
  scope_[k].owned = false;
  scope_[k].type.rank = gone;
  scope_.push_back(n);
  return "let " + n.name + " = " + old.name + " with [" + at + "] <- " + value + " in\n";
}

std::string Generator::rearranged() {
  Named* a = array(random_.percent(50) ? 2 : 1);
  if (!a) return "";
  const Named of = *a;
  if (of.type.rank == 2 && random_.percent(40))
    return bind("t", {"", of.type, of.row, of.length}, "transpose(" + of.name + ")");
  if (of.type.rank == 2 && random_.percent(40))
    return bind("f", {"", {of.type.kind, 1}, new_length()}, "flatten(2, " + of.name + ")");
  if (random_.percent(50)) {
    const Named first{fresh("p"), of.type, new_length(), of.row}, rest{fresh("q"), of.type, new_length(), of.row};
    scope_.push_back(first);
    scope_.push_back(rest);
    return "let (" + first.name + ", " + rest.name + ") = split(" +
           (random_.percent(60) ? "size(" + of.name + ") / 2" : std::to_string(random_.below(3))) + ", " + of.name +
           ") in\n";
  }
  if (random_.percent(40)) return bind("v", {"", of.type, of.length, of.row, true}, "copy(" + of.name + ")");
  for (int k = 0; k < 4; ++k) {
    Named* b = array(of.type.rank);
    if (b && b->type == of.type)
      return bind("v", {"", of.type, new_length(), of.row, true}, "concat(" + of.name + ", " + b->name + ")");
  }
  return "";
}

// map(fn *[t] (*[t] r) => …, m): the rows are consumed.
std::string Generator::consuming_map(int) {
  for (std::size_t k = scope_.size(); k-- > border_;) {
    Named& m = scope_[k];
    if (!m.owned || m.type.rank != 2) continue;
    const Named old = m;
    m.owned = false;
    m.type.rank = gone;
    const Named r{fresh("e"), {old.type.kind, 1}, old.row};
    const std::string value = scalar(old.type.kind, 1);
    Named* other = random_.percent(40) ? array_as_long(old, 1) : nullptr;
    const std::string e = fresh("e");
    const bool fits = other && other->type.kind == old.type.kind;
    return bind("m", old,
                "map2(fn " + text_of(r.type, true) + " (" + text_of(r.type, true) + " " + r.name +
                    (fits ? ", " + text_of({other->type.kind, 0}) + " " + e : "") + ") => let " + r.name + "[0] = " +
                    (fits ? e : value) + " in " + r.name + ", " + old.name + (fits ? ", " + other->name : "") + ")");
  }
  return "";
}

std::string Generator::called() {
  Named* a = array(1);
  if (!a) return "";
  if (doubles_ && a->type.kind != Kind::Bool)
    return bind("x", {"", a->type, a->length, 0, true},
                std::string("map(") + (a->type.kind == Kind::Int ? "twice" : "halved") + ", " + a->name + ")");
  if (sets_ && a->owned && a->type.kind == Kind::Int && a >= scope_.data() + border_) {
    const Named old = *a;
    a->owned = false;
    a->type.rank = gone;
    return bind("u", old, "set(" + old.name + ", 0, " + scalar(Kind::Int, 1) + ")");
  }
  return "";
}

}  // namespace lockstep::props::l0
