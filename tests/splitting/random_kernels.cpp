// SPDX-License-Identifier: Apache-2.0
#include "tests/splitting/random_kernels.h"

#include <fmt/format.h>

#include <random>

namespace pws::test {

word_source::word_source(uint64_t seed) {
  std::mt19937_64 random(seed * 2 + 1);
  multiplier_ = static_cast<uint32_t>(random()) | 1;
  offset_ = static_cast<uint32_t>(random());
  if (random() % 4 == 0) by_bit_ = static_cast<int>(random() % 7);
}

work_item_words word_source::of(uint32_t work_item) const {
  uint32_t x = work_item * multiplier_ + offset_;
  x ^= x >> 15;
  x *= multiplier_;
  x ^= x >> 13;
  work_item_words w{x, x * multiplier_};
  if (by_bit_ >= 0) w.conditions = ((work_item >> by_bit_ & 1) != 0 ? ~uint32_t{0} : 0) ^ offset_;
  return w;
}

std::string word_source::code(const registers& to) const {
  const unsigned x = to.conditions, shifted = to.scratch;
  std::string text;
  const auto line = [&text](const std::string& l) { text += "  " + l + "\n"; };
  line(fmt::format("s_mov_b32 s43, 0x{:x}", multiplier_));
  line(fmt::format("s_mov_b32 s44, 0x{:x}", offset_));
  line(fmt::format("v_mul_lo_u32 v{}, v0, s43", x));
  line(fmt::format("v_add_u32 v{0}, vcc, s44, v{0}", x));
  line(fmt::format("v_lshrrev_b32 v{}, 15, v{}", shifted, x));
  line(fmt::format("v_xor_b32 v{0}, v{0}, v{1}", x, shifted));
  line(fmt::format("v_mul_lo_u32 v{0}, v{0}, s43", x));
  line(fmt::format("v_lshrrev_b32 v{}, 13, v{}", shifted, x));
  line(fmt::format("v_xor_b32 v{0}, v{0}, v{1}", x, shifted));
  line(fmt::format("v_mul_lo_u32 v{}, v{}, s43", to.trips, x));
  if (by_bit_ >= 0) {
    line(fmt::format("v_bfe_i32 v{}, v0, {}, 1", x, by_bit_));
    line(fmt::format("v_xor_b32 v{0}, s44, v{0}", x));
  }
  return text;
}

std::string labelled(const std::vector<code_line>& lines, const std::string& name) {
  std::vector<bool> targets(lines.size() + 1, false);
  for (const code_line& l : lines)
    if (l.target) targets[*l.target] = true;
  std::string text;
  for (size_t k = 0; k <= lines.size(); ++k) {
    if (targets[k]) text += fmt::format("{}_{}:\n", name, k);
    if (k == lines.size()) break;
    text += "  " + lines[k].text + (lines[k].target ? fmt::format(" {}_{}\n", name, *lines[k].target) : "\n");
  }
  return text;
}

std::string kernels_without_arguments(const std::vector<std::string>& code, unsigned alignment) {
  std::string text, descriptors, metadata;
  for (size_t k = 0; k < code.size(); ++k) {
    const std::string name = "k" + std::to_string(k);
    text += fmt::format(
        ".text\n.globl {0}\n.balign {1}\n.type {0},@function\n{0}:\n{2}.L{0}_end:\n  .size {0}, "
        ".L{0}_end-{0}\n",
        name, alignment, code[k]);
    descriptors += fmt::format(
        ".p2align 6\n.amdhsa_kernel {}\n  .amdhsa_next_free_vgpr 20\n  .amdhsa_next_free_sgpr 64\n"
        ".end_amdhsa_kernel\n",
        name);
    metadata += fmt::format(
        "  - .name: {0}\n    .symbol: {0}.kd\n    .kernarg_segment_size: 0\n    .kernarg_segment_align: 8\n"
        "    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n"
        "    .sgpr_count: 64\n    .vgpr_count: 20\n    .max_flat_workgroup_size: 256\n",
        name);
  }
  return text + ".rodata\n" + descriptors + ".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n" +
         metadata + "...\n.end_amdgpu_metadata\n";
}

}  // namespace pws::test
