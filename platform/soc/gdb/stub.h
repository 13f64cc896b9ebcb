// SPDX-License-Identifier: Apache-2.0
// A system's processor for gdb: its remote serial protocol. (Debugging with GDB, appendix E)
//
// The simulation stands while gdb asks; simulated time goes on where it stood. So a system that has been stopped does
// what one does that has not, as long as gdb writes nothing.
//
// The GPUs have the debugger's words, behind gdb's `monitor gpu`. A GPU that stops is a signal of the processor's,
// which stands wherever it is then.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/soc/rv64_control.h"
#include "platform/machine/interruption.h"
#include "platform/soc/debug/gpu_debugger.h"
#include "platform/soc/gdb/packets.h"
#include "platform/soc/gdb/stream.h"
#include "platform/soc/soc_control.h"
#include "platform/soc/soc_system.h"

namespace pws::platform::gdb {

class stub : public soc_control, private models::rv64_control, private gpu_debugger_face {
 public:
  // Waits until gdb is there; then the processor stands at its first instruction. `where`: as stream's; the port is
  // said on standard error. `kernels`: as gpu_debugger's. Throws input_error.
  stub(soc_system& system, const std::string& where, const std::vector<std::string>& kernels,
       const interruption& signals);
  ~stub() override;

  void look() override;
  bool is_killed() const override { return killed_; }
  void ended(std::optional<uint32_t> code, const std::string& why) override;

 private:
  bool is_stop_wanted() override;
  bool wants_step() override { return step_; }
  void stopped(models::hart_stop why, uint64_t address, bool is_write) override;
  bool wants(debug::stop_reason why) override;
  void gpu_stopped(const std::string& text) override;
  void quit() override;

  // Answers until gdb lets the processor go on.
  void serve();
  std::optional<arrival> next_arrival(bool waits);
  bool receive(bool waits);
  void take_leave();
  void write(const std::string& packet);
  void send(const std::string& data);
  void say(const std::string& text);     // at gdb's prompt
  void answer(const std::string& text);  // a command `monitor`

  struct row {
    const char* prefix;
    void (stub::*answer)(std::string_view rest);
  };
  static const std::vector<row>& rows();
  void handle(const std::string& packet);
  void answer_supported(std::string_view);
  void answer_features(std::string_view rest);
  void answer_why(std::string_view);
  void answer_ok(std::string_view) { send("OK"); }
  void answer_no_acknowledgement(std::string_view);
  void answer_thread(std::string_view) { send("QC1"); }
  void answer_threads(std::string_view) { send("m1"); }
  void answer_no_more_threads(std::string_view) { send("l"); }
  void answer_attached(std::string_view) { send("1"); }
  void read_registers(std::string_view);
  void write_registers(std::string_view rest);
  void read_register(std::string_view rest);
  void write_register(std::string_view rest);
  void read_memory(std::string_view rest);
  void write_memory(std::string_view rest);
  void write_binary(std::string_view rest);
  void insert(std::string_view rest) { change_points(rest, true); }
  void remove(std::string_view rest) { change_points(rest, false); }
  void change_points(std::string_view rest, bool adds);
  void answer_actions(std::string_view) { send("vCont;c;C;s;S"); }
  void act(std::string_view rest);
  void go_on(std::string_view rest);
  void go_on_with_signal(std::string_view rest);
  void step(std::string_view rest);
  void step_with_signal(std::string_view rest);
  void detach(std::string_view);
  void kill(std::string_view);
  void kill_with_answer(std::string_view);
  void monitor(std::string_view rest);

  void resume(bool by_step, std::string_view at);
  std::optional<uint64_t> register_value(uint64_t number) const;
  bool set_register(uint64_t number, uint64_t value);
  std::string features() const;
  std::string gpu_text(size_t k) const;
  std::string words_for_gpus(const std::string& line);

  soc_system& system_;
  stream stream_;
  const interruption& signals_;
  packet_reader reader_;
  std::optional<arrival> next_;  // that has come while the processor ran
  std::string latest_;           // packet that was sent
  unsigned on_the_way_ = 0;      // packets that are not acknowledged yet
  std::string why_ = "S05";      // it stands
  bool acknowledges_ = true, standing_ = false, step_ = false, over_ = false, killed_ = false;
  std::set<uint64_t> breakpoints_;
  std::multimap<char, models::rv64_core::watch> watches_;  // by the packet's type
  unsigned patience_ = 0;                                  // until it looks for a Ctrl-C again
  gpu_debugger gpus_;
  bool debugs_gpus_ = false;  // somebody has asked about one
};

}  // namespace pws::platform::gdb
