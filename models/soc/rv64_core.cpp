// SPDX-License-Identifier: Apache-2.0
#include "models/soc/rv64_core.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unicorn/unicorn.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace pws::models {

namespace {

// Unicorn's functions under their own names. The library is loaded when the first processor is made: its start-up takes
// milliseconds, which a program that makes none need not spend.
decltype(&::uc_open) uc_open = nullptr;
decltype(&::uc_close) uc_close = nullptr;
decltype(&::uc_ctl) uc_ctl = nullptr;
decltype(&::uc_hook_add) uc_hook_add = nullptr;
decltype(&::uc_hook_del) uc_hook_del = nullptr;
decltype(&::uc_strerror) uc_strerror = nullptr;
decltype(&::uc_mem_map_ptr) uc_mem_map_ptr = nullptr;
decltype(&::uc_mem_unmap) uc_mem_unmap = nullptr;
decltype(&::uc_emu_start) uc_emu_start = nullptr;
decltype(&::uc_emu_stop) uc_emu_stop = nullptr;
decltype(&::uc_reg_read) uc_reg_read = nullptr;
decltype(&::uc_reg_write) uc_reg_write = nullptr;

std::string load_unicorn() {
  static bool is_loaded = false;
  if (is_loaded) return "";
  const std::string file = fmt::format("libunicorn.so.{}", UC_API_MAJOR);
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return fmt::format("the RISC-V processor needs the library Unicorn, Debian's libunicorn{}: {}", UC_API_MAJOR,
                       dlerror());
  std::string missing;
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr) missing = name;
  };
  find("uc_open", uc_open);
  find("uc_close", uc_close);
  find("uc_ctl", uc_ctl);
  find("uc_hook_add", uc_hook_add);
  find("uc_hook_del", uc_hook_del);
  find("uc_strerror", uc_strerror);
  find("uc_mem_map_ptr", uc_mem_map_ptr);
  find("uc_mem_unmap", uc_mem_unmap);
  find("uc_emu_start", uc_emu_start);
  find("uc_emu_stop", uc_emu_stop);
  find("uc_reg_read", uc_reg_read);
  find("uc_reg_write", uc_reg_write);
  if (!missing.empty()) return fmt::format("{} has no function {}", file, missing);
  is_loaded = true;
  return "";
}

constexpr uint64_t never = ~uint64_t{0};  // an odd address: no instruction ends there
constexpr uint32_t no_exception = ~uint32_t{0};
constexpr uint32_t exception_load_misaligned = 4, exception_store_misaligned = 6;  // QEMU's numbers are the causes

bool is_compressed(uint32_t instruction) {
  return (instruction & 3) != 3;
}

// SYSTEM instructions are the hart's; at fence.i the translated code goes.
bool is_the_harts(uint32_t instruction) {
  return (instruction & 0x7f) == 0x73 || (instruction & 0x707f) == 0x100f;
}

}  // namespace

std::string rv64_core::why_there_is_none() {
  return load_unicorn();
}

rv64_core::rv64_core() {
  const std::string problem = why_there_is_none();
  if (!problem.empty()) throw input_error(problem);
  check(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV64, &uc_), "open");
  // RV64IMAC without address translation and floating point.
  check(uc_ctl_set_cpu_model(uc_, UC_CPU_RISCV64_SIFIVE_E51), "choose the processor");
  uc_hook hook = 0;  // lives as long as the engine
  const auto add = [&](int type, auto function) {
    check(uc_hook_add(uc_, &hook, type, reinterpret_cast<void*>(function), this, 1, 0), "add a hook");
  };
  add(UC_HOOK_CODE, &rv64_core::on_instruction);
  add(UC_HOOK_MEM_INVALID, &rv64_core::on_invalid_access);
  add(UC_HOOK_INTR, &rv64_core::on_exception);
}

rv64_core::~rv64_core() {
  uc_close(uc_);
}

void rv64_core::check(int error, const char* what) const {
  if (error != UC_ERR_OK)
    throw std::runtime_error(fmt::format("unicorn cannot {}: {}", what, uc_strerror(static_cast<uc_err>(error))));
}

void rv64_core::map(uint64_t begin, uint64_t size, unsigned char* host, bool writable) {
  const uint32_t rights = UC_PROT_READ | UC_PROT_EXEC | (writable ? UC_PROT_WRITE : UC_PROT_NONE);
  check(uc_mem_map_ptr(uc_, begin, size, rights, host), "map memory");
  ranges_.push_back({begin, size, host});
}

void rv64_core::unmap(uint64_t begin, uint64_t last) {
  const auto overlaps = [&](const range& r) { return r.begin <= last && begin <= r.begin + (r.size - 1); };
  for (const range& r : ranges_) {
    if (!overlaps(r)) continue;
    forget_code(r);  // Unicorn keeps it
    check(uc_mem_unmap(uc_, r.begin, r.size), "unmap memory");
  }
  ranges_.erase(std::remove_if(ranges_.begin(), ranges_.end(), overlaps), ranges_.end());
  code_ = {0, 0, nullptr};
}

const rv64_core::range* rv64_core::range_at(uint64_t address) const {
  for (const range& r : ranges_)
    if (address - r.begin < r.size) return &r;
  return nullptr;
}

uint32_t rv64_core::parcel_at(uint64_t address) const {
  uint16_t parcel = 0;
  if (const range* r = range_at(address)) std::memcpy(&parcel, r->host + (address - r->begin), sizeof parcel);
  return parcel;
}

uint32_t rv64_core::instruction_at(uint64_t address) {
  uint32_t word = 0;
  uint64_t offset = address - code_.begin;
  if (offset >= code_.size) {
    if (const range* r = range_at(address)) code_ = *r;
    offset = address - code_.begin;
  }
  if (code_.size >= sizeof word && offset <= code_.size - sizeof word)
    std::memcpy(&word, code_.host + offset, sizeof word);
  else  // at a range's end, from where an instruction may go on in the next
    word = parcel_at(address) | parcel_at(address + 2) << 16;
  return word;
}

void rv64_core::on_instruction(uc_struct* uc, uint64_t address, uint32_t, void* self) {
  auto& core = *static_cast<rv64_core*>(self);
  core.pc_ = address;
  core.instruction_ = core.instruction_at(address);
  const bool is_system = is_the_harts(core.instruction_);
  const bool passes = std::exchange(core.passes_, false);
  const bool breaks = !core.breakpoints_.empty() && !passes && core.is_at_breakpoint(address);
  if (core.left_ > 0 && !is_system && !breaks && !core.watched_) {
    --core.left_;
    ++core.retired_;
    return;
  }
  core.why_ = core.watched_     ? stop_reason::watchpoint
              : breaks          ? stop_reason::breakpoint
              : core.left_ == 0 ? stop_reason::budget
                                : stop_reason::system;
  core.stopped_ = true;
  uc_emu_stop(uc);
}

bool rv64_core::on_invalid_access(uc_struct*, int, uint64_t address, int, int64_t, void* self) {
  static_cast<rv64_core*>(self)->address_ = address;
  return false;  // ends the run before the instruction
}

void rv64_core::on_access(uc_struct*, int type, uint64_t address, int size, int64_t, void* self) {
  auto& core = *static_cast<rv64_core*>(self);
  const bool is_write = type == UC_MEM_WRITE;
  for (const watch& w : core.watches_) {
    if (!w.sees(address, static_cast<uint64_t>(size), is_write)) continue;
    core.watched_ = true;  // the instruction is executed, and the next one is not
    core.is_write_ = is_write;
    core.accessed_ = std::max(address, w.begin);
  }
}

bool rv64_core::is_at_breakpoint(uint64_t address) const {
  return std::binary_search(breakpoints_.begin(), breakpoints_.end(), address);
}

void rv64_core::set_breakpoints(std::vector<uint64_t> addresses) {
  breakpoints_ = std::move(addresses);
  std::sort(breakpoints_.begin(), breakpoints_.end());
}

void rv64_core::set_watches(std::vector<watch> all) {
  watches_ = std::move(all);
  if (watch_hook_.has_value() == !watches_.empty()) return;
  if (watch_hook_) {
    check(uc_hook_del(uc_, *watch_hook_), "remove a hook");
    watch_hook_.reset();
    return;
  }
  uc_hook hook = 0;
  check(uc_hook_add(uc_, &hook, UC_HOOK_MEM_READ | UC_HOOK_MEM_WRITE, reinterpret_cast<void*>(&rv64_core::on_access),
                    this, 1, 0),
        "add a hook");
  watch_hook_ = hook;
  // What was translated before calls no hook.
  forget_code();
}

void rv64_core::on_exception(uc_struct* uc, uint32_t number, void* self) {
  static_cast<rv64_core*>(self)->exception_ = number;
  uc_emu_stop(uc);
}

rv64_core::stop rv64_core::run(uint64_t pc, uint64_t most, bool passes) {
  left_ = most;
  retired_ = 0;
  stopped_ = watched_ = false;
  passes_ = passes;
  exception_ = no_exception;
  const uc_err error = uc_emu_start(uc_, pc, never, 0, 0);
  stop s;
  s.watched = watched_;
  s.accessed = accessed_;
  s.is_write = is_write_;
  if (error == UC_ERR_FETCH_UNMAPPED || error == UC_ERR_FETCH_PROT) {
    s.why = stop_reason::fetch;
    s.retired = retired_;
    uc_reg_read(uc_, UC_RISCV_REG_PC, &s.pc);
    s.address = address_;
    return s;
  }
  s.pc = pc_;
  s.instruction = is_compressed(instruction_) ? instruction_ & 0xffff : instruction_;
  if (stopped_) {
    s.why = why_;
    s.retired = retired_;
    return s;
  }
  s.retired = retired_ - 1;  // it was counted when it began
  if (error == UC_ERR_OK && exception_ == no_exception)
    throw std::logic_error(fmt::format("the processor stopped at {:#x} without a reason", s.pc));
  if (exception_ == exception_load_misaligned || exception_ == exception_store_misaligned)
    s.why = stop_reason::misaligned;
  else if (exception_ != no_exception || error == UC_ERR_INSN_INVALID || error == UC_ERR_EXCEPTION)
    s.why = stop_reason::illegal;
  else
    s.why = stop_reason::access;
  return s;
}

void rv64_core::forget_code() {
  for (const range& r : ranges_) forget_code(r);
}

void rv64_core::forget_code(const range& r) {
  // By page: of a longer range only what begins at its first address is dropped.
  for (uint64_t at = 0; at < r.size; at += page)
    check(uc_ctl_remove_cache(uc_, r.begin + at, r.begin + at + page), "forget translated code");
}

uint64_t rv64_core::x(unsigned number) const {
  uint64_t value = 0;
  if (number != 0) uc_reg_read(uc_, static_cast<int>(UC_RISCV_REG_X0 + number), &value);
  return value;
}

void rv64_core::set_x(unsigned number, uint64_t value) {
  if (number != 0) uc_reg_write(uc_, static_cast<int>(UC_RISCV_REG_X0 + number), &value);
}

}  // namespace pws::models
