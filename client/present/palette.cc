#include "client/present/palette.h"

#include <fmt/format.h>
#include <unistd.h>

#include "repair/base/text.h"

namespace suture {
namespace {

std::string_view value_of(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::string Palette::paint(std::string_view code, std::string_view text) const {
  if (kind_ == Kind::kNone || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

Palette palette_for(ColourWish wish, Sink sink, const Environment& environment) {
  if (wish == ColourWish::kNever || !value_of(environment, "NO_COLOR").empty())
    return Palette::none();
  std::string_view force = value_of(environment, "CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return Palette::ansi();
  if (sink != Sink::kTerminal || value_of(environment, "TERM") == "dumb" ||
      value_of(environment, "CLICOLOR") == "0") {
    return Palette::none();
  }
  return Palette::ansi();
}

Sink sink_of(int fd) { return isatty(fd) == 1 ? Sink::kTerminal : Sink::kFile; }

std::string printable(std::string_view text) {
  std::string valid = to_valid_utf8(text);
  std::string result;
  result.reserve(valid.size());
  for (std::size_t i = 0; i < valid.size(); ++i) {
    auto byte = static_cast<unsigned char>(valid[i]);
    bool c0 = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
    // U+0080 to U+009F: some terminals take them for control characters too.
    bool c1 =
        byte == 0xc2 && i + 1 < valid.size() && static_cast<unsigned char>(valid[i + 1]) < 0xa0;
    if (c1) byte = static_cast<unsigned char>(valid[++i]);
    if (c0 || c1) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += valid[i];
    }
  }
  return result;
}

}  // namespace suture
