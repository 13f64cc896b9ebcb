// SPDX-License-Identifier: Apache-2.0
// Opcode rows of SMEM, DS, FLAT, MUBUF and MTBUF. Opcodes and operand types: GCN3 ISA, chapter 12, checked against
// llvm-mc.
#include "models/isa/memory/memory_buffer.h"
#include "models/isa/memory/memory_ds.h"
#include "models/isa/memory/memory_flat.h"
#include "models/isa/memory/memory_format.h"
#include "models/isa/memory/memory_scalar.h"
#include "models/isa/opcode_row.h"

// Another name where it is compiled for other levels of processors (models/isa/levels).
#ifndef PWS_MEMORY_ROWS
#define PWS_MEMORY_ROWS memory_rows_base
#endif

namespace pws::isa {

namespace {

constexpr type b32 = type::b32, b64 = type::b64, b96 = type::b96, b128 = type::b128, none = type::none;
using t = data_type;

// The registers that one or several of these take.
constexpr type registers_of(t of, unsigned count = 1) {
  switch (count * bytes_of(of)) {
    case 8:
      return b64;
    case 12:
      return b96;
    case 16:
      return b128;
    case 32:
      return type::b256;
    case 64:
      return type::b512;
    default:
      return b32;
  }
}

// --- SMEM
// ---------------------------------------------------------------------------------------------------------------

opcode_row smem(uint16_t op, const char* name, t of, type base, exec_fn exec) {
  return {format::smem,         op, name, unit::scalar_memory, registers_of(of), {base, none, none}, 0, exec, nullptr,
          {operation::load, of}};
}
opcode_row smem_store(uint16_t op, const char* name, t of, type base, exec_fn exec) {
  return {format::smem,      op,   name,    unit::scalar_memory,   none, {base, registers_of(of), none},
          is_store | no_dst, exec, nullptr, {operation::store, of}};
}
opcode_row smem_cache(uint16_t op, const char* name, operation does) {
  return {format::smem,         op,      name,  unit::internal, none, {none, none, none}, no_dst,
          scalar_cache_control, nullptr, {does}};
}
opcode_row smem_clock(uint16_t op, const char* name) {
  return {format::smem,           op, name, unit::scalar_memory, b64, {none, none, none}, 0, scalar_time, nullptr,
          {operation::read_clock}};
}

std::vector<opcode_row> smem_rows() {
  return {
      smem(0x00, "s_load_dword", t::b32, b64, scalar_access<scalar_load, 1>),
      smem(0x01, "s_load_dwordx2", t::b64, b64, scalar_access<scalar_load, 2>),
      smem(0x02, "s_load_dwordx4", t::b128, b64, scalar_access<scalar_load, 4>),
      smem(0x03, "s_load_dwordx8", t::b256, b64, scalar_access<scalar_load, 8>),
      smem(0x04, "s_load_dwordx16", t::b512, b64, scalar_access<scalar_load, 16>),
      smem(0x08, "s_buffer_load_dword", t::b32, b128, scalar_access<scalar_buffer_load, 1>),
      smem(0x09, "s_buffer_load_dwordx2", t::b64, b128, scalar_access<scalar_buffer_load, 2>),
      smem(0x0a, "s_buffer_load_dwordx4", t::b128, b128, scalar_access<scalar_buffer_load, 4>),
      smem(0x0b, "s_buffer_load_dwordx8", t::b256, b128, scalar_access<scalar_buffer_load, 8>),
      smem(0x0c, "s_buffer_load_dwordx16", t::b512, b128, scalar_access<scalar_buffer_load, 16>),
      smem_store(0x10, "s_store_dword", t::b32, b64, scalar_access<scalar_store, 1>),
      smem_store(0x11, "s_store_dwordx2", t::b64, b64, scalar_access<scalar_store, 2>),
      smem_store(0x12, "s_store_dwordx4", t::b128, b64, scalar_access<scalar_store, 4>),
      smem_store(0x18, "s_buffer_store_dword", t::b32, b128, scalar_access<scalar_buffer_store, 1>),
      smem_store(0x19, "s_buffer_store_dwordx2", t::b64, b128, scalar_access<scalar_buffer_store, 2>),
      smem_store(0x1a, "s_buffer_store_dwordx4", t::b128, b128, scalar_access<scalar_buffer_store, 4>),
      smem_cache(0x20, "s_dcache_inv", operation::invalidate_scalar_cache),
      smem_cache(0x21, "s_dcache_wb", operation::write_back_scalar_cache),
      smem_cache(0x22, "s_dcache_inv_vol", operation::invalidate_scalar_cache),
      smem_cache(0x23, "s_dcache_wb_vol", operation::write_back_scalar_cache),
      smem_clock(0x24, "s_memtime"),
      smem_clock(0x25, "s_memrealtime"),
  };
}

// --- DS
// -----------------------------------------------------------------------------------------------------------------

// Rows that touch no memory, or not by an address of each lane.
opcode_row ds_row(uint16_t op, const char* name, meaning means, type dst, type address, type data, uint32_t flags,
                  exec_fn exec) {
  return {format::ds, op, name, unit::lds, dst, {address, data, none}, flags, exec, nullptr, means};
}
opcode_row ds(uint16_t op, const char* name, meaning means, type dst, type data, type data2, uint32_t flags,
              exec_fn exec) {
  return {format::ds, op, name, unit::lds, dst, {b32, data, data2}, flags | reads_m0, exec, nullptr, means};
}
opcode_row ds_load(uint16_t op, const char* name, t of, exec_fn exec) {
  return ds(op, name, {operation::load, of}, registers_of(of), none, none, 0, exec);
}
opcode_row ds_load2(uint16_t op, const char* name, t of, exec_fn exec, uint32_t flags) {
  return ds(op, name, {operation::load, of}, registers_of(of, 2), none, none, flags, exec);
}
opcode_row ds_store(uint16_t op, const char* name, t of, exec_fn exec) {
  return ds(op, name, {operation::store, of}, none, registers_of(of), none, is_store | no_dst, exec);
}
opcode_row ds_store2(uint16_t op, const char* name, t of, exec_fn exec, uint32_t flags) {
  const type data = registers_of(of);
  return ds(op, name, {operation::store, of}, none, data, data, is_store | no_dst | double_access | flags, exec);
}

constexpr bool has_two_data(bool one) {
  return !one;
}

// What an atomic computes with: the executor knows sizes alone.
template <t Of>
using ds_number = std::conditional_t<bytes_of(Of) == 8, uint64_t, uint32_t>;

// The atomic without and with return; they share the executor, which asks the decoded destination.
template <auto& Op, t Of>
void ds_pair(std::vector<opcode_row>& rows, uint16_t op, const char* name, uint16_t op_rtn, const char* name_rtn,
             uint32_t flags = 0, operation does = operation::atomic) {
  constexpr type data = registers_of(Of);
  constexpr type data2 = has_two_data(std::is_invocable_v<decltype(Op), ds_number<Of>, ds_number<Of>>) ? data : none;
  const exec_fn exec = ds_atomic<Op, ds_number<Of>>;
  rows.push_back(ds(op, name, {does, Of}, none, data, data2, is_atomic | no_dst | flags, exec));
  rows.push_back(ds(op_rtn, name_rtn, {does, Of}, data, data, data2, is_atomic | flags, exec));
}

void add_ds_atomics(std::vector<opcode_row>& rows) {
  using namespace atomic;
  ds_pair<add, t::u32>(rows, 0x00, "ds_add_u32", 0x20, "ds_add_rtn_u32");
  ds_pair<sub, t::u32>(rows, 0x01, "ds_sub_u32", 0x21, "ds_sub_rtn_u32");
  ds_pair<rsub, t::u32>(rows, 0x02, "ds_rsub_u32", 0x22, "ds_rsub_rtn_u32");
  ds_pair<inc, t::u32>(rows, 0x03, "ds_inc_u32", 0x23, "ds_inc_rtn_u32");
  ds_pair<dec, t::u32>(rows, 0x04, "ds_dec_u32", 0x24, "ds_dec_rtn_u32");
  ds_pair<smin, t::i32>(rows, 0x05, "ds_min_i32", 0x25, "ds_min_rtn_i32");
  ds_pair<smax, t::i32>(rows, 0x06, "ds_max_i32", 0x26, "ds_max_rtn_i32");
  ds_pair<umin, t::u32>(rows, 0x07, "ds_min_u32", 0x27, "ds_min_rtn_u32");
  ds_pair<umax, t::u32>(rows, 0x08, "ds_max_u32", 0x28, "ds_max_rtn_u32");
  ds_pair<bit_and, t::b32>(rows, 0x09, "ds_and_b32", 0x29, "ds_and_rtn_b32");
  ds_pair<bit_or, t::b32>(rows, 0x0a, "ds_or_b32", 0x2a, "ds_or_rtn_b32");
  ds_pair<bit_xor, t::b32>(rows, 0x0b, "ds_xor_b32", 0x2b, "ds_xor_rtn_b32");
  ds_pair<mskor, t::b32>(rows, 0x0c, "ds_mskor_b32", 0x2c, "ds_mskor_rtn_b32");
  ds_pair<cmpst, t::b32>(rows, 0x10, "ds_cmpst_b32", 0x30, "ds_cmpst_rtn_b32", 0, operation::compare_and_exchange);
  ds_pair<fcmpst, t::f32>(rows, 0x11, "ds_cmpst_f32", 0x31, "ds_cmpst_rtn_f32", 0, operation::compare_and_exchange);
  ds_pair<fmin, t::f32>(rows, 0x12, "ds_min_f32", 0x32, "ds_min_rtn_f32");
  ds_pair<fmax, t::f32>(rows, 0x13, "ds_max_f32", 0x33, "ds_max_rtn_f32");
  ds_pair<fadd, t::f32>(rows, 0x15, "ds_add_f32", 0x35, "ds_add_rtn_f32", f32_arith);
  ds_pair<add, t::u64>(rows, 0x40, "ds_add_u64", 0x60, "ds_add_rtn_u64");
  ds_pair<sub, t::u64>(rows, 0x41, "ds_sub_u64", 0x61, "ds_sub_rtn_u64");
  ds_pair<rsub, t::u64>(rows, 0x42, "ds_rsub_u64", 0x62, "ds_rsub_rtn_u64");
  ds_pair<inc, t::u64>(rows, 0x43, "ds_inc_u64", 0x63, "ds_inc_rtn_u64");
  ds_pair<dec, t::u64>(rows, 0x44, "ds_dec_u64", 0x64, "ds_dec_rtn_u64");
  ds_pair<smin, t::i64>(rows, 0x45, "ds_min_i64", 0x65, "ds_min_rtn_i64");
  ds_pair<smax, t::i64>(rows, 0x46, "ds_max_i64", 0x66, "ds_max_rtn_i64");
  ds_pair<umin, t::u64>(rows, 0x47, "ds_min_u64", 0x67, "ds_min_rtn_u64");
  ds_pair<umax, t::u64>(rows, 0x48, "ds_max_u64", 0x68, "ds_max_rtn_u64");
  ds_pair<bit_and, t::b64>(rows, 0x49, "ds_and_b64", 0x69, "ds_and_rtn_b64");
  ds_pair<bit_or, t::b64>(rows, 0x4a, "ds_or_b64", 0x6a, "ds_or_rtn_b64");
  ds_pair<bit_xor, t::b64>(rows, 0x4b, "ds_xor_b64", 0x6b, "ds_xor_rtn_b64");
  ds_pair<mskor, t::b64>(rows, 0x4c, "ds_mskor_b64", 0x6c, "ds_mskor_rtn_b64");
  ds_pair<cmpst, t::b64>(rows, 0x50, "ds_cmpst_b64", 0x70, "ds_cmpst_rtn_b64", 0, operation::compare_and_exchange);
  ds_pair<fcmpst, t::f64>(rows, 0x51, "ds_cmpst_f64", 0x71, "ds_cmpst_rtn_f64", 0, operation::compare_and_exchange);
  ds_pair<fmin, t::f64>(rows, 0x52, "ds_min_f64", 0x72, "ds_min_rtn_f64");
  ds_pair<fmax, t::f64>(rows, 0x53, "ds_max_f64", 0x73, "ds_max_rtn_f64");
  // Exchanges and wrap exist with return only.
  rows.push_back(ds(0x2d, "ds_wrxchg_rtn_b32", {operation::exchange, t::b32}, b32, b32, none, is_atomic,
                    ds_atomic<swap, uint32_t>));
  rows.push_back(ds(0x6d, "ds_wrxchg_rtn_b64", {operation::exchange, t::b64}, b64, b64, none, is_atomic,
                    ds_atomic<swap, uint64_t>));
  rows.push_back(
      ds(0x34, "ds_wrap_rtn_b32", {operation::atomic, t::b32}, b32, b32, b32, is_atomic, ds_atomic<wrap, uint32_t>));
}

template <auto& Op, t Of>
void ds_source2_row(std::vector<opcode_row>& rows, uint16_t op, const char* name, uint32_t flags = 0) {
  rows.push_back(ds(op, name, {operation::atomic_from_lds, Of}, none, none, none, is_atomic | no_dst | flags,
                    ds_source2<Op, ds_number<Of>>));
}

void add_ds_source2(std::vector<opcode_row>& rows) {
  using namespace atomic;
  ds_source2_row<add, t::u32>(rows, 0x80, "ds_add_src2_u32");
  ds_source2_row<sub, t::u32>(rows, 0x81, "ds_sub_src2_u32");
  ds_source2_row<rsub, t::u32>(rows, 0x82, "ds_rsub_src2_u32");
  ds_source2_row<inc, t::u32>(rows, 0x83, "ds_inc_src2_u32");
  ds_source2_row<dec, t::u32>(rows, 0x84, "ds_dec_src2_u32");
  ds_source2_row<smin, t::i32>(rows, 0x85, "ds_min_src2_i32");
  ds_source2_row<smax, t::i32>(rows, 0x86, "ds_max_src2_i32");
  ds_source2_row<umin, t::u32>(rows, 0x87, "ds_min_src2_u32");
  ds_source2_row<umax, t::u32>(rows, 0x88, "ds_max_src2_u32");
  ds_source2_row<bit_and, t::b32>(rows, 0x89, "ds_and_src2_b32");
  ds_source2_row<bit_or, t::b32>(rows, 0x8a, "ds_or_src2_b32");
  ds_source2_row<bit_xor, t::b32>(rows, 0x8b, "ds_xor_src2_b32");
  ds_source2_row<swap, t::b32>(rows, 0x8d, "ds_write_src2_b32");
  ds_source2_row<fmin, t::f32>(rows, 0x92, "ds_min_src2_f32");
  ds_source2_row<fmax, t::f32>(rows, 0x93, "ds_max_src2_f32");
  ds_source2_row<fadd, t::f32>(rows, 0x95, "ds_add_src2_f32", f32_arith);
  ds_source2_row<add, t::u64>(rows, 0xc0, "ds_add_src2_u64");
  ds_source2_row<sub, t::u64>(rows, 0xc1, "ds_sub_src2_u64");
  ds_source2_row<rsub, t::u64>(rows, 0xc2, "ds_rsub_src2_u64");
  ds_source2_row<inc, t::u64>(rows, 0xc3, "ds_inc_src2_u64");
  ds_source2_row<dec, t::u64>(rows, 0xc4, "ds_dec_src2_u64");
  ds_source2_row<smin, t::i64>(rows, 0xc5, "ds_min_src2_i64");
  ds_source2_row<smax, t::i64>(rows, 0xc6, "ds_max_src2_i64");
  ds_source2_row<umin, t::u64>(rows, 0xc7, "ds_min_src2_u64");
  ds_source2_row<umax, t::u64>(rows, 0xc8, "ds_max_src2_u64");
  ds_source2_row<bit_and, t::b64>(rows, 0xc9, "ds_and_src2_b64");
  ds_source2_row<bit_or, t::b64>(rows, 0xca, "ds_or_src2_b64");
  ds_source2_row<bit_xor, t::b64>(rows, 0xcb, "ds_xor_src2_b64");
  ds_source2_row<swap, t::b64>(rows, 0xcd, "ds_write_src2_b64");
  ds_source2_row<fmin, t::f64>(rows, 0xd2, "ds_min_src2_f64");
  ds_source2_row<fmax, t::f64>(rows, 0xd3, "ds_max_src2_f64");
}

std::vector<opcode_row> ds_rows() {
  constexpr uint32_t two = double_access, st64 = double_access | stride64;
  std::vector<opcode_row> rows = {
      ds_store(0x0d, "ds_write_b32", t::b32, ds_write<dwords<1>>),
      ds_store2(0x0e, "ds_write2_b32", t::b32, ds_write2<dwords<1>>, two),
      ds_store2(0x0f, "ds_write2st64_b32", t::b32, ds_write2<dwords<1>, true>, st64),
      ds_store(0x1e, "ds_write_b8", t::b8, ds_write<narrow<uint8_t>>),
      ds_store(0x1f, "ds_write_b16", t::b16, ds_write<narrow<uint16_t>>),
      ds_store(0x4d, "ds_write_b64", t::b64, ds_write<dwords<2>>),
      ds_store2(0x4e, "ds_write2_b64", t::b64, ds_write2<dwords<2>>, two),
      ds_store2(0x4f, "ds_write2st64_b64", t::b64, ds_write2<dwords<2>, true>, st64),
      ds_store(0xde, "ds_write_b96", t::b96, ds_write<dwords<3>>),
      ds_store(0xdf, "ds_write_b128", t::b128, ds_write<dwords<4>>),
      ds_load(0x36, "ds_read_b32", t::b32, ds_read<dwords<1>>),
      ds_load2(0x37, "ds_read2_b32", t::b32, ds_read2<dwords<1>>, two),
      ds_load2(0x38, "ds_read2st64_b32", t::b32, ds_read2<dwords<1>, true>, st64),
      ds_load(0x39, "ds_read_i8", t::i8, ds_read<narrow<int8_t>>),
      ds_load(0x3a, "ds_read_u8", t::u8, ds_read<narrow<uint8_t>>),
      ds_load(0x3b, "ds_read_i16", t::i16, ds_read<narrow<int16_t>>),
      ds_load(0x3c, "ds_read_u16", t::u16, ds_read<narrow<uint16_t>>),
      ds_load(0x76, "ds_read_b64", t::b64, ds_read<dwords<2>>),
      ds_load2(0x77, "ds_read2_b64", t::b64, ds_read2<dwords<2>>, two),
      ds_load2(0x78, "ds_read2st64_b64", t::b64, ds_read2<dwords<2>, true>, st64),
      ds_load(0xfe, "ds_read_b96", t::b96, ds_read<dwords<3>>),
      ds_load(0xff, "ds_read_b128", t::b128, ds_read<dwords<4>>),
      ds(0x2e, "ds_wrxchg2_rtn_b32", {operation::exchange, t::b32}, b64, b32, b32, is_atomic | two,
         ds_exchange2<dwords<1>>),
      ds(0x2f, "ds_wrxchg2st64_rtn_b32", {operation::exchange, t::b32}, b64, b32, b32, is_atomic | st64,
         ds_exchange2<dwords<1>, true>),
      ds(0x6e, "ds_wrxchg2_rtn_b64", {operation::exchange, t::b64}, b128, b64, b64, is_atomic | two,
         ds_exchange2<dwords<2>>),
      ds(0x6f, "ds_wrxchg2st64_rtn_b64", {operation::exchange, t::b64}, b128, b64, b64, is_atomic | st64,
         ds_exchange2<dwords<2>, true>),
      // Lane exchanges and ds_nop touch no memory: M0 does not matter.
      ds_row(0x14, "ds_nop", {operation::lds_nop}, none, none, none, no_dst, ds_nop),
      ds_row(0x3d, "ds_swizzle_b32", {operation::swizzle, t::b32}, b32, b32, none, 0, ds_swizzle),
      ds_row(0x3e, "ds_permute_b32", {operation::permute_forward, t::b32}, b32, b32, b32, 0, ds_permute),
      ds_row(0x3f, "ds_bpermute_b32", {operation::permute_backward, t::b32}, b32, b32, b32, 0, ds_bpermute),
      ds(0x7e, "ds_condxchg32_rtn_b64", {operation::atomic, t::b64}, b64, b64, none, is_atomic,
         ds_conditional_exchange),
      ds_row(0xbd, "ds_consume", {operation::count_active_lanes, t::b32}, b32, none, none, is_atomic | reads_m0,
             ds_consume),
      ds_row(0xbe, "ds_append", {operation::count_active_lanes, t::b32}, b32, none, none, is_atomic | reads_m0,
             ds_append),
      // The global data share has barriers only; the machine acts on them.
      ds_row(0x9d, "ds_gws_barrier", {operation::grid_barrier}, none, b32, none, no_dst, ds_nop),
      // Known by name only.
      ds_row(0x98, "ds_gws_sema_release_all", {operation::global_data_share}, none, none, none, no_dst, nullptr),
      ds_row(0x99, "ds_gws_init", {operation::global_data_share}, none, b32, none, no_dst, nullptr),
      ds_row(0x9a, "ds_gws_sema_v", {operation::global_data_share}, none, none, none, no_dst, nullptr),
      ds_row(0x9b, "ds_gws_sema_br", {operation::global_data_share}, none, b32, none, no_dst, nullptr),
      ds_row(0x9c, "ds_gws_sema_p", {operation::global_data_share}, none, none, none, no_dst, nullptr),
      ds_row(0xbf, "ds_ordered_count", {operation::global_data_share}, b32, b32, none, 0, nullptr),
  };
  add_ds_atomics(rows);
  add_ds_source2(rows);
  return rows;
}

// --- FLAT and MUBUF
// -------------------------------------------------------------------------------------------------------

opcode_row vector_memory(format native, uint16_t op, const char* name, meaning means, type dst, type data,
                         uint32_t flags, exec_fn exec) {
  const type address = native == format::flat ? b64 : b32;
  return {native, op, name, unit::vector_memory, dst, {address, data, none}, flags, exec, nullptr, means};
}
opcode_row load_row(format native, uint16_t op, const char* name, t of, exec_fn exec) {
  return vector_memory(native, op, name, {operation::load, of}, registers_of(of), none, 0, exec);
}
opcode_row store_row(format native, uint16_t op, const char* name, t of, exec_fn exec) {
  return vector_memory(native, op, name, {operation::store, of}, none, registers_of(of), is_store | no_dst, exec);
}
// In the format that the resource says.
opcode_row format_load(format native, uint16_t op, const char* name, type dst) {
  return vector_memory(native, op, name, {operation::load}, dst, none, 0, buffer_load_format);
}
opcode_row format_store(format native, uint16_t op, const char* name, type data) {
  return vector_memory(native, op, name, {operation::store}, none, data, is_store | no_dst, buffer_store_format);
}
opcode_row mubuf_cache(uint16_t op, const char* name) {
  return {format::mubuf, op,
          name,          unit::internal,
          none,          {none, none, none},
          no_dst,        buffer_cache_control,
          nullptr,       {operation::invalidate_vector_cache}};
}

// FLAT and MUBUF number their atomics alike: 0x40 and on for 32 bits, 0x60 and on for 64 bits.
template <auto& Op>
void atomics(std::vector<opcode_row>& rows, uint16_t n, operation does, const char* flat32, const char* flat64,
             const char* buffer32, const char* buffer64) {
  constexpr bool two = has_two_data(std::is_invocable_v<decltype(Op), uint32_t, uint32_t>);
  constexpr type data32 = two ? b64 : b32, data64 = two ? b128 : b64;
  const auto op32 = static_cast<uint16_t>(0x40 + n), op64 = static_cast<uint16_t>(0x60 + n);
  const meaning of32{does, t::b32}, of64{does, t::b64};
  rows.push_back(vector_memory(format::flat, op32, flat32, of32, b32, data32, is_atomic, flat_atomic<Op, uint32_t>));
  rows.push_back(vector_memory(format::flat, op64, flat64, of64, b64, data64, is_atomic, flat_atomic<Op, uint64_t>));
  rows.push_back(
      vector_memory(format::mubuf, op32, buffer32, of32, b32, data32, is_atomic, buffer_atomic<Op, uint32_t>));
  rows.push_back(
      vector_memory(format::mubuf, op64, buffer64, of64, b64, data64, is_atomic, buffer_atomic<Op, uint64_t>));
}
#define PWS_ATOMIC(op, n, does, name)                                                                                  \
  atomics<atomic::op>(rows, n, operation::does, "flat_atomic_" name, "flat_atomic_" name "_x2", "buffer_atomic_" name, \
                      "buffer_atomic_" name "_x2")

void add_vector_atomics(std::vector<opcode_row>& rows) {
  PWS_ATOMIC(swap, 0x0, exchange, "swap");
  PWS_ATOMIC(cmpswap, 0x1, compare_and_exchange, "cmpswap");
  PWS_ATOMIC(add, 0x2, atomic, "add");
  PWS_ATOMIC(sub, 0x3, atomic, "sub");
  PWS_ATOMIC(smin, 0x4, atomic, "smin");
  PWS_ATOMIC(umin, 0x5, atomic, "umin");
  PWS_ATOMIC(smax, 0x6, atomic, "smax");
  PWS_ATOMIC(umax, 0x7, atomic, "umax");
  PWS_ATOMIC(bit_and, 0x8, atomic, "and");
  PWS_ATOMIC(bit_or, 0x9, atomic, "or");
  PWS_ATOMIC(bit_xor, 0xa, atomic, "xor");
  PWS_ATOMIC(inc, 0xb, atomic, "inc");
  PWS_ATOMIC(dec, 0xc, atomic, "dec");
}
#undef PWS_ATOMIC

std::vector<opcode_row> vector_memory_rows() {
  constexpr format flat = format::flat, mubuf = format::mubuf, mtbuf = format::mtbuf;
  std::vector<opcode_row> rows = {
      load_row(flat, 0x10, "flat_load_ubyte", t::u8, flat_load<narrow<uint8_t>>),
      load_row(flat, 0x11, "flat_load_sbyte", t::i8, flat_load<narrow<int8_t>>),
      load_row(flat, 0x12, "flat_load_ushort", t::u16, flat_load<narrow<uint16_t>>),
      load_row(flat, 0x13, "flat_load_sshort", t::i16, flat_load<narrow<int16_t>>),
      load_row(flat, 0x14, "flat_load_dword", t::b32, flat_load<dwords<1>>),
      load_row(flat, 0x15, "flat_load_dwordx2", t::b64, flat_load<dwords<2>>),
      load_row(flat, 0x16, "flat_load_dwordx3", t::b96, flat_load<dwords<3>>),
      load_row(flat, 0x17, "flat_load_dwordx4", t::b128, flat_load<dwords<4>>),
      store_row(flat, 0x18, "flat_store_byte", t::b8, flat_store<narrow<uint8_t>>),
      store_row(flat, 0x1a, "flat_store_short", t::b16, flat_store<narrow<uint16_t>>),
      store_row(flat, 0x1c, "flat_store_dword", t::b32, flat_store<dwords<1>>),
      store_row(flat, 0x1d, "flat_store_dwordx2", t::b64, flat_store<dwords<2>>),
      store_row(flat, 0x1e, "flat_store_dwordx3", t::b96, flat_store<dwords<3>>),
      store_row(flat, 0x1f, "flat_store_dwordx4", t::b128, flat_store<dwords<4>>),
      format_load(mubuf, 0x00, "buffer_load_format_x", b32),
      format_load(mubuf, 0x01, "buffer_load_format_xy", b64),
      format_load(mubuf, 0x02, "buffer_load_format_xyz", b96),
      format_load(mubuf, 0x03, "buffer_load_format_xyzw", b128),
      format_store(mubuf, 0x04, "buffer_store_format_x", b32),
      format_store(mubuf, 0x05, "buffer_store_format_xy", b64),
      format_store(mubuf, 0x06, "buffer_store_format_xyz", b96),
      format_store(mubuf, 0x07, "buffer_store_format_xyzw", b128),
      load_row(mubuf, 0x10, "buffer_load_ubyte", t::u8, buffer_load<narrow<uint8_t>>),
      load_row(mubuf, 0x11, "buffer_load_sbyte", t::i8, buffer_load<narrow<int8_t>>),
      load_row(mubuf, 0x12, "buffer_load_ushort", t::u16, buffer_load<narrow<uint16_t>>),
      load_row(mubuf, 0x13, "buffer_load_sshort", t::i16, buffer_load<narrow<int16_t>>),
      load_row(mubuf, 0x14, "buffer_load_dword", t::b32, buffer_load<dwords<1>>),
      load_row(mubuf, 0x15, "buffer_load_dwordx2", t::b64, buffer_load<dwords<1>, 2>),
      load_row(mubuf, 0x16, "buffer_load_dwordx3", t::b96, buffer_load<dwords<1>, 3>),
      load_row(mubuf, 0x17, "buffer_load_dwordx4", t::b128, buffer_load<dwords<1>, 4>),
      store_row(mubuf, 0x18, "buffer_store_byte", t::b8, buffer_store<narrow<uint8_t>>),
      store_row(mubuf, 0x1a, "buffer_store_short", t::b16, buffer_store<narrow<uint16_t>>),
      store_row(mubuf, 0x1c, "buffer_store_dword", t::b32, buffer_store<dwords<1>>),
      store_row(mubuf, 0x1d, "buffer_store_dwordx2", t::b64, buffer_store<dwords<1>, 2>),
      store_row(mubuf, 0x1e, "buffer_store_dwordx3", t::b96, buffer_store<dwords<1>, 3>),
      store_row(mubuf, 0x1f, "buffer_store_dwordx4", t::b128, buffer_store<dwords<1>, 4>),
      format_load(mtbuf, 0x0, "tbuffer_load_format_x", b32),
      format_load(mtbuf, 0x1, "tbuffer_load_format_xy", b64),
      format_load(mtbuf, 0x2, "tbuffer_load_format_xyz", b96),
      format_load(mtbuf, 0x3, "tbuffer_load_format_xyzw", b128),
      format_store(mtbuf, 0x4, "tbuffer_store_format_x", b32),
      format_store(mtbuf, 0x5, "tbuffer_store_format_xy", b64),
      format_store(mtbuf, 0x6, "tbuffer_store_format_xyz", b96),
      format_store(mtbuf, 0x7, "tbuffer_store_format_xyzw", b128),
      mubuf_cache(0x3e, "buffer_wbinvl1"),
      mubuf_cache(0x3f, "buffer_wbinvl1_vol"),
  };
  add_vector_atomics(rows);
  return rows;
}

}  // namespace

const std::vector<opcode_row>& PWS_MEMORY_ROWS();
const std::vector<opcode_row>& PWS_MEMORY_ROWS() {
  static const std::vector<opcode_row> rows = [] {
    std::vector<opcode_row> all = smem_rows();
    for (const auto& part : {ds_rows(), vector_memory_rows()}) all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return rows;
}

}  // namespace pws::isa
