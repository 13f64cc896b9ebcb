// printf from a kernel: conversions, strings, long lines, divergent callers, a loop. The program catches its own stdout
// in a file; the order of lines of different work-items is free, so they are compared sorted.
#include <unistd.h>

#include <algorithm>

#include "check.h"

__global__ void speak(const char* suffix) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3 == 0) {
    printf("item %d of %s\n", i, i % 2 == 0 ? "even" : "odd");
  } else if (i == 40) {
    printf("u %u x %#x o %o c %c percent %% text %-6s| wide %6d|%-6d|%06d\n", 4000000000u, 255, 8, 'z', "ab", 42, -42,
           42);
    printf("ll %lld %llu %llx\n", -9000000000ll, 18000000000000000000ull, 0x123456789abcdefll);
    printf("f %.3f e %.2e g %g\n", 3.14159, 12345.678, 0.5f);
    printf("suffix <%s>\n", suffix);
    printf("no arguments\n");
    for (int k = 0; k < 3; ++k) printf("loop %d\n", k);
    printf("a long line 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 %d\n", i);
  }
}

int main() {
  char* suffix;
  HIP_CHECK(hipMalloc(&suffix, 8));
  HIP_CHECK(hipMemcpy(suffix, "device", 7, hipMemcpyHostToDevice));

  std::fflush(stdout);
  const int saved = dup(STDOUT_FILENO);
  std::FILE* const caught = std::tmpfile();
  CHECK(saved >= 0 && caught != nullptr, "no temporary file");
  CHECK(dup2(fileno(caught), STDOUT_FILENO) >= 0, "dup2 failed");
  speak<<<2, 37>>>(suffix);
  const hipError_t launched = hipGetLastError();
  const hipError_t finished = hipDeviceSynchronize();
  std::fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  HIP_CHECK(launched);
  HIP_CHECK(finished);

  std::rewind(caught);
  std::vector<std::string> lines;
  char line[512];
  while (std::fgets(line, sizeof line, caught) != nullptr) lines.push_back(line);
  std::fclose(caught);
  std::sort(lines.begin(), lines.end());

  std::vector<std::string> want = {
      "u 4000000000 x 0xff o 10 c z percent % text ab    | wide     42|-42   |000042\n",
      "ll -9000000000 18000000000000000000 123456789abcdef\n",
      "f 3.142 e 1.23e+04 g 0.5\n",
      "suffix <device>\n",
      "no arguments\n",
      "loop 0\n",
      "loop 1\n",
      "loop 2\n",
      "a long line 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 1234567890 40\n",
  };
  for (int i = 0; i < 74; i += 3) {
    want.push_back("item " + std::to_string(i) + " of " + (i % 2 == 0 ? "even" : "odd") + "\n");
  }
  std::sort(want.begin(), want.end());
  for (size_t i = 0; i < std::max(lines.size(), want.size()); ++i) {
    const std::string got_line = i < lines.size() ? lines[i] : "(none)\n";
    const std::string want_line = i < want.size() ? want[i] : "(none)\n";
    CHECK(got_line == want_line, "line %zu of %zu: %sexpected: %s", i, want.size(), got_line.c_str(),
          want_line.c_str());
  }
  HIP_CHECK(hipFree(suffix));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
