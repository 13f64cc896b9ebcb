#include "platform/wcet/run_launch.h"

namespace pws::platform {

launch_request request_of(const run_launch& l, const device_runtime& runtime,
                          const std::vector<std::vector<uint8_t>>& values) {
  launch_request request;
  request.kernel = runtime.find_kernel(l.kernel);
  request.grid = l.shape.grid;
  request.workgroup = l.shape.workgroup;
  request.dynamic_lds = l.shape.dynamic_lds;
  request.dynamic_stack = l.shape.dynamic_stack;
  for (const size_t k : l.of(values.size())) request.arguments.push_back(values[k]);
  return request;
}

}  // namespace pws::platform
