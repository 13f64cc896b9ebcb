// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/plugin/branch_anchors.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <set>
#include <string>
#include <utility>

#include "sw/pwscc/anchor_text.h"
#include "sw/pwscc/plugin/mark_records.h"

namespace pws::pwscc {

namespace {

using namespace llvm;

// Whether the code generator's instruction for the condition will have the number, in the branch's own block.
bool is_named(const Value* condition, const BasicBlock* block, unsigned number) {
  const auto* i = dyn_cast<Instruction>(condition);
  if (i == nullptr || i->getParent() != block || isa<PHINode>(i)) return false;
  if (i->getDebugLoc() && i->getDebugLoc()->getDiscriminator() == number) return true;
  if (!isa<BinaryOperator>(i) && !isa<SelectInst>(i) && !isa<CastInst>(i) && !isa<FreezeInst>(i)) return false;
  for (const Value* operand : i->operands())
    if (is_named(operand, block, number)) return true;
  return false;
}

const Value* condition_of(const Instruction& terminator) {
  if (const auto* b = dyn_cast<BranchInst>(&terminator); b != nullptr && b->isConditional()) return b->getCondition();
  if (const auto* s = dyn_cast<SwitchInst>(&terminator)) return s->getCondition();
  return nullptr;
}

branch_anchor::place place_of(const DILocation& at) {
  std::string file = at.getFilename().str();
  if (!file.empty() && file.front() != '/' && !at.getDirectory().empty()) file = at.getDirectory().str() + "/" + file;
  return {file, at.getLine(), at.getColumn()};
}

// A mark in one copy of the function that it is in: where that was inlined.
using marked_place = std::pair<unsigned, const DILocation*>;

class function_branches {
 public:
  explicit function_branches(Function& f) {
    for (BasicBlock& b : f) {
      Instruction& branch = *b.getTerminator();
      const DILocation* at = branch.getDebugLoc();
      if (at == nullptr || condition_of(branch) == nullptr) continue;
      if (const unsigned n = at->getDiscriminator(); n != 0) own_[{n, at->getInlinedAt()}].push_back(&branch);
      for (const DILocation* call = at->getInlinedAt(); call != nullptr; call = call->getInlinedAt())
        if (const unsigned n = call->getDiscriminator(); n != 0)
          inlined_[{n, call->getInlinedAt()}].push_back({&branch, call});
    }
  }

  // Adds the marks that have a branch here.
  void anchor(std::set<unsigned>& found) {
    for (auto& [mark, branches] : own_) {
      found.insert(mark.first);
      for (Instruction* b : branches)
        if (!is_named(condition_of(*b), b->getParent(), mark.first))
          put_anchor(b, text_of(branch_anchor{mark.first, place_of(*b->getDebugLoc()), {}, 1}));
    }
    for (auto& [mark, branches] : inlined_) {
      if (own_.count(mark) != 0) continue;
      found.insert(mark.first);
      for (auto& [branch, call] : branches)
        put_anchor(branch, text_of(branch_anchor{mark.first, place_of(*call), place_of(*branch->getDebugLoc()),
                                                 static_cast<uint32_t>(branches.size())}));
    }
  }

 private:
  struct inlined_branch {
    Instruction* branch;
    const DILocation* call;
  };
  MapVector<marked_place, SmallVector<Instruction*, 2>> own_;
  MapVector<marked_place, SmallVector<inlined_branch, 2>> inlined_;
};

}  // namespace

void put_anchor(Instruction* before, const std::string& anchor) {
  IRBuilder<> builder(before);
  std::string text;
  for (const char c : anchor) {
    if (c == '$') text += '$';  // escapes itself in inline assembly
    text += c;
  }
  LLVMContext& context = builder.getContext();
  InlineAsm* statement = InlineAsm::get(FunctionType::get(builder.getVoidTy(), false), text, "", true);
  CallInst* call = builder.CreateCall(statement);
  for (const Attribute::AttrKind a :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree, Attribute::NoCallback})
    call->addFnAttr(Attribute::get(context, a));
  call->setOnlyAccessesInaccessibleMemory();
  // No line: instructions behind it that have none would get it.
  call->setDebugLoc(DebugLoc());
}

bool anchor_branches(Module& module) {
  SmallVector<GlobalVariable*, 8> records;
  for (GlobalVariable& g : module.globals())
    if (is_record(g) && value_in(g, record_field::kind) == static_cast<uint64_t>(mark_record::split))
      records.push_back(&g);
  if (records.empty()) return false;
  std::set<unsigned> found;
  bool has_line_tables = false;
  for (Function& f : module) {
    has_line_tables = has_line_tables || f.getSubprogram() != nullptr;
    if (!f.isDeclaration()) function_branches(f).anchor(found);
  }
  for (GlobalVariable* r : records)
    if (has_line_tables && found.count(static_cast<unsigned>(value_in(*r, record_field::number))) == 0)
      set_value(*r, record_field::kind, static_cast<uint64_t>(mark_record::removed_branch));
  return true;
}

}  // namespace pws::pwscc
