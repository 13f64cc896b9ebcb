// timing: yes
// Integer intrinsics at the edges: __clz, __ffs, __brev, __popc (32 and 64 bits), __mulhi, __umulhi, __mul24,
// __byte_perm,
// __sad, funnel shifts written out, 64-bit multiplication, division and shifts, division by variables.
#include <climits>

#include "check.h"

using u64 = unsigned long long;
constexpr int n_results = 20;

static uint32_t reversed(uint32_t x) {
  uint32_t r = 0;
  for (int b = 0; b < 32; ++b) r |= (x >> b & 1) << (31 - b);
  return r;
}
static u64 reversed64(u64 x) {
  return u64{reversed(static_cast<uint32_t>(x))} << 32 | reversed(static_cast<uint32_t>(x >> 32));
}
static uint32_t bytes_of(uint32_t a, uint32_t b, uint32_t selector) {
  const u64 both = u64{b} << 32 | a;
  uint32_t r = 0;
  for (int k = 0; k < 4; ++k) r |= static_cast<uint32_t>(both >> (selector >> (4 * k) & 7) * 8 & 0xff) << (8 * k);
  return r;
}

__global__ void intrinsics(const uint32_t* a_in, const uint32_t* b_in, u64* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint32_t a = a_in[i];
  const uint32_t b = b_in[i];
  const u64 wide = u64{a} << 32 | b;
  u64* const row = out + i * n_results;
  row[0] = __clz(static_cast<int>(a));
  row[1] = __ffs(a);
  row[2] = __brev(a);
  row[3] = __popc(a);
  row[4] = __clzll(static_cast<long long>(wide));
  row[5] = __ffsll(wide);
  row[6] = __brevll(wide);
  row[7] = __popcll(wide);
  row[8] = static_cast<uint32_t>(__mulhi(static_cast<int>(a), static_cast<int>(b)));
  row[9] = __umulhi(a, b);
  row[10] = static_cast<uint32_t>(__mul24(static_cast<int>(a), static_cast<int>(b)));
  row[11] = __byte_perm(a, b, 0x6140);
  row[12] = __sad(static_cast<int>(a >> 1), static_cast<int>(b >> 1), 7u);
  row[13] = b != 0 ? a / b : 1;
  row[14] = b != 0 ? static_cast<uint32_t>(static_cast<int>(a >> 1) % -static_cast<int>((b >> 1) | 1)) : 2;
  row[15] = wide * (u64{b} << 7 | 3);
  row[16] = wide / (u64{b} + 1);
  row[17] = static_cast<u64>(static_cast<long long>(wide) % (static_cast<long long>(b) + 3));
  row[18] = static_cast<u64>(static_cast<long long>(wide) >> (b & 63)) ^ wide << (a & 63);
  row[19] = __umul64hi(wide, u64{b} << 32 | a);
}

static void reference(uint32_t a, uint32_t b, u64* row) {
  const u64 wide = u64{a} << 32 | b;
  const auto sign24 = [](uint32_t x) { return static_cast<int32_t>(x << 8) >> 8; };
  row[0] = a == 0 ? 32 : __builtin_clz(a);
  row[1] = __builtin_ffs(static_cast<int>(a));
  row[2] = reversed(a);
  row[3] = __builtin_popcount(a);
  row[4] = wide == 0 ? 64 : __builtin_clzll(wide);
  row[5] = __builtin_ffsll(static_cast<long long>(wide));
  row[6] = reversed64(wide);
  row[7] = __builtin_popcountll(wide);
  row[8] = static_cast<uint32_t>((int64_t{static_cast<int>(a)} * static_cast<int>(b)) >> 32);
  row[9] = static_cast<uint32_t>((u64{a} * b) >> 32);
  row[10] = static_cast<uint32_t>(int64_t{sign24(a)} * sign24(b));
  row[11] = bytes_of(a, b, 0x6140);
  const uint32_t x = a >> 1, y = b >> 1;
  row[12] = (x > y ? x - y : y - x) + 7;
  row[13] = b != 0 ? a / b : 1;
  row[14] = b != 0 ? static_cast<uint32_t>(static_cast<int>(a >> 1) % -static_cast<int>((b >> 1) | 1)) : 2;
  row[15] = wide * (u64{b} << 7 | 3);
  row[16] = wide / (u64{b} + 1);
  row[17] = static_cast<u64>(static_cast<long long>(wide) % (static_cast<long long>(b) + 3));
  row[18] = static_cast<u64>(static_cast<long long>(wide) >> (b & 63)) ^ wide << (a & 63);
  row[19] = static_cast<u64>((static_cast<unsigned __int128>(wide) * (u64{b} << 32 | a)) >> 64);
}

int main() {
  check::random_source random(31);
  const uint32_t edges[] = {0,          1,          2,          3,          0x7fffffff, 0x80000000,
                            0x80000001, 0xffffffff, 0x00ffffff, 0x00800000, 0x55555555};
  std::vector<uint32_t> a, b;
  for (const uint32_t x : edges) {
    for (const uint32_t y : edges) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  while (a.size() < 250) {
    a.push_back(random.bits() >> random.below(32));
    b.push_back(random.bits() >> random.below(32));
  }
  const int n = static_cast<int>(a.size());
  check::device_array<uint32_t> device_a(a), device_b(b);
  check::device_array<u64> out(static_cast<size_t>(n) * n_results);
  intrinsics<<<check::blocks_for(n, 96), 96>>>(device_a.get(), device_b.get(), out.get(), n);
  CHECK_LAUNCH();
  const auto got = out.download();
  for (int i = 0; i < n; ++i) {
    u64 want[n_results];
    reference(a[i], b[i], want);
    for (int k = 0; k < n_results; ++k) {
      CHECK(got[i * n_results + k] == want[k], "result %d of 0x%x, 0x%x: 0x%llx, expected 0x%llx", k, a[i], b[i],
            got[i * n_results + k], want[k]);
    }
  }
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
