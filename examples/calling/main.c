/* A program that calls what `lockstep emit` writes, and needs nothing else of lockstep: the sum of a million numbers by
   reduction_gpu, on whatever its source was compiled for. README.md says how. */
#include <stdio.h>
#include <stdlib.h>

#include HEADER /* as -DHEADER says: "opencl/reduction_gpu.opencl.h" */

int main(void) {
  const int64_t n = 1000003;
  float* const xs = malloc(sizeof *xs * (size_t)n);
  if (!xs) return 1;
  for (int64_t k = 0; k < n; ++k) xs[k] = (float)(k % 8);

  float sum = 0;
  struct lockstep_reduction_gpu_trap trap = {0, 0, {0}};
  lockstep_reduction_gpu_time_limit(30); /* seconds for a kernel */
  for (int call = 0; call < 2; ++call) { /* the second finds memory and kernels as the first left them */
    const int32_t status = lockstep_reduction_gpu_call(n, xs, &sum, &trap);
    if (status == 4) fprintf(stderr, "the device: %s\n", lockstep_reduction_gpu_fault());
    if (status == 3 || status == 5) fprintf(stderr, "%s\n", lockstep_reduction_gpu_trap_text(trap.check));
    if (status != 0) return status;
  }
  printf("%.0f\n", sum);
  lockstep_reduction_gpu_release();
  free(xs);
  return 0;
}
