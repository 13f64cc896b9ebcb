// SPDX-License-Identifier: Apache-2.0
#include "models/context/wf_status.h"

namespace pws::models {

const char* name_of(wf_status s) {
  switch (s) {
    case wf_status::idle:
      return "idle";
    case wf_status::running:
      return "running";
    case wf_status::waitcnt:
      return "waiting at s_waitcnt";
    case wf_status::barrier:
      return "waiting at a barrier";
    case wf_status::merge:
      return "waiting at a merge";
    case wf_status::draining:
      return "draining";
    case wf_status::ended:
      return "ended";
    case wf_status::suspended:
      return "suspended";
    case wf_status::grid_barrier:
      return "waiting at a barrier of the grid";
  }
  return "?";
}

const char* name_of(stall s) {
  switch (s) {
    case stall::fetch:
      return "fetch";
    case stall::operand:
      return "operand";
    case stall::unit_busy:
      return "unit_busy";
    case stall::memory:
      return "memory";
    case stall::barrier:
      return "barrier";
    case stall::other:
      return "other";
    case stall::merge:
      return "merge";
    case stall::count:
      break;
  }
  return "?";
}

}  // namespace pws::models
