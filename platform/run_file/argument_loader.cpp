#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "platform/config/text.h"
#include "platform/run_file/run_loader.h"
#include "platform/run_file/run_schema.h"

namespace pws::platform {

namespace {

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && name.size() <= 64 && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || digit(c); });
}

init_number as_number(element_type type, uint64_t bits) {
  if (is_real(type)) return {real_value(type, bits), 0};
  return {0, static_cast<uint64_t>(integer_value(type, bits))};
}

class argument_reader {
 public:
  argument_reader(const yaml_node& node, std::string path, reader& read)
      : node_(node), path_(std::move(path)), read_(read) {}

  // What the keys say: a scalar, a buffer or a structure.
  bool value(argument_config& argument) {
    read_.keys(node_, path_, keys_below(run_fields(), "arguments.*"));
    const bool scalar = node_.find("value") != nullptr, bytes = node_.find("bytes") != nullptr;
    const bool buffer = node_.find("count") != nullptr || node_.find("init") != nullptr;
    if (!scalar && !bytes && !buffer) {
      read_.issue(node_.where, path_, "needs value (a scalar), count or init (a buffer) or bytes (a structure)");
      return false;
    }
    if (scalar + bytes + buffer > 1) {
      read_.issue(node_.where, path_,
                  "is one of: a scalar (value), a buffer (count, init), a structure (bytes); this mixes them");
      return false;
    }
    if (bytes) return structure(argument);
    const yaml_node* type_node = read_.required(node_, path_, "type");
    const auto index =
        type_node != nullptr ? read_.choice(*type_node, path_ + ".type", run_field("arguments.*.type")) : std::nullopt;
    if (!index) return false;
    const auto type = static_cast<element_type>(*index);
    if (buffer) return buffer_value(argument, type);
    const auto bits = read_.element(*node_.find("value"), path_ + ".value", type);
    argument.value = scalar_argument{type, bits.value_or(0)};
    return bits.has_value();
  }

 private:
  bool structure(argument_config& argument) {
    constexpr size_t most = 4096;  // a kernel's argument segment is not larger
    const yaml_node& node = *node_.find("bytes");
    const std::string path = path_ + ".bytes";
    if (const yaml_node* type = node_.find("type")) {
      read_.issue(type->where, path_ + ".type", "a structure given as bytes has no type");
      return false;
    }
    const auto text = read_.text(node, path);
    if (!text) return false;
    const bool digits = text->find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos;
    if (text->rfind("0x", 0) != 0 || !digits || text->size() < 4 || text->size() % 2 != 0) {
      read_.issue(node.where, path, "expected 0x and two hexadecimal digits per byte, got " + in_quotes(*text));
      return false;
    }
    bytes_argument value;
    for (size_t k = 2; k < text->size(); k += 2)
      value.bytes.push_back(static_cast<uint8_t>(std::stoi(text->substr(k, 2), nullptr, 16)));
    if (value.bytes.size() > most) {
      read_.issue(node.where, path, fmt::format("{} bytes; a kernel takes at most {}", value.bytes.size(), most));
      return false;
    }
    argument.value = std::move(value);
    return true;
  }

  bool buffer_value(argument_config& argument, element_type type) {
    buffer_argument buffer;
    buffer.type = type;
    bool good = true;
    std::optional<uint64_t> given;
    if (const yaml_node* count = node_.find("count")) {
      given = read_.integer(*count, path_ + ".count", run_field("arguments.*.count"));
      good = given.has_value();
    }
    std::optional<uint64_t> implied;
    if (const yaml_node* init_node = node_.find("init")) good = init(*init_node, type, buffer.init, implied) && good;
    if (!good) return false;
    if (given && implied && *given != *implied) {
      read_.issue(node_.find("count")->where, path_ + ".count",
                  fmt::format("count is {}, and init gives {} elements", *given, *implied));
      return false;
    }
    if (!given && !implied) {
      read_.issue(node_.where, path_ + ".count", "this key is required and missing");
      return false;
    }
    buffer.count = given ? *given : *implied;
    if (buffer.count == 0) {
      read_.issue(node_.where, path_, "the buffer has no elements");
      return false;
    }
    argument.value = std::move(buffer);
    return true;
  }

  bool init(const yaml_node& node, element_type type, buffer_init& result, std::optional<uint64_t>& count) {
    const std::string path = path_ + ".init";
    if (node.is_scalar() && node.text == "none") return true;
    if (!node.is_mapping()) {
      read_.issue(node.where, path, "expected none or a mapping, got " + node.describe());
      return false;
    }
    const std::vector<std::string> kinds = keys_below(run_fields(), "arguments.*.init");
    read_.keys(node, path, kinds);
    const yaml_entry* chosen = one_of(node, path, kinds, read_);
    if (chosen == nullptr) return false;
    const std::string chosen_path = path + "." + chosen->key;
    const yaml_node& value = chosen->value;
    if (chosen->key == "ramp") return ramp(value, chosen_path, type, result);
    if (chosen->key == "random") return random(value, chosen_path, type, result);
    if (chosen->key == "constant") {
      const auto bits = read_.element(value, chosen_path, type);
      result = constant_init{bits.value_or(0)};
      return bits.has_value();
    }
    if (chosen->key == "values") {
      auto bits = read_.elements(value, chosen_path, type);
      if (!bits) return false;
      count = bits->size();
      result = values_init{std::move(*bits)};
      return true;
    }
    const auto file = read_.file(value, chosen_path);
    if (!file) return false;
    count = elements_in_file(value, chosen_path, *file, type, read_);
    result = file_init{*file};
    return count.has_value();
  }

  // `key` of `node` as a number of `type`; keeps `number` where the key is left out.
  bool optional_number(const yaml_node& node, const std::string& path, const char* key, element_type type,
                       init_number& number) {
    const yaml_node* value = node.find(key);
    if (value == nullptr) return true;
    const auto bits = read_.element(*value, path_join(path, key), type);
    if (bits) number = as_number(type, *bits);
    return bits.has_value();
  }

  bool ramp(const yaml_node& node, const std::string& path, element_type type, buffer_init& result) {
    if (!read_.mapping(node, path)) return false;
    read_.keys(node, path, keys_below(run_fields(), "arguments.*.init.ramp"));
    ramp_init r;
    const bool start = optional_number(node, path, "start", type, r.start);
    // Downwards is a sensible direction for unsigned elements too; f16 and f32 steps need not be representable.
    const bool down = !is_real(type) && node.find("step") != nullptr && node.find("step")->text.rfind('-', 0) == 0;
    const bool step = optional_number(node, path, "step",
                                      is_real(type) ? element_type::f64
                                      : down        ? element_type::i64
                                                    : type,
                                      r.step);
    result = r;
    return start && step;
  }

  bool random(const yaml_node& node, const std::string& path, element_type type, buffer_init& result) {
    if (!read_.mapping(node, path)) return false;
    read_.keys(node, path, keys_below(run_fields(), "arguments.*.init.random"));
    random_init r;
    bool good = true;
    if (const yaml_node* seed = node.find("seed")) {
      const auto value = read_.integer(*seed, path + ".seed", run_field("arguments.*.init.random.seed"));
      good = value.has_value();
      r.seed = value.value_or(0);
    }
    good = optional_number(node, path, "min", type, r.min) && good;
    good = optional_number(node, path, "max", type, r.max) && good;
    if (!good) return false;
    const bool finite = std::isfinite(r.min.real) && std::isfinite(r.max.real);
    const auto value = [type](const init_number& n) {
      return integer_value(type, bits_of_integer(type, static_cast<int128>(n.integer)));
    };
    const bool ordered = is_real(type) ? r.min.real <= r.max.real : value(r.min) <= value(r.max);
    if (!finite || !ordered) {
      read_.issue(node.where, path, finite ? "min is greater than max" : "min and max must be finite");
      return false;
    }
    result = r;
    return true;
  }

  const yaml_node& node_;
  std::string path_;
  reader& read_;
};

// All buffers must fit the device's memory beside each other.
void check_memory(const yaml_node& node, const loading_run& run, reader& read) {
  if (!run.machine.known_good({"memory.dram.size_mib"})) return;
  const uint64_t memory = uint64_t{run.machine.config.memory.dram.size_mib} << 20;
  uint64_t total = 0;  // at most 2^10 * 2^39, so it cannot wrap
  for (const argument_config& argument : run.config.arguments) {
    if (argument.buffer() != nullptr) total += argument.buffer()->bytes();
  }
  if (total > memory) {
    read.issue(node.where, "arguments",
               fmt::format("the buffers take {} bytes, and the device has {} (machine.memory.dram.size_mib {})", total,
                           memory, run.machine.config.memory.dram.size_mib));
  }
}

}  // namespace

void read_arguments(const yaml_node& node, loading_run& run, reader& read) {
  constexpr size_t most = 1024;
  if (!read.list(node, "arguments")) return;
  if (node.items.size() > most) {
    read.issue(node.where, "arguments", fmt::format("{} arguments; at most {} are possible", node.items.size(), most));
    return;
  }
  std::map<std::string, int> lines;  // of the names so far
  for (size_t k = 0; k < node.items.size(); ++k) {
    const yaml_node& item = node.items[k];
    std::string path = "arguments." + std::to_string(k);
    if (!read.mapping(item, path)) continue;
    argument_config argument;
    argument.where = item.where;
    bool named = false;
    if (const yaml_node* name = read.required(item, path, "name")) {
      const bool word = name->is_scalar() && is_identifier(name->text);
      if (!word) {
        read.issue(
            name->where, path + ".name",
            "expected an identifier (a letter or _, then letters, digits, _; at most 64), got " + name->describe());
      } else if (const auto [first, fresh] = lines.emplace(name->text, name->where.line()); !fresh) {
        read.issue(name->where, path + ".name",
                   fmt::format("another argument is called {} already (line {})", name->text, first->second));
      } else {
        argument.name = name->text;
        path = "arguments." + name->text;
        named = true;
      }
    }
    if (argument_reader(item, path, read).value(argument)) {
      if (named) run.config.arguments.push_back(std::move(argument));
    } else if (named) {
      run.broken.insert(argument.name);
    }
  }
  check_memory(node, run, read);
}

}  // namespace pws::platform
