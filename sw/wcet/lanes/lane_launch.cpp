// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_launch.h"

#include <algorithm>

namespace pws::wcet {

namespace {

constexpr uint64_t max_waves = 256;  // of all kinds of workgroups, to look at one by one
constexpr size_t max_kinds = 16;

uint64_t product(const std::array<uint32_t, 3>& e) {
  // Saturating: nonsense may be asked for.
  uint64_t p = 1;
  for (const uint32_t n : e) p = p > UINT32_MAX ? p : p * n;
  return p;
}

// The extents that workgroups have in one dimension.
std::vector<uint32_t> extents(uint32_t workgroup, uint32_t grid) {
  std::vector<uint32_t> e;
  if (grid >= workgroup) e.push_back(workgroup);
  if (grid % workgroup != 0) e.push_back(grid % workgroup);
  return e;
}

wave_kind kind_of(const launch_facts& f, const std::array<uint32_t, 3>& extent, uint64_t wave) {
  wave_kind k;
  const uint64_t total = product(extent), first = wave * lanes_per_wave;
  k.base.fill(word_set::constant(0));
  for (unsigned l = 0; l < lanes_per_wave && first + l < total; ++l) {
    k.lanes |= uint64_t{1} << l;
    uint64_t rest = first + l;
    for (unsigned d = 0; d < f.descriptor.workitem_ids && d < 3; ++d) {
      k.offset[d][l] = static_cast<uint32_t>(rest % extent[d]);
      rest /= extent[d];
    }
  }
  k.always = k.lanes;
  for (unsigned d = 0; d < 3; ++d) {  // lane 0 is always there
    const uint32_t origin = k.offset[d][0];
    k.base[d] = word_set::constant(origin);
    for (uint32_t& o : k.offset[d]) o -= origin;
  }
  return k;
}

// `k` takes in the other if both put the same ids into the lanes that they share.
bool take_in(wave_kind& k, const wave_kind& other) {
  for (unsigned d = 0; d < 3; ++d)
    for (unsigned l = 0; l < lanes_per_wave; ++l)
      if ((k.lanes & other.lanes) >> l & 1)
        if (k.offset[d][l] != other.offset[d][l]) return false;
  for (unsigned d = 0; d < 3; ++d) {
    k.base[d] = join(k.base[d], other.base[d]);
    for (unsigned l = 0; l < lanes_per_wave; ++l)
      if ((k.lanes >> l & 1) == 0) k.offset[d][l] = other.offset[d][l];
  }
  k.lanes |= other.lanes;
  k.always &= other.always;
  return true;
}

wave_kind unknown_ids(const std::array<uint32_t, 3>& workgroup) {
  wave_kind k;
  k.lanes = ~uint64_t{0};
  k.ids_known = false;
  for (unsigned d = 0; d < 3; ++d) k.base[d] = word_set::range(0, workgroup[d] - 1);
  return k;
}

std::array<uint32_t, 3> at_least_one(const std::array<uint32_t, 3>& e) {
  return {std::max(e[0], 1u), std::max(e[1], 1u), std::max(e[2], 1u)};
}

class register_filler {
 public:
  register_filler(lane_state& s, unsigned first) : s_(s), next_(first) {}
  void put(const word_set& w) { put(scalar_word{w, {}}); }
  void put(const scalar_word& w) {
    if (next_ < isa::sgpr_limit) s_.set_scalar(next_, w);
    ++next_;
  }

 private:
  lane_state& s_;
  unsigned next_;
};

void put_pointer(register_filler& r, relative_word::origin from, uint64_t address, unsigned alignment) {
  if (address != 0) {
    r.put(word_set::constant(static_cast<uint32_t>(address)));
    r.put(word_set::constant(static_cast<uint32_t>(address >> 32)));
    return;
  }
  r.put(scalar_word{word_set::aligned(alignment, 0), {from, false, 0}});
  r.put(scalar_word{word_set::any(), {from, true, 0}});
}

void set_user_registers(lane_state& s, const launch_facts& f) {
  const isa::kernel_descriptor& d = f.descriptor;
  const auto filler = [&](isa::user_sgpr u) { return register_filler(s, d.index_of(u)); };
  if (d.has(isa::user_sgpr::private_segment_buffer)) {
    // Device memory is handed out at multiples of 256 bytes, and addresses have 47 bits.
    const auto words = isa::private_segment_resource(0, 0);
    const auto most = isa::private_segment_resource((uint64_t{1} << 47) - 1, 0);
    register_filler r = filler(isa::user_sgpr::private_segment_buffer);
    r.put(word_set::aligned(8, 0));
    r.put(word_set::range(words[1], most[1]));
    r.put(word_set::any());
    r.put(word_set::constant(words[3]));
  }
  if (d.has(isa::user_sgpr::dispatch_ptr)) {
    register_filler r = filler(isa::user_sgpr::dispatch_ptr);
    put_pointer(r, relative_word::origin::packet, 0, 6);
  }
  if (d.has(isa::user_sgpr::kernarg_segment_ptr)) {
    register_filler r = filler(isa::user_sgpr::kernarg_segment_ptr);
    put_pointer(r, relative_word::origin::kernarg, f.kernarg_address, 6);
  }
}

void set_system_registers(lane_state& s, const launch_facts& f, const std::array<uint32_t, 3>& workgroup,
                          const std::array<uint32_t, 3>& grid, const wave_kind& of) {
  const isa::kernel_descriptor& d = f.descriptor;
  register_filler r(s, d.user_sgpr_count);
  for (unsigned k = 0; k < 3; ++k)
    if (d.workgroup_id[k])
      r.put(of.workgroup ? word_set::constant((*of.workgroup)[k]) : word_set::range(0, (grid[k] - 1) / workgroup[k]));
  if (d.workgroup_info) r.put(word_set::any());
  if (d.uses_scratch) r.put(word_set::aligned(8, 0));
}

}  // namespace

std::vector<wave_kind> wave_kinds(const launch_facts& facts) {
  const std::array<uint32_t, 3> workgroup = at_least_one(facts.workgroup), grid = at_least_one(facts.grid);
  uint64_t waves = 0;
  std::vector<std::array<uint32_t, 3>> groups;
  for (const uint32_t x : extents(workgroup[0], grid[0]))
    for (const uint32_t y : extents(workgroup[1], grid[1]))
      for (const uint32_t z : extents(workgroup[2], grid[2])) {
        groups.push_back({x, y, z});
        waves += product(groups.back()) / lanes_per_wave + 1;
      }
  if (waves > max_waves) return {unknown_ids(workgroup)};
  std::vector<wave_kind> kinds;
  for (const auto& extent : groups)
    for (uint64_t w = 0; w * lanes_per_wave < product(extent); ++w) {
      const wave_kind k = kind_of(facts, extent, w);
      if (std::none_of(kinds.begin(), kinds.end(), [&](wave_kind& known) { return take_in(known, k); }))
        kinds.push_back(k);
    }
  if (kinds.size() > max_kinds) return {unknown_ids(workgroup)};
  return kinds;
}

std::vector<wave_kind> each_wave(const launch_facts& facts, uint64_t most) {
  const std::array<uint32_t, 3> workgroup = at_least_one(facts.workgroup), grid = at_least_one(facts.grid);
  std::array<uint32_t, 3> groups;
  for (unsigned d = 0; d < 3; ++d) groups[d] = (grid[d] - 1) / workgroup[d] + 1;
  if (product(groups) > most || product(workgroup) > most * lanes_per_wave) return {};
  std::vector<wave_kind> waves;
  for (uint64_t g = 0; g < product(groups); ++g) {
    const std::array<uint32_t, 3> id{static_cast<uint32_t>(g % groups[0]),
                                     static_cast<uint32_t>(g / groups[0] % groups[1]),
                                     static_cast<uint32_t>(g / groups[0] / groups[1])};
    std::array<uint32_t, 3> extent;
    for (unsigned d = 0; d < 3; ++d) extent[d] = std::min(workgroup[d], grid[d] - id[d] * workgroup[d]);
    for (uint64_t w = 0; w * lanes_per_wave < product(extent); ++w) {
      if (waves.size() == most) return {};
      waves.push_back(kind_of(facts, extent, w));
      waves.back().workgroup = id;
    }
  }
  return waves;
}

lane_state initial_lane_state(const launch_facts& facts, const wave_kind& kind, unsigned vgprs) {
  lane_state s(std::max(vgprs, 3u), kind.lanes, kind.always);
  set_user_registers(s, facts);
  set_system_registers(s, facts, at_least_one(facts.workgroup), at_least_one(facts.grid), kind);
  for (unsigned d = 0; d < facts.descriptor.workitem_ids && d < 3; ++d)
    s.set_initial(d, kind.ids_known ? lane_value(kind.base[d], {}, kind.offset[d]) : lane_value::each_of(kind.base[d]));
  return s;
}

}  // namespace pws::wcet
