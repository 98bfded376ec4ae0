#include "repair/base/result.h"

#include <fmt/format.h>

namespace suture {

std::string_view to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "usage";
    case ErrorKind::kBadInput:
      return "bad_input";
    case ErrorKind::kNotFound:
      return "not_found";
    case ErrorKind::kUnsupported:
      return "unsupported";
    case ErrorKind::kInfra:
      return "infra";
    case ErrorKind::kCancelled:
      return "cancelled";
    case ErrorKind::kInternal:
      return "internal";
  }
  return "internal";
}

std::string Error::display() const {
  std::string text;
  if (where) {
    text += where->file;
    if (where->line > 0) text += fmt::format(":{}", where->line);
    if (where->line > 0 && where->column > 0) text += fmt::format(":{}", where->column);
    text += ": ";
  }
  text += message;
  if (!hint.empty()) text += fmt::format(" ({})", hint);
  return text;
}

}  // namespace suture
