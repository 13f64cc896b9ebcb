// SPDX-License-Identifier: Apache-2.0
// What compute units of different threads do to the same bytes: `parallel_units KIND` is right or says what is wrong.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr unsigned blocks = 64, threads = 128, times = 20, all = blocks * threads * times;

struct totals {
  unsigned add, sub, inc, dec, umin, umax, bits_or, bits_and, bits_xor, swaps, compared;
  int smin, smax;
  float fadd;
  double dadd;
  unsigned long long add64, max64, xor64, compared64;
  unsigned lock, locked;
  unsigned bytes[4];
};

__global__ void atomics(totals* t) {
  const unsigned me = blockIdx.x * threads + threadIdx.x;
  for (unsigned k = 0; k < times; ++k) {
    const unsigned mine = me * times + k;
    atomicAdd(&t->add, 3);
    atomicSub(&t->sub, 5);
    atomicInc(&t->inc, 1000);
    atomicDec(&t->dec, 1000);
    atomicMin(&t->umin, ~mine);
    atomicMax(&t->umax, mine);
    atomicOr(&t->bits_or, 1u << mine % 32);
    atomicAnd(&t->bits_and, ~(1u << mine % 31));
    atomicXor(&t->bits_xor, mine);
    atomicMin(&t->smin, -int(mine));
    atomicMax(&t->smax, int(mine));
    atomicAdd(&t->fadd, 1.0f);
    atomicAdd(&t->dadd, 0.5);
    atomicAdd(&t->add64, 0x100000001ull);
    atomicMax(&t->max64, (unsigned long long)mine << 32);
    atomicXor(&t->xor64, (unsigned long long)mine << 20);
    unsigned seen = t->compared, found;
    while ((found = atomicCAS(&t->compared, seen, seen + 1)) != seen) seen = found;
    unsigned long long seen64 = t->compared64, found64;
    while ((found64 = atomicCAS(&t->compared64, seen64, seen64 + (1ull << 33))) != seen64) seen64 = found64;
  }
}

// Whatever is exchanged stays: the sum of what was taken out, and of what is left.
__global__ void exchanges(unsigned* place, unsigned long long* sum) {
  const unsigned me = blockIdx.x * threads + threadIdx.x + 1;
  for (unsigned k = 0; k < times; ++k) atomicAdd(sum, (unsigned long long)atomicExch(place, me));
}

// Counts that only a lock protects; one work-item of a wavefront takes it.
__global__ void locks(unsigned* lock, volatile unsigned* count) {
  if (threadIdx.x % 64 != 0) return;
  for (unsigned k = 0; k < times; ++k) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Each block waits for the one before it, and passes on what it has got, in a plain store behind a fence.
__global__ void messages(volatile unsigned* value, volatile unsigned* flag) {
  if (threadIdx.x != 0) return;
  const unsigned me = blocks - 1 - blockIdx.x;  // a later one comes first
  while (flag[me] == 0) {
  }
  __threadfence();
  value[me + 1] = value[me] * 3 + 1;
  __threadfence();
  flag[me + 1] = 1;
}

// Stores of 32 and 64 bits are there as a whole.
__global__ void whole(unsigned long long* wide, unsigned* narrow, unsigned* torn) {
  for (unsigned k = 0; k < 400; ++k) {
    if (blockIdx.x % 2 == 0) {
      __hip_atomic_store(wide, k % 2 == 0 ? ~0ull : 0ull, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
      __hip_atomic_store(narrow, k % 2 == 0 ? ~0u : 0u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    } else {
      const unsigned long long w = __hip_atomic_load(wide, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
      const unsigned n = __hip_atomic_load(narrow, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
      if ((w != 0 && w != ~0ull) || (n != 0 && n != ~0u)) atomicAdd(torn, 1);
    }
  }
}

// Each block writes its own, from what nobody writes: the same bytes with any number of threads.
__global__ void apart(const unsigned* in, unsigned* out) {
  __shared__ unsigned part[threads];
  unsigned v = in[blockIdx.x * threads + threadIdx.x];
  for (unsigned k = 0; k < 50; ++k) {
    part[threadIdx.x] = v;
    __syncthreads();
    v = v * 1664525u + part[(threadIdx.x * 7 + k) % threads];
    __syncthreads();
    if (v & 1) v ^= 0x5bd1e995;
  }
  out[blockIdx.x * threads + threadIdx.x] = v;
}

__global__ void prints(unsigned n) {
  if (threadIdx.x == 0 && blockIdx.x < n) printf("block %u of %u\n", unsigned(blockIdx.x), n);
}

__global__ void wrong(unsigned* p, unsigned* others) {
  for (unsigned k = 0; k < 200; ++k) atomicAdd(others, 1);
  if (blockIdx.x == 37 && threadIdx.x == 5) p[1u << 28] = 1;
}

__global__ void forever(volatile unsigned* p) {
  while (*p == 0) {
  }
}

void check(hipError_t e, const char* what) {
  if (e == hipSuccess) return;
  printf("%s: %s\n", what, hipGetErrorName(e));
  exit(3);
}
#define CHECK(x) check(x, #x)
#define IS(what, wanted)              \
  if (!((what) == (wanted))) {        \
    printf("%s is wrong\n", #what);   \
    return 1;                         \
  }

template <class T>
T* zeros(size_t n) {
  T* p;
  CHECK(hipMalloc(&p, n * sizeof(T)));
  CHECK(hipMemset(p, 0, n * sizeof(T)));
  return p;
}
template <class T>
std::vector<T> got(const T* p, size_t n) {
  std::vector<T> v(n);
  CHECK(hipMemcpy(v.data(), p, n * sizeof(T), hipMemcpyDeviceToHost));
  return v;
}

int main(int, char** arguments) {
  const auto is = [&](const char* name) { return strcmp(arguments[1], name) == 0; };
  if (is("atomics")) {
    totals first{};
    first.umin = ~0u;
    first.bits_and = ~0u;
    totals* const d = zeros<totals>(1);
    CHECK(hipMemcpy(d, &first, sizeof first, hipMemcpyHostToDevice));
    hipLaunchKernelGGL(atomics, blocks, threads, 0, 0, d);
    const totals t = got(d, 1)[0];
    unsigned exclusive = 0;
    for (unsigned k = 0; k < all; ++k) exclusive ^= k;
    IS(t.add, 3 * all);
    IS(t.sub, 0u - 5 * all);
    IS(t.inc, all % 1001);
    IS(t.dec, (1001 - all % 1001) % 1001);
    IS(t.umin, ~(all - 1));
    IS(t.umax, all - 1);
    IS(t.bits_or, ~0u);
    IS(t.bits_and, 1u << 31);
    IS(t.bits_xor, exclusive);
    IS(t.smin, -int(all - 1));
    IS(t.smax, int(all - 1));
    IS(t.fadd, float(all));
    IS(t.dadd, all * 0.5);
    IS(t.add64, 0x100000001ull * all);
    IS(t.max64, (unsigned long long)(all - 1) << 32);
    IS(t.xor64, (unsigned long long)exclusive << 20);
    IS(t.compared, all);
    IS(t.compared64, (unsigned long long)all << 33);
  } else if (is("exchanges")) {
    unsigned* const place = zeros<unsigned>(1);
    unsigned long long* const sum = zeros<unsigned long long>(1);
    hipLaunchKernelGGL(exchanges, blocks, threads, 0, 0, place, sum);
    const unsigned long long n = blocks * threads;
    IS(got(sum, 1)[0] + got(place, 1)[0], n * (n + 1) / 2 * times);
  } else if (is("locks")) {
    unsigned *const lock = zeros<unsigned>(1), *const count = zeros<unsigned>(1);
    hipLaunchKernelGGL(locks, blocks, threads, 0, 0, lock, count);
    IS(got(count, 1)[0], blocks * (threads / 64) * times);
  } else if (is("messages")) {
    unsigned *const value = zeros<unsigned>(blocks + 1), *const flag = zeros<unsigned>(blocks + 1), one = 1, wanted = 1;
    CHECK(hipMemcpy(value, &one, 4, hipMemcpyHostToDevice));
    CHECK(hipMemcpy(flag, &one, 4, hipMemcpyHostToDevice));
    hipLaunchKernelGGL(messages, blocks, 64, 0, 0, value, flag);
    for (unsigned k = 0; k < blocks; ++k) wanted = wanted * 3 + 1;
    IS(got(value, blocks + 1)[blocks], wanted);
  } else if (is("whole")) {
    unsigned long long* const wide = zeros<unsigned long long>(1);
    unsigned *const narrow = zeros<unsigned>(1), *const torn = zeros<unsigned>(1);
    hipLaunchKernelGGL(whole, blocks, 1, 0, 0, wide, narrow, torn);
    IS(got(torn, 1)[0], 0u);
  } else if (is("apart")) {
    std::vector<unsigned> in(blocks * threads);
    for (size_t k = 0; k < in.size(); ++k) in[k] = k * 2654435761u;
    unsigned *const from = zeros<unsigned>(in.size()), *const to = zeros<unsigned>(in.size());
    CHECK(hipMemcpy(from, in.data(), in.size() * 4, hipMemcpyHostToDevice));
    for (int k = 0; k < 5; ++k) hipLaunchKernelGGL(apart, blocks, threads, 0, 0, k % 2 ? to : from, k % 2 ? from : to);
    for (const unsigned v : got(to, in.size())) printf("%x ", v);
    printf("\n");
  } else if (is("prints")) {
    hipLaunchKernelGGL(prints, blocks, threads, 0, 0, blocks);
    CHECK(hipDeviceSynchronize());
  } else if (is("wrong")) {
    unsigned *const p = zeros<unsigned>(1), *const others = zeros<unsigned>(1);
    hipLaunchKernelGGL(wrong, blocks, threads, 0, 0, p, others);
    CHECK(hipDeviceSynchronize());
  } else if (is("forever")) {
    unsigned* const p = zeros<unsigned>(1);
    hipLaunchKernelGGL(forever, blocks, threads, 0, 0, p);
    CHECK(hipDeviceSynchronize());
  } else {
    return 2;
  }
  printf("right\n");
  return 0;
}
