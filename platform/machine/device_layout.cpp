// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/device_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/error.h"
#include "models/machine/address_map.h"
#include "models/machine/occupancy.h"
#include "platform/machine/kernel_arguments.h"
#include "platform/machine/kernel_launch.h"

namespace pws::platform {

namespace {

constexpr models::flat_apertures device_apertures;
// With machine.check.memory: bytes that have to be freed after a block before its place is given away again, to the
// program or to the runtime itself. An access of the block until then is one of freed memory.
constexpr uint64_t kept_after_free = uint64_t{256} << 20;

// Says early what is wrong with a program.
void require_executable_kernels(const loader::program_image& program) {
  const std::vector<loader::image> images = program.load(program.image_alignment());
  for (size_t k = 0; k < images.size(); ++k)
    for (const loader::kernel& kernel : program.code_objects()[k].kernels()) {
      const uint64_t entry = images[k].base + kernel.entry_offset;
      const auto holds = [entry](const loader::extent& e) {  // whole words, which instructions are
        const uint64_t begin = e.begin / 4 * 4;
        return e.executable && entry >= begin && entry < begin + (e.end - begin) / 4 * 4;
      };
      if (std::none_of(images[k].extents.begin(), images[k].extents.end(), holds))
        throw input_error(
            fmt::format("{}: kernel {} does not begin in an executable segment", program.name(), kernel.demangled));
    }
}

}  // namespace

device_layout::device_layout(const models::machine_config& machine, device_memory* memory)
    : machine_(machine), memory_(memory), heap_(machine.memory.dram.base(), machine.memory.dram.bytes()) {
  if (machine.check.memory) heap_.keep_retired(kept_after_free);
  add_queue();
}

uint32_t device_layout::add_queue() {
  queue_memory q;
  using isa::memory_use;
  q.ring = must_allocate(queue_packets * sizeof(isa::kernel_dispatch_packet), device_heap::alignment, "AQL queue",
                         memory_use::packets);
  q.object = must_allocate(sizeof(isa::amd_queue), device_heap::alignment, "queue object", memory_use::queue);
  q.signal = must_allocate(sizeof(isa::amd_signal), device_heap::alignment, "completion signal", memory_use::signal);
  isa::amd_queue object;
  object.group_segment_aperture_base_hi = device_apertures.lds;
  object.private_segment_aperture_base_hi = device_apertures.scratch;
  write(q.object, &object, sizeof object);
  queues_.push_back(q);
  return static_cast<uint32_t>(queues_.size() - 1);
}

uint64_t device_layout::take(uint64_t bytes, uint64_t align, const std::string& name) {
  const auto address = heap_.allocate(bytes, align);
  if (!address)
    throw input_error(
        fmt::format("device memory exhausted: {} needs {} bytes, {} of {} bytes are in use "
                    "(machine.memory.dram.size_mib)",
                    name, bytes, heap_.used(), machine_.memory.dram.bytes()));
  allocated_[*address] = {*address, *address + std::max<uint64_t>(bytes, 1), name};
  return *address;
}

uint64_t device_layout::must_allocate(uint64_t bytes, uint64_t align, const std::string& name, isa::memory_use use) {
  const uint64_t address = take(bytes, align, name);
  if (memory_ != nullptr) memory_->add(address, std::max<uint64_t>(bytes, 1), name, use);
  return address;
}

const device_layout::allocation* device_layout::find(uint64_t address) const {
  auto behind = allocated_.upper_bound(address);
  if (behind == allocated_.begin()) return nullptr;
  const allocation& a = std::prev(behind)->second;
  return address < a.end ? &a : nullptr;
}

void device_layout::write(uint64_t address, const void* data, size_t bytes) {
  if (memory_ != nullptr) memory_->write(address, data, bytes);
}

uint64_t device_layout::allocate(uint64_t bytes, const std::string& name, uint64_t align, isa::memory_use use) {
  return must_allocate(bytes, align, name, use);
}

bool device_layout::release(uint64_t address) {
  if (!heap_.retire(address)) return false;
  forget(address);
  return true;
}

void device_layout::give_back(uint64_t address) {
  if (heap_.release(address)) forget(address);
}

void device_layout::forget(uint64_t address) {
  allocated_.erase(address);
  if (memory_ != nullptr) memory_->remove(address);
}

// Predictable memory: all code lies in the instruction caches, where nothing replaces it.
uint64_t device_layout::require_locked_instructions(const loader::program_image& program) {
  if (machine_.memory.arbitration != models::memory_arbitration::tdm) return 0;
  uint64_t code = 0;
  for (const loader::code_object& o : program.code_objects())
    for (const loader::extent& e : o.load(0).extents)
      if (e.executable) code += e.end - e.begin;
  const uint64_t size = uint64_t{machine_.memory.instruction_cache.size_kib} * 1024;
  if (locked_code_ + code > size)
    throw input_error(
        fmt::format("{}: the code loaded takes {} bytes, more than the instruction cache that it is locked in "
                    "({} KiB: machine.memory.instruction_cache.size_kib, memory.arbitration: tdm)",
                    program.name(), locked_code_ + code, machine_.memory.instruction_cache.size_kib));
  locked_code_ += code;
  return code;
}

// What lies between its segments is nobody's. Compilers load whole dwords where they know them to be aligned.
void device_layout::add_parts(module& m) {
  using isa::memory_use;
  constexpr uint64_t word = 4;
  for (const loader::image& image : m.images)
    for (const loader::extent& e : image.extents) {
      const memory_use use = e.executable ? memory_use::code
                             : e.writable ? memory_use::variables
                                          : memory_use::constants;
      const char* const what = e.executable ? "code" : e.writable ? "variables" : "constants";
      const uint64_t begin = e.begin / word * word, end = (e.end + word - 1) / word * word;
      if (begin == end) continue;
      m.parts.push_back(begin);
      if (memory_ != nullptr)
        memory_->add(begin, end - begin, fmt::format("{} of program {}", what, m.program->name()), use);
    }
}

void device_layout::load(const loader::program_image& program) {
  module m;
  m.program = &program;
  require_executable_kernels(program);
  m.locked_code = require_locked_instructions(program);
  m.base = take(program.load_size(), program.image_alignment(), "program " + program.name());
  m.images = program.load(m.base);
  add_parts(m);
  for (const loader::image& image : m.images) write(image.base, image.bytes.data(), image.bytes.size());
  modules_.push_back(std::move(m));
}

void device_layout::unload(const loader::program_image& program) {
  const auto m =
      std::find_if(modules_.begin(), modules_.end(), [&](const module& one) { return one.program == &program; });
  if (m == modules_.end()) return;
  locked_code_ -= m->locked_code;
  heap_.retire(m->base);
  allocated_.erase(m->base);
  if (memory_ != nullptr)
    for (const uint64_t part : m->parts) memory_->remove(part);
  modules_.erase(m);
}

const std::vector<loader::image>* device_layout::images(const loader::program_image& program) const {
  for (const module& m : modules_)
    if (m.program == &program) return &m.images;
  return nullptr;
}

loaded_kernel device_layout::find_kernel(const std::string& name, const loader::program_image* in) const {
  std::vector<const loader::code_object*> objects;
  for (const module& m : modules_)
    if (in == nullptr || m.program == in)
      for (const loader::code_object& o : m.program->code_objects()) objects.push_back(&o);
  const loader::found_kernel found =
      loader::find_kernel(objects, name, modules_.empty() ? "no program" : modules_.back().program->name());
  for (const module& m : modules_)
    for (size_t k = 0; k < m.images.size(); ++k)
      if (&m.program->code_objects()[k] == found.object)
        return {found.kernel, m.images[k].base + found.kernel->descriptor_offset, m.program};
  return {};
}

void device_layout::provide_scratch(queue_memory& q, uint32_t bytes_per_lane) {
  const uint64_t need = models::contexts_of_machine(machine_) * bytes_per_lane * isa::wave_size;
  if (need <= q.scratch_bytes) return;
  if (q.scratch != 0) give_back(q.scratch);
  q.scratch = must_allocate(need, device_heap::alignment, "scratch", isa::memory_use::scratch);
  q.scratch_bytes = need;
  write(q.object + offsetof(isa::amd_queue, scratch_backing_memory_location), &q.scratch, sizeof q.scratch);
  write(q.object + offsetof(isa::amd_queue, scratch_backing_memory_byte_size), &q.scratch_bytes,
        sizeof q.scratch_bytes);
}

kernel_launch device_layout::prepare(kernel_launch l, uint32_t number) {
  if (const auto problem = problem_with_kernel(l)) throw input_error(problem->text);
  queue_memory& q = queues_[number];
  const loader::kernel_metadata& k = l.kernel.kernel->metadata;
  const uint32_t stack =
      k.uses_dynamic_stack ? std::max(k.private_segment_fixed_size, l.dynamic_stack) : k.private_segment_fixed_size;
  const uint32_t scratch_per_lane = (stack + 3) / 4 * 4;  // interleaved by dword
  provide_scratch(q, scratch_per_lane);

  const uint64_t lds = lds_bytes(k, l);
  if (lds > UINT32_MAX) throw input_error(fmt::format("kernel {}: {} bytes of LDS", l.kernel.kernel->demangled, lds));
  l.kernarg = lay_out_arguments(k, l, q.object, device_apertures, served_);
  if (l.kernarg.size() > q.kernarg_bytes) {
    if (q.kernarg != 0) give_back(q.kernarg);
    q.kernarg = must_allocate(l.kernarg.size(), device_heap::alignment, "kernel arguments", isa::memory_use::arguments);
    q.kernarg_bytes = l.kernarg.size();
  }
  if (!l.kernarg.empty()) write(q.kernarg, l.kernarg.data(), l.kernarg.size());

  isa::kernel_dispatch_packet& p = l.packet;
  p.header =
      isa::packet_header(isa::packet_type::kernel_dispatch, true, isa::fence_scope::system, isa::fence_scope::system);
  p.setup = static_cast<uint16_t>(l.grid[2] > 1 ? 3 : l.grid[1] > 1 ? 2 : 1);
  p.workgroup_size_x = static_cast<uint16_t>(l.workgroup[0]);
  p.workgroup_size_y = static_cast<uint16_t>(l.workgroup[1]);
  p.workgroup_size_z = static_cast<uint16_t>(l.workgroup[2]);
  p.cooperative = l.together == launch_together::no ? 0 : 1;
  p.grid_size_x = l.grid[0];
  p.grid_size_y = l.grid[1];
  p.grid_size_z = l.grid[2];
  p.private_segment_size = scratch_per_lane;
  p.group_segment_size = static_cast<uint32_t>(lds);
  p.kernel_object = l.kernel.descriptor;
  p.kernarg_address = q.kernarg;
  p.completion_signal = q.signal;
  return l;
}

void device_layout::keep(state_archive& a) {
  a.section("layout");
  for (const module& m : modules_) a.same(m.base, "place of the program");
  heap_.keep(a);
  std::vector<allocation> all;
  for (const auto& [begin, one] : allocated_) all.push_back(one);
  a.list(all, [](state_archive& b, allocation& one) { b(one.begin, one.end, one.name); });
  if (a.restores()) {
    allocated_.clear();
    for (allocation& one : all) allocated_[one.begin] = std::move(one);
  }
  a.list(queues_, [](state_archive& b, queue_memory& q) {
    b(q.ring, q.object, q.signal, q.kernarg, q.kernarg_bytes, q.scratch, q.scratch_bytes);
  });
  a(served_.hostcall_buffer, served_.heap);
}

}  // namespace pws::platform
