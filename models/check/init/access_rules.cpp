// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics: definedness goes to memory and comes back.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "models/check/init/init_checker.h"
#include "models/check/shadow/lanes.h"
#include "models/isa/predicates.h"

namespace pws::check::init {

namespace {

using isa::inst;
using isa::memory_access;
using isa::operation;

constexpr uint32_t most_bytes = 64;

bool is_signed_part(const inst& i) {
  return isa::data_type_of(i) == isa::data_type::i8 || isa::data_type_of(i) == isa::data_type::i16;
}
// Converts between memory and registers: the resource says how.
bool is_formatted(const inst& i) {
  const bool by_resource =
      i.native == isa::format::mubuf || i.native == isa::format::mtbuf || i.native == isa::format::mimg;
  return by_resource && isa::data_type_of(i) == isa::data_type::none;
}

bool any(const uint8_t* bits, uint32_t n) {
  return std::any_of(bits, bits + n, [](uint8_t b) { return b != 0; });
}

bool is_dwords(const memory_access& a) {
  return a.bytes_per_lane % 4 == 0 && a.bytes_per_lane >= 4 && a.bytes_per_lane <= 16;
}

// The pieces of a lane's access that lie side by side in memory; in scratch lanes lie side by side, dword by dword.
// f(address, position, bytes)
template <class F>
void each_piece(const isa::wave_state& s, uint64_t address, bool in_lds, uint32_t bytes, F f) {
  const uint64_t scratch = uint64_t{s.scratch_bytes_per_lane} * isa::wave_size;
  if (in_lds || address < s.scratch_base || address - s.scratch_base >= scratch) return f(address, 0u, bytes);
  constexpr uint64_t row = 4 * isa::wave_size;
  for (uint32_t done = 0; done < bytes;) {
    const auto room = static_cast<uint32_t>(4 - address % 4);
    const uint32_t n = std::min(room, bytes - done);
    f(address, done, n);
    done += n;
    address = address - address % 4 + row;
  }
}

}  // namespace

void init_checker::load_bytes(context& c, const isa::wave_state& s, uint64_t address, bool in_lds, uint32_t bytes,
                              uint8_t* bits) {
  each_piece(s, address, in_lds, bytes, [&](uint64_t at, uint32_t done, uint32_t n) {
    if (in_lds)
      c.lds->load(at, n, bits + done);
    else
      memory_.load(at, n, bits + done);
  });
}

void init_checker::store_bytes(context& c, const isa::wave_state& s, uint64_t address, bool in_lds, uint32_t bytes,
                               const uint8_t* bits, origin from) {
  each_piece(s, address, in_lds, bytes, [&](uint64_t at, uint32_t done, uint32_t n) {
    if (in_lds)
      c.lds->store(at, n, bits + done, from);
    else
      memory_.store(at, n, bits + done, from);
  });
}

// All of the pages that these lanes' accesses are in.
bool init_checker::memory_defined(const memory_access& a, uint64_t lanes) const {
  if (lanes == 0) return true;
  const uint64_t first = a.address[__builtin_ctzll(lanes)];
  if (lanes == ~uint64_t{0}) {  // mostly all lanes are in one piece of a page's size
    uint64_t differ = 0;
    for (int l = 0; l < isa::wave_size; ++l) differ |= a.address[l] ^ first;
    if (differ < memory_shadow::page_bytes) {
      const uint64_t low = first & ~(memory_shadow::page_bytes - 1);
      if (memory_.pages_defined(low, low + memory_shadow::page_bytes - 1 + a.bytes_per_lane)) return true;
    }
  }
  uint64_t low = ~uint64_t{0}, high = 0;
  for_each_lane(lanes, [&](unsigned l) {
    low = std::min(low, a.address[l]);
    high = std::max(high, a.address[l]);
  });
  constexpr uint64_t furthest = 16 * memory_shadow::page_bytes;
  return high - low < furthest && memory_.pages_defined(low, high + a.bytes_per_lane - 1);
}

// What these lanes find in LDS; false says nothing.
bool init_checker::lds_defined(const context& c, const memory_access& a, uint64_t lanes) const {
  if (lanes == 0) return true;
  if (!is_dwords(a)) return false;
  if (!c.lds->defined(a.address, 0, a.bytes_per_lane, lanes)) return false;
  return a.second_offset == 0 || c.lds->defined(a.address, a.second_offset, a.bytes_per_lane, lanes);
}

// These lanes store something defined to LDS. False: nothing was done.
bool init_checker::define_lds(context& c, const memory_access& a, uint64_t lanes) {
  if (!is_dwords(a)) return false;
  c.lds->define(a.address, 0, a.bytes_per_lane, lanes);
  if (a.second_offset != 0) c.lds->define(a.address, a.second_offset, a.bytes_per_lane, lanes);
  return true;
}

origin init_checker::memory_origin(context& c, const inst& i, uint64_t address, bool in_lds) {
  const origin stored = in_lds ? c.lds->from(address) : memory_.from(address);
  if (stored != 0) return stored;
  return origins_.of(at(c, i, 0), in_lds ? origin_table::kind::lds : origin_table::kind::memory, 0);
}

void init_checker::accessed(context& c, const isa::wave_state& s, const inst& i, const memory_access& a) {
  if (isa::exchanges_lanes(i)) return;
  if (i.unit == isa::unit::scalar_memory) return scalar_access(c, i, a);
  const operation o = isa::operation_of(i);
  if (i.vgpr_end > c.vectors->size()) return;
  if (a.where == memory_access::space::none) {
    define_results(c, i, s.active());
  } else if (a.is_atomic) {
    atomic(c, s, i, a);
  } else if (a.is_store) {
    store(c, s, i, a);
  } else if (i.native == isa::format::mimg) {
    load_image(c, i, a, s.active());
  } else if (o == operation::load) {
    load(c, s, i, a);
  } else {
    define_results(c, i, s.active());
  }
}

void init_checker::scalar_access(context& c, const inst& i, const memory_access& a) {
  if (a.mask == 0) {
    define_results(c, i, 0);
    return;
  }
  uint8_t bytes[most_bytes];
  if (a.is_store) {
    const isa::operand& data = i.src[1];
    const origin from = scalar_origin(c, i, data);
    std::memcpy(bytes, &c.scalars.bits[data.index], a.bytes_per_lane);
    memory_.store(a.address[0], a.bytes_per_lane, bytes, from);
    return;
  }
  define_results(c, i, 0);
  if (memory_.pages_defined(a.address[0], a.address[0] + a.bytes_per_lane - 1)) return;
  memory_.load(a.address[0], a.bytes_per_lane, bytes);
  for (uint32_t k = 0; k < a.bytes_per_lane / 4; ++k) {
    uint32_t bits;
    std::memcpy(&bits, bytes + 4 * k, sizeof bits);
    if (bits != 0 && i.dst.index + k < isa::exec_lo)
      c.scalars.set(i.dst.index + k, bits, memory_origin(c, i, a.address[0] + 4 * k, false));
  }
}

void init_checker::load(context& c, const isa::wave_state& s, const inst& i, const memory_access& a) {
  vector_shadow& v = *c.vectors;
  const bool all_in_lds = a.where == memory_access::space::lds;
  const bool has_dst = i.dst.kind == isa::operand_kind::vgpr;
  if (has_dst && !i.lds_bit)
    for (unsigned d = 0; d < i.dst.dwords; ++d) v.define(i.dst.index + d, s.active());  // out of range: 0
  const uint64_t in_lds = all_in_lds ? a.mask : a.in_lds, elsewhere = all_in_lds ? 0 : a.mask;
  const bool two = (i.row->flags & isa::double_access) != 0;
  if (!i.lds_bit && lds_defined(c, a, in_lds) && (elsewhere == 0 || memory_defined(a, elsewhere))) return;
  for_each_lane(in_lds | elsewhere, [&](unsigned lane) {
    const bool lds = (in_lds >> lane & 1) != 0;
    for (unsigned half = 0; half < (two ? 2u : 1u); ++half) {
      const uint64_t address = a.address[lane] + (half == 0 ? 0 : a.second_offset);
      const uint64_t at = lds ? static_cast<uint32_t>(address) : address;
      uint8_t bytes[most_bytes] = {};
      load_bytes(c, s, at, lds, a.bytes_per_lane, bytes);
      if (i.lds_bit) {
        const uint32_t to = (s.scalar[isa::m0] & 0xffff) + i.offset0 + 4 * lane;
        c.lds->store(to, 4, bytes, any(bytes, 4) ? memory_origin(c, i, at, lds) : 0);
        continue;
      }
      if (!any(bytes, a.bytes_per_lane)) continue;
      const origin from = memory_origin(c, i, at, lds);
      const unsigned rows = is_formatted(i) ? i.dst.dwords : std::max(1u, a.bytes_per_lane / 4);
      for (unsigned d = 0; d < rows; ++d) {
        uint32_t bits = ~uint32_t{0};
        if (!is_formatted(i)) {
          bits = 0;
          std::memcpy(&bits, bytes + 4 * d, std::min(4u, a.bytes_per_lane));
          const unsigned up = 32 - 8 * std::min(4u, a.bytes_per_lane);
          if (is_signed_part(i)) bits = static_cast<uint32_t>(static_cast<int32_t>(bits << up) >> up);
        }
        v.set(i.dst.index + half * rows + d, lane, bits, from);
      }
    }
  });
}

// All that a lane gets is made of all its texels, whatever their weights.
void init_checker::load_image(context& c, const inst& i, const memory_access& a, uint64_t active) {
  vector_shadow& v = *c.vectors;
  for (unsigned d = 0; d < i.dst.dwords; ++d) v.define(i.dst.index + d, active);
  const auto texels = [&](uint64_t lanes, const uint64_t* address) {
    for_each_lane(lanes, [&](unsigned lane) {
      const uint64_t at = address[lane];
      if (memory_.pages_defined(at, at + a.bytes_per_lane - 1)) return;
      uint8_t bytes[most_bytes] = {};
      memory_.load(at, a.bytes_per_lane, bytes);
      if (!any(bytes, a.bytes_per_lane)) return;
      const origin from = memory_origin(c, i, at, false);
      for (unsigned d = 0; d < i.dst.dwords; ++d) v.set(i.dst.index + d, lane, ~uint32_t{0}, from);
    });
  };
  texels(a.mask, a.address);
  for (unsigned k = 0; k < a.n_further; ++k) texels(a.further[k].mask, a.further[k].address);
}

void init_checker::store(context& c, const isa::wave_state& s, const inst& i, const memory_access& a) {
  const vector_shadow& v = *c.vectors;
  const bool all_in_lds = a.where == memory_access::space::lds;
  const uint64_t in_lds = all_in_lds ? a.mask : a.in_lds, elsewhere = all_in_lds ? 0 : a.mask;
  const bool two = (i.row->flags & isa::double_access) != 0;
  uint64_t undefined = 0;
  for (unsigned k = 1; k <= (two ? 2u : 1u); ++k)
    for (unsigned d = 0; d < i.src[k].dwords; ++d) undefined |= v.lanes(i.src[k].index + d);
  undefined &= in_lds | elsewhere;
  if (undefined == 0 && elsewhere == 0 && define_lds(c, a, in_lds)) return;
  if (undefined == 0 && in_lds == 0) {
    if (memory_defined(a, elsewhere)) return;
    const uint32_t bytes = a.bytes_per_lane;
    const auto step = [&](unsigned l) { return a.address[l] == a.address[0] + uint64_t{bytes} * l; };
    bool side_by_side = elsewhere == ~uint64_t{0};
    for (unsigned l = 1; l < isa::wave_size && side_by_side; ++l) side_by_side = step(l);
    if (side_by_side && bytes <= 4) return memory_.define(a.address[0], uint64_t{bytes} * isa::wave_size);
  }
  for (unsigned half = 0; half < (two ? 2u : 1u); ++half) {  // the first access of all lanes, then the second
    const isa::operand& data = i.src[1 + half];
    for_each_lane(in_lds | elsewhere, [&](unsigned lane) {
      const bool lds = (in_lds >> lane & 1) != 0;
      const uint64_t address = a.address[lane] + (half == 0 ? 0 : a.second_offset);
      uint8_t bytes[most_bytes] = {};
      origin from = 0;
      for (unsigned d = 0; d < data.dwords && (undefined >> lane & 1) != 0; ++d) {
        const uint32_t bits = v.bits(data.index + d, lane);
        std::memcpy(bytes + 4 * d, &bits, sizeof bits);
        if (bits != 0 && from == 0) from = vector_origin(c, i, data.index + d);
      }
      if (is_formatted(i) && from != 0) std::memset(bytes, 0xff, a.bytes_per_lane);
      store_bytes(c, s, lds ? static_cast<uint32_t>(address) : address, lds, a.bytes_per_lane, bytes, from);
    });
  }
}

// A lane after the other, as the machine does it. An exchange puts what it is given; any other result is undefined
// altogether if an operand is, in part.
void init_checker::atomic(context& c, const isa::wave_state& s, const inst& i, const memory_access& a) {
  vector_shadow& v = *c.vectors;
  const bool all_in_lds = a.where == memory_access::space::lds;
  const uint64_t in_lds = all_in_lds ? a.mask : a.in_lds, elsewhere = all_in_lds ? 0 : a.mask;
  const bool exchanges = isa::operation_of(i) == operation::exchange;
  const bool two = (i.row->flags & isa::double_access) != 0;
  const bool returns = i.dst.kind == isa::operand_kind::vgpr && (i.native == isa::format::ds || i.glc);
  uint64_t undefined = 0;
  for (unsigned k = 1; k <= 2; ++k)
    if (i.src[k].kind == isa::operand_kind::vgpr)
      for (unsigned d = 0; d < i.src[k].dwords; ++d) undefined |= v.lanes(i.src[k].index + d);
  if ((undefined & (in_lds | elsewhere)) == 0 && in_lds == 0 && memory_defined(a, elsewhere)) {
    if (returns) define_results(c, i, s.active());
    return;
  }
  const uint32_t bytes = a.bytes_per_lane;
  const bool counts = isa::operation_of(i) == operation::count_active_lanes;
  uint64_t counted = 0;
  origin counted_from = 0;
  for_each_lane(in_lds | elsewhere, [&](unsigned lane) {
    const bool lds = (in_lds >> lane & 1) != 0;
    for (unsigned half = 0; half < (two ? 2u : 1u); ++half) {
      const uint64_t wide = a.address[lane] + (half == 0 ? 0 : a.second_offset);
      const uint64_t address = lds ? static_cast<uint32_t>(wide) : wide;
      uint8_t old[most_bytes] = {}, fresh[most_bytes] = {};
      load_bytes(c, s, address, lds, bytes, old);
      uint32_t given[16] = {};
      origin from = 0;
      uint32_t some = 0;
      const auto add = [&](const isa::operand& o) {
        for (unsigned d = 0; o.kind == isa::operand_kind::vgpr && d < o.dwords; ++d) {
          const uint32_t bits = v.bits(o.index + d, lane);
          if (d < 16) given[d] = bits;
          some |= bits;
          if (bits != 0 && from == 0) from = vector_origin(c, i, o.index + d);
        }
      };
      add(i.src[1 + half]);
      if (!two && !exchanges && i.native == isa::format::ds) add(i.src[2]);
      const bool was_undefined = any(old, bytes);
      const origin old_from = was_undefined ? memory_origin(c, i, address, lds) : 0;
      if (exchanges) {
        std::memcpy(fresh, given, bytes);
      } else {
        if (was_undefined) from = old_from;
        if (was_undefined || some != 0) std::memset(fresh, 0xff, bytes);
      }
      if (counts && was_undefined) {
        counted = s.active();
        counted_from = old_from;
      }
      if (returns)
        for (unsigned d = 0; d < bytes / 4; ++d) {
          uint32_t bits;
          std::memcpy(&bits, old + 4 * d, sizeof bits);
          v.set(i.dst.index + half * (bytes / 4) + d, lane, bits, old_from);
        }
      store_bytes(c, s, address, lds, bytes, fresh, from);
    }
  });
  if (counts)
    for_each_lane(s.active(), [&](unsigned l) { v.set(i.dst.index, l, counted != 0 ? ~0u : 0, counted_from); });
}

}  // namespace pws::check::init
