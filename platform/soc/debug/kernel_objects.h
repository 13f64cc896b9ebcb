// SPDX-License-Identifier: Apache-2.0
// The code objects that a system's GPUs may be given: where the names and source lines of their code come from.
// Firmware has them in its own file, from which its driver takes them; a file that is named beside it may have source
// lines.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "sw/loader/code_object.h"
#include "sw/loader/firmware_image.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

class kernel_objects {
 public:
  // `files`: as load_program takes them. Throws input_error where one cannot be read.
  kernel_objects(const loader::firmware_image& firmware, const std::vector<std::string>& files);

  struct row {
    const loader::code_object* object = nullptr;
    loader::image image;  // as it would be at address 0
  };
  // Those of named files first.
  const std::vector<row>& all() const { return all_; }

 private:
  void find_in(const loader::firmware_image& firmware, const loader::firmware_image::segment& s);

  std::vector<loader::program_image> named_;
  std::deque<loader::code_object> found_;
  std::vector<row> all_;
};

}  // namespace pws::platform
