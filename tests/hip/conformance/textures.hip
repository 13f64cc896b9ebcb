// timing: yes
// queues: yes
// Texture objects: linear, pitched and array memory, one to three axes and layers, each element type, read mode, address
// mode and filter, against the definition of sampling worked out on the host; views; what cannot be a texture.
#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance.h"

namespace {

constexpr int n_points = 64;
constexpr float infinity = std::numeric_limits<float>::infinity(), nan_value = std::numeric_limits<float>::quiet_NaN();

// ---- what a sample is

// The texel that an index means; -1: the border.
int place(int i, int size, hipTextureAddressMode mode) {
  const auto modulo = [](int n, int m) { return ((n % m) + m) % m; };
  switch (mode) {
    case hipAddressModeWrap:
      return modulo(i, size);
    case hipAddressModeMirror: {
      const int m = modulo(i, 2 * size);
      return m < size ? m : 2 * size - 1 - m;
    }
    case hipAddressModeBorder:
      return i < 0 || i >= size ? -1 : i;
    default:
      return std::min(std::max(i, 0), size - 1);
  }
}
struct axis {
  int index[2];
  double weight;  // of the second
};
axis taps(float x, int size, const hipTextureDesc& d, int n) {
  hipTextureAddressMode mode = d.addressMode[n];
  const bool wraps = mode == hipAddressModeWrap || mode == hipAddressModeMirror;
  if (wraps && d.normalizedCoords == 0) mode = hipAddressModeClamp;
  double u = std::isnan(x) ? 0 : d.normalizedCoords != 0 ? double{x} * size : x;
  u = std::min(std::max(u, -1e6), 1e6);
  if (d.filterMode == hipFilterModePoint) {
    const int i = place(static_cast<int>(std::floor(u)), size, mode);
    return {{i, i}, 0};
  }
  u = std::nearbyint(u * 256) / 256 - 0.5;
  const int i = static_cast<int>(std::floor(u));
  return {{place(i, size, mode), place(i + 1, size, mode)}, u - std::floor(u)};
}
// value(x, y, z) of texels
template <class F>
double sampled(F value, const int (&sizes)[3], const float (&at)[3], const hipTextureDesc& d, unsigned axes) {
  axis a[3] = {{{0, 0}, 0}, {{0, 0}, 0}, {{0, 0}, 0}};
  for (unsigned n = 0; n < axes; ++n) a[n] = taps(at[n], sizes[n], d, static_cast<int>(n));
  double sum = 0;
  for (unsigned k = 0; k < 8; ++k) {
    double w = 1;
    int i[3];
    for (unsigned n = 0; n < 3; ++n) {
      const bool second = (k >> n & 1) != 0;
      w *= second ? a[n].weight : 1 - a[n].weight;
      i[n] = a[n].index[second ? 1 : 0];
    }
    const bool border = i[0] < 0 || i[1] < 0 || i[2] < 0;
    if (w != 0 && !border) sum += w * value(i[0], i[1], i[2]);
  }
  return sum;
}

// ---- objects

hipTextureDesc described(hipTextureFilterMode filter, hipTextureAddressMode address, bool normalized,
                         hipTextureReadMode read = hipReadModeElementType) {
  hipTextureDesc d;
  std::memset(&d, 0, sizeof d);
  for (hipTextureAddressMode& m : d.addressMode) m = address;
  d.filterMode = filter;
  d.readMode = read;
  d.normalizedCoords = normalized ? 1 : 0;
  return d;
}

class texture_of {
 public:
  texture_of(const hipResourceDesc& r, const hipTextureDesc& d, const hipResourceViewDesc* v = nullptr) {
    OK(hipCreateTextureObject(&object_, &r, &d, v));
  }
  ~texture_of() { static_cast<void>(hipDestroyTextureObject(object_)); }
  texture_of(const texture_of&) = delete;
  texture_of& operator=(const texture_of&) = delete;
  operator hipTextureObject_t() const { return object_; }

 private:
  hipTextureObject_t object_ = nullptr;
};

// An array, filled.
template <class T>
class image {
 public:
  image(hipExtent e, unsigned flags = hipArrayDefault) : extent_(e) {
    const hipChannelFormatDesc d = hipCreateChannelDesc<T>();
    OK(hipMalloc3DArray(&array_, &d, e, flags));
  }
  ~image() { static_cast<void>(hipFreeArray(array_)); }
  image(const image&) = delete;
  image& operator=(const image&) = delete;
  void put(const std::vector<T>& v) {
    hipMemcpy3DParms p{};
    const size_t h = std::max<size_t>(extent_.height, 1), z = std::max<size_t>(extent_.depth, 1);
    p.srcPtr = make_hipPitchedPtr(const_cast<T*>(v.data()), extent_.width * sizeof(T), extent_.width, h);
    p.dstArray = array_;
    p.extent = {extent_.width, h, z};
    p.kind = hipMemcpyHostToDevice;
    OK(hipMemcpy3D(&p));
  }
  hipArray* get() const { return array_; }
  hipResourceDesc resource() const {
    hipResourceDesc r;
    std::memset(&r, 0, sizeof r);
    r.resType = hipResourceTypeArray;
    r.res.array.array = array_;
    return r;
  }

 private:
  hipArray* array_ = nullptr;
  hipExtent extent_;
};

float value_at(int x, int y, int z) {
  return static_cast<float>((x * 37 + y * 101 + z * 53) % 256) / 4 - 20;
}

// ---- kernels: one sample for each work-item

__global__ void sample_1d(hipTextureObject_t t, const float* x, float* to) {
  to[threadIdx.x] = tex1D<float>(t, x[threadIdx.x]);
}
__global__ void sample_2d(hipTextureObject_t t, const float* x, float* to) {
  to[threadIdx.x] = tex2D<float>(t, x[threadIdx.x], x[n_points + threadIdx.x]);
}
__global__ void sample_3d(hipTextureObject_t t, const float* x, float* to) {
  to[threadIdx.x] = tex3D<float>(t, x[threadIdx.x], x[n_points + threadIdx.x], x[2 * n_points + threadIdx.x]);
}

std::vector<float> samples(hipTextureObject_t t, const std::vector<float>& at, unsigned axes) {
  const device_block<float> x(at), to(n_points);
  if (axes == 1) sample_1d<<<1, n_points>>>(t, x.get(), to.get());
  if (axes == 2) sample_2d<<<1, n_points>>>(t, x.get(), to.get());
  if (axes == 3) sample_3d<<<1, n_points>>>(t, x.get(), to.get());
  OK(hipGetLastError());
  return to.read();
}

// Coordinates in texels within and around the image, and values that are none; not where a rounding would decide.
std::vector<float> points(const int (&sizes)[3], bool normalized) {
  std::vector<float> p(3 * n_points);
  uint32_t r = 12345;
  for (int n = 0; n < 3; ++n)
    for (int k = 0; k < n_points; ++k) {
      r = r * 1664525 + 1013904223;
      const float u = static_cast<float>(r >> 8 & 0xffff) / 65536 * static_cast<float>(3 * sizes[n]) -
                      static_cast<float>(sizes[n]);
      p[n * n_points + k] = (std::floor(u * 64) + 0.5f) / 64 / (normalized ? static_cast<float>(sizes[n]) : 1);
    }
  return p;
}

const char* const address_names[] = {"wrap", "clamp", "mirror", "border"};

void checks_samples(unsigned axes, hipTextureFilterMode filter, hipTextureAddressMode address, bool normalized) {
  const int sizes[3] = {16, axes > 1 ? 8 : 1, axes > 2 ? 4 : 1};
  image<float> a({16, axes > 1 ? 8u : 0u, axes > 2 ? 4u : 0u});
  std::vector<float> v;
  for (int z = 0; z < sizes[2]; ++z)
    for (int y = 0; y < sizes[1]; ++y)
      for (int x = 0; x < sizes[0]; ++x) v.push_back(value_at(x, y, z));
  a.put(v);
  const hipTextureDesc d = described(filter, address, normalized);
  const texture_of t(a.resource(), d);
  const auto p = points(sizes, normalized);
  const auto got = samples(t, p, axes);
  for (int k = 0; k < n_points; ++k) {
    const float at[3] = {p[k], p[n_points + k], p[2 * n_points + k]};
    const double want = sampled(value_at, sizes, at, d, axes);
    if (std::fabs(got[k] - want) > 1e-4)
      fail(__LINE__, "at (" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " + std::to_string(at[2]) +
                         "): " + std::to_string(got[k]) + ", expected " + std::to_string(want));
  }
}
bool add_samples() {
  for (unsigned axes = 1; axes <= 3; ++axes)
    for (int filter = 0; filter < 2; ++filter)
      for (int address = 0; address < 4; ++address)
        for (int normalized = 0; normalized < 2; ++normalized)
          add(std::to_string(axes) + "d_" + (filter == 0 ? "point_" : "linear_") + address_names[address] +
                  (normalized == 0 ? "_texels" : "_normalized"),
              [=] {
                checks_samples(axes, static_cast<hipTextureFilterMode>(filter),
                               static_cast<hipTextureAddressMode>(address), normalized != 0);
              });
  return true;
}
const bool has_samples = add_samples();

CASE(no_numbers_and_far_away) {
  image<float> a({8, 0, 0});
  a.put({1, 2, 3, 4, 5, 6, 7, 8});
  std::vector<float> p(n_points, 3.5f);
  const float odd[] = {nan_value, infinity, -infinity, 1e30f, -1e30f, 0.0f, -0.0f, 7.999f};
  std::copy(std::begin(odd), std::end(odd), p.begin());
  const texture_of clamps(a.resource(), described(hipFilterModePoint, hipAddressModeClamp, false)),
      filters(a.resource(), described(hipFilterModeLinear, hipAddressModeClamp, false)),
      borders(a.resource(), described(hipFilterModePoint, hipAddressModeBorder, false));
  for (hipTextureObject_t t : {hipTextureObject_t{clamps}, hipTextureObject_t{filters}}) {
    const auto got = samples(t, p, 1);
    const float want[] = {1, 8, 1, 8, 1, 1, 1, 8};
    for (int k = 0; k < 8; ++k) SAME(got[k], want[k]);
  }
  const auto got = samples(borders, p, 1);
  const float want[] = {1, 0, 0, 0, 0, 1, 1, 8};
  for (int k = 0; k < 8; ++k) SAME(got[k], want[k]);
}

// ---- element types

template <class T, class Read>
__global__ void fetch(hipTextureObject_t t, Read* to) {
  to[threadIdx.x] = tex1Dfetch<Read>(t, static_cast<int>(threadIdx.x));
}
template <class Read>
__global__ void texel(hipTextureObject_t t, Read* to) {
  to[threadIdx.x] = tex2D<Read>(t, threadIdx.x + 0.5f, 0.5f);
}

template <class T>
T element(int i) {
  T t;
  const uint32_t r = static_cast<uint32_t>(i) * 2654435761u;
  for (size_t b = 0; b < sizeof t; ++b) reinterpret_cast<uint8_t*>(&t)[b] = static_cast<uint8_t>(r >> (b % 4 * 8)) & 0x7f;
  return t;
}
// Every element comes back as it is, from linear, pitched and array memory.
template <class T>
void checks_elements() {
  std::vector<T> v;
  for (int i = 0; i < n_points; ++i) v.push_back(element<T>(i));
  const device_block<T> memory(v), to(n_points);
  const hipTextureDesc d = described(hipFilterModePoint, hipAddressModeClamp, false);
  hipResourceDesc linear;
  std::memset(&linear, 0, sizeof linear);
  linear.resType = hipResourceTypeLinear;
  linear.res.linear.devPtr = memory.get();
  linear.res.linear.desc = hipCreateChannelDesc<T>();
  linear.res.linear.sizeInBytes = n_points * sizeof(T);
  const auto same_bytes = [&](const char* where) {
    const auto got = to.read();
    if (std::memcmp(got.data(), v.data(), n_points * sizeof(T)) != 0) fail(__LINE__, std::string("other bytes: ") + where);
  };
  {
    const texture_of t(linear, d);
    fetch<T, T><<<1, n_points>>>(t, to.get());
    same_bytes("linear");
  }
  OK(hipMemset(to.get(), 0, n_points * sizeof(T)));
  hipResourceDesc pitched;
  std::memset(&pitched, 0, sizeof pitched);
  const size_t pitch = (n_points * sizeof(T) + 255) / 256 * 256;
  const device_block<uint8_t> rows(pitch);
  OK(hipMemcpy(rows.get(), v.data(), n_points * sizeof(T), hipMemcpyHostToDevice));
  pitched.resType = hipResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = rows.get();
  pitched.res.pitch2D.desc = hipCreateChannelDesc<T>();
  pitched.res.pitch2D.width = n_points;
  pitched.res.pitch2D.height = 1;
  pitched.res.pitch2D.pitchInBytes = pitch;
  {
    const texture_of t(pitched, d);
    texel<T><<<1, n_points>>>(t, to.get());
    same_bytes("pitched");
  }
  OK(hipMemset(to.get(), 0, n_points * sizeof(T)));
  image<T> a({n_points, 1, 0});
  a.put(v);
  const texture_of t(a.resource(), d);
  texel<T><<<1, n_points>>>(t, to.get());
  same_bytes("array");
}
CASE(elements_of_one_channel) {
  checks_elements<unsigned char>();
  checks_elements<char>();
  checks_elements<unsigned short>();
  checks_elements<short>();
  checks_elements<unsigned>();
  checks_elements<int>();
  checks_elements<float>();
}
CASE(elements_of_two_channels) {
  checks_elements<uchar2>();
  checks_elements<short2>();
  checks_elements<int2>();
  checks_elements<float2>();
}
CASE(elements_of_four_channels) {
  checks_elements<uchar4>();
  checks_elements<ushort4>();
  checks_elements<uint4>();
  checks_elements<float4>();
}

template <class T>
void checks_normalized(float lowest, float highest) {
  image<T> a({n_points, 1, 0});
  std::vector<T> v;
  for (int i = 0; i < n_points; ++i) v.push_back(static_cast<T>(i * 4 * (sizeof(T) == 2 ? 257 : 1)));
  a.put(v);
  const texture_of t(a.resource(), described(hipFilterModePoint, hipAddressModeClamp, false, hipReadModeNormalizedFloat));
  const device_block<float> to(n_points);
  texel<float><<<1, n_points>>>(t, to.get());
  const auto got = to.read();
  for (int i = 0; i < n_points; ++i)
    SAME(got[i], std::max(lowest, static_cast<float>(static_cast<double>(v[i]) / highest)));
}
CASE(normalized_elements) {
  checks_normalized<unsigned char>(0, 255);
  checks_normalized<char>(-1, 127);
  checks_normalized<unsigned short>(0, 65535);
  checks_normalized<short>(-1, 32767);
}
CASE(srgb_elements) {
  image<unsigned char> a({n_points, 1, 0});
  std::vector<unsigned char> v;
  for (int i = 0; i < n_points; ++i) v.push_back(static_cast<unsigned char>(i * 4));
  a.put(v);
  hipTextureDesc d = described(hipFilterModePoint, hipAddressModeClamp, false, hipReadModeNormalizedFloat);
  d.sRGB = 1;
  const texture_of t(a.resource(), d);
  const device_block<float> to(n_points);
  texel<float><<<1, n_points>>>(t, to.get());
  const auto got = to.read();
  for (int i = 0; i < n_points; ++i) {
    const double s = v[i] / 255.0, want = s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    EXPECT(std::fabs(got[i] - want) < 1e-6);
  }
}
CASE(fetches_beyond_the_end_are_zero) {
  const device_block<int> memory(std::vector<int>(128, 7)), to(n_points);
  hipResourceDesc r;
  std::memset(&r, 0, sizeof r);
  r.resType = hipResourceTypeLinear;
  r.res.linear.devPtr = memory.get();
  r.res.linear.desc = hipCreateChannelDesc<int>();
  r.res.linear.sizeInBytes = 40 * sizeof(int);
  const texture_of t(r, described(hipFilterModePoint, hipAddressModeClamp, false));
  fetch<int, int><<<1, n_points>>>(t, to.get());
  const auto got = to.read();
  for (int i = 0; i < n_points; ++i) SAME(got[i], i < 40 ? 7 : 0);
}

// ---- layers, faces, levels, gathers

__global__ void layered(hipTextureObject_t t, float* to) {
  to[threadIdx.x] = tex2DLayered<float>(t, threadIdx.x % 8 + 0.5f, 2.5f, static_cast<int>(threadIdx.x / 8) - 2);
}
__global__ void layered_1d(hipTextureObject_t t, float* to) {
  to[threadIdx.x] = tex1DLayered<float>(t, threadIdx.x % 8 + 0.5f, static_cast<int>(threadIdx.x / 8) - 2);
}
CASE(layers) {
  for (const unsigned rows : {4u, 0u}) {
    image<float> a({8, rows, 3}, hipArrayLayered);
    std::vector<float> v;
    for (int z = 0; z < 3; ++z)
      for (unsigned y = 0; y < std::max(rows, 1u); ++y)
        for (int x = 0; x < 8; ++x) v.push_back(value_at(x, static_cast<int>(y), z));
    a.put(v);
    const texture_of t(a.resource(), described(hipFilterModePoint, hipAddressModeClamp, false));
    const device_block<float> to(n_points);
    if (rows == 0)
      layered_1d<<<1, n_points>>>(t, to.get());
    else
      layered<<<1, n_points>>>(t, to.get());
    const auto got = to.read();
    for (int k = 0; k < n_points; ++k)
      SAME(got[k], value_at(k % 8, rows == 0 ? 0 : 2, std::min(std::max(k / 8 - 2, 0), 2)));
  }
}
__global__ void face(hipTextureObject_t t, float* to) {
  const float way[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const int k = threadIdx.x % 6;
  to[threadIdx.x] = texCubemap<float>(t, way[k][0], way[k][1], way[k][2]);
}
CASE(faces) {
  image<float> a({5, 5, 6}, hipArrayCubemap);
  std::vector<float> v;
  for (int f = 0; f < 6; ++f)
    for (int i = 0; i < 25; ++i) v.push_back(static_cast<float>(f * 100 + i));
  a.put(v);
  const texture_of t(a.resource(), described(hipFilterModePoint, hipAddressModeClamp, true));
  const device_block<float> to(n_points);
  face<<<1, n_points>>>(t, to.get());
  const auto got = to.read();
  for (int k = 0; k < n_points; ++k) SAME(got[k], static_cast<float>(k % 6 * 100 + 12));
}
__global__ void level(hipTextureObject_t t, float* to) {
  const float x = threadIdx.x % 8 + 0.5f;
  to[threadIdx.x] = threadIdx.x < 32 ? tex2DLod<float>(t, x, 1.5f, 3.0f)
                                     : tex2DGrad<float>(t, x, 1.5f, float2(2.0f, 0.0f), float2(0.0f, 2.0f));
}
CASE(levels_of_which_there_is_one) {
  image<float> a({8, 4, 0});
  std::vector<float> v;
  for (int i = 0; i < 32; ++i) v.push_back(static_cast<float>(i));
  a.put(v);
  const texture_of t(a.resource(), described(hipFilterModeLinear, hipAddressModeClamp, false));
  const device_block<float> to(n_points);
  level<<<1, n_points>>>(t, to.get());
  const auto got = to.read();
  for (int k = 0; k < n_points; ++k) SAME(got[k], static_cast<float>(8 + k % 8));
}
// In the headers of 5.2 components 1, 2 and 3 are x, y and z, and 0 is w.
__global__ void gather(hipTextureObject_t t, float4* to) {
  to[threadIdx.x] = tex2Dgather<float4>(t, threadIdx.x % 8 + 1.0f, 2.0f, static_cast<int>(threadIdx.x / 16 + 1) % 4);
}
CASE(gathers) {
  image<float4> a({10, 4, 0});
  std::vector<float4> v;
  for (int i = 0; i < 40; ++i) v.push_back(float4(i, 100 + i, 200 + i, 300 + i));
  a.put(v);
  const texture_of t(a.resource(), described(hipFilterModePoint, hipAddressModeClamp, false));
  const device_block<float4> to(n_points);
  gather<<<1, n_points>>>(t, to.get());
  const auto got = to.read();
  for (int k = 0; k < n_points; ++k) {
    const float first = static_cast<float>(k / 16 * 100 + 10 + k % 8);
    SAME(got[k].x, first + 10);
    SAME(got[k].y, first + 11);
    SAME(got[k].z, first + 1);
    SAME(got[k].w, first);
  }
}

// ---- the object

CASE(descriptions) {
  image<float> a({8, 4, 3}, hipArrayLayered);
  const hipTextureDesc d = described(hipFilterModeLinear, hipAddressModeMirror, true);
  hipResourceViewDesc view;
  std::memset(&view, 0, sizeof view);
  view.format = hipResViewFormatUnsignedInt1;
  view.width = 8;
  view.height = 4;
  view.firstLayer = 1;
  view.lastLayer = 2;
  hipTextureDesc point = d;
  point.filterMode = hipFilterModePoint;
  const texture_of t(a.resource(), d), viewed(a.resource(), point, &view);
  hipResourceDesc r;
  hipTextureDesc got;
  hipResourceViewDesc v;
  OK(hipGetTextureObjectResourceDesc(&r, t));
  OK(hipGetTextureObjectTextureDesc(&got, t));
  OK(hipGetTextureObjectResourceViewDesc(&v, viewed));
  EXPECT(r.resType == hipResourceTypeArray && r.res.array.array == a.get());
  EXPECT(std::memcmp(&got, &d, sizeof d) == 0);
  EXPECT(v.firstLayer == 1 && v.lastLayer == 2 && v.format == hipResViewFormatUnsignedInt1);
  GIVES(hipErrorInvalidValue, hipGetTextureObjectResourceViewDesc(&v, t));
  GIVES(hipErrorInvalidValue, hipGetTextureObjectResourceDesc(nullptr, t));
  GIVES(hipErrorInvalidValue, hipGetTextureObjectTextureDesc(&got, nullptr));
}
CASE(objects_of_the_driver) {
  const device_block<float> memory(std::vector<float>(256, 3.0f)), to(n_points);
  HIP_RESOURCE_DESC r;
  HIP_TEXTURE_DESC d;
  std::memset(&r, 0, sizeof r);
  std::memset(&d, 0, sizeof d);
  r.resType = HIP_RESOURCE_TYPE_PITCH2D;
  r.res.pitch2D.devPtr = memory.get();
  r.res.pitch2D.format = HIP_AD_FORMAT_FLOAT;
  r.res.pitch2D.numChannels = 1;
  r.res.pitch2D.width = 64;
  r.res.pitch2D.height = 4;
  r.res.pitch2D.pitchInBytes = 256;
  hipTextureObject_t t = nullptr;
  OK(hipTexObjectCreate(&t, &r, &d, nullptr));
  HIP_RESOURCE_DESC r2;
  HIP_TEXTURE_DESC d2;
  HIP_RESOURCE_VIEW_DESC v;
  OK(hipTexObjectGetResourceDesc(&r2, t));
  OK(hipTexObjectGetTextureDesc(&d2, t));
  GIVES(hipErrorInvalidValue, hipTexObjectGetResourceViewDesc(&v, t));
  EXPECT(r2.res.pitch2D.width == 64 && r2.res.pitch2D.format == HIP_AD_FORMAT_FLOAT && d2.flags == d.flags);
  texel<float><<<1, n_points>>>(t, to.get());
  EXPECT(to.read() == std::vector<float>(n_points, 3.0f));
  OK(hipTexObjectDestroy(t));
  GIVES(hipErrorInvalidValue, hipTexObjectDestroy(t));
  r.flags = 1;
  GIVES(hipErrorInvalidValue, hipTexObjectCreate(&t, &r, &d, nullptr));
}
CASE(what_cannot_be_a_texture) {
  const device_block<float> memory(1024);
  image<int> ints({8, 4, 0});
  const hipTextureDesc point = described(hipFilterModePoint, hipAddressModeClamp, false);
  hipTextureObject_t t = nullptr;
  hipResourceDesc r = ints.resource();
  GIVES(hipErrorInvalidValue, hipCreateTextureObject(nullptr, &r, &point, nullptr));
  GIVES(hipErrorInvalidValue, hipCreateTextureObject(&t, nullptr, &point, nullptr));
  GIVES(hipErrorInvalidValue, hipCreateTextureObject(&t, &r, nullptr, nullptr));
  hipTextureDesc d = described(hipFilterModeLinear, hipAddressModeClamp, false);
  GIVES(hipErrorInvalidValue, hipCreateTextureObject(&t, &r, &d, nullptr));  // a linear filter of integers
  d = described(hipFilterModePoint, hipAddressModeClamp, false, hipReadModeNormalizedFloat);
  GIVES(hipErrorInvalidValue, hipCreateTextureObject(&t, &r, &d, nullptr));  // 32 bits, normalized
  d = described(hipFilterModePoint, hipAddressModeBorder, false);
  d.borderColor[0] = 0.5f;
  GIVES(hipErrorNotSupported, hipCreateTextureObject(&t, &r, &d, nullptr));
  d = point;
  d.maxAnisotropy = 4;
  GIVES(hipErrorNotSupported, hipCreateTextureObject(&t, &r, &d, nullptr));
  hipArray other{};
  r.res.array.array = &other;
  GIVES(hipErrorInvalidHandle, hipCreateTextureObject(&t, &r, &point, nullptr));
  r.resType = hipResourceTypeMipmappedArray;
  GIVES(hipErrorNotSupported, hipCreateTextureObject(&t, &r, &point, nullptr));

  std::memset(&r, 0, sizeof r);
  r.resType = hipResourceTypeLinear;
  r.res.linear.devPtr = memory.get() + 1;
  r.res.linear.desc = hipCreateChannelDesc<float>();
  r.res.linear.sizeInBytes = 64;
  GIVES(hipErrorInvalidValue, hipCreateTextureObject(&t, &r, &point, nullptr));  // not aligned
  r.res.linear.devPtr = memory.get();
  r.res.linear.sizeInBytes = 8192;
  GIVES(hipErrorInvalidValue, hipCreateTextureObject(&t, &r, &point, nullptr));  // beyond its block
  const hipResourceViewDesc view{};
  r.res.linear.sizeInBytes = 64;
  GIVES(hipErrorInvalidValue, hipCreateTextureObject(&t, &r, &point, &view));

  std::memset(&r, 0, sizeof r);
  r.resType = hipResourceTypePitch2D;
  r.res.pitch2D.devPtr = memory.get();
  r.res.pitch2D.desc = hipCreateChannelDesc<float>();
  r.res.pitch2D.width = 64;
  r.res.pitch2D.height = 2;
  r.res.pitch2D.pitchInBytes = 260;
  GIVES(hipErrorInvalidValue, hipCreateTextureObject(&t, &r, &point, nullptr));
  r.res.pitch2D.pitchInBytes = 128;
  GIVES(hipErrorInvalidValue, hipCreateTextureObject(&t, &r, &point, nullptr));
  OK(hipDestroyTextureObject(nullptr));
  GIVES(hipErrorInvalidValue, hipDestroyTextureObject(reinterpret_cast<hipTextureObject_t>(memory.get())));
}
CASE(limits) {
  int support = 0, width_1d = 0, depth = 0;
  OK(hipDeviceGetAttribute(&support, hipDeviceAttributeImageSupport, 0));
  OK(hipDeviceGetAttribute(&width_1d, hipDeviceAttributeMaxTexture1DWidth, 0));
  OK(hipDeviceGetAttribute(&depth, hipDeviceAttributeMaxTexture3DDepth, 0));
  EXPECT(support == 1 && width_1d == 16384 && depth == 8192);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
