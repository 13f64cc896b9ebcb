// SPDX-License-Identifier: Apache-2.0
// hipDeviceReset: what the program has on the device goes, and its own device code is as it was at the start. A machine
// that a fault has stopped is built anew.
#include "hip_runtime/context.h"

namespace pws::hip {

void context::reset(int device) {
  device_slot& d = slot(device);
  if (d.gpu) d.gpu->check_that_it_can_be_reset();
  finish_what_lives();
  captures.forget_all();
  ready.clear();
  graphs.clear();
  const auto forget = [device](auto& all, auto before) {
    for (auto at = all.begin(); at != all.end();) {
      if ((*at)->device != device) {
        ++at;
        continue;
      }
      before(**at);
      delete *at;
      at = all.erase(at);
    }
  };
  forget(streams, [this](const stream& s) { pending.forget(s); });
  forget(events, [](const event&) {});
  d.pools = memory_pools();
  d.limits = device_slot::first_limits;
  d.graph_memory = {};
  if (!d.gpu) return;
  for (code_module* module : modules.all())
    if (module->placed(*d.gpu->runtime)) d.gpu->note_code();
  modules.take_from_device(*d.gpu->runtime, *d.gpu->memory);
  images.forget(*d.gpu->memory);
  references.forget_objects(*d.gpu->memory);
  d.gpu->memory->leave_all();
  d.gpu->memory->release_all();
  d.gpu->release_memory_of_device_code();
  if (d.gpu->failed()) {
    const device_past past = d.gpu->past();
    d.gpu->watched.board.make_current();
    d.gpu.reset();
    build(d, past);
  }
  modules.give_managed_again(*d.gpu->runtime, *d.gpu->memory, runtimes());
}

}  // namespace pws::hip
