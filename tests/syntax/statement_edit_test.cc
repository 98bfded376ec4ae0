#include <gtest/gtest.h>

#include "repair/syntax/edit.h"
#include "tests/syntax/parse.h"

namespace suture {
namespace {

using testing::apply_all;
using testing::find;
using testing::parse;

/// Runs one edit on the statement that holds the snippet and checks that the result parses.
template <class Operation>
std::string edited(std::string source, std::string_view snippet, Operation operation,
                   Language language = Language::kPython) {
  auto file = parse(std::move(source), language);
  std::string result = apply_all(*file, operation(find(*file, snippet)));
  auto status = check_syntax(*file, result);
  EXPECT_TRUE(status) << status.error().display() << "\n" << result;
  return result;
}

auto before(std::string_view block) {
  return [block](Node node) { return std::vector{insert_before(node, block)}; };
}
auto after(std::string_view block) {
  return [block](Node node) { return std::vector{insert_after(node, block)}; };
}
auto replace(std::string_view block) {
  return [block](Node node) { return std::vector{replace_statement(node, block)}; };
}
auto remove() {
  return [](Node node) { return std::vector{remove_statement(node)}; };
}
auto wrap(std::string_view header) {
  return [header](Node node) { return wrap_statement(node, header); };
}

TEST(ApplyEdits, TakesAnyOrderAndKeepsInsertsInOrder) {
  EXPECT_EQ(*apply_edits("abcdef", {{{4, 5}, "E"}, {{1, 1}, "x"}, {{1, 1}, "y"}, {{1, 2}, "B"}}),
            "axyBcdEf");
  EXPECT_EQ(*apply_edits("ab", {{{1, 1}, "x"}, {{1, 1}, "y"}, {{1, 1}, "x"}}), "axyb");
  EXPECT_EQ(*apply_edits("ab", {{{0, 1}, "x"}, {{0, 1}, "x"}, {{1, 1}, "z"}}), "xzb");
  EXPECT_EQ(*apply_edits("", {}), "");
}

TEST(ApplyEdits, RefusesOverlapAndOutside) {
  EXPECT_EQ(apply_edits("abc", {{{0, 2}, "x"}, {{1, 3}, "y"}}).error().kind, ErrorKind::kInternal);
  EXPECT_EQ(apply_edits("abc", {{{0, 2}, "x"}, {{0, 2}, "y"}}).error().kind, ErrorKind::kInternal);
  EXPECT_EQ(apply_edits("abc", {{{2, 4}, "x"}}).error().kind, ErrorKind::kInternal);
}

TEST(CheckSyntax, RefusesNewErrorsOnly) {
  auto file = parse("def f():\n    return 1\n");
  EXPECT_TRUE(check_syntax(*file, "def f():\n    return 2\n"));
  auto status = check_syntax(*file, "def f():\n    return (1\n");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kBadInput);
  EXPECT_NE(status.error().message.find("line 2"), std::string::npos) << status.error().message;

  auto broken = parse("x = (\n\n\ndef f():\n    return 1\n");
  EXPECT_TRUE(check_syntax(*broken, "x = (\n\n\ndef f():\n    return 2\n"));
}

TEST(CheckSyntax, RefusesABlockWithoutAStatement) {
  auto file = parse("if a:\n    # why\n    b\nc\n");
  EXPECT_FALSE(check_syntax(*file, "if a:\n    # why\nc\n"));
  EXPECT_FALSE(check_syntax(*file, "if a:\n    \nc\n"));
  EXPECT_TRUE(check_syntax(*file, "if a:\n    # why\n    pass\nc\n"));
}

TEST(Reindent, MovesBlocks) {
  EXPECT_EQ(reindent("if x:\n    y\nz", "  "), "if x:\n      y\n  z");
  EXPECT_EQ(reindent("if x:\n    y", "  "), "if x:\n      y");
  EXPECT_EQ(reindent("    a\n      b", "\t"), "a\n\t  b");
  EXPECT_EQ(reindent("a", "    "), "a");
  EXPECT_EQ(reindent("a\n\n  \nb\n", "  "), "a\n\n\n  b\n");
}

TEST(Reindent, UnderstandsTheTextOfANode) {
  EXPECT_EQ(reindent("if x:\n            y\n        else:\n            z", ""),
            "if x:\n    y\nelse:\n    z");
  EXPECT_EQ(reindent("if x:\n            y", "    "), "if x:\n        y");
  EXPECT_EQ(reindent("foo(\n            a,\n        )", "    "), "foo(\n        a,\n    )");
}

TEST(Reindent, LeavesLinesInStringsAlone) {
  EXPECT_EQ(reindent("x = '''\n  a\n'''\ny = 1", "    "), "x = '''\n  a\n'''\n    y = 1");
  EXPECT_EQ(reindent("x = \"a\\\n b\"\ny", "  "), "x = \"a\\\n b\"\n  y");
  EXPECT_EQ(reindent("# don't\nx = '#'\ny", "  "), "# don't\n  x = '#'\n  y");
}

TEST(InStyleOf, TakesLineEndsAndUnit) {
  EXPECT_EQ(in_style_of(*parse("if a:\r\n\tb\r\n"), "if x:\n    if y:\n        z"),
            "if x:\r\n\tif y:\r\n\t\tz");
  EXPECT_EQ(in_style_of(*parse("if a:\n  b\n"), "if x:\n    y"), "if x:\n  y");
  EXPECT_EQ(in_style_of(*parse("if a:\n  b\n"), "if x:\n  if y:\n    z"), "if x:\n  if y:\n    z");
}

TEST(InsertBefore, TakesTheStatementsIndentation) {
  EXPECT_EQ(edited("def f():\n  a\n  b\n", "b", before("if x:\n    y")),
            "def f():\n  a\n  if x:\n    y\n  b\n");
  EXPECT_EQ(edited("\xEF\xBB\xBF"
                   "a\r\n",
                   "a", before("b")),
            "\xEF\xBB\xBF"
            "b\r\na\r\n");
  EXPECT_EQ(edited("@d\ndef f(): pass\n", "f()", before("x = 1")), "x = 1\n@d\ndef f(): pass\n");
}

TEST(InsertBefore, TakesSharedLinesApart) {
  EXPECT_EQ(edited("a; b; c  # why\n", "b", before("x")), "a\nx\nb\nc  # why\n");
  EXPECT_EQ(edited("a; b\n", "a", before("x")), "x\na; b\n");
  EXPECT_EQ(edited("def f():\n  if a: f(x)\n  else: g()\n", "f(x)", before("y")),
            "def f():\n  if a:\n    y\n    f(x)\n  else: g()\n");
  EXPECT_EQ(edited("if a: \\\n  b\n", "b", before("x")), "if a:\n    x\n    b\n");
}

TEST(InsertAfter, GoesBehindCommentsOfTheStatement) {
  EXPECT_EQ(edited("a  # c\nb\n", "a", after("x")), "a  # c\nx\nb\n");
  EXPECT_EQ(edited("if a:\n    b\n    # tail\n\n# next\nc\n", "if a:", after("x")),
            "if a:\n    b\n    # tail\nx\n\n# next\nc\n");
  EXPECT_EQ(edited("def f():\n\tx = '''\n  '''\n\ty\n", "x =", after("z")),
            "def f():\n\tx = '''\n  '''\n\tz\n\ty\n");
}

TEST(InsertAfter, WorksAtTheEndOfAFileWithoutFinalNewline) {
  EXPECT_EQ(edited("a", "a", after("b")), "a\nb");
  EXPECT_EQ(edited("if a:\r\n    b", "b", after("c")), "if a:\r\n    b\r\n    c");
  EXPECT_EQ(edited("if a: b", "b", after("c")), "if a:\n    b\n    c");
  EXPECT_EQ(edited("a; b;  # c", "a", after("x")), "a\nx\nb  # c");
  EXPECT_EQ(edited("a; b;  # c", "b", after("x")), "a; b;  # c\nx");
}

TEST(ReplaceStatement, KeepsWhatStandsBehind) {
  EXPECT_EQ(edited("if a:\n    b  # c\n", "b", replace("d")), "if a:\n    d  # c\n");
  EXPECT_EQ(edited("a; b; c\n", "b", replace("d")), "a; d; c\n");
  EXPECT_EQ(edited("if a: b; c\n", "c", replace("if d:\n    e")),
            "if a:\n    b\n    if d:\n        e\n");
}

TEST(RemoveStatement, TakesItsLines) {
  EXPECT_EQ(edited("a\n# about b\nb(1,\n  2)  # c\nd\n", "b(1", remove()), "a\n# about b\nd\n");
  EXPECT_EQ(edited("if a:\n    b\n", "b", remove()), "if a:\n    pass\n");
  EXPECT_EQ(edited("if a: b\n", "b", remove()), "if a: pass\n");
  EXPECT_EQ(edited("a; b; c\n", "a", remove()), "b; c\n");
  EXPECT_EQ(edited("a; b; c;\n", "c", remove()), "a; b;\n");
  EXPECT_EQ(edited("\xEF\xBB\xBF"
                   "a\nb\n",
                   "a", remove()),
            "\xEF\xBB\xBF"
            "b\n");
  EXPECT_EQ(edited("a\nb", "b", remove()), "a");
  EXPECT_EQ(edited("a", "a", remove()), "");
  EXPECT_EQ(
      edited("class A:\r\n    @d\r\n    def f(self): pass\r\n    x = 1\r\n", "f(self)", remove()),
      "class A:\r\n    x = 1\r\n");
}

TEST(WrapStatement, MovesAllButStrings) {
  EXPECT_EQ(edited("def f():\n\tx = g('''\n a\n''',\n\t\t1)\n", "x =", wrap("if a:")),
            "def f():\n\tif a:\n\t\tx = g('''\n a\n''',\n\t\t\t1)\n");
  EXPECT_EQ(edited("for a in b:\n  c\n\n  # tail\nd\n", "for a", wrap("with e:")),
            "with e:\n  for a in b:\n    c\n\n    # tail\nd\n");
  EXPECT_EQ(edited("if a: b; c # d\n", "c", wrap("if e:")),
            "if a:\n    b\n    if e:\n        c # d\n");
  EXPECT_EQ(edited("a; b", "a", wrap("if c:")), "if c:\n    a\nb");
  EXPECT_TRUE(wrap_statement(Node(), "if a:").empty());
}

TEST(WrapStatement, HandlesChains) {
  EXPECT_EQ(edited("if a:\r\n  b\r\nelif c:\r\n  d\r\nelse:\r\n  e\r\n", "c", wrap("if x:")),
            "if x:\r\n  if a:\r\n    b\r\n  elif c:\r\n    d\r\n  else:\r\n    e\r\n");
}

TEST(UnwrapStatement, RemovesTheHeader) {
  auto unwrap = [](Node node) { return unwrap_statement(node); };
  EXPECT_EQ(edited("if a:  # h\n    # lead\n    b(\n        '''\n    x''')\n    c  # t\nd\n",
                   "if a", unwrap),
            "# lead\nb(\n    '''\n    x''')\nc  # t\nd\n");
  EXPECT_EQ(edited("def f():\n  with a: b; c\n", "with a", unwrap), "def f():\n  b; c\n");
  EXPECT_EQ(edited("try:\n    a\nexcept B:\n    c\nexcept D: e\nf\n", "try", unwrap), "a\nf\n");
  EXPECT_TRUE(unwrap_statement(find(*parse("if a:\n    b\nelse:\n    c\n"), "if a")).empty());
  EXPECT_TRUE(unwrap_statement(find(*parse("def f():\n    c\n"), "f")).empty());
}

TEST(StatementEditsInCpp, KeepBraces) {
  constexpr auto kCpp = Language::kCpp;
  std::string source = "void f() {\n  if (a) return;\n  g();\n}\n";
  EXPECT_EQ(edited(source, "g()", before("h();"), kCpp),
            "void f() {\n  if (a) return;\n  h();\n  g();\n}\n");
  EXPECT_EQ(edited(source, "return;", before("h();"), kCpp),
            "void f() {\n  if (a) {\n    h();\n    return;\n  }\n  g();\n}\n");
  EXPECT_EQ(edited(source, "return;", remove(), kCpp), "void f() {\n  if (a) {}\n  g();\n}\n");
  EXPECT_EQ(edited(source, "g()", remove(), kCpp), "void f() {\n  if (a) return;\n}\n");
  EXPECT_EQ(edited(source, "g()", wrap("if (p != nullptr)"), kCpp),
            "void f() {\n  if (a) return;\n  if (p != nullptr) {\n    g();\n  }\n}\n");
  EXPECT_EQ(edited("void f() { g(); h(); }\n", "g()", after("x();"), kCpp),
            "void f() { g();\nx(); h(); }\n");
}

}  // namespace
}  // namespace suture
