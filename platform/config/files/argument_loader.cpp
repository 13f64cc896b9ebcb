// SPDX-License-Identifier: Apache-2.0
// `arguments` of a run file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "models/machine/host_memory.h"
#include "platform/config/files/run_schema.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && name.size() <= 64 && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || digit(c); });
}

bool read_name(const value_at& v, loading_argument& to) {
  if (!v.node.is_scalar() || !is_identifier(v.node.text)) {
    v.issue("expected an identifier (a letter or _, then letters, digits, _; at most 64), got " + v.node.describe());
    return false;
  }
  if (const auto [first, fresh] = to.lines->emplace(v.node.text, v.node.where.line()); !fresh) {
    v.issue(fmt::format("another argument is called {} already (line {})", v.node.text, first->second));
    return false;
  }
  to.name = v.node.text;
  return true;
}

bool read_scalar(const value_at& v, loading_argument& to) {
  const auto bits = v.read.element(v.node, v.path, to.type);
  to.value = scalar_argument{to.type, bits.value_or(0)};
  return bits.has_value();
}

bool read_bytes(const value_at& v, loading_argument& to) {
  const auto text = v.read.text(v.node, v.path);
  if (!text) return false;
  const bool digits = text->find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos;
  if (text->rfind("0x", 0) != 0 || !digits || text->size() < 4 || text->size() % 2 != 0) {
    v.issue("expected 0x and two hexadecimal digits per byte, got " + in_quotes(*text));
    return false;
  }
  bytes_argument argument;
  for (size_t k = 2; k < text->size(); k += 2)
    argument.bytes.push_back(static_cast<uint8_t>(std::stoi(text->substr(k, 2), nullptr, 16)));
  if (argument.bytes.size() > most_structure_bytes) {
    v.issue(fmt::format("{} bytes; a kernel takes at most {}", argument.bytes.size(), most_structure_bytes));
    return false;
  }
  to.value = std::move(argument);
  return true;
}

bool read_fields(const value_at& v, loading_argument& to) {
  loading_structure structure;
  if (!read_structure(v, structure)) return false;
  bytes_argument argument;
  constexpr size_t shown = 24;
  for (size_t k = 0; k < std::min(shown, structure.fields.size()); ++k) {
    const loading_structure::field_place& f = structure.fields[k];
    argument.layout += fmt::format("{} {}{}, ", f.offset, f.name.empty() ? "" : f.name + ": ", f.contents);
  }
  if (structure.fields.size() > shown) argument.layout += "..., ";
  argument.layout += fmt::format("{} end, a multiple of {}", structure.bytes.size(), structure.align);
  argument.bytes = std::move(structure.bytes);
  to.pointers = std::move(structure.pointers);
  to.value = std::move(argument);
  return true;
}

// Ramps and random numbers of a buffer's type, while they are read.
struct loading_ramp : ramp_init {
  element_type type = element_type::i32;
};
struct loading_random : random_init {
  element_type type = element_type::i32;
};

bool read_number(const value_at& v, element_type type, init_number& to) {
  const auto bits = v.read.element(v.node, v.path, type);
  if (!bits) return false;
  to = is_real(type) ? init_number{real_value(type, *bits), 0}
                     : init_number{0, static_cast<uint64_t>(integer_value(type, *bits))};
  return true;
}

// Downwards is a sensible direction for unsigned elements too; f16 and f32 steps need not be representable.
bool read_step(const value_at& v, loading_ramp& to) {
  const bool down = !is_real(to.type) && v.node.text.rfind('-', 0) == 0;
  return read_number(v, is_real(to.type) ? element_type::f64 : down ? element_type::i64 : to.type, to.step);
}

template <class T>
auto& number(schema<T>& s, const char* name, init_number T::*place, const char* help) {
  return s
      .custom(name, field_kind::text, help,
              [place](const value_at& v, T& to) { return read_number(v, to.type, to.*place); })
      .type(number_of_type)
      .by_default(fmt::format("{}", (T{}.*place).real));
}

const schema<loading_ramp>& ramp_schema() {
  static const schema<loading_ramp> s([](schema<loading_ramp>& made) {
    number<loading_ramp>(made, "start", &loading_ramp::start, "first element");
    made.custom("step", field_kind::text, "difference between neighbours", read_step)
        .type(number_of_type)
        .by_default(fmt::format("{}", ramp_init{}.step.real));
  });
  return s;
}

const schema<loading_random>& random_schema() {
  static const schema<loading_random> s([](schema<loading_random>& made) {
    made.integer("seed", &random_init::seed, "", {0, UINT64_MAX}, "of the sequence");
    number<loading_random>(made, "min", &loading_random::min, "smallest");
    number<loading_random>(made, "max", &loading_random::max, "largest (integers), or what all are below (reals)");
  });
  return s;
}

bool read_ramp(const value_at& v, loading_argument& to) {
  loading_ramp ramp;
  ramp.type = to.type;
  const bool good = ramp_schema().read(v.node, v.path, ramp, v.read);
  to.init = static_cast<const ramp_init&>(ramp);
  return good;
}

bool read_random(const value_at& v, loading_argument& to) {
  loading_random r;
  r.type = to.type;
  if (!random_schema().read(v.node, v.path, r, v.read)) return false;
  const bool finite = std::isfinite(r.min.real) && std::isfinite(r.max.real);
  const auto value = [&r](const init_number& n) {
    return integer_value(r.type, bits_of_integer(r.type, static_cast<int128>(n.integer)));
  };
  const bool ordered = is_real(r.type) ? r.min.real <= r.max.real : value(r.min) <= value(r.max);
  if (!finite || !ordered) {
    v.issue(finite ? "min is greater than max" : "min and max must be finite");
    return false;
  }
  to.init = static_cast<const random_init&>(r);
  return true;
}

bool read_argument_file(const value_at& v, loading_argument& to) {
  const auto file = v.read.file(v.node, v.path);
  if (!file) return false;
  to.implied_count = elements_in_file(v, *file, to.type);
  to.init = file_init{*file};
  return to.implied_count.has_value();
}

void fill_init(schema<loading_argument>& s) {
  using a = loading_argument;
  using k = field_kind;
  const auto& constant = s.custom("constant", k::text, "every element", [](const value_at& v, a& to) {
                            const auto bits = v.read.element(v.node, v.path, to.type);
                            to.init = constant_init{bits.value_or(0)};
                            return bits.has_value();
                          }).type(number_of_type);
  const auto& ramp = s.custom("ramp", k::mapping, "element k is start + step * k", read_ramp).lists("", ramp_schema());
  const auto& random = s.custom("random", k::mapping, "uniform random numbers, the same on every host", read_random)
                           .lists("", random_schema());
  const auto& file = s.custom("file", k::file, "raw little-endian elements", read_argument_file);
  const auto& values = s.custom("values", k::text_list, "one per element", [](const value_at& v, a& to) {
                          auto bits = v.read.elements(v.node, v.path, to.type);
                          if (!bits) return false;
                          to.implied_count = bits->size();
                          to.init = values_init{std::move(*bits)};
                          return true;
                        }).type(numbers_of_type);
  s.one_of({&constant, &ramp, &random, &file, &values});
}

bool read_init(const value_at& v, loading_argument& to) {
  if (v.node.is_scalar() && v.node.text == "none") return true;
  if (v.node.is_mapping()) return init_schema().read(v.node, v.path, to, v.read);
  v.issue("expected none or a mapping, got " + v.node.describe());
  return false;
}

// A scalar, a buffer or a structure: its keys say what it is.
class argument_reader {
 public:
  argument_reader(const yaml_node& node, std::string path, loading_argument& to, reader& read)
      : node_(node), path_(std::move(path)), to_(to), read_(read) {}

  bool all() {
    read_.keys(node_, path_, keys_.names());
    const bool scalar = given(keys_.value), bytes = given(keys_.bytes), fields = given(keys_.structure);
    const bool buffer = given(keys_.count) || given(keys_.init);
    if (!scalar && !bytes && !fields && !buffer)
      return refuse("needs value (a scalar), count or init (a buffer), struct or bytes (a structure)");
    if (scalar + bytes + fields + buffer > 1)
      return refuse(
          "is one of: a scalar (value), a buffer (count, init), a structure (struct or bytes); this mixes them");
    if (bytes || fields) {
      const yaml_node* type = keys_.type.in(node_);
      if (type == nullptr) return (bytes ? keys_.bytes : keys_.structure).read_from(node_, path_, to_, read_);
      read_.issue(type->where, path_join(path_, keys_.type.name()),
                  bytes ? "a structure given as bytes has no type" : "a structure has no type; its fields have");
      return false;
    }
    if (keys_.type.needed_in(node_, path_, read_) == nullptr) return false;
    if (!keys_.type.read_from(node_, path_, to_, read_)) return false;
    return buffer ? buffer_value() : keys_.value.read_from(node_, path_, to_, read_);
  }

 private:
  bool given(const schema_key& key) const { return key.in(node_) != nullptr; }

  bool refuse(const char* problem) {
    read_.issue(node_.where, path_, problem);
    return false;
  }

  bool buffer_value() {
    const bool counted = keys_.count.read_from(node_, path_, to_, read_);
    if (!keys_.init.read_from(node_, path_, to_, read_) || !counted) return false;
    const yaml_node* count = keys_.count.in(node_);
    const std::string path = path_join(path_, keys_.count.name());
    if (count != nullptr && to_.implied_count && to_.count != *to_.implied_count) {
      read_.issue(count->where, path,
                  fmt::format("count is {}, and init gives {} elements", to_.count, *to_.implied_count));
      return false;
    }
    if (count == nullptr && !to_.implied_count) return keys_.count.needed_in(node_, path_, read_) != nullptr;
    if (count == nullptr) to_.count = *to_.implied_count;
    if (to_.count == 0) return refuse("the buffer has no elements");
    to_.value = buffer_argument{to_.type, to_.count, std::move(to_.init)};
    return true;
  }

  const yaml_node& node_;
  const std::string path_;
  loading_argument& to_;
  reader& read_;
  const argument_schema& keys_ = argument_keys();
};

// The buffers that a structure points to, now that all arguments are known.
void find_buffers(const std::vector<loading_structure::pointer>& pointers, loading_run& run, bytes_argument& to,
                  reader& read) {
  const std::vector<argument_config>& all = run.config.arguments;
  for (const loading_structure::pointer& p : pointers) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&p](const argument_config& a) { return a.name == p.buffer; });
    if (found != all.end() && found->buffer() != nullptr) {
      to.pointers.push_back({p.offset, static_cast<size_t>(found - all.begin())});
      continue;
    }
    if (run.broken.count(p.buffer) != 0) continue;  // its own error is enough
    std::vector<std::string> known;
    for (const argument_config& a : all)
      if (a.buffer() != nullptr) known.push_back(a.name);
    read.issue(p.where, p.path,
               found != all.end() ? in_quotes(p.buffer) + " is no buffer; only buffers have an address"
                                  : "there is no argument " + in_quotes(p.buffer) + did_you_mean(p.buffer, known));
  }
}

// All buffers must fit the device's memory beside each other.
void check_memory(const value_at& v, const loading_run& run) {
  if (!run.machine.known_good({"memory.dram.size_mib"})) return;
  const uint64_t memory = uint64_t{run.machine.config.memory.dram.size_mib} << 20;
  uint64_t total = 0;  // at most 2^10 * 2^39, so it cannot wrap
  for (const argument_config& argument : run.config.arguments) {
    if (argument.buffer() != nullptr) total += argument.buffer()->bytes();
  }
  if (total > memory)
    v.issue(fmt::format("the buffers take {} bytes, and the device has {} (machine.memory.dram.size_mib {})", total,
                        memory, run.machine.config.memory.dram.size_mib));
  else if (const models::host_bytes host = models::host_memory(); total > host.bytes)
    v.issue(fmt::format("the buffers take {} bytes, and the host has {} with swap{}", total, host.bytes, host.text()));
}

}  // namespace

argument_schema::argument_schema()
    : name(custom("name", field_kind::text, "an identifier, for `expect`, expressions and messages", read_name)
               .required()),
      type(choice("type", &loading_argument::type, "of the scalar, or of the buffer's elements").by_default("")),
      value(custom("value", field_kind::text, "of a scalar", read_scalar).type(number_of_type)),
      structure(
          custom("struct", field_kind::list, "a structure passed by value: its fields, laid out as C does", read_fields)
              .by_default("")
              .lists("*.", field_schema())),
      bytes(custom("bytes", field_kind::text,
                   "the same byte by byte: 0x and two hexadecimal digits each, in memory order", read_bytes)),
      count(integer("count", &loading_argument::count, "element", {1, most_elements},
                    "of a buffer; may be left out where init is a file or values")
                .by_default("")),
      init(custom("init", field_kind::mapping, "a buffer's contents: one of the following, or `none` for poison",
                  read_init)
               .by_default("none")
               .lists("", init_schema())) {}

const argument_schema& argument_keys() {
  static const argument_schema s;
  return s;
}

const schema<loading_argument>& init_schema() {
  static const schema<loading_argument> s(fill_init);
  return s;
}

std::optional<uint64_t> elements_in_file(const value_at& v, const std::string& file, element_type type) {
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(file, error);
  if (error) {
    v.issue(file_in_quotes(file) + " has no size: " + error.message());
    return std::nullopt;
  }
  if (bytes % size_of(type) != 0) {
    v.issue(
        fmt::format("{} has {} bytes, not a whole number of {} elements", file_in_quotes(file), bytes, name_of(type)));
    return std::nullopt;
  }
  return bytes / size_of(type);
}

bool read_arguments(const value_at& v, loading_run& run) {
  constexpr size_t most = 1024;
  if (!v.read.list(v.node, v.path)) return false;
  if (v.node.items.size() > most) {
    v.issue(fmt::format("{} arguments; at most {} are possible", v.node.items.size(), most));
    return false;
  }
  std::map<std::string, int> lines;
  std::vector<std::pair<size_t, std::vector<loading_structure::pointer>>> pointers;  // by argument
  v.each_mapping([&](const value_at& item) {
    loading_argument argument;
    argument.where = item.node.where;
    argument.lines = &lines;
    const bool named = argument_keys().name.read_from(item.node, item.path, argument, item.read);
    const std::string path = named ? path_join(v.path, argument.name) : item.path;
    const bool good = argument_reader(item.node, path, argument, item.read).all();
    if (good && named) run.config.arguments.push_back(argument);
    if (good && named && !argument.pointers.empty())
      pointers.emplace_back(run.config.arguments.size() - 1, std::move(argument.pointers));
    if (!good && named) run.broken.insert(argument.name);
    return good && named;
  });
  for (const auto& [k, of_one] : pointers)
    find_buffers(of_one, run, std::get<bytes_argument>(run.config.arguments[k].value), v.read);
  check_memory(v, run);
  return true;
}

}  // namespace pws::platform
