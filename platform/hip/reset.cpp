// hipDeviceReset: what the program has on the device goes, and its own device code is as it was at the start. A machine
// that a fault has stopped is built anew.
#include "platform/hip/context.h"

namespace pws::platform::hip {

void context::reset() {
  if (device_) device_->check_that_it_can_be_reset();
  finish_what_lives();
  captures.forget_all();
  ready.clear();
  graphs.clear();
  for (const stream* s : streams) {
    pending.forget(*s);
    delete s;
  }
  for (const event* e : events) delete e;
  streams.clear();
  events.clear();
  pools = memory_pools();
  images.forget_all();
  references.forget_objects();
  if (!device_) return;
  modules.take_from_device(*device_->runtime, *device_->memory);
  device_->memory->release_all();
  device_->release_memory_of_device_code();
  if (device_->failed()) {
    device_past past = device_->take_past();
    device_.reset();
    restart_systemc();
    build(std::move(past));
    watch_->move_to(*device_);
  }
  modules.give_managed_again(*device_->runtime, *device_->memory);
}

}  // namespace pws::platform::hip
