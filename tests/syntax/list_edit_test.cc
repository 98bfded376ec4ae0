#include <gtest/gtest.h>

#include "repair/syntax/edit.h"
#include "tests/syntax/parse.h"

namespace suture {
namespace {

using testing::apply_all;
using testing::find;
using testing::parse;

std::string checked(const SourceFile& file, const Edit& edit) {
  std::string result = apply_all(file, {edit});
  auto status = check_syntax(file, result);
  EXPECT_TRUE(status) << status.error().display() << "\n" << result;
  return result;
}

std::string with_positional(std::string source) {
  auto file = parse(std::move(source));
  return checked(*file, add_positional_argument(file->root().named_child(0).named_child(0), "X"));
}

std::string with_keyword(std::string source) {
  auto file = parse(std::move(source));
  return checked(*file, add_keyword_argument(file->root().named_child(0).named_child(0), "k=X"));
}

TEST(AddArgument, PositionalGoesBeforeKeywords) {
  EXPECT_EQ(with_positional("f()\n"), "f(X)\n");
  EXPECT_EQ(with_positional("f(a)\n"), "f(a, X)\n");
  EXPECT_EQ(with_positional("f(a, *b, c=1, **d)\n"), "f(a, *b, X, c=1, **d)\n");
  EXPECT_EQ(with_positional("f(\n    a,\n    c=1,  # c\n)\n"),
            "f(\n    a,\n    X,\n    c=1,  # c\n)\n");
  EXPECT_EQ(with_positional("f(x for x in y)\n"), "f((x for x in y), X)\n");
}

TEST(AddArgument, KeywordGoesBeforeDoubleStar) {
  EXPECT_EQ(with_keyword("f(a, **d)\n"), "f(a, k=X, **d)\n");
  EXPECT_EQ(with_keyword("f(a, )\n"), "f(a, k=X, )\n");
  EXPECT_EQ(with_keyword("f(\r\n    a,  # why\r\n)\r\n"),
            "f(\r\n    a,  # why\r\n    k=X,\r\n)\r\n");
  EXPECT_EQ(with_keyword("f(\n    a  # why\n)\n"), "f(\n    a,  # why\n    k=X\n)\n");
  EXPECT_EQ(with_keyword("f(\n\ta,\n\tb)"), "f(\n\ta,\n\tb,\n\tk=X)");
  EXPECT_EQ(with_keyword("f(a,\n  b)\n"), "f(a,\n  b,\n  k=X)\n");
  EXPECT_EQ(with_keyword("f(  # none\n)\n"), "f(  # none\nk=X)\n");
}

TEST(AddArgument, WorksForCppAndClasses) {
  auto cpp = parse("int x = f(a,\n          b);\n", Language::kCpp);
  EXPECT_EQ(checked(*cpp, add_positional_argument(find(*cpp, "f(a,\n          b)"), "c")),
            "int x = f(a,\n          b,\n          c);\n");
  auto cls = parse("class A(B, metaclass=C): pass\n");
  EXPECT_EQ(checked(*cls, add_positional_argument(cls->root().named_child(0), "D")),
            "class A(B, D, metaclass=C): pass\n");
}

std::string without(std::string source, std::string_view argument) {
  auto file = parse(std::move(source));
  return checked(*file, remove_argument(find(*file, argument)));
}

TEST(RemoveArgument, TakesItsComma) {
  EXPECT_EQ(without("f(a, b, c=1)\n", "a"), "f(b, c=1)\n");
  EXPECT_EQ(without("f(a, b, c=1)\n", "c=1"), "f(a, b)\n");
  EXPECT_EQ(without("f(a)\n", "a"), "f()\n");
  EXPECT_EQ(without("f(a,)\n", "a"), "f()\n");
  EXPECT_EQ(without("f(\n    a,  # a\n    b,  # b\n)\n", "b"), "f(\n    a,  # a\n)\n");
  EXPECT_EQ(without("f(\n    a,  # a\n    b\n)\n", "b"), "f(\n    a,  # a\n)\n");
  EXPECT_EQ(without("f(\n    a,  # a\n    b)\n", "b"), "f(\n    a)\n");
  EXPECT_EQ(without("f(x for x in y)\n", "(x for x in y)"), "f()\n");
}

std::string with_parameter(std::string source, std::string_view parameter) {
  auto file = parse(std::move(source));
  auto edit = add_parameter(file->root().named_child(0), parameter);
  return edit ? checked(*file, *edit) : "";
}

TEST(AddParameter, KnowsTheOrder) {
  EXPECT_EQ(with_parameter("def f(): pass\n", "x"), "def f(x): pass\n");
  EXPECT_EQ(with_parameter("def f(a, b=1): pass\n", "x"), "def f(a, x, b=1): pass\n");
  EXPECT_EQ(with_parameter("def f(a, b: int = 1): pass\n", "x: int"),
            "def f(a, x: int, b: int = 1): pass\n");
  EXPECT_EQ(with_parameter("def f(a, *, b): pass\n", "x=1"), "def f(a, x=1, *, b): pass\n");
  EXPECT_EQ(with_parameter("def f(a, *b, c, **d): pass\n", "x=1"),
            "def f(a, *b, c, x=1, **d): pass\n");
  EXPECT_EQ(with_parameter("def f(a, *b, **d): pass\n", "x"), "def f(a, x, *b, **d): pass\n");
  EXPECT_EQ(with_parameter("def f(a, *, b): pass\n", "*x"), "def f(a, *x, b): pass\n");
  EXPECT_EQ(with_parameter("def f(a, **b): pass\n", "*x"), "def f(a, *x, **b): pass\n");
  EXPECT_EQ(with_parameter("def f(\n    self,\n    a=1,\n): pass\n", "**kwargs"),
            "def f(\n    self,\n    a=1,\n    **kwargs,\n): pass\n");
}

TEST(AddParameter, DoesNothingWhenItIsThere) {
  EXPECT_EQ(with_parameter("def f(x: int = 1): pass\n", "x"), "");
  EXPECT_EQ(with_parameter("def f(*args): pass\n", "*rest"), "");
  EXPECT_EQ(with_parameter("def f(**kw: int): pass\n", "**kwargs"), "");
  EXPECT_EQ(with_parameter("def f(): pass\n", "1 +"), "");
  EXPECT_EQ(with_parameter("x = 1\n", "x"), "");
}

TEST(AddParameter, WorksForLambdas) {
  auto file = parse("f = lambda: 0\ng = lambda a, **k: 0\n");
  EXPECT_EQ(checked(*file, *add_parameter(find(*file, "lambda: 0"), "x")),
            "f = lambda x: 0\ng = lambda a, **k: 0\n");
  EXPECT_EQ(checked(*file, *add_parameter(find(*file, "lambda a, **k: 0"), "x=1")),
            "f = lambda: 0\ng = lambda a, x=1, **k: 0\n");
}

std::string with_import(std::string source, std::string_view statement) {
  auto file = parse(std::move(source));
  auto edit = ensure_import(*file, statement);
  return edit ? checked(*file, *edit) : "nothing";
}

TEST(EnsureImport, DoesNothingWhenBound) {
  EXPECT_EQ(with_import("import os\n", "import os"), "nothing");
  EXPECT_EQ(with_import("import os.path\n", "import os"), "nothing");
  EXPECT_EQ(with_import("from a import (b,\n    c as d)\n", "from a import c as d"), "nothing");
  EXPECT_EQ(with_import("try:\n    import a.b as c\nexcept ImportError:\n    c = None\n",
                        "import a.b as c"),
            "nothing");
  EXPECT_EQ(with_import("from . import a\n", "from . import a"), "nothing");
  EXPECT_EQ(with_import("x = 1\n", "x = 2"), "nothing");
}

TEST(EnsureImport, JoinsAnEqualModule) {
  EXPECT_EQ(with_import("from a import b, d\n", "from a import c"), "from a import b, c, d\n");
  EXPECT_EQ(with_import("from a import d, b\n", "from a import c"), "from a import d, b, c\n");
  EXPECT_EQ(with_import("from a import (\n    b,\n    d,  # why\n)\n", "from a import e as f"),
            "from a import (\n    b,\n    d,  # why\n    e as f,\n)\n");
  EXPECT_EQ(with_import("from a import b, \\\n    d\n", "from a import e"),
            "from a import b, \\\n    d, e\n");
  EXPECT_EQ(with_import("from .a import b\n", "from .a import b, c"), "from .a import b, c\n");
  EXPECT_EQ(with_import("from a import *\n", "from a import b"),
            "from a import *\nfrom a import b\n");
}

TEST(EnsureImport, GoesBehindTheLeadingImports) {
  EXPECT_EQ(with_import("# licence\n\"\"\"Doc.\"\"\"\nimport a  # why\n\nif TYPE_CHECKING:\n"
                        "    from t import X\n\ntry:\n    import q\nexcept E:\n    q = None\n\n"
                        "y = 1\nimport late\n",
                        "from t import X"),
            "# licence\n\"\"\"Doc.\"\"\"\nimport a  # why\nfrom t import X\n\nif TYPE_CHECKING:\n"
            "    from t import X\n\ntry:\n    import q\nexcept E:\n    q = None\n\n"
            "y = 1\nimport late\n");
  EXPECT_EQ(with_import("'''Doc.'''\r\nx = 1\r\n", "import a"),
            "'''Doc.'''\r\n\r\nimport a\r\nx = 1\r\n");
  EXPECT_EQ(with_import("from __future__ import annotations\n\nx = 1\n", "import a.b as c"),
            "from __future__ import annotations\n\nimport a.b as c\n\nx = 1\n");
  EXPECT_EQ(with_import("#!/usr/bin/python\n# -*- coding: utf-8 -*-\nx = 1\n", "import a"),
            "#!/usr/bin/python\n# -*- coding: utf-8 -*-\nimport a\n\nx = 1\n");
  EXPECT_EQ(with_import("import a; import b", "import c"), "import a; import b\nimport c");
  EXPECT_EQ(with_import("", "import c"), "import c\n");
  EXPECT_EQ(with_import("# c", "import c"), "# c\nimport c");
}

TEST(EnsureImport, PutsFutureFirst) {
  EXPECT_EQ(with_import("\"\"\"D\"\"\"\nimport a\n", "from __future__ import annotations"),
            "\"\"\"D\"\"\"\n\nfrom __future__ import annotations\nimport a\n");
  EXPECT_EQ(with_import("import a\n", "from __future__ import annotations"),
            "from __future__ import annotations\nimport a\n");
  EXPECT_EQ(with_import("from __future__ import a\nimport b\n", "from __future__ import b"),
            "from __future__ import a, b\nimport b\n");
}

}  // namespace
}  // namespace suture
