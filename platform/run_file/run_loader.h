// The parts of load_run, one per top-level key. Each adds what is wrong to the reader's issues and leaves defaults
// there.
#pragma once

#include <cstdint>
#include <set>

#include "platform/machine_file/machine_loader.h"
#include "platform/run_file/run_config.h"

namespace pws::platform {

// A run while it is read.
struct loading_run {
  run_config config;
  loaded_machine machine;
  std::set<std::string> broken;  // names of arguments that could not be read
};

void read_program(const yaml_node& node, loading_run& run, reader& read);    // run_loader.cpp
void read_launch(const yaml_node& node, loading_run& run, reader& read);     // run_loader.cpp
void read_arguments(const yaml_node& node, loading_run& run, reader& read);  // argument_loader.cpp
void read_expect(const yaml_node& node, loading_run& run, reader& read);     // expect_loader.cpp
void read_wcet(const yaml_node& node, wcet_config& config, reader& read);    // wcet_loader.cpp

// The one key of `node` out of `alternatives`, or nullptr with an issue if there is none or more than one.
const yaml_entry* one_of(const yaml_node& node, const std::string& path, const std::vector<std::string>& alternatives,
                         reader& read);

// The number of elements of `type` in a file that reader::file accepted, or nothing with an issue if the size is odd.
std::optional<uint64_t> elements_in_file(const yaml_node& node, const std::string& path, const std::string& file,
                                         element_type type, reader& read);

}  // namespace pws::platform
