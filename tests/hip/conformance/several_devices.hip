// timing: yes
// queues: yes
// devices: 3
// hsaco: conformance_module.hip
// flags: --hip-version -Wno-deprecated-declarations
// Three devices in a process: each has its memory, streams, events, code and variables; what they share, and peers.
#include <hip/hip_runtime.h>
// It needs the other before it.
#include <hip/hip_cooperative_groups.h>

#include <set>
#include <thread>

#include "conformance.h"

// Not in the unnamed namespace, where clang leaves out what only the host names.
__device__ int own_number = -1;
__managed__ int seen_by_all = 5;

namespace {

constexpr int devices = 3;

__global__ void tell_number(int* to) {
  *to = own_number;
}
__global__ void add_to(int* data, int n, int value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] += value;
}
__global__ void copy_ints(int* to, const int* from, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = from[i];
}
__global__ void meet_all(int* data, int n, int value) {
  cooperative_groups::this_multi_grid().sync();
  if (n > 0) data[threadIdx.x] = value;
}
__global__ void meet_own_grid(int* data, int n, int value) {
  cooperative_groups::this_grid().sync();
  if (n > 0) data[threadIdx.x] += value;
}
__global__ void add_to_managed(int value) {
  atomicAdd(&seen_by_all, value);
}

// The thread's device, which is the one before again at the end.
struct on_device {
  int before = 0;
  explicit on_device(int device) {
    OK(hipGetDevice(&before));
    OK(hipSetDevice(device));
  }
  ~on_device() { static_cast<void>(hipSetDevice(before)); }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;
};

int current() {
  int d = -1;
  OK(hipGetDevice(&d));
  return d;
}
int device_of(const void* p) {
  hipPointerAttribute_t a;
  OK(hipPointerGetAttributes(&a, p));
  return a.device;
}
// Each device knows its number from here on.
void number_them() {
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    OK(hipMemcpyToSymbol(HIP_SYMBOL(own_number), &d, sizeof d));
  }
}
// The number of the device that a launch in that stream runs on.
int runs_on(hipStream_t s) {
  int* at = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&at), sizeof *at, hipHostMallocDefault));
  *at = -1;
  tell_number<<<1, 1, 0, s>>>(at);
  OK(hipGetLastError());
  OK(hipStreamSynchronize(s));
  const int number = *at;
  OK(hipHostFree(at));
  return number;
}
// A peer's memory is within reach as long as it lives.
struct reach {
  int peer;
  explicit reach(int of) : peer(of) { OK(hipDeviceEnablePeerAccess(peer, 0)); }
  ~reach() { static_cast<void>(hipDeviceDisablePeerAccess(peer)); }
  reach(const reach&) = delete;
  reach& operator=(const reach&) = delete;
};
const std::vector<int> numbers{3, 1, 4, 1, 5, 9, 2, 6};

// ---- which there are

CASE(count) {
  int n = 0;
  OK(hipGetDeviceCount(&n));
  SAME(n, devices);
}
CASE(device_0_at_first) {
  std::thread([] { SAME(current(), 0); }).join();
}
CASE(choose_each) {
  for (int d = devices - 1; d >= 0; --d) {
    OK(hipSetDevice(d));
    SAME(current(), d);
  }
}
CASE(choose_one_that_is_not_there) {
  GIVES(hipErrorInvalidDevice, hipSetDevice(-1));
  GIVES(hipErrorInvalidDevice, hipSetDevice(devices));
  SAME(current(), 0);
}
CASE(a_threads_own) {
  const on_device on(2);
  std::thread([] {
    OK(hipSetDevice(1));
    SAME(current(), 1);
  }).join();
  SAME(current(), 2);
}
CASE(handles_of_devices) {
  for (int d = 0; d < devices; ++d) {
    hipDevice_t handle = -1;
    OK(hipDeviceGet(&handle, d));
    SAME(handle, d);
  }
  hipDevice_t handle = -1;
  GIVES(hipErrorInvalidDevice, hipDeviceGet(&handle, devices));
  GIVES(hipErrorInvalidDevice, hipDeviceGet(&handle, -1));
}
CASE(properties_but_for_the_bus_are_alike) {
  std::set<int> buses;
  for (int d = 0; d < devices; ++d) {
    hipDeviceProp_t p, first;
    int bus = -1;
    OK(hipGetDeviceProperties(&first, 0));
    OK(hipGetDeviceProperties(&p, d));
    OK(hipDeviceGetAttribute(&bus, hipDeviceAttributePciBusId, d));
    SAME(bus, p.pciBusID);
    EXPECT(buses.insert(p.pciBusID).second);
    p.pciBusID = first.pciBusID;
    EXPECT(std::memcmp(&p, &first, sizeof p) == 0);
  }
  hipDeviceProp_t p;
  GIVES(hipErrorInvalidDevice, hipGetDeviceProperties(&p, devices));
  GIVES(hipErrorInvalidDevice, hipGetDeviceProperties(&p, -1));
}
CASE(by_bus) {
  std::set<std::string> all;
  for (int d = 0; d < devices; ++d) {
    char id[32] = {};
    int found = -1;
    OK(hipDeviceGetPCIBusId(id, sizeof id, d));
    OK(hipDeviceGetByPCIBusId(&found, id));
    SAME(found, d);
    EXPECT(all.insert(id).second);
  }
}
CASE(by_uuid) {
  std::set<std::string> all;
  for (int d = 0; d < devices; ++d) {
    hipUUID u;
    OK(hipDeviceGetUuid(&u, d));
    EXPECT(all.insert(std::string(u.bytes, sizeof u.bytes)).second);
  }
}
CASE(flags_of_each) {
  unsigned flags = 0;
  {
    const on_device on(1);
    OK(hipSetDeviceFlags(hipDeviceScheduleSpin));
  }
  OK(hipGetDeviceFlags(&flags));
  SAME(flags & hipDeviceScheduleMask, unsigned{hipDeviceScheduleAuto});
  const on_device on(1);
  OK(hipGetDeviceFlags(&flags));
  SAME(flags & hipDeviceScheduleMask, unsigned{hipDeviceScheduleSpin});
  OK(hipSetDeviceFlags(hipDeviceScheduleAuto));
}

// ---- memory

CASE(memory_is_of_the_current_device) {
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    const device_block<int> block(16);
    SAME(device_of(block.get()), d);
    const on_device elsewhere((d + 1) % devices);
    SAME(device_of(block.get() + 3), d);
  }
}
CASE(free_memory_is_of_each) {
  size_t before[devices], after = 0, total = 0;
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    OK(hipMemGetInfo(&before[d], &total));
  }
  const on_device on(1);
  const device_block<char> block(1 << 20);
  for (int d = 0; d < devices; ++d) {
    const on_device there(d);
    OK(hipMemGetInfo(&after, &total));
    EXPECT((after < before[d]) == (d == 1));
  }
}
CASE(free_from_another_device) {
  void* p = nullptr;
  {
    const on_device on(2);
    OK(hipMalloc(&p, 64));
  }
  OK(hipFree(p));
  GIVES(hipErrorInvalidValue, hipFree(p));
}
CASE(copy_to_and_from_another_device) {
  const on_device on(1);
  const device_block<int> block(numbers);
  const on_device elsewhere(0);
  EXPECT(block.read() == numbers);
  OK(hipMemset(block.get(), 0, sizeof(int)));
  SAME(block.read()[0], 0);
}
CASE(copy_between_devices) {
  for (int from = 0; from < devices; ++from)
    for (int to = 0; to < devices; ++to) {
      const on_device on(from);
      const device_block<int> source(numbers);
      const on_device there(to);
      const device_block<int> target(numbers.size()), other(numbers.size());
      const size_t bytes = numbers.size() * sizeof(int);
      OK(hipMemcpy(target.get(), source.get(), bytes, hipMemcpyDeviceToDevice));
      OK(hipMemcpy(other.get(), source.get(), bytes, hipMemcpyDefault));
      EXPECT(target.read() == numbers && other.read() == numbers);
    }
}
CASE(copy_peer) {
  const on_device on(1);
  const device_block<int> source(numbers);
  const on_device there(2);
  const device_block<int> target(numbers.size());
  const on_device elsewhere(0);
  OK(hipMemcpyPeer(target.get(), 2, source.get(), 1, numbers.size() * sizeof(int)));
  EXPECT(target.read() == numbers);
}
CASE(copy_peer_in_a_stream) {
  const device_block<int> source(numbers);
  const on_device there(2);
  const device_block<int> target(numbers.size());
  const own_stream s;
  OK(hipMemcpyPeerAsync(target.get(), 2, source.get(), 0, numbers.size() * sizeof(int), s));
  OK(hipStreamSynchronize(s));
  EXPECT(target.read() == numbers);
}
CASE(copy_peer_of_no_device) {
  const device_block<int> block(4);
  int* p = block.get();
  for (const int wrong : {-1, devices}) {
    GIVES(hipErrorInvalidDevice, hipMemcpyPeer(p, wrong, p, 0, 4));
    GIVES(hipErrorInvalidDevice, hipMemcpyPeer(p, 0, p, wrong, 4));
    GIVES(hipErrorInvalidDevice, hipMemcpyPeerAsync(p, wrong, p, 0, 4, nullptr));
    GIVES(hipErrorInvalidDevice, hipMemcpyPeerAsync(p, 0, p, wrong, 4, nullptr));
  }
}
CASE(copy_past_the_end_of_another_devices_block) {
  const on_device on(1);
  const device_block<int> block(4);
  const on_device elsewhere(0);
  int host[8] = {};
  GIVES(hipErrorInvalidValue, hipMemcpy(block.get(), host, sizeof host, hipMemcpyHostToDevice));
}
CASE(pools_are_of_each) {
  hipMemPool_t pool[devices];
  for (int d = 0; d < devices; ++d) OK(hipDeviceGetDefaultMemPool(&pool[d], d));
  EXPECT(pool[0] != pool[1] && pool[1] != pool[2]);
  void* p = nullptr;
  OK(hipMallocFromPoolAsync(&p, 64, pool[2], nullptr));
  SAME(device_of(p), 2);
  OK(hipFreeAsync(p, nullptr));
  const on_device on(1);
  OK(hipMallocAsync(&p, 64, nullptr));
  SAME(device_of(p), 1);
  OK(hipFreeAsync(p, nullptr));
}

// ---- what all see

CASE(pinned_memory) {
  int* p = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&p), sizeof(int), hipHostMallocPortable));
  *p = 1;
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    add_to<<<1, 1>>>(p, 1, d + 1);
    OK(hipDeviceSynchronize());
  }
  SAME(*p, 7);
  OK(hipHostFree(p));
}
CASE(managed_memory) {
  int* p = nullptr;
  const on_device where(2);
  OK(hipMallocManaged(reinterpret_cast<void**>(&p), sizeof(int), hipMemAttachGlobal));
  *p = 1;
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    add_to<<<1, 1>>>(p, 1, d + 1);
    OK(hipDeviceSynchronize());
  }
  SAME(*p, 7);
  OK(hipMemPrefetchAsync(p, sizeof(int), 1, nullptr));
  GIVES(hipErrorInvalidDevice, hipMemPrefetchAsync(p, sizeof(int), devices, nullptr));
  OK(hipFree(p));
}
CASE(registered_memory) {
  std::vector<int> host = numbers;
  const size_t bytes = host.size() * sizeof(int);
  void* p = nullptr;
  OK(hipHostRegister(host.data(), bytes, hipHostRegisterPortable));
  OK(hipHostGetDevicePointer(&p, host.data(), 0));
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    add_to<<<1, 8>>>(static_cast<int*>(p), 8, 10);
    OK(hipDeviceSynchronize());
  }
  const on_device on(1);
  GIVES(hipErrorHostMemoryAlreadyRegistered, hipHostRegister(host.data(), bytes, hipHostRegisterPortable));
  OK(hipHostUnregister(host.data()));
  for (size_t k = 0; k < host.size(); ++k) SAME(host[k], numbers[k] + 30);
}
CASE(managed_variable) {
  seen_by_all = 5;
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    add_to_managed<<<1, 2>>>(d + 1);
    OK(hipDeviceSynchronize());
  }
  SAME(seen_by_all, 5 + 2 * 6);
}

// ---- code and variables

CASE(variables_are_of_each) {
  number_them();
  std::set<void*> addresses;
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    int value = -1;
    void* at = nullptr;
    OK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(own_number), sizeof value));
    SAME(value, d);
    OK(hipGetSymbolAddress(&at, HIP_SYMBOL(own_number)));
    EXPECT(addresses.insert(at).second);
  }
}
CASE(a_launch_runs_on_the_current_device) {
  number_them();
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    SAME(runs_on(nullptr), d);
    SAME(runs_on(hipStreamPerThread), d);
  }
}
CASE(a_launch_in_a_stream_runs_on_the_streams_device) {
  number_them();
  const on_device on(2);
  const own_stream s;
  const on_device elsewhere(1);
  SAME(runs_on(s), 2);
}
CASE(a_module_is_of_one_device) {
  hipModule_t module = nullptr;
  hipFunction_t f = nullptr;
  {
    const on_device on(1);
    OK(hipModuleLoad(&module, module_file().c_str()));
  }
  OK(hipModuleGetFunction(&f, module, "add_one"));
  const device_block<int> here(4);
  int* to = here.get();
  int n = 4;
  void* arguments[] = {&to, &n};
  GIVES(hipErrorInvalidDevice, hipModuleLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  const on_device on(1);
  const device_block<int> there(4);
  to = there.get();
  OK(hipModuleLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
  OK(hipDeviceSynchronize());
  const on_device elsewhere(0);
  OK(hipModuleUnload(module));
}

// ---- streams and events

CASE(device_of_a_stream) {
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    const own_stream s;
    SAME(hipGetStreamDeviceId(nullptr), d);
    const on_device elsewhere((d + 1) % devices);
    SAME(hipGetStreamDeviceId(s), d);
  }
}
CASE(event_in_a_stream_of_another_device) {
  const own_event e;
  const on_device on(1);
  const own_stream s;
  GIVES(hipErrorInvalidHandle, hipEventRecord(e, s));
  GIVES(hipErrorInvalidHandle, hipEventRecord(e, nullptr));
}
CASE(wait_for_an_event_of_another_device) {
  const own_event e;
  int* p = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&p), sizeof(int), hipHostMallocDefault));
  *p = 1;
  const own_stream first;
  add_to<<<1, 1, 0, first>>>(p, 1, 4);
  OK(hipEventRecord(e, first));
  const on_device on(1);
  const own_stream second;
  OK(hipStreamWaitEvent(second, e, 0));
  add_to<<<1, 1, 0, second>>>(p, 1, 10);
  OK(hipStreamSynchronize(second));
  SAME(*p, 15);
  OK(hipEventSynchronize(e));
  OK(hipHostFree(p));
}
CASE(time_between_events_of_two_devices) {
  const own_event a;
  OK(hipEventRecord(a, nullptr));
  const on_device on(1);
  const own_event b;
  float ms = 0;
  OK(hipEventRecord(b, nullptr));
  GIVES(hipErrorInvalidHandle, hipEventElapsedTime(&ms, a, b));
}
CASE(times_are_of_each) {
  const device_block<int> block(64);
  const on_device on(1);
  const own_event a, b;
  float ms = -1;
  OK(hipEventRecord(a, nullptr));
  {
    const on_device elsewhere(0);
    add_to<<<1, 64>>>(block.get(), 64, 1);
    OK(hipDeviceSynchronize());
  }
  OK(hipEventRecord(b, nullptr));
  OK(hipEventSynchronize(b));
  OK(hipEventElapsedTime(&ms, a, b));
  SAME(ms, 0.0f);
}
CASE(streams_of_all_at_once) {
  std::vector<hipStream_t> streams(devices);
  std::vector<int*> data(devices);
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    const auto k = static_cast<size_t>(d);
    OK(hipStreamCreate(&streams[k]));
    OK(hipMalloc(reinterpret_cast<void**>(&data[k]), 256 * sizeof(int)));
    OK(hipMemsetAsync(data[k], 0, 256 * sizeof(int), streams[k]));
    for (int n = 0; n < 4; ++n) add_to<<<4, 64, 0, streams[k]>>>(data[k], 256, d + 1);
  }
  for (int d = devices - 1; d >= 0; --d) {
    const auto k = static_cast<size_t>(d);
    std::vector<int> got(256);
    OK(hipStreamSynchronize(streams[k]));
    OK(hipStreamDestroy(streams[k]));
    OK(hipMemcpy(got.data(), data[k], 256 * sizeof(int), hipMemcpyDeviceToHost));
    EXPECT(got == std::vector<int>(256, 4 * (d + 1)));
    OK(hipFree(data[k]));
  }
}
CASE(threads_each_with_a_device) {
  number_them();
  std::vector<std::thread> all;
  std::vector<int> got(devices, -1);
  for (int d = 0; d < devices; ++d)
    all.emplace_back([d, &got] {
      if (hipSetDevice(d) == hipSuccess) got[static_cast<size_t>(d)] = runs_on(nullptr);
    });
  for (std::thread& t : all) t.join();
  for (int d = 0; d < devices; ++d) SAME(got[static_cast<size_t>(d)], d);
}

// ---- contexts

CASE(a_context_for_each) {
  hipCtx_t all[devices];
  hipDevice_t d = -1;
  for (int k = 0; k < devices; ++k) OK(hipDevicePrimaryCtxRetain(&all[k], k));
  EXPECT(all[0] != all[1] && all[1] != all[2]);
  OK(hipCtxSetCurrent(all[2]));
  OK(hipCtxGetDevice(&d));
  SAME(d, 2);
  SAME(current(), 2);
  OK(hipCtxPushCurrent(all[1]));
  SAME(current(), 1);
  hipCtx_t popped = nullptr;
  OK(hipCtxPopCurrent(&popped));
  EXPECT(popped == all[1]);
  SAME(current(), 2);
  OK(hipSetDevice(0));
}

// ---- peers

CASE(can_access_others) {
  int can = -1;
  for (int d = 0; d < devices; ++d)
    for (int peer = 0; peer < devices; ++peer) {
      OK(hipDeviceCanAccessPeer(&can, d, peer));
      SAME(can, d != peer ? 1 : 0);
    }
  GIVES(hipErrorInvalidDevice, hipDeviceCanAccessPeer(&can, 0, devices));
  GIVES(hipErrorInvalidDevice, hipDeviceCanAccessPeer(&can, -1, 0));
  GIVES(hipErrorInvalidValue, hipDeviceCanAccessPeer(nullptr, 0, 1));
}
CASE(enable_twice) {
  const reach r(1);
  GIVES(hipErrorPeerAccessAlreadyEnabled, hipDeviceEnablePeerAccess(1, 0));
}
CASE(enable_wrongly) {
  GIVES(hipErrorInvalidValue, hipDeviceEnablePeerAccess(1, 1));
  GIVES(hipErrorInvalidDevice, hipDeviceEnablePeerAccess(0, 0));
  GIVES(hipErrorInvalidDevice, hipDeviceEnablePeerAccess(devices, 0));
  GIVES(hipErrorInvalidDevice, hipDeviceEnablePeerAccess(-1, 0));
}
CASE(disable_what_is_not_enabled) {
  GIVES(hipErrorPeerAccessNotEnabled, hipDeviceDisablePeerAccess(1));
  GIVES(hipErrorInvalidDevice, hipDeviceDisablePeerAccess(devices));
  GIVES(hipErrorInvalidDevice, hipDeviceDisablePeerAccess(-1));
}
CASE(enabled_one_way) {
  const reach r(1);
  const on_device on(1);
  GIVES(hipErrorPeerAccessNotEnabled, hipDeviceDisablePeerAccess(0));
}
CASE(enable_by_context) {
  hipCtx_t peer = nullptr;
  OK(hipDevicePrimaryCtxRetain(&peer, 2));
  OK(hipCtxEnablePeerAccess(peer, 0));
  GIVES(hipErrorPeerAccessAlreadyEnabled, hipDeviceEnablePeerAccess(2, 0));
  OK(hipCtxDisablePeerAccess(peer));
  GIVES(hipErrorPeerAccessNotEnabled, hipCtxDisablePeerAccess(peer));
}
CASE(attributes_of_links) {
  int value = -1;
  uint32_t type = 0, hops = 0;
  OK(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 1));
  SAME(value, 1);
  OK(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrPerformanceRank, 1, 2));
  SAME(value, 0);
  GIVES(hipErrorInvalidDevice, hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 1, 1));
  GIVES(hipErrorInvalidDevice, hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 1, devices));
  GIVES(hipErrorInvalidValue, hipDeviceGetP2PAttribute(&value, static_cast<hipDeviceP2PAttr>(99), 0, 1));
  OK(hipExtGetLinkTypeAndHopCount(0, 2, &type, &hops));
  SAME(hops, 1u);
}
CASE(a_kernel_reads_and_writes_a_peers_memory) {
  const on_device on(1);
  const device_block<int> there(numbers);
  const on_device elsewhere(0);
  const device_block<int> here(numbers.size());
  const reach r(1);
  copy_ints<<<1, 8>>>(here.get(), there.get(), 8);
  add_to<<<1, 8>>>(there.get(), 8, 1);
  OK(hipDeviceSynchronize());
  EXPECT(here.read() == numbers);
  for (size_t k = 0; k < numbers.size(); ++k) SAME(there.read()[k], numbers[k] + 1);
}
CASE(memory_that_comes_later_is_within_reach) {
  const reach r(2);
  const on_device on(2);
  const device_block<int> there(numbers);
  const on_device elsewhere(0);
  add_to<<<1, 8>>>(there.get(), 8, 1);
  OK(hipDeviceSynchronize());
  SAME(there.read()[0], numbers[0] + 1);
}

// Without it the kernel stops its machine, which goes on after a reset; the other devices hear nothing of it. (With
// several hardware queues there is no reset after a fault.)
bool resets_after_a_fault() {
  const hipError_t code = hipDeviceReset();
  static_cast<void>(hipGetLastError());
  return code == hipSuccess;
}
CASE(reset_frees_what_is_on_the_device_alone) {
  void *here = nullptr, *there = nullptr;
  hipStream_t s_here = nullptr, s_there = nullptr;
  OK(hipMalloc(&here, 64));
  OK(hipStreamCreate(&s_here));
  const on_device on(1);
  OK(hipMalloc(&there, 64));
  OK(hipStreamCreate(&s_there));
  OK(hipDeviceReset());
  GIVES(hipErrorInvalidValue, hipFree(there));
  GIVES(hipErrorInvalidHandle, hipStreamSynchronize(s_there));
  OK(hipStreamSynchronize(s_here));
  OK(hipStreamDestroy(s_here));
  OK(hipFree(here));
}
CASE(reset_ends_access_to_peers) {
  const on_device on(1);
  OK(hipDeviceEnablePeerAccess(2, 0));
  OK(hipDeviceReset());
  GIVES(hipErrorPeerAccessNotEnabled, hipDeviceDisablePeerAccess(2));
}
CASE(reset_sets_variables_of_the_device_alone) {
  number_them();
  const on_device on(2);
  int value = 99;
  OK(hipDeviceReset());
  OK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(own_number), sizeof value));
  SAME(value, -1);
  const on_device elsewhere(1);
  OK(hipMemcpyFromSymbol(&value, HIP_SYMBOL(own_number), sizeof value));
  SAME(value, 1);
}
CASE(managed_variable_after_a_reset) {
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    OK(hipDeviceReset());
  }
  seen_by_all = 1;
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    add_to_managed<<<1, 1>>>(1);
    OK(hipDeviceSynchronize());
  }
  SAME(seen_by_all, 1 + devices);
}

// ---- launches on several

struct for_device {
  hipStream_t s = nullptr;
  int* data = nullptr;
  int n = 64, value = 0;
  void* arguments[3];
  explicit for_device(int d) : value(d + 1), arguments{&data, &n, &value} {
    const on_device on(d);
    OK(hipStreamCreate(&s));
    OK(hipMalloc(reinterpret_cast<void**>(&data), 64 * sizeof(int)));
    OK(hipMemset(data, 0, 64 * sizeof(int)));
  }
  ~for_device() {
    static_cast<void>(hipStreamDestroy(s));
    static_cast<void>(hipFree(data));
  }
  for_device(const for_device&) = delete;
  for_device& operator=(const for_device&) = delete;
  hipLaunchParams launch(void (*kernel)(int*, int, int) = add_to) {
    hipLaunchParams l{};
    l.func = reinterpret_cast<void*>(kernel);
    l.gridDim = dim3(1);
    l.blockDim = dim3(64);
    l.args = arguments;
    l.stream = s;
    return l;
  }
  void expect() const {
    std::vector<int> got(64);
    OK(hipMemcpy(got.data(), data, 64 * sizeof(int), hipMemcpyDeviceToHost));
    EXPECT(got == std::vector<int>(64, value));
  }
};
CASE(a_launch_on_each) {
  for_device a(0), b(1), c(2);
  hipLaunchParams all[] = {a.launch(), c.launch(), b.launch()};
  OK(hipLaunchCooperativeKernelMultiDevice(all, 3, 0));
  for (const for_device* d : {&a, &b, &c}) OK(hipStreamSynchronize(d->s));
  for (const for_device* d : {&a, &b, &c}) d->expect();
}
CASE(a_launch_on_each_that_is_not_cooperative) {
  for_device a(0), b(1);
  hipLaunchParams all[] = {a.launch(), b.launch()};
  OK(hipExtLaunchMultiKernelMultiDevice(all, 2, 0));
  for (const for_device* d : {&a, &b}) OK(hipStreamSynchronize(d->s));
  for (const for_device* d : {&a, &b}) d->expect();
}
CASE(grids_that_meet_themselves) {
  for_device a(0), b(2);
  hipLaunchParams all[] = {a.launch(meet_own_grid), b.launch(meet_own_grid)};
  OK(hipLaunchCooperativeKernelMultiDevice(all, 2, 0));
  for (const for_device* d : {&a, &b}) OK(hipStreamSynchronize(d->s));
  for (const for_device* d : {&a, &b}) d->expect();
}
CASE(grids_that_meet_on_one_device) {
  for_device a(1);
  hipLaunchParams one = a.launch(meet_all);
  OK(hipLaunchCooperativeKernelMultiDevice(&one, 1, 0));
  OK(hipStreamSynchronize(a.s));
  a.expect();
}
CASE(grids_that_would_meet_on_several_devices) {
  for_device a(0), b(1);
  hipLaunchParams all[] = {a.launch(meet_all), b.launch(meet_all)};
  GIVES(hipErrorNotSupported, hipLaunchCooperativeKernelMultiDevice(all, 2, 0));
}
CASE(two_launches_for_one_device) {
  for_device a(1), b(1);
  hipLaunchParams all[] = {a.launch(), b.launch()};
  GIVES(hipErrorInvalidDevice, hipLaunchCooperativeKernelMultiDevice(all, 2, 0));
}
CASE(more_launches_than_devices) {
  for_device a(0), b(1), c(2), d(0);
  hipLaunchParams all[] = {a.launch(), b.launch(), c.launch(), d.launch()};
  GIVES(hipErrorInvalidValue, hipLaunchCooperativeKernelMultiDevice(all, 4, 0));
}
CASE(a_launch_in_no_stream_of_a_device) {
  for_device a(0), b(1);
  hipLaunchParams all[] = {a.launch(), b.launch()};
  all[1].stream = nullptr;
  GIVES(hipErrorInvalidHandle, hipLaunchCooperativeKernelMultiDevice(all, 2, 0));
}
CASE(a_graph_runs_where_it_is_launched) {
  number_them();
  int* at = nullptr;
  hipGraph_t graph = nullptr;
  hipGraphExec_t ready = nullptr;
  OK(hipHostMalloc(reinterpret_cast<void**>(&at), sizeof *at, hipHostMallocDefault));
  {
    const own_stream s;
    OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
    tell_number<<<1, 1, 0, s>>>(at);
    OK(hipStreamEndCapture(s, &graph));
  }
  OK(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0));
  for (int d = 0; d < devices; ++d) {
    const on_device on(d);
    const own_stream s;
    OK(hipGraphLaunch(ready, s));
    OK(hipStreamSynchronize(s));
    SAME(*at, d);
  }
  OK(hipGraphExecDestroy(ready));
  OK(hipGraphDestroy(graph));
  OK(hipHostFree(at));
}

// ---- a fault, at the end: with several hardware queues the device stays as it is

CASE(a_peers_memory_without_access) {
  const on_device on(2);
  int* there = nullptr;
  {
    const on_device elsewhere(0);
    OK(hipMalloc(reinterpret_cast<void**>(&there), 64));
    OK(hipMemset(there, 0, 64));
  }
  add_to<<<1, 4>>>(there, 4, 1);
  static_cast<void>(hipGetLastError());
  GIVES(hipErrorLaunchFailure, hipDeviceSynchronize());
  const on_device elsewhere(0);
  add_to<<<1, 4>>>(there, 4, 1);  // that device goes on
  OK(hipDeviceSynchronize());
  int got = 0;
  OK(hipMemcpy(&got, there, sizeof got, hipMemcpyDeviceToHost));
  SAME(got, 1);
  const on_device again(2);
  if (resets_after_a_fault()) {
    number_them();
    SAME(runs_on(nullptr), 2);
    OK(hipDeviceEnablePeerAccess(0, 0));
    add_to<<<1, 4>>>(there, 4, 1);
    OK(hipDeviceSynchronize());
    OK(hipDeviceDisablePeerAccess(0));
    OK(hipMemcpy(&got, there, sizeof got, hipMemcpyDeviceToHost));
    SAME(got, 2);
  }
  OK(hipFree(there));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
