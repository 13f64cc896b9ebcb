// Properties and attributes of the device, and attributes of kernels: each attribute against the property that says the
// same.
#include "conformance.h"

namespace {

__global__ void plain(int* data) {
  data[threadIdx.x] = 1;
}
__global__ __launch_bounds__(128) void bounded(int* data) {
  data[threadIdx.x] = 1;
}
__global__ void with_shared(int* data) {
  __shared__ int all[512];
  all[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = all[blockDim.x - 1 - threadIdx.x];
}
__global__ void with_local(int* data, int k) {
  volatile int many[64];
  for (int i = 0; i < 64; ++i) many[i] = data[i];
  data[threadIdx.x] = many[k];
}

hipDeviceProp_t properties() {
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  return p;
}
int attribute(hipDeviceAttribute_t a) {
  int value = -12345;
  OK(hipDeviceGetAttribute(&value, a, 0));
  EXPECT(value != -12345);
  return value;
}

bool add_all() {
#define SAME_AS(name, property)                                              \
  add("attribute_" #name, [] {                                               \
    const hipDeviceProp_t p = properties();                                  \
    SAME(attribute(hipDeviceAttribute##name), static_cast<int>(p.property)); \
  });
  SAME_AS(EccEnabled, ECCEnabled)
  SAME_AS(CanMapHostMemory, canMapHostMemory)
  SAME_AS(ClockRate, clockRate)
  SAME_AS(ComputeMode, computeMode)
  SAME_AS(ConcurrentKernels, concurrentKernels)
  SAME_AS(ConcurrentManagedAccess, concurrentManagedAccess)
  SAME_AS(CooperativeLaunch, cooperativeLaunch)
  SAME_AS(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch)
  SAME_AS(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost)
  SAME_AS(Integrated, integrated)
  SAME_AS(IsMultiGpuBoard, isMultiGpuBoard)
  SAME_AS(KernelExecTimeout, kernelExecTimeoutEnabled)
  SAME_AS(L2CacheSize, l2CacheSize)
  SAME_AS(ComputeCapabilityMajor, major)
  SAME_AS(ComputeCapabilityMinor, minor)
  SAME_AS(ManagedMemory, managedMemory)
  SAME_AS(MaxBlockDimX, maxThreadsDim[0])
  SAME_AS(MaxBlockDimY, maxThreadsDim[1])
  SAME_AS(MaxBlockDimZ, maxThreadsDim[2])
  SAME_AS(MaxGridDimX, maxGridSize[0])
  SAME_AS(MaxGridDimY, maxGridSize[1])
  SAME_AS(MaxGridDimZ, maxGridSize[2])
  SAME_AS(MaxTexture1DWidth, maxTexture1D)
  SAME_AS(MaxTexture2DWidth, maxTexture2D[0])
  SAME_AS(MaxTexture2DHeight, maxTexture2D[1])
  SAME_AS(MaxTexture3DWidth, maxTexture3D[0])
  SAME_AS(MaxTexture3DHeight, maxTexture3D[1])
  SAME_AS(MaxTexture3DDepth, maxTexture3D[2])
  SAME_AS(MaxThreadsPerBlock, maxThreadsPerBlock)
  SAME_AS(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)
  SAME_AS(MaxPitch, memPitch)
  SAME_AS(MemoryBusWidth, memoryBusWidth)
  SAME_AS(MemoryClockRate, memoryClockRate)
  SAME_AS(MultiprocessorCount, multiProcessorCount)
  SAME_AS(PageableMemoryAccess, pageableMemoryAccess)
  SAME_AS(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables)
  SAME_AS(PciBusId, pciBusID)
  SAME_AS(PciDeviceId, pciDeviceID)
  SAME_AS(PciDomainID, pciDomainID)
  SAME_AS(MaxRegistersPerBlock, regsPerBlock)
  SAME_AS(MaxSharedMemoryPerBlock, sharedMemPerBlock)
  SAME_AS(MaxSharedMemoryPerMultiprocessor, maxSharedMemoryPerMultiProcessor)
  SAME_AS(TccDriver, tccDriver)
  SAME_AS(TextureAlignment, textureAlignment)
  SAME_AS(TexturePitchAlignment, texturePitchAlignment)
  SAME_AS(TotalConstantMemory, totalConstMem)
  SAME_AS(WarpSize, warpSize)
  SAME_AS(ClockInstructionRate, clockInstructionRate)
  SAME_AS(GcnArch, gcnArch)
  SAME_AS(CooperativeMultiDeviceUnmatchedFunc, cooperativeMultiDeviceUnmatchedFunc)
  SAME_AS(CooperativeMultiDeviceUnmatchedGridDim, cooperativeMultiDeviceUnmatchedGridDim)
  SAME_AS(CooperativeMultiDeviceUnmatchedBlockDim, cooperativeMultiDeviceUnmatchedBlockDim)
  SAME_AS(CooperativeMultiDeviceUnmatchedSharedMem, cooperativeMultiDeviceUnmatchedSharedMem)
  SAME_AS(IsLargeBar, isLargeBar)
  SAME_AS(AsicRevision, asicRevision)
  SAME_AS(PhysicalMultiProcessorCount, multiProcessorCount)
#undef SAME_AS
#define FLAG(name)                                     \
  add("attribute_" #name, [] {                         \
    const int v = attribute(hipDeviceAttribute##name); \
    EXPECT(v == 0 || v == 1);                          \
  });
  FLAG(UnifiedAddressing)
  FLAG(HostNativeAtomicSupported)
  FLAG(StreamPrioritiesSupported)
  FLAG(FineGrainSupport)
  FLAG(MemoryPoolsSupported)
  FLAG(CanUseStreamWaitValue)
  FLAG(ImageSupport)
  FLAG(ComputePreemptionSupported)
  FLAG(CanUseHostPointerForRegisteredMem)
#undef FLAG
  return true;
}
const bool added = add_all();

// Addresses of registers: as wide as a pointer, and as the properties have them.
CASE(attribute_of_registers) {
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  for (const hipDeviceAttribute_t which : {hipDeviceAttributeHdpMemFlushCntl, hipDeviceAttributeHdpRegFlushCntl}) {
    unsigned* got = reinterpret_cast<unsigned*>(~uintptr_t{0});
    OK(hipDeviceGetAttribute(reinterpret_cast<int*>(&got), which, 0));
    EXPECT(got == (which == hipDeviceAttributeHdpMemFlushCntl ? p.hdpMemFlushCntl : p.hdpRegFlushCntl));
    GIVES(hipErrorInvalidValue, hipDeviceGetAttribute(nullptr, which, 0));
  }
}
CASE(attribute_that_is_none) {
  int value = 0;
  GIVES(hipErrorInvalidValue, hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(9998), 0));
}
CASE(attribute_nowhere) {
  GIVES(hipErrorInvalidValue, hipDeviceGetAttribute(nullptr, hipDeviceAttributeWarpSize, 0));
}
CASE(attribute_of_no_device) {
  int value = 0;
  GIVES(hipErrorInvalidDevice, hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 1));
  GIVES(hipErrorInvalidDevice, hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, -1));
}
CASE(properties_nowhere) {
  GIVES(hipErrorInvalidValue, hipGetDeviceProperties(nullptr, 0));
}
CASE(properties_of_no_device) {
  hipDeviceProp_t p;
  GIVES(hipErrorInvalidDevice, hipGetDeviceProperties(&p, 3));
}
CASE(properties_make_sense) {
  const hipDeviceProp_t p = properties();
  EXPECT(p.name[0] != '\0');
  EXPECT(std::strcmp(p.gcnArchName, "gfx803") == 0);
  SAME(p.warpSize, 64);
  SAME(p.maxThreadsPerBlock, 1024);
  EXPECT(p.maxThreadsPerMultiProcessor % p.warpSize == 0);
  EXPECT(p.totalGlobalMem >= size_t{1} << 20);
  EXPECT(p.sharedMemPerBlock <= p.maxSharedMemoryPerMultiProcessor);
}
CASE(feature_flags) {
  const hipDeviceProp_t p = properties();
  EXPECT(p.arch.hasGlobalInt32Atomics && p.arch.hasSharedInt32Atomics && p.arch.hasDoubles && p.arch.hasWarpShuffle);
  EXPECT(!p.arch.hasDynamicParallelism);
}
CASE(limits_hold) {
  const hipDeviceProp_t p = properties();
  const device_block<int> d(1024);
  plain<<<1, p.maxThreadsPerBlock>>>(d.get());
  OK(hipGetLastError());
  plain<<<1, p.maxThreadsPerBlock + 1>>>(d.get());
  EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
  plain<<<1, 64, p.sharedMemPerBlock>>>(d.get());
  OK(hipGetLastError());
  plain<<<1, 64, p.sharedMemPerBlock + 1>>>(d.get());
  EXPECT(hipGetLastError() != hipSuccess);
  OK(hipDeviceSynchronize());
}

// ---- kernels

hipFuncAttributes of(const void* kernel) {
  hipFuncAttributes a;
  OK(hipFuncGetAttributes(&a, kernel));
  return a;
}
CASE(kernel_plain) {
  const hipFuncAttributes a = of(pointer_of(&plain));
  SAME(a.sharedSizeBytes, size_t{0});
  SAME(a.localSizeBytes, size_t{0});
  SAME(a.maxThreadsPerBlock, 1024);
  EXPECT(a.numRegs > 0 && a.numRegs <= 256);
}
CASE(kernel_bounds) {
  SAME(of(pointer_of(&bounded)).maxThreadsPerBlock, 128);
}
CASE(kernel_bounds_hold) {
  const device_block<int> d(256);
  bounded<<<1, 128>>>(d.get());
  OK(hipGetLastError());
  bounded<<<1, 192>>>(d.get());
  EXPECT(hipGetLastError() == hipErrorInvalidConfiguration);
}
CASE(kernel_shared) {
  SAME(of(pointer_of(&with_shared)).sharedSizeBytes, size_t{2048});
}
CASE(kernel_local) {
  EXPECT(of(pointer_of(&with_local)).localSizeBytes >= 256);
}
CASE(kernel_attributes_nowhere) {
  GIVES(hipErrorInvalidValue, hipFuncGetAttributes(nullptr, pointer_of(&plain)));
}
CASE(kernel_that_is_none) {
  hipFuncAttributes a;
  int local = 0;
  GIVES(hipErrorInvalidDeviceFunction, hipFuncGetAttributes(&a, &local));
  GIVES(hipErrorInvalidDeviceFunction, hipFuncGetAttributes(&a, nullptr));
}
CASE(set_kernel_attributes) {
  OK(hipFuncSetAttribute(pointer_of(&plain), hipFuncAttributeMaxDynamicSharedMemorySize, 1024));
  OK(hipFuncSetAttribute(pointer_of(&plain), hipFuncAttributePreferredSharedMemoryCarveout, 50));
  OK(hipFuncSetCacheConfig(pointer_of(&plain), hipFuncCachePreferL1));
  OK(hipFuncSetSharedMemConfig(pointer_of(&plain), hipSharedMemBankSizeFourByte));
}
CASE(set_attributes_of_no_kernel) {
  int local = 0;
  GIVES(hipErrorInvalidDeviceFunction, hipFuncSetAttribute(&local, hipFuncAttributeMaxDynamicSharedMemorySize, 1024));
  GIVES(hipErrorInvalidDeviceFunction, hipFuncSetSharedMemConfig(&local, hipSharedMemBankSizeFourByte));
}
CASE(set_attribute_that_is_none) {
  GIVES(hipErrorInvalidValue, hipFuncSetAttribute(pointer_of(&plain), static_cast<hipFuncAttribute>(77), 1));
}
CASE(kernel_names) {
  const char* const name = hipKernelNameRefByPtr(pointer_of(&plain), nullptr);
  EXPECT(name != nullptr && std::strstr(name, "plain") != nullptr);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
