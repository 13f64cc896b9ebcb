// SPDX-License-Identifier: Apache-2.0
// sw/kernels/spiking_neuron.hip on the host.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

std::vector<uint32_t> spiking_neuron(const std::vector<uint32_t>& current, uint32_t max_spikes, uint32_t limit);
std::vector<case_entry> spiking_neuron_cases();

}  // namespace pws::reference
