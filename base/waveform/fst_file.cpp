// SPDX-License-Identifier: Apache-2.0
#include "base/waveform/fst_file.h"

#include <gtkwave/fstapi.h>

#include <stdexcept>

namespace pws {

namespace {

// The highest bit first.
void put_digits(uint64_t value, unsigned bits, std::string& digits) {
  digits.assign(bits, '0');
  for (unsigned b = 0; b < bits && b < 64; ++b)
    if ((value >> b & 1) != 0) digits[bits - 1 - b] = '1';
}

}  // namespace

fst_file::fst_file(const std::string& path) : writer_(fstWriterCreate(path.c_str(), 1)), path_(path) {
  if (writer_ == nullptr) throw std::runtime_error(path + ": cannot be written");
  fstWriterSetTimescale(writer_, -12);
  // The same run gives the same bytes, whenever it is.
  fstWriterSetDate(writer_, "");
  fstWriterSetVersion(writer_, "pwsvp");
  fstWriterSetPackType(writer_, FST_WR_PT_LZ4);
}

fst_file::~fst_file() {
  if (writer_ != nullptr) fstWriterClose(writer_);
}

void fst_file::enter_scope(const std::string& name) {
  fstWriterSetScope(writer_, FST_ST_VCD_MODULE, name.c_str(), nullptr);
}

void fst_file::leave_scope() {
  fstWriterSetUpscope(writer_);
}

fst_file::signal fst_file::declare(const std::string& name, unsigned bits) {
  if (bits_of_first_ == 0) bits_of_first_ = bits;
  return fstWriterCreateVar(writer_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, bits, name.c_str(), 0);
}

fst_file::signal fst_file::declare_again(const std::string& name, unsigned bits, signal as) {
  return fstWriterCreateVar(writer_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, bits, name.c_str(), as);
}

fst_file::signal fst_file::declare_text(const std::string& name) {
  return fstWriterCreateVar(writer_, FST_VT_GEN_STRING, FST_VD_IMPLICIT, 0, name.c_str(), 0);
}

void fst_file::name_values_of_next(const std::string& enumeration, const std::vector<std::string>& names,
                                   unsigned bits) {
  std::vector<std::string> digits(names.size());
  std::vector<const char*> literals, values;
  for (size_t k = 0; k < names.size(); ++k) {
    put_digits(k, bits, digits[k]);
    literals.push_back(names[k].c_str());
    values.push_back(digits[k].c_str());
  }
  fstWriterEmitEnumTableRef(
      writer_, fstWriterCreateEnumTable(writer_, enumeration.c_str(), static_cast<uint32_t>(names.size()), bits,
                                        literals.data(), values.data()));
}

void fst_file::set_time(uint64_t ps) {
  time_ = ps;
  fstWriterEmitTimeChange(writer_, ps);
}

void fst_file::change(signal s, uint64_t value, unsigned bits) {
  put_digits(value, bits, digits_);
  change(s, digits_);
}

void fst_file::change(signal s, const std::string& digits) {
  changed_ = true;
  fstWriterEmitValueChange(writer_, s, digits.data());
}

void fst_file::change_text(signal s, const std::string& value) {
  fstWriterEmitVariableLengthValueChange(writer_, s, value.data(), static_cast<uint32_t>(value.size()));
}

// The library does not say whether it could write. The reader finds out whether all blocks are there, and when the last
// one ends.
void fst_file::close() {
  if (writer_ == nullptr) return;
  // A file in which nothing changes is none to its readers.
  if (!changed_ && bits_of_first_ != 0) change(1, std::string(bits_of_first_, 'x'));
  fstWriterClose(writer_);
  writer_ = nullptr;
  void* const reader = fstReaderOpen(path_.c_str());
  const bool whole = reader != nullptr && fstReaderGetEndTime(reader) == time_;
  if (reader != nullptr) fstReaderClose(reader);
  if (!whole) throw std::runtime_error(path_ + ": cannot be written whole");
}

bool is_fst(const std::string& path) {
  const std::string extension = ".fst";
  return path.size() > extension.size() &&
         path.compare(path.size() - extension.size(), extension.size(), extension) == 0;
}

}  // namespace pws
