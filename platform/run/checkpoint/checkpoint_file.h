// SPDX-License-Identifier: Apache-2.0
// A saved run as a file: what it is of, which a user can read at its beginning, and the state of the machine.
//
//   pwsvp checkpoint 1\n        the version of the format
//   {"at": "2", ...}\n          JSON: where the run was, and what has to be the same where it is restored
//   bytes                       state_archive
//   SHA-256 of all before it
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/run/checkpoint/checkpoint_place.h"

namespace pws::platform {

// What has to be the same: names and values, in order. Launches that have begun are among them.
using run_identity = std::vector<std::pair<std::string, std::string>>;

struct checkpoint_contents {
  checkpoint_place at;
  run_identity of;
  std::vector<uint8_t> state;
};

// Throws input_error if it cannot be written; then there is no file, or the one that was there before.
void write_checkpoint(const std::string& path, const checkpoint_contents& c);
// Throws input_error: it cannot be read, is no checkpoint, of another version, or damaged.
checkpoint_contents read_checkpoint(const std::string& path);
// Throws input_error that says what differs, up to a few lines.
void require_same(const std::string& path, const run_identity& saved, const run_identity& here);

}  // namespace pws::platform
