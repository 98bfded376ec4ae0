#include "client/eval/result_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "repair/base/file.h"
#include "tests/eval/lines.h"

namespace suture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ResultFileTest : public testing::Test {
 protected:
  TemporaryFolder folder_ = TemporaryFolder::make().value();
  std::filesystem::path path_ = folder_.path() / "results.jsonl";

  void write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
  std::string text() { return read_file(path_).value(); }
};

const std::string kFirst = write_result_line(full_line("a")) + "\n";
const std::string kSecond = write_result_line(full_line("b")) + "\n";

TEST_F(ResultFileTest, AppendsWholeLines) {
  auto file = ResultFile::create(path_).value();
  ASSERT_TRUE(file->append(full_line("a")));
  EXPECT_EQ(text(), kFirst);  // on the disk before the object goes
  ASSERT_TRUE(file->append(full_line("b")));
  EXPECT_EQ(text(), kFirst + kSecond);
}

TEST_F(ResultFileTest, ANewFileMustNotExist) {
  write("");
  auto file = ResultFile::create(path_);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(file.error().display(), HasSubstr("--resume"));
}

TEST_F(ResultFileTest, ResumeMakesAFile) {
  auto file = ResultFile::resume(path_);
  ASSERT_TRUE(file);
  EXPECT_TRUE((*file)->earlier().empty());
  EXPECT_EQ(text(), "");
}

TEST_F(ResultFileTest, ResumeKeepsWhatIsThere) {
  write(kFirst + kSecond);
  auto file = ResultFile::resume(path_).value();
  EXPECT_THAT(file->earlier(), ElementsAre(full_line("a"), full_line("b")));
  ASSERT_TRUE(file->append(full_line("c")));
  EXPECT_EQ(text(), kFirst + kSecond + write_result_line(full_line("c")) + "\n");
}

TEST_F(ResultFileTest, ATornLastLineIsCutWhereverItTore) {
  for (std::size_t kept = 1; kept < kSecond.size(); ++kept) {
    write(kFirst + kSecond.substr(0, kept));
    auto file = ResultFile::resume(path_);
    ASSERT_TRUE(file) << kept << ": " << file.error().display();
    EXPECT_THAT((*file)->earlier(), ElementsAre(full_line("a")));
    ASSERT_EQ(text(), kFirst) << kept;
  }
}

TEST_F(ResultFileTest, AppendingAfterATornLineGivesWholeLines) {
  write(kFirst + kSecond.substr(0, 30));
  auto file = ResultFile::resume(path_).value();
  ASSERT_TRUE(file->append(full_line("b")));
  EXPECT_EQ(text(), kFirst + kSecond);
}

TEST_F(ResultFileTest, ZerosOfAPowerCutAreCut) {
  write(kFirst + std::string(50, '\0'));
  ASSERT_TRUE(ResultFile::resume(path_));
  EXPECT_EQ(text(), kFirst);
}

TEST_F(ResultFileTest, ABadLineInTheMiddleIsAnErrorWithItsPlace) {
  write(kFirst + "{\"instance_id\": \n" + kSecond);
  auto file = ResultFile::resume(path_);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(file.error().display(), HasSubstr("results.jsonl:2"));
}

TEST_F(ResultFileTest, AnotherKindOfFileIsNotCut) {
  for (const char* content : {"my thesis", "my thesis\n", "{\"a\": 1}\n"}) {
    write(content);
    EXPECT_FALSE(ResultFile::resume(path_)) << content;
    EXPECT_EQ(text(), content);
  }
}

TEST_F(ResultFileTest, OneEvaluationAtATime) {
  auto first = ResultFile::create(path_).value();
  auto second = ResultFile::resume(path_);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another evaluation"));
}

TEST_F(ResultFileTest, AFullDiskLeavesWholeLines) {
  auto file = ResultFile::create(path_).value();
  ASSERT_TRUE(file->append(full_line("a")));
  {
    FullDisk full(kFirst.size() + 20);
    Status written = file->append(full_line("b"));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, ErrorKind::kInfra);
  }
  EXPECT_EQ(text(), kFirst);
  ASSERT_TRUE(file->append(full_line("b")));
  EXPECT_EQ(text(), kFirst + kSecond);
}

}  // namespace
}  // namespace suture
