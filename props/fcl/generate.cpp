// By type, level and place: a scalar, a pull array, or a push array of a level, of what is in scope.
#include "props/fcl/generate.h"

#include "props/engine/random.h"
#include "semantics/fcl/parse.h"

namespace lockstep::props::fcl {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::string program(int depth) {
    std::string out;
    if (random_.percent(50)) {
      out +=
          "sig step : <lvl> -> (int -> int -> int) -> [int] -> [int]<lvl>\n"
          "fun step f zs = push <lvl> (zipWith f zs (reverse zs))\n";
      has_step_ = true;
    }
    const Scope scope{{"k"}, {}, {"xs", "ys"}};
    const int l = random_.below(4);
    return out + "sig main : int -> [int] -> [int] -> [int]<" + level(l) +
           ">\nfun main k xs ys = " + push(l, scope, grid, depth);
  }

 private:
  static constexpr int grid = 3;
  struct Scope {
    std::vector<std::string> ints, pairs, arrays;
  };
  static const char* level(int l) {
    static constexpr const char* names[] = {"thread", "warp", "block", "grid"};
    return names[l];
  }
  const std::string& any(const std::vector<std::string>& all) {
    return all[static_cast<std::size_t>(random_.below(static_cast<int>(all.size())))];
  }
  std::string fresh(const std::string& base) { return base + std::to_string(next_++); }
  static Scope with_int(Scope s, const std::string& name) {
    s.ints.push_back(name);
    return s;
  }

  std::string integer(const Scope& s, int depth) {
    if (depth <= 0 || random_.percent(25))
      return random_.percent(60) && !s.ints.empty() ? any(s.ints)
             : random_.percent(5)                   ? "#BlockSize"
                                                    : std::to_string(random_.below(6));
    switch (random_.below(10)) {
      case 0:
      case 1:
        return "(" + integer(s, depth - 1) + " + " + integer(s, depth - 1) + ")";
      case 2:
        return "(" + integer(s, depth - 1) + " - " + integer(s, depth - 1) + ")";
      case 3:
        return "(" + integer(s, depth - 1) + " * " + integer(s, depth - 1) + ")";
      case 4:
        return "(" + integer(s, depth - 1) + (random_.percent(50) ? " / " : " mod ") +
               (random_.percent(85) ? std::to_string(1 + random_.below(4)) : integer(s, depth - 1)) + ")";
      case 5:
        return "(if " + truth(s, depth - 1) + " then " + integer(s, depth - 1) + " else " + integer(s, depth - 1) + ")";
      case 6:
        return "length " + any(s.arrays);
      case 7: {
        // inside, where there is anything, but for a few
        const std::string a = any(s.arrays);
        if (random_.percent(6)) return "index " + a + " (" + integer(s, depth - 1) + ")";
        return "index " + a + " (abs (" + integer(s, depth - 1) + ") mod max 1 (length " + a + "))";
      }
      case 8:
        return std::string(random_.percent(50) ? "max " : "min ") + "(" + integer(s, depth - 1) + ") (" +
               integer(s, depth - 1) + ")";
      default: {
        const std::string v = fresh("v");
        return "(let " + v + " = " + integer(s, depth - 1) + " in " + integer(with_int(s, v), depth - 1) + ")";
      }
    }
  }
  std::string truth(const Scope& s, int depth) {
    if (depth > 0 && random_.percent(25))
      return "(" + truth(s, depth - 1) + (random_.percent(50) ? " && " : " || ") + truth(s, depth - 1) + ")";
    static constexpr const char* relations[] = {" < ", " <= ", " == ", " != ", " > "};
    return "(" + integer(s, depth - 1) + relations[random_.below(5)] + integer(s, depth - 1) + ")";
  }

  std::string function(const Scope& s, int depth) {
    const std::string x = fresh("x");
    return "(fn " + x + " => " + integer(with_int(s, x), depth) + ")";
  }
  // `place`: where a force would stand.
  std::string pull(const Scope& s, int place, int depth) {
    if (depth <= 0 || random_.percent(20)) return any(s.arrays);
    switch (random_.below(17)) {
      case 14:
        return looped(s, place, depth);
      case 15:
      case 16: {
        // one element of few, so that what is left of a loop makes no length
        const std::string w = fresh("w"), i = fresh("i");
        return "(let " + w + " = " + looped(s, place, depth) + " in generate 2 (fn " + i + " => index " + w + " (" + i +
               " mod max 1 (length " + w + "))))";
      }
      case 12:
        return "(" + std::string(random_.percent(50) ? "take" : "drop") + " (abs k mod 3) " +
               pull(s, place, depth - 1) + ")";
      case 13: {
        const std::string n = std::to_string(1 + random_.below(3)), c = fresh("c");
        return "(map (fn " + c + " => index " + c + " 0) (coalesce " + n + " (pad " + n + " 1 " +
               pull(s, place, depth - 1) + ")))";
      }
      case 0:
      case 1:
        return "(map " + function(s, depth - 1) + " " + pull(s, place, depth - 1) + ")";
      case 2:
        return "(reverse " + pull(s, place, depth - 1) + ")";
      case 3:
        return "(generate (" + std::to_string(random_.below(4)) + " + abs k mod 3) " + function(s, depth - 1) + ")";
      case 4:
        return "(append " + pull(s, place, depth - 1) + " " + pull(s, place, depth - 1) + ")";
      case 5: {
        const std::string a = any(s.arrays), b = random_.percent(70) ? a : any(s.arrays);
        return "(zipWith (" + std::string(random_.percent(50) ? "+" : "-") + ") " + a + " (map " +
               function(s, depth - 1) + " " + b + "))";
      }
      case 6:
        return "(" + std::string(random_.percent(50) ? "fst" : "snd") + " (" +
               (random_.percent(50) ? "halve " : "evenOdds ") + pull(s, place, depth - 1) + "))";
      case 7:
        return "(pad " + std::to_string(1 + random_.below(3)) + " (" + integer(s, depth - 2) + ") " +
               pull(s, place, depth - 1) + ")";
      case 8:
        return "[" + integer(s, depth - 1) + ", " + integer(s, depth - 1) + "]";
      case 9:
        return "(if " + truth(s, 1) + " then " + any(s.arrays) + " else (reverse " + any(s.arrays) + "))";
      case 10: {
        const std::string p = fresh("p");
        return "(map (fn " + p + " => fst " + p + " - snd " + p + ") (zipWith (fn a b => (b, a)) " + any(s.arrays) +
               " " + any(s.arrays) + "))";
      }
      default:
        return "(force " + push(static_cast<int>(random_.below(place + 1)), s, place, depth - 1) + ")";
    }
  }
  // Until few are left, or data say so.
  std::string looped(const Scope& s, int place, int depth) {
    const std::string l = level(static_cast<int>(random_.below(place + 1))), y = fresh("y"), z = fresh("z");
    Scope inside = s;
    inside.arrays = {z};
    const std::string start = "(push <" + l + "> " + pull(s, place, depth - 1) + ")";
    if (random_.percent(50)) {
      const char* halves[] = {"fst (halve ", "snd (halve ", "fst (evenOdds ", "take (length "};
      const int which = random_.below(4);
      std::string step = std::string(halves[which]) + z + (which == 3 ? " / 2) " + z : ")");
      if (random_.percent(40)) step = "map " + function(inside, depth - 2) + " (" + step + ")";
      return "(while (fn " + y + " => length " + y + " > " + std::to_string(1 + random_.below(2)) + ") (fn " + z +
             " => push <" + l + "> (" + step + ")) " + start + ")";
    }
    const std::string x = fresh("x");
    return "(while (fn " + y + " => length " + y + " > 0 && index " + y + " 0 < " + std::to_string(random_.below(9)) +
           ") (fn " + z + " => push <" + l + "> (map (fn " + x + " => " + x + " + " +
           std::to_string(1 + random_.below(3)) + ") " + (random_.percent(50) ? z : "(reverse " + z + ")") + ")) " +
           start + ")";
  }
  // Where element j of chunk i of m chunks of n goes: by columns, the chunks or all the other way round, each chunk
  // turned by its number, or, so that elements meet, wherever.
  std::string placed(const std::string& i, const std::string& j, const std::string& m, const std::string& n) {
    switch (random_.below(10)) {
      case 0:
      case 1:
        return "(" + m + " - 1 - " + i + ") * " + n + " + " + j;
      case 2:
        return m + " * " + n + " - 1 - (" + i + " * " + n + " + " + j + ")";
      case 3:
        return i + " * " + n + " + (" + i + " + " + j + ") % " + n;
      case 4:
        return i + " * " + n + " + (" + i + " + " + j + " + 1) % " + n;
      case 5:
        return random_.percent(50) ? i + " + " + j : i + " * " + n + " - " + j;
      default:
        return j + " * " + m + " + " + i;
    }
  }
  std::string push(int l, const Scope& s, int place, int depth) {
    if (depth > 0 && random_.percent(6))
      return "(reduce <" + std::string(level(l)) + "> " + (random_.percent(70) ? "(+) " : "(fn a b => a - b) ") + "(" +
             integer(s, 1) + ") " + pull(s, place, depth - 1) + ")";
    if (depth > 0 && l == 0 && random_.percent(20))
      return "(" + std::string(random_.percent(50) ? "foldl" : "scanl") + " (fn a b => a " +
             (random_.percent(50) ? "+" : "- 2 *") + " b) " + "(" + integer(s, 1) + ") " + pull(s, place, depth - 1) +
             ")";
    if (depth > 0 && l > 0 && random_.percent(8)) {
      const std::string q = fresh("q"), m = fresh("m"), n = std::to_string(1 + random_.below(3)), p = fresh("p");
      return "(let " + q + " = pad " + n + " 0 " + pull(s, place, depth - 1) + " " + m + " = length " + q + " / " + n +
             " in interleave " + n + " (fn " + p + " => " + placed("(fst " + p + ")", "(snd " + p + ")", m, n) +
             ") (map (push <" + level(l - 1) + ">) (splitUp " + n + " " + q + ")))";
    }
    if (depth > 0 && l > 0 && random_.percent(40)) {
      const std::string c = fresh("c");
      Scope inside = s;
      inside.arrays = {c};
      const int n = 1 + random_.below(3);
      // chunks of n that stay n: their elements changed, or the other way round
      std::string chunk = random_.percent(50) ? c : "(reverse " + c + ")";
      if (random_.percent(40)) chunk = "(map " + function(inside, depth - 2) + " " + chunk + ")";
      if (random_.percent(40)) chunk = "(force (push <" + std::string(level(l - 1)) + "> " + chunk + "))";
      std::string all = pull(s, place, depth - 1);
      if (random_.percent(85)) all = "(pad " + std::to_string(n) + " 0 " + all + ")";
      return "(concat " + std::to_string(n) + " (map (fn " + c + " => push <" + level(l - 1) + "> " + chunk +
             ") (splitUp " + std::to_string(n) + " " + all + ")))";
    }
    if (depth > 0 && random_.percent(15))
      return "(mapPush " + function(s, depth - 1) + " " + push(l, s, place, depth - 1) + ")";
    if (has_step_ && random_.percent(15))
      return "(step <" + std::string(level(l)) + "> (+) " + pull(s, place, depth - 1) + ")";
    if (depth > 1 && random_.percent(10)) {
      const std::string y = fresh("y");
      Scope inside = s;
      inside.arrays.push_back(y);
      return "(let " + y + " = " + pull(s, place, depth - 1) + " in " + push(l, inside, place, depth - 1) + ")";
    }
    return "(push <" + std::string(level(l)) + "> " + pull(s, place, depth - 1) + ")";
  }

  Random random_;
  int next_ = 0;
  bool has_step_ = false;
};

}  // namespace

lockstep::fcl::Program generate_program(std::uint64_t seed, int depth) {
  const std::string text = Generator(seed).program(depth);
  const auto made = lockstep::fcl::parse_program(std::make_shared<const Source>(Source{"program.fcl", text}));
  if (!made) throw Bug("a generated program that does not parse: " + render(made.error().front()) + "\n" + text);
  return *made;
}

}  // namespace lockstep::props::fcl
