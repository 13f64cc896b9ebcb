// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/memory_fixture.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "tests/isa/row_coverage.h"

namespace pws::isa::test {

namespace {

// Random bytes, made once: filling them anew for each of many thousand benches would take minutes.
const std::vector<uint8_t>& random_bytes() {
  static const std::vector<uint8_t> bytes = [] {
    std::vector<uint8_t> v(2 * memory_bench::window_bytes);
    std::mt19937 random(4711);
    std::generate(v.begin(), v.end(), [&] { return static_cast<uint8_t>(random()); });
    return v;
  }();
  return bytes;
}
std::vector<uint8_t> some_bytes(size_t n, unsigned seed) {
  const auto first = random_bytes().begin() + seed % memory_bench::window_bytes;
  return {first, first + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace

memory_bench::memory_bench(unsigned seed)
    : storage(some_bytes(window_bytes, seed)), lds(some_bytes(lds_bytes, seed / 3)), vgprs(n_vgprs) {
  const std::vector<uint8_t> values = some_bytes(n_vgprs * sizeof(vgpr_row), seed / 7);
  std::memcpy(vgprs.data(), values.data(), values.size());
  connect();
  state.scalar[m0] = ~0u;
  set_mask(~uint64_t{0});
}

memory_bench::memory_bench(const memory_bench& o) : storage(o.storage), lds(o.lds), vgprs(o.vgprs), state(o.state) {
  connect();
}

void memory_bench::connect() {
  memory.set_window(storage.data(), window_base, window_bytes);
  memory.add(data, data_bytes, "data");
  memory.add(constants, constants_bytes, "constants", memory_use::constants);
  memory.add(scratch, scratch_per_lane * wave_size, "scratch", memory_use::scratch);
  state.vgpr = vgprs.data();
  state.n_vgprs = n_vgprs;
  state.n_sgprs = 104;
  state.lds = lds.data();
  state.lds_bytes = lds_bytes;
  state.memory = &memory;
  state.shared_aperture = shared_aperture;
  state.private_aperture = private_aperture;
  state.scratch_base = scratch;
  state.scratch_bytes_per_lane = scratch_per_lane;
  state.access = nullptr;
}

void memory_bench::execute(const std::vector<uint32_t>& code) {
  execute(decode(code.data(), static_cast<unsigned>(code.size()), 0x1000));
}

void memory_bench::execute(const inst& i) {
  const host_fp_scope floating_point;
  i.exec(state, i);
  note_executed(*i.row);
}

void memory_bench::make_small() {
  const auto reduce = [](uint8_t* p, size_t bytes) {
    for (size_t k = 0; k < bytes; k += 4) {
      uint32_t v;
      std::memcpy(&v, p + k, 4);
      v &= 0x80000003;
      std::memcpy(p + k, &v, 4);
    }
  };
  reduce(storage.data(), storage.size());
  reduce(lds.data(), lds.size());
  for (vgpr_row& r : vgprs)
    for (uint32_t& v : r.lane) v &= 0x80000003;
}

void memory_bench::set_address(unsigned row, int lane, uint64_t address) {
  vgprs[row].lane[lane] = static_cast<uint32_t>(address);
  vgprs[row + 1].lane[lane] = static_cast<uint32_t>(address >> 32);
}

std::string memory_bench::difference(const memory_bench& o) const {
  for (unsigned r = 0; r < n_vgprs; ++r)
    for (int l = 0; l < wave_size; ++l)
      if (vgprs[r].lane[l] != o.vgprs[r].lane[l])
        return fmt::format("v{} lane {}: 0x{:08x}, expected 0x{:08x}", r, l, vgprs[r].lane[l], o.vgprs[r].lane[l]);
  for (unsigned k = 0; k < scalar_count; ++k)
    if (state.scalar[k] != o.state.scalar[k])
      return fmt::format("scalar {}: 0x{:08x}, expected 0x{:08x}", k, state.scalar[k], o.state.scalar[k]);
  const auto in = [](const char* what, const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) -> std::string {
    const auto at = std::mismatch(a.begin(), a.end(), b.begin());
    if (at.first == a.end()) return "";
    return fmt::format("{} byte 0x{:x}: 0x{:02x}, expected 0x{:02x}", what, at.first - a.begin(), *at.first,
                       *at.second);
  };
  const std::string d = in("LDS", lds, o.lds);
  return d.empty() ? in("memory", storage, o.storage) : d;
}

const std::vector<uint64_t>& lane_masks() {
  static const std::vector<uint64_t> masks = {0,
                                              1,
                                              uint64_t{1} << 37,
                                              uint64_t{1} << 63,
                                              0xaaaaaaaaaaaaaaaa,
                                              0x5555555555555555,
                                              0xffffffff,
                                              0xffffffff00000000,
                                              0x8000000000000001,
                                              0x0123456789abcdef,
                                              ~uint64_t{0}};
  return masks;
}

std::vector<uint32_t> encode_ds(const opcode_row& r, unsigned dst, unsigned addr, unsigned data0, unsigned data1,
                                unsigned offset0, unsigned offset1) {
  const uint32_t offset = (r.flags & double_access) != 0 ? offset0 | offset1 << 8 : offset0;
  return {0xd8000000u | uint32_t{r.opcode} << 17 | offset, dst << 24 | data1 << 16 | data0 << 8 | addr};
}

std::vector<uint32_t> encode_flat(const opcode_row& r, unsigned dst, unsigned addr, unsigned data, bool glc) {
  return {0xdc000000u | uint32_t{r.opcode} << 18 | (glc ? 1u << 16 : 0u), dst << 24 | data << 8 | addr};
}

std::vector<uint32_t> encode_mubuf(const opcode_row& r, const mubuf_fields& f) {
  const uint32_t low = 0xe0000000u | uint32_t{r.opcode} << 18 | f.offset | (f.offen ? 1u << 12 : 0u) |
                       (f.idxen ? 1u << 13 : 0u) | (f.glc ? 1u << 14 : 0u) | (f.lds ? 1u << 16 : 0u);
  return {low, f.soffset << 24 | (f.resource / 4) << 16 | f.data << 8 | f.addr};
}

std::vector<uint32_t> encode_smem(const opcode_row& r, unsigned data, unsigned base, uint32_t offset, bool imm) {
  return {0xc0000000u | uint32_t{r.opcode} << 18 | (imm ? 1u << 17 : 0u) | data << 6 | base / 2, offset};
}

const opcode_row& memory_row(const char* mnemonic) {
  for (const opcode_row& r : memory_rows())
    if (std::string(r.mnemonic) == mnemonic) return r;
  throw std::runtime_error(fmt::format("no row named {}", mnemonic));
}

}  // namespace pws::isa::test
