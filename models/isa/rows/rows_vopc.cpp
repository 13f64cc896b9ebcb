// SPDX-License-Identifier: Apache-2.0
// VOPC: compares to a lane mask. Opcode = 16 * group + relation; v_cmpx writes EXEC as well.
// (GCN3 ISA, chapter 12, "VOPC Instructions")
#include <array>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "models/isa/integer.h"
#include "models/isa/vector/lane_float.h"
#include "models/isa/vector/vector_executor.h"

namespace pws::isa {

namespace {

using r = relation;

// By opcode, from the first one of a type on, and in names.
template <bool IsFloat>
struct relations {
  static constexpr std::array of{r::never,
                                 r::less,
                                 r::equal,
                                 r::less_or_equal,
                                 r::greater,
                                 r::less_or_greater,
                                 r::greater_or_equal,
                                 r::ordered,
                                 r::unordered,
                                 r::not_greater_or_equal,
                                 r::not_less_or_greater,
                                 r::not_greater,
                                 r::not_less_or_equal,
                                 r::not_equal,
                                 r::not_less,
                                 r::always};
  static constexpr std::array name{"f", "lt",  "eq",  "le",  "gt",  "lg",  "ge",  "o",
                                   "u", "nge", "nlg", "ngt", "nle", "neq", "nlt", "tru"};
};
template <>
struct relations<false> {
  static constexpr std::array of{
      r::never, r::less, r::equal, r::less_or_equal, r::greater, r::not_equal, r::greater_or_equal, r::always};
  static constexpr std::array name{"f", "lt", "eq", "le", "gt", "ne", "ge", "t"};
};

// v_cmp_lt_i32: of that type and relation.
template <class T, uint64_t Options, size_t N>
constexpr auto mnemonic = [] {
  constexpr bool is_float = !std::is_integral_v<T>;
  const unsigned width = 8 * sizeof(T);
  const char type[]{'_',
                    is_float              ? 'f'
                    : std::is_signed_v<T> ? 'i'
                                          : 'u',
                    static_cast<char>('0' + width / 10), static_cast<char>('0' + width % 10), 0};
  std::array<char, sizeof "v_cmpx_nge_f64"> text{};
  size_t n = 0;
  for (const char* part : {Options == 0 ? "v_cmp_" : "v_cmpx_", relations<is_float>::name[N], type})
    for (; *part != 0; ++part) text[n++] = *part;
  return text;
}();

// Half precision compares as single.
template <class T>
constexpr auto compared(T x) {
  if constexpr (std::is_same_v<T, half>)
    return static_cast<float>(x);
  else
    return x;
}

template <class T, uint64_t Options, size_t... N>
void add_relations(std::vector<opcode_row>& rows, unsigned base, data_type of, std::index_sequence<N...>) {
  using all = relations<!std::is_integral_v<T>>;
  (rows.push_back(vopc<Options>(static_cast<uint16_t>(base + N), mnemonic<T, Options, N>.data(),
                                {operation::compare, of, all::of[N]},
                                [](T a, T b) { return holds(all::of[N], compared(a), compared(b)); })),
   ...);
}
// v_cmpx is 16 behind v_cmp.
template <class T>
void add_group(std::vector<opcode_row>& rows, unsigned base, data_type of) {
  constexpr auto all = std::make_index_sequence<relations<!std::is_integral_v<T>>::of.size()>();
  add_relations<T, 0>(rows, base, of, all);
  add_relations<T, writes_exec>(rows, base + 16, of, all);
}

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
  add_group<half>(rows, 0x20, t::f16);
  add_group<float>(rows, 0x40, t::f32);
  add_group<double>(rows, 0x60, t::f64);
  add_group<int16_t>(rows, 0xa0, t::i16);
  add_group<uint16_t>(rows, 0xa8, t::u16);
  add_group<int32_t>(rows, 0xc0, t::i32);
  add_group<uint32_t>(rows, 0xc8, t::u32);
  add_group<int64_t>(rows, 0xe0, t::i64);
  add_group<uint64_t>(rows, 0xe8, t::u64);
  return rows;
}

}  // namespace pws::isa
