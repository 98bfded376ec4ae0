#include "repair/syntax/node_table.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "repair/base/file.h"
#include "repair/syntax/source_file.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

/// Compares what a node says without and with the table.
void expect_same_ways(const SourceFile& file) {
  std::vector<TSNode> plain;
  walk(file.root(), [&](Node node) {
    plain.push_back(node.raw());
    return true;
  });
  ASSERT_EQ(file.table(), nullptr) << "a walk does not need it";
  for (int i = 0; i <= 100; ++i) file.parent_of(file.root());
  ASSERT_NE(file.table(), nullptr);

  std::size_t at = 0;
  walk(file.root(), [&](Node node) {
    EXPECT_TRUE(at < plain.size() && ts_node_eq(plain[at], node.raw()));
    ++at;
    TSNode raw = node.raw();
    EXPECT_EQ(node.kind(), ts_node_type(raw));
    EXPECT_TRUE(ts_node_eq(node.parent().raw(), ts_node_parent(raw))) << node.text();
    std::vector<Node> children = node.children();
    EXPECT_EQ(children.size(), ts_node_child_count(raw));
    for (std::size_t i = 0; i < children.size(); ++i) {
      EXPECT_TRUE(ts_node_eq(children[i].raw(), ts_node_child(raw, std::uint32_t(i))));
    }
    // In C++ ts_node_child_by_field_id gives `(a = b)` the fields of what is in the parentheses.
    const TSLanguage* language = ts_node_language(raw);
    bool exact = file.language() == Language::kPython;
    for (TSFieldId field = 1; exact && field <= ts_language_field_count(language); ++field) {
      std::string name = ts_language_field_name_for_id(language, field);
      TSNode expected = ts_node_child_by_field_id(raw, field);
      EXPECT_TRUE(ts_node_eq(node.field(name).raw(), expected))
          << name << " of " << node.kind() << " " << node.text() << ": " << node.field(name).text()
          << ", not " << Node(expected, &file).text();
    }
    return !testing::Test::HasFailure();
  });
  EXPECT_EQ(at, plain.size());
}

TEST(NodeTable, AnswersAsTreeSitterForRealFiles) {
  fs::path top(SUTURE_SOURCE_DIR);
  for (const char* path : {"repair/reproduce/probe", "repair/validate/warm", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(top / path)) {
      auto language = language_of(entry.path().string());
      if (!entry.is_regular_file() || !language) continue;
      auto text = read_file(entry.path(), 1 << 20);
      ASSERT_TRUE(text) << entry.path();
      auto file = SourceFile::parse(entry.path().filename(), *text, *language);
      ASSERT_TRUE(file) << entry.path();
      SCOPED_TRACE(entry.path());
      expect_same_ways(**file);
      if (HasFailure()) return;
    }
  }
}

TEST(NodeTable, KnowsOnlyItsOwnNodes) {
  auto one = SourceFile::parse("one.py", "f(x)\n", Language::kPython);
  auto other = SourceFile::parse("other.py", "f(x)\n", Language::kPython);
  NodeTable table((*one)->tree());
  EXPECT_EQ(table.find((*one)->root().raw()), 0u);
  EXPECT_EQ(table.find((*other)->root().raw()), NodeTable::kNone);
}

}  // namespace
}  // namespace suture
