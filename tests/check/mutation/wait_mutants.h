// SPDX-License-Identifier: Apache-2.0
// Programs from whose kernels one s_waitcnt was taken out, or made weaker by one.
#pragma once

#include <string>
#include <vector>

#include "models/isa/inst.h"
#include "sw/loader/program_image.h"

namespace pws::test {

enum class mutation { removed, vmcnt_plus_one, lgkmcnt_plus_one };
const char* name_of(mutation m);

struct wait_mutant {
  mutation kind = mutation::removed;
  uint64_t offset = 0;       // of the wait from the kernel's entry
  uint64_t file_offset = 0;  // in the code object
  std::string wait;          // as it was
  uint32_t word = 0;         // what is there now
};

// Mutants for each s_waitcnt of the kernel: without it (s_nop 0), and with each counter that it waits for one higher.
// `code` is the code object that has the kernel. Throws std::runtime_error if its instructions cannot be found in the
// file.
std::vector<wait_mutant> mutants_of(const loader::code_object& code, const std::string& kernel);
// The program with that mutant in it.
loader::program_image mutated(const loader::code_object& code, const wait_mutant& m);

}  // namespace pws::test
