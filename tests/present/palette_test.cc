#include "client/present/palette.h"

#include <gtest/gtest.h>

#include <map>

namespace suture {
namespace {

struct Case {
  const char* name;
  ColourWish wish;
  Sink sink;
  std::map<std::string, std::string> environment;
  bool coloured;
};

TEST(Palette, FollowsWishEnvironmentAndTerminal) {
  const Case cases[] = {
      {"terminal", ColourWish::kAuto, Sink::kTerminal, {}, true},
      {"file", ColourWish::kAuto, Sink::kFile, {}, false},
      {"option", ColourWish::kNever, Sink::kTerminal, {{"CLICOLOR_FORCE", "1"}}, false},
      {"NO_COLOR", ColourWish::kAuto, Sink::kTerminal, {{"NO_COLOR", "1"}}, false},
      {"empty NO_COLOR", ColourWish::kAuto, Sink::kTerminal, {{"NO_COLOR", ""}}, true},
      {"NO_COLOR beats force",
       ColourWish::kAuto,
       Sink::kTerminal,
       {{"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}},
       false},
      {"forced", ColourWish::kAuto, Sink::kFile, {{"CLICOLOR_FORCE", "1"}}, true},
      {"not forced", ColourWish::kAuto, Sink::kFile, {{"CLICOLOR_FORCE", "0"}}, false},
      {"dumb", ColourWish::kAuto, Sink::kTerminal, {{"TERM", "dumb"}}, false},
      {"CLICOLOR=0", ColourWish::kAuto, Sink::kTerminal, {{"CLICOLOR", "0"}}, false},
  };
  for (const Case& c : cases) {
    Palette palette = palette_for(c.wish, c.sink, [&](const char* name) {
      auto found = c.environment.find(name);
      return found == c.environment.end() ? nullptr : found->second.c_str();
    });
    EXPECT_EQ(palette.red("x") == "\x1b[31mx\x1b[0m", c.coloured) << c.name;
    EXPECT_EQ(palette.red("x") == "x", !c.coloured) << c.name;
  }
}

TEST(Printable, WritesControlCharactersOut) {
  EXPECT_EQ(printable("a\x1b[31mb\r\n\tc\x7f"), "a\\x1b[31mb\\x0d\n\tc\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\x9b") << "C1 control characters steer some terminals";
  EXPECT_EQ(printable("caf\xc3\xa9"), "caf\xc3\xa9");
  EXPECT_EQ(printable("caf\xe9"), "caf\xef\xbf\xbd");
}

}  // namespace
}  // namespace suture
