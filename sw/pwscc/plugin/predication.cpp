// SPDX-License-Identifier: Apache-2.0
// A pass of clang's for --divergence: counts the structure of every function as the optimiser leaves it, and for `p`
// hides from the code generator that conditions are uniform, so that it predicates their branches too
// (docs/predication.md). pwscc loads it with -fpass-plugin; it runs last of the passes over LLVM's IR.
//
// Conditions of loops are hidden too, so that every loop has a mask of the work-items that are still in it, and ends
// when that is empty: under a condition that no work-item meets it then runs once, with nothing active, and ends. A
// loop that counts in scalar registers might not end at all.
//
// A condition is hidden by sending an operand of its compare through an empty inline assembly that returns a vector
// register: the code generator takes what comes out for different in every work-item. That costs a v_mov_b32, or two.
#include <llvm/Analysis/DominanceFrontier.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/RegionInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BypassSlowDivision.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include "sw/pwscc/plugin/llvm_compatibility.h"

namespace {

using namespace llvm;

cl::opt<bool> hide("pws-hide-uniformity", cl::desc("predicate branches on uniform conditions too"));
cl::opt<std::string> structure_file("pws-structure-file", cl::desc("where the structure of each function is written"));

// Single-entry single-exit regions inside `r`, at any depth.
size_t regions_in(const Region& r) {
  size_t n = 0;
  for (const auto& inner : r) n += 1 + regions_in(*inner);
  return n;
}

// What the paper's Table I counts, of a function's IR behind the optimiser and before anything is done to it. Switches
// count as the branches that they are lowered to elsewhere, so as none here.
void write_structure(const Function& function, raw_ostream& out) {
  auto& f = const_cast<Function&>(function);  // the analyses ask for it; none changes it
  DominatorTree dominators(f);
  PostDominatorTree post_dominators(f);
  DominanceFrontier frontier;
  frontier.analyze(dominators);
  RegionInfo regions;
  regions.recalculate(f, &dominators, &post_dominators, &frontier);
  const LoopInfo loops(dominators);
  const size_t n_regions = regions_in(*regions.getTopLevelRegion());
  size_t n_branches = 0, n_switches = 0;
  for (const BasicBlock& b : f) {
    const auto* branch = dyn_cast<BranchInst>(b.getTerminator());
    n_branches += branch != nullptr && branch->isConditional();
    n_switches += isa<SwitchInst>(b.getTerminator());
  }
  out << f.getName() << ' ' << f.size() << ' ' << n_regions << ' ' << loops.getLoopsInPreorder().size() << ' '
      << n_branches << ' ' << n_switches << '\n';
}

// Same value, in a vector register.
Value* in_vector_register(IRBuilder<>& builder, Value* value) {
  Type* type = value->getType();
  InlineAsm* move = InlineAsm::get(FunctionType::get(type, {type}, false), "", "=v,0", false);
  CallInst* call = builder.CreateCall(move, {value});
  for (const Attribute::AttrKind a :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree, Attribute::NoCallback})
    call->addFnAttr(Attribute::get(builder.getContext(), a));
  call->setDoesNotAccessMemory();
  return call;
}

bool fits_vector_registers(const Type* type) {
  return type->isIntegerTy(32) || type->isIntegerTy(64) || type->isFloatTy() || type->isDoubleTy();
}

void hide_condition(BranchInst& branch) {
  if (isa<Constant>(branch.getCondition())) return;
  IRBuilder<> builder(&branch);
  auto* compare = dyn_cast<CmpInst>(branch.getCondition());
  if (compare != nullptr && fits_vector_registers(compare->getOperand(0)->getType())) {
    const unsigned k = isa<Constant>(compare->getOperand(0)) ? 1 : 0;
    auto* own = cast<CmpInst>(compare->clone());  // other users of the compare keep it
    builder.SetInsertPoint(&branch);
    builder.Insert(own);
    builder.SetInsertPoint(own);
    own->setOperand(k, in_vector_register(builder, own->getOperand(k)));
    branch.setCondition(own);
    if (compare->use_empty()) compare->eraseFromParent();
    return;
  }
  Value* wide = builder.CreateZExt(branch.getCondition(), builder.getInt32Ty());
  branch.setCondition(builder.CreateICmpNE(in_vector_register(builder, wide), builder.getInt32(0)));
}

// What the code generator would make branches of later.
void expand_branches(Function& f, FunctionAnalysisManager& analyses) {
  LowerSwitchPass().run(f, analyses);
  for (BasicBlock* b = &f.getEntryBlock(); b != nullptr;) {
    BasicBlock* next = b->getNextNode();
    bypassSlowDivision(b, {{64, 32}});
    b = next;
  }
  constexpr uint64_t most_unrolled = 1024;  // as the code generator has it
  const auto& target = analyses.getResult<TargetIRAnalysis>(f);
  SmallVector<MemIntrinsic*, 4> copies;
  for (Instruction& i : instructions(f))
    if (auto* m = dyn_cast<MemIntrinsic>(&i)) {
      const auto* length = dyn_cast<ConstantInt>(m->getLength());
      if (length == nullptr || length->getZExtValue() > most_unrolled) copies.push_back(m);
    }
  for (MemIntrinsic* m : copies) {
    bool expanded = true;
    if (auto* copy = dyn_cast<MemCpyInst>(m))
      expandMemCpyAsLoop(copy, target);
    else if (auto* move = dyn_cast<MemMoveInst>(m))
      expanded = pws::pwscc::expand_as_loop(move, target);
    else if (auto* set = dyn_cast<MemSetInst>(m))
      expandMemSetAsLoop(set);
    else
      expanded = false;
    if (expanded) m->eraseFromParent();
  }
}

class predication_pass : public PassInfoMixin<predication_pass> {
 public:
  PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) {
    if (!structure_file.empty()) {
      std::error_code error;
      raw_fd_ostream out(structure_file, error);
      if (error) module.getContext().emitError(structure_file + ": " + error.message());
      for (const Function& f : module)
        if (!error && f.getCallingConv() == CallingConv::AMDGPU_KERNEL && !f.isDeclaration()) write_structure(f, out);
    }
    if (!hide) return PreservedAnalyses::all();
    auto& of_functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    for (Function& f : module) {
      if (f.isDeclaration()) continue;
      expand_branches(f, of_functions);
      for (BasicBlock& b : f)
        if (auto* branch = dyn_cast<BranchInst>(b.getTerminator()); branch != nullptr && branch->isConditional())
          hide_condition(*branch);
    }
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }  // of functions with optnone too
};

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "pws-predication", "1", [](PassBuilder& builder) {
            builder.registerOptimizerLastEPCallback(
                [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(predication_pass()); });
          }};
}
