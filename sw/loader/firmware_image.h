// SPDX-License-Identifier: Apache-2.0
// Firmware of a RISC-V processor: an ELF executable as what is to be put where in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pws::loader {

class firmware_image {
 public:
  // What a loadable segment puts at a physical address; the rest of its memory is zeros.
  struct segment {
    uint64_t address = 0;
    uint64_t memory_size = 0;  // bytes, at least as many as `bytes` has
    std::vector<uint8_t> bytes;
  };

  // An RV64 executable without floating-point registers (-march=rv64imac -mabi=lp64). Throws input_error, which names
  // the file, what is wrong and where. `name`: what messages call it.
  firmware_image(const std::vector<uint8_t>& bytes, std::string name);

  const std::string& name() const { return name_; }
  uint64_t entry() const { return entry_; }
  const std::vector<segment>& segments() const { return segments_; }  // in the order of the file, none empty
  // "0x80000012 (main+0x12)", or the number alone where no function is.
  std::string name_of(uint64_t address) const;

 private:
  struct function {
    uint64_t begin = 0, size = 0;
    std::string name;
  };
  std::string name_;
  uint64_t entry_ = 0;
  std::vector<segment> segments_;
  std::vector<function> functions_;  // ascending
};

// Reads an executable. Throws input_error.
firmware_image load_firmware(const std::filesystem::path& path);

}  // namespace pws::loader
