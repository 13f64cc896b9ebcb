// SPDX-License-Identifier: Apache-2.0
// VOPC: compares to a lane mask. Opcode = 16 * group + relation; v_cmpx writes EXEC as well.
// (GCN3 ISA, chapter 12, "VOPC Instructions")
#include <cmath>

#include "models/isa/vector/lane_float.h"
#include "models/isa/vector/vector_executor.h"

namespace pws::isa {

namespace {

// Sixteen relations of a floating-point type from `base` on, and their v_cmpx forms 16 further on. The names outlive
// the rows.
struct float_names {
  const char* cmp[16];
  const char* cmpx[16];
};
// Eight relations of an integer type; v_cmpx 16 further on.
struct integer_names {
  const char* cmp[8];
  const char* cmpx[8];
};

template <uint64_t Options, class T>
void float_relations(std::vector<opcode_row>& rows, unsigned base, data_type of, const char* const (&name)[16]) {
  using r = relation;
  unsigned op = base;
  const auto add = [&](relation compares, auto f) {
    const meaning means{operation::compare, of, compares};
    rows.push_back(vopc<Options>(static_cast<uint16_t>(op), name[op - base], means, f));
    ++op;
  };
  // Half precision compares as float: the cast is the identity for the other types.
  using number = std::conditional_t<std::is_same_v<T, half>, float, T>;
  add(r::never, [](T, T) { return false; });
  add(r::less, [](T a, T b) { return number(a) < number(b); });
  add(r::equal, [](T a, T b) { return number(a) == number(b); });
  add(r::less_or_equal, [](T a, T b) { return number(a) <= number(b); });
  add(r::greater, [](T a, T b) { return number(a) > number(b); });
  add(r::less_or_greater, [](T a, T b) { return number(a) < number(b) || number(a) > number(b); });
  add(r::greater_or_equal, [](T a, T b) { return number(a) >= number(b); });
  add(r::ordered, [](T a, T b) { return !is_nan(a) && !is_nan(b); });
  add(r::unordered, [](T a, T b) { return is_nan(a) || is_nan(b); });
  add(r::not_greater_or_equal, [](T a, T b) { return !(number(a) >= number(b)); });
  add(r::not_less_or_greater, [](T a, T b) { return !(number(a) < number(b) || number(a) > number(b)); });
  add(r::not_greater, [](T a, T b) { return !(number(a) > number(b)); });
  add(r::not_less_or_equal, [](T a, T b) { return !(number(a) <= number(b)); });
  add(r::not_equal, [](T a, T b) { return !(number(a) == number(b)); });
  add(r::not_less, [](T a, T b) { return !(number(a) < number(b)); });
  add(r::always, [](T, T) { return true; });
}

template <uint64_t Options, class T>
void integer_relations(std::vector<opcode_row>& rows, unsigned base, data_type of, const char* const (&name)[8]) {
  using r = relation;
  unsigned op = base;
  const auto add = [&](relation compares, auto f) {
    const meaning means{operation::compare, of, compares};
    rows.push_back(vopc<Options>(static_cast<uint16_t>(op), name[op - base], means, f));
    ++op;
  };
  add(r::never, [](T, T) { return false; });
  add(r::less, [](T a, T b) { return a < b; });
  add(r::equal, [](T a, T b) { return a == b; });
  add(r::less_or_equal, [](T a, T b) { return a <= b; });
  add(r::greater, [](T a, T b) { return a > b; });
  add(r::not_equal, [](T a, T b) { return a != b; });
  add(r::greater_or_equal, [](T a, T b) { return a >= b; });
  add(r::always, [](T, T) { return true; });
}

template <class T>
void float_group(std::vector<opcode_row>& rows, unsigned base, data_type of, const float_names& names) {
  float_relations<0, T>(rows, base, of, names.cmp);
  float_relations<writes_exec, T>(rows, base + 16, of, names.cmpx);
}
template <class T>
void integer_group(std::vector<opcode_row>& rows, unsigned base, data_type of, const integer_names& names) {
  integer_relations<0, T>(rows, base, of, names.cmp);
  integer_relations<writes_exec, T>(rows, base + 16, of, names.cmpx);
}

#define PWS_FLOAT_NAMES(prefix, t)                                                                             \
  {                                                                                                            \
    prefix "_f_" t, prefix "_lt_" t, prefix "_eq_" t, prefix "_le_" t, prefix "_gt_" t, prefix "_lg_" t,       \
        prefix "_ge_" t, prefix "_o_" t, prefix "_u_" t, prefix "_nge_" t, prefix "_nlg_" t, prefix "_ngt_" t, \
        prefix "_nle_" t, prefix "_neq_" t, prefix "_nlt_" t, prefix "_tru_" t                                 \
  }
#define PWS_INTEGER_NAMES(prefix, t)                                                                     \
  {                                                                                                      \
    prefix "_f_" t, prefix "_lt_" t, prefix "_eq_" t, prefix "_le_" t, prefix "_gt_" t, prefix "_ne_" t, \
        prefix "_ge_" t, prefix "_t_" t                                                                  \
  }

constexpr float_names f16_names = {PWS_FLOAT_NAMES("v_cmp", "f16"), PWS_FLOAT_NAMES("v_cmpx", "f16")};
constexpr float_names f32_names = {PWS_FLOAT_NAMES("v_cmp", "f32"), PWS_FLOAT_NAMES("v_cmpx", "f32")};
constexpr float_names f64_names = {PWS_FLOAT_NAMES("v_cmp", "f64"), PWS_FLOAT_NAMES("v_cmpx", "f64")};
constexpr integer_names i16_names = {PWS_INTEGER_NAMES("v_cmp", "i16"), PWS_INTEGER_NAMES("v_cmpx", "i16")};
constexpr integer_names u16_names = {PWS_INTEGER_NAMES("v_cmp", "u16"), PWS_INTEGER_NAMES("v_cmpx", "u16")};
constexpr integer_names i32_names = {PWS_INTEGER_NAMES("v_cmp", "i32"), PWS_INTEGER_NAMES("v_cmpx", "i32")};
constexpr integer_names u32_names = {PWS_INTEGER_NAMES("v_cmp", "u32"), PWS_INTEGER_NAMES("v_cmpx", "u32")};
constexpr integer_names i64_names = {PWS_INTEGER_NAMES("v_cmp", "i64"), PWS_INTEGER_NAMES("v_cmpx", "i64")};
constexpr integer_names u64_names = {PWS_INTEGER_NAMES("v_cmp", "u64"), PWS_INTEGER_NAMES("v_cmpx", "u64")};

#undef PWS_FLOAT_NAMES
#undef PWS_INTEGER_NAMES

}  // namespace

std::vector<opcode_row> vopc_rows() {
  using t = data_type;
  using namespace row_option;
  const auto class_f32 = [](float x, uint32_t classes) { return in_class(x, classes); };
  const auto class_f64 = [](double x, uint32_t classes) { return in_class(x, classes); };
  const auto class_f16 = [](half x, uint16_t classes) { return in_class(x, classes); };
  std::vector<opcode_row> rows = {
      vopc<bitwise>(0x10, "v_cmp_class_f32", {operation::compare, t::f32, relation::in_class}, class_f32),
      vopc<bitwise | writes_exec>(0x11, "v_cmpx_class_f32", {operation::compare, t::f32, relation::in_class},
                                  class_f32),
      vopc<bitwise>(0x12, "v_cmp_class_f64", {operation::compare, t::f64, relation::in_class}, class_f64),
      vopc<bitwise | writes_exec>(0x13, "v_cmpx_class_f64", {operation::compare, t::f64, relation::in_class},
                                  class_f64),
      vopc<bitwise>(0x14, "v_cmp_class_f16", {operation::compare, t::f16, relation::in_class}, class_f16),
      vopc<bitwise | writes_exec>(0x15, "v_cmpx_class_f16", {operation::compare, t::f16, relation::in_class},
                                  class_f16),
  };
  float_group<half>(rows, 0x20, t::f16, f16_names);
  float_group<float>(rows, 0x40, t::f32, f32_names);
  float_group<double>(rows, 0x60, t::f64, f64_names);
  integer_group<int16_t>(rows, 0xa0, t::i16, i16_names);
  integer_group<uint16_t>(rows, 0xa8, t::u16, u16_names);
  integer_group<int32_t>(rows, 0xc0, t::i32, i32_names);
  integer_group<uint32_t>(rows, 0xc8, t::u32, u32_names);
  integer_group<int64_t>(rows, 0xe0, t::i64, i64_names);
  integer_group<uint64_t>(rows, 0xe8, t::u64, u64_names);
  return rows;
}

}  // namespace pws::isa
