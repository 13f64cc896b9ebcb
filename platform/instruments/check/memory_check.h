// SPDX-License-Identifier: Apache-2.0
// machine.check.memory: accesses of kernels that the machine refuses, and what a host program does with memory that it
// does not have: copies and fills that leave their block, what has been freed, frees of what is no block. It knows the
// blocks that there are and those that have been freed, each with who has done so.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "models/isa/global_memory.h"
#include "platform/instruments/check/machine_check.h"
#include "platform/machine/freed_blocks.h"

namespace pws::platform {

// Something that the host does, as findings name it.
struct host_action {
  std::string text;    // "hipFree, call 12, at app.hip:31"; empty: not known
  uint64_t place = 0;  // where it does so: findings of the same place are one
};

enum class memory_misuse { access, too_large, release };

class memory_check : public machine_check {
 public:
  explicit memory_check(check::finding_sink& sink) : sink_(sink) {}

  // Who says what the host is doing at the moment; nobody: it is not known.
  void set_host(std::function<host_action()> host) { host_ = std::move(host); }
  // The host has asked for something that is refused for `why`: to access those bytes, which are none of its own or too
  // many, or to free what begins there.
  void misused(memory_misuse m, const std::string& why, uint64_t address, uint64_t bytes);

  interests wants() const override { return {false, false, false}; }
  void faulted(uint32_t cu, const models::wf_context& c, const isa::inst* i, const program_error& e) override;
  void allocated(uint64_t address, uint64_t bytes, const std::string& name) override;
  void released(uint64_t address) override;

 private:
  struct block {
    uint64_t bytes = 0;
    std::string name;
    host_action allocated, freed;
  };
  using blocks = std::map<uint64_t, block>;  // by address
  static const blocks::value_type* holder(const blocks& of, uint64_t address);
  const blocks::value_type* next_to(uint64_t address) const;
  void add(check::finding f, uint64_t address, uint64_t bytes, memory_misuse m, uint64_t place);

  check::finding_sink& sink_;
  std::function<host_action()> host_;
  blocks live_;
  static constexpr size_t longest_history = 65536;
  freed_blocks<block> freed_{longest_history};
};

}  // namespace pws::platform
