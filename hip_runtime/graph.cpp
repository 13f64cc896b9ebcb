// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/graph.h"

#include <algorithm>

namespace pws::hip {

namespace {

template <class T>
bool has(const std::vector<T*>& list, const T* x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}
template <class T>
void take_out(std::vector<T*>& list, const T* x) {
  list.erase(std::remove(list.begin(), list.end(), x), list.end());
}

struct type_names {
  hipGraphNodeType operator()(const nothing_work&) const { return hipGraphNodeTypeEmpty; }
  hipGraphNodeType operator()(const kernel_launch&) const { return hipGraphNodeTypeKernel; }
  hipGraphNodeType operator()(const box_copy_work&) const { return hipGraphNodeTypeMemcpy; }
  hipGraphNodeType operator()(const copy_work&) const { return hipGraphNodeTypeMemcpy1D; }
  hipGraphNodeType operator()(const variable_copy_work& w) const {
    return w.to == nullptr ? hipGraphNodeTypeMemcpyToSymbol : hipGraphNodeTypeMemcpyFromSymbol;
  }
  hipGraphNodeType operator()(const fill_work&) const { return hipGraphNodeTypeMemset; }
  hipGraphNodeType operator()(const host_work&) const { return hipGraphNodeTypeHost; }
  hipGraphNodeType operator()(const child_work&) const { return hipGraphNodeTypeGraph; }
  hipGraphNodeType operator()(const record_work&) const { return hipGraphNodeTypeEventRecord; }
  hipGraphNodeType operator()(const wait_work&) const { return hipGraphNodeTypeWaitEvent; }
  hipGraphNodeType operator()(const allocate_work&) const { return hipGraphNodeTypeMemAlloc; }
  hipGraphNodeType operator()(const free_work&) const { return hipGraphNodeTypeMemFree; }
};

}  // namespace

hipGraphNodeType type_of(const stream_work& w) {
  return std::visit(type_names{}, w);
}

bool is_copy(const stream_work& w) {
  return std::holds_alternative<box_copy_work>(w) || std::holds_alternative<copy_work>(w) ||
         std::holds_alternative<variable_copy_work>(w);
}

bool graph_registry::free(uint64_t address) {
  const auto at = allocations.find(address);
  if (at == allocations.end()) return false;
  at->second->take();
  return true;
}

graph::graph(graph_registry& known) : known_(known) {
  known_.graphs.insert(this);
}

graph::~graph() {
  for (const auto& n : nodes_) known_.nodes.erase(n.get());
  for (const auto& [o, count] : objects_) known_.objects.release_of_graph(*o, count);
  known_.graphs.erase(this);
}

graph_node& graph::add(stream_work work, const std::vector<graph_node*>& before) {
  for (const graph_node* b : before)
    require(b->owner == this, hipErrorInvalidValue, "a node comes after one of another graph");
  auto made = std::make_unique<graph_node>();
  made->id = known_.next_id++;
  made->owner = this;
  made->work = std::move(work);
  graph_node& n = *made;
  known_.nodes.insert(&n);
  nodes_.push_back(std::move(made));
  for (graph_node* b : before)
    if (!has(n.before, b)) add_edge(*b, n);
  return n;
}

void graph::remove(graph_node& n) {
  for (graph_node* b : n.before) take_out(b->after, &n);
  for (graph_node* a : n.after) take_out(a->before, &n);
  known_.nodes.erase(&n);
  const auto at = std::find_if(nodes_.begin(), nodes_.end(), [&](const auto& x) { return x.get() == &n; });
  nodes_.erase(at);
}

void graph::add_edge(graph_node& from, graph_node& to) {
  require(from.owner == this && to.owner == this, hipErrorInvalidValue, "an edge between nodes of other graphs");
  require(&from != &to, hipErrorInvalidValue, "a node cannot come after itself");
  require(!has(from.after, &to), hipErrorInvalidValue, "the edge is there already");
  from.after.push_back(&to);
  to.before.push_back(&from);
}

void graph::remove_edge(graph_node& from, graph_node& to) {
  require(has(from.after, &to), hipErrorInvalidValue, "there is no such edge");
  take_out(from.after, &to);
  take_out(to.before, &from);
}

std::vector<graph_node*> graph::in_order() const {
  std::map<const graph_node*, size_t> number, waits_for;
  for (size_t k = 0; k < nodes_.size(); ++k) {
    number[nodes_[k].get()] = k;
    waits_for[nodes_[k].get()] = nodes_[k]->before.size();
  }
  std::set<size_t> ready;
  for (size_t k = 0; k < nodes_.size(); ++k)
    if (nodes_[k]->before.empty()) ready.insert(k);
  std::vector<graph_node*> order;
  while (!ready.empty()) {
    graph_node* n = nodes_[*ready.begin()].get();
    ready.erase(ready.begin());
    order.push_back(n);
    for (const graph_node* a : n->after)
      if (--waits_for[a] == 0) ready.insert(number[a]);
  }
  return order;
}

void graph::retain(user_object& o, uint64_t count, bool moves) {
  known_.objects.retain_for_graph(o, count, moves);
  objects_[&o] += count;
}

void graph::release(user_object& o, uint64_t count) {
  const auto at = objects_.find(&o);
  require(at != objects_.end() && at->second >= count, hipErrorInvalidValue,
          "the graph has not so many references to the object");
  at->second -= count;
  if (at->second == 0) objects_.erase(at);
  known_.objects.release_of_graph(o, count);
}

void graph::take_objects_of(const graph& other) {
  const std::map<user_object*, uint64_t> before = std::exchange(objects_, {});
  for (const auto& [o, count] : other.objects_) retain(*o, count, false);
  for (const auto& [o, count] : before) known_.objects.release_of_graph(*o, count);
}

bool graph::has_objects() const {
  return !objects_.empty() || any_node([](const graph_node& n) {
    const auto* child = std::get_if<child_work>(&n.work);
    return child != nullptr && child->child->has_objects();
  });
}

bool graph::has_memory_nodes() const {
  return any_node([](const graph_node& n) {
    return std::holds_alternative<allocate_work>(n.work) || std::holds_alternative<free_work>(n.work);
  });
}

std::shared_ptr<graph> graph::clone() const {
  auto made = std::make_shared<graph>(known_);
  for (const auto& n : nodes_) {
    stream_work work = n->work;
    if (auto* child = std::get_if<child_work>(&work)) child->child = child->child->clone();
    graph_node& copy = made->add(std::move(work), {});
    copy.enabled = n->enabled;
    copy.window = n->window;
    made->copies_[n->id] = &copy;
  }
  for (const auto& [o, count] : objects_) made->retain(*o, count, false);
  for (const auto& n : nodes_)
    for (const graph_node* b : n->before) made->add_edge(*made->copies_.at(b->id), *made->copies_.at(n->id));
  return made;
}

graph_node* graph::copy_of(const graph_node& original) const {
  const auto at = copies_.find(original.id);
  return at == copies_.end() || known_.nodes.count(at->second) == 0 ? nullptr : at->second;
}

}  // namespace pws::hip
