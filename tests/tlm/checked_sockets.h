// SPDX-License-Identifier: Apache-2.0
// A protocol checker between every two sockets of the machine.
#pragma once

#include <list>
#include <string>
#include <vector>

#include "tests/tlm/protocol_checker.h"

namespace pws::test {

// While this lives, machines that are made have a checker on every connection. Outlives them.
class checked_sockets {
 public:
  checked_sockets();
  ~checked_sockets();
  checked_sockets(const checked_sockets&) = delete;
  checked_sockets& operator=(const checked_sockets&) = delete;

  protocol_log log;
  const std::list<protocol_checker>& checkers() const { return checkers_; }
  std::list<protocol_checker>& checkers() { return checkers_; }
  // All checkers' calls together.
  protocol_log::calls calls() const;
  // Connections that nothing has gone through.
  std::vector<std::string> silent() const;

 private:
  std::list<protocol_checker> checkers_;
};

}  // namespace pws::test
