#include "repair/syntax/source_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "repair/base/file.h"
#include "tests/syntax/parse.h"

namespace suture {
namespace {

using ::testing::ElementsAre;
using testing::find;
using testing::parse;
namespace fs = std::filesystem;

void write(const fs::path& path, std::string_view content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

std::vector<std::string> names(const std::vector<Definition>& definitions) {
  std::vector<std::string> result;
  for (const Definition& definition : definitions) result.push_back(definition.qualname);
  return result;
}

/// "file:qualname" of what a name resolves to, "" for nothing.
std::string resolved(SourceTree& tree, std::string_view file, std::string_view name) {
  auto found = tree.resolve(file, name);
  return found ? found->file + ":" + found->qualname : "";
}

TEST(ParametersOf, KnowsAllForms) {
  auto file = parse("def f(a, /, b: int, c=1, *args: str, d, e: int = 2, **kw): pass\n");
  auto parameters = parameters_of(file->root().named_child(0));
  ASSERT_EQ(parameters.size(), 7u);
  EXPECT_EQ(parameters[0].name, "a");
  EXPECT_EQ(parameters[1].annotation, "int");
  EXPECT_EQ(parameters[2].default_text, "1");
  EXPECT_TRUE(parameters[2].has_default);
  EXPECT_EQ(parameters[3].prefix + parameters[3].name, "*args");
  EXPECT_EQ(parameters[3].annotation, "str");
  EXPECT_FALSE(parameters[3].keyword_only);
  EXPECT_TRUE(parameters[4].keyword_only);
  EXPECT_FALSE(parameters[4].has_default);
  EXPECT_TRUE(parameters[5].keyword_only);
  EXPECT_EQ(parameters[6].prefix + parameters[6].name, "**kw");
  EXPECT_FALSE(parameters[6].keyword_only);
}

TEST(SourceTree, ListsSourcesWithoutCachesAndEnvironments) {
  auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const fs::path& root = folder->path();
  for (const char* path :
       {"pkg/a.py", "csrc/k.cu", "README.md", ".git/x.py", "pkg/__pycache__/a.py", "venv/lib/y.py",
        "env/keep.py", "build/lib/z.py", "pkg/build/__init__.py", "x.egg-info/w.py"}) {
    write(root / path, "x = 1\n");
  }
  write(root / "venv/pyvenv.cfg", "");
  write(root / "csrc/op.py", "y = 2\n");
  fs::create_directory_symlink("../csrc", root / "pkg/ops");
  fs::create_directory_symlink("..", root / "pkg/loop");
  auto other = TemporaryFolder::make();
  ASSERT_TRUE(other);
  write(other->path() / "out.py", "z = 3\n");
  fs::create_directory_symlink(other->path(), root / "outside");
  fs::create_symlink(other->path() / "out.py", root / "link.py");
  auto tree = SourceTree::open(root);
  ASSERT_TRUE(tree);
  auto paths = (*tree)->paths();
  auto has = [&](std::string_view path) { return (*tree)->has(path); };
  EXPECT_TRUE(has("pkg/a.py") && has("csrc/k.cu") && has("env/keep.py"));
  EXPECT_TRUE(has("pkg/build/__init__.py"));
  EXPECT_TRUE(has("pkg/ops/op.py")) << "a package composed by a link";
  for (const char* path : {".git/x.py", "pkg/__pycache__/a.py", "venv/lib/y.py", "build/lib/z.py",
                           "x.egg-info/w.py", "link.py", "outside/out.py", "README.md"}) {
    EXPECT_FALSE(has(path)) << path;
  }
  EXPECT_TRUE(std::is_sorted(paths.begin(), paths.end()));
  EXPECT_LT(paths.size(), 20u) << "links that lead around in circles";
  EXPECT_EQ((*tree)->bytes("pkg/a.py"), "x = 1\n");
  EXPECT_EQ((*tree)->bytes("none.py"), "");
  EXPECT_EQ((*tree)->source("none.py"), nullptr);
}

TEST(SourceTree, SaysWhyItCannotBeOpened) {
  EXPECT_EQ(SourceTree::open("/nonexistent").error().kind, ErrorKind::kNotFound);
  auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  write(folder->path() / "file", "");
  EXPECT_EQ(SourceTree::open(folder->path() / "file").error().kind, ErrorKind::kBadInput);
}

TEST(SourceTree, GivesNothingForBinaryAndLargeFiles) {
  auto tree = SourceTree::in_memory(
      {{"a.py", std::string("\0", 1)}, {"b.py", "#" + std::string(5 << 20, 'x')}, {"c.py", "x\n"}});
  EXPECT_EQ(tree->source("a.py"), nullptr);
  EXPECT_EQ(tree->source("b.py"), nullptr);
  ASSERT_NE(tree->source("c.py"), nullptr);
  EXPECT_EQ(tree->source("c.py"), tree->source("./c.py"));
}

TEST(SourceTree, CanBeAskedByManyThreads) {
  std::map<std::string, std::string> files;
  for (int i = 0; i < 50; ++i) {
    files["m" + std::to_string(i) + ".py"] = "def f" + std::to_string(i % 5) + "(): pass\n";
  }
  auto tree = SourceTree::in_memory(files);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 5; ++n) {
        EXPECT_EQ(tree->definitions("f" + std::to_string(n)).size(), 10u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Outline, HoldsModuleLevelClassesAndMembers) {
  auto tree =
      SourceTree::in_memory({{"m.py",
                              "import os.path\nimport a.b as c\nfrom ..x import (y as z, w)\n"
                              "from q import *\nV: int = 1\nif V:\n    def g(a, *b): local = 1\n"
                              "@dec\nclass C(B[int], metaclass=M):\n    field = 1\n"
                              "    @prop\n    def m(self): pass\n    class D:\n        e = 1\n"
                              "try:\n    t = u = 2\nexcept E as err:\n    pass\n"}});
  const auto& outline = tree->outline("m.py");
  EXPECT_THAT(names(outline), ElementsAre("os", "c", "z", "w", "*", "V", "g", "C", "C.field", "C.m",
                                          "C.D", "t", "u", "err"));
  EXPECT_EQ(outline[0].source_name, "os");
  EXPECT_EQ(outline[1].source_name, "a.b");
  EXPECT_EQ(outline[2].source_module, "..x");
  EXPECT_EQ(outline[2].source_name, "y");
  EXPECT_EQ(outline[6].parameters.size(), 2u);
  EXPECT_THAT(outline[7].bases, ElementsAre("B[int]"));
  EXPECT_EQ(outline[7].line, 9);
  EXPECT_TRUE(tree->bytes("m.py").substr(outline[7].range.start).starts_with("@dec"));
  EXPECT_TRUE(tree->bytes("m.py").substr(outline[9].range.start).starts_with("@prop"));
  EXPECT_TRUE(tree->outline("none.py").empty());
}

TEST(Definitions, AreFoundByTextAndThenParsed) {
  auto tree = SourceTree::in_memory({
      {"a.py", "def run(): pass\nclass A:\n    limit = 1\n    def run(self): pass\n"},
      {"b.py", "def f():\n    limit = 2\n    return limit\n"},
      {"c.py", "from a import run\nrun()\nlimit, other = 1, 2\n"},
      {"d.py", "def g(\n    x,\n) -> int:\n    limit = 3\n"},
      {"e.py", "# def run\ns = 'def run(): pass'\n"},
      {"k.cpp", "int run() { return 1; }\n"},
  });
  EXPECT_THAT(names(tree->definitions("run")), ElementsAre("run", "A.run"));
  EXPECT_THAT(names(tree->definitions("limit")), ElementsAre("A.limit", "limit"));
  EXPECT_TRUE(tree->definitions("nowhere").empty());
  EXPECT_THAT(tree->files_mentioning("run"), ElementsAre("a.py", "c.py", "e.py"));
  EXPECT_TRUE(tree->files_mentioning("ru").empty());
}

TEST(Modules, MapToFilesAndBack) {
  auto tree = SourceTree::in_memory({{"src/pkg/__init__.py", ""},
                                     {"src/pkg/mod.py", ""},
                                     {"top.py", ""},
                                     {"ns/core/__init__.py", ""},
                                     {"docs/conf.py", ""}});
  EXPECT_EQ(tree->file_of_module("pkg"), "src/pkg/__init__.py");
  EXPECT_EQ(tree->file_of_module("pkg.mod"), "src/pkg/mod.py");
  EXPECT_EQ(tree->file_of_module("top"), "top.py");
  EXPECT_FALSE(tree->file_of_module("numpy"));
  EXPECT_FALSE(tree->file_of_module(""));
  EXPECT_EQ(tree->module_of_file("src/pkg/mod.py"), "pkg.mod");
  EXPECT_EQ(tree->module_of_file("src/pkg/__init__.py"), "pkg");
  EXPECT_EQ(tree->module_of_file("top.py"), "top");
  EXPECT_THAT(tree->top_level_names(), ElementsAre("ns", "pkg", "top"));
}

TEST(Resolve, FollowsImports) {
  auto tree = SourceTree::in_memory({
      {"pkg/__init__.py", "from .impl import thing\nfrom . import sub\n"},
      {"pkg/impl.py", "def thing(): pass\nclass Base:\n    def m(self): pass\n"},
      {"pkg/sub.py",
       "from .impl import Base as B\nclass C(B):\n    x = 1\ntry:\n    from fast import f\n"
       "except ImportError:\n    f = None\n"},
      {"pkg/star.py", "from .impl import *\n"},
      {"pkg/deep/__init__.py", ""},
      {"pkg/deep/low.py", "from ..impl import thing\nfrom ... import beyond\n"},
      {"use.py",
       "import pkg\nimport pkg.deep.low as low\nimport pkg.impl\nimport numpy as np\n"
       "from pkg import thing as t\nfrom pkg.star import Base\nfrom pkg import impl\n"
       "def f():\n    from pkg.sub import C\n    return C\n"},
      {"round_a.py", "from round_b import x\n"},
      {"round_b.py", "from round_a import x\n"},
      {"ns/core/__init__.py", "def g(): pass\n"},
      {"ns_use.py", "import ns.core\n"},
  });
  EXPECT_EQ(resolved(*tree, "pkg/impl.py", "thing"), "pkg/impl.py:thing");
  EXPECT_EQ(resolved(*tree, "use.py", "t"), "pkg/impl.py:thing");
  EXPECT_EQ(resolved(*tree, "use.py", "pkg.thing"), "pkg/impl.py:thing");
  EXPECT_EQ(resolved(*tree, "use.py", "low.thing"), "pkg/impl.py:thing");
  EXPECT_EQ(resolved(*tree, "use.py", "pkg.sub.C"), "pkg/sub.py:C");
  EXPECT_EQ(resolved(*tree, "use.py", "pkg.impl.Base.m"), "pkg/impl.py:Base.m");
  EXPECT_EQ(resolved(*tree, "use.py", "Base"), "pkg/impl.py:Base") << "through import *";
  EXPECT_EQ(resolved(*tree, "use.py", "impl"), "pkg/impl.py:pkg.impl") << "a module";
  EXPECT_EQ(resolved(*tree, "use.py", "C.m"), "pkg/impl.py:Base.m") << "imported in a function";
  EXPECT_EQ(resolved(*tree, "pkg/__init__.py", "sub"), "pkg/sub.py:pkg.sub");
  EXPECT_EQ(resolved(*tree, "pkg/sub.py", "f"), "pkg/sub.py:f") << "the fallback, fast is not here";
  EXPECT_EQ(resolved(*tree, "ns_use.py", "ns.core.g"), "ns/core/__init__.py:g");
  EXPECT_EQ(resolved(*tree, "use.py", "np.array"), "");
  EXPECT_EQ(resolved(*tree, "use.py", "nothing"), "");
  EXPECT_EQ(resolved(*tree, "pkg/deep/low.py", "beyond"), "");
  EXPECT_EQ(resolved(*tree, "round_a.py", "x"), "");
  EXPECT_EQ(resolved(*tree, "none.py", "x"), "");
}

TEST(ClassAndBases, AreFollowedOnce) {
  auto tree = SourceTree::in_memory({
      {"a.py", "class A: pass\nclass B(A): pass\n"},
      {"c.py", "from a import A, B\nclass C(B, A[int], X): pass\nclass L(L): pass\n"},
  });
  auto cls = tree->resolve("c.py", "C");
  ASSERT_TRUE(cls);
  EXPECT_THAT(names(tree->class_and_bases(*cls)), ElementsAre("C", "B", "A"));
  EXPECT_THAT(names(tree->class_and_bases(*tree->resolve("c.py", "L"))), ElementsAre("L"));
}

TEST(MembersOf, AreNamesInTheBodyAndAttributesSet) {
  auto tree = SourceTree::in_memory(
      {{"a.py",
        "@d\nclass A:\n    x = 1\n    def __init__(self):\n        self.a, self.b = 1, 2\n"
        "        self.c: int = self.read\n        self.a += 1\n        other.e = 1\n"
        "    @property\n    def p(self): return self.q\n"}});
  EXPECT_THAT(tree->members_of(*tree->resolve("a.py", "A")),
              ElementsAre("x", "__init__", "a", "b", "c", "p"));
}

}  // namespace
}  // namespace suture
