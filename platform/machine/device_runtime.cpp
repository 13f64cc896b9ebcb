// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/device_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "base/error.h"
#include "models/compute_unit/cu_messages.h"
#include "models/machine/fill_pattern.h"
#include "platform/machine/kernel_arguments.h"

namespace pws::platform {

namespace {
constexpr uint64_t signal_value = offsetof(isa::amd_signal, value);
}  // namespace

// From now on each use of memory has an allocation of its own.
device_runtime::memory_of_machine::memory_of_machine(virtual_platform& board) : board_(board) {
  board_.gpu.allocations.remove(board_.gpu.memory.dram.base());
}

void device_runtime::memory_of_machine::add(uint64_t address, uint64_t bytes, const std::string& name,
                                            isa::memory_use use) {
  board_.gpu.allocations.add(address, bytes, name, use);
  tell([&](memory_listener& l) { l.allocated(address, bytes, name); });
}

void device_runtime::memory_of_machine::remove(uint64_t address) {
  board_.gpu.allocations.remove(address);
  tell([=](memory_listener& l) { l.released(address); });
}

void device_runtime::memory_of_machine::write(uint64_t address, const void* data, size_t bytes) {
  board_.host.write(address, data, bytes);
  tell([=](memory_listener& l) { l.host_wrote(address, bytes); });
}

device_runtime::device_runtime(virtual_platform& board)
    : board_(board), memory_(board), layout_(board.gpu.config, &memory_) {
  // Hardware reads the code at the address, and knows no names.
  board_.gpu.dispatcher.set_kernels([this](uint64_t kernel_object) -> const models::dispatched_kernel* {
    const auto it = kernels_.find(kernel_object);
    return it == kernels_.end() ? nullptr : &it->second;
  });
  for (size_t n = 0; n < std::size(unserved_arguments); ++n)
    board_.gpu.allocations.add_unserved(unserved_address(n), unserved_bytes, unserved_arguments[n].what);
  for (const auto& cu : board_.gpu.cus)
    cu->messages().set_source_lines([this](uint64_t pc) { return loader::text(source_at(pc)); });
  tell_of_queue(0, 0, cus_);
}

uint64_t device_runtime::allocate(uint64_t bytes, const std::string& name, uint64_t align, isa::memory_use use) {
  const uint64_t address = layout_.allocate(bytes, name, align, use);
  const models::fill_pattern contents(board_.gpu.config.memory);
  if (contents.is_zero()) return address;
  constexpr uint64_t word = sizeof(uint32_t), chunk_words = 16384;
  std::vector<uint32_t> chunk(chunk_words);
  for (uint64_t done = 0; done < bytes; done += chunk_words * word) {
    contents.fill(chunk.data(), chunk_words, {models::filled_storage::kind::device_memory, address}, done / word);
    board_.host.write(address + done, chunk.data(), std::min(bytes - done, chunk_words * word));
  }
  return address;
}

void device_runtime::clear(uint64_t address, uint64_t bytes) {
  if (!models::fill_pattern(board_.gpu.config.memory).is_zero()) {
    const std::vector<uint8_t> zeros(std::min<uint64_t>(bytes, 65536));
    for (uint64_t done = 0; done < bytes; done += zeros.size())
      board_.host.write(address + done, zeros.data(), std::min<uint64_t>(bytes - done, zeros.size()));
  }
  note_host_write(address, bytes);
}

void device_runtime::listen(memory_listener& l) {
  for (const isa::allocation& a : board_.gpu.allocations.allocations()) {
    l.allocated(a.begin, a.end - a.begin, a.name);
    l.host_wrote(a.begin, a.end - a.begin);
  }
  memory_.listeners.push_back(&l);
}

void device_runtime::stop_listening(memory_listener& l) {
  auto& all = memory_.listeners;
  all.erase(std::remove(all.begin(), all.end(), &l), all.end());
}

const device_runtime::code* device_runtime::code_at(uint64_t pc) const {
  for (const auto& [program, parts] : code_)
    for (const code& part : parts)
      if (pc >= part.decoded->begin() && pc < part.decoded->end()) return &part;
  return nullptr;
}

const isa::inst* device_runtime::instruction_at(uint64_t pc) const {
  const code* part = code_at(pc);
  if (part == nullptr) return nullptr;
  try {
    return &part->decoded->at(pc);
  } catch (const program_error&) {
    return nullptr;
  }
}

std::vector<loader::source_line> device_runtime::source_at(uint64_t pc) const {
  const code* part = code_at(pc);
  if (part == nullptr) return {};
  if (!part->lines) part->lines = std::make_unique<loader::line_table>(part->object->file_bytes());
  return part->lines->at(pc - part->image->base);
}

std::vector<loader::function_frame> device_runtime::frames_at(uint64_t pc) const {
  const code* part = code_at(pc);
  if (part == nullptr) return {};
  std::vector<loader::function_frame> frames = loader::function_frames(part->object->file_bytes());
  for (loader::function_frame& f : frames) {
    f.begin += part->image->base;
    f.end += part->image->base;
  }
  return frames;
}

std::vector<device_runtime::loaded_object> device_runtime::loaded_after(uint64_t number) const {
  std::vector<loaded_object> found;
  if (number == loadings_) return found;
  for (const auto& [program, parts] : code_)
    for (const code& part : parts)
      if (part.number > number) found.push_back({part.number, part.index, part.object, part.image});
  const auto in_front = [](const loaded_object& a, const loaded_object& b) { return a.number < b.number; };
  const auto same = [](const loaded_object& a, const loaded_object& b) { return a.number == b.number; };
  std::sort(found.begin(), found.end(), in_front);
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

const loader::image* device_runtime::image_at(uint64_t pc) const {
  const code* part = code_at(pc);
  return part == nullptr ? nullptr : part->image;
}

std::optional<uint64_t> device_runtime::end_of_memory_at(uint64_t address) const {
  const isa::allocation* const a = board_.gpu.allocations.find(address);
  return a == nullptr ? std::nullopt : std::optional(a->end);
}

const loader::symbol* device_runtime::symbol_at(uint64_t address) const {
  for (const auto& [program, parts] : code_)
    for (const loader::image& image : *layout_.images(*program))
      if (address >= image.base && address - image.base < image.bytes.size())
        if (const loader::symbol* s = image.at(address)) return s;
  return nullptr;
}

size_t device_runtime::object_index_at(uint64_t pc) const {
  const code* part = code_at(pc);
  return part == nullptr ? 0 : part->index;
}

namespace {
// Somebody has called sc_stop: the machine itself only pauses.
bool is_stopped() {
  return (sc_core::sc_get_status() & (sc_core::SC_STOPPED | sc_core::SC_END_OF_SIMULATION)) != 0;
}
// The machine itself pauses only where a launch is over.
bool is_paused_by_others(virtual_platform& board) {
  return sc_core::sc_get_status() == sc_core::SC_PAUSED && sc_core::sc_pending_activity() && !board.host.done() &&
         !board.host.halted();
}
}  // namespace

void device_runtime::load(const loader::program_image& program) {
  layout_.load(program);
  const std::vector<loader::image>& images = *layout_.images(program);
  std::vector<code>& parts = code_[&program];
  for (size_t k = 0; k < images.size(); ++k) {
    const loader::image& image = images[k];
    ++loadings_;
    for (const loader::extent& e : image.extents) {
      if (!e.executable) continue;
      const uint64_t begin = e.begin / 4 * 4, n_words = (e.end - begin) / 4;
      std::vector<uint32_t> words(n_words);
      std::memcpy(words.data(), image.bytes.data() + (begin - image.base), n_words * 4);
      code& part = parts.emplace_back();
      part.words = std::move(words);
      part.object = &program.code_objects()[k];
      part.image = &image;
      part.index = k;
      part.number = loadings_;
      part.decoded = std::make_unique<isa::program>(part.words.data(), begin, n_words);
    }
    for (const loader::kernel& kernel : program.code_objects()[k].kernels()) {
      const uint64_t entry = image.base + kernel.entry_offset;
      const auto part = std::find_if(parts.begin(), parts.end(), [entry](const code& c) {
        return entry >= c.decoded->begin() && entry < c.decoded->end();
      });
      kernels_[image.base + kernel.descriptor_offset] = {kernel.demangled, part->decoded.get()};
    }
  }
}

void device_runtime::unload(const loader::program_image& program) {
  const std::vector<loader::image>* images = layout_.images(program);
  if (images == nullptr) return;
  for (size_t k = 0; k < images->size(); ++k)
    for (const loader::kernel& kernel : program.code_objects()[k].kernels())
      kernels_.erase((*images)[k].base + kernel.descriptor_offset);
  code_.erase(&program);
  layout_.unload(program);
}

uint32_t device_runtime::add_queue(uint64_t priority, const models::cu_mask& cus) {
  const uint32_t number = layout_.add_queue();
  if (number >= models::dispatcher::queues)
    throw input_error(fmt::format("the machine has {} queues", models::dispatcher::queues));
  tell_of_queue(number, priority, cus);
  // The host port writes packets, and the machine the signal, without listeners hearing of it.
  const device_layout::queue_memory& q = layout_.queue_at(number);
  note_host_write(q.ring, device_layout::queue_packets * sizeof(isa::kernel_dispatch_packet));
  note_host_write(q.object, sizeof(isa::amd_queue));
  note_host_write(q.signal, sizeof(isa::amd_signal));
  return number;
}

void device_runtime::tell_of_queue(uint32_t number, uint64_t priority, const models::cu_mask& cus) {
  const device_layout::queue_memory& q = layout_.queue_at(number);
  board_.host.set_queue(number, {q.ring, device_layout::queue_packets, q.object, priority, cus});
}

void device_runtime::set_compute_units(const models::cu_mask& cus) {
  if (cus == cus_) return;
  cus_ = cus;
  tell_of_queue(0, 0, cus_);
}

void device_runtime::begin(const kernel_launch& launch, uint32_t queue, uint64_t number) {
  isa::amd_signal pending;
  pending.value = 1;
  write(layout_.queue_at(queue).signal, &pending, sizeof pending);
  isa::kernel_dispatch_packet packet = launch.packet;
  packet.launch_number = number;
  if (begun_.size() <= queue) begun_.resize(queue + 1);
  begun_[queue] = {number, now(), true};
  note_handed_over(packet);
  board_.host.submit(packet, queue);
}

bool device_runtime::run_to_next_completion() {
  board_.host.return_at_each(true);
  simulate_();
  board_.host.return_at_each(false);
  stands_still_ = board_.host.halted() || is_stopped() || (!board_.host.done() && !sc_core::sc_pending_activity());
  return !stands_still_;
}

std::optional<launch_result> device_runtime::result(uint32_t queue) {
  isa::amd_signal signal;
  read(layout_.queue_at(queue).signal, &signal, sizeof signal);
  launch_result r;
  if (signal.value == 0) {
    r.completed = true;
    r.began = signal.start_ts;
    r.ended = signal.end_ts;
    r.cycles = r.ended - r.began;
    if (begun_[queue].outstanding) note_complete();
    begun_[queue].outstanding = false;
    return r;
  }
  if (!stands_still_) return std::nullopt;
  r.cycles = now() - begun_[queue].at;
  // Each queue has one launch.
  const std::optional<uint32_t> faulty = board_.host.halted() ? board_.host.fault().queue : std::nullopt;
  r.bystander = faulty && *faulty != queue;
  r.error = r.bystander ? fmt::format("the machine has stopped: launch {} has failed", begun_.at(*faulty).number)
                        : why_stopped();
  return r;
}

void device_runtime::note_handed_over(const isa::kernel_dispatch_packet& p) {
  if (outstanding_++ == 0) {
    workgroups_before_ += workgroups_since_;
    workgroups_since_ = 0;
  }
  const uint32_t grid[] = {p.grid_size_x, p.grid_size_y, p.grid_size_z};
  const uint32_t size[] = {p.workgroup_size_x, p.workgroup_size_y, p.workgroup_size_z};
  uint64_t workgroups = 1;
  for (size_t k = 0; k < std::size(grid); ++k)
    workgroups *= size[k] == 0 ? 0 : (uint64_t{grid[k]} + size[k] - 1) / size[k];
  workgroups_since_ += workgroups;
}

void device_runtime::note_complete() {
  --outstanding_;
}

device_runtime::progress device_runtime::workgroups() const {
  return {board_.host.peek_register(models::gpu_register::workgroups) - workgroups_before_, workgroups_since_};
}

launch_result device_runtime::submit(const kernel_launch& launch) {
  if (is_stopped()) {
    launch_result refused;
    refused.error = why_stopped();
    return refused;
  }
  const int64_t pending = 1;
  const uint64_t value = layout_.queue_at(0).signal + signal_value;
  write(value, &pending, sizeof pending);
  const models::cycle_t submitted = now();
  note_handed_over(launch.packet);
  board_.host.submit(launch.packet);
  return run_to_end(submitted);
}

launch_result device_runtime::resume() {
  return run_to_end(now());
}

void device_runtime::keep(state_archive& a) {
  layout_.keep(a);
  a(workgroups_before_, workgroups_since_, outstanding_);
}

launch_result device_runtime::run_to_end(models::cycle_t submitted) {
  const uint64_t value = layout_.queue_at(0).signal + signal_value;
  simulate_();
  while (is_paused_by_others(board_)) simulate_();

  launch_result result;
  int64_t left = 0;
  read(value, &left, sizeof left);
  result.completed = board_.host.done() && left == 0;
  if (!result.completed) {
    result.cycles = now() - submitted;
    result.error = why_stopped();
    return result;
  }
  note_complete();
  isa::amd_signal signal;
  peek(layout_.queue_at(0).signal, &signal, sizeof signal);
  result.cycles = signal.end_ts - signal.start_ts;
  try {
    board_.cosim.drain();
  } catch (const program_error& e) {
    result.completed = false;
    result.error = e.what();
  }
  return result;
}

std::string device_runtime::why_stopped() const {
  if (board_.host.halted()) return fault_text();
  return is_stopped() ? stopped_from_outside() : deadlock();
}

// The register has room for the beginning. Messages that list what all wavefronts stand at are longer: a model's.
std::string device_runtime::fault_text() const {
  models::host_port::fault_record fault = board_.host.fault();
  if (fault.is_cut || fault.text.empty()) return board_.gpu.dispatcher.fault_message();
  return std::move(fault.text);
}

std::string device_runtime::stopped_from_outside() const {
  const progress now = workgroups();
  return fmt::format(
      "the simulation was stopped at {} from outside the GPU (sc_stop), {}; SystemC cannot go on after that, and "
      "nothing "
      "can be launched any more",
      sc_core::sc_time_stamp().to_string(),
      now.total == 0 ? "before anything was launched"
                     : fmt::format("with {} of {} workgroups done", now.done, now.total));
}

// What wavefronts stand at and queues wait for is the model's.
std::string device_runtime::deadlock() const {
  const progress now = workgroups();
  std::vector<const models::compute_unit*> cus;
  for (const auto& cu : board_.gpu.cus) cus.push_back(cu.get());
  return fmt::format("deadlock: {} of {} workgroups are done and nothing can go on\n{}{}", now.done, now.total,
                     models::describe_standing(cus), board_.gpu.dispatcher.describe_queues());
}

}  // namespace pws::platform
