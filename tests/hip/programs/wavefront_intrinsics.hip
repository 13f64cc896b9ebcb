// Cross-lane functions in wavefronts of 64: __shfl, __shfl_up, __shfl_down, __shfl_xor (several widths and types),
// __ballot, __any, __all, __popcll, __lane_id, prefix counts, also with lanes switched off and in a partial wavefront.
#include "check.h"

using u64 = unsigned long long;

__global__ void shuffles(const int* in, int* out, double* doubles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = in[i];
  int* const row = out + i * 6;
  row[0] = __shfl(x, (threadIdx.x * 7 + 3) & 63);
  row[1] = __shfl_up(x, 5);
  row[2] = __shfl_down(x, 9);
  row[3] = __shfl_xor(x, 33);
  row[4] = __shfl(x, 3, 16);
  row[5] = __shfl_xor(x, 4, 8);
  double sum = x * 0.5;
  for (int step = 32; step > 0; step /= 2) sum += __shfl_xor(sum, step);
  if (i < n) doubles[i] = sum;
}

__global__ void votes(const int* in, u64* ballots, int* flags, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // the last wavefront is partial: its missing lanes take no part
  const int x = in[i];
  u64 even = 0;
  int any = 0, all = 0;
  if (x % 3 != 0) {
    even = __ballot(x % 2 == 0);
    any = __any(x > 990);
    all = __all(x > 5);
  }
  ballots[i] = even;
  const u64 big = __ballot(x > 500);
  const int rank = __popcll(big & ((u64{1} << __lane_id()) - 1));
  flags[i] = any | all << 1 | rank << 2;
}

int main() {
  const int n = 64 * 5;
  check::random_source random(30);
  std::vector<int> in(n);
  for (auto& x : in) x = static_cast<int>(random.below(1000));
  check::device_array<int> device_in(in), out(n * 6);
  check::device_array<double> doubles(n);
  shuffles<<<n / 64, 64>>>(device_in.get(), out.get(), doubles.get(), n);
  CHECK_LAUNCH();
  std::vector<int> want(n * 6);
  std::vector<double> want_sums(n);
  for (int i = 0; i < n; ++i) {
    const int lane = i % 64;
    const int* wave = &in[i - lane];
    want[i * 6] = wave[(lane * 7 + 3) & 63];
    want[i * 6 + 1] = wave[lane < 5 ? lane : lane - 5];
    want[i * 6 + 2] = wave[lane + 9 > 63 ? lane : lane + 9];
    want[i * 6 + 3] = wave[lane ^ 33];
    want[i * 6 + 4] = wave[lane / 16 * 16 + 3];
    want[i * 6 + 5] = wave[lane ^ 4];
    for (int l = 0; l < 64; ++l) want_sums[i] += wave[l] * 0.5;
  }
  CHECK_SAME("shuffles", out.download(), want);
  CHECK_SAME("sum by __shfl_xor", doubles.download(), want_sums);

  const int m = n - 23;
  check::device_array<u64> ballots(m);
  check::device_array<int> flags(m);
  votes<<<check::blocks_for(m, 192), 192>>>(device_in.get(), ballots.get(), flags.get(), m);
  CHECK_LAUNCH();
  std::vector<u64> want_ballots(m);
  std::vector<int> want_flags(m);
  for (int i = 0; i < m; ++i) {
    const int first = i / 64 * 64;
    const int end = std::min(first + 64, m);
    bool any = false, all = true;
    u64 even = 0;
    int rank = 0;
    for (int k = first; k < end; ++k) {
      if (in[k] % 3 != 0) {
        any = any || in[k] > 990;
        all = all && in[k] > 5;
        if (in[k] % 2 == 0) even |= u64{1} << (k - first);
      }
      if (k < i && in[k] > 500) ++rank;
    }
    const bool takes_part = in[i] % 3 != 0;
    want_ballots[i] = takes_part ? even : 0;
    want_flags[i] = (takes_part ? int{any} | int{all} << 1 : 0) | rank << 2;
  }
  CHECK_SAME("ballots", ballots.download(), want_ballots);
  CHECK_SAME("votes and ranks", flags.download(), want_flags);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
