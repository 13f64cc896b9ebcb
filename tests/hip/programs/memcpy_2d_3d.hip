// hipMemcpy2D, hipMemcpy2DAsync, hipMemcpy3D between pitched host and device memory, sub-rectangles and sub-boxes;
// bytes outside of them stay; hipMalloc3D.
#include "check.h"

__global__ void add_one(uint8_t* box, size_t pitch, size_t slice, int width, int height, int depth) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  const int z = blockIdx.z;
  if (x < width && y < height && z < depth) box[z * slice + y * pitch + x] += 1;
}

static std::vector<uint8_t> random_bytes(size_t n, uint32_t seed) {
  check::random_source random(seed);
  std::vector<uint8_t> bytes(n);
  for (auto& byte : bytes) byte = static_cast<uint8_t>(random.bits() >> 9);
  return bytes;
}

static void rectangles() {
  const size_t host_pitch = 101, width = 53, height = 19, back_pitch = 67;
  const auto image = random_bytes(host_pitch * height, 13);
  uint8_t* device;
  size_t pitch = 0;
  HIP_CHECK(hipMallocPitch(reinterpret_cast<void**>(&device), &pitch, width, height));
  CHECK(pitch >= width, "pitch %zu is below the width", pitch);
  HIP_CHECK(hipMemset2D(device, pitch, 0xee, width, height));
  HIP_CHECK(hipMemcpy2D(device, pitch, image.data() + 3, host_pitch, width, height, hipMemcpyHostToDevice));
  std::vector<uint8_t> back(back_pitch * height, 0x11), want = back;
  HIP_CHECK(hipMemcpy2D(back.data(), back_pitch, device, pitch, width, height, hipMemcpyDeviceToHost));
  for (size_t y = 0; y < height; ++y) {
    for (size_t x = 0; x < width; ++x) want[y * back_pitch + x] = image[y * host_pitch + 3 + x];
  }
  CHECK_SAME("rectangle", back, want);

  // A part of it onto another device buffer, tightly packed.
  const size_t part_width = 7, part_height = 5;
  check::device_array<uint8_t> part(part_width * part_height);
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipMemcpy2DAsync(part.get(), part_width, device + 2 * pitch + 11, pitch, part_width, part_height,
                             hipMemcpyDeviceToDevice, stream));
  HIP_CHECK(hipStreamSynchronize(stream));
  std::vector<uint8_t> want_part;
  for (size_t y = 0; y < part_height; ++y) {
    for (size_t x = 0; x < part_width; ++x) want_part.push_back(image[(y + 2) * host_pitch + 3 + x + 11]);
  }
  CHECK_SAME("part", part.download(), want_part);
  EXPECT_ERROR(hipErrorInvalidPitchValue,
               hipMemcpy2D(back.data(), width - 1, device, pitch, width, height, hipMemcpyDeviceToHost));
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipFree(device));
}

static void boxes() {
  const int width = 23, height = 11, depth = 6;
  const size_t host_pitch = 31, host_rows = 13;  // the host's box has space around it
  auto host = random_bytes(host_pitch * host_rows * (depth + 1), 14);
  auto back = random_bytes(host.size(), 15);
  auto want = back;
  hipPitchedPtr device;
  HIP_CHECK(hipMalloc3D(&device, make_hipExtent(width, height, depth)));
  CHECK(device.pitch >= static_cast<size_t>(width), "pitch %zu is below the width", device.pitch);

  hipMemcpy3DParms copy = {};
  copy.srcPtr = make_hipPitchedPtr(host.data(), host_pitch, host_pitch, host_rows);
  copy.srcPos = make_hipPos(2, 1, 1);
  copy.dstPtr = device;
  copy.extent = make_hipExtent(width, height, depth);
  copy.kind = hipMemcpyHostToDevice;
  HIP_CHECK(hipMemcpy3D(&copy));

  add_one<<<dim3(check::blocks_for(width, 16), height, depth), 16>>>(static_cast<uint8_t*>(device.ptr), device.pitch,
                                                                     device.pitch * device.ysize, width, height, depth);
  CHECK_LAUNCH();

  hipMemcpy3DParms copy_back = {};
  copy_back.srcPtr = device;
  copy_back.dstPtr = make_hipPitchedPtr(back.data(), host_pitch, host_pitch, host_rows);
  copy_back.dstPos = make_hipPos(5, 2, 0);
  copy_back.extent = make_hipExtent(width, height, depth);
  copy_back.kind = hipMemcpyDeviceToHost;
  HIP_CHECK(hipMemcpy3D(&copy_back));
  for (int z = 0; z < depth; ++z) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        want[(z * host_rows + y + 2) * host_pitch + x + 5] =
            static_cast<uint8_t>(host[((z + 1) * host_rows + y + 1) * host_pitch + x + 2] + 1);
      }
    }
  }
  CHECK_SAME("box", back, want);
  HIP_CHECK(hipFree(device.ptr));
}

int main() {
  rectangles();
  boxes();
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
