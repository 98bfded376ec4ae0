#include "repair/syntax/source_file.h"

#include "tests/syntax/parse.h"

namespace suture {
namespace {

using testing::find;
using testing::parse;

TEST(Language, IsToldByExtension) {
  EXPECT_EQ(language_of("a/b.py"), Language::kPython);
  EXPECT_EQ(language_of("b.pyi"), Language::kPython);
  EXPECT_EQ(language_of("b.hpp"), Language::kCpp);
  EXPECT_EQ(language_of("b.cuh"), Language::kCuda);
  EXPECT_FALSE(language_of("py"));
  EXPECT_FALSE(language_of("a.pyc"));
  for (Language language : {Language::kPython, Language::kCpp, Language::kCuda}) {
    EXPECT_EQ(language_from(to_string(language)), language);
  }
}

TEST(SourceFile, RefusesBinaryContent) {
  auto file = SourceFile::parse("x.py", std::string("a\0b", 3), Language::kPython);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().kind, ErrorKind::kBadInput);
}

TEST(SourceFile, KeepsBytesThatAreNotUtf8) {
  auto file = parse("\xEF\xBB\xBFx = '\xE9'  # \xE9\ny = 1\n");
  EXPECT_EQ(file->error_count(), 0u);
  EXPECT_EQ(find(*file, "y = 1").line(), 2);
  EXPECT_EQ(file->root().named_child(0).text(), "x = '\xE9'");
  EXPECT_EQ(file->indentation_at(3), "");
}

TEST(SourceFile, KnowsItsLines) {
  auto file = parse("a\r\n  b\r\n\r\nc");
  EXPECT_EQ(file->newline(), "\r\n");
  EXPECT_EQ(file->line_text(2), "  b");
  EXPECT_EQ(file->line_text(3), "");
  EXPECT_EQ(file->line_text(4), "c");
  EXPECT_EQ(file->line_text(5), "");
  EXPECT_EQ(file->line_start(9), file->text().size());
  EXPECT_EQ(file->line_of(0), 1);
  EXPECT_EQ(file->line_of(5), 2);
  EXPECT_EQ(file->indentation_at(5), "  ");
}

TEST(SourceFile, FindsThePrevailingIndentUnit) {
  EXPECT_EQ(parse("if a:\n  b\nif c:\n  d\nif e:\n    f\n")->indent_unit(), "  ");
  EXPECT_EQ(parse("if a:\n\tb\n")->indent_unit(), "\t");
  EXPECT_EQ(parse("x = 1\n")->indent_unit(), "    ");
  EXPECT_EQ(parse("int f() {\n   return 1;\n}\n", Language::kCpp)->indent_unit(), "   ");
}

TEST(SourceFile, CountsErrors) {
  EXPECT_FALSE(parse("x = 1\n")->first_error());
  auto file = parse("x = 1\ny = (2\nz = 3\n");
  EXPECT_GT(file->error_count(), 0u);
  EXPECT_TRUE(file->first_error());
}

TEST(SourceFile, ReparsesLikeAParseFromScratch) {
  auto file = parse("def f(a):\n    return a\n\n\ndef g():\n    return f(1)\n");
  std::string edited = "def f(a):\n    if a:\n        return a\n\n\ndef g():\n    return f(1)\n";
  auto again = file->reparse(edited);
  ASSERT_TRUE(again);
  char* incremental = ts_node_string((*again)->root().raw());
  char* scratch = ts_node_string(parse(edited)->root().raw());
  EXPECT_STREQ(incremental, scratch);
  free(incremental);
  free(scratch);
}

TEST(EnclosingStatement, IsTheOneWhoseHeaderOrTextHoldsTheNode) {
  auto file = parse(
      "@dec\ndef f():\n    if a:\n        x = 1\n    elif b:\n        y = 2\n    else:\n"
      "        z = [i for i in g()]\n    match m:\n        case [q]:\n            pass\n");
  auto statement = [&](std::string_view snippet) {
    return enclosing_statement(find(*file, snippet)).text().substr(0, 5);
  };
  EXPECT_EQ(statement("a:"), "if a:");
  EXPECT_EQ(statement("b"), "if a:");
  EXPECT_EQ(statement("1"), "x = 1");
  EXPECT_EQ(statement("g()"), "z = [");
  EXPECT_EQ(statement("[q]"), "match");
  EXPECT_EQ(statement("f()"), "@dec\n");
  EXPECT_EQ(statement("x = 1"), "x = 1");
  EXPECT_FALSE(enclosing_statement(file->root()));
  EXPECT_FALSE(enclosing_statement(Node()));
}

TEST(EnclosingStatement, InCppIsAChildOfABlock) {
  auto file =
      parse("namespace n {\nvoid f() {\n  if (a) return;\n  switch (b) { case 1: g(); }\n}\n}\n",
            Language::kCpp);
  EXPECT_EQ(enclosing_statement(find(*file, "(a)")).text(), "if (a) return;");
  EXPECT_EQ(enclosing_statement(find(*file, "return;")).text(), "if (a) return;");
  EXPECT_EQ(enclosing_statement(find(*file, "g()")).text(), "g();");
}

TEST(QualifiedName, NestsClassesAndFunctions) {
  auto file = parse(
      "class A:\n    @p\n    def m(self):\n        def inner():\n            return 1\nx = 2\n");
  EXPECT_EQ(qualified_name(find(*file, "1")), "A.m.inner");
  EXPECT_EQ(qualified_name(find(*file, "self")), "A.m");
  EXPECT_EQ(qualified_name(find(*file, "2")), "");
  EXPECT_EQ(qualified_name(enclosing_statement(find(*file, "self"))), "A.m");
  EXPECT_TRUE(enclosing_function(find(*file, "1")).text().starts_with("def inner"));
  EXPECT_TRUE(enclosing_class(find(*file, "1")).text().starts_with("class A"));
}

TEST(Node, NullAnswersWithNothing) {
  Node null;
  EXPECT_FALSE(null);
  EXPECT_EQ(null.kind(), "");
  EXPECT_EQ(null.text(), "");
  EXPECT_EQ(null.line(), 0);
  EXPECT_FALSE(null.parent());
  EXPECT_FALSE(null.field("name"));
  EXPECT_TRUE(null.children().empty());
  EXPECT_FALSE(null.next_named_sibling());
  EXPECT_FALSE(null.ancestor({"module"}));
  walk(null, [](Node) -> bool { throw 1; });
}

TEST(Node, SkipsCommentsAmongSiblings) {
  auto file = parse("f(a,  # one\n  # two\n  b, \\\n  c)\n");
  Node list = find(*file, "a").parent();
  EXPECT_EQ(list.named_children().size(), 3u);
  EXPECT_EQ(find(*file, "a").next_named_sibling().text(), "b");
  EXPECT_EQ(find(*file, "b").previous_named_sibling().text(), "a");
  EXPECT_EQ(find(*file, "b").next_named_sibling().text(), "c");
}

TEST(Node, WalksInDocumentOrderAndStopsWhereTold) {
  auto file = parse("a(b)\nc\n");
  std::string seen;
  walk(file->root(), [&](Node node) {
    if (node.is({"identifier"})) seen += node.text();
    return !node.is({"argument_list"});
  });
  EXPECT_EQ(seen, "ac");
  seen.clear();
  walk(find(*file, "a(b)"), [&](Node node) {  // not beyond the node
    if (node.is({"identifier"})) seen += node.text();
    return true;
  });
  EXPECT_EQ(seen, "ab");
}

}  // namespace
}  // namespace suture
