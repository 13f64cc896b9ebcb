#include "models/divergence/divergence_scheme.h"

#include "models/divergence/mode_bit_splitting.h"
#include "models/divergence/no_splitting.h"
#include "models/divergence/split_tree.h"

namespace pws::models {

std::unique_ptr<divergence_scheme> make_divergence_scheme(const machine_config& c, context_map& contexts) {
  switch (c.divergence) {
    case divergence_kind::none:
      break;
    case divergence_kind::pws:
      return std::make_unique<split_tree>(c, contexts, std::make_unique<spsimd_pool>(contexts));
    case divergence_kind::pws_mode:
      return std::make_unique<mode_bit_splitting>(c, contexts);
    case divergence_kind::dws:
      return std::make_unique<dynamic_subdivision>(c, contexts);
  }
  return std::make_unique<no_splitting>(c);
}

}  // namespace pws::models
