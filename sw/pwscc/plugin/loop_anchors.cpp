// SPDX-License-Identifier: Apache-2.0
// A pass of clang's: turns the marks of pws.h into anchors in the machine code (anchor_text.h has their form and
// docs/wcet.md the argument). It runs first of all passes, where every loop of the source is a natural loop of its own,
// and is loaded by pwscc with -fpass-plugin.
//
// An anchor is inline assembly that emits nothing. As a volatile asm it is executed as often as the source says,
// whatever the optimiser does to the code around it; unlike one that is written in the source it is said to touch no
// memory that the program knows of, to return, and to be no convergent operation, so that loads are hoisted over it and
// loops with it unrolled as if it was not there.
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <string>
#include <vector>

#include "sw/pwscc/anchor_text.h"
#include "sw/pwscc/plugin/branch_anchors.h"
#include "sw/pwscc/plugin/branch_names.h"
#include "sw/pwscc/plugin/llvm_compatibility.h"

namespace {

using namespace llvm;
using pws::pwscc::loop_anchor;

// Arguments of __pws_loop_bound, as pws.h has them.
enum mark_argument : unsigned { bound_argument, line_argument, file_argument };

GlobalVariable* variable_argument(const CallInst& call, unsigned k) {
  return dyn_cast<GlobalVariable>(call.getArgOperand(k)->stripPointerCasts());
}
// The string that the mark's argument points to.
std::string text_argument(const CallInst& call, unsigned k) {
  const GlobalVariable* variable = variable_argument(call, k);
  const auto* data = variable != nullptr && variable->hasInitializer()
                         ? dyn_cast<ConstantDataSequential>(variable->getInitializer())
                         : nullptr;
  return data != nullptr && data->isCString() ? data->getAsCString().str() : "";
}
uint64_t number_argument(const CallInst& call, unsigned k) {
  const auto* n = dyn_cast<ConstantInt>(call.getArgOperand(k));
  return n != nullptr ? n->getZExtValue() : 0;
}

void put_anchor(Instruction* before, const loop_anchor& anchor) {
  pws::pwscc::put_anchor(before, pws::pwscc::text_of(anchor));
}

// What the latches' llvm.loop metadata say: the loop statements that they go back to. A goto's says nothing.
struct statement {
  std::string file;
  unsigned line = 0;  // 0: unknown
};
statement statement_of(const MDNode* loop_id) {
  if (loop_id == nullptr) return {};
  for (unsigned k = 1; k < loop_id->getNumOperands(); ++k)
    if (const auto* place = dyn_cast_or_null<DILocation>(loop_id->getOperand(k)))
      return {place->getFilename().str(), place->getLine()};
  return {};
}

SmallVector<BasicBlock*, 4> latches_of(const Loop& loop) {
  SmallVector<BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  return latches;
}
const MDNode* loop_id_of(const BasicBlock* latch) {
  return latch->getTerminator()->getMetadata(LLVMContext::MD_loop);
}
// A continue out of the scope of variables goes back by a switch, which has none. (A goto has none either, but does not
// go back to a loop statement's header: its label is a block of its own in front of it.)
const MDNode* loop_id_of(const Loop& loop) {
  for (const BasicBlock* latch : latches_of(loop))
    if (const MDNode* id = loop_id_of(latch); id != nullptr) return id;
  return nullptr;
}

// A bound that is stated outside of the source, for the loop statement at a line.
struct stated_bound {
  std::string file;  // its end; empty: any
  unsigned line = 0;
  uint64_t bound = 0;
  bool used = false;

  bool covers(const statement& s) const {
    return s.line == line && (file.empty() || s.file == file || pws::pwscc::ends_with(s.file, "/" + file));
  }
};

class function_anchors {
 public:
  function_anchors(Function& function, std::vector<CallInst*> marks, std::vector<stated_bound>& stated,
                   uint32_t& next_id)
      : marks_(std::move(marks)), stated_(stated), dominators_(function), loops_(dominators_), next_id_(next_id) {}

  void run() {
    for (CallInst* mark : marks_) choose(mark);
    // Outer loops come before the loops in them.
    for (Loop* loop : loops_.getLoopsInPreorder())
      if (chosen_.count(loop) != 0 || stated_for(*loop) != nullptr) ids_[loop] = next_id_++;
    for (const auto& [loop, id] : ids_) anchor(*loop);
    for (CallInst* mark : missed_) put_missed(*mark, false);
    for (CallInst* mark : entered_behind_) put_missed(*mark, true);
    for (CallInst* mark : marks_) mark->eraseFromParent();
  }

 private:
  // A mark is its loop's if every iteration passes it. Of several, the first one is. What is left stands where not
  // every iteration comes by, or in a loop statement that never goes back; pwscc tells them apart by the source.
  void choose(CallInst* mark) {
    Loop* loop = loops_.getLoopFor(mark->getParent());
    if (loop == nullptr) {
      if (goes_round(mark->getParent())) entered_behind_.push_back(mark);
      return;
    }
    for (const BasicBlock* latch : latches_of(*loop))
      if (!dominators_.dominates(mark->getParent(), latch)) {
        missed_.push_back(mark);
        return;
      }
    CallInst*& of_loop = chosen_[loop];
    if (of_loop != nullptr) missed_.push_back(dominators_.dominates(mark, of_loop) ? of_loop : mark);
    if (of_loop == nullptr || dominators_.dominates(mark, of_loop)) of_loop = mark;
  }

  // In a cycle that is no natural loop: one with two entries.
  bool goes_round(const BasicBlock* block) const {
    return any_of(successors(block),
                  [&](const BasicBlock* s) { return isPotentiallyReachable(s, block, nullptr, &dominators_); });
  }

  stated_bound* stated_for(const Loop& loop) {
    const statement s = statement_of(loop_id_of(loop));
    for (stated_bound& b : stated_)
      if (b.covers(s)) return &b;
    return nullptr;
  }

  void anchor(Loop& loop) {
    const SmallVector<BasicBlock*, 4> latches = latches_of(loop);
    const MDNode* loop_id = loop_id_of(loop);
    const statement s = statement_of(loop_id);
    loop_anchor a;
    a.id = ids_[&loop];
    a.statement_line = s.line;
    for (const BasicBlock* latch : latches) {
      if (loop_id_of(latch) == loop_id || loop_id_of(latch) == nullptr) continue;
      a.shared = true;
      a.other_line = statement_of(loop_id_of(latch)).line;
    }
    const auto mark = chosen_.find(&loop);
    if (mark != chosen_.end()) {
      a.bound = number_argument(*mark->second, bound_argument);
      a.line = static_cast<uint32_t>(number_argument(*mark->second, line_argument));
      a.file = text_argument(*mark->second, file_argument);
    }
    if (stated_bound* b = stated_for(loop); b != nullptr) {
      b->used = true;
      a.bound = b->bound;
      a.line = 0;
      a.file = s.file;
    }
    for (Loop* p = loop.getParentLoop(); p != nullptr && a.parent == 0; p = p->getParentLoop())
      if (const auto found = ids_.find(p); found != ids_.end()) a.parent = found->second;
    a.directly = a.parent != 0 && ids_.count(loop.getParentLoop()) != 0;
    a.what = loop_anchor::kind::iterate;
    if (mark != chosen_.end())
      put_anchor(mark->second, a);
    else  // where iterations end: each of them does, but for one that leaves the loop
      for (BasicBlock* latch : latches) put_anchor(latch->getTerminator(), a);
    a.what = loop_anchor::kind::enter;
    put_anchor(place_of_entry(loop), a);
  }

  void put_missed(CallInst& mark, bool entered_behind) {
    loop_anchor a;
    a.what = loop_anchor::kind::missed;
    a.id = next_id_++;
    a.bound = number_argument(mark, bound_argument);
    a.line = static_cast<uint32_t>(number_argument(mark, line_argument));
    a.file = text_argument(mark, file_argument);
    a.entered_behind = entered_behind;
    if (const Loop* loop = loops_.getLoopFor(mark.getParent()); loop != nullptr)
      a.statement_line = statement_of(loop_id_of(*loop)).line;
    put_anchor(&mark, a);
  }

  // The end of the one block that leads into the loop.
  Instruction* place_of_entry(Loop& loop) {
    if (BasicBlock* preheader = loop.getLoopPreheader(); preheader != nullptr) return preheader->getTerminator();
    SmallVector<BasicBlock*, 4> outside;
    for (BasicBlock* p : predecessors(loop.getHeader()))
      if (!loop.contains(p)) outside.push_back(p);
    BasicBlock* entry = SplitBlockPredecessors(loop.getHeader(), outside, ".pws", &dominators_, &loops_);
    return entry->getTerminator();
  }

  std::vector<CallInst*> marks_;
  std::vector<stated_bound>& stated_;
  DominatorTree dominators_;
  LoopInfo loops_;
  uint32_t& next_id_;
  MapVector<Loop*, CallInst*> chosen_;
  std::vector<CallInst*> missed_, entered_behind_;
  MapVector<Loop*, uint32_t> ids_;
};

// What pwscc states: "LINE BOUND FILE" in lines of the string __pws_stated_bounds, which goes.
std::vector<stated_bound> take_stated(Module& module) {
  std::vector<stated_bound> out;
  GlobalVariable* variable = module.getGlobalVariable("__pws_stated_bounds", true);
  if (variable == nullptr || !variable->hasInitializer()) return out;
  if (const auto* data = dyn_cast<ConstantDataSequential>(variable->getInitializer()); data && data->isCString()) {
    SmallVector<StringRef, 8> lines;
    data->getAsCString().split(lines, '\n', -1, false);
    for (const StringRef text : lines) {
      stated_bound b;
      const auto [line, rest] = text.split(' ');
      const auto [bound, file] = rest.split(' ');
      if (line.getAsInteger(10, b.line) || bound.getAsInteger(10, b.bound)) continue;
      b.file = file.str();
      out.push_back(b);
    }
  }
  // The frontend keeps every external variable of the device alive.
  SmallVector<GlobalValue*, 8> kept;
  if (GlobalVariable* list = collectUsedGlobalVariables(module, kept, true)) {
    list->eraseFromParent();
    erase_if(kept, [&](const GlobalValue* v) { return v == variable; });
    appendToCompilerUsed(module, kept);
  }
  variable->removeDeadConstantUsers();
  if (variable->use_empty()) variable->eraseFromParent();
  return out;
}

// The names of files that only marks had. Without optimisation nothing else takes them out of the kernel's memory.
void remove_unused(const SmallSetVector<GlobalVariable*, 8>& names) {
  for (GlobalVariable* name : names) {
    name->removeDeadConstantUsers();
    if (name->hasLocalLinkage() && name->use_empty()) name->eraseFromParent();
  }
}

class loop_anchors_pass : public PassInfoMixin<loop_anchors_pass> {
 public:
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    const bool had_splits = pws::pwscc::name_branches(module);
    std::vector<stated_bound> stated = take_stated(module);
    Function* mark = module.getFunction("__pws_loop_bound");  // as in pws.h
    if (mark == nullptr && stated.empty()) return had_splits ? PreservedAnalyses::none() : PreservedAnalyses::all();
    MapVector<Function*, std::vector<CallInst*>> by_function;
    SmallSetVector<GlobalVariable*, 8> file_names;
    for (Function& f : module) {
      if (f.isDeclaration()) continue;
      for (Instruction& i : instructions(f))
        if (auto* call = dyn_cast<CallInst>(&i);
            call != nullptr && mark != nullptr && call->getCalledFunction() == mark) {
          by_function[&f].push_back(call);
          if (GlobalVariable* name = variable_argument(*call, file_argument); name != nullptr) file_names.insert(name);
        }
      if (!stated.empty()) by_function[&f];
    }
    uint32_t next_id = 1;
    for (auto& [function, marks] : by_function) function_anchors(*function, marks, stated, next_id).run();
    remove_unused(file_names);
    if (mark != nullptr && mark->use_empty()) mark->eraseFromParent();
    for (const stated_bound& b : stated)
      if (!b.used)
        module.getContext().emitError("no loop statement begins at " + (b.file.empty() ? "line" : b.file + " line") +
                                      " " + Twine(b.line) + ", where a bound is stated");
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }  // of functions with optnone too
};

class branch_anchors_pass : public PassInfoMixin<branch_anchors_pass> {
 public:
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    return pws::pwscc::anchor_branches(module) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "pws-loop-anchors", "1", [](PassBuilder& builder) {
            builder.registerPipelineStartEPCallback(
                [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(loop_anchors_pass()); });
            builder.registerOptimizerLastEPCallback(
                [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(branch_anchors_pass()); });
          }};
}
