// SPDX-License-Identifier: Apache-2.0
// The check for streams (models/check/streams) on a machine: what each launch touches. What copies and fills touch, and
// what comes after what, the runtime that has the streams says.
#pragma once

#include <map>
#include <unordered_map>

#include "models/check/streams/stream_operations.h"
#include "platform/instruments/check/access_pieces.h"
#include "platform/instruments/check/machine_check.h"

namespace pws::platform {

class streams_check : public machine_check {
 public:
  explicit streams_check(check::finding_sink& sink) : operations_(sink) {}

  check::stream_operations& operations() { return operations_; }
  // What that launch does is that operation's.
  void is_operation(uint64_t launch, check::operation_id o);

  void launch_ended(uint64_t launch, bool completed, bool last) override;
  interests wants() const override { return {false, true, false}; }
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                models::cycle_t at) override;
  void allocated(uint64_t address, uint64_t bytes, const std::string&) override { blocks_[address] = bytes; }
  void released(uint64_t address) override;

 private:
  check::stream_operations operations_;
  access_pieces pieces_;
  std::unordered_map<uint64_t, check::operation_id> launches_;
  std::map<uint64_t, uint64_t> blocks_;  // bytes, by where they begin
  uint64_t last_launch_ = 0;
  check::operation_id last_ = 0;
};

}  // namespace pws::platform
