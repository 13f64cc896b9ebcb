// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/texture_references.h"

#include <cstddef>
#include <iterator>

#include "hip_runtime/context.h"

namespace pws::hip {

const texture_references::binding& texture_references::binding_of(const textureReference* r) const {
  const auto it = bound_.find(r);
  require(it != bound_.end(), hipErrorInvalidValue, "no texture reference of the program");
  return it->second;
}

textureReference* texture_references::of_module(context& c, code_module* m, const std::string& name) {
  for (const auto& [r, b] : bound_)
    if (b.module == m && b.name == name) return b.owned.get();
  m->variable(name, *c.gpu().runtime);  // hipErrorNotFound
  auto r = std::make_unique<textureReference>();
  *r = {};
  r->readMode = hipReadModeNormalizedFloat;
  for (hipTextureAddressMode& mode : r->addressMode) mode = hipAddressModeWrap;
  r->format = HIP_AD_FORMAT_FLOAT;
  r->numChannels = 1;
  r->channelDesc = channel_format{}.description();
  textureReference* const seen = r.get();
  bound_[seen] = {0, m, name, std::move(r)};
  return seen;
}

void texture_references::forget(const code_module* m) {
  for (auto it = bound_.begin(); it != bound_.end();) it = it->second.module == m ? bound_.erase(it) : std::next(it);
}

void texture_references::put(context& c, const textureReference* r, hipTextureObject_t object) {
  const binding& b = binding_of(r);
  auto* const seen = const_cast<textureReference*>(r);  // its owner, not the caller, says that it is constant
  const uint64_t variable = b.module != nullptr ? b.module->variable(b.name, *c.gpu().runtime).address
                                                : c.modules.variable(r, *c.gpu().runtime).first;
  c.finish_what_lives();
  if (seen->textureObject != nullptr) c.images.free_texture(*c.gpu().memory, seen->textureObject);
  seen->textureObject = object;
  c.gpu().runtime->write(variable + offsetof(textureReference, textureObject), &object, sizeof(hipTextureObject_t));
}

void texture_references::bind(context& c, const textureReference* r, const hipResourceDesc& resource, size_t offset) {
  binding_of(r);
  c.captures.refuse_unsafe_call();
  texture_object o;
  o.resource = resource;
  std::copy(std::begin(r->addressMode), std::end(r->addressMode), o.texture.addressMode);
  o.texture.filterMode = r->filterMode;
  o.texture.readMode = r->readMode;
  o.texture.sRGB = r->sRGB;
  o.texture.normalizedCoords = r->normalized;
  o.texture.maxAnisotropy = r->maxAnisotropy;
  put(c, r, c.images.make_texture(*c.gpu().memory, *c.gpu().runtime, o));
  bound_[r].offset = offset;
}

void texture_references::unbind(context& c, const textureReference* r) {
  if (binding_of(r); r->textureObject != nullptr) put(c, r, nullptr);
}

size_t texture_references::offset_of(const textureReference* r) const {
  require(binding_of(r).offset != 0 || r->textureObject != nullptr, hipErrorInvalidValue, "nothing is bound to it");
  return binding_of(r).offset;
}

void texture_references::forget_objects(const memory& m) {
  for (auto& [r, b] : bound_)
    if (m.is_own(reinterpret_cast<uint64_t>(r->textureObject)))
      const_cast<textureReference*>(r)->textureObject = nullptr;
}

}  // namespace pws::hip
