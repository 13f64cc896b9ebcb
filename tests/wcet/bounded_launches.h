// SPDX-License-Identifier: Apache-2.0
// HIP kernels with marked loops: compiled here, then analysed and run one after the other on one machine.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "models/machine/machine_config.h"
#include "sw/loader/program_image.h"
#include "sw/pwscc/split_pass.h"
#include "sw/wcet/kernel/wavefront_bound.h"

namespace pws::test {

// Words of the table that kernels read.
constexpr uint32_t table_words = 4096;

// A launch of a kernel that takes (data, table, n, m): a word per work-item, table_words words, and two numbers.
struct bounded_launch {
  std::string kernel;
  uint32_t n = 0, m = 0;
  uint32_t work_items = 64, workgroup = 64;
  const std::vector<uint32_t>* table = nullptr;  // nullptr: a ring of all indices
};

// What the analysis is given, with a mistake in it: to see whether runs tell.
struct broken_facts {
  size_t mistake = 0;  // its kind
  cfg::function_code code;
  std::vector<wcet::marked_loop> marked;
};
using fact_breaker = std::function<std::vector<broken_facts>(const wcet::analysed_kernel& right)>;
struct broken_bound {
  size_t mistake = 0;
  uint64_t bound = 0;
};

struct bounded_result {
  std::string refusal;  // why it has no bound; it has not been run then
  std::string error;    // of the machine
  uint64_t bound = 0, observed = 0;
  std::vector<broken_bound> broken;  // without those that the analysis refuses
};

// How a source is compiled: clang's flags, and pwscc's split points for the machine.
struct hip_build {
  std::string level = "-O3";
  pwscc::split_choice split = pwscc::split_choice::none;
  uint32_t swf_contexts = 0;
  bool marks = true;  // false: PWS_LOOP_BOUND and PWS_SPLIT are nothing
};
// Throws what pwscc does.
loader::program_image compile_hip(const std::filesystem::path& source, const hip_build& build);

std::vector<uint32_t> ring_table();

// In a child. As many results as launches ran: the first error of the machine is the last one. Throws
// std::runtime_error if the child dies or takes longer than `seconds`.
std::vector<bounded_result> bound_and_run(const models::machine_config& machine, const loader::program_image& program,
                                          const std::vector<bounded_launch>& launches,
                                          const fact_breaker& mistakes = {}, unsigned seconds = 600);

// Why the launch has no bound, without running it; empty: it has one. In a child, as above.
std::string refusal_of(const models::machine_config& machine, const loader::program_image& program,
                       const bounded_launch& launch);

}  // namespace pws::test
