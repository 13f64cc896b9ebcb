// SPDX-License-Identifier: Apache-2.0
#include "models/memory/dram.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"
#include "models/bus/payload_bytes.h"

namespace pws::models {

namespace {

constexpr uint64_t smallest_mapped = 1 << 20;  // below, writing is as cheap
constexpr uint64_t smallest_block = 1 << 20;
constexpr uint64_t most_blocks = 4096;  // the host has some 65,000 mappings for a process

void write_pattern(unsigned char* at, uint64_t bytes, uint32_t pattern) {
  unsigned char of_four[4];
  for (unsigned k = 0; k < 4; ++k) of_four[k] = static_cast<unsigned char>(pattern >> (8 * k));
  for (uint64_t k = 0; k < std::min<uint64_t>(bytes, 4); ++k) at[k] = of_four[k];
  for (uint64_t done = 4; done < bytes;) {  // copies what is there, twice as much each time
    const uint64_t next = std::min(done, bytes - done);
    std::memcpy(at + done, at, next);
    done += next;
  }
}

// A file in memory of so many bytes of the pattern; -1: the host has none.
int file_of(uint64_t bytes, uint32_t pattern) {
  const int file = memfd_create("pattern", MFD_CLOEXEC);
  if (file < 0) return -1;
  void* block = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0)
    block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (block == MAP_FAILED) {
    close(file);
    return -1;
  }
  write_pattern(static_cast<unsigned char*>(block), bytes, pattern);
  munmap(block, bytes);
  return file;
}

// Returns how many of the bytes are mapped.
uint64_t map_pattern(unsigned char* at, uint64_t bytes, uint64_t page, uint32_t pattern) {
  const uint64_t block = std::max(smallest_block, (bytes / most_blocks + page) / page * page);
  const int file = file_of(block, pattern);
  if (file < 0) return 0;
  uint64_t done = 0;
  while (done < bytes) {
    const uint64_t next = std::min(block, bytes - done);
    constexpr int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
    if (mmap(at + done, next, PROT_READ | PROT_WRITE, flags, file, 0) == MAP_FAILED) break;
    done += next;
  }
  close(file);
  return done;
}

}  // namespace

void repeat_pattern(unsigned char* at, uint64_t bytes, uint32_t pattern) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(at);
  const uint64_t before =
      (page - address % page) % page;  // a multiple of 4, so pages begin with the pattern's beginning
  if (bytes < smallest_mapped || bytes < before) return write_pattern(at, bytes, pattern);
  write_pattern(at, before, pattern);
  const uint64_t mapped = map_pattern(at + before, (bytes - before) / page * page, page, pattern);
  write_pattern(at + before + mapped, bytes - before - mapped, pattern);
}

namespace {
unsigned char* map_memory(const dram_config& c, int flags, int file) {
  void* mapping = mmap(nullptr, c.bytes() * c.place.machines, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, file, 0);
  if (mapping == MAP_FAILED)
    throw input_error("machine.memory.dram.size_mib: the host cannot map " +
                      std::to_string(uint64_t{c.size_mib} * c.place.machines) + " MiB: " + std::strerror(errno));
  return static_cast<unsigned char*>(mapping);
}

// Rules of files hold this too; a configuration may be made in C++.
const dram_config& with_lines(const dram_config& c, uint32_t line_bytes) {
  if (c.row_bytes < line_bytes)
    throw input_error("machine.memory.dram.row_bytes: " + std::to_string(c.row_bytes) + " is less than a line of " +
                      std::to_string(line_bytes) + " bytes");
  return c;
}
}  // namespace

unsigned char* map_device_memory(const dram_config& c, int file) {
  return map_memory(c, MAP_SHARED | (file < 0 ? MAP_ANONYMOUS : 0), file);
}

dram::dram(const sc_core::sc_module_name& name, const dram_config& c, uint32_t line_bytes, uint32_t n_ports,
           const gpu_clock& clock, event_sequencer& sequencer)
    : sc_module(name),
      config_(with_lines(c, line_bytes)),
      line_bytes_(line_bytes),
      clock_(clock),
      size_(c.bytes()),
      owns_storage_(n_ports != 0 && c.place.storage == nullptr),
      storage_(owns_storage_                ? map_memory(c, MAP_PRIVATE | MAP_ANONYMOUS, -1)
               : c.place.storage != nullptr ? c.place.storage + c.place.machine * c.bytes()
                                            : nullptr),
      sequencer_(sequencer),
      responses_(n_ports) {
  for (uint32_t i = 0; i < n_ports; ++i) {
    ports.push_back(std::make_unique<target_socket>(("port" + std::to_string(i)).c_str()));
    const auto tag = static_cast<int>(i);
    ports.back()->register_nb_transport_fw(this, &dram::nb_transport_fw, tag);
    ports.back()->register_b_transport(this, &dram::b_transport, tag);
    ports.back()->register_transport_dbg(this, &dram::transport_dbg, tag);
    ports.back()->register_get_direct_mem_ptr(this, &dram::get_direct_mem_ptr, tag);
  }
  for (uint32_t i = 0; i < c.channels; ++i) {
    channels_.push_back(std::make_unique<channel>(*this));
    channels_.back()->banks.resize(c.banks);
    channels_.back()->sequence_number = sequencer_.add(*channels_.back());
  }
}

dram::~dram() {
  if (owns_storage_) munmap(storage_, size_);
}

size_t dram::queued() const {
  size_t n = 0;
  for (const auto& c : channels_) n += c->queue.size();
  return n;
}

bool dram::is_quiet() const {
  const auto somebody_waits = [](const auto& c) {
    return std::any_of(c->queue.begin(), c->queue.end(), [](const request& r) { return r.trans != nullptr; });
  };
  return std::none_of(channels_.begin(), channels_.end(), somebody_waits) &&
         std::all_of(responses_.begin(), responses_.end(), [](const auto& r) { return r.empty(); });
}

void dram::keep(state_archive& a) {
  a.section("dram");
  a(sequence_, statistics_);
  for (const auto& c : channels_) {
    a.list(c->queue, [this](state_archive& b, request& r) {
      b.index(r.port, responses_.size());
      b.index(r.bank, config_.banks);
      b(r.sequence, r.row, r.write, r.arrival);
    });
    for (bank_state& s : c->banks) a(s.open_row, s.ready);
    a(c->bus_free);
  }
}

// ---- untimed access

void dram::fill(uint64_t address, uint64_t bytes, uint32_t pattern) {
  repeat_pattern(storage_ + (address - base()), bytes, pattern);
}

bool dram::is_here(uint64_t address, uint64_t bytes) const {
  const uint64_t offset = address - base();
  return address >= base() && offset <= size_ && bytes <= size_ - offset;
}

// The response status says what became of it.
bool dram::copy(tlm::tlm_generic_payload& t) {
  const uint64_t length = t.get_data_length();
  const uint64_t width = std::min<uint64_t>(length, t.get_streaming_width());
  const auto refuse = [&t](tlm::tlm_response_status why) {
    t.set_response_status(why);
    return false;
  };
  if (!is_here(t.get_address(), width)) return refuse(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (t.get_byte_enable_ptr() != nullptr && t.get_byte_enable_length() == 0)
    return refuse(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  if (width == 0 && length != 0) return refuse(tlm::TLM_BURST_ERROR_RESPONSE);
  unsigned char* bytes = storage_ + (t.get_address() - base());
  const unsigned char* data = t.get_data_ptr();
  const bool moves = (t.is_read() || t.is_write()) && length != 0;
  if (moves && data == nullptr) return refuse(tlm::TLM_GENERIC_ERROR_RESPONSE);
  t.set_response_status(tlm::TLM_OK_RESPONSE);
  // An access of the machine points at the storage itself: nothing to move.
  if (moves && (data != bytes || width != length)) move_bytes(t, bytes, width);
  return true;
}

sc_core::sc_time dram::untimed_latency() const {
  return clock_.duration(config_.extra_latency + config_.t_rcd + config_.t_cl + config_.t_burst);
}

void dram::b_transport(int, tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
  if (!copy(t)) return;
  t.set_dmi_allowed(true);
  delay += untimed_latency();
}

unsigned dram::transport_dbg(int, tlm::tlm_generic_payload& t) {
  if (!is_here(t.get_address(), 0) || t.get_data_ptr() == nullptr) return 0;
  const uint64_t offset = t.get_address() - base();
  const auto n = static_cast<unsigned>(std::min<uint64_t>(t.get_data_length(), size_ - offset));
  if (t.is_read()) std::memmove(t.get_data_ptr(), storage_ + offset, n);
  if (t.is_write()) std::memmove(storage_ + offset, t.get_data_ptr(), n);
  return n;
}

tlm::tlm_dmi dram::grant() const {
  const memory_place& place = config_.place;
  tlm::tlm_dmi dmi;
  dmi.set_dmi_ptr(storage_ - place.machine * size_);
  dmi.set_start_address(place.begin);
  dmi.set_end_address(place.begin + place.machines * size_ - 1);
  dmi.set_read_latency(untimed_latency());
  dmi.set_write_latency(untimed_latency());
  dmi.allow_read_write();
  return dmi;
}

bool dram::get_direct_mem_ptr(int, tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi) {
  const tlm::tlm_dmi all = grant();
  const uint64_t address = t.get_address();
  if (address >= all.get_start_address() && address <= all.get_end_address()) {
    dmi = all;
    return true;
  }
  // Nor is anything else on this side.
  dmi.allow_read_write();
  if (address < all.get_start_address())
    dmi.set_end_address(all.get_start_address() - 1);
  else
    dmi.set_start_address(all.get_end_address() + 1);
  return false;
}

// ---- timed access

void dram::enqueue(tlm::tlm_generic_payload* t, int port, uint64_t line, bool write, cycle_t arrival, bool foreign) {
  channel& c = *channels_[line % channels_.size()];
  const uint64_t in_channel = line / channels_.size();
  const uint64_t lines_per_row = config_.row_bytes / line_bytes_;
  request r;
  r.trans = t;
  r.sequence = sequence_++;
  r.port = port;
  r.bank = static_cast<uint32_t>((in_channel / lines_per_row) % config_.banks);
  r.row = in_channel / lines_per_row / config_.banks;
  r.write = write;
  r.arrival = arrival;
  r.foreign = foreign;
  // Calls come nearly in order; keep the queue sorted by arrival so that "oldest" means what it says.
  auto place = c.queue.end();
  const auto later = [&](const request& q) { return q.arrival != r.arrival ? q.arrival > r.arrival : q.port > r.port; };
  while (place != c.queue.begin() && later(*(place - 1))) --place;
  c.queue.insert(place, r);
  sequencer_.arm(c.sequence_number, r.arrival);
}

tlm::tlm_sync_enum dram::nb_transport_fw(int port, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) end_response(port);
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  const transaction_info* i = t.get_extension<transaction_info>();
  if (i == nullptr) return foreign_request(port, t, phase, delay);
  const bool posted = i->kind == access_kind::writeback;
  const uint64_t line = (t.get_address() - base()) / line_bytes_;  // another machine's: modulo 2^64
  enqueue(posted ? nullptr : &t, port, line, posted, clock_.now() + clock_.cycles_in(delay), false);
  if (posted) {
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

// ---- timed access by an initiator that is not of the machine

namespace {
// How far a transaction is. No more of its lines are in the queues at a time than a channel's queue holds.
struct foreign_access : tlm::tlm_extension<foreign_access> {
  uint64_t next = 0, end = 0;  // lines that are still to be enqueued
  uint64_t lines = 0;          // that are still to be served
  cycle_t done = 0;            // when the last of those is here that have been served
  tlm_extension_base* clone() const override { return new foreign_access(*this); }
  void copy_from(const tlm_extension_base& other) override { *this = static_cast<const foreign_access&>(other); }
};
}  // namespace

tlm::tlm_sync_enum dram::foreign_request(int port, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
  const uint64_t width = std::min(t.get_data_length(), t.get_streaming_width());
  if (width == 0 || !t.has_mm() || !is_here(t.get_address(), width)) {
    // Nothing to serve: says at once what is wrong with it, if anything is.
    if (!t.has_mm())
      t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    else
      copy(t);
    return tlm::TLM_COMPLETED;
  }
  auto* left = t.get_extension<foreign_access>();
  if (left == nullptr) t.set_auto_extension(left = new foreign_access);
  const uint64_t offset = t.get_address() - base();
  const uint64_t first = offset / line_bytes_, last = (offset + width - 1) / line_bytes_;
  *left = {};
  left->next = first;
  left->end = last + 1;
  left->lines = last - first + 1;
  t.acquire();
  const cycle_t arrival = clock_.now() + clock_.cycles_in(delay);
  for (uint32_t n = 0; n < std::max(1u, config_.queue) && left->next != left->end; ++n)
    enqueue(&t, port, left->next++, t.is_write(), arrival, true);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void dram::foreign_line_done(const request& r, cycle_t done) {
  auto& left = *r.trans->get_extension<foreign_access>();
  left.done = std::max(left.done, done);
  if (left.next != left.end) enqueue(r.trans, r.port, left.next++, r.write, clock_.now() + 1, true);
  if (--left.lines != 0) return;
  copy(*r.trans);
  auto& waiting = responses_[static_cast<size_t>(r.port)];
  waiting.push_back({r.trans, left.done});
  if (waiting.size() == 1) respond(r.port, *r.trans, left.done);
}

void dram::respond(int port, tlm::tlm_generic_payload& t, cycle_t at) {
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  sc_core::sc_time delay = std::max(clock_.time_of(at), now) - now;
  const tlm::tlm_sync_enum status = (*ports[static_cast<size_t>(port)])->nb_transport_bw(t, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) end_response(port);
}

// The next one's turn. What the machine itself is answered ends in the call and never stands in the queue.
void dram::end_response(int port) {
  auto& waiting = responses_[static_cast<size_t>(port)];
  if (waiting.empty()) return;
  waiting.front().trans->release();
  waiting.pop_front();
  if (!waiting.empty()) respond(port, *waiting.front().trans, waiting.front().at);
}

// ---- scheduling

// Index of the request to serve at `now`, or the queue's size if none has arrived.
size_t dram::pick(const channel& c, cycle_t now) const {
  const size_t window = std::min<size_t>(c.queue.size(), config_.queue);
  if (window == 0 || c.queue.front().arrival > now) return c.queue.size();
  if (config_.scheduling == dram_scheduling::fr_fcfs)
    for (size_t i = 0; i < window && c.queue[i].arrival <= now; ++i)
      if (c.banks[c.queue[i].bank].open_row == c.queue[i].row) return i;
  return 0;
}

void dram::schedule(channel& c, cycle_t now) {
  const size_t index = pick(c, now);
  if (index < c.queue.size()) serve(c, index, now);
  if (c.queue.empty()) return;
  // The next command goes out when the data bus is near: deciding later lets more requests compete for the open row.
  const cycle_t lead = config_.t_cl + config_.t_rcd + config_.t_rp;
  const cycle_t bus_near = c.bus_free > lead ? c.bus_free - lead : 0;
  sequencer_.arm(c.sequence_number, std::max({now + config_.t_burst, bus_near, c.queue.front().arrival}));
}

void dram::serve(channel& c, size_t index, cycle_t now) {
  const request r = c.queue[index];
  c.queue.erase(c.queue.begin() + static_cast<std::ptrdiff_t>(index));
  bank_state& bank = c.banks[r.bank];
  cycle_t column = std::max(now, bank.ready);
  if (bank.open_row == r.row) {
    ++statistics_.row_hits;
  } else {
    if (bank.open_row != no_row) {
      ++statistics_.row_conflicts;
      column += config_.t_rp;
    }
    column += config_.t_rcd;
  }
  const cycle_t data = std::max(column + config_.t_cl, c.bus_free);
  const cycle_t done = data + config_.t_burst;
  c.bus_free = done;
  statistics_.busy_cycles += config_.t_burst;
  if (config_.page == page_policy::closed) {  // auto-precharge behind the access
    bank.open_row = no_row;
    bank.ready = done + config_.t_rp;
  } else {
    bank.open_row = r.row;
    bank.ready = column + config_.t_burst;
  }
  ++(r.write ? statistics_.writes : statistics_.reads);
  if (r.trans == nullptr) return;
  if (r.foreign) return foreign_line_done(r, done + config_.extra_latency);
  r.trans->set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = clock_.time_of(done + config_.extra_latency) - sc_core::sc_time_stamp();
  (*ports[static_cast<size_t>(r.port)])->nb_transport_bw(*r.trans, phase, delay);
}

}  // namespace pws::models
