// SPDX-License-Identifier: Apache-2.0
// Copies and fills. With one hardware queue all are done when they return, the asynchronous ones too: a stream is
// always empty. With several, those are that are not asynchronous.
#include <fmt/format.h>

#include "hip_runtime/context.h"
#include "hip_runtime/stream_work.h"

using namespace pws::hip;

namespace {
void copy(context& c, void* to, const void* from, size_t bytes, hipMemcpyKind kind, way how = {}) {
  put(c, how, copy_work{to, from, bytes, kind});
}

void copy_2d(context& c, void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
             hipMemcpyKind kind, way how = {}) {
  put(c, how, rows_to_copy(to, to_pitch, from, from_pitch, width, height, kind));
}

void copy_3d(context& c, const hipMemcpy3DParms* p, way how = {}) {
  require(p != nullptr, hipErrorInvalidValue, "no description of the copy");
  put(c, how, box_copy_work{*p});
}

// To or from a part of a variable.
void copy_symbol(context& c, const void* symbol, size_t offset, void* host_target, const void* host_source,
                 size_t bytes, hipMemcpyKind kind, way how = {}) {
  put(c, how, variable_copy_work{symbol, offset, host_target, host_source, bytes, kind});
}

void fill(context& c, void* to, uint32_t value, unsigned element_bytes, size_t count, way how = {}) {
  put(c, how, elements_to_fill(to, value, element_bytes, count));
}

void fill_rows(context& c, void* to, size_t pitch, uint32_t value, size_t width, size_t rows, way how = {}) {
  if (width > pitch)
    throw failure(hipErrorInvalidValue, fmt::format("rows of {} bytes do not fit a pitch of {}", width, pitch));
  fill_work w = elements_to_fill(to, value, 1, width);
  w.parameters.height = rows;
  w.parameters.pitch = pitch;
  put(c, how, w);
}

void fill_planes(context& c, hipPitchedPtr to, int value, hipExtent extent, way how = {}) {
  require(extent.depth <= 1 || extent.height <= to.ysize, hipErrorInvalidValue, "planes of fewer rows than are filled");
  for (size_t z = 0; z < extent.depth; ++z)
    fill_rows(c, static_cast<uint8_t*>(to.ptr) + z * to.ysize * to.pitch, to.pitch, static_cast<uint32_t>(value),
              extent.width, extent.height, how);
}

// For hip_Memcpy2D and HIP_MEMCPY3D, whose fields have the same names.
template <class Described>
hipMemcpyKind check_described(const Described* p) {
  require(p != nullptr, hipErrorInvalidValue, "no description of the copy");
  const bool to_host = p->dstMemoryType == hipMemoryTypeHost;
  if (p->srcMemoryType == hipMemoryTypeHost) return to_host ? hipMemcpyHostToHost : hipMemcpyHostToDevice;
  return to_host ? hipMemcpyDeviceToHost : hipMemcpyDeviceToDevice;
}

hipMemcpy3DParms box_of(const hip_Memcpy2D& p, hipMemcpyKind kind) {
  const bool from_host = p.srcMemoryType == hipMemoryTypeHost, to_host = p.dstMemoryType == hipMemoryTypeHost;
  const auto or_else = [](size_t value, size_t standard) { return value == 0 ? standard : value; };
  hipMemcpy3DParms box{};
  box.srcPtr = {const_cast<void*>(from_host ? p.srcHost : p.srcDevice), or_else(p.srcPitch, p.WidthInBytes),
                p.WidthInBytes, p.Height};
  box.dstPtr = {to_host ? p.dstHost : p.dstDevice, or_else(p.dstPitch, p.WidthInBytes), p.WidthInBytes, p.Height};
  box.srcPos = {p.srcXInBytes, p.srcY, 0};
  box.dstPos = {p.dstXInBytes, p.dstY, 0};
  box.extent = {p.WidthInBytes, p.Height, 1};
  box.kind = kind;
  return box;
}

// The same copy, of which a side at least is an array: its width and its place there are in texels.
template <class Described>
void copy_with_arrays(context& c, const Described& p, hipMemcpy3DParms box, way how) {
  const bool from_array = p.srcMemoryType == hipMemoryTypeArray, to_array = p.dstMemoryType == hipMemoryTypeArray;
  const auto texels = [&](hipArray_const_t a, size_t bytes) {
    const size_t texel = c.images.array_of(a).format.bytes();
    require(bytes % texel == 0, hipErrorInvalidValue, "bytes that are no whole texels");
    return bytes / texel;
  };
  if (from_array) {
    box.srcArray = p.srcArray;
    box.srcPtr = {};
    box.srcPos.x = texels(p.srcArray, p.srcXInBytes);
  }
  if (to_array) {
    box.dstArray = p.dstArray;
    box.dstPtr = {};
    box.dstPos.x = texels(p.dstArray, p.dstXInBytes);
  }
  box.extent.width = texels(from_array ? p.srcArray : p.dstArray, p.WidthInBytes);
  put(c, how, box_copy_work{box});
}
template <class Described>
bool has_arrays(const Described& p) {
  return p.srcMemoryType == hipMemoryTypeArray || p.dstMemoryType == hipMemoryTypeArray;
}

void copy_described(context& c, const hip_Memcpy2D* p, way how = {}) {
  const hipMemcpyKind kind = check_described(p);
  if (has_arrays(*p)) return copy_with_arrays(c, *p, box_of(*p, kind), how);
  const bool from_host = p->srcMemoryType == hipMemoryTypeHost, to_host = p->dstMemoryType == hipMemoryTypeHost;
  const auto* from = static_cast<const uint8_t*>(from_host ? p->srcHost : p->srcDevice);
  auto* to = static_cast<uint8_t*>(to_host ? p->dstHost : p->dstDevice);
  require(from != nullptr && to != nullptr, hipErrorInvalidValue, "a null pointer");
  const size_t from_pitch = p->srcPitch == 0 ? p->WidthInBytes : p->srcPitch;
  const size_t to_pitch = p->dstPitch == 0 ? p->WidthInBytes : p->dstPitch;
  copy_2d(c, to + p->dstY * to_pitch + p->dstXInBytes, to_pitch, from + p->srcY * from_pitch + p->srcXInBytes,
          from_pitch, p->WidthInBytes, p->Height, kind, how);
}

void copy_described(context& c, const HIP_MEMCPY3D* p, way how = {}) {
  const hipMemcpyKind kind = check_described(p);
  const bool from_host = p->srcMemoryType == hipMemoryTypeHost, to_host = p->dstMemoryType == hipMemoryTypeHost;
  const auto or_else = [](unsigned value, unsigned standard) { return value == 0 ? standard : value; };
  hipMemcpy3DParms box{};
  box.srcPtr = {const_cast<void*>(from_host ? p->srcHost : p->srcDevice), or_else(p->srcPitch, p->WidthInBytes),
                p->WidthInBytes, or_else(p->srcHeight, p->Height)};
  box.dstPtr = {to_host ? p->dstHost : p->dstDevice, or_else(p->dstPitch, p->WidthInBytes), p->WidthInBytes,
                or_else(p->dstHeight, p->Height)};
  box.srcPos = {p->srcXInBytes, p->srcY, p->srcZ};
  box.dstPos = {p->dstXInBytes, p->dstY, p->dstZ};
  box.extent = {p->WidthInBytes, p->Height, p->Depth};
  box.kind = kind;
  if (has_arrays(*p)) return copy_with_arrays(c, *p, box, how);
  require(box.srcPtr.ptr != nullptr && box.dstPtr.ptr != nullptr, hipErrorInvalidValue, "a null pointer");
  put(c, how, box_copy_work{box});
}
}  // namespace

extern "C" {

hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return call(__func__, [&](context& c) { copy(c, to, from, bytes, kind); });
}
PWS_ALSO_SPT(hipMemcpy);
hipError_t hipMemcpyWithStream(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return call(__func__, [&](context& c) { copy(c, to, from, bytes, kind, {stream, true}); });
}
hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return call(__func__, [&](context& c) { copy(c, to, from, bytes, kind, behind(stream)); });
}
PWS_ALSO_SPT(hipMemcpyAsync);
hipError_t hipMemcpyHtoD(hipDeviceptr_t to, void* from, size_t bytes) {
  return call(__func__, [&](context& c) { copy(c, to, from, bytes, hipMemcpyHostToDevice); });
}
hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t bytes) {
  return call(__func__, [&](context& c) { copy(c, to, from, bytes, hipMemcpyDeviceToHost); });
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes) {
  return call(__func__, [&](context& c) { copy(c, to, from, bytes, hipMemcpyDeviceToDevice); });
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, void* from, size_t bytes, hipStream_t stream) {
  return call(__func__, [&](context& c) { copy(c, to, from, bytes, hipMemcpyHostToDevice, behind(stream)); });
}
hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
  return call(__func__, [&](context& c) { copy(c, to, from, bytes, hipMemcpyDeviceToHost, behind(stream)); });
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
  return call(__func__, [&](context& c) { copy(c, to, from, bytes, hipMemcpyDeviceToDevice, behind(stream)); });
}
hipError_t hipMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return call(__func__, [&](context& c) {
    check_device(to_device);
    check_device(from_device);
    copy(c, to, from, bytes, hipMemcpyDeviceToDevice);
  });
}
hipError_t hipMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                              hipStream_t stream) {
  return call(__func__, [&](context& c) {
    check_device(to_device);
    check_device(from_device);
    copy(c, to, from, bytes, hipMemcpyDeviceToDevice, behind(stream));
  });
}

// ---- rectangles and boxes

hipError_t hipMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
  return call(__func__, [&](context& c) { copy_2d(c, to, to_pitch, from, from_pitch, width, height, kind); });
}
PWS_ALSO_SPT(hipMemcpy2D);
hipError_t hipMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return call(__func__,
              [&](context& c) { copy_2d(c, to, to_pitch, from, from_pitch, width, height, kind, behind(stream)); });
}
PWS_ALSO_SPT(hipMemcpy2DAsync);
hipError_t hipMemcpyParam2D(const hip_Memcpy2D* p) {
  return call(__func__, [&](context& c) { copy_described(c, p); });
}
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* p, hipStream_t stream) {
  return call(__func__, [&](context& c) { copy_described(c, p, behind(stream)); });
}
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* p) {
  return call(__func__, [&](context& c) { copy_described(c, p); });
}
hipError_t hipMemcpy3D(const hipMemcpy3DParms* p) {
  return call(__func__, [&](context& c) { copy_3d(c, p); });
}
PWS_ALSO_SPT(hipMemcpy3D);
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* p, hipStream_t stream) {
  return call(__func__, [&](context& c) { copy_3d(c, p, behind(stream)); });
}
PWS_ALSO_SPT(hipMemcpy3DAsync);

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* p) {
  return call(__func__, [&](context& c) { copy_described(c, p); });
}
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* p, hipStream_t stream) {
  return call(__func__, [&](context& c) { copy_described(c, p, behind(stream)); });
}

// ---- variables

hipError_t hipMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, hipMemcpyKind kind) {
  return call(__func__, [&](context& c) {
    require(from != nullptr, hipErrorInvalidValue, "the source is a null pointer");
    copy_symbol(c, symbol, offset, nullptr, from, bytes, kind);
  });
}
hipError_t hipMemcpyToSymbol_spt(const void* symbol, const void* from, size_t bytes, size_t offset,
                                 hipMemcpyKind kind) {
  return hipMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset, hipMemcpyKind kind,
                                  hipStream_t stream) {
  return call(__func__, [&](context& c) {
    require(from != nullptr, hipErrorInvalidValue, "the source is a null pointer");
    copy_symbol(c, symbol, offset, nullptr, from, bytes, kind, behind(stream));
  });
}
hipError_t hipMemcpyToSymbolAsync_spt(const void* symbol, const void* from, size_t bytes, size_t offset,
                                      hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, stream);
}
hipError_t hipMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind) {
  return call(__func__, [&](context& c) {
    require(to != nullptr, hipErrorInvalidValue, "the target is a null pointer");
    copy_symbol(c, symbol, offset, to, nullptr, bytes, kind);
  });
}
hipError_t hipMemcpyFromSymbol_spt(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind) {
  return hipMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
hipError_t hipMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream) {
  return call(__func__, [&](context& c) {
    require(to != nullptr, hipErrorInvalidValue, "the target is a null pointer");
    copy_symbol(c, symbol, offset, to, nullptr, bytes, kind, behind(stream));
  });
}
hipError_t hipMemcpyFromSymbolAsync_spt(void* to, const void* symbol, size_t bytes, size_t offset, hipMemcpyKind kind,
                                        hipStream_t stream) {
  return hipMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, stream);
}

// ---- fills

hipError_t hipMemset(void* to, int value, size_t bytes) {
  return call(__func__, [&](context& c) { fill(c, to, static_cast<uint32_t>(value), 1, bytes); });
}
PWS_ALSO_SPT(hipMemset);
hipError_t hipMemsetAsync(void* to, int value, size_t bytes, hipStream_t stream) {
  return call(__func__, [&](context& c) { fill(c, to, static_cast<uint32_t>(value), 1, bytes, behind(stream)); });
}
PWS_ALSO_SPT(hipMemsetAsync);
hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count) {
  return call(__func__, [&](context& c) { fill(c, to, value, 1, count); });
}
hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t count, hipStream_t stream) {
  return call(__func__, [&](context& c) { fill(c, to, value, 1, count, behind(stream)); });
}
hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t count) {
  return call(__func__, [&](context& c) { fill(c, to, value, 2, count); });
}
hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t count, hipStream_t stream) {
  return call(__func__, [&](context& c) { fill(c, to, value, 2, count, behind(stream)); });
}
hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count) {
  return call(__func__, [&](context& c) { fill(c, to, static_cast<uint32_t>(value), 4, count); });
}
hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t count, hipStream_t stream) {
  return call(__func__, [&](context& c) { fill(c, to, static_cast<uint32_t>(value), 4, count, behind(stream)); });
}
hipError_t hipMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return call(__func__, [&](context& c) { fill_rows(c, to, pitch, static_cast<uint32_t>(value), width, height); });
}
PWS_ALSO_SPT(hipMemset2D);
hipError_t hipMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return call(__func__, [&](context& c) {
    fill_rows(c, to, pitch, static_cast<uint32_t>(value), width, height, behind(stream));
  });
}
PWS_ALSO_SPT(hipMemset2DAsync);
hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  return call(__func__, [&](context& c) { fill_planes(c, to, value, extent, behind(stream)); });
}
PWS_ALSO_SPT(hipMemset3DAsync);
hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent) {
  return call(__func__, [&](context& c) { fill_planes(c, to, value, extent); });
}
PWS_ALSO_SPT(hipMemset3D);

}  // extern "C"
