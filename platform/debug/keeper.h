// SPDX-License-Identifier: Apache-2.0
// The process that waits for one of which snapshots are made (snapshots.h). It is the one that the shell knows.
#pragma once

#include <sys/types.h>

#include <functional>

namespace pws::platform::debug {

// Runs `work` in a process of its own, of which snapshots can be made. Returns what it returned, in both: the caller
// goes on with the exit code alone. A signal that ends that process ends the caller too, and SIGINT and SIGTERM for the
// caller are passed on. For a process with one thread. Throws input_error if the host gives no process.
int under_keeper(const std::function<int()>& work);

bool has_keeper();
// The process goes on in place of the one that did.
void become_kept();
// It ends when its keeper does, for whatever reason. To be called when its parent, if that is not the keeper, is about
// to end.
void end_with_keeper();

}  // namespace pws::platform::debug
