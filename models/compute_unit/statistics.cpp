#include "models/compute_unit/statistics.h"

namespace pws::models {

const char* name_of(isa::unit u) {
  switch (u) {
    case isa::unit::salu:
      return "salu";
    case isa::unit::valu:
      return "valu";
    case isa::unit::valu_trans:
      return "valu_trans";
    case isa::unit::valu_f64:
      return "valu_f64";
    case isa::unit::branch:
      return "branch";
    case isa::unit::scalar_memory:
      return "scalar_memory";
    case isa::unit::vector_memory:
      return "vector_memory";
    case isa::unit::lds:
      return "lds";
    case isa::unit::waitcnt:
      return "waitcnt";
    case isa::unit::barrier:
      return "barrier";
    case isa::unit::end:
      return "end";
    case isa::unit::message:
      return "message";
    case isa::unit::internal:
      return "internal";
    case isa::unit::split:
      return "split";
    case isa::unit::merge:
      return "merge";
  }
  return "?";
}

}  // namespace pws::models
