// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/debug/firmware_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "models/isa/code/decode.h"

namespace pws::platform {

firmware_code::firmware_code(soc_system& system, size_t gpu, const kernel_objects& known)
    : system_(system), gpu_(*system.gpus.at(gpu)), known_(known) {}

// ---- Memory

// The bus has all of it at the addresses that the GPU uses.
bool firmware_code::copy(uint64_t address, void* data, size_t bytes) const {
  return system_.cpu.peek(address, static_cast<unsigned char*>(data), bytes) == bytes;
}

void firmware_code::peek(uint64_t address, void* data, size_t bytes) const {
  if (!copy(address, data, bytes))
    throw input_error(fmt::format("nothing on the bus answers at {:#x} with {} bytes", address, bytes));
}

std::optional<uint64_t> firmware_code::end_of_memory_at(uint64_t address) const {
  if (const isa::allocation* const a = gpu_.allocations.find(address)) return a->end;
  const models::system_memory_config& s = gpu_.config.memory.system;
  if (s.exists() && address >= s.base && address - s.base < s.bytes()) return s.base + s.bytes();
  return std::nullopt;
}

// ---- Instructions

const isa::inst* firmware_code::instruction_at(uint64_t pc) const {
  for (const auto& k : gpu_.dispatcher.in_service())
    if (const isa::inst* const i = k->launch.code->decoded_at(pc)) return i;
  const std::optional<uint64_t> end = end_of_memory_at(pc);
  uint32_t words[2] = {};
  if (pc % sizeof words[0] != 0 || !end || *end - pc < sizeof words[0] || !copy(pc, words, sizeof words[0]))
    return nullptr;
  const bool has_second = *end - pc >= sizeof words && copy(pc + sizeof words[0], &words[1], sizeof words[1]);
  const auto known = decoded_.find(pc);
  if (known != decoded_.end() && std::equal(words, words + known->second.dwords, known->second.raw))
    return &known->second;
  try {
    return &(decoded_[pc] = isa::decode(words, has_second ? 2 : 1, pc));
  } catch (const program_error&) {
    decoded_.erase(pc);
    return nullptr;
  }
}

// ---- Code objects

bool firmware_code::stands_at(const kernel_objects::row& r, uint64_t base) const {
  std::vector<uint8_t> there;
  return std::all_of(r.image.extents.begin(), r.image.extents.end(), [&](const loader::extent& e) {
    if (!e.executable) return true;
    there.resize(e.end - e.begin);
    const std::optional<uint64_t> end = end_of_memory_at(base + e.begin);
    return end && *end - (base + e.begin) >= there.size() && copy(base + e.begin, there.data(), there.size()) &&
           std::memcmp(there.data(), &r.image.bytes[e.begin], there.size()) == 0;
  });
}

const firmware_code::placed* firmware_code::place_around(uint64_t entry) {
  for (const kernel_objects::row& r : known_.all())
    for (const loader::kernel& k : r.object->kernels()) {
      // Only its code has to be where the file has it: what is around that may be laid out otherwise.
      const uint64_t base = entry - k.entry_offset;
      if (entry < k.entry_offset || !stands_at(r, base)) continue;
      auto p = std::make_unique<placed>();
      p->number = ++loadings_;
      p->of = &r;
      p->image = r.image;
      p->image.base = base;
      for (loader::extent& e : p->image.extents) {
        e.begin += base;
        e.end += base;
      }
      for (loader::symbol& s : p->image.symbols) s.address += base;
      return placed_.emplace_back(std::move(p)).get();
    }
  return nullptr;
}

kernel_launch firmware_code::note_launch(const models::dispatch& d) {
  const auto is_gone = [this](const auto& p) { return !stands_at(*p->of, p->image.base); };
  placed_.erase(std::remove_if(placed_.begin(), placed_.end(), is_gone), placed_.end());
  const uint64_t entry = d.setup.entry;
  const placed* p = at(entry);
  if (p == nullptr) p = place_around(entry);

  loader::kernel& kernel = kernels_[d.packet.kernel_object];
  kernel = {};
  kernel.demangled = d.kernel;
  if (p != nullptr)
    for (const loader::kernel& k : p->of->object->kernels())
      if (p->image.base + k.entry_offset == entry) kernel = k;
  kernel.descriptor = d.descriptor;  // as memory has it
  kernel_launch l;
  l.kernel = {&kernel, d.packet.kernel_object, nullptr};
  l.grid = d.setup.grid_size;
  l.workgroup = d.setup.workgroup_size;
  l.source = p != nullptr ? p->of->object->name() : system_.firmware.name();
  l.packet = d.packet;
  for (const loader::kernel_argument& a : kernel.metadata.arguments) {
    std::vector<uint8_t> bytes(a.size);
    if (is_hidden(a.kind) || !copy(d.packet.kernarg_address + a.offset, bytes.data(), bytes.size())) break;
    l.arguments.push_back(std::move(bytes));
  }
  return l;
}

const firmware_code::placed* firmware_code::at(uint64_t pc) const {
  for (const auto& p : placed_)
    for (const loader::extent& e : p->image.extents)
      if (e.executable && pc >= e.begin && pc < e.end) return p.get();
  return nullptr;
}

std::vector<loader::source_line> firmware_code::source_at(uint64_t pc) const {
  const placed* const p = at(pc);
  if (p == nullptr) return {};
  if (!p->lines) p->lines = std::make_unique<loader::line_table>(p->of->object->file_bytes());
  return p->lines->at(pc - p->image.base);
}

std::vector<loaded_code::loaded_object> firmware_code::loaded_after(uint64_t number) const {
  std::vector<loaded_object> all;
  for (const auto& p : placed_)
    if (p->number > number) all.push_back({p->number, 0, p->of->object, &p->image});
  return all;
}

const loader::image* firmware_code::image_at(uint64_t pc) const {
  const placed* const p = at(pc);
  return p == nullptr ? nullptr : &p->image;
}

}  // namespace pws::platform
