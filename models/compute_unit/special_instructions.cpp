#include "models/compute_unit/special_instructions.h"

#include <string>

#include "base/error.h"
#include "models/isa/opcode_row.h"

namespace pws::models {

namespace {
// Opcodes of GCN3 (ISA document, chapter 12).
namespace mubuf {
constexpr unsigned wbinvl1 = 62, wbinvl1_vol = 63;
}
namespace smem {
constexpr unsigned dcache_inv = 32, dcache_inv_vol = 34;
}
namespace sopp {
constexpr unsigned sethalt = 13, sendmsg = 16, sendmsghalt = 17, trap = 18, icache_inv = 19;
}
}  // namespace

cache_maintenance cache_maintenance_of(const isa::inst& i) {
  const unsigned op = i.row->opcode;
  switch (i.native) {
    case isa::format::mubuf:
      if (op == mubuf::wbinvl1 || op == mubuf::wbinvl1_vol) return cache_maintenance::vector;
      break;
    case isa::format::smem:
      if (op == smem::dcache_inv || op == smem::dcache_inv_vol) return cache_maintenance::scalar;
      break;
    case isa::format::sopp:
      if (op == sopp::icache_inv) return cache_maintenance::instruction;
      break;
    default:
      break;
  }
  return cache_maintenance::none;
}

void refuse_registers(const isa::inst& i, const isa::wave_state& s) {
  throw program_error("v" + std::to_string(i.vgpr_end - 1) + " is not among the " + std::to_string(s.n_vgprs) +
                      " vector registers that the kernel descriptor asks for");
}

bool is_host_interrupt(const isa::inst& i) {
  constexpr int32_t interrupt = 1;  // message identifier, bits [3:0]
  return i.native == isa::format::sopp && i.row->opcode == sopp::sendmsg && (i.simm & 0xf) == interrupt;
}

void refuse_message(const isa::inst& i) {
  switch (i.row->opcode) {
    case sopp::trap:
      throw program_error("s_trap " + std::to_string(i.simm & 0xff) + ": the program trapped");
    case sopp::sethalt:
    case sopp::sendmsghalt:
      throw program_error("the program halted its wavefront; nothing here resumes it");
    default:
      break;
  }
  if ((i.simm & 0xf) != 0)
    throw program_error("message " + std::to_string(i.simm & 0xf) + " has no receiver on this machine");
}

}  // namespace pws::models
