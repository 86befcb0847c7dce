// The engine's files: read and written in pieces, whole or absent, and the text programs against loops over the bytes.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "codegen/streaming/engine.h"
#include "codegen/streaming/kernels/results.h"
#include "semantics/core/files.h"
#include "snesl_streams.h"
#include "tests/unit/networks.h"
#include "translate/simplify/simplify.h"

namespace engine_files_test {
using namespace lockstep;
using engine::Engine;
using engine::EngineFailure;

namespace {

const std::string lines = "fun lines(cs) = sep({(c, c == '\\n') : c in cs})\n";
const std::string programs[] = {
    // wc
    "fun ws(c) = c == ' ' || c >= '\\t' && c <= '\\r'\nfun pc(c) = c <= '~' && c > ' '\n"
    "fun pw(w) = reduce-or({pc(c) : c in w})\n"
    "fun wc(file) = sum({int(pw(w)) : w in sep({(c, ws(c)) : c in read_file(file)})})",
    // the length of the longest line, its end included
    lines + "fun f(file) = maximum({#l : l in lines(read_file(file))} ++ {0})",
    // rev
    lines +
        "fun rev_line(w) = let v = tab(w); m = #v; n = v!(m - 1) == '\\n' ? m - 1 : m\n"
        "  in {v!(i == n ? i : n - 1 - i) : i in &m}\n"
        "fun rev(from, to) = write_file(to, concat({rev_line(l) : l in lines(read_file(from))}))",
    // the characters of a file but its blanks, with what was read before them counted
    "fun f(from, to) = let cs = read_file(from) in write_file(to, {c : c in cs | c != ' '})",
};

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lockstep-engine-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path), {}));
  }
};

void put(const std::string& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }
std::string get(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream s;
  s << in.rdbuf();
  return s.str();
}

const std::vector<Engine>& engines() {
  static const std::vector<Engine> all = [] {
    std::vector<svcode::Program> ps;
    for (const std::string& text : programs) {
      const auto parsed = snesl::parse_program(streaming::test::source(text));
      REQUIRE(parsed);
      const auto core = snesl::elaborate(*parsed, "", {});
      if (!core) UNSCOPED_INFO(render(core.error()[0]));
      REQUIRE(core);
      ps.push_back(streaming::simplify(streaming::flatten(*core)));
    }
    auto e = Engine::load_all(transducer::test::networks(ps), {false, true});
    REQUIRE(e);
    return std::move(*e);
  }();
  return all;
}

// The result, "trap ...", or "failed ...".
std::string run(std::size_t program, const std::vector<std::string>& names, const engine::EngineOptions& options) {
  std::vector<svcode::Stream> inputs;
  for (const std::string& name : names)
    for (auto& s : svcode::represent({snesl::text_value(name)}, snesl::vector_of(snesl::prim(svcode::Prim::Char))))
      inputs.push_back(std::move(s));
  const auto r = engines()[program].run(inputs, options);
  if (r) return r->leaves.empty() ? "()" : snesl::show(r->result()[0][0]);
  if (const auto* t = std::get_if<Trap>(&r.error())) return "trap " + t->message;
  return "failed " + std::get<EngineFailure>(r.error()).message;
}

int words(const std::string& s) {
  int n = 0;
  bool printable = false;
  for (const char c : s) {
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
      n += printable;
      printable = false;
    } else {
      printable |= c > ' ' && c <= '~';
    }
  }
  return n + printable;
}
std::size_t longest(const std::string& s) {
  std::size_t most = 0, now = 0;
  for (const char c : s) {
    ++now;
    most = std::max(most, now);
    if (c == '\n') now = 0;
  }
  return most;
}
std::string reversed(const std::string& s) {
  std::string r, line;
  for (const char c : s) {
    if (c != '\n')
      line.insert(line.begin(), c);
    else
      r += line + c, line.clear();
  }
  return r + line;
}
std::string without_blanks(std::string s) {
  std::erase(s, ' ');
  return s;
}

std::vector<std::string> contents() {
  std::mt19937 random(3);
  std::string noise, text;
  for (int k = 0; k < 3000; ++k) noise += static_cast<char>(random());
  for (int k = 0; k < 3000; ++k)
    text += random() % 6 ? static_cast<char>('a' + random() % 26) : random() % 5 ? ' ' : '\n';
  return {"", "a", "\n", "one two\n", "no end", "\n\n a  b\n\n", noise, text, text + "\n", std::string(2000, 'x')};
}

}  // namespace

TEST_CASE("Text programs do what loops over the bytes do, at every chunk size and on one thread and two") {
  const Folder folder;
  const std::string in = folder / "in", out = folder / "out";
  for (const std::string& content : contents()) {
    put(in, content);
    for (const std::int64_t chunk : {1, 2, 5, 64, 100, 4096, 0})
      for (const int threads : {1, 2}) {
        INFO("chunk " << chunk << ", threads " << threads << ", " << content.size() << " bytes");
        const engine::EngineOptions options{chunk, threads};
        REQUIRE(run(0, {in}, options) == std::to_string(words(content)));
        REQUIRE(run(1, {in}, options) == std::to_string(longest(content)));
        REQUIRE(run(2, {in, out}, options) == "()");
        REQUIRE(get(out) == reversed(content));
        REQUIRE(run(3, {in, out}, options) == "()");
        REQUIRE(get(out) == without_blanks(content));
      }
  }
  CHECK(folder.files() == 2);
}

TEST_CASE("A pipe is read and a file replaced by what was made of it") {
  const Folder folder;
  const std::string pipe = folder / "pipe", out = folder / "out";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const std::string text = contents()[7];
  for (const int threads : {1, 2}) {
    std::thread writer([&] { put(pipe, text); });
    CHECK(run(2, {pipe, out}, {0, threads}) == "()");
    writer.join();
    CHECK(get(out) == reversed(text));
    CHECK(run(2, {out, out}, {0, threads}) == "()");
    CHECK(get(out) == text);
  }
}

TEST_CASE("A file that cannot be read is a trap, one that cannot be written a failure, and nothing is left") {
  const Folder folder;
  const std::string in = folder / "in", out = folder / "out";
  put(in, "text\n");
  for (const int threads : {1, 2}) {
    const engine::EngineOptions options{0, threads};
    CHECK(run(0, {folder / "none"}, options) ==
          "trap cannot read '" + folder / "none" + "': No such file or directory");
    CHECK(run(0, {folder.path.string()}, options) == "trap cannot read '" + folder.path.string() + "': Is a directory");
    CHECK(run(2, {in, folder.path.string()}, options).starts_with("failed cannot write"));
    CHECK(run(2, {in, folder / "no/such"}, options).starts_with("failed cannot write"));
    CHECK(run(2, {folder / "none", out}, options).starts_with("trap"));
  }
  CHECK(folder.files() == 1);
}

TEST_CASE("users-snesl E5: a hidden file that a killed run left is taken away, one that a run is writing is let be") {
  const Folder folder;
  const std::string in = folder / "in", out = folder / "out", hidden = folder / ".out.lockstep-0";
  put(in, "text\n");
  put(hidden, "left");
  CHECK(run(2, {in, out}, {0, 1}) == "()");
  CHECK(get(out) == "txet\n");
  CHECK(folder.files() == 2);
  put(hidden, "being written");
  const int other = open(hidden.c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(flock(other, LOCK_EX) == 0);
  CHECK(run(2, {in, out}, {0, 1}) == "()");
  CHECK(get(hidden) == "being written");
  CHECK(folder.files() == 3);
  CHECK(write_files_atomically({{out, "again"}}));
  CHECK(get(hidden) == "being written");
  CHECK(folder.files() == 3);
  close(other);
  CHECK(write_files_atomically({{out, "and again"}}));
  CHECK(get(out) == "and again");
  CHECK(folder.files() == 2);
}

TEST_CASE("users-snesl E5: more files than a process may have open are written whole, and those before a trap not") {
  const Folder folder;
  std::vector<std::pair<std::string, std::string>> files;
  for (int k = 0; k < 1500; ++k) files.emplace_back(folder / std::to_string(k), std::to_string(k));
  CHECK(write_files_atomically(files));
  CHECK(folder.files() == 1500);
  CHECK(get(folder / "1499") == "1499");
  files.emplace_back(folder / "no/such", "");
  files.front().second = "new";
  CHECK_FALSE(write_files_atomically(files));
  CHECK(get(folder / "0") == "0");
  CHECK(folder.files() == 1500);
}

TEST_CASE("A file that shrinks while it is read is a trap") {
  const Folder folder;
  const std::string in = folder / "in";
  put(in, std::string(100, 'a'));
  const auto rest = [&](bool shrink) {
    lockstep_engine::FileReader file;
    snprintf(file.name, sizeof file.name, "%s", in.c_str());
    file.start(7);
    unsigned char piece[64];
    REQUIRE(file.read(7, piece, 64) == 64);
    if (shrink) REQUIRE(truncate(in.c_str(), 10) == 0);
    try {
      return std::to_string(file.read(7, piece, 64));
    } catch (const lockstep_engine::Trapped& t) {
      return std::string(t.error == lockstep_engine::shrank ? "shrank" : "trapped");
    }
  };
  CHECK(rest(false) == "36");
  CHECK(rest(true) == "shrank");
}

}  // namespace engine_files_test
