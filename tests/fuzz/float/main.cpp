// SPDX-License-Identifier: Apache-2.0
// fuzz_float: generated floating-point kernels on the platform against the host.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "tests/fuzz/float/campaign.h"

int main(int argc, char** argv) {
  pws::test::campaign_settings s;
  CLI::App app{
      "Generated floating-point kernels, compiled for the GPU, run on the platform and compared with the host"};
  app.add_option("--programs", s.programs, "how many, of consecutive seeds")->capture_default_str();
  app.add_option("--seed", s.first_seed, "of the first program")->capture_default_str();
  app.add_option("--jobs", s.jobs, "programs compiled and run at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 64));
  app.add_option("--only", s.program.only, "trees, functions, modes, fast, or a function's name");
  app.add_option("--keep", s.keep, "folder for the sources of programs that differ")->capture_default_str();
  app.add_option("--cache", s.cache, "folder for compiled code");
  app.add_option("--break-lane", s.break_lane, "flip a bit of this lane's result, to see the harness fail");
  app.add_option("--bound-scale", s.program.bound_scale, "multiplies every accuracy bound, to see the harness fail");
  app.add_flag("--list", s.list, "name the rows of the opcode table that were never executed");
  CLI11_PARSE(app, argc, argv);
  try {
    return pws::test::run_float_campaign(s) ? 0 : 1;
  } catch (const std::exception& e) {
    std::cerr << "fuzz_float: " << e.what() << '\n';
    return 2;
  }
}
