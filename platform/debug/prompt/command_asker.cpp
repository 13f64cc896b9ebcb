// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/command_asker.h"

#include <fmt/ostream.h>

#include "base/error.h"
#include "platform/debug/words/console.h"

namespace pws::platform::debug {

bool command_asker::ask(const user& u) {
  for (;;) {
    out_.flush();
    const std::optional<command_text> c = input_.next("(pwsvp) ");
    u.asked();
    if (!c) return false;
    std::string text = without_blanks(c->text);
    if (c->interactive && text.empty()) text = u.latest();
    if (!c->interactive && !text.empty() && text[0] != '#') fmt::print(out_, "(pwsvp) {}\n", text);
    try {
      const bool goes_on = u.execute(text);
      out_.flush();
      if (goes_on) return true;
    } catch (const input_error& e) {
      if (!c->interactive) ++wrong_;
      out_.flush();
      fmt::print(problems_, "{}{}\n", c->interactive || c->where.empty() ? "" : c->where + ": ", e.what());
      problems_.flush();
    }
  }
}

}  // namespace pws::platform::debug
