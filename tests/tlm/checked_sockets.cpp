// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/checked_sockets.h"

#include "models/bus/socket_binding.h"

namespace pws::test {

checked_sockets::checked_sockets() {
  models::set_socket_binder([this](models::any_initiator_socket& initiator, models::any_target_socket& target) {
    const std::string where = std::string(initiator.get_base_port().name()) + " -> " + target.get_base_export().name();
    checkers_.emplace_back(sc_core::sc_gen_unique_name("checker"), where, log);
    models::join_sockets(initiator, checkers_.back().from);
    models::join_sockets(checkers_.back().to, target);
  });
}

checked_sockets::~checked_sockets() {
  models::set_socket_binder({});
}

protocol_log::calls checked_sockets::calls() const {
  protocol_log::calls sum;
  for (const protocol_checker& c : checkers_) {
    const protocol_log::calls& k = c.calls();
    sum.blocking += k.blocking;
    sum.forward += k.forward;
    sum.backward += k.backward;
    sum.debug += k.debug;
    sum.dmi += k.dmi;
    sum.invalidations += k.invalidations;
  }
  return sum;
}

std::vector<std::string> checked_sockets::silent() const {
  std::vector<std::string> names;
  for (const protocol_checker& c : checkers_)
    if (c.calls().all() == 0) names.push_back(c.where());
  return names;
}

}  // namespace pws::test
