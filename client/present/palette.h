#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "client/present/global_options.h"

namespace suture {

/// Colours for a terminal, or none: then every method gives the text back as it is.
class Palette {
 public:
  static Palette none() { return Palette(Kind::kNone); }
  static Palette ansi() { return Palette(Kind::kAnsi); }

  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string dim(std::string_view text) const { return paint("2", text); }
  std::string red(std::string_view text) const { return paint("31", text); }
  std::string green(std::string_view text) const { return paint("32", text); }
  std::string yellow(std::string_view text) const { return paint("33", text); }
  std::string cyan(std::string_view text) const { return paint("36", text); }

 private:
  enum class Kind { kNone, kAnsi };
  explicit Palette(Kind kind) : kind_(kind) {}
  std::string paint(std::string_view code, std::string_view text) const;

  Kind kind_;
};

/// Where text goes.
enum class Sink { kTerminal, kFile };

/// Looks a variable up as std::getenv does: null when it is not set.
using Environment = std::function<const char*(const char*)>;

/// The palette for a stream. In this order: --no-color, NO_COLOR, CLICOLOR_FORCE, not a terminal,
/// TERM=dumb, CLICOLOR=0.
Palette palette_for(ColourWish wish, Sink sink, const Environment& environment);

/// What an open file descriptor writes to.
Sink sink_of(int fd);

/// The text with control characters written out (`\x1b`) and invalid UTF-8 replaced: what code
/// under test prints must not steer the user's terminal. Line ends and tabs stay.
std::string printable(std::string_view text);

}  // namespace suture
