// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/plugin/branch_names.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "sw/pwscc/plugin/mark_records.h"

namespace pws::pwscc {

namespace {

using namespace llvm;

bool has_choice(const BasicBlock* b) {
  return b->getTerminator()->getNumSuccessors() > 1;
}

// Finds the statement that follows a mark in what clang's frontend has written, where statements keep nothing in phi
// nodes: these are what &&, || and ?: choose.
class statement_namer {
 public:
  explicit statement_namer(Function& f) : dominators_(f), behind_(f), loops_(dominators_) {}

  // The number that the branch has then: of several marks in front of it, the first one's. 0: no branch follows.
  unsigned name(CallInst& mark, unsigned number) {
    number_ = number;
    const BasicBlock* block = mark.getParent();
    name(std::next(mark.getIterator()), mark.getParent()->end());
    while (const BasicBlock* next = behind(block)) {
      if (next == block) return number_at(*block->getTerminator());
      block = next;
      name(const_cast<BasicBlock*>(block)->begin(), const_cast<BasicBlock*>(block)->end());
    }
    return 0;
  }

 private:
  static unsigned number_at(const Instruction& i) { return i.getDebugLoc() ? i.getDebugLoc()->getDiscriminator() : 0; }

  // Where the condition goes on behind the block, or the block itself if its end is the statement's branch. Null: there
  // is no statement with a condition.
  const BasicBlock* behind(const BasicBlock* block) {
    if (!has_choice(block)) {
      const BasicBlock* next = block->getSingleSuccessor();
      if (next == nullptr || !dominators_.properlyDominates(block, next)) return nullptr;
      return condition_of_do(next);
    }
    const auto* node = behind_.getNode(const_cast<BasicBlock*>(block));
    const BasicBlock* meets = node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
    if (meets != nullptr && isa<PHINode>(meets->front())) {
      name_between(block, meets);
      return meets;
    }
    name_short_circuits(block);
    return block;
  }

  // The block with the condition of a do statement that begins there, else the same block.
  const BasicBlock* condition_of_do(const BasicBlock* header) const {
    const Loop* loop = loops_.getLoopFor(header);
    const BasicBlock* latch = loop != nullptr && loop->getHeader() == header ? loop->getLoopLatch() : nullptr;
    return latch != nullptr && latch != header && has_choice(latch) ? latch : header;
  }

  // What && and || evaluate further on: blocks that only this one leads to, and that may go where it may go.
  void name_short_circuits(const BasicBlock* block) {
    for (const BasicBlock* next : successors(block)) {
      if (next->getSinglePredecessor() != block || !has_choice(next)) continue;
      const bool shares =
          any_of(successors(next), [&](const BasicBlock* s) { return is_contained(successors(block), s); });
      if (!shares) continue;
      name(const_cast<BasicBlock*>(next)->begin(), const_cast<BasicBlock*>(next)->end());
      name_short_circuits(next);
    }
  }

  void name_between(const BasicBlock* from, const BasicBlock* to) {
    SmallVector<const BasicBlock*, 8> open(successors(from));
    SmallPtrSet<const BasicBlock*, 8> seen{to};
    while (!open.empty()) {
      const BasicBlock* b = open.pop_back_val();
      if (!seen.insert(b).second) continue;
      name(const_cast<BasicBlock*>(b)->begin(), const_cast<BasicBlock*>(b)->end());
      open.append(succ_begin(b), succ_end(b));
    }
  }

  // `end` is the block's. A call in a statement of an earlier line is none of the condition: what is inlined there
  // would be taken for a part of it.
  void name(BasicBlock::iterator first, BasicBlock::iterator end) {
    const BasicBlock* block = std::prev(end)->getParent();
    const DILocation* branch = has_choice(block) ? block->getTerminator()->getDebugLoc().get() : nullptr;
    for (; first != end; ++first) {
      const DILocation* at = first->getDebugLoc();
      if (at == nullptr || at->getDiscriminator() != 0) continue;
      if (isa<CallInst>(*first) && branch != nullptr && at->getLine() < branch->getLine()) continue;
      first->setDebugLoc(at->cloneWithDiscriminator(number_));
    }
  }

  DominatorTree dominators_;
  PostDominatorTree behind_;
  LoopInfo loops_;
  unsigned number_ = 0;
};

// The record that a mark points to.
GlobalVariable* record_of(const CallInst& mark) {
  auto* record = dyn_cast<GlobalVariable>(mark.getArgOperand(0)->stripPointerCasts());
  return record != nullptr && is_record(*record) ? record : nullptr;
}
// `number`: 0 where no branch follows.
void set_number(GlobalVariable& record, unsigned number) {
  if (number == 0)
    set_value(record, record_field::kind, static_cast<uint64_t>(mark_record::no_branch));
  else
    set_value(record, record_field::number, number);
}

}  // namespace

bool name_branches(Module& module) {
  Function* split = module.getFunction("__pws_split");  // as in pws.h
  if (split == nullptr) return false;
  for (Function& f : module) {
    SmallVector<CallInst*, 8> marks;
    for (BasicBlock& b : f)
      for (Instruction& i : b)
        if (auto* call = dyn_cast<CallInst>(&i); call != nullptr && call->getCalledFunction() == split)
          marks.push_back(call);
    if (marks.empty()) continue;
    statement_namer statements(f);
    for (CallInst* mark : marks) {
      GlobalVariable* record = record_of(*mark);
      if (record == nullptr) continue;
      const auto number = static_cast<unsigned>(value_in(*record, record_field::number));
      set_number(*record, statements.name(*mark, number));
    }
    for (CallInst* mark : marks) mark->eraseFromParent();
  }
  if (split->use_empty()) split->eraseFromParent();
  return true;
}

}  // namespace pws::pwscc
