// queues: yes
// misuses: memory
// Stream-ordered allocation: pools of the program's own, the device's default one, what they count, and wrong use.
#include "check.h"

__global__ void add(int* data, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += by;
}

static uint64_t number(hipMemPool_t pool, hipMemPoolAttr attribute) {
  uint64_t value = ~uint64_t{0};
  HIP_CHECK(hipMemPoolGetAttribute(pool, attribute, &value));
  return value;
}
static void counts(hipMemPool_t pool, uint64_t used, uint64_t high) {
  CHECK(number(pool, hipMemPoolAttrUsedMemCurrent) == used && number(pool, hipMemPoolAttrReservedMemCurrent) >= used &&
            number(pool, hipMemPoolAttrUsedMemHigh) == high && number(pool, hipMemPoolAttrReservedMemHigh) >= high,
        "used %llu, at most %llu; wanted %llu and %llu",
        static_cast<unsigned long long>(number(pool, hipMemPoolAttrUsedMemCurrent)),
        static_cast<unsigned long long>(number(pool, hipMemPoolAttrUsedMemHigh)), static_cast<unsigned long long>(used),
        static_cast<unsigned long long>(high));
}

static hipMemPoolProps on_device(int id) {
  hipMemPoolProps p{};
  p.allocType = hipMemAllocationTypePinned;
  p.location = {hipMemLocationTypeDevice, id};
  return p;
}

// Allocated, used and freed in a stream's order, many times.
static void work(hipStream_t stream, hipMemPool_t pool, int n) {
  std::vector<int> host(n, 3), got(n);
  int* data = nullptr;
  HIP_CHECK(hipMallocFromPoolAsync(reinterpret_cast<void**>(&data), n * sizeof(int), pool, stream));
  HIP_CHECK(hipMemcpyAsync(data, host.data(), n * sizeof(int), hipMemcpyHostToDevice, stream));
  add<<<check::blocks_for(n, 64), 64, 0, stream>>>(data, n, 4);
  CHECK_LAUNCH();
  HIP_CHECK(hipMemcpyAsync(got.data(), data, n * sizeof(int), hipMemcpyDeviceToHost, stream));
  HIP_CHECK(hipFreeAsync(data, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_SAME("memory of a pool", got, std::vector<int>(n, 7));
}

int main(int argc, char**) {
  if (argc > 1) {  // the environment hides the device
    hipMemPool_t none = nullptr;
    EXPECT_ERROR(hipErrorNoDevice, hipDeviceGetDefaultMemPool(&none, 0));
    EXPECT_ERROR(hipErrorNoDevice, hipDeviceGetMemPool(&none, 0));
    return check::pass();
  }
  int supported = 0;
  HIP_CHECK(hipDeviceGetAttribute(&supported, hipDeviceAttributeMemoryPoolsSupported, 0));
  CHECK(supported == 1, "pools are not supported");
  hipMemPool_t standard = nullptr, current = nullptr, pool = nullptr;
  HIP_CHECK(hipDeviceGetDefaultMemPool(&standard, 0));
  HIP_CHECK(hipDeviceGetMemPool(&current, 0));
  CHECK(standard != nullptr && current == standard, "the default pool is not the current one");
  counts(standard, 0, 0);

  // A pool of the program's own becomes the current one, from which hipMallocAsync takes.
  const hipMemPoolProps props = on_device(0);
  HIP_CHECK(hipMemPoolCreate(&pool, &props));
  HIP_CHECK(hipDeviceSetMemPool(0, pool));
  HIP_CHECK(hipDeviceGetMemPool(&current, 0));
  CHECK(current == pool && pool != standard, "the pool is not the current one");
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  void *a = nullptr, *b = nullptr, *c = nullptr;
  HIP_CHECK(hipMallocAsync(&a, 1000, stream));
  HIP_CHECK(hipMallocAsync(&b, 24, nullptr));
  HIP_CHECK(hipMallocFromPoolAsync(&c, 5, standard, stream));
  counts(pool, 1024, 1024);
  counts(standard, 5, 5);
  HIP_CHECK(hipFreeAsync(b, stream));
  counts(pool, 1000, 1024);
  HIP_CHECK(hipFree(a));  // any way to free will do
  counts(pool, 0, 1024);
  uint64_t zero = 0;
  HIP_CHECK(hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemHigh, &zero));
  counts(pool, 0, 0);
  HIP_CHECK(hipFreeAsync(c, nullptr));
  counts(standard, 0, 5);
  for (const int n : {1, 63, 1000}) work(stream, n == 63 ? standard : pool, n);
  size_t before = 0, after = 0, total = 0;
  HIP_CHECK(hipMemGetInfo(&before, &total));
  for (int k = 0; k < 200; ++k) work(stream, pool, 500 + k);
  HIP_CHECK(hipMemPoolTrimTo(pool, 0));
  HIP_CHECK(hipMemGetInfo(&after, &total));
  CHECK(before == after, "%zu bytes were free, and %zu are", before, after);
  void* nothing = &zero;
  HIP_CHECK(hipMallocAsync(&nothing, 0, stream));
  CHECK(nothing == nullptr, "0 bytes have an address");

  // Attributes are kept.
  int off = 0, flag = 7;
  uint64_t threshold = uint64_t{1} << 40, got = 0;
  for (const hipMemPoolAttr which : {hipMemPoolReuseFollowEventDependencies, hipMemPoolReuseAllowOpportunistic,
                                     hipMemPoolReuseAllowInternalDependencies}) {
    HIP_CHECK(hipMemPoolGetAttribute(pool, which, &flag));
    CHECK(flag == 1, "reuse is off at first");
    HIP_CHECK(hipMemPoolSetAttribute(pool, which, &off));
    HIP_CHECK(hipMemPoolGetAttribute(pool, which, &flag));
    CHECK(flag == 0, "reuse is still on");
    HIP_CHECK(hipMemPoolGetAttribute(standard, which, &flag));
    CHECK(flag == 1, "another pool's attribute has changed");
  }
  HIP_CHECK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
  HIP_CHECK(hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, &got));
  CHECK(got == threshold, "the threshold was not kept");

  // Access.
  hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  HIP_CHECK(hipMemPoolSetAccess(pool, &access, 1));
  HIP_CHECK(hipMemPoolSetAccess(pool, nullptr, 0));
  hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
  HIP_CHECK(hipMemPoolGetAccess(&flags, pool, &access.location));
  CHECK(flags == hipMemAccessFlagsProtReadWrite, "the device cannot write its own pool");
  access.flags = hipMemAccessFlagsProtNone;
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolSetAccess(pool, &access, 1));
  access = {{hipMemLocationTypeDevice, 1}, hipMemAccessFlagsProtReadWrite};
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolSetAccess(pool, &access, 1));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolSetAccess(pool, nullptr, 1));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolGetAccess(&flags, pool, nullptr));

  // Wrong use.
  uint64_t one = 1;
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemHigh, &one));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &zero));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolGetAttribute(pool, static_cast<hipMemPoolAttr>(99), &got));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, nullptr));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolDestroy(standard));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolDestroy(nullptr));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolCreate(nullptr, &props));
  hipMemPoolProps wrong = on_device(1);
  hipMemPool_t none = nullptr;
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolCreate(&none, &wrong));
  wrong = {};
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolCreate(&none, &wrong));
  wrong = on_device(0);
  wrong.handleTypes = hipMemHandleTypePosixFileDescriptor;
  EXPECT_ERROR(hipErrorNotSupported, hipMemPoolCreate(&none, &wrong));
  EXPECT_ERROR(hipErrorInvalidDevice, hipDeviceGetMemPool(&none, 1));
  EXPECT_ERROR(hipErrorInvalidDevice, hipDeviceSetMemPool(3, pool));
  EXPECT_ERROR(hipErrorInvalidValue, hipFreeAsync(nullptr, stream));
  void* huge = nullptr;
  EXPECT_ERROR(hipErrorOutOfMemory, hipMallocFromPoolAsync(&huge, ~size_t{0} / 2, pool, stream));
  CHECK(huge == nullptr, "memory that is not there has an address");

  // A pool that is destroyed: what is allocated from it stays, and the default one is the current one again.
  HIP_CHECK(hipMallocAsync(&a, 4000, stream));
  HIP_CHECK(hipMemPoolDestroy(pool));
  HIP_CHECK(hipDeviceGetMemPool(&current, 0));
  CHECK(current == standard, "a destroyed pool is the current one");
  HIP_CHECK(hipMemset(a, 0, 4000));
  add<<<10, 100, 0, stream>>>(static_cast<int*>(a), 1000, 8);
  CHECK_LAUNCH();
  std::vector<int> eights(1000);
  HIP_CHECK(hipMemcpy(eights.data(), a, 4000, hipMemcpyDeviceToHost));
  CHECK_SAME("memory of a pool that is gone", eights, std::vector<int>(1000, 8));
  HIP_CHECK(hipFreeAsync(a, stream));
  EXPECT_ERROR(hipErrorInvalidValue, hipFreeAsync(a, stream));
  EXPECT_ERROR(hipErrorInvalidValue, hipMemPoolDestroy(pool));
  EXPECT_ERROR(hipErrorInvalidValue, hipDeviceSetMemPool(0, pool));
  EXPECT_ERROR(hipErrorInvalidValue, hipMallocFromPoolAsync(&a, 16, pool, stream));
  HIP_CHECK(hipStreamDestroy(stream));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
