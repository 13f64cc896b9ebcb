// SPDX-License-Identifier: Apache-2.0
// Attributes of pointers.
#include <fmt/format.h>

#include "hip_runtime/pointers.h"

namespace pws::hip {

bool describe(context& c, const void* pointer, hipPointerAttribute_t& a) {
  a = {};
  if (const memory_block* b = c.gpu().memory->find(address_of(pointer))) {
    a.device = c.gpu().memory->of(address_of(pointer))->number();
    a.memoryType = b->kind == memory_kind::host ? hipMemoryTypeHost : hipMemoryTypeDevice;
    a.devicePointer = const_cast<void*>(pointer);
    a.hostPointer = b->kind == memory_kind::device ? nullptr : const_cast<void*>(pointer);
    a.isManaged = b->kind == memory_kind::managed ? 1 : 0;
    a.allocationFlags = b->flags;
    return true;
  }
  if (const registered_range* r = c.gpu().memory->find_registered(pointer)) {
    a.device = c.gpu().memory->of(r->device)->number();
    a.memoryType = hipMemoryTypeHost;
    const auto offset = static_cast<uint64_t>(static_cast<const uint8_t*>(pointer) - r->host);
    a.devicePointer = pointer_to(r->device + offset);
    a.hostPointer = const_cast<void*>(pointer);
    a.allocationFlags = r->flags;
    return true;
  }
  return false;
}

}  // namespace pws::hip

using namespace pws::hip;

namespace {
void tell_attribute(context& c, void* data, hipPointer_attribute attribute, const void* ptr) {
  require(data != nullptr, hipErrorInvalidValue, "the address for the value is null");
  hipPointerAttribute_t a;
  if (!describe(c, ptr, a)) throw failure(hipErrorInvalidValue);
  const memory_block* b = c.gpu().memory->find(address_of(ptr));
  const registered_range* r = c.gpu().memory->find_registered(ptr);
  switch (attribute) {
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(data) = a.memoryType;
      break;
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<void**>(data) = a.devicePointer;
      break;
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
      if (a.hostPointer == nullptr) throw failure(hipErrorInvalidValue);
      *static_cast<void**>(data) = a.hostPointer;
      break;
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<bool*>(data) = a.isManaged != 0;
      break;
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(data) = a.device;
      break;
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<void**>(data) = b != nullptr ? pointer_to(b->address) : r->host;
      break;
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t*>(data) = b != nullptr ? b->bytes : r->bytes;
      break;
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
      *static_cast<uint32_t*>(data) = (b != nullptr ? b : c.gpu().memory->find(r->device))->id;
      break;
    case HIP_POINTER_ATTRIBUTE_MAPPED:
      *static_cast<bool*>(data) = true;
      break;
    case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      *static_cast<bool*>(data) = (b != nullptr ? b : c.gpu().memory->find(r->device))->sync_memops;
      break;
    default:
      throw failure(hipErrorNotSupported, fmt::format("attribute {} of a pointer", static_cast<int>(attribute)));
  }
}

}  // namespace

extern "C" {

hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr) {
  return call(__func__, [&](context& c) {
    require(attributes != nullptr, hipErrorInvalidValue, "the address for the attributes is null");
    // Programs ask this to find out: an ordinary host pointer is no mistake.
    if (!describe(c, ptr, *attributes)) throw failure(hipErrorInvalidValue);
  });
}

hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
  return call(__func__, [&](context& c) { tell_attribute(c, data, attribute, ptr); });
}
hipError_t hipDrvPointerGetAttributes(unsigned int count, hipPointer_attribute* attributes, void** data,
                                      hipDeviceptr_t ptr) {
  return call(__func__, [&](context& c) {
    require(count == 0 || (attributes != nullptr && data != nullptr), hipErrorInvalidValue, "a list is null");
    for (unsigned k = 0; k < count; ++k) tell_attribute(c, data[k], attributes[k], ptr);
  });
}

// Copies and fills that wait do so until all is done, whatever is set here.
hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
  return call(__func__, [&](context& c) {
    require(value != nullptr && ptr != nullptr, hipErrorInvalidValue, "a null pointer");
    require(attribute == HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, hipErrorInvalidValue, "an attribute that cannot be set");
    const registered_range* r = c.gpu().memory->find_registered(ptr);
    memory_block* b = c.gpu().memory->find(r != nullptr ? r->device : address_of(ptr));
    if (b == nullptr) throw failure(hipErrorInvalidDevicePointer, fmt::format("{} is in no block of memory", ptr));
    b->sync_memops = *static_cast<const unsigned*>(value) != 0;
  });
}

}  // extern "C"
