#include <algorithm>
#include <stdexcept>

#include "platform/config/field_table.h"
#include "platform/config/overrides.h"
#include "platform/config/reader.h"
#include "platform/config/text.h"
#include "platform/graph_file/graph_config.h"

namespace pws::platform {

namespace {

constexpr uint64_t most = uint64_t{1} << 40;

std::vector<field> make_fields() {
  field_table t;
  const auto add = [&](const char* path, field_kind kind, const char* help, const char* default_text) -> field& {
    field& f = t.add(path, kind, help, default_text);
    f.max = most;
    if (kind == field_kind::integer) f.unit = "cycle";
    return f;
  };
  const auto count = [&](const char* path, const char* help, const char* default_text, int least) {
    field& f = add(path, field_kind::integer, help, default_text);
    f.unit = "";
    f.min = least;
    if (path == std::string("S")) f.max = 63;
  };
  using k = field_kind;
  add("blocks", k::list, "basic blocks, each behind those that lead to it", nullptr);
  add("blocks.*.name", k::text, "unique", nullptr);
  add("blocks.*.cycles", k::integer, "e_bb", nullptr);
  add("blocks.*.next", k::text_list, "blocks that follow", "[]");
  add("branches", k::list, "serialised branches (PWS paper, Fig. 7)", "[]");
  add("branches.*.at", k::text, "block that ends with it", nullptr);
  add("branches.*.then", k::text, "SuccBB: first block of the side that runs first", nullptr);
  add("branches.*.bsb", k::text, "branch serialization block", nullptr);
  add("branches.*.else", k::text, "SuccBB of the BSB: first block of the other side", nullptr);
  add("branches.*.reconv", k::text, "reconvergence point", nullptr);
  count("S", "SWF contexts of a wavefront", "0", 0);
  add("split_cycles", k::integer, "e_s", "1");
  add("merge_cycles", k::integer, "e_m", "1");
  add("d", k::integer, "a workgroup's dispatch to its first instruction", "1");
  count("workgroups", "G", "1", 1);
  count("g_parallel", "workgroups at a time", "1", 1);
  return t.rows;
}

const field& field_of(const std::string& path) {
  return platform::field_of(graph_fields(), path);
}

class graph_reader {
 public:
  graph_reader(graph_config& to, issue_list& issues) : to_(to), read_(issues) {}

  void all(const yaml_node& root) {
    read_.keys(root, "", keys_below(graph_fields(), ""));
    wcet::kernel_bound_inputs& in = to_.inputs;
    in.s = number(root, "S", 0);
    in.e_s = number(root, "split_cycles", 1);
    in.e_m = number(root, "merge_cycles", 1);
    in.d = number(root, "d", 1);
    in.g = number(root, "workgroups", 1);
    in.g_parallel = number(root, "g_parallel", 1);
    if (const yaml_node* node = read_.required(root, "", "blocks")) blocks(*node);
    if (const yaml_node* node = root.find("branches")) branches(*node);
  }

 private:
  uint64_t number(const yaml_node& root, const char* key, uint64_t otherwise) {
    const yaml_node* node = root.find(key);
    return node == nullptr ? otherwise : read_.integer(*node, key, field_of(key)).value_or(otherwise);
  }

  template <class F>
  void each(const yaml_node& node, const std::string& list, F f) {
    if (!read_.list(node, list)) return;
    for (size_t k = 0; k < node.items.size(); ++k) {
      const std::string path = path_join(list, std::to_string(k));
      if (!read_.mapping(node.items[k], path)) continue;
      read_.keys(node.items[k], path, keys_below(graph_fields(), list + ".*"));
      f(node.items[k], path);
    }
  }

  void blocks(const yaml_node& node) {
    each(node, "blocks", [&](const yaml_node& b, const std::string& path) {
      cfg::cost_graph::node one;
      if (const yaml_node* cycles = read_.required(b, path, "cycles"))
        one.cycles = read_.integer(*cycles, path_join(path, "cycles"), field_of("blocks.*.cycles")).value_or(0);
      const yaml_node* name = read_.required(b, path, "name");
      const std::string text = name == nullptr ? "" : read_.text(*name, path_join(path, "name")).value_or("");
      if (std::find(to_.blocks.begin(), to_.blocks.end(), text) != to_.blocks.end())
        read_.issue(b.where, path, "there is a block " + in_quotes(text) + " already");
      to_.blocks.push_back(text);
      to_.graph.nodes.push_back(one);
    });
    if (node.is_list() && node.items.empty()) read_.issue(node.where, "blocks", "there is none");
    size_t from = 0;
    each(node, "blocks", [&](const yaml_node& b, const std::string& path) {
      const yaml_node* next = b.find("next");
      const std::string here = path_join(path, "next");
      if (next != nullptr)
        if (const auto names = read_.texts(*next, here))
          for (const std::string& n : *names)
            if (const auto to = block(n, next->where, here)) to_.graph.nodes[from].successors.push_back(*to);
      ++from;
    });
  }

  std::optional<size_t> block(const std::string& name, const origin& where, const std::string& path) {
    const auto found = std::find(to_.blocks.begin(), to_.blocks.end(), name);
    if (found != to_.blocks.end()) return static_cast<size_t>(found - to_.blocks.begin());
    read_.issue(where, path, in_quotes(name) + " is no block" + did_you_mean(name, to_.blocks));
    return std::nullopt;
  }

  void branches(const yaml_node& node) {
    each(node, "branches", [&](const yaml_node& b, const std::string& path) {
      const auto of = [&](const char* key) -> size_t {
        const yaml_node* value = read_.required(b, path, key);
        const std::string here = path_join(path, key);
        const auto name = value == nullptr ? std::nullopt : read_.text(*value, here);
        return name ? block(*name, value->where, here).value_or(cfg::cost_graph::none) : cfg::cost_graph::none;
      };
      const size_t at = of("at");
      to_.graph.branches.push_back({at, at, of("then"), of("bsb"), of("else"), of("reconv"), true, true});
    });
  }

  graph_config& to_;
  reader read_;
};

}  // namespace

const std::vector<field>& graph_fields() {
  static const std::vector<field> fields = make_fields();
  return fields;
}

graph_config load_graph(const std::string& path, const std::vector<std::string>& overrides) {
  graph_config g;
  g.file = path;
  issue_list issues(path);
  yaml_node root;
  if (!parse_yaml_file(path, "", root, issues) || !reader(issues).mapping(root, "")) issues.throw_if_any();
  apply_overrides(root, overrides, issues);
  graph_reader(g, issues).all(root);
  issues.throw_if_any();
  g.files = issues.files();
  return g;
}

}  // namespace pws::platform
