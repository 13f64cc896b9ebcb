// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/stream_work.h"

#include <fmt/format.h>

#include <stdexcept>

namespace pws::hip {

namespace {

struct performer {
  context& c;
  const stream& in;
  bool only_checks = false;  // that it can be done

  void operator()(const nothing_work&) const {}
  // The schedule itself does all else.
  template <class T>
  void operator()(const T&) const {
    throw std::logic_error("no copy or fill");
  }

  void operator()(const copy_work& w) const {
    c.check_alive(in.device);
    c.gpu(in.device).memory->copy(w.to, w.from, w.bytes, w.kind, only_checks);
  }

  // Planes are ysize rows apart; positions are bytes, rows, planes.
  void operator()(const box_copy_work& w) const {
    const hipMemcpy3DParms p = without_arrays(c.images, w.parameters);
    const hipExtent& e = p.extent;
    const auto begin = [](const hipPitchedPtr& at, const hipPos& pos) {
      return static_cast<uint8_t*>(at.ptr) + (pos.z * at.ysize + pos.y) * at.pitch + pos.x;
    };
    require(p.srcPtr.ptr != nullptr && p.dstPtr.ptr != nullptr, hipErrorInvalidValue, "a null pointer");
    require(e.depth <= 1 || (e.height <= p.srcPtr.ysize && e.height <= p.dstPtr.ysize), hipErrorInvalidValue,
            "planes of fewer rows than are copied");
    uint8_t* to = begin(p.dstPtr, p.dstPos);
    const uint8_t* from = begin(p.srcPtr, p.srcPos);
    for (size_t z = 0; z < e.depth; ++z) {
      c.check_alive(in.device);
      c.gpu(in.device).memory->copy_2d(to + z * p.dstPtr.ysize * p.dstPtr.pitch, p.dstPtr.pitch,
                                       from + z * p.srcPtr.ysize * p.srcPtr.pitch, p.srcPtr.pitch, e.width, e.height,
                                       p.kind, only_checks);
    }
  }

  void operator()(const variable_copy_work& w) const {
    c.check_alive(in.device);
    device& gpu = c.gpu(in.device);
    const auto [address, size] = c.modules.variable(w.symbol, *gpu.runtime);
    if (w.offset > size || w.bytes > size - w.offset)
      throw memory_failure(
          hipErrorInvalidValue,
          fmt::format("{} bytes at offset {} pass the end of the variable ({} bytes)", w.bytes, w.offset, size),
          memory_misuse::too_large, address + w.offset, w.bytes);
    void* variable = reinterpret_cast<void*>(address + w.offset);
    const bool to_variable = w.to == nullptr;
    const hipMemcpyKind other_side_on_host = to_variable ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost;
    if (w.kind != other_side_on_host && w.kind != hipMemcpyDeviceToDevice && w.kind != hipMemcpyDefault)
      throw failure(hipErrorInvalidMemcpyDirection, fmt::format("kind {} for a variable", static_cast<int>(w.kind)));
    if (to_variable)
      gpu.memory->copy(variable, w.from, w.bytes, w.kind, only_checks);
    else
      gpu.memory->copy(w.to, variable, w.bytes, w.kind, only_checks);
  }

  void operator()(const fill_work& w) const {
    const hipMemsetParams& p = w.parameters;
    c.check_alive(in.device);
    memory& memory = *c.gpu(in.device).memory;
    if (p.height == 0) return;
    if (p.height == 1) return memory.fill(p.dst, p.value, p.elementSize, p.width, only_checks);
    size_t row = 0, bytes = 0;
    if (__builtin_mul_overflow(p.width, size_t{p.elementSize}, &row) || row > p.pitch)
      throw failure(hipErrorInvalidValue, fmt::format("rows of {} bytes do not fit a pitch of {}", row, p.pitch));
    if (row == 0) return;
    if (__builtin_mul_overflow(p.pitch, p.height - 1, &bytes) || __builtin_add_overflow(bytes, row, &bytes))
      throw failure(hipErrorInvalidValue, "the rectangle is larger than the address space");
    memory.locate(p.dst, bytes, "target");
    for (size_t k = 0; k < p.height; ++k)
      memory.fill(static_cast<uint8_t*>(p.dst) + k * p.pitch, p.value, p.elementSize, p.width, only_checks);
  }
};

}  // namespace

void perform(context& c, const stream& in, const stream_work& w) {
  std::visit(performer{c, in, false}, w);
}

void check(context& c, const stream& in, const stream_work& w) {
  std::visit(performer{c, in, true}, w);
}

void enqueue(context& c, hipStream_t stream, const stream_work& w, maybe_branch in) {
  hip::stream& s = c.stream_of(stream);
  if (!std::holds_alternative<kernel_launch>(w)) c.check_alive(s.device);  // a launch says more
  if (const auto* of_event = std::get_if<record_work>(&w))
    c.event_of(of_event->event).record(c.pending.put_record(s, std::move(in)));
  else if (const auto* wait = std::get_if<wait_work>(&w); wait == nullptr)
    c.pending.put(s, w, std::move(in));
  else if (const event& e = c.event_of(wait->event); e.last != nullptr)
    c.pending.put_wait(s, e.last, std::move(in));
}

void submit(context& c, hipStream_t stream, stream_work w) {
  c.check_stream(stream);
  if (capture* k = c.captures.takes(stream))
    k->add(stream, std::move(w));
  else
    enqueue(c, stream, w);
}

void submit_and_wait(context& c, hipStream_t stream, stream_work w) {
  c.check_stream(stream);
  if (capture* k = c.captures.takes(stream)) return k->add(stream, std::move(w));
  enqueue(c, stream, w);
  c.finish(stream);
}

void record(context& c, hipEvent_t e, hipStream_t stream) {
  c.check_stream(stream);
  event& own = c.event_of(e);
  if (capture* k = c.captures.takes(stream)) return c.captures.record(own, stream, *k);
  const int device = c.stream_of(stream).device;
  require(own.device == device, hipErrorInvalidHandle, "the event is of another device than the stream");
  c.check_alive(device);
  enqueue(c, stream, record_work{e});
}

// ---- Launches

// Copies of the arguments from `pointers`, one per parameter.
static argument_values gather_arguments(const kernel_function& f, void** pointers) {
  const loader::kernel_metadata& k = f.loaded.kernel->metadata;
  argument_values values;
  for (size_t i = 0; i < k.explicit_arguments(); ++i) {
    require(pointers != nullptr && pointers[i] != nullptr, hipErrorInvalidValue, "an argument is missing");
    const auto* raw = static_cast<const uint8_t*>(pointers[i]);
    values.emplace_back(raw, raw + k.arguments[i].size);
  }
  return values;
}

argument_values cut_arguments(const kernel_function& f, const uint8_t* block, size_t bytes) {
  const loader::kernel_metadata& k = f.loaded.kernel->metadata;
  argument_values values;
  for (size_t i = 0; i < k.explicit_arguments(); ++i) {
    const loader::kernel_argument& a = k.arguments[i];
    require(a.offset <= bytes && a.size <= bytes - a.offset, hipErrorInvalidValue,
            "the block of arguments is smaller than the kernel's arguments");
    values.emplace_back(block + a.offset, block + a.offset + a.size);
  }
  return values;
}

argument_values arguments_of(const kernel_function& f, void** parameters, void** extra) {
  require(parameters == nullptr || extra == nullptr, hipErrorInvalidValue, "both kinds of arguments are given");
  if (extra == nullptr) return gather_arguments(f, parameters);
  const uint8_t* block = nullptr;
  size_t bytes = 0;
  for (; *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      block = static_cast<const uint8_t*>(extra[1]);
    else if (*extra == HIP_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *static_cast<const size_t*>(extra[1]);
    else
      throw failure(hipErrorInvalidValue, "the list of arguments has an unknown key");
  }
  require(block != nullptr || f.loaded.kernel->metadata.explicit_arguments() == 0, hipErrorInvalidValue,
          "the list of arguments has no block");
  return cut_arguments(f, block, bytes);
}

extent threads_of(dim3 blocks, dim3 block) {
  return {uint64_t{blocks.x} * block.x, uint64_t{blocks.y} * block.y, uint64_t{blocks.z} * block.z};
}

kernel_launch launch_of(context& c, int device, const void* function, const extent& grid, dim3 block,
                        size_t dynamic_lds, const std::function<argument_values(const kernel_function&)>& arguments) {
  const kernel_function& f = c.modules.kernel(function, *c.gpu(device).runtime);
  const std::string& name = f.loaded.kernel->demangled;
  kernel_launch l;
  l.function = function;
  l.arguments = arguments(f);
  l.workgroup = {block.x, block.y, block.z};
  const auto refuse = [&c](hipError_t code, const std::string& why) {
    ++c.log.refused;
    throw failure(code, why);
  };
  for (size_t d = 0; d < 3; ++d) {
    if (grid[d] > UINT32_MAX)
      refuse(hipErrorInvalidConfiguration,
             fmt::format("{}: {} threads in {}, at most {} are possible", name, grid[d], "xyz"[d], UINT32_MAX));
    l.grid[d] = static_cast<uint32_t>(grid[d]);
  }
  if (dynamic_lds > UINT32_MAX)
    refuse(hipErrorLaunchOutOfResources,
           fmt::format("{}: {} bytes of dynamic LDS do not fit a compute unit", name, dynamic_lds));
  l.dynamic_lds = static_cast<uint32_t>(dynamic_lds);
  l.dynamic_stack = static_cast<uint32_t>(c.slot(device).limits[hipLimitStackSize]);
  return l;
}

// ---- Copies and fills

box_copy_work rows_to_copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                           hipMemcpyKind kind) {
  box_copy_work w;
  w.parameters.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
  w.parameters.dstPtr = {to, to_pitch, width, height};
  w.parameters.extent = {width, height, 1};
  w.parameters.kind = kind;
  return w;
}

fill_work elements_to_fill(void* to, uint32_t value, unsigned element_bytes, size_t count) {
  fill_work w;
  w.parameters.dst = to;
  w.parameters.elementSize = element_bytes;
  w.parameters.height = 1;
  w.parameters.pitch = element_bytes * count;
  w.parameters.value = value;
  w.parameters.width = count;
  return w;
}

}  // namespace pws::hip
