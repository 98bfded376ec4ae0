#include "repair/locate/statements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace suture {
namespace {

using ::testing::ElementsAre;

std::unique_ptr<SourceFile> python(std::string text) {
  auto file = SourceFile::parse("m.py", std::move(text), Language::kPython);
  EXPECT_TRUE(file.has_value());
  return std::move(*file);
}

TEST(Statements, HeadersOfCompoundStatements) {
  const auto file = python(
      "@decorated\n"          // 1
      "def f(a,\n"            // 2
      "      b=1):\n"         // 3
      "    '''doc'''\n"       // 4
      "    if (a and\n"       // 5
      "            b):\n"     // 6
      "        return a\n"    // 7
      "    elif b:\n"         // 8
      "        b = 2\n"       // 9
      "    else:\n"           // 10
      "        print(b)\n");  // 11
  const StatementIndex index(*file);
  const int def = index.at(1);
  EXPECT_EQ(index.at(3), def);
  EXPECT_EQ(index[def].kind, StatementKind::kDef);
  EXPECT_EQ(index[def].body_end_line, 11);
  EXPECT_EQ(index.qualname(def), "f");
  EXPECT_EQ(index[index.at(4)].kind, StatementKind::kDocstring);
  const int condition = index.at(5);
  EXPECT_EQ(index.at(6), condition);
  EXPECT_EQ(index[condition].text, "if (a and\n            b):");
  EXPECT_EQ(index[index.at(7)].parent, condition);
  EXPECT_EQ(index[index.at(8)].kind, StatementKind::kCondition);
  EXPECT_EQ(index[index.at(9)].parent, index.at(8));
  EXPECT_TRUE(index[index.at(10)].is_else());
  EXPECT_EQ(index[index.at(10)].parent, condition);
  EXPECT_EQ(index[index.at(11)].parent, index.at(10));
  EXPECT_EQ(index[index.at(11)].kind, StatementKind::kLog);
  EXPECT_EQ(index.function_around(11), def);
  EXPECT_EQ(index.function_starting_at(1), def);
}

TEST(Statements, NestedFunctionsAreApart) {
  const auto file = python(
      "class C:\n"              // 1
      "    x = 1\n"             // 2
      "    def f(self):\n"      // 3
      "        def g():\n"      // 4
      "            return 1\n"  // 5
      "        return g\n");    // 6
  const StatementIndex index(*file);
  EXPECT_THAT(index.of_function(index.at(3)), ElementsAre(index.at(3), index.at(4), index.at(6)));
  EXPECT_THAT(index.of_function(-1), ElementsAre(index.at(1), index.at(2), index.at(3)));
  EXPECT_EQ(index.definition("C.f"), index.at(3));
  EXPECT_EQ(index[index.at(6)].cls, index.at(1));
}

TEST(Statements, BoundNames) {
  const auto file = python(
      "a, self.b = c[d] = e\n"
      "for i, j in x: pass\n"
      "with open(p) as q: pass\n"
      "import os.path, numpy as np\n"
      "from m import X, Y as Z\n"
      "n += 1\n"
      "if (w := f()): pass\n"
      "r = [k for k in s]\n");
  const StatementIndex index(*file);
  const auto bound = [&](int line) { return bound_names(index[index.at(line)]); };
  EXPECT_THAT(bound(1), ElementsAre("a", "self.b", "c"));
  EXPECT_THAT(bound(2), ElementsAre("i", "j"));
  EXPECT_THAT(bound(3), ElementsAre("q"));
  EXPECT_THAT(bound(4), ElementsAre("os", "np"));
  EXPECT_THAT(bound(5), ElementsAre("X", "Z"));
  EXPECT_THAT(bound(6), ElementsAre("n"));
  EXPECT_THAT(bound(7), ElementsAre("w"));
  EXPECT_THAT(bound(8), ElementsAre("r"));
}

TEST(Statements, Cpp) {
  auto file = SourceFile::parse("k.cu",
                                "namespace a {\n"
                                "template <class T>\n"
                                "int f(int n) {\n"
                                "  if (n > 1) {\n"
                                "    return n;\n"
                                "  }\n"
                                "  return 0;\n"
                                "}\n"
                                "}\n",
                                Language::kCuda);
  ASSERT_TRUE(file.has_value());
  const StatementIndex index(**file);
  ASSERT_GE(index.at(3), 0);
  EXPECT_EQ(index[index.at(3)].kind, StatementKind::kDef);
  EXPECT_EQ(index[index.at(4)].kind, StatementKind::kCondition);
  EXPECT_EQ(index[index.at(4)].end_line, 4);
  EXPECT_EQ(index[index.at(5)].parent, index.at(4));
  EXPECT_EQ(index[index.at(7)].kind, StatementKind::kReturn);
}

TEST(Statements, ElseIfOfCpp) {
  auto file = SourceFile::parse("k.cpp",
                                "void f(int n) {\n"
                                "  if (n > 1) {\n"
                                "    g();\n"
                                "  } else if (n > 0) {\n"
                                "    h();\n"
                                "  }\n"
                                "}\n",
                                Language::kCpp);
  ASSERT_TRUE(file.has_value());
  const StatementIndex index(**file);
  EXPECT_EQ(index[index.at(5)].text, "h();");
}

TEST(Statements, BrokenSourceHasStatementsToo) {
  const auto file = python("x = (\ny = 1\ndef f(:\n  return\n");
  const StatementIndex index(*file);
  EXPECT_FALSE(index.all().empty());
}

}  // namespace
}  // namespace suture
