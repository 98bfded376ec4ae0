#include "repair/process/line_pipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>

#include "repair/base/file.h"

namespace suture {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class LinePipeTest : public ::testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(path_) << text << std::flush; }
  TemporaryFolder folder_ = *TemporaryFolder::make("line-pipe-");
  std::filesystem::path path_ = folder_.path() / "pipe";
};

TEST_F(LinePipeTest, GivesWholeLinesAndKeepsTheRest) {
  LinePipe pipe(path_);
  ASSERT_TRUE(pipe.ready());
  EXPECT_THAT(pipe.lines(milliseconds(0)), IsEmpty());
  write("one\ntw");
  EXPECT_THAT(pipe.lines(milliseconds(100)), ElementsAre("one"));
  write("o\n\nthree\n");
  EXPECT_THAT(pipe.lines(milliseconds(100)), ElementsAre("two", "", "three"));
}

TEST_F(LinePipeTest, DropsWhatIsTooLong) {
  LinePipe pipe(path_, 4);
  write("12345\n1234\n");
  EXPECT_THAT(pipe.lines(milliseconds(100)), ElementsAre("1234"));
  write("no end in sight");
  EXPECT_THAT(pipe.lines(milliseconds(100)), IsEmpty());
  write("ok\n");
  EXPECT_THAT(pipe.lines(milliseconds(100)), ElementsAre("ok")) << "its memory is bounded";
}

TEST_F(LinePipeTest, SendsToWhoeverReads) {
  LinePipe pipe(path_);
  EXPECT_TRUE(pipe.send("hello\n"));
  std::ifstream reader(path_);
  std::string line;
  std::getline(reader, line);
  EXPECT_EQ(line, "hello");
}

TEST_F(LinePipeTest, IsNotReadyWhereItCannotBeMade) {
  LinePipe pipe(folder_.path() / "no" / "such" / "folder");
  EXPECT_FALSE(pipe.ready());
  EXPECT_FALSE(pipe.send("x\n"));
}

}  // namespace
}  // namespace suture
