// SPDX-License-Identifier: Apache-2.0
#include "tests/splitting/split_program.h"

#include <fmt/format.h>

namespace pws::test {

// Registers: s[4:5] out, s6 mode, s7 value, s8 mul, s9 add; s[20:21]... by depth: saved EXEC, s[40:41]... lane masks,
// s[60:61]... EXEC around loops, s80... counters. v1 id, v2 hash, v4..v7 values, v[8:9] address, v10 LDS address,
// v12... loop counters, v20... carried lane masks.
class assembly_file::writer {
 public:
  writer(uint64_t seed, const program_options& options, unsigned kernel)
      : random_(seed), options_(options), kernel_(kernel) {}

  std::string program() {
    block(0);
    emit("v_add_u32 v3, vcc, 16, v8");
    emit("v_mov_b32 v11, v9");
    emit("v_addc_u32 v11, vcc, 0, v9, vcc");
    emit("v_mov_b32 v8, v3");
    emit("v_mov_b32 v9, v11");
    emit("flat_store_dwordx4 v[8:9], v[4:7]");
    return code_;
  }

  std::string timed_tree(unsigned depth, tree& t) {
    emit("s_movk_i32 s90, 4");
    const std::string again = label();
    place(again);
    emit("s_memtime s[92:93]");
    emit("s_waitcnt lgkmcnt(0)");
    emit("s_nop 7");
    node(0, depth, 0, 0, t);
    emit("s_memtime s[94:95]");
    emit("s_waitcnt lgkmcnt(0)");
    emit("s_sub_u32 s90, s90, 1");
    emit("s_cmp_lg_u32 s90, 0");
    emit("s_cbranch_scc1 " + again);
    emit("s_sub_u32 s94, s94, s92");
    emit("v_mov_b32 v3, s94");
    emit("flat_store_dword v[8:9], v3");
    emit("s_nop 7");
    return code_;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  void emit(const std::string& line) { code_ += "  " + line + "\n"; }
  void place(const std::string& l) { code_ += l + ":\n"; }
  std::string label() { return fmt::format(".L{}_{}", kernel_, labels_++); }
  void split() { emit(".long 0xbf147f7e  // split exec_lo, exec_hi"); }
  void merge() { emit(".long 0xbf150000  // merge"); }
  static std::string pair(unsigned first) { return fmt::format("s[{}:{}]", first, first + 1); }

  void arithmetic() {
    const unsigned d = 4 + below(4), a = 4 + below(4), b = 4 + below(4);
    switch (below(9)) {
      case 0:
        return emit(fmt::format("v_add_u32 v{}, vcc, v{}, v{}", d, a, b));
      case 1:
        return emit(fmt::format("v_xor_b32 v{}, v{}, v{}", d, a, b));
      case 2:
        return emit(fmt::format("v_mul_lo_u32 v{}, v{}, v{}", d, a, b));
      case 3:
        return emit(fmt::format("v_alignbit_b32 v{}, v{}, v{}, {}", d, a, b, below(32)));
      case 4:
        return emit(fmt::format("v_sub_u32 v{}, vcc, v{}, v{}", d, a, b));
      case 5:
        return emit(fmt::format("v_mad_u32_u24 v{}, v{}, v{}, v{}", d, a, b, d));
      case 6:
        emit(fmt::format("v_cmp_lt_u32 vcc, v{}, v{}", a, b));
        return emit(fmt::format("v_cndmask_b32 v{}, v{}, v{}, vcc", d, a, b));
      case 7:
        emit(fmt::format("s_movk_i32 s18, {}", below(30000)));
        emit(fmt::format("s_lshl_b32 s18, s18, {}", below(8)));
        return emit(fmt::format("v_add_u32 v{}, vcc, s18, v{}", d, a));
      default:
        return emit(fmt::format("v_xor_b32 v{}, {}, v{}", d, below(65), a));
    }
  }
  void some_arithmetic(unsigned most) {
    for (unsigned n = 1 + below(most); n != 0; --n) {
      if (options_.more && chance(70))
        code_ += options_.more();
      else
        arithmetic();
    }
  }

  // VCC: what this if asks of the work-items.
  void condition() {
    if (chance(60)) {
      emit(fmt::format("v_and_b32 v3, {}, v2", 1u << below(6)));
      emit("v_cmp_ne_u32 vcc, 0, v3");
    } else if (chance(70)) {
      emit(fmt::format("v_and_b32 v3, 63, v{}", 4 + below(4)));
      emit(fmt::format("v_cmp_gt_u32 vcc, {}, v3", below(65)));
    } else {
      emit(fmt::format("v_cmp_{}_u32 vcc, v2, v2", chance(50) ? "eq" : "ne"));  // all on one side
    }
  }

  template <class Then, class Else>
  void if_else(unsigned depth, bool splits, Then then_side, Else else_side) {
    const std::string other = label(), end = label(), saved = pair(20 + 2 * depth);
    emit(fmt::format("s_and_saveexec_b64 {}, vcc", saved));
    emit(fmt::format("s_xor_b64 {}, exec, {}", saved, saved));
    if (splits) split();
    emit("s_cbranch_execz " + other);
    then_side();
    place(other);
    emit(fmt::format("s_or_saveexec_b64 {}, {}", saved, saved));
    emit(fmt::format("s_xor_b64 exec, exec, {}", saved));
    emit("s_cbranch_execz " + end);
    else_side();
    place(end);
    emit(fmt::format("s_or_b64 exec, exec, {}", saved));
  }

  void branch(unsigned depth) {
    const bool splits = chance(options_.split_percent);
    condition();
    const bool one_armed = chance(25);
    const auto side = [&](bool has_block) {
      const unsigned before = open_splits_;
      if (splits && before == 0 && options_.open_splits != 0 && chance(20)) open_splits_ = options_.open_splits;
      for (unsigned k = before; k < open_splits_; ++k) split();
      if (has_block) block(depth + 1);
      early_end();
      for (unsigned k = before; k < open_splits_; ++k) merge();
      open_splits_ = before;
    };
    if_else(
        depth, splits, [&] { side(true); }, [&] { side(!one_armed); });
    if (splits) merge();
  }

  // Ends the path, with all its work-items, if one of them has a value that not all have.
  void early_end() {
    if (!options_.early_ends || !chance(options_.early_end_percent)) return;
    const std::string on = label();
    emit(fmt::format("v_and_b32 v3, {}, v2", 1u << below(6)));
    emit("v_cmp_ne_u32 vcc, 0, v3");
    emit("s_cbranch_vccz " + on);
    if (options_.more && chance(60)) code_ += options_.more();  // whose result is under way when it ends
    emit("s_endpgm");
    place(on);
  }

  // A bool that both sides write and that is used behind the merge: each side's work-items go through v20 + depth.
  void boolean(unsigned depth) {
    const std::string mask = pair(40 + 2 * depth);
    const unsigned carrier = 20 + depth;
    const bool splits = chance(options_.split_percent);
    const auto define = [&](const char* compare) {
      block(depth + 1);
      emit(fmt::format("v_cmp_{}_u32 vcc, v{}, v{}", compare, 4 + below(4), 4 + below(4)));
      emit(fmt::format("s_andn2_b64 {}, {}, exec", mask, mask));
      emit("s_and_b64 s[10:11], vcc, exec");
      emit(fmt::format("s_or_b64 {}, {}, s[10:11]", mask, mask));
    };
    emit(fmt::format("s_mov_b64 {}, 0", mask));
    condition();
    if_else(
        depth, splits, [&] { define("lt"); }, [&] { define("ge"); });
    if (splits) {
      emit(fmt::format("v_cndmask_b32_e64 v{}, 0, 1, {}", carrier, mask));
      merge();
      emit(fmt::format("v_cmp_ne_u32_e64 {}, 0, v{}", mask, carrier));
    }
    emit(fmt::format("v_cndmask_b32_e64 v3, v4, v5, {}", mask));
    emit("v_xor_b32 v6, v3, v6");
  }

  void divergent_loop(unsigned depth) {
    const std::string saved = pair(60 + 2 * depth), again = label(), done = label();
    const unsigned counter = 12 + depth;
    emit(fmt::format("v_bfe_u32 v{}, v2, {}, 2", counter, below(6)));
    emit(fmt::format("s_mov_b64 {}, exec", saved));
    place(again);
    emit(fmt::format("v_cmp_ne_u32 vcc, 0, v{}", counter));
    emit("s_and_b64 exec, exec, vcc");
    emit("s_cbranch_execz " + done);
    block(depth + 1);
    emit(fmt::format("v_add_u32 v{}, vcc, -1, v{}", counter, counter));
    emit("s_branch " + again);
    place(done);
    emit(fmt::format("s_mov_b64 exec, {}", saved));
  }

  void uniform_loop(unsigned depth) {
    const std::string again = label();
    const unsigned counter = 80 + depth;
    emit(fmt::format("s_movk_i32 s{}, {}", counter, 1 + below(3)));
    place(again);
    block(depth + 1);
    emit(fmt::format("s_sub_u32 s{}, s{}, 1", counter, counter));
    emit(fmt::format("s_cmp_lg_u32 s{}, 0", counter));
    emit("s_cbranch_scc1 " + again);
  }

  void own_memory() {
    emit(fmt::format("flat_store_dword v[8:9], v{}", 4 + below(4)));
    some_arithmetic(2);
    emit("s_waitcnt vmcnt(0) lgkmcnt(0)");
    emit("flat_load_dword v3, v[8:9]");
    if (chance(50))
      emit("s_waitcnt vmcnt(0) lgkmcnt(0)");
    else
      emit("s_waitcnt vmcnt(0) & lgkmcnt(0)");
    emit("v_add_u32 v4, vcc, v3, v4");
  }
  void own_lds() {
    emit(fmt::format("ds_write_b32 v10, v{}", 4 + below(4)));
    some_arithmetic(2);
    emit("ds_read_b32 v3, v10");
    emit("s_waitcnt lgkmcnt(0)");
    emit("v_xor_b32 v5, v3, v5");
  }
  // A neighbour's value through LDS; outside of every branch.
  void exchange() {
    emit("ds_write_b32 v10, v4");
    emit("s_waitcnt lgkmcnt(0)");
    emit("s_barrier");
    emit(fmt::format("v_xor_b32 v3, {}, v10", 4 << below(6)));
    emit("ds_read_b32 v3, v3");
    emit("s_waitcnt lgkmcnt(0)");
    emit("v_add_u32 v7, vcc, v3, v7");
    emit("s_barrier");
  }

  void statement(unsigned depth) {
    const bool deeper = depth < options_.depth;
    switch (below(9)) {
      case 0:
      case 1:
      case 2:
        return deeper ? branch(depth) : some_arithmetic(3);
      case 3:
        return deeper && options_.booleans ? boolean(depth) : some_arithmetic(3);
      case 4:
        return deeper && options_.loops && loops_ < 3 ? loop(depth) : some_arithmetic(3);
      case 5:
        return options_.memory ? own_memory() : some_arithmetic(3);
      case 6:
        return options_.lds ? own_lds() : some_arithmetic(3);
      case 7:
        return options_.barriers && depth == 0 ? exchange() : some_arithmetic(3);
      default:
        return some_arithmetic(6);
    }
  }
  void loop(unsigned depth) {
    ++loops_;  // around what is inside
    if (chance(60))
      divergent_loop(depth);
    else
      uniform_loop(depth);
    --loops_;
  }
  void block(unsigned depth) {
    const unsigned n = depth == 0 ? 2 + options_.statements : 1 + below(options_.statements);
    for (unsigned k = 0; k < n; ++k) statement(depth);
  }

  // ---- trees

  void node(unsigned depth, unsigned deepest, uint32_t path, uint32_t bits, tree& t) {
    if (depth == deepest || (depth != 0 && chance(25))) {
      const std::string before = code_;
      const unsigned n = 1 + below(24);
      uint32_t valu = 0;
      for (unsigned k = 0; k < n; ++k) {
        const size_t from = code_.size();
        arithmetic();
        for (size_t at = code_.find("  v_", from); at != std::string::npos; at = code_.find("  v_", at + 1)) ++valu;
        if (chance(10)) emit(fmt::format("s_nop {}", below(8)));
      }
      t.leaves.push_back({path, bits, valu});
      return;
    }
    emit(fmt::format("v_and_b32 v3, {}, v2", 1u << depth));
    emit("v_cmp_ne_u32 vcc, 0, v3");
    const uint32_t bit = 1u << depth;
    if_else(
        depth, true, [&] { node(depth + 1, deepest, path | bit, bits | bit, t); },
        [&] { node(depth + 1, deepest, path, bits | bit, t); });
    merge();
  }

  std::mt19937_64 random_;
  program_options options_;
  unsigned kernel_, labels_ = 0, loops_ = 0, open_splits_ = 0;
  std::string code_;
};

std::string split_on(uint32_t bit, unsigned depth, const std::string& then_side, const std::string& other_side) {
  static unsigned labels = 0;
  const std::string saved = fmt::format("s[{}:{}]", 20 + 2 * depth, 21 + 2 * depth);
  const std::string tag = fmt::format("{}_{}", depth, labels++);
  return fmt::format(
      "  v_and_b32 v3, {1}, v2\n  v_cmp_ne_u32 vcc, 0, v3\n  s_and_saveexec_b64 {0}, vcc\n"
      "  s_xor_b64 {0}, exec, {0}\n{2}  s_cbranch_execz else_{3}\n{4}else_{3}:\n"
      "  s_or_saveexec_b64 {0}, {0}\n  s_xor_b64 exec, exec, {0}\n  s_cbranch_execz end_{3}\n{5}"
      "end_{3}:\n  s_or_b64 exec, exec, {0}\n{6}",
      saved, bit, split_exec, tag, then_side, other_side, merge);
}

std::string repeated(const std::string& lines, unsigned times) {
  std::string text;
  for (unsigned k = 0; k < times; ++k) text += lines;
  return text;
}

const assembly_file::tree::leaf& assembly_file::tree::reached_by(uint32_t hash) const {
  for (const leaf& l : leaves)
    if ((hash & l.bits) == l.path) return l;
  throw std::logic_error("a hash that reaches no leaf");
}

void assembly_file::add_program(uint64_t seed, const program_options& options) {
  add_kernel(writer(seed, options, kernels_).program());
}

assembly_file::tree assembly_file::add_tree(uint64_t seed, unsigned depth) {
  tree t;
  add_kernel(writer(seed, {}, kernels_).timed_tree(depth, t));
  return t;
}

void assembly_file::add_kernel(const std::string& body) {
  add_bare_kernel(fmt::format(R"(  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx4 s[8:11], s[0:1], 0x10
  s_waitcnt lgkmcnt(0)
  s_mul_i32 s3, s2, s10
  v_add_u32 v1, vcc, s3, v0
  v_mul_lo_u32 v2, v1, s8
  v_add_u32 v2, vcc, s9, v2
  v_lshrrev_b32 v2, 16, v2
  s_cmp_eq_u32 s6, 0
  s_cbranch_scc1 k{0}_hashed
  v_mov_b32 v2, s7
k{0}_hashed:
  v_lshlrev_b32 v3, 5, v1
  v_mov_b32 v9, s5
  v_add_u32 v8, vcc, s4, v3
  v_addc_u32 v9, vcc, 0, v9, vcc
  v_lshlrev_b32 v10, 2, v0
  v_add_u32 v4, vcc, 17, v2
  v_xor_b32 v5, 35, v2
  v_mul_lo_u32 v6, v2, v2
  v_lshlrev_b32 v7, 7, v2
  s_mov_b32 m0, -1
{1}  s_endpgm
)",
                              kernels_, body));
}

void assembly_file::add_bare_kernel(const std::string& code, uint32_t scratch_bytes) {
  const std::string name = fmt::format("k{}", kernels_++);
  code_ += fmt::format(".globl {0}\n.p2align 8\n.type {0},@function\n{0}:\n{1}.size {0}, .-{0}\n", name, code);
  descriptors_ += fmt::format(R"(
.p2align 6
.amdhsa_kernel {}
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_group_segment_fixed_size {}
  .amdhsa_next_free_vgpr {}
  .amdhsa_next_free_sgpr 100
  .amdhsa_private_segment_fixed_size {}
  .amdhsa_user_sgpr_private_segment_buffer {}
  .amdhsa_system_sgpr_private_segment_wavefront_offset {}
.end_amdhsa_kernel
)",
                              name, 4 * largest_workgroup, vgprs_, scratch_bytes, scratch_bytes != 0 ? 1 : 0,
                              scratch_bytes != 0 ? 1 : 0);
  metadata_ += fmt::format(R"(
  - .name: {0}
    .symbol: {0}.kd
    .kernarg_segment_size: 32
    .kernarg_segment_align: 8
    .group_segment_fixed_size: {1}
    .private_segment_fixed_size: {3}
    .wavefront_size: 64
    .sgpr_count: 100
    .vgpr_count: {4}
    .max_flat_workgroup_size: {2}
    .args:
      - {{.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}}
      - {{.name: mode, .offset: 8, .size: 4, .value_kind: by_value}}
      - {{.name: value, .offset: 12, .size: 4, .value_kind: by_value}}
      - {{.name: mul, .offset: 16, .size: 4, .value_kind: by_value}}
      - {{.name: add, .offset: 20, .size: 4, .value_kind: by_value}}
      - {{.name: workgroup, .offset: 24, .size: 4, .value_kind: by_value}})",
                           name, 4 * largest_workgroup, largest_workgroup, scratch_bytes, vgprs_);
}

std::string assembly_file::text() const {
  return ".text\n" + code_ + "\n.fill 64, 4, 0xbf800000  // what is fetched behind the last instruction\n.rodata\n" +
         descriptors_ + "\n.amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:" + metadata_ +
         "\n...\n.end_amdgpu_metadata\n";
}

}  // namespace pws::test
