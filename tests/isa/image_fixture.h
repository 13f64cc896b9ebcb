// SPDX-License-Identifier: Apache-2.0
// Images and samplers in the scalar registers of a memory bench, and image instructions on it.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>

#include "base/error.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/vector/half.h"
#include "tests/isa/memory_fixture.h"
#include "tests/isa/row_coverage.h"

namespace pws::isa::test {

inline const opcode_row& image_row(const std::string& mnemonic) {
  for (const opcode_row& r : image_rows())
    if (mnemonic == r.mnemonic) return r;
  throw std::runtime_error("no row " + mnemonic);
}

enum type_field : uint32_t { d1 = 8, d2, d3, cube, d1_array, d2_array };

struct image {
  uint32_t data_format = 4, numbers = 7;  // one float
  uint32_t type = d2;
  uint32_t width = 4, height = 4, depth = 1, pitch = 64;
  uint32_t first_layer = 0, last_layer = 0;
  uint32_t selection = 4 | 5 << 3 | 6 << 6 | 7 << 9;
  uint64_t base = memory_bench::data;
  uint32_t more_3 = 0, more_6 = 0;

  void put(memory_bench& b) const {
    uint32_t* w = &b.state.scalar[8];
    w[0] = static_cast<uint32_t>(base >> 8);
    w[1] = static_cast<uint32_t>(base >> 40) | data_format << 20 | numbers << 26;
    w[2] = (width - 1) | (height - 1) << 14;
    w[3] = selection | 8u << 20 | type << 28 | more_3;
    w[4] = (depth - 1) | (pitch - 1) << 13;
    w[5] = first_layer | last_layer << 13;
    w[6] = more_6;
    w[7] = 0;
  }
};
struct sampler {
  uint32_t clamp = 2, filter = 0, z_filter = 1;
  bool unnormalized = true;
  uint32_t border = 0;
  uint32_t more_0 = 1u << 28;  // no filters over a cube's edges

  void put(memory_bench& b) const {
    uint32_t* w = &b.state.scalar[16];
    w[0] = clamp | clamp << 3 | clamp << 6 | (unnormalized ? 1u << 15 : 0) | more_0;
    w[1] = 0xfffu << 12;
    w[2] = filter << 20 | filter << 22 | z_filter << 24;
    w[3] = border << 30;
  }
};

constexpr unsigned result = 40;

// Executes it with its address from v0 on.
inline void execute(memory_bench& b, const char* mnemonic, uint32_t dmask = 1, bool array = false) {
  const opcode_row& r = image_row(mnemonic);
  note_executed(r);
  b.execute({0xf0000000u | uint32_t{r.opcode} << 18 | dmask << 8 | (array ? 1u << 14 : 0),
             ((r.flags & samples) != 0 ? 4u << 21 : 0) | 2u << 16 | result << 8});
}
inline void set(memory_bench& b, unsigned row, int lane, float v) {
  b.vgprs[row].lane[lane] = bit_cast<uint32_t>(v);
}
inline float got(const memory_bench& b, int lane, unsigned row = result) {
  return bit_cast<float>(b.vgprs[row].lane[lane]);
}
inline void put_float(memory_bench& b, uint32_t index, float v) {
  std::memcpy(b.host(memory_bench::data + 4 * index), &v, sizeof v);
}
// The texel at (x, y, z): x + 10 y + 100 z.
inline void fill(memory_bench& b, const image& i) {
  const uint32_t planes = std::max(i.depth, i.last_layer + 1);
  for (uint32_t z = 0; z < planes; ++z)
    for (uint32_t y = 0; y < i.height; ++y)
      for (uint32_t x = 0; x < i.width; ++x)
        put_float(b, (z * i.height + y) * i.pitch + x, static_cast<float>(x + 10 * y + 100 * z));
}
inline std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const program_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace pws::isa::test
