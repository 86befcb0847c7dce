// A cuBLAS that is none, for the driver that is none (fake_cuda.cpp), whose device's memory is the host's: matrices by
// columns, sums in order.
//   FAKE_CUBLAS_FAIL=1      cublasCreate gives an error
//   FAKE_CUBLAS_WRONG=1     the sum of products is one more
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

namespace {

// The element of an operand, which may be transposed.
float at(const float* a, int leading, int operation, int row, int column) {
  return operation == 0 ? a[(int64_t)column * leading + row] : a[(int64_t)row * leading + column];
}

}  // namespace

extern "C" {

int cublasCreate_v2(void** handle) {
  static int there = 1;
  *handle = &there;
  return getenv("FAKE_CUBLAS_FAIL") ? 1 : 0;
}
int cublasSetPointerMode_v2(void*, int) { return 0; }
int cublasSscal_v2(void*, int n, const float* alpha, float* x, int step) {
  for (int k = 0; k < n; ++k) x[(int64_t)k * step] *= *alpha;
  return 0;
}
int cublasSasum_v2(void*, int n, const float* x, int step, float* result) {
  *result = 0;
  for (int k = 0; k < n; ++k) *result += fabsf(x[(int64_t)k * step]);
  return 0;
}
int cublasSdot_v2(void*, int n, const float* x, int x_step, const float* y, int y_step, float* result) {
  *result = getenv("FAKE_CUBLAS_WRONG") ? 1 : 0;
  for (int k = 0; k < n; ++k) *result += x[(int64_t)k * x_step] * y[(int64_t)k * y_step];
  return 0;
}
int cublasSgemv_v2(void*, int operation, int m, int n, const float* alpha, const float* a, int leading, const float* x,
                   int x_step, const float* beta, float* y, int y_step) {
  const int rows = operation == 0 ? m : n, columns = operation == 0 ? n : m;
  for (int row = 0; row < rows; ++row) {
    float sum = 0, *to = y + (int64_t)row * y_step;
    for (int k = 0; k < columns; ++k) sum += at(a, leading, operation, row, k) * x[(int64_t)k * x_step];
    *to = *alpha * sum + (*beta == 0 ? 0 : *beta * *to);
  }
  return 0;
}
int cublasSgemm_v2(void*, int of_a, int of_b, int m, int n, int k, const float* alpha, const float* a, int a_leading,
                   const float* b, int b_leading, const float* beta, float* c, int c_leading) {
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      float sum = 0, *to = c + (int64_t)column * c_leading + row;
      for (int i = 0; i < k; ++i) sum += at(a, a_leading, of_a, row, i) * at(b, b_leading, of_b, i, column);
      *to = *alpha * sum + (*beta == 0 ? 0 : *beta * *to);
    }
  return 0;
}
int cublasSgeam(void*, int of_a, int of_b, int m, int n, const float* alpha, const float* a, int a_leading,
                const float* beta, const float* b, int b_leading, float* c, int c_leading) {
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row)
      c[(int64_t)column * c_leading + row] =
          *alpha * at(a, a_leading, of_a, row, column) + (*beta == 0 ? 0 : *beta * at(b, b_leading, of_b, row, column));
  return 0;
}
}
