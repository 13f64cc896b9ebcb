// SPDX-License-Identifier: Apache-2.0
// The devices, each described by the machine's configuration.
#include <fmt/format.h>

#include <cstring>

#include "hip_runtime/context.h"
#include "hip_runtime/visible_devices.h"
#include "models/machine/occupancy.h"

using namespace pws::hip;
namespace models = pws::models;

namespace {
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

// What there is of a device, by attribute: a property, or what is the same of all devices.
constexpr std::pair<hipDeviceAttribute_t, int hipDeviceProp_t::*> attributes[] = {
    {hipDeviceAttributeCanMapHostMemory, &hipDeviceProp_t::canMapHostMemory},
    {hipDeviceAttributeClockRate, &hipDeviceProp_t::clockRate},
    {hipDeviceAttributeWallClockRate, &hipDeviceProp_t::clockRate},  // s_memrealtime counts cycles
    {hipDeviceAttributeComputeMode, &hipDeviceProp_t::computeMode},
    {hipDeviceAttributeConcurrentManagedAccess, &hipDeviceProp_t::concurrentManagedAccess},
    {hipDeviceAttributeDirectManagedMemAccessFromHost, &hipDeviceProp_t::directManagedMemAccessFromHost},
    {hipDeviceAttributeL2CacheSize, &hipDeviceProp_t::l2CacheSize},
    {hipDeviceAttributeComputeCapabilityMajor, &hipDeviceProp_t::major},
    {hipDeviceAttributeComputeCapabilityMinor, &hipDeviceProp_t::minor},
    {hipDeviceAttributeManagedMemory, &hipDeviceProp_t::managedMemory},
    {hipDeviceAttributeMaxBlockDimX, &hipDeviceProp_t::maxThreadsPerBlock},
    {hipDeviceAttributeMaxBlockDimY, &hipDeviceProp_t::maxThreadsPerBlock},
    {hipDeviceAttributeMaxBlockDimZ, &hipDeviceProp_t::maxThreadsPerBlock},
    {hipDeviceAttributeMaxThreadsDim, &hipDeviceProp_t::maxThreadsPerBlock},
    {hipDeviceAttributeMaxThreadsPerBlock, &hipDeviceProp_t::maxThreadsPerBlock},
    {hipDeviceAttributeMaxThreadsPerMultiProcessor, &hipDeviceProp_t::maxThreadsPerMultiProcessor},
    {hipDeviceAttributeMemoryBusWidth, &hipDeviceProp_t::memoryBusWidth},
    {hipDeviceAttributeMemoryClockRate, &hipDeviceProp_t::memoryClockRate},
    {hipDeviceAttributeMultiprocessorCount, &hipDeviceProp_t::multiProcessorCount},
    {hipDeviceAttributePhysicalMultiProcessorCount, &hipDeviceProp_t::multiProcessorCount},
    {hipDeviceAttributeMaxRegistersPerBlock, &hipDeviceProp_t::regsPerBlock},
    {hipDeviceAttributeMaxRegistersPerMultiprocessor, &hipDeviceProp_t::regsPerBlock},
    {hipDeviceAttributeMaxTexture1DWidth, &hipDeviceProp_t::maxTexture1D},
    {hipDeviceAttributeMaxTexture1DLinear, &hipDeviceProp_t::maxTexture1DLinear},
    {hipDeviceAttributeWarpSize, &hipDeviceProp_t::warpSize},
    {hipDeviceAttributeCooperativeLaunch, &hipDeviceProp_t::cooperativeLaunch},
    {hipDeviceAttributeCooperativeMultiDeviceLaunch, &hipDeviceProp_t::cooperativeMultiDeviceLaunch},
    {hipDeviceAttributeCooperativeMultiDeviceUnmatchedFunc, &hipDeviceProp_t::cooperativeMultiDeviceUnmatchedFunc},
    {hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim,
     &hipDeviceProp_t::cooperativeMultiDeviceUnmatchedGridDim},
    {hipDeviceAttributeCooperativeMultiDeviceUnmatchedBlockDim,
     &hipDeviceProp_t::cooperativeMultiDeviceUnmatchedBlockDim},
    {hipDeviceAttributeCooperativeMultiDeviceUnmatchedSharedMem,
     &hipDeviceProp_t::cooperativeMultiDeviceUnmatchedSharedMem},
    {hipDeviceAttributePciBusId, &hipDeviceProp_t::pciBusID},
    {hipDeviceAttributeClockInstructionRate, &hipDeviceProp_t::clockInstructionRate},
    {hipDeviceAttributeGcnArch, &hipDeviceProp_t::gcnArch},
};
constexpr std::pair<hipDeviceAttribute_t, size_t hipDeviceProp_t::*> large_attributes[] = {
    {hipDeviceAttributeMaxPitch, &hipDeviceProp_t::memPitch},
    {hipDeviceAttributeMaxSharedMemoryPerBlock, &hipDeviceProp_t::sharedMemPerBlock},
    {hipDeviceAttributeSharedMemPerMultiprocessor, &hipDeviceProp_t::sharedMemPerBlock},
    {hipDeviceAttributeMaxSharedMemoryPerMultiprocessor, &hipDeviceProp_t::sharedMemPerBlock},
    {hipDeviceAttributeTextureAlignment, &hipDeviceProp_t::textureAlignment},
    {hipDeviceAttributeTexturePitchAlignment, &hipDeviceProp_t::textureAlignment},
    {hipDeviceAttributeTotalConstantMemory, &hipDeviceProp_t::totalConstMem},
    {hipDeviceAttributeTotalGlobalMem, &hipDeviceProp_t::totalGlobalMem},
};
constexpr std::pair<hipDeviceAttribute_t, int> fixed_attributes[] = {
    {hipDeviceAttributeMaxGridDimX, INT32_MAX},
    {hipDeviceAttributeMaxGridDimY, INT32_MAX},
    {hipDeviceAttributeMaxGridDimZ, INT32_MAX},
    {hipDeviceAttributeImageSupport, 1},
    {hipDeviceAttributeMaxTexture2DWidth, most_texels},
    {hipDeviceAttributeMaxTexture2DHeight, most_texels},
    {hipDeviceAttributeMaxTexture3DWidth, most_texels},
    {hipDeviceAttributeMaxTexture3DHeight, most_texels},
    {hipDeviceAttributeMaxTexture3DDepth, most_planes},
    {hipDeviceAttributeUnifiedAddressing, 1},
    {hipDeviceAttributeHostNativeAtomicSupported, 1},
    {hipDeviceAttributeStreamPrioritiesSupported, 1},
    {hipDeviceAttributeFineGrainSupport, 1},
    {hipDeviceAttributeMemoryPoolsSupported, 1},
    {hipDeviceAttributeCanUseStreamWaitValue, 1},
    {hipDeviceAttributeAsyncEngineCount, 0},
    {hipDeviceAttributeCanUseHostPointerForRegisteredMem, 0},
    {hipDeviceAttributeComputePreemptionSupported, 0},
    {hipDeviceAttributeConcurrentKernels, 0},
    {hipDeviceAttributeDeviceOverlap, 0},
    {hipDeviceAttributeEccEnabled, 0},
    {hipDeviceAttributeIntegrated, 0},
    {hipDeviceAttributeIsMultiGpuBoard, 0},
    {hipDeviceAttributeKernelExecTimeout, 0},
    {hipDeviceAttributePageableMemoryAccess, 0},
    {hipDeviceAttributePageableMemoryAccessUsesHostPageTables, 0},
    {hipDeviceAttributePciDeviceId, 0},
    {hipDeviceAttributePciDomainID, 0},
    {hipDeviceAttributeTccDriver, 0},
    {hipDeviceAttributeVirtualMemoryManagementSupported, 0},
    {hipDeviceAttributeIsLargeBar, 0},
    {hipDeviceAttributeAsicRevision, 0},
};

// Output of printf goes to the host at once, and malloc in kernels takes what memory there is: these limits are 0 until
// the program sets them, and change nothing.
size_t index_of(hipLimit_t limit) {
  const auto index = static_cast<size_t>(limit);
  require(index < device_slot::n_limits, hipErrorUnsupportedLimit, "no such limit");
  return index;
}

int attribute(context& c, int device, hipDeviceAttribute_t which) {
  const hipDeviceProp_t p = properties(c, device);
  for (const auto& [known, member] : attributes)
    if (known == which) return p.*member;
  for (const auto& [known, member] : large_attributes)
    if (known == which) return static_cast<int>(std::min<size_t>(p.*member, INT32_MAX));
  for (const auto& [known, value] : fixed_attributes)
    if (known == which) return value;
  throw failure(hipErrorInvalidValue, fmt::format("device attribute {} is not known", static_cast<int>(which)));
}
}  // namespace

extern "C" {

hipError_t hipInit(unsigned int flags) {
  return call(__func__, [&](context&) { require(flags == 0, hipErrorInvalidValue, "flags must be 0"); });
}
hipError_t hipDriverGetVersion(int* version) {
  return call(__func__, [&](context&) { result(version) = HIP_VERSION; });
}
hipError_t hipRuntimeGetVersion(int* version) {
  return call(__func__, [&](context&) { result(version) = HIP_VERSION; });
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
  return call(__func__, [&](context& c) { result(value) = c.slot().limits[index_of(limit)]; });
}
// As in AMD's runtime: the stack is a multiple of 16 bytes, the largest is what the hardware's register for scratch can
// say of 64 work-items, and the room for printf's output cannot be set.
hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value) {
  return call(__func__, [&](context& c) {
    constexpr size_t largest_stack = 128 * 1024 - 16;
    size_t& own = c.slot().limits[index_of(limit)];
    require(limit != hipLimitPrintfFifoSize, hipErrorUnsupportedLimit, "the room for printf's output has no limit");
    if (limit == hipLimitStackSize && value > largest_stack)
      throw failure(hipErrorInvalidValue,
                    fmt::format("a stack of {} bytes, at most {} are possible", value, largest_stack));
    own = limit == hipLimitStackSize ? (value + 15) / 16 * 16 : value;
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
