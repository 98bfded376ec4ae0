#include "client/cli/pattern_schema.h"

#include <gtest/gtest.h>

#include "repair/base/file.h"

namespace suture {
namespace {

TEST(PatternSchema, TheFileForEditorsIsWhatTheEngineKnows) {
  auto file = read_file(SUTURE_SOURCE_DIR "/patterns/pattern.schema.json");
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(*file, pattern_schema().dump(1) + "\n")
      << "run: suture patterns schema > patterns/pattern.schema.json";
}

TEST(PatternSchema, TheReferenceNamesEveryRow) {
  std::string page = pattern_reference();
  for (const char* name :
       {"`replace`", "`observed`", "`scope_names`", "`callee_definition`", "failing"}) {
    EXPECT_NE(page.find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace suture
