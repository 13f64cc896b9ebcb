// The devices, each described by the machine's configuration.
#include <fmt/format.h>

#include <cstring>

#include "models/machine/occupancy.h"
#include "platform/hip/api_checks.h"
#include "platform/hip/visible_devices.h"

using namespace pws::platform::hip;
namespace models = pws::models;

namespace {
constexpr int version_of_the_api = 50200000 + 23;
constexpr const char* architecture = "gfx803";
constexpr const char* device_name = "GCN3 virtual platform";

// As a program counts it. A device's bus has the number of its machine.
std::string pci_address(const device_slot& d) {
  return fmt::format("0000:{:02x}:00.0", d.machine);
}

void copy_text(char* to, size_t room, const char* text) {
  require(to != nullptr && room != 0, hipErrorInvalidValue, "no room for the text");
  std::strncpy(to, text, room - 1);
  to[room - 1] = '\0';
}

hipDeviceProp_t properties(context& c, int device) {
  const models::machine_config& m = c.config().machine;
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
  p.pciBusID = static_cast<int>(c.slot(device).machine);
  p.textureAlignment = p.texturePitchAlignment = image_alignment;
  p.maxTexture1D = p.maxTexture2D[0] = p.maxTexture2D[1] = p.maxTexture3D[0] = p.maxTexture3D[1] = most_texels;
  p.maxTexture3D[2] = most_planes;
  p.maxTexture1DLinear = INT32_MAX;
  p.arch.hasSurfaceFuncs = 1;
  return p;
}

int attribute(context& c, int device, hipDeviceAttribute_t which) {
  const hipDeviceProp_t p = properties(c, device);
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
    case hipDeviceAttributeCanUseStreamWaitValue:
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
    case hipDeviceAttributePciBusId:
      return p.pciBusID;
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
    case hipDeviceAttributePciDeviceId:
    case hipDeviceAttributePciDomainID:
    case hipDeviceAttributeTccDriver:
    case hipDeviceAttributeIsLargeBar:
    case hipDeviceAttributeAsicRevision:
      return 0;
    default:
      throw failure(hipErrorInvalidValue, fmt::format("device attribute {} is not known", static_cast<int>(which)));
  }
}
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
    result(count) = c.device_count();
    if (c.device_count() == 0) throw failure(hipErrorNoDevice);
  });
}
hipError_t hipGetDevice(int* device) {
  return call(__func__, [&](context&) { result(device) = context::current_device(); });
}
hipError_t hipSetDevice(int device) {
  return call(__func__, [&](context&) {
    check_device(device);
    context::choose_device(device);
  });
}
hipError_t hipDeviceGet(hipDevice_t* to, int ordinal) {
  return call(__func__, [&](context&) {
    check_device(ordinal);
    result(to) = ordinal;
  });
}
hipError_t hipChooseDevice(int* device, const hipDeviceProp_t* wanted) {
  return call(__func__, [&](context&) {
    require(wanted != nullptr, hipErrorInvalidValue, "no properties to choose by");
    result(device) = 0;
  });
}
hipError_t hipGetDeviceFlags(unsigned int* flags) {
  return call(__func__, [&](context& c) { result(flags) = c.slot().flags; });
}
hipError_t hipSetDeviceFlags(unsigned flags) {
  return call(__func__, [&](context& c) {
    const unsigned waits = flags & hipDeviceScheduleMask;
    require((flags & ~(hipDeviceScheduleMask | hipDeviceMapHost | hipDeviceLmemResizeToMax)) == 0, hipErrorInvalidValue,
            "flags that a device does not have");
    require((waits & (waits - 1)) == 0, hipErrorInvalidValue, "several ways to wait");
    c.slot().flags = flags;
  });
}
hipError_t hipDeviceReset() {
  return call(__func__, [&](context& c) { c.reset(context::current_device()); });
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t* p, int device) {
  return call(__func__, [&](context& c) {
    check_device(device);
    result(p) = properties(c, device);
  });
}
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t which, int device) {
  return call(__func__, [&](context& c) {
    check_device(device);
    require(value != nullptr, hipErrorInvalidValue, "the address for the value is null");
    // Addresses of registers, and so as wide; the machine has no host data path that would have to be flushed.
    if (which == hipDeviceAttributeHdpMemFlushCntl || which == hipDeviceAttributeHdpRegFlushCntl) {
      const void* const none = nullptr;
      std::memcpy(value, &none, sizeof none);
      return;
    }
    *value = attribute(c, device, which);
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
    result(bytes) = properties(c, device).totalGlobalMem;
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
  return call(__func__, [&](context& c) {
    check_device(device);
    std::memset(&result(uuid), 0, sizeof *uuid);
    std::memcpy(uuid, uuid_of(c.slot(device).machine).data(), sizeof *uuid);
  });
}
hipError_t hipDeviceGetPCIBusId(char* id, int room, int device) {
  return call(__func__, [&](context& c) {
    check_device(device);
    copy_text(id, static_cast<size_t>(std::max(room, 0)), pci_address(c.slot(device)).c_str());
  });
}
hipError_t hipDeviceGetByPCIBusId(int* device, const char* id) {
  return call(__func__, [&](context& c) {
    int found = 0;
    while (id != nullptr && found < c.device_count() && pci_address(c.slot(found)) != id) ++found;
    require(id != nullptr && found < c.device_count(), hipErrorInvalidValue, "no device is there");
    result(device) = found;
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
hipError_t hipProfilerStart() {
  return call(__func__, [&](context&) {});
}
hipError_t hipProfilerStop() {
  return call(__func__, [&](context&) {});
}

}  // extern "C"
