// SPDX-License-Identifier: Apache-2.0
// Launches with every memory access compared with its static bound, in a process of its own.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/compute_unit/lds_unit.h"
#include "models/compute_unit/memory_interface.h"
#include "models/isa/code/decode.h"
#include "platform/machine/device_runtime.h"
#include "sw/wcet/accesses/access_pattern.h"
#include "tests/integration/child_process.h"

namespace pws::test {

// The code of a kernel from its entry to the last s_endpgm that it reaches without a gap.
inline cfg::function_code code_at(const loader::kernel& kernel, uint64_t entry, const std::vector<uint32_t>& words) {
  return cfg::decode_function(kernel.demangled, words.data(), words.size(), entry);
}

struct access_case {
  std::string kernel;
  std::array<uint32_t, 3> grid{64, 1, 1}, workgroup{64, 1, 1};
  uint32_t dynamic_lds = 0;
  struct argument {
    bool is_buffer = false;
    std::vector<uint8_t> bytes;
    uint32_t misplaced = 0;  // bytes that the pointer lies behind the buffer's beginning
  };
  std::vector<argument> arguments;
  bool facts_unknown = false;  // the analysis is not told arguments, their place and the packet
};

struct access_outcome {
  uint64_t checked = 0, violations = 0, exact = 0;
  std::string report;  // a line per memory instruction
  std::string first;   // violation
};

namespace access_detail {

class checker : public models::execution_observer {
 public:
  checker(const cfg::function_code& code, const std::vector<wcet::access_bound>& bounds,
          const models::machine_config& machine, uint32_t line_bytes)
      : code_(code),
        bounds_(bounds),
        lds_(machine.lds),
        lines_(code.instructions.size(), 0),
        passes_(code.instructions.size(), 0),
        line_shift_(static_cast<uint32_t>(__builtin_ctz(line_bytes))) {}

  interests wants() const override { return {false, true, false}; }
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void accessed(uint32_t, const models::wf_context&, const isa::inst& i, const isa::memory_access& access,
                models::cycle_t) override {
    check(i, access);
  }

  access_outcome result() const {
    access_outcome r;
    r.checked = checked_;
    r.violations = violations_;
    r.first = first_;
    for (size_t k = 0; k < bounds_.size(); ++k) {
      const isa::inst& i = code_.instructions[k];
      if (!i.is_memory()) continue;
      r.exact += bounds_[k].exact_pattern;
      r.report += fmt::format("{:4} {:44} lines {:3} of {:3}  passes {:3} of {:3}  {}\n", k, isa::disassemble(i),
                              lines_[k], bounds_[k].lines, passes_[k], bounds_[k].lds_passes, bounds_[k].why);
    }
    return r;
  }

 private:
  void check(const isa::inst& i, const isa::memory_access& access) {
    const size_t k = code_.at(i.pc);
    if (k == code_.instructions.size()) return;  // in a function that the kernel calls
    using space = isa::memory_access::space;
    uint32_t lines = 0, passes = 0;
    if (access.where == space::lds)
      passes = lds_.cycles(access);
    else if (access.where == space::scalar)
      lines = static_cast<uint32_t>(((access.address[0] + access.bytes_per_lane - 1) >> line_shift_) -
                                    (access.address[0] >> line_shift_) + 1);
    else if (access.where == space::global)
      lines = static_cast<uint32_t>(coalescer_.lines(access, line_shift_).size());
    ++checked_;
    lines_[k] = std::max(lines_[k], lines);
    passes_[k] = std::max(passes_[k], passes);
    const wcet::access_bound& b = bounds_[k];
    if (lines <= b.lines && passes <= b.lds_passes) return;
    if (violations_++ == 0)
      first_ =
          fmt::format("instruction {} {}: {} lines, {} passes; bound {} and {} ({}); mask {:x}, lane 0 at {:x}", k,
                      isa::disassemble(i), lines, passes, b.lines, b.lds_passes, b.why, access.mask, access.address[0]);
  }

  const cfg::function_code& code_;
  const std::vector<wcet::access_bound>& bounds_;
  models::coalescer coalescer_;
  models::lds_unit lds_;
  std::vector<uint32_t> lines_, passes_;
  uint32_t line_shift_;
  uint64_t checked_ = 0, violations_ = 0;
  std::string first_;
};

inline size_t words_of(const loader::program_image& program, const loader::kernel& kernel) {
  if (kernel.code_size != 0) return kernel.code_size / 4;
  // Hand-written: up to s_endpgm.
  const loader::image image = program.load(0x100000000).front();
  size_t n = 0;
  for (bool end = false; !end;) {
    uint32_t words[2];
    std::memcpy(words, image.bytes.data() + kernel.entry_offset + 4 * n, sizeof words);
    const isa::inst i = isa::decode(words, 2, 4 * n);
    n += i.dwords;
    end = i.unit == isa::unit::end;
  }
  return n;
}

inline int run_cases(const loader::program_image& program, const std::vector<access_case>& cases,
                     const models::machine_config& machine, uint32_t line_bytes, const message_sink& send) {
  platform::virtual_platform board("board", machine);
  models::gpu& gpu = board.gpu;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  platform::device_runtime runtime(board);
  runtime.load(program);
  for (const access_case& c : cases) {
    platform::kernel_launch request;
    request.kernel = runtime.find_kernel(c.kernel);
    request.grid = c.grid;
    request.workgroup = c.workgroup;
    request.dynamic_lds = c.dynamic_lds;
    for (const access_case::argument& a : c.arguments) {
      request.arguments.push_back(a.bytes);
      if (!a.is_buffer) continue;
      const uint64_t address = runtime.allocate(a.bytes.size() + a.misplaced, "buffer") + a.misplaced;
      runtime.write(address, a.bytes.data(), a.bytes.size());
      request.arguments.back().resize(sizeof address);
      std::memcpy(request.arguments.back().data(), &address, sizeof address);
    }
    const platform::kernel_launch launch = runtime.prepare(request);
    const loader::kernel& kernel = *request.kernel.kernel;
    const uint64_t entry = request.kernel.entry();
    std::vector<uint32_t> words(words_of(program, kernel));
    runtime.read(entry, words.data(), words.size() * 4);
    const cfg::function_code code = code_at(kernel, entry, words);
    const cfg::flow_graph graph(code);
    wcet::launch_facts facts;
    facts.descriptor = kernel.descriptor;
    facts.grid = c.grid;
    facts.workgroup = c.workgroup;
    facts.work = 500'000;  // many launches
    if (!c.facts_unknown) {
      facts.kernarg = launch.kernarg;
      facts.kernarg_address = launch.packet.kernarg_address;
      facts.dispatch_packet.resize(sizeof launch.packet);
      std::memcpy(facts.dispatch_packet.data(), &launch.packet, sizeof launch.packet);
    }
    const auto bounds = wcet::bound_accesses(graph, facts, {line_bytes, machine.lds.banks}).bounds;
    checker check(code, bounds, machine, line_bytes);
    for (const auto& cu : gpu.cus) cu->attach(check);
    const platform::launch_result result = runtime.submit(launch);
    for (const auto& cu : gpu.cus) cu->detach(check);
    if (!result.completed) throw std::runtime_error(c.kernel + ": " + result.error);
    const access_outcome r = check.result();
    const std::string head = fmt::format("{} {} {} {}\n", r.checked, r.violations, r.exact, r.report.size());
    send(head.data(), head.size());
    send(r.report.data(), r.report.size());
    const std::string tail = r.first + "\n";
    send(tail.data(), tail.size());
  }
  return 0;
}

}  // namespace access_detail

// One outcome per case. Throws std::runtime_error if a launch fails.
inline std::vector<access_outcome> check_accesses(const loader::program_image& program,
                                                  const std::vector<access_case>& cases, uint32_t line_bytes,
                                                  models::machine_config machine = {}, unsigned seconds = 300) {
  machine.fidelity = models::fidelity::functional;
  const child_result child = in_child(
      [&](const message_sink& send) { return access_detail::run_cases(program, cases, machine, line_bytes, send); },
      seconds);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  const std::string text(child.message.begin(), child.message.end());
  std::vector<access_outcome> out;
  for (size_t at = 0; at < text.size();) {
    access_outcome o;
    unsigned long long checked = 0, violations = 0, exact = 0, size = 0;
    if (std::sscanf(text.c_str() + at, "%llu %llu %llu %llu", &checked, &violations, &exact, &size) != 4)
      throw std::runtime_error("the child's message is cut off");
    o.checked = checked;
    o.violations = violations;
    o.exact = exact;
    at = text.find('\n', at) + 1;
    o.report = text.substr(at, size);
    at += size;
    const size_t end = text.find('\n', at);
    o.first = text.substr(at, end - at);
    at = end + 1;
    out.push_back(o);
  }
  if (out.size() != cases.size()) throw std::runtime_error("a case has no outcome");
  return out;
}

}  // namespace pws::test
