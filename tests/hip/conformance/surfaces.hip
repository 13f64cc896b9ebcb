// timing: yes
// Surfaces: reads and writes of one to three axes, by bytes, as the headers' functions do them; what is outside of the
// array; what cannot be a surface.
#include <algorithm>

#include "conformance.h"

namespace {

constexpr int n_points = 64;

template <class T>
class surface {
 public:
  explicit surface(hipExtent e) : extent_(e) {
    const hipChannelFormatDesc d = hipCreateChannelDesc<T>();
    OK(hipMalloc3DArray(&array_, &d, e, hipArraySurfaceLoadStore));
    hipResourceDesc r;
    std::memset(&r, 0, sizeof r);
    r.resType = hipResourceTypeArray;
    r.res.array.array = array_;
    OK(hipCreateSurfaceObject(&object_, &r));
  }
  ~surface() {
    static_cast<void>(hipDestroySurfaceObject(object_));
    static_cast<void>(hipFreeArray(array_));
  }
  surface(const surface&) = delete;
  surface& operator=(const surface&) = delete;
  operator hipSurfaceObject_t() const { return object_; }
  void put(const std::vector<T>& v) { copy(const_cast<T*>(v.data()), true); }
  std::vector<T> read() {
    std::vector<T> v(rows() * planes() * extent_.width);
    copy(v.data(), false);
    return v;
  }

 private:
  size_t rows() const { return std::max<size_t>(extent_.height, 1); }
  size_t planes() const { return std::max<size_t>(extent_.depth, 1); }
  void copy(T* host, bool to_array) {
    hipMemcpy3DParms p{};
    (to_array ? p.srcPtr : p.dstPtr) = make_hipPitchedPtr(host, extent_.width * sizeof(T), extent_.width, rows());
    (to_array ? p.dstArray : p.srcArray) = array_;
    p.extent = {extent_.width, rows(), planes()};
    p.kind = to_array ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost;
    OK(hipMemcpy3D(&p));
  }
  hipArray* array_ = nullptr;
  hipSurfaceObject_t object_ = nullptr;
  hipExtent extent_;
};

template <class T>
__global__ void doubles_1d(hipSurfaceObject_t s) {
  const int x = threadIdx.x * sizeof(T);
  T v;
  surf1Dread(&v, s, x);
  surf1Dwrite(static_cast<T>(v + v), s, x);
}
template <class T>
__global__ void doubles_2d(hipSurfaceObject_t s) {
  const int x = threadIdx.x % 8 * sizeof(T), y = threadIdx.x / 8;
  T v;
  surf2Dread(&v, s, x, y);
  surf2Dwrite(static_cast<T>(v + v), s, x, y);
}
template <class T>
__global__ void doubles_3d(hipSurfaceObject_t s) {
  const int x = threadIdx.x % 4 * sizeof(T), y = threadIdx.x / 4 % 4, z = threadIdx.x / 16;
  T v;
  surf3Dread(&v, s, x, y, z);
  surf3Dwrite(static_cast<T>(v + v), s, x, y, z);
}

template <class T>
void checks_doubles() {
  std::vector<T> v, want;
  for (int i = 0; i < n_points; ++i) {
    v.push_back(static_cast<T>(i));
    want.push_back(static_cast<T>(2 * i));
  }
  surface<T> one({n_points, 0, 0}), two({8, 8, 0}), three({4, 4, 4});
  one.put(v);
  two.put(v);
  three.put(v);
  doubles_1d<T><<<1, n_points>>>(one);
  doubles_2d<T><<<1, n_points>>>(two);
  doubles_3d<T><<<1, n_points>>>(three);
  OK(hipDeviceSynchronize());
  EXPECT(one.read() == want);
  EXPECT(two.read() == want);
  EXPECT(three.read() == want);
}
CASE(floats) {
  checks_doubles<float>();
}
CASE(bytes) {
  checks_doubles<unsigned char>();
  checks_doubles<char>();
}
CASE(shorts) {
  checks_doubles<unsigned short>();
  checks_doubles<short>();
}

__global__ void write_four(hipSurfaceObject_t s) {
  const float x = threadIdx.x;
  surf2Dwrite(float4(x, x + 0.25f, x + 0.5f, -x), s, static_cast<int>(threadIdx.x % 8 * sizeof(float4)),
              static_cast<int>(threadIdx.x / 8));
}
CASE(four_channels) {
  surface<float4> s({8, 8, 0});
  write_four<<<1, n_points>>>(s);
  const auto got = s.read();
  for (int i = 0; i < n_points; ++i) {
    const float x = static_cast<float>(i);
    EXPECT(got[i].x == x && got[i].y == x + 0.25f && got[i].z == x + 0.5f && got[i].w == -x);
  }
}

// Integers of 32 bits go through floats in the functions of 5.2's headers, and the array has those floats' bits.
__global__ void round_trip(hipSurfaceObject_t s, int* to) {
  const int x = threadIdx.x * sizeof(int);
  surf1Dwrite(static_cast<int>(threadIdx.x) - 30, s, x);
  __threadfence();
  int v;
  surf1Dread(&v, s, x);
  to[threadIdx.x] = v;
}
CASE(ints_there_and_back) {
  surface<int> s({n_points, 0, 0});
  const device_block<int> to(n_points);
  round_trip<<<1, n_points>>>(s, to.get());
  const auto got = to.read();
  for (int i = 0; i < n_points; ++i) SAME(got[i], i - 30);
#if HIP_VERSION >= 50700000
  const auto kept = s.read();
  for (int i = 0; i < n_points; ++i) SAME(kept[i], i - 30);
#endif
}

__global__ void beyond(hipSurfaceObject_t s, float* to) {
  const int x = (static_cast<int>(threadIdx.x) - 16) * static_cast<int>(sizeof(float));
  surf2Dwrite(5.0f, s, x, 1);
  surf2Dwrite(5.0f, s, 0, static_cast<int>(threadIdx.x) + 4);
  float v = 1;
  surf2Dread(&v, s, x, 3);
  to[threadIdx.x] = v;
}
CASE(outside_reads_are_zero_and_writes_nothing) {
  surface<float> s({8, 4, 0});
  s.put(std::vector<float>(32, 2.0f));
  const device_block<float> to(n_points);
  beyond<<<1, n_points>>>(s, to.get());
  const auto got = to.read(), all = s.read();
  for (int i = 0; i < n_points; ++i) SAME(got[i], i >= 16 && i < 24 ? 2.0f : 0.0f);
  for (int i = 0; i < 32; ++i) SAME(all[i], i / 8 == 1 ? 5.0f : 2.0f);
}

CASE(what_cannot_be_a_surface) {
  hipSurfaceObject_t s = nullptr;
  hipResourceDesc r;
  std::memset(&r, 0, sizeof r);
  r.resType = hipResourceTypeLinear;
  GIVES(hipErrorInvalidValue, hipCreateSurfaceObject(&s, &r));
  GIVES(hipErrorInvalidValue, hipCreateSurfaceObject(&s, nullptr));
  GIVES(hipErrorInvalidValue, hipCreateSurfaceObject(nullptr, &r));
  r.resType = hipResourceTypeArray;
  GIVES(hipErrorInvalidHandle, hipCreateSurfaceObject(&s, &r));
  OK(hipDestroySurfaceObject(nullptr));
  GIVES(hipErrorInvalidValue, hipDestroySurfaceObject(reinterpret_cast<hipSurfaceObject_t>(&r)));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
