// The device: one, described by the machine's configuration. Contexts: one, always current.
#include <fmt/format.h>

#include <cstring>

#include "models/machine/occupancy.h"
#include "platform/hip/api_checks.h"

using namespace pws::platform::hip;
namespace models = pws::models;

namespace {
constexpr int version_of_the_api = 50200000 + 23;
constexpr const char* architecture = "gfx803";
constexpr const char* device_name = "GCN3 virtual platform";
constexpr const char* pci_address = "0000:00:00.0";

void copy_text(char* to, size_t room, const char* text) {
  require(to != nullptr && room != 0, hipErrorInvalidValue, "no room for the text");
  std::strncpy(to, text, room - 1);
  to[room - 1] = '\0';
}

hipDeviceProp_t properties(const models::machine_config& m) {
  constexpr int most_threads = static_cast<int>(pws::models::most_work_items);
  hipDeviceProp_t p;
  std::memset(&p, 0, sizeof p);
  copy_text(p.name, sizeof p.name, device_name);
  copy_text(p.gcnArchName, sizeof p.gcnArchName, architecture);
  p.gcnArch = 803;
  p.major = 8;
  p.minor = 0;
  p.totalGlobalMem = size_t{m.memory.dram.size_mib} << 20;
  p.totalConstMem = std::min<size_t>(p.totalGlobalMem, INT32_MAX);  // constants lie there; an attribute is an int
  p.sharedMemPerBlock = p.maxSharedMemoryPerMultiProcessor = size_t{m.lds.size_kib} * 1024;
  p.regsPerBlock = static_cast<int>(m.vgprs_per_simd * m.n_simd * pws::isa::wave_size);
  p.warpSize = static_cast<int>(pws::isa::wave_size);
  p.maxThreadsPerBlock = most_threads;
  for (int& d : p.maxThreadsDim) d = most_threads;
  for (int& d : p.maxGridSize) d = INT32_MAX;
  p.clockRate = p.memoryClockRate = static_cast<int>(m.clock_mhz) * 1000;
  p.clockInstructionRate = p.clockRate;
  p.memoryBusWidth = static_cast<int>(m.memory.dram.channels * m.memory.l2.bank.line_bytes * 8 / m.memory.dram.t_burst);
  p.multiProcessorCount = static_cast<int>(m.n_cu);
  p.l2CacheSize = static_cast<int>(m.memory.l2.banks * m.memory.l2.bank.size_kib * 1024);
  p.maxThreadsPerMultiProcessor = static_cast<int>(pws::models::contexts_of_cu(m) * pws::isa::wave_size);
  p.computeMode = hipComputeModeDefault;
  p.arch.hasGlobalInt32Atomics = p.arch.hasGlobalFloatAtomicExch = p.arch.hasSharedInt32Atomics = 1;
  p.arch.hasSharedFloatAtomicExch = p.arch.hasFloatAtomicAdd = p.arch.hasGlobalInt64Atomics = 1;
  p.arch.hasSharedInt64Atomics = p.arch.hasDoubles = p.arch.hasWarpVote = p.arch.hasWarpBallot = 1;
  p.arch.hasWarpShuffle = p.arch.hasThreadFenceSystem = p.arch.has3dGrid = 1;
  const bool together = no_grid_barriers(m).empty();
  p.cooperativeLaunch = p.cooperativeMultiDeviceLaunch = together;
  p.cooperativeMultiDeviceUnmatchedFunc = p.cooperativeMultiDeviceUnmatchedGridDim = together;
  p.cooperativeMultiDeviceUnmatchedBlockDim = p.cooperativeMultiDeviceUnmatchedSharedMem = together;
  p.canMapHostMemory = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;  // there is nothing to migrate
  p.directManagedMemAccessFromHost = 1;
  p.memPitch = INT32_MAX;
  p.textureAlignment = p.texturePitchAlignment = image_alignment;
  p.maxTexture1D = p.maxTexture2D[0] = p.maxTexture2D[1] = p.maxTexture3D[0] = p.maxTexture3D[1] = most_texels;
  p.maxTexture3D[2] = most_planes;
  p.maxTexture1DLinear = INT32_MAX;
  p.arch.hasSurfaceFuncs = 1;
  return p;
}

int attribute(const models::machine_config& m, hipDeviceAttribute_t which) {
  const hipDeviceProp_t p = properties(m);
  const auto clamped = [](size_t v) { return static_cast<int>(std::min<size_t>(v, INT32_MAX)); };
  switch (which) {
    case hipDeviceAttributeCanMapHostMemory:
      return p.canMapHostMemory;
    case hipDeviceAttributeClockRate:
      return p.clockRate;
    case hipDeviceAttributeComputeMode:
      return p.computeMode;
    case hipDeviceAttributeConcurrentManagedAccess:
      return p.concurrentManagedAccess;
    case hipDeviceAttributeDirectManagedMemAccessFromHost:
      return p.directManagedMemAccessFromHost;
    case hipDeviceAttributeL2CacheSize:
      return p.l2CacheSize;
    case hipDeviceAttributeComputeCapabilityMajor:
      return p.major;
    case hipDeviceAttributeComputeCapabilityMinor:
      return p.minor;
    case hipDeviceAttributeManagedMemory:
      return p.managedMemory;
    case hipDeviceAttributeMaxBlockDimX:
    case hipDeviceAttributeMaxBlockDimY:
    case hipDeviceAttributeMaxBlockDimZ:
    case hipDeviceAttributeMaxThreadsDim:
    case hipDeviceAttributeMaxThreadsPerBlock:
      return p.maxThreadsPerBlock;
    case hipDeviceAttributeMaxGridDimX:
    case hipDeviceAttributeMaxGridDimY:
    case hipDeviceAttributeMaxGridDimZ:
      return p.maxGridSize[0];
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case hipDeviceAttributeMaxPitch:
      return clamped(p.memPitch);
    case hipDeviceAttributeMemoryBusWidth:
      return p.memoryBusWidth;
    case hipDeviceAttributeMemoryClockRate:
      return p.memoryClockRate;
    case hipDeviceAttributeMultiprocessorCount:
    case hipDeviceAttributePhysicalMultiProcessorCount:
      return p.multiProcessorCount;
    case hipDeviceAttributeMaxRegistersPerBlock:
    case hipDeviceAttributeMaxRegistersPerMultiprocessor:
      return p.regsPerBlock;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
    case hipDeviceAttributeSharedMemPerMultiprocessor:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      return clamped(p.sharedMemPerBlock);
    case hipDeviceAttributeTextureAlignment:
    case hipDeviceAttributeTexturePitchAlignment:
      return clamped(p.textureAlignment);
    case hipDeviceAttributeImageSupport:
      return 1;
    case hipDeviceAttributeMaxTexture1DWidth:
      return p.maxTexture1D;
    case hipDeviceAttributeMaxTexture1DLinear:
      return p.maxTexture1DLinear;
    case hipDeviceAttributeMaxTexture2DWidth:
      return p.maxTexture2D[0];
    case hipDeviceAttributeMaxTexture2DHeight:
      return p.maxTexture2D[1];
    case hipDeviceAttributeMaxTexture3DWidth:
      return p.maxTexture3D[0];
    case hipDeviceAttributeMaxTexture3DHeight:
      return p.maxTexture3D[1];
    case hipDeviceAttributeMaxTexture3DDepth:
      return p.maxTexture3D[2];
    case hipDeviceAttributeTotalConstantMemory:
      return clamped(p.totalConstMem);
    case hipDeviceAttributeTotalGlobalMem:
      return clamped(p.totalGlobalMem);
    case hipDeviceAttributeUnifiedAddressing:
    case hipDeviceAttributeHostNativeAtomicSupported:
    case hipDeviceAttributeStreamPrioritiesSupported:
    case hipDeviceAttributeFineGrainSupport:
    case hipDeviceAttributeMemoryPoolsSupported:
      return 1;
    case hipDeviceAttributeWarpSize:
      return p.warpSize;
    case hipDeviceAttributeCooperativeLaunch:
      return p.cooperativeLaunch;
    case hipDeviceAttributeCooperativeMultiDeviceLaunch:
      return p.cooperativeMultiDeviceLaunch;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc:
      return p.cooperativeMultiDeviceUnmatchedFunc;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim:
      return p.cooperativeMultiDeviceUnmatchedGridDim;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim:
      return p.cooperativeMultiDeviceUnmatchedBlockDim;
    case hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem:
      return p.cooperativeMultiDeviceUnmatchedSharedMem;
    case hipDeviceAttributeClockInstructionRate:
      return p.clockInstructionRate;
    case hipDeviceAttributeGcnArch:
      return p.gcnArch;
    case hipDeviceAttributeAsyncEngineCount:
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
    case hipDeviceAttributeComputePreemptionSupported:
    case hipDeviceAttributeConcurrentKernels:
    case hipDeviceAttributeDeviceOverlap:
    case hipDeviceAttributeEccEnabled:
    case hipDeviceAttributeIntegrated:
    case hipDeviceAttributeIsMultiGpuBoard:
    case hipDeviceAttributeKernelExecTimeout:
    case hipDeviceAttributePageableMemoryAccess:
    case hipDeviceAttributePageableMemoryAccessUsesHostPageTables:
    case hipDeviceAttributePciBusId:
    case hipDeviceAttributePciDeviceId:
    case hipDeviceAttributePciDomainID:
    case hipDeviceAttributeTccDriver:
    case hipDeviceAttributeIsLargeBar:
    case hipDeviceAttributeAsicRevision:
    case hipDeviceAttributeCanUseStreamWaitValue:
      return 0;
    default:
      throw failure(hipErrorInvalidValue, fmt::format("device attribute {} is not known", static_cast<int>(which)));
  }
}

hipCtx_t the_context() {
  static int place;
  return reinterpret_cast<hipCtx_t>(&place);
}
void check_context(hipCtx_t ctx) {
  require(ctx == nullptr || ctx == the_context(), hipErrorInvalidContext, "no context of this device");
}

unsigned device_flags = 0;
}  // namespace

extern "C" {

hipError_t hipInit(unsigned int flags) {
  return call(__func__, [&](context&) { require(flags == 0, hipErrorInvalidValue, "flags must be 0"); });
}
hipError_t hipDriverGetVersion(int* version) {
  return call(__func__, [&](context&) { result(version) = version_of_the_api; });
}
hipError_t hipRuntimeGetVersion(int* version) {
  return call(__func__, [&](context&) { result(version) = version_of_the_api; });
}
hipError_t hipGetDeviceCount(int* count) {
  return call(__func__, [&](context& c) {
    result(count) = c.device_is_visible() ? 1 : 0;
    if (!c.device_is_visible()) throw failure(hipErrorNoDevice);
  });
}
hipError_t hipGetDevice(int* device) {
  return call(__func__, [&](context&) { result(device) = 0; });
}
hipError_t hipSetDevice(int device) {
  return call(__func__, [&](context&) { check_device(device); });
}
hipError_t hipDeviceGet(hipDevice_t* to, int ordinal) {
  return call(__func__, [&](context&) {
    check_device(ordinal);
    result(to) = 0;
  });
}
hipError_t hipChooseDevice(int* device, const hipDeviceProp_t* wanted) {
  return call(__func__, [&](context&) {
    require(wanted != nullptr, hipErrorInvalidValue, "no properties to choose by");
    result(device) = 0;
  });
}
hipError_t hipGetDeviceFlags(unsigned int* flags) {
  return call(__func__, [&](context&) { result(flags) = device_flags; });
}
hipError_t hipSetDeviceFlags(unsigned flags) {
  return call(__func__, [&](context&) {
    const unsigned waits = flags & hipDeviceScheduleMask;
    require((flags & ~(hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax)) == 0, hipErrorInvalidValue,
            "flags that a device does not have");
    require((waits & (waits - 1)) == 0, hipErrorInvalidValue, "several ways to wait");
    device_flags = flags;
  });
}
hipError_t hipDeviceReset() {
  return call(__func__, [&](context& c) { c.reset(); });
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t* p, int device) {
  return call(__func__, [&](context& c) {
    check_device(device);
    result(p) = properties(c.config().machine);
  });
}
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t which, int device) {
  return call(__func__, [&](context& c) {
    check_device(device);
    result(value) = attribute(c.config().machine, which);
  });
}
hipError_t hipDeviceGetName(char* name, int room, hipDevice_t device) {
  return call(__func__, [&](context&) {
    check_device(device);
    copy_text(name, static_cast<size_t>(std::max(room, 0)), device_name);
  });
}
hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device) {
  return call(__func__, [&](context& c) {
    check_device(device);
    result(bytes) = properties(c.config().machine).totalGlobalMem;
  });
}
hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device) {
  return call(__func__, [&](context&) {
    check_device(device);
    result(major) = 8;
    result(minor) = 0;
  });
}
hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  return call(__func__, [&](context&) {
    check_device(device);
    std::memset(&result(uuid), 0, sizeof *uuid);
    std::memcpy(uuid, device_uuid, sizeof *uuid);
  });
}
hipError_t hipDeviceGetPCIBusId(char* id, int room, int device) {
  return call(__func__, [&](context&) {
    check_device(device);
    copy_text(id, static_cast<size_t>(std::max(room, 0)), pci_address);
  });
}
hipError_t hipDeviceGetByPCIBusId(int* device, const char* id) {
  return call(__func__, [&](context&) {
    require(id != nullptr && std::strcmp(id, pci_address) == 0, hipErrorInvalidValue, "no device is there");
    result(device) = 0;
  });
}
hipError_t hipDeviceGetLimit(size_t* value, hipLimit_t limit) {
  return call(__func__, [&](context&) {
    // Output of printf goes to the host at once, and malloc in kernels takes what memory there is.
    if (limit != hipLimitPrintfFifoSize && limit != hipLimitMallocHeapSize)
      throw failure(hipErrorUnsupportedLimit, "no such limit");
    result(value) = 0;
  });
}
hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) {
  return call(__func__, [&](context&) {});
}
hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config) {
  return call(__func__, [&](context&) { result(config) = hipFuncCachePreferNone; });
}
hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig) {
  return call(__func__, [&](context&) {});
}
hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config) {
  return call(__func__, [&](context&) { result(config) = hipSharedMemBankSizeFourByte; });
}
hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  return call(__func__, [&](context&) {
    check_device(device);
    check_device(peer);
    result(can) = 0;
  });
}
hipError_t hipDeviceEnablePeerAccess(int, unsigned int) {
  return call(__func__, [&](context&) { throw failure(hipErrorInvalidDevice, "there is no other device"); });
}
hipError_t hipDeviceDisablePeerAccess(int device) {
  return call(__func__, [&](context&) {
    check_device(device);
    throw failure(hipErrorPeerAccessNotEnabled, "there is no other device");
  });
}
hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr, int from, int to) {
  return call(__func__, [&](context&) {
    result(value) = 0;
    check_device(from);
    check_device(to);
    throw failure(hipErrorInvalidDevice, "a device and itself have no link");
  });
}
hipError_t hipExtGetLinkTypeAndHopCount(int from, int to, uint32_t* type, uint32_t* hops) {
  return call(__func__, [&](context&) {
    check_device(from);
    check_device(to);
    result(type) = result(hops) = 0;
    throw failure(hipErrorInvalidValue, "a device and itself have no link");
  });
}
hipError_t hipProfilerStart() {
  return call(__func__, [&](context&) {});
}
hipError_t hipProfilerStop() {
  return call(__func__, [&](context&) {});
}

// ---- contexts

hipError_t hipCtxCreate(hipCtx_t* ctx, unsigned int, hipDevice_t device) {
  return call(__func__, [&](context&) {
    check_device(device);
    result(ctx) = the_context();
  });
}
hipError_t hipCtxDestroy(hipCtx_t ctx) {
  return call(__func__, [&](context&) {
    require(ctx != nullptr, hipErrorInvalidValue, "the context is null");
    check_context(ctx);
  });
}
hipError_t hipCtxSetCurrent(hipCtx_t ctx) {
  return call(__func__, [&](context&) { check_context(ctx); });
}
hipError_t hipCtxPushCurrent(hipCtx_t ctx) {
  return call(__func__, [&](context&) { check_context(ctx); });
}
hipError_t hipCtxPopCurrent(hipCtx_t* ctx) {
  return call(__func__, [&](context&) {
    if (ctx != nullptr) *ctx = the_context();
  });
}
hipError_t hipCtxGetCurrent(hipCtx_t* ctx) {
  return call(__func__, [&](context&) { result(ctx) = the_context(); });
}
hipError_t hipCtxGetDevice(hipDevice_t* device) {
  return call(__func__, [&](context&) { result(device) = 0; });
}
hipError_t hipCtxGetFlags(unsigned int* flags) {
  return call(__func__, [&](context&) { result(flags) = device_flags; });
}
hipError_t hipCtxGetApiVersion(hipCtx_t ctx, int* version) {
  return call(__func__, [&](context&) {
    check_context(ctx);
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
hipError_t hipCtxEnablePeerAccess(hipCtx_t, unsigned int flags) {
  return hipDeviceEnablePeerAccess(0, flags);
}
hipError_t hipCtxDisablePeerAccess(hipCtx_t) {
  return hipDeviceDisablePeerAccess(0);
}
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* ctx, hipDevice_t device) {
  return hipCtxCreate(ctx, 0, device);
}
hipError_t hipDevicePrimaryCtxReset(hipDevice_t device) {
  return call(__func__, [&](context& c) {
    check_device(device);
    c.reset();
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
  return call(__func__, [&](context&) {
    check_device(device);
    if (flags != nullptr) *flags = device_flags;
    if (active != nullptr) *active = 1;
  });
}

}  // extern "C"
