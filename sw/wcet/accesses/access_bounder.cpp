// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/accesses/access_bounder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/popcount.h"
#include "models/isa/abi/aql.h"
#include "models/isa/predicates.h"
#include "sw/wcet/accesses/access_count.h"
#include "sw/wcet/lanes/lane_transfer.h"

namespace pws::wcet {

namespace {

// Bytes that one lane moves at one address.
access_size size_of(const isa::inst& i) {
  constexpr unsigned most_bytes = 16;  // where the resource says how many
  access_size s;
  s.aligned = i.native == isa::format::ds || is_vector_memory_atomic(i);
  s.bytes = data_type_of(i) == isa::data_type::none ? most_bytes : bytes_of(data_type_of(i));
  return s;
}

// --- In words --------------------------------------------------------------------------------------

std::string pattern_text(const lane_value& low, uint64_t lanes, uint32_t bytes) {
  if (low.relation().classes > 1) return low.relation().ordered() ? "in order, in pieces" : "in parts";
  const unsigned first = lanes == 0 ? 0 : static_cast<unsigned>(__builtin_ctzll(lanes));
  const auto is_run = [&](uint32_t step) {
    for (unsigned l = first; l < lanes_per_wave; ++l)
      if ((lanes >> l & 1) != 0 && low.offset(l) - low.offset(first) != step * (l - first)) return false;
    return true;
  };
  const uint32_t step = low.offset(std::min(first + 1, lanes_per_wave - 1)) - low.offset(first);
  if (is_run(0)) return "one address";
  if (is_run(bytes)) return "contiguous";
  if (is_run(step)) return fmt::format("{} bytes apart", static_cast<int32_t>(step));
  return "a fixed pattern";
}

std::string text_of(const lane_value& low, uint64_t lanes, uint32_t bytes, const access_count& c) {
  if (!c.exact_pattern) return fmt::format("{} lanes x {} bytes, addresses not known", popcount(lanes), bytes);
  // The alignment of the first lane that is there, or of all of them if their bases differ.
  unsigned aligned = low.base().known;
  for (uint64_t m = lanes; m != 0; m &= m - 1) {
    aligned = std::min(aligned, trailing_zeros(low.low_bits(static_cast<unsigned>(__builtin_ctzll(m)))));
    if (low.relation().uniform()) break;
  }
  return fmt::format("{} lanes x {} bytes, {}, {}-byte aligned", popcount(lanes), bytes,
                     pattern_text(low, lanes, bytes), 1u << std::min(aligned, 12u));
}

// What all lanes' addresses are multiples of.
uint32_t alignment_of(const lane_value& low, uint64_t lanes) {
  unsigned aligned = std::min<unsigned>(low.base().known, 12);
  for (uint64_t m = lanes; m != 0; m &= m - 1)
    aligned = std::min(aligned, trailing_zeros(low.low_bits(static_cast<unsigned>(__builtin_ctzll(m)))));
  return 1u << aligned;
}

std::string places_text(const lane_cover& c, const lane_value& low, uint64_t lanes, uint32_t bytes) {
  const cover_size& s = c.sizes().front();
  return fmt::format("{} lanes x {} bytes, in {} pieces of {} bytes together, {}-byte aligned", popcount(lanes), bytes,
                     s.arcs, s.total + uint64_t{s.arcs} * bytes, alignment_of(low, lanes));
}

// The private segment: dwords of the 64 lanes side by side.
bool is_private(const lane_state& s, unsigned resource) {
  const auto expected = isa::private_segment_resource(0, 0);
  const word_set words1 = s.scalar(resource + 1).value, words3 = s.scalar(resource + 3).value;
  constexpr uint32_t address_bits = 0xffff;
  return words3.is_constant() && words3.start == expected[3] && !words1.wraps() && words1.lowest() >= expected[1] &&
         words1.highest() <= (expected[1] | address_bits);
}

}  // namespace

access_bounder::access_bounder(const memory_shape& m, const launch_facts& facts)
    : m_(m), apertures_(facts.apertures), buffers_(&facts.buffers) {
  // What a wavefront does not have it cannot reach: the program stops.
  const isa::kernel_descriptor& d = facts.descriptor;
  has_scratch_ = d.private_segment_bytes != 0 || d.uses_scratch || d.dynamic_stack;
  isa::kernel_dispatch_packet packet;
  if (facts.dispatch_packet.size() < sizeof packet) return;
  std::memcpy(&packet, facts.dispatch_packet.data(), sizeof packet);
  has_scratch_ = packet.private_segment_size != 0;
  has_lds_ = packet.group_segment_size != 0;
  lds_words_ = (packet.group_segment_size + 3) / 4;
}

access_bound access_bounder::of(const isa::inst& i, const lane_state& s) const {
  switch (i.native) {
    case isa::format::smem:
      return scalar(i, s);
    case isa::format::flat:
      return flat(i, s);
    case isa::format::mubuf:
    case isa::format::mtbuf:
      return buffer(i, s);
    case isa::format::mimg:
      return image(i, s);
    case isa::format::ds:
      return local(i, s);
    default:
      return {};
  }
}

buffer_set access_bounder::buffers_of(const isa::inst& i, const lane_state& s) {
  return i.native == isa::format::flat ? s.vector_buffers(i.src[0].index) : 0;
}

void access_bounder::limit(access_bound& b, buffer_set within) const {
  uint64_t lines = 0, bytes = 0;
  unsigned n = 0;
  for (size_t k = 0; k < buffers_->size() && k < max_buffers; ++k) {
    if ((within >> k & 1) == 0) continue;
    const device_buffer& d = (*buffers_)[k];
    lines += (d.end - 1) / m_.line_bytes - d.begin / m_.line_bytes + 1;
    bytes += d.end - d.begin;
    ++n;
  }
  if (n == 0 || (lines >= b.lines && b.lds_passes == 0)) return;
  b.lines = static_cast<uint32_t>(std::min<uint64_t>(b.lines, lines));
  b.lds_passes = 0;
  b.within = within;
  b.why += n == 1 ? fmt::format(", in a buffer of {} bytes", bytes)
                  : fmt::format(", in {} buffers of {} bytes together", n, bytes);
}

access_bound access_bounder::scalar(const isa::inst& i, const lane_state& s) const {
  if (operation_of(i) == isa::operation::read_clock) return {};
  const uint32_t bytes = bytes_of(data_type_of(i));
  const word_set offset = i.imm_offset ? word_set::constant(i.offset0) : scalar_source(s, i.src[3]);
  const word_set low = scalar_source(s, i.src[0]) + offset;
  access_bound b;
  b.lines = count_scalar_lines(low, bytes, m_.line_bytes);
  b.exact_pattern = true;
  const unsigned aligned = std::max(2u, std::min<unsigned>(low.known, trailing_zeros(low.residue)));
  b.why = fmt::format("{} bytes, {}-byte aligned", bytes, 1u << std::min(aligned, 12u));
  return b;
}

access_bound access_bounder::flat(const isa::inst& i, const lane_state& s) const {
  const lane_value &low = s.vector(i.src[0].index), &high = s.vector(i.src[0].index + 1u);
  const access_size size = size_of(i);
  const uint64_t lanes = s.lanes();
  const word_set upper = high.anywhere();
  const bool to_lds = has_lds_ && upper.contains(apertures_.lds);
  const bool to_scratch = has_scratch_ && upper.contains(apertures_.scratch);
  access_bound b;
  access_count lines;
  lane_value offset = low;  // in LDS
  if (to_scratch)
    lines = {most_lines(low, lanes, size, m_.line_bytes), false};
  else if (!to_lds || !upper.is_constant())
    lines = count_lines(low, high, lanes, size, m_.line_bytes);
  if (const auto wide = s.wide(i.src[0].index); wide && lanes != 0) {
    const auto first = static_cast<unsigned>(__builtin_ctzll(lanes));
    std::array<uint32_t, lanes_per_wave> apart;
    for (unsigned l = 0; l < lanes_per_wave; ++l) apart[l] = static_cast<uint32_t>((*wide)[l] - (*wide)[first]);
    offset = {word_set::aligned(low.base().known, low.low_bits(first)), {}, apart};
    const uint32_t at_distances = count_lines(*wide, low.in_lane(first), lanes, size, m_.line_bytes);
    if (!to_scratch && at_distances <= lines.most) lines = {at_distances, true};
  }
  const lane_cover places = s.wide_cover(i.src[0].index);
  const uint32_t together = lines_of(places, size.bytes, alignment_of(low, lanes), m_.line_bytes);
  const bool in_places = !to_scratch && together < lines.most;
  if (in_places) lines = {together, true};
  b.lines = lines.most;
  b.exact_pattern = lines.exact_pattern;
  b.why = in_places ? places_text(places, low, lanes, size.bytes)
                    : text_of(lines.exact_pattern && !to_scratch && !low.relation().uniform() ? offset : low, lanes,
                              size.bytes, lines);
  if (to_lds) {
    const access_size unaligned{size.bytes, false};
    const access_count as_they_are = count_passes(low, lanes, unaligned, m_.lds_banks, lds_words_);
    const access_count passes = count_passes(offset, lanes, unaligned, m_.lds_banks, lds_words_);
    b.lds_passes = std::min(passes.most, as_they_are.most);
    b.exact_pattern = b.exact_pattern && (passes.exact_pattern || as_they_are.exact_pattern);
    b.why += upper.is_constant() ? ", LDS" : ", perhaps LDS";
  }
  if (to_scratch) b.why += ", perhaps scratch";
  return b;
}

// The resource is not known. Texels do not straddle lines: their sizes are powers of two, and images begin at multiples
// of 256 bytes. A filter reads two texels for each axis that the image may have.
access_bound access_bounder::image(const isa::inst& i, const lane_state& s) const {
  access_bound b;
  if (operation_of(i) != isa::operation::load && operation_of(i) != isa::operation::store) return b;
  const unsigned texels = isa::most_texels(i);
  const uint64_t lanes = s.lanes();
  b.lines = popcount(lanes) * texels;
  b.why = fmt::format("{} lanes x {} texel{}, addresses not known", popcount(lanes), texels, texels == 1 ? "" : "s");
  return b;
}

access_bound access_bounder::buffer(const isa::inst& i, const lane_state& s) const {
  const access_size size = size_of(i);
  const uint64_t lanes = s.lanes();
  access_bound b;
  b.why = fmt::format("{} lanes x {} bytes, addresses not known", popcount(lanes), size.bytes);
  b.lines = most_lines(lane_value::unknown(), lanes, size, m_.line_bytes);
  if (i.idxen || !is_private(s, i.src[2].index)) return b;
  const lane_value offset = i.offen ? s.vector(i.src[0].index) : lane_value::constant(0);
  const word_set base = s.scalar(i.src[2].index).value + scalar_source(s, i.src[3]);
  std::array<uint32_t, lanes_per_wave> place;
  for (unsigned l = 0; l < lanes_per_wave; ++l) place[l] = 4 * l;
  // Lanes with one private address have dwords side by side; different private addresses lie apart by multiples of
  // 256 bytes and up to 3 bytes.
  const word_set within = (offset.anywhere() + word_set::constant(i.offset0));
  word_set dword{0, 3, within.residue & 3, std::min<uint8_t>(within.known, 2)};
  dword = within.known >= 2 ? word_set::constant(within.residue & 3) : dword.reduced();
  const word_set rows = word_set::aligned(8, 0);
  const lane_value low(base + rows + dword, offset.equality(), place);
  const access_count lines = count_lines(low, lane_value::constant(0), lanes, {size.bytes, false}, m_.line_bytes);
  b.lines = std::min(b.lines, lines.most);
  b.exact_pattern = lines.exact_pattern;
  b.why = fmt::format("{} lanes x {} bytes, scratch{}", popcount(lanes), size.bytes,
                      offset.equality().uniform() ? "" : ", private addresses differ");
  return b;
}

access_bound access_bounder::local(const isa::inst& i, const lane_state& s) const {
  if (exchanges_lanes(i) || operation_of(i) == isa::operation::lds_nop) return {};
  if (operation_of(i) == isa::operation::grid_barrier)
    throw input_error(
        fmt::format("ds_gws_barrier at {:#x} has no bound: it waits for all workgroups of the grid", i.pc));
  const access_size size = size_of(i);
  access_bound b;
  b.exact_pattern = true;
  if (operation_of(i) == isa::operation::count_active_lanes) {
    b.lds_passes = 1;
    b.why = "one lane";
    return b;
  }
  lane_value offset = s.vector(i.src[0].index);
  const bool two = (i.row->flags & isa::double_access) != 0;
  if (operation_of(i) == isa::operation::atomic_from_lds)
    offset = lane_value::unknown();
  else if (!two)
    offset = offset + lane_value::constant(i.offset0);
  const access_count passes = count_passes(offset, s.lanes(), size, m_.lds_banks, lds_words_);
  b.lds_passes = passes.most * (two && i.offset0 != i.offset1 ? 2 : 1);
  b.exact_pattern = passes.exact_pattern;
  b.why = text_of(offset, s.lanes(), size.bytes, passes);
  if (two) b.why += ", twice";
  return b;
}

}  // namespace pws::wcet
