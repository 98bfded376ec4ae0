#pragma once

#include <string>
#include <string_view>

namespace suture {

/// Digests a list of fields. Each is told with its length, so that no two lists have the same
/// digest because their texts run together.
class FieldDigest {
 public:
  FieldDigest& add(std::string_view field);
  /// SHA-256 of the fields so far, in hexadecimal digits.
  std::string hex() const;

 private:
  std::string text_;
};

}  // namespace suture
