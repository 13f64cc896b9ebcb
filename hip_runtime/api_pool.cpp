// SPDX-License-Identifier: Apache-2.0
// Stream-ordered allocation, and the memory pools that it takes from (memory_pools.h).
#include <fmt/format.h>

#include "hip_runtime/context.h"

namespace pws::hip {

void check_location(const hipMemLocation& l) {
  if (l.type != hipMemLocationTypeDevice || l.id < 0 || l.id >= context::instance().device_count())
    throw failure(hipErrorInvalidValue,
                  fmt::format("a location of type {} and number {} is no device", static_cast<int>(l.type), l.id));
}

}  // namespace pws::hip

using namespace pws::hip;

namespace {

// 0 bytes give a null pointer, as with hipMalloc.
void allocate_from(context& c, void** to, size_t bytes, hipMemPool_t pool, hipStream_t stream) {
  c.check_stream(stream);
  c.captures.refuse_in(stream, "allocations cannot be captured");
  require(to != nullptr, hipErrorInvalidValue, "the address for the pointer is null");
  *to = nullptr;
  device_slot& d = c.slot_of(pool);
  if (bytes == 0) return;
  const uint64_t address = c.gpu(d.number).memory->allocate(bytes, memory_kind::device, 0);
  d.pools.allocated(pool, address, bytes);
  *to = reinterpret_cast<void*>(address);
}

int* flag(void* value) {
  require(value != nullptr, hipErrorInvalidValue, "the address of the value is null");
  return static_cast<int*>(value);
}
uint64_t* number(void* value) {
  require(value != nullptr, hipErrorInvalidValue, "the address of the value is null");
  return static_cast<uint64_t*>(value);
}

[[noreturn]] void refuse_attribute(hipMemPoolAttr attr, const char* why) {
  throw failure(hipErrorInvalidValue, fmt::format("attribute {} of a memory pool {}", static_cast<int>(attr), why));
}

void set_attribute(memory_pool& p, hipMemPoolAttr attr, void* value) {
  switch (attr) {
    case hipMemPoolReuseFollowEventDependencies:
      p.follows_events = *flag(value) != 0;
      return;
    case hipMemPoolReuseAllowOpportunistic:
      p.opportunistic = *flag(value) != 0;
      return;
    case hipMemPoolReuseAllowInternalDependencies:
      p.internal_dependencies = *flag(value) != 0;
      return;
    case hipMemPoolAttrReleaseThreshold:
      p.release_threshold = *number(value);
      return;
    case hipMemPoolAttrReservedMemHigh:  // nothing is in reserve: the same number
    case hipMemPoolAttrUsedMemHigh:
      if (*number(value) != 0) refuse_attribute(attr, "can be set to 0 alone");
      p.used_high = p.used;
      return;
    default:
      refuse_attribute(attr, "cannot be set");
  }
}

void get_attribute(const memory_pool& p, hipMemPoolAttr attr, void* value) {
  switch (attr) {
    case hipMemPoolReuseFollowEventDependencies:
      *flag(value) = p.follows_events ? 1 : 0;
      return;
    case hipMemPoolReuseAllowOpportunistic:
      *flag(value) = p.opportunistic ? 1 : 0;
      return;
    case hipMemPoolReuseAllowInternalDependencies:
      *flag(value) = p.internal_dependencies ? 1 : 0;
      return;
    case hipMemPoolAttrReleaseThreshold:
      *number(value) = p.release_threshold;
      return;
    case hipMemPoolAttrReservedMemCurrent:
    case hipMemPoolAttrUsedMemCurrent:
      *number(value) = p.used;
      return;
    case hipMemPoolAttrReservedMemHigh:
    case hipMemPoolAttrUsedMemHigh:
      *number(value) = p.used_high;
      return;
    default:
      refuse_attribute(attr, "is not there");
  }
}

}  // namespace

extern "C" {

hipError_t hipMallocAsync(void** ptr, size_t size, hipStream_t stream) {
  return call(__func__, [&](context& c) {
    allocate_from(c, ptr, size, c.slot(c.stream_of(stream).device).pools.current_pool(), stream);
  });
}
hipError_t hipMallocFromPoolAsync(void** ptr, size_t size, hipMemPool_t pool, hipStream_t stream) {
  return call(__func__, [&](context& c) { allocate_from(c, ptr, size, pool, stream); });
}
hipError_t hipFreeAsync(void* ptr, hipStream_t stream) {
  return call(__func__, [&](context& c) {
    c.check_stream(stream);
    c.captures.refuse_in(stream, "allocations cannot be captured");
    require(ptr != nullptr, hipErrorInvalidValue, "the pointer is null");
    const auto address = reinterpret_cast<uint64_t>(ptr);
    c.finish_what_lives(stream);
    if (const memory_block* b = c.gpu().memory->find(address)) c.order.freed(c.stream_of(stream), b->address, b->bytes);
    if (c.known_graphs.free(address)) return;
    c.gpu().memory->release(address, {memory_kind::device}, hipErrorInvalidValue);
    c.note_freed(address);
  });
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  return call(__func__, [&](context& c) {
    check_device(device);
    result(pool) = c.slot(device).pools.default_pool();
  });
}
hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
  return call(__func__, [&](context& c) {
    check_device(device);
    result(pool) = c.slot(device).pools.current_pool();
  });
}
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool) {
  return call(__func__, [&](context& c) {
    check_device(device);
    c.slot(device).pools.set_current(pool);
  });
}

hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* props) {
  return call(__func__, [&](context& c) {
    require(pool != nullptr && props != nullptr, hipErrorInvalidValue, "an address is null");
    require(props->allocType == hipMemAllocationTypePinned, hipErrorInvalidValue,
            "a pool's allocations are of hipMemAllocationTypePinned");
    check_location(props->location);
    require(props->handleTypes == hipMemHandleTypeNone, hipErrorNotSupported,
            "pools that can be exported to other processes are not there");
    *pool = c.slot(props->location.id).pools.create();
  });
}
hipError_t hipMemPoolDestroy(hipMemPool_t pool) {
  return call(__func__, [&](context& c) { c.slot_of(pool).pools.destroy(pool); });
}
hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attr, void* value) {
  return call(__func__, [&](context& c) { set_attribute(c.slot_of(pool).pools.of(pool), attr, value); });
}
hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attr, void* value) {
  return call(__func__, [&](context& c) { get_attribute(c.slot_of(pool).pools.of(pool), attr, value); });
}
// Nothing is in reserve that could be given back.
hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t) {
  return call(__func__, [&](context& c) { c.slot_of(pool).pools.of(pool); });
}
// The device that a pool is on can always read and write it; there is no other one.
hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc* list, size_t count) {
  return call(__func__, [&](context& c) {
    c.slot_of(pool).pools.of(pool);
    require(count == 0 || list != nullptr, hipErrorInvalidValue, "the list is null");
    for (size_t k = 0; k < count; ++k) {
      check_location(list[k].location);
      require(list[k].flags == hipMemAccessFlagsProtReadWrite, hipErrorInvalidValue,
              "a device's access to its own pool cannot be taken away");
    }
  });
}
hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t pool, hipMemLocation* location) {
  return call(__func__, [&](context& c) {
    c.slot_of(pool).pools.of(pool);
    require(flags != nullptr && location != nullptr, hipErrorInvalidValue, "an address is null");
    check_location(*location);
    *flags = hipMemAccessFlagsProtReadWrite;
  });
}

}  // extern "C"
