#pragma once

#include <string>
#include <string_view>

#include "repair/base/result.h"

namespace suture {

/// A file that lives in memory only (memfd) and has no name on any disk: it goes when the last
/// process that holds it ends, so a killed suture leaves nothing behind. Handed to a child through
/// ProcessSpec::inherited.
class SharedFile {
 public:
  /// `label` shows in /proc/*/fd. Errors: kInfra.
  static Result<SharedFile> make(std::string_view label, std::string_view content);
  SharedFile(SharedFile&& other) noexcept;
  SharedFile& operator=(SharedFile&& other) noexcept;
  ~SharedFile();

  int descriptor() const { return descriptor_; }
  /// A path for this file in any process that has the descriptor.
  std::string path() const;
  /// All that it holds now, whoever wrote it. Errors: kInfra.
  Result<std::string> content() const;

 private:
  explicit SharedFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace suture
