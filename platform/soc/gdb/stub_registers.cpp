// SPDX-License-Identifier: Apache-2.0
// What gdb sees of the processor's registers, and of the GPUs at its command `monitor`.
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "base/error.h"
#include "models/compute_unit/cu_messages.h"
#include "models/soc/machine_csrs.h"
#include "platform/soc/gdb/stub.h"

namespace pws::platform::gdb {

using models::machine_csrs;

namespace {

// gdb's numbers: x0 to x31, pc, and control and status registers from 65 on (gdb/riscv-tdep.h).
constexpr uint64_t pc_number = 32, first_csr = 65, general = 33;

constexpr std::array names{"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
                           "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                           "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

std::string hex_of_value(uint64_t value) {
  return hex_of(&value, sizeof value);  // little-endian, as the host
}

std::optional<uint64_t> value_of(std::string_view hex) {
  const auto bytes = bytes_of_hex(hex);
  uint64_t value = 0;
  if (!bytes || bytes->size() != sizeof value) return std::nullopt;
  std::memcpy(&value, bytes->data(), sizeof value);
  return value;
}

}  // namespace

std::string stub::features() const {
  std::string xml =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target>\n"
      "<architecture>riscv:rv64</architecture>\n<feature name=\"org.gnu.gdb.riscv.cpu\">\n";
  for (const char* name : names) xml += fmt::format("<reg name=\"{}\" bitsize=\"64\" type=\"int\"/>\n", name);
  xml += "<reg name=\"pc\" bitsize=\"64\" type=\"code_ptr\"/>\n</feature>\n<feature name=\"org.gnu.gdb.riscv.csr\">\n";
  for (const machine_csrs::name_row& c : machine_csrs::names())
    xml += fmt::format("<reg name=\"{}\" bitsize=\"64\" regnum=\"{}\" type=\"int\"/>\n", c.name, first_csr + c.number);
  return xml + "</feature>\n</target>\n";
}

// OFFSET,LENGTH
void stub::answer_features(std::string_view rest) {
  const auto wanted = take_place(rest);
  if (!wanted) return send("E01");
  const auto [offset, length] = *wanted;
  const std::string all = features();
  if (offset >= all.size()) return send("l");
  const std::string part = all.substr(offset, length);
  send((offset + part.size() < all.size() ? "m" : "l") + part);
}

std::optional<uint64_t> stub::register_value(uint64_t number) const {
  if (number < pc_number) return system_.cpu.x(static_cast<unsigned>(number));
  if (number == pc_number) return system_.cpu.pc();
  for (const machine_csrs::name_row& c : machine_csrs::names())
    if (number == first_csr + c.number) return system_.cpu.csr(c.number);
  return std::nullopt;
}

bool stub::set_register(uint64_t number, uint64_t value) {
  if (number < pc_number) {
    system_.cpu.set_x(static_cast<unsigned>(number), value);
    return true;
  }
  if (number == pc_number) {
    system_.cpu.set_pc(value);
    return true;
  }
  for (const machine_csrs::name_row& c : machine_csrs::names())
    if (number == first_csr + c.number) return system_.cpu.set_csr(c.number, value);
  return false;
}

void stub::read_registers(std::string_view) {
  std::string all;
  for (uint64_t k = 0; k < general; ++k) all += hex_of_value(*register_value(k));
  send(all);
}

void stub::write_registers(std::string_view rest) {
  constexpr size_t digits = 16;
  if (rest.size() < general * digits) return send("E01");
  for (uint64_t k = 0; k < general; ++k) {
    const auto value = value_of(rest.substr(k * digits, digits));
    if (!value) return send("E01");
    set_register(k, *value);
  }
  send("OK");
}

void stub::read_register(std::string_view rest) {
  const auto number = take_number(rest);
  const auto value = number ? register_value(*number) : std::nullopt;
  send(value ? hex_of_value(*value) : "E01");
}

// NUMBER=VALUE
void stub::write_register(std::string_view rest) {
  const auto number = take_number(rest);
  const bool has_value = take(rest, '=');
  const auto value = has_value ? value_of(rest) : std::nullopt;
  send(number && value && set_register(*number, *value) ? "OK" : "E01");
}

// ---- monitor

std::string stub::gpu_text(size_t k) const {
  const models::gpu& g = *system_.gpus[k];
  std::string text = fmt::format("gpu{}: {} kernels and {} workgroups have ended, {}\n", k,
                                 g.dispatcher.kernels_completed(), g.dispatcher.workgroups_ended(),
                                 g.dispatcher.fault_message().empty() ? "no fault" : g.dispatcher.fault_message());
  for (const auto& cu : g.cus)
    for (uint32_t u = 0; u < cu->layout().count(); ++u) {
      const models::simd_unit& unit = cu->unit(models::unit_id(u));
      for (const uint16_t slot : unit.order) {
        const models::wf_context& c = unit.contexts[slot];
        if (c.status == models::wf_status::idle || c.status == models::wf_status::ended) continue;
        text += fmt::format("  cu{}.{:<24} pc {:#x}  active {:#018x}  {}\n", cu->index(), cu->messages().place_of(c),
                            c.state.pc, c.state.active(), models::name_of(c.status));
      }
    }
  return text;
}

std::string stub::words_for_gpus(const std::string& line) {
  try {
    const gpu_debugger::answer a = gpus_.execute_of(line);
    return a.goes_on ? a.text + "It does so when gdb lets the system go on: `continue`.\n" : a.text;
  } catch (const input_error& e) {
    return fmt::format("{}\n", e.what());
  }
}

void stub::monitor(std::string_view rest) {
  const std::string command = bytes_of_hex(rest).value_or("");
  const std::string gpu = "gpu";
  std::string text;
  if (command == gpu || command.rfind(gpu + " ", 0) == 0) {
    debugs_gpus_ = true;
    text = words_for_gpus(command.substr(gpu.size()));
  } else if (command == "gpus") {
    for (size_t k = 0; k < system_.gpus.size(); ++k) text += gpu_text(k);
    if (system_.gpus.empty()) text = "the system has no GPU\n";
  } else if (command == "time") {
    text = fmt::format("{}, {} cycles and {} instructions of the processor\n", sc_core::sc_time_stamp().to_string(),
                       system_.cpu.cycles(), system_.cpu.retired());
  } else {
    text =
        "gpus              what the GPUs do, and where each path of a wavefront stands\n"
        "gpu [N] COMMAND   a command of the debugger for GPU N, or the one before: `gpu help` lists them\n"
        "time              simulated time, and what the processor has counted\n";
  }
  answer(text);
}

}  // namespace pws::platform::gdb
