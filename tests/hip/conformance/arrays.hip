// timing: yes
// queues: yes
// flags: -Wno-deprecated-declarations
// Arrays: making, asking and freeing; copies to, from and between them by every function, in one, two and three
// dimensions, with offsets, in streams and in graphs; what does not fit.
#include <numeric>

#include "conformance.h"

namespace {

constexpr size_t width = 13, height = 7, depth = 3;

template <class T>
std::vector<T> numbers(size_t n, int first = 1) {
  std::vector<T> v(n);
  std::iota(v.begin(), v.end(), static_cast<T>(first));
  return v;
}

class array {
 public:
  explicit array(hipArray* a) : array_(a) {}
  ~array() { static_cast<void>(hipFreeArray(array_)); }
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  hipArray* get() const { return array_; }

 private:
  hipArray* array_;
};
template <class T>
hipArray* made(size_t w, size_t h = 0, unsigned flags = hipArrayDefault) {
  const hipChannelFormatDesc d = hipCreateChannelDesc<T>();
  hipArray* a = nullptr;
  OK(hipMallocArray(&a, &d, w, h, flags));
  return a;
}
template <class T>
hipArray* made_3d(hipExtent e, unsigned flags = hipArrayDefault) {
  const hipChannelFormatDesc d = hipCreateChannelDesc<T>();
  hipArray* a = nullptr;
  OK(hipMalloc3DArray(&a, &d, e, flags));
  return a;
}
hipArray* made_by_driver(hipArray_Format f, unsigned channels, size_t w, size_t h) {
  HIP_ARRAY_DESCRIPTOR d{};
  d.Width = w;
  d.Height = h;
  d.Format = f;
  d.NumChannels = channels;
  hipArray* a = nullptr;
  OK(hipArrayCreate(&a, &d));
  return a;
}

// All of a flat array.
template <class T>
std::vector<T> contents(hipArray* a, size_t w, size_t h) {
  std::vector<T> v(w * h);
  OK(hipMemcpy2DFromArray(v.data(), w * sizeof(T), a, 0, 0, w * sizeof(T), h, hipMemcpyDeviceToHost));
  return v;
}
template <class T>
void put(hipArray* a, const std::vector<T>& v, size_t w, size_t h) {
  OK(hipMemcpy2DToArray(a, 0, 0, v.data(), w * sizeof(T), w * sizeof(T), h, hipMemcpyHostToDevice));
}

// ---- making and asking

template <class T>
void describes() {
  const hipChannelFormatDesc want = hipCreateChannelDesc<T>();
  hipChannelFormatDesc got{};
  const array a(made<T>(width, height));
  OK(hipGetChannelDesc(&got, a.get()));
  EXPECT(std::memcmp(&got, &want, sizeof got) == 0);
}
CASE(description) {
  describes<unsigned char>();
  describes<short>();
  describes<int>();
  describes<float>();
  describes<uchar4>();
  describes<ushort2>();
  describes<int2>();
  describes<float2>();
  describes<float4>();
}
CASE(members) {
  const array a(made_by_driver(HIP_AD_FORMAT_SIGNED_INT16, 2, width, height));
  SAME(a.get()->width, width);
  SAME(a.get()->height, height);
  SAME(a.get()->depth, 0u);
  SAME(a.get()->NumChannels, 2u);
  SAME(static_cast<int>(a.get()->Format), static_cast<int>(HIP_AD_FORMAT_SIGNED_INT16));
  SAME(a.get()->textureType, static_cast<unsigned>(hipTextureType2D));
}
CASE(kinds) {
  const hipExtent box{width, height, depth};
  const array a(made_3d<int>(box)), b(made_3d<int>({width, 0, depth}, hipArrayLayered)),
      c(made_3d<int>(box, hipArrayLayered)), d(made_3d<int>({8, 8, 6}, hipArrayCubemap)),
      e(made_3d<int>({8, 8, 12}, hipArrayCubemap | hipArrayLayered)), f(made<int>(width, 0, hipArraySurfaceLoadStore)),
      g(made<int>(width, height, hipArrayTextureGather));
  SAME(a.get()->textureType, static_cast<unsigned>(hipTextureType3D));
  SAME(b.get()->textureType, static_cast<unsigned>(hipTextureType1DLayered));
  SAME(c.get()->textureType, static_cast<unsigned>(hipTextureType2DLayered));
  SAME(d.get()->textureType, static_cast<unsigned>(hipTextureTypeCubemap));
  SAME(e.get()->textureType, static_cast<unsigned>(hipTextureTypeCubemapLayered));
  SAME(f.get()->textureType, static_cast<unsigned>(hipTextureType1D));
}
CASE(array_3d_create) {
  HIP_ARRAY3D_DESCRIPTOR d{};
  d.Width = width;
  d.Height = height;
  d.Depth = depth;
  d.Format = HIP_AD_FORMAT_HALF;
  d.NumChannels = 4;
  hipArray* a = nullptr;
  OK(hipArray3DCreate(&a, &d));
  SAME(a->textureType, static_cast<unsigned>(hipTextureType3D));
  OK(hipArrayDestroy(a));
  d.NumChannels = 3;
  GIVES(hipErrorInvalidValue, hipArray3DCreate(&a, &d));
  GIVES(hipErrorInvalidValue, hipArray3DCreate(&a, nullptr));
}
CASE(wrong_arrays) {
  hipArray* a = nullptr;
  const hipChannelFormatDesc f = hipCreateChannelDesc<float>(), three{32, 32, 32, 0, hipChannelFormatKindFloat},
                             odd{8, 16, 0, 0, hipChannelFormatKindUnsigned}, small{8, 0, 0, 0, hipChannelFormatKindFloat},
                             none{0, 0, 0, 0, hipChannelFormatKindNone};
  for (const hipChannelFormatDesc& d : {three, odd, small, none}) GIVES(hipErrorInvalidValue, hipMallocArray(&a, &d, 4, 4));
  GIVES(hipErrorInvalidValue, hipMallocArray(nullptr, &f, 4, 4));
  GIVES(hipErrorInvalidValue, hipMallocArray(&a, nullptr, 4, 4));
  GIVES(hipErrorInvalidValue, hipMallocArray(&a, &f, 0, 4));
  GIVES(hipErrorInvalidValue, hipMallocArray(&a, &f, 16385, 4));
  GIVES(hipErrorInvalidValue, hipMallocArray(&a, &f, 4, 4, hipArrayLayered));
  GIVES(hipErrorInvalidValue, hipMallocArray(&a, &f, 4, 4, 0x80));
  GIVES(hipErrorInvalidValue, hipMalloc3DArray(&a, &f, {4, 0, 4}, hipArrayDefault));
  GIVES(hipErrorInvalidValue, hipMalloc3DArray(&a, &f, {4, 4, 5}, hipArrayCubemap));
  GIVES(hipErrorInvalidValue, hipMalloc3DArray(&a, &f, {4, 5, 6}, hipArrayCubemap));
  GIVES(hipErrorInvalidValue, hipMalloc3DArray(&a, &f, {4, 4, 0}, hipArrayLayered));
  GIVES(hipErrorOutOfMemory, hipMalloc3DArray(&a, &f, {16384, 16384, 8192}, hipArrayDefault));
  HIP_ARRAY_DESCRIPTOR d{};
  GIVES(hipErrorInvalidValue, hipArrayCreate(&a, &d));
  GIVES(hipErrorInvalidValue, hipArrayCreate(&a, nullptr));
}
CASE(wrong_handles) {
  hipArray other{};
  hipChannelFormatDesc d{};
  GIVES(hipErrorInvalidValue, hipFreeArray(nullptr));
  GIVES(hipErrorInvalidHandle, hipFreeArray(&other));
  GIVES(hipErrorInvalidHandle, hipArrayDestroy(&other));
  GIVES(hipErrorInvalidHandle, hipGetChannelDesc(&d, &other));
  hipArray* const a = made<int>(width);
  GIVES(hipErrorInvalidValue, hipGetChannelDesc(nullptr, a));
  OK(hipFreeArray(a));
  GIVES(hipErrorInvalidHandle, hipFreeArray(a));
}

// ---- copies

CASE(rectangle_there_and_back) {
  const array a(made<int>(width, height));
  const auto v = numbers<int>(width * height);
  put(a.get(), v, width, height);
  EXPECT(contents<int>(a.get(), width, height) == v);
}
CASE(rectangle_within) {
  const array a(made<int>(width, height));
  put(a.get(), std::vector<int>(width * height), width, height);
  const auto v = numbers<int>(6);
  OK(hipMemcpy2DToArray_spt(a.get(), 4 * sizeof(int), 2, v.data(), 3 * sizeof(int), 3 * sizeof(int), 2,
                            hipMemcpyHostToDevice));
  const auto got = contents<int>(a.get(), width, height);
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x) {
      const bool inside = x >= 4 && x < 7 && y >= 2 && y < 4;
      SAME(got[y * width + x], inside ? v[(y - 2) * 3 + x - 4] : 0);
    }
  std::vector<int> back(6);
  OK(hipMemcpy2DFromArray_spt(back.data(), 3 * sizeof(int), a.get(), 4 * sizeof(int), 2, 3 * sizeof(int), 2,
                              hipMemcpyDeviceToHost));
  EXPECT(back == v);
}
CASE(rectangle_device_memory) {
  const array a(made<float>(width, height));
  const device_block<float> from(numbers<float>(width * height)), to(width * height);
  const size_t row = width * sizeof(float);
  OK(hipMemcpy2DToArray(a.get(), 0, 0, from.get(), row, row, height, hipMemcpyDeviceToDevice));
  OK(hipMemcpy2DFromArray(to.get(), row, a.get(), 0, 0, row, height, hipMemcpyDeviceToDevice));
  EXPECT(to.read() == from.read());
}
CASE(rectangle_in_stream) {
  hipStream_t s;
  OK(hipStreamCreate(&s));
  const array a(made<short>(width, height));
  const auto v = numbers<short>(width * height);
  std::vector<short> got(v.size());
  const size_t row = width * sizeof(short);
  OK(hipMemcpy2DToArrayAsync(a.get(), 0, 0, v.data(), row, row, height, hipMemcpyHostToDevice, s));
  OK(hipMemcpy2DFromArrayAsync(got.data(), row, a.get(), 0, 0, row, height, hipMemcpyDeviceToHost, s));
  OK(hipStreamSynchronize(s));
  EXPECT(got == v);
  OK(hipStreamDestroy(s));
}
// Bytes side by side, which go on in the next row.
CASE(run_over_rows) {
  const array a(made<int>(width, height));
  put(a.get(), std::vector<int>(width * height), width, height);
  const auto v = numbers<int>(3 * width);
  OK(hipMemcpyToArray(a.get(), 5 * sizeof(int), 1, v.data(), v.size() * sizeof(int), hipMemcpyHostToDevice));
  const auto got = contents<int>(a.get(), width, height);
  for (size_t i = 0; i < got.size(); ++i) {
    const size_t first = width + 5;
    SAME(got[i], i < first || i >= first + v.size() ? 0 : v[i - first]);
  }
  std::vector<int> back(v.size());
  OK(hipMemcpyFromArray(back.data(), a.get(), 5 * sizeof(int), 1, v.size() * sizeof(int), hipMemcpyDeviceToHost));
  EXPECT(back == v);
}
CASE(run_of_driver) {
  const array a(made<int>(width));
  const auto v = numbers<int>(5);
  std::vector<int> back(5);
  OK(hipMemcpyHtoA(a.get(), 3 * sizeof(int), v.data(), 5 * sizeof(int)));
  OK(hipMemcpyAtoH(back.data(), a.get(), 3 * sizeof(int), 5 * sizeof(int)));
  EXPECT(back == v);
}
CASE(too_much) {
  const array a(made<int>(width, height));
  std::vector<int> v(width * (height + 1));
  const size_t row = width * sizeof(int);
  GIVES(hipErrorInvalidValue, hipMemcpy2DToArray(a.get(), 4, 0, v.data(), row, row, 1, hipMemcpyHostToDevice));
  GIVES(hipErrorInvalidValue, hipMemcpy2DToArray(a.get(), 0, 1, v.data(), row, row, height, hipMemcpyHostToDevice));
  GIVES(hipErrorInvalidValue, hipMemcpy2DToArray(a.get(), 2, 0, v.data(), row, 4, 1, hipMemcpyHostToDevice));
  GIVES(hipErrorInvalidPitchValue, hipMemcpy2DToArray(a.get(), 0, 0, v.data(), 4, row, 2, hipMemcpyHostToDevice));
  GIVES(hipErrorInvalidValue, hipMemcpyToArray(a.get(), 0, 0, v.data(), v.size() * sizeof(int), hipMemcpyHostToDevice));
  GIVES(hipErrorInvalidValue, hipMemcpyFromArray(v.data(), a.get(), 4, height - 1, row, hipMemcpyDeviceToHost));
  GIVES(hipErrorInvalidValue, hipMemcpyHtoA(a.get(), row * height, v.data(), 4));
  GIVES(hipErrorInvalidValue, hipMemcpy2DFromArray(nullptr, row, a.get(), 0, 0, row, 1, hipMemcpyDeviceToHost));
  GIVES(hipErrorInvalidHandle, hipMemcpyAtoH(v.data(), nullptr, 0, 4));
}

// ---- boxes

hipMemcpy3DParms to_array(hipArray* a, const void* from, hipExtent e, size_t texel) {
  hipMemcpy3DParms p{};
  p.srcPtr = make_hipPitchedPtr(const_cast<void*>(from), e.width * texel, e.width, e.height);
  p.dstArray = a;
  p.extent = e;
  p.kind = hipMemcpyHostToDevice;
  return p;
}
hipMemcpy3DParms from_array(void* to, hipArray* a, hipExtent e, size_t texel) {
  hipMemcpy3DParms p{};
  p.dstPtr = make_hipPitchedPtr(to, e.width * texel, e.width, e.height);
  p.srcArray = a;
  p.extent = e;
  p.kind = hipMemcpyDeviceToHost;
  return p;
}
CASE(box_between_arrays) {
  const hipExtent e{width, height, depth};
  const array a(made_3d<int>(e)), b(made_3d<int>(e));
  const auto v = numbers<int>(width * height * depth);
  std::vector<int> got(v.size());
  auto p = to_array(a.get(), v.data(), e, sizeof(int));
  OK(hipMemcpy3D(&p));
  hipMemcpy3DParms between{};
  between.srcArray = a.get();
  between.dstArray = b.get();
  between.extent = e;
  between.kind = hipMemcpyDeviceToDevice;
  OK(hipMemcpy3DAsync(&between, nullptr));
  p = from_array(got.data(), b.get(), e, sizeof(int));
  OK(hipMemcpy3D(&p));
  EXPECT(got == v);
}
CASE(box_within) {
  const hipExtent e{width, height, depth}, part{2, 3, 2};
  const array a(made_3d<short>(e, hipArrayLayered));
  std::vector<short> all(width * height * depth);
  auto p = to_array(a.get(), all.data(), e, sizeof(short));
  OK(hipMemcpy3D(&p));
  const auto v = numbers<short>(12);
  p = to_array(a.get(), v.data(), part, sizeof(short));
  p.dstPos = make_hipPos(9, 4, 1);
  OK(hipMemcpy3D_spt(&p));
  p = from_array(all.data(), a.get(), e, sizeof(short));
  OK(hipMemcpy3D(&p));
  size_t n = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t x = i % width, y = i / width % height, z = i / width / height;
    const bool inside = x >= 9 && x < 11 && y >= 4 && z >= 1;
    SAME(all[i], inside ? v[n++] : 0);
  }
}
CASE(wrong_boxes) {
  const hipExtent e{width, height, depth};
  const array a(made_3d<int>(e)), b(made_3d<short>(e));
  std::vector<int> v(width * height * depth);
  auto p = to_array(a.get(), v.data(), e, sizeof(int));
  p.dstPos.x = 1;
  GIVES(hipErrorInvalidValue, hipMemcpy3D(&p));
  p = to_array(a.get(), v.data(), e, sizeof(int));
  p.srcArray = b.get();
  GIVES(hipErrorInvalidValue, hipMemcpy3D(&p));  // both an array and a pointer
  p.srcPtr = hipPitchedPtr{};
  GIVES(hipErrorInvalidValue, hipMemcpy3D(&p));  // texels of different sizes
  hipArray other{};
  p = to_array(&other, v.data(), e, sizeof(int));
  GIVES(hipErrorInvalidHandle, hipMemcpy3D(&p));
}
CASE(described_rectangles) {
  const array a(made<int>(width, height)), b(made<int>(width, height));
  const auto v = numbers<int>(width * height);
  std::vector<int> got(v.size());
  hip_Memcpy2D p{};
  p.srcMemoryType = hipMemoryTypeHost;
  p.srcHost = v.data();
  p.dstMemoryType = hipMemoryTypeArray;
  p.dstArray = a.get();
  p.WidthInBytes = width * sizeof(int);
  p.Height = height;
  OK(hipMemcpyParam2D(&p));
  p.srcMemoryType = hipMemoryTypeArray;
  p.srcArray = a.get();
  p.dstArray = b.get();
  OK(hipDrvMemcpy2DUnaligned(&p));
  p.srcArray = b.get();
  p.dstMemoryType = hipMemoryTypeHost;
  p.dstHost = got.data();
  OK(hipMemcpyParam2DAsync(&p, nullptr));
  OK(hipDeviceSynchronize());
  EXPECT(got == v);
  p.srcXInBytes = 2;
  GIVES(hipErrorInvalidValue, hipMemcpyParam2D(&p));
}
CASE(described_boxes) {
  const hipExtent e{width, height, depth};
  const array a(made_3d<float>(e));
  const auto v = numbers<float>(width * height * depth);
  std::vector<float> got(v.size());
  HIP_MEMCPY3D p{};
  p.srcMemoryType = hipMemoryTypeHost;
  p.srcHost = v.data();
  p.dstMemoryType = hipMemoryTypeArray;
  p.dstArray = a.get();
  p.WidthInBytes = width * sizeof(float);
  p.Height = height;
  p.Depth = depth;
  OK(hipDrvMemcpy3D(&p));
  p.srcMemoryType = hipMemoryTypeArray;
  p.srcArray = a.get();
  p.dstMemoryType = hipMemoryTypeHost;
  p.dstHost = got.data();
  OK(hipDrvMemcpy3DAsync(&p, nullptr));
  OK(hipDeviceSynchronize());
  EXPECT(got == v);
}
CASE(in_a_graph) {
  const hipExtent e{width, height, 1};
  const array a(made<int>(width, height));
  const auto v = numbers<int>(width * height);
  std::vector<int> got(v.size());
  hipGraph_t g;
  hipGraphExec_t ready;
  hipGraphNode_t there, back;
  const auto to = to_array(a.get(), v.data(), e, sizeof(int)), from = from_array(got.data(), a.get(), e, sizeof(int));
  OK(hipGraphCreate(&g, 0));
  OK(hipGraphAddMemcpyNode(&there, g, nullptr, 0, &to));
  OK(hipGraphAddMemcpyNode(&back, g, &there, 1, &from));
  OK(hipGraphInstantiate(&ready, g, nullptr, nullptr, 0));
  OK(hipGraphLaunch(ready, nullptr));
  OK(hipDeviceSynchronize());
  EXPECT(got == v);
  OK(hipGraphExecDestroy(ready));
  OK(hipGraphDestroy(g));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
