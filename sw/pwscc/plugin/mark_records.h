// SPDX-License-Identifier: Apache-2.0
// The records that pws.h makes of marks, as the compiler's plugin sees them: structures of kind, line, number (or
// bound) and file, which sw/pwscc/source_mark.cpp reads from the assembly.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include <cstdint>

#include "sw/pwscc/source_mark.h"

namespace pws::pwscc {

enum class record_field : unsigned { kind = 0, number = 2 };

inline bool is_record(const llvm::GlobalVariable& g) {
  return g.getSection() == ".pws.marks" && g.hasInitializer() && llvm::isa<llvm::ConstantStruct>(g.getInitializer());
}
inline uint64_t value_in(const llvm::GlobalVariable& record, record_field field) {
  const auto* n =
      llvm::dyn_cast<llvm::ConstantInt>(record.getInitializer()->getAggregateElement(static_cast<unsigned>(field)));
  return n != nullptr ? n->getZExtValue() : 0;
}
inline void set_value(llvm::GlobalVariable& record, record_field field, uint64_t value) {
  auto* all = llvm::cast<llvm::ConstantStruct>(record.getInitializer());
  llvm::SmallVector<llvm::Constant*, 4> fields;
  for (unsigned k = 0; k < all->getNumOperands(); ++k) fields.push_back(all->getOperand(k));
  llvm::Constant*& changed = fields[static_cast<unsigned>(field)];
  changed = llvm::ConstantInt::get(changed->getType(), value);
  record.setInitializer(llvm::ConstantStruct::get(all->getType(), fields));
}

}  // namespace pws::pwscc
