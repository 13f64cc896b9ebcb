// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/graph_dot.h"

#include <fmt/format.h>

#include "sw/loader/names.h"

namespace pws::hip {

namespace {

const void* pointer(hipEvent_t e) {
  return e;
}

// Lines about an operation: what it is, and what the flags ask for.
struct operation_text {
  context& c;
  unsigned flags;
  const graph_node& node;

  bool wants(unsigned flag) const { return (flags & (flag | hipGraphDebugDotFlagsVerbose)) != 0; }

  std::string operator()(const nothing_work&) const { return "EMPTY"; }
  std::string operator()(const kernel_launch& l) const {
    const char* const name = c.modules.kernel_name(l.function);
    std::string text = fmt::format("KERNEL\n{}", name == nullptr ? "?" : loader::demangle(name));
    if (wants(hipGraphDebugDotFlagsKernelNodeParams))
      text += fmt::format("\nthreads ({}, {}, {})\nblock ({}, {}, {})\ndynamic shared bytes {}", l.grid[0], l.grid[1],
                          l.grid[2], l.workgroup[0], l.workgroup[1], l.workgroup[2], l.dynamic_lds);
    if (wants(hipGraphDebugDotFlagsKernelNodeAttributes))
      text += fmt::format("\ncooperative {}\naccess policy window ({}, {} bytes, ratio {})",
                          l.together != launch_together::no ? 1 : 0, node.window.base_ptr, node.window.num_bytes,
                          node.window.hitRatio);
    if (wants(hipGraphDebugDotFlagsHandles)) text += fmt::format("\nfunction {}", l.function);
    return text;
  }
  std::string operator()(const box_copy_work& w) const {
    if (!wants(hipGraphDebugDotFlagsMemcpyNodeParams)) return "MEMCPY";
    const hipMemcpy3DParms& p = w.parameters;
    const auto side = [](hipArray_t array, const hipPitchedPtr& at) {
      return array != nullptr ? fmt::format("array {}", static_cast<const void*>(array)) : fmt::format("{}", at.ptr);
    };
    return fmt::format("MEMCPY\n{} to {}\nextent ({}, {}, {})\nkind {}", side(p.srcArray, p.srcPtr),
                       side(p.dstArray, p.dstPtr), p.extent.width, p.extent.height, p.extent.depth,
                       static_cast<int>(p.kind));
  }
  std::string operator()(const copy_work& w) const {
    if (!wants(hipGraphDebugDotFlagsMemcpyNodeParams)) return "MEMCPY";
    return fmt::format("MEMCPY\n{} to {}\nbytes {}\nkind {}", w.from, w.to, w.bytes, static_cast<int>(w.kind));
  }
  std::string operator()(const variable_copy_work& w) const {
    std::string text = w.to == nullptr ? "MEMCPY TO SYMBOL" : "MEMCPY FROM SYMBOL";
    if (wants(hipGraphDebugDotFlagsMemcpyNodeParams))
      text += fmt::format("\nsymbol {} at {}\n{} {}\nbytes {}\nkind {}", w.symbol, w.offset,
                          w.to == nullptr ? "from" : "to", w.to == nullptr ? w.from : w.to, w.bytes,
                          static_cast<int>(w.kind));
    return text;
  }
  std::string operator()(const fill_work& w) const {
    if (!wants(hipGraphDebugDotFlagsMemsetNodeParams)) return "MEMSET";
    const hipMemsetParams& p = w.parameters;
    return fmt::format("MEMSET\nto {}\nvalue {}\n{} elements of {} bytes\nrows {}\npitch {}", p.dst, p.value, p.width,
                       p.elementSize, p.height, p.pitch);
  }
  std::string operator()(const host_work& w) const {
    if (!wants(hipGraphDebugDotFlagsHostNodeParams)) return "HOST";
    return fmt::format("HOST\nfunction {}\ndata {}", reinterpret_cast<const void*>(w.parameters.fn),
                       w.parameters.userData);
  }
  std::string operator()(const child_work&) const { return "CHILD GRAPH"; }
  std::string operator()(const record_work& w) const { return of_event("EVENT RECORD", w.event); }
  std::string operator()(const wait_work& w) const { return of_event("EVENT WAIT", w.event); }
  std::string operator()(const allocate_work& w) const { return of_memory("MEM ALLOC", *w.memory); }
  std::string operator()(const free_work& w) const { return of_memory("MEM FREE", *w.memory); }

  std::string of_event(const char* what, hipEvent_t e) const {
    return wants(hipGraphDebugDotFlagsEventNodeParams) ? fmt::format("{}\nevent {}", what, pointer(e)) : what;
  }
  // HIP has no flag of theirs.
  std::string of_memory(const char* what, const graph_allocation& a) const {
    const hipMemAllocNodeParams p = a.parameters();
    return wants(0) ? fmt::format("{}\n{}\nbytes {}", what, p.dptr, p.bytesize) : what;
  }
};

// In quotes of Graphviz, where a backslash and n are a new line.
std::string in_dot_quotes(const std::string& text) {
  std::string all = "\"";
  for (const char ch : text) {
    if (ch == '"' || ch == '\\') all += '\\';
    if (ch == '\n')
      all += "\\n";
    else
      all += ch;
  }
  return all + "\"";
}

// Nodes are numbered in order of their making: the same program draws the same.
void draw(context& c, const graph& g, unsigned flags, const std::string& prefix, std::string& to) {
  std::map<const graph_node*, std::string> names;
  for (const auto& n : g.nodes()) names[n.get()] = fmt::format("{}_{}", prefix, names.size());
  for (const auto& n : g.nodes()) {
    const std::string& name = names.at(n.get());
    std::string text = std::visit(operation_text{c, flags, *n}, n->work);
    if ((flags & (hipGraphDebugDotFlagsHandles | hipGraphDebugDotFlagsVerbose)) != 0)
      text += fmt::format("\nnode {}", static_cast<const void*>(n.get()));
    to += fmt::format("  {} [shape=box label={}];\n", name, in_dot_quotes(text));
    if (const auto* child = std::get_if<child_work>(&n->work)) {
      to += fmt::format("  subgraph cluster_{} {{\n", name);
      draw(c, *child->child, flags, name, to);
      to += "  }\n";
    }
  }
  for (const auto& n : g.nodes())
    for (const graph_node* a : n->after) to += fmt::format("  {} -> {};\n", names.at(n.get()), names.at(a));
}

}  // namespace

std::string dot_of(context& c, const graph& g, unsigned flags) {
  std::string text = "digraph hip_graph {\n";
  draw(c, g, flags, "node", text);
  return text + "}\n";
}

}  // namespace pws::hip
