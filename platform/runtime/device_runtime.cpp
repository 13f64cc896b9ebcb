#include "platform/runtime/device_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "base/error.h"
#include "models/machine/occupancy.h"
#include "platform/runtime/kernel_arguments.h"
#include "platform/runtime/launch_check.h"

namespace pws::platform {

namespace {
constexpr uint64_t ring_packets = 64;
constexpr models::flat_apertures apertures;
constexpr uint64_t signal_value = offsetof(isa::amd_signal, value);
}  // namespace

device_runtime::device_runtime(virtual_platform& gpu) : gpu_(gpu), heap_(models::dram::base, gpu.memory.dram.size()) {
  ring_ = must_allocate(ring_packets * sizeof(isa::kernel_dispatch_packet), device_heap::alignment, "AQL queue", false);
  queue_object_ = must_allocate(sizeof(isa::amd_queue), device_heap::alignment, "queue object", true);
  signal_ = must_allocate(sizeof(isa::amd_signal), device_heap::alignment, "completion signal", true);
  gpu_.dispatcher.set_kernels([this](uint64_t kernel_object) -> const models::kernel_code* {
    const auto it = kernels_.find(kernel_object);
    return it == kernels_.end() ? nullptr : &it->second;
  });
  for (size_t n = 0; n < std::size(unserved_arguments); ++n)
    gpu_.allocations.add_unserved(unserved_address(n), unserved_bytes, unserved_arguments[n].what);
  provide_scratch(0);
  gpu_.host.set_queue(ring_, ring_packets, queue_object_);
}

uint64_t device_runtime::must_allocate(uint64_t bytes, uint64_t align, const std::string& name, bool writable) {
  const auto address = heap_.allocate(bytes, align);
  if (!address)
    throw input_error(
        fmt::format("device memory exhausted: {} needs {} bytes, {} of {} bytes are in use "
                    "(machine.memory.dram.size_mib)",
                    name, bytes, heap_.used(), gpu_.memory.dram.size()));
  gpu_.allocations.add(*address, std::max<uint64_t>(bytes, 1), name, writable);
  return *address;
}

uint64_t device_runtime::allocate(uint64_t bytes, const std::string& name) {
  return must_allocate(bytes, device_heap::alignment, name, true);
}

bool device_runtime::release(uint64_t address) {
  return gpu_.allocations.remove(address) && heap_.release(address);
}

// Predictable memory: all code lies in the instruction caches, where nothing replaces it.
uint64_t device_runtime::require_locked_instructions(const loader::program_image& program) {
  if (gpu_.config.memory.arbitration != models::memory_arbitration::tdm) return 0;
  uint64_t code = 0;
  for (const loader::code_object& o : program.code_objects())
    for (const loader::extent& e : o.load(0).extents)
      if (e.executable) code += e.end - e.begin;
  const uint64_t size = uint64_t{gpu_.config.memory.instruction_cache.size_kib} * 1024;
  if (locked_code_ + code > size)
    throw input_error(
        fmt::format("{}: the code loaded takes {} bytes, more than the instruction cache that it is locked in "
                    "({} KiB: machine.memory.instruction_cache.size_kib, memory.arbitration: tdm)",
                    program.name(), locked_code_ + code, gpu_.config.memory.instruction_cache.size_kib));
  locked_code_ += code;
  return code;
}

void device_runtime::load(const loader::program_image& program) {
  module m;
  m.program = &program;
  m.images = program.load(program.image_alignment());  // says early what is wrong with it
  m.locked_code = require_locked_instructions(program);
  m.base = must_allocate(program.load_size(), program.image_alignment(), "program " + program.name(), true);
  m.images = program.load(m.base);
  for (size_t k = 0; k < m.images.size(); ++k) {
    const loader::image& image = m.images[k];
    write(image.base, image.bytes.data(), image.bytes.size());
    for (const loader::extent& e : image.extents) {
      if (!e.executable) continue;
      const uint64_t begin = e.begin / 4 * 4, n_words = (e.end - begin) / 4;
      std::vector<uint32_t> words(n_words);
      std::memcpy(words.data(), image.bytes.data() + (begin - image.base), n_words * 4);
      m.words.push_back(std::move(words));
      m.code.push_back(std::make_unique<isa::program>(m.words.back().data(), begin, n_words));
    }
    for (const loader::kernel& kernel : program.code_objects()[k].kernels()) {
      const uint64_t entry = image.base + kernel.entry_offset;
      const auto code = std::find_if(m.code.begin(), m.code.end(), [&](const std::unique_ptr<isa::program>& p) {
        return entry >= p->begin() && entry < p->end();
      });
      if (code == m.code.end())
        throw input_error(
            fmt::format("{}: kernel {} does not begin in an executable segment", program.name(), kernel.demangled));
      kernels_[image.base + kernel.descriptor_offset] = {kernel.demangled, code->get()};
    }
  }
  modules_.push_back(std::move(m));
}

void device_runtime::unload(const loader::program_image& program) {
  const auto m =
      std::find_if(modules_.begin(), modules_.end(), [&](const module& one) { return one.program == &program; });
  if (m == modules_.end()) return;
  for (size_t k = 0; k < m->images.size(); ++k)
    for (const loader::kernel& kernel : program.code_objects()[k].kernels())
      kernels_.erase(m->images[k].base + kernel.descriptor_offset);
  locked_code_ -= m->locked_code;
  release(m->base);
  modules_.erase(m);
}

const std::vector<loader::image>* device_runtime::images(const loader::program_image& program) const {
  for (const module& m : modules_)
    if (m.program == &program) return &m.images;
  return nullptr;
}

loaded_kernel device_runtime::find_kernel(const std::string& name) const {
  std::vector<const loader::code_object*> objects;
  for (const module& m : modules_)
    for (const loader::code_object& o : m.program->code_objects()) objects.push_back(&o);
  const loader::found_kernel found =
      loader::find_kernel(objects, name, modules_.empty() ? "no program" : modules_.back().program->name());
  for (const module& m : modules_)
    for (size_t k = 0; k < m.images.size(); ++k)
      if (&m.program->code_objects()[k] == found.object)
        return {found.kernel, m.images[k].base + found.kernel->descriptor_offset};
  return {};
}

void device_runtime::check(const launch_request& r) const {
  launch_shape shape{r.workgroup, r.dynamic_lds, {}};
  for (const std::vector<uint8_t>& argument : r.arguments) shape.arguments.push_back(argument.size());
  if (const auto problem = problem_with_kernel(*r.kernel.kernel, shape)) throw input_error(problem->text);
}

void device_runtime::provide_scratch(uint32_t bytes_per_lane) {
  const uint64_t need = models::contexts_of_machine(gpu_.config) * bytes_per_lane * isa::wave_size;
  if (need > scratch_bytes_) {
    if (scratch_ != 0) release(scratch_);
    scratch_ = must_allocate(need, device_heap::alignment, "scratch", true);
    scratch_bytes_ = need;
  }
  isa::amd_queue q;
  q.group_segment_aperture_base_hi = apertures.lds;
  q.private_segment_aperture_base_hi = apertures.scratch;
  q.scratch_backing_memory_location = scratch_;
  q.scratch_backing_memory_byte_size = scratch_bytes_;
  write(queue_object_, &q, sizeof q);
}

prepared_launch device_runtime::prepare(const launch_request& r) {
  check(r);
  const loader::kernel_metadata& k = r.kernel.kernel->metadata;
  const uint32_t stack =
      k.uses_dynamic_stack ? std::max(k.private_segment_fixed_size, r.dynamic_stack) : k.private_segment_fixed_size;
  const uint32_t scratch_per_lane = (stack + 3) / 4 * 4;  // interleaved by dword
  provide_scratch(scratch_per_lane);

  const uint64_t lds = lds_bytes(k, r);
  if (lds > UINT32_MAX) throw input_error(fmt::format("kernel {}: {} bytes of LDS", r.kernel.kernel->demangled, lds));
  prepared_launch prepared;
  std::vector<uint8_t>& arguments = prepared.arguments;
  arguments = lay_out_arguments(k, r, queue_object_, apertures, hostcall_buffer_);
  if (arguments.size() > kernarg_bytes_) {
    if (kernarg_ != 0) release(kernarg_);
    kernarg_ = must_allocate(arguments.size(), device_heap::alignment, "kernel arguments", false);
    kernarg_bytes_ = arguments.size();
  }
  if (!arguments.empty()) write(kernarg_, arguments.data(), arguments.size());

  isa::kernel_dispatch_packet& p = prepared.packet;
  p.header =
      isa::packet_header(isa::packet_type::kernel_dispatch, true, isa::fence_scope::system, isa::fence_scope::system);
  p.setup = static_cast<uint16_t>(r.grid[2] > 1 ? 3 : r.grid[1] > 1 ? 2 : 1);
  p.workgroup_size_x = static_cast<uint16_t>(r.workgroup[0]);
  p.workgroup_size_y = static_cast<uint16_t>(r.workgroup[1]);
  p.workgroup_size_z = static_cast<uint16_t>(r.workgroup[2]);
  p.grid_size_x = r.grid[0];
  p.grid_size_y = r.grid[1];
  p.grid_size_z = r.grid[2];
  p.private_segment_size = scratch_per_lane;
  p.group_segment_size = static_cast<uint32_t>(lds);
  p.kernel_object = r.kernel.descriptor;
  p.kernarg_address = kernarg_;
  p.completion_signal = signal_;
  return prepared;
}

launch_result device_runtime::submit(const prepared_launch& launch) {
  const int64_t pending = 1;
  write(signal_ + signal_value, &pending, sizeof pending);

  gpu_.memory.invalidate_l1(gpu_.clock.now());  // the packet's acquire fence
  gpu_.host.submit(launch.packet);
  simulate_();

  launch_result result;
  int64_t left = 0;
  read(signal_ + signal_value, &left, sizeof left);
  result.completed = gpu_.host.done() && left == 0;
  result.cycles = gpu_.dispatcher.last_dispatch_cycles();
  if (!result.completed) {
    result.error = gpu_.dispatcher.fault_message();
    if (result.error.empty()) result.error = deadlock();
    return result;
  }
  try {
    gpu_.cosim.drain();
  } catch (const program_error& e) {
    result.completed = false;
    result.error = e.what();
  }
  return result;
}

std::string device_runtime::deadlock() const {
  std::string waves;
  for (const auto& cu : gpu_.cus) waves += cu->describe_waves();
  return fmt::format("deadlock: {} of {} workgroups are done and nothing can go on\n{}",
                     gpu_.dispatcher.workgroups_done(), gpu_.dispatcher.workgroups_total(), waves);
}

}  // namespace pws::platform
