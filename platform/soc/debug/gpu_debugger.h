// SPDX-License-Identifier: Apache-2.0
// The debugger of a system's GPUs, for faces with words. Each GPU has a debug core of its own. Whichever stops, and
// also where the processor does, the whole simulation stands, and all of them can be looked at.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/debug/stop.h"
#include "platform/soc/debug/kernel_objects.h"
#include "platform/soc/soc_system.h"

namespace pws::platform {

namespace debug {
class debugger;
}

// Who shows it to a user.
class gpu_debugger_face {
 public:
  virtual ~gpu_debugger_face() = default;
  // Whether a GPU is to stop for that.
  virtual bool wants(debug::stop_reason why) = 0;
  // One has. The simulation stands for as long as this takes. `text`: which, why and where.
  virtual void gpu_stopped(const std::string& text) = 0;
  // The run is to be given up. Throws input_error where another word is for that.
  virtual void quit() = 0;
};

class gpu_debugger {
 public:
  // Before the simulation starts. `kernels`: files of code objects, beside those that firmware has. Throws input_error
  // where one cannot be read.
  gpu_debugger(soc_system& system, const std::vector<std::string>& kernels, gpu_debugger_face& face);
  ~gpu_debugger();

  // The debug cores, for who interrupts them.
  std::vector<debug::debugger*> cores() const;

  // ---- Around what the simulation stands for, if no GPU has stopped it
  void stand();
  void go_on();

  // ---- While the simulation stands
  struct answer {
    std::string text;
    bool goes_on = false;  // it says how the GPU goes on when the simulation does
  };
  // Does what a line says, at the GPU that is selected: the one that has stopped last, or was named last. Throws
  // input_error: the line is wrong, and nothing has been done.
  answer execute(const std::string& line);
  // The same with the number of a GPU in front, which is selected; alone, or nothing at all: shows what it does.
  answer execute_of(const std::string& line);
  // The latest line, for who repeats it.
  const std::string& latest() const;
  // What could stand in place of a word, behind what is in front of it.
  std::vector<std::string> offers(const std::string& before) const;
  // Nothing stops any more.
  void forget_points();

 private:
  class watched_gpu;
  watched_gpu& selected() const;
  void stand_beside(const watched_gpu* one);
  void go_on_beside(const watched_gpu* one);

  const kernel_objects known_;
  gpu_debugger_face& face_;
  std::vector<std::unique_ptr<watched_gpu>> gpus_;
  size_t selected_ = 0;
};

}  // namespace pws::platform
