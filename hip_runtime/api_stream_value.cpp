// SPDX-License-Identifier: Apache-2.0
// Streams that write values to memory, and wait for values there. A wait is over as soon as the value is there, whoever
// has written it: a stream, a kernel that is complete, or the host.
#include <fmt/format.h>

#include "hip_runtime/stream_work.h"

using namespace pws::hip;

namespace {
uint64_t value_at(memory& m, void* at, unsigned bytes) {
  uint64_t value = 0;
  m.copy(&value, at, bytes, hipMemcpyDefault);
  return value;
}

bool is_there(uint64_t value, uint64_t wanted, unsigned flags, uint64_t mask, unsigned bytes) {
  const uint64_t all = bytes == sizeof(uint64_t) ? ~uint64_t{0} : ~uint32_t{0};
  switch (flags) {
    case hipStreamWaitValueGte:
      return (value & mask) >= wanted;
    case hipStreamWaitValueEq:
      return (value & mask) == wanted;
    case hipStreamWaitValueAnd:
      return (value & mask & wanted) != 0;
    default:
      return (~((value & mask) | (wanted & mask)) & all) != 0;
  }
}

// Which device the stream's operation is for, and that it can be.
int check(context& c, hipStream_t s, void* at, unsigned bytes) {
  require(at != nullptr, hipErrorInvalidValue, "the address of the value is null");
  const int device = c.stream_of(s).device;
  c.captures.refuse_in(s, "writes of values and waits for them cannot be captured");
  c.check_alive(device);
  const memory& m = *c.gpu(device).memory;
  require(m.locate(at, bytes, "value").on_device || m.find_registered(at) != nullptr, hipErrorInvalidValue,
          "memory that the device does not see");
  require(reinterpret_cast<uint64_t>(at) % bytes == 0, hipErrorInvalidValue,
          "the address is no multiple of the value's size");
  return device;
}

void write(context& c, hipStream_t s, void* to, uint64_t value, unsigned bytes) {
  const int device = check(c, s, to, bytes);
  const auto now = [&c, device, to, value, bytes] {
    c.gpu(device).memory->copy(to, &value, bytes, hipMemcpyDefault);
    return true;
  };
  c.pending.put_attempt(c.stream_of(s), now);
}

// With one hardware queue nothing is ever left in a stream.
void wait(context& c, hipStream_t s, void* at, uint64_t wanted, unsigned flags, uint64_t mask, unsigned bytes) {
  const int device = check(c, s, at, bytes);
  require(flags <= hipStreamWaitValueNor, hipErrorInvalidValue, "no way to compare");
  const memory_block* const block = c.gpu(device).memory->find(reinterpret_cast<uint64_t>(at));
  require(block != nullptr && block->kind == memory_kind::fine_grained && block->flags == hipMallocSignalMemory,
          hipErrorInvalidValue, "streams wait for values in memory of hipMallocSignalMemory");
  const auto now = [&c, device, at, wanted, flags, mask, bytes] {
    return is_there(value_at(*c.gpu(device).memory, at, bytes), wanted, flags, mask, bytes);
  };
  if (c.config().machine.hardware_queues == 1 && !now())
    throw failure(hipErrorNotSupported,
                  fmt::format("the value at {} is not there yet, and with machine.hardware_queues: 1 what is put into "
                              "a stream is done at once",
                              at));
  c.pending.put_attempt(c.stream_of(s), now);
}
}  // namespace

extern "C" {

hipError_t hipStreamWaitValue32(hipStream_t s, void* at, uint32_t value, unsigned int flags, uint32_t mask) {
  return call(__func__, [&](context& c) { wait(c, s, at, value, flags, mask, sizeof value); });
}
hipError_t hipStreamWaitValue64(hipStream_t s, void* at, uint64_t value, unsigned int flags, uint64_t mask) {
  return call(__func__, [&](context& c) { wait(c, s, at, value, flags, mask, sizeof value); });
}
// Flags are for later releases.
hipError_t hipStreamWriteValue32(hipStream_t s, void* to, uint32_t value, unsigned int) {
  return call(__func__, [&](context& c) { write(c, s, to, value, sizeof value); });
}
hipError_t hipStreamWriteValue64(hipStream_t s, void* to, uint64_t value, unsigned int) {
  return call(__func__, [&](context& c) { write(c, s, to, value, sizeof value); });
}

}  // extern "C"
