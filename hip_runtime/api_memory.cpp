// SPDX-License-Identifier: Apache-2.0
// Allocation: device, pinned, managed and registered memory. Device addresses equal host
// addresses wherever the host sees the memory at all (host_window.h).
#include <fmt/format.h>

#include <cstring>

#include "hip_runtime/pointers.h"

using namespace pws::hip;

namespace {
constexpr size_t pitch_alignment = 256;
// As with ROCm, hipFree and hipHostFree free each other's memory.
const std::vector<memory_kind> every_kind{memory_kind::device, memory_kind::host, memory_kind::managed,
                                          memory_kind::fine_grained};
constexpr unsigned known_host_flags = hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                                      hipHostMallocNumaUser | hipHostMallocCoherent | hipHostMallocNonCoherent;

// 0 bytes give a null pointer, as HIP says.
void allocate(context& c, void** to, size_t bytes, memory_kind kind, unsigned flags) {
  require(to != nullptr, hipErrorInvalidValue, "the address for the pointer is null");
  *to = nullptr;
  c.captures.refuse_unsafe_call();
  if (bytes == 0) return;
  *to = pointer_to(c.gpu().memory->allocate(bytes, kind, flags));
}

void allocate_host(context& c, void** to, size_t bytes, unsigned flags) {
  if ((flags & ~known_host_flags) != 0 ||
      ((flags & hipHostMallocCoherent) != 0 && (flags & hipHostMallocNonCoherent) != 0))
    throw failure(hipErrorInvalidValue, fmt::format("flags {:#x} are unknown or contradict each other", flags));
  allocate(c, to, bytes, memory_kind::host, flags);
}

void allocate_rows(context& c, void** to, size_t* pitch, size_t width, size_t rows) {
  require(to != nullptr && pitch != nullptr, hipErrorInvalidValue, "an address for a result is null");
  *to = nullptr;
  size_t bytes = 0;
  if (__builtin_add_overflow(width, pitch_alignment - 1, pitch)) throw failure(hipErrorOutOfMemory, "rows too long");
  *pitch = *pitch / pitch_alignment * pitch_alignment;
  if (__builtin_mul_overflow(*pitch, rows, &bytes)) throw failure(hipErrorOutOfMemory, "more bytes than addresses");
  allocate(c, to, bytes, memory_kind::device, 0);
}

// Waits for all that may use it.
void release(context& c, void* pointer) {
  c.captures.refuse_unsafe_call();
  c.finish_what_lives();
  if (c.known_graphs.free(address_of(pointer))) return;
  const memory_block* const b = c.gpu().memory->find(address_of(pointer));
  require(b == nullptr || b->use == pws::isa::memory_use::buffer, hipErrorInvalidValue,
          "the handle of a texture or surface, which its own function destroys");
  c.gpu().memory->release(address_of(pointer), every_kind, hipErrorInvalidValue);
  c.note_freed(address_of(pointer));
}

void free_host(context& c, void* pointer) {
  if (pointer != nullptr) release(c, pointer);
}

memory_block& managed_block(context& c, const void* pointer, size_t bytes) {
  memory_block* b = c.gpu().memory->find(address_of(pointer));
  if (b == nullptr || b->kind != memory_kind::managed || bytes > b->address + b->bytes - address_of(pointer))
    throw failure(hipErrorInvalidValue, fmt::format("{} bytes at {} are no managed memory", bytes, pointer));
  return *b;
}

void take_advice(memory_hints& h, hipMemoryAdvise advice, int device) {
  switch (advice) {
    case hipMemAdviseSetReadMostly:
    case hipMemAdviseUnsetReadMostly:
      h.read_mostly = advice == hipMemAdviseSetReadMostly;
      return;
    case hipMemAdviseSetPreferredLocation:
      h.preferred = device;
      return;
    case hipMemAdviseUnsetPreferredLocation:
      h.preferred = hipInvalidDeviceId;
      return;
    case hipMemAdviseSetAccessedBy:
      h.accessed_by = device;
      return;
    case hipMemAdviseUnsetAccessedBy:
      h.accessed_by = hipInvalidDeviceId;
      return;
    case hipMemAdviseSetCoarseGrain:
    case hipMemAdviseUnsetCoarseGrain:
      h.coarse_grained = advice == hipMemAdviseSetCoarseGrain;
      return;
  }
  throw failure(hipErrorInvalidValue, fmt::format("{} is no advice", static_cast<int>(advice)));
}

int32_t hint(const memory_hints& h, hipMemRangeAttribute which) {
  switch (which) {
    case hipMemRangeAttributeReadMostly:
      return h.read_mostly ? 1 : 0;
    case hipMemRangeAttributePreferredLocation:
      return h.preferred;
    case hipMemRangeAttributeAccessedBy:
      return h.accessed_by;
    case hipMemRangeAttributeLastPrefetchLocation:
      return h.prefetched_to;
    case hipMemRangeAttributeCoherencyMode:
      return h.coarse_grained ? hipMemRangeCoherencyModeCoarseGrain : hipMemRangeCoherencyModeFineGrain;
  }
  throw failure(hipErrorInvalidValue, fmt::format("ranges have no attribute {}", static_cast<int>(which)));
}

// A list of devices has one here; places behind it are told to be none.
void tell_hint(const memory_hints& h, hipMemRangeAttribute which, void* to, size_t bytes) {
  const int32_t value = hint(h, which), none = hipInvalidDeviceId;
  const bool list = which == hipMemRangeAttributeAccessedBy;
  require(to != nullptr && (list ? bytes != 0 && bytes % sizeof value == 0 : bytes == sizeof value),
          hipErrorInvalidValue, "the address of an attribute is null, or its size is not that of an int");
  for (size_t k = 0; k < bytes / sizeof value; ++k)
    std::memcpy(static_cast<uint8_t*>(to) + k * sizeof value, k == 0 ? &value : &none, sizeof value);
}

void check_device_or_host(int device) {
  if (device != hipCpuDeviceId) check_device(device);
}
}  // namespace

extern "C" {

hipError_t hipMalloc(void** ptr, size_t size) {
  return call(__func__, [&](context& c) { allocate(c, ptr, size, memory_kind::device, 0); });
}

hipError_t hipExtMallocWithFlags(void** ptr, size_t size, unsigned int flags) {
  return call(__func__, [&](context& c) {
    if (flags != hipDeviceMallocDefault && flags != hipDeviceMallocFinegrained && flags != hipMallocSignalMemory &&
        flags != hipDeviceMallocUncached)
      throw failure(hipErrorInvalidValue, fmt::format("memory with flags {:#x} is not there", flags));
    require(flags != hipMallocSignalMemory || size == sizeof(uint64_t), hipErrorInvalidValue, "a signal has 8 bytes");
    allocate(c, ptr, size, flags == hipDeviceMallocDefault ? memory_kind::device : memory_kind::fine_grained, flags);
  });
}

hipError_t hipMallocManaged(void** ptr, size_t size, unsigned int flags) {
  return call(__func__, [&](context& c) {
    require(size != 0, hipErrorInvalidValue, "0 bytes of managed memory");
    require(flags == hipMemAttachGlobal || flags == hipMemAttachHost, hipErrorInvalidValue,
            "flags that managed memory does not have");
    // Pinned memory is the host's, for which that is no limit.
    require(size <= c.gpu().memory->unused(), hipErrorOutOfMemory, "more managed memory than is free");
    allocate(c, ptr, size, memory_kind::managed, flags);
  });
}

hipError_t hipMallocHost(void** ptr, size_t size) {
  return call(__func__, [&](context& c) { allocate_host(c, ptr, size, 0); });
}
hipError_t hipMemAllocHost(void** ptr, size_t size) {
  return call(__func__, [&](context& c) { allocate_host(c, ptr, size, 0); });
}
hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags) {
  return call(__func__, [&](context& c) { allocate_host(c, ptr, size, flags); });
}
hipError_t hipHostAlloc(void** ptr, size_t size, unsigned int flags) {
  return call(__func__, [&](context& c) { allocate_host(c, ptr, size, flags); });
}

hipError_t hipMallocPitch(void** ptr, size_t* pitch, size_t width, size_t height) {
  return call(__func__, [&](context& c) { allocate_rows(c, ptr, pitch, width, height); });
}

hipError_t hipMemAllocPitch(hipDeviceptr_t* ptr, size_t* pitch, size_t width, size_t height, unsigned int element) {
  return call(__func__, [&](context& c) {
    require(element == 4 || element == 8 || element == 16, hipErrorInvalidValue, "elements have 4, 8 or 16 bytes");
    allocate_rows(c, ptr, pitch, width, height);
  });
}

hipError_t hipMalloc3D(hipPitchedPtr* to, hipExtent extent) {
  return call(__func__, [&](context& c) {
    require(to != nullptr, hipErrorInvalidValue, "the address for the pointer is null");
    size_t rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) throw failure(hipErrorOutOfMemory, "too many rows");
    allocate_rows(c, &to->ptr, &to->pitch, extent.width, rows);
    to->xsize = extent.width;
    to->ysize = extent.height;
  });
}

hipError_t hipFree(void* ptr) {
  return call(__func__, [&](context& c) {
    if (ptr == nullptr) {
      c.gpu();  // programs call hipFree(nullptr) to have the runtime start
      return;
    }
    release(c, ptr);
  });
}

hipError_t hipFreeHost(void* ptr) {
  return call(__func__, [&](context& c) { free_host(c, ptr); });
}
hipError_t hipHostFree(void* ptr) {
  return call(__func__, [&](context& c) { free_host(c, ptr); });
}

hipError_t hipHostRegister(void* host, size_t bytes, unsigned int flags) {
  return call(__func__, [&](context& c) {
    require(host != nullptr && bytes != 0, hipErrorInvalidValue, "no memory to register");
    // hipHostRegisterReadOnly is also hipExtHostRegisterCoarseGrained, and changes nothing in AMD's runtime either.
    constexpr unsigned known =
        hipHostRegisterPortable | hipHostRegisterMapped | hipHostRegisterIoMemory | hipHostRegisterReadOnly;
    require((flags & ~known) == 0, hipErrorInvalidValue, "flags that registered memory does not have");
    require(!c.gpu().memory->is_device_address(address_of(host)), hipErrorInvalidValue,
            "memory of the runtime is not registered");
    c.finish_what_lives();  // launches that are to come copy it
    c.check_alive();
    c.gpu().memory->register_host(host, bytes, flags);
  });
}

hipError_t hipHostUnregister(void* host) {
  return call(__func__, [&](context& c) {
    require(host != nullptr, hipErrorInvalidValue, "the pointer is null");
    c.gpu().memory->unregister_host(host);
  });
}

hipError_t hipHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  return call(__func__, [&](context& c) {
    require(device != nullptr && flags == 0, hipErrorInvalidValue, "no address for the pointer, or flags");
    hipPointerAttribute_t a;
    if (!describe(c, host, a) || a.hostPointer == nullptr)
      throw failure(hipErrorInvalidValue, fmt::format("{} is neither pinned nor registered host memory", host));
    *device = a.devicePointer;
  });
}

hipError_t hipHostGetFlags(unsigned int* flags, void* host) {
  return call(__func__, [&](context& c) {
    require(flags != nullptr, hipErrorInvalidValue, "the address for the flags is null");
    hipPointerAttribute_t a;
    if (!describe(c, host, a) || a.memoryType != hipMemoryTypeHost)
      throw failure(hipErrorInvalidValue, fmt::format("{} is neither pinned nor registered host memory", host));
    *flags = a.allocationFlags;
  });
}

hipError_t hipMemGetInfo(size_t* unused, size_t* total) {
  return call(__func__, [&](context& c) {
    require(unused != nullptr && total != nullptr, hipErrorInvalidValue, "an address for a result is null");
    *unused = c.gpu().memory->unused();
    *total = c.gpu().memory->total();
  });
}

hipError_t hipMemPtrGetInfo(void* ptr, size_t* size) {
  return call(__func__, [&](context& c) {
    require(size != nullptr, hipErrorInvalidValue, "the address for the size is null");
    const memory_block* b = c.gpu().memory->find(address_of(ptr));
    if (b == nullptr || b->address != address_of(ptr))
      throw failure(hipErrorInvalidValue, fmt::format("no block of memory begins at {}", ptr));
    *size = b->bytes;
  });
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* size, hipDeviceptr_t ptr) {
  return call(__func__, [&](context& c) {
    const memory_block* b = c.gpu().memory->find(address_of(ptr));
    if (b == nullptr) throw failure(hipErrorInvalidDevicePointer, fmt::format("{} is in no block of memory", ptr));
    if (base != nullptr) *base = pointer_to(b->address);
    if (size != nullptr) *size = b->bytes;
  });
}

// Managed memory is where both sides reach it: hints are checked, kept for the whole block, and change nothing.
hipError_t hipMemPrefetchAsync(const void* ptr, size_t count, int device, hipStream_t stream) {
  return call(__func__, [&](context& c) {
    c.check_stream(stream);
    check_device_or_host(device);
    require(count != 0, hipErrorInvalidValue, "0 bytes");
    managed_block(c, ptr, count).hints.prefetched_to = device;
  });
}

hipError_t hipMemAdvise(const void* ptr, size_t count, hipMemoryAdvise advice, int device) {
  return call(__func__, [&](context& c) {
    check_device_or_host(device);
    require(count != 0, hipErrorInvalidValue, "0 bytes");
    take_advice(managed_block(c, ptr, count).hints, advice, device);
  });
}

hipError_t hipMemRangeGetAttribute(void* data, size_t data_size, hipMemRangeAttribute attribute, const void* ptr,
                                   size_t count) {
  return call(__func__, [&](context& c) {
    require(count != 0, hipErrorInvalidValue, "0 bytes");
    tell_hint(managed_block(c, ptr, count).hints, attribute, data, data_size);
  });
}
hipError_t hipMemRangeGetAttributes(void** data, size_t* data_sizes, hipMemRangeAttribute* attributes,
                                    size_t attribute_count, const void* ptr, size_t count) {
  return call(__func__, [&](context& c) {
    require(data != nullptr && data_sizes != nullptr && attributes != nullptr && attribute_count != 0 && count != 0,
            hipErrorInvalidValue, "a list is null or empty, or 0 bytes");
    const memory_hints& hints = managed_block(c, ptr, count).hints;
    for (size_t k = 0; k < attribute_count; ++k) tell_hint(hints, attributes[k], data[k], data_sizes[k]);
  });
}

hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* ptr, size_t, unsigned int flags) {
  return call(__func__, [&](context& c) {
    c.check_stream(stream);
    require(flags == hipMemAttachGlobal || flags == hipMemAttachHost || flags == hipMemAttachSingle,
            hipErrorInvalidValue, "no way to attach memory");
    managed_block(c, ptr, 0);
  });
}

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

}  // extern "C"
