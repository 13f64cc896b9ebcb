// SPDX-License-Identifier: Apache-2.0
// Copies to, from and between arrays.
#include <algorithm>

#include "hip_runtime/stream_work.h"

using namespace pws::hip;

namespace {

// Bytes of an array's row as whole texels.
size_t texels_of(const device_array& a, size_t bytes) {
  require(bytes % a.format.bytes() == 0, hipErrorInvalidValue, "bytes that are no whole texels");
  return bytes / a.format.bytes();
}

// One side is an array, the other memory with rows of that pitch.
struct transfer {
  hipArray_const_t array;
  bool to_array;
  const void* memory;
  size_t pitch;
  hipMemcpyKind kind;
};

void put_rows(context& c, const transfer& t, size_t x_bytes, size_t y, size_t width_bytes, size_t rows,
              const void* memory, way how) {
  const device_array& a = c.images.array_of(t.array);
  if (width_bytes > t.pitch) throw failure(hipErrorInvalidPitchValue, "rows do not fit the pitch");
  box_copy_work w;
  hipMemcpy3DParms& p = w.parameters;
  auto* const handle = const_cast<hipArray_t>(t.array);
  const hipPitchedPtr pointer{const_cast<void*>(memory), t.pitch, width_bytes, rows};
  const hipPos origin{texels_of(a, x_bytes), y, 0};
  (t.to_array ? p.dstArray : p.srcArray) = handle;
  (t.to_array ? p.dstPos : p.srcPos) = origin;
  (t.to_array ? p.srcPtr : p.dstPtr) = pointer;
  p.extent = {texels_of(a, width_bytes), rows, 1};
  p.kind = t.kind;
  require(memory != nullptr, hipErrorInvalidValue, "a null pointer");
  put(c, how, w);
}

void put_rectangle(context& c, const transfer& t, size_t x_bytes, size_t y, size_t width, size_t rows, way how = {}) {
  put_rows(c, t, x_bytes, y, width, rows, t.memory, how);
}

// `bytes` side by side in memory, and in the array from there on, row by row.
void put_run(context& c, transfer t, size_t x_bytes, size_t y, size_t bytes, way how = {}) {
  const device_array& a = c.images.array_of(t.array);
  const size_t row = a.width * a.format.bytes();
  require(x_bytes <= row, hipErrorInvalidValue, "an offset beyond the array's rows");
  const size_t rows = (x_bytes + bytes + row - 1) / row;
  require(a.depth == 1 && y <= a.height && rows <= a.height - y, hipErrorInvalidValue,
          "more bytes than the array has from there on");
  const auto* at = static_cast<const uint8_t*>(t.memory);
  while (bytes != 0) {
    const bool whole = x_bytes == 0 && bytes >= row;
    const size_t n = whole ? row : std::min(bytes, row - x_bytes), lines = whole ? bytes / row : 1;
    t.pitch = n;
    put_rows(c, t, x_bytes, y, n, lines, at, how);
    at += n * lines;
    bytes -= n * lines;
    y += lines;
    x_bytes = 0;
  }
}

// For hipMemcpyAtoH and hipMemcpyHtoA.
void put_run_at(context& c, const transfer& t, size_t offset, size_t bytes) {
  const device_array& a = c.images.array_of(t.array);
  const size_t row = a.width * a.format.bytes();
  put_run(c, t, offset % row, offset / row, bytes);
}

}  // namespace

extern "C" {

hipError_t hipMemcpyToArray(hipArray* to, size_t x, size_t y, const void* from, size_t count, hipMemcpyKind kind) {
  return call(__func__, [&](context& c) { put_run(c, {to, true, from, 0, kind}, x, y, count); });
}
hipError_t hipMemcpyFromArray(void* to, hipArray_const_t from, size_t x, size_t y, size_t count, hipMemcpyKind kind) {
  return call(__func__, [&](context& c) { put_run(c, {from, false, to, 0, kind}, x, y, count); });
}
PWS_ALSO_SPT(hipMemcpyFromArray);
hipError_t hipMemcpyHtoA(hipArray* to, size_t offset, const void* from, size_t count) {
  return call(__func__, [&](context& c) { put_run_at(c, {to, true, from, 0, hipMemcpyHostToDevice}, offset, count); });
}
hipError_t hipMemcpyAtoH(void* to, hipArray* from, size_t offset, size_t count) {
  return call(__func__, [&](context& c) { put_run_at(c, {from, false, to, 0, hipMemcpyDeviceToHost}, offset, count); });
}

hipError_t hipMemcpy2DToArray(hipArray* to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                              size_t height, hipMemcpyKind kind) {
  return call(__func__, [&](context& c) { put_rectangle(c, {to, true, from, pitch, kind}, x, y, width, height); });
}
PWS_ALSO_SPT(hipMemcpy2DToArray);
hipError_t hipMemcpy2DToArrayAsync(hipArray* to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                   size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return call(__func__, [&](context& c) {
    put_rectangle(c, {to, true, from, pitch, kind}, x, y, width, height, behind(stream));
  });
}
PWS_ALSO_SPT(hipMemcpy2DToArrayAsync);
hipError_t hipMemcpy2DFromArray(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y, size_t width,
                                size_t height, hipMemcpyKind kind) {
  return call(__func__, [&](context& c) { put_rectangle(c, {from, false, to, pitch, kind}, x, y, width, height); });
}
PWS_ALSO_SPT(hipMemcpy2DFromArray);
hipError_t hipMemcpy2DFromArrayAsync(void* to, size_t pitch, hipArray_const_t from, size_t x, size_t y, size_t width,
                                     size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return call(__func__, [&](context& c) {
    put_rectangle(c, {from, false, to, pitch, kind}, x, y, width, height, behind(stream));
  });
}
PWS_ALSO_SPT(hipMemcpy2DFromArrayAsync);

}  // extern "C"
