#include "client/cli/catalogue_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "repair/base/file.h"
#include "tests/support/suture_binary.h"

namespace suture {
namespace {

using testing::BinaryRun;
using testing::run_suture;

TEST(CataloguePage, TheFileIsWhatThePatternsSay) {
  auto file = read_file(SUTURE_SOURCE_DIR "/patterns/CATALOGUE.md");
  ASSERT_TRUE(file.has_value());
  auto catalogue = Catalogue::load({SUTURE_SOURCE_DIR "/patterns"});
  ASSERT_TRUE(catalogue.has_value()) << catalogue.error().display();
  auto record = load_record(SUTURE_SOURCE_DIR "/patterns/record.yaml");
  ASSERT_TRUE(record.has_value()) << record.error().display();
  auto page = catalogue_page(*catalogue, *record);
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(*file, *page) << "run: suture patterns page > patterns/CATALOGUE.md";
}

TEST(CataloguePage, EveryPatternHasAnExample) {
  auto catalogue = Catalogue::load({SUTURE_SOURCE_DIR "/patterns"});
  ASSERT_TRUE(catalogue.has_value());
  auto record = load_record(SUTURE_SOURCE_DIR "/patterns/record.yaml");
  ASSERT_TRUE(record.has_value());
  auto page = catalogue_page(*catalogue, *record);
  ASSERT_TRUE(page.has_value());
  std::size_t examples = 0;
  for (const std::string start : {"```diff\n", "```python\n"}) {
    for (std::size_t at = 0; (at = page->find(start, at)) != std::string::npos; ++at) ++examples;
  }
  EXPECT_EQ(examples, catalogue->patterns().size());
  for (const Pattern& pattern : catalogue->patterns())
    EXPECT_NE(page->find("\n### " + pattern.id + "\n"), std::string::npos) << pattern.id;
}

/// What a user starts from must be right itself.
TEST(NewPattern, PassesItsOwnTests) {
  auto folder = TemporaryFolder::make("suture-test-");
  ASSERT_TRUE(folder.has_value());
  BinaryRun made = run_suture({"patterns", "new", "own-idea"}, {.folder = folder->path()});
  ASSERT_EQ(made.status, 0) << made.err;
  BinaryRun tested = run_suture({"patterns", "test", "own-idea.yaml"}, {.folder = folder->path()});
  EXPECT_EQ(tested.status, 0) << tested.out << tested.err;
  EXPECT_NE(tested.out.find("4 passed, 0 failed"), std::string::npos) << tested.out;
}

}  // namespace
}  // namespace suture
