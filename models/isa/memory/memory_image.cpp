// SPDX-License-Identifier: Apache-2.0
#include "models/isa/memory/memory_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "models/isa/host_fp.h"
#include "models/isa/memory/image_resource.h"
#include "models/isa/memory/image_taps.h"
#include "models/isa/memory/image_texels.h"
#include "models/isa/memory/memory_lanes.h"
#include "models/isa/opcode_row.h"
#include "models/isa/vector/half.h"

namespace pws::isa {

namespace {

// The registers of an instruction's address.
class address_rows {
 public:
  address_rows(const wave_state& s, const inst& i, const image_resource& r) : first_(&s.vgpr[i.src[0].index]) {
    const unsigned derivatives = has_derivatives(i) ? 2 * r.axes() : 0;
    const unsigned n = derivatives + r.coordinates() + (names_level(i) ? 1 : 0);
    if (i.src[0].index + n > s.n_vgprs)
      throw program_error(
          fmt::format("{}: its address is v[{}:{}], and the kernel descriptor asks for {} vector registers",
                      i.row->mnemonic, i.src[0].index, i.src[0].index + n - 1, s.n_vgprs));
    first_ += derivatives;
    axes_ = r.axes();
    layer_ = r.layered() ? first_ + axes_ : nullptr;
    level_ = names_level(i) ? first_ + r.coordinates() : nullptr;
  }
  bool has_layer() const { return layer_ != nullptr; }
  bool has_level() const { return level_ != nullptr; }
  unsigned axes() const { return axes_; }
  uint32_t axis(unsigned n, int lane) const { return first_[n].lane[lane]; }
  uint32_t layer(int lane) const { return layer_->lane[lane]; }
  uint32_t level(int lane) const { return level_ == nullptr ? 0 : level_->lane[lane]; }

 private:
  const vgpr_row* first_;
  unsigned axes_;
  const vgpr_row* layer_;
  const vgpr_row* level_;
};

// Calls f(register, component) for the components that dmask names.
template <class F>
void each_component(const inst& i, F f) {
  unsigned at = 0;
  for (unsigned c = 0; c < 4; ++c)
    if ((image_fields_of(i).dmask >> c & 1) != 0) f(at++, c);
}

// Where an unfiltered access of a lane is; false: outside of the image.
bool texel_of(const image_resource& r, const address_rows& a, int lane, uint32_t (&at)[3]) {
  const uint32_t sizes[3] = {r.width, r.height, r.depth};
  bool inside = a.level(lane) == 0;
  at[1] = at[2] = 0;
  for (unsigned n = 0; n < a.axes(); ++n) {
    at[n] = a.axis(n, lane);
    inside = inside && at[n] < sizes[n];
  }
  if (a.has_layer()) {
    at[2] = a.layer(lane) + r.first_layer;
    inside = inside && a.layer(lane) < r.n_layers;
  }
  return inside;
}

// The axes and what becomes of texels outside of them, for samples and gathers.
class footprint {
 public:
  footprint(const inst& i, const image_resource& r, const image_sampler& m, const image_texels& texels, bool gathers)
      : r_(r), m_(m), texels_(texels), mnemonic_(i.row->mnemonic), gathers_(gathers) {
    const uint32_t sizes[3] = {r.width, r.height, r.depth};
    for (unsigned n = 0; n < 3; ++n) axes_[n] = {sizes[n], m.address[n], m.unnormalized, false, m.truncates};
    for (unsigned c = 0; c < 4; ++c) {
      const float b = m.border[c];
      border_[c] = r.format.is_integer() ? static_cast<uint32_t>(b) : bit_cast<uint32_t>(b);
    }
  }

  // `minifies`: the level of detail is above 0.
  void filter_by(bool minifies, unsigned n_axes) {
    for (unsigned n = 0; n < n_axes; ++n)
      axes_[n].linear = gathers_ || (n == 2 ? m_.linear_z : m_.linear_xy[minifies ? 1 : 0]);
    if ((axes_[0].linear || axes_[2].linear) && !gathers_ && r_.format.is_integer())
      throw program_error(fmt::format("{}: unimplemented: a linear filter of integers", mnemonic_));
  }
  void look_at(const address_rows& a, int lane) {
    lane_ = lane;
    for (unsigned n = 0; n < a.axes(); ++n) taps_[n] = axes_[n].at(bit_cast<float>(a.axis(n, lane)));
    layer_ = a.has_layer() ? sampled_layer(r_, bit_cast<float>(a.layer(lane))) : 0;
    if (r_.kind == image_resource::dimension::cube && m_.cube_wraps && axes_[0].linear) refuse_edges(a, lane);
  }
  // The texel of these taps (bit 0: of x, bit 1: y, bit 2: z), or the border colour.
  void read(unsigned k, unsigned part, uint32_t (&component)[4]) const {
    const uint32_t x = taps_[0].index[k & 1], y = taps_[1].index[k >> 1 & 1], z = taps_[2].index[k >> 2];
    if (x == axis_taps::outside || y == axis_taps::outside || z == axis_taps::outside)
      std::copy(std::begin(border_), std::end(border_), component);
    else
      texels_.read(texels_.address_of(x, y, r_.layered() ? layer_ : z), part, lane_, component);
  }
  const axis_taps& taps(unsigned n) const { return taps_[n]; }

 private:
  // Over its edges a cube's filter takes texels of another face, which is not done here.
  void refuse_edges(const address_rows& a, int lane) const {
    for (unsigned n = 0; n < 2; ++n) {
      const double u = static_cast<double>(bit_cast<float>(a.axis(n, lane))) * r_.width;
      if (!(u >= 0.5 && u <= r_.width - 0.5))
        throw program_error(fmt::format("{}: unimplemented: a linear filter over a cube's edge", mnemonic_), lane);
    }
  }

  const image_resource& r_;
  const image_sampler& m_;
  const image_texels& texels_;
  const char* mnemonic_;
  bool gathers_;
  sampled_axis axes_[3];
  axis_taps taps_[3];
  uint32_t border_[4];
  uint32_t layer_ = 0;
  int lane_ = 0;
};

// The weighted sum of the footprint's texels.
void filtered(const footprint& f, uint32_t (&result)[4]) {
  const axis_taps &x = f.taps(0), &y = f.taps(1), &z = f.taps(2);
  if (x.n * y.n * z.n == 1) return f.read(0, 0, result);
  double sum[4] = {};
  unsigned part = 0;
  for (unsigned c = 0; c < z.n; ++c)
    for (unsigned b = 0; b < y.n; ++b)
      for (unsigned a = 0; a < x.n; ++a) {
        const auto weight = [](const axis_taps& t, unsigned k) {
          return t.n == 1 ? 1.0 : (k == 1 ? t.weight : 256 - t.weight) / 256.0;
        };
        uint32_t texel[4];
        f.read(a | b << 1 | c << 2, part++, texel);
        const double w = weight(x, a) * weight(y, b) * weight(z, c);
        // What has no weight does not count, even where it is no number.
        for (unsigned k = 0; k < 4 && w != 0; ++k) sum[k] += w * static_cast<double>(bit_cast<float>(texel[k]));
      }
  for (unsigned k = 0; k < 4; ++k) result[k] = bit_cast<uint32_t>(static_cast<float>(sum[k]));
}

// True if a sample's level of detail is above 0, where that matters.
bool minifies(const inst& i, const image_sampler& m, const address_rows& a, int lane) {
  if (m.linear_xy[0] == m.linear_xy[1]) return false;
  constexpr unsigned sample_lz = 0x27;
  if (!a.has_level() && i.row->opcode != sample_lz)
    throw program_error(fmt::format("{}: unimplemented: a level of detail made of derivatives, for filters that differ",
                                    i.row->mnemonic));
  const float level = a.has_level() ? bit_cast<float>(a.level(lane)) : 0.0f;
  return std::min(std::max(level, m.lowest_level), m.highest_level) > 0.0f;
}

}  // namespace

void image_load(wave_state& s, const inst& i) {
  const image_resource r = image_resource::from(s, i);
  const address_rows rows(s, i, r);
  const image_texels texels(s, r, false, true);
  host_fp::want(*s.host_csr, host_fp::nearest);
  const uint32_t absent_w = r.format.is_integer() ? 1 : bit_cast<uint32_t>(1.0f);
  for_each_lane(s.active(), [&](int l) {
    uint32_t at[3];
    uint32_t component[4] = {0, 0, 0, r.format.components == 4 ? 0 : absent_w};
    if (texel_of(r, rows, l, at)) texels.read(texels.address_of(at[0], at[1], at[2]), 0, l, component);
    each_component(
        i, [&](unsigned n, unsigned c) { s.vgpr[i.dst.index + n].lane[l] = selected(r, r.dst_sel[c], component); });
  });
}

void image_store(wave_state& s, const inst& i) {
  const image_resource r = image_resource::from(s, i);
  if (r.srgb) throw program_error(fmt::format("{}: unimplemented: stores of sRGB", i.row->mnemonic));
  const address_rows rows(s, i, r);
  const image_texels texels(s, r, true, false);
  host_fp::want(*s.host_csr, host_fp::nearest);
  for_each_lane(s.active(), [&](int l) {
    uint32_t at[3];
    if (!texel_of(r, rows, l, at)) return;
    uint32_t component[4] = {};
    // If several registers go to the same component, the first one counts.
    bool given[4] = {};
    each_component(i, [&](unsigned n, unsigned c) {
      const unsigned select = r.dst_sel[c];
      if (select < 4 || given[select - 4]) return;
      given[select - 4] = true;
      component[select - 4] = s.vgpr[i.src[1].index + n].lane[l];
    });
    texels.write(texels.address_of(at[0], at[1], at[2]), l, component);
  });
}

void image_sample(wave_state& s, const inst& i) {
  const image_resource r = image_resource::from(s, i);
  const image_sampler m = image_sampler::from(s, i);
  const address_rows rows(s, i, r);
  const image_texels texels(s, r, false, true);
  footprint f(i, r, m, texels, false);
  host_fp::want(*s.host_csr, host_fp::nearest);
  for_each_lane(s.active(), [&](int l) {
    f.filter_by(minifies(i, m, rows, l), r.axes());
    f.look_at(rows, l);
    uint32_t component[4];
    filtered(f, component);
    each_component(
        i, [&](unsigned n, unsigned c) { s.vgpr[i.dst.index + n].lane[l] = selected(r, r.dst_sel[c], component); });
  });
}

void image_gather4(wave_state& s, const inst& i) {
  const image_resource r = image_resource::from(s, i);
  if (r.axes() != 2) throw program_error(fmt::format("{} of an image of {} axes", i.row->mnemonic, r.axes()));
  const image_sampler m = image_sampler::from(s, i);
  const address_rows rows(s, i, r);
  const image_texels texels(s, r, false, true);
  footprint f(i, r, m, texels, true);
  f.filter_by(false, r.axes());
  host_fp::want(*s.host_csr, host_fp::nearest);
  const unsigned select = r.dst_sel[__builtin_ctz(image_fields_of(i).dmask)];
  for_each_lane(s.active(), [&](int l) {
    f.look_at(rows, l);
    constexpr unsigned order[4] = {2, 3, 1, 0};
    for (unsigned n = 0; n < 4; ++n) {
      uint32_t component[4];
      f.read(order[n], n, component);
      s.vgpr[i.dst.index + n].lane[l] = selected(r, select, component);
    }
  });
}

void image_get_resinfo(wave_state& s, const inst& i) {
  const image_resource r = image_resource::from(s, i);
  if (s.access != nullptr) s.access->touches_nothing();
  const uint32_t info[4] = {r.width, r.height, r.layered() ? r.n_layers : r.depth, 1};
  const vgpr_row level = s.vgpr[i.src[0].index];
  for_each_lane(s.active(), [&](int l) {
    each_component(i,
                   [&](unsigned n, unsigned c) { s.vgpr[i.dst.index + n].lane[l] = level.lane[l] == 0 ? info[c] : 0; });
  });
}

}  // namespace pws::isa
