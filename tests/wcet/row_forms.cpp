// SPDX-License-Identifier: Apache-2.0
#include "tests/wcet/row_forms.h"

#include "base/error.h"
#include "models/isa/code/alu_words.h"
#include "models/isa/code/source_field.h"

namespace pws::test {

namespace {

using encoding = row_form::encoding;
namespace field = isa::field;

bool has(const isa::opcode_row& row, uint32_t flag) {
  return (row.flags & flag) != 0;
}
bool is_vector(isa::format f) {
  return f == isa::format::vop1 || f == isa::format::vop2 || f == isa::format::vop3 || f == isa::format::vopc;
}
bool is_scalar(isa::format f) {
  return f <= isa::format::sopp;
}

// Where the memory instructions find what they need.
constexpr uint32_t flat_address = 0, lds_address = 2, resource = 8, sampler = 4, smem_base = 2;

// A run of scalar registers that may be written: ordinary ones, and each special one.
uint32_t scalar_dst(unsigned dwords, random_source& r) {
  constexpr uint32_t pairs[] = {field::vcc, field::exec, field::flat_scratch, field::xnack_mask,
                                field::tba, field::tma,  field::ttmp};
  constexpr uint32_t singles[] = {field::vcc,  field::vcc + 1,  field::m0,   field::exec,
                                  field::exec, field::exec + 1, field::ttmp, field::flat_scratch};
  if (dwords > 2) return 4 * r.below((n_sgprs - dwords) / 4 + 1);
  if (r.one_in(2)) return dwords == 2 ? pairs[r.one_in(2) ? r.below(2) : r.below(7)] : singles[r.below(8)];
  return dwords == 2 ? 2 * r.below(n_sgprs / 2) : r.below(n_sgprs);
}
uint32_t scalar_src(unsigned dwords, random_source& r) {
  switch (r.below(6)) {
    case 0:
      return field::zero + r.below(81);
    case 1:
      return field::half + r.below(9);
    case 2:
      return field::vccz + r.below(3);
    default:
      return scalar_dst(dwords == 0 ? 1 : dwords, r);
  }
}
uint32_t vgpr(unsigned dwords, random_source& r) {
  return r.below(n_vgprs - std::max(dwords, 1u) + 1);
}

std::vector<uint32_t> scalar_words(const row_form& f, random_source& r) {
  const isa::opcode_row& row = *f.row;
  const auto source = [&](unsigned n) { return scalar_src(isa::dwords_of(row.src[n]), r); };
  const bool is_setreg = row.means.does == isa::operation::set_hardware_register ||
                         row.means.does == isa::operation::get_hardware_register;
  uint32_t simm = row.unit == isa::unit::branch ? 0 : r.number() & 0xffff;
  if (is_setreg) simm = (r.one_in(2) ? 1 : 1 + r.below(6)) | r.below(32) << 6 | r.below(32) << 11;
  uint32_t src0 = source(0), src1 = source(1);
  if (f.in == encoding::literal && !has(row, isa::literal_k))
    (r.one_in(2) && isa::source_count(row) > 1 ? src1 : src0) = field::literal;
  const uint32_t dst = scalar_dst(isa::dwords_of(row.dst != isa::type::none ? row.dst : row.src[0]), r);
  std::vector<uint32_t> words{isa::scalar_word(row, dst, src0, src1, simm)};
  if (f.in == encoding::literal) words.push_back(r.number());
  return words;
}

std::vector<uint32_t> vector_words(const row_form& f, random_source& r) {
  const isa::opcode_row& row = *f.row;
  isa::vector_fields v = isa::plain_fields(row);
  const bool to_scalar = row.native == isa::format::vopc || has(row, isa::scalar_dst);
  const unsigned dwords = isa::dwords_of(row.dst);
  v.dst = to_scalar ? scalar_dst(dwords, r) : vgpr(dwords, r);
  v.sdst = scalar_dst(2, r);
  const unsigned sources = isa::source_count(row);
  for (unsigned n = 0; n < sources; ++n) {
    const unsigned width = isa::dwords_of(row.src[n]);
    v.src[n] =
        isa::wants_scalar(row, n) || (r.one_in(3) && width <= 2) ? scalar_src(width, r) : field::vgpr + vgpr(width, r);
  }
  if (has(row, isa::reads_vcc)) v.src[sources] = r.one_in(8) ? field::zero + 65 * r.below(2) : scalar_dst(2, r);
  if (f.in == encoding::literal && !has(row, isa::literal_k)) v.src[0] = field::literal;
  if (f.in != encoding::vop3) v.src[1] = field::vgpr + vgpr(isa::dwords_of(row.src[1]), r);
  if (f.in == encoding::sdwa || f.in == encoding::dpp) v.src[0] = field::vgpr + vgpr(isa::dwords_of(row.src[0]), r);
  v.literal = r.number();
  if (r.one_in(4)) v.neg = r.below(8);
  if (r.one_in(4)) v.abs = r.below(8);
  if (r.one_in(8)) v.omod = r.below(4);
  v.clamp = r.one_in(8);
  if (r.one_in(2)) v.dst_sel = r.below(7);
  v.dst_unused = r.below(3);
  for (unsigned n = 0; n < 2; ++n) {
    if (r.one_in(2)) v.sel[n] = r.below(7);
    v.sext[n] = r.one_in(4);
  }
  constexpr unsigned controls[] = {0xe4,  0x1b,  0x101, 0x111, 0x121, 0x130, 0x134,
                                   0x138, 0x13c, 0x140, 0x141, 0x142, 0x143};
  v.dpp_ctrl = controls[r.below(13)];
  if (r.one_in(2)) v.row_mask = r.below(16);
  if (r.one_in(2)) v.bank_mask = r.below(16);
  v.bound_ctrl = r.one_in(2);
  const isa::vector_encoding as = f.in == encoding::vop3   ? isa::vector_encoding::vop3
                                  : f.in == encoding::sdwa ? isa::vector_encoding::sdwa
                                  : f.in == encoding::dpp  ? isa::vector_encoding::dpp
                                                           : isa::vector_encoding::e32;
  uint32_t words[2] = {};
  isa::encode_vector(row, as, v, words);
  if (f.in == encoding::plain) return {words[0]};
  return {words[0], words[1]};
}

// Formats of one to four dwords: a store needs as many registers as its format has.
uint32_t some_format(random_source& r) {
  constexpr uint32_t formats[] = {4, 11, 13, 14};
  return formats[r.below(4)];
}

std::vector<uint32_t> memory_words(const isa::opcode_row& row, random_source& r) {
  const uint32_t op = row.opcode, glc = r.below(2);
  const isa::type data = row.dst != isa::type::none ? row.dst : row.src[1];
  const uint32_t v = vgpr(isa::dwords_of(data), r), other = vgpr(isa::dwords_of(row.src[2]), r);
  const uint32_t written = vgpr(isa::dwords_of(row.src[1]), r);
  switch (row.native) {
    case isa::format::smem: {
      const uint32_t sdata = data == isa::type::none ? 0 : scalar_dst(isa::dwords_of(data), r);
      const uint32_t from = isa::dwords_of(row.src[0]) == 4 ? resource : smem_base;
      const bool immediate = !r.one_in(4);
      if (row.src[0] == isa::type::none) return {0xc0000000u | op << 18 | sdata << 6, 0};
      return {0xc0000000u | op << 18 | (immediate ? 1u << 17 : 0) | sdata << 6 | from >> 1,
              immediate ? 4 * r.below(64) : uint32_t{field::m0}};
    }
    case isa::format::ds:
      return {0xd8000000u | op << 17 | (r.one_in(2) ? 0 : 8 * r.below(16)),
              v << 24 | other << 16 | written << 8 | lds_address};
    case isa::format::flat:
      return {0xdc000000u | op << 18 | glc << 16, v << 24 | written << 8 | flat_address};
    case isa::format::mubuf:
      if (row.src[0] == isa::type::none) return {0xe0000000u | op << 18, 0};
      return {0xe0000000u | op << 18 | r.below(4) << 12 | glc << 14 | r.below(64),
              128u << 24 | resource / 4 << 16 | v << 8 | lds_address};
    case isa::format::mtbuf:
      return {0xe8000000u | op << 15 | some_format(r) << 19 | 7u << 23 | r.below(4) << 12 | glc << 14 | r.below(64),
              128u << 24 | resource / 4 << 16 | v << 8 | lds_address};
    default:
      return {0xf0000000u | op << 18 | 1u << (8 + r.below(4)) | r.below(2) << 14,
              sampler / 4 << 21 | resource / 4 << 16 | vgpr(4, r) << 8};
  }
}

void put_scalar(described_wave& m, unsigned index, uint32_t value, bool known) {
  m.state.scalar[index] = value;
  m.known.set_scalar(index, known ? word_set::constant(value) : word_set::any());
}

}  // namespace

std::string row_form::name() const {
  constexpr const char* names[] = {"", " with a literal", " in VOP3", " in SDWA", " in DPP"};
  return std::string(row->mnemonic) + names[static_cast<unsigned>(in)];
}

std::vector<row_form> all_row_forms() {
  std::vector<row_form> all;
  for (const isa::opcode_row* row : isa::all_rows()) {
    if (row->exec == nullptr) continue;
    if (is_vector(row->native)) {
      for (const isa::vector_encoding e : isa::encodings_of(*row)) {
        if (e == isa::vector_encoding::vop3) all.push_back({row, encoding::vop3});
        if (e == isa::vector_encoding::sdwa) all.push_back({row, encoding::sdwa});
        if (e == isa::vector_encoding::dpp) all.push_back({row, encoding::dpp});
        if (e != isa::vector_encoding::e32) continue;
        if (!has(*row, isa::literal_k)) all.push_back({row, encoding::plain});
        if (row->src[0] != isa::type::none && !has(*row, isa::scalar_dst)) all.push_back({row, encoding::literal});
      }
      continue;
    }
    if (!has(*row, isa::literal_k)) all.push_back({row, encoding::plain});
    const bool literal = is_scalar(row->native) && row->native != isa::format::sopk && row->src[0] != isa::type::none;
    const bool names_register = row->means.does == isa::operation::move_relative_source;
    if ((literal && !names_register) || has(*row, isa::literal_k)) all.push_back({row, encoding::literal});
  }
  return all;
}

std::optional<std::vector<uint32_t>> random_words(const row_form& form, random_source& r) {
  const isa::format f = form.row->native;
  const std::vector<uint32_t> words = is_scalar(f)   ? scalar_words(form, r)
                                      : is_vector(f) ? vector_words(form, r)
                                                     : memory_words(*form.row, r);
  try {
    const isa::inst i = isa::decode(words.data(), static_cast<unsigned>(words.size()), 0x1000);
    if (i.row != form.row || i.dwords != words.size() || i.vgpr_end > n_vgprs) return std::nullopt;
  } catch (const program_error&) {
    return std::nullopt;
  }
  return words;
}

row_memory::row_memory() : storage_(bytes), lds_(lds_bytes) {
  for (size_t k = 0; k < storage_.size(); ++k) storage_[k] = static_cast<uint8_t>(k * 167 >> 3);
  memory_.set_window(storage_.data(), base, bytes);
  memory_.add(base, 0x8000, "data");
  memory_.add(constants, 0x1000, "constants", isa::memory_use::constants);
}

void row_memory::connect(isa::wave_state& s) {
  s.memory = &memory_;
  s.lds = lds_.data();
  s.lds_bytes = lds_bytes;
}

void row_memory::describe(wcet::launch_facts& facts) const {
  facts.kernarg_address = constants;
  facts.kernarg.assign(storage_.begin() + 0x8000, storage_.begin() + 0x8080);
}

void row_memory::prepare(described_wave& m, const isa::inst& i, random_source& r) const {
  const bool known = !r.one_in(3);
  const uint32_t stride = r.one_in(3) ? 0 : r.one_in(2) ? 16 : 64;
  const auto put_vector = [&](unsigned row, uint32_t first, uint32_t step) {
    row_words lanes;
    for (unsigned l = 0; l < lanes_per_wave; ++l) lanes[l] = first + l * step;
    m.put(row, lanes, known ? lane_value::of_lanes(lanes) : lane_value::unknown());
  };
  switch (i.native) {
    case isa::format::flat:
      put_vector(flat_address, static_cast<uint32_t>(base) + 0x100, stride);
      put_vector(flat_address + 1, static_cast<uint32_t>(base >> 32), 0);
      return;
    case isa::format::ds:
    case isa::format::mubuf:
    case isa::format::mtbuf:
      put_vector(lds_address, 0x80, stride / 4 * 2);
      put_vector(lds_address + 1, 0, r.below(2));
      break;
    default:
      break;
  }
  if (i.native == isa::format::smem) {
    put_scalar(m, smem_base, static_cast<uint32_t>(r.one_in(2) ? constants : base), known);
    put_scalar(m, smem_base + 1, static_cast<uint32_t>(base >> 32), known);
    put_scalar(m, isa::m0, 4 * r.below(16), known);
  }
  if (i.unit == isa::unit::salu) {  // s_movrel
    put_scalar(m, isa::m0, 2 * r.below(4), known);
    return;
  }
  const bool image = i.native == isa::format::mimg;
  // A buffer of 1 KiB with floats; an image of 16 by 16 floats.
  const uint32_t where = static_cast<uint32_t>(base) + 0x1000, upper = static_cast<uint32_t>(base >> 32);
  const uint32_t buffer[] = {where, upper, 0x400, 0xfac | 7u << 12 | some_format(r) << 15};
  const uint32_t texture[] = {static_cast<uint32_t>((base + 0x1000) >> 8),
                              4u << 20 | 7u << 26,
                              15 | 15u << 14,
                              0xfac | 8u << 20 | 9u << 28,
                              63u << 13,
                              0,
                              0,
                              0};
  for (unsigned k = 0; k < (image ? 8u : 4u); ++k) put_scalar(m, resource + k, image ? texture[k] : buffer[k], known);
  const uint32_t point[] = {2 | 2u << 3 | 2u << 6 | 1u << 15 | 1u << 28, 0xfffu << 12, 1u << 24, 0};
  for (unsigned k = 0; image && k < 4; ++k) put_scalar(m, sampler + k, point[k], known);
}

}  // namespace pws::test
