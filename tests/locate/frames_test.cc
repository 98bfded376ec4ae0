#include "repair/locate/frames.h"

#include <gtest/gtest.h>

namespace suture {
namespace {

std::unique_ptr<SourceTree> tree() {
  return SourceTree::in_memory({{"src/pkg/core/engine.py", "x = 1\n"},
                                {"pkg2/mod.py", "y = 1\n"},
                                {"setup.py", "z = 1\n"},
                                {"tests/test_engine.py", "t = 1\n"}});
}

TEST(TreePath, Suffixes) {
  const auto in = tree();
  EXPECT_EQ(tree_path(*in, "src/pkg/core/engine.py"), "src/pkg/core/engine.py");
  EXPECT_EQ(tree_path(*in, "./setup.py"), "setup.py");
  EXPECT_EQ(tree_path(*in, "/home/u/work/src/pkg/core/engine.py"), "src/pkg/core/engine.py");
  EXPECT_EQ(tree_path(*in, "/env/lib/python3.11/site-packages/pkg/core/engine.py"),
            "src/pkg/core/engine.py");
  EXPECT_EQ(tree_path(*in, "/env/lib/python3.11/site-packages/pkg2/mod.py"), "pkg2/mod.py");
}

TEST(TreePath, ForeignFiles) {
  const auto in = tree();
  EXPECT_FALSE(tree_path(*in, "/env/lib/python3.11/site-packages/other/pkg2/mod.py"));
  EXPECT_FALSE(tree_path(*in, "/somewhere/setup.py"));
  EXPECT_FALSE(tree_path(*in, "<string>"));
  EXPECT_FALSE(tree_path(*in, ""));
}

TEST(TestPath, FoldersAndNames) {
  EXPECT_TRUE(is_test_path("tests/a.py"));
  EXPECT_TRUE(is_test_path("pkg/test/a.py"));
  EXPECT_TRUE(is_test_path("pkg/test_a.py"));
  EXPECT_TRUE(is_test_path("conftest.py"));
  EXPECT_FALSE(is_test_path("pkg/testing/a.py"));
  EXPECT_FALSE(is_test_path("pkg/attest.py"));
}

TEST(FailureFrames, PrintedInnermostFirstWithoutTests) {
  const auto in = tree();
  Failure failure;
  failure.frames = {{"tests/test_engine.py", 1, "test", ""},
                    {"pkg2/mod.py", 1, "f", ""},
                    {"/usr/lib/python3.11/json/decoder.py", 1, "decode", ""},
                    {"src/pkg/core/engine.py", 1, "g", ""}};
  const auto frames = failure_frames(*in, failure, Evidence{});
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].file, "src/pkg/core/engine.py");
  EXPECT_EQ(frames[0].distance, 0);
  EXPECT_EQ(frames[1].file, "pkg2/mod.py");
  EXPECT_EQ(frames[1].distance, 1);
}

TEST(FailureFrames, LiveBeforePrinted) {
  const auto in = tree();
  Failure failure;
  failure.frames = {{"pkg2/mod.py", 1, "f", ""}};
  Evidence evidence;
  evidence.python_version = "3.11";
  LiveFrame live;
  live.file = "src/pkg/core/engine.py";
  live.in_tree = true;
  live.at = {1, 1, 0, 5};
  evidence.exceptions.push_back({"ValueError", "builtins", "bad", {live}});
  const auto frames = failure_frames(*in, failure, evidence);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].file, "src/pkg/core/engine.py");
  EXPECT_NE(frames[0].live, nullptr);
  failure.kind = FailureKind::kSyntax;  // its file is only in the text
  EXPECT_EQ(failure_frames(*in, failure, evidence)[0].file, "pkg2/mod.py");
}

}  // namespace
}  // namespace suture
