// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/spiking_neuron.h"

#include "tests/integration/reference/case_builder.h"

namespace pws::reference {

namespace {

// Values of the model as wide integers.
int64_t floor_shift(int64_t value, unsigned bits) {
  const int64_t divisor = int64_t{1} << bits;
  return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
}

struct neuron {
  static constexpr int64_t one = 65536;
  int64_t v = -2 * one, w = 0;
  uint32_t refractory = 0, fired = 0;
  bool excited = false;

  void rest() {
    v += floor_shift(-2 * one - v, 4);
    w -= floor_shift(w, 6);
    --refractory;
    excited = excited && refractory > 2;
  }
  void integrate(int64_t input) {
    if (excited) input += floor_shift(input, 3);
    const int64_t square = floor_shift(v * v, 16);
    v += floor_shift(square / 32 - w + input, 2);
    w += floor_shift(floor_shift(v, 2) - w, 5);
    if (v >= 6 * one) {
      refractory = w < one / 2 ? 1 : 6;
      v = -one;
      w += one / 8;
      ++fired;
      excited = true;
      return;
    }
    if (v < -8 * one) {
      v = -8 * one;
      w = floor_shift(w, 1);
    }
    excited = v > 4 * one;
  }
};

kernel_case make(const std::string& name, const std::vector<uint32_t>& current, uint32_t max_spikes, uint32_t limit) {
  const auto n = static_cast<uint32_t>(current.size());
  kernel_case c = linear_case(name, "spiking_neuron", "spiking_neuron", n);
  c.args = {input("current", current),
            output("spikes", unwritten<uint32_t>(n), spiking_neuron(current, max_spikes, limit)),
            scalar("max_spikes", max_spikes), scalar("limit", limit), scalar("n", n)};
  return c;
}

}  // namespace

std::vector<uint32_t> spiking_neuron(const std::vector<uint32_t>& current, uint32_t max_spikes, uint32_t limit) {
  std::vector<uint32_t> out;
  for (const uint32_t i : current) {
    neuron cell;
    uint32_t step = 0;
    while (step < limit && cell.fired < max_spikes) {
      ++step;
      if (cell.refractory > 0)
        cell.rest();
      else
        cell.integrate(static_cast<int32_t>(i));
    }
    out.push_back(cell.fired << 16 | step);
  }
  return out;
}

std::vector<case_entry> spiking_neuron_cases() {
  std::vector<case_entry> cases;
  for (const uint32_t n : case_sizes) {
    const std::string name = "spiking_neuron_" + std::to_string(n);
    cases.push_back({name, n, [=] { return make(name, random_u32(83, n, 6 * 65536), 8, 100); }});
  }
  const auto add_pattern = [&](const std::string& name, uint32_t max_spikes, uint32_t limit,
                               uint32_t (*current)(uint32_t i)) {
    cases.push_back({name, 500, [=] {
                       std::vector<uint32_t> values(500);
                       for (uint32_t i = 0; i < values.size(); ++i) values[i] = current(i);
                       return make(name, values, max_spikes, limit);
                     }});
  };
  add_pattern("spiking_neuron_silent", 8, 60, [](uint32_t) { return 0u; });
  add_pattern("spiking_neuron_inhibited", 8, 60, [](uint32_t i) { return 0u - 65536u * i; });
  add_pattern("spiking_neuron_one_lane", 8, 200, [](uint32_t i) { return i % 64 == 41 ? 5u * 65536u : 0u; });
  add_pattern("spiking_neuron_strongest", 8, 60,
              [](uint32_t i) { return i % 2 == 0 ? 0x20000000u - i : 0xe0000000u + i; });
  add_pattern("spiking_neuron_no_spike_allowed", 0, 60, [](uint32_t i) { return 65536u * i; });
  add_pattern("spiking_neuron_one_step", 8, 1, [](uint32_t i) { return 65536u * i; });
  return cases;
}

}  // namespace pws::reference
