// timing: yes
// hsaco: conformance_module.hip
// flags: -Wno-deprecated-declarations
// Texture references: variables of the program and of a module, bound to linear, pitched and array memory; what they say
// of themselves; what cannot be bound.
#include "conformance.h"

texture<float, hipTextureType1D, hipReadModeElementType> floats;
texture<float, hipTextureType2D, hipReadModeElementType> plane;
texture<unsigned char, hipTextureType2D, hipReadModeNormalizedFloat> bytes;

namespace {

constexpr int n_points = 64;

__global__ void fetch_floats(float* to, int from) {
  to[threadIdx.x] = tex1Dfetch(floats, static_cast<int>(threadIdx.x) + from);
}
__global__ void sample_plane(float* to) {
  to[threadIdx.x] = tex2D(plane, threadIdx.x % 8 + 0.5f, threadIdx.x / 8 + 0.5f);
}
__global__ void sample_bytes(float* to) {
  to[threadIdx.x] = tex2D(bytes, threadIdx.x % 8 + 0.5f, threadIdx.x / 8 + 0.5f);
}
std::vector<float> ramp(int n) {
  std::vector<float> v;
  for (int i = 0; i < n; ++i) v.push_back(static_cast<float>(i));
  return v;
}
hipArray* filled_array(const std::vector<float>& v) {
  hipArray* a = nullptr;
  const hipChannelFormatDesc d = hipCreateChannelDesc<float>();
  OK(hipMallocArray(&a, &d, 8, 8));
  OK(hipMemcpy2DToArray(a, 0, 0, v.data(), 32, 32, 8, hipMemcpyHostToDevice));
  return a;
}

CASE(linear) {
  const device_block<float> memory(ramp(128)), to(n_points);
  size_t offset = 1;
  OK(hipBindTexture(&offset, floats, memory.get(), 128 * sizeof(float)));
  SAME(offset, size_t{0});
  fetch_floats<<<1, n_points>>>(to.get(), 0);
  EXPECT(to.read() == ramp(n_points));
  // All that there is of the block; the memory begins in the middle of it.
  OK(hipBindTexture(&offset, floats, memory.get() + 3));
  SAME(offset, 3 * sizeof(float));
  size_t asked = 0;
  OK(hipGetTextureAlignmentOffset(&asked, &floats));
  SAME(asked, offset);
  fetch_floats<<<1, n_points>>>(to.get(), static_cast<int>(offset / sizeof(float)));
  const auto got = to.read();
  for (int i = 0; i < n_points; ++i) SAME(got[i], static_cast<float>(i + 3));
  OK(hipUnbindTexture(floats));
  OK(hipUnbindTexture(floats));
  GIVES(hipErrorInvalidValue, hipBindTexture(nullptr, floats, memory.get() + 3, 64));
  GIVES(hipErrorInvalidValue, hipBindTexture(&offset, floats, nullptr, 64));
}
CASE(pitched) {
  const device_block<float> to(n_points);
  std::vector<unsigned char> v(256 * 8);
  for (int i = 0; i < 64; ++i) v[i / 8 * 256 + i % 8] = static_cast<unsigned char>(i * 4);
  const device_block<unsigned char> memory(v);
  size_t offset = 0;
  const hipChannelFormatDesc d = hipCreateChannelDesc<unsigned char>();
  OK(hipBindTexture2D(&offset, &bytes, memory.get(), &d, 8, 8, 256));
  sample_bytes<<<1, n_points>>>(to.get());
  const auto got = to.read();
  for (int i = 0; i < n_points; ++i) SAME(got[i], static_cast<float>(i * 4 / 255.0));
  OK(hipUnbindTexture(&bytes));
  GIVES(hipErrorInvalidValue, hipBindTexture2D(&offset, &bytes, memory.get(), &d, 8, 8, 100));
}
CASE(arrays) {
  const device_block<float> to(n_points);
  hipArray* const a = filled_array(ramp(64));
  OK(hipBindTextureToArray(plane, a));
  sample_plane<<<1, n_points>>>(to.get());
  EXPECT(to.read() == ramp(64));
  hipDeviceptr_t where = nullptr;
  GIVES(hipErrorInvalidValue, hipTexRefGetAddress(&where, &plane));
  OK(hipUnbindTexture(plane));
  OK(hipFreeArray(a));
  GIVES(hipErrorInvalidHandle, hipBindTextureToArray(plane, a));
}
CASE(by_symbol) {
  const textureReference* r = nullptr;
  OK(hipGetTextureReference(&r, &plane));
  EXPECT(r == &plane);
  int other = 0;
  GIVES(hipErrorInvalidSymbol, hipGetTextureReference(&r, &other));
  GIVES(hipErrorInvalidValue, hipUnbindTexture(reinterpret_cast<const textureReference*>(&other)));
}

// ---- the driver API's

CASE(of_a_module) {
  hipModule_t m = nullptr;
  OK(hipModuleLoad(&m, module_file().c_str()));
  textureReference *r = nullptr, *again = nullptr;
  OK(hipModuleGetTexRef(&r, m, "module_texture"));
  OK(hipModuleGetTexRef(&again, m, "module_texture"));
  EXPECT(r == again);
  GIVES(hipErrorNotFound, hipModuleGetTexRef(&again, m, "no_such_texture"));
  GIVES(hipErrorInvalidValue, hipModuleGetTexRef(nullptr, m, "module_texture"));
  hipArray* const a = filled_array(ramp(64));
  OK(hipTexRefSetFormat(r, HIP_AD_FORMAT_FLOAT, 1));
  OK(hipTexRefSetFlags(r, 1));
  for (int dim = 0; dim < 2; ++dim) OK(hipTexRefSetAddressMode(r, dim, hipAddressModeClamp));
  OK(hipTexRefSetFilterMode(r, hipFilterModePoint));
  OK(hipTexRefSetArray(r, a, 1));
  hipFunction_t f = nullptr;
  OK(hipModuleGetFunction(&f, m, "sample_module_texture"));
  const device_block<float> to(n_points);
  float* result = to.get();
  void* arguments[] = {&result};
  OK(hipModuleLaunchKernel(f, 1, 1, 1, n_points, 1, 1, 0, nullptr, arguments, nullptr));
  EXPECT(to.read() == ramp(64));
  // Rows of 64 floats.
  std::vector<float> rows(64 * 8, 7.0f);
  const device_block<float> memory(rows);
  HIP_ARRAY_DESCRIPTOR d{};
  d.Width = d.Height = 8;
  d.Format = HIP_AD_FORMAT_FLOAT;
  d.NumChannels = 1;
  OK(hipTexRefSetAddress2D(r, &d, memory.get(), 256));
  OK(hipModuleLaunchKernel(f, 1, 1, 1, n_points, 1, 1, 0, nullptr, arguments, nullptr));
  EXPECT(to.read() == std::vector<float>(64, 7.0f));
  size_t offset = 0;
  hipDeviceptr_t where = nullptr;
  OK(hipTexRefSetAddress(&offset, r, memory.get(), 256));
  OK(hipTexRefGetAddress(&where, r));
  EXPECT(where == memory.get() && offset == 0);
  OK(hipFreeArray(a));
  OK(hipModuleUnload(m));
}
CASE(what_they_say) {
  OK(hipTexRefSetAddressMode(&plane, 1, hipAddressModeMirror));
  OK(hipTexRefSetFilterMode(&plane, hipFilterModeLinear));
  OK(hipTexRefSetFlags(&plane, 3));
  OK(hipTexRefSetFormat(&plane, HIP_AD_FORMAT_HALF, 2));
  hipTextureAddressMode address;
  hipTextureFilterMode filter, mip;
  unsigned flags = 0;
  hipArray_Format format;
  int channels = 0, anisotropy = 1;
  float bias = 1, lowest = 1, highest = 1;
  OK(hipTexRefGetAddressMode(&address, &plane, 1));
  OK(hipTexRefGetFilterMode(&filter, &plane));
  OK(hipTexRefGetFlags(&flags, &plane));
  OK(hipTexRefGetFormat(&format, &channels, &plane));
  OK(hipTexRefGetMaxAnisotropy(&anisotropy, &plane));
  OK(hipTexRefGetMipmapFilterMode(&mip, &plane));
  OK(hipTexRefGetMipmapLevelBias(&bias, &plane));
  OK(hipTexRefGetMipmapLevelClamp(&lowest, &highest, &plane));
  EXPECT(address == hipAddressModeMirror && filter == hipFilterModeLinear && flags == 3);
  EXPECT(format == HIP_AD_FORMAT_HALF && channels == 2 && anisotropy == 0 && bias == 0 && lowest == 0 && highest == 0);
  GIVES(hipErrorInvalidValue, hipTexRefSetAddressMode(&plane, 3, hipAddressModeWrap));
  GIVES(hipErrorInvalidValue, hipTexRefSetFilterMode(&plane, static_cast<hipTextureFilterMode>(5)));
  GIVES(hipErrorInvalidValue, hipTexRefSetFlags(&plane, 0x80));
  GIVES(hipErrorInvalidValue, hipTexRefSetFormat(&plane, HIP_AD_FORMAT_HALF, 3));
  GIVES(hipErrorInvalidValue, hipTexRefGetFlags(nullptr, &plane));
  GIVES(hipErrorInvalidValue, hipTexRefGetFilterMode(&filter, nullptr));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
