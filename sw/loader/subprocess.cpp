// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/subprocess.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "sw/loader/bytes.h"

extern char** environ;

namespace pws::loader {

namespace {

// The reading and the writing end of a pipe, both closed on exec so that a concurrently started process inherits
// neither.
struct output_pipe {
  std::array<int, 2> end{-1, -1};
  output_pipe() {
    if (pipe2(end.data(), O_CLOEXEC) != 0)
      throw input_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  ~output_pipe() {
    for (const int fd : end) {
      if (fd >= 0) close(fd);
    }
  }
  output_pipe(const output_pipe&) = delete;
  output_pipe& operator=(const output_pipe&) = delete;
};

std::string read_all(int fd) {
  std::string out;
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t n = read(fd, buffer.data(), buffer.size());
    if (n > 0) {
      out.append(buffer.data(), static_cast<size_t>(n));
    } else if (n == 0 || errno != EINTR) {
      return out;
    }
  }
}

}  // namespace

process_result run_process(const std::vector<std::string>& argv, const std::filesystem::path& temporary) {
  std::string tmpdir;
  std::vector<char*> environment;
  for (char** e = environ; *e != nullptr; e++) {
    if (temporary.empty() || std::strncmp(*e, "TMPDIR=", 7) != 0) environment.push_back(*e);
  }
  if (!temporary.empty()) {
    tmpdir = "TMPDIR=" + temporary.string();
    environment.push_back(tmpdir.data());
  }
  environment.push_back(nullptr);
  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  for (const std::string& a : argv) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  output_pipe pipe;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe.end[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe.end[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw input_error(argv[0] + ": cannot be started: " + std::strerror(error));
  close(pipe.end[1]);
  pipe.end[1] = -1;
  process_result result;
  result.output = read_all(pipe.end[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw input_error(argv[0] + ": cannot be waited for: " + std::strerror(errno));
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::filesystem::path find_executable(const std::string& name) {
  const auto runs = [](const std::filesystem::path& p) {
    std::error_code error;
    return std::filesystem::is_regular_file(p, error) && access(p.c_str(), X_OK) == 0;
  };
  if (name.empty()) return {};
  if (name.find('/') != std::string::npos) return runs(name) ? std::filesystem::path(name) : std::filesystem::path();
  const char* path = std::getenv("PATH");
  if (path == nullptr) return {};
  const std::string directories = path;
  for (size_t begin = 0; begin <= directories.size();) {
    const size_t end = std::min(directories.find(':', begin), directories.size());
    std::filesystem::path candidate = std::filesystem::path(directories.substr(begin, end - begin)) / name;
    if (end > begin && runs(candidate)) return candidate;
    begin = end + 1;
  }
  return {};
}

temporary_directory::temporary_directory() {
  const char* parent = std::getenv("TMPDIR");
  std::string pattern = (parent != nullptr && *parent != 0 ? std::string(parent) : "/tmp") + "/pws-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    throw input_error("cannot make a temporary directory " + pattern + ": " + std::strerror(errno));
  }
  path_ = pattern;
}

temporary_directory::~temporary_directory() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

namespace {

constexpr unsigned most_depth = 20;

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;  // of a word, which may be empty: ""
  char quote = 0;
  const auto end_word = [&] {
    if (inside) words.push_back(std::move(word));
    word.clear();
    inside = false;
  };
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '\\' && quote != '\'' && k + 1 < text.size()) {
      word += text[++k];
      inside = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      end_word();
    } else {
      word += c;
      inside = true;
    }
  }
  end_word();
  return words;
}

void expand(const std::vector<std::string>& words, unsigned depth, std::vector<std::string>& all) {
  for (const std::string& word : words) {
    std::error_code error;
    if (word.size() < 2 || word[0] != '@' || !std::filesystem::is_regular_file(word.substr(1), error)) {
      all.push_back(word);
      continue;
    }
    if (depth == most_depth) throw input_error(word + ": files of arguments name each other without end");
    expand(words_of(read_text(word.substr(1))), depth + 1, all);
  }
}

}  // namespace

std::vector<std::string> with_response_files(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  expand(words, 0, all);
  return all;
}

}  // namespace pws::loader
