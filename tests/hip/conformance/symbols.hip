// flags: --hip-version -Wno-deprecated-declarations
// Variables of the device: where they are, how large, copies to and from them, in constant, device and managed memory.
#include "conformance.h"

// In no unnamed namespace: clang leaves such a variable out of the device code where only the host names it.
__device__ int numbers[100] = {1, 2, 3};
__device__ double scale = 2.5;
__device__ unsigned char byte = 9;
__constant__ int table[16] = {5, 6, 7, 8};
__managed__ int shared[4] = {10, 20, 30, 40};
__device__ int counter;

namespace {

__global__ void read_all(int* out) {
  out[0] = numbers[2];
  out[1] = static_cast<int>(scale * 2);
  out[2] = byte;
  out[3] = table[3];
  out[4] = shared[1];
  out[5] = counter;
}
__global__ void write_all() {
  numbers[2] = 33;
  scale = 1.5;
  byte = 200;
  shared[1] = 77;
  counter = 5;
}
std::vector<int> seen_by_a_kernel() {
  const device_block<int> out(6);
  read_all<<<1, 1>>>(out.get());
  OK(hipGetLastError());
  return out.read();
}

template <class T>
void place_and_size(const T& symbol, size_t bytes) {
  void* address = nullptr;
  size_t size = 0;
  OK(hipGetSymbolAddress(&address, symbol));
  OK(hipGetSymbolSize(&size, symbol));
  EXPECT(address != nullptr);
  SAME(size, bytes);
}
CASE(array) {
  place_and_size(HIP_SYMBOL(numbers), sizeof numbers);
}
CASE(a_double) {
  place_and_size(HIP_SYMBOL(scale), sizeof scale);
}
CASE(a_byte) {
  place_and_size(HIP_SYMBOL(byte), 1);
}
CASE(constant) {
  place_and_size(HIP_SYMBOL(table), sizeof table);
}
CASE(managed) {
  place_and_size(HIP_SYMBOL(shared), sizeof shared);
}
CASE(managed_copies) {
  const int value = 4;
  int got = 0;
  OK(hipMemcpyToSymbol(HIP_SYMBOL(shared), &value, sizeof value, 2 * sizeof(int)));
  SAME(shared[2], 4);
  shared[2] = 30;
  OK(hipMemcpyFromSymbol(&got, HIP_SYMBOL(shared), sizeof got, 2 * sizeof(int)));
  SAME(got, 30);
}
CASE(addresses_differ) {
  void *a = nullptr, *b = nullptr;
  OK(hipGetSymbolAddress(&a, HIP_SYMBOL(numbers)));
  OK(hipGetSymbolAddress(&b, HIP_SYMBOL(table)));
  EXPECT(a != b);
}
CASE(address_can_be_copied_from) {
  void* address = nullptr;
  int got[3] = {};
  OK(hipGetSymbolAddress(&address, HIP_SYMBOL(table)));
  OK(hipMemcpy(got, address, sizeof got, hipMemcpyDeviceToHost));
  SAME(got[2], 7);
}
CASE(address_can_be_filled) {
  void* address = nullptr;
  OK(hipGetSymbolAddress(&address, HIP_SYMBOL(counter)));
  OK(hipMemset(address, 1, 4));
  SAME(seen_by_a_kernel()[5], 0x01010101);
  OK(hipMemset(address, 0, 4));
}
CASE(address_nowhere) {
  GIVES(hipErrorInvalidValue, hipGetSymbolAddress(nullptr, HIP_SYMBOL(numbers)));
}
CASE(size_nowhere) {
  GIVES(hipErrorInvalidValue, hipGetSymbolSize(nullptr, HIP_SYMBOL(numbers)));
}
int not_a_symbol = 3;
CASE(address_of_no_symbol) {
  void* address = nullptr;
  GIVES(hipErrorInvalidSymbol, hipGetSymbolAddress(&address, HIP_SYMBOL(not_a_symbol)));
}
CASE(size_of_no_symbol) {
  size_t size = 0;
  GIVES(hipErrorInvalidSymbol, hipGetSymbolSize(&size, HIP_SYMBOL(not_a_symbol)));
}
CASE(first_values) {
  int got[4] = {};
  OK(hipMemcpyFromSymbol(got, HIP_SYMBOL(table), sizeof got));
  SAME(got[0], 5);
  SAME(got[3], 8);
}
CASE(to_symbol) {
  const double value = 8.5;
  OK(hipMemcpyToSymbol(HIP_SYMBOL(scale), &value, sizeof value));
  SAME(seen_by_a_kernel()[1], 17);
}
CASE(to_constant) {
  const int values[16] = {0, 1, 2, 300};
  OK(hipMemcpyToSymbol(HIP_SYMBOL(table), values, sizeof values));
  SAME(seen_by_a_kernel()[3], 300);
  const int back[16] = {5, 6, 7, 8};
  OK(hipMemcpyToSymbol(HIP_SYMBOL(table), back, sizeof back));
}
CASE(to_symbol_with_offset) {
  const int value = 4711;
  int got[3] = {};
  OK(hipMemcpyToSymbol(HIP_SYMBOL(numbers), &value, sizeof value, 2 * sizeof(int)));
  SAME(seen_by_a_kernel()[0], 4711);
  OK(hipMemcpyFromSymbol(got, HIP_SYMBOL(numbers), sizeof got));
  SAME(got[1], 2);
}
CASE(from_symbol_after_a_kernel) {
  write_all<<<1, 1>>>();
  OK(hipGetLastError());
  int got = 0;
  unsigned char small = 0;
  OK(hipMemcpyFromSymbol(&got, HIP_SYMBOL(numbers), sizeof got, 2 * sizeof(int)));
  OK(hipMemcpyFromSymbol(&small, HIP_SYMBOL(byte), 1));
  SAME(got, 33);
  SAME(static_cast<int>(small), 200);
}
CASE(to_symbol_async) {
  const own_stream s;
  const int value = 99;
  OK(hipMemcpyToSymbolAsync(HIP_SYMBOL(counter), &value, sizeof value, 0, hipMemcpyHostToDevice, s));
  OK(hipStreamSynchronize(s));
  SAME(seen_by_a_kernel()[5], 99);
}
CASE(from_symbol_async) {
  const own_stream s;
  const int value = 98;
  int got = 0;
  OK(hipMemcpyToSymbol(HIP_SYMBOL(counter), &value, sizeof value));
  OK(hipMemcpyFromSymbolAsync(&got, HIP_SYMBOL(counter), sizeof got, 0, hipMemcpyDeviceToHost, s));
  OK(hipStreamSynchronize(s));
  SAME(got, 98);
}
CASE(per_thread) {
  const int value = 97;
  int got = 0;
  const void* const symbol = &counter;
  OK(hipMemcpyToSymbol_spt(symbol, &value, sizeof value, 0, hipMemcpyHostToDevice));
  OK(hipMemcpyFromSymbol_spt(&got, symbol, sizeof got, 0, hipMemcpyDeviceToHost));
  SAME(got, 97);
}
CASE(from_device_memory) {
  const device_block<int> d(std::vector<int>(4, 12));
  OK(hipMemcpyToSymbol(HIP_SYMBOL(counter), d.get(), sizeof(int), 0, hipMemcpyDeviceToDevice));
  SAME(seen_by_a_kernel()[5], 12);
}
CASE(to_device_memory) {
  const device_block<int> d(4);
  const int value = 55;
  OK(hipMemcpyToSymbol(HIP_SYMBOL(counter), &value, sizeof value));
  OK(hipMemcpyFromSymbol(d.get(), HIP_SYMBOL(counter), sizeof(int), 0, hipMemcpyDeviceToDevice));
  SAME(d.read()[0], 55);
}
CASE(nothing) {
  const int value = 4;
  OK(hipMemcpyToSymbol(HIP_SYMBOL(counter), &value, 0));
}
CASE(past_the_end) {
  const int values[101] = {};
  GIVES(hipErrorInvalidValue, hipMemcpyToSymbol(HIP_SYMBOL(numbers), values, sizeof values));
}
CASE(offset_past_the_end) {
  const int value = 1;
  GIVES(hipErrorInvalidValue, hipMemcpyToSymbol(HIP_SYMBOL(numbers), &value, sizeof value, sizeof numbers));
  GIVES(hipErrorInvalidValue, hipMemcpyToSymbol(HIP_SYMBOL(numbers), &value, sizeof value, SIZE_MAX));
}
CASE(from_past_the_end) {
  int values[101] = {};
  GIVES(hipErrorInvalidValue, hipMemcpyFromSymbol(values, HIP_SYMBOL(numbers), sizeof values));
}
CASE(to_no_symbol) {
  const int value = 1;
  GIVES(hipErrorInvalidSymbol, hipMemcpyToSymbol(HIP_SYMBOL(not_a_symbol), &value, sizeof value));
}
CASE(from_no_symbol) {
  int value = 1;
  GIVES(hipErrorInvalidSymbol, hipMemcpyFromSymbol(&value, HIP_SYMBOL(not_a_symbol), sizeof value));
}
CASE(to_symbol_wrong_direction) {
  const int value = 1;
  GIVES(hipErrorInvalidMemcpyDirection,
        hipMemcpyToSymbol(HIP_SYMBOL(counter), &value, sizeof value, 0, hipMemcpyDeviceToHost));
}
CASE(from_symbol_wrong_direction) {
  int value = 1;
  GIVES(hipErrorInvalidMemcpyDirection,
        hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), sizeof value, 0, hipMemcpyHostToDevice));
}
CASE(from_nowhere) {
  GIVES(hipErrorInvalidValue, hipMemcpyToSymbol(HIP_SYMBOL(counter), nullptr, 4));
}
CASE(to_nowhere) {
  GIVES(hipErrorInvalidValue, hipMemcpyFromSymbol(nullptr, HIP_SYMBOL(counter), 4));
}
CASE(managed_is_seen_by_the_host) {
  shared[1] = 21;
  SAME(seen_by_a_kernel()[4], 21);
  write_all<<<1, 1>>>();
  OK(hipDeviceSynchronize());
  SAME(shared[1], 77);
  SAME(shared[3], 40);
}
CASE(managed_is_managed) {
  hipPointerAttribute_t a = {};
  OK(hipPointerGetAttributes(&a, shared));
  SAME(a.isManaged, 1);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
