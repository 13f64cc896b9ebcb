// SPDX-License-Identifier: Apache-2.0
#include "models/bus/socket_binding.h"

namespace pws::models {

namespace {
socket_binder& current_binder() {
  static socket_binder binder;
  return binder;
}
}  // namespace

void join_sockets(any_initiator_socket& initiator, any_target_socket& target) {
  initiator.get_base_port()(target.get_base_interface());
  target.get_base_port()(initiator.get_base_interface());
}

void bind_sockets(any_initiator_socket& initiator, any_target_socket& target) {
  if (current_binder())
    current_binder()(initiator, target);
  else
    join_sockets(initiator, target);
}

void set_socket_binder(socket_binder binder) {
  current_binder() = std::move(binder);
}

}  // namespace pws::models
