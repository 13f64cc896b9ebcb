// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/line_editor.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "platform/debug/prompt/input_wait.h"

namespace pws::platform::debug {

// Its functions and variables, as <editline/readline.h> declares them.
struct line_editor::library {
  void (*install)(const char* prompt, void (*handler)(char* line)) = nullptr;
  void (*remove)() = nullptr;
  void (*read_char)() = nullptr;
  int (*add_history)(const char* line) = nullptr;
  char** (*matches)(const char* word, char* (*next)(const char* word, int state)) = nullptr;
  char** (**attempted)(const char* word, int begin, int end) = nullptr;
  int* attempted_over = nullptr;
  char** line_buffer = nullptr;
};

namespace {

// The library calls functions without an argument for their owner.
struct {
  bool done = false, ended = false;
  std::string line;
  std::vector<std::string> candidates;
  size_t next = 0;
} state;

void on_line(char* text) {
  state.done = true;
  state.ended = text == nullptr;
  if (text == nullptr) return;
  state.line = text;
  std::free(text);
}

char* next_candidate(const char*, int number) {
  if (number == 0) state.next = 0;
  return state.next < state.candidates.size() ? strdup(state.candidates[state.next++].c_str()) : nullptr;
}

std::function<char**(const char*, int)> completing;

char** complete(const char* word, int begin, int) {
  return completing ? completing(word, begin) : nullptr;
}

}  // namespace

std::unique_ptr<line_editor> line_editor::load() {
  const char* const terminal = std::getenv("TERM");
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0 || terminal == nullptr ||
      std::string_view(terminal) == "dumb")
    return nullptr;
  void* const handle = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return nullptr;
  auto l = std::make_unique<library>();
  bool complete_library = true;
  const auto find = [&](auto& to, const char* name) {
    void* const symbol = dlsym(handle, name);
    complete_library = complete_library && symbol != nullptr;
    to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(symbol);
  };
  find(l->install, "rl_callback_handler_install");
  find(l->remove, "rl_callback_handler_remove");
  find(l->read_char, "rl_callback_read_char");
  find(l->add_history, "add_history");
  find(l->matches, "rl_completion_matches");
  find(l->attempted, "rl_attempted_completion_function");
  find(l->attempted_over, "rl_attempted_completion_over");
  find(l->line_buffer, "rl_line_buffer");
  if (!complete_library) return nullptr;
  return std::unique_ptr<line_editor>(new line_editor(std::move(l)));
}

line_editor::line_editor(std::unique_ptr<library> l) : library_(std::move(l)) {
  *library_->attempted = complete;
  completing = [this](const char* word, int begin) -> char** {
    *library_->attempted_over = 1;  // no file names
    const std::string before = *library_->line_buffer == nullptr
                                   ? ""
                                   : std::string(*library_->line_buffer).substr(0, static_cast<size_t>(begin));
    state.candidates.clear();
    if (completions_)
      for (std::string& c : completions_(before, word))
        if (c.rfind(word, 0) == 0) state.candidates.push_back(std::move(c));
    return state.candidates.empty() ? nullptr : library_->matches(word, next_candidate);
  };
}

line_editor::~line_editor() {
  completing = {};
  *library_->attempted = nullptr;
}

std::optional<std::string> line_editor::line(const std::string& prompt) {
  state.done = false;
  library_->install(prompt.c_str(), on_line);
  while (!state.done) {
    const waited w = wait_for_input();
    if (w != waited::input) {
      library_->remove();
      [[maybe_unused]] const auto written = write(STDOUT_FILENO, "\n", 1);
      if (w == waited::must_end) return std::nullopt;
      library_->install(prompt.c_str(), on_line);
      continue;
    }
    library_->read_char();
  }
  library_->remove();
  if (state.ended) return std::nullopt;
  if (!state.line.empty()) remember(state.line);
  return state.line;
}

void line_editor::remember(const std::string& line) {
  library_->add_history(line.c_str());
  history_.push_back(line);
}

void line_editor::extend_history(const std::vector<std::string>& all) {
  for (size_t k = history_.size(); k < all.size(); ++k) remember(all[k]);
}

}  // namespace pws::platform::debug
