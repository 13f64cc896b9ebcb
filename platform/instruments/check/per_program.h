// SPDX-License-Identifier: Apache-2.0
// What a check knows of each program that runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/isa/code/program.h"
#include "models/isa/inst.h"

namespace pws::platform {

// A T for each program, made of it when it is first asked for. Programs may go; what is known of them stays.
template <class T>
class per_program {
 public:
  T& of(const isa::program& code) {
    if (last_ == nullptr || last_->number != code.number()) last_ = &find(code);
    return last_->known;
  }

 private:
  struct entry {
    explicit entry(const isa::program& of) : number(of.number()), known(of) {}
    uint64_t number;
    T known;
  };
  entry& find(const isa::program& code) {
    const auto there =
        std::find_if(all_.begin(), all_.end(), [&](const auto& e) { return e->number == code.number(); });
    if (there != all_.end()) return **there;
    return *all_.emplace_back(std::make_unique<entry>(code));
  }

  std::vector<std::unique_ptr<entry>> all_;
  entry* last_ = nullptr;  // the one used last
};

}  // namespace pws::platform
