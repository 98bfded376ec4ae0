#include "repair/cache/field_digest.h"

#include "repair/base/digest.h"

namespace suture {

FieldDigest& FieldDigest::add(std::string_view field) {
  text_ += std::to_string(field.size());
  text_ += ':';
  text_ += field;
  return *this;
}

std::string FieldDigest::hex() const { return sha256(text_); }

}  // namespace suture
