// Doing what is put into a stream: at once, or, where the stream is being captured, whenever the graph is launched that
// it becomes part of (graph.h, captures.h). All throw failure.
#pragma once

#include "platform/hip/context.h"

namespace pws::platform::hip {

void submit(context& c, hipStream_t stream, stream_work w);
// Does it now. Not for host functions and child graphs: hipGraphLaunch does them, since no lock may be held there.
void perform(context& c, const stream_work& w);

// A launch of so many blocks of so many threads; the rest is the caller's to set.
kernel_work shape_of(dim3 grid, dim3 block);
// `height` rows of `width` bytes; pitches in bytes.
box_copy_work rows_to_copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                           hipMemcpyKind kind);
// `count` elements of 1, 2 or 4 bytes.
fill_work elements_to_fill(void* to, uint32_t value, unsigned element_bytes, size_t count);

}  // namespace pws::platform::hip
