// Stream-ordered allocation and memory pools.
#include "conformance.h"

namespace {

__global__ void fill(int* data, int value) {
  data[threadIdx.x] = value;
}

hipMemPoolProps properties() {
  hipMemPoolProps p = {};
  p.allocType = hipMemAllocationTypePinned;
  p.handleTypes = hipMemHandleTypeNone;
  p.location.type = hipMemLocationTypeDevice;
  p.location.id = 0;
  return p;
}
struct own_pool {
  hipMemPool_t p = nullptr;
  own_pool() {
    const hipMemPoolProps props = properties();
    OK(hipMemPoolCreate(&p, &props));
  }
  ~own_pool() { static_cast<void>(hipMemPoolDestroy(p)); }
  own_pool(const own_pool&) = delete;
  own_pool& operator=(const own_pool&) = delete;
  operator hipMemPool_t() const { return p; }
};
hipMemPool_t standard() {
  hipMemPool_t p = nullptr;
  OK(hipDeviceGetDefaultMemPool(&p, 0));
  return p;
}
uint64_t number(hipMemPool_t p, hipMemPoolAttr a) {
  uint64_t value = 99;
  OK(hipMemPoolGetAttribute(p, a, &value));
  return value;
}

CASE(allocate_and_free) {
  const own_stream s;
  int* data = nullptr;
  OK(hipMallocAsync(&data, 256, s));
  fill<<<1, 64, 0, s>>>(data, 7);
  int got = 0;
  OK(hipMemcpyAsync(&got, data, 4, hipMemcpyDeviceToHost, s));
  OK(hipFreeAsync(data, s));
  OK(hipStreamSynchronize(s));
  SAME(got, 7);
}
CASE(allocate_in_the_null_stream) {
  int* data = nullptr;
  OK(hipMallocAsync(&data, 256, static_cast<hipStream_t>(nullptr)));
  OK(hipFreeAsync(data, nullptr));
}
CASE(free_plainly) {
  const own_stream s;
  int* data = nullptr;
  OK(hipMallocAsync(&data, 256, s));
  OK(hipStreamSynchronize(s));
  OK(hipFree(data));
}
CASE(free_twice) {
  int* data = nullptr;
  OK(hipMallocAsync(&data, 256, static_cast<hipStream_t>(nullptr)));
  OK(hipFreeAsync(data, nullptr));
  GIVES(hipErrorInvalidValue, hipFreeAsync(data, nullptr));
}
CASE(allocate_nothing) {
  int* data = reinterpret_cast<int*>(&data);
  OK(hipMallocAsync(&data, 0, static_cast<hipStream_t>(nullptr)));
  EXPECT(data == nullptr);
}
CASE(allocate_too_much) {
  int* data = nullptr;
  GIVES(hipErrorOutOfMemory, hipMallocAsync(&data, size_t{1} << 60, static_cast<hipStream_t>(nullptr)));
}
CASE(allocate_nowhere) {
  GIVES(hipErrorInvalidValue, hipMallocAsync(static_cast<void**>(nullptr), 16, static_cast<hipStream_t>(nullptr)));
}
CASE(allocate_in_no_stream) {
  hipStream_t s = nullptr;
  int* data = nullptr;
  OK(hipStreamCreate(&s));
  OK(hipStreamDestroy(s));
  GIVES(hipErrorInvalidHandle, hipMallocAsync(&data, 16, s));
}
CASE(free_null) {
  GIVES(hipErrorInvalidValue, hipFreeAsync(nullptr, nullptr));
}
CASE(free_a_local) {
  int local = 0;
  GIVES(hipErrorInvalidValue, hipFreeAsync(&local, nullptr));
}

// ---- pools

CASE(default_pool) {
  EXPECT(standard() != nullptr);
  EXPECT(standard() == standard());
}
CASE(default_pool_nowhere) {
  GIVES(hipErrorInvalidValue, hipDeviceGetDefaultMemPool(nullptr, 0));
}
CASE(default_pool_of_no_device) {
  hipMemPool_t p = nullptr;
  GIVES(hipErrorInvalidDevice, hipDeviceGetDefaultMemPool(&p, 1));
}
CASE(current_pool) {
  hipMemPool_t p = nullptr;
  OK(hipDeviceGetMemPool(&p, 0));
  EXPECT(p == standard());
  const own_pool mine;
  OK(hipDeviceSetMemPool(0, mine));
  OK(hipDeviceGetMemPool(&p, 0));
  EXPECT(p == mine.p);
  OK(hipDeviceSetMemPool(0, standard()));
}
CASE(current_pool_is_what_is_allocated_from) {
  const own_pool mine;
  int* data = nullptr;
  OK(hipDeviceSetMemPool(0, mine));
  OK(hipMallocAsync(&data, 4096, static_cast<hipStream_t>(nullptr)));
  EXPECT(number(mine, hipMemPoolAttrUsedMemCurrent) >= 4096);
  OK(hipFreeAsync(data, nullptr));
  OK(hipDeviceSynchronize());
  SAME(number(mine, hipMemPoolAttrUsedMemCurrent), uint64_t{0});
  OK(hipDeviceSetMemPool(0, standard()));
}
CASE(current_pool_that_is_destroyed) {
  hipMemPool_t mine = nullptr, p = nullptr;
  const hipMemPoolProps props = properties();
  OK(hipMemPoolCreate(&mine, &props));
  OK(hipDeviceSetMemPool(0, mine));
  OK(hipMemPoolDestroy(mine));
  OK(hipDeviceGetMemPool(&p, 0));
  EXPECT(p == standard());
}
CASE(current_pool_nowhere) {
  GIVES(hipErrorInvalidValue, hipDeviceGetMemPool(nullptr, 0));
}
CASE(set_no_pool) {
  GIVES(hipErrorInvalidValue, hipDeviceSetMemPool(0, nullptr));
}
CASE(set_pool_of_no_device) {
  GIVES(hipErrorInvalidDevice, hipDeviceSetMemPool(4, standard()));
}
CASE(create_nowhere) {
  const hipMemPoolProps props = properties();
  hipMemPool_t p = nullptr;
  GIVES(hipErrorInvalidValue, hipMemPoolCreate(nullptr, &props));
  GIVES(hipErrorInvalidValue, hipMemPoolCreate(&p, nullptr));
}
CASE(create_on_no_device) {
  hipMemPoolProps props = properties();
  hipMemPool_t p = nullptr;
  props.location.id = 5;
  GIVES(hipErrorInvalidValue, hipMemPoolCreate(&p, &props));
}
CASE(destroy_twice) {
  hipMemPool_t p = nullptr;
  const hipMemPoolProps props = properties();
  OK(hipMemPoolCreate(&p, &props));
  OK(hipMemPoolDestroy(p));
  GIVES(hipErrorInvalidValue, hipMemPoolDestroy(p));
}
CASE(destroy_null) {
  GIVES(hipErrorInvalidValue, hipMemPoolDestroy(nullptr));
}
CASE(destroy_the_default) {
  GIVES(hipErrorInvalidValue, hipMemPoolDestroy(standard()));
}
CASE(destroy_with_memory_out) {
  hipMemPool_t p = nullptr;
  int* data = nullptr;
  const hipMemPoolProps props = properties();
  OK(hipMemPoolCreate(&p, &props));
  OK(hipMallocFromPoolAsync(&data, 256, p, nullptr));
  OK(hipMemPoolDestroy(p));
  fill<<<1, 64>>>(data, 8);
  OK(hipDeviceSynchronize());
  OK(hipFree(data));
}
CASE(from_pool) {
  const own_pool mine;
  int* data = nullptr;
  OK(hipMallocFromPoolAsync(&data, 256, mine, nullptr));
  fill<<<1, 64>>>(data, 8);
  OK(hipDeviceSynchronize());
  OK(hipFreeAsync(data, nullptr));
}
CASE(from_no_pool) {
  int* data = nullptr;
  GIVES(hipErrorInvalidValue, hipMallocFromPoolAsync(&data, 256, nullptr, nullptr));
}

// ---- attributes

void round_trip(hipMemPoolAttr a, int first) {
  const own_pool mine;
  int value = 99;
  OK(hipMemPoolGetAttribute(mine, a, &value));
  SAME(value, first);
  value = !first;
  OK(hipMemPoolSetAttribute(mine, a, &value));
  value = 99;
  OK(hipMemPoolGetAttribute(mine, a, &value));
  SAME(value, !first);
}
CASE(follow_event_dependencies) {
  round_trip(hipMemPoolReuseFollowEventDependencies, 1);
}
CASE(allow_opportunistic) {
  round_trip(hipMemPoolReuseAllowOpportunistic, 1);
}
CASE(allow_internal_dependencies) {
  round_trip(hipMemPoolReuseAllowInternalDependencies, 1);
}
CASE(release_threshold) {
  const own_pool mine;
  SAME(number(mine, hipMemPoolAttrReleaseThreshold), uint64_t{0});
  uint64_t value = uint64_t{5} << 32;
  OK(hipMemPoolSetAttribute(mine, hipMemPoolAttrReleaseThreshold, &value));
  SAME(number(mine, hipMemPoolAttrReleaseThreshold), uint64_t{5} << 32);
}
CASE(high_water_mark) {
  const own_pool mine;
  int *a = nullptr, *b = nullptr;
  OK(hipMallocFromPoolAsync(&a, 4096, mine, nullptr));
  OK(hipMallocFromPoolAsync(&b, 4096, mine, nullptr));
  OK(hipFreeAsync(a, nullptr));
  OK(hipFreeAsync(b, nullptr));
  OK(hipDeviceSynchronize());
  EXPECT(number(mine, hipMemPoolAttrUsedMemHigh) >= 8192);
  EXPECT(number(mine, hipMemPoolAttrReservedMemHigh) >= 8192);
  uint64_t zero = 0;
  OK(hipMemPoolSetAttribute(mine, hipMemPoolAttrUsedMemHigh, &zero));
  SAME(number(mine, hipMemPoolAttrUsedMemHigh), uint64_t{0});
}
CASE(reserved_memory) {
  const own_pool mine;
  int* a = nullptr;
  OK(hipMallocFromPoolAsync(&a, 4096, mine, nullptr));
  EXPECT(number(mine, hipMemPoolAttrReservedMemCurrent) >= number(mine, hipMemPoolAttrUsedMemCurrent));
  OK(hipFreeAsync(a, nullptr));
}
CASE(set_what_cannot_be_set) {
  const own_pool mine;
  uint64_t value = 5;
  GIVES(hipErrorInvalidValue, hipMemPoolSetAttribute(mine, hipMemPoolAttrUsedMemCurrent, &value));
  GIVES(hipErrorInvalidValue, hipMemPoolSetAttribute(mine, hipMemPoolAttrUsedMemHigh, &value));
}
CASE(attribute_that_is_none) {
  const own_pool mine;
  uint64_t value = 5;
  GIVES(hipErrorInvalidValue, hipMemPoolGetAttribute(mine, static_cast<hipMemPoolAttr>(0x55), &value));
}
CASE(attribute_nowhere) {
  const own_pool mine;
  GIVES(hipErrorInvalidValue, hipMemPoolGetAttribute(mine, hipMemPoolAttrReleaseThreshold, nullptr));
  GIVES(hipErrorInvalidValue, hipMemPoolSetAttribute(mine, hipMemPoolAttrReleaseThreshold, nullptr));
}
CASE(attribute_of_no_pool) {
  uint64_t value = 5;
  GIVES(hipErrorInvalidValue, hipMemPoolGetAttribute(nullptr, hipMemPoolAttrReleaseThreshold, &value));
}
CASE(trim) {
  const own_pool mine;
  OK(hipMemPoolTrimTo(mine, 0));
  OK(hipMemPoolTrimTo(mine, size_t{1} << 30));
}
CASE(trim_no_pool) {
  GIVES(hipErrorInvalidValue, hipMemPoolTrimTo(nullptr, 0));
}
CASE(access) {
  const own_pool mine;
  hipMemLocation here = {hipMemLocationTypeDevice, 0};
  hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
  OK(hipMemPoolGetAccess(&flags, mine, &here));
  SAME(static_cast<int>(flags), static_cast<int>(hipMemAccessFlagsProtReadWrite));
  hipMemAccessDesc d = {};
  d.location = here;
  d.flags = hipMemAccessFlagsProtReadWrite;
  OK(hipMemPoolSetAccess(mine, &d, 1));
}
CASE(access_nowhere) {
  const own_pool mine;
  hipMemLocation here = {hipMemLocationTypeDevice, 0};
  hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
  GIVES(hipErrorInvalidValue, hipMemPoolGetAccess(nullptr, mine, &here));
  GIVES(hipErrorInvalidValue, hipMemPoolGetAccess(&flags, mine, nullptr));
  GIVES(hipErrorInvalidValue, hipMemPoolSetAccess(mine, nullptr, 1));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
