// How long kernels may take. One that has not ended by then is given up: it runs on, and until it has ended the device
// is busy and takes nothing from this text.
struct TimeLimit {
  double seconds = 0;  // 0: as long as they take
  bool given_up = false;
  const char* latest = "a kernel";  // that was launched
  static double now() {
    timespec t = {};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
  }
  // Until `state` is no longer 0, which it is while kernels run: 1 where all have ended, -1 where the device failed.
  // False where they have not ended in time; `said` is filled then.
  template <class State>
  bool wait(State state, char* said, size_t bytes) {
    if (seconds <= 0 && !given_up) return true;  // what waits for the device waits for them
    const double start = now();
    for (unsigned round = 0;; ++round) {
      if (const int is = state()) {
        given_up = false;
        return is > 0;
      }
      if (given_up || now() - start > seconds) break;
      const timespec a_little = {0, 50000};
      if (round > 2000) nanosleep(&a_little, nullptr);
    }
    if (given_up)
      snprintf(said, bytes, "the device is busy: %s, which was given up, has not ended", latest);
    else
      snprintf(said, bytes, "%s has not ended in %g s, and is given up; the device is busy until it has", latest,
               seconds);
    given_up = true;
    return false;
  }
} time_limit;
// The device's own time for kernels, where it is asked for: each is waited for then.
struct KernelTime {
  bool asked = false;
  double seconds = 0;
} kernel_time;
