// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include "tests/integration/reference/alu_chain.h"
#include "tests/integration/reference/bfs.h"
#include "tests/integration/reference/divergent_break.h"
#include "tests/integration/reference/fully_divergent.h"
#include "tests/integration/reference/histogram.h"
#include "tests/integration/reference/kernel_case.h"
#include "tests/integration/reference/matrix_multiply.h"
#include "tests/integration/reference/needleman_wunsch.h"
#include "tests/integration/reference/odd_even_loop.h"
#include "tests/integration/reference/pointer_chase.h"
#include "tests/integration/reference/reduction.h"
#include "tests/integration/reference/saxpy.h"
#include "tests/integration/reference/spiking_neuron.h"
#include "tests/integration/reference/synthetic.h"
#include "tests/integration/reference/vector_add.h"

namespace pws::reference {

std::vector<case_entry> all_cases() {
  std::vector<case_entry> all;
  for (auto* cases :
       {vector_add_cases, saxpy_cases, matrix_multiply_cases, reduction_cases, bfs_cases, needleman_wunsch_cases,
        histogram_cases, divergent_break_cases, pointer_chase_cases, fully_divergent_cases, alu_chain_cases,
        spiking_neuron_cases, synthetic_cases, odd_even_loop_cases}) {
    std::vector<case_entry> of_kernel = cases();
    std::move(of_kernel.begin(), of_kernel.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace pws::reference
