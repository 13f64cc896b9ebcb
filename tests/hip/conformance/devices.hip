// flags: --hip-version -Wno-deprecated-declarations
// The device and contexts: how many, which, names, versions, flags, limits, configurations, peers; resets.
#include "conformance.h"

namespace {

__device__ int counter = 3;
__managed__ int shared = 4;
__global__ void count(int* to) {
  *to = ++counter + ++shared;
}

CASE(init) {
  OK(hipInit(0));
}
CASE(init_with_flags) {
  GIVES(hipErrorInvalidValue, hipInit(1));
}
CASE(device_count) {
  int value = 99;
  OK(hipGetDeviceCount(&value));
  SAME(value, 1);
}
CASE(count_nowhere) {
  GIVES(hipErrorInvalidValue, hipGetDeviceCount(nullptr));
}
CASE(get_device) {
  int value = 99;
  OK(hipGetDevice(&value));
  SAME(value, 0);
}
CASE(get_device_nowhere) {
  GIVES(hipErrorInvalidValue, hipGetDevice(nullptr));
}
CASE(set_device) {
  OK(hipSetDevice(0));
}
CASE(set_device_that_is_none) {
  GIVES(hipErrorInvalidDevice, hipSetDevice(1));
  GIVES(hipErrorInvalidDevice, hipSetDevice(-1));
}
CASE(device_handle) {
  hipDevice_t d = 99;
  OK(hipDeviceGet(&d, 0));
  SAME(d, 0);
  GIVES(hipErrorInvalidDevice, hipDeviceGet(&d, 1));
  GIVES(hipErrorInvalidValue, hipDeviceGet(nullptr, 0));
}
CASE(choose_device) {
  hipDeviceProp_t p;
  std::memset(&p, 0, sizeof p);
  int d = 99;
  OK(hipChooseDevice(&d, &p));
  SAME(d, 0);
  GIVES(hipErrorInvalidValue, hipChooseDevice(nullptr, &p));
  GIVES(hipErrorInvalidValue, hipChooseDevice(&d, nullptr));
}
CASE(driver_version) {
  int version = 0;
  OK(hipDriverGetVersion(&version));
  EXPECT(version >= 50200000);
  GIVES(hipErrorInvalidValue, hipDriverGetVersion(nullptr));
}
CASE(runtime_version) {
  int version = 0;
  OK(hipRuntimeGetVersion(&version));
  EXPECT(version >= 50200000);
  GIVES(hipErrorInvalidValue, hipRuntimeGetVersion(nullptr));
}
CASE(name) {
  char name[256] = {};
  hipDeviceProp_t p;
  OK(hipDeviceGetName(name, sizeof name, 0));
  OK(hipGetDeviceProperties(&p, 0));
  EXPECT(std::strcmp(name, p.name) == 0);
}
CASE(name_that_does_not_fit) {
  char name[4] = {1, 1, 1, 1};
  OK(hipDeviceGetName(name, 3, 0));
  EXPECT(std::strlen(name) == 2 && name[3] == 1);
}
CASE(name_nowhere) {
  char name[4];
  GIVES(hipErrorInvalidValue, hipDeviceGetName(nullptr, 10, 0));
  GIVES(hipErrorInvalidValue, hipDeviceGetName(name, 0, 0));
  GIVES(hipErrorInvalidDevice, hipDeviceGetName(name, 4, 2));
}
CASE(compute_capability) {
  int major = 0, minor = 99;
  hipDeviceProp_t p;
  OK(hipDeviceComputeCapability(&major, &minor, 0));
  OK(hipGetDeviceProperties(&p, 0));
  SAME(major, p.major);
  SAME(minor, p.minor);
  GIVES(hipErrorInvalidValue, hipDeviceComputeCapability(nullptr, &minor, 0));
  GIVES(hipErrorInvalidDevice, hipDeviceComputeCapability(&major, &minor, 8));
}
CASE(total_memory) {
  size_t bytes = 0;
  hipDeviceProp_t p;
  OK(hipDeviceTotalMem(&bytes, 0));
  OK(hipGetDeviceProperties(&p, 0));
  SAME(bytes, p.totalGlobalMem);
  GIVES(hipErrorInvalidValue, hipDeviceTotalMem(nullptr, 0));
  GIVES(hipErrorInvalidDevice, hipDeviceTotalMem(&bytes, 1));
}
CASE(uuid) {
  hipUUID a, b;
  std::memset(&a, 0, sizeof a);
  OK(hipDeviceGetUuid(&a, 0));
  OK(hipDeviceGetUuid(&b, 0));
  EXPECT(std::memcmp(&a, &b, sizeof a) == 0 && a.bytes[0] != 0);
  GIVES(hipErrorInvalidValue, hipDeviceGetUuid(nullptr, 0));
  GIVES(hipErrorInvalidDevice, hipDeviceGetUuid(&a, 1));
}
CASE(bus_id) {
  char id[32] = {};
  int d = 99;
  OK(hipDeviceGetPCIBusId(id, sizeof id, 0));
  OK(hipDeviceGetByPCIBusId(&d, id));
  SAME(d, 0);
}
CASE(bus_id_nowhere) {
  char id[32];
  GIVES(hipErrorInvalidValue, hipDeviceGetPCIBusId(nullptr, 32, 0));
  GIVES(hipErrorInvalidDevice, hipDeviceGetPCIBusId(id, 32, 1));
}
CASE(bus_id_of_no_device) {
  int d = 99;
  GIVES(hipErrorInvalidValue, hipDeviceGetByPCIBusId(&d, "0000:77:00.0"));
  GIVES(hipErrorInvalidValue, hipDeviceGetByPCIBusId(&d, nullptr));
  GIVES(hipErrorInvalidValue, hipDeviceGetByPCIBusId(nullptr, "0000:00:00.0"));
}

// ---- flags, limits, configurations

void flags(unsigned value) {
  unsigned got = 99;
  OK(hipSetDeviceFlags(value));
  OK(hipGetDeviceFlags(&got));
  SAME(got & hipDeviceScheduleMask, value & hipDeviceScheduleMask);
  OK(hipSetDeviceFlags(hipDeviceScheduleAuto));
}
CASE(flags_auto) {
  flags(hipDeviceScheduleAuto);
}
CASE(flags_spin) {
  flags(hipDeviceScheduleSpin);
}
CASE(flags_yield) {
  flags(hipDeviceScheduleYield);
}
CASE(flags_blocking) {
  flags(hipDeviceScheduleBlockingSync);
}
CASE(flags_map_host) {
  flags(hipDeviceScheduleSpin | hipDeviceMapHost);
}
CASE(flags_unknown) {
  GIVES(hipErrorInvalidValue, hipSetDeviceFlags(0x4000));
}
CASE(flags_nowhere) {
  GIVES(hipErrorInvalidValue, hipGetDeviceFlags(nullptr));
}
CASE(limit_heap) {
  size_t value = 99;
  OK(hipDeviceGetLimit(&value, hipLimitMallocHeapSize));
}
CASE(limit_nowhere) {
  GIVES(hipErrorInvalidValue, hipDeviceGetLimit(nullptr, hipLimitMallocHeapSize));
}
CASE(cache_configuration) {
  hipFuncCache_t config = hipFuncCachePreferL1;
  OK(hipDeviceSetCacheConfig(hipFuncCachePreferShared));  // a hint, ignored
  OK(hipDeviceGetCacheConfig(&config));
  EXPECT(config >= hipFuncCachePreferNone && config <= hipFuncCachePreferEqual);
  GIVES(hipErrorInvalidValue, hipDeviceGetCacheConfig(nullptr));
}
CASE(shared_memory_configuration) {
  hipSharedMemConfig config = hipSharedMemBankSizeEightByte;
  OK(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeFourByte));
  OK(hipDeviceGetSharedMemConfig(&config));
  SAME(static_cast<int>(config), static_cast<int>(hipSharedMemBankSizeFourByte));
  GIVES(hipErrorInvalidValue, hipDeviceGetSharedMemConfig(nullptr));
}
CASE(profiler) {
  OK(hipProfilerStart());
  OK(hipProfilerStop());
}
CASE(synchronize) {
  OK(hipDeviceSynchronize());
}

// ---- peers

CASE(peer_of_itself) {
  int can = 99;
  OK(hipDeviceCanAccessPeer(&can, 0, 0));
  SAME(can, 0);
}
CASE(peer_that_is_none) {
  int can = 99;
  GIVES(hipErrorInvalidDevice, hipDeviceCanAccessPeer(&can, 0, 1));
  GIVES(hipErrorInvalidValue, hipDeviceCanAccessPeer(nullptr, 0, 0));
}
CASE(enable_peer) {
  GIVES(hipErrorInvalidDevice, hipDeviceEnablePeerAccess(1, 0));
}
CASE(disable_peer) {
  GIVES(hipErrorPeerAccessNotEnabled, hipDeviceDisablePeerAccess(0));
}
CASE(disable_peer_that_is_none) {
  GIVES(hipErrorInvalidDevice, hipDeviceDisablePeerAccess(1));
}
CASE(peer_attribute) {
  int value = 0;
  GIVES(hipErrorInvalidDevice, hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 1));
  GIVES(hipErrorInvalidDevice, hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 0));
  GIVES(hipErrorInvalidValue, hipDeviceGetP2PAttribute(nullptr, hipDevP2PAttrAccessSupported, 0, 0));
}
CASE(link) {
  uint32_t type = 0, hops = 0;
  GIVES(hipErrorInvalidDevice, hipExtGetLinkTypeAndHopCount(0, 1, &type, &hops));
  GIVES(hipErrorInvalidValue, hipExtGetLinkTypeAndHopCount(0, 0, nullptr, &hops));
}

// ---- contexts: one, which stays

CASE(context) {
  hipCtx_t mine = nullptr, current = nullptr;
  OK(hipCtxCreate(&mine, 0, 0));
  OK(hipCtxSetCurrent(mine));
  OK(hipCtxGetCurrent(&current));
  EXPECT(current == mine);
  OK(hipCtxDestroy(mine));
}
CASE(context_of_no_device) {
  hipCtx_t mine = nullptr;
  GIVES(hipErrorInvalidDevice, hipCtxCreate(&mine, 0, 1));
  GIVES(hipErrorInvalidValue, hipCtxCreate(nullptr, 0, 0));
}
CASE(context_that_is_none) {
  int local = 0;
  GIVES(hipErrorInvalidContext, hipCtxSetCurrent(reinterpret_cast<hipCtx_t>(&local)));
  GIVES(hipErrorInvalidContext, hipCtxPushCurrent(reinterpret_cast<hipCtx_t>(&local)));
}
CASE(destroy_no_context) {
  GIVES(hipErrorInvalidValue, hipCtxDestroy(nullptr));
}
CASE(push_and_pop) {
  hipCtx_t mine = nullptr, popped = nullptr;
  OK(hipCtxCreate(&mine, 0, 0));
  OK(hipCtxPushCurrent(mine));
  OK(hipCtxPopCurrent(&popped));
  EXPECT(popped == mine);
}
CASE(device_of_the_context) {
  hipDevice_t d = 99;
  OK(hipCtxGetDevice(&d));
  SAME(d, 0);
  GIVES(hipErrorInvalidValue, hipCtxGetDevice(nullptr));
}
CASE(version_of_the_context) {
  hipCtx_t mine = nullptr;
  int version = 0;
  OK(hipCtxCreate(&mine, 0, 0));
  OK(hipCtxGetApiVersion(mine, &version));
  SAME(version, 4);
  GIVES(hipErrorInvalidValue, hipCtxGetApiVersion(mine, nullptr));
}
CASE(flags_of_the_context) {
  unsigned value = 99;
  OK(hipCtxGetFlags(&value));
  EXPECT(value != 99);
}
CASE(configurations_of_the_context) {
  hipFuncCache_t cache = hipFuncCachePreferL1;
  hipSharedMemConfig memory = hipSharedMemBankSizeEightByte;
  OK(hipCtxSetCacheConfig(hipFuncCachePreferShared));
  OK(hipCtxGetCacheConfig(&cache));
  OK(hipCtxSetSharedMemConfig(hipSharedMemBankSizeFourByte));
  OK(hipCtxGetSharedMemConfig(&memory));
  SAME(static_cast<int>(memory), static_cast<int>(hipSharedMemBankSizeFourByte));
}
CASE(synchronize_the_context) {
  OK(hipCtxSynchronize());
}
CASE(peers_of_the_context) {
  hipCtx_t mine = nullptr;
  OK(hipCtxCreate(&mine, 0, 0));
  GIVES(hipErrorInvalidDevice, hipCtxEnablePeerAccess(mine, 0));
  GIVES(hipErrorPeerAccessNotEnabled, hipCtxDisablePeerAccess(mine));
}
CASE(primary_context) {
  hipCtx_t c = nullptr;
  unsigned value = 99;
  int active = 99;
  OK(hipDevicePrimaryCtxRetain(&c, 0));
  EXPECT(c != nullptr);
  OK(hipDevicePrimaryCtxGetState(0, &value, &active));
  EXPECT(active == 0 || active == 1);
  OK(hipDevicePrimaryCtxRelease(0));
}
CASE(primary_context_of_no_device) {
  hipCtx_t c = nullptr;
  unsigned value = 0;
  int active = 0;
  GIVES(hipErrorInvalidDevice, hipDevicePrimaryCtxRetain(&c, 1));
  GIVES(hipErrorInvalidDevice, hipDevicePrimaryCtxRelease(1));
  GIVES(hipErrorInvalidDevice, hipDevicePrimaryCtxGetState(1, &value, &active));
  GIVES(hipErrorInvalidDevice, hipDevicePrimaryCtxReset(1));
  GIVES(hipErrorInvalidDevice, hipDevicePrimaryCtxSetFlags(1, 0));
}
CASE(flags_of_the_primary_context) {
  GIVES(hipErrorContextAlreadyInUse, hipDevicePrimaryCtxSetFlags(0, hipDeviceScheduleSpin));
}

// ---- resets

int next() {
  int* to = nullptr;
  int got = 0;
  OK(hipMalloc(&to, sizeof(int)));
  count<<<1, 1>>>(to);
  OK(hipGetLastError());
  OK(hipMemcpy(&got, to, sizeof got, hipMemcpyDeviceToHost));
  return got;
}
CASE(reset_gives_fresh_variables) {
  OK(hipDeviceReset());
  SAME(next(), 4 + 5);
  SAME(next(), 5 + 6);
  OK(hipDeviceReset());
  SAME(next(), 4 + 5);
  SAME(shared, 5);
}
CASE(reset_frees_memory) {
  size_t before = 0, after = 0, total = 0;
  void* data = nullptr;
  OK(hipDeviceReset());
  OK(hipMemGetInfo(&before, &total));
  OK(hipMalloc(&data, size_t{8} << 20));
  OK(hipDeviceReset());
  OK(hipMemGetInfo(&after, &total));
  SAME(after, before);
  GIVES(hipErrorInvalidValue, hipFree(data));
}
CASE(reset_takes_handles) {
  hipStream_t s = nullptr;
  hipEvent_t e = nullptr;
  OK(hipStreamCreate(&s));
  OK(hipEventCreate(&e));
  OK(hipDeviceReset());
  GIVES(hipErrorInvalidHandle, hipStreamSynchronize(s));
  GIVES(hipErrorInvalidHandle, hipEventSynchronize(e));
}
CASE(reset_of_the_primary_context) {
  void* data = nullptr;
  OK(hipMalloc(&data, 64));
  OK(hipDevicePrimaryCtxReset(0));
  GIVES(hipErrorInvalidValue, hipFree(data));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
