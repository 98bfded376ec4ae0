#pragma once

#include <string_view>

#include "repair/report/failure.h"

namespace suture::report {

/// The kind that an exception's printed type and message show.
FailureKind kind_of_exception(std::string_view type, std::string_view message);

/// Whether a name is one that exceptions usually have ("ValueError", "torch.OutOfMemoryError",
/// "KeyboardInterrupt"). Used where only the name tells an exception from other text.
bool looks_like_exception_name(std::string_view type);

/// Whether an exception only tells that something else failed, and how directly.
enum class Hearsay {
  kNone,       ///< it is a failure of its own
  kAftermath,  ///< a process suffers from the end of another: lost connection, collective timed out
  kWrapper,    ///< a launcher, pool or group reports what its children raised
};
Hearsay hearsay_of(std::string_view type, std::string_view message);

}  // namespace suture::report
