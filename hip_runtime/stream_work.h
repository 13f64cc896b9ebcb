// SPDX-License-Identifier: Apache-2.0
// Doing what is put into a stream: when its turn comes (schedule.h), or, where the stream is being captured, whenever
// the graph is launched that it becomes part of (graph.h, captures.h). All throw failure.
#pragma once

#include "hip_runtime/context.h"

namespace pws::hip {

void submit(context& c, hipStream_t stream, stream_work w);
// The same, and waits until it is done.
void submit_and_wait(context& c, hipStream_t stream, stream_work w);
// How a function of the API puts in an operation: in that stream, and whether it waits until it is done.
struct way {
  hipStream_t stream = nullptr;
  bool waits = true;
};
inline way behind(hipStream_t stream) {
  return {stream, false};
}
inline void put(context& c, way how, stream_work w) {
  (how.waits ? submit_and_wait : submit)(c, how.stream, std::move(w));
}
// Puts it into a stream that is not being captured. Not for host functions and child graphs: hipGraphLaunch takes them
// apart, since no lock may be held there.
void enqueue(context& c, hipStream_t stream, const stream_work& w, maybe_branch in = {});
// Does a copy or a fill now, as an operation of that stream.
void perform(context& c, const stream& in, const stream_work& w);
// Whether such a copy or fill can be done, as it is now.
void check(context& c, const stream& in, const stream_work& w);
// What it waits for is in the stream.
void record(context& c, hipEvent_t e, hipStream_t stream);

// The values of a kernel's arguments, one per parameter.
using argument_values = std::vector<std::vector<uint8_t>>;
// Copies of them: from kernelParams, or from the HIP_LAUNCH_PARAM_ list `extra`. Throws failure (hipErrorInvalidValue)
// if some are missing.
argument_values arguments_of(const kernel_function& f, void** parameters, void** extra);
// The same from a block that is laid out as the kernel's arguments are.
argument_values cut_arguments(const kernel_function& f, const uint8_t* block, size_t bytes);
// Threads in each dimension.
using extent = std::array<uint64_t, 3>;
extent threads_of(dim3 blocks, dim3 block);
// A launch as the program names the kernel, which is looked up on that device.
kernel_launch launch_of(context& c, int device, const void* function, const extent& grid, dim3 block,
                        size_t dynamic_lds, const std::function<argument_values(const kernel_function&)>& arguments);
// `height` rows of `width` bytes; pitches in bytes.
box_copy_work rows_to_copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                           hipMemcpyKind kind);
// `count` elements of 1, 2 or 4 bytes.
fill_work elements_to_fill(void* to, uint32_t value, unsigned element_bytes, size_t count);

}  // namespace pws::hip
