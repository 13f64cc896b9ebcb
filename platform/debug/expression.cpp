// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/expression.h"

#include <fmt/format.h>

#include <cctype>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.h"
#include "platform/debug/expression_node.h"

namespace pws::platform::debug {

int register_number(std::string_view name, char kind) {
  constexpr size_t most_digits = 3;
  if (name.size() < 2 || name.size() > 1 + most_digits || name[0] != kind) return -1;
  int n = 0;
  for (const char ch : name.substr(1)) {
    if (std::isdigit(static_cast<unsigned char>(ch)) == 0) return -1;
    n = 10 * n + (ch - '0');
  }
  return n;
}

namespace {

using node = expression::node;
using node_kind = expression::node::kind;
using node_owner = std::unique_ptr<node>;

// Binary operators, loosest first; those of one row bind alike. A longer one stands before its beginning.
struct operator_row {
  const char* text;
  int level;
};
constexpr operator_row operators[] = {{"||", 0}, {"&&", 1}, {"==", 5}, {"!=", 5}, {"<=", 6}, {">=", 6},
                                      {"<<", 7}, {">>", 7}, {"|", 2},  {"^", 3},  {"&", 4},  {"<", 6},
                                      {">", 6},  {"+", 8},  {"-", 8},  {"*", 9},  {"/", 9},  {"%", 9}};
constexpr int levels = 10;

class parser {
 public:
  explicit parser(std::string_view text) : text_(text) {}

  node_owner all() {
    node_owner n = binary(0);
    blanks();
    if (at_ != text_.size()) fail("what follows is no operator");
    return n;
  }

 private:
  static constexpr int deepest = 100;
  struct level_guard {
    int& depth;
    ~level_guard() { --depth; }
  };

  [[noreturn]] void fail(const std::string& what) const {
    const std::string rest(text_.substr(at_));
    throw input_error(fmt::format("expression {}: {} at {}", text_, what, rest.empty() ? "its end" : "`" + rest + "`"));
  }
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view s) {
    blanks();
    if (text_.substr(at_, s.size()) != s) return false;
    at_ += s.size();
    return true;
  }
  void want(std::string_view s) {
    if (!take(s)) fail(fmt::format("{} is missing", s));
  }
  node_owner make(node_kind k, node_owner a = {}, node_owner b = {}) {
    constexpr size_t most_nodes = 1000;
    if (++nodes_ > most_nodes) fail("it is too long");
    auto n = std::make_unique<node>();
    n->what = k;
    n->a = std::move(a);
    n->b = std::move(b);
    return n;
  }
  const char* operator_of(int level) {
    blanks();
    for (const operator_row& o : operators) {
      if (text_.substr(at_, std::string_view(o.text).size()) != o.text) continue;
      if (o.level != level) return nullptr;
      at_ += std::string_view(o.text).size();
      return o.text;
    }
    return nullptr;
  }

  node_owner binary(int level) {
    if (level == levels) return unary();
    node_owner left = binary(level + 1);
    while (const char* const op = operator_of(level)) {
      node_owner right = binary(level + 1);
      left = make(node_kind::binary, std::move(left), std::move(right));
      left->name = op;
    }
    return left;
  }

  node_owner unary() {
    if (++depth_ > deepest) fail("it is nested too deeply");
    const level_guard guard{depth_};
    for (const char* op : {"-", "!", "~"})
      if (take(op)) {
        node_owner n = make(node_kind::unary, unary());
        n->name = op;
        return n;
      }
    if (take("*")) return make(node_kind::memory, unary());
    if (take("&")) return make(node_kind::address, unary());
    return postfix(take("(") ? in_brackets() : primary());
  }

  node_owner in_brackets() {
    node_owner n = binary(0);
    want(")");
    return n;
  }

  node_owner postfix(node_owner n) {
    while (true) {
      if (take("[")) {
        node_owner at = binary(0);
        want("]");
        n = make(node_kind::index, std::move(n), std::move(at));
      } else if (take("->")) {
        n = with_member(node_kind::arrow, std::move(n), word());
      } else if (take(".")) {
        n = with_member(node_kind::member, std::move(n), word());
      } else {
        return n;
      }
    }
  }
  node_owner with_member(node_kind k, node_owner of, std::string name) {
    node_owner n = make(k, std::move(of));
    n->name = std::move(name);
    return n;
  }

  // A name without what may stand between two.
  std::string word() {
    blanks();
    size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_'))
      ++end;
    if (end == at_) fail("a name is missing");
    std::string name(text_.substr(at_, end - at_));
    at_ = end;
    return name;
  }
  // FUNCTION::NAME, and `workgroup.x`, which is one.
  std::string qualified_word() {
    std::string name = word();
    while (text_.substr(at_, 2) == "::") {
      at_ += 2;
      name += "::" + word();
    }
    if (text_.substr(at_, 1) == "." && at_ + 1 < text_.size()) {
      const std::string longer = name + std::string(text_.substr(at_, 2));
      const bool ends = at_ + 2 == text_.size() ||
                        (std::isalnum(static_cast<unsigned char>(text_[at_ + 2])) == 0 && text_[at_ + 2] != '_');
      if (ends && special_named(longer)) {
        at_ += 2;
        return longer;
      }
    }
    return name;
  }

  node_owner primary() {
    blanks();
    if (at_ == text_.size()) fail("a value is missing");
    if (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
    const bool marked = take("$");
    if (at_ == text_.size() || (std::isalnum(static_cast<unsigned char>(text_[at_])) == 0 && text_[at_] != '_'))
      fail("a value is missing");
    const std::string name = qualified_word();
    return named_value(name, marked);
  }

  node_owner number() {
    size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '.'))
      ++end;
    const std::string digits(text_.substr(at_, end - at_));
    node_owner n = make(node_kind::number);
    size_t used = 0;
    try {
      if (digits.find('.') != std::string::npos) {
        n->constant.real = true;
        n->constant.number = std::stod(digits, &used);
      } else {
        const bool hex = digits.size() > 1 && (digits[1] == 'x' || digits[1] == 'X');
        n->constant.integer = static_cast<int64_t>(std::stoull(digits, &used, hex ? 16 : 10));
      }
    } catch (const std::logic_error&) {
      used = 0;
    }
    if (used != digits.size()) fail("no number that there is");
    at_ = end;
    return n;
  }

  node_owner named_value(const std::string& name, bool marked) {
    const bool indexed = take("[");
    node_owner index = indexed ? binary(0) : nullptr;
    if (name == "s" && indexed) {
      want(":");
      node_owner last = binary(0);
      want("]");
      return pair_of(*index, *last);
    }
    if (indexed) want("]");
    if (const int s = register_number(name, 's'); s >= 0) {
      if (indexed) fail("a scalar register has no lanes");
      return numbered(node_kind::scalar, s, nullptr);
    }
    if (const int v = register_number(name, 'v'); v >= 0) {
      return numbered(node_kind::vector, v, std::move(index));
    }
    if (name == "lds") {
      if (!indexed) fail("lds has an index: lds[BYTE OFFSET]");
      return make(node_kind::lds, std::move(index));
    }
    if (const auto known = special_named(name)) {
      if (indexed && !is_mask(*known)) fail(name + " has no bits to choose from");
      node_owner n = make(node_kind::special, std::move(index));
      n->number = static_cast<int>(*known);
      n->name = name;
      return n;
    }
    if (marked) fail("there is no register " + name);
    node_owner n = make(indexed ? node_kind::element : node_kind::buffer, std::move(index));
    n->name = name;
    return n;
  }
  node_owner numbered(node_kind k, int number, node_owner index) {
    node_owner n = make(k, std::move(index));
    n->number = number;
    return n;
  }
  node_owner pair_of(const node& first, const node& last) {
    const bool numbers = first.what == node_kind::number && last.what == node_kind::number;
    if (!numbers || first.constant.integer < 0 || first.constant.integer > isa::sgpr_limit ||
        last.constant.integer != first.constant.integer + 1)
      fail("a pair of scalar registers is s[N:N+1]");
    return numbered(node_kind::scalar_pair, static_cast<int>(first.constant.integer), nullptr);
  }

  std::string_view text_;
  size_t at_ = 0, nodes_ = 0;
  int depth_ = 0;
};

}  // namespace

expression::expression() = default;
expression::~expression() = default;
expression::expression(expression&&) noexcept = default;
expression& expression::operator=(expression&&) noexcept = default;

expression expression::parse(std::string_view text) {
  constexpr size_t longest = 4096;
  if (text.size() > longest) throw input_error("expression: it is longer than 4096 characters");
  expression e;
  parser p(text);
  e.root_ = p.all();
  e.text_ = text;
  return e;
}

value expression::evaluate(const scene& s) const {
  return root_->evaluate(s);
}

memory_place expression::place(const scene& s) const {
  return root_->place(s);
}

bool expression::uses_lane(const scene& s) const {
  return root_->uses_lane(s);
}

std::optional<typed_object> expression::object(const scene& s) const {
  return root_->object(s);
}

std::string expression::value_text(const scene& s) const {
  const std::optional<typed_object> o = object(s);
  if (o) return text_or_error(*o, s);
  const std::string address = root_->address_text(s);
  return address.empty() ? debug::text_of(evaluate(s)) : address;
}

void expression::bind(const scene& s) {
  root_->for_each([&](node& n) {
    if (n.what == node::kind::buffer || n.what == node::kind::element)
      if (const auto v = find_variable(s, n.name)) n.bound = v->id;
  });
}

std::vector<uint64_t> expression::bound() const {
  std::vector<uint64_t> all;
  root_->for_each([&](const node& n) { all.push_back(n.bound); });
  return all;
}

void expression::bind(const std::vector<uint64_t>& to) {
  size_t k = 0;
  root_->for_each([&](node& n) {
    if (k < to.size()) n.bound = to[k++];
  });
}

}  // namespace pws::platform::debug
