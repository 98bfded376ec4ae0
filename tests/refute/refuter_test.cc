#include "repair/refute/refuter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace suture {
namespace {

using ::testing::HasSubstr;
using Rule = Refutation::Rule;

/// A change is written as the text of a file with `old` replaced by `now`.
class RefuterTest : public ::testing::Test {
 protected:
  std::optional<Refutation> refute(const std::string& path, const std::string& old,
                                   const std::string& now) {
    return refute({{path, {old, now}}});
  }

  std::optional<Refutation> refute(
      const std::map<std::string, std::pair<std::string, std::string>>& changes) {
    auto tree = SourceTree::in_memory(files_);
    std::map<std::string, std::vector<Edit>> edits;
    std::map<std::string, std::unique_ptr<SourceFile>> after;
    for (const auto& [path, change] : changes) {
      std::size_t at = files_[path].find(change.first);
      EXPECT_NE(at, std::string::npos) << change.first;
      auto start = std::uint32_t(at), end = std::uint32_t(at + change.first.size());
      edits[path] = {Edit{{start, end}, change.second}};
      auto parsed = parse_edited(*tree->source(path), *apply_edits(files_[path], edits[path]));
      EXPECT_TRUE(parsed.has_value()) << parsed.error().display();
      if (parsed) after[path] = std::move(*parsed);
    }
    return Refuter(*tree, check_text_).refute(edits, std::move(after));
  }

  /// The rule that refutes a change of "m.py"; "" for none.
  std::string rule(const std::string& old, const std::string& now) {
    auto refutation = refute("m.py", old, now);
    return refutation ? std::string(to_string(refutation->rule)) : "";
  }

  std::map<std::string, std::string> files_;
  std::string check_text_;
};

// ---- what Python does not compile --------------------------------------------------------------

TEST_F(RefuterTest, WhatPythonDoesNotCompile) {
  files_["m.py"] =
      "def f(a, b=1):\n"
      "    for x in a:\n"
      "        f(x, b=2)\n"
      "    pass\n"
      "pass\n";
  EXPECT_EQ(rule("b=2", "b=2, b=3"), "parse");
  EXPECT_EQ(rule("b=2", "b=2, a"), "parse");
  EXPECT_EQ(rule("b=2", "**a, a"), "parse");
  EXPECT_EQ(rule("b=1", "b=1, c"), "parse");
  EXPECT_EQ(rule("b=1", "a=1"), "parse");
  EXPECT_EQ(rule("\npass", "\nreturn 1"), "parse");
  EXPECT_EQ(rule("\npass", "\nbreak"), "parse");
  EXPECT_EQ(rule("    pass", "    continue"), "parse");
}

TEST_F(RefuterTest, WhatItDoesCompile) {
  files_["m.py"] =
      "def f(a, *, b=1):\n"
      "    for x in a:\n"
      "        f(x, b=2)\n"
      "    else:\n"
      "        pass\n"
      "    return [f(y, **a) for y in a]\n";
  EXPECT_EQ(rule("b=1", "b=1, c"), "");
  EXPECT_EQ(rule("b=1", "b=1, **kw"), "");
  EXPECT_EQ(rule("b=2", "b=2, *a, **a"), "");
  EXPECT_EQ(rule("        f(x, b=2)", "        if x:\n            continue"), "");
  EXPECT_EQ(rule("return [", "yield ["), "");
  EXPECT_EQ(rule("return [f(y, **a) for y in a]", "return lambda: (yield)"), "");
}

// ---- names -------------------------------------------------------------------------------------

TEST_F(RefuterTest, ANameThatNothingBindsIsRefuted) {
  files_["m.py"] =
      "import os\n\n\n"
      "def f(a):\n"
      "    b = a\n"
      "    return b\n\n\n"
      "def g(c):\n"
      "    return os.path.join(c)\n";
  auto refutation = refute("m.py", "return b", "return b or missing");
  ASSERT_TRUE(refutation.has_value());
  EXPECT_EQ(refutation->rule, Rule::kName);
  EXPECT_THAT(refutation->reason, HasSubstr("line 6 uses `missing`"));
  EXPECT_EQ(rule("join(c)", "join(b)"), "name") << "a local of another function";
  EXPECT_EQ(rule("\n\n\ndef g", "\nx = a\n\ndef g"), "name") << "moved out of its function";
  EXPECT_EQ(rule("return b", "return json.dumps(b)"), "name");
  EXPECT_EQ(rule("(c)", "(c, d=c)"), "name") << "a parameter is not known to its neighbour";
}

TEST_F(RefuterTest, NamesThatSomethingBindsAreNot) {
  files_["m.py"] =
      "import os\n\n\n"
      "class C:\n"
      "    def f(self, a):\n"
      "        b = a\n"
      "        return b\n\n\n"
      "def g():\n"
      "    global late\n"
      "    late = 1\n";
  EXPECT_EQ(rule("return b", "return [x for x in b]"), "");
  EXPECT_EQ(rule("return b", "return self.anything.at(all=a)"), "");
  EXPECT_EQ(rule("return b", "return late"), "");
  EXPECT_EQ(rule("return b", "return C, g, os, len(b), __file__, __class__"), "");
  EXPECT_EQ(rule("return b", "import json\n        return json.dumps(b)"), "");
  EXPECT_EQ(rule("return b", "return (lambda *x, **y: (x, y))(b)"), "");
  EXPECT_EQ(rule("return b",
                 "try:\n            return unicode(b)\n"
                 "        except NameError:\n            return b"),
            "");
  EXPECT_EQ(rule("import os", "import os\nfrom typing import Optional"), "");
}

TEST_F(RefuterTest, WhereAnythingMayBeBoundNothingIsRefuted) {
  for (const char* head : {"from os import *\n", "globals().update(a=1)\n", "exec('x = 1')\n"}) {
    files_["m.py"] = std::string(head) + "def f(a):\n    return a\n";
    EXPECT_EQ(rule("return a", "return x"), "") << head;
  }
  files_["m.py"] = "def f(a):\n    return a\n";
  EXPECT_EQ(rule("def f", "from os import *\n\n\ndef f"), "");
  EXPECT_EQ(rule("return a", "return x"), "name");
  files_["conftest.py"] = "import builtins\nbuiltins.x = 1\n";
  EXPECT_EQ(rule("return a", "return x"), "");
}

TEST_F(RefuterTest, WhatTheFileDidBeforeMayBeDoneAgain) {
  files_["m.py"] = "def f(a):\n    return injected(a)\n";
  EXPECT_EQ(rule("return injected(a)", "return injected(a, 1)"), "");
}

TEST_F(RefuterTest, AnnotationsThatAreNotEvaluated) {
  files_["m.py"] = "from __future__ import annotations\n\n\ndef f(a):\n    return a\n";
  EXPECT_EQ(rule("(a)", "(a: Tensor)"), "");
  EXPECT_EQ(rule("return a", "return Tensor(a)"), "name");
  files_["m.py"] = "def f(a):\n    return a\n";
  EXPECT_EQ(rule("(a)", "(a: Tensor)"), "name");
}

// ---- calls -------------------------------------------------------------------------------------

TEST_F(RefuterTest, CallsThatCannotBeBound) {
  files_["m.py"] =
      "def f(a, b, *, c=1):\n"
      "    return a\n\n\n"
      "def g(x):\n"
      "    return f(x, 2)\n";
  auto refutation = refute("m.py", "f(x, 2)", "f(x, 2, 3)");
  ASSERT_TRUE(refutation.has_value());
  EXPECT_EQ(refutation->rule, Rule::kCall);
  EXPECT_EQ(refutation->reason, "line 6 calls `f`, which takes 2 by position, not 3");
  EXPECT_EQ(rule("f(x, 2)", "f(x)"), "call");
  EXPECT_EQ(rule("f(x, 2)", "f(x, d=2)"), "call");
  EXPECT_EQ(rule("f(x, 2)", "f(x, 2, b=2)"), "call");
  EXPECT_EQ(rule("f(x, 2)", "f(x, c=2)"), "call");
  EXPECT_EQ(rule("f(x, 2)", "f(x, d=2, *x)"), "call");
}

TEST_F(RefuterTest, CallsThatCan) {
  files_["m.py"] =
      "def f(a, b, *, c=1):\n"
      "    return a\n\n\n"
      "def g(x):\n"
      "    return f(x, 2)\n";
  for (const char* call : {"f(x, b=2)", "f(b=x, a=2, c=3)", "f(*x)", "f(x, *x)", "f(**x)",
                           "f(x, **x)", "f(x, c=1, **x)", "f(a=x, b=1)"})
    EXPECT_EQ(rule("f(x, 2)", call), "") << call;
  EXPECT_EQ(rule("f(x, 2)", "f(y for y in x)"), "call") << "one argument";
}

TEST_F(RefuterTest, ACallThatWasSoBeforeIsNoneOfItsBusiness) {
  files_["m.py"] = "def f(a):\n    return a\n\n\ndef g(x):\n    return f(x, 2) + 1\n";
  EXPECT_EQ(rule("f(x, 2) + 1", "f(x, 2) + 2"), "");
  EXPECT_EQ(rule("f(x, 2) + 1", "f(x, 2, 3)"), "call");
}

TEST_F(RefuterTest, WhatTheChangeDoesToTheFunctionCounts) {
  files_["m.py"] = "from lib import f\n\n\ndef g(x):\n    return f(x)\n";
  files_["lib.py"] = "def f(a):\n    return a\n";
  EXPECT_EQ(rule("f(x)", "f(x, 2)"), "call");
  EXPECT_FALSE(refute({{"m.py", {"f(x)", "f(x, 2)"}}, {"lib.py", {"(a)", "(a, b)"}}}).has_value());
}

TEST_F(RefuterTest, FunctionsAreFoundThroughImports) {
  files_["pkg/__init__.py"] = "from .impl import f, C\nfrom . import other\n";
  files_["pkg/impl.py"] =
      "import torch.nn as nn\n\n\n"
      "def f(a):\n    return a\n\n\n"
      "class Base(nn.Module):\n    pass\n\n\n"
      "class C(object):\n    def __init__(self, a):\n        self.a = a\n";
  files_["pkg/other.py"] = "def h(a):\n    return a\n";
  files_["m.py"] =
      "import pkg\nimport pkg.other as o\nfrom pkg import f as renamed, C\nfrom pkg import other\n"
      "def g(x):\n    return x\n";
  for (const char* call :
       {"renamed(x, 1)", "C()", "C(1, 2)", "other.h()", "o.h(1, 2)", "pkg.f()", "pkg.other.h()"})
    EXPECT_EQ(rule("return x", std::string("return ") + call), "call") << call;
  for (const char* call : {"renamed(x)", "C(1)", "other.h(1)", "o.h(1)", "pkg.f(1)", "x.f()",
                           "pkg.unknown()", "C.make()"})
    EXPECT_EQ(rule("return x", std::string("return ") + call), "") << call;
}

TEST_F(RefuterTest, MethodsThroughSelf) {
  files_["m.py"] =
      "class C:\n"
      "    def plain(self, a):\n        return a\n\n"
      "    @staticmethod\n    def fixed(a):\n        return a\n\n"
      "    @classmethod\n    def made(cls, a):\n        return a\n\n"
      "    @property\n    def prop(self):\n        return print\n\n"
      "    def use(self):\n        return 1\n";
  for (const char* call :
       {"self.plain()", "self.fixed()", "self.fixed(1, 2)", "self.made()", "self.plain(1, b=2)"})
    EXPECT_EQ(rule("return 1", std::string("return ") + call), "call") << call;
  for (const char* call :
       {"self.plain(1)", "self.fixed(1)", "self.made(1)", "self.prop(1, 2)", "self.other(1)"})
    EXPECT_EQ(rule("return 1", std::string("return ") + call), "") << call;
  files_["sub.py"] = "from m import C\nclass D(C):\n    def plain(self, a=1):\n        return a\n";
  EXPECT_EQ(rule("return 1", "return self.plain()"), "") << "a subclass takes more";
}

/// Wherever something may stand between a call and the function that it seems to call.
TEST_F(RefuterTest, DoubtfulCalleesAreNotJudged) {
  const std::map<std::string, std::string> doubtful{
      {"decorated", "@wrap\ndef f(a):\n    return a\n"},
      {"twice", "def f(a):\n    return a\nif f:\n    def f(a, b):\n        return a\n"},
      {"rebound", "def f(a):\n    return a\nf = wrap(f)\n"},
      {"fallback", "try:\n    from lib import f\nexcept ImportError:\n    f = None\n"},
      {"from a function", "def f(a):\n    return a\ndef h():\n    global f\n    f = print\n"},
      {"star import", "def f(a):\n    return a\nfrom lib import *\n"},
      {"positional only", "def f(a, /):\n    return a\n"},
      {"decorated class", "@dataclass\nclass f:\n    def __init__(self, a):\n        pass\n"},
      {"metaclass", "class f(metaclass=Meta):\n    def __init__(self, a):\n        pass\n"},
      {"own __new__",
       "class f:\n    def __new__(cls, *a):\n        pass\n"
       "    def __init__(self, a):\n        pass\n"},
      {"unknown base", "class f(Elsewhere):\n    def __init__(self, a):\n        pass\n"},
      {"no constructor", "class f:\n    pass\n"},
      {"enum", "class f(Enum):\n    A = 1\n"},
      {"replaced constructor",
       "class f:\n    def __init__(self, a):\n        pass\n"
       "f.__init__ = print\n"},
  };
  for (const auto& [why, head] : doubtful) {
    files_["m.py"] = head + "def g(x):\n    return x\n";
    EXPECT_EQ(rule("def g(x):\n    return x", "def g(x):\n    return f(x, 2)"), "") << why;
  }
  files_["m.py"] = "def f(a):\n    return a\ndef g(x):\n    return x\n";
  ASSERT_EQ(rule("return x", "return f(x, 2)"), "call");
  EXPECT_EQ(rule("g(x):\n    return x", "g(x, f):\n    return f(x, 2)"), "") << "a parameter";
  EXPECT_EQ(rule("return x", "f = x\n    return f(x, 2)"), "") << "a local";
  EXPECT_EQ(rule("return x", "try:\n        f(x, 2)\n    except TypeError:\n        pass"), "");
  check_text_ = "import m\nm.f = lambda *a: a\n";
  EXPECT_EQ(rule("return x", "return f(x, 2)"), "") << "the check replaces it";
  check_text_ = "with mock.patch('m.f'):\n    pass\n";
  EXPECT_EQ(rule("return x", "return f(x, 2)"), "") << "the check replaces it by name";
  check_text_ = "assert m.f == 1\n";
  EXPECT_EQ(rule("return x", "return f(x, 2)"), "call");
  files_["conftest.py"] = "import m\nm.f = print\n";
  EXPECT_EQ(rule("return x", "return f(x, 2)"), "") << "the tree replaces it";
}

TEST_F(RefuterTest, AModuleThatMayBeAnotherOneIsNotJudged) {
  files_["tools.py"] = "def f(a):\n    return a\n";
  files_["m.py"] = "from tools import f\ndef g(x):\n    return x\n";
  ASSERT_EQ(rule("return x", "return f(x, 2)"), "call");
  files_["scripts/tools.py"] = "def f(a, b):\n    return a\n";
  EXPECT_EQ(rule("return x", "return f(x, 2)"), "");
}

TEST_F(RefuterTest, OtherLanguagesAreNotJudged) {
  files_["m.cc"] = "int f(int a) { return a; }\n";
  EXPECT_FALSE(refute("m.cc", "return a", "return b").has_value());
}

}  // namespace
}  // namespace suture
