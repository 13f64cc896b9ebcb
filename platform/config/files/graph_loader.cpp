// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "platform/config/files/graph_config.h"
#include "platform/config/overrides.h"
#include "platform/config/schema.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

constexpr limits any_cycles{0, int128{1} << 40};
constexpr limits some{1, int128{1} << 40};

// Blocks and branches as they are written, with names.
struct block_in_file {
  std::string name;
  uint64_t cycles = 0;
  std::vector<std::string> next;
  origin next_where;
  std::string next_path;
};
struct branch_in_file {
  located_text at, then, bsb, other, reconv;
  bool marked = false;
};
// A graph while it is read.
struct loading_graph : graph_config {
  loading_graph() {
    inputs.e_s = inputs.e_m = inputs.d = inputs.g = 1;
    inputs.g_parallel = 1;
  }
};

const schema<block_in_file>& block_schema() {
  static const schema<block_in_file> s([](schema<block_in_file>& made) {
    using b = block_in_file;
    made.text("name", &b::name, "unique").required().step(1);
    made.integer("cycles", &b::cycles, "cycle", any_cycles, "e_bb").required();
    made.texts("next", &b::next, "blocks that follow").step(2).then([](const value_at& v, b& to) {
      to.next_where = v.node.where;
      to.next_path = v.path;
    });
  });
  return s;
}

const schema<branch_in_file>& branch_schema() {
  static const schema<branch_in_file> s([](schema<branch_in_file>& made) {
    using b = branch_in_file;
    made.text("at", &b::at, "block that ends with it").required();
    made.text("then", &b::then, "SuccBB: first block of the side that runs first").required();
    made.text("bsb", &b::bsb, "branch serialization block").required();
    made.text("else", &b::other, "SuccBB of the BSB: first block of the other side").required();
    made.text("reconv", &b::reconv, "reconvergence point").required();
    made.boolean("marked", &b::marked, "as by PWS_SPLIT in a source: in P, for split: marked");
  });
  return s;
}

// The place of the block of that name in the graph.
size_t block(const located_text& name, const loading_graph& graph, reader& read) {
  const auto found = std::find(graph.blocks.begin(), graph.blocks.end(), name.text);
  if (found != graph.blocks.end()) return static_cast<size_t>(found - graph.blocks.begin());
  if (!name.path.empty())  // otherwise it is missing, which has been said
    read.issue(name.where, name.path, in_quotes(name.text) + " is no block" + did_you_mean(name.text, graph.blocks));
  return cfg::cost_graph::none;
}

bool read_graph_blocks(const value_at& v, loading_graph& to) {
  std::vector<block_in_file> all;
  const bool good = v.each_mapping([&](const value_at& item) {
    const bool read = block_schema().read(item.node, item.path, all.emplace_back(), item.read);
    const std::string& name = all.back().name;
    if (std::find(to.blocks.begin(), to.blocks.end(), name) != to.blocks.end())
      item.issue("there is a block " + in_quotes(name) + " already");
    to.blocks.push_back(name);
    to.graph.nodes.emplace_back().cycles = all.back().cycles;
    return read;
  });
  if (v.node.is_list() && v.node.items.empty()) v.issue("there is none");
  for (size_t k = 0; k < all.size(); ++k) {
    for (const std::string& name : all[k].next) {
      const size_t next = block({name, all[k].next_where, all[k].next_path}, to, v.read);
      if (next != cfg::cost_graph::none) to.graph.nodes[k].successors.push_back(next);
    }
  }
  return good;
}

bool read_branches(const value_at& v, loading_graph& to) {
  return v.each_mapping([&](const value_at& item) {
    branch_in_file b;
    const bool good = branch_schema().read(item.node, item.path, b, item.read);
    const auto of = [&](const located_text& name) { return block(name, to, item.read); };
    const size_t at = of(b.at), then = of(b.then), bsb = of(b.bsb), other = of(b.other);
    to.graph.branches.push_back({at, at, then, bsb, other, of(b.reconv), b.marked, true});
    return good;
  });
}

void fill_graph(schema<loading_graph>& s) {
  s.custom("blocks", field_kind::list, "basic blocks, each behind those that lead to it", read_graph_blocks)
      .required()
      .step(1)
      .lists("*.", block_schema());
  s.custom("branches", field_kind::list, "serialised branches (PWS paper, Fig. 7)", read_branches)
      .by_default("[]")
      .step(1)
      .lists("*.", branch_schema());
  s.choice("split", &loading_graph::split,
           "branches that are split, as far as there are contexts: none, those that are marked, all, or the set with "
           "the shortest worst case (auto)");
  const auto in = [](auto member) {
    return [member](auto& graph) -> auto& {
      return graph.inputs.*member;
    };
  };
  using i = wcet::kernel_bound_inputs;
  s.integer("S", in(&i::s), "", {0, 63}, "SWF contexts of a wavefront");
  s.integer("split_cycles", in(&i::e_s), "cycle", any_cycles, "e_s");
  s.integer("merge_cycles", in(&i::e_m), "cycle", any_cycles, "e_m");
  s.integer("d", in(&i::d), "cycle", any_cycles, "a workgroup's dispatch to its first instruction");
  s.integer("workgroups", in(&i::g), "", some, "G");
  s.integer("g_parallel", in(&i::g_parallel), "", some, "workgroups at a time");
}

const schema<loading_graph>& graph_schema() {
  static const schema<loading_graph> s(fill_graph);
  return s;
}

}  // namespace

const std::vector<field>& graph_fields() {
  static const std::vector<field> all = graph_schema().fields();
  return all;
}

graph_config load_graph(const std::string& path, const std::vector<std::string>& overrides) {
  loading_graph g;
  g.file = path;
  issue_list issues(path);
  reader read(issues);
  yaml_node root;
  if (!parse_yaml_file(path, "", root, issues) || !read.mapping(root, "")) issues.throw_if_any();
  apply_overrides(root, overrides, issues);
  graph_schema().read(root, "", g, read);
  issues.throw_if_any();
  g.files = issues.files();
  return static_cast<graph_config&>(g);
}

}  // namespace pws::platform
