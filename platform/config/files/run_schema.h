// SPDX-License-Identifier: Apache-2.0
// The keys of a run file. Each part has its schema in the file that reads it.
#pragma once

#include <set>
#include <vector>

#include "platform/config/files/run_config.h"
#include "platform/config/machine_loader.h"
#include "platform/config/schema.h"

namespace pws::platform {

// A run while it is read.
struct loading_run {
  run_config config;
  loaded_machine machine;
  std::set<std::string> broken;  // names of arguments that could not be read
};

// A launch while it is read.
struct loading_launch : launch_config {
  const loaded_machine* machine = nullptr;
  bool has_workgroup = false;  // one that can be relied on
  bool partial_workgroups = false;
};

// One of `launches` while it is read.
struct loading_step : run_launch {
  loading_run* run = nullptr;
};

// A structure passed by value while it is read.
struct loading_structure {
  struct pointer {
    size_t offset = 0;
    std::string buffer;
    origin where;
    std::string path;
  };
  struct field_place {
    size_t offset = 0;
    std::string name, contents;
  };
  std::vector<uint8_t> bytes;
  std::vector<pointer> pointers;
  std::vector<field_place> fields;
  size_t align = 1;
};

// A field of it.
struct loading_field {
  std::string name;
  element_type type = element_type::i32;
  bool has_type = false;  // there is one
  bool typed = false;     // and it can be relied on
  uint32_t pad = 0;       // bytes
  uint32_t align = 0;     // bytes; 0: as its type is
  loading_structure contents;
};

// An argument while it is read.
struct loading_argument : argument_config {
  element_type type = element_type::i32;
  uint64_t count = 0;
  std::optional<uint64_t> implied_count;  // by init
  buffer_init init;
  std::vector<loading_structure::pointer> pointers;  // of a structure; their buffers may stand behind it
  std::map<std::string, int>* lines = nullptr;       // of the names so far
};
// The keys of an argument are looked at by its reader: which there are says what it is.
struct argument_schema : schema<loading_argument> {
  argument_schema();
  const key &name, &type, &value, &structure, &bytes, &count, &init;
};

// What is expected of a buffer, while it is read.
struct loading_expect : expect_config {
  const buffer_argument* target = nullptr;
  const loading_run* run = nullptr;
  bool ranged = true;  // `first` and `count` can be relied on
};

const schema<program_config>& program_schema();  // program_loader.cpp
const schema<loading_launch>& launch_schema();   // launch_loader.cpp
const schema<loading_step>& step_schema();       // launch_loader.cpp: one of `launches`
const argument_schema& argument_keys();          // argument_loader.cpp
const schema<loading_argument>& init_schema();   // argument_loader.cpp: below `init`
const schema<loading_field>& field_schema();     // structure_loader.cpp: one of `struct`
const schema<loading_expect>& expect_schema();   // expect_loader.cpp
const schema<wcet_config>& wcet_schema();        // wcet_loader.cpp

constexpr size_t most_structure_bytes = 4096;  // a kernel's argument segment is not larger

// Reads the value of `struct`.
bool read_structure(const value_at& v, loading_structure& to);
// Read the values of `launch`, `launches`, `arguments` and one of those below `expect`.
bool read_launch(const value_at& v, launch_config& to, const loaded_machine& machine);
bool read_launches(const value_at& v, loading_run& run);
bool read_arguments(const value_at& v, loading_run& run);
bool read_expect(const value_at& v, const yaml_entry& entry, const loading_run& run, std::vector<expect_config>& to);

// The argument that the entry below `expect` or `save` names; nothing, with an issue, where there is none or it is no
// buffer. `what` is done with buffers alone: "checked".
std::optional<size_t> buffer_of(const value_at& v, const yaml_entry& entry, const loading_run& run, const char* what);
void add_save(schema<loading_run>& s);  // save_loader.cpp: the key `save`

// The number of elements of `type` in a file that reader::file accepted, or nothing with an issue if the size is odd.
std::optional<uint64_t> elements_in_file(const value_at& v, const std::string& file, element_type type);

// Types that the machine's own have no word for.
constexpr const char* number_of_type = "number of the argument's type";
constexpr const char* numbers_of_type = "list of such numbers";
constexpr int128 most_elements = int128{1} << 36;

// Every key, "*" in a path is an argument's or a buffer's name.
const std::vector<field>& run_fields();

}  // namespace pws::platform
