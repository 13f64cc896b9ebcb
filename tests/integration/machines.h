// SPDX-License-Identifier: Apache-2.0
// Machines on which the same program must leave the same memory, and the cases of the kernels in sw/kernels by kernel.
#pragma once

#include <string>
#include <vector>

#include "tests/integration/child_run.h"

namespace pws::test {

constexpr uint64_t small_case_limit = 5000;  // work-items

// Every kernel of sw/kernels.
const std::vector<std::string>& kernel_names();
size_t kernel_number(const std::string& kernel);  // its place among them
// The cases of one kernel with at most small_case_limit work-items, made.
std::vector<reference::kernel_case> small_cases(const std::string& kernel);
// Every third of them and the last; with PWS_KERNELS_ALL=1 in the environment all.
std::vector<reference::kernel_case> some_small_cases(const std::string& kernel);
bool every_case_wanted();  // PWS_KERNELS_ALL=1
// The cases beyond that, of all kernels.
std::vector<reference::case_entry> large_cases();

struct named_machine {
  std::string name;
  models::machine_config config;
};
// Timing machines that differ from the default one in shape and in every latency that orders events. Each has room for
// the case's workgroups, some for no more than one.
std::vector<named_machine> machines_for(const reference::kernel_case& c);

// The machine with the smallest caches that there are and one miss register each.
models::machine_config with_tiny_caches(models::machine_config m);

}  // namespace pws::test
