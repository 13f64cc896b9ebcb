// SPDX-License-Identifier: Apache-2.0
// Each wait is charged for whatever it may wait for, by whichever counter: kernels in assembly on machines with one
// latency out of proportion, all contexts of which run them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/run/program/machine_timing.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::waits_test {
namespace {

struct waiting {
  std::string name;
  std::string body;  // between the common beginning (v[8:9]: the work-item's bytes, v10: its LDS) and s_endpgm
};

// v[12:13]: the work-item's LDS by a FLAT address.
const std::string flat_lds = "  v_mov_b32 v12, v10\n  v_mov_b32 v13, 0x10000\n";
const std::string wait_vm = "  s_waitcnt vmcnt(0)\n", wait_lgkm = "  s_waitcnt lgkmcnt(0)\n", wait_none = "  s_nop 0\n",
                  wait_both = "  s_waitcnt vmcnt(0) lgkmcnt(0)\n";
const std::string mixed =
    "  v_and_b32 v3, 1, v0\n  v_cmp_eq_u32 vcc, 0, v3\n  v_cndmask_b32 v12, v8, v10, vcc\n"
    "  v_mov_b32 v14, 0x10000\n  v_cndmask_b32 v13, v9, v14, vcc\n";

const std::vector<waiting> kernels = {
    {"flat_load_of_lds_by_vmcnt", flat_lds + repeated("  flat_load_dword v3, v[12:13]\n" + wait_vm, 12)},
    {"flat_load_of_lds_by_lgkmcnt", flat_lds + repeated("  flat_load_dword v3, v[12:13]\n" + wait_lgkm, 12)},
    {"flat_load_of_lds_by_both", flat_lds + repeated("  flat_load_dword v3, v[12:13]\n" + wait_both, 12)},
    {"flat_store_to_lds_by_vmcnt", flat_lds + repeated("  flat_store_dword v[12:13], v4\n" + wait_vm, 12)},
    {"flat_atomic_in_lds_by_vmcnt", flat_lds + repeated("  flat_atomic_add v3, v[12:13], v4 glc\n" + wait_vm, 12)},
    {"flat_load_of_lds_by_the_end", flat_lds + "  flat_load_dword v3, v[12:13]\n"},
    {"flat_of_either_by_vmcnt", mixed + repeated("  flat_load_dword v3, v[12:13]\n" + wait_vm, 12)},
    {"flat_of_either_by_lgkmcnt_and_the_end", mixed + repeated("  flat_load_dword v3, v[12:13]\n" + wait_lgkm, 12)},
    // The second operation waits for the first: vmcnt counts in order.
    {"flat_of_lds_behind_memory_by_vmcnt_1",
     flat_lds + repeated("  flat_load_dword v3, v[12:13]\n  flat_load_dword v11, v[8:9]\n  s_waitcnt vmcnt(1)\n", 12)},
    {"flat_of_memory_behind_lds_by_vmcnt_1",
     flat_lds + repeated("  flat_load_dword v11, v[8:9]\n  flat_load_dword v3, v[12:13]\n  s_waitcnt vmcnt(1)\n", 12)},
    {"counters_that_are_full", flat_lds + repeated("  flat_load_dword v3, v[12:13]\n", 50)},
    {"counters_full_of_lds", repeated("  ds_read_b32 v3, v10\n", 50)},
    {"counters_full_of_scalars", repeated("  s_load_dword s20, s[0:1], 0x0\n", 50)},
    {"counters_full_of_memory", repeated("  flat_load_dword v3, v[8:9]\n", 50)},
    {"lds_by_lgkmcnt", repeated("  ds_read_b32 v3, v10\n" + wait_lgkm, 12)},
    {"lds_atomic_with_return", repeated("  ds_add_rtn_u32 v3, v10, v4\n" + wait_lgkm, 12)},
    {"lanes_exchanged", repeated("  ds_bpermute_b32 v3, v10, v4\n" + wait_lgkm, 12)},
    {"lds_by_lgkmcnt_1", repeated("  ds_read_b32 v3, v10\n  ds_read_b32 v11, v10\n  s_waitcnt lgkmcnt(1)\n", 12)},
    {"lds_without_lanes", "  s_mov_b64 s[20:21], exec\n  s_mov_b64 exec, 0\n" +
                              repeated("  ds_read_b32 v3, v10\n" + wait_lgkm, 12) + "  s_mov_b64 exec, s[20:21]\n"},
    {"memory_without_lanes", "  s_mov_b64 s[20:21], exec\n  s_mov_b64 exec, 0\n" +
                                 repeated("  flat_load_dword v3, v[8:9]\n" + wait_both, 12) +
                                 "  s_mov_b64 exec, s[20:21]\n"},
    {"scalars_and_lds_by_lgkmcnt_1",
     repeated("  s_load_dword s20, s[0:1], 0x0\n  ds_read_b32 v3, v10\n  s_waitcnt lgkmcnt(1)\n", 12)},
    {"scalars_by_lgkmcnt", repeated("  s_load_dwordx16 s[20:35], s[0:1], 0x0\n" + wait_lgkm, 12)},
    {"scalars_behind_memory",
     repeated("  flat_load_dword v3, v[8:9]\n  s_load_dword s20, s[0:1], 0x0\n" + wait_lgkm, 12)},
    {"time_by_lgkmcnt", repeated("  s_memtime s[20:21]\n" + wait_lgkm, 12)},
    {"stores_by_vmcnt", repeated("  flat_store_dword v[8:9], v4\n" + wait_vm, 12)},
    {"atomics_with_return", repeated("  flat_atomic_add v3, v[8:9], v4 glc\n" + wait_vm, 12)},
    {"stores_by_the_end", repeated("  flat_store_dword v[8:9], v4\n", 3)},
    {"export_counter", repeated("  flat_store_dword v[8:9], v4\n  s_waitcnt expcnt(0)\n", 12)},
    {"cache_maintenance",
     repeated("  buffer_wbinvl1\n  s_dcache_inv\n  s_dcache_wb\n  s_icache_inv\n" + wait_both, 12)},
    {"barriers_with_operations_under_way",
     flat_lds + repeated("  flat_load_dword v3, v[12:13]\n  s_barrier\n" + wait_vm, 12)},
    {"sleep_priority_and_nop", repeated("  s_sleep 3\n  s_setprio 2\n  s_nop 15\n" + wait_none, 12)},
    {"arithmetic_without_lanes",
     "  s_mov_b64 s[20:21], exec\n  s_mov_b64 exec, 0\n" +
         repeated("  v_rcp_f32 v3, v4\n  v_add_f64 v[12:13], v[12:13], v[12:13]\n  v_mov_b32 v11, v3\n", 12) +
         "  s_mov_b64 exec, s[20:21]\n"},
    {"lanes_of_other_lanes",
     repeated("  v_mov_b32 v3, v4\n  v_mov_b32_dpp v11, v3 row_shr:1 row_mask:0xf bank_mask:0xf\n"
              "  v_readfirstlane_b32 s20, v11\n  s_add_u32 s21, s20, s20\n",
              12)},
    {"denormals", "  v_mov_b32 v3, 1\n" + repeated("  v_mul_f32 v3, v3, v3\n  v_sqrt_f32 v3, v3\n", 12)},
};

struct extreme {
  const char* name;
  void (*set)(models::machine_config&);
};
const std::vector<extreme> machines = {
    {"lds", [](auto& m) { m.latency.lds = 4000; }},
    {"memory", [](auto& m) { m.memory.interconnect.latency = 4000; }},
    {"dram", [](auto& m) { m.memory.dram.extra_latency = 4000; }},
    {"address_unit",
     [](auto& m) {
       m.valu_lanes = 1;
       m.memory.interconnect.latency = 1;
     }},
    {"arithmetic", [](auto& m) { m.latency.salu = 301, m.latency.valu_trans = 4000, m.latency.valu_f64 = 999; }},
};

TEST(waits, are_charged_by_whichever_counter) {
  assembly_file file;
  for (const waiting& k : kernels) file.add_kernel(k.body);
  const loader::program_image program = assemble(file.text());
  std::vector<batch_launch> launches;
  for (size_t k = 0; k < kernels.size(); ++k) {
    batch_launch l;
    l.kernel = fmt::format("k{}", k);
    l.work_items = 256;
    l.workgroup = 128;
    launches.push_back(l);
  }
  for (const extreme& x : machines)
    for (const auto scheme : {models::divergence_kind::none, models::divergence_kind::pws}) {
      models::machine_config machine = predictable({1, 2, 2, 16, scheme, scheme == models::divergence_kind::pws});
      x.set(machine);
      const batch_report report = run_batch(machine, program, launches);
      ASSERT_EQ(report.launches.size(), launches.size()) << report.launches.back().error;
      double tightest = 1e9;
      for (size_t k = 0; k < kernels.size(); ++k) {
        ASSERT_EQ(report.launches[k].error, "") << kernels[k].name;
        const uint64_t observed = report.launches[k].cycles;
        const uint64_t bound =
            bound_of(program, launches[k].kernel, machine, platform::timing_of(machine), launches[k]).e_kernel;
        EXPECT_GE(bound, observed) << kernels[k].name << " on machine " << x.name;
        tightest = std::min(tightest, static_cast<double>(bound) / static_cast<double>(observed));
      }
      EXPECT_LT(tightest, 1.5) << x.name << ": no kernel comes near its bound";
    }
}

}  // namespace
}  // namespace pws::test::waits_test
