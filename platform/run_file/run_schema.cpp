#include "platform/run_file/run_schema.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "platform/run_file/run_config.h"

namespace pws::platform {

namespace {

enum class need { optional, required };

struct limits {
  int128 min = 0;
  int128 max = 0;
};

class table {
 public:
  field& add(const char* path, field_kind kind, const char* help, need needed = need::optional) {
    field f;
    f.path = path;
    f.kind = kind;
    f.help = help;
    f.required = needed == need::required;
    rows.push_back(std::move(f));
    return rows.back();
  }
  field& add(const char* path, field_kind kind, const char* unit, limits range, const char* help,
             need needed = need::optional) {
    field& f = add(path, kind, help, needed);
    f.unit = unit;
    f.min = range.min;
    f.max = range.max;
    return f;
  }
  std::vector<field> rows;
};

constexpr int128 u32_max = 0xffffffff;
constexpr int128 u64_max = ~uint64_t{0};
constexpr int128 most_elements = int128{1} << 36;

std::string text(double value) {
  return fmt::format("{}", value);
}

void add_program_and_launch(table& t) {
  using k = field_kind;
  t.add("machine", k::mapping, "a machine file, or a mapping of machine keys with an optional `base` file",
        need::required);
  t.add("machine.base", k::file, "machine file whose values hold where this one has none");
  t.add("program", k::mapping, "what runs", need::required);
  t.add("program.source", k::file, "HIP, OpenCL C or assembly source, code object, offload bundle or executable",
        need::required);
  t.add("program.kernel", k::text, "name of the kernel", need::required);
  t.add("program.flags", k::text_list, "clang's flags; only for sources").default_text = "[]";
  field& split = t.add("program.split", k::choice,
                       "branches that pwscc makes split points, for S = machine.spsimd_per_simd; only for HIP and .s");
  split.choices = {"none", "marked", "all", "auto"};
  split.default_text = "none";
  t.add("launch", k::mapping, "how it is launched", need::required);
  t.add("launch.grid", k::size, "work-item", {1, u32_max}, "size of the grid; or a mapping with `workgroups`",
        need::required);
  t.add("launch.grid.workgroups", k::size, "workgroup", {1, u32_max}, "size of the grid in workgroups");
  t.add("launch.workgroup", k::size, "work-item", {1, 1024}, "size of a workgroup, at most 1024 in all",
        need::required);
  t.add("launch.dynamic_lds", k::integer, "byte", {0, 65536}, "LDS of a workgroup beyond the kernel's own")
      .default_text = std::to_string(launch_config{}.dynamic_lds);
  t.add("launch.dynamic_stack", k::integer, "byte", {0, 1 << 20},
        "stack of a work-item, where the kernel cannot say how much it needs (recursion, function pointers)")
      .default_text = std::to_string(launch_config{}.dynamic_stack);
}

void add_arguments(table& t) {
  using k = field_kind;
  t.add("arguments", k::list,
        "the kernel's parameters in order: scalars (value), buffers (count, init), structures (bytes)")
      .default_text = "[]";
  t.add("arguments.*.name", k::text, "an identifier, for `expect`, expressions and messages", need::required);
  t.add("arguments.*.type", k::choice, "of the scalar, or of the buffer's elements").choices = element_type_names();
  t.add("arguments.*.value", k::number, "of a scalar");
  t.add("arguments.*.bytes", k::text,
        "a structure passed by value: 0x and two hexadecimal digits per byte, in memory order");
  t.add("arguments.*.count", k::integer, "element", {1, most_elements},
        "of a buffer; may be left out where init is a file or values");
  t.add("arguments.*.init", k::mapping, "a buffer's contents: one of the following, or `none` for poison")
      .default_text = "none";
  t.add("arguments.*.init.constant", k::number, "every element");
  t.add("arguments.*.init.ramp", k::mapping, "element k is start + step * k");
  t.add("arguments.*.init.ramp.start", k::number, "first element").default_text = text(ramp_init{}.start.real);
  t.add("arguments.*.init.ramp.step", k::number, "difference between neighbours").default_text =
      text(ramp_init{}.step.real);
  t.add("arguments.*.init.random", k::mapping, "uniform random numbers, the same on every host");
  t.add("arguments.*.init.random.seed", k::integer, "", {0, u64_max}, "of the sequence").default_text =
      std::to_string(random_init{}.seed);
  t.add("arguments.*.init.random.min", k::number, "smallest").default_text = text(random_init{}.min.real);
  t.add("arguments.*.init.random.max", k::number, "largest (integers), or what all are below (reals)").default_text =
      text(random_init{}.max.real);
  t.add("arguments.*.init.file", k::file, "raw little-endian elements");
  t.add("arguments.*.init.values", k::numbers, "one per element");
}

void add_expect(table& t) {
  using k = field_kind;
  t.add("expect", k::mapping, "by buffer: what it must hold after the run").default_text = "{}";
  t.add("expect.*.constant", k::number, "every element");
  t.add("expect.*.values", k::numbers, "one per element");
  t.add("expect.*.file", k::file, "raw little-endian elements");
  t.add("expect.*.expression", k::text, "of the arguments' initial contents, element by element; i is the index");
  t.add("expect.*.first", k::integer, "element", {0, most_elements}, "first element to check").default_text =
      std::to_string(expect_config{}.first);
  t.add("expect.*.count", k::integer, "element", {1, most_elements}, "elements to check").default_text = "the rest";
  t.add("expect.*.tolerance", k::mapping, "an element passes if it meets any of the following");
  t.add("expect.*.tolerance.absolute", k::real, "largest difference").default_text = text(tolerance_config{}.absolute);
  t.add("expect.*.tolerance.relative", k::real, "largest difference per expected magnitude").default_text =
      text(tolerance_config{}.relative);
  t.add("expect.*.tolerance.ulp", k::integer, "", {0, int128{1} << 62}, "largest distance in representable numbers")
      .default_text = std::to_string(tolerance_config{}.ulp);
}

void add_wcet(table& t) {
  using k = field_kind;
  t.add("wcet", k::mapping, "for `pwsvp wcet`; a run does not need it").default_text = "{}";
  field& times =
      t.add("wcet.block_times", k::choice,
            "static: from the machine's constants, a guarantee; measured: the longest of a run, an estimate");
  times.choices = {"static", "measured"};
  times.default_text = "static";
  t.add("wcet.runs", k::integer, "run", {1, 10000},
        "measured: runs whose longest block times count, the k-th with the seeds of random buffers plus k")
      .default_text = std::to_string(wcet_config{}.runs);
  t.add("wcet.loops", k::list, "bounds of loops that have no PWS_LOOP_BOUND").default_text = "[]";
  t.add("wcet.loops.*.bound", k::integer, "iteration", {0, int128{1} << 32}, "at most, each time the loop is reached",
        need::required);
  t.add("wcet.loops.*.line", k::integer, "", {1, u32_max}, "of the loop statement in the source; or label, or offset");
  t.add("wcet.loops.*.file", k::text, "end of the source's path, if the line is not enough");
  t.add("wcet.loops.*.label", k::text,
        "in the assembly: what follows it is executed `bound` times at most each time the "
        "innermost loop around it is entered");
  t.add("wcet.loops.*.offset", k::integer, "byte", {0, u32_max},
        "of an instruction, from the kernel's entry on (pwsvp disasm), for which the same holds");
  t.add("wcet.loops.*.kernel", k::text, "whose loop it is; in a program's configuration a bound by offset needs it");
}

}  // namespace

const std::vector<field>& run_fields() {
  static const std::vector<field> rows = [] {
    table t;
    add_program_and_launch(t);
    add_arguments(t);
    add_expect(t);
    add_wcet(t);
    return t.rows;
  }();
  return rows;
}

const field& run_field(std::string_view path) {
  for (const field& f : run_fields()) {
    if (f.path == path) return f;
  }
  std::fprintf(stderr, "run_field: no field %.*s\n", static_cast<int>(path.size()), path.data());
  std::abort();
}

}  // namespace pws::platform
