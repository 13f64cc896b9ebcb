// SPDX-License-Identifier: Apache-2.0
#include "platform/observers/unused_code.h"

#include <algorithm>
#include <iterator>

namespace pws::platform {

profiled_object described(const loader::code_object& object, size_t index) {
  profiled_object o;
  o.name = {object.name(), index};
  for (const loader::symbol& s : object.symbols())
    if (s.kind == loader::symbol_kind::function) o.functions.push_back({s.name, s.address});
  o.lines = loader::line_table(object.file_bytes()).code();
  return o;
}

void unused_code::note(const loader::program_image& program) {
  for (size_t k = 0; k < program.code_objects().size(); ++k) {
    profiled_object o = described(program.code_objects()[k], k);
    if (!o.functions.empty()) objects_.push_back(std::move(o));
  }
}

void unused_code::add_to(profile& p) const {
  std::vector<profiled_object> sorted = objects_;
  std::sort(sorted.begin(), sorted.end(),
            [](const profiled_object& a, const profiled_object& b) { return a.name < b.name; });
  std::copy_if(sorted.begin(), sorted.end(), std::back_inserter(p.objects),
               [](const profiled_object& o) { return !o.lines.empty(); });
  if (p.objects.empty()) p.objects = std::move(sorted);
}

}  // namespace pws::platform
