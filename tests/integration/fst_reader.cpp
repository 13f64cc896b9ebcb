// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/fst_reader.h"

#include <gtkwave/fstapi.h>

#include <stdexcept>

namespace pws::test {

namespace {

struct reading {
  fst_contents contents;
  std::map<fstHandle, std::vector<std::string>> names;  // of one signal there may be several
};

// What the library calls for each change.
void changed(void* user, uint64_t time, fstHandle handle, const unsigned char* value) {
  auto& r = *static_cast<reading*>(user);
  std::string digits = reinterpret_cast<const char*>(value);
  if (digits.size() > 64) digits.erase(0, digits.size() - 64);
  uint64_t number = 0;
  for (const char c : digits) number = number << 1 | (c == '1' ? 1 : 0);
  for (const std::string& n : r.names.at(handle)) {
    std::vector<vcd_change>& changes = r.contents.signals.at(n).changes;
    if (changes.empty() || changes.back().value != number) changes.push_back({time, number});
  }
}

void changed_text(void* user, uint64_t time, fstHandle handle, const unsigned char* value, uint32_t length) {
  auto& r = *static_cast<reading*>(user);
  if (r.names.count(handle) != 0) return changed(user, time, handle, value);
  r.contents.texts.emplace_back(time, std::string(reinterpret_cast<const char*>(value), length));
}

}  // namespace

const vcd_signal& fst_contents::signal(const std::string& name) const {
  const auto found = signals.find(name);
  if (found == signals.end()) throw std::runtime_error("no signal " + name);
  return found->second;
}

fst_contents read_fst(const std::string& path, bool wide) {
  void* const file = fstReaderOpen(path.c_str());
  if (file == nullptr) throw std::runtime_error(path + " is no FST file");
  reading r;
  std::vector<std::string> scopes;
  while (const fstHier* h = fstReaderIterateHier(file)) {
    std::string name;
    for (const std::string& s : scopes) name += s + ".";
    switch (h->htyp) {
      case FST_HT_SCOPE:
        scopes.emplace_back(h->u.scope.name);
        break;
      case FST_HT_UPSCOPE:
        scopes.pop_back();
        break;
      case FST_HT_VAR:
        if (h->u.var.typ == FST_VT_GEN_STRING) break;
        name += h->u.var.name;
        name = name.substr(0, name.find(" ["));
        if (h->u.var.length > 64 && !wide) throw std::runtime_error(name + " has more than 64 bits");
        r.contents.signals[name] = {name, h->u.var.length, {}};
        r.names[h->u.var.handle].push_back(name);
        break;
      case FST_HT_ATTRBEGIN:
        if (h->u.attr.typ == FST_AT_MISC && h->u.attr.subtype == FST_MT_ENUMTABLE && h->u.attr.name_length != 0)
          r.contents.enumerations.emplace_back(h->u.attr.name);
        break;
      default:
        break;
    }
  }
  fstReaderSetFacProcessMaskAll(file);
  fstReaderIterBlocks2(file, changed, changed_text, &r, nullptr);
  r.contents.end_time = fstReaderGetEndTime(file);
  r.contents.date = fstReaderGetDateString(file);
  fstReaderClose(file);
  return std::move(r.contents);
}

}  // namespace pws::test
