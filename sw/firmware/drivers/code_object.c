// SPDX-License-Identifier: Apache-2.0
#include "code_object.h"

#include <string.h>

#include "elf64.h"

// A part of the file, or NULL where it is not all there.
static const void *part(const void *file, size_t bytes, uint64_t offset, uint64_t size) {
  return offset <= bytes && size <= bytes - offset ? (const uint8_t *)file + offset : NULL;
}

static const Elf64_Ehdr *header_of(const void *file, size_t bytes) {
  const Elf64_Ehdr *h = part(file, bytes, 0, sizeof *h);
  if (h == NULL || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64) return NULL;
  return h->e_machine == EM_AMDGPU && h->e_phentsize == sizeof(Elf64_Phdr) && h->e_shentsize == sizeof(Elf64_Shdr) ? h
                                                                                                                : NULL;
}

static const Elf64_Phdr *segments_of(const void *file, size_t bytes, const Elf64_Ehdr *h) {
  return part(file, bytes, h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr));
}

static const Elf64_Shdr *sections_of(const void *file, size_t bytes, const Elf64_Ehdr *h) {
  return part(file, bytes, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr));
}

size_t code_object_size(const void *file, size_t bytes) {
  const Elf64_Ehdr *h = header_of(file, bytes);
  if (h == NULL) return 0;
  const Elf64_Phdr *segments = segments_of(file, bytes, h);
  const Elf64_Shdr *sections = sections_of(file, bytes, h);
  if (segments == NULL || sections == NULL) return 0;
  for (unsigned k = 0; k < h->e_shnum; ++k)
    if (sections[k].sh_type == SHT_RELA && sections[k].sh_size != 0) return 0;
  uint64_t end = 0;
  for (unsigned k = 0; k < h->e_phnum; ++k) {
    const Elf64_Phdr *s = &segments[k];
    if (s->p_type != PT_LOAD) continue;
    if (s->p_filesz > s->p_memsz || part(file, bytes, s->p_offset, s->p_filesz) == NULL) return 0;
    if (s->p_vaddr + s->p_memsz < s->p_vaddr) return 0;
    if (s->p_vaddr + s->p_memsz > end) end = s->p_vaddr + s->p_memsz;
  }
  return end;
}

void code_object_load(const void *file, size_t bytes, uint64_t base) {
  const Elf64_Ehdr *h = header_of(file, bytes);
  const Elf64_Phdr *segments = segments_of(file, bytes, h);
  for (unsigned k = 0; k < h->e_phnum; ++k) {
    const Elf64_Phdr *s = &segments[k];
    if (s->p_type != PT_LOAD) continue;
    uint8_t *to = (uint8_t *)(uintptr_t)(base + s->p_vaddr);
    memcpy(to, (const uint8_t *)file + s->p_offset, s->p_filesz);
    memset(to + s->p_filesz, 0, s->p_memsz - s->p_filesz);
  }
}

// The symbol "NAME.kd" is the descriptor.
uint64_t code_object_kernel(const void *file, size_t bytes, uint64_t base, const char *name) {
  const Elf64_Ehdr *h = header_of(file, bytes);
  if (h == NULL) return 0;
  const Elf64_Shdr *sections = sections_of(file, bytes, h);
  if (sections == NULL) return 0;
  const size_t length = strlen(name);
  for (unsigned k = 0; k < h->e_shnum; ++k) {
    const Elf64_Shdr *t = &sections[k];
    if (t->sh_type != SHT_DYNSYM || t->sh_link >= h->e_shnum) continue;
    const Elf64_Shdr *names = &sections[t->sh_link];
    const Elf64_Sym *symbols = part(file, bytes, t->sh_offset, t->sh_size);
    const char *texts = part(file, bytes, names->sh_offset, names->sh_size);
    if (symbols == NULL || texts == NULL) return 0;
    for (uint64_t n = 0; n < t->sh_size / sizeof(Elf64_Sym); ++n) {
      const uint64_t at = symbols[n].st_name;
      if (at + length + sizeof ".kd" > names->sh_size) continue;
      if (memcmp(texts + at, name, length) == 0 && memcmp(texts + at + length, ".kd", sizeof ".kd") == 0)
        return base + symbols[n].st_value;
    }
  }
  return 0;
}
