#include <gtest/gtest.h>

#include "repair/syntax/source_tree.h"

namespace suture {
namespace {

using Files = std::vector<std::string>;

TEST(FilesDefining, FindsFunctionsAndClassesByTheirText) {
  auto tree = SourceTree::in_memory(
      {{"a.py",
        "def f():\n    pass\n\nclass C:\n    async def g(self): pass\n    def f(self): pass\n"},
       {"b.py", "from a import f\nundef f\nclass f(C): pass\n"},
       {"c.cc", "class C {};\n"}});
  EXPECT_EQ(tree->files_defining("f"), (Files{"a.py", "b.py"}));
  EXPECT_EQ(tree->files_defining("g"), (Files{"a.py"}));
  EXPECT_EQ(tree->files_defining("C"), (Files{"a.py"}));
  EXPECT_TRUE(tree->files_defining("h").empty());
}

}  // namespace
}  // namespace suture
