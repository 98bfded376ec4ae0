#include "repair/propose/twins.h"

#include <gtest/gtest.h>

#include <string>

#include "repair/propose/propose.h"
#include "repair/propose/silencing.h"

namespace suture {
namespace {

class TwinsTest : public ::testing::Test {
 protected:
  void with(std::string source) { tree_ = SourceTree::in_memory({{"m.py", std::move(source)}}); }

  /// A candidate that puts `text` in the place of the first `old` behind the first `after`.
  Candidate candidate(const std::string& after, const std::string& old, const std::string& text) {
    std::string_view bytes = tree_->bytes("m.py");
    auto at = std::uint32_t(bytes.find(old, bytes.find(after)));
    Candidate made;
    made.pattern = made.rewrite = "p";
    made.summary = "change it";
    made.edits["m.py"] = {{{at, at + std::uint32_t(old.size())}, text}};
    made.id = *normalised_digest(made.edits, *tree_);
    return made;
  }

  /// A candidate that puts `text` behind the first `after`.
  Candidate insertion(const std::string& after, std::string text) {
    Candidate made = candidate(after, after, "x");
    std::uint32_t at = made.edits["m.py"].front().range.end;
    made.edits["m.py"] = {insert_at(at, std::move(text))};
    return made;
  }

  std::string text_of(Candidate made) {
    EXPECT_TRUE(materialise(made, *tree_));
    return made.files["m.py"];
  }

  /// The file as the surest twins leave it; the reason where there are none.
  std::string widened(const Candidate& single, Reach reach = Reach::kNear) {
    auto twins = widen(single, *tree_, reach, 1);
    return twins.empty() ? "no twins" : text_of(twins.front());
  }

  std::unique_ptr<SourceTree> tree_;
};

TEST_F(TwinsTest, TheSameConditionInTheOtherBranch) {
  with(
      "def sort(items, left, right):\n"
      "    if left:\n"
      "        if items:\n"
      "            left.append(items)\n"
      "    else:\n"
      "        if items:\n"
      "            right.append(items)\n");
  Candidate single = candidate("if items", "items", "items or right");
  auto twins = widen(single, *tree_, Reach::kNear, 1);
  ASSERT_EQ(twins.size(), 1u);
  EXPECT_EQ(text_of(twins.front()),
            "def sort(items, left, right):\n"
            "    if left:\n"
            "        if items or right:\n"
            "            left.append(items)\n"
            "    else:\n"
            "        if items or right:\n"
            "            right.append(items)\n")
      << "items as an argument is another role";
  EXPECT_EQ(twins.front().summary, "change it, at 2 places");
  EXPECT_EQ(twins.front().features.at("twins"), 1);
  EXPECT_NE(twins.front().id, single.id);
  EXPECT_TRUE(widen(twins.front(), *tree_, Reach::kNear, 1).empty());
}

TEST_F(TwinsTest, AStatementWithOtherNames) {
  with(
      "def share(box):\n"
      "    box.wheel.front_hub = box.front_hub\n"
      "    box.wheel.rear_hub = box.rear_hub\n"
      "    box.wheel.count = 2\n");
  EXPECT_EQ(widened(candidate("share", "box.wheel.front_hub", "box.wheel.axle.front_hub")),
            "def share(box):\n"
            "    box.wheel.axle.front_hub = box.front_hub\n"
            "    box.wheel.axle.rear_hub = box.rear_hub\n"
            "    box.wheel.count = 2\n");
}

TEST_F(TwinsTest, NamesThatTheEditBringsFollow) {
  with(
      "def read(a, b):\n"
      "    first = load(a.path)\n"
      "    second = load(b.path)\n");
  EXPECT_EQ(widened(candidate("read", "load(a.path)", "load(a.path) if a.path else None")),
            "def read(a, b):\n"
            "    first = load(a.path) if a.path else None\n"
            "    second = load(b.path) if b.path else None\n");
}

TEST_F(TwinsTest, LinesInFrontOfAStatementAtAnotherDepth) {
  with(
      "def run(jobs, deep):\n"
      "    jobs.start(deep)\n"
      "    if deep:\n"
      "        jobs.start(deep)\n");
  EXPECT_EQ(widened(candidate("run", "    jobs", "    jobs.reset()\n    jobs")),
            "def run(jobs, deep):\n"
            "    jobs.reset()\n"
            "    jobs.start(deep)\n"
            "    if deep:\n"
            "        jobs.reset()\n"
            "        jobs.start(deep)\n");
}

const char kParallel[] =
    "class Row:\n"
    "    def state(self):\n"
    "        keep = self.bias is not None and self.bias is True\n"
    "        return keep\n"
    "\n"
    "class Column:\n"
    "    def state(self):\n"
    "        keep = self.bias is not None and self.bias is True\n"
    "        return not keep\n"
    "\n"
    "    def other(self):\n"
    "        keep = self.bias is not None and self.bias is True\n"
    "        return keep\n";

TEST_F(TwinsTest, TheMethodOfTheSameNameInAParallelClass) {
  with(kParallel);
  Candidate single = candidate("state", " and self.bias is True", "");
  EXPECT_EQ(widened(single),
            "class Row:\n"
            "    def state(self):\n"
            "        keep = self.bias is not None\n"
            "        return keep\n"
            "\n"
            "class Column:\n"
            "    def state(self):\n"
            "        keep = self.bias is not None\n"
            "        return not keep\n"
            "\n"
            "    def other(self):\n"
            "        keep = self.bias is not None and self.bias is True\n"
            "        return keep\n");
  auto all = widen(single, *tree_, Reach::kFile, 9);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(text_of(all.back()).find("is True"), std::string::npos) << "then the whole file";
}

TEST_F(TwinsTest, OtherCallsThatLackTheArgument) {
  with(
      "def outer(tree, keys):\n"
      "    for child in tree:\n"
      "        outer(child, 1)\n"
      "    outer(tree.root, depth(2))\n"
      "    outer(tree.leaf, keys=None)\n");
  EXPECT_EQ(widened(insertion("child, 1", ", keys=keys")),
            "def outer(tree, keys):\n"
            "    for child in tree:\n"
            "        outer(child, 1, keys=keys)\n"
            "    outer(tree.root, depth(2), keys=keys)\n"
            "    outer(tree.leaf, keys=None)\n");
}

TEST_F(TwinsTest, WhatIsRightAlreadyIsNoTwin) {
  with(
      "def f(a, b):\n"
      "    x = size(a) + 1\n"
      "    y = max(size(a), 1) + 1\n");
  EXPECT_EQ(widened(candidate("x =", "size(a)", "max(size(a), 1)")), "no twins");
}

TEST_F(TwinsTest, AnImportIsMadeOnce) {
  with(
      "import os\n"
      "\n"
      "def f(a, b):\n"
      "    x = join(a, b, 1)\n"
      "    y = join(a, b, 1)\n");
  Candidate single = candidate("x =", "join(a, b, 1)", "merge(a, b)");
  single.edits["m.py"].push_back(insert_at(10, "from tools import merge\n"));
  EXPECT_EQ(widened(single),
            "import os\n"
            "from tools import merge\n"
            "\n"
            "def f(a, b):\n"
            "    x = merge(a, b)\n"
            "    y = merge(a, b)\n");
}

TEST_F(TwinsTest, NoneForWhatChangesSeveralPlaces) {
  with("x = a\ny = a\nz = a\n");
  Candidate single = candidate("x", "a", "b");
  single.edits["m.py"].push_back(candidate("y", "a", "b").edits["m.py"].front());
  EXPECT_EQ(widened(single, Reach::kFile), "no twins");
}

TEST_F(TwinsTest, TheSameChangesAreJoined) {
  with(
      "def norm(grads, kind):\n"
      "    for g in grads:\n"
      "        part = g.norm(2)\n"
      "        whole = part ** 2\n"
      "    return whole\n"
      "\n"
      "def other(kind):\n"
      "    return 2\n");
  std::vector<Candidate> ranked = {candidate("norm(2", "2", "kind"),
                                   candidate("other", "2", "kind"), candidate("** ", "2", "kind"),
                                   candidate("part **", "**", "*")};
  auto joined = join_same_changes(ranked, 9, *tree_);
  ASSERT_EQ(joined.size(), 1u) << "one is of another function";
  EXPECT_NE(text_of(joined.front()).find("g.norm(kind)\n        whole = part ** kind\n"),
            std::string::npos);
  add_twins(ranked, *tree_);
  EXPECT_EQ(ranked.size(), 5u);
}

TEST_F(TwinsTest, TheSameImportInAllFiles) {
  tree_ =
      SourceTree::in_memory({{"m.py", "from farm.barn import corn, rye\n"},
                             {"n.py", "try:\n    from farm.barn import rye\nexcept OSError: 1\n"},
                             {"o.py", "from farm.barn import rye, oats\n"},
                             {"p.py", "from .barn import rye\n"},
                             {"q.py", "from  farm.barn import (\n    corn,\n    rye)\n"}});
  auto files_of = [&](const Candidate& single) {
    std::vector<std::string> files;
    for (const Candidate& twin : widen_imports(single, *tree_)) {
      for (const auto& [path, edits] : twin.edits) files.push_back(path);
      Candidate made = twin;
      EXPECT_TRUE(materialise(made, *tree_));
      EXPECT_EQ(made.files["n.py"].find("farm.barn"), std::string::npos);
    }
    return files;
  };
  EXPECT_EQ(files_of(candidate("from", "farm.barn", "farm.silo")),
            (std::vector<std::string>{"m.py", "n.py", "q.py"}))
      << "oats may still be in the barn";
  EXPECT_TRUE(files_of(candidate("import", "rye", "wheat")).empty()) << "the others bring more";
  tree_ = SourceTree::in_memory(
      {{"m.py", "from .barn import corn\n"}, {"far/n.py", "from .barn import corn\n"}});
  EXPECT_TRUE(files_of(candidate("from", ".barn", ".silo")).empty()) << "another barn";
}

TEST_F(TwinsTest, TheRewriteThatGoesFurthest) {
  with("x = a\ny = a\nz = a\n");
  Candidate single = candidate("x", "a", "b"), wider = single, other = candidate("y", "a", "b");
  wider.edits["m.py"].push_back(other.edits["m.py"].front());
  Candidate foreign = wider;
  foreign.pattern = "q";
  foreign.edits["m.py"].push_back(candidate("z", "a", "b").edits["m.py"].front());
  std::vector<Candidate> candidates = {single, other, foreign, wider};
  EXPECT_EQ(widest_of(single, candidates), &candidates[3]);
  EXPECT_EQ(widest_of(wider, candidates), nullptr);
}

}  // namespace
}  // namespace suture
