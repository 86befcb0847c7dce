// Other programs, run and measured.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::bench {

struct Process {
  double seconds = 0;
  std::int64_t peak_kib = 0;  // resident; of `run`, at least what its parent had held when it was started
  int status = 0;
};

// What stands behind a process's standard input and output; a descriptor goes before a name.
struct Ends {
  std::string input = "/dev/null", output = "/dev/null";
  int input_descriptor = -1;
};

Process run(const std::vector<std::string>& arguments, const Ends& ends = {});
// Its peak is its own, and its time a little coarse.
Process run_watched(const std::vector<std::string>& arguments, const Ends& ends = {});
// `source | arguments`, the second watched.
Process run_piped(const std::vector<std::string>& source, const std::vector<std::string>& arguments);

double median_seconds(const std::vector<std::string>& arguments, int rounds = 7);
// What it wrote to standard output. Ends this program where it failed.
std::string output_of(const std::vector<std::string>& arguments, const std::string& input = "/dev/null");
bool same_content(const std::string& a, const std::string& b);

}  // namespace lockstep::bench
