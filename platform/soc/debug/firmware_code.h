// SPDX-License-Identifier: Apache-2.0
// The code that a system's GPU executes, which firmware has put into memory: nobody says what was loaded where. Its
// instructions are what the dispatcher decodes from memory. A kernel's code object is found by its first instruction:
// it is one of those that the firmware has, if all of its code stands around that.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "platform/machine/kernel_launch.h"
#include "platform/machine/loaded_code.h"
#include "platform/soc/debug/kernel_objects.h"
#include "platform/soc/soc_system.h"

namespace pws::platform {

class firmware_code : public loaded_code {
 public:
  // `gpu`: its number. All must outlive this.
  firmware_code(soc_system& system, size_t gpu, const kernel_objects& known);

  // A launch begins: what is known of it. What firmware has overwritten since the launch before is not loaded any more.
  kernel_launch note_launch(const models::dispatch& d);

  // Where firmware has overwritten an instruction that a kernel in service has executed, the kernel's own.
  const isa::inst* instruction_at(uint64_t pc) const override;
  std::vector<loader::source_line> source_at(uint64_t pc) const override;
  std::vector<loaded_object> loaded_after(uint64_t number) const override;
  const loader::image* image_at(uint64_t pc) const override;
  std::optional<uint64_t> end_of_memory_at(uint64_t address) const override;
  // Throws input_error where nothing answers.
  void peek(uint64_t address, void* data, size_t bytes) const override;

 private:
  struct placed {
    uint64_t number = 0;  // of its loading
    const kernel_objects::row* of = nullptr;
    loader::image image;
    mutable std::unique_ptr<loader::line_table> lines;  // read when somebody asks
  };
  bool copy(uint64_t address, void* data, size_t bytes) const;
  bool stands_at(const kernel_objects::row& r, uint64_t base) const;
  const placed* place_around(uint64_t entry);
  const placed* at(uint64_t pc) const;

  soc_system& system_;
  const models::gpu& gpu_;
  const kernel_objects& known_;
  std::vector<std::unique_ptr<placed>> placed_;  // ascending by number
  uint64_t loadings_ = 0;
  std::map<uint64_t, loader::kernel> kernels_;  // by the descriptor's address
  mutable std::unordered_map<uint64_t, isa::inst> decoded_;
};

}  // namespace pws::platform
