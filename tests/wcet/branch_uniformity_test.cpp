// SPDX-License-Identifier: Apache-2.0
// Which branches are uniform in every run: what each kind of condition gives, and that no run shows otherwise. Every
// kernel whose branch may be divergent is run so that it is: an analysis that takes one of them for uniform fails.
#include "sw/wcet/uniformity/branch_uniformity.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "models/isa/opcode_row.h"
#include "tests/splitting/batch_run.h"

namespace pws::test::branch_uniformity_test {
namespace {

using wcet::branch_uniformity;
using wcet::condition_origin;

struct analysed_kernel {
  cfg::function_code code;
  isa::kernel_descriptor descriptor;
};

analysed_kernel code_of(const loader::program_image& program, const std::string& name) {
  const loader::found_kernel found = program.find_kernel(name);
  const loader::image image = found.object->load(0);
  const loader::kernel& k = *found.kernel;
  std::vector<uint32_t> words(k.code_size / 4);
  std::memcpy(words.data(), image.bytes.data() + (k.entry_offset - image.base), k.code_size);
  return {cfg::decode_function(name, words.data(), words.size(), k.entry_offset), k.descriptor};
}

struct branch_case {
  const char* name;
  std::string body;  // its last branch is the one in question
  bool uniform;
  condition_origin origin;
};

// v1: id; v2: hash; s7: an argument; s2: workgroup id; s[4:5]: address of a buffer, v[8:9]: of the work-item's bytes.
// v3 is compared with 5, and who has less takes the side.
std::string on_v3(const std::string& before) {
  return before +
         "  v_cmp_gt_u32 vcc, 5, v3\n  s_and_saveexec_b64 s[20:21], vcc\n  s_cbranch_execz L99\n"
         "  v_mov_b32 v4, 1\nL99:\n  s_or_b64 exec, exec, s[20:21]\n";
}
// `then` is executed by the work-items below 3 alone.
std::string for_some(const std::string& then, const std::string& label = "L98") {
  return "  v_cmp_gt_u32 vcc, 3, v1\n  s_and_saveexec_b64 s[22:23], vcc\n  s_cbranch_execz " + label + "\n" + then +
         label + ":\n  s_or_b64 exec, exec, s[22:23]\n";
}

std::vector<branch_case> cases() {
  using o = condition_origin;
  const std::string at_buffer = "  v_mov_b32 v16, s4\n  v_mov_b32 v17, s5\n";
  const std::string wait = "  s_waitcnt vmcnt(0) & lgkmcnt(0)\n";
  return {
      // Uniform
      {"constant", on_v3("  v_mov_b32 v3, 4\n"), true, o::constant},
      {"argument", on_v3("  v_mov_b32 v3, s7\n"), true, o::scalar},
      {"workgroup_id", on_v3("  v_mov_b32 v3, s2\n"), true, o::scalar},
      {"first_lane", on_v3("  v_readfirstlane_b32 s30, v1\n  v_mov_b32 v3, s30\n"), true, o::scalar},
      {"a_lane", on_v3("  v_readlane_b32 s30, v1, 7\n  v_add_u32 v3, vcc, s30, s30\n"), true, o::scalar},
      {"arithmetic", on_v3("  v_mov_b32 v3, s7\n  v_mul_lo_u32 v3, v3, v3\n  v_cvt_f32_u32 v3, v3\n"), true, o::scalar},
      {"lds_load_of_one_address", on_v3("  v_mov_b32 v16, 8\n  ds_read_b32 v3, v16\n" + wait), true, o::equal_load},
      {"in_a_divergent_if", for_some(on_v3("  v_mov_b32 v3, s7\n")), true, o::scalar},
      {"scalar_branch", "  s_cmp_eq_u32 s7, 1\n  s_cbranch_scc1 L1\nL1:\n", true, o::scalar},
      {"vcc_of_arguments", "  v_mov_b32 v3, s7\n  v_cmp_eq_u32 vcc, s6, v3\n  s_cbranch_vccnz L1\nL1:\n", true,
       o::scalar},
      {"vcc_ones", "  s_mov_b64 vcc, -1\n  s_cbranch_vccnz L1\nL1:\n", true, o::constant},
      {"uniform_masks",
       "  v_mov_b32 v3, s7\n  v_cmp_eq_u32 s[30:31], s6, v3\n  v_cmp_eq_u32 vcc, s8, v3\n"
       "  s_or_b64 vcc, vcc, s[30:31]\n  s_and_saveexec_b64 s[20:21], vcc\n  v_mov_b32 v4, 1\n"
       "  s_or_b64 exec, exec, s[20:21]\n",
       true, o::scalar},
      {"selected_by_a_uniform_mask",
       on_v3("  v_mov_b32 v3, s7\n  v_cmp_eq_u32 vcc, s6, v3\n  v_mov_b32 v16, s8\n  v_cndmask_b32 v3, v3, v16, vcc\n"),
       true, o::scalar},
      {"counter_of_a_uniform_loop",
       "  v_mov_b32 v3, 0\nL1:\n  v_add_u32 v3, vcc, 1, v3\n  v_cmp_gt_u32 vcc, 5, v3\n  s_cbranch_vccnz L1\n", true,
       o::constant},
      {"loop_that_all_leave_at_once",
       "  v_mov_b32 v3, 0\n  s_mov_b64 s[30:31], exec\nL1:\n  v_add_u32 v3, vcc, 1, v3\n  v_cmp_lt_u32 vcc, 5, v3\n"
       "  s_andn2_b64 exec, exec, vcc\n  s_cbranch_execnz L1\n  s_mov_b64 exec, s[30:31]\n",
       true, o::constant},
      {"compare_to_exec",
       "  v_mov_b32 v3, s7\n  s_mov_b64 s[20:21], exec\n  v_cmpx_gt_u32 vcc, 5, v3\n"
       "  s_mov_b64 exec, s[20:21]\n",
       true, o::scalar},
      {"unreached", "  s_branch L1\n  v_cmp_gt_u32 vcc, 5, v1\n  s_cbranch_vccnz L1\nL1:\n", true, o::unreached},
      // May be divergent
      {"id", on_v3("  v_mov_b32 v3, v1\n"), false, o::work_item_id},
      {"id_itself",
       "  v_cmp_gt_u32 vcc, 5, v0\n  s_and_saveexec_b64 s[20:21], vcc\n  v_mov_b32 v4, 1\n"
       "  s_or_b64 exec, exec, s[20:21]\n",
       false, o::work_item_id},
      {"id_and_argument", on_v3("  v_add_u32 v3, vcc, s7, v1\n"), false, o::work_item_id},
      {"load", on_v3("  flat_store_dword v[8:9], v1\n" + wait + "  flat_load_dword v3, v[8:9]\n" + wait), false,
       o::load},
      {"lds_load", on_v3("  ds_write_b32 v10, v1\n" + wait + "  ds_read_b32 v3, v10\n" + wait), false, o::load},
      {"atomic", on_v3(at_buffer + "  v_mov_b32 v18, 1\n  flat_atomic_add v3, v[16:17], v18 glc\n" + wait), false,
       o::atomic},
      {"lds_atomic",
       on_v3("  v_mov_b32 v16, 16\n  v_mov_b32 v17, 0\n  ds_write_b32 v16, v17\n  v_mov_b32 v17, 1\n" + wait +
             "  ds_add_rtn_u32 v3, v16, v17\n" + wait),
       false, o::atomic},
      {"lane_number", on_v3("  v_mbcnt_lo_u32_b32 v3, -1, 0\n"), false, o::lane_exchange},
      {"lane_number_and_argument", on_v3("  v_mov_b32 v16, s7\n  v_mbcnt_lo_u32_b32 v3, -1, v16\n"), false,
       o::lane_exchange},
      // Work-item 1's neighbour is not active, and gives 0.
      {"one_value_swizzled", for_some(on_v3("  v_mov_b32 v16, 9\n  ds_swizzle_b32 v3, v16 offset:0x081f\n" + wait)),
       false, o::lane_exchange},
      {"other_row",
       on_v3("  v_mov_b32 v16, 9\n  v_mov_b32 v3, 1\n  s_nop 1\n  v_mov_b32_dpp v3, v16 row_shr:1 row_mask:0xf "
             "bank_mask:0xf\n"),
       false, o::lane_exchange},
      {"written_lane", on_v3("  v_mov_b32 v3, 9\n  s_mov_b32 s30, 1\n  v_writelane_b32 v3, s30, 7\n"), false,
       o::lane_exchange},
      {"swizzled", on_v3("  ds_swizzle_b32 v3, v1 offset:0x801f\n" + wait), false, o::lane_exchange},
      {"permuted", on_v3("  v_lshlrev_b32 v16, 2, v1\n  ds_bpermute_b32 v3, v16, v1\n" + wait), false,
       o::lane_exchange},
      {"selected_by_ids",
       on_v3("  v_mov_b32 v3, 1\n  v_mov_b32 v16, 9\n  v_cmp_gt_u32 vcc, 3, v1\n  v_cndmask_b32 v3, v3, v16, vcc\n"),
       false, o::work_item_id},
      {"carry_of_ids", on_v3("  v_add_u32 v16, vcc, -3, v1\n  v_mov_b32 v3, 4\n  v_addc_u32 v3, vcc, 0, v3, vcc\n"),
       false, o::work_item_id},
      {"carry_of_a_carry",
       "  v_mov_b32 v17, -1\n  v_add_u32 v16, vcc, -3, v1\n  v_addc_u32 v3, vcc, 0, v17, vcc\n"
       "  s_and_saveexec_b64 s[20:21], vcc\n  v_mov_b32 v4, 1\n  s_or_b64 exec, exec, s[20:21]\n",
       false, o::work_item_id},
      {"written_by_some", on_v3("  v_mov_b32 v3, 9\n" + for_some("  v_mov_b32 v3, 1\n")), false, o::other_lanes},
      {"written_by_both_sides",
       on_v3("  v_cmp_gt_u32 vcc, 3, v1\n  s_and_saveexec_b64 s[22:23], vcc\n  s_xor_b64 s[22:23], exec, s[22:23]\n"
             "  v_mov_b32 v3, 1\n  s_or_saveexec_b64 s[24:25], s[22:23]\n  s_xor_b64 exec, exec, s[24:25]\n"
             "  v_mov_b32 v3, 9\n  s_or_b64 exec, exec, s[24:25]\n"),
       false, o::other_lanes},
      {"added_to_by_some",
       on_v3("  v_mov_b32 v3, 4\n" + for_some("  v_add_u32 v3, vcc, s7, v3\n  v_add_u32 v3, vcc, "
                                              "1, v3\n")),
       false, o::other_lanes},
      // A work-item's value is that of the iteration in which it left.
      {"after_a_loop_that_some_leave_early",
       on_v3(
           "  v_mov_b32 v3, 0\n  s_mov_b64 s[30:31], exec\nL1:\n  v_add_u32 v3, vcc, 1, v3\n"
           "  v_cmp_gt_u32 vcc, v3, v1\n  s_andn2_b64 exec, exec, vcc\n  s_cbranch_execz L2\n  s_cmp_lg_u32 s99, s98\n"
           "  v_cmp_gt_u32 vcc, 20, v3\n  s_cbranch_vccnz L1\nL2:\n  s_mov_b64 exec, s[30:31]\n"),
       false, o::other_lanes},
      {"exchanged_in_a_loop",
       on_v3("  v_mov_b32 v3, 9\n  v_mov_b32 v16, v1\n  s_mov_b32 s30, 3\nL1:\n  v_mov_b32 v17, v3\n"
             "  v_mov_b32 v3, v16\n  v_mov_b32 v16, v17\n  s_sub_u32 s30, s30, 1\n  s_cmp_lg_u32 s30, 0\n"
             "  s_cbranch_scc1 L1\n"),
       false, o::work_item_id},
      {"on_one_of_two_ways",
       on_v3("  v_mov_b32 v3, s7\n  s_cmp_eq_u32 s7, 99\n  s_cbranch_scc1 L1\n  v_mov_b32 v3, v1\nL1:\n"), false,
       o::work_item_id},
      {"vcc_of_ids", "  v_cmp_gt_u32 vcc, 5, v1\n  s_cbranch_vccnz L1\nL1:\n", false, o::work_item_id},
      {"vcc_of_one_bit", "  s_mov_b64 vcc, 1\n  s_cbranch_vccnz L1\nL1:\n", false, o::other_lanes},
      {"mask_of_others",
       for_some("  v_mov_b32 v3, 1\n  v_cmp_eq_u32 s[30:31], 1, v3\n") +
           "  s_and_saveexec_b64 s[20:21], s[30:31]\n  v_mov_b32 v4, 1\n  s_or_b64 exec, exec, s[20:21]\n",
       false, o::other_lanes},
      {"mask_of_others_in_one_block",
       "  v_cmp_gt_u32 vcc, 3, v1\n  s_and_saveexec_b64 s[22:23], vcc\n  v_mov_b32 v3, 1\n"
       "  v_cmp_eq_u32 s[30:31], 1, v3\n  s_or_b64 exec, exec, s[22:23]\n  s_and_saveexec_b64 s[20:21], s[30:31]\n"
       "  v_mov_b32 v4, 1\n  s_or_b64 exec, exec, s[20:21]\n",
       false, o::other_lanes},
      {"mask_and_mask",
       "  v_mov_b32 v3, s7\n  v_cmp_eq_u32 s[30:31], s7, v3\n  v_cmp_gt_u32 vcc, 5, v1\n"
       "  s_and_b64 vcc, vcc, s[30:31]\n  s_and_saveexec_b64 s[20:21], vcc\n  v_mov_b32 v4, 1\n"
       "  s_or_b64 exec, exec, s[20:21]\n",
       false, o::work_item_id},
      {"negated_mask",
       "  v_cmp_gt_u32 vcc, 5, v1\n  s_not_b64 vcc, vcc\n  s_and_saveexec_b64 s[20:21], vcc\n  v_mov_b32 v4, 1\n"
       "  s_or_b64 exec, exec, s[20:21]\n",
       false, o::work_item_id},
      {"loop_that_some_leave_early",
       "  v_mov_b32 v3, 0\n  s_mov_b64 s[30:31], exec\nL1:\n  v_add_u32 v3, vcc, 1, v3\n  v_cmp_gt_u32 vcc, v3, v1\n"
       "  s_andn2_b64 exec, exec, vcc\n  s_cbranch_execnz L1\n  s_mov_b64 exec, s[30:31]\n",
       false, o::work_item_id},
      {"compare_to_exec_of_ids", "  s_mov_b64 s[20:21], exec\n  v_cmpx_gt_u32 vcc, 5, v1\n  s_mov_b64 exec, s[20:21]\n",
       false, o::work_item_id},
      {"moved_to_exec",
       "  s_mov_b64 s[20:21], exec\n  v_cmp_gt_u32 vcc, 5, v1\n  s_and_b64 s[22:23], s[20:21], vcc\n"
       "  s_mov_b64 exec, s[22:23]\n  v_mov_b32 v4, 1\n  s_mov_b64 exec, s[20:21]\n",
       false, o::work_item_id},
      {"relative_register", on_v3("  v_mov_b32 v3, 9\n  s_mov_b32 m0, 2\n  v_movreld_b32 v1, v1\n  s_mov_b32 m0, -1\n"),
       false, o::call},
  };
}

struct all_cases {
  std::vector<branch_case> list = cases();
  loader::program_image program = [this] {
    assembly_file file;
    for (size_t k = 0; k < list.size(); ++k) {
      std::string body = list[k].body;  // labels of its own
      for (size_t at = 0; (at = body.find('L', at)) != std::string::npos; ++at)
        if (at + 1 < body.size() && isdigit(body[at + 1]) != 0) body.replace(at, 1, fmt::format("K{}_", k));
      file.add_kernel(body);
    }
    return assemble(file.text());
  }();
};
const all_cases& all() {
  static const all_cases a;
  return a;
}

TEST(branch_uniformity, of_each_kind_of_condition) {
  for (size_t k = 0; k < all().list.size(); ++k) {
    const branch_case& c = all().list[k];
    const analysed_kernel kernel = code_of(all().program, fmt::format("k{}", k));
    const cfg::flow_graph graph(kernel.code);
    const auto branches = wcet::analyse_uniformity(graph, kernel.descriptor);
    ASSERT_FALSE(branches.empty());
    const branch_uniformity& b = branches.back();
    EXPECT_EQ(b.uniform, c.uniform) << c.name;
    EXPECT_STREQ(name_of(b.origin), name_of(c.origin)) << c.name;
    EXPECT_EQ(b.serialised_for_nothing(), c.uniform && b.site.kind == cfg::branch_kind::narrowing) << c.name;
    EXPECT_TRUE(branches.front().uniform) << "the common beginning's scalar branch";
  }
}

// Measured: uniform ones never diverge, and the others do, so that none of them may be called uniform.
TEST(branch_uniformity, of_each_kind_of_condition_as_it_runs) {
  std::vector<batch_launch> launches;
  for (size_t k = 0; k < all().list.size(); ++k)
    for (const uint32_t value : {0, 1}) {
      batch_launch l;
      l.kernel = fmt::format("k{}", k);
      l.work_items = 64;
      l.value = value;
      launches.push_back(l);
    }
  models::machine_config m;
  m.fidelity = models::fidelity::functional;
  m.trace.branch_uniformity = true;
  const batch_report r = run_batch(m, all().program, launches);
  ASSERT_EQ(r.launches.back().error, "");
  const auto kernels = nlohmann::ordered_json::parse(r.branches);
  ASSERT_EQ(kernels.size(), all().list.size());
  for (size_t k = 0; k < all().list.size(); ++k) {
    const auto& branch = kernels[k]["each"].back();
    EXPECT_EQ(branch["proved_uniform"], all().list[k].uniform) << all().list[k].name;
    EXPECT_EQ(branch["divergent"] == 0, all().list[k].uniform) << all().list[k].name << branch;
  }
}

TEST(branch_uniformity, chain_goes_back_to_the_origin) {
  const auto at = std::find_if(all().list.begin(), all().list.end(),
                               [](const branch_case& c) { return std::string(c.name) == "id_and_argument"; });
  const analysed_kernel kernel = code_of(all().program, fmt::format("k{}", at - all().list.begin()));
  const cfg::flow_graph graph(kernel.code);
  const branch_uniformity b = wcet::analyse_uniformity(graph, kernel.descriptor).back();
  std::string chain;
  for (const size_t k : b.chain) chain += std::string(kernel.code.instructions[k].row->mnemonic) + " ";
  EXPECT_EQ(chain, "v_cmp_gt_u32 v_add_u32 v_add_u32 ") << "the compare, the sum, and the id's own sum with v0";
}

// An address that is an argument may be one of scratch, where each work-item has memory of its own.
TEST(branch_uniformity, of_a_load_where_the_arguments_are_known) {
  assembly_file file;
  file.add_kernel(
      on_v3("  v_mov_b32 v16, s4\n  v_mov_b32 v17, s5\n  flat_load_dword v3, v[16:17]\n"
            "  s_waitcnt vmcnt(0) & lgkmcnt(0)\n"));
  const auto program = assemble(file.text());
  const analysed_kernel kernel = code_of(program, "k0");
  const cfg::flow_graph graph(kernel.code);
  EXPECT_FALSE(wcet::analyse_uniformity(graph, kernel.descriptor).back().uniform);

  wcet::launch_facts facts;
  facts.descriptor = kernel.descriptor;
  facts.workgroup = {64, 1, 1};
  facts.grid = {128, 1, 1};
  facts.kernarg.assign(32, 0);
  const auto judged = [&](uint32_t upper_half) {
    std::memcpy(facts.kernarg.data() + 4, &upper_half, sizeof upper_half);
    return wcet::analyse_uniformity(graph, facts, wcet::wave_kinds(facts)).back();
  };
  EXPECT_TRUE(judged(1).uniform);
  EXPECT_STREQ(name_of(judged(1).origin), "equal-load");
  EXPECT_FALSE(judged(facts.apertures.scratch).uniform);
  EXPECT_TRUE(judged(facts.apertures.lds).uniform);
}

// By the work-item's own number: not in a wavefront of 64, but in one that has a single work-item. In whichever order.
TEST(branch_uniformity, in_all_kinds_of_wavefronts) {
  assembly_file file;
  file.add_kernel(on_v3("  v_and_b32 v3, 7, v0\n"));
  const auto program = assemble(file.text());
  const analysed_kernel kernel = code_of(program, "k0");
  const cfg::flow_graph graph(kernel.code);
  wcet::launch_facts facts;
  facts.descriptor = kernel.descriptor;
  facts.grid = facts.workgroup = {64, 1, 1};
  facts.kernarg.assign(32, 0);
  const wcet::wave_kind whole = wcet::wave_kinds(facts).at(0);
  facts.grid = facts.workgroup = {1, 1, 1};
  const wcet::wave_kind one = wcet::wave_kinds(facts).at(0);
  EXPECT_TRUE(wcet::analyse_uniformity(graph, facts, {one}).back().uniform);
  EXPECT_FALSE(wcet::analyse_uniformity(graph, facts, {whole}).back().uniform);
  EXPECT_FALSE(wcet::analyse_uniformity(graph, facts, {whole, one}).back().uniform);
  EXPECT_FALSE(wcet::analyse_uniformity(graph, facts, {one, whole}).back().uniform);
}

TEST(branch_uniformity, refuses_code_without_a_graph) {
  assembly_file file;
  file.add_kernel("  s_cbranch_join s4\n");
  const auto program = assemble(file.text());
  const analysed_kernel kernel = code_of(program, "k0");
  EXPECT_ANY_THROW(wcet::analyse_uniformity(cfg::flow_graph(kernel.code), kernel.descriptor));
}

// No random program diverges where it was proved not to, whatever its work-items choose.
TEST(branch_uniformity, of_random_programs) {
  uint64_t proved = 0, diverged = 0;
  for (uint64_t first = 0; first < 60; first += 20) {
    assembly_file file;
    std::vector<batch_launch> launches;
    for (uint64_t n = 0; n < 20; ++n) {
      file.add_program(1000 + first + n, {});
      for (const uint32_t mul : {1u << 16, 0x9e3779b1u, 0u}) {
        batch_launch l;
        l.kernel = fmt::format("k{}", n);
        l.work_items = 200;
        l.workgroup = 128;
        l.mul = mul;
        launches.push_back(l);
      }
    }
    models::machine_config m;
    m.fidelity = models::fidelity::functional;
    m.trace.branch_uniformity = true;
    const batch_report r = run_batch(m, assemble(file.text()), launches);
    for (const auto& k : nlohmann::ordered_json::parse(r.branches)) {
      EXPECT_EQ(k["contradictions"]["value"], 0) << k;
      EXPECT_FALSE(k.contains("not_analysed")) << k["not_analysed"];
      proved += k["proved_uniform"]["value"].get<uint64_t>();
      for (const auto& b : k["each"]) diverged += b["divergent"] != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(proved, 60u) << "more than the common beginnings' branches";
  EXPECT_GT(diverged, 60u);
}

}  // namespace
}  // namespace pws::test::branch_uniformity_test
