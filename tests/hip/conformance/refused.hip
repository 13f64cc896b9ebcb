// Functions that this platform does not have: each can be linked, gives hipErrorNotSupported, and does nothing. Their
// parameters are of no interest to it: each is called with zeros.
#include <dlfcn.h>

#include "conformance.h"

namespace {

const char* const refused[] = {
    "hipBindTextureToMipmappedArray",
    "hipDestroyExternalMemory",
    "hipDestroyExternalSemaphore",
    "hipExternalMemoryGetMappedBuffer",
    "hipFreeMipmappedArray",
    "hipGLGetDevices",
    "hipGetMipmappedArrayLevel",
    "hipGraphicsGLRegisterBuffer",
    "hipGraphicsGLRegisterImage",
    "hipGraphicsMapResources",
    "hipGraphicsResourceGetMappedPointer",
    "hipGraphicsSubResourceGetMappedArray",
    "hipGraphicsUnmapResources",
    "hipGraphicsUnregisterResource",
    "hipImportExternalMemory",
    "hipImportExternalSemaphore",
    "hipIpcCloseMemHandle",
    "hipIpcGetEventHandle",
    "hipIpcGetMemHandle",
    "hipIpcOpenEventHandle",
    "hipIpcOpenMemHandle",
    "hipMallocMipmappedArray",
    "hipMemAddressFree",
    "hipMemAddressReserve",
    "hipMemCreate",
    "hipMemExportToShareableHandle",
    "hipMemGetAccess",
    "hipMemGetAllocationGranularity",
    "hipMemGetAllocationPropertiesFromHandle",
    "hipMemImportFromShareableHandle",
    "hipMemMap",
    "hipMemMapArrayAsync",
    "hipMemPoolExportPointer",
    "hipMemPoolExportToShareableHandle",
    "hipMemPoolImportFromShareableHandle",
    "hipMemPoolImportPointer",
    "hipMemRelease",
    "hipMemRetainAllocationHandle",
    "hipMemSetAccess",
    "hipMemUnmap",
    "hipMipmappedArrayCreate",
    "hipMipmappedArrayDestroy",
    "hipMipmappedArrayGetLevel",
    "hipRegisterActivityCallback",
    "hipRegisterApiCallback",
    "hipRegisterTracerCallback",
    "hipRemoveActivityCallback",
    "hipRemoveApiCallback",
    "hipSignalExternalSemaphoresAsync",
    "hipTexRefSetBorderColor",
    "hipTexRefSetMaxAnisotropy",
    "hipTexRefSetMipmapFilterMode",
    "hipTexRefSetMipmapLevelBias",
    "hipTexRefSetMipmapLevelClamp",
    "hipTexRefSetMipmappedArray",
    "hipWaitExternalSemaphoresAsync",
};

using any = int (*)(void*, void*, void*, void*, void*, void*, void*, void*);
int result_of(const char* name) {
  void* const symbol = dlsym(RTLD_DEFAULT, name);
  if (symbol == nullptr) fail(__LINE__, std::string("there is no ") + name);
  return reinterpret_cast<any>(symbol)(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
}

bool add_all() {
  for (const char* const name : refused)
    add(name, [name] {
      SAME(result_of(name), static_cast<int>(hipErrorNotSupported));
      EXPECT(hipGetLastError() == hipErrorNotSupported);
    });
  return true;
}
const bool added = add_all();

// What the headers declare and Debian's libraries do not have either: no program that was linked with it can call them.
CASE(absent) {
  for (const char* const name :
       {"hipGraphAddExternalSemaphoresSignalNode", "hipGraphAddExternalSemaphoresWaitNode",
        "hipGraphExecExternalSemaphoresSignalNodeSetParams", "hipGraphExecExternalSemaphoresWaitNodeSetParams",
        "hipGraphExternalSemaphoresSignalNodeGetParams", "hipGraphExternalSemaphoresSignalNodeSetParams",
        "hipGraphExternalSemaphoresWaitNodeGetParams", "hipGraphExternalSemaphoresWaitNodeSetParams", "hip_init",
        "hipTexRefGetMipMappedArray"})
    EXPECT(dlsym(RTLD_DEFAULT, name) == nullptr);
}
// Numbers of calls are of tools that trace them, and none can register.
CASE(calls_have_no_names) {
  using text = const char* (*)(unsigned);
  const auto name = reinterpret_cast<text>(dlsym(RTLD_DEFAULT, "hipApiName"));
  EXPECT(name != nullptr && std::strcmp(name(1), "unknown") == 0);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
