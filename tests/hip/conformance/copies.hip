// Copies: every direction between five kinds of memory by every function, in one, two and three dimensions; offsets,
// overlapping, nothing at all, too much; kinds that do not fit.
#include <cstdlib>

#include "conformance.h"

namespace {

enum kind { pageable, pinned, registered, device, managed, kinds };
const char* const names[kinds] = {"pageable", "pinned", "registered", "device", "managed"};
bool on_host(kind k) {
  return k == pageable || k == pinned || k == registered;
}
hipMemcpyKind direction(kind from, kind to) {
  return on_host(from) ? (on_host(to) ? hipMemcpyHostToHost : hipMemcpyHostToDevice)
                       : (on_host(to) ? hipMemcpyDeviceToHost : hipMemcpyDeviceToDevice);
}

class block {
 public:
  block(kind k, size_t bytes, uint8_t first) : kind_(k), bytes_(bytes) {
    switch (k) {
      case pinned:
        OK(hipHostMalloc(&data_, bytes, hipHostMallocDefault));
        break;
      case device:
        OK(hipMalloc(&data_, bytes));
        break;
      case managed:
        OK(hipMallocManaged(&data_, bytes, hipMemAttachGlobal));
        break;
      default:
        data_ = std::malloc(bytes);
    }
    if (k == registered) OK(hipHostRegister(data_, bytes, hipHostRegisterDefault));
    std::vector<uint8_t> values(bytes);
    for (size_t i = 0; i < bytes; ++i) values[i] = static_cast<uint8_t>(first + 7 * i + i / 251);
    if (k == device)
      OK(hipMemcpy(data_, values.data(), bytes, hipMemcpyHostToDevice));
    else
      std::memcpy(data_, values.data(), bytes);
  }
  ~block() {
    hipError_t e = hipSuccess;
    if (kind_ == pinned) e = hipHostFree(data_);
    if (kind_ == device || kind_ == managed) e = hipFree(data_);
    if (kind_ == registered) e = hipHostUnregister(data_);
    if (kind_ == pageable || kind_ == registered) std::free(data_);
    static_cast<void>(e);
  }
  block(const block&) = delete;
  block& operator=(const block&) = delete;
  uint8_t* at(size_t offset = 0) const { return static_cast<uint8_t*>(data_) + offset; }
  std::vector<uint8_t> read() const {
    std::vector<uint8_t> values(bytes_);
    if (kind_ == device)
      OK(hipMemcpy(values.data(), data_, bytes_, hipMemcpyDeviceToHost));
    else
      std::memcpy(values.data(), data_, bytes_);
    return values;
  }

 private:
  kind kind_;
  size_t bytes_;
  void* data_ = nullptr;
};

void compare(int line, const std::vector<uint8_t>& got, const std::vector<uint8_t>& want) {
  for (size_t i = 0; i < want.size(); ++i)
    if (got[i] != want[i])
      fail(line,
           "byte " + std::to_string(i) + " is " + std::to_string(got[i]) + ", expected " + std::to_string(want[i]));
}

// ---- one dimension

using copy_1d = std::function<hipError_t(void*, const void*, size_t, hipMemcpyKind, hipStream_t)>;

void check_1d(kind from, kind to, const copy_1d& copy, bool default_kind) {
  const size_t size = 5000, to_offset = 13, from_offset = 37, bytes = 4099;
  const block source(from, size, 1), target(to, size, 100);
  std::vector<uint8_t> want = target.read();
  const std::vector<uint8_t> in = source.read();
  std::memcpy(&want[to_offset], &in[from_offset], bytes);
  const own_stream s;
  OK(copy(target.at(to_offset), source.at(from_offset), bytes, default_kind ? hipMemcpyDefault : direction(from, to),
          s));
  OK(hipStreamSynchronize(s));
  compare(__LINE__, target.read(), want);
  compare(__LINE__, source.read(), in);
}

// ---- two and three dimensions

struct box {
  size_t width = 61, height = 7, depth = 3;  // bytes, rows, slices
  size_t from_pitch = 96, to_pitch = 80, from_rows = 9, to_rows = 8;
};
using copy_box = std::function<hipError_t(void*, const void*, const box&, hipMemcpyKind, hipStream_t)>;

void check_box(kind from, kind to, bool has_depth, const copy_box& copy) {
  box b;
  if (!has_depth) b.depth = 1;
  const block source(from, b.from_pitch * b.from_rows * b.depth, 3), target(to, b.to_pitch * b.to_rows * b.depth, 50);
  std::vector<uint8_t> want = target.read();
  const std::vector<uint8_t> in = source.read();
  for (size_t z = 0; z < b.depth; ++z)
    for (size_t y = 0; y < b.height; ++y)
      std::memcpy(&want[(z * b.to_rows + y) * b.to_pitch], &in[(z * b.from_rows + y) * b.from_pitch], b.width);
  const own_stream s;
  OK(copy(target.at(), source.at(), b, direction(from, to), s));
  OK(hipStreamSynchronize(s));
  compare(__LINE__, target.read(), want);
}

hipMemcpy3DParms parameters(void* to, const void* from, const box& b, hipMemcpyKind k) {
  hipMemcpy3DParms p = {};
  p.srcPtr = make_hipPitchedPtr(const_cast<void*>(from), b.from_pitch, b.width, b.from_rows);
  p.dstPtr = make_hipPitchedPtr(to, b.to_pitch, b.width, b.to_rows);
  p.extent = make_hipExtent(b.width, b.height, b.depth);
  p.kind = k;
  return p;
}
hip_Memcpy2D rectangle(void* to, const void* from, const box& b, hipMemcpyKind k) {
  hip_Memcpy2D p = {};
  const bool from_host = k == hipMemcpyHostToHost || k == hipMemcpyHostToDevice;
  const bool to_host = k == hipMemcpyHostToHost || k == hipMemcpyDeviceToHost;
  p.srcMemoryType = from_host ? hipMemoryTypeHost : hipMemoryTypeDevice;
  p.dstMemoryType = to_host ? hipMemoryTypeHost : hipMemoryTypeDevice;
  p.srcHost = from_host ? from : nullptr;
  p.srcDevice = from_host ? nullptr : const_cast<void*>(from);
  p.dstHost = to_host ? to : nullptr;
  p.dstDevice = to_host ? nullptr : to;
  p.srcPitch = b.from_pitch;
  p.dstPitch = b.to_pitch;
  p.WidthInBytes = b.width;
  p.Height = b.height;
  return p;
}

bool add_all() {
  const auto every_pair = [](const std::string& function, const std::function<void(kind, kind)>& body) {
    for (int from = 0; from < kinds; ++from)
      for (int to = 0; to < kinds; ++to) {
        const kind f = static_cast<kind>(from), t = static_cast<kind>(to);
        add(function + "_" + names[from] + "_to_" + names[to], [=] { body(f, t); });
      }
  };
  every_pair("memcpy", [](kind f, kind t) {
    check_1d(
        f, t,
        [](void* to, const void* from, size_t n, hipMemcpyKind k, hipStream_t) { return hipMemcpy(to, from, n, k); },
        false);
  });
  every_pair("memcpy_default", [](kind f, kind t) {
    check_1d(
        f, t,
        [](void* to, const void* from, size_t n, hipMemcpyKind k, hipStream_t) { return hipMemcpy(to, from, n, k); },
        true);
  });
  every_pair("memcpy_async", [](kind f, kind t) {
    check_1d(
        f, t,
        [](void* to, const void* from, size_t n, hipMemcpyKind k, hipStream_t s) {
          return hipMemcpyAsync(to, from, n, k, s);
        },
        false);
  });
  every_pair("memcpy_with_stream", [](kind f, kind t) {
    check_1d(
        f, t,
        [](void* to, const void* from, size_t n, hipMemcpyKind k, hipStream_t s) {
          return hipMemcpyWithStream(to, from, n, k, s);
        },
        false);
  });
  every_pair("memcpy_2d", [](kind f, kind t) {
    check_box(f, t, false, [](void* to, const void* from, const box& b, hipMemcpyKind k, hipStream_t) {
      return hipMemcpy2D(to, b.to_pitch, from, b.from_pitch, b.width, b.height, k);
    });
  });
  every_pair("memcpy_2d_async", [](kind f, kind t) {
    check_box(f, t, false, [](void* to, const void* from, const box& b, hipMemcpyKind k, hipStream_t s) {
      return hipMemcpy2DAsync(to, b.to_pitch, from, b.from_pitch, b.width, b.height, k, s);
    });
  });
  every_pair("memcpy_3d", [](kind f, kind t) {
    check_box(f, t, true, [](void* to, const void* from, const box& b, hipMemcpyKind k, hipStream_t) {
      const hipMemcpy3DParms p = parameters(to, from, b, k);
      return hipMemcpy3D(&p);
    });
  });
  every_pair("memcpy_3d_async", [](kind f, kind t) {
    check_box(f, t, true, [](void* to, const void* from, const box& b, hipMemcpyKind k, hipStream_t s) {
      const hipMemcpy3DParms p = parameters(to, from, b, k);
      return hipMemcpy3DAsync(&p, s);
    });
  });
  every_pair("memcpy_param_2d", [](kind f, kind t) {
    check_box(f, t, false, [](void* to, const void* from, const box& b, hipMemcpyKind k, hipStream_t) {
      const hip_Memcpy2D p = rectangle(to, from, b, k);
      return hipMemcpyParam2D(&p);
    });
  });
  return true;
}
const bool added = add_all();

// ---- functions that say the direction

CASE(htod) {
  const block source(pageable, 100, 1), target(device, 100, 2);
  OK(hipMemcpyHtoD(target.at(), source.at(), 100));
  compare(__LINE__, target.read(), source.read());
}
CASE(dtoh) {
  const block source(device, 100, 1), target(pageable, 100, 2);
  OK(hipMemcpyDtoH(target.at(), source.at(), 100));
  compare(__LINE__, target.read(), source.read());
}
CASE(dtod) {
  const block source(device, 100, 1), target(device, 100, 2);
  OK(hipMemcpyDtoD(target.at(), source.at(), 100));
  compare(__LINE__, target.read(), source.read());
}
CASE(htod_async) {
  const block source(pinned, 100, 1), target(device, 100, 2);
  const own_stream s;
  OK(hipMemcpyHtoDAsync(target.at(), source.at(), 100, s));
  OK(hipStreamSynchronize(s));
  compare(__LINE__, target.read(), source.read());
}
CASE(dtoh_async) {
  const block source(device, 100, 1), target(pinned, 100, 2);
  const own_stream s;
  OK(hipMemcpyDtoHAsync(target.at(), source.at(), 100, s));
  OK(hipStreamSynchronize(s));
  compare(__LINE__, target.read(), source.read());
}
CASE(dtod_async) {
  const block source(device, 100, 1), target(device, 100, 2);
  const own_stream s;
  OK(hipMemcpyDtoDAsync(target.at(), source.at(), 100, s));
  OK(hipStreamSynchronize(s));
  compare(__LINE__, target.read(), source.read());
}
CASE(peer) {
  const block source(device, 100, 1), target(device, 100, 2);
  OK(hipMemcpyPeer(target.at(), 0, source.at(), 0, 100));
  compare(__LINE__, target.read(), source.read());
}
CASE(peer_async) {
  const block source(device, 100, 1), target(device, 100, 2);
  const own_stream s;
  OK(hipMemcpyPeerAsync(target.at(), 0, source.at(), 0, 100, s));
  OK(hipStreamSynchronize(s));
  compare(__LINE__, target.read(), source.read());
}
CASE(peer_of_no_device) {
  const block source(device, 100, 1), target(device, 100, 2);
  GIVES(hipErrorInvalidDevice, hipMemcpyPeer(target.at(), 1, source.at(), 0, 100));
  GIVES(hipErrorInvalidDevice, hipMemcpyPeer(target.at(), 0, source.at(), -1, 100));
}
CASE(param_2d_async) {
  check_box(device, pinned, false, [](void* to, const void* from, const box& b, hipMemcpyKind k, hipStream_t s) {
    const hip_Memcpy2D p = rectangle(to, from, b, k);
    return hipMemcpyParam2DAsync(&p, s);
  });
}
CASE(param_2d_offsets) {
  const block source(device, 1024, 1), target(device, 1024, 2);
  std::vector<uint8_t> want = target.read();
  const std::vector<uint8_t> in = source.read();
  for (size_t y = 0; y < 4; ++y) std::memcpy(&want[(y + 2) * 64 + 3], &in[(y + 1) * 32 + 5], 20);
  hip_Memcpy2D p = {};
  p.srcMemoryType = p.dstMemoryType = hipMemoryTypeDevice;
  p.srcDevice = source.at();
  p.dstDevice = target.at();
  p.srcPitch = 32;
  p.dstPitch = 64;
  p.srcXInBytes = 5;
  p.srcY = 1;
  p.dstXInBytes = 3;
  p.dstY = 2;
  p.WidthInBytes = 20;
  p.Height = 4;
  OK(hipMemcpyParam2D(&p));
  compare(__LINE__, target.read(), want);
}
CASE(param_2d_null) {
  GIVES(hipErrorInvalidValue, hipMemcpyParam2D(nullptr));
}
CASE(drv_2d_unaligned) {
  check_box(pageable, device, false, [](void* to, const void* from, const box& b, hipMemcpyKind k, hipStream_t) {
    const hip_Memcpy2D p = rectangle(to, from, b, k);
    return hipDrvMemcpy2DUnaligned(&p);
  });
}
CASE(box_position) {
  const block source(device, 16 * 8 * 4, 1), target(device, 16 * 8 * 4, 2);
  std::vector<uint8_t> want = target.read();
  const std::vector<uint8_t> in = source.read();
  for (size_t z = 0; z < 2; ++z)
    for (size_t y = 0; y < 3; ++y)
      std::memcpy(&want[((z + 2) * 8 + y + 4) * 16 + 9], &in[((z + 1) * 8 + y + 2) * 16 + 3], 5);
  hipMemcpy3DParms p = {};
  p.srcPtr = make_hipPitchedPtr(source.at(), 16, 16, 8);
  p.dstPtr = make_hipPitchedPtr(target.at(), 16, 16, 8);
  p.srcPos = make_hipPos(3, 2, 1);
  p.dstPos = make_hipPos(9, 4, 2);
  p.extent = make_hipExtent(5, 3, 2);
  p.kind = hipMemcpyDeviceToDevice;
  OK(hipMemcpy3D(&p));
  compare(__LINE__, target.read(), want);
}
CASE(per_thread_1d) {
  check_1d(
      pageable, device,
      [](void* to, const void* from, size_t n, hipMemcpyKind k, hipStream_t) { return hipMemcpy_spt(to, from, n, k); },
      false);
}
CASE(per_thread_1d_async) {
  check_1d(
      pinned, device,
      [](void* to, const void* from, size_t n, hipMemcpyKind k, hipStream_t) {
        const hipError_t e = hipMemcpyAsync_spt(to, from, n, k, hipStreamPerThread);
        return e != hipSuccess ? e : hipStreamSynchronize(hipStreamPerThread);
      },
      false);
}
CASE(per_thread_2d) {
  check_box(pageable, device, false, [](void* to, const void* from, const box& b, hipMemcpyKind k, hipStream_t) {
    return hipMemcpy2D_spt(to, b.to_pitch, from, b.from_pitch, b.width, b.height, k);
  });
}
CASE(per_thread_3d) {
  check_box(pageable, device, true, [](void* to, const void* from, const box& b, hipMemcpyKind k, hipStream_t) {
    const hipMemcpy3DParms p = parameters(to, from, b, k);
    return hipMemcpy3D_spt(&p);
  });
}

HIP_MEMCPY3D described(void* to, const void* from, const box& b, hipMemcpyKind k) {
  const hip_Memcpy2D rows = rectangle(to, from, b, k);
  HIP_MEMCPY3D p = {};
  p.srcMemoryType = rows.srcMemoryType;
  p.dstMemoryType = rows.dstMemoryType;
  p.srcHost = rows.srcHost;
  p.srcDevice = rows.srcDevice;
  p.dstHost = rows.dstHost;
  p.dstDevice = rows.dstDevice;
  p.srcPitch = static_cast<unsigned>(b.from_pitch);
  p.dstPitch = static_cast<unsigned>(b.to_pitch);
  p.srcHeight = static_cast<unsigned>(b.from_rows);
  p.dstHeight = static_cast<unsigned>(b.to_rows);
  p.WidthInBytes = static_cast<unsigned>(b.width);
  p.Height = static_cast<unsigned>(b.height);
  p.Depth = static_cast<unsigned>(b.depth);
  return p;
}
CASE(drv_3d) {
  check_box(pageable, device, true, [](void* to, const void* from, const box& b, hipMemcpyKind k, hipStream_t) {
    const HIP_MEMCPY3D p = described(to, from, b, k);
    return hipDrvMemcpy3D(&p);
  });
}
CASE(drv_3d_async) {
  check_box(device, pinned, true, [](void* to, const void* from, const box& b, hipMemcpyKind k, hipStream_t s) {
    const HIP_MEMCPY3D p = described(to, from, b, k);
    return hipDrvMemcpy3DAsync(&p, s);
  });
}
CASE(drv_3d_null) {
  GIVES(hipErrorInvalidValue, hipDrvMemcpy3D(nullptr));
}

// ---- nothing

CASE(zero_bytes) {
  const block source(pageable, 16, 1), target(device, 16, 2);
  const std::vector<uint8_t> before = target.read();
  OK(hipMemcpy(target.at(), source.at(), 0, hipMemcpyHostToDevice));
  compare(__LINE__, target.read(), before);
}
CASE(zero_bytes_async) {
  const block source(pinned, 16, 1), target(device, 16, 2);
  const own_stream s;
  OK(hipMemcpyAsync(target.at(), source.at(), 0, hipMemcpyHostToDevice, s));
}
CASE(zero_bytes_at_the_end) {
  const block source(device, 16, 1), target(device, 4096, 2);
  OK(hipMemcpy(target.at(), source.at(16), 0, hipMemcpyDeviceToDevice));
}
CASE(zero_bytes_from_nowhere) {
  OK(hipMemcpy(nullptr, nullptr, 0, hipMemcpyHostToDevice));
}
CASE(zero_width) {
  const block source(device, 64, 1), target(device, 64, 2);
  OK(hipMemcpy2D(target.at(), 8, source.at(), 8, 0, 8, hipMemcpyDeviceToDevice));
}
CASE(zero_height) {
  const block source(device, 64, 1), target(device, 64, 2);
  OK(hipMemcpy2D(target.at(), 8, source.at(), 8, 8, 0, hipMemcpyDeviceToDevice));
}
CASE(zero_depth) {
  const block source(device, 64, 1), target(device, 64, 2);
  box b;
  b.width = 8, b.height = 2, b.depth = 0, b.from_pitch = b.to_pitch = 8, b.from_rows = b.to_rows = 4;
  const hipMemcpy3DParms p = parameters(target.at(), source.at(), b, hipMemcpyDeviceToDevice);
  OK(hipMemcpy3D(&p));
}

// ---- overlapping (what lies around must not change; in the middle nothing is promised), the same, one byte

CASE(same_place) {
  const block b(device, 1000, 1);
  const std::vector<uint8_t> before = b.read();
  OK(hipMemcpy(b.at(), b.at(), 1000, hipMemcpyDeviceToDevice));
  compare(__LINE__, b.read(), before);
}
void overlap(size_t to, size_t from) {
  const block b(device, 1000, 1);
  std::vector<uint8_t> before = b.read();
  OK(hipMemcpy(b.at(to), b.at(from), 300, hipMemcpyDeviceToDevice));
  const std::vector<uint8_t> after = b.read();
  for (size_t i = 0; i < 1000; ++i)
    if (i < to || i >= to + 300) SAME(after[i], before[i]);
}
CASE(overlapping_forwards) {
  overlap(350, 300);
}
CASE(overlapping_backwards) {
  overlap(300, 350);
}
CASE(neighbours) {
  const block b(device, 1000, 1);
  std::vector<uint8_t> want = b.read();
  std::memcpy(&want[500], &want[200], 300);
  OK(hipMemcpy(b.at(500), b.at(200), 300, hipMemcpyDeviceToDevice));
  compare(__LINE__, b.read(), want);
}
CASE(one_byte) {
  const block source(pageable, 3, 1), target(device, 3, 77);
  std::vector<uint8_t> want = target.read();
  want[1] = source.read()[2];
  OK(hipMemcpy(target.at(1), source.at(2), 1, hipMemcpyHostToDevice));
  compare(__LINE__, target.read(), want);
}
CASE(one_byte_rows) {
  const block source(device, 64, 1), target(device, 64, 2);
  std::vector<uint8_t> want = target.read();
  const std::vector<uint8_t> in = source.read();
  for (size_t y = 0; y < 16; ++y) want[y * 4] = in[y * 4];
  OK(hipMemcpy2D(target.at(), 4, source.at(), 4, 1, 16, hipMemcpyDeviceToDevice));
  compare(__LINE__, target.read(), want);
}
CASE(rows_without_padding) {
  const block source(device, 640, 1), target(device, 640, 2);
  OK(hipMemcpy2D(target.at(), 64, source.at(), 64, 64, 10, hipMemcpyDeviceToDevice));
  compare(__LINE__, target.read(), source.read());
}

// ---- much

CASE(huge) {
  const size_t bytes = size_t{96} << 20;
  const block source(device, bytes, 1), target(device, bytes, 2);
  OK(hipMemcpy(target.at(), source.at(), bytes, hipMemcpyDeviceToDevice));
  EXPECT(target.read() == source.read());
}
CASE(huge_from_host) {
  const size_t bytes = (size_t{64} << 20) + 1;
  const block source(pageable, bytes, 1), target(device, bytes, 2);
  OK(hipMemcpy(target.at(), source.at(), bytes, hipMemcpyHostToDevice));
  EXPECT(target.read() == source.read());
}
CASE(past_the_end_of_the_target) {
  const block source(pageable, 200, 1), target(device, 100, 2);
  const std::vector<uint8_t> before = target.read();
  GIVES(hipErrorInvalidValue, hipMemcpy(target.at(), source.at(), 101, hipMemcpyHostToDevice));
  compare(__LINE__, target.read(), before);
}
CASE(past_the_end_of_the_source) {
  const block source(device, 100, 1), target(pageable, 200, 2);
  const std::vector<uint8_t> before = target.read();
  GIVES(hipErrorInvalidValue, hipMemcpy(target.at(), source.at(1), 100, hipMemcpyDeviceToHost));
  compare(__LINE__, target.read(), before);
}
CASE(all_there_is) {
  const block source(device, 100, 1), target(device, 100, 2);
  GIVES(hipErrorInvalidValue, hipMemcpy(target.at(), source.at(), SIZE_MAX, hipMemcpyDeviceToDevice));
}
CASE(rows_past_the_end) {
  const block source(device, 640, 1), target(device, 640, 2);
  GIVES(hipErrorInvalidValue, hipMemcpy2D(target.at(), 64, source.at(), 64, 64, 11, hipMemcpyDeviceToDevice));
}
CASE(rows_of_more_than_there_is) {
  const block source(device, 640, 1), target(device, 640, 2);
  GIVES(hipErrorInvalidValue, hipMemcpy2D(target.at(), 64, source.at(), 64, 64, SIZE_MAX / 2, hipMemcpyDeviceToDevice));
}

// ---- wrong use

CASE(null_target) {
  const block source(device, 16, 1);
  GIVES(hipErrorInvalidValue, hipMemcpy(nullptr, source.at(), 16, hipMemcpyDeviceToHost));
}
CASE(null_source) {
  const block target(device, 16, 1);
  GIVES(hipErrorInvalidValue, hipMemcpy(target.at(), nullptr, 16, hipMemcpyHostToDevice));
}
CASE(no_kind) {
  const block source(device, 16, 1), target(device, 16, 1);
  GIVES(hipErrorInvalidMemcpyDirection, hipMemcpy(target.at(), source.at(), 16, static_cast<hipMemcpyKind>(5)));
  GIVES(hipErrorInvalidMemcpyDirection, hipMemcpy(target.at(), source.at(), 16, static_cast<hipMemcpyKind>(-1)));
}
CASE(no_kind_async) {
  const block source(device, 16, 1), target(device, 16, 1);
  GIVES(hipErrorInvalidMemcpyDirection,
        hipMemcpyAsync(target.at(), source.at(), 16, static_cast<hipMemcpyKind>(9), nullptr));
}
CASE(no_kind_2d) {
  const block source(device, 64, 1), target(device, 64, 1);
  GIVES(hipErrorInvalidMemcpyDirection,
        hipMemcpy2D(target.at(), 8, source.at(), 8, 4, 4, static_cast<hipMemcpyKind>(5)));
}
CASE(wide_rows_of_the_target) {
  const block source(device, 64, 1), target(device, 64, 1);
  GIVES(hipErrorInvalidPitchValue, hipMemcpy2D(target.at(), 7, source.at(), 8, 8, 4, hipMemcpyDeviceToDevice));
}
CASE(wide_rows_of_the_source) {
  const block source(device, 64, 1), target(device, 64, 1);
  GIVES(hipErrorInvalidPitchValue, hipMemcpy2D(target.at(), 8, source.at(), 7, 8, 4, hipMemcpyDeviceToDevice));
}
CASE(box_null) {
  GIVES(hipErrorInvalidValue, hipMemcpy3D(nullptr));
}
CASE(box_from_nowhere) {
  const block target(device, 64, 1);
  box b;
  b.width = 8, b.height = 2, b.depth = 1, b.from_pitch = b.to_pitch = 8, b.from_rows = b.to_rows = 4;
  const hipMemcpy3DParms p = parameters(target.at(), nullptr, b, hipMemcpyDeviceToDevice);
  GIVES(hipErrorInvalidValue, hipMemcpy3D(&p));
}
CASE(freed_source) {
  uint8_t* freed = nullptr;
  OK(hipMalloc(&freed, 64));
  OK(hipFree(freed));
  const block target(pageable, 64, 1);
  GIVES(hipErrorInvalidValue, hipMemcpy(target.at(), freed, 64, hipMemcpyDeviceToHost));
}
CASE(in_a_stream_that_is_none) {
  const block source(device, 16, 1), target(device, 16, 1);
  hipStream_t gone = nullptr;
  OK(hipStreamCreate(&gone));
  OK(hipStreamDestroy(gone));
  GIVES(hipErrorInvalidHandle, hipMemcpyAsync(target.at(), source.at(), 16, hipMemcpyDeviceToDevice, gone));
}
// The runtime goes by the pointers where it knows them (as ROCm does).
CASE(wrong_kind_of_known_pointers) {
  const block source(device, 100, 1), target(pinned, 100, 2);
  OK(hipMemcpy(target.at(), source.at(), 100, hipMemcpyHostToDevice));
  compare(__LINE__, target.read(), source.read());
}
CASE(in_order_of_a_stream) {
  const block first(device, 1000, 1), second(device, 1000, 2), third(pinned, 1000, 3);
  const std::vector<uint8_t> want = first.read();
  const own_stream s;
  OK(hipMemcpyAsync(second.at(), first.at(), 1000, hipMemcpyDeviceToDevice, s));
  OK(hipMemcpyAsync(third.at(), second.at(), 1000, hipMemcpyDeviceToHost, s));
  OK(hipMemsetAsync(second.at(), 0, 1000, s));
  OK(hipStreamSynchronize(s));
  compare(__LINE__, third.read(), want);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
