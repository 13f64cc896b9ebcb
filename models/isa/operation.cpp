// Mnemonics, read once: s_VERB_TYPE, v_VERB_TYPE, ds_VERB_TYPE, flat_load_SIZE and so on; and those that are named
// whole. What is in no list is `other`: a test holds which rows these are.
#include "models/isa/operation.h"

#include <algorithm>
#include <array>

#include "models/isa/opcode_row.h"

namespace pws::isa {

namespace {

template <class T>
struct entry {
  std::string_view text;
  T value;
};
template <class T, size_t N>
T find(const entry<T> (&list)[N], std::string_view text) {
  const auto found = std::find_if(std::begin(list), std::end(list), [&](const entry<T>& e) { return e.text == text; });
  return found == std::end(list) ? T{} : found->value;
}

// The words of a mnemonic between its underscores; those that it does not have are empty.
class words {
 public:
  explicit words(std::string_view text) {
    while (!text.empty() && n_ < words_.size()) {
      const size_t end = std::min(text.find('_'), text.size());
      words_[n_++] = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  std::string_view operator[](size_t k) const { return words_[k]; }
  bool have(std::string_view w) const { return std::find(words_.begin(), words_.end(), w) != words_.end(); }
  data_type type() const;

 private:
  std::array<std::string_view, 8> words_;
  size_t n_ = 0;
};

constexpr entry<data_type> types[] = {
    {"b8", data_type::b8},         {"u8", data_type::u8},        {"i8", data_type::i8},
    {"b16", data_type::b16},       {"u16", data_type::u16},      {"i16", data_type::i16},
    {"f16", data_type::f16},       {"u24", data_type::u24},      {"i24", data_type::i24},
    {"b32", data_type::b32},       {"u32", data_type::u32},      {"i32", data_type::i32},
    {"f32", data_type::f32},       {"b64", data_type::b64},      {"u64", data_type::u64},
    {"i64", data_type::i64},       {"f64", data_type::f64},      {"b96", data_type::b96},
    {"b128", data_type::b128},     {"byte", data_type::b8},      {"ubyte", data_type::u8},
    {"sbyte", data_type::i8},      {"short", data_type::b16},    {"ushort", data_type::u16},
    {"sshort", data_type::i16},    {"dword", data_type::b32},    {"dwordx2", data_type::b64},
    {"dwordx3", data_type::b96},   {"dwordx4", data_type::b128}, {"dwordx8", data_type::b256},
    {"dwordx16", data_type::b512},
};

data_type words::type() const {
  for (size_t k = n_; k-- > 0;)
    if (const data_type t = find(types, words_[k]); t != data_type::none) return t;
  return data_type::none;
}

// Scalar and vector ALU.
constexpr entry<operation> verbs[] = {
    {"mov", operation::move},
    {"movk", operation::move},
    {"cmov", operation::conditional_move},
    {"cmovk", operation::conditional_move},
    {"cselect", operation::select},
    {"cndmask", operation::select},
    {"movrels", operation::move_relative_source},
    {"movreld", operation::move_relative_destination},
    {"movrelsd", operation::move_relative_both},
    {"and", operation::bit_and},
    {"or", operation::bit_or},
    {"xor", operation::bit_xor},
    {"andn2", operation::bit_andn2},
    {"orn2", operation::bit_orn2},
    {"nand", operation::bit_nand},
    {"nor", operation::bit_nor},
    {"xnor", operation::bit_xnor},
    {"not", operation::bit_not},
    {"add", operation::add},
    {"addk", operation::add},
    {"addc", operation::add_carry},
    {"sub", operation::subtract},
    {"subrev", operation::subtract},
    {"subb", operation::subtract_borrow},
    {"subbrev", operation::subtract_borrow},
    {"mul", operation::multiply},
    {"mulk", operation::multiply},
    {"mad", operation::multiply_add},
    {"min", operation::minimum},
    {"max", operation::maximum},
    {"min3", operation::minimum3},
    {"max3", operation::maximum3},
    {"med3", operation::median3},
    {"lshl", operation::shift_left},
    {"lshlrev", operation::shift_left},
    {"lshr", operation::shift_right},
    {"lshrrev", operation::shift_right},
    {"ashr", operation::shift_right},
    {"ashrrev", operation::shift_right},
    {"bfe", operation::bit_field_extract},
    {"sext", operation::sign_extend},
    {"cmp", operation::compare},
    {"cmpk", operation::compare},
    {"cmpx", operation::compare},
    {"bitcmp0", operation::compare_bit},
    {"bitcmp1", operation::compare_bit},
    {"readlane", operation::read_lane},
    {"writelane", operation::write_lane},
    {"readfirstlane", operation::read_first_lane},
    {"mbcnt", operation::count_lanes_below},
    {"setpc", operation::set_pc},
    {"swappc", operation::call},
    {"getpc", operation::get_pc},
    {"getreg", operation::get_hardware_register},
    {"setreg", operation::set_hardware_register},
};

constexpr entry<operation> whole_names[] = {
    {"s_cbranch_g_fork", operation::fork},
    {"s_cbranch_i_fork", operation::fork},
    {"s_cbranch_join", operation::join},
    {"s_endpgm", operation::end_program},
    {"s_endpgm_saved", operation::end_program},
    {"s_set_gpr_idx_on", operation::set_vector_register_indexing},
    {"s_set_gpr_idx_off", operation::set_vector_register_indexing},
    {"s_set_gpr_idx_idx", operation::set_vector_register_indexing},
    {"s_set_gpr_idx_mode", operation::set_vector_register_indexing},
    {"s_memtime", operation::read_clock},
    {"s_memrealtime", operation::read_clock},
    {"buffer_wbinvl1", operation::invalidate_vector_cache},
    {"buffer_wbinvl1_vol", operation::invalidate_vector_cache},
    {"s_dcache_inv", operation::invalidate_scalar_cache},
    {"s_dcache_inv_vol", operation::invalidate_scalar_cache},
    {"s_icache_inv", operation::invalidate_instruction_cache},
    {"s_nop", operation::nop},
    {"s_sleep", operation::sleep},
    {"s_trap", operation::trap},
    {"s_sethalt", operation::halt},
    {"s_sendmsg", operation::send_message},
    {"s_sendmsghalt", operation::send_message_and_halt},
    {"ds_nop", operation::lds_nop},
    {"ds_gws_barrier", operation::grid_barrier},
    {"ds_swizzle_b32", operation::swizzle},
    {"ds_permute_b32", operation::permute},
    {"ds_bpermute_b32", operation::permute},
    {"ds_ordered_count", operation::global_data_share},
};

constexpr entry<operation> lds_verbs[] = {
    {"read", operation::load},
    {"read2", operation::load},
    {"read2st64", operation::load},
    {"write", operation::store},
    {"write2", operation::store},
    {"write2st64", operation::store},
    {"add", operation::atomic},
    {"sub", operation::atomic},
    {"rsub", operation::atomic},
    {"inc", operation::atomic},
    {"dec", operation::atomic},
    {"min", operation::atomic},
    {"max", operation::atomic},
    {"and", operation::atomic},
    {"or", operation::atomic},
    {"xor", operation::atomic},
    {"mskor", operation::atomic},
    {"cmpst", operation::atomic},
    {"wrxchg", operation::atomic},
    {"wrxchg2", operation::atomic},
    {"wrxchg2st64", operation::atomic},
    {"wrap", operation::atomic},
    {"condxchg32", operation::atomic},
    {"append", operation::count_active_lanes},
    {"consume", operation::count_active_lanes},
    {"gws", operation::global_data_share},
};

constexpr entry<operation> memory_verbs[] = {{"load", operation::load},
                                             {"store", operation::store},
                                             {"atomic", operation::atomic},
                                             {"sample", operation::load},
                                             {"gather4", operation::load}};

constexpr entry<branch_condition> branches[] = {
    {"s_branch", branch_condition::always},
    {"s_cbranch_scc0", branch_condition::scc_zero},
    {"s_cbranch_scc1", branch_condition::scc_one},
    {"s_cbranch_vccz", branch_condition::vcc_zero},
    {"s_cbranch_vccnz", branch_condition::vcc_nonzero},
    {"s_cbranch_execz", branch_condition::exec_zero},
    {"s_cbranch_execnz", branch_condition::exec_nonzero},
    {"s_cbranch_cdbgsys", branch_condition::debugger},
    {"s_cbranch_cdbguser", branch_condition::debugger},
    {"s_cbranch_cdbgsys_or_user", branch_condition::debugger},
    {"s_cbranch_cdbgsys_and_user", branch_condition::debugger},
};

constexpr entry<relation> relations[] = {
    {"f", relation::never},
    {"lt", relation::less},
    {"eq", relation::equal},
    {"le", relation::less_or_equal},
    {"gt", relation::greater},
    {"ne", relation::not_equal},
    {"neq", relation::not_equal},
    {"ge", relation::greater_or_equal},
    {"t", relation::always},
    {"tru", relation::always},
    {"lg", relation::less_or_greater},
    {"o", relation::ordered},
    {"u", relation::unordered},
    {"nge", relation::not_greater_or_equal},
    {"nlg", relation::not_less_or_greater},
    {"ngt", relation::not_greater},
    {"nle", relation::not_less_or_equal},
    {"nlt", relation::not_less},
    {"class", relation::in_class},
};

bool is_float(data_type t) {
  return t == data_type::f16 || t == data_type::f32 || t == data_type::f64;
}

operation alu_operation(const words& w) {
  const operation o = find(verbs, w[1]);
  if (w[2] == "legacy") return operation::other;  // 0 times anything is 0
  return o == operation::multiply && w[2] == "hi" ? operation::multiply_high : o;
}

operation memory_operation(const words& w) {
  if (w[0] != "ds") return find(memory_verbs, w[0] == "s" && w[1] == "buffer" ? w[2] : w[1]);
  return w.have("src2") ? operation::atomic_from_lds : find(lds_verbs, w[1]);
}

data_type type_of(const words& w, operation o) {
  const bool in_vector_memory = w[0] == "flat" || w[0] == "buffer";
  if (o == operation::atomic && in_vector_memory) return w.have("x2") ? data_type::b64 : data_type::b32;
  return o == operation::count_active_lanes ? data_type::b32 : w.type();
}

bool puts_second_source_first(std::string_view verb) {
  constexpr std::string_view list[] = {"subrev", "subbrev", "lshlrev", "lshrrev", "ashrrev"};
  return std::find(std::begin(list), std::end(list), verb) != std::end(list);
}

}  // namespace

meaning meaning_of(std::string_view mnemonic) {
  const words w(mnemonic);
  meaning m;
  m.taken_if = find(branches, mnemonic);
  m.does = m.taken_if != branch_condition::none ? operation::branch : find(whole_names, mnemonic);
  if (m.does == operation::other && (w[0] == "s" || w[0] == "v")) m.does = alu_operation(w);
  if (m.does == operation::other && w[0] != "v") m.does = memory_operation(w);
  if (m.does == operation::other) return m;
  m.of = type_of(w, m.does);
  if (m.does == operation::compare) m.compares = find(relations, w[2]);
  if (m.does == operation::compare_bit) m.compares = w[1] == "bitcmp0" ? relation::equal : relation::not_equal;
  if (m.compares == relation::less_or_greater && !is_float(m.of)) m.compares = relation::not_equal;
  m.saves_exec = w[2] == "saveexec";
  m.reversed = puts_second_source_first(w[1]);
  return m;
}

std::vector<opcode_row> with_meaning(std::vector<opcode_row> rows) {
  for (opcode_row& r : rows) r.means = meaning_of(r.mnemonic);
  return rows;
}

}  // namespace pws::isa
