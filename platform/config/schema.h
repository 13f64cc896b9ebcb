// SPDX-License-Identifier: Apache-2.0
// The keys of a mapping in a YAML file, each registered once: name, kind, unit, range, help and the member that it
// fills. Reading, required and unknown keys, range checks, defaults and the `params` listing all come from that.
//
//   const schema<cache_config>& cache_schema() {
//     static const schema<cache_config> keys([](schema<cache_config>& s) {
//       s.integer("ways", &cache_config::ways, "", {1, 256}, "lines of a set");
//     });
//     return keys;
//   }
//
// A place, where a value goes, is a pointer to a member, or a function from the object to it. Where a reader has to
// look at keys itself, the schema is a struct derived from schema<T> with its keys as members; nothing then copies it.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/enum_names.h"
#include "platform/config/field.h"
#include "platform/config/reader.h"

namespace pws::platform {

// A value where it stands, for what reads or checks it.
struct value_at {
  const yaml_node& node;
  std::string path;
  const field& about;
  reader& read;

  void issue(std::string problem) const { read.issue(node.where, path, std::move(problem)); }
  // Calls f(value_at) for each element that is a mapping; others, and what is no list, are issues.
  template <class F>
  bool each_mapping(F f) const {
    if (!read.list(node, path)) return false;
    bool good = true;
    for (size_t k = 0; k < node.items.size(); ++k) {
      const value_at item{node.items[k], path_join(path, std::to_string(k)), about, read};
      good = read.mapping(item.node, item.path) && f(item) && good;
    }
    return good;
  }
};

// A text whose place a rule about several values needs.
struct located_text {
  std::string text;
  origin where;
  std::string path;
};

// Least and largest value of an integer.
struct limits {
  int128 min = 0;
  int128 max = 0;
};

// An entry of a schema: one key.
class schema_key {
 public:
  using read_function = std::function<bool(const value_at&, void* to)>;  // false: refused, with an issue
  using then_function = std::function<void(const value_at&, void* to)>;
  using text_function = std::function<std::string(const void* of)>;
  using list_function = std::function<void(const std::string& prefix, const void* of, std::vector<field>&)>;

  const std::string& name() const { return about_.path; }
  // Its value in a mapping; nullptr: it is not there.
  const yaml_node* in(const yaml_node& mapping) const { return mapping.find(name()); }
  // The same, with an issue where it is not there.
  const yaml_node* needed_in(const yaml_node& mapping, const std::string& path, reader& read) const {
    return read.required(mapping, path, name());
  }

 protected:
  friend class schema_base;
  bool read_from(const yaml_node& mapping, const std::string& path, void* to, reader& read) const;
  bool read_value(const yaml_node& value, const std::string& path, void* to, reader& read) const;

  field about_;  // its path is the key alone
  read_function read_;
  then_function then_;
  text_function text_;        // of the value in an object, as one would write it; none: there is no default
  list_function list_below_;  // the keys below it
  bool listed_ = true;        // by `params`
  bool is_group_ = false;     // its keys are values, itself it is none
  int step_ = 0;
};

// A schema, whatever it fills.
class schema_base {
 public:
  std::vector<std::string> names() const;
  std::vector<std::string> alternatives() const;  // of one_of
  // For `params`: the object's values are shown as defaults.
  void describe(const std::string& prefix, const void* object, std::vector<field>& out) const;

 protected:
  bool read(const yaml_node& mapping, const std::string& path, void* to, reader& read) const;
  void add(std::unique_ptr<schema_key> key);

  std::vector<std::unique_ptr<schema_key>> keys_;
  std::vector<const schema_key*> alternatives_;
  std::vector<std::string> others_;

 private:
  std::vector<const schema_key*> reading_order(const yaml_node& mapping, const reader& read) const;
  bool read_alternatives(const yaml_node& mapping, const std::string& path, void* to, reader& read) const;
};

namespace detail {

template <class M>
struct optional_value {
  using type = M;
  static constexpr bool is_optional = false;
};
template <class M>
struct optional_value<std::optional<M>> {
  using type = M;
  static constexpr bool is_optional = true;
};

// Aborts where the range is not one of the member's type.
void require_fits(const std::string& name, const limits& range, const limits& type);

std::string list_text(const std::vector<std::string>& items);
std::string real_text(double value);
std::string hex_text(const std::string& decimal);

}  // namespace detail

// The keys that fill a T.
template <class T>
class schema : public schema_base {
  // What a place leads to.
  template <class P>
  using member = std::remove_reference_t<std::invoke_result_t<P, T&>>;

 public:
  // What can be said of a key when it is declared.
  class key : public schema_key {
   public:
    key& required() {
      about_.required = true;
      return *this;
    }
    // A mapping or a list in whose place such a value may stand.
    key& or_short(field_kind kind) {
      about_.short_form = kind;
      return *this;
    }
    // A text, or a short one in place of a mapping, that names a file to write.
    key& written() {
      about_.is_written = true;
      return *this;
    }
    // A number that need not be set.
    key& or_nothing() {
      about_.may_be_nothing = true;
      return *this;
    }
    // What `params` shows where it is not what a new object has.
    key& by_default(std::string text) {
      about_.default_text = std::move(text);
      about_.default_in_words = true;
      return *this;
    }
    // Values are read in the order in which keys are registered, but those of a later step behind those of all
    // earlier ones, which they may then look at.
    key& step(int n) {
      step_ = n;
      return *this;
    }
    // f(value_at, T&), once the value is good by itself: a rule about it and those before, or what follows from it.
    template <class F>
    key& then(F f) {
      then_ = [f](const value_at& v, void* to) { f(v, of(to)); };
      return *this;
    }
    key& range(std::string unit, limits r) {
      about_.unit = std::move(unit);
      about_.min = r.min;
      about_.max = r.max;
      return *this;
    }
    // An integer whose default `params` shows as an address.
    key& in_hex() {
      text_ = [decimal = text_](const void* of_object) { return detail::hex_text(decimal(of_object)); };
      return *this;
    }
    // What `params` calls its type, where its kind says too little.
    key& type(std::string text) {
      about_.type_name = std::move(text);
      return *this;
    }
    // Keys below a custom one, for `params`; `prefix` is "*." where any name, or an index, stands between.
    template <class U>
    key& lists(const std::string& prefix, const schema<U>& below) {
      list_below_ = [prefix, &below](const std::string& path, const void*, std::vector<field>& out) {
        const U defaults{};
        below.describe(path + prefix, &defaults, out);
      };
      return *this;
    }
    key& unlisted() {
      listed_ = false;
      return *this;
    }

    // Reads this key alone from a mapping that the schema as a whole does not read. A missing key is no error unless it
    // is required.
    bool read_from(const yaml_node& mapping, const std::string& path, T& to, reader& read) const {
      return schema_key::read_from(mapping, path, &to, read);
    }

   private:
    friend class schema;
  };

  schema() = default;
  schema(schema&&) noexcept = default;
  // `fill` registers the keys.
  explicit schema(const std::function<void(schema&)>& fill) { fill(*this); }

  // Reads every key of the mapping; false where a value was refused or is missing. Unknown keys are issues only.
  bool read(const yaml_node& mapping, const std::string& path, T& to, reader& read) const {
    return schema_base::read(mapping, path, &to, read);
  }
  std::vector<field> fields(const std::string& prefix = "", const T& object = T{}) const {
    std::vector<field> all;
    describe(prefix, &object, all);
    return all;
  }

  // Any integral member, or a std::optional of one.
  template <class P>
  key& integer(const char* name, P place, std::string unit, limits range, std::string help) {
    using M = member<P>;
    using value = typename detail::optional_value<M>::type;
    using type = std::numeric_limits<value>;
    detail::require_fits(name, range, {type::min(), type::max()});
    key& k = add(name, field_kind::integer, std::move(help));
    k.range(std::move(unit), range);
    k.read_ = [place](const value_at& v, void* to) {
      if constexpr (detail::optional_value<M>::is_optional)
        if (v.about.may_be_nothing && v.node.type == yaml_node::kind::null) {
          std::invoke(place, of(to)).reset();
          return true;
        }
      const auto n = v.read.integer(v.node, v.path, v.about);
      if (n) std::invoke(place, of(to)) = static_cast<value>(*n);
      return n.has_value();
    };
    k.text_ = [place](const void* from) {
      const M& m = std::invoke(place, of(from));
      if constexpr (detail::optional_value<M>::is_optional)
        return m ? std::to_string(*m) : std::string();
      else
        return std::to_string(m);
    };
    return k;
  }
  // Only some numbers are allowed.
  template <class P>
  key& integer_of(const char* name, P place, std::string unit, const std::vector<uint32_t>& allowed, std::string help) {
    key& k = integer(name, place, std::move(unit), limits{}, std::move(help));
    for (const uint32_t n : allowed) k.about_.choices.push_back(std::to_string(n));
    return k;
  }
  template <class P>
  key& integers(const char* name, P place, std::string unit, limits range, std::string help) {
    using value = typename member<P>::value_type;
    using type = std::numeric_limits<value>;
    detail::require_fits(name, range, {type::min(), type::max()});
    key& k = add(name, field_kind::integer_list, std::move(help));
    k.range(std::move(unit), range);
    k.read_ = [place](const value_at& v, void* to) {
      const auto list = v.read.integers(v.node, v.path, v.about);
      if (list) std::invoke(place, of(to)).assign(list->begin(), list->end());
      return list.has_value();
    };
    k.text_ = [place](const void* from) {
      std::vector<std::string> items;
      for (const value n : std::invoke(place, of(from))) items.push_back(std::to_string(n));
      return detail::list_text(items);
    };
    return k;
  }
  // For a std::optional<bool>: `auto` is std::nullopt.
  template <class P>
  key& boolean_or_auto(const char* name, P place, std::string help) {
    key& k = add(name, field_kind::choice, std::move(help));
    k.about_.choices = {"auto", "false", "true"};
    k.read_ = [place](const value_at& v, void* to) {
      const auto index = v.read.choice(v.node, v.path, v.about);
      if (index) std::invoke(place, of(to)) = *index == 0 ? std::optional<bool>() : *index == 2;
      return index.has_value();
    };
    k.text_ = [place](const void* from) {
      const std::optional<bool>& value = std::invoke(place, of(from));
      return std::string(!value ? "auto" : *value ? "true" : "false");
    };
    return k;
  }
  template <class P>
  key& boolean(const char* name, P place, std::string help) {
    key& k = add(name, field_kind::boolean, std::move(help));
    k.about_.choices = {"false", "true"};
    k.read_ = [place](const value_at& v, void* to) {
      const auto index = v.read.choice(v.node, v.path, v.about);
      if (index) std::invoke(place, of(to)) = *index == 1;
      return index.has_value();
    };
    k.text_ = [place](const void* from) { return std::string(std::invoke(place, of(from)) ? "true" : "false"); };
    return k;
  }
  // An enum that has a table of names (base/enum_names.h).
  template <class P>
  key& choice(const char* name, P place, std::string help) {
    using E = member<P>;
    key& k = add(name, field_kind::choice, std::move(help));
    k.about_.choices = pws::names<E>();
    k.read_ = [place](const value_at& v, void* to) {
      const auto index = v.read.choice(v.node, v.path, v.about);
      if (index) std::invoke(place, of(to)) = enumerators(E{})[*index].value;
      return index.has_value();
    };
    k.text_ = [place](const void* from) { return std::string(name_of(std::invoke(place, of(from)))); };
    return k;
  }
  template <class P>
  key& real(const char* name, P place, std::string help) {
    key& k = add(name, field_kind::real, std::move(help));
    k.read_ = [place](const value_at& v, void* to) {
      const auto number = v.read.real(v.node, v.path);
      if (number) std::invoke(place, of(to)) = *number;
      return number.has_value();
    };
    k.text_ = [place](const void* from) { return detail::real_text(std::invoke(place, of(from))); };
    return k;
  }
  // A std::string or a located_text.
  template <class P>
  key& text(const char* name, P place, std::string help) {
    return text_of(name, field_kind::text, place, std::move(help),
                   [](const value_at& v) { return v.read.text(v.node, v.path); });
  }
  // A readable regular file; the member gets its path from the working directory.
  template <class P>
  key& file(const char* name, P place, std::string help) {
    return text_of(name, field_kind::file, place, std::move(help),
                   [](const value_at& v) { return v.read.file(v.node, v.path); });
  }
  template <class P>
  key& texts(const char* name, P place, std::string help) {
    key& k = add(name, field_kind::text_list, std::move(help));
    k.read_ = [place](const value_at& v, void* to) {
      const auto list = v.read.texts(v.node, v.path);
      if (list) std::invoke(place, of(to)) = *list;
      return list.has_value();
    };
    k.text_ = [place](const void* from) { return detail::list_text(std::invoke(place, of(from))); };
    return k;
  }
  // A member struct with a schema of its own.
  template <class P>
  key& mapping(const char* name, P place, const schema<std::remove_const_t<member<P>>>& below, std::string help) {
    key& k = add(name, field_kind::mapping, std::move(help));
    k.is_group_ = true;
    k.read_ = [place, &below](const value_at& v, void* to) {
      return below.read(v.node, v.path, std::invoke(place, of(to)), v.read);
    };
    k.list_below_ = [place, &below](const std::string& path, const void* from, std::vector<field>& out) {
      below.describe(path, &std::invoke(place, of(from)), out);
    };
    return k;
  }
  // The same, of which `params` lists only what is below.
  template <class P>
  key& group(const char* name, P place, const schema<std::remove_const_t<member<P>>>& below) {
    return mapping(name, place, below, "").unlisted();
  }
  // A list of mappings: a std::vector of structs with a schema.
  template <class P>
  key& list(const char* name, P place, const schema<typename member<P>::value_type>& below, std::string help) {
    using U = typename member<P>::value_type;
    key& k = add(name, field_kind::list, std::move(help));
    k.read_ = [place, &below](const value_at& v, void* to) {
      auto& all = std::invoke(place, of(to));
      return v.each_mapping([&](const value_at& item) {
        all.emplace_back();
        return below.read(item.node, item.path, all.back(), item.read);
      });
    };
    k.template lists<U>("*.", below).text_ = [](const void*) { return std::string("[]"); };
    return k;
  }
  // A mapping whose keys are names of the user's: one(value_at, name, T&) for each, in the file's order.
  template <class F>
  key& names_to(const char* name, std::string help, F one) {
    return custom(name, field_kind::mapping, std::move(help), [one](const value_at& v, T& to) {
      if (!v.read.mapping(v.node, v.path)) return false;
      bool good = true;
      for (const yaml_entry& e : v.node.entries)
        good = one(value_at{e.value, path_join(v.path, e.key), v.about, v.read}, e, to) && good;
      return good;
    });
  }
  // A value with a grammar of its own: f(value_at, T&) reads it and returns false, with an issue, where it cannot.
  template <class F>
  key& custom(const char* name, field_kind kind, std::string help, F f) {
    key& k = add(name, kind, std::move(help));
    k.read_ = [f](const value_at& v, void* to) { return f(v, of(to)); };
    return k;
  }

  // Exactly one of these keys is to be given. Where it is not, or refused, what would be read behind it is not.
  void one_of(std::vector<const schema_key*> keys) { alternatives_ = std::move(keys); }
  // A key that somebody else reads.
  void allow(std::string name) { others_.push_back(std::move(name)); }

 private:
  static T& of(void* object) { return *static_cast<T*>(object); }
  static const T& of(const void* object) { return *static_cast<const T*>(object); }

  key& add(const char* name, field_kind kind, std::string help) {
    auto k = std::make_unique<key>();
    k->about_.path = name;
    k->about_.kind = kind;
    k->about_.help = std::move(help);
    key& made = *k;
    schema_base::add(std::move(k));
    return made;
  }

  template <class P, class F>
  key& text_of(const char* name, field_kind kind, P place, std::string help, F read_text) {
    using M = member<P>;
    key& k = add(name, kind, std::move(help));
    k.read_ = [place, read_text](const value_at& v, void* to) {
      const std::optional<std::string> text = read_text(v);
      if (!text) return false;
      if constexpr (std::is_same_v<M, located_text>)
        std::invoke(place, of(to)) = {*text, v.node.where, v.path};
      else
        std::invoke(place, of(to)) = *text;
      return true;
    };
    k.text_ = [place](const void* from) -> std::string {
      if constexpr (std::is_same_v<M, located_text>)
        return std::invoke(place, of(from)).text;
      else
        return std::invoke(place, of(from));
    };
    return k;
  }
};

}  // namespace pws::platform
