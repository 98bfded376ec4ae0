#pragma once

#include <string>
#include <string_view>

namespace suture::report {

/// The text as valid UTF-8 without what terminals and editors add: byte order mark, escape
/// sequences (colours, links), NUL bytes; "\r\n" and the lone "\r" of progress bars become "\n".
std::string clean_text(std::string_view text);

}  // namespace suture::report
