// SPDX-License-Identifier: Apache-2.0
// What LLVM 15 to 19 (cmake/llvm.cmake) call differently and the plugins use. Nothing else here asks for the version.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

namespace pws::pwscc {

inline bool ends_with(llvm::StringRef text, llvm::StringRef end) {
#if LLVM_VERSION_MAJOR < 16
  return text.endswith(end);
#else
  return text.ends_with(end);
#endif
}

// A loop in front of the memmove, which stays. False: none can be made, since its pointers cannot be compared.
inline bool expand_as_loop(llvm::MemMoveInst* move, const llvm::TargetTransformInfo& target) {
#if LLVM_VERSION_MAJOR < 17
  (void)target;
  llvm::expandMemMoveAsLoop(move);
  return true;
#else
  return llvm::expandMemMoveAsLoop(move, target);
#endif
}

}  // namespace pws::pwscc
