// SPDX-License-Identifier: Apache-2.0
// What HIP's headers of 5.7 have and those of 5.2 lack, for sources that are compiled with either: types, values and
// functions, as the calling convention needs them. With the headers of 5.7 only an older name is here.
#pragma once

#include <hip/hip_runtime_api.h>
#include <hip/hip_version.h>

#include <cstddef>
#include <cstdint>

#if HIP_VERSION >= 50700000

// 5.7 has one type of node for all copies between addresses.
constexpr hipGraphNodeType hipGraphNodeTypeMemcpy1D = hipGraphNodeTypeMemcpy;

#else

// ---- values

// Types of nodes that 5.2 does not know come behind the last one that it knows. (5.7 numbers all types anew.)
constexpr auto hipGraphNodeTypeMemAlloc = static_cast<hipGraphNodeType>(12);
constexpr auto hipGraphNodeTypeMemFree = static_cast<hipGraphNodeType>(13);
constexpr auto hipLimitStackSize = static_cast<hipLimit_t>(0);
constexpr auto hipLimitRange = static_cast<hipLimit_t>(3);
constexpr auto hipDeviceAttributeVirtualMemoryManagementSupported = static_cast<hipDeviceAttribute_t>(89);
constexpr auto hipDeviceAttributeWallClockRate = static_cast<hipDeviceAttribute_t>(10017);
constexpr unsigned hipEventDisableSystemFence = 0x20000000, hipDeviceMallocUncached = 3, hipHostRegisterReadOnly = 8;
constexpr unsigned hipGraphInstantiateFlagUpload = 2, hipGraphInstantiateFlagDeviceLaunch = 4,
                   hipGraphInstantiateFlagUseNodePriority = 8;

enum hipGraphMemAttributeType {
  hipGraphMemAttrUsedMemCurrent,
  hipGraphMemAttrUsedMemHigh,
  hipGraphMemAttrReservedMemCurrent,
  hipGraphMemAttrReservedMemHigh
};
enum hipUserObjectFlags { hipUserObjectNoDestructorSync = 1 };
enum hipUserObjectRetainFlags { hipGraphUserObjectMove = 1 };
// Bit 1 is free.
enum hipGraphDebugDotFlags {
  hipGraphDebugDotFlagsVerbose = 1 << 0,
  hipGraphDebugDotFlagsKernelNodeParams = 1 << 2,
  hipGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
  hipGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
  hipGraphDebugDotFlagsHostNodeParams = 1 << 5,
  hipGraphDebugDotFlagsEventNodeParams = 1 << 6,
  hipGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7,
  hipGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,
  hipGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
  hipGraphDebugDotFlagsHandles = 1 << 10
};

// ---- types

using hipUserObject_t = struct hipUserObject*;

// One launch for one device.
struct hipFunctionLaunchParams {
  hipFunction_t function;
  unsigned gridDimX, gridDimY, gridDimZ;     // blocks
  unsigned blockDimX, blockDimY, blockDimZ;  // threads
  unsigned sharedMemBytes;
  hipStream_t hStream;
  void** kernelParams;
};

struct hipMemAllocNodeParams {
  hipMemPoolProps poolProps;
  const hipMemAccessDesc* accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  void* dptr;  // the address, when the node has been added
};

// ---- functions

// Arguments that can be left out are so in C++.
extern "C" {
hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value);
hipError_t hipDrvGetErrorName(hipError_t code, const char** name);
hipError_t hipDrvGetErrorString(hipError_t code, const char** text);
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device);
hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute, hipDeviceptr_t pointer);

hipError_t hipArrayGetInfo(hipChannelFormatDesc* desc, hipExtent* extent, unsigned* flags, hipArray* array);
hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* descriptor, hipArray* array);
hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* descriptor, hipArray* array);

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                            hipStream_t stream, void** parameters);
hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams* launches, unsigned count,
                                                       unsigned flags);

hipError_t hipGraphUpload(hipGraphExec_t ready, hipStream_t stream);
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t ready, hipGraphNode_t node, unsigned is_enabled);
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t ready, hipGraphNode_t node, unsigned* is_enabled);
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t from, hipGraphNode_t to);
hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char* path, unsigned flags);

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* before, size_t count,
                                   hipMemAllocNodeParams* parameters);
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* parameters);
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* before, size_t count,
                                  void* pointer);
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* pointer);
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value);
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value);
hipError_t hipDeviceGraphMemTrim(int device);

hipError_t hipUserObjectCreate(hipUserObject_t* object, void* pointer, hipHostFn_t destroy, unsigned references,
                               unsigned flags);
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned count = 1);
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned count = 1);
hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned count = 1, unsigned flags = 0);
hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned count = 1);
}

#endif
