// SPDX-License-Identifier: Apache-2.0
// Where the machine's sockets are connected. All of them are connected by bind_sockets(), so that a program can have
// modules of its own between them, such as monitors. Once the machine is made nothing of this is left.
#pragma once

#include <functional>
#include <systemc>
#include <tlm>

#include "models/bus/bus_width.h"

namespace pws::models {

// Sockets of every kind, those too that need not be bound.
using any_initiator_socket =
    tlm::tlm_base_initiator_socket_b<bus_width, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>>;
using any_target_socket =
    tlm::tlm_base_target_socket_b<bus_width, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>>;
using socket_binder = std::function<void(any_initiator_socket& initiator, any_target_socket& target)>;

// Connects the sockets, whatever the binder is.
void join_sockets(any_initiator_socket& initiator, any_target_socket& target);
// Connects the sockets, or has the binder do it that was set last.
void bind_sockets(any_initiator_socket& initiator, any_target_socket& target);
// How sockets of machines are connected that are made from now on. An empty one connects them directly.
void set_socket_binder(socket_binder binder);

}  // namespace pws::models
