// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/device_window.h"

#include "models/registers/register_transport.h"

namespace pws::models {

static_assert(gpu_registers.size() <= device_window::debug_offset);
#define PWS_VALUE_IS_CAUSE(CAUSE) \
  static_assert(static_cast<uint64_t>(fault_cause::CAUSE) == gpu_value::fault_cause_##CAUSE)
PWS_VALUE_IS_CAUSE(none);
PWS_VALUE_IS_CAUSE(program);
PWS_VALUE_IS_CAUSE(memory);
PWS_VALUE_IS_CAUSE(packet);
PWS_VALUE_IS_CAUSE(limit);
PWS_VALUE_IS_CAUSE(host);
#undef PWS_VALUE_IS_CAUSE

namespace {

using place = register_place;

template <class S>
void add(S& to, const S& one) {
  S::rows().add(to, one);
}

}  // namespace

device_window::device_window(const sc_core::sc_module_name& name, const parts& gpu)
    : sc_module(name),
      socket("socket"),
      interrupt("interrupt"),
      reset("reset"),
      gpu_(gpu),
      bank_(gpu_registers),
      debug_(gpu.cus) {
  socket.register_b_transport(this, &device_window::b_transport);
  socket.register_transport_dbg(this, &device_window::transport_dbg);
  show_machine();
  show_counters();
  write_queues();
  // The register says 1 from the reset on.
  gpu_.dispatcher.on_reset_over = [this] { gpu_.clock.set_ratio(1); };
  SC_HAS_PROCESS(device_window);
  SC_METHOD(notice);
  sensitive << gpu_.dispatcher.interrupt();
  dont_initialize();
  SC_METHOD(drive_line);
  sensitive << line_changes_;
  SC_METHOD(follow_reset);
}

// ---- accesses

void device_window::b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time&) {
  if (t.get_address() < debug_offset) return access_registers(bank_, t);
  const access_outcome o = debug_.read(t, t.get_address() - debug_offset);
  if (o != access_outcome::done) bank_.refuse(o);
  t.set_dmi_allowed(false);
  t.set_response_status(response_of(o));
}

unsigned device_window::transport_dbg(tlm::tlm_generic_payload& t) {
  if (t.get_address() < debug_offset) return peek_registers(bank_, t);
  return t.is_read() && t.get_data_ptr() != nullptr ? debug_.peek(t, t.get_address() - debug_offset) : 0;
}

// ---- registers

void device_window::show_machine() {
  namespace r = gpu_register;
  namespace f = gpu_field;
  bank_.on_read(r::capabilities, [this](const place&) {
    return f::capabilities_queues.of(dispatcher::queues) | f::capabilities_compute_units.of(gpu_.config.n_cu) |
           f::capabilities_hardware_queues.of(gpu_.config.hardware_queues) |
           f::capabilities_timing.of(gpu_.config.fidelity == fidelity::timing);
  });
  bank_.on_read(r::status, [this](const place&) {
    return f::status_busy.of(gpu_.dispatcher.busy()) | f::status_halted.of(gpu_.dispatcher.noted().has_value()) |
           f::status_in_reset.of(gpu_.dispatcher.in_reset());
  });
  bank_.on_read(r::clock_period, [this](const place&) { return gpu_.clock.picoseconds_at_ratio_1(); });
  bank_.on_read(r::control, [this](const place&) { return f::control_reset.of(gpu_.dispatcher.in_reset()); });
  bank_.on_write(r::control, [this](const register_write& w) {
    if (f::control_reset.in(w.data) != 0) restart();
    return true;
  });
  bank_.on_write(r::clock_ratio, [this](const register_write& w) {
    const uint64_t ratio = f::clock_ratio_ratio.in(w.value);
    if (ratio == 0 || gpu_.dispatcher.busy() || gpu_.dispatcher.in_reset()) return false;
    gpu_.clock.set_ratio(static_cast<uint32_t>(ratio));
    return true;
  });
  for (const uint32_t row : {r::interrupt_status, r::interrupt_mask})
    bank_.on_write(row, [this](const register_write&) {
      line_changes_.notify(sc_core::SC_ZERO_TIME);
      return true;
    });
}

device_window::counts device_window::now() const {
  counts n;
  for (const auto& cu : gpu_.cus) {
    add(n.cu, cu->statistics());
    add(n.requests, cu->mif.statistics());
  }
  for (const auto& bank : gpu_.memory.l2) add(n.l2, bank->statistics());
  n.lines_read = gpu_.memory.lines_read();
  n.busy_cycles = gpu_.dispatcher.busy_cycles();
  n.packets = gpu_.dispatcher.packets_completed();
  n.kernels = gpu_.dispatcher.kernels_completed();
  n.workgroups = gpu_.dispatcher.workgroups_ended();
  return n;
}

template <class F>
void device_window::counter(uint32_t row, F value) {
  bank_.on_read(row, [this, value](const place&) { return value(now()) - value(at_reset_); });
}

void device_window::show_counters() {
  namespace r = gpu_register;
  counter(r::cycles_busy, [](const counts& n) { return n.busy_cycles; });
  counter(r::packets, [](const counts& n) { return n.packets; });
  counter(r::kernels, [](const counts& n) { return n.kernels; });
  counter(r::workgroups, [](const counts& n) { return n.workgroups; });
  counter(r::wavefronts, [](const counts& n) { return n.cu.wavefronts; });
  counter(r::instructions, [](const counts& n) { return n.cu.total_instructions(); });
  counter(r::vector_alu_instructions, [](const counts& n) { return n.cu.valu_instructions(); });
  counter(r::branches_taken, [](const counts& n) { return n.cu.branches_taken; });
  counter(r::vector_memory_instructions, [](const counts& n) { return n.cu.of(isa::unit::vector_memory); });
  counter(r::vector_requests, [](const counts& n) { return n.requests.vector_lines; });
  counter(r::scalar_requests, [](const counts& n) { return n.requests.scalar_lines; });
  counter(r::loaded, [](const counts& n) { return n.requests.bytes_loaded; });
  counter(r::stored, [](const counts& n) { return n.requests.bytes_stored; });
  counter(r::l2_reads, [](const counts& n) { return n.l2.reads; });
  counter(r::l2_read_hits, [](const counts& n) { return n.l2.read_hits; });
  counter(r::dram_reads, [](const counts& n) { return n.lines_read; });
}

void device_window::write_queues() {
  namespace r = gpu_register;
  for (const uint32_t row : {r::queue_base, r::queue_packets, r::queue_object, r::queue_priority, r::queue_cu_mask})
    bank_.on_write(row, [this](const register_write& w) { return queue_written(w); });
  bank_.on_write(r::queue_doorbell, [this](const register_write& w) {
    return !w.low_half || gpu_.dispatcher.ring(w.place.instance, w.value);
  });
  bank_.on_read(r::queue_read_index, [this](const place& p) { return gpu_.dispatcher.first_incomplete(p.instance); });
  bank_.on_read(r::queue_state, [this](const place& p) {
    if (gpu_.dispatcher.queue(p.instance).packets == 0) return gpu_value::queue_state_none;
    return gpu_.dispatcher.noted() ? gpu_value::queue_state_halted : gpu_value::queue_state_ready;
  });
}

// What it is now. While it has packets that are not complete, its ring stays where it is.
bool device_window::queue_written(const register_write& w) {
  namespace r = gpu_register;
  const uint32_t number = w.place.instance;
  const bool moves = w.place.row == r::queue_base || w.place.row == r::queue_packets;
  if (moves && gpu_.dispatcher.queue(number).has_packet()) return false;
  queue_registers q;
  q.ring = bank_.held(r::queue_base, number);
  q.packets = bank_.held(r::queue_packets, number);
  q.object = bank_.held(r::queue_object, number);
  q.priority = bank_.held(r::queue_priority, number);
  for (uint32_t k = 0; k < cu_mask::words; ++k) q.cus.set_word(k, bank_.held(r::queue_cu_mask, number, k));
  gpu_.dispatcher.set_queue(number, q);
  return true;
}

// ---- what happens

void device_window::restart() {
  gpu_.dispatcher.reset();
  bank_.reset();
  at_reset_ = now();
  packets_seen_ = gpu_.dispatcher.packets_completed();
  fault_seen_ = false;
  line_changes_.notify(sc_core::SC_ZERO_TIME);
}

void device_window::notice() {
  namespace r = gpu_register;
  uint64_t happened = bank_.held(r::interrupt_status);
  if (gpu_.dispatcher.packets_completed() != packets_seen_) happened |= gpu_field::interrupt_status_completion.mask();
  packets_seen_ = gpu_.dispatcher.packets_completed();
  if (gpu_.dispatcher.noted() && !fault_seen_) {
    fault_seen_ = true;
    show_fault();
    happened |= gpu_field::interrupt_status_fault.mask();
  }
  bank_.hold(r::interrupt_status, happened);
  line_changes_.notify(sc_core::SC_ZERO_TIME);
}

void device_window::show_fault() {
  namespace r = gpu_register;
  const noted_fault& f = *gpu_.dispatcher.noted();
  bank_.hold(r::fault_cause, static_cast<uint64_t>(f.cause));
  if (f.queue) {
    bank_.hold(r::fault_queue, *f.queue);
    bank_.hold(r::fault_packet, f.packet);
  }
  bank_.hold(r::fault_kernel, f.kernel_object);
  bank_.hold(r::fault_pc, f.pc);
  if (f.lane != program_error::no_lane) bank_.hold(r::fault_lane, static_cast<uint64_t>(f.lane));
  bank_.hold(r::fault_address, f.address);
  if (f.pc != 0)
    for (uint32_t k = 0; k < 3; ++k) bank_.hold(r::fault_workgroup, f.workgroup[k], 0, k);
  bank_.hold_text(r::fault_text, f.message);
}

void device_window::drive_line() {
  if (interrupt.size() == 0) return;
  interrupt->write((bank_.held(gpu_register::interrupt_status) & bank_.held(gpu_register::interrupt_mask)) != 0);
}

void device_window::follow_reset() {
  if (reset.size() == 0) return;
  next_trigger(reset->value_changed_event());
  if (reset->read()) restart();
  gpu_.dispatcher.hold_in_reset(reset->read());
}

}  // namespace pws::models
