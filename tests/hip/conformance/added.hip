// library: own
// hsaco: conformance_module.hip
// flags: -Wno-deprecated-declarations
// What HIP 5.7 added to older subjects: arrays that tell what they are, names of errors, a stream's device, attributes
// of pointers, limits, cooperative launches of modules' kernels, and functions for programs whose default stream is
// each thread's own.
#include <dlfcn.h>

#include "newer_api.h"

__device__ int variable[elements];

namespace {

using ints = std::vector<int>;

// ---- arrays

struct own_array {
  hipArray_t a = nullptr;
  own_array(size_t width, size_t height, size_t depth, unsigned flags) {
    const hipChannelFormatDesc d = hipCreateChannelDesc(16, 16, 0, 0, hipChannelFormatKindUnsigned);
    OK(hipMalloc3DArray(&a, &d, make_hipExtent(width, height, depth), flags));
  }
  ~own_array() { static_cast<void>(hipFreeArray(a)); }
  own_array(const own_array&) = delete;
  own_array& operator=(const own_array&) = delete;
  operator hipArray_t() const { return a; }
};
void tells(size_t width, size_t height, size_t depth, unsigned flags) {
  const own_array a(width, height, depth, flags);
  hipChannelFormatDesc d = {};
  hipExtent e = {};
  unsigned f = 99;
  OK(hipArrayGetInfo(&d, &e, &f, a));
  EXPECT(d.x == 16 && d.y == 16 && d.z == 0 && d.w == 0 && d.f == hipChannelFormatKindUnsigned);
  EXPECT(e.width == width && e.height == height && e.depth == depth && f == flags);
  HIP_ARRAY3D_DESCRIPTOR three = {};
  OK(hipArray3DGetDescriptor(&three, a));
  EXPECT(three.Width == width && three.Height == height && three.Depth == depth && three.Flags == flags);
  EXPECT(three.Format == HIP_AD_FORMAT_UNSIGNED_INT16 && three.NumChannels == 2);
  HIP_ARRAY_DESCRIPTOR two = {};
  OK(hipArrayGetDescriptor(&two, a));
  EXPECT(two.Width == width && two.Height == height && two.Format == HIP_AD_FORMAT_UNSIGNED_INT16 &&
         two.NumChannels == 2);
  // 5.7's headers have the flags in the handle's structure, behind what 5.2's have.
  unsigned seen = 99;
  std::memcpy(&seen, reinterpret_cast<const char*>(static_cast<hipArray_t>(a)) + 60, sizeof seen);
  SAME(seen, flags);
}
CASE(arrays_tell) {
  tells(5, 0, 0, 0);
  tells(5, 7, 0, hipArraySurfaceLoadStore);
  tells(5, 7, 9, 0);
  tells(5, 7, 3, hipArrayLayered);
}
CASE(arrays_tell_in_parts) {
  const own_array a(4, 4, 0, 0);
  hipExtent e = {};
  OK(hipArrayGetInfo(nullptr, &e, nullptr, a));
  EXPECT(e.width == 4 && e.height == 4 && e.depth == 0);
  OK(hipArrayGetInfo(nullptr, nullptr, nullptr, a));
}
CASE(no_array_tells) {
  hipChannelFormatDesc d;
  HIP_ARRAY_DESCRIPTOR two;
  HIP_ARRAY3D_DESCRIPTOR three;
  hipArray_t gone = nullptr;
  {
    const own_array a(4, 4, 0, 0);
    gone = a;
    GIVES(hipErrorInvalidValue, hipArrayGetDescriptor(nullptr, a));
    GIVES(hipErrorInvalidValue, hipArray3DGetDescriptor(nullptr, a));
  }
  for (hipArray_t a : {gone, static_cast<hipArray_t>(nullptr)}) {
    GIVES(hipErrorInvalidHandle, hipArrayGetInfo(&d, nullptr, nullptr, a));
    GIVES(hipErrorInvalidHandle, hipArrayGetDescriptor(&two, a));
    GIVES(hipErrorInvalidHandle, hipArray3DGetDescriptor(&three, a));
  }
}

// A function of the headers alone.
CASE(channel_of_four_halves) {
#if HIP_VERSION >= 50700000
  const hipChannelFormatDesc d = hipCreateChannelDescHalf4();
  EXPECT(d.x == 16 && d.y == 16 && d.z == 16 && d.w == 16 && d.f == hipChannelFormatKindFloat);
#else
  std::printf("SKIPPED channel_of_four_halves: the headers are older\n");
#endif
}

// ---- errors

CASE(error_names) {
  const char *name = nullptr, *text = nullptr;
  for (const hipError_t code : {hipSuccess, hipErrorInvalidValue, hipErrorUnknown}) {
    OK(hipDrvGetErrorName(code, &name));
    OK(hipDrvGetErrorString(code, &text));
    EXPECT(std::strcmp(name, hipGetErrorName(code)) == 0 && std::strcmp(text, hipGetErrorString(code)) == 0);
  }
  const auto none = static_cast<hipError_t>(1000000);
  GIVES(hipErrorInvalidValue, hipDrvGetErrorName(none, &name));
  GIVES(hipErrorInvalidValue, hipDrvGetErrorString(none, &text));
  EXPECT(name == nullptr && text == nullptr);
  GIVES(hipErrorInvalidValue, hipDrvGetErrorName(hipSuccess, nullptr));
  GIVES(hipErrorInvalidValue, hipDrvGetErrorString(hipSuccess, nullptr));
}

// ---- streams, pointers, limits

CASE(device_of_a_stream) {
  const own_stream s;
  hipDevice_t d = 9;
  OK(hipStreamGetDevice(s, &d));
  SAME(d, 0);
  d = 9;
  OK(hipStreamGetDevice(nullptr, &d));
  SAME(d, 0);
  GIVES(hipErrorInvalidValue, hipStreamGetDevice(s, nullptr));
  hipStream_t gone = nullptr;
  OK(hipStreamCreate(&gone));
  OK(hipStreamDestroy(gone));
  GIVES(hipErrorInvalidHandle, hipStreamGetDevice(gone, &d));
}
CASE(attribute_of_a_pointer) {
  const device_block<int> data(4);
  unsigned on = 1, off = 0;
  bool told = true;
  const auto ask = [&] {
    OK(hipPointerGetAttribute(&told, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, data.get() + 1));
    return told;
  };
  EXPECT(!ask());
  OK(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, data.get()));
  EXPECT(ask());
  OK(hipPointerSetAttribute(&off, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, data.get() + 1));
  EXPECT(!ask());
  int on_host = 0;
  GIVES(hipErrorInvalidDevicePointer, hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, &on_host));
  GIVES(hipErrorInvalidValue, hipPointerSetAttribute(nullptr, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, data.get()));
  GIVES(hipErrorInvalidValue, hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, nullptr));
  GIVES(hipErrorInvalidValue, hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, data.get()));
}
CASE(limits) {
  size_t value = 99;
  for (const hipLimit_t limit : {hipLimitStackSize, hipLimitMallocHeapSize}) {
    OK(hipDeviceSetLimit(limit, 4096));
    OK(hipDeviceGetLimit(&value, limit));
    SAME(value, 4096u);
    OK(hipDeviceSetLimit(limit, 0));
  }
  OK(hipDeviceSetLimit(hipLimitStackSize, 4097));
  OK(hipDeviceGetLimit(&value, hipLimitStackSize));
  SAME(value, 4112u);
  OK(hipDeviceSetLimit(hipLimitStackSize, 131056));
  GIVES(hipErrorInvalidValue, hipDeviceSetLimit(hipLimitStackSize, 131057));
  OK(hipDeviceGetLimit(&value, hipLimitStackSize));
  SAME(value, 131056u);
  GIVES(hipErrorUnsupportedLimit, hipDeviceSetLimit(hipLimitPrintfFifoSize, 4096));
  GIVES(hipErrorUnsupportedLimit, hipDeviceSetLimit(hipLimitRange, 4096));
  GIVES(hipErrorUnsupportedLimit, hipDeviceGetLimit(&value, hipLimitRange));
  OK(hipDeviceSetLimit(hipLimitStackSize, 1));
  OK(hipDeviceReset());
  OK(hipDeviceGetLimit(&value, hipLimitStackSize));
  SAME(value, 16384u);
}
CASE(newer_flags) {
  hipEvent_t e = nullptr;
  OK(hipEventCreateWithFlags(&e, hipEventDisableSystemFence | hipEventDisableTiming));
  OK(hipEventRecord(e, nullptr));
  OK(hipEventSynchronize(e));
  OK(hipEventDestroy(e));
  int *uncached = nullptr, host[4] = {1, 2, 3, 4};
  OK(hipExtMallocWithFlags(reinterpret_cast<void**>(&uncached), sizeof host, hipDeviceMallocUncached));
  OK(hipMemcpy(uncached, host, sizeof host, hipMemcpyHostToDevice));
  SAME(uncached[3], 4);
  OK(hipFree(uncached));
  OK(hipHostRegister(host, sizeof host, hipHostRegisterReadOnly));
  OK(hipHostUnregister(host));
}
CASE(newer_device_attributes) {
  int value = 99, clock = 0;
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeVirtualMemoryManagementSupported, 0));
  SAME(value, 0);
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeWallClockRate, 0));
  OK(hipDeviceGetAttribute(&clock, hipDeviceAttributeClockRate, 0));
  SAME(value, clock);
}

// ---- cooperative launches of modules' kernels

struct add_one {
  hipModule_t m = nullptr;
  hipFunction_t f = nullptr;
  device_block<int> data{ints(elements, 5)};
  int* pointer = data.get();
  int n = elements;
  void* arguments[2] = {&pointer, &n};
  add_one() {
    OK(hipModuleLoad(&m, module_file().c_str()));
    OK(hipModuleGetFunction(&f, m, "add_one"));
  }
  ~add_one() { static_cast<void>(hipModuleUnload(m)); }
  add_one(const add_one&) = delete;
  add_one& operator=(const add_one&) = delete;
};
CASE(cooperative_kernel_of_a_module) {
  add_one k;
  OK(hipModuleLaunchCooperativeKernel(k.f, 2, 1, 1, 32, 1, 1, 0, nullptr, k.arguments));
  EXPECT(k.data.read() == ints(elements, 6));
  GIVES(hipErrorInvalidHandle, hipModuleLaunchCooperativeKernel(nullptr, 2, 1, 1, 32, 1, 1, 0, nullptr, k.arguments));
  GIVES(hipErrorInvalidValue, hipModuleLaunchCooperativeKernel(k.f, 2, 1, 1, 32, 1, 1, 0, nullptr, nullptr));
  GIVES(hipErrorCooperativeLaunchTooLarge,
        hipModuleLaunchCooperativeKernel(k.f, 100000, 1, 1, 256, 1, 1, 0, nullptr, k.arguments));
  EXPECT(k.data.read() == ints(elements, 6));
}
CASE(cooperative_kernels_of_a_module_on_devices) {
  add_one k;
  const own_stream s;
  hipFunctionLaunchParams p = {k.f, 2, 1, 1, 32, 1, 1, 0, s, k.arguments};
  OK(hipModuleLaunchCooperativeKernelMultiDevice(&p, 1, 0));
  OK(hipStreamSynchronize(s));
  EXPECT(k.data.read() == ints(elements, 6));
  GIVES(hipErrorInvalidValue, hipModuleLaunchCooperativeKernelMultiDevice(nullptr, 1, 0));
  GIVES(hipErrorInvalidValue, hipModuleLaunchCooperativeKernelMultiDevice(&p, 0, 0));
  GIVES(hipErrorInvalidValue, hipModuleLaunchCooperativeKernelMultiDevice(&p, 1u << 31, 0));
  GIVES(hipErrorInvalidValue, hipModuleLaunchCooperativeKernelMultiDevice(&p, 1, 8));
  p.function = nullptr;
  GIVES(hipErrorInvalidHandle, hipModuleLaunchCooperativeKernelMultiDevice(&p, 1, 0));
  p.function = k.f;
  p.hStream = nullptr;
  GIVES(hipErrorInvalidHandle, hipModuleLaunchCooperativeKernelMultiDevice(&p, 1, 0));
}

// ---- functions of programs whose default stream is each thread's own

template <class F>
F* named(const char* name, F*) {
  void* const symbol = dlsym(RTLD_DEFAULT, name);
  if (symbol == nullptr) fail(__LINE__, std::string("there is no ") + name);
  return reinterpret_cast<F*>(symbol);
}
// Calls what is like `function`.
#define SPT(function) named(#function "_spt", &function)

CASE(copies_and_fills_of_own_streams) {
  const device_block<int> a(ints(elements, 1)), b(ints(elements, 2));
  ints host(elements, 3);
  constexpr size_t bytes = elements * sizeof(int);
  hipError_t (*set)(const void*, const void*, size_t, size_t, hipMemcpyKind, hipStream_t) = nullptr;
  hipError_t (*get)(void*, const void*, size_t, size_t, hipMemcpyKind, hipStream_t) = nullptr;
  set = reinterpret_cast<decltype(set)>(dlsym(RTLD_DEFAULT, "hipMemcpyToSymbolAsync_spt"));
  get = reinterpret_cast<decltype(get)>(dlsym(RTLD_DEFAULT, "hipMemcpyFromSymbolAsync_spt"));
  EXPECT(set != nullptr && get != nullptr);
  OK(set(&variable, host.data(), bytes, 0, hipMemcpyHostToDevice, nullptr));
  OK(get(a.get(), &variable, bytes, 0, hipMemcpyDeviceToDevice, nullptr));
  EXPECT(a.read() == host);
  OK(SPT(hipMemsetAsync)(a.get(), 0, bytes, nullptr));
  OK(SPT(hipMemset2DAsync)(b.get(), bytes, 0, bytes / 2, 1, nullptr));
  OK(SPT(hipMemset3DAsync)({b.get() + elements / 2, bytes / 2, bytes / 2, 1}, 0, {bytes / 2, 1, 1}, nullptr));
  EXPECT(a.read() == ints(elements, 0) && b.read() == ints(elements, 0));
  OK(SPT(hipMemcpy2DAsync)(a.get(), bytes, host.data(), bytes, bytes, 1, hipMemcpyHostToDevice, nullptr));
  hipMemcpy3DParms p = {};
  p.srcPtr = {a.get(), bytes, bytes, 1};
  p.dstPtr = {b.get(), bytes, bytes, 1};
  p.extent = {bytes, 1, 1};
  p.kind = hipMemcpyDeviceToDevice;
  OK(SPT(hipMemcpy3DAsync)(&p, nullptr));
  EXPECT(a.read() == host && b.read() == host);
  const own_array array(elements, 1, 0, 0);
  host.assign(elements, 8);
  OK(SPT(hipMemcpy2DToArrayAsync)(array, 0, 0, host.data(), bytes, bytes, 1, hipMemcpyHostToDevice, nullptr));
  OK(SPT(hipMemcpy2DFromArrayAsync)(a.get(), bytes, array, 0, 0, bytes, 1, hipMemcpyDeviceToDevice, nullptr));
  OK(SPT(hipMemcpyFromArray)(b.get(), array, 0, 0, bytes, hipMemcpyDeviceToDevice));
  EXPECT(a.read() == host && b.read() == host);
}
CASE(streams_of_own_threads) {
  static int called;
  called = 0;
  const own_stream s;
  const own_event e;
  OK(SPT(hipLaunchHostFunc)(
      s, [](void*) { ++called; }, nullptr));
  OK(SPT(hipStreamAddCallback)(
      s, [](hipStream_t, hipError_t, void*) { ++called; }, nullptr, 0));
  OK(SPT(hipEventRecord)(e, s));
  OK(hipStreamSynchronize(s));
  SAME(called, 2);
  hipStreamCaptureStatus status;
  unsigned long long id = 0;
  hipGraph_t g = nullptr;
  OK(SPT(hipStreamBeginCapture)(s, hipStreamCaptureModeRelaxed));
  OK(SPT(hipStreamIsCapturing)(s, &status));
  EXPECT(status == hipStreamCaptureStatusActive);
  OK(SPT(hipStreamGetCaptureInfo)(s, &status, &id));
  EXPECT(id != 0);
  OK(SPT(hipStreamGetCaptureInfo_v2)(s, &status, &id, &g, nullptr, nullptr));
  EXPECT(g != nullptr);
  OK(SPT(hipLaunchHostFunc)(
      s, [](void*) { ++called; }, nullptr));
  OK(SPT(hipStreamEndCapture)(s, &g));
  {
    const ready_graph ready(g);
    OK(SPT(hipGraphLaunch)(ready, s));
    OK(hipStreamSynchronize(s));
  }
  SAME(called, 3);
  OK(hipGraphDestroy(g));
}
// Under both of its versions.
CASE(host_function_of_both_versions) {
  for (const char* const version : {"hip_5.2", "hip_5.3"}) {
    void* const symbol = dlvsym(RTLD_DEFAULT, "hipLaunchHostFunc", version);
    EXPECT(symbol != nullptr);
    int called = 0;
    OK(reinterpret_cast<decltype(&hipLaunchHostFunc)>(symbol)(
        nullptr, [](void* to) { ++*static_cast<int*>(to); }, &called));
    OK(hipDeviceSynchronize());
    SAME(called, 1);
  }
}
// Surfaces have C++ names in 5.2 and C names in 5.7.
CASE(surfaces_of_both_headers) {
  const own_array a(4, 4, 0, hipArraySurfaceLoadStore);
  hipResourceDesc r = {};
  r.resType = hipResourceTypeArray;
  r.res.array.array = a;
  const char* const names[][2] = {{"hipCreateSurfaceObject", "hipDestroySurfaceObject"},
                                  {"_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc",
                                   "_Z23hipDestroySurfaceObjectP13__hip_surface"}};
  for (const auto& pair : names) {
    hipSurfaceObject_t s = nullptr;
    OK(reinterpret_cast<hipError_t (*)(hipSurfaceObject_t*, const hipResourceDesc*)>(dlsym(RTLD_DEFAULT, pair[0]))(&s,
                                                                                                                   &r));
    OK(reinterpret_cast<hipError_t (*)(hipSurfaceObject_t)>(dlsym(RTLD_DEFAULT, pair[1]))(s));
  }
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
