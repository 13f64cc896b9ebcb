#include "models/dispatch/dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/error.h"
#include "models/bus/bus_access.h"
#include "models/machine/shortage.h"

namespace pws::models {

namespace {
// Turns of compute units between two looks at the progress: some milliseconds of the host's time. A turn of functional
// fidelity is up to 100,000 instructions of each wavefront, one of timing an instant.
constexpr uint64_t functional_turns = 8, timing_turns = 1024;
}  // namespace

dispatcher::dispatcher(const sc_core::sc_module_name& name, const machine_config& c, const gpu_clock& clock,
                       std::vector<compute_unit*> cus)
    : sc_module(name), registers("registers"), memory("memory"), config_(c), clock_(clock), cus_(std::move(cus)) {
  registers.register_b_transport(this, &dispatcher::b_transport);
  for (compute_unit* cu : cus_) cu->bind_listener(*this);
  SC_HAS_PROCESS(dispatcher);
  SC_METHOD(run);
  sensitive << work_;
  dont_initialize();
  SC_METHOD(limit_reached);
  sensitive << limit_;
  dont_initialize();
}

void dispatcher::b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time&) {
  if (!t.is_write()) {
    t.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  uint64_t value = 0;
  if (t.get_data_length() != sizeof value || t.get_byte_enable_ptr() != nullptr) {
    t.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  std::memcpy(&value, t.get_data_ptr(), sizeof value);
  t.set_response_status(tlm::TLM_OK_RESPONSE);
  switch (t.get_address()) {
    case dispatcher_register::queue_base:
      queue_base_ = value;
      break;
    case dispatcher_register::queue_packets:
      queue_packets_ = value;
      break;
    case dispatcher_register::queue_object:
      queue_object_ = value;
      break;
    case dispatcher_register::doorbell:
      written_packets_ = value + 1;
      work_.notify(sc_core::SC_ZERO_TIME);
      break;
    default:
      t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      break;
  }
}

void dispatcher::arm(cycle_t at) {
  const cycle_t now = clock_.now();
  work_.notify(at <= now ? sc_core::SC_ZERO_TIME : clock_.time_of(at) - sc_core::sc_time_stamp());
}

void dispatcher::run() {
  if (!fault_.empty()) return;
  retire_finished();
  if (current_ != nullptr && finished_workgroups_ == total_workgroups_) complete();
  while (current_ == nullptr && next_packet_ != written_packets_)
    if (!begin_packet()) return;
  if (current_ == nullptr) return;
  if (place_workgroups()) arm(clock_.now() + 1);
  for (const finished& f : finished_) arm(f.at + 1);
}

void dispatcher::retire_finished() {
  const cycle_t now = clock_.now();
  // In order of time, then of compute unit: not in the order in which the units happened to run.
  std::sort(finished_.begin(), finished_.end(), [](const finished& a, const finished& b) {
    return a.at != b.at ? a.at < b.at : a.cu->index() < b.cu->index();
  });
  size_t n = 0;
  for (; n < finished_.size() && finished_[n].at < now; ++n) {
    finished_[n].cu->retire(*finished_[n].group);
    ++finished_workgroups_;
    last_finish_ = finished_[n].at;
    if (on_progress) on_progress();
  }
  finished_.erase(finished_.begin(), finished_.begin() + static_cast<std::ptrdiff_t>(n));
}

bool dispatcher::begin_packet() {
  const uint64_t address = queue_base_ + next_packet_ % queue_packets_ * sizeof(isa::kernel_dispatch_packet);
  const auto packet = bus_read<isa::kernel_dispatch_packet>(memory, address);
  ++next_packet_;
  began_ = last_finish_ = clock_.now();
  last_cycles_ = 0;
  completion_signal_ = packet.completion_signal;
  const kernel_code* k = kernels_ ? kernels_(packet.kernel_object) : nullptr;
  try {
    if (isa::type_of(packet.header) != isa::packet_type::kernel_dispatch)
      throw program_error(
          fmt::format("AQL packet {}: type {} is not a kernel dispatch, the only one this machine serves",
                      next_packet_ - 1, static_cast<unsigned>(isa::type_of(packet.header))));
    if (k == nullptr)
      throw program_error(
          fmt::format("AQL packet {}: no kernel has its descriptor at {:#x}", next_packet_ - 1, packet.kernel_object));
    current_ = std::make_unique<dispatch>();
    current_->kernel = k->name;
    current_->code = k->code;
    current_->setup.dispatch_packet = address;
    set_up(packet);
  } catch (const std::runtime_error& e) {
    current_.reset();
    fault(k == nullptr ? std::string(e.what()) : fmt::format("kernel {}: {}", k->name, e.what()));
    return false;
  }
  if (config_.limits.max_cycles != 0 && config_.fidelity == fidelity::timing)
    limit_.notify(clock_.time_of(config_.limits.max_cycles));
  return true;
}

// Fills current_ from the packet and the kernel's descriptor. Throws program_error where the machine cannot run it.
void dispatcher::set_up(const isa::kernel_dispatch_packet& p) {
  dispatch& d = *current_;
  d.packet = p;
  std::array<uint8_t, isa::kernel_descriptor::size> raw{};
  bus_transfer(memory, tlm::TLM_READ_COMMAND, p.kernel_object, raw.data(), raw.size());
  d.descriptor = isa::kernel_descriptor::parse(raw.data(), raw.size());
  d.vgprs = d.descriptor.n_vgprs;
  d.sgprs = d.descriptor.n_sgprs;
  d.lds_bytes = p.group_segment_size;
  for (const compute_unit* cu : cus_) d.time = std::max(d.time, cu->latest_time());
  const auto queue = bus_read<isa::amd_queue>(memory, queue_object_);
  isa::wave_launch& l = d.setup;
  l.entry = p.kernel_object + static_cast<uint64_t>(d.descriptor.entry_offset);
  l.queue = queue_object_;
  l.kernarg = p.kernarg_address;
  l.dispatch_id = next_packet_ - 1;
  l.workgroup_size = {p.workgroup_size_x, p.workgroup_size_y, p.workgroup_size_z};
  l.grid_size = {p.grid_size_x, p.grid_size_y, p.grid_size_z};
  l.shared_aperture = uint64_t{queue.group_segment_aperture_base_hi} << 32;
  l.private_aperture = uint64_t{queue.private_segment_aperture_base_hi} << 32;
  l.scratch_backing = queue.scratch_backing_memory_location;
  l.scratch_bytes_per_lane = p.private_segment_size;
  const uint64_t scratch = contexts_of_machine(config_) * l.scratch_bytes_per_lane * isa::wave_size;
  if (scratch > queue.scratch_backing_memory_byte_size || scratch > UINT32_MAX)
    throw program_error(
        fmt::format("needs {} bytes of scratch for every context of the machine; the queue has {}, and a "
                    "buffer resource reaches 4 GiB",
                    scratch, queue.scratch_backing_memory_byte_size));
  l.scratch_backing_bytes = static_cast<uint32_t>(scratch);
  const std::array<uint32_t, 3> size{p.workgroup_size_x, p.workgroup_size_y, p.workgroup_size_z};
  const std::array<uint32_t, 3> grid{p.grid_size_x, p.grid_size_y, p.grid_size_z};
  total_workgroups_ = 1;
  started_workgroups_ = finished_workgroups_ = 0;
  for (size_t k = 0; k < 3; ++k) {
    if (size[k] == 0 || grid[k] == 0) throw program_error("grid and workgroup sizes must not be zero");
    d.workgroups[k] = (grid[k] - 1) / size[k] + 1;
    if (__builtin_mul_overflow(total_workgroups_, d.workgroups[k], &total_workgroups_))
      throw program_error(
          fmt::format("a grid of {} x {} x {} work-items has 2^64 workgroups or more", grid[0], grid[1], grid[2]));
  }
  workgroup largest{&d, {}, size};
  for (size_t k = 0; k < 3; ++k) largest.size[k] = std::min(size[k], grid[k]);
  if (!cus_.front()->fits(largest)) {
    const uint64_t work_items = uint64_t{largest.size[0]} * largest.size[1] * largest.size[2];
    throw program_error(shortage_of(config_, {work_items, d.vgprs, d.sgprs, d.lds_bytes}));
  }
}

workgroup dispatcher::next_workgroup() const {
  const dispatch& d = *current_;
  const uint64_t n = started_workgroups_;
  const uint64_t plane = uint64_t{d.workgroups[0]} * d.workgroups[1];
  workgroup w;
  w.of = current_.get();
  w.id = {static_cast<uint32_t>(n % d.workgroups[0]), static_cast<uint32_t>(n % plane / d.workgroups[0]),
          static_cast<uint32_t>(n / plane)};
  const std::array<uint32_t, 3> size{d.packet.workgroup_size_x, d.packet.workgroup_size_y, d.packet.workgroup_size_z};
  const std::array<uint32_t, 3> grid{d.packet.grid_size_x, d.packet.grid_size_y, d.packet.grid_size_z};
  for (size_t k = 0; k < 3; ++k) w.size[k] = std::min(size[k], grid[k] - w.id[k] * size[k]);
  return w;
}

// Starts what fits: one workgroup in timing fidelity, all in functional. True if more could start in the next cycle.
bool dispatcher::place_workgroups() {
  while (started_workgroups_ != total_workgroups_) {
    const workgroup w = next_workgroup();
    size_t tried = 0;
    while (tried < cus_.size() && !cus_[turn_]->fits(w)) {
      turn_ = (turn_ + 1) % cus_.size();
      ++tried;
    }
    if (tried == cus_.size()) return false;  // again when one has finished
    ++started_workgroups_;
    cus_[turn_]->start(w, clock_.now() + config_.dispatch_latency);
    turn_ = (turn_ + 1) % cus_.size();
    if (config_.fidelity == fidelity::timing) return true;
  }
  return false;
}

void dispatcher::workgroup_finished(compute_unit& cu, resident_workgroup& group, cycle_t at) {
  // The news takes a cycle: by then every unit has reported what ends in cycle `at`, in whatever order they run.
  finished_.push_back({&cu, &group, at});
  arm(at + 1);
}

void dispatcher::complete() {
  last_cycles_ = last_finish_ - began_;
  limit_.cancel();
  if (completion_signal_ != 0) {
    const uint64_t value = completion_signal_ + offsetof(isa::amd_signal, value);
    bus_write<int64_t>(memory, value, bus_read<int64_t>(memory, value) - 1);
  }
  current_.reset();
  interrupt_.notify(sc_core::SC_ZERO_TIME);
}

void dispatcher::limit_reached() {
  if (current_ == nullptr || !fault_.empty()) return;
  std::string waves;
  for (const compute_unit* cu : cus_) waves += cu->describe_waves();
  fault(fmt::format("kernel {}: limits.max_cycles reached: {} cycles. In execution:\n{}", current_->kernel,
                    config_.limits.max_cycles, waves));
}

bool dispatcher::interrupt_host(uint32_t event) {
  if (!on_host_interrupt) return false;
  on_host_interrupt(event);
  return true;
}

bool dispatcher::stop_requested() {
  if (on_progress && ++turns_ % (config_.fidelity == fidelity::timing ? timing_turns : functional_turns) == 0)
    on_progress();
  if (stop_ == nullptr || *stop_ == 0) return false;
  fault("stopped by the host");
  return true;
}

void dispatcher::fault(const std::string& message) {
  if (fault_.empty()) fault_ = message;
  interrupt_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace pws::models
