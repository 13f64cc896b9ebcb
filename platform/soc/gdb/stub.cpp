// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/gdb/stub.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "base/error.h"
#include "platform/debug/stop.h"

namespace pws::platform::gdb {

using models::hart_stop;

namespace {

constexpr const char* interrupted = "S02";  // SIGINT
constexpr const char* trapped = "S05";      // SIGTRAP
constexpr const char* aborted = "S06";      // SIGABRT
// SIGUSR1: gdb would take a SIGTRAP for a breakpoint of the processor's, or for the end of a step.
constexpr const char* gpu_has_stopped = "S1e";
constexpr const char* bad_request = "E01";
constexpr const char* not_there = "E0e";  // EFAULT

}  // namespace

stub::stub(soc_system& system, const std::string& where, const std::vector<std::string>& kernels,
           const interruption& signals)
    : system_(system), stream_(where), signals_(signals), gpus_(system, kernels, *this) {
  if (stream_.port() != 0) fmt::print(stderr, "gdb is waited for: target remote :{}\n", stream_.port());
  if (!stream_.accept([this] { return signals_.signal() != 0; })) {
    over_ = killed_ = true;
    return;
  }
  system_.cpu.control_by(this);
  standing_ = true;  // it is asked before its first instruction
}

stub::~stub() {
  system_.cpu.control_by(nullptr);
}

// ---- The processor

bool stub::is_stop_wanted() {
  constexpr unsigned between_looks = 1 << 10;  // pieces of work
  if (over_) return false;
  if (standing_) return true;
  if (++patience_ < between_looks) return false;
  patience_ = 0;
  return receive(false);
}

void stub::stopped(hart_stop why, uint64_t address, bool is_write) {
  if (over_) return;
  why_ = trapped;
  if (why == hart_stop::asked && !standing_) why_ = interrupted;
  if (why == hart_stop::watchpoint) {
    const char* kind = "awatch";
    for (const auto& [type, w] : watches_)
      if (type != '4' && w.sees(address, 1, is_write)) kind = is_write ? "watch" : "rwatch";
    why_ = fmt::format("T05{}:{:x};", kind, address);
  }
  if (why == hart_stop::failed) {
    say(system_.cpu.failure() + "\n");
    why_ = aborted;
  }
  const bool is_first = standing_;
  standing_ = true;
  if (!is_first) send(why_);
  gpus_.stand();
  serve();
  gpus_.go_on();
}

// A GPU that goes wrong is nothing to somebody who has not asked about GPUs: firmware may be made for that.
bool stub::wants(debug::stop_reason why) {
  if (over_ || why == debug::stop_reason::launch_begins) return false;
  return debugs_gpus_ || (why != debug::stop_reason::fault && why != debug::stop_reason::mismatch);
}

void stub::gpu_stopped(const std::string& text) {
  say(text);
  why_ = gpu_has_stopped;
  standing_ = true;
  send(why_);
  serve();
}

void stub::quit() {
  throw input_error("`kill` is gdb's word for that");
}

void stub::look() {
  if (!over_ && !standing_ && receive(false)) stopped(hart_stop::asked, 0, false);
}

void stub::ended(std::optional<uint32_t> code, const std::string& why) {
  if (over_ || !stream_.is_open()) return;
  if (!why.empty()) say(why + "\n");
  constexpr uint32_t mask = 0xff, no_code = 1;
  send(fmt::format("W{:02x}", code.value_or(no_code) & mask));
  take_leave();
}

// ---- Packets

// None: nothing has come; where it waits, nothing comes any more, or a signal has come.
std::optional<arrival> stub::next_arrival(bool waits) {
  const auto ends = [this] { return signals_.signal() != 0; };
  for (;;) {
    if (auto a = reader_.next()) {
      if (a->what == arrival::kind::arrived && on_the_way_ != 0) --on_the_way_;
      return a;
    }
    char bytes[1 << 12];
    const size_t n = stream_.read(bytes, sizeof bytes, waits, ends);
    if (n == 0) return std::nullopt;
    reader_.put(bytes, n);
  }
}

// False: nothing has come that the processor is to stop for.
bool stub::receive(bool waits) {
  while (!next_) {
    auto a = next_arrival(waits);
    if (!a) return false;
    switch (a->what) {
      case arrival::kind::packet:
        if (acknowledges_) stream_.write("+");
        next_ = std::move(a);
        break;
      case arrival::kind::damaged:
        if (acknowledges_) stream_.write("-");
        break;
      case arrival::kind::interrupt:
        if (!waits) return true;
        break;
      case arrival::kind::repeat:
        stream_.write(latest_);
        break;
      case arrival::kind::arrived:
        break;
    }
  }
  return true;
}

void stub::send(const std::string& data) {
  latest_ = framed(data);
  write(latest_);
}

void stub::say(const std::string& text) {
  write(framed("O" + hex_of(text)));
}

// The last piece is the answer itself, so that a reader of packets is not given longer ones than it has asked for.
void stub::answer(const std::string& text) {
  constexpr size_t piece = packet_reader::longest / 8;
  size_t at = 0;
  for (; text.size() - at > piece; at += piece) say(text.substr(at, piece));
  // An empty answer would say that there is no such request.
  send(text.empty() ? "OK" : hex_of(text.substr(at)));
}

void stub::write(const std::string& packet) {
  if (acknowledges_) ++on_the_way_;
  stream_.write(packet);
}

// A gdb that acknowledges the last packet after the stream is closed would say that the connection has failed.
void stub::take_leave() {
  over_ = true;
  while (acknowledges_ && on_the_way_ != 0 && next_arrival(true)) {
  }
  stream_.close();
}

void stub::serve() {
  while (standing_ && !over_) {
    if (!receive(true)) {
      // It has gone, or a signal has come: the run goes on without it, and a signal ends that.
      over_ = true;
      killed_ = signals_.signal() != 0;
      break;
    }
    const std::string packet = std::move(next_->data);
    next_.reset();
    handle(packet);
  }
  next_.reset();
  if (!over_) return;
  standing_ = step_ = false;
  gpus_.forget_points();
  system_.cpu.set_breakpoints({});
  system_.cpu.set_watches({});
  if (killed_) sc_core::sc_pause();
}

const std::vector<stub::row>& stub::rows() {
  // The first that a packet begins with answers it.
  static const std::vector<row> all = {
      {"qSupported", &stub::answer_supported},
      {"qXfer:features:read:target.xml:", &stub::answer_features},
      {"QStartNoAckMode", &stub::answer_no_acknowledgement},
      {"?", &stub::answer_why},
      {"H", &stub::answer_ok},
      {"T", &stub::answer_ok},
      {"qC", &stub::answer_thread},
      {"qfThreadInfo", &stub::answer_threads},
      {"qsThreadInfo", &stub::answer_no_more_threads},
      {"qAttached", &stub::answer_attached},
      {"qSymbol", &stub::answer_ok},
      {"qRcmd,", &stub::monitor},
      {"g", &stub::read_registers},
      {"G", &stub::write_registers},
      {"p", &stub::read_register},
      {"P", &stub::write_register},
      {"m", &stub::read_memory},
      {"M", &stub::write_memory},
      {"X", &stub::write_binary},
      {"Z", &stub::insert},
      {"z", &stub::remove},
      {"vCont?", &stub::answer_actions},
      {"vCont;", &stub::act},
      {"vKill", &stub::kill_with_answer},
      {"c", &stub::go_on},
      {"C", &stub::go_on_with_signal},
      {"s", &stub::step},
      {"S", &stub::step_with_signal},
      {"D", &stub::detach},
      {"k", &stub::kill},
  };
  return all;
}

void stub::handle(const std::string& packet) {
  const std::string_view text = packet;
  for (const row& r : rows()) {
    const std::string_view prefix = r.prefix, rest = text.substr(std::min(prefix.size(), text.size()));
    if (text.substr(0, prefix.size()) != prefix) continue;
    // qC is not the beginning of qCRC.
    const auto is_letter = [](char ch) { return std::isalpha(static_cast<unsigned char>(ch)) != 0; };
    const bool goes_on = prefix.size() > 1 && is_letter(prefix.back()) && !rest.empty() && is_letter(rest[0]);
    if (!goes_on) return (this->*r.answer)(rest);
  }
  send("");  // there is no such request here
}

void stub::answer_supported(std::string_view) {
  send(fmt::format("PacketSize={:x};qXfer:features:read+;QStartNoAckMode+;vContSupported+;hwbreak+",
                   packet_reader::longest / 2));
}

void stub::answer_no_acknowledgement(std::string_view) {
  send("OK");  // the last one that is acknowledged, which nobody waits for
  acknowledges_ = false;
}

void stub::answer_why(std::string_view) {
  send(why_);
}

// ---- Going on

// From another address, if one is given.
void stub::resume(bool by_step, std::string_view at) {
  if (const auto pc = take_number(at)) system_.cpu.set_pc(*pc);
  step_ = by_step;
  standing_ = false;
  patience_ = 0;
}

void stub::go_on(std::string_view rest) {
  resume(false, rest);
}
void stub::step(std::string_view rest) {
  resume(true, rest);
}

namespace {
// A signal is nothing that a processor without an operating system could be given.
std::string_view behind_signal(std::string_view rest) {
  take_number(rest);
  take(rest, ';');
  return rest;
}
}  // namespace

void stub::go_on_with_signal(std::string_view rest) {
  resume(false, behind_signal(rest));
}
void stub::step_with_signal(std::string_view rest) {
  resume(true, behind_signal(rest));
}

// The first action counts: there is one thread.
void stub::act(std::string_view rest) {
  const char what = rest.empty() ? ' ' : rest[0];
  if (what == 'c' || what == 'C') return resume(false, "");
  if (what == 's' || what == 'S') return resume(true, "");
  send(bad_request);
}

void stub::detach(std::string_view) {
  send("OK");
  take_leave();
}

void stub::kill(std::string_view) {
  over_ = killed_ = true;
  stream_.close();
}

void stub::kill_with_answer(std::string_view) {
  send("OK");
  take_leave();
  killed_ = true;
}

// ---- Breakpoints and watchpoints

void stub::change_points(std::string_view rest, bool adds) {
  const char type = rest.empty() ? ' ' : rest[0];
  rest.remove_prefix(rest.empty() ? 0 : 1);
  if (!take(rest, ',')) return send(bad_request);
  const auto place = take_place(rest);
  if (!place) return send(bad_request);
  const auto [address, bytes] = *place;
  if (type == '0' || type == '1') {
    if (adds)
      breakpoints_.insert(address);
    else
      breakpoints_.erase(address);
    system_.cpu.set_breakpoints({breakpoints_.begin(), breakpoints_.end()});
  } else if (type >= '2' && type <= '4') {
    const models::rv64_core::watch w{address, bytes, type != '2', type != '3'};
    const auto [begin, end] = watches_.equal_range(type);
    auto same = begin;
    while (same != end && (same->second.begin != w.begin || same->second.bytes != w.bytes)) ++same;
    if (!adds && same != end) watches_.erase(same);
    if (adds && same == end) watches_.emplace(type, w);
    std::vector<models::rv64_core::watch> all;
    for (const auto& [kind, each] : watches_) all.push_back(each);
    system_.cpu.set_watches(std::move(all));
  } else {
    return send("");
  }
  send("OK");
}

// ---- Memory

void stub::read_memory(std::string_view rest) {
  const auto place = take_place(rest);
  if (!place || place->second > packet_reader::longest / 4) return send(bad_request);
  std::vector<unsigned char> data(place->second);
  const uint64_t there = system_.cpu.peek(place->first, data.data(), data.size());
  if (there == 0 && !data.empty()) return send(not_there);
  send(hex_of(data.data(), there));
}

void stub::write_memory(std::string_view rest) {
  const auto place = take_place(rest);
  const bool has_data = take(rest, ':');
  const auto data = bytes_of_hex(rest);
  if (!place || !has_data || !data || data->size() != place->second) return send(bad_request);
  const auto* const from = reinterpret_cast<const unsigned char*>(data->data());
  send(system_.cpu.poke(place->first, from, data->size()) == data->size() ? "OK" : not_there);
}

void stub::write_binary(std::string_view rest) {
  const auto place = take_place(rest);
  if (!place || !take(rest, ':') || rest.size() != place->second) return send(bad_request);
  const auto* const from = reinterpret_cast<const unsigned char*>(rest.data());
  send(system_.cpu.poke(place->first, from, rest.size()) == rest.size() ? "OK" : not_there);
}

}  // namespace pws::platform::gdb
