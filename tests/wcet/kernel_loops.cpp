// SPDX-License-Identifier: Apache-2.0
#include "tests/wcet/kernel_loops.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace pws::test {

namespace {

uint64_t number(const reference::kernel_case& c, const std::string& name) {
  for (const auto& a : c.args)
    if (a.name == name && !a.is_buffer) {
      uint64_t value = 0;
      std::memcpy(&value, a.bytes.data(), std::min(sizeof value, a.bytes.size()));
      return value;
    }
  throw std::logic_error(c.name + " has no number " + name);
}

// The largest difference of neighbours in a buffer of words.
uint64_t longest_row(const reference::kernel_case& c, const std::string& name) {
  for (const auto& a : c.args) {
    if (a.name != name) continue;
    std::vector<uint32_t> words(a.bytes.size() / 4);
    std::memcpy(words.data(), a.bytes.data(), words.size() * 4);
    uint32_t most = 0;
    for (size_t k = 1; k < words.size(); ++k) most = std::max(most, words[k] - words[k - 1]);
    return most;
  }
  throw std::logic_error(c.name + " has no buffer " + name);
}

uint64_t log2_of(uint64_t n) {
  uint64_t l = 0;
  while (n > 1) {
    n /= 2;
    ++l;
  }
  return l;
}

// The line of the source with that text.
uint32_t line_with(const std::string& source, const std::string& text) {
  std::ifstream in(std::string(PWS_SOURCE_DIR "/") + source);
  uint32_t n = 0;
  for (std::string line; std::getline(in, line);) {
    ++n;
    if (line.find(text) != std::string::npos) return n;
  }
  throw std::logic_error(source + " has no line with " + text);
}

}  // namespace

std::vector<platform::loop_bound_config> loop_bounds_of(const reference::kernel_case& c) {
  std::vector<platform::loop_bound_config> out;
  const auto add = [&](const std::string& text, uint64_t bound, uint32_t lines_on = 0) {
    platform::loop_bound_config l;
    l.line = line_with(c.source, text) + lines_on;
    l.bound = bound;
    out.push_back(l);
  };
  const uint64_t group = uint64_t{c.workgroup[0]} * c.workgroup[1] * c.workgroup[2];
  const auto shares = [](uint64_t n, uint64_t by) { return (n + by - 1) / by; };
  if (c.kernel == "alu_chain") add("step < steps", number(c, "steps"));
  if (c.kernel == "bfs_step") add("edge < end", longest_row(c, "offset"));
  if (c.kernel == "divergent_break") add("step < limit", number(c, "limit"));
  if (c.kernel == "fully_divergent") {
    add("round < rounds", number(c, "rounds"));
    const uint32_t second = line_with(c.source, "} else {") + 2;
    add("round < rounds", number(c, "rounds"), second - line_with(c.source, "round < rounds"));
  }
  if (c.kernel == "histogram") {
    add("count[bin] = 0", shares(uint64_t{256}, group));
    add("i += stride", shares(number(c, "n"), c.grid[0]));
    add("bin += blockDim.x) {", shares(uint64_t{256}, group));
  }
  if (c.kernel == "matrix_multiply" || c.kernel == "matrix_multiply_tiled") {
    add("first < n", shares(number(c, "n"), 16));
    add("first < n", shares(number(c, "n"), 16),
        line_with(c.source, "matrix_multiply_tiled(") > line_with(c.source, "first < n") ? 19 : 0);
  }
  if (c.kernel == "odd_even_loop") add("i < iterations", number(c, "iterations"));
  if (c.kernel == "pointer_chase") add("++hop) p = ring[p]", number(c, "hops"));
  if (c.kernel == "pointer_chase_scalar") add("++hop) p = ring[p]", number(c, "hops"), 8);
  if (c.kernel == "pointer_chase_lds") {
    add("p = local_ring[p]", number(c, "hops"));
    add("local_ring[i] = ring[i]", shares(number(c, "n"), group));
  }
  if (c.kernel == "reduction_f32") add("stride = blockDim.x / 2", log2_of(group));
  if (c.kernel == "spiking_neuron") add("fired < max_spikes", number(c, "limit"));
  return out;
}

platform::run_config run_of(const reference::kernel_case& c) {
  platform::run_config run;
  run.program.source = std::string(PWS_SOURCE_DIR "/") + c.source;
  run.launches.resize(1);
  run.launches.front().kernel = c.kernel;
  run.launches.front().shape.grid = c.grid;
  run.launches.front().shape.workgroup = c.workgroup;
  run.launches.front().shape.dynamic_lds = c.dynamic_lds;
  for (const auto& a : c.args) {
    platform::argument_config argument;
    argument.name = a.name;
    if (a.is_buffer) {
      platform::buffer_argument buffer;
      buffer.type = platform::element_type::u8;
      buffer.count = a.bytes.size();
      buffer.init = platform::values_init{{a.bytes.begin(), a.bytes.end()}};
      argument.value = buffer;
    } else {
      argument.value = platform::bytes_argument{a.bytes};
    }
    run.arguments.push_back(argument);
  }
  run.wcet.loops = loop_bounds_of(c);
  return run;
}

}  // namespace pws::test
