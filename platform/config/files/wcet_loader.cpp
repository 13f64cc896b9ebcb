// SPDX-License-Identifier: Apache-2.0
// `wcet` of a run file.
#include <fmt/format.h>

#include "platform/config/files/run_schema.h"

namespace pws::platform {

namespace {

// A bound by line may name a file; label and offset are of a kernel.
bool read_source_file(const value_at& v, loop_bound_config& loop) {
  const auto refuse = [&v](const char* beside) {
    v.issue(std::string("cannot stand beside ") + beside);
    return false;
  };
  if (!loop.label.empty()) return refuse("label");
  const auto text = v.read.text(v.node, v.path);
  if (text && loop.offset) return refuse("offset");
  if (text) loop.file = *text;
  return text.has_value();
}

const schema<loop_bound_config>& loop_schema() {
  static const schema<loop_bound_config> s([](schema<loop_bound_config>& made) {
    using l = loop_bound_config;
    made.integer("bound", &l::bound, "iteration", {0, int128{1} << 32}, "at most, each time the loop is reached")
        .required();
    const auto& line =
        made.integer("line", &l::line, "", {1, UINT32_MAX}, "of the loop statement in the source; or label, or offset")
            .by_default("")
            .step(1);
    made.custom("file", field_kind::text, "end of the source's path, if the line is not enough", read_source_file)
        .step(2);
    const auto& label = made.text("label", &l::label,
                                  "in the assembly: what follows it is executed `bound` times at most each time the "
                                  "innermost loop around it is entered")
                            .step(1);
    const auto& offset = made.integer("offset", &l::offset, "byte", {0, UINT32_MAX},
                                      "of an instruction, from the kernel's entry on (pwsvp disasm), for which the "
                                      "same holds")
                             .step(1);
    made.one_of({&line, &label, &offset});
    made.text("kernel", &l::kernel, "whose loop it is; in a program's configuration a bound by offset needs it");
  });
  return s;
}

bool read_loops(const value_at& v, wcet_config& to) {
  if (!v.read.list(v.node, v.path)) return false;
  bool good = true;
  for (size_t k = 0; k < v.node.items.size(); ++k) {
    const yaml_node& item = v.node.items[k];
    loop_bound_config loop;
    loop.where = item.where;
    good = loop_schema().read(item, fmt::format("{}[{}]", v.path, k), loop, v.read) && good;
    to.loops.push_back(std::move(loop));
  }
  return good;
}

void fill_wcet(schema<wcet_config>& s) {
  using w = wcet_config;
  s.choice("block_times", &w::block_times,
           "static: from the machine's constants, a guarantee; measured: the longest of a run, an estimate");
  s.integer("runs", &w::runs, "run", {1, 10000},
            "measured: runs whose longest block times count, the k-th with the seeds of random buffers plus k");
  s.boolean("buffers", &w::buffers,
            "what is accessed through a pointer to a buffer is taken to lie in that buffer; checked in runs");
  s.custom("loops", field_kind::list, "bounds of loops that have no PWS_LOOP_BOUND", read_loops)
      .by_default("[]")
      .lists("*.", loop_schema());
}

}  // namespace

const schema<wcet_config>& wcet_schema() {
  static const schema<wcet_config> s(fill_wcet);
  return s;
}

}  // namespace pws::platform
