#include "repair/locate/locate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "repair/base/file.h"

namespace suture {
namespace {

/// A failing run to be located, built step by step.
class LocateTest : public ::testing::Test {
 protected:
  void tree(std::map<std::string, std::string> files) {
    tree_ = SourceTree::in_memory(std::move(files));
  }

  void fails_with(std::string type, std::string message) {
    failure_.kind = FailureKind::kException;
    failure_.type = type;
    failure_.message = message;
    exception_.type = std::move(type);
    exception_.message = std::move(message);
  }

  void frame(std::string file, int line, Values locals = {}) {
    failure_.frames.push_back({file, line, "", ""});
    LiveFrame live;
    live.file = std::move(file);
    live.in_tree = true;
    live.at.line = live.at.end_line = line;
    live.locals = std::move(locals);
    exception_.frames.push_back(std::move(live));
  }

  CalledFunction& called(std::string file, std::string qualname, int first_line,
                         std::set<int> lines) {
    CalledFunction function;
    function.file = std::move(file);
    function.qualname = std::move(qualname);
    function.first_line = first_line;
    function.order = std::int64_t(evidence_.called.size());
    function.calls = 1;
    evidence_.executed[function.file].insert(lines.begin(), lines.end());
    function.lines = std::move(lines);
    function.caller_file = check_path_;
    function.caller_line = 1;
    evidence_.called.push_back(std::move(function));
    return evidence_.called.back();
  }

  /// Writes the check's text; it fails at the line.
  void check(std::string_view text, int line) {
    folder_ = *TemporaryFolder::make();
    check_path_ = (folder_->path() / "check.py").string();
    std::ofstream(check_path_) << text;
    evidence_.check_files.push_back(check_path_);
    LiveFrame live;
    live.file = check_path_;
    live.in_check = true;
    live.at.line = live.at.end_line = line;
    exception_.frames.push_back(std::move(live));
  }

  std::vector<Location> run(std::size_t limit = 400) {
    if (traced_) {
      evidence_.python_version = "3.11.7";
      evidence_.exceptions.push_back(exception_);
    }
    return locate({failure_, evidence_, report_ ? &*report_ : nullptr, *tree_}, limit);
  }

  /// 1-based rank of a line; 0 when it is not in the list.
  static int rank(const std::vector<Location>& found, const std::string& file, int line) {
    for (std::size_t at = 0; at < found.size(); ++at) {
      if (found[at].file == file && found[at].line <= line && line <= found[at].end_line) {
        return int(at) + 1;
      }
    }
    return 0;
  }

  bool traced_ = true;
  std::unique_ptr<SourceTree> tree_;
  Failure failure_;
  Evidence evidence_;
  std::optional<Report> report_;
  LiveException exception_;
  std::optional<TemporaryFolder> folder_;
  std::string check_path_ = "/checks/check.py";
};

Value none() {
  Value value;
  value.type = "NoneType";
  value.repr = "None";
  return value;
}

TEST_F(LocateTest, FailingLineThenWhereNoneWasMade) {
  tree({{"m.py",
         "def load(path, other):\n"        // 1
         "    noise = other\n"             // 2
         "    table = find(path)\n"        // 3
         "    more = noise + 1\n"          // 4
         "    return table.rows + more\n"  // 5
         "def find(path):\n"               // 6
         "    if path:\n"                  // 7
         "        return None\n"           // 8
         "    return []\n"}});             // 9
  fails_with("AttributeError", "'NoneType' object has no attribute 'rows'");
  frame("m.py", 5, {{"table", none()}});
  const auto found = run();
  EXPECT_EQ(rank(found, "m.py", 5), 1);
  EXPECT_TRUE(found[0].roles.has(Role::kFailing));
  EXPECT_EQ(found[0].frame, 0);
  EXPECT_EQ(rank(found, "m.py", 3), 2);
  EXPECT_TRUE(found[1].roles.has(Role::kOrigin));
  EXPECT_LE(rank(found, "m.py", 8), 6);
  EXPECT_GT(rank(found, "m.py", 2), rank(found, "m.py", 8));
}

TEST_F(LocateTest, AttributeOfSelfIsFollowedIntoTheClass) {
  tree({{"base.py",
         "class Base:\n"
         "    def __init__(self):\n"
         "        self.group = None\n"},
        {"m.py",
         "from base import Base\n"
         "class C(Base):\n"
         "    def run(self):\n"
         "        return self.group.size()\n"}});
  fails_with("AttributeError", "'NoneType' object has no attribute 'size'");
  frame("m.py", 4);
  const auto found = run();
  EXPECT_EQ(rank(found, "m.py", 4), 1);
  EXPECT_GE(rank(found, "base.py", 3), 2);
  EXPECT_LE(rank(found, "base.py", 3), 4);
}

TEST_F(LocateTest, GuardOfARaise) {
  tree({{"m.py",
         "def f(a, b):\n"
         "    c = a\n"
         "    if a > b:\n"
         "        raise ValueError('no')\n"}});
  fails_with("ValueError", "no");
  frame("m.py", 4);
  const auto found = run();
  EXPECT_LE(rank(found, "m.py", 3), 2);
}

TEST_F(LocateTest, CallersDecay) {
  tree({{"m.py",
         "def a():\n    return b()\n"
         "def b():\n    return c()\n"
         "def c():\n    return 1 / 0\n"}});
  fails_with("ZeroDivisionError", "division by zero");
  frame("m.py", 2);
  frame("m.py", 4);
  frame("m.py", 6);
  const auto found = run();
  EXPECT_EQ(rank(found, "m.py", 6), 1);
  EXPECT_LT(rank(found, "m.py", 4), rank(found, "m.py", 2));
  EXPECT_TRUE(found[std::size_t(rank(found, "m.py", 2)) - 1].roles.has(Role::kCaller));
  EXPECT_EQ(found[std::size_t(rank(found, "m.py", 2)) - 1].frame, 2);
}

TEST_F(LocateTest, CalleeThatTheCheckCannotCall) {
  tree({{"pkg/init.py",
         "class Other:\n    def post(self): pass\n"
         "class C:\n    @staticmethod\n    def post(module, *args):\n        return module\n"}});
  check("from pkg.init import C\nC.post(1, bias=False)\n", 2);
  fails_with("TypeError", "C.post() got an unexpected keyword argument 'bias'");
  const auto found = run();
  EXPECT_EQ(rank(found, "pkg/init.py", 5), 1);
  EXPECT_TRUE(found[0].roles.has(Role::kCallee));
}

TEST_F(LocateTest, MethodThatTheTreePutThere) {
  tree({{"m.py",
         "def wrap(model):\n"
         "    a = 1\n"
         "    model.forward = type(model).forward\n"
         "    return model\n"}});
  check("from m import wrap\nwrap(x)(1)\n", 2);
  fails_with("TypeError", "Linear.forward() missing 1 required positional argument: 'input'");
  called("m.py", "wrap", 1, {2, 3, 4});
  EXPECT_LE(rank(run(), "m.py", 3), 2);
}

TEST_F(LocateTest, SpecialMethodThatIsOffTheStack) {
  tree({{"m.py",
         "class Row:\n"
         "    def __len__(self):\n        return 2\n"
         "    def __str__(self):\n        text = self.text\n        return text\n"
         "class Other:\n"
         "    def __str__(self):\n        return 'other'\n"}});
  check("from m import Row\nstr(Row())\n", 2);
  fails_with("TypeError", "__str__ returned non-string (type list)");
  called("m.py", "Other.__str__", 8, {9});
  called("m.py", "Row.__len__", 2, {3});
  called("m.py", "Row.__str__", 4, {5, 6});
  EXPECT_EQ(rank(run(), "m.py", 6), 1);
}

TEST_F(LocateTest, GeneratedInitIsItsClass) {
  tree({{"m.py", "x = 1\n@dataclass\nclass Config:\n    size: int = 1\n"}});
  check("from m import Config\nConfig(sise=1)\n", 2);
  fails_with("TypeError", "Config.__init__() got an unexpected keyword argument 'sise'");
  EXPECT_EQ(rank(run(), "m.py", 3), 1);
}

TEST_F(LocateTest, ModuleThatLacksAName) {
  tree({{"pkg/__init__.py", "from .a import Alpha\nimport os\n"},
        {"pkg/a.py", "class Alpha: pass\nclass Beta: pass\n"}});
  check("from pkg import Beta\n", 1);
  fails_with("ImportError", "cannot import name 'Beta' from 'pkg' (pkg/__init__.py)");
  const auto found = run();
  EXPECT_EQ(rank(found, "pkg/__init__.py", 1), 1);
  EXPECT_GT(rank(found, "pkg/a.py", 2), 1);
}

TEST_F(LocateTest, UnboundLocal) {
  tree({{"m.py",
         "def f(kind):\n"           // 1
         "    unused = 1\n"         // 2
         "    if kind == 'a':\n"    // 3
         "        size = 1\n"       // 4
         "    elif kind == 'b':\n"  // 5
         "        size = 2\n"       // 6
         "    return size\n"}});    // 7
  fails_with("UnboundLocalError", "local variable 'size' referenced before assignment");
  frame("m.py", 7);
  const auto found = run();
  for (const int line : {3, 4, 5, 6}) EXPECT_LT(rank(found, "m.py", line), rank(found, "m.py", 2));
}

TEST_F(LocateTest, UnknownNameLooksAtTheImports) {
  tree({{"m.py",
         "import os\n"
         "from typing import List\n"
         "def f():\n    a = 1\n    return math.pi\n"}});
  fails_with("NameError", "name 'math' is not defined");
  frame("m.py", 5);
  const auto found = run();
  EXPECT_LE(rank(found, "m.py", 2), 4);
  EXPECT_GE(rank(found, "m.py", 2), 2);
}

TEST_F(LocateTest, WrongValueWithoutAFrame) {
  tree({{"m.py",
         "def threads(n):\n"   // 1
         "    if n > 1:\n"     // 2
         "        return n\n"  // 3
         "    return 1\n"      // 4
         "def unrelated():\n"  // 5
         "    a = 1\n    b = 2\n    c = 3\n    d = 4\n    return a\n"}});
  check("from m import *\nunrelated()\nn = threads(4)\nassert n == 2, n\n", 4);
  fails_with("AssertionError", "4");
  called("m.py", "unrelated", 5, {6, 7, 8, 9, 10}).caller_line = 2;
  called("m.py", "threads", 1, {2, 3}).caller_line = 3;
  Value four;
  four.type = "int";
  four.repr = "4";
  evidence_.called.back().returned = four;
  evidence_.operands = {{"n", four}};
  const auto found = run();
  EXPECT_EQ(rank(found, "m.py", 3), 1);
  EXPECT_LE(rank(found, "m.py", 2), 3);
  EXPECT_TRUE(found[std::size_t(rank(found, "m.py", 3)) - 1].roles.has(Role::kReturned));
  EXPECT_GT(rank(found, "m.py", 4), rank(found, "m.py", 3)) << "did not run";
}

TEST_F(LocateTest, AttributeThatTheCheckComparesIsSetHere) {
  tree({{"m.py",
         "class Attention:\n"
         "    def __init__(self, config):\n"
         "        self.config = config\n"
         "        self.hidden = config.hidden\n"
         "        self.qk_norm = Norm(config)\n"
         "        self.scale = 1\n"}});
  check("from m import Attention\na = Attention(1)\nassert a.qk_norm.eps == 1e-3\n", 3);
  fails_with("AssertionError", "1e-06");
  called("m.py", "Attention.__init__", 2, {3, 4, 5, 6}).caller_line = 2;
  EXPECT_EQ(rank(run(), "m.py", 5), 1);
}

TEST_F(LocateTest, ConstantsWhenNothingWasCalled) {
  tree({{"pkg/names.py",
         "import os\n"
         "OTHER = 1\n"
         "SUPPORTED_MODELS = ['a', 'b']\n"
         "def f(): pass\n"}});
  check("from pkg.names import SUPPORTED_MODELS\nassert 'c' in SUPPORTED_MODELS\n", 2);
  fails_with("AssertionError", "");
  evidence_.executed["pkg/names.py"] = {1, 2, 3, 4};
  const auto found = run();
  EXPECT_EQ(rank(found, "pkg/names.py", 3), 1);
  EXPECT_TRUE(found[0].roles.has(Role::kModule));
}

TEST_F(LocateTest, SwallowedException) {
  tree({{"m.py", "def f():\n    try:\n        g()\n    except Exception:\n        pass\n"}});
  check("import m\nassert m.f()\n", 2);
  fails_with("AssertionError", "");
  LiveFrame inside;
  inside.file = "m.py";
  inside.in_tree = true;
  inside.at.line = 3;
  evidence_.swallowed.push_back({"NameError", "builtins", "name 'g' is not defined", {inside}});
  const auto found = run();
  ASSERT_EQ(rank(found, "m.py", 3), 1);
  EXPECT_TRUE(found[0].roles.has(Role::kSwallowed));
}

TEST_F(LocateTest, PrintedFramesAlone) {
  traced_ = false;
  tree({{"src/pkg/m.py", "def f(x):\n    y = x\n    return y.a\n"}});
  failure_.kind = FailureKind::kException;
  failure_.type = "AttributeError";
  failure_.message = "'int' object has no attribute 'a'";
  failure_.frames = {{"/env/lib/python3.9/site-packages/pkg/m.py", 3, "f", "return y.a"}};
  const auto found = run();
  EXPECT_EQ(rank(found, "src/pkg/m.py", 3), 1);
  EXPECT_EQ(rank(found, "src/pkg/m.py", 2), 2);
}

TEST_F(LocateTest, NamesInTheReportAlone) {
  traced_ = false;
  tree({{"pkg/m.py", "def make_group_size(x):\n    return x\ndef other(): pass\n"}});
  report_.emplace();
  report_->text = "When I call make_group_size with 0 the result is wrong.";
  const auto found = run();
  ASSERT_EQ(rank(found, "pkg/m.py", 1), 1);
  EXPECT_TRUE(found[0].roles.has(Role::kMentioned));
  EXPECT_EQ(rank(found, "pkg/m.py", 3), 0);
}

TEST_F(LocateTest, NeverInTests) {
  tree({{"tests/test_m.py", "from m import f\ndef test():\n    assert f() == 1\n"},
        {"m.py", "def f():\n    return 2\n"}});
  fails_with("AssertionError", "");
  frame("tests/test_m.py", 3);
  called("m.py", "f", 1, {2});
  called("tests/test_m.py", "test", 2, {3});
  for (const Location& location : run()) EXPECT_EQ(location.file, "m.py");
}

TEST_F(LocateTest, FrameOutsideTheFileIsNoCrash) {
  tree({{"m.py", "x = 1\n"}});
  fails_with("ValueError", "");
  frame("m.py", 4000);
  frame("gone.py", 1);
  for (const Location& location : run()) EXPECT_GT(location.line, 0);
}

TEST_F(LocateTest, SameInputSameOrderAndFallingScores) {
  tree({{"m.py", "def f(a, b):\n    c = a\n    d = b\n    e = c\n    return e + d\n"}});
  fails_with("TypeError", "unsupported operand type(s) for +: 'int' and 'str'");
  frame("m.py", 5);
  const auto first = run();
  evidence_.exceptions.clear();
  const auto second = run();
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t at = 0; at < first.size(); ++at) {
    EXPECT_EQ(first[at].line, second[at].line);
    EXPECT_GT(first[at].suspiciousness, 0);
    EXPECT_LE(first[at].suspiciousness, 1);
    EXPECT_FALSE(first[at].reasons.empty());
    if (at > 0) {
      EXPECT_LE(first[at].suspiciousness, first[at - 1].suspiciousness);
    }
  }
  EXPECT_EQ(run(2).size(), 2u);
}

TEST(SuspicionMap, BestLocationOfALine) {
  Location wide, narrow, other;
  wide.file = narrow.file = "a.py";
  other.file = "b.py";
  wide.line = 1;
  wide.end_line = 9;
  wide.suspiciousness = 0.4;
  narrow.line = narrow.end_line = 3;
  narrow.suspiciousness = 0.6;
  other.line = other.end_line = 1;
  other.suspiciousness = 0.9;
  const SuspicionMap map({wide, narrow, other});
  EXPECT_EQ(map.at("a.py", 3)->suspiciousness, 0.6);
  EXPECT_EQ(map.at("a.py", 4)->suspiciousness, 0.4);
  EXPECT_EQ(map.at("a.py", 10), nullptr);
  EXPECT_EQ(map.at("c.py", 1), nullptr);
  EXPECT_THAT(map.files(), ::testing::ElementsAre("b.py", "a.py"));
  const SuspicionMap copy = map;
  EXPECT_EQ(copy.at("a.py", 3), &copy.locations()[1]);
}

}  // namespace
}  // namespace suture
