// A sweep whose points run as a Slurm job array: written, submitted, watched and collected from a login node. The
// folder has to be on a file system that the nodes share.
//
// DIR/slurm/   job.sh, points (those of each task, a line each), job (its number, while it is in the queue),
//              task-N.txt (what task N said)
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "platform/sweep/sweep.h"

namespace pws::platform::sweep {

struct slurm_options {
  std::string experiment;            // file, as the tasks are given it
  std::string partition;             // empty: Slurm's default
  std::vector<std::string> further;  // options of sbatch: "--time=10:00"
};

// Submits the points that are not there, waits, and makes the table. Where a job of an earlier call is still in the
// queue, it waits for that one. Throws input_error: no Slurm, Slurm refuses the job or does not answer any more.
sweep_outcome run_on_slurm(const experiment& e, const sweep_options& options, const slurm_options& slurm,
                           std::ostream& out);

// Ends the job of this folder. Throws input_error: there is none.
void cancel_on_slurm(const std::filesystem::path& folder, std::ostream& out);

}  // namespace pws::platform::sweep
