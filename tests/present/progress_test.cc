#include "client/present/progress.h"

#include <gtest/gtest.h>

#include <sstream>

namespace suture {
namespace {

using std::chrono::milliseconds;

TEST(ProgressText, IsElidedInTheMiddleByCharacters) {
  EXPECT_EQ(progress_text({"validate", "3 of 40", {}}, 80), "validate: 3 of 40");
  EXPECT_EQ(progress_text({"a", "0123456789", {}}, 10), "a: 0...789");
  EXPECT_EQ(progress_text(
                {"a", "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", {}}, 10),
            "a: \xc3\xa9...\xc3\xa9\xc3\xa9\xc3\xa9");
  EXPECT_EQ(progress_text({"a", "bcd", {}}, 2), "a:");
  EXPECT_EQ(progress_text({"a", "two\nlines\x1b[2J", {}}, 80), "a: two lines\\x1b[2J");
}

TEST(LiveLine, OverwritesItselfAndCleansUp) {
  std::ostringstream out;
  {
    LiveLine line(out, [] { return std::size_t{11}; });
    line.emit({"a", "0123456789", {}});
    EXPECT_EQ(out.str(), "\r\x1b[Ka: 0...789");
    line.emit({"b", "x", {}});
  }
  EXPECT_EQ(out.str(), "\r\x1b[Ka: 0...789\r\x1b[Kb: x\r\x1b[K");
}

TEST(LiveLine, LeavesNoTraceWhenNothingHappened) {
  std::ostringstream out;
  {
    LiveLine line(out, [] { return std::size_t{80}; });
  }
  EXPECT_EQ(out.str(), "");
}

TEST(LogLines, KeepToTheirInterval) {
  std::ostringstream out;
  ManualClock clock;
  LogLines lines(out, clock, milliseconds(1000));
  lines.emit({"a", "1", {}});
  clock.advance(milliseconds(999));
  lines.emit({"a", "2", {}});
  clock.advance(milliseconds(1));
  lines.emit({"a", "3", {}});
  EXPECT_EQ(out.str(), "a: 1\na: 3\n");
}

TEST(LogLines, WithoutAnIntervalWriteEverything) {
  std::ostringstream out;
  ManualClock clock;
  LogLines lines(out, clock, milliseconds(0));
  lines.emit({"a", "1", {}});
  lines.emit({"a", "2", {}});
  EXPECT_EQ(out.str(), "a: 1\na: 2\n");
}

TEST(JsonLines, AreOneDocumentALine) {
  auto stream = std::make_unique<std::ostringstream>();
  std::ostringstream& out = *stream;
  ManualClock clock;
  JsonLines lines(std::move(stream), clock);
  clock.advance(milliseconds(1500));
  lines.emit({"rank", "ordered\n\xff", {{"count", 3}}});
  EXPECT_EQ(out.str(),
            "{\"seconds\":1.5,\"stage\":\"rank\",\"message\":\"ordered\\n\xef\xbf\xbd\",\"data\":{"
            "\"count\":3}}\n");
}

}  // namespace
}  // namespace suture
