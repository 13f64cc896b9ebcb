// SPDX-License-Identifier: Apache-2.0
#include "models/isa/abi/kernel_descriptor.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "models/isa/bit_field.h"

namespace pws::isa {

namespace {

template <class T>
T field(const uint8_t* data, size_t at) {
  T v;
  std::memcpy(&v, data + at, sizeof v);
  return v;
}

[[noreturn]] void reject(const std::string& why) {
  throw input_error("kernel descriptor: " + why);
}

void require_zero(const uint8_t* data, size_t first, size_t end) {
  for (size_t k = first; k < end; ++k)
    if (data[k] != 0) reject(fmt::format("reserved byte {} is 0x{:02x}, not 0", k, data[k]));
}
void require_zero(const char* what, uint32_t value) {
  if (value != 0) reject(fmt::format("{} must be 0 for gfx803 but is 0x{:x}", what, value));
}

void parse_rsrc1(kernel_descriptor& d) {
  const uint32_t w = d.rsrc1;
  d.n_vgprs = (bits(w, 5, 0) + 1) * 4;
  d.n_sgprs = (bits(w, 9, 6) + 1) * 8;
  constexpr uint32_t max_sgprs = 112;  // 102 and VCC, FLAT_SCRATCH, XNACK_MASK, in eights
  if (d.n_sgprs > max_sgprs) reject(fmt::format("{} SGPRs, gfx803 has at most {}", d.n_sgprs, max_sgprs));
  require_zero("compute_pgm_rsrc1.PRIORITY", bits(w, 11, 10));
  require_zero("compute_pgm_rsrc1.PRIV", bits(w, 20, 20));
  require_zero("compute_pgm_rsrc1.DEBUG_MODE", bits(w, 22, 22));
  require_zero("compute_pgm_rsrc1[31:24]", bits(w, 31, 24));
  const uint32_t float_mode = bits(w, 19, 12);
  const uint32_t dx10_clamp = bits(w, 21, 21), ieee = bits(w, 23, 23);
  d.mode = float_mode | dx10_clamp << 8 | ieee << 9;
}

void parse_rsrc2(kernel_descriptor& d) {
  const uint32_t w = d.rsrc2;
  d.uses_scratch = bits(w, 0, 0) != 0;
  d.user_sgpr_count = bits(w, 5, 1);
  require_zero("compute_pgm_rsrc2.ENABLE_TRAP_HANDLER", bits(w, 6, 6));
  for (unsigned k = 0; k < 3; ++k) d.workgroup_id[k] = bits(w, 7 + k, 7 + k) != 0;
  d.workgroup_info = bits(w, 10, 10) != 0;
  if (bits(w, 12, 11) == 3) reject("compute_pgm_rsrc2.ENABLE_VGPR_WORKITEM_ID is 3, which is undefined");
  d.workitem_ids = bits(w, 12, 11) + 1;
  require_zero("compute_pgm_rsrc2[23:13] (address watch, memory exceptions, LDS size)", bits(w, 23, 13));
  require_zero("compute_pgm_rsrc2[31]", bits(w, 31, 31));
  d.mode |= bits(w, 30, 24) << 12;  // MODE.EXCP_EN has the exceptions in the same order
}

void parse_properties(kernel_descriptor& d) {
  const uint32_t w = d.properties;
  unsigned total = 0;
  for (unsigned k = 0; k < n_user_sgprs; ++k) {
    d.user_sgprs[k] = bits(w, k, k) != 0;
    if (d.user_sgprs[k]) total += user_sgpr_dwords[k];
  }
  require_zero("kernel_code_properties[9:7]", bits(w, 9, 7));
  require_zero("kernel_code_properties.ENABLE_WAVEFRONT_SIZE32", bits(w, 10, 10));
  d.dynamic_stack = bits(w, 11, 11) != 0;
  require_zero("kernel_code_properties[15:12]", bits(w, 15, 12));
  constexpr unsigned max_user_sgprs = 16;
  if (d.user_sgpr_count > max_user_sgprs)
    reject(fmt::format("{} user SGPRs, at most {} exist", d.user_sgpr_count, max_user_sgprs));
  if (total > d.user_sgpr_count)
    reject(fmt::format("enabled user SGPRs take {} registers but USER_SGPR_COUNT is {}", total, d.user_sgpr_count));
}

uint64_t product(const wave_launch::dim3& e) {
  return uint64_t{e[0]} * e[1] * e[2];
}

[[noreturn]] void contradiction(const std::string& why) {
  throw std::invalid_argument("wavefront launch: " + why);
}

// Writes SGPRs in the order in which the hardware fills them.
class sgpr_writer {
 public:
  explicit sgpr_writer(wave_state& s) : s_(s) {}
  void put(uint32_t v) { s_.scalar[next_++] = v; }
  void put64(uint64_t v) {
    put(static_cast<uint32_t>(v));
    put(static_cast<uint32_t>(v >> 32));
  }
  void go_to(unsigned index) { next_ = index; }

 private:
  wave_state& s_;
  unsigned next_ = 0;
};

void set_user_sgprs(const kernel_descriptor& d, const wave_launch& l, sgpr_writer& w) {
  if (d.has(user_sgpr::private_segment_buffer))
    for (const uint32_t v : private_segment_resource(l.scratch_backing, l.scratch_backing_bytes)) w.put(v);
  if (d.has(user_sgpr::dispatch_ptr)) w.put64(l.dispatch_packet);
  if (d.has(user_sgpr::queue_ptr)) w.put64(l.queue);
  if (d.has(user_sgpr::kernarg_segment_ptr)) w.put64(l.kernarg);
  if (d.has(user_sgpr::dispatch_id)) w.put64(l.dispatch_id);
  if (d.has(user_sgpr::flat_scratch_init)) {
    // The prolog adds the wavefront's offset to the first, shifts it right by 8 and moves it to FLAT_SCRATCH_HI; the
    // second goes to FLAT_SCRATCH_LO. The first is relative to SH_HIDDEN_PRIVATE_BASE_VMID, here the backing memory's 4
    // GiB.
    w.put(static_cast<uint32_t>(l.scratch_backing));
    w.put(l.scratch_bytes_per_lane);
  }
  if (d.has(user_sgpr::private_segment_size)) w.put(l.scratch_bytes_per_lane);
}

void set_system_sgprs(const kernel_descriptor& d, const wave_launch& l, uint32_t n_waves, sgpr_writer& w) {
  w.go_to(d.user_sgpr_count);
  for (unsigned k = 0; k < 3; ++k)
    if (d.workgroup_id[k]) w.put(l.workgroup_id[k]);
  // {first wavefront of the workgroup, 14'b0, ordered append term, wavefronts in the workgroup}
  if (d.workgroup_info) w.put((l.wave_in_workgroup == 0 ? 1u << 31 : 0u) | (n_waves & 0x3f));
  if (d.uses_scratch) w.put(l.scratch_wave_offset);
}

// Work-item ids of the wavefront's lanes: x runs fastest, within the workgroup's actual extent.
void set_workitem_ids(const kernel_descriptor& d, const wave_launch::dim3& extent, uint64_t first, uint64_t total,
                      wave_state& s) {
  for (unsigned k = 0; k < d.workitem_ids; ++k) std::memset(s.vgpr[k].lane, 0, sizeof s.vgpr[k].lane);
  const auto lanes = static_cast<unsigned>(std::min<uint64_t>(wave_size, total - first));
  wave_launch::dim3 id{};
  uint64_t rest = first;
  for (unsigned k = 0; k < 3; ++k) {
    id[k] = static_cast<uint32_t>(rest % extent[k]);
    rest /= extent[k];
  }
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (unsigned k = 0; k < d.workitem_ids; ++k) s.vgpr[k].lane[lane] = id[k];
    for (unsigned k = 0; k < 3 && ++id[k] == extent[k]; ++k) id[k] = 0;
  }
}

}  // namespace

unsigned kernel_descriptor::index_of(user_sgpr u) const {
  unsigned index = 0;
  for (unsigned k = 0; k < static_cast<unsigned>(u); ++k)
    if (user_sgprs[k]) index += user_sgpr_dwords[k];
  return index;
}

kernel_descriptor kernel_descriptor::parse(const uint8_t* data, size_t available) {
  if (data == nullptr || available < size) reject(fmt::format("{} bytes, {} expected", available, size));
  kernel_descriptor d;
  d.group_segment_bytes = field<uint32_t>(data, 0);
  d.private_segment_bytes = field<uint32_t>(data, 4);
  d.kernarg_bytes = field<uint32_t>(data, 8);
  require_zero(data, 12, 16);
  d.entry_offset = field<int64_t>(data, 16);
  require_zero(data, 24, 44);
  d.rsrc3 = field<uint32_t>(data, 44);
  d.rsrc1 = field<uint32_t>(data, 48);
  d.rsrc2 = field<uint32_t>(data, 52);
  d.properties = field<uint16_t>(data, 56);
  require_zero(data, 58, 64);
  if (d.entry_offset % 4 != 0) reject(fmt::format("entry offset {} is not a multiple of 4", d.entry_offset));
  require_zero("compute_pgm_rsrc3", d.rsrc3);
  parse_rsrc1(d);
  parse_rsrc2(d);
  parse_properties(d);
  return d;
}

std::bitset<scalar_count> defined_at_start(const kernel_descriptor& d) {
  std::bitset<scalar_count> defined;
  unsigned n = 0;
  const auto add = [&](unsigned dwords) {
    while (dwords-- > 0) defined.set(n++);
  };
  for (unsigned k = 0; k < n_user_sgprs; ++k)
    if (d.user_sgprs[k]) add(user_sgpr_dwords[k]);
  n = d.user_sgpr_count;
  for (const bool enabled : d.workgroup_id) add(enabled ? 1 : 0);
  add(d.workgroup_info ? 1 : 0);
  add(d.uses_scratch ? 1 : 0);
  return defined.set(exec_lo).set(exec_hi);
}

std::array<uint32_t, 4> private_segment_resource(uint64_t base, uint32_t bytes) {
  constexpr uint32_t swizzle = 1u << 31;
  constexpr uint32_t dst_sel_xyzw = 4 | 5 << 3 | 6 << 6 | 7 << 9;
  constexpr uint32_t num_format_uint = 4 << 12;  // the data format's bits extend the stride (add_tid) and stay 0
  constexpr uint32_t element_size_4 = 1 << 19, index_stride_64 = 3 << 21, add_tid = 1 << 23;
  return {static_cast<uint32_t>(base), (static_cast<uint32_t>(base >> 32) & 0xffff) | swizzle, bytes,
          dst_sel_xyzw | num_format_uint | element_size_4 | index_stride_64 | add_tid};
}

wave_launch::dim3 workgroup_extent(const wave_launch& l) {
  wave_launch::dim3 e{};
  for (unsigned k = 0; k < 3; ++k) {
    const uint64_t first = uint64_t{l.workgroup_id[k]} * l.workgroup_size[k];
    if (first >= l.grid_size[k])
      contradiction(fmt::format("workgroup {} in dimension {} of {} work-items in groups of {}", l.workgroup_id[k], k,
                                l.grid_size[k], l.workgroup_size[k]));
    e[k] = static_cast<uint32_t>(std::min<uint64_t>(l.workgroup_size[k], l.grid_size[k] - first));
    if (e[k] == 0) contradiction("empty workgroup");
  }
  return e;
}

uint32_t waves_in_workgroup(const wave_launch& l) {
  return static_cast<uint32_t>((product(workgroup_extent(l)) + wave_size - 1) / wave_size);
}

void initial_state(const kernel_descriptor& d, const wave_launch& l, wave_state& s) {
  const wave_launch::dim3 extent = workgroup_extent(l);
  const uint64_t total = product(extent);
  const uint64_t first = uint64_t{l.wave_in_workgroup} * wave_size;
  if (first >= total)
    contradiction(fmt::format("wavefront {} of a workgroup of {} work-items", l.wave_in_workgroup, total));
  if (l.scratch_wave_offset % 256 != 0 || l.scratch_bytes_per_lane % 4 != 0) contradiction("misaligned scratch");

  std::fill(std::begin(s.scalar), std::end(s.scalar), 0u);
  sgpr_writer w(s);
  set_user_sgprs(d, l, w);
  set_system_sgprs(d, l, waves_in_workgroup(l), w);
  s.scalar[m0] = l.lds_bytes;
  const uint64_t lanes = total - first;
  s.set_scalar64(exec_lo, lanes >= wave_size ? ~uint64_t{0} : (uint64_t{1} << lanes) - 1);
  s.split_mask = ~uint64_t{0};
  s.pc = l.entry;
  s.scc = false;
  s.mode = d.mode;
  s.trapsts = 0;
  s.n_sgprs = d.n_sgprs;
  s.n_vgprs = d.n_vgprs;
  set_workitem_ids(d, extent, first, total, s);
  s.lds = l.lds;
  s.lds_bytes = l.lds_bytes;
  s.shared_aperture = l.shared_aperture;
  s.private_aperture = l.private_aperture;
  s.scratch_base = l.scratch_backing + l.scratch_wave_offset;
  s.scratch_bytes_per_lane = l.scratch_bytes_per_lane;
}

}  // namespace pws::isa
