// SPDX-License-Identifier: Apache-2.0
// Contexts: each device has one, from the start, and the thread's current one is that of its current device.
#include "hip_runtime/context.h"
#include "hip_runtime/this_thread.h"
#include "models/machine/address_map.h"

using namespace pws::hip;

namespace {
// Handles are addresses here.
char contexts[pws::models::most_machines];

hipCtx_t context_of(int device) {
  return reinterpret_cast<hipCtx_t>(&contexts[device]);
}

// nullptr: the current one.
int device_of(hipCtx_t ctx) {
  if (ctx == nullptr) return context::current_device();
  for (int device = 0; device < context::instance().device_count(); ++device)
    if (ctx == context_of(device)) return device;
  throw failure(hipErrorInvalidContext, "no context of a device");
}

void push(int device) {
  this_thread().pushed.push_back(context::current_device());
  context::choose_device(device);
}

void enable(context& c, int peer, unsigned flags) {
  require(flags == 0, hipErrorInvalidValue, "flags must be 0");
  check_device(peer);
  require(peer != context::current_device(), hipErrorInvalidDevice, "a device is no peer of its own");
  if (!c.gpu().memory->reach(*c.gpu(peer).memory))
    throw failure(hipErrorPeerAccessAlreadyEnabled, "the device may access that peer already");
}

void disable(context& c, int peer) {
  check_device(peer);
  if (!c.gpu().memory->leave(*c.gpu(peer).memory))
    throw failure(hipErrorPeerAccessNotEnabled, "the device's access to that peer has not been enabled");
}

// Between any two of them, over the bus.
constexpr uint32_t pcie_link = 2;  // HSA_AMD_LINK_INFO_TYPE_PCIE
}  // namespace

extern "C" {

hipError_t hipCtxCreate(hipCtx_t* ctx, unsigned int, hipDevice_t device) {
  return call(__func__, [&](context&) {
    check_device(device);
    result(ctx) = context_of(device);
    push(device);
  });
}
hipError_t hipCtxDestroy(hipCtx_t ctx) {
  return call(__func__, [&](context&) {
    require(ctx != nullptr, hipErrorInvalidValue, "the context is null");
    device_of(ctx);
  });
}
hipError_t hipCtxSetCurrent(hipCtx_t ctx) {
  return call(__func__, [&](context&) { context::choose_device(device_of(ctx)); });
}
hipError_t hipCtxPushCurrent(hipCtx_t ctx) {
  return call(__func__, [&](context&) { push(device_of(ctx)); });
}
hipError_t hipCtxPopCurrent(hipCtx_t* ctx) {
  return call(__func__, [&](context&) {
    if (ctx != nullptr) *ctx = context_of(context::current_device());
    std::vector<int>& pushed = this_thread().pushed;
    if (pushed.empty()) return;
    context::choose_device(pushed.back());
    pushed.pop_back();
  });
}
hipError_t hipCtxGetCurrent(hipCtx_t* ctx) {
  return call(__func__, [&](context&) { result(ctx) = context_of(context::current_device()); });
}
hipError_t hipCtxGetDevice(hipDevice_t* device) {
  return call(__func__, [&](context&) { result(device) = context::current_device(); });
}
hipError_t hipCtxGetFlags(unsigned int* flags) {
  return call(__func__, [&](context& c) { result(flags) = c.slot().flags; });
}
hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int* version) {
  return call(__func__, [&](context&) {
    device_of(ctx);
    result(version) = 4;
  });
}
hipError_t hipCtxGetCacheConfig(hipFuncCache_t* config) {
  return hipDeviceGetCacheConfig(config);
}
hipError_t hipCtxSetCacheConfig(hipFuncCache_t config) {
  return hipDeviceSetCacheConfig(config);
}
hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* config) {
  return hipDeviceGetSharedMemConfig(config);
}
hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config) {
  return hipDeviceSetSharedMemConfig(config);
}
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* ctx, hipDevice_t device) {
  return call(__func__, [&](context&) {
    check_device(device);
    result(ctx) = context_of(device);
  });
}
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return call(__func__, [&](context& c) {
    check_device(device);
    c.reset(device);
  });
}
hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned int) {
  return call(__func__, [&](context&) {
    check_device(device);
    throw failure(hipErrorContextAlreadyInUse, "the device's context is there from the start");
  });
}
hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device) {
  return call(__func__, [&](context&) { check_device(device); });
}
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned int* flags, int* active) {
  return call(__func__, [&](context& c) {
    check_device(device);
    if (flags != nullptr) *flags = c.slot(device).flags;
    if (active != nullptr) *active = 1;
  });
}

// ---- peers

hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  return call(__func__, [&](context&) {
    check_device(device);
    check_device(peer);
    result(can) = device != peer ? 1 : 0;
  });
}
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return call(__func__, [&](context& c) { enable(c, peer, flags); });
}
hipError_t hipDeviceDisablePeerAccess(int peer) {
  return call(__func__, [&](context& c) { disable(c, peer); });
}
hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned int flags) {
  return call(__func__, [&](context& c) { enable(c, device_of(peer), flags); });
}
hipError_t hipCtxDisablePeerAccess(hipCtx_t peer) {
  return call(__func__, [&](context& c) { disable(c, device_of(peer)); });
}
hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int from, int to) {
  return call(__func__, [&](context&) {
    result(value) = 0;
    check_device(from);
    check_device(to);
    require(from != to, hipErrorInvalidDevice, "a device and itself have no link");
    switch (attribute) {
      case hipDevP2PAttrAccessSupported:
      case hipDevP2PAttrNativeAtomicSupported:
        *value = 1;
        return;
      case hipDevP2PAttrPerformanceRank:
      case hipDevP2PAttrHipArrayAccessSupported:
        return;
    }
    throw failure(hipErrorInvalidValue, "links have no such attribute");
  });
}
hipError_t hipExtGetLinkTypeAndHopCount(int from, int to, uint32_t* type, uint32_t* hops) {
  return call(__func__, [&](context&) {
    check_device(from);
    check_device(to);
    result(type) = result(hops) = 0;
    require(from != to, hipErrorInvalidValue, "a device and itself have no link");
    *type = pcie_link;
    *hops = 1;
  });
}

}  // extern "C"
