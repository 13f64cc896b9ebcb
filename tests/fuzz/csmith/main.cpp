// SPDX-License-Identifier: Apache-2.0
// fuzz_csmith: random integer programs, compiled for the GPU and for the host, compared lane by lane.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <map>
#include <string>

#include "tests/fuzz/csmith/campaign.h"

// Exit status 0: programs were compared and none differs; 1: one differs, or nothing was compared, or the harness
// failed; 2: bad command line or no compiler.
int main(int argc, char** argv) {
  pws::test::campaign_options o;
  CLI::App app{"Random integer programs, compiled for the GPU and for the host, compared lane by lane"};
  app.add_option("--programs", o.programs, "how many, of consecutive seeds")->capture_default_str();
  app.add_option("--seed", o.first_seed, "of the first program")->capture_default_str();
  app.add_option("--jobs", o.jobs, "processes")->capture_default_str()->check(CLI::Range(1, 64));
  app.add_option("--opt", o.check.levels, "-O levels for the GPU")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::IsMember({"0", "1", "2", "3", "s"}));
  app.add_option("--timing-every", o.check.timing_every, "timing fidelity too, where this divides the seed; 0: never")
      ->capture_default_str();
  app.add_option("--min-bytes", o.check.size.min, "smallest generated program")->capture_default_str();
  app.add_option("--max-bytes", o.check.size.max, "largest generated program")->capture_default_str();
  app.add_option("--keep", o.check.keep, "folder for the files of programs that differ")->capture_default_str();
  app.add_option("--source", o.source, "check this kept (perhaps edited) program.cpp instead of generating one")
      ->check(CLI::ExistingFile);
  app.add_option("--break-lane", o.check.break_lane, "make this lane's result wrong, to see the harness fail");
  const std::map<std::string, pws::pwscc::split_choice> choices{{"none", pws::pwscc::split_choice::none},
                                                                {"all", pws::pwscc::split_choice::all},
                                                                {"auto", pws::pwscc::split_choice::automatic}};
  app.add_option("--split", o.check.split, "place split and merge in the compiled kernels: none, all, auto")
      ->transform(CLI::CheckedTransformer(choices));
  const std::map<std::string, pws::pwscc::divergence_code> codes{{"none", pws::pwscc::divergence_code::none},
                                                                 {"p", pws::pwscc::divergence_code::p},
                                                                 {"ps", pws::pwscc::divergence_code::ps},
                                                                 {"psr", pws::pwscc::divergence_code::psr}};
  app.add_option("--divergence", o.check.divergence, "predicate the compiled kernels as pwscc does: none, p, ps, psr")
      ->transform(CLI::CheckedTransformer(codes));
  app.add_option("-S", o.check.swf_contexts, "SWF contexts of a wavefront")
      ->capture_default_str()
      ->check(CLI::Range(0, 63));
  app.add_option(
         "--machine", o.check.machines,
         "keys and values of the machine, divergence=dpe,scoreboard=optimistic; several times: the same code on each")
      ->allow_extra_args(false);
  app.add_flag("--checks", o.check.checks, "with all checks of the machine, which must find nothing");
  app.add_flag("--list", o.list_executed, "how often each row of the opcode table was executed, by encoding");
  try {
    app.parse(argc, argv);
    if (o.check.split != pws::pwscc::split_choice::none && pws::pwscc::predicates(o.check.divergence))
      throw CLI::ValidationError("--divergence", "predicated code is not split");
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    return pws::test::run_campaign(o) ? 0 : 1;
  } catch (const std::exception& e) {
    std::cerr << "fuzz_csmith: " << e.what() << '\n';
    return 2;
  }
}
