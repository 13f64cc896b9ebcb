// flags: -Wno-deprecated-declarations
// Memory: device, pinned, managed, registered, pitched; what a pointer is; how much there is; freeing.
#include <cstdlib>
#include <vector>

#include "conformance.h"

namespace {

__global__ void count_up(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] + i;
}
template <class T>
void runs_on(T* pointer, int n) {
  count_up<<<(n + 63) / 64, 64>>>(pointer, n);
  OK(hipGetLastError());
  OK(hipDeviceSynchronize());
}
size_t free_bytes() {
  size_t unused = 0, total = 0;
  OK(hipMemGetInfo(&unused, &total));
  return unused;
}

// ---- device memory

CASE(allocate) {
  int* data = nullptr;
  OK(hipMalloc(&data, 4000));
  EXPECT(data != nullptr);
  OK(hipMemset(data, 0, 4000));
  runs_on(data, 1000);
  OK(hipFree(data));
}
CASE(allocate_nothing) {
  void* data = &data;
  OK(hipMalloc(&data, 0));
  EXPECT(data == nullptr);
}
CASE(allocate_nowhere) {
  GIVES(hipErrorInvalidValue, hipMalloc(static_cast<void**>(nullptr), 16));
}
CASE(allocate_too_much) {
  void* data = nullptr;
  GIVES(hipErrorOutOfMemory, hipMalloc(&data, size_t{1} << 50));
  GIVES(hipErrorOutOfMemory, hipMalloc(&data, SIZE_MAX));
}
CASE(allocate_one_byte) {
  uint8_t* data = nullptr;
  OK(hipMalloc(&data, 1));
  OK(hipMemset(data, 7, 1));
  uint8_t got = 0;
  OK(hipMemcpy(&got, data, 1, hipMemcpyDeviceToHost));
  SAME(got, 7);
  OK(hipFree(data));
}
CASE(alignment) {
  for (const size_t size : {1, 3, 100, 5000}) {
    void* data = nullptr;
    OK(hipMalloc(&data, size));
    EXPECT(reinterpret_cast<uintptr_t>(data) % 256 == 0);
    OK(hipFree(data));
  }
}
CASE(blocks_do_not_overlap) {
  std::vector<uint8_t*> all(50);
  for (uint8_t*& b : all) OK(hipMalloc(&b, 100));
  for (size_t i = 0; i < all.size(); ++i) OK(hipMemset(all[i], static_cast<int>(i), 100));
  for (size_t i = 0; i < all.size(); ++i) {
    uint8_t got[100];
    OK(hipMemcpy(got, all[i], 100, hipMemcpyDeviceToHost));
    for (const uint8_t g : got) SAME(g, static_cast<uint8_t>(i));
    OK(hipFree(all[i]));
  }
}
CASE(free_and_allocate_again) {
  for (int k = 0; k < 200; ++k) {
    void* data = nullptr;
    OK(hipMalloc(&data, size_t{64} << 20));
    OK(hipFree(data));
  }
}
CASE(free_null) {
  OK(hipFree(nullptr));
}
CASE(free_twice) {
  void* data = nullptr;
  OK(hipMalloc(&data, 64));
  OK(hipFree(data));
  GIVES(hipErrorInvalidValue, hipFree(data));
}
CASE(free_inside_a_block) {
  uint8_t* data = nullptr;
  OK(hipMalloc(&data, 64));
  GIVES(hipErrorInvalidValue, hipFree(data + 16));
  OK(hipFree(data));
}
CASE(free_what_is_the_hosts) {
  int local = 0;
  GIVES(hipErrorInvalidValue, hipFree(&local));
}
CASE(ext_default) {
  int* data = nullptr;
  OK(hipExtMallocWithFlags(reinterpret_cast<void**>(&data), 4000, hipDeviceMallocDefault));
  OK(hipMemset(data, 0, 4000));
  runs_on(data, 1000);
  OK(hipFree(data));
}
CASE(ext_fine_grained) {
  int* data = nullptr;
  OK(hipExtMallocWithFlags(reinterpret_cast<void**>(&data), 4000, hipDeviceMallocFinegrained));
  OK(hipMemset(data, 0, 4000));
  runs_on(data, 1000);
  OK(hipFree(data));
}
CASE(ext_fine_grained_is_seen_by_the_host) {
  int* data = nullptr;
  OK(hipExtMallocWithFlags(reinterpret_cast<void**>(&data), 400, hipDeviceMallocFinegrained));
  for (int i = 0; i < 100; ++i) data[i] = 7;
  runs_on(data, 100);
  for (int i = 0; i < 100; ++i) SAME(data[i], 7 + i);
  OK(hipFree(data));
}
CASE(ext_signal) {
  uint64_t* data = nullptr;
  OK(hipExtMallocWithFlags(reinterpret_cast<void**>(&data), 8, hipMallocSignalMemory));
  *data = 5;
  SAME(*data, uint64_t{5});
  OK(hipFree(data));
}
CASE(ext_signal_of_another_size) {
  void* data = nullptr;
  GIVES(hipErrorInvalidValue, hipExtMallocWithFlags(&data, 16, hipMallocSignalMemory));
}
CASE(ext_unknown_flags) {
  void* data = nullptr;
  GIVES(hipErrorInvalidValue, hipExtMallocWithFlags(&data, 16, 0x40));
}
CASE(ext_nothing) {
  void* data = &data;
  OK(hipExtMallocWithFlags(&data, 0, hipDeviceMallocDefault));
  EXPECT(data == nullptr);
}

// ---- pinned memory

void pinned_with(unsigned flags) {
  int* data = nullptr;
  unsigned got = 1;
  OK(hipHostMalloc(&data, 4000, flags));
  for (int i = 0; i < 1000; ++i) data[i] = 1;
  runs_on(data, 1000);
  for (int i = 0; i < 1000; ++i) SAME(data[i], i + 1);
  OK(hipHostGetFlags(&got, data));
  SAME(got, flags);
  OK(hipHostFree(data));
}
CASE(pinned_default) {
  pinned_with(hipHostMallocDefault);
}
CASE(pinned_portable) {
  pinned_with(hipHostMallocPortable);
}
CASE(pinned_mapped) {
  pinned_with(hipHostMallocMapped);
}
CASE(pinned_write_combined) {
  pinned_with(hipHostMallocWriteCombined);
}
CASE(pinned_numa_user) {
  pinned_with(hipHostMallocNumaUser);
}
CASE(pinned_coherent) {
  pinned_with(hipHostMallocCoherent);
}
CASE(pinned_non_coherent) {
  pinned_with(hipHostMallocNonCoherent);
}
CASE(pinned_several_flags) {
  pinned_with(hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined);
}
CASE(pinned_unknown_flags) {
  void* data = nullptr;
  GIVES(hipErrorInvalidValue, hipHostMalloc(&data, 16, 0x100));
}
CASE(pinned_contradicting_flags) {
  void* data = nullptr;
  GIVES(hipErrorInvalidValue, hipHostMalloc(&data, 16, hipHostMallocCoherent | hipHostMallocNonCoherent));
}
CASE(pinned_nothing) {
  void* data = &data;
  OK(hipHostMalloc(&data, 0, hipHostMallocDefault));
  EXPECT(data == nullptr);
}
CASE(pinned_nowhere) {
  GIVES(hipErrorInvalidValue, hipHostMalloc(static_cast<void**>(nullptr), 16, hipHostMallocDefault));
}
CASE(pinned_too_much) {
  void* data = nullptr;
  GIVES(hipErrorOutOfMemory, hipHostMalloc(&data, size_t{1} << 50, hipHostMallocDefault));
}
template <class Allocate>
void older_way(const Allocate& allocate, hipError_t (*release)(void*)) {
  void* data = nullptr;
  OK(allocate(&data, 400));
  std::memset(data, 0, 400);
  runs_on(static_cast<int*>(data), 100);
  SAME(static_cast<int*>(data)[99], 99);
  OK(release(data));
}
CASE(pinned_malloc_host) {
  older_way([](void** p, size_t n) { return hipMallocHost(p, n); }, hipFreeHost);
}
CASE(pinned_mem_alloc_host) {
  older_way([](void** p, size_t n) { return hipMemAllocHost(p, n); }, hipHostFree);
}
CASE(pinned_host_alloc) {
  older_way([](void** p, size_t n) { return hipHostAlloc(p, n, hipHostMallocDefault); }, hipFreeHost);
}
CASE(pinned_device_pointer) {
  int* data = nullptr;
  void* on_device = nullptr;
  OK(hipHostMalloc(&data, 400, hipHostMallocMapped));
  OK(hipHostGetDevicePointer(&on_device, data, 0));
  std::memset(data, 0, 400);
  runs_on(static_cast<int*>(on_device), 100);
  SAME(data[99], 99);
  OK(hipHostFree(data));
}
CASE(device_pointer_of_nothing) {
  void* on_device = nullptr;
  int local = 0;
  GIVES(hipErrorInvalidValue, hipHostGetDevicePointer(&on_device, &local, 0));
  GIVES(hipErrorInvalidValue, hipHostGetDevicePointer(&on_device, nullptr, 0));
}
CASE(device_pointer_nowhere) {
  int* data = nullptr;
  OK(hipHostMalloc(&data, 400, hipHostMallocMapped));
  GIVES(hipErrorInvalidValue, hipHostGetDevicePointer(nullptr, data, 0));
  OK(hipHostFree(data));
}
CASE(host_flags_of_device_memory) {
  const device_block<int> data(4);
  unsigned flags = 0;
  GIVES(hipErrorInvalidValue, hipHostGetFlags(&flags, data.get()));
}
CASE(host_flags_nowhere) {
  int* data = nullptr;
  OK(hipHostMalloc(&data, 400, hipHostMallocMapped));
  GIVES(hipErrorInvalidValue, hipHostGetFlags(nullptr, data));
  OK(hipHostFree(data));
}
CASE(host_free_null) {
  OK(hipHostFree(nullptr));
  OK(hipFreeHost(nullptr));
}
CASE(host_free_twice) {
  void* data = nullptr;
  OK(hipHostMalloc(&data, 64, hipHostMallocDefault));
  OK(hipHostFree(data));
  GIVES(hipErrorInvalidValue, hipHostFree(data));
}
CASE(host_free_of_a_local) {
  int local = 0;
  GIVES(hipErrorInvalidValue, hipHostFree(&local));
}

// ---- registered memory

struct registered {
  std::vector<int> values = std::vector<int>(1000, 1);
  explicit registered(unsigned flags) { OK(hipHostRegister(values.data(), 4000, flags)); }
  ~registered() { static_cast<void>(hipHostUnregister(values.data())); }
};
void registered_with(unsigned flags) {
  registered r(flags);
  void* on_device = nullptr;
  OK(hipHostGetDevicePointer(&on_device, r.values.data(), 0));
  runs_on(static_cast<int*>(on_device), 1000);
  for (int i = 0; i < 1000; ++i) SAME(r.values[i], i + 1);
}
CASE(register_default) {
  registered_with(hipHostRegisterDefault);
}
CASE(register_portable) {
  registered_with(hipHostRegisterPortable);
}
CASE(register_mapped) {
  registered_with(hipHostRegisterMapped);
}
CASE(register_unknown_flags) {
  int data[4];
  GIVES(hipErrorInvalidValue, hipHostRegister(data, sizeof data, 0x80));
}
CASE(register_nothing) {
  int data[4];
  GIVES(hipErrorInvalidValue, hipHostRegister(nullptr, 16, hipHostRegisterDefault));
  GIVES(hipErrorInvalidValue, hipHostRegister(data, 0, hipHostRegisterDefault));
}
CASE(register_twice) {
  registered r(hipHostRegisterDefault);
  GIVES(hipErrorHostMemoryAlreadyRegistered, hipHostRegister(r.values.data(), 4000, hipHostRegisterDefault));
  GIVES(hipErrorHostMemoryAlreadyRegistered, hipHostRegister(r.values.data() + 500, 8, hipHostRegisterDefault));
}
CASE(register_again) {
  std::vector<int> data(10);
  for (int k = 0; k < 3; ++k) {
    OK(hipHostRegister(data.data(), 40, hipHostRegisterDefault));
    OK(hipHostUnregister(data.data()));
  }
}
CASE(unregister_what_is_not) {
  int data[4];
  GIVES(hipErrorHostMemoryNotRegistered, hipHostUnregister(data));
}
CASE(unregister_twice) {
  std::vector<int> data(10);
  OK(hipHostRegister(data.data(), 40, hipHostRegisterDefault));
  OK(hipHostUnregister(data.data()));
  GIVES(hipErrorHostMemoryNotRegistered, hipHostUnregister(data.data()));
}
CASE(unregister_null) {
  GIVES(hipErrorInvalidValue, hipHostUnregister(nullptr));
}
CASE(device_pointer_inside_registered) {
  registered r(hipHostRegisterMapped);
  void *begin = nullptr, *inside = nullptr;
  OK(hipHostGetDevicePointer(&begin, r.values.data(), 0));
  OK(hipHostGetDevicePointer(&inside, r.values.data() + 10, 0));
  SAME(static_cast<uint8_t*>(inside) - static_cast<uint8_t*>(begin), 40);
}

// ---- managed memory

void managed_with(unsigned flags) {
  int* data = nullptr;
  OK(hipMallocManaged(&data, 4000, flags));
  for (int i = 0; i < 1000; ++i) data[i] = 5;
  runs_on(data, 1000);
  for (int i = 0; i < 1000; ++i) SAME(data[i], i + 5);
  OK(hipFree(data));
}
CASE(managed_global) {
  managed_with(hipMemAttachGlobal);
}
CASE(managed_host) {
  managed_with(hipMemAttachHost);
}
CASE(managed_unknown_flags) {
  void* data = nullptr;
  GIVES(hipErrorInvalidValue, hipMallocManaged(&data, 16, 0));
  GIVES(hipErrorInvalidValue, hipMallocManaged(&data, 16, 0x40));
}
CASE(managed_nothing) {
  void* data = nullptr;
  GIVES(hipErrorInvalidValue, hipMallocManaged(&data, 0, hipMemAttachGlobal));
}
CASE(managed_nowhere) {
  GIVES(hipErrorInvalidValue, hipMallocManaged(static_cast<void**>(nullptr), 16, hipMemAttachGlobal));
}
CASE(managed_too_much) {
  void* data = nullptr;
  GIVES(hipErrorOutOfMemory, hipMallocManaged(&data, size_t{1} << 50, hipMemAttachGlobal));
}
struct managed {
  int* data = nullptr;
  managed() { OK(hipMallocManaged(&data, 4000, hipMemAttachGlobal)); }
  ~managed() { static_cast<void>(hipFree(data)); }
};
CASE(prefetch) {
  const managed m;
  OK(hipMemPrefetchAsync(m.data, 4000, 0, nullptr));
  OK(hipMemPrefetchAsync(m.data, 4000, hipCpuDeviceId, nullptr));
  OK(hipMemPrefetchAsync(m.data + 10, 40, 0, nullptr));
  OK(hipDeviceSynchronize());
}
CASE(prefetch_nothing) {
  const managed m;
  GIVES(hipErrorInvalidValue, hipMemPrefetchAsync(nullptr, 4000, 0, nullptr));
  GIVES(hipErrorInvalidValue, hipMemPrefetchAsync(m.data, 0, 0, nullptr));
}
CASE(prefetch_too_much) {
  const managed m;
  GIVES(hipErrorInvalidValue, hipMemPrefetchAsync(m.data, 4001, 0, nullptr));
}
CASE(prefetch_to_no_device) {
  const managed m;
  GIVES(hipErrorInvalidDevice, hipMemPrefetchAsync(m.data, 4000, 7, nullptr));
}
CASE(prefetch_device_memory) {
  const device_block<int> d(4);
  GIVES(hipErrorInvalidValue, hipMemPrefetchAsync(d.get(), 16, 0, nullptr));
}
bool add_advice() {
  const struct {
    const char* name;
    hipMemoryAdvise advice;
  } all[] = {{"set_read_mostly", hipMemAdviseSetReadMostly},
             {"unset_read_mostly", hipMemAdviseUnsetReadMostly},
             {"set_preferred_location", hipMemAdviseSetPreferredLocation},
             {"unset_preferred_location", hipMemAdviseUnsetPreferredLocation},
             {"set_accessed_by", hipMemAdviseSetAccessedBy},
             {"unset_accessed_by", hipMemAdviseUnsetAccessedBy},
             {"set_coarse_grain", hipMemAdviseSetCoarseGrain},
             {"unset_coarse_grain", hipMemAdviseUnsetCoarseGrain}};
  for (const auto& a : all) {
    const hipMemoryAdvise advice = a.advice;
    add(std::string("advise_") + a.name, [advice] {
      const managed m;
      OK(hipMemAdvise(m.data, 4000, advice, 0));
      GIVES(hipErrorInvalidValue, hipMemAdvise(nullptr, 4000, advice, 0));
      GIVES(hipErrorInvalidValue, hipMemAdvise(m.data, 4001, advice, 0));
    });
  }
  return true;
}
const bool added_advice = add_advice();
CASE(advise_unknown) {
  const managed m;
  GIVES(hipErrorInvalidValue, hipMemAdvise(m.data, 4000, static_cast<hipMemoryAdvise>(50), 0));
}
CASE(advise_no_device) {
  const managed m;
  GIVES(hipErrorInvalidDevice, hipMemAdvise(m.data, 4000, hipMemAdviseSetAccessedBy, 3));
}
CASE(advise_nothing) {
  const managed m;
  GIVES(hipErrorInvalidValue, hipMemAdvise(m.data, 0, hipMemAdviseSetReadMostly, 0));
}

// ---- rows

CASE(pitch) {
  uint8_t* data = nullptr;
  size_t pitch = 0;
  OK(hipMallocPitch(reinterpret_cast<void**>(&data), &pitch, 100, 20));
  EXPECT(pitch >= 100 && pitch % 128 == 0);
  OK(hipMemset2D(data, pitch, 3, 100, 20));
  OK(hipMemset(data + pitch * 19 + 99, 4, 1));
  OK(hipFree(data));
}
CASE(pitch_nowhere) {
  void* data = nullptr;
  size_t pitch = 0;
  GIVES(hipErrorInvalidValue, hipMallocPitch(nullptr, &pitch, 100, 20));
  GIVES(hipErrorInvalidValue, hipMallocPitch(&data, nullptr, 100, 20));
}
CASE(pitch_of_nothing) {
  void* data = &data;
  size_t pitch = 0;
  OK(hipMallocPitch(&data, &pitch, 0, 20));
  EXPECT(data == nullptr);
  data = &data;
  OK(hipMallocPitch(&data, &pitch, 20, 0));
  EXPECT(data == nullptr);
}
CASE(pitch_too_much) {
  void* data = nullptr;
  size_t pitch = 0;
  GIVES(hipErrorOutOfMemory, hipMallocPitch(&data, &pitch, SIZE_MAX / 2, 4));
}
CASE(pitch_of_elements) {
  hipDeviceptr_t data = nullptr;
  size_t pitch = 0;
  OK(hipMemAllocPitch(&data, &pitch, 100, 20, 4));
  EXPECT(data != nullptr && pitch >= 100 && pitch % 4 == 0);
  OK(hipFree(data));
}
CASE(box) {
  hipPitchedPtr p = {};
  OK(hipMalloc3D(&p, make_hipExtent(100, 20, 3)));
  EXPECT(p.ptr != nullptr && p.pitch >= 100);
  SAME(p.xsize, size_t{100});
  SAME(p.ysize, size_t{20});
  OK(hipMemset(p.ptr, 1, p.pitch * 20 * 3));
  OK(hipFree(p.ptr));
}
CASE(box_nowhere) {
  GIVES(hipErrorInvalidValue, hipMalloc3D(nullptr, make_hipExtent(100, 20, 3)));
}
CASE(box_of_nothing) {
  hipPitchedPtr p = {};
  OK(hipMalloc3D(&p, make_hipExtent(100, 20, 0)));
  EXPECT(p.ptr == nullptr);
}

// ---- how much there is

CASE(total_is_the_devices) {
  size_t unused = 0, total = 0, of_device = 0;
  OK(hipMemGetInfo(&unused, &total));
  OK(hipDeviceTotalMem(&of_device, 0));
  SAME(total, of_device);
  EXPECT(unused <= total);
}
CASE(free_memory_goes_and_comes_back) {
  const size_t before = free_bytes();
  void* data = nullptr;
  OK(hipMalloc(&data, size_t{16} << 20));
  EXPECT(free_bytes() <= before - (size_t{16} << 20));
  OK(hipFree(data));
  SAME(free_bytes(), before);
}
CASE(free_memory_can_be_had) {
  void* data = nullptr;
  OK(hipMalloc(&data, free_bytes() / 2));
  OK(hipFree(data));
}
CASE(pinned_memory_is_the_hosts) {
  const size_t before = free_bytes();
  void* data = nullptr;
  OK(hipHostMalloc(&data, size_t{16} << 20, hipHostMallocDefault));
  SAME(free_bytes(), before);
  OK(hipHostFree(data));
}
CASE(launches_keep_no_memory) {
  const device_block<int> d(std::vector<int>(64, 1));
  const size_t before = free_bytes();
  for (int k = 0; k < 10; ++k) runs_on(d.get(), 64);
  SAME(free_bytes(), before);
}
CASE(info_nowhere) {
  size_t bytes = 0;
  GIVES(hipErrorInvalidValue, hipMemGetInfo(nullptr, &bytes));
  GIVES(hipErrorInvalidValue, hipMemGetInfo(&bytes, nullptr));
}

// ---- what a pointer is

CASE(range_of_a_block) {
  const device_block<int> d(100);
  hipDeviceptr_t base = nullptr;
  size_t size = 0;
  OK(hipMemGetAddressRange(&base, &size, d.get() + 50));
  EXPECT(base == d.get());
  SAME(size, size_t{400});
}
CASE(range_of_one_result) {
  const device_block<int> d(100);
  hipDeviceptr_t base = nullptr;
  size_t size = 0;
  OK(hipMemGetAddressRange(&base, nullptr, d.get()));
  OK(hipMemGetAddressRange(nullptr, &size, d.get()));
  EXPECT(base == d.get());
  SAME(size, size_t{400});
}
CASE(range_of_what_is_the_hosts) {
  int local = 0;
  hipDeviceptr_t base = nullptr;
  size_t size = 0;
  GIVES(hipErrorInvalidDevicePointer, hipMemGetAddressRange(&base, &size, &local));
}
CASE(size_of_a_block) {
  const device_block<int> d(100);
  size_t size = 0;
  OK(hipMemPtrGetInfo(d.get(), &size));
  SAME(size, size_t{400});
}
CASE(size_of_nothing) {
  size_t size = 0;
  int local = 0;
  GIVES(hipErrorInvalidValue, hipMemPtrGetInfo(&local, &size));
}
CASE(size_nowhere) {
  const device_block<int> d(100);
  GIVES(hipErrorInvalidValue, hipMemPtrGetInfo(d.get(), nullptr));
}
CASE(attributes_of_device_memory) {
  const device_block<int> d(100);
  hipPointerAttribute_t a = {};
  OK(hipPointerGetAttributes(&a, d.get() + 3));
  EXPECT(a.memoryType == hipMemoryTypeDevice && a.isManaged == 0);
  EXPECT(a.devicePointer == d.get() + 3);
  SAME(a.device, 0);
}
CASE(attributes_of_pinned_memory) {
  int* data = nullptr;
  OK(hipHostMalloc(&data, 400, hipHostMallocPortable));
  hipPointerAttribute_t a = {};
  OK(hipPointerGetAttributes(&a, data));
  EXPECT(a.memoryType == hipMemoryTypeHost && a.isManaged == 0);
  EXPECT(a.hostPointer == data && a.devicePointer != nullptr);
  SAME(a.allocationFlags, static_cast<unsigned>(hipHostMallocPortable));
  OK(hipHostFree(data));
}
CASE(attributes_of_managed_memory) {
  const managed m;
  hipPointerAttribute_t a = {};
  OK(hipPointerGetAttributes(&a, m.data));
  EXPECT(a.isManaged == 1);
  EXPECT(a.hostPointer == m.data && a.devicePointer == m.data);
}
CASE(attributes_of_registered_memory) {
  registered r(hipHostRegisterDefault);
  hipPointerAttribute_t a = {};
  OK(hipPointerGetAttributes(&a, r.values.data()));
  EXPECT(a.memoryType == hipMemoryTypeHost);
  EXPECT(a.hostPointer == r.values.data() && a.devicePointer != nullptr);
}
CASE(attributes_of_what_is_the_hosts) {
  int local = 0;
  hipPointerAttribute_t a = {};
  GIVES(hipErrorInvalidValue, hipPointerGetAttributes(&a, &local));
}
CASE(attributes_nowhere) {
  const device_block<int> d(100);
  GIVES(hipErrorInvalidValue, hipPointerGetAttributes(nullptr, d.get()));
}
CASE(attributes_of_freed_memory) {
  int* data = nullptr;
  hipPointerAttribute_t a = {};
  OK(hipMalloc(&data, 400));
  OK(hipFree(data));
  GIVES(hipErrorInvalidValue, hipPointerGetAttributes(&a, data));
}
template <class T>
void one_attribute(hipPointer_attribute which, void* pointer, T want) {
  T got = {};
  OK(hipPointerGetAttribute(&got, which, pointer));
  EXPECT(got == want);
}
CASE(more_managed_memory_than_is_free) {
  size_t unused = 0, total = 0;
  OK(hipMemGetInfo(&unused, &total));
  void* data = nullptr;
  GIVES(hipErrorOutOfMemory, hipMallocManaged(&data, unused + 1, hipMemAttachGlobal));
}
CASE(attribute_memory_type) {
  const device_block<int> d(100);
  one_attribute(HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, d.get(), static_cast<unsigned>(hipMemoryTypeDevice));
}
CASE(attribute_device_pointer) {
  const device_block<int> d(100);
  one_attribute(HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, d.get() + 1, static_cast<void*>(d.get() + 1));
}
CASE(attribute_host_pointer) {
  const managed m;
  one_attribute(HIP_POINTER_ATTRIBUTE_HOST_POINTER, m.data, static_cast<void*>(m.data));
}
CASE(attribute_is_managed) {
  const managed m;
  const device_block<int> d(100);
  one_attribute(HIP_POINTER_ATTRIBUTE_IS_MANAGED, m.data, true);
  one_attribute(HIP_POINTER_ATTRIBUTE_IS_MANAGED, d.get(), false);
}
CASE(attribute_device_ordinal) {
  const device_block<int> d(100);
  one_attribute(HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, d.get(), 0);
}
CASE(attribute_range_start) {
  const device_block<int> d(100);
  one_attribute(HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, d.get() + 7, static_cast<void*>(d.get()));
}
CASE(attribute_range_size) {
  const device_block<int> d(100);
  one_attribute(HIP_POINTER_ATTRIBUTE_RANGE_SIZE, d.get() + 7, size_t{400});
}
// The same for all of a block, and for no two blocks.
CASE(attribute_buffer_id) {
  const auto id = [](void* pointer) {
    unsigned got[2] = {0, 77};  // it has 32 bits
    OK(hipPointerGetAttribute(got, HIP_POINTER_ATTRIBUTE_BUFFER_ID, pointer));
    SAME(got[1], 77u);
    return got[0];
  };
  const managed m;
  const device_block<int> d(100), other(100);
  SAME(id(d.get()), id(d.get() + 99));
  EXPECT(id(d.get()) != id(other.get()));
  EXPECT(id(d.get()) != id(m.data));
  int* data = nullptr;
  OK(hipMalloc(&data, 400));
  const unsigned before = id(data);
  OK(hipFree(data));
  OK(hipMalloc(&data, 400));
  EXPECT(id(data) != before);
  OK(hipFree(data));
  std::vector<int> host(5000);
  OK(hipHostRegister(host.data(), 20000, hipHostRegisterDefault));
  SAME(id(host.data()), id(host.data() + 4999));
  OK(hipHostUnregister(host.data()));
}
CASE(attribute_mapped) {
  const device_block<int> d(100);
  one_attribute(HIP_POINTER_ATTRIBUTE_MAPPED, d.get(), true);
}
CASE(attribute_nowhere) {
  const device_block<int> d(100);
  GIVES(hipErrorInvalidValue, hipPointerGetAttribute(nullptr, HIP_POINTER_ATTRIBUTE_MAPPED, d.get()));
}
CASE(attribute_of_what_is_the_hosts) {
  int local = 0;
  unsigned type = 0;
  GIVES(hipErrorInvalidValue, hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, &local));
}
CASE(several_attributes) {
  const device_block<int> d(100);
  hipPointer_attribute which[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, HIP_POINTER_ATTRIBUTE_RANGE_SIZE};
  unsigned type = 99;
  size_t size = 0;
  void* to[] = {&type, &size};
  OK(hipDrvPointerGetAttributes(2, which, to, d.get() + 1));
  SAME(type, static_cast<unsigned>(hipMemoryTypeDevice));
  SAME(size, size_t{400});
}
CASE(several_attributes_nowhere) {
  const device_block<int> d(100);
  hipPointer_attribute which[] = {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE};
  GIVES(hipErrorInvalidValue, hipDrvPointerGetAttributes(1, which, nullptr, d.get()));
  GIVES(hipErrorInvalidValue, hipDrvPointerGetAttributes(1, nullptr, nullptr, d.get()));
}

// ---- attributes of ranges of managed memory

CASE(range_read_mostly) {
  const managed m;
  int value = 99;
  OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeReadMostly, m.data, 4000));
  SAME(value, 0);
  OK(hipMemAdvise(m.data, 4000, hipMemAdviseSetReadMostly, 0));
  OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeReadMostly, m.data, 4000));
  SAME(value, 1);
  OK(hipMemAdvise(m.data, 4000, hipMemAdviseUnsetReadMostly, 0));
  OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeReadMostly, m.data, 4000));
  SAME(value, 0);
}
CASE(range_preferred_location) {
  const managed m;
  int value = 99;
  OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributePreferredLocation, m.data, 4000));
  SAME(value, hipInvalidDeviceId);
  OK(hipMemAdvise(m.data, 4000, hipMemAdviseSetPreferredLocation, hipCpuDeviceId));
  OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributePreferredLocation, m.data, 4000));
  SAME(value, hipCpuDeviceId);
}
CASE(range_accessed_by) {
  const managed m;
  int value = 99;
  OK(hipMemAdvise(m.data, 4000, hipMemAdviseSetAccessedBy, 0));
  OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeAccessedBy, m.data, 4000));
  SAME(value, 0);
}
CASE(range_last_prefetch) {
  const managed m;
  int value = 99;
  OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeLastPrefetchLocation, m.data, 4000));
  SAME(value, hipInvalidDeviceId);
  OK(hipMemPrefetchAsync(m.data, 4000, 0, nullptr));
  OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeLastPrefetchLocation, m.data, 4000));
  SAME(value, 0);
}
CASE(range_coherency) {
  const managed m;
  int value = 99;
  OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeCoherencyMode, m.data, 4000));
  SAME(value, static_cast<int>(hipMemRangeCoherencyModeFineGrain));
  OK(hipMemAdvise(m.data, 4000, hipMemAdviseSetCoarseGrain, 0));
  OK(hipMemRangeGetAttribute(&value, sizeof value, hipMemRangeAttributeCoherencyMode, m.data, 4000));
  SAME(value, static_cast<int>(hipMemRangeCoherencyModeCoarseGrain));
}
CASE(range_wrong_use) {
  const managed m;
  int value = 0;
  GIVES(hipErrorInvalidValue, hipMemRangeGetAttribute(nullptr, 4, hipMemRangeAttributeReadMostly, m.data, 4000));
  GIVES(hipErrorInvalidValue, hipMemRangeGetAttribute(&value, 3, hipMemRangeAttributeReadMostly, m.data, 4000));
  GIVES(hipErrorInvalidValue, hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeReadMostly, nullptr, 4000));
  GIVES(hipErrorInvalidValue, hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeReadMostly, m.data, 0));
  GIVES(hipErrorInvalidValue, hipMemRangeGetAttribute(&value, 4, static_cast<hipMemRangeAttribute>(77), m.data, 4000));
}
CASE(range_several) {
  const managed m;
  OK(hipMemAdvise(m.data, 4000, hipMemAdviseSetReadMostly, 0));
  int mostly = 99, prefetched = 99;
  void* to[] = {&mostly, &prefetched};
  size_t sizes[] = {sizeof mostly, sizeof prefetched};
  hipMemRangeAttribute which[] = {hipMemRangeAttributeReadMostly, hipMemRangeAttributeLastPrefetchLocation};
  OK(hipMemRangeGetAttributes(to, sizes, which, 2, m.data, 4000));
  SAME(mostly, 1);
  SAME(prefetched, hipInvalidDeviceId);
  GIVES(hipErrorInvalidValue, hipMemRangeGetAttributes(nullptr, sizes, which, 2, m.data, 4000));
  GIVES(hipErrorInvalidValue, hipMemRangeGetAttributes(to, sizes, which, 0, m.data, 4000));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
