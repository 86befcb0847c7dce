// Reading and writing .npy files, whole-file writing, and the memory behind arrays. Each file read is made here, byte
// by byte.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "codegen/runtime/memory.h"
#include "codegen/runtime/npy.h"

namespace npy_test {
using namespace lockstep;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "lockstep-npy-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(path)) all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }
};

void put(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }
std::string get(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A file of the given version around a dictionary as it stands.
std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string text("\x93NUMPY", 6);
  text += static_cast<char>(version);
  text += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) text += static_cast<char>(dictionary.size() >> 8 * i & 0xff);
  return text + dictionary + data;
}
std::string dictionary(const std::string& descr, const std::string& shape, const std::string& fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
}
template <class T>
std::string bytes_of_values(const std::vector<T>& values, bool swapped = false) {
  std::string bytes;
  for (const T& value : values) {
    std::string one(sizeof(T), '\0');
    std::memcpy(one.data(), &value, sizeof(T));
    bytes += swapped ? std::string(one.rbegin(), one.rend()) : one;
  }
  return bytes;
}
template <class T>
std::vector<T> values_of(const NpyArray& array) {
  std::size_t count = 1;
  for (const auto length : array.shape) count *= static_cast<std::size_t>(length);
  const T* data = static_cast<const T*>(array.data);
  return {data, data + count};
}

tl::expected<NpyArray, std::string> read_bytes(const std::string& bytes) {
  const Folder folder;
  put(folder.file("a.npy"), bytes);
  return read_npy(folder.file("a.npy"));  // the mapping outlives the file
}
NpyArray good(const std::string& bytes) {
  auto array = read_bytes(bytes);
  if (!array) FAIL(array.error());
  return *array;
}
std::string refusal(const std::string& bytes) {
  const auto array = read_bytes(bytes);
  return array ? "accepted" : array.error();
}
using Catch::Matchers::Contains;
const std::vector<std::int32_t> three{1, -2, 3};
const std::string three_bytes = bytes_of_values(three);

}  // namespace

TEST_CASE("npy: every spelling of a legal header reads the same") {
  const std::string spelling = GENERATE(
      "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", "{'descr':'<i4','fortran_order':False,'shape':(3,)}",
      "{'shape': (3,), 'fortran_order': False, 'descr': '<i4'}",
      "{\"descr\": \"<i4\", \"fortran_order\": False, \"shape\": (3,)}",
      " {\n\t'descr' : '<i4' ,\r\n 'fortran_order' :False , 'shape' : ( 3 , ) , } \n  \n",
      "{u'descr': u'<i4', u'fortran_order': False, u'shape': (3L,)}",
      "{'descr': '=i4', 'fortran_order': False, 'shape': (3,)}",
      "{'descr': 'i4', 'fortran_order': False, 'shape': (+3,)}",
      "{'descr': '<i4', 'fortran_order': True, 'shape': (3,)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (0_3,)}");
  const int version = GENERATE(1, 2, 3);
  CAPTURE(spelling, version);
  const NpyArray array = good(npy(spelling, three_bytes, version));
  CHECK(array.type == ScalarType::I32);
  CHECK(array.shape == std::vector<std::int64_t>{3});
  CHECK(values_of<std::int32_t>(array) == three);
}

TEST_CASE("npy: an aligned file is used in place, any other is copied") {
  std::string text = dictionary("<i4", "(3,)");
  while ((10 + text.size()) % 4 != 0) text.insert(text.size() - 1, 1, ' ');
  CHECK_FALSE(good(npy(text, three_bytes)).copied);
  for (int shift = 1; shift < 4; ++shift) {
    text.insert(text.size() - 1, 1, ' ');
    const NpyArray array = good(npy(text, three_bytes));
    CHECK(array.copied);
    CHECK(values_of<std::int32_t>(array) == three);
  }
}

TEST_CASE("npy: a header longer than 64 KiB is read in version 2, and its padding costs no copy") {
  std::string text = dictionary("<i4", "(3,)");
  text.insert(text.size() - 1, std::string(128 * 1024 - 12 - text.size(), ' '));
  const NpyArray array = good(npy(text, three_bytes, 2));
  CHECK_FALSE(array.copied);
  CHECK(values_of<std::int32_t>(array) == three);
}

TEMPLATE_TEST_CASE("npy: big-endian elements are turned round", "", std::int32_t, std::uint32_t, float, std::int64_t,
                   std::uint64_t, double) {
  const std::vector<TestType> values{TestType(1), TestType(258), TestType(-3)};
  const char kind = std::is_floating_point_v<TestType> ? 'f' : std::is_signed_v<TestType> ? 'i' : 'u';
  const std::string code{kind, static_cast<char>('0' + sizeof(TestType))};
  const NpyArray array = good(npy(dictionary('>' + code, "(3,)"), bytes_of_values(values, true)));
  CHECK(array.copied);
  CHECK(values_of<TestType>(array) == values);
  CHECK(values_of<TestType>(good(npy(dictionary('<' + code, "(3,)"), bytes_of_values(values)))) == values);
}

TEST_CASE("npy: one-byte elements have no byte order") {
  for (const char* order : {"|", "<", ">", "=", ""}) {
    CHECK(values_of<std::uint8_t>(good(npy(dictionary(order + std::string("u1"), "(2,)"), "\x07\xff"))) ==
          std::vector<std::uint8_t>{7, 255});
    CHECK(good(npy(dictionary(order + std::string("b1"), "(2,)"), std::string("\x00\x01", 2))).type ==
          ScalarType::Bool);
  }
  CHECK(good(npy(dictionary("?", "(1,)"), "\x01")).type == ScalarType::Bool);
}

TEST_CASE("npy: a bool that is neither 0 nor 1 is refused with its place") {
  CHECK_THAT(refusal(npy(dictionary("|b1", "(3,)"), std::string("\x00\x01\x02", 3))), Contains("element 2 is 2"));
}

TEST_CASE("npy: Fortran order is converted, in every rank and byte order") {
  // Long enough for several tiles, and not a multiple of one.
  const std::vector<std::vector<std::int64_t>> shapes{
      {2, 3}, {33, 70}, {1, 5}, {5, 1}, {2, 3, 4}, {3, 1, 2}, {34, 3, 37}, {2, 2, 3, 5}, {4, 3, 5, 2, 3}, {1, 4, 1, 3}};
  const bool swapped = GENERATE(false, true);
  for (const auto& shape : shapes) {
    std::int64_t count = 1;
    std::string lengths;
    for (const auto n : shape) count *= n, lengths += std::to_string(n) + ",";
    CAPTURE(lengths, swapped);
    std::vector<std::int32_t> expected(static_cast<std::size_t>(count));
    std::vector<std::int32_t> stored(expected.size());
    for (std::int64_t c = 0; c < count; ++c) {  // the element at position c in C order, and its position in Fortran's
      std::int64_t rest = c, stride = count, f = 0;
      for (std::size_t k = shape.size(); k-- > 0;) {
        stride /= shape[k];
        f += rest % shape[k] * stride;
        rest /= shape[k];
      }
      expected[static_cast<std::size_t>(c)] = static_cast<std::int32_t>(c);
      stored[static_cast<std::size_t>(f)] = static_cast<std::int32_t>(c);
    }
    const std::string descr = swapped ? ">i4" : "<i4";
    CHECK(values_of<std::int32_t>(
              good(npy(dictionary(descr, "(" + lengths + ")", "True"), bytes_of_values(stored, swapped)))) == expected);
  }
}

TEST_CASE("npy: Fortran order of [[1,2,3],[4,5,6]] is 1 4 2 5 3 6 on disk") {
  const NpyArray array = good(npy(dictionary("<f8", "(2, 3)", "True"), bytes_of_values<double>({1, 4, 2, 5, 3, 6})));
  CHECK(values_of<double>(array) == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(array.copied);
}

TEST_CASE("npy: scalars have shape () and arrays may be empty") {
  const NpyArray scalar = good(npy(dictionary("<f8", "()"), bytes_of_values<double>({2.5})));
  CHECK(scalar.shape.empty());
  CHECK(values_of<double>(scalar) == std::vector<double>{2.5});
  for (const char* shape : {"(0,)", "(3, 0)", "(0, 7, 2)"}) {
    const NpyArray empty = good(npy(dictionary(">f4", shape, "True"), ""));
    CHECK(empty.data != nullptr);
    CHECK(values_of<float>(empty).empty());
  }
}

TEST_CASE("npy: integers of 8 and 16 bits, in either order and turned about") {
  CHECK(values_of<std::int8_t>(good(npy(dictionary("|i1", "(3,)"), bytes_of_values<std::int8_t>({-128, 0, 127})))) ==
        std::vector<std::int8_t>{-128, 0, 127});
  const std::vector<std::int16_t> narrow{-32768, -2, 32767, 258, 5, 6};
  for (const bool swapped : {false, true}) {
    const NpyArray a = good(npy(dictionary(swapped ? ">i2" : "<i2", "(2, 3)"), bytes_of_values(narrow, swapped)));
    CHECK(a.type == ScalarType::I16);
    CHECK(values_of<std::int16_t>(a) == narrow);
    const NpyArray b = good(npy(dictionary(swapped ? ">u2" : "<u2", "(3, 2)", "True"),
                                bytes_of_values<std::uint16_t>({1, 2, 3, 40000, 65535, 6}, swapped)));
    CHECK(values_of<std::uint16_t>(b) == std::vector<std::uint16_t>{1, 40000, 2, 65535, 3, 6});
  }
}

TEST_CASE("npy: types that there are none of are refused by name") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"<f2", "half-precision"}, {"<c8", "complex"},      {"<c16", "complex"}, {"|O", "Python objects"},
      {"<U5", "strings"},        {"|S3", "byte strings"}, {"<M8[s]", "dates"}, {"<f16", "extended"},
      {"|V4", "raw bytes"},      {"<i16", "'<i16'"},      {"", "''"},          {"<", "'<'"},
      {"><f4", "'><f4'"}};
  for (const auto& [descr, name] : cases) {
    const std::string message = refusal(npy(dictionary(descr, "(3,)"), three_bytes));
    CHECK_THAT(message, Contains(name) && Contains("f4 f8") && Contains("a.npy"));
  }
  CHECK_THAT(refusal(npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3,)}", three_bytes)),
             Contains("structured"));
}

TEST_CASE("npy: a file cut short anywhere is refused, and so is one byte too many") {
  const std::string whole = npy(dictionary("<i4", "(3,)"), three_bytes);
  REQUIRE(read_bytes(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK_THAT(refusal(whole.substr(0, size)), Contains("a.npy") && !Contains("accepted"));
  }
  CHECK_THAT(refusal(whole.substr(0, whole.size() - 1)), Contains("12 bytes of data") && Contains("11 found"));
  CHECK_THAT(refusal(whole + "x"), Contains("after its data") && Contains("13 found"));
  CHECK_THAT(refusal(npy(dictionary("<i4", "(0,)"), "x")), Contains("after its data"));
}

TEST_CASE("npy: malformed headers are refused, saying what is wrong") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "found the end"},
      {"[1, 2]", "'{'"},
      {"{}", "no 'descr'"},
      {"{'descr': '<i4', 'fortran_order': False}", "no 'shape'"},
      {"{'descr': '<i4', 'shape': (3,)}", "no 'fortran_order'"},
      {"{'descr': '<i4', 'descr': '<i4', 'fortran_order': False, 'shape': (3,)}", "'descr' twice"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,), 'x': 1}", "key 'x'"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,)} {}", "nothing after"},
      {std::string("{'descr': '<i4', 'fortran_order': False, 'shape': (3,)}\0", 56), "nothing after"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (3,)", "'}'"},
      {"{'descr': '<i4' 'fortran_order': False, 'shape': (3,)}", "','"},
      {"{'descr': '<i4', 'fortran_order': 0, 'shape': (3,)}", "True or False"},
      {"{'descr': '<i4', 'fortran_order': Falsehood, 'shape': (3,)}", "True or False"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (3)}", "only length"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': 3}", "'('"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': [3]}", "'('"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (3.0,)}", "only length"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (x,)}", "a length"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (,)}", "a length"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (_3,)}", "a length"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (3_,)}", "a length"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (3__0,)}", "a length"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (-3,)}", "negative"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "63-bit"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", "more elements"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296)}", "more elements"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (2305843009213693952,)}", "more elements"},
      {"{'descr': '<i4', 'fortran_order': False, 'shape': (2305843009213693951,)}", "cut short"},
      {"{'descr': '<i\\x34', 'fortran_order': False, 'shape': (3,)}", "without escapes"},
      {"{'descr': '<i4, 'fortran_order': False, 'shape': (3,)}", "'<i4, '"},
      {"{'descr': '<i4", "end of the string"},
      {"{'descr': '<i4', 'fortran_order': False, 'shap\xc3\xa9': (3,)}", "not ASCII"}};
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    CHECK_THAT(refusal(npy(text, three_bytes, 3)), Contains(expected));
  }
  std::string deep;
  for (int i = 0; i < 65; ++i) deep += "1,";
  CHECK_THAT(refusal(npy(dictionary("<i4", "(" + deep + ")"), "1234")), Contains("65 dimensions"));
}

TEST_CASE("npy: what is no .npy file is refused") {
  CHECK_THAT(refusal(""), Contains("empty"));
  CHECK_THAT(refusal("hello, this is text"), Contains("no .npy file"));
  CHECK_THAT(refusal("PK\x03\x04 and so on"), Contains(".npz"));
  CHECK_THAT(refusal(npy(dictionary("<i4", "(3,)"), three_bytes, 4)), Contains("format 4.0"));
  std::string minor = npy(dictionary("<i4", "(3,)"), three_bytes);
  minor[7] = 1;
  CHECK_THAT(refusal(minor), Contains("format 1.1"));
  CHECK_THAT(refusal(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)), Contains("4294967295 bytes expected"));
  const Folder folder;
  CHECK_THAT(read_npy(folder.path.string()).error(), Contains("folder"));
  CHECK_THAT(read_npy(folder.file("none.npy")).error(), Contains("No such file") && Contains("none.npy"));
  CHECK_THAT(read_npy("/dev/null").error(), Contains("regular"));
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  CHECK_THAT(read_npy(folder.file("pipe")).error(), Contains("regular"));
}

TEST_CASE("npy: what is written is read back in place, for every type and shape") {
  const Folder folder;
  const std::string path = folder.file("out.npy");
  alignas(8) unsigned char data[8 * 24];
  for (std::size_t i = 0; i < sizeof data; ++i) data[i] = static_cast<unsigned char>(i % 2);
  const std::vector<std::pair<ScalarType, std::size_t>> types{
      {ScalarType::Bool, 1}, {ScalarType::U8, 1},  {ScalarType::I32, 4}, {ScalarType::I64, 8},
      {ScalarType::U32, 4},  {ScalarType::U64, 8}, {ScalarType::F32, 4}, {ScalarType::F64, 8}};
  const std::vector<std::vector<std::int64_t>> shapes{{},     {1},       {24},      {0},
                                                      {4, 6}, {2, 3, 4}, {5, 0, 2}, std::vector<std::int64_t>(64, 1)};
  for (const auto& [type, width] : types)
    for (const auto& shape : shapes) {
      REQUIRE(write_npys({{path, type, shape, data}}));
      const auto array = read_npy(path);
      REQUIRE(array);
      CHECK(array->type == type);
      CHECK(array->shape == shape);
      CHECK_FALSE(array->copied);
      CHECK(reinterpret_cast<std::uintptr_t>(array->data) % 64 == 0);
      std::size_t count = width;
      for (const auto n : shape) count *= static_cast<std::size_t>(n);
      CHECK(std::memcmp(array->data, data, count) == 0);
    }
  CHECK(folder.names() == std::vector<std::string>{"out.npy"});
}

TEST_CASE("npy: a file's bytes are those that NumPy writes") {
  const Folder folder;
  REQUIRE(write_npys({{folder.file("a.npy"), ScalarType::I32, {3}, three.data()}}));
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }";
  expected += std::string(127 - expected.size(), ' ') + "\n" + three_bytes;
  CHECK(get(folder.file("a.npy")) == expected);
}

TEST_CASE("npy: a shape that is no shape is not written") {
  const Folder folder;
  CHECK_FALSE(write_npys({{folder.file("a.npy"), ScalarType::U8, {-1}, nullptr}}));
  CHECK_FALSE(write_npys({{folder.file("a.npy"), ScalarType::U8, std::vector<std::int64_t>(65, 1), "x"}}));
  CHECK(folder.names().empty());
}

TEST_CASE("files: all appear and replace what was there, or none do") {
  const Folder folder;
  put(folder.file("a"), "old");
  REQUIRE(write_files_atomically({{folder.file("a"), "new"}, {folder.file("b"), ""}}));
  CHECK(get(folder.file("a")) == "new");
  CHECK(folder.names() == std::vector<std::string>{"a", "b"});
  const auto missing = write_files_atomically({{folder.file("a"), "newer"}, {folder.file("none/c"), "c"}});
  REQUIRE_FALSE(missing);
  CHECK_THAT(missing.error(), Contains("none/c") && Contains("No such file") && Contains("folder must exist"));
  CHECK(get(folder.file("a")) == "new");
  CHECK(folder.names() == std::vector<std::string>{"a", "b"});
}

TEST_CASE("files: folders, devices and repeated names are refused") {
  const Folder folder;
  CHECK_THAT(write_files_atomically({{folder.path.string(), "x"}}).error(), Contains("it is a folder"));
  CHECK_THAT(write_files_atomically({{folder.file("new/"), "x"}}).error(), Contains("names a folder"));
  CHECK_THAT(write_files_atomically({{"", "x"}}).error(), Contains("no usable name"));
  CHECK_THAT(write_files_atomically({{folder.file("a"), "x"}, {folder.file("a"), "y"}}).error(), Contains("twice"));
  CHECK(folder.names().empty());
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  CHECK_THAT(write_files_atomically({{folder.file("pipe"), "x"}}).error(), Contains("not a regular file"));
  put(folder.file("plain"), "x");
  CHECK_THAT(write_files_atomically({{folder.file("plain/a"), "x"}}).error(), Contains("Not a directory"));
}

TEST_CASE("files: a link is followed and permissions are kept") {
  const Folder folder;
  put(folder.file("real"), "old");
  fs::permissions(folder.file("real"), fs::perms(0640));
  fs::create_symlink("real", folder.file("link"));
  REQUIRE(write_files_atomically({{folder.file("link"), "new"}}));
  CHECK(fs::is_symlink(folder.file("link")));
  CHECK(get(folder.file("real")) == "new");
  CHECK(fs::status(folder.file("real")).permissions() == fs::perms(0640));
}

TEST_CASE("files: a write that does not fit fails, leaving the old file and nothing else") {
  const Folder folder;
  put(folder.file("a"), "old");
  const pid_t child = ::fork();
  if (child == 0) {  // a limit on file sizes stands for a full disk; unhandled, its signal would kill
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto written = write_files_atomically({{folder.file("a"), std::string(5000, 'x')}});
    ::_exit(!written && written.error().find("File too large") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(get(folder.file("a")) == "old");
  CHECK(folder.names() == std::vector<std::string>{"a"});
}

TEST_CASE("memory: buffers of any size are aligned and writable to the end") {
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{65}, std::size_t{2} << 20, (std::size_t{5} << 20) + 3}) {
    auto buffer = allocate(bytes);
    REQUIRE(buffer);
    REQUIRE(buffer->data() != nullptr);
    CHECK(buffer->size() == bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer->data()) % (bytes < (2 << 20) ? 64 : 2 << 20) == 0);
    std::memset(buffer->data(), 1, bytes);
    const MemoryBlock moved = *std::move(buffer);
    CHECK(moved.size() == bytes);
  }
}

TEST_CASE("memory: more than there is is refused with both amounts") {
  const auto much = allocate(available_memory() * 2, "the output");
  REQUIRE_FALSE(much);
  CHECK_THAT(much.error(), Contains("the output") && Contains("needed") && Contains("available"));
  CHECK_FALSE(allocate(SIZE_MAX));
  CHECK_FALSE(check_memory(std::uint64_t{1} << 60, "all"));
  CHECK(check_memory(1, "all"));
}

TEST_CASE("memory: the least of the machine's and the control groups' is what there is") {
  const Folder folder;
  const std::string root = folder.path.string();
  const auto file = [&](const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(root + name).parent_path());
    put(root + name, text);
  };
  file("/proc/meminfo", "MemTotal:  9000000 kB\nMemAvailable:   1000 kB\n");
  CHECK(available_memory(root) == 1024000);
  file("/proc/self/cgroup", "0::/a/b\n");
  file("/sys/fs/cgroup/a/b/memory.max", "max\n");
  CHECK(available_memory(root) == 1024000);
  file("/sys/fs/cgroup/a/memory.max", "500000\n");
  file("/sys/fs/cgroup/a/memory.current", "400000\n");
  CHECK(available_memory(root) == 100000);
  file("/sys/fs/cgroup/a/memory.stat", "anon 5\ninactive_file 50000\n");
  CHECK(available_memory(root) == 150000);
  file("/proc/self/cgroup", "4:cpu:/\n3:memory,hugetlb:/x\n");
  file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000\n");
  file("/sys/fs/cgroup/memory/memory.usage_in_bytes", "4000\n");
  CHECK(available_memory(root) == 0);
}

TEST_CASE("memory: amounts read well") {
  CHECK(show_bytes(7) == "7 bytes");
  CHECK(show_bytes(1536) == "1.5 KiB");
  CHECK(show_bytes(std::uint64_t{3} << 30) == "3.0 GiB");
}

}  // namespace npy_test
