#include "repair/report/exception_json.h"

#include <gtest/gtest.h>

namespace suture {
namespace {

using nlohmann::json;

TEST(ExceptionJson, IsReadBackAsWritten) {
  ExceptionRecord failure{"KeyError", "x", {}};
  failure.frames = {{"/check.py", 3, "<module>", ""}, {"m.py", 7, "load", ""}};
  auto read = exception_from(json_of(failure));
  ASSERT_TRUE(read);
  EXPECT_EQ(json_of(*read), json_of(failure));
  EXPECT_EQ(read->frames.at(1).function, "load");
}

TEST(ExceptionJson, LeavesOutWhatIsNotAsItShouldBe) {
  EXPECT_FALSE(exception_from(json::array()));
  auto read = exception_from(
      json{{"type", 3}, {"message", "m"}, {"frames", {1, {"f", "1", "g"}, {"f", 2, "g"}}}});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->type, "");
  EXPECT_EQ(read->message, "m");
  ASSERT_EQ(read->frames.size(), 1u);
  EXPECT_EQ(read->frames[0].line, 2);
}

}  // namespace
}  // namespace suture
