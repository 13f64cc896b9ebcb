// SPDX-License-Identifier: Apache-2.0
#include "models/machine/host_memory.h"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace pws::models {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t none = ~uint64_t{0};
enum class counted : uint8_t { all, left };

uint64_t sum(uint64_t a, uint64_t b) {
  return a > none - b ? none : a + b;
}
uint64_t rest(uint64_t limit, uint64_t used) {
  return limit > used ? limit - used : 0;
}

// The values of those names, added up, in a file of lines that begin with a name and a value; none: there is none.
uint64_t values(const fs::path& file, std::initializer_list<std::string_view> names) {
  std::ifstream in(file);
  std::optional<uint64_t> all;
  for (std::string name; in >> name;) {
    uint64_t value = 0;
    if (std::find(names.begin(), names.end(), name) != names.end() && in >> value) all = sum(all.value_or(0), value);
    std::getline(in, name);
  }
  return all.value_or(none);
}

// The number that a file has; none if it is not there or has a word ("max").
uint64_t number_in(const fs::path& file) {
  std::ifstream in(file);
  uint64_t value = 0;
  return in >> value ? value : none;
}

// What a group may have, or have more than it has.
struct group {
  std::string name;
  uint64_t memory = none, swap = none, both = none;
};

// `limit` without what is used; what the group's file caches hold counts as free. Its files are of the group and those
// below it.
uint64_t bytes_of(counted what, uint64_t limit, const fs::path& usage, uint64_t caches) {
  if (what == counted::all || limit == none) return limit;
  const uint64_t used = number_in(usage);
  return used == none ? limit : rest(limit, rest(used, caches == none ? 0 : caches));
}

// Documentation/admin-guide/cgroup-v2.rst of Linux
group second_version(const fs::path& folder, counted what) {
  group g;
  const uint64_t caches = values(folder / "memory.stat", {"inactive_file", "active_file"});
  g.memory = bytes_of(what, number_in(folder / "memory.max"), folder / "memory.current", caches);
  g.swap = bytes_of(what, number_in(folder / "memory.swap.max"), folder / "memory.swap.current", 0);
  return g;
}

// Documentation/admin-guide/cgroup-v1/memory.rst of Linux
group first_version(const fs::path& folder, counted what) {
  group g;
  const uint64_t caches = values(folder / "memory.stat", {"total_inactive_file", "total_active_file"});
  g.memory = bytes_of(what, number_in(folder / "memory.limit_in_bytes"), folder / "memory.usage_in_bytes", caches);
  g.both =
      bytes_of(what, number_in(folder / "memory.memsw.limit_in_bytes"), folder / "memory.memsw.usage_in_bytes", caches);
  return g;
}

// A tree of control groups that limits memory, where it can be seen.
struct hierarchy {
  bool second = false;  // version
  fs::path root;        // the group that the folder `at` is
  fs::path at;
};

// Words of mountinfo have blanks and backslashes as \ooo. (proc_pid_mountinfo(5))
std::string unescaped(const std::string& word) {
  std::string text;
  for (size_t k = 0; k < word.size(); ++k) {
    const auto is_digit = [&](size_t at) { return at < word.size() && word[at] >= '0' && word[at] <= '7'; };
    if (word[k] != '\\' || !is_digit(k + 1) || !is_digit(k + 2) || !is_digit(k + 3)) {
      text += word[k];
      continue;
    }
    text += static_cast<char>((word[k + 1] - '0') * 64 + (word[k + 2] - '0') * 8 + (word[k + 3] - '0'));
    k += 3;
  }
  return text;
}

bool lists(const std::string& words, std::string_view wanted) {
  std::istringstream in(words);
  for (std::string word; std::getline(in, word, ',');)
    if (word == wanted) return true;
  return false;
}

std::vector<hierarchy> hierarchies(const fs::path& root) {
  std::vector<hierarchy> all;
  std::ifstream in(root / "proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string skipped, group, at, type, options;
    words >> skipped >> skipped >> skipped >> group >> at;
    while (words >> skipped && skipped != "-") {
    }
    words >> type >> skipped >> options;
    const bool second = type == "cgroup2";
    if (second || (type == "cgroup" && lists(options, "memory")))
      all.push_back({second, unescaped(group), root / fs::path(unescaped(at)).relative_path()});
  }
  return all;
}

// `path` as seen from `root`, a group as well; nothing if it is not below it.
std::optional<fs::path> below(const fs::path& root, const fs::path& path) {
  const fs::path seen = path.lexically_relative(root);
  if (seen.empty() || *seen.begin() == "..") return std::nullopt;
  return seen == "." ? fs::path() : seen;
}

// From the process's own group up to the highest that can be seen. A group that is out of sight, as in a container
// whose tree is mounted from its own group on, is the one that is mounted.
void add_groups(std::vector<group>& groups, const hierarchy& h, const fs::path& path, counted what) {
  fs::path seen = below(h.root, path).value_or(fs::path());
  for (bool own = true;; own = false) {
    const fs::path folder = seen.empty() ? h.at : h.at / seen;
    // Version 1 has trees in which groups do not count for those above them.
    if (own || h.second || number_in(folder / "memory.use_hierarchy") != 0) {
      groups.push_back(h.second ? second_version(folder, what) : first_version(folder, what));
      groups.back().name = (h.root / seen).string();
    }
    if (seen.empty()) return;
    seen = seen.parent_path();
  }
}

std::vector<group> groups_of_this_process(const fs::path& root, counted what) {
  std::vector<group> groups;
  const std::vector<hierarchy> seen = hierarchies(root);
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {  // number:controllers:path
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool version_2 = controllers.empty();
    if (!version_2 && !lists(controllers, "memory")) continue;
    const fs::path path = line.substr(second + 1);
    const hierarchy* best = nullptr;  // one that shows the group, if there is one
    for (const hierarchy& h : seen)
      if (h.second == version_2 && (best == nullptr || (!below(best->root, path) && below(h.root, path)))) best = &h;
    if (best != nullptr) add_groups(groups, *best, path, what);
  }
  return groups;
}

host_bytes of_host(const fs::path& root, counted what, uint64_t memory, uint64_t swap) {
  const std::vector<group> groups = groups_of_this_process(root, what);
  if (swap == none) swap = 0;
  for (const group& g : groups) swap = std::min(swap, g.swap);
  host_bytes least{sum(memory, swap), ""};
  for (const group& g : groups) {
    const uint64_t bytes = std::min(g.both, sum(g.memory, swap));
    if (bytes < least.bytes) least = {bytes, "the memory limit of control group " + g.name};
  }
  return least;
}

// A field "Name:  12 kB"; none if it is not there.
uint64_t kib_of(const fs::path& file, std::string_view name) {
  const uint64_t kib = values(file, {name});
  return kib > none >> 10 ? none : kib << 10;
}

// The soft limit in proc/self/limits; none if there is none.
uint64_t limit_of_process(const fs::path& root, const std::string& name) {
  std::ifstream in(root / "proc/self/limits");
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, name.size(), name) != 0) continue;
    std::istringstream rest_of_line(line.substr(name.size()));
    uint64_t value = 0;
    return rest_of_line >> value ? value : none;
  }
  return none;
}

}  // namespace

std::string host_bytes::text() const {
  return within.empty() ? "" : " within " + within;
}

host_bytes host_memory(const fs::path& root) {
  const fs::path file = root / "proc/meminfo";
  return of_host(root, counted::all, kib_of(file, "MemTotal:"), kib_of(file, "SwapTotal:"));
}

host_bytes host_memory_left(uint64_t mapped, const fs::path& root) {
  const fs::path file = root / "proc/meminfo", own = root / "proc/self/status";
  host_bytes least = of_host(root, counted::left, kib_of(file, "MemAvailable:"), kib_of(file, "SwapFree:"));
  const auto limit = [&](uint64_t bytes, const char* within) {
    if (bytes < least.bytes) least = {bytes, within};
  };
  if (const uint64_t space = limit_of_process(root, "Max address space"); space != none) {
    const uint64_t left = rest(space, kib_of(own, "VmSize:"));
    limit(mapped < left ? left - mapped : left, "the limit of address space (RLIMIT_AS)");
  }
  if (const uint64_t data = limit_of_process(root, "Max data size"); data != none)
    limit(rest(data, kib_of(own, "VmData:")), "the limit of data (RLIMIT_DATA)");
  return least;
}

}  // namespace pws::models
