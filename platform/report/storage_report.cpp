#include "platform/report/storage_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "platform/json/quantity.h"

namespace pws::platform {

namespace {
nlohmann::ordered_json bits(uint64_t value) {
  return quantity(value, "bits of a wavefront");
}
}  // namespace

std::string text(const models::path_storage& s) {
  std::string t = fmt::format("stack {} x {} bits (paper: {}), scoreboards {} bits", s.entries, s.entry_bits,
                              s.paper_entry_bits, s.scoreboard_bits);
  if (s.shadow_bits != 0) t += fmt::format(", {:.1f} % of them shadow bits", 100 * s.shadow_share());
  if (s.table_bits != 0) t += fmt::format(", warp-split table {} bits", s.table_bits);
  return t + fmt::format(", scalar registers of paths that wait {} x {} bits", s.paths_kept, s.scalars_per_path);
}

nlohmann::ordered_json to_json(const models::path_storage& s) {
  nlohmann::ordered_json j = {{"stack_entries", s.entries},
                              {"stack_entry", quantity(s.entry_bits, "bits")},
                              {"stack_entry_of_paper", quantity(s.paper_entry_bits, "bits")},
                              {"stack", bits(s.stack_bits())},
                              {"stack_with_entries_of_paper", bits(s.paper_stack_bits())}};
  if (s.table_bits != 0) j["warp_split_table"] = bits(s.table_bits);
  j["scoreboards"] = bits(s.scoreboard_bits);
  j["shadow_bits"] = quantity(100 * s.shadow_share(), "% of the scoreboards");
  j["scalar_registers"] = bits(s.scalar_bits());
  return j;
}

}  // namespace pws::platform
