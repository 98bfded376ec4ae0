#include "repair/locate/executed_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace suture {
namespace {

class ExecutedConditionsTest : public ::testing::Test {
 protected:
  CalledFunction& call(const std::string& file, int first, int last, std::set<int> lines) {
    CalledFunction function;
    function.file = file;
    function.first_line = first;
    function.last_line = last;
    function.order = std::int64_t(evidence_.called.size());
    function.lines = std::move(lines);
    evidence_.called.push_back(function);
    return evidence_.called.back();
  }

  std::vector<std::string> found() {
    std::vector<std::string> texts;
    for (const ExecutedCondition& each : executed_conditions(Failure(), evidence_, *tree_)) {
      std::string text(tree_->bytes(each.file).substr(each.range.start, each.range.size()));
      texts.push_back(each.function + ":" + std::to_string(each.line) + " " + text);
    }
    return texts;
  }

  std::unique_ptr<SourceTree> tree_ = SourceTree::in_memory({
      {"m.py",
       "def f(a):\n"
       "    if a:\n"
       "        if a > 1:\n"
       "            return 1\n"
       "    return 2\n"
       "class C:\n"
       "    @property\n"
       "    def g(self):\n"
       "        return 1 if (\n"
       "            self.x) else 2\n"},
      {"tests/test_m.py", "def test_f():\n    assert f(1)\n"},
  });
  Evidence evidence_;
};

TEST_F(ExecutedConditionsTest, ThoseThatRanTheLastCalledFunctionFirst) {
  call("m.py", 1, 5, {2, 5});
  call("m.py", 7, 10, {9, 10});
  EXPECT_THAT(found(), ::testing::ElementsAre("C.g:10 self.x", "f:2 a"));
}

TEST_F(ExecutedConditionsTest, TheFailingFrameComesFirst) {
  evidence_.python_version = "3.11.7";
  call("m.py", 1, 5, {2, 3});
  call("m.py", 7, 10, {9, 10});
  LiveException exception;
  LiveFrame frame;
  frame.file = "m.py";
  frame.in_tree = true;
  frame.at.line = 3;
  exception.frames.push_back(frame);
  evidence_.exceptions.push_back(exception);
  EXPECT_THAT(found(), ::testing::ElementsAre("f:2 a", "f:3 a > 1", "C.g:10 self.x"));
}

TEST_F(ExecutedConditionsTest, NeitherTestsNorImports) {
  call("tests/test_m.py", 1, 2, {2});
  call("m.py", 1, 5, {2}).during_import = true;
  EXPECT_THAT(found(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace suture
